"""Bad input to every command: a documented exit status, one message with a next step, nothing written, no traceback."""

import hashlib
import json
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import PROJECT, Envelope, sign
from referee.engine import records as r
from referee.engine.records import Join
from referee.game import Ask
from referee.io import keyfile
from referee.io.gamefile import dump_match
from tests.cli.world import (
    GAME,
    Ran,
    World,
    changes,
    check_refusal,
    copied,
    envelope,
    finish,
    keep_guard,
    key,
    raw_controls,
    run,
    run_here,
    run_shell,
    seed,
    tree,
)
from tests.support import waiting
from tests.support.match import change_entry

READERS: dict[str, tuple[str, list[str]]] = {
    # what takes the file: (who runs it, arguments; FILE is the bad one)
    "join": ("anna", ["join", "FILE", "-o", "out.json"]),
    "start-offer": ("elsewhere", ["start", "FILE", "anna.join.json", "bert.join.json", "-o", "out.json"]),
    "start-join": ("elsewhere", ["start", "offer.json", "anna.join.json", "FILE", "-o", "out.json"]),
    "play": ("anna", ["play", "FILE", "-o", "out.json", "--move", "pass red"]),
    "apply-game": ("hanna", ["apply", "FILE", "move.json", "--out", "out"]),
    "apply-move": ("hanna", ["apply", "game.json", "FILE", "--out", "out"]),
    "status": ("hanna", ["show", "FILE"]),
    "view": ("hanna", ["show", "FILE", "--view", "Anna", "-o", "out.json"]),
    "timeout": ("hanna", ["apply", "FILE", "--timeout", "Anna", "--out", "out"]),
    "show": ("hanna", ["show", "FILE"]),
    "moves": ("anna", ["show", "--moves", "FILE"]),
    "audit": ("anna", ["audit", "FILE"]),
    "audit-other": ("anna", ["audit", "anna.view.json", "FILE"]),
    "reveal": ("later", ["reveal", "FILE", "-o", "out.json"]),
    "verify": ("anna", ["verify", "FILE"]),
    "offer-edition": ("hanna", ["offer", GAME, "--seats", "2", "--edition", "FILE", "-o", "out.json"]),
    "key-show": ("anna", ["key", "--key", "FILE"]),
    "play-key": ("anna", ["play", "anna.view.json", "-o", "out.json", "--move", "pass red", "--key", "FILE"]),
}
GOOD_KIND = {
    "join": "offer", "start-offer": "offer", "start-join": "join", "play": "view", "apply-game": "game",
    "apply-move": "move", "status": "game", "view": "game", "timeout": "game", "moves": "view",
    "show": "view offer join move receipt transcript key edition game over",
    "audit": "view", "audit-other": "view receipt move", "reveal": "over", "verify": "view transcript",
    "offer-edition": "edition", "key-show": "key", "play-key": "key",
}  # fmt: skip
KINDS = {
    "offer": "offer.json", "join": "bert.join.json", "game": "game.json", "view": "anna.view.json",
    "move": "move.json", "receipt": "receipt.json", "key": "key.json", "edition": "edition.json",
    "transcript": "transcript.json", "over": "over.json",
}  # fmt: skip


ALSO_GOOD = {"status": "over", "view": "over", "audit-other": "transcript"}
NO_PIPE = ("apply-game", "timeout", "reveal")
"""A game file is locked and replaced where it lies."""
ALSO_FINE = {
    "offer-edition": ("pretty", "space", "same-twice"),  # people write editions by hand
    "show": ("pem", "pem-noise"),  # a key, about which it says nothing except that it is one
}
"""What is wrong elsewhere, but not for this reader."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A folder with one file of every kind. It is Anna's turn."""
    made = World(tmp_path_factory.mktemp("world") / "desk", rounds=3)
    assert made.mover == 0
    (made.root / "transcript.json").write_bytes(finish(made))
    (made.root / "over.json").write_bytes(dump_match(made.match))
    shutil.copytree(made.root / "elsewhere-home", made.root / "later-home")
    keep_guard(made.match, made.root / "over.json", made.root / "later-home")
    return made


def command(reader: str, file: str) -> tuple[str, list[str]]:
    who, args = READERS[reader]
    return who, [file if arg == "FILE" else arg for arg in args]


def good_kinds(reader: str) -> list[str]:
    return [*GOOD_KIND[reader].split(), *ALSO_GOOD.get(reader, "").split()]


def refused(world: World, reader: str, file: str, *, runner: Callable[..., Ran] = run_here, stdin: bytes = b"") -> Ran:
    """Run a reader on a bad file: it must refuse, not hang, and leave everything as it was."""
    who, args = command(reader, file)
    return refused_args(world, who, *args, runner=runner, stdin=stdin)


def refused_args(world: World, who: str, *args: str, runner: Callable[..., Ran] = run_here, stdin: bytes = b"") -> Ran:
    before = tree(world.root)
    with waiting.within():
        ran = runner(*args, cwd=world.root, home=world.root / f"{who}-home", stdin=stdin)
    changed = changes(before, tree(world.root))
    for name in sorted(changed, reverse=True):
        restore(world.root / name, before.get(name))
    if args[0] == "apply" and ran.exit in (3, 4, 5):
        # a refused move gets its receipt
        changed = {
            name for name in changed if not re.fullmatch(r"out(/\w+-r\d+-anna-\w{6}-[a-z-]+\.receipt\.json)?", name)
        }
    assert not changed, f"{args}: exit {ran.exit}, and changed {changed}"
    check_refusal(ran)
    return ran


def restore(path: Path, was: tuple[str, bytes] | None) -> None:
    if was is None and path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif was is None:
        path.unlink(missing_ok=True)
    elif was[0] == "file":
        path.write_bytes(was[1])


# --- bad content ------------------------------------------------------------------------------------------------------

DEEP, DEEPEST = 90_000, 900_000
"""Deeper than any parser follows; and nearly as much as a file may have, which takes each reader as much longer."""


def bad_contents(good: bytes, deep: int) -> Iterator[tuple[str, bytes]]:
    """What can be wrong with a document, made from a good one; lists and objects are nested this deep."""
    text = good.rstrip(b"\n")
    yield "newlines", b"\r\n\n"
    yield "deep-list", b"[" * deep
    yield "deep-object", b'{"a":' * (deep // 5)
    yield "deep-inside", text[:-1] + b',"zzz":' + b"[" * 20_000 + b"]" * 20_000 + b"}"
    yield "number", b"9" * 5000
    yield "float", b"-1e999"
    yield "null", b"null"
    yield "list", b"[]"
    yield "object", b"{}"
    yield "text", b'"view"'
    yield "surrogate", b'{"format":"\\ud800"}'
    yield "unknown", text[:-1] + b',"zzz":1}'
    yield "twice", re.sub(rb'^(\{\s*)"', rb'\1"body":{},"entries":[],"format":"","name":"x","name":"y","', text)
    yield "same-twice", b"{" + text[1:-1] + b"," + text[1:]
    yield "utf-16", text.decode().encode("utf-16")
    yield "utf-16-le", text.decode().encode("utf-16-le")
    yield "utf-32", text.decode().encode("utf-32")
    yield "latin-1", text[:-1] + ',"name":"Zoë"}'.encode("latin-1")
    yield "bom", b"\xef\xbb\xbf" + text
    yield "noise", b"".join(seed(f"noise {n}") for n in range(2000))
    yield "zeros", bytes(1000)
    yield "nul-after", text + b"\0"
    yield "tail", text + b"x"
    yield "two", text + b"\n" + text
    yield "space", b" " + text
    yield "pretty", msgspec.json.format(text, indent=2)
    yield "half", text[: len(text) // 2]
    yield "no-end", text[:-1]
    yield "one-byte", text[:1]
    yield "pem", b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"
    yield "pem-open", b"-----BEGIN"
    yield "pem-noise", b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + seed("pem") * 10
    yield "html", b"<html><script>alert(1)</script></html>"
    yield "escapes", b'{"\x1b]0;pwned\x07\xe2\x80\xae":1}'
    yield "escaped", b'{"\\u001b]0;pwned\\u0007\\u202e":1}'


@pytest.mark.thorough
@pytest.mark.parametrize("reader", READERS)
def test_bad_content(world: World, reader: str) -> None:
    """Every way a document can be damaged, for every command that reads one. All read in the same way: each is tried
    with a third of them, and so each of them with six commands."""
    good = (world.root / KINDS[good_kinds(reader)[0]]).read_bytes()
    file = world.root / "bad.json"
    tried = 0
    try:
        contents = bad_contents(good, DEEPEST if reader in ("show", "apply-game") else DEEP)
        for name, data in islice(contents, list(READERS).index(reader) % 3, None, 3):
            if name in ALSO_FINE.get(reader, ()):
                continue
            file.write_bytes(data)
            ran = refused(world, reader, "bad.json")
            assert ran.exit == 7, f"{name}: exit {ran.exit}: {ran.said}"
            tried += 1
        file.write_bytes(b"")
        assert refused(world, reader, "bad.json").exit == 7
    finally:
        file.unlink()
    assert tried >= 10


@pytest.mark.thorough
@pytest.mark.parametrize("reader", READERS)
def test_bad_path(world: World, reader: str) -> None:
    """No such file, a folder, links that lead nowhere, a device without end, a file that cannot be read."""
    root = world.root
    made = {"loop": "loop2", "loop2": "loop", "nowhere": "nothing/at/all"}
    for name, target in made.items():
        (root / name).symlink_to(target)
    try:
        found = {
            file: refused(world, reader, file).exit
            for file in (
                "nothing.json", "no/such/folder/x.json", "anna-home", ".", "loop", "nowhere", "offer.json/x", "x" * 300,
                "", "/dev/null", "/dev/zero", "/proc/self/mem", "evil\x1b]0;x\x07\u202e\u2028.json", "bad\udcff.json",
            )
            if not (reader == "verify" and file in ("anna-home", "."))
        }  # fmt: skip
    finally:
        for name in made:
            (root / name).unlink()
    sevens = {file for file, status in found.items() if status == 7}
    assert sevens == {"/dev/null", "/dev/zero"}
    assert {status for file, status in found.items() if file not in sevens} == {8}


def test_verify_of_a_folder_without_transcripts(world: World) -> None:
    assert refused_args(world, "anna", "verify", "anna-home").exit == 2


@pytest.mark.thorough
@pytest.mark.parametrize("reader", READERS)
def test_right_kind(world: World, reader: str, tmp_path: Path) -> None:
    """The control: with the right file the same commands succeed."""
    for number, kind in enumerate(good_kinds(reader)):
        who, args = command(reader, KINDS[kind])
        with copied(world.root, tmp_path / f"copy{number}") as root:
            ran = run_here(*args, cwd=root, home=root / f"{who}-home")
            assert ran.exit == 0, f"{reader} {kind}: {ran.said}"


@pytest.mark.parametrize("reader", [name for name in READERS if name not in NO_PIPE])
def test_from_standard_input(world: World, reader: str) -> None:
    """The same through a pipe: empty, noise, far too much."""
    for data in (b"", b"\xff\xfe\0\0", b"[" * 1_100_000):
        assert refused(world, reader, "-", stdin=data).exit == 7


@pytest.mark.thorough
@pytest.mark.parametrize("reader", READERS)
def test_good_file_through_a_pipe(world: World, reader: str, tmp_path: Path) -> None:
    """A good file on standard input works like a file with a name, or is refused as such (a game file has to stay)."""
    who, args = command(reader, "-")
    with copied(world.root, tmp_path / "copy") as root:
        before = tree(root)
        data = (root / KINDS[good_kinds(reader)[0]]).read_bytes()
        ran = run_here(*args, cwd=root, home=root / f"{who}-home", stdin=data)
        if reader in NO_PIPE:
            check_refusal(ran, (2,))
            assert changes(before, tree(root)) == set()
        else:
            assert ran.exit == 0, ran.said
        assert not (root / "-.lock").exists()


def test_damaged_memory(world: World, tmp_path: Path) -> None:
    """A ticket that cannot be read: nothing is signed on a guess, and the message names the file."""
    with copied(world.root, tmp_path / "copy") as root:
        args = ["play", "anna.view.json", "--move", "pass red", "-o"]
        assert run_here(*args, "one.json", cwd=root, home=root / "anna-home").exit == 0
        (ticket,) = (root / "anna-home" / "tickets").iterdir()
        for data in (b"", b"{}", b"[" * 2_000_000, ticket.read_bytes()[:-9]):
            ticket.write_bytes(data)
            before = tree(root)
            ran = run_here(*args, "two.json", cwd=root, home=root / "anna-home")
            check_refusal(ran, (7,))
            assert ticket.name[:16] in ran.said, ran.said
            assert changes(before, tree(root)) == set()


@pytest.mark.thorough
@pytest.mark.parametrize("reader", ["join", "apply-move", "verify"])
def test_sample_as_processes(world: World, reader: str) -> None:
    """The same code path as real processes: one damaged file and one that is not there."""
    (world.root / "bad.json").write_bytes(b"{" * 1_000_000)
    try:
        assert refused(world, reader, "bad.json", runner=run).exit == 7
        assert refused(world, reader, "nothing.json", runner=run).exit == 8
    finally:
        (world.root / "bad.json").unlink()


# --- bad places for results -------------------------------------------------------------------------------------------

WRITERS: dict[str, tuple[str, list[str]]] = {
    "key": ("anna", ["key", "new", "--name", "Zoe", "-o", "TARGET"]),
    "offer": ("hanna", ["offer", GAME, "--seats", "2", "-o", "TARGET"]),
    "join": ("anna", ["join", "offer.json", "-o", "TARGET"]),
    "start": (
        "elsewhere",
        ["start", "offer.json", "anna.join.json", "bert.join.json", "--out", "fresh", "-o", "TARGET"],
    ),
    "play": ("anna", ["play", "anna.view.json", "--move", "pass red", "-o", "TARGET"]),
    "view": ("hanna", ["show", "game.json", "--view", "Anna", "-o", "TARGET"]),
    "reveal": ("later", ["reveal", "over.json", "-o", "TARGET"]),
}
FOLDERS: dict[str, tuple[str, list[str]]] = {
    "start": (
        "elsewhere",
        ["start", "offer.json", "anna.join.json", "bert.join.json", "-o", "new.json", "--out", "TARGET"],
    ),
    "apply": ("hanna", ["apply", "game.json", "move.json", "--out", "TARGET"]),
    "timeout": ("hanna", ["apply", "game.json", "--timeout", "Anna", "--out", "TARGET"]),
    "schemas": ("anna", ["conform", "--schemas", "TARGET"]),
    "demo": ("anna", ["demo", "-o", "TARGET"]),
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "target", ["missing/folder/out.json", "anna-home", "offer.json/out.json", "o" * 300, "/proc/x"]
)
@pytest.mark.parametrize("writer", WRITERS)
def test_bad_output_file(world: World, writer: str, target: str) -> None:
    who, args = WRITERS[writer]
    if target == "anna-home" and writer in ("join", "play"):
        return  # what is signed goes into a folder by its usual name: see the next test
    ran = refused_args(world, who, *(target if arg == "TARGET" else arg for arg in args))
    assert ran.exit == 8, ran.said


@pytest.mark.parametrize("writer", ["join", "play"])
def test_an_output_folder_gets_the_usual_file(world: World, writer: str, tmp_path: Path) -> None:
    who, args = WRITERS[writer]
    with copied(world.root, tmp_path / "copy") as root:
        (root / "signed").mkdir()
        told = run_here(*(args[:-2]), cwd=root, home=root / f"{who}-home")
        ran = run_here(*args[:-1], "signed", cwd=root, home=root / f"{who}-home")
        assert told.exit == ran.exit == 0, told.said + ran.said
        (made,) = (root / "signed").iterdir()
        assert (root / made.name).is_file()
        assert f"signed/{made.name}" in ran.said


@pytest.mark.parametrize("target", ["offer.json", "offer.json/under", "/proc/nowhere", "d" * 300])
@pytest.mark.parametrize("writer", FOLDERS)
def test_bad_output_folder(world: World, writer: str, target: str) -> None:
    who, args = FOLDERS[writer]
    ran = refused_args(world, who, *(target if arg == "TARGET" else arg for arg in args))
    assert ran.exit == 8, ran.said


@pytest.mark.parametrize("writer", ["key", "offer", "join", "start"])
def test_nothing_is_replaced(world: World, writer: str) -> None:
    """What is made once never replaces a file, not even through a link that leads nowhere."""
    (world.root / "dangling").symlink_to("nothing")
    who, args = WRITERS[writer]
    try:
        for target in ("edition.json", "dangling"):
            ran = refused_args(world, who, *(target if arg == "TARGET" else arg for arg in args))
            assert ran.exit == 8
            assert "already exists" in ran.said
    finally:
        (world.root / "dangling").unlink()


@pytest.mark.parametrize("writer", ["start", "apply", "timeout"])
def test_one_target_is_a_folder(world: World, writer: str, tmp_path: Path) -> None:
    """All or nothing: if one view cannot be written, the game file stays as it was too."""
    who, args = FOLDERS[writer]
    with copied(world.root, tmp_path / "copy") as root:
        for round in (0, 3, 4):
            (root / "views" / world.view_name("bert", round)).mkdir(parents=True)
        before = tree(root)
        ran = run_here(*("views" if arg == "TARGET" else arg for arg in args), cwd=root, home=root / f"{who}-home")
        check_refusal(ran, (8,))
        assert changes(before, tree(root)) == set()


@pytest.mark.parametrize(
    ("writer", "blocked"), [("play", "anna-home/tickets"), ("start", "elsewhere-home/guard"), ("key", "new-home")]
)
def test_home_cannot_be_written(world: World, writer: str, blocked: str, tmp_path: Path) -> None:
    """If the tool's memory cannot be kept, nothing is signed, started or made."""
    who, args = WRITERS[writer]
    with copied(world.root, tmp_path / "copy") as root:
        shutil.rmtree(root / blocked, ignore_errors=True)  # a lock may lie in it
        (root / blocked).write_text("in the way")
        before = tree(root)
        home = root / ("new-home" if writer == "key" else f"{who}-home")
        ran = run_here(*(args[:4] if writer == "key" else ("new.json" if a == "TARGET" else a for a in args)),
                       cwd=root, home=home)  # fmt: skip
        check_refusal(ran, (8,))
        assert changes(before, tree(root)) == set()


@pytest.mark.thorough
def test_full_disk_behind_standard_output(world: World) -> None:
    """A result that cannot be printed is trouble with a file, not a bug."""
    for args in (["show", "--moves", "anna.view.json"], ["play", "anna.view.json", "--move", "pass red", "-o", "-"]):
        ran = run_shell(f"referee {shlex.join(args)} > /dev/full", world.root, world.root / "anna-home")
        check_refusal(ran, (8,))


@pytest.mark.parametrize("buffering", ["", "PYTHONUNBUFFERED=1 "])
def test_full_disk_behind_a_refusal_for_programs(world: World, buffering: str) -> None:
    """If the JSON cannot be printed, people can still read the message; the exit status is documented either way."""
    ran = run_shell(f"{buffering}referee show --json nothing.json > /dev/full", world.root, world.root / "anna-home")
    assert ran.exit == 8
    assert ran.said.startswith("referee: nothing.json does not exist\n")


def test_closed_pipe(world: World) -> None:
    """A reader that has seen enough is not an error of the referee."""
    ran = run_shell(f"referee rules {GAME} | head -c 10; exit ${{PIPESTATUS[0]}}", world.root, world.root)
    assert ran.exit in (0, 128 + 13), ran
    assert ran.err == b""


# --- keys -------------------------------------------------------------------------------------------------------------

P = 2**255 - 19
SMALL_ORDER = [
    *(y.to_bytes(32, "little") for y in (0, 1, P - 1, P, P + 1)),
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
]


@pytest.mark.parametrize("sign", [0, 0x80])
@pytest.mark.parametrize("point", range(len(SMALL_ORDER)))
def test_weak_key_in_a_join(world: World, point: int, sign: int) -> None:
    """A key whose signature anybody can make: R the neutral point, S = 0. Nobody sits down with it."""
    weak = bytearray(SMALL_ORDER[point])
    weak[31] |= sign
    old = msgspec.json.decode(bytes(world.joins[1].body), type=Join)
    body = encode(msgspec.structs.replace(old, name="Mallory", key=bytes(weak).hex()))
    signature = (1).to_bytes(32, "little") + bytes(32)
    if weak == bytearray(SMALL_ORDER[1]):
        public = Ed25519PublicKey.from_public_bytes(bytes(weak))
        public.verify(signature, b"any message at all")  # raises unless the attack is real
    file = world.root / "weak.json"
    file.write_bytes(encode(Envelope(msgspec.Raw(body), signature.hex(), PROJECT + "join")))
    try:
        ran = refused(world, "start-join", "weak.json")
    finally:
        file.unlink()
    assert ran.exit == 4
    assert "weak" in ran.said


def test_weak_key_in_an_offer(world: World) -> None:
    """A host with such a key is refused by the player."""
    body = json.loads(bytes(envelope((world.root / "offer.json").read_bytes()).body))
    body["key"] = (1).to_bytes(32, "little").hex()
    signature = (1).to_bytes(32, "little") + bytes(32)
    file = world.root / "weak.json"
    file.write_bytes(encode(Envelope(msgspec.Raw(encode(body)), signature.hex(), PROJECT + "offer")))
    try:
        ran = refused(world, "join", "weak.json")
    finally:
        file.unlink()
    assert ran.exit == 4
    assert "weak" in ran.said


def boxed(locked: dict[str, Any], secret: bytes) -> bytes:
    """Any secret in a box that the passphrase `open sesame` opens."""
    salt = bytes.fromhex(locked["box"]["salt"])
    lock = ChaCha20Poly1305(hashlib.scrypt(b"open sesame", salt=salt, n=2**15, r=8, p=1, maxmem=2**26, dklen=32))
    return lock.encrypt(bytes(12), secret, bytes.fromhex(locked["public"]))


@pytest.mark.thorough
def test_key_files_that_lie(world: World) -> None:
    """Halves that do not belong together, a box that is damaged or has another size, a wrong passphrase."""
    root = world.root
    plain = json.loads((root / "key.json").read_bytes())
    locked = json.loads((root / "locked.json").read_bytes())
    other = json.loads(keyfile.dump(world.keys[1]))
    cases = {
        "halves": ({**plain, "public": other["public"]}, {4}),
        "both": ({**locked, "secret": plain["secret"]}, {7}),
        "neither": ({name: plain[name] for name in ("format", "name", "public")}, {7}),
        "format": ({**plain, "format": "pbem-referee/9/key"}, {7}),
        "box-text": ({**locked, "box": {**locked["box"], "text": "zz"}}, {4, 7}),
        "box-short": ({**locked, "box": {**locked["box"], "text": ""}}, {4, 7}),
        "box-salt": ({**locked, "box": {**locked["box"], "salt": "0" * 64}}, {4}),
        "box-31": ({**locked, "box": {**locked["box"], "text": boxed(locked, bytes(31)).hex()}}, {4}),
        "box-33": ({**locked, "box": {**locked["box"], "text": boxed(locked, bytes(33)).hex()}}, {4}),
        "box-other": ({**locked, "box": {**locked["box"], "text": boxed(locked, bytes(32)).hex()}}, {4}),
        "box-long": ({**locked, "box": {**locked["box"], "text": "00" * 400_000}}, {4, 7}),
    }
    file = root / "lie.json"
    for name, (value, expected) in cases.items():
        file.write_bytes(encode(value))
        before = tree(root)
        for phrase in ("open sesame", "\udcff\udcfe") if "box" in value else ("",):
            ran = run_here("key", "--key", "lie.json", cwd=root, env={"REFEREE_PASSPHRASE": phrase})
            check_refusal(ran, (4, 7))
            assert ran.exit in expected, f"{name}: {ran.said}"
        assert changes(before, tree(root)) == set()
    file.unlink()
    for phrase in ("wrong", "", "\udcff", "x" * 100_000):
        ran = run_here("key", "--key", "locked.json", cwd=root, env={"REFEREE_PASSPHRASE": phrase})
        check_refusal(ran, (4,))
    ran = run_here("key", "--key", "locked.json", cwd=root)
    check_refusal(ran, (4,))
    assert "REFEREE_PASSPHRASE" in ran.said
    ran = run_here("key", "--key", "locked.json", cwd=root, env={"REFEREE_PASSPHRASE": "open sesame"})
    assert (ran.exit, ran.out.decode().strip()) == (0, key("Anna").public.hex())


# --- what a hostile host can sign -------------------------------------------------------------------------------------

TRICKS = "\x1b]0;pwned\x07\x1b[2J\x9b31m\u202egnp.exe\u2066\u200b\u2028"


def evil_views(world: World) -> Iterator[tuple[str, bytes]]:
    """Views that the host really signed, with tricks in every place where a document has text."""
    view = (world.root / "anna.view.json").read_bytes()
    changes: dict[str, dict[str, object]] = {
        "ask": {"ask": (Ask(0, TRICKS),)},
        "sealed": {"ask": (Ask(0, "turn", (TRICKS,)),)},
        "end": {"end": TRICKS},
        "due": {"due": TRICKS},
        "bag": {"ops": (r.Put(TRICKS, ("red",)),)},
        "face": {"ops": (r.Put("bag", (TRICKS,)),)},
        "slot": {"ops": (r.Deal("bag", (TRICKS,), "bag"),)},
        "answer": {
            "answers": (r.Answer(seat=0, link="0" * 64, sig="0" * 128, answer=msgspec.Raw(encode({"kind": TRICKS}))),)
        },
    }
    for where, change in changes.items():
        yield where, change_entry(world.host, view, 3, **change)
    whole = decode(view, r.View, "view")
    yield "public", encode(msgspec.structs.replace(whole, public=msgspec.Raw(encode({TRICKS: TRICKS}))))
    offer = json.loads(bytes(envelope((world.root / "offer.json").read_bytes()).body))
    for where, text in (("game", TRICKS), ("rules", TRICKS[:40])):
        signed = sign(world.host, "offer", {**offer, where: text})
        genesis = msgspec.structs.replace(world.match.table.genesis, offer=signed)
        yield where, encode(msgspec.structs.replace(whole, genesis=sign(world.host, "genesis", genesis)))


@pytest.mark.thorough
def test_tricks_of_the_host_never_reach_a_terminal(world: World) -> None:
    """Whatever a host signs into a view is found by the checks, and spelled out where it is named, by every command."""
    commands = (
        ["show"],
        ["show", "--moves", "--json"],
        ["audit"],
        ["audit", "--json"],
        ["verify"],
        ["play", "-o", "out.json"],
    )
    tried = 0
    for where, data in evil_views(world):
        (world.root / "evil.json").write_bytes(data)
        for command in commands:
            ran = run_here(command[0], "evil.json", *command[1:], cwd=world.root, home=world.root / "anna-home")
            assert ran.exit in (6, 7), f"{where} {command}: {ran}"
            assert raw_controls(ran.out + ran.err) == [], f"{where} {command}"
            assert b"Traceback" not in ran.err
            tried += 1
    (world.root / "evil.json").unlink()
    assert tried == 11 * len(commands)


@pytest.mark.thorough
def test_tricks_in_file_names(world: World, tmp_path: Path) -> None:
    """Names of files in a folder come from others too."""
    with copied(world.root, tmp_path / "copy") as root:
        for name in ("\x1b]0;x\x07.transcript.json", "\u202e.transcript.json", os.fsdecode(b"\xff.transcript.json")):
            (root / "loot").mkdir(exist_ok=True)
            shutil.copy(root / "transcript.json", root / "loot" / name)
        (root / "loot" / "\x1b[2J bad.transcript.json").write_bytes(b"{}")
        shutil.copy(root / "anna.view.json", root / "\x1b[2J\u202e.json")
        for args, expected in (
            (["verify", "loot"], 7),
            (["verify", "--json", "loot"], 7),
            (["show", "\x1b[2J\u202e.json"], 0),
            (["show", "--moves", "\x1b[2J\u202e.json"], 0),
            (["join", "offer.json", "-o", "\x1b[2J\u202e.join"], 0),
            (["offer", GAME, "--seats", "2", "-o", "\x1b[2J\u202e.offer"], 0),
            (["play", "anna.view.json", "-o", "\x1b[2J\u202e.move", "--move", "pass red", "--json"], 0),
            (["demo", "-o", "anna-home", "--seed", "\x1b[2J"], 8),
        ):
            ran = run_here(*args, cwd=root, home=root / "anna-home")
            assert ran.exit == expected, f"{args}: {ran.said}"
            assert raw_controls(ran.out + ran.err) == [], args


# --- bad words on the command line ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    ["", " ", "pass", "pass pass", "buy", "\x1b]0;x\x07", "\u202epass red", "silver " + "9" * 300,
     "silver " + "9" * 5000, "silver ٣", "silver -1", "pass red" * 1000, "a" * 100_000, "buy red, mark red; rm -rf /",
     "../../etc/passwd", "pass red\n\npass blue", "\udcff", "pass \x00red", "sell 0 red, drop red", "end", "hold",
     "place red", "1", "%s%n"],
    ids=range(24),
)  # fmt: skip
def test_bad_move_text(world: World, move: str) -> None:
    ran = refused_args(world, "anna", "play", "anna.view.json", "--move", move, "-o", "out.json")
    assert ran.exit in (2, 3), ran.said


@pytest.mark.parametrize(
    "move",
    ["", "null", "[]", "{}", "1e999", "[" * 100_000, '{"kind":"turn"', '{"kind":"dance"}', '{"kind":1}', '"\udcff"',
     '{"kind":"turn","action":{"do":"silver","bars":1e3}}', '{"kind":"turn","action":{"do":"silver","bars":"1"}}',
     '{"kind":"turn","extra":1}', '{"kind":"turn","action":{"do":"\x1b]0;x\x07"}}'],
    ids=range(14),
)  # fmt: skip
def test_bad_move_json(world: World, move: str) -> None:
    ran = refused_args(world, "anna", "play", "anna.view.json", "--move-json", move, "-o", "out.json")
    assert ran.exit in (3, 7), ran.said


@pytest.mark.parametrize(
    "option",
    ["", "=", "=true", "special_cards", "special_cards=", "special_cards=maybe", "special_cards=2", "no_such=1",
     "special_cards=\x1b[2J", "\u202e=1", "\udcff=1", "special_cards=" + "9" * 5000, "__class__=1"],
    ids=range(13),
)  # fmt: skip
def test_evil_option(world: World, option: str) -> None:
    ran = refused_args(world, "hanna", "offer", GAME, "--seats", "2", "-o", "out.json", "--option", option)
    assert ran.exit == 2, ran.said


def test_option_given_twice(world: World) -> None:
    """Two values for one option: not silently the last."""
    options = ["--option", "special_cards=true", "--option", "special_cards=false"]
    assert refused_args(world, "hanna", "offer", GAME, "--seats", "2", "-o", "out.json", *options).exit == 2


@pytest.mark.parametrize("seats", ["0", "1", "6", "-1", "63", "9" * 30])
def test_evil_seats(world: World, seats: str) -> None:
    assert refused_args(world, "hanna", "offer", GAME, "--seats", seats, "-o", "out.json").exit == 2


@pytest.mark.parametrize("seat", ["", "0", "3", "-1", "Nobody", "\x1b[2J", "\u202e", "\udcff", "٣", "²", "9" * 5000])
def test_evil_seat(world: World, seat: str) -> None:
    assert refused_args(world, "hanna", "show", "game.json", "--view", seat, "-o", "out.json").exit == 2
    assert refused_args(world, "hanna", "apply", "game.json", "--timeout", seat, "--out", "out").exit == 2


@pytest.mark.parametrize(
    "game", ["", ".", "..", "../games", "schwarzer_freitag/..", "\x1b[2J", "\udcff", "ﬀ", "a" * 5000]
)
def test_evil_game(world: World, game: str) -> None:
    assert refused_args(world, "hanna", "offer", game, "--seats", "2", "-o", "out.json").exit == 2
    assert refused_args(world, "hanna", "rules", game).exit == 2
    assert refused_args(world, "hanna", "demo", game, "-o", "out").exit == 2


@pytest.mark.parametrize(
    "args",
    [["nonsense"], ["apply", "--timeout"], ["apply", "game.json", "--bogus"], ["offer", GAME],
     ["offer", GAME, "--seats", "two"], ["key", "new", "x"],
     ["show", "game.json", "--aid"], ["show", "--bogus"], ["\x1b]0;x\x07"], ["show", "a", "b"],
     ["verify", "--jobs", "0", "x"],
     ["offer", GAME, "--seats", "\u202e\x1b[2J"], ["show", "--\x1b[2J"]],
    ids=range(13),
)  # fmt: skip
def test_usage(world: World, args: list[str]) -> None:
    """A command line that makes no sense: status 2, and advice on what to do."""
    before = tree(world.root)
    ran = run_here(*args, cwd=world.root)
    assert ran.exit == 2
    assert b"Traceback" not in ran.err
    assert b"Next: " in ran.err or b"for help" in ran.err or args == ["key"]
    assert raw_controls(ran.out + ran.err) == []
    assert changes(before, tree(world.root)) == set()


def test_usage_for_programs(world: World) -> None:
    """With --json, a wrong command line is reported as JSON too."""
    for args in (["show", "--json"], ["show", "--moves", "--json", "--bogus", "x"], ["show", "--json", "nothing.json"]):
        ran = run_here(*args, cwd=world.root, home=world.host_home)
        assert set(json.loads(ran.out or b"{}")) == {"code", "message", "next", "values"}, f"{args}: {ran}"
