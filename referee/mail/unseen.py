"""What nobody sees in an HTML text: hidden elements, tiny letters, and letters in the colour of what is behind them.

A style is read as a browser would read it, as far as it can hide something. What a mail program shows in the dark, or
on small screens only, says nothing here.
"""

import re
from html import unescape

import msgspec

_NAMES_UNSEEN = re.compile(
    "script|style|title|template|noscript|noframes|noembed|iframe|object|audio|video|canvas|option|select|datalist"
    "|textarea|svg|math|rp"
)
_CLOSED = frozenset(("details", "dialog"))
"""Nobody sees what is in these unless they are open."""
_ENTITY = re.compile(r"&#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6});?|&[a-zA-Z]{2,10};")
_STYLE_COMMENT, _STYLE_ESCAPE = re.compile(r"/\*.*?\*/", re.DOTALL), re.compile(r"\\([0-9a-f]{1,6})[ \t]?")
_BACK_TO_FRONT = str.maketrans("", "", "\\")
_NIL = r"(?:0(?:\.0{1,9})?|\.0{1,9})(?:px|pt|em|rem|%)?(?![\d.])"
_HIDDEN = re.compile(
    r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}(?:hidden|collapse)|mso-hide\s{0,9}:\s{0,9}all"
    rf"|(?:opacity|max-height|max-width)\s{{0,9}}:\s{{0,9}}{_NIL}|(?:scale|opacity)\(\s{{0,9}}{_NIL}"
    r"|(?:text-indent|left|right|top|bottom|margin-left|margin-top)\s{0,9}:\s{0,9}-(?:[5-9]\d\d|\d{4,9})"
    r"|clip\s{0,9}:\s{0,9}rect\(\s{0,9}[01](?:px)?\b|clip-path\s{0,9}:\s{0,9}inset\(\s{0,9}(?:[5-9]\d|100)%"
)
_ATTRIBUTE_HIDDEN = re.compile(r"(?:^|\s)hidden(?=[\s=/]|$)")
_FLAT, _CUT = (
    re.compile(r"(?<![\w-])(?:width|height)\s{0,9}:\s{0,9}0(?![\d.])"),
    re.compile(r"overflow\S{0,3}\s{0,9}:\s{0,9}(?:hidden|clip)"),
)
_SIZE = re.compile(r"font(?:-size)?\s{0,9}:\s{0,9}([\d.]{1,9})\s{0,3}(px|pt|em|rem|%|)(?![\w.])")
_TINY = {"px": 2.0, "pt": 2.0, "em": 0.2, "rem": 0.2, "%": 20.0, "": 0.01}
"""Letters below these sizes cannot be read."""
_OPEN = re.compile(r"(?:^|\s)open(?=[\s=/]|$)")
_SHEET, _SHEET_END = re.compile(r"<style[^<>]*+>", re.IGNORECASE), re.compile(r"</style", re.IGNORECASE)
_SELECTED = re.compile(r"[.#][\w-]{1,60}|(?<![\w.#-])[a-z][a-z0-9]{0,20}(?=\s*(?:,|$))")
_CLASSES = re.compile(r"(?<![\w-])(class|id)\s{0,9}=\s{0,9}(?:[\"']([^\"'>]{1,300})|([^\s\"'>]{1,300}))", re.IGNORECASE)
_INLINE = re.compile(
    r"(?<![\w-])style\s{0,9}=\s{0,9}(?:\"([^\"]{0,4000})|'([^']{0,4000})|([^\s\"'>]{1,400}))", re.IGNORECASE
)
_COLOUR = re.compile(r"(?<![\w-])(color|background(?:-color)?)\s{0,9}:\s{0,9}([^;{}]{1,200})")
_ATTRIBUTE_COLOUR = re.compile(
    r"(?<![\w-])(color|text|bgcolor)\s{0,9}=\s{0,9}[\"']?\s{0,9}([#\w]{1,30})", re.IGNORECASE
)
_HEX, _RGB = re.compile(r"#([0-9a-f]{3,8})\b"), re.compile(r"rgba?\(([^()]{1,60})\)")
_WORD = re.compile(r"[a-z]{3,20}")
_ALIKE = 32
"""Two colours of which no part differs by more than this, of 255, cannot be told apart."""
DEEP_MOST, RULES_MOST = 200, 2_000

Colour = tuple[int, int, int] | None
"""None: it is not known, so that nothing is hidden by it."""
_NAMED: dict[str, Colour] = {
    "white": (255, 255, 255), "snow": (255, 250, 250), "ivory": (255, 255, 240), "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245), "floralwhite": (255, 250, 240), "mintcream": (245, 255, 250),
    "azure": (240, 255, 255), "seashell": (255, 245, 238), "aliceblue": (240, 248, 255), "black": (0, 0, 0),
    "gray": (128, 128, 128), "grey": (128, 128, 128), "silver": (192, 192, 192), "red": (255, 0, 0),
    "yellow": (255, 255, 0), "blue": (0, 0, 255), "green": (0, 128, 0), "lime": (0, 255, 0), "navy": (0, 0, 128),
    "lightyellow": (255, 255, 224), "window": (255, 255, 255), "windowtext": (0, 0, 0), "canvas": (255, 255, 255),
}  # fmt: skip
_CLEAR = ("transparent",)


class _Open(msgspec.Struct):
    """An open element that has colours of its own; `inside` counts those of its name that are open within it."""

    name: str
    colour: Colour
    behind: Colour
    clear: bool
    inside: int = 1


class Sight:
    """What can be seen at a place of an HTML text, while its tags are read in order."""

    def __init__(self, html: str) -> None:
        self.rules = _rules(html)
        """Selector -> style."""
        self.open: list[_Open] = []

    def hides(self, name: str, attributes: str) -> bool:
        """Whether nobody sees this element, whatever is in it."""
        if _NAMES_UNSEEN.fullmatch(name):
            return True
        plain = _plain(attributes)
        if _ATTRIBUTE_HIDDEN.search(plain) or (name in _CLOSED and not _OPEN.search(plain)):
            return True
        return bool(plain or self.rules) and _is_hiding(f"{plain};{self._ruled(name, attributes)}")

    def enter(self, name: str, attributes: str) -> None:
        """An element begins."""
        if not (attributes or self.rules):
            colour = behind = ""
        else:
            found = dict(_ATTRIBUTE_COLOUR.findall(_plain(attributes)))
            found |= dict(_COLOUR.findall(f"{self._ruled(name, attributes)};{_inline(attributes)}"))
            colour = found.get("color") or found.get("text", "")
            behind = found.get("background-color") or found.get("background") or found.get("bgcolor", "")
        last = self.open[-1] if self.open else None
        if not (colour or behind):
            if last and last.name == name:
                last.inside += 1
            return
        if len(self.open) < DEEP_MOST:
            now = last or _Open("", (0, 0, 0), (255, 255, 255), False)
            clear = _is_clear(colour) if colour else now.clear
            own = read_colour(colour, now.colour) if colour else now.colour
            self.open.append(_Open(name, own, read_colour(behind, now.behind) if behind else now.behind, clear))

    def leave(self, name: str) -> None:
        """An element ends; what is open within it ends too."""
        at = next((at for at in range(len(self.open) - 1, -1, -1) if self.open[at].name == name), -1)
        if at >= 0:
            del self.open[at + 1 :]
            self.open[at].inside -= 1
            if not self.open[at].inside:
                self.open.pop()

    @property
    def clear(self) -> bool:
        """Whether letters written here cannot be told from what is behind them."""
        if not self.open:
            return False
        here = self.open[-1]
        if here.clear:
            return True
        return here.colour is not None and here.behind is not None and _alike(here.colour, here.behind)

    def _ruled(self, name: str, attributes: str) -> str:
        """What the style sheets say about an element."""
        if not self.rules:
            return ""
        keys = [name]
        for kind, quoted, bare in _CLASSES.findall(attributes):
            sign = "#" if kind.lower() == "id" else "."
            keys += [sign + one for one in (quoted or bare).lower().split()]
        return ";".join(self.rules[key] for key in keys if key in self.rules)


def _plain(text: str) -> str:
    """Attributes or a style as a browser reads them: without comments, entities and escapes, in small letters."""
    text = (_ENTITY.sub(lambda found: unescape(found[0]), text) if "&" in text else text).lower()
    text = _STYLE_COMMENT.sub("", text) if "/*" in text else text
    return _STYLE_ESCAPE.sub(_unescaped, text).translate(_BACK_TO_FRONT) if "\\" in text else text


def _unescaped(found: re.Match[str]) -> str:
    number = int(found[1], 16)
    return chr(number) if 0 < number < 0xD800 else ""


def _inline(attributes: str) -> str:
    return ";".join(_plain("".join(found)) for found in _INLINE.findall(attributes))


def _is_hiding(style: str) -> bool:
    if _HIDDEN.search(style) or (_FLAT.search(style) and _CUT.search(style)):
        return True
    return any(number.count(".") < 2 and float(f"0{number}") < _TINY[unit] for number, unit in _SIZE.findall(style))


def _rules(html: str) -> dict[str, str]:
    """The rules of the style sheets in a text: class, id or name of an element -> style."""
    found: dict[str, str] = {}
    at = 0
    while (begin := _SHEET.search(html, at)) and (end := _SHEET_END.search(html, begin.end())):
        conditional = False
        for rule in _plain(html[begin.end() : end.start()]).split("}"):
            conditional = (conditional or rule.count("{") > 1) and bool(rule.strip())
            selector, _, style = rule.rpartition("{")
            if conditional:
                style = ";".join(part for part in style.split(";") if not _COLOUR.search(part))
            for key in _SELECTED.findall(selector):
                if len(found) < RULES_MOST:
                    found[key] = f"{found.get(key, '')};{style}"[-2000:]
        at = end.end()
    return found


# --- colours ---------------------------------------------------------------------------------------------------------


def read_colour(text: str, before: Colour) -> Colour:
    """A colour as styles name it; `before` is what it is without one. None if it is not a plain colour."""
    text = text.strip()
    if text.startswith(("inherit", "currentcolor", *_CLEAR)):
        return before
    if "url(" in text or "gradient" in text:
        return None
    if found := _HEX.search(text):
        digits = found[1]
        wide = [one * 2 for one in digits[:3]] if len(digits) < 6 else [digits[at : at + 2] for at in (0, 2, 4)]
        return int(wide[0], 16), int(wide[1], 16), int(wide[2], 16)
    if found := _RGB.search(text):
        numbers = [
            float(one) if not one.endswith("%") else float(one[:-1]) * 2.55
            for one in re.findall(r"\d{1,3}(?:\.\d{1,6})?%?", found[1])
            if one != "%"
        ]
        return (int(numbers[0]), int(numbers[1]), int(numbers[2])) if len(numbers) >= 3 else None
    return next((_NAMED[word] for word in _WORD.findall(text) if word in _NAMED), None)


def _is_clear(text: str) -> bool:
    """Whether a colour lets everything through."""
    if text.strip().startswith(_CLEAR):
        return True
    found = _RGB.search(text) or re.search(r"hsla?\(([^()]{1,60})\)", text)
    if found:
        parts = re.split(r"[,/\s]+", found[1].strip())
        return len(parts) == 4 and bool(re.fullmatch(r"0{0,3}\.?0{0,9}%?", parts[3]))
    code = found[1] if (found := _HEX.search(text)) else ""
    return len(code) in (4, 8) and not code[3 if len(code) == 4 else 6 :].strip("0")


def _alike(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return all(abs(first - second) <= _ALIKE for first, second in zip(one, other, strict=True))
