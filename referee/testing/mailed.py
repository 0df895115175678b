"""What a seat gets by mail and in its page in a world: text, HTML, picture and sizes."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from referee.crypto.codec import encode, read
from referee.engine import host
from referee.engine import records as r
from referee.engine.chain import Checked, Followed
from referee.engine.player import Opened
from referee.engine.reader import Owner
from referee.mail import letters
from referee.mail.body import Reader
from referee.mail.compose import Head, compose
from referee.page.aid import aid_of
from referee.page.reading import reading_of_view

_CODE = "0-0-0-aaaaaaaaaaaaaaaa"
_FROM, _TO = "host@games.example", "player@games.example"
_WHEN = datetime(2026, 1, 1, tzinfo=UTC)


def _opened(match: host.Match, seat: int, rounds: Sequence[Checked], faces: dict[str, str]) -> Opened:
    """The view of a seat that was told these faces, after the last of these rounds."""
    owner = Owner(seat, {})
    owner.faces = faces
    view = read(host.make_view(match, seat), r.View, "view")
    chain = Followed(match.table)
    chain.checkpoint, chain.rounds = rounds[-1].checkpoint, list(rounds)
    return Opened(view, chain, owner)


def for_pages(match: host.Match, seat: int, rounds: Sequence[Checked], faces: dict[str, str]) -> dict[str, object]:
    """What a page gets besides the view itself: the aid, and the last two rounds. Earlier rounds are the same in every
    world, and rendering them takes long."""
    opened = _opened(match, seat, rounds[-2:], faces)
    reading = msgspec.structs.replace(reading_of_view(opened), file="")
    return {"aid": msgspec.json.decode(encode(aid_of(opened))), "page": msgspec.json.decode(encode(reading))}


def mailed(
    match: host.Match, seat: int, rounds: Sequence[Checked], faces: dict[str, str], *, pictures: bool
) -> dict[str, object]:
    """The mail to a seat that was told these faces, after the last of these rounds."""
    opened = _opened(match, seat, rounds, faces)
    checkpoint = opened.chain.checkpoint
    reader = Reader(opened.name, way="kept", pass_=_CODE, reply_to=_FROM, pictures=pictures)
    body = letters.game_over(opened, reader, b"{}") if checkpoint.state.end else letters.turn(opened, reader)
    data = compose(Head("x", "<x@games.example>", _FROM, _TO, body.subject, _WHEN), body)
    return {
        "subject": body.subject,
        "text": body.text,
        "page": body.html,
        "picture": hashlib.sha256(body.png).hexdigest(),
        "files": [name for name, _ in body.files],
        "size": len(data),
    }
