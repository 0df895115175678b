"""The report, row by row as somebody reads it; the bounds of what an organiser writes; and what each step says."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.errors import RefereeError, Usage
from referee.tournament import documents as d
from referee.tournament import spec as specs
from referee.tournament.behaviour import Failure
from referee.tournament.outcome import Outcome
from referee.tournament.plots import Scale, axis, histogram, interval, scale_of
from referee.tournament.report import page, page_name, signed
from referee.tournament.sprt import Bounds
from referee.tournament.summary import Results, Ruling, Section, summarise
from tests.cli.world import Ran, check_refusal, run_here
from tests.tournament import world

NAMES = ("Anna", "Bert", "Carla")
GAMES = [
    Outcome(0, 0, "toy", (0, 1, 2), (1, 2, 3), rounds=10),
    Outcome(1, 0, "toy", (1, 2, 0), (1, 1, 3), rounds=12, faults=("", "", "crash")),
    Outcome(2, 0, "toy", (2, 0, 1), (2, 1, 3), rounds=50, faults=("", "", "timeout")),
    Outcome(3, 1, "duel", (0, 1), (2, 1), rounds=4, faults=("crash", "")),
    Outcome(4, 1, "duel", (1, 0), (), rounds=5, end="void", faults=("", "")),
    Outcome(5, 2, "toy", (0, 1, 2), (3, 2, 1), rounds=11, end="left"),
    Outcome(6, 2, "toy", (1, 2, 0), (2, 1, 3), rounds=11),
    Outcome(7, 2, "toy", (2, 0, 1), (1, 2, 2), rounds=12, end="ruling"),
]
RULINGS = (Ruling(7, (1, 2, 2), "a <tie>"), Ruling(0, (), "as it was"))


@pytest.fixture(scope="module")
def found() -> Results:
    return summarise(GAMES, NAMES, name="Cup", withdrawn=("Dora",), rulings=RULINGS, repetitions=40, level=0.9, seed=3)


@pytest.fixture(scope="module")
def text(found: Results) -> str:
    failure = Failure("auction", 1234, 3, "crash", "it ended", ["last", "words"])
    return page(found, GAMES[:6], lambda number: f"pages/{number}.html", {0: failure})


def rows(part: str) -> list[list[str]]:
    """The cells of each row of a table, as text."""
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", part, re.DOTALL)
    return [[seen(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)] for row in found]


def seen(part: str) -> str:
    plain = re.sub(r"<svg.*?</svg>", "", part, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", "", plain)).strip()


def part(text: str, begin: str, end: str) -> str:
    return text.partition(begin)[2].partition(end)[0]


def section(text: str, key: str) -> str:
    return part(text, f'<h2 id="{key}">', "<h2")


# --- the report -------------------------------------------------------------------------------------------------------


def test_the_top_says_how_much_was_played(text: str) -> None:
    top = part(text, "<h1>Cup</h1>", "<nav>")
    assert seen(top) == (
        "8 games in 3 groups of the same chance; 3 bots, 2 kinds of game; 1 game void; "
        "the places of 1 game are the arbiter's; withdrawn, and not counted: Dora."
    )
    links = re.findall(r'<a href="#([^"]+)">([^<]+)</a>', part(text, "<nav>", "</nav>"))
    assert links == [
        ("all", "All games"), ("game-0", "duel"), ("game-1", "toy"), ("method", "How to read it"),
    ]  # fmt: skip
    for key, name in links:
        assert f'<h2 id="{key}">{name}</h2>' in text
    assert "<title>Cup</title>" in text
    assert '<html lang="en">' in text
    assert "<title>Tournament</title>" in page(summarise([], NAMES))


def test_standings_have_place_rating_interval_and_points(text: str, found: Results) -> None:
    for key, each in (("all", found.total), ("game-1", found.games["toy"])):
        table = rows(part(section(text, key), '<table class="rows">', "</table>"))
        assert table[0] == ["", "bot", "rating", "90% interval", "points", ""]
        assert len(table) == 1 + len(each.ratings.rows) + 1
        for place, (row, line) in enumerate(zip(each.ratings.rows, table[1:-1], strict=True), 1):
            won = sum(
                met.points if met.first == row.entrant else met.of - met.points
                for met in each.meetings
                if row.entrant in (met.first, met.second)
            )
            of = sum(met.of for met in each.meetings if row.entrant in (met.first, met.second))
            assert line == [
                str(place), NAMES[row.entrant], signed(row.elo), f"{signed(row.low)} … {signed(row.high)}",
                f"{won / of:.1%} of {of}", "",
            ]  # fmt: skip
        ratings = [row.elo for row in each.ratings.rows]
        assert ratings == sorted(ratings, reverse=True)


def test_ratings_are_written_with_a_real_minus() -> None:
    assert [signed(value) for value in (-12.4, 12.6, 0.4, -0.4, 0)] == ["−12", "+13", "0", "0", "0"]


def test_crosstables_name_who_took_what(text: str, found: Results) -> None:
    toy = found.games["toy"]
    order = [row.entrant for row in toy.ratings.rows]
    tables = section(text, "game-1").split('<table class="heat">')[1:]
    assert len(tables) == 2
    shares, likely = (rows(one.partition("</table>")[0]) for one in tables)
    met = {(one.first, one.second): (one.points, one.of) for one in toy.meetings}
    met |= {(two, one): (of - points, of) for (one, two), (points, of) in met.items()}
    assert shares[0] == likely[0] == ["", "1", "2", "3"]
    titles = re.findall(r'title="([^"]*)"', tables[0])
    said = []
    for place, one in enumerate(order, 1):
        line = [f"{place} {NAMES[one]}"]
        for two in order:
            if one == two:
                line.append("")
                continue
            won, of = met[one, two]
            line.append(f"{won / of:.0%}of {of}")
            said.append(f"{NAMES[one]} took {won:g} of {of} points from {NAMES[two]}")
        assert shares[place] == line
    assert titles == said
    for one, line in enumerate(likely[1:]):
        for two, cell in enumerate(line[1:]):
            value = toy.ratings.superiority[one][two]
            shown = ">99.9" if value > 0.999 else "<0.1" if value < 0.001 else f"{100 * value:.1f}"
            assert cell == ("" if one == two else shown)
    colours = re.findall(r'<td class="h(\d+)" title', tables[0])
    pairs = [met[one, two] for one in order for two in order if one != two]
    assert colours == [str(round(10 * won / of)) for won, of in pairs]
    duel = section(text, "game-0")
    assert "Carla" not in "".join(cell for row in rows(duel.partition("</table>")[0]) for cell in row), "who never sat"


def test_pairs_that_never_met_have_a_dash() -> None:
    apart = [Outcome(0, 0, "toy", (0, 1), (1, 2)), Outcome(1, 1, "toy", (2, 3), (1, 2))]
    made = page(summarise(apart, (*NAMES, "Dora"), repetitions=2))
    shares = rows(part(section(made, "all"), '<table class="heat">', "</table>"))
    assert sum(row[1:].count("-") for row in shares[1:]) == 8


def test_sequential_tests_of_every_pair(text: str, found: Results) -> None:
    details = part(section(text, "all"), "<details>", "</details>")
    assert f"Sequential tests: 0 of {len(found.total.verdicts)} pairs decided" in details
    table = rows(details)
    assert table[0] == ["pair", "verdict", "groups", "points of the first"]
    assert table[1:] == [
        [f"{NAMES[one.first]} – {NAMES[one.second]}", "not decided yet", str(one.groups), f"{one.share:.1%}"]
        for one in found.total.verdicts
    ]
    seats = [(0, 1) if at % 2 else (1, 0) for at in range(400)]
    decided = [Outcome(at, at // 2, "toy", who, (1, 2) if at % 2 else (2, 1)) for at, who in enumerate(seats[:80])]
    equal = [Outcome(at, at // 2, "toy", who, (1, 1)) for at, who in enumerate(seats)]
    for games, word in ((decided, "Anna is stronger"), (equal, "neither is stronger by 200 points")):
        made = page(summarise(games, NAMES[:2], bounds=Bounds(elo=200), repetitions=2))
        (row,) = rows(part(section(made, "all"), "<details>", "</details>"))[1:]
        assert row[:2] == ["Anna – Bert", word]
        assert "Sequential tests: 1 of 1 pair decided" in made


def test_seats_lengths_and_ends_of_a_game(text: str, found: Results) -> None:
    toy = section(text, "game-1")
    assert "6 games in 2 groups; ended: 1 by left, 4 by result, 1 by ruling." in seen(toy)
    assert "1 by void" in seen(section(text, "game-0"))
    assert "ended" not in seen(section(text, "all")), "of all games together it says nothing"
    seats = rows(part(toy, "<h3>Opponents beaten from each seat</h3>", "</table>"))
    each = found.games["toy"].seats
    assert seats[:-1] == [
        ["", f"seat {at}", f"{seat.share:.1%}", f"{seat.wins:g} won", ""] for at, seat in enumerate(each, 1)
    ]
    assert seats[-1][-1] == "0%25%50%75%100%"
    said = re.findall(r"<title>(seat \d: [^<]*)</title>", toy)
    assert said == [
        f"seat {at}: {seat.share:.1%} of opponents beaten, from {seat.low:.1%} to {seat.high:.1%}"
        for at, seat in enumerate(each, 1)
    ]
    lengths = part(toy, "<h3>Rounds</h3>", "</div>")
    assert re.findall(r"<span>([^<]*)</span>", lengths) == ["10", "median 11.5, half of them 11 to 12", "50"]
    bars = re.findall(r"<rect [^>]*><title>([^<]*)</title>", lengths)
    assert bars[0] == "10 to 13 rounds: 5 games"
    assert bars[-1] == "50 to 53 rounds: 1 game"
    assert "<title>games by rounds: half of them take 11 to 12</title>" in lengths
    duel = re.findall(r"<rect [^>]*><title>([^<]*)</title>", section(text, "game-0"))
    assert duel == ["4 rounds: 1 game", "5 rounds: 1 game"]


def test_who_sat_where(text: str) -> None:
    table = rows(part(section(text, "game-1"), "<summary>Every bot had every seat equally often</summary>", "</table>"))
    assert table == [["bot", "seat 1", "seat 2", "seat 3"], *([name, "2", "2", "2"] for name in NAMES)]
    uneven = page(summarise(GAMES[:2], NAMES, repetitions=2))
    assert '<span class="warn">Seats are not balanced</span>' in uneven
    assert rows(part(section(uneven, "game-0"), "not balanced", "</table>"))[1:] == [
        ["Anna", "1", "0", "1"], ["Bert", "1", "1", "0"], ["Carla", "0", "1", "1"],
    ]  # fmt: skip


def test_rulings_failures_and_single_games(text: str) -> None:
    rulings = part(text, "<h2>Rulings</h2>", "<h2>")
    assert rows(rulings) == [
        ["game", "places, by seat", "the arbiter says"], ["7", "1, 2, 2", "a <tie>"], ["0", "as played", "as it was"],
    ]  # fmt: skip
    behaviour = part(text, "<h2>Behaviour</h2>", "<h2>")
    assert rows(behaviour) == [
        ["bot", "crash", "timeout", "of seats"], ["Anna", "2", "0", "8"], ["Bert", "0", "1", "8"],
    ]  # fmt: skip
    assert "How Anna failed first" in seen(behaviour)
    assert "Game 1,234, round 3, crash: it ended." in seen(behaviour)
    assert "<pre lang" in behaviour
    assert "last\nwords" in behaviour
    assert "No bot failed in any game." in page(summarise(GAMES[5:], NAMES, repetitions=2))
    games = part(text, "<h2>Games</h2>", "<h2")
    table = rows(games)
    assert table[0] == ["game", "group", "", "places, by seat", "rounds", "end"]
    assert table[1] == ["0", "0", "toy", "1. Anna, 2. Bert, 3. Carla", "10", "result"]
    assert table[5] == ["4", "1", "duel", "-. Bert, -. Anna", "5", "void"]
    assert re.findall(r'href="([^"]+)"', games) == [f"pages/{number}.html" for number in range(6)]
    assert "The first 6 games" in games
    assert "And 2 games more, in games.jsonl." in games
    bare = page(summarise(GAMES, NAMES, repetitions=2), GAMES)
    assert "in games.jsonl" not in bare
    assert "extract DIR --pages" not in bare
    assert "<h2>Rulings</h2>" not in bare
    assert page_name(42) == "pages/000042.html"


def test_the_method_says_its_numbers(text: str) -> None:
    told = seen(part(text, '<h2 id="method">', "</main>"))
    assert "90%, from 40 repetitions of a Bayesian bootstrap over groups (seed 3)" in told
    usual = Bounds()
    assert f"stronger by {usual.elo:g} points" in told
    assert f"in {usual.alpha:.1%} of cases at most" in told
    assert f"missed in {usual.beta:.1%} at most" in told


# --- drawn to scale ---------------------------------------------------------------------------------------------------


def test_a_scale_has_round_marks_and_ends() -> None:
    scale = scale_of([-130.0, 260.0])
    assert (scale.low, scale.high, scale.step) == (-200, 300, 100)
    assert scale.marks() == [-200, -100, 0, 100, 200, 300]
    assert [scale(value) for value in (-300, -200, 50, 300, 999)] == [0, 0, 500, 1000, 1000]
    assert scale_of([0.0]).marks() == [0, 100]
    assert (scale_of([600.0]).step, scale_of([1100.0]).step, scale_of([2600.0]).step) == (200, 500, 1000)
    drawn = axis(Scale(0, 1, 0.5), "{:g}".format)
    assert drawn == '<div class="axis"><span>0</span><span>0.5</span><span>1</span></div>'


def test_an_end_beyond_the_field_is_not_drawn() -> None:
    scale = Scale(0, 100, 50)
    whole = interval(scale, 50, 20, 80, 50, "a & b")
    assert whole.count('class="bar"') == 3
    assert whole.count('class="grid"') == 3
    assert "<title>a &amp; b</title>" in whole
    assert interval(scale, 50, -1, 80, 50, "").count('class="bar"') == 2
    assert interval(scale, 50, 0, 100, 50, "").count('class="bar"') == 3
    for kind, line in (("fair", "M500 0L500 20"), ("dot", "M500 10L500 10"), ("bar", "M200 10L800 10")):
        assert f'class="{kind}" d="{line}"' in whole
    drawn = histogram([1, 4], ["one", "four"], "both")
    assert re.findall(r'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', drawn) == [
        ("30.0", "75.0", "440.0", "25.0"), ("530.0", "0.0", "440.0", "100.0"),
    ]  # fmt: skip


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


def test_what_a_spec_does_not_name_is_usual(tmp_path: Path) -> None:
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
        assert caught.value.next == "correct it; README, section Tournaments, shows one"


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
        (('name = "random"', 'name = "clever"'), "auction has no bot 'clever', which clever is to be", "no-bot"),
        (('"Cup"', '"Cup"\nschedule = {kind = "swiss", decide = 50, games = 9}'), "to play until it is", "usage"),
        (('"Cup"', '"Cup"\nschedule = {decide = 50}'), "to play until it is decided", "usage"),
        (("seats = 2", "seats = 2\noptions = {rounds = 'many'}"), "options of auction: ", "usage"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(tmp_path: Path, change: tuple[str, str], why: str, code: str) -> None:
    spec = read(tmp_path, SPEC.replace(*change))
    with pytest.raises(Usage) as caught:
        (specs.all_played(spec), specs.all_bots(spec))
    assert caught.value.message.startswith(why)
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
    made = step("commit", "cup.toml", "-o", "cup", "--seed", "numbers")
    line = made.out.decode().strip()
    assert made.said == (
        "Next: send cup/ledger.jsonl and this line to whoever wants to enter a bot; then "
        "`referee tournament close cup ENTRANT...`\n"
    )
    assert step("commit", "cup").out.decode().strip() == line
    enter = ("enter", "cup", "--name", "annas", "--key", "anna.json", "--", "sensible")
    assert step(*enter).said == (
        "Next: send annas.entrant.json and the files of the bot to the organiser, and keep the commitment line.\n"
    )
    early = run_here("tournament", "disclose", "cup", "--key", "anna.json", cwd=tmp_path)
    check_refusal(early, (4,))
    closed = step("close", "cup", "annas.entrant.json")
    assert closed.out.decode() == "3 bots: sensible, random, annas\n"
    assert closed.said == (
        "Next: send cup/ledger.jsonl to the entrants, who answer with `referee tournament disclose LEDGER`; then "
        "`referee tournament start cup DISCLOSURE...`\n"
    )
    late = run_here("tournament", *enter[:3], "late", *enter[4:], cwd=tmp_path)
    check_refusal(late, (5,))
    assert "entries are closed" in late.said
    assert step("disclose", "cup", "--key", "anna.json").said == "Next: send annas.disclosure.json to the organiser.\n"
    started = step("start", "cup", "annas.disclosure.json")
    assert started.said == "Next: `referee tournament run -o cup`\n"
    assert "did not open the nonce" not in started.said
    commitment = step("commit", "cup").out.decode().strip()
    assert started.out.decode().strip() == commitment
    dry = run_here("tournament", "run", "-o", "cup", "--dry-run", "--json", cwd=tmp_path)
    assert json.loads(dry.out) == {"games": 6, "bots": ["sensible", "random", "annas"]}
    assert dry.said == (
        "6 games at most, by 3 bots: sensible, random, annas. Nothing was written. "
        "Next: run it again without --dry-run.\n"
    )
    played = step("run", "-o", "cup")
    standings = played.out.decode().splitlines()
    line = step("commit", "cup").out.decode().strip()
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
    packs = run_here("verify", "cup/games", "--json", cwd=tmp_path)
    *rows, counts = [json.loads(line) for line in packs.out.splitlines()]
    assert [(row["file"].partition("@")[0], row["code"], row["whole"]) for row in rows] == [
        ("cup/games/000000.jsonl.gz", "ok", True)
    ] * 6
    assert (packs.exit, counts["good"], counts["bad"]) == (0, 6, 0)
    for words, status, why in (
        (("extract", "cup"), 2, "this needs numbers of games, or --pages"),
        (("extract", "cup", "--pages", "-o", "x"), 2, "pages lie in the folder of the report"),
        (("extract", "cup", "1", "77"), 2, "1 of these games are not in that tournament"),
        (("extract", "cup", "3", "-o", "out"), 8, "exists already"),
        (("withdraw", "cup", "nobody"), 2, "no bot 'nobody' plays here"),
        (("run", "other.toml", "-o", "cup"), 2, "there is another tournament in that folder"),
        (("close", "none"), 2, "there is no tournament in that folder"),
        (("commit", "out"), 8, "has no ledger of a tournament"),
    ):  # fmt: skip
        ran = run_here("tournament", *words, cwd=tmp_path)
        check_refusal(ran, (status,))
        assert why in ran.said, words
    gone = step("withdraw", "cup", "annas", "--reason", "it was late")
    assert gone.said == "Next: `referee tournament run -o cup` goes on without it.\n"
    assert '"reason":"it was late"' in (tmp_path / "cup/ledger.jsonl").read_text()
    results = json.loads((tmp_path / "cup/results.json").read_bytes())
    assert (results["withdrawn"], results["total"]["games"]) == (["annas"], 2)
    check_refusal(run_here("tournament", "withdraw", "cup", "annas", cwd=tmp_path), (5,))


def test_who_does_not_open_the_nonce_does_not_play(tmp_path: Path) -> None:
    desk = world.desk_in(tmp_path / "cup")
    assert run_here("key", "new", "--name", "Anna", "-o", "anna.json", cwd=tmp_path).exit == 0
    (tmp_path / "cup.toml").write_text(SPEC)
    run = {"cwd": tmp_path}
    assert run_here("tournament", "commit", "cup.toml", "-o", "own", **run).exit == 0
    words = ("tournament", "enter", "own", "--name", "annas", "--key", "anna.json", "--deterministic", "--", "sensible")
    assert run_here(*words, **run).exit == 0
    assert run_here("tournament", "close", "own", "annas.entrant.json", **run).exit == 0
    ran = run_here("tournament", "start", "own", **run)
    assert ran.said.splitlines() == [
        "annas did not open the nonce, and does not play.", "Next: `referee tournament run -o own`",
    ]  # fmt: skip
    assert desk.ledger.parts == []


def test_results_have_a_name_for_every_number(found: Results) -> None:
    """Every number of the report is in results.json under a name of its own."""
    data: dict[str, Any] = json.loads(msgspec.json.encode(found))
    assert set(data) == {
        "name", "entrants", "withdrawn", "rulings", "seed", "repetitions", "level", "bounds", "total", "games",
    }  # fmt: skip
    assert set(data["total"]) == {field.name for field in msgspec.structs.fields(Section)}
