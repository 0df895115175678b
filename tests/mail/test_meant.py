"""`Did you mean ...?`: asked where one line of a mail is a move, answered with one word; and lines that are learned."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from referee.mail import learning
from referee.mail.meant import QUESTIONS_MOST
from tests.mail.offices import NOW, PEOPLE, Mail, World, own_move, plain, reply
from tests.mail.test_judge import answered, one

REST = "\n\nthe cat sat on the mat"
"""Nobody can read this, and it is nothing usual."""


def flat(mail: Mail) -> str:
    return " ".join(mail.text.split())


def asked_back(world: World, words: str = f"bid 4{REST}", name: str = "bert") -> Mail:
    """The question that these words cause."""
    mail = one(world.answers(reply(world.turn(name), words)))
    assert "Did you mean: bid" in mail.text
    assert "the cat sat on the mat" in mail.text
    assert answered(world) == []
    return mail


def tap(mail: Mail) -> bytes:
    """The mail that a tap on the button opens: it quotes nothing, and has no header of a reply."""
    html = mail.message.get_body(("html",))
    assert html is not None
    (link,) = [one for one in re.findall(r'href="(mailto:[^"]+)"', html.get_content()) if "body=yes" in one]
    found = urlsplit(unescape(link))
    fields = parse_qs(found.query)
    made = plain(mail.to, fields["subject"][0], fields["body"][0], Message_ID="<tap@people.example>")
    return made.replace(b"To: host@games.example", f"To: {unquote(found.path)}".encode())


# --- the question ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["yes", "ja", "Yes!", "ja.", "yes 1", "Hello,\n\nyes\n\nBert", f"yes{REST}"])
def test_one_word_says_yes(world: World, word: str) -> None:
    mail = asked_back(world)
    told = one(world.answers(reply(mail, word)))
    assert "Your answer has been accepted bid 4" in flat(told)
    assert answered(world) == ["Bert"]


def test_one_tap_says_yes(world: World) -> None:
    mail = asked_back(world)
    assert "accepted" in one(world.answers(tap(mail))).text
    assert answered(world) == ["Bert"]


def test_without_a_question_yes_is_no_move(world: World) -> None:
    assert "accepted bid" not in flat(one(world.answers(reply(world.turn("bert"), "yes"))))
    assert answered(world) == []


def test_a_yes_with_more_to_say_is_asked_again(world: World) -> None:
    mail = asked_back(world)
    told = one(world.answers(reply(mail, "yes\n\nthat is if my dog agrees")))
    assert "Did you mean: bid 4" in flat(told)
    assert answered(world) == []
    world.answers(reply(told, "yes"))
    assert answered(world) == ["Bert"]


def test_no_takes_nothing(world: World) -> None:
    mail = asked_back(world)
    assert "Nothing was taken" in one(world.answers(reply(mail, "no"))).text
    assert answered(world) == []
    assert "accepted bid" not in flat(one(world.answers(reply(mail, "yes"))))
    world.answers(reply(mail, "bid 3"))
    assert answered(world) == ["Bert"]


def test_another_seat_and_another_round_are_not_asked(world: World) -> None:
    mail = asked_back(world)
    world.answers(reply(world.turn("carla"), "yes"))
    assert answered(world) == []
    world.take(reply(world.turn("bert"), "bid 9"), reply(world.turn("carla"), "bid 1"))
    world.take(own_move(world.turn("anna"), "Anna"))
    before = world.game()
    assert world.status()["round"] == 2
    told = one(world.answers(reply(mail, "yes")))
    assert "a turn that is over" in flat(told)
    world.answers(reply(world.turn("bert"), "yes"))
    assert world.game() == before


def test_a_yes_belongs_to_the_exact_move(world: World) -> None:
    first = asked_back(world)
    second = asked_back(world, f"bid 5{REST}, dear")
    assert "reply `yes 2`" in flat(second)
    told = one(world.answers(tap(first)))
    assert "more than one move" in flat(told), "a tap has no header that says which mail it answers"
    assert answered(world) == []
    other = world.again(Path(f"{world.folder}-2"))
    assert "accepted bid 4" in flat(one(world.answers(reply(first, "yes"))))
    assert "accepted bid 5" in flat(one(other.answers(reply(second, "yes", sender="x@y.example"))))


def test_a_number_says_which(world: World) -> None:
    asked_back(world)
    second = asked_back(world, f"bid 5{REST}, dear")
    assert "accepted bid 5" in flat(one(world.answers(reply(second, "yes 2"))))


def test_the_same_question_is_one(world: World) -> None:
    asked_back(world)
    again = asked_back(world, f"bid 4{REST}!")
    assert "reply `yes`" in flat(again)


def test_questions_have_a_number(world: World) -> None:
    for number in range(QUESTIONS_MOST):
        asked_back(world, f"bid {number}{REST} {number}")
    told = one(world.answers(reply(world.turn("bert"), f"bid 9{REST} again")))
    assert "Your answer was not accepted" in told.text
    assert answered(world) == []


def test_several_moves_are_no_question(world: World) -> None:
    told = one(world.answers(reply(world.turn("bert"), f"bid 4\n\nbid 5{REST}")))
    assert "one of several different answers" in flat(told)
    assert "Did you mean: bid" not in told.text


def test_whoever_was_asked_about_leaving_is_not_asked_this(world: World) -> None:
    """A `yes` would be ambiguous."""
    world.answers(reply(world.turn("bert"), "resign"))
    told = one(world.answers(reply(world.turn("bert"), f"bid 4{REST}")))
    assert "Did you mean: bid" not in told.text
    assert answered(world) == []


def test_a_question_costs_nothing_and_is_for_the_player_alone(world: World) -> None:
    due, before = world.status()["due"], world.game()
    mail = asked_back(world, f"bid 4{REST}")
    assert mail.to == PEOPLE["bert"]
    assert (world.status()["due"], world.game()) == (due, before)
    assert "costs you nothing" in flat(mail)


def test_an_illegal_move_is_refused_and_not_asked(world: World) -> None:
    told = one(world.answers(reply(world.turn("bert"), f"bid 99{REST}")))
    assert "Did you mean: bid" not in told.text


# --- greetings and questions -----------------------------------------------------------------------------------------

TALK = (
    "Hallo Bert!", "wie geht es dir?", "Can I bid 4?", "bid 4?", "How are you?", "Kann ich 4 bieten?", "Hi", "Moin!",
        "Wanneer is de deadline?", "Thanks!", "Should I bid 4 or 5?", "Viele Grüße")  # fmt: skip


@pytest.mark.parametrize("words", TALK)
def test_a_question_or_greeting_is_no_move_and_costs_nothing(world: World, words: str) -> None:
    before, due = world.game(), world.status()["due"]
    told = one(world.answers(reply(world.turn("bert"), words)))
    assert "I found no answer in your mail" in flat(told)
    assert "costs you nothing" in flat(told)
    assert "`help`" in told.text
    assert (world.game(), world.status()["due"]) == (before, due)
    world.answers(reply(told, "bid 4"))
    assert answered(world) == ["Bert"]


def test_a_question_beside_a_move_is_asked_back(world: World) -> None:
    told = one(world.answers(reply(world.turn("bert"), "bid 4\n\nOr should I bid 5?")))
    assert "Did you mean: bid 4?" in flat(told)
    assert answered(world) == []


@pytest.mark.parametrize(
    ("words", "near"),
    [("hlep", "help"), ("rulez", "rules"), ("Regelnn", "rules"), ("statsu", "status"), ("I dunno", "")],
)
def test_what_is_not_understood_gets_the_nearest_word_and_two_things_to_write(
    world: World, words: str, near: str
) -> None:
    told = flat(one(world.answers(reply(world.turn("bert"), words))))
    assert f"You wrote: {words}" in told
    assert "You can write `bid 0` or `bid 1`." in told
    assert "? ." not in told
    assert (re.findall(r"Did you mean `(\w+)`\?", told) or [""]) == [near]


# --- lines that recur ------------------------------------------------------------------------------------------------

FOOT = "\n\nThe early bird catches the worm"


def known(world: World) -> dict[str, str]:
    book = json.loads((world.root / "players.json").read_text())
    return dict(book["bert"].get("beside", {}))


def test_a_line_that_the_player_confirmed_is_skipped_from_then_on(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), f"bid 4{FOOT}")))
    assert "Did you mean" in mail.text
    assert list(known(world)) == [learning.mark_of(FOOT.strip())]
    world.answers(reply(mail, f"yes{FOOT}"))
    assert answered(world) == ["Bert"], "what was asked about once does not stand in the way of yes"
    assert set(known(world).values()) == {""}


def test_a_line_that_comes_in_two_turns_is_learned(world: World) -> None:
    turn = world.turn("bert")
    assert "Did you mean" in one(world.answers(reply(turn, f"bid 4{FOOT}"))).text
    assert "Did you mean" in one(world.answers(reply(turn, f"bid 5{FOOT}"))).text, "twice in one turn is no habit"
    world.answers(reply(turn, "bid 9"))
    world.take(reply(world.turn("carla"), "bid 1"), own_move(world.turn("anna"), "Anna"))
    later = world.turn("bert")
    assert later.name != turn.name
    move = re.findall(r"for example: (.+)", later.text)[0]
    told = one(world.answers(reply(later, f"{move}{FOOT}")))
    assert "Your answer has been accepted" in told.text


@pytest.mark.parametrize(
    "line",
    [
        "bid 7",
        "bid seven, friends",
        "#2",
        "no wait",
        "rather not",
        "why?",
        "yes",
        "help",
        "ok",
        "a b",
        "only if it rains",
    ],
)
def test_what_could_matter_is_never_learned(world: World, line: str) -> None:
    world.answers(reply(world.turn("bert"), f"bid 4\n\n{line}"))
    assert known(world) == {}


def test_a_line_that_was_learned_and_is_a_move_now_counts(world: World) -> None:
    """Learned lines are skipped only where nobody can read them."""
    book = json.loads((world.root / "players.json").read_text())
    book["bert"]["beside"] = {learning.mark_of("bid 5"): ""}
    (world.root / "players.json").write_text(json.dumps(book))
    told = one(world.answers(reply(world.turn("bert"), "bid 4\n\nbid 5")))
    assert "one of several different answers" in flat(told)
    assert answered(world) == []


def test_what_is_kept_is_bounded_and_no_text(world: World) -> None:
    kept: dict[str, str] = {}
    for number in range(3 * learning.KEPT_MOST):
        kept = learning.learned(kept, [f"line {'x' * number}"], "t-1")
    assert len(kept) == learning.KEPT_MOST
    assert learning.mark_of("line " + "x" * (3 * learning.KEPT_MOST - 1)) in kept
    world.answers(reply(world.turn("bert"), f"bid 4{FOOT}"))
    assert "worm" not in (world.root / "players.json").read_text()


def test_numbers_in_a_line_may_change() -> None:
    assert learning.mark_of("Database: 4537/11783 - 03/08/16") == learning.mark_of("database 1/2 4/9/27")
    assert learning.mark_of("Database 1") != learning.mark_of("Catalogue 1")


def test_nobody_teaches_in_the_name_of_another(world: World) -> None:
    """Without the pass of the newest turn nothing is learned."""
    world.take(plain(PEOPLE["bert"], "my move", f"bid 4{FOOT}"))
    assert known(world) == {}
    old = world.turn("bert")
    world.take(reply(old, "bid 9"), reply(world.turn("carla"), "bid 1"), own_move(world.turn("anna"), "Anna"))
    world.take(reply(old, f"bid 4{FOOT}"), now=NOW)
    assert known(world) == {}
