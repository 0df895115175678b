"""Changes of an office that belong together: all of them are made or none, whenever the process dies.

New files are written to the folder `commit/`, then a plan of where they go: with the plan the change counts. Then the
guards of its games are written, everything is moved to its place, and the plan is removed. Whoever opens the office
next finishes what a kill interrupted; finishing twice changes nothing. If something else was signed in a game in the
meantime, the plan is dropped: nobody has seen any of it.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from referee.errors import FileTrouble, WrongTurn
from referee.io import files, guard
from referee.mail import t

FOLDER = "commit"
PLAN = "plan.json"
_PLAN_MOST = 64_000_000

Moves = Sequence[tuple[str, str]]
"""From where to where."""
Signed = Mapping[str, tuple[bytes, bytes]]
"""Name of a guard -> its expected content, and its new content."""


class Transaction(msgspec.Struct, frozen=True):
    """Where files go, as paths within the office: first those in `commit/`, then others."""

    write: dict[str, str]
    move: tuple[tuple[str, str], ...]
    signed: dict[str, tuple[str, str]] = {}
    """Name of a guard -> the hash of its expected content (empty: there is none), and its new content."""


def commit(root: str, write: Mapping[str, bytes], move: Moves = (), signed: Signed = MappingProxyType({})) -> None:
    """Write the guards if nobody changed them, then write files and move others, all of it within the office `root`
    except for the guards."""
    if not write and not move:
        return
    folder = os.path.join(root, FOLDER)
    names = {f"{number:06}": path for number, path in enumerate(write, 1)}
    laid = {os.path.join(folder, name): write[path] for name, path in names.items()}
    plan = os.path.join(folder, PLAN)
    guards = {name: (_digest(before), after.decode()) for name, (before, after) in signed.items()}
    try:
        if laid:
            files.write(laid, secret=[*laid])
        files.write({plan: msgspec.json.encode(Transaction(names, tuple(move), guards))}, secret=[plan])
    except FileTrouble as error:
        if os.path.lexists(plan):
            raise
        # Without a plan the files in the folder do not count.
        again = t("nothing was changed; fix the problem and run it again")
        raise FileTrouble(error.message, again, code=error.code) from None
    if not finish(root):
        why = t("another command changed a game of this office in the meantime; nothing was written")
        raise WrongTurn(why, t("run it again"), code="changed")


def finish(root: str) -> bool:
    """Carry out the plan in the folder; without one, remove what a kill left behind. Returns False if the plan had to
    be dropped."""
    folder, done = os.path.join(root, FOLDER), True
    try:
        if os.path.lexists(os.path.join(folder, PLAN)):
            plan = msgspec.json.decode(files.read(os.path.join(folder, PLAN), _PLAN_MOST, "plan"), type=Transaction)
            with contextlib.ExitStack() as locks:
                for path in map(guard.path_of, sorted(plan.signed)):
                    locks.enter_context(guard.guard_lock(path))
                done = _sign(plan)
                if done:
                    _carry_out(root, plan)
                os.unlink(os.path.join(folder, PLAN))
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        return done
    except (OSError, msgspec.MsgspecError) as error:
        why = files.reason(error) if isinstance(error, OSError) else t("its plan is damaged")
        problem = t("the office in {root} cannot be brought up to date: {why}", root=files.printable(root), why=why)
        raise FileTrouble(problem, t("fix the problem and run it again; nothing is lost")) from None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest() if data else ""


def _sign(plan: Transaction) -> bool:
    """Write the guards that are not written yet. Returns False if one has neither its expected nor its new content:
    something else was signed."""
    wanted = {guard.path_of(name): (before, after.encode()) for name, (before, after) in plan.signed.items()}
    known = {path: guard.read(path) for path in wanted}
    if any(known[path] != after and _digest(known[path]) != before for path, (before, after) in wanted.items()):
        return False
    guard.clear(*wanted)
    new = {path: after for path, (_, after) in wanted.items() if known[path] != after}
    if new:
        files.write(new, secret=[*new])
    return True


def _carry_out(root: str, plan: Transaction) -> None:
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
