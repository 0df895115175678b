"""Checks of how a game judges answers: invalid values, answers of seats that are not asked, any text."""

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import FrameType
from typing import Any

import msgspec
from msgspec.structs import replace

from referee import games
from referee.engine.book import Fault
from referee.errors import IllegalMove
from referee.game import Seen
from referee.language import NOTHING
from referee.testing.clauses import clauses
from referee.testing.subject import Question, Subject
from referee.testing.values import some_value, with_other_fields

MOST_LINES = 2_000_000
"""Lines of a game's own code that one call may run."""


def nobody_else_has_moves(subject: Subject) -> None:
    """A seat that is not asked has no legal moves, and `check` refuses whatever comes from it."""
    game = subject.game
    for moment in subject.moments(100, "not asked", asked=False):
        moves = [move for move in moment.answers.values() if move is not None]
        for seat in set(range(moment.way.seats)) - {ask.seat for ask in moment.at.pending}:
            view = moment.at.seen(seat)
            assert not game.legal(moment.at.terms, view), f"{moment}: seat {seat + 1} is not asked, but has moves"
            for move in moves[:1]:
                refused = _refused(subject, f"{moment}: `check`", move, partial(game.check, moment.at.terms, view))
                assert refused is not None, f"{moment}: `check` takes a move of seat {seat + 1}, which is not asked"


def hostile_answers_are_refused(subject: Subject) -> None:
    """Whatever decodes as a move is refused with `IllegalMove` or can be played; it crashes nothing and keeps nobody
    busy."""
    rng, known = random.Random(f"hostile {subject.game_id}"), set(clauses(subject))
    questions = list(subject.questions(120, "hostile", each=3))
    for asked in questions * (1 + subject.sample(30) // (1 + len(questions))):
        moves = [some_value(subject.game.move, rng, subject.words) for _ in range(3)]
        moves += [_changed(subject, asked, rng) for _ in range(6)]
        for move in filter(None, moves):
            _hostile(subject, asked, move, known)


def _changed(subject: Subject, asked: Question, rng: random.Random, kept: Sequence[str] = ()) -> Any:
    """A legal move with other values in one or two of its fields, except those that are kept; None if none fits."""
    form = subject.game.move
    try:
        return msgspec.convert(with_other_fields(form, asked.some_move(rng), kept, subject.words, rng), form)
    except msgspec.ValidationError:
        return None


def _hostile(subject: Subject, asked: Question, move: object, known: set[str]) -> None:
    error = _refused(subject, f"{asked}: `check`", move, asked.check)
    if error is not None:
        message = f"{error}{error.next}"
        assert message.isprintable(), f"{asked}: the refusal of {move} cannot be printed: {message!r}"
        there = not error.clause or error.clause in known
        assert there, f"{asked}: {move} is refused for {error.clause}, which RULES.md does not have"
    try:
        again = _refused(subject, f"{asked}: `apply`", move, asked.apply)
    except Fault:
        again = IllegalMove("", NOTHING)
    assert error is not None or again is None, f"{asked}: `check` takes {move}, but it does not apply"


def _refused(subject: Subject, name: str, what: object, call: Callable[[Any], object]) -> IllegalMove | None:
    """How a call was refused; None if it was not. Any error but `IllegalMove` and `Fault` is a failure."""
    try:
        bounded(subject, partial(call, what))
    except IllegalMove as error:
        return error
    except Fault:
        raise
    except TooLong:
        raise AssertionError(f"{name} is kept busy by {what!r}") from None
    except Exception as error:
        raise AssertionError(f"{name} crashes on {what!r:.200}: {type(error).__name__}: {error}") from error
    return None


class TooLong(Exception):
    """A call ran more lines than it may."""


def bounded(subject: Subject, call: Callable[[], object]) -> object:
    """Make a call, and stop it after too many lines of the game's own code."""
    package, left = games.module_of(subject.game_id), MOST_LINES

    def lines(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooLong
        return lines

    def enter(frame: FrameType, event: str, arg: object) -> Any:
        return lines if f"{frame.f_globals.get('__name__', '')}.".startswith(f"{package}.") else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        return call()
    finally:
        sys.settrace(before)


def any_text_is_a_move_or_refused(subject: Subject) -> None:
    """`parse` reads any text as a move, or refuses it in a short sentence."""
    game, rng = subject.game, random.Random(f"texts {subject.game_id}")
    moments = list(subject.moments(60, "texts"))
    said = [game.text(move) for moment in moments for move in moment.answers.values() if move is not None]
    tokens = sorted({token for text in said for token in text.replace(",", " , ").split()}) or ["x"]
    for moment in moments:
        view = moment.at.seen(moment.asks[0].seat)
        texts = [" ".join(rng.choices(tokens, k=rng.randrange(8))) for _ in range(8)]
        texts += [rng.choice(subject.words), rng.choice(said or ["x"])[::-1], "x" * 100_000, "9" * 5000]
        for text in (*texts, "", "\0", "\ud800", "٣ ²", "9" * 30):
            error = _refused(subject, f"{moment}: `parse`", text, partial(game.parse, moment.at.terms, view))
            check_refusal(error, f"{moment}: the refusal of the text {text[:40]!a}")


def check_refusal(error: IllegalMove | None, what: str) -> None:
    """A refusal is short, and can be printed."""
    fits = error is None or (f"{error}{error.next}".isprintable() and len(str(error)) < 300)
    assert fits, f"{what} is too long or cannot be printed"


# --- what public facts forbid ----------------------------------------------------------------------------------------


def apply_judges_public_facts(subject: Subject) -> None:
    """`apply` refuses what `check` refuses whatever the seat holds and seals: a host may pass anything that a player
    signed."""
    rng, hands = random.Random(f"public {subject.game_id}"), _hands(subject)
    for asked in subject.questions(60, "public", each=2):
        for _ in range(5):
            move = _changed(subject, asked, rng, asked.ask.sealed)
            error = _public_refusal(asked, move, hands, rng) if move else None
            if error is not None and _applies(asked, move):
                why = f"`check` refuses {move} by public facts ({error.message}), but `apply` takes it"
                raise AssertionError(f"{asked}: {why}")


def _hands(subject: Subject) -> dict[str, list[str]]:
    """Name of a hand -> the faces that any seat held there, several of each."""
    found: dict[str, set[str]] = {name: set() for name in subject.game.hands}
    for moment in subject.moments(40, "hands", asked=False):
        for seat in range(moment.way.seats):
            for name, faces in found.items():
                faces.update(moment.at.seen(seat).hand(name))
    return {name: sorted([*faces] * 5) for name, faces in found.items()}


def _public_refusal(
    asked: Question, move: msgspec.Struct, hands: Mapping[str, list[str]], rng: random.Random
) -> IllegalMove | None:
    """How `check` refuses a move, if it does so in the same words whatever the seat holds and seals."""
    moves = list(_sealed_otherwise(asked, move, rng))
    errors = [_judged(asked._replace(view=view), other) for view in _views(asked, hands, rng) for other in moves]
    outcomes = {(error.clause, error.message) if error is not None else None for error in errors}
    return errors[0] if len(outcomes) == 1 else None


def _views(asked: Question, hands: Mapping[str, list[str]], rng: random.Random) -> Iterator[Seen[object]]:
    """What the seat sees, with its own hand and with others: everything, nothing, and the hand of another seat."""
    yield asked.view
    other = asked.moment.at.seen(rng.randrange(asked.moment.way.seats))
    for held in (hands, {}, {name: other.hand(name) for name in hands}):
        tokens = {f"{name}/{asked.ask.seat}": tuple(held.get(name, ())) for name in hands}
        yield replace(asked.view, tokens={**asked.view.tokens, **tokens})


def _sealed_otherwise(asked: Question, move: msgspec.Struct, rng: random.Random) -> Iterator[object]:
    """The same open fields with the sealed fields of other moves."""
    yield move
    for _ in range(3 if asked.ask.sealed else 0):
        other = asked.some_move(rng)
        if type(other) is type(move):
            yield replace(move, **{name: getattr(other, name) for name in asked.ask.sealed})


def _judged(asked: Question, move: object) -> IllegalMove | None:
    try:
        asked.check(move)
    except IllegalMove as error:
        return error
    except Exception:  # an impossible hand proves nothing
        pass
    return None


def _applies(asked: Question, move: object) -> bool:
    try:
        asked.apply(move)
    except (IllegalMove, Fault):
        return False
    return True
