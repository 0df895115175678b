"""Every error that the program can raise has a code, and says what is wrong and what to do: none of these is empty."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import errors

ROOT = Path(errors.__file__).parent
NAMES = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.RefereeError)
}

COMPLETE = {"alone"}
"""Codes of errors that already say what to do."""


def text_of(node: ast.expr) -> str | None:
    """A text that is written out, by itself or as `t("...")`; None: something else."""
    match node:
        case ast.Constant(value=str(text)) | ast.Call(func=ast.Name(id="t"), args=[ast.Constant(value=str(text))]):
            return text
    return None


def raised(tree: ast.Module) -> Iterator[ast.Call]:
    """Where errors are made."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in NAMES:
                yield node


@pytest.mark.parametrize(
    "package", sorted({path.relative_to(ROOT).parts[0] for path in ROOT.rglob("*.py")} - {"testing"})
)
def test_no_error_is_without_words(package: str) -> None:
    found = 0
    for path in sorted((ROOT / package).rglob("*.py")) or [ROOT / package]:
        tree = ast.parse(path.read_bytes())
        for call in raised(tree):
            where = f"{path}:{call.lineno}"
            # The clause of an illegal move may be empty: not every move is refused by a rule.
            args = call.args[1:] if getattr(call.func, "id", "") == "IllegalMove" else call.args
            texts = [text for text in map(text_of, args) if text is not None]
            found += len(texts)
            assert all(text.strip() for text in texts) or code_of(call) in COMPLETE, where
            assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code_of(call)), where
    assert found or package not in ("cli", "tournament", "bots", "mail", "io", "engine"), "the search sees errors"


def code_of(call: ast.Call) -> str:
    """The code that is written out there, or one that stands for whatever it is."""
    for keyword in call.keywords:
        if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
    first = text_of(call.args[0]) if call.args and issubclass(getattr(errors, name), errors.Finding) else None
    return "written-elsewhere" if first is None else first
