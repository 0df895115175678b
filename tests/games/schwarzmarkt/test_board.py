"""The terminal picture: narrow enough, aligned, and nothing missing."""

import random
import re
import unicodedata

import pytest
from msgspec.structs import replace

from referee.game import LINK, Result
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.board import ASKED, render
from referee.games.schwarzmarkt.bots import random_move
from referee.games.schwarzmarkt.types import GOODS, Amounts, Quick, Sight, Trade
from tests.support.often import often
from tests.support.plain import play_out

from .build import EDITION, Desk, deal, faces, goods

NAMES = ["Anna", "Benedikt der Lange", "株式会社大黒天一二三", "Dörte", "E"]
STYLES = {"yellow", "blue", "red", "green", "orange", "black", "bold", "dim"}
TITLES = {
    "waren-knapp": "Waren knapp",
    "spionage": "Spionage",
    "schnelles-geschaeft": "Schnelles Geschäft",
    "zwangstausch": "Zwangstausch",
    "razzia": "Razzia",
    "neue-ware": "Neue Ware entdeckt",
    "limit": "Limit",
    "alte-rechnung": "Alte Rechnung",
    "verdorbene-ware": "Verdorbene Ware",
}


def plain(text: str, style: str) -> str:
    assert style in STYLES
    return text


def marked(text: str, style: str) -> str:
    return f"\x1b{style}\x02{text}\x03"


def board(desk: Desk, seat: int = 0, width: int = 100) -> str:
    return render(desk.terms, desk.sight(seat), NAMES[: desk.terms.seats], plain, width)


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)


def title(card: str) -> str:
    return TITLES.get(card, card.replace("-", " "))


def numbers(words: str) -> Amounts:
    """What `2 butter 1 sugar` says; `nothing` means none."""
    return Amounts(**{plural(good): int(number) for number, good in re.findall(r"(\d+) ([a-z]+)", words)})


def plural(good: str) -> str:
    return "potatoes" if good == "potato" else good


def block(shown: str, heading: str) -> str:
    found = re.search(rf"^── {heading} ─+\n((?:(?!──|►.*\Z).*\n?)*)", shown, re.MULTILINE)
    assert found, heading
    return found[1]


WIDTHS = (60, 79, 80, 99, 100, 120)


@pytest.mark.parametrize(("seats", "games"), [(3, 1), (4, 3), (5, 1)])
@pytest.mark.thorough
def test_whole_games_fit_and_show_every_fact(seats: int, games: int) -> None:
    asked = set()
    for seed in range(often(games)):
        terms = deal(seats, expert=seed % 2 > 0)
        moments = play_out(GAME, terms, lambda t, view, r: random_move(t, view, r.randrange), random.Random(seed))
        for at, moment in enumerate(moments):
            sight, width = moment.seen(at % seats), WIDTHS[(at // seats) % len(WIDTHS)]
            shown = render(terms, sight, NAMES[:seats], plain, width)
            assert max(map(columns, shown.splitlines())) <= width
            assert not re.search(r"[ \t]$", shown, re.MULTILINE)
            assert_players(shown, sight)
            assert_own(unfolded(shown), sight)
            assert_piles(unfolded(shown), sight)
            if sight.result is None:
                (assert_track if width >= 80 else assert_prices)(unfolded(shown), sight)
                assert_market(unfolded(shown), sight)
                asked.add(sight.pending[0].what)
    assert asked == {LINK, *ASKED} or games < 3


def unfolded(shown: str) -> str:
    """The picture with its long lines in one piece again."""
    return re.sub(r"\n  (?! *(?:still|yours|traded|[─●┼]))(?=[a-zA-Z0-9(])", " ", shown)


def assert_prices(shown: str, sight: Sight) -> None:
    public = sight.public
    values, pays = block(shown, "Price").splitlines()
    end = EDITION.track.index(25) if "limit" in public.in_force else 13
    assert values.startswith(f"[{EDITION.track[public.marker]}]")
    assert [int(value) for value in re.findall(r"\d+", values)] == list(EDITION.track[public.marker : end + 1])
    assert pays.startswith(f"a goods card pays {EDITION.track[public.marker]}")
    assert ("half" in pays) == public.spoiled


def assert_track(shown: str, sight: Sight) -> None:
    public = sight.public
    values, rail, dice, pays = block(shown, "Price").splitlines()
    assert [int(value) for value in re.findall(r"\d+", values)] == list(EDITION.track)
    assert re.findall(r"\[(\d+)\]", values) == [str(EDITION.track[public.marker])]
    end = EDITION.track.index(25) if "limit" in public.in_force else 13
    assert re.findall("[●┼┤]", rail).index("●") == public.marker
    assert len(re.findall("[●┼┤]", rail)) == end + 1, "the rail stops where the round does"
    assert rail[-1] in "●┤"
    assert abs(rail.index("●") - (values.index("[") + values.index("]")) / 2) <= 1, "the marker is below its value"
    assert [int(far) for far in re.findall(r"(?:1-)?(\d)", dice)] == list(EDITION.steps[:end])
    assert dice.endswith("end")
    assert pays.startswith(f"a goods card pays {EDITION.track[public.marker]}")
    assert ("half" in pays) == public.spoiled


def assert_market(shown: str, sight: Sight) -> None:
    public, market = sight.public, block(shown, "Black market")
    if public.offer in TITLES:
        assert market.startswith(f"{TITLES[public.offer]}  ")
    elif public.offer:
        assert market.startswith(f"{title(public.offer)}  ")
        wanted = EDITION.offers[int(public.offer[6:]) - 1]
        rows = re.findall(r"((?:\[.\])+) (\w+)", market)
        boxes = {plural(good): (row.count("[x]"), row.count("[ ]")) for row, good in rows}
        for good in GOODS if boxes else ():
            left = getattr(public.wanted, good)
            assert boxes.get(good, (0, 0)) == (getattr(wanted, good) - left, left)
        assert boxes or numbers(market.partition("\n")[0].partition("wants")[2]) == wanted
        still, yours, traded = re.findall(r"still   (.*)\n +yours   (.*)\n +traded  (.*)", market)[0]
        assert numbers(still) == public.wanted
        held = goods(*sight.hand("goods"))
        assert numbers(yours) == Amounts(*(min(getattr(public.wanted, g), getattr(held, g)) for g in GOODS))
        assert numbers(traded) == goods(*public.traded)
    for event in public.in_force:
        assert re.search(rf"^{TITLES[event]} +\w+ trade round: ", market, re.MULTILINE)


def assert_players(shown: str, sight: Sight) -> None:
    public = sight.public
    rows = block(shown, "Players").splitlines()[1:]
    assert len(rows) == len(public.players)
    for seat, (player, row) in enumerate(zip(public.players, rows, strict=True)):
        facts = re.search(r" (\d+) +(\d+) +(\d+)(?:  (.*))?$", row)
        assert facts
        assert tuple(map(int, facts.groups()[:3])) == (player.luxury, player.goods, player.cards)
        assert ("start" in row) == (seat == public.start and sight.result is None)
        assert ("sits out" in row) == (public.sitting_out[seat] > 0)
        assert row.startswith("► ") == any(ask.seat == seat for ask in sight.pending)


def assert_own(shown: str, sight: Sight) -> None:
    first, *cards = block(shown, "You").splitlines()
    own = goods(*sight.hand("goods"))
    assert numbers(first) == own
    assert {line.partition("  ")[0] for line in cards} == {title(card) for card in sight.hand("cards")}
    for line in cards:
        if line.startswith("offer"):
            wanted = EDITION.offers[int(line.split()[1]) - 1]
            wants, held, of = re.findall(r"wants (.*?) +you hold (\d) of (\d)$", line)[0]
            assert numbers(wants) == wanted
            fitting = sum(min(getattr(own, good), getattr(wanted, good)) for good in GOODS)
            assert (int(held), int(of)) == (fitting, len(faces(wanted)))


def assert_piles(shown: str, sight: Sight) -> None:
    public, piles = sight.public, " ".join(block(shown, "Piles").split())
    found = re.match(
        r"goods (\d+) face down, face up under them (\d+): (.*?) cards (\d+) face down, .* (\d+): (.*)", piles
    )
    assert found
    assert [int(found[at]) for at in (1, 2, 4, 5)] == [
        public.goods_pile,
        len(public.goods_under),
        public.card_pile,
        len(public.card_under),
    ]
    assert numbers(found[3]) == goods(*public.goods_under)
    assert found[6].split(", ") == ([title(card) for card in public.card_under] or ["nothing"])
    assert f"cards played {public.played}/100" in shown
    assert f"without a trade {public.idle}/15" in shown


def test_SM_6_what_is_wanted_traded_and_possible() -> None:
    desk = Desk(3).play("offer-6").price(10).trade("potatoes")
    market = block(board(desk, 1), "Black market")
    assert "offer 6             wants   [x][ ] potatoes   [ ][ ] coffee\n" in market
    assert "still   1 potato  2 coffee\n" in market
    assert "yours   1 potato  2 coffee\n" in market
    assert "traded  1 potato\n" in market
    desk.public(in_force=("waren-knapp",))
    assert "yours   1 potato  2 coffee   (one card a turn)\n" in board(desk, 1)
    desk.goods(1, Amounts(sugar=3))
    assert "yours   nothing\n" in board(desk, 1)


def test_SM_10_cards_in_force_say_what_they_do() -> None:
    desk = Desk(3).play("verdorbene-ware", "limit")
    waiting = block(board(desk), "Black market")
    assert "no card on the table" in waiting
    assert re.search("^Verdorbene Ware +next trade round: the first goods card pays half$", waiting, re.MULTILINE)
    assert re.search("^Limit +next trade round: ends at 25$", waiting, re.MULTILINE)
    desk.play("offer-6").price(13)
    assert re.search("^Limit +this trade round: ends at 25$", board(desk), re.MULTILINE)
    assert (
        "a goods card pays 13 (the next one pays half, 6); the marker moves 1 after a trade, otherwise 1 to 3"
        in board(desk)
    )
    desk.trade("potatoes")
    assert re.search("^Verdorbene Ware +.* pays half .done.$", board(desk), re.MULTILINE)
    assert "a goods card pays 16; " in board(desk)


def test_SM_12_the_conditions_of_the_end() -> None:
    desk = Desk(3).public(played=42, idle=7)
    head = "ends when a player's last goods card is traded; cards played 42/100, without a trade 7/15\n"
    assert f"the half {head}" in board(desk)
    assert f"the game {head}" in board(desk.public(half=2))
    assert "Schwarzmarkt · second half" in board(desk)


def test_who_is_asked_for_what() -> None:
    desk = Desk(3)
    assert board(desk).endswith("\n► Anna plays a black-market card")
    assert board(desk.play("offer-1"), 2).endswith("\n► Anna may trade, then the marker moves")
    assert board(desk.price(50)).endswith("\n► Anna may trade; it is the last turn of the round")
    for card, words in {
        "spionage": "names the player whose goods are shown",
        "schnelles-geschaeft": "trades in one goods card",
        "zwangstausch": "chooses a player and cards to swap",
        "razzia": "names a player and a good",
        "alte-rechnung": "names the player who gives a card",
    }.items():
        assert board(Desk(3).play(card)).endswith(f"\n► Anna {words} ({TITLES[card]})")


def test_SM_11_before_the_deal_everybody_is_waited_for() -> None:
    desk = Desk(3).goods(0, Amounts(sugar=1)).play("schnelles-geschaeft").do(Quick("sugar"))
    shown = board(desk)
    assert shown.endswith("\n► there is nothing to decide: the goods are dealt when everybody has answered")
    assert shown.count("► ") == 4


def test_SM_12_the_end_shows_ranks_in_order() -> None:
    desk = Desk(4)
    desk.step = replace(desk.step, pending=(), result=Result((3, 1, 1, 4), ((20,), (75,), (75,), (0,))))
    rows = re.findall(r"^(\d)\. (\S+).*  luxury (\d+)$", board(desk), re.MULTILINE)
    assert [(int(rank), int(luxury)) for rank, _, luxury in rows] == [(1, 75), (1, 75), (3, 20), (4, 0)]
    assert [name for _, name, _ in rows] == ["Benedikt", "株式会社大黒", "Anna", "Dörte"]
    assert "the game is over" in board(desk)
    assert "►" not in board(desk)


def test_long_and_wide_names_are_cut_to_twelve_columns() -> None:
    shown = board(Desk(5))
    assert "Benedikt der  " in shown
    assert "Lange" not in shown
    assert "株式会社大黒 " in shown
    assert "株式会社大黒天" not in shown
    rows = block(shown, "Players").splitlines()[1:]
    assert len({columns(re.split(r" 0 +9 ", row)[0]) for row in rows}) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_other_editions_fit_too(width: int) -> None:
    track = (*range(1, 25), 25, 50)
    steps = (*(1 for _ in track[:-1]), 0)
    offers = (Amounts(12, 12, 12, 12, 12), *EDITION.offers[1:])
    shown = board(Desk(3, track=track, steps=steps, offers=offers).play("offer-1"), width=width)
    assert max(map(columns, shown.splitlines())) <= width
    values = [line for line in shown.splitlines() if line.startswith(("value", "[1]"))]
    found = [int(value) for line in values for value in re.findall(r"\d+", line)]
    assert found == list(track)[: len(found)]
    assert len(found) == len(track) or width < 80
    assert "wants 12 potatoes 12 coffee 12 flour 12 butter 12 sugar " in " ".join(shown.split())


def test_SM_26_everybody_sees_who_is_not_asked() -> None:
    desk = Desk(3).play("offer-1").do(Trade(Amounts(), 1, 3))
    for width in WIDTHS:
        rows = block(board(desk, 2, width), "Players").splitlines()
        assert rows[1].endswith("  start player, sits out 3" if width >= 80 else "  start, sits out 3")


def test_colour_changes_nothing_but_colour() -> None:
    desk = Desk(4).play("verdorbene-ware", "offer-6").price(13)
    coloured = render(desk.terms, desk.sight(1), NAMES[:4], marked, 100)
    assert re.sub(r"\x1b\w+\x02|\x03", "", coloured) == board(desk, 1)
    for part in ("\x1borange\x022 potatoes\x03", "\x1bred\x02[ ][ ]\x03", "\x1bbold\x02 [13] \x03"):
        assert part in coloured


@pytest.mark.parametrize("width", [60, 80, 100])
def test_SM_11_what_was_traded_in_is_shown_where_it_counts(width: int) -> None:
    """In the first half, if as many cards are dealt after it; elsewhere it decides nothing."""
    for refill, half, shows in (("traded", 1, True), ("traded", 2, False), ("full", 1, False)):
        desk = Desk(refill=refill).public(half=half).player(1, traded_in=4)
        shown = GAME.render(desk.terms, desk.sight(0), NAMES[:3], plain, width)
        assert ("traded in 4" in shown) == shows
        assert GAME.picture is not None
        drawn = GAME.picture(desk.terms, desk.sight(0), NAMES[:3], 600)
        assert ("traded in 4" in drawn) == shows
