"""What a person types as an answer, in the game's own words: at a prompt, on a command line, in a mail, in practice.

Practice runs without the package for signatures, which the engine needs: only what is about signed games loads it.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct

from referee.errors import IllegalMove, Usage
from referee.forms import Choice, Moves, Number, StandingChoices, Values, build
from referee.games import lexicon
from referee.grammar import agreed, is_for_once, out_of_order, read
from referee.language import current_language, run, t, w, with_names
from referee.show import family
from referee.show.mentions import namings
from referee.show.proposals import corrected, with_proposal
from referee.show.wording import Place, Table, is_move, line_text, move_text, phrases

if TYPE_CHECKING:
    from referee.engine import records as r
    from referee.engine.player import Draft, Opened

T = TypeVar("T")

LONGEST = 2_000
"""Letters of an answer: lines of the list can be long."""
_FOR_GOOD = re.compile(r"\b(?:from now on|from here on|ab jetzt|von nun an|vanaf nu|voortaan)\b,?", re.IGNORECASE)
"""What people say before standing orders, and never before a move."""
_LINE = re.compile(r"#\s*([0-9]{1,6})(?:\s+(.+))?", re.DOTALL)


def read_answer(opened: "Opened", text: str) -> "Draft":
    """An answer in words: clauses with `;` between them, each a standing phrase or the move."""
    from referee.engine.player import Draft

    before = opened.orders(opened.seat)
    move, words = read_clauses(opened, before, text)
    return Draft(move, None if words == before else words)


def read_clauses(place: Place, words: object, text: str) -> tuple[Struct | None, object]:
    """The move that was typed, if any, and the standing orders after what was said with it."""
    if len(text) > LONGEST:
        raise Usage(t("that is too long for an answer"), t("type at most {most} characters", most=LONGEST))
    said, listed = [], choices(place)
    # A player can be called `Bert; roll always`: what a line shows is one clause.
    lines = [*listed, *standing_choices(place, words)] if ";" in text else []
    plain = _LINE.sub(r"\2", text.strip())
    whole = any(_has_text(place.table, one, plain) for one in lines)
    for clause in [text] if whole else filter(None, map(str.strip, text.split(";"))):
        if place.table.game.standing is not None:
            try:
                words = _phrase(place, words, clause) if place.decides else say_phrase(place, words, clause)
                continue
            except (IllegalMove, Usage):
                if not place.decides:
                    raise
        if not place.decides:
            raise Usage(t("there is nothing to choose here: you are asked for a confirmation"), t("leave the move out"))
        said.append(clause)
    if len(said) < 2:
        return _parse(place, listed, said[0]) if said else None, words
    try:  # people also write `;` between the parts of a move
        return _parse(place, (), ", ".join(said)), words
    except (IllegalMove, Usage):
        raise Usage(
            t("this says two moves"), t("send one move, with standing orders after a `;`"), code="two-moves"
        ) from None


# --- moves -----------------------------------------------------------------------------------------------------------


LISTS_MOST = 32
_lists: dict[tuple[str, int, str], list[Choice]] = {}
"""Head of a signed game, seat and language -> the list: to read one answer and to write one mail it is needed often."""


def choices(place: Place) -> list[Choice]:
    """The legal moves and families, if this seat is asked for a decision, in the order in which they are numbered:
    those that people get first, then the minor ones."""
    if not place.decides:
        return []
    chain = getattr(place, "chain", None)
    if chain is None:  # practice, where nothing is signed
        return _listed(place)
    key = (chain.checkpoint.head, place.seen.seat, current_language())
    if key not in _lists:
        if len(_lists) >= LISTS_MOST:
            _lists.clear()
        _lists[key] = _listed(place)
    return _lists[key]


def _listed(place: Place) -> list[Choice]:
    return sorted(place.table.game.legal(place.table.terms, place.seen), key=lambda choice: choice.minor)


def moves(opened: "Opened") -> Moves:
    """All that a program needs to build every answer to a view."""
    rule, words, standing = opened.table.game.standing, opened.orders(opened.seat), None
    if rule is not None:
        standing = StandingChoices(tuple(rule.text(words)), tuple(standing_choices(opened, words)))
    return Moves(opened.round + 1, opened.ask.what if opened.ask else "", tuple(choices(opened)), standing)


def parse(place: Place, text: str) -> Struct:
    """The move a person typed: a line of the list (`#3`, or its text), the game's own words, or only a number where a
    number is asked."""
    return _parse(place, choices(place), text)


def _parse(place: Place, listed: Sequence[Choice], text: str) -> Struct:
    line = line_of(place.table, listed, text)
    if line is not None:
        return move_of(place, line)
    number = _asked_number(listed, text)
    if number is not None:
        return number_move(place, *number)
    try:
        found = _as_move(place, text)
    except IllegalMove as error:
        refusal = corrected(place.table, text, error)
        raise with_proposal(place, listed, text, refusal, reading=partial(_as_move, place)) from None
    return found


def _as_move(place: Place, text: str) -> Struct:
    """A move in the words of the game, in any language."""
    game, terms, seen = place.table.game, place.table.terms, place.seen
    if _FOR_GOOD.search(text):
        raise IllegalMove("", t("standing orders hold until you take them back"))
    found: Struct = _resolve_names(place.table, lambda typed: game.parse(terms, seen, typed), text)
    return found


def check(place: Place, text: str, move: object) -> None:
    """Refuse a typed move, if there is one, that the rules forbid, and propose one that they allow."""
    try:
        if move is not None:
            place.table.game.check(place.table.terms, place.seen, move)
    except IllegalMove as error:
        raise with_proposal(place, choices(place), text, error, ruled=True) from None


def move_of(place: Place, choice: Choice) -> Struct:
    """The move of a line that is a single one."""
    values = family.only_values(choice)
    if values is not None:
        return build_move(choice, values, place.table.game.move)
    text = move_text(place.table, as_type(choice.move, place.table.game.move))
    raise Usage(
        t("`{table}` covers many moves", table=line_text(place.table, choice)),
        t("say which one in words, for example `{text}`", text=text),
        code="many-moves",
    )


def line_of(table: Table, listed: Sequence[Choice], text: str) -> Choice | None:
    """The line that `#3` names, or whose text this is; None if it is neither."""
    found = _LINE.fullmatch(text.strip())
    if found is None:
        shown = _lines_with_text(table, listed, text)
        return agreed(shown) if shown else None
    number, rest = int(found[1]), found[2]
    if not 1 <= number <= len(listed):
        raise Usage(
            t("there is no line #{number}", number=number),
            t("the lines go from #1 to #{listed}", listed=len(listed)),
            code="no-line",
        )
    if rest and not _has_text(table, listed[number - 1], rest):
        raise Usage(t("line #{number} shows something else", number=number), t("type its number alone, or its words"))
    return listed[number - 1]


def _asked_number(listed: Sequence[Choice], text: str) -> tuple[Choice, Number, int] | None:
    """What a number alone stands for: the number that the one family asks for that asks for nothing else."""
    word = _plain(text).strip(" .!")
    asking = [(one, part) for one in listed if len(one.parts) == 1 and isinstance(part := one.parts[0], Number)]
    if len(asking) != 1 or not re.fullmatch("[0-9]{1,9}", word):
        return None
    return *asking[0], int(word)


def number_move(place: Place, choice: Choice, part: Number, number: int) -> Struct:
    """The move of a family that asks for a number, with this one."""
    if not part.low <= number <= part.high:
        why = t("`{wrong}` is not possible here", wrong=str(number))
        raise Usage(why, t("type a number, {low} to {high}", low=part.low, high=part.high))
    return build_move(choice, {part.name: number}, place.table.game.move)


def as_type(value: object, form: Any) -> Struct:
    """A move or words, given as JSON or as it is, in the game's own type."""
    found: Struct = msgspec.convert(msgspec.to_builtins(value), form)
    return found


def build_move(choice: Choice, values: Values, form: Any) -> Struct:
    """What a choice with these values is, in the game's own type; a text that was typed freely may not fit it."""
    try:
        return as_type(build(choice, values) if choice.parts else choice.move, form)
    except msgspec.ValidationError:
        raise Usage(
            t("this is not a valid move of this game"),
            t("see {run} for the form of a move", run=run("show", "--moves")),
        ) from None


def _resolve_names(table: Table, rule: Callable[[str], T], text: str) -> T:
    """The meaning of words in which players are named. A name may also be a word of the game: first the game's own
    words mean what they say, then as few of them as possible are read as names."""
    if out_of_order(text):
        raise Usage(t("what comes first must be said first"), t("write it in the order in which it is done"))
    words = lexicon(table.game_id)
    try:
        return read(rule, words, text)
    except IllegalMove as error:
        refusal = error
    for variants in namings(text, table.names):
        found = {}
        for one in variants:
            try:
                found[one] = read(rule, words, one)
            except IllegalMove as error:
                refusal = error
        if any(move != other for move in found.values() for other in found.values()):
            why = t("this can be read in two ways: a player's name is also a word of the game")
            raise Usage(why, t("write for example `{found}`", found=next(iter(found))))
        if found:
            return next(iter(found.values()))
    raise refusal


def _lines_with_text(table: Table, listed: Sequence[Choice], text: str) -> list[Choice]:
    """The lines that show this text; what a family is called by may be one of its moves, then it is not a line."""
    found = [one for one in listed if _has_text(table, one, text)]
    return [one for one in found if family.only_values(one) is not None or not is_move(table, one)]


def _has_text(table: Table, choice: Choice, text: str) -> bool:
    """Whether a line shows this text, in the reader's words or in English, with or without its note."""
    typed, note = _plain(text), with_names(choice.note, table.names)
    lines = (line_text(table, choice), with_names(choice.text, table.names))
    return any(typed in (_plain(line), _plain(f"{line} ({note})")) for line in lines)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


# --- standing orders -------------------------------------------------------------------------------------------------


def standing_choices(place: Place, words: object) -> list[Choice]:
    """The standing orders that can be given, or taken back, after these."""
    rule = place.table.game.standing
    return list(rule.legal(place.table.terms, words)) if rule is not None else []


def say_phrase(place: Place, words: object, phrase: str) -> Struct:
    """The words after one more phrase."""
    try:
        return _phrase(place, words, phrase)
    except IllegalMove as error:
        raise with_proposal(
            place, standing_choices(place, words), phrase, corrected(place.table, phrase, error)
        ) from None


def _phrase(place: Place, words: object, phrase: str) -> Struct:
    rule = place.table.game.standing
    if rule is None:
        raise Usage(t("this game has no standing orders"), t("answer what is asked"))

    shown = [one for one in _lines_with_text(place.table, standing_choices(place, words), phrase) if not one.parts]
    if shown:
        return agreed([as_type(one.move, rule.words) for one in shown])
    phrase, for_good = _FOR_GOOD.subn(" ", phrase)
    if is_for_once(phrase, for_good=for_good > 0):
        raise IllegalMove("", t("standing orders hold until you take them back"))
    found: Struct = _resolve_names(place.table, lambda text: rule.parse(place.table.terms, words, text), phrase)
    return found


def in_words(opened: "Opened", answer: "Draft") -> list[str]:
    """What will be signed, in words: the move, then the standing orders that are given and taken back."""
    lines = []
    if answer.resign:
        lines.append(w("you leave the game for good"))
    elif answer.move is not None:
        lines.append(move_text(opened.table, answer.move))
    else:
        agrees = opened.round == 0
        lines.append(w("you agree to play this game") if agrees else w("a confirmation, so that play continues"))
    if answer.standing is not None:
        lines += orders_in_words(opened.table, opened.orders(opened.seat), answer.standing)
    if answer.protest:
        lines.append(w("you protest: you had signed an answer for the round you were timed out in"))
    if answer.handover == opened.table.keys[opened.seat].hex():
        lines.append(w("nobody whom you named may take over your seat any more"))
    elif answer.handover:
        lines.append(w("the key {key} may take over your seat", key=answer.handover[:16]))
    return lines


def orders_in_words(table: Table, before: object, after: object) -> list[str]:
    """The standing orders that are given and taken back."""
    old, new = phrases(table, before), phrases(table, after)
    added = "; ".join(text for text in new if text not in old)
    unsaid = "; ".join(text for text in old if text not in new)
    lines = [w("from now on: {words}", words=added)] if added else []
    return lines + ([w("no longer: {words}", words=unsaid)] if unsaid else [])


def signed_words(opened: "Opened", file: "r.MoveFile") -> list[str]:
    """Your own move file for this view, in words; your ticket has what it sealed."""
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
