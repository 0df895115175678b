"""How to read a report: what its numbers mean."""

from referee.language import written
from referee.tournament import w
from referee.tournament.summary import Results


def method(results: Results) -> str:
    """The last section."""
    told = "".join(f"<p><b>{name}</b> {text}</p>" for name, text in _explanations(results).items())
    return f'<h2 id="method">{w("How to read it")}</h2>{told}'


def _explanations(results: Results) -> dict[str, str]:
    bounds = results.bounds
    return {
        w("Rating."): w(
            "Plackett-Luce, fitted to all games at once; 0 is the mean of all bots, 400 points are odds of 10 to 1 of "
            "finishing ahead. A tie counts as every order of the tied, in equal parts. Everybody is given one drawn "
            "group against an average bot."
        ),
        w("Interval."): w(
            "{level}, from {many} repetitions of a Bayesian bootstrap over groups (seed {seed}): games of the same "
            "chance share their luck, so they count together.",
            level=written(f"{results.level:.0%}"),
            many=written(f"{results.repetitions:,}"),
            seed=results.seed,
        ),
        w("Points."): w("One for every opponent that a bot finishes ahead of, half for a tie."),
        w("How likely the row is the stronger."): w("The share of these repetitions in which it is."),
        w("Sequential tests."): w(
            "Group by group in the order of the schedule, for either bot being stronger by {elo} points. One of two "
            "equal bots is called stronger in {alpha} of cases at most; a difference of {elo} points is missed in "
            "{beta} at most. Each pair is a test of its own.",
            elo=written(f"{bounds.elo:g}"),
            alpha=written(f"{bounds.alpha:.1%}"),
            beta=written(f"{bounds.beta:.1%}"),
        ),
        w("Seats."): w(
            "The mean share of opponents beaten from a seat, whoever sat there; its interval goes by groups."
        ),
    }
