"""One game of a tournament, in memory, through the engine that everybody uses."""

import hashlib
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from referee.bots.causes import Cause
from referee.bots.players import BotPlayer, Spent
from referee.bots.playing import Chair, close, play
from referee.crypto.codec import Hex32
from referee.engine.host import Match, reveal
from referee.engine.parts import Record, Seat, Small
from referee.game import Game
from referee.tournament import derivation
from referee.tournament.entrants import limits_of, maker
from referee.tournament.outcome import Outcome
from referee.tournament.schedule import Plan
from referee.tournament.seating import Setting, load_terms, sit_down

LEVEL = 6
"""Of the compression: a higher one takes longer and saves less than a hundredth."""


class Lapse(Record, frozen=True):
    """What a bot did wrong first in a game: the organiser's word, for no transcript can show it."""

    seat: Seat
    round: Small
    kind: Literal["illegal", "timeout", "crash", "nonsense", "untidy"]
    why: Annotated[tuple[Cause, ...], msgspec.Meta(min_length=1, max_length=4)]
    """Its first fault, how it ended, and what it left behind."""
    count: Small
    lines: Annotated[tuple[Annotated[str, msgspec.Meta(max_length=200)], ...], msgspec.Meta(max_length=12)] = ()


class Finished(msgspec.Struct, frozen=True):
    """A game that was played: how it ended, the hash of its transcript, and that, packed."""

    outcome: Outcome
    hash: Hex32
    packed: bytes
    lapses: tuple[Lapse, ...] = ()


def play_game(setting: Setting, plan: Plan) -> Finished:
    """Play it to its end. The same for ever, if all its bots are deterministic."""
    game, _ = load_terms(setting.games[plan.game])
    sat, limits = sit_down(setting, plan), limits_of(setting.limits)
    chairs = [
        Chair(_player(setting, player, game), key, marks, setting.limits.fallback)
        for player, key, marks in zip(plan.seats, sat.keys, sat.marks, strict=True)
    ]
    try:
        for seat, chair in enumerate(chairs):
            chair.begin(sat.match, seat, derivation.bot_chance(setting.seed, plan.number, seat), limits)
        for _ in play(sat.match, chairs):
            pass
    finally:
        spent = close(sat.match, chairs)
    data = reveal(sat.match)
    found = (_lapse(seat, chair, spent[seat], sat.match.state.round) for seat, chair in enumerate(chairs))
    lapses = tuple(lapse for lapse in found if lapse is not None)
    return Finished(outcome_of(setting, plan, sat.match, lapses), hashlib.sha256(data).hexdigest(), pack(data), lapses)


def _player(setting: Setting, player: int, game: Game) -> BotPlayer:
    return maker(setting.bots[player], game, confined=setting.confined, hidden=setting.hidden)()


def _lapse(seat: int, chair: Chair, spent: Spent, rounds: int) -> Lapse | None:
    """What a bot did wrong: its first fault, and what it left behind."""
    notes = spent.notes()
    if not chair.faults:
        return Lapse(seat, rounds, "untidy", tuple(notes), 1) if notes else None
    number, fault = chair.faults[0]
    return Lapse(seat, number, fault.kind, (fault.why, *notes), len(chair.faults), _short(fault.lines))


def _short(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line[:200] for line in lines[-12:])


def outcome_of(setting: Setting, plan: Plan, match: "Match", lapses: Sequence[Lapse]) -> Outcome:
    """How a game ended, without any clock."""
    state = match.state
    return outcome(setting, plan, state.result, state.round, state.end, lapses)


def outcome(setting: Setting, plan: Plan, result: object, rounds: int, end: str, lapses: Sequence[Lapse]) -> Outcome:
    kinds = {lapse.seat: lapse.kind for lapse in lapses}
    return Outcome(
        number=plan.number,
        group=plan.group,
        game=setting.games[plan.game].name,
        entrants=tuple(setting.numbers[player] for player in plan.seats),
        ranks=tuple(getattr(result, "ranks", ())),
        scores=tuple(getattr(result, "scores", ())),
        rounds=rounds,
        end=end,
        out=tuple(getattr(result, "out", ())),
        faults=tuple(kinds.get(seat, "") for seat in range(len(plan.seats))) if kinds else (),
    )


def pack(data: bytes) -> bytes:
    """A transcript as a gzip member of its own: many of them are a gzip file of JSON lines."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
    return packer.compress(data + b"\n") + packer.flush()


def unpack(packed: bytes, most: int) -> bytes:
    """The transcript in a member; `ValueError` if it is damaged, or larger than `most` bytes."""
    unpacker = zlib.decompressobj(31)
    try:
        data = unpacker.decompress(packed, most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not unpacker.eof or unpacker.unused_data or not data.endswith(b"\n"):
        raise ValueError("not a whole member")
    return data[:-1]


@lru_cache(maxsize=8)
def read_setting(data: bytes) -> Setting:
    """A setting as it was sent to this process."""
    return msgspec.json.decode(data, type=Setting)


def send_setting(setting: Setting) -> bytes:
    return msgspec.json.encode(setting)
