"""The functions that our games name in strings (`later`), named directly, so that mypy checks their types. A test
compares this with what the games say."""

from typing import Any

from referee.game import Game, Standing
from referee.games.mark import board as mk_board
from referee.games.mark import board_svg as mk_svg
from referee.games.mark import bots as mk_bots
from referee.games.mark import bots_strong as mk_strong
from referee.games.mark import story as mk_story
from referee.games.mark import words as mk_words
from referee.games.mark import words_list as mk_list
from referee.games.schwarzer_freitag import board as sf_board
from referee.games.schwarzer_freitag import board_svg as sf_svg
from referee.games.schwarzer_freitag import bots as sf_bots
from referee.games.schwarzer_freitag import bots_sensible as sf_sensible
from referee.games.schwarzer_freitag import bots_strong as sf_strong
from referee.games.schwarzer_freitag import limits as sf_limits
from referee.games.schwarzer_freitag import story as sf_story
from referee.games.schwarzer_freitag import words as sf_words
from referee.games.schwarzer_freitag import words_legal as sf_legal
from referee.games.schwarzmarkt import board as sm_board
from referee.games.schwarzmarkt import board_svg as sm_svg
from referee.games.schwarzmarkt import bots as sm_bots
from referee.games.schwarzmarkt import bots_strong as sm_strong
from referee.games.schwarzmarkt import story as sm_story
from referee.games.schwarzmarkt import words as sm_words
from referee.games.schwarzmarkt import words_list as sm_list
from referee.games.schwarzmarkt import words_standing as sm_standing
from referee.games.weg_zum_erfolg import board as we_board
from referee.games.weg_zum_erfolg import board_svg as we_svg
from referee.games.weg_zum_erfolg import boards as we_boards
from referee.games.weg_zum_erfolg import bots as we_bots
from referee.games.weg_zum_erfolg import bots_strong as we_strong
from referee.games.weg_zum_erfolg import story as we_story
from referee.games.weg_zum_erfolg import words as we_words
from referee.games.weg_zum_erfolg import words_list as we_list
from referee.games.weg_zum_erfolg import words_standing as we_standing

ELSE: dict[str, Any] = dict.fromkeys(("title", "rules", "seats", "public", "move", "setup", "apply"))
"""What the games do not name in strings: mypy checks it where it stands."""

TYPED = {
    "mark": Game(
        **ELSE,
        standing=Standing(
            words=object,
            legal=mk_words.standing_legal,
            parse=mk_words.standing_parse,
            text=mk_words.standing_text,
            advise=mk_bots.advise,
        ),
        legal=mk_list.legal,
        parse=mk_words.parse,
        text=mk_words.text,
        tell=mk_story.tell,
        render=mk_board.render,
        picture=mk_svg.picture,
        bots={"random": mk_bots.random_move, "sensible": mk_bots.sensible_move, "strong": mk_strong.strong_move},
    ),
    "schwarzer-freitag": Game(
        **ELSE,
        validate=sf_limits.validate,
        legal=sf_legal.legal,
        parse=sf_words.parse,
        text=sf_words.text,
        tell=sf_story.tell,
        render=sf_board.render,
        picture=sf_svg.picture,
        bots={"random": sf_bots.random_move, "sensible": sf_sensible.sensible_move, "strong": sf_strong.strong_move},
    ),
    "schwarzmarkt": Game(
        **ELSE,
        standing=Standing(
            words=object,
            legal=sm_standing.legal,
            parse=sm_standing.parse,
            text=sm_standing.text,
            advise=sm_bots.advise,
        ),
        legal=sm_list.legal,
        parse=sm_words.parse,
        text=sm_words.text,
        tell=sm_story.tell,
        called=sm_story.called,
        render=sm_board.render,
        picture=sm_svg.picture,
        bots={"random": sm_bots.random_move, "sensible": sm_bots.sensible_move, "strong": sm_strong.strong_move},
    ),
    "weg-zum-erfolg": Game(
        **ELSE,
        standing=Standing(
            words=object,
            legal=we_standing.legal,
            parse=we_standing.parse,
            text=we_standing.text,
            advise=we_bots.advise,
        ),
        validate=we_boards.validate,
        legal=we_list.legal,
        parse=we_words.parse,
        text=we_words.text,
        tell=we_story.tell,
        render=we_board.render,
        picture=we_svg.picture,
        bots={"random": we_bots.random_move, "sensible": we_bots.sensible_move, "strong": we_strong.strong_move},
    ),
}
