"""Schwarzer Freitag: shares, subsidies and silver, for 2 to 5 players."""

from referee.game import Game, later

from .rules import apply, bags, check, setup
from .types import HAND, Edition, Move, Options, Public

GAME = Game(
    title="Schwarzer Freitag",
    rules="5",
    seats=(2, 5),
    options=Options,
    edition=Edition,
    public=Public,
    move=Move,
    hands=(HAND,),
    validate=later(__name__, "limits.validate"),
    bags=bags,
    setup=setup,
    check=check,
    apply=apply,
    legal=later(__name__, "words_legal.legal"),
    parse=later(__name__, "words.parse"),
    text=later(__name__, "words.text"),
    tell=later(__name__, "story.tell"),
    render=later(__name__, "board.render"),
    picture=later(__name__, "board_svg.picture"),
    bots={
        "random": later(__name__, "bots.random_move"),
        "sensible": later(__name__, "bots_sensible.sensible_move"),
        "strong": later(__name__, "bots_strong.strong_move"),
    },
)
