"""Schwarzmarkt: goods, luxury and black-market cards, for 3 to 5 players."""

from referee.game import Game, later

from .moves import legal, parse, text
from .rules import apply, bags, check, fallback, holds, setup, validate
from .types import Edition, Hidden, Move, Options, Own, Public

GAME = Game(
    title="Schwarzmarkt",
    rules="1",
    seats=(3, 5),
    options=Options,
    edition=Edition,
    public=Public,
    own=Own,
    hidden=Hidden,
    move=Move,
    validate=validate,
    bags=bags,
    setup=setup,
    check=check,
    apply=apply,
    legal=legal,
    fallback=fallback,
    parse=parse,
    text=text,
    holds=holds,
    draw=later(__name__, "board.draw"),
    bots={"random": later(__name__, "bots.random_move"), "sensible": later(__name__, "bots.sensible_move")},
)
