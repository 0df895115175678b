"""Everything that could be changed in the folder of a tournament that is over: caught, or stated to be harmless."""

import gzip
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.crypto.codec import H
from referee.crypto.envelope import sign
from referee.crypto.keys import Key
from referee.errors import Altered
from referee.tournament import documents as d
from referee.tournament import store
from referee.tournament.ledger import line_of
from referee.tournament.records import GameRecord
from referee.tournament.stage import load
from tests.tournament import world

Change = Callable[[Path], object]
OTHER = Key(H("tournament-trial", "key", "other"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three packs, and beside it another tournament."""
    root = tmp_path_factory.mktemp("tampering")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PER_PACK", 4)
        for name in ("cup", "other"):
            world.make(root / name, (world.GameLine("auction", 2),), d.Schedule("round-robin"), seed=name)
    assert [pack.count for pack in load(str(root / "cup")).packs] == [4, 4, 4]
    return root


def pack(folder: Path, number: int = 1) -> Path:
    return folder / f"games/00000{number}.jsonl.gz"


def data(change: Callable[[bytes], bytes]) -> Change:
    """Change the bytes of a pack."""
    return lambda folder: pack(folder).write_bytes(change(pack(folder).read_bytes()))


def lines(change: Callable[[list[bytes]], list[bytes]]) -> Change:
    """Change the records of a pack."""

    def changed(folder: Path) -> None:
        pack(folder).write_bytes(store.packed(change(gzip.decompress(pack(folder).read_bytes()).splitlines())))

    return changed


def swapped(folder: Path) -> None:
    one, other = pack(folder, 0).read_bytes(), pack(folder, 1).read_bytes()
    pack(folder, 0).write_bytes(other)
    pack(folder, 1).write_bytes(one)


def foreign(folder: Path) -> None:
    shutil.copy(folder.parent / "other/games/000001.jsonl.gz", pack(folder))


def as_folder(folder: Path) -> None:
    pack(folder).unlink()
    pack(folder).mkdir()


def as_pipe(folder: Path) -> None:
    pack(folder).unlink()
    os.mkfifo(pack(folder))


def member(folder: Path) -> None:
    """The same records, packed by another program, which writes a time and another system."""
    records = gzip.decompress(pack(folder).read_bytes())
    pack(folder).write_bytes(gzip.compress(records, 1, mtime=1))


def written(name: str, more: bytes) -> Change:
    return lambda folder: (folder / name).write_bytes(more)


def appended(name: str, more: bytes) -> Change:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + more)


FILES: dict[str, tuple[Change, set[str]]] = {
    "a pack is missing": (lambda folder: pack(folder).unlink(), {"bad-games"}),
    "a pack is empty": (data(lambda one: b""), {"bad-games"}),
    "a pack is cut": (data(lambda one: one[:-9]), {"bad-games"}),
    "a byte of a pack is flipped": (data(lambda one: one[:40] + bytes([one[40] ^ 1]) + one[41:]), {"bad-games"}),
    "a pack has a byte more": (data(lambda one: one + b"\0"), {"bad-games"}),
    "a pack has a second member": (data(lambda one: one + one), {"bad-games"}),
    "a pack is not packed": (data(gzip.decompress), {"bad-games"}),
    "two packs are exchanged": (swapped, {"bad-games", "bad-table", "bad-pack"}),
    "a pack is that of another tournament": (foreign, {"bad-games", "bad-pack", "bad-table", "illegal"}),
    "a pack is a folder": (as_folder, {"bad-games"}),
    "a pack is a pipe": (as_pipe, {"bad-games"}),
    "two games are exchanged": (lines(lambda all: [all[1], all[0], *all[2:]]), {"bad-table", "bad-pack"}),
    "a game is left out": (lines(lambda all: all[1:]), {"bad-games"}),
    "a game is there twice": (lines(lambda all: [*all, all[0]]), {"bad-games"}),
    "a game takes the place of another": (lines(lambda all: [all[1], *all[1:]]), {"bad-games", "bad-table"}),
    "a line is empty": (lines(lambda all: [*all, b""]), {"bad-games"}),
    "a record is spelt otherwise": (lines(lambda all: [all[0].replace(b'":', b'": ', 1), *all[1:]]), {"bad-games"}),
    "a record is not JSON": (lines(lambda all: [b"x" * len(all[0]), *all[1:]]), {"malformed", "bad-games", "bad-pack"}),
    "the results": (appended("results.json", b" "), {"bad-results"}),
    "the table": (appended("results.csv", b"x"), {"bad-results"}),
    "the report": (appended("report.html", b"x"), {"bad-results"}),
    "the report in another language": (appended("report.de.html", b"x"), {"bad-results"}),
    "the results are missing": (lambda folder: (folder / "results.json").unlink(), {"bad-results"}),
    # Harmless: what is bound is there, whatever lies beside it.
    "packed by another program": (member, set()),
    "a pack without a line": (written("games/000003.jsonl.gz", b"x"), set()),
    "a spool": (written("games/000003.open.jsonl", b"{}\n"), set()),
    "any other file": (written("games/notes.txt", b"x"), set()),
    "half a line of the ledger": (appended("ledger.jsonl", b'{"half'), set()),
    "a report in another language is missing": (lambda folder: (folder / "report.nl.html").unlink(), set()),
}


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made / "other", tmp_path / "other")
    return Path(shutil.copytree(made / "cup", tmp_path / "cup"))


@pytest.mark.parametrize("name", FILES)
def test_files(folder: Path, name: str) -> None:
    change, expected = FILES[name]
    change(folder)
    found = set(world.codes(folder))
    assert found <= expected
    assert bool(found) == bool(expected)


def put(**changes: Any) -> Callable[[GameRecord], GameRecord]:
    """Another outcome."""
    return lambda one: msgspec.structs.replace(one, outcome=msgspec.structs.replace(one.outcome, **changes))


def answered(change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Callable[[GameRecord], GameRecord]:
    return lambda one: msgspec.structs.replace(one, answers=change(one.answers))


def answer(text: bytes) -> Callable[[GameRecord], GameRecord]:
    return answered(lambda all: (msgspec.Raw(text), *all[1:]))


RECORDS: dict[str, Callable[[GameRecord], GameRecord]] = {
    "places": lambda one: put(ranks=one.outcome.ranks[::-1] if len({*one.outcome.ranks}) > 1 else (1, 2))(one),
    "scores": put(scores=((99, 99), (98, 98))),
    "rounds": put(rounds=3),
    "who played": lambda one: put(entrants=one.outcome.entrants[::-1])(one),
    "somebody who does not exist": put(entrants=(7, 8)),
    "group": put(group=77),
    "number": put(number=77),
    "another game": put(game="chess"),
    "how it ended": put(end="left"),
    "who was out": put(out=(0,)),
    "a fault without a lapse": put(faults=("crash", "")),
    "the first answer left out": answered(lambda all: all[1:]),
    "the last answer left out": answered(lambda all: all[:-1]),
    "an answer too many": answered(lambda all: (*all, all[-1])),
    "no answers": answered(lambda all: ()),
    "a missed deadline": answer(b"0"),
    "a seat that left": answer(b"1"),
    "a number that means nothing": answer(b"2"),
    "null": answer(b"null"),
    "text": answer(b'"bid"'),
    "a bid that nobody can pay": answer(b'{"amount":10000,"do":"bid"}'),
    "a move of no game": answer(b'{"no":1}'),
    "standing orders of no game": answer(b'[{"do":"pass"},{"no":1}]'),
    "standing orders at the beginning": lambda one: msgspec.structs.replace(one, begin=(msgspec.Raw(b'{"no":1}'),)),
}


@pytest.mark.parametrize("name", RECORDS)
def test_records_whether_the_organiser_signs_them_or_not(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signed, the ledger is another one, and the rules or the schedule show it without anybody's line."""
    games, line = world.games_of(folder), world.line(folder)
    games[5] = RECORDS[name](games[5])
    unsigned = Path(shutil.copytree(folder, folder.parent / "unsigned"))
    world.rewrite(unsigned, games, sign_again=False)
    assert world.codes(unsigned)
    monkeypatch.setattr(world, "write_results", lambda folder, ledger: None)
    world.rewrite(folder, games)
    found = set(world.codes(folder))
    assert found
    assert found <= {"bad-games", "bad-table", "illegal", "malformed"}
    assert "other-tournament" in world.codes(folder, line)


def lines_at(folder: Path) -> tuple[list[bytes], list[int]]:
    """The lines of the ledger, and which of them bind packs."""
    found = (folder / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    return found, [at for at, one in enumerate(found) if b'/pack"' in one[-40:]]


def exchanged(found: list[bytes], one: int, other: int) -> list[bytes]:
    """The same with two lines in each other's place."""
    found[one], found[other] = found[other], found[one]
    return found


def flipped(line: bytes) -> bytes:
    """A line with another first digit in its signature."""
    at = line.index(b'"sig":"') + 7
    return line[:at] + (b"1" if line[at : at + 1] == b"0" else b"0") + line[at + 1 :]


def bound(key: Key = world.KEY, at: int = 1, **changes: Any) -> Change:
    """The line of a pack, signed again."""

    def changed(folder: Path) -> None:
        found, packs = lines_at(folder)
        pack = load(str(folder)).packs[at]
        found[packs[at]] = line_of(sign(key, "pack", msgspec.structs.replace(pack, **changes)))
        (folder / "ledger.jsonl").write_bytes(b"".join(found))

    return changed


def moved(change: Callable[[list[bytes], list[int]], list[bytes]]) -> Change:
    return lambda folder: (folder / "ledger.jsonl").write_bytes(b"".join(change(*lines_at(folder))))


def ended(**changes: Any) -> Change:
    return lambda folder: world.resign(
        folder, "ending", msgspec.structs.replace(load(str(folder)).last.ending, **changes)
    )


LEDGER: dict[str, Change] = {
    "the line of a pack left out": moved(lambda all, packs: all[: packs[1]] + all[packs[1] + 1 :]),
    "the line of the last pack left out": moved(lambda all, packs: all[: packs[2]] + all[packs[2] + 1 :]),
    "the line of a pack twice": moved(lambda all, packs: [*all[: packs[2]], all[packs[1]], *all[packs[2] :]]),
    "two lines exchanged": moved(lambda all, packs: exchanged(all, packs[1], packs[2])),
    "packs after the ending": moved(lambda all, packs: [*all[: packs[2]], *all[packs[2] + 1 :], all[packs[2]]]),
    "another key": bound(OTHER),
    "another root": bound(root="ab" * 32),
    "another size": bound(size=9),
    "another count": bound(count=5),
    "another first game": bound(first=3),
    "another pack before": bound(prev="ab" * 32),
    "another stage": bound(start="ab" * 32),
    "a signature": moved(lambda all, packs: [*all[: packs[0]], flipped(all[packs[0]]), *all[packs[0] + 1 :]]),
    "the ending names another pack": ended(pack="ab" * 32),
    "the ending names no pack": ended(pack=""),
    "the ending counts one game more": ended(games=13),
    "the ending says too low a number": ended(numbers=3),
}  # fmt: skip


@pytest.mark.parametrize("name", LEDGER)
def test_lines_of_the_ledger(folder: Path, name: str) -> None:
    """Each names the one before, so one that is signed again no longer fits those after it."""
    LEDGER[name](folder)
    with pytest.raises(Altered, match="of the ledger"):
        load(str(folder))


def test_a_last_pack_with_another_root_is_named(folder: Path) -> None:
    """The organiser signs another root for the last pack, and an ending that names it."""
    ending = load(str(folder)).last.ending
    assert ending is not None
    bound(at=2, root="ab" * 32)(folder)
    found, _ = lines_at(folder)
    (folder / "ledger.jsonl").write_bytes(b"".join(found[:-1]))
    world.desk_in(folder).end(bytes.fromhex(ending.secret), ending.games, ending.numbers, ending.groups)
    assert world.codes(folder) == ["bad-pack"]


def test_there_are_forty_ways() -> None:
    assert sum(len(one) for one in (FILES, RECORDS, LEDGER)) >= 40
