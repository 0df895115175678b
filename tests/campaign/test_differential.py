"""A sample of the campaign; `tests/campaign/README.md` has the result of the large run."""

from collections import Counter

import pytest

from tests.campaign.differential import difference, run
from tests.independent.judges import Said

OK = Said("ok", "ok")
LATE = Said("offence", "bad-link", 3)


@pytest.mark.thorough
def test_three_verifiers_read_the_same_bytes_alike() -> None:
    """All games, all kinds of files, and most of the results that there can be."""
    said = list(run(100, "sample", proved=("mark",)))
    assert [differ for _, differ in said if differ] == []
    figures = Counter(kind for kind, _ in said)
    for kind in ("view", "transcript", "proof", "several", "claim", "ruling", "alone"):
        assert figures[f"{kind} altered"] > 2, kind
    assert all(figures[f"{kind} offence"] for kind in ("view", "transcript", "proof", "several"))
    assert len([kind for kind in figures if kind.endswith(" ok")]) > 3
    assert not figures["claim offence"] + figures["ruling offence"]


@pytest.mark.parametrize(
    ("said", "differ"),
    [
        ((OK, OK, OK), ""),
        ((LATE, LATE, LATE), ""),
        ((LATE, LATE, LATE._replace(code="bad-move")), "without rules"),
        ((LATE, LATE._replace(kind="altered"), LATE), "without rules"),
        ((LATE, OK, OK), "with rules"),
        ((OK, LATE, LATE), "with rules"),
        ((Said("offence", "rule-broken", 2), LATE, LATE), ""),
        ((Said("offence", "rule-broken", 4), LATE, LATE), "with rules"),
        ((Said("offence", "rule-broken", 4), OK, OK), ""),
        ((Said("offence", "rule-broken", 4), *[Said("offence", "two-taken", 3)] * 2), ""),
        ((Said("altered", "no-offence"), *[Said("undecided", "needs-rules")] * 2), ""),
        ((Said("altered", "mixed-proof"), *[Said("undecided", "needs-rules")] * 2), "with rules"),
        ((LATE._replace(key="a"), *[LATE._replace(key="b")] * 2), "another key"),
        ((OK._replace(key="binding"), OK._replace(key="opinion"), OK._replace(key="binding")), "without rules"),
    ],
)
def test_what_counts_as_a_difference(said: tuple[Said, Said, Said], differ: str) -> None:
    assert difference(*said) == differ
