"""The password of a mail account: from the keyring, the environment, a file that only its owner can read, or a command
that prints it. It is never an argument of a command, and never part of a message."""

import os
import shlex
import stat
from collections.abc import Callable
from typing import Any

from referee.errors import MailTrouble, RefereeError, Usage
from referee.io import files
from referee.language import Text
from referee.mail import t
from referee.mail.settings import Server

SERVICE = "pbem-referee"
"""The service name of the password in the keyring."""
PASSWORD_MOST = 10_000
COMMAND_PATIENCE = 60
"""Seconds that a command may take to print a password or token."""

Step = Callable[[Text], None]
"""Called with each step that succeeded."""


class NoPassword(MailTrouble):
    """There is no password to log in with."""

    code = "no-password"


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
    elif kind == "command":
        found, where = _from_command(place), t("the command printed the password of {user}", user=user)
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


def _from_command(line: str) -> str:
    """The first line that a command prints. What it says about errors is not shown: it may contain the secret."""
    import subprocess

    words = shlex.split(line)
    name = files.printable(words[0])
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=COMMAND_PATIENCE, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        why = t("the command {name} printed no password within {n} seconds", name=name, n=COMMAND_PATIENCE)
        raise NoPassword(why, t("run it in a terminal: it may be asking something")) from None
    except (OSError, ValueError) as error:
        why = t("the command {name} cannot be run: {error}", name=name, error=files.reason(error))
        raise NoPassword(why, t("install it, or name another place in mail.toml")) from None
    if done.returncode:
        why = t("the command {name} failed (status {status})", name=name, status=done.returncode)
        raise NoPassword(why, t("run it in a terminal: it must print the password, or the token, on its first line"))
    try:
        return done.stdout[:PASSWORD_MOST].decode().partition("\n")[0].rstrip("\r")
    except UnicodeDecodeError:
        return ""


def _from_keyring(user: str) -> str:
    keyring, trouble = _keyring()
    try:
        found: str | None = keyring.get_password(SERVICE, user)
    except trouble:
        raise _no_keyring() from None
    if not found:
        raise NoPassword(
            t("the keyring has no password for {user}", user=files.printable(user)),
            t("run `keyring set {service} {user}`", service=SERVICE, user=files.printable(user)),
        )
    return found


def _keyring() -> tuple[Any, type[Exception]]:
    """The package, and the errors that it raises."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise Usage(
            t("the package that reads passwords from the keyring is not installed"),
            t("pip install 'pbem-referee[mail]', or name another place in mail.toml: \"file NAME\""),
            code="no-extra",
        ) from None
    return keyring, KeyringError


def _no_keyring() -> NoPassword:
    return NoPassword(
        t("there is no keyring here (as under cron), or it is locked"),
        t('unlock it, or write in mail.toml: password = "file NAME" (a file that only you can read)'),
    )


def keep_in_keyring(user: str, secret: str) -> None:
    """Store a password in the keyring, where it is looked for."""
    keyring, trouble = _keyring()
    try:
        keyring.set_password(SERVICE, user, secret)
    except trouble:
        raise _no_keyring() from None
