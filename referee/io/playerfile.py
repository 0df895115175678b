"""The player's file of the page: a key, and what it remembers of each game. So nothing has to stay in a browser."""

from referee.crypto.codec import PROJECT, Hex32, decode, encode
from referee.engine import records as r
from referee.errors import Malformed
from referee.io.keyfile import KeyFile

FORMAT = PROJECT + "player"


class Seen(r.Record, frozen=True):
    """A ticket: the newest entry seen of a game (in round 0 its genesis), what its player sealed, and signed last."""

    offer: Hex32
    game: Hex32
    round: r.Round
    newest: Hex32
    sealed: tuple[r.SealedAnswer, ...] = ()
    signed: r.MoveFile | None = None


class PlayerFile(r.Record, frozen=True):
    """One file for everything that a player must keep, and keep secret."""

    format: str
    key: KeyFile
    tickets: tuple[Seen, ...] = ()


def key_in(data: bytes) -> bytes:
    """The key file in a player's file; any other data as they are."""
    if not data.startswith(b'{"format":"%b"' % FORMAT.encode()):
        return data
    file = decode(data, PlayerFile, "player's file")
    if file.format != FORMAT:
        raise Malformed("this is no player's file", "give the file that the page wrote")
    return encode(file.key)
