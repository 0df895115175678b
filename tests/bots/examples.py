"""How good the example bots are: `python -m tests.bots.examples GAMES` plays each against `random`."""

import sys
from pathlib import Path

from referee import games
from referee.bots.players import Limits, LocalPlayer, find
from referee.bots.trial import Rules, Trial, trial
from referee.crypto.codec import read
from referee.engine.table import make_terms

FOLDER = Path(__file__).resolve().parents[2] / "examples/bots"
BOTS: dict[str, tuple[str, str | list[str]]] = {
    "freitag.js": ("schwarzer-freitag", ["node", str(FOLDER / "freitag.js")]),
    "mark.py": ("mark", [sys.executable, str(FOLDER / "mark.py")]),
    "schwarzmarkt.py": ("schwarzmarkt", f"{FOLDER / 'schwarzmarkt.py'}:decide"),
    "weg.sh": ("weg-zum-erfolg", ["sh", str(FOLDER / "weg.sh")]),
}
"""File -> its game, and how it is run."""
SEATS = 3
PATIENT = Limits(start=60, answer=60, bank=60)


def rules_of(game_id: str, seed: str, seats: int = SEATS) -> Rules:
    game = games.load(game_id)
    edition = read(games.edition_bytes(game_id), game.edition, "edition")
    return Rules(game_id, game, make_terms(game, seats, game.options(), edition), PATIENT, seed=seed)


def played(name: str, number: int) -> tuple[Trial, int]:
    """One game against two `random`; the seat of the bot goes round."""
    game_id, bot = BOTS[name]
    rules, seat = rules_of(game_id, f"{name} {number}"), number % SEATS
    players = [lambda: LocalPlayer("random")] * SEATS
    players[seat] = find(bot, rules.game, bot[1:] if isinstance(bot, list) else ())
    return trial(rules, players), seat


def share(ranks: tuple[int, ...], seat: int) -> float:
    """What share of the others was beaten; a tie counts half. Among equals it is a half on average."""
    others = [rank for at, rank in enumerate(ranks) if at != seat]
    return sum((rank > ranks[seat]) + (rank == ranks[seat]) / 2 for rank in others) / len(others)


def strength(name: str, count: int) -> tuple[float, int]:
    """The mean share over this many games, and how many faults there were."""
    total, faults = 0.0, 0
    for number in range(count):
        done, seat = played(name, number)
        assert done.result is not None
        total += share(done.result.ranks, seat)
        faults += len(done.chairs[seat].faults)
    return total / count, faults


if __name__ == "__main__":
    for bot, (game, _) in BOTS.items():
        found, wrong = strength(bot, int(sys.argv[1]))
        sys.stdout.write(f"{bot:18} {game:20} {found:.3f} of the others beaten, {wrong} faults\n")
