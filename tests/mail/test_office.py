"""The office's folder: how it is made, that a run can be repeated, several tables at once, and games that are over."""

import json
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.errors import FileTrouble
from referee.language import as_text
from referee.mail import commit as commits
from referee.mail.commit import Transaction, commit, finish
from referee.mail.office import locked
from tests.cli.world import check_refusal, environment, run_here, tree
from tests.mail.offices import GAME, HOST, NOW, PEOPLE, Mail, World, invited, own_join, own_move, plain, reply
from tests.support import waiting

ROOT = Path(__file__).resolve().parents[2]


def play_on(world: World, bot: str = "sensible") -> None:
    """Everybody who is asked answers with the first listed move; Anna signs."""
    mails = []
    for row in world.status()["awaited"]:
        turn = world.turn(row["name"].lower())
        mails.append(own_move(turn, "Anna", bot=bot) if row["name"] == "Anna" else reply(turn, first_move(turn)))
    world.take(*mails)


def first_move(turn: Mail) -> str:
    """The first example in the list; otherwise the first line."""
    lines = [line.strip() for line in turn.text.partition("Standing orders that you can add")[0].splitlines()]
    if "ok" in (line.split("  ")[0] for line in lines):
        return "ok"
    examples = [line.removeprefix("for example: ") for line in lines if line.startswith("for example: ")]
    return examples[0] if examples else "#1"


# --- the folder ------------------------------------------------------------------------------------------------------


def test_init_makes_a_folder_that_nobody_else_can_read(tmp_path: Path) -> None:
    world = World(tmp_path)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (world.root, *world.root.iterdir())}
    assert set(modes) == {
        "office", "mail.toml", "host.key", "players.json", "tables", "in", "archive", "quarantine", "outbox", "sent",
        "commit",
    }  # fmt: skip
    assert all(mode & 0o077 == 0 for mode in modes.values()), modes
    before = world.files()
    check_refusal(world.run("host", "--name", "Eve"), (8,))
    assert world.files() == before


def test_init_refuses_an_invalid_address_and_writes_nothing_when_dry(tmp_path: Path) -> None:
    check_refusal(run_here("host", "office", "--address", "a@b\nBcc: c@d.example", cwd=tmp_path), (2,))
    assert run_here("host", "office", "--dry-run", cwd=tmp_path).exit == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["run", "run --only in", "run --only out", "status", "status --test"])
def test_what_is_not_an_office_is_refused(tmp_path: Path, command: str) -> None:
    check_refusal(run_here("mail", *command.split(), "nowhere", cwd=tmp_path), (8,))
    assert list(tmp_path.iterdir()) == []


def test_damage_in_an_office_is_named(world: World) -> None:
    (world.root / "players.json").write_text('{"bert": 7}')
    check_refusal(world.run("run"), (7,))
    (world.root / "players.json").unlink()
    check_refusal(world.run("run"), (8,))


def test_bad_times_are_refused(world: World) -> None:
    before = world.files()
    for now in ("soon", "2026-13-01T00:00Z", "2026-11-20 08:00", ""):
        check_refusal(world.run("run", now=now), (2,))
    assert world.files() == before


# --- a run can be repeated -------------------------------------------------------------------------------------------


def test_the_second_run_changes_nothing(tmp_path: Path) -> None:
    """At every step of a game: the same clock, no new mail, not a byte."""
    world, mails = invited(tmp_path)

    def twice(*new: bytes) -> None:
        world.put(*new)
        world.good("run")
        before = world.files()
        world.good("run")
        assert world.files() == before
        world.new()

    twice()
    twice(own_join(mails["anna"], "Anna"), reply(mails["bert"], "join as Bert"))
    twice(reply(mails["carla"], "join as Carla"), plain("eve@evil.example", "hello", "give me your cards"))
    twice(*(reply(world.turn(name), "ok") for name in ("bert", "carla")), own_move(world.turn("anna"), "Anna"))
    twice(reply(world.turn("bert"), "bid 4"), reply(world.turn("bert"), "bid 5"), reply(world.turn("carla"), "what?"))


def test_one_run_of_many_mails_is_many_runs_of_one(world: World, tmp_path: Path) -> None:
    words = reply(world.turn("bert"), "bid 4"), reply(world.turn("carla"), "bid 1")
    mails = (*words, own_move(world.turn("anna"), "Anna"))
    other = world.again(tmp_path / "other")
    world.put(*mails)
    world.good("run")
    for mail in mails:
        other.put(mail)
        other.good("run")
    assert tree(other.root) == tree(world.root)


def test_a_mail_is_known_by_its_bytes(world: World) -> None:
    mail = reply(world.turn("bert"), "bid 4")
    world.put(mail)
    assert json.loads(world.good("run", "--only", "in", "-", "--json", stdin=mail).out)["known"] == 1
    world.good("run")
    assert json.loads(world.good("run", "--only", "in", "-", "--json", stdin=mail).out) == {
        "known": 1,
        "new": 0,
        "trouble": "",
    }
    assert world.kept("archive") == 3 + 3 + 1


def test_files_and_folders_come_in(world: World, tmp_path: Path) -> None:
    (tmp_path / "one.eml").write_bytes(reply(world.turn("bert"), "bid 4"))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "two.eml").write_bytes(reply(world.turn("carla"), "bid 4"))
    ran = world.good("run", str(tmp_path / "one.eml"), str(tmp_path / "more"), "--json")
    assert json.loads(ran.out)["new"] == 2
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna"]
    check_refusal(world.run("run", str(tmp_path / "nothing.eml")), (8,))


# --- what belongs together -------------------------------------------------------------------------------------------


def test_a_change_that_was_interrupted_is_finished(tmp_path: Path) -> None:
    for folder in ("commit", "in", "archive", "tables"):
        (tmp_path / folder).mkdir()
    (tmp_path / "in" / "a.eml").write_bytes(b"a")
    (tmp_path / "commit" / "000001").write_bytes(b"new")
    plan = Transaction({"000001": "tables/x/game.json", "000002": "moved.json"}, (("in/a.eml", "archive/a.eml"),))
    (tmp_path / "moved.json").write_bytes(b"before the kill")
    (tmp_path / "commit" / "plan.json").write_bytes(msgspec.json.encode(plan))
    for _ in range(2):
        finish(str(tmp_path))
        found = {name: data for name, (kind, data) in tree(tmp_path).items() if kind == "file"}
        assert found == {"tables/x/game.json": b"new", "archive/a.eml": b"a", "moved.json": b"before the kill"}


def test_what_never_counted_is_taken_away(world: World) -> None:
    before = world.files()
    (world.root / "commit" / "000001").write_bytes(b"half")
    (world.root / "in" / ".000099-ab.eml.7.tmp").write_bytes(b"half")
    world.good("run")
    assert world.files() == before


def test_a_full_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "commit").mkdir()
    (tmp_path / "old.json").write_bytes(b"old")

    def full(*_: object, **__: object) -> None:
        raise FileTrouble(as_text("no space left on device"), as_text("free some"))

    monkeypatch.setattr(commits.files, "write", full)
    with pytest.raises(FileTrouble) as error:
        commit(str(tmp_path), {"old.json": b"new"})
    assert "nothing was changed" in str(error.value.next)
    assert (tmp_path / "old.json").read_bytes() == b"old"


# --- trouble stays where it is ---------------------------------------------------------------------------------------


def test_mails_come_in_while_a_run_holds_the_office(world: World) -> None:
    """A mail filter never waits for a long run, and loses nothing."""
    with locked(str(world.root)):
        world.put(reply(world.turn("bert"), "bid 4"))
    assert world.kept("in") == 1
    world.good("run")
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Carla"]


def test_what_a_filter_brings_is_kept_or_comes_again(world: World) -> None:
    """0 once the mail is stored, whatever else is wrong; if not, 75, which tells mail servers to try again later."""
    mail = reply(world.turn("bert"), "bid 4")
    path = world.root / "mail.toml"
    good = path.read_text()
    port = 'kind = "smtp"\nport = 1\nsecurity = "plain"'
    broken = (
        good.replace('kind = "files"', port).replace("smtp.example.org", "127.0.0.1").replace('"keyring"', '"none"')
    )
    path.write_text(broken)
    ran = world.run("run", "-", stdin=mail)
    assert ran.exit == 0, ran.said
    assert "the mail itself is kept" in ran.said
    assert world.run("run").exit == 9
    path.write_text("nonsense")
    assert world.run("run", "-", stdin=plain(PEOPLE["anna"], "x", "y")).exit == 0
    assert world.kept("in") == 1
    path.write_text(good)
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Carla"]
    shutil.rmtree(world.root / "in")
    (world.root / "in").write_bytes(b"no folder")
    for command in ("run --only in", "run"):
        assert world.run(*command.split(), "-", stdin=reply(world.turn("carla"), "bid 1")).exit == 75


def test_what_is_not_a_mail_in_the_folder_stops_nothing(world: World) -> None:
    (world.root / "in" / "empty.eml").write_bytes(b"")
    (world.root / "in" / "folder.eml").mkdir()
    world.put(reply(world.turn("bert"), "bid 4"))
    ran = world.good("run")
    assert ran.said.count("cannot be judged yet") == 2
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Carla"]


def test_a_damaged_table_stops_no_other(world: World) -> None:
    world.offer("dora@x.example", "emil@x.example")
    invitation = world.new()[0]
    path = next(path for path in (world.root / "tables").iterdir() if (path / "game.json").exists()) / "game.json"
    good = path.read_bytes()
    path.write_bytes(good.replace(b'"late"', b'"lake"').replace(b'"round":1', b'"round":2', 1))
    world.put(reply(world.turn("bert"), "bid 4"), reply(invitation, "join as Dora"))
    ran = world.run("run")
    assert ran.exit == 10, ran.said
    assert "it cannot be judged yet" in ran.said
    stages = [row["stage"] for row in json.loads(world.run("status", "--json").out)["tables"]]
    assert sorted(stages) == ["damaged", "inviting"]
    assert "cannot be read: " in world.run("status").out.decode()
    assert [mail.to for mail in world.new()] == ["dora@x.example"]
    assert world.kept("in") == 1
    path.write_bytes(good)
    assert [mail.to for mail in world.take()] == [PEOPLE["bert"]]
    assert world.kept("in") == 0


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('"bert": {"address": "bert"}', "bert"),
        ('"../bert": {"address": "bert@y.example"}', "bert"),
        ('"bert": {"address": "bert@y.example", "zone": "Mars/Olympus"}', "bert"),
        ('"bert": {"address": "bert@y.example"}', "anna"),
        ('"bert": {"address": "b..b@y.example"}', "bert"),
        ('"bert": {"address": "bert@y.example", "away": [["2026-02-31", "2026-03-01"]]}', "bert"),
        ('"bert": {"address": "bert@y.example", "away": [["x", "y"]]}', "players.json"),
    ],
)
def test_an_address_book_that_cannot_be_used_is_refused(world: World, entry: str, told: str) -> None:
    (world.root / "players.json").write_text(f"{{{entry}}}")
    ran = world.run("run")
    check_refusal(ran, (7,))
    assert told in ran.said


@pytest.mark.parametrize(
    "change",
    [
        lambda note: note.update(end="weird"),
        lambda note: note.update(made=""),
        lambda note: note.update(since="yesterday"),
        lambda note: note["invitations"][0].pop("join"),
        lambda note: note["invitations"].pop(),
        lambda note: note["invitations"][0].update(state="declined"),
    ],
)
def test_a_note_that_makes_no_sense_is_refused(world: World, change: Callable[[dict[str, Any]], None]) -> None:
    path = world.root / "tables" / world.table() / "table.json"
    note = json.loads(path.read_bytes())
    change(note)
    path.write_bytes(json.dumps(note).encode())
    for command in ("run", "status"):
        ran = world.run(command)
        check_refusal(ran, (7,))
        assert "table.json is damaged" in ran.said


def test_a_copy_of_a_table_is_not_a_table(world: World) -> None:
    folder = world.root / "tables" / world.table()
    shutil.copytree(folder, folder.with_name("copy of it"))
    assert len(json.loads(world.good("status", "--json").out)["tables"]) == 1
    world.good("run")


def test_folders_that_were_thrown_away_are_made_again(world: World) -> None:
    for name in ("archive", "quarantine", "sent", "outbox", "in", "commit"):
        shutil.rmtree(world.root / name)
    for command in ("status", "run", "run --only out"):
        world.good(*command.split())
    assert all((world.root / name).is_dir() for name in ("archive", "quarantine", "sent", "outbox", "in", "commit"))
    shutil.rmtree(world.root / "in")
    world.good("run", "--only", "in", "-", stdin=plain("eve@evil.example", "x", "y"))
    assert world.kept("in") == 1


def test_a_run_can_be_tried(world: World) -> None:
    world.put(reply(world.turn("bert"), "bid 4"))
    before = world.files()
    ran = world.good("run", "--dry-run")
    assert "Bert: accepted" in ran.said
    assert "1 mail would be written" in ran.said
    assert world.files() == before


@pytest.mark.thorough
def test_a_crowd_of_runs_does_it_once(world: World, tmp_path: Path) -> None:
    """Real processes, all at once, with the same mails: the result must be that of a single one."""
    other = world.again(tmp_path / "other")
    words = [reply(world.turn("bert"), "bid 4"), reply(world.turn("carla"), "what?"), plain(PEOPLE["anna"], "x", "y")]
    for number, mail in enumerate(words):
        (tmp_path / f"{number}.eml").write_bytes(mail)
    names = [str(tmp_path / f"{number}.eml") for number in range(3)]
    args = ["mail", "run", "office", *names, "--now", NOW]
    code = f"import tests.conftest, sys; from referee.cli import main; sys.argv[1:] = {args!r}; main()"
    crowd = [
        subprocess.Popen([sys.executable, "-c", code], cwd=world.folder, stderr=subprocess.PIPE, text=True,
                         env=environment(tmp_path / "home", {"PYTHONPATH": str(ROOT)}))
        for _ in range(4)
    ]  # fmt: skip
    for one in crowd:
        _, told = one.communicate(timeout=waiting.LIMIT)
        assert one.returncode == 0, told
    other.good("run", *names)
    # A sealed bid is encrypted differently each time it is signed, so the game files differ; all else is the same.
    found, wanted = (
        {name: data for name, data in one.files().items() if not name.endswith("game.json")} for one in (world, other)
    )
    assert found == wanted
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Carla"]


# --- tables ----------------------------------------------------------------------------------------------------------


def test_two_tables_with_the_same_people_do_not_mix(tmp_path: Path) -> None:
    world = World(tmp_path)
    people = (PEOPLE["bert"], PEOPLE["carla"])
    world.offer(*people)
    first = {mail.to: mail for mail in world.new()}
    world.offer(*people, game="auction")
    second = {mail.to: mail for mail in world.new()}
    world.take(reply(first[people[0]], "join as Bert"), reply(second[people[0]], "join as Berta"))
    world.take(reply(first[people[1]], "join as Carla"), reply(second[people[1]], "no"))
    tables = json.loads(world.run("status", "--json").out)["tables"]
    assert {row["game"]: row["stage"] for row in tables} == {GAME: "acks", "auction": "inviting"}
    assert len(json.loads((world.root / "players.json").read_bytes())) == 2
    mixed = reply(first[people[0]], "ok") + second[people[0]].subject.encode()
    told = [mail for mail in world.take(mixed) if "answer" in mail.name]
    assert [mail.to for mail in told] == [people[0]]
    assert "more than one turn" in " ".join(told[0].text.split())


@pytest.mark.thorough
def test_a_game_is_played_to_its_end_and_stays(world: World) -> None:
    for _ in range(12):
        if world.status()["stage"] == "over":
            break
        play_on(world)
    assert world.status()["stage"] == "over"
    folder = world.root / "tables" / world.table()
    assert run_here("verify", str(folder / "transcript.json"), cwd=world.folder).exit == 0
    last = [world.turn(name, "over") for name in ("anna", "bert", "carla")]
    assert {mail.file("transcript.json") for mail in last} == {(folder / "transcript.json").read_bytes()}
    assert [mail.to for mail in last] == list(PEOPLE.values())
    before = world.files()
    world.good("run", now="2027-11-20T08:00Z")
    assert world.files() == before
    told = world.answers(reply(world.turn("bert"), "guess odd"))
    assert ["game is over" in mail.text for mail in told] == [True]
    world.offer(*PEOPLE.values(), game="auction")
    assert len(world.new()) == 3


def test_status_says_who_is_awaited_since_when(world: World) -> None:
    world.take(reply(world.turn("bert"), "bid 4"), now="2026-11-20T09:30Z")
    found = world.status("2026-11-24T00:00Z")
    assert [(row["name"], row["what"], row["due"], row["late"]) for row in found["awaited"]] == [
        ("Anna", "bid", "2026-11-23T08:00Z", True),
        ("Carla", "bid", "2026-11-23T08:00Z", True),
    ]
    assert (found["since"], found["answered"], found["outbox"], found["quarantine"]) == (NOW, ["Bert"], 0, 0)
    text = world.run("status").out.decode()
    assert "waiting for Anna: bid, due 2026-11-23 08:00 UTC" in text
    assert HOST not in text


@pytest.mark.thorough
def test_everybody_hears_of_each_round_if_the_host_likes(tmp_path: Path) -> None:
    world = World(tmp_path, settings='tell = "all"')
    world.offer("a@x.example", "b@x.example")
    mails = {mail.to: mail for mail in world.new()}
    world.take(reply(mails["a@x.example"], "join as Ada"), reply(mails["b@x.example"], "join as Bo"))
    written = world.take(reply(world.turn("ada"), "ok"), reply(world.turn("bo"), "ok"))
    round2 = sorted(mail.name.partition("-")[2] for mail in written if "r002" in mail.name)
    assert round2 in (["r002-ada-turn", "r002-bo-news"], ["r002-ada-news", "r002-bo-turn"]), "the seed draws who starts"
    news = next(mail for mail in written if mail.name.endswith("news"))
    assert "-2-2-" not in news.raw.decode(), "no pass of a round that asks nothing"
