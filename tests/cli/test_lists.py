"""Lines of a list, typed to the real program: after `--move` in a process, and at its prompt. What every line means in
every game and language is tested with the same functions in tests/show/test_typed.py."""

import json
from pathlib import Path

import msgspec
import pytest

from referee.engine.rounds import asked
from referee.show import typed
from referee.show.family import only_values
from referee.show.wording import line_text
from tests.cli.terminal import Desk
from tests.cli.world import run
from tests.support.match import Sitting

GAMES = {"schwarzer-freitag": 2, "schwarzmarkt": 3, "mark": 2, "weg-zum-erfolg": 2}
"""Game -> players."""


@pytest.mark.parametrize("game_id", GAMES)
def test_a_number_is_the_move_of_its_line(game_id: str, tmp_path: Path) -> None:
    sitting = Sitting(game_id, GAMES[game_id], seed="lists")
    single: list[int] = []
    while len(single) < 2:
        sitting.step()
        seat = min(asked(sitting.state))
        opened = sitting.opened(seat)
        listed = typed.choices(opened) if opened.decides else []
        shown = [line_text(opened.table, one) for one in listed]
        found = [only_values(one) for one in listed]
        single = [at for at, values in enumerate(found) if values is not None and shown.count(shown[at]) == 1]
    desk = Desk(tmp_path, sitting)
    home = desk.home(sitting.players[seat].name)

    def answer(text: str) -> tuple[int, dict[str, object]]:
        ran = run("play", desk.view(seat), "--move", text, "--dry-run", "--json", cwd=tmp_path, home=home)
        return ran.exit, json.loads(ran.out)

    for at in (single[0], single[-1]):
        values = found[at]
        assert values is not None
        move = json.loads(msgspec.json.encode(typed.build_move(listed[at], values, opened.table.game.move)))
        for text in (f"#{at + 1}", shown[at]):
            status, report = answer(text)
            assert (status, report["move"]) == (0, move), text
    many = next((at for at, values in enumerate(found) if values is None), None)
    if many is not None:
        status, report = answer(f"#{many + 1}")
        assert (status, report["code"]) == (2, "many-moves")
    person = desk.play(seat, "--dry-run")
    person.question()
    said = " ".join(person.says(f"#{single[-1] + 1}").split())
    assert f"You will sign: {shown[single[-1]]}" in said
    person.leave("\x03")
