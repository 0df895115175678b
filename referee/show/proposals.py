"""What a refusal of typed words says besides: the word that nobody knows, and what is legal here instead.

A proposal keeps what was understood: the same words without the one that is unknown, or the legal move that is most
like them. One that leaves out or changes something of what was said is called something else.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

import msgspec
from msgspec import Struct

from referee.errors import IllegalMove, Usage
from referee.forms import Amounts, Choice, Pick, build
from referee.game import Game
from referee.games import as_typed, lexicon
from referee.grammar import likeness, meaningful, strange
from referee.language import MOVES, QUOTED, Named, Text, current_language, quoted, runs, t, with_values
from referee.phrasing import tidied
from referee.show import family
from referee.show.mentions import without_names
from referee.show.text import clean
from referee.show.wording import Place, Table

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
Reading = Callable[[str], Struct]
"""Reads a line as a move."""


def corrected(table: Table, line: str, refusal: IllegalMove) -> IllegalMove:
    """A refusal of what was typed that names the word that is unknown in every language, as it was typed, with the
    reader's word that is nearest to it."""
    words, why, guess = lexicon(table.game_id), refusal.why, ""
    unknown = strange(words, without_names(line, table.names)) if words.words else []
    if unknown:
        typed = clean(unknown[0][:20])
        guess = words.nearest(unknown[0], current_language(), table.names)
        why = t("'{typed}' is unknown", typed=typed)
        if guess:
            why = t("'{typed}' is unknown, did you mean {near}?", typed=typed, near=guess)
    elif refusal.word:
        echo = quoted(words.typed_as(line, refusal.word))
        why = with_values(why, lambda value: echo if isinstance(value, Text) and value.message == QUOTED else value)
    return IllegalMove(refusal.clause, why, refusal.next, word=refusal.word, guess=guess)


def with_proposal(
    place: Place,
    listed: Sequence[Choice],
    text: str,
    error: IllegalMove,
    *,
    reading: Reading | None = None,
    ruled: bool = False,
) -> IllegalMove:
    """A refusal that proposes what is legal here and most like what was typed, unless it says itself what to add.
    `ruled`: the rules refuse it; their advice stands before the proposal."""
    names, advice = place.table.names, error.next
    if not ruled and advice != MOVES:
        return IllegalMove(error.clause, Named(error.why, names), Named(advice, names), guess=error.guess)
    plain = without_names(text, names)
    same = _repaired(place, plain, reading) if reading else ""
    best, kept = (same, True) if same else _nearest_legal(place, listed, plain)
    move, vague = as_typed(place.table.game_id, best), any(runs(advice))
    if best and kept:
        write = t("write for example `{move}`", move=move)
        advice = write if vague else t("{advice}, for example `{move}`", advice=advice, move=move)
    elif best:
        other = t("something else is possible, for example `{move}`", move=move)
        advice = (
            other
            if vague
            else t("{advice}; something else is possible, for example `{move}`", advice=advice, move=move)
        )
    return IllegalMove(error.clause, Named(error.why, names), Named(advice, names), guess=error.guess)


def _repaired(place: Place, line: str, reading: Reading) -> str:
    """The legal move that the line says with each unknown word corrected, or else left out; empty if there is none."""
    words = lexicon(place.table.game_id)
    unknown = strange(words, line) if words.words else []
    near = {one: words.nearest(one, current_language(), place.table.names) for one in unknown}
    for instead in (near, dict.fromkeys(unknown, "")) if unknown else ():
        again = re.sub(_WORD, partial(_exchanged, instead), line)
        try:
            move = reading(again)
        except (IllegalMove, Usage):
            continue
        if _is_legal(place, move):
            return str(place.table.game.text(move))
    return ""


def _exchanged(instead: Mapping[str, str], word: re.Match[str]) -> str:
    return instead.get(word[0], word[0])


def _nearest_legal(place: Place, listed: Sequence[Choice], line: str) -> tuple[str, bool]:
    """What is legal here and most like a line: first in what is done, then in what is kept of it, then in all words;
    and whether nothing of what was said is missing. Empty if nothing is legal."""
    words = lexicon(place.table.game_id)
    said = re.findall(r"@?\w+", words.english(tidied(line)).casefold())
    meant, counted = {*meaningful(words, said)}, [word for word in said if word != "1"]
    found = {text: (move, one) for one in listed for text, move in [_nearest(place.table.game, one, said)] if text}

    def keeps(text: str) -> bool:
        return meant <= {*_told(found[text][1], text)} and not _is_other_number(said, text)

    def alike(text: str) -> tuple[int, bool, int, float]:
        here = {*re.findall(r"@?\w+", text.casefold())}
        return len(words.verbs & {*said} & here), keeps(text), len(meant & here), likeness(counted, text)

    in_order = sorted(found, key=alike, reverse=True)
    best = next((text for text in in_order if _is_legal(place, found[text][0])), "")
    return best, best != "" and keeps(best)


def _is_other_number(said: Sequence[str], text: str) -> bool:
    """Whether a number that was said counts something else here, or one that was not said counts what was: `2 silver`
    is not in `2 subsidies, silver 1`, and `blue` is not `2 blue`."""
    words = re.findall(r"@?\w+", text.casefold())
    here, there = _numbered(said), _numbered(words)
    if any(number in there and number not in here and behind in said for number, behind in pairwise(words)):
        return True
    return any(around and not around & there.get(number, around) for number, around in here.items())


def _numbered(words: Sequence[str]) -> dict[str, set[str]]:
    """Each number above 1, and the words beside it."""
    found: dict[str, set[str]] = {}
    for before, word, behind in zip(("", *words), words, (*words[1:], ""), strict=False):
        if word.isdigit() and word != "1":
            found.setdefault(word, set()).update({before, behind} - {""})
    return found


def _told(choice: Choice, text: str) -> Iterator[str]:
    """The words of a move of this line, and those that say more about every move of it."""
    yield from re.findall(r"@?\w+", text.casefold())
    offered = {
        word
        for part in choice.parts
        for one in ([option.text for option in part.options] if isinstance(part, Pick) else ())
        for word in one.casefold().split()
    }
    offered |= {name for part in choice.parts if isinstance(part, Amounts) for name in part.most}
    for word in re.findall(r"[^\W\d_]{2,}", f"{choice.text} {choice.note}".casefold()):
        if word not in offered:
            yield word


def _is_legal(place: Place, move: Struct | None) -> bool:
    """Whether the rules allow a move; standing orders that are listed can always be given."""
    try:
        if move is not None:
            place.table.game.check(place.table.terms, place.seen, move)
    except IllegalMove:
        return False
    return True


def _nearest(game: Game, choice: Choice, words: Sequence[str]) -> tuple[str, Struct | None]:
    """A move of this line and its text, with what was said where that is possible."""
    values = family.nearest_values(choice, words)
    try:
        move = _as_type(choice.move if values is None else build(choice, values), game.move)
    except msgspec.ValidationError:  # standing orders are said by their lines
        return "" if choice.parts else choice.text, None
    return str(game.text(move)), move


def _as_type(value: object, form: type[Struct]) -> Struct:
    found: Struct = msgspec.convert(msgspec.to_builtins(value), form)
    return found
