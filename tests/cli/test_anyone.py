"""Commands for anyone and for authors: what they say, what their options default to, what a shell completes."""

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import referee
from referee.cli.app import command
from referee.games import game_ids
from referee.library import completion
from referee.library.schemas import all_schemas
from tests.cli.world import Ran, World, check_refusal, finish, run_here, tree


def run(world: World, who: str, *words: str, **how: Any) -> Ran:
    return run_here(*words, cwd=world.root, home=world.root / f"{who}-home", **how)


def said(ran: Ran, status: int = 0) -> list[str]:
    assert ran.exit == status, ran.said
    return ran.said.splitlines()


def data(ran: Ran, status: int = 0) -> Any:
    assert ran.exit == status, ran.said
    return json.loads(ran.out)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "world", rounds=1)


# --- for anyone and for authors ---------------------------------------------------------------------------------------


def test_schemas_are_written(tmp_path: Path) -> None:
    names = set(all_schemas())
    assert {"auction.move.schema.json", "tournament.results.schema.json"} <= names
    ran = run_here("conform", "--schemas", "made", cwd=tmp_path)
    assert said(ran) == [f"Next: see made for {len(names)} schemas."]
    assert {path.name for path in (tmp_path / "made").iterdir()} == names


@pytest.mark.parametrize("words", [(), ("schemas/vectors",), ("--many",)])
def test_conform_says_what_it_needs(words: tuple[str, ...], tmp_path: Path) -> None:
    ran = run_here("conform", *words, cwd=tmp_path)
    check_refusal(ran, (2,))
    assert "name the test vectors and a command: `referee conform schemas/vectors -- " in ran.said


def test_a_search_for_leaks_counts(tmp_path: Path) -> None:
    words = ("games", "auction", "--leaks", "--worlds", "3", "--seed", "a")
    found = data(run_here(*words, "--json", cwd=tmp_path))
    ran = run_here(*words, cwd=tmp_path)
    assert ran.out.decode().splitlines() == [
        f"auction: {found['differed']} worlds that really differed ({found['worlds']} compared, {found['parted']} went "
        f"another way lawfully, {found['impossible']} were impossible)",
        f"{found['comparisons']} comparisons in {found['games']} game{'s' * (found['games'] > 1)}",
    ]
    assert found["differed"] == 3
    assert not found["leak"]
    assert said(ran) == ["Next: nothing; no leak was found. More worlds find more: --worlds N."]
    for worlds in ("0", "100001"):
        check_refusal(run_here("games", "auction", "--leaks", "--worlds", worlds, cwd=tmp_path), (2,))
    for words in (("--leaks",), ("auction", "--worlds", "3"), ("auction", "--leaks", "--edition", "x.json")):
        check_refusal(run_here("games", *words, cwd=tmp_path), (2,))


def test_a_bot_is_tried(tmp_path: Path) -> None:
    """A bot of the game beside another one: who sat where, how it ended, and how to look at it again."""
    words = ("bot", "auction", "--seats", "3", "--seat", "2", "--against", "random", "--seed", "x")
    found = data(run_here(*words, "--json", "-o", "game.json", "--", "sensible", cwd=tmp_path))
    assert (found["game"], found["seat"], found["against"], found["code"]) == ("auction", 2, "random", "ok")
    assert (found["faults"], found["end"]) == ([], "result")
    verified = json.loads(run_here("verify", "game.json", "--json", cwd=tmp_path).out.splitlines()[0])
    assert (verified["code"], verified["rounds"]) == ("ok", found["rounds"])
    ran = run_here(*words, "--", "sensible", cwd=tmp_path)
    lines = ran.out.decode().splitlines()
    assert lines[0].endswith(f", 3 players: over after {found['rounds']} rounds (result)")
    rows = sorted(zip(found["ranks"], range(3), found["scores"], strict=True))
    whom = {1: "the bot"}
    assert [line.partition(", ")[2] for line in lines[1:4]] == [
        f"{whom.get(seat, 'random')} (score {', '.join(map(str, score))})" for _, seat, score in rows
    ]
    assert [line.split(".")[0].strip() for line in lines[1:4]] == [str(rank) for rank, _, _ in rows]
    assert lines[4].startswith(f"The bot at seat 2: {found['spent']['questions']} questions, ")
    assert said(ran)[-1] == "Next: play more games; check this one with -o FILE and `referee verify FILE`."
    kept = run_here(*words, "-o", "again.json", "--", "sensible", cwd=tmp_path)
    assert said(kept)[-1] == "Next: play more games; check this one with `referee verify again.json`."
    for option, bad in (("--start", "0.001"), ("--time", "0"), ("--bank", "-1"), ("--memory", "15"), ("--seat", "0")):
        check_refusal(run_here(*words[:3], option, bad, "--", "random", cwd=tmp_path), (2,))
    beyond = run_here("bot", "auction", "--seats", "3", "--seat", "4", "--", "random", cwd=tmp_path)
    assert "there is no seat 4 at this table" in beyond.said
    assert "choose --seat from 1 to 3" in beyond.said


def option_of(word: str, *path: str) -> Any:
    found = command(path[0])
    for part in path:
        found = found.commands[part]
    return next(one for one in found.params if word in one.opts)


def test_a_demo_for_programs(tmp_path: Path) -> None:
    ran = run_here("demo", "auction", "--seats", "2", "-o", "d", "--seed", "x", "--json", cwd=tmp_path)
    found = data(ran)
    assert (tmp_path / found["transcript"]).exists()
    assert (tmp_path / found["example_view"]).exists()
    text = run_here("demo", "auction", "--seats", "2", "-o", "e", "--seed", "x", cwd=tmp_path)
    assert said(text)[-1] == (
        f"Next: look at a position with `referee show {found['example_view'].replace('d/', 'e/', 1)}`, "
        f"check the game with `referee verify {found['transcript'].replace('d/', 'e/', 1)}`."
    )


def test_pages_and_their_names(tmp_path: Path) -> None:
    world = World(tmp_path / "world", rounds=1)
    (world.root / "transcript.json").write_bytes(finish(world))
    game = world.match.table.id
    view = run(world, "anna", "page", "anna.view.json")
    name = world.view_name("anna", 1).replace(".view.json", ".html")
    assert said(view) == [f"Next: open {name} in a browser; it shows a hand, so keep it to yourself."]
    assert (world.root / name).stat().st_mode & 0o77 == 0
    assert said(run(world, "anna", "page", "transcript.json")) == [f"Next: open {game[:8]}.html in a browser."]
    english = (world.root / f"{game[:8]}.html").read_bytes()
    assert run(world, "anna", "page", "transcript.json", "--language", "de").exit == 0
    assert (world.root / f"{game[:8]}.html").read_bytes() != english
    hashes = run(world, "anna", "page", "--hash").out.decode().splitlines()
    assert [len(line.split("  ")[0]) for line in hashes] == [64] * len(hashes)
    assert said(run(world, "anna", "page", "--player")) == [
        "Next: open player.html in a browser; `referee page --hash` says what its SHA-256 must be."
    ]
    assert hashes[0].startswith(hashlib.sha256((world.root / "player.html").read_bytes()).hexdigest())
    before = tree(world.root)
    assert said(run(world, "anna", "page", "--player", "-o", "x.html", "--dry-run")) == [
        "Everything is in order; nothing was written."
    ]
    assert tree(world.root) == before
    printed = run(world, "anna", "page", "--player", "-o", "-")
    assert printed.out.rstrip(b"\n") == (world.root / "player.html").read_bytes().rstrip(b"\n")
    assert printed.said == ""
    for words, why in (
        ((), "this needs one of three"), (("anna.view.json", "--player"), "this needs one of three"),
        (("--player", "--language", "en"), "the player's page has all languages"),
        (("anna.view.json", "-o", "anna.view.json"), "overwrite a file that is read here"),
    ):  # fmt: skip
        ran = run(world, "anna", "page", *words)
        check_refusal(ran, (2,))
        assert why in ran.said


# --- completion -------------------------------------------------------------------------------------------------------


def test_completion_offers_what_is_there(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(world.root)
    assert completion.games("schwarzer") == ["schwarzer-freitag"]
    assert set(completion.games("")) == set(game_ids())
    assert completion.languages("d") == ["de"]
    assert completion.files("view")("") == ["anna.view.json", "bert.view.json"]
    assert completion.files("view")("b") == ["bert.view.json"]
    assert completion.files("view")(f"{world.root}/a") == [f"{world.root}/anna.view.json"]
    (world.root / "a.eml").write_bytes(b"")
    assert completion.files("view", mail=True)("a") == ["a.eml", "anna.view.json"]
    assert completion.files("view")("nowhere/") == []
    for name in ("COMP_WORDS", "_TYPER_COMPLETE_ARGS"):
        with mock.patch.dict(os.environ, {name: "referee apply game.json --timeout "}):
            assert completion.seats("") == ["Anna", "Bert"]
            assert completion.seats("B") == ["Bert"]
        with mock.patch.dict(os.environ, {name: "referee offer schwarzer-freitag --option "}):
            assert completion.options("special_cards=t") == ["special_cards=true"]
    assert completion.seats("") == []
    assert completion.options("") == []


def test_what_the_command_line_itself_refuses_is_reported_to_programs_too(tmp_path: Path) -> None:
    ran = run_here("show", "--nonsense", "game.json", "--json", cwd=tmp_path)
    told = data(ran, 2)
    assert (told["code"], told["next"]) == ("usage", "see `referee show --help`")
    assert said(ran, 2) == [f"referee: {told['message']}", "Next: see `referee show --help`"]
    bare = run_here(cwd=tmp_path)
    assert (bare.exit, bare.out) == (2, b"")
    assert "Usage: referee" in bare.said
    version = run_here("--version", cwd=tmp_path)
    assert (version.exit, version.out.decode()) == (0, f"referee {referee.__version__}\n")


@pytest.mark.parametrize(("others", "known"), [(199, True), (200, False)])
def test_a_limited_number_of_keys_in_the_users_folder_is_tried(world: World, others: int, known: bool) -> None:
    home = world.root.parent / "home"
    home.mkdir()
    for number in range(others):
        (home / f"a{number:03}").write_bytes(b"")
    shutil.copy(world.root / "anna-home" / "key.json", home / "b.json")
    (world.root.parent / "views").mkdir()
    shutil.copy(world.root / "anna.view.json", world.root.parent / "views")
    (game,) = data(run_here("inbox", "views", "--json", cwd=world.root.parent, home=home))["games"]
    assert ("b.json" in game["next"]) is known


@pytest.mark.parametrize("bad", [20, 21])
def test_a_limited_number_of_notes_is_shown(tmp_path: Path, bad: int) -> None:
    for number in range(bad):
        (tmp_path / f"{number}.view.json").write_bytes(b'{"format":"pbem-referee/1/view"}')
    ran = run_here("inbox", ".", cwd=tmp_path)
    lines = said(ran)
    assert lines[-1] == "Next: nothing here waits for you."
    more = ["... and 1 more note; --json has them all."] * (bad - 20)
    assert lines[20:-1] == more
    assert len(data(run_here("inbox", ".", "--json", cwd=tmp_path))["notes"]) == bad


def test_no_switch_is_on_unless_somebody_turns_it_on() -> None:
    """Of every command; but `conform` expects rules unless it is told that there are none, `open` opens a browser."""
    found = []

    def walk(path: str, one: Any) -> None:
        for name, inner in getattr(one, "commands", {}).items():
            walk(f"{path} {name}".strip(), inner)
        found.extend(
            (path, option.opts[0], option.default) for option in one.params if getattr(option, "is_flag", False)
        )

    walk("", command())
    assert len(found) > 60
    assert [row for row in found if row[2] not in (False, None)] == [
        ("open", "--browser", True), ("conform", "--rules", True)
    ]  # fmt: skip
