"""M.A.R.K.: recycling plants, a market and a hammer, for 2 to 4 players."""

from referee.game import Game, Standing, later

from .rules import apply, bags, check, setup, validate
from .types import Edition, Move, Options, Public, Words

GAME = Game(
    title="M.A.R.K.",
    rules="3",
    seats=(2, 4),
    options=Options,
    edition=Edition,
    public=Public,
    move=Move,
    standing=Standing(
        words=Words,
        legal=later(__name__, "words.standing_legal"),
        parse=later(__name__, "words.standing_parse"),
        text=later(__name__, "words.standing_text"),
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
    render=later(__name__, "board.render"),
    picture=later(__name__, "board_svg.picture"),
    bots={
        "random": later(__name__, "bots.random_move"),
        "sensible": later(__name__, "bots.sensible_move"),
        "strong": later(__name__, "bots_strong.strong_move"),
    },
)
