"""What a player gets, part by part, and the two searches: other faces (chips, piles), other sealed interventions.

Games are those of `tests/noninterference`: whole signed games, with ideal commitments. Which openings are lawful, and
who may intervene, is decided here from RULES.md ("What is hidden", LO-16), and never by asking the rules in code.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import msgspec

from referee.crypto import slots
from referee.crypto.codec import encode
from referee.crypto.envelope import Envelope
from referee.engine.player import open_view
from referee.engine.records import Entry, Private, Show, Take, View, content
from referee.engine.rounds import who_is_asked
from referee.engine.turn import Match, take_move, time_out
from referee.errors import RefereeError
from referee.game import ask_of
from referee.games.weg_zum_erfolg.types import Intervene, Place, Public, Solve, SwapChip
from referee.show.terminal import Painter, as_data, render, render_choices
from tests.noninterference import worlds
from tests.noninterference.worlds import GARBAGE, Record, Seated, Swaps, World, sign, snapshot, told

GAME = "weg-zum-erfolg"
Facts = dict[str, bytes]
Done = frozenset[tuple[int, str]]
"""Who has answered, and who has missed the deadline, in the round of interventions."""


# --- what one player gets --------------------------------------------------------------------------------------------

WHOLE = {"view", "known", "show", "data", "receipts"}
"""Whole documents. They hold the other parts, or their hashes, and are blamed only if no part differs."""


def facts(seated: Seated, match: Match, seat: int, pool: Sequence[Any], *, deep: bool) -> Facts:
    """Everything that reaches this player now; `deep`: also the picture, and what right and wrong moves would meet."""
    data = worlds.make_view(match, seat)
    view = msgspec.json.decode(data, type=View)
    private = msgspec.json.decode(view.private.body, type=Private)
    entry = entry_of(view.entries[-1]) if view.entries else None
    found = {
        "view": data,
        "known": encode(worlds.known_state(match.state, seat)),
        "public": content(view.public),
        "own": content(private.own),
        "openings": encode(private.openings),
        "legal": content(private.legal),
        "asked": encode((private.ask, entry and (entry.ask, entry.out, entry.witness, entry.timeouts, entry.end))),
        "log": encode(entry and entry.log),
        "draws": encode(entry and entry.ops),
        "answers": encode(entry and entry.answers),
    }
    if deep:
        found["show"], found["data"] = picture(data)
        verdicts = [told(take_move(copied(match), one)) for one in tries(seated, match, seat, pool)]
        found["errors"] = encode([verdict[:-1] for verdict in verdicts])
        found["receipts"] = encode([verdict[-1] for verdict in verdicts])
    return found


def entry_of(data: bytes | msgspec.Raw) -> Entry:
    return msgspec.json.decode(msgspec.json.decode(data, type=Envelope).body, type=Entry)


def older_parts(a: bytes, b: bytes) -> set[str]:
    """The parts in which any entries of two views differ."""
    one, other = ([entry_of(data) for data in msgspec.json.decode(view, type=View).entries] for view in (a, b))
    parts = {"log": "log", "draws": "ops", "answers": "answers"}
    return {
        name
        for name, field in parts.items()
        if encode([getattr(entry, field) for entry in one]) != encode([getattr(entry, field) for entry in other])
    }


@lru_cache(maxsize=64)
def picture(view: bytes) -> tuple[bytes, bytes]:
    """What `show` and `moves` print. They have nothing but the view, so that one picture of each view is enough."""
    try:
        opened = open_view(view.rstrip(b"\n"))
        return f"{render(opened, Painter(colour=True))}\n{render_choices(opened)}".encode(), encode(as_data(opened))
    except RefereeError as error:
        return error.message.encode(), b""


def copied(match: Match) -> Match:
    """The host's memory once more, with the answers that wait."""
    twin = snapshot(match, match.state, match.state.round)
    twin.waiting, twin.late = dict(match.waiting), set(match.late)
    return twin


def tries(seated: Seated, match: Match, seat: int, pool: Sequence[Any]) -> Iterator[bytes]:
    """Moves of this player: some that were legal once, cards it has or has not, chips that are not there, nonsense."""
    rng = random.Random(match.state.round * 64 + seat)
    moves = [*rng.sample(pool, min(2, len(pool))), SwapChip(rng.randrange(12)), Place(rng.randrange(12))]
    ask = ask_of(match.state.ask, seat)
    if ask is not None and ask.what == "intervene":
        hand = match.state.position.public.players[seat].hand
        moves = [Intervene(), Intervene(hand[0], standing=False), Intervene(99), Intervene(1), Solve("1+1"), Place(1)]
    yield from (sign(seated, match, seat, move) for move in moves)
    yield sign(seated, match, seat, fields=rng.choice(GARBAGE))
    yield b"{}"


class Found:
    """What a search compared, by kind of moment, and in which parts something differed: then it has ended."""

    def __init__(self) -> None:
        self.moments: Counter[str] = Counter()
        self.among: Counter[str] = Counter()
        """How many of these moments are of a special kind."""
        self.ends: Counter[str] = Counter()
        self.wrong: set[str] = set()
        self.where = ""

    def compare(self, kind: str, where: str, a: Facts, b: Facts) -> bool:
        """Count this moment; True if everything is the same to the byte."""
        assert a.keys() == b.keys()
        self.moments[kind] += 1
        names = {name for name in a if a[name] != b[name]}
        if names:
            self.blame(names - WHOLE or older_parts(a["view"], b["view"]) or names, f"{where}: {sorted(names)}")
        return not names

    def blame(self, names: set[str], where: str) -> None:
        self.wrong, self.where = self.wrong or names, self.where or where


# --- other faces -----------------------------------------------------------------------------------------------------


def lawful(record: Record, number: int, seat: int) -> Iterator[str]:
    """The slots whose faces this seat may know from this round on.

    Cards that are drawn; the chip that the seat is dealt; and a chip that is scored, so that one more piece is home.
    """
    before, after = (record.states[n].position for n in (number - 1, number))
    home = after.public.home - (before.public.home if before else 0)
    for op in record.entry(number).ops:
        if not isinstance(op, Take):
            continue
        drawn = op.bag in ("chance", "success")
        dealt = (op.bag, op.into) == ("chips", f"chip/{seat}")
        scored = op.bag.startswith("goal/") and home > 0
        home -= scored
        if drawn or dealt or scored:
            yield from (token.slot for token in op.tokens)


def face_down(state: Any, bags: Sequence[str]) -> dict[str, str]:
    """Slots of these bags that nobody has turned up yet, wherever they lie now, and their faces."""
    names = {slot: slots.parse_slot(slot)[0] for slot in state.faces if not slots.is_open(slot)}
    return {slot: state.faces[slot] for slot, bag in names.items() if bag in bags}


def choose(record: Record, seat: int, number: int, bags: Sequence[str], rng: random.Random) -> Swaps:
    """Some slots of one bag that this seat may not know by round `number` change places, each with the next one.

    Chips that others were dealt come first.
    """
    known = {slot for at in range(1, number + 1) for slot in lawful(record, at, seat)}
    faces, bag = record.world.faces(), rng.choice(bags)
    free = [slot for slot in faces if slot not in known and slots.parse_slot(slot)[0] == bag]
    dealt = [token.slot for op in record.entry(1).ops if isinstance(op, Take) and op.to >= 0 for token in op.tokens]
    ring = rng.sample(free, len(free))
    ring = sorted(ring, key=lambda slot: slot not in dealt)[: rng.choice((2, 2, 3, 9))]
    return [pair for pair in pairwise(ring) if faces[pair[0]] != faces[pair[1]]]


def other_faces(found: Found, record: Record, seat: int, swaps: Swaps, bags: Sequence[str], every: int) -> None:
    """Play world B beside A and compare what `seat` gets after every round, until it may know that they differ.

    Compared are the moments at which other faces lie face down in B than in A. All the seat was ever told is the same.
    """
    a, seated = record.world, record.seated
    b = World(seated, swaps, twin=a)
    differ = {slot for slot, face in b.faces().items() if a.faces()[slot] != face}
    assert differ
    for number, played in enumerate(record.rounds, 1):
        where = f"round {number}, seat {seat}, {swaps}"
        codes = [b.take(data).code if data else b.miss(who) for who, _, data in played.answers]
        if set(codes) - {"taken", None} or b.match.state.round != number:
            return found.blame({"errors"}, f"{where}: {codes}")
        if differ & set(lawful(record, number, seat)):
            found.ends["shown"] += 1
            return None
        state, other = record.states[number], b.match.state
        if face_down(state, bags) == face_down(other, bags):
            continue
        deep = (number + seat) % every == 0
        match = snapshot(b.match, other, number)
        expected = facts(seated, record.at(number), seat, record.pool, deep=deep)
        if not found.compare(kind_of(state), where, expected, facts(seated, match, seat, record.pool, deep=deep)):
            return None
        found.among["deep"] += deep
        found.among["moved"] += any(chip and chip.value is None and chip.slot != goal for goal, chip in chips(state))
        assert not differ & {token.slot for token in other.openings[seat]}
    found.ends["the end"] += 1
    return None


def chips(state: Any) -> Iterator[tuple[int, Any]]:
    return enumerate(state.position.public.chips)


def kind_of(state: Any) -> str:
    """What is decided now."""
    return "witness" if state.witness else state.ask[0].what if state.ask else "over"


# --- sealed interventions --------------------------------------------------------------------------------------------


def may_intervene(public: Public) -> list[int]:
    """LO-16: every other player who has cards and does not decline always."""
    players = enumerate(public.players)
    return [seat for seat, player in players if seat != public.turn and player.hand and not player.standing]


def rounds_of_interventions(record: Record, number: int, missed: int = 0) -> Iterator[int]:
    """Rounds after which so many players may intervene; so many of all have missed one deadline, nobody two running."""
    for at, state in enumerate(record.states):
        late = sorted(state.missed)[-missed - 1 :] == [0] + [1] * missed
        if late and kind_of(state) == "intervene" and len(may_intervene(state.position.public)) == number:
            yield at


def every_answer(hand: Sequence[int]) -> list[Intervene]:
    """Every card or none, with every word on being asked again."""
    return [Intervene(card, standing=standing) for standing in (None, True, False) for card in (None, *sorted({*hand}))]


class Sealed:
    """One open round of interventions: seat `who` answers in many ways, and the others answer, miss or wait.

    Every order is played, through the engine. What another player gets must follow from who has answered and who has
    missed the deadline, and from its own answer; whatever `who` has answered, and in whatever order.
    """

    def __init__(self, found: Found, record: Record, number: int, who: int) -> None:
        self.found, self.record, self.number, self.who = found, record, number, who
        public = record.states[number].position.public
        self.asked = may_intervene(public)
        self.usual = {seat: Intervene(public.players[seat].hand[0] if seat % 2 else None) for seat in self.asked}
        """What the others answer, if they do."""
        self.first: dict[tuple[Done, str, int, bool], tuple[Facts, bytes]] = {}
        """What a player got when the moment came for the first time, and what was under seal then."""
        self.endings: set[bytes] = set()
        """What everybody was shown at last."""
        self.not_shown: list[str] = []

    def play(self, moves: Sequence[Intervene], *, deep: bool, orders: int = 0) -> None:
        """All orders, or so many random ones, for each of these answers."""
        for move in moves:
            answers = {**self.usual, self.who: move}
            if not orders:
                self._all(self.record.at(self.number), frozenset(), answers, deep)
                continue
            for number in range(orders):
                self._some(random.Random(number), answers, deep)
        if self.not_shown:
            self.found.blame({"shown"}, self.not_shown[0])

    def _all(self, match: Match, done: Done, answers: dict[int, Intervene], deep: bool) -> None:
        for seat in self.asked:
            for event in ("answers",) if seat == self.who else ("answers", "misses"):
                if seat in dict(done) or self.found.wrong:
                    continue
                after, twin = done | {(seat, event)}, copied(match)
                if self._happens(twin, seat, event, answers) and self._look(twin, after, answers, deep):
                    self._all(twin, after, answers, deep)

    def _some(self, rng: random.Random, answers: dict[int, Intervene], deep: bool) -> None:
        match, done = self.record.at(self.number), frozenset[tuple[int, str]]()
        for seat in rng.sample(self.asked, len(self.asked)):
            event = "answers" if seat == self.who or rng.random() < 0.9 else "misses"
            done |= {(seat, event)}
            if self.found.wrong or not self._happens(match, seat, event, answers):
                return
            if not self._look(match, done, answers, deep):
                return

    def _happens(self, match: Match, seat: int, event: str, answers: dict[int, Intervene]) -> bool:
        """False if this seat is not asked at all: then the rules are broken, and another order will tell."""
        if seat not in who_is_asked(match.state) or kind_of(match.state) != "intervene":
            return False
        if event == "misses":
            time_out(match, seat)
            return True
        verdict = take_move(match, sign(self.record.seated, match, seat, answers[seat]))
        assert verdict.code == "taken", verdict.error
        return True

    def _look(self, match: Match, done: Done, answers: dict[int, Intervene], deep: bool) -> bool:
        """Compare, or see that all is shown; True while somebody may still answer."""
        left, given = len(self.asked) - len(done), [seat for seat, event in done if event == "answers"]
        if left:
            self._compare(match, done, "open", answers, deep)
        elif len(given) == len(self.asked):
            self._shown(match, given, answers)
        else:
            self._compare(match, done, "held", answers, deep)
            if deep and match.state.witness and not self.found.wrong:
                self._witnessed(match, done, given, answers)
        return bool(left)

    def _witnessed(self, match: Match, done: Done, given: Sequence[int], answers: dict[int, Intervene]) -> None:
        """Bare links come in; once more somebody is late; then all is shown."""
        seated, (first, *more) = self.record.seated, sorted(who_is_asked(match.state))
        assert take_move(match, sign(seated, match, first)).code == "taken"
        if more:
            self._compare(match, done, "one witness", answers, True)
            for seat in more[1:]:
                assert take_move(match, sign(seated, match, seat)).code == "taken"
            time_out(match, more[0])
            self._compare(match, done, "a late witness", answers, True)
            for seat in who_is_asked(match.state):
                assert take_move(match, sign(seated, match, seat)).code == "taken"
        self._shown(match, given, answers)

    def _compare(self, match: Match, done: Done, kind: str, answers: dict[int, Intervene], deep: bool) -> None:
        """What everybody else gets, against what they got when another answer lay there."""
        if self.who not in dict(done) or self.found.wrong:
            return
        secret = under_seal(match, self.who)
        for seat in range(len(self.record.seated.keys)):
            if seat == self.who:
                continue
            got = facts(self.record.seated, match, seat, self.record.pool, deep=deep)
            expected, other = self.first.setdefault((done, kind, seat, deep), (got, secret))
            where = f"round {self.number}, seat {seat}, {sorted(done)}, {kind}: {answers[self.who]} of {self.who}"
            name = "same answer, another order" if secret == other else f"{kind}, deep" if deep else kind
            if got is not expected and not self.found.compare(name, where, expected, got):
                return
            self.found.among["out"] += got is not expected and max(match.state.missed) > 1

    def _shown(self, match: Match, given: Sequence[int], answers: dict[int, Intervene]) -> None:
        """LO-16: one entry shows all answers together, to everybody, and nothing was shown before."""
        *before, last = [entry_of(data) for data in match.entries[self.number :]]
        expected = {seat: {"card": answers[seat].card, "standing": answers[seat].standing} for seat in sorted(given)}
        cards = [f"@{seat} intervenes with {fields['card']}" for seat, fields in expected.items() if fields["card"]]
        if interventions(last) != (expected, cards) or any(map(any, map(interventions, before))):
            self.not_shown.append(f"round {self.number}: {interventions(last)}, not {expected}")
        views = [worlds.make_view(match, seat) for seat in range(len(self.record.seated.keys))]
        newest = {bytes(msgspec.json.decode(view, type=View).entries[-1]) for view in views}
        assert len(newest) == 1, "everybody is shown the same"
        self.endings |= newest
        self.found.among["shown"] += 1


def interventions(entry: Entry) -> tuple[dict[int, Any], list[str]]:
    """What an entry tells of interventions: what it shows, in order of seats, and the lines about cards."""
    shown = {op.seat: msgspec.json.decode(op.fields) for op in entry.ops if isinstance(op, Show)}
    return shown, [line for line in entry.log if "intervenes with" in line]


def under_seal(match: Match, seat: int) -> bytes:
    """What this seat has answered, as the host's memory keeps it until it is shown."""
    files = [*match.state.held, match.waiting[seat]] if seat in match.waiting else match.state.held
    kept = (bytes(file.secret.fields) for file in files if file.secret and getattr(file, "seat", seat) == seat)
    return next(kept, b"")
