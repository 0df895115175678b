"""Mail servers: connecting and logging in, with errors that say what is wrong and what to do.

Passwords come from the keyring, the environment, or a file that only its owner can read: never from a command-line
argument, and they never appear in a message.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.errors import MailTrouble, RefereeError, Usage
from referee.game import nearest
from referee.io import files
from referee.language import Text
from referee.mail import t
from referee.mail.settings import Fetch, Send, Server

if TYPE_CHECKING:
    import smtplib
    import ssl

    from imap_tools.mailbox import BaseMailBox

PATIENCE = 30
"""Seconds that a server may take to answer."""
GREETING = 120.0
"""Seconds that its greeting may take altogether."""
OURSELVES = "[127.0.0.1]"
"""What we give as our host name: the real one is private, and finding it can take long."""
SERVICE = "pbem-referee"
"""The service name of the password in the keyring."""
PASSWORD_MOST = 10_000

Step = Callable[[Text], None]
"""Called with each step that succeeded."""


class NoMailbox(MailTrouble):
    """Mails cannot be read from their source."""

    code = "no-mailbox"


class NoPassword(MailTrouble):
    """There is no password to log in with."""

    code = "no-password"


def printable_reply(reply: object) -> str:
    """A server's reply for a message, made safe and short."""
    parts = reply if isinstance(reply, list | tuple) else [reply]
    text = " ".join(part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part) for part in parts)
    return files.printable(" ".join(text.split())[:200])


@contextlib.contextmanager
def explaining_errors(server: Server) -> Iterator[None]:
    """Turn whatever can go wrong with a connection into an error that says what to do."""
    import imaplib
    import smtplib
    import ssl

    try:
        yield
    except (OSError, EOFError, imaplib.IMAP4.error, smtplib.SMTPException) as error:
        code = "no-tls" if isinstance(error, ssl.SSLError) else "no-server"
        raise MailTrouble(*_what_to_do(error, server), code=code) from None


def _what_to_do(error: Exception, server: Server) -> tuple[Text, Text]:
    """What went wrong, and what to do about it."""
    import socket
    import ssl

    where = _where(server)
    if isinstance(error, ssl.SSLCertVerificationError):
        why = printable_reply(error.verify_message)
        return (
            t("the certificate of {where} is not trusted: {verify_message}", where=where, verify_message=why),
            t('check the server\'s name; for a server of your own, name its certificate: certificate = "FILE"'),
        )
    if isinstance(error, ssl.SSLError):
        other = "tls" if server.security == "starttls" else "starttls"
        return t("{where} does not use TLS", where=where), t(
            'try security = "{security}" or another port; your provider\'s page on mail programs names both',
            security=other,
        )
    if isinstance(error, socket.gaierror):
        return (
            t("there is no server named {server}", server=server.server),
            t("check the network, and the name on your provider's page on mail programs"),
        )
    if isinstance(error, ConnectionRefusedError):
        return (
            t("nothing is listening at {where}", where=where),
            t("check the port on your provider's page on mail programs, or leave it out"),
        )
    if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
        return (
            t("{where} does not answer", where=where),
            t('check the network and the port; ports 993 and 465 need security = "tls", 143 and 587 "starttls"'),
        )
    # Both libraries quote the server's reply here, never what we sent.
    return t("{where} closed the connection: {error}", where=where, error=printable_reply(error)), t(
        "run it again later"
    )


def _trusted(server: Server) -> "ssl.SSLContext":
    import ssl

    try:
        return ssl.create_default_context(cafile=server.certificate or None)
    except (OSError, ssl.SSLError):
        why = t("{certificate} is not a readable certificate", certificate=files.printable(server.certificate))
        raise MailTrouble(why, t("give a PEM file, or leave `certificate` out"), code="no-tls") from None


def _where(server: Server) -> Text:
    return t("{server}, port {port}", server=server.server, port=server.port)


def _no_tls(server: Server, error: Exception) -> MailTrouble:
    why = t("{where} does not offer TLS: {error}", where=_where(server), error=printable_reply(error))
    return MailTrouble(why, t('try security = "tls" with the usual port'), code="no-tls")


def _connected(server: Server) -> Text:
    if server.security == "plain":
        return t("connected to {where} on this machine, without TLS", where=_where(server))
    return t("connected to {where} with TLS", where=_where(server))


def _logged_in(server: Server) -> Text:
    return t("logged in to {server} as {user}", server=server.server, user=files.printable(server.user))


def _refused(user: str, reply: object, secret: str) -> MailTrouble:
    """A server can repeat anything, so the password is removed from its reply."""
    words = printable_reply(reply).replace(secret, "***") if secret else printable_reply(reply)
    advice = t(
        "most providers require an app password here, not the one for their web page, and with some you must "
        "first enable access for mail programs (IMAP, SMTP): see your provider's page on app passwords"
    )
    if "basic auth" in words.lower():
        advice = t(
            "this provider does not accept passwords from programs at all: use another account, or a program "
            "that can log in there, fetches into a Maildir and sends as sendmail does"
        )
    why = t("the login of {user} was refused: {words}", user=files.printable(user), words=words)
    return MailTrouble(why, advice, code="no-login")


# --- passwords --------------------------------------------------------------------------------------------------------


def password(server: Server, step: Step = lambda what: None) -> str:
    """The password for this server's user."""
    kind, _, place = server.password.partition(" ")
    user = files.printable(server.user)
    if kind == "environment":
        found = os.environ.get(place.strip(), "")
        if not found:
            why = t("the password is missing: the variable {name} is not set", name=files.printable(place.strip()))
            raise NoPassword(why, t("set it for this command, or name another place in mail.toml"))
        where = t("found the password of {user} in the environment", user=user)
    elif kind == "file":
        found, where = _from_file(place), t("found the password of {user} in its file", user=user)
    else:
        found, where = _from_keyring(server.user), t("found the password of {user} in the keyring", user=user)
    if not found or not found.isprintable():
        raise NoPassword(t("the password is empty or contains control characters"), t("store it again, on one line"))
    step(where)
    return found


def _from_file(path: str) -> str:
    try:
        data = files.read(path, PASSWORD_MOST, "password file")
    except RefereeError as error:
        raise NoPassword(t("the password is missing: {message}", message=error.message), error.next) from None
    if os.name == "posix" and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
        raise NoPassword(
            t("other users can read the password in {path}", path=files.printable(path)),
            t("run `chmod 600 {path}`; change the password if others use this machine", path=files.printable(path)),
        )
    try:
        return data.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        return ""


def _from_keyring(user: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise Usage(
            t("the package that reads passwords from the keyring is not installed"),
            t("pip install 'pbem-referee[mail]', or name another place in mail.toml: \"file NAME\""),
            code="no-extra",
        ) from None
    try:
        found = keyring.get_password(SERVICE, user)
    except KeyringError:
        raise NoPassword(
            t("there is no keyring here (as under cron), or it is locked"),
            t('unlock it, or write in mail.toml: password = "file NAME" (a file that only you can read)'),
        ) from None
    if not found:
        raise NoPassword(
            t("the keyring has no password for {user}", user=files.printable(user)),
            t("run `keyring set {service} {user}`", service=SERVICE, user=files.printable(user)),
        )
    return found


# --- IMAP -------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def imap(fetch: Fetch, step: Step = lambda what: None) -> Iterator["BaseMailBox"]:
    """Open the folder that mails are fetched from."""
    secret = password(fetch, step)
    with explaining_errors(fetch):
        box = _imap_connect(fetch)
        try:
            step(_connected(fetch))
            _imap_login(box, fetch, secret)
            step(_logged_in(fetch))
            _imap_folder(box, fetch)
            yield box
        finally:
            with contextlib.suppress(Exception):  # errors no longer matter
                box.logout()


def _imap_connect(server: Server) -> "BaseMailBox":
    try:
        from imap_tools import MailBox, MailBoxStartTls, MailBoxUnencrypted
        from imap_tools.errors import ImapToolsError
    except ImportError:
        why = t("IMAP needs a package that is not installed")
        raise Usage(why, t("pip install 'pbem-referee[mail]'"), code="no-extra") from None
    try:
        if server.security == "plain":
            return MailBoxUnencrypted(server.server, server.port, PATIENCE)
        kind = MailBox if server.security == "tls" else MailBoxStartTls
        return kind(server.server, server.port, PATIENCE, ssl_context=_trusted(server))
    except ImapToolsError as error:
        raise _no_tls(server, error) from None


def _imap_login(box: "BaseMailBox", server: Server, secret: str) -> None:
    from imaplib import IMAP4

    from imap_tools.errors import MailboxLoginError

    plain = server.user.isascii() and secret.isascii()
    try:
        (box.login if plain else box.login_utf8)(server.user, secret, initial_folder=None)
    except MailboxLoginError as error:
        raise _refused(server.user, error.command_result[1], secret) from None
    except IMAP4.abort:
        raise
    except IMAP4.error as error:
        raise _refused(server.user, error, secret) from None


def _imap_folder(box: "BaseMailBox", fetch: Fetch) -> None:
    """Select the folder that mails are fetched from, and check that mails can be moved if they should be."""
    from imap_tools.errors import MailboxFolderSelectError

    try:
        box.folder.set(fetch.folder)
        missing = fetch.move_to if fetch.move_to and not box.folder.exists(fetch.move_to) else ""
    except MailboxFolderSelectError:
        missing = fetch.folder
    if missing:
        names = [files.printable(folder.name) for folder in box.folder.list()]
        hint = nearest(missing, {name.casefold(): name for name in names})
        why = t("the account has no folder {missing}{hint}", missing=files.printable(missing), hint=hint)
        raise NoMailbox(why, t("there are: {names}", names=", ".join(names)[:300]))
    if fetch.move_to and b"MOVE" not in b" ".join(box.client.capability()[1]).split():
        why = t("{server} cannot move mails", server=fetch.server)
        raise NoMailbox(why, t("leave `move_to` out: mails are then marked as read"))


# --- SMTP -------------------------------------------------------------------------------------------------------------


def smtp(send: Send, step: Step = lambda what: None) -> "smtplib.SMTP":
    """Open a connection for sending mails."""
    secret = "" if send.password == "none" else password(send, step)
    with explaining_errors(send):
        client = _smtp_connect(send)
        try:
            step(_connected(send))
            if secret:
                _smtp_login(client, send, secret)
                step(_logged_in(send))
        except BaseException:
            client.close()
            raise
    return client


@contextlib.contextmanager
def watched(client: "smtplib.SMTP", most: float) -> Iterator[None]:
    """Cut the connection after this many seconds, and raise an error: a server that sends one byte a second never
    exceeds the time for one byte, and the beginning of a reply must not be taken for a whole one."""
    import socket
    from threading import Event, Timer

    was_cut = Event()

    def cut() -> None:
        was_cut.set()
        if client.sock is not None:
            with contextlib.suppress(OSError):
                # Not the method of a TLS socket, which would change it under whoever is reading.
                socket.socket.shutdown(client.sock, socket.SHUT_RDWR)

    timer = Timer(most, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if was_cut.is_set():
            raise TimeoutError


def greeting(send: Send) -> str:
    """What the server says to whoever connects."""
    said: list[bytes] = []
    with explaining_errors(send):
        _smtp_connect(send, said.append).close()
    return printable_reply(said)


def _smtp_connect(server: Server, hear: Callable[[bytes], None] = lambda greeting: None) -> "smtplib.SMTP":
    import smtplib

    begin: Callable[..., None] = smtplib.SMTP.__init__
    kind: type[smtplib.SMTP] = smtplib.SMTP
    if server.security == "tls":
        kind, begin = smtplib.SMTP_SSL, partial(smtplib.SMTP_SSL.__init__, context=_trusted(server))
    client = kind.__new__(kind)  # it exists before it is connected, so that it can be watched
    connect = client.connect

    def listen(*args: Any, **more: Any) -> tuple[int, bytes]:
        code, said = connect(*args, **more)
        hear(said)
        return code, said

    client.connect = listen  # type: ignore[method-assign]
    with watched(client, GREETING):
        begin(client, server.server, server.port, OURSELVES, timeout=PATIENCE)
    try:
        if server.security == "starttls":
            client.starttls(context=_trusted(server))
    except BaseException as error:
        client.close()
        if isinstance(error, smtplib.SMTPNotSupportedError | smtplib.SMTPResponseException):
            raise _no_tls(server, error) from None
        raise
    return client


def _smtp_login(client: "smtplib.SMTP", server: Server, secret: str) -> None:
    import smtplib

    try:
        client.login(server.user, secret)
    except smtplib.SMTPAuthenticationError as error:
        raise _refused(server.user, error.smtp_error, secret) from None
    except smtplib.SMTPNotSupportedError:
        raise MailTrouble(
            t("{server} does not accept logins here", server=server.server),
            t('write password = "none" if it needs none, or try the other security and port'),
            code="no-login",
        ) from None
    except UnicodeEncodeError:
        why = t("the user name or password has characters that SMTP cannot send")
        raise MailTrouble(why, t("choose a password with ASCII characters only"), code="no-login") from None
