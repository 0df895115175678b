"""The dialogue at the prompt, without a terminal: its words, guidance through families, whole games."""

import random
import re
from typing import Any

import pytest
from referee.games.auction import Bid, Guess, Play, Raid, Words

from referee import games
from referee.engine.player import Draft, Opened
from referee.errors import IllegalMove
from referee.forms import Limit, Number, Pick, Ranking, Term, family
from referee.show import prompt, prompt_words, typed
from tests.show.person import Guest, Typist, agree, choose
from tests.support.consult import consult
from tests.support.match import Sitting


def toy(what: str, seed: str = "words") -> Opened:
    sitting = Sitting(seed=seed).until(what)
    return sitting.opened(sitting.asked[0])


def talk(opened: Opened, *lines: str) -> tuple[Any, Any, str]:
    """Move, standing orders and screen after these lines, all of which were read."""
    person = Typist(*lines)
    answer = choose(opened, person)
    assert person.left == []
    return answer.move, answer.standing, person.text


# --- lines and words --------------------------------------------------------------------------------------------------


def test_a_number_is_the_games_own_and_a_line_has_a_sign() -> None:
    """`2` is not a line; `#2` is the second one, as shown."""
    opened = toy("play")
    listed = [choice.text for choice in typed.choices(opened)]
    move, _, screen = talk(opened, "2", "#2", "y")
    assert move == Play(listed[1].removeprefix("play "))
    assert "no move that is legal now (TA-3)" in screen
    for number, text in enumerate(listed, 1):
        assert re.search(rf"^ *#{number}  {text}$", screen, re.MULTILINE)


def test_lines_that_are_not_there() -> None:
    opened = toy("play")
    move, _, screen = talk(opened, "#0", "#99", "#", "##1", typed.choices(opened)[0].text, "y")
    assert move == typed.choices(opened)[0].move
    assert "there is no line #0" in screen
    assert "there is no line #99; the lines go from #1 to #" in screen


def test_the_answer_is_read_back_before_signing_and_can_be_refused() -> None:
    opened = toy("bid")
    move, _, screen = talk(opened, "bid 3", "n", "bid 2", "back", "bid 4", "perhaps", "yes")
    assert move == Bid(4)
    assert "You will sign: bid 3\nSign this? [Y/n] n" in screen
    assert "You will sign: bid 4\nSign this? [Y/n] perhaps\nType yes or no." in screen
    person = Typist("bid 5")
    assert choose(opened, person, sure=True).move == Bid(5)


@pytest.mark.parametrize("lines", [("quit",), ("#1", "quit"), ("bid 3", "quit"), ("QUIT",), ("say #1", "quit")])
def test_quit_works_at_every_question(lines: tuple[str, ...]) -> None:
    with pytest.raises(prompt.Quit):
        choose(toy("bid"), Typist(*lines))


def test_the_words_of_the_prompt() -> None:
    opened = toy("guess")
    person = Typist("?", "list", "more", "show", "rules TA-12", "rules TA-99", "rules", "back", "say", "lst", "quit")
    with pytest.raises(prompt.Quit):
        choose(opened, person)
    screens = person.text.split("Your move ")
    for word, meaning in prompt_words.HELP.items():
        assert re.search(rf"^ *{re.escape(word)} +{re.escape(str(meaning))}$", screens[1], re.MULTILINE)
    texts = [choice.text for choice in typed.choices(opened)]
    assert [choice.minor for choice in typed.choices(opened)] == [False, True], "the toy has one of each"
    assert f"#1  {texts[0]}\n" in screens[0]
    assert texts[1] not in screens[0]
    assert "and 1 more: `more` lists them" in screens[2]
    assert f"#2  {texts[1]}" in screens[3]
    assert "your hand: " in screens[4]
    assert "**TA-12**" in screens[5]
    assert "there is no clause" in screens[6]
    assert "nothing to go back to" in screens[8]
    assert "Standing orders that you can give" in screens[9]
    assert "did you mean list?" in screens[10]


@pytest.mark.parametrize("game_id", games.game_ids())
def test_no_word_of_the_prompt_and_no_line_number_is_a_move(game_id: str) -> None:
    """One word means one thing, in every game."""
    sitting, asked = Sitting(game_id, seed="one thing"), 0
    for _ in range(8):
        sitting.step()
        for opened in () if sitting.over else map(sitting.opened, sitting.asked):
            if not opened.decides:
                continue
            asked += 1
            texts = {choice.text.casefold() for choice in typed.choices(opened)}
            parts = [part for choice in typed.choices(opened) for part in choice.parts]
            texts |= {one.text.casefold() for part in parts if isinstance(part, Pick) for one in part.options}
            texts |= {one.casefold() for part in parts if isinstance(part, Ranking) for one in part.names}
            assert not texts & set(prompt_words.HELP)
            for text in (*prompt_words.HELP, "#1", "#2", "# 1"):
                with pytest.raises(IllegalMove):
                    consult(opened, opened.table.game.parse, text)
    assert asked > 5


# --- families ---------------------------------------------------------------------------------------------------------


def test_a_family_is_led_through_part_by_part() -> None:
    """Options by word, by a player's name or by number; typos get the nearest word; what is out of range is refused."""
    opened = toy("raid")
    cards, others = opened.table.names, [seat for seat in range(3) if seat != opened.seat]
    hand = consult(opened, lambda _, seen: seen.hand("hand"))
    name = cards[others[1]]
    move, _, screen = talk(opened, "#1", name.lower(), "#1", "loudli", "loudly", "y")
    assert move == Raid(others[1], hand[0], loud=True)
    assert f"whom? #1 {cards[others[0]]}  #2 {name}: {name.lower()}" in screen
    assert "did you mean loudly?" in screen


@pytest.mark.parametrize("word", prompt_words.PRACTICE_HELP)
def test_what_is_for_practice_is_refused_while_a_family_is_asked(word: str) -> None:
    person = Typist("#1", word, "quit")
    with pytest.raises(prompt.Quit):
        choose(toy("raid"), person)
    asked, refused = person.text.split(word)
    assert "this is for practice" in refused
    assert "this is for practice" not in asked


def test_back_goes_one_question_back_and_then_to_the_list() -> None:
    opened = toy("raid")
    seats = [seat for seat in range(3) if seat != opened.seat]
    hand = consult(opened, lambda _, seen: seen.hand("hand"))
    move, _, screen = talk(opened, "#1", "back", "#1", "#1", "back", "#2", "#2", "back", "#3", "quietly", "y")
    assert move == Raid(seats[1], hand[2])
    assert screen.count("whom?") == 3
    assert screen.count("which card do you give?") == 3


def rich(seed: str = "words") -> Opened:
    """Somebody with money is asked for a guess."""
    sitting = Sitting(seed=seed).until("guess")
    seat = max(sitting.asked, key=lambda seat: sitting.match.checkpoint.public.money[seat])
    assert sitting.match.checkpoint.public.money[seat] >= 4, "choose another seed"
    return sitting.opened(seat)


def test_the_range_of_each_question_follows_from_what_was_answered_before() -> None:
    """With all money in white chips there is nothing left for black ones: that is not asked; and the side bet can only
    be white."""
    opened = rich()
    money = opened.chain.checkpoint.public.money[opened.seat]
    price = opened.table.terms.edition
    most = min(20, money // price.white)
    assert money - most * price.white < price.black, "choose another seed"
    move, _, screen = talk(opened, "#1", "odd", str(most + 1), str(most), "none", "y")
    assert move == Guess(odd=True, stake={"white": most}, side="white")
    assert f"how many white? 0 to {most}: {most + 1}\n`{most + 1}` is not possible here" in screen
    assert "how many black" not in screen
    move, _, screen = talk(opened, "#1", "even", "0", "1", "ribbon, cup", "y")
    assert move == Guess(odd=False, stake={"black": 1}, side="black", want=("ribbon", "cup"))
    assert f"how many black? 0 to {min(20, money // price.black)}: 1" in screen


def test_what_the_rules_refuse_at_the_end_is_asked_again() -> None:
    opened = rich()
    move, _, screen = talk(opened, "#2", "even", "0", "0", "none", "one cup of tea", "Rain 7!", "tea", "y")
    assert move == Guess(motto="tea")
    assert "a motto names no trophy (TA-12); answer differently" in screen
    assert "this is not a valid move of this game; answer differently" in screen
    assert screen.count("what do you say?") == 3


def test_an_answer_beyond_a_limit_of_the_family_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many numbers to try each, the limit is met at the end."""
    number, limit = Number("amount", "how much?", 0, 5000), Limit((Term("amount"),), high=2, why="2 at most")
    bids = family("bid some", Bid(2), (number,), limits=(limit,))
    monkeypatch.setattr(prompt, "choices", lambda opened: (bids,))
    move, _, screen = talk(toy("bid"), "#1", "3", "2", "y")
    assert move == Bid(2)
    assert "2 at most; answer differently, or go `back`" in screen
    assert screen.count("how much? 0 to 5000:") == 2


# --- standing orders --------------------------------------------------------------------------------------------------


def test_standing_orders_go_with_the_ack() -> None:
    opened = Sitting(seed="words").opened(1)
    for lines, words in (("", None), ("y", None), ("say bid 3 always", Words(3)), ("say #1", Words(4))):
        more = {"say bid 3 always": ["yes"], "say #1": ["4", "yes"]}.get(lines, [])
        answer = agree(opened, Typist(lines, *more))
        assert (answer.move, answer.standing) == (None, words)
    person = Typist("say bid 3 always", "back", "say bid x always", "maybe", "y")
    assert agree(opened, person).standing is None
    assert "say `bid 3 always`, or take it back with `bid ask` (TA-13); type `say` for what can be said" in person.text
    for line in ("n", "no", "quit"):
        with pytest.raises(prompt.Quit):
            agree(opened, Typist(line))


def test_standing_orders_go_with_a_move() -> None:
    opened = toy("bid")
    move, words, screen = talk(opened, "say bid 2 always", "bid 1; bid 3 always", "y")
    assert (move, words) == (Bid(1), Words(3))
    assert "You will sign: bid 1\n  from now on: bid 3 always\nSign this?" in screen
    move, words, screen = talk(opened, "bid 2 always", "back", "bid 1", "y")
    assert (move, words) == (Bid(1), None)


def test_what_holds_is_shown_and_can_be_taken_back() -> None:
    sitting = Sitting(seed="words")
    for seat in range(3):
        sitting.give(sitting.signed(seat, standing=Words(seat) if seat else None))
    assert sitting.what == "bid"
    assert sitting.asked == [0], "who has said what to bid is not asked"
    sitting.until("play")
    opened = sitting.opened(1)
    card = typed.choices(opened)[0]
    move, words, screen = talk(opened, "say bid ask", "#1", "y")
    assert (move, words) == (card.move, Words())
    assert "\nStanding orders (you): bid 1 always\n" in screen
    assert "\nStanding orders (Carla): bid 2 always\n" in screen
    assert f"You will sign: {card.text}\n  no longer: bid 1 always\nSign this?" in screen


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", games.game_ids())
def test_every_game_can_be_played_from_the_prompt_alone(game_id: str) -> None:
    """Guests who see only the prompt and pick lines at random: everything they send is accepted."""
    chance, sitting, answered = random.Random(game_id), Sitting(game_id, seed="guests"), 0
    for _ in range(25):
        for seat in [] if sitting.over else sitting.asked:
            opened = sitting.opened(seat)
            answer = choose(opened, Guest(chance.randrange)) if opened.decides else Draft()
            judged = sitting.give(sitting.signed(seat, move=answer.move, standing=answer.standing))
            assert judged.error is None, judged.error
            answered += opened.decides
    assert answered > 20


def test_orders_are_chosen_from_the_list_as_the_last_ones_left_it() -> None:
    """What takes an order back is listed only while it is in force."""
    _, standing, screen = talk(toy("bid"), "say bid 3 always", "say #2", "bid 1", "y")
    assert standing in (None, Words())
    assert "Standing orders with your answer: bid 3 always" in screen
    assert "Standing orders with your answer: none" in screen


@pytest.mark.parametrize("room", range(16, 40))
def test_where_the_screen_is_small_the_last_news_are_told_and_the_others_counted(room: int) -> None:
    """Nothing is lost between what is counted and what is told, and all of it fits."""
    opened, person = toy("raid"), Typist()
    person.room = room
    board = "\n".join(["a board"] * 60)
    scene = prompt.Scene(["the head"], [f"news {at}" for at in range(1, 21)], "the hand", ["who is asked"])
    talking = prompt.Talk(opened, person, lambda: board, str, None)
    talking.begin(lambda: scene, ["advice"])
    lines = person.text.splitlines()
    assert len(lines) <= room
    assert "a board" not in lines
    told = [int(line.split()[1]) for line in lines if line.strip().startswith("news ")]
    assert told == [*range(21 - len(told), 21)]
    (note,) = [line for line in lines if "`show` draws the board" in line]
    left = re.search(r"tells (\d+) lines? before these", note)
    assert (int(left[1]) if left else 0) == 20 - len(told)
    assert {"the head", "the hand", "who is asked", "advice"} <= {*lines}
