"""`referee host`: from nothing to the first invitation, at a terminal, against real IMAP and SMTP servers."""

import json
import os
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.language import LANGUAGES
from tests.cli.hosting import (
    HIDDEN,
    HOST,
    PLAYERS,
    Servers,
    check_secrets,
    question,
    reply,
    serving,
    sit_down,
    talk,
    type_in,
)
from tests.cli.world import run_here, tree
from tests.locale.test_cli import english_in
from tests.mail.servers import PASSWORD, mailbox, needs_dovecot, taken_out
from tests.support.ports import own_port

pytestmark = [needs_dovecot, pytest.mark.thorough]
ALL = [
    "Your name", "Which game?", "players' email addresses", "Change that, or the options",
    "email address of the office", "Where is this account?", "IMAP server and port", "Security of localhost",
    "SMTP server and port", "Security of localhost", "User name there", "certificate of your own",
    "Where is the password kept?", HIDDEN, "Test it now", "Send the invitations", "Who runs the office",
]  # fmt: skip
"""What is asked of somebody who has nothing yet, in this order."""
TWICE = ["Invite to a game?", "Change the account,", "Test it now", "Who runs the office"]


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    with serving() as found:
        yield found


@pytest.fixture(autouse=True)
def empty(servers: Servers) -> Iterator[None]:
    """No mail is left over, and no fault."""
    yield
    post = servers.post
    post.answers, post.elsewhere, post.closed, post.owner, post.data_answer = {}, {}, "", "", ""
    for address in (HOST, *PLAYERS):
        taken_out(post.root, address)
        for path in (mailbox(post.root, address) / "cur").iterdir():
            path.unlink()


def status(folder: Path) -> dict[str, Any]:
    found = json.loads(run_here("mail", "status", "office", "--json", cwd=folder).out)
    assert isinstance(found, dict)
    return found


def test_from_nothing_to_the_first_invitation(servers: Servers, tmp_path: Path) -> None:
    terminal = sit_down(tmp_path)
    asked = talk(terminal, servers.answers(Who_runs_the_office="2"))
    code, screen = terminal.end()
    assert (code, asked) == (0, ALL), screen
    assert "ok: sent a test mail" in screen
    assert "ok: fetched it again" in screen
    assert [len(taken_out(servers.post.root, to)) for to in PLAYERS] == [1, 1]
    (table,) = status(tmp_path)["tables"]
    assert table["game"] == "schwarzer-freitag"
    line = (tmp_path / "crontab").read_text()
    assert line.startswith("*/10 * * * * ")
    assert f" mail run {tmp_path / 'office'} " in line
    assert not (tmp_path / "office/first-game.json").exists()
    check_secrets(tmp_path, screen)
    assert {(user, secret) for user, secret, _ in servers.post.logins} == {(HOST, PASSWORD)}


def test_what_it_installs_runs_the_office(servers: Servers, tmp_path: Path) -> None:
    terminal = sit_down(tmp_path)
    talk(terminal, servers.answers(Who_runs_the_office="2"))
    terminal.end()
    (line,) = (tmp_path / "crontab").read_text().splitlines()
    job = line.split(maxsplit=5)[5].replace(r"\%", "%")
    assert os.system(f"cd / && unset REFEREE_HOME; {job}") == 0
    assert "0 in outbox/" in (tmp_path / "office/run.log").read_text()


def test_twice_asks_little_and_changes_nothing(servers: Servers, tmp_path: Path) -> None:
    terminal = sit_down(tmp_path)
    talk(terminal, servers.answers())
    terminal.end()
    before = tree(tmp_path / "office")
    terminal = sit_down(tmp_path)
    asked = talk(terminal, servers.answers())
    code, screen = terminal.end()
    assert (code, asked) == (0, TWICE), screen
    assert tree(tmp_path / "office") == before
    assert not (tmp_path / "crontab").exists()


def test_a_timer_that_is_there_is_not_installed_again(servers: Servers, tmp_path: Path) -> None:
    (tmp_path / "crontab").write_text("# mine\n0 4 * * * backup")
    for expected in ("Installed.", "This machine runs the office already (cron)."):
        terminal = sit_down(tmp_path)
        talk(terminal, servers.answers(Who_runs_the_office="2"))
        assert expected in terminal.end()[1]
    lines = (tmp_path / "crontab").read_text().splitlines()
    assert lines[:2] == ["# mine", "0 4 * * * backup"]
    assert len(lines) == 3


@pytest.mark.parametrize("count", range(len(ALL)))
def test_whoever_leaves_at_a_question_finds_everything_whole_and_goes_on(
    servers: Servers, tmp_path: Path, count: int
) -> None:
    terminal = sit_down(tmp_path)
    left = servers.answers()
    for _ in range(count):
        reply(terminal, question(terminal), left)
    assert question(terminal)
    code, screen = terminal.leave("\x03")
    assert (code, "Traceback" in screen) == (130, False), screen
    office = tmp_path / "office"
    if count < 4:
        assert "Nothing was changed." in screen
        assert not office.exists()
    else:
        assert "What you answered before is kept. Go on with `referee host office`." in screen
        assert run_here("mail", "status", "office", "--test", cwd=tmp_path).exit in (0, 9)
        assert not [path for path in office.rglob("*") if path.name.endswith(".tmp")]
        check_secrets(tmp_path, screen)
    terminal = sit_down(tmp_path)
    asked = talk(terminal, servers.answers(Invite_to_a_game="n"))
    code, screen = terminal.end()
    assert code == 0, screen
    assert not (count >= 4 and set(asked) & set(ALL[:4]))
    assert [len(taken_out(servers.post.root, to)) for to in PLAYERS] == [1, 1]
    assert len(status(tmp_path)["tables"]) == 1


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_it_speaks_the_hosts_language(servers: Servers, tmp_path: Path, language: str) -> None:
    """The same questions in the same order, and not one English word."""
    terminal = sit_down(tmp_path, env={"REFEREE_LANGUAGE": language})
    answers = servers.answers()
    for name in ALL:
        assert question(terminal)
        type_in(terminal, answers[name], hidden=name == HIDDEN)
    assert question(terminal) == ""
    code, screen = terminal.end()
    assert code == 0, screen
    words = "\n".join(line for line in screen.splitlines() if not line.startswith("  cron: "))
    assert english_in(words, language) == [], screen
    assert [len(taken_out(servers.post.root, to)) for to in PLAYERS] == [1, 1]


def test_the_terms_are_changed_only_on_request(servers: Servers, tmp_path: Path) -> None:
    terminal = sit_down(tmp_path)
    more = {
        "Change that, or the options": "y", "How many players?": "2", "Time for each answer": "2d",
        "Time after that": "6h", "special_cards": "false",
    }  # fmt: skip
    three = ", ".join((*PLAYERS, "Carla <carla@z.example> nl"))
    asked = talk(terminal, {**servers.answers(), **more, "players' email addresses": three})
    terminal.end()
    assert asked[4:8] == [*more][1:]
    ran = run_here("show", str(next((tmp_path / "office/tables").glob("*/offer.json"))), cwd=tmp_path)
    words = " ".join((ran.out + ran.err).decode().split())
    assert "special_cards=false" in words
    assert "2 days" in words or "2d" in words
    assert len(taken_out(servers.post.root, "carla@z.example")) == 1


def test_an_answer_that_makes_no_sense_is_asked_again(servers: Servers, tmp_path: Path) -> None:
    terminal = sit_down(tmp_path)
    bad = {
        "Your name": "x" * 61, "Which game?": "9", "players' email addresses": "anna@x.example",
        "email address of the office": "nobody", "IMAP server and port": "localhost",
        "Security of localhost": "rot13", "certificate of your own": "/none",
    }  # fmt: skip
    answers, once = servers.answers() | bad | {"that is not one of them": "2"}, dict(bad)
    while text := question(terminal):
        name = reply(terminal, text, answers)
        if once.pop(name, None) is not None:
            answers[name] = servers.answers()[name]
    code, screen = terminal.end()
    assert (code, once) == (0, {}), screen
    for words in (
        "a name has 1 to 60 letters", "not one of them", "for 2 to 5 players, not 1", "not a valid email address",
        "not a server and a port", "no such security", "there is no file",
    ):  # fmt: skip
        assert words in screen


# --- where the password is kept ---------------------------------------------------------------------------------------


def test_a_command_can_print_the_password(servers: Servers, tmp_path: Path) -> None:
    secret = tmp_path / "outside"
    secret.write_text(f"{PASSWORD}\nuser: hanna\n")
    terminal = sit_down(tmp_path)
    kept = {"Where is the password kept?": "3", "The command that prints it": f"cat '{secret}'"}
    asked = talk(terminal, servers.answers() | kept)
    code, screen = terminal.end()
    assert (code, HIDDEN in asked, "fetched it again" in screen) == (0, False, True), screen
    secret.unlink()
    assert not (tmp_path / "office/password").exists()
    check_secrets(tmp_path, screen)


def test_a_command_can_print_an_access_token(servers: Servers, tmp_path: Path) -> None:
    """Against both servers; the wrong token is refused by both, and never shown."""
    token = tmp_path / "outside"
    token.write_text(PASSWORD)
    terminal = sit_down(tmp_path)
    kept = {"Where is the password kept?": "4", "The command that prints it": f"cat '{token}'"}
    talk(terminal, servers.answers() | kept)
    code, screen = terminal.end()
    assert (code, "fetched it again" in screen) == (0, True), screen
    assert 'login = "xoauth2"' in (tmp_path / "office/mail.toml").read_text()
    token.write_text("ya29.expired")
    ran = run_here("mail", "status", "office", "--test", cwd=tmp_path)
    said = (ran.out + ran.err).decode()
    assert said.count("was refused") == 2
    assert "ya29" not in said
    assert "eWEyOS5leHBpcmVk" not in said
    assert "an access token for this account" in said


def test_the_keyring_can_keep_the_password(servers: Servers, tmp_path: Path) -> None:
    store = tmp_path / "keyring.json"
    root = Path(__file__).parents[2]
    env = {"PYTHON_KEYRING_BACKEND": "tests.support.ring.Ring", "PYTHONPATH": str(root), "RING": str(store)}
    terminal = sit_down(tmp_path, env=env)
    talk(terminal, servers.answers() | {"Where is the password kept?": "2"})
    code, screen = terminal.end()
    assert (code, "fetched it again" in screen) == (0, True), screen
    assert json.loads(store.read_text()) == {"pbem-referee": {HOST: PASSWORD}}
    store.unlink()
    check_secrets(tmp_path, screen)


def test_without_a_keyring_another_place_is_chosen(servers: Servers, tmp_path: Path) -> None:
    env = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    terminal = sit_down(tmp_path, env=env)
    talk(terminal, servers.answers() | {"Where is the password kept?": "2"}, stop="there is no keyring")
    asked = talk(terminal, servers.answers())
    code, screen = terminal.end()
    assert (code, asked[:2]) == (0, ["Where is the password kept?", HIDDEN]), screen
    check_secrets(tmp_path, screen)


def test_a_password_that_comes_later(servers: Servers, tmp_path: Path) -> None:
    terminal = sit_down(tmp_path)
    asked = talk(terminal, servers.answers() | {HIDDEN: "", "Write the invitations": "n"})
    code, screen = terminal.end()
    assert (code, asked[-1]) == (0, "Write the invitations"), screen
    assert "the password is missing" in screen
    terminal = sit_down(tmp_path)
    asked = talk(terminal, servers.answers())
    assert asked == [*ALL[4:]]
    assert "fetched it again" in terminal.end()[1]


# --- what servers can have against it ---------------------------------------------------------------------------------


class Grumpy:
    """An IMAP server with TLS that lets nobody in, and says why in the words of a provider."""

    def __init__(self, cert: Path, why: str) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(cert, cert.with_name("key.pem"))
        self.why = why
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                caller, _ = self.socket.accept()
                with self.context.wrap_socket(caller, server_side=True) as line:
                    line.sendall(b"* OK ready\r\n")
                    for said in line.makefile("rb"):
                        tag, command = said.split()[:2]
                        if command.upper() == b"CAPABILITY":
                            line.sendall(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")
                        elif command.upper() == b"LOGOUT":
                            line.sendall(b"* BYE\r\n" + tag + b" OK done\r\n")
                            break
                        else:
                            line.sendall(tag + b" NO " + self.why.encode() + b"\r\n")
            except OSError:
                return


def failing(servers: Servers, folder: Path, **more: Any) -> str:
    """What is on the screen of a host who gives up at the first failure."""
    terminal = sit_down(folder)
    asked = talk(terminal, servers.answers() | {"Write the invitations": "n"} | more)
    code, screen = terminal.end()
    assert (code, asked.count("What now?")) == (0, 1), screen
    assert "Next: `referee host office` goes on from here." in screen
    assert [len(taken_out(servers.post.root, to)) for to in PLAYERS] == [0, 0], "nobody is invited before it works"
    check_secrets(folder, screen)
    return " ".join(screen.split())


@pytest.mark.parametrize(
    ("why", "advice"),
    [
        ("[ALERT] Application-specific password required", "make an app password"),
        ("[ALERT] Your account is not enabled for IMAP use", "enable access for mail programs (IMAP, SMTP)"),
        ("AUTHENTICATE failed. BasicAuthBlocked", "only access tokens"),
        (f"[AUTHENTICATIONFAILED] {PASSWORD} is wrong", "most providers require an app password"),
    ],
)
def test_a_login_is_refused_for_many_reasons(servers: Servers, tmp_path: Path, why: str, advice: str) -> None:
    grumpy = Grumpy(servers.imap.cert, why)
    try:
        screen = failing(servers, tmp_path, **{"IMAP server and port": f"localhost:{grumpy.port}"})
    finally:
        grumpy.socket.close()
    assert f"the login of {HOST} was refused" in screen
    assert advice in screen


def test_a_wrong_password(servers: Servers, tmp_path: Path) -> None:
    screen = failing(servers, tmp_path, **{HIDDEN: "wrong-one"})
    assert f"the login of {HOST} was refused" in screen
    assert "wrong-one" not in screen


def test_servers_that_are_not_there(servers: Servers, tmp_path: Path) -> None:
    screen = failing(servers, tmp_path, **{"IMAP server and port": f"localhost:{own_port()}"})
    assert "nothing is listening at localhost" in screen


def test_a_server_that_nobody_knows(servers: Servers, tmp_path: Path) -> None:
    """What the system says depends on whether it has a network."""
    more = {"SMTP server and port": "smtp.invalid:465", "Security of smtp.invalid": ""}
    screen = failing(servers, tmp_path, **more)
    assert "there is no server named smtp.invalid" in screen or "nobody can say now where smtp.invalid is" in screen
    assert "Next: check" in screen


def test_a_certificate_that_nobody_trusts(servers: Servers, tmp_path: Path) -> None:
    screen = failing(servers, tmp_path, **{"certificate of your own": ""})
    assert "is not trusted" in screen
    assert "name its certificate" in screen


def test_the_port_of_the_other_security(servers: Servers, tmp_path: Path) -> None:
    screen = failing(servers, tmp_path, **{"IMAP server and port": f"localhost:{servers.imap.starttls}"})
    assert "does not use TLS" in screen
    assert 'try security = "starttls"' in screen


def test_a_mailbox_that_is_full(servers: Servers, tmp_path: Path) -> None:
    servers.post.answers = {HOST: "452 4.2.2 mailbox full"}
    screen = failing(servers, tmp_path)
    assert f"the mailbox of {HOST} is full: delete mails there" in screen


def test_sending_that_is_refused(servers: Servers, tmp_path: Path) -> None:
    servers.post.data_answer = "554 5.7.9 message not accepted for policy reasons"
    screen = failing(servers, tmp_path)
    assert "message not accepted for policy reasons" in screen
    assert "find out from your provider why it does not let you send" in screen


def test_a_login_for_sending_that_is_refused(servers: Servers, tmp_path: Path) -> None:
    servers.post.closed = "535 5.7.139 SmtpClientAuthentication is disabled for the Tenant"
    screen = failing(servers, tmp_path)
    assert "logged in to localhost" in screen, "fetching works"
    assert "enable access for mail programs (IMAP, SMTP)" in screen


def test_an_address_that_is_not_that_of_the_login(servers: Servers, tmp_path: Path) -> None:
    """Corrected without leaving: the other answers are kept as they were."""
    servers.post.owner = HOST
    terminal = sit_down(tmp_path)
    answers = servers.answers() | {"email address of the office": "other@games.example", "User name there": HOST}
    talk(terminal, answers, stop="What now?")
    assert "`address` in mail.toml must belong to this account" in " ".join(terminal.text.split())
    terminal.answer("2")
    asked = talk(terminal, servers.answers())
    code, screen = terminal.end()
    assert (code, asked[0], "fetched it again" in screen) == (0, "email address of the office", True), screen


def test_a_test_mail_that_does_not_come_back(servers: Servers, tmp_path: Path) -> None:
    servers.post.elsewhere = {HOST: "black@hole.example"}
    terminal = sit_down(tmp_path)
    answers = servers.answers() | {"Write the invitations": "n"}
    talk(terminal, {part: words for part, words in answers.items() if part != "Test it now"}, stop="Test it now")
    terminal.answer("")
    terminal.wait_for("waiting for the test mail")
    terminal.type("\x03")
    talk(terminal, answers)
    code, screen = terminal.end()
    assert (code, "the test mail does not come back" in screen) == (0, True), screen
    assert "minutes, or go to another account or folder" in " ".join(screen.split())


def test_a_test_mail_that_lands_among_the_spam(servers: Servers, tmp_path: Path) -> None:
    servers.post.elsewhere = {HOST: f"{HOST}/.Junk"}
    terminal = sit_down(tmp_path)
    answers = servers.answers() | {"Write the invitations": "n"}
    talk(terminal, answers, stop="Test it now")
    terminal.answer("")
    terminal.wait_for("waiting for the test mail")
    terminal.type("\x03")
    talk(terminal, answers)
    screen = " ".join(terminal.end()[1].split())
    assert "the test mail is in the folder 'junk', not in 'INBOX'" in screen


def test_an_office_can_be_made_without_any_question(tmp_path: Path) -> None:
    """At a terminal on request, in a script always."""
    terminal = sit_down(tmp_path, "--bare", "--name", "Hanna", "--address", HOST)
    assert question(terminal) == ""
    assert terminal.end()[0] == 0
    assert run_here("host", "other", "--name", "Hanna", "--address", HOST, cwd=tmp_path).exit == 0
    toml = [(tmp_path / name / "mail.toml").read_text() for name in ("office", "other")]
    assert toml[0] == toml[1]
