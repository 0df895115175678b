"""Answers, for host and player: how a move is split into open and sealed fields, and put together again."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

import msgspec
from msgspec import Struct

from referee.crypto.codec import check_plain, decoder, encode
from referee.engine.book import Fault, known
from referee.engine.records import Secrets, State
from referee.errors import IllegalMove, Malformed, RefereeError
from referee.game import AnySeen, Game, Seen
from referee.language import run, t

_WRONG = (RefereeError, msgspec.MsgspecError, RecursionError, UnicodeDecodeError, TypeError)


def split(move: object, sealed: Sequence[str]) -> tuple[bytes, dict[str, bytes]]:
    """The canonical open fields of a move, and the canonical value of each field that the question seals."""
    if not sealed:
        return encode(move), {}
    fields: dict[str, object] = msgspec.to_builtins(move)
    if not all(hasattr(move, name) for name in sealed):
        raise IllegalMove("sealed", t("that does not answer what is asked now"))
    hidden = {name: encode(getattr(move, name)) for name in sealed}
    return encode({name: value for name, value in fields.items() if name not in sealed}), hidden


def decode_open(game: Game, answer: bytes, sealed: tuple[str, ...]) -> Struct:
    """The move from its open fields alone; anything but canonical form is refused."""
    try:
        move, again = _decoded(game.move, answer, sealed)
    except _WRONG:
        raise Fault("rule-broken", t("an answer is not a move of this game")) from None
    if again != answer:
        raise Fault("rule-broken", t("an answer is not spelled as the game spells it"))
    return move


@lru_cache(maxsize=256)
def _decoded(form: type[Struct], answer: bytes, sealed: tuple[str, ...]) -> tuple[Struct, bytes]:
    """A move, and its canonical form. Players repeat themselves, and every answer is read more than once."""
    move = decoder(form).decode(answer)
    return move, split(move, sealed)[0]


_plain = lru_cache(maxsize=256)(partial(check_plain, what="answer"))


def decode_whole(game: Game, answer: bytes, secrets: Secrets) -> Struct:
    """The move from its open and its sealed fields, as its player made it; each in canonical form, whatever else the
    game's own types would accept."""
    try:
        fields = _plain(answer)
        if not secrets:
            (move, again), hidden = _decoded(game.move, answer, ()), dict[str, bytes]()
        else:
            for secret in secrets.values():
                check_plain(bytes(secret.value), "answer")
            shown = {name: msgspec.Raw(secret.value) for name, secret in secrets.items()}
            move = decoder(game.move).decode(encode(fields | shown))
            again, hidden = split(move, list(secrets))
    except _WRONG:
        advice = t("see {run} for the form of a move", run=run("show", "--moves"))
        raise Malformed(t("the move is not one of this game"), advice) from None
    if again != answer or any(hidden[name] != bytes(secret.value) for name, secret in secrets.items()):
        raise Malformed(t("the move is not in canonical form"), t("sign it again with {run}", run=run("play")))
    return move


def read_words(game: Game, data: bytes) -> Struct:
    """Standing orders, in canonical form."""
    if game.standing is None:
        raise Fault("rule-broken", t("this game has no standing orders"))
    try:
        words: Struct = decoder(game.standing.words).decode(data)  # type: ignore[arg-type]
        if encode(words) == data:
            return words
    except _WRONG:
        pass
    raise Fault("rule-broken", t("these are not standing orders of this game, or not spelled as it spells them"))


def seen(game: Game, state: State, public: object, seat: int, faces: Mapping[str, str]) -> AnySeen:
    """What a seat may know; `faces` has at least the sealed slots that it knows."""
    return Seen(seat, public, state.pending, known(state.book, game.hands, seat, faces), state.result)
