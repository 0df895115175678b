"""For authors of bots: `referee bot`."""

from typing import Literal, NamedTuple

import typer

from referee import games
from referee.bots import confine, conformance, players, playing, process, trial, visible
from referee.cli import common as c
from referee.cli import t, w
from referee.errors import Finding
from referee.language import Text, run
from referee.library import tables, trying
from referee.library.values import sentence


class BotOptions(NamedTuple):
    """What a bot may use."""

    start: float = c.option("--start", "", "Seconds until it must be ready.", default=10.0, min=0.01)
    time: float = c.option("--time", "", "Seconds for each answer.", default=2.0, min=0.01)
    bank: float = c.option("--bank", "", "Extra seconds for the whole game.", default=30.0, min=0)
    memory: int = c.option("--memory", "", "Memory, in MiB.", default=1024, min=16)
    file: list[str] | None = c.option("--file", "FILE", "A further file or folder that the bot may read.")
    unconfined: bool = c.flag("--unconfined", "Run it without the sandbox, with all your permissions.")

    def limits(self) -> "players.Limits":
        return players.Limits(start=self.start, answer=self.time, bank=self.bank, memory=self.memory << 20)

    def bot(self, words: list[str]) -> "tuple[str | list[str], list[str]]":
        """A bot from the words after `--`, of which a single one can name a function; and what it may read here."""
        if len(words) == 1 and ":" in words[0]:
            return words[0], self.file or []
        return words, [*visible.named_files(words), *(self.file or [])]


class Table(NamedTuple):
    """The game that a bot plays."""

    seats: int | None = c.option("--seats", "", "Number of players. Default: the fewest.")
    seat: int = c.option("--seat", "", "Where the bot sits.", default=1, min=1)
    against: str = c.option("--against", "", "Who plays the other seats: a bot of the game.", default="sensible")
    seed: str | None = c.option("--seed", "", "Any text: the same text gives the same draws.")
    fallback: Literal["random", "miss", "resign"] = c.option(
        "--on-fault", "", "What its seat does then: a random move, miss the deadline, or leave.", default="random"
    )
    output: str | None = c.option("-o", "FILE", "Keep the transcript of the game.")


def bot(
    game: c.GameName,
    words: list[str] = typer.Argument(
        metavar="-- COMMAND...",
        help="The bot: a program with its arguments, file.py:function, module:function, or a bot's name.",
        show_default=False,
    ),
    checking: bool = c.flag(
        "--check",
        "Check instead that it keeps to schemas/BOTS.md, step by step; what fails is "
        "shown with the lines that led to it.",
    ),
    *,
    table: Table,
    option: c.ChoiceOption = None,
    edition: c.EditionOption = None,
    walls: BotOptions,
    json: c.JsonOption = False,
) -> None:
    """Try a bot, in any language: play a game against the built-in ones; -o writes it with all signatures; or
    check it. Exit 6 if it made a mistake.

    Example: referee bot mark -- python3 mybot.py
    referee bot mark --check -- python3 mybot.py
    """
    if checking:
        c.refuse_without({"-o": table.output}, w("a game"), False)
        return _check(game, words, _rules(game, None, option, edition, walls), walls, json)
    rules = _rules(game, table.seats, option, edition, walls, table.fallback, table.seed)
    return _try(rules, words, table, walls, json)


def _check(game: str, words: list[str], rules: "trial.Rules", walls: BotOptions, json: bool) -> None:
    confined = not walls.unconfined
    program = process.program_for(*walls.bot(words), confined=confined)
    steps = conformance.check(program, rules)
    failed = [step for step in steps if step.status == "failed"]
    if json:
        code = "bot-failed" if failed else "ok"
        c.report({"code": code, "game": game, "steps": steps, "walls": confine.confinement_notes(confined)})
        raise typer.Exit(Finding.exit if failed else 0)
    c.print_and_note(trying.step_lines(steps), map(sentence, confine.confinement_notes(confined)))
    c.out(trying.steps_counted(steps))
    if failed:
        raise _finding(t("the bot failed at {name}", name=failed[0].name), t("fix it, and check it again"))
    c.say(w("Next: let it play with {command}.", command=run("bot", game, "--", *words)))


def _try(rules: "trial.Rules", words: list[str], table: Table, walls: BotOptions, json: bool) -> None:
    output = table.output
    done = trying.try_bot(rules, *walls.bot(words), table.seat - 1, table.against, confined=not walls.unconfined)
    if output is not None:
        c.write_out(output, done.trial.transcript(), new=True)
    if json:
        c.report({"code": "bot-failed" if done.faults else "ok", **done.data()})
        raise typer.Exit(Finding.exit if done.faults else 0)
    c.print_and_note(done.lines(), map(sentence, done.spent.walls))
    if done.faults:
        asked = done.spent.questions
        failed = min(len(done.faults), asked)  # one that cannot start fails before it is asked
        why = t("the bot made a mistake in {failed} of {questions} answers", failed=failed, questions=asked)
        raise _finding(why, t("check it with {value}", value=run("bot", rules.game_id, "--check", "--", *words)))
    checked = run("verify", output) if output not in (None, "-") else w("-o FILE and `referee verify FILE`")
    c.say(w("Next: play more games; check this one with {command}.", command=checked))


def _rules(
    game: str,
    seats: int | None,
    option: list[str] | None,
    edition: str | None,
    walls: BotOptions,
    fallback: "playing.Fallback" = "random",
    seed: str | None = None,
) -> "trial.Rules":
    """How it is played; without a number of seats at the smallest table."""
    game_id, found, terms, _ = tables.terms_of(game, seats or games.load(game).seats[0], option or [], edition)
    return trial.Rules(game_id, found, terms, walls.limits(), fallback, seed)


def _finding(message: Text, next: Text) -> Finding:
    found = Finding("bot-failed", message)
    found.next = next
    return found
