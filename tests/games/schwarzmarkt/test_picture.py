"""The picture as SVG: on the sheet, without overlaps, true, and the same whatever is hidden."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from referee import svg
from referee.columns import columns
from referee.game import Result
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.types import GOODS, Amounts, Deal, Player, Quick, Sight, Trade, Words
from tests.support.plain import Moment, PlainDraws, play_out

from .build import EDITION, Desk, deal, goods
from .test_board import TITLES
from .test_editions import LARGEST, SMALLEST

NAMES = ["Anna", "Benedikt der Lange von und zu Wolkens<&>", "株式会社大黒天" * 3, "Dörte", "W" * 40]
COLOURS = {svg.INK, svg.GROUND, svg.PAPER, svg.LINE, svg.FAINT, *svg.COLOURS.values(), "none"}
TWO_ROWS = {"track": (*range(1, 15), 50), "steps": (*[9] * 14, 0), "limit": 8, "half_cards": 60}
SVG = "{http://www.w3.org/2000/svg}"


class Text(NamedTuple):
    """One text with the box that it is guessed to fill."""

    said: str
    left: float
    right: float
    y: float
    size: float
    bold: bool


class Drawing:
    """A picture read back."""

    def __init__(self, terms: Deal, sight: Sight, width: int = svg.WIDTH) -> None:
        assert GAME.picture is not None
        self.width = width
        self.data = GAME.picture(terms, sight, NAMES[: terms.seats], width)
        self.root = ElementTree.fromstring(self.data)
        self.told = self.root.findtext(f"{SVG}desc") or ""
        self.texts = [read(one) for one in self.root.iter(f"{SVG}text")]

    def find(self, said: str) -> Text:
        (found,) = (text for text in self.texts if text.said == said)
        return found

    def row(self, y: float) -> list[Text]:
        """The texts on the line of a y, from left to right."""
        return sorted((text for text in self.texts if abs(text.y - y) < 5), key=lambda text: text.left)

    def beside(self, said: str) -> list[str]:
        """What is written in the line that begins with this."""
        first, *others = self.row(self.find(said).y)
        assert first.said == said
        return [text.said for text in others]

    def players(self) -> list[tuple[int, ...]]:
        """The numbers of the players' rows, from the top."""
        top = next(text for text in self.texts if text.said == "luxury").y
        rows = [self.row(y) for y in sorted({text.y for text in self.texts if text.y > top and text.size >= 16})]
        ends = [tuple(text.said for text in row[-3:]) for row in rows]
        return [tuple(map(int, end)) for end in ends if len(end) == 3 and all(one.isdecimal() for one in end)]


def read(one: Any) -> Text:
    said, size, x = one.text, float(one.get("font-size")), float(one.get("x"))
    wide = 0.62 * size * columns(said)
    left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[one.get("text-anchor")]
    return Text(said, left, left + wide, float(one.get("y")), size, one.get("font-weight") == "bold")


def drawing(desk: Desk, seat: int = 0) -> Drawing:
    return Drawing(desk.terms, desk.sight(seat))


def assert_well_drawn(shown: Drawing) -> None:
    """Everything is on a sheet as wide as wanted, no two texts overlap, and letters can be read."""
    _, _, width, height = map(float, shown.root.get("viewBox", "").split())
    assert (width, shown.root.get("width")) == (shown.width, str(shown.width))
    assert len(shown.data.encode()) < 100_000
    assert 0 < len(shown.told) <= 4000
    for one in shown.root.iter():
        paint = {one.get("fill", "none"), one.get("stroke", "none")}
        assert all(colour in COLOURS or len({colour[1:3], colour[3:5], colour[5:]}) == 1 for colour in paint)
        if one.tag == f"{SVG}rect":
            x, y, wide, tall = (float(one.get(name, "")) for name in ("x", "y", "width", "height"))
            assert 0 <= x <= x + wide <= shown.width
            assert 0 <= y <= y + tall <= height
    for text in shown.texts:
        assert text.size >= 13
        assert 0 <= text.left <= text.right <= shown.width, text
        assert text.size <= text.y <= height - 4, text
    for text, other in combinations(shown.texts, 2):
        apart = abs(text.y - other.y) >= 0.9 * max(text.size, other.size)
        assert apart or text.right <= other.left or other.right <= text.left, (text, other)


def title(card: str) -> str:
    return TITLES.get(card, card.replace("-", " "))


def in_words(amounts: Amounts) -> str:
    """`2 butter, 1 sugar`."""
    numbers = {good: getattr(amounts, good) for good in GOODS if getattr(amounts, good)}
    return ", ".join(f"{n} {'potato' if (n, good) == (1, 'potatoes') else good}" for good, n in numbers.items())


def assert_true(shown: Drawing, terms: Deal, sight: Sight) -> None:
    """The figures that matter, drawn and told."""
    public, lines = sight.public, shown.told.splitlines()
    seats = range(terms.seats)
    ranks = sight.result.ranks if sight.result else (0,) * terms.seats
    rows = [public.players[seat] for seat in sorted(seats, key=lambda seat: ranks[seat])]
    assert shown.players() == [(player.luxury, player.goods, player.cards) for player in rows]
    for seat, player in enumerate(public.players):
        (line,) = (one for one in lines if one.startswith(NAMES[seat]) and " luxury, " in one)
        assert f" {player.luxury} luxury, {player.goods} goods card" in line
        assert f" and {player.cards} black-market card" in line
        assert ("(you)" in line) == (seat == sight.seat)
        assert ("start player" in line) == (seat == public.start and not sight.result)
        assert ("sits out" in line) == (public.sitting_out[seat] > 0)
    held = goods(*sight.hand("goods"))
    assert f"Your goods cards: {in_words(held) or 'none'}." in lines
    assert {title(card) for card in sight.hand("cards")} == {
        line.removeprefix("You hold ").partition(", which" if "offer" in line else ":")[0]
        for line in lines
        if line.startswith("You hold ")
    }
    if sight.result is None:
        assert shown.beside("your goods")[:-1] == [
            part for good in GOODS for part in (good[0].upper(), str(getattr(held, good)))
        ]
        assert {title(card) for card in sight.hand("cards")} <= {text.said for text in shown.texts}
        assert_track(shown, sight)
        assert_market(shown, sight)


def assert_track(shown: Drawing, sight: Sight) -> None:
    public, end = sight.public, EDITION.track.index(25) if "limit" in sight.public.in_force else 13
    marker, last = shown.find("▼"), shown.find("end")
    values = shown.row(marker.y + 20)
    assert [int(text.said) for text in values] == list(EDITION.track)
    for mark, at in ((marker, public.marker), (last, end)):
        assert (mark.left + mark.right) / 2 == pytest.approx((values[at].left + values[at].right) / 2)
    if public.offer is None or public.offer in TITLES:
        assert f"The next trade round begins at a price of 1 and ends at {EDITION.track[end]}." in shown.told
        return
    assert f"A goods card pays {EDITION.track[public.marker]}" in shown.told
    ahead = ", ".join(map(str, EDITION.track[public.marker + 1 : end + 1]))
    assert (f"The prices ahead are {ahead}." in shown.told) == (public.marker < end)


def assert_market(shown: Drawing, sight: Sight) -> None:
    public = sight.public
    if public.offer is not None:
        assert f"On the table is {title(public.offer)}" in shown.told
        (name,) = (
            text for text in shown.texts if text.said == title(public.offer) and text.y < shown.find("Your hand").y
        )
    if public.wanted != Amounts():
        assert f"It still wants {in_words(public.wanted)}, of which you hold" in shown.told
        letters = [text.said for text in shown.row(name.y)[1:]]
        gone = goods(*public.traded)
        assert letters == [g[0].upper() for g in GOODS for _ in range(getattr(gone, g) + getattr(public.wanted, g))]
    for event in public.in_force:
        assert f"{TITLES[event]} lies open (" in shown.told


def other_secrets(draws: PlainDraws, seat: int, rng: random.Random) -> dict[str, tuple[str, ...]]:
    """Let what this seat may not know change places, goods with goods and cards with cards; returns what it knows."""
    for kind in ("goods", "cards"):
        hidden = [bag for bag in draws.bags if bag.partition("/")[0] == kind and bag != f"{kind}/{seat}"]
        tokens = [face for bag in hidden for face in draws.bags[bag]]
        rng.shuffle(tokens)
        for bag in hidden:
            size = len(draws.bags[bag])
            draws.bags[bag], tokens = tokens[:size], tokens[size:]
    return draws.tokens(seat)


def random_game(terms: Deal, seed: int) -> Iterator[Moment]:
    return play_out(GAME, terms, lambda t, sight, r: GAME.bots["random"](t, sight, r.randrange), random.Random(seed))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_whole_games_are_drawn_well_and_truly(seats: int) -> None:
    terms = deal(seats, expert=seats == 4)
    for at, moment in enumerate(random_game(terms, seats)):
        if at % 6 == 0 or moment.step.result:
            sight = moment.seen(at // 6 % seats)
            shown = Drawing(terms, sight)
            assert_well_drawn(shown)
            assert_well_drawn(Drawing(terms, sight, svg.NARROW))
            assert_true(shown, terms, sight)
    assert moment.step.result


@pytest.mark.parametrize("edition", [SMALLEST, LARGEST, TWO_ROWS])
def test_other_editions_are_drawn_well(edition: dict[str, Any]) -> None:
    terms = deal(5, **edition)
    GAME.validate(terms)
    for at, moment in enumerate(random_game(terms, 1)):
        if at % 40 == 0 or moment.step.result:
            shown = Drawing(terms, moment.seen(at % 5))
            assert_well_drawn(shown)
            assert_well_drawn(Drawing(terms, moment.seen(at % 5), svg.NARROW))
            assert len(shown.players()) == 5
            complete = shown.told.splitlines()[-1].startswith("The black-market pile has ")
            assert complete or shown.told.endswith("\nThe rest is in the picture.")


def test_what_is_hidden_changes_nothing() -> None:
    terms, rng, others = deal(4), random.Random(2), 0
    for at, moment in enumerate(random_game(terms, 2)):
        if at % 12 == 0 and moment.step.result is None:
            seat = at // 12 % 4
            twin = PlainDraws({}, rng, hands=GAME.hands)
            twin.bags = {bag: list(faces) for bag, faces in moment.draws.bags.items()}
            tokens = other_secrets(twin, seat, rng)
            before, other = moment.seen(seat), moment.seen((seat + 1) % 4)
            assert Drawing(terms, replace(before, tokens=tokens)).data == Drawing(terms, before).data
            there = replace(other, tokens=twin.tokens(other.seat))
            others += Drawing(terms, there).data != Drawing(terms, other).data
    assert others > 5, "the neighbour sees the difference"


def test_SM_6_an_offer_card_by_card() -> None:
    held = Amounts(potatoes=2, coffee=1, sugar=6)
    desk = Desk(3).goods(1, held).cards(1, "offer-15").play("offer-6").price(10).trade("potatoes")
    shown = drawing(desk, 1)
    table, own = (
        [(text.said, text.bold) for text in shown.row(shown.find(card).y)[1:]] for card in ("offer 6", "offer 15")
    )
    assert table == [("P", False), ("P", True), ("C", True), ("C", False)], "bold, as filled: in the reader's own hand"
    assert own == [("B", False), ("B", False), ("S", True), ("S", True), ("2 of 4", False)]
    strokes = [one.get("stroke-width") for one in shown.root.iter(f"{SVG}polyline")]
    assert strokes.count("2") == 1, "one card is crossed out"
    assert strokes.count("4") == 3, "a bar below each field that the marker can reach"
    assert shown.find("3 still wanted, you hold 2; trading 2 now pays 26")
    assert "It still wants 1 potato, 2 coffee, of which you hold 2; trading 2 now pays 26." in shown.told
    assert shown.find("the marker moves 1 field after a trade, otherwise 1 to 3")
    assert drawing(desk, 0).find("3 still wanted, you hold 3"), "not on turn: the price will be another one"


def test_too_many_cards_for_pips_are_numbers() -> None:
    desk = Desk(3, offers=(Amounts(butter=5, sugar=1), *deal().edition.offers[1:])).play("offer-1").price(10)
    assert drawing(desk.trade("butter", "butter"), 1).beside("offer 1") == ["B", "3", "S", "1"]


def test_SM_10_cards_in_force_change_what_is_drawn() -> None:
    desk = Desk(3).play("verdorbene-ware", "limit", "waren-knapp")
    waiting = drawing(desk)
    assert waiting.beside("Limit") == ["next trade round: ends at 25"]
    assert waiting.find("the round ends at 25")
    desk.play("offer-6").price(13)
    shown = drawing(desk)
    assert shown.find("the next one pays half: 6")
    assert shown.find("4 still wanted, you hold 4; trading 1 now pays 6")
    assert "A goods card pays 13, but the next one pays half, 6; the marker moves" in shown.told
    assert "The prices ahead are 16, 20, 25." in shown.told
    assert (
        "Verdorbene Ware lies open (this trade round: the first goods card pays half (done))."
        in drawing(desk.trade("potatoes")).told
    )
    last = drawing(desk.price(25), 1)
    assert last.find("may trade; it is the last turn of the round")
    assert last.find("the marker stays: it is the last turn of the round")


def test_the_seat_and_whose_turn_it_is_are_marked() -> None:
    desk = Desk(3).play("razzia")
    mine, other = drawing(desk, 0), drawing(desk, 2)
    assert mine.find("your turn")
    assert all(text.said != "your turn" for text in other.texts)
    for shown in (mine, other):
        head, row = sorted(text.y for text in shown.texts if text.said == "►")
        assert [text.said for text in shown.row(head)][:2] == ["►", "Anna"]
        assert [text.said for text in shown.row(row)][:2] == ["►", "Anna"]
        assert shown.find("names a player and a good (Razzia)")
    assert [text.said for text in other.row(other.find("you").y)][1:] == ["you", "0", "9", "3"]


def test_SM_11_everybody_is_waited_for() -> None:
    desk = Desk(3).goods(0, Amounts(sugar=1)).play("schnelles-geschaeft").do(Quick("sugar"))
    shown = drawing(desk, 2)
    assert [text.said for text in shown.texts].count("►") == 4
    assert "\nNothing to decide: all answer, then goods are dealt.\n" in shown.told


def test_SM_12_the_end_shows_ranks_in_order() -> None:
    desk = Desk(4)
    players = tuple(Player(luxury, 1, 3, 0) for luxury in (20, 75, 75, 0))
    desk.public(players=players)
    desk.step = replace(desk.step, pending=(), result=Result((3, 1, 1, 4), ((20,), (75,), (75,), (0,))))
    shown = drawing(desk)
    assert_well_drawn(shown)
    assert shown.players() == [(75, 1, 3), (75, 1, 3), (20, 1, 3), (0, 1, 3)]
    assert [text.said for text in shown.texts if text.said[0] in "1234" and text.said.endswith(".")] == [
        "1.", "1.", "3.", "4.",
    ]  # fmt: skip
    assert shown.find("2 players share the win with 75 luxury")
    assert "Anna (you) has rank 3 with 20 luxury, 1 goods card and 3 black-market cards." in shown.told


def test_a_game_that_others_left_is_over() -> None:
    desk = Desk(3)
    desk.step = replace(desk.step, pending=())
    shown = drawing(desk)
    assert_well_drawn(shown)
    assert shown.find("The game is over")
    assert "\nNobody is asked any more.\n" in shown.told


def test_SM_26_SM_27_everybody_sees_who_is_not_asked() -> None:
    desk = Desk(3).play("offer-1").do(Trade(Amounts(), 1, 3))
    desk.public(standing=(Words(), Words(), Words(10, 2)))
    shown = drawing(desk, 1)
    assert_well_drawn(shown)
    for line in (
        "sits out this trade round, the marker moves 3 each time",
        "is not asked below a price of 10, the marker then moves 2",
    ):
        assert shown.find(line)
        assert f"; {line}." in shown.told


def test_SM_12_how_near_the_end_is() -> None:
    shown = drawing(Desk(3).public(played=42, idle=12))
    assert shown.beside("black-market cards played") == ["42 of 100"]
    assert not shown.find("42 of 100").bold
    assert shown.beside("of them in a row without a trade") == ["12 of 15"]
    assert shown.find("12 of 15").bold
    assert "after 100 black-market cards; played so far: 42." in shown.told
    assert "after 15 of them in a row without a trade; so far: 12." in shown.told


def test_every_good_has_its_own_colour() -> None:
    cards = [
        one for one in drawing(Desk(3)).root.iter(f"{SVG}rect") if (one.get("width"), one.get("height")) == ("24", "30")
    ]
    assert len(cards) == len({one.get("fill") for one in cards}) == len(GOODS)


def test_SM_22_piles_and_what_lies_openly_under_them() -> None:
    offers = [f"offer-{number}" for number in range(1, 41)]
    under = ("butter", "butter", "sugar")
    shown = drawing(Desk(3).public(goods_pile=17, goods_under=under, card_pile=4, card_under=tuple(offers[:2])))
    line = shown.find("goods: 17 face down, face up under them 3:")
    assert [text.said for text in shown.row(line.y + 30)][1::2] == ["0", "0", "0", "2", "1"]
    assert shown.find("black market: 4 face down, face up under them 2:")
    assert shown.find("offer 1, offer 2")
    assert "17 cards face down, and face up under them 2 butter, 1 sugar." in shown.told
    assert shown.told.endswith("4 cards face down, and face up under them offer 1, offer 2.")
    full = drawing(Desk(3).public(card_under=tuple(offers)))
    assert_well_drawn(full)
    assert full.find("and more")
    assert full.told.endswith("offer 39, offer 40."), "the words have room for all of them"


def test_long_names_leave_room_for_what_follows() -> None:
    shown = drawing(Desk(5).public(start=4), 4)
    (name,) = (text for text in shown.texts if text.said.startswith("WWW"))
    after = shown.row(name.y)[1:]
    assert [text.said for text in after[:2]] == ["you", "start"]
    # A bold W is 1.1 times as wide as its size.
    assert name.left + 1.1 * name.size * len(name.said) < after[0].left
    assert name.said.endswith("W…")
    assert all(name in shown.told for name in NAMES)


def test_every_good_of_a_hand_has_its_column() -> None:
    drawing = Drawing(deal(3), Desk(3).sight())
    y = drawing.find("your goods").y
    heads = min((text.y for text in drawing.texts if text.y > y + 5), default=0)
    assert [text.said for text in drawing.row(heads)] == list(GOODS)
