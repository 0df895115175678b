"""Real servers for tests, all on loopback: SMTP (aiosmtpd) that delivers into Maildirs, and IMAP (dovecot) over them.

Dovecot runs as an ordinary process with a configuration and folders of its own. It refuses to show mail to root, so
root starts it as `nobody`; then the Maildirs belong to that user.
"""

import asyncio
import base64
import contextlib
import datetime
import ipaddress
import itertools
import os
import pwd
import re
import select
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support import waiting
from tests.support.ports import own_port

PASSWORD = "correct-horse"
DOVECOT = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
MUST_RUN = "REFEREE_TEST_IMAP"
"""With this variable set a missing dovecot fails the tests instead of skipping them."""
needs_dovecot = pytest.mark.skipif(
    DOVECOT is None and not os.environ.get(MUST_RUN), reason="dovecot is not installed (apt-get install dovecot-imapd)"
)
_numbers = itertools.count()


def certificate(folder: Path) -> Path:
    """A self-signed certificate for this machine, with its key next to it (key.pem)."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.datetime(2020, 1, 1))
        .not_valid_after(datetime.datetime(2100, 1, 1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(private)
    path = folder / "cert.pem"
    path.write_bytes(made.public_bytes(pem))
    return path


# --- mailboxes --------------------------------------------------------------------------------------------------------


def _mail_user() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())


def give(*paths: Path) -> None:
    """Hand files to whoever dovecot runs as."""
    if os.getuid() == 0:
        for path in paths:
            os.chown(path, _mail_user().pw_uid, _mail_user().pw_gid)


@contextlib.contextmanager
def mail_folder() -> Iterator[Path]:
    """A folder for mailboxes that dovecot can reach: those of pytest are closed to other users."""
    with tempfile.TemporaryDirectory(prefix="referee-mail-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        give(folder)
        yield folder


def mailbox(root: Path, address: str) -> Path:
    """The Maildir of an address, created if it is missing. The part after a plus is ignored. `a@b.example/.Junk` is a
    folder in it."""
    user, _, domain = address.lower().partition("@")
    domain, _, folder = domain.partition("/")
    box = root / f"{user.partition('+')[0]}@{domain}" / folder
    if not box.is_dir():
        for folder in (box, box / "tmp", box / "new", box / "cur"):
            folder.mkdir(exist_ok=True)
            give(folder)
    return box


def deliver(root: Path, address: str, raw: bytes) -> Path:
    """Deliver a mail into a mailbox, following the Maildir rules."""
    box = mailbox(root, address)
    name = f"{next(_numbers):010}.{os.getpid()}.test"
    path = box / "tmp" / name
    path.write_bytes(raw)
    give(path)
    return path.rename(box / "new" / name)


def taken_out(root: Path, address: str) -> list[bytes]:
    """The new mails of a mailbox, oldest first; they are gone afterwards."""
    found = []
    for path in sorted((mailbox(root, address) / "new").iterdir()):
        found.append(path.read_bytes())
        path.unlink()
    return found


# --- SMTP -------------------------------------------------------------------------------------------------------------


class Post:
    """What an SMTP server does with mails: `answers` says what it replies to a recipient; otherwise mails are
    delivered."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.answers: dict[str, str] = {}
        self.data_answer = ""
        self.after_data: dict[str, Literal["drop", "mute", "trickle"]] = {}
        """What it does once it has taken a mail for a recipient, in place of saying so."""
        self.logins: list[tuple[str, str, bool]] = []
        """User, password, and whether the connection was encrypted."""
        self.refusal: str | None = None
        """What it says to a wrong password."""
        self.closed = ""
        """What it says to every login, even with the right password."""
        self.owner = ""
        """The only address that may send, if there is one."""
        self.elsewhere: dict[str, str] = {}
        """Address -> the mailbox, or the folder in a mailbox, that gets its mails instead."""
        self.senders: list[str] = []
        self.per_connection = 1000
        """Mails that it takes over one connection."""
        self.peers: list[object] = []
        """The connection of each mail that was taken."""

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.owner and address != self.owner:
            return "550 5.7.1 sender address is not yours"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.peers.count(session.peer) >= self.per_connection:
            return "421 too many mails"
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.data_answer:
            return self.data_answer
        assert isinstance(envelope.content, bytes)
        self.senders.append(str(envelope.mail_from))
        self.peers.append(session.peer)
        for address in envelope.rcpt_tos:
            deliver(self.root, self.elsewhere.get(address, address), envelope.content.replace(b"\r\n", b"\n"))
            match self.after_data.get(address):
                case "drop":
                    server.transport.abort()
                case "trickle":
                    while not server.transport.is_closing():
                        server.transport.write(b"2")
                        await asyncio.to_thread(select.select, [], [], [], waiting.PAUSE)
                case "mute":
                    await asyncio.Event().wait()
        return "250 taken"

    def login(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login.decode(), data.password.decode(), session.ssl is not None))
        good = data.password.decode() == PASSWORD and not self.closed
        return AuthResult(success=good, handled=False, message=self.closed or self.refusal)

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:
        """A login with an access token; to a wrong one the server says why, and waits for an empty line."""
        user, token, *_ = base64.b64decode(args[1]).decode().split("\1")
        secret = token.removeprefix("auth=Bearer ")
        self.logins.append((user.removeprefix("user="), secret, True))
        if secret == PASSWORD:
            return AuthResult(success=True, handled=False, auth_data=LoginPassword(user.encode(), b""))
        assert await server.challenge_auth(base64.b64encode(b'{"status":"401"}').decode(), encode_to_b64=False) == b""
        return AuthResult(success=False, handled=False, message=f"535 5.7.3 no token: {args[1]}")


@contextlib.contextmanager
def trickle() -> Iterator[int]:
    """A server whose greeting never ends, and comes byte by byte; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                caller, _ = server.accept()
                with caller:
                    while True:
                        caller.sendall(b"2")
                        select.select([], [], [], waiting.PAUSE)

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]


class _Controller(Controller):
    def factory(self) -> SMTP:
        # It warns where logins are taken without TLS; some tests want just that.
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return super().factory()


@contextlib.contextmanager
def smtp_server(
    post: Post,
    security: str = "plain",
    cert: Path | None = None,
    logins: bool = False,
    port: int = 0,
    greeting: str | None = None,
) -> Iterator[int]:
    """An SMTP server; yields its port."""
    context = None
    if cert is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, cert.with_name("key.pem"))
    how: dict[str, Any] = {"ident": greeting}
    if security == "tls":
        how |= {"ssl_context": context}
    elif security == "starttls":
        how |= {"tls_context": context, "require_starttls": True}
    if logins:
        how |= {"authenticator": post.login, "auth_required": True, "auth_require_tls": security == "starttls"}
    controller = _Controller(post, hostname="127.0.0.1", port=port or own_port(), data_size_limit=200_000_000,
                             ready_timeout=waiting.LIMIT, **how)  # fmt: skip
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


# --- IMAP -------------------------------------------------------------------------------------------------------------

_USUAL = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_uid = {user}
mail_gid = {group}
first_valid_uid = 1
mail_fsync = never
ssl = yes
auth_failure_delay = 0 secs
auth_mechanisms = plain login xoauth2
namespace inbox {{
  inbox = yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {starttls}
  }}
  inet_listener imaps {{
    port = {tls}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  # Without it every refused login makes the next one slower.
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""
_OLD = """
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
mail_location = maildir:{root}/%u
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = home={folder}/homes/%u
}}
"""
_NEW = """
ssl_server_cert_file = {folder}/cert.pem
ssl_server_key_file = {folder}/key.pem
mail_driver = maildir
mail_path = {root}/%{{user}}
passdb static {{
  password = {password}
}}
userdb static {{
  fields {{
    home = {folder}/homes/%{{user}}
  }}
}}
"""


class Imap:
    """Where a dovecot listens, and the certificate to trust."""

    def __init__(self, tls: int, starttls: int, cert: Path) -> None:
        self.tls, self.starttls, self.cert = tls, starttls, cert


@contextlib.contextmanager
def imap_server(root: Path) -> Iterator[Imap]:
    """A dovecot that shows the Maildirs in a folder; every user has the same password."""
    assert DOVECOT is not None, f"{MUST_RUN} is set, but dovecot is not installed"
    user = _mail_user()
    with mail_folder() as folder:
        server = Imap(own_port(), own_port(), certificate(folder))
        for name in ("run", "state", "homes"):
            (folder / name).mkdir()
        told = subprocess.run([DOVECOT, "--version"], capture_output=True, text=True, check=True).stdout
        version = re.split(r"[^0-9.]", told)[0]
        new = tuple(map(int, version.split(".")[:2])) >= (2, 4)
        text = (_USUAL + (_NEW if new else _OLD)).format(
            folder=folder, root=root, password=PASSWORD, user=user.pw_name, group=_group(user),
            tls=server.tls, starttls=server.starttls,
        )  # fmt: skip
        head = f"dovecot_config_version = {version}\ndovecot_storage_version = {version}\n" if new else ""
        (folder / "dovecot.conf").write_text(head + text)
        give(*folder.iterdir())
        drop = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.getuid() == 0 else {}
        process = subprocess.Popen(
            [DOVECOT, "-F", "-c", folder / "dovecot.conf"], cwd=folder, stderr=subprocess.DEVNULL, **drop
        )
        try:
            waiting.until(lambda: _listens(server.tls), lambda: (folder / "log").read_text())
            yield server
        finally:
            process.terminate()
            waiting.ended(process)


def _group(user: pwd.struct_passwd) -> str:
    import grp

    return grp.getgrgid(user.pw_gid).gr_name


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def use_servers(settings: Path, secret: Path, imap: Imap, port: int) -> None:
    """Let an office fetch from this IMAP server and send by the SMTP server at this port."""
    secret.write_text(PASSWORD)
    secret.chmod(0o600)
    settings.write_text(
        f"{settings.read_text().partition('[fetch]')[0]}"
        f'[fetch]\nkind = "imap"\nserver = "localhost"\nport = {imap.tls}\ncertificate = "{imap.cert}"\n'
        f'password = "file {secret}"\n'
        f'[send]\nkind = "smtp"\nserver = "127.0.0.1"\nport = {port}\nsecurity = "plain"\npassword = "none"\n'
    )
