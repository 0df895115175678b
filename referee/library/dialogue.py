"""From nothing to the first invitation: the dialogue of `referee host`. After each part the office is whole, and the
next run goes on from there."""

import getpass
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from referee import games
from referee.crypto import keys
from referee.errors import MailTrouble, RefereeError, Usage
from referee.io import files
from referee.language import Message, Time, run
from referee.library import founding, t, tables, timers, w
from referee.mail import office, office_tables, providers
from referee.mail.settings import ADDRESS, Settings
from referee.show.rules import choices
from referee.show.text import clean

T = TypeVar("T")


class Person(Protocol):
    """Whoever is asked. Going away instead of answering ends the dialogue."""

    def say(self, text: object) -> None:
        """Say something."""

    def ask_line(self, question: str) -> str:
        """Ask for a line."""

    def ask_hidden(self, question: str, **more: Any) -> str:
        """Ask for a line that is not shown."""

    def confirm(self, question: str, *, default: bool = True) -> bool:
        """Ask for yes or no."""

    def load_key(self, path: str | None) -> keys.Key:
        """Get a key, asking for its passphrase."""


def _any(typed: str) -> str:
    return typed


def _name(typed: str) -> str:
    if not 0 < len(typed) <= 60 or not typed.isprintable():
        raise Usage(t("a name has 1 to 60 letters"), t("write a plain name"))
    return typed


def _title(game: str) -> str:
    found = games.load(game)
    low, high = found.seats
    return w("{title}, {low} to {high} players", title=found.title, low=low, high=high)


class Dialogue:
    """The questions, in the order in which they are asked, about the office in a folder."""

    def __init__(self, person: Person, root: str) -> None:
        self.person, self.root = person, root

    # --- questions ----------------------------------------------------------------------------------------------------

    def _ask(self, question: str, default: str, check: Callable[[str], T]) -> T:
        """An answer that passes a check; an empty line takes the default."""
        shown = f"{question} [{clean(default)}]" if default else question
        while True:
            try:
                return check(self.person.ask_line(shown).strip() or default)
            except RefereeError as error:
                self._explain(error.message, error.next)

    def _explain(self, why: Message, next: Message) -> None:
        self.person.say(clean(str(why)))
        if str(next):
            self.person.say(w("Next: {next}", next=clean(str(next))))

    def _pick(self, question: str, listed: Sequence[str], default: int) -> int:
        """The number of one of these, counted from 0."""
        self.person.say(question)
        for number, one in enumerate(listed, 1):
            self.person.say(f"{number:>3}  {one}")

        def check(typed: str) -> int:
            if typed.isdecimal() and 0 < int(typed) <= len(listed):
                return int(typed) - 1
            raise Usage(t("that is not one of them"), t("type a number from 1 to {most}", most=len(listed)))

        return self._ask(w("Which one? Type its number:"), f"{default + 1}", check)

    # --- the office and the game --------------------------------------------------------------------------------------

    def begin(self, name: str, mine: keys.Key | None) -> None:
        """Ask who hosts what for whom, and make the office."""
        folder = files.printable(self.root)
        self.person.say(w("This makes an office for games by mail in {folder}. Enter takes what is in brackets; Ctrl-C "
                          "stops.", folder=folder))  # fmt: skip
        usual = name or (mine.name if mine else "") or getpass.getuser().title()
        who = self._ask(w("Your name, as players read it:"), usual, _name)
        plan = self._ask_plan()
        founding.begin(self.root, who, plan, lambda: mine)
        self.person.say(w("The office is in {folder}. Keep a copy of host.key: no game can continue without it.",
                          folder=folder))  # fmt: skip

    def _ask_plan(self) -> "founding.Plan | None":
        """The game and its players; None: later."""
        known = games.game_ids()
        game = known[self._pick(w("Which game?"), [_title(one) for one in known], 0)]
        question = w("The players' email addresses, with commas between them (Enter: later):")
        to = self._ask(question, "", lambda typed: founding.addresses(typed, game) if typed else ())
        return self._ask_terms(founding.Plan(game, to)) if to else None

    def _ask_terms(self, plan: "founding.Plan") -> "founding.Plan":
        usual = w("{n} players, {deadline} for each answer, {grace} of grace.", n=plan.players, deadline=plan.deadline,
                  grace=plan.grace)  # fmt: skip
        self.person.say(usual)
        if not self.person.confirm(w("Change that, or the options of the game?"), default=False):
            return plan

        def seats(typed: str) -> int:
            number = int(typed) if typed.isdecimal() else 0
            replace(plan, seats=number).terms()
            if number > len(plan.to):
                raise Usage(t("more players than are invited"), t("type a number of at most {n}", n=len(plan.to)))
            return number

        def span(typed: str) -> str:
            tables.time_limits(typed, None, None, never=False)
            return typed

        plan = replace(
            plan, seats=self._ask(w("How many players? Whoever answers first plays:"), f"{plan.players}", seats)
        )
        plan = replace(plan, deadline=self._ask(w("Time for each answer (90m, 12h or 3d):"), plan.deadline, span))
        plan = replace(plan, grace=self._ask(w("Time after that before somebody is timed out:"), plan.grace, span))
        listed = choices(plan.game)
        chosen = []
        for name in dict.fromkeys(one.partition("=")[0] for one in listed):
            values = [one.partition("=")[2] for one in listed if one.startswith(f"{name}=")]

            def option(typed: str, name: str = name) -> str:
                founding.check_option(plan.game, f"{name}={typed}")
                return f"{name}={typed}"

            usual = founding.usual_option(plan.game, name)
            chosen.append(self._ask(f"{name} ({', '.join(values)}):", usual, option))
        return replace(plan, options=tuple(chosen))

    # --- the rest -----------------------------------------------------------------------------------------------------

    def go_on(self, address: str, clock: Callable[[], datetime], *, new: bool) -> None:
        """What is still to be done in an office, one after the other."""
        found = office.settings_of(self.root)
        hosts = bool(os.listdir(os.path.join(self.root, office_tables.TABLES)))
        if not new and founding.read_plan(self.root) is None:
            self.person.say(w("This is the office of {name}.", name=clean(found.name)))
            if (
                self.person.confirm(w("Invite to a game?"), default=not hosts)
                and (plan := self._ask_plan()) is not None
            ):
                founding.write_plan(self.root, plan)
        ready = self._account(found, address) and self._test()
        invited = self._invite(clock, ready)
        if ready and (invited or hosts):
            self._timer()
        elif not ready:
            return self.person.say(w("Next: {run} goes on from here.", run=run("host", self.root)))
        status, read = run("mail", "status", self.root), run("mail", "run", self.root)
        return self.person.say(
            w("Next: {status} shows who has answered; {run} reads the answers.", run=read, status=status)
        )

    def _account(self, found: Settings, address: str) -> bool:
        """See that there is an account; returns whether there is one now."""
        before = founding.account_in(found)
        if before is None and (found.fetch.kind != "none" or found.send.kind != "files"):
            kinds = {"fetch": found.fetch.kind, "send": found.send.kind}
            self.person.say(w("mail.toml says how mails come ({fetch}) and go ({send}); that stays as it is.", **kinds))
            return True
        if before is None:
            usual = address or ("" if found.address == founding.YOURS else found.address)
            if usual and not self.person.confirm(w("Set up the account of {address} now?", address=usual)):
                return False
            return self._ask_account(usual, None)
        if missing := founding.has_password(found):
            self.person.say(clean(str(missing.message)))
            return self._ask_account(before.address, before)
        question = w("Change the account, {address} at {server}?", address=before.address, server=before.imap.server)
        return self._ask_account(before.address, before) if self.person.confirm(question, default=False) else True

    def _ask_account(self, usual: str, before: "founding.Account | None") -> bool:
        def valid(typed: str) -> str:
            if typed and not ADDRESS.fullmatch(typed):
                raise Usage(t("this is not a valid email address"), t("write it as anna@example.org"))
            return typed

        address = self._ask(w("The email address of the office (Enter: later):") if not usual else
                       w("The email address of the office:"), usual, valid)  # fmt: skip
        if not address:
            return False
        provider = self._provider(address)
        account = founding.account_of(address, provider) if provider else self._other(address, before)
        if provider and provider.login == "bridge":
            account = self._bridge(account)
        while True:
            account, secret = self._password(account, provider)
            try:
                founding.save_account(self.root, account, secret)
                break
            except (MailTrouble, Usage) as error:  # there is no keyring
                self._explain(error.message, error.next)
        if missing := founding.has_password(office.settings_of(self.root)):
            self._explain(missing.message, t("get it ready, then {run} asks again", run=run("host", self.root)))
            return False
        return True

    def _provider(self, address: str) -> "providers.Provider | None":
        """The provider of an account, which its domain may tell; None: another one."""
        known = providers.known()
        found = providers.provider_of(address)
        if found is None or not self.person.confirm(w("Is this account at {name}?", name=found.name)):
            names = [one.name for one in known.providers]
            chosen = self._pick(
                w("Where is this account?"), [*names, w("at another provider, or a server of your own")], len(names)
            )
            found = known.providers[chosen] if chosen < len(names) else None
        if found is not None:
            self.person.say(w("What is known of {name}, as of {date}:", name=found.name, date=Time(known.date)))
            for line in (*found.advice(), *found.doubts(), *found.help):
                self.person.say(f"  {line}")
        return found

    def _other(self, address: str, before: "founding.Account | None") -> "founding.Account":
        """An account whose servers are asked for."""
        domain = address.rpartition("@")[2]
        ends = []
        for kind, place in (("IMAP", before and before.imap), ("SMTP", before and before.smtp)):
            usual = place or providers.Place(f"{kind.lower()}.{domain}", 993 if kind == "IMAP" else 465, "tls")
            shown = f"{usual.server}:{usual.port}"
            server, port = self._ask(w("{kind} server and port:", kind=kind), shown, founding.server_and_port)
            question = w("Security of {server} (tls, starttls, or plain within this machine):", server=server)
            security = self._ask(question, founding.usual_security(port, usual), founding.security)
            ends.append(providers.Place(server, port, security))
        user = self._ask(w("User name there:"), (before.user if before else "") or address, _any)
        return founding.Account(address, ends[0], ends[1], user=user, certificate=self._certificate(before))

    def _bridge(self, account: "founding.Account") -> "founding.Account":
        """An account behind a program on this machine, whose ports are asked for."""
        ends = []
        for kind, place in (("IMAP", account.imap), ("SMTP", account.smtp)):
            shown = f"{place.server}:{place.port}"
            server, port = self._ask(w("{kind} server and port:", kind=kind), shown, founding.server_and_port)
            ends.append(replace(place, server=server, port=port))
        return replace(account, imap=ends[0], smtp=ends[1], certificate=self._certificate(None))

    def _certificate(self, before: "founding.Account | None") -> str:
        question = w("A file with the certificate of your own server (Enter: a public one):")
        return self._ask(question, before.certificate if before else "", founding.certificate)

    def _password(
        self, account: "founding.Account", provider: "providers.Provider | None"
    ) -> "tuple[founding.Account, str]":
        """Where the password is kept, and what was typed."""
        ways = [w("a file in the office that only you can read"),
                w("the keyring of this machine (cron often reaches none)"),
                w("a command prints it"), w("none: a command prints an access token (OAuth)")]  # fmt: skip
        token = account.login == "xoauth2"
        way = 3 if token else self._pick(w("Where is the password kept?"), ways, 0)
        if way >= 2:
            question = w("The command that prints it, on one line (Enter: later):")
            command = self._ask(question, "", founding.printing_command)
            kept = f"command {command}" if command else account.kept
            return replace(account, kept=kept, login="xoauth2" if way == 3 else "password"), ""
        while True:
            secret = self.person.ask_hidden(
                w("Password (it is not shown; Enter: later):"), default="", show_default=False, prompt_suffix=" "
            )
            if provider and provider.login == "app":
                secret = "".join(secret.split())  # it is shown in groups of letters
            if not secret or secret.isprintable():
                return replace(account, kept="keyring" if way else f"file {founding.PASSWORD}"), secret
            self.person.say(w("A password is one line without control characters."))

    def _test(self) -> bool:
        """Test the account until it works, or its host gives up for now."""
        if not self.person.confirm(w("Test it now, with a mail to yourself?")):
            return True
        while True:
            bad = None
            for one in founding.tested(self.root):
                self.person.say(f"{w('ok') if one.good else w('BAD')}: {clean(str(one.what))}")
                bad = bad or (one if not one.good else None)
            if bad is None:
                return True
            self.person.say(w("Next: {next}", next=clean(str(bad.next))))
            found = office.settings_of(self.root)
            for line in founding.hints(found):
                self.person.say(f"  {line}")
            chosen = self._pick(w("What now?"), [w("test again"), w("change the account"), w("later")], 0)
            if chosen == 2:
                return False
            if chosen == 1 and not self._ask_account(found.address, founding.account_in(found)):
                return False

    def _invite(self, clock: Callable[[], datetime], ready: bool) -> bool:
        """Make the offer and send the invitations."""
        plan = founding.read_plan(self.root)
        if plan is None:
            return False
        self.person.say(w("{game}; invited: {to}", game=games.load(plan.game).title, to=clean(", ".join(plan.to))))
        question = w("Send the invitations now?") if ready else w("Write the invitations now, for you to send by hand?")
        if not self.person.confirm(question, default=ready):
            return False
        table, sent, left = founding.invite(
            self.root, self.person.load_key, plan, clock(), lambda line: self.person.say(clean(str(line)))
        )
        self.person.say(
            w("Table {table}: {sent} invitations sent, {left} in outbox/.", table=table, sent=sent.sent, left=len(left))
        )
        if sent.trouble:
            self._explain(sent.trouble.message, sent.trouble.next)
        return True

    def _timer(self) -> None:
        """Let this machine run the office by itself, if its host wants that."""
        found = timers.timers(self.root)
        if there := next((one for one in found if one.installed), None):
            return self.person.say(w("This machine runs the office already ({kind}).", kind=there.kind))
        if not found:
            line = files.printable(" ".join(timers.command(self.root)))
            return self.person.say(
                w("Let something run this every {n} minutes: {command}", n=timers.MINUTES, command=line)
            )
        for one in found:
            self.person.say(f"  {one.kind}: {files.printable(one.shown)}")
        words = {"cron": w("add that line to your crontab"), "systemd": w("install a systemd timer of that name")}
        ways = [w("I do, with {run}", run=run("mail", "run", self.root)), *(words[one.kind] for one in found)]
        if chosen := self._pick(w("Who runs the office every {n} minutes?", n=timers.MINUTES), ways, 0):
            try:
                timers.install(found[chosen - 1])
            except RefereeError as error:
                return self._explain(error.message, error.next)
            self.person.say(w("Installed."))
        return None
