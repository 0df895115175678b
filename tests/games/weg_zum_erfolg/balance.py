"""How many players end without points, how often pieces meet, how long games take: `sensible` bots on other boards.

python -m tests.games.weg_zum_erfolg.balance --board ours --seats 4 8 --games 200 [--seed 1]
"""

# The search was for fewer than 8% of players without points with five to eight players too, with all that is asked of
# games of four: at least 4 contests and 3 interventions, 90 to 150 turns, fewer than 8% without points. Only the board
# (LO-5) and the chance cards (LO-6) were changed, which are ours. Share of players without points in 80 games each, and
# contests, interventions and turns in those of four; half of a 99% interval is .04 with ours, .025 with the other:
#
#   board                 4      5      6      7      8       contests   interventions   turns
#   ours                .069   .163   .188   .223   .244           4.6             3.6     135
#   dense below, kind   .013   .040   .044   .073   .078           9.7             5.9     176
#
# In 40 to 120 games with four and with eight players:
#
#   board                                      4              8      contests   interventions         turns
#   ours, other chance cards (5 piles)   .06 to .13     .20 to .21   3.4 to 4.9      3.0 to 4.1   132 to 184
#   ours, kind, other heads (6 orders)   .06 to .09     .16 to .22   3.1 to 6.0      2.2 to 3.2   123 to 135
#   ours with ways of 2 fields              .03            .24          4.3             3.5           131
#   ours with ways of 1 field               .06            .18          5.0             2.6           133
#   no small fields on lanes, ways of 2     .06            .14          5.8             4.4           119
#   blue ways of 4                          .02            .12          7.4             2.8           177
#   blue ways of 6                          .01            .07          9.0             2.9           204
#   dense below                             .03            .08          8.5             5.2           169
#   short below, kind                       .02            .08          7.0             3.7           150
#
# A player scores nothing whose pieces are all on the board below blue when the fourth piece comes home. With eight
# players the fourth comes home early. What helps is a long way through blue and a short one below it, and that
# makes games longer: no board we tried is clearly below 8% with eight players and has at most 150 turns with four.
# `short below, kind` comes nearest: .082 +- .021 and 150 turns in 120 games. So the board stays as it is: it has what
# was asked of games of four. For five players or more a host can offer the other as an edition, shown as a list.

import argparse
from collections.abc import Sequence
from statistics import mean, stdev
from typing import NamedTuple

import msgspec

from referee.games.weg_zum_erfolg import GAME
from referee.games.weg_zum_erfolg.types import LEVELS, Deal, Edition, Options
from referee.show.measured import Z99
from tests.games.selfplay import play

from .build import OURS
from .other import Data, Maker, read

DATA: Data = msgspec.to_builtins(OURS)
OUR_KINDS = ("hhhh", "qqqqq", "hqhqhq", "qhqhqhq", "hqhqhqhq")
"""Decision fields of each row from below: `h` is a head, `q` a "?"."""
LOW_HEADS = ("hhhh", "hqhqh", "qqqqqq", "qqqqqqq", "qqqqqqqq")
KIND_CARDS = {"back-1": 1, "back-2": 1, "back-3": 2, "forward-2": 4, "forward-3": 4, "decision": 16}
KIND_CARDS |= {"reserve": 0, "miss": 1, "nothing": 0}
KIND = {"chance": [card | {"count": KIND_CARDS.get(card["id"], card["count"])} for card in DATA["chance"]]}
"""Chance cards that help more often than ours."""


class Shape(NamedTuple):
    """How many small fields a board has, and where, if it is built of five rows as ours is."""

    lanes: tuple[int, ...] = (1, 1, 1, 1, 1)
    """Between a junction and the next decision field, in each row from below."""
    connectors: tuple[int, ...] = (1, 1, 1, 1)
    """Between a junction and the decision field above it; the first of them is a star field."""
    ways: int = 4
    """Between S and the yellow row."""
    top: int = 1
    """Between a blue junction and its chip field."""
    kinds: Sequence[str] = OUR_KINDS
    kind: bool = False
    """With the chance cards that help more often."""


def built(shape: Shape) -> Edition:
    """Our edition with such a board."""
    maker = Maker()
    junctions: list[str] = []
    for at, (level, kinds) in enumerate(zip(LEVELS, shape.kinds, strict=True)):
        marks = maker.row(f"t{at}", f"j{'j'.join(kinds)}j", shape.lanes[at : at + 1], level)
        for number, decision in enumerate(marks[1::2]):
            if not at:
                maker.way_down(decision, shape.ways, {1: "left", 2: "right"}.get(number, ""))
                continue
            fields = range(shape.connectors[at - 1])
            names = [maker.add(f"{decision}d{n}", "small" if n else "star", level) for n in fields]
            maker.join("up", junctions[number], *names, decision)
        junctions = marks[::2]
    tops = []
    for number, junction in enumerate(junctions):
        tops.append([maker.add(f"top{number}x{n}", "small", "blue") for n in range(shape.top)])
        maker.join("up", junction, *tops[-1])
    maker.goals([top[-1] if top else junction for top, junction in zip(tops, junctions, strict=True)])
    more = KIND if shape.kind else {}
    return read(DATA | {"fields": list(maker.fields.values())} | more)


BOARDS: dict[str, Shape | None] = {
    "ours": None,
    "blue ways of 4": Shape(connectors=(1, 1, 1, 4), ways=1, top=4),
    "blue ways of 6": Shape(connectors=(1, 1, 1, 6), ways=1, top=6),
    "dense below": Shape((0, 0, 0, 0, 1), (1, 1, 1, 4), 1, 4),
    "dense below, kind": Shape((0, 0, 0, 0, 1), (1, 1, 1, 4), 1, 4, kind=True),
    "short below, kind": Shape((0, 0, 0, 0, 1), (0, 0, 0, 3), 1, 4, LOW_HEADS, kind=True),
}


def told(board: str, seats: int, games: int, seed: str) -> str:
    """One line: means with half of their 99 % intervals."""
    shape = BOARDS[board]
    terms = Deal(seats, Options(), OURS if shape is None else built(shape))
    GAME.validate(terms)
    found: dict[str, list[float]] = {"without points": [], "contests": [], "interventions": [], "turns": []}
    for number in range(games):
        played = play(GAME, terms, ["sensible"] * seats, f"{seed} {seats} {number}")
        assert played.step.result is not None
        found["without points"].append(sum(score[0] == 0 for score in played.step.result.scores) / seats)
        found["contests"].append(played.counts["contests"])
        found["interventions"].append(played.counts["intervenes"])
        found["turns"].append(played.step.public.turns)
    halves = {name: Z99 * stdev(values) / games**0.5 for name, values in found.items()}
    return f"{board}, {seats} players, {games} games: " + ", ".join(
        f"{name} {mean(values):.3g} +- {halves[name]:.2g}" for name, values in found.items()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", nargs="+", default=["ours"], choices=BOARDS)
    parser.add_argument("--seats", type=int, nargs="+", default=[4, 5, 6, 7, 8])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    for board in given.board:
        for seats in given.seats:
            print(told(board, seats, given.games, given.seed), flush=True)


if __name__ == "__main__":
    main()
