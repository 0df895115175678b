"""The text that a person sees, line by line, with the quoting depth of each line.

HTML has its own scanner here: the standard library's parser needs minutes for some texts of a few hundred kB. This one
reads every character a fixed number of times. It does not validate HTML: what it cannot read is left out or shown as
text.
"""

import re
from html import unescape

import msgspec

from referee.mail.unseen import Sight

_QUOTED = re.compile(r"(?:[ \t]{0,3}(?:[A-Za-z]{0,3}>|\|(?=[ \t]|$))){1,50}[ ]?")
"""`> `, `>> `, `| ` and the initials of old programs, `AB> `."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:]{0,20})([^<>]*+)>|<[!?/][^<>]*+>")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_CROSSED = re.compile(r"text-decoration[^;\"']{0,100}line-through", re.IGNORECASE)
_BOX = re.compile(
    r"\b(?:gmail_quote|yahoo_quoted|protonmail_quote|moz-forward-container|divRplyFwdMsg|appendonsend)\b|border-left\s{0,9}:",
    re.IGNORECASE,
)
"""Quoted text is in or below such a `div`."""
DIVIDER = "-----Original Message-----"
_LINES = re.compile(
    "address|article|aside|blockquote|body|br|center|d[dlt]|div|fieldset|footer|form|h[1-6]|header|hr|html|li|main|nav|ol|p"
    "|pre|section|table|tbody|tfoot|thead|tr|ul"
)
_CELLS = frozenset(("td", "th"))
_STRUCK = frozenset(("s", "del", "strike"))
_VOID = frozenset(("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"))
_NO_CHARACTER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,})")
DEPTH_MOST = 50


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line as a person sees it, without quote marks; `depth` says how often it was quoted, and `struck` that
    something in it was crossed out, which is not in the text."""

    text: str
    depth: int = 0
    struck: bool = False


def unescaped(text: str) -> str:
    """Replace entities by their characters. Invalid character numbers go first: Python refuses very long ones."""
    return unescape(_NO_CHARACTER.sub("", text)) if "&" in text else text


class _Page:
    """The lines that were read so far."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.parts: list[str] = []
        self.depth = 0
        self.struck = False
        self.fixed = 0
        """How many `pre` elements are open: in them line breaks count."""

    def text(self, text: str) -> None:
        text = unescaped(text)
        if not self.fixed:
            self.parts.append(_SPACE.sub(" ", text))
            return
        first, *others = text.replace("\r\n", "\n").split("\n")
        self.parts.append(first)
        for other in others:
            self.end_line(always=True)
            self.parts.append(other)

    def end_line(self, always: bool = False) -> None:
        text = "".join(self.parts)
        text = text.rstrip() if self.fixed else _SPACE.sub(" ", text).strip(" ")
        self.parts.clear()
        if text or always or self.struck:
            self.lines.append(Line(text, self.depth, self.struck))
        self.struck = False

    def box(self) -> None:
        """Begin a quotation that is not a `blockquote`."""
        self.end_line()
        if not self.depth and self.lines[-1:] != [Line(DIVIDER)]:
            self.lines.append(Line(DIVIDER))

    def tag(self, name: str, end: bool) -> None:
        if name in _CELLS:
            self.parts.append(" ")
        if not _LINES.fullmatch(name):
            return
        self.end_line(always=name == "br")
        if name == "p" and self.lines and self.lines[-1].text:
            self.lines.append(Line("", self.depth))
        if name == "blockquote":
            self.depth = max(0, self.depth - 1) if end else min(DEPTH_MOST, self.depth + 1)
        elif name == "pre":
            self.fixed = max(0, self.fixed - 1) if end else self.fixed + 1


def plain_lines(text: str, flowed: bool = False, drop_space: bool = False) -> list[Line]:
    """The lines of a plain text. In `format=flowed` (RFC 3676) a space at the end of a line says that it continues."""
    lines: list[Line] = []
    parts: list[str] = []
    going = -1
    for raw in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        line = _unquoted(raw, flowed)
        if going not in (-1, line.depth):
            lines.append(Line("".join(parts), going))
            parts.clear()
        on = flowed and line.text.endswith(" ") and line.text != "-- "
        parts.append(line.text[:-1] if on and drop_space else line.text)
        going = line.depth if on else -1
        if not on:
            lines.append(Line("".join(parts), line.depth))
            parts.clear()
    if parts:
        lines.append(Line("".join(parts), going))
    return lines


def _unquoted(raw: str, flowed: bool) -> Line:
    """A line without its quote marks."""
    text = raw.lstrip(">")
    if flowed and (text != raw or raw.startswith(" ")):
        return Line(text[1:] if text.startswith(" ") else text, min(DEPTH_MOST, len(raw) - len(text)))
    marks = _QUOTED.match(raw)
    if not marks:
        return Line(raw)
    return Line(raw[marks.end() :], min(DEPTH_MOST, marks[0].count(">") + marks[0].count("|")))


def html_lines(html: str) -> list[Line]:
    """The lines of an HTML text: block elements end lines, a table row is one line, and `blockquote` is a quotation.
    Invisible and crossed-out text is left out; other boxes with quotations begin with a divider."""
    page, sight = _Page(), Sight(html)
    html = _without_comments(html)
    at, hidden, inside = 0, "", 0
    for tag in _TAG.finditer(html):
        if not hidden and not sight.clear:
            page.text(html[at : tag.start()])
        at = tag.end()
        name, end, attributes = (tag[2] or "").lower(), bool(tag[1]), tag[3] or ""
        if hidden:
            inside += (name == hidden) * (-1 if end else 1)
            hidden = hidden if inside else ""
        elif not end and name not in _VOID and _is_left_out(sight, name, attributes):
            hidden, inside = name, 1
            page.struck = page.struck or name in _STRUCK or bool(_CROSSED.search(attributes))
        elif name:
            page.tag(name, end)
            if end:
                sight.leave(name)
            elif name not in _VOID:
                sight.enter(name, attributes)
            if name == "div" and not end and _BOX.search(attributes):
                page.box()
    if not hidden and not sight.clear:
        page.text(html[at:])
    page.end_line()
    return page.lines


def _is_left_out(sight: Sight, name: str, attributes: str) -> bool:
    """Whether the content of this element is invisible or crossed out."""
    return name in _STRUCK or bool(_CROSSED.search(attributes)) or sight.hides(name, attributes)


def _without_comments(html: str) -> str:
    """Remove comments; a `<!--` without an end hides nothing but itself."""
    kept: list[str] = []
    at = 0
    while (begin := html.find("<!--", at)) >= 0 and (end := html.find("-->", begin + 4)) >= 0:
        kept.append(html[at:begin])
        at = end + 3
    return "".join((*kept, html[at:]))
