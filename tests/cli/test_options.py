"""What each option of a command does, and what the command then says: the whole of it, line by line."""

import json
import os
import shutil
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee.engine.rounds import asked
from tests.cli.world import Ran, World, changes, check_refusal, finish, keep_guard, run_here, tree

TITLE = "Schwarzer Freitag"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Three rounds are played: one player is asked for a turn, the other waits."""
    return World(tmp_path_factory.mktemp("options") / "world")


@pytest.fixture
def world(made: World, tmp_path: Path) -> World:
    """A copy to change; the game in memory is the one that all share, and stays as it is."""
    copy = World.__new__(World)
    copy.__dict__ = {**made.__dict__, "root": tmp_path / "world"}
    shutil.copytree(made.root, copy.root)
    return copy


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A game that was played to its end, with its transcript."""
    from referee.engine.host import make_view
    from referee.io.gamefile import dump_match

    world = World(tmp_path_factory.mktemp("over") / "world")
    (world.root / "transcript.json").write_bytes(finish(world))
    (world.root / "game.json").write_bytes(dump_match(world.match))
    (world.root / "anna.view.json").write_bytes(make_view(world.match, 0))
    return world


def host(world: World, *words: str, **how: Any) -> Ran:
    return run_here(*words, cwd=world.root, home=world.host_home, **how)


def player(world: World, *words: str, **how: Any) -> Ran:
    return run_here(*words, cwd=world.root, home=world.mover_home, **how)


def said(ran: Ran, status: int = 0) -> list[str]:
    assert ran.exit == status, ran.said
    return ran.said.splitlines()


def shown(ran: Ran, status: int = 0) -> list[str]:
    assert ran.exit == status, ran.said
    return ran.out.decode().splitlines()


def data(ran: Ran, status: int = 0) -> Any:
    assert ran.exit == status, ran.said
    return json.loads(ran.out)


def written(world: World, before: dict[str, object]) -> set[str]:
    """What a command wrote, but for the guard."""
    return {name for name in changes(before, tree(world.root)) if not name.startswith("hanna-home/guard")}


# --- status -----------------------------------------------------------------------------------------------------------


def test_status_of_an_open_round(world: World) -> None:
    name, game = world.names[world.mover], world.match.table.id
    ran = host(world, "show", "game.json")
    *lines, when = shown(ran)
    assert lines == [
        f"{TITLE}, game {game[:8]}, 3 rounds played, round 4 is open",
        "  players in seat order: Anna and Bert",
        "  deadline 2000-01-04 00:00 UTC",
        f"  waiting for {name}: turn",
    ]
    assert when.startswith("  file written ")
    assert ran.said.splitlines()[1:] == [f"Next: waiting for {name} (turn)."]
    found = data(host(world, "show", "game.json", "--json"))
    since = datetime.fromisoformat(found.pop("since"))
    assert since.timestamp() == int(os.stat(world.root / "game.json").st_mtime)
    assert found == {
        "kind": "game", "game": game, "title": TITLE, "players": ["Anna", "Bert"], "round": 3, "open_round": 4,
        "due": "2000-01-04T00:00Z", "grace": 0, "abandoned": False, "kept": [],
        "waiting_for": [{"name": name, "seat": world.mover + 1, "what": "turn", "late": False,
                         "due": "2000-01-04T00:00Z", "bank": 0}],
        "answered": [], "out": [], "vacant": [], "arriving": [], "end": "", "rests": False, "ranks": [], "scores": [],
        "out_at_the_end": [],
    }  # fmt: skip


def test_status_of_a_game_that_is_over(over: World) -> None:
    state = over.match.state
    assert state.result is not None
    found = data(host(over, "show", "game.json", "--json"))
    assert (found["end"], found["open_round"], found["round"]) == ("result", 0, state.round)
    assert found["ranks"] == list(state.result.ranks)
    assert found["scores"] == [list(score) for score in state.result.scores]
    ran = host(over, "show", "game.json")
    told = zip(found["ranks"], over.names, found["scores"], strict=True)
    words = "gold {}, silver {}, money {}".format
    rows = [f"  {rank}. {name} ({words(*score)})" for rank, name, score in sorted(told)]
    assert shown(ran)[:-1] == [
        f"{TITLE}, game {over.match.table.id[:8]}, {state.round} rounds played",
        "  players in seat order: Anna and Bert",
        "  over: played to its end",
        *rows,
    ]
    assert said(ran)[1:] == [
        "Next: the game is over; run `referee reveal game.json` and send everybody the transcript."
    ]


# --- apply ------------------------------------------------------------------------------------------------------------


def test_apply_says_what_was_taken_and_what_to_send_to_whom(world: World) -> None:
    name, before = world.names[world.mover], tree(world.root)
    ran = host(world, "apply", "game.json", "move.json", "--out", "sent")
    files = {seat: f"sent/{world.view_name(who.lower(), 4)}" for seat, who in enumerate(world.names)}
    made = written(world, before) - {"sent", "game.json"}
    (receipt,) = made - set(files.values())
    assert receipt.endswith(".receipt.json")
    tail = {world.mover: f", receipt {receipt}"}
    first, *lines, last = said(ran)
    assert first == f"move.json: {name}'s move is accepted"
    assert lines == [
        "Send:",
        *(f"  to {who}: {files[seat]}{tail.get(seat, '')}" for seat, who in enumerate(world.names)),
    ]
    assert last.startswith("Next: send these files; waiting for ")
    again = host(world, "apply", "game.json", "move.json", "--out", "sent")
    assert said(again)[0] == f"move.json: {name}'s move was accepted before: nothing to do"
    assert said(again)[-1].startswith("Next: waiting for "), "no round was closed"


def test_apply_for_programs(world: World) -> None:
    name, seat = world.names[world.mover], world.mover + 1
    dry = data(host(world, "apply", "game.json", "move.json", "--json", "--dry-run"))
    row = {"move": "move.json", "code": "taken", "name": name, "next": "", "seat": seat}
    assert dry["moves"] == [row | {"message": f"{name}'s move is good"}]
    assert (dry["written"], dry["send"], dry["closed"], dry["round"]) == ([], [], 1, 4)
    before = tree(world.root)
    found = data(host(world, "apply", "game.json", "move.json", "--json", "--aid"))
    assert found["moves"] == [row | {"message": f"{name}'s move is accepted"}]
    assert found["closed"] == 1
    assert found["round"] == 4
    assert set(found["written"]) == written(world, before) - {"game.json"}
    assert [(one["seat"], one["name"]) for one in found["send"]] == [(1, "Anna"), (2, "Bert")]
    sent = [path for one in found["send"] for path in one["files"]]
    assert set(sent) == set(found["written"])
    for one in found["send"]:
        view = world.view_name(one["name"].lower(), 4)
        assert one["files"][:2] == [view, view.replace(".view.json", ".aid.json")]


def test_a_dry_run_of_apply_says_so(world: World) -> None:
    before = tree(world.root)
    lines = said(host(world, "apply", "game.json", "move.json", "--dry-run"))
    name = world.names[world.mover]
    assert lines == [
        f"move.json: {name}'s move is good", "Next: run it again without --dry-run; nothing was written.",
    ]  # fmt: skip
    assert written(world, before) == set()


def test_a_refused_move_is_its_players_to_make_again(world: World) -> None:
    """The row for programs has the next step, the advice for people stands last, and the round stays open."""
    (world.root / "bad.json").write_bytes(world.answers(pick=1)[0])
    assert host(world, "apply", "game.json", "bad.json").exit == 0
    ran = host(world, "apply", "game.json", "move.json", "--json")
    (row,) = data(ran, 5)["moves"]
    assert row["seat"] == world.mover + 1
    assert row["message"].startswith("refused: ")
    first, send, receipt, last = said(ran, 5)
    assert (first, send, last) == (f"move.json: {row['message']}", "Send:", f"Next: {row['next']}")
    assert receipt.startswith(f"  to {row['name']}: receipt ")


# --- view, reveal, timeout --------------------------------------------------------------------------------------------


def test_a_view_again_with_its_aid(world: World) -> None:
    name = world.view_name("bert", 3)
    before = tree(world.root)
    ran = host(world, "show", "game.json", "--view", "2", "--aid", "--dry-run")
    assert said(ran) == ["Everything is in order; nothing was written.", "Next: run it again without --dry-run."]
    assert written(world, before) == set()
    aid = name.replace(".view.json", ".aid.json")
    ran = host(world, "show", "game.json", "--view", "bert", "--aid")
    assert said(ran) == [f"Next: send {name} and {aid} to Bert only."]
    assert written(world, before) == {name, aid}
    assert (world.root / name).read_bytes() == (world.root / "bert.view.json").read_bytes()
    for path in (name, aid):
        assert (world.root / path).stat().st_mode & 0o77 == 0, "it is for one pair of eyes"
    ran = host(world, "show", "game.json", "--view", "bert", "--aid", "-o", "-")
    check_refusal(ran, (2,))
    assert "two files cannot both be printed" in ran.said
    ran = host(world, "show", "game.json", "--view", "bert", "-o", "game.json")
    check_refusal(ran, (2,))
    assert "overwrite a file that is read here" in ran.said
    check_refusal(host(world, "show", "game.json", "--view", "bert", "-o", "hanna-home/key.json"), (2,))


def test_a_missed_deadline(world: World) -> None:
    name, seat = world.names[world.mover], str(world.mover + 1)
    words = ["apply", "game.json", "--timeout", seat]
    before = tree(world.root)
    for round, status, told in (("5", 5, "not open yet"), ("4", 0, "The missed deadline can be recorded.")):
        ran = host(world, *words, "--round", round, "--dry-run")
        assert ran.exit == status
        assert told in ran.said
    assert written(world, before) == set()
    found = data(host(world, *words, "--out", "sent", "--json"))
    assert (found["closed"], found["round"], found["open_round"]) == (1, 4, 5)
    assert [one["name"] for one in found["waiting_for"] if one["late"]] == [], "it is another round"
    assert [one["files"] for one in found["send"]] == [[f"sent/{world.view_name(who, 4)}"] for who in ("anna", "bert")]
    assert set(found["written"]) == written(world, before) - {"sent", "game.json"}
    ran = host(world, *words, "--round", "4")
    assert said(ran)[0] == "Round 4 is already closed: nothing to do."
    state = tree(world.root)
    second = host(world, *words, "--round", "5", "--now", "2100-01-01T00:00Z")
    check_refusal(second, (2,))
    told = f"this is the second deadline in a row that {name} misses: the player will be dropped"
    assert told in second.said
    assert "wait for the answer, or add --drop" in second.said
    assert data(host(world, *words, "--json", "--now", "2100-01-01T00:00Z"), 2)["code"] == "puts-out"
    assert changes(state, tree(world.root)) == set()
    ran = host(world, *words, "--round", "5", "--drop", "--now", "2100-01-01T00:00Z")
    assert said(ran)[0] == "The missed deadline is recorded."
    ran = host(world, "show", "game.json")
    assert f"  waiting for {name}: turn, deadline missed" in shown(ran)


def test_older_views_in_another_folder_are_mentioned(world: World) -> None:
    """Whoever leaves --out out once has views in two places."""
    move = (world.root / "move.json").read_bytes()
    assert said(host(world, "show", "game.json", "--view", "1", "-o", f"game/{world.view_name('anna', 3)}"), 8)
    (world.root / "views").mkdir()
    shutil.copy(world.root / "anna.view.json", world.root / "views" / world.view_name("anna", 3))
    lines = said(host(world, "apply", "game.json", "move.json"))
    told = [line for line in lines if "older views" in line]
    assert told == [
        "These are beside the game file, but older views of this game are in views: --out views was left out."
    ]
    assert (world.root / "move.json").read_bytes() == move


def test_the_transcript_and_how_to_check_it(over: World, tmp_path: Path) -> None:
    shutil.copytree(over.root, tmp_path / "over")
    keep_guard(over.match, tmp_path / "over" / "game.json", tmp_path / "over" / "hanna-home")
    name = f"{over.match.table.id[:8]}.transcript.json"
    how = {"cwd": tmp_path / "over", "home": tmp_path / "over" / "hanna-home"}
    dry = run_here("reveal", "game.json", "--dry-run", **how)
    assert said(dry) == ["Everything is in order; nothing was written.", "Next: run it again without --dry-run."]
    assert not (tmp_path / "over" / name).exists()
    check_refusal(run_here("reveal", "game.json", "-o", "game.json", **how), (2,))
    ran = run_here("reveal", "game.json", **how)
    assert said(ran) == [f"Next: send {name} to everybody; `referee verify {name}` checks it."]
    printed = run_here("reveal", "game.json", "-o", "-", **how)
    assert printed.out == (tmp_path / "over" / name).read_bytes() + b"\n"
    assert said(printed) == ["Next: send it to everybody; `referee verify FILE` checks it."]
    verified = run_here("verify", name, "anna.view.json", **how)
    assert said(verified) == ["Next: nothing; this is proof."]
    assert shown(verified)[-1] == "2 good, 0 bad"


# --- looking at a view ------------------------------------------------------------------------------------------------


def test_show_says_what_to_do_next(world: World, over: World) -> None:
    asks, waits = world.mover_view, f"{world.names[1 - world.mover].lower()}.view.json"
    assert said(player(world, "show", asks))[-1] == (
        f"Next: answer with `referee play {asks}`; `referee show --moves {asks}` lists what is legal."
    )
    home = world.root / f"{world.names[1 - world.mover].lower()}-home"
    assert said(run_here("show", waits, cwd=world.root, home=home))[-1] == "Next: wait for the next view."
    last = run_here("show", "anna.view.json", cwd=over.root, home=over.root / "anna-home")
    assert said(last)[-1] == "Next: ask the host for the transcript."
    for status, *words in ((5, "play"), (0, "show", "--moves")):
        ran = run_here(*words, "anna.view.json", cwd=over.root, home=over.root / "anna-home")
        assert said(ran, status)[-1].removesuffix(".") == "Next: ask the host for the transcript", words


def test_a_view_of_somebody_else_is_reported_with_both_keys(world: World) -> None:
    other = f"{world.names[1 - world.mover].lower()}.view.json"
    mine, theirs = (world.keys[seat].public.hex()[:8] for seat in (world.mover, 1 - world.mover))
    told = f"This is {world.names[1 - world.mover]}'s view, for the key {theirs}; your key {mine} is"
    assert said(player(world, "show", other))[0] == f"{told} {world.names[world.mover]}'s."
    lines = said(host(world, "show", other))
    assert (
        lines[0] == told.replace(mine, world.host.public.hex()[:8]).removesuffix(" is") + " does not play in this game."
    )


def test_moves_in_short_and_all(world: World) -> None:
    listed = data(player(world, "show", "--moves", world.mover_view, "--json"))
    assert listed["asked"] == "turn"
    wide = {"env": {"COLUMNS": "1000"}}
    ran = player(world, "show", "--moves", world.mover_view, **wide)
    every = player(world, "show", "--moves", world.mover_view, "--all", **wide)
    minor = sum(one.get("minor", False) for one in listed["choices"])
    rows = len(listed["choices"])
    assert len(shown(every)) == 2 * rows
    assert len(shown(ran)) == 2 * (rows - minor)
    more = [line for line in said(ran) if line.startswith("There are ")]
    assert more == [f"There are {minor} more: `referee show --moves --all {world.mover_view}`."] * bool(minor)
    assert not [line for line in said(every) if line.startswith("There are ")]
    answer = f"`referee play {world.mover_view} --move TEXT`"
    assert said(ran)[-1] == f"Next: answer with {answer}; TEXT can be a line of this list: '#1', in quotes."


def test_moves_for_somebody_who_is_not_asked(world: World) -> None:
    seat = 1 - world.mover
    home = world.root / f"{world.names[seat].lower()}-home"
    ran = run_here("show", "--moves", f"{world.names[seat].lower()}.view.json", cwd=world.root, home=home)
    assert said(ran) == ["You are not asked for a move.", "Next: wait for the next view."]
    assert ran.out == b""


def test_audit_counts_and_compares(world: World) -> None:
    view, game = world.mover_view, world.match.table.id
    first = player(world, "audit", view)
    line, *rest = shown(first)
    assert line == f"{world.names[world.mover]}'s view of game {game[:8]}, round 3: all checks passed"
    assert not [one for one in rest if "compared with" in one]
    assert [one for one in rest if one.startswith("  not provable yet: ")]
    assert said(first)[-1] == "Next: play on; the rest is proved when the host reveals the transcript."
    again = player(world, "audit", view, "receipt.json", view)
    told = "  compared with what you have seen of this game before, 1 receipt and 1 view: no contradiction"
    assert [one for one in shown(again) if "compared with" in one] == [told]
    found = data(player(world, "audit", view, "receipt.json", "--json"))
    assert (found["code"], found["age"], found["compared"], found["aside"]) == ("ok", "same", {"receipt": 1}, [])
    counts = next(one for one in rest if " signatures, " in one)
    assert counts == (
        f"  {found['signatures']} signatures, {found['draws']} draws by the seed; every round replayed by the rules"
    )
    # Genesis, offer and joins; each entry with the answers in it; and the private part that brought this seat's hand.
    assert found["signatures"] == 2 + len(world.joins) + 3 + len(world.played) + 1
    assert (found["game"], found["rounds"], found["name"]) == (game, 3, world.names[world.mover])


# --- games and rules --------------------------------------------------------------------------------------------------


def test_one_game_explained(tmp_path: Path) -> None:
    found = data(run_here("games", "schwarzer-freitag", "--json", cwd=tmp_path))
    ran = run_here("games", "schwarzer-freitag", cwd=tmp_path)
    low, high = found["seats"]
    lines = shown(ran)
    assert lines[0] == f"{TITLE}, {low} to {high} players, rules {found['rules']}"
    options = [line for line in lines if line.startswith("  --option ")]
    wanted = []
    for option in found["options"]:
        usual = json.dumps(option["default"]).strip('"')
        wanted += [
            f"  --option {option['name']}={value}{'  (default)' * (value == usual)}" for value in option["values"]
        ]
    assert sorted(options) == sorted(wanted)
    apart = [line for before, line in pairwise(lines) if not before and line in options]
    assert len(apart) == len(found["options"]), "a blank line before each option"
    assert len([line for line in options if line.endswith("(default)")]) == len(found["options"])
    assert said(ran) == [
        "Next: `referee offer schwarzer-freitag --seats N` offers a game, "
        "`referee rules schwarzer-freitag` prints the rules."
    ]
    every = run_here("games", cwd=tmp_path)
    assert f"{'schwarzer-freitag':20} {lines[0]}" in shown(every)
    rows = data(run_here("games", "--json", cwd=tmp_path))
    assert [row for row in rows if row["id"] == "schwarzer-freitag"] == [found]


# --- files that take no other's place ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["key", "new", "--name", "Anna", "-o", "key.json"],
        ["offer", "schwarzer-freitag", "--seats", "2", "-o", "offer.json"],
        ["join", "offer.json", "-o", "bert.join.json", "--yes"],
        ["start", "offer.json", "anna.join.json", "bert.join.json", "-o", "game.json"],
    ],
    ids=lambda words: words[0],
)
def test_what_exists_is_not_replaced(world: World, words: list[str]) -> None:
    before = tree(world.root)
    home = world.root / ("elsewhere-home" if words[0] != "join" else "bert-home")
    ran = run_here(*words, cwd=world.root, home=home)
    check_refusal(ran, (8,))
    assert "already exists" in ran.said
    assert "choose another name with -o" in ran.said
    assert changes(before, tree(world.root)) == set()


def test_a_turn_for_programs(world: World) -> None:
    """What was signed, in a file of its own name, said as data."""
    listed = data(player(world, "show", "--moves", world.mover_view, "--json"))["choices"]
    move = next(one for one in listed if not one.get("parts"))
    words = ["play", world.mover_view, "--move-json", json.dumps(move["move"]), "--json"]
    dry = data(player(world, *words, "--dry-run"))
    name = world.view_name(world.names[world.mover].lower(), 4).replace(".view.", ".move.")
    found = data(player(world, *words))
    assert found == {
        "round": 4, "text": move["text"], "move": move["move"], "standing": None, "protest": "", "handover": "",
        "ahead": None, "written": name, "reply": "",
    }  # fmt: skip
    assert dry == {**found, "written": ""}
    assert (world.root / name).exists()
    ran = player(world, *words[:-1], "--again")
    assert said(ran)[0] == f"Your answer: {move['text']}"
    assert said(ran)[-1].startswith(f"Next: send {name} to the host")
    ran = player(world, *words[:-1], "-o", "-", "--json")
    assert json.loads(ran.out)["sig"], "what is printed is the move alone"
    assert asked(world.match.state).keys() == {world.mover}
