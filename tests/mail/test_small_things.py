"""Small things that a host or player would notice: a last day, a bound, a language, an arrival time."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.engine.lobby import make_join
from referee.engine.records import Join
from referee.errors import Malformed
from referee.mail import fetch as intake
from referee.mail.body import Body
from referee.mail.compose import REFERENCES_MOST, Head, compose
from referee.mail.fetch import Fetched
from referee.mail.reading import SAME_MOST
from referee.mail.settings import read_settings
from referee.mail.timing import deadline_in_words
from tests.cli.world import check_refusal, key, seed
from tests.mail.offices import PEOPLE, Mail, World, invited, reply
from tests.mail.offices import sign as sign_move
from tests.mail.test_fetch import ADDRESS, all_of, from_files, mail


def test_the_last_day_of_an_absence_still_counts(world: World) -> None:
    world.answers(reply(world.turn("bert"), "away until 2026-11-23"))
    for day, until in (("2026-11-23T20:00Z", "2026-11-23"), ("2026-11-24T01:00Z", "")):
        assert world.status(now=day)["players"][1]["away_until"] == until


def test_an_answer_that_is_said_too_often_is_not_an_order(world: World) -> None:
    """The same in ten spellings is an answer; in one more, it is a text of some other kind."""
    lines = ["English", "in English", "Englisch", "auf Englisch", "Engels", "in het Engels", "language English"]
    lines += ["language: en", "Sprache Englisch", "taal Engels", "Taal: en"]
    assert len(lines) == SAME_MOST + 1
    (refused,) = world.answers(reply(world.turn("bert"), "\n".join(lines)))
    assert "Your answer was not accepted" in refused.text
    (taken,) = world.answers(reply(world.turn("carla"), "\n".join(lines[:SAME_MOST])))
    assert "not taken" not in taken.text


def test_whoever_is_invited_again_in_a_language_gets_mails_in_it(tmp_path: Path) -> None:
    world, _ = invited(tmp_path)
    book = tmp_path / "office" / "players.json"
    assert json.loads(book.read_bytes())["bert"].get("language", "") == ""
    world.offer(PEOPLE["anna"], f"{PEOPLE['bert']} nl", game="auction", more=("--option", "rounds=1"))
    assert json.loads(book.read_bytes())["bert"]["language"] == "nl"
    mails = {one.to: one.text for one in world.new()}
    assert "uit" in mails[PEOPLE["bert"]].split()
    assert "invites you" in mails[PEOPLE["anna"]]


def test_nobody_joins_with_the_key_of_the_host(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    offer = decode(mails["bert"].file("offer.json"), Envelope, "offer")
    made = decode(bytes(make_join(key("Bert"), offer, "Bert", seed("nonce")).body), Join, "join")
    host = key("Hanna")
    join = sign(host, "join", Join(made.offer, made.name, host.public.hex(), made.nonce, made.tip))
    (answer,) = world.take(reply(mails["bert"], "", files={"join.json": encode(join)}))
    assert "not accepted" in answer.text
    assert world.status()["players"][1]["state"] == "open"


@pytest.mark.parametrize("place", ["keyring", "environment WORD", "file word.txt"])
def test_no_password_leaves_the_machine_in_plain_text(tmp_path: Path, place: str) -> None:
    path = tmp_path / "mail.toml"
    lines = 'name = "Anna"\naddress = "anna@example.org"\n[send]\nkind = "smtp"\nsecurity = "plain"\n'
    path.write_text(f'{lines}server = "smtp.example.org"\npassword = "{place}"\n')
    with pytest.raises(Malformed, match="never sent in plain text"):
        read_settings(str(path))


def test_a_mail_that_is_still_being_delivered_is_left_alone(tmp_path: Path) -> None:
    for folder in ("new", "cur", "tmp"):
        (tmp_path / folder).mkdir()
    (tmp_path / "new" / ".1.half").write_bytes(mail("half")[:-3])
    (tmp_path / "new" / "2.whole").write_bytes(mail("whole"))
    assert all_of(from_files("maildir", tmp_path)) == ([mail("whole")], [])
    assert (tmp_path / "new" / ".1.half").exists()


def test_a_mail_arrived_when_its_source_says_and_never_in_the_future(tmp_path: Path) -> None:
    for folder in intake.CAME:
        (tmp_path / folder).mkdir()
    (tmp_path / intake.LOCKED).write_bytes(b"{}")
    now, before, later = (datetime(2027, 1, day, 12, tzinfo=UTC) for day in (5, 3, 9))
    source = [Fetched(mail(str(came)), lambda: None, came) for came in (before, None, later)]
    assert intake.store_incoming(str(tmp_path), source, now) == (3, 0, None)
    paths = sorted((tmp_path / "in").iterdir())
    assert [intake.arrival(str(path)) for path in paths] == [before, now, now]
    assert [os.stat(path).st_mode & 0o077 for path in paths] == [0, 0, 0]
    assert ADDRESS.encode() in paths[0].read_bytes()


def test_nobody_is_put_in_the_place_of_somebody_by_a_second_invitation(tmp_path: Path) -> None:
    world, _ = invited(tmp_path)
    before = world.files()
    check_refusal(world.run("table", world.table(), "--drop", "bert", "--to", PEOPLE["carla"]), (2,))
    assert world.files() == before


@pytest.mark.parametrize(("grace", "bank", "lines"), [(0, 0, 1), (60, 0, 1), (0, 60, 2), (60, 60, 2)])
def test_a_time_bank_is_mentioned_with_grace_and_without(grace: int, bank: int, lines: int) -> None:
    told = list(deadline_in_words("2026-12-24T18:00Z", "UTC", grace, bank))
    assert (len(told), "of grace" in told[0], "time bank" in told[-1]) == (lines, bool(grace), bool(bank))


def test_a_mail_refers_to_the_newest_of_many() -> None:
    before = tuple(f"<{number}@x.example>" for number in range(REFERENCES_MOST + 5))
    head = Head("id", "<new@x.example>", "a@x.example", "b@x.example", "s", datetime(2027, 1, 5, tzinfo=UTC),
                references=before)  # fmt: skip
    sent = Mail("m", compose(head, Body("s", "text", "<p>text</p>")))
    assert tuple(str(sent.message["References"]).split()) == before[5:]


def test_words_next_to_something_signed_get_no_answer_of_their_own(world: World) -> None:
    """The answer to an invitation has its pass, and a player with their own key may well answer that old mail."""
    (path,) = (world.root / "sent").glob("*-i1-invitation.eml")
    invitation = Mail(path.stem, path.read_bytes())
    signed = reply(invitation, "here it is", files={"move.json": sign_move(world.turn("anna"), "Anna")})
    world.put(signed)
    ran = world.good("run")
    assert "Anna: accepted" in ran.said
    assert "wrote words" not in ran.said
    assert ["Your answer has been accepted" in mail.text for mail in world.new() if "answer" in mail.name] == [True]
