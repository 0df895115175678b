"""What the host reads about a table in every state, and what the commands of an office say."""

import json
from pathlib import Path

import pytest

from referee.errors import Usage
from referee.language import NOTHING, Text, Time, as_text, run
from referee.mail import letters, status, t
from referee.mail.body import Problem, Reader
from referee.mail.case import problem_of
from tests.mail.offices import DEADLINES, NOW, World, invited, own_move, plain, reply, sign
from tests.support.match import Sitting

# --- what the host is told --------------------------------------------------------------------------------------------


def lines(world: World, now: str = NOW) -> list[str]:
    ran = world.run("status", now=now)
    assert ran.exit == 0, ran.said
    assert ran.said == f"Next: `referee mail run {world.root}` brings everything up to date.\n"
    return ran.out.decode().splitlines()


def test_status_from_the_invitations_to_the_first_answer(tmp_path: Path) -> None:
    world, mails = invited(tmp_path, DEADLINES)
    table = world.table()
    assert lines(world) == [
        f"{table} auction is waiting for players to join",
        *(f"  {name} <{address}>: open" for name, address in (
            ("anna", "anna@x.example"), ("bert", "bert@y.example"), ("carla", "carla@z.example"))),
        "0 mails to judge, 0 in outbox, 0 in quarantine",
    ]  # fmt: skip
    world.put(reply(mails["bert"], "no"))
    assert lines(world)[-1] == "1 mail to judge, 0 in outbox, 0 in quarantine"
    world.take(reply(mails["anna"], "join as Anna"))
    assert lines(world)[1:4] == [
        "  Anna <anna@x.example>: joined, key kept here", "  bert <bert@y.example>: declined",
        "  carla <carla@z.example>: open",
    ]  # fmt: skip
    found = world.status()
    assert (found["office"], found["address"], found["stage"]) == ("Hanna", "host@games.example", "inviting")
    assert (found["seats"], found["round"], found["since"], found["instead_of"]) == (3, 0, NOW, "")
    states = [(one["state"], one["way"]) for one in found["players"]]
    assert states == [("joined", "kept"), ("declined", ""), ("open", "")]
    world.good("table", table, "--drop", "bert", "--to", "dora@x.example")
    (invitation,) = (mail for mail in world.new() if mail.to == "dora@x.example")
    assert lines(world)[1:5] == [
        "  Anna <anna@x.example>: joined, key kept here", "  bert <bert@y.example>: withdrawn",
        "  carla <carla@z.example>: open", "  dora <dora@x.example>: open",
    ]  # fmt: skip
    world.take(reply(mails["carla"], "join as Carla"), reply(invitation, "join as Dora"))
    first, *rest = lines(world)
    assert first == f"{table} auction is waiting for everybody to agree, round 1 open since {Time(NOW)}"
    assert rest[0].startswith("  waiting for Anna: ")
    assert len([line for line in rest if line.startswith("  waiting for ")]) == 3
    world.take(reply(world.turn("carla"), "no"))
    told = [line for line in lines(world) if "does not want to play" in line]
    assert [line.partition(",")[0] for line in told] == ["  waiting for Carla"]


def test_status_of_a_round(world: World) -> None:
    """Who is late, who has answered, who is away, and which mails wait to be judged."""
    table = world.table()
    world.take(reply(world.turn("bert"), "bid 3"), reply(world.turn("carla"), "away until 2026-11-22"))
    found = lines(world, now="2026-11-21T08:00Z")
    assert found[0] == f"{table} auction is being played, round 2 open since {Time(NOW)}"
    assert "  Bert has answered" in found
    assert "  Carla was away for 2 days, now until 2026-11-22" in found
    waits = [line for line in found if line.startswith("  waiting for Anna")]
    assert waits == ["  waiting for Anna: bid, due 2026-11-23 08:00 UTC, timed out after 2026-11-23 20:00 UTC"]
    late = lines(world, now="2026-11-24T08:00Z")
    assert f"{waits[0]}, late" in late
    for now, missed in (("2026-11-23T07:59Z", False), ("2026-11-23T08:00Z", True)):
        assert world.status(now)["awaited"][0]["late"] is missed


@pytest.mark.parametrize(
    ("stage", "told"),
    [
        ("ready", "has all its players"), ("rests", "is at rest: nobody answers any more"), ("over", "is over"),
        ("dropped", "was given up"), ("damaged", "cannot be read: it is damaged"),
    ],
)  # fmt: skip
def test_the_other_states_of_a_table(stage: str, told: str) -> None:
    row = {
        "table": "abcd1234", "game": "auction", "stage": stage, "trouble": "it is damaged",
        "awaited": [], "players": [],
        "instead_of": "ffff0000", "rulings": [], "claims": 0, "round": 0, "since": NOW, "out": ["Zoe"],
    }  # fmt: skip
    found = {"tables": [row], "in": 2, "outbox": 3, "quarantine": 4, "failed": [], "needs": ["do this"]}
    shown = status.status_lines(found, "office")
    assert shown[0] == f"abcd1234 auction {told} (instead of ffff0000)"
    assert shown[-3:] == ["2 mails to judge, 3 in outbox, 4 in quarantine", "What needs you:", "  do this"]
    details = shown[1:-3]
    assert ("  Zoe is no longer asked" in details) is (stage in ("ready", "rests", "damaged"))
    end = "office/tables/abcd1234/game.json --key office/host.key`, then `referee mail run office`"
    assert [line for line in details if end in line] == [f"  to end it: `referee reveal {end}"] * (stage == "rests")


# --- commands of the office -------------------------------------------------------------------------------------------


def test_mails_that_come_in_are_counted(world: World) -> None:
    mail = plain("bert@y.example", "hello", "hello", Message_ID="<1@x>")
    root = world.root
    dry = world.run("run", "--only", "in", "-", "--dry-run", stdin=mail)
    assert dry.said.splitlines() == ["1 mail taken in, 0 known already.", "Next: run it again without --dry-run."]
    assert world.kept("in") == 0
    ran = world.run("run", "--only", "in", "-", stdin=mail)
    assert ran.said.splitlines() == ["1 mail taken in, 0 known already.", f"Next: `referee mail run {root}`."]
    again = world.run("run", "--only", "in", "-", "--json", stdin=mail)
    assert json.loads(again.out) == {"new": 0, "known": 1, "trouble": ""}
    ran = world.run("run", "--only", "in", "-", str(root / "x.eml"), stdin=mail)
    assert ran.exit == 2
    assert "standard input has one mail" in ran.said


def test_a_run_tells_what_it_did(world: World) -> None:
    mail = reply(world.turn("bert"), "bid 3")
    world.put(mail)
    before = world.files()
    dry = json.loads(world.run("run", "--json", "--dry-run").out)
    assert world.files() == before
    ran = world.run("run", "--json")
    found = json.loads(ran.out)
    assert [(row["folder"]) for row in found["judged"]] == ["archive"]
    assert {name: found[name] for name in ("new", "known", "sent", "failed", "troubles")} == {
        "new": 0, "known": 0, "sent": 0, "failed": [], "troubles": [],
    }  # fmt: skip
    assert found["outbox"] == world.kept("outbox") > 0
    assert dry["judged"] == found["judged"]
    (row,) = found["judged"]
    first, *_, counts, next = ran.said.splitlines()
    assert first == f"{row['mail'][:6]} archive: {row['told']}"
    assert counts == f"0 mails in, 1 judged, 0 sent, {found['outbox']} in outbox/."
    assert next.startswith("Next: ")
    world.new()
    quiet = world.run("run")
    assert quiet.said.splitlines() == [
        "0 mails in, 0 judged, 0 sent, 0 in outbox/.", "Next: wait for mails, and run it again.",
    ]  # fmt: skip


def test_a_round_is_open_since_the_last_one_was_closed(world: World) -> None:
    later = "2026-11-21T10:00Z"
    mails = [own_move(world.turn("anna"), "Anna"), *(reply(world.turn(name), "bid 1") for name in ("bert", "carla"))]
    world.take(*mails, now=later)
    found = world.status(later)
    assert (found["round"], found["since"]) == (2, later)
    assert f"round 3 open since {Time(later)}" in lines(world, later)[0]


def test_a_bad_document_next_to_a_good_one_hides_nothing(world: World) -> None:
    turn = world.turn("anna")
    good = sign(turn, "Anna")
    other = sign(turn, "Anna", "random")
    forged = other.replace(json.loads(other)["sig"].encode(), b"0" * 128)
    for files in ({"a.move.json": forged, "b.move.json": good}, {"a.move.json": good, "b.move.json": forged}):
        copy = world.again(world.folder / files["a.move.json"][-40:].hex())
        copy.take(reply(turn, "", files=files))
        assert copy.status()["answered"] == ["Anna"]


def test_a_player_who_is_not_asked_is_told_so() -> None:
    table = Sitting("schwarzer-freitag", 2, "asked nothing").until("turn")
    seat = 1 - table.asked[0]
    body = letters.refused(table.opened(seat), Reader("Bert", way="kept"), [Problem("x", as_text("no"))])
    assert "There is nothing for you to answer now; please wait for the next mail." in body.text
    assert body.files == ()


@pytest.mark.parametrize(
    ("next", "told"),
    [
        (t("do this"), "do this"), (t("run {run}", run=run("x")), "choose one of the listed answers"),
        (t("add --force"), "choose one of the listed answers"),
        (t("{first}; {more}", first="do this", more=t("run {run}", run=run("x"))),
         "choose one of the listed answers"),
        (NOTHING, "choose one of the listed answers"),
        (t("greet {name}", name="`referee --force`"), "greet `referee --force`"),
    ],
)  # fmt: skip
def test_advice_in_mails_names_no_commands(next: Text, told: str) -> None:
    found = problem_of(Usage(t("wrong"), next), "line")
    assert (found.line, str(found.message), str(found.next)) == ("line", "wrong", told)
