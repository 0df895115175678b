"""Display names: what cannot play tricks on a terminal, and what cannot be taken for somebody else."""

import unicodedata

from referee.errors import Malformed

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


def fold(name: str) -> str:
    """Two names that fold to the same text differ in case, marks or width only. Verifiers use this."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


def check_name(name: str) -> str:
    """A name that every reader accepts (PROTOCOL.md, section 4)."""
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
        raise _refused("a name must have 1 to 40 visible characters, without control or direction marks")
    return name


def choose_name(name: str) -> str:
    """A name that a player may join under: nobody must be able to take it for something else."""
    check_name(name)
    if any(unicodedata.category(c) == "Cn" for c in name):
        raise _refused("this name has a character that is unknown here")
    if "@" in name or ";" in name:
        raise _refused("a name has no @ and no semicolon: in typed moves they mean something else")
    if fold(name).replace(" ", "").isdigit():
        raise _refused("a name is more than a number: in typed moves that can stand for a seat")
    scripts = {script for c in name if c.isalpha() for script in _SCRIPTS if unicodedata.name(c, "").startswith(script)}
    others = any(c.isalpha() and not unicodedata.name(c, "").startswith(_SCRIPTS) for c in name)
    if len(scripts) + (others and bool(scripts)) > 1:
        raise _refused("this name mixes letters of several scripts")
    return name


def refuse_alike(names: tuple[str, ...]) -> None:
    """Refuse players whose names could be taken for each other."""
    looks = [_look(name) for name in names]
    if len(set(looks)) != len(looks):
        raise Malformed(
            "two players have names that look alike", "ask one of them to join under another name", code="bad-name"
        )


def _look(name: str) -> str:
    """What is left of a name for somebody who takes a quick look."""
    plain = fold(unicodedata.normalize("NFKD", name).translate(_CAPITALS)).translate(_ALIKE)
    return plain.replace("rn", "m").replace("vv", "w").replace(" ", "")


def _refused(message: str) -> Malformed:
    return Malformed(message, "choose another name with --name", code="bad-name")
