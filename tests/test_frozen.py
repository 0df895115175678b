"""What a file says and what a function returns cannot be changed afterwards."""

import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any

import msgspec

import referee

FILLED = {
    "mail.case SeatResult", "mail.reply _Sheet", "mail.run Sent", "testing.leaks Found", "tournament.check Checked",
}  # fmt: skip
"""Reports that are filled in while the work is done."""


def structs() -> Iterator[tuple[str, Any]]:
    """`module Name` and class of everything that is a struct or a dataclass."""
    for found in pkgutil.walk_packages(referee.__path__, "referee."):
        if found.name.endswith("__main__"):
            continue  # it would start the program
        module = import_module(found.name)
        for name, kind in vars(module).items():
            ours = inspect.isclass(kind) and kind.__module__ == found.name
            if ours and (issubclass(kind, msgspec.Struct) or is_dataclass(kind)):
                yield f"{found.name.removeprefix('referee.')} {name}", kind


def is_frozen(kind: Any) -> bool:
    return bool(kind.__dataclass_params__.frozen if is_dataclass(kind) else kind.__struct_config__.frozen)


def test_only_what_is_filled_in_can_be_changed() -> None:
    kinds = dict(structs())
    assert len(kinds) > 300
    assert {name for name, kind in kinds.items() if not is_frozen(kind)} == FILLED
