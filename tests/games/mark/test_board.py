"""The terminal picture: narrow enough, aligned, and nothing missing."""

import random
import re
import unicodedata
from typing import Any

import pytest
from msgspec.structs import replace

from referee.columns import fitted
from referee.game import Step
from referee.games.mark import GAME
from referee.games.mark.board import render
from referee.games.mark.lookups import liquidation_value, lowest_bid
from referee.games.mark.types import KINDS, Bid, Deal, Lot, Offer, Process, Sell
from tests.support.plain import play_out

from .build import BASE, EDITION, Desk, auction, deal, random_move, random_words, start

NAMES = ["Anna", "Benedikt der Lange von und zu", "株式会社大黒天一二三", "Dörte"]
SHORT = {kind[:3]: kind for kind in KINDS}
STYLES = {"yellow", "blue", "red", "green", "orange", "black", "bold", "dim"}


def plain(text: str, style: str) -> str:
    assert style in STYLES
    return text


def marked(text: str, style: str) -> str:
    return f"\x1b{style}\x02{text}\x03"


def board(desk: Desk, seat: int = 0, width: int = 100) -> str:
    return render(desk.terms, desk.seen(seat), NAMES[: desk.terms.seats], plain, width)


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)


@pytest.mark.thorough
@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {}), (4, {}), (4, BASE)])
def test_whole_games_fit_every_width_and_show_every_fact(seats: int, options: dict[str, bool]) -> None:
    terms, rng = deal(seats, **options), random.Random(2)
    for at, moment in enumerate(play_out(GAME, terms, random_move, random.Random(1))):
        if at % 2 and moment.step.pending:
            continue
        standing = tuple(random_words(rng) for _ in range(seats))
        view = replace(moment.seen(at % seats), public=replace(moment.step.public, standing=standing))
        for width in ((60, 100), (80, 140), (79, 99))[at % 3]:
            shown = render(terms, view, NAMES[:seats], plain, width)
            assert max(map(columns, shown.splitlines())) <= width
            assert not re.search(r"[ \t]$", shown, re.MULTILINE)
            assert_facts(terms, shown, replace(moment.step, public=view.public), min(40, width - 46))


def test_plants_stand_side_by_side_where_they_fit() -> None:
    """A plant of four fields has 23 columns, and two more lie between plants."""
    desk, rows = Desk(3), {}
    for width in range(46, 161):
        lines = board(desk, width=width).splitlines()
        assert max(map(columns, lines)) <= width
        rows.setdefault(sum(line.startswith("d  ") for line in lines), width)
    assert rows == {3: 46, 2: 23 + 2 + 23, 1: 23 + 2 + 23 + 2 + 23}


def assert_facts(terms: Deal, shown: str, step: Step, room: int) -> None:
    """Everything public is read off the picture."""
    public = step.public
    lines = shown.splitlines()
    assert_market(terms, lines, public)
    plants = "\n".join(lines[lines.index(next(line for line in lines if line.startswith("── Plants"))) :])
    assert re.findall(r"(\d+) M(?: |$)", plants, re.MULTILINE) == [str(player.money) for player in public.players]
    for letter, area in (("p", "processing"), ("d", "delivery")):
        rows = " ".join(line for line in lines if line.startswith(f"{letter}  "))
        cells = re.findall(r"[\[!]([a-z]{3}|[dp]\d )[\]!]", rows)
        assert [SHORT.get(cell) for cell in cells] == [kind for one in public.players for kind in getattr(one, area)]
    assert shown.count("!") == (2 if public.lot and public.lot.field else 0)
    for face in public.dice:
        assert f"<{face}>" in shown
    assert ("dice: none on the table" in shown) == (not public.dice)
    assert ("auction: none" in shown) == (public.lot is None)
    if public.lot:
        assert f"auction: {public.lot.kind} from " in shown
    for ask in step.pending:
        assert f"\n► {fitted(NAMES[ask.seat], room).rstrip()} " in shown


def assert_market(terms: Deal, lines: list[str], public: Any) -> None:
    for number, (row, values) in enumerate(zip(public.market, EDITION.market, strict=True)):
        line = lines[2 + number]
        free = [str(value) for value in values[row.pieces :]]
        placed = [f"[{row.kind[:3]}]"] * row.pieces if row.kind else []
        assert line[:50].split() == [str(number + 1), row.kind or "-", *placed, *free, *([] if free else ["full"])]
    for number, kind in enumerate(KINDS):
        (found,) = [
            one for line in lines if (one := re.search(rf"\b{kind} +(\d+) +(\d+|row\?) +(\d+|-) +(\d+)$", line))
        ]
        at = next((at for at, row in enumerate(public.market) if row.kind == kind), None)
        coming = ([*EDITION.market[at], 0][public.market[at].pieces]) if at is not None else "row?"
        liquid = liquidation_value(terms, public, kind) if terms.options.liquidation else "-"
        facts = (public.bank[number], coming, liquid, lowest_bid(terms, public, kind))
        assert found.groups() == tuple(map(str, facts))


def test_MK_15_next_and_liquidation_value() -> None:
    shown = board(Desk().row(2, "glass", 2).row(0, "paper", 5))
    assert re.search(r"glass +6 +15 +7 +7$", shown, re.MULTILINE)
    assert re.search(r"paper +3 +0 +0 +1$", shown, re.MULTILINE)
    assert re.search(r"metal +8 +row\? +1 +1$", shown, re.MULTILINE)
    assert "  3 glass      [gla] [gla]  15    20    25 " in shown
    assert "  1 paper      [pap] [pap] [pap] [pap] [pap]  full " in shown


def test_MK_5_storage_is_announced() -> None:
    desk = Desk().plant(0, d1="glass", d2="glass", d4="paper").plant(1, p1="glass", p2="glass", p3="paper", p4="metal")
    desk.plant(1, d1="metal", d2="metal", d3="metal")
    row = next(line for line in board(desk).splitlines() if "storage" in line)
    assert row.split() == ["storage", "5", "a", "turn", "storage", "10", "a", "turn"]
    assert "storage" not in board(Desk())


def test_MK_10_what_is_auctioned() -> None:
    desk = auction(Lot("glass", 1, "p2"))
    shown = board(desk)
    assert "auction: glass from Benedikt der Lange von und zu, p2, bids from 1\n" in shown
    assert "[p1 ]!gla![p3 ][p4 ]" in shown
    assert shown.endswith("\n► Anna bids in secret\n► 株式会社大黒天一二三 bids in secret")
    assert "auction: glass from the bank, bids from 1\n" in board(auction(Lot("glass")))
    desk = Desk().plant(1, d1="glass").plant(2, d1="glass").roll("hammer", "glass")
    shown = board(desk)
    assert "dice: <hammer> <glass>\nauction: glass from whoever offers it, bids from 1\n" in shown
    assert "Benedikt der Lange von und zu answers in secret: offer a piece?\n" in shown
    desk.all({1: Offer(None), 2: Offer(None)}).all({seat: Bid(0, None) for seat in range(3)})
    assert "dice: none on the table\nauction: none\n" in board(desk)


def test_who_is_asked_for_what() -> None:
    desk = Desk().plant(0, d1="glass")
    assert board(desk).endswith("\n► Anna is to move: roll, buy or move")
    desk.roll("glass", "glass")
    assert board(desk).endswith("\n► Anna acts with the dice")
    desk.do(Process("d1", "p1"))
    assert board(desk).endswith("\n► Anna may act a second time")
    assert board(Desk().roll("hammer", "star")).endswith("\n► Anna names the kind to be auctioned")


def test_MK_11_the_end_shows_ranks_in_order() -> None:
    desk = Desk().row(0, "glass", 5).row(1, "paper", 5).row(2, "metal", 5).row(3, "plastic", 4).plant(0, p1="plastic")
    shown = board(desk.money(10, 99, 38))
    assert "full rows: 3 of 4\nthe game also ends after 90 more turns without a sale\n" in shown
    assert "after 1 more turn without" in board(desk.public(idle=90))
    desk.roll("plastic", "paper").do(Sell("p1"))
    shown = board(desk)
    assert "full rows: 4 of 4\n" in shown
    rows = re.findall(r"^(\d)\. (\S+).*?  +(\d+) Mark$", shown.split("Result")[1], re.MULTILINE)
    assert rows == [("1", "Benedikt", "99"), ("2", "Anna", "38"), ("2", "株式会社大黒天一二三", "38")]
    assert "►" not in shown


def test_long_and_wide_names_keep_the_plants_aligned() -> None:
    lines = board(Desk(4)).splitlines()
    (row,) = [line for line in lines if line.count(" 30 M") == 4]
    ends = [columns(row[: found.end()]) for found in re.finditer(r" 30 M", row)]
    (cells,) = [line for line in lines if line.startswith("p  [")]
    assert ends == [columns(cells[: found.end()]) for found in re.finditer(r"\[p4 \]", cells)]


def test_another_box_is_drawn_too() -> None:
    desk = Desk(4).edition(area=9, market=((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),) * 5, pieces=12)
    desk.step = start(desk.terms)
    for width in (60, 80, 100):
        shown = board(desk, width=width)
        assert max(map(columns, shown.splitlines())) <= width
        assert shown.count("[d9 ]") == 4
        assert "bid from" in shown
        assert re.search(r"^  5 -[0-9of ]* 1\s+2\s+3\s+4\s+5\s+6\s+7\s+8\s+9\s+10\s+11\s+12\b", shown, re.MULTILINE)
    tiny = Desk(2).edition(area=1, money=99_999)
    tiny.step = start(tiny.terms)
    assert board(tiny).count(" 99999 M") == 2


def test_colour_changes_nothing_but_colour() -> None:
    desk = auction(Lot("composite", 1, "p2")).row(2, "paper", 2).plant(0, d1="plastic", p4="metal", d2="glass")
    coloured = render(desk.terms, desk.seen(0), NAMES[:3], marked, 100)
    assert re.sub(r"\x1b\w+\x02|\x03", "", coloured) == board(desk)
    for part in (
        "\x1bred\x02[pla]\x03",
        "\x1byellow\x02[met]\x03",
        "\x1bbold\x02[gla]\x03",
        "\x1bgreen\x02!com!\x03",
        "\x1bblue\x02 [pap]\x03",
        "\x1borange\x02<hammer>\x03",
        "\x1bdim\x02[d3 ]\x03",
    ):
        assert part in coloured


def test_a_terminal_narrower_than_any_name_still_gets_a_board() -> None:
    shown = board(Desk(), width=30)
    assert "glass" in shown
    assert all(columns(line) <= 30 for line in shown.split("\n"))


def test_a_name_has_at_most_forty_columns() -> None:
    """Fewer on a narrow screen, where the lines about its player have 46 others."""
    for width, most in ((200, 40), (87, 40), (86, 40), (85, 39), (60, 14)):
        desk = Desk(2)
        shown = render(desk.terms, desk.seen(0), ["x" * 100, "Bert"], plain, width)
        assert max(map(len, re.findall("x+", shown))) == most
