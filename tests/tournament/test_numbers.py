"""The report, row by row as somebody reads it; the bounds of what an organiser writes; and what each step says."""

import json
import re
from html import unescape
from itertools import combinations

import msgspec
import pytest

from referee.bots.causes import cause
from referee.tournament.behaviour import Failure
from referee.tournament.outcome import Outcome
from referee.tournament.pieces import Scale, axis, histogram, interval, scale_of
from referee.tournament.records import Lapse
from referee.tournament.report import MOST_COLUMNS, MOST_ROWS, page, page_name, signed
from referee.tournament.sprt import Bounds
from referee.tournament.summary import Results, Ruling, Section, summarise

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
    failure = Failure(1234, Lapse(0, 3, "crash", (cause("given", words="it ended"),), 1, ("last", "words")))
    return page(found, GAMES[:6], {0: failure})


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
        "8 games in 3 groups with the same chance; 3 bots, 2 kinds of game; 1 game void; "
        "the places of 1 game are the arbiter's; withdrawn, not counted: Dora."
    )
    links = re.findall(r'<a href="#([^"]+)">([^<]+)</a>', part(text, "<nav>", "</nav>"))
    assert links == [
        ("all", "All games"), ("game-0", "duel"), ("game-1", "toy"), ("method", "How to read this report"),
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


@pytest.mark.parametrize("many", [MOST_COLUMNS, MOST_COLUMNS + 1, MOST_COLUMNS + 2])
def test_tables_of_many_have_the_best_and_say_so(many: int) -> None:
    """Every two met once, and whoever has the lower number won."""
    games = [Outcome(at, at, "toy", pair, (1, 2)) for at, pair in enumerate(combinations(range(many), 2))]
    rulings = [Ruling(at, (1, 2), "so") for at in range(MOST_ROWS + 1)]
    found = summarise(games, [f"bot{at}" for at in range(many)], repetitions=2, rulings=rulings)
    text = page(found)
    whole = section(text, "all")
    standings, *heats = whole.split("<table")[1:4]
    assert len(rows(standings)) == 1 + many + 1
    for heat in heats:
        table = rows(heat.partition("</table>")[0])
        assert table[0] == ["", *map(str, range(1, MOST_COLUMNS + 1))]
        assert [len(row) for row in table] == [1 + MOST_COLUMNS] * (1 + MOST_COLUMNS)
    assert (f"The best {MOST_COLUMNS} of {many}." in whole) == (many > MOST_COLUMNS)
    pairs = many * (many - 1) // 2
    tests = part(whole, "<details>", "</details>")
    assert f"of {pairs} pairs decided" in tests
    assert len(rows(tests)) == 1 + min(pairs, MOST_ROWS)
    assert len(rows(part(text, "<h2>Rulings</h2>", "<h2>"))) == 1 + MOST_ROWS
    listed = rows(part(page(found, games), "<h2>Games</h2>", "<h2"))
    assert len(listed) == 1 + min(len(games), MOST_ROWS)


def test_seats_lengths_and_ends_of_a_game(text: str, found: Results) -> None:
    toy = section(text, "game-1")
    assert "6 games in 2 groups; they ended: 1 by left, 4 by result, 1 by ruling." in seen(toy)
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


def test_how_often_each_bot_had_each_seat(text: str) -> None:
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
        ["bot", "crash", "timeout", "seats"], ["Anna", "2", "0", "8"], ["Bert", "0", "1", "8"],
    ]  # fmt: skip
    assert "The first failure of Anna" in seen(behaviour)
    assert "Game 1,234, round 3, crash: it ended." in seen(behaviour)
    assert "<pre lang" in behaviour
    assert "last\nwords" in behaviour
    assert "No bot failed in any game." in page(summarise(GAMES[5:], NAMES, repetitions=2))
    games = part(text, "<h2>Games</h2>", "<h2")
    table = rows(games)
    assert table[0] == ["game", "group", "", "places, by seat", "rounds", "end"]
    assert table[1] == ["0", "0", "toy", "1. Anna, 2. Bert, 3. Carla", "10", "result"]
    assert table[5] == ["4", "1", "duel", "-. Bert, -. Anna", "5", "void"]
    assert re.findall(r'href="([^"]+)"', games) == [f"pages/00000{number}.html" for number in range(6)]
    assert "The first 6 games" in games
    assert "2 more games are not listed." in games
    whole = page(summarise(GAMES, NAMES, repetitions=2), GAMES)
    assert "not listed" not in whole
    assert "<h2>Rulings</h2>" not in whole
    assert page_name(42) == "pages/000042.html"


def test_the_method_says_its_numbers(text: str) -> None:
    told = seen(part(text, '<h2 id="method">', "</main>"))
    assert "90%, from 40 repetitions of a Bayesian bootstrap over groups (seed 3)" in told
    usual = Bounds()
    assert f"stronger by {usual.elo:g} points" in told
    assert f"in at most {usual.alpha:.1%} of cases" in told
    assert f"missed in at most {usual.beta:.1%}" in told


# --- drawn to scale ---------------------------------------------------------------------------------------------------


def test_a_scale_has_round_marks_and_ends() -> None:
    scale = scale_of([-130.0, 260.0])
    assert (scale.low, scale.high, scale.step) == (-200, 300, 100)
    assert scale.marks() == [-200, -100, 0, 100, 200, 300]
    assert [scale(value) for value in (-300, -200, 50, 300, 999)] == [0, 0, 500, 1000, 1000]
    assert scale_of([0.0]).marks() == [0, 100]
    assert (scale_of([500.0]).step, scale_of([501.0]).step) == (100, 200)
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
    for plot, kind, height in ((whole, "plot", 20), (drawn, "plot tall", 100)):
        assert f'class="{kind}"' in plot
        assert f'viewBox="0 0 1000 {height}"' in plot
    assert re.findall(r'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', drawn) == [
        ("30.0", "75.0", "440.0", "25.0"), ("530.0", "0.0", "440.0", "100.0"),
    ]  # fmt: skip


def test_results_have_a_name_for_every_number(found: Results) -> None:
    """Every number of the report is in results.json under a name of its own."""
    data = json.loads(msgspec.json.encode(found))
    assert set(data) == {
        "name", "entrants", "withdrawn", "rulings", "unconfined", "limits", "seed", "repetitions", "level", "bounds",
        "total", "games",
    }  # fmt: skip
    assert set(data["total"]) == {field.name for field in msgspec.structs.fields(Section)}
