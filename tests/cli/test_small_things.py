"""Small things that somebody at the command line would notice: an order, an exit status, a first step, a bound."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import referee
from referee import games
from referee.crypto.codec import read
from referee.engine import lobby, table
from referee.engine.host import make_view, new_match
from referee.errors import Usage
from referee.io import keyfile
from referee.io.times import DAY
from referee.language import NOTHING, t
from referee.library import rulebook
from referee.library.disputes import Finding, Tried, lines_of
from referee.library.tables import takeovers_of
from referee.show import documents
from referee.show.text import scored
from tests.cli.terminal import Terminal
from tests.cli.test_mail_files import invite
from tests.cli.world import GAME, World, check_refusal, environment, key, run_here, seed
from tests.contract.planted import Plant, planted


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


def test_a_key_says_its_name_without_misleading() -> None:
    (told, _) = documents.key_lines("An\x1b[2Jna\u202e", "ab" * 32, locked=False)
    assert told.isprintable()
    assert told.startswith("An")


@pytest.mark.parametrize(("minutes", "warned"), [("59m", True), ("60m", False), ("5m", True)])
def test_a_deadline_below_an_hour_brings_a_warning(tmp_path: Path, minutes: str, warned: bool) -> None:
    (tmp_path / "key.json").write_bytes(keyfile.dump(key("Hanna")))
    words = ("offer", "auction", "--seats", "2", "--deadline", minutes, "--dry-run", "--key", "key.json")
    ran = run_here(*words, cwd=tmp_path)
    assert ran.exit == 0, ran.said
    assert ("careful: with a deadline this short" in ran.said) is warned


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


def test_a_dispute_tells_what_is_proved_first() -> None:
    words = ["consistent", "undecided", "altered", "proved"]
    shown = tuple((Finding(word, word, t("m"), NOTHING, "", 0, "", (), b""), "") for word in words)
    told = [line for line in lines_of(Tried(shown)) if line.endswith("]")]
    assert [line.rpartition("[")[2].rstrip("]") for line in told] == words[::-1]


def test_an_arbiter_rules_over_files_of_the_game_alone(world: World) -> None:
    """What names no game at all is not evidence."""
    (world.root / "x.json").write_bytes(make_view(world.match, 0))
    (world.root / "edition.json").write_bytes(games.edition_bytes(GAME))
    for other in ("edition.json", "offer.json"):
        ran = run_here(
            "dispute", "x.json", other, "--verdict", "So.", "--dry-run", cwd=world.root, home=world.host_home
        )
        check_refusal(ran, (2,))
        assert f"{other} belongs to a different game than the rest" in ran.said


# --- before signing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("typed", "options", "signed"), [("", (), True), ("n", (), False), (None, ("--yes",), True)])
def test_a_move_on_the_command_line_is_asked_about(
    world: World, typed: str | None, options: tuple[str, ...], signed: bool
) -> None:
    """At a terminal, unless `--yes` is there; a script is never asked."""
    words = ["play", world.mover_view, "--move", "pass red", "-o", "signed.json", *options]
    person = Terminal(words, world.root, world.mover_home)
    if typed is not None:
        assert "You will sign: " in person.wait_for("Sign this? [Y/n]")
        person.type(f"{typed}\n")
    status, screen = person.end()
    assert (status, "Sign this?" in screen) == (0 if signed else 130, typed is not None), screen
    assert (world.root / "signed.json").exists() is signed


@pytest.mark.parametrize(
    ("prompted", "language", "told", "question"),
    [
        (True, "en", "plays the BUY+1 card", "Sign this? [Y/n]"),
        (False, "en", "plays the BUY+1 card", "Sign this? [Y/n]"),
        (False, "de", "spielt die Karte ANKAUF+1", "Das unterschreiben? [J/n]"),
        (False, "nl", "speelt de kaart AANKOOP+1", "Dit ondertekenen? [J/n]"),
    ],
)
def test_a_card_that_a_move_uses_up_is_announced_before_signing(
    world: World, prompted: bool, language: str, told: str, question: str
) -> None:
    """Two shares where the stage allows one need the BUY +1 card; one share needs none."""
    for count, uses in ((2, True), (1, False)):
        move = f"1 subsidy, buy {count} red, mark red"
        words = ["play", world.mover_view, *([] if prompted else ["--move", move])]
        person = Terminal(words, world.root, world.mover_home, {"REFEREE_LANGUAGE": language})
        if prompted:
            person.wait_for("Your move")
            person.type(f"{move}\n")
        shown = person.wait_for(question)
        assert (told in shown) is uses, shown
        person.type("quit\n")
        status, _ = person.end()
        assert status == 130


def test_a_key_asks_for_a_name_at_a_terminal(tmp_path: Path) -> None:
    person = Terminal(["key", "new"], tmp_path, tmp_path / "home")
    person.wait_for("Your name, as other players will see it:")
    person.type("Anna\n")
    status, screen = person.end()
    assert status == 0, screen
    assert json.loads((tmp_path / "home" / "key.json").read_bytes())["name"] == "Anna"


# --- the demo ---------------------------------------------------------------------------------------------------------


def test_what_the_demo_says_to_do_next_works_where_no_environment_is_active(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("referee")
    env = {**environment(tmp_path / "home"), "PATH": "/usr/bin:/bin"}

    def do(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    assert shutil.which("referee", path=env["PATH"]) is None
    ran = do(str(program), "demo", "mark", "--seats", "2", "-o", "d", "--seed", "x")
    assert ran.returncode == 0, ran.stderr
    commands = re.findall(r"`([^`]+)`", ran.stderr.splitlines()[-1])
    assert len(commands) == 2
    for line in commands:
        assert do(*shlex.split(line)).returncode == 0, line
    again = do(str(program), "demo", "mark", "--seats", "2", "-o", "d")
    assert again.returncode == 8
    assert "d already exists" in again.stderr
    advice = f"delete it if it is from an earlier demo, or run `{program} demo mark -o d-2`"
    assert advice in again.stderr


# --- words ------------------------------------------------------------------------------------------------------------


def test_results_say_what_their_numbers_are(tmp_path: Path) -> None:
    ran = run_here("bot", "schwarzer-freitag", "--seats", "2", "--seed", "x", "--", "sensible", cwd=tmp_path)
    assert ran.exit == 0, ran.said
    places = [line for line in ran.out.decode().splitlines() if re.match(r"  [12]\. ", line)]
    assert len(places) == 2
    assert all(re.search(r"\(gold \d+, silver \d+, money -?\d+\)", line) for line in places), places
    assert scored("auction", (3, 1)) == "score 3, 1", "a game that has no words for them"


def test_a_game_for_two_is_for_two(tmp_path: Path) -> None:
    two = dict.fromkeys(("title", "rules"), "X") | {"seats": (2, 2), "id": "x", "options": []}
    assert rulebook.listed([two]) == ["x" + " " * 20 + "X, 2 players, rules X"]
    assert rulebook.listed([two | {"seats": (2, 4)}]) == ["x" + " " * 20 + "X, 2 to 4 players, rules X"]
    game = msgspec.structs.replace(games.load(GAME), seats=(2, 2))
    edition = read(games.edition_bytes(GAME), game.edition, "edition")
    with pytest.raises(Usage, match="is for 2 players"):
        table.make_terms(game, 3, game.options(), edition)
    with planted(tmp_path, Plant(("seats=(2, 16)", "seats=(2, 2)"))) as duel:
        with pytest.raises(Usage, match="is for 2 players") as refused:
            referee.practice(duel, seats=3)
        assert str(refused.value.next) == "choose 2 seats"
