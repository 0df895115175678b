"""Random games, played by the rules alone: whatever any game must keep at every step, it keeps."""

import hashlib
import os
import random
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import islice
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec import inspect

from referee.crypto.codec import decode, encode
from referee.errors import IllegalMove
from referee.game import Ask, Position, Seen, Step, ask_of, seen

from .cases import CASES, IDS, Case, StrictDraws, any_value

GAMES = 3
NAMES = ("Anna", "W" * 40, "漢" * 40, "é ß", "Ö", "i", "J", "K")
WORDS = ("", "a", "0", "00", "01", "07", "99", "red", "black", "x" * 40, "é", "@1", "\x1b[31m", "-1", "1e9")
MOST = 20_000


class Moment(NamedTuple):
    """A step of a game: where it came from, what was answered, where it went."""

    before: Position[Any, Any, Any] | None
    answers: Mapping[int, Any]
    step: Step
    draws: StrictDraws


def play(case: Case, seed: object, bot: str = "random") -> Iterator[Moment]:
    """One whole game."""
    game, terms, rng = case.game, case.terms, random.Random(f"{case} {seed}")
    draws = StrictDraws(game.bags(terms), rng, case.seats)
    step = game.setup(terms, draws)
    yield Moment(None, {}, step, draws)
    for _ in range(MOST):
        before = step.position
        if not before.pending:
            return
        answers = {}
        for ask in before.pending:
            view = seen(before, ask.seat)
            answers[ask.seat] = game.bots[bot](terms, view, rng.randrange)
            game.check(terms, view, answers[ask.seat])
        step = game.apply(terms, before, answers, draws)
        yield Moment(before, answers, step, draws)
    raise AssertionError(f"no end after {MOST} rounds")


def asked(position: Position[Any, Any, Any]) -> Iterator[tuple[Ask, Seen[Any, Any]]]:
    return ((ask, seen(position, ask.seat)) for ask in position.pending)


def tried(call: Callable[..., Any], *args: Any) -> tuple[Any, IllegalMove | None]:
    """What a call returned, or how it was refused; any other exception is a fault."""
    try:
        return call(*args), None
    except IllegalMove as error:
        return None, error


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.mark.parametrize("bot", ["random", "sensible"])
def test_a_game_ends_with_a_result_and_only_then(case: Case, bot: str) -> None:
    for seed in range(GAMES):
        last = None
        for moment in play(case, seed, bot):
            position = moment.step.position
            assert last is None or last.result is None
            assert (not position.pending) == (position.result is not None)
            assert len(position.own) == case.seats
            seats = [ask.seat for ask in position.pending]
            assert len(set(seats)) == len(seats)
            assert set(seats) <= set(range(case.seats))
            last = position
        assert last is not None
        assert last.result is not None


def test_ranks_follow_from_scores(case: Case) -> None:
    for seed in range(GAMES):
        *_, last = play(case, seed)
        result = last.step.position.result
        assert result is not None
        assert len(result.scores) == len(result.ranks) == case.seats
        assert len({len(score) for score in result.scores}) == 1
        assert result.ranks == tuple(1 + sum(other > score for other in result.scores) for score in result.scores)


def test_questions_are_short_and_name_fields_of_a_move(case: Case) -> None:
    kind = inspect.type_info(case.game.move)
    structs = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    fields = {field.encode_name for one in structs if isinstance(one, inspect.StructType) for field in one.fields}
    for moment in play(case, 0):
        for ask in moment.step.position.pending:
            assert re.fullmatch(r"[a-z]+( [a-z]+)?", ask.what)
            assert ask.what not in ("ack", "witness"), "these words are the engine's"
            assert set(ask.sealed) <= fields
            move = moment_fields(case, moment, ask)
            assert set(ask.sealed) <= set(move), "the move that is asked for has no such field"


def moment_fields(case: Case, moment: Moment, ask: Ask) -> dict[str, Any]:
    move = case.game.fallback(case.terms, seen(moment.step.position, ask.seat))
    return msgspec.to_builtins(move)


def test_everything_survives_being_written_down(case: Case) -> None:
    """encode, decode, encode: the same bytes, for positions, parts of them, moves, questions and choices."""
    game = case.game
    for moment in play(case, 1):
        position = moment.step.position
        data = encode(position)
        again = decode(data, case.position, "position")
        assert again == position
        assert encode(again) == data
        assert encode(decode(encode(position.public), game.public, "public")) == encode(position.public)
        for own in position.own:
            assert decode(encode(own), game.own, "own") == own
        assert decode(encode(position.pending), tuple[Ask, ...], "questions") == position.pending
        for move in moment.answers.values():
            written = encode(move)
            assert encode(decode(written, game.move, "move")) == written
            assert decode(written, game.move, "move") == move
        check_bounds(data)


def check_bounds(data: bytes) -> None:
    stack = [msgspec.json.decode(data)]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            assert all(key.isascii() for key in value)
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
        else:
            assert not isinstance(value, float)
            assert not isinstance(value, int) or abs(value) < 2**53


def test_nothing_given_is_changed(case: Case) -> None:
    game, terms = case.game, case.terms
    fixed = encode(terms)
    for number, moment in enumerate(play(case, 0)):
        before, draws = moment.step.position, deepcopy(moment.draws)
        data = encode(before)
        answers = {ask.seat: game.fallback(terms, view) for ask, view in asked(before)}
        given = encode(sorted(answers.items()))
        if answers:
            game.apply(terms, before, answers, draws)
        for seat in range(case.seats):
            game.legal(terms, seen(before, seat))
        game.draw(terms, seen(before, number % case.seats), NAMES[: case.seats], lambda text, style: text)
        assert encode(before) == data
        assert encode(sorted(answers.items())) == given
    assert encode(terms) == fixed


def test_legal_moves_are_legal_and_read_back(case: Case) -> None:
    game, terms = case.game, case.terms
    for moment in play(case, 2):
        for _, view in asked(moment.step.position):
            choices = game.legal(terms, view)
            assert choices
            for choice in choices:
                assert choice.text.strip()
                assert (choice.text + choice.note).isprintable()
                game.check(terms, view, choice.move)
                text = game.text(choice.move)
                assert game.parse(terms, view, text) == choice.move
                move = msgspec.convert(msgspec.json.decode(encode(choice)), type=dict)["move"]
                assert msgspec.convert(move, game.move) == choice.move
                if choice.text != text:
                    continue
                assert game.parse(terms, view, choice.text) == choice.move
            texts = [choice.text for choice in choices]
            assert len(set(texts)) == len(texts)


def test_who_is_not_asked_has_no_moves(case: Case) -> None:
    game, terms = case.game, case.terms
    for moment in play(case, 3):
        position = moment.step.position
        for seat in range(case.seats):
            if ask_of(position.pending, seat) is not None:
                continue
            view = seen(position, seat)
            assert not game.legal(terms, view)
            for move in moment.answers.values():
                with pytest.raises(IllegalMove):
                    game.check(terms, view, move)


def test_the_fallback_is_legal_and_ends_the_game(case: Case) -> None:
    """Also when everybody misses every deadline."""
    game, terms, rng = case.game, case.terms, random.Random(str(case))
    draws = StrictDraws(game.bags(terms), rng, case.seats)
    position = game.setup(terms, draws).position
    for _ in range(MOST):
        if not position.pending:
            break
        answers = {}
        for ask, view in asked(position):
            answers[ask.seat] = game.fallback(terms, view)
            game.check(terms, view, answers[ask.seat])
            assert game.fallback(terms, view) == answers[ask.seat]
        position = game.apply(terms, position, answers, draws).position
    assert position.result is not None
    for moment in play(case, 4):
        for _, view in asked(moment.step.position):
            game.check(terms, view, game.fallback(terms, view))


def test_a_move_reads_back_from_its_text(case: Case) -> None:
    game, terms = case.game, case.terms
    for seed in range(GAMES):
        for moment in play(case, seed):
            for seat, move in moment.answers.items():
                assert moment.before is not None
                text = game.text(move)
                assert text.isprintable()
                assert game.parse(terms, seen(moment.before, seat), text) == move
                assert game.parse(terms, seen(moment.before, seat), f"  {text.upper()} ".lower()) == move


def test_any_move_at_all_is_legal_or_refused(case: Case) -> None:
    """Well-typed nonsense meets `IllegalMove` and nothing else; what passes can be played and reads back."""
    game, terms, rng = case.game, case.terms, random.Random(f"nonsense {case}")
    words = [*WORDS, *{face for faces in game.bags(terms).values() for face in faces}]
    kind = inspect.type_info(game.move)
    refused = passed = 0
    for number, moment in enumerate(play(case, 5)):
        for ask, view in asked(moment.step.position):
            for _ in range(12):
                move = msgspec.convert(any_value(kind, rng, words), game.move)
                _, error = tried(game.check, terms, view, move)
                if error is not None:
                    refused += 1
                    assert re.fullmatch(r"[A-Z]+-\d+", error.clause)
                    assert (error.message + error.next).isprintable()
                    assert error.next
                    continue
                passed += 1
                assert game.parse(terms, view, game.text(move)) == move
                if number % 4 == 0:
                    others = {other.seat: game.fallback(terms, their) for other, their in asked(moment.step.position)}
                    game.apply(terms, moment.step.position, others | {ask.seat: move}, deepcopy(moment.draws))
    assert refused > 20
    assert passed


def test_any_text_at_all_is_a_move_or_refused(case: Case) -> None:
    game, terms, rng = case.game, case.terms, random.Random(f"text {case}")
    said = [game.text(move) for moment in play(case, 6) for move in moment.answers.values()]
    tokens = sorted({token for text in said for token in text.replace(",", " , ").split()})
    for number, moment in enumerate(play(case, 7)):
        if number % 5:
            continue
        for _, view in asked(moment.step.position):
            texts = [" ".join(rng.choices(tokens, k=rng.randrange(8))) for _ in range(20)]
            texts += [rng.choice(WORDS), rng.choice(said)[::-1], "x" * 100_000, "9" * 5000, "\0", "\ud800", "٣ ²"]
            for text in texts:
                move, error = tried(game.parse, terms, view, text)
                if error is None:
                    assert decode(encode(move), game.move, "move") == move
                else:
                    assert (error.message + error.next).isprintable()
                    assert len(error.message) < 200


def columns(line: str) -> int:
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in line)
    return len(line) + wide - sum(unicodedata.combining(letter) > 0 for letter in line)


def test_drawings_fit_a_terminal(case: Case) -> None:
    game, terms = case.game, case.terms
    for number, moment in enumerate(play(case, 8)):
        if number % 3 and moment.step.position.pending:
            continue
        for seat in (number // 3 % case.seats, (number // 3 + 1) % case.seats):
            view = seen(moment.step.position, seat)
            plain = game.draw(terms, view, NAMES[: case.seats], lambda text, style: text)
            assert all(line.isprintable() for line in plain.split("\n"))
            assert max(map(columns, plain.split("\n"))) <= 100
            painted = game.draw(terms, view, NAMES[: case.seats], lambda text, style: f"\1{style}\2{text}\3")
            assert re.sub("\1[a-z]+\2|\3", "", painted) == plain, "painting changes more than colours"


def test_log_lines_are_printable_and_name_real_seats(case: Case) -> None:
    told = 0
    for seed in range(GAMES):
        for moment in play(case, seed):
            for line in moment.step.log:
                told += 1
                assert line.strip()
                assert line.isprintable()
                assert len(line) < 400
                assert {int(seat) for seat in re.findall(r"@(\d+)", line)} <= set(range(case.seats))
    assert told


def test_hidden_containers_are_what_players_hold(case: Case) -> None:
    """`holds` says what a seat's own part implies; the draws know what is really there."""
    game, terms = case.game, case.terms
    for moment in play(case, 9):
        for seat in range(case.seats):
            for bag, faces in game.holds(terms, seen(moment.step.position, seat)).items():
                assert tuple(sorted(faces)) == moment.draws.contents(bag)


def digest(case: Case, seed: object) -> str:
    """All that a game said and did in 150 rounds, and what one seat was shown each time, all in turn."""
    found = hashlib.sha256()
    for number, moment in enumerate(islice(play(case, seed), 150)):
        found.update(encode((moment.step.position, moment.step.log, moment.draws.calls[-20:])))
        for _, view in asked(moment.step.position):
            found.update(encode(list(case.game.legal(case.terms, view))))
        view = seen(moment.step.position, number % case.seats)
        found.update(case.game.draw(case.terms, view, NAMES[: case.seats], lambda text, style: text).encode())
    return found.hexdigest()


def test_the_same_chance_gives_the_same_game(case: Case) -> None:
    assert digest(case, 10) == digest(case, 10) != digest(case, 11)


@pytest.mark.parametrize("game_id", IDS)
def test_a_game_does_not_depend_on_hash_seed_locale_or_time_zone(game_id: str) -> None:
    script = (
        "import tests.conftest; from tests.contract.test_play import CASES, digest;"
        f"print([digest(case, 12) for case in CASES if case.game_id == {game_id!r}][::3])"
    )
    said = set()
    for seed, locale, zone in (("1", "C", "UTC"), ("2", "tr_TR.UTF-8", "Asia/Kathmandu")):
        env = os.environ | {"PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone}
        said.add(subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, check=True).stdout)
    assert len(said) == 1
