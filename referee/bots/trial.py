"""A game of a bot against others, in memory: to see whether and how it plays."""

import hashlib
import os
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from referee.bots.demo import NAMES
from referee.bots.players import BotPlayer, Limits, Spent
from referee.bots.playing import Fallback, Round, SeatedPlayer, deadline_for, play_out, sign_round
from referee.crypto.keys import Key
from referee.engine import host, lobby
from referee.engine.player import Marks
from referee.game import Game, Result, Terms
from referee.light.game import LightGame

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

    rules: Rules
    game: LightGame
    names: tuple[str, ...]
    chairs: tuple[SeatedPlayer, ...]
    spent: tuple[Spent, ...]
    played: tuple[Round, ...]
    """What was answered in each round."""
    seed: str

    @property
    def result(self) -> Result | None:
        return self.game.state.result

    def transcript(self) -> bytes:
        """The same game with signatures, which anybody can verify."""
        match, keys, marks = sit_down(self.rules, self.names, self.seed)
        for one in self.played:
            sign_round(match, keys, marks, one)
        return host.reveal(match)


def trial(rules: Rules, players: Sequence[Making], rounds: int | None = None) -> Trial:
    """Play a game, to its end or for this many rounds."""
    seed = os.urandom(32).hex() if rules.seed is None else rules.seed
    names = NAMES[: len(players)]
    game = LightGame(rules.game, rules.terms, _drawn(seed, "chance"))
    chairs = tuple(SeatedPlayer(make(), rules.fallback) for make in players)
    seeds = [_drawn(seed, f"bot {seat}") for seat in range(len(chairs))]
    played, spent = play_out(rules.game_id, game, names, chairs, seeds, rules.limits, rounds)
    return Trial(rules, game, tuple(names), chairs, tuple(spent), tuple(played), seed)


def sit_down(rules: Rules, names: Sequence[str], seed: str) -> tuple[host.Match, list[Key], list[Marks]]:
    """Offer, joins and genesis of a game, and the keys of its players, each with its chain."""
    key, common = Key(_drawn(seed, "host"), "Host"), _drawn(seed, "chance")
    deadline = deadline_for(rules.fallback)
    nonce = _drawn(seed, "offer")
    offer = lobby.make_offer(key, rules.game_id, rules.game, rules.terms, nonce, deadline, chance=common)
    keys = [Key(_drawn(seed, f"key {name}"), name) for name in names]
    joins = tuple(lobby.make_join(one, offer, one.name, _drawn(seed, f"join {one.name}")) for one in keys)
    table = lobby.make_genesis(key, offer, joins, common)
    nonces = [bytes.fromhex(join.nonce) for join in table.joins]
    marks: list[Marks] = [
        lobby.player_marks(one, table.offer_id, nonce) for one, nonce in zip(keys, nonces, strict=True)
    ]
    return host.new_match(key, table, common), keys, marks


def _drawn(seed: str, what: str) -> bytes:
    return hashlib.sha256(f"{what}\0{seed}".encode()).digest()
