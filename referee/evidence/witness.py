"""A reader who knows some of the hidden tokens, of any seats: what it does not know accuses nobody."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from referee.crypto import slots
from referee.engine import records as r
from referee.engine.book import Fault
from referee.engine.chain import Followed, inherited
from referee.engine.draws import Calls, Source, commitment
from referee.engine.reader import Reader
from referee.engine.rounds import Closed
from referee.engine.table import Table
from referee.errors import CheckFailed, RulesFault
from referee.language import quoted, t


class Knowledge(msgspec.Struct):
    """What is known beside the public chain."""

    tokens: dict[str, r.Token] = {}
    """Slot -> token, each checked by its leaf."""
    sealed: dict[tuple[int, int], r.Secrets] = {}
    """Round and seat -> sealed fields of that answer."""
    ephemerals: dict[tuple[int, int], str] = {}
    """Round and seat -> the private key with which its player encrypted them."""


class Witness(Reader):
    """`told` has the openings that seats were told in this entry: seats that are not in it may have been told
    anything."""

    def __init__(self, source: Source, given: Sequence[r.Op], known: Knowledge, told: Mapping[int, list[r.Token]]):
        super().__init__(source, given)
        self.known, self._told = known, told
        self.owed: set[int] = set()
        """Seats that were to be told something."""
        self._known_faces = {slot: token.face for slot, token in known.tokens.items()}

    @property
    def _faces(self) -> dict[str, str]:
        return self._known_faces

    def _tell(self, seat: int, news: Sequence[str]) -> None:
        told = self._told.get(seat)
        if news:
            self.owed.add(seat)
        if told is None:
            return
        if [token.slot for token in told[: len(news)]] != list(news):
            raise Fault("missing-opening", t("seat {seat} was not told the hidden tokens that it got", seat=seat + 1))
        for token in told[: len(news)]:
            self._check_leaf(token)
            self._known_faces[token.slot] = token.face
        del told[: len(news)]

    def _resealed(self, bag: str, old: Sequence[str], new: Sequence[str]) -> None:
        before = [self._opens.get(slot) or self._known_faces.get(slot) for slot in old]
        after = [self._known_faces.get(slot) for slot in new]
        if None not in before and None not in after and Counter(before) != Counter(after):
            raise Fault("false-hand", t("{bag} holds other tokens after it was sealed anew than before", bag=bag))

    def _own_field(self, seat: int, field: str) -> bytes | None:
        held = self.played.get(seat)
        if held is None or field not in held.commit:
            raise RulesFault(t("seat {seat} has no such sealed field", seat=seat + 1))
        kept = self.known.sealed.get((held.round, seat), {}).get(field)
        if kept is None or commitment(self.game_id, held.round, seat, field, kept) != held.commit[field]:
            return None
        return bytes(kept.value)

    def finish(self) -> None:
        Calls.finish(self)
        if tuple(self.ops) != tuple(self._script):
            raise Fault("bad-ops", t("there are operations that the rules do not ask for"))
        lie = {slot: face for slot, face in self._known_faces.items() if slot in self.book.leaves} | self.book.faces
        for face, number in Counter(lie.values()).items():
            if number > self.book.inside.get(face, 0):
                raise Fault("minted", t("there are more tokens {face} than were ever put in", face=quoted(face[:40])))


def play(
    chain: Followed, entry: r.Entry, name: str, known: Knowledge, privates: Mapping[int, r.Private] = {}
) -> Closed:
    """Play a round again with all that is known, and with what seats were told in it (`privates`); raises the host's
    offence."""
    told = {seat: list(part.openings) for seat, part in privates.items()}
    closed = chain.play(entry, name, lambda source: Witness(source, entry.ops, known, told))
    if any(told.values()):
        raise CheckFailed("missing-opening", t("somebody was told tokens that nobody got"), entry.round)
    for seat, part in privates.items():
        known.sealed.update({(number, seat): fields for number, fields in inherited(closed, seat, part).items()})
    return closed


def fits(table: Table, book: r.BookRecord, token: r.Token) -> bool:
    """Whether a sealed slot that lies in a container holds this token."""
    if slots.is_open(token.slot) or not token.salt:
        return False
    leaf = slots.leaf(table.seating, *slots.parse_slot(token.slot), bytes.fromhex(token.salt), token.face)
    return book.leaves.get(token.slot) == leaf.hex()
