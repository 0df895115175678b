"""An edition of one's own: written, changed, checked."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import games
from referee.show.rules import reconstructed
from tests.cli.world import check_refusal, run_here


def ran(folder: Path, *words: str) -> Any:
    return run_here(*words, cwd=folder, home=folder / "home")


def written(folder: Path, game_id: str, **changes: Any) -> Path:
    """The program's own edition, saved by the command and then changed."""
    path = folder / "box.json"
    path.unlink(missing_ok=True)
    saved = ran(folder, "games", game_id, "--save-edition", "box.json")
    assert (saved.exit, path.read_bytes()) == (0, games.edition_bytes(game_id))
    if changes:
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return path


def checked(folder: Path) -> Any:
    found = ran(folder, "games", "--edition", "box.json", "--json")
    assert found.exit == 0, found.said
    return json.loads(found.out)


@pytest.mark.parametrize("game_id", ["mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"])
def test_the_edition_of_every_game_is_its_own(tmp_path: Path, game_id: str) -> None:
    written(tmp_path, game_id)
    found = checked(tmp_path)
    low, high = games.load(game_id).seats
    assert (found["game"], found["seats"], found["changes"]) == (game_id, list(range(low, high + 1)), {})
    assert "All its values are those of the program's own edition" in ran(
        tmp_path, "games", "--edition", "box.json"
    ).said + (ran(tmp_path, "games", "--edition", "box.json").out.decode())


def test_what_differs_is_shown_and_which_sentences_it_replaces(tmp_path: Path) -> None:
    usual = json.loads(games.edition_bytes("schwarzmarkt"))
    track = [1, 2, *usual["track"][2:]]
    offers = [{"sugar": 3}, *usual["offers"][1:-1]]
    events = [*(event for event in usual["events"] if event != "limit"), "razzia"]
    written(tmp_path, "schwarzmarkt", name="My box", track=track, offers=offers, events=events, find_cost=6)
    found = checked(tmp_path)
    places = {
        change["place"]: (change["own"], change["usual"]) for part in found["changes"].values() for change in part
    }
    assert places["track"] == (track, usual["track"])
    assert places["offers[0]"] == ({"sugar": 3}, usual["offers"][0])
    assert places["offers[20]"] == (None, usual["offers"][20])
    assert places["find_cost"] == (6, 5)
    assert [(one["own"], one["usual"]) for one in found["changes"]["events"]] == [("razzia", None), (None, "limit")]
    assert [one["clause"] for one in found["replaced"]] == ["SM-2", "SM-3"]
    assert found["replaced"][1]["sentences"] == ["The other values and the symbols are ours:"]
    assert found["stated"] == ["find_cost"]
    lines = ran(tmp_path, "games", "--edition", "box.json").out.decode()
    assert "  offers[20]: " in lines
    assert '  events: "razzia", added' in lines
    assert "  SM-3: The other values and the symbols are ours\n" in lines


def test_an_edition_for_some_numbers_of_players_says_for_which(tmp_path: Path) -> None:
    written(tmp_path, "schwarzmarkt", hand_goods=14)
    found = checked(tmp_path)
    assert found["seats"] == [3, 4]
    assert "too few goods cards" in found["refused"]["5"]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"limit": 26}, "limit must be a value of the track"),
        ({"limit": "25"}, "limit"),
        ({"limmit": 25}, "limmit"),
        ({"hand_goods": 20, "goods": {"sugar": 40}}, "too few goods cards"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path: Path, changes: dict[str, Any], fault: str) -> None:
    written(tmp_path, "schwarzmarkt", **changes)
    refused = ran(tmp_path, "games", "--edition", "box.json")
    check_refusal(refused, (2, 7))
    assert fault in refused.said


def test_what_is_not_an_edition_is_refused(tmp_path: Path) -> None:
    (tmp_path / "box.json").write_text('{"colour": 1}')
    refused = ran(tmp_path, "games", "--edition", "box.json")
    check_refusal(refused, (2, 7))
    assert "no game has an edition with such fields" in refused.said
    named = ran(tmp_path, "games", "mark", "--edition", "box.json")
    check_refusal(named, (2, 7))
    assert "colour" in named.said
    both = ran(tmp_path, "games", "mark", "--edition", "box.json", "--save-edition", "new.json")
    check_refusal(both, (2,))
    assert "exclude each other" in both.said
    check_refusal(ran(tmp_path, "games", "--save-edition", "new.json"), (2,))
    assert not (tmp_path / "new.json").exists()


@pytest.mark.parametrize("game_id", games.game_ids())
def test_rebuilt_values_are_fields_of_the_edition_and_have_a_clause(game_id: str) -> None:
    rebuilt = msgspec.json.decode(games.rebuilt_bytes(game_id), type=dict[str, str])
    assert rebuilt.keys() <= {field.name for field in msgspec.structs.fields(games.load(game_id).edition)}
    for name in rebuilt.values():
        assert f"**{name}** " in games.rules_text(game_id)


def test_only_sentences_that_are_not_stated_are_replaced() -> None:
    assert reconstructed("schwarzmarkt", "SM-9") == []
    assert reconstructed("schwarzmarkt", "SM-15") == ["It goes under the pile openly."]
    assert reconstructed("schwarzmarkt", "SM-1") == ["The expert game, option `expert` = true, uses them all:"]
