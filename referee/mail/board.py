"""The position in a mail: drawn with letters for the text, as a picture for the page."""

import re
from functools import lru_cache
from html import unescape

from referee.engine.player import Opened
from referee.errors import Usage
from referee.mail.parts import Board, Reader
from referee.mail.plain import WIDTH
from referee.show.pictures import png, seen_in_view, svg
from referee.show.terminal import Painter
from referee.show.text import clean

_pixels = lru_cache(16)(png)
"""Reminders show the same picture again, and it takes longer than all the rest."""
_TOLD = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)


def board(opened: Opened, reader: Reader) -> list[Board]:
    """What this player may see; nothing before the first deal. Without the packages for pictures, or a game's own
    picture, the letters do."""
    if opened.chain.last is None:
        return []
    table, seen = opened.table, seen_in_view(opened)
    drawn = table.game.render(table.terms, seen, [clean(name) for name in table.names], Painter(colour=False), WIDTH)
    try:
        picture = svg(opened.chain, seen) if reader.pictures else ""
        pixels = _pixels(picture) if picture else b""
    except Usage:
        return [Board(drawn)]
    told = _TOLD.search(picture)
    return [Board(drawn, pixels, unescape(told[1]) if told else "")]
