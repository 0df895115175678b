"""Files say what they are, and a transcript has each sealed answer once."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from referee.crypto.codec import decode, encode
from referee.engine import records as r
from referee.engine.player import read_view
from referee.errors import RefereeError
from referee.evidence.replay import open_transcript, player_in, read_transcript
from referee.io.gamefile import GameFile, open_match
from tests.support.match import Sitting


@pytest.fixture(scope="module")
def over() -> Sitting:
    return Sitting("auction", 3, "formats").to_end()


def refused(read: Callable[[bytes], object], data: bytes) -> tuple[str, str, str]:
    with pytest.raises(RefereeError) as caught:
        read(data)
    return caught.value.code, str(caught.value.message), str(caught.value.next)


def changed(data: bytes, form: Any, **fields: Any) -> bytes:
    return encode(msgspec.structs.replace(decode(data, form, "file"), **fields))


def test_a_file_of_another_format_is_refused_by_what_it_is_not(over: Sitting) -> None:
    other = "pbem-referee/1/other"
    assert refused(read_view, changed(over.view(0), r.View, format=other)) == (
        "wrong-kind", "this is not a view", "give a player's view file here",
    )  # fmt: skip
    assert refused(read_transcript, changed(over.transcript(), r.Transcript, format=other)) == (
        "wrong-kind", "this is not a transcript", "give the file that `referee reveal` wrote",
    )  # fmt: skip
    assert refused(lambda data: open_match(data, over.host), changed(over.file(), GameFile, format=other)) == (
        "wrong-kind", "this is not a game file", "give the host's game file here",
    )  # fmt: skip


def test_a_transcript_has_every_sealed_answer_once(over: Sitting) -> None:
    whole = decode(over.transcript(), r.Transcript, "transcript")
    assert open_transcript(encode(whole))
    twice = encode(msgspec.structs.replace(whole, sealed=(*whole.sealed, whole.sealed[0])))
    code, message, _ = refused(open_transcript, twice)
    assert (code, message) == ("bad-sealed", "there are two sealed parts for one answer")
    first = whole.sealed[0]
    strange = msgspec.structs.replace(first, round=over.round + 5)
    code, message, _ = refused(open_transcript, encode(msgspec.structs.replace(whole, sealed=(*whole.sealed, strange))))
    name = f"{over.table.names[first.seat]} (seat {first.seat + 1})"
    assert code == "bad-sealed"
    assert message == f"round {over.round + 5}: there is a sealed answer of {name} that was never given"
    away = msgspec.structs.replace(first, round=over.round + 5, seat=7)
    *_, next = refused(open_transcript, encode(msgspec.structs.replace(whole, sealed=(*whole.sealed, away))))
    assert next


def test_players_are_called_by_name_and_seat(over: Sitting) -> None:
    told = [str(player_in(over.table, seat)) for seat in range(4)]
    assert told == ["Anna (seat 1)", "Bert (seat 2)", "Carla (seat 3)", "seat 4"]
