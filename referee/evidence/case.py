"""One game in dispute: follow its chain once, with everything that is known, and report every contradiction."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.engine.chain import Followed, check_moves, open_table, two_entries, two_geneses
from referee.engine.promises import extension_violation
from referee.engine.rounds import Checkpoint, first_checkpoint
from referee.engine.seats import inherited_answers
from referee.engine.table import Table
from referee.errors import Altered, CheckFailed, RefereeError
from referee.evidence import proofs as p
from referee.evidence import prove
from referee.evidence.compare import rivals
from referee.evidence.court import (
    NOT_OF_THE_MOVE,
    against_each_other,
    against_entry,
    judge_proof,
    missing,
    moves_of,
    refused_legal,
    signed_move,
    verdict,
)
from referee.evidence.lateness import Lateness, count_lateness
from referee.evidence.pool import Case, Pool, PoolFinding
from referee.evidence.replay import check_transcript, player_in
from referee.evidence.witness import Knowledge, Witness, play
from referee.language import Text, t


class Point(NamedTuple):
    """A checkpoint of the game, the entry that led to it, and what is known there."""

    checkpoint: Checkpoint
    entry: Envelope | None
    known: Knowledge


class Trial:
    """Goes through a case; what it shows is in `shown`, what is not decided yet in `notes`."""

    def __init__(self, case: Case) -> None:
        self.case, self.table = case, case.table
        self.shown: list[PoolFinding] = []
        self.notes: list[Text] = []
        self.points: dict[str, Point] = {}
        """Id of an entry (first: of the game) -> the checkpoint after it."""
        self.owed: dict[str, set[int]] = {}
        """Id of an entry -> seats that were told something in it."""

    def run(self) -> None:
        self._two_entries()
        if self._open():
            for number in sorted(self.case.entries):
                self._round(number)
            self._look_at_files()
        self._receipts()
        self._promises()
        self._refusals()
        for name, transcript in self.case.transcripts:
            self._secrets(name, transcript)
        self.shown = [*_distinct((*self.case.shown, *self.shown))]

    def show(self, error: RefereeError, proof: p.AnyProof | None = None, files: Sequence[str] = ()) -> None:
        """Report what was found; if there is a proof, with the verdict that it gives on its own."""
        found = judge_proof(proof) if proof is not None else verdict(error, self.table)
        self.shown.append(PoolFinding(found, tuple(files), proof))

    @property
    def last(self) -> int:
        """The newest round that can be judged."""
        return max((point.checkpoint.state.round for point in self.points.values()), default=0)

    @property
    def lateness(self) -> Lateness:
        """Late rounds and protests of the chain that was followed furthest."""
        head = max(self.points, key=lambda one: self.points[one].checkpoint.state.round, default="")
        table = self.table.seated(self.points[head].checkpoint.state.holders) if head else self.table
        entries: list[r.Entry] = []
        while head in self.points and (number := self.points[head].checkpoint.state.round):
            entries.insert(0, self.case.entries[number][head][0])
            head = entries[0].prev
        moves = [envelope for copies in self.case.moves.values() for _, envelope in copies.values()]
        return count_lateness(table, entries, moves)

    # The chain ------------------------------------------------------------------------------------------------------

    def _open(self) -> bool:
        try:
            table = open_table(self.table.envelope)
        except RefereeError as error:
            bad = isinstance(error, CheckFailed)
            self.show(error, p.BadGenesis(p.PROOF_FILE, self.table.envelope) if bad else None)
            return False
        self._chain = Followed(table)
        kept = Knowledge({}, dict(self.case.sealed), dict(self.case.ephemerals))
        self.points[table.id] = Point(first_checkpoint(table), None, kept)
        return True

    def _two_entries(self) -> None:
        for number, found in sorted(self.case.entries.items()):
            if len(found) > 1:
                pair = tuple(envelope for _, (_, envelope) in sorted(found.items()))[:2]
                self.show(two_entries(number), p.TwoEntries(p.PROOF_FILE, self.table.envelope, pair))
                return

    def _round(self, number: int) -> None:
        found = self.case.entries[number]
        heads = [entry.prev for entry, _ in found.values()]
        for name, (entry, envelope) in sorted(found.items()):
            point = self.points.get(entry.prev)
            if point is None:
                self._without_parent(entry, envelope)
                continue
            known = point.known
            if heads.count(entry.prev) > 1:
                known = replace(known, tokens=dict(known.tokens))
            self._entry(name, entry, envelope, point, known)

    def _without_parent(self, entry: r.Entry, envelope: Envelope) -> None:
        before = self.case.entries.get(entry.round - 1, {})
        if not before and entry.round > 1:
            if entry.round - 1 not in self.case.entries and self.last == entry.round - 2:
                self.show(missing(t("a view with the entry of round {round}", round=entry.round - 1), entry.round))
        elif entry.prev not in before:
            error = CheckFailed("broken-chain", t("the host signed an entry that follows a different one"), entry.round)
            other = next((one for _, one in before.values()), None)
            self.show(error, p.BadRound(p.PROOF_FILE, self.table.envelope, other, entry=envelope))

    def _entry(self, name: str, entry: r.Entry, envelope: Envelope, point: Point, known: Knowledge) -> None:
        """Play a round; where something that only its owner can see is false, go on by what is public."""
        parts = self._private_parts(name, entry.round, envelope)
        chain = self._chain
        chain.go_to(point.checkpoint)
        try:
            check_moves(chain.table, entry)
            try:
                closed = play(chain, entry, name, known, {part.seat: part for part, _ in parts})
            except CheckFailed as error:
                self._accuse(error, envelope, point, known, [one for _, one in parts])
                closed = play(chain, entry, name, Knowledge())
                known, parts = Knowledge(), []
        except RefereeError as error:
            if not isinstance(error, CheckFailed):
                self.show(error)
            elif not any((one.verdict.code, one.verdict.round) == (error.code, entry.round) for one in self.shown):
                self._accuse(error, envelope, point, Knowledge(), [])
            return
        for part, _ in parts:
            known.tokens.update((token.slot, token) for token in part.openings)
        owed = closed.calls.owed if isinstance(closed.calls, Witness) else set()
        self.owed[name] = owed | {
            seat for seat in range(self.table.seats) if inherited_answers(closed.checkpoint.state, seat)
        }
        self.points[name] = Point(closed.checkpoint, envelope, known)

    def _accuse(
        self, error: CheckFailed, envelope: Envelope, point: Point, known: Knowledge, parts: list[Envelope]
    ) -> None:
        proof = prove.bad_round(self.table, point.entry, point.checkpoint, envelope, known, parts)
        self.show(error if proof is not None else missing(t("a file that shows it by itself"), error.step), proof)

    def _private_parts(self, name: str, number: int, entry: Envelope) -> list[tuple[r.Private, Envelope]]:
        """The private parts of an entry, one a seat. One that names no entry that is known is false."""
        found: dict[int, tuple[r.Private, Envelope]] = {}
        for part, envelope in self.case.privates.get(number, {}).values():
            if part.entry == name:
                found.setdefault(part.seat, (part, envelope))
            elif part.entry not in self.case.entries[number]:
                error = CheckFailed(
                    "false-private", t("the host told a player something about a different entry"), number
                )
                proof = p.BadRound(p.PROOF_FILE, self.table.envelope, entry=entry, privates=(envelope,))
                self.show(error, proof)
        return list(found.values())

    def _look_at_files(self) -> None:
        """What no signature covers: positions in views, private parts that were removed."""
        for promise in self.case.told:
            point = self.points.get(promise.head)
            if point is None or promise.seat < 0 or point.checkpoint.state.round != promise.rounds:
                continue
            if promise.public != point.checkpoint.state.public:
                error = Altered("mixed-view", t("the position in this view is not the one that the host signed"))
                self.show(error, None, [promise.file])
            gone = self._rounds_told(promise.head, promise.seat) - promise.privates
            if gone:
                number = min(gone)
                error = Altered(
                    "missing-private", t("what its player was told in this round is not in the view"), number
                )
                self.show(error, None, [promise.file])

    def _rounds_told(self, head: str, seat: int) -> set[int]:
        """The rounds up to an entry in which a seat was told something."""
        found = set()
        while (point := self.points[head]).entry is not None:
            number = point.checkpoint.state.round
            found |= {number} if seat in self.owed.get(head, ()) else set()
            head = self.case.entries[number][head][0].prev
        return found

    # Receipts -------------------------------------------------------------------------------------------------------

    def _receipts(self) -> None:
        """Receipts against each other and against the entries."""
        genesis = self.table.envelope
        receipts = sorted(self.case.receipts.values(), key=lambda one: (one[0].round, one[0].seat, one[0].move))
        for (one, envelope), (other, second) in rivals(receipts, lambda pair: pair[0]):
            error = against_each_other(one, other)
            if error is not None:
                self.show(error, p.Receipts(p.PROOF_FILE, genesis, (envelope, second)))
        for one, envelope in receipts:
            for entry, signed in self.case.entries.get(one.round, {}).values():
                error = against_entry(one, entry.timeouts, moves_of(entry))
                if error is not None:
                    self.show(error, p.Receipts(p.PROOF_FILE, genesis, (envelope,), signed))
            if one.code == "taken" and one.round not in self.case.entries:
                who = self._player(one.seat, one.round)
                note = t("the host accepted the answer of {who} in round {round}; a view of that round or a "
                         "later one shows whether it counts", who=who, round=one.round)  # fmt: skip
                self.notes.append(note)

    def _promises(self) -> None:
        """Extensions against the entries; of several for one seat and round the latest."""
        reported: set[tuple[int, int]] = set()
        for one, envelope in sorted(self.case.extensions.values(), key=lambda one: one[0].until, reverse=True):
            for entry, signed in self.case.entries.get(one.round, {}).values():
                error = extension_violation(self.table.offer, one, entry.due, entry.timeouts)
                if error is not None and (one.round, one.seat) not in reported:
                    reported.add((one.round, one.seat))
                    self.show(error, p.Extended(p.PROOF_FILE, self.table.envelope, envelope, signed))

    def _player(self, seat: int, number: int) -> Text:
        """Who held a seat in a round, as far as the chain that was followed last tells."""
        return player_in(self._chain.table.at(number), seat)

    def _refusals(self) -> None:
        for receipt, envelope in self.case.receipts.values():
            if receipt.code in NOT_OF_THE_MOVE:
                continue
            try:
                self._refusal(receipt, envelope)
            except Altered as error:
                who = self._player(receipt.seat, receipt.round)
                note = t("round {round}, {who}: {message}", round=receipt.round, who=who, message=error.message)
                self.notes.append(note)
            except RefereeError as error:
                self.show(error)

    def _refusal(self, receipt: r.Receipt, envelope: Envelope) -> None:
        number, seat = receipt.round, receipt.seat
        if receipt.move not in self.case.moves:
            what = t("the move of {who} that was refused in round {number} ({code})",
                     who=self._player(seat, number), number=number, code=receipt.code)  # fmt: skip
            raise missing(what, number)
        copies = self.case.moves[receipt.move].values()
        move = next(iter(copies))[0]
        if (move.round, move.seat) != (number, seat):
            return
        point = self.points.get(move.asked)
        if point is None or point.checkpoint.state.round + 1 != number:
            raise missing(t("a view with the entry of round {number} that the move answers", number=number - 1), number)
        table = self._chain.table.seated(point.checkpoint.state.holders)
        signed = _signed_one(table, [one for _, one in copies], move)
        try:
            refused_legal(table, point.checkpoint, move, receipt, point.known)
        except CheckFailed as error:
            self.show(error, prove.refusal(self.table, point.entry, point.checkpoint, signed, envelope, point.known))

    # After the end --------------------------------------------------------------------------------------------------

    def _secrets(self, name: str, transcript: r.Transcript) -> None:
        """What only M shows; an offence that the public chain already showed is not reported again."""
        codes = {(one.verdict.code, one.verdict.round) for one in self.shown}
        try:
            check_transcript(transcript)
        except CheckFailed as error:
            if (error.code, error.step) not in codes:
                self.show(error, prove.revealed(transcript, error.step), [name])
        except RefereeError as error:
            self.show(error, None, [name])


def _signed_one(table: Table, copies: Sequence[Envelope], move: r.Move) -> Envelope:
    """The copy of a move that its player signed; forged copies beside it do not hide it."""
    *others, last = copies
    for one in others:
        with suppress(Altered):
            signed_move(table, one, move)
            return one
    signed_move(table, last, move)
    return last


def _distinct(shown: Sequence[PoolFinding]) -> Iterator[PoolFinding]:
    """Each offence once; what is wrong with files, for every file."""
    seen = set()
    for one in shown:
        found = one.verdict
        place = (found.verdict, found.code, found.round, found.message, () if found.key else one.files)
        if place not in seen:
            seen.add(place)
            yield one


def try_all(pool: Pool) -> tuple[list[Trial], list[PoolFinding]]:
    """Every game that the files are about, and what they show beyond one game."""
    pool.sort()
    trials = [Trial(case) for case in pool.cases.values()]
    for trial in trials:
        trial.run()
    return trials, [*pool.shown, *_two_geneses(pool)]


def _two_geneses(pool: Pool) -> Iterator[PoolFinding]:
    offers: dict[str, list[Case]] = {}
    for case in pool.cases.values():
        offers.setdefault(case.table.offer_id, []).append(case)
    for one, *others in offers.values():
        for other in others[:1]:
            proof = p.TwoGeneses(p.PROOF_FILE, one.table.envelope, other.table.envelope)
            yield PoolFinding(verdict(two_geneses(), one.table), (*one.files[:1], *other.files[:1]), proof)
