"""Names that people choose: nobody can be taken for somebody else. The tools refuse more than a verifier does."""

import unicodedata
from collections.abc import Sequence

from referee.engine.names import check_name, fold, refused
from referee.errors import Malformed
from referee.language import t

# Letters of other scripts that look like Latin ones: capitals and small letters can look like different ones.
_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "АВСЕНІЈКӀМОРЅТУХѴԚԜ", "ABEZHIKMNOPTYX" + "ABCEHIJKIMOPSTYXVQW")
# The same for small letters, and Latin letters and digits that look like each other.
_ALIKE = str.maketrans(
    "авсԁеһіјкӏмнопԛрѕтуԝхѵ" + "αβγεηικμνορτυχω" + "ɑɡɴᴏ" + "iıɪʟ1|ǀ0",
    "abcdehljklmhonqpstywxv" + "abyenlkmvoptuxw" + "agno" + "lllllllo",
)
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")


def choose_name(name: str) -> str:
    """A name that a player may join under: nobody must be able to take it for something else."""
    check_name(name)
    if any(unicodedata.category(c) == "Cn" for c in name):
        raise refused(t("this name has a character that is unknown here"))
    if "@" in name or ";" in name:
        raise refused(t("a name has no @ and no semicolon: in typed moves they mean something else"))
    if fold(name).replace(" ", "").isdigit():
        raise refused(t("a name is more than a number: in typed moves that can stand for a seat"))
    scripts = {script for c in name if c.isalpha() for script in _SCRIPTS if unicodedata.name(c, "").startswith(script)}
    others = any(c.isalpha() and not unicodedata.name(c, "").startswith(_SCRIPTS) for c in name)
    if len(scripts) + (others and bool(scripts)) > 1:
        raise refused(t("this name mixes letters of several scripts"))
    return name


def refuse_alike(names: Sequence[str]) -> None:
    """Refuse players whose names could be taken for each other."""
    looks = [_look(name) for name in names]
    if len(set(looks)) != len(looks):
        raise Malformed(
            t("two players have names that look alike"),
            t("ask one of them to join under another name"),
            code="bad-name",
        )


def _look(name: str) -> str:
    """What is left of a name for somebody who takes a quick look."""
    plain = fold(unicodedata.normalize("NFKD", name).translate(_CAPITALS)).translate(_ALIKE)
    return plain.replace("rn", "m").replace("vv", "w").replace(" ", "")
