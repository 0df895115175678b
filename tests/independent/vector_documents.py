"""The vectors that are documents: views, transcripts, single rounds, several files; good ones, and wrong in one place.

Which codes are right for a fault is worked out from PROTOCOL.md, section 8: of several faults in one step any.
"""

from tests.support.match import Sitting

from .vector_common import common_chance
from .vector_due import due, due_of_none, kept
from .vector_files import several, transcripts, two_faults
from .vector_genesis import genesis, spelling
from .vector_ops import hands, minted, operations, other_games, outcomes
from .vector_proofs import make_proofs
from .vector_rounds import answers, chain, deadlines, last_round, leaving, play_late, privates, resting
from .vector_tools import Played, Vector, Vectors
from .vector_words import standing_words


def documents() -> dict[str, Vector]:
    out = Vectors()
    duel = Played(Sitting("auction", 2, "vectors")).to_end()
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
    kept(out)
    leaving(out)
    resting(out)
    hands(out, duel)
    minted(out)
    transcripts(out, duel, late)
    last_round(out)
    common_chance(out, duel)
    standing_words(out)
    other_games(out)
    several(out, duel, late)
    two_faults(out, duel)
    make_proofs(out, duel, late)
    return out.all
