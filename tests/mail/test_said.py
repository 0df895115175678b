"""What the office's commands about tables say, in every case, and that a dry run of each writes nothing."""

import json
from pathlib import Path

from tests.cli.world import check_refusal
from tests.mail.offices import PEOPLE, World, playing, reply


def refused(world: World, *words: str, status: int = 5) -> tuple[str, str]:
    """What is wrong, and what to do next; nothing is changed."""
    before = world.files()
    ran = world.run(*words)
    check_refusal(ran, (status,))
    assert world.files() == before
    wrong, advice = ran.said.splitlines()
    return wrong.removeprefix("referee: "), advice.removeprefix("Next: ")


def sending(world: World) -> str:
    return f"Next: send the mails in {world.root}/outbox, and move them to sent/."


def test_an_offer_and_its_start(tmp_path: Path) -> None:
    world = World(tmp_path)
    people = [word for address in PEOPLE.values() for word in ("--to", address)]
    offer = ("offer", "auction", "--seats", "3", *people, "--by-hand")
    before = world.files()
    dry = world.good(*offer, "--dry-run")
    assert dry.said.splitlines()[-1] == "Next: run it again without --dry-run."
    assert world.files() == before
    ran = world.good(*offer, "--json")
    found = json.loads(ran.out)
    assert sorted(found) == ["offer", "players", "table"]
    assert found["table"] == world.table()
    assert found["players"] == [*PEOPLE]
    lines = ran.said.splitlines()
    assert lines[-2] == f"Table {world.table()}: 3 invitations are in outbox/."
    assert lines[-1] == f"{sending(world)[:-1]}; players answer with `join as NAME`, or with a signed join."
    assert lines[0].endswith("for 3 players, rules " + lines[0].rpartition(" ")[2])
    mails = {mail.to.partition("@")[0]: mail for mail in world.new()}
    wrong = "no game is being played at this table", "see `referee mail table --help`"
    assert refused(world, "table", world.table(), "--resign", PEOPLE["bert"]) == wrong
    assert refused(world, "table", world.table(), "--abandon") == wrong
    world.take(*(reply(mails[name], f"join as {name.title()}") for name in PEOPLE))
    assert refused(world, "table", world.table(), "--abandon") == wrong
    before = world.files()
    dry = world.good("table", world.table(), "--start", "--dry-run")
    assert dry.said.splitlines() == [f"{world.table()}: the game has started", "Next: run it again without --dry-run."]
    assert world.files() == before
    ran = world.good("table", world.table(), "--start", "--json")
    assert json.loads(ran.out) == {"told": [f"{world.table()}: the game has started"]}
    assert ran.said.splitlines() == [f"{world.table()}: the game has started", sending(world)]
    assert refused(world, "table", world.table(), "--start") == (
        "this game has already started", f"see `referee mail status {world.root}`",
    )  # fmt: skip
    assert refused(world, "table", world.table(), "--resign", "Bert") == wrong, "nobody has agreed to the game yet"


def test_players_who_leave_and_games_that_are_abandoned(tmp_path: Path) -> None:
    world = playing(tmp_path, ("--no-deadline",))
    assert refused(world, "table", world.table(), "--resign", "Anna") == (
        "this player has their own key: nobody else can sign for them",
        f"wait, or end the game with `referee mail table {world.root} {world.table()} --abandon`",
    )
    before = world.files()
    for words in (("table", world.table(), "--abandon"), ("table", world.table(), "--resign", "Bert")):
        dry = world.good(*words, "--dry-run")
        assert dry.said.splitlines()[-1] == "Next: run it again without --dry-run."
        assert world.files() == before
    ran = world.good("table", world.table(), "--resign", "Bert", "--json")
    (line,) = json.loads(ran.out)["told"]
    assert line.startswith("Bert is told: ")
    assert ran.said.splitlines() == [line, sending(world)]
    ran = world.good("table", world.table(), "--abandon")
    careful, done, _ = ran.said.splitlines()
    assert careful == "This publishes all secrets of the game and ends it for good; it cannot be undone."
    assert done == f"{world.table()}: the game is abandoned, without a result"


def test_a_player_with_a_key_is_waited_for(tmp_path: Path) -> None:
    world = playing(tmp_path)
    assert refused(world, "table", world.table(), "--resign", "Anna")[1] == (
        "wait: after two missed deadlines the player is dropped"
    )


def test_whoever_never_joins_is_dropped(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.offer(*PEOPLE.values())
    world.new()
    before = world.files()
    drop = ("table", world.table(), "--drop", PEOPLE["bert"], "--to", "dora@x.example")
    assert world.good(*drop, "--dry-run").said.splitlines()[0] == "the invitation is withdrawn"
    assert world.files() == before
    ran = world.good(*drop, "--json")
    assert json.loads(ran.out) == {"told": ["the invitation is withdrawn"], "table": world.table()}
    assert sending(world) in ran.said
    assert "dora@x.example" in {mail.to for mail in world.new()}
