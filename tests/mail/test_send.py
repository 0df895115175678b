"""Sending mails, over a real SMTP server and with a real program."""

import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from referee.errors import MailTrouble
from referee.mail import servers as module
from referee.mail.send import Sender, SendTrouble
from referee.mail.settings import Send, Settings
from referee.mail.trial import trial
from tests.mail.servers import PASSWORD, Post, certificate, smtp_server, taken_out
from tests.support.ports import own_port

ADDRESS = "anna@example.org"
MAIL = b"From: anna@example.org\r\nTo: bert@example.org\r\nSubject: turn\r\n\r\n.a line with a dot\r\n.\r\nend\r\n"
AS_TAKEN = MAIL.replace(b"\r\n", b"\n")


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture(autouse=True)
def _password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMTP_PASSWORD", PASSWORD)


def settings(port: int, **more: object) -> Settings:
    usual = {"kind": "smtp", "server": "127.0.0.1", "port": port, "security": "plain", "password": "none"}
    return Settings(name="Anna", address=ADDRESS, send=msgspec.convert(usual | {"user": ADDRESS} | more, Send))


def send(to: str, given: Settings) -> None:
    with Sender(given) as sender:
        sender.send(MAIL, to)


def refused(to: str, given: Settings) -> SendTrouble:
    with pytest.raises(SendTrouble) as caught:
        send(to, given)
    assert caught.value.next
    return caught.value


def trouble(given: Settings) -> MailTrouble:
    """Why nothing can be sent; `mail status --test` says the same."""
    with pytest.raises(MailTrouble) as caught:
        send("bert@example.org", given)
    assert not isinstance(caught.value, SendTrouble)
    told = [one for one in trial(given) if not one.good]
    assert [(one.what, one.next) for one in told] == [(caught.value.message, caught.value.next)]
    assert PASSWORD not in str(caught.value.message) + str(caught.value.next)
    return caught.value


# --- a server ---------------------------------------------------------------------------------------------------------


def test_mails_arrive_byte_for_byte_over_one_connection(post: Post) -> None:
    with smtp_server(post) as port, Sender(settings(port)) as sender:
        for name in ("bert", "carla", "bert"):
            sender.send(MAIL if name == "bert" else AS_TAKEN, f"{name}@example.org")
    assert taken_out(post.root, "bert@example.org") == [AS_TAKEN, AS_TAKEN]
    assert taken_out(post.root, "carla@example.org") == [AS_TAKEN]
    assert post.senders == [ADDRESS] * 3


def test_nothing_is_connected_before_there_is_something_to_send() -> None:
    with Sender(settings(own_port())) as sender:
        assert sender.settings.send.kind == "smtp"


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_login_over_tls(post: Post, tmp_path: Path, security: str) -> None:
    cert = certificate(tmp_path)
    with smtp_server(post, security, cert, logins=True) as port:
        given = settings(
            port, security=security, certificate=str(cert), password="environment SMTP_PASSWORD", server="localhost"
        )
        send("bert@example.org", given)
        assert all(one.good for one in trial(given))
    assert taken_out(post.root, "bert@example.org") == [AS_TAKEN]
    assert {(user, password) for user, password, _ in post.logins} == {(ADDRESS, PASSWORD)}


def test_a_login_that_is_refused(post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cert = certificate(tmp_path)
    with smtp_server(post, "tls", cert, logins=True) as port:
        given = settings(port, security="tls", certificate=str(cert), password="environment SMTP_PASSWORD")
        for wrong in ("wrong", "schlüssel"):
            monkeypatch.setenv("SMTP_PASSWORD", wrong)
            error = trouble(given)
            assert error.code == "no-login"
            assert wrong not in str(error.message) + str(error.next)
            assert ("app password" in str(error.next)) == wrong.isascii()


def test_a_provider_that_takes_no_passwords_at_all(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.refusal = "535 5.7.139 Authentication unsuccessful, basic authentication is disabled."
    monkeypatch.setenv("SMTP_PASSWORD", "disabled")
    with smtp_server(post, logins=True) as port:
        error = trouble(settings(port, password="environment SMTP_PASSWORD"))
    assert "does not accept passwords from programs" in str(error.next)
    assert "basic authentication is ***" in str(error.message)


def test_a_server_without_tls_never_sees_the_password(post: Post, tmp_path: Path) -> None:
    """An attacker who strips the offer of TLS gets nothing."""
    with smtp_server(post, logins=True) as port:
        error = trouble(settings(port, security="starttls", password="environment SMTP_PASSWORD"))
        assert (error.code, "does not offer TLS" in str(error.message)) == ("no-tls", True)
        assert trouble(settings(port, security="tls", password="environment SMTP_PASSWORD")).code == "no-tls"
    assert post.logins == []


def test_a_server_that_takes_no_logins(post: Post) -> None:
    with smtp_server(post) as port:
        error = trouble(settings(port, password="environment SMTP_PASSWORD"))
    assert (error.code, 'password = "none"' in str(error.next)) == ("no-login", True)


def test_a_server_that_wants_one(post: Post) -> None:
    with smtp_server(post, logins=True) as port, pytest.raises(MailTrouble) as caught:
        send("bert@example.org", settings(port))
    assert "does not let anna@example.org send" in str(caught.value.message)


def test_a_recipient_that_is_refused_and_others_that_are_not(post: Post) -> None:
    post.answers = {"gone@example.org": "550 5.1.1 no such user", "full@example.org": "452 4.2.2 mailbox full"}
    with smtp_server(post) as port, Sender(settings(port)) as sender:
        for to, failure, words in (
            ("gone@example.org", "refused", "550 5.1.1 no such user"),
            ("full@example.org", "later", "452 4.2.2 mailbox full"),
        ):
            with pytest.raises(SendTrouble) as caught:
                sender.send(MAIL, to)
            assert (caught.value.failure, words in str(caught.value.message)) == (failure, True)
        sender.send(MAIL, "bert@example.org")
    assert taken_out(post.root, "bert@example.org") == [AS_TAKEN]


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        ("554 looks like junk", "refused"),
        ("451 try later", "later"),
        ("550 5.4.5 daily user sending limit exceeded", "account"),
        ("554 5.7.9 message not accepted for policy reasons", "account"),
        ("452 4.3.1 insufficient system storage", "account"),
        ("451 4.7.1 greylisted", "later"),
        ("552 5.3.4 too large", "refused"),
    ],
)
def test_a_mail_that_is_refused_when_it_was_read(post: Post, answer: str, failure: str) -> None:
    post.data_answer = answer
    with smtp_server(post) as port:
        assert refused("bert@example.org", settings(port)).failure == failure


@pytest.mark.parametrize(
    "to", ["", "-oQ/tmp/x@example.org\n", "a@b.example\r\nRCPT TO:<eve@example.org>", "a,b@c.example"]
)
def test_an_invalid_address_reaches_no_server(to: str) -> None:
    assert refused(to, settings(own_port())).failure == "refused"


def test_a_server_that_hangs_up_after_some_mails_is_called_again(post: Post) -> None:
    post.per_connection = 2
    with smtp_server(post) as port, Sender(settings(port)) as sender:
        for _ in range(5):
            sender.send(MAIL, "bert@example.org")
    assert len(taken_out(post.root, "bert@example.org")) == 5
    assert len(set(post.peers)) == 3


def test_a_server_that_hangs_up_at_once_is_not_called_forever(post: Post) -> None:
    post.per_connection = 0
    with smtp_server(post) as port:
        error = refused("bert@example.org", settings(port))
    assert (error.failure, "too many mails" in str(error.message)) == ("dropped", True)


@pytest.fixture
def mute() -> Iterator[int]:
    """A server that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_server_that_says_nothing(mute: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    error = trouble(settings(mute))
    assert (error.code, "does not answer" in str(error.message)) == ("no-server", True)


def test_a_server_that_is_not_there() -> None:
    assert "nothing is listening" in str(trouble(settings(own_port())).message)
    assert "there is no server named" in str(trouble(settings(25, server="smtp.invalid")).message)


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_of_somebody_else(post: Post, tmp_path: Path, security: str) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.mkdir()
    other.mkdir()
    with smtp_server(post, security, certificate(mine)) as port:
        error = trouble(settings(port, security=security, certificate=str(certificate(other))))
        assert (error.code, "is not trusted" in str(error.message)) == ("no-tls", True)
        (tmp_path / "junk").write_text("no certificate")
        error = trouble(settings(port, security=security, certificate=str(tmp_path / "junk")))
        assert "not a readable certificate" in str(error.message)


def test_a_test_mail_to_oneself(post: Post) -> None:
    with smtp_server(post) as port:
        found = trial(settings(port), send=True)
    assert all(one.good for one in found)
    (mail,) = taken_out(post.root, ADDRESS)
    from referee.mail.message import read_message

    assert str(read_message(mail).headers.auto) == "it was sent by a referee office"


# --- a program --------------------------------------------------------------------------------------------------------

PROGRAM = """#!/bin/sh
for word; do printf '%s\\n' "$word"; done > "{folder}/arguments"
cat > "{folder}/mail"
echo "{words}" >&2
exit {status}
"""


def program(folder: Path, status: int = 0, words: str = "") -> Settings:
    path = folder / "sendmail"
    path.write_text(PROGRAM.format(folder=folder, status=status, words=words))
    path.chmod(0o755)
    return Settings(name="Anna", address=ADDRESS, send=Send(kind="sendmail", program=str(path)))


def test_sendmail_gets_the_mail_and_its_arguments_one_by_one(tmp_path: Path) -> None:
    send("o'neil$(id)@example.org".replace("(id)", ""), program(tmp_path))
    words = (tmp_path / "arguments").read_text().splitlines()
    assert words == ["-i", "-f", ADDRESS, "--", "o'neil$@example.org"]
    assert (tmp_path / "mail").read_bytes() == AS_TAKEN


@pytest.mark.parametrize(
    ("status", "failure"),
    [(67, "refused"), (68, "refused"), (65, "refused"), (75, "later"), (1, "later"), (77, "account")],
)
def test_what_sendmail_ends_with(tmp_path: Path, status: int, failure: str) -> None:
    error = refused("bert@example.org", program(tmp_path, status, "bert is unknown"))
    assert (error.failure, "bert is unknown" in str(error.message)) == (failure, True)


def test_a_sendmail_that_cannot_be_run(tmp_path: Path) -> None:
    given = Settings(name="Anna", address=ADDRESS, send=Send(kind="sendmail", program=str(tmp_path / "none")))
    with pytest.raises(MailTrouble) as caught:
        send("bert@example.org", given)
    assert "cannot be run" in str(caught.value.message)
    assert [one.good for one in trial(given)] == [True, True, False]
    assert all(one.good for one in trial(program(tmp_path)))
