"""What a seat is mailed in a world: the text, the page, the picture, and how large all of it is."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from referee.crypto.codec import read
from referee.engine import host
from referee.engine import records as r
from referee.engine.chain import Checked, Followed
from referee.engine.player import Opened
from referee.engine.reader import Owner
from referee.mail import letters
from referee.mail.compose import Head, compose

_CODE = "0-0-0-aaaaaaaaaaaaaaaa"
_FROM, _TO = "host@games.example", "player@games.example"
_WHEN = datetime(2026, 1, 1, tzinfo=UTC)


def mailed(
    match: host.Match, seat: int, rounds: Sequence[Checked], faces: dict[str, str], *, pictures: bool
) -> dict[str, Any]:
    """The mail after the last of these rounds, to a seat that was told these faces: as its reader sees it, by name."""
    moment, owner = rounds[-1].moment, Owner(seat, {})
    owner.faces = faces
    view = read(host.make_view(match, seat), r.View, "view")
    chain = Followed(match.table)
    chain.moment, chain.rounds = moment, list(rounds)
    opened = Opened(view, chain, owner)
    reader = letters.Reader(opened.name, way="kept", pass_=_CODE, reply_to=_FROM, pictures=pictures)
    body = letters.over(opened, reader, b"{}") if moment.state.end else letters.turn(opened, reader)
    data = compose(Head("x", "<x@games.example>", _FROM, _TO, body.subject, _WHEN), body)
    return {
        "subject": body.subject,
        "text": body.text,
        "page": body.html,
        "picture": hashlib.sha256(body.png).hexdigest(),
        "files": [name for name, _ in body.files],
        "size": len(data),
    }
