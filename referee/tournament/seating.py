"""A table of a tournament: offer, joins and genesis follow from the seed, identical to the byte for everybody."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from referee import games
from referee.bots.playing import deadline_for
from referee.crypto.box import box_public
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident, sign
from referee.crypto.keys import Key
from referee.crypto.slots import seal_all
from referee.engine import records as r
from referee.engine.host import Match
from referee.engine.lobby import box_secret, chance_commitment, host_marks, host_secret, player_marks
from referee.engine.rounds import first_checkpoint
from referee.engine.table import Table, code_hash, make_terms, seating
from referee.errors import Altered, Malformed
from referee.game import Game, Terms
from referee.light.game import LightGame
from referee.tournament import derivation, t
from referee.tournament.documents import Entrant, Played, Stage
from referee.tournament.ledger import Part
from referee.tournament.outcome import Outcome
from referee.tournament.schedule import Plan


class Setting(msgspec.Struct, frozen=True):
    """Everything that a worker needs to play any game of a stage."""

    stage: Stage
    id: str
    """Of the stage."""
    seed: bytes
    players: tuple[tuple[str, Entrant], ...]
    """Those who play in this stage, each with its id."""
    numbers: tuple[int, ...]
    """Player of this stage -> entrant of the tournament."""
    start: str = ""
    """The id of the start, which the leaf of every game covers."""
    confined: bool = True
    """Third-party bots run in the sandbox. Whoever runs them decides this, not the ledger."""
    hidden: tuple[str, ...] = ()
    """Folders that no bot may see."""


class SeatedGame(msgspec.Struct, frozen=True):
    """A game before its first move: the host's side, and each seat's key and chain."""

    match: Match
    keys: tuple[Key, ...]
    marks: tuple[Sequence[bytes], ...]


def setting_of(part: Part, seed: bytes, names: Sequence[str]) -> Setting:
    """The setting of a stage; `names` are all entrants of the tournament."""
    numbers = tuple(names.index(one.name) for _, one in part.players)
    return Setting(part.stage, part.id, seed, part.players, numbers, part.ids.get("start", ""))


def load_terms(played: Played) -> tuple[Game, Terms[object, object]]:
    """A game of the tournament and its terms, with exactly the rules that the stage names."""
    return _terms(encode(played))


@lru_cache(maxsize=64)
def _terms(data: bytes) -> tuple[Game, Terms[object, object]]:
    played = decode(data, Played, "game")
    game = games.load(played.game)
    if (played.rules, played.code) != (game.rules, code_hash(played.game)):
        why = t("{name} uses different rules of {game} from those of this program", name=played.name, game=played.game)
        raise Malformed(why, t("use the same version of the program as the organiser"), code="other-rules")
    options = decode(bytes(played.options), game.options, "options")
    edition = decode(bytes(played.edition), game.edition, "edition")
    return game, make_terms(game, played.seats, options, edition)


def seat_names(setting: Setting, plan: Plan) -> list[str]:
    """The names at a table. Copies of the same bot are numbered."""
    found: list[str] = []
    for seat, player in enumerate(plan.seats):
        copy = plan.seats[:seat].count(player)
        found.append(setting.players[player][1].name + (f" ({copy + 1})" if copy else ""))
    return found


def plan_of(setting: Setting, outcome: Outcome) -> Plan:
    """The plan of a game that was played in this stage."""
    games = [one.name for one in setting.stage.games]
    try:
        seats = tuple(setting.numbers.index(entrant) for entrant in outcome.entrants)
        return Plan(outcome.number, outcome.group, games.index(outcome.game), seats)
    except ValueError:
        raise Altered("bad-games", t("game {number} is not one of its stage", number=outcome.number)) from None


def chance_of(setting: Setting, plan: Plan) -> bytes:
    """The common chance of a game: that of its group, or of its own."""
    if setting.stage.schedule.duplicate:
        return derivation.deal(setting.seed, plan.group)
    return derivation.single(setting.seed, plan.number)


def light_game(setting: Setting, plan: Plan) -> LightGame:
    """The game of this plan before its first move, without signatures."""
    return LightGame(*load_terms(setting.stage.games[plan.game]), chance_of(setting, plan))


def sit_down(setting: Setting, plan: Plan) -> SeatedGame:
    """The game of this plan, with each chain and each bag computed once. Nothing is verified here, since everything is
    made here; whoever reads the game verifies it."""
    game, terms = load_terms(setting.stage.games[plan.game])
    seed = setting.seed
    host, nonce = derivation.host_key(seed), derivation.offer_nonce(seed, plan.number)
    chance = chance_of(setting, plan)
    secret = host_secret(host, nonce)
    line = host_marks(host.public, nonce, secret)
    offer = sign(host, "offer", _offer(setting, plan, host, nonce, line[0], chance))
    offer_id = ident("offer", bytes(offer.body))
    keys, marks, joins = [], [], []
    for seat, (player, name) in enumerate(zip(plan.seats, seat_names(setting, plan), strict=True)):
        key = derivation.seat_key(seed, setting.players[player][0], plan.seats[:seat].count(player))
        salt = derivation.join_nonce(seed, plan.number, seat)
        marks.append(player_marks(key, offer_id, salt))
        joins.append(sign(key, "join", r.Join(offer_id, name, key.public.hex(), salt.hex(), marks[-1][0].hex(), True)))
        keys.append(key)
    faces, leaves = seal_all(secret, seating(offer_id, tuple(joins)), game.bags(terms), chance)
    table = Table(sign(host, "genesis", r.Genesis(offer, tuple(joins), leaves, game.hands)))
    match = Match(table, host, first_checkpoint(table), faces, line, chance)
    return SeatedGame(match, tuple(keys), tuple(marks))


def _offer(setting: Setting, plan: Plan, host: Key, nonce: bytes, tip: bytes, chance: bytes) -> r.Offer:
    """The offer that `engine.lobby.make_offer` would sign for this game."""
    stage, played = setting.stage, setting.stage.games[plan.game]
    return r.Offer(
        game=played.game,
        rules=played.rules,
        code=played.code,
        edition=played.edition,
        options=played.options,
        seats=played.seats,
        nonce=nonce.hex(),
        key=host.public.hex(),
        tip=tip.hex(),
        box=box_public(box_secret(host, nonce)).hex(),
        deadline=deadline_for(stage.limits.fallback),
        chance=chance_commitment(chance),
        arbiter=stage.arbiter,
        stage=setting.id,
    )


def same_table(setting: Setting, plan: Plan, genesis: Envelope) -> bool:
    """Whether a game was played at the table that the seed gives for this plan."""
    return sit_down(setting, plan).match.table.envelope == genesis
