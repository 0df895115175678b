"""Schwarzmarkt, in the referee's own process: keep the goods until they are dear, then sell all that is wanted.

Run it with: referee bot schwarzmarkt -- examples/bots/schwarzmarkt.py:decide
"""

import msgspec

from referee import games
from referee.game import ask_of

GAME = games.load("schwarzmarkt")
DEAR = 12


def decide(terms, seen, below):
    """The move of the seat that sees this, out of the examples that the choices have."""
    choices = sorted(GAME.legal(terms, seen), key=lambda choice: choice.minor)
    moves = [msgspec.convert(msgspec.to_builtins(choice.move), GAME.move) for choice in choices]
    if ask_of(seen.pending, seen.seat).what != "trade":
        return moves[below(len(moves))]
    dear = terms.edition.track[seen.public.marker] >= DEAR
    sales = [move for move in moves if any(msgspec.structs.astuple(move.goods))]
    waits = [move for move in moves if move not in sales and not move.sit_out]
    return (sales or waits)[0] if dear or not waits else waits[0]
