"""Decisions of the host and the arbiter about a running game: more time for a player, and rulings. The players get them
by mail."""

from datetime import datetime
from functools import partial
from typing import TypedDict

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident
from referee.engine.host import extend
from referee.errors import WrongTurn
from referee.evidence.rulings import binding_ruling
from referee.io.files import file_name
from referee.language import run
from referee.mail import letters, t, w
from referee.mail.body import Body, Reader
from referee.mail.case import is_awaited
from referee.mail.office import Office
from referee.mail.office_tables import Desk, Note
from referee.mail.post import post_seat
from referee.mail.timing import moment
from referee.show.text import clean


def extend_time(desk: Desk, seat: int, until: str, now: datetime) -> str:
    """Promise a seat more time in the open round, and tell its player; returns the new time."""
    promise, table, round = extend(desk.match, seat, until), desk.match.table, desk.match.state.round + 1
    file = file_name(table.id, round, seat, table.names, "extension")

    def write(reader: Reader) -> Body:
        lines = (
            w("{game}: you have more time", game=table.game.title),
            w("Round {round} waits for your answer until {when}.", when=moment(until, reader.zone), round=round),
            w("Keep {file}: it is the host's signed promise, and your proof if the game goes on without you "
              "before then.",
              file=file),
        )  # fmt: skip
        subject = w("{game}: you have more time", game=desk.name)
        return letters.notice(reader, lines, subject, files=((file, encode(promise)),))

    post_seat(desk, seat, f"extension-{ident('extension', bytes(promise.body))[:16]}", write, now, round=round)
    return until


class Ruled(TypedDict):
    """A ruling on a game, for programs: its verdict, and the final places."""

    verdict: str
    places: dict[str, int]


def take_ruling(office: Office, data: bytes, now: datetime) -> Desk:
    """Record a ruling that binds the players of one of the tables, and write to each of them."""
    found, ruling = binding_ruling(data), decode(data, Envelope, "ruling")
    desk = next((desk for desk in office.desks.values() if desk.note.game == found.table.id), None)
    if desk is None:
        why = t("this ruling is about a game that is not played in this office")
        raise WrongTurn(why, t("give it to the host of that game"), code="other-game")
    if any(one.body == ruling.body for one in desk.note.rulings):
        done = t("nothing to do: {run} shows it", run=run("mail", "status"))
        raise WrongTurn(t("this ruling has already been recorded"), done, code="ruled")
    desk.change(rulings=(*desk.note.rulings, ruling))
    for seat, _ in enumerate(desk.names):
        write = partial(
            letters.ruling,
            desk.opened(seat),
            said=found.ruling,
            data=data,
            runs=desk.runs,
            waits=is_awaited(desk, seat),
        )
        what = f"ruling-{ident('ruling', bytes(ruling.body))[:16]}"
        post_seat(desk, seat, what, write, now, round=desk.match.state.round + desk.runs)
    return desk


def ruled(note: Note) -> list[Ruled]:
    """All rulings on a game, the last first, which is the one that counts. They are verified again: the note is just a
    file."""
    found = [binding_ruling(encode(one)) for one in reversed(note.rulings)]
    return [
        {
            "verdict": clean(one.ruling.verdict),
            "places": {clean(name): rank for name, rank in zip(one.table.names, one.ruling.ranks, strict=False)},
        }
        for one in found
        if one.table.id == note.game
    ]


def ruled_in_words(rulings: list[Ruled]) -> str:
    """The ruling that counts, in words."""
    if not rulings:
        return ""
    verdict, places = rulings[0]["verdict"], sorted(rulings[0]["places"].items(), key=lambda one: one[1])
    if not places:
        return w("the arbiter ruled: {verdict}", verdict=verdict)
    listed = ", ".join(f"{rank}. {name}" for name, rank in places)
    return w("the arbiter ruled: {places}: {verdict}", places=listed, verdict=verdict)
