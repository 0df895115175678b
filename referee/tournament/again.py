"""Games that a check plays again, where its user wants that: which bots can, and what would run. Nothing runs here."""

from shlex import quote
from shutil import which
from typing import NamedTuple

from referee.errors import RefereeError
from referee.io.files import printable
from referee.language import NOTHING, Text
from referee.tournament import t
from referee.tournament.documents import Bot
from referee.tournament.entrants import hash_of
from referee.tournament.ledger import Ledger

LONGEST = 500
"""Most characters of a command that is shown; what is longer does not run."""
MOST = 100
"""Most commands that are shown; what is beyond does not run."""


class Ready(NamedTuple):
    """What can play again here."""

    names: frozenset[str]
    """Of the entrants whose bots are deterministic and lie here as they were entered."""
    commands: tuple[str, ...]
    """What would run for them and is not part of this program, in words that a terminal can show."""
    notes: tuple[Text, ...]
    """Whose games are not played again, and why."""


def ready(ledger: Ledger) -> Ready:
    """Who can play again. A name stands for one bot in all stages."""
    names, commands, notes = [], dict[str, None](), []
    for one in {one.name: one for part in ledger.parts for _, one in part.players}.values():
        text = "" if is_ours(one.bot) else " ".join(quote(printable(word)) for word in one.bot.run)
        if not one.bot.deterministic:
            notes.append(t("{name} is not said to be deterministic: its games are not played again", name=one.name))
        elif len(text) > LONGEST or len(commands.keys() | {text}) > MOST:
            notes.append(
                t("the command of {name} is too long to be shown: its games are not played again", name=one.name)
            )
        elif why := _absent(one.name, one.bot):
            notes.append(why)
        else:
            names.append(one.name)
            commands |= {text: None} if text else {}
    return Ready(frozenset(names), tuple(commands), tuple(notes))


def is_ours(bot: Bot) -> bool:
    """Whether a bot is one of the games: part of this program, or of a game that is installed."""
    return not bot.program and ":" not in bot.run[0]


def _absent(name: str, bot: Bot) -> Text:
    """Why a bot cannot run here; empty if it can."""
    try:
        here = hash_of(bot) if not bot.program or which(bot.run[0]) else ""
    except RefereeError:
        here = ""
    if here == bot.hash:
        return NOTHING
    if not here:
        return t("the bot of {name} is not here: its games are not played again", name=name)
    return t("the bot of {name} is another one than was entered: its games are not played again", name=name)
