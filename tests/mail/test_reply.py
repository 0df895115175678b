"""What a player wrote: nothing else is ever mistaken for it."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.mail.compose import sent_texts
from referee.mail.frame import MARKER, is_courtesy, is_marker, quote_head
from referee.mail.headers import Headers
from referee.mail.lines import plain_lines
from referee.mail.message import Letter, read_message
from referee.mail.ours import STEPS_MOST, Ours, words_of
from referee.mail.reply import Written, orders, written
from tests.mail.programs import MOVES, PROGRAMS, SENT_MAIL, TONGUES, Reply, mail, quoted
from tests.mail.special import wrapped

OURS = sent_texts(SENT_MAIL)


def read(text: str) -> Written:
    return written(Letter(Headers(), tuple(plain_lines(text))), *OURS)


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """Our mail as a person cut it and a program then quoted, wrapped and joined it; no word was added."""
    text = draw(st.sampled_from(OURS))
    keep = draw(st.lists(st.booleans(), min_size=len(text), max_size=len(text)) | st.just([True] * len(text)))
    lines = [line for line, kept in zip(text, keep, strict=True) if kept]
    lines = quoted(lines, draw(st.sampled_from(["", "> ", ">", "> > "])))
    lines = wrapped(lines, draw(st.sampled_from([20, 30, 40, 60, 72, 999])))
    space = draw(st.sampled_from([" ", "\u00a0", " *", "  "]))
    lines = [line.replace(" ", space) for line in lines]
    step = draw(st.sampled_from([1, 1, 1, 3]))
    lines = [" ".join(lines[at : at + step]) for at in range(0, len(lines), step)]
    tongue = draw(st.sampled_from(list(TONGUES.values())))
    head = draw(st.sampled_from([tongue.gmail, tongue.apple, tongue.thunderbird, tongue.divider]))
    return "\n".join((head, "", *lines))


@given(mangled())
@settings(max_examples=200, deadline=None)
def test_our_own_words_are_never_an_order(text: str) -> None:
    found = read(text)
    assert not found.sure or orders(found) == []


@given(mangled(), st.sampled_from(["#3", "pass green", "buy red red, mark red", "bid 7"]))
@settings(max_examples=100, deadline=None)
def test_an_answer_above_any_quotation_is_read(text: str, answer: str) -> None:
    found = read(f"{answer}\n\n{text}")
    assert found.sure
    assert orders(found) == [answer]


@st.composite
def mangled_answers(draw: st.DrawFn) -> tuple[str, Reply]:
    """An answer by any program, then wrapped by another and cut by a person, who leaves the answer whole."""
    answer = draw(st.sampled_from(["buy red red, mark red", "#3", "pass green", "bid 7", "#2 pass red"]))
    program, tongue = draw(st.sampled_from(list(PROGRAMS.values()))), draw(st.sampled_from(list(TONGUES.values())))
    reply = program(answer, tongue, draw(st.sampled_from(["top", "bottom", "inline"])))
    if reply.text is None:
        return answer, reply
    lines = wrapped(reply.text.split("\n"), draw(st.sampled_from([30, 40, 50, 60, 72, 999])))
    cut = draw(st.sets(st.integers(0, len(lines) - 1), max_size=8))
    text = "\n".join(line for at, line in enumerate(lines) if line == answer or at not in cut)
    return answer, msgspec.structs.replace(reply, text=text, html=None, params="")


@given(mangled_answers())
@settings(max_examples=200, deadline=None)
def test_of_mangled_answers_no_other_order_is_taken(case: tuple[str, Reply]) -> None:
    """What is left of cut headers may be taken for words of the player, but nothing that consists of words of moves."""
    answer, reply = case
    found = written(read_message(mail(reply)), *OURS)
    words = {word for move in MOVES for word in words_of(move)} | {"buy", "blue"}
    taken = [line for line in orders(found) if found.sure and words.issuperset(words_of(line))]
    assert set(taken) <= {answer}


@given(st.text(max_size=300), mangled())
@settings(deadline=None, max_examples=60)
def test_any_text_is_judged(text: str, quote: str) -> None:
    found = read(text + "\n" + quote)
    assert found.sure != bool(found.why)
    assert all(line.strip() in text for line in found.lines) or not found.sure


def test_doubt_says_why() -> None:
    found = read(f"{TONGUES['en'].apple}\n\npass green")
    assert (found.sure, str(found.why)) == (False, "it is not clear which words are yours and which were quoted")
    cut = written(Letter(Headers(), (), whole=False), *OURS)
    assert (cut.sure, str(cut.why)) == (False, "the mail could not be read to its end")


def test_orders_are_plain_and_different() -> None:
    lines = (
        "Hi Anna,",
        "\u2013 say \u201cno\u201d\u2026",
        "#3",
        " #3 ",
        "1. bid\u00a07",
        "Gruß, Bert",
        "...",
        "thanks!",
    )
    assert orders(Written(lines)) == ['- say "no"...', "#3", "1. bid 7"]


@pytest.mark.parametrize(
    "line",
    ["Hi Anna,", "Hallo zusammen!", "Hoi Anna", "thanks!", "Vielen Dank", "Bedankt, Anna", "Gruß, Bert", "Viele Grüße",
     "Met vriendelijke groet, Bert", "LG Bert", "Cheers", "Best, Bert", "best"],
)  # fmt: skip
def test_manners_are_known(line: str) -> None:
    assert is_courtesy(line)


@pytest.mark.parametrize(
    "line", ["pass green", "#3", "buy red", "bid 7", "hi", "best price 7", "best red", "Anna", "love 3"]
)
def test_orders_are_not_manners(line: str) -> None:
    assert is_courtesy(line) == (line == "hi")


@pytest.mark.parametrize(
    "text",
    [
        "Anna Host <host@x.example> schrieb am So., 3. Jan. 2027, 10:00:",
        "Anna Host <host@x.example> schreef op 3 januari 2027 10:00:",
        "* Anna Host <host@x.example> [2027-01-03 10:00]:",
        "On Sunday, January 3, 2027 at 10:00:00 AM GMT+1, Anna Host\n<host@x.example> wrote:",
        "-------- Ursprüngliche Nachricht --------",
        "*Von:* Anna\n*Gesendet:* Sonntag\n*An:* Bert;\n Carla\n*Betreff:* x",
        "Begin doorgestuurd bericht:",
    ],
)
def test_heads_of_quotations_are_known(text: str) -> None:
    lines = text.split("\n")
    assert quote_head([*lines, "", "more"], 0) == len(lines)


@pytest.mark.parametrize(
    "text",
    [
        "pass green",
        "To: the harbour",
        "Carla wrote: no",
        "On 3 I bid 7",
        "",
        "Von: 3\nAn: 5",
        "pass green\nOn 3 May Anna wrote:",
    ],
)
def test_other_lines_are_not(text: str) -> None:
    assert quote_head(text.split("\n"), 0) == 0


def test_the_marker_is_known_in_any_language_and_dress() -> None:
    for text in (str(MARKER), f"> {MARKER}", "*##- bitte über dieser Zeile antworten -##*"):
        assert is_marker(text)
    assert not is_marker("## my thoughts - so far ##")


def test_runs_are_whole_lines() -> None:
    ours = Ours([["one two three", "four five"]])
    found = ours.runs([words_of(line) for line in ("One, two", "> three four", "FIVE", "two three", "four five")])
    assert found is not None
    assert [(run.first, run.last, run.count) for run in found] == [(0, 3, 2), (4, 5, 1)]


def test_comparing_has_an_end() -> None:
    """Each line of this mail begins like sixty of ours, and none goes on like them."""
    sent = ["a " * 50 + "x"] * 60
    ours = Ours([sent])
    assert ours.runs([("a",)] * 4_000) is None
    assert ours.steps <= STEPS_MOST + 60 * 51
    found = written(Letter(Headers(), tuple(plain_lines("a\n" * 4_000))), sent)
    assert (found.sure, str(found.why)) == (False, "the mail is too long to tell your words from ours")


LISTED = ("   #4  pass yellow", "   #5  pass blue", "   #6  pass red   (red rises)")
"""Lines of our mail, one after the other."""


@pytest.mark.parametrize("count", [1, 2, 3])
def test_from_two_lines_on_a_copy_without_marks_is_a_quotation(count: int) -> None:
    """One line of the list is an answer. Two in a row are quoted, so a third elsewhere may be what a program left."""
    copy = "\n".join(LISTED[:count])
    alone, beside = read(copy), read(f"   #8  pass orange\n\n{copy}")
    assert (alone.sure, orders(alone)) == (True, ["#4 pass yellow"] if count == 1 else [])
    if count == 1:
        assert not beside.sure, "which of two single lines is meant is asked"
    else:
        assert (beside.sure, orders(beside)) == (True, [])


def test_one_line_of_ours_does_not_show_where_a_quotation_begins() -> None:
    """Not even our first one, where a program wrapped it: somebody may have typed it."""
    marker = "##- please answer above this\nline, or anywhere -##"
    assert not read(f"pass red\n\n{marker}").sure
    assert orders(read(f"pass red\n\n{marker}\n\n{OURS[0][2]}")) == ["pass red"]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_two_lines_without_marks_show_that_a_program_does_not_mark_all(count: int) -> None:
    """So what has no mark below the quotation need not be the player's."""
    first = OURS[0].index(LISTED[0])
    quote = "\n".join(f"> {line}" for line in OURS[0][first - 1 : first + 5])
    found = read("\n\n".join(("\n".join(LISTED[:count]), quote, "   #8  pass orange")))
    assert ("#8 pass orange" in orders(found)) == (count == 1)
    assert "#4 pass yellow" in orders(found)
