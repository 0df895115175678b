"""Section 10 of PROTOCOL.md, carried out: every attempt in its table, and every field of everything a host signs."""

import re
from pathlib import Path

import msgspec
import pytest

from referee.engine import records as r
from referee.evidence.proofs import ALTERED, PROVED
from tests.engine.attacks import ATTACKS, HOST, Attack, rendered
from tests.engine.fields import (
    BLAMELESS,
    DOCUMENTS,
    FIELDS,
    changing_hands,
    entry_changes,
    genesis_changes,
    newest_private_changes,
    position_changes,
    private_changes,
)
from tests.engine.plots import EVERYBODY, NOBODY
from tests.evidence.caught import assert_alone, assert_minimal, recording, shown_by
from tests.support.match import Sitting

PROTOCOL = Path(__file__).parents[2] / "schemas" / "PROTOCOL.md"
LONG = ("schwarzmarkt", "schwarzer-freitag", "weg-zum-erfolg", "mark", "...", "Razzia", "ranking", "whole hand")


def _named(attack: Attack) -> object:
    marks = [pytest.mark.thorough] if any(word in attack.attempt for word in LONG) else []
    return pytest.param(attack, id=re.sub(r"[^a-z0-9]+", "-", attack.attempt.lower()), marks=marks)


@pytest.mark.parametrize("attack", [_named(attack) for attack in ATTACKS])
def test_an_attempt(attack, tmp_path):
    """It is detected as the table says, and whoever notices it can prove it with one small file, or blames nobody."""
    with recording() as kept:
        assert attack.run() == (attack.when, attack.by, attack.code)
    shown = shown_by(kept)
    if attack.by == HOST:
        return
    if attack.by == NOBODY:
        assert (ALTERED, attack.code) in {(one.verdict.verdict, one.verdict.code) for one in shown}
        assert PROVED not in {one.verdict.verdict for one in shown}
        return
    proof = next(one.proof for one in shown if (one.verdict.verdict, one.verdict.code) == (PROVED, attack.code))
    assert_alone(proof, attack.code, tmp_path)
    assert_minimal(proof)


def test_there_are_many_attempts():
    assert len({(attack.attempt, attack.when, attack.code) for attack in ATTACKS}) == len(ATTACKS) >= 50


def test_the_protocol_has_this_table():
    text = PROTOCOL.read_text(encoding="utf-8")
    table = re.search(r"<!-- attacks -->\n(.*?)<!-- /attacks -->", text, re.DOTALL)
    assert table is not None
    assert table[1].strip() == rendered().strip()


def test_every_field_of_every_document_is_in_the_list():
    assert {name: {f.name for f in msgspec.structs.fields(kind)} for name, kind in DOCUMENTS.items()} == {
        name: {*fields} for name, fields in FIELDS.items()
    }


def _game_with(game: str, *operations: type) -> Sitting:
    """A finished game in which each of these operations occurred."""
    for seed in range(30):
        sitting = Sitting(game, 3, f"fields {seed}").to_end()
        entries = [msgspec.json.decode(one.body, type=r.Entry) for one in sitting.match.entries]
        made = [op for entry in entries for op in entry.ops]
        if {*operations} <= {type(op) for op in made if getattr(op, "tokens", True)}:
            return sitting
    raise AssertionError("no game has them all")


GAMES = {
    "auction": (r.Give, r.Unseal, r.Shuffle, r.LayOut, r.LayOutAll, r.Put, r.Deal, r.Die),
    "mark": (r.Die, r.Unseal),
    "schwarzer-freitag": (r.Take, r.Deal, r.Put, r.LayOutAll),
    "schwarzmarkt": (r.Seek, r.Deal, r.LayOut, r.Shuffle),
    "weg-zum-erfolg": (r.Die, r.Take),
}


def test_every_operation_is_in_some_game():
    assert {kind for kinds in GAMES.values() for kind in kinds} == {*r.Op.__args__}


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_every_field_changed_and_re_signed(game):
    sitting = _game_with(game, *GAMES[game])
    changed = set()
    for document, field, found in (*entry_changes(sitting), *private_changes(sitting), *genesis_changes(sitting)):
        changed.add((document, field))
        assert found.code in FIELDS[document][field], (document, field, found)
        if found.code not in {*BLAMELESS, "ok"} and (document, field) != ("offer", "key"):
            assert found.by == EVERYBODY, (document, field, found)
    kinds = {str(kind.__struct_config__.tag) for kind in GAMES[game]} | {"answer", "question", "entry", "offer"}
    assert changed >= {(kind, field) for kind in kinds for field in FIELDS[kind]}


def test_every_field_where_seats_change_hands():
    """A handover, two players who take over a seat, one with an answer that is held, and one who comes back."""
    sitting = changing_hands()
    changed = set()
    for document, field, found in (*entry_changes(sitting), *newest_private_changes(sitting)):
        changed.add((document, field))
        assert found.code in FIELDS[document][field], (document, field, found)
    assert changed >= {
        ("entry", "successions"),
        ("entry", "returns"),
        ("answer", "handover"),
        ("private part", "sealed"),
    }


def test_every_part_of_a_state_where_seats_change_hands():
    sitting = changing_hands()
    for number in range(2, sitting.round + 1):
        found = [*position_changes(sitting, number)]
        assert {(one.by, one.code) for _, _, one in found} == {(EVERYBODY, "rule-broken")}, number


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_every_part_of_a_position_and_a_state_with_hashes_that_fit(game):
    sitting = Sitting(game, 3, "position").until(5)
    found = [*position_changes(sitting, 5)]
    assert len(found) > 50
    assert {(one.by, one.code) for _, _, one in found} == {(EVERYBODY, "rule-broken")}
