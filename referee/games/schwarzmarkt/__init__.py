"""Schwarzmarkt: goods, luxury and black-market cards, for 3 to 5 players."""

from referee.game import Game, later

from .checks import check
from .rules import apply, bags, setup, validate
from .types import Edition, Move, Options, Public

GAME = Game(
    title="Schwarzmarkt",
    rules="1",
    seats=(3, 5),
    options=Options,
    edition=Edition,
    public=Public,
    move=Move,
    hands=("goods", "cards"),
    validate=validate,
    bags=bags,
    setup=setup,
    check=check,
    apply=apply,
    legal=later(__name__, "words.legal"),
    parse=later(__name__, "words.parse"),
    text=later(__name__, "words.text"),
    tell=later(__name__, "story.tell"),
    draw=later(__name__, "board.draw"),
    bots={"random": later(__name__, "bots.random_move"), "sensible": later(__name__, "bots.sensible_move")},
)
