"""What somebody can sign at a table besides a move: with the answer a protest, or the name of a successor; on its own
a return to the seat, or words to the host's office."""

import msgspec
from msgspec.structs import replace

from referee.engine import player
from referee.engine.player import Draft, Opened
from referee.engine.seats import keys_of
from referee.io import tickets
from referee.library import answering
from referee.show import typed
from referee.show.text import clean


class Beside(msgspec.Struct, frozen=True):
    """What goes with an answer."""

    protest: bool = False
    handover: str = ""
    """The public key of the player who may take over the seat."""


class Besides(msgspec.Struct, frozen=True):
    """What can be signed here besides a move."""

    late: int = 0
    """The round in which this seat was timed out, although an answer was signed for it: a protest can state that."""
    hands_over: bool = False
    """Whether the answer can name a successor."""
    returns: bool = False
    """Whether the seat is out, and its player can come back."""
    tells: bool = False
    """Whether words to the host's office can be signed."""
    vacant: tuple[str, ...] = ()
    """Whose seats the reader can take over."""
    said: tuple[str, ...] = ()
    """What goes with the answer, in words."""


NOTHING_BESIDE = Beside()


def besides(opened: Opened, public: str, beside: Beside) -> Besides:
    """What can be signed at this table by the owner of a key (none: by somebody new), and what these say."""
    state = opened.chain.checkpoint.state
    if opened.view.seat is None or public != opened.table.keys[opened.seat].hex():
        known = public in keys_of(opened.table, state)
        seats = () if known else answering.vacant_seats(opened, public)
        return Besides(vacant=tuple(clean(opened.table.names[seat]) for seat in seats))
    return Besides(
        late=answering.protest(opened, tickets.find(opened.view), None)[0],
        hands_over=opened.ask is not None and opened.round > 0 and opened.table.offer.takeovers > 0,
        returns=player.may_return(opened),
        tells=opened.seat not in opened.table.kept and not state.end,
        said=_in_words(opened, beside),
    )


def _in_words(opened: Opened, beside: Beside) -> tuple[str, ...]:
    _, *said = typed.in_words(opened, completed(opened, player.NO_WORD, beside))  # the move is nothing to tell
    return tuple(said)


def completed(opened: Opened, draft: Draft, beside: Beside) -> Draft:
    """An answer with what goes beside it."""
    protest = answering.protest(opened, tickets.find(opened.view), beside.protest)[1]
    handover = answering.successor(opened, beside.handover) if beside.handover else ""
    return replace(draft, protest=protest, handover=handover)
