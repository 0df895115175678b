"""The player's file of the page: a key, and what it remembers of each game. So nothing has to stay in a browser."""

from referee.crypto.codec import PROJECT, Hex32, decode, encode
from referee.engine import records as r
from referee.errors import Malformed
from referee.io.keyfile import KeyFile
from referee.language import t

FORMAT = PROJECT + "player"


class Head(r.Record, frozen=True):
    """An entry that was seen, by its round and id; in round 0 the genesis."""

    round: r.Round
    newest: Hex32


class SeenGame(r.Record, frozen=True):
    """A ticket: the newest entry seen of a game, what its player sealed, and the answers signed last."""

    offer: Hex32
    game: Hex32
    round: r.Round
    newest: Hex32
    others: tuple[Head, ...] = ()
    """Entries that another file of this player has seen, until a view shows that they belong to the same story."""
    sealed: tuple[r.SealedAnswer, ...] = ()
    signed: tuple[r.MoveFile, ...] = ()
    """More than one for a round if its player signed again."""


class PlayerFile(r.Record, frozen=True):
    """One file for everything that a player must keep, and keep secret."""

    format: str
    key: KeyFile
    number: r.Small = 0
    """Of two files, the one with the lower number is older."""
    tickets: tuple[SeenGame, ...] = ()


def key_in(data: bytes) -> bytes:
    """The key file in a player's file; any other data as they are."""
    if not data.startswith(b'{"format":"%b"' % FORMAT.encode()):
        return data
    file = decode(data, PlayerFile, "player's file")
    if file.format != FORMAT:
        raise Malformed(t("this is no player's file"), t("give the file that the page wrote"))
    return encode(file.key)
