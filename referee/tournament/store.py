"""The games of a tournament on disk: packs of at most a thousand records, which the ledger binds, and the spool of the
games that are in no pack yet.

A pack is complete on disk before its line is added to the ledger, and the spool is removed after that, so a crash
leaves a spool with half a line, which is cut off, a pack that is written again, or a spool that is not needed any more.
"""

import os
import zlib
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from referee.errors import Altered, FileTrouble, Malformed
from referee.io import files
from referee.tournament import t
from referee.tournament.documents import Pack
from referee.tournament.ledger import Ledger, Part
from referee.tournament.records import GameRecord, read_record

PER_PACK = 1000
LONGEST = 10_000_000
"""Most bytes of a record with its line feed."""
SLACK = 2**20
"""No pack is larger than its records by more bytes than these."""
LEVEL = 9
PACK, SPOOL = ".jsonl.gz", ".open.jsonl"
"""How the names of their files end."""


def games_folder(folder: str) -> str:
    return os.path.join(folder, "games")


def pack_path(folder: str, index: int) -> str:
    """The pack with this index in the ledger."""
    return os.path.join(games_folder(folder), f"{index:06}{PACK}")


def spool_path(folder: str, index: int) -> str:
    """The games that will be in that pack."""
    return os.path.join(games_folder(folder), f"{index:06}{SPOOL}")


# --- reading ----------------------------------------------------------------------------------------------------------


def first_pack(ledger: Ledger, part: Part) -> int:
    """The index of the first pack of a stage."""
    return sum(len(one.packs) for one in ledger.parts[: ledger.parts.index(part)])


def pack_lines(folder: str, index: int, pack: Pack) -> list[bytes]:
    """The records of a pack as they are stored, without line feeds; raises `Altered` if they cannot be those that the
    ledger names. Whether they are, its root shows."""
    try:
        with _opened(pack_path(folder, index)) as file:
            data = _inflated(file, pack.size)
    except (OSError, FileTrouble, ValueError):
        raise Altered("bad-games", t("pack {number} is missing or damaged", number=index)) from None
    lines = data.split(b"\n")
    if lines.pop() or len(lines) != pack.count:
        raise Altered("bad-games", t("pack {number} does not have the games that the ledger names", number=index))
    return lines


def _inflated(file: BinaryIO, size: int) -> bytes:
    """The one gzip member in a file, which has this many bytes; `ValueError` if it has not."""
    unpacker = zlib.decompressobj(31)
    try:
        packed = file.read(size + SLACK)
        data = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(data) != size or not unpacker.eof or unpacker.unused_data or file.read(1):
        raise ValueError("not what the ledger says")
    return data


def spool_lines(folder: str, index: int) -> Iterator[bytes]:
    """The records of the games that are in no pack yet. An incomplete last line is ignored."""
    path = spool_path(folder, index)
    if not os.path.lexists(path):
        return
    with _opened(path) as file:
        for line in iter(lambda: file.readline(LONGEST), b""):
            if not line.endswith(b"\n"):
                return
            yield line[:-1]


def _opened(path: str, mode: str = "rb") -> BinaryIO:
    """An ordinary file, never a pipe or device that would block: the folder may come from a stranger."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise FileTrouble(t("{path} is not a regular file", path=files.printable(path)), t("ask for the folder again"))
    try:
        return open(path, mode)  # type: ignore[return-value]
    except OSError as error:
        why = t("{path} cannot be opened: {error}", path=files.printable(path), error=files.reason(error))
        raise FileTrouble(why, t("check that it exists, and its permissions")) from None


def part_lines(folder: str, ledger: Ledger, part: Part) -> Iterator[bytes]:
    """The records of a stage: those of its packs, and while it is played those of the spool."""
    for index, pack in enumerate(part.packs, first_pack(ledger, part)):
        yield from pack_lines(folder, index, pack)
    if part.ending is None:
        yield from spool_lines(folder, first_pack(ledger, part) + len(part.packs))


def games(folder: str, ledger: Ledger) -> Iterator[GameRecord]:
    """Every game of all stages, in order."""
    for part in ledger.parts:
        for line in part_lines(folder, ledger, part):
            yield stored(line)


def stored(line: bytes) -> GameRecord:
    """A stored record."""
    try:
        return read_record(line)
    except Malformed as error:
        raise Altered("bad-games", t("a stored game: {message}", message=error.message)) from None


# --- writing ----------------------------------------------------------------------------------------------------------


def packed(lines: Sequence[bytes]) -> bytes:
    """Records as JSON lines in one gzip member (RFC 1952), without a time."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
    return packer.compress(b"".join(line + b"\n" for line in lines)) + packer.flush()


class Spool:
    """The games that are in no pack yet, open for appending. It has a file of its own for each pack."""

    def __init__(self, folder: str, index: int) -> None:
        self.folder, self.index = folder, index
        files.make_folder(games_folder(folder))
        self.found = list(spool_lines(folder, index))
        """What an earlier run left here: add it first."""
        self.lines: list[bytes] = []
        self._saved = len(self.found)
        for name in os.listdir(games_folder(folder)):
            path = os.path.join(games_folder(folder), name)
            if name.endswith(SPOOL) and path != spool_path(folder, index):
                os.unlink(path)
        self._file = _opened(spool_path(folder, index), "ab")
        self._file.truncate(sum(len(line) + 1 for line in self.found))

    def add(self, line: bytes) -> None:
        self.lines.append(line)

    def save(self) -> None:
        """Store what was added."""
        if self._saved < len(self.lines):
            self._file.write(b"".join(line + b"\n" for line in self.lines[self._saved :]))
            self._file.flush()
            os.fsync(self._file.fileno())
            self._saved = len(self.lines)

    def write_pack(self) -> int:
        """Store all of them as a pack; returns its uncompressed size."""
        files.write({pack_path(self.folder, self.index): packed(self.lines)})
        return sum(len(line) + 1 for line in self.lines)

    def next(self) -> None:
        """Once the ledger has the pack: go on with the next one."""
        self.close()
        os.unlink(spool_path(self.folder, self.index))
        self.index, self.lines, self._saved = self.index + 1, [], 0
        self._file = _opened(spool_path(self.folder, self.index), "ab")

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        """After the last pack there is no spool."""
        self.close()
        os.unlink(spool_path(self.folder, self.index))
