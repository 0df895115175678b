"""What the sources say: texts in calls of a catalogue, and what `--help` says."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def marked(path: Path) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    """Texts of calls of a catalogue, with their contexts; wherever they stand, also within an f-string."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call):
            texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            match _name(node.func), texts:
                case "t" | "w" | "mark", [text] if text:
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
        case ast.Call(func=ast.Name(id="t" | "w") | ast.Attribute(value=ast.Name(id="t" | "w"))):
            return True
    return False


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
