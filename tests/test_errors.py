"""An error says what is wrong, and then what to do about it: never the other way round, and never nothing."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ERRORS = ("Usage", "WrongTurn", "BadSignature", "Malformed", "FileTrouble", "MailTrouble", "NoMailbox")
DO = frozenset(
    (
        "add", "agree", "answer", "ask", "begin", "build", "check", "choose", "continue", "correct", "create", "decide",
        "do", "end", "enter", "fix", "give", "install", "leave", "load", "look", "make", "move", "name", "open", "pip",
        "play", "put", "read", "recover", "remove", "restore", "reveal", "rule", "run", "save", "say", "see", "send",
        "set", "sign", "start", "take", "try", "type", "use", "wait", "wait,", "write",
    )
)  # fmt: skip
"""What to do: how most advice begins."""
OTHERWISE = frozenset(
    (
        "{run}", "`address`", "`quit`", "free", "for", "if", "just", "needed:", "nothing", "only", "possible", "the",
        "there", "with",
    )
)  # fmt: skip
"""How other advice begins: what there is to choose from, what is still right, a command."""
ASKED = frozenset(("say", "name"))
"""Where something was left out, the message is what to do, and the advice how."""


def text(node: ast.expr) -> str:
    """The words of `t("...")`; empty for anything else."""
    made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "t" and node.args
    return str(node.args[0].value) if made and isinstance(node.args[0], ast.Constant) else ""  # type: ignore[attr-defined]


def errors() -> Iterator[tuple[str, str, str]]:
    """Place, message and advice of every error that has both in words."""
    for path in sorted((ROOT / "referee").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                message, advice, *_ = (*map(text, node.args[:2]), "", "")
                yield f"{path.relative_to(ROOT)}:{node.lineno}", message, advice


def test_advice_says_what_to_do_and_the_message_does_not() -> None:
    found = list(errors())
    assert sum(bool(message and advice) for _, message, advice in found) > 150
    wrong = [
        f"{place}: {message} / {advice}"
        for place, message, advice in found
        if (message and message.split()[0] in DO - ASKED) or (advice and advice.split()[0] not in DO | OTHERWISE)
    ]
    assert wrong == []
