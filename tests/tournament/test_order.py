"""What comes out of order, twice, too few or too late in a tournament; and every field by which two of them differ."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import referee
from referee.bots.cgroup import enforced_by
from referee.crypto.codec import H, encode
from referee.crypto.keys import Key
from referee.errors import Altered, RefereeError
from referee.language import LANGUAGES, speaking
from referee.tournament import documents as d
from referee.tournament import store
from referee.tournament.counts import BARS, Counts, Seats, balanced
from referee.tournament.entrants import make_bot
from referee.tournament.outcome import Outcome
from referee.tournament.report import page
from referee.tournament.results import NEEDED, compare_results, report_name, write_results
from referee.tournament.run import next_number, refuse_unready
from referee.tournament.spec import GameLine, Spec, played
from referee.tournament.stage import Desk, follows_spec, load, own_entrant
from referee.tournament.summary import summarise
from tests.tournament import world

GAMES = (GameLine("auction", 2),)
SCHEDULE = d.Schedule("round-robin", games=2)
TWO = ("sensible", "random")


def nonce(what: str = "") -> bytes:
    return H("tournament-trial", "order", what)


def commit(desk: Desk) -> None:
    desk.commit("Trial", tuple(map(played, GAMES)), SCHEDULE, world.USUAL_LIMITS, nonce())


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("order") / "cup"
    world.make(folder, GAMES, SCHEDULE, bots=TWO)
    return folder


def refused(code: str, act: Callable[[], Any], folder: Path) -> None:
    """An act is refused by this code, and the folder stays as it was."""
    before = world.tree(folder)
    with pytest.raises(RefereeError) as found:
        act()
    assert found.value.code == code
    assert world.tree(folder) == before


def test_every_step_waits_for_the_one_before(tmp_path: Path) -> None:
    desk, folder = world.desk_in(tmp_path), tmp_path
    commit(desk)
    refused("not-over", lambda: commit(desk), folder)
    refused("too-few", desk.close, folder)
    world.enter(desk, TWO[:1])
    refused("too-few", desk.close, folder)
    world.enter(desk, TWO)
    lines = len(world.documents(folder))
    world.enter(desk, TWO)
    assert len(world.documents(folder)) == lines == 3, "those that are there already are entered once"
    refused("not-closed", desk.start, folder)
    refused("no-bot", lambda: desk.withdraw("random", 0, ""), folder)
    desk.close()
    refused("not-started", lambda: world.finish(desk), folder)
    desk.start(unconfined=True)
    refused("unconfined", lambda: refuse_unready(desk, False), folder)
    refuse_unready(desk, True)
    assert next_number(desk) == 0
    world.finish(desk)
    refuse_unready(desk, False)  # there is nothing left to play
    assert next_number(desk) == 2
    refused("no-bot", lambda: desk.withdraw("nobody", 2, ""), folder)
    desk.withdraw("random", 2, "it slept")
    refused("withdrawn", lambda: desk.withdraw("random", 2, "it slept"), folder)
    refused("other-key", lambda: Desk(str(folder), Key(nonce("another"))), folder)


def test_a_bot_is_known_by_the_key_that_entered_it(tmp_path: Path) -> None:
    desk = world.desk_in(tmp_path)
    commit(desk)
    keys = {name: Key(nonce(name)) for name in ("Anna", "Bert")}
    for name, key in keys.items():
        desk.add(d.make_entrant(key, desk.part.id, name, make_bot(["random"], program=False)))
    assert [own_entrant(desk.part, key)[1].name for key in keys.values()] == ["Anna", "Bert"]
    with pytest.raises(RefereeError) as found:
        own_entrant(desk.part, Key(nonce("Emil")))
    assert found.value.code == "other-key"


def test_the_organisers_bots_alone_are_too_few(tmp_path: Path) -> None:
    """One of two entrants has its own key, and does not disclose its nonce."""
    desk = world.desk_in(tmp_path)
    commit(desk)
    world.enter(desk, TWO[:1])
    key = Key(nonce("Anna"))
    made = d.make_entrant(key, desk.part.id, "Anna", make_bot(["random"], program=False))
    desk.close([msgspec.json.encode(made)])
    with pytest.raises(RefereeError) as found:
        desk.start(unconfined=True)
    assert found.value.code == "too-few"
    again = Desk(str(tmp_path), world.KEY)
    name, _ = own_entrant(again.part, key)
    opened = d.disclose(key, again.part.id, again.part.ids["closing"], name)
    again.start([msgspec.json.encode(opened)], unconfined=True)
    assert sorted(one.name for _, one in again.part.players) == ["Anna", "sensible"]


def test_a_stage_is_that_of_a_spec_in_every_field(tmp_path: Path) -> None:
    desk = world.desk_in(tmp_path)
    commit(desk)
    world.enter(desk, TWO)
    bots = {name: make_bot([name], program=False) for name in TWO}
    games = tuple(map(played, GAMES))
    spec = Spec(name="Trial", games=GAMES, schedule=SCHEDULE, limits=world.USUAL_LIMITS)
    assert follows_spec(desk.part, spec, games, bots)
    others: dict[str, Any] = {
        "name": "Other", "schedule": replace(SCHEDULE, games=4), "arbiter": "ab" * 32,
        "limits": replace(world.USUAL_LIMITS, memory=world.USUAL_LIMITS.memory + 1),
    }  # fmt: skip
    for field, value in others.items():
        assert not follows_spec(desk.part, replace(spec, **{field: value}), games, bots), field
    assert not follows_spec(desk.part, spec, games * 2, bots)
    assert not follows_spec(desk.part, spec, games, {**bots, "random": bots["sensible"]})
    assert not follows_spec(desk.part, spec, games, {"random": bots["random"]})
    more = {**bots, "third": bots["random"]}
    assert follows_spec(desk.part, spec, games, more), "it can still be entered"
    desk.close()
    assert not follows_spec(desk.part, spec, games, more)
    assert follows_spec(desk.part, spec, games, bots)


def test_a_bot_has_the_hash_that_tournament_md_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Section 2: a built-in one, a module in a package with a file beside it, and a program."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    root = Path(referee.__file__).parent
    paths = [root / name for name in ("forms.py", "game.py", "playout.py")]
    paths += [path for path in (root / "games").rglob("*.py") if path.is_file()]
    parts = sorted((path.relative_to(root).as_posix(), path.read_bytes().replace(b"\r\n", b"\n")) for path in paths)
    flat = [item for part in parts for item in part]
    assert make_bot(["random"], program=False).hash == H("tournament-module", "random", *flat).hex()
    (tmp_path / "outer" / "inner").mkdir(parents=True)
    files = {"outer/__init__.py": b"", "outer/inner/__init__.py": b"x = 1\n", "outer/inner/b.py": b"y = 2\n"}
    for name, data in {**files, "data.txt": b"figures\r\n", "outer/other.py": b"z = 3\n"}.items():
        (tmp_path / name).write_bytes(data)
    listed = [item for name in sorted(files) for item in (name, files[name])]
    wanted = H("tournament-module", "outer.inner:play", *listed, "data.txt", b"figures\r\n").hex()
    assert make_bot(["outer.inner:play"], program=False, more=["data.txt"]).hash == wanted
    found = make_bot(["python3", "data.txt", "-v"], program=True)
    assert (found.hash, found.files) == (
        H("tournament-program", 3, "python3", "data.txt", "-v", "data.txt", b"figures\r\n").hex(), ("data.txt",),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "foreign"), [(["random"], False), (["tests.tournament.bots:first"], True), (["true"], True)]
)
def test_the_start_records_what_enforces_limits_if_third_party_bots_play(
    tmp_path: Path, words: list[str], foreign: bool
) -> None:
    for unconfined in (False, True):
        desk = world.desk_in(tmp_path / str(unconfined))
        commit(desk)
        world.enter(desk, TWO[:1], other=make_bot(words, program=words == ["true"]))
        desk.close()
        desk.start(unconfined=unconfined)
        assert desk.part.start is not None
        assert desk.part.start.limits == (enforced_by() if foreign and not unconfined else "")
        assert desk.part.start.unconfined is unconfined
    assert enforced_by() in ("group", "watch")


# --- what is kept ----------------------------------------------------------------------------------------------------


def test_a_game_in_place_of_another_is_found(small: Path, tmp_path: Path) -> None:
    """The first game is gone, and the ending is not signed yet."""
    folder = Path(shutil.copytree(small, tmp_path / "cup"))
    games = world.games_of(small)
    ledger = folder / "ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))
    lines = [line for line in ledger.read_bytes().splitlines(keepends=True) if b'/pack"' not in line[-40:]]
    ledger.write_bytes(b"".join(lines))
    next(folder.glob("games/*")).unlink()
    (folder / "games/000000.open.jsonl").write_bytes(b"".join(encode(one) + b"\n" for one in games[1:]))
    with pytest.raises(Altered) as found:
        world.finish(Desk(str(folder), world.KEY))
    assert found.value.code == "bad-games"


def test_only_the_spool_of_the_open_pack_is_kept(small: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(small, tmp_path / "cup"))
    whole = world.tree(folder / "games")
    for name in ("000000.open.jsonl", "000002.open.jsonl", "notes.txt"):
        (folder / "games" / name).write_bytes(b"mine")
    (folder / "games/000001.open.jsonl").write_bytes(b"{}\n{}\nhalf")
    spool = store.Spool(str(folder), 1)
    assert spool.found == [b"{}", b"{}"]
    spool.close()
    assert world.tree(folder / "games") == {**whole, "notes.txt": b"mine", "000001.open.jsonl": b"{}\n{}\n"}


def test_a_pack_that_is_not_what_the_ledger_says_is_named(small: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(small, tmp_path / "cup"))
    path, (pack,) = folder / "games/000000.jsonl.gz", load(str(folder)).packs
    whole, lines = path.read_bytes(), [encode(one) for one in world.games_of(small)]
    assert store.pack_lines(str(folder), 0, pack) == lines
    for bad in (
        b"", whole[:-5], whole + b"rubbish", whole + whole, store.packed(lines[:1]), store.packed([*lines, b""]),
store.packed([lines[0][:-1], lines[1] + b" "]) + b"x",
    ):  # fmt: skip
        path.write_bytes(bad)
        with pytest.raises(Altered) as found:
            store.pack_lines(str(folder), 0, pack)
        assert found.value.code == "bad-games"
    path.unlink()
    path.mkdir()
    with pytest.raises(Altered, match="pack 0 is missing or damaged"):
        store.pack_lines(str(folder), 0, pack)


# --- results ---------------------------------------------------------------------------------------------------------


def test_every_file_of_the_results_is_compared(small: Path, tmp_path: Path) -> None:
    """The reports in other languages may be missing; whatever is there must be right."""
    folder = Path(shutil.copytree(small, tmp_path / "cup"))
    ledger = load(str(folder))
    names = {*NEEDED, *map(report_name, LANGUAGES)}
    assert names == {"results.json", "results.csv", "report.html", "report.de.html", "report.nl.html"}
    data = {name: (folder / name).read_bytes() for name in names}
    for change, wrong in ((b" ", names), (None, names), ("gone", set(NEEDED)), (b"", set[str]())):
        for name in names:
            (folder / name).unlink(missing_ok=True)
            if change != "gone":
                (folder / name).write_bytes(b"" if change is None else data[name] + change)
        told = compare_results(str(folder), ledger)
        assert {name for name in names if any(str(line).startswith(f"{name} ") for line in told)} == wrong
        assert len(told) == len(wrong)


def test_standings_are_those_of_the_results(small: Path) -> None:
    lines = write_results(str(small), load(str(small)))
    found = json.loads((small / "results.json").read_bytes())
    rows = found["total"]["ratings"]["rows"]
    (met,) = found["total"]["meetings"]
    points = {met["first"]: met["points"], met["second"]: met["of"] - met["points"]}
    assert [row["elo"] for row in rows] == sorted((row["elo"] for row in rows), reverse=True)
    for place, (line, row) in enumerate(zip(lines, rows, strict=True), 1):
        words = line.split()
        assert words[:2] == [f"{place}.", found["entrants"][row["entrant"]]]
        assert f"{points[row['entrant']]:g} of {met['of']} points in {row['games']} games" in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_anything_unusual_is_stated_at_the_top(language: str) -> None:
    """Each case says something of its own, and the usual one says nothing of it."""
    games = [Outcome(0, 0, "toy", (0, 1), (1, 2)), Outcome(1, 0, "toy", (1, 0), (1, 2))]
    cases: list[dict[str, Any]] = [
        {}, {"unconfined": True}, {"limits": ("group",)}, {"limits": ("watch",)}, {"withdrawn": ("<b>",)},
        {"limits": ("group", "watch")},
    ]  # fmt: skip
    with speaking(language):
        pages = [page(summarise(games, ["a", "b"], repetitions=10, **case)) for case in cases]
    tops = [text.partition("<p>")[2].partition("</p>")[0] for text in pages]
    assert len(set(tops)) == len(cases)
    assert all(top.startswith(tops[0].rstrip(".")) for top in tops)
    assert [top.count(";") - tops[0].count(";") for top in tops] == [0, 1, 1, 1, 1 + 2, 2], "`&lt;b&gt;` has two"
    assert "&lt;b&gt;" in tops[4]


@pytest.mark.parametrize(
    ("longest", "step", "bars"), [(BARS, 1, BARS), (BARS + 1, 2, 7), (2 * BARS, 2, BARS), (1, 1, 1)]
)
def test_lengths_have_a_limited_number_of_bars(longest: int, step: int, bars: int) -> None:
    counts = Counts()
    for rounds in range(1, longest + 1):
        counts.add(Outcome(rounds, rounds, "toy", (0, 1), (1, 2), rounds=rounds))
    found = counts.lengths()
    assert found is not None
    assert (found.fewest, found.most, found.step, len(found.bars)) == (1, longest, step, bars)
    assert sum(found.bars) == longest
    assert found.bars[0] == min(step, longest)


def test_only_existing_seats_are_counted(tmp_path: Path) -> None:
    """A game of two and one of three, a void one, and bots of which one never sat."""
    counts, seats = Counts(), Seats()
    two, three = (
        Outcome(0, 0, "toy", (0, 1), (1, 1)),
        Outcome(1, 0, "toy", (3, 1, 0), (2, 1, 3), faults=("", "crash", "")),
    )
    void = Outcome(2, 0, "toy", (0, 3), (), end="void", faults=("timeout", ""))
    for one in (two, three, void):
        counts.add(one)
    seats.add([two, three])
    assert (counts.games, counts.void) == (3, 1)
    assert counts.seatings(4) == ((2, 0, 1), (0, 2, 0), (0, 0, 0), (1, 1, 0))
    assert [(one.entrant, one.seats, one.faults) for one in counts.statuses(4)] == [
        (0, 3, {"timeout": 1}), (1, 2, {"crash": 1}), (3, 2, {}),
    ]  # fmt: skip
    assert [(one.first, one.second, one.points, one.of) for one in counts.meetings()] == [
        (0, 1, 0.5, 2), (0, 3, 0.0, 1), (1, 3, 1.0, 1),
    ]  # fmt: skip
    assert [one.wins for one in seats.all()] == [0.5, 1.5, 0]
    assert [one.share for one in seats.all()] == [0.5, 0.75, 0]
    assert [(one.low, one.high) for one in seats.all()] == [(0, 1), (0, 1), (0, 1)], "of one group nothing is known"
    assert balanced([(2, 2), (), (1, 1)])
    assert not balanced([(2, 2), (1, 2)])
