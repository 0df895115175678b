"""The functions of `import referee`. They load what they need when they are called."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from referee.library.data import GameInfo, Json

if TYPE_CHECKING:
    from datetime import datetime

    from referee.crypto.keys import Key
    from referee.library.checks import Checked, Kind
    from referee.library.disputes import Findings
    from referee.library.hosting import Hosted
    from referee.library.practising import Practice
    from referee.library.sources import Source
    from referee.library.views import View

P = ParamSpec("P")
R = TypeVar("R")


def signs(function: Callable[P, R]) -> Callable[P, R]:
    """A function that reads or makes signatures: if the package for that is missing, it says so."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        from importlib import import_module

        try:
            import_module("cryptography")
        except ModuleNotFoundError:
            from referee.errors import Usage
            from referee.library import t

            why = t("signatures need the package `cryptography`, which is not installed")
            raise Usage(why, t("run `pip install cryptography`"), code="no-extra") from None
        return function(*args, **kwargs)

    return call


# --- games and practice ----------------------------------------------------------------------------------------------


def list_games() -> tuple[GameInfo, ...]:
    """Every game that is installed. A package that cannot be loaded is left out; `practice` says what is wrong with it.

    >>> [game.id for game in list_games() if game.id in ("mark", "schwarzmarkt")]
    ['mark', 'schwarzmarkt']
    >>> mark = next(game for game in list_games() if game.id == "mark")
    >>> print(mark, mark.fewest, mark.most, mark.levels)
    M.A.R.K. 2 4 ('random', 'sensible', 'strong')
    """
    import msgspec

    from referee import games
    from referee.errors import Usage

    found = []
    for game_id in games.game_ids():
        try:
            game = games.load(game_id)
        except Usage:
            continue
        defaults = msgspec.to_builtins(game.options())
        options = {
            field.name: defaults.get(field.name, field.default) for field in msgspec.structs.fields(game.options)
        }
        found.append(GameInfo(game_id, game.title, *game.seats, tuple(game.bots), options))
    return tuple(found)


def practice(
    game: str,
    *,
    seats: int | None = None,
    seat: int | None = 0,
    level: str = "sensible",
    seed: int | str = 0,
    options: Mapping[str, Json] | None = None,
    edition: bytes | None = None,
) -> "Practice":
    """Play in memory against bots; nothing is signed, and `undo` takes a move back. `seats`: the fewest that the game
    allows unless you say otherwise. `seat` is yours, from 0; with None you look on while bots play to the end. The same
    seed and moves lead to the same game. Needs msgspec alone.

    >>> game = practice("mark", seats=3, seed=1)
    >>> game.asked, len(game.moves()) > 1
    ('turn', True)
    >>> news = game.play("roll")
    >>> news[0].lines[0].startswith("Anna rolls")
    True
    >>> game.undo(), game.asked
    (True, 'turn')
    >>> watched = practice("mark", seats=3, seat=None, seed=1)
    >>> watched.result == practice("mark", seats=3, seat=None, seed=1).result
    True
    """
    from referee.library.practising import start_practice

    return start_practice(game, seats, seat, level, seed, options, edition)


# --- keys ------------------------------------------------------------------------------------------------------------


@signs
def new_key(name: str = "") -> "Key":
    """A new key with the name of its owner. Nothing is written: `write_key` makes the bytes of a key file.

    >>> key = new_key("Anna")
    >>> key.name, len(key.public)
    ('Anna', 32)
    """
    import os

    from referee.crypto.keys import Key

    return Key(os.urandom(32), name)


@signs
def read_key(source: "Source", passphrase: str = "") -> "Key":
    """A key from its file: ours, plain or locked, the file of the player's page, or an Ed25519 key of OpenSSH.

    >>> key = new_key("Anna")
    >>> read_key(write_key(key, "secret"), "secret").public == key.public
    True
    >>> read_key(write_key(key, "secret"), "wrong")
    Traceback (most recent call last):
        ...
    referee.errors.BadSignature: the passphrase does not unlock this key
    """
    from referee.io import keyfile
    from referee.library.sources import load

    return keyfile.load(keyfile.key_in(load(source, "key", "player")), passphrase)


@signs
def write_key(key: "Key", passphrase: str = "") -> bytes:
    """The bytes of a key file; with a passphrase they are locked. Keep them where nobody else can read them.

    >>> identify(write_key(new_key())).kind
    'key'
    """
    import os

    from referee.io import keyfile

    return keyfile.dump(key, passphrase, os.urandom(32) if passphrase else b"")


# --- what files say --------------------------------------------------------------------------------------------------


@signs
def identify(source: "Source") -> "Kind":
    """What a file is, at a glance: `kind` for programs, `str` for people. Nothing of it is checked.

    >>> found = identify("examples/mark/view.json")
    >>> found.kind, str(found)
    ('view', "a player's view")
    >>> identify(b"%PDF-1.7").kind
    'pdf'
    """
    from referee.library import checks

    return checks.identify(source)


@signs
def open_view(source: "Source", *, since: "View | None" = None) -> "View":
    """A player's view, from its bytes or its file: every signature is checked and every round replayed, or an error
    says what is wrong. A view that goes on from one that you opened before (`since`) is followed from there.

    >>> view = open_view("examples/mark/view.json")
    >>> view.names, view.round, view.end
    (('Anna', 'Bert', 'Carla'), 160, 'result')
    >>> view.board(80).splitlines()[0].startswith("M.A.R.K. - game")
    True
    >>> open_view(b"{}")
    Traceback (most recent call last):
        ...
    referee.errors.Malformed: this is JSON, but not a file of this program
    """
    from referee.library import views

    return views.open_view(source, since)


@signs
def verify(source: "Source") -> "Checked":
    """Check one document by itself: a view, a transcript, a proof, a claim, a ruling, an offer, a join, a move, a
    receipt or an extension. Returns what was found, or raises: `CheckFailed` for an offence of the host, `Altered` and
    `Malformed` for a file that is not whole.

    >>> found = verify("examples/schwarzer-freitag/transcript.json")
    >>> found.verdict, found.whole, found.result.ranks
    ('consistent', True, (1, 2, 3))
    """
    from referee.library import checks

    return checks.verify(source)


@signs
def judge(sources: "Iterable[Source] | Mapping[str, Source]") -> "Findings":
    """What several documents show together: offences that are proved (with a proof for each), altered files, what
    cannot be decided. A mapping names the files; otherwise they are called by their paths, or by their numbers from 1.

    >>> found = judge(["examples/mark/view.json", "examples/mark/transcript.json"])
    >>> found.consistent, found.proved
    (True, ())
    """
    from referee.library import disputes

    return disputes.judge(sources)


# --- hosting ---------------------------------------------------------------------------------------------------------


@signs
def make_offer(
    game: str,
    key: "Key",
    *,
    seats: int | None = None,
    options: Mapping[str, Json] | None = None,
    edition: "Source | None" = None,
    deadline: int = 0,
    grace: int = 0,
    bank: int = 0,
    nonce: bytes | None = None,
) -> bytes:
    """Open a game as its host: the bytes of an offer, for the players. `deadline`, `grace` and `bank` are minutes; with
    none nobody can be timed out. `nonce` is 32 random bytes, drawn here unless a test needs the same bytes again.

    >>> verify(make_offer("mark", new_key("Host"), seats=2)).facts["seats"]
    2
    """
    from referee.library import hosting

    return hosting.make_offer(game, key, seats, options, edition, (deadline, grace, bank), nonce)


@signs
def join(offer: "Source", key: "Key", name: str = "", *, nonce: bytes | None = None) -> bytes:
    """Answer an offer: the bytes of a join, for the host. Without a name it is that of the key.

    >>> offer = make_offer("mark", new_key("Host"), seats=2)
    >>> verify(join(offer, new_key("Anna"))).facts["name"]
    'Anna'
    """
    from referee.library import hosting

    return hosting.join(offer, key, name, nonce)


@signs
def start(offer: "Source", joins: "Iterable[Source]", key: "Key") -> "Hosted":
    """Start a game: the players sit in the order of their joins, and every bag is sealed. Returns the host's game and
    the first views. Start an offer once: two games from one offer prove an offence. The library remembers nothing.

    >>> host, players = new_key("Host"), [new_key("Anna"), new_key("Bert")]
    >>> offer = make_offer("mark", host, seats=2)
    >>> table = start(offer, [join(offer, key) for key in players], host)
    >>> table.asked
    {0: 'ack', 1: 'ack'}
    """
    from referee.library import hosting

    return hosting.start(offer, joins, key)


@signs
def apply(
    game: bytes,
    moves: "Source | Iterable[Source]",
    key: "Key",
    *,
    now: "datetime | None" = None,
    missed: Iterable[int] = (),
) -> "Hosted":
    """Judge one move or several, as the host: bytes in, bytes out. Returns the game after them, a view for each seat,
    and for each move what became of it, with a receipt. `missed` are seats that missed their deadline; a game with
    deadlines needs `now`, the time of the host's clock.

    **What this does not protect.** It is a pure function: it takes the bytes of a game, not a path, and keeps nothing.
    Whoever applies different moves to the same old bytes signs two stories, and two views of them prove that to
    anybody. So write the new bytes down before a view or receipt leaves the house, and always go on from the newest.
    The command line has a lock and a guard against this for its files; they are neither asked nor told here. Host a
    game with one of the two, not with both.

    >>> host, players = new_key("Host"), [new_key("Anna"), new_key("Bert")]
    >>> offer = make_offer("mark", host, seats=2)
    >>> table = start(offer, [join(offer, key) for key in players], host)
    >>> acks = [open_view(view).answer(None, key) for view, key in zip(table.views, players)]
    >>> table = apply(table.game, acks, host)
    >>> [one.code for one in table.judged], table.round, [*table.asked.values()]
    (['taken', 'taken'], 1, ['turn'])
    """
    from referee.library import hosting

    return hosting.apply(game, moves, key, now, missed)


@signs
def reveal(game: bytes, key: "Key", *, abandon: bool = False) -> tuple[bytes, bytes]:
    """The transcript of a game that is over, with all its secrets, and the game's bytes after that: from then on
    nothing is played. With `abandon` a game that cannot go on ends here, without a result.

    >>> host, players = new_key("Host"), [new_key("Anna"), new_key("Bert")]
    >>> offer = make_offer("mark", host, seats=2)
    >>> table = start(offer, [join(offer, key) for key in players], host)
    >>> transcript, game = reveal(table.game, host, abandon=True)
    >>> verify(transcript).facts["end"]
    'abandoned'
    """
    from referee.library import hosting

    return hosting.reveal(game, key, abandon=abandon)
