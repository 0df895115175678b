"""What the package itself says, in German and Dutch: none of it is left in English."""

import re
from collections.abc import Iterator

import pytest

from referee.crypto.codec import encode
from referee.engine import table
from referee.engine.player import open_view
from referee.errors import RefereeError
from referee.evidence.compare import compare
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.files import read_file
from referee.evidence.identify import document_kind
from referee.language import Message, speaking
from referee.show import documents
from referee.show.findings import report
from referee.show.prompt import Quit, choose
from referee.show.rules import clause
from referee.show.terminal import pending_summary
from referee.testing.conform import Case, read_cases
from tests.independent import test_vectors as vectors
from tests.support.match import NAMES, Sitting

from .left_over import english_in
from .make import TARGETS
from .texts import ROOT


@pytest.fixture(scope="module")
def verdicts() -> dict[Message, str]:
    """What the program says to every test vector, in English: text -> the vector."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "code_hash", lambda game: vectors.codes().get(game, ""))
        return {
            text: case.name
            for case in read_cases(str(ROOT / "schemas/vectors"), steps=False)
            for text in _said(case)
            if text
        }


def _said(case: Case) -> Iterator[Message]:
    """A message and what to do next, of each error that a case leads to."""
    good = []
    for data in case.files:
        try:
            if document_kind(data) == "proof":
                found = judge_proof(read_proof(data))
                yield from (found.message, found.next)
            else:
                good.append(open_view(data) if document_kind(data) == "view" else read_file(data))
        except RefereeError as error:
            yield from (error.message, error.next)
    for shown in compare(good)[0]:
        yield from (shown.message, shown.next)


@pytest.mark.thorough
@pytest.mark.parametrize("language", TARGETS)
def test_no_verdict_is_left_in_english(verdicts: dict[Message, str], language: str) -> None:
    """What files show, and why they cannot be read."""
    assert len(verdicts) > 150
    said = {str(text): text for text in verdicts}
    with speaking(language):
        told = {str(english): str(text) for english, text in said.items()}
    # The toy that the vectors are made with speaks English only.
    ours = [text for text in said if "(TA-" not in text]
    left = {text: words for text in ours if (words := english_in(told[text], language)) or told[text] == text}
    assert not left, "\n".join(
        f"{verdicts[said[text]]}: {text} -> {told[text]} {words}" for text, words in left.items()
    )
    # What stands in a file under a name is called by that name.
    codes = {text: [sorted(re.findall(r"`([^`]*)`", one)) for one in (text, told[text])] for text in ours}
    assert {text: found for text, found in codes.items() if found[0] != found[1]} == {}


# --- what is shown ---------------------------------------------------------------------------------------------------


class Typist:
    """Somebody who types these lines at a prompt, and reads everything."""

    width, room = 80, 0

    def __init__(self, *lines: str) -> None:
        self.lines, self.read = list(lines), ""

    def ask(self, question: str) -> str:
        self.say(question)
        return self.lines.pop(0)

    def say(self, text: str) -> None:
        self.read += f"{text}\n"


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("mark", 3, "referee").until(4)


@pytest.mark.parametrize("language", TARGETS)
def test_no_document_is_left_in_english(sitting: Sitting, language: str) -> None:
    """Offer, join, move, receipt, transcript, key, and what an audit could not show."""
    seat = sitting.asked[0]
    move = sitting.signed(seat)
    with speaking(language):
        told = [
            *documents.offer_lines(encode(sitting.offer)),
            *documents.join_lines(encode(sitting.joins[0])),
            *documents.move_lines(move, lambda game: sitting.table, lambda move: {}),
            *documents.move_lines(move, lambda game: None, lambda move: {})[:1],
            *documents.key_lines("", "ab" * 32, locked=True),
            *report(open_view(sitting.view(seat))).unproved,
            *pending_summary(open_view(sitting.view(seat)), NAMES),
        ]
    assert english_in("\n".join(told), language) == []
    assert len(told) > 15


@pytest.mark.parametrize("language", TARGETS)
def test_no_question_is_left_in_english(sitting: Sitting, language: str) -> None:
    """The talk at a prompt, with everything that can be typed there."""
    opened = open_view(sitting.view(sitting.asked[0]))
    words = opened.orders(opened.seat)
    person = Typist("?", "list", "hint", "say", "say xyzzy", "rules MK-5", "xyzzy", "#99", "back", "quit")
    with speaking(language):
        with pytest.raises(Quit):
            choose(opened, person, lambda: "", lambda name: clause("mark", name), words, sure=False)
        told = person.read
    assert english_in(re.sub(r"(?m)^  [a-z]+ ", "", told), language) == [], told
    assert {"de": "nichts wird unterschrieben", "nl": "er wordt niets ondertekend"}[language] in told
