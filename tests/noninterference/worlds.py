"""Whole signed games, twice: two worlds that differ only in what one player must not know.

World A is a game played by bots. World B is the same game with some faces of sealed slots exchanged, or with another
sealed answer of somebody else. The very bytes that the players of A sent are sent to B. As long as nothing of what
differs was lawfully shown to the watching player, everything that player gets must be the same to the byte.

Commitments are made ideal: a hash with a proper secret salt forgets what it hides (`ideal`). A hash with any other salt
does not. Nothing else is stubbed: ids, signatures, sizes, order, log lines and draws are the real ones.

Which openings are lawful is decided here from PROTOCOL.md, section 7, and never by asking whether the worlds differ:
an open `take`, an `open`, a `take` or `seal` for the watching player.
"""

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

from referee import games
from referee.crypto import slots
from referee.crypto.codec import derive, encode
from referee.crypto.envelope import Envelope, seal
from referee.crypto.keys import Key
from referee.crypto.links import Chain
from referee.engine import dealer, lobby, rounds, turn
from referee.engine.player import open_view
from referee.engine.records import NOTHING, Bag, Entry, Move, MoveFile, Open, Seal, Secret, Show, Take, content
from referee.engine.rounds import split_move, who_is_asked
from referee.engine.table import Table, make_terms, read_edition
from referee.engine.turn import Judged, Match, take_move, time_out
from referee.engine.view import make_view, private_part
from referee.game import ALL, Game, Terms, ask_of, seen
from referee.show.terminal import Painter, render

Swaps = Sequence[tuple[str, str]]
"""Pairs of sealed slots of one generation whose faces change places."""


def entropy(*parts: object) -> bytes:
    return hashlib.sha256("/".join(map(str, parts)).encode()).digest()


def terms_of(game_id: str, seats: int, **options: Any) -> tuple[Game, Terms[Any, Any]]:
    game = games.load(game_id)
    edition = read_edition(game, games.edition_bytes(game_id))
    return game, make_terms(game, seats, game.options(**options), edition)


# --- a table with keys -----------------------------------------------------------------------------------------------


class Seated(NamedTuple):
    """A game that can begin: its genesis, and everybody's keys and links."""

    envelope: Envelope
    host: Key
    keys: tuple[Key, ...]
    marks: tuple[list[bytes], ...]
    host_marks: list[bytes]

    def table(self) -> Table:
        return Table(self.envelope, verify=False)

    def link(self, at: Table, seat: int, number: int) -> str:
        nonce = bytes.fromhex(at.joins[seat].nonce)
        return Chain(self.keys[seat].public, nonce).link(self.marks[seat], number).hex()


def sit_down(game_id: str, seats: int, seed: str, **options: Any) -> Seated:
    """Offer, joins and genesis, all from `seed`."""
    game, terms = terms_of(game_id, seats, **options)
    host = Key(entropy("host", seed))
    keys = tuple(Key(entropy("key", seat, seed)) for seat in range(seats))
    offer = lobby.make_offer(host, game_id, game, terms, entropy("offer", seed))
    nonces = [entropy("nonce", seat, seed) for seat in range(seats)]
    joins = tuple(lobby.make_join(key, offer, f"Player {at}", nonces[at]) for at, key in enumerate(keys))
    at_table = lobby.make_genesis(host, offer, joins)
    marks = tuple(lobby.player_marks(key, at_table.offer_id, nonce) for key, nonce in zip(keys, nonces, strict=True))
    secret = lobby.host_secret(host, entropy("offer", seed))
    return Seated(at_table.envelope, host, keys, marks, lobby.host_marks(host.public, entropy("offer", seed), secret))


def sign(seated: Seated, match: Match, seat: int, move: Any = None, *, fields: bytes | None = None) -> bytes:
    """A signed answer to what is asked now; `fields` overrides the open fields with any bytes."""
    at, state = match.table, match.state
    number = state.round + 1
    ask = ask_of(state.ask, seat) if not state.witness else None
    opened, secret = fields or b"", None
    if move is not None:
        opened, hidden = split_move(move, ask.sealed if ask else ())
        if ask and ask.sealed:
            salt = derive(seated.keys[seat].seed, "salt", bytes.fromhex(at.id), number)
            secret = Secret(salt.hex(), msgspec.Raw(hidden))
    body = Move(
        game=at.id,
        round=number,
        asked=state.entry,
        seat=seat,
        link=seated.link(at, seat, number),
        answer=msgspec.Raw(opened) if opened else NOTHING,
        commit=turn.commitment(at.id, number, seat, secret) if secret else "",
    )
    envelope = seal(seated.keys[seat], "move", body)
    return encode(MoveFile(envelope.body, envelope.sig, envelope.type, secret))


# --- a world ---------------------------------------------------------------------------------------------------------


class World:
    """One run of a game: its own arrangement of the sealed slots, coupled to a twin's where there is one."""

    def __init__(self, seated: Seated, swaps: Swaps = (), twin: "World | None" = None, blur: int = -1) -> None:
        self.seated, self.swaps, self.twin, self.blur = seated, swaps, twin, blur
        self.orders: dict[tuple[str, int], list[str]] = {}
        self.owner = ALL
        self.fallbacks: list[tuple[int, int, bytes]] = []
        self.rng = random.Random(str(swaps))
        at = seated.table()
        at.game = msgspec.structs.replace(at.game, fallback=self._fallback(at.game.fallback))
        with self.active():
            self.match = turn.new_match(seated.host, at)

    def _fallback(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def fallback(terms: Any, view: Any) -> Any:
            move = real(terms, view)
            self.fallbacks.append((self.match.state.round, view.seat, encode(move)))
            return move

        return fallback

    @contextmanager
    def active(self) -> Iterator[None]:
        """Within, slots are arranged as in this world."""
        real_arrange, real_seal = slots.arrange, dealer.Dealer.seal

        def arrange(secret: bytes, of: bytes, bag: str, generation: int, faces: Sequence[str]) -> list[str]:
            return self._arrange(bag, generation, faces, real_arrange(secret, of, bag, generation, faces))

        def seal_for(me: Any, bag: str, faces: Sequence[str], owner: int = -2) -> None:
            self.owner = owner
            real_seal(me, bag, faces, owner)

        with patch.object(slots, "arrange", arrange), patch.object(dealer.Dealer, "seal", seal_for):
            yield

    def _arrange(self, bag: str, generation: int, faces: Sequence[str], order: list[str]) -> list[str]:
        key = bag, generation
        if self.twin and key in self.twin.orders and len(self.twin.orders[key]) == len(faces):
            order = fitted(self.twin.orders[key], faces)
        for one, other in self.swaps:
            (bag_one, generation_one, i), (bag_other, _, j) = slots.parse_slot(one), slots.parse_slot(other)
            assert bag_one == bag_other
            if (bag_one, generation_one) == key:
                order[i], order[j] = order[j], order[i]
        if self.blur >= 0 and generation and self.owner != self.blur and len(order) > 1:
            i, j = self.rng.sample(range(len(order)), 2)
            order[i], order[j] = order[j], order[i]
        self.orders[key] = list(order)
        return order

    def faces(self) -> dict[str, str]:
        """The face of every slot that was ever sealed."""
        return {
            slots.slot_id(bag, generation, i): face
            for (bag, generation), order in self.orders.items()
            for i, face in enumerate(order)
        }

    def take(self, data: bytes) -> Judged:
        with self.active():
            return take_move(self.match, data)

    def miss(self, seat: int) -> None:
        with self.active():
            time_out(self.match, seat)

    def newest(self) -> Entry:
        return msgspec.json.decode(msgspec.json.decode(self.match.entries[-1], type=Envelope).body, type=Entry)


def fitted(order: Sequence[str], faces: Sequence[str]) -> list[str]:
    """`faces` laid out as in `order`, with as few places changed as possible."""
    left = sorted(faces)
    places: list[str | None] = []
    for face in order:
        places.append(face if face in left else None)
        if face in left:
            left.remove(face)
    return [left.pop(0) if face is None else face for face in places]


_open = dealer.Dealer.open


def comes_first(match: Match, slot: str, other: str) -> bool:
    """Of two equal tokens in one hand, is the one in `slot` opened before the one in `other`?

    The engine is asked, as it was when this module was loaded; that its order tells nothing is tested on its own.
    """
    hand, faces = {"hand": Bag(0, (slot, other))}, dict.fromkeys((slot, other), "face")
    asked = dealer.Dealer(match.secret, match.table.hash, hand, faces, 1, None)
    _open(asked, "hand", ["face"])
    return asked.bags["hand"].slots == (other,)


@contextmanager
def ideal(seated: Seated) -> Iterator[None]:
    """Commitments hide perfectly, if (and only if) they are made with their own secret salt."""
    at = seated.table()
    secret = lobby.host_secret(seated.host, bytes.fromhex(at.offer.nonce))

    def proper_full(game: bytes, number: int, salt: bytes, *_: object) -> bool:
        return game.hex() == at.id and salt == derive(secret, "full", game, number)

    def proper_slot(of: bytes, bag: str, generation: int, slot: int, salt: bytes, *_: object) -> bool:
        return of == at.hash and salt == slots.salt(slots.salts_key(secret, of, bag, generation), slot)

    def proper_sealed(game: bytes, number: int, seat: int, salt: bytes, *_: object) -> bool:
        return salt == derive(seated.keys[seat].seed, "salt", game, number)

    def hiding(real: Callable[..., bytes], label: str, proper: Callable[..., bool]) -> Callable[..., bytes]:
        def hashed(given: str, *parts: Any) -> bytes:
            return real(given, *(parts[:-1] if given == label and proper(*parts) else parts))

        return hashed

    with ExitStack() as stack:
        for module, label, proper in (
            (rounds, "full", proper_full),
            (slots, "slot", proper_slot),
            (turn, "sealed", proper_sealed),
        ):
            stack.enter_context(patch.object(module, "H", hiding(module.H, label, proper)))
        yield


# --- world A, recorded -----------------------------------------------------------------------------------------------


class Round(NamedTuple):
    """What the players sent in one round, in the order in which it came."""

    answers: tuple[tuple[int, Any, bytes], ...]
    """Seat, move (None: a bare link, or nothing) and its bytes (empty: the deadline was missed)."""


class Record:
    """World A played to its end, with the state after every round."""

    def __init__(self, seated: Seated, seed: str, *, late: float = 0.0, most: int = 400) -> None:
        self.seated = seated
        self.world = World(seated)
        self.rounds: list[Round] = []
        self.states = [self.world.match.state]
        self.pool: list[Any] = []
        """Moves of all kinds, legal once: good for finding illegal ones."""
        self._facts: dict[tuple[int, int, bool], dict[str, bytes]] = {}
        rng = random.Random(seed)
        match = self.world.match
        while not match.state.end and match.state.round < most:
            self.rounds.append(self._play(rng, late if match.state.round else 0.0))
            self.states.append(match.state)

    def _play(self, rng: random.Random, late: float) -> Round:
        match, game = self.world.match, self.world.match.table.game
        asked = list(who_is_asked(match.state))
        rng.shuffle(asked)
        before, answers = match.state, []
        for seat in asked:
            if rng.random() < late:
                answers.append((seat, None, b""))
                self.world.miss(seat)
                continue
            move = None
            if not before.witness:
                bot = game.bots["random" if rng.random() < 0.8 else "sensible"]
                move = bot(match.table.terms, seen(before.position, seat), rng.randrange)
                self.pool.append(move)
            data = sign(self.seated, match, seat, move)
            answers.append((seat, move, data))
            verdict = self.world.take(data)
            assert verdict.code == "taken", verdict.error
        assert match.state is not before
        return Round(tuple(answers))

    def entry(self, number: int) -> Entry:
        envelope = msgspec.json.decode(self.world.match.entries[number - 1], type=Envelope)
        return msgspec.json.decode(envelope.body, type=Entry)

    def at(self, number: int) -> Match:
        """The host's memory right after round `number`."""
        return snapshot(self.world.match, self.states[number], number)

    def facts(self, number: int, seat: int, *, deep: bool) -> dict[str, bytes]:
        key = number, seat, deep
        if key not in self._facts:
            self._facts[key] = facts(self.seated, self.at(number), seat, self.pool, deep=deep)
        return self._facts[key]


def snapshot(match: Match, state: Any, number: int) -> Match:
    copy = Match(match.table, match.key, state, match.marks)
    copy.entries = match.entries[:number]
    return copy


# --- what one player gets --------------------------------------------------------------------------------------------


GARBAGE = (b"{}", b'{"x":1}', b"[]", b'"\xc3\xa9"', b"0", b"null", b'{"do":"x","kind":"x"}')


def facts(seated: Seated, match: Match, seat: int, pool: Sequence[Any], *, deep: bool) -> dict[str, bytes]:
    """Everything that reaches this player between two rounds. `deep`: also what is shown, and what mistakes meet."""
    state, at = match.state, match.table
    view = make_view(match, seat)
    found = {
        "view": view,
        "private": encode(private_part(at, state, seat)),
        "known": encode(known_state(state, seat)),
    }
    if deep:
        found["show"] = render(open_view(view.rstrip(b"\n")), Painter(colour=True)).encode()
        found |= mistakes(seated, match, seat, pool)
    return found


def known_state(state: Any, seat: int) -> Any:
    """The part of the host's state that follows from what this seat may know."""
    position = state.position
    public = (position.public, position.own[seat], position.pending, position.result) if position else None
    held = [(one.seat, one.round, content(one.fields)) for one in state.held]
    same = (state.round, state.entry, state.acc, state.bags, state.missed, state.links, state.ask, state.witness)
    return same, state.silent, state.end, state.openings[seat], held, public


def mistakes(seated: Seated, match: Match, seat: int, pool: Sequence[Any]) -> dict[str, bytes]:
    """What this player is told about moves that are wrong, or perhaps not: verdict, texts, exit status, receipt."""
    rng = random.Random(match.state.round * 64 + seat)
    tries = [sign(seated, match, seat, move) for move in rng.sample(pool, min(4, len(pool)))]
    tries += [sign(seated, match, seat, fields=rng.choice(GARBAGE)), b"{}", tries[0][:-3] if tries else b""]
    found = {}
    for number, data in enumerate(tries):
        verdict = take_move(snapshot(match, match.state, match.state.round), data)
        found[f"verdict {number}"] = encode(told(verdict))
    return found


def told(verdict: Judged) -> Any:
    error = verdict.error
    words = (type(error).__name__, error.code, error.exit, error.message, error.next) if error else ()
    return verdict.code, verdict.seat, words, verdict.receipt


# --- the comparison --------------------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What comparing two worlds found."""

    pairs: int
    """Moments at which the worlds differed and everything the player got was compared."""
    differences: tuple[str, ...]
    """Empty, or what reached the player differently: the noun, the round, where."""
    stopped: str
    """Why the comparison ended."""


def compare(
    record: Record, seat: int, swaps: Swaps, *, other_move: tuple[int, int, Any] | None = None, every: int = 4
) -> Outcome:
    """Play world B beside A and compare what `seat` gets after every round, until something is lawfully shown.

    `other_move` = (round, seat, move): what that seat answers in B; its open fields are those of A.
    """
    a, seated = record.world, record.seated
    b = World(seated, swaps, twin=a, blur=seat)
    pairs = 0
    for number, played in enumerate(record.rounds, 1):
        for who, _, data in played.answers:
            if not data:
                b.miss(who)
                continue
            if other_move is not None and other_move[:2] == (number, who):
                data = sign(seated, b.match, who, other_move[2])
            verdict = b.take(data)
            if verdict.code == "taken":
                continue
            if who != seat and verdict.code == "illegal":
                return Outcome(pairs, (), "in the other world that move would have been illegal")
            return Outcome(pairs, (f"round {number}: own move {verdict.code}",), "difference")
        if b.match.state.round != number:
            return Outcome(pairs, (f"round {number}: it did not close",), "difference")
        shown = lawfully_shown(record, b, number, seat, other_move)
        if shown:
            return Outcome(pairs, (), shown)
        if not really_differ(record.states[number], b.match.state):
            continue
        pairs += 1
        deep = (number + seat) % every == 0
        got = facts(seated, snapshot(b.match, b.match.state, number), seat, record.pool, deep=deep)
        expected = record.facts(number, seat, deep=deep)
        wrong = tuple(_where(number, name, expected[name], got[name]) for name in got if got[name] != expected[name])
        if wrong:
            return Outcome(pairs, wrong, "difference")
    return Outcome(pairs, (), "the end")


def really_differ(a: Any, b: Any) -> bool:
    return a.faces != b.faces or encode(a.position) != encode(b.position)


def lawfully_shown(
    record: Record, b: World, number: int, seat: int, other_move: tuple[int, int, Any] | None = None
) -> str:
    """Why, from this round on, this player may know that the worlds differ; empty if there is no reason."""
    a = record.world
    in_a, in_b = a.faces(), b.faces()
    differ = {slot for slot in in_b if in_a[slot] != in_b[slot]}
    mine = [one for one in a.fallbacks if one[0] == number - 1 and one[1] != seat]
    if mine != [one for one in b.fallbacks if one[0] == number - 1 and one[1] != seat]:
        return "a missed deadline played another move"
    for op in record.entry(number).ops:
        if isinstance(op, Take) and op.to in (ALL, seat) and differ & {token.slot for token in op.tokens}:
            return "a slot that differs was drawn"
        if isinstance(op, Seal) and op.owner == seat:
            names = {slots.slot_id(op.bag, op.generation, i) for i in range(len(op.leaves))}
            if differ & names:
                return "a hand that differs was sealed for the player"
        if isinstance(op, Show) and other_move is not None and other_move[:2] == (op.round, op.seat):
            return "the sealed answer that differs was shown"
        if isinstance(op, Open):
            for token in op.tokens:
                if token.slot in differ:
                    return "a slot that differs was opened"
                if token.leafless:
                    continue
                held = {slot for state in record.states[number - 1 : number + 1] for slot in hold(state, op.bag)}
                rivals = (slot for slot in differ & held if in_b[slot] == token.face)
                if any(comes_first(a.match, slot, token.slot) for slot in rivals):
                    return "in the other world another slot comes first"
    return ""


def hold(state: Any, bag: str) -> tuple[str, ...]:
    """The slots in a container."""
    return state.bags[bag].slots if bag in state.bags else ()


def _where(number: int, name: str, a: bytes, b: bytes) -> str:
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    near = slice(max(at - 60, 0), at + 40)
    return f"round {number}: {name} at byte {at} of {len(a)}/{len(b)}: {a[near]!r} / {b[near]!r}"


# --- which worlds to compare -----------------------------------------------------------------------------------------


def unknown_slots(record: Record, seat: int, number: int) -> list[str]:
    """First-generation slots of which neither everybody nor this seat was lawfully told by the end of this round."""
    told_of: set[str] = set()
    for entry in map(record.entry, range(1, number + 1)):
        for op in entry.ops:
            if isinstance(op, Open) or (isinstance(op, Take) and op.to in (ALL, seat)):
                told_of |= {token.slot for token in op.tokens}
    return [slot for slot in record.world.faces() if slots.parse_slot(slot)[1] == 0 and slot not in told_of]


def dealt_to_others(record: Record, seat: int) -> set[str]:
    """Slots that went face down to somebody else, or to nobody."""
    ops = [op for number in range(1, len(record.rounds) + 1) for op in record.entry(number).ops]
    return {token.slot for op in ops if isinstance(op, Take) and op.to not in (ALL, seat) for token in op.tokens}


def choose_swaps(record: Record, seat: int, number: int, rng: random.Random, most: int) -> Swaps:
    """Up to `most` exchanges among slots that the seat does not know by round `number`, most of them with a hand."""
    slots_left = unknown_slots(record, seat, number)
    face, others = record.world.faces(), dealt_to_others(record, seat)
    chosen: list[tuple[str, str]] = []
    for _ in range(most * 3):
        hands = [slot for slot in slots_left if slot in others]
        pool = hands if hands and rng.random() < 0.8 else slots_left
        if len(chosen) == most or not pool:
            break
        one = rng.choice(pool)
        bag = slots.parse_slot(one)[0]
        fitting = [s for s in slots_left if slots.parse_slot(s)[0] == bag and face[s] != face[one]]
        if not fitting:
            continue
        held = [slot for slot in fitting if slot in others]
        other = rng.choice(held if held and rng.random() < 0.5 else fitting)
        chosen.append((one, other))
        slots_left = [slot for slot in slots_left if slot not in (one, other)]
    return chosen


def compare_many(record: Record, seed: str, worlds: int, *, every: int = 4) -> tuple[int, list[str], dict[str, int]]:
    """Compare this many worlds with the recorded one, up to the first difference.

    Returns the pairs, the differences, and why the comparisons ended.
    """
    rng = random.Random(seed)
    pairs, wrong, ends = 0, [], {}
    for number in range(worlds):
        seat = number % len(record.seated.keys)
        target = rng.randrange(1, len(record.rounds) + 1)
        swaps = choose_swaps(record, seat, target, rng, rng.choice((1, 1, 1, 2, 5, 20)))
        if not swaps:
            continue
        found = compare(record, seat, swaps, every=every)
        pairs += found.pairs
        ends[found.stopped] = ends.get(found.stopped, 0) + 1
        if found.differences:
            wrong += [f"seat {seat}, {swaps}: {one}" for one in found.differences]
            break
    return pairs, wrong, ends
