"""A reader that knows some of the hidden tokens, of any seats: what it does not know accuses nobody."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from referee.engine import records as r
from referee.engine.book import Fault
from referee.engine.chain import Followed, inherited_secrets
from referee.engine.draws import Source
from referee.engine.reader import Reader
from referee.engine.rounds import Closed
from referee.errors import CheckFailed
from referee.language import Text, t


class Knowledge(msgspec.Struct, frozen=True):
    """What is known beside the public chain."""

    tokens: dict[str, r.Token] = {}
    """Slot -> token, each checked by its leaf."""
    sealed: dict[tuple[int, int], r.Secrets] = {}
    """Round and seat -> sealed fields of that answer."""
    ephemerals: dict[tuple[int, int], str] = {}
    """Round and seat -> the private key with which its player encrypted them."""


class Witness(Reader):
    """`openings` has those that seats got in this entry; other seats may have been told anything."""

    def __init__(self, source: Source, given: Sequence[r.Op], known: Knowledge, openings: Mapping[int, list[r.Token]]):
        super().__init__(source, given)
        self.known, self._told = known, dict(openings)
        self.owed: set[int] = set()
        """Seats that were to be told something."""
        self._known_faces = {slot: token.face for slot, token in known.tokens.items()}

    @property
    def _faces(self) -> dict[str, str]:
        return self._known_faces

    def _tell(self, seat: int, news: Sequence[str]) -> None:
        if news:
            self.owed.add(seat)
        super()._tell(seat, news)

    def _untold(self, seat: int) -> Text:
        return t("seat {seat} was not told which hidden tokens it got", seat=seat + 1)

    def _resealed(self, bag: str, old: Sequence[str], new: Sequence[str]) -> None:
        before = [self._opens.get(slot) or self._known_faces.get(slot) for slot in old]
        after = [self._known_faces.get(slot) for slot in new]
        if None not in before and None not in after and Counter(before) != Counter(after):
            raise Fault("false-hand", t("{bag} does not hold the same tokens after it was resealed", bag=bag))

    def _sealed(self, round: int, seat: int) -> r.Secrets:
        return self.known.sealed.get((round, seat), {})

    def _lying(self) -> Iterable[str]:
        lie = {slot: face for slot, face in self._known_faces.items() if slot in self.book.leaves} | self.book.faces
        return lie.values()


def play(
    chain: Followed, entry: r.Entry, name: str, known: Knowledge, privates: Mapping[int, r.Private] = {}
) -> Closed:
    """Replay a round with all that is known, and with what seats were told in it (`privates`); raises the host's
    offence."""
    openings = {seat: list(part.openings) for seat, part in privates.items()}
    closed = chain.play(entry, name, lambda source: Witness(source, entry.ops, known, openings))
    if any(openings.values()):
        raise CheckFailed("missing-opening", t("somebody was told about tokens that nobody got"), entry.round)
    for seat, part in privates.items():
        known.sealed.update(
            {(number, seat): fields for number, fields in inherited_secrets(closed, seat, part).items()}
        )
    return closed
