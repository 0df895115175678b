"""The organiser's key is kept in REFEREE_HOME: nothing in the published folder tells a deal before the end."""

import base64
import gzip
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.crypto.keys import Key
from referee.io import keyfile
from referee.tournament import documents as d
from referee.tournament.run import play_stage
from referee.tournament.schedule import Tally
from referee.tournament.stage import Desk, load
from referee.tournament.work import Workers
from tests.cli.world import check_refusal, run_here
from tests.tournament import world

SPEC = """name = "Kept"
[[games]]
game = "auction"
seats = 2
[[bots]]
name = "sensible"
[[bots]]
name = "random"
[schedule]
games = 4
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "cup.toml").write_text(SPEC)
    return tmp_path


def key_of(place: Path, folder: str = "cup") -> Key:
    public = load(str(place / folder)).last.stage.key
    return keyfile.load((place / f"home/organiser/{public}.key").read_bytes())


def holds(folder: Path, secret: bytes) -> bool:
    """Whether these bytes stand anywhere below a folder, in any of the usual spellings, packed or not."""
    spelled = (secret, secret.hex().encode(), base64.b64encode(secret)[:-2], base64.urlsafe_b64encode(secret)[:-2])
    return any(one in data for data in contents(folder) for one in spelled)


def contents(folder: Path) -> Iterator[bytes]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.read_bytes()
            if path.suffix == ".gz":
                yield gzip.decompress(path.read_bytes())


class Stopped(Exception):
    """In the middle of a run."""


def test_nothing_in_the_folder_reveals_the_key_or_the_secret_before_the_end(place: Path) -> None:
    cup = place / "cup"
    assert run_here("tournament", "next", "cup.toml", "-o", "cup", cwd=place).exit == 0
    key = key_of(place)
    secret = d.secret_of(key, bytes.fromhex(load(str(cup)).last.stage.nonce))
    for _ in ("close", "start"):
        assert not holds(cup, key.seed)
        assert not holds(cup, secret)
        assert run_here("tournament", "next", "cup", cwd=place).exit == 0

    def stop(done: int, tally: Tally) -> None:
        if done == 2:
            raise Stopped

    with pytest.raises(Stopped):
        play_stage(Desk(str(cup), key), Workers(), stop)
    assert (cup / "games/000000.open.jsonl").read_bytes().count(b"\n") == 2
    assert not holds(cup, key.seed)
    assert not holds(cup, secret)
    assert run_here("tournament", "run", "-o", "cup", cwd=place).exit == 0
    assert not holds(cup, key.seed)
    assert holds(cup, secret), "the ending opens it: the search sees it there"
    assert holds(place / "home", key.seed), "the search sees it there"
    assert holds(cup, bytes.fromhex(load(str(cup)).last.stage.key)), "and the public half in the ledger"


def test_the_key_is_private_and_found_wherever_the_folder_is_moved(place: Path) -> None:
    for folder in ("cup", "other"):
        assert run_here("tournament", "next", "cup.toml", "-o", folder, cwd=place).exit == 0
    found = list((place / "home/organiser").iterdir())
    assert len(found) == 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in found} == {0o600}
    (place / "cup").rename(place / "moved")
    (place / "other").rename(place / "cup")
    for folder in ("moved", "cup"):
        assert run_here("tournament", "run", "-o", folder, cwd=place).exit == 0
        assert world.codes(place / folder) == []


def test_other_users_have_no_key_for_it(place: Path) -> None:
    assert run_here("tournament", "next", "cup.toml", "-o", "cup", cwd=place).exit == 0
    ran = run_here("tournament", "next", "cup", cwd=place, home=place / "elsewhere")
    check_refusal(ran, (8,))
    assert "organiser's key is not here" in ran.said
    (path,) = (place / "home/organiser").iterdir()
    named = run_here("tournament", "next", "cup", "--key", str(path), cwd=place, home=place / "elsewhere")
    assert named.exit == 0
    assert not (place / "elsewhere").exists(), "a key that was named stays where it is"


@pytest.mark.parametrize("written", [0, 100])
def test_a_crash_between_key_and_ledger_does_no_harm(place: Path, written: int) -> None:
    assert run_here("tournament", "next", "cup.toml", "-o", "cup", cwd=place).exit == 0
    ledger = place / "cup/ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes()[:written])
    assert run_here("tournament", "run", "-o", "cup", cwd=place).exit == 2, "nothing was begun"
    assert run_here("tournament", "run", "cup.toml", "-o", "cup", cwd=place).exit == 0
    assert world.codes(place / "cup") == []


def test_a_refused_tournament_leaves_no_key(place: Path) -> None:
    (place / "bad.toml").write_text(SPEC.replace("auction", "chess"))
    assert run_here("tournament", "run", "bad.toml", "-o", "cup", cwd=place).exit == 2
    assert run_here("tournament", "run", "cup.toml", "-o", "cup", "--dry-run", cwd=place).exit == 0
    for home in ("cup", "cup/home"):
        ran = run_here("tournament", "run", "cup.toml", "-o", "cup", cwd=place, home=place / home)
        check_refusal(ran, (2,))
        assert "REFEREE_HOME" in ran.said
    assert list(place.rglob("*.key")) == []
