"""The signed documents of a tournament, each bound to the one before. `schemas/TOURNAMENT.md` is the authority."""

from typing import Annotated, Literal, get_args

import msgspec

from referee.crypto.codec import H, Hex32, derive
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine.records import Empty32, Name, Record

Label = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,23}\Z")]
"""The name of a bot or of a game of the tournament: it needs no quoting in file names, tables and pages."""
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
Scheme = Literal["round-robin", "gauntlet", "swiss", "knockout"]


# msgspec omits a default by identity: only empty strings, small numbers and booleans can be one, or the same value
# would have two encodings.


class Played(Record, frozen=True):
    """A game of the tournament with its terms: everything in an offer except keys and nonces."""

    name: Label
    game: Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9-]{1,40}\Z")]
    rules: Name
    code: Hex32
    seats: Annotated[int, msgspec.Meta(ge=2, le=8)]
    options: msgspec.Raw
    edition: msgspec.Raw


class Schedule(Record, frozen=True):
    """Who meets whom, and how often."""

    kind: Scheme
    games: Count = 0
    """Round robin and gauntlet: at least this many games, in whole groups; 0: every table once."""
    deals: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 1
    """Swiss and knockout: how many groups each table plays of each game."""
    rounds: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """Swiss: the number of rounds; 0: ceil(log2(number of players)), at least 1."""
    champion: Annotated[str, msgspec.Meta(max_length=24)] = ""
    """Gauntlet: the bot that meets all others."""
    duplicate: bool = True
    """The games of a group have common chance; otherwise each has its own, and only the seats change."""
    decide: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """Round robin and gauntlet: stop after the pass of a game in which it is decided, for every pair, who is stronger
    by this many rating points, or that neither is. `games` is then the maximum; 0: all games are played."""
    alpha: Annotated[int, msgspec.Meta(ge=1, le=500)] = 50
    """In thousandths: how often, at most, one of two equal bots may be called stronger."""
    beta: Annotated[int, msgspec.Meta(ge=1, le=500)] = 50
    """In thousandths: how often, at most, that difference may be missed."""


class Limits(Record, frozen=True):
    """What a bot may use, in milliseconds and megabytes, and what happens to its seat when it fails."""

    start: Annotated[int, msgspec.Meta(ge=1, le=86_400_000)]
    answer: Annotated[int, msgspec.Meta(ge=1, le=86_400_000)]
    bank: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)]
    memory: Annotated[int, msgspec.Meta(ge=16, le=1_000_000)]
    faults: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    """After this many faults in one game it is not asked again."""
    fallback: Literal["random", "miss", "resign"]


class Stage(Record, frozen=True):
    """The organiser opens a tournament, or a further stage of it, and commits to its secret."""

    name: Name
    key: Hex32
    nonce: Hex32
    secret: Hex32
    """H("tournament-secret", secret)."""
    games: Annotated[tuple[Played, ...], msgspec.Meta(min_length=1, max_length=100)]
    schedule: Schedule
    limits: Limits
    prev: Empty32 = ""
    """The ending of the previous stage."""
    arbiter: Empty32 = ""
    """The key that every offer names: its rulings bind all entrants."""


class Bot(Record, frozen=True):
    """What plays: the command, and the hash of what is run."""

    run: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1, max_length=100)]
    """One word: a built-in bot, or `module:function`. With `program`: a program with its arguments."""
    hash: Hex32
    program: bool = False
    files: Annotated[tuple[Text, ...], msgspec.Meta(max_length=1000)] = ()
    """The files that are hashed."""
    deterministic: bool = True
    """The same questions get the same answers: its games can be replayed."""


class Entrant(Record, frozen=True):
    """Somebody enters a bot and commits to a nonce."""

    stage: Hex32
    name: Label
    key: Hex32
    bot: Bot
    nonce: Hex32
    """H("tournament-nonce", nonce)."""
    kept: bool = False
    """The organiser entered it, and holds this key."""


class Closing(Record, frozen=True):
    """Entries are closed: these entrants, in this order."""

    stage: Hex32
    entrants: Annotated[tuple[Hex32, ...], msgspec.Meta(min_length=2, max_length=1000)]


class Disclosure(Record, frozen=True):
    """An entrant discloses its nonce."""

    closing: Hex32
    entrant: Hex32
    nonce: Hex32


class Start(Record, frozen=True):
    """Entrants that disclosed their nonces play; the others do not."""

    closing: Hex32
    disclosures: Annotated[tuple[Hex32, ...], msgspec.Meta(min_length=2, max_length=1000)]
    unconfined: bool = False
    """The bots of this stage run without the sandbox."""
    limits: Literal["", "group", "watch"] = ""
    """What enforces the memory and process limits of bots in the sandbox, on the machine that started the stage: a
    control group, or the program, which watches them. Empty: there is no such bot."""


class Withdrawal(Record, frozen=True):
    """A bot is withdrawn: it plays no game from number `since` on, and none of its games counts."""

    start: Hex32
    name: Label
    since: Count
    reason: Annotated[str, msgspec.Meta(max_length=400)] = ""


class Amendment(Record, frozen=True):
    """An arbiter ruled on a game: standings use the ranks of the ruling, if it has any, instead of those of the game.
    If there are several for one game, the last counts."""

    start: Hex32
    number: Count
    ruling: Envelope


class Pack(Record, frozen=True):
    """Games that were played: this binds each of their records, while the stage goes on."""

    start: Hex32
    first: Count
    """The number of its first game."""
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    size: Annotated[int, msgspec.Meta(ge=1, le=2**30)]
    """Bytes of the records, each with a line feed; readers stop there."""
    root: Hex32
    prev: Empty32 = ""
    """The pack before it in this stage."""


class Ending(Record, frozen=True):
    """All games are played: the secret, the number of games, and the last pack, which binds them all."""

    start: Hex32
    secret: Hex32
    games: Count
    numbers: Count
    """The first number after those of the schedule."""
    groups: Count
    pack: Empty32 = ""


Document = Stage | Entrant | Closing | Disclosure | Start | Pack | Withdrawal | Amendment | Ending
FORMS: dict[str, type[Document]] = {form.__name__.lower(): form for form in get_args(Document)}
"""Kind -> the type of its documents."""


def secret_of(key: Key, nonce: bytes) -> bytes:
    """The organiser's secret of a stage: derived from the key, so that nothing else must be stored."""
    return derive(key.seed, "tournament-secret", nonce)


def nonce_of(key: Key, stage: str) -> bytes:
    """An entrant's nonce: derived from its key, too."""
    return derive(key.seed, "tournament-nonce", bytes.fromhex(stage))


def kept_key(organiser: Key, stage: str, name: str) -> Key:
    """The key of an entrant that the organiser enters."""
    return Key(derive(organiser.seed, "tournament-entrant", bytes.fromhex(stage), name), name)


def make_entrant(key: Key, stage: str, name: str, bot: Bot, *, kept: bool = False) -> Envelope:
    """Enter a bot."""
    bound = H("tournament-nonce", nonce_of(key, stage)).hex()
    return sign(key, "entrant", Entrant(stage, name, key.public.hex(), bot, bound, kept))


def disclose(key: Key, stage: str, closing: str, entrant: str) -> Envelope:
    """Disclose the nonce."""
    return sign(key, "disclosure", Disclosure(closing, entrant, nonce_of(key, stage).hex()))
