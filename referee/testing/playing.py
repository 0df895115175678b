"""Checks of a game in play: random games to their end, and every function at moments of them."""

import random
import re
from itertools import pairwise

import msgspec

from referee.columns import columns
from referee.crypto.codec import check_plain, decode, encode
from referee.defaults import kinds
from referee.engine.records import Give, Seek, Unseal
from referee.engine.rounds import ACK, LARGEST, RESIGN
from referee.errors import IllegalMove, Malformed, RefereeError
from referee.game import LINK, Note, Terms, ranked
from referee.testing.subject import NAMES, Question, Subject

WHAT = re.compile(r"[a-z][a-z -]{0,39}")
WIDTHS = (100, 80, 60)
"""Widths that `render` must keep to."""
FIELD = re.compile(r"[a-z_]{1,40}")


def games_end(subject: Subject) -> None:
    """Random games reach their end, even with missed deadlines and seats that are out; every step is dealt once and
    read back by every seat, with the same position, questions and containers; no function changes its arguments."""
    for game in subject.plays:
        assert not game.failure, game.failure


def steps_are_in_form(subject: Subject) -> None:
    """Somebody is asked exactly when there is no result; positions are within bounds and read back."""
    for moment in subject.all_moments:
        at = moment.at
        assert bool(at.pending) == (at.result is None), f"{moment}: somebody is asked exactly when there is no result"
        data = encode(at.public)
        assert len(data) <= LARGEST, f"{moment}: the position has {len(data)} bytes, {LARGEST} are allowed"
        try:
            check_plain(data, "the position")
            again = decode(data, subject.game.public, "the position")
        except Malformed as error:
            raise AssertionError(f"{moment}: {error.message}") from None
        assert again == at.public, f"{moment}: the position does not read back"


def questions_are_in_form(subject: Subject) -> None:
    """Each seat is asked once, not in the engine's own words, and sealed fields have defaults."""
    every = [field for one in kinds(subject.game.move) for field in one.fields]
    fields, optional = {one.name for one in every}, {one.name for one in every if not one.required}
    for moment in subject.all_moments:
        seats = [ask.seat for ask in moment.at.pending]
        assert len(set(seats)) == len(seats), f"{moment}: a seat is asked twice"
        assert set(seats) <= set(range(moment.way.seats)), f"{moment}: a seat is asked that does not exist"
        for ask in moment.at.pending:
            assert ask.what not in (ACK, RESIGN), f"{moment}: `{ask.what}` is the engine's own word"
            assert WHAT.fullmatch(ask.what), f"{moment}: the question {ask.what!r} does not fit {WHAT.pattern}"
            assert ask.what != LINK or not ask.sealed, f"{moment}: a confirmation has nothing to seal"
            for name in ask.sealed:
                assert FIELD.fullmatch(name), f"{moment}: the sealed field {name!r} does not fit {FIELD.pattern}"
                assert name in fields, f"{moment}: no move has the sealed field {name!r}"
                assert name in optional, f"{moment}: the sealed field {name!r} has no default"


def sealed_fields_are_used(subject: Subject) -> None:
    """Sealed fields are unsealed, given or sought at least once: rules that read the field itself get its default."""
    sealed: set[tuple[str, str]] = set()
    used: set[tuple[str, str]] = set()
    for game in subject.plays:
        for here, after in pairwise(game.moments):
            words = {ask.seat: ask.what for ask in here.asks}
            sealed |= {
                (ask.what, name) for ask in here.asks if here.answers[ask.seat] is not None for name in ask.sealed
            }
            for op in after.at.ops:
                if isinstance(op, Unseal):
                    used |= {(words[op.seat], name) for name in op.fields}
                elif isinstance(op, Give | Seek) and op.seat in words:
                    used.add((words[op.seat], op.field))
    for what, name in sorted(sealed - used):
        raise AssertionError(
            f"`{name}` is sealed in `{what}`, but never unsealed, given or sought: rules that read it get its default"
        )


def results_are_right(subject: Subject) -> None:
    """There is one score for each seat, all of the same length, and the ranks match them: higher is better."""
    for game in subject.plays:
        result = game.moments[-1].at.result if game.moments else None
        if result is None:
            continue
        assert len(result.scores) == game.way.seats, f"{game.way}: a result has one score for each seat"
        assert len({len(score) for score in result.scores}) == 1, f"{game.way}: the scores differ in length"
        right = ranked(result.scores)
        assert result == right, f"{game.way}: the ranks {result.ranks} are not those of the scores, {right.ranks}"


def legal_moves_are_legal(subject: Subject) -> None:
    """A seat that is asked has moves; each listed move passes `check`, applies, and reads back from its text."""
    rng = random.Random(subject.game_id)
    for asked in subject.questions(120, "legal"):
        choices = asked.legal()
        assert choices, f"{asked}: no legal move is listed for seat {asked.ask.seat + 1}"
        texts = [choice.text for choice in choices]
        assert len(set(texts)) == len(texts), f"{asked}: two choices have the same text"
        for choice in rng.sample(choices, min(8, len(choices))):
            shown = choice.text + choice.note
            assert choice.text.strip(), f"{asked}: a choice has no text"
            assert shown.isprintable(), f"{asked}: the choice {shown!r} cannot be printed"
            _check_choice(asked, choice.move)
        for choice in rng.sample(choices, min(2, len(choices))):
            try:
                asked.apply(choice.move)
            except Exception as error:
                problem = f"{asked}: the legal move {choice.move} does not apply: {type(error).__name__}: {error}"
                raise AssertionError(problem) from error


def _check_choice(asked: Question, move: msgspec.Struct) -> None:
    try:
        asked.check(move)
    except IllegalMove as error:
        raise AssertionError(f"{asked}: `legal` lists {move}, which is illegal: {error.message}") from None
    assert decode(encode(move), asked.game.move, "move") == move, f"{asked}: the move {move} does not read back"
    optional = {field.name for field in msgspec.structs.fields(move) if not field.required}
    for name in asked.ask.sealed:
        assert name in optional, f"{asked}: the legal move {move} has no field {name!r} with a default to be sealed"
    check_text(asked, move)


def check_text(asked: Question, move: object) -> None:
    """The text of a legal move reads back."""
    text = asked.game.text(move)
    assert text.isprintable(), f"{asked}: the text {text!r} of a move cannot be printed"
    try:
        again = asked.game.parse(asked.moment.at.terms, asked.view, text)
    except IllegalMove as error:
        raise AssertionError(f"{asked}: `parse` refuses {text!r}, the text of a legal move: {error.message}") from None
    assert again == move, f"{asked}: `parse` reads {text!r} as {again}, not as {move}"


def moves_read_back(subject: Subject) -> None:
    """`parse` is the inverse of `text` for the moves of bots."""
    for asked in subject.questions(300, "text"):
        move = asked.moment.answers.get(asked.ask.seat)
        if move is not None:
            check_text(asked, move)


def story_is_told(subject: Subject) -> None:
    """Each note is data that reads back, and `tell` makes a printable sentence of it."""
    for game in subject.plays:
        if not game.moments:
            continue
        terms = game.moments[0].at.terms
        notes = {encode(one): one for one in _notes(game.moments[-1].at.log)}
        for note in notes.values():
            sentence = _tell(subject, terms, note)
            seats = {int(seat) for seat in re.findall(r"@(\d+)", sentence)}
            assert sentence.strip(), f"the sentence for the note {note} is empty"
            assert sentence.isprintable(), f"the sentence {sentence!r} for the note {note} cannot be printed"
            assert len(sentence) <= 400, f"the sentence for the note {note} has {len(sentence)} characters"
            assert seats <= set(range(game.way.seats)), f"{sentence!r} names a seat that does not exist"


def _notes(log: list[Note]) -> list[Note]:
    for one in log:
        try:
            again = msgspec.json.decode(encode(one.values))
            check_plain(encode(one.values), "a note")
        except (TypeError, RefereeError) as error:
            raise AssertionError(f"the note {one} is not plain data: {error}") from None
        assert encode(again) == encode(one.values), f"the note {one} does not read back"
        assert re.fullmatch(r"[!-~ ]{1,80}", one.what), f"the note {one} has no word for what happened"
    return log


def _tell(subject: Subject, terms: Terms[object, object], note: Note) -> str:
    try:
        sentence = subject.game.tell(terms, note)
    except Exception as error:
        raise AssertionError(f"`tell` has no sentence for {note}: {type(error).__name__}: {error}") from error
    assert isinstance(sentence, str), f"`tell` does not return a text for {note}"
    return sentence


def boards_fit(subject: Subject) -> None:
    """`render` shows every seat and spectators a board that keeps to its width, at any moment and at the end, with and
    without colour."""
    game = subject.game
    for number, moment in enumerate(subject.moments(60, "draw", asked=False)):
        seats, terms = moment.way.seats, moment.at.terms
        for seat in range(seats + 1) if moment.at.result is not None else {number % seats, (number + 1) % seats, seats}:
            view, names = moment.at.seen(seat), NAMES[:seats]
            width = WIDTHS[number % len(WIDTHS)]
            try:
                plain = game.render(terms, view, names, lambda text, style: text, width)
                painted = game.render(terms, view, names, lambda text, style: f"\1{style}\2{text}\3", width)
            except Exception as error:
                raise AssertionError(f"{moment}: `render` fails for seat {seat + 1}: {error!r}") from error
            for line in plain.split("\n"):
                assert line.isprintable(), f"{moment}: the board has a line that cannot be printed: {line!r}"
                assert columns(line) <= width, f"{moment}: the board has a line of {columns(line)} columns: {line}"
            bare = re.sub("\1[^\2]*\2|\3", "", painted)
            assert bare == plain, f"{moment}: the board differs in colour"
