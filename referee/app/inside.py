"""The program inside a page: the calls of the window, without files of their own, keys and other programs.

The page puts documents on a desk, a folder that exists in its memory alone, says which signatures are valid, and signs
what is checked here: no key ever comes in.
"""

import os
import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any

import msgspec

from referee import games
from referee.app import judged, t
from referee.app.calls import Calls, Invitation, Request, answered, told
from referee.crypto.codec import Hex32, decode, encode
from referee.crypto.envelope import Envelope, body_of, ident
from referee.engine import records as r
from referee.engine.player import Opened, OwnFields, open_view, read_view
from referee.engine.table import Table, refuse_other_code
from referee.errors import CheckFailed, FileTrouble, RefereeError
from referee.evidence.identify import kind_of
from referee.evidence.replay import open_transcript
from referee.io import files, tickets
from referee.io.tickets import SentAnswer, Ticket
from referee.library import checks, joining, rehearsing
from referee.library.besides import Besides
from referee.library.documents import OwnKeys
from referee.library.seating import Answer
from referee.library.sitting import SignedSeat
from referee.page.aid import bags_of
from referee.page.reading import Reading, reading_of_transcript, reading_of_view

DESK = "/desk"
NOT_JUDGED = "not-judged"


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that somebody opened."""

    name: str
    data: str
    """Base64."""
    sound: bool
    """Whether the page found no fault in it. What only one of the two finds good is not kept."""


class Remembered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player's file knows of a game beside its views: what was sealed, and the last answers that were signed."""

    game: Hex32
    sealed: tuple[SentAnswer, ...] = ()
    signed: tuple[str, ...] = ()
    """Move files, to the byte, in the order of rounds."""


class Put(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the page brings."""

    language: str = "en"
    documents: tuple[Document, ...] = ()
    valid: tuple[str, ...] = ()
    """Signatures, as `judged.VERDICTS` has them, in hex."""
    invalid: tuple[str, ...] = ()
    key: str = ""
    """The public half of the player's key; empty if there is none."""
    name: str = ""
    games: tuple[Remembered, ...] = ()


class Read(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game to be told and drawn, round by round."""

    language: str = "en"
    game: str = ""
    own: OwnFields = {}
    """What the owner of a view sealed."""


class Containers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document of a game whose bags the page's verifier does not know."""

    data: str
    """Base64."""
    language: str = "en"


class Started(msgspec.Struct, frozen=True):
    """What a view and a transcript have in common."""

    genesis: Envelope


class Left(msgspec.Struct, frozen=True):
    """A practice game that was left."""

    game: str
    kept: str
    """The file that the program would continue it from."""


class Restore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Practice games that the page has kept."""

    language: str = "en"
    games: Mapping[str, str] = {}
    """Game -> what was left of it."""


class Restored(msgspec.Struct, frozen=True):
    """Which of them were none, or of a game that is not here."""

    refused: tuple[str, ...]


class Place(msgspec.Struct, frozen=True):
    """What became of a document: its handle, and what it is worth."""

    game: str
    kind: str
    code: str
    """`ok`, or that of the first fault."""
    checked: checks.Checked | None = None
    """All that was found out, if it passed every check."""
    error: Mapping[str, str] | None = None
    round: int = 0
    """The first that is not valid."""
    blames: str = "nobody"
    """`host` if the fault shows that the host has cheated."""
    unsigned: str = ""
    """Why no answer to a view can be signed here, if not."""


class PageCalls(Calls):
    """The calls of one page."""

    signs_elsewhere = True

    def __init__(self) -> None:
        super().__init__(DESK, None, _no_key)
        self.own, self.name = "", ""
        self.remembered: dict[str, Remembered] = {}
        os.makedirs(DESK, exist_ok=True)

    def keys(self) -> OwnKeys:
        return {self.own: None} if self.own else {}

    def is_office(self) -> bool:
        return False

    def put(self, brought: Put) -> list[Place]:
        """Take documents onto the desk, and say what each is worth."""
        for verdict, signatures in ((True, brought.valid), (False, brought.invalid)):
            judged.VERDICTS.update((bytes.fromhex(one), verdict) for one in signatures)
        self.own, self.name = brought.key, brought.name
        self.remembered |= {one.game: one for one in brought.games}
        return [self._placed(one) for one in brought.documents]

    def _placed(self, document: Document) -> Place:
        data = b64decode(document.data)
        path = _path_for(document.name, data)
        files.write({path: data})
        place = self._judged(self.handle_of(path), data)
        if place.code == NOT_JUDGED or (place.code == "ok" and not document.sound):
            os.remove(path)
        return place

    def _judged(self, handle: str, data: bytes) -> Place:
        kind = kind_of(data)
        try:
            opened = self._view(data) if kind == "view" else None
            checked = checks.view_checked(opened) if opened else checks.verify(data)
            unsigned = _why_unsigned(opened.table) if opened else ""
            return Place(
                handle, kind, "ok", msgspec.structs.replace(checked, what=str(checked.what)), unsigned=unsigned
            )
        except RefereeError as error:
            blames = "host" if isinstance(error, CheckFailed) else "nobody"
            return Place(handle, kind, error.code, None, told(error), getattr(error, "step", 0), blames)
        except judged.NotJudged:
            return Place(handle, kind, NOT_JUDGED)

    def _view(self, data: bytes) -> Opened:
        """Check a view, and keep what the player's file knows of its game, as the program keeps it."""
        view = read_view(data)
        game = self.remembered.get(ident("genesis", body_of(view.genesis, "genesis")))
        if game is None:
            return open_view(view)
        opened = open_view(view, {one.round: one.fields for one in game.sealed})
        before = tickets.find(view)
        newest = before.view if before and tickets.age(before, opened) == "old" else view
        signed = (decode(one.encode(), r.MoveFile, "move") for one in game.signed[-2:])
        late, last = (None, None, *signed)[-2:]
        ticket = Ticket(tickets.FORMAT, newest, game.sealed, (), last, late)
        path = tickets.path_of(view)
        files.write({path: encode(ticket)}, make=[os.path.dirname(path)])
        return opened

    def bags(self, ask: Containers) -> dict[str, tuple[str, ...]]:
        """What the rules put into each container, by a document that nobody has checked yet."""
        return bags_of(Table(msgspec.json.decode(b64decode(ask.data), type=Started).genesis))

    def check(self, ask: Request) -> Answer:
        """The answer of a signed game has all that has to be signed: a move that leaves sealed fields out has them."""
        seat, found = self._seat(ask), super().check(ask)
        if not isinstance(seat, SignedSeat) or found.move is None:
            return found
        return msgspec.structs.replace(found, move=seat.filled(found.move))

    def besides(self, ask: Request) -> Besides:
        """In practice only: the page itself knows what goes with an answer that it signs."""
        return self._practised(ask).besides(ask.beside)

    def left(self, ask: Request) -> list[Left]:
        """The practice games that can be continued."""
        found = ((game, rehearsing.find(game)) for game in games.game_ids())
        return [Left(game, encode(kept).decode()) for game, kept in found if kept is not None]

    def restore(self, ask: Restore) -> Restored:
        """Take practice games as `left` told them."""
        refused = []
        for name, text in ask.games.items():
            try:
                kept = msgspec.json.decode(text, type=rehearsing.Kept)
            except msgspec.MsgspecError:
                kept = None
            if kept is None or kept.game != name or name not in games.game_ids():
                refused.append(name)
            else:
                rehearsing.keep(kept)
        return Restored(tuple(refused))

    def read(self, ask: Read) -> Reading:
        """A view or transcript that passed every check, for its page."""
        data = files.read(self._path(ask.game), files.LARGE, "file")
        if kind_of(data) == "transcript":
            return reading_of_transcript(data, open_transcript(data))
        return reading_of_view(open_view(data, ask.own))

    def invited(self, ask: Request) -> Invitation:
        game, terms = joining.terms_of(self._path(ask.game))
        return Invitation(ask.game, games.load(game).title, terms, self.name)


def _why_unsigned(table: Table) -> str:
    """The program answers no game whose rules differ from its own, even if they have the same number."""
    try:
        refuse_other_code(table.offer)
    except RefereeError as error:
        return str(error.message)
    return ""


def _no_key(path: str | None) -> Any:
    raise FileTrouble(t("the key stays in the page"), t("sign there"), code="no-key")


def _path_for(name: str, data: bytes) -> str:
    """Where a document goes: under its own name, as far as that is one, and beside another of the same name."""
    bare = re.sub(r"[/\\\0]", "-", name)[-100:].strip(".") or "document"
    for number in count(1):
        path = os.path.join(DESK, bare if number == 1 else f"{number}-{bare}")
        if not os.path.exists(path) or files.read(path, files.LARGE, "file") == data:
            break
    return path


CALLS: Mapping[str, Callable[[PageCalls, Any], Any]] = {
    call.__name__: call
    for call in (
        PageCalls.games, PageCalls.open, PageCalls.look, PageCalls.moves, PageCalls.check, PageCalls.orders,
        PageCalls.sign, PageCalls.practice, PageCalls.hint, PageCalls.undo, PageCalls.besides,
        PageCalls.rules, PageCalls.invited, PageCalls.put, PageCalls.read, PageCalls.left,
        PageCalls.restore, PageCalls.bags,
    )
}  # fmt: skip
FORMS: Mapping[str, Any] = {"put": Put, "read": Read, "restore": Restore, "bags": Containers}
"""What a call is given, if it is no `Request`."""

_page = PageCalls()


def answer(name: str, body: str) -> str:
    """What the page asks: `[true, data]`, or `[false, error]`, as JSON."""
    try:
        good, data = answered(body.encode(), FORMS.get(name, Request), partial(CALLS[name], _page))
    except judged.NotJudged:
        good, data = False, encode({"code": NOT_JUDGED, "message": "", "next": "", "clause": ""})
    return f"[{str(good).lower()},{data.decode()}]"
