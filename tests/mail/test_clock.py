"""A clock that is wrong times nobody out. These tests need no clock: the game is played long ago, and the office learns
from its files and its mail server that something is wrong."""

import json
from pathlib import Path

import pytest

from referee.io.times import read_time
from referee.mail.ticks import Tick, compared, counted_from, says_more
from tests.cli.world import run_here
from tests.mail.offices import DEADLINES, PEOPLE, World, own_join, own_move, reply
from tests.mail.servers import Post, smtp_server

AT = "2026-11-20T08:00Z"


@pytest.mark.parametrize(
    ("new", "jumped"),
    [
        (Tick("2026-11-20T09:00Z", "a", 4600), ""),
        (Tick("2026-11-20T09:08Z", "a", 4600), ""),
        (Tick("2026-11-21T09:00Z", "a", 4600), "2026-11-21T09:00Z"),
        (Tick("2026-11-20T08:00Z", "a", 4600), "2026-11-20T08:00Z"),
        (Tick("2026-11-21T08:00Z", "a", 87400), ""),
        (Tick("2026-11-23T08:00Z", "b", 60), ""),
        (Tick("2026-11-20T07:30Z", "b", 60), "2026-11-20T07:30Z"),
        (Tick("2026-11-23T08:00Z", "", 60), ""),
    ],
    ids=[
        "an hour",
        "slewed",
        "a day ahead",
        "stood still",
        "a day",
        "restarted",
        "restarted and back",
        "unknown start",
    ],
)
def test_a_clock_is_compared_with_how_long_the_machine_ran(new: Tick, jumped: str) -> None:
    assert compared(Tick(AT, "a", 1000), new).jumps == ((jumped,) if jumped else ())


def test_that_a_clock_was_set_is_remembered_until_it_goes_back_behind_that() -> None:
    before = Tick("2026-11-21T09:00Z", "a", 4600, jumps=("2026-11-21T09:00Z",))
    assert compared(before, Tick("2026-11-21T10:00Z", "a", 8200)).jumps == before.jumps
    assert compared(before, Tick("2026-11-22T10:00Z", "a", 8200)).jumps == (*before.jumps, "2026-11-22T10:00Z")
    assert compared(before, Tick("2026-11-20T09:10Z", "a", 5200)).jumps == ("2026-11-20T09:10Z",)


@pytest.mark.parametrize(
    ("handed", "jumps", "counted"),
    [
        ("2026-11-20T08:00Z", (), "2026-11-20T08:00Z"),
        ("2026-11-20T08:00Z", ("2026-11-19T08:00Z",), "2026-11-20T08:00Z"),
        ("2026-11-20T08:00Z", ("2026-11-22T08:00Z", "2026-11-24T08:00Z"), "2026-11-22T08:00Z"),
        ("2036-11-20T08:00Z", ("2026-10-20T08:00Z", "2026-11-24T08:00Z"), "2026-11-24T08:00Z"),
    ],
    ids=["never", "before", "twice since", "noted while it was wrong"],
)
def test_time_counts_from_when_the_clock_was_first_set_after_the_mail(
    handed: str, jumps: tuple[str, ...], counted: str
) -> None:
    assert counted_from(read_time(handed), read_time("2026-11-25T08:00Z"), jumps) == read_time(counted)


THEN = "2016-11-20T08:00Z"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A game of long ago, in which only Bert has not answered: his time was over in 2016."""
    world = World(tmp_path)
    world.offer(*PEOPLE.values(), game="auction", more=("--option", "rounds=1", *DEADLINES), now=THEN)
    mails = {mail.to.partition("@")[0]: mail for mail in world.new(THEN)}
    joins = (reply(mails[name], f"join as {name.title()}") for name in ("bert", "carla"))
    world.take(own_join(mails["anna"], "Anna"), *joins, now=THEN)
    world.take(own_move(world.turn("anna"), "Anna"), *(reply(world.turn(n), "ok") for n in ("bert", "carla")), now=THEN)
    world.take(own_move(world.turn("anna"), "Anna"), reply(world.turn("carla"), "bid 2"), now=THEN)
    assert world.status(THEN)["round"] == 1
    return world


def run(world: World) -> tuple[int, str, int]:
    """A run that asks the machine for the time: how it ended, what it said, and the round of the game."""
    ran = run_here("mail", "run", str(world.root), cwd=world.folder)
    return ran.exit, ran.said, world.status()["round"]


def test_a_clock_that_nothing_speaks_against_is_believed(world: World) -> None:
    assert run(world)[::2] == (0, 2)


def test_a_clock_that_was_set_gives_everybody_the_whole_time_again(world: World) -> None:
    tick = world.root / "clock.json"
    empty = World(world.folder / "other")
    assert run_here("mail", "run", str(empty.root), cwd=empty.folder).exit == 0
    known = json.loads((empty.root / "clock.json").read_text())
    tick.write_text(json.dumps({**known, "at": "2016-11-20T09:00Z"}))  # the machine has run for seconds since
    status, said, round = run(world)
    assert (status, round) == (9, 1)
    assert "the clock of this machine has been set: everybody who must answer has the whole time again" in said
    assert run(world)[::2] == (0, 1), "and the next run, by the same clock, does not forget it"
    (jumped,) = json.loads(tick.read_text())["jumps"]
    (bert,) = world.status(THEN)["awaited"]
    assert bert["due"] > jumped


@pytest.mark.parametrize(("date", "round"), [("Sun, 20 Nov 2016 08:00:00 +0000", 1), ("no date", 2)])
def test_a_mail_server_that_says_another_time_is_believed(world: World, tmp_path: Path, date: str, round: int) -> None:
    post = Post(tmp_path / "boxes")
    post.root.mkdir()
    path = world.root / "mail.toml"
    with smtp_server(post, greeting=f"ESMTP Exim 4.96 {date}") as port:
        server = f'kind = "smtp"\nserver = "127.0.0.1"\nport = {port}\nsecurity = "plain"\npassword = "none"\n'
        path.write_text(f"{path.read_text().partition('[send]')[0]}[send]\n{server}")
        status, said, found = run(world)
    assert (status, found) == (9 if round == 1 else 0, round)
    assert ("the mail server 2016-11-20 08:00 UTC: nobody is timed out" in said) == (round == 1)


def test_what_the_clock_says_is_written_once_an_hour() -> None:
    """A run in which nothing happens writes nothing, unless the machine was started again or the clock set."""
    before = compared(None, Tick("2026-11-20T08:00Z", "boot", 1000))
    soon, later = Tick("2026-11-20T08:59Z", "boot", 4540), Tick("2026-11-20T09:00Z", "boot", 4600)
    assert not says_more(before, compared(before, soon))
    assert says_more(before, compared(before, later))
    assert says_more(before, compared(before, Tick("2026-11-20T08:01Z", "another", 5)))
    assert says_more(before, compared(before, Tick("2026-11-21T08:01Z", "boot", 1060)))
