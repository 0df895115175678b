"""The position as terminal text."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from referee.columns import Line, columns, fitted, painted, ranking, seat_name, sections, wrapped
from referee.game import LINK, Paint, Seat
from referee.language import Wording, mark

from .board_map import NARROW, STYLE, WIDE, chip_sign, layout, map_lines, needed, piece_name, standing
from .graph import Board
from .lookups import own_chip
from .types import LEVELS, OUT, RESERVE, Deal, Piece, Player, Sight
from .words import LETTERS
from .words_list import field_called

w = Wording("referee.games.weg_zum_erfolg")

NAME = 12
ARROWS = {"up": "↑", "left": "←", "right": "→", "down": "↓"}
OPTIONS = {"hinterlistig": "Hinterlistig", "neue_ziele": "Neue Ziele", "zufallsziele": "Zufallsziele"}
ASKED = {
    mark("piece", "asked"): mark("{name} chooses a piece for the throw"),
    mark("way", "asked"): mark("{name} chooses the way at the next junction"),
    mark("opponent", "asked"): mark("{name} picks an opponent for the contest"),
    mark("try", "asked"): mark("{name} says whether to try for success"),
    mark("intervene", "asked"): mark("{name} may intervene with a card"),
    mark("solve", "asked"): mark("{name} must reach the target with cards, or give up"),
    mark("target", "asked"): mark("{name} chooses a piece to change places with"),
    mark("lose", "asked"): mark("{name} must lose a card"),
    mark("place", "asked"): mark("{name} lays the chip that was dealt"),
    mark("swap chip", "asked"): mark("{name} may exchange the chip just scored"),
    LINK: mark("{name} sends a fresh link for the next throw"),
}
Words = tuple[str, str]
"""Text and style."""


def render(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    """The whole position as this seat sees it."""
    public, short = seen.public, [fitted(name, NAME) for name in names]
    title = " · ".join(["Der Weg zum Erfolg", *(OPTIONS[one] for one in OPTIONS if getattr(terms.options, one))])
    places = layout(terms.edition.fields)
    if width < NARROW.width:
        board = _levels(terms, seen, width)
    elif places:
        board = map_lines(terms, seen, places, WIDE if width >= WIDE.width else NARROW)
    else:
        board = _listed(terms, seen, width)
    table = _players if width >= WIDE.width else _players_narrow
    blocks: dict[str, Iterable[Line]] = {title: board, w("Players"): table(terms, seen, short, width)}
    if seen.result:
        blocks[w("Result")] = ranking(seen.result, short, score)
    else:
        asked = ([(f"► {w(ASKED[ask.what], name=short[ask.seat].rstrip())}", "bold")] for ask in seen.pending)
        blocks[w("Turn {number}", number=public.turns)] = chain(_now(terms, seen, short, width), asked)
    return painted(sections(blocks, width), paint, width)


# --- a board without a picture ---------------------------------------------------------------------------------------


def score(points: int) -> str:
    """What a player has at the end."""
    return f"  {w('points {number}', number=points)}"


def _chips(seen: Sight) -> Line:
    signs = [chip_sign(seen, at) for at in range(len(seen.public.chips))]
    return [(f"{w('chips')}  ", "dim"), *((f"{sign} ", style) for sign, style in signs)]


def _listed(terms: Deal, seen: Sight, room: int) -> Iterator[Line]:
    """For any other board: the chips, and every field with pieces on it, from the top."""
    yield _chips(seen)
    found = standing(seen.public)
    fields = [field for field in terms.edition.fields if field.id in found]
    called = {field.id: w("{level} {kind}", level=w(field.level), kind=w(field.kind)) for field in fields}
    wide = max([17, *(columns(words) + 1 for words in called.values())])
    for field in sorted(fields, key=lambda field: -LEVELS.index(field.level)):
        tokens = [(f"{piece_name(seat, number)} ", STYLE) for seat, number in found[field.id]]
        ways = [f"{w(way)} {to}" for way in ("left", "right", "up", "down") if (to := getattr(field, way))]
        line = [(f"{field.id:<12} ", "bold"), (called[field.id].ljust(wide), field.level), *tokens]
        yield from wrapped(
            [*line, *((f"{way}, ", "dim") for way in ways[:-1]), *((way, "dim") for way in ways[-1:])], room, wide + 13
        )
    if not fields:
        yield [(w("no piece is on the board"), "dim")]


def _levels(terms: Deal, seen: Sight, room: int) -> Iterator[Line]:
    """For a narrow page: from the top, which pieces stand where and how they go on."""
    board = terms.edition.board
    yield _chips(seen)
    rows: dict[str, list[Words]] = {name: [] for name in ("goal", *reversed(LEVELS), RESERVE, OUT)}
    for seat, player in enumerate(seen.public.players):
        for number, piece in enumerate(player.pieces):
            words, row = piece_name(seat, number), piece.at
            if piece.at not in (RESERVE, OUT):
                words += f" {spot(board, piece)}"
                row = "goal" if piece.at in board.goal_of else board.fields[piece.at].level
            rows[row].append((f"{words}  ", STYLE))
    labels = {str(level): f"{w(level)} {needed(terms, level)}+" for level in LEVELS}
    wide = max(11, *(columns(labels.get(row, w(row))) + 1 for row in rows))
    for row, pieces in rows.items():
        label = (f"{labels.get(row, w(row)):<{wide}}", row if row in labels else "dim")
        yield from wrapped([label, *(pieces or [("-", "dim")])], room, wide)


def spot(board: Board, piece: Piece) -> str:
    """`R4j↑`: where a piece stands and where it goes next, `?` or `H` before a decision; home or not in play: where."""
    kind = board.fields[piece.at].kind if piece.at in board.in_play else ""
    sign = {"question": "?", "head": "H"}.get(kind, "")
    return (
        f"{piece.at}{sign}{ARROWS[piece.heading]}" if kind else w(piece.at) if piece.at in (RESERVE, OUT) else piece.at
    )


# --- players ---------------------------------------------------------------------------------------------------------


def _players(terms: Deal, seen: Sight, names: Sequence[str], room: int) -> Iterator[Line]:
    board = terms.edition.board
    first = f"    {w('player'):<{NAME}} {w('points'):>6}  {w('home'):<8} {w('in play'):<11} "
    yield [(f"{first}{w('reserve'):<8} {w('out'):<8} {w('cards')}", "dim")]
    for seat, player in enumerate(seen.public.players):
        where: dict[str, list[str]] = {"home": [], "play": [], RESERVE: [], OUT: []}
        for number, piece in enumerate(player.pieces):
            kind = piece.at if piece.at in where else "home" if piece.at in board.goal_of else "play"
            where[kind].append(f"{number + 1}{ARROWS[piece.heading] if kind == 'play' else ''}")
        cells = "".join(f"{' '.join(numbers) or '-':<{12 if kind == 'play' else 9}}" for kind, numbers in where.items())
        line = [*_name(seen, seat, names), (f"{player.points:>7}", "bold"), (f"  {cells}", "")]
        hand = (_hand(player.hand), "")
        yield from wrapped([*line, hand], room, NAME + 13)
        yield from _marks(seen, seat, player, room, NAME + 13)


def _players_narrow(terms: Deal, seen: Sight, names: Sequence[str], room: int) -> Iterator[Line]:
    """Points and cards, then each piece with its field."""
    board = terms.edition.board
    for seat, player in enumerate(seen.public.players):
        points = f" {w.plural('{n} point; cards', '{n} points; cards', player.points)}"
        cards = [(f" {card}", "") for card in _hand(player.hand).split()]
        yield from wrapped([*_name(seen, seat, names), (points, "bold"), *cards], room, 4)
        if room >= NARROW.width:  # otherwise the levels above have told it
            pieces = [(f"{number + 1} {spot(board, piece)}  ", "") for number, piece in enumerate(player.pieces)]
            yield from wrapped([(f"    {w('pieces')} ", "dim"), *pieces], room, 5 + columns(w("pieces")))
        yield from _marks(seen, seat, player, room, 4)


def _name(seen: Sight, seat: Seat, names: Sequence[str]) -> Line:
    mark, name = seat_name(seen, seat, names[seat])
    return [mark, (f"{LETTERS[seat]} ", STYLE), name]


def _hand(hand: Sequence[int]) -> str:
    """`2 3 10x4 11`."""
    numbers = {value: hand.count(value) for value in sorted(hand)}
    return " ".join(f"{value}x{number}" if number > 1 else str(value) for value, number in numbers.items()) or w("none")


def _marks(seen: Sight, seat: Seat, player: Player, room: int, indent: int) -> Iterator[Line]:
    marks = [w("you")] if seat == seen.seat else []
    if seat == seen.seat and (chip := own_chip(seen)) is not None:
        marks.append(w("you were dealt chip {chip}", chip=chip))
    if player.misses:
        marks.append(w.plural("misses {n} turn", "misses {n} turns", player.misses))
    if marks:
        words = [(f"{word} ", "dim") for word in "; ".join(marks).split(" ")]
        yield from wrapped([(" " * indent, ""), *words], room, indent)


# --- now -------------------------------------------------------------------------------------------------------------


def _now(terms: Deal, seen: Sight, names: Sequence[str], room: int) -> Iterator[Line]:
    """What is being played: throw, piece, steps, target, cards on the table."""
    public, task = seen.public, seen.public.task
    parts = [w("{name}'s turn", name=names[public.turn].rstrip())]
    if public.throw:
        parts.append(w("black die {number}", number=public.throw))
    if task is not None:
        field = terms.edition.board.fields.get(public.players[public.turn].pieces[task.piece].at)
        piece = w("piece {piece}", piece=piece_name(public.turn, task.piece))
        parts.append(f"{piece} ({field_called(field.level, field.kind)})" if field else piece)
        parts += [w("steps left {steps}", steps=task.steps)] if task.steps else []
        parts += [w("leaving {way}", way=w(task.leaving))] if task.leaving else []
    yield from wrapped(_listing(parts, ""), room, 2)
    if task is not None and task.target:
        cards = [f"{card.value} ({LETTERS[card.seat]})" for card in task.table] or [w("none")]
        target = [(w("target {target}", target=task.target), "bold"), (f"; {w('cards on the table:')} ", "")]
        yield from wrapped([*target, *_listing(cards, "", ", ")], room, 2)
    chance, success = (public.chance_pile, public.chance_under), (public.success_pile, public.success_under)
    counts = (
        w("pieces home {number}", number=public.home),
        w("chance cards {unseen} unseen, {used} used", unseen=chance[0], used=len(chance[1])),
        w("success cards {unseen} unseen, {used} used", unseen=success[0], used=len(success[1])),
    )
    yield from wrapped(_listing(counts, "dim"), room, 2)


def _listing(parts: Sequence[str], style: str, between: str = "; ") -> list[Words]:
    return [(part + between, style) for part in parts[:-1]] + [(parts[-1], style)]
