"""What needs the host: in a mail a day, in the status, and in the exit status of a run."""

import json
from pathlib import Path

import pytest

from tests.mail.offices import HOST, NOW, PEOPLE, Mail, World, plain, reply

ME = "hanna@home.example"
DUE, NEXT = "2026-11-22T20:00Z", "2026-11-23T01:00Z"


def digest(world: World, now: str) -> Mail | None:
    """The mail of that day to the host, if there is one."""
    world.good("run", now=now)
    found = [mail for mail in world.new(now) if mail.to == ME]
    assert len(found) < 2
    return found[0] if found else None


def needs(world: World, now: str = NOW) -> list[str]:
    return list(json.loads(world.run("status", "--json", now=now).out)["needs"])


def test_a_host_who_wants_no_digest_gets_none(world: World) -> None:
    assert digest(world, DUE) is None


def test_nothing_is_told_where_all_is_well(world: World) -> None:
    world.settings(f'digest = "{ME}"')
    assert digest(world, NOW) is None
    assert needs(world) == []


def test_silent_players_are_told_once_a_day(world: World) -> None:
    world.settings(f'digest = "{ME}"')
    world.take(reply(world.turn("bert"), "bid 1"))
    mail = digest(world, DUE)
    assert mail is not None
    text = " ".join(mail.text.split())
    table = world.table()
    for name, silent in (("Anna", True), ("Bert", False), ("Carla", True)):
        assert (f"{table}: {name} was asked at 2026-11-20 08:00 UTC and has not answered." in text) == silent
    assert mail.subject == "What needs you in your office"
    assert digest(world, "2026-11-22T23:00Z") is None, "the same day"
    assert digest(world, NEXT) is not None, "the next day"
    shown = world.good("status", now=DUE).out.decode()
    assert "What needs you:" in shown
    assert "Carla was asked at" in shown


def test_mails_that_nobody_judged_are_told_if_they_have_a_pass(world: World) -> None:
    subject = world.turn("bert").subject
    world.take(plain(PEOPLE["bert"], f"Re: {subject}", "bid 1", Auto_Submitted="auto-replied"))
    world.take(plain("eve@x.example", "hello", "bid 1", Auto_Submitted="auto-replied"))
    assert world.kept("quarantine") == 2
    (line,) = needs(world)
    assert line.startswith("quarantine/")
    assert line.endswith(f"was not judged, but has a valid pass of table {world.table()}")


def test_mails_that_could_not_be_sent_are_told(world: World) -> None:
    path = world.root / "sent" / f"{world.turn('carla').name}.eml"
    path.rename(world.root / "outbox" / "failed" / path.name)
    refused, count = needs(world)
    assert "the mail to Carla was refused" in refused
    assert "1 mail could not be sent" in count


@pytest.mark.parametrize("wrong", [HOST, "nobody", "a b@x.example"])
def test_the_digest_goes_to_an_address_of_its_own(world: World, wrong: str) -> None:
    """At the address of the office it would be read as a mail to the office."""
    world.settings(f'digest = "{wrong}"')
    ran = world.run("run")
    assert ran.exit == 7
    assert "digest" in ran.said


# --- exit status ------------------------------------------------------------------------------------------------------


def did(world: World, *mails: bytes) -> bool:
    world.put(*mails)
    return bool(json.loads(world.good("run", "--json").out)["did"])


def test_a_run_says_whether_it_did_anything(world: World) -> None:
    assert not did(world)
    assert did(world, reply(world.turn("bert"), "bid 1"))
    assert not did(world)


def test_what_needs_the_host_has_its_own_exit_status(world: World) -> None:
    path = world.root / "sent" / f"{world.turn('carla').name}.eml"
    world.good("run")
    known = json.loads((world.root / "deliveries.json").read_bytes())
    known[path.stem]["bounced"] = NOW
    (world.root / "deliveries.json").write_text(json.dumps(known))
    ran = world.run("run")
    assert ran.exit == 10
    assert "the mail to Carla came back" in ran.said


def test_servers_that_refuse_have_another(world: World, tmp_path: Path) -> None:
    toml = world.root / "mail.toml"
    toml.write_text(toml.read_text().partition("[fetch]")[0] + f'[fetch]\nkind = "maildir"\npath = "{tmp_path}/none"\n')
    assert world.run("run").exit == 9
