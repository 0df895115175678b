"""How an office begins: what its host was asked, the account, a test, the first invitations. Each step leaves an
ordinary office, so that the next one can wait."""

import os
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from referee import games
from referee.engine import lobby as offers
from referee.errors import RefereeError, Usage
from referee.io import files
from referee.io.times import read_span
from referee.library import t
from referee.library.offices import LoadKey, Tell, make_office, open_table, opened, settle
from referee.library.tables import Wanted, pairs, read_options, terms_of
from referee.mail import office, passwords, providers, settings
from referee.mail.lobby import recipient
from referee.mail.providers import Place, Provider
from referee.mail.run import Sent, send_all
from referee.mail.settings import Changes, Settings
from referee.mail.trial import Tried, steps
from referee.show.rules import option_value

PLAN = "first-game.json"
"""What was asked about a game, until its invitations are written."""
PASSWORD = "password"
"""The file with the password of the account, within the office."""
YOURS = "you@example.org"
"""The address of an office that has none yet."""


class Plan(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The game to which an office will invite."""

    game: str
    to: tuple[str, ...]
    seats: int = 0
    """0: as many as are invited."""
    options: tuple[str, ...] = ()
    deadline: str = "3d"
    grace: str = "12h"

    @property
    def players(self) -> int:
        return self.seats or len(self.to)

    def terms(self) -> Wanted:
        """The terms on offer, checked."""
        return terms_of(self.game, self.players, self.options, None)


def read_plan(root: str) -> Plan | None:
    """What was planned here and not done yet."""
    path = os.path.join(root, PLAN)
    if not os.path.lexists(path):
        return None
    data = files.read(path, files.SMALL, "plan")
    try:
        return msgspec.json.decode(data, type=Plan) if data.strip() != b"{}" else None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def write_plan(root: str, plan: Plan) -> None:
    path = os.path.join(root, PLAN)
    files.write({path: msgspec.json.format(msgspec.json.encode(plan), indent=2)}, secret=[path])


def addresses(typed: str, game: str) -> tuple[str, ...]:
    """Those who are invited, as somebody types them; they must be as many as can play."""
    found = [part for one in re.split(r"[,;]", typed) for part in _parted(one.strip()) if part]
    known = [recipient(one)[0].casefold() for one in found]
    if len(set(known)) != len(known):
        raise Usage(t("somebody is invited twice"), t("give each address once"))
    low, high = games.load(game).seats
    if not low <= len(found) <= high:
        why = t("this game is for {low} to {high} players, not {n}", n=len(found), low=low, high=high)
        raise Usage(why, t("write all addresses in one line, with commas between them"), code="bad-seats")
    return tuple(found)


def _parted(text: str) -> list[str]:
    """Addresses with nothing but spaces between them are several; `Bert <bert@example.org> nl` is one."""
    words = text.split()
    return words if all("@" in word for word in words) and "<" not in text else [text]


def begin(root: str, name: str, plan: Plan | None, key: Any) -> None:
    """Make an office that has no account yet, and keep what was planned."""
    make_office(root, name, "", key, dry=False)
    if plan is not None:
        write_plan(root, plan)


def check_option(game: str, typed: str) -> None:
    """Refuse an option that the game does not have."""
    read_options(games.load(game).options, pairs([typed]))


def usual_option(game: str, name: str) -> str:
    """What an option is if nobody chooses."""
    return option_value(getattr(games.load(game).options(), name))


# --- the account ------------------------------------------------------------------------------------------------------


class Account(Struct, frozen=True):
    """The account of an office: where it fetches and sends, and where the password is kept."""

    address: str
    imap: Place
    smtp: Place
    kept: str = f"file {PASSWORD}"
    """As in `mail.toml`."""
    login: str = "password"
    certificate: str = ""
    user: str = ""
    """Only if it is not what the servers expect of everybody."""

    def users(self) -> tuple[str, str]:
        """Who logs in to fetch, and to send."""
        return tuple(self.user or place.user_of(self.address) for place in (self.imap, self.smtp))  # type: ignore[return-value]

    def changes(self, text: str) -> Changes:
        """The account as settings. What applies anyway is written only where these settings have a line for it."""
        found: dict[tuple[str, str], str | int | bool] = {("", "address"): self.address}
        ends = (("fetch", "imap", self.imap), ("send", "smtp", self.smtp))
        usual: dict[str, str | int] = {"user": self.address, "login": "password", "certificate": ""}
        for (section, kind, place), user in zip(ends, self.users(), strict=True):
            new: dict[str, str | int] = {
                "kind": kind,
                "server": place.server,
                "port": place.port,
                "security": place.security,
                "user": user,
                "password": self.kept,
                "login": self.login,
                "certificate": self.certificate,
            }
            for key, value in new.items():
                if usual.get(key) != value or re.search(rf"^\s*{key}\s*=", text, re.MULTILINE):
                    found[section, key] = value
        return found


def account_of(address: str, provider: Provider) -> Account:
    """The account of somebody at a usual provider, with what its data say."""
    token = provider.login == "token"
    return Account(address, provider.imap, provider.smtp, login="xoauth2" if token else "password")


def account_in(found: Settings) -> Account | None:
    """The account in the settings; None if there is none yet."""
    fetch, send = found.fetch, found.send
    if fetch.kind != "imap" or send.kind != "smtp":
        return None
    imap, smtp = (Place(one.server, one.port, one.security) for one in (fetch, send))
    return Account(found.address, imap, smtp, fetch.password, fetch.login, fetch.certificate, fetch.user)


def server_and_port(typed: str) -> tuple[str, int]:
    """`imap.example.org:993`, as somebody types it."""
    found = re.fullmatch(r"([A-Za-z0-9.-]{1,250}):([0-9]{1,5})", typed.strip())
    if not found or not 0 < int(found[2]) < 65536:
        raise Usage(t("this is not a server and a port"), t("write it as imap.example.org:993"))
    return found[1], int(found[2])


def usual_security(port: int, place: Place) -> str:
    """What is usual at this port."""
    return place.security if port == place.port else "starttls" if port in (143, 587) else "tls"


def security(typed: str) -> Any:
    """How a connection is protected, as somebody types it."""
    if typed.lower() not in ("tls", "starttls", "plain"):
        raise Usage(t("there is no such security"), t("write tls, starttls or plain"))
    return typed.lower()


def certificate(typed: str) -> str:
    """The file of a certificate."""
    if typed and not os.path.isfile(os.path.expanduser(typed)):
        raise Usage(t("there is no file {path}", path=files.printable(typed)), t("name a PEM file"))
    return os.path.abspath(os.path.expanduser(typed)) if typed else ""


def printing_command(typed: str) -> str:
    """A command that prints a password or token."""
    if typed and not settings.says_where(f"command {typed}"):
        raise Usage(t("this is not a command"), t("write a program and its arguments; quotes must be closed"))
    return typed


def save_account(root: str, account: Account, secret: str) -> None:
    """Write the account into the settings, and a typed password to where it is kept: all of it, or nothing."""
    path = os.path.join(root, office.SETTINGS)
    with office.locked(root):
        before = settings.settings_text(path)
        text = settings.edited(before, account.changes(before))
        found = settings.parse_settings(text, os.path.abspath(root))
        write = {path: text.encode()}
        if secret and account.kept == "keyring":
            for user in dict.fromkeys((found.fetch.user, found.send.user)):
                passwords.keep_in_keyring(user, secret)
        elif secret and account.kept == f"file {PASSWORD}":
            write = {os.path.join(root, PASSWORD): f"{secret}\n".encode(), **write}
        files.write(write, secret=[*write])


def has_password(found: Settings) -> RefereeError | None:
    """Why the password of an account cannot be had, if it cannot."""
    try:
        for server in (found.fetch, found.send):
            if server.password != "none":
                passwords.password(server)
    except RefereeError as error:
        return error
    return None


def hints(found: Settings) -> list[str]:
    """What the provider of an account wants, and its pages, for whoever could not log in."""
    provider = providers.provider_with(found.fetch.server)
    return [*map(str, provider.advice()), *provider.help] if provider else []


def tested(root: str) -> Iterator[Tried]:
    """Test the settings, with a mail that is sent and fetched again."""
    with office.locked(root):
        yield from steps(office.settings_of(root), send=True)


# --- the first invitations --------------------------------------------------------------------------------------------


def invite(root: str, load: LoadKey, plan: Plan, now: datetime, tell: Tell) -> tuple[str, Sent, Sequence[str]]:
    """Make the offer that was planned, write the invitations, and send them if there is an account. Returns the table,
    what was sent, and what is still in outbox/."""
    wanted, deadline, grace = plan.terms(), read_span(plan.deadline), read_span(plan.grace)
    with opened(root, load) as found:
        made = offers.make_offer(found.key, *wanted, deadline, grace)
        desk, _ = open_table(found, made, plan.to, "when-full", now)
        settle(found, desk, now)
        found.extra[PLAN] = b"{}"
        found.save()
        sent = send_all(found, tell, lambda: now)
        left = found.names("outbox")
    os.unlink(os.path.join(root, PLAN))
    return desk.name, sent, left
