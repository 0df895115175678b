"""Games that were finished with version 1 are read forever as they were then."""

import json
import lzma
from functools import cache
from typing import Any

import pytest

from referee import games
from referee.crypto.codec import decode
from referee.engine import records as r
from referee.errors import Malformed
from referee.evidence.replay import open_transcript

from .make import AT_LEAST, FOLDER, GAMES, ways

INDEX: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "index.json").read_text())

LACKS = {"schwarzer-freitag": {"words", "sealed"}}
"""Games that have no standing orders, or seal no answers."""


@cache
def transcripts(game_id: str) -> list[bytes]:
    return lzma.decompress((FOLDER / f"{game_id}.jsonl.xz").read_bytes()).splitlines()


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_is_replayed_or_refused_by_name(game_id: str) -> None:
    rules = games.load(game_id).rules
    for data, told in zip(transcripts(game_id), INDEX[game_id], strict=True):
        if told["rules"] != rules:
            with pytest.raises(Malformed, match="rules") as error:
                open_transcript(data)
            assert error.value.code == "other-rules"
            assert "install" in str(error.value.next)
            continue
        chain = open_transcript(data)
        state = chain.checkpoint.state
        assert (state.round, state.end) == (told["rounds"], told["end"])
        assert chain.last is not None
        assert chain.last.state == told["state"]
        assert [list(score) for score in state.result.scores] if state.result else told["scores"] == []


@pytest.mark.parametrize("game_id", GAMES)
def test_the_corpus_covers_seats_options_and_trouble(game_id: str) -> None:
    told, (low, high) = INDEX[game_id], games.load(game_id).seats
    assert len(told) >= max(AT_LEAST, len(list(ways(game_id))))
    assert {one["seats"] for one in told} == set(range(low, high + 1))
    trouble = {"timeouts", "left", *({"words", "sealed"} - LACKS.get(game_id, set()))}
    assert {name for name in trouble if any(one[name] for one in told)} == trouble


def test_it_is_version_1() -> None:
    first = decode(transcripts("mark")[0], r.Transcript, "transcript")
    assert first.format == "pbem-referee/1/transcript"
