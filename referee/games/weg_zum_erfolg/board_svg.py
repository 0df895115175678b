"""The position as a picture for mails and web pages: what is going on, the board, everybody's cards and pieces."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from referee.game import Seat
from referee.games import as_typed
from referee.language import Wording
from referee.svg import COLOURS, FAINT, INK, LINE, PAPER, WIDTH, box, cut, element, number, sheet, words, wrapped

from .board import ASKED, OPTIONS, spot
from .board_map import piece_name
from .board_svg_map import board, mark, pointer, wide
from .lookups import is_settled, own_chip, swept
from .types import GOALS, OUT, RESERVE, Deal, Piece, Player, Sight
from .words import LETTERS
from .words_list import field_called
from .words_standing import text as standing_text

w = Wording("referee.games.weg_zum_erfolg")

EDGE = 12
CARD, CARDS = 20, 13
"""How wide a card is, and how many stand side by side."""
PANEL = 284
"""How wide the part of one player is; two stand side by side."""
LONGEST = 4000
"""So many characters the description has at most."""
Telling = Callable[[Deal, Seat, Player], Iterable[str]]
"""How the pieces of a player are told."""


def picture(terms: Deal, seen: Sight, names: Sequence[str]) -> str:
    """The whole position as this seat sees it."""
    parts: list[str] = []
    y = _head(parts, terms, seen, names)
    y = board(parts, terms, seen, y)
    y = _players(parts, terms, seen, names, y + EDGE)
    for line in _wrapped(_counts(terms, seen), 14, WIDTH - 2 * EDGE):
        y += 20
        parts.append(words(EDGE, y, line, 14))
    return sheet(y + EDGE, parts, " · ".join(_titles(terms)), _told(terms, seen, names))


def _titles(terms: Deal) -> list[str]:
    return ["Der Weg zum Erfolg", *(OPTIONS[one] for one in OPTIONS if getattr(terms.options, one))]


def _wrapped(parts: Iterable[str], size: float, room: float, between: str = "; ") -> Iterator[str]:
    return wrapped(parts, between, lambda line: wide(line, size) <= room)


# --- what is going on ------------------------------------------------------------------------------------------------


def _head(parts: list[str], terms: Deal, seen: Sight, names: Sequence[str]) -> float:
    """Title, turn, and what is asked; returns where the board begins."""
    title, *options = _titles(terms)
    parts.append(words(EDGE, 28, title, 19, bold=True))
    parts.append(words(WIDTH - EDGE, 28, w("turn {number}", number=seen.public.turns), 15, "end"))
    top = y = 40.0
    if options:
        parts.append(words(EDGE, 47, " · ".join(options), 14))
        top = y = 58.0
    inside: list[str] = []
    if seen.pending:
        y = _turn(inside, terms, seen, names, y)
        y = _target(inside, seen, y)
        y = _asked(inside, seen, y)
    else:
        y = _over(inside, seen, names, y)
    mine = any(ask.seat == seen.seat for ask in seen.pending)
    parts.append(_frame(EDGE, top, WIDTH - 2 * EDGE, y + 10 - top, mine))
    parts.extend(inside)
    return y + 10 + EDGE


def _frame(x: float, y: float, w: float, h: float, strong: bool) -> str:
    """A box that holds other things, with a strong edge where somebody must decide."""
    edge = INK if strong else LINE
    return element("rect", x=x, y=y, width=w, height=h, rx=6, fill=PAPER, stroke=edge, stroke_width=1 + 1.5 * strong)


def _over(parts: list[str], seen: Sight, names: Sequence[str], y: float) -> float:
    """The ranks; there are none where a game ended because others left."""
    result = seen.result
    parts.append(words(EDGE + 12, y + 27, w("The game is over"), 17, bold=True))
    y += 27
    for rank, seat in sorted(zip(result.ranks, range(len(names)), strict=True)) if result else ():
        y += 25
        points = seen.public.players[seat].points
        parts.append(words(EDGE + 32, y, f"{rank}.", 16, "end", bold=rank == 1))
        parts.append(mark(EDGE + 52, y - 5, seat, seen))
        parts.append(words(EDGE + 70, y, cut(names[seat], 370, 16), 16, bold=rank == 1))
        parts.append(words(WIDTH - EDGE - 70, y, str(points), 16, "end", bold=rank == 1))
        parts.append(words(WIDTH - EDGE - 64, y, w("points"), 14))
    return y


def _turn(parts: list[str], terms: Deal, seen: Sight, names: Sequence[str], y: float) -> float:
    """Whose turn it is, the black die, and the piece that moves."""
    public, mine = seen.public, seen.public.turn == seen.seat
    whose = w("Your turn") if mine else w("Turn of {name}", name=cut(names[public.turn], 290, 17))
    parts.append(mark(EDGE + 20, y + 20, public.turn, seen))
    parts.append(words(EDGE + 38, y + 26, whose, 17, bold=True))
    if public.throw:
        right = WIDTH - EDGE - 10
        parts.append(words(right - 34, y + 26, w("black die"), 15, "end"))
        parts.append(box(right - 26, y + 7, 26, 26, COLOURS["black"], INK, 5))
        parts.append(words(right - 13, y + 26, str(public.throw), 17, "middle", PAPER, True))
    y += 30
    for line in _wrapped(_task(terms, seen), 15, WIDTH - 2 * EDGE - 48, ", "):
        y += 21
        parts.append(words(EDGE + 38, y, line, 15))
    return y


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


def _target(parts: list[str], seen: Sight, y: float) -> float:
    """What the cards must make, and those on the table with the letters of who laid them."""
    task = seen.public.task
    if task is None or not task.target:
        return y
    label, table = w("target"), w("on the table") if task.table else w("no card on the table")
    after = max(EDGE + 96, EDGE + 40 + wide(label, 15))
    parts.append(words(EDGE + 38, y + 28, label, 15))
    parts.append(box(after, y + 9, 34, 26, COLOURS["gold"], INK, 4))
    parts.append(words(after + 17, y + 28, str(task.target), 18, "middle", bold=True))
    parts.append(words(after + 48, y + 28, table, 15))
    for at, card in enumerate(task.table):
        x = after + 48 + max(118, wide(table, 15) + 6) + 44 * at
        parts.append(box(x, y + 11, CARD + 2, 22, PAPER, INK))
        parts.append(words(x + CARD / 2 + 1, y + 27, str(card.value), 14, "middle", bold=True))
        parts.append(mark(x + 32, y + 22, card.seat, seen))
    return y + 34


def _asked(parts: list[str], seen: Sight, y: float) -> float:
    """Who decides what: those who are asked the same on one line."""
    for what in dict.fromkeys(ask.what for ask in seen.pending):
        seats = [ask.seat for ask in seen.pending if ask.what == what]
        y += 26
        parts.append(pointer(EDGE + 17, y - 5, "right", 2))
        parts.extend(mark(EDGE + 47 + 21 * at, y - 5, seat, seen) for at, seat in enumerate(seats))
        parts.append(
            words(EDGE + 42 + 21 * len(seats), y, w(ASKED[what], name="").strip(), 15, bold=seen.seat in seats)
        )
    return y + 2


# --- players ---------------------------------------------------------------------------------------------------------


def _players(parts: list[str], terms: Deal, seen: Sight, names: Sequence[str], y: float) -> float:
    """Two side by side, as high as the higher one."""
    for left in range(0, terms.seats, 2):
        pair = range(left, min(left + 2, terms.seats))
        panels: list[list[str]] = [[] for _ in pair]
        high = max(_panel(panels[seat - left], terms, seen, names[seat], seat, y) for seat in pair)
        for seat in pair:
            turn = seat == seen.public.turn and bool(seen.pending)
            parts.append(_frame(_left(seat), y, PANEL, high - y, turn))
            parts.extend(panels[seat - left])
        y = high + 8
    return y


def _left(seat: Seat) -> float:
    return EDGE + (seat % 2) * (WIDTH - 2 * EDGE - PANEL)


def _panel(parts: list[str], terms: Deal, seen: Sight, name: str, seat: Seat, y: float) -> float:
    """Name and points, cards, pieces, what else there is to know; returns how far down it goes."""
    player, x = seen.public.players[seat], _left(seat)
    asked = any(ask.seat == seat for ask in seen.pending)
    parts.append(mark(x + 18, y + 19, seat, seen))
    parts.append(words(x + 34, y + 25, cut(name, 178, 16), 16, bold=seat == seen.seat or asked))
    parts.append(words(x + PANEL - 36, y + 25, str(player.points), 18, "end", bold=True))
    parts.append(words(x + PANEL - 8, y + 25, w("pts"), 13, "end"))
    y = _hand(parts, terms, player, x + 11, y + 36)
    for line in _wrapped(_pieces(terms, seat, player), 14, PANEL - 20, " · "):
        y += 19
        parts.append(words(x + 11, y, line, 14))
    for line in _wrapped(_marks(seen, seat, player), 14, PANEL - 20, ", "):
        y += 19
        parts.append(words(x + 11, y, line, 14, bold=True))
    return y + 10


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


def _hand(parts: list[str], terms: Deal, player: Player, x: float, y: float) -> float:
    """Every card of the suit in its place: a card with its value if it is still held, an empty place if not."""
    left, values = list(player.hand), []
    frames: dict[bool, list[str]] = {True: [], False: []}
    for at, value in enumerate(terms.edition.suit):
        row, column = divmod(at, CARDS)
        a, b = x + column * CARD, y + row * 24
        held = value in left
        frames[held].append(f"M{number(a)} {number(b)}h{CARD - 2}v20h{2 - CARD}z")
        if held:
            left.remove(value)
            values.append(words(a + CARD / 2 - 1, b + 15, str(value), 13, "middle"))
    parts.append(element("path", d="".join(frames[False]), fill=FAINT, stroke=FAINT))
    parts.append(element("path", d="".join(frames[True]), fill=PAPER, stroke=INK))
    parts.extend(values)
    return y + 24 * -(-len(terms.edition.suit) // CARDS)


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
        yield w("all take the shortest way")
    unseen, used = public.chance_pile, len(public.chance_under)
    yield w("chance cards: {unseen} unseen, {used} used", unseen=unseen, used=used)
    unseen, used = public.success_pile, len(public.success_under)
    yield w("success cards: {unseen} unseen, {used} used", unseen=unseen, used=used)


# --- in words --------------------------------------------------------------------------------------------------------


def _told(terms: Deal, seen: Sight, names: Sequence[str]) -> str:
    """The position in words, a line for every fact. On boards with very many pieces they are told more briefly, and
    standing orders, which come last, as far as there is room."""
    lines = [*_sentences(terms, seen, names, _pieces_told)]
    if len("\n".join(lines)) > LONGEST:
        lines = [*_sentences(terms, seen, names, _pieces)]
    while len("\n".join(lines)) > LONGEST:
        lines.pop()
    return "\n".join(lines)


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
            yield w("{name} has said: {phrases}.", name=names[seat], phrases=phrases)


def _task_told(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    public, task = seen.public, seen.public.task
    yield w("It is the turn of {name}.", name=names[public.turn])
    if public.throw:
        yield w("The black die shows {number}.", number=public.throw)
    if task is not None:
        yield f"{names[public.turn]} {', '.join(_task(terms, seen))}."
    if task is not None and task.target:
        table = [w("{card} from {name}", card=card.value, name=names[card.seat]) for card in task.table]
        told = {"target": task.target, "table": ", ".join(table) or w("none")}
        yield w("The cards must make {target}; on the table: {table}.", **told)
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
        told = {"piece": piece_name(seat, at), "where": _where(terms, piece)}
        if piece.at in terms.edition.board.in_play:
            yield w("{piece} {where}, heading {way}", way=w(piece.heading), **told)
        else:
            yield w("{piece} {where}", **told)


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
