"""From nothing to the first invitation: the dialogue of `referee host`. After each part the office is whole, and the
next run goes on from there."""

import getpass
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from msgspec.structs import replace

from referee import games
from referee.cli import common as c
from referee.cli import t, w
from referee.crypto import keys
from referee.errors import MailTrouble, RefereeError, Usage
from referee.io import files
from referee.language import Message, Time, run
from referee.library import completion, founding, offices, tables, timers
from referee.library.values import placeholder
from referee.mail import office, office_tables, providers
from referee.mail.settings import ADDRESS, Settings
from referee.show.rules import choices
from referee.show.text import clean

T = TypeVar("T")


def host(
    root: str = c.argument("[DIR]", "The office's folder.", default="office"),
    name: str = c.option("--name", "", "Your name as players read it.", default=""),
    address: str = c.option("--address", "", "The email address of the office.", default=""),
    key: str | None = c.option("--key", "FILE", "Your own key. Default: a new one.", completion.files("key")),
    bare: bool = c.flag("--bare", "Only make the office, and ask nothing, as without a terminal."),
    now: c.NowOption = None,
    dry: c.DryOption = False,
) -> None:
    """Host games by mail: asks what is needed for an office, its mail account and the first invitations, tests it, and
    lets this machine run it. Run it again to go on, or to change something.

    Example: referee host office
    referee host office --bare --name Hanna --address games@example.org
    """
    if bare or dry or not c.is_interactive():
        return _make(root, name, address, key, dry=dry)
    new = not os.path.lexists(os.path.join(root, office.SETTINGS))
    if new:
        _begin(root, name, key)
    with c.so_far(w("What you answered before is kept. Go on with {run}.", run=run("host", root))):
        return _continue(root, address, lambda: c.clock(now), new=new)


def _make(root: str, name: str, address: str, key: str | None, *, dry: bool) -> None:
    offices.make_office(root, name, address, _key(key), dry=dry)
    if dry:
        return c.next_step("", dry=True)
    c.say(w("The office is in {folder}. Keep a copy of host.key: no game can continue without it.",
            folder=files.printable(root)))  # fmt: skip
    to = ("--seats", "N", "--office", root, "--to", placeholder("ADDRESS"))
    invite = run("offer", placeholder("GAME"), *to)
    toml = files.printable(os.path.join(root, office.SETTINGS))
    return c.say(w("Next: look through {file}, then {test}; invite with {offer}.", file=toml, offer=invite,
            test=run("mail", "status", root, "--test")))  # fmt: skip


def _key(path: str | None) -> "Callable[[], keys.Key | None]":
    return lambda: c.load_key(path) if path is not None else None


# --- questions --------------------------------------------------------------------------------------------------------


def _ask(question: str, default: str, check: Callable[[str], T]) -> T:
    """An answer that passes a check; an empty line takes the default."""
    shown = f"{question} [{clean(default)}]" if default else question
    while True:
        try:
            return check(c.ask_line(shown).strip() or default)
        except RefereeError as error:
            _explain(error.message, error.next)


def _explain(why: Message, next: Message) -> None:
    c.say(clean(str(why)))
    if str(next):
        c.say(w("Next: {next}", next=clean(str(next))))


def _pick(question: str, listed: Sequence[str], default: int) -> int:
    """The number of one of these, counted from 0."""
    c.say(question)
    for number, one in enumerate(listed, 1):
        c.say(f"{number:>3}  {one}")

    def check(typed: str) -> int:
        if typed.isdecimal() and 0 < int(typed) <= len(listed):
            return int(typed) - 1
        raise Usage(t("that is not one of them"), t("type a number from 1 to {most}", most=len(listed)))

    return _ask(w("Which one? Type its number:"), f"{default + 1}", check)


def _any(typed: str) -> str:
    return typed


# --- the office and the game ------------------------------------------------------------------------------------------


def _begin(root: str, name: str, key: str | None) -> None:
    """Ask who hosts what for whom, and make the office."""
    c.say(w("This makes an office for games by mail in {folder}. Enter takes what is in brackets; Ctrl-C stops.",
            folder=files.printable(root)))  # fmt: skip
    mine = _key(key)()
    usual = name or (mine.name if mine else "") or getpass.getuser().title()
    who = _ask(w("Your name, as players read it:"), usual, _name)
    plan = _ask_plan()
    founding.begin(root, who, plan, lambda: mine)
    c.say(w("The office is in {folder}. Keep a copy of host.key: no game can continue without it.",
            folder=files.printable(root)))  # fmt: skip


def _name(typed: str) -> str:
    if not 0 < len(typed) <= 60 or not typed.isprintable():
        raise Usage(t("a name has 1 to 60 letters"), t("write a plain name"))
    return typed


def _ask_plan() -> "founding.Plan | None":
    """The game and its players; None: later."""
    known = games.game_ids()
    game = known[_pick(w("Which game?"), [_title(one) for one in known], 0)]
    question = w("The players' email addresses, with commas between them (Enter: later):")
    to = _ask(question, "", lambda typed: founding.addresses(typed, game) if typed else ())
    return _ask_terms(founding.Plan(game, to)) if to else None


def _title(game: str) -> str:
    found = games.load(game)
    low, high = found.seats
    return w("{title}, {low} to {high} players", title=found.title, low=low, high=high)


def _ask_terms(plan: "founding.Plan") -> "founding.Plan":
    usual = w("{n} players, {deadline} for each answer, {grace} of grace.", n=plan.players, deadline=plan.deadline,
              grace=plan.grace)  # fmt: skip
    c.say(usual)
    if not c.confirm(w("Change that, or the options of the game?"), default=False):
        return plan

    def seats(typed: str) -> int:
        number = int(typed) if typed.isdecimal() else 0
        replace(plan, seats=number).terms()
        if number > len(plan.to):
            raise Usage(t("more players than are invited"), t("at most {n}", n=len(plan.to)))
        return number

    def span(typed: str) -> str:
        tables.time_limits(typed, None, None, never=False)
        return typed

    plan = replace(plan, seats=_ask(w("How many players? Whoever answers first plays:"), f"{plan.players}", seats))
    plan = replace(plan, deadline=_ask(w("Time for each answer (90m, 12h or 3d):"), plan.deadline, span))
    plan = replace(plan, grace=_ask(w("Time after that before somebody is timed out:"), plan.grace, span))
    listed = choices(plan.game)
    chosen = []
    for name in dict.fromkeys(one.partition("=")[0] for one in listed):
        values = [one.partition("=")[2] for one in listed if one.startswith(f"{name}=")]

        def option(typed: str, name: str = name) -> str:
            founding.check_option(plan.game, f"{name}={typed}")
            return f"{name}={typed}"

        usual = founding.usual_option(plan.game, name)
        chosen.append(_ask(f"{name} ({', '.join(values)}):", usual, option))
    return replace(plan, options=tuple(chosen))


# --- the rest ---------------------------------------------------------------------------------------------------------


def _continue(root: str, address: str, clock: Callable[[], datetime], *, new: bool) -> None:
    """What is still to be done in an office, one after the other."""
    found = office.settings_of(root)
    hosts = bool(os.listdir(os.path.join(root, office_tables.TABLES)))
    if not new and founding.read_plan(root) is None:
        c.say(w("This is the office of {name}.", name=clean(found.name)))
        if c.confirm(w("Invite to a game?"), default=not hosts) and (plan := _ask_plan()) is not None:
            founding.write_plan(root, plan)
    ready = _account(root, found, address) and _test(root)
    invited = _invite(root, clock, ready)
    if ready and (invited or hosts):
        _timer(root)
    elif not ready:
        return c.say(w("Next: {run} goes on from here.", run=run("host", root)))
    return c.say(w("Next: {status} shows who has answered; {run} reads the answers.", run=run("mail", "run", root),
                   status=run("mail", "status", root)))  # fmt: skip


def _account(root: str, found: Settings, address: str) -> bool:
    """See that there is an account; returns whether there is one now."""
    before = founding.account_in(found)
    if before is None and (found.fetch.kind != "none" or found.send.kind != "files"):
        c.say(w("mail.toml says how mails come ({fetch}) and go ({send}); that stays as it is.", fetch=found.fetch.kind,
                send=found.send.kind))  # fmt: skip
        return True
    if before is None:
        usual = address or ("" if found.address == founding.YOURS else found.address)
        if usual and not c.confirm(w("Set up the account of {address} now?", address=usual)):
            return False
        return _ask_account(root, usual, None)
    if missing := founding.has_password(found):
        c.say(clean(str(missing.message)))
        return _ask_account(root, before.address, before)
    question = w("Change the account, {address} at {server}?", address=before.address, server=before.imap.server)
    return _ask_account(root, before.address, before) if c.confirm(question, default=False) else True


def _ask_account(root: str, usual: str, before: "founding.Account | None") -> bool:
    def valid(typed: str) -> str:
        if typed and not ADDRESS.fullmatch(typed):
            raise Usage(t("this is not a valid email address"), t("write it as anna@example.org"))
        return typed

    address = _ask(w("The email address of the office (Enter: later):") if not usual else
                   w("The email address of the office:"), usual, valid)  # fmt: skip
    if not address:
        return False
    provider = _provider(address)
    account = founding.account_of(address, provider) if provider else _other(address, before)
    if provider and provider.login == "bridge":
        account = _bridge(account)
    while True:
        account, secret = _password(account, provider)
        try:
            founding.save_account(root, account, secret)
            break
        except (MailTrouble, Usage) as error:  # there is no keyring
            _explain(error.message, error.next)
    if missing := founding.has_password(office.settings_of(root)):
        _explain(missing.message, t("get it ready, then {run} asks again", run=run("host", root)))
        return False
    return True


def _provider(address: str) -> "providers.Provider | None":
    """The provider of an account, which its domain may tell; None: another one."""
    known = providers.known()
    found = providers.provider_of(address)
    if found is None or not c.confirm(w("Is this account at {name}?", name=found.name)):
        names = [one.name for one in known.providers]
        chosen = _pick(
            w("Where is this account?"), [*names, w("at another provider, or a server of your own")], len(names)
        )
        found = known.providers[chosen] if chosen < len(names) else None
    if found is not None:
        c.say(w("What is known of {name}, as of {date}:", name=found.name, date=Time(known.date)))
        for line in (*found.advice(), *found.doubts(), *found.help):
            c.say(f"  {line}")
    return found


def _other(address: str, before: "founding.Account | None") -> "founding.Account":
    """An account whose servers are asked for."""
    domain = address.rpartition("@")[2]
    ends = []
    for kind, place in (("IMAP", before and before.imap), ("SMTP", before and before.smtp)):
        usual = place or providers.Place(f"{kind.lower()}.{domain}", 993 if kind == "IMAP" else 465, "tls")
        shown = f"{usual.server}:{usual.port}"
        server, port = _ask(w("{kind} server and port:", kind=kind), shown, founding.server_and_port)
        security = _ask(w("Security of {server} (tls, starttls, or plain within this machine):", server=server),
                        founding.usual_security(port, usual), founding.security)  # fmt: skip
        ends.append(providers.Place(server, port, security))
    user = _ask(w("User name there:"), (before.user if before else "") or address, _any)
    return founding.Account(address, ends[0], ends[1], user=user, certificate=_certificate(before))


def _bridge(account: "founding.Account") -> "founding.Account":
    """An account behind a program on this machine, whose ports are asked for."""
    ends = []
    for kind, place in (("IMAP", account.imap), ("SMTP", account.smtp)):
        shown = f"{place.server}:{place.port}"
        server, port = _ask(w("{kind} server and port:", kind=kind), shown, founding.server_and_port)
        ends.append(replace(place, server=server, port=port))
    return replace(account, imap=ends[0], smtp=ends[1], certificate=_certificate(None))


def _certificate(before: "founding.Account | None") -> str:
    question = w("A file with the certificate of your own server (Enter: a public one):")
    return _ask(question, before.certificate if before else "", founding.certificate)


def _password(account: "founding.Account", provider: "providers.Provider | None") -> "tuple[founding.Account, str]":
    """Where the password is kept, and what was typed."""
    ways = [w("a file in the office that only you can read"),
            w("the keyring of this machine (cron often reaches none)"),
            w("a command prints it"), w("none: a command prints an access token (OAuth)")]  # fmt: skip
    token = account.login == "xoauth2"
    way = 3 if token else _pick(w("Where is the password kept?"), ways, 0)
    if way >= 2:
        question = w("The command that prints it, on one line (Enter: later):")
        command = _ask(question, "", founding.printing_command)
        kept = f"command {command}" if command else account.kept
        return replace(account, kept=kept, login="xoauth2" if way == 3 else "password"), ""
    while True:
        secret = c.ask_hidden(
            w("Password (it is not shown; Enter: later):"), default="", show_default=False, prompt_suffix=" "
        )
        if provider and provider.login == "app":
            secret = "".join(secret.split())  # it is shown in groups of letters
        if not secret or secret.isprintable():
            return replace(account, kept="keyring" if way else f"file {founding.PASSWORD}"), secret
        c.say(w("A password is one line without control characters."))


def _test(root: str) -> bool:
    """Test the account until it works, or its host gives up for now."""
    if not c.confirm(w("Test it now, with a mail to yourself?")):
        return True
    while True:
        bad = None
        for one in founding.tested(root):
            c.say(f"{w('ok') if one.good else w('BAD')}: {clean(str(one.what))}")
            bad = bad or (one if not one.good else None)
        if bad is None:
            return True
        c.say(w("Next: {next}", next=clean(str(bad.next))))
        found = office.settings_of(root)
        for line in founding.hints(found):
            c.say(f"  {line}")
        chosen = _pick(w("What now?"), [w("test again"), w("change the account"), w("later")], 0)
        if chosen == 2:
            return False
        if chosen == 1 and not _ask_account(root, found.address, founding.account_in(found)):
            return False


def _invite(root: str, clock: Callable[[], datetime], ready: bool) -> bool:
    """Make the offer and send the invitations."""
    plan = founding.read_plan(root)
    if plan is None:
        return False
    c.say(w("{game}; invited: {to}", game=games.load(plan.game).title, to=clean(", ".join(plan.to))))
    question = w("Send the invitations now?") if ready else w("Write the invitations now, for you to send by hand?")
    if not c.confirm(question, default=ready):
        return False
    table, sent, left = founding.invite(root, c.load_key, plan, clock(), lambda line: c.say(clean(str(line))))
    c.say(w("Table {table}: {sent} invitations sent, {left} in outbox/.", table=table, sent=sent.sent, left=len(left)))
    if sent.trouble:
        _explain(sent.trouble.message, sent.trouble.next)
    return True


def _timer(root: str) -> None:
    """Let this machine run the office by itself, if its host wants that."""
    found = timers.timers(root)
    if there := next((one for one in found if one.installed), None):
        return c.say(w("This machine runs the office already ({kind}).", kind=there.kind))
    if not found:
        line = files.printable(" ".join(timers.command(root)))
        return c.say(w("Let something run this every {n} minutes: {command}", n=timers.MINUTES, command=line))
    for one in found:
        c.say(f"  {one.kind}: {files.printable(one.shown)}")
    words = {"cron": w("add that line to your crontab"), "systemd": w("install a systemd timer of that name")}
    ways = [w("I do, with {run}", run=run("mail", "run", root)), *(words[one.kind] for one in found)]
    if chosen := _pick(w("Who runs the office every {n} minutes?", n=timers.MINUTES), ways, 0):
        try:
            timers.install(found[chosen - 1])
        except RefereeError as error:
            return _explain(error.message, error.next)
        c.say(w("Installed."))
    return None
