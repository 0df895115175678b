"""A game of a bot against those of the game: how it ended, and how the bot behaved."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from referee.bots.conformance import Step
from referee.bots.players import Fault, Spent, find
from referee.bots.trial import Rules, Trial, trial
from referee.errors import Usage
from referee.language import Figures, localised_number, mark
from referee.library import t, w
from referee.library.checking import ended
from referee.show.text import marked, scored

FAULTS = {
    "illegal": mark("{n} illegal"), "timeout": mark("{n} timeout"), "crash": mark("{n} crash"),
    "nonsense": mark("{n} nonsense"),
}  # fmt: skip


SHOWN = {"passed": t("ok"), "failed": t("FAILED"), "noted": t("note"), "skipped": "-"}


class Tried(Struct, frozen=True):
    """The result of a trial game."""

    game: str
    trial: Trial
    seat: int
    """Where the bot sat."""
    against: str

    @property
    def spent(self) -> Spent:
        return self.trial.spent[self.seat]

    @property
    def faults(self) -> list[tuple[int, Fault]]:
        """Round and kind of each fault of the bot."""
        return self.trial.chairs[self.seat].faults

    def data(self) -> dict[str, object]:
        """The same for programs."""
        state, result = self.trial.game.state, self.trial.result
        return {
            "game": self.game,
            "seat": self.seat + 1,
            "against": self.against,
            "rounds": state.round,
            "end": state.end,
            "ranks": result.ranks if result else (),
            "scores": result.scores if result else (),
            "faults": [{"round": number, "fault": fault} for number, fault in self.faults],
            "spent": self.spent,
            "notes": [note.text() for note in self.spent.notes()],
        }

    def lines(self) -> list[str]:
        """The same for people."""
        game, state, spent = self.trial.game, self.trial.game.state, self.spent
        lines = [w("{title}, {seats} players: over after {rounds} rounds ({end})", title=game.game.title,
                   seats=game.terms.seats, rounds=state.round, end=ended(state.end))]  # fmt: skip
        if state.result is not None:
            names = marked(state.result, self.trial.names)
            for rank, one, score in sorted(
                zip(state.result.ranks, range(game.terms.seats), state.result.scores, strict=True)
            ):
                who = w("the bot") if one == self.seat else self.against
                lines.append(f"  {rank}. {names[one]}, {who} ({scored(self.game, score)})")
        lines.append(w("The bot at seat {seat}: {used}", seat=self.seat + 1, used=_used(spent)))
        lines += [f"  {note}" for note in spent.notes()]
        if spent.faults:
            kinds = ", ".join(w(FAULTS[kind], n=count) for kind, count in spent.faults.items())
            lines.append(w("  faults: {kinds}; the first:", kinds=kinds))
        if spent.first is not None:
            lines += [f"  {spent.first.text()}", *(f"    {line}" for line in spent.first.lines)]
        return lines


def try_bot(
    rules: Rules, bot: str | Sequence[str], files: Sequence[str], seat: int, against: str, *, confined: bool
) -> Tried:
    """Play a game with this bot at a seat, where it sees these files; a single word can name a bot of the game."""
    seats = rules.terms.seats
    if seat >= seats:
        why = t("there is no seat {seat} at this table", seat=seat + 1)
        raise Usage(why, t("choose --seat from 1 to {seats}", seats=seats))
    players = [find(against, rules.game)] * seats
    own = not isinstance(bot, str) and len(bot) == 1 and bot[0] in rules.game.bots
    players[seat] = find(bot[0], rules.game) if own else find(bot, rules.game, files, confined=confined)
    return Tried(rules.game_id, trial(rules, players), seat, against)


def step_lines(steps: Sequence[Step]) -> Iterator[str]:
    """How a bot did in each step of the check; what failed with the lines that led to it."""
    shown = {status: str(word) for status, word in SHOWN.items()}
    width = max(map(len, shown.values()))
    for step in steps:
        yield f"{shown[step.status]:>{width}}  {step.name:20} {step.holds}"
        if step.why and step.status != "passed":
            yield f"{'':{width + 2}}{'':20} {step.why}"
        for line in step.lines if step.status in ("failed", "noted") else ():
            yield f"{'':10}{line}"


def steps_counted(steps: Sequence[Step]) -> str:
    """How many steps passed."""
    passed, failed = (sum(step.status == status for step in steps) for status in ("passed", "failed"))
    return w("{passed} of {steps} steps passed, {failed} failed", passed=passed, steps=len(steps), failed=failed)


def _used(spent: Spent) -> str:
    """Time and memory, in words."""
    asked = w("{n} questions", n=spent.questions)
    parts = [
        asked,
        localised_number(f"{spent.seconds:.2f} s"),
        w("the slowest {time:.0f} ms", time=round(spent.slowest * 1000)),
    ]
    if spent.start:
        parts.insert(0, w("ready after {time} s", time=Figures(f"{spent.start:.2f}")))
    if spent.memory:
        parts.append(f"{spent.memory >> 20} MiB")
    return ", ".join(parts)
