"""How a game starts: its terms, joins and genesis."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from referee import games
from referee.crypto.codec import decode, encode, read
from referee.crypto.envelope import Envelope
from referee.crypto.keys import Key
from referee.engine import host, lobby
from referee.engine.host import Match
from referee.engine.names import choose_name, refuse_alike
from referee.engine.parts import MOST_TAKEOVERS
from referee.engine.table import make_terms
from referee.errors import BadSignature, Usage
from referee.evidence.identify import document_kind
from referee.game import Game, Terms
from referee.io import desk, files, guard
from referee.io.gamefile import dump_match
from referee.io.times import USUAL, read_span
from referee.language import Run, quoted, run
from referee.library import t, w
from referee.library.documents import read_document, read_public, refuse_existing
from referee.library.running import Mails, files_in_words
from referee.show.rules import choices
from referee.show.text import clean

Spans = tuple[int, int, int]
"""Minutes of deadline, grace and bank."""


def arbiter_key(text: str | None) -> bytes:
    """The public key of an arbiter; empty: there is none."""
    return read_public(text, t("an arbiter is named by a public key"))


def takeovers_of(seats: int, takeover: str | None, takeovers: int | None, *, never: bool) -> tuple[int, int]:
    """How many seats can be taken over, by default all of them, and how many minutes they must be vacant."""
    if takeover is None and takeovers is None:
        return 0, 0
    if takeover is not None and never:
        why = t("without a deadline nobody is dropped: seats become free only when they are handed over or left")
        raise Usage(why, t("leave --takeover or --no-deadline out; --takeovers N goes with both"))
    most = seats if takeovers is None else takeovers
    if not 0 < most <= MOST_TAKEOVERS:
        advice = t("give a number from 1 to {most_takeovers}", most_takeovers=MOST_TAKEOVERS)
        raise Usage(t("that number of takeovers is not possible"), advice)
    return most, 0 if takeover is None else read_span(takeover)


def time_limits(deadline: str | None, grace: str | None, bank: str | None, *, never: bool) -> Spans:
    """Minutes of deadline, grace and bank. A game has a deadline unless its host declines it: without one it can only
    be abandoned when somebody stops answering."""
    if never and deadline is not None:
        raise Usage(t("--deadline and --no-deadline exclude each other"), t("give one of them"))
    if never and grace is not None:
        raise Usage(t("a grace period has no effect without a deadline"), t("leave --grace or --no-deadline out"))
    if never and bank is not None:
        raise Usage(t("a time bank has no effect without a deadline"), t("leave --bank or --no-deadline out"))
    usual = 0 if never else USUAL
    given, later, more = (read_span(text) if text is not None else 0 for text in (deadline, grace, bank))
    return usual if deadline is None else given, later, more


Wanted = tuple[str, Game, Terms[Any, Any], bytes]
"""The terms on offer, as the arguments of `engine.lobby.make_offer` after the key."""


def terms_of(game_id: str, seats: int, options: Sequence[str], edition: str | None) -> Wanted:
    """The terms from these options: `NAME=VALUE` each, and the file of an edition."""
    game = games.load(game_id)
    data = games.edition_bytes(game_id) if edition is None else read_document(edition, "edition")
    try:
        chosen = read_options(game.options, pairs(options))
    except Usage as error:
        error.next = t("leave --option out: this game has none")
        if listed := tuple(choices(game_id)):
            explained = run("games", game_id)
            error.next = t("there are: {listed}; {explained} explains them", listed=listed, explained=explained)
        raise
    return game_id, game, make_terms(game, seats, chosen, read(data, game.edition, "edition")), os.urandom(32)


def pairs(texts: Sequence[str]) -> dict[str, str]:
    """`K=V` texts as a dict."""
    split = [text.partition("=") for text in texts]
    for name, sign, _ in split:
        if not sign:
            raise Usage(
                t("an option is written NAME=VALUE"), t("see `referee games GAME` for the options and their values")
            )
        if [other for other, _, _ in split].count(name) > 1:
            raise Usage(t("option {name} is given twice", name=quoted(name[:40])), t("give each option once"))
    return {name: value for name, _, value in split}


def read_options(form: Any, pairs: Mapping[str, str]) -> Any:
    """Options of a game from `K=V` texts."""
    names = [field.name for field in msgspec.structs.fields(form)]
    for name, value in pairs.items():
        if name not in names:
            raise Usage(t("this game has no option {name}", name=quoted(name[:40])))
        try:
            msgspec.convert({name: value}, form, strict=False)
        except msgspec.ValidationError:
            raise Usage(t("the option {name} cannot be {value}", name=quoted(name), value=quoted(value[:40]))) from None
    return msgspec.convert(pairs, form, strict=False)


def sign_join(key: Key, offer: Envelope, name: str, path: str) -> bytes:
    """Sign that you take part; a host who also plays is told to use a second key. `path` is that of the offer."""
    try:
        return encode(lobby.make_join(key, offer, choose_name(name), os.urandom(32)))
    except BadSignature as error:
        if error.code != "same-key":
            raise
        advice = t(
            "make one with {second}, then run {value}",
            second=run("key", "new", "--name", name, "-o", "player-key.json"),
            value=run("join", path, "--key", "player-key.json"),
        )
        why = t("this offer is your own: a host who also plays needs a second key")
        raise BadSignature(why, advice, code=error.code) from None


def read_start(paths: Sequence[str]) -> tuple[list[tuple[str, bytes]], list[bytes]]:
    """The offer among these files, with its path, if it is there, and the joins. The only file is the offer."""
    offers, joins = list[tuple[str, bytes]](), list[bytes]()
    for path in paths:
        data = read_document(path, *(("offer",) if len(paths) == 1 else ("offer", "join")))
        kind = document_kind(data)
        decode(data, Envelope, kind or "offer")
        if kind == "offer":
            offers.append((path, data))
        elif kind == "join":
            joins.append(data)
    if len(offers) > 1:
        raise Usage(t("these are {n} offers", n=len(offers)), t("give one, and the joins for it"))
    return offers, joins


def seat_players(key: Key, offer: bytes, joins: Iterable[bytes]) -> Match:
    """A game right after its genesis: its players in the order of the joins, every bag sealed."""
    opened = decode(offer, Envelope, "offer")
    table = lobby.make_genesis(key, opened, tuple(decode(one, Envelope, "join") for one in joins))
    refuse_alike([choose_name(name) for name in table.names])
    return host.new_match(key, table)


def write_first(match: Match, path: str, folder: str, aid: desk.Aid | None, *, dry: bool) -> Mails:
    """Write a new game file and the first views, unless this offer was started before. What goes to whom."""
    with guard.guarding(match, path, source="start", dry=dry) as guarded:
        refuse_existing(path)
        if dry:
            return {}
        views = desk.view_files(match, folder, aid)
        desk.refuse_same(path, views)
        wanted = {**guarded(), path: dump_match(match), **views}
        files.write(wanted, secret=[*wanted], make=[folder])
    seats = {(seat, clean(name)): desk.view_path(match, seat, folder) for seat, name in enumerate(match.table.names)}
    return {whose: [path, *[desk.aid_path(path)] * (aid is not None)] for whose, path in seats.items()}


def started_in_words(match: Match, file: str, mails: Mails, again: Run) -> list[str]:
    """Say that a game is set up, what to send, and what comes next."""
    return [
        w("Game {game} is set up. Keep {file} to yourself: it knows every hidden card.", game=match.table.id[:8],
          file=file),
        *files_in_words(mails),
        w("Next: send each player their view; they answer with `referee play`, and you apply that with {command}.",
          command=again),
    ]  # fmt: skip
