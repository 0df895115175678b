"""The picture for mails and web pages: a sound sheet with everything on it that a seat may see, and nothing else."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from referee.columns import columns
from referee.game import Ask
from referee.games.weg_zum_erfolg import GAME
from referee.games.weg_zum_erfolg.board_map import layout
from referee.games.weg_zum_erfolg.board_svg_plan import HALF, ROW, SLIM, WIDE, MapLayout, Plan, R
from referee.games.weg_zum_erfolg.types import LEVELS, OUT, RESERVE, Card, Chip, Deal, Piece, Sight, Task
from referee.games.weg_zum_erfolg.words_standing import text as standing_text
from referee.language import LANGUAGES, speaking
from referee.svg import COLOURS, FAINT, GROUND, INK, LINE, NARROW, PAPER, SEATS, WIDTH, WIDTHS
from tests.support.plain import PlainDraws, play_out, seen

from .build import OURS, VARIANTS, Desk, our_deal, our_desk, random_words
from .other import BOARDS, MINE, accepted, by_random, copy, read

NAMES = ["Anna & <Co>", "Benedikt" * 5, "株式会社大黒天一二三四五" * 3, "Dörte", "W" * 40, "Franz", "Greta", "Hugo"]
NS = "{http://www.w3.org/2000/svg}"
ALLOWED = {*COLOURS.values(), INK, GROUND, PAPER, LINE, FAINT, "none"}
LETTERS = "abcdefgh"
PIECES = {f"{letter}1" for letter in LETTERS}


def picture(terms: Deal, view: Sight, width: int = WIDTH) -> str:
    assert GAME.picture is not None
    return GAME.picture(terms, view, NAMES[: terms.seats], width)


def told(svg: str) -> str:
    return ET.fromstring(svg).findtext(f"{NS}desc") or ""


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter(f"{NS}text")]


# --- the sheet --------------------------------------------------------------------------------------------------------


def assert_sheet(svg: str, wanted: int = WIDTH) -> None:
    """Well formed, small enough, in the colours of all games, with letters of a readable size inside the edges."""
    root = ET.fromstring(svg)
    assert len(svg.encode()) < 100_000
    assert 1 < len(root.findtext(f"{NS}desc") or "") <= 4000
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert (left, top, width) == (0, 0, wanted)
    assert (root.attrib["width"], float(root.attrib["height"])) == (str(wanted), height)
    for part in root.iter():
        assert {part.attrib.get(paint, "none") for paint in ("fill", "stroke")} <= ALLOWED
        for x, y in corners(part):
            assert 0 <= x <= width
            assert 0 <= y <= height


def assert_sheets(terms: Deal, view: Sight) -> None:
    """The same in every language, and for every width."""
    for language in LANGUAGES:
        with speaking(language):
            for width in WIDTHS:
                assert_sheet(picture(terms, view, width), width)


def corners(part: ET.Element) -> Iterator[tuple[float, float]]:
    """The box of a text, estimated, and the corners of shapes."""
    at = {name: float(value) for name, value in part.attrib.items() if re.fullmatch(r"-?[\d.]+", value)}
    if part.tag == f"{NS}text":
        assert at["font-size"] >= 13
        room = columns(part.text or "") * 0.62 * at["font-size"]
        first = at["x"] - {"start": 0, "middle": room / 2, "end": room}[part.attrib["text-anchor"]]
        yield from ((first, at["y"] - at["font-size"]), (first + room, at["y"]))
    elif part.tag == f"{NS}rect":
        yield from ((at["x"], at["y"]), (at["x"] + at["width"], at["y"] + at["height"]))
    elif part.tag == f"{NS}circle":
        yield from ((at["cx"] - at["r"], at["cy"] - at["r"]), (at["cx"] + at["r"], at["cy"] + at["r"]))
    elif part.tag == f"{NS}polygon":
        for corner in part.attrib["points"].split():
            x, y = corner.split(",")
            yield float(x), float(y)


# --- what it says -----------------------------------------------------------------------------------------------------


def assert_told(terms: Deal, view: Sight, svg: str) -> None:
    """The description has every fact of the position, and the text in the picture has those about players: points,
    cards, pieces."""
    public, lines = view.public, told(svg).splitlines()
    for seat, player in enumerate(public.players):
        (line,) = (line for line in lines if line.startswith(f"Player {LETTERS[seat]} is {NAMES[seat]}"))
        found = re.search(r"(\d+) points?, cards ([\d ]+|none)\. Pieces: (.*)\.$", line)
        assert found, line
        assert int(found[1]) == player.points
        assert [int(card) for card in found[2].replace("none", "").split()] == [*player.hand]
        wanted = [f"{LETTERS[seat]}{n + 1} {where(terms, piece)}" for n, piece in enumerate(player.pieces)]
        assert found[3].split("; ") == wanted
        assert (", you" in line) == (seat == view.seat)
        assert ("misses" in line) == bool(player.misses)
    assert cards(svg) == Counter(str(card) for player in public.players for card in player.hand)
    assert {str(player.points) for player in public.players} <= {*texts(svg)}
    for ask in view.pending:
        assert any(line.startswith(f"{NAMES[ask.seat]} ") for line in lines)
    assert ("The game is over." in lines) == (not view.pending)
    assert (f"It is the turn of {NAMES[public.turn]}." in lines) == bool(view.pending)
    assert (f"The black die shows {public.throw}." in lines) == bool(public.throw)
    assert f"chance cards: {public.chance_pile} unseen, {len(public.chance_under)} used" in told(svg)
    for seat, words in enumerate(public.standing):
        phrases = [re.sub("@([0-7])", lambda found: LETTERS[int(found[1])], one) for one in standing_text(words)]
        assert (f"Standing orders of {NAMES[seat]}: {'; '.join(phrases)}." in lines) == bool(phrases)


def cards(svg: str) -> Counter[str]:
    """The numbers written in the middle of something, small and not bold: cards in hands."""
    small = [text for text in ET.fromstring(svg).iter(f"{NS}text") if text.get("font-size") == "13"]
    middle = [text for text in small if text.get("text-anchor") == "middle" and text.get("font-weight") is None]
    return Counter(text.text or "" for text in middle if (text.text or "").isdigit())


def where(terms: Deal, piece: Piece) -> str:
    board = terms.edition.board
    if piece.at in (RESERVE, OUT):
        return {RESERVE: "in the reserve", OUT: "out of the game"}[piece.at]
    if piece.at in board.goals:
        return f"home in goal {board.goals.index(piece.at) + 1}"
    field = board.fields[piece.at]
    kinds = {"start": "start", "star": "star", "question": '"?"', "head": "head", "chip": "chip field"}
    kind = kinds.get(field.kind, "junction" if field.up and (field.left or field.right) else "field")
    return f"on {field.level} {kind} {piece.at}, heading {piece.heading}"


def assert_pieces(view: Sight, svg: str) -> None:
    """Every piece on the board is drawn once, and no other; pieces of a crowded field may be counted instead."""
    drawn = Counter(text for text in texts(svg) if re.fullmatch("[a-h][1-9]", text))
    pieces = {
        f"{LETTERS[seat]}{n + 1}": piece
        for seat, player in enumerate(view.public.players)
        for n, piece in enumerate(player.pieces)
        if piece.at not in (RESERVE, OUT)
    }
    counted = sum(int(text[1:]) for text in texts(svg) if re.fullmatch(r"\+\d+", text))
    assert drawn.total() + counted == len(pieces)
    assert {*drawn} <= {*pieces}
    assert max(drawn.values(), default=1) == 1


@pytest.mark.parametrize(("seats", "variant"), [*zip((2, 3, 4, 4, 5, 6, 7, 8), VARIANTS, strict=True)])
def test_random_games_have_sound_pictures_that_tell_all(seats: int, variant: str) -> None:
    terms, rng = our_deal(seats, **VARIANTS[variant]), random.Random(f"{seats}")
    looked = 0
    for at, moment in enumerate(play_out(GAME, terms, by_random, rng)):
        if at > 5 and at % 40 and moment.step.pending:
            continue
        words = tuple(random_words(rng) for _ in range(seats))
        step = replace(moment.step, public=replace(moment.step.public, standing=words)) if at % 3 else moment.step
        view = seen(step, moment.draws, at % seats)
        svg = picture(terms, view)
        assert_sheets(terms, view)
        assert_told(terms, view, svg)
        assert_pieces(view, svg)
        looked += 1
    assert looked > 6


def test_LO_20_the_result_is_told_with_ranks() -> None:
    terms = our_deal(3)
    *_, last = play_out(GAME, terms, by_random, random.Random(4))
    svg = picture(terms, last.seen(1))
    assert last.step.result is not None
    assert "shortest way" not in told(svg)
    for seat, rank in enumerate(last.step.result.ranks):
        points = last.step.public.players[seat].points
        assert re.search(rf"Player {LETTERS[seat]} is .*: rank {rank}, {points} point", told(svg))
        assert f"{rank}." in texts(svg)


# --- single facts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("plan", "over"), [(WIDE, 0), (SLIM, 1)], ids=["wide", "narrow"])
def test_pieces_on_any_two_fields_have_room_beside_each_other(plan: Plan, over: int) -> None:
    """On a narrow sheet their edges may touch."""
    mapped = MapLayout(layout(OURS.fields), 0, plan)
    places = [mapped.at(field.id) for field in OURS.fields]
    assert len(places) == 195
    for (x, y), (a, b) in combinations(places, 2):
        assert abs(x - a) >= 2 * HALF - over or abs(y - b) >= 2 * R


@pytest.mark.parametrize("sheet", [WIDE, SLIM], ids=["wide", "narrow"])
def test_ways_lead_where_they_are_called(sheet: Plan) -> None:
    plan = MapLayout(layout(OURS.fields), 0, sheet)
    for field in OURS.fields:
        x, y = plan.at(field.id)
        for way, wanted in (("left", (-1, 0)), ("right", (1, 0)), ("up", (0, -1)), ("down", (0, 1))):
            if (to := getattr(field, way)) and "S" not in (field.id, to):
                a, b = plan.at(to)
                assert (a > x) - (a < x) == wanted[0]
                assert wanted[0] or (b > y) - (b < y) == wanted[1]


@pytest.mark.parametrize(("way", "x", "y"), [("left", -1, 0), ("right", 1, 0), ("up", 0, -1)])
@pytest.mark.parametrize("field", ["G2a", "G2", "S"])
def test_LO_11_a_piece_points_where_it_is_heading(field: str, way: Any, x: int, y: int) -> None:
    desk = our_desk(2).put(0, (field, way))
    root = ET.fromstring(picture(desk.terms, desk.sight(1)))
    (piece,) = (text for text in root.iter(f"{NS}text") if text.text == "a1")
    tips = [part.attrib["points"].split()[0] for part in root.iter(f"{NS}polygon") if part.get("fill") == INK]
    away = [(float(tip.split(",")[0]) - float(piece.attrib["x"]), float(tip.split(",")[1])) for tip in tips]
    middle = float(piece.attrib["y"]) - 4.7
    near = [(dx, b - middle) for dx, b in away if abs(dx) < 18 and abs(b - middle) < 18]
    assert [(round(dx / 15), round(dy / 15)) for dx, dy in near] == [(x, y)]


def solving(table: tuple[Card, ...] = ()) -> Desk:
    desk = our_desk(4).put(0, ("R2", "right"))
    desk.public(turn=0, task=Task(0, 3, target=8, table=table))
    desk.step = replace(desk.step, pending=(Ask(0, "solve"),))
    return desk


def test_LO_16_target_and_cards_on_the_table_are_shown() -> None:
    desk = solving((Card(1, 9), Card(3, 10)))
    svg = picture(desk.terms, desk.sight(0))
    assert f"The cards must make 8; on the table: 9 from {NAMES[1]}, 10 from Dörte." in told(svg)
    assert f"{NAMES[0]} moves a1 on red head R2, 3 steps left." in told(svg)
    assert {"Your turn", "target", "moves a1 on red head R2, 3 steps left"} <= {*texts(svg)}
    assert strong(svg) == ["12", "12"]  # the question, and the player whose turn it is
    other = picture(desk.terms, desk.sight(2))
    assert "Your turn" not in texts(other)
    assert strong(other) == ["12"]
    assert_sheet(svg)


def strong(svg: str) -> list[str]:
    """The left edges of boxes with a thick line around them."""
    return [part.attrib["x"] for part in ET.fromstring(svg).iter(f"{NS}rect") if part.get("stroke-width") == "2.5"]


def test_the_table_holds_a_card_of_every_opponent() -> None:
    desk = our_desk(8).put(0, ("R2", "right"))
    desk.public(turn=0, task=Task(0, 3, target=12, table=tuple(Card(seat, 11) for seat in range(1, 8))))
    asked = tuple(Ask(seat, "intervene") for seat in range(1, 8))
    desk.step = replace(desk.step, pending=(*asked, Ask(0, "solve")))
    assert_sheets(desk.terms, desk.sight(3))


def test_the_readers_pieces_have_corners_and_the_moving_one_a_ring() -> None:
    desk = solving()
    first = {seat: shapes(picture(desk.terms, desk.sight(seat)), COLOURS[SEATS[0]]) for seat in (0, 2)}
    assert "1" in first[0]
    assert "1" not in first[2]
    assert shapes(picture(desk.terms, desk.sight(2)), COLOURS["gold"]) == ["4", str(R + 4)]


def shapes(svg: str, colour: str) -> list[str]:
    """How round the rectangles of a colour are."""
    return [part.attrib.get("rx", "") for part in ET.fromstring(svg).iter(f"{NS}rect") if part.get("fill") == colour]


def test_LO_13_a_crowd_is_counted() -> None:
    desk = our_desk(8)
    for seat in range(8):
        desk.put(seat, ("G3", "up"), "S", "Z9")
    svg = picture(desk.terms, desk.sight(3))
    assert_sheet(svg)
    assert_sheet(picture(desk.terms, desk.sight(3), NARROW), NARROW)
    assert_pieces(desk.sight(3), svg)
    assert texts(svg).count("+5") == 1
    assert sum(bool(re.fullmatch("[a-h]2", text)) for text in texts(svg)) == 8


def test_LO_18_the_levels_in_danger_are_told() -> None:
    desk = our_desk(2).public(home=2)
    early = told(picture(desk.terms, desk.sight(0)))
    assert "2 pieces are home; the next one sweeps yellow, orange, green;" in early
    assert "shortest way" not in early
    desk.public(home=4)
    assert "4 pieces are home; everybody takes the shortest way;" in told(picture(desk.terms, desk.sight(0)))


# --- what is hidden ---------------------------------------------------------------------------------------------------


def laid(first: str, second: str) -> dict[int, Sight]:
    """Neue Ziele: seats 0 and 1 have laid these chips, seat 2 has not; what each of them sees."""
    desk = our_desk(3, neue_ziele=True)
    desk.public(chips=(Chip(None, 0, 0), Chip(None, 1, 1), *[None] * 7))
    draws = PlainDraws({"goal/0": [first], "goal/1": [second]}, random.Random(1), hands=GAME.hands)
    draws.placed = [(0, "goal/0", first), (1, "goal/1", second)]
    return {seat: seen(desk.step, draws, seat) for seat in range(3)}


def test_LO_22_a_chip_face_down_is_shown_to_the_one_who_laid_it_only() -> None:
    terms = our_deal(3, neue_ziele=True)
    one, other = laid("7", "4"), laid("4", "7")
    pictures = [{seat: picture(terms, view) for seat, view in world.items()} for world in (one, other)]
    assert pictures[0][2] == pictures[1][2]
    assert pictures[0][0] != pictures[1][0]
    assert {"(7)", "?b"} <= {*texts(pictures[0][0])}
    assert {"?a", "(4)"} <= {*texts(pictures[0][1])}
    assert {"?a", "?b", "–"} <= {*texts(pictures[0][2])}
    assert "from the left: 7 face down, laid by you; face down, laid by b; none yet;" in told(pictures[0][0])
    assert "dealt chip 7" in told(pictures[0][0])
    assert "from the left: face down, laid by a; face down, laid by b; none yet;" in told(pictures[0][2])


def test_LO_22_a_chip_that_only_another_knows_changes_nothing() -> None:
    terms = our_deal(3, neue_ziele=True)
    assert picture(terms, laid("7", "4")[0]) == picture(terms, laid("7", "9")[0])


# --- other editions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_another_board_is_shown_level_by_level(name: str) -> None:
    terms = accepted(BOARDS[name](), 4)
    for at, moment in enumerate(play_out(GAME, terms, by_random, random.Random(name))):
        if at % 15 == 0 or not moment.step.pending:
            view = moment.seen(at % 4)
            svg = picture(terms, view)
            assert_sheet(svg)
            assert_sheet(picture(terms, view, NARROW), NARROW)
            assert_told(terms, view, svg)
            assert_pieces(view, svg)
            assert_levels_are_named_in_their_first_row(svg)


def assert_levels_are_named_in_their_first_row(svg: str) -> None:
    """In the middle of it; a level of a large board has several rows, with all its words inside."""
    tops = [(float(one.get("y", "0")), float(one.get("height", "0")), one) for one in ET.fromstring(svg).iter()]
    bands = [at for at, (_, _, one) in enumerate(tops) if (one.get("x"), one.get("width")) == ("0", str(WIDE.band))]
    for at, end in zip(bands, [*bands[1:], None], strict=True):
        top, high, _ = tops[at]
        below = [y - top for y, _, one in tops[at:end] if one.tag == f"{NS}text"]
        assert abs((below[0] - 0.72 * 20 + below[1]) / 2 - min(high, ROW) / 2) < 1  # letter and number together
        if end is not None:  # behind the last level stand the pieces of all
            assert max(below) <= high
    assert len(bands) == len(LEVELS)


def largest() -> dict[str, Any]:
    """As many pieces and cards as there can be, and everything with two digits."""
    data = copy(MINE) | {"pieces": 9, "pieces_many": 9, "suit": list(range(80, 100)), "chips": list(range(91, 100))}
    data["thresholds"] = dict.fromkeys(LEVELS, 12)
    return data


@pytest.mark.parametrize("seats", [2, 8])
@pytest.mark.parametrize("crowded", [False, True])
def test_the_largest_edition_fits(seats: int, crowded: bool) -> None:
    # Only what the types allow: with this many pieces, a game of eight would be refused for its length.
    terms = Deal(seats, our_deal().options, read(largest()))
    view = next(iter(play_out(GAME, terms, by_random, random.Random(1)))).seen(0)
    fields = ["S", "G3", "Z9"] if crowded else [field.id for field in terms.edition.fields]
    rng = random.Random(seats)
    spread = rng.sample(fields, 72) if not crowded else [fields[at % 3] for at in range(72)]
    players = tuple(
        replace(player, points=999, pieces=tuple(Piece(at, "up") for at in spread[9 * seat : 9 * seat + 9]))
        for seat, player in enumerate(view.public.players)
    )
    standing = tuple(random_words(rng) for _ in range(seats))
    view = replace(view, public=replace(view.public, players=players, standing=standing))
    svg = picture(terms, view)
    assert_sheets(terms, view)
    assert_pieces(view, svg)
    assert_levels_are_named_in_their_first_row(svg)
    for seat, player in enumerate(players):
        assert f"Player {LETTERS[seat]} is {NAMES[seat]}" in told(svg)
        assert all(re.search(rf"\b{piece.at}\b|goal", told(svg)) for piece in player.pieces)


def test_fields_of_other_levels_than_their_rows_are_not_drawn_wrongly() -> None:
    fields = tuple(replace(field, level="green") if field.id == "R3a" else field for field in OURS.fields)
    desk = our_desk(3).put(0, "R3a")
    listed = picture(Deal(3, desk.terms.options, replace(OURS, fields=fields)), desk.sight(0))
    assert "R3a→" in texts(listed)
    assert OURS.board.fields["R3a"].level == "red"
    assert "R3a→" not in texts(picture(desk.terms, desk.sight(0)))
    assert_sheet(listed)


@pytest.mark.parametrize(("field", "across", "step"), [("G2", 2, -1), ("S", 12, 1), ("Z9", 2, -1)])
def test_pieces_of_one_field_stand_in_lines_beside_it(field: str, across: int, step: int) -> None:
    """Two side by side above a decision field or a goal, twelve below S; the next line is further away from it."""
    desk = our_desk(8)
    for seat in range(8):
        desk.put(seat, field)
    root = ET.fromstring(picture(desk.terms, desk.sight(0)))
    at = [(float(one.attrib["x"]), float(one.attrib["y"])) for one in root.iter(f"{NS}text") if one.text in PIECES]
    lines = list(dict.fromkeys(y for _, y in at))
    counts = [sum(y == line for _, y in at) for line in lines]
    assert len(at) > 2
    assert counts == [*[across] * (len(at) // across), *([len(at) % across] if len(at) % across else [])]
    assert lines == sorted(lines, reverse=step < 0)
    for line in lines:
        xs = sorted(x for x, y in at if y == line)
        assert all(2 * HALF <= right - left < 3 * HALF for left, right in pairwise(xs))
