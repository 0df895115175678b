"""An office records an arbiter's ruling on one of its games if and only if the offer names that arbiter."""

import json
from pathlib import Path

import pytest

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.evidence.rulings import Ruling, make_ruling
from tests.cli.world import Ran, key, run_here
from tests.mail.offices import NOW, World, playing, reply

ARBITER, STRANGER = key("Ada"), key("Sam")
NAMED = ("--arbiter", ARBITER.public.hex())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    return playing(tmp_path_factory.mktemp("ruled"), NAMED)


@pytest.fixture
def world(made: World, tmp_path: Path) -> World:
    return made.again(tmp_path)


def ruling(world: World, signer: Key = ARBITER, text: str = "Bert was in time.", ranks: tuple[int, ...] = ()) -> bytes:
    genesis = json.loads(world.game())["genesis"]
    return make_ruling(signer, decode(encode(genesis), Envelope, "genesis"), [], text, ranks)


def amend(world: World, data: bytes, *more: str) -> Ran:
    (world.folder / "ruling.json").write_bytes(data)
    return run_here("mail", "table", world.root.name, "--ruling", "ruling.json", "--now", NOW, *more, cwd=world.folder)


def test_a_binding_ruling_is_sent_to_everybody(world: World) -> None:
    before = world.files()
    data = ruling(world, ranks=(2, 1, 3))
    assert amend(world, data, "--dry-run").exit == 0
    assert world.files() == before
    ran = amend(world, data, "--json")
    assert ran.exit == 0, ran.said
    told = [{"verdict": "Bert was in time.", "places": {"Anna": 2, "Bert": 1, "Carla": 3}}]
    assert json.loads(ran.out) == {"table": world.table(), "rulings": told}
    assert world.status()["rulings"] == told
    said = world.run("status").out.decode()
    assert "  the arbiter ruled: 1. Bert, 2. Anna, 3. Carla: Bert was in time.\n" in said
    changed = {name for name, data in world.files().items() if before.get(name) != data}
    assert changed == {f"tables/{world.table()}/table.json", *(f"outbox/{mail.name}.eml" for mail in world.new())}
    # Once more it is refused; another one counts instead, and both stay.
    kept = world.files()
    again = amend(world, data)
    assert (again.exit, world.files()) == (5, kept)
    assert amend(world, ruling(world, text="I was wrong.")).exit == 0
    assert [one["verdict"] for one in world.status()["rulings"]] == ["I was wrong.", "Bert was in time."]
    assert "the arbiter ruled: I was wrong.\n" in world.run("status").out.decode()


def test_every_player_gets_mails_in_their_own_language(world: World) -> None:
    """What was ruled, by whom, and what comes next; a seat that is asked can answer this mail too."""
    world.take(reply(world.turn("bert"), "Deutsch"), reply(world.turn("carla"), "NEDERLANDS"))
    data, who = ruling(world, ranks=(2, 1, 3)), ARBITER.public.hex()
    assert amend(world, data).exit == 0
    mails = {mail.to.partition("@")[0]: mail for mail in world.new()}
    texts = {name: " ".join(mail.text.split()) for name, mail in mails.items()}
    assert [mail.file(f"-{who[:6]}.ruling.json") for mail in mails.values()] == [data] * 3
    for name, title, said, more in (
        ("anna", "the arbiter has ruled", "The places are now: 1. Bert, 2. Anna and 3. Carla.", "is still waiting"),
        ("bert", "Der Schiedsrichter hat entschieden", "1. Bert, 2. Anna und 3. Carla.", "wartet noch auf deine"),
        ("carla", "de scheidsrechter heeft beslist", "1. Bert, 2. Anna en 3. Carla.", "wacht nog op je"),
    ):
        assert title in mails[name].subject
        for one in (title, "Bert was in time.", said, f" {who[:16]}", more):
            assert one in texts[name], (name, one)
    (taken,) = world.answers(reply(mails["bert"], "bid 2"))
    assert "Deine Antwort wurde angenommen" in taken.text
    assert amend(world, ruling(world, text="It stays.")).exit == 0
    (last,) = (" ".join(mail.text.split()) for mail in world.new() if mail.to.startswith("bert"))
    assert "Die Rangfolge bleibt, wie sie ist." in last
    assert "Das Spiel geht weiter: Bis zur nächsten Mail musst du nichts tun." in last


@pytest.mark.thorough
def test_what_binds_nobody_is_forged_or_about_another_game_is_refused(world: World, tmp_path: Path) -> None:
    before = world.files()
    true = decode(ruling(world), Envelope, "ruling")
    forged = sign(STRANGER, "ruling", decode(bytes(true.body), Ruling, "ruling"))
    other = ruling(playing(tmp_path / "other", NAMED))
    plain = playing(tmp_path / "plain", ())
    cases = ((ruling(world, STRANGER), 4), (ruling(plain), 4), (encode(forged), 6), (other, 5), (b"{}", 7))
    for data, exit in cases:
        ran = amend(world, data)
        assert (ran.exit, world.files()) == (exit, before), ran.said
    assert amend(plain, ruling(plain)).exit == 4


def test_a_note_that_was_changed_rules_nothing(world: World) -> None:
    """Whoever can write into the office cannot put words into an arbiter's mouth."""
    assert amend(world, ruling(world)).exit == 0
    path = world.root / "tables" / world.table() / "table.json"
    path.write_bytes(path.read_bytes().replace(b"Bert was in time", b"Anna was in time"))
    assert world.status()["stage"] == "damaged"
