"""The games that can be played here and their rules, as people read them in a terminal."""

from typing import Any

from referee.library import w
from referee.show.rules import clause, flowed, section, spelled, text_for_reader

Facts = dict[str, Any]
"""A game, as `show.rules.facts` tells it."""
READABLE = 100
"""Columns beyond which lines of text are hard to read."""


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
            lines.append(f"{'':20}   --option {option['name']}={spelled(option['default'])}  {usual}")
    return lines


def explained(found: Facts, width: int, *, flow: bool) -> list[str]:
    """One game: its options and their values in words, and how long it takes."""
    from referee.show.terminal import wrapped

    lines, usual = [_headline(found)], w("(default)")
    for option in found["options"]:
        lines.append("")
        for value, meaning in option["values"].items():
            noted = f"  {usual}" if value == spelled(option["default"]) else ""
            lines.append(f"  --option {option['name']}={value}{noted}")
            lines += [wrapped(meaning, min(width, READABLE), 6)] if meaning else []
    heading, length = section(found["id"], "How long it takes")
    if length:
        lines.append(f"\n{heading}\n\n{fitted(length, width, flow)}")
    if found["seats_won"]:
        lines += ["", w("Who wins"), "", fitted(_winners(found["seats_won"]), width, flow)]
    return lines


def _winners(rows: list[Facts]) -> str:
    """What share of the games each seat won, as Markdown."""
    told = w("The share of games among `{bot}` bots that each seat won:", bot=rows[0]["bot"])
    table = [told, "", f"| {w('players')} | {w('games')} | {w('first seat to last')} |", "|---|---|---|"]
    for row in rows:
        shares = " ".join(f"{share:.0%}" for share in row["shares"])
        table.append(f"| {row['players']} | {row['games']} | {shares} |")
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
