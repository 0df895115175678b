"""Reads what a person types, in any language, as the words of a game's own grammar.

People say more than a grammar needs (`I'd like to`, `bitte`), in another order (`2 rood kopen`, `d1 p2 move`), with
numbers in letters. What is left here are the game's words, with the verb of each clause in front. Which words those
are, which of them are verbs and which mean nothing, is said in a game's `words.json` (see `referee.lexicon`). No word
is dropped that could change what is meant: `not`, `or` and `unless` stay, and a grammar that does not know them
refuses the whole.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from referee.errors import IllegalMove, Usage
from referee.language import quoted, t
from referee.phrasing import NUMBERS, in_order, numbered, tidied, with_halves, without_reasons

if TYPE_CHECKING:
    from referee.lexicon import Lexicon

K = TypeVar("K", bound=str)
T = TypeVar("T")

LONGEST = 400
"""Most characters of a line that is read: no move is longer."""
ONE = {"one", "eins", "één"}
"""A number only before what is counted: `play one` does not say which."""
_BOTH = frozenset(("both", "beide", "beiden", "beides", "allebei"))
"""Two of what follows; `both red and blue` may be one of each, and is not read."""
_SAID_BESIDE = """
i i'd i'll i'm i've we we'd we'll let let's lets me my our please would like want wish will am is to the now just also
going gonna ok okay only well thanks thank you hereby first it so do can could may shall choose decide need rather
this these those yes sure it's go ahead ones here here's comes whatever today think guess prefer must simply actually
afterwards finally lastly cheers alright hmm make makes making got should be sorry thing things stuff what what's
choice which too

ich wir möchte moechte mochte will würde wuerde wurde werde gern gerne jetzt nun mal auch bitte danke hiermit mein
meine meinen meinem meiner der die das den dem es ihn sie zuerst zunächst zunaechst zunachst erst mir mich dir hätte
haette hatte halt einfach natürlich natuerlich naturlich lieber schon ja dafür dafuer dafur dazu damit hier also tja
na gut aber hin her schön sorry moin hallo denke glaube meins sofort gleich heute diese diesen dieser dieses diesmal
wieder wird wirds werd werden liegt bekommt kann könnte koennte konnte können koennen konnen lass lasse lassen nur mag
kommt gehen geht komm sein bleibe doch bitteschön gerade eben so jeweils bin dran

ik wil ga zou willen graag nu maar eens even eerst nog ook mijn er hierbij alsjeblieft dank de het deze dit mij me heb
gewoon natuurlijk liever hoor dus ja toch dat daar hier hierop erop hem denk gaan laten laat we komt komen sorry
bedankt prima goed nou meteen direct vandaag ditmaal heel eventjes oké alstublieft aub svp neer wel mezelf worden ligt
krijgt kan kunnen kon wordt alleen slechts mag
"""
FILLERS = frozenset(_SAID_BESIDE.split())
"""What people say beside the words of a move, in all languages; where a game uses one of them, it is a word."""
_THEN = frozenset(("then", "dann", "danach", "anschließend", "dan", "daarna", "vervolgens"))
_JOINING = frozenset(("and", "und", "en", "plus", "sowie")) | _THEN
# These patterns are compiled when they are first used: most commands read nothing that was typed.
_OF = (
    r"(?i)(?<!@)\b((?:\d+|one|two|three|four|five|six)(?= of (?:my|the) )|all|both|each|price"
    r"|(?:piece|share|card|case|bar|bag|sack)s?) of "
    r"(?=(?:(?:my|the) )?([a-z]{3,}))|\b(piece \d+|[a-z]{3,}) of (?=@)"
)
"""English `2 of the reds`, `a piece of glass`. Any other `of` may be Dutch, and means `or`."""
_PARTS = r"(?i)[,;.]|\b(?:und|dann|danach|anschließend|en|dan|daarna|vervolgens|and|then)\b"
_FIRST = (
    r"(?i)\b(?:zuerst|zunächst|erst(?!\s+ab)|zuvor|vorher|davor|eerst|vooraf|daarvoor|first(?!\s+(?:piece|row|way|goal|one))|before"
    r"|beforehand|previously)\b"
)
_LAST = (
    r"(?i)\b(?:zuletzt|(?:am|zum)\s+(?:ende|schluss)|tot slot|als laatste|lastly|finally|last|at the end|in the end"
    r"|afterwards)\b"
)
_ONCE = r"(?i)\b(?:now|today|this|jetzt|nun|heute|diesmal|dieses\s+mal|nu|vandaag|deze|dit|ditmaal|rather)\b"
_I = r"(?i)^\W*(?:i|i'll|i'd|ich|ik)\b"
_LASTING = (
    r"(?i)\b(?:always|never|ever|every|automatically|ask|asked|except|unless|from|immer|nie|niemals|ab|außer"
    r"|frag\w*|gefragt|altijd|nooit|vanaf|behalve|alleen|vraag|vragen|gevraagd)\b"
)
"""Words that only standing orders have: what somebody says of themselves without one is done once."""
_TOKEN = r"\s*(?:@\d+|[^\W\d_]\d+[^\W\d_]?(?!\w)|\d+|[^\W\d_]+(?:['-][^\W\d_]+)*|\S)"
"""A player, a field as `d1`, a number, a word, or a sign, with the space before it."""


def out_of_order(line: str) -> bool:
    """Whether a line names later what is done first, or first what is done last: games read a line in its order."""
    first, *more = re.split(_PARTS, line)
    *most, _ = (first, *more)
    return any(re.search(_FIRST, part) for part in more) or any(re.search(_LAST, part) for part in most)


def is_for_once(line: str, *, for_good: bool = False) -> bool:
    """Whether a line is about this time only: then it is not a standing order. `I bid nothing` says what I do now,
    unless `from now on` stood before it."""
    lasting = for_good or re.search(_LASTING, line) is not None
    return re.search(_ONCE, line) is not None or (not lasting and re.search(_I, line) is not None)


def read(rule: Callable[[str], T], lexicon: "Lexicon", line: str) -> T:
    """What a game's grammar makes of a line. Raises `IllegalMove` if nothing, and `Usage` if two things."""
    if len(line) > LONGEST:
        raise Usage(t("that is too long for a move"), t("type at most {longest} characters", longest=LONGEST))
    found: list[T] = []
    refused: IllegalMove | None = None
    for reading in readings(lexicon, line):
        try:
            found.append(rule(reading))
        except IllegalMove as error:
            refused = error
    if not found and refused is not None:
        raise refused
    return agreed(found)


def agreed(found: Collection[T]) -> T:
    """What all of these are."""
    first, *others = found
    if any(one != first for one in others):
        raise Usage(t("this can be read in two ways"), t("choose a line of the list by its number, as `#1`"))
    return first


def readings(lexicon: "Lexicon", line: str) -> Iterable[str]:
    """A line as a game may read it: as it was typed, in English, and with only what means something, verbs first."""
    told = without_reasons(tidied(line), lambda word: lexicon.english(word) in lexicon.verbs)
    told = in_order(told, lexicon.halves, lexicon.words.keys() | lexicon.meanings.keys())
    found = {line: None}
    for one in dict.fromkeys((told, with_halves(told, lexicon.halves))):
        plain = re.sub(r"(@\d+)'s\b", r"\1", _without_of(lexicon, one))
        tokens = re.findall(_TOKEN, plain)
        kept = _in_phrases(lexicon.said_phrases, [token.strip().casefold() for token in tokens])
        joined = "".join(
            token
            for at, token in enumerate(tokens)
            if at in kept or token.strip().casefold() not in FILLERS or not _stands_alone(tokens, at)
        )
        english, short = (numbered(lexicon.english(text)) for text in (plain, joined))
        found |= dict.fromkeys((english, _in_order(lexicon, english), _in_order(lexicon, short)))
    return found


def _without_of(lexicon: "Lexicon", line: str) -> str:
    def without(found: re.Match[str]) -> str:
        beside = (found[2] or found[3].split()[0]).casefold()
        return f"{found[1] or found[3]} " if beside in lexicon.in_english else found[0]

    return re.sub(_OF, without, line)


def _stands_alone(tokens: list[str], at: int) -> bool:
    """Whether a word is one by itself, not the `a` of `9*a`."""
    before = tokens[at - 1].strip()
    return not at or tokens[at][0].isspace() or before.isdigit() or before in (",", ".", ":", "-", "!")


def _in_order(lexicon: "Lexicon", english: str) -> str:
    """The words that mean something, with the verb of each clause in front."""
    commas = re.sub(r"[.!](?=[\s,]|$)", ",", english)
    commas = re.sub(
        r"([^,:]*?)((?:(?<=[^\W\d_])|(?<=[^\W\d_]\d))):(?=\s|$)", lambda found: _before_colon(lexicon, found[1]), commas
    )
    clauses = [*_clauses(lexicon, _whole(lexicon.verbs, [*_meaning(lexicon, commas)]))]
    match clauses:
        case [what, [",", verb]] if verb.strip() in lexicon.verbs and lexicon.verbs.isdisjoint(map(str.strip, what)):
            clauses = [[*what, verb]]  # `red, I pass`
    return _line(token for clause in clauses for token in _verb_first(lexicon.verbs, clause))


def _before_colon(lexicon: "Lexicon", clause: str) -> str:
    """A clause that does something ends at a colon; a word is only introduced by it: `sell: 2 red`."""
    words = clause.split()
    return f"{clause}," if lexicon.verbs & {*words[:-1]} and words[-1] not in lexicon.words else f"{clause} "


def _whole(verbs: Collection[str], tokens: list[str]) -> Iterator[str]:
    """The words, with verbs of two words as one: `sit out`."""
    at = 0
    while at < len(tokens):
        both = " ".join(token.strip() for token in tokens[at : at + 2])
        yield f" {both}" if both in verbs and " " in both else tokens[at]
        at += 1 + (both in verbs and " " in both)


def _line(tokens: Iterable[str]) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\s*(?:,\s*)+", ", ", "".join(tokens))).strip(" ,")


def _meaning(lexicon: "Lexicon", line: str) -> Iterator[str]:
    """The words that mean something, in small letters, with numbers in figures."""
    tokens = re.findall(_TOKEN, line.casefold())
    kept = _in_phrases(lexicon.phrases, [token.strip() for token in tokens])
    found = [
        token
        for at, token in enumerate(tokens)
        if at in kept
        or not _stands_alone(tokens, at)
        or ((word := token.strip()) not in lexicon.fillers and (word in lexicon.words or word not in FILLERS))
    ]
    words = ["", *(token.strip() for token in found), "", "", ""]
    for at, token in enumerate(found, 1):
        counts = words[at + 1][:1].isalpha() and words[at + 1] not in _JOINING
        if words[at] in _BOTH:
            clear = words[at + 1] not in lexicon.verbs
            clear = clear and (words[at + 2] not in _JOINING or words[at + 3] in lexicon.verbs)
            yield " 2" if counts and clear else token
        elif words[at] == "all" and _is_counted(*words[at + 1 : at + 3]):
            continue  # `all three reds`
        elif words[at] not in ONE:
            yield f" {NUMBERS[words[at]]}" if words[at] in NUMBERS else token
        elif counts or (words[at - 1] not in lexicon.verbs and lexicon.takes_more(words[max(at - 2, 0) : at])):
            yield " 1"
        elif words[at - 1] in lexicon.verbs or not words[at - 1][:1].isalpha():
            yield token  # otherwise `the red one`


def _is_counted(number: str, what: str) -> bool:
    """Whether a number stands before what is counted."""
    return (number.isdigit() or number in NUMBERS) and what[:1].isalpha() and what not in _JOINING


def _in_phrases(phrases: Mapping[str, list[tuple[str, ...]]], words: list[str]) -> set[int]:
    """Where words stand that together mean something: `leave it`, `waren knapp`."""
    return {
        place
        for at, word in enumerate(words)
        for phrase in phrases.get(word, ())
        if tuple(words[at : at + len(phrase)]) == phrase
        for place in range(at, at + len(phrase))
    }


def _clauses(lexicon: "Lexicon", tokens: Iterable[str]) -> Iterator[list[str]]:
    """What stands between commas and words that join, if each has a verb: `2 red and 1 blue buy` is one clause. A
    comma, or a `then` that the game reads, begins the next."""
    parts: list[list[str]] = [[]]
    for token in tokens:
        word = token.strip()
        if word in (",", *_JOINING):
            last = [one.strip() for one in (*parts[-1][:1], *parts[-1][1:][-1:])]
            if word in _THEN and len(last) == 2 and lexicon.verbs.issuperset(last):
                continue  # `sell yellow, drop then yellow`
            if word == "," or word in lexicon.words:
                yield from _with_verbs(lexicon.verbs, parts)
                parts = [[token]]
            else:
                parts.append([])
        else:
            parts[-1].append(token)
    yield from _with_verbs(lexicon.verbs, parts)


def _with_verbs(verbs: Collection[str], parts: list[list[str]]) -> Iterator[list[str]]:
    """Parts of a clause, of which those without a verb belong to the one before them, or to the first that has one; and
    so do words before a verb that does not end its part: `buy red and blue mark red`."""
    whole: list[str] = []
    for part in parts:
        places = [at for at, word in enumerate(part) if word.strip() in verbs]
        if places and not places[0] and len(part) > 1 and whole and not any(word.strip() in verbs for word in whole):
            yield whole  # `Alte Rechnung and collect from Bert`
            whole = []
        elif places and any(word.strip() in verbs for word in whole):
            begins = 0 if places[-1] == len(part) - 1 else places[0]
            yield [*whole, *part[:begins]]
            whole, part = [], part[begins:]
        whole = [*whole, *part]
    yield whole


def _verb_first(verbs: Collection[str], clause: list[str]) -> list[str]:
    """`2 red buy` as `buy 2 red`, and `2 red buy red mark` as `buy 2 red mark red`: a verb can end what it is about."""
    lead = clause[:1] if clause and clause[0].strip() in (",", *_JOINING) else []
    words = clause[len(lead) :]
    places = [at for at, word in enumerate(words) if word.strip() in verbs]
    if not places or not places[0]:
        return clause
    if len(places) == 1 and not any(word.strip().isdigit() for word in words[places[0] :]):
        return [*lead, *_moved(words, places[0])]
    if places[-1] != len(words) - 1:
        return clause
    starts = (0, *(at + 1 for at in places))
    parts = [words[start : at + 1] for start, at in zip(starts, places, strict=False)]
    return [*lead, *(word for part in parts for word in _moved(part, len(part) - 1))]


def _moved(words: list[str], at: int) -> list[str]:
    return [f" {words[at].strip()} ", *words[:at], *words[at + 1 :]]


def strange(lexicon: "Lexicon", line: str) -> list[str]:
    """The words of a line that are none in any language."""
    known = lexicon.every_word | FILLERS | ONE | _BOTH | _JOINING | NUMBERS.keys()
    words = (token.strip() for token in re.findall(_TOKEN, tidied(line)))
    return [
        one for one in words if one[0].isalpha() and len(one) > 1 and one[1].isalpha() and one.casefold() not in known
    ]


def meaningful(lexicon: "Lexicon", words: Iterable[str]) -> Iterator[str]:
    """Those of the words of a line in English that say something: no filler, nothing unknown, and not `1`, which goes
    without saying."""
    for word in words:
        beside = word in (*FILLERS, *_JOINING, *ONE, "1") or word in lexicon.fillers
        if not (beside and word not in lexicon.verbs) and not strange(lexicon, word):
            yield NUMBERS.get(word, word)


def likeness(typed: Collection[str], text: str) -> float:
    """How like what was said a text is: the words that both have, less those that one has alone."""
    words = re.findall(r"@?\w+", text.casefold())
    both = sum((Counter(typed) & Counter(words)).values())
    return both - (len(words) + len(typed) - 2 * both) / 10


# --- what grammars share ---------------------------------------------------------------------------------------------


def unread(clause: str, word: str = "") -> IllegalMove:
    """The refusal of a line that says no move, at a word of it."""
    shown = "".join(letter for letter in word if letter.isascii() and letter.isalnum())[:20]
    if not shown:
        return IllegalMove(clause, t("this cannot be read as a move"))
    return IllegalMove(clause, t("the move cannot be read at {word}", word=quoted(shown)), word=shown)


def is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 3


def number_in(words: Collection[str]) -> int:
    """The one number from 1 to 999 that these words are; 0 if they are anything else."""
    word = "".join(words)
    return int(word) if len(words) == 1 and is_number(word) else 0


def seat_of(word: str, seats: int) -> int | None:
    """The seat that `@2` stands for, as names of players do; None if there is none."""
    return int(word[1:]) if word[:1] == "@" and is_number(word[1:]) and int(word[1:]) < seats else None


def counted(words: Iterable[str], names: Mapping[str, K]) -> dict[K, int]:
    """How many of each are named: `red red blue`, `2 red 1 blue`, a mixture, or `red 2 blue 1`; nothing if that cannot
    be read."""
    words = list(words)
    if all(word in names for word in words[::2]) and len(words) % 2 == 0 and all(map(is_number, words[1::2])):
        words = [word for at in range(0, len(words), 2) for word in (words[at + 1], words[at])]
    found: dict[K, int] = {}
    times = ""
    for word in words:
        if word in names:
            found[names[word]] = found.get(names[word], 0) + int(times or 1)
            times = ""
        elif times or not is_number(word) or not int(word):
            return {}
        else:
            times = word
    return {} if times or sum(found.values()) > 999 else found


def amounts_text(numbers: Mapping[K, int], singular: Mapping[K, str] | None = None) -> str:
    """`butter sugar`, or with numbers as soon as one is above 1: `2 butter 1 sugar`."""
    words = {name: (singular or {}).get(name, name) if n == 1 else name for name, n in numbers.items()}
    plain = all(n == 1 for n in numbers.values())
    return " ".join(word if plain else f"{numbers[name]} {word}" for name, word in words.items())
