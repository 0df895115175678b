"""Files: read with a limit, written completely or not at all."""

import contextlib
import os
import sys
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from referee import language
from referee.errors import FileTrouble, Malformed
from referee.io.reasons import reason_text
from referee.language import Text, Value, mark, t
from referee.language import printable as printable

SMALL = 1_000_000
"""Most bytes of a key, an offer, a join, a move, a receipt."""
LARGE = 64_000_000
"""Most bytes of a game file, a view, a transcript."""
NOUNS = (
    mark("address book"), mark("aid"), mark("file"), mark("ledger"), mark("mail"), mark("note on a table"),
    mark("password file"), mark("plan"), mark("results"), mark("settings"), mark("tournament file"), mark("vector"),
)  # fmt: skip
"""What files are called in sentences about reading them, besides `codec.WORDS` and `envelope.KINDS`."""
PATIENCE = 20
"""Seconds to wait for another process that holds the lock."""
_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""Of every `os.open`, as far as the system has them."""
_NEW = _FLAGS | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
"""Of a file that may be made here: a planted link is not followed."""


def home() -> str:
    """Where keys and tickets live: REFEREE_HOME, or the platform's place for user data."""
    chosen = os.environ.get("REFEREE_HOME")
    if chosen:
        return chosen
    import platformdirs

    return platformdirs.user_data_dir("pbem-referee", appauthor=False)


def read(path: str, limit: int, *wanted: str) -> bytes:
    """The bytes of a file or a pipe, or of standard input for `-`; `wanted`: what it can be, kinds or a noun."""
    try:
        data = sys.stdin.buffer.read(limit + 1) if path == "-" else _read(path, limit + 1)
    except IsADirectoryError:
        why = t("{path} is a folder", path=printable(path))
        advice = t("give the {what} inside it", what=either(wanted))
        if wanted == ("file",):
            advice = t("give the file inside it")
        raise FileTrouble(why, advice, code="folder") from None
    except FileNotFoundError:
        why = t("{path} does not exist", path=printable(path))
        advice = t("check the name of the {what}", what=either(wanted))
        if wanted == ("file",):
            advice = t("check the name of the file")
        raise FileTrouble(why, advice, code="missing") from None
    except (OSError, ValueError) as error:
        why = t("{path} cannot be read: {error}", path=printable(path), error=reason(error))
        raise FileTrouble(why, t("check the file's permissions")) from None
    if data is None or len(data) > limit:
        why = t("{path} is larger than any {what}", path=printable(path), what=either(wanted))
        raise Malformed(why, t("give the {what} here", what=either(wanted)), code="too-large")
    if not data:
        why = t("{path} is empty", path=printable(path))
        raise Malformed(why, t("ask for the {what} again", what=either(wanted)), code="empty")
    return data


def either(wanted: tuple[str, ...]) -> Value:
    """`view, move or game file`."""
    nouns = {"game": "game file", "key": "key file", "player": "player's file"}
    return language.either(t(nouns.get(kind, kind)) for kind in wanted)


def _read(path: str, most: int) -> bytes | None:
    """Open without blocking: a named pipe without a writer is empty, and does not hang the command. None for a file
    that has more: nothing of it is read."""
    handle = os.open(path, os.O_RDONLY | _FLAGS | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(handle, True)
    with open(handle, "rb") as file:
        return file.read(most) if os.fstat(handle).st_size <= most else None


def reason(error: Exception) -> Text:
    """Why the system refused, in words that are the same on every system."""
    return reason_text(error.errno if isinstance(error, OSError) else None)


def resolved_path(path: str) -> str:
    """The real path of a file that will be replaced. A file with two names cannot be replaced under both."""
    real = os.path.realpath(path)
    if os.path.isfile(real) and os.stat(real).st_nlink > 1:
        why = t(
            "{path} has more than one name (a hard link): the other would keep the old content",
            path=printable(path),
        )
        raise FileTrouble(why, t("remove the other name, or work on a copy"), code="linked")
    return real


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold the lock of a game file, which must exist."""
    if not os.path.isfile(path):
        read(path, LARGE, "game file")
        raise FileTrouble(t("{path} is not a regular file", path=printable(path)), t("give the game file itself"))
    with exclusive_lock(path):
        yield


@contextlib.contextmanager
def exclusive_lock(path: str) -> Iterator[None]:
    """Hold the lock of this path. It is a sibling file, because the file itself gets replaced."""
    try:
        handle = os.open(path + ".lock", os.O_RDWR | _NEW, 0o600)
    except OSError as error:
        why = t("{path}.lock cannot be opened: {error}", path=printable(path), error=reason(error))
        raise FileTrouble(why, t("check that the folder is writable")) from None
    try:
        _wait_for(handle, path)
        yield
    finally:
        with contextlib.suppress(OSError):
            os.close(handle)


def _wait_for(handle: int, path: str) -> None:
    deadline = time.monotonic() + PATIENCE
    try:
        while not _lock(handle):
            if time.monotonic() > deadline:
                why = t("{path} is in use by another `referee` command", path=printable(path))
                raise FileTrouble(why, t("wait for it to finish"), code="locked")
            time.sleep(0.01)
    except OSError as error:
        why = t("{path} cannot be locked: {error}", path=printable(path), error=reason(error))
        raise FileTrouble(why, t("move it to a local disk")) from None


def _lock(handle: int) -> bool:
    """Try once. The library is only for systems without `fcntl`: loading it takes a tenth of a whole `apply`."""
    try:
        import fcntl
    except ImportError:
        from importlib import import_module

        return bool(import_module("filelock").lock_descriptor(handle, blocking=False))
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def write(files: Mapping[str, bytes], *, secret: Sequence[str] = (), make: Sequence[str] = ()) -> None:
    """Write all of these or none; the first one is the commit point and is durable before the others appear.

    Only their owner can read `secret` files. Folders in `make` are created, and removed again on failure.
    """
    staged: list[tuple[str, str]] = []
    made: list[str] = []
    done = 0
    try:
        for folder in make:
            made += _make(folder)
        for path, data in files.items():
            staged.append((_stage(path, data, private=path in secret), path))
        for temporary, path in staged:
            os.replace(temporary, path)
            done += 1
            if done in (1, len(staged)):
                sync_folder(os.path.dirname(path) or ".")
    except OSError as error:
        path, cause = printable(str(error.filename or path)), reason(error)
        # A call can fail after it has done its work: whether the first temporary file is still there decides.
        if staged and not os.path.lexists(staged[0][0]):
            done = max(done, 1)
            why = t(
                "{path} cannot be written: {error}; what was accepted before it stays accepted", path=path, error=cause
            )
            raise FileTrouble(
                why, t("fix the problem and run the same command again for the rest"), code="half-shown"
            ) from None
        why = t("{path} cannot be written: {error}", path=path, error=cause)
        raise FileTrouble(why, t("nothing was changed; fix the problem and run it again")) from None
    finally:
        for temporary, _ in staged[done:]:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        for folder in reversed(made if not done else []):
            with contextlib.suppress(OSError):
                os.rmdir(folder)


def _make(folder: str) -> list[str]:
    """Create a folder and its parents; returns the new ones, outermost first."""
    missing = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for path in reversed(missing):
        os.mkdir(path)
    return missing[::-1]


def _stage(path: str, data: bytes, *, private: bool) -> str:
    """Write a complete, synced copy beside the target; never follow a planted link."""
    folder, name = os.path.split(path)
    if os.path.isdir(path):
        raise IsADirectoryError(21, "is a folder", path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_EXCL | _NEW
    mode = 0o600 if private else 0o666
    try:
        handle = os.open(temporary, flags, mode)
    except FileExistsError:
        os.unlink(temporary)
        handle = os.open(temporary, flags, mode)
    try:
        if private and hasattr(os, "fchmod"):
            os.fchmod(handle, mode)
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
    except BaseException:
        os.unlink(temporary)
        raise
    finally:
        os.close(handle)
    return temporary


def sync_folder(folder: str) -> None:
    if not hasattr(os, "O_DIRECTORY"):  # a system on which folders cannot be opened
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _FLAGS)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(path: str) -> None:
    """Create an output folder unless it exists."""
    try:
        os.makedirs(path or ".", exist_ok=True)
    except OSError as error:
        why = t("{path} cannot be created: {error}", path=printable(path), error=reason(error))
        raise FileTrouble(why, t("choose another folder")) from None


def file_name(game: str, round: int, seat: int, names: tuple[str, ...], kind: str, mark: str = "") -> str:
    """`be4f2750-r012-anna.view.json`: nothing collides in a mail folder. `game` is the game's id, `round` the one that
    the document itself names; `mark` tells files of one round and seat apart. What belongs to no seat is
    `be4f2750-r012.public.view.json`, which no name can be."""
    whose = f"-{slug(seat, names)}" if seat < len(names) else ".public"
    return f"{game[:8]}-r{round:03}{whose}{mark}.{kind}.json"


def offer_name(offer: str, game_id: str) -> str:
    """`0c9fb6a1-schwarzer-freitag.offer.json`; `offer` is the offer's id."""
    return f"{offer[:8]}-{game_id}.offer.json"


def join_name(offer: str, name: str, key: str) -> str:
    """`0c9fb6a1-bert.join.json`; nobody has a seat yet, so a name without our letters is told apart by its key."""
    return f"{offer[:8]}-{plain(name) or 'player-' + key[:6]}.join.json"


# Letters that do not decompose, or lose too much when their marks are removed.
_SPELLED = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe", "ł": "l", "đ": "d",
     "ð": "d", "þ": "th", "ı": "i"}
)  # fmt: skip


@lru_cache(4096)
def plain(name: str) -> str:
    """A name for use in a file name: ASCII lower-case letters and digits; empty if it has none."""
    spelled = unicodedata.normalize("NFC", name).lower().translate(_SPELLED)
    return "".join(c for c in unicodedata.normalize("NFKD", spelled) if c.isascii() and c.isalnum())[:24]


def slug(seat: int, names: tuple[str, ...]) -> str:
    """A player in a file name, told apart by the seat where the name is not enough."""
    slugs = [plain(name) for name in names]
    mine = slugs[seat]
    return mine if mine and slugs.count(mine) == 1 else f"{mine or 'player'}-{seat + 1}"
