"""What the sources say: texts in calls of a catalogue, texts that errors are made of, and what `--help` says."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from referee.games import NOT_RULES

ROOT = Path(__file__).resolve().parents[2]
TOLD = {
    "Fault", "RulesFault", "Problem", "mark", "undecided", "refuse", "unclear", "_unclear", "missing", "_mixed",
    "refused", "_report", "_finding", "Wrong", "Trouble", "Unreadable", "failed", "skipped", "_failed",
    "Block", "Verdict", "Written", "_bad", "lose",
    "Differs", "differs", "_broken",
}  # fmt: skip
"""Calls, other than those of errors, with texts that are told again where they are read."""


@cache
def errors() -> frozenset[str]:
    """The names of all classes of errors."""
    classes = [node for path in sorted((ROOT / "referee").rglob("*.py")) for node in ast.walk(_tree(path))
               if isinstance(node, ast.ClassDef)]  # fmt: skip
    names = {"RefereeError"}
    while more := {one.name for one in classes if names & {ast.unparse(base) for base in one.bases}} - names:
        names |= more
    return frozenset(names)


def marked(path: Path) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    """Texts of calls of a catalogue, with their contexts; wherever they stand, also within an f-string."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call):
            texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            match _name(node.func), texts:
                case "t" | "mark", [text]:
                    yield text, None
                case "plural", [one, many]:
                    yield (one, many), None
                case ("sense", [context, text]) | ("mark", [text, context]):
                    yield text, context


def glued(path: Path) -> Iterator[str]:
    """Places where a translated text is set beside letters or changed like an English one."""
    for node in ast.walk(_tree(path)):
        match node:
            case ast.JoinedStr(values=parts) if any(map(_is_told, ast.walk(node))):
                beside = [part.value for part in parts if isinstance(part, ast.Constant)]
            case ast.BinOp(op=ast.Add(), left=left, right=right) if _is_told(left) or _is_told(right):
                beside = [part.value for part in (left, right) if isinstance(part, ast.Constant)]
            case ast.Attribute(value=text, attr="capitalize" | "title" | "lower" | "upper" as beside) if _is_told(text):
                pass
            case _:
                continue
        if re.search(r"[^\W\d_]", re.sub(r"<[^>]*>?|[^<]*>|Re: |referee: ", "", "".join(beside))):
            yield ast.unparse(node)


def _is_told(node: ast.AST) -> bool:
    """A text in the reader's language."""
    match node:
        case ast.Call(func=ast.Name(id="t" | "retold") | ast.Attribute(value=ast.Name(id="t"))):
            return True
    return False


@cache
def raised(path: Path) -> frozenset[str]:
    """Texts that errors are made of, a value in them by its name."""
    return frozenset(_raised(path))


def _raised(path: Path) -> Iterator[str]:
    silent = _silent(path)
    if silent:
        yield from filter(_is_sentence, _tabled(_tree(path)))
    for scope in ast.walk(_tree(path)):
        if isinstance(scope, (ast.FunctionDef, ast.ClassDef, ast.Module)):
            for node in (*_given(scope), *(_returned(scope) if silent else ())):
                yield from filter(_is_sentence, _texts(node, scope))


def _tabled(tree: ast.Module) -> Iterator[str]:
    """Sentences in the tables of a module: advice, for errors."""
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, (ast.Dict, ast.Tuple)):
            texts = [one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)]
            yield from (
                text for text in texts if isinstance(text, str) and text[:1].islower() and len(text.split()) > 2
            )


def _silent(path: Path) -> bool:
    """Whether a module speaks to nobody itself: the core, and rules."""
    package = path.relative_to(ROOT / "referee").parts[0]
    if package == "games":
        return path.stem.partition("_")[0] not in NOT_RULES
    return package in ("errors.py", "game.py", "crypto", "engine")


def _is_sentence(text: str) -> bool:
    """Whether people could want it in their language."""
    if re.fullmatch(r"(an?|the) \{\w+\}", text):  # would be found in anything
        return False
    return bool(re.search(r"[a-z]{2}", re.sub(r"\{\w*\}", "", text))) and "<" not in text and "\x1b" not in text


def _returned(scope: ast.AST) -> Iterator[ast.AST | None]:
    """What a function hands on in a module that speaks to nobody itself: a reason, for an error."""
    for node in ast.walk(scope) if isinstance(scope, ast.FunctionDef) else ():
        if isinstance(node, (ast.Return, ast.Yield)):
            yield node.value


def _given(scope: ast.FunctionDef | ast.ClassDef | ast.Module) -> Iterator[ast.AST | None]:
    """What is handed to an error: by its call, by its class (`advice = ...`), as a default, or `error.next = ...`."""
    if isinstance(scope, ast.FunctionDef):
        yield from (*scope.args.defaults, *scope.args.kw_defaults)
    for node in scope.body if isinstance(scope, ast.ClassDef) else ast.walk(scope):
        if isinstance(node, ast.Assign) and _name(node.targets[0]) in ("advice", "next", "message"):
            yield node.value
        elif isinstance(node, ast.Call) and (
            _name(node.func) in TOLD or _name(node.func) in errors() or _is_base(node.func)
        ):
            yield from (*node.args, *(one.value for one in node.keywords if one.arg != "code"))


def _texts(node: ast.AST | None, scope: ast.AST, depth: int = 0) -> Iterator[str]:
    """The sentences of an expression: each way a condition can go; what a variable of the function is set to; words
    that are chosen within a sentence."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r" |-\{\w+\}", node.value.strip()):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield template(node)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from _texts(part.value, scope, depth + 1)
    elif isinstance(node, ast.IfExp) and depth:
        words = [one.value for one in (node.body, node.orelse) if isinstance(one, ast.Constant)]
        yield from (word for word in words if isinstance(word, str) and word.replace(" ", "").isalpha())
    elif isinstance(node, (ast.IfExp, ast.BoolOp, ast.Tuple)):
        for one in ast.iter_child_nodes(node):
            yield from _texts(one, scope, depth)
    elif isinstance(node, ast.Name) and depth < 3:
        for other in ast.walk(scope):
            if isinstance(other, ast.Assign) and any(_name(one) == node.id for one in other.targets):
                value = other.value
                ways = (value.body, value.orelse) if isinstance(value, ast.IfExp) and not depth else (value,)
                for way in ways:
                    yield from _texts(way, scope, depth + 3)


def _is_base(function: ast.AST) -> bool:
    match function:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[], keywords=[]), attr="__init__"):
            return True
    return False


def template(node: ast.JoinedStr) -> str:
    """`f"round {entry.round}: bad"` as `round {round}: bad`; values of one name are counted."""
    made, names = "", []
    for part in node.values:
        if isinstance(part, ast.Constant):
            made += str(part.value).replace("{", "{{").replace("}", "}}")
        elif isinstance(part, ast.FormattedValue):
            name = _value(part.value)
            names.append(name)
            made += f"{{{name}{names.count(name) if names.count(name) > 1 else ''}}}"
    return made


def _value(node: ast.AST) -> str:
    """What a value is called in a sentence."""
    while not isinstance(node, (ast.Name, ast.Attribute)):
        inner = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
        if not inner:
            return "value"
        node = node.args[0] if isinstance(node, ast.Call) and node.args else inner[0]
    return _name(node).strip("_").lower()


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def helped() -> Iterator[str]:
    """What `--help` says of commands and options."""
    import typer

    from referee.cli.app import build

    waiting = [typer.main.get_command(build())]
    while waiting:
        command = waiting.pop()
        waiting += getattr(command, "commands", {}).values()
        texts = [command.help, *(getattr(one, "help", None) for one in command.params)]
        yield from (text for text in texts if text)
