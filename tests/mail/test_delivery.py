"""What becomes of mails of an office whose mail server refuses, drops, hangs or says nothing; and what it costs a
player: nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.mail import delivery, servers
from referee.mail import send as sending
from tests.cli.world import check_refusal, run_here
from tests.mail.offices import HOST, PEOPLE, Mail, World, own_move, plain, reply
from tests.mail.servers import Post, smtp_server, taken_out, trickle
from tests.support import waiting
from tests.support.ports import own_port

LATER = [f"2026-11-20T{hour:02}:{minute:02}Z" for hour in range(8, 24) for minute in range(0, 60, 10)]
"""Runs by cron, every ten minutes."""


class Served:
    """An office that sends by SMTP: everybody is asked in round 2, and the three mails wait to be sent."""

    def __init__(self, world: World, post: Post) -> None:
        self.world, self.post = world, post
        for path in (world.root / "sent").glob("*-r002-*-turn.eml"):
            path.rename(world.root / "outbox" / path.name)
        (world.root / "deliveries.json").unlink()
        assert (world.status()["round"], world.kept("outbox")) == (1, 3)

    def connect(self, port: int) -> None:
        path = self.world.root / "mail.toml"
        head = path.read_text().partition("[send]")[0]
        lines = ("[send]", 'kind = "smtp"', 'server = "127.0.0.1"', f"port = {port}", 'security = "plain"')
        path.write_text("\n".join((head, *lines, 'password = "none"', "")))

    def run(self, now: str, *more: str, exit: int = 0) -> str:
        ran = self.world.run("run", *more, now=now)
        assert ran.exit == exit, ran.said
        return ran.said

    def record(self, name: str = "bert") -> dict[str, Any]:
        """What the office knows about the mail that asks a player."""
        found = json.loads((self.world.root / "deliveries.json").read_text())
        return next((one for mail, one in found.items() if mail.endswith(f"-r002-{name}-turn")), {})

    def turns(self, name: str = "bert") -> int:
        """How many copies of the mail that asks a player have arrived since the last look."""
        mails = taken_out(self.post.root, PEOPLE[name])
        return sum(f"-r002-{name}-turn".encode() in mail.partition(b"\n\n")[0] for mail in mails)


@pytest.fixture
def served(world: World, tmp_path: Path) -> Iterator[Served]:
    post = Post(tmp_path / "boxes")
    post.root.mkdir()
    made = Served(world, post)
    with smtp_server(post) as port:
        made.connect(port)
        yield made


# --- the others go on -----------------------------------------------------------------------------------------------


def test_what_was_handed_over_is_noted_with_its_time(served: Served) -> None:
    served.run("2026-11-20T09:00Z")
    assert [served.turns(name) for name in PEOPLE] == [1, 1, 1]
    assert [served.record(name) for name in PEOPLE] == [{"handed": "2026-11-20T09:00Z"}] * 3
    before = served.world.files()
    served.run("2026-11-20T09:10Z")
    assert served.world.files() == before


@pytest.mark.parametrize("fault", ["drop", "mute", "trickle"])
def test_a_server_that_says_nothing_after_a_mail_stops_no_other_and_gets_few_copies(
    served: Served, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.post.after_data = {PEOPLE["anna"]: fault}
    hand_over = sending._hand_over

    def hurried(client: Any, sender: str, mail: bytes, to: str) -> None:
        """Only who says nothing is not waited for: a busy machine may take its time for the others."""
        monkeypatch.setattr(sending, "AFTER_END", 2.0 if to in served.post.after_data else waiting.LIMIT)
        hand_over(client, sender, mail, to)

    monkeypatch.setattr(sending, "_hand_over", hurried)
    served.run(LATER[0], exit=9)
    assert [served.turns(name) for name in PEOPLE] == [1, 1, 1], "Anna's is the first of them"
    assert (served.record("anna")["unknown"], served.record("anna")["copies"]) == (LATER[0], 1)
    for now in LATER[1:]:
        served.world.run("run", now=now)
    assert served.turns("anna") == 3, "after 10, 20 and 40 minutes more"
    assert served.world.kept("outbox/failed") == 1


def test_after_three_in_a_row_the_others_wait_for_the_next_run_and_come_first(served: Served) -> None:
    others = [f"{name}@people.example" for name in ("dora", "emil", "fritz")]
    served.world.offer(*others, game="auction", more=("--option", "rounds=1"), now=LATER[0])
    served.post.after_data = dict.fromkeys((*PEOPLE.values(), *others), "drop")
    served.run(LATER[0], exit=9)
    path = served.world.root / "deliveries.json"
    waiting = sorted(one.stem for one in (served.world.root / "outbox").glob("*.eml"))
    assert len(waiting) == 6
    assert sorted(json.loads(path.read_text())) == waiting[:3], "those that come first by name"
    served.run(LATER[1], exit=9)
    assert {name: one["tries"] for name, one in json.loads(path.read_text()).items()} == dict.fromkeys(waiting, 1)


def test_a_mailbox_that_is_full_is_tried_less_and_less_and_stops_nobody(served: Served) -> None:
    served.post.answers = {PEOPLE["bert"]: "452 4.2.2 mailbox full"}
    tried = []
    for now in LATER:
        served.run(now)
        if served.record()["tries"] > len(tried):
            tried.append(now[11:16])
    assert tried == ["08:00", "08:10", "08:30", "09:10", "10:30", "13:10", "17:10", "21:10"]
    assert [served.turns(name) for name in PEOPLE] == [1, 0, 1]
    served.post.answers = {}
    served.run("2026-11-21T01:10Z")
    assert (served.turns(), served.record()) == (1, {"handed": "2026-11-21T01:10Z"})


def test_a_mail_that_is_only_ever_put_off_counts_as_refused_after_five_days(served: Served) -> None:
    served.post.answers = {PEOPLE["bert"]: "451 4.4.1 try later"}
    for day in range(20, 31):
        for hour in (1, 9, 17):
            served.world.run("run", now=f"2026-11-{day}T{hour:02}:00Z")
    assert (served.world.kept("outbox/failed"), served.record()["tries"]) >= (1, 10)
    assert served.record()["first"][:10] == "2026-11-20"
    assert served.world.status("2026-12-24T08:00Z")["round"] == 1, "Bert was never asked"


def test_an_account_that_may_not_send_is_reported_and_loses_nothing(served: Served) -> None:
    served.post.data_answer = "550 5.4.5 daily user sending limit exceeded"
    said = served.run(LATER[0], exit=9)
    assert "daily user sending limit exceeded" in said
    assert "find out from your provider why it does not let you send" in said
    assert (served.world.kept("outbox"), served.world.kept("outbox/failed")) == (3, 0)
    tries = [one.get("tries", 0) for one in map(served.record, PEOPLE)]
    assert tries == [1, 1, 1]
    served.post.data_answer = ""
    served.run(LATER[1])
    assert [served.turns(name) for name in PEOPLE] == [1, 1, 1]


def test_a_server_that_greets_for_ever(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "GREETING", 0.3)
    with trickle() as port:
        served.connect(port)
        said = served.run(LATER[0], exit=9)
    assert "does not answer" in said
    assert served.world.kept("outbox") == 3


# --- the clock --------------------------------------------------------------------------------------------------------


def others_answer(served: Served) -> None:
    """Anna and Carla answer; the game waits for Bert, until 2026-11-23T08:00Z as it was signed."""
    world = served.world
    world.put(own_move(world.turn("anna"), "Anna"), reply(world.turn("carla"), "bid 2"))


def timed_out(served: Served, now: str) -> bool:
    """Whether Bert is timed out by a run at this time."""
    served.world.run("run", now=now)
    return bool(served.world.status(now)["round"] == 2)


def test_an_address_that_is_refused_costs_its_player_nothing(served: Served) -> None:
    others_answer(served)
    served.post.answers = {PEOPLE["bert"]: "550 5.1.1 no such user"}
    served.run("2026-11-20T08:00Z", exit=10)
    assert (served.world.kept("outbox/failed"), served.record()["why"]) == (1, "550 5.1.1 no such user")
    for now in ("2026-11-23T20:00Z", "2026-12-24T08:00Z", "2027-11-20T08:00Z"):
        assert not timed_out(served, now)


def test_a_corrected_address_gets_the_mail_and_the_whole_time(served: Served) -> None:
    others_answer(served)
    served.post.answers = {PEOPLE["bert"]: "550 5.1.1 no such user"}
    served.run("2026-11-20T08:00Z", exit=10)
    book = served.world.root / "players.json"
    book.write_text(book.read_text().replace(PEOPLE["bert"], "bert@new.example"))
    served.run("2026-12-01T08:00Z", exit=10)
    served.run("2026-12-01T09:00Z", "--retry")
    (mail,) = taken_out(served.post.root, "bert@new.example")
    assert Mail("turn", mail).to == "bert@new.example"
    assert served.record() == {"handed": "2026-12-01T09:00Z"}
    assert not timed_out(served, "2026-12-04T20:59Z")
    assert timed_out(served, "2026-12-04T21:00Z")


def test_after_an_outage_everybody_has_the_whole_time(served: Served) -> None:
    """A miss was once signed ten minutes after the mail that asks went out."""
    others_answer(served)
    path = served.world.root / "mail.toml"
    usual = path.read_text()
    served.connect(own_port())
    for day in range(20, 30):
        served.run(f"2026-11-{day}T08:00Z", exit=9)
    path.write_text(usual)
    served.run("2026-11-30T08:00Z")
    (mail,) = (Mail("turn", raw) for raw in taken_out(served.post.root, PEOPLE["bert"]))
    assert "Please answer by Thu 3 Dec 2026, 08:00 UTC, with 12 hours of grace" in " ".join(mail.text.split())
    assert not timed_out(served, "2026-12-03T19:59Z")
    assert timed_out(served, "2026-12-03T20:00Z")


def test_a_mail_of_which_nobody_knows_counts_as_handed_over_a_deadline_later(served: Served) -> None:
    others_answer(served)
    served.post.after_data = {PEOPLE["bert"]: "drop"}
    served.run("2026-11-20T08:00Z", exit=9)
    assert not timed_out(served, "2026-11-26T19:59Z"), "twice three days, and twelve hours of grace"
    assert timed_out(served, "2026-11-26T20:00Z")


def test_a_mail_that_was_sent_twice_because_nobody_knew_counts_from_when_it_was_taken(served: Served) -> None:
    others_answer(served)
    served.post.after_data = {PEOPLE["bert"]: "drop"}
    served.run("2026-11-20T08:00Z", exit=9)
    served.post.after_data = {}
    served.run("2026-11-21T08:00Z")
    assert not timed_out(served, "2026-11-24T19:59Z")
    assert timed_out(served, "2026-11-24T20:00Z")


def test_the_host_decides_about_somebody_whom_no_mail_reaches(served: Served) -> None:
    others_answer(served)
    served.post.answers = {PEOPLE["bert"]: "550 5.1.1 no such user"}
    served.run("2026-11-20T08:00Z", exit=10)
    drop = ("table", served.world.table(), "--drop", "Bert")
    ran = served.world.run(*drop, now="2026-11-26T19:59Z")
    assert ran.exit == 5, "a deadline for the answer, another for the clock that stopped, and the grace"
    assert "2026-11-26 20:00 UTC" in ran.said
    check_refusal(served.world.run("table", served.world.table(), "--drop", "Anna", now="2026-11-26T20:00Z"), (5,))
    served.world.good(*drop, now="2026-11-26T20:00Z")
    assert served.world.status("2026-11-26T20:00Z")["round"] == 2
    view = served.world.folder / "view.json"
    view.write_bytes(served.world.turn("anna").file("view.json"))
    assert run_here("audit", str(view), cwd=served.world.folder).exit == 0


# --- mails that come back ---------------------------------------------------------------------------------------------


def bounce(mail: Mail, *, action: str = "failed", status: str = "5.1.1", id: str = "") -> bytes:
    """What a mail server writes about a mail that it cannot deliver (RFC 3464)."""
    return f"""Return-Path: <>
From: Mail Delivery System <mailer-daemon@y.example>
To: {HOST}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="part"

--part
Content-Type: text/plain

I could not deliver your mail.

--part
Content-Type: message/delivery-status

Reporting-MTA: dns; y.example

Final-Recipient: rfc822; {mail.to}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 {status} no such user here

--part
Content-Type: text/rfc822-headers

From: {HOST}
To: {mail.to}
Message-ID: {id or mail.message["Message-ID"]}
Subject: {mail.subject}

--part--
""".encode()


@pytest.fixture
def handed(served: Served) -> Served:
    """The three mails are handed over at eight; Anna and Carla answer."""
    served.run("2026-11-20T08:00Z")
    others_answer(served)
    return served


def test_a_mail_that_comes_back_stops_the_clock_for_one_deadline(handed: Served) -> None:
    bert = handed.world.turn("bert")
    for day in (21, 22, 23, 24, 25):  # its recipient can go on writing such reports
        handed.world.put(bounce(bert, status=f"5.1.{day}"))
        said = handed.run(f"2026-11-{day}T08:00Z", exit=10)
    assert "the mail to Bert came back: 550 5.1.21 no such user here" in said
    assert handed.world.kept("quarantine") == 0
    assert not timed_out(handed, "2026-11-26T19:59Z")
    assert timed_out(handed, "2026-11-26T20:00Z")


def test_a_mail_that_came_back_and_is_sent_again_stops_the_clock_no_second_time(handed: Served) -> None:
    handed.world.put(bounce(handed.world.turn("bert")))
    handed.run("2026-11-22T08:00Z", exit=10)
    handed.run("2026-11-25T08:00Z", "--retry")
    handed.world.put(bounce(handed.world.turn("bert"), status="5.2.2"))
    assert not timed_out(handed, "2026-11-28T19:59Z"), "the whole time from when it was sent again"
    assert timed_out(handed, "2026-11-28T20:00Z")


@pytest.mark.parametrize("id", ["<{name}@games.example>", "<{name}.aaaaaaaaaaaaaaaa@games.example>", "<x@y.example>"])
def test_whoever_never_had_a_mail_cannot_report_that_it_came_back(handed: Served, id: str) -> None:
    """The first part of its Message-ID is what everybody at the table can guess."""
    bert = handed.world.turn("bert")
    handed.world.put(bounce(bert, id=id.format(name=bert.name)))
    handed.run("2026-11-21T08:00Z")
    assert handed.world.kept("quarantine") == 1
    assert timed_out(handed, "2026-11-23T20:00Z")


def test_a_report_about_a_mail_to_somebody_else_stops_no_clock(handed: Served) -> None:
    handed.world.put(bounce(handed.world.turn("carla")))
    handed.run("2026-11-21T08:00Z")
    assert timed_out(handed, "2026-11-23T20:00Z")


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed"])
def test_a_report_that_nothing_failed_is_no_bounce(handed: Served, action: str) -> None:
    handed.world.put(bounce(handed.world.turn("bert"), action=action, status="4.4.1"))
    handed.run("2026-11-21T08:00Z")
    assert timed_out(handed, "2026-11-23T20:00Z")


def test_a_vacation_reply_is_no_bounce(handed: Served) -> None:
    id = str(handed.world.turn("bert").message["Message-ID"])
    handed.world.put(plain(PEOPLE["bert"], "Out of office", f"Message-ID: {id}", Auto_Submitted="auto-replied"))
    handed.run("2026-11-21T08:00Z")
    assert timed_out(handed, "2026-11-23T20:00Z")


def test_the_host_is_told_whose_pass_is_in_a_mail_that_is_not_read(handed: Served) -> None:
    """A provider that marks all mail as bulk must not silence a player unnoticed."""
    answer = reply(handed.world.turn("bert"), "bid 3").replace(b"Subject:", b"Precedence: bulk\r\nSubject:", 1)
    handed.world.put(answer)
    said = handed.run("2026-11-21T08:00Z")
    assert "it is bulk mail (Precedence), but it has a valid pass of bert" in said
    assert handed.world.kept("quarantine") == 1


def test_a_mail_that_nobody_knows_of_and_that_comes_back_is_not_sent_again(served: Served) -> None:
    others_answer(served)
    served.post.after_data = {PEOPLE["bert"]: "drop"}
    served.run("2026-11-20T08:00Z", exit=9)
    served.world.put(bounce(served.world.turn("bert")))
    for now in LATER[1:20]:
        served.run(now, exit=10)
    assert served.turns() == 1
    assert not timed_out(served, "2026-11-26T19:59Z"), "one deadline more, not two"
    assert timed_out(served, "2026-11-26T20:00Z")


def test_an_invitation_that_comes_back_is_reported_until_it_is_sent_again(served: Served) -> None:
    served.world.offer("dora@x.example", "emil@y.example", game="auction", more=("--option", "rounds=1"))
    served.run("2026-11-20T08:00Z")
    mail = next(
        Mail(path.stem, path.read_bytes()) for path in (served.world.root / "sent").glob("*-i1-invitation.eml")
        if b"dora@x.example" in path.read_bytes()
    )  # fmt: skip
    served.world.put(bounce(mail))
    assert "the mail to dora came back" in served.run("2026-11-21T08:00Z", exit=10)
    served.run("2026-11-21T09:00Z", "--retry")
    assert len(taken_out(served.post.root, "dora@x.example")) == 2


# --- what the host sees -----------------------------------------------------------------------------------------------


def shown(served: Served, now: str = "2026-11-20T08:05Z") -> tuple[str, str]:
    """The state of the mail to Bert, and the line about him."""
    (row,) = (one for one in served.world.status(now)["awaited"] if one["name"] == "Bert")
    lines = served.world.run("status", now=now).out.decode().splitlines()
    return row["mail"], next(line for line in lines if "waiting for Bert" in line)


@pytest.mark.parametrize(
    ("answer", "after", "state", "words"),
    [
        ("", "", "handed", "timed out after 2026-11-23 20:00 UTC"),
        ("", "drop", "unknown", "nobody knows whether the mail arrived"),
        ("550 5.1.1 no such user", "", "refused", "mail refused: 550 5.1.1 no such user"),
        ("452 4.2.2 full", "", "queued", "mail tried 1 time and again after 2026-11-20 08:10 UTC: 452 4.2.2 full"),
    ],
)
def test_the_status_says_what_became_of_a_mail(served: Served, answer: str, after: Any, state: str, words: str) -> None:
    assert shown(served) == ("queued", shown(served)[1])
    assert shown(served)[1].endswith(", mail not sent yet")
    served.post.answers = {PEOPLE["bert"]: answer} if answer else {}
    served.post.after_data = {PEOPLE["bert"]: after} if after else {}
    served.world.run("run", now="2026-11-20T08:00Z")
    found = shown(served)
    assert (found[0], words in found[1]) == (state, True), found


def test_the_status_says_that_a_mail_came_back(handed: Served) -> None:
    handed.world.put(bounce(handed.world.turn("bert")))
    handed.run("2026-11-20T08:00Z", exit=10)
    state, line = shown(handed)
    assert (state, line.endswith(", mail came back: 550 5.1.1 no such user here")) == ("bounced", True)


def test_a_mail_about_a_table_that_is_not_there_invites_nobody() -> None:
    nobody: Any = SimpleNamespace(desks={})
    assert delivery.invites(nobody, "abcdef12-i1-invitation") == 0
    assert delivery.asked_by(nobody, "abcdef12-r001-anna-turn") is None
