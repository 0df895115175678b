"""What the window asks, and what it gets: the same as on the command line, and never a key, nor what is hidden."""

import base64
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import games
from referee.engine.host import make_view, take_move
from referee.io import keyfile
from referee.language import LANGUAGES
from referee.mail.office import KEY
from tests.app.window import Window, window
from tests.cli.test_mail_files import invite, turn_mail
from tests.cli.world import GAME, World, changes, key, run_here, tree
from tests.mail import offices
from tests.support import waiting

HEX = re.compile(rb"[0-9a-f]{64}")
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("calls") / "world", rounds=4)


class Seat:
    """The folder of somebody whose turn it is, with a home beside it, and how it is looked at."""

    def __init__(self, world: World, root: Path) -> None:
        self.world, self.root = world, root
        self.folder, self.home = root / "views", root / "home"
        self.folder.mkdir()
        self.home.mkdir()
        shutil.copy(world.mover_home / "key.json", self.home)
        self.put("turn.view.json", (world.root / world.mover_view).read_bytes())

    def put(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    @contextmanager
    def window(self, *args: str, env: Mapping[str, str] = {}) -> Iterator[Window]:
        """Whatever it hears holds no key, and nothing that only the host knows."""
        with window(*(args or ("views",)), cwd=self.root, home=self.home, env=env) as one:
            yield one
            heard = b"\n".join(one.heard[1:])
            assert [secret for secret in self.secrets() if secret in heard] == []

    def secrets(self) -> list[bytes]:
        """Every private key, spelled in every usual way; and all hashes and seeds that are in the host's file alone."""
        seeds = [keyfile.load(path.read_bytes()).seed for path in self.root.rglob("key.json")]
        seeds += [one.seed for one in (self.world.host, *self.world.keys)]
        spelled = [f(one) for one in seeds for f in (bytes.hex, base64.b64encode, base64.urlsafe_b64encode)]
        shown = b"".join(path.read_bytes() for path in self.folder.glob("*.view.json") if path.is_file())
        hidden = {*HEX.findall((self.world.root / "game.json").read_bytes())} - {*HEX.findall(shown)}
        assert len(hidden) > 20
        return [*(one.encode() if isinstance(one, str) else one for one in spelled), *hidden]


@pytest.fixture
def seat(world: World, tmp_path: Path) -> Seat:
    return Seat(world, tmp_path)


def only(one: Window) -> str:
    """The handle of the one game that there is."""
    (row,) = one.call("games")["games"]
    return str(row["game"])


def first_move(one: Window, game: str) -> Any:
    one.call("open", game)
    return one.call("moves", game)["choices"][0]["move"]


# --- the lobby -------------------------------------------------------------------------------------------------------


def test_the_lobby_tells_what_waits_and_what_cannot_be_used(world: World, seat: Seat) -> None:
    offered = run_here("offer", GAME, "--seats", "3", "-o", "views/new.offer.json", cwd=seat.root, home=world.host_home)
    assert offered.exit == 0, offered.said
    seat.put("damaged.view.json", (seat.folder / "turn.view.json").read_bytes()[:-100])
    seat.put("forged.view.json", (seat.folder / "turn.view.json").read_bytes().replace(b'"round":2', b'"round":9'))
    seat.put("notes.txt", b"buy milk")
    seat.put("other.view.json", make_view(world.match, 1 - world.mover))
    seat.put("game.json", (world.root / "game.json").read_bytes())
    (seat.folder / "link.view.json").symlink_to(seat.home / "key.json")
    os.mkfifo(seat.folder / "pipe.view.json")
    with seat.window() as one:
        lobby = one.call("games")
    assert [(row["state"], row["waits"], bool(row["game"])) for row in lobby["games"]] == [
        ("waits", True, True), ("invited", True, True), ("foreign", False, True),
    ]  # fmt: skip
    assert "Schwarzer Freitag" in lobby["games"][0]["about"]
    assert all(re.fullmatch("[0-9a-f]{16}", row["game"]) for row in lobby["games"])
    assert lobby["folder"] == str(seat.folder)
    assert any("damaged.view.json" in note for note in lobby["notes"])
    assert not any("notes.txt" in note for note in lobby["notes"])
    assert {row["id"] for row in lobby["practice"]} >= {"mark", "schwarzer-freitag"}


def test_one_file_is_opened_at_once(seat: Seat) -> None:
    with seat.window("views/turn.view.json") as one:
        assert one.start["call"] == "open"
        opened = one.call(one.start["call"], **one.start["with"])
    assert (opened["verdict"]["code"], opened["look"]["rounds"]) == ("ok", 4)


@pytest.mark.parametrize(
    ("data", "code"), [(b"{}", "wrong-kind"), (b"{", "malformed"), (b"", "empty"), (None, "missing")]
)
def test_a_file_that_is_no_view_is_refused_with_what_it_is(seat: Seat, data: bytes | None, code: str) -> None:
    path = seat.put("some.view.json", data or b"")
    with seat.window(str(path)) as one:
        if data is None:
            path.unlink()
        assert one.refused("open", **one.start["with"])["code"] == code


def test_a_key_is_not_opened_as_a_view(seat: Seat) -> None:
    with seat.window(str(seat.home / "key.json")) as one:
        told = one.refused("open", **one.start["with"])
    assert (told["code"], "a secret key" in told["message"]) == ("wrong-kind", True)


@pytest.mark.parametrize("name", ["views/big.view.json", "views"])
def test_a_file_of_100_megabytes_is_refused_before_it_is_read(seat: Seat, name: str) -> None:
    with open(seat.put("big.view.json", b'{"format":"pbem-referee/1/view"'), "r+b") as file:
        file.truncate(100 * MEGABYTE)
    with seat.window(name) as one:
        one.call("practice", "auction", new=True)  # everything is loaded
        before = bytes_read(one)
        if one.start:
            assert one.refused("open", **one.start["with"])["code"] == "too-large"
        else:
            lobby = one.call("games")
            assert [row["state"] for row in lobby["games"]] == ["waits"]
            assert any("big.view.json" in note for note in lobby["notes"])
        assert bytes_read(one) - before < 5 * MEGABYTE


def bytes_read(one: Window) -> int:
    """What the program has read so far, of whatever."""
    text = Path(f"/proc/{one.app.process.pid}/io").read_text()
    return int(text.partition("rchar: ")[2].split()[0])


def test_somebody_elses_view_can_be_looked_at_but_not_answered(world: World, seat: Seat) -> None:
    name, other = world.names[world.mover], world.names[1 - world.mover]
    (seat.home / "key.json").write_bytes(keyfile.dump(world.keys[1 - world.mover]))
    with seat.window("views/turn.view.json") as one:
        look = one.call("open", **one.start["with"])["look"]
        assert (look["asked"], look["question"]) == ("", "")
        assert look["state"][0].startswith(f"This is {name}'s view")
        assert look["state"][0].endswith(f"is {other}'s.")
        move = first_move(one, one.start["with"]["game"])
        assert one.refused("sign", one.start["with"]["game"], move=move)["code"] == "other-key"
    (seat.home / "key.json").unlink()
    with seat.window("views/turn.view.json") as one:
        look = one.call("open", **one.start["with"])["look"]
        assert look["asked"] == ""
        assert look["state"][0] == f"This is {name}'s view, and you have no key here."


def test_a_board_is_drawn_for_the_width_that_is_asked_for(seat: Seat) -> None:
    with seat.window() as one:
        game = only(one)
        for width, drawn in ((360, "0 0 360 "), (520, "0 0 360 "), (600, "0 0 600 "), (2000, "0 0 600 ")):
            pictures = [
                one.call("open", game, width=width)["look"]["picture"],
                one.call("look", game, round=1, width=width)["picture"],
                one.call("practice", "mark", new=True, width=width)["look"]["picture"],
            ]
            assert [picture.partition('viewBox="')[2].startswith(drawn) for picture in pictures] == [True] * 3


def test_the_rules_are_told_clause_by_clause_in_the_readers_language(seat: Seat) -> None:
    with seat.window() as one:
        game = only(one)
        one.call("open", game)
        told = {language: one.call("rules", game, language=language) for language in LANGUAGES}
    for language, passages in told.items():
        names = [passage["name"] for passage in passages]
        clauses = re.findall(r"^\*\*(SF-\d+\w?)\*\*", games.rules_text(GAME, language), re.MULTILINE)
        assert [name for name in names if name.startswith("SF-")] == clauses
        assert len(clauses) > 20
        assert not any(sign in line for passage in passages for line in passage["lines"] for sign in "*`")
    assert told["en"] != told["de"] != told["nl"]


# --- a signed game ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "open_", "card"),
    [
        ("en", "your turn stays open: you will be asked again", "plays the BUY+1 card"),
        ("de", "dein Zug bleibt offen: du wirst noch einmal gefragt", "spielt die Karte ANKAUF+1"),
        ("nl", "je beurt blijft open: je wordt nog eens gevraagd", "speelt de kaart AANKOOP+1"),
    ],
)
def test_what_a_move_does_at_once_is_told_before_it_is_signed(seat: Seat, language: str, open_: str, card: str) -> None:
    with seat.window() as one:
        game = only(one)
        one.call("open", game)
        effects = [
            one.call("check", game, words=words, language=language)["effects"]
            for words in ("1 subsidy", "1 subsidy, buy 2 red, mark red", "pass red")
        ]
    assert effects[0] == [open_]
    assert [card in line for line in effects[1]] == [True]
    assert effects[2] == []


def test_an_answer_is_what_play_signs_and_the_host_takes_it(world: World, seat: Seat, tmp_path: Path) -> None:
    shutil.copytree(seat.home, tmp_path / "twin")
    with seat.window() as one:
        game = only(one)
        opened = one.call("open", game)
        moves = one.call("moves", game)
        number, move = next((at, one["move"]) for at, one in enumerate(moves["choices"], 1) if not one.get("parts"))
        checked = one.call("check", game, move=move)
        assert one.call("check", game, words=f"#{number}") == checked
        sent = one.call("sign", game, move=checked["move"], standing=checked["standing"])
        assert one.call("open", game)["look"]["state"][0].startswith("You have signed an answer for this round")
        assert one.call("games")["games"][0]["state"] == "answered"
    assert (opened["look"]["asked"], opened["look"]["signs"]) == (moves["asked"], True)
    path = seat.root / sent["file"]
    assert path.parent == seat.folder
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    told = run_here("play", "views/turn.view.json", "--move-json", json.dumps(move), "-o", "twin.move.json",
                    cwd=seat.root, home=tmp_path / "twin")  # fmt: skip
    assert told.exit == 0, told.said
    assert body(path) == body(seat.root / "twin.move.json")
    shutil.copytree(world.root, tmp_path / "host")
    done = run_here("apply", "game.json", str(path), cwd=tmp_path / "host", home=tmp_path / "host" / "hanna-home")
    assert done.exit == 0, done.said


def body(path: Path) -> Any:
    """What is signed; what is sealed there is encrypted by chance."""
    return json.loads(path.read_bytes())["body"] | {"sealed": None}


def test_what_is_looked_at_is_the_round_that_was_asked_for(seat: Seat) -> None:
    with seat.window() as one:
        game = only(one)
        one.call("open", game)
        looks = [one.call("look", game, round=round) for round in (1, 2, 3, 4, 0)]
        assert [look["round"] for look in looks] == [1, 2, 3, 4, 4]
        assert len({look["picture"] for look in looks}) == 4
        assert [told["round"] for told in looks[1]["told"]] == [1, 2]
        for round in (-1, 5, 2**53):
            assert one.refused("look", game, round=round)["code"] == "usage"


def test_an_illegal_answer_names_the_rule_and_signs_nothing(seat: Seat) -> None:
    before = tree(seat.folder)
    with seat.window() as one:
        game = only(one)
        one.call("open", game)
        for name in ("check", "sign"):
            assert one.refused(name, game, move={"do": "resign the world"})["code"] == "usage"
            assert one.refused(name, game)["code"] == "no-move"
        assert one.refused("check", game, words="sing a song")["clause"].startswith("SF-")
        for name in ("hint", "undo"):
            assert one.refused(name, game)["code"] == "signed"
    assert changes(before, tree(seat.folder)) == set()


def test_a_second_answer_is_asked_about_first(seat: Seat) -> None:
    with seat.window() as one:
        game = only(one)
        one.call("open", game)
        first, second = (choice["move"] for choice in one.call("moves", game)["choices"][:2])
        sent = one.call("sign", game, move=first)
        path = seat.root / sent["file"]
        before = path.read_bytes()
        assert one.call("sign", game, move=first) == sent
        assert one.refused("sign", game, move=second)["code"] == "second-answer"
        assert path.read_bytes() == before
        assert one.call("sign", game, move=second, again=True) == sent
        assert path.read_bytes() != before


def test_two_answers_at_the_same_moment_are_one_and_a_question(seat: Seat) -> None:
    with seat.window() as one:
        game = only(one)
        one.call("open", game)
        choices = one.call("moves", game)["choices"][:2]
        both = [one.second(), one.second()]
        for twin, choice in zip(both, choices, strict=True):
            twin.ask("/call/sign", {"game": game, "move": choice["move"]})
        answers = [twin.hear() for twin in both]
        assert sorted(answer.status for answer in answers) == [200, 400]
        assert {answer.said.get("code") for answer in answers} == {None, "second-answer"}


def test_an_old_view_says_so_and_signs_nothing(world: World, seat: Seat) -> None:
    shutil.copy(seat.folder / "turn.view.json", seat.root / "new.view.json")
    seat.put("turn.view.json", make_view(World(seat.root / "before", rounds=3).match, world.mover))
    with seat.window("new.view.json") as one:
        one.call("open", **one.start["with"])
    before = tree(seat.folder)
    with seat.window("views/turn.view.json") as one:
        look = one.call("open", **one.start["with"])["look"]
        game = one.start["with"]["game"]
        assert look["asked"] == ""
        assert look["state"] == ["This is an older view: you have seen a later round of this game. "
                                 "Look for the newest view."]  # fmt: skip
        assert one.refused("sign", game, move=None)["code"] == "old-view"
    assert changes(before, tree(seat.folder)) == set()


def test_a_view_that_took_the_place_of_another_is_not_signed_unseen(world: World, seat: Seat, tmp_path: Path) -> None:
    with seat.window() as one:
        game = only(one)
        move = first_move(one, game)
        newer = World(tmp_path / "newer", rounds=5)
        while newer.mover != world.mover:
            newer = World(tmp_path / f"newer-{newer.match.state.round}", rounds=newer.match.state.round + 1)
        seat.put("turn.view.json", (newer.root / newer.mover_view).read_bytes())
        told = one.refused("sign", game, move=move)
        assert told["message"] == "the file has changed since you opened it"
        assert [*seat.folder.glob("*.move.json")] == []
        assert one.call("open", game)["look"]["rounds"] == newer.match.state.round


def test_a_host_who_signs_two_stories_is_told(world: World, seat: Seat) -> None:
    """Another view of the same game and round, which does not go with the one that was seen."""
    twin = World(seat.root / "twin", rounds=2)
    for pick in (1, 1):
        for move in twin.answers(pick):
            take_move(twin.match, move)
    with seat.window() as one:
        one.call("open", only(one))
        seat.put("turn.view.json", make_view(twin.match, world.mover))
        (row,) = one.call("games")["games"]
        assert (row["state"], row["game"]) == ("bad", "")


def test_without_a_key_a_game_can_be_looked_at_and_not_signed(seat: Seat) -> None:
    (seat.home / "key.json").unlink()
    with seat.window("views/turn.view.json") as one:
        game = one.start["with"]["game"]
        one.call("open", game)
        move = one.call("moves", game)["choices"][0]["move"]
        assert one.refused("sign", game, move=move)["code"] == "no-key"


def test_the_view_of_somebody_else_is_not_signed(world: World, seat: Seat) -> None:
    shutil.copy(world.root / f"{world.names[1 - world.mover].lower()}-home" / "key.json", seat.home / "key.json")
    with seat.window("views/turn.view.json") as one:
        game = one.start["with"]["game"]
        assert one.refused("sign", game, move=first_move(one, game))["code"] == "other-key"
    assert [*seat.folder.glob("*.move.json")] == []


def test_what_the_host_knows_changes_nothing_that_is_told(world: World, seat: Seat) -> None:
    """The host's file, the views and the keys of all others in the same folder."""

    def told() -> list[bytes]:
        with seat.window("views/turn.view.json") as one:
            game = one.start["with"]["game"]
            move = first_move(one, game)
            one.call("check", game, move=move)
            for round in range(1, 5):
                one.call("look", game, round=round)
            return one.heard[1:]

    before = told()
    shutil.copytree(world.root, seat.folder / "everything")
    shutil.copy(world.root / "game.json", seat.folder)
    assert told() == before


# --- mails, joining --------------------------------------------------------------------------------------------------


def test_an_answer_to_a_mail_is_a_reply_that_the_mail_program_opens(world: World, seat: Seat) -> None:
    """Also in a folder with a name that is no text; only that reply is opened, and only after it was written."""
    folder = seat.root / os.fsdecode(b"mails \xff; touch x $(touch y)")
    folder.mkdir()
    (folder / "turn.eml").write_bytes(turn_mail(world, world.mover))
    (seat.root / "bin").mkdir()
    opener = seat.root / "bin" / "xdg-open"
    opener.write_text(f'#!/bin/sh\nprintf %s "$1" > {seat.root}/told\n')
    opener.chmod(0o755)
    env = {"PATH": f"{seat.root}/bin:{os.environ['PATH']}", "REFEREE_LANGUAGE": "en"}
    with seat.window(str(folder), env=env) as one:
        game = only(one)
        move = first_move(one, game)
        assert one.refused("send", game)["code"] == "no-reply"
        sent = one.call("sign", game, move=move)
        (reply,) = folder.glob("*.reply.eml")
        assert Path(sent["reply"]).name == reply.name
        one.call("send", game)
        waiting.until(lambda: (seat.root / "told").exists() and (seat.root / "told").read_bytes())
        assert os.fsencode((seat.root / "told").read_text(errors="surrogateescape")) == os.fsencode(reply)
    assert sorted(os.listdir(seat.root)) == sorted(["bin", "home", "told", "views", folder.name])


@pytest.mark.parametrize("known", [True, False], ids=["with a key", "without a key"])
def test_joining_signs_with_your_key_or_makes_one(world: World, seat: Seat, known: bool) -> None:
    seat.put("invitation.eml", invite(World(seat.root / "other", rounds=0))[0])
    (seat.folder / "turn.view.json").unlink()
    mine = key("Carla")
    (seat.home / "key.json").unlink()
    if known:
        (seat.home / "key.json").write_bytes(keyfile.dump(mine))
    with seat.window() as one:
        game = only(one)
        invited = one.call("invited", game)
        assert (invited["title"], invited["name"]) == ("Schwarzer Freitag", "Carla" if known else "")
        assert len(invited["terms"]) > 3
        if not known:
            assert one.refused("join", game, name="")["code"] == "bad-name"
            assert one.refused("join", game, name="a\u202eb")["code"] == "bad-name"
            assert not (seat.home / "key.json").exists()
        sent = one.call("join", game, name="Carla")
        assert one.refused("join", game, name="Carla")["code"] == "exists"
        assert one.call("games")["games"][0]["state"] == "joined"
    made = keyfile.load((seat.home / "key.json").read_bytes())
    assert made.name == "Carla"
    assert (made.seed == mine.seed) is known
    assert stat.S_IMODE((seat.home / "key.json").stat().st_mode) & 0o077 == 0 or known
    assert body(seat.root / sent["file"])["key"] == made.public.hex()


# --- practice --------------------------------------------------------------------------------------------------------


def test_practice_is_kept_hinted_at_and_taken_back(seat: Seat) -> None:
    with seat.window() as one:
        opened = one.call("practice", "auction", seats=2, new=True)
        assert (opened["verdict"]["code"], opened["look"]["signs"], opened["look"]["undo"]) == (
            "practice",
            False,
            False,
        )
        begin = opened["look"]
        hint = one.call("hint", "auction")
        assert one.call("sign", "auction", move=hint["move"]) == {"file": "", "reply": "", "next": ""}
        after = one.call("look", "auction")
        assert (after["rounds"] > begin["rounds"], after["undo"]) == (True, True)
    with seat.window() as one:
        assert one.call("practice", "auction")["look"] == after
        assert one.call("undo", "auction") == begin
        while one.call("look", "auction")["asked"]:
            one.call("sign", "auction", move=one.call("hint", "auction")["move"])
        look = one.call("look", "auction")
        assert look["state"][0] == "The game is over."
        assert not (seat.home / "practice" / "auction.json").exists()


def test_a_guided_opening_explains_and_proposes_until_its_player_goes_another_way(seat: Seat) -> None:
    with seat.window() as one:
        plain = one.call("practice", "mark", new=True)["look"]
        assert (plain["advice"], plain["proposed"]) == ([], None)
        first = one.call("practice", "mark", new=True, guide=True)["look"]
        assert first["advice"]
        one.call("sign", "mark", move=one.call("check", "mark", move=first["proposed"])["move"])
        second = one.call("look", "mark")
        assert second["advice"] not in ([], first["advice"])
        german = one.call("look", "mark", language="de")["advice"]
        assert german not in ([], second["advice"])
        assert one.call("practice", "mark", guide=True)["look"] == second
        others = [line["move"] for line in one.call("moves", "mark")["choices"] if line["move"] != second["proposed"]]
        one.call("sign", "mark", move=others[0])
        assert one.call("look", "mark")["proposed"] is None


@pytest.mark.parametrize("text", ["", "{", "{}", '{"game":"../../key"}', "moved"])
def test_a_practice_game_that_somebody_damaged_is_told_and_can_be_left(seat: Seat, text: str) -> None:
    path = seat.home / "practice" / "auction.json"
    with seat.window() as one:
        one.call("practice", "auction", new=True)
        path.write_text(path.read_text().replace('"rules":"1"', '"rules":"0"') if text == "moved" else text)
        before = tree(seat.root)
        told = one.refused("practice", "auction")
        assert told["code"] in ("empty", "malformed", "usage")
        assert changes(before, tree(seat.root)) == set()
        assert one.call("practice", "auction", new=True)["look"]["asked"] == "bid"


# --- words -----------------------------------------------------------------------------------------------------------


def test_errors_and_tables_speak_the_language_of_the_window(seat: Seat) -> None:
    said = {
        "en": "this game is not open here any more",
        "de": "dieses Spiel ist hier nicht mehr geöffnet",
        "nl": "dit spel is hier niet meer open",
        "tlh": "this game is not open here any more",
    }
    with seat.window() as one:
        game = only(one)
        for language, text in said.items():
            assert one.refused("look", "none", language=language)["message"] == text
        opened = {language: one.call("open", game, language=language) for language in ("en", "de", "nl")}
    assert len({look["verdict"]["line"] for look in opened.values()}) == 3
    assert [look["look"]["language"] for look in opened.values()] == ["en", "de", "nl"]


# --- whatever is asked -----------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
VERBS = ("look", "moves", "check", "hint", "undo", "practice", "open", "invited", "join", "send", "sign",
         "orders", "resign", "besides", "come_back", "tell")  # fmt: skip


@pytest.fixture(scope="module")
def fuzzed(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Window, list[str]]]:
    seat = Seat(world, tmp_path_factory.mktemp("fuzzed"))
    seat.put("invitation.eml", invite(World(seat.root / "other", rounds=0))[0])
    with seat.window() as one:
        games = [row["game"] for row in one.call("games")["games"]]
        one.call("open", games[0])
        one.call("practice", "auction", new=True)
        yield one, [*games, "auction", "mark"]


@given(
    name=st.sampled_from(VERBS), at=st.integers(0, 3),
    more=st.fixed_dictionaries({}, optional={
        "move": JSON | st.fixed_dictionaries({"do": st.sampled_from(["bid", "raid", "pass", "guess"])}, optional={
            "amount": JSON, "card": JSON, "stake": JSON, "motto": JSON}),
        "standing": JSON | st.fixed_dictionaries({"bid": JSON}), "words": st.text(max_size=30),
        "name": st.text(max_size=50),
        "round": st.integers(-3, 9) | st.integers(), "seats": st.none() | st.integers(), "level": st.text(max_size=9),
        "seat": st.text(max_size=9), "protest": st.booleans(), "handover": st.text(max_size=64),
        "language": st.text(max_size=3), "new": st.booleans(), "again": st.booleans(), "guide": st.booleans(),
    }),
)  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_whatever_is_asked_gets_an_answer(
    fuzzed: tuple[Window, list[str]], name: str, at: int, more: dict[str, Any]
) -> None:
    one, games = fuzzed
    answer = one.post(f"/call/{name}", {"game": games[at % len(games)], **more})
    assert answer.status in (200, 400)
    assert answer.status == 200 or answer.said["code"] != "internal", answer.said


# --- an office, and a very long game ---------------------------------------------------------------------------------


def test_an_office_is_shown_and_run(tmp_path: Path) -> None:
    office = offices.playing(tmp_path)
    with window(str(office.root), cwd=tmp_path, home=office.root) as one:
        shown = one.call("games")
        assert (shown["games"], shown["practice"]) == ([], [])
        assert shown["office"]["lines"]
        ran = one.call("run")
        assert ran["done"][-1].startswith("0 mails in, 0 judged")
        assert one.call("office")["lines"] == ran["lines"]
        seed = keyfile.load((office.root / KEY).read_bytes()).seed
        assert seed.hex().encode() not in b"".join(one.heard)


def test_outside_an_office_nothing_is_run(seat: Seat) -> None:
    before = tree(seat.folder)
    with seat.window() as one:
        for name in ("office", "run"):
            assert one.refused(name)["code"] == "missing"
    assert changes(before, tree(seat.folder)) == set()


@pytest.mark.thorough
def test_a_view_of_a_thousand_rounds_opens_and_is_played(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "tests.app.long_game", "1000", str(tmp_path)],
        cwd=Path(__file__).parents[2], check=True,
    )  # fmt: skip
    with window("long.view.json", cwd=tmp_path, home=tmp_path) as one:
        game = one.start["with"]["game"]
        opened = one.call("open", game)
        assert (opened["look"]["rounds"], len(opened["look"]["told"])) == (1000, 40)
        assert [told["round"] for told in one.call("look", game, round=500)["told"]] == [*range(461, 501)]
        assert max(map(len, one.heard)) < 100_000
        sent = one.call("sign", game, move=one.call("moves", game)["choices"][1]["move"])
        assert (body(tmp_path / sent["file"])["round"], one.call("games")["games"][0]["state"]) == (1001, "answered")
