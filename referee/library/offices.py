"""What a host does in an office for games by mail: make it, run it, and decide at its tables."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from msgspec import Struct

from referee.crypto.envelope import Envelope
from referee.crypto.keys import Key
from referee.engine.host import Match, reveal
from referee.errors import FileTrouble, MailTrouble, RefereeError, Usage, WrongTurn
from referee.io import files, keyfile
from referee.io.times import after
from referee.language import Message, Text, Time, run
from referee.library import t, w
from referee.mail import lobby, office
from referee.mail.case import Judgement
from referee.mail.catchup import TableTrouble, catch_up, undelivered
from referee.mail.deadlines import is_unreached, pass_over
from referee.mail.delivery import send_again
from referee.mail.digest import post_digest
from referee.mail.fetch import Fetched, await_mail, fetch, read_eml
from referee.mail.fetch import store_incoming as keep
from referee.mail.hosting import extend_time
from referee.mail.message import MESSAGE_MOST
from referee.mail.office import Office
from referee.mail.office_tables import Desk, Invitation
from referee.mail.run import Sent, judge_all, send_all
from referee.mail.settings import ADDRESS, template
from referee.mail.statements import resign_for
from referee.mail.ticks import FAR, server_time, tick
from referee.mail.trial import Tried, trial
from referee.show.text import clean

TRY_AGAIN = 75
"""What mail servers take for `later`: a mail that could not be kept is brought once more."""

NEEDS_HOST = 10
"""The exit status of a run after which the host has to do something about a single table or player."""

EVERY, AGAIN = 300.0, 60.0
"""Seconds until an office that stays looks what is due, and until it calls a server again that did not answer."""

LoadKey = Callable[[str], Key]
"""Reads a key file; it may ask for a passphrase."""
Tell = Callable[[Message], None]
Clock = Callable[[], datetime]


def make_office(root: str, name: str, address: str, key: Callable[[], Key | None], *, dry: bool) -> None:
    """A folder with settings, a key (that of its host, or a new one), an address book, and folders for mails."""
    if address and not ADDRESS.fullmatch(address):
        raise Usage(t("this is not a valid email address"), t("write it as --address anna@example.org"))
    if os.path.lexists(os.path.join(root, office.SETTINGS)):
        why = t("{root} is already an office", root=files.printable(root))
        raise FileTrouble(why, t("choose another folder"), code="exists")
    mine = key() or Key(os.urandom(32), name)
    if dry:
        return
    office.make_folders(root)
    settings = template(name or mine.name or "The host", address or "you@example.org")
    for path, data in office.init_files(root, settings, keyfile.dump(mine)).items():
        if not os.path.lexists(path):
            files.write({path: data}, secret=[path])


def tested(root: str, *, send: bool) -> list[Tried]:
    """What the settings of an office lead to: connections, logins, and a mail to itself if it is to be sent."""
    with office.locked(root):
        return trial(office.settings_of(root), send=send)


@contextmanager
def opened(root: str, load: LoadKey, *, save: bool = False) -> Iterator[Office]:
    """The office, locked for this command. With `save` all changes are saved, or none."""
    with office.locked(root):
        found = Office(root, office.settings_of(root), load(os.path.join(root, office.KEY)))
        yield found
        if save:
            found.save()


# --- mails -----------------------------------------------------------------------------------------------------------


class Intake(Struct, frozen=True):
    """Incoming mails that were stored."""

    new: int
    known: int = 0
    trouble: RefereeError | None = None
    """Why not all of them could be fetched."""

    def data(self) -> dict[str, object]:
        """The same for programs."""
        trouble = self.trouble.message if self.trouble else ""
        return {"new": self.new, "known": self.known, "trouble": trouble}


def receive(root: str, paths: Sequence[str], now: datetime, tell: Tell, *, dry: bool) -> Intake:
    """Store mails from the named files, or from the source in the settings. A source that fails stops nothing else."""
    if "-" in paths and len(paths) > 1:
        raise Usage(t("standard input has one mail"), t("give - alone"))
    try:
        office.make_ready(root)
        source: Iterable[Fetched]
        if paths == ["-"]:  # settings that are wrong must not lose a mail
            source = [Fetched(files.read("-", MESSAGE_MOST, "mail"))]
        else:
            source = read_eml(paths, tell) if paths else fetch(office.settings_of(root), tell, root)
        if dry:
            return Intake(sum(1 for _ in source) if paths else 0)
        return Intake(*keep(root, source, now))
    except FileTrouble as error:
        if paths == ["-"]:
            error.exit = TRY_AGAIN
        raise


def keep_running(root: str, work: Callable[[], None], tell: Tell) -> None:
    """Run the office whenever a mail arrives, and every few minutes for what is due; only IMAP servers say when. What
    goes wrong is told, and tried again."""
    if office.settings_of(root).fetch.kind != "imap":
        raise Usage(
            t("only an IMAP server says when a mail arrives"), t('set kind = "imap" under [fetch] in mail.toml')
        )
    while True:
        try:
            work()
        except RefereeError as error:
            tell(error.message)
        try:
            await_mail(office.settings_of(root), root, EVERY)
        except MailTrouble as error:
            tell(error.message)
            time.sleep(AGAIN)


class Ran(Struct, frozen=True):
    """What a run did."""

    office: Office
    judged: list[tuple[str, Judgement]]
    told: list[Text]
    troubles: list[RefereeError]
    written: int
    """Mails for the outbox."""
    sent: Sent
    outbox: int

    def data(self, taken: Intake) -> dict[str, object]:
        """The same for programs, with the mails that were taken in before."""
        rows = [{"mail": name, "folder": one.folder, "told": one.told} for name, one in self.judged]
        did = bool(taken.new or self.judged or self.told or self.written or self.sent.sent)
        numbers = {
            "did": did,
            "new": taken.new,
            "known": taken.known,
            "sent": self.sent.sent,
            "failed": self.sent.failed,
        }
        troubles = [one.message for one in self.troubles]
        return {"judged": rows, "events": self.told, "troubles": troubles, "outbox": self.outbox, **numbers}

    def lines(self, taken: Intake, *, dry: bool) -> list[str]:
        """The same for people."""
        lines = [f"{name[:6]} {one.folder}: {clean(str(one.told))}" for name, one in self.judged]
        lines += [clean(str(line)) for line in (*self.told, *(one.message for one in self.troubles))]
        if dry:
            return [*lines, w("{mails} would be written.", mails=mails(self.written))]
        counted = w("{mails} in, {judged} judged, {sent} sent, {waiting} in outbox/.", mails=mails(taken.new),
                    judged=len(self.judged), sent=self.sent.sent, waiting=self.outbox)  # fmt: skip
        return [*lines, counted]

    def next(self) -> str:
        """What the host does then."""
        if self.outbox:
            return w("Next: {next}.", next=how_to_send(self.office))
        return w("Next: wait for mails, and run it again.")


def is_of_one_table(trouble: RefereeError) -> bool:
    """Whether this concerns a single table, so that the others go on."""
    return isinstance(trouble, TableTrouble)


def mails(number: int) -> str:
    """So many mails, in words."""
    return w.plural("{n} mail", "{n} mails", number)


def how_to_send(office: Office) -> str:
    """What the host does with the mails in outbox/."""
    if office.settings.send.kind == "files":
        folder = files.printable(os.path.join(office.root, "outbox"))
        return w("send the mails in {folder}, and move them to sent/", folder=folder)
    return w("{command} sends them", command=run("mail", "run", office.root, "--only", "out"))


def run_office(
    root: str,
    load: LoadKey,
    clock: Clock,
    tell: Tell,
    *,
    whole: bool,
    named: bool,
    dry: bool,
    retry: bool = False,
    sure: bool = False,
) -> Ran:
    """Judge the stored mails, answer, remind, act on deadlines that are over, send. Who has answered is known only if
    all mails are in: `whole` says that nothing failed, `named` that only some mails were read. With `retry` mails that
    were set aside, refused or came back are sent again. The clock is checked unless the host is `sure` of the time."""
    with opened(root, load) as found:
        now = clock()
        if retry and not dry:
            send_again(found)
            found.save()
        watch = _Watch(found, now, sure=sure, dry=dry)
        judged = judge_all(found, now, dry=dry)
        strict = whole and (not named or found.settings.fetch.kind == "none")
        news, troubles = catch_up(found, now, strict=strict, clock_is_right=watch.is_right)
        if not dry:
            post_digest(found, now)
        written = len(found.mails)
        if not dry:
            found.save()
        sent = Sent() if dry else send_all(found, tell, clock)
        reasons = [*watch.troubles, *troubles, *undelivered(found, now)]
        return Ran(found, judged, news, reasons, written, sent, len(found.names("outbox")))


class _Watch:
    """The machine's clock, compared with what the office knows and the mail server says. `troubles` is what is wrong
    with it; a host who is sure of the time has given it."""

    def __init__(self, found: Office, now: datetime, *, sure: bool, dry: bool) -> None:
        self.office, self.now, self.sure = found, now, sure
        self.troubles: list[RefereeError] = []
        self._asked = self._wrong = False
        if sure:
            return
        if found.note_tick(tick(now)):
            why = t("the clock of this machine has been set: everybody who must answer has the whole time again")
            self.troubles.append(MailTrouble(why, t("make sure that it is right now"), code="wrong-clock"))
        if not dry:
            found.save()

    def is_right(self) -> bool:
        """Whether nothing says that the clock is wrong; the mail server is asked once."""
        if not self.sure and not self._asked:
            self._asked = True
            there = server_time(self.office.settings.send)
            if there and abs(there - self.now) > FAR:
                why = t("this machine says that it is {ours}, and the mail server {theirs}: nobody is timed out",
                        ours=Time(after(self.now, 0)), theirs=Time(after(there, 0)))  # fmt: skip
                self.troubles.append(MailTrouble(why, t("set the clock"), code="wrong-clock"))
                self._wrong = True
        return not self._wrong


# --- tables ----------------------------------------------------------------------------------------------------------


def settle(found: Office, desk: Desk, now: datetime) -> None:
    """Do what follows from a change at a table, above all its mails. An error at this table ends the command; errors at
    others show up in the next run."""
    for trouble in catch_up(found, now, strict=False)[1]:
        if trouble.table == desk.name:
            raise trouble


def open_table(found: Office, offer: Envelope, to: Iterable[str], start: str, now: datetime) -> tuple[Desk, list[str]]:
    """Open a new table for these addresses; returns it with their names in the address book."""
    players = [lobby.find_player(found, one) for one in to]
    return lobby.open_table(found, offer, [Invitation(one) for one in players], start, now), players


def start_game(found: Office, table: str, now: datetime) -> Text:
    """Start a game whose players have all joined."""
    desk = found.find_desk(table)
    if desk.note.game or desk.note.end:
        advice = t("see {value}", value=run("mail", "status", found.root))
        raise WrongTurn(t("this game has already started"), advice, code="already-started")
    lobby.start_game(desk, now)
    settle(found, desk, now)
    return t("{table}: the game has started", table=desk.name)


def drop(found: Office, table: str, who: str, to: str | None, now: datetime) -> tuple[Text, str]:
    """Go on without somebody, at this table or at a new one, whose name is returned."""
    desk = found.find_desk(table)
    number = lobby.find_invited(desk, who)
    if desk.runs and desk.match.state.round and is_unreached(desk, seat := desk.joined.index(number)):
        pass_over(desk, seat, now)
        settle(found, desk, now)
        return t("{table}: this round goes on without {name}", table=desk.name, name=desk.names[seat]), desk.name
    substitute = lobby.find_player(found, to) if to is not None else ""
    new = lobby.drop(found, desk, number, substitute, os.urandom(32), now)
    settle(found, desk, now)
    if new is desk:
        return t("the invitation is withdrawn"), new.name
    return t("{table} is closed; everybody else is invited to {other}", table=desk.name, other=new.name), new.name


def resign(found: Office, table: str, who: str, now: datetime) -> Text:
    """Let a player leave whose key is kept here."""
    desk, seat = _seat(found, table, who)
    if not desk.kept(seat):
        advice = t("wait: after two missed deadlines the player is dropped")
        if not desk.terms.deadline:
            advice = t(
                "wait, or end the game with {value}", value=run("mail", "table", found.root, desk.name, "--abandon")
            )
        raise WrongTurn(t("this player has their own key: nobody else can sign for them"), advice, code="own-key")
    result = resign_for(desk, seat, now)
    settle(found, desk, now)
    return t("{name} is told: {line}", name=desk.names[seat], line=result)


def abandon(found: Office, table: str, agree: Callable[[], None], now: datetime) -> Text:
    """End a game that cannot go on, without a result, if whoever is asked agrees."""
    desk = found.find_desk(table)
    if not desk.runs:
        raise _idle()
    reveal(desk.match, abandon=True)
    agree()
    settle(found, desk, now)
    return t("{table}: the game is abandoned, without a result", table=desk.name)


def extend(found: Office, table: str, who: str, due: Callable[[Match, int], str], now: datetime) -> tuple[Text, str]:
    """Give a player more time, until the time that `due` returns for the open round; returns that time."""
    desk, seat = _seat(found, table, who)
    given = extend_time(desk, seat, due(desk.match, seat), now)
    return t("{name} has time until {time}", name=desk.names[seat], time=Time(given)), given


def _seat(found: Office, table: str, who: str) -> tuple[Desk, int]:
    """A player of a running game."""
    desk = found.find_desk(table)
    number = lobby.find_invited(desk, who)
    if not desk.runs or number not in desk.joined or not desk.match.state.round:
        raise _idle()
    return desk, desk.joined.index(number)


def _idle() -> WrongTurn:
    why = t("no game is being played at this table")
    return WrongTurn(why, t("see {value}", value=run("mail", "table", "--help")), code="not-asked")
