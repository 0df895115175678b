"""Names that every reader accepts: they cannot play tricks on a terminal."""

import unicodedata

from referee.errors import Malformed

# Characters without a shape of their own: fillers, joiners, variation selectors, the empty Braille cell.
_INVISIBLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0000, 0xE0FFF),
)  # fmt: skip
_UNSAFE = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


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
        raise refused("a name must have 1 to 40 visible characters, without control or direction marks")
    return name


def refused(message: str) -> Malformed:
    """Somebody must choose another name."""
    return Malformed(message, "choose another name with --name", code="bad-name")
