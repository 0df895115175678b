"""A second builder of moves: it follows schemas/MOVES.md and shares no code with the program. Standard library only."""

from collections.abc import Callable
from typing import Any

Json = Any
MANY = 2**53 - 1
GONE = object()
"""The result of a part that is left out."""


class NoMove(Exception):
    """These values do not belong to the family."""


def need(fits: bool, why: str) -> None:
    if not fits:
        raise NoMove(why)


def whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def number(parts: dict[str, Json], values: dict[str, Json], part: str, name: str) -> int:
    """The number of a part."""
    value, kind = values[part], parts[part]["type"]
    if kind == "number":
        return int(value)
    if kind == "free":
        return len(value)
    if kind == "pick":
        return 1 if value == name else 0
    if kind == "amounts":
        return int(value.get(name, 0)) if name else sum(value.values())
    return (1 if name in value else 0) if name else len(value)


def open_texts(part: Json, parts: dict[str, Json], values: dict[str, Json]) -> list[str]:
    """The texts of the options that can be picked."""

    def holds(option: Json) -> bool:
        return all(
            when.get("low", 1) <= number(parts, values, when["part"], when.get("name", "")) <= when.get("high", MANY)
            for when in option.get("when", [])
        )

    plain = [option["text"] for option in part["options"] if not option.get("otherwise") and holds(option)]
    return plain or [option["text"] for option in part["options"] if option.get("otherwise") and holds(option)]


def check_value(part: Json, parts: dict[str, Json], values: dict[str, Json]) -> None:
    name, kind = part["name"], part["type"]
    need(name in values, f"{name} is missing")
    value = values[name]
    if kind == "pick":
        need(value in open_texts(part, parts, values), f"{name}: that is not open")
    elif kind == "number":
        need(whole(value) and part["low"] <= value <= part["high"], f"{name} is out of range")
    elif kind == "amounts":
        need(isinstance(value, dict), f"{name} is no object")
        for one, count in value.items():
            need(whole(count) and 0 <= count <= part["most"].get(one, 0), f"{name}: too many {one}")
    elif kind == "ranking":
        need(isinstance(value, list) and len(set(value)) == len(value), f"{name}: a name twice")
        need(set(value) <= set(part["names"]) and len(value) >= part["least"], f"{name}: other names, or too few")
    else:
        need(isinstance(value, str) and 1 <= len(value) <= part["longest"], f"{name} is too long, or empty")


def gives(part: Json, value: Json) -> Json:
    if part["type"] == "pick":
        return next(option.get("value", GONE) for option in part["options"] if option["text"] == value)
    if part["type"] == "amounts":
        if part.get("listed"):
            return [name for name in part["listed"] for _ in range(value.get(name, 0))]
        return {name: count for name, count in value.items() if count}
    return value


def filled(form: Json, given: dict[str, Json]) -> Json:
    if isinstance(form, dict):
        if list(form) == ["$"]:
            return given[form["$"]]
        members = {name: filled(inner, given) for name, inner in form.items()}
        return {name: value for name, value in members.items() if value is not GONE}
    if isinstance(form, list):
        return [value for value in (filled(inner, given) for inner in form) if value is not GONE]
    return form


def build(choice: Json, values: dict[str, Json]) -> Json:
    """The move that these values give; raises `NoMove`."""
    parts = {part["name"]: part for part in choice.get("parts", [])}
    if not parts:
        return choice["move"]
    chosen: dict[str, Json] = {}
    for name, part in parts.items():
        check_value(part, parts, chosen | ({name: values[name]} if name in values else {}))
        chosen[name] = values[name]
    for limit in choice.get("limits", []):
        total = sum(
            term.get("times", 1) * number(parts, chosen, term["part"], term.get("name", "")) for term in limit["terms"]
        )
        need(limit.get("low", -MANY) <= total <= limit.get("high", MANY), limit.get("why", "a limit"))
    return filled(choice["form"], {name: gives(part, chosen[name]) for name, part in parts.items()})


def guessed(choice: Json, below: Callable[[int], int]) -> dict[str, Json]:
    """Random values, which may break a limit. Raises `NoMove` if nothing is open, or a part is free."""
    parts = {part["name"]: part for part in choice.get("parts", [])}
    values: dict[str, Json] = {}
    for name, part in parts.items():
        kind = part["type"]
        need(kind != "free", "a free text")
        if kind == "pick":
            texts = open_texts(part, parts, values)
            need(bool(texts), f"nothing is open for {name}")
            values[name] = texts[below(len(texts))]
        elif kind == "number":
            need(part["low"] <= part["high"], f"no number for {name}")
            values[name] = part["low"] + below(part["high"] - part["low"] + 1)
        elif kind == "amounts":
            values[name] = {one: below(most + 1) for one, most in sorted(part["most"].items()) if below(3)}
        else:
            left = list(part["names"])
            size = part["least"] + below(len(left) - part["least"] + 1)
            values[name] = [left.pop(below(len(left))) for _ in range(size)]
    return values
