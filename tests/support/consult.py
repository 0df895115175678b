"""The rules, asked about a view."""

from collections.abc import Callable
from typing import Any

from referee.engine.player import Opened


def consult(opened: Opened, rule: Callable[..., Any], *more: Any) -> Any:
    """What a rule says of the position that the owner of a view sees."""
    return rule(opened.table.terms, opened.seen, *more)
