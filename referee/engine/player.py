"""The player's side: open a view (which checks all of it, once), and answer what it asks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from referee.crypto.box import box_hash, to_text
from referee.crypto.codec import check_plain, derive, encode, raw
from referee.crypto.document import read_file
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.answers import seen, split
from referee.engine.chain import Followed, follow, open_table, read_private
from referee.engine.draws import commitments
from referee.engine.judging import NOT_ORDERS
from referee.engine.lobby import player_marks, successor_marks
from referee.engine.names import check_name, check_names
from referee.engine.reader import Owner
from referee.engine.rounds import ACK, Checkpoint, asked, may_protest
from referee.engine.sealing import encrypted, ephemeral_key
from referee.engine.seats import arrival_fault, keys_of, late_seats, open_seats, out_seats, rests, vacancies
from referee.engine.table import Table, refuse_other_code
from referee.errors import Altered, BadSignature, Malformed, Usage, WrongTurn
from referee.game import LINK, AnySeen, Ask
from referee.language import run, t

Marks = Sequence[bytes]
"""Checkpoints of a chain; none: they are worked out from the key."""
OwnFields = Mapping[int, r.Secrets]
"""Round -> what a player sealed, as their own program kept it."""


class Place(NamedTuple):
    """Where somebody sits: at which table, at which checkpoint of the game, knowing which sealed slots (at least)."""

    table: Table
    checkpoint: Checkpoint
    seat: int
    faces: Mapping[str, str]


class Opened(msgspec.Struct, frozen=True):
    """A view that passed every check."""

    view: r.View
    chain: Followed
    owner: Owner

    @property
    def table(self) -> Table:
        return self.chain.table

    @property
    def seat(self) -> int:
        """Whose view it is; for a public view the first number that is not a seat."""
        return self.table.seats if self.view.seat is None else self.view.seat

    @property
    def place(self) -> Place:
        return Place(self.table, self.chain.checkpoint, self.seat, self.owner.faces)

    @property
    def seen(self) -> AnySeen:
        """The position as this player may see it."""
        checkpoint = self.chain.checkpoint
        if checkpoint.public is None:
            raise WrongTurn(
                t("nothing is dealt yet"), t("agree to the game with {run}", run=run("play")), code="not-dealt"
            )
        return seen(self.table.game, checkpoint.state, checkpoint.public, self.seat, self.owner.faces)

    @property
    def name(self) -> str:
        """Of the player whose view it is; a public view is nobody's."""
        return "" if self.view.seat is None else self.table.names[self.view.seat]

    @property
    def round(self) -> int:
        return self.chain.checkpoint.state.round

    @property
    def ask(self) -> Ask | None:
        """What this seat is asked now."""
        return asked(self.chain.checkpoint.state).get(self.seat)

    def orders(self, seat: int) -> Any:
        """The standing orders of a seat; None in a game without any."""
        rule, public = self.table.game.standing, self.chain.checkpoint.public
        return rule and (rule.words() if public is None else public.standing[seat])

    @property
    def decides(self) -> bool:
        """Whether this seat is asked for a decision, not only for a confirmation."""
        return self.ask is not None and self.ask.what not in (ACK, LINK)


def read_view(data: bytes) -> r.View:
    """A view file; only its form is checked."""
    view = read_file(data, r.View, "view")
    if position := r.content(view.public):
        check_plain(position, "view")
    if view.format != r.VIEW_FILE:
        raise Malformed(t("this is not a view"), t("give a player's view file here"), code="wrong-kind")
    return view


def open_view(data: bytes | r.View, sealed: OwnFields | None = None, since: Opened | None = None) -> Opened:
    """Check a view on its own: all signatures, links and draws, every round by the rules, and, with what this seat was
    told, everything that only its owner can check. A view that continues one opened before (`since`) is followed from
    there; of another seat's view at the same table, the table is not checked again."""
    view = read_view(data) if isinstance(data, bytes) else data
    before = since if since is not None and _continues(since.view, view) else None
    other = since.table.seated(()) if since and since.table.envelope == view.genesis else open_table(view.genesis)
    table = before.table if before else other
    if view.seat is not None and view.seat >= table.seats:
        raise Altered("mixed-view", t("this view is for a seat that does not exist"))
    if view.seat is None and view.privates:
        raise Altered("mixed-view", t("a public view has private parts"))
    owner = Owner(table.seats if view.seat is None else view.seat, sealed or {})
    if before:
        owner.faces, owner.opened = dict(before.owner.faces), before.owner.opened
    privates = _privates(table, view, before)
    chain = follow(table, view.entries, owner, privates, before.chain if before else None)
    public = encode(chain.checkpoint.public) if chain.rounds else b""
    if r.content(view.public) != public:
        message = t("the position in this view is not the one that the host signed")
        raise Altered("mixed-view", message, len(chain.rounds))
    return Opened(view, chain, owner)


def _continues(one: r.View, other: r.View) -> bool:
    """Whether a view is another one with more entries."""
    begins = other.entries[: len(one.entries)], other.privates[: len(one.privates)]
    return (one.seat, one.genesis, one.entries, one.privates) == (other.seat, other.genesis, *begins)


def _privates(table: Table, view: r.View, before: Opened | None) -> dict[int, r.Private]:
    """Round -> what this seat was told then."""
    found: dict[int, r.Private] = {}
    known, last = (len(before.view.privates), before.round) if before else (0, 0)
    for envelope in view.privates[known:]:
        place = read_private(envelope, table, 0)
        fits = place.game == table.id and place.seat == view.seat and place.round <= len(view.entries)
        if not fits or place.round <= max(found, default=last):
            raise Altered("mixed-view", t("a private part of this view belongs elsewhere"), place.round)
        found[place.round] = place
    return found


# --- answers ---------------------------------------------------------------------------------------------------------


class Draft(msgspec.Struct, frozen=True):
    """An answer before it is signed."""

    move: object = None
    """None: a confirmation."""
    standing: object = None
    """The standing orders from now on, if they change."""
    resign: bool = False
    protest: str = ""
    """The id of a move, see `timed_out`."""
    handover: str = ""
    """The key that may take over the seat; the seat's own key withdraws that."""


NO_WORD = Draft()


def answer(key: Key, opened: Opened, draft: Draft = NO_WORD, marks: Marks = ()) -> bytes:
    """Sign an answer to what a view asks; `marks` are those of your own chain, if kept."""
    _refuse_other_key(key, opened)
    if opened.ask is not None and opened.ask.what == ACK:
        refuse_other_code(opened.table.offer)
        check_names(opened.table.names)
    return sign_answer(key, opened.place, draft, marks)


def timed_out(opened: Opened) -> int:
    """The round in which this seat was last timed out, if its next answer may protest against that; else 0."""
    if opened.ask is None or not may_protest(opened.table, opened.chain.checkpoint.state, opened.seat):
        return 0
    return max(one.entry.round for one in opened.chain.rounds if opened.seat in one.entry.timeouts)


def refuse_public(opened: Opened) -> None:
    """Only a player's own view can be answered."""
    if opened.view.seat is None:
        why = t("this is a public view: it belongs to no seat")
        raise Usage(why, t("ask the host for your own view"), code="public-view")


def _refuse_other_key(key: Key, opened: Opened) -> None:
    refuse_public(opened)
    if key.public != opened.table.keys[opened.seat]:
        advice = t("use the key you joined with (--key)")
        raise BadSignature(t("this view is for another player's key"), advice, code="other-key")


def sign_answer(key: Key, place: Place, draft: Draft = NO_WORD, marks: Marks = ()) -> bytes:
    """Sign a seat's answer to what it is asked at this moment; the rules judge it by what the seat knows."""
    table, checkpoint, seat, faces = place
    move, standing, resign = draft.move, draft.standing, draft.resign
    ask, number = asked(checkpoint.state).get(seat), checkpoint.state.round + 1
    if ask is None:
        raise WrongTurn(t("you are not asked for anything now"), t("wait for the next view"), code="not-asked")
    bare = ask.what in (ACK, LINK)
    fields: r.Json = r.NOTHING
    sealed, words = r.Secrets(), table.game.standing
    if standing is not None and resign:
        raise Usage(t("a player who leaves cannot give standing orders"), t("leave them out"), code="bad-words")
    if standing is not None and (words is None or not isinstance(standing, words.words)):
        raise Usage(*NOT_ORDERS, code="bad-words")
    if resign and ask.what == ACK:
        raise Usage(t("the game has not started yet"), t("do not agree to it if you do not want to play"))
    if move is not None and bare:
        raise Usage(t("there is nothing to choose here: you are asked for a confirmation"), t("leave the move out"))
    if move is None and not (bare or resign or checkpoint.state.holding):
        raise Usage(t("no move given"), t("choose a move; see {run}", run=run("show", "--moves")), code="no-move")
    if draft.protest and not may_protest(table, checkpoint.state, seat):
        why = t("you have not been timed out since your last answer: there is nothing to protest against")
        raise Usage(why, t("leave the protest out"), code="no-protest")
    if move is not None and not resign:
        table.game.check(table.terms, seen(table.game, checkpoint.state, checkpoint.public, seat, faces), move)
        fields, sealed = msgspec.Raw(split(move, ask.sealed)[0]), answer_secrets(key, place, move)
    body = r.Move(
        game=table.id,
        round=number,
        asked=checkpoint.head,
        seat=seat,
        link=table.chains[seat].link(marks or holder_marks(key, table, seat), number).hex(),
        answer=fields,
        commit=commitments(table.id, number, seat, sealed),
        standing=raw(standing) if standing is not None else r.NOTHING,
        resign=resign,
        protest=draft.protest,
        handover=draft.handover,
    )
    return encode(_signed(key, table.offer, body, sealed))


def _signed(key: Key, offer: r.Offer, move: r.Move, sealed: r.Secrets) -> r.MoveFile:
    """A move as it is sent, with what is sealed encrypted to the host."""
    text = ""
    if sealed:
        boxed = encrypted(offer, ephemeral_key(key.seed, move.game, move.round, move.seat, sealed), move, sealed)
        move, text = msgspec.structs.replace(move, box=box_hash(boxed)), to_text(boxed)
    envelope = sign(key, "move", move)
    return r.MoveFile(envelope.body, envelope.sig, envelope.type, text)


def holder_marks(key: Key, table: Table, seat: int) -> Marks:
    """Checkpoints of the chain of a seat's holder, from the key alone."""
    present = table.present[seat]
    if isinstance(present, r.Holder):
        return successor_marks(key, table.id, bytes.fromhex(present.nonce))
    return player_marks(key, table.offer_id, bytes.fromhex(present.nonce))


def answer_secrets(key: Key, place: Place, move: object) -> r.Secrets:
    """The sealed fields of a move that answers what is asked, as its player's own program keeps them."""
    state, game = place.checkpoint.state, bytes.fromhex(place.table.id)
    hidden = split(move, asked(state)[place.seat].sealed)[1] if move is not None else {}
    salts = {name: derive(key.seed, "salt", game, state.round + 1, name, value) for name, value in hidden.items()}
    return {name: r.Secret(salts[name].hex(), msgspec.Raw(value)) for name, value in hidden.items()}


# --- who takes a seat ------------------------------------------------------------------------------------------------


def sign_succession(
    key: Key, table: Table, checkpoint: Checkpoint, seat: int, name: str, nonce: bytes, *, kept: bool = False
) -> bytes:
    """Sign that you take over a vacant seat. `nonce` is 32 fresh random bytes."""
    vacancy = vacancies(checkpoint.state, checkpoint.head).get(seat)
    if vacancy is None or not open_seats(table, checkpoint.state):
        advice = t("{run} shows which seats can be taken over", run=run("show"))
        raise WrongTurn(t("this seat cannot be taken over now"), advice, code="not-vacant")
    refuse_other_code(table.offer)
    if key.public.hex() in keys_of(table, checkpoint.state):
        new = run("key", "new", "-o", "FILE")
        advice = t("make another one with {run}, and use it with --key", run=new)
        raise BadSignature(t("this key was used in this game before: a new player needs one of their own"), advice,
                           code="same-key")  # fmt: skip
    tip = successor_marks(key, table.id, nonce)[0].hex()
    public = key.public.hex()
    body = r.Succession(table.id, seat, vacancy.entry, check_name(name), public, nonce.hex(), tip, kept)
    return _arriving(table, checkpoint, sign(key, "succession", body))


def may_return(opened: Opened) -> bool:
    """Whether the player of this view can come back: out because of timeouts alone."""
    state = opened.chain.checkpoint.state
    out = late_seats(state) - {gone for gone, _ in state.left}
    return opened.view.seat in out and not (state.end or rests(state))


def sign_return(key: Key, opened: Opened) -> bytes:
    """Sign that you come back to a seat that missed too many deadlines."""
    _refuse_other_key(key, opened)
    checkpoint, seat = opened.chain.checkpoint, opened.seat
    vacancy = vacancies(checkpoint.state, checkpoint.head).get(seat)
    if vacancy is None or seat not in late_seats(checkpoint.state):
        why = t("you are still in the game: only a player who missed two deadlines comes back")
        if seat in out_seats(checkpoint.state):
            why = t("you have left the game for good: only a player who missed two deadlines comes back")
        raise WrongTurn(why, t("see {run}", run=run("show")), code="not-vacant")
    return _arriving(opened.table, checkpoint, sign(key, "return", r.Return(opened.table.id, seat, vacancy.entry)))


def _arriving(table: Table, checkpoint: Checkpoint, envelope: Envelope) -> bytes:
    fault = arrival_fault(table, checkpoint.state, checkpoint.head, envelope)
    if fault is not None:
        advice = t("see {run} for what the game asks now", run=run("show"))
        raise WrongTurn(fault.message, advice, code="bad-succession")
    return encode(envelope)


def sign_word(key: Key, opened: Opened, text: str) -> bytes:
    """Sign a statement to the host; it counts while the round that follows this view is open."""
    _refuse_other_key(key, opened)
    if not 1 <= len(text) <= r.LONGEST_WORD:
        why = t("a statement has 1 to {longest_word} characters", longest_word=r.LONGEST_WORD)
        raise Usage(why, t("say it in fewer words"), code="bad-words")
    return encode(sign(key, "word", r.Word(opened.table.id, opened.round + 1, opened.seat, text)))
