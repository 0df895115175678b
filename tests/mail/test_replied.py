"""What the office answers in each case, who gets it, and what its host reads: whole sentences."""

import json
import re
from itertools import product
from pathlib import Path

import pytest

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine.lobby import make_join
from referee.mail.block import write_block
from referee.mail.post import ANYBODY_MOST
from tests.cli.world import key, seed
from tests.mail.offices import HOST, NOW, PEOPLE, Mail, World, invited, own_join, plain, reply

HOW = "Reply to my invitation with `join as NAME` or `no`, or send your signed join in reply to it."


def flat(mail: Mail) -> str:
    return " ".join(mail.text.split())


def heard(world: World, mail: bytes, now: str = NOW) -> tuple[Mail, dict[str, str]]:
    """The one mail that answers this one, and what the host is told of it."""
    world.put(mail)
    (row,) = json.loads(world.good("run", "--json", now=now).out)["judged"]
    (answer,) = world.new()
    return answer, row


def join_of(mail: Mail, name: str) -> bytes:
    offer = decode(mail.file("offer.json"), Envelope, "offer")
    return encode(make_join(key(name), offer, name, seed(f"nonce of {name}")))


# --- before the game --------------------------------------------------------------------------------------------------


def test_each_way_to_answer_an_invitation(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    table = world.table()
    begun = "you can say that once the game is running, in reply to one of its mails"
    twice = (
        write_block("join", join_of(mails["anna"], "Anna")) + "\n" + write_block("join", join_of(mails["anna"], "A"))
    )
    asked_host = "Ask the host if you want to play under another name or with another key."
    for name, words, told, more in (
        ("anna", "away until 2026-12-24", f"Your answer was not accepted: {begun}.", HOW),
        ("anna", twice, "Your answer was not accepted: there is more than one join in this mail.", HOW),
        ("anna", "zone Europe/Berlin",
         "From now on I will also give you times in the zone Europe/Berlin, next to UTC.", ""),
        ("anna", "no\nnothing", "Your answer was not accepted: I do not understand `nothing`.", HOW),
        ("anna", "no\njoin as A", "Your answer was not accepted: it says several different things.",
         f"no join as A {HOW}"),
        ("anna", "no", "You are not taking part.",
         "If you change your mind, write `join as NAME` while there is a free seat."),
        ("anna", write_block("join", join_of(mails["anna"], "Anna")), "You have joined as Anna.",
         "You play with your own key and sign your moves. The game starts when 2 more players have joined."),
        ("anna", "No!", f"Your answer was not accepted: {begun}.", HOW),
        ("anna", "address anna@new.example", f"Your answer was not accepted: {begun}.", HOW),
        ("bert", "join as Bert", "You have joined as Bert.",
         "I keep your key, so you can answer in plain words. The game starts when one more player has joined."),
        ("bert", "Join as Bert.", "You have already joined as Bert.", ""),
        ("bert", "join as Berta", "You have already joined as Bert.", asked_host),
    ):  # fmt: skip
        answer, row = heard(world, reply(mails[name], words))
        assert answer.to == PEOPLE[name]
        assert f"{told} {more}".strip() in flat(answer), words
        assert (asked_host in flat(answer)) == (more == asked_host)
        assert (HOW in flat(answer)) == more.endswith(HOW)
        assert answer.subject.startswith(f"Re: {table}: your invitation")
        assert row["folder"] == "archive"
        assert row["told"].startswith(f"{table}: {name} is told: {told[:30]}")
    world.put(reply(mails["carla"], "join as Carla"))
    report = json.loads(world.good("run", "--json").out)
    assert report["events"] == [f"{table}: the game has started"]
    (last,) = [mail for mail in world.new() if "answer" in mail.name]
    assert (
        "You have joined as Carla. I keep your key, so you can answer in plain words. "
        "Everybody has joined, so the game starts now."
    ) in flat(last)
    answer, row = heard(world, reply(mails["bert"], "Join as Bert!"))
    assert "You have already joined as Bert. Round 1 is still waiting for your answer." in flat(answer)
    assert asked_host not in flat(answer)
    assert row["told"] == f"{table}: Bert: already accepted"
    answer, row = heard(world, own_join(mails["anna"], "Anna"))
    assert "You have already joined as Anna. Please sign your answer to my latest mail." in flat(answer)
    assert row["told"] == f"{table}: Anna has their own key but wrote plain words"


def test_more_are_invited_than_can_play(tmp_path: Path) -> None:
    world = World(tmp_path)
    people = {**PEOPLE, "dora": "dora@x.example"}
    to = [word for address in people.values() for word in ("--to", address)]
    world.good("offer", "auction", "--seats", "3", *to, "--by-hand")
    mails = {mail.to.partition("@")[0]: mail for mail in world.new()}
    table = world.table()
    for joined, left in enumerate(("3 players", "2 players", "1 player")):
        ran = world.run("table", table, "--start")
        assert (ran.exit, ran.said.splitlines()[0]) == (5, f"referee: {left} must join first")
        name = [*PEOPLE][joined]
        heard(world, reply(mails[name], f"join as {name.title()}"))
    answer, _ = heard(world, reply(mails["dora"], "join as Dora"))
    assert "All seats at this table are taken." in flat(answer)
    world.good("table", table, "--start")
    (full,) = [mail for mail in world.new() if mail.name.endswith("-full")]
    assert full.to == people["dora"]
    assert "All seats are taken, and the game has begun." in flat(full)
    assert full.subject.startswith(f"{table}: your invitation")
    answer, row = heard(world, reply(mails["dora"], "Join as Dora!"))
    assert answer.to == people["dora"]
    assert "This table is full: the game has begun without you." in flat(answer)
    assert row["told"] == f"{table}: too late for this table"
    world.good("run")
    assert world.new() == [], "nobody is told twice"


# --- in the game ------------------------------------------------------------------------------------------------------


def test_a_mail_that_speaks_for_nobody_is_a_question_twice_a_day(world: World) -> None:
    for often in range(ANYBODY_MOST):
        answer, row = heard(world, plain("Bert@Y.example", f"a bid {often}", "bid 4"))
        assert answer.to == PEOPLE["bert"]
        assert answer.subject.startswith("Re: Hanna: your mail")
        assert (
            "Your mail was not accepted: I cannot tell which game you mean. Please reply to my latest mail "
            "about that game without changing its subject, or send the signed file itself."
        ) in flat(answer)
        assert (row["folder"], row["told"]) == ("archive", "asked which game is meant")
    world.put(plain(PEOPLE["bert"], "once more", "bid 4"), plain("eve@evil.example", "hello", "bid 4"))
    judged = json.loads(world.good("run", "--json").out)["judged"]
    assert [(one["folder"], one["told"]) for one in judged] == [
        ("archive", "not answered: today's limit is reached"),
        ("quarantine", "the sender is not in the address book, and there is no pass"),
    ]
    assert world.new() == []


def test_two_passes_in_one_mail_are_refused_to_both(world: World) -> None:
    mine, other = world.turn("bert"), world.turn("carla")
    answers = world.answers(reply(mine, f"bid 4\n\n{other.subject.split()[-1]}"))
    assert sorted(mail.to for mail in answers) == [PEOPLE["bert"], PEOPLE["carla"]]
    for mail in answers:
        assert (
            "Your mail was not accepted: it contains the passes of more than one turn. "
            "Please reply to one of my mails at a time, and do not quote the others."
        ) in flat(mail)


def test_what_players_say_about_themselves(world: World) -> None:
    table, bert = world.table(), world.turn("bert")
    seen = "Everybody at your tables can see how many days you have been away. Write `back` if you return earlier."
    for words, told in (
        ("away until 2026-12-24", f"You are away until 2026-12-24; none of your deadlines ends before then. {seen}"),
        ("back", "Welcome back! Your deadlines are running again."),
        ("zone Europe/Berlin", "From now on I will also give you times in the zone Europe/Berlin, next to UTC."),
        ("resign", "You asked to leave the game. This cannot be undone. If you are sure, reply `resign for good`."),
    ):
        answer, row = heard(world, reply(bert, words))
        assert (answer.to, told in flat(answer)) == (PEOPLE["bert"], True), words
        assert answer.subject.startswith(f"Re: {table}: about you")
        assert row["told"].startswith(f"{table}: Bert is told: {told[:20]}")
    world.put(reply(bert, "address bert@new.example"))
    world.good("run")
    old, new = sorted(world.new(), key=lambda mail: mail.to == "bert@new.example")
    assert [old.to, new.to] == [PEOPLE["bert"], "bert@new.example"]
    for mail in (old, new):
        assert (
            "From now on I send the mails of this game to bert@new.example. "
            "For another game, tell me in reply to one of its mails. "
            f"If that was not you, tell Hanna ({HOST}) at once."
        ) in flat(mail)
    assert old.subject.startswith(f"{table}: your address")
    answer, _ = heard(world, reply(bert, "resign for good"))
    assert answer.to == "bert@new.example"
    assert "You have left the game for good." in flat(answer)


def test_whoever_has_answered_leaves_when_asked_again(world: World) -> None:
    bert = world.turn("bert")
    heard(world, reply(bert, "bid 4"))
    answer, _ = heard(world, reply(bert, "resign for good"))
    later = "You will leave the game the next time it asks you; you do not need to answer any more."
    assert later in flat(answer)
    world.good("table", world.table(), "--resign", "Bert")
    (told,) = world.new()
    assert f"The host knows that you want to leave the game, and will resign for you. {later}" in flat(told)
    assert told.subject.startswith(f"{world.table()}: about you")
    assert f"If that was not you, tell Hanna ({HOST}) at once." in flat(told)


def test_an_answer_to_an_older_turn_is_refused_with_a_reason(world: World) -> None:
    table = world.table()
    old = min((world.root / "sent").glob("*-bert-turn.eml"), key=lambda path: path.name)
    answer, row = heard(world, reply(Mail(old.stem, old.read_bytes()), "bid 4"))
    assert "Your mail answers a turn that is over" in flat(answer)
    assert row["told"] == f"{table}: Bert: refused, your mail answers a turn that is over"


def test_a_dry_run_counts_and_keeps_nothing(world: World) -> None:
    """What is named is counted; what the settings fetch is not even looked at."""
    before = world.files()
    mail = plain(PEOPLE["bert"], "hello", "bid 4")
    for words, given, new in (
        (("run", "--only", "in", "-"), mail, 1),
        (("run", "--only", "in"), b"", 0),
        (("run", "-"), mail, 1),
        (("run",), b"", 0),
    ):
        ran = world.good(*words, "--dry-run", "--json", stdin=given)
        found = json.loads(ran.out)
        assert (found["new"], found["known"]) == (new, 0), words
        assert ran.said.splitlines()[-1] == "Next: run it again without --dry-run."
    assert world.files() == before
    ran = world.run("run", "--only", "in", "-", "x.eml")
    assert (ran.exit, ran.said.splitlines()) == (2, ["referee: standard input has one mail", "Next: give - alone"])


@pytest.mark.parametrize(("lines", "counts"), [(10, True), (11, False)])
def test_ten_lines_that_say_the_same_are_an_answer_and_more_are_not(world: World, lines: int, counts: bool) -> None:
    said = ["".join(letters) for letters in product("bB", "aA", "cC", "kK")]
    answer, row = heard(world, reply(world.turn("bert"), "\n".join(said[:lines])))
    assert ("Welcome back" in flat(answer)) is counts
    ends = "Your deadlines are running again." if counts else "the mail has too many different lines"
    assert row["told"].endswith(ends)
    assert flat(answer).count("You wrote: ") == (0 if counts else 1)


def test_a_refusal_by_the_rules_proposes_a_move_that_is_accepted(tmp_path: Path) -> None:
    """Nobody has money at the start: what the answer proposes instead can be sent back as it stands."""
    world = World(tmp_path)
    world.offer("anna@x.example", "bert@y.example")
    mails = {mail.to.partition("@")[0]: mail for mail in world.new()}
    world.take(*(reply(mails[name], f"join as {name.title()}") for name in mails))
    world.take(*(reply(world.turn(name), "ok") for name in mails))

    def mover() -> str:
        """Who is asked: chance follows from the hash of the rules."""
        (row,) = world.status()["awaited"]
        return str(row["name"]).lower()

    for _ in mails:
        world.take(reply(world.turn(mover()), "place yellow"))
    turn = world.turn(mover())
    (refused,) = world.answers(reply(turn, "buy red, mark red"))
    told = flat(refused)
    assert "You wrote: buy red, mark red" in told
    assert "It costs 7, you have 0 (SF-17)" in told
    (proposed,) = re.findall(r"for example `(.+?)`", told)
    assert "subsidy" in proposed, "there is no other money"
    open_round = world.status()["round"]
    world.take(reply(turn, proposed))
    assert world.status()["round"] == open_round + 1
