"""Small things that somebody at the command line would notice: an order, an exit status, a first step, a bound."""

import json
from pathlib import Path

import pytest

from referee import games
from referee.cli import evidence
from referee.crypto.codec import read
from referee.engine import lobby, table
from referee.engine.host import make_view, new_match
from referee.errors import Usage
from referee.io import keyfile
from referee.io.times import DAY
from referee.language import NOTHING, t
from referee.library.disputes import Finding, Tried
from referee.library.tables import takeovers_of
from referee.show import documents
from tests.cli.test_mail_files import invite
from tests.cli.world import GAME, World, check_refusal, key, run_here, seed


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "desk", rounds=3)


def test_what_is_due_comes_before_what_never_is(world: World) -> None:
    """The first round of a game has no deadline."""
    game = games.load(GAME)
    edition = read(games.edition_bytes(GAME), game.edition, "edition")
    terms = table.make_terms(game, 2, game.options(), edition)
    offer = lobby.make_offer(world.host, GAME, game, terms, seed("another offer"), DAY)
    joins = tuple(lobby.make_join(one, offer, one.name, seed(f"another {one.name}")) for one in world.keys)
    other = new_match(world.host, lobby.make_genesis(world.host, offer, joins))
    box = world.root / "box"
    box.mkdir()
    (box / "a.json").write_bytes(make_view(other, world.mover))
    (box / "b.json").write_bytes(make_view(world.match, world.mover))
    ran = run_here("inbox", "box", "--json", cwd=world.root, home=world.mover_home)
    rows = [(row["file"], row["state"], bool(row["due"])) for row in json.loads(ran.out)["games"]]
    assert rows == [("box/b.json", "waits", True), ("box/a.json", "waits", False)]


def test_an_invitation_is_something_to_do_next(world: World) -> None:
    (world.root / "box").mkdir()
    (world.root / "box" / "invitation.eml").write_bytes(invite(world)[0])
    home = world.root / "emil-home"
    home.mkdir()
    (home / "key.json").write_bytes(keyfile.dump(key("Emil")))
    ran = run_here("inbox", "box", cwd=world.root, home=home)
    assert ran.said == "Next: `referee join box/invitation.eml`\n"
    ran = run_here("join", "box/invitation.eml", "--yes", "-o", "answer.eml", cwd=world.root, home=home)
    assert ran.exit == 0, ran.said
    # By this Outlook opens it as a mail that is to be sent.
    assert b"\nX-Unsent: 1\n" in (world.root / "answer.eml").read_bytes().replace(b"\r\n", b"\n")


def test_seats_are_taken_over_never_or_once_at_least() -> None:
    for wrong in (0, -1, 101):
        with pytest.raises(Usage, match="not possible"):
            takeovers_of(3, None, wrong, never=False)
    assert takeovers_of(3, None, 1, never=False) == (1, 0)
    assert takeovers_of(3, "2d", None, never=False) == (3, 2880)


def test_a_tournament_that_is_not_there_leaves_no_folder(tmp_path: Path) -> None:
    for words in (("run", "-o", "cup"), ("run", "--add", "more.toml", "-o", "cup")):
        ran = run_here("tournament", *words, cwd=tmp_path)
        check_refusal(ran, (2,))
        assert "there is no tournament in that folder" in ran.said
        assert not (tmp_path / "cup").exists(), words


def test_a_key_says_its_name_without_tricks() -> None:
    (told, _) = documents.key_lines("An\x1b[2Jna\u202e", "ab" * 32, locked=False)
    assert told.isprintable()
    assert told.startswith("An")


@pytest.mark.parametrize(("minutes", "warned"), [("59m", True), ("60m", False), ("5m", True)])
def test_a_deadline_below_an_hour_is_warned_of(tmp_path: Path, minutes: str, warned: bool) -> None:
    (tmp_path / "key.json").write_bytes(keyfile.dump(key("Hanna")))
    words = ("offer", "auction", "--seats", "2", "--deadline", minutes, "--dry-run", "--key", "key.json")
    ran = run_here(*words, cwd=tmp_path)
    assert ran.exit == 0, ran.said
    assert ("careful: with so short a deadline" in ran.said) is warned


def test_an_abandoned_game_waits_for_nobody(world: World) -> None:
    def hosts(*words: str) -> bytes:
        ran = run_here(*words, cwd=world.root, home=world.host_home)
        assert ran.exit == 0, ran.said
        return ran.out

    before = json.loads(hosts("show", "game.json", "--json"))
    assert ([row["seat"] for row in before["waiting_for"]], before["open_round"]) == ([world.mover + 1], 4)
    hosts("reveal", "game.json", "--abandon", "--yes")
    after = json.loads(hosts("show", "game.json", "--json"))
    assert (after["abandoned"], after["waiting_for"], after["open_round"]) == (True, [], 0)
    assert b"waiting for" not in hosts("show", "game.json")


def test_a_dispute_tells_what_is_proved_first(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["consistent", "undecided", "altered", "proved"]
    shown = tuple((Finding(word, word, t("m"), NOTHING, "", 0, "", (), b""), "") for word in words)
    evidence._print(Tried(shown))
    told = [line for line in capsys.readouterr().out.splitlines() if line.endswith("]")]
    assert [line.rpartition("[")[2].rstrip("]") for line in told] == words[::-1]


def test_an_arbiter_rules_over_files_of_the_game_alone(world: World) -> None:
    """What names no game at all is no evidence."""
    (world.root / "x.json").write_bytes(make_view(world.match, 0))
    (world.root / "edition.json").write_bytes(games.edition_bytes(GAME))
    for other in ("edition.json", "offer.json"):
        ran = run_here(
            "dispute", "x.json", other, "--verdict", "So.", "--dry-run", cwd=world.root, home=world.host_home
        )
        check_refusal(ran, (2,))
        assert f"{other} is of another game than the rest" in ran.said
