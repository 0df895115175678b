"""The games that can be played here and their rules, as people read them in a terminal."""

import re
from typing import Any

import msgspec

from referee.library import w
from referee.show.rules import clause, flowed, option_value, parts, section, text_for_reader

Facts = dict[str, Any]
"""A game, as `show.rules.facts` describes it, or `outline` in a list."""
READABLE = 100
"""Lines of text with more columns are hard to read."""


def _headline(found: Facts) -> str:
    low, high = found["seats"]
    values = {"title": found["title"], "rules": found["rules"]}
    if low == high:
        return w("{title}, {seats} players, rules {rules}", seats=low, **values)
    return w("{title}, {low} to {high} players, rules {rules}", low=low, high=high, **values)


def listed(rows: list[Facts]) -> list[str]:
    """All games, with the defaults of their options."""
    lines, usual = list[str](), w("(default)")
    for row in rows:
        lines.append(f"{row['id']:20} {_headline(row)}")
        for option in row["options"]:
            lines.append(f"{'':20}   --option {option['name']}={option_value(option['default'])}  {usual}")
    return lines


def explained(found: Facts, width: int, *, flow: bool) -> list[str]:
    """One game: its options and their values in words, and how long it takes."""
    from referee.show.terminal import wrapped

    lines, usual = [_headline(found)], w("(default)")
    for option in found["options"]:
        lines.append("")
        for value, meaning in option["values"].items():
            noted = f"  {usual}" if value == option_value(option["default"]) else ""
            lines.append(f"  --option {option['name']}={value}{noted}")
            lines += [wrapped(meaning, min(width, READABLE), 6)] if meaning else []
    heading, length = section(found["id"], "How long it takes")
    if length:
        lines.append(f"\n{heading}\n\n{fitted(length, width, flow)}")
    measured = found["measured"]
    if measured["wins"]:
        lines += ["", w("Who wins"), "", fitted(_winners(measured["wins"]), width, flow)]
    if len(measured["options"]) > 1:
        lines += ["", w("What options change"), "", fitted(_changes(measured["options"]), width, flow)]
    return lines


def _winners(rows: list[Facts]) -> str:
    """The share of games that each place won, as Markdown."""
    lead = w("The share of games among bots that the start player won, then the others in the order of play, each with "
             "its 99% interval:")  # fmt: skip
    table = [
        lead,
        "",
        f"| {w('players')} | {w('bot')} | {w('games')} | {w('start player to last')} |",
        "|---|---|---|---|",
    ]
    for row in rows:
        shares = " ".join(map(_share, row["places"]))
        table.append(f"| {row['players']} | {row['bot']} | {row['games']} | {shares} |")
    return "\n".join(table)


def _share(found: Facts) -> str:
    return f"{found['share']:.0%} ({100 * found['low']:.0f}-{100 * found['high']:.0f})"


def _changes(rows: list[Facts]) -> str:
    """How games go with each option, as Markdown."""
    lead = w("Games of {players} `{bot}` bots with one option each: the rounds of a game, the points of a player, and "
             "the share that the start player wins, with 99% intervals:",
             players=rows[0]["players"], bot=rows[0]["bot"])  # fmt: skip
    head = (w("option"), w("games"), w("rounds"), w("points"), w("start player wins"))
    table = [lead, "", f"| {' | '.join(head)} |", "|---|---|---|---|---|"]
    for row in rows:
        means = " | ".join(f"{mean:.0f} ± {about:.0f}" for mean, about in (row["rounds"], row["points"]))
        table.append(f"| {row['option'] or w('(default)')} | {row['games']} | {means} | {_share(row['start'])} |")
    return "\n".join(table)


def rules(game: str, number: str, language: str, width: int, *, sources: bool, flow: bool) -> str:
    """All rules in a language, or one clause; in English if there is no translation. With `sources` they say where each
    clause comes from."""
    if number:
        return fitted(clause(game, number, language, sources=sources), width, flow)
    return fitted(text_for_reader(game, language, sources=sources).rstrip(), width, flow)


def fitted(text: str, width: int, flow: bool) -> str:
    """Markdown as it is, or set to the width of a terminal."""
    return flowed(text, min(width, READABLE)) if flow else text


class Passage(msgspec.Struct, frozen=True):
    """A clause of the rules, or a section without one."""

    name: str
    """`SF-3`, or the heading."""
    lines: tuple[str, ...]
    """Paragraphs, entries of lists, and rows of tables."""


_BEGIN = re.compile(r"\*\*(\w+-\w+)\*\* *(?:\(\w+\) *)?|#+ ([^\n]*)")
_SIGNS = re.compile(r"[*`]+")
"""Signs of Markdown."""


def passages(game: str) -> tuple[Passage, ...]:
    """The rules of a game in the reader's language; in English if there is no translation."""
    return tuple(map(_passage, parts(game)))


def _passage(part: str) -> Passage:
    begin = _BEGIN.match(part)
    name = (begin[1] or begin[2]) if begin else ""
    body = part[begin.end() :] if begin else part
    lines = flowed(body, len(body) + 1).splitlines()
    return Passage(_SIGNS.sub("", name), tuple(text for line in lines if (text := _SIGNS.sub("", line).strip())))
