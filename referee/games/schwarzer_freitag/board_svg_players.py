"""The players in the picture: what they have, and for the reader the shares that nobody else knows."""

from collections.abc import Sequence

from referee.language import Wording
from referee.svg import COLOURS as PAINT
from referee.svg import FAINT, FINGER, INK, PAPER, QUIET, Picture, by_rank, cut, on, wide, wrapped

from .board import cards_text, letter, wealth
from .lookups import cases_of, count, held, stage, total
from .types import BLACK, COLOURS, HAND, Cases, Deal, Player, Sight

w = Wording("referee.games.schwarzer_freitag")

CASE, STEP = 20, FINGER
"""How wide a case is, and a case with the gap behind it."""
ENDS = (304.0, 364.0, 436.0, 516.0, 576.0)
"""Where the numbers of a player end."""
SHARE = 50.0
"""From the first colour of a player's shares to the next."""


def _heads() -> tuple[str, ...]:
    return w("gold"), w("silver"), w("money"), w("subsidies"), w("debt")


def _inside(p: Picture) -> float:
    """Where the name and the shares of a player begin."""
    return p.left + (20 if p.narrow else 26)


def show_players(p: Picture, terms: Deal, seen: Sight, names: Sequence[str]) -> None:
    p.words(p.left, 17, w("Players"), 17, bold=True)
    for head, end in zip(() if p.narrow else _heads(), ENDS, strict=False):
        p.words(end, 17, head, 13, "end", QUIET)
    p.top += 24
    for seat in by_rank(seen.result, len(names)):
        with p.framed(0, INK if seat == seen.seat else FAINT):
            _player(p, terms, seen, seat, names[seat])
        p.top += 6


def _player(p: Picture, terms: Deal, seen: Sight, seat: int, name: str) -> None:
    """The name with the numbers, then the shares that everybody knows, and for the owner the hidden ones."""
    player, mine, left = seen.public.players[seat], seat == seen.seat, _inside(p)
    asked = any(ask.seat == seat for ask in seen.pending)
    cards = _card_lines(player)
    last = p.right - 8 if p.narrow else ENDS[0] - 22 - 12 * len(str(player.gold))
    p.seat(left + 6, 17, seat)
    p.words(left + 18, 23, cut(name, last - left - 18 - (34 if mine else 0), 16), 16, bold=True)
    if sign := "►" if asked else f"{seen.result.ranks[seat]}." if seen.result else "":
        p.words(p.left + 4, 23, sign, 16, bold=True)
    if mine:
        p.words(last, 23, w("you"), 14, "end", QUIET)
    _numbers(p, player, f"{player.subsidies}/{stage(terms, seen.public).subsidies}")
    _shares(p, player.known, 32, "share" if mine else "")
    if player.unknown:
        _amount(p, left + SHARE * len(COLOURS), 32, "?", player.unknown)
    if p.narrow:
        p.top += 58 if held(player) else 32
        p.lines(left, 18, cards, 13)
        p.top += 4 if held(player) or cards else 2
    else:
        for at, line in enumerate(cards):
            p.words(p.right - 8, 46 + 18 * at, line, 13, "end")
        p.top += 40 + 18 * max(1, len(cards)) if held(player) or cards else 34
    if mine and seen.result is None:
        _own(p, terms, seen)


def _numbers(p: Picture, player: Player, subsidies: str) -> None:
    """Below their heads; on a narrow sheet each behind its own, below the name."""
    numbers = (player.gold, player.silver, player.money, subsidies, player.debt or "-")
    if p.narrow:
        said = [f"{head} {number}" for head, number in zip(_heads(), numbers, strict=True)]
        p.top += 26
        p.lines(_inside(p), 18, wrapped(said, " · ", lambda line: wide(line, 14) < p.right - 8 - _inside(p)), 14)
        p.top -= 22
        return
    bold = (True, False, False, False, player.debt > 0)
    for end, number, strong in zip(ENDS, numbers, bold, strict=True):
        # Long numbers are written smaller.
        p.words(end, 23, str(number), 16 if len(str(number)) < 6 else 13, "end", bold=strong)


def _card_lines(player: Player) -> list[str]:
    """The special cards, in as many lines as they need."""
    lines: list[str] = []
    for card in player.cards:
        said = cards_text(Player(cards=(card,)))
        if lines and len(lines[-1]) + len(said) < 28:
            lines[-1] += f" {said}"
        elif len(said) < 30:
            lines.append(said)
        else:
            middle = said.index("/", len(said) // 3) + 1
            lines += [said[:middle], said[middle:]]
    return lines


def _shares(p: Picture, cases: Cases, y: float, kind: str) -> None:
    """Each colour in its own column; `kind`: of their marks."""
    for at, colour in enumerate(COLOURS):
        if count(cases, colour):
            with p.at(f"{kind}:{colour}" if kind else ""):
                _amount(p, _inside(p) + SHARE * at, y, colour, count(cases, colour))


def _amount(p: Picture, x: float, y: float, face: str, number: int) -> None:
    case(p, x, y, face)
    p.words(x + CASE + 4, y + 15, str(number), 15, bold=True)


def _own(p: Picture, terms: Deal, seen: Sight) -> None:
    """What only this seat knows: its hidden shares, and what all of it is worth."""
    hidden, left, secret = cases_of(seen.hand(HAND)), _inside(p), w("hidden, only you know")
    if total(hidden):
        _shares(p, hidden, 0, "share")
        if p.narrow:
            p.top += 24
        p.words(left if p.narrow else p.right - 8, 14, secret, 14, "start" if p.narrow else "end", QUIET)
        p.top += 26
    shares, money, cost = wealth(terms, seen)
    value = w.plural(
        "shares worth {shares}, with money {all}: {n} bar at {cost}",
        "shares worth {shares}, with money {all}: {n} bars at {cost}",
        (shares + money) // cost,
        shares=shares,
        all=shares + money,
        cost=cost,
    )
    p.top -= 4
    p.flow(left, 18, value, 14 if p.narrow else 15 if len(value) < 56 else 13, p.right - 8 - left)
    p.top += 12


def case(p: Picture, x: float, y: float, face: str) -> None:
    """A case with its letter; black ones have a dot, because B is blue."""
    sign = next((letter(colour) for colour in COLOURS if colour == face), "•" if face == BLACK else "?")
    p.box(x, y, CASE, CASE, PAINT.get(face, PAPER), INK, 3)
    p.words(x + CASE / 2, y + 15, sign, 14, "middle", on(face), True)
