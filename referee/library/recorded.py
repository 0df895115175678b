"""A game of a tournament of bots, beside the ledger that binds it."""

import os
from collections.abc import Sequence

from referee.errors import Usage
from referee.io import files
from referee.language import listed, run
from referee.library import t, w
from referee.show.text import clean
from referee.tournament.derivation import host_key
from referee.tournament.proofs import check_proof, read_proof
from referee.tournament.stage import load


def keys_are_public(host: str, stage: str, ledgers: Sequence[str]) -> bool:
    """Whether everybody has the keys of a game when its tournament is over: its offer names a stage, or one of these
    ledgers has published the secret from which the host's key follows."""
    if stage:
        return True
    for path in ledgers:
        for part in load(path).parts:
            if part.ending is not None:
                seed = part.seed(bytes.fromhex(part.ending.secret))
                if host_key(seed).public.hex() == host:
                    return True
    return False


def record_in_words(data: bytes, file: str, ledgers: Sequence[str]) -> str:
    """Check what `tournament extract --proof` wrote against the one ledger, and say what it shows."""
    proof = read_proof(data)
    if len(ledgers) != 1 or not os.path.lexists(ledgers[0]):
        why = t("{file} is a game of a tournament, and needs its ledger", file=files.printable(file))
        raise Usage(why, t("give it too: {run}", run=run("verify", file, "ledger.jsonl")))
    found = check_proof(proof, load(ledgers[0]))
    outcome = found.outcome
    winners = [clean(name) for name, rank in zip(found.players, outcome.ranks, strict=False) if rank == 1]
    numbers = {"number": outcome.number, "name": clean(found.name), "rounds": outcome.rounds}
    players = listed(map(clean, found.players))
    if winners:
        return w("game {number} of {name}, {players}, {rounds} rounds, won by {winners}; the ledger binds it",
                 players=players, winners=listed(winners), **numbers)  # fmt: skip
    return w("game {number} of {name}, {players}, {rounds} rounds, void; the ledger binds it",
             players=players, **numbers)  # fmt: skip
