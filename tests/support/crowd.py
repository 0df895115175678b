"""People who come to the seats of a game at random: those whom a player named, strangers, and players who were out."""

import random
from collections import Counter

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope, sign
from referee.engine import host
from referee.engine import records as r
from referee.engine.seats import late_seats, vacancies
from referee.errors import WrongTurn
from tests.support.match import Sitting, resigned


class Crowd:
    """Who could take over a seat of one game, and everything they signed."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.names: dict[str, str] = {}
        """Key -> name of everybody who was named."""
        self.sent: list[Envelope] = []
        self.figures: Counter[str] = Counter()

    def _name(self) -> str:
        return f"Guest {len(self.names) + len(self.sent)}"

    def handing(self, sitting: Sitting, seat: int, answer: bytes) -> bytes:
        """The same answer, in which its player names somebody, or no longer names anybody; unchanged in the first
        round."""
        if not sitting.round or not sitting.table.offer.takeovers:
            return answer
        name = self._name()
        key = sitting.players[seat] if self.rng.random() < 0.2 else sitting.newcomer(name)
        self.names[key.public.hex()] = name
        self.figures["handed over"] += 1
        return resigned(sitting, seat, decode(answer, r.MoveFile, "move"), handover=key.public.hex())

    def come(self, sitting: Sitting, often: float) -> None:
        """Some of them sign, and the host notes who can take a seat. Old ones are sent again, too."""
        match = sitting.match
        for seat in vacancies(match.state, match.checkpoint.head):
            if self.rng.random() < often:
                self._arrives(sitting, seat)
        if self.sent and self.rng.random() < often / 4:
            self._given(sitting, self.rng.choice(self.sent))

    def _arrives(self, sitting: Sitting, seat: int) -> None:
        match = sitting.match
        vacancy = vacancies(match.state, match.checkpoint.head)[seat]
        if seat in late_seats(match.state) and self.rng.random() < 0.4:
            body = r.Return(sitting.table.id, seat, vacancy.entry)
            self._given(sitting, sign(sitting.players[seat], "return", body))
            return
        try:
            name = self.names.get(vacancy.key) or self._name()
            self._given(sitting, sitting.succession(seat, name))
        except WrongTurn:
            self.figures["could not sign"] += 1

    def _given(self, sitting: Sitting, envelope: Envelope) -> None:
        self.sent.append(envelope)
        try:
            host.take_arrival(sitting.match, envelope)
        except WrongTurn:
            self.figures["refused at the seat"] += 1

    def sit_down(self, sitting: Sitting) -> None:
        """A player who has taken over a seat in the last round plays on with a new key, and has kept nothing."""
        for holder in sitting.state.holders:
            if holder.since == sitting.round:
                sitting.sit_down(holder.seat, holder.name)
                sitting.own[holder.seat] = {}
                self.figures["taken over"] += 1
        entry = decode(bytes(sitting.match.entries[-1].body), r.Entry, "entry")
        self.figures["came back"] += len(entry.returns)
