"""Worlds: a signed game continued from one of its rounds with other secrets, and everything that one seat gets there.

A world differs from the game only in what the watching seat may not know: the faces of slots that it was not told, and
sealed fields of others. All answers are the same (where they name hidden tokens: the same tokens), and so are keys and
links. So the public course is the same until a token or a field that differs is lawfully shown.
"""

import random
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from functools import partial
from itertools import islice, permutations
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.crypto import slots
from referee.crypto.codec import decode, derive, encode
from referee.engine import host
from referee.engine import records as r
from referee.engine.answers import seen, split
from referee.engine.book import Fault
from referee.engine.chain import Checked
from referee.engine.draws import listed
from referee.engine.reader import Owner, Reader
from referee.engine.rounds import close
from referee.errors import IllegalMove, RefereeError
from referee.forms import any_move
from referee.game import LINK, Ask, Game, Seen, Terms
from referee.io.times import undated_deadline
from referee.language import Message, t
from referee.svg import WIDTHS
from referee.testing.described import plain
from referee.testing.mailed import for_pages, mailed
from referee.testing.signed import NAMES, Round, Seating, fork, questions, seen_by
from referee.testing.values import some_value

Facts = dict[str, Any]
"""Everything that a seat gets in one round, by name, as plain data; without hashes, salts and signatures."""
FACTS = {
    "refusals": t("the refusals of invalid input"),
    "receipt": t("the receipt"),
    "round": t("the end of the round"),
    "operations": t("the operations"),
    "told": t("the tokens it is told"),
    "story": t("the story"),
    "entry": t("the entry"),
    "state": t("the state"),
    "position": t("the position"),
    "size of the view": t("the size of the view"),
    "known tokens": t("the tokens it knows"),
    "board": t("the board"),
    "pictures": t("the picture"),
    "moves": t("the moves it can choose"),
    "standing orders": t("the standing orders it can choose"),
    "typed texts": t("what it can type"),
    "mail": t("the mail"),
    "for pages": t("what its page gets"),
}
"""The names of these facts."""
TEXTS = ("", "x", "pass", "1 2 3", "9" * 40)


class Impossible(Exception):
    """In this world somebody could not have answered as in the game."""


class Unreadable(Exception):
    """The watching seat got something that its own checks refuse."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class Change(msgspec.Struct, frozen=True):
    """What differs in a world: the faces of some sealed slots, and sealed fields of one seat's first answer."""

    faces: Mapping[str, str] = {}
    seat: int = -1
    move: object = None


# --- a fresh start ---------------------------------------------------------------------------------------------------


_FILLED = (list, dict, set, deque)


class Clean:
    """The state of a package's modules; `restore` brings back what it was when they were loaded."""

    def __init__(self, package: str) -> None:
        self._saved = []
        for name, module in sorted(sys.modules.items()):
            if name == package or name.startswith(package + "."):
                kept = {key: value for key, value in vars(module).items() if not key.startswith("__")}
                filled = {key: deepcopy(value) for key, value in kept.items() if isinstance(value, _FILLED)}
                self._saved.append((vars(module), kept, filled))

    def restore(self) -> None:
        for now, kept, filled in self._saved:
            now |= kept
            for key, content in filled.items():
                if (value := kept[key]) != content:
                    value.clear()
                    (value.extend if isinstance(value, list | deque) else value.update)(deepcopy(content))
            for value in kept.values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


# --- what is different -----------------------------------------------------------------------------------------------


def hidden_slots(match: host.Match, seat: int) -> list[str]:
    """Sealed slots whose faces a seat was not told."""
    book = match.state.book
    return [slot for slot in book.leaves if seat not in book.told.get(slot, ())]


def revealed_by(entries: Sequence[r.Entry]) -> tuple[set[str], set[tuple[int, str]]]:
    """Slots that these rounds opened, and sealed fields that they showed."""
    opened: set[str] = set()
    fields: set[tuple[int, str]] = set()
    for entry in entries:
        for op in entry.ops:
            if isinstance(op, r.Take | r.LayOut | r.LayOutAll):
                opened |= {token.slot for token in op.tokens}
            elif isinstance(op, r.Unseal):
                fields |= {(op.seat, name) for name in op.fields}
    return opened, fields


def other_faces(match: host.Match, free: Sequence[str], rng: random.Random) -> dict[str, str]:
    """Other faces for slots that may differ; tokens change places only with tokens of the same bags."""
    bags = match.table.bags
    groups: dict[tuple[str, ...], list[str]] = {}
    for slot in free:
        face = match.faces[slot]
        groups.setdefault(tuple(sorted(bag for bag, faces in bags.items() if face in faces)), []).append(slot)
    few = rng.random() < 0.5
    found: dict[str, str] = {}
    for group in groups.values():
        chosen = rng.sample(group, min(len(group), 4)) if few else group
        faces = [match.faces[slot] for slot in chosen]
        rng.shuffle(faces)
        found.update((slot, face) for slot, face in zip(chosen, faces, strict=True) if match.faces[slot] != face)
    return found


def other_answer(
    match: host.Match, ask: Ask, move: msgspec.Struct, fixed: set[str], words: Sequence[str], rng: random.Random
) -> object:
    """Another legal answer that differs only in sealed fields that are not `fixed`; None if none was found."""
    game, terms, view = match.table.game, match.table.terms, seen_by(match, ask.seat)
    same = split(move, ask.sealed)[0]
    free = [name for name in ask.sealed if name not in fixed]
    kept = {name: getattr(move, name) for name in fixed if name in ask.sealed}
    choices = [choice for choice in game.legal(terms, view) for _ in range(3 if choice.parts else 1)]
    found = [any_move([choice], game.move, rng.randrange) for choice in choices]
    sealed = [field for field in msgspec.structs.fields(type(move)) if field.name in free]
    for _ in range(12):
        values = {field.name: some_value(field.type, rng, words) for field in sealed}
        found.append(replace(move, **{name: value for name, value in values.items() if value is not None}))
    rng.shuffle(found)
    for other in found:
        fits = type(other) is type(move) and split(other, ask.sealed)[0] == same
        if not fits or other == move or any(getattr(other, name) != value for name, value in kept.items()):
            continue
        try:
            game.check(terms, view, other)
        except IllegalMove:
            continue
        return other
    return None


def changed(match: host.Match, faces: Mapping[str, str]) -> host.Match:
    """The game with other faces in some slots, and the leaves to match."""
    twin, table = fork(match), match.table
    leaves = dict(match.state.book.leaves)
    for slot, face in faces.items():
        bag, generation, number = slots.parse_slot(slot)
        key = derive(match.secret, "salts", table.seating, bag, generation)
        leaves[slot] = slots.leaf(table.seating, bag, generation, number, slots.salt(key, number), face).hex()
    twin.faces = {**match.faces, **faces}
    twin.checkpoint = replace(
        match.checkpoint, state=replace(match.state, book=replace(match.state.book, leaves=leaves))
    )
    return twin


# --- playing on ------------------------------------------------------------------------------------------------------


class World:
    """The game from a round on, watched by one seat."""

    def __init__(
        self, seating: Seating, rounds: Sequence[Round], watcher: int, change: Change, given: Sequence[r.Entry]
    ):
        self.seating, self.watcher, self.change = seating, watcher, change
        self.match = changed(rounds[0].before, change.faces)
        self.entries: list[r.Entry] = []
        self.told: set[str] = set()
        self._rounds = rounds
        # Of the rounds before, the watching seat gets only the entries.
        before = [decode(bytes(one.body), r.Entry, "entry") for one in self.match.entries]
        self._followed = [Checked(entry, self.match.checkpoint, ()) for entry in before]
        self._faces: dict[str, str] = {}
        """All faces that the watching seat was told, including tokens that are gone."""
        self._gifts = {
            (op.seat, op.field): op for entry in given for op in entry.ops if isinstance(op, r.Give | r.Seek)
        }

    def play(self, rng_seed: str, words: Sequence[str]) -> Iterator[Facts]:
        """Play on, and return the facts of each round. Raises `Impossible`."""
        yield {"refusals": self._refusals(rng_seed, words)}
        for number, one in enumerate(self._rounds):
            before = fork(self.match)
            receipt = self._round(one, first=number == 0)
            yield self._facts(before, receipt) | {"refusals": self._refusals(rng_seed, words)}

    def _round(self, one: Round, *, first: bool) -> Facts:
        """Close a round with the answers of the game; returns what the host says to the watching seat."""
        verdict: Facts = {}
        self.match.due = undated_deadline(self.match.state.round + 1)
        for seat in sorted(one.moves):
            move = one.moves[seat]
            if seat != self.watcher and move is not None:
                move = self.change.move if first and seat == self.change.seat else self._adapted(seat, move)
            try:
                data = self.seating.sign(self.match, seat, move, one.words.get(seat))
            except RefereeError as error:
                if seat != self.watcher:
                    raise Impossible(error.message) from None
                return {"error": str(error)}
            judged = host.take_move(self.match, data)
            if judged.error is not None and judged.receipt is not None and seat != self.watcher:
                raise Impossible(judged.error.message)
            if seat == self.watcher or judged.receipt is None:
                verdict = _word(judged)
        for seat in one.late:
            host.time_out(self.match, seat)
        return verdict

    def _adapted(self, seat: int, move: msgspec.Struct) -> msgspec.Struct:
        """The same answer; where a sealed field names hidden tokens, it names the same tokens by their faces here."""
        ask = questions(self.match)[seat]
        for name in ask.sealed:
            op = self._gifts.get((seat, name))
            if op is not None and op.slots and all(slot in self.match.faces for slot in op.slots):
                faces = [self.match.faces[slot] for slot in op.slots]
                move = self._naming(seat, move, name, faces, whole=isinstance(op, r.Give))
        return move

    def _naming(self, seat: int, move: msgspec.Struct, name: str, faces: list[str], *, whole: bool) -> msgspec.Struct:
        """A legal answer whose field names exactly these faces, or these first."""
        value = getattr(move, name)
        old = listed(encode(value))
        if old == tuple(faces) or (whole and sorted(old) == sorted(faces)):
            return move
        rest = [] if whole else [face for face in old if face not in faces]
        game, terms, view = self.match.table.game, self.match.table.terms, seen_by(self.match, seat)
        for order in islice(permutations(faces), 120):
            new = order[0] if isinstance(value, str) else type(value)([*order, *rest])
            try:
                game.check(terms, view, replace(move, **{name: new}))
            except IllegalMove:
                continue
            return replace(move, **{name: new})
        raise Impossible("nothing legal names these tokens")

    # --- what the watching seat gets

    def _facts(self, before: host.Match, receipt: Facts) -> Facts:
        match, seat, table = self.match, self.watcher, self.match.table
        if match.state.round == before.state.round:
            return {"receipt": receipt, "round": "open"}
        entry = decode(bytes(match.entries[-1].body), r.Entry, "entry")
        self.entries.append(entry)
        parts = [decode(bytes(one.body), r.Private, "private") for one in match.privates[seat]]
        openings = [token for part in parts if part.round == entry.round for token in part.openings]
        self.told |= {token.slot for token in openings}
        owner = Owner(seat, {})
        owner.faces = {
            slot: face for slot, face in before.faces.items() if seat in before.state.book.told.get(slot, ())
        }
        owner.openings = list(openings)
        try:
            read = close(table, before.checkpoint, entry, partial(Reader, given=entry.ops, owner=owner))
        except Fault as fault:
            raise Unreadable(fault.message) from None
        known = seen(table.game, read.checkpoint.state, read.checkpoint.public, seat, owner.faces)
        self._followed.append(Checked(entry, read.checkpoint, read.log))
        self._faces |= owner.faces
        return {
            "operations": [_op(one) for one in msgspec.json.decode(encode(entry.ops))],
            "told": [(token.slot, token.face) for token in openings],
            "story": [table.game.tell(table.terms, note) for note in read.log],
            "entry": _entry(entry),
            "state": _state(read.checkpoint.state),
            "position": msgspec.json.decode(encode(read.checkpoint.public)),
            "receipt": receipt,
            "size of the view": len(host.make_view(match, seat)),
            **self._shown(known),
            # Rendering pixels is slow: only the first round compares them, the others compare the SVG.
            "mail": mailed(match, seat, self._followed, self._faces, pictures=len(self.entries) == 1),
            "for pages": for_pages(match, seat, self._followed, self._faces),
        }

    def _shown(self, known: Seen[object]) -> Facts:
        game, terms = self.match.table.game, self.match.table.terms
        names, decides = NAMES[: terms.seats], known.ask is not None and known.ask.what != LINK
        return {
            "known tokens": {name: list(faces) for name, faces in known.tokens.items()},
            "board": game.render(terms, known, names, lambda text, style: text, 100),
            "pictures": [game.picture(terms, known, names, width) for width in WIDTHS] if game.picture else [],
            "moves": [[plain(one), game.text(one.move)] for one in game.legal(terms, known)] if decides else [],
            "standing orders": _words(game, terms, known),
            "typed texts": [_tried(game.parse, terms, known, text) for text in TEXTS] if decides else [],
        }

    def _refusals(self, seed: str, words: Sequence[str]) -> list[Facts]:
        """How the host refuses some nonsense from the watching seat."""
        if self.watcher not in questions(self.match):
            return []
        game, rng, found = self.match.table.game, random.Random(seed), []
        for _ in range(3):
            move, twin = some_value(game.move, rng, words), fork(self.match)
            try:
                data = self.seating.sign(twin, self.watcher, move, lax=True)
            except RefereeError as error:
                found.append({"code": error.code, "exit": error.exit, "message": str(error)})
                continue
            found.append(_word(host.take_move(twin, data)))
        return found


def _word(judged: host.Judged) -> Facts:
    """What the host says about an answer, and the size of the receipt."""
    error = judged.error
    size = len(encode(judged.receipt)) if judged.receipt is not None else 0
    about = {"exit": error.exit, "message": str(error), "next": str(error.next)} if error is not None else {}
    return {"code": judged.code, "size": size, **about}


def _words(game: Game, terms: Terms[object, object], known: Seen[Any]) -> list[object]:
    """The standing orders that can be given, are in force, and are advised."""
    if game.standing is None:
        return []
    orders = known.public.standing[known.seat]
    choices = [plain(one) for one in game.standing.legal(terms, orders)]
    advised = [plain(game.standing.advise(terms, known, bot)) for bot in game.bots]
    return [choices, list(game.standing.text(orders)), advised]


def _tried(call: Callable[..., object], *args: object) -> str:
    try:
        return str(call(*args))
    except IllegalMove as error:
        return f"{error.code}: {error.message}"


def _op(op: Facts) -> Facts:
    """An operation without salts and leaves."""
    made = copy(op)
    if "leaves" in made:
        made["leaves"] = len(made["leaves"])
    if "tokens" in made:
        made["tokens"] = [{name: value for name, value in token.items() if name != "salt"} for token in made["tokens"]]
    if op["op"] == "unseal":
        made["fields"] = {name: secret["value"] for name, secret in made["fields"].items()}
    return made


def _entry(entry: r.Entry) -> Facts:
    made: Facts = msgspec.json.decode(encode(replace(entry, ops=(), prev="", state="")))
    for answer in made["answers"]:
        answer["sig"], answer["commit"], answer["box"] = "", sorted(answer.get("commit", ())), "box" in answer
    return made


def _state(state: r.State) -> Facts:
    made: Facts = msgspec.json.decode(encode(state))
    made["book"]["leaves"] = sorted(made["book"].get("leaves", ()))
    for held in made.get("held", ()):
        held["commit"] = sorted(held.get("commit", ()))
    return made
