"""For authors of bots: `referee bot ...`."""

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from referee.cli import t, w
from referee.cli.common import ChoiceOption, EditionOption, GameName, JsonOption, out, say, sentence, write_new
from referee.cli.groups import spread
from referee.cli.reports import report
from referee.errors import Finding, Usage
from referee.language import Figures, Text, mark, run, written

if TYPE_CHECKING:
    from referee.bots.players import Limits, Spent
    from referee.bots.playing import Fallback
    from referee.bots.trial import Rules, Trial

Words = Annotated[
    list[str],
    typer.Argument(
        metavar="-- COMMAND...",
        help="The bot: a program and its words, or file.py:function or module:function; to `try`, also a bot's name.",
        show_default=False,
    ),
]
FilesOption = Annotated[
    list[str] | None,
    typer.Option("--file", metavar="FILE", help="A further file or folder that the bot may read."),
]
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
FAULTS = {
    "illegal": mark("{n} illegal"), "timeout": mark("{n} timeout"), "crash": mark("{n} crash"),
    "nonsense": mark("{n} nonsense"),
}  # fmt: skip
SHOWN = {"passed": t("ok"), "failed": t("FAILED"), "noted": t("note"), "skipped": "-"}


def check(
    game: GameName,
    words: Words,
    option: ChoiceOption = None,
    edition: EditionOption = None,
    *,
    walls: Walls,
    json: JsonOption = False,
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
        report({"code": "bot-failed" if failed else "ok", "game": game, "steps": steps, "walls": told(confined)})
        raise typer.Exit(Finding.exit if failed else 0)
    shown = {status: str(word) for status, word in SHOWN.items()}
    width = max(map(len, shown.values()))
    for step in steps:
        out(f"{shown[step.status]:>{width}}  {step.name:20} {step.holds}")
        if step.why and step.status != "passed":
            out(f"{'':{width + 2}}{'':20} {step.why}")
        for line in step.lines if step.status in ("failed", "noted") else ():
            out(f"{'':10}{line}")
    for note in told(confined):
        say(sentence(note))
    passed = sum(step.status == "passed" for step in steps)
    out(w("{passed} of {steps} steps passed, {failed} failed", passed=passed, steps=len(steps), failed=len(failed)))
    if failed:
        raise _finding(t("the bot failed at {name}", name=failed[0].name), t("mend it, and check it again"))
    say(w("Next: let it play with {command}.", command=run("bot", "try", game, "--", *words)))


def try_(
    game: GameName,
    words: Words,
    seats: Annotated[int | None, typer.Option("--seats", help="Number of players. Default: the fewest.")] = None,
    seat: Annotated[int, typer.Option("--seat", min=1, help="Where the bot sits.")] = 1,
    against: Annotated[
        str, typer.Option("--against", help="Who plays the other seats: a bot of the game.")
    ] = "sensible",
    option: ChoiceOption = None,
    edition: EditionOption = None,
    seed: Annotated[str | None, typer.Option("--seed", help="Any text: the same text gives the same chance.")] = None,
    fallback: FailOption = "random",
    *,
    walls: Walls,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="Keep the transcript of the game.")] = None,
    json: JsonOption = False,
) -> None:
    """Play a game of a bot against the built-in ones: signed moves, the same engine. Exit 6 if it made a fault."""
    from referee.bots.players import find
    from referee.bots.trial import trial
    from referee.engine.host import reveal

    rules = _rules(game, seats, option, edition, walls, fallback, seed)
    if seat > rules.terms.seats:
        raise Usage(
            t("there is no seat {seat} at this table", seat=seat),
            t("choose --seat from 1 to {seats}", seats=rules.terms.seats),
        )
    players, (named, files) = [find(against, rules.game)] * rules.terms.seats, walls.bot(words)
    players[seat - 1] = (
        find(words[0], rules.game)
        if len(words) == 1 and words[0] in rules.game.bots
        else find(named, rules.game, files, confined=not walls.unconfined)
    )
    done = trial(rules, players)
    if output is not None:
        write_new(output, reveal(done.match))
    if json:
        faults = done.chairs[seat - 1].faults
        report({"code": "bot-failed" if faults else "ok", **_summary(game, done, seat - 1, against)})
        raise typer.Exit(Finding.exit if faults else 0)
    _tell(done, seat - 1, against)
    _refuse_faults(done, seat - 1, game, words)
    checked = run("verify", output) if output not in (None, "-") else w("-o FILE and `referee verify FILE`")
    say(w("Next: play more games; check this one with {command}.", command=checked))


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


def _refuse_faults(done: "Trial", seat: int, game: str, words: list[str]) -> None:
    spent, faults = done.spent[seat], done.chairs[seat].faults
    for note in spent.walls:
        say(sentence(note))
    if faults:
        failed = min(len(faults), spent.questions)  # one that cannot start fails before it is asked
        why = t("the bot made a fault in {failed} of {questions} answers", failed=failed, questions=spent.questions)
        raise _finding(why, t("check it with {value}", value=run("bot", "check", game, "--", *words)))


def _finding(message: Text, next: Text) -> Finding:
    found = Finding("bot-failed", message)
    found.next = next
    return found


def _summary(game: str, done: "Trial", seat: int, against: str) -> dict[str, object]:
    """A game that was tried, for programs."""
    result, chair = done.result, done.chairs[seat]
    return {
        "game": game,
        "id": done.match.table.id,
        "seat": seat + 1,
        "against": against,
        "rounds": done.match.state.round,
        "end": done.match.state.end,
        "ranks": result.ranks if result else (),
        "scores": result.scores if result else (),
        "faults": [{"round": number, "fault": fault} for number, fault in chair.faults],
        "spent": done.spent[seat],
        "notes": [note.text() for note in done.spent[seat].notes()],
    }


def _tell(done: "Trial", seat: int, against: str) -> None:
    """The same for people."""
    from referee.library.checking import ended

    table, state, spent = done.match.table, done.match.state, done.spent[seat]
    out(w("{title}, {seats} players, game {game}: over after {rounds} rounds ({end})", title=table.game.title,
          seats=table.seats, game=table.id[:8], rounds=state.round, end=ended(state.end)))  # fmt: skip
    if state.result is not None:
        from referee.show.text import marked

        rows = sorted(zip(state.result.ranks, range(table.seats), state.result.scores, strict=True))
        for rank, one, score in rows:
            who = w("the bot") if one == seat else against
            out(f"  {rank}. {marked(state.result, table.names)[one]}, {who} ({', '.join(map(str, score))})")
    out(w("The bot at seat {seat}: {used}", seat=seat + 1, used=_used(spent)))
    for note in spent.notes():
        out(f"  {note}")
    if spent.faults:
        kinds = ", ".join(w(FAULTS[kind], n=count) for kind, count in spent.faults.items())
        out(w("  faults: {kinds}; the first:", kinds=kinds))
    if spent.first is not None:
        out(f"  {spent.first.told()}")
        for line in spent.first.lines:
            out(f"    {line}")


def _used(spent: "Spent") -> str:
    """Time and memory, in words."""
    asked = w("{n} questions", n=spent.questions)
    parts = [asked, written(f"{spent.seconds:.2f} s"), w("the slowest {time:.0f} ms", time=round(spent.slowest * 1000))]
    if spent.start:
        parts.insert(0, w("ready after {time} s", time=Figures(f"{spent.start:.2f}")))
    if spent.memory:
        parts.append(f"{spent.memory >> 20} MiB")
    return ", ".join(parts)


app = typer.Typer(help="Check and try bots, in any language.", no_args_is_help=True, rich_markup_mode=None)
app.command("check")(spread(check))
app.command("try")(spread(try_))
