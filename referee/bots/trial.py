"""A game of a bot against others, in memory: to see whether and how it plays."""

import hashlib
import os
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from referee.bots.demo import NAMES
from referee.bots.players import BotPlayer, Limits, Spent
from referee.bots.playing import Fallback, SeatedPlayer, deadline_for, play_out
from referee.crypto.keys import Key
from referee.engine import host, lobby
from referee.game import Game, Result, Terms

Making = Callable[[], BotPlayer]


class Rules(msgspec.Struct, frozen=True):
    """How a trial is played."""

    game_id: str
    game: Game
    terms: Terms[Any, Any]
    limits: Limits = Limits()
    fallback: Fallback = "random"
    seed: str | None = None
    """Any text: the same text gives the same game. None: fresh chance."""


class Trial(msgspec.Struct, frozen=True):
    """A game that was played: how it ended, and what each player used."""

    match: host.Match
    chairs: tuple[SeatedPlayer, ...]
    spent: tuple[Spent, ...]

    @property
    def result(self) -> Result | None:
        return self.match.state.result


def trial(rules: Rules, players: Sequence[Making], rounds: int | None = None) -> Trial:
    """Play a game, to its end or for this many rounds."""

    def chance(label: str) -> bytes:
        return os.urandom(32) if rules.seed is None else hashlib.sha256(f"{label}\0{rules.seed}".encode()).digest()

    names = NAMES[: len(players)]
    match, keys = sit_down(rules, names, chance)
    chairs = tuple(
        SeatedPlayer(
            make(), key, lobby.player_marks(key, match.table.offer_id, bytes.fromhex(join.nonce)), rules.fallback
        )
        for make, key, join in zip(players, keys, match.table.joins, strict=True)
    )
    seeds = [chance(f"bot {seat}") for seat in range(len(chairs))]
    return Trial(match, chairs, tuple(play_out(match, chairs, seeds, rules.limits, rounds)))


def sit_down(rules: Rules, names: Sequence[str], chance: Callable[[str], bytes]) -> tuple[host.Match, list[Key]]:
    """Offer, joins and genesis of a game, and the keys of its players."""
    key = Key(chance("host"), "Host")
    offer = lobby.make_offer(key, rules.game_id, rules.game, rules.terms, chance("offer"), deadline_for(rules.fallback))
    players = [Key(chance(f"key {name}"), name) for name in names]
    joins = tuple(lobby.make_join(one, offer, one.name, chance(f"join {one.name}")) for one in players)
    return host.new_match(key, lobby.make_genesis(key, offer, joins)), players
