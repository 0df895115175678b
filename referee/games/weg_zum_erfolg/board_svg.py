"""The position as a picture for mails and web pages: what is going on, the board, everybody's cards and pieces."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from referee.game import Seat
from referee.games import as_typed
from referee.language import Wording
from referee.svg import (
    COLOURS,
    FAINT,
    FINGER,
    INK,
    LONGEST,
    PAPER,
    STRONG,
    Picture,
    cut,
    description,
    element,
    flowing,
    number,
    panels,
    sheet,
    wrapped,
)

from .board import ASKED, OPTIONS, spot
from .board_map import piece_name
from .board_svg_map import board, mark, pointer
from .board_svg_plan import wide
from .lookups import is_settled, own_chip, swept
from .types import GOALS, OUT, RESERVE, Deal, Piece, Player, Sight
from .words import LETTERS
from .words_list import field_called
from .words_standing import text as standing_text

w = Wording("referee.games.weg_zum_erfolg")

EDGE = 12
"""From the edge of a frame to what is inside."""
CARD, CARDS = 20, 13
"""How wide a card is, and how many stand side by side."""
OWN = 10
"""How many of your own do, which can be clicked."""
Telling = Callable[[Deal, Seat, Player], Iterable[str]]
"""How the pieces of a player are description."""


class Sheet(Picture):
    """`edge` and `end` are the edges of most lines; `panel` is how wide the part of one player is."""

    def __init__(self, width: int, top: float = 0.0) -> None:
        super().__init__(width, top)
        self.edge = 8.0 if self.narrow else 12.0
        self.end = width - self.edge
        self.panel = self.end - self.edge if self.narrow else 284.0


def picture(terms: Deal, seen: Sight, names: Sequence[str], width: int) -> str:
    """The whole position as this seat sees it."""
    p = Sheet(width)
    _head(p, terms, seen, names)
    p.top = board(p.parts, terms, seen, p.top, width) + EDGE
    turn = {seen.public.turn} if seen.pending else set()

    def draw(q: Sheet, seat: Seat, x: float) -> None:
        _panel(q, terms, seen, names[seat], seat, x)

    lefts = (p.edge,) if p.narrow else (p.edge, p.end - p.panel)
    panels(p, terms.seats, lefts, p.panel, 8, turn, draw, at="player")
    p.lines(p.edge, 20, _wrapped(_counts(terms, seen), 14, p.end - p.edge), 14)
    return sheet(p.top + EDGE, p.parts, " · ".join(_titles(terms)), _told(terms, seen, names), width)


def _titles(terms: Deal) -> list[str]:
    return ["Der Weg zum Erfolg", *(OPTIONS[one] for one in OPTIONS if getattr(terms.options, one))]


def _wrapped(parts: Iterable[str], size: float, room: float, between: str = "; ") -> Iterator[str]:
    for line in wrapped(parts, between, lambda line: wide(line, size) <= room):
        yield from flowing(line, room, size)


# --- what is going on ------------------------------------------------------------------------------------------------


def _head(p: Sheet, terms: Deal, seen: Sight, names: Sequence[str]) -> None:
    """Title, turn, and what is asked."""
    title, *options = _titles(terms)
    p.words(p.edge, 28, title, 19, bold=True)
    p.words(p.end, 28, w("turn {number}", number=seen.public.turns), 15, "end")
    p.top = 28.0
    p.lines(p.edge, 19, _wrapped(options, 14, p.end - p.edge, " · "), 14)
    p.top += 11 if options else 12
    inside = p.part()
    if seen.pending:
        _turn(inside, terms, seen, names)
        _target(inside, seen)
        _asked(inside, seen)
    else:
        _over(inside, seen, names)
    mine = any(ask.seat == seen.seat for ask in seen.pending)
    p.frame(p.edge, 0, p.end - p.edge, inside.top + EDGE - p.top, strong=STRONG * mine)
    p.parts += inside.parts
    p.top = inside.top + 2 * EDGE


def _over(p: Sheet, seen: Sight, names: Sequence[str]) -> None:
    """The ranks; there are none where a game ended because others left."""
    result, points = seen.result, w("points")
    end = p.end - (20 + wide(points, 14) if p.narrow else 58)
    p.top += 25
    p.words(p.edge + 12, 0, w("The game is over"), 17, bold=True)
    for rank, seat in sorted(zip(result.ranks, range(len(names)), strict=True)) if result else ():
        p.top += 25
        p.words(p.edge + 32, 0, f"{rank}.", 16, "end", bold=rank == 1)
        p.parts.append(mark(p.edge + 52, p.top - 5, seat, seen))
        p.words(p.edge + 70, 0, cut(names[seat], end - 48 - p.edge - 70, 16), 16, bold=rank == 1)
        p.words(end, 0, str(seen.public.players[seat].points), 16, "end", bold=rank == 1)
        p.words(end + 6, 0, points, 14)


def _turn(p: Sheet, terms: Deal, seen: Sight, names: Sequence[str]) -> None:
    """Whose turn it is, the black die, and the piece that moves."""
    public, mine = seen.public, seen.public.turn == seen.seat
    room = p.end - p.edge - 46 - wide(w("Turn of {name}", name=""), 17)
    name = cut(names[public.turn], min(room, 290) if not p.narrow else room, 17)
    whose = w("Your turn") if mine else w("Turn of {name}", name=name)
    p.parts.append(mark(p.edge + 20, p.top + 20, public.turn, seen))
    p.words(p.edge + 38, 26, whose, 17, bold=True)
    if public.throw:
        die, left = w("black die"), p.end - 36
        if p.narrow and p.edge + 46 + wide(whose, 17) + wide(die, 15) > left:
            p.top, left = p.top + 30, p.edge + 46 + wide(die, 15)
        p.words(left - 8, 26, die, 15, "end")
        p.box(left, 7, 26, 26, COLOURS["black"], INK, 5)
        p.words(left + 13, 26, str(public.throw), 17, "middle", PAPER, True)
    p.top += 30
    p.lines(p.edge + 38, 21, _wrapped(_task(terms, seen), 15, p.end - p.edge - 48, ", "), 15)


def _task(terms: Deal, seen: Sight) -> Iterator[str]:
    """The piece that moves, where it is, and how far it still goes."""
    public, task = seen.public, seen.public.task
    if task is not None:
        piece = public.players[public.turn].pieces[task.piece]
        yield w("moves {piece} {where}", piece=piece_name(public.turn, task.piece), where=_where(terms, piece))
        if task.steps:
            yield w.plural("{n} step left", "{n} steps left", task.steps)
        if task.leaving:
            yield w("leaving {way}", way=w(task.leaving))


def _where(terms: Deal, piece: Piece) -> str:
    """`on red junction R4j`."""
    known = terms.edition.board
    if piece.at == RESERVE:
        return w("in the reserve")
    if piece.at == OUT:
        return w("out of the game")
    if piece.at in known.goal_of:
        return w("home in goal {number}", number=known.goal_of[piece.at] + 1)
    field = known.fields[piece.at]
    called = field_called(field.level, "junction" if known.is_junction(piece.at) else field.kind)
    return w("on {field} {at}", field=called, at=piece.at)


def _target(p: Sheet, seen: Sight) -> None:
    """What the cards must make, and those on the table with the letters of who laid them."""
    task = seen.public.task
    if task is None or not task.target:
        return
    label, table = w("target"), w("on the table") if task.table else w("no card on the table")
    after = max(p.edge + 96, p.edge + 40 + wide(label, 15))
    p.words(p.edge + 38, 28, label, 15)
    p.box(after, 9, 34, 26, COLOURS["gold"], INK, 4)
    p.words(after + 17, 28, str(task.target), 18, "middle", bold=True)
    beside, first = after + 48, after + 48 + max(118, wide(table, 15) + 6)
    if p.narrow:
        beside, first, p.top = p.edge + 38, p.edge + 12, p.top + 26
    p.words(beside, 28, table, 15)
    if p.narrow and task.table:
        p.top += 26
    for at, card in enumerate(task.table):
        x = first + 44 * at
        p.box(x, 11, CARD + 2, 22, PAPER, INK)
        p.words(x + CARD / 2 + 1, 27, str(card.value), 14, "middle", bold=True)
        p.parts.append(mark(x + 32, p.top + 22, card.seat, seen))
    p.top += 34


def _asked(p: Sheet, seen: Sight) -> None:
    """Who decides what: those who are asked the same on one line."""
    for what in dict.fromkeys(ask.what for ask in seen.pending):
        seats = [ask.seat for ask in seen.pending if ask.what == what]
        said, x = w(ASKED[what], name="").strip(), p.edge + 42 + 22 * len(seats)
        lines = flowing(said, p.end - 8 - x, 15) if p.narrow and len(seats) < 5 else [said]
        p.top += 26
        p.parts.append(pointer(p.edge + 17, p.top - 5, "right", 2))
        p.parts += [mark(p.edge + 48 + 22 * at, p.top - 5, seat, seen) for at, seat in enumerate(seats)]
        if p.narrow and len(seats) > 4:
            x, lines = p.edge + 38, flowing(said, p.end - p.edge - 46, 15)
            p.top += 22
        p.top -= 21
        p.lines(x, 21, lines, 15, bold=seen.seat in seats)
    p.top += 2


# --- players ---------------------------------------------------------------------------------------------------------


def _panel(p: Sheet, terms: Deal, seen: Sight, name: str, seat: Seat, x: float) -> None:
    """Name and points, cards, pieces, what else there is to know."""
    player = seen.public.players[seat]
    asked = any(ask.seat == seat for ask in seen.pending)
    p.parts.append(mark(x + 18, p.top + 19, seat, seen))
    p.words(x + 34, 25, cut(name, p.panel - 106, 16), 16, bold=seat == seen.seat or asked)
    p.words(x + p.panel - 36, 25, str(player.points), 18, "end", bold=True)
    p.words(x + p.panel - 8, 25, w("pts"), 13, "end")
    p.top += 36
    _hand(p, terms, player, x + EDGE, "card" if seat == seen.seat else "")
    p.lines(x + EDGE, 19, _wrapped(_pieces(terms, seat, player), 14, p.panel - 2 * EDGE, " · "), 14)
    p.lines(x + EDGE, 19, _wrapped(_marks(seen, seat, player), 14, p.panel - 2 * EDGE, ", "), 14, bold=True)
    p.top += EDGE


def _pieces(terms: Deal, seat: Seat, player: Player) -> Iterator[str]:
    """`a1 R4j↑`, `a2 a3 reserve`, `a4 goal 9`: no more than four together, so that a line can hold them."""
    known = terms.edition.board
    there: dict[str, list[str]] = {}
    for at, piece in enumerate(player.pieces):
        goal = known.goal_of.get(piece.at)
        place = spot(known, piece) if goal is None else w("goal {number}", number=goal + 1)
        there.setdefault(place, []).append(piece_name(seat, at))
    for place, names in there.items():
        for first in range(0, len(names), 4):
            yield f"{' '.join(names[first : first + 4])} {place}"


def _hand(p: Sheet, terms: Deal, player: Player, x: float, kind: str) -> None:
    """Every card of the suit in its place: a card with its value if it is still held, an empty place if not. `kind`: of
    the marks of cards."""
    left, cards, empty = list(player.hand), p.part(), ""
    card, tall, across = (FINGER, FINGER, OWN) if kind else (CARD, 24, CARDS)
    for at, value in enumerate(terms.edition.suit):
        row, column = divmod(at, across)
        a, b = x + column * card, row * tall
        frame = f"M{number(a)} {number(p.top + b)}h{card - 2}v{tall - 4}h{2 - card}z"
        if value not in left:
            empty += frame
            continue
        left.remove(value)
        with cards.at(f"{kind}:{value}" if kind else ""):
            cards.parts.append(element("path", d=frame, fill=PAPER, stroke=INK))
            cards.words(a + card / 2 - 1, b + tall / 2 + 3, str(value), 13, "middle")
    p.parts.append(element("path", d=empty, fill=FAINT, stroke=FAINT))
    p.parts += cards.parts
    p.top += tall * -(-len(terms.edition.suit) // across)


def _marks(seen: Sight, seat: Seat, player: Player) -> Iterator[str]:
    if seat == seen.seat:
        yield w("you")
        if (chip := own_chip(seen)) is not None:
            yield w("dealt chip {chip}", chip=chip)
    if player.misses:
        yield w.plural("misses {n} turn", "misses {n} turns", player.misses)


def _counts(terms: Deal, seen: Sight) -> Iterator[str]:
    """Pieces home, what the next one sweeps, and both piles."""
    public = seen.public
    yield w.plural("{n} piece is home", "{n} pieces are home", public.home)
    levels = [w(level) for level in swept(public.home + 1)] if seen.pending else []
    if levels:
        levels += [w("the reserve")] * terms.options.reserve_leaves
        yield w("the next one sweeps {levels}", levels=", ".join(levels))
    if seen.pending and is_settled(public):
        yield w("everybody takes the shortest way")
    unseen, used = public.chance_pile, len(public.chance_under)
    yield w("chance cards: {unseen} unseen, {used} used", unseen=unseen, used=used)
    unseen, used = public.success_pile, len(public.success_under)
    yield w("success cards: {unseen} unseen, {used} used", unseen=unseen, used=used)


# --- in words --------------------------------------------------------------------------------------------------------


def _told(terms: Deal, seen: Sight, names: Sequence[str]) -> str:
    """The position in words, a line for every fact. Where there are very many pieces the description is
    shorter, and standing orders, which come last, are cut off if there is no room."""
    lines = [*_sentences(terms, seen, names, _pieces_told)]
    if len("\n".join(lines)) > LONGEST:
        lines = [*_sentences(terms, seen, names, _pieces)]
    return description(lines)


def _sentences(terms: Deal, seen: Sight, names: Sequence[str], pieces: Telling) -> Iterator[str]:
    public = seen.public
    yield w("{title}, turn {number}.", title=", ".join(_titles(terms)), number=public.turns)
    if seen.pending:
        yield from _task_told(terms, seen, names)
    else:
        yield w("The game is over.")
    for seat, player in enumerate(public.players):
        where = w("Pieces: {pieces}.", pieces="; ".join(pieces(terms, seat, player)))
        yield f"{_player_told(seen, seat, player, names[seat])} {where}"
    chips = "; ".join(_chip_told(seen, at) for at in range(GOALS))
    yield w("The chips of the goals are, from the left: {chips}.", chips=chips)
    yield w("Now {facts}.", facts="; ".join(_counts(terms, seen)))
    for seat, said in enumerate(public.standing):
        phrases = "; ".join(as_typed("weg-zum-erfolg", phrase) for phrase in standing_text(said))
        if phrases:
            phrases = re.sub("@([0-7])\\b", lambda found: LETTERS[int(found[1])], phrases)
            yield w("Standing orders of {name}: {phrases}.", name=names[seat], phrases=phrases)


def _task_told(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    public, task = seen.public, seen.public.task
    yield w("It is the turn of {name}.", name=names[public.turn])
    if public.throw:
        yield w("The black die shows {number}.", number=public.throw)
    if task is not None:
        yield f"{names[public.turn]} {', '.join(_task(terms, seen))}."
    if task is not None and task.target:
        table = [w("{card} from {name}", card=card.value, name=names[card.seat]) for card in task.table]
        values = {"target": task.target, "table": ", ".join(table) or w("none")}
        yield w("The cards must make {target}; on the table: {table}.", **values)
    for ask in seen.pending:
        yield f"{w(ASKED[ask.what], name=names[ask.seat])}."


def _player_told(seen: Sight, seat: Seat, player: Player, name: str) -> str:
    facts = [w("rank {rank}", rank=seen.result.ranks[seat])] if seen.result else []
    facts.append(w.plural("{n} point", "{n} points", player.points))
    facts.append(w("cards {cards}", cards=" ".join(map(str, player.hand)) or w("none")))
    who = ", ".join((name, *_marks(seen, seat, player)))
    return w("Player {letter} is {who}: {facts}.", letter=LETTERS[seat], who=who, facts=", ".join(facts))


def _pieces_told(terms: Deal, seat: Seat, player: Player) -> Iterator[str]:
    """`a1 on red junction R4j, heading up`; `a2 in the reserve`."""
    for at, piece in enumerate(player.pieces):
        values = {"piece": piece_name(seat, at), "where": _where(terms, piece)}
        if piece.at in terms.edition.board.in_play:
            yield w("{piece} {where}, heading {way}", way=w(piece.heading), **values)
        else:
            yield w("{piece} {where}", **values)


def _chip_told(seen: Sight, at: int) -> str:
    chip = seen.public.chips[at]
    if chip is None:
        return w("none yet")
    if chip.value is not None:
        return str(chip.value)
    if chip.by is None:
        return w("face down")
    if chip.by == seen.seat:
        return w("{chip} face down, laid by you", chip=own_chip(seen))
    return w("face down, laid by {letter}", letter=LETTERS[chip.by])
