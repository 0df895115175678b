"""Every limit of the program is the one of schemas/LIMITS.md, and no limit is missing there."""

import ast
import re
from importlib import import_module
from pathlib import Path

from msgspec.structs import fields

ROOT = Path(__file__).resolve().parents[1]
TABLE = (ROOT / "schemas" / "LIMITS.md").read_text()
ROWS = re.findall(r"^\| (.+) \| ([\d.,]+) \| (`.+`) \|$", TABLE, re.MULTILINE)
STATED = {place: value for _, value, places in ROWS for place in re.findall(r"`([^`]+)`", places)}
CALLED = re.compile(r"MOST|LONGEST|LARGEST|DEEPEST|BIGGEST|PATIENCE|\ATRIES\Z|\A(SMALL|LARGE|MAX_\w+)\Z")
"""How limits are called."""
ELSEWHERE = ("games", "testing")
"""Editions have the numbers of games; the contract suite bounds its own work."""
WITHIN = {
    "language _LONGEST", "language _MOST", "grammar LONGEST", "show.typed LONGEST",
    "mail.ours CHOICES_MOST", "mail.ours STEPS_MOST",
    "svg LONGEST", "tournament.fit _LONGEST",
    "mail.compose LINE_MOST", "mail.listing KEPT_MOST", "show.typed LISTS_MOST",
}  # fmt: skip
"""Letters, steps of a search and sizes of caches, which nobody outside meets."""
CONSTANT = re.compile(r"^(?:export )?const ([A-Z][A-Z_]+) = ([^;]+);", re.MULTILINE)


def test_the_program_keeps_to_every_limit_of_the_table() -> None:
    assert len(ROWS) == TABLE.count("\n| ") - TABLE.count("\n| | most")
    assert len(STATED) > 130
    wrong = {place: (value, found) for place, value in STATED.items() if number(value) != (found := value_of(place))}
    assert wrong == {}


def test_no_limit_is_missing_in_the_table() -> None:
    found = {place for place in (*in_python(), *in_javascript()) if CALLED.search(place.rpartition(" ")[2])}
    assert len(found) > 100
    assert found - WITHIN - set(STATED) == set()


def number(text: str) -> float:
    return float(text.replace(",", ""))


def value_of(place: str) -> float | None:
    """The value of `module NAME`, of a default `module Struct.field`, or of a constant of the page."""
    where, name = place.split()
    if where.endswith(".mjs"):
        values = dict(CONSTANT.findall((ROOT / "referee" / where).read_text()))
        return product(values[name])
    module = import_module(f"referee.{where}")
    if "." in name:
        struct, field = name.split(".")
        return float(next(one.default for one in fields(getattr(module, struct)) if one.name == field))
    return float(getattr(module, name))


def product(text: str) -> float | None:
    """A number, or a product with `MAX_BODY`."""
    made = 1.0
    for part in text.split(" * "):
        if part != "MAX_BODY" and not re.fullmatch(r"[\d_.]+", part):
            return None
        made *= number(STATED["page/bytes.mjs MAX_BODY"]) if part == "MAX_BODY" else float(part)
    return made


def in_python() -> list[str]:
    """All constants of modules that are numbers."""
    found = []
    for path in sorted((ROOT / "referee").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT / "referee").with_suffix("").parts)
        if module.startswith(ELSEWHERE):
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign) and _is_number(node.value):
                names = [one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)]
                found += [f"{module} {name}" for name in names]
    return found


def _is_number(value: ast.expr) -> bool:
    """Whether it is a number, or several, written out."""
    parts = [one for one in ast.walk(value) if isinstance(one, ast.expr)]
    written = [one for one in parts if isinstance(one, ast.Constant)]
    allowed = ast.Constant | ast.BinOp | ast.Tuple
    return all(isinstance(one, allowed) for one in parts) and all(type(one.value) in (int, float) for one in written)


def in_javascript() -> list[str]:
    return [
        f"page/{path.name} {name}"
        for path in sorted((ROOT / "referee" / "page").glob("*.mjs"))
        for name, value in CONSTANT.findall(path.read_text())
        if product(value) is not None
    ]
