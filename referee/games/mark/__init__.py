"""M.A.R.K.: recycling plants, a market and a hammer, for 2 to 4 players."""

from referee.game import Game, later

from .moves import legal, parse, text
from .rules import apply, bags, check, fallback, setup, validate
from .types import Edition, Hidden, Move, Options, Own, Public

GAME = Game(
    title="M.A.R.K.",
    rules="1",
    seats=(2, 4),
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
    draw=later(__name__, "board.draw"),
    bots={"random": later(__name__, "bots.random_move"), "sensible": later(__name__, "bots.sensible_move")},
)
