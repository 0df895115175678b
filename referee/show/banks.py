"""Time banks in words: what everybody has left, and what was taken from a seat's own. How late an answer came is the
host's word, so its player's tool says what was taken for it."""

from collections.abc import Iterable, Iterator, Sequence

from referee.engine.player import Opened
from referee.language import w
from referee.show.text import span


def banks_in_words(opened: Opened, names: Sequence[str]) -> list[str]:
    """What is left to each seat, and what was taken for this seat's last answer; nothing in a game without banks."""
    bank = opened.chain.checkpoint.state.bank
    if not bank:
        return []
    left = ", ".join(f"{name} {span(minutes)}" for name, minutes in zip(names, bank, strict=True))
    seat, rounds = opened.seat, reversed(opened.chain.rounds)
    mine = (one.entry.round for one in rounds if any(answer.seat == seat for answer in one.entry.answers))
    return [w("Left in the time banks: {banks}.", banks=left), *paid_in_words(opened, [*mine][:1])]


def paid_in_words(opened: Opened, rounds: Iterable[int]) -> Iterator[str]:
    """What was taken from the seat's own bank in these rounds, since its player has it."""
    since = max((one.since for one in opened.chain.checkpoint.state.holders if one.seat == opened.seat), default=0)
    for number in rounds:
        one = opened.chain.rounds[number - 1]
        taken = dict(one.entry.used).get(opened.seat, 0)
        if taken and number > since:
            yield w(
                "By the host's word your answer in round {round} was late: your time bank paid {span}, and has {left} "
                "left.",
                round=number,
                span=span(taken),
                left=span(one.checkpoint.state.bank[opened.seat]),
            )
