"""The office: a host's folder with settings, key, address book, tables, and incoming and outgoing mails."""

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from datetime import date
from itertools import chain
from typing import TypeVar

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.crypto.keys import Key
from referee.errors import BadSignature, FileTrouble, Malformed, Usage
from referee.io import files, kinds
from referee.mail import t
from referee.mail.commit import FOLDER, commit, finish
from referee.mail.delivery import OUT, Delivery
from referee.mail.fetch import CAME, names
from referee.mail.office_tables import TABLES, Contact, Desk, Note
from referee.mail.settings import ADDRESS, Settings, read_settings
from referee.mail.ticks import Tick, compared, says_more

SETTINGS, KEY, PLAYERS = "mail.toml", "host.key", "players.json"
DELIVERIES, CLOCK = "deliveries.json", "clock.json"
FOLDERS = (TABLES, FOLDER, *CAME, *OUT)
"""The folders of a new office."""

T = TypeVar("T")
_OURS = re.compile(
    r"([0-9a-f]{8}-(?:r([0-9]{3,4})-([a-z0-9-]{1,40})|i[0-9]{1,3}))-([a-z]{3,12}|(?:answer|reminder|ruling|extension)-[0-9a-f]{1,32})"
)

_ANSWER = re.compile(r"(?:^|-)answer-([0-9a-f]{16})(?![0-9a-f])")


About = tuple[dict[str, list[str]], dict[tuple[str, str], int], set[str]]
"""What mails of ours are about: see `turns`, `asked` and `answered`."""


class Office:
    """An open office. All changes are made in memory; `save` writes all of them or none."""

    def __init__(self, root: str, settings: Settings, key: Key) -> None:
        self.root, self.settings, self.key = root, settings, key
        self.players = self._known = _read_players(self.path(PLAYERS))
        self.desks = self._read_desks()
        self.deliveries = self._delivered = _read_deliveries(self.path(DELIVERIES))
        """Id -> what is known about the delivery of a mail that has not left, or whose answer is awaited."""
        self.tick = _read_json(self.path(CLOCK), Tick, "clock") if os.path.lexists(self.path(CLOCK)) else None
        """What the clock said at the last run that asked it."""
        self.mails: dict[str, bytes] = {}
        """Id -> a mail to be written to outbox/."""
        self.texts: dict[str, list[list[str]]] = {}
        """Id -> the lines of a mail of ours, as text and as HTML; a cache."""
        self.extra: dict[str, bytes] = {}
        """Path within the office -> another file to be written."""
        self.moves: list[tuple[str, str]] = []
        """Mails to be moved from folder to folder."""
        self.signed: dict[str, tuple[bytes, bytes]] = {}
        """What was signed in games, for their guards."""
        self.written: set[str] = set()
        """Ids of all mails that were ever in outbox/."""
        for folder in OUT:
            self.written.update(name.removesuffix(".eml") for name in self.names(folder))
        self._about: About | None = None

    def reload(self) -> None:
        """Discard everything that was not saved."""
        Office.__init__(self, self.root, self.settings, self.key)

    def path(self, *parts: str) -> str:
        return os.path.join(self.root, *parts)

    def names(self, folder: str) -> list[str]:
        """The mails in a folder, in order."""
        return names(self.path(folder))

    def change_player(self, player: str, /, **fields: object) -> None:
        self.players = {**self.players, player: msgspec.structs.replace(self.players[player], **fields)}

    def note_delivery(self, name: str, known: Delivery | None) -> None:
        """Note what is known about the delivery of a mail; None: nothing that matters."""
        others = {other: one for other, one in self.deliveries.items() if other != name}
        self.deliveries = {**others, name: known} if known is not None else others

    def note_tick(self, new: Tick) -> bool:
        """Note what the clock says; returns whether it has been set since the last time."""
        before, self.tick = self.tick, compared(self.tick, new)
        if before is None or says_more(before, self.tick):
            self.extra[CLOCK] = msgspec.json.format(encode(self.tick), indent=2)
        return before is not None and self.tick.jumps != before.jumps

    def language(self, player: str) -> str:
        """The language in which we write to a player in the address book."""
        return self.players[player].language or self.settings.language

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Every player with their address in the book, and with the addresses that they chose for single tables."""
        yield from ((name, player.address) for name, player in self.players.items())
        for desk in self.desks.values():
            yield from ((one.player, one.address) for one in desk.note.invitations if one.address)

    @property
    def turns(self) -> dict[str, list[str]]:
        """Table, round and player (`be4f2750-r012-bert`), or table and invitation -> the ids of all mails about it."""
        return self._sorted()[0]

    @property
    def asked(self) -> dict[tuple[str, str], int]:
        """Table and player -> the newest round that a mail asks about."""
        return self._sorted()[1]

    @property
    def answered(self) -> set[str]:
        """What the incoming mails that were answered are known by (see `case.identity`)."""
        return self._sorted()[2]

    def _sorted(self) -> "About":
        """What all mails are about; a run with nothing to do need not know it."""
        if self._about is None:
            self._about = {}, {}, set()
            for name in sorted(self.written):
                self._sort(name, *self._about)
        return self._about

    @staticmethod
    def _sort(name: str, turns: dict[str, list[str]], asked: dict[tuple[str, str], int], answered: set[str]) -> None:
        if answer := _ANSWER.search(name):
            answered.add(answer[1])
        if found := _OURS.fullmatch(name):
            about, round, player, what = found.groups()
            turns.setdefault(about, []).append(name)
            if what == "turn":
                place = name[:8], player
                asked[place] = max(asked.get(place, 0), int(round))

    def add_mail(self, name: str, mail: bytes) -> None:
        """Add a mail to the outbox."""
        self.mails[name] = mail
        if name not in self.written:
            self.written.add(name)
            if self._about is not None:
                self._sort(name, *self._about)

    def find_mail(self, name: str) -> bytes:
        """Find a mail of ours by its id, in any folder."""
        if name in self.mails:
            return self.mails[name]
        for folder in OUT:
            with contextlib.suppress(FileTrouble):
                return files.read(self.path(folder, f"{name}.eml"), files.LARGE, "mail")
        return b""

    def save(self) -> None:
        """Write all changes, or none of them."""
        write = self.extra
        for desk in self.desks.values():
            write |= desk.files()
        if self.players is not self._known:
            write[PLAYERS] = msgspec.json.format(encode(self.players), indent=2)
            self._known = self.players
        write |= self._delivery_file()
        write |= {os.path.join("outbox", f"{name}.eml"): mail for name, mail in self.mails.items()}
        commit(self.root, write, self.moves, self.signed)
        self.mails, self.extra, self.moves, self.signed = {}, {}, [], {}

    def save_delivery(self) -> None:
        """The same where nothing but the delivery of mails has changed: no game is looked at."""
        commit(self.root, self._delivery_file(), self.moves)
        self.moves = []

    def _delivery_file(self) -> dict[str, bytes]:
        if self.deliveries == self._delivered:
            return {}
        self._delivered = self.deliveries
        return {DELIVERIES: msgspec.json.format(encode(self.deliveries), indent=2)}

    def _read_desks(self) -> dict[str, Desk]:
        desks = {}
        for name in sorted(os.listdir(self.path(TABLES))):
            # The note is written last: without it the table does not exist.
            if os.path.isfile(self.path(TABLES, name, "table.json")):
                offer = decode(kinds.read(self.path(TABLES, name, "offer.json"), "offer"), Envelope, "offer")
                note = _read_json(self.path(TABLES, name, "table.json"), Note, "note on a table")
                desk = Desk(self, name, offer, note)
                if desk.offer_id.startswith(name):  # a copy of the folder is not a table
                    desks[name] = self._check(desk)
        return desks

    def _check(self, desk: Desk) -> Desk:
        """Check that the table belongs to this key, that its note makes sense, and that its players are in the book."""
        note, name = desk.note, desk.name
        half = any((one.state == "joined") != (one.join is not None) for one in note.invitations)
        if half or not note.made or (note.game and (len(desk.joined) != desk.terms.seats or not note.since)):
            raise _damaged(self.path(TABLES, name, "table.json"))
        if desk.terms.key != self.key.public.hex():
            why = t("table {name} was opened with a key other than host.key", name=name)
            raise BadSignature(why, t("restore host.key from a backup"), code="other-key")
        for one in note.invitations:
            if one.player not in self.players:
                player = files.printable(one.player)
                why = t(
                    "{players} has no entry for {player}, who is at table {name}",
                    players=PLAYERS,
                    player=player,
                    name=name,
                )
                raise Malformed(why, t("add that player to {players} again", players=PLAYERS))
        return desk

    def find_desk(self, text: str) -> Desk:
        """Find a table by its name, or by the beginning of it."""
        fits = [name for name in self.desks if name.startswith(text.lower())] if text else []
        if len(fits) != 1:
            there = t("there are: {desks}", desks=tuple(self.desks)) if self.desks else t("there are none yet")
            raise Usage(t("several table names begin with that") if fits else t("there is no such table"), there)
        return self.desks[fits[0]]


def _damaged(path: str) -> Malformed:
    return Malformed(t("{path} is damaged", path=files.printable(path)), t("restore it from a backup"))


def _read_json(path: str, kind: type[T], what: str) -> T:
    try:
        return msgspec.json.decode(files.read(path, files.LARGE, what), type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise _damaged(path) from None


def _read_players(path: str) -> dict[str, Contact]:
    """Read and check the address book, which the host may edit."""
    from zoneinfo import ZoneInfo

    players = _read_json(path, dict[str, Contact], "address book")
    for name, player in players.items():
        try:
            good = bool(re.fullmatch(r"[a-z0-9-]{1,60}", name)) and bool(ADDRESS.fullmatch(player.address))
            ZoneInfo(player.zone)
            for day in chain.from_iterable(player.away):
                date.fromisoformat(day)
        except (ValueError, OSError, KeyError):
            good = False
        if not good:
            where = files.printable(path)
            raise Malformed(
                t("{path}: the entry for {name} is not valid", path=where, name=files.printable(name)),
                t(
                    "use lower-case letters and digits for the name, an address like bert@example.org, a zone "
                    "like Europe/Berlin, and days like 2026-12-24"
                ),
            )
    return players


def _read_deliveries(path: str) -> dict[str, Delivery]:
    """What is known about the delivery of mails; an office that never sent one has no such file."""
    return _read_json(path, dict[str, Delivery], "record of deliveries") if os.path.lexists(path) else {}


def init_files(root: str, settings: str, key: bytes) -> dict[str, bytes]:
    """The files of a new office. The settings come last: they make the folder an office."""
    made = {KEY: key, PLAYERS: b"{}", SETTINGS: settings.encode()}
    return {os.path.join(root, name): data for name, data in made.items()}


def make_folders(root: str) -> None:
    """Create the missing folders of an office, readable only by their owner."""
    try:
        for folder in ("", *FOLDERS):
            path = os.path.join(root, folder) if folder else root
            if not os.path.isdir(path):
                os.makedirs(path, stat.S_IRWXU)
    except OSError as error:
        why = t("{root} cannot be created: {error}", root=files.printable(root), error=files.reason(error))
        raise FileTrouble(why, t("choose another folder")) from None


@contextlib.contextmanager
def locked(root: str) -> Iterator[None]:
    """Hold the lock of the office, and finish what a kill interrupted."""
    make_ready(root)
    with files.locked(os.path.join(root, SETTINGS)):
        finish(root)
        yield


def make_ready(root: str) -> None:
    """Refuse a folder that is not an office; create folders again that its host deleted."""
    if not os.path.isfile(os.path.join(root, SETTINGS)):
        why = t("{root} is not an office", root=files.printable(root))
        raise FileTrouble(why, t("create one with `referee host DIR`"), code="missing")
    make_folders(root)


def settings_of(root: str) -> Settings:
    """Read the settings of an office."""
    return read_settings(os.path.join(root, SETTINGS))
