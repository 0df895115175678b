"""Games of all kinds, honest and tampered with, through the JavaScript verifier and through the second one."""

import copy
import json
import random
from typing import Any

import pytest

from referee import games
from referee.engine.rounds import rests
from tests.independent import judges, verifier, wire
from tests.independent.test_agreement import GAMES, bags_of, kind, played, tampered
from tests.independent.vector_tools import Played
from tests.independent.wire import canonical
from tests.support.match import Sitting

from .node import HERE, run_node


def verified(asked: list[Any]) -> list[Any]:
    """The report of each, in order: `files`, and what else `verify` takes."""
    done = run_node(HERE / "verify.mjs", given="".join(canonical(one).decode() + "\n" for one in asked))
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.strip().split("\n")]
    assert len(answers) == len(asked)
    return answers


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES)
def test_honest_games_agree(game_id: str) -> None:
    """Every view, and the transcript: all is right, and the same is counted. It knows the bags of our games."""
    asked, expected = [], []
    for seed, most in ((21, 120), (22, 60)):
        sitting = played(game_id, seed, most)
        bags = bags_of(sitting)
        given = {"bags": bags} if game_id == "auction" else {}
        for seat in range(sitting.table.seats):
            data = sitting.view(seat)
            asked.append({"files": [data.decode()], **given})
            expected.append(verifier.check_view(data, bags, judges.library))
        if sitting.over or rests(sitting.state):
            data = sitting.transcript()
            asked.append({"files": [data.decode()], **given})
            expected.append(verifier.check_transcript(data, bags, judges.library))
    for said, other in zip(verified(asked), expected, strict=True):
        assert (said["code"], said["draws"], said["rules"]) == ("ok", "checked", "not checked"), said
        counts = said["counts"]
        assert (counts["draws"], counts["signatures"]) == (other.draws, other.signatures)
        assert counts["openings"] == other.openings


def _cases(game_id: str) -> list[tuple[str, Any, wire.Bags]]:
    """Kind, document and bags: each with one value changed and signed anew by the host."""
    rng, cases = random.Random(f"tampered in JavaScript {game_id}"), []
    sitting = Sitting(game_id, max(2, games.load(game_id).seats[0]), "tampered in JavaScript")
    for rounds in (1, 3, 6, 12):
        while sitting.round < rounds:
            sitting.step()
        game = Played(sitting)
        for _ in range(12):
            view = game.view(-1, rng.randrange(len(game.players)))
            cases.append(("view", tampered(game, view, rng), game.bags))
    return cases


def _transcripts() -> list[tuple[str, Any, wire.Bags]]:
    rng, cases = random.Random("transcripts in JavaScript"), []
    game = Played(Sitting("auction", 3, "transcripts in JavaScript").to_end())
    whole = game.transcript()
    for number in range(1, len(whole["entries"]) + 1):
        cut = copy.deepcopy(whole) | {"entries": whole["entries"][:number]}
        cut["sealed"] = [part for part in whole["sealed"] if part["round"] <= number]
        if not cut["sealed"]:
            del cut["sealed"]
        cases += [("transcript", tampered(game, cut, rng), game.bags) for _ in range(4)]
    return cases


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", [*GAMES, "transcripts"])
def test_what_was_tampered_with_has_the_same_code(game_id: str) -> None:
    cases = _transcripts() if game_id == "transcripts" else _cases(game_id)
    said = verified([{"files": [canonical(document).decode()], "bags": bags} for _, document, bags in cases])
    wrong, seen = [], set()
    for (what, document, bags), mine in zip(cases, said, strict=True):
        theirs = judges.second_says(what, [canonical(document)], bags)
        seen.add(theirs)
        if mine["code"] != theirs:
            wrong.append((mine["code"], theirs, mine["words"], document["entries"][-1]["body"]))
    assert not wrong
    assert len(seen) > 5


@pytest.mark.thorough
def test_no_bytes_make_it_stumble() -> None:
    """Bytes changed, left out, doubled by somebody who cannot sign: always a code that blames nobody, never a crash."""
    rng, asked = random.Random("bytes"), []
    for game_id in GAMES:
        sitting = Sitting(game_id, max(2, games.load(game_id).seats[0]), "bytes")
        sitting.until(4)
        data, bags = sitting.view(0).decode(), bags_of(sitting)
        for _ in range(60):
            at, size = rng.randrange(len(data)), rng.choice([0, 1, 1, 1, 2, 50])
            put = rng.choice(
                ["", '"', "{", "}", "[", "]", ",", "0", "-", "\\", "\u0000", "\u2028", "é", data[at : at + 9]]
            )
            changed = data[:at] + put + data[at + size :]
            if changed != data:
                asked.append({"files": [changed], "bags": bags})
    said = verified(asked)
    assert [one for one in said if one["blames"] != "nobody"] == []
    assert {kind(one["code"]) for one in said} == {"altered"}
    assert len({one["code"] for one in said}) >= 4
