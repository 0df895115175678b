"""The vectors that are documents: views, transcripts, single rounds, several files; good ones, and wrong in one place.

Which codes are right for a fault is worked out from PROTOCOL.md, section 8: of several faults in one step any.
"""

from tests.support.match import Sitting

from .vector_claims import claims_and_rulings, what_counts
from .vector_common import common_chance
from .vector_due import due, due_of_none, kept
from .vector_ends import ends, public_views
from .vector_files import several, transcripts, two_faults
from .vector_games import KINDS, Documents, good, played
from .vector_games_faults import faults
from .vector_games_proofs import proofs
from .vector_games_whole import wholes
from .vector_genesis import genesis, spelling
from .vector_ops import hands, minted, operations, other_games, outcomes
from .vector_proofs import make_proofs
from .vector_protests import abandonments, protests
from .vector_reading import first_faults, raw_bodies, side_by_side, small_choices, what_it_is
from .vector_rounds import answers, chain, deadlines, last_round, leaving, play_late, privates, resting
from .vector_seats import seats_change_hands
from .vector_seats_proofs import seats_compared, seats_proved
from .vector_time import banks, extended, last_year
from .vector_tools import Played, Vector, Vectors
from .vector_words import standing_orders


def documents() -> dict[str, Vector]:
    out = Vectors()
    duel = Played(Sitting("auction", 2, "vectors", deadline=0)).to_end()
    late = Played(Sitting("auction", 3, "vectors late"))
    play_late(late)
    genesis(out, duel)
    spelling(out, duel)
    chain(out, duel)
    privates(out, duel)
    answers(out, duel)
    operations(out, duel)
    outcomes(out, duel)
    deadlines(out, late)
    due(out)
    due_of_none(out, duel)
    banks(out)
    last_year(out)
    kept(out)
    protests(out)
    leaving(out)
    ends(out)
    public_views(out, duel)
    resting(out)
    hands(out, duel)
    minted(out)
    transcripts(out, duel, late)
    abandonments(out)
    last_round(out)
    common_chance(out, duel)
    standing_orders(out)
    seats_change_hands(out)
    seats_compared(out)
    other_games(out)
    several(out, duel, late)
    extended(out)
    two_faults(out, duel)
    for make in (raw_bodies, what_it_is, small_choices, side_by_side, first_faults):
        make(out, duel)
    claims_and_rulings(out)
    what_counts(out, duel)
    seats_proved(make_proofs(out, duel, late))
    real_games(out)
    return out.all


def real_games(out: Vectors) -> None:
    """Games of the four kinds that there are."""
    for kind in KINDS:
        kit = Documents(out, played(kind))
        for make in (good, faults, wholes, proofs):
            make(kit)
