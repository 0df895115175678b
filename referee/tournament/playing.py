"""One game of a tournament, played in memory by the same engine that people use."""

import hashlib
import os
import zlib
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import Annotated, BinaryIO, Literal

import msgspec

from referee.bots.causes import Cause
from referee.bots.players import Spent
from referee.bots.playing import SeatedPlayer, play_out
from referee.crypto.codec import Hex32
from referee.engine.host import reveal
from referee.engine.parts import Record, Seat, Small, State
from referee.tournament import derivation
from referee.tournament.entrants import limits_of, player_factory
from referee.tournament.outcome import Outcome
from referee.tournament.schedule import Plan
from referee.tournament.seating import Setting, load_terms, sit_down

CHUNK = 2**20
LEVEL = 6
"""Compression level: a higher one takes longer and saves less than 1%."""


class Lapse(Record, frozen=True):
    """A bot's first fault in a game. Only the organiser can attest it: no transcript shows it."""

    seat: Seat
    round: Small
    kind: Literal["illegal", "timeout", "crash", "nonsense", "untidy"]
    why: Annotated[tuple[Cause, ...], msgspec.Meta(min_length=1, max_length=4)]
    """The first fault, how the bot ended, and what it left behind."""
    count: Small
    lines: Annotated[tuple[Annotated[str, msgspec.Meta(max_length=200)], ...], msgspec.Meta(max_length=12)] = ()


class Finished(msgspec.Struct, frozen=True):
    """A game that was played: its outcome, the hash of its transcript, and the compressed transcript."""

    outcome: Outcome
    hash: Hex32
    packed: bytes
    lapses: tuple[Lapse, ...] = ()


def play_game(setting: Setting, plan: Plan) -> Finished:
    """Play a game to its end. If all its bots are deterministic, the result is always the same."""
    stage = setting.stage
    game, _ = load_terms(stage.games[plan.game])
    sat = sit_down(setting, plan)
    chairs = []
    for player, key, marks in zip(plan.seats, sat.keys, sat.marks, strict=True):
        make = player_factory(setting.players[player][1].bot, game, confined=setting.confined, hidden=setting.hidden)
        chairs.append(SeatedPlayer(make(), key, marks, stage.limits.fallback))
    seeds = [derivation.bot_chance(setting.seed, plan.number, seat) for seat in range(len(chairs))]
    spent = play_out(sat.match, chairs, seeds, limits_of(stage.limits))
    data = reveal(sat.match)
    found = (_lapse(seat, chair, spent[seat], sat.match.state.round) for seat, chair in enumerate(chairs))
    lapses = tuple(lapse for lapse in found if lapse is not None)
    ended = outcome(setting, plan, sat.match.state, lapses)
    return Finished(ended, hashlib.sha256(data).hexdigest(), pack(data), lapses)


def _lapse(seat: int, chair: SeatedPlayer, spent: Spent, rounds: int) -> Lapse | None:
    """A bot's first fault, and what it left behind."""
    notes = spent.notes()
    if not chair.faults:
        return Lapse(seat, rounds, "untidy", tuple(notes), 1) if notes else None
    number, fault = chair.faults[0]
    lines = tuple(line[:200] for line in fault.lines[-12:])
    return Lapse(seat, number, fault.kind, (fault.why, *notes), len(chair.faults), lines)


def outcome(setting: Setting, plan: Plan, state: State, lapses: Sequence[Lapse]) -> Outcome:
    """How a game ended; no times in it."""
    kinds, result = {lapse.seat: lapse.kind for lapse in lapses}, state.result
    return Outcome(
        number=plan.number,
        group=plan.group,
        game=setting.stage.games[plan.game].name,
        entrants=tuple(setting.numbers[player] for player in plan.seats),
        ranks=result.ranks if result else (),
        scores=result.scores if result else (),
        rounds=state.round,
        end=state.end,
        out=result.out if result else (),
        faults=tuple(kinds.get(seat, "") for seat in range(len(plan.seats))) if kinds else (),
    )


def pack(data: bytes) -> bytes:
    """A transcript as a separate gzip member: concatenated, they are a gzip file of JSON lines."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
    return packer.compress(data + b"\n") + packer.flush()


def unpack(packed: bytes, most: int) -> bytes:
    """The transcript in a member; `ValueError` if it is damaged, or larger than `most` bytes."""
    file = BytesIO(packed)
    data = inflate(file, most)
    if file.read(1) or not data.endswith(b"\n"):
        raise ValueError("not a whole member")
    return data[:-1]


def inflate(file: BinaryIO, most: int) -> bytes:
    """The gzip member that begins here, after which the file is at its end; `ValueError` if it is damaged or larger
    than `most` bytes."""
    found, unpacker = bytearray(), zlib.decompressobj(31)
    while not unpacker.eof and (data := unpacker.unconsumed_tail or file.read(CHUNK)):
        try:
            found += unpacker.decompress(data, CHUNK)
        except zlib.error as error:
            raise ValueError(str(error)) from None
        if len(found) > most:
            raise ValueError("too large")
    if not unpacker.eof:
        raise ValueError("not a whole member")
    file.seek(-len(unpacker.unused_data), os.SEEK_CUR)
    return bytes(found)


@lru_cache(maxsize=8)
def read_setting(data: bytes) -> Setting:
    """A setting that was sent to this process."""
    return msgspec.json.decode(data, type=Setting)


def send_setting(setting: Setting) -> bytes:
    return msgspec.json.encode(setting)
