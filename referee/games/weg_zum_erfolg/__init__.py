"""Der Weg zum Erfolg: climb five levels to nine goals, for 2 to 8 players."""

from referee.game import Game, later

from .boards import validate
from .choices import legal
from .moves import parse, text
from .rules import apply, bags, check, fallback, holds, setup
from .types import Edition, Hidden, Move, Options, Own, Public

GAME = Game(
    title="Der Weg zum Erfolg",
    rules="1",
    seats=(2, 8),
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
