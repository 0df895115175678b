"""Practice: whole games, taking back, the same game again."""

import random
from typing import Any

import msgspec
import pytest

import referee
from referee.language import LANGUAGES
from referee.library import rehearsing
from referee.library.practising import Answered, Practice
from tests.library.test_games import GAMES


def play_some(game: Practice, rng: random.Random, most: int = 10_000) -> list[Any]:
    """Answer with moves of the list, picked by chance; returns them as data."""
    played = []
    while game.asked and len(played) < most:
        played.append(rng.choice(game.moves()).move)
        game.play(played[-1])
    return played


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_comes_to_its_end_and_again(game_id: str) -> None:
    game = referee.practice(game_id, seed="end")
    played = play_some(game, random.Random(1))
    assert game.result is not None
    assert len(game.result.ranks) == len(game.names)
    assert [one.round for one in game.story()] == list(range(1, game.round + 1))
    again = referee.practice(game_id, seed="end")
    for move in played:
        again.play(move)
    assert (again.result, again.position) == (game.result, game.position)
    assert referee.practice(game_id, seat=None, seed="other").result != game.result


@pytest.mark.parametrize("game_id", GAMES)
def test_moves_are_taken_back_one_by_one(game_id: str) -> None:
    game = referee.practice(game_id, seed="undo")
    first = game.position, game.hand, game.round
    kept = []
    for _ in range(4):
        kept.append((game.position, game.hand, game.round, game.asked))
        game.play(game.moves()[0].move)
    for position, hand, round, asked in reversed(kept):
        assert game.undo()
        assert (game.position, game.hand, game.round, game.asked) == (position, hand, round, asked)
    assert not game.undo()
    assert (game.position, game.hand, game.round) == first


@pytest.mark.parametrize("game_id", GAMES)
def test_moves_are_typed_in_every_language(game_id: str) -> None:
    game, rng = referee.practice(game_id, seed="typed"), random.Random(2)
    for _ in range(8):
        for language in ("en", "de", "nl"):
            with referee.speaking(language):
                for line in game.moves():
                    said = game.read(line if line.single else line.move)
                    assert game.read(str(said)).move == game.read(said).move == line.move
                    if line.single:
                        assert game.read(f"#{line.number}") == said
                assert max(map(len, game.board(60).splitlines())) <= 60
        play_some(game, rng, 1)
    assert game.picture().startswith("<svg")


def test_standing_orders_are_given_with_a_move() -> None:
    game = referee.practice("mark", seed=1)
    line = next(line for line in game.standing() if line.single)
    said = game.read(f"roll; {line}")
    assert said.move == game.read("roll").move
    assert said.standing == line.move
    game.play(said)
    assert game.position["standing"][0] == line.move


def test_a_refused_move_changes_nothing() -> None:
    game = referee.practice("schwarzer-freitag", seed=1)
    before = game.position
    with pytest.raises(referee.RefereeError) as caught:
        game.play("sell 9 red")
    assert caught.value.code == "illegal"
    assert (game.position, game.round) == (before, 1)


def test_what_is_said_in_another_order_than_it_is_done_is_refused() -> None:
    game = referee.practice("schwarzer-freitag", seed=1)
    with referee.speaking("de"), pytest.raises(referee.RefereeError) as caught:
        game.read("verkaufe rot, zuerst 1 Subvention")
    assert str(caught.value.message) == "what comes first must be said first"


def test_a_bot_that_fails_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    game = referee.practice("schwarzer-freitag", seats=3, seat=2)
    before = game.round

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    changed = msgspec.structs.replace(game._game, bots={"sensible": broken})
    monkeypatch.setattr(game, "_game", changed)
    with pytest.raises(referee.RefereeError) as caught:
        play_some(game, random.Random(1))
    assert caught.value.code == "rules-failed"
    assert "ZeroDivisionError" in str(caught.value.message)
    assert game.round >= before
    assert game.asked


def test_a_hint_is_of_the_sensible_bot_though_a_stronger_one_is_there() -> None:
    games = [referee.practice("weg-zum-erfolg", seed=f"hint {number}") for number in range(10)]
    hints = [game.hint().move for game in games]
    for level in ("sensible", "strong"):
        answers = [msgspec.to_builtins(game._bot(game._me, level)[0]) for game in games]
        assert (answers == hints) is (level == "sensible")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_hint_is_a_legal_move_and_changes_nothing(game_id: str) -> None:
    game = referee.practice(game_id, seed="hint", level="random")
    for _ in range(6):
        before = game.position, game.round
        hint = game.hint()
        assert game.read(hint).move == game.read(str(hint)).move == hint.move
        assert (game.position, game.round, game.hint()) == (*before, hint)
        game.play(hint)
    with pytest.raises(referee.RefereeError, match="you are not asked for anything now"):
        referee.practice(game_id, seat=None).hint()


@pytest.mark.parametrize("game_id", GAMES)
def test_answers_are_kept_and_lead_to_the_same_game(game_id: str) -> None:
    game = referee.practice(game_id, seed="answers")
    play_some(game, random.Random(3), 5)
    game.undo()
    assert len(game.answers) == 4
    again = referee.practice(game_id, seed="answers")
    for answer in game.answers:
        again.play(msgspec.to_builtins(answer)["move"])
    assert (again.position, again.answers) == (game.position, game.answers)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_guided_opening_explains_a_game_as_it_goes(game_id: str) -> None:
    """Every step asks for what is asked then, its move is legal, and it is explained in every language; whoever goes
    their own way hears no more of it."""
    guide = rehearsing.guide_of(game_id)
    assert guide is not None
    game = rehearsing.resume(rehearsing.explained_game(game_id, guide))
    for step in guide.steps:
        assert rehearsing.step_of(guide, game.answers) == step
        assert game.asked == step.ask
        assert set(step.say) == set(LANGUAGES)
        assert all(len(text) > 80 for text in step.say.values())
        game.play(step.move)
    assert len(guide.steps) >= 4
    assert rehearsing.step_of(guide, game.answers) is None
    other = Answered(guide.steps[1].move)
    assert rehearsing.step_of(guide, [other]) is None
    assert rehearsing.step_of(guide, [Answered(guide.steps[0].move, {"some": "orders"})]) is None
    assert rehearsing.step_of(None, ()) is None
