"""More time for one player: what the host of an office promises, in writing, and the mail that brings it."""

from datetime import datetime

from referee.crypto.codec import encode
from referee.crypto.envelope import ident
from referee.engine.host import extend
from referee.io.files import file_name
from referee.language import speaking
from referee.mail import letters, w
from referee.mail.office_tables import Desk
from referee.mail.parts import Body, Reader
from referee.mail.post import post_seat, seat_reader
from referee.mail.when import moment


def extend_time(desk: Desk, seat: int, until: str, now: datetime) -> str:
    """Promise a seat more time in the open round, and write to its player; returns until when."""
    made, round = extend(desk.match, seat, until), desk.match.state.round + 1
    name = f"extension-{ident('extension', bytes(made.body))[:16]}"
    with speaking(desk.language(seat)):
        body = _mail(desk, seat, seat_reader(desk, seat), until, encode(made))
    post_seat(desk, seat, name, body, now, round=round)
    return until


def _mail(desk: Desk, seat: int, reader: Reader, until: str, data: bytes) -> Body:
    table, round = desk.match.table, desk.match.state.round + 1
    name = file_name(table.id, round, seat, table.names, "extension")
    lines = (
        w("{game}: you have more time", game=table.game.title),
        w("Round {round} waits for your answer until {when}.", when=moment(until, reader.zone), round=round),
        w("Keep {file}: it is the host's word, and your proof if the game goes on without you before then.", file=name),
    )
    return letters.told(reader, lines, w("{game}: you have more time", game=desk.name), files=((name, data),))
