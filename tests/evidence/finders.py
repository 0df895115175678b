"""Who finds something out first, holding which files at which round: each player with only their own view, whoever puts
files side by side, everybody with the transcript after the end."""

from collections.abc import Callable, Iterator
from typing import Any

from referee.crypto.codec import decode
from referee.crypto.envelope import ident
from referee.engine import records as r
from referee.engine.player import open_view
from referee.errors import CheckFailed, RefereeError
from referee.evidence.identify import document_kind
from referee.evidence.proofs import PROVED
from referee.evidence.replay import open_transcript
from tests.engine.attacks import COMPARING, OWNER, SIDE_BY_SIDE
from tests.engine.plots import AFTER, AT_ONCE, EARLY, EVERYBODY, NOBODY
from tests.evidence.caught import Kept, shown_by
from tests.support.match import Own

NEVER, NO_ONE = "never", "nobody"
Finding = tuple[str, str, frozenset[str]]
"""When and by whom something is noticed, and the codes of what is found."""
NOTHING: Finding = (NEVER, NO_ONE, frozenset())


class _Held:
    """A view and its player: how many rounds it has, and what the player's program says."""

    def __init__(self, data: bytes, own: dict[tuple[int, int], Own]) -> None:
        view = decode(data, r.View, "view")
        self.game, self.seat, self.rounds = ident("genesis", bytes(view.genesis.body)), view.seat, len(view.entries)
        sealed = {number: fields for (number, seat), fields in own.items() if seat == view.seat}
        self.error = failure(lambda: open_view(data, sealed))
        self.seats = len(decode(bytes(view.genesis.body), r.Genesis, "genesis").joins)


def failure(check: Callable[[], Any]) -> RefereeError | None:
    try:
        check()
    except RefereeError as error:
        return error
    return None


def first_found(kept: Kept) -> Finding:
    """What is found after an attempt, from the files that people then have. Of each game the views of the fewest rounds
    are those of the round in which it was done."""
    views = [_Held(data, own) for data, own in kept.items() if document_kind(data) == "view"]
    offences = [one for one in views if isinstance(one.error, CheckFailed)]
    if offences:
        return _by_players(views, offences)
    ends = [failure(lambda data=data: open_transcript(data)) for data in kept if document_kind(data) == "transcript"]
    running = {data: own for data, own in kept.items() if document_kind(data) != "transcript"}
    told = shown_by(running) if len(running) > 1 else []
    codes = frozenset(one.verdict.code for one in told if one.verdict.verdict == PROVED)
    if codes:
        return SIDE_BY_SIDE, COMPARING, codes
    for error in ends:
        if error is not None:
            return AFTER, EVERYBODY if isinstance(error, CheckFailed) else NOBODY, frozenset({error.code})
    altered = frozenset(one.error.code for one in views if one.error is not None)
    return (AT_ONCE, NOBODY, altered) if altered else NOTHING


def _by_players(views: list[_Held], offences: list[_Held]) -> Finding:
    """Who notices first, in the first round in which anybody does."""
    first = min(offences, key=lambda one: one.rounds)
    of_game = [one for one in views if one.game == first.game]
    deed = min(one.rounds for one in of_game)
    holding = {one.seat for one in of_game if one.rounds == first.rounds}
    finding = [one for one in offences if one.game == first.game and one.rounds == first.rounds]
    found = {one.seat for one in finding}
    assert holding >= set(range(first.seats)), "everybody's view is at hand"
    # What is found is in the newest round: so nobody could have found it sooner.
    assert all(getattr(one.error, "step", 0) in (0, None, one.rounds) for one in finding)
    by = EVERYBODY if found == holding else OWNER if len(found) == 1 else "some"
    codes = frozenset(one.error.code for one in finding if one.error is not None)
    return AT_ONCE if first.rounds == deed else EARLY, by, codes


def claimed(rows: str) -> Iterator[tuple[str, str, set[str]]]:
    """When and by whom something is noticed, and the codes, for each row of the table of attempts in PROTOCOL.md."""
    for line in rows.splitlines():
        if line.startswith("| ") and not line.startswith("| Attempt"):
            _, when, by, codes = (part.strip() for part in line.strip("| ").split(" | "))
            yield when, by, set(codes.replace("`", "").split(", "))
