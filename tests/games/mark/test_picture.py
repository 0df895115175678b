"""The picture for mails and web pages: whole, inside its sheet, nothing on top of another, true to the position."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from referee import svg
from referee.columns import columns
from referee.game import Ask
from referee.games.mark import GAME, rules
from referee.games.mark.types import KINDS, Bid, Deal, Edition, Lot, Offer, Options, Player, Row, Sell, Sight, Words
from referee.language import LANGUAGES, speaking
from tests.support.plain import play_out

from .build import BASE, EDITION, Desk, auction, deal, random_move, random_words

NAMES = ['<Anna> & "Söhne"', "Benedikt der Lange von und zu Musterstad", "株式会社" * 10, "W" * 40]
NS = "{http://www.w3.org/2000/svg}"
PALETTE = {*svg.COLOURS.values(), svg.INK, svg.GROUND, svg.PAPER, svg.LINE, svg.FAINT, "none"}
PAINT = {"gla": "white", "pla": "red", "pap": "blue", "met": "gold", "com": "green"}
FIELD = re.compile(r"!?([dp][1-9])!?")


class Box(NamedTuple):
    """Something drawn, and the space that it takes."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    fill: str = ""
    edge: float = 1

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def holds(self, other: "Box") -> bool:
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom


class Sheet:
    """A picture taken apart."""

    def __init__(self, terms: Deal, view: Sight, width: int = svg.WIDTH) -> None:
        assert GAME.picture is not None
        self.width = width
        self.source = GAME.picture(terms, view, NAMES[: terms.seats], width)
        self.root = ET.fromstring(self.source)
        left, top, right, bottom = map(float, self.root.attrib["viewBox"].split())
        self.size = Box("", left, top, right, bottom)
        self.texts = [text_box(one) for one in self.root.iter(f"{NS}text")]
        self.rects = [rect_box(one) for one in self.root.iter(f"{NS}rect")]
        self.told = (self.root.findtext(f"{NS}desc") or "").split("\n")

    def named(self, text: str) -> Box:
        return next(one for one in self.texts if one.text == text)

    def within(self, frame: Box) -> list[str]:
        """The texts in a box, line by line."""
        inside = [one for one in self.texts if frame.holds(one)]
        return [one.text for one in sorted(inside, key=lambda one: (one.bottom, one.left))]

    def band(self, top: str, bottom: str) -> list[Box]:
        """The texts between two headings, from the left."""
        first, last = self.named(top).bottom, self.named(bottom).top
        return sorted((one for one in self.texts if first < one.top and one.bottom < last), key=lambda one: one.left)

    def plants(self) -> list[Box]:
        begin = self.named("Plants").bottom
        return [one for one in self.rects if one.top > begin and one.bottom - one.top > 100]


def text_box(one: ET.Element) -> Box:
    text, size = one.text or "", float(one.attrib["font-size"])
    assert size >= 13
    # 0.62 is what letters take on average; W and Chinese signs take more, and a name may have nothing else.
    room = size * sum(1.1 if sign == "W" or columns(sign) > 1 else 0.62 for sign in text)
    x, y = float(one.attrib["x"]), float(one.attrib["y"])
    left = x - {"start": 0.0, "middle": room / 2, "end": room}[one.attrib["text-anchor"]]
    return Box(text, left, y - 0.75 * size, left + room, y, one.attrib["fill"])


def rect_box(one: ET.Element) -> Box:
    x, y, w, h = (float(one.attrib[name]) for name in ("x", "y", "width", "height"))
    return Box("", x, y, x + w, y + h, one.attrib["fill"], float(one.get("stroke-width", 1)))


def assert_form(sheet: Sheet) -> None:
    """Well-formed, as wide as wanted, small, in known colours; all inside, and no text on top of another."""
    assert (sheet.root.get("width"), sheet.size.right) == (str(sheet.width), sheet.width)
    assert float(sheet.root.attrib["height"]) == sheet.size.bottom
    assert len(sheet.source.encode()) < 100_000
    assert len("\n".join(sheet.told)) <= 4000
    assert all(line.endswith(".") for line in sheet.told)
    for part in sheet.root.iter():
        for colour in filter(None, (part.get("fill"), part.get("stroke"))):
            assert colour in PALETTE or re.fullmatch(r"#(..)\1\1", colour), colour
    for one in (*sheet.texts, *sheet.rects):
        assert sheet.size.holds(one), one
    for one, other in combinations(sorted(sheet.texts, key=lambda one: one.top), 2):
        assert other.top > one.bottom or not one.meets(other), (one, other)


def assert_room_in_every_language(terms: Deal, view: Sight) -> None:
    for language in LANGUAGES:
        with speaking(language):
            for width in svg.WIDTHS:
                assert_form(Sheet(terms, view, width))


# --- what is drawn ---------------------------------------------------------------------------------------------------


def assert_market(sheet: Sheet, terms: Deal, view: Sight) -> None:
    """In the printed market, row by row and kind by kind."""
    public = view.public
    full = sum(row.pieces == 5 for row in public.market)
    assert f"full rows: {full} of 4" in [one.text for one in sheet.texts]
    drawn = sheet.band("bank", "Plants")
    for number, (row, kind, values) in enumerate(zip(public.market, KINDS, EDITION.market, strict=True)):
        mark = next(one for one in drawn if one.text == str(number + 1))
        found = [one.text for one in drawn if abs(one.bottom - mark.bottom) < 5]
        placed = [row.kind[:3]] * row.pieces if row.kind else []
        at = next((at for at, one in enumerate(public.market) if one.kind == kind), None)
        coming = 0 if at is None else [*EDITION.market[at], 0][public.market[at].pieces]
        lowest = coming // 2 if terms.options.liquidation else 0
        brings = "row?" if at is None else str(coming) if coming else "full"
        facts = [kind, str(public.bank[number]), brings, str(lowest or 1)]
        assert found == [str(number + 1), row.kind or "free", *placed, *map(str, values[row.pieces :]), *facts]


def assert_plants(sheet: Sheet, view: Sight) -> None:
    """Every plant has its money and its pieces, each on its field in the colour of its kind."""
    public = view.public
    for seat, (frame, player) in enumerate(zip(sheet.plants(), public.players, strict=True)):
        texts = sheet.within(frame)
        assert f"{player.money} M" in texts
        assert ("you" in texts) == (seat == view.seat)
        assert ("►" in texts) == (frame.edge > 1) == (bool(view.pending) and seat == public.turn)
        assert fields(sheet, frame) == held(player)
        marked = [one for one in texts if one.startswith("!")]
        lot = public.lot
        assert marked == ([f"!{lot.field}!"] if lot and lot.owner == seat else [])
        said = [phrase for phrase in ("roll always", "bid nothing", "offer nothing") if phrase in " ".join(texts)]
        assert said == phrases(public.standing[seat])


def fields(sheet: Sheet, frame: Box) -> dict[str, str]:
    """Field and kind, read off the boxes in a plant."""
    found = {}
    for one in sheet.rects:
        texts = sheet.within(one) if frame.holds(one) and one != frame else []
        if texts and (name := FIELD.fullmatch(texts[0])):
            found[name[1]] = texts[1] if len(texts) > 1 else ""
            assert one.fill == (svg.COLOURS[PAINT[texts[1]]] if len(texts) > 1 else svg.GROUND)
    return found


def held(player: Player) -> dict[str, str]:
    areas = (("p", player.processing), ("d", player.delivery))
    return {f"{area}{at + 1}": kind[:3] if kind else "" for area, row in areas for at, kind in enumerate(row)}


def phrases(words: Words) -> list[str]:
    said = {"roll always": words.roll, "bid nothing": words.bid, "offer nothing": words.offer}
    return [phrase for phrase, value in said.items() if value != "ask"]


# --- what is told ----------------------------------------------------------------------------------------------------


def assert_told(sheet: Sheet, terms: Deal, view: Sight) -> None:
    """The words have everything."""
    public, told = view.public, "\n".join(sheet.told)
    for seat, (name, player) in enumerate(zip(NAMES, public.players, strict=False)):
        you = " (you)" if seat == view.seat else ""
        (line,) = [line for line in sheet.told if line.startswith(f"{name}{you} has {player.money} Mark; ")]
        pieces = {field: kind[:3] for kind, field in re.findall(r"(\w+) on ([dp]\d)", line)}
        assert pieces == {field: kind for field, kind in held(player).items() if kind}
        said = ", ".join(phrases(public.standing[seat]))
        assert (f"Standing orders of {name}: {said}." in sheet.told) == bool(said)
    for number, (row, values) in enumerate(zip(public.market, terms.edition.market, strict=True)):
        (line,) = [line for line in sheet.told if line.startswith(f"Row {number + 1} ")]
        assert not row.kind or f" holds {row.kind} on {row.pieces} of {len(values)} field" in line
        assert [int(value) for value in re.findall(r"\d+", line.split(";")[1])] == [*values[row.pieces :]]
    for kind, count in zip(KINDS, public.bank, strict=True):
        assert f"Pieces of {kind} in the bank: {count}; " in told
    for ask in view.pending:
        assert [line for line in sheet.told if line.startswith(f"{NAMES[ask.seat]} ") and " has " not in line]
    assert ("The game is over." in sheet.told) == (not view.pending)
    assert (f"It is the turn of {NAMES[public.turn]}." in sheet.told) == bool(view.pending)
    assert (f"The dice show {' and '.join(public.dice)}." in sheet.told) == bool(public.dice and view.pending)
    assert ("is auctioned" in told) == (public.lot is not None)


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {}), (4, {}), (4, BASE)])
def test_whole_games(seats: int, options: dict[str, bool]) -> None:
    terms, rng, whats = deal(seats, **options), random.Random(2), set()
    for at, moment in enumerate(play_out(GAME, terms, random_move, random.Random(1))):
        standing = tuple(random_words(rng) for _ in range(seats))
        view = replace(moment.seen(at % seats), public=replace(moment.step.public, standing=standing))
        what = "".join({ask.what for ask in view.pending})
        if at % 18 and what in whats:
            continue
        whats.add(what)
        sheet = Sheet(terms, view)
        assert_form(sheet)
        assert_market(sheet, terms, view)
        assert_plants(sheet, view)
        assert_told(sheet, terms, view)
        assert_room_in_every_language(terms, view)
    assert "" in whats
    assert {"act", "again", "name", "bid"} <= whats


def boxes() -> Iterator[Edition]:
    """Other boxes at the bounds of what is accepted."""
    dear = {"money": 99_999, "storage": 99_999, "buy_price": 99_999, "move_price": 99_999, "lowest_bid": 99_999}
    yield replace(EDITION, area=9, market=((99_999,) * 12,) * 5, pieces=40, storage_from=40, **dear)
    yield replace(EDITION, area=5, market=((100,) * 12,) * 5, pieces=12, lowest_bid=99_999)
    yield replace(EDITION, area=6, market=((1,), (2,) * 5, (1000,) * 3, (4,), (5,)), storage_from=1)
    yield replace(EDITION, area=1, market=((0,),) * 5, pieces=1, money=0, full_rows=1, idle_rounds=1)


@pytest.mark.parametrize("one", [*boxes()], ids=["largest", "long", "mixed", "smallest"])
@pytest.mark.parametrize("seats", [2, 4])
def test_other_boxes(one: Edition, seats: int) -> None:
    terms = Deal(seats, Options(), one)
    rules.validate(terms)
    for at, moment in enumerate(play_out(GAME, terms, random_move, random.Random(seats))):
        if at % 50 == 0 or moment.step.result:
            sheet = Sheet(terms, moment.seen(0))
            assert_form(sheet)
            assert_form(Sheet(terms, moment.seen(0), svg.NARROW))
            assert_plants(sheet, moment.seen(0))
            assert_told(sheet, terms, moment.seen(0))
            drawn = Counter(text.text for text in sheet.band("Market", "Plants"))
            pairs = list(zip(one.market, moment.step.public.market, strict=True))
            assert sum(drawn[short] for short in PAINT) == sum(row.pieces for _, row in pairs)
            free = Counter(str(value) for values, row in pairs for value in values[row.pieces :])
            assert free <= drawn


def test_the_largest_position_has_room() -> None:
    """Everything at its longest: full plants, all money, all standing orders, everybody asked."""
    desk = Desk(4).edition(area=9, market=((99_999,) * 12,) * 5, pieces=40, buy_price=99_999, storage=99_999)
    full = Player(10**12, ("composite",) * 9, ("composite",) * 9)
    desk.public(
        players=(full,) * 4, standing=(Words("always", "nothing", "nothing"),) * 4, lot=Lot("composite", 1, "p9")
    )
    desk.public(dice=("hammer", "composite"), market=tuple(Row(kind, 1) for kind in KINDS))
    for what in ("bid", "offer"):
        view = replace(desk.seen(0), pending=tuple(Ask(seat, what) for seat in range(4)))
        sheet = Sheet(desk.terms, view)
        assert_form(sheet)
        assert_plants(sheet, view)
        assert_told(sheet, desk.terms, view)
        assert_room_in_every_language(desk.terms, view)
    small = replace(EDITION, area=5)
    view = replace(view, public=replace(view.public, players=(Player(10**12, ("metal",) * 5, ("metal",) * 5),) * 4))
    assert_room_in_every_language(replace(desk.terms, edition=small), view)


# --- one at a time ---------------------------------------------------------------------------------------------------


def texts(desk: Desk, seat: int = 0) -> list[str]:
    return [one.text for one in Sheet(desk.terms, desk.seen(seat)).texts]


def test_MK_7_what_the_dice_allow() -> None:
    desk = Desk().plant(0, d1="glass")
    assert "one action with glass or paper" in texts(desk.roll("glass", "paper"))
    assert "one action with any kind" in texts(Desk().roll("glass", "star"))
    double = Desk().roll("paper", "paper")
    assert "up to two actions with paper" in texts(double)
    assert "a second action with paper" in texts(replace_pending(double, "again"))
    assert {"hammer", "star", "a piece of any kind can be auctioned"} <= {*texts(Desk().roll("hammer", "star"))}
    assert "hammer" not in texts(Desk())


def replace_pending(desk: Desk, what: str) -> Desk:
    desk.step = replace(desk.step, pending=(Ask(0, what),))
    return desk


def test_MK_10_the_auction() -> None:
    desk = auction(Lot("glass", 1, "p2")).row(2, "glass", 2)
    drawn = texts(desk)
    assert {"Auction: glass", "bids from 7; the bank bids 7", "!p2!"} <= {*drawn}
    assert [one for one in drawn if re.fullmatch(r"from Benedikt.*, p2", one)]
    assert "from the bank" in texts(auction(Lot("glass")))
    assert "bids from 1" in texts(auction(Lot("glass"), **BASE))
    desk = Desk().plant(1, d1="glass").plant(2, d1="glass").roll("hammer", "glass")
    assert "from whoever offers a piece" in texts(desk)


def test_who_is_asked() -> None:
    desk = auction(Lot("glass", 1, "p2"))
    sheet = Sheet(desk.terms, desk.seen(2))
    asked = [one for one in sheet.texts if one.text.endswith(" bids in secret")]
    assert [one.text[:3] for one in asked] == ["<An", "株式会"]
    assert sheet.named("you").bottom == asked[1].bottom
    (mine,) = [one for one in Sheet(desk.terms, desk.seen(1)).texts if one.text == "you"]
    assert mine.top > sheet.named("Plants").bottom


def test_MK_5_and_MK_11_costs_and_the_end_are_announced() -> None:
    desk = Desk().plant(0, d1="glass", d2="glass", d4="paper").public(idle=90)
    assert {"storage 5 a turn", "The game also ends after 1 more turn without a sale"} <= {*texts(desk)}
    assert "storage 5 a turn" not in texts(Desk())
    assert "buy 5 · move 10 · storage 5 from 3 pieces" in texts(Desk())
    assert {"storage 5 from 3 pieces", "without buy, move, offer, liquidation"} <= {*texts(Desk(**BASE))}


def test_MK_15_what_every_kind_is_worth_is_told() -> None:
    desk = Desk().row(2, "glass", 2).row(0, "paper", 5).plant(1, d1="metal", d2="metal", d4="plastic")
    told = Sheet(desk.terms, desk.seen(0)).told
    for line in (
        "Full rows of the market: 1; 4 end the game.",
        "Pieces of glass in the bank: 6; the next piece sold earns 15; bids start at 7; its liquidation value is 7.",
        "Pieces of paper in the bank: 3; the next piece sold earns 0; bids start at 1; its liquidation value is 0.",
        "Pieces of metal in the bank: 6; the next piece sold opens a row; bids start at 1; its liquidation value is 1.",
        "Prices: buy 5, move 10, storage 5 from 3 pieces in an area.",
    ):
        assert line in told
    assert [line.endswith("; storage costs 5 a turn.") for line in told if " Mark; " in line] == [False, True, False]
    base = Desk(**BASE).row(2, "glass", 2)
    line = "Pieces of glass in the bank: 6; the next piece sold earns 15; bids start at 1."
    assert line in Sheet(base.terms, base.seen(0)).told


def test_the_end_shows_ranks_in_order() -> None:
    desk = Desk().row(0, "glass", 5).row(1, "paper", 5).row(2, "metal", 5).row(3, "plastic", 4).plant(0, p1="plastic")
    desk.money(10, 99, 38).roll("plastic", "paper").do(Sell("p1"))
    sheet = Sheet(desk.terms, desk.seen(2))
    assert_form(sheet)
    assert_form(Sheet(desk.terms, desk.seen(2), svg.NARROW))
    lines = [one for one in sheet.texts if one.bottom < sheet.named("Market").top]
    rows = sorted({one.bottom for one in lines})[2:]
    shown = [[one.text[:3] for one in sorted(lines, key=lambda one: one.left) if one.bottom == row] for row in rows]
    assert shown == [["1.", "Ben", "99 "], ["2.", "<An", "38 "], ["2.", "株式会", "38 "]]
    assert sheet.told[2:5] == [f"{NAMES[1]} has rank 1.", f"{NAMES[0]} has rank 2.", f"{NAMES[2]} has rank 2."]
    left = replace(desk.seen(2), result=None)
    assert "1." not in [one.text for one in Sheet(desk.terms, left).texts]


def test_what_is_sealed_leaves_no_trace() -> None:
    """Fields of those who did not win, and offers after the one that counts, are never shown to others."""
    offers = [Desk().plant(1, d1="glass").plant(2, d1="glass").roll("hammer", "glass") for _ in range(2)]
    for desk, last in zip(offers, (Offer("d1"), Offer(None)), strict=True):
        desk.all({1: Offer("d1"), 2: last})
    bids = [auction(Lot("glass")) for _ in range(2)]
    for desk, second in zip(bids, (Bid(2, "d1"), Bid(2, "d3")), strict=True):
        desk.all({0: Bid(5, "d2"), 1: second, 2: Bid(0, None)})
    for one, other in (offers, bids):
        for seat in range(3):
            assert Sheet(one.terms, one.seen(seat)).source == Sheet(other.terms, other.seen(seat)).source
        assert Sheet(one.terms, one.seen(0)).source != Sheet(one.terms, one.seen(1)).source
