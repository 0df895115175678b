"""The terminal picture: narrow enough, aligned, and nothing missing."""

import random
import re
import unicodedata
from collections import Counter

import pytest
from msgspec.structs import replace

from referee.game import Step
from referee.games.weg_zum_erfolg import GAME
from referee.games.weg_zum_erfolg.board import ASKED, render
from referee.games.weg_zum_erfolg.board_map import BLUE, GOALS, NARROW, WIDE, layout
from referee.games.weg_zum_erfolg.bots import random_move
from referee.games.weg_zum_erfolg.types import OUT, RESERVE, Card, Chip, Deal, Piece, Sight, Task, Words
from tests.support.plain import play_out, seen

from .build import OURS, Desk, our_deal, our_desk, random_words
from .test_moves import VARIANTS

NAMES = ["Anna", "Benedikt der Lange", "株式会社大黒天一二三", "Dörte", "E", "Franz", "Greta", "Hugo"]
STYLES = {"yellow", "blue", "red", "green", "orange", "black", "bold", "dim"}
PLACES = layout(OURS.fields)
LEFT = WIDE.left


def plain(text: str, style: str) -> str:
    assert style in STYLES
    return text


def marked(text: str, style: str) -> str:
    return f"\x1b{style}\x02{text}\x03"


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)


def board(desk: Desk, seat: int = 0, width: int = 100) -> str:
    return render(desk.terms, desk.sight(seat), NAMES[: desk.terms.seats], plain, width)


def board_of(shown: str) -> list[str]:
    """The lines of the board, so that the blue row is line BLUE: lines for pieces that are home may be missing."""
    lines = shown.split("── Players")[0].splitlines()[1:]
    blue = next(at for at, line in enumerate(lines) if line.count("H") == line.count("?") == 4)
    return [*[""] * (BLUE - blue), *lines]


def test_LO_5_every_field_has_a_place_of_its_own() -> None:
    assert len(PLACES) == len(set(PLACES.values())) == 195
    assert max(LEFT + 3 * step for _, step in PLACES.values()) < 99


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [3, 8])
def test_whole_games_fit_and_show_every_fact(seats: int) -> None:
    asked = set()
    for seed, options in enumerate(VARIANTS):
        terms, rng = our_deal(seats, **options), random.Random(seed)
        for at, moment in enumerate(play_out(GAME, terms, lambda t, view, r: random_move(t, view, r.randrange), rng)):
            asked |= {ask.what for ask in moment.step.pending}
            if at % 8 and moment.step.pending:
                continue
            said = tuple(random_words(rng) if rng.random() < 0.3 else Words() for _ in range(seats))
            step = replace(moment.step, public=replace(moment.step.public, standing=said))
            sight = seen(step, moment.draws, at // 8 % seats)
            shown = {width: render(terms, sight, NAMES[:seats], plain, width) for width in (100, 99, 80, 79, 60)}
            for width, text in shown.items():
                assert max(map(columns, text.splitlines())) <= width
                assert [line for line in text.splitlines() if line != line.rstrip()] == []
                assert_now(text, step)
            assert_pieces(shown[100], step)
            assert_players(shown[100], step)
            assert_chips(board_of(shown[100])[GOALS], sight)
            assert_narrow(shown[80], step, sight)
            assert_levels(shown[60], step, sight)
    assert asked >= set(ASKED) - {"opponent"}


def assert_narrow(shown: str, step: Step, sight: Sight) -> None:
    """With one column for a field, letters stand on the small fields, and the table says where every piece is."""
    lines, table = board_of(shown), shown.split("── Players")[1].split("\n── ")[0]
    assert_chips(lines[GOALS], sight)
    rows = re.findall(r"^    pieces (.*)$", table, re.MULTILINE)
    for seat, (player, row) in enumerate(zip(step.public.players, rows, strict=True)):
        assert row.split("  ") == [f"{n + 1} {spot(piece)}" for n, piece in enumerate(player.pieces)]
        for piece in player.pieces:
            if piece.at in OURS.board.single:
                line, at = PLACES[piece.at]
                assert lines[line][NARROW.left + 2 * at] == "abcdefgh"[seat]
    assert_hands(table, step)


def spot(piece: Piece) -> str:
    """Where a piece is, and in play how it goes on."""
    if piece.at not in OURS.board.fields or piece.at in OURS.board.goals:
        return piece.at
    sign = {"question": "?", "head": "H"}.get(OURS.board.fields[piece.at].kind, "")
    return piece.at + sign + {"up": "↑", "left": "←", "right": "→"}[piece.heading]


def assert_levels(shown: str, step: Step, sight: Sight) -> None:
    """Below 80 columns: every piece is on the row of its level, with its field."""
    top, table = shown.split("── Players")[0], shown.split("── Players")[1].split("\n── ")[0]
    assert_chips(top.splitlines()[1], sight)
    rows = dict(re.findall(r"^(\w+)(.*(?:\n {11}.*)*)$", "\n".join(top.splitlines()[2:]), re.MULTILINE))
    assert list(rows) == ["goal", "blue", "red", "green", "orange", "yellow", "reserve", "out"]
    for seat, player in enumerate(step.public.players):
        for number, piece in enumerate(player.pieces):
            away = piece.at in (RESERVE, OUT)
            row = piece.at if away else "goal" if piece.at in OURS.board.goals else OURS.board.fields[piece.at].level
            name = f"{'abcdefgh'[seat]}{number + 1}"
            assert re.search(rf"\b{name}{'' if away else ' ' + re.escape(spot(piece))}(?: |$)", rows[row], re.MULTILINE)
    assert_hands(table, step)


def assert_hands(table: str, step: Step) -> None:
    """Points and cards of the narrow tables."""
    rows = re.findall(
        r"^(► |  )[a-h] .{4,12} (\d+) points?; cards((?: [\dx]+| none)+)((?:\n     [\dx ]+$)*)", table, re.M
    )
    for seat, (player, row) in enumerate(zip(step.public.players, rows, strict=True)):
        cards = [card.split("x") for card in (row[2] + row[3]).replace("none", "").split()]
        assert tuple(int(card[0]) for card in cards for _ in range(int([*card, "1"][1]))) == player.hand
        assert int(row[1]) == player.points
        assert (row[0] == "► ") == any(ask.seat == seat for ask in step.pending)


def assert_pieces(shown: str, step: Step) -> None:
    """Every piece in play or home is in the picture, small fields exactly where they are."""
    lines = board_of(shown)
    there = Counter(re.findall(r"[a-h]\d", "\n".join(lines).replace("yellow", "").split("? dice")[0]))
    for seat, player in enumerate(step.public.players):
        for number, piece in enumerate(player.pieces):
            name = f"{'abcdefgh'[seat]}{number + 1}"
            if piece.at in (RESERVE, OUT):
                assert not there[name]
                continue
            line, step = PLACES[piece.at]
            if OURS.board.fields[piece.at].kind in ("small", "star", "chip"):
                assert lines[line][LEFT + 3 * step :][:2] == name
            elif "+" not in near(lines, line, step):
                assert name in near(lines, line, step)


def near(lines: list[str], line: int, step: int) -> str:
    """What is written above and below a decision field or a goal, as far as it belongs there."""
    first = min(max(LEFT + 3 * step - 6, 0), WIDE.width - 13)  # at the edges all are moved inwards
    rows = (line - 1, line - 2, line + 1)
    return " ".join(lines[row][first : first + 13] for row in rows if 0 <= row < len(lines))


def assert_chips(row: str, sight: Sight) -> None:
    found = re.findall(r"([\[(])(.)[\])]", row)
    for chip, (bracket, sign) in zip(sight.public.chips, found[:9] if len(found) > 9 else found, strict=True):
        if chip is None:
            assert sign == " "
        elif chip.value is not None:
            assert (bracket, sign) == ("[", str(chip.value))
        elif chip.by == sight.seat:
            assert (bracket, sign) == ("(", *sight.tokens[f"goal/{chip.slot}"])
        else:
            assert (bracket, sign) == ("[", "?")


def assert_players(shown: str, step: Step) -> None:
    table = shown.split("── Players")[1].split("\n── ")[0]
    for seat, player in enumerate(step.public.players):
        row = next(line for line in table.splitlines() if re.match(rf"(?:► |  ){'abcdefgh'[seat]} ", line))
        found = re.search(r"  +(\d+)  ([\d -]{9})([\d↑←→ -]{12})([\d -]{9})([\d -]{9})([\dx ]+|none)$", row)
        assert found, row
        assert int(found[1]) == player.points
        wanted: list[list[str]] = [[], [], [], []]
        for number, piece in enumerate(player.pieces):
            place = {RESERVE: 2, OUT: 3}.get(piece.at, 0 if piece.at in OURS.board.goals else 1)
            arrow = {"up": "↑", "left": "←", "right": "→"}[piece.heading] if place == 1 else ""
            wanted[place].append(f"{number + 1}{arrow}")
        assert [found[at].split() for at in (2, 3, 4, 5)] == [numbers or ["-"] for numbers in wanted]
        cards = [card.split("x") for card in found[6].replace("none", "").split()]
        assert tuple(int(card[0]) for card in cards for _ in range(int([*card, "1"][1]))) == player.hand
        assert row.startswith("► ") == any(ask.seat == seat for ask in step.pending)


def assert_now(shown: str, step: Step) -> None:
    public = step.public
    if step.result is not None:
        assert "── Result" in shown
        assert all(f"points {points}" in shown for (points,) in step.result.scores)
        return
    assert f"── Turn {public.turns} " in shown
    now = shown.split(f"── Turn {public.turns} ")[1]
    assert (f"black die {public.throw}" in now) == bool(public.throw)
    assert ("target" in now.split("►")[0]) == bool(public.task and public.task.target)
    if public.task and public.task.steps:
        assert f"steps left {public.task.steps}" in now
    assert now.count("►") == len(step.pending)
    assert f"pieces home {public.home}; chance cards {public.chance_pile} unseen" in now
    assert f"success cards {public.success_pile} unseen, {len(public.success_under)} used" in now


def test_LO_16_target_and_cards_on_the_table_are_shown() -> None:
    desk = our_desk(4).put(0, ("R2", "right"))
    desk.public(turn=0, task=Task(0, 3, target=8, table=(Card(1, 9), Card(3, 10))))
    shown = board(desk)
    assert "Anna's turn; piece a1 (red head); steps left 3" in shown
    assert "target 8; cards on the table: 9 (b), 10 (d)" in shown


def test_LO_13_many_pieces_on_one_field() -> None:
    desk = our_desk(8)
    for seat in range(8):
        desk.put(seat, ("G3", "up"), "S", "Z9")
    lines = board_of(board(desk))
    line, step = PLACES["G3"]
    assert lines[line - 1][LEFT + 3 * step - 5 :].startswith("a1 b1 c1 d1")
    assert lines[line - 2][LEFT + 3 * step - 5 :].startswith("e1 f1 g1 h1")
    assert lines[0].endswith("e3 f3 g3 h3")
    assert lines[1].endswith("a3 b3 c3 d3")
    assert lines[PLACES["S"][0] + 1].split() == [f"{letter}2" for letter in "abcdefgh"]
    narrow = board_of(board(desk, width=80))
    assert narrow[line - 1][NARROW.left + 2 * step - 3 :].startswith("abcdefg")
    assert narrow[line - 2][NARROW.left + 2 * step :].startswith("h")
    assert narrow[PLACES["S"][0] + 1].strip() == "abcdefgh"


@pytest.mark.parametrize("inner", range(1, 9))
@pytest.mark.parametrize(("goal", "beside"), [("Z1", "Z2"), ("Z9", "Z8")])
def test_LO_13_pieces_on_a_goal_at_the_edge_hide_no_others(goal: str, beside: str, inner: int) -> None:
    """The names of both goals stay apart, with `+` and a number for those without room."""
    for outer in range(1, 9):
        desk = our_desk(8)
        for seat in range(8):
            desk.put(seat, goal if seat < outer else "S", beside if seat < inner else "S")
        above = "\n".join(board_of(board(desk))[:GOALS]).split()
        assert all(re.fullmatch(r"[a-h][12]|\+\d", name) for name in above), above
        for number, there in ((1, outer), (2, inner)):
            shown = [name for name in above if name[1] == str(number) and name[0] != "+"]
            assert len(set(shown)) == len(shown) <= there
        more = sum(int(name[1:]) for name in above if name[0] == "+")
        assert len([name for name in above if name[0] != "+"]) + more == outer + inner


def test_LO_22_a_chip_face_down_is_known_to_the_one_who_laid_it() -> None:
    desk = our_desk(2)
    chips = (Chip(None, 0, 1), Chip(4, 1, None), *[Chip(None, at, None) for at in range(2, 8)], None)
    desk.public(chips=chips)
    desk.draws.bags["goal/0"], desk.draws.placed = ["7"], [(1, "goal/0", "7")]
    assert board_of(board(desk, 0))[GOALS].split("[ ]")[0].split() == ["[?]", "[4]", *["[?]"] * 6]
    assert board_of(board(desk, 1))[GOALS].split()[:2] == ["(7)", "[4]"]
    assert "you were dealt chip 7" in board(desk, 1)


def test_another_board_is_a_list_of_fields() -> None:
    fields = tuple(replace(field, id=f"x{field.id}", **_ways(field)) for field in OURS.fields)
    assert layout(fields) == {}
    desk = our_desk(3).put(0, "R3", ("G2a", "left"))
    players = tuple(
        replace(player, pieces=tuple(replace(p, at=p.at if p.at == RESERVE else f"x{p.at}") for p in player.pieces))
        for player in desk.now.players
    )
    desk.public(players=players)
    desk.terms = Deal(3, desk.terms.options, replace(OURS, fields=fields))
    shown = board(desk).splitlines()
    assert shown[1] == "chips  [1] [2] [3] [4] [5] [6] [7] [8] [9]"
    assert "xR3          red question     a1 left xR3a, right xR3b, down xG3u" in shown
    assert "xG2a         green small      a2 left xG2j, right xG2" in shown
    assert max(map(columns, shown)) <= 100


def _ways(field: object) -> dict[str, str]:
    ways = ("left", "right", "up", "down")
    return {way: f"x{getattr(field, way)}" for way in ways if getattr(field, way)}


def test_a_board_with_the_same_names_but_other_ways_is_not_drawn_wrongly() -> None:
    fields = list(OURS.fields)
    at = next(number for number, field in enumerate(fields) if field.id == "R3a")
    fields[at] = replace(fields[at], right="R5")
    assert layout(tuple(fields)) == {}


def test_levels_and_pieces_have_their_colours() -> None:
    desk = our_desk(2).put(0, ("G2a", "left"))
    shown = render(desk.terms, desk.sight(0), NAMES[:2], marked, 100)
    assert "\x1bbold\x02a1\x03" in shown
    for level in ("yellow", "orange", "green", "red", "blue"):
        assert f"\x1b{level}\x02{level} " in shown
    assert re.sub("\x1b[a-z]+\x02|\x03", "", shown) == board(desk)
