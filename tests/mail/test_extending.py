"""An office gives everybody the whole time: from when the mail was handed over, with the time bank, with extensions."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.crypto.codec import decode
from referee.engine import records as r
from referee.io.gamefile import open_match
from tests.cli.world import check_refusal, key, run_here
from tests.mail.offices import DEADLINES, World, own_move, playing, reply
from tests.mail.servers import Post, smtp_server
from tests.support.ports import own_port

BANK = (*DEADLINES, "--bank", "1d")


def row(world: World, name: str, now: str) -> dict[str, Any]:
    return next(one for one in world.status(now)["awaited"] if one["name"] == name)


def last_entry(world: World) -> r.Entry:
    return decode(bytes(open_match(world.game(), key("Hanna")).entries[-1].body), r.Entry, "entry")


def others_bid(world: World) -> None:
    """Anna and Carla answer at once; the game waits for Bert until 2026-11-23T08:00Z, with twelve hours of grace."""
    world.take(own_move(world.turn("anna"), "Anna"), reply(world.turn("carla"), "bid 2"))


# --- handed over -----------------------------------------------------------------------------------------------------


@pytest.fixture
def unsent(world: World) -> World:
    """The mails of the third round are written at eight o'clock and stay in outbox/."""
    others_bid(world)
    world.put(reply(world.turn("bert"), "bid 9"))
    world.good("run")
    assert (world.status()["round"], world.status()["due"]) == (2, "2026-11-23T08:00Z")
    return world


def test_the_time_of_a_seat_counts_from_when_its_mail_was_handed_over(unsent: World) -> None:
    found = row(unsent, "Bert", "2026-11-22T06:00Z")
    assert (found["mail"], found["due"]) == ("queued", "2026-11-25T06:00Z"), "if it were handed over now"
    unsent.new("2026-11-22T08:00Z")
    found = row(unsent, "Bert", "2026-11-24T08:00Z")
    assert (found["mail"], found["due"], found["over"]) == ("handed", "2026-11-25T08:00Z", "2026-11-25T20:00Z")
    assert "due 2026-11-25 08:00 UTC, timed out after 2026-11-25 20:00 UTC" in unsent.run("status").out.decode()
    unsent.take(now="2026-11-25T19:59Z")
    assert unsent.status()["round"] == 2
    reminded = unsent.turn("bert", "reminder-2").text
    assert "25 Nov 2026, 20:00 UTC" in " ".join(reminded.split())
    unsent.take(now="2026-11-25T20:00Z")
    assert (unsent.status()["round"], last_entry(unsent).timeouts) == (3, (1,))
    assert run_here("audit", _view(unsent), cwd=unsent.folder).exit == 0


def test_whoever_got_no_mail_is_never_timed_out(unsent: World) -> None:
    """The mail server refused it for good, so the host has to deal with it."""
    name = f"{unsent.turn('bert').name}.eml"
    (unsent.root / "outbox" / name).rename(unsent.root / "outbox" / "failed" / name)
    unsent.take(now="2026-12-24T08:00Z")
    assert (unsent.status()["round"], row(unsent, "Bert", "2026-12-24T08:00Z")["mail"]) == (2, "refused")


# --- time banks ------------------------------------------------------------------------------------------------------


def test_a_bank_pays_by_when_the_mail_arrived(tmp_path: Path) -> None:
    world = playing(tmp_path, BANK)
    others_bid(world)
    assert "Your time bank has 1 day left for late answers" in " ".join(world.turn("bert").text.split())
    found = row(world, "Bert", "2026-11-23T08:00Z")
    assert (found["bank"], found["over"]) == (1440, "2026-11-24T20:00Z")
    world.good("run", "--only", "in", "-", stdin=reply(world.turn("bert"), "bid 9"), now="2026-11-23T13:00Z")
    world.take(now="2026-11-23T18:00Z")
    assert last_entry(world).used == ((1, 300),), "five hours, though the host looked ten hours later"
    assert open_match(world.game(), key("Hanna")).state.bank == (1440, 1140, 1440)
    assert run_here("audit", _view(world), cwd=world.folder).exit == 0


def test_a_bank_is_waited_for_and_then_empty(tmp_path: Path) -> None:
    world = playing(tmp_path, BANK)
    others_bid(world)
    world.take(now="2026-11-24T19:59Z")
    assert world.status()["round"] == 1
    world.take(now="2026-11-24T20:00Z")
    assert (last_entry(world).timeouts, open_match(world.game(), key("Hanna")).state.bank) == ((1,), (1440, 0, 1440))
    assert run_here("audit", _view(world), cwd=world.folder).exit == 0


# --- extensions ------------------------------------------------------------------------------------------------------


def test_more_time_is_mailed_and_kept(world: World) -> None:
    others_bid(world)
    world.good("table", world.table(), "--extend", "Bert", "--by", "2d", now="2026-11-23T07:00Z")
    (mail,) = world.new("2026-11-23T07:00Z")
    assert mail.to == "bert@y.example"
    assert "until Wed 25 Nov 2026, 08:00 UTC" in " ".join(mail.text.split())
    promise = json.loads(mail.file("extension.json"))
    assert (promise["body"]["seat"], promise["body"]["until"]) == (1, "2026-11-25T08:00Z")
    assert row(world, "Bert", "2026-11-24T08:00Z")["over"] == "2026-11-25T20:00Z"
    world.take(now="2026-11-25T19:59Z")
    assert world.status()["round"] == 1
    world.take(now="2026-11-25T20:00Z")
    assert last_entry(world).timeouts == (1,)
    (world.folder / "promise.json").write_bytes(mail.file("extension.json"))
    assert run_here("dispute", _view(world), "promise.json", cwd=world.folder).exit == 0


def test_nobody_is_given_time_that_is_over_or_not_needed(world: World) -> None:
    others_bid(world)
    before = world.files()
    check_refusal(world.run("table", world.table(), "--extend", "Bert", "--until", "2026-11-23T08:00Z"), (2,))
    check_refusal(world.run("table", world.table(), "--extend", "Carla", "--by", "2d"), (5,))
    assert world.files() == before


def _view(world: World) -> str:
    path = world.folder / "view.json"
    path.write_bytes(world.turn("anna").file("view.json"))
    return str(path)


# --- with a mail server ----------------------------------------------------------------------------------------------


def test_a_mail_is_handed_over_when_the_mail_server_takes_it(unsent: World, tmp_path: Path) -> None:
    path = unsent.root / "mail.toml"
    usual = path.read_text().replace("smtp.example.org", "127.0.0.1").replace('"keyring"', '"none"')

    def by_smtp(port: int) -> None:
        path.write_text(usual.replace('kind = "files"', f'kind = "smtp"\nport = {port}\nsecurity = "plain"'))

    by_smtp(own_port())
    assert unsent.run("run", now="2026-12-01T08:00Z").exit == 9, "nobody listens there"
    assert (unsent.status()["round"], row(unsent, "Bert", "2026-12-01T08:00Z")["mail"]) == (2, "queued")
    post = Post(tmp_path / "boxes")
    post.root.mkdir()
    with smtp_server(post) as port:
        by_smtp(port)
        unsent.good("run", "--only", "out", now="2026-12-02T08:00Z")
    found = row(unsent, "Bert", "2026-12-03T08:00Z")
    assert (found["mail"], found["due"], found["over"]) == ("handed", "2026-12-05T08:00Z", "2026-12-05T20:00Z")
    path.write_text(usual)
    unsent.take(now="2026-12-05T19:59Z")
    assert unsent.status()["round"] == 2
    unsent.take(now="2026-12-05T20:00Z")
    assert unsent.status()["round"] == 3


def test_a_bank_pays_the_same_where_the_next_round_asks_somebody_who_is_away(tmp_path: Path) -> None:
    """The round is closed twice then, the second time with the deadline that an absence gives."""
    world = playing(tmp_path, BANK)
    world.take(reply(world.turn("bert"), "away until 2026-11-22"))
    world.take(reply(world.turn("carla"), "away until 2026-11-30"))
    others_bid(world)
    found = row(world, "Bert", "2026-11-23T08:00Z")
    assert found["due"] == "2026-11-23T08:00Z", "back before it was due"
    world.good("run", "--only", "in", "-", stdin=reply(world.turn("bert"), "bid 1"), now="2026-11-23T08:30Z")
    world.take(now="2026-11-23T09:00Z")
    assert (last_entry(world).used, last_entry(world).due) == (((1, 30),), "2026-12-04T00:00Z")
