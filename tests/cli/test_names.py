"""Names: what misleads, stands for something else or looks like another player is refused, with a reason."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from referee.crypto import keys
from referee.crypto.codec import encode
from referee.crypto.envelope import PROJECT, Envelope
from referee.engine.names import choose_name, refuse_alike
from referee.engine.records import Join
from referee.errors import Malformed
from referee.io import keyfile
from tests.cli.world import Ran, World, changes, check_refusal, copied, raw_controls, run_here, tree

EVIL = {
    "empty": "", "blank": "   ", "escape": "An\x1b[31mna", "osc": "\x1b]0;pwned\x07", "c1": "An\x9b31mna",
    "bell": "Anna\x07", "newline": "Anna\nNext: send money", "return": "Anna\rBert", "tab": "An\tna", "del": "\x7f",
    "override": "\u202eannA", "isolate": "\u2066Anna\u2069", "mark": "An\u200fna", "zero-width": "An\u200bna",
    "joiner": "An\u200dna", "bom": "\ufeffAnna", "soft-hyphen": "An\u00adna", "line": "An\u2028na",
    "paragraph": "An\u2029na", "private": "An\ue000na", "unassigned": "An\u0378na", "noncharacter": "An\uffffna",
    "tag": "Anna\U000e0041", "long": "A" * 41, "huge": "A" * 5000, "leading": " Anna", "trailing": "Anna ",
    "decomposed": "Zoe\u0308", "combining-only": "\u0301", "zalgo": "Z" + "\u0335" * 60, "surrogate": "An\udcffna",
    "variation": "Anna\ufe0f", "grapheme-joiner": "An\u034fna", "filler": "Anna\u3164", "half-filler": "Anna\uffa0",
    "choseong": "\u115f", "braille-blank": "\u2800", "mongolian": "An\u180bna", "khmer": "An\u17b5na",
    "seat": "@1", "seat-inside": "Anna @2", "number": "2", "wide-number": "１２",
    "cyrillic-a": "Аnna", "cyrillic-inside": "Annа", "greek-o": "Οtto", "greek-and-cyrillic": "Ωа",
    "han-and-latin": "李Lei",
}  # fmt: skip
SOUND = [
    "Jörg", "Łukasz", "Зоя", "李雷", "O'Neil", "Anna-Lena", "Zoë", "Ωμέγα", "Anna-Lena O'Neill", "מרים", "a", "名" * 40,
    "さくら", "김민준", "María José", "R2D2",
]  # fmt: skip
ALIKE = {
    "Anna": ["anna", "ANNA", "Ａnna", "Ánna", "Anña", "𝐀nna", "Åｎna", "An na", "ΑΝΝΑ"],
    "Bob": ["B0b", "ВОВ", "ΒΟΒ"],
    "Otto": ["0tto", "Ott0", "ΟΤΤΟ", "ОТТО"],
    "Ida": ["lda", "1da", "|da", "ıda"],
    "Bill": ["BiII", "Bi11", "Bil|"],
    "HANNA": ["ΗΑΝΝΑ"],
    "Hexe": ["Нехе"],
    "Pepe": ["Рере", "ρερε"],
    "Max": ["Мах", "ΜΑΧ"],
    "Coco": ["Сосо", "C0c0"],
    "Marnie": ["Mamie"],
    "Walter": ["VValter"],
    "Ana": ["ɑnɑ"],
}
"""Names, and others that could be taken for them."""
APART = [
    ("Anna", "Hanna"),
    ("Jörg", "Georg"),
    ("Зоя", "Zoja"),
    ("Ina", "Ian"),
    ("Max", "Mox"),
    ("李雷", "李白"),
    ("Leo", "Lea"),
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("names") / "desk", rounds=0)


def named_join(world: World, name: str, person: keys.Key) -> bytes:
    """A join under any name, properly signed."""
    old = msgspec.json.decode(bytes(world.joins[1].body), type=Join)
    body = encode(msgspec.structs.replace(old, name=name, key=person.public.hex()))
    message = b"DSSEv1 %d %s %d %s" % (len(PROJECT) + 4, PROJECT.encode() + b"join", len(body), body)
    return encode(Envelope(msgspec.Raw(body), person.sign(message).hex(), PROJECT + "join"))


def start(root: Path, *more: str) -> Ran:
    return run_here("start", "offer.json", "anna.join.json", "new.json", "-o", "new-game.json", "--out", "views", *more,
                    cwd=root, home=root / "hanna-home")  # fmt: skip


@pytest.mark.parametrize("label", EVIL)
def test_evil_name(world: World, label: str) -> None:
    """Refused when a key is made, when a player joins, and by the host when a forged join arrives; nothing is left."""
    evil, root = EVIL[label], world.root
    before = tree(root)
    ran = run_here("key", "new", "--name", evil, "-o", "out.json", cwd=root, home=root / "anna-home")
    check_refusal(ran, (7,))
    assert re.search(r"name (must have|has|is|mixes|cannot)", ran.said), ran.said
    check_refusal(run_here("join", "offer.json", "--name", evil, "-o", "out.json", cwd=root, home=root / "anna-home"),
                  (2, 7))  # fmt: skip
    if label != "surrogate":
        try:
            (root / "new.json").write_bytes(named_join(world, evil, world.keys[1]))
            check_refusal(start(root), (7,))
            plain = json.loads(keyfile.dump(world.keys[1]))
            (root / "new.json").write_bytes(encode({**plain, "name": evil}))
            ran = run_here("join", "offer.json", "--key", "new.json", "-o", "out.json", cwd=root)
            check_refusal(ran, (2, 7))
        finally:
            (root / "new.json").unlink()
    assert changes(before, tree(root)) == set()


@pytest.mark.parametrize("name", SOUND)
def test_sound_name(world: World, name: str, tmp_path: Path) -> None:
    """The control: real names in any script work, from the key to the status, and make tame file names."""
    assert choose_name(name) == name
    with copied(world.root, tmp_path / "copy") as root:
        ran = run_here("join", "offer.json", "--name", name, "-o", "new.json", cwd=root, home=root / "bert-home")
        assert ran.exit == 0, ran.said
        assert start(root).exit == 0
        files = sorted(path.name for path in (root / "views").iterdir())
        assert len(files) == 2
        assert all(re.fullmatch(r"[a-z0-9-]+\.view\.json", file) for file in files)
        ran = run_here("show", "new-game.json", cwd=root, home=root / "hanna-home")
        assert name in ran.out.decode()
        assert raw_controls(ran.out + ran.err) == []


def test_nobody_is_seated_who_looks_like_somebody_else(world: World) -> None:
    """The join itself is a good one: it is the host's tool that refuses it beside Anna's."""
    root, before = world.root, tree(world.root)
    try:
        for name, allowed in (("Bert", (0,)), ("\u0410\u043f\u043f\u0430", (7,)), ("\u0410nna", (7,))):
            (root / "new.json").write_bytes(named_join(world, name, world.keys[1]))
            ran = start(root, "--dry-run")
            assert ran.exit in allowed, (name, ran.said)
    finally:
        (root / "new.json").unlink()
    assert changes(before, tree(root)) == set()


def test_names_that_could_be_taken_for_another_players() -> None:
    """At one table nobody looks like somebody else."""
    for name, others in ALIKE.items():
        choose_name(name)
        for other in others:
            with pytest.raises(Malformed) as caught:
                refuse_alike(("Zoja", name, other))
            assert caught.value.code == "bad-name", (name, other)
    for pair in APART:
        refuse_alike(pair)


@pytest.mark.parametrize("name", ["anna", "ΑΝΝΑ", "An na", "Аnna"])
def test_a_second_anna_is_refused_at_the_start(world: World, name: str) -> None:
    """Anna sits at the table already: the host's tool says why the other may not."""
    before = tree(world.root)
    (world.root / "new.json").write_bytes(named_join(world, name, world.keys[1]))
    try:
        ran = start(world.root)
    finally:
        (world.root / "new.json").unlink()
    check_refusal(ran, (7,))
    assert re.search("look alike|the same name|several scripts", ran.said), ran.said
    assert changes(before, tree(world.root)) == set()
