"""What commands say in rare cases: games that rest, deadlines to the minute, keys that are missing, files of another
game, and faults of the machine."""

import errno
import io
import json
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from referee.games.auction import Bid

from referee.cli import app, common
from referee.engine import host as engine
from referee.engine.rounds import asked
from referee.errors import RefereeError, Usage
from referee.io import keyfile, screen
from referee.io.progress import Bar
from referee.language import t
from referee.library import disputes
from tests.cli.test_tickets import Desk
from tests.cli.world import Ran, World, check_refusal, keep_guard, run_here
from tests.support.match import Sitting


class Host:
    """A game in memory at its host's desk."""

    def __init__(self, root: Path, sitting: Sitting) -> None:
        self.root, self.sitting, self.home = root, sitting, root / "home"
        self.home.mkdir(parents=True)
        (self.home / "key.json").write_bytes(keyfile.dump(sitting.host))
        (root / "game.json").write_bytes(sitting.file())
        keep_guard(sitting.match, root / "game.json", self.home)

    def run(self, *words: str) -> Ran:
        return run_here(*words, cwd=self.root, home=self.home)

    def said(self, *words: str) -> list[str]:
        ran = self.run(*words)
        assert ran.exit == 0, ran.said
        return ran.said.splitlines()

    def status(self) -> dict[str, Any]:
        return dict(json.loads(self.run("show", "game.json", "--json").out))


def wrong(ran: Ran, status: int) -> tuple[str, str]:
    """What is wrong, and what to do next."""
    check_refusal(ran, (status,))
    message, advice = ran.said.splitlines()[-2:]
    return message.removeprefix("referee: "), advice.removeprefix("Next: ")


# --- hosts ------------------------------------------------------------------------------------------------------------


def test_a_game_in_which_nobody_answers_rests_and_wakes_up(tmp_path: Path) -> None:
    host = Host(tmp_path, Sitting(seed="rests").until("bid"))
    names = host.sitting.table.names
    for second in (False, True):
        for number, name in enumerate(names, 1):
            more = ("--drop",) if second else ()
            later = ("--now", f"20{30 + second}-01-01T00:00Z")
            first, *_, last = host.said("apply", "game.json", "--timeout", name, *more, *later)
            if number < len(names):
                assert first == "The missed deadline is recorded."
                assert last.startswith("Next: waiting for "), "no file was written for anybody"
    closed = "The round is closed. Nothing is played until everybody answers again; late players may still move."
    assert first == closed
    assert last == (
        "Next: the game rests: nobody answers. Wait for any player's answer, or end it with `referee reveal game.json`."
    )
    assert host.status()["rests"] is True
    view = next(path for path in tmp_path.glob("*-anna.view.json") if "-r003-" in path.name)
    player = Desk(tmp_path / "anna", host.sitting)
    (player.root / "view.json").write_bytes(view.read_bytes())
    shown = player.run("show", "view.json")
    assert "The game rests: nobody answers any more. Any answer wakes it up." in " ".join(shown.out.decode().split())
    ran = player.run("play", "view.json", "--move", "bid 1", "-o", "move.json")
    assert ran.exit == 0, ran.said
    lines = host.said("apply", "game.json", "anna/move.json")
    assert lines[-1] == (
        "Next: the game resumes when you run `referee apply GAME.json --timeout NAME` for all who do not answer."
    )
    assert [row["name"] for row in host.status()["waiting_for"]] == list(names[1:])


@pytest.mark.parametrize(("grace", "told"), [(0, "is not over yet"), (30, "and its grace period are not over yet")])
def test_a_signed_deadline_holds_to_the_minute(tmp_path: Path, grace: int, told: str) -> None:
    host = Host(tmp_path, Sitting(seed="due", deadline=60, grace=grace).until("bid"))
    due = host.status()["due"]
    over = datetime.fromisoformat(due) + timedelta(minutes=grace)
    late = f"{over:%Y-%m-%dT%H:%MZ}"
    words = ("apply", "game.json", "--timeout", "Anna", "--dry-run", "--now")
    assert wrong(host.run(*words, late), 5) == (
        f"the deadline that you signed, {datetime.fromisoformat(due):%Y-%m-%d %H:%M} UTC, {told}",
        f"wait until {over:%Y-%m-%d %H:%M} UTC has passed: otherwise everybody can prove that you did not",
    )
    assert host.run(*words, f"{over + timedelta(minutes=1):%Y-%m-%dT%H:%MZ}").exit == 0


def test_whoever_has_answered_misses_no_deadline(tmp_path: Path) -> None:
    sitting = Sitting(seed="hasty", deadline=60).until("bid")
    assert sitting.give(sitting.signed(1)).error is None
    host = Host(tmp_path, sitting)
    for now in ("2027-01-01T00:00Z", "2028-01-01T00:00Z"):
        assert wrong(host.run("apply", "game.json", "--timeout", "Bert", "--now", now), 5) == (
            "this seat is not asked for an answer", "see `referee show game.json` for who must act",
        )  # fmt: skip


@pytest.mark.parametrize(("grace", "told"), [(0, ""), (90, ", and 90 minutes of grace")])
def test_status_has_a_line_for_everything_that_counts(tmp_path: Path, grace: int, told: str) -> None:
    sitting = Sitting(seed="lines", deadline=60, grace=grace, kept=(2,)).until("bid")
    assert sitting.give(sitting.signed(1)).error is None
    host = Host(tmp_path, sitting)
    lines = host.run("show", "game.json").out.decode().splitlines()
    assert lines[2].startswith("  deadline ")
    assert lines[2].endswith(told or lines[2][-1])
    assert ("grace" in lines[2]) == bool(grace)
    assert lines[3:7] == [
        "  waiting for Anna: bid", "  waiting for Carla: bid", "  Bert has answered", "  you keep Carla's key",
    ]  # fmt: skip
    found = host.status()
    assert (found["grace"], found["kept"], found["answered"]) == (grace, ["Carla"], ["Bert"])


def test_a_refused_move_beside_one_that_closes_the_round(tmp_path: Path) -> None:
    sitting = Sitting(seed="both").until("bid")
    sitting.give(sitting.signed(0))
    bad = sitting.forced(0, Bid(amount=10_000))
    sitting.give(sitting.signed(1))
    host = Host(tmp_path, sitting)
    (tmp_path / "bad.json").write_bytes(bad)
    (tmp_path / "good.json").write_bytes(sitting.signed(2))
    ran = host.run("apply", "game.json", "bad.json", "good.json")
    judged = engine.take_move(sitting.fork().match, bad).error
    assert judged is not None
    assert ran.exit == judged.exit
    first, second, *_, next_, refused = ran.said.splitlines()
    assert first.startswith("bad.json: refused: ")
    assert second == "good.json: Carla's move is accepted"
    assert next_.startswith("Next: send these files; waiting for ")
    assert refused.startswith("For what was refused: ")


def test_the_game_file_is_shown_to_its_host_alone(tmp_path: Path) -> None:
    host = Host(tmp_path, Sitting(seed="shown").until("bid"))
    found = json.loads(host.run("show", "game.json", "--json").out)
    assert found["kind"] == "game"
    assert found["waiting_for"]
    other = Desk(tmp_path / "other", host.sitting)
    (other.root / "game.json").write_bytes(host.sitting.file())
    for ran in (other.run("show", "game.json"), run_here("show", "game.json", cwd=tmp_path, home=tmp_path / "none")):
        assert ran.exit in (4, 7, 8)
        message, advice = wrong(ran, ran.exit)
        assert "a host's game file, which knows every hidden card" in message
        assert advice == "do not show it to anyone; its host can run `referee show game.json`"
        assert ran.out == b""


# --- players ----------------------------------------------------------------------------------------------------------


def test_an_older_view_is_mentioned_and_not_remembered(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Sitting(seed="older").until("bid"))
    desk.view("old.json")
    desk.sitting.step()
    assert desk.run("audit", desk.view("new.json")).exit == 0
    ticket = desk.ticket.read_bytes()
    ran = desk.run("audit", "old.json")
    assert "  this is an older view than one you have seen before" in ran.out.decode().splitlines()
    assert ran.said.splitlines()[-1] == "Next: play on; the rest is proved when the host reveals the transcript."
    assert json.loads(desk.run("audit", "old.json", "--json").out)["age"] == "old"
    for words in (("show", "old.json"), ("show", "--moves", "old.json"), ("show", "--story", "old.json")):
        told = desk.run(*words)
        assert told.said.splitlines()[0] == "This is an older view than one that you have seen before.", words
    assert desk.ticket.read_bytes() == ticket
    fresh = desk.run("show", "new.json")
    assert "older view" not in fresh.said


def test_a_game_that_is_over_wants_its_transcript(tmp_path: Path) -> None:
    sitting = Sitting(seed="over").to_end()
    desk = Desk(tmp_path, sitting)
    ran = desk.run("audit", desk.view())
    assert ran.said.splitlines()[-1] == "Next: ask for the transcript and run `referee verify` on it."
    desk.put("transcript.json", sitting.transcript())
    ran = desk.run("show", "--story", "transcript.json")
    assert ran.said.splitlines()[-1] == (
        "Next: draw the board after any of these rounds with `referee show transcript.json --svg FILE --round N`."
    )
    rounds = [line for line in ran.out.decode().splitlines() if line.startswith("Round ")]
    assert rounds == [f"Round {number}" for number in range(1, sitting.round + 1)]


def test_files_of_another_game_are_ignored_and_asked_for(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Sitting(seed="aside").until("bid"))
    other = Sitting(seed="another").until("bid")
    desk.put("move.json", other.signed(0))
    ran = desk.run("audit", desk.view(), "move.json")
    assert ran.exit == 7
    assert ran.said.splitlines()[0].startswith("skipped: ")
    assert ran.said.splitlines()[-1] == ("Next: give the skipped files together with a view of their own game.")
    found = json.loads(desk.run("audit", "view.json", "move.json", "--json").out)
    assert (found["code"], found["compared"], len(found["aside"])) == ("ok", {"move": 1}, 1)


# --- keys, pipes, the machine -----------------------------------------------------------------------------------------


def test_without_a_key_the_next_step_is_to_make_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Sitting(seed="keyless").until("bid"))
    (desk.home / "key.json").unlink()
    words = ("play", desk.view(), "--move", "bid 1", "-o", "m.json")
    assert wrong(desk.run(*words), 8) == (
        "you have no key yet", "make one with `referee key new`, or name one with --key",
    )  # fmt: skip
    desk.put("game.json", desk.sitting.file())
    assert json.loads(desk.run("show", "game.json", "--json").out)["code"] == "no-key"


def test_a_locked_key_needs_its_passphrase(tmp_path: Path) -> None:
    sitting = Sitting(seed="locked").until("bid")
    desk = Desk(tmp_path, sitting)
    (desk.home / "key.json").write_bytes(keyfile.dump(sitting.players[0], "open sesame", bytes(32)))
    words = ("play", desk.view(), "--move", "bid 1", "-o", "m.json")
    assert wrong(desk.run(*words), 4) == (
        "this key needs a passphrase", "set REFEREE_PASSPHRASE, or run it in a terminal",
    )  # fmt: skip
    for phrase, status in (("open sesam", 4), ("", 4), ("open sesame", 0)):
        ran = run_here(*words, cwd=tmp_path, home=desk.home, env={"REFEREE_PASSPHRASE": phrase})
        assert ran.exit == status, phrase


def test_a_game_file_cannot_be_a_pipe(tmp_path: Path) -> None:
    host = Host(tmp_path, Sitting(seed="pipe").until("bid"))
    (tmp_path / "move.json").write_bytes(host.sitting.signed(0))
    for words in (("apply", "-", "move.json"), ("apply", "-", "--timeout", "1"), ("reveal", "-", "-o", "x.json")):
        assert wrong(host.run(*words), 2) == ("the game file cannot be a pipe", "name the file"), words
    assert wrong(host.run("verify", "-", "-"), 2) == (
        "standard input is named twice", "give - once, and files for the rest",
    )  # fmt: skip
    assert common.game_path("./-") == "./-"


@pytest.mark.parametrize("text", ["1;2", "a", "1,,2", "1,-2", "1000", "1,²"])
def test_what_is_not_a_rank(text: str) -> None:
    with pytest.raises(Usage, match="ranks are numbers") as caught:
        disputes.parse_ranks(text)
    assert str(caught.value.next) == "give one for each seat, in seat order: 1,2,2"


def test_ranks_are_read_as_people_write_them() -> None:
    assert [disputes.parse_ranks(text) for text in (None, "1", "1,2,2", " 3, 1,2 ", "999")] == [
        (), (1,), (1, 2, 2), (3, 1, 2), (999,),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("error", "status", "code", "said"),
    [
        (OSError(errno.ENOSPC, "x"), 8, "file", ["referee: cannot continue: no space left on device",
                                                 "Next: free some space and run it again"]),
        (BrokenPipeError(), 0, "", []),
        (ZeroDivisionError(), 1, "internal", ["referee: internal error: ZeroDivisionError",
                                              "Next: run it again with REFEREE_DEBUG=1 and report it"]),
        (RefereeError(t("odd"), code="odd"), RefereeError.exit, "odd", ["referee: odd"]),
    ],
)  # fmt: skip
def test_every_way_to_fail_has_its_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, code: str, said: list[str]
) -> None:
    def fails(**_: object) -> None:
        raise error

    monkeypatch.setattr(app, "command", lambda name: fails)
    ran = run_here("games", "--json", cwd=tmp_path)
    assert (ran.exit, ran.said.splitlines()) == (status, said)
    assert (json.loads(ran.out)["code"] if code else ran.out.decode()) == code
    assert run_here("games", cwd=tmp_path).out == b""


def test_a_fault_of_the_program_is_shown_on_demand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(app, "command", lambda name: fails)
    with pytest.raises(ZeroDivisionError):
        run_here("games", cwd=tmp_path, env={"REFEREE_DEBUG": "1"})


def test_the_waiting_are_named_in_seat_order(tmp_path: Path) -> None:
    world = World(tmp_path / "world", rounds=0)
    waits = json.loads(run_here("show", "game.json", "--json", cwd=world.root, home=world.host_home).out)
    assert [row["seat"] for row in waits["waiting_for"]] == sorted(seat + 1 for seat in asked(world.match.state))


def test_a_bar_is_seen_at_once_and_gone_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal gets nothing that is held back until the end of a line: there is none."""

    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    seen = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", Terminal(seen, "utf-8"))
    with Bar(2, ()) as bar:
        bar.count(2)
        shown = seen.getvalue()
        assert shown.startswith(b"\r2/2 games; ")
    assert seen.getvalue() == shown + b"\r" + b" " * (len(shown) - 1) + b"\r"


@pytest.mark.parametrize(
    ("columns", "width"), [(None, 100), ("", 100), ("0", 100), ("-5", 100), ("wide", 100), ("٣", 100), ("7", 7)]
)
def test_a_picture_is_as_wide_as_columns_say(monkeypatch: pytest.MonkeyPatch, columns: str | None, width: int) -> None:
    """Where nothing does, and nobody looks at a terminal, it has 100 columns."""
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert screen.width(io.StringIO()) == width
    with open(os.devnull, "w") as nowhere:
        assert screen.width(nowhere) == width
