"""Incoming mails: from files, Maildirs, mbox files and a real IMAP server."""

import fcntl
import imaplib
import json
import os
import ssl
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from referee.errors import FileTrouble, MailTrouble, Malformed
from referee.language import Text
from referee.mail import fetch as module
from referee.mail import message
from referee.mail.fetch import Fetched, fetch, read_eml, store_incoming
from referee.mail.settings import Fetch, Settings
from referee.mail.trial import trial
from tests.mail.hostile import MAILS
from tests.mail.servers import PASSWORD, Imap, deliver, imap_server, mail_folder, mailbox, needs_dovecot, taken_out
from tests.support.ports import own_port

ADDRESS = "anna@example.org"
ROOT = Path(__file__).resolve().parents[2]


def mail(words: str) -> bytes:
    return f"From: bert@example.org\nTo: {ADDRESS}\nSubject: {words}\n\n{words}\n".encode()


def from_files(kind: str, path: Path) -> Settings:
    source = msgspec.convert({"kind": kind, "path": str(path)}, Fetch)
    return Settings(name="Anna", address=ADDRESS, fetch=source)


class Home:
    """The folder of an office, a new one for each test."""

    path = Path()


@pytest.fixture(autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory) -> None:
    Home.path = tmp_path_factory.mktemp("office")
    for name in ("in", "archive", "quarantine"):
        (Home.path / name).mkdir()
    for name in ("host.key", "players.json"):
        (Home.path / name).touch()


def all_of(settings: Settings, *, done: bool = True) -> tuple[list[bytes], list[str]]:
    """What is fetched, and the notes."""
    notes: list[Text] = []
    found = []
    for one in fetch(settings, notes.append, str(Home.path)):
        found.append(one.raw)
        if done:
            one.done()
    return found, [str(note) for note in notes]


def named(*paths: Path) -> list[bytes]:
    return [one.raw for one in read_eml([str(path) for path in paths], no_note)]


def no_note(note: Text) -> None:
    pytest.fail(str(note))


# --- files ------------------------------------------------------------------------------------------------------------


def test_nothing_is_fetched_where_nothing_is_set_up() -> None:
    assert all_of(Settings(name="Anna", address=ADDRESS)) == ([], [])


def test_mails_that_are_named(tmp_path: Path) -> None:
    for number in (2, 1):
        (tmp_path / f"{number}.eml").write_bytes(mail(f"file {number}"))
    (tmp_path / "notes.txt").write_text("no mail")
    box = mailbox(tmp_path, ADDRESS)
    deliver(tmp_path, ADDRESS, mail("delivered"))
    archive = tmp_path / "archive"
    archive.write_bytes(b"From bert Sun Jan  3 10:00:00 2027\n" + mail("kept"))
    assert named(tmp_path / "2.eml") == [mail("file 2")]
    assert named(tmp_path) == [mail("file 1"), mail("file 2")]
    assert named(box, archive) == [mail("delivered"), mail("kept")]


def test_a_mail_that_is_named_and_missing(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble):
        named(tmp_path / "none.eml")


def test_a_mail_that_is_too_large_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MESSAGE_MOST", 100)
    (tmp_path / "large.eml").write_bytes(mail("x" * 100))
    (tmp_path / "small.eml").write_bytes(mail("x"))
    with pytest.raises(Malformed):
        named(tmp_path / "large.eml")
    found, notes = all_of(from_files("folder", tmp_path))
    assert found == [mail("x")]
    assert [note.rpartition("/")[2] for note in notes] == ["large.eml: too large"]


def test_a_folder_is_never_changed(tmp_path: Path) -> None:
    (tmp_path / "1.eml").write_bytes(mail("one"))
    assert all_of(from_files("folder", tmp_path)) == all_of(from_files("folder", tmp_path)) == ([mail("one")], [])


def test_links_pipes_and_folders_are_left_alone(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("password: hunter2")
    box = mailbox(tmp_path, ADDRESS)
    os.mkfifo(box / "new" / "1.pipe")
    (box / "new" / "2.link").symlink_to(secret)
    (box / "new" / "3.folder").mkdir()
    deliver(tmp_path, ADDRESS, mail("one"))
    found, notes = all_of(from_files("maildir", box))
    assert found == [mail("one")]
    assert [note.rpartition("/")[2] for note in notes] == [
        f"{name}: not a regular file" for name in ("1.pipe", "2.link", "3.folder")
    ]


def test_an_empty_file_keeps_no_other_mail_from_coming_in(tmp_path: Path) -> None:
    box = mailbox(tmp_path, ADDRESS)
    (box / "new" / "1.empty").touch()
    deliver(tmp_path, ADDRESS, mail("one"))
    found, notes = all_of(from_files("maildir", box))
    assert (found, len(notes)) == ([mail("one")], 1)
    assert "empty" in notes[0]


@pytest.mark.parametrize("kind", ["maildir", "mbox", "folder"])
def test_a_pipe_or_a_file_in_the_place_of_a_mailbox(tmp_path: Path, kind: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(MailTrouble):
        all_of(from_files(kind, tmp_path / "pipe"))


def test_a_maildir_that_cannot_be_changed(tmp_path: Path) -> None:
    """Its mails come in, and the error is reported: they would be read again and again."""
    deliver(tmp_path, ADDRESS, mail("one"))
    taken = list(fetch(from_files("maildir", mailbox(tmp_path, ADDRESS)), no_note, ""))
    (mailbox(tmp_path, ADDRESS) / "cur").rmdir()
    (mailbox(tmp_path, ADDRESS) / "cur").touch()
    with pytest.raises(MailTrouble) as caught:
        taken[0].done()
    assert "cannot be marked as seen" in str(caught.value.message)


def test_a_missing_source_is_reported(tmp_path: Path) -> None:
    for kind in ("folder", "maildir", "mbox"):
        with pytest.raises(MailTrouble) as caught:
            all_of(from_files(kind, tmp_path / "none"))
        assert caught.value.code == "no-mailbox"
        assert [one.good for one in trial(from_files(kind, tmp_path / "none"))] == [True, False, True]


# --- Maildir ----------------------------------------------------------------------------------------------------------


def test_a_maildir_is_emptied_of_what_is_new(tmp_path: Path) -> None:
    box = mailbox(tmp_path, ADDRESS)
    for number in range(3):
        deliver(tmp_path, ADDRESS, mail(f"number {number}"))
    settings = from_files("maildir", box)
    assert len(all_of(settings, done=False)[0]) == 3
    assert all_of(settings) == ([mail(f"number {number}") for number in range(3)], [])
    assert all_of(settings) == ([], [])
    assert list((box / "new").iterdir()) == []
    assert all(path.name.endswith(":2,S") for path in (box / "cur").iterdir())


def test_flags_do_not_say_what_is_new(tmp_path: Path) -> None:
    """Whoever looks at a mail marks it as seen; and a flag that is set later does not make it new again."""
    box = mailbox(tmp_path, ADDRESS)
    for flags in ("", "F", "S", "RS"):
        (box / "cur" / f"1.{flags}.host:2,{flags}").write_bytes(mail(flags or "none"))
    found, _ = all_of(from_files("maildir", box))
    assert sorted(found) == sorted(mail(one) for one in ("none", "F", "S", "RS"))
    assert sorted(path.name.rpartition(",")[2] for path in (box / "cur").iterdir()) == ["FS", "RS", "S", "S"]
    for path in [*(box / "cur").iterdir()]:
        path.rename(f"{path.as_posix().rpartition(',')[0]},T")
    assert all_of(from_files("maildir", box)) == ([], [])


def test_what_was_read_before_there_was_an_office_stays_where_it_is(tmp_path: Path) -> None:
    box = mailbox(tmp_path, ADDRESS)
    for flags in ("", "S"):
        old = box / "cur" / f"1.{flags}.host:2,{flags}"
        old.write_bytes(mail(flags or "none"))
        os.utime(old, (1_000_000_000, 1_000_000_000))
    assert all_of(from_files("maildir", box))[0] == [mail("none")]
    assert all_of(from_files("maildir", box))[0] == []


def test_a_mail_that_another_program_moves_meanwhile(tmp_path: Path) -> None:
    path = deliver(tmp_path, ADDRESS, mail("one"))
    taken: list[Fetched] = list(fetch(from_files("maildir", mailbox(tmp_path, ADDRESS)), no_note, ""))
    path.unlink()
    taken[0].done()
    assert all_of(from_files("maildir", mailbox(tmp_path, ADDRESS))) == ([], [])


# --- mbox -------------------------------------------------------------------------------------------------------------

FROM = b"From bert@example.org Sun Jan  3 10:00:00 2027\n"


def test_an_mbox_is_read_mail_by_mail_and_never_changed(tmp_path: Path) -> None:
    path = tmp_path / "mbox"
    texts = [mail("one"), mail("two") + b"\n>From here on I buy red\n\n", b"\r\n".join(mail("three").split(b"\n"))]
    path.write_bytes(FROM + FROM.join(text + b"\n" for text in texts))
    path.chmod(0o444)
    before = path.stat()
    found, notes = all_of(from_files("mbox", path))
    assert ([raw.strip() for raw in found], notes) == ([text.strip() for text in texts], [])
    after = path.stat()
    assert (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size)


def test_a_sentence_does_not_part_an_mbox(tmp_path: Path) -> None:
    path = tmp_path / "mbox"
    text = mail("one") + b"\nFrom here on I buy red\n"
    path.write_bytes(FROM + text)
    assert all_of(from_files("mbox", path)) == ([text], [])


def test_a_large_mail_in_an_mbox_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message, "MESSAGE_MOST", 1000)
    monkeypatch.setattr(message, "MBOX_LINE_MOST", 64)
    path = tmp_path / "mbox"
    path.write_bytes(FROM + mail("one") + b"\n" + FROM + mail("x" * 2000) + b"\n" + FROM + mail("two"))
    found, notes = all_of(from_files("mbox", path))
    assert [raw.strip() for raw in found] == [mail("one").strip(), mail("two").strip()]
    assert notes == [f"skipped a mail in {path}: too large"]


@pytest.mark.thorough
def test_an_mbox_of_endless_lines_takes_little_memory(tmp_path: Path) -> None:
    """200 MB without a line end, by a process that may not use that much."""
    path = tmp_path / "mbox"
    with path.open("wb") as file:
        file.write(FROM + mail("one") + b"\n" + FROM)
        file.truncate(200_000_000)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))\n"
        "from referee.mail.message import mails_in_box\n"
        "notes = []\n"
        "print(len(list(mails_in_box(open(sys.argv[1], 'rb'), 'x', notes.append))), [*map(str, notes)])"
    )
    done = subprocess.run([sys.executable, "-c", code, path], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("1 ['skipped a mail in x: too large']\n", "")


def test_an_mbox_that_is_being_written_to_waits(tmp_path: Path) -> None:
    path = tmp_path / "mbox"
    path.write_bytes(FROM + mail("one"))
    holder = subprocess.Popen(
        [sys.executable, "-c", "import fcntl, sys; f = open(sys.argv[1], 'r+b'); fcntl.lockf(f, fcntl.LOCK_EX);"
         "print('held', flush=True); sys.stdin.read()", path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(MailTrouble) as caught:
            all_of(from_files("mbox", path))
        assert "another program" in str(caught.value.message)
        holder.communicate()
    assert all_of(from_files("mbox", path)) == ([mail("one")], [])
    with path.open("r+b") as free:
        fcntl.lockf(free, fcntl.LOCK_EX | fcntl.LOCK_NB)


# --- IMAP -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def boxes() -> Iterator[Path]:
    with mail_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def server(boxes: Path) -> Iterator[Imap]:
    with imap_server(boxes) as started:
        yield started


@pytest.fixture(autouse=True)
def _password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMAP_PASSWORD", PASSWORD)


def from_imap(server: Imap, user: str, host: str = "localhost", **more: object) -> Settings:
    usual = {
        "kind": "imap", "server": host, "port": server.tls, "certificate": str(server.cert), "user": user,
        "password": "environment IMAP_PASSWORD",
    }  # fmt: skip
    return Settings(name="Anna", address=ADDRESS, fetch=msgspec.convert(usual | more, Fetch))


def client(server: Imap, user: str) -> imaplib.IMAP4_SSL:
    found = imaplib.IMAP4_SSL("localhost", server.tls, ssl_context=ssl.create_default_context(cafile=server.cert))
    found.login(user, PASSWORD)
    return found


def trouble(settings: Settings) -> MailTrouble:
    """Why nothing can be fetched; `mail status --test` says the same."""
    with pytest.raises(MailTrouble) as caught:
        all_of(settings)
    told = [one for one in trial(settings) if not one.good]
    assert [(one.what, one.next) for one in told] == [(caught.value.message, caught.value.next)]
    assert PASSWORD not in str(caught.value.message) + str(caught.value.next)
    return caught.value


@needs_dovecot
@pytest.mark.parametrize("security", ["tls", "starttls", "plain"])
def test_unread_mails_are_fetched_and_marked(server: Imap, boxes: Path, security: str) -> None:
    user = f"{security}@example.org"
    texts = [mail("eins"), mail("zwei"), MAILS["nested"]()]
    for text in texts:
        deliver(boxes, user, text)
    port = server.tls if security == "tls" else server.starttls
    settings = from_imap(server, user, port=port, security=security)
    first = fetch(settings, no_note, str(Home.path))
    assert next(first).raw
    first.close()  # type: ignore[attr-defined]
    found, notes = all_of(settings)
    assert [raw.replace(b"\r\n", b"\n") for raw in found] == [text.replace(b"\r\n", b"\n") for text in texts]
    assert notes == []
    assert all_of(settings) == ([], [])
    assert "0 unread" in str(trial(settings)[-2].what)


@needs_dovecot
def test_a_folder_full_of_other_mails_brings_a_warning(server: Imap, boxes: Path) -> None:
    user = "many@example.org"
    for number in range(21):
        deliver(boxes, user, mail(f"number {number}"))
    told = [str(one.what) for one in trial(from_imap(server, user)) if one.good]
    assert "found the folder INBOX, with 21 unread mails" in told
    assert "all of them will be fetched" in told[-2]
    with client(server, user) as own:
        own.create("getan")
    told = [str(one.what) for one in trial(from_imap(server, user, move_to="getan"))]
    assert any("all of them will be fetched" in line for line in told)


def brought(settings: Settings) -> int:
    """How many new mails come in."""
    source = fetch(settings, no_note, str(Home.path))
    return store_incoming(str(Home.path), source, datetime(2026, 11, 20, tzinfo=UTC))[0]


def judged(folder: str) -> None:
    """The first mail in in/ is judged, and goes to this folder."""
    path = min((Home.path / "in").iterdir())
    path.rename(Home.path / folder / path.name)


@needs_dovecot
def test_what_somebody_looked_at_comes_in_all_the_same(server: Imap, boxes: Path) -> None:
    user = "seen@example.org"
    settings = from_imap(server, user)
    for number in range(3):
        deliver(boxes, user, mail(f"number {number}"))
        with client(server, user) as own:
            own.select("INBOX")
            own.store("1:*", "+FLAGS", r"(\Seen \Answered \Flagged)")
        assert brought(settings) == 1
    assert brought(settings) == 0


@needs_dovecot
def test_a_folder_that_is_counted_again_is_read_again_and_brings_nothing_twice(server: Imap, boxes: Path) -> None:
    user = "again@example.org"
    settings = from_imap(server, user)
    for number in range(2):
        deliver(boxes, user, mail(f"number {number}"))
    assert brought(settings) == 2
    place = Home.path / "mailbox.json"
    known = json.loads(place.read_text())
    place.write_text(json.dumps({**known, "validity": known["validity"] + 1, "last": 1000}))
    deliver(boxes, user, mail("number 2"))
    assert brought(settings) == 1
    assert json.loads(place.read_text()) == {**known, "last": 3}


@needs_dovecot
def test_only_what_was_judged_is_moved(server: Imap, boxes: Path) -> None:
    """The first is about a game; the second is nobody's business, so it stays, as does one that is not judged yet."""
    user = "move@example.org"
    for number in range(3):
        deliver(boxes, user, mail(f"number {number}"))
    with client(server, user) as own:
        own.create("getan")
    settings = from_imap(server, user, move_to="getan")
    assert brought(settings) == 3
    judged("archive")
    judged("quarantine")
    assert brought(settings) == 0

    def there() -> list[bytes]:
        with client(server, user) as own:
            return [own.select(name)[1][0] or b"" for name in ("INBOX", "getan")]

    assert there() == [b"2", b"1"]
    judged("archive")
    assert brought(settings) == 0
    assert there() == [b"1", b"2"]
    assert brought(settings) == 0, "nothing is moved twice"


@needs_dovecot
def test_mails_that_are_older_than_the_office_stay(server: Imap, boxes: Path) -> None:
    user = "old@example.org"
    old = deliver(boxes, user, mail("read long ago"))
    os.utime(old, (0, 0))
    with client(server, user) as own:
        own.select("INBOX")
        own.store("1", "+FLAGS", r"(\Seen)")
    deliver(boxes, user, mail("new"))
    assert all_of(from_imap(server, user))[0] == [mail("new").replace(b"\n", b"\r\n")]


@needs_dovecot
def test_a_deleted_mail_is_not_expunged_by_marking_another(server: Imap, boxes: Path) -> None:
    user = "expunge@example.org"
    for number in range(2):
        deliver(boxes, user, mail(f"number {number}"))
    with client(server, user) as own:
        own.select("INBOX")
        own.store("1", "+FLAGS", r"(\Seen \Deleted)")
        own.unselect()
    assert len(all_of(from_imap(server, user))[0]) == 2
    with client(server, user) as own:
        assert own.select("INBOX")[1] == [b"2"]


@needs_dovecot
def test_a_large_mail_is_skipped_by_its_size(server: Imap, boxes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MESSAGE_MOST", 2000)
    user = "large@example.org"
    deliver(boxes, user, mail("x" * 3000))
    deliver(boxes, user, mail("small"))
    found, notes = all_of(from_imap(server, user))
    assert len(found) == len(notes) == 1
    assert notes[0].endswith("in INBOX: too large")
    assert all_of(from_imap(server, user)) == ([], [])
    with client(server, user) as own:
        own.select("INBOX")
        assert own.search(None, "FLAGGED")[1] == [b"1"]


@needs_dovecot
@pytest.mark.thorough
def test_a_login_that_is_refused(server: Imap, boxes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("wrong", "schlüssel", 'a"b\\c'):
        monkeypatch.setenv("IMAP_PASSWORD", wrong)
        error = trouble(from_imap(server, "bad@example.org"))
        assert error.code == "no-login"
        assert "app password" in str(error.next)
        assert wrong not in str(error.message)


@needs_dovecot
def test_a_folder_that_is_missing_and_its_nearest_name(server: Imap, boxes: Path) -> None:
    user = "folder@example.org"
    mailbox(boxes, user)
    with client(server, user) as own:
        own.create("Spiele")
    for wrong in ({"folder": "Spile"}, {"move_to": "spiele"}):
        error = trouble(from_imap(server, user, **wrong))
        assert error.code == "no-mailbox"
        assert "did you mean spiele?" in str(error.message)
        assert "INBOX" in str(error.next)


@needs_dovecot
def test_a_certificate_that_nobody_trusts(server: Imap, boxes: Path) -> None:
    error = trouble(from_imap(server, "x@example.org", certificate=""))
    assert error.code == "no-tls"
    assert "certificate = " in str(error.next)


@needs_dovecot
def test_a_port_that_has_no_tls_yet(server: Imap, boxes: Path) -> None:
    error = trouble(from_imap(server, "x@example.org", port=server.starttls))
    assert error.code == "no-tls"
    assert 'security = "starttls"' in str(error.next)


def test_a_server_that_nobody_knows_and_one_that_does_not_listen(tmp_path: Path) -> None:
    from tests.mail.servers import certificate

    nowhere = Imap(own_port(), own_port(), certificate(tmp_path))
    unknown = trouble(from_imap(nowhere, "x@example.org", host="imap.invalid"))
    assert (unknown.code, "there is no server named" in str(unknown.message)) == ("no-server", True)
    silent = trouble(from_imap(nowhere, "x@example.org"))
    assert (silent.code, "nothing is listening" in str(silent.message)) == ("no-server", True)


@needs_dovecot
def test_the_password_is_looked_for_first(server: Imap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IMAP_PASSWORD")
    assert trouble(from_imap(server, "x@example.org")).code == "no-password"


def test_mailboxes_of_tests_are_emptied(tmp_path: Path) -> None:
    deliver(tmp_path, "a+pass@example.org", mail("one"))
    assert taken_out(tmp_path, "a@example.org") == [mail("one")]
    assert taken_out(tmp_path, "a@example.org") == []
