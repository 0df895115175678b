"""A proof that a game belongs to a tournament: its record, and the way from there to a line of the ledger."""

from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace

from referee.crypto.codec import PROJECT, Hex32, encode
from referee.crypto.document import read_file
from referee.engine.parts import Record
from referee.errors import Altered, Malformed, RefereeError, Usage
from referee.light.game import LightGame
from referee.tournament import derivation, store, t
from referee.tournament.documents import Pack
from referee.tournament.ledger import Ledger, Part
from referee.tournament.outcome import Outcome
from referee.tournament.playing import play_on
from referee.tournament.records import GameRecord
from referee.tournament.seating import Setting, chance_of, load_terms, plan_of, setting_of

FORMAT = PROJECT + "record"


class GameProof(Record, frozen=True):
    """One game of a tournament, to be read beside the ledger."""

    format: str
    pack: Hex32
    """The id of the pack's line in the ledger."""
    place: Annotated[int, msgspec.Meta(ge=0, lt=1000)]
    """In its pack, from 0."""
    path: Annotated[tuple[Hex32, ...], msgspec.Meta(max_length=16)]
    chance: Hex32
    record: GameRecord


class Proved(NamedTuple):
    """What a proof shows: who bound it, and how the game ended."""

    name: str
    """Of the tournament."""
    players: tuple[str, ...]
    outcome: Outcome


def make_proof(folder: str, ledger: Ledger, part: Part, setting: Setting, number: int) -> GameProof:
    """The proof for a game that is in a pack."""
    first = store.first_pack(ledger, part)
    for at, (name, pack) in enumerate(zip(part.pack_ids, part.packs, strict=True)):
        if not pack.first <= number or (at + 1 < len(part.packs) and part.packs[at + 1].first <= number):
            continue
        lines = store.pack_lines(folder, first + at, pack)
        records = [store.stored(line) for line in lines]
        chances = [chance_of(setting, plan_of(setting, one.outcome)) for one in records]
        leaves = [
            derivation.leaf(setting.start, one.outcome.number, chance, line)
            for one, chance, line in zip(records, chances, lines, strict=True)
        ]
        for place, one in enumerate(records):
            if one.outcome.number == number:
                path = tuple(node.hex() for node in derivation.path(leaves, place))
                return GameProof(FORMAT, name, place, path, chances[place].hex(), one)
    why = t("game {number} is in no pack yet", number=number)
    raise Usage(why, t("wait until the ledger binds it"), code="no-game")


def read_proof(data: bytes) -> GameProof:
    """A proof; only its form is checked."""
    proof = read_file(data, GameProof, "proof")
    if proof.format != FORMAT:
        raise Malformed(
            t("this is not a game of a tournament"), t("give a file of `extract --proof`"), code="wrong-kind"
        )
    return proof


def check_proof(proof: GameProof, ledger: Ledger) -> Proved:
    """Check a proof against the ledger: that the organiser bound this game, and that the rules give how it ended."""
    part, pack = _pack(ledger, proof.pack)
    outcome, chance = proof.record.outcome, bytes.fromhex(proof.chance)
    leaf = derivation.leaf(part.ids["start"], outcome.number, chance, encode(proof.record))
    try:
        root = derivation.climb(leaf, proof.place, pack.count, [bytes.fromhex(one) for one in proof.path])
    except ValueError:
        root = b""
    if proof.place >= pack.count or root.hex() != pack.root:
        raise Altered("bad-pack", t("this game is not the one that the organiser bound at its place"))
    names = ledger.names
    played = next((one for one in part.stage.games if one.name == outcome.game), None)
    if played is None or len(outcome.entrants) != played.seats or max(outcome.entrants) >= len(names):
        raise Altered("bad-games", t("game {number} is not one of its stage", number=outcome.number))
    game = LightGame(*load_terms(played), chance)
    try:
        state = play_on(game, part.stage.limits, proof.record)
    except RefereeError as error:
        raise Altered(
            "bad-games", t("game {number}: {message}", number=outcome.number, message=error.message)
        ) from None
    result = state.result
    told = replace(
        outcome, ranks=result.ranks if result else (), scores=result.scores if result else (), rounds=state.round,
        end=state.end, out=result.out if result else (),
    )  # fmt: skip
    if told != outcome:
        raise Altered("bad-games", t("game {number}: its record does not match the game", number=outcome.number))
    if part.ending is not None:
        setting = _setting(ledger, part)
        if chance_of(setting, plan_of(setting, outcome)) != chance:
            raise Altered("bad-table", t("game {number} was not dealt as the seed determines", number=outcome.number))
    return Proved(part.stage.name, tuple(names[one] for one in outcome.entrants), outcome)


def _setting(ledger: Ledger, part: Part) -> Setting:
    assert part.ending is not None
    return setting_of(part, part.seed(bytes.fromhex(part.ending.secret)), ledger.names)


def _pack(ledger: Ledger, name: str) -> tuple[Part, Pack]:
    """The pack with this id, and its stage."""
    for part in ledger.parts:
        for one, pack in zip(part.pack_ids, part.packs, strict=True):
            if one == name:
                return part, pack
    why = t("the pack of this game is not in that ledger")
    raise Altered("other-tournament", why)
