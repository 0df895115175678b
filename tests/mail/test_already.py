"""The same good answer sent again is already accepted, whenever it comes; another answer is refused."""

from pathlib import Path

import pytest

from referee.engine.player import answer, open_view
from referee.mail.block import write_block
from referee.show.typed import read_answer
from tests.cli.world import key
from tests.mail.offices import NOW, Mail, World, invited, own_join, own_move, plain, reply, sign
from tests.mail.test_judge import hand, one

AGAIN = "Your answer was already accepted"


def said(mail: Mail) -> str:
    return " ".join(mail.text.split())


def same(mail: bytes, number: int = 1) -> bytes:
    """The same words sent once more: their mail program gives them another Message-ID."""
    return mail.replace(b"Message-ID: <", b"Message-ID: <again%d-" % number)


def closed(world: World) -> tuple[Mail, Mail]:
    """Everybody has bid, and Bert alone is asked in round 3. Returns the mails that asked Bert and Carla for a bid."""
    bert, carla = world.turn("bert"), world.turn("carla")
    world.take(reply(bert, "bid 9"), reply(carla, "bid 1"), own_move(world.turn("anna"), "Anna"))
    assert [row["name"] for row in world.status()["awaited"]] == ["Bert"]
    return bert, carla


@pytest.mark.parametrize("words", ["bid 4", "- `bid 4`.", "Hello,\n\nbid 4"])
def test_while_the_round_is_open(world: World, words: str) -> None:
    turn = world.turn("bert")
    first = reply(turn, "bid 4")
    assert AGAIN not in one(world.answers(first)).text
    before = world.game()
    for mail in (same(first), reply(turn, words, sender="bert@elsewhere.example")):
        told = one(world.answers(mail))
        assert AGAIN in told.text
        assert "bid 4" in told.text
        assert "not accepted" not in told.text
    told = one(world.answers(reply(turn, "bid 5")))
    assert "Your answer was not accepted" in told.text
    assert "the first answer counts" in said(told)
    assert world.game() == before


def test_after_the_round_has_closed(world: World) -> None:
    """Carla is not asked any more, Bert is asked something else: neither is told that the bid was not accepted."""
    bert, carla = closed(world)
    before = world.game()
    for mail in (reply(carla, "bid 1", sender="carla@elsewhere.example"), same(reply(carla, "bid 1"))):
        told = one(world.answers(mail))
        assert AGAIN in told.text
        assert "You do not need to do anything until the next mail comes" in said(told)
    told = one(world.answers(same(reply(bert, "bid 9"))))
    assert AGAIN in told.text
    assert "Round 3 is still waiting for your answer" in said(told)
    idle, over = "not being asked for a move now", "your mail answers a turn that is over"
    for mail, words, why in ((carla, "bid 2", idle), (bert, "bid 8", over)):
        told = one(world.answers(reply(mail, words)))
        assert "Your answer was not accepted" in told.text
        assert why in said(told).lower()
    assert world.game() == before


def test_after_the_game_is_over(world: World) -> None:
    bert, _ = closed(world)
    words = "raid 1 " + hand(world, "bert")[0]
    last = world.turn("bert")
    world.take(reply(last, words))
    while rows := world.status()["awaited"]:
        turns = [(row["name"], world.turn(row["name"].lower()), row["what"]) for row in rows]
        world.take(*(own_move(turn, name) if name == "Anna" else reply(turn, "guess odd" if what == "guess" else "#1")
                     for name, turn, what in turns))  # fmt: skip
    told = one(world.answers(same(reply(last, words))))
    assert AGAIN in told.text
    assert "This game is over" in told.text
    other = one(world.answers(reply(bert, "bid 7")))
    assert AGAIN not in other.text
    assert "This game is over" in other.text


def test_agreeing_and_joining_once_more(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(own_join(mails["anna"], "Anna"), *(reply(mails[n], f"join as {n.title()}") for n in ("bert", "carla")))
    told = one(world.answers(reply(mails["bert"], "join as Bert", sender="bert@elsewhere.example")))
    assert "You have already joined as Bert" in told.text
    assert "Round 1 is still waiting for your answer" in told.text
    other = one(world.answers(reply(mails["bert"], "join as Bertram")))
    assert "You have already joined as Bert" in other.text
    assert "under another name" in said(other)
    assert "Your mail answers a turn that is over" in one(world.answers(reply(mails["bert"], "no"))).text
    ack = world.turn("bert")
    world.take(own_move(world.turn("anna"), "Anna"), *(reply(world.turn(name), "ok") for name in ("bert", "carla")))
    told = one(world.answers(reply(ack, "yes")))
    assert AGAIN in told.text
    assert "Round 2 is still waiting for your answer" in told.text


def test_a_signed_answer(world: World) -> None:
    turn = world.turn("anna")
    move = sign(turn, "Anna")
    first = reply(turn, write_block("move", move))
    receipt = one(world.answers(first)).file("receipt.json")
    for mail in (same(first), plain("anna@elsewhere.example", "again", write_block("move", move))):
        told = one(world.answers(mail))
        assert AGAIN in told.text
        assert told.file("receipt.json") == receipt
    opened = open_view(turn.file("view.json"))
    other = answer(key("Anna"), opened, read_answer(opened, "bid 5"))
    assert other != move
    assert "the first answer counts" in said(one(world.answers(reply(turn, write_block("move", other)))))
    world.take(reply(world.turn("bert"), "bid 9"), reply(world.turn("carla"), "bid 1"))
    assert "for round 2; it already counts" in said(one(world.answers(same(first, 2))))
    late = one(world.answers(reply(turn, "late" + write_block("move", other)), now=NOW.replace("-20T", "-21T")))
    assert "for round 2, but another one counts in that round" in said(late)


def test_leaving_once_more(world: World) -> None:
    world.take(reply(world.turn("bert"), "resign"))
    mail = reply(world.turn("bert"), "resign for good")
    assert "You have left the game for good" in one(world.answers(mail)).text
    world.take(reply(world.turn("carla"), "bid 1"), own_move(world.turn("anna"), "Anna"))
    assert "You have left the game for good" in one(world.answers(same(mail))).text


def test_leaving_after_an_answer_waits_for_the_next_question(world: World) -> None:
    """The host hears of it when it happens, and once."""

    def left() -> list[str]:
        ran = world.good("run")
        return [line for line in (ran.out.decode() + ran.said).splitlines() if "leaves" in line]

    world.take(reply(world.turn("bert"), "bid 4"))
    world.take(reply(world.turn("bert"), "resign"))
    (told,) = world.answers(reply(world.turn("bert"), "resign for good"))
    assert "the next time it asks you" in " ".join(told.text.split())
    assert left() == []
    assert left() == [], "it waits for the others"
    world.put(reply(world.turn("carla"), "bid 1"), own_move(world.turn("anna"), "Anna"))
    assert len(left()) == 1
    assert left() == []
