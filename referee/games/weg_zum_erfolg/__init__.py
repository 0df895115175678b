"""Der Weg zum Erfolg: climb five levels to nine goals, for 2 to 8 players."""

from referee.game import Game, Standing, later

from .rules import apply, bags, check, setup
from .types import Edition, Move, Options, Public, Words

GAME = Game(
    title="Der Weg zum Erfolg",
    rules="3",
    seats=(2, 8),
    options=Options,
    edition=Edition,
    public=Public,
    move=Move,
    hands=("chip",),
    standing=Standing(
        words=Words,
        legal=later(__name__, "words_standing.legal"),
        parse=later(__name__, "words_standing.parse"),
        text=later(__name__, "words_standing.text"),
        advise=later(__name__, "bots.advise"),
    ),
    validate=later(__name__, "boards.validate"),
    bags=bags,
    setup=setup,
    check=check,
    apply=apply,
    legal=later(__name__, "words_list.legal"),
    parse=later(__name__, "words.parse"),
    text=later(__name__, "words.text"),
    tell=later(__name__, "story.tell"),
    render=later(__name__, "board.render"),
    picture=later(__name__, "board_svg.picture"),
    bots={
        "random": later(__name__, "bots.random_move"),
        "sensible": later(__name__, "bots.sensible_move"),
        "strong": later(__name__, "bots_strong.strong_move"),
    },
)
