"""Mail servers: connecting and logging in, with errors that say what is wrong and what to do. No password or token
is ever part of a message."""

import base64
import contextlib
import errno
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.errors import MailTrouble, Usage
from referee.game import nearest
from referee.io import files
from referee.language import Text, run
from referee.mail import t
from referee.mail.passwords import Step, password
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
UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)


class NoMailbox(MailTrouble):
    """Mails cannot be read from their source."""

    code = "no-mailbox"


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
    if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
        return t("nobody can say now where {server} is", server=server.server), t(
            "check that this machine is connected to the internet, and run it again"
        )
    if isinstance(error, OSError) and error.errno in UNREACHABLE:
        return t("there is no way from here to {where}", where=where), t(
            "check that this machine is connected to the internet, and run it again"
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


_REFUSALS = (
    (r"basic ?auth", t(
        "this provider does not accept passwords from programs at all, only access tokens: {run} explains it",
        run=run("manual", "mail"))),
    (r"(?:app(?:lication)?[- ]?(?:specific )?|app-)pass", t(
        "make an app password in the settings of your account, and use that one")),
    (r"disabled|not enabled|deactivated|enable (?:imap|pop|smtp)|(?:imap|smtp) access", t(
        "enable access for mail programs (IMAP, SMTP) in the settings of your account")),
)  # fmt: skip
"""What servers say when they refuse a login, and what to do then."""


def _refused(server: Server, reply: object, secret: str) -> MailTrouble:
    """A server can repeat anything, so the secret is removed from its reply, in each form in which it was sent."""
    parts = reply if isinstance(reply, list | tuple) else [reply]
    text = " ".join(part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part) for part in parts)
    for form in _forms(server.user, secret):
        text = text.replace(form, "***")
    words = printable_reply(text)
    advice = t(
        "most providers require an app password here, not the one for their web page, and with some you must "
        "first enable access for mail programs (IMAP, SMTP): see your provider's page on app passwords"
    )
    if server.login == "xoauth2":
        advice = t("check that the command prints an access token for this account, for mail, that is not too old")
    else:
        advice = next((what for said, what in _REFUSALS if re.search(said, words, re.IGNORECASE)), advice)
    why = t("the login of {user} was refused: {words}", user=files.printable(server.user), words=words)
    return MailTrouble(why, advice, code="no-login")


def _forms(user: str, secret: str) -> list[str]:
    """How a secret can look in what was sent, the longest first."""
    whole = (secret, f"\0{user}\0{secret}", bearer(user, secret))
    encoded = [base64.b64encode(one.encode("utf-8", "surrogateescape")).decode() for one in whole]
    return sorted({*encoded, secret} if secret else (), key=len, reverse=True)


def bearer(user: str, token: str) -> str:
    """What is sent to log in with an access token (XOAUTH2)."""
    return f"user={user}\1auth=Bearer {token}\1\1"


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
        if server.login == "xoauth2":
            # To a second question, which says what is wrong, the answer is empty.
            answers = iter((bearer(server.user, secret).encode(),))
            box.client.authenticate("XOAUTH2", lambda question: next(answers, b""))
        else:
            (box.login if plain else box.login_utf8)(server.user, secret, initial_folder=None)
    except MailboxLoginError as error:
        raise _refused(server, error.command_result[1], secret) from None
    except IMAP4.abort:
        raise
    except IMAP4.error as error:
        raise _refused(server, error, secret) from None


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
        if server.login == "xoauth2":
            _smtp_token(client, server, secret)
        else:
            client.login(server.user, secret)
    except smtplib.SMTPAuthenticationError as error:
        raise _refused(server, error.smtp_error, secret) from None
    except smtplib.SMTPNotSupportedError:
        raise MailTrouble(
            t("{server} does not accept logins here", server=server.server),
            t('write password = "none" if it needs none, or try the other security and port'),
            code="no-login",
        ) from None
    except UnicodeEncodeError:
        why = t("the user name or password has characters that SMTP cannot send")
        raise MailTrouble(why, t("choose a password with ASCII characters only"), code="no-login") from None


def _smtp_token(client: "smtplib.SMTP", server: Server, token: str) -> None:
    import smtplib

    client.ehlo_or_helo_if_needed()
    if "XOAUTH2" not in client.esmtp_features.get("auth", "").upper().split():
        raise smtplib.SMTPNotSupportedError
    client.auth("XOAUTH2", lambda question=None: bearer(server.user, token) if question is None else "")
