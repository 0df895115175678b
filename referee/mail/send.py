"""Sending mails, by SMTP or by the machine's sendmail."""

import contextlib
from typing import TYPE_CHECKING, Self

from referee.errors import MailTrouble
from referee.io import files
from referee.language import Text
from referee.mail import t
from referee.mail.servers import PATIENCE, explaining_errors, printable_reply, smtp
from referee.mail.settings import ADDRESS, Settings

if TYPE_CHECKING:
    import smtplib

FOR_GOOD = (65, 67, 68)
"""Exit codes of sendmail for permanent failures: bad mail, no such user, no such host."""
TOO_LARGE = 552


class SendTrouble(MailTrouble):
    """One mail was not accepted, for good or for now; others may be. (Any other MailTrouble concerns all of them.)"""

    code = "not-sent"

    def __init__(self, message: Text, *, permanent: bool) -> None:
        later = t("it will be tried again at the next run")
        super().__init__(message, t("check the player's address and send it again") if permanent else later)
        self.permanent = permanent


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
            with contextlib.suppress(Exception):
                self._client.quit()
            self._client.close()
        self._client, self._count = None, 0

    def send(self, mail: bytes, to: str) -> None:
        """Send one mail to one address; returns once it has been accepted."""
        if not ADDRESS.fullmatch(to):
            raise SendTrouble(t("{to} is not a valid email address", to=files.printable(to)[:100]), permanent=True)
        if self.settings.send.kind == "sendmail":
            _by_program(self.settings, mail, to)
        else:
            self._by_server(mail, to)

    def _by_server(self, mail: bytes, to: str) -> None:
        """A server that accepted mails and then disconnects may just want a new connection for the next ones."""
        from smtplib import SMTPServerDisconnected

        send = self.settings.send
        with explaining_errors(send):
            for again in (self._count > 0, False):
                try:
                    if self._client is None:
                        self._client = smtp(send)
                    _hand_over(self._client, self.settings.address, mail, to)
                    self._count += 1
                    return
                except SMTPServerDisconnected:
                    self.__exit__()
                    if not again:
                        raise


def _hand_over(client: "smtplib.SMTP", sender: str, mail: bytes, to: str) -> None:
    """Send one mail. A server that disconnects with its refusal (421) means the connection, not the mail."""
    import smtplib

    reply: bytes | str
    try:
        # The library only normalizes line ends of texts, and a file may have been edited by hand.
        client.sendmail(sender, [to], mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        return
    except smtplib.SMTPRecipientsRefused as error:
        code, reply = error.recipients[to]
    except smtplib.SMTPSenderRefused as error:
        code, reply = error.smtp_code, error.smtp_error
        if code not in (421, TOO_LARGE):
            why = t("the server does not let {sender} send: {reply}", sender=sender, reply=printable_reply(reply))
            raise MailTrouble(why, t("`address` in mail.toml must belong to this account"), code="not-sent") from None
    except smtplib.SMTPDataError as error:
        code, reply = error.smtp_code, error.smtp_error
    if code == 421:
        raise smtplib.SMTPServerDisconnected(printable_reply(reply))
    why = t("the mail to {to} was refused: {code} {reply}", to=to, code=code, reply=printable_reply(reply))
    raise SendTrouble(why, permanent=500 <= code < 600)


def _by_program(settings: Settings, mail: bytes, to: str) -> None:
    """Arguments are passed one by one, not through a shell, so no character in them is special."""
    import subprocess

    program = settings.send.program
    try:
        done = subprocess.run(
            [program, "-i", "-f", settings.address, "--", to],
            input=mail.replace(b"\r\n", b"\n"),
            capture_output=True,
            timeout=PATIENCE * 4,
            check=False,
        )
    except subprocess.TimeoutExpired:
        why = t("{program} did not finish in time", program=files.printable(program))
        raise MailTrouble(why, t("find out what it is waiting for"), code="not-sent") from None
    except OSError as error:
        why = t("{program} cannot be run: {error}", program=files.printable(program), error=files.reason(error))
        raise MailTrouble(why, t("install it, or name another: program = ..."), code="not-sent") from None
    if status := done.returncode:
        words = printable_reply(done.stderr or done.stdout)
        why = t("the mail to {to} was refused (status {returncode}): {words}", to=to, returncode=status, words=words)
        raise SendTrouble(why, permanent=status in FOR_GOOD)
