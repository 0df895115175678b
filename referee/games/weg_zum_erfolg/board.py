"""The position as terminal text."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from referee.game import Paint, Result, Seat
from referee.picture import WIDTH, Line, fitted, heading, painted, width

from .tables import own_chip
from .types import LEVELS, OUT, RESERVE, Deal, Field, Level, Player, Public, Sight
from .words import LETTERS
from .words_list import KINDS

NAME = 12
STYLES = ("red", "blue", "green", "yellow", "orange", "black", "bold", "dim")
"""Of the players by seat: no colour of theirs has to do with a level."""
SIGNS = {"start": "S", "small": "·", "star": "*", "question": "?", "head": "H", "chip": "o"}
HERE = 3
"""So many pieces stand side by side on one line above a decision field or a goal; there are two such lines."""
LEFT = 1
"""Columns left of the first field; every field takes two."""
ROWS = {letter: row for row, letter in enumerate("BRGOY")}
"""From the top."""
WITHIN = {"j": 0, "a": 1, "b": 2, "": 3, "c": 4, "d": 5}
GOALS, CHIPS, BLUE, BOTTOM = 2, 3, 4, 22
"""Lines of the picture; the rows are three apart, and above the goals are two lines for the pieces that are home."""
LEGEND = (
    "+ a junction, · a field",
    "? dice decide",
    "H a head: cards and arithmetic",
    "* a chance card",
    "o a chip field, [5] its goal",
)
FACE_DOWN = "[?] face down, (7) your own"
ARROWS = {"up": "↑", "left": "←", "right": "→", "down": "↓"}
HEADINGS = (
    "R4: the 4th ? or H in red,",
    "R4j: the junction before it",
    "↑ ← → below: where a piece",
    "goes next; on S, ? and H",
    "how it came there",
)
OPTIONS = {"hinterlistig": "Hinterlistig", "neue_ziele": "Neue Ziele", "zufallsziele": "Zufallsziele"}
ASKED = {
    "piece": "chooses a piece for the throw",
    "way": "chooses the way at the next junction",
    "opponent": "picks an opponent for the contest",
    "try": "says whether to try for success",
    "intervene": "may intervene with a card",
    "solve": "must reach the target with cards, or give up",
    "target": "chooses a piece to change places with",
    "lose": "must lose a card",
    "place": "lays the chip that was dealt",
    "swap chip": "may exchange the chip just scored",
}


def draw(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int = 100) -> str:
    """The whole position as this seat sees it."""
    public, short = seen.public, [fitted(name, NAME) for name in names]
    places = layout(terms.edition.fields)
    title = " · ".join(["Der Weg zum Erfolg", *(OPTIONS[one] for one in OPTIONS if getattr(terms.options, one))])
    fields = {field.id: field for field in terms.edition.fields}
    blocks: list[list[Line]] = [
        [heading(title), *(_board(terms, seen, places) if places else _listed(terms, seen))],
        [heading("Players"), *_players(seen, fields, short)],
        [heading("Result"), *_result(seen.result, short)]
        if seen.result
        else [heading(f"Turn {public.turns}"), *_now(seen, fields, short), *_asked(seen, short)],
    ]
    return painted(chain.from_iterable(blocks), paint)


def piece_name(seat: Seat, piece: int) -> str:
    """`b2`: the second piece of the second player."""
    return f"{LETTERS[seat]}{piece + 1}"


# --- where the fields are --------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def layout(fields: tuple[Field, ...]) -> dict[str, tuple[int, int]]:
    """Line and step of every field, if the board is the one that this picture is made for; otherwise nothing."""
    places = {field.id: place for field in fields if (place := _place(field.id))}
    if len(places) != len(fields) or len(set(places.values())) != len(fields):
        return {}
    return places if all(_fits(field, places) for field in fields) else {}


def _place(name: str) -> tuple[int, int] | None:
    if name == "S":
        return BOTTOM, 24
    if found := re.fullmatch(r"S([A-D])([1-5])", name):
        return BOTTOM - int(found[2]), 15 + 6 * "ABCD".index(found[1])
    if found := re.fullmatch(r"([CZ])([1-9])", name):
        return GOALS if found[1] == "Z" else CHIPS, 6 * int(found[2]) - 6
    if found := re.fullmatch(r"([BRGOY])([1-9])([jabcduv]?)", name):
        row, step = ROWS[found[1]], 6 * int(found[2]) - 6
        up = "juv".find(found[3]) if found[3] else -1
        return BLUE + 3 * row - max(up, 0), 3 * row + step + (0 if up >= 0 else WITHIN[found[3]])
    return None


def _fits(field: Field, places: dict[str, tuple[int, int]]) -> bool:
    """Do the ways out of a field lead where the picture has them?"""
    line, step = places[field.id]
    if field.id == "S":
        return (field.left, field.right, field.up, field.down) == ("SA1", "SD1", "", "")
    for to, sideways, upwards in ((field.left, -1, 0), (field.right, 1, 0), (field.up, 0, 1), (field.down, 0, -1)):
        if to and to not in places:
            return False
        if to and to != "S":
            line_to, step_to = places[to]
            if step_to != step + sideways or not (
                line_to == line if not upwards else 0 < (line - line_to) * upwards < 3
            ):
                return False
    return True


# --- the picture -----------------------------------------------------------------------------------------------------


class Canvas:
    """Signs at lines and columns, each with a style."""

    def __init__(self) -> None:
        self.signs: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, line: int, column: int, words: str, style: str) -> None:
        for at, sign in enumerate(words):
            self.signs[line, column + at] = sign, style

    def lines(self) -> Iterator[Line]:
        for line in range(max(line for line, _ in self.signs) + 1):
            row = [self.signs.get((line, column), (" ", "")) for column in range(WIDTH)]
            found: Line = []
            for sign, style in row:
                if found and found[-1][1] == style:
                    found[-1] = found[-1][0] + sign, style
                else:
                    found.append((sign, style))
            if any(words.strip() for words, _ in found):
                yield found


def _board(terms: Deal, seen: Sight, places: dict[str, tuple[int, int]]) -> Iterator[Line]:
    canvas = Canvas()
    _rails(canvas)
    _labels(canvas, terms)
    for field in terms.edition.fields:
        line, step = places[field.id]
        if field.kind != "goal":
            strong = field.kind in ("question", "head", "start")
            sign = "+" if field.up and (field.left or field.right) else SIGNS[field.kind]
            canvas.put(line, LEFT + 2 * step, sign, field.level if strong or field.kind == "star" else "dim")
    goals = [field.id for field in terms.edition.fields if field.kind == "goal"]
    for at, goal in enumerate(goals):
        words, style = _chip(seen, at)
        canvas.put(places[goal][0], LEFT + 2 * places[goal][1] - 1, words, style)
    kinds = {field.id: field.kind for field in terms.edition.fields}
    for where, here in _standing(seen.public).items():
        line, step = places[where]
        _pieces(canvas, line, LEFT + 2 * step, kinds[where], here)
    return canvas.lines()


def _rails(canvas: Canvas) -> None:
    """Lanes, connectors with a missing field, and the ways of S."""
    for row, level in enumerate(reversed(LEVELS)):
        first, steps = LEFT + 6 * row, 6 * (8 - row)
        canvas.put(BLUE + 3 * row, first, "─" * (2 * steps + 1), level)
        for at in range(9 - row) if row else ():
            canvas.put(BLUE + 3 * row - 2, first + 12 * at, "│", "dim")
    left, right = LEFT + 2 * 15, LEFT + 2 * 33
    canvas.put(BOTTOM, left, "└" + "─" * (right - left - 1) + "┘", "yellow")
    for at in (21, 27):
        canvas.put(BOTTOM, LEFT + 2 * at, "┴", "yellow")


def _labels(canvas: Canvas, terms: Deal) -> None:
    """The levels with what a "?" needs, left of their rows (blue below it), and what the signs mean."""
    for row, level in enumerate(reversed(LEVELS)):
        label = f"{level} {_needed(terms, level)}+"
        column = 6 * row - 1 - len(label) if row > 1 else 0 if row else WIDTH - len(label)
        canvas.put(BLUE + 3 * row + (1 if row == 0 else 0), column, label, level)
    for at, words in enumerate(LEGEND):
        canvas.put(BOTTOM + 1 - len(LEGEND) + at, 0, words, "dim")
    if terms.options.neue_ziele or terms.options.zufallsziele:
        canvas.put(BOTTOM - len(LEGEND), 0, FACE_DOWN, "dim")
    for at, words in enumerate(HEADINGS):
        canvas.put(BOTTOM + 1 - len(HEADINGS) + at, WIDTH - max(map(len, HEADINGS)), words, "dim")


def _needed(terms: Deal, level: Level) -> int:
    needed: int = getattr(terms.edition.thresholds, level)
    return needed


def _chip(seen: Sight, at: int) -> tuple[str, str]:
    """`[5]`, `[?]` face down, `(5)` face down but known to this player, `[ ]` not laid yet."""
    chip = seen.public.chips[at]
    if chip is None:
        return "[ ]", "dim"
    if chip.value is not None:
        return f"[{chip.value}]", "bold"
    return (f"({own_chip(seen)})" if chip.by == seen.seat else "[?]"), "bold"


def _standing(public: Public) -> dict[str, list[tuple[Seat, int]]]:
    """Field -> seats and numbers of the pieces there."""
    found: dict[str, list[tuple[Seat, int]]] = {}
    for seat, player in enumerate(public.players):
        for number, piece in enumerate(player.pieces):
            if piece.at not in (RESERVE, OUT):
                found.setdefault(piece.at, []).append((seat, number))
    return found


def _pieces(canvas: Canvas, line: int, column: int, kind: str, here: list[tuple[Seat, int]]) -> None:
    """A piece on a small field covers it; on a decision field or a goal all stand above it, on S below it."""
    if kind in ("small", "star", "chip"):
        seat, number = here[0]
        canvas.put(line, column, piece_name(seat, number), STYLES[seat])
        return
    if kind == "start":
        _group(canvas, line + 1, column, here, 9)
    else:
        _group(canvas, line - 1, column, here[:HERE], HERE)
        _group(canvas, line - 2, column, here[HERE:], HERE)


def _group(canvas: Canvas, line: int, column: int, here: list[tuple[Seat, int]], most: int) -> None:
    """Pieces side by side, centred; `+2` if there are more."""
    more = len(here) > most
    tokens = [(piece_name(seat, number), STYLES[seat]) for seat, number in (here[: most - 1] if more else here)]
    tokens += [(f"+{len(here) - most + 1}", "bold")] if more else []
    at = min(max(column - (3 * len(tokens) - 1) // 2 + (len(tokens) == 1), 0), WIDTH - 3 * len(tokens))
    for words, style in tokens:
        canvas.put(line, at, words, style)
        at += 3


def _listed(terms: Deal, seen: Sight) -> Iterator[Line]:
    """For any other board: the chips, and every field with pieces on it, from the top."""
    line: Line = [("chips  ", "dim")]
    for at in range(len(seen.public.chips)):
        words, style = _chip(seen, at)
        line += [(words, style), (" ", "")]
    yield line
    standing = _standing(seen.public)
    fields = [field for field in terms.edition.fields if field.id in standing]
    for field in sorted(fields, key=lambda field: -LEVELS.index(field.level)):
        tokens: Line = [(f"{piece_name(seat, number)} ", STYLES[seat]) for seat, number in standing[field.id]]
        ways = ", ".join(f"{way} {to}" for way in ("left", "right", "up", "down") if (to := getattr(field, way)))
        yield [
            (f"{field.id:<12} ", "bold"),
            (f"{field.level} {field.kind}".ljust(17), field.level),
            *tokens,
            (ways, "dim"),
        ]
    if not fields:
        yield [("no piece is on the board", "dim")]


# --- tables ----------------------------------------------------------------------------------------------------------


def _players(seen: Sight, fields: dict[str, Field], names: Sequence[str]) -> Iterator[Line]:
    yield [(f"    {'player':<{NAME}} points  {'home':<8} {'in play':<12}reserve  out      cards", "dim")]
    for seat, player in enumerate(seen.public.players):
        asked = any(ask.seat == seat for ask in seen.pending)
        where: dict[str, list[str]] = {"home": [], "play": [], RESERVE: [], OUT: []}
        for number, piece in enumerate(player.pieces):
            place = piece.at if piece.at in where else "home" if fields[piece.at].kind == "goal" else "play"
            where[place].append(f"{number + 1}{ARROWS[piece.heading] if place == 'play' else ''}")
        cells = "".join(
            f"{' '.join(numbers) or '-':<{12 if place == 'play' else 9}}" for place, numbers in where.items()
        )
        line: Line = [
            ("► " if asked else "  ", "bold"),
            (f"{LETTERS[seat]} ", STYLES[seat]),
            (names[seat], "bold" if seat == seen.seat else ""),
            (f"{player.points:>7}", "bold"),
            (f"  {cells}", ""),
        ]
        hand: Line = [(_hand(player.hand), "")]
        if width(line + hand) <= WIDTH:
            yield line + hand
        else:
            yield line
            yield [(" " * (NAME + 13), ""), *hand]
        if marks := ", ".join(_marks(seen, seat, player)):
            yield [(" " * (NAME + 13), ""), (marks, "dim")]


def _hand(hand: Sequence[int]) -> str:
    """`2 3 10x4 11`."""
    numbers = {value: hand.count(value) for value in sorted(hand)}
    return " ".join(f"{value}x{number}" if number > 1 else str(value) for value, number in numbers.items()) or "none"


def _marks(seen: Sight, seat: Seat, player: Player) -> Iterator[str]:
    if seat == seen.seat:
        yield "you"
        if (chip := own_chip(seen)) is not None:
            yield f"you were dealt chip {chip}"
    if player.misses:
        yield f"misses {player.misses} turn" + ("s" if player.misses > 1 else "")
    if player.standing:
        yield "never intervenes until further notice"


def _now(seen: Sight, fields: dict[str, Field], names: Sequence[str]) -> Iterator[Line]:
    """What is being played: throw, piece, steps, target, cards on the table."""
    public, task = seen.public, seen.public.task
    parts = [f"{names[public.turn].rstrip()}'s turn"]
    if public.throw:
        parts.append(f"black die {public.throw}")
    if task is not None:
        piece = public.players[public.turn].pieces[task.piece]
        field = fields.get(piece.at)
        where = f" ({field.level} {KINDS[field.kind]})" if field else ""
        parts.append(f"piece {piece_name(public.turn, task.piece)}{where}")
        parts += [f"steps left {task.steps}"] if task.steps else []
        parts += [f"leaving {task.leaving}"] if task.leaving else []
    yield [("; ".join(parts), "")]
    if task is not None and task.target:
        cards = ", ".join(f"{card.value} ({LETTERS[card.seat]})" for card in task.table)
        yield [(f"target {task.target}", "bold"), (f"; cards on the table: {cards or 'none'}", "")]
    yield [
        (
            f"pieces home {public.home}; chance cards {public.chance_pile} unseen, {len(public.chance_under)} used; ",
            "dim",
        ),
        (f"success cards {public.success_pile} unseen, {len(public.success_under)} used", "dim"),
    ]


def _asked(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    for ask in seen.pending:
        doing = ASKED[ask.what]
        yield [(f"► {names[ask.seat].rstrip()} {doing}", "bold")]


def _result(result: Result, names: Sequence[str]) -> Iterator[Line]:
    for rank, seat in sorted(zip(result.ranks, range(len(names)), strict=True)):
        yield [(f"{rank}. {names[seat]}", "bold" if rank == 1 else ""), (f"  points {result.scores[seat][0]}", "")]
