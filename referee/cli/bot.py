"""For authors of bots: `referee bot ...`."""

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from referee.cli import common as c
from referee.cli import t, w
from referee.cli.groups import spread
from referee.errors import Finding
from referee.language import Text, run

if TYPE_CHECKING:
    from referee.bots.players import Limits
    from referee.bots.playing import Fallback
    from referee.bots.trial import Rules

Words = Annotated[
    list[str],
    typer.Argument(
        metavar="-- COMMAND...",
        help="The bot: a program and its words, or file.py:function or module:function; to `try`, also a bot's name.",
        show_default=False,
    ),
]
FilesOption = Annotated[list[str] | None, c.option("--file", "FILE", "A further file or folder that the bot may read.")]
UnconfinedOption = Annotated[
    bool, typer.Option("--unconfined", help="Run it without the sandbox: it can do all that you can do.")
]


class Walls(NamedTuple):
    """What a bot may use."""

    start: Annotated[float, typer.Option("--start", min=0.01, help="Seconds until it must be ready.")] = 10.0
    time: Annotated[float, typer.Option("--time", min=0.01, help="Seconds for each answer.")] = 2.0
    bank: Annotated[float, typer.Option("--bank", min=0, help="Seconds for the whole game beyond those.")] = 30.0
    memory: Annotated[int, typer.Option("--memory", min=16, help="Memory, in MiB.")] = 1024
    file: FilesOption = None
    unconfined: UnconfinedOption = False

    def limits(self) -> "Limits":
        from referee.bots.players import Limits

        return Limits(start=self.start, answer=self.time, bank=self.bank, memory=self.memory << 20)

    def bot(self, words: list[str]) -> "tuple[str | list[str], list[str]]":
        """A bot from the words after `--`, of which a single one can name a function; and what it may read here."""
        from referee.bots.visible import named_files

        if len(words) == 1 and ":" in words[0]:
            return words[0], self.file or []
        return words, [*named_files(words), *(self.file or [])]


FailOption = Annotated[
    Literal["random", "miss", "resign"],
    typer.Option("--on-fault", help="What its seat does then: a random move, miss the deadline, or leave."),
]
SHOWN = {"passed": t("ok"), "failed": t("FAILED"), "noted": t("note"), "skipped": "-"}


def check(
    game: c.GameName,
    words: Words,
    option: c.ChoiceOption = None,
    edition: c.EditionOption = None,
    *,
    walls: Walls,
    json: c.JsonOption = False,
) -> None:
    """Does a bot keep to schemas/BOTS.md? Named steps; what fails is shown with the lines that led to it (exit 6)."""
    from referee.bots import conformance
    from referee.bots.confine import told
    from referee.bots.process import prepared

    confined = not walls.unconfined
    program = prepared(*walls.bot(words), confined=confined)
    steps = conformance.check(program, _rules(game, None, option, edition, walls))
    failed = [step for step in steps if step.status == "failed"]
    if json:
        c.report({"code": "bot-failed" if failed else "ok", "game": game, "steps": steps, "walls": told(confined)})
        raise typer.Exit(Finding.exit if failed else 0)
    shown = {status: str(word) for status, word in SHOWN.items()}
    width = max(map(len, shown.values()))
    for step in steps:
        c.out(f"{shown[step.status]:>{width}}  {step.name:20} {step.holds}")
        if step.why and step.status != "passed":
            c.out(f"{'':{width + 2}}{'':20} {step.why}")
        for line in step.lines if step.status in ("failed", "noted") else ():
            c.out(f"{'':10}{line}")
    for note in told(confined):
        c.say(c.sentence(note))
    passed = sum(step.status == "passed" for step in steps)
    c.out(w("{passed} of {steps} steps passed, {failed} failed", passed=passed, steps=len(steps), failed=len(failed)))
    if failed:
        raise _finding(t("the bot failed at {name}", name=failed[0].name), t("mend it, and check it again"))
    c.say(w("Next: let it play with {command}.", command=run("bot", "try", game, "--", *words)))


def try_(
    game: c.GameName,
    words: Words,
    seats: Annotated[int | None, typer.Option("--seats", help="Number of players. Default: the fewest.")] = None,
    seat: Annotated[int, typer.Option("--seat", min=1, help="Where the bot sits.")] = 1,
    against: Annotated[
        str, typer.Option("--against", help="Who plays the other seats: a bot of the game.")
    ] = "sensible",
    option: c.ChoiceOption = None,
    edition: c.EditionOption = None,
    seed: Annotated[str | None, typer.Option("--seed", help="Any text: the same text gives the same chance.")] = None,
    fallback: FailOption = "random",
    *,
    walls: Walls,
    output: Annotated[str | None, c.option("-o", "FILE", "Keep the transcript of the game.")] = None,
    json: c.JsonOption = False,
) -> None:
    """Play a game of a bot against the built-in ones: signed moves, the same engine. Exit 6 if it made a fault."""
    from referee.engine.host import reveal
    from referee.library.trying import try_bot

    rules = _rules(game, seats, option, edition, walls, fallback, seed)
    done = try_bot(rules, *walls.bot(words), seat - 1, against, confined=not walls.unconfined)
    if output is not None:
        c.write_new(output, reveal(done.trial.match))
    if json:
        c.report({"code": "bot-failed" if done.faults else "ok", **done.data()})
        raise typer.Exit(Finding.exit if done.faults else 0)
    for line in done.lines():
        c.out(line)
    for note in done.spent.walls:
        c.say(c.sentence(note))
    if done.faults:
        asked = done.spent.questions
        failed = min(len(done.faults), asked)  # one that cannot start fails before it is asked
        why = t("the bot made a fault in {failed} of {questions} answers", failed=failed, questions=asked)
        raise _finding(why, t("check it with {value}", value=run("bot", "check", game, "--", *words)))
    checked = run("verify", output) if output not in (None, "-") else w("-o FILE and `referee verify FILE`")
    c.say(w("Next: play more games; check this one with {command}.", command=checked))


def _rules(
    game: str,
    seats: int | None,
    option: list[str] | None,
    edition: str | None,
    walls: Walls,
    fallback: "Fallback" = "random",
    seed: str | None = None,
) -> "Rules":
    """How it is played; without a number of seats at the smallest table."""
    from referee import games
    from referee.bots.trial import Rules
    from referee.library.tables import terms_of

    game_id, found, terms, _ = terms_of(game, seats or games.load(game).seats[0], option or [], edition)
    return Rules(game_id, found, terms, walls.limits(), fallback, seed)


def _finding(message: Text, next: Text) -> Finding:
    found = Finding("bot-failed", message)
    found.next = next
    return found


app = typer.Typer(help="Check and try bots, in any language.", no_args_is_help=True, rich_markup_mode=None)
app.command("check")(spread(check))
app.command("try")(spread(try_))
