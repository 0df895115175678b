"""Words that are not moves: what players say about themselves, what they ask for, and answers to invitations. They are
understood in every language at any time."""

import re
from contextlib import suppress
from datetime import date
from difflib import get_close_matches
from functools import cache
from unicodedata import normalize

import msgspec

from referee.errors import Usage
from referee.game import nearest
from referee.language import ENGLISH, Text, current_language
from referee.lexicon import Lexicon, Words, spellings
from referee.mail import t
from referee.mail.listing import stripped
from referee.mail.settings import ADDRESS

WORDS: Words = {
    "away until": {"de": ("abwesend bis", "abwesend bis zum", "abwesend bis einschließlich", "bin abwesend bis"),
                   "nl": ("afwezig t/m", "afwezig tot", "afwezig tot en met", "ben afwezig t/m", "ben afwezig tot",
                          "ben afwezig tot en met")},
    "away": {"de": ("abwesend",), "nl": ("afwezig",)},
    "back": {"de": ("zurück", "bin zurück"), "nl": ("terug", "ben terug")},
    "zone": {"de": ("Zeitzone",), "nl": ("tijdzone",)},
    "language": {"de": ("Sprache",), "nl": ("taal",)},
    "address": {"de": ("Adresse",), "nl": ("adres",)},
    "resign for good": {"de": ("endgültig aussteigen", "aussteigen endgültig"),
                        "nl": ("voorgoed uitstappen", "uitstappen voorgoed", "definitief uitstappen")},
    "resign": {"de": ("aussteigen",), "nl": ("uitstappen",)},
    "ok": {"de": ("einverstanden", "ich bin einverstanden", "ich stimme zu"), "nl": ("akkoord", "ik ga akkoord")},
    "yes": {"de": ("ja",), "nl": ("ja",)},
    "no": {"de": ("nein", "nein danke", "nein, danke"),
           "nl": ("nee", "nee bedankt", "nee, bedankt", "nee dank je", "nee, dank je")},
    "help": {"de": ("Hilfe", "hilf mir"), "nl": ("hulp", "help mij")},
    "rules": {"de": ("Regeln", "Regel", "Spielregeln"), "nl": ("regels", "regel", "spelregels")},
    "board": {"de": ("Brett", "Spielbrett", "Spielplan", "Stellung"), "nl": ("bord", "speelbord", "stelling")},
    "moves": {"de": ("Züge", "mögliche Züge", "Zugliste"), "nl": ("zetten", "mogelijke zetten")},
    "story": {"de": ("Geschichte", "Verlauf", "Spielverlauf", "was ist passiert"),
              "nl": ("verhaal", "verloop", "geschiedenis", "wat is er gebeurd")},
    "status": {"de": ("Status", "Spielstand", "wer ist dran", "wer ist am Zug"),
               "nl": ("spelstand", "wie is aan de beurt", "wie is er aan de beurt")},
    "join as": {"de": ("mitspielen als", "ich spiele mit als", "spiele mit als"),
                "nl": ("meespelen als", "ik speel mee als", "meedoen als", "ik doe mee als")},
}  # fmt: skip
"""Like `words.json` of a game: the first form of each language is the one that our mails show. None of them is a word
of a game (`Weg`, `aufgeben` and the like are)."""
_ENGLISH = {
    "i join as": "join as", "okay": "ok", "agree": "ok", "i agree": "ok", "agreed": "ok",
    **dict.fromkeys(("no thanks", "no, thanks", "no thank you", "decline"), "no"),
    "help me": "help", "rule": "rules", "rulebook": "rules", "position": "board", "possible moves": "moves",
    "legal moves": "moves", "list of moves": "moves", "history": "story", "what happened": "story",
    "whose turn": "status", "whose turn is it": "status", "who is next": "status",
}  # fmt: skip
_HEADS = {**{english: english for english in WORDS}, **_ENGLISH, **Lexicon(WORDS).meanings}
"""Every spelling of every word -> the English one."""
_LONGEST = max(len(head.split()) for head in _HEADS)
_LANGUAGES = {
    "en": ("en", "English", "Englisch", "Engels"),
    "de": ("de", "German", "Deutsch", "Duits"),
    "nl": ("nl", "Dutch", "Niederländisch", "Holländisch", "Nederlands", "Hollands"),
}
_CALLED = {spelling: one for one, names in _LANGUAGES.items() for name in names for spelling in spellings(name)}
"""Every spelling of a language's name -> the language."""
_ALONE = {
    f"{before}{name}": one
    for name, one in _CALLED.items() if len(name) > 2
    for before in ("", "in ", "auf ", "in het ")
}  # fmt: skip
"""The same as a whole line. `en` and `de` are Dutch words, which a program can leave alone on a line when it wraps."""
_MONTH_NAMES = (
    "january januar jänner januari jan", "february februar februari feb febr", "march märz maart mar mär mrt",
    "april apr", "may mai mei", "june juni jun", "july juli jul", "august augustus aug",
    "september sep sept", "october oktober oct okt", "november nov", "december dezember dec dez",
)  # fmt: skip
_MONTHS = {
    spelling: number
    for number, names in enumerate(_MONTH_NAMES, 1)
    for name in names.split()
    for spelling in spellings(name)
}
"""Every spelling of a month's name, in every language -> its number."""
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})", re.ASCII)
_DOTS = re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})(?:\.\s?(?P<year>\d{4}|\d{2})?)?", re.ASCII)
_SIGNS = re.compile(r"(?P<day>\d{1,2})(?P<sign>[-/])(?P<month>\d{1,2})(?P=sign)(?P<year>\d{4})", re.ASCII)
_DAY_IN_WORDS = re.compile(r"(?P<day>\d{1,2})\.?\s?(?P<name>[^\W\d_]+)\.?,?(?:\s(?P<year>\d{4}))?")
_MONTH_FIRST = re.compile(r"(?P<name>[^\W\d_]+)\.?\s(?P<day>\d{1,2})(?:,?\s(?P<year>\d{4}))?")
_POLITE = re.compile(
    r"^(?:(?:please|bitte|graag|alsjeblieft|show|send|give|zeig\w*|schick\w*|gib|toon|stuur|geef)\s)?"
    r"(?:(?:please|bitte|graag|me|mir|uns|mij|the|den|das|die|de|het)\s){0,3}"
    r"|\s(?:please|bitte|graag|alsjeblieft)$",
    re.IGNORECASE,
)
_SINCE = re.compile(r"(?:(?:since|from|ab|seit|sinds|vanaf)? ?(?:round|runde|ronde)? ?([0-9]{1,4}))?", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:[A-Za-z]{1,6}-)?[0-9]{0,3}[a-z]?", re.IGNORECASE)
NAME_MOST = 200
AWAY_MOST = 120
"""How many days a year a player can be away: deadlines keep games going."""


class Away(msgspec.Struct, frozen=True):
    """Away until this day, inclusive."""

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
    """Leaves the game; `sure` if it was said `for good`."""

    sure: bool = False


class JoinAs(msgspec.Struct, frozen=True):
    name: str


class No(msgspec.Struct, frozen=True):
    """Does not want to play."""


class Asked(msgspec.Struct, frozen=True):
    """A word that asks for something, and what it is about: a clause of the rules, or the round from which to tell."""

    word: str
    about: str = ""


ASKING = ("help", "rules", "board", "moves", "story", "status")
"""The words that ask for something."""

Statement = Away | Back | Zone | Language | Address | Resign
InvitationReply = JoinAs | No


def in_english(line: str) -> tuple[str, str]:
    """The word that a line begins with, in English, and the rest of the line; an empty word if it is not one of
    ours."""
    words = normalize("NFC", stripped(line)).split()
    for length in range(min(_LONGEST, len(words)), 0, -1):
        head = _HEADS.get(" ".join(words[:length]).casefold().removesuffix(":"))
        if head is not None:
            return head, " ".join(words[length:])
    return "", " ".join(words)


def language_of(name: str) -> str:
    """The language with this name in any language; empty if it is not one of ours."""
    return _CALLED.get(normalize("NFC", name).casefold(), "")


def is_language(line: str) -> bool:
    """Whether a line is the name of a language, and nothing else."""
    head, rest = in_english(line)
    return not head and rest.casefold() in _ALONE


def about_player(line: str, today: date) -> Statement | None:
    """What a line says about the player; None if it says nothing of this kind. Raises `Usage` for a misspelled
    statement, so that it is never taken for something else."""
    match in_english(line):
        case "", rest if rest.casefold() in _ALONE:
            return Language(_ALONE[rest.casefold()])
        case "away until", day:
            return Away(_until(line, day, today))
        case "away", _:
            return Away(_until(line, "", today))
        case "back", "":
            return Back()
        case "zone", zone:
            return Zone(_zone(zone))
        case "language", name:
            if not (language := language_of(name)):
                raise _unread(
                    t("I cannot write in this language yet"),
                    t("write `language English`, `language Deutsch` or `language Nederlands`"),
                )
            return Language(language)
        case "address", new:
            if not ADDRESS.fullmatch(new):
                raise _unread(t("this is not a valid email address"), t("write `address new@example.org`"))
            return Address(new)
        case "resign" | "resign for good" as head, "":
            return Resign(head != "resign")
    return None


def _unread(message: Text, next: Text) -> Usage:
    return Usage(message, next, code="bad-words")


def invitation_answer(line: str) -> InvitationReply | None:
    """How a line answers an invitation; None if it does not."""
    head, rest = in_english(line)
    if head == "no" and not rest:
        return No()
    return JoinAs(rest.strip(" .\"'<>`")) if head == "join as" and 0 < len(rest) <= NAME_MOST else None


def asked_for(line: str) -> Asked | None:
    """What a line asks for; None if it is not one of the words that do. None of them is ever a move: a move of a game
    that is spelled like one of them is asked back about (see `reading`)."""
    line = stripped(_POLITE.sub("", stripped(line.rstrip("?! "))))
    head, rest = in_english(line)
    if head not in ASKING:
        return None
    if head == "story":
        found = _SINCE.fullmatch(rest)
        return Asked(head, found[1] or "") if found else None
    if head == "rules":
        return Asked(head, rest.upper()) if _CLAUSE.fullmatch(rest) else None
    return None if rest else Asked(head)


def nearest_word(line: str) -> str:
    """The word of ours that a line may be meant as, in English; empty if none is close."""
    heads = {head: english for head, english in _HEADS.items() if len(head) > 3}
    found = get_close_matches(stripped(line.rstrip("?! ")).casefold()[:40], heads, 1, 0.75)
    return heads[found[0]] if found else ""


def called(english: str) -> str:
    """One of our words as it is called in the current language."""
    language = current_language()
    return english if language == ENGLISH else WORDS[english].get(language, (english,))[0]


def yes_number(line: str) -> int | None:
    """The number in `yes 2`, 0 for a mere `yes`; None if a line says neither."""
    head, rest = in_english(line)
    return (int(rest) if rest else 0) if head == "yes" and re.fullmatch("[1-9]?", rest) else None


def without_ok(line: str, *, sure: bool = False) -> str | None:
    """What is left of an answer without its clause `ok`; None if it has none. With `sure`, a mere `yes` is not
    enough."""
    clauses = [clause.strip() for clause in stripped(line).split(";")]
    known = [("ok", "")] if sure else [("ok", ""), ("yes", "")]
    left = [clause for clause in clauses if in_english(clause) not in known]
    return "; ".join(filter(None, left)) if len(left) < len(clauses) else None


def _until(line: str, day: str, today: date) -> date:
    """The last day of an absence. After English words the month may come first in numbers: then the day is
    ambiguous."""
    days = read_day(day, today, either=stripped(line).casefold().startswith("away"))
    if len(days) == 2:
        raise _unread(
            t("this can mean two different days"), t("write the month as a word, `away until 5 January 2027`")
        )
    if days and 0 <= (days[0] - today).days <= AWAY_MOST:
        return days[0]
    if any(letter.isdigit() for letter in day):
        why = t("this is not a day within the next {away_most} days", away_most=AWAY_MOST)
        raise _unread(why, t("write the last day, `away until 2027-01-05`"))
    raise _unread(t("this does not say until when"), t("write the last day, as `away until 2027-01-05`"))


@cache
def _zones() -> dict[str, str]:
    from zoneinfo import available_timezones

    return {name.casefold(): name for name in available_timezones()}


def _zone(text: str) -> str:
    found = _zones().get(text.casefold().replace(" ", "_"))
    if found is None:
        why = t("there is no such time zone{near}", near=nearest(text[:60], _zones()))
        raise _unread(why, t("write for example `zone Europe/Berlin`"))
    return found


# --- days ------------------------------------------------------------------------------------------------------------


def read_day(text: str, today: date, *, either: bool = False) -> list[date]:
    """The days that this can mean: at most one, or two with `either`. In numbers the day comes before the month; with
    `either` also the other way round. Without a year it is the next such day."""
    text = " ".join(normalize("NFC", text).casefold().split())
    if found := _ISO.fullmatch(text) or _DOTS.fullmatch(text):
        return _days(found["year"], int(found["month"]), found["day"], today)
    if found := _SIGNS.fullmatch(text):
        orders = [(found["month"], found["day"]), (found["day"], found["month"])]
        days = [_days(found["year"], int(month), day, today) for month, day in orders[: 1 + either]]
        return sorted({day for one in days for day in one})
    if found := _DAY_IN_WORDS.fullmatch(text) or _MONTH_FIRST.fullmatch(text):
        return _days(found["year"], _MONTHS.get(found["name"], 0), found["day"], today)
    return []


def _days(year: str | None, month: int, day: str, today: date) -> list[date]:
    """This day, if it exists; `27` is the year 2027."""
    years = (int(year) + 2000 * (len(year) == 2),) if year else (today.year, today.year + 1)
    found: list[date] = []
    for one in years:
        with suppress(ValueError):
            found.append(date(one, month, int(day)))
    return [one for one in found if year or one >= today][:1]
