"""What is known of the usual providers, and how an account gets into `mail.toml` and out again."""

import datetime
import errno
import socket
import ssl
from pathlib import Path

import pytest

from referee.errors import MailTrouble
from referee.language import LANGUAGES, speaking
from referee.library.founding import Account, account_in, account_of
from referee.mail import passwords, providers
from referee.mail import trial as trying
from referee.mail.servers import explaining_errors
from referee.mail.settings import ADDRESS, Server, edited, parse_settings, template
from tests.mail.servers import Post, imap_server, mail_folder, mailbox, needs_dovecot, smtp_server
from tests.mail.test_settings import IMAP, START, read, refused

KNOWN = providers.known().providers
WANTED = [
    "gmx.de", "web.de", "t-online.de", "gmail.com", "outlook.com", "onmicrosoft.com", "yahoo.com", "icloud.com",
    "posteo.de", "mailbox.org", "fastmail.com", "proton.me", "strato.de", "ionos.de", "freenet.de", "kpnmail.nl",
    "ziggo.nl", "xs4all.nl",
]  # fmt: skip


def test_the_data_have_a_date_and_each_domain_one_provider() -> None:
    assert datetime.date.fromisoformat(providers.known().date).year >= 2026
    domains = [domain for one in KNOWN for domain in one.domains]
    assert len(domains) == len(set(domains))
    assert all(ADDRESS.fullmatch(f"hanna@{domain}") for domain in domains)
    for domain in WANTED:
        found = providers.provider_of(f"Hanna@{domain.upper()}")
        assert found is not None
        assert domain in found.domains
    assert providers.provider_of("hanna@games.example") is None


@pytest.mark.parametrize("one", KNOWN, ids=lambda one: one.name)
def test_every_provider_says_what_to_do_and_where(one: providers.Provider) -> None:
    assert all(page.startswith("https://") for page in one.help)
    assert one.advice()
    for language in LANGUAGES:
        with speaking(language):
            assert all(one.name in str(line) for line in one.advice())
            assert len(one.doubts()) == len(one.unchecked)
    local = one.login == "bridge"
    assert all((place.server == "127.0.0.1") == local for place in (one.imap, one.smtp))


@pytest.mark.parametrize("one", KNOWN, ids=lambda one: one.name)
def test_an_account_is_read_back_from_the_settings(one: providers.Provider, tmp_path: Path) -> None:
    address = f"hanna@{one.domains[0]}"
    account = account_of(address, one)
    text = template("Hanna", "you@example.org")
    found = read(tmp_path, edited(text, account.changes(text)))
    assert (found.address, found.fetch.kind, found.send.kind) == (address, "imap", "smtp")
    assert (found.fetch.server, found.fetch.port, found.fetch.security) == (
        one.imap.server,
        one.imap.port,
        one.imap.security,
    )
    assert (found.send.server, found.send.port, found.send.security) == (
        one.smtp.server,
        one.smtp.port,
        one.smtp.security,
    )
    assert (found.fetch.user, found.send.user) == account.users()
    assert found.fetch.login == ("xoauth2" if one.login == "token" else "password")
    back = account_in(found)
    assert back is not None
    assert (back.imap.server, back.smtp.port, back.login) == (one.imap.server, one.smtp.port, account.login)


def test_other_lines_and_comments_stay_as_their_host_left_them(tmp_path: Path) -> None:
    mine = (
        'name = "Hanna"  # me\naddress = "a@b.example"\n# a note\n[fetch]\nkind = "imap"   # as it is\n'
        'server = "old.example"\nfolder = "Games" # mine\n\n[send]\nkind="files"\n'
    )
    account = Account(
        "h@c.example", providers.Place("new.example", 993, "tls"), providers.Place("out.example", 587, "starttls")
    )
    text = edited(mine, account.changes(mine))
    assert [line for line in mine.splitlines() if line not in text.splitlines()] == [
        'address = "a@b.example"', 'kind = "imap"   # as it is', 'server = "old.example"', 'kind="files"',
    ]  # fmt: skip
    found = parse_settings(text, str(tmp_path))
    assert (found.fetch.folder, found.fetch.server, found.send.server) == ("Games", "new.example", "out.example")
    assert edited(text, account.changes(text)) == text


# --- commands that print a password -----------------------------------------------------------------------------------


def by_command(line: str) -> Server:
    return Server(server="imap.example.org", user="anna@example.org", password=f"command {line}")


def test_a_command_prints_the_password_on_its_first_line() -> None:
    assert passwords.password(by_command("printf 'open sesame\\r\\nmore\\n'")) == "open sesame"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/no/such/program", "cannot be run"),
        ("sh -c 'echo hush; echo hush >&2; exit 3'", "failed (status 3)"),
        ("true", "is empty"),
        ("printf '\\001'", "control characters"),
    ],
)
def test_a_command_that_prints_none(line: str, words: str) -> None:
    with pytest.raises(MailTrouble) as caught:
        passwords.password(by_command(line))
    assert words in str(caught.value.message)
    assert "hush" not in str(caught.value.message) + str(caught.value.next)


def test_a_command_that_waits_for_somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "COMMAND_PATIENCE", 0.05)
    with pytest.raises(MailTrouble, match="printed no password"):
        passwords.password(by_command("tail -f /dev/null"))


@pytest.mark.parametrize("value", ['"command"', '"command "', '"command \'open"', r'"command a\nb"', '"commandx y"'])
def test_what_is_no_command(tmp_path: Path, value: str) -> None:
    error = refused(tmp_path, f"{START}{IMAP}password = {value}\n")
    assert "does not say where the password is" in str(error.message)


# --- the network ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "words", "advice"),
    [
        (
            socket.gaierror(socket.EAI_AGAIN, "try again"),
            "nobody can say now where imap.example.org is",
            "the internet",
        ),
        (socket.gaierror(socket.EAI_NONAME, "unknown"), "there is no server named imap.example.org", "the name"),
        (OSError(errno.ENETUNREACH, "no network"), "there is no way from here to imap.example.org", "the internet"),
        (OSError(errno.EHOSTUNREACH, "no route"), "there is no way from here to imap.example.org", "the internet"),
        (ConnectionRefusedError(), "nothing is listening", "the port"),
        (TimeoutError(), "does not answer", "993 and 465"),
        (ssl.SSLError(1, "wrong version number"), "does not use TLS", "starttls"),
    ],
    ids=str,
)
def test_each_failure_of_the_network_is_told_in_words(error: Exception, words: str, advice: str) -> None:
    with pytest.raises(MailTrouble) as caught, explaining_errors(Server(server="imap.example.org", port=993)):
        raise error
    assert words in str(caught.value.message)
    assert advice in str(caught.value.next)


@needs_dovecot
@pytest.mark.thorough
def test_nobody_waits_forever_for_a_test_mail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(trying, "COMES_BACK", 0.0)
    monkeypatch.setenv("WORD", "correct-horse")
    with mail_folder() as boxes, imap_server(boxes) as imap:
        mailbox(boxes, "hanna@games.example")
        post = Post(boxes)
        post.elsewhere = {"hanna@games.example": "lost@games.example"}
        with smtp_server(post) as port:
            found = read(
                tmp_path,
                f"""name = "Hanna"
address = "hanna@games.example"
[fetch]
kind = "imap"
server = "localhost"
port = {imap.tls}
certificate = "{imap.cert}"
password = "environment WORD"
[send]
kind = "smtp"
server = "127.0.0.1"
port = {port}
security = "plain"
password = "none"
""",
            )
            tried = trying.trial(found, send=True)
    assert [one.good for one in tried][-2:] == [True, False]
    assert "does not come back" in str(tried[-1].what)
