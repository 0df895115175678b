"""The settings of an office, `mail.toml`: read as a whole, or refused with the line and key that are wrong."""

import os
import re
import shlex
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import structs

from referee.errors import Malformed
from referee.game import nearest
from referee.io import files
from referee.language import Text, Value, current_language, run
from referee.mail import t, w
from referee.misfits import misfit

_ATOM, _LABEL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+", r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@.{{1,190}}\Z){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
"""An address that every server accepts. Few accept what else the standard allows (quotes, letters of all scripts)."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
IMAP_PORTS = {"tls": 993, "starttls": 143, "plain": 143}
SMTP_PORTS = {"tls": 465, "starttls": 587, "plain": 25}

Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]


class Server(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mail server and how to log in there."""

    server: str = ""
    port: Port = 0
    """0 in the file: the usual one."""
    security: Literal["tls", "starttls", "plain"] = "tls"
    certificate: str = ""
    """A file with the certificate to trust, for your own server."""
    user: str = ""
    """Empty in the file: the office's address."""
    password: str = "keyring"
    """Where the password is kept, never the password itself."""
    login: Literal["password", "xoauth2"] = "password"
    """What is kept there: a password, or an access token (OAuth)."""


AnyServer = TypeVar("AnyServer", bound=Server)


class Fetch(Server, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where mails are fetched from."""

    kind: Literal["none", "imap", "maildir", "mbox", "folder"] = "none"
    path: str = ""
    """The Maildir, mbox file or folder of .eml files."""
    folder: str = "INBOX"
    move_to: str = ""
    """The IMAP folder for fetched mails. Empty: they stay, marked as read."""


class Send(Server, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How mails are sent."""

    kind: Literal["files", "smtp", "sendmail"] = "files"
    program: str = "/usr/sbin/sendmail"


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All of `mail.toml`, with whole paths, and every port and user filled in."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    address: str
    plus: bool = False
    zone: str = "UTC"
    language: Literal["en", "de", "nl"] = "en"
    answers_per_day: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 20
    pictures: bool = True
    aids: bool = True
    """Whether players with their own key get the file that a player's page without the rules needs to answer."""
    player_page: Annotated[str, msgspec.Meta(max_length=200, pattern=r"\A[!-~]*\Z")] = ""
    """Where players get player.html, as our mails tell it; empty: they ask the host."""
    digest: str = ""
    """Where a mail a day goes that tells the host what needs attention, if anything does; empty: nowhere."""
    tell: Literal["asked", "all"] = "asked"
    """Who gets a mail in each round: those who are asked, or everybody."""
    fetch: Fetch = Fetch()
    send: Send = Send()


def template(name: str, address: str) -> str:
    """`mail.toml` for a new office: an ordinary account only needs `kind` and `server` in both sections."""
    quoted = [msgspec.json.encode(text).decode() for text in (name, address)]
    return w("""\
# The settings of this office. `referee mail status --test` checks them; text after a # is a comment.
name = {name}
address = {address}
language = "{language}"          # en, de, nl: of mails to new players, until they say theirs
plus = false             # true: mail to you+word@example.org reaches you too (most large providers)
zone = "UTC"             # for new players, until they say theirs, as "Europe/Berlin"

[fetch]
kind = "none"            # imap, maildir, mbox, folder; none: you hand mails over with `referee mail run --only in`
server = "imap.example.org"
folder = "INBOX"         # new mails are taken and marked as read: best a folder of its own, filled by a filter
password = "keyring"     # where it is kept: "keyring" (store it once: keyring set pbem-referee ADDRESS), "file NAME"
                         # (only you can read it; cron often reaches no keyring), "environment NAME",
                         # or "command PROGRAM ..." that prints it; with login = "xoauth2" an access token
[send]
kind = "files"           # smtp, sendmail; files: mails wait in outbox/ for you to send them
server = "smtp.example.org"
password = "keyring"
""", name=quoted[0], address=quoted[1], language=current_language())  # fmt: skip


Changes = Mapping[tuple[str, str], str | int | bool]
"""(Section, key) -> its new value; the section of what stands before all sections is empty."""


def edited(text: str, changes: Changes) -> str:
    """`mail.toml` with other values. Every other line, and every comment, stays as its host left it."""
    lines, left = text.splitlines(), dict(changes)
    section, ends = "", {"": 0}
    for at, line in enumerate(lines):
        if head := _HEAD.match(line):
            section = head[1]
            ends[section] = at + 1
        elif found := _KEY.match(line):
            ends[section] = at + 1
            if (section, found[1]) in left:
                comment = _COMMENT.search(line, found.end())
                new = f"{found[1]} = {_toml(left.pop((section, found[1])))}"
                lines[at] = f"{new:24} {comment[0]}" if comment else new
        elif re.match(r"\s+#", line):
            ends[section] = at + 1
    for (section, key), value in reversed(left.items()):
        if section not in ends:
            lines += [f"[{section}]"]
            ends[section] = len(lines)
        lines.insert(ends[section], f"{key} = {_toml(value)}")
        ends = {name: end + (end > ends[section]) for name, end in ends.items()}
    return "\n".join((*lines, ""))


_HEAD = re.compile(r"\s*\[\s*\"?([^\]\"]*?)\"?\s*\]")
_KEY = re.compile(r"\s*[\"']?([A-Za-z_]+)[\"']?\s*=\s*(?:\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\"'#]*)")
_COMMENT = re.compile(r"#.*")


def _toml(value: str | int | bool) -> str:
    return msgspec.json.encode(value).decode()


def read_settings(path: str) -> Settings:
    """Read the settings, and check them as far as possible without a network."""
    return parse_settings(settings_text(path), os.path.dirname(os.path.abspath(path)))


def settings_text(path: str) -> str:
    """The settings as they are written."""
    try:
        return files.read(path, files.SMALL, "settings").decode()
    except UnicodeDecodeError:
        raise _bad(t("mail.toml is not UTF-8 text"), t("save it as UTF-8 text")) from None


def parse_settings(text: str, folder: str) -> Settings:
    """Settings as they are written, and the folder of their file."""
    import tomllib

    from referee.io.toml import explain_error

    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where, what = explain_error(error)
        why = t("mail.toml cannot be read at {where}: {what}", where=where, what=what)
        raise _bad(why, t("put texts in quotes and every key once; a # begins a comment")) from None
    _refuse_unknown(text, values, Settings)
    try:
        settings = msgspec.convert(values, Settings)
    except msgspec.ValidationError as error:
        raise _misfit(text, values, error) from None
    _check(text, settings)
    return _resolved(settings, folder)


def _bad(message: Text, next: Text) -> Malformed:
    return Malformed(message, next, code="bad-settings")


def _at(text: str, *keys: str) -> Value:
    """`mail.toml, line 7, [fetch] port`: where a key is, found by a simple search."""
    section, wanted = "", keys[0] if len(keys) > 1 else ""
    label = files.printable(f"[{wanted}] {keys[-1]}" if wanted else keys[-1])[:60]
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(line):
            section = head[1]
            if (section,) == keys:
                return t("mail.toml, line {number}, [{label}]", number=number, label=label)
        found = re.match(r"\s*[\"']?([^\"'=#]*?)[\"']?\s*=", line)
        if found and (section, found[1]) == (wanted, keys[-1]):
            return t("mail.toml, line {number}, {label}", number=number, label=label)
    return f"mail.toml, {label}"


def _refuse_unknown(text: str, values: dict[str, object], kind: object, *above: str) -> None:
    hints = get_type_hints(kind)
    for key, value in values.items():
        if key not in hints:
            why = t("{text}: there is no such setting{key}", text=_at(text, *above, key), key=nearest(key, hints))
            raise _bad(why, t("there are: {hints}", hints=tuple(hints)))
        if key in ("fetch", "send") and not above and isinstance(value, dict):
            _refuse_unknown(text, value, hints[key], key)


def _misfit(text: str, values: dict[str, Any], error: msgspec.ValidationError) -> Malformed:
    """Say what is wrong with a value, and on which line. The value itself is not repeated: it may be a secret."""
    why, place = misfit(error)
    if not place:
        missing = dict(why.values)["field"]
        problem = t("mail.toml has no {missing}", missing=missing)
        return _bad(problem, t('add a line: {missing} = "..."', missing=missing))
    *above, key = place.removeprefix("$.").split(".")
    hint, at = get_type_hints(get_type_hints(Settings)[above[0]] if above else Settings)[key], _at(text, *above, key)
    if get_origin(hint) is Literal:
        words, value = [str(word) for word in get_args(hint)], (values[above[0]] if above else values)[key]
        near = nearest(value if isinstance(value, str) else "", words)
        problem = t("{text}: unknown value{near}", text=at, near=near)
        return _bad(problem, t("write one of: {words}", words=tuple(words)))
    return _bad(
        t("{text}: wrong value: {why}", text=at, why=why),
        t("see the comments in the file that {run} writes", run=run("host")),
    )


def _check(text: str, settings: Settings) -> None:
    """Check what types cannot express."""
    fetch, send = settings.fetch, settings.send
    if not settings.name.isprintable():
        raise _bad(
            t("{text}: a name must not contain control characters", text=_at(text, "name")), t("write a plain name")
        )
    if not ADDRESS.fullmatch(settings.address):
        raise _bad(
            t("{text}: this is not a valid email address", text=_at(text, "address")),
            t('write it as "anna@example.org"'),
        )
    if settings.digest and (not ADDRESS.fullmatch(settings.digest) or settings.digest == settings.address):
        raise _bad(
            t("{text}: this is not an email address of yours apart from that of the office", text=_at(text, "digest")),
            t('write it as "anna@example.org"'),
        )
    if settings.zone != "UTC":
        _check_zone(text, settings.zone)
    if fetch.kind in ("maildir", "mbox", "folder") and not fetch.path:
        why = t("{text}: {kind} needs a path", text=_at(text, "fetch", "kind"), kind=fetch.kind)
        raise _bad(why, t('add below it: path = "..."'))
    if send.kind == "sendmail" and not os.path.isabs(send.program):
        why = t("{text}: this is not an absolute path", text=_at(text, "send", "program"))
        raise _bad(why, t('write it as "/usr/sbin/sendmail"'))
    if fetch.kind == "imap":
        _check_server(text, "fetch", fetch)
    if send.kind == "smtp":
        _check_server(text, "send", send)


def _check_zone(text: str, zone: str) -> None:
    from zoneinfo import ZoneInfo, available_timezones

    try:
        ZoneInfo(zone)
    except (ValueError, OSError, KeyError):
        near = nearest(zone[:60], (name.casefold() for name in available_timezones()))
        why = t("{text}: there is no such time zone{near}", text=_at(text, "zone"), near=near)
        raise _bad(why, t('write it as "Europe/Berlin"')) from None


def _check_server(text: str, section: str, server: Server) -> None:
    if not re.fullmatch(r"[A-Za-z0-9.:-]{1,250}", server.server):
        why = t("{text}: this is not a valid server name", text=_at(text, section, "server"))
        raise _bad(why, t('write it as "imap.example.org"'))
    if not server.user.isprintable() or not says_where(server.password):
        key = "password" if server.user.isprintable() else "user"
        raise _bad(
            t("{text}: this does not say where the password is", text=_at(text, section, key)),
            t(
                'write "keyring", "environment NAME", "file NAME" or "command PROGRAM ..."; never put the password '
                "itself in mail.toml"
            ),
        )
    if server.security == "plain" and server.server not in LOOPBACK and server.password != "none":
        at = _at(text, section, "security")
        why = t("{text}: a password is never sent in plain text, except within this machine", text=at)
        raise _bad(why, t('write "tls" or "starttls"'))


def says_where(password: str) -> bool:
    """Whether this says where a password is kept."""
    kind, _, rest = password.partition(" ")
    if kind != "command":
        return bool(re.fullmatch(r"keyring|none|(environment|file) \S.*", password))
    try:
        return bool(shlex.split(rest)) and rest.isprintable()
    except ValueError:
        return False


def _resolved(settings: Settings, folder: str) -> Settings:
    """The same with whole paths (they are relative to the folder of the settings), ports and users."""

    def whole(path: str) -> str:
        return os.path.join(folder, os.path.expanduser(path)) if path else ""

    def server(one: AnyServer, ports: dict[str, int]) -> AnyServer:
        kind, _, rest = one.password.partition(" ")
        password = f"file {whole(rest.strip())}" if kind == "file" else one.password
        if kind == "command":
            first, *more = shlex.split(rest)
            known = whole(first) if os.sep in first else first
            password = f"command {shlex.join((known, *more))}"
        user, port, certificate = one.user or settings.address, one.port or ports[one.security], whole(one.certificate)
        return structs.replace(one, port=port, certificate=certificate, user=user, password=password)

    fetch = structs.replace(server(settings.fetch, IMAP_PORTS), path=whole(settings.fetch.path))
    return structs.replace(settings, fetch=fetch, send=server(settings.send, SMTP_PORTS))
