"""Where the password of a mail account comes from: keyring, environment, or a file that only its owner can read.

It is never an argument of a command, and never part of a message.
"""

import os
import stat

from referee.errors import MailTrouble, RefereeError, Usage
from referee.io import files
from referee.mail import t
from referee.mail.settings import Server

SERVICE = "pbem-referee"
"""The name under which keyrings have it."""
PASSWORD_MOST = 10_000


def password(server: Server) -> str:
    """The password for this server's user."""
    kind, _, place = server.password.partition(" ")
    if kind == "environment":
        found = _from_environment(place.strip())
    else:
        found = _from_file(place) if kind == "file" else _from_keyring(server.user)
    if not found or not found.isprintable():
        raise MailTrouble(
            t("the password is empty or has control characters"), t("store it again, in one line"), code="no-password"
        )
    return found


def _from_environment(name: str) -> str:
    found = os.environ.get(name, "")
    if not found:
        raise MailTrouble(
            t("the password is missing: the variable {name} is not set", name=files.printable(name)),
            t("set it for this command alone, or name another place in mail.toml"),
            code="no-password",
        )
    return found


def _from_file(path: str) -> str:
    try:
        data = files.read(path, PASSWORD_MOST, "password file")
    except RefereeError as error:
        raise MailTrouble(
            t("the password is missing: {message}", message=error.message), error.next, code="no-password"
        ) from None
    if os.name == "posix" and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
        raise MailTrouble(
            t("others can read the password in {path}", path=files.printable(path)),
            t("run `chmod 600 {path}`; change the password if others use this machine", path=files.printable(path)),
            code="no-password",
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
            t("passwords are read from the keyring by a package that is not installed"),
            t("pip install 'pbem-referee[mail]', or name another place in mail.toml: \"file NAME\""),
            code="no-extra",
        ) from None
    try:
        found = keyring.get_password(SERVICE, user)
    except KeyringError:
        raise MailTrouble(
            t("there is no keyring here (as in cron), or it is locked"),
            t('unlock it, or write in mail.toml: password = "file NAME" (a file that only you can read)'),
            code="no-password",
        ) from None
    if not found:
        raise MailTrouble(
            t("the keyring has no password for {user}", user=files.printable(user)),
            t("run `keyring set {service} {user}`", service=SERVICE, user=files.printable(user)),
            code="no-password",
        )
    return found
