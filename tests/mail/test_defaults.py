"""The defaults of mail.toml and the bounds of its numbers, as its comments and the manual say."""

from pathlib import Path

import pytest

from referee.errors import Malformed
from referee.mail.settings import Settings, read_settings, template

HEAD = 'name = "Hanna"\naddress = "hanna@example.org"\n'


def read(folder: Path, text: str) -> Settings:
    (folder / "mail.toml").write_text(text)
    return read_settings(str(folder / "mail.toml"))


def test_an_office_that_says_nothing(tmp_path: Path) -> None:
    """20 answers a day to a pass, pictures, aids for whoever signs; mails to those who are asked; nothing fetched."""
    found = read(tmp_path, HEAD)
    assert (found.plus, found.zone, found.language, found.answers_per_day) == (False, "UTC", "en", 20)
    assert (found.pictures, found.aids, found.tell) == (True, True, "asked")
    fetch, send = found.fetch, found.send
    assert (fetch.kind, fetch.folder, fetch.path, fetch.move_to) == ("none", "INBOX", "", "")
    assert (send.kind, send.program) == ("files", "/usr/sbin/sendmail")
    for server, port in ((fetch, 993), (send, 465)):
        assert (server.server, server.port, server.security, server.certificate) == ("", port, "tls", "")
        assert (server.user, server.password) == ("hanna@example.org", "keyring")


def test_what_a_new_office_says_is_what_applies_without_it(tmp_path: Path) -> None:
    made, bare = read(tmp_path, template("Hanna", "hanna@example.org")), read(tmp_path, HEAD)
    for name in ("name", "address", "language", "plus", "zone", "answers_per_day", "pictures", "aids", "tell"):
        assert getattr(made, name) == getattr(bare, name), name
    for part in ("fetch", "send"):
        one, two = getattr(made, part), getattr(bare, part)
        for name in ("kind", "port", "security", "password", "user"):
            assert getattr(one, name) == getattr(two, name), name
    assert made.fetch.folder == "INBOX"


@pytest.mark.parametrize(
    ("line", "good"),
    [
        ("answers_per_day = 1", True), ("answers_per_day = 1000", True), ("answers_per_day = 0", False),
        ("answers_per_day = 1001", False), ('tell = "all"', True), ('tell = "some"', False), ('language = "nl"', True),
        ('language = "fr"', False), ("[fetch]\nport = 65535", True), ("[fetch]\nport = 65536", False),
        ("[fetch]\nport = -1", False), ('[send]\nsecurity = "none"', False),
    ],
)  # fmt: skip
def test_settings_have_bounds(tmp_path: Path, line: str, good: bool) -> None:
    if good:
        assert read(tmp_path, f"{HEAD}{line}\n")
        return
    with pytest.raises(Malformed) as caught:
        read(tmp_path, f"{HEAD}{line}\n")
    assert caught.value.code == "bad-settings"


@pytest.mark.parametrize(("letters", "good"), [(0, False), (1, True), (60, True), (61, False)])
def test_the_name_of_an_office_has_bounds(tmp_path: Path, letters: int, good: bool) -> None:
    text = HEAD.replace("Hanna", "H" * letters)
    if good:
        assert len(read(tmp_path, text).name) == letters
        return
    with pytest.raises(Malformed):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("line", "imap", "smtp"),
    [
        ('security = "tls"', 993, 465), ('security = "starttls"', 143, 587), ('security = "plain"', 143, 25),
        ("port = 1", 1, 1),
    ],
)  # fmt: skip
def test_ports_are_those_of_the_standards(tmp_path: Path, line: str, imap: int, smtp: int) -> None:
    """RFC 8314: 993 and 465 for TLS from the start; 143 and 587 (submission) with STARTTLS."""
    found = read(tmp_path, f"{HEAD}[fetch]\n{line}\n[send]\n{line}\n")
    assert (found.fetch.port, found.send.port) == (imap, smtp)
