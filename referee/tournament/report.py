"""The report of a tournament as one page: no script, nothing from elsewhere, readable on a telephone and on paper."""

import base64
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import chain, islice

from referee.tournament.outcome import Outcome
from referee.tournament.plots import Scale, axis, histogram, interval, scale_of
from referee.tournament.summary import Results, Section, taken

MOST_COLUMNS = 24
"""Of a heat table: the best so many."""
MOST_ROWS = 300
"""Of a list of tests or of games."""
Link = Callable[[int], str]
"""The address of a game's page: relative to the report."""

_PAGES = (
    "<p>A number leads to the page of its game, once <code>referee tournament extract DIR --pages</code>, with DIR the "
    "folder of this report, has made it.</p>"
)
_SHARES = Scale(0.0, 1.0, 0.25)


@cache
def _style() -> str:
    return files("referee.tournament").joinpath("report.css").read_text("utf-8")


def page(
    results: Results,
    games: Iterable[Outcome] = (),
    link: Link | None = None,
    lines: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """The whole page. `games`: those to list, with links if there are any; `lines`: the last that an entrant wrote
    before it failed."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = escape(results.name or "Tournament")
    parts = [
        _top(results),
        _section(results, results.total, "All games", "all", whole=True),
        *(_section(results, each, name, f"game-{at}") for at, (name, each) in enumerate(results.games.items())),
        _rulings(results),
        _statuses(results, lines or {}),
        _games(results, games, link),
        _method(results),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{_style()}</style></head>\n<body><main>\n<h1>{title}</h1>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main></body></html>\n"
    )


def page_name(number: int) -> str:
    """Where the page of a game is, once it is made: from the folder of the report on."""
    return f"pages/{number:06}.html"


def _name(results: Results, entrant: int) -> str:
    return f"<bdi>{escape(results.entrants[entrant])}</bdi>"


def signed(value: float) -> str:
    """A rating: with its sign, a real minus."""
    return f"{value:+.0f}".replace("-", "−") if round(value) else "0"


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _top(results: Results) -> str:
    total = results.total
    played = len(total.ratings.rows)
    said = [f"{_many(total.games, 'game')} in {_many(total.groups, 'group')} of the same chance"]
    said.append(f"{_many(played, 'bot')}, {_many(len(results.games), 'kind')} of game")
    if total.void:
        said.append(f"{_many(total.void, 'game')} void")
    if changed := sum(bool(each.ranks) for each in results.rulings):
        said.append(f"the places of {_many(changed, 'game')} are the arbiter's")
    if results.withdrawn:
        said.append("withdrawn, and not counted: " + ", ".join(map(escape, results.withdrawn)))
    names = [("all", "All games"), *((f"game-{at}", name) for at, name in enumerate(results.games))]
    links = [f'<a href="#{key}">{escape(name)}</a>' for key, name in [*names, ("method", "How to read it")]]
    return f"<p>{'; '.join(said)}.</p>\n<nav>{''.join(links)}</nav>"


def _section(results: Results, section: Section, name: str, key: str, whole: bool = False) -> str:
    """A game, or all of them: then without what only makes sense for one."""
    parts = [f'<h2 id="{key}">{escape(name)}</h2>']
    if not section.ratings.rows:
        return parts[0] + "<p>No game was decided.</p>"
    if not whole:
        ends = ", ".join(f"{often:,} by {escape(word)}" for word, often in section.ends.items())
        parts.append(f"<p>{_many(section.games, 'game')} in {_many(section.groups, 'group')}; ended: {ends}.</p>")
    parts += [_ratings(results, section), _crosstable(results, section), _tests(results, section)]
    if not whole:
        parts.append(f'<div class="two"><div>{_seats(section)}</div><div>{_lengths(section)}</div></div>')
        parts.append(_seated(results, section))
    return "\n".join(parts)


def _ratings(results: Results, section: Section) -> str:
    """The standings, each with its interval drawn on one scale."""
    rows = section.ratings.rows
    points, of = taken(section, len(results.entrants))
    # A bot that won or lost everything has an interval without a real end: it must not flatten all others.
    near = [end for row in rows for end in (row.elo, max(row.low, row.elo - 400), min(row.high, row.elo + 400))]
    scale = scale_of(near)
    made = []
    for place, row in enumerate(rows, 1):
        rating, low, high = map(signed, (row.elo, row.low, row.high))
        said = f"{results.entrants[row.entrant]}: {rating}, from {low} to {high}"
        share = points[row.entrant] / of[row.entrant] if of[row.entrant] else 0.5
        made.append(
            f'<tr><td class="faint">{place}</td><td class="name">{_name(results, row.entrant)}</td>'
            f"<td>{rating}</td><td><small>{low} … {high}</small></td>"
            f'<td class="more" data-what="points">{share:.1%} <small>of {of[row.entrant]:,}</small></td>'
            f'<td class="mark">{interval(scale, row.elo, row.low, row.high, 0, said)}</td></tr>'
        )
    level = f"{results.level:.0%}"
    return (
        f'<table class="rows"><thead><tr><th></th><th class="name">bot</th><th>rating</th><th>{level} interval</th>'
        f'<th>points</th><th class="mark"></th></tr></thead><tbody>{"".join(made)}'
        f'<tr class="foot"><td colspan="5"></td><td class="mark">{axis(scale, signed)}</td></tr></tbody></table>'
    )


def _crosstable(results: Results, section: Section) -> str:
    """Share of points, bot against bot, and how likely each is the stronger."""
    rows = section.ratings.rows[:MOST_COLUMNS]
    met = {(each.first, each.second): (each.points, each.of) for each in section.meetings}

    def share(one: int, two: int) -> tuple[float, str, str] | None:
        first, second = rows[one].entrant, rows[two].entrant
        points, of = met.get((min(first, second), max(first, second)), (0.0, 0))
        won = points if first < second else of - points
        who = f"{results.entrants[first]} took {won:g} of {of:,} points from {results.entrants[second]}"
        return (won / of, f"{won / of:.0%}<small>of {of:,}</small>", who) if of else None

    def likely(one: int, two: int) -> tuple[float, str, str]:
        value = section.ratings.superiority[one][two]
        shown = ">99.9" if value > 0.999 else "<0.1" if value < 0.001 else f"{100 * value:.1f}"
        who = (
            f"{results.entrants[rows[one].entrant]} is stronger than {results.entrants[rows[two].entrant]}: {value:.2%}"
        )
        return value, escape(shown), who

    left = f'<p class="faint">The best {MOST_COLUMNS} of {len(section.ratings.rows)}.</p>'
    cut = left if len(rows) < len(section.ratings.rows) else ""
    return (
        f'{cut}<div class="two"><div><h3>Points, row against column</h3>{_heat(results, section, share)}</div>'
        f"<div><h3>How likely the row is the stronger, in %</h3>{_heat(results, section, likely)}</div></div>"
    )


def _heat(results: Results, section: Section, cell: Callable[[int, int], tuple[float, str, str] | None]) -> str:
    """Entrants against entrants, best first; a cell is a share, what it says, and what it says at length."""
    rows = section.ratings.rows[:MOST_COLUMNS]
    head = "".join(f"<th>{place}</th>" for place in range(1, len(rows) + 1))
    lines = []
    for one, row in enumerate(rows):
        cells = []
        for two in range(len(rows)):
            found = None if one == two else cell(one, two)
            if found is None:
                cells.append('<td class="self"></td>' if one == two else '<td class="faint">-</td>')
                continue
            value, shown, said = found
            cells.append(f'<td class="h{round(10 * value)}" title="{escape(said)}">{shown}</td>')
        name = f'<th class="name"><small>{one + 1}</small> {_name(results, row.entrant)}</th>'
        lines.append(f"<tr>{name}{''.join(cells)}</tr>")
    return (
        f'<div class="wide"><table class="heat"><thead><tr><th class="name"></th>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _tests(results: Results, section: Section) -> str:
    """What the sequential tests say, pair by pair."""
    bounds = results.bounds
    words = {"": "not decided yet", "neither": f"neither is stronger by {bounds.elo:g} points"}
    rows, decided = [], sum(bool(each.stronger) for each in section.verdicts)
    for each in section.verdicts[:MOST_ROWS]:
        pair = {"first": each.first, "second": each.second}
        said = words.get(each.stronger) or f"{_name(results, pair[each.stronger])} is stronger"
        rows.append(
            f'<tr><td class="name">{_name(results, each.first)} – {_name(results, each.second)}</td>'
            f'<td class="name">{said}</td><td>{each.groups:,}</td><td>{each.share:.1%}</td></tr>'
        )
    head = '<th class="name">pair</th><th class="name">verdict</th><th>groups</th><th>points of the first</th>'
    return (
        f"<details><summary>Sequential tests: {decided:,} of {_many(len(section.verdicts), 'pair')} decided</summary>"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div></details>'
    )


def _seats(section: Section) -> str:
    """How good each seat is."""
    made = []
    for seat, each in enumerate(section.seats, 1):
        said = f"seat {seat}: {each.share:.1%} of opponents beaten, from {each.low:.1%} to {each.high:.1%}"
        made.append(
            f'<tr><td class="faint"></td><td class="name">seat {seat}</td><td>{each.share:.1%}</td>'
            f"<td><small>{each.wins:,.6g} won</small></td>"
            f'<td class="mark">{interval(_SHARES, each.share, each.low, each.high, 0.5, said)}</td></tr>'
        )
    foot = f'<tr class="foot"><td colspan="4"></td><td class="mark">{axis(_SHARES, "{:.0%}".format)}</td></tr>'
    return f'<h3>Opponents beaten from each seat</h3><table class="rows"><tbody>{"".join(made)}{foot}</tbody></table>'


def _lengths(section: Section) -> str:
    """How long games took."""
    found = section.lengths
    if found is None:
        return ""
    starts = [found.fewest + found.step * at for at in range(len(found.bars))]
    spans = [f"{start}" if found.step == 1 else f"{start} to {start + found.step - 1}" for start in starts]
    titles = [f"{span} rounds: {_many(bar, 'game')}" for span, bar in zip(spans, found.bars, strict=True)]
    said = f"games by rounds: half of them take {found.lower:g} to {found.upper:g}"
    return (
        f"<h3>Rounds</h3>{histogram(found.bars, titles, said)}"
        f'<div class="ends"><span>{found.fewest}</span><span>median {found.median:g}, half of them {found.lower:g} to '
        f"{found.upper:g}</span><span>{found.most}</span></div>"
    )


def _seated(results: Results, section: Section) -> str:
    """Who sat where how often: the proof that the schedule is balanced."""
    seats = range(1, 1 + len(section.seats))
    rows = "".join(
        f'<tr><td class="name">{_name(results, entrant)}</td>'
        + "".join(f"<td>{often:,}</td>" for often in row)
        + "</tr>"
        for entrant, row in enumerate(section.seated)
        if any(row)
    )
    told = (
        "Every bot had every seat equally often"
        if section.balanced
        else '<span class="warn">Seats are not balanced</span>'
    )
    head = "".join(f"<th>seat {seat}</th>" for seat in seats)
    return (
        f'<details><summary>{told}</summary><div class="wide"><table><thead><tr><th class="name">bot</th>{head}</tr>'
        f"</thead><tbody>{rows}</tbody></table></div></details>"
    )


def _rulings(results: Results) -> str:
    """What an arbiter decided."""
    if not results.rulings:
        return ""
    rows = "".join(
        f"<tr><td>{each.number}</td><td>{', '.join(map(str, each.ranks)) or 'as played'}</td>"
        f'<td class="name"><bdi>{escape(each.verdict)}</bdi></td></tr>'
        for each in results.rulings[:MOST_ROWS]
    )
    head = '<th>game</th><th>places, by seat</th><th class="name">the arbiter says</th>'
    return (
        f"<h2>Rulings</h2><p>All numbers here are with these places instead of those of the games.</p>"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _statuses(results: Results, lines: Mapping[int, Sequence[str]]) -> str:
    """What each bot did wrong."""
    bad = [status for status in results.total.statuses if status.faults]
    if not bad:
        return "<h2>Behaviour</h2><p>No bot failed in any game.</p>"
    words = sorted(set(chain.from_iterable(status.faults for status in bad)))
    head = "".join(f"<th>{escape(word)}</th>" for word in words)
    rows = "".join(
        f'<tr><td class="name">{_name(results, status.entrant)}</td>'
        + "".join(f"<td>{status.faults.get(word, 0):,}</td>" for word in words)
        + f"<td>{status.seats:,}</td></tr>"
        for status in bad
    )
    said = "".join(
        f"<details><summary>What {_name(results, status.entrant)} said last</summary>"
        f"<pre>{escape(chr(10).join(lines[status.entrant]))}</pre></details>"
        for status in bad
        if lines.get(status.entrant)
    )
    return (
        '<h2>Behaviour</h2><p>What a bot did wrong first, by game.</p><div class="wide"><table><thead><tr>'
        f'<th class="name">bot</th>{head}<th>of seats</th></tr></thead><tbody>{rows}</tbody></table></div>{said}'
    )


def _games(results: Results, games: Iterable[Outcome], link: Link | None) -> str:
    """Single games, in the order of the schedule."""
    rows: list[str] = []
    for outcome in islice(games, MOST_ROWS):
        number = f'<a href="{escape(link(outcome.number))}">{outcome.number}</a>' if link else f"{outcome.number}"
        ranks = outcome.ranks or ("-",) * len(outcome.entrants)
        seats = [f"{rank}. {_name(results, who)}" for who, rank in zip(outcome.entrants, ranks, strict=True)]
        rows.append(
            f'<tr><td>{number}</td><td>{outcome.group}</td><td class="name">{escape(outcome.game)}</td>'
            f'<td class="name">{", ".join(seats)}</td><td>{outcome.rounds}</td><td>{escape(outcome.end)}</td></tr>'
        )
    if not rows:
        return ""
    head = "<th>game</th><th>group</th><th></th>" + '<th class="name">places, by seat</th><th>rounds</th><th>end</th>'
    more = results.total.games - len(rows)
    rest = f"<p>And {_many(more, 'game')} more, in games.jsonl.</p>" if more else ""
    return (
        f"<h2>Games</h2><details><summary>The first {_many(len(rows), 'game')}</summary>{_PAGES if link else ''}"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        f"{rest}</details>"
    )


def _method(results: Results) -> str:
    bounds = results.bounds
    said = (
        "<b>Rating.</b> Plackett-Luce, fitted to all games at once; 0 is the mean of all bots, 400 points are odds of "
        "10 to 1 of finishing ahead. A tie counts as every order of the tied, in equal parts. Everybody is given one "
        "drawn group against an average bot.",
        f"<b>Interval.</b> {results.level:.0%}, from {results.repetitions:,} repetitions of a Bayesian bootstrap over "
        f"groups (seed {results.seed}): games of the same chance share their luck, so they count together.",
        "<b>Points.</b> One for every opponent that a bot finishes ahead of, half for a tie.",
        "<b>How likely the row is the stronger.</b> The share of these repetitions in which it is.",
        f"<b>Sequential tests.</b> Group by group in the order of the schedule, for either bot being stronger by "
        f"{bounds.elo:g} points. One of two equal bots is called stronger in {bounds.alpha:.1%} of cases at most; a "
        f"difference of {bounds.elo:g} points is missed in {bounds.beta:.1%} at most. Each pair is a test of its own.",
        "<b>Seats.</b> The mean share of opponents beaten from a seat, whoever sat there; its interval goes by groups.",
    )
    return '<h2 id="method">How to read it</h2>' + "".join(f"<p>{each}</p>" for each in said)
