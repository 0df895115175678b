"""An arbiter's ruling on a game of the tournament: which one it is, and whether it may be taken."""

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.engine.records import Transcript
from referee.engine.table import Table
from referee.errors import WrongTurn
from referee.evidence.rulings import binding_ruling
from referee.language import run
from referee.tournament import derivation, store, t
from referee.tournament.ledger import organisers_secret
from referee.tournament.run import first_number
from referee.tournament.stage import Desk


def amend(desk: Desk, data: bytes) -> int:
    """Take a ruling into the ledger; returns the number of its game."""
    found, ruling = binding_ruling(data), decode(data, Envelope, "ruling")
    if desk.ledger.taken(ruling):
        raise WrongTurn(t("this ruling is taken already"), t("nothing to do: the standings have it"), code="ruled")
    if desk.part.start is None:
        raise WrongTurn(
            t("a stage is being prepared"),
            t("start it with {run}, then take the ruling", run=run("tournament", "start")),
            code="not-started",
        )
    number = _number_of(desk, found.table)
    desk.amend(number, ruling)
    return number


def _number_of(desk: Desk, table: Table) -> int:
    """The game of the tournament that was played at this table. The nonces of offers follow from the seed."""
    started = [part for part in desk.ledger.parts if part.start is not None]
    seeds = [(first_number(desk.ledger, part)[0], part.seed(organisers_secret(part, desk.key))) for part in started]
    for kept in store.lines(desk.folder):
        number = kept.outcome.number
        seed = next(seed for first, seed in reversed(seeds) if number >= first)
        if derivation.offer_nonce(seed, number).hex() == table.offer.nonce:
            if decode(store.transcript(desk.folder, kept), Transcript, "transcript").genesis == table.envelope:
                return number
            break
    raise WrongTurn(
        t("this ruling is about a game that is none of this tournament's"),
        t("give a ruling on one of its games: {run} takes them out", run=run("tournament", "extract")),
        code="other-game",
    )
