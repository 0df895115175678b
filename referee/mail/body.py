"""The content of our mails as data, and the plain text and HTML that are made of it.

The plain text has 72 columns and is enough to play with. The HTML has tables with inline styles and hex colours, no
script, and no external resources. The number and the words of a move share a cell, so that no mail program splits them
into two lines when it quotes.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from html import escape
from textwrap import fill
from typing import Literal
from urllib.parse import quote

import msgspec

from referee.language import NOTHING, Message, current_language
from referee.mail import w
from referee.mail.frame import MARKER
from referee.mail.timing import moment
from referee.show.terminal import wrapped
from referee.show.text import clean

WIDTH = 72
PAGE_MOST = 99_000
"""Bytes: Gmail cuts off a mail after about 102 kB."""
LINK_MOST = 1_899
"""Characters: some mail programs do not open longer links."""

_BLOCK = re.compile(r"(pbem)(?=[\s>|:*_=]*referee)", re.IGNORECASE)
_QUOTED = re.compile(r"`([^`]+)`")
_INK, _FAINT, _PAPER, _GROUND, _EDGE = "#222222", "#5c574d", "#ffffff", "#f1eee6", "#d5d0c3"
_LINK, _BUTTON, _URGENT = "#0f3f75", "#e6effa", "#fdf2d3"
_FONT = "font-family:Verdana,Arial,sans-serif"
_TEXT = f"{_FONT};font-size:15px;line-height:22px;color:{_INK};overflow-wrap:anywhere;word-break:break-word"
_FIXED = (
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" '
    'style="width:100%;table-layout:fixed;border-collapse:separate;'
)

Files = tuple[tuple[str, bytes], ...]
"""JSON documents: name and bytes."""


class HeldMails(msgspec.Struct, frozen=True):
    """How many mails in a player's name were not answered since a time: with the pass of the newest turn, and
    others."""

    turn: int
    other: int
    since: str
    host: str
    """Whom to tell if somebody else has the pass."""


Way = Literal["kept", "own", "program", "page", "rules"]
"""How a seat answers. `kept`: in words, because the office keeps the key. The others sign: with the program, in the
player's page, in the page that has the rules; `own`: it is not known yet in which of these ways."""


class Reader(msgspec.Struct, frozen=True):
    """Who a mail is for."""

    name: str
    zone: str = "UTC"
    way: Way = "own"
    pass_: str = ""
    """The secret code of this seat and turn."""
    reply_to: str = ""
    """The address that answers go to."""
    pictures: bool = True
    aids: bool = True
    """Whether a seat that signs gets the file that the player's page needs if it has no rules."""
    page: str = ""
    """Where players get player.html, if the host says so."""
    player: str = ""
    """The player's id in the address book."""
    address: str = ""
    """Where mails to this reader go."""
    held: HeldMails | None = None
    """Mails that were not answered, if the reader must be told."""
    claims: int = 0
    """How many claims about this game came in."""


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a line that a player wrote (or, without a line, with the whole mail), and what to do."""

    line: str
    message: Message
    next: Message = NOTHING


class Body(msgspec.Struct, frozen=True):
    """A mail without its headers: its subject, text, HTML, picture and attached documents."""

    subject: str
    text: str
    html: str
    png: bytes = b""
    files: Files = ()


# --- parts -----------------------------------------------------------------------------------------------------------


class Top(msgspec.Struct, frozen=True):
    """What the mail is about, with the most urgent lines."""

    title: str
    lines: Sequence[str] = ()


class Lines(msgspec.Struct, frozen=True):
    """Sentences under a heading, one per line."""

    heading: str
    lines: Sequence[str]


class Row(msgspec.Struct, frozen=True):
    """A possible answer. `order` is what to write if it is a single answer; `example` is one of many."""

    words: str
    mark: str = ""
    note: str = ""
    example: str = ""
    order: str = ""


class Rows(msgspec.Struct, frozen=True):
    """Answers under a heading."""

    heading: str
    rows: Sequence[Row]
    lines: Sequence[str] = ()
    """How to choose one of them."""


class Board(msgspec.Struct, frozen=True):
    """The position as text, and as a picture with its description."""

    drawn: str
    png: bytes = b""
    description: str = ""


class Small(msgspec.Struct, frozen=True):
    """Small print."""

    lines: Sequence[str]


Part = Top | Lines | Rows | Board | Small


def make_body(subject: str, parts: Sequence[Part], reader: Reader, files: Files = ()) -> Body:
    """Make text and HTML of the parts that are not empty, with what every mail to this reader says."""
    subject, code = " ".join(filter(None, (clean(subject), reader.pass_))), reader.pass_
    whose = [w("This is your pass; keep it secret: {code}", code=code)] if code else ()
    every = [*filter(_has_text, (*parts, Lines(w("Not answered"), _unanswered(reader)), Small(whose)))]
    picture = next((part.png for part in parts if isinstance(part, Board)), b"")
    return Body(subject, plain_text(every), html_text(every, reader, subject), picture, files)


def _has_text(part: Part) -> bool:
    match part:
        case Lines(_, lines) | Small(lines):
            return bool(lines)
        case Rows(_, rows, lines):
            return bool(rows or lines)
    return True


def _unanswered(reader: Reader) -> list[str]:
    """Tell the reader about mails in their name that were not answered."""
    lines: list[str] = []
    if (held := reader.held) is None:
        return lines
    when = moment(held.since, reader.zone)
    if held.turn:
        lines += [
            w.plural("Since {when}, {n} mail with your newest pass was not answered: too many came in one day.",
                     "Since {when}, {n} mails with your newest pass were not answered: too many came in one day.",
                     held.turn, when=when),
            w("If that was not you, somebody else has your pass: tell {host} at once.", host=clean(held.host)),
        ]  # fmt: skip
    if held.other:
        lines += [
            w.plural("Since {when}, {n} mail in your name was not answered: it had an old pass, or none at all.",
                     "Since {when}, {n} mails in your name were not answered: they had an old pass, or none at all.",
                     held.other, when=when),
            w("That changed nothing. If it was not you, you do not need to do anything."),
        ]  # fmt: skip
    return lines


def _defused(text: str) -> str:
    """Change names that look like the beginning of a block: whoever quotes us would seem to send one."""
    return _BLOCK.sub(r"\1-", text)


# --- plain text ------------------------------------------------------------------------------------------------------


def plain_text(parts: Sequence[Part]) -> str:
    """The whole text, with our marker line at the top."""
    return _defused("\n\n".join((str(MARKER), *("\n".join(_lines(part)) for part in parts))) + "\n")


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Top(title, lines):
            yield from (_filled(title), *([""] if lines else ()), *map(_filled, lines))
        case Lines(heading, lines):
            yield from (_titled(heading), *(wrapped(line, WIDTH, 2) for line in lines))
        case Rows(heading, rows, lines):
            yield from (_titled(heading), *map(_plain_row, rows), *map(_filled, lines))
        case Board(drawn):
            yield drawn
        case Small(lines):
            yield from map(_filled, lines)


def _titled(heading: str) -> str:
    return _filled(heading if heading.endswith(("?", ")")) else f"{heading}:")


def _filled(line: str) -> str:
    return fill(line, WIDTH, break_on_hyphens=False)


def _plain_row(row: Row) -> str:
    """A number comes before its line, where it cannot be mistaken for a move; an example has its own line."""
    note = f"   ({row.note})" if row.note else ""
    text = w("for example: {move}", move=row.example)
    example = f"\n{wrapped(text, WIDTH, 9)}" if row.example else ""
    return f"{row.mark:>5}" + wrapped(f"{row.words}{note}", WIDTH, 7)[5:] + example


# --- HTML ------------------------------------------------------------------------------------------------------------


def html_text(parts: Sequence[Part], reader: Reader, subject: str) -> str:
    """The whole page, with our marker line at the top. If it is too long, the links go first, then everything but the
    top."""
    page = _page(parts, reader, subject)
    if len(page.encode()) > PAGE_MOST:
        page = _page(parts, reader, "")
    if len(page.encode()) > PAGE_MOST:
        short = Small((w("This mail is too long to show as a page; its plain text has all of it."),))
        page = _page([*parts[:1], short], reader, "")
    return _defused(page)


def _page(parts: Sequence[Part], reader: Reader, subject: str) -> str:
    """The page; without a subject it has no links."""
    rows = "".join(
        f'<tr><td style="padding:{"0" if isinstance(part, Board) and part.png else "10px 16px"};{_TEXT}">'
        f"{_inside(part, reader, subject)}</td></tr>\n"
        for part in parts
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{current_language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light"></head>\n'
        f'<body style="margin:0;padding:0;background-color:{_GROUND}">\n'
        f'{_FIXED}background-color:{_GROUND}"><tr><td align="center" style="padding:8px 0">\n'
        f'{_FIXED}max-width:602px;background-color:{_PAPER};border:1px solid {_EDGE}">\n'
        f'<tr><td style="padding:10px 16px 0 16px;{_FONT};font-size:12px;line-height:18px;color:{_FAINT}">'
        f"{escape(str(MARKER))}</td></tr>\n{rows}</table>\n</td></tr></table>\n</body></html>\n"
    )


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
            # Lines with numbers come below buttons: it has been said there.
            buttons = any(links) and not rows[0].mark
            how = [w("Tap a framed line to open a mail with that answer, and send it.")] if buttons else []
            made = "".join(_html_row(row, link) for row, link in zip(rows, links, strict=True))
            return f'{_heading(heading)}{_broken(how)}{_FIXED}border-spacing:0 8px">{made}</table>{_broken(lines)}'
        case Board(drawn, b""):
            style = "margin:0;overflow-x:auto;font-family:Consolas,Menlo,monospace;font-size:13px;line-height:17px"
            return f'<pre style="{style};color:{_INK}">{escape(drawn)}</pre>'
        case Board(_, png, description):
            style = f"display:block;width:100%;max-width:480px;height:auto;border:0;{_FONT};font-size:13px;color:{_INK}"
            return f'<img src="cid:{picture_id(png)}" width="360" style="{style}" alt="{escape(description)}">'
        case Small(lines):
            return f'<span style="font-size:12px;line-height:18px;color:{_FAINT}">{_broken(lines)}</span>'


def _heading(text: str) -> str:
    return f'<h2 style="margin:0 0 4px 0;{_FONT};font-size:16px;line-height:22px;color:{_INK}">{escape(text)}</h2>'


def _broken(lines: Sequence[str]) -> str:
    """Lines separated by breaks; what stands between backquotes becomes bold."""
    return "<br>\n".join(_QUOTED.sub(r"<b>\1</b>", escape(line)) for line in lines)


def _html_row(row: Row, link: str) -> str:
    note = f' <span style="color:{_FAINT};font-size:13px">({_broken([row.note])})</span>' if row.note else ""
    words = escape(" ".join(filter(None, (row.mark, row.words))))
    if not link:
        example = "<br>" + w("for example {move}", move=f"<b>{escape(row.example)}</b>") if row.example else ""
        edge = f"border-left:4px solid {_EDGE};padding:4px 10px"
        return f'<tr><td style="{edge};{_TEXT}">{words}{note}{example}</td></tr>\n'
    look = f"display:block;padding:12px;color:{_LINK};text-decoration:none"
    cell = f"background-color:{_BUTTON};border:1px solid {_LINK};border-radius:6px;{_TEXT}"
    anchor = f'<a href="{escape(link)}" style="{look}"><b>{words}</b>{note}</a>'
    return f'<tr><td style="{cell}">{anchor}</td></tr>\n'


def mailto(reader: Reader, subject: str, words: str) -> str:
    """A link that opens a mail with address, subject and answer filled in, with the pass; empty where nobody answers in
    words."""
    if not (reader.pass_ and reader.reply_to and words):
        return ""
    fields = f"subject={quote(f'Re: {subject}', safe='')}&body={quote(words, safe='')}"
    link = f"mailto:{quote(reader.reply_to, safe='@')}?{fields}"
    return link if len(link) <= LINK_MOST else ""


def picture_id(png: bytes) -> str:
    """The content id of the picture: its own for each picture, because mail programs cache pictures by it."""
    return f"board-{hashlib.sha256(png).hexdigest()[:16]}@pbem-referee"
