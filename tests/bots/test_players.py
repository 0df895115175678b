"""Players in this process, at real tables: the interface of every bot."""

from typing import Any

import msgspec
import pytest

from referee import games
from referee.bots.players import Hello, Limits, LocalPlayer, Reply, find, moves
from referee.bots.playing import Fallback, SeatedPlayer, close
from referee.errors import Usage
from referee.evidence.replay import open_transcript
from referee.game import Seen
from referee.show import typed
from tests.support import bots
from tests.support.match import Sitting, chance

GAMES = ("schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg")


def seated(sitting: Sitting, players: list[Any], fallback: Fallback = "random") -> list[SeatedPlayer]:
    """These players at this table, ready to play."""
    seeds = [chance(sitting.seed, "own", seat) for seat in range(len(players))]
    return bots.seated(sitting, players, seeds, fallback=fallback)


def play_out(sitting: Sitting, players: list[Any], fallback: Fallback = "random") -> list[SeatedPlayer]:
    chairs = seated(sitting, players, fallback)
    for number in bots.play(sitting, chairs):
        assert number == sitting.round
    return chairs


@pytest.mark.parametrize("game", GAMES)
def test_bots_play_a_whole_game_that_verifies(game: str) -> None:
    sitting = Sitting(game, 3, "here")
    chairs = play_out(sitting, [LocalPlayer("sensible"), LocalPlayer("random"), LocalPlayer("sensible")])
    spent = close(sitting.state.result, chairs)
    assert sitting.over
    assert all(one.questions > 0 and one.seconds >= one.slowest > 0 and not one.faults for one in spent)
    assert len(open_transcript(sitting.transcript()).rounds) == sitting.round


class Watching(LocalPlayer):
    """Compares what it could answer with what its seat's own view lists, and what it is told with the whole story."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__("sensible")
        self.sitting, self.questions, self.told = sitting, [], []

    def begin(self, hello: Hello) -> Reply:
        self.hello = hello
        return super().begin(hello)

    def answer(self, question: Any) -> Reply:
        opened = self.sitting.opened(self.hello.seat)
        if question.number % 8 == 1:
            assert msgspec.json.encode(moves(self.hello, question)) == msgspec.json.encode(typed.moves(opened))
        assert (question.round, question.ask) == (opened.round + 1, opened.ask)
        self.questions.append(question.number)
        self.told += question.news
        return super().answer(question)


def test_a_question_has_what_the_view_of_the_seat_has() -> None:
    sitting = Sitting("schwarzer-freitag", 2, "watch")
    player = Watching(sitting)
    play_out(sitting, [LocalPlayer("random"), player])
    assert player.questions == list(range(1, len(player.questions) + 1))
    rounds = open_transcript(sitting.transcript()).rounds
    story = [(number, one.log) for number, one in enumerate(rounds, 1)]
    assert player.told == story[: len(player.told)]


def wrong(terms: Any, seen: Any, below: Any) -> Any:
    """Asks for ten of everything."""
    return games.load("schwarzer-freitag").bots["random"]


def crashing(terms: Any, seen: Any, below: Any) -> Any:
    raise ValueError("not today")


def talking(terms: Any, seen: Any, below: Any) -> Any:
    """Plays as `random`, with the standing orders of `sensible`."""
    game = games.load("mark")
    return Reply(game.bots["random"](terms, seen, below), game.standing.advise(terms, seen, "sensible"))


@pytest.mark.parametrize("fallback", ["random", "miss", "resign"])
def test_a_bot_that_fails_is_counted_and_the_game_goes_on(fallback: Fallback) -> None:
    sitting = Sitting("schwarzer-freitag", 3, "fails")
    chairs = play_out(sitting, [LocalPlayer(crashing), LocalPlayer("sensible"), LocalPlayer(wrong)], fallback)
    bad, good, odd = close(sitting.state.result, chairs)
    assert sitting.over
    assert set(bad.faults) == {"crash"}
    assert not good.faults
    assert set(odd.faults) == {"illegal"}
    assert bad.first is not None
    assert bad.first.lines[-1] == "ValueError: not today"
    assert (bad.faults["crash"], odd.faults["illegal"]) == (1, 1 if fallback == "resign" else Limits().faults)
    assert len(chairs[0].faults) == bad.questions
    assert chairs[0].faults[-1][1].gone
    if fallback == "resign":
        assert sitting.state.end == "left"
    else:
        assert sitting.state.end == "result"
        assert bad.questions > 1
    open_transcript(sitting.transcript())


def test_a_function_can_say_standing_orders() -> None:
    sitting = Sitting("mark", 2, "talks")
    player = find("tests.bots.test_players:talking", sitting.table.game, confined=False)()
    chairs = seated(sitting, [player, LocalPlayer("random")])
    said = []
    for _ in bots.play(sitting, chairs):
        said.append(sitting.match.checkpoint.public.standing[0])
    assert len(set(map(str, said))) > 1
    assert not chairs[0].faults


@pytest.mark.parametrize(
    "name", ["nobody", "tests.bots:nobody", "no_such_module:x", ":", "tests.bots.test_players:GAMES"]
)
def test_a_bot_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(Usage) as error:
        find(name, games.load("mark"), confined=False)
    assert error.value.code == "no-bot"


@pytest.mark.parametrize("bot", ["nobody", "no_such_module:x", ":", ["no-such-program"], []])
def test_a_bot_that_does_not_exist_is_not_confined(bot: str | list[str]) -> None:
    with pytest.raises(Usage) as error:
        find(bot, games.load("mark"))
    assert error.value.code == "no-bot"


def test_a_function_sees_its_tokens_in_the_order_of_names() -> None:
    """As in the lines to a bot in another process: so both play the same game."""
    seen = Seen(0, None, (), {"b.1": "red", "a.1": "blue"})
    bots = (lambda terms, seen, below: None), "random"
    assert [list(LocalPlayer(bot)._sight(seen).tokens) for bot in bots] == [["a.1", "b.1"], ["b.1", "a.1"]]
