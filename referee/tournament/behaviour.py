"""The faults of bots in the report: in its language, followed by the bot's own output."""

from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from referee.language import mark
from referee.tournament import w
from referee.tournament.pieces import named, number, table, table_row
from referee.tournament.records import Lapse
from referee.tournament.summary import Results

_KINDS = (mark("illegal"), mark("timeout"), mark("crash"), mark("nonsense"), mark("untidy"))
"""The kinds of faults."""


class Failure(NamedTuple):
    """The first fault of a bot, and its game."""

    number: int
    lapse: Lapse


def behaviour(results: Results, failures: Mapping[int, Failure]) -> str:
    """The faults of each bot."""
    bad = [status for status in results.total.statuses if status.faults]
    if not bad:
        return f"<h2>{w('Behaviour')}</h2><p>{w('No bot failed in any game.')}</p>"
    words = sorted({word for status in bad for word in status.faults})
    head = "".join(f"<th>{escape(w(word))}</th>" for word in words)
    rows = (
        table_row(named(results, one.entrant), *(number(one.faults.get(word, 0)) for word in words), number(one.seats))
        for one in bad
    )
    said = "".join(
        _failed(named(results, status.entrant), failures[status.entrant])
        for status in bad
        if status.entrant in failures
    )
    return (
        f"<h2>{w('Behaviour')}</h2><p>{w('The first fault of each bot in each game.')}</p>"
        + table(f'<th class="name">{w("bot")}</th>{head}<th>{w("seats")}</th>', rows)
        + said
    )


def _failed(name: str, one: Failure) -> str:
    """The first fault of a bot, and its last lines."""
    lapse = one.lapse
    why = "; ".join(map(str, lapse.why))
    heading = w(
        "Game {number}, round {round}, {kind}: {why}.",
        number=number(one.number), round=lapse.round, kind=escape(w(lapse.kind)), why=escape(why),
    )  # fmt: skip
    lines = ""
    if lapse.lines:
        text = escape("\n".join(lapse.lines))
        lines = f'<p>{w("The last lines before it:")}</p><pre lang="" dir="auto" translate="no">{text}</pre>'
    return f"<details><summary>{w('The first failure of {name}', name=name)}</summary><p>{heading}</p>{lines}</details>"
