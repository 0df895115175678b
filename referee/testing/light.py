"""A game without signatures is the signed game of common chance: the same positions, draws, questions and tokens."""

from referee.engine import host
from referee.errors import RefereeError, RulesFault
from referee.light.game import Answer, LightGame
from referee.testing.signed import Round, Seating, chance, play_signed, seen_by
from referee.testing.subject import Setup, Subject


def light_games_are_the_same(subject: Subject) -> None:
    """Random games, also with seats that miss deadlines and leave, and games of `sensible`, both ways."""
    low, high = subject.game.seats
    ways = (Setup((low + high + 1) // 2, late=0.1), Setup(low, bot="sensible"), Setup(high), Setup(low, late=0.02))
    for number, way in enumerate(ways[: subject.sample(len(ways))]):
        seed = f"light {subject.game_id} {way}"
        seating = Seating(subject, way, seed, chance(seed, "common"))
        leave = 0.02 if number % 2 == 0 else 0.0
        try:
            rounds, match = play_signed(seating, seed, bot=way.bot, late=way.late, leave=leave)
        except RefereeError as error:
            raise AssertionError(f"{way}: the signed game stops: {error.message}") from error
        light = LightGame(subject.game, subject.terms(way), seating.common)
        for one in rounds:
            _compare(way, one.before, light)
            _close(way, light, one)
        _compare(way, match, light)


def _close(way: Setup, light: LightGame, one: Round) -> None:
    answers: dict[int, Answer | None] = dict.fromkeys(one.late)
    answers |= {seat: Answer(move, one.words.get(seat)) for seat, move in one.moves.items()}
    answers |= {seat: Answer(resign=True) for seat in one.gone}
    try:
        light.close(answers)
    except (RulesFault, RefereeError) as error:
        raise AssertionError(f"{way}: without signatures the game stops: {error}") from error


def _compare(way: Setup, match: host.Match, light: LightGame) -> None:
    state, other = match.state, light.state
    where = f"{way}, round {state.round}"
    assert light.public == match.checkpoint.public, f"{where}: another position without signatures"
    assert light.log == match.log, f"{where}: another story without signatures"
    assert light.draws.drawn == state.drawn, f"{where}: other draws without signatures"
    for name in ("round", "pending", "result", "missed", "left", "holding", "end"):
        assert getattr(other, name) == getattr(state, name), f"{where}: `{name}` differs without signatures"
    for seat in range(way.seats):
        one, two = seen_by(match, seat), light.seen(seat)
        assert one == two, f"{where}: seat {seat + 1} sees something else without signatures"
