"""A table of an office: its players, the offer, and its game."""

import os
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.host import Match, make_view
from referee.engine.player import Opened, open_view
from referee.errors import Malformed
from referee.io import files, guard, kinds
from referee.io.gamefile import dump_match, open_match
from referee.mail import t
from referee.mail.passes import kept_key

if TYPE_CHECKING:
    from referee.mail.office import Office

TABLES = "tables"
"""The folder that has a folder for each table."""


Time = r.Due
Day = Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


class Contact(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Somebody in the address book."""

    address: str
    name: str = ""
    zone: str = "UTC"
    language: str = ""
    """Empty: the language of the office."""
    away: tuple[tuple[Day, Day], ...] = ()
    """First and last days of absences, as the player gave them."""
    day: str = ""
    """The day that `answered` is about."""
    answered: dict[str, int] = {}
    """Ground -> how many mails of this player were answered that day (see `post.may_answer`)."""
    held_turn: int = 0
    """How many mails with the pass of a newest turn were not answered, and this player was not told yet."""
    held_other: int = 0
    """The same for all other mails."""
    held_since: Time = ""
    """Since when."""
    beside: dict[str, str] = {}
    """Lines that stood beside this player's answers (see `learning`), and the turn in which each came first; no turn if
    it has come in another one since, or the player said that it means nothing."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That a player was asked whether a line is a move; it is open until the round is over or the seat answers."""

    seat: int
    round: int
    line: str
    mail: str
    """The id of the mail that asks."""


class Invitation(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An invitation, and the player's answer to it."""

    player: str
    state: Literal["open", "joined", "declined", "withdrawn"] = "open"
    join: Envelope | None = None
    address: str = ""
    """Where mails of this table go, if the player said so here: this never applies to other tables."""
    way: Literal["", "program", "page", "rules"] = ""
    """With what the player's last signed answer was made."""


class Note(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the office knows about a table apart from its game. Invitations count from 1; seats are those who joined."""

    made: Time
    invitations: tuple[Invitation, ...]
    start: Literal["when-full", "by-hand"] = "when-full"
    instead_of: str = ""
    """The table that this one replaces, because somebody was dropped there."""
    game: str = ""
    """The game's id, once it has started."""
    since: Time = ""
    """When the open round was opened."""
    wavering: tuple[int, ...] = ()
    """Kept seats that said `resign` and have not confirmed it or answered since."""
    leaving: tuple[int, ...] = ()
    """Kept seats that resign as soon as they are asked."""
    said: tuple[str, ...] = ()
    """Ids of signed words that were carried out."""
    end: Literal["", "over", "dropped"] = ""
    """Why this table is closed."""
    rulings: tuple[Envelope, ...] = ()
    """The arbiter's rulings as they came; the last one counts."""
    questions: tuple[Question, ...] = ()
    """What kept seats were asked in the open round."""
    claims: tuple[tuple[int, int], ...] = ()
    """Seats, and the rounds in which they claim to have sent an answer, each once. The claims themselves are in the
    mails that brought them."""


class Desk:
    """A table in memory: the offer, the note, and the game if it has started."""

    def __init__(self, office: "Office", name: str, offer: Envelope, note: Note) -> None:
        self.office, self.name, self.offer = office, name, offer
        self.terms = decode(bytes(offer.body), r.Offer, "offer")
        self.offer_id = ident("offer", bytes(offer.body))
        self.note = self._known = note
        self._match: Match | None = None
        self._file = self._signed = b""
        self._round = 0
        """The round of the game file on disk."""
        self._opened: dict[int, Opened] = {}
        self.transcript = b""

    @property
    def match(self) -> Match:
        """The running game; it is read when it is first needed."""
        if self._match is None:
            self._file = kinds.read(self.office.path(TABLES, self.name, "game.json"), "game")
            self.sit_down(open_match(self._file, self.office.key))
        assert self._match is not None
        return self._match

    @match.setter
    def match(self, value: Match) -> None:
        self._match = value

    def sit_down(self, match: Match) -> None:
        """Load a game and bring it up to what was signed last. This is checked again when it is written."""
        self._signed, self._round = guard.read(guard.path_of(guard.name_of(match))), match.state.round
        guard.bring_up_to_date(match, self._signed)
        self._match = match

    @property
    def joined(self) -> list[int]:
        """The numbers of the invitations that were accepted: seat 0 is the first of them."""
        return [number for number, one in enumerate(self.note.invitations, 1) if one.state == "joined"]

    def join(self, number: int) -> r.Join:
        envelope = self.note.invitations[number - 1].join
        assert envelope is not None
        return msgspec.json.decode(envelope.body, type=r.Join)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those who joined, in seat order."""
        return tuple(self.join(number).name for number in self.joined)

    def kept(self, seat: int) -> bool:
        """Whether the office keeps the key of this seat."""
        return self.join(self.joined[seat]).kept

    def kept_key(self, seat: int) -> Key:
        """The key that the office keeps for this seat."""
        return kept_key(self.office.key, self.offer_id, self.joined[seat])

    def player_id(self, seat: int) -> str:
        return self.note.invitations[self.joined[seat] - 1].player

    def player(self, seat: int) -> Contact:
        return self.office.players[self.player_id(seat)]

    def language(self, seat: int) -> str:
        return self.office.language(self.player_id(seat))

    def address(self, number: int) -> str:
        """Where mails to an invited player go."""
        one = self.note.invitations[number - 1]
        return one.address or self.office.players[one.player].address

    def who(self, seat: int) -> str:
        """A player as the host reads it: `be4f2750: Bert`."""
        return f"{self.name}: {self.names[seat]}"

    def round_id(self, seat: int, round: int) -> str:
        """The beginning of the ids of all mails to a seat in a round: `be4f2750-r012-bert`."""
        return f"{self.name}-r{round:03}-{files.slug(seat, self.names)}"

    def invitation_id(self, number: int) -> str:
        """The same for mails to an invited player: `be4f2750-i2`."""
        return f"{self.name}-i{number}"

    def last_asked(self, seat: int) -> int:
        """The newest round for which this seat got a mail that asks it; 0 if there is none."""
        return self.office.asked.get((self.name, files.slug(seat, self.names)), 0)

    @property
    def runs(self) -> bool:
        """Whether a game has started here and is not over."""
        return bool(self.note.game) and not self.note.end

    def change(self, **fields: object) -> None:
        """Change the note."""
        self.note = msgspec.structs.replace(self.note, **fields)

    def change_invitation(self, number: int, **fields: object) -> None:
        changed = list(self.note.invitations)
        changed[number - 1] = msgspec.structs.replace(changed[number - 1], **fields)
        self.change(invitations=tuple(changed))

    def opened(self, seat: int) -> Opened:
        """What this seat sees now, verified as a player's program would. It knows what the seat itself sealed."""
        before = self._opened.get(seat)
        if before is None or before.chain.checkpoint.head != self.match.checkpoint.head:
            own = {round: fields for (round, other), fields in self.match.sealed.items() if other == seat}
            since = before or next(iter(self._opened.values()), None)
            self._opened[seat] = open_view(make_view(self.match, seat), own, since)
        return self._opened[seat]

    def files(self) -> dict[str, bytes]:
        """The changed files of this table, as paths within the office; from now on they count as saved."""
        base = os.path.join(TABLES, self.name)
        found: dict[str, bytes] = {}
        if self._match is not None and (data := dump_match(self._match)) != self._file:
            if len(data) > files.LARGE:
                why = t("the game file would become too large to read")
                raise Malformed(why, t("end this game"), code="too-large")
            file = os.path.join(base, "game.json")
            signed = guard.make(self._match, self._signed, self._round, self.office.path(file))
            self.office.signed[guard.name_of(self._match)] = self._signed, signed
            found[file] = self._file = data
            self._signed, self._round = signed, self._match.state.round
        if self.transcript:
            found[os.path.join(base, "transcript.json")] = self.transcript
            self.transcript = b""
        if self.note is not self._known:
            found[os.path.join(base, "table.json")] = encode(self.note)
            self._known = self.note
        return found
