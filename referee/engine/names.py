"""Names: what a verifier accepts, whatever version of Unicode it has, and what the tools let a player choose. The tools
refuse more, so that nobody can be mistaken for somebody else."""

import unicodedata
from collections.abc import Sequence

from referee.errors import Malformed
from referee.language import Text, t

# Controls, direction marks, separators of lines, surrogates, non-characters.
_REFUSED = (
    (0, 0x1F), (0x7F, 0x9F), (0x61C, 0x61C), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069), (0xD800, 0xDFFF),
    (0xFDD0, 0xFDEF),
)  # fmt: skip

# Characters without a shape of their own: fillers, joiners, variation selectors, the empty Braille cell.
_INVISIBLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0000, 0xE0FFF),
)  # fmt: skip
_UNSAFE = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")

# Letters of other scripts that look like Latin ones: capitals and small letters can look like different ones.
_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "АВСЕНІЈКӀМОРЅТУХѴԚԜ", "ABEZHIKMNOPTYX" + "ABCEHIJKIMOPSTYXVQW")
# The same for small letters, and Latin letters and digits that look like each other.
_ALIKE = str.maketrans(
    "авсԁеһіјкӏмнопԛрѕтуԝхѵ" + "αβγεηικμνορτυχω" + "ɑɡɴᴏ" + "iıɪʟ1|ǀ0",
    "abcdehljklmhonqpstywxv" + "abyenlkmvoptuxw" + "agno" + "lllllllo",
)
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")


def is_name(name: str) -> bool:
    """Whether a verifier accepts a name (PROTOCOL.md, section 4)."""
    points = [ord(c) for c in name]
    bad = any(one & 0xFFFE == 0xFFFE or any(low <= one <= high for low, high in _REFUSED) for one in points)
    return 1 <= len(points) <= 40 and not bad


def fold(name: str) -> str:
    """Two names that fold to the same text differ in case, marks or width only."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


def check_name(name: str) -> str:
    """A name that the tools accept: it contains nothing that could mislead somebody at a terminal."""
    bad = any(
        unicodedata.category(c) in _UNSAFE or any(low <= ord(c) <= high for low, high in _INVISIBLE) for c in name
    )
    if (
        bad
        or unicodedata.normalize("NFC", name) != name
        or name != name.strip()
        or not 1 <= len(name) <= 40
        or not fold(name).strip()
    ):
        raise refused(t("a name must have 1 to 40 visible characters, without control or direction marks"))
    return name


def check_names(names: Sequence[str]) -> None:
    """Names of one table that differ in more than case, marks or width: for players who join it."""
    if len({fold(check_name(name)) for name in names}) != len(names):
        raise same_name()


def choose_name(name: str) -> str:
    """A name that a player may join under: it cannot be mistaken for something else."""
    check_name(name)
    if any(unicodedata.category(c) == "Cn" for c in name):
        raise refused(t("this name has a character that is unknown here"))
    if "@" in name or ";" in name:
        raise refused(t("a name cannot contain @ or a semicolon: in typed moves they mean something else"))
    if fold(name).replace(" ", "").isdigit():
        raise refused(t("a name cannot be just a number: in typed moves a number can stand for a seat"))
    scripts = {script for c in name if c.isalpha() for script in _SCRIPTS if unicodedata.name(c, "").startswith(script)}
    others = any(c.isalpha() and not unicodedata.name(c, "").startswith(_SCRIPTS) for c in name)
    if len(scripts) + (others and bool(scripts)) > 1:
        raise refused(t("this name mixes letters from several scripts"))
    return name


def refuse_alike(names: Sequence[str]) -> None:
    """Refuse players whose names could be mistaken for each other."""
    looks = [_skeleton(name) for name in names]
    if len(set(looks)) != len(looks):
        raise Malformed(
            t("two players have names that look alike"),
            t("ask one of them to join under another name"),
            code="bad-name",
        )


def _skeleton(name: str) -> str:
    """What a name looks like at a quick glance."""
    plain = fold(unicodedata.normalize("NFKD", name).translate(_CAPITALS)).translate(_ALIKE)
    return plain.replace("rn", "m").replace("vv", "w").replace(" ", "")


def same_name() -> Malformed:
    """Two players at a table cannot be distinguished."""
    advice = t("ask one of them to join under another name")
    return Malformed(t("two players have the same name"), advice, code="bad-name")


def refused(message: Text) -> Malformed:
    """The player must choose another name."""
    return Malformed(message, t("choose another name with --name"), code="bad-name")
