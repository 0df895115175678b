"""What an arbiter ruled on the games of an office: kept with the table, told to its players, and by `status`."""

from datetime import datetime
from typing import Any

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident
from referee.errors import WrongTurn
from referee.evidence.rulings import Ruling, binding_ruling
from referee.language import run, speaking
from referee.mail import letters, t, w
from referee.mail.office import Office
from referee.mail.office_tables import Desk, Note
from referee.mail.post import post_seat, seat_reader
from referee.mail.waiting import awaited
from referee.show.text import clean


def take_ruling(office: Office, data: bytes, now: datetime) -> Desk:
    """Take a ruling that binds the players of one of the tables, and write to each of them."""
    found, ruling = binding_ruling(data), decode(data, Envelope, "ruling")
    desk = next((desk for desk in office.desks.values() if desk.note.game == found.table.id), None)
    if desk is None:
        raise WrongTurn(
            t("this ruling is about a game that is at no table of this office"),
            t("give it to the host of that game"),
            code="other-game",
        )
    if any(one.body == ruling.body for one in desk.note.rulings):
        raise WrongTurn(
            t("this ruling is taken already"),
            t("nothing to do: {run} tells it", run=run("mail", "status")),
            code="ruled",
        )
    desk.change(rulings=(*desk.note.rulings, ruling))
    _tell(desk, found.ruling, data, f"ruling-{ident('ruling', bytes(ruling.body))[:16]}", now)
    return desk


def _tell(desk: Desk, ruling: Ruling, data: bytes, what: str, now: datetime) -> None:
    """One mail to each player."""
    waits = awaited(desk) if desk.runs else []
    for seat, _ in enumerate(desk.names):
        reader = seat_reader(desk, seat)
        with speaking(desk.language(seat)):
            body = letters.ruling(desk.opened(seat), reader, ruling, data, runs=desk.runs, waits=seat in waits)
        post_seat(desk, seat, what, body, now, round=desk.match.state.round + desk.runs)


def ruled(note: Note) -> list[dict[str, Any]]:
    """All rulings on a game, the last first: that one counts. They are checked again, as a note is only a file."""
    found = [binding_ruling(encode(one)) for one in reversed(note.rulings)]
    return [
        {
            "verdict": clean(one.ruling.verdict),
            "places": {clean(name): rank for name, rank in zip(one.table.names, one.ruling.ranks, strict=False)},
        }
        for one in found
        if one.table.id == note.game
    ]


def ruled_in_words(rulings: list[dict[str, Any]]) -> str:
    """The one that counts."""
    if not rulings:
        return ""
    places = ", ".join(f"{rank}. {name}" for name, rank in sorted(rulings[0]["places"].items(), key=lambda one: one[1]))
    verdict = rulings[0]["verdict"]
    if not places:
        return w("the arbiter ruled: {verdict}", verdict=verdict)
    return w("the arbiter ruled: {places}: {verdict}", places=places, verdict=verdict)
