"""The terminal picture: narrow enough, aligned, and nothing missing."""

import random
import re
import unicodedata

import pytest
from msgspec.structs import astuple

from referee.games.schwarzer_freitag import GAME, rules
from referee.games.schwarzer_freitag.board import NARROW, render
from referee.games.schwarzer_freitag.types import COLOURS, Cases, Pass, Sight
from tests.support.often import often
from tests.support.plain import play_out

from .build import EDITION, Desk, by_bot, cases, deal, plain_draws

NAMES = ["Anna", "Benedikt der Lange", "株式会社大黒天一二三", "Dörte", "E"]
LETTERS = dict(zip("YBRGO", COLOURS, strict=True))
STYLES = {"yellow", "blue", "red", "green", "orange", "black", "bold", "dim"}


def plain(text: str, style: str) -> str:
    assert style in STYLES
    return text


def marked(text: str, style: str) -> str:
    return f"\x1b{style}\x02{text}\x03"


def board(desk: Desk, seat: int = 0, width: int = 100) -> str:
    return render(desk.terms, desk.view(seat), NAMES[: desk.terms.seats], plain, width)


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_whole_games_fit_and_show_every_fact(seats: int) -> None:
    terms = deal(seats)
    for seed in range(often(1)):
        for at, moment in enumerate(play_out(GAME, terms, by_bot, random.Random(seed))):
            view = moment.seen(at % seats)
            for width in ((100, 60), (99, 80))[at // seats % 2]:
                shown = render(terms, view, NAMES[:seats], plain, width)
                assert max(map(columns, shown.splitlines())) <= width
                assert not re.search(r"[ \t]$", shown, re.MULTILINE)
                (assert_facts if width >= 80 else assert_compact)(shown, view)


def assert_facts(shown: str, view: Sight) -> None:
    public, known = view.public, view.public.players[view.seat].known
    lines = shown.splitlines()
    assert markers(lines) == dict(zip(COLOURS, public.prices, strict=True))
    for colour, (row, column) in zip(COLOURS, public.prices, strict=True):
        facts = [
            EDITION.prices[row][column],
            getattr(public.market, colour),
            getattr(known, colour) + view.hand("hand").count(colour),
        ]
        row = " +".join(map(str, facts))
        assert re.search(rf"(?:^|  ){colour[0].upper()} {colour} +{row}(?:  |$)", shown, re.MULTILINE)
    assert f"[{EDITION.silver_track[public.silver]}]" in shown
    assert f"bars bought since the last price change: {public.counter}," in shown
    assert f"bag {public.bag}, {public.bag_black} of them black\n" in shown
    assert f"black: supply {public.supply_black}, stages {public.stage_black}\n" in shown
    stage = EDITION.stages[public.stage]
    assert f"stage {public.stage or 'Start'}: trade up to {stage.limit}\n" in shown
    assert f"subsidies up to {stage.subsidies}\n" in shown
    assert f"draws {stage.draw}\n" in shown
    strips = {"purchase": public.purchase, "silver": public.silver_strip}
    strips |= {f"sale {at}": sale for at, sale in enumerate(public.sale, 1)}
    for name, strip in strips.items():
        line = next(line for line in lines if re.match(rf"[ ►] {name} +\[", line))
        assert [LETTERS[letter] for letter in re.findall(r"\[([YBRGO])\]", line)] == faces(strip)
    table = lines.index(next(line for line in lines if line.startswith("  player"))) + 1
    for player, line in zip(public.players, lines[table:], strict=False):
        numbers = line[2:].replace(" -", " 0 ")
        found = re.search(r" +(\d+) +(\d+)/(\d+) +(\d+) +(\d+) +(\d+)  (.{19}) +(\d+)(?:  .*)?$", numbers)
        assert found
        facts = (player.money, player.subsidies, stage.subsidies, player.debt, player.silver, player.gold)
        assert tuple(map(int, found.groups()[:6])) == facts
        known = {LETTERS[word[0]]: int(word[1:]) for word in found[7].split()}
        assert known == {c: getattr(player.known, c) for c in COLOURS if getattr(player.known, c)}
        assert int(found[8]) == player.unknown
    assert_cards(shown, view)


def assert_cards(shown: str, view: Sight) -> None:
    """Everybody's cards, in the order of the seats."""
    told = re.findall(r"(?<= )(?:PASS|SELL\+1|SILVER\+1|BUY\+1)(?:/[A-Z]+\+1)*", shown)
    uses = [tuple(card.replace("+1", "").lower().split("/")) for card in told]
    assert uses == [card for player in view.public.players for card in player.cards]


def assert_compact(shown: str, view: Sight) -> None:
    """The same facts, prices and strips in one table."""
    public = view.public
    for at, colour in enumerate(COLOURS):
        row, column = public.prices[at]
        held = getattr(public.players[view.seat].known, colour) + view.hand("hand").count(colour)
        strips = [getattr(cases, colour) for cases in (public.purchase, public.silver_strip, public.sale[public.strip])]
        found = re.search(rf"^{colour[0].upper()} {colour} +(\d+) +\d+ +\d+ +(\d+) +(\d+) \|(.*)$", shown, re.MULTILINE)
        assert found
        numbers = (EDITION.prices[row][column], getattr(public.market, colour), held)
        assert tuple(map(int, found.groups()[:3])) == numbers
        assert [int(number.replace("-", "0")) for number in found[4].split()] == strips
    assert f"a bar costs {EDITION.silver_track[public.silver]}" in shown
    assert f"bought since the last change: {public.counter}, " in shown
    stage = EDITION.stages[public.stage]
    assert f": trade up to {stage.limit}, subsidies {stage.subsidies}, draw {stage.draw}\n" in shown
    assert f"bag {public.bag}, {public.bag_black} of them black; sale strip {public.strip + 1} of 3\n" in shown
    black = " ".join(map(str, public.sale_black))
    assert f"black: supply {public.supply_black}, stages {public.stage_black}, sale strips {black}\n" in shown
    for player in public.players:
        numbers = (player.subsidies, stage.subsidies, player.debt or "-", player.gold, player.silver, player.unknown)
        known = "".join(f"{colour[0].upper()}{n}" for colour in COLOURS if (n := getattr(player.known, colour)))
        row = r" {}/{} +{} +{} +{} +{}".format(*numbers)
        assert re.search(rf" {player.money} +{row[1:]}(?:  {known})?$", shown, re.MULTILINE)
    assert_cards(shown, view)


def faces(strip: Cases) -> list[str]:
    return [colour for colour, number in zip(COLOURS, astuple(strip), strict=True) for _ in range(number)]


def markers(lines: list[str]) -> dict[str, tuple[int, int]]:
    """Row and column of every marker, read off the picture: 13 lines below the title, 10 columns a cell."""
    found = {}
    for at, line in enumerate(lines[1:14]):
        for column in range(7):
            value, letters = line[10 * column : 10 * column + 3], line[10 * column + 4 : 10 * column + 10]
            assert int(value) == EDITION.prices[12 - at][column]
            found |= {LETTERS[letter]: (12 - at, column) for letter in letters.strip()}
    return found


def test_SF_27_how_far_the_next_price_change_is() -> None:
    desk = Desk(5).public(purchase=cases("red", "red", "blue"), silver_strip=cases(*COLOURS))
    shown = board(desk)
    assert "  purchase [B][R][R][ ][ ][ ]  3 more: price change" in shown
    assert "  silver   [Y][B][R][G][O][ ]  1 more: price change" in shown
    assert "► sale 1   [Y][Y][B][B][R][R][G][G][O][O] [■]  6 more sales: price change" in shown
    assert "  sale 2   [Y][Y][B][B][R][R][G][G][O][O] [■][■]\n" in shown
    desk.public(strip=1, sale=(Cases(), Cases(green=5), Cases()), sale_black=(0, 2, 0))
    assert "► sale 2   [G][G][G][G][G][ ][ ][ ][ ][ ] [■][■]  1 more sale: price change" in board(desk)
    desk.public(sale=(Cases(), Cases(green=3), Cases()))
    assert "► sale 2   [G][G][G][ ][ ][ ][ ][ ][ ][ ] [■][■]  1 more sale: price change" in board(desk)


def test_own_holdings_are_shown_in_full_with_their_value_and_only_to_their_owner() -> None:
    desk = Desk(3).prices(red=19, blue=32).hold(0, Cases(red=1), Cases(red=1, blue=1)).player(0, money=15)
    shown = board(desk)
    assert "shares: 1 blue = 32   2 red = 38\n" in shown
    assert "worth 70, with 15 money 85: 4 bars at 20\n" in shown
    other = board(desk, 1)
    assert "shares: none\n" in other
    assert re.search(r"Anna +15 +0/2 +- +0 +0  R1 +2$", other, re.MULTILINE), "one red is known, two are not"


def test_who_is_asked_for_what() -> None:
    desk = Desk(4)
    assert board(desk).endswith("\n► Anna is to move")
    assert "\n► Anna  " in board(desk)
    desk.do(Pass("red", hold=True))
    assert board(desk).endswith("\n► Anna may still take extras")
    debtor = Desk(4).player(0, debt=3)
    assert board(debtor).endswith("\n► Anna is to move and must settle a debt of 3 (SF-29)")
    assert board(debtor, width=60).endswith("\n► Anna is to move\n  and must settle a debt of 3 (SF-29)")
    two = Desk(2)
    two.step = rules.setup(two.terms, plain_draws(two.terms, dice=[1]))
    assert board(two, 1).endswith("\n► Anna puts a case on the purchase strip")


def test_SF_40_the_end_shows_ranks_in_order() -> None:
    desk = Desk(3).public(silver=len(EDITION.silver_track) - 2)
    for seat, money in enumerate((100, 700, 100)):
        desk.player(seat, money=money)
    desk.change("yellow", "yellow", "yellow", "yellow", "yellow")
    assert desk.step.result is None
    desk.bag(black=5).change(*["black"] * 5)
    assert desk.step.result is not None
    shown = board(desk).split("Result")[1]
    rows = re.findall(r"^(\d)\. (\S+).*  gold (\d+)  silver (\d+)  money (\d+)$", shown, re.MULTILINE)
    ranks, scores = desk.step.result.ranks, desk.step.result.scores
    order = sorted(range(3), key=lambda seat: ranks[seat])
    assert [name for _, name, *_ in rows] == [("Anna", "Benedikt", "株式会社大黒")[seat] for seat in order]
    assert [tuple(map(int, (rank, *score))) for rank, _, *score in rows] == [(ranks[at], *scores[at]) for at in order]
    assert order[0] == 1


def test_long_and_wide_names_are_cut_to_twelve_columns() -> None:
    shown = board(Desk(4))
    assert "Benedikt der  " in shown
    assert "Lange" not in shown
    assert "株式会社大黒 " in shown
    assert "株式会社大黒天" not in shown
    rows = [line for line in shown.splitlines() if "0/2" in line]
    assert len(rows) == 4
    assert len({columns(row[: row.index("0/2")]) for row in rows}) == 1


def test_colour_changes_nothing_but_colour() -> None:
    desk = Desk(4).prices(red=44, orange=16).hold(0, Cases(red=2)).public(purchase=cases("green"))
    coloured = render(desk.terms, desk.view(0), NAMES[:4], marked, 100)
    assert re.sub(r"\x1b\w+\x02|\x03", "", coloured) == board(desk)
    for part in ("\x1bred\x02R\x03", "\x1borange\x02O\x03", "\x1bgreen\x02[G]\x03", "\x1bblack\x02[■]\x03"):
        assert part in coloured
    assert "\x1bbold\x02 44\x03 \x1bred\x02R\x03" in coloured, "an occupied price stands out"
    assert "\x1bdim\x02238\x03" in coloured


def test_SF_29_a_debt_that_is_due_is_told_once_at_every_width() -> None:
    desk = Desk(3).player(0, debt=30).public(due=30)
    for width in (NARROW - 20, NARROW - 1, NARROW, NARROW + 1, 100):
        shown = board(desk, width=width)
        assert shown.count("must settle a debt of 30 (SF-29)") == 1
        assert ("Anna is to move and must settle" in shown) == (width >= NARROW)
