"""`mail.toml`: what it may contain, how mistakes are reported, and where passwords come from."""

from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest

from referee.errors import FileTrouble, MailTrouble, Malformed
from referee.mail.passwords import SERVICE, password
from referee.mail.settings import ADDRESS, Fetch, Settings, read_settings, template

START = 'name = "Anna"\naddress = "anna@example.org"\n'
IMAP = '[fetch]\nkind = "imap"\nserver = "imap.example.org"\n'


def read(folder: Path, text: str) -> Settings:
    path = folder / "mail.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return read_settings(str(path))


def refused(folder: Path, text: str) -> Malformed:
    with pytest.raises(Malformed) as caught:
        read(folder, text)
    assert caught.value.code == "bad-settings"
    assert caught.value.next
    return caught.value


# --- what is right ----------------------------------------------------------------------------------------------------


def test_a_new_office_has_settings_that_work_at_once(tmp_path: Path) -> None:
    settings = read(tmp_path, template('Anna "the host"', "anna@example.org"))
    assert (settings.name, settings.address) == ('Anna "the host"', "anna@example.org")
    assert (settings.fetch.kind, settings.send.kind) == ("none", "files")


def test_an_ordinary_account_is_four_lines_to_edit(tmp_path: Path) -> None:
    lines = template("Anna", "anna@example.org").splitlines()
    assert len(lines) < 20
    kinds = [at for at, line in enumerate(lines) if line.startswith("kind")]
    servers = [at for at, line in enumerate(lines) if line.startswith("server")]
    lines[kinds[0]], lines[kinds[1]] = 'kind = "imap"', 'kind = "smtp"'
    lines[servers[0]], lines[servers[1]] = 'server = "imap.my.example"', 'server = "smtp.my.example"'
    settings = read(tmp_path, "\n".join(lines))
    assert (settings.fetch.server, settings.fetch.user) == ("imap.my.example", "anna@example.org")
    assert (settings.send.server, settings.send.user) == ("smtp.my.example", "anna@example.org")
    assert (settings.fetch.security, settings.send.security) == ("tls", "tls")


def test_paths_count_from_the_folder_of_the_settings(tmp_path: Path) -> None:
    settings = read(
        tmp_path,
        START
        + '[fetch]\nkind = "maildir"\npath = "Mail/games"\npassword = "file secret"\ncertificate = "/x/cert.pem"\n',
    )
    assert settings.fetch.path == str(tmp_path / "Mail/games")
    assert settings.fetch.password == f"file {tmp_path / 'secret'}"
    assert settings.fetch.certificate == "/x/cert.pem"


# --- what is wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        (START + IMAP + "prot = 993\n", "line 6, [fetch] prot", "did you mean port?"),
        ('nme = "Anna"\n', "line 1, nme", "did you mean name?"),
        (START + "[fetsh]\n", "line 3, [fetsh]", "did you mean fetch?"),
        (START + '[fetch]\n\nkind = "imp"\n', "line 5, [fetch] kind", "did you mean imap?"),
        (START + '[send]\nkind = "stmp"\n', "line 4, [send] kind", "did you mean smtp?"),
        (START + 'zone = "Europe/Berln"\n', "line 3, zone", "did you mean europe/berlin?"),
        (START + IMAP + "port = 99999\n", "line 6, [fetch] port", "<= 65535"),
        (START + IMAP + 'port = "993"\n', "line 6, [fetch] port", "int"),
        (START + "plus = 1\n", "line 3, plus", "bool"),
        (START + "answers_per_day = 0\n", "line 3, answers_per_day", ">= 1"),
        (START + '[fetch]\nkind = "maildir"\n', "line 4, [fetch] kind", "needs a path"),
        (START + '[send]\nkind = "sendmail"\nprogram = "sendmail"\n', "line 5, [send] program", "absolute path"),
        (START + '[fetch]\nkind = "imap"\n', "[fetch] server", "not a valid server name"),
        (START + '[fetch]\nkind = "imap"\nserver = "a b"\n', "line 5, [fetch] server", "not a valid server name"),
        (START + IMAP + 'security = "plain"\n', "line 6, [fetch] security", "plain text"),
        ('name = "Anna"\naddress = "anna"\n', "line 2, address", "not a valid email address"),
        ('name = "A\\nBcc: x"\naddress = "a@b.example"\n', "line 1, name", "control characters"),
        ('name = "Anna"\n', "address", "has no address"),
        (START + "fetch = 3\n", "line 3, fetch", "object"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_with_its_line_and_key(tmp_path: Path, text: str, where: str, words: str) -> None:
    error = refused(tmp_path, text)
    assert where in str(error.message)
    assert words in str(error.message)


@pytest.mark.parametrize(
    "text", ["name = Anna", "name = 'x\n", "name = 1\nname = 2", "[", "\udcff", "a" * 100, "= = ="]
)
def test_invalid_toml_is_reported(tmp_path: Path, text: str) -> None:
    assert str(refused(tmp_path, text).message).startswith("mail.toml")


def test_a_line_is_named_for_what_is_not_toml(tmp_path: Path) -> None:
    assert "line 3" in str(refused(tmp_path, START + "plus = yes\n").message)


def test_settings_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble) as caught:
        read_settings(str(tmp_path / "mail.toml"))
    assert caught.value.code == "missing"


def test_a_password_in_the_settings_is_refused_and_not_repeated(tmp_path: Path) -> None:
    for line in ('password = "hunter2"', 'pasword = "hunter2"', "password = 4711", 'security = "hunter2"'):
        error = refused(tmp_path, f"{START}{IMAP}{line}\n")
        assert "line 6" in str(error.message)
        assert "hunter2" not in str(error.message) + str(error.next)
        assert "4711" not in str(error.message) + str(error.next)


def test_plain_text_within_this_machine_must_be_asked_for(tmp_path: Path) -> None:
    near = '[fetch]\nkind = "imap"\nserver = "127.0.0.1"\n'
    assert read(tmp_path, START + near).fetch.security == "tls"
    assert read(tmp_path, START + near + 'security = "plain"\n').fetch.security == "plain"
    relay = '[send]\nkind = "smtp"\nserver = "relay.example.org"\nsecurity = "plain"\npassword = "none"\n'
    assert read(tmp_path, START + relay).send.password == "none"


@pytest.mark.parametrize(
    "text",
    [
        "a@b.example",
        "a+be4f2750-2-12-k7f3q9abcdefghij@games.example",
        "o'neil@x-y.example",
        "anna@localhost",
        "a.b.c@d.e",
        "-@x",
        "a" * 64 + "@b",
    ],
)
def test_addresses(text: str) -> None:
    assert ADDRESS.fullmatch(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a@",
        "@b",
        "a b@c",
        "a@b\n",
        "a@b\r\nRCPT TO:<x@y>",
        "a@b,c@d",
        "<a@b>",
        "a@b@c",
        "a..b@c.example",
        ".a@c",
        "a.@c",
        "a@c..d",
        "a@.c",
        "a@c.",
        "a@-",
        "a@-b.example",
        "a" * 65 + "@b",
        "a@" + "b." * 99 + "b",
    ],
)
def test_what_is_not_an_address(text: str) -> None:
    assert not ADDRESS.fullmatch(text)


# --- passwords --------------------------------------------------------------------------------------------------------


def no_password(place: str, user: str = "anna@example.org") -> MailTrouble:
    with pytest.raises(MailTrouble) as caught:
        password(Fetch(password=place, user=user))
    assert caught.value.code == "no-password"
    assert caught.value.next
    return caught.value


def test_a_password_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "hunter2")
    assert password(Fetch(password="environment MY_SECRET")) == "hunter2"
    assert "MY_OTHER" in str(no_password("environment MY_OTHER").message)


def test_a_password_from_a_file_that_only_its_owner_can_read(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("hunter 2\n")
    for mode in (0o644, 0o640, 0o604, 0o620):
        path.chmod(mode)
        error = no_password(f"file {path}")
        assert "chmod 600" in str(error.next)
        assert "hunter" not in str(error.message) + str(error.next)
    path.chmod(0o600)
    assert password(Fetch(password=f"file {path}")) == "hunter 2"


@pytest.mark.parametrize("data", [b"\n", b"one\ntwo\n", b"\xff\xfe\n", b"a\0b"])
def test_a_password_file_with_something_else(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "secret"
    path.write_bytes(data)
    path.chmod(0o600)
    no_password(f"file {path}")


def test_a_password_file_that_is_missing(tmp_path: Path) -> None:
    assert "none does not exist" in str(no_password(f"file {tmp_path / 'none'}").message)


class Ring(keyring.backend.KeyringBackend):
    """A keyring in memory."""

    priority = 1.0
    broken = False

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        if self.broken:
            raise keyring.errors.KeyringLocked("locked")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password


def test_a_password_from_the_keyring() -> None:
    before, ring = keyring.get_keyring(), Ring()
    keyring.set_keyring(ring)
    try:
        assert f"keyring set {SERVICE} anna@example.org" in str(no_password("keyring").next)
        keyring.set_password(SERVICE, "anna@example.org", "hunter2")
        assert password(Fetch(password="keyring", user="anna@example.org")) == "hunter2"
        ring.broken = True
        assert "locked" in str(no_password("keyring").message)
    finally:
        keyring.set_keyring(before)


def test_a_machine_without_a_keyring() -> None:
    from keyring.backends import fail

    before = keyring.get_keyring()
    keyring.set_keyring(fail.Keyring())
    try:
        assert '"file NAME"' in str(no_password("keyring").next)
    finally:
        keyring.set_keyring(before)
