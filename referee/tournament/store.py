"""The games of a tournament on disk: packs of a thousand transcripts, and a line about each game. Append-only.

A line is written after its transcript, so a crash can only leave a transcript without a line, or half a line. Either is
cut off before the next game is added.
"""

import os
from collections.abc import Iterable, Iterator
from functools import cache
from sys import intern
from typing import Annotated, BinaryIO

import msgspec

from referee.crypto.codec import Hex32, decode, encode
from referee.engine.records import MOST_SEATS, Record
from referee.errors import Altered, FileTrouble, Malformed
from referee.io import files
from referee.tournament import t
from referee.tournament.outcome import Outcome
from referee.tournament.playing import Finished, Lapse, inflate, unpack

PER_PACK = 1000
LINES = "games.jsonl"
LONGEST = 1_000_000
"""Most bytes of a line."""
Size = Annotated[int, msgspec.Meta(ge=0, le=2**50)]


class StoredGame(Record, frozen=True):
    """A line: how a game ended, the hash of its transcript, and where that is in its pack."""

    outcome: Outcome
    hash: Hex32
    offset: Size
    size: Annotated[int, msgspec.Meta(ge=0, le=files.LARGE)]
    lapses: Annotated[tuple[Lapse, ...], msgspec.Meta(max_length=MOST_SEATS)] = ()


def pack_path(folder: str, number: int) -> str:
    """The pack that holds a game."""
    return os.path.join(folder, "games", f"{number // PER_PACK:06}.jsonl.gz")


def lines(folder: str, first: int = 0) -> Iterator[StoredGame]:
    """Every complete game from this number on, in order."""
    return (kept for kept, _ in _lines(folder) if kept.outcome.number >= first)


def _lines(folder: str) -> Iterator[tuple[StoredGame, int]]:
    """The same, each with the offset of the end of its line. An incomplete last line is ignored."""
    path = os.path.join(folder, LINES)
    if not os.path.exists(path):
        return
    last = -1
    with _opened(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST), b""), 1):
            if not line.endswith(b"\n"):
                return
            try:
                kept = decode(line[:-1], StoredGame, "line")
            except Malformed as error:
                why = t("line {number} of {lines}: {message}", number=number, lines=LINES, message=error.message)
                raise Altered("bad-games", why) from None
            if kept.outcome.number <= last:
                why = t("line {number} of {lines}: a game is repeated or out of order", number=number, lines=LINES)
                raise Altered("bad-games", why)
            last = kept.outcome.number
            yield kept, file.tell()


def _opened(path: str, mode: str = "rb") -> BinaryIO:
    """An ordinary file, never a pipe or device that would block: the folder may come from a stranger."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise FileTrouble(t("{path} is not a regular file", path=files.printable(path)), t("ask for the folder again"))
    try:
        return open(path, mode)  # type: ignore[return-value]
    except OSError as error:
        why = t("{path} cannot be opened: {error}", path=files.printable(path), error=files.reason(error))
        raise FileTrouble(why, t("check that it exists, and its permissions")) from None


def packed(folder: str, kept: StoredGame) -> bytes:
    """The compressed transcript of a game; empty if it cannot be read."""
    try:
        with _opened(pack_path(folder, kept.outcome.number)) as file:
            file.seek(kept.offset)
            return file.read(kept.size)
    except (OSError, FileTrouble):
        return b""


def transcript(folder: str, kept: StoredGame) -> bytes:
    """The transcript of a game; raises `Altered` if it is damaged."""
    try:
        return unpack(packed(folder, kept), files.LARGE)
    except ValueError:
        why = t("the transcript of game {number} is missing or damaged", number=kept.outcome.number)
        raise Altered("bad-games", why) from None


MEMBER = "@"
"""Between the name of a pack and the offset of a game in it."""


def members(path: str) -> Iterator[str]:
    """Every game of a pack, as `PACK@OFFSET`, from the pack alone. The first damaged one is the last."""
    with _opened(path) as file:
        start, size = 0, os.path.getsize(path)
        while start < size:
            yield f"{path}{MEMBER}{start}"
            try:
                inflate(file, files.LARGE)
            except ValueError:
                return
            start = file.tell()


def member(name: str) -> bytes:
    """The transcript that `members` named."""
    path, _, start = name.rpartition(MEMBER)
    with _opened(path) as file:
        file.seek(int(start))
        try:
            return inflate(file, files.LARGE).removesuffix(b"\n")
        except ValueError:
            raise Altered("bad-games", t("this part of the pack is damaged")) from None


class Store:
    """The games, open for appending."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        files.make_folder(os.path.join(folder, "games"))
        self._pack: tuple[str, BinaryIO] | None = None
        self._cut()
        self._file = _opened(os.path.join(folder, LINES), "ab")

    def _cut(self) -> None:
        """Cut off what a crash left behind: half a line, a line whose transcript never reached the disk, transcripts
        without a line."""
        good, last = 0, None
        size = cache(lambda path: os.path.getsize(path) if os.path.exists(path) else 0)
        for kept, after in _lines(self.folder):
            if size(pack_path(self.folder, kept.outcome.number)) >= kept.offset + kept.size:
                good, last = after, kept
        path = os.path.join(self.folder, LINES)
        if os.path.exists(path):
            os.truncate(path, good)
        current = pack_path(self.folder, last.outcome.number) if last else ""
        folder = os.path.join(self.folder, "games")
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if path == current and last:
                os.truncate(path, last.offset + last.size)
            elif path > current and name.endswith(".jsonl.gz"):
                os.unlink(path)

    def add(self, games: Iterable[Finished]) -> list[StoredGame]:
        """Add games: first the transcripts; once these are on disk, the lines."""
        kept = []
        for game in games:
            file = self._open_pack(pack_path(self.folder, game.outcome.number))
            # msgspec leaves out a default string only if it is the same object; after crossing a process it is not.
            outcome = msgspec.structs.replace(game.outcome, end=intern(game.outcome.end))
            kept.append(StoredGame(outcome, game.hash, file.tell(), len(game.packed), game.lapses))
            file.write(game.packed)
        if kept:
            self._sync_pack()
            self._file.write(b"".join(encode(one) + b"\n" for one in kept))
            self._file.flush()
            os.fsync(self._file.fileno())
        return kept

    def _open_pack(self, path: str) -> BinaryIO:
        if self._pack is None or self._pack[0] != path:
            self._sync_pack()
            if self._pack is not None:
                self._pack[1].close()
            self._pack = path, _opened(path, "ab")
        return self._pack[1]

    def _sync_pack(self) -> None:
        if self._pack is not None:
            self._pack[1].flush()
            os.fsync(self._pack[1].fileno())

    def close(self) -> None:
        self._sync_pack()
        if self._pack is not None:
            self._pack[1].close()
        self._file.close()
