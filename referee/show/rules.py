"""The text of a game's rules: its clauses, its sections, and what its options mean."""

import re
import textwrap
from typing import Any, Literal, get_args, get_origin

import msgspec

from referee import games
from referee.errors import Usage
from referee.language import current_language, quoted, run, t, w
from referee.show import measured

_PARTS = re.compile(r"^(?=\*\*[A-Z]+-\d+\w?\*\*|#+ )", re.MULTILINE)
"""Where a clause or a heading begins."""
MARK = re.compile(r"\s*\[(?:[SDA]:\s[^]]+|[FR])\]")
"""Where a sentence of a clause comes from, behind it: S stated, D derived, A ambiguous, each with its place in the
rulebook; F published elsewhere, R our own."""


def text_for_reader(game_id: str, language: str = "", *, sources: bool = False) -> str:
    """The rules in this language, else in the current one; in English if there is no translation. With `sources` they
    say where each clause comes from."""
    text = _text(game_id, language)
    if sources:
        return text
    marks = f"## {section(game_id, 'Marks', language)[0]}\n"
    return "".join(_without_sources(part) for part in _PARTS.split(text) if not part.startswith(marks))


def parts(game_id: str) -> list[str]:
    """The same, part by part: each begins with its clause, or is a section without clauses."""
    return [part for part in _PARTS.split(text_for_reader(game_id)) if part.strip()]


def _text(game_id: str, language: str) -> str:
    return games.rules_text(game_id, language or current_language()) or games.rules_text(game_id)


def _without_sources(part: str) -> str:
    """A clause without its marks; any other part as it is."""
    return MARK.sub("", part) if part.startswith("**") else part


def clause(game_id: str, name: str, language: str = "", *, sources: bool = False) -> str:
    """One clause, with the tables that belong to it."""
    text = text_for_reader(game_id, language, sources=sources)
    found = {match[1].upper(): part for part in _PARTS.split(text) if (match := re.match(r"\*\*(\w+-\w+)\*\*", part))}
    wanted = name.upper() if "-" in name else f"{next(iter(found), '-').partition('-')[0]}-{name}"
    if wanted not in found:
        see = t("see all: {run}", run=run("rules", game_id))
        if found:
            first, last = next(iter(found)), next(reversed(found))
            values = {"game_id": game_id, "first": first, "last": last}
            see = t("the clauses of {game_id} are {first} to {last}: {run}", run=run("rules", game_id), **values)
        raise Usage(t("there is no clause {name}", name=quoted(name[:20])), see, code="no-clause")
    return found[wanted].strip()


_SET_OFF = re.compile(r"^(?:\||- |\d\. |  )[^\n]*\n?", re.MULTILINE)
"""Lines of tables and lists."""


def reconstructed(game_id: str, name: str, language: str = "") -> list[str]:
    """The sentences of a clause that its rulebook does not state (marked F or R): those that introduce a table or a
    list, if there are any."""
    text = _SET_OFF.sub("", clause(game_id, name, language, sources=True)).partition("** ")[2]
    found, begin = [], 0
    for mark in MARK.finditer(text):
        if mark[0].strip() in ("[F]", "[R]"):
            found.append(" ".join(text[begin : mark.start()].split()))
        begin = mark.end()
    return [sentence for sentence in found if sentence.endswith(":")] or found


def about(game_id: str, seats: int) -> list[str]:
    """What a game is about, and how long it takes with this many players, as far as its rules begin with that."""
    paragraphs = re.split(r"\n\s*\n", text_for_reader(game_id))
    first = next((text for text in paragraphs if not text.startswith(("#", "|", "```"))), "")
    lines = [] if re.match(r"\*\*\w+-\w+\*\*", first) else [" ".join(first.replace("**", "").split())]
    lasts = next((row for row in lengths(game_id) if row["players"] == seats), None)
    if lasts:
        long = w("With {seats} players it takes about {rounds:.0f} rounds; you answer about {answers:.0f} times.",
                 seats=seats, **lasts)  # fmt: skip
        lines.append(long)
    return lines


_ITEM = re.compile(r"- |[0-9]\. ")
"""How an item of a list begins."""


def flowed(text: str, width: int) -> str:
    """Markdown for a terminal: paragraphs and lists keep to the width, the cells of a table stand below each other."""
    blocks, fenced = [""], False
    for line in text.splitlines():
        last = blocks[-1]
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            blocks.append(f"    {line}")
        elif line.startswith("|") and last.startswith("|"):
            blocks[-1] += f"\n{line}"
        elif (
            line
            and last
            and not (line.startswith(("|", "#")) or _ITEM.match(line))
            and not last.startswith(("|", "#", "    "))
        ):
            blocks[-1] += f" {line.strip()}"
        else:
            blocks.append(line)
    return "\n".join(_set(block, width) for block in blocks[1:])


def _set(block: str, width: int) -> str:
    """A table, a paragraph, or a line that stays as it is."""
    if block.startswith(("#", "    ")):
        return block
    if not block.startswith("|"):
        return _filled(block, width, "  " if _ITEM.match(block) else "")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines() if line[:2] != "|-"]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 3 * len(widths) - 3 > width:
        return "\n".join(_filled(": ".join(row), width, "  ") for row in rows)
    return "\n".join("   ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def _filled(text: str, width: int, indent: str) -> str:
    return textwrap.fill(text, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)


def section(game_id: str, heading: str, language: str = "") -> tuple[str, str]:
    """A section, by its English heading: heading and text for the reader; empty if the rules have no such section."""
    english, translated = (re.split(r"^## ", text, flags=re.MULTILINE)[1:]
                     for text in (games.rules_text(game_id), _text(game_id, language)))  # fmt: skip
    for number, part in enumerate(english):
        if part.partition("\n")[0] == heading:  # a translation has the same sections in the same order
            title, _, text = (translated if len(translated) == len(english) else english)[number].partition("\n")
            return title, text.strip()
    return "", ""


def _rows(text: str) -> list[list[str]]:
    """The cells of the tables in a text, without their headings."""
    lines = [line.strip() for line in text.splitlines()]
    rules = [number for number, line in enumerate(lines) if line.startswith("|--")]
    skip = {*rules, *(number - 1 for number in rules)}
    rows = [line.strip("|").split("|") for number, line in enumerate(lines) if line[:1] == "|" and number not in skip]
    return [[re.sub(r"\A`([^`]*)`\Z", r"\1", cell.strip()) for cell in row] for row in rows]


def meanings(game_id: str) -> dict[str, dict[str, str]]:
    """Option -> value -> what that means, from the table below the heading `Options`."""
    found: dict[str, dict[str, str]] = {}
    for option, value, meaning in (row for row in _rows(section(game_id, "Options")[1]) if len(row) == 3):
        found.setdefault(option, {})[value] = meaning
    return found


def lengths(game_id: str) -> list[dict[str, float]]:
    """For each number of players, how many rounds a game has and how often each of them answers."""
    rows = [row[:3] for row in _rows(section(game_id, "How long it takes")[1])]
    numbers = [row for row in rows if all(re.fullmatch(r"\d+(\.\d+)?", cell) for cell in row)]
    return [dict(zip(("players", "rounds", "answers"), map(float, row), strict=True)) for row in numbers]


def option_value(value: object) -> str:
    """A value as it is typed behind `--option NAME=`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def meaning(words: dict[str, dict[str, str]], option: str, value: object) -> str:
    """What a value of an option means; a row such as `1 to 9` speaks for every number."""
    rows = words.get(option, {})
    only = next(iter(rows.values()), "") if len(rows) == 1 and not isinstance(value, bool) else ""
    return rows.get(option_value(value), only)


def outline(game_id: str) -> dict[str, Any]:
    """A game, and the defaults of its options."""
    game = games.load(game_id)
    options = [{"name": field.name, "default": field.default} for field in msgspec.structs.fields(game.options)]
    return {"id": game_id, "title": game.title, "seats": game.seats, "rules": game.rules, "options": options}


def facts(game_id: str) -> dict[str, Any]:
    """The same with what each value of an option means, how long the game takes and what was measured: for reports."""
    found, words = outline(game_id), meanings(game_id)
    for option, field in zip(found["options"], msgspec.structs.fields(games.load(game_id).options), strict=True):
        values = {option_value(value): meaning(words, field.name, value) for value in _values(field)}
        option["values"] = values | words.get(field.name, {})
    return found | {"length": lengths(game_id), "measured": measured.facts(game_id)}


def choices(game_id: str) -> list[str]:
    """Every `NAME=VALUE` that can be listed."""
    fields = msgspec.structs.fields(games.load(game_id).options)
    return [f"{field.name}={option_value(value)}" for field in fields for value in _values(field)]


def _values(field: msgspec.structs.FieldInfo) -> list[object]:
    """The values of an option, as far as its type lists them; else the default."""
    if get_origin(field.type) is Literal:
        return list(get_args(field.type))
    return [True, False] if field.type is bool else [field.default]
