"""Changes of an office that belong together: all of them are made, or none, whenever the process dies.

What is to be written is laid into the folder `commit/`, then a plan of where it goes: with the plan the change counts.
Then everything is moved to its place, and the plan is taken away. Whoever opens the office next finishes what a kill
interrupted; to finish twice changes nothing.
"""

import contextlib
import os
import stat
from collections.abc import Mapping, Sequence

import msgspec

from referee.errors import FileTrouble
from referee.io import files

FOLDER = "commit"
PLAN = "plan.json"
_PLAN_MOST = 64_000_000

Moves = Sequence[tuple[str, str]]
"""From where to where."""


class Plan(msgspec.Struct, frozen=True):
    """Where things go, all as paths within the office: first what lies in `commit/`, then what lies elsewhere."""

    write: dict[str, str]
    move: tuple[tuple[str, str], ...]


def commit(root: str, write: Mapping[str, bytes], move: Moves = ()) -> None:
    """Write these files and then move those, all within the office `root`."""
    if not write and not move:
        return
    folder = os.path.join(root, FOLDER)
    names = {f"{number:06}": path for number, path in enumerate(write, 1)}
    laid = {os.path.join(folder, name): write[path] for name, path in names.items()}
    plan = os.path.join(folder, PLAN)
    try:
        if laid:
            files.write(laid, secret=[*laid])
        files.write({plan: msgspec.json.encode(Plan(names, tuple(move)))}, secret=[plan])
    except FileTrouble as error:
        if not os.path.lexists(plan):  # whatever was laid there does not count
            error.next = "nothing was changed; mend the cause and run it again"
        raise
    finish(root)


def finish(root: str) -> None:
    """Carry out the plan that lies there; without one, take away what a kill left of one that never counted."""
    folder = os.path.join(root, FOLDER)
    try:
        if os.path.lexists(os.path.join(folder, PLAN)):
            plan = msgspec.json.decode(files.read(os.path.join(folder, PLAN), _PLAN_MOST, "plan"), type=Plan)
            _carry_out(root, plan)
            os.unlink(os.path.join(folder, PLAN))
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
    except (OSError, msgspec.MsgspecError) as error:
        why = files.reason(error) if isinstance(error, OSError) else "its plan is damaged"
        raise FileTrouble(
            f"the office in {files.printable(root)} cannot be brought up to date: {why}",
            "mend the cause and run it again: nothing is lost",
        ) from None


def _carry_out(root: str, plan: Plan) -> None:
    moves = [(os.path.join(FOLDER, name), path) for name, path in plan.write.items()]
    touched: set[str] = set()
    for source, target in (*moves, *plan.move):
        folder = os.path.dirname(target)
        if not os.path.isdir(os.path.join(root, folder)):
            os.mkdir(os.path.join(root, folder), stat.S_IRWXU)
            touched.add(os.path.dirname(folder))
        with contextlib.suppress(FileNotFoundError):  # moved before a kill
            os.replace(os.path.join(root, source), os.path.join(root, target))
        touched |= {os.path.dirname(source), folder}
    for folder in sorted(touched):
        files.sync_folder(os.path.join(root, folder))
