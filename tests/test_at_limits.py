"""At a limit everything is as below it; one step beyond, it is not. `test_limits.py` compares what the limits are."""

import msgspec
import pytest
from msgspec.structs import replace

import referee
from referee.crypto import envelope
from referee.crypto.codec import PROJECT
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.errors import Usage
from referee.evidence.identify import NAME_MOST, name_of
from referee.io import times
from referee.library import editions, practising
from referee.show import documents, typed
from tests.support.match import Sitting, code_of


@pytest.mark.parametrize(("minutes", "warned"), [(0, False), (1, True), (59, True), (60, False), (61, False)])
def test_a_deadline_of_less_than_an_hour_is_called_short(minutes: int, warned: bool) -> None:
    assert documents.SHORT == 60
    offer = replace(Sitting("mark", 3, "short").table.offer, deadline=minutes)
    assert ("careful: with a deadline this short" in documents.terms_in_words(offer)) == warned


def test_a_line_at_the_prompt_has_a_longest() -> None:
    sitting = Sitting("auction", 3, "long").until("bid")
    opened = sitting.opened(sitting.asked[0])
    words = opened.orders(opened.seat)
    for size, told in ((typed.LONGEST, "read"), (typed.LONGEST + 1, "too long for an answer")):
        with pytest.raises(Exception) as caught:
            typed.read_clauses(opened, words, "x" * size)
        assert (told in str(caught.value)) == (told != "read")


def test_a_move_in_practice_has_a_longest() -> None:
    game = referee.practice("auction", seats=2, seed="long")
    for size, long in ((practising.LONGEST, False), (practising.LONGEST + 1, True)):
        with pytest.raises(Exception) as caught:
            game.play("x" * size)
        assert ("this is longer than any move" in str(caught.value)) == long


def test_a_kind_is_read_from_a_name_up_to_its_longest() -> None:
    for size, found in ((NAME_MOST, True), (NAME_MOST + 1, False)):
        name = "x" * (size - 2)  # with its quotes
        assert name_of(b'{"type":"%s"}' % name.encode()) == (name if found else "")


def test_spans_of_time_have_a_shortest_and_a_longest() -> None:
    for text, minutes in (("1m", 1), ("365d", 365 * 1440), ("8760h", 365 * 1440), ("525600m", 525_600)):
        assert times.read_span(text) == minutes
    for text in ("0m", "0d", "366d", "8761h", "525601m", "1", "m", "1 m", "-1m", "1.5h", "1234567m"):
        with pytest.raises(Usage):
            times.read_span(text)
    assert code_of(lambda: times.read_span(" 90m ")) == "ok"


def test_values_of_editions_are_cut_where_a_line_ends() -> None:
    for size, cut in ((editions.SHORT - 2, False), (editions.SHORT - 1, True)):
        text = '"' + "x" * size + '"'
        shown = editions._short("x" * size)
        assert shown == (text[: editions.SHORT - 1] + "…" if cut else text)
        assert len(shown) == editions.SHORT


@pytest.mark.parametrize("more", [0, 1, 2])
def test_changes_of_a_list_are_told_up_to_a_limit(more: int) -> None:
    changes = [editions.Change(f"list {at}", 1, 2) for at in range(editions.SHOWN + more)]
    found = editions.Checked("mark", "M.A.R.K.", "mine", [2], {}, {"list": changes}, [], [])
    told = [line for line in editions.lines_of(found) if line.startswith("  ")]
    assert len(told) == editions.SHOWN + bool(more)
    assert [line.strip() for line in told[editions.SHOWN :]] == (
        [f"and at {more} more place{'s' * (more > 1)} of this list"] if more else []
    )


def test_what_is_no_move_of_a_known_game_is_shown_up_to_a_limit() -> None:
    for size, shown in ((documents.LONGEST, documents.LONGEST), (documents.LONGEST + 1, documents.LONGEST)):
        assert documents._standing(b"x" * size, None) == "x" * shown
        move = r.Move("g", 2, "a" * 64, 0, "b" * 64, answer=msgspec.Raw(b"x" * size))
        assert documents._move_words(move, None, {}) == "x" * shown


def test_a_signed_body_is_as_large_as_any_document_can_be() -> None:
    for size, code in ((envelope.LONGEST, "ok"), (envelope.LONGEST + 1, "malformed")):
        signed = Envelope(msgspec.Raw(b"x" * size), "", PROJECT + "move")
        assert code_of(lambda one=signed: envelope.body_of(one, "move")) == code
