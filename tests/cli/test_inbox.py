"""`referee inbox` says which games wait for you, whatever else lies in the folder."""

import json
import mailbox
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from referee.crypto import keys
from referee.crypto.codec import encode
from referee.engine import lobby
from referee.engine.host import make_view, new_match, take_move
from referee.io import keyfile
from referee.mail.passes import kept_join
from tests.cli.test_mail_files import invite, mixed, turn_mail
from tests.cli.world import Ran, World, check_refusal, envelope, finish, raw_controls, run_here, tree

NOW = "2026-11-20T08:00Z"


class Person:
    """A player with a folder of mails, in a world in which the first seat is to move."""

    def __init__(self, root: Path, rounds: int = 3) -> None:
        self.world = World(root / "desk", rounds=rounds)
        self.box = self.world.root / "box"
        self.box.mkdir()
        self.seat = self.world.mover
        self.home = self.world.mover_home

    def put(self, name: str, data: bytes) -> None:
        path = self.box / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def run(self, *words: str) -> Ran:
        return run_here(*words, cwd=self.world.root, home=self.home)

    def look(self, *more: str) -> Any:
        ran = self.run("inbox", "box", "--json", "--now", NOW, *more)
        assert ran.exit == 0, ran.said
        return json.loads(ran.out)

    def only(self) -> Any:
        (row,) = self.look()["games"]
        return row


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_an_empty_folder_has_nothing(person: Person) -> None:
    assert person.look() == {"games": [], "notes": []}
    assert "Next: nothing here waits for you." in person.run("inbox", "box").said
    check_refusal(person.run("inbox", "nowhere"), (8,))


def test_a_game_waits_until_it_is_answered(person: Person) -> None:
    person.put("turn.eml", turn_mail(person.world, person.seat))
    row = person.only()
    assert (row["state"], row["title"], row["asked"]) == ("waits", "Schwarzer Freitag", "turn")
    assert row["you"] == person.world.names[person.seat]
    assert row["round"] == len(person.world.match.entries)
    assert row["next"] == "`referee play box/turn.eml`"
    ran = person.run("inbox", "box")
    assert "Next: `referee play box/turn.eml`" in ran.said
    assert "waits for you" in ran.out.decode()

    assert person.run("play", "box/turn.eml", "--move", "#4").exit == 0
    row = person.only()
    assert row["state"] == "answered"
    assert row["said"].startswith("pass ")

    (reply,) = person.world.root.glob("*.reply.eml")
    world = person.world
    taken = run_here("apply", "game.json", reply.name, "--out", "out", cwd=world.root, home=world.host_home)
    assert taken.exit == 0, taken.said
    (view,) = (person.world.root / "out").glob(f"*-{person.world.names[person.seat].lower()}.view.json")
    person.put("new/next.json", view.read_bytes())
    row = person.only()
    assert (row["state"], row["round"], row["file"]) == (
        "others",
        len(person.world.match.entries) + 1,
        "box/new/next.json",
    )


def test_looking_writes_nothing(person: Person) -> None:
    person.put("turn.eml", turn_mail(person.world, person.seat))
    before = tree(person.world.root)
    person.look()
    assert tree(person.world.root) == before


def test_every_kind_of_box_is_read(person: Person) -> None:
    data = turn_mail(person.world, person.seat)
    wanted = person.world.match.table.id
    maildir = mailbox.Maildir(str(person.box / "mail"))
    maildir.add(data)
    row = person.only()
    assert (row["game"], row["state"]) == (wanted, "waits")
    assert row["file"].startswith("box/mail/new/")
    assert person.run("play", row["file"], "--move", "#4", "--dry-run").exit == 0
    shutil.rmtree(person.box / "mail")

    box = mailbox.mbox(str(person.box / "mbox"))
    box.add(data)
    box.flush()
    assert person.only()["next"] == "`referee play box/mbox`"
    assert person.run("play", "box/mbox", "--move", "#4", "--dry-run").exit == 0
    for _ in range(3):
        box.add(b"Subject: hello\n\nFrom here to there\n")
    box.add(turn_mail(person.world, 1 - person.seat))
    box.close()
    mine, other = person.look()["games"]
    assert mine["state"] == "waits"
    assert mine["next"].startswith("save the mail")
    assert other["state"] == "foreign"
    assert person.run("inbox", "box/mbox").exit == 0, "a mailbox alone"


def test_the_newest_good_view_counts(person: Person) -> None:
    """A forged view that claims to be newer does not hide a true one."""
    world = person.world
    older = Person(world.root / "older", rounds=2).world
    person.put("b.view.json", make_view(world.match, person.seat))
    person.put("c.view.json", make_view(older.match, person.seat))
    assert person.only()["round"] == len(world.match.entries)

    view = json.loads(make_view(world.match, person.seat))
    view["entries"].append(view["entries"][-1])
    person.put("a.view.json", json.dumps(view, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode())
    found = person.look()
    (row,) = found["games"]
    assert (row["state"], row["file"]) == ("waits", "box/b.view.json")
    assert "box/a.view.json is skipped" in found["notes"][0]


def test_a_heap_of_forged_views_ends(person: Person) -> None:
    view = json.loads(make_view(person.world.match, person.seat))
    for number in range(25):
        forged = {**view, "entries": [*view["entries"], *view["entries"][:1] * (number + 1)]}
        person.put(f"{number}.view.json", encode(forged))
    found = person.look()
    assert found["games"] == []
    assert len(found["notes"]) == 21
    assert "20 documents fail the checks; move them away" in found["notes"][-1]


def test_no_subject_misleads_on_a_terminal(person: Person) -> None:
    data = turn_mail(person.world, person.seat).replace(b"\r\n", b"\n")
    odd = "=?utf-8?q?=1B=5B31m=E2=80=AEevil=E2=80=8F=C2=9B?="
    lines = [f"Subject: {odd}".encode() if line.startswith(b"Subject: ") else line for line in data.split(b"\n")]
    line = b"From host@games.example Fri Nov 20 08:00:00 2026\n"
    person.put("mbox", line + b"\n".join(lines) + b"\n\n" + line + b"Subject: x\n\nhello\n")
    ran = person.run("inbox", "box")
    assert "save the mail" in ran.said
    assert "evil" in ran.said
    assert raw_controls(ran.out + ran.err) == []


def test_an_older_view_than_the_one_seen_is_reported(person: Person) -> None:
    person.put("new.view.json", make_view(person.world.match, person.seat))
    assert person.run("show", "box/new.view.json").exit == 0
    (person.box / "new.view.json").unlink()
    person.put("old.view.json", make_view(Person(person.world.root / "older", rounds=2).world.match, person.seat))
    row = person.only()
    assert row["state"] == "elsewhere"
    assert f"round {len(person.world.match.entries)}" in row["said"]


def test_a_host_who_tells_two_stories_is_found_out(person: Person, tmp_path: Path) -> None:
    person.put("one.view.json", make_view(person.world.match, person.seat))
    assert person.run("show", "box/one.view.json").exit == 0
    (person.box / "one.view.json").unlink()
    other = World(tmp_path / "other", rounds=2)
    for move in other.answers(pick=1):
        assert take_move(other.match, move).error is None
    person.put("two.view.json", make_view(other.match, person.seat))
    row = person.only()
    assert row["state"] == "bad"
    assert "two different entries" in row["said"]
    assert "evidence" in row["next"]


def test_invitations_wait_until_they_are_answered(person: Person) -> None:
    person.home = person.world.root / "carla-home"
    person.home.mkdir()
    (person.home / "key.json").write_bytes(keyfile.dump(keys.Key(bytes(32), "Carla")))
    data, _ = invite(person.world)
    person.put("invitation.eml", data)
    row = person.only()
    assert (row["state"], row["title"], row["next"]) == (
        "invited", "Schwarzer Freitag", "`referee join box/invitation.eml`",
    )  # fmt: skip
    assert person.run("join", "box/invitation.eml", "--yes", "-o", "box/answer.eml").exit == 0
    assert person.only()["state"] == "joined"

    person.home = person.world.host_home
    assert person.look()["games"] == [], "the host's own offer invites nobody here"
    person.home = person.world.mover_home
    person.put("turn.eml", turn_mail(person.world, person.seat))
    assert [row["state"] for row in person.look()["games"]] == ["waits"], "the game has begun"


@pytest.mark.thorough
def test_a_finished_game_is_over(person: Person) -> None:
    """By its last view, or by a transcript that passes all checks."""
    person.put("turn.view.json", make_view(person.world.match, person.seat))
    transcript = finish(person.world)
    person.put("bad.transcript.json", transcript.replace(b'"round":4,', b'"round":5,', 1))
    found = person.look()
    assert [row["state"] for row in found["games"]] == ["waits"], "nobody hides a game with a bad transcript"
    assert "bad.transcript.json is skipped" in found["notes"][0]
    person.put("over.eml", mixed([("x.transcript.json", transcript)]))
    row = person.only()
    assert (row["state"], row["next"]) == ("over", "`referee verify box/over.eml`")
    (person.box / "over.eml").unlink()
    person.put("last.view.json", make_view(person.world.match, person.seat))
    row = person.only()
    assert (row["state"], row["asked"]) == ("over", "")


def test_every_key_in_the_folder_of_keys_counts(person: Person) -> None:
    other = 1 - person.seat
    person.put("mine.view.json", make_view(person.world.match, person.seat))
    person.put("yours.view.json", make_view(person.world.match, other))
    assert [row["state"] for row in person.look()["games"]] == ["waits", "foreign"]
    name = f"{person.world.names[other].lower()}-home/key.json"
    assert [row["state"] for row in person.look("--key", name)["games"]] == ["waits", "others"]
    shutil.copy(person.world.root / name, person.home / "second.json")
    assert [row["state"] for row in person.look()["games"]] == ["waits", "others"]

    shutil.move(person.home / "key.json", person.home / "third.json")
    row = person.look()["games"][0]
    assert row["state"] == "waits"
    assert row["next"].endswith(f"--key {person.home / 'third.json'}`"), "a key with another name is named"


def test_hostile_files_are_skipped(person: Person) -> None:
    root = person.box
    person.put("turn.eml", turn_mail(person.world, person.seat))
    person.put("empty.view.json", b"")
    person.put("cut.view.json", make_view(person.world.match, person.seat)[:-40])
    person.put("deep.json", b'{"a":' * 100_000)
    person.put(
        "many.eml",
        b"From: a@b.c\nX-PBEM-Referee: x\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * 9_000,
    )
    person.put("name.eml", mixed([("\x1b[31m../../x.view.json", b'{"format":"pbem-referee/1/view"}')]))
    person.put("bad\x1b[31m.eml", turn_mail(person.world, person.seat)[:3000])
    person.put("picture.png", b"\x89PNG" + bytes(1000))
    person.put("seat.view.json", make_view(person.world.match, 0).replace(b'"seat":0,', b'"seat":7,'))
    os.mkfifo(root / "pipe.eml")
    os.symlink("/etc/passwd", root / "link.eml")
    os.symlink(root, root / "loop")
    (root / os.fsdecode(b"\xff\xfe.eml")).write_bytes(b"From: x\n\npbem")
    (root / "locked").mkdir(mode=0)
    try:
        ran = person.run("inbox", "box", "--json")
        plain = person.run("inbox", "box")
    finally:
        (root / "locked").chmod(0o700)
    assert ran.exit == 0, ran.said
    found = json.loads(ran.out)
    assert [row["state"] for row in found["games"]] == ["waits"]
    assert found["games"][0]["file"] == "box/turn.eml"
    assert any("skipped box/cut.view.json: " in note for note in found["notes"])
    assert any("seat.view.json is skipped" in note for note in found["notes"])
    assert raw_controls(plain.out + plain.err) == []


def test_a_deadline_is_counted_down(person: Person) -> None:
    """From the offer on, by the commands of host and players."""
    world = person.world
    homes = [world.root / f"{name.lower()}-home" for name in world.names]

    def done(home: Path, *words: str) -> None:
        ran = run_here(*words, cwd=world.root, home=home)
        assert ran.exit == 0, ran.said

    done(world.host_home, "offer", "schwarzer-freitag", "--seats", "2", "--deadline", "2d", "-o", "offer-2.json")
    for home in homes:
        done(home, "join", "offer-2.json", "--yes", "-o", f"join-{home.name}.json")
    joins = [f"join-{home.name}.json" for home in homes]
    done(world.host_home, "start", "offer-2.json", *joins, "-o", "game-2.json", "--out", "first")
    for home, name in zip(homes, world.names, strict=True):
        (view,) = (world.root / "first").glob(f"*-{name.lower()}.view.json")
        done(home, "play", str(view), "--yes", "-o", f"ack-{name}.json")
    acks = [f"ack-{name}.json" for name in world.names]
    done(world.host_home, "apply", "game-2.json", *acks, "--out", "box", "--now", "2026-11-20T09:30Z")
    for person.home, name in zip(homes, world.names, strict=True):  # who starts follows from the hash of the rules
        row = next(row for row in person.look()["games"] if row["you"] == name)
        if row["state"] == "waits":
            break
    assert (row["state"], row["due"], row["left"]) == ("waits", "2026-11-22T09:30Z", "2 days 1 hour left")
    ran = person.run("inbox", "box", "--now", "2026-11-22T09:40Z")
    assert b"waits for you: place, late by 10 minutes (2026-11-22 09:30 UTC)" in ran.out


def test_a_forged_offer_invites_nobody(person: Person) -> None:
    offer = json.loads((person.world.root / "offer.json").read_bytes())
    offer["body"]["seats"] = 3
    person.put("forged.offer.json", encode(offer))
    found = person.look()
    assert found["games"] == []
    assert "forged.offer.json is skipped" in found["notes"][0]


def test_a_seat_whose_key_the_host_keeps_is_answered_in_words(person: Person) -> None:
    world = person.world
    offer = envelope((world.root / "offer.json").read_bytes())
    joins = (kept_join(world.host, offer, 1, "Anna"), world.joins[1])
    match = new_match(world.host, lobby.make_genesis(world.host, offer, joins))
    person.put("ack.eml", mixed([("anna.view.json", make_view(match, 0))]))
    person.home = world.root / "nobody"
    row = person.only()
    assert (row["state"], row["said"]) == ("waits", "agree to the game")
    assert row["next"] == "answer the mail in words, if you have not yet: files"
    person.home = world.root / "bert-home"
    assert person.only()["state"] == "foreign", "who has a key in this game is not that player"
    ran = person.run("play", "box/ack.eml", "--yes")
    check_refusal(ran, (4,))
    assert "Next: the host keeps the key of this seat: answer the mail in words" in ran.said
