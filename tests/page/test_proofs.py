"""Proofs of an offence in the player's page, and under Node: what they show is said in plain words."""

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from referee.crypto.codec import encode
from referee.evidence import proofs as p
from referee.evidence.court import judge_proof
from tests.evidence.caught import shown_by
from tests.evidence.ways import WAYS
from tests.page.browser import browsing, needs_browser
from tests.page.desk import Desk
from tests.page.node import PAGE, run_node

WANTED = {"a die thrown again": "bad-die", "two entries for one round": "two-entries", "a turn skipped": "rule-broken"}


@pytest.fixture(scope="module")
def proofs() -> dict[str, p.AnyProof]:
    """Code -> a proof of it, made of a game of Der Weg zum Erfolg."""
    return made_proofs()


def made_proofs() -> dict[str, p.AnyProof]:
    found = {}
    for way in WAYS:
        if (code := WANTED.get(way.attempt)) is not None:
            kept = way.run("weg-zum-erfolg")
            assert kept is not None
            shown = next(one for one in shown_by(kept) if one.verdict.code == code)
            assert shown.proof is not None
            found[code] = shown.proof
    return found


def _key(proof: p.AnyProof) -> str:
    return judge_proof(proof).key


def _mutated(proof: p.AnyProof) -> p.AnyProof:
    """The same proof with another link in the entry."""
    assert isinstance(proof, p.BadRound)
    body = bytes(proof.entry.body).replace(b'"link":"', b'"link":"00', 1)
    return replace(proof, entry=replace(proof.entry, body=msgspec.Raw(body)))


@needs_browser
@pytest.mark.thorough
def test_the_page_says_what_a_proof_shows(proofs: dict[str, p.AnyProof], tmp_path: Path) -> None:
    die, turn = proofs["bad-die"], proofs["rule-broken"]
    with browsing() as browser:
        desk = Desk(browser, tmp_path)

        def told(proof: p.AnyProof) -> tuple[str, str]:
            desk.open(desk.give("x.proof.json", encode(proof)))
            words = browser.text(".verdict")
            return str(browser.script("return document.querySelector('.verdict').dataset.verdict")), words

        verdict, words = told(die)
        assert verdict == "proved"
        assert f"Proved. Round {judge_proof(die).round}: chance gives the die another value" in words
        assert f"Whoever has the key {_key(die)} signed this" in words
        assert "a key, never a person" in words
        verdict, words = told(_mutated(die))
        assert verdict == "altered"
        assert "Nothing is proved." in words
        assert "This blames nobody" in words
        assert _key(die) not in words
        verdict, words = told(turn)
        assert verdict == "undecided"
        assert "This cannot be decided here." in words
        assert (
            "so it cannot tell whether anything is wrong. referee verify PROOF judges the proof with the rules" in words
        )
        assert _key(turn) not in words
        verdict, words = told(proofs["two-entries"])
        assert (verdict, "two different entries for one round" in words) == ("proved", True)
        assert browser.requests() == []
        assert browser.complaints() == []


def test_the_command_line_says_it_too(proofs: dict[str, p.AnyProof], tmp_path: Path) -> None:
    path = tmp_path / "x.proof.json"
    for proof, said, status in (
        (proofs["bad-die"], "proved bad-die", 6),
        (_mutated(proofs["bad-die"]), "altered bad-signature", 6),
        (proofs["rule-broken"], "undecided needs-rules", 7),
    ):
        path.write_bytes(encode(proof))
        done = run_node(PAGE / "verifier.mjs", path)
        assert (done.returncode, done.stdout.strip()) == (status, said)
        row = json.loads(run_node(PAGE / "verifier.mjs", "--json", path).stdout)
        proved = said.startswith("proved")
        assert (row["verdict"], row["code"], row["key"]) == (*said.split(), _key(proof) if proved else "")
