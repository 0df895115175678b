"""`show` takes any file and says what it is; whatever stands in the wrong place is named for what it is."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from referee.games.auction import Bid

from referee.crypto.codec import decode, encode, raw
from referee.crypto.envelope import ident
from referee.engine import records as r
from referee.engine.host import take_move
from referee.engine.player import Draft, answer, open_view
from referee.io import keyfile
from referee.io.gamefile import dump_match
from tests.cli.terminal import Terminal
from tests.cli.test_hostile import DEEP, bad_contents
from tests.cli.world import (
    GAME,
    World,
    changes,
    check_refusal,
    copied,
    envelope,
    environment,
    finish,
    keep_guard,
    key,
    raw_controls,
    run_here,
    seed,
    tree,
)
from tests.support import waiting
from tests.support.match import Sitting, resigned


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Anna and Bert at round 3, a finished game, and files that are not ours."""
    made = World(tmp_path_factory.mktemp("show") / "desk", rounds=3)
    root, transcript = made.root, finish(made)
    (root / "transcript.json").write_bytes(transcript)
    for name, data in FOREIGN.items():
        (root / name).write_bytes(data)
    assert run_here("show", "anna.view.json", cwd=root, home=root / "elsewhere").exit == 0
    (ticket,) = (root / "elsewhere" / "tickets").iterdir()
    ticket.rename(root / "ticket.json")
    return made


FOREIGN = {
    "mail.eml": b"Return-Path: <anna@example.org>\nSubject: my move\n\nSee the attachment\n",
    "page.html": b"<!DOCTYPE html><html><body>Download</body></html>",
    "views.zip": b"PK\x03\x04" + bytes(60),
    "id.pub": b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO7Vx0NN anna@home\n",
    "notes.json": b'{"buy":"milk"}',
    "schema.json": b'{"$schema":"https://json-schema.org/draft/2020-12/schema"}',
    "notes.txt": b"Dear Hanna, here is my move: pass red",
    "cut.json": b'{"entries":[{"body":{"ans',
    "later.json": b'{"format":"pbem-referee/2/view","seats":[]}',
    "blank.json": b"\n\n",
}
CALLED = {
    "offer.json": "an offer", "bert.join.json": "a player's join", "anna.view.json": "a player's view",
    "move.json": "a signed move", "receipt.json": "the host's receipt", "transcript.json": "the transcript",
    "game.json": "a host's game file", "key.json": "a secret key", "edition.json": "an edition of a game",
    "mail.eml": "a mail", "page.html": "a web page", "views.zip": "an archive",
    "id.pub": "the public half of an OpenSSH key", "notes.json": "JSON, but not a file of this program",
    "notes.txt": "not a file of this program, or a damaged one",
    "cut.json": "not a file of this program, or a damaged one",
    "blank.json": "empty", "ticket.json": "what your program remembers of a game", "schema.json": "a JSON Schema",
    "later.json": "a file of protocol version 2, but this program knows version 1",
}  # fmt: skip
PLACES = {
    "join FILE -o x": ("offer.json", "anna.view.json"),
    "start FILE anna.join.json bert.join.json -o x": ("offer.json", "bert.join.json"),
    "start offer.json anna.join.json FILE -o x": ("offer.json", "bert.join.json"),
    "play FILE -o x": ("anna.view.json",),
    "show FILE --moves": ("anna.view.json",),
    "audit FILE": ("anna.view.json",),
    "audit anna.view.json FILE": ("anna.view.json", "move.json", "receipt.json", "transcript.json"),
    "show FILE --story": ("anna.view.json", "transcript.json"),
    "apply FILE move.json": ("game.json",),
    "apply game.json FILE": ("move.json",),
    "show FILE --view Anna -o x": ("game.json",),
    "apply FILE --timeout Anna": ("game.json",),
    "reveal FILE -o x": ("game.json",),
    "verify FILE": ("anna.view.json", "move.json", "receipt.json", "transcript.json"),
    "key --key FILE": ("key.json",),
    f"offer {GAME} --seats 2 -o x --edition FILE": ("edition.json", "notes.json", "schema.json"),
}
PARSER_WORDS = re.compile(r"\$|Object|Expected|unknown field|canonical|byte \d|Invalid")


@pytest.mark.parametrize("place", PLACES)
def test_a_wrong_file_is_named_for_what_it_is(world: World, place: str) -> None:
    """Every kind in every place where another is wanted: what it is, in plain words, and what to do with it."""
    before = tree(world.root)
    for file, called in CALLED.items():
        if file in PLACES[place]:
            continue
        words = [file if word == "FILE" else word for word in place.split()]
        home = world.root / ("hanna-home" if words[0] in ("start", "apply") else "anna-home")
        ran = run_here(*words, cwd=world.root, home=home)
        check_refusal(ran, (7,))
        said = (ran.out + ran.err).decode()
        assert f"{file} is {called}" in said, f"{place} {file}: {said}"
        assert not PARSER_WORDS.search(said), f"{place} {file}: {said}"
    assert changes(before, tree(world.root)) == set()


def show(world: World, file: str, *more: str, who: str = "anna") -> str:
    ran = run_here("show", file, *more, cwd=world.root, home=world.root / f"{who}-home")
    assert ran.exit == 0, ran.said
    return (ran.out + ran.err).decode()


def test_every_kind_shows_itself(world: World) -> None:
    """What each says can be checked against what the world was made of."""
    root, table = world.root, world.match.table
    public = {name: key(name).public.hex() for name in ("Anna", "Bert", "Hanna")}
    told = show(world, "offer.json")
    for words in (
        f"an offer ({table.offer_id[:8]})", "Schwarzer Freitag for 2 players", "special_cards=true",
        "the one that comes with the game", public["Hanna"][:16], "Next: answer it with `referee join offer.json`",
    ):  # fmt: skip
        assert words in told, words
    told = show(world, "bert.join.json")
    assert f"Bert's join for offer {table.offer_id[:8]}, signed with the key {public['Bert'][:16]}" in told
    told = show(world, "transcript.json")
    assert "players in seat order: Anna and Bert" in told
    result = world.match.state.result
    assert result is not None
    winner = world.names[result.ranks.index(1)]
    assert f"{world.match.state.round} rounds" in told
    assert f"says that {winner} won" in told
    assert "`referee verify transcript.json`" in told
    for file in ("key.json", "locked.json"):
        told = show(world, file)
        assert public["Anna"] in told
        assert seed("Anna").hex() not in told
    assert "locked with a passphrase" in show(world, "locked.json")
    assert f"an edition of {GAME}" in show(world, "edition.json")
    assert json.loads(show(world, "offer.json", "--json"))["kind"] == "offer"
    assert (root / "anna-home" / "tickets").exists() is False, "nothing of this is a view"


def test_a_move_says_what_it_knows(world: World, tmp_path: Path) -> None:
    """Alone it has a seat and JSON; where a view of the game was seen, a player and words."""
    with copied(world.root, tmp_path / "copy") as root:
        moved = json.loads((root / "move.json").read_bytes())["body"]
        id = ident("move", bytes(envelope((root / "move.json").read_bytes()).body))[:6]
        ran = run_here("show", "move.json", cwd=root)
        assert f"a signed move ({id}) by seat 1 in round 4 of game {moved['game'][:8]}" in ran.out.decode()
        assert json.loads(ran.out.decode().split("it says: ")[1]) == moved["answer"]
        assert run_here("show", "anna.view.json", cwd=root).exit == 0
        ran = run_here("show", "move.json", cwd=root)
        assert f"by Anna in round 4 of Schwarzer Freitag, game {moved['game'][:8]}" in ran.out.decode()
        assert "{" not in ran.out.decode()
        taken = run_here("show", "receipt.json", cwd=root).out.decode()
        assert re.search(r"a move \(\w{6}\) by \w+ in round 3 of Schwarzer Freitag, game \w{8} was accepted", taken)
        forged = (root / "move.json").read_bytes().replace(b'"round":4', b'"round":5')
        (root / "forged.json").write_bytes(forged)
        check_refusal(run_here("show", "forged.json", cwd=root), (4,))


def test_moves_that_choose_nothing_and_sealed_ones(tmp_path: Path) -> None:
    """An ack, a move with a sealed field, a resignation; the sealed part is the player's own and the host's."""
    sitting = Sitting(seed="shown")
    ack = sitting.signed(0)
    sitting.step()
    bid = sitting.signed(0)
    left = answer(sitting.players[0], open_view(sitting.view(0)), Draft(resign=True))
    found = []
    for name, data in (("ack", ack), ("bid", bid), ("left", left)):
        (tmp_path / name).write_bytes(data)
        found.append(run_here("show", name, cwd=tmp_path).out.decode())
    assert "I agree to the game" in found[0]
    assert "sealed for the host alone: amount; nobody else can read them" in found[1]
    assert "I leave the game" in found[2]
    taken = take_move(sitting.match, bid).receipt
    refused = take_move(sitting.match, sitting.signed(0, resign=True)).receipt
    assert taken is not None
    assert refused is not None
    (tmp_path / "refused").write_bytes(encode(refused))
    assert "was refused (answered)" in run_here("show", "refused", cwd=tmp_path).out.decode()


def test_standing_orders_that_go_with_a_move(tmp_path: Path) -> None:
    """As the game says them where a view of it was seen, otherwise as they are signed; taken back, or not of this
    game."""
    sitting = Sitting(seed="for good").until(1)
    plain = decode(sitting.signed(1), r.MoveFile, "move")
    words = {"some": {"bid": 3}, "none": {}, "other": {"sing": "loudly"}, "long": {"sing": "la" * 5000}}
    (tmp_path / "plain").write_bytes(encode(plain))
    (tmp_path / "view.json").write_bytes(sitting.view(1))
    for name, said in words.items():
        (tmp_path / name).write_bytes(resigned(sitting, 1, plain, standing=raw(said)))

    def told(name: str) -> str:
        return run_here("show", name, cwd=tmp_path).out.decode().partition("with standing orders: ")[2].split("\n")[0]

    assert told("plain") == ""
    for name in ("some", "none", "other"):
        assert json.loads(told(name)) == words[name]
    assert encode(words["long"]).decode().startswith(told("long"))
    assert 100 < len(told("long")) < 1000
    assert run_here("show", "view.json", cwd=tmp_path).exit == 0
    assert told("plain") == ""
    assert told("some") == "bid 3 always"
    assert told("none") == "none any more"
    assert told("other") == told("long") == "orders that this game does not have"


def test_a_game_file_is_for_its_host_alone(world: World) -> None:
    for home, status in (("anna-home", 4), ("nobody", 8)):
        ran = run_here("show", "game.json", cwd=world.root, home=world.root / home)
        check_refusal(ran, (status,))
        assert "do not show it to anyone" in ran.said
        assert ran.out == b""
    ran = run_here("show", "game.json", cwd=world.root, home=world.host_home)
    assert "must not be shown to anybody" in ran.said
    assert "waiting for Anna: turn" in ran.out.decode()
    ran = run_here("verify", "game.json", cwd=world.root)
    check_refusal(ran, (7,))
    assert "do not show it to anyone" in ran.said


def test_an_edition_of_the_hosts_own_is_named_in_the_terms(world: World, tmp_path: Path) -> None:
    """Where it differs from the usual one, and from what to what."""
    edition = json.loads((world.root / "edition.json").read_bytes())
    (tmp_path / "own.json").write_text(json.dumps({**edition, "hand": edition["hand"] - 1, "name": "At home"}))
    options = ["--edition", "own.json", "--option", "special_cards=false", "-o", "offer.json"]
    ran = run_here("offer", GAME, "--seats", "3", *options, cwd=tmp_path, home=world.host_home)
    assert ran.exit == 0, ran.said
    told = run_here("show", "offer.json", cwd=tmp_path).out.decode()
    assert f"hand {edition['hand']} -> {edition['hand'] - 1}" in told
    assert "Schwarzer Freitag -> At home" in told
    assert "special_cards=false" in told
    assert "sale_strip" not in told, "what is as usual is not listed"


# --- agreeing, and hosts in a hurry -----------------------------------------------------------------------------------


def test_joining_shows_the_terms_and_asks(world: World, tmp_path: Path) -> None:
    """On a terminal: no is no, an empty line is yes; --yes and scripts are not asked."""
    with copied(world.root, tmp_path / "copy") as root:
        args = ["join", "offer.json", "--key", "zoe.json", "-o", "zoe.join.json"]
        (root / "zoe.json").write_bytes(keyfile.dump(key("Zoe")))
        for typed, status in (("maybe\nno\n", 130), ("\n", 0)):
            person = Terminal(args, root, root / "anna-home")
            screen = person.wait_for("Join this game as Zoe? [Y/n]")
            assert "Schwarzer Freitag for 2 players" in screen
            assert "special_cards=true" in screen
            person.type(typed)
            assert person.end()[0] == status
            assert (root / "zoe.join.json").exists() == (status == 0)
        status, screen = Terminal([*args[:-1], "two.json", "--yes"], root, root / "anna-home").end()
        assert (status, "[Y/n]" in screen) == (0, False)
        assert "You are in" in screen


@pytest.mark.parametrize(("typed", "status"), [(b"\n", 0), (b"\xff\xfe\ny\n", 0), (b"n\n", 130), (b"\x04", 130)])
def test_a_question_leaves_standard_output_alone(world: World, tmp_path: Path, typed: bytes, status: int) -> None:
    """Asked at a terminal while the result goes into a pipe: the pipe gets the join and nothing else, or nothing."""
    ours, theirs = pty.openpty()
    (tmp_path / "zoe.json").write_bytes(keyfile.dump(key("Zoe")))
    try:
        os.write(ours, typed)
        made = subprocess.run(
            [str(Path(sys.executable).with_name("referee")), "join", str(world.root / "offer.json"),
             "--key", "zoe.json", "-o", "-"],
            cwd=tmp_path, env=environment(tmp_path / "home"), stdin=theirs, capture_output=True, timeout=waiting.LIMIT,
            check=False,
        )  # fmt: skip
    finally:
        os.close(ours)
        os.close(theirs)
    assert made.returncode == status, made.stderr
    assert b"Join this game as Zoe? [Y/n] " in made.stderr
    if status:
        assert made.stdout == b""
    else:
        assert json.loads(made.stdout)["body"]["name"] == "Zoe"
        assert encode(envelope(made.stdout.rstrip(b"\n"))) + b"\n" == made.stdout, "to the byte what was signed"


def test_a_host_who_also_plays_is_led_to_a_second_key(world: World, tmp_path: Path) -> None:
    """The commands that are printed work as they stand."""
    with copied(world.root, tmp_path / "copy") as root:
        ran = run_here("join", "offer.json", cwd=root, home=root / "hanna-home")
        check_refusal(ran, (4,))
        hints = re.findall(r"`referee ([^`]+)`", ran.said)
        assert len(hints) == 2
        for hint in hints:
            made = run_here(*hint.split(), cwd=root, home=root / "hanna-home")
            assert made.exit == 0, made.said
        assert list(root.glob("*-hanna.join.json"))


def test_the_second_deadline_running_is_asked_about(tmp_path: Path) -> None:
    """It drops a player: on a terminal the host is asked, and an empty line means no."""
    world = World(tmp_path / "desk", rounds=3)
    args = ["apply", "game.json", "--timeout", "Anna", "--out", "v", "--now"]
    assert run_here(*args, "2000-02-01T00:00Z", cwd=world.root, home=world.host_home).exit == 0
    before = tree(world.root)
    person = Terminal([*args, "2000-03-01T00:00Z"], world.root, world.host_home)
    screen = person.wait_for("Drop Anna? [y/N]")
    assert "second deadline in a row that anna misses" in screen.lower()
    person.type("\n")
    assert person.end()[0] == 130
    assert changes(before, tree(world.root)) == set()
    person = Terminal([*args, "2000-03-01T00:00Z"], world.root, world.host_home)
    person.wait_for("Drop Anna? [y/N]")
    person.type("y\n")
    status, screen = person.end()
    assert (status, "is recorded" in screen) == (0, True)


def test_a_forgotten_folder_is_noticed(world: World, tmp_path: Path) -> None:
    with copied(world.root, tmp_path / "copy") as root:
        match = World(root / "other", rounds=3).match
        (root / "game.json").write_bytes(dump_match(match))
        (root / "outbox").mkdir()
        (root / "outbox" / world.view_name("anna", 3)).write_bytes(b"{}")
        ran = run_here("apply", "game.json", "move.json", cwd=root, home=root / "hanna-home")
        assert ran.exit == 0, ran.said
        assert "older views of this game are in outbox: --out outbox was left out" in ran.said


def test_what_to_send_to_whom(world: World, tmp_path: Path) -> None:
    """A line for each player with the files that were written for them; a receipt is called a receipt."""
    with copied(world.root, tmp_path / "copy") as root:
        ran = run_here("apply", "game.json", "move.json", "--out", "v", "--json", cwd=root, home=root / "hanna-home")
        sent = {row["name"]: row["files"] for row in json.loads(ran.out)["send"]}
        assert [row["seat"] for row in json.loads(ran.out)["send"]] == [1, 2]
        written = {f"v/{path.name}" for path in (root / "v").iterdir()}
        assert {path for files in sent.values() for path in files} == written
        view, receipt = sent["Anna"]
        assert f"to Anna: {view}, receipt {receipt}" in ran.said
        assert f"to Bert: {sent['Bert'][0]}\n" in ran.said


def test_an_illegal_move_goes_back_to_its_player(tmp_path: Path) -> None:
    """The host is told who has to do what, and the receipt says what became of the move."""
    sitting = Sitting(seed="poor").until("bid")
    (tmp_path / "home").mkdir()
    for name, data in {
        "home/key.json": keyfile.dump(sitting.host),
        "game.json": sitting.file(),
        "poor.json": sitting.forced(0, Bid(999)),
    }.items():
        (tmp_path / name).write_bytes(data)
    keep_guard(sitting.match, tmp_path / "game.json", tmp_path / "home")
    ran = run_here("apply", "game.json", "poor.json", cwd=tmp_path)
    check_refusal(ran, (3,))
    assert "poor.json: refused: nobody can bid more money than they have (TA-4)" in ran.said
    assert "Next: ask the player for another move; see `referee show --moves VIEW`" in ran.said
    (receipt,) = tmp_path.glob("*.receipt.json")
    assert f"receipt {receipt.name}" in ran.said
    assert "was refused (illegal)" in run_here("show", receipt.name, cwd=tmp_path).out.decode()


# --- hostile files ----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_damaged_files_of_every_kind(world: World) -> None:
    """Whatever is wrong with a file, `show` refuses it in words, or says no more than what it is."""
    tried = 0
    for name in (
        "offer.json",
        "bert.join.json",
        "move.json",
        "receipt.json",
        "transcript.json",
        "key.json",
        "game.json",
    ):
        good = (world.root / name).read_bytes()
        kind = json.loads(good).get("type") or json.loads(good)["format"]
        hollow = encode({"body": {}, "sig": "0" * 128, "type": kind}), encode({"format": kind})
        for data in (*(bad for _, bad in bad_contents(good, DEEP)), *hollow):
            (world.root / "bad.json").write_bytes(data)
            ran = run_here("show", "bad.json", cwd=world.root, home=world.host_home)
            assert ran.exit in (4, 6, 7) or b"keep it secret" in ran.out, (name, data[:60], ran)
            if ran.exit:
                check_refusal(ran)
            tried += 1
    (world.root / "bad.json").unlink()
    assert tried > 7 * 30


def test_tricks_in_an_offer_are_spelled_out(world: World, tmp_path: Path) -> None:
    """An edition is the host's own: its name reaches no terminal as it is."""
    edition = json.loads((world.root / "edition.json").read_bytes())
    (tmp_path / "own.json").write_text(json.dumps({**edition, "name": "\x1b]0;pwned\x07\u202e"}))
    made = run_here("offer", GAME, "--seats", "3", "--edition", "own.json", "-o", "offer.json", cwd=tmp_path,
                    home=world.host_home)  # fmt: skip
    assert made.exit == 0, made.said
    for words in (["show", "offer.json"], ["show", "offer.json", "--json"], ["join", "offer.json", "-o", "join.json"]):
        ran = run_here(*words, cwd=tmp_path, home=world.root / "anna-home")
        assert ran.exit == 0, ran.said
        assert raw_controls(ran.out + ran.err) == []
        assert b"pwned" in ran.out + ran.err
