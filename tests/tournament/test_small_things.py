"""Small things that an organiser, an entrant or a stranger would notice of a tournament."""

import json
import os
import shutil
from fractions import Fraction
from pathlib import Path
from unittest import mock

import pytest
from msgspec.structs import replace

from referee.crypto.codec import encode
from referee.errors import Altered, Malformed
from referee.tournament import documents as d
from referee.tournament.entrants import make_bot
from referee.tournament.results import write_results
from referee.tournament.schedule import Tally, _best_half, _swiss
from referee.tournament.spec import GameLine, all_bots, read_spec
from referee.tournament.stage import Desk
from tests.cli.world import run_here
from tests.tournament import world
from tests.tournament.test_ledger import entrant, until
from tests.tournament.test_refused import Cup


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of two games."""
    folder = tmp_path_factory.mktemp("small") / "cup"
    world.make(folder, (GameLine("auction", 2),), d.Schedule("round-robin", games=2), bots=("sensible", "random"))
    return folder


def test_a_module_is_deterministic_unless_it_is_a_program(tmp_path: Path) -> None:
    cup = Cup(tmp_path)
    cup.good("next", "cup.toml")
    cup.key("Anna")
    (tmp_path / "mine.py").write_text("def decide(terms, seen, below):\n    return None\n")
    cases = {("mine.py:decide",): True, ("random",): True, ("python3", "mine.py"): False}
    for number, (words, wanted) in enumerate(cases.items()):
        cup.good("enter", "tournament", "--name", f"b{number}", "--key", "Anna.key", "--", *words)
        made = json.loads((tmp_path / f"b{number}.entrant.json").read_bytes())["body"]["bot"]
        assert (made.get("deterministic", True), made.get("program", False)) == (wanted, not wanted)


def test_names_of_entrants_differ_by_more_than_capitals() -> None:
    ledger = until("stage")
    ledger.add(entrant(ledger, "Anna"))
    with pytest.raises(Malformed, match="two entrants have the same name"):
        ledger.add(entrant(ledger, "anna"))


def test_a_module_is_the_same_whatever_ends_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = set()
    for end in ("\n", "\r\n"):
        (tmp_path / "mine.py").write_bytes(f"def decide(terms, seen, below):{end}    return None{end}".encode())
        found.add(make_bot(["mine.py:decide"], program=False).hash)
    assert len(found) == 1


def test_standings_are_rebuilt_though_it_is_another_tournament(small: Path) -> None:
    """Whoever kept the line of another tournament still learns whether the results match these games."""
    checked = world.checked(small, "referee-tournament/1 " + "ab" * 32)
    assert [one.code for one in checked.differs] == ["other-tournament"]
    assert checked.notes == []


def test_a_pack_is_on_the_disk_before_its_line_is_written(tmp_path: Path) -> None:
    """Every sync, as the system is asked for it, with the length of the ledger then."""
    desk = world.desk_in(tmp_path)
    ledger, synced, real = tmp_path / "ledger.jsonl", list[tuple[str, int]](), os.fsync

    def fsync(handle: int) -> None:
        synced.append((os.path.basename(os.readlink(f"/proc/self/fd/{handle}")), ledger.stat().st_size))
        real(handle)

    with mock.patch.object(os, "fsync", fsync):
        world.make(tmp_path, (world.GameLine("auction", 2),), d.Schedule("round-robin"), bots=("sensible", "random"))
    del desk
    names = [name for name, _ in synced]
    pack = next(at for at, name in enumerate(names) if name.startswith(".000000.jsonl.gz"))
    assert "000000.open.jsonl" in names[:pack]
    after = [(name, size) for name, size in synced[pack:] if name == "ledger.jsonl"]
    assert b'/pack"' in ledger.read_bytes().splitlines()[-2]
    assert len(after) == 2, "the pack, and the ending"
    assert synced[pack][1] < after[0][1] < after[1][1]


def test_a_tie_goes_to_the_player_who_is_first_in_the_bracket() -> None:
    tally = Tally(4)
    assert _best_half((0, 1, 2, 3), tally, [3, 1, 0, 2]) == [3, 1]
    tally.wave[2] = 1.0
    assert _best_half((0, 1, 2, 3), tally, [3, 1, 0, 2]) == [2, 3]


def test_a_file_of_a_module_is_not_a_program(tmp_path: Path) -> None:
    """`--program` says that one word is a program, which needs no colon."""
    cup = Cup(tmp_path)
    cup.good("next", "cup.toml")
    cup.key("Anna")
    (tmp_path / "bot.sh").write_text("#!/bin/sh\n")
    ran = run_here("tournament", "enter", "tournament", "--name", "own", "--key", "Anna.key", "--program", "--",
                   "./bot.sh", cwd=tmp_path, home=tmp_path / "home")  # fmt: skip
    assert ran.exit == 0, ran.said
    made = json.loads((tmp_path / "own.entrant.json").read_bytes())["body"]["bot"]
    assert (made["program"], made["run"], made["deterministic"]) == (True, ["./bot.sh"], False)


def test_a_dry_desk_leaves_even_half_a_line_alone(small: Path, tmp_path: Path) -> None:
    shutil.copytree(small, tmp_path / "cup")
    ledger = tmp_path / "cup" / "ledger.jsonl"
    whole = ledger.read_bytes()
    ledger.write_bytes(whole + b'{"half')
    Desk(str(tmp_path / "cup"), world.KEY, dry=True)
    assert ledger.read_bytes() == whole + b'{"half'
    Desk(str(tmp_path / "cup"), world.KEY)
    assert ledger.read_bytes() == whole


def test_games_of_withdrawn_bots_do_not_count(small: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(small, tmp_path / "cup"))
    games = len(world.games_of(folder))
    assert json.loads((folder / "results.json").read_bytes())["total"]["games"] == games == 2
    desk = Desk(str(folder), world.KEY)
    desk.withdraw("random", 2, "it was asleep")
    write_results(str(folder), desk.ledger)
    found = json.loads((folder / "results.json").read_bytes())
    assert (found["total"]["games"], found["withdrawn"], found["games"]) == (0, ["random"], {})


def test_the_strongest_so_far_sit_down_first() -> None:
    tally = Tally(4)
    for player, points in enumerate((1, 3, 0, 2)):
        tally.games[player], tally.points[player] = 3, Fraction(points)
    drawn = _swiss(d.Schedule("swiss"), [2], bytes(32), 1, tally, range(4))
    assert drawn == [(0, (1, 3)), (0, (0, 2))]


def test_more_games_than_the_schedule_has_are_refused(small: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(small, tmp_path / "cup"))
    ledger = folder / "ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))  # its end is not signed yet
    last = world.games_of(small)[-1]
    more = replace(last, outcome=replace(last.outcome, number=2))
    (folder / "games/000001.open.jsonl").write_bytes(encode(more) + b"\n")
    with pytest.raises(Altered, match="more games than the schedule has"):
        world.finish(Desk(str(folder), world.KEY))


def test_an_organiser_says_whether_a_bot_is_deterministic(tmp_path: Path) -> None:
    lines = 'name = "Cup"\n[[games]]\ngame = "auction"\nseats = 2\n'
    for name, run, more in (
        ("a", '["true"]', ""), ("b", '["true"]', "deterministic = true"), ("c", '"random"', "deterministic = false"),
    ):  # fmt: skip
        lines += f'[[bots]]\nname = "{name}"\nrun = {run}\n{more}\n'
    (tmp_path / "cup.toml").write_text(lines)
    bots = all_bots(read_spec(str(tmp_path / "cup.toml")))
    assert {name: bot.deterministic for name, bot in bots.items()} == {"a": False, "b": True, "c": False}
