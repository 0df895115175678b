"""What people write around the words of a move, before `referee.grammar` reads it: quotes, ordinals, reasons, and small
words between the two halves of a verb. Nothing is left out here that could change what is meant: a reason is, if it
begins as reasons do and names nothing to do."""

import re
from collections.abc import Callable, Collection, Mapping
from unicodedata import normalize

_AS_MEANT = dict.fromkeys('"`´„“”«»‹›', " ") | {chr(0xFF01 + n): chr(0x21 + n) for n in range(0x5E)}
_AS_MEANT |= dict.fromkeys("ĳĲÿŸ", "ij") | dict.fromkeys("ıİ", "i") | dict.fromkeys("‘’‚", "'")
"""Quotes mean nothing, wide letters the narrow ones, and some keyboards have letters of their own."""
# These patterns are compiled when they are first used: most commands read nothing that was typed.
_DASH = r"(?<=[^\W\d_])\s+[-\u2013\u2014]+\s+(?=[^\W\d_])"
"""A dash between words, which is no minus."""
_SMILE = r"\s(?::-?\)|;-\))$"
"""A smile behind a line."""
_BESIDE = r"\((?=[^\W\d_])([^()+*/=]*)\)"
"""A word in brackets, no part of an expression."""
_TIMES = r"(?i)(?<![\d)])(?<![\d)]\s)\bx(\d+)\b"
"""`silver x4`."""
_BUT = (
    r"(?i)(?<!\ball)(?<!\banything)(?<!\beverything)(?<!\bnothing)(?<!\bnone)(?<!\bany),?\s+but\b|,\s*(?:aber|maar)\b"
)
"""`pass red but keep my turn open`; not `all but red`."""
_MORE = r"(?i)\bnoch(?=\s+(?:ein|eine|einen|einmal|mal|zwei|drei|offen)\b)"
"""German `noch zwei`; any other `noch` may be Dutch, and means `nor`."""
_WITH_ONE = r"(?i)\b(with|mit|met|by|um)\s+(?:one|eins|één)(?=\s*(?:[,.;!]|$))"
_CLAUSE_END = r"((?i:[,;.!:]|\b(?:und|en|and|dann|danach|dan|daarna|then)\b))"
_THEN = r"(?i)\b([^\W\d_]+)((?:\s+(?:ich|ik|i))?)\s+(dann|danach|anschließend|dan|daarna|vervolgens)\b"
"""`setze dann aus`, where `dann` stands between the halves of a verb."""

NUMBERS = {
    word: str(number)
    for number, words in enumerate(
        (
            "two zwei twee", "three drei drie", "four vier",
            "five fünf fuenf funf vijf", "six sechs zes",
            "seven sieben zeven", "eight acht", "nine neun negen", "ten zehn tien", "eleven elf",
            "twelve zwölf zwoelf zwolf twaalf", "thirteen dreizehn dertien", "fourteen vierzehn veertien",
            "fifteen fünfzehn fuenfzehn funfzehn vijftien", "sixteen sechzehn zestien", "seventeen siebzehn zeventien",
            "eighteen achtzehn achttien", "nineteen neunzehn negentien", "twenty zwanzig twintig",
        ),
        2,
    )
    for word in words.split()
}  # fmt: skip
_NUMBER = rf"(?i)\b(?:{'|'.join(NUMBERS)})\b(?!\s+(?:second|slotte|derde|third)\b)"
"""In Dutch `ten tweede` (secondly) nothing is counted."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_ORDINALS = (
    *(("erste", 1), ("zweite", 2), ("dritte", 3), ("vierte", 4), ("fünfte", 5), ("fuenfte", 5)),
    *(("eerste", 1), ("tweede", 2), ("derde", 3), ("vierde", 4), ("vijfde", 5)),
)
_NAMED_ORDINAL = {f"{word}{end}": number for word, number in _ORDINALS for end in ("", "n", "r", "s", "m")}
_WRITTEN_ORDINAL = r"(?i)\b([1-9])(?:st|nd|rd|th|e|de|ste)\b"
_SPOKEN_ORDINAL = rf"(?i)\b(?:{'|'.join(sorted(_NAMED_ORDINAL, key=len, reverse=True))})\b"
_NTH = (
    rf"(?i)\b({'|'.join(ORDINALS)}) (piece|row|goal)\b"
    r"|\b(piece|row|goal|offer|number) (?:one|eins|één|een)\b"
    r"|(?<![\w.])([1-9])\s?\. (piece|row|goal)\b"
)
"""`third piece`, `row one`, `2. piece`: what is called by its number."""
_ALONE = rf"(?i)\b({'|'.join(ORDINALS)})(?=\s*(?:[,.;!]|please\b|bitte\b|graag\b|$))"
"""`the second, please`."""

_SO_THAT = r"(?i),?\s+\b(?:damit|zodat|so that|so)\b(?=\s+(?:i|ich|ik)\b)"
_BECAUSE = (
    r"(?i)(?:^|[,;.]?\s+)\b(?:because|cause|cos|cuz|weil|denn|omdat|aangezien"
    r"|um(?=[^,;.]*\szu\s)|om(?=[^,;.]*\ste\s)|in order to|da(?=\s+(?:ich|wir|es|er|sie|mir|ist|sind|das|mein)\b)"
    r"|want(?=\s+(?:ik|er|het|dat|ze|hij|mijn|we|die)\b))\b([^,;.]*)"
)
"""A reason, up to the next sign. German `da` and Dutch `want` begin one only before some words."""
_DOUBTS = """
if unless or and then except maybe perhaps but instead
wenn falls oder und dann außer vielleicht sondern
als of en dan tenzij behalve misschien maar
"""
_IN_NO_REASON = frozenset(_DOUBTS.split())
_REMARK = (
    r"(?i)(?:^|(?<=[,;.!]))\s*(?:(?:i'm|i am|ich bin|ik ben|we're) (?:so |leider |helaas |a bit |zu |te |too )?"
    r"(?:broke|skint|poor|pleite|blank|arm|blut|platzak|tired|müde|moe|sorry|curious|gespannt|benieuwd)"
    r"|(?:good luck|have fun|viel glück|viel spaß|veel plezier|veel succes|succes allemaal|thank you|greetings"
    r"|(?:liebe |viele |schöne )?grüße|(?:veel |vele )?groet(?:en|jes)|sorry for the delay|sorry for being late"
    r"|sorry (?:dass|für|voor|dat) [^,;.]*|let's see|mal sehen|mal schauen|even kijken|eens kijken|we'll see"
    r"|schauen wir mal|your turn|du bist dran|jij bent"
    r"|(?:nothing|nichts|nix|niks|niets) (?:useful|good|interesting|gescheites|brauchbares|gutes|interessantes"
    r"|bruikbaars|goeds|interessants)(?: there| here| dabei| bij| erbij)?"
    r"|(?:da|hier) ist (?:nichts|nix)(?: gutes| brauchbares)?(?: für mich)? dabei"
    r"|(?:i|we) need (?:the |some |more )*(?:money|cash)|(?:ich )?brauche? (?:etwas |dringend |noch )*geld"
    r"|(?:ik )?(?:heb|moet) (?:wat |dringend )*geld (?:nodig|hebben)|(?:there's )?nothing (?:that )?i can afford"
    r"|(?:i )?can't afford (?:anything|more|it)|(?:ich )?kann mir nichts (?:mehr )?leisten"
    r"|(?:ik )?kan (?:me )?(?:niks|niets) (?:meer )?(?:betalen|veroorloven)"
    r"|er (?:zit|is) (?:niks|niets)(?: goeds| bruikbaars)?(?: voor mij)? (?:bij|tussen)))"
    r"(?=\s*(?:[,;.!:]|$)):?"
)
"""What people say beside a move in a clause of its own: how they are, good luck, sorry."""


def tidied(line: str) -> str:
    """A line as it is meant: without quotes and a full stop, and with the letters that words are written in."""
    plain = "".join(_AS_MEANT.get(sign, sign) for sign in normalize("NFC", line))
    plain = re.sub(_BESIDE, r" \1 ", re.sub(_TIMES, r"\1", re.sub(_DASH, ", ", plain)))
    return re.sub(_SMILE, "", re.sub(r"(?<=\s)&(?=\s)", "and", plain)).strip(" .!…'")


def in_order(line: str, phrases: Mapping[str, Collection[str]], known: Collection[str]) -> str:
    """A tidy line with figures for numbers, and small words where they are not in the way. `phrases`: the last words of
    phrases, by their first; `known`: all words of the game, for an ordinal alone."""

    def moved(found: re.Match[str]) -> str:
        there = re.split(_CLAUSE_END, line[found.end() :], maxsplit=1)[0].casefold().split()
        halves = phrases.get(found[1].casefold(), ())
        return f"{found[3]} {found[1]}{found[2]}" if {*there}.intersection(halves) else found[0]

    def alone(found: re.Match[str]) -> str:
        return f"{found[1]} one" if f"{found[1].casefold()} one" in known else found[0]

    line = re.sub(_WRITTEN_ORDINAL, lambda found: ORDINALS[int(found[1]) - 1], re.sub(_MORE, "", line))
    line = re.sub(_SPOKEN_ORDINAL, lambda found: ORDINALS[_NAMED_ORDINAL[found[0].casefold()] - 1], line)
    line = re.sub(_THEN, moved, re.sub(_WITH_ONE, r"\1 1", re.sub(_BUT, ",", line)))
    line = re.sub(_NUMBER, lambda found: NUMBERS[found[0].casefold()], line)
    return re.sub(_ALONE, alone, line)


def with_halves(line: str, phrases: Mapping[str, Collection[str]]) -> str:
    """`gebe ab eine Karte` for `gebe eine Karte ab`: both halves of a verb side by side."""

    def whole(clause: str) -> str:
        words = clause.split()
        for at, word in enumerate(words[:-2]):
            if words[-1].casefold() in phrases.get(word.casefold(), ()):
                return f" {' '.join((*words[: at + 1], words[-1], *words[at + 1 : -1]))} "
        return clause

    return "".join(map(whole, re.split(_CLAUSE_END, line)))


def numbered(line: str) -> str:
    """An English line with `piece 3` for `third piece`, and what is said twice only once: `ace (11)`."""

    def with_number(found: re.Match[str]) -> str:
        ordinal, of_ordinal, of_one, figure, of_figure = found.groups()
        number = ORDINALS.index(ordinal.casefold()) + 1 if ordinal else figure or 1
        return f"{of_ordinal or of_one or of_figure} {number}"

    return re.sub(r"\b(\d+) \(\1\)", r"\1", re.sub(_NTH, with_number, line))


def without_reasons(line: str, does: Callable[[str], bool]) -> str:
    """A line without why it is said; what could be something to do (`does`) is left."""

    def reason(found: re.Match[str]) -> str:
        words = set(re.findall(r"\w+", found[1].casefold()))
        return found[0] if not words or words & _IN_NO_REASON or any(map(does, words)) else ""

    return re.sub(_SO_THAT, ",", re.sub(_REMARK, "", re.sub(_BECAUSE, reason, line)))
