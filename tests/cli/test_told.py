"""What commands tell of themselves: how far they are, what was tried, how their help is set."""

import json
import os
import re
from itertools import pairwise
from pathlib import Path
from unittest import mock

import pytest

from referee.cli import asking
from referee.cli.help import _block
from referee.errors import WrongTurn
from referee.library import finding
from tests.cli.world import run_here
from tests.mail.offices import PEOPLE, World, invited
from tests.support.ports import own_port

SMTP = 'kind = "smtp"\nserver = "127.0.0.1"\nport = {port}\nsecurity = "plain"\npassword = "none"'

# --- the terminal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "above", "room"),
    [("24", 0, 22), ("24", 5, 17), ("24", 21, 1), ("24", 22, 1), ("24", 40, 1), ("3", 0, 1), ("2", 0, 1), ("", 0, 0)],
)
def test_how_many_lines_are_left_above_a_question(
    lines: str, above: int, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question takes a line of the terminal, and what is typed another. Where nobody knows, there is no limit."""
    monkeypatch.setenv("LINES", lines)
    assert asking.Somebody(above).room == room


def test_lines_that_were_printed_count_until_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", "24")
    said: list[str] = []
    monkeypatch.setattr(asking.c, "say", said.append)
    monkeypatch.setattr(asking.c, "ask_line", lambda question: f"answer to {question}")
    one = asking.Somebody(2)
    one.say("one\ntwo")
    one.say("")
    assert (one.above, one.room, said) == (5, 17, ["one\ntwo", ""])
    assert one.ask("why?") == "answer to why?"
    assert (one.above, one.room) == (0, 22)


def test_a_command_that_finds_no_file_says_what_to_do() -> None:
    with pytest.raises(WrongTurn) as caught:
        asking.find(lambda notes: [], finding.nothing_waits, lambda count: f"{count} views")
    assert str(caught.value.message) == "no view in this folder waits for you"


# --- help -------------------------------------------------------------------------------------------------------------


def test_the_words_of_a_block_begin_below_each_other() -> None:
    assert _block("Some", {"a": "one thing", "longer": "another", "mid": "a third"}) == [
        "Some:", "  a       one thing", "  longer  another", "  mid     a third",
    ]  # fmt: skip


def test_the_help_of_the_program_fits_a_terminal(tmp_path: Path) -> None:
    lines = run_here("--help", cwd=tmp_path).out.decode().splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24
    blocks = [line for line in lines if re.match(r"  \S+  +\S", line)]
    assert len(blocks) > 8
    assert [line.index("Host:") for line in lines if "Host:" in line] == [40], "in the middle"
    assert all(line[39:40] in ("", " ") and line[40:41] not in ("",) for line in blocks if len(line) > 40)


# --- the office -------------------------------------------------------------------------------------------------------


@pytest.fixture
def office(tmp_path: Path) -> World:
    return invited(tmp_path)[0]


def edited(world: World, fetch: str, send: str) -> None:
    path = world.root / "mail.toml"
    head = path.read_text().partition("[fetch]")[0]
    path.write_text(f"{head}[fetch]\n{fetch}\n[send]\n{send}\n")


def maildir(world: World) -> str:
    for name in ("cur", "new", "tmp"):
        (world.folder / "box" / name).mkdir(parents=True, exist_ok=True)
    return f'kind = "maildir"\npath = "{world.folder / "box"}"'


def test_every_step_of_a_trial_is_told(office: World) -> None:
    edited(office, maildir(office), 'kind = "files"')
    ran = office.run("status", "--test")
    box = office.folder / "box"
    steps = ["mail.toml is valid: Hanna (host@games.example)", f"{box} has 0 new mails"]
    steps.append("mails stay in outbox/ for you to send")
    assert (ran.exit, ran.out) == (0, b"")
    assert ran.said.splitlines() == [*(f"ok: {step}" for step in steps), f"Next: `referee mail run {office.root}`."]
    told = json.loads(office.run("status", "--test", "--json").out)
    assert told == {"good": True, "tried": [{"good": True, "what": step, "next": ""} for step in steps]}


def test_one_step_that_fails_makes_a_trial_bad_and_says_what_to_do(office: World) -> None:
    port = own_port()
    edited(
        office,
        maildir(office),
        f'kind = "smtp"\nserver = "127.0.0.1"\nport = {port}\nsecurity = "plain"\npassword = "none"',
    )
    ran = office.run("status", "--test")
    assert ran.exit == 9
    marks = [line.partition(": ")[0] for line in ran.said.splitlines()]
    assert marks == ["ok", "ok", "BAD", "Next"]
    told = json.loads(office.run("status", "--test", "--json").out)
    assert (told["good"], [one["good"] for one in told["tried"]]) == (False, [True, True, False])
    assert ran.said.splitlines()[-1] == f"Next: {told['tried'][-1]['next']}"


def test_what_was_sent_and_what_waits(office: World) -> None:
    waiting = sorted(path.name for path in (office.root / "outbox").glob("*.eml"))
    assert waiting == []
    office.offer(PEOPLE["anna"], PEOPLE["bert"], game="auction", more=("--option", "rounds=1"))
    waiting = sorted(path.name for path in (office.root / "outbox").glob("*.eml"))
    assert len(waiting) == 2
    told = json.loads(office.run("run", "--only", "out", "--json").out)
    assert told == {"sent": 0, "failed": [], "outbox": waiting}
    ran = office.run("run", "--only", "out")
    assert (ran.exit, "0 mails sent, 2 in outbox/." in ran.said) == (0, True)
    port = own_port()  # nobody listens
    edited(
        office,
        'kind = "none"',
        f'kind = "smtp"\nserver = "127.0.0.1"\nport = {port}\nsecurity = "plain"\npassword = "none"',
    )
    ran = office.run("run", "--only", "out")
    assert ran.exit == 9
    assert office.kept("outbox") == 2
    assert office.run("run", "--only", "out", "--dry-run").exit == 0


def test_a_table_and_what_to_do_with_it_are_both_needed(office: World) -> None:
    (name,) = os.listdir(office.root / "tables")
    for words, message in (((name,), "say what to do at this table"), (("--abandon",), "say which table")):
        said = office.run("table", *words)
        assert (said.exit, message in said.said) == (2, True)


# --- how far it is ----------------------------------------------------------------------------------------------------


def test_how_fast_it_goes_and_how_long_it_takes_follow_from_what_was_done_since_the_beginning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The first number is what an earlier run had done."""
    from referee.io import progress

    clock = [100.0, 101.0, 110.0, 110.2, 120.0]
    with (
        mock.patch.object(progress, "monotonic", side_effect=clock),
        mock.patch("sys.stderr.isatty", return_value=True),
        mock.patch.dict(os.environ, {"COLUMNS": "80"}),
        progress.Bar(100, ()) as bar,
    ):
        bar.count(20)  # at 101
        bar.count(40)  # at 110: 20 games in 10 seconds, and 60 are left
        bar.count(41)  # too soon
        bar.count(100)
    lines = capsys.readouterr().err.split("\r")
    told = [line.strip() for line in lines if line.strip()]
    assert told == [
        "20/100 games; 0.0 a second",
        "40/100 games; 2.0 a second; 30 s left",
        "100/100 games; 4.0 a second",
    ]
    assert [len(one) >= len(other.rstrip()) for other, one in pairwise(line for line in lines[1:4])] == [True, True]


@pytest.mark.parametrize(("number", "terminal", "shown"), [(1, True, False), (2, True, True), (2, False, False)])
def test_a_check_of_several_files_shows_how_far_it_is(
    number: int, terminal: bool, shown: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    from referee.cli.evidence import _progress

    with mock.patch("sys.stderr.isatty", return_value=terminal), _progress(number) as tell:
        tell(1)
    assert ("verify" in capsys.readouterr().err) is shown
