"""The bounds of what an organiser writes, and what each step of a tournament says."""

import json
from pathlib import Path

import msgspec
import pytest

from referee.errors import Malformed, RefereeError, Usage
from referee.games import load
from referee.tournament import documents as d
from referee.tournament import spec as specs
from referee.tournament.seating import load_terms
from tests.cli.world import Ran, check_refusal, run_here

# --- what an organiser writes -----------------------------------------------------------------------------------------

SPEC = """name = "Cup"
[[games]]
game = "auction"
seats = 2
[[bots]]
name = "sensible"
[[bots]]
name = "random"
"""


def read(tmp_path: Path, text: str) -> specs.Spec:
    (tmp_path / "cup.toml").write_text(text)
    return specs.read_spec(str(tmp_path / "cup.toml"))


def test_defaults_of_a_spec(tmp_path: Path) -> None:
    """TOURNAMENT.md and the README state these."""
    spec = read(tmp_path, SPEC)
    assert spec.limits == d.Limits(10_000, 2_000, 30_000, 1_024, 3, "random")
    plan = spec.schedule
    assert (plan.kind, plan.games, plan.deals, plan.rounds, plan.champion) == ("round-robin", 0, 1, 0, "")
    assert (plan.duplicate, plan.decide, plan.alpha, plan.beta, spec.arbiter) == (True, 0, 50, 50, "")
    assert [(line.name, line.run, line.files, line.deterministic) for line in spec.bots] == [
        ("sensible", "", [], None), ("random", "", [], None),
    ]  # fmt: skip
    bots = specs.all_bots(spec)
    assert [(bot.run, bot.program, bot.deterministic) for bot in bots.values()] == [
        (("sensible",), False, True), (("random",), False, True),
    ]  # fmt: skip
    (game,) = specs.all_played(spec)
    assert (game.name, game.game, game.seats) == ("auction", "auction", 2)


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        ("limits.start", 1, 86_400_000), ("limits.answer", 1, 86_400_000), ("limits.bank", 0, 86_400_000),
        ("limits.memory", 16, 1_000_000), ("limits.faults", 1, 1_000),
        ("schedule.games", 0, 10_000_000), ("schedule.deals", 1, 10_000), ("schedule.rounds", 0, 1000),
        ("schedule.decide", 0, 1000), ("schedule.alpha", 1, 500), ("schedule.beta", 1, 500),
    ],
)  # fmt: skip
def test_numbers_of_a_spec_have_bounds(tmp_path: Path, key: str, low: int, high: int) -> None:
    head, _, name = key.partition(".")
    for value in (low, high):
        assert getattr(getattr(read(tmp_path, f"{SPEC}[{head}]\n{name} = {value}\n"), head), name) == value
    for value in (low - 1, high + 1):
        with pytest.raises(RefereeError) as caught:
            read(tmp_path, f"{SPEC}[{head}]\n{name} = {value}\n")
        assert caught.value.code == "bad-spec"
        assert str(caught.value.next) == "correct the file; `referee manual tournaments` has an example"


@pytest.mark.parametrize(
    ("name", "good"), [("a" * 24, True), ("A.b_c-9", True), ("a" * 25, False), ("-a", False), ("a b", False)]
)
def test_names_of_bots_need_no_quoting(tmp_path: Path, name: str, good: bool) -> None:
    text = SPEC.replace('name = "random"', f'name = "{name}"\nrun = "random"')
    if good:
        assert read(tmp_path, text).bots[1].name == name
        return
    with pytest.raises(RefereeError):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("change", "why", "code"),
    [
        (("seats = 2", "seats = 2\n[[games]]\ngame = 'auction'\nseats = 3"), "two games are called auc", "two-names"),
        (('name = "random"', 'name = "Sensible"\nrun = "random"'), "two bots are called Sensible", "two-names"),
        (('name = "random"', 'name = "clever"'), "clever should be the bot 'clever', which auction", "no-bot"),
        (('"Cup"', '"Cup"\nschedule = {kind = "swiss", decide = 50, games = 9}'), "playing until it is", "usage"),
        (('"Cup"', '"Cup"\nschedule = {decide = 50}'), "playing until it is decided", "usage"),
        (("seats = 2", "seats = 2\noptions = {rounds = 'many'}"), "options of auction: ", "usage"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(tmp_path: Path, change: tuple[str, str], why: str, code: str) -> None:
    spec = read(tmp_path, SPEC.replace(*change))
    with pytest.raises(Usage) as caught:
        (specs.all_played(spec), specs.all_bots(spec))
    assert str(caught.value.message).startswith(why)
    assert caught.value.code == code


def test_a_schedule_says_how_many_games_it_has() -> None:
    for schedule, seats, games in (
        (d.Schedule("round-robin"), [2], 6), (d.Schedule("round-robin", games=7), [2], 8),
        (d.Schedule("round-robin"), [2, 3], 6 + 3), (d.Schedule("gauntlet", champion="a"), [2], 4),
        (d.Schedule("knockout"), [2], 2 * 2), (d.Schedule("swiss", rounds=3, deals=2), [2], 3 * 2 * 2),
    ):  # fmt: skip
        assert specs.count_games(schedule, seats, ["a", "b", "c"]) == games, schedule


# --- the steps of a tournament ----------------------------------------------------------------------------------------


def test_every_step_says_what_comes_next(tmp_path: Path) -> None:
    """From the commitment to the withdrawal, with a bot that somebody else enters."""
    (tmp_path / "cup.toml").write_text(SPEC)
    (tmp_path / "other.toml").write_text(SPEC.replace("Cup", "Other"))

    def step(*words: str) -> Ran:
        ran = run_here("tournament", *words, cwd=tmp_path)
        assert ran.exit == 0, ran.said
        return ran

    assert run_here("key", "new", "--name", "Anna", "-o", "anna.json", cwd=tmp_path).exit == 0
    made = step("next", "cup.toml", "-o", "cup", "--seed", "numbers")
    line = made.out.decode().strip()
    assert made.said == (
        "Next: send cup/ledger.jsonl and this line to everyone who wants to enter a bot; then "
        "`referee tournament next cup ENTRANT...`\n"
    )
    assert step("check", "cup", "--line").out.decode().strip() == line
    enter = ("enter", "cup", "--name", "annas", "--key", "anna.json", "--", "sensible")
    assert step(*enter).said == (
        "Next: send annas.entrant.json and the files of the bot to the organiser, and keep the commitment line.\n"
    )
    early = run_here("tournament", "enter", "cup", "--disclose", "--key", "anna.json", cwd=tmp_path)
    check_refusal(early, (4,))
    closed = step("next", "cup", "annas.entrant.json")
    assert closed.out.decode() == "3 bots: sensible, random, annas\n"
    assert closed.said == (
        "Next: send cup/ledger.jsonl to the entrants, who answer with `referee tournament enter LEDGER --disclose`; "
        "then "
        "`referee tournament next cup DISCLOSURE...`\n"
    )
    late = run_here("tournament", *enter[:3], "late", *enter[4:], cwd=tmp_path)
    check_refusal(late, (5,))
    assert "entries are closed" in late.said
    assert (
        step("enter", "cup", "--disclose", "--key", "anna.json").said
        == "Next: send annas.disclosure.json to the organiser.\n"
    )
    started = step("next", "cup", "annas.disclosure.json")
    assert started.said == "Next: `referee tournament run -o cup`\n"
    opened = run_here(
        "tournament", "enter", "cup", "--disclose", "--key", "anna.json", "-o", "again.json", cwd=tmp_path
    )
    check_refusal(opened, (5,))
    assert "the tournament has started" in opened.said
    assert not (tmp_path / "again.json").exists()
    assert "did not open the nonce" not in started.said
    commitment = step("check", "cup", "--line").out.decode().strip()
    assert started.out.decode().strip() == commitment
    dry = run_here("tournament", "run", "-o", "cup", "--dry-run", "--json", cwd=tmp_path)
    assert json.loads(dry.out) == {"games": 6, "bots": ["sensible", "random", "annas"]}
    assert dry.said == (
        "6 games at most, by 3 bots: sensible, random, annas. Nothing was written. "
        "Next: run it again without --dry-run.\n"
    )
    played = step("run", "-o", "cup")
    standings = played.out.decode().splitlines()
    line = step("check", "cup", "--line").out.decode().strip()
    assert played.said.splitlines() == [
        "Keep this line, and give it to everybody who plays:", line,
        "Next: look at cup/report.html; anybody can check it with `referee tournament check cup`.",
    ]  # fmt: skip
    again = json.loads(step("run", "-o", "cup", "--json").out)
    assert again == {"games": 6, "commitment": line, "standings": standings}
    assert [name for name in ("sensible", "random", "annas") if any(name in row for row in standings)] != []
    results = json.loads((tmp_path / "cup/results.json").read_bytes())
    assert results["total"]["games"] == 6
    extracted = step("extract", "cup", "1", "3", "-o", "out")
    files = ["out/game-000001.transcript.json", "out/game-000003.transcript.json"]
    assert extracted.out.decode().splitlines() == files
    assert extracted.said == f"Next: `referee verify {files[0]}`\n"
    pack = run_here("verify", "cup/games", cwd=tmp_path)
    check_refusal(pack, (2,))
    assert "check all of it with `referee tournament check cup/games`" in pack.said
    for words, status, why in (
        (("extract", "cup"), 2, "this needs numbers of games, or --pages"),
        (("extract", "cup", "--pages", "-o", "x"), 2, "pages go into the folder of the report"),
        (("extract", "cup", "1", "77"), 2, "1 of these games are not in that tournament"),
        (("extract", "cup", "3", "-o", "out"), 8, "already exists"),
        (("next", "cup", "--withdraw", "nobody"), 2, "no bot 'nobody' plays in this tournament"),
        (("run", "other.toml", "-o", "cup"), 2, "there is another tournament in that folder"),
        (("next", "none"), 2, "there is no tournament in that folder"),
        (("check", "out", "--line"), 8, "there is no tournament ledger"),
    ):  # fmt: skip
        ran = run_here("tournament", *words, cwd=tmp_path)
        check_refusal(ran, (status,))
        assert why in ran.said, words
    gone = step("next", "cup", "--withdraw", "annas", "--reason", "it was late")
    assert gone.said == "Next: `referee tournament run -o cup` continues without it.\n"
    assert '"reason":"it was late"' in (tmp_path / "cup/ledger.jsonl").read_text()
    results = json.loads((tmp_path / "cup/results.json").read_bytes())
    assert (results["withdrawn"], results["total"]["games"]) == (["annas"], 2)
    check_refusal(run_here("tournament", "next", "cup", "--withdraw", "annas", cwd=tmp_path), (5,))


def test_entrants_without_a_disclosure_do_not_play(tmp_path: Path) -> None:
    assert run_here("key", "new", "--name", "Anna", "-o", "anna.json", cwd=tmp_path).exit == 0
    (tmp_path / "cup.toml").write_text(SPEC)
    run = {"cwd": tmp_path}
    assert run_here("tournament", "next", "cup.toml", "-o", "own", **run).exit == 0
    words = ("tournament", "enter", "own", "--name", "annas", "--key", "anna.json", "--deterministic", "--", "sensible")
    assert run_here(*words, **run).exit == 0
    assert run_here("tournament", "next", "own", "annas.entrant.json", **run).exit == 0
    check_refusal(run_here("tournament", "next", "own", **run), (2,))
    ran = run_here("tournament", "next", "own", "--incomplete", **run)
    assert ran.said.splitlines() == [
        "annas did not disclose its nonce and does not play.", "Next: `referee tournament run -o own`",
    ]  # fmt: skip


def test_a_game_is_played_by_exactly_the_rules_that_were_named() -> None:
    game = specs.played(specs.GameLine("auction", 3))
    found, terms = load_terms(game)
    assert (found.title, terms.seats) == (load("auction").title, 3)
    for change in ({"rules": "other"}, {"code": "0" * 64}):
        with pytest.raises(Malformed) as caught:
            load_terms(msgspec.structs.replace(game, **change))
        assert caught.value.code == "other-rules"
        assert str(caught.value.message) == "auction uses different rules of auction from those of this program"
    for field in ("options", "edition"):
        with pytest.raises(Malformed, match=field):
            load_terms(msgspec.structs.replace(game, **{field: msgspec.Raw(b'{"no":1}')}))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"\xff", "cannot be read: it is not UTF-8"), (b"name = ", "cannot be read at end of document: "),
        (b"name = 'x'\nseats = 2", "cannot be read: Object contains unknown field"),
    ],
)  # fmt: skip
def test_an_invalid_spec_is_refused_with_the_reason(tmp_path: Path, text: bytes, why: str) -> None:
    (tmp_path / "cup.toml").write_bytes(text)
    with pytest.raises(RefereeError) as caught:
        specs.read_spec(str(tmp_path / "cup.toml"))
    assert why in str(caught.value.message)
    assert caught.value.code == "bad-spec"
