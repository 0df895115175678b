"""What the package says of its own, in German and Dutch: nothing of it is left in English."""

from collections.abc import Iterator

import pytest

from referee.engine import table
from referee.engine.player import open_view
from referee.errors import RefereeError
from referee.evidence.compare import compare
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.files import kind_of, read_file
from referee.language import retold, speaking
from referee.testing.conform import Case, read_cases
from tests.independent import test_vectors as vectors

from .left_over import english_in
from .make import ROOT, TARGETS


@pytest.fixture(scope="module")
def verdicts() -> dict[str, str]:
    """What the program says to every test vector, in English: text -> the vector."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "code_hash", lambda game: vectors.codes().get(game, ""))
        return {text: case.name for case in read_cases(str(ROOT / "schemas/vectors")) for text in _said(case) if text}


def _said(case: Case) -> Iterator[str]:
    """A message and what to do next, of each error that a case leads to."""
    good = []
    for data in case.files:
        try:
            if kind_of(data) == "proof":
                found = judge_proof(read_proof(data))
                yield from (found.message, found.next)
            else:
                good.append(open_view(data) if kind_of(data) == "view" else read_file(data))
        except RefereeError as error:
            yield from (error.message, error.next)
    for error in compare(good)[0]:
        yield from (error.message, error.next)


@pytest.mark.thorough
@pytest.mark.parametrize("language", TARGETS)
def test_no_verdict_is_left_in_english(verdicts: dict[str, str], language: str) -> None:
    """What files show, and why they cannot be read."""
    assert len(verdicts) > 150
    with speaking(language):
        told = {text: retold(text) for text in verdicts}
    # The toy that the vectors are made with speaks English only.
    ours = [text for text in verdicts if "(TA-" not in text]
    left = {text: words for text in ours if (words := english_in(told[text], language)) or told[text] == text}
    assert not left, "\n".join(f"{verdicts[text]}: {text} -> {told[text]} {words}" for text, words in left.items())
