"""What was measured of a game among bots: `measured.json`, which `python -m tests.campaign.measured` writes."""

from math import sqrt
from typing import Any

import msgspec

from referee import games

Z99 = 2.575829303548901
"""So many standard deviations on either side contain 99 % of a normal distribution."""
Around = tuple[float, float]
"""A mean, and how far from it the true one may be, with 99 % confidence."""


class Cell(msgspec.Struct, frozen=True):
    """Who won games with one bot at every seat; a shared win counts in parts."""

    bot: str
    players: int
    games: int
    seats: list[float]
    """Games that each seat won."""
    places: list[float]
    """Games that each place in the order of play won, from the start player on."""
    first: list[str]
    """Who won the first few, so that somebody can play them again: a seat, or `0+2`."""


class Setting(msgspec.Struct, frozen=True):
    """How games go with the default options, or with one other."""

    option: str
    """`expert=true`; empty for the default options."""
    bot: str
    players: int
    games: int
    rounds: Around
    points: Around
    """Of each player."""
    start: float
    """Games that the start player won."""


class Happened(msgspec.Struct, frozen=True):
    """How often things happen in a game, by number of players."""

    bot: str
    games: int
    """With each number of players; with some of them perhaps more."""
    players: list[int]
    means: dict[str, list[float]]


class Record(msgspec.Struct, frozen=True):
    """All that was measured, and with which version of the rules."""

    rules: str = ""
    wins: list[Cell] = []
    options: list[Setting] = []
    happens: list[Happened] = []


def record(game_id: str) -> Record:
    """What was measured of a game; nothing if it does not say."""
    return msgspec.json.decode(games.measured_bytes(game_id), type=Record)


def wilson(share: float, number: int, z: float = Z99) -> tuple[float, float]:
    """The 99 % confidence interval of a share of this many games (Wilson's score interval)."""
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z / (1 + z * z / number) * sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    return max(0.0, middle - half), min(1.0, middle + half)


def facts(game_id: str) -> dict[str, Any]:
    """What was measured, with shares and intervals: for reports."""
    found = record(game_id)
    wins = [
        {"players": cell.players, "bot": cell.bot, "games": cell.games}
        | {"seats": _shares(cell.seats, cell.games), "places": _shares(cell.places, cell.games)}
        for cell in found.wins
    ]
    settings = [
        {"option": one.option, "players": one.players, "bot": one.bot, "games": one.games}
        | {"rounds": one.rounds, "points": one.points, "start": _shares([one.start], one.games)[0]}
        for one in found.options
    ]
    return {"wins": wins, "options": settings, "happens": msgspec.to_builtins(found.happens)}


def _shares(won: list[float], number: int) -> list[dict[str, float]]:
    """Each share with its interval."""
    found = []
    for games_won in won:
        low, high = wilson(games_won / number, number)
        found.append({"share": round(games_won / number, 4), "low": round(low, 4), "high": round(high, 4)})
    return found
