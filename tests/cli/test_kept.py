"""Keys that the host keeps are mentioned wherever somebody looks: terms, views, status, audit, verify; and a word as a
file."""

import json
from pathlib import Path

import pytest

from referee.crypto.codec import encode
from referee.engine.player import sign_word
from referee.io import keyfile
from tests.cli.world import Ran, raw_controls, run_here
from tests.support.match import Sitting


def bert_alone(sitting: Sitting) -> bool:
    """Whether there were draws in a round that Bert alone answered."""
    rounds = sitting.opened(0).chain.rounds
    return any(one.draws and [answer.seat for answer in one.entry.answers] == [1] for one in rounds)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Anna has her own key; the host keeps Bert's."""
    root = tmp_path_factory.mktemp("kept")
    sitting = Sitting("weg-zum-erfolg", 2, "kept", kept=[1])
    (root / "ack.view.json").write_bytes(sitting.view(0))
    word = sign_word(sitting.players[1], sitting.until(6).opened(1), "away until 2027-01-05 \u202e")
    sitting.until(bert_alone)
    files = {
        "anna.view.json": sitting.view(0),
        "game.json": sitting.file(),
        "bert.join.json": encode(sitting.joins[1]),
        "anna.join.json": encode(sitting.joins[0]),
        "host.key": keyfile.dump(sitting.host),
        "anna.key": keyfile.dump(sitting.players[0]),
        "bert.word.json": word,
    }
    for name, data in files.items():
        (root / name).write_bytes(data)
    return root


def referee(table: Path, *words: str, home: Path | None = None) -> Ran:
    ran = run_here(*words, cwd=table, home=home)
    assert ran.exit == 0, ran.said
    return ran


KEPT = "the host declares that it keeps Bert's key"


def test_the_ack_is_given_to_terms_that_say_so(table: Path, tmp_path: Path) -> None:
    ran = referee(table, "play", "ack.view.json", "--key", "anna.key", "-o", str(tmp_path / "ack.json"), home=tmp_path)
    assert f"\n  {KEPT}\n" in ran.said


def test_every_view_says_so(table: Path, tmp_path: Path) -> None:
    shown = referee(table, "show", "anna.view.json", home=tmp_path).out.decode()
    assert "The host declares that it keeps Bert's key." in shown
    assert json.loads(referee(table, "show", "anna.view.json", "--json", home=tmp_path).out)["kept"] == [2]


def test_audit_says_so_and_what_it_costs(table: Path, tmp_path: Path) -> None:
    told = referee(table, "audit", "anna.view.json", home=tmp_path).out.decode()
    assert f"\n  {KEPT}\n  the host could foresee the draws of round" in told
    found = json.loads(referee(table, "audit", "anna.view.json", "--json", home=tmp_path).out)
    assert found["declared"][0] == KEPT


def test_the_host_is_told_whose_keys_it_keeps(table: Path, tmp_path: Path) -> None:
    assert "  you keep Bert's key\n" in referee(table, "show", "game.json", "--key", "host.key").out.decode()
    found = json.loads(referee(table, "show", "game.json", "--key", "host.key", "--json").out)
    assert found["kept"] == ["Bert"]


def test_a_join_says_so(table: Path) -> None:
    assert "which the host says it keeps" in referee(table, "show", "bert.join.json").out.decode()
    assert "declares" not in referee(table, "show", "anna.join.json").out.decode()


def test_verify_says_so(tmp_path: Path) -> None:
    sitting = Sitting("auction", 2, "kept", kept=[0, 1]).to_end()
    (tmp_path / "transcript.json").write_bytes(sitting.transcript())
    told = referee(tmp_path, "verify", "transcript.json").out.decode()
    assert "; the host declares that it keeps the keys of Anna and Bert; draws are not protected\n" in told


def test_a_word_is_shown(table: Path, tmp_path: Path) -> None:
    ran = referee(table, "show", "bert.word.json", home=tmp_path)
    assert "a signed statement by seat 2 to the host in round 7 of game" in ran.out.decode()
    assert r"it says: away until 2027-01-05 \u202e" in ran.out.decode()
    assert raw_controls(ran.out) == []
    referee(table, "show", "anna.view.json", home=tmp_path)
    assert (
        "a signed statement by Bert to the host in round 7 of"
        in referee(table, "show", "bert.word.json", home=tmp_path).out.decode()
    ), "who knows the table reads the name, and the signature was checked"
    (tmp_path / "forged.json").write_bytes((table / "bert.word.json").read_bytes().replace(b"01-05", b"01-06"))
    assert run_here("show", str(tmp_path / "forged.json"), cwd=table, home=tmp_path).exit == 4
