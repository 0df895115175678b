"""The player's side: open a view (which checks all of it, once), and answer what it asks."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from referee.crypto.box import seal
from referee.crypto.codec import decode, derive, encode, raw
from referee.crypto.envelope import Envelope, ident, sign
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.answers import seen, split
from referee.engine.chain import Followed, follow, open_table, read_part
from referee.engine.draws import commitments
from referee.engine.lobby import player_marks
from referee.engine.reader import Owner
from referee.engine.rounds import ACK, Moment, asked
from referee.engine.table import Table, refuse_other_code
from referee.errors import Altered, BadSignature, Malformed, Usage, WrongTurn
from referee.game import LINK, Ask, Seen

Marks = Sequence[bytes]
"""Checkpoints of a chain; none: they are worked out from the key."""
OwnFields = Mapping[int, r.Secrets]
"""Round -> what a player sealed, as the own tool kept it."""


class Place(NamedTuple):
    """Where somebody sits: at which table, at which moment of the game, knowing which sealed slots (at least)."""

    table: Table
    moment: Moment
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
        return self.view.seat

    @property
    def place(self) -> Place:
        return Place(self.table, self.chain.moment, self.seat, self.owner.faces)

    @property
    def name(self) -> str:
        return self.table.names[self.view.seat]

    @property
    def round(self) -> int:
        return self.chain.moment.state.round

    @property
    def ask(self) -> Ask | None:
        """What this seat is asked now."""
        return asked(self.chain.moment.state).get(self.seat)

    @property
    def decides(self) -> bool:
        """Whether this seat is asked for a decision, not only for a bare link."""
        return self.ask is not None and self.ask.what not in (ACK, LINK)


def read_view(data: bytes) -> r.View:
    """A view file, its form only."""
    view = decode(data, r.View, "view")
    if view.format != r.VIEW_FILE:
        raise Malformed("this is not a view", "give a player's view file here", code="wrong-kind")
    return view


def open_view(data: bytes | r.View, sealed: OwnFields | None = None, since: Opened | None = None) -> Opened:
    """Check a view with nothing else: all signatures, links and draws, every round by the rules, and with what this
    seat was told all that only its owner can tell. A view that goes on from one that was opened before (`since`) is
    followed from there."""
    view = read_view(data) if isinstance(data, bytes) else data
    before = since if since is not None and _goes_on(since.view, view) else None
    table = before.table if before else open_table(view.genesis)
    if view.seat >= table.seats:
        raise Altered("mixed-view", "this view is for a seat that does not exist")
    owner = Owner(view.seat, sealed or {})
    if before:
        owner.faces, owner.opened = dict(before.owner.faces), before.owner.opened
    privates = _privates(table, view, before)
    chain = follow(table, view.entries, owner, privates, before.chain if before else None)
    public = encode(chain.moment.public) if chain.rounds else b""
    if r.content(view.public) != public:
        raise Altered("mixed-view", "the position in this view is not the one that the host signed", len(chain.rounds))
    return Opened(view, chain, owner)


def _goes_on(one: r.View, other: r.View) -> bool:
    """Whether a view is another one with more entries."""
    begins = other.entries[: len(one.entries)], other.privates[: len(one.privates)]
    return (one.seat, one.genesis, one.entries, one.privates) == (other.seat, other.genesis, *begins)


class _Part(msgspec.Struct):
    """Where a private part belongs."""

    game: str
    round: int
    seat: int


def _privates(table: Table, view: r.View, before: Opened | None) -> dict[int, Envelope]:
    """Round -> what this seat was told then. It is read when its round is followed: what is told is the large part."""
    found: dict[int, Envelope] = {}
    known, last = (len(before.view.privates), before.round) if before else (0, 0)
    for envelope in view.privates[known:]:
        place = read_part(envelope, "private", table, _Part, 0)[0]
        fits = place.game == table.id and place.seat == view.seat and place.round <= len(view.entries)
        if not fits or place.round <= max(found, default=last):
            raise Altered("mixed-view", "a private part of this view belongs elsewhere", max(place.round, 0))
        found[place.round] = envelope
    return found


def sees(opened: Opened) -> Seen[Any]:
    """The position as this player may see it."""
    moment = opened.chain.moment
    if moment.public is None:
        raise WrongTurn("nothing is dealt yet", "sign the ack with `referee play`", code="not-dealt")
    return seen(opened.table.game, moment.state, moment.public, opened.seat, opened.owner.faces)


def consult(opened: Opened, rule: Callable[..., Any], *more: Any) -> Any:
    """Ask the rules about a view."""
    return rule(opened.table.terms, sees(opened), *more)


# --- answers ---------------------------------------------------------------------------------------------------------


def answer(
    key: Key, opened: Opened, move: Any = None, *, standing: Any = None, resign: bool = False, marks: Marks = ()
) -> bytes:
    """Sign an answer to what a view asks; no move for a bare link. `standing` are the words that hold from now on, if
    they change; `marks` those of the own chain, if kept."""
    _refuse_other_key(key, opened)
    if opened.ask is not None and opened.ask.what == ACK:
        refuse_other_code(opened.table.offer)
    return sign_answer(key, opened.place, move, standing=standing, resign=resign, marks=marks)


def _refuse_other_key(key: Key, opened: Opened) -> None:
    if key.public != opened.table.keys[opened.seat]:
        advice = "use the key you joined with (--key)"
        raise BadSignature("this view is for another player's key", advice, code="other-key")


def sign_answer(
    key: Key, place: Place, move: Any = None, *, standing: Any = None, resign: bool = False, marks: Marks = ()
) -> bytes:
    """Sign a seat's answer to what it is asked at this moment; the rules judge it by what the seat knows."""
    table, moment, seat, faces = place
    ask, number = asked(moment.state).get(seat), moment.state.round + 1
    if ask is None:
        raise WrongTurn("you are asked nothing now", "wait for the next view", code="not-asked")
    bare = ask.what in (ACK, LINK)
    fields: r.Json = r.NOTHING
    sealed, words = r.Secrets(), table.game.standing
    if standing is not None and (resign or words is None or not isinstance(standing, words.words)):
        why = "who leaves says nothing for good" if resign else "these are no standing words of this game"
        raise Usage(why, "leave them out; `referee moves` lists what can be said", code="bad-words")
    if resign and ask.what == ACK:
        raise Usage("nobody has sat down yet", "send no ack if you do not want to play")
    if move is not None and bare:
        raise Usage("there is nothing to choose here: you are asked for a bare answer", "leave the move out")
    if move is None and not (bare or resign or moment.state.holding):
        raise Usage("no move given", "choose a move; see `referee moves`", code="no-move")
    if move is not None and not resign:
        table.game.check(table.terms, seen(table.game, moment.state, moment.public, seat, faces), move)
        fields, sealed = msgspec.Raw(split(move, ask.sealed)[0]), own_secrets(key, place, move)
    nonce = bytes.fromhex(table.joins[seat].nonce)
    body = r.Move(
        game=table.id,
        round=number,
        asked=moment.head,
        seat=seat,
        link=table.chains[seat].link(marks or player_marks(key, table.offer_id, nonce), number).hex(),
        answer=fields,
        commit=commitments(table.id, number, seat, sealed),
        standing=raw(standing) if standing is not None else r.NOTHING,
        resign=resign,
    )
    envelope = sign(key, "move", body)
    name = ident("move", bytes(envelope.body))
    boxed = seal(bytes.fromhex(table.offer.box), name, encode(sealed)) if sealed else ""
    return encode(r.MoveFile(envelope.body, envelope.sig, envelope.type, boxed))


def own_secrets(key: Key, place: Place, move: Any) -> r.Secrets:
    """The sealed fields of a move that answers what is asked, as its player's own tool keeps them."""
    state, game = place.moment.state, bytes.fromhex(place.table.id)
    hidden = split(move, asked(state)[place.seat].sealed)[1] if move is not None else {}
    salts = {name: derive(key.seed, "salt", game, state.round + 1, name).hex() for name in hidden}
    return {name: r.Secret(salts[name], msgspec.Raw(value)) for name, value in hidden.items()}


def sign_word(key: Key, opened: Opened, text: str) -> bytes:
    """Say something about yourself to the host; it counts while the round is open that follows this view."""
    _refuse_other_key(key, opened)
    if not 1 <= len(text) <= r.LONGEST_WORD:
        raise Usage(f"a word has 1 to {r.LONGEST_WORD} characters", "say it in fewer words", code="bad-words")
    return encode(sign(key, "word", r.Word(opened.table.id, opened.round + 1, opened.seat, text)))
