"""Words that are no move: what a player says about himself, and how an invitation is answered."""

import re
from collections.abc import Collection
from datetime import date
from functools import cache

import msgspec

from referee.errors import Usage
from referee.game import nearest
from referee.mail.listing import bared
from referee.mail.settings import ADDRESS

BARE = ("ok", "okay", "agree", "i agree", "agreed")
"""Each of these answers a question that leaves nothing to choose."""
_YES = ("yes", "ja")
"""These do too, unless we have asked something else meanwhile."""
_NO = ("no", "no thanks", "no, thanks", "no thank you", "decline", "nein", "nee")
_FORMS = {
    "away": "away until 2027-01-05", "back": "back", "zone": "zone Europe/Berlin", "language": "language de",
    "address": "address new@example.org", "resign": "resign",
}  # fmt: skip
AWAY_MOST = 120
"""So many days of a year a player can be away: deadlines are there so that games go on."""


class Away(msgspec.Struct, frozen=True):
    """Gone until this day, which still counts."""

    until: date


class Back(msgspec.Struct, frozen=True):
    """No longer away."""


class Zone(msgspec.Struct, frozen=True):
    name: str


class Language(msgspec.Struct, frozen=True):
    name: str


class Address(msgspec.Struct, frozen=True):
    new: str


class Resign(msgspec.Struct, frozen=True):
    """Leaves the game; `sure` says so for good."""

    sure: bool = False


class JoinAs(msgspec.Struct, frozen=True):
    name: str


class No(msgspec.Struct, frozen=True):
    """Does not want to play."""


Said = Away | Back | Zone | Language | Address | Resign
Answer = JoinAs | No


def about_player(line: str, today: date, languages: Collection[str]) -> Said | None:
    """What a line says about the player; None if it is none of these words. Raises `Usage` for one that is spelled
    wrongly, so that it is never taken for something else."""
    words = bared(line).split()
    first, rest = (words[0].casefold(), words[1:]) if words else ("", [])
    text = " ".join(rest)
    if first == "away":
        return Away(_until(rest, today))
    if first == "back" and not rest:
        return Back()
    if first == "zone":
        return Zone(_zone(text))
    if first == "language":
        return Language(_language(text.casefold(), languages))
    if first == "address":
        if not ADDRESS.fullmatch(text):
            raise Usage("this is no mail address", f"write `{_FORMS['address']}`", code="bad-words")
        return Address(text)
    if first == "resign" and text.casefold() in ("", "for good"):
        return Resign(bool(rest))
    return None


def invitation_answer(line: str) -> Answer | None:
    """How a line answers an invitation; None if it does not."""
    text = " ".join(bared(line).split())
    if text.casefold() in _NO:
        return No()
    found = re.fullmatch(r"(?:i )?join as (.{1,200})", text, re.IGNORECASE)
    return JoinAs(found[1].strip(" .\"'<>`")) if found else None


def bare(line: str, *, sure: bool = False) -> str | None:
    """What is left of an answer after its clause `ok`; None if it has none. To be `sure`, a mere `yes` is none."""
    clauses = [clause.strip() for clause in bared(line).split(";")]
    known = BARE if sure else (*BARE, *_YES)
    left = [clause for clause in clauses if bared(clause).casefold() not in known]
    return "; ".join(filter(None, left)) if len(left) < len(clauses) else None


def _until(words: list[str], today: date) -> date:
    if len(words) == 2 and words[0].casefold() == "until" and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", words[1]):
        try:
            until = date.fromisoformat(words[1])
        except ValueError:
            until = date.min
        if 0 <= (until - today).days <= AWAY_MOST:
            return until
        raise Usage(
            f"this is no day within the next {AWAY_MOST}", f"write the last day, `{_FORMS['away']}`", code="bad-words"
        )
    raise Usage("it does not say until when", f"write the last day, as `{_FORMS['away']}`", code="bad-words")


@cache
def _zones() -> dict[str, str]:
    from zoneinfo import available_timezones

    return {name.casefold(): name for name in available_timezones()}


def _zone(text: str) -> str:
    found = _zones().get(text.casefold().replace(" ", "_"))
    if found is None:
        near = nearest(text[:60], _zones())
        raise Usage(f"there is no such time zone{near}", f"write for example `{_FORMS['zone']}`", code="bad-words")
    return found


def _language(text: str, languages: Collection[str]) -> str:
    if text not in languages:
        raise Usage(
            "our mails are not written in this language yet", f"there are: {', '.join(languages)}", code="bad-words"
        )
    return text
