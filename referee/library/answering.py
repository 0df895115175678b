"""What a player signs about a view: an answer, a statement to the host's office, a takeover of a seat or a return to
it.

The view is opened with its ticket, and what was signed is written to the ticket before anybody else can see it."""

import os
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from referee.crypto.envelope import ident
from referee.crypto.keys import Key
from referee.engine import player
from referee.engine.names import refuse_alike
from referee.engine.player import Draft, Opened
from referee.engine.records import MoveFile
from referee.engine.seats import keys_of, open_seats, out_seats
from referee.engine.table import refuse_other_code
from referee.errors import BadSignature, Malformed, Usage, WrongTurn
from referee.io import files, tickets
from referee.io.tickets import Ticket
from referee.language import NOTHING, Text, mark, run
from referee.library import t, w
from referee.library.documents import Parcel, default_key, parcel_for, read_mailed, read_public, refuse_same
from referee.library.looking import open_view, ownership_warning
from referee.show import typed
from referee.show.text import clean

if TYPE_CHECKING:
    from referee.mail.message import Letter

REPLIES = {
    "move": mark("My signed answer for round {round} of {title}, game {game}."),
    "word": mark("My signed statement to the host for round {round} of {title}, game {game}."),
    "succession": mark("I am taking over a seat: my signed statement to the host."),
    "return": mark("I am coming back: my signed statement to the host."),
}
"""The text of a mail beside its document: no move in words."""


class PlayerSession(NamedTuple):
    """The newest view of a game, the key that it is for, and where to write what is signed."""

    opened: Opened
    ticket: Ticket | None
    key: Key
    place: Parcel


def take_seat(
    view: str, output: str | None, kind: str, key: str | None, load: Callable[[str | None], Key]
) -> PlayerSession:
    """Open a view to answer it; `load` gets the key at a path."""
    data, mail = read_mailed(view, "view")
    opened, ticket = open_view(data)
    player.refuse_public(opened)
    mine = load(key)
    if warning := ownership_warning(opened, mine.public.hex()):
        advice = t("open your own view, or name its key with --key")
        if opened.seat in opened.table.kept:
            advice = t("the host keeps the key of this seat: answer the mail in words")
        raise BadSignature(warning, advice, code="other-key")
    tickets.refuse_old(ticket, opened)
    place = place_for(opened, mail, output, opened.seat, kind)
    for path in filter(None, (place.path, place.reply)):
        refuse_same(path, view, default_key() if key is None else key)
    return PlayerSession(opened, ticket, mine, place)


def place_for(opened: Opened, mail: "Letter | None", output: str | None, seat: int, kind: str) -> Parcel:
    """Where to write something that is signed about the open round."""
    table = opened.table
    return parcel_for(mail, output, files.file_name(table.id, opened.round + 1, seat, table.names, kind))


def reply_words(opened: Opened, kind: str) -> str:
    """The text of the reply that brings such a document."""
    table = opened.table
    return w(REPLIES[kind], round=opened.round + 1, title=table.game.title, game=table.id[:8])


# --- deciding --------------------------------------------------------------------------------------------------------


class AnswerInput(NamedTuple):
    """An answer as the options of a command line give it."""

    move: str | None
    move_json: str | None
    say: Sequence[str]
    say_json: str | None


def draft_of(opened: Opened, given: AnswerInput) -> Draft:
    """The answer that was given so far. Nobody agrees to a game without seeing its terms."""
    if opened.ask is None:
        raise WrongTurn(t("this view does not ask you for anything"), t("wait for the next view"), code="not-asked")
    if opened.round == 0:
        refuse_other_code(opened.table.offer)
    before, game = opened.orders(opened.seat), opened.table.game
    move: object = None
    words: object = before
    if given.say_json is not None:
        if game.standing is None:
            raise Usage(t("this game has no standing orders"), t("leave --say-json out"))
        words = _from_json(given.say_json, game.standing.words, t("these are not standing orders of this game"))
    for phrase in given.say:
        words = typed.say_phrase(opened, words, phrase)
    if given.move_json is not None:
        if not opened.decides:
            raise Usage(t("there is nothing to choose here: you are asked for a confirmation"), t("leave the move out"))
        move = _from_json(given.move_json, game.move, t("this is not a valid move of this game"))
    elif given.move is not None:
        move, words = typed.read_clauses(opened, words, given.move)
        typed.check(opened, given.move, move)
        if move is None and opened.decides:
            raise Usage(
                t("this contains no move"),
                t("write `MOVE; WORDS`; see {run}", run=run("show", "--moves")),
                code="no-move",
            )
    return Draft(move, None if words == before else words)


def _from_json(text: str, form: Any, wrong: Text) -> Any:
    try:
        return msgspec.json.decode(text.encode(), type=form)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise Malformed(wrong, t("see {run} for the form", run=run("show", "--moves"))) from None


def successor(opened: Opened, text: str) -> str:
    """The key of the player who may take over a seat. A key that could never do so is refused, so that nobody waits in
    vain."""
    key = read_public(text, t("the player who takes over your seat is named by a public key")).hex()
    table, state = opened.table, opened.chain.checkpoint.state
    if key == table.keys[opened.seat].hex():
        if not any(one.seat == opened.seat and one.key for one in state.vacant):
            advice = t("give the key of the player who takes over your seat")
            raise Usage(t("this key is your own, and you named nobody before"), advice)
    elif len(state.holders) >= table.offer.takeovers:
        raise Usage(t("no seat of this game can be taken over any more"), t("leave the handover out"))
    elif key in keys_of(table, state):
        advice = t("ask the new player for another one: `referee key new -o FILE`")
        raise Usage(t("this key was used in this game before: a new player needs one of their own"), advice)
    return key


def protest(opened: Opened, ticket: Ticket | None, wanted: bool | None) -> tuple[int, str]:
    """What a protest states: the round in which this seat was timed out, and the id of the answer that was signed for
    it. Empty if there is nothing to state, or no protest is wanted."""
    late = player.timed_out(opened)
    if wanted and not late:
        why = t("you were not timed out since your last answer: there is nothing to protest against")
        raise Usage(why, t("leave the protest out"), code="no-protest")
    before = tickets.signed_for(ticket, opened, late) if late else None
    if wanted and before is None:
        why = t("there is no answer here that you signed for round {late}", late=late)
        raise Usage(why, t("leave the protest out"), code="no-protest")
    return (0, "") if before is None or wanted is False else (late, ident("move", bytes(before.body)))


# --- signing ---------------------------------------------------------------------------------------------------------


class Signed(NamedTuple):
    """An answer, and the ticket to keep with it."""

    data: bytes
    kept: dict[str, bytes]
    second: Text
    """What was signed before, if this is a second, different answer for one round; otherwise empty."""


def sign_answer(seated: PlayerSession, draft: Draft) -> Signed:
    """Sign an answer; nothing is written yet."""
    opened, ticket, key, _ = seated
    marks = tickets.chain_marks(ticket, opened, key)
    data = player.answer(key, opened, draft, marks)
    own = tickets.sent_answer(key, opened, draft.move) if opened.ask and opened.ask.sealed else None
    before, second = tickets.signed_for(ticket, opened), NOTHING
    if before is not None and bytes(before.body) != bytes(msgspec.json.decode(data, type=MoveFile).body):
        words = "; ".join(typed.signed_words(opened, before))
        second = t("you have already signed another answer for round {round}: {words}", round=opened.round + 1,
                   words=words)  # fmt: skip
    return Signed(data, tickets.ticket_file(ticket, opened.view, data, marks, own), second)


def sign_word(seated: PlayerSession, text: str, view: str, today: date) -> Signed:
    """Sign a statement about yourself, if an office understands it."""
    from referee.mail.words import Resign, about_player

    statement = about_player(text, today)
    if statement is None:
        known = t("`away until 2027-01-05`, `back`, `zone Europe/Berlin`, `language en`, `address new@example.org`")
        raise Usage(
            t("an office does not understand these words"), t("there are: {known}", known=known), code="bad-words"
        )
    if isinstance(statement, Resign):
        raise Usage(
            t("leaving a game is a move"), t("run {value} when you are asked", value=run("play", view, "--resign"))
        )
    data = player.sign_word(seated.key, seated.opened, text)
    return Signed(data, tickets.ticket_file(seated.ticket, seated.opened.view), NOTHING)


def sign_return(seated: PlayerSession) -> Signed:
    """Sign that you come back to a seat that missed two deadlines."""
    data = player.sign_return(seated.key, seated.opened)
    return Signed(data, tickets.ticket_file(seated.ticket, seated.opened.view), NOTHING)


def keep(seated: PlayerSession, kind: str, signed: Signed) -> None:
    """Write the ticket first, then what was signed, readable only by their owner. `-` is not written."""
    place = seated.place
    written = {**signed.kept, place.path: signed.data}
    if place.reply:
        written |= place.replies(kind, signed.data, reply_words(seated.opened, kind))
    written.pop("-", None)
    files.write(written, secret=[*written], make=[os.path.dirname(name) for name in signed.kept])


def written_files(place: Parcel, dry: bool) -> dict[str, object]:
    """The files that were signed, for programs."""
    return {"written": "" if dry else files.printable(place.path), "reply": "" if dry else files.printable(place.reply)}


def report_of(seated: PlayerSession, draft: Draft, dry: bool) -> dict[str, object]:
    """An answer, for programs."""
    opened = seated.opened
    text = "resign" if draft.resign else opened.ask.what if opened.ask else ""
    if draft.move is not None:
        text = opened.table.game.text(draft.move)
    report = {"round": opened.round + 1, "text": text, "move": draft.move, "standing": draft.standing}
    return report | {"protest": draft.protest, "handover": draft.handover} | written_files(seated.place, dry)


# --- taking over a seat -----------------------------------------------------------------------------------------------


def succeed(opened: Opened, key: Key, wanted: str | None, name: str) -> tuple[int, bytes]:
    """Sign that this key takes over a vacant seat, the one that is named or the only one it can have; also returns the
    seat."""
    seat = vacant_seat(opened, wanted, key.public.hex())
    refuse_alike([*opened.table.names, name])
    return seat, player.sign_succession(key, opened.table, opened.chain.checkpoint, seat, name, os.urandom(32))


def vacant_seat(opened: Opened, wanted: str | None, key: str) -> int:
    """Which seat this key takes over: the one that is named, or the only one that it can have."""
    table = opened.table
    if not table.offer.takeovers:
        advice = t("a new offer can allow it: {run}", run=run("offer", "--takeovers"))
        raise WrongTurn(t("in this game no seat can be taken over"), advice, code="not-vacant")
    if wanted is not None:
        from referee.io.desk import find_seat

        return find_seat(table.names, wanted)
    mine = vacant_seats(opened, key)
    if not mine:
        advice = t("{run} shows who plays, and whose seat is vacant", run=run("show"))
        raise WrongTurn(t("you cannot take over a seat of this game now"), advice, code="not-vacant")
    if len(mine) > 1:
        names = tuple(clean(table.names[one]) for one in mine)
        raise Usage(t("say which seat you take over"), t("name one of these with --seat: {names}", names=names))
    return mine[0]


def vacant_seats(opened: Opened, key: str) -> list[int]:
    """The seats that this key can take over: those whose players named it, or else those that are out."""
    state = opened.chain.checkpoint.state
    vacant, out = open_seats(opened.table, state), out_seats(state)
    return [one.seat for one in vacant if one.key == key] or [one.seat for one in vacant if one.seat in out]
