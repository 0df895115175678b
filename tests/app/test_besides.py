"""What the window signs besides moves: the same as the command line, and the host takes it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.crypto.envelope import ident
from tests.app import person
from tests.app.window import Window, window
from tests.cli.test_seats import People, moved, seated
from tests.cli.world import World, changes, run_here, tree
from tests.page.browser import Browser, browsing, needs_browser


@contextmanager
def opened(folder: Path, view: str, home: Path) -> Iterator[tuple[Window, str, Any]]:
    """A window at a view: its game, and what is seen of it."""
    with window(view, cwd=folder, home=home) as one:
        game = one.start["with"]["game"]
        yield one, game, one.call("open", game)["look"]


def sign_first(one: Window, game: str, **more: Any) -> Any:
    """Sign the first move of the list, or a confirmation; the body of what was signed."""
    move = next((choice["move"] for choice in one.call("moves", game)["choices"]), None)
    return body(Path(one.call("sign", game, move=move, **more)["file"]), one)


def body(path: Path, one: Window) -> Any:
    return json.loads((Path(f"/proc/{one.app.process.pid}/cwd").resolve() / path).read_bytes())["body"]


# --- a protest -------------------------------------------------------------------------------------------------------


@pytest.fixture
def late(tmp_path: Path) -> tuple[World, str]:
    return timed_out(tmp_path)


def timed_out(root: Path) -> tuple[World, str]:
    """Whoever moves has signed an answer in the window, which never arrived, and was timed out; what was signed."""
    world = World(root / "world", rounds=3)
    with opened(world.root, world.mover_view, world.mover_home) as (one, game, _):
        assert one.call("besides", game)["late"] == 0
        move = one.call("moves", game)["choices"][0]["move"]
        assert one.refused("sign", game, move=move, protest=True)["code"] == "no-protest"
        assert [*world.root.glob("*.move.json")] == []
        signed = one.call("sign", game, move=move)["file"]
    path = world.root / signed
    past = ("apply", "game.json", "--timeout", str(world.mover + 1), "--now", "2000-02-01T00:00Z")
    ran = run_here(*past, cwd=world.root, home=world.host_home)
    assert ran.exit == 0, ran.said
    return world, ident("move", json.dumps(json.loads(path.read_bytes())["body"], separators=(",", ":")).encode())


@pytest.mark.parametrize("wanted", [True, False])
def test_a_protest_is_offered_and_stands_in_the_answer_only_if_it_is_wanted(
    late: tuple[World, str], wanted: bool
) -> None:
    world, before = late
    who = world.names[world.mover].lower()
    with opened(world.root, world.view_name(who, 4), world.mover_home) as (one, game, look):
        assert not any("By your clock" in line for line in look["state"])
        assert one.call("besides", game)["late"] == 4
        said = one.call("besides", game, protest=wanted)["said"]
        assert said == (["you protest: you had signed an answer for the round you were timed out in"] if wanted else [])
        signed = sign_first(one, game, protest=wanted)
    assert signed.get("protest", "") == (before if wanted else "")
    (answer,) = world.root.glob("*-r005-*.move.json")
    told = run_here("show", answer.name, cwd=world.root, home=world.mover_home).out.decode()
    assert ("with a protest" in told) is wanted
    ran = run_here("apply", "game.json", answer.name, cwd=world.root, home=world.host_home)
    assert "move is accepted" in ran.said, ran.said


# --- seats that change hands -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> People:
    return seated(tmp_path_factory.mktemp("besides") / "people", "--takeovers", "1", "--deadline", "3d")


@pytest.fixture
def people(begun: People, tmp_path: Path) -> People:
    return moved(begun, tmp_path / "people")


@contextmanager
def at(people: People, who: str, view: str) -> Iterator[tuple[Window, str, Any]]:
    folder = people.root / who
    folder.mkdir(exist_ok=True)
    with opened(folder, view, folder / "home") as found:
        yield found


def test_a_seat_is_handed_over_and_taken_over(people: People) -> None:
    emil = people.key("emil")
    with at(people, "anna", people.view("anna")) as (one, game, _):
        assert one.call("besides", game)["hands_over"]
        for key in ("emil", emil[:-1], people.key("bert"), people.key("anna")):
            assert one.refused("besides", game, handover=key)["code"] == "usage"
        assert one.call("besides", game, handover=emil)["said"] == [f"the key {emil[:16]} may take over your seat"]
        assert one.call("besides", game)["vacant"] == []
        assert sign_first(one, game, handover=emil)["handover"] == emil
    people.run("hanna", "apply", "game.json", people.newest("hanna", "*-anna.move.json"), "--now", "2026-12-02T12:00Z")
    with at(people, "zoe", people.view("bert")) as (one, game, _):
        assert one.call("besides", game)["vacant"] == []
    with at(people, "emil", people.view("bert")) as (one, game, _):
        assert one.call("besides", game)["vacant"] == ["Anna"]
        invited = one.call("invited", game)
        assert (invited["title"], invited["name"]) == ("Schwarzer Freitag", "Emil")
        assert len(invited["terms"]) > 3
        assert one.refused("join", game, seat="Anna", name="Bert")["code"] == "bad-name"
        assert one.refused("join", game, seat="Bert", name="Emil")["code"] == "not-vacant"
        sent = one.call("join", game, seat="Anna", name="Emil")
    people.run("hanna", "apply", "game.json", str(people.root / "emil" / sent["file"]))
    assert people.status()["arriving"] == [{"seat": 1, "name": "Emil"}]


def test_whoever_has_no_key_yet_gets_one_by_taking_over_a_seat(tmp_path: Path) -> None:
    people = dropped(tmp_path)
    with at(people, "zoe", people.view("bert")) as (one, game, _):
        home = people.root / "zoe" / "home"
        assert one.call("besides", game)["vacant"] == ["Anna"]
        assert one.refused("join", game, seat="Anna", name="")["code"] == "bad-name"
        assert not (home / "key.json").exists()
        signed = body(Path(one.call("join", game, seat="Anna", name="Zoe")["file"]), one)
    assert (signed["name"], signed["key"]) == ("Zoe", people.key("zoe"))


def dropped(root: Path) -> People:
    """Anna has missed two deadlines."""
    people = seated(root / "people", "--takeover", "7d", "--deadline", "3d")
    people.run("hanna", "apply", "game.json", "--timeout", "Anna", "--now", "2099-12-04T12:01Z")
    people.turn("bert", now="2099-12-04T13:00Z")
    people.run("hanna", "apply", "game.json", "--timeout", "Anna", "--drop", "--now", "2099-12-07T14:02Z")
    return people


def test_whoever_is_out_comes_back_and_is_told_of_a_clock_that_is_ahead(tmp_path: Path) -> None:
    people = dropped(tmp_path)
    with at(people, "anna", people.view("anna")) as (one, game, look):
        assert look["asked"] == ""
        assert any("By your clock it is still to come" in line for line in look["state"])
        assert one.call("besides", game) == {
            "late": 0, "hands_over": False, "returns": True, "tells": True, "vacant": [], "said": [],
        }  # fmt: skip
        sent = one.call("come_back", game)
    people.run("hanna", "apply", "game.json", str(people.root / "anna" / sent["file"]))
    assert people.status()["arriving"] == [{"seat": 1, "name": "Anna"}]
    before = tree(people.root)
    with at(people, "bert", people.view("bert")) as (one, game, _):
        assert not one.call("besides", game)["returns"]
        assert one.refused("come_back", game)["code"] == "not-vacant"
    assert {name for name in changes(before, tree(people.root)) if "tickets" not in name} == set()


# --- words to the office ---------------------------------------------------------------------------------------------


def test_words_to_the_host_are_signed_if_an_office_understands_them(people: People) -> None:
    with at(people, "anna", people.view("anna")) as (one, game, _):
        for words in ("", "sing a song", "resign"):
            assert one.refused("tell", game, words=words)["code"] in ("bad-words", "usage")
        signed = body(Path(one.call("tell", game, words="zone Europe/Berlin")["file"]), one)
        assert signed["text"] == "zone Europe/Berlin"
        one.call("practice", "auction", new=True)
        assert one.refused("tell", "auction", words="back")["code"] == "usage"
        assert one.call("besides", "auction")["tells"] is False


def test_nothing_is_signed_at_an_old_view(people: People) -> None:
    old = people.view("anna")
    people.turn("anna")
    with at(people, "anna", people.view("anna")):
        pass
    with at(people, "anna", old) as (one, game, _):
        assert one.call("besides", game)["tells"] is False
        for name in ("tell", "come_back"):
            assert one.refused(name, game, words="back")["code"] == "old-view"


# --- by clicks -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as one:
        one.size(1280)
        yield one


def newest(folder: Path, pattern: str) -> Any:
    path = max(folder.glob(pattern), key=lambda one: one.stat().st_mtime_ns)
    return json.loads(path.read_bytes())["body"]


@needs_browser
def test_a_successor_and_words_to_the_host_by_clicks(browser: Browser, people: People) -> None:
    anna, emil = people.root / "anna", people.key("emil")
    with person.serving("open", people.view("anna"), "--no-browser", cwd=anna, home=anna / "home") as link:
        shown = person.Window(browser, link)
        shown.press("#more summary", "Tell the host something about yourself")
        shown.press("#word-kind")
        browser.script("const one = document.querySelector('#word-kind'); one.value = 'back'; "
                       "one.dispatchEvent(new Event('change'))")  # fmt: skip
        shown.press("#sign-word")
        assert newest(people.root / "hanna", "*.word.json")["text"] == "back"
        shown.press("#go-on")
        shown.press("#more summary", "Hand over the seat")
        shown.press("#handover")
        shown.type(emil[:-1] + person.ENTER)
        assert "named by a public key" in shown.trouble
        shown.type(emil[-1] + person.ENTER)
        assert (shown.trouble, shown.text(".beside")) == ("", f"the key {emil[:16]} may take over your seat")
        shown.press("#typed")
        shown.type("place red" + person.ENTER)
        shown.press("#sign")
        assert shown.has("#sent"), shown.trouble
    assert newest(people.root / "hanna", "*.move.json")["handover"] == emil


@needs_browser
def test_a_protest_by_clicks(browser: Browser, late: tuple[World, str]) -> None:
    world, before = late
    view = world.view_name(world.names[world.mover].lower(), 4)
    with person.serving("open", view, "--no-browser", cwd=world.root, home=world.mover_home) as link:
        shown = person.Window(browser, link)
        shown.press("#protesting summary", "Protest against the missed deadline")
        assert "You were timed out in round 4" in shown.text("#protesting")
        shown.press("#protest")
        assert "you protest" in shown.text(".beside")
        shown.press("#resign")
        assert "you protest" in shown.text(".beside")
        shown.press("#leave")
        assert shown.has("#sent"), shown.trouble
    assert newest(world.root, "*-r005-*.move.json")["protest"] == before


@needs_browser
def test_coming_back_and_taking_over_by_clicks(browser: Browser, tmp_path: Path) -> None:
    people = dropped(tmp_path)
    anna, zoe = people.root / "anna", people.root / "zoe"
    zoe.mkdir()
    with person.serving("open", people.view("anna"), "--no-browser", cwd=anna, home=anna / "home") as link:
        person.Window(browser, link).press("#come-back")
        assert newest(people.root / "hanna", "*.return.json")["seat"] == 0
    with person.serving("open", people.view("bert"), "--no-browser", cwd=zoe, home=zoe / "home") as link:
        shown = person.Window(browser, link)
        shown.press("#bar button", "Take over Anna's seat")
        shown.type("Zoe" + person.ENTER)
        assert shown.has("#sent"), shown.trouble
    signed = newest(people.root / "hanna", "*.succession.json")
    assert (signed["name"], signed["seat"]) == ("Zoe", 0)
