"""The catalogue, carried out on all four games; every offence that shows is proved by a single file."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.crypto.codec import encode
from referee.evidence.proofs import PROVED
from tests.engine.attacks import ATTACKS
from tests.engine.plots import NOBODY
from tests.evidence.caught import assert_minimal, shown_by
from tests.evidence.finders import NO_ONE, NOTHING, claimed, first_found
from tests.evidence.honest import judged
from tests.evidence.ways import NOT_COVERED, PREVENTED, WAYS, Way, rendered

PROTOCOL = (Path(__file__).parents[2] / "schemas" / "PROTOCOL.md").read_text("utf-8")
GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


def test_the_catalogue_is_large_and_has_everybody_in_it():
    names = {way.attempt for way in WAYS}
    assert len(names) == len(WAYS) >= 60
    assert len(names | {attack.attempt for attack in ATTACKS}) >= 150
    assert {way.who for way in WAYS} == {"the host", "the host and a player", "a stranger", "a player"}


def _table(name: str) -> str:
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", PROTOCOL, re.DOTALL)
    assert found is not None
    return found[1].strip()


def test_the_protocol_has_the_catalogue():
    assert _table("ways") == rendered().strip()


def test_the_catalogue_says_what_the_table_of_attempts_says():
    """For each code, when and by whom it is noticed is among what the other table claims, which has every code but
    these in a row that says for certain when."""
    rows = [row for row in claimed(_table("attacks")) if row[0] != "not always at once"]
    other = set()
    for way in WAYS:
        for code in way.codes:
            places = {(when, whom.partition(" (")[0]) for when, whom, codes in rows if code in codes}
            assert not places or (way.when, way.by) in places, (way.attempt, code, places)
            other |= set() if places else {code}
    assert other == {"bad-entry", "same-key", "bad-name", "bad-seats"}


def _as_claimed(way: Way, found: tuple[str, str, frozenset[str]]) -> bool:
    """Whether it is noticed when and by whom the catalogue says."""
    if way.when in (PREVENTED, NOT_COVERED):
        return found == NOTHING and (way.by, way.codes) == (NO_ONE, ())
    return found[:2] == (way.when, way.by) and bool(found[2] & {*way.codes})


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_every_way_to_cheat_or_to_frame(game: str, tmp_path: Path) -> None:
    """Each has the claimed outcome, when and for those whom the catalogue names; a fresh process with the proofs alone
    says the same."""
    wanted: dict[str, str] = {}
    tried = 0
    for number, way in enumerate(WAYS):
        files = way.run(game)
        if files is None:
            continue
        tried += 1
        found = files if isinstance(files, tuple) else first_found(files)
        assert _as_claimed(way, found), (way.attempt, found)
        if isinstance(files, tuple):
            continue
        shown = [one for one in shown_by(files) if one.verdict.verdict == PROVED]
        codes = {one.verdict.code for one in shown}
        blames = way.by not in (NOBODY, NO_ONE)
        assert bool(codes & {*way.codes}) == blames, (way.attempt, codes)
        assert blames or not codes, (way.attempt, codes)
        for at, one in enumerate(shown):
            assert one.proof is not None, way.attempt
            assert judged(one.proof) == one.verdict, way.attempt
            if number % 4 == GAMES.index(game):
                assert_minimal(one.proof)
            wanted[f"{number}-{at}.proof.json"] = one.verdict.code
            (tmp_path / f"{number}-{at}.proof.json").write_bytes(encode(one.proof))
    assert tried >= 70
    done = subprocess.run(
        [sys.executable, "-m", "referee", "verify", ".", "--json"], cwd=tmp_path, capture_output=True, check=False,
        env={"PATH": "", "REFEREE_HOME": str(tmp_path / "home")},
    )  # fmt: skip
    rows = [json.loads(line) for line in done.stdout.splitlines()][:-1]
    assert {row["file"].removeprefix("./"): row["code"] for row in rows} == wanted
    assert {row["verdict"] for row in rows} == {PROVED}
