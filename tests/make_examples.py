"""Writes `examples/`: `python -m tests.make_examples [NAME...]`. The same files come out every time."""

import sys
import tempfile
from pathlib import Path

from referee.bots import demo
from tests.conftest import TOYS
from tests.support.match import Sitting

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SEATS = {"mark": 3, "schwarzer-freitag": 3, "schwarzmarkt": 4, "weg-zum-erfolg": 4}
assert TOYS, "the games are found once tests.conftest is imported"


def played(game_id: str) -> dict[str, bytes]:
    """The game that `referee demo GAME --seats N --seed example` plays, and what the second player has at its end."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "demo"
        demo.run(game_id, SEATS[game_id], str(home), "example", lambda line: None)
        transcript, view = home / "transcript.json", max((home / "bert").glob("*.view.json"))
        return {"transcript.json": transcript.read_bytes(), "view.json": view.read_bytes()}


def with_deadlines() -> dict[str, bytes]:
    """Schwarzmarkt for four with missed deadlines: Bert answers late, a round is held on twice, Dirk goes out, Carla
    resigns. The view is Bert's."""
    anna, bert, carla, dirk = range(4)
    game = Sitting("schwarzmarkt", 4, "deadlines", deadline=3 * 1440, grace=720)
    _miss(game, bert)
    assert game.state.holding
    game.step()  # Bert's answer comes after all, and is played
    game.until(lambda one: one.round >= 12 and dirk in one.asked)
    game.step(dirk)
    game.step(anna)  # what Dirk owes is there, now Anna is late: the round is held on
    game.step()
    game.until(lambda one: one.round >= 24 and dirk in one.asked)
    game.step(dirk)
    game.step(dirk)
    assert game.state.missed[dirk] == 2
    game.until(lambda one: one.round >= 40 and carla in one.asked)
    game.give(game.signed(carla, resign=True))
    if carla in game.match.waiting:
        game.others(carla)
    game.to_end()
    return {"transcript.json": game.transcript(), "view.json": game.view(bert)}


def _miss(game: Sitting, seat: int) -> None:
    """The next time this seat is asked for a decision it misses the deadline."""
    game.until(lambda one: one.round > 4 and seat in one.asked)
    game.step(seat)


def example(name: str) -> dict[str, bytes]:
    """File name -> content of one example."""
    return with_deadlines() if name == "deadlines" else played(name)


NAMES = (*SEATS, "deadlines")


def main(names: list[str]) -> None:
    for name in names or NAMES:
        folder = EXAMPLES / name
        folder.mkdir(parents=True, exist_ok=True)
        made = example(name)
        for path in folder.iterdir():
            if path.name not in made:
                path.unlink()
        for path, data in made.items():
            (folder / path).write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1:])
