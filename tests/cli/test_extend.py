"""`extend`, and time banks at the command line: what is promised, kept, told, and proved when it is broken."""

import json
import shutil
from pathlib import Path

import pytest

from referee.crypto.codec import encode
from referee.engine import host
from referee.io import keyfile
from tests.cli.world import Ran, check_refusal, keep_guard, run_here
from tests.support.match import Sitting, cheating

LATE = "2027-01-01T05:00Z"


class Table:
    """A host with a game file, in which all three are asked until one o'clock, with ten minutes of grace."""

    def __init__(self, folder: Path, **terms: int) -> None:
        self.folder = folder
        self.sitting = Sitting("auction", 3, "extended", **{"deadline": 60, "grace": 10, **terms}).until("play")
        (folder / "home").mkdir()
        (folder / "home" / "key.json").write_bytes(keyfile.dump(self.sitting.host))
        (folder / "game.json").write_bytes(self.sitting.file())
        keep_guard(self.sitting.match, folder / "game.json", folder / "home")

    def run(self, command: str, *args: str, now: str = "") -> Ran:
        more = ("--now", now) if now else ()
        return run_here(command, *args, *more, cwd=self.folder)

    def good(self, command: str, *args: str, now: str = "") -> Ran:
        ran = self.run(command, *args, now=now)
        assert ran.exit == 0, ran.said
        return ran

    def answer(self, *seats: int, now: str) -> None:
        for seat in seats:
            (self.folder / f"{seat}.move.json").write_bytes(self.sitting.signed(seat))
        self.good("apply", "game.json", *(f"{seat}.move.json" for seat in seats), now=now)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_more_time_is_given_in_writing_and_kept(table: Table) -> None:
    told = table.good("apply", "game.json", "--extend", "Bert", "--by", "4h", now="2027-01-01T00:30Z").said
    (path,) = table.folder.glob("*.extension.json")
    assert "Bert has time until 2027-01-01 05:00 UTC for round" in told
    assert path.name in told
    said = json.loads(path.read_bytes())["body"]
    assert (said["seat"], said["until"], said["round"]) == (1, LATE, table.sitting.round + 1)
    assert "with time until 2027-01-01 05:00 UTC" in table.good("show", "game.json").out.decode()
    table.answer(0, 2, now="2027-01-01T00:30Z")
    check_refusal(table.run("apply", "game.json", "--timeout", "Bert", now="2027-01-01T05:10Z"), (5,))
    table.good("apply", "game.json", "--timeout", "Bert", now="2027-01-01T05:11Z")
    views = [str(one) for one in table.folder.glob("*.view.json") if f"r{said['round']:03}" in one.name]
    assert len(views) == 3
    assert table.run("dispute", views[0], path.name).exit == 0, "the promise was kept"
    assert "time until 2027-01-01 05:00 UTC" not in table.good("show", "game.json").out.decode()


def test_a_game_file_from_a_backup_keeps_the_promise(table: Table) -> None:
    backup = (table.folder / "game.json").read_bytes()
    table.good("apply", "game.json", "--extend", "2", "--until", LATE, now="2027-01-01T00:30Z")
    (table.folder / "game.json").write_bytes(backup)
    table.answer(0, 2, now="2027-01-01T00:30Z")
    check_refusal(table.run("apply", "game.json", "--timeout", "Bert", now="2027-01-01T02:00Z"), (5,))
    found = json.loads(table.good("show", "game.json", "--json").out)
    assert [(row["name"], row["due"]) for row in found["waiting_for"]] == [("Bert", LATE)]


def test_a_promise_that_is_broken_is_proved_by_two_documents(table: Table) -> None:
    sitting = table.sitting
    extensions = [encode(host.extend(sitting.match, 1, until)) for until in ("2027-01-01T01:05Z", LATE)]
    sitting.others(1)
    sitting.wait(70)
    with cheating():
        host.time_out(sitting.match, 1)
    (table.folder / "view.json").write_bytes(sitting.view(0))
    for number, data in enumerate(extensions):
        (table.folder / f"{number}.extension.json").write_bytes(data)
    ran = table.run("dispute", "view.json", "0.extension.json", "1.extension.json", "--json")
    (game,) = json.loads(ran.out)["games"]
    (row,) = game["shown"]
    assert (ran.exit, row["verdict"], row["code"]) == (6, "proved", "extended-and-timed-out")
    assert "2027-01-01 05:00 UTC" in row["message"], "the latest counts"
    alone = table.run("verify", row["proof"], "--json")
    assert (alone.exit, json.loads(alone.out.splitlines()[0])["code"]) == (6, "extended-and-timed-out")
    assert table.run("verify", "view.json", "1.extension.json").exit == 6
    assert table.run("audit", "view.json", "1.extension.json").exit == 6
    shown = table.good("show", "1.extension.json").out.decode()
    assert "until 2027-01-01 05:00 UTC" in shown


@pytest.mark.parametrize(
    "given",
    [
        (),
        ("--until", LATE, "--by", "1h"),
        ("--until", "2027-01-01T01:00Z"),
        ("--until", "2027-02-30T00:00Z"),
        ("--by", "soon"),
    ],
)
def test_a_time_that_makes_no_sense_is_refused(table: Table, given: tuple[str, ...]) -> None:
    before = (table.folder / "game.json").read_bytes()
    check_refusal(table.run("apply", "game.json", "--extend", "Bert", *given, now="2027-01-01T00:30Z"), (2,))
    assert (table.folder / "game.json").read_bytes() == before


def test_time_that_is_over_when_it_is_given_is_refused(table: Table) -> None:
    check_refusal(table.run("apply", "game.json", "--extend", "Bert", "--by", "1h", now="2027-01-01T02:00Z"), (2,))
    table.good("apply", "game.json", "--extend", "Bert", "--by", "1h", "--dry-run", now="2027-01-01T01:59Z")
    assert not [*table.folder.glob("*.extension.json")]


def test_a_time_bank_from_the_offer_to_the_last_minute(tmp_path: Path) -> None:
    table = Table(tmp_path, bank=30)
    assert "30 minutes in the time bank" in table.good("show", "game.json").out.decode()
    table.answer(0, now="2027-01-01T01:12Z")
    table.answer(2, now="2027-01-01T01:20Z")
    check_refusal(table.run("apply", "game.json", "--timeout", "Bert", now="2027-01-01T01:40Z"), (5,))
    table.good("apply", "game.json", "--timeout", "Bert", now="2027-01-01T01:41Z")
    anna = str(max(tmp_path.glob("*-anna.view.json")))
    told = table.good("audit", anna).out.decode()
    assert "your time bank paid 12 minutes and has 18 minutes left" in told
    shown = table.good("show", anna).out.decode()
    assert "Left in the time banks: Anna 18 minutes, Bert 0 minutes, Carla 10 minutes." in shown
    assert "your time bank paid 12 minutes" in shown


def test_an_offer_with_a_time_bank_says_so(table: Table) -> None:
    made = table.good("offer", "auction", "--seats", "2", "--deadline", "3d", "--bank", "2d", "-o", "offer.json").said
    assert "each player can be late by 2 days in total" in made
    assert json.loads((table.folder / "offer.json").read_bytes())["body"]["bank"] == 2 * 1440
    check_refusal(table.run("offer", "auction", "--seats", "2", "--no-deadline", "--bank", "2d"), (2,))


def test_a_lost_game_file_is_built_again_with_what_was_promised(table: Table) -> None:
    table.good("apply", "game.json", "--extend", "Bert", "--until", LATE, now="2027-01-01T00:30Z")
    (promise,) = table.folder.glob("*.extension.json")
    (table.folder / "view.json").write_bytes(table.sitting.view(0))
    shutil.rmtree(table.folder / "home" / "guard")
    forged = json.loads(promise.read_bytes())
    forged["body"]["until"] = "2030-01-01T00:00Z"
    (table.folder / "forged.json").write_text(json.dumps(forged, separators=(",", ":"), sort_keys=True))
    check_refusal(table.run("recover", "view.json", "forged.json", "--incomplete", "-o", "no.json"))
    table.good("recover", "view.json", promise.name, "--incomplete", "-o", "again.json")
    found = json.loads(table.good("show", "again.json", "--json").out)
    assert [row["due"] for row in found["waiting_for"]] == ["2027-01-01T01:00Z", LATE, "2027-01-01T01:00Z"]
