"""Der Weg zum Erfolg: climb five levels to nine goals, for 2 to 8 players."""

from referee.game import Game, later

from .rules import apply, bags, check, setup
from .types import Edition, Move, Options, Public

GAME = Game(
    title="Der Weg zum Erfolg",
    rules="1",
    seats=(2, 8),
    options=Options,
    edition=Edition,
    public=Public,
    move=Move,
    hands=("chip",),
    validate=later(__name__, "boards.validate"),
    bags=bags,
    setup=setup,
    check=check,
    apply=apply,
    legal=later(__name__, "words_list.legal"),
    parse=later(__name__, "words.parse"),
    text=later(__name__, "words.text"),
    tell=later(__name__, "story.tell"),
    draw=later(__name__, "board.draw"),
    bots={"random": later(__name__, "bots.random_move"), "sensible": later(__name__, "bots.sensible_move")},
)
