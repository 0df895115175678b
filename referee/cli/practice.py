"""Practice: a game against bots, at once."""

import os
import sys

from referee import games
from referee.cli import asking, t, w, window
from referee.cli import common as c
from referee.errors import Usage
from referee.io import screen
from referee.language import run
from referee.library import completion, rehearsal, rehearsing
from referee.show import terminal

SAID_BEFORE = 2
"""The most lines that are on the screen when the table appears."""


def practice(
    game: str = c.argument("[GAME]", "Which game; without it you choose from a list.", completion.games, default=""),
    seats: int | None = c.option("--seats", "", "Number of players. Default: 3, where the game allows it."),
    seat: int | None = c.option("--seat", "", "Your seat. Default: 1, the first one."),
    level: str | None = c.option("--level", "BOT", "The bot that the others play with. Default: sensible."),
    option: c.ChoiceOption = None,
    edition: c.EditionOption = None,
    seed: str | None = c.option("--seed", "", "Any text: the same text gives the same game."),
    guide: bool | None = c.flag("--guide/--no-guide", "Have your first moves explained, or not.", None),
    new: bool = c.flag("--new", "Begin another game and forget the one that you left."),
    browser: bool = c.flag("--browser", "Play in a window of your browser."),
) -> None:
    """Play against bots at once: no keys, no files. Leave when you like; next time you continue where you left off.

    Example: referee practice mark
    """
    if browser and not game:
        return window.practise(None)
    if not (browser or c.is_interactive()):
        see = t("programs can call `referee.practice`, see {run}", run=run("manual", "library"))
        raise Usage(t("practice needs a terminal"), see, code="no-terminal")
    game = game or _chosen_game()
    settings = {
        "--seats": seats,
        "--seat": seat,
        "--level": level,
        "--option": option,
        "--edition": edition,
        "--seed": seed,
    }
    given = next((name for name, value in settings.items() if value is not None), "")
    kept = None if new or given or guide is not None else rehearsing.find(game)
    opening = None if kept else rehearsing.opening(game, guide, given)
    if kept is not None:
        c.say(w("You continue the game that you left; {run} begins another one.", run=run("practice", game, "--new")))
    elif opening and (guide or browser or c.confirm(w("Do you want your first moves explained?"))):
        kept = rehearsing.explained_game(game, opening)
    else:
        where, chance = 0 if seat is None else seat - 1, seed or os.urandom(8).hex()
        kept = rehearsing.begun(game, seats, where, level or "sensible", chance, option or [], edition)
    if not browser:
        person = asking.Somebody(SAID_BEFORE)
        return rehearsal.Table(kept, person, terminal.Painter(colour=screen.colour(sys.stderr))).play()
    rehearsing.resume(kept)
    rehearsing.keep(kept)
    return window.practise({"call": "practice", "with": {"game": game}})


def _chosen_game() -> str:
    found = games.game_ids()
    for number, game_id in enumerate(found, 1):
        c.say(f"{number:>3}  {games.load(game_id).title}")
    while True:
        typed = c.ask_line(w("Which game? Type its number:")).strip()
        if typed in found:
            return typed
        if typed.isdecimal() and 0 < int(typed) <= len(found):
            return found[int(typed) - 1]
        c.say(w("Type a number from 1 to {most}.", most=len(found)))
