"""What a file says and what a function returns cannot be changed afterwards, and what others write is read strictly."""

import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any

import msgspec

import referee

FILLED = {
    "io.desk _Change", "mail.case SeatResult", "mail.reply _Sheet", "mail.run Sent", "testing.leaks Found",
    "tournament.check Checked", "mail.unseen _Open",
}  # fmt: skip
"""Reports that are filled in while the work is done."""


def structs() -> Iterator[tuple[str, Any]]:
    """`module Name` and class of everything that is a struct or a dataclass."""
    for found in pkgutil.walk_packages(referee.__path__, "referee."):
        if found.name.endswith("__main__"):
            continue  # it would start the program
        module = import_module(found.name)
        for name, kind in list(vars(module).items()):
            ours = inspect.isclass(kind) and kind.__module__ == found.name
            if ours and (issubclass(kind, msgspec.Struct) or is_dataclass(kind)):
                yield f"{found.name.removeprefix('referee.')} {name}", kind


def is_frozen(kind: Any) -> bool:
    return bool(kind.__dataclass_params__.frozen if is_dataclass(kind) else kind.__struct_config__.frozen)


def test_only_what_is_filled_in_can_be_changed() -> None:
    kinds = dict(structs())
    assert len(kinds) > 300
    assert {name for name, kind in kinds.items() if not is_frozen(kind)} == FILLED


READ = {
    "app.calls Request", "bots.players Limits", "crypto.envelope Envelope", "game Nothing", "io.keyfile Box",
    "app.inside Containers", "app.inside Document", "app.inside Put",
    "app.inside Read", "app.inside Remembered", "app.inside Restore", "mail.office_tables Question",
    "lexicon _File", "bots.wire Allowed", "bots.wire News", "tournament.sprt Bounds", "tournament.sprt Decision",
}  # fmt: skip
"""Read from files and other programs, all fields always written."""
READ_MODULES = {
    "library.rehearsing", "mail.providers", "mail.settings", "tournament.counts", "tournament.rating",
    "tournament.spec", "tournament.summary",
}  # fmt: skip
"""Modules of which the same holds for all types."""
EDITIONS = {"Options", "Edition", "Stage", "Success", "Thresholds"}
"""The same in games: what hosts choose."""
SHOWN = {
    "bots.conformance Step", "bots.players Fault", "bots.players Spent", "evidence.proofs Verdict",
    "games.mark.types Row", "games.mark.types Lot", "games.mark.types Public", "games.schwarzer_freitag.types Public",
    "page.reading Round", "testing.conform CaseResult",
}  # fmt: skip
"""Only written, or read where the program itself wrote them."""


def is_read(name: str, config: Any) -> bool:
    """Whether others write it: it has a tag, or is short because it is signed, or is listed."""
    module, _, kind = name.rpartition(" ")
    listed = name in READ or module in READ_MODULES or (module.startswith("games.") and kind in EDITIONS)
    return listed or ((config.tag is not None or config.omit_defaults) and name not in SHOWN)


def test_what_others_write_has_no_field_that_nobody_knows() -> None:
    configs = {name: kind.__struct_config__ for name, kind in structs() if issubclass(kind, msgspec.Struct)}
    assert {name for name, one in configs.items() if one.forbid_unknown_fields} == {
        name for name, one in configs.items() if is_read(name, one)
    }
