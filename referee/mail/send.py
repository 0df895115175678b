"""Sending mails, by SMTP or by the machine's sendmail."""

import contextlib
import re
from typing import TYPE_CHECKING, Self

from referee.errors import MailTrouble
from referee.io import files
from referee.language import Text, run
from referee.mail import t
from referee.mail.delivery import Failure
from referee.mail.servers import PATIENCE, printable_reply, smtp, watched
from referee.mail.settings import ADDRESS, Settings

if TYPE_CHECKING:
    import smtplib

FOR_GOOD = (65, 67, 68)
"""Exit codes of sendmail for permanent failures: bad mail, no such user, no such host."""
NO_PERMISSION = 77
TOO_LARGE = 552
BEFORE_END, AFTER_END = 300.0, 600.0
"""Seconds that a server may take for a mail altogether until all of it is sent, and then to say whether it took it: RFC
5321 asks for ten minutes, because an answer that nobody waits for makes a second copy."""

_STATUS = re.compile(rb"\b[45]\.(\d{1,3})\.(\d{1,3})\b")


class SendTrouble(MailTrouble):
    """One mail was not taken; others may be. (Any other MailTrouble concerns all of them.)"""

    code = "not-sent"

    def __init__(self, message: Text, failure: Failure, reply: str = "") -> None:
        super().__init__(message, _advice(failure))
        self.failure, self.reply = failure, reply
        """Why, and what the server said."""


def _advice(failure: Failure) -> Text:
    if failure == "refused":
        return t("check the player's address, then run {run}", run=run("mail", "run", "--retry"))
    if failure == "account":
        return t("find out from your provider why it does not let you send; the mail will be tried again")
    return t("it will be tried again")


class Sender:
    """Sends mails; connects when the first one is sent. Settings of the kind `files` cannot send."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._client: smtplib.SMTP | None = None
        self._count = 0
        """Mails sent over this connection."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Close the connection, if there is one."""
        if self._client is not None:
            with contextlib.suppress(Exception), watched(self._client, PATIENCE):
                self._client.quit()
        self._hang_up()

    def _hang_up(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client, self._count = None, 0

    def send(self, mail: bytes, to: str) -> None:
        """Send one mail to one address; returns once it has been accepted."""
        if not ADDRESS.fullmatch(to):
            raise SendTrouble(t("{to} is not a valid email address", to=files.printable(to)[:100]), "refused")
        if self.settings.send.kind == "sendmail":
            _by_program(self.settings, mail, to)
        else:
            self._by_server(mail, to)

    def _by_server(self, mail: bytes, to: str) -> None:
        """A server that accepted mails and then disconnects may just want a new connection for the next ones."""
        for again in (self._count > 0, False):
            if self._client is None:
                self._client = smtp(self.settings.send)
            try:
                _hand_over(self._client, self.settings.address, mail, to)
                self._count += 1
                return
            except SendTrouble as trouble:
                if trouble.failure not in ("dropped", "unknown"):
                    raise
                self._hang_up()
                if trouble.failure == "unknown" or not again:
                    raise


def _hand_over(client: "smtplib.SMTP", sender: str, mail: bytes, to: str) -> None:
    """Send one mail. Once its last line is sent nobody but the server knows whether it took the mail."""
    import smtplib

    # The library only normalizes line ends of texts, and a file may have been edited by hand.
    lines = mail.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n")
    data = b"".join(b"." * line.startswith(b".") + line + b"\r\n" for line in lines)
    try:
        with watched(client, BEFORE_END):
            client.ehlo_or_helo_if_needed()
            _begin(client, sender, to, len(data))
            client.send(data)
    except (OSError, smtplib.SMTPException) as error:
        said = printable_reply(error)
        why = t("the connection broke while the mail to {to} was sent: {error}", to=to, error=said)
        raise SendTrouble(why, "dropped", said) from None
    try:
        with watched(client, AFTER_END):
            if client.sock is not None:
                client.sock.settimeout(AFTER_END)
            client.send(b".\r\n")
            code, reply = client.getreply()
            if code < 200:
                raise smtplib.SMTPServerDisconnected
            if client.sock is not None:
                client.sock.settimeout(PATIENCE)
    except (OSError, smtplib.SMTPException):
        why = t("the server never said whether it took the mail to {to}: it may have arrived", to=to)
        raise SendTrouble(why, "unknown") from None
    if not 200 <= code < 300:
        raise _not_taken(code, reply, to)


def _begin(client: "smtplib.SMTP", sender: str, to: str, size: int) -> None:
    """Say from whom the mail is and to whom, until the server waits for it."""
    code, reply = client.mail(sender, [f"size={size}"] if client.has_extn("size") else [])
    if code not in (250, 421, TOO_LARGE):
        why = t("the server does not let {sender} send: {reply}", sender=sender, reply=printable_reply(reply))
        raise MailTrouble(why, t("`address` in mail.toml must belong to this account"), code="not-sent")
    if code == 250:
        code, reply = client.rcpt(to)
        if code in (250, 251):
            code, reply = client.docmd("data")
            if code == 354:
                return
    if code != 421:
        client.rset()
    raise _not_taken(code, reply, to)


def _not_taken(code: int, reply: bytes, to: str) -> SendTrouble:
    """What a refusal means. A server that disconnects with it (421) means the connection, not the mail; some replies
    mean everything that this account sends."""
    said = f"{code} {printable_reply(reply)}"
    why = t("the mail to {to} was refused: {reply}", to=to, reply=said)
    status = _STATUS.search(reply)
    subject = (int(status[1]), int(status[2])) if status else (0, 0)
    if code == 421:
        return SendTrouble(why, "dropped", said)
    if subject == (4, 5) or (subject[0] == 7 and code >= 500) or (subject[0] == 3 and code < 500):
        return SendTrouble(why, "account", said)
    return SendTrouble(why, "refused" if code >= 500 else "later", said)


def _by_program(settings: Settings, mail: bytes, to: str) -> None:
    """Arguments are passed one by one, not through a shell, so no character in them is special."""
    import subprocess

    program = settings.send.program
    try:
        done = subprocess.run(
            [program, "-i", "-f", settings.address, "--", to],
            input=mail.replace(b"\r\n", b"\n"),
            capture_output=True,
            timeout=AFTER_END,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SendTrouble(t("{program} did not finish in time", program=files.printable(program)), "unknown") from None
    except OSError as error:
        why = t("{program} cannot be run: {error}", program=files.printable(program), error=files.reason(error))
        raise MailTrouble(why, t("install it, or name another: program = ..."), code="not-sent") from None
    if status := done.returncode:
        words = printable_reply(done.stderr or done.stdout)
        why = t("the mail to {to} was refused (status {returncode}): {words}", to=to, returncode=status, words=words)
        failure: Failure = "refused" if status in FOR_GOOD else "account" if status == NO_PERMISSION else "later"
        raise SendTrouble(why, failure, words)
