"""Plain answers as people and programs send them: nearly all are accepted as they stand, and none wrongly."""

from functools import cache, partial

import pytest

from referee.errors import RefereeError, Usage
from referee.mail import beside
from referee.mail.compose import sent_texts
from referee.mail.message import read_message
from referee.mail.reading import Order, Reading, game_words, read_in, read_lines
from referee.mail.reply import Said, sayings, written
from referee.mail.usual import hedges, usual
from referee.mail.words import Back
from tests.mail.plain_replies import Plain, plain_replies
from tests.mail.programs import SENT_MAIL
from tests.support.match import Sitting

OURS = sent_texts(SENT_MAIL)
GAME = "schwarzer-freitag"
BLIND, LATER, TUNED, DOUBTFUL = (plain_replies(kind) for kind in ("fresh", "later", "tuned", "doubtful"))
ACCEPTED_LEAST = 0.965
"""Of all plain answers: 84 of 87."""


@cache
def place() -> Sitting:
    """The position that `sent.eml` is about."""
    sitting = Sitting(GAME, 3, "corpus").until(60)
    while sitting.asked != [1] or sitting.what != "turn":
        sitting = sitting.until(sitting.round + 1)
    return sitting


def read(one: Plain, game: str = GAME) -> Reading | None:
    """What a mail says; None if it is not certain what of it is the player's."""
    letter = read_message(one.raw)
    found, opened = written(letter, *OURS), place().opened(1)
    if not found.sure or letter.headers.auto:
        return None
    speaks = game_words(game, opened if game == GAME else None)
    return read_lines(sayings(found), ("Bert", letter.headers.sender_name), partial(read_in, opened), speaks)


def taken(one: Plain, game: str = GAME) -> list[Order]:
    """The order that is carried out."""
    found = read(one, game)
    return [] if found is None or found.unread or len(found.orders) != 1 else [found.orders[0][1]]


@pytest.mark.parametrize("kind", ["fresh", "later", "tuned"])
def test_nearly_all_are_accepted_and_none_wrongly(kind: str) -> None:
    all_ = plain_replies(kind)
    said = {one.name: taken(one) for one in all_}
    meant = {one.name: [read_in(place().opened(1), one.move)] for one in all_}
    assert {name: said[name] for name in said if said[name] not in ([], meant[name])} == {}
    refused = [name for name, orders in said.items() if not orders]
    assert len(refused) <= (1 - ACCEPTED_LEAST) * len(all_), refused


def test_there_are_enough_of_them() -> None:
    assert len(BLIND) == 87
    assert len({one.name for one in (*BLIND, *LATER, *TUNED, *DOUBTFUL)}) == sum(
        map(len, (BLIND, LATER, TUNED, DOUBTFUL))
    )
    assert {one.language for one in BLIND} == {"en", "de", "nl"}


@pytest.mark.parametrize("game", ["mark", "schwarzmarkt", "weg-zum-erfolg"])
def test_the_words_of_other_games_stand_in_the_way_of_few(game: str) -> None:
    """What stands beside a move is compared with the words of the game that is played."""
    refused = [one.name for one in (*BLIND, *TUNED) if not taken(one, game)]
    assert len(refused) <= 0.1 * len(BLIND), refused


@pytest.mark.parametrize("one", DOUBTFUL, ids=lambda one: one.name)
def test_where_there_is_doubt_nothing_is_taken(one: Plain) -> None:
    assert taken(one) == []


@pytest.mark.parametrize("one", BLIND[::9], ids=lambda one: one.name)
@pytest.mark.parametrize(
    "more", ["no, wait", "oder doch lieber rot?", "pass yellow", "liever toch niet", "make it red"]
)
def test_a_second_thought_below_anything_is_noticed(one: Plain, more: str) -> None:
    """Below a signature, a notice or an advertisement, but above what program and server mark as theirs."""
    if one.where != "top" or "\n-- \n" in f"{one.answer}\n":
        return
    assert taken(one._replace(answer=f"{one.answer}\n\n{more}")) == []


# --- the parts of it -------------------------------------------------------------------------------------------------


def nothing(line: str) -> Order:
    """Reads `go` and nothing else."""
    if line != "go":
        raise Usage("unread", "")  # type: ignore[arg-type]
    return Back()


def left(*lines: str, names: tuple[str, ...] = ("Bert Miller",)) -> list[str]:
    """The lines that stand in the way, of paragraphs of a line each."""
    said = [Said(line, at) for at, line in enumerate(lines)]
    return [line for line, _ in read_lines(said, names, nothing, lambda text: "red" in text.split()).unread]


@pytest.mark.parametrize(
    "name", ["Bert", "Bert Miller", "- Bert", "B.", "bert", "Dr. Bert Miller", "Bert van der Meer", "~Bert~", "/Bert"]
)
def test_names_say_nothing(name: str) -> None:
    assert left("go", "regards", name) == []


@pytest.mark.parametrize("name", ["Bertha", "Bert says no", "Bert red", "C.", "Bert buys"])
def test_other_words_are_no_names(name: str) -> None:
    assert not beside.is_name(name, ("Bert Miller",))


def test_below_a_goodbye_only_harmless_lines_say_nothing() -> None:
    assert left("go", "Regards, Bert", "Chief of Nothing", "12 Long Lane") == []
    assert left("go", "Regards, Bert", "the red one") == ["the red one"]
    assert left("go", "Regards, Bert", "but wait") == ["but wait"]
    assert left("go", "Chief of Nothing") == ["Chief of Nothing"]
    assert left("Regards, Bert", "go", "Chief of Nothing") == ["Chief of Nothing"], "an answer ends what is below"
    assert left("go", "Regards, Bert", "x" * (beside.SHORT + 1)) == ["x" * (beside.SHORT + 1)]


def test_a_banner_above_excuses_nothing_below() -> None:
    banner = "[EXTERNAL] This email originated from outside of the organization."
    assert left(banner, "Chief of Nothing", "go") == ["Chief of Nothing"]
    assert left(banner, "go") == []


def test_a_short_notice_that_takes_something_back_counts() -> None:
    assert left("go", "This message is confidential") == []
    assert left("go", "This message is confidential, but wait") == ["This message is confidential, but wait"]


def test_nothing_of_a_very_long_text_is_left_out() -> None:
    lines = [f"sent from my phone {number}" for number in range(beside.LINES_MOST + 1)]
    assert left("go", *lines[:-1]) == []
    assert len(left("go", *lines)) == len(lines)


def test_one_of_our_words_that_is_a_move_of_a_game_is_asked_back_about() -> None:
    """No game of ours has such a move. Where another has one, the word asks, and the move is never taken unasked."""
    found = read_lines([Said("moves", 0)], (), lambda line: Back(), lambda text: False)
    assert (found.orders, [one.word for one in found.asked], found.both) == ((), ["moves"], (("moves", Back()),))


def test_patterns_take_little_time_for_any_text() -> None:
    """Each is bounded, so that a hostile line takes no longer than a long one."""
    for section in ("phones", "excuses", "products", "notices", "contacts", "places", "names", "talk", "hedges"):
        for text in ("sent " * 400, "A" * 2000, "this mail " * 200, "Von mein " * 200, "a@" * 900, "Ab " * 600):
            usual(section).search(text)
            usual(section).fullmatch(text)
    assert hedges("but")
    assert not hedges("butter")


def test_what_cannot_be_read_keeps_its_reason() -> None:
    found = read_lines([Said("what?", 0)], (), nothing, lambda text: False)
    (line, error), *_ = found.unread
    assert line == "what?"
    assert isinstance(error, RefereeError)
    assert "this is a question" in str(error.message)
