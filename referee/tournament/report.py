"""The report of a tournament as one page: no script, no external resources, readable on a phone and on paper."""

import base64
import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from itertools import islice
from types import MappingProxyType

from referee.language import current_language, localised_number, mark
from referee.tournament import w
from referee.tournament.behaviour import Failure, behaviour
from referee.tournament.outcome import Outcome
from referee.tournament.pieces import (
    Scale,
    axis,
    histogram,
    interval,
    named,
    number,
    percent,
    scale_of,
    table,
    table_row,
)
from referee.tournament.summary import Results, Section, taken

MOST_COLUMNS = 24
"""Most entrants in a heat table: the best ones."""
MOST_ROWS = 300
"""Most rows in a list of tests or games."""


_ENDS = {
    mark("result"): mark("{number} by result"),
    mark("left"): mark("{number} by left"),
    mark("void"): mark("{number} by void"),
    mark("ruling"): mark("{number} by ruling"),
}
"""How games end, and how many."""
_SHARES = Scale(0.0, 1.0, 0.25)


@cache
def _style() -> str:
    return files("referee.tournament").joinpath("report.css").read_text("utf-8")


def page(
    results: Results,
    games: Iterable[Outcome] = (),
    failures: Mapping[int, Failure] = MappingProxyType({}),
) -> str:
    """The whole page. `games`: those to list, with links to their pages; `failures`: each entrant's first one."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = escape(results.name or w("Tournament"))
    parts = [
        _top(results),
        _section(results, results.total, w("All games"), "all", whole=True),
        *(_section(results, each, name, f"game-{at}") for at, (name, each) in enumerate(results.games.items())),
        _rulings(results),
        behaviour(results, failures),
        _games(results, games),
        _method(results),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="{current_language()}"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{_style()}</style></head>\n<body><main>\n<h1>{title}</h1>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main></body></html>\n"
    )


def page_name(number: int) -> str:
    """The page of a game, once it is made: a path relative to the report."""
    return f"pages/{number:06}.html"


def signed(value: float) -> str:
    """A rating with its sign, a real minus sign."""
    return f"{value:+.0f}".replace("-", "−") if round(value) else "0"


def _games_of(count: int) -> str:
    return w.plural("{number} game", "{number} games", count, number=number(count))


def _groups_of(count: int) -> str:
    return w.plural("{number} group", "{number} groups", count, number=number(count))


def _top(results: Results) -> str:
    total, kinds = results.total, len(results.games)
    bots = w.plural("{n} bot", "{n} bots", len(total.ratings.rows))
    sentences = [
        w("{games} in {groups} with the same chance", games=_games_of(total.games), groups=_groups_of(total.groups)),
        w.plural("{bots}, {n} kind of game", "{bots}, {n} kinds of game", kinds, bots=bots),
    ]
    if total.void:
        sentences.append(w.plural("{number} game void", "{number} games void", total.void, number=number(total.void)))
    if changed := sum(bool(each.ranks) for each in results.rulings):
        sentences.append(w.plural(
            "the places of {number} game are the arbiter's", "the places of {number} games are the arbiter's",
            changed, number=number(changed),
        ))  # fmt: skip
    if results.withdrawn:
        sentences.append(w("withdrawn, not counted: {names}", names=", ".join(map(escape, results.withdrawn))))
    if results.unconfined:
        sentences.append(w("bots ran without a sandbox, and could do everything that the organiser can"))
    if "group" in results.limits:
        sentences.append(w("memory and processes of bots were limited by a control group"))
    if "watch" in results.limits:
        sentences.append(w("memory and processes of bots were watched, and bots above their limits were ended"))
    names = [("all", w("All games")), *((f"game-{at}", name) for at, name in enumerate(results.games))]
    links = [f'<a href="#{key}">{escape(name)}</a>' for key, name in [*names, ("method", w("How to read this report"))]]
    return f"<p>{'; '.join(sentences)}.</p>\n<nav>{''.join(links)}</nav>"


def _section(results: Results, section: Section, name: str, key: str, whole: bool = False) -> str:
    """The section of a game, or of all games together, without what only makes sense for a single one."""
    parts = [f'<h2 id="{key}">{escape(name)}</h2>']
    if not section.ratings.rows:
        return f"{parts[0]}<p>{w('No game was decided.')}</p>"
    if not whole:
        ends = ", ".join(
            w(_ENDS.get(word, "{number} by {way}"), number=number(often), way=escape(word))
            for word, often in section.ends.items()
        )
        values = {"games": _games_of(section.games), "groups": _groups_of(section.groups), "ends": ends}
        parts.append(f"<p>{w('{games} in {groups}; they ended: {ends}.', **values)}</p>")
    parts += [_ratings(results, section), _crosstable(results, section), _tests(results, section)]
    if not whole:
        parts.append(f'<div class="two"><div>{_seats(section)}</div><div>{_lengths(section)}</div></div>')
        parts.append(_seated(results, section))
    return "\n".join(parts)


def _ratings(results: Results, section: Section) -> str:
    """The standings, with all intervals drawn on one scale."""
    rows = section.ratings.rows
    points, of = taken(section, len(results.entrants))
    # A bot that won or lost everything has a nearly infinite interval: it must not squash all others.
    near = [end for row in rows for end in (row.elo, max(row.low, row.elo - 400), min(row.high, row.elo + 400))]
    scale = scale_of(near)
    made = []
    for place, row in enumerate(rows, 1):
        rating, low, high = map(signed, (row.elo, row.low, row.high))
        text = w("{name}: {rating}, from {low} to {high}",
                 name=results.entrants[row.entrant], rating=rating, low=low, high=high)  # fmt: skip
        share = points[row.entrant] / of[row.entrant] if of[row.entrant] else 0.5
        made.append(
            f'<tr><td class="faint">{place}</td><td class="name">{named(results, row.entrant)}</td>'
            f"<td>{rating}</td><td><small>{low} … {high}</small></td>"
            f'<td class="more" data-what="{w("points")}">{percent(share, 1)} '
            f"<small>{w('of {number}', number=number(of[row.entrant]))}</small></td>"
            f'<td class="mark">{interval(scale, row.elo, row.low, row.high, 0, text)}</td></tr>'
        )
    level = w("{level} interval", level=percent(results.level))
    return (
        f'<table class="rows"><thead><tr><th></th><th class="name">{w("bot")}</th><th>{w("rating")}</th>'
        f'<th>{level}</th><th>{w("points")}</th><th class="mark"></th></tr></thead><tbody>{"".join(made)}'
        f'<tr class="foot"><td colspan="5"></td><td class="mark">{axis(scale, signed)}</td></tr></tbody></table>'
    )


def _crosstable(results: Results, section: Section) -> str:
    """Share of points of each bot against each other, and the probability that it is stronger."""
    rows = section.ratings.rows[:MOST_COLUMNS]
    met = {(each.first, each.second): (each.points, each.of) for each in section.meetings}

    def share(one: int, two: int) -> tuple[float, str, str] | None:
        first, second = rows[one].entrant, rows[two].entrant
        points, of = met.get((min(first, second), max(first, second)), (0.0, 0))
        won = points if first < second else of - points
        many = number(of)
        who = w("{first} took {won} of {many} points from {second}", first=results.entrants[first],
                won=localised_number(f"{won:,.10g}"), many=many, second=results.entrants[second])  # fmt: skip
        return (won / of, f"{percent(won / of)}<small>{w('of {number}', number=many)}</small>", who) if of else None

    def likely(one: int, two: int) -> tuple[float, str, str]:
        value = section.ratings.superiority[one][two]
        shown = ">99.9" if value > 0.999 else "<0.1" if value < 0.001 else f"{100 * value:.1f}"
        first, second = results.entrants[rows[one].entrant], results.entrants[rows[two].entrant]
        how = localised_number(f"{value:.2%}")
        return (
            value,
            escape(localised_number(shown)),
            w("{first} is stronger than {second}: {how}", first=first, second=second, how=how),
        )

    best = w("The best {most} of {number}.", most=MOST_COLUMNS, number=len(section.ratings.rows))
    left = f'<p class="faint">{best}</p>'
    cut = left if len(rows) < len(section.ratings.rows) else ""
    return (
        f'{cut}<div class="two"><div><h3>{w("Points, row against column")}</h3>{_heat(results, section, share)}</div>'
        f"<div><h3>{w('Probability that the row is stronger, in %')}</h3>{_heat(results, section, likely)}</div></div>"
    )


def _heat(results: Results, section: Section, cell: Callable[[int, int], tuple[float, str, str] | None]) -> str:
    """Entrants against entrants, best first. A cell is a share, its text, and its title."""
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
        name = f'<th class="name"><small>{one + 1}</small> {named(results, row.entrant)}</th>'
        lines.append(f"<tr>{name}{''.join(cells)}</tr>")
    return (
        f'<div class="wide"><table class="heat"><thead><tr><th class="name"></th>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _tests(results: Results, section: Section) -> str:
    """The results of the sequential tests, pair by pair."""
    bounds = results.bounds
    neither = w("neither is stronger by {elo} points", elo=localised_number(f"{bounds.elo:g}"))
    words = {"": w("not decided yet"), "neither": neither}
    rows, decided = [], sum(bool(each.stronger) for each in section.verdicts)
    for each in section.verdicts[:MOST_ROWS]:
        pair = {"first": each.first, "second": each.second}
        text = words.get(each.stronger) or w("{name} is stronger", name=named(results, pair[each.stronger]))
        rows.append(
            f'<tr><td class="name">{named(results, each.first)} – {named(results, each.second)}</td>'
            f'<td class="name">{text}</td><td>{number(each.groups)}</td><td>{percent(each.share, 1)}</td></tr>'
        )
    head = (
        f'<th class="name">{w("pair")}</th><th class="name">{w("verdict")}</th><th>{w("groups")}</th>'
        f"<th>{w('points of the first')}</th>"
    )
    text = w.plural(
        "Sequential tests: {decided} of {number} pair decided",
        "Sequential tests: {decided} of {number} pairs decided",
        len(section.verdicts), decided=number(decided), number=number(len(section.verdicts)),
    )  # fmt: skip
    return f"<details><summary>{text}</summary>{table(head, rows)}</details>"


def _seats(section: Section) -> str:
    """How good each seat is."""
    made = []
    for seat, each in enumerate(section.seats, 1):
        share, low, high = (percent(value, 1) for value in (each.share, each.low, each.high))
        text = w("seat {seat}: {share} of opponents beaten, from {low} to {high}",
                 seat=seat, share=share, low=low, high=high)  # fmt: skip
        made.append(
            f'<tr><td class="faint"></td><td class="name seat">{w("seat {seat}", seat=seat)}</td><td>{share}</td>'
            f"<td><small>{w('{number} won', number=localised_number(f'{each.wins:,.6g}'))}</small></td>"
            f'<td class="mark">{interval(_SHARES, each.share, each.low, each.high, 0.5, text)}</td></tr>'
        )
    foot = f'<tr class="foot"><td colspan="4"></td><td class="mark">{axis(_SHARES, percent)}</td></tr>'
    title = w("Opponents beaten from each seat")
    return f'<h3>{title}</h3><table class="rows"><tbody>{"".join(made)}{foot}</tbody></table>'


def _lengths(section: Section) -> str:
    """How long games took."""
    found = section.lengths
    if found is None:
        return ""
    titles = []
    for at, bar in enumerate(found.bars):
        low, games = found.fewest + found.step * at, _games_of(bar)
        if found.step == 1:
            titles.append(w.plural("{n} round: {games}", "{n} rounds: {games}", low, games=games))
        else:
            titles.append(w("{low} to {high} rounds: {games}", low=low, high=low + found.step - 1, games=games))
    lower, median, upper = (localised_number(f"{value:g}") for value in (found.lower, found.median, found.upper))
    text = w("games by rounds: half of them take {low} to {high}", low=lower, high=upper)
    middle = w("median {median}, half of them {low} to {high}", median=median, low=lower, high=upper)
    return (
        f"<h3>{w('Rounds')}</h3>{histogram(found.bars, titles, text)}"
        f'<div class="ends"><span>{found.fewest}</span><span>{middle}</span><span>{found.most}</span></div>'
    )


def _seated(results: Results, section: Section) -> str:
    """How often each bot had each seat: this shows that the schedule is balanced."""
    rows = (table_row(named(results, at), *map(number, seats)) for at, seats in enumerate(section.seated) if any(seats))
    text = w("Every bot had every seat equally often")
    if not section.balanced:
        text = f'<span class="warn">{w("Seats are not balanced")}</span>'
    head = "".join(f"<th>{w('seat {seat}', seat=seat)}</th>" for seat in range(1, 1 + len(section.seats)))
    seated = table(f'<th class="name">{w("bot")}</th>{head}', rows)
    return f"<details><summary>{text}</summary>{seated}</details>"


def _rulings(results: Results) -> str:
    """What an arbiter decided."""
    if not results.rulings:
        return ""
    rows = (
        f"<tr><td>{each.number}</td><td>{', '.join(map(str, each.ranks)) or w('as played')}</td>"
        f'<td class="name"><bdi lang="" translate="no">{escape(each.verdict)}</bdi></td></tr>'
        for each in results.rulings[:MOST_ROWS]
    )
    head = f'<th>{w("game")}</th><th>{w("places, by seat")}</th><th class="name">{w("the arbiter says")}</th>'
    note = w("All numbers in this report use these places instead of those of the games.")
    return f"<h2>{w('Rulings')}</h2><p>{note}</p>{table(head, rows)}"


def _games(results: Results, games: Iterable[Outcome]) -> str:
    """Single games, in the order of the schedule."""
    rows: list[str] = []
    for outcome in islice(games, MOST_ROWS):
        name = f'<a href="{page_name(outcome.number)}">{outcome.number}</a>'
        ranks = outcome.ranks or ("-",) * len(outcome.entrants)
        names = [named(results, who) for who in outcome.entrants]
        names = [w("{name}, out", name=name) if at in outcome.out else name for at, name in enumerate(names)]
        seats = [f"{rank}. {name}" for name, rank in zip(names, ranks, strict=True)]
        rows.append(
            f'<tr><td>{name}</td><td>{outcome.group}</td><td class="name">{escape(outcome.game)}</td>'
            f'<td class="name">{", ".join(seats)}</td><td>{outcome.rounds}</td><td>{escape(w(outcome.end))}</td></tr>'
        )
    if not rows:
        return ""
    places = f'<th class="name">{w("places, by seat")}</th>'
    head = f"<th>{w('game')}</th><th>{w('group')}</th><th></th>{places}<th>{w('rounds')}</th><th>{w('end')}</th>"
    more = results.total.games - len(rows)
    text = w.plural("{number} more game is not listed.", "{number} more games are not listed.", more,
                    number=number(more))  # fmt: skip
    rest = f"<p>{text}</p>" if more else ""
    first = w.plural("The first {n} game", "The first {n} games", len(rows))
    pages = w(
        "Each number links to the page of its game. Run <code>referee tournament extract DIR --pages</code> first, "
        "where DIR is the folder of this report, to make these pages."
    )
    return f"<h2>{w('Games')}</h2><details><summary>{first}</summary><p>{pages}</p>{table(head, rows)}{rest}</details>"


def _method(results: Results) -> str:
    """What the numbers mean."""
    bounds = results.bounds
    explanations = {
        w("Rating."): w(
            "Plackett-Luce, fitted to all games at once; 0 is the mean of all bots, and 400 points are odds of 10 to 1 "
            "of finishing ahead. A tie counts as every order of the tied bots, in equal parts. As a prior, each bot "
            "has one drawn group against an average bot."
        ),
        w("Interval."): w(
            "{level}, from {many} repetitions of a Bayesian bootstrap over groups (seed {seed}): games with the "
            "same chance share their luck, so they count together.",
            level=percent(results.level),
            many=number(results.repetitions),
            seed=results.seed,
        ),
        w("Points."): w("One for each opponent that a bot finishes ahead of, half for a tie."),
        w("Probability that the row is stronger."): w("The share of these repetitions in which the row is stronger."),
        w("Sequential tests."): w(
            "Group by group in the order of the schedule, for either bot being stronger by {elo} points. One of two "
            "equal bots is called stronger in at most {alpha} of cases; a difference of {elo} points is missed in "
            "at most {beta}. Each pair is a separate test.",
            elo=localised_number(f"{bounds.elo:g}"),
            alpha=percent(bounds.alpha, 1),
            beta=percent(bounds.beta, 1),
        ),
        w("Seats."): w(
            "The mean share of opponents beaten from a seat, whoever sat there; the interval is computed over groups."
        ),
    }
    paragraphs = "".join(f"<p><b>{name}</b> {text}</p>" for name, text in explanations.items())
    return f'<h2 id="method">{w("How to read this report")}</h2>{paragraphs}'
