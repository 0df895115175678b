"""An answer in words: lines of the list, names of players, standing phrases beside the move."""

import copy
import random
import re
from itertools import islice

import pytest
from referee.games.auction import Bid, Raid, Words

from referee import games
from referee.engine.player import Draft, Opened
from referee.errors import IllegalMove, Usage
from referee.forms import Choice
from referee.language import LANGUAGES, speaking, with_names
from referee.mail.listing import copied
from referee.show import typed
from referee.show.family import only_values
from referee.show.mentions import without_names
from referee.show.prompt import numbered
from referee.show.typed import parse, read_answer
from referee.show.wording import line_text, move_text
from referee.testing.spoken import moves_of
from tests.support.consult import consult
from tests.support.match import Sitting, game_with


def called(opened: Opened, *names: str) -> Opened:
    """The same view of players with other names."""
    opened.chain.table.names = names
    return opened


def toy(what: str) -> Opened:
    sitting = Sitting(seed="words", deadline=0).until(what)
    return sitting.opened(sitting.asked[0])


# --- names ------------------------------------------------------------------------------------------------------------


def test_names_stand_for_seats_in_typed_moves_and_in_the_log() -> None:
    names = ("Anna", "Anna Maria", "Bert", "O'Neil", "Jörg")
    assert without_names("razzia anna maria sugar", names) == "razzia @1 sugar"
    assert without_names("razzia ANNA sugar, bertram", names) == "razzia @0 sugar, bertram"
    assert without_names("raid o'neil 09, JÖRG 10", names) == "raid @3 09, @4 10"
    assert without_names("annabert Maria", names) == "annabert Maria", "a name is a word, not a part of one"
    assert without_names("@0 bert", ("Bert", "@0")) == "@1 @0", "in one pass: what a name became is not a name again"
    assert with_names("@0 raids @1 for sugar, @7 and @12 do not exist", names) == (
        "Anna raids Anna Maria for sugar, @7 and @12 do not exist"
    )
    assert with_names("@0 and @1", ("@1", "Bert")) == "@1 and Bert"
    assert with_names("@0", ("An\x1b[31mna\u202e",)) == r"An\x1b[31mna\u202e"


def test_a_move_can_name_a_player() -> None:
    sitting = Sitting("schwarzmarkt", seed="names", deadline=0).until(1)
    view = sitting.opened(sitting.asked[0])
    for seat, name in enumerate(view.table.names):
        if seat != view.seat:
            move = parse(view, f"razzia {name.upper()} sugar")
            assert move == parse(view, f"razzia @{seat} sugar")
            assert with_names(view.table.game.text(move), view.table.names).endswith(f"razzia {name} sugar")
    with pytest.raises(IllegalMove):
        parse(view, "razzia nobody sugar")


@pytest.mark.parametrize(
    "names",
    [("raid", "2", "09"), ("Sugar", "play", "@1"), ("Anna", "Anna 09", "09"), ("1", "2", "3"), ("a", "b", "c")],
)
def test_no_name_redirects_a_move(names: tuple[str, ...]) -> None:
    """A name that is a word or a number of the game, or part of another: what is typed in the game's own words still
    means what it says."""
    opened = called(toy("raid"), *names)
    seat, cards = opened.seat, consult(opened, lambda _, seen: seen.hand("hand"))
    for target in range(3):
        if target != seat:
            assert parse(opened, f"raid {target + 1} {cards[0]}") == Raid(target, cards[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", games.game_ids())
def test_every_line_of_a_list_can_be_typed_back(game_id: str, language: str) -> None:
    """By its number, its words and all that it shows, whatever the players are called, at the prompt, with `--move` and
    in a mail: a line that is one move is that move, and no family is taken for one of its moves."""
    sitting, read = Sitting(game_id, 3, seed=f"list {language}"), 0
    for _ in range(12):
        for _ in range(2):
            if not sitting.over:
                sitting.step()
        for opened in [] if sitting.over else map(sitting.opened, sitting.asked):
            called(copy.copy(opened), "b", "piece", "Up")
            with speaking(language):
                read += typed_back(opened)
    assert read > 5


def typed_back(opened: Opened) -> int:
    listed, number = typed.choices(opened), 0
    shown = [line_text(opened.table, one) for one in listed]
    for at, (choice, line) in enumerate(zip(listed, shown, strict=True), 1):
        whole = " ".join(numbered(at, choice, opened.table, 200).split())
        values = only_values(choice)
        if values is None:
            for text in (f"#{at}", whole):
                with pytest.raises(Usage) as caught:
                    read_answer(opened, text)
                assert caught.value.code == "many-moves"
                assert prompt_line(opened, text) == choice
            continue
        move = typed.build_move(choice, values, opened.table.game.move)
        same = shown.count(line) == 1
        for text in (f"#{at}", f"# {at}", whole, *((line, line.upper(), whole.partition(" ")[2]) if same else ())):
            assert read_answer(opened, text) == Draft(move), text
            assert read_answer(opened, copied(opened, text)) == Draft(move), text
            assert prompt_line(opened, text) == choice
        number += 1
    return number


def prompt_line(opened: Opened, text: str) -> Choice | None:
    return typed.line_of(opened.table, typed.choices(opened), text)


@pytest.mark.parametrize(("what", "game_id"), [("bid", "auction"), ("bid", "mark"), ("piece", "weg-zum-erfolg")])
def test_a_number_is_accepted_where_a_number_is_asked(what: str, game_id: str) -> None:
    """A bid or a piece, never a line of the list, which needs a `#`."""
    sitting = Sitting(game_id, 3, seed="numbers", deadline=0).until(what)
    opened = sitting.opened(sitting.asked[0])
    number = 2 if game_id == "auction" else 1
    text = {"auction": f"bid {number}", "mark": f"bid {number} d1", "weg-zum-erfolg": f"piece {number}"}[game_id]
    if game_id == "mark":  # with more than one field to put the piece on, it must be said
        with pytest.raises(IllegalMove, match="more than one move"):
            parse(opened, str(number))
        assert parse(opened, f"{number} d1") == parse(opened, text)
    else:
        assert parse(opened, str(number)) == parse(opened, f" {number}. ") == parse(opened, text)


def test_a_refusal_proposes_what_is_legal_here() -> None:
    """Money is short: the same purchase with a subsidy. What was typed is repeated as it was typed."""
    sitting = Sitting("schwarzer-freitag", 3, seed="proposals").until(1)
    proposed = 0
    for _ in range(30):
        if sitting.over:
            break
        opened = sitting.opened(sitting.asked[0])
        if opened.decides:
            for language, line in (("en", "buy 9 red plese"), ("de", "kaufe rott"), ("nl", "verkoop blauww")):
                with speaking(language), pytest.raises(IllegalMove) as caught:
                    read_answer(opened, line)
                assert line.split()[-1] in str(caught.value.message)
                example = str(caught.value.next).split("`")[1]
                answer = read_answer(opened, example)
                consult(opened, opened.table.game.check, answer.move)
                proposed += 1
        sitting.step()
    assert proposed > 20


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("buy blue plese, mark blue", "write for example `buy blue, mark blue`"),
        ("buy blue, mrk blue", "write for example `buy blue, mark blue`"),
        ("blue, mark blue", "write for example `buy blue, mark blue`"),
        ("buy 2 blue if possible, mark blue", "something else is possible, for example `"),
        ("don't buy blue, mark blue", "something else is possible, for example `"),
    ],
)
def test_a_proposal_keeps_what_was_said_or_is_called_something_else(line: str, told: str) -> None:
    """One share may be bought here: two cannot be proposed, and what is not wanted is not what was said."""
    sitting = Sitting("schwarzer-freitag", 3, seed="proposals").until("turn")
    while True:
        opened = sitting.opened(sitting.asked[0])
        if opened.decides and opened.seen.public.players[opened.seat].money >= 14:
            break
        sitting.step()
    with pytest.raises(IllegalMove) as caught:
        read_answer(opened, line)
    assert told in str(caught.value.next)


@pytest.mark.parametrize("game_id", games.game_ids())
def test_what_a_refusal_by_the_rules_proposes_is_legal(game_id: str) -> None:
    """Moves of other seats and rounds, and those of other tables: what is proposed instead of them can be typed back,
    in the reader's language, and the rules allow it."""
    rng, proposed = random.Random(game_id), 0
    sitting, lines = Sitting(game_id, 3, seed="refusals"), ["pass", "1 subsidy, buy 3 red, mark red", "bid 99 d1"]
    for _ in range(24):
        for opened in [] if sitting.over else map(sitting.opened, sitting.asked):
            if not opened.decides:
                continue
            for line in rng.sample(lines, min(len(lines), 4)):
                with speaking(rng.choice(sorted(LANGUAGES))):
                    try:
                        answer = read_answer(opened, line)
                    except (IllegalMove, Usage):
                        continue
                    try:
                        typed.check(opened, line, answer.move)
                    except IllegalMove as error:
                        example = str(error.next).split("`")[-2]
                        typed.check(opened, example, read_answer(opened, example).move)
                        proposed += 1
            some = moves_of(typed.choices(opened), opened.table.game.move, rng)
            lines += [move_text(opened.table, move) for move in islice(some, 6)]
        if not sitting.over:
            sitting.step()
    assert proposed > 10


@pytest.mark.parametrize(
    ("language", "line", "proposed"),
    [("en", "buy 1 red", "1 subsidy, buy red, mark red"), ("de", "kaufe rot", "1 Subvention, kaufe rot, markiere rot")],
)
def test_money_is_short(language: str, line: str, proposed: str) -> None:
    """The first turn of Schwarzer Freitag: a share cannot be paid without a subsidy."""
    sitting = Sitting("schwarzer-freitag", 4, seed="short").until("turn")
    opened = sitting.opened(sitting.asked[0])
    with speaking(language):
        answer = read_answer(opened, f"{line}, mark red" if language == "en" else f"{line}, markiere rot")
        with pytest.raises(IllegalMove) as caught:
            typed.check(opened, line, answer.move)
        assert f"`{proposed}`" in str(caught.value.next)


def test_no_name_adds_a_clause() -> None:
    """A player's name makes a line look like two clauses: it is still that line."""
    sitting = Sitting("weg-zum-erfolg", seed="clauses")
    phrase = next(
        choice for choice in typed.standing_choices(sitting.opened(0), sitting.opened(0).orders(0)) if not choice.parts
    )
    opened = called(sitting.opened(0), "Anna", "Bert", f"Bert; {phrase.text}")
    lines = [choice for choice in typed.standing_choices(opened, opened.orders(0)) if choice.text.endswith("@2")]
    assert lines, "a line that ends in a name"
    for line in lines:
        assert read_answer(opened, with_names(line.text, opened.table.names)).standing == line.move


# --- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("bid 3", Draft(Bid(3))),
        ("bid 3;", Draft(Bid(3))),
        ("bid 3; bid 2 always", Draft(Bid(3), Words(2))),
        (" bid 2 always ;bid 3", Draft(Bid(3), Words(2))),
        ("bid 2 always; bid 3; bid 1 always", Draft(Bid(3), Words(1))),
        ("bid 3; bid 2 always; bid ask", Draft(Bid(3))),
        ("bid 2 always", Draft(None, Words(2))),
        ("", Draft()),
    ],
)
def test_an_answer_is_a_move_and_standing_phrases(text: str, answer: Draft) -> None:
    assert read_answer(toy("bid"), text) == answer


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("bid 3; bid 4", "two-moves"),
        ("#1", "many-moves"),
        ("#7", "no-line"),
        ("bid 3; sing always", "two-moves"),
        ("sing always", "illegal"),
        ("bid 3 always always", "illegal"),
    ],
)
def test_answers_that_cannot_be_read(text: str, code: str) -> None:
    with pytest.raises((Usage, IllegalMove)) as error:
        read_answer(toy("bid"), text)
    assert error.value.code == code


def test_at_the_ack_there_are_standing_orders_only() -> None:
    opened = Sitting(seed="words", deadline=0).opened(0)
    assert read_answer(opened, "bid 2 always") == Draft(None, Words(2))
    for text in ("bid 2", "ack", "#1"):
        with pytest.raises(IllegalMove):
            read_answer(opened, text)


def test_standing_orders_in_force_are_not_repeated() -> None:
    sitting = Sitting(seed="words", deadline=0)
    for seat in range(3):
        sitting.give(sitting.signed(seat, standing=Words(seat)))
    sitting.until("play")
    opened = sitting.opened(2)
    card = typed.choices(opened)[0]
    assert read_answer(opened, f"{card.text}; bid 2 always") == Draft(card.move)
    assert read_answer(opened, f"{card.text}; bid ask") == Draft(card.move, Words())


def test_a_game_without_standing_orders_says_so() -> None:
    opened = Sitting("schwarzer-freitag", seed="words").until(1).opened(0)
    assert opened.table.game.standing is None
    with pytest.raises(Usage, match="no standing orders"):
        typed.say_phrase(opened, None, "roll always")


# --- moves as data ----------------------------------------------------------------------------------------------------


def test_what_a_program_gets() -> None:
    """The round that is asked, all choices with the minor ones last, and the standing orders."""
    sitting = Sitting(seed="words", deadline=0)
    before = typed.moves(sitting.opened(1))
    assert (before.round, before.asked, before.choices) == (1, "ack", ())
    assert before.standing is not None
    assert [choice.text for choice in before.standing.choices] == ["bid the same always"]
    for seat in range(3):
        sitting.give(sitting.signed(seat, standing=Words(seat) if seat else None))
    waiting = typed.moves(sitting.opened(1))
    assert (waiting.asked, waiting.choices) == ("", ())
    assert waiting.standing is not None
    assert waiting.standing.now == ("bid 1 always",)
    sitting.until("guess")
    asked = typed.moves(sitting.opened(0))
    assert (asked.round, asked.asked) == (sitting.round + 1, "guess")
    assert [choice.minor for choice in asked.choices] == [False, True]


def test_what_is_refused_names_players_as_people_do() -> None:
    """Hints and messages of a game know seats; whoever types knows names."""
    sitting = game_with("spy", "schwarzmarkt", "spying")
    opened = sitting.opened(sitting.asked[0])
    others = [name for seat, name in enumerate(opened.table.names) if seat != opened.seat]
    example = f"something else is possible, for example `spy ({'|'.join(others)})`"
    for typed_, told in ((f"spy {' '.join(others)}", example), ("spy @7", "there are Anna, Bert, Carla")):
        with pytest.raises(IllegalMove) as caught:
            typed.parse(opened, typed_)
        assert re.search(told, f"{caught.value.message!s}; {caught.value.next!s}")
        assert "@" not in str(caught.value.message) + str(caught.value.next)
