"""What the window can ask: each call takes JSON and returns data. The browser never sees a path that it may choose, and
never a key."""

import hashlib
import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from referee import games
from referee.app import t
from referee.errors import FileTrouble, IllegalMove, Malformed, RefereeError, Usage
from referee.forms import Moves
from referee.io import files
from referee.language import LANGUAGES, Text, speaking
from referee.library import front, inbox, joining, rehearsing, rulebook
from referee.library.besides import Beside, Besides
from referee.library.data import Json, ReadMove
from referee.library.documents import OwnKeys, own_keys, read_document
from referee.library.rulebook import Passage
from referee.library.seating import Answer, Look, Orders, Sent, Verdict
from referee.library.sitting import Load, PracticeSeat, SignedSeat, Sitting, open_seat, practice_seat
from referee.show.text import clean
from referee.svg import WIDTH

if TYPE_CHECKING:
    from referee.app.house import House

CLOSED = ("joined", "bad")
"""States of a game of which there is nothing to open."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a call is given; each takes what it needs of it."""

    language: str = "en"
    game: str = ""
    """A handle that `games` or `practice` returned."""
    round: int = 0
    width: int = WIDTH
    """What a board is drawn for."""
    words: str = ""
    move: Json = None
    standing: Json = None
    again: bool = False
    new: bool = False
    guide: bool = False
    seats: int | None = None
    level: str = "sensible"
    name: str = ""
    seat: str = ""
    """Whose seat is taken over."""
    protest: bool = False
    handover: str = ""

    @property
    def beside(self) -> Beside:
        """What goes with an answer."""
        return Beside(self.protest, self.handover)


class GameRow(msgspec.Struct, frozen=True):
    """A game that somebody plays, or an invitation."""

    game: str
    """Its handle; empty if it cannot be opened here."""
    title: str
    about: str
    """Which game it is, and who you are in it."""
    said: str
    """How it stands."""
    state: str
    """The same as a word of `referee inbox`."""
    waits: bool
    next: str = ""


class PracticeRow(msgspec.Struct, frozen=True):
    """A game that can be practised."""

    id: str
    title: str
    fewest: int
    most: int
    levels: tuple[str, ...]
    left: bool
    """Whether one was left that can be continued."""
    guided: bool


class Lobby(msgspec.Struct, frozen=True):
    """All that can be opened."""

    folder: str
    games: tuple[GameRow, ...]
    notes: tuple[str, ...]
    practice: tuple[PracticeRow, ...]
    office: "House | None" = None
    """If the folder is one."""


class Invitation(msgspec.Struct, frozen=True):
    """A game that somebody may join, or in which they may take over a seat."""

    game: str
    title: str
    terms: tuple[str, ...]
    name: str
    """The name of the key; empty if there is no key yet: joining makes one."""


class Opened(msgspec.Struct, frozen=True):
    """A game that was opened."""

    game: str
    verdict: Verdict
    look: Look


class Calls:
    """The calls of one window: what it opened stays open."""

    signs_elsewhere = False

    def __init__(self, folder: str, key: str | None, load: Load) -> None:
        self.folder, self.key, self.load = folder, key, load
        self.seats: dict[str, Sitting] = {}
        self._paths: dict[str, str] = {}
        self._replies: dict[str, str] = {}
        """Handle -> the reply that was written last."""

    def handle_of(self, path: str) -> str:
        """A name for a file that says nothing of it."""
        handle = hashlib.sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._paths[handle] = path
        return handle

    def games(self, ask: Request) -> Lobby:
        """The games in the folder, what is most urgent first, and what can be practised."""
        if self.is_office():
            return Lobby(files.printable(os.path.abspath(self.folder)), (), (), (), self.office(ask))
        notes: list[Text] = []
        found = inbox.rows_of(self.folder, self.keys(), datetime.now(UTC), notes)
        return Lobby(
            files.printable(os.path.abspath(self.folder)),
            tuple(map(self._row, found)),
            tuple(clean(str(note)) for note in notes[:20]),
            tuple(_practice_row(info) for info in front.list_games()),
        )

    def keys(self) -> OwnKeys:
        """The keys of whoever sits here."""
        return own_keys(self.key)

    def is_office(self) -> bool:
        """Whether this is the folder of an office for games by mail."""
        from referee.app import house

        return house.is_office(self.folder)

    def office(self, ask: Request) -> "House":
        """Where every table of this office stands."""
        from referee.app import house

        return house.office_now(self.folder, self.load)

    def run(self, ask: Request) -> "House":
        """Bring this office up to date."""
        from referee.app import house

        return house.run_office(self.folder, self.load)

    def _row(self, row: inbox.Row) -> GameRow:
        which, state, do = inbox.lines(row)
        opens = row.source.is_alone() and (row.state == "invited" or (bool(row.game) and row.state not in CLOSED))
        handle = self.handle_of(row.source.path) if opens else ""
        waits = row.state in ("waits", "invited")
        return GameRow(handle, row.title, which, state.strip(), row.state, waits, "" if opens else do.strip())

    def open(self, ask: Request) -> Opened:
        """Sit down at a game: it is checked from the first round to the last."""
        if ask.game not in self.seats or not isinstance(self.seats[ask.game], PracticeSeat):
            path = self._path(ask.game)
            data = read_document(path, "view")
            self.seats[ask.game] = open_seat(data, path, self.key, self.load, signs_elsewhere=self.signs_elsewhere)
        return self._opened(ask)

    def _opened(self, ask: Request) -> Opened:
        seat = self.seats[ask.game]
        return Opened(ask.game, seat.verdict(), seat.look(width=ask.width))

    def look(self, ask: Request) -> Look:
        """The table after a round; without one, after the last."""
        return self._seat(ask).look(ask.round, ask.width)

    def moves(self, ask: Request) -> Moves:
        """Every legal move, in the reader's words, with the marks of the picture that stand for it."""
        return self._seat(ask).moves()

    def check(self, ask: Request) -> Answer:
        """What an answer says and does, or why the rules forbid it."""
        return self._seat(ask).check(ask.words or ReadMove("", ask.move), ask.standing)

    def orders(self, ask: Request) -> Orders | None:
        """The standing orders: what holds, what these change, and what can be given or taken back after them."""
        return self._seat(ask).orders(ask.standing)

    def sign(self, ask: Request) -> Sent:
        """Sign an answer that was checked; in practice, play it."""
        said = ReadMove("", ask.move, ask.standing)
        return self._sent(ask, self._seat(ask).sign(said, ask.beside, again=ask.again))

    def resign(self, ask: Request) -> Sent:
        """Sign that you leave the game for good."""
        return self._sent(ask, self._signing(ask).resign(ask.beside, again=ask.again))

    def besides(self, ask: Request) -> Besides:
        """What can be signed besides a move, and what these words with an answer say."""
        return self._seat(ask).besides(ask.beside)

    def come_back(self, ask: Request) -> Sent:
        """Sign that you come back to your seat."""
        return self._sent(ask, self._signing(ask).come_back())

    def tell(self, ask: Request) -> Sent:
        """Sign words to the host's office about yourself."""
        return self._sent(ask, self._signing(ask).tell(ask.words))

    def _signing(self, ask: Request) -> SignedSeat:
        seat = self._seat(ask)
        if not isinstance(seat, SignedSeat):
            raise Usage(t("in practice nothing is signed"), t("just leave it, or begin another game"))
        return seat

    def _sent(self, ask: Request, sent: Sent) -> Sent:
        """What was written, with names that can be told: the reply's own is kept here."""
        self._replies[ask.game] = sent.reply
        return Sent(files.printable(sent.file), files.printable(sent.reply), sent.next)

    def send(self, ask: Request) -> Sent:
        """Open the reply that was written last in the mail program of this machine."""
        path = self._replies.get(ask.game, "")
        if not path:
            raise Usage(t("there is no reply to open"), t("send the file as an attachment"), code="no-reply")
        import typer

        if typer.launch(path):
            why = t("no program here opens {file}", file=files.printable(path))
            raise FileTrouble(why, t("open it in your mail program yourself"), code="no-program")
        return Sent(reply=files.printable(path))

    def practice(self, ask: Request) -> Opened:
        """Begin a practice game, or go on with the one that was left."""
        game = ask.game
        games.load(game)  # the name of a game, and of no file
        kept = None if ask.new else rehearsing.find(game)
        opening = rehearsing.guide_of(game) if ask.guide and kept is None else None
        if opening is not None:
            kept = rehearsing.explained_game(game, opening)
        if kept is None:
            kept = rehearsing.begun(game, ask.seats, 0, ask.level, secrets.token_hex(8), (), None)
        self.seats[game] = practice_seat(kept)
        return self._opened(ask)

    def invited(self, ask: Request) -> Invitation:
        """What somebody who joins agrees to."""
        game, terms = joining.terms_of(self._path(ask.game))
        return Invitation(ask.game, games.load(game).title, terms, joining.own_name(self.key, self.load))

    def join(self, ask: Request) -> Sent:
        """Sign that you take part, or take over a seat, with your key, or with a new one."""
        path = self._path(ask.game)
        return self._sent(ask, joining.join_game(path, self.folder, self.key, self.load, ask.name, ask.seat))

    def _path(self, handle: str) -> str:
        if handle not in self._paths:
            raise Usage(t("this game is not open here any more"), t("choose one from the list"), code="no-game")
        return self._paths[handle]

    def rules(self, ask: Request) -> tuple[Passage, ...]:
        """The rules of a game, clause by clause."""
        return rulebook.passages(self._seat(ask).game_id)

    def hint(self, ask: Request) -> Answer:
        """What a bot would answer; in practice only."""
        return self._practised(ask).hint()

    def undo(self, ask: Request) -> Look:
        """Take the last move back; in practice only."""
        seat = self._practised(ask)
        seat.undo()
        return seat.look(width=ask.width)

    def _practised(self, ask: Request) -> PracticeSeat:
        seat = self._seat(ask)
        if not isinstance(seat, PracticeSeat):
            raise Usage(
                t("this is a signed game: nothing is taken back or proposed"), t("decide yourself"), code="signed"
            )
        return seat

    def _seat(self, ask: Request) -> Sitting:
        if ask.game not in self.seats:
            raise Usage(t("this game is not open here any more"), t("choose one from the list"), code="no-game")
        return self.seats[ask.game]

    def state_of_folder(self) -> str:
        """What changes when files come or go. One that goes at this moment is gone, and so is the whole folder."""
        found = hashlib.sha256()
        with suppress(OSError):
            for name in sorted(os.listdir(self.folder)):
                with suppress(OSError):
                    about = os.lstat(os.path.join(self.folder, name))
                    found.update(f"{name!r} {about.st_size} {about.st_mtime_ns}\n".encode())
        return found.hexdigest()


def _practice_row(info: Any) -> PracticeRow:
    left = os.path.exists(rehearsing.path_of(info.id))
    guided = games.guide_bytes(info.id) is not None
    return PracticeRow(info.id, info.title, info.fewest, info.most, info.levels, left, guided)


CALLS: Mapping[str, Callable[[Calls, Request], Any]] = {
    call.__name__: call
    for call in (
        Calls.games, Calls.open, Calls.look, Calls.moves, Calls.check, Calls.orders, Calls.sign, Calls.resign,
        Calls.besides, Calls.come_back, Calls.tell,
        Calls.send, Calls.rules, Calls.practice, Calls.hint, Calls.undo, Calls.invited, Calls.join, Calls.office,
        Calls.run,
    )
}  # fmt: skip


def answer(calls: Calls, name: str, body: bytes) -> tuple[bool, bytes]:
    """Whether a call went well, and what it returns as JSON: data, or an error in the reader's words."""
    return answered(body, Request, partial(CALLS[name], calls))


class Spoken(Protocol):
    """What every call is given."""

    @property
    def language(self) -> str: ...


A = TypeVar("A", bound=Spoken)


def answered(body: bytes, form: type[A], call: Callable[[A], Any]) -> tuple[bool, bytes]:
    """The same for any call that takes something of this form."""
    language = "en"
    try:
        ask = _asked(body, form)
        language = ask.language if ask.language in LANGUAGES else "en"
        with speaking(language):
            return True, _encoded(call(ask))
    except RefereeError as error:
        with speaking(language):
            return False, _encoded(told(error))
    except Exception as error:
        if os.environ.get("REFEREE_DEBUG"):
            raise
        with speaking(language):
            what = t("internal error: {name}", name=type(error).__name__)
            return False, _encoded(told(RefereeError(what, t("run it again with REFEREE_DEBUG=1 and report it"))))


def _asked(body: bytes, form: type[A]) -> A:
    try:
        return msgspec.json.decode(body or b"{}", type=form)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise Malformed(t("the window asked for something unknown"), t("load the page again")) from None


def told(error: RefereeError) -> dict[str, str]:
    """An error in the reader's words."""
    clause = error.clause if isinstance(error, IllegalMove) else ""
    return {"code": error.code, "message": str(error.message), "next": str(error.next), "clause": clause}


def _encoded(value: Any) -> bytes:
    return msgspec.json.encode(value, enc_hook=str)
