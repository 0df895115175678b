"""A mail as HTML: tables with inline styles and hex colours, no script, nothing from elsewhere.

Numbers and words of a move stand in one cell, so that no mail program makes two lines of them when it quotes.
"""

import re
from collections.abc import Sequence
from html import escape

from referee.language import spoken
from referee.mail import w
from referee.mail.frame import MARKER
from referee.mail.links import mailto
from referee.mail.parts import Board, Lines, Part, Reader, Row, Rows, Small, Top, harmless, picture_id

LONGEST = 99_000
"""Bytes: Gmail shows about 102 kB of a mail and cuts the rest."""

_INK, _FAINT, _PAPER, _GROUND, _EDGE = "#222222", "#5c574d", "#ffffff", "#f1eee6", "#d5d0c3"
_LINK, _BUTTON, _URGENT = "#0f3f75", "#e6effa", "#fdf2d3"
_FONT = "font-family:Verdana,Arial,sans-serif"
_TEXT = f"{_FONT};font-size:15px;line-height:22px;color:{_INK};overflow-wrap:anywhere;word-break:break-word"
_QUOTED = re.compile(r"`([^`]+)`")
_TABLE = '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'
_FIXED = f'{_TABLE} style="width:100%;table-layout:fixed;border-collapse:separate;'


def html_text(parts: Sequence[Part], reader: Reader, subject: str) -> str:
    """The whole page, with our marker line at the top. What would be cut on the way is left to the text."""
    page = _page(parts, reader, subject)
    if len(page.encode()) > LONGEST:
        page = _page(parts, reader, "")
    if len(page.encode()) > LONGEST:
        short = Small((w("This mail is too long for a page; its text has all of it."),))
        page = _page([*parts[:1], short], reader, "")
    return harmless(page)


def _page(parts: Sequence[Part], reader: Reader, subject: str) -> str:
    """Without a subject there are no links."""
    rows = "".join(f"<tr><td {_style(part)}>{_inside(part, reader, subject)}</td></tr>\n" for part in parts)
    return (
        f'<!DOCTYPE html>\n<html lang="{spoken()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light"></head>\n'
        f'<body style="margin:0;padding:0;background-color:{_GROUND}">\n'
        f'{_FIXED}background-color:{_GROUND}"><tr><td align="center" style="padding:8px 0">\n'
        f'{_FIXED}max-width:602px;background-color:{_PAPER};border:1px solid {_EDGE}">\n'
        f'<tr><td style="padding:10px 16px 0 16px;{_FONT};font-size:12px;line-height:18px;color:{_FAINT}">'
        f"{escape(str(MARKER))}</td></tr>\n{rows}</table>\n</td></tr></table>\n</body></html>\n"
    )


def _style(part: Part) -> str:
    padding = "0" if isinstance(part, Board) and part.png else "10px 16px"
    return f'style="padding:{padding};{_TEXT}"'


def _inside(part: Part, reader: Reader, subject: str) -> str:
    match part:
        case Top(title, lines):
            style = f"margin:4px 0 8px 0;{_FONT};font-size:20px;line-height:27px;color:{_INK}"
            box = f'{_FIXED}background-color:{_URGENT}"><tr><td style="padding:10px 12px;{_TEXT}">{_broken(lines)}'
            return f'<h1 style="{style}">{escape(title)}</h1>' + (f"{box}</td></tr></table>" if lines else "")
        case Lines(heading, lines):
            return _heading(heading) + _broken(lines)
        case Rows(heading, rows, lines):
            links = [mailto(reader, subject, row.order) if subject else "" for row in rows]
            how = [w("Tap a framed line: a mail opens that says it. Send that mail.")] if any(links) else []
            made = "".join(_row(row, link) for row, link in zip(rows, links, strict=True))
            return f'{_heading(heading)}{_broken(how)}{_FIXED}border-spacing:0 8px">{made}</table>{_broken(lines)}'
        case Board(drawn, png, told):
            return _picture(png, told) if png else _drawing(drawn)
        case Small(lines):
            return f'<span style="font-size:12px;line-height:18px;color:{_FAINT}">{_broken(lines)}</span>'


def _heading(text: str) -> str:
    return f'<h2 style="margin:0 0 4px 0;{_FONT};font-size:16px;line-height:22px;color:{_INK}">{escape(text)}</h2>'


def _broken(lines: Sequence[str]) -> str:
    """Lines, with what is to be written in bold instead of between backquotes."""
    return "<br>\n".join(_QUOTED.sub(r"<b>\1</b>", escape(line)) for line in lines)


def _row(row: Row, link: str) -> str:
    note = f' <span style="color:{_FAINT};font-size:13px">({_broken([row.note])})</span>' if row.note else ""
    example = "<br>" + w("for example {move}", move=f"<b>{escape(row.example)}</b>") if row.example else ""
    words = f"{escape(' '.join(filter(None, (row.mark, row.words))))}"
    if not link:
        edge = f"border-left:4px solid {_EDGE};padding:4px 10px"
        return f'<tr><td style="{edge};{_TEXT}">{words}{note}{example}</td></tr>\n'
    look = f"display:block;padding:12px;color:{_LINK};text-decoration:none"
    cell = f"background-color:{_BUTTON};border:1px solid {_LINK};border-radius:6px;{_TEXT}"
    anchor = f'<a href="{escape(link)}" style="{look}"><b>{words}</b>{note}</a>'
    return f'<tr><td style="{cell}">{anchor}</td></tr>\n'


def _picture(png: bytes, told: str) -> str:
    style = f"display:block;width:100%;max-width:600px;height:auto;border:0;{_FONT};font-size:13px;color:{_INK}"
    return f'<img src="cid:{picture_id(png)}" width="600" style="{style}" alt="{escape(told)}">'


def _drawing(drawn: str) -> str:
    style = (
        f"margin:0;overflow-x:auto;font-family:Consolas,Menlo,monospace;font-size:13px;line-height:17px;color:{_INK}"
    )
    return f'<pre style="{style}">{escape(drawn)}</pre>'
