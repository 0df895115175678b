"""Files made to cost memory or time, and what every command that reads them takes.

    python tests/bench/memory.py [megabytes [part of a file's name]]
    python tests/bench/memory.py growth [megabytes]

Nobody's key is needed for any of them: whoever makes such a file signs it with keys of his own. Peak memory is that of
the child process less what the same command takes for a tiny file, in multiples of the file's size. `growth` shows that
to tell what an unsigned file is takes time in proportion to reading it: beside the bare parse, and at twice the size.
"""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import msgspec

from referee import games
from referee.crypto.codec import PROJECT, encode, read
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine import lobby, table
from referee.engine.host import new_match
from referee.io.gamefile import dump_match

GAME = "schwarzer-freitag"
LEDGERS = ("object: keys", "short lines", "newlines")
"""What is also tried as the ledger of a tournament."""
SMALL = 1_000_000
SIG = "0" * 128
HASH = "0" * 64
READERS = {
    "show": ["show", "FILE"],
    "audit": ["audit", "FILE"],
    "verify": ["verify", "FILE"],
    "play": ["play", "FILE", "-o", "out.json"],
    "audit beside": ["audit", "good.view.json", "FILE"],
    "join": ["join", "FILE", "-o", "out.json"],
    "start": ["start", "offer.json", "FILE", "FILE", "-o", "out.json"],
    "apply": ["apply", "game.json", "FILE"],
    "status": ["show", "FILE"],
    "dispute": ["dispute", "FILE"],
    "tournament": ["tournament", "check", "DIR"],
}
LARGE_READERS = ("show", "audit", "verify", "play", "audit beside", "status", "dispute")


class Case(NamedTuple):
    """A hostile file and the commands that may be given it."""

    name: str
    data: bytes
    readers: tuple[str, ...]


class People:
    """A host and two players with keys of their own, and a game that nobody has answered yet."""

    def __init__(self) -> None:
        self.host, *self.players = (Key(bytes([n]) * 32, name) for n, name in enumerate(("Hanna", "Anna", "Bert"), 1))
        game = games.load(GAME)
        edition = read(games.edition_bytes(GAME), game.edition, "edition")
        terms = table.make_terms(game, 2, game.options(), edition)
        self.offer = lobby.make_offer(self.host, GAME, game, terms, bytes(32))
        joins = tuple(lobby.make_join(key, self.offer, key.name, bytes(32)) for key in self.players)
        self.match = new_match(self.host, lobby.make_genesis(self.host, self.offer, joins))
        self.genesis = self.match.table.envelope

    def settle(self, folder: Path) -> None:
        """The files that the commands want beside the hostile one."""
        from referee.engine.host import make_view
        from referee.io import keyfile

        (folder / "key.json").write_bytes(keyfile.dump(self.host))
        (folder / "offer.json").write_bytes(encode(self.offer))
        (folder / "game.json").write_bytes(dump_match(self.match))
        (folder / "good.view.json").write_bytes(make_view(self.match, 0))


def filled(head: bytes, item: bytes, tail: bytes, size: int) -> bytes:
    """A list of equal items that makes a document of at most this size."""
    count = (size - len(head) - len(tail) + 1) // (len(item) + 1)
    return head + b",".join([item] * count) + tail


def large_files(people: People, size: int) -> Iterator[tuple[str, bytes]]:
    """Views, transcripts, game files, moves of any size: each list full of the smallest items that pass for one."""
    envelope = b'{"body":0,"sig":"%s","type":""}' % SIG.encode()
    genesis = encode(people.genesis)
    head = b'{"entries":['
    for name, item in (("numbers", b"0"), ("empty lists", b"[]"), ("envelopes", envelope)):
        tail = b'],"format":"%sview","genesis":%s,"seat":0}' % (PROJECT.encode(), genesis)
        yield f"view: entries, {name}", filled(head, item, tail, size)
        tail = b'],"public":{},"seat":0}'
        whole = b'{"entries":[],"format":"%sview","genesis":%s,"privates":[' % (PROJECT.encode(), genesis)
        yield f"view: privates, {name}", filled(whole, item, tail, size)
        whole = b'{"entries":[],"format":"%stranscript","genesis":%s,"sealed":[' % (PROJECT.encode(), genesis)
        answer = b'{"fields":{},"round":0,"seat":0}' if name == "envelopes" else item
        yield f"transcript: sealed, {name}", filled(whole, answer, b'],"secret":"%s"}' % HASH.encode(), size)
    start = b'{"entries":[],"format":"%sview","genesis":%s,"public":' % (PROJECT.encode(), genesis)
    yield "view: public, numbers", filled(start + b"[", b"0", b'],"seat":0}', size)
    yield "view: public, nested", start + b"[" * (size // 2 - 1000) + b"]" * (size // 2 - 1000) + b',"seat":0}'
    yield "view: public, text", start + b'"' + b"x" * (size - len(start) - 20) + b'","seat":0}'
    yield "view: unknown field", start + b'{},"seat":0,"zzz":' + b"[0" + b",0" * (size // 2 - 10_000) + b"]}"
    yield "view: seat, long number", start + b'{},"seat":' + b"9" * (size - len(start) - 20) + b"}"
    yield "view: format, text", b'{"entries":[],"format":"' + b"x" * (size - 100) + b'"}'
    yield "view: spaces", start + b'{},"seat":0' + b" " * (size - len(start) - 20) + b"}"
    yield "newlines", b"\n" * size
    yield "nested lists", b"[" * size
    yield from unsigned_files(size)
    yield "view: leaves, keys", _leaves(people, min(size, SMALL - 20_000))
    yield "view: answer, keys", _answer(people, keys(min(size, SMALL - 2000)))
    yield "view: signed privates", _signed_privates(people, size)
    yield "view: signed entries", _signed_entries(people, size)
    yield "move: sealed", _many_fields(size)
    yield from _game_files(people, size)


def keys(size: int) -> bytes:
    """An object with as many fields as fit."""
    fields: list[bytes] = []
    left = size - 2
    while left > 0:
        fields.append(b'"%x":0' % len(fields))
        left -= len(fields[-1]) + 1
    return b"{" + b",".join(fields) + b"}"


def unsigned_files(size: int) -> Iterator[tuple[str, bytes]]:
    """Files that anybody can write with a few lines, without a key."""
    yield "object: keys", keys(size)
    yield "object: one key again", filled(b"{", b'"a":0', b"}", size)
    yield "object: a long name", b'{"' + b"x" * size + b'":0}'
    yield "object: a name of escapes", b'{"' + b"\\u00e9" * (size // 6) + b'":0}'
    yield "object: nested", b'{"a":' * (size // 6) + b"0" + b"}" * (size // 6)
    yield "object: small texts", filled(b'{"a":[', b'""', b"]}", size)
    yield "object: schema, keys", b'{"$schema":' + keys(size) + b"}"
    yield "list: small texts", filled(b"[", b'"a"', b"]", size)
    yield "list: objects", filled(b"[", b"{}", b"]", size)
    for name, text in (("ours", PROJECT.encode()), ("another's", b"")):
        yield f"name: wide, {name}", b'{"format":"' + text + "\U0001f600".encode() + b"x" * size + b'"}'
        yield f"name: escapes, {name}", b'{"type":"' + text + b"\\u20ac" * (size // 6) + b'"}'
    yield "name: keys", b'{"format":' + keys(size) + b"}"
    yield "view: keys", b'{"entries":[],"format":"%sview",' % PROJECT.encode() + keys(size)[1:]
    yield "short lines", b"ab\n" * (size // 3)


def _leaves(people: People, size: int) -> bytes:
    """A genesis with as many bags as fit."""
    bags = b",".join(b'"%s":[]' % b"".join(b"%c" % (97 + int(digit)) for digit in str(n)) for n in range(size // 12))
    body = bytes(people.genesis.body)
    start = body.index(b'"leaves":{')
    end = body.index(b"}", start)
    genesis = sign(people.host, "genesis", msgspec.Raw(body[:start] + b'"leaves":{' + bags + body[end:]))
    return b'{"entries":[],"format":"%sview","genesis":%s,"seat":0}' % (PROJECT.encode(), encode(genesis))


def _answer(people: People, value: bytes) -> bytes:
    """An entry that the host signed, in which a player signed this answer."""
    game = people.match.table.id
    move = b'{"answer":%s,"asked":"%s","game":"%s","link":"%s","round":1,"seat":0}' % (
        value, game.encode(), game.encode(), HASH.encode(),
    )  # fmt: skip
    sig = sign(people.players[0], "move", msgspec.Raw(move)).sig
    answer = b'{"answer":%s,"link":"%s","seat":0,"sig":"%s"}' % (value, HASH.encode(), sig.encode())
    body = b'{"answers":[%s],"game":"%s","link":"%s","prev":"%s","public":"%s","round":1,"state":"%s"}' % (
        answer, game.encode(), HASH.encode(), game.encode(), HASH.encode(), HASH.encode(),
    )  # fmt: skip
    entry = encode(sign(people.host, "entry", msgspec.Raw(body)))
    form, genesis = PROJECT.encode(), encode(people.genesis)
    return b'{"entries":[%s],"format":"%sview","genesis":%s,"seat":0}' % (entry, form, genesis)


def _signed_privates(people: People, size: int) -> bytes:
    """Private parts that the host signed, full of the shortest tokens, for rounds that do not exist yet."""
    token = b'{"face":"a","slot":"a.0.0"}'
    parts: list[bytes] = []
    left = size - 20_000
    while left > 2000:
        body = filled(
            b'{"entry":"%s","game":"%s","openings":[' % (HASH.encode(), people.match.table.id.encode()),
            token,
            b'],"round":%d,"seat":0}' % (len(parts) + 1),
            min(left - 300, SMALL),
        )
        parts.append(encode(sign(people.host, "private", msgspec.Raw(body))))
        left -= len(parts[-1]) + 1
    empty = encode(sign(people.host, "entry", msgspec.Raw(b"{}")))
    entries = b",".join([empty] * min(len(parts), 2048))
    head = b'{"entries":[' + entries + b'],"format":"%sview","genesis":' % PROJECT.encode() + encode(people.genesis)
    return head + b',"privates":[' + b",".join(parts) + b'],"seat":0}'


def _signed_entries(people: People, size: int) -> bytes:
    """First entries that the host signed, full of the smallest operations, dice and late seats."""
    head = b'{"answers":[],"game":"%s","link":"%s","ops":[' % (people.match.table.id.encode(), HASH.encode())
    tail = b'],"prev":"%s","public":"%s","round":1,"state":"%s"}' % (
        people.match.table.id.encode(), HASH.encode(), HASH.encode(),
    )  # fmt: skip
    body = filled(head, b'{"bag":"a","faces":[],"op":"put"}', tail, SMALL)
    one = encode(sign(people.host, "entry", msgspec.Raw(body)))
    view = b'],"format":"%sview","genesis":%s,"seat":0}' % (PROJECT.encode(), encode(people.genesis))
    return filled(b'{"entries":[', one, view, max(size, len(one) + 10_000))


def _many_fields(size: int) -> bytes:
    """A move with as many sealed fields as fit."""
    letters = "abcdefghijklmnopqrstuvwxyz_"
    fields: list[bytes] = []
    left, number = size - 300, 0
    while left > 200:
        name, rest = "", number
        while rest or not name:
            name, rest = letters[rest % 27] + name, rest // 27
        fields.append(b'"%s":{"salt":"%s","value":0}' % (name.rjust(6, "a").encode(), HASH.encode()))
        left, number = left - len(fields[-1]) - 1, number + 1
    inside = b",".join(sorted(fields))
    return b'{"body":{},"sealed":{' + inside + b'},"sig":"' + SIG.encode() + b'","type":"%smove"}' % PROJECT.encode()


def _game_files(people: People, size: int) -> Iterator[tuple[str, bytes]]:
    whole = dump_match(people.match)
    move = b'{"body":0,"sig":"%s","type":""}' % SIG.encode()
    for name, item in (("late", b"0"), ("marks", b'"%s"' % HASH.encode()), ("privates", b"[]"), ("waiting", move)):
        fields = msgspec.json.decode(whole, type=dict[str, msgspec.Raw])
        fields[name] = msgspec.Raw(filled(b"[", item, b"]", size - len(whole)))
        yield f"game file: {name}", encode(fields)


def small_files(people: People) -> Iterator[Case]:
    """Offers, joins, moves: at most 1,000,000 bytes."""
    offer = bytes(people.offer.body)
    room = SMALL - 2000
    edition = offer.index(b'"edition":') + len(b'"edition":')
    for name, value in (
        ("numbers", filled(b"[", b"0", b"]", room)),
        ("nested", b"[" * (room // 2) + b"]" * (room // 2)),
        ("number", b"9" * room),
        ("text", b'"' + b"x" * room + b'"'),
        ("keys", b"{" + b",".join(b'"%07d":0' % n for n in range(room // 12)) + b"}"),
    ):
        end = offer.index(b',"game":')
        body = offer[:edition] + value + offer[end:]
        yield Case(f"offer: edition, {name}", _enveloped(people.host, "offer", body), ("join", "start"))
        body = b'{"answer":%s,"asked":"%s","game":"%s","link":"%s","round":1,"seat":0}' % (
            value, people.match.table.id.encode(), people.match.table.id.encode(), HASH.encode(),
        )  # fmt: skip
        yield Case(f"move: answer, {name}", _enveloped(people.players[0], "move", body), ("apply",))
    long = b'{"key":"%s","name":"%s"}' % (HASH.encode(), b"x" * room)
    yield Case("join: name", _enveloped(people.players[0], "join", long), ("start",))


def _enveloped(key: Key, kind: str, body: bytes) -> bytes:
    made: Envelope = sign(key, kind, msgspec.Raw(body[: 2 * SMALL]))
    return encode(made)


def cases(size: int) -> Iterator[Case]:
    people = People()
    for name, data in large_files(people, size):
        yield Case(name, data, (*LARGE_READERS, "tournament") if name in LEDGERS else LARGE_READERS)
    yield from small_files(people)


# A process begins with the peak of the one it was forked from: a tiny one starts the command.
LAUNCHER = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 1, 2)])
_, status, used = os.wait4(pid, 0)
print(end=f"\\0{os.waitstatus_to_exitcode(status)} {used.ru_maxrss} {used.ru_utime + used.ru_stime}")
"""


class Cost(NamedTuple):
    exit: int
    peak: int
    seconds: float
    said: bytes


def cost(folder: Path, reader: str, file: str) -> Cost:
    """Run one command on a file; its peak memory in bytes, its processor time."""
    if reader == "tournament":
        (folder / "cup").mkdir(exist_ok=True)
        (folder / "cup" / "ledger.jsonl").write_bytes((folder / file).read_bytes() + b"\n")
    args = [{"FILE": file, "DIR": "cup"}.get(word, word) for word in READERS[reader]]
    if reader in ("start", "apply", "status", "play", "join"):
        args += ["--key", "key.json"]
    env = {**os.environ, "REFEREE_HOME": str(folder / "home")}
    command = [sys.executable, "-S", "-c", LAUNCHER, sys.executable, "-m", "referee", *args]
    ran = subprocess.run(command, cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL, check=True)
    said, _, figures = ran.stdout.rpartition(b"\0")
    status, peak, seconds = figures.split()
    return Cost(int(status), int(peak) * (1 if sys.platform == "darwin" else 1024), float(seconds), said)


def main(size: int, part: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        People().settle(folder)
        (folder / "tiny.json").write_bytes(b"{}")
        base = {reader: cost(folder, reader, "tiny.json") for reader in READERS}
        print(f"{'file':34} {'command':13} {'bytes':>10} {'exit':>4} {'peak/size':>9} {'seconds':>8}   {'since':>8}")
        began = time.monotonic()
        for case in cases(size):
            if part not in case.name:
                continue
            (folder / "evil.json").write_bytes(case.data)
            for reader in case.readers:
                found = cost(folder, reader, "evil.json")
                ratio = (found.peak - base[reader].peak) / len(case.data)
                seconds = found.seconds - base[reader].seconds
                mark = " <---" if ratio > 8 or seconds > 2 or found.exit not in range(2, 9) else ""
                print(
                    f"{case.name:34} {reader:13} {len(case.data):10} {found.exit:4} {ratio:9.1f} {seconds:8.2f}   "
                    f"{time.monotonic() - began:6.0f} s{mark}",
                    flush=True,
                )


def growth(size: int) -> None:
    """Processor time of the glance at unsigned files, against the bare parse and against half the size."""
    from referee.evidence import identify

    def took(work: Callable[[bytes], object], data: bytes) -> float:
        times = []
        for _ in range(5):
            began = time.process_time()
            work(data)
            times.append(time.process_time() - began)
        return statistics.median(times)

    def parse(data: bytes) -> None:
        with contextlib.suppress(msgspec.MsgspecError, RecursionError):
            msgspec.json.decode(data, type=msgspec.Raw)

    print(f"{'file':34} {'bytes':>10} {'ms':>8} {'of the parse':>13} {'of half the size':>17}")
    for (name, half), (_, whole) in zip(unsigned_files(size // 2), unsigned_files(size), strict=True):
        small, large, bare = took(identify.kind_of, half), took(identify.kind_of, whole), took(parse, whole)
        if bare > 0.001:  # what is refused at its first bytes has nothing to compare
            print(f"{name:34} {len(whole):10} {1000 * large:8.1f} {large / bare:13.2f} {large / small:17.2f}")


if __name__ == "__main__" and sys.argv[1:2] == ["growth"]:
    growth(int(float((sys.argv[2:] or ["32"])[0]) * 1_000_000))
elif __name__ == "__main__":
    main(int(float(sys.argv[1]) * 1_000_000) if len(sys.argv) > 1 else 64_000_000, " ".join(sys.argv[2:]))
