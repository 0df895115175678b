"""Schwarzmarkt: goods, luxury and black-market cards, for 3 to 5 players."""

from referee.game import Game, Standing, later

from .checks import check
from .rules import apply, bags, setup, validate
from .types import Edition, Move, Options, Public, Words

GAME = Game(
    title="Schwarzmarkt",
    rules="3",
    seats=(3, 5),
    options=Options,
    edition=Edition,
    public=Public,
    move=Move,
    hands=("goods", "cards"),
    standing=Standing(
        words=Words,
        legal=later(__name__, "words_standing.legal"),
        parse=later(__name__, "words_standing.parse"),
        text=later(__name__, "words_standing.text"),
        advise=later(__name__, "bots.advise"),
    ),
    validate=validate,
    bags=bags,
    setup=setup,
    check=check,
    apply=apply,
    legal=later(__name__, "words_list.legal"),
    parse=later(__name__, "words.parse"),
    text=later(__name__, "words.text"),
    tell=later(__name__, "story.tell"),
    called=later(__name__, "story.called"),
    render=later(__name__, "board.render"),
    picture=later(__name__, "board_svg.picture"),
    bots={
        "random": later(__name__, "bots.random_move"),
        "sensible": later(__name__, "bots.sensible_move"),
        "strong": later(__name__, "bots_strong.strong_move"),
    },
)
