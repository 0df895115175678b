"""What a person types as an answer, in the game's own words: at a prompt, on a command line, in a mail, in practice.

Practice runs without the package for signatures, which the engine needs: only what is about signed games loads it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from referee.errors import IllegalMove, Usage
from referee.forms import Choice, Moves, StandingChoices, Values, build
from referee.game import Seen
from referee.language import Named, run, t, w
from referee.show import wording
from referee.show.mentions import namings, with_names
from referee.show.wording import Table, corrected, in_english, line_text, move_text

if TYPE_CHECKING:
    from referee.engine import records as r
    from referee.engine.player import Draft, Opened

T = TypeVar("T")


class Place(Protocol):
    """Where somebody sits, in a signed game or in practice: the table, what is seen from there, and whether there is
    anything to decide."""

    @property
    def table(self) -> Table: ...

    @property
    def seen(self) -> Seen[Any]: ...

    @property
    def decides(self) -> bool: ...


def read_answer(opened: "Opened", text: str) -> "Draft":
    """An answer in words: clauses with `;` between them, each a standing phrase or the move."""
    from referee.engine.player import Draft

    before = words_of(opened, opened.seat)
    move, words = read_clauses(opened, before, text)
    return Draft(move, None if words == before else words)


def read_clauses(place: Place, words: object, text: str) -> tuple[Struct | None, object]:
    """The move that was typed, if any, and the standing orders after what was said with it."""
    move = None
    listed = [*choices(place), *standing_choices(place, words)]
    # A player can be called `Bert; roll always`: what a line shows is one clause.
    whole = _shown(place.table, listed, text)
    for clause in [text] if whole else filter(None, map(str.strip, text.split(";"))):
        try:
            words = say_phrase(place, words, clause)
            continue
        except (IllegalMove, Usage):
            if not place.decides and place.table.game.standing is not None:
                raise
        if not place.decides:
            raise Usage(t("there is nothing to choose here: you are asked for a bare answer"), t("leave the move out"))
        if move is not None:
            raise Usage(
                t("this says two moves"), t("send one move, with standing orders after a `;`"), code="two-moves"
            )
        move = parse(place, clause)
    return move, words


# --- moves -----------------------------------------------------------------------------------------------------------


def choices(place: Place) -> list[Choice]:
    """The legal moves and families, if this seat is asked for a decision, in the order in which they are numbered:
    those that people get first, then the minor ones."""
    found = place.table.game.legal(place.table.terms, place.seen) if place.decides else ()
    return sorted(found, key=lambda choice: choice.minor)


def moves(opened: "Opened") -> Moves:
    """All that a program needs to build every answer to a view."""
    rule, words, said = opened.table.game.standing, words_of(opened, opened.seat), None
    if rule is not None:
        said = StandingChoices(tuple(rule.text(words)), tuple(standing_choices(opened, words)))
    return Moves(opened.round + 1, opened.ask.what if opened.ask else "", tuple(choices(opened)), said)


def parse(place: Place, text: str) -> Struct:
    """The move a person typed: a line of the list (`#3`, or its text), or the game's own words."""
    game, listed = place.table.game, choices(place)
    line = line_of(listed, text)
    if line is not None:
        return move_of(place, line)
    return _meant(place, listed, lambda typed: game.parse(place.table.terms, place.seen, typed), game.move, text)


def move_of(place: Place, choice: Choice) -> Struct:
    """The move of a line that is a single one."""
    if choice.parts:
        text = move_text(place.table, as_type(choice.move, place.table.game.move))
        raise Usage(
            t("`{table}` stands for many moves", table=line_text(place.table, choice)),
            t("say which one in words, for example `{text}`", text=text),
            code="many-moves",
        )
    return as_type(choice.move, place.table.game.move)


def line_of(listed: Sequence[Choice], text: str) -> Choice | None:
    """The line that `#3` names; None if the text is no number of a line."""
    found = re.fullmatch(r"#\s*([0-9]{1,6})", text.strip())
    if found is None:
        return None
    number = int(found[1])
    if not 1 <= number <= len(listed):
        raise Usage(
            t("there is no line #{number}", number=number),
            t("the lines go from #1 to #{listed}", listed=len(listed)),
            code="no-line",
        )
    return listed[number - 1]


def as_type(value: object, form: Any) -> Struct:
    """A move or words, given as JSON or as it is, in the game's own type."""
    found: Struct = msgspec.convert(msgspec.to_builtins(value), form)
    return found


def built(choice: Choice, values: Values, form: Any) -> Struct:
    """What a choice with these values is, in the game's own type; a text that was typed freely may not fit it."""
    try:
        return as_type(build(choice, values), form)
    except msgspec.ValidationError:
        raise Usage(
            t("that is no move of this game"), t("see {run} for the form of a move", run=run("show", "--moves"))
        ) from None


def _meant(place: Place, listed: Sequence[Choice], rule: Callable[[str], Struct], form: Any, text: str) -> Struct:
    """A name may also be a word of the game: what the list shows means what it says, then the game's own words do,
    then names are read as players. What is refused names them too."""
    names = place.table.names

    def read(typed: str) -> Struct:
        """What it says in the words of all languages, unless it says something else in English alone."""
        found = [rule(in_english(place.table, typed))]
        with suppress(IllegalMove):
            found.append(rule(typed))
        return _one(found)

    shown = [as_type(line.move, form) for line in _shown(place.table, listed, text)]
    try:
        return _one(shown) if shown else _own_words(read, text, names)
    except IllegalMove as error:
        why, guess = corrected(place.table, text, error)
        raise IllegalMove(error.clause, Named(why, names), Named(error.next, names), guess=guess) from None


def _one(found: Sequence[T]) -> T:
    """What all of these are."""
    if any(one != found[0] for one in found):
        raise Usage(t("this can be read in two ways"), t("choose a line of the list by its number, as `#1`"))
    return found[0]


def _own_words(rule: Callable[[str], T], text: str, names: Sequence[str]) -> T:
    """What the words say or, if that means nothing, what they say in simpler words."""
    from referee.lexicon import out_of_order, simpler, tidied

    if out_of_order(text):
        raise Usage(t("what comes first must be said first"), t("write it in the order in which it is done"))
    try:
        return _with_names(rule, text, names)
    except IllegalMove:
        found = []
        for plain in dict.fromkeys(simpler(tidied(text))):
            with suppress(IllegalMove):
                found.append(_with_names(rule, plain, names))
        if not found:
            raise
        return _one(found)


def _with_names(rule: Callable[[str], T], text: str, names: Sequence[str]) -> T:
    """What the words say, with as few of them as possible read as names."""
    try:
        return _tidy(rule, text)
    except IllegalMove as error:
        refusal = error
    for readings in namings(text, names):
        found = {}
        for one in readings:
            try:
                found[one] = _tidy(rule, one)
            except IllegalMove as error:
                refusal = error
        if any(move != other for move in found.values() for other in found.values()):
            why = t("this can be read in two ways: a player is called like a word of the game")
            raise Usage(why, t("write for example `{found}`", found=next(iter(found))))
        if found:
            return next(iter(found.values()))
    raise refusal


def _tidy(rule: Callable[[str], T], text: str) -> T:
    """A text as it was typed or, if that means nothing, as it is meant."""
    from referee.lexicon import tidied

    try:
        return rule(text)
    except IllegalMove:
        if (plain := tidied(text)) == text:
            raise
        return rule(plain)


def _shown(table: Table, listed: Sequence[Choice], text: str) -> list[Choice]:
    """The lines that show this text, in the reader's words or in English, of those that are a single move."""
    typed, single = _plain(text), [choice for choice in listed if not choice.parts]
    return [
        one for one in single if typed in (_plain(line_text(table, one)), _plain(with_names(one.text, table.names)))
    ]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


# --- standing orders -------------------------------------------------------------------------------------------------


def words_of(opened: "Opened", seat: int) -> Struct | None:
    """The standing orders of a seat; None in a game without any."""
    rule, public = opened.table.game.standing, opened.chain.checkpoint.public
    if rule is None:
        return None
    words: Struct = rule.words() if public is None else public.standing[seat]
    return words


def standing_choices(place: Place, words: object) -> list[Choice]:
    """What can be said for good, or taken back, after these words."""
    rule = place.table.game.standing
    return list(rule.legal(place.table.terms, words)) if rule is not None else []


def say_phrase(place: Place, words: object, phrase: str) -> Struct:
    """The words after one more phrase."""
    rule = place.table.game.standing
    if rule is None:
        raise Usage(t("this game has no standing orders"), t("answer what is asked"))

    terms, listed = place.table.terms, standing_choices(place, words)
    return _meant(place, listed, lambda text: rule.parse(terms, words, text), rule.words, phrase)


def phrases(place: Place, words: object) -> list[str]:
    """Standing orders as people read them."""
    return wording.phrases(place.table, words)


def in_words(opened: "Opened", answer: "Draft") -> list[str]:
    """What will be signed, in words: the move, then what is said for good and what is taken back."""
    lines = []
    if answer.resign:
        lines.append(w("you leave the game for good"))
    elif answer.move is not None:
        lines.append(move_text(opened.table, answer.move))
    else:
        agrees = opened.round == 0
        lines.append(w("you agree to play this game") if agrees else w("a bare answer, so that play goes on"))
    if answer.standing is not None:
        old = phrases(opened, words_of(opened, opened.seat))
        new = phrases(opened, answer.standing)
        said = "; ".join(text for text in new if text not in old)
        unsaid = "; ".join(text for text in old if text not in new)
        lines += [w("from now on: {words}", words=said)] if said else []
        lines += [w("no longer: {words}", words=unsaid)] if unsaid else []
    if answer.protest:
        lines.append(w("you protest: you had signed an answer for the round you were timed out in"))
    return [*lines, *_handed_over(opened, answer.handover)]


def _handed_over(opened: "Opened", key: str) -> Iterator[str]:
    """Whom an answer names for its seat."""
    if key == opened.table.keys[opened.seat].hex():
        yield w("nobody whom you named may take over your seat any more")
    elif key:
        yield w("the key {key} may take over your seat", key=key[:16])


def signed_words(opened: "Opened", file: "r.MoveFile") -> list[str]:
    """What an own move file for this view says, in words; what it sealed, the own tool has kept."""
    from referee.crypto.codec import decode
    from referee.engine import records as r
    from referee.engine.answers import decode_whole, read_words
    from referee.engine.draws import commitments
    from referee.engine.player import Draft

    body, game = decode(bytes(file.body), r.Move, "move"), opened.table.game
    move, standing = r.content(body.answer), r.content(body.standing)
    sealed = opened.owner.sealed.get(body.round, {}) if body.commit else {}
    if commitments(body.game, body.round, body.seat, sealed) != body.commit:
        return [w("an answer with a sealed part that was not kept here")]
    answer = decode_whole(game, move, sealed) if move else None
    words = read_words(game, standing) if standing else None
    return in_words(opened, Draft(answer, words, body.resign, body.protest, body.handover))
