"""What a player's program remembers of each game: enough to notice a fork by the host, and what was sealed."""

import contextlib
import os
from collections.abc import Iterator, Sequence

import msgspec

from referee.crypto.codec import PROJECT, Hex32, decode, encode
from referee.crypto.envelope import body_of, ident
from referee.crypto.keys import Key
from referee.engine import player
from referee.engine import records as r
from referee.engine.chain import two_entries, two_geneses
from referee.engine.player import Opened, OwnFields, answer_secrets
from referee.engine.sealing import ephemeral_key
from referee.engine.seats import holders_in
from referee.engine.table import Table
from referee.errors import CheckFailed, Malformed, RefereeError, WrongTurn
from referee.io import files
from referee.language import run, t

FORMAT = PROJECT + "ticket"


class SentAnswer(r.SealedAnswer, frozen=True):
    """What a player sealed in an answer, and the key with which it was encrypted: both show what the host got."""

    ephemeral: Hex32


class Ticket(r.Record, frozen=True):
    """The newest view seen, what its player sealed and signed last, and the checkpoints of the player's chain."""

    format: str
    view: r.View
    sealed: tuple[SentAnswer, ...] = ()
    marks: tuple[Hex32, ...] = ()
    signed: r.MoveFile | None = None
    """The last answer that was signed."""
    before: r.MoveFile | None = None
    """The last one for an earlier round: a protest may name it."""

    @property
    def own_fields(self) -> OwnFields:
        return {one.round: one.fields for one in self.sealed}

    @property
    def ephemerals(self) -> dict[int, str]:
        return {one.round: one.ephemeral for one in self.sealed}


def path_of(view: r.View) -> str:
    """One ticket for each offer and key, and one for public views: a second game from one offer is noticed."""
    genesis = decode(body_of(view.genesis, "genesis"), r.Genesis, "genesis")
    offer = ident("offer", body_of(genesis.offer, "offer"))
    if view.seat is None or view.seat >= len(genesis.joins):
        return os.path.join(files.home(), "tickets", offer + ".json")
    key = decode(body_of(genesis.joins[view.seat], "join"), r.Join, "join").key
    return os.path.join(files.home(), "tickets", f"{offer}-{key[:16]}.json")


def find(view: r.View) -> Ticket | None:
    """The ticket for this view's game and seat, if there is one."""
    path = path_of(view)
    if not os.path.lexists(path):
        return None
    try:
        ticket = decode(files.read(path, files.LARGE, "ticket"), Ticket, "ticket")
        if ticket.format != FORMAT:
            raise Malformed(t("this is not a ticket"))
        return ticket
    except Malformed as error:
        values = {"path": files.printable(path), "message": error.message}
        advice = t("restore it from a backup, or move it away and compare your older views with {run} first",
                   run=run("audit"))  # fmt: skip
        why = t("your ticket for this game, {path}, is damaged: {message}", **values)
        raise Malformed(why, advice, code="bad-ticket") from None


def _tickets_of(game: str) -> Iterator[Ticket]:
    folder = os.path.join(files.home(), "tickets")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in names:
        with contextlib.suppress(RefereeError):
            ticket = decode(files.read(os.path.join(folder, name), files.LARGE, "ticket"), Ticket, "ticket")
            if ident("genesis", bytes(ticket.view.genesis.body)) == game:
                yield ticket


def table_of(game: str) -> Table | None:
    """The table of a game that one of the tickets knows."""
    for ticket in _tickets_of(game):
        table = Table(ticket.view.genesis).seated(holders_in(ticket.view.entries))
        with contextlib.suppress(RefereeError):  # the rules may be gone since then
            return table if table.game else None
    return None


def remembered_fields(move: r.Move) -> r.Secrets:
    """What somebody with a ticket here sealed in the round of this move, at its seat."""
    mine = (ticket for ticket in _tickets_of(move.game) if ticket.view.seat == move.seat)
    return next((ticket.own_fields.get(move.round, {}) for ticket in mine), {})


def sealed_of(game: str) -> list[SentAnswer]:
    """What everybody with a ticket here sealed in this game."""
    return [one for ticket in _tickets_of(game) for one in ticket.sealed]


def sent_answer(key: Key, opened: Opened, move: object) -> SentAnswer | None:
    """What to remember of a move that answers this view; None if it seals nothing."""
    fields = answer_secrets(key, opened.place, move)
    if not fields:
        return None
    place = opened.round + 1, opened.seat
    return SentAnswer(*place, fields, ephemeral_key(key.seed, opened.table.id, *place, fields).hex())


def age(ticket: Ticket | None, opened: Opened) -> str:
    """`new`, `same` or `old`. Both views passed all checks when they were read; if they contradict each other, both are
    kept as evidence."""
    if ticket is None:
        return "new"
    error = contradiction(ticket.view, opened.view)
    if error is not None:
        base = path_of(opened.view).removesuffix(".json") + ".evidence"
        kept = {f"{base}-1.view.json": encode(ticket.view), f"{base}-2.view.json": encode(opened.view)}
        files.write(kept, secret=[*kept])
        error.next = t(
            "both views are kept as {base}-*.view.json; show them to the other players", base=files.printable(base)
        )
        raise error
    newer = len(opened.view.entries) - len(ticket.view.entries)
    return "old" if newer < 0 else "new" if newer else "same"


def contradiction(one: r.View, other: r.View) -> CheckFailed | None:
    """The first thing that the host signed differently in two checked views of one seat."""
    if bytes(one.genesis.body) != bytes(other.genesis.body):
        return two_geneses()
    for number, (mine, theirs) in enumerate(zip(one.entries, other.entries, strict=False), 1):
        if bytes(mine.body) != bytes(theirs.body):
            return two_entries(number)
    return None


def chain_marks(ticket: Ticket | None, opened: Opened, key: Key) -> Sequence[bytes]:
    """The checkpoints of the player's chain, from the ticket or computed now (as slow as the whole chain)."""
    if ticket is not None and ticket.marks and ticket.marks[0] == opened.table.present[opened.seat].tip:
        return [bytes.fromhex(mark) for mark in ticket.marks]
    return player.holder_marks(key, opened.table, opened.seat)


def ticket_file(
    ticket: Ticket | None,
    view: r.View,
    move: bytes = b"",
    marks: Sequence[bytes] = (),
    own: SentAnswer | None = None,
) -> dict[str, bytes]:
    """The ticket to keep for a view, and for the move that answers it with what its player sealed in it, as a file to
    write."""
    sealed, signed, before = (ticket.sealed, ticket.signed, ticket.before) if ticket else ((), None, None)
    if move:
        last = signed
        signed = msgspec.json.decode(move, type=r.MoveFile)
        body = msgspec.json.decode(signed.body, type=r.Move)
        if last is not None and msgspec.json.decode(last.body, type=r.Move).round < body.round:
            before = last
        if own is not None:
            sealed = (*(one for one in sealed if one.round != own.round), own)
    kept = tuple(mark.hex() for mark in marks) or (ticket.marks if ticket else ())
    return {path_of(view): encode(Ticket(FORMAT, view, sealed, kept, signed, before))}


def signed_for(ticket: Ticket | None, opened: Opened, round: int = 0) -> r.MoveFile | None:
    """The answer to this view, or for this round, that was signed here before, if any."""
    for signed in filter(None, (ticket.signed, ticket.before) if ticket else ()):
        body = msgspec.json.decode(signed.body, type=r.Move)
        if (body.game, body.round) == (opened.table.id, round or opened.round + 1):
            return signed
    return None


def remember(ticket: Ticket | None, view: r.View) -> None:
    """Remember this view as the newest one seen."""
    kept = ticket_file(ticket, view)
    files.write(kept, secret=[*kept], make=[os.path.dirname(path) for path in kept])


def refuse_old(ticket: Ticket | None, opened: Opened) -> None:
    """Before signing: the view must be the newest one seen."""
    if age(ticket, opened) == "old":
        raise WrongTurn(t("you have already seen a newer view of this game"), t("use the newest view"), code="old-view")
