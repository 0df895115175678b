"""The catalogue, carried out on games of all four kinds; every offence that shows is proved by a file alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.crypto.codec import encode
from referee.evidence.proofs import PROVED
from tests.engine.attacks import ATTACKS
from tests.evidence.caught import assert_minimal, shown_by
from tests.evidence.honest import judged
from tests.evidence.ways import WAYS

GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


def test_the_catalogue_is_large_and_has_everybody_in_it():
    names = {way.attempt for way in WAYS}
    assert len(names) == len(WAYS) >= 60
    assert len(names | {attack.attempt for attack in ATTACKS}) >= 150
    assert {way.who for way in WAYS} == {"the host", "the host and a player", "a stranger", "a player"}


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_every_way_to_cheat_or_to_frame(game: str, tmp_path: Path) -> None:
    """What is claimed comes of each; and one fresh process, with nothing but the proofs, says the same of all."""
    wanted: dict[str, str] = {}
    tried = 0
    for number, way in enumerate(WAYS):
        files = way.run(game)
        if files is None:
            continue
        tried += 1
        shown = [one for one in shown_by(files) if one.verdict.verdict == PROVED]
        codes = {one.verdict.code for one in shown}
        assert bool(codes & {*way.codes}) == bool(way.codes), (way.attempt, codes)
        assert way.codes or not codes, (way.attempt, codes)
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
