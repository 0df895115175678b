"""What the rules of a game refuse: reasons and values in the modules that decide, sentences in `story_refusals`."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from shutil import copytree
from types import ModuleType
from typing import NamedTuple
from unittest.mock import patch

import msgspec

from referee import games
from referee.engine.table import code_hash
from referee.language import MOVES, Reason, _read, names_in

SENTENCE = 3
"""This many words make a sentence."""
KEYS = {"note", "say", "Note", "RulesFault", "AssertionError"}
"""Calls whose first value is the key of a line in the story, or is for authors only."""


class Raised(NamedTuple):
    """A refusal in a module that decides."""

    where: str
    reason: str
    values: frozenset[str]


def check(game_id: str, folder: Path) -> None:
    """The refusals of a game are complete, translated, and not part of its rules. `folder`: of a copy of the game."""
    sentences = import_module(f"{games.module_of(game_id)}.story_refusals")
    trees = {path: ast.parse(source) for path, source in games.rule_modules(game_id)}
    assert [(path, said) for path, tree in trees.items() for said in _sentences(tree)] == []
    raised = [one for path, tree in trees.items() for one in _raised(path, tree)]
    assert {one.reason for one in raised} == set(sentences.REFUSALS)
    for one in raised:
        message, next = sentences.REFUSALS[one.reason]
        assert names_in(message) | names_in(next) == one.values, one
    _check_translations(games.module_of(game_id), sentences)
    _check_fallback(games.module_of(game_id))
    _check_code(game_id, folder)


def _raised(path: str, tree: ast.Module) -> Iterator[Raised]:
    """`illegal(clause, reason, ...)` and `illegal.fault(reason, ...)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="illegal"), args=[_, reason]):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name(id="illegal")), args=[reason]):
                pass
            case ast.Call(func=ast.Name(id="IllegalMove")):
                raise AssertionError(f"{path}:{node.lineno} is no refusal as data")
            case _:
                continue
        where = f"{path}:{node.lineno}"
        for one in _constants(reason, where):
            yield Raised(where, one, frozenset(str(value.arg) for value in node.keywords))


def _constants(node: ast.expr, where: str) -> Iterator[str]:
    """The reasons that an expression can give."""
    match node:
        case ast.Constant(value=str(reason)):
            assert all(part.isalnum() and part.islower() for part in reason.split("-")), (where, reason)
            yield reason
        case ast.IfExp(body=one, orelse=other):
            yield from (*_constants(one, where), *_constants(other, where))
        case _:
            raise AssertionError(f"{where} gives no constant reason")


def _sentences(tree: ast.Module) -> Iterator[str]:
    """Constants with several words, except docstrings, titles and the keys of the story."""
    silent = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            silent |= set(node.args[:1]) if name in KEYS else set()
            silent |= {one.value for one in node.keywords if (name, one.arg) == ("Game", "title")}
        elif isinstance(node, ast.JoinedStr) and node in silent:
            silent |= set(node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in silent:
            words = [word for word in node.value.split() if word.strip(".,:;()").isalpha()]
            yield from [node.value] if len(words) >= SENTENCE else []


def _check_translations(module: str, sentences: ModuleType) -> None:
    for template in {one for pair in sentences.REFUSALS.values() for one in pair}:
        plain = template.format(**dict.fromkeys(names_in(template), ""))
        for language in ("de", "nl") if any(map(str.isalpha, plain)) else ():
            translated = _read(module, language).gettext(template)
            assert translated != template, language
            assert names_in(translated) == names_in(template), (language, template)


def _check_fallback(module: str) -> None:
    """A reason without a sentence is shown as it is."""
    unknown = Reason(module, "of-another-{version}", (("card", "red"),))
    assert str(unknown) == "of-another-{version}"
    assert msgspec.structs.replace(unknown, next=True).text() == MOVES


def _check_code(game_id: str, folder: Path) -> None:
    """Other sentences are the same rules; other rules are not."""
    code_of, copy = code_hash.__wrapped__, folder / "copy"
    code = code_of(game_id)
    assert code == code_hash(game_id)
    copytree(Path(str(games._folder(game_id))), copy)
    with patch.object(games, "_folder", lambda _: copy):
        tree = ast.parse((copy / "story_refusals.py").read_bytes())
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = node.value.upper()
        (copy / "story_refusals.py").write_text(ast.unparse(tree), "utf-8")
        assert code_of(game_id) == code
        (copy / "types.py").write_bytes((copy / "types.py").read_bytes() + b"\n")
        assert code_of(game_id) != code
