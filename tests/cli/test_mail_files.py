"""A saved mail can be given wherever the document in it can, and is answered by a mail that is ready to be sent."""

import copy
import os
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest

from referee.crypto.codec import decode
from referee.engine.host import make_view, open_word
from referee.engine.player import open_view
from referee.engine.records import Join
from referee.library import completion
from referee.mail.block import write_block
from referee.mail.body import Reader
from referee.mail.compose import Head, compose
from referee.mail.letters import invitation, notice, turn
from referee.mail.message import read_message
from referee.mail.passes import make_pass
from referee.mail.reply import orders, written
from tests.cli.terminal import Terminal
from tests.cli.world import Ran, World, check_refusal, envelope, finish, run, run_here, run_shell, tree
from tests.mail.hostile import MAILS

HOST = "host@games.example"


def head(subject: str, number: int = 7, **more: object) -> Head:
    when = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
    before = {"references": ("<root@games.example>",), "in_reply_to": "<root@games.example>"}
    named = {"sender": HOST, "to": "anna@example.org", "reply_to": "host+x@games.example", **before, **more}
    return Head(id=f"m{number}", message_id=f"<m{number}@games.example>", subject=subject, date=when, **named)  # type: ignore[arg-type]


def turn_mail(world: World, seat: int, **more: object) -> bytes:
    """The mail with which a host asks this seat."""
    opened = open_view(make_view(world.match, seat))
    body = turn(opened, Reader(name=opened.name, pictures=False))
    return compose(head(body.subject, **more), body)


def invite(world: World) -> tuple[bytes, str]:
    """An invitation to the world's offer, and its pass."""
    offer = envelope((world.root / "offer.json").read_bytes())
    code = str(make_pass(world.host, world.match.table.offer_id, 3, 0))
    body = invitation(offer, Reader(name="Carla", pass_=code), ["Carla"], "Hanna")
    return compose(head(body.subject), body), code


def parsed(data: bytes) -> EmailMessage:
    """A mail as another program reads it."""
    found = message_from_bytes(data, policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("mails") / "desk")


@pytest.fixture
def world(made: World, tmp_path: Path) -> World:
    """A game with the mail that asks its mover, in a fresh copy."""
    fresh = copy.copy(made)
    fresh.root = tmp_path / "desk"
    shutil.copytree(made.root, fresh.root)
    (fresh.root / "turn.eml").write_bytes(turn_mail(made, made.mover))
    return fresh


def referee(world: World, *words: str, stdin: bytes = b"") -> Ran:
    return run_here(*words, cwd=world.root, home=world.mover_home, stdin=stdin)


# --- a mail instead of its document ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "show FILE",
        "show FILE --json",
        "show FILE --moves --json",
        "show FILE --story",
        "audit FILE --json",
        "show FILE --svg -",
    ],
)
def test_a_mail_says_what_its_view_says(world: World, words: str) -> None:
    view = world.mover_view
    both = [referee(world, *words.replace("FILE", file).split()) for file in ("turn.eml", view)]
    assert [ran.exit for ran in both] == [0, 0], both[0].said
    first, second = (ran.out.decode().replace('"age":"new"', '"age":"same"') for ran in both)
    assert first == second
    assert len(first) > 50


def exports(data: bytes) -> dict[str, bytes]:
    """The same mail as programs save it."""
    inner = EmailMessage()
    inner["Subject"] = "Fwd: your turn"
    inner.set_content("see below")
    inner.add_attachment(message_from_bytes(data, policy=policy.default))
    line = b"From host@games.example Fri Nov 20 08:00:00 2026\n"
    text = b"Subject: a line of a text\n\nFrom here on it is your turn.\n\nFrom now on, too.\n\n"
    return {
        "unix": data.replace(b"\r\n", b"\n"),
        "mbox": line + data.replace(b"\r\n", b"\n") + b"\n",
        "forwarded": inner.as_bytes(),
        "headers of a provider": b"Delivered-To: anna@example.org\r\nReceived: by somewhere\r\n" + data,
        "headers of a program": b"Status: RO\nAccount-Key: account2\nPriority: normal\n" + data.replace(b"\r\n", b"\n"),
        "mark of UTF-8": b"\xef\xbb\xbf" + data,
        "block": text + write_block("view", attached(data)).encode(),
        "block in an mbox": line + text + write_block("view", attached(data)).encode(),
        "quoted block": text + b"> " + write_block("view", attached(data)).encode().replace(b"\n", b"\n> "),
    }


def attached(data: bytes) -> bytes:
    """The document of a mail; an aid is only there for the page."""
    (one,) = (part for part in parsed(data).iter_attachments() if ".aid." not in str(part.get_filename()))
    return bytes(one.get_content()).strip()


def test_every_export_is_read(world: World) -> None:
    wanted = referee(world, "show", "--moves", world.mover_view, "--json").out
    for way, data in exports((world.root / "turn.eml").read_bytes()).items():
        (world.root / "saved").write_bytes(data)
        ran = referee(world, "show", "--moves", "saved", "--json")
        assert ran.exit == 0, f"{way}: {ran.said}"
        assert ran.out == wanted, way


def test_a_mail_comes_in_by_a_pipe(world: World) -> None:
    ran = referee(world, "show", "--moves", "-", "--json", stdin=(world.root / "turn.eml").read_bytes())
    assert ran.out == referee(world, "show", "--moves", world.mover_view, "--json").out


@pytest.mark.thorough
def test_a_finished_game_is_verified_from_its_mail(tmp_path: Path) -> None:
    world = World(tmp_path / "desk")
    transcript = finish(world)
    mail = EmailMessage()
    mail["Subject"] = "the game is over"
    mail.set_content("well played")
    mail.add_attachment(transcript, maintype="application", subtype="json", filename="x.transcript.json")
    (world.root / "over.eml").write_bytes(mail.as_bytes())
    ran = referee(world, "verify", "over.eml")
    assert ran.exit == 0, ran.out
    assert b"1 good, 0 bad" in ran.out
    assert "this is proof" in ran.said


def test_a_host_takes_moves_and_joins_out_of_mails(world: World) -> None:
    """What players send back is a mail too, for hosts without an office."""
    assert referee(world, "play", "turn.eml", "--move", "#4").exit == 0
    (reply,) = world.root.glob("*.reply.eml")
    ran = run_here("apply", "game.json", reply.name, "--out", "out", cwd=world.root, home=world.host_home)
    assert ran.exit == 0, ran.said
    assert {name[9:13] for name in os.listdir(world.root / "out")} == {f"r{len(world.match.entries) + 1:03}"}


# --- mails that will not do ------------------------------------------------------------------------------------------


def mixed(documents: Sequence[tuple[str, bytes]]) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "files"
    mail.set_content("some files")
    for name, data in documents:
        mail.add_attachment(data, maintype="application", subtype="json", filename=name)
    return mail.as_bytes()


def test_several_or_none_are_explained_in_words(world: World) -> None:
    views = [(name, (world.root / name).read_bytes()) for name in ("anna.view.json", "bert.view.json")]
    damaged = write_block("view", views[0][1]).replace("-----END PBEM REFEREE VIEW-----", "")
    one, two = (world.root / "turn.eml").read_bytes().replace(b"\r\n", b"\n"), b"From a Fri Nov 20 08:00:00 2026\n"
    cases = {
        "several": (mixed(views), "a mail with 2 of them: anna.view.json, bert.view.json", "many-documents"),
        "none": (b"Subject: hello\n\nnothing here\n", "a mail without any view", "no-document"),
        "other": (
            mixed([("offer.json", (world.root / "offer.json").read_bytes())]),
            "it contains an offer",
            "no-document",
        ),
        "damaged": (b"Subject: x\n\n" + damaged.encode(), "the end of the block is missing", "no-document"),
        "box": (two + one + b"\n" + two + one, "a mailbox with 2 mails", "many-mails"),
        "cut": (one[: one.index(b"application/json")], "a mail without any view", "no-document"),
    }
    for name, (data, words, code) in cases.items():
        (world.root / "saved.eml").write_bytes(data)
        before = tree(world.root)
        ran = referee(world, "play", "saved.eml", "--json")
        check_refusal(ran, (7,))
        assert words in ran.said, name
        assert msgspec.json.decode(ran.out)["code"] == code, name
        assert tree(world.root) == before


def test_the_same_view_twice_is_one(world: World) -> None:
    view = (world.root / world.mover_view).read_bytes()
    (world.root / "saved.eml").write_bytes(
        mixed([("a.view.json", view), ("b.view.json", view)]) + b"\n" + write_block("view", view).encode()
    )
    assert referee(world, "show", "--moves", "saved.eml").exit == 0


def test_what_a_mail_says_besides_its_documents_is_not_believed(world: World) -> None:
    """A forged view in a mail that looks right is refused as a file would be."""
    view = (world.root / world.mover_view).read_bytes().replace(b'"seat":0', b'"seat":1', 1)
    assert view != (world.root / world.mover_view).read_bytes()
    (world.root / "saved.eml").write_bytes(mixed([("anna.view.json", view)]))
    check_refusal(referee(world, "play", "saved.eml", "--move", "#4"), (4, 6))


def test_show_says_what_any_mail_of_ours_is(world: World) -> None:
    body = notice(Reader(name="Anna"), ["Your words were not understood."], "about your answer")
    (world.root / "told.eml").write_bytes(compose(head(body.subject), body))
    ran = referee(world, "show", "told.eml")
    assert ran.exit == 0, ran.said
    assert b"from host@games.example: about your answer" in ran.out
    assert b"contains no signed document" in ran.out

    files = [(name, (world.root / name).read_bytes()) for name in ("move.json", "receipt.json")]
    (world.root / "two.eml").write_bytes(mixed(files))
    ran = referee(world, "show", "two.eml")
    assert ran.exit == 0, ran.said
    assert b"a signed move: move.json" in ran.out
    assert b"the host's receipt for a move: receipt.json" in ran.out

    data, _ = invite(world)
    (world.root / "invitation.eml").write_bytes(data)
    ran = referee(world, "show", "invitation.eml")
    assert "Next: answer it with `referee join invitation.eml`" in ran.said
    assert b"an offer (" in ran.out

    (world.root / "letter.eml").write_bytes(b"From: bob@example.org\nSubject: dinner\n\nat eight?\n")
    check_refusal(referee(world, "show", "letter.eml"), (7,))


# --- answers ---------------------------------------------------------------------------------------------------------


def test_an_answer_to_a_mail_is_a_mail(world: World) -> None:
    ran = referee(world, "play", "turn.eml", "--move", "#4")
    assert ran.exit == 0, ran.said
    (move,), (reply,) = world.root.glob("*-r*.move.json"), world.root.glob("*.reply.eml")
    assert reply.name == move.name.replace(".move.json", ".reply.eml")
    assert f"Next: open {reply.name} in your mail program and send it to host+x@games.example." in ran.said
    assert [path.stat().st_mode & 0o777 for path in (move, reply)] == [0o600, 0o600]

    mail, asked = parsed(reply.read_bytes()), parsed((world.root / "turn.eml").read_bytes())
    assert mail["To"] == "host+x@games.example"
    assert mail["Subject"] == f"Re: {asked['Subject']}"
    assert mail["In-Reply-To"] == "<m7@games.example>"
    assert mail["References"].split() == ["<root@games.example>", "<m7@games.example>"]
    assert attached(reply.read_bytes()) == move.read_bytes()
    letter = read_message(reply.read_bytes())
    assert [block.data for block in letter.blocks] == [move.read_bytes()]
    assert not letter.headers.auto, "an office answers it"


def test_the_same_answer_is_the_same_mail(world: World) -> None:
    for name in ("one.eml", "two.eml"):
        assert referee(world, "play", "turn.eml", "--move", "#4", "-o", name).exit == 0
    assert (world.root / "one.eml").read_bytes() == (world.root / "two.eml").read_bytes()


def test_the_name_says_which_of_the_two_is_meant(world: World) -> None:
    (world.root / "sub").mkdir()
    assert referee(world, "play", "turn.eml", "--move", "#4", "-o", "sub/mine.json").exit == 0
    assert sorted(os.listdir(world.root / "sub")) == ["mine.json", "mine.reply.eml"]
    assert referee(world, "play", "turn.eml", "--move", "#4", "-o", "sub/yours.eml").exit == 0
    assert len(os.listdir(world.root / "sub")) == 4, "the move lies beside the reply"
    ran = referee(world, "play", "turn.eml", "--move", "#4", "-o", "-")
    assert decode(ran.out.strip(), dict, "move")["type"].endswith("move")
    check_refusal(referee(world, "play", world.mover_view, "--move", "#4", "-o", "reply.eml"), (2,))
    check_refusal(referee(world, "play", "turn.eml", "--move", "#4", "-o", "turn.eml"), (2,))


def test_a_dry_run_and_a_refusal_write_nothing(world: World) -> None:
    before = tree(world.root)
    assert referee(world, "play", "turn.eml", "--move", "#4", "--dry-run").exit == 0
    check_refusal(referee(world, "play", "turn.eml", "--move", "buy the moon"), (2, 3, 7))
    assert tree(world.root) == before


def test_nothing_sealed_stands_in_the_words_of_a_reply(tmp_path: Path) -> None:
    """The text around the block says which round of which game it is, and nothing of the move."""
    world = World(tmp_path / "desk")
    (world.root / "turn.eml").write_bytes(turn_mail(world, world.mover))
    assert referee(world, "play", "turn.eml", "--move", "#4", "-o", "reply.eml").exit == 0
    letter = read_message((world.root / "reply.eml").read_bytes())
    words = [line.text for line in letter.lines if line.text.strip()]
    game, number = world.match.table.id[:8], len(world.match.entries) + 1
    assert words[0] == "-----BEGIN PBEM REFEREE MOVE-----"
    end = words.index("-----END PBEM REFEREE MOVE-----")
    mine = f"My signed answer for round {number} of Schwarzer Freitag, game {game}."
    assert words[end + 1 :] == ["-- ", mine, "pbem-referee/program"]
    assert orders(written(letter, [])) == [], "an office finds no order beside the block"


LONG = b"s" * 30_000
HOSTILE = {
    "no address": b"From: somebody\nReply-To: <nobody at all>\n",
    "two lines": b"From: =?utf-8?q?a=40b=2Ec=0D=0ABcc=3A_x=40y=2Ez?= <a@b.c>\n"
    b"Subject: =?utf-8?q?x=0D=0ABcc=3A_evil=40example=2Eorg?=\n",
    "endless": b"From: %b <a@b.c>\nSubject: %b\nReferences: %b\nMessage-ID: <m@m>\n" % (LONG, LONG, b"<r@r> " * 5_000),
    "odd ids": b"From: a@b.c\nMessage-ID: <a b@c>\nReferences: <\xff\xfe@x> <ok@x> <\xc3\xa4@x>\n",
    "odd letters": b"From: \xff\xfe <a@b.c>\nSubject: \xff\xfe\x00\x1b[31m\n",
    "long id": b"From: a@b.c\nMessage-ID: <" + b"i" * 240 + b"@x>\n",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_header_of_a_mail_can_spoil_the_reply(world: World, name: str) -> None:
    block = write_block("view", (world.root / world.mover_view).read_bytes())
    (world.root / "saved.eml").write_bytes(HOSTILE[name] + b"\n" + block.encode())
    ran = referee(world, "play", "saved.eml", "--move", "#4", "-o", "reply.eml")
    assert ran.exit == 0, ran.said
    data = (world.root / "reply.eml").read_bytes()
    mail = parsed(data)
    allowed = {"To", "Subject", "In-Reply-To", "References", "X-Unsent", "MIME-Version", "Content-Type"}
    assert set(mail.keys()) <= allowed
    assert len(mail.keys()) == len(set(mail.keys()))
    assert mail["To"] in (None, "a@b.c")
    assert not mail.defects
    assert max(map(len, data.split(b"\r\n"))) < 999
    if name == "long id":
        assert mail["References"] == "<" + "i" * 240 + "@x>"
    if name == "no address":
        assert "names no address" in ran.said
    assert attached(data).startswith(b"{")


# --- words -----------------------------------------------------------------------------------------------------------

NOW = ("--now", "2026-12-24T12:00Z")


def test_words_about_yourself_are_signed_and_mailed(world: World) -> None:
    ran = referee(world, "play", "turn.eml", "--tell", "away until 2027-01-05", *NOW)
    assert ran.exit == 0, ran.said
    (file,), (reply,) = world.root.glob("*.word.json"), world.root.glob("*.reply.eml")
    assert reply.name == file.name.replace(".word.json", ".word.reply.eml"), "it takes no move's place"
    assert f"Next: open {reply.name} in your mail program" in ran.said
    word = open_word(world.match.table, file.read_bytes())
    assert (word.text, word.seat) == ("away until 2027-01-05", world.mover)
    assert word.round == len(world.match.entries) + 1
    assert [block.data for block in read_message(reply.read_bytes()).blocks] == [file.read_bytes()]
    assert attached(reply.read_bytes()) == file.read_bytes()
    assert b"it says: away until 2027-01-05" in referee(world, "show", reply.name).out

    ran = referee(world, "play", world.mover_view, "--tell", "back", "-o", "-", *NOW)
    assert open_word(world.match.table, ran.out.strip()).text == "back"


@pytest.mark.parametrize(
    ("words", "exit"),
    [("hello host", 2), ("away until 2026-12-23", 2), ("away until soon", 2), ("resign", 2), ("zone Europe/Berlni", 2)],
)
def test_words_that_no_office_knows_are_not_signed(world: World, words: str, exit: int) -> None:
    before = tree(world.root)
    check_refusal(referee(world, "play", "turn.eml", "--tell", words, *NOW), (exit,))
    assert referee(world, "play", "turn.eml", "--tell", "back", "--dry-run", *NOW).exit == 0
    assert tree(world.root) == before


def test_nobody_speaks_for_another(world: World) -> None:
    other = f"{world.names[1 - world.mover].lower()}-home/key.json"
    check_refusal(referee(world, "play", "turn.eml", "--tell", "back", "--key", other), (4,))


# --- invitations -----------------------------------------------------------------------------------------------------


def test_an_invitation_is_answered_with_its_pass(world: World) -> None:
    data, code = invite(world)
    (world.root / "invitation.eml").write_bytes(data)
    ran = referee(world, "join", "invitation.eml", "--name", "Carla", "--yes")
    assert ran.exit == 0, ran.said
    (join,), (reply,) = world.root.glob("*-carla.join.json"), world.root.glob("*-carla.reply.eml")
    assert f"Next: open {reply.name} in your mail program" in ran.said
    mail, letter = parsed(reply.read_bytes()), read_message(reply.read_bytes())
    assert mail["Subject"].startswith("Re: ")
    assert code in mail["Subject"]
    assert code in [line.text for line in letter.lines]
    assert attached(reply.read_bytes()) == join.read_bytes()
    assert [block.data for block in letter.blocks] == [join.read_bytes()]
    assert decode(bytes(envelope(join.read_bytes()).body), Join, "join").name == "Carla"
    before = tree(world.root)
    check_refusal(referee(world, "join", "invitation.eml", "--name", "Carla", "--yes"), (8,))
    assert tree(world.root) == before


def test_an_offer_in_a_mail_without_a_pass_can_be_joined(world: World) -> None:
    (world.root / "offer.eml").write_bytes(mixed([("offer.json", (world.root / "offer.json").read_bytes())]))
    ran = referee(world, "join", "offer.eml", "--name", "Carla", "--yes", "-o", "answer.eml")
    assert ran.exit == 0, ran.said
    assert "has no pass of an invitation" in ran.said
    assert (world.root / "answer.eml").exists()


# --- what is loaded --------------------------------------------------------------------------------------------------


def test_a_file_of_json_loads_no_mail(world: World) -> None:
    """As a process of its own, with every import traced."""
    for file, wanted in ((world.mover_view, False), ("turn.eml", True)):
        ran = run(
            "show", file, cwd=world.root, home=world.mover_home, env={"PYTHONPROFILEIMPORTTIME": "1", "PYTHONPATH": ""}
        )
        assert ran.exit == 0
        assert (b" referee.mail" in ran.err) == wanted
        assert (b" email.message" in ran.err) == wanted


def test_completion_offers_mails_beside_views(tmp_path: Path) -> None:
    for name in ("a.view.json", "b.eml", "c.move.json", "d.txt"):
        (tmp_path / name).touch()
    found = completion.files("view", mail=True)(f"{tmp_path}/")
    assert [os.path.basename(name) for name in found] == ["a.view.json", "b.eml"]
    assert [os.path.basename(name) for name in completion.files("view")(f"{tmp_path}/")] == ["a.view.json"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["nested", "nested-mails", "many-headers", "lines", "paragraphs", "blocks", "file", "zip"]
)
def test_mails_from_people_who_mean_harm_are_explained_in_words(tmp_path: Path, name: str) -> None:
    (tmp_path / "mail.eml").write_bytes(MAILS[name]())
    ran = run_shell("ulimit -t 3 -v 500000; referee show mail.eml", tmp_path, tmp_path / "home")
    check_refusal(ran, (7,))
    ran = run_shell("ulimit -t 3 -v 500000; referee inbox .", tmp_path, tmp_path / "home")
    assert ran.exit == 0, ran.said


@pytest.mark.thorough
def test_a_person_is_led_from_a_mail_to_its_reply(world: World) -> None:
    """At a terminal: board, question, what will be signed, yes; an invitation is read before anybody takes part."""
    person = Terminal(["play", "turn.eml"], world.root, world.mover_home, columns=80)
    for typed in ("pass red", "y"):
        person.question()
        person.type(f"{typed}\n")
    status, screen = person.end()
    assert status == 0, screen
    (reply,) = world.root.glob("*.reply.eml")
    assert f"Next: open {reply.name} in your mail program" in " ".join(screen.split())

    (world.root / "invitation.eml").write_bytes(invite(world)[0])
    person = Terminal(["join", "invitation.eml", "-o", "no.eml"], world.root, world.mover_home, columns=80)
    assert "Schwarzer Freitag for 2 players" in person.question()
    person.type("n\n")
    status, screen = person.end()
    assert (status, (world.root / "no.eml").exists()) == (130, False), screen
