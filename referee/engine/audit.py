"""What anybody can check without a secret and without knowing the rules: PROTOCOL.md, section 8, step by step."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from referee.crypto import slots
from referee.crypto.codec import H, T, check_fields, decode, encode
from referee.crypto.draws import Stream
from referee.crypto.envelope import Envelope, check, expect, ident
from referee.crypto.links import LENGTH
from referee.engine.player import Opened, consult, open_view
from referee.engine.records import Die, Entry, Move, Open, Put, Seal, Secret, Show, Take, Token, asked, content
from referee.engine.rounds import accumulate, out_seats, seed_of
from referee.engine.table import Table
from referee.engine.turn import commitment
from referee.errors import BadSignature, CheckFailed, RefereeError
from referee.game import ALL, Ask


class Watch:
    """Follows the public chain: signatures, rounds, links, the accumulator; fails at the first bad step."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.round = 0
        self.prev = table.id
        self.acc = H("acc0", bytes.fromhex(table.id)).hex()
        self.seed = b""
        self.asked: dict[int, Ask | None] = dict.fromkeys(range(table.seats))
        self.bare = True
        self.sealed = False
        self.links = [(0, join.tip) for join in table.joins]
        self.host_link = (0, table.offer.tip)
        self.missed = [0] * table.seats
        self.silent: set[int] = set()
        self.ended = ""

    def fail(self, code: str, message: str, *, step: int | None = None) -> CheckFailed:
        step = self.round if step is None else step
        return CheckFailed(code, f"round {step}: {message}", step=step)

    def enter(self, data: bytes) -> Entry:
        """Check one entry's signatures and its place in the chain; afterwards `seed` is this round's."""
        number = self.round + 1
        if self.ended:
            raise self.fail("after-end", "the game goes on after its end", step=number)
        try:
            envelope = decode(data, Envelope, "entry")
            body = expect(envelope, "entry")
            check(self.table.host, envelope.sig, "entry", body)
            entry = decode(body, Entry, "entry")
        except RefereeError as error:
            raise self.fail("bad-entry", error.message, step=number) from None
        self.round = number
        if (entry.game, entry.round, entry.prev) != (self.table.id, number, self.prev):
            raise self.fail("broken-chain", "this entry does not follow the one before it")
        self._answers(entry)
        since, last = self.host_link
        if self.table.host_chain.back(number, bytes.fromhex(entry.link), since).hex() != last:
            raise self.fail("bad-host-link", "the host's link is not the next one of its chain")
        self.host_link = (number, entry.link)
        links = {answer.seat: answer.link for answer in entry.answers}
        acc = accumulate(self.table.id, number, self.acc, entry.link, links, self.table.seats)
        self.seed = seed_of(self.table.id, number, acc)
        self.acc = acc.hex()
        self.prev = ident("entry", body)
        self._next(entry, links)
        return entry

    def _answers(self, entry: Entry) -> None:
        given = [answer.seat for answer in entry.answers]
        late = list(entry.timeouts)
        if given != sorted(set(given)) or late != sorted(set(late)) or sorted(given + late) != sorted(self.asked):
            raise self.fail("bad-round", "the answers are not those of the seats that were asked")
        if late and self.round == 1:
            raise self.fail("bad-round", "the first round has no timeout")
        for answer in entry.answers:
            name = f"seat {answer.seat + 1}"
            move = Move(self.table.id, self.round, self.prev, answer.seat, answer.link, answer.answer, answer.commit)
            try:
                check(self.table.keys[answer.seat], answer.sig, "move", encode(move))
            except RefereeError:
                raise self.fail(
                    "bad-move", f"the move of {name} is not what that player signed for this round"
                ) from None
            since, last = self.links[answer.seat]
            if self.table.chains[answer.seat].back(self.round, bytes.fromhex(answer.link), since).hex() != last:
                raise self.fail("bad-link", f"the link of {name} is not the next one of its chain")
            self.links[answer.seat] = (self.round, answer.link)
            ask = self.asked[answer.seat]
            sealed = bool(ask and ask.sealed) and not self.bare
            fields = content(answer.answer)
            if bool(fields) == self.bare or bool(answer.commit) != sealed:
                raise self.fail("bad-round", f"the answer of {name} does not fit the question")
            if fields:
                self.check_form(fields, f"the answer of {name}")

    def check_form(self, data: bytes, what: str) -> None:
        try:
            check_fields(data, what)
        except RefereeError as error:
            raise self.fail("malformed", error.message) from None

    def _next(self, entry: Entry, links: dict[int, str]) -> None:
        for seat in self.asked:
            self.missed[seat] = 0 if seat in links else self.missed[seat] + 1
        out = out_seats(self.missed)
        if entry.out != out:
            raise self.fail("bad-round", "the list of seats that are out is wrong")
        silent = self.silent | set(entry.timeouts)
        others = tuple(s for s in range(self.table.seats) if s not in silent and s not in out)
        holding = bool(entry.timeouts) and (self.bare or self.sealed)
        if (entry.witness or holding) and (not entry.timeouts or entry.witness != others):
            raise self.fail("bad-round", "the list of witnesses is wrong")
        played = any(not isinstance(op, Die | Take) for op in entry.ops)  # draws are the ledger's to find
        if holding and (played or (not others and entry.end != "rests")):
            raise self.fail("bad-round", "what is held was played or dropped without its witnesses")
        seats = [ask.seat for ask in entry.ask]
        if len(set(seats)) != len(seats) or not set(seats) <= set(range(self.table.seats)):
            raise self.fail("bad-round", "somebody is asked twice, or does not sit at this table")
        self.silent = silent if entry.witness else set()
        self.asked = dict(asked(entry, out))
        self.bare = bool(entry.witness)
        self.sealed = any(ask.sealed for ask in entry.ask)
        self.ended = entry.end
        nobody = len(out) == self.table.seats or (bool(entry.timeouts) and not others)
        if not _end_is_due(entry, nobody_left=nobody) or not (self.asked or self.ended):
            raise self.fail("bad-round", "the end of the game is not stated as it should be")


def _end_is_due(entry: Entry, *, nobody_left: bool) -> bool:
    """An end is stated when it applies and not before."""
    if entry.end in ("", "result"):
        return (entry.result is not None) == bool(entry.end) and (bool(entry.end) or entry.round < LENGTH)
    due = nobody_left if entry.end == "rests" else entry.end == "void" and entry.round == LENGTH
    return due and entry.result is None


class Ledger:
    """Follows every bag by what is public of it, and checks every draw, opening and seal."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.slots: dict[str, list[str]] = {}
        self.tails: dict[str, list[str]] = {}
        self.puts: dict[str, int] = {}
        self.generations: dict[str, int] = {}
        self.leaves: dict[str, str] = {}
        self.faces: dict[str, str] = {}
        """Faces of slots that were filled openly."""
        self.told: list[list[str]] = [[] for _ in table.joins]
        """Per seat: the sealed slots whose faces it must have been told, in order."""
        self.commits: dict[tuple[int, int], str] = {}
        self.draws = self.opened = 0
        for bag, leaves in table.genesis.leaves.items():
            self._sealed(bag, 0, leaves)

    def _sealed(self, bag: str, generation: int, leaves: Sequence[str]) -> list[str]:
        names = [slots.slot_id(bag, generation, i) for i in range(len(leaves))]
        self.leaves.update(zip(names, leaves, strict=True))
        self.slots[bag], self.tails[bag], self.generations[bag] = names, [], generation
        return names

    def enter(self, watch: Watch, entry: Entry) -> None:
        """Check all operations of an entry with its seed."""
        for answer in entry.answers:
            if answer.commit:
                self.commits[entry.round, answer.seat] = answer.commit
        stream = None if entry.timeouts else Stream(watch.seed)
        for op in entry.ops:
            if isinstance(op, Show):
                watch.check_form(bytes(op.fields), "what is shown of a sealed answer")
            problem = self._step(op, stream)
            if problem:
                raise watch.fail(*problem)

    def _step(self, op: Any, stream: Stream | None) -> tuple[str, str] | None:
        if isinstance(op, Die | Take) and stream is None:
            return "draw-without-seed", "something was drawn in a round that was closed by a timeout"
        if isinstance(op, Die):
            self.draws += 1
            assert stream is not None
            if stream.below(op.sides) + 1 != op.value:
                return "bad-die", f"the die ({_plain(op.label)}) does not show what the seed says"
        elif isinstance(op, Take):
            assert stream is not None
            return self._take(op, stream)
        elif isinstance(op, Open):
            return self._open(op)
        elif isinstance(op, Put):
            self._put(op)
        elif isinstance(op, Seal):
            return self._seal(op)
        elif isinstance(op, Show):
            commit = self.commits.get((op.round, op.seat))
            if commit != commitment(self.table.id, op.round, op.seat, Secret(op.salt, op.fields)):
                return "bad-shown", f"what is shown of seat {op.seat + 1}'s sealed answer is not what it signed"
        return None

    def _take(self, op: Take, stream: Stream) -> tuple[str, str] | None:
        left, tail = self.slots.get(op.bag, []), self.tails.get(op.bag, [])
        if op.to >= len(self.told):
            return "bad-pick", "a token went to a seat that does not exist"
        for token in op.tokens:
            if not left and not tail:
                return "bad-pick", f"a token came out of {op.bag}, which is empty"
            self.draws += bool(left)
            slot = left.pop(stream.below(len(left))) if left else tail.pop(0)
            if slot != token.slot:
                return "bad-pick", f"slot {token.slot} was taken out of {op.bag}, but the seed picks {slot}"
            if op.to == ALL:
                problem = self.opening(token)
                if problem:
                    return problem
            elif token.face or token.salt:
                return "bad-opening", f"slot {slot} is shown to everybody, but is only for one player"
            elif op.to >= 0 and not token.leafless:
                self.told[op.to].append(slot)
        if op.into:
            self.slots.setdefault(op.into, []).extend(token.slot for token in op.tokens)
        return None

    def _open(self, op: Open) -> tuple[str, str] | None:
        held = self.slots.get(op.bag, [])
        for token in op.tokens:
            if token.slot not in held:
                return "bad-opening", f"slot {token.slot} is opened, but is not in {op.bag}"
            held.remove(token.slot)
            problem = self.opening(token)
            if problem:
                return problem
        return None

    def opening(self, token: Token) -> tuple[str, str] | None:
        """Whether a slot's face is the one committed to, or put in openly."""
        if token.leafless:
            fits = not token.salt and self.faces.get(token.slot) == token.face
        else:
            name = slots.parse_slot(token.slot)
            fits = (
                bool(token.salt)
                and self.leaves.get(token.slot)
                == slots.leaf(self.table.hash, *name, bytes.fromhex(token.salt), token.face).hex()
            )
        self.opened += 1
        return (
            None if fits else ("bad-opening", f"slot {token.slot} does not hold {_plain(token.face)}: its leaf differs")
        )

    def _put(self, op: Put) -> None:
        first = self.puts.get(op.bag, 0)
        names = [f"{op.bag}+{first + i}" for i in range(len(op.faces))]
        self.puts[op.bag] = first + len(names)
        self.faces.update(zip(names, op.faces, strict=True))
        (self.tails if op.under else self.slots).setdefault(op.bag, []).extend(names)

    def _seal(self, op: Seal) -> tuple[str, str] | None:
        if op.generation != self.generations.get(op.bag, -1) + 1 or op.owner >= len(self.told):
            return "bad-seal", f"{op.bag} was not sealed anew in order"
        names = self._sealed(op.bag, op.generation, op.leaves)
        if op.owner >= 0:
            self.told[op.owner].extend(names)
        return None


def _plain(text: str) -> str:
    return ascii(text[:40])[1:-1]


class Report(msgspec.Struct, frozen=True):
    """What was checked, and what cannot be proved yet."""

    game: str
    offer: str
    name: str
    rounds: int
    signatures: int
    links: int
    draws: int
    openings: int
    own_openings: int
    end: str
    unproved: tuple[str, ...]


def audit(data: bytes) -> Report:
    """Every check that one player's view allows, with nothing else."""
    opened = as_check(open_view, data)
    watch, ledger, signatures = follow(opened.table, opened.view.entries)
    own = check_private(opened, ledger, watch.round)
    return Report(
        game=opened.table.id,
        offer=opened.table.offer_id,
        name=opened.name,
        rounds=watch.round,
        signatures=signatures + 3 + opened.table.seats,
        links=signatures,
        draws=ledger.draws,
        openings=ledger.opened - own,
        own_openings=own,
        end=watch.ended,
        unproved=_unproved(opened, ledger),
    )


def as_check(opener: Callable[[bytes], T], data: bytes) -> T:
    """Open a document to be checked: a signature that does not hold is then a failed check."""
    try:
        return opener(data)
    except BadSignature as error:
        raise CheckFailed(error.code, error.message, step=0) from None


def follow(table: Table, entries: Sequence[msgspec.Raw]) -> tuple[Watch, Ledger, int]:
    """Run the public checks over all entries."""
    watch, ledger = Watch(table), Ledger(table)
    signatures = 0
    for data in entries:
        entry = watch.enter(bytes(data))
        ledger.enter(watch, entry)
        signatures += 1 + len(entry.answers)
    return watch, ledger, signatures


def check_private(opened: Opened, ledger: Ledger, step: int) -> int:
    """The private part against the transcript: exactly the openings this seat is owed, all true."""
    private = opened.private
    if [token.slot for token in private.openings] != ledger.told[opened.seat]:
        raise CheckFailed("missing-opening", f"round {step}: your hidden tokens are not the ones you drew", step=step)
    for token in private.openings:
        problem = ledger.opening(token)
        if problem:
            raise CheckFailed(problem[0], f"round {step}: {problem[1]}", step=step)
    _check_own(opened, ledger, step)
    last = opened.last
    wanted = asked(last, last.out).get(opened.seat) if last else Ask(opened.seat, "ack")
    if private.ask != wanted:
        raise CheckFailed("false-question", f"round {step}: the view asks you something else than the entry", step=step)
    legal = b""
    if last and private.ask and not last.witness:
        legal = encode(consult(opened, opened.table.game.legal))
    if legal != content(private.legal):
        raise CheckFailed("false-legal", f"round {step}: the view lists other moves than the rules allow", step=step)
    return len(private.openings)


def _check_own(opened: Opened, ledger: Ledger, step: int) -> None:
    """The own position agrees with the hidden tokens that this seat was told of."""
    if opened.last is None:
        return
    faces = ledger.faces | {token.slot: token.face for token in opened.private.openings}
    for bag, claimed in consult(opened, opened.table.game.holds).items():
        if sorted(claimed) != sorted(faces.get(slot, "") for slot in ledger.slots.get(bag, ())):
            raise CheckFailed(
                "false-own", f"round {step}: your own position does not fit the tokens you drew", step=step
            )


def _unproved(opened: Opened, ledger: Ledger) -> tuple[str, ...]:
    """In plain words, what only the revealed transcript can prove."""
    notes = []
    hidden = sum(not slots.is_open(slot) for held in ledger.slots.values() for slot in held)
    if hidden:
        notes.append(f"what lies in {hidden} slots that are still closed, and that every bag had the right content")
    if any(len(told) for seat, told in enumerate(ledger.told) if seat != opened.seat):
        notes.append("what the other players drew face down, beyond what was shown since")
    if opened.last is not None:
        notes.append("that the host applied the rules correctly where they depend on hidden things")
    return tuple(notes)
