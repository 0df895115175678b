"""Moves and standing orders as text, the list of legal moves, and the document of the rules."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.forms import Choice
from referee.game import Ask
from referee.games.weg_zum_erfolg import GAME, rules, words_standing
from referee.games.weg_zum_erfolg.arithmetic import evaluate
from referee.games.weg_zum_erfolg.bots import random_move as by_list
from referee.games.weg_zum_erfolg.types import (
    LEVELS,
    Card,
    Deal,
    Enter,
    Go,
    Intervene,
    Lose,
    Move,
    Opponent,
    Place,
    Sight,
    Solve,
    SwapChip,
    Target,
    Task,
    Thresholds,
    Try,
    Turn,
    Wait,
    Words,
)
from referee.games.weg_zum_erfolg.words import text
from referee.games.weg_zum_erfolg.words_list import legal
from referee.language import with_names
from referee.show.mentions import without_names
from tests.support.plain import play_out
from tests.support.typing import parsing, saying

from .build import OURS, Desk, deal, our_desk, random_move

parse, say = parsing("weg-zum-erfolg"), saying("weg-zum-erfolg")
RULES = Path(rules.__file__).with_name("RULES.md").read_text("utf-8")
NAMES = ("Anna", "Bert", "Carla", "Dirk")
KINDS = {Go, Enter, Wait, Turn, Opponent, Try, Intervene, Solve, Target, Lose, Place, SwapChip}
VARIANTS: list[dict[str, bool]] = [
    {},
    {"hinterlistig": True},
    {"neue_ziele": True},
    {"zufallsziele": True, "hinterlistig": True},
    {"reserve_leaves": True, "neue_ziele": True, "hinterlistig": True},
    {"may_enter": True},
]


def decisions(seats: int, games: int, *, listed: bool = False) -> Iterator[tuple[Deal, Sight, Move]]:
    """Every decision of some random games, with the move that was made."""

    def choose(terms: Deal, view: Sight, rng: random.Random) -> Move:
        return by_list(terms, view, rng.randrange) if listed else random_move(terms, view, rng)

    for seed in range(games):
        terms = deal(seats, **VARIANTS[seed % len(VARIANTS)])
        before: dict[int, Sight] | None = None
        for moment in play_out(GAME, terms, choose, random.Random(f"{seats}/{seed}")):
            if before is not None:
                yield from ((terms, before[seat], move) for seat, move in moment.answers.items() if move is not None)
            before = {ask.seat: moment.seen(ask.seat) for ask in moment.step.pending}


def view_of(desk: Desk) -> Sight:
    return desk.sight(desk.asks()[0].seat)


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 6])
def test_every_move_survives_its_text_form(seats: int) -> None:
    kinds = set()
    for terms, view, move in decisions(seats, len(VARIANTS)):
        assert parse(terms, view, text(move)) == move
        assert parse(terms, view, f"  {text(move).upper()} ,") == move
        kinds.add(type(move))
    assert kinds >= KINDS - {Opponent}


def test_LO_16_listed_expressions_are_right_and_the_shortest_come_first() -> None:
    found = 0
    for terms, view, _ in decisions(6, 2):
        if not any(ask == (view.seat, "solve") for ask in ((a.seat, a.what) for a in view.pending)):
            continue
        task = view.public.task
        assert task is not None
        worths = [evaluate(c.move.expression) for c in legal(terms, view) if c.minor]
        assert all(worth.value == task.target for worth in worths)
        lengths = [len(worth.cards) for worth in worths]
        assert lengths == sorted(lengths)
        assert len(lengths) <= 8
        found += len(lengths)
    assert found > 50


TYPED: dict[str, Move] = {
    "piece 2": Go(1),
    "PIECE 2 UP": Go(1, "up"),
    "2 up": Go(1, "up"),
    "2": Go(1),
    "move 2": Go(1),
    "piece a2 left": Go(1, "left"),
    "a2 left": Go(1, "left"),
    "piece 2 along": Go(1, "right"),
    "piece 3": Go(0),
    "piece 2, success: along": Go(1, success="right"),
    "piece 1, success: along, failure: along": Go(0, success="right", failure="left"),
    "piece 2 way up": Go(1, "up"),
    "piece 2, success: up, failure: left": Go(1, success="up", failure="left"),
    "piece 2 right, failure left": Go(1, "right", failure="left"),
    "piece 2 up success up": Go(1, "up", success="up"),
    "piece 2 rechts.": Go(1, "right"),
    "enter": Enter(),
    "new piece": Enter(),
    "way up": Turn("up"),
    "left": Turn("left"),
    "against @1": Opponent(1),
    "contest with @1": Opponent(1),
    "links": Turn("left"),
    "enter, try": Enter(attempt=True),
    "enter, against @1, leave it": Enter(opponent=1, attempt=False),
    "try": Try(True),
    "leave it": Try(False),
    "leave": Try(False),
    "leave it, failure: left": Try(False, failure="left"),
    "leave it, left": Try(False, failure="left"),
    "try, success: up, failure: rechts": Try(True, success="up", failure="right"),
    "against @1, success: up": Opponent(1, success="up"),
    "piece 2 up, against @1, leave it, failure: left": Go(1, "up", opponent=1, attempt=False, failure="left"),
    "piece 2, try": Go(1, attempt=True),
    "solve 9*2-10, up": Solve("9*2-10", "up"),
    "solve 9*2-10, success: up": Solve("9*2-10", "up"),
    "give up, left": Solve(None, "left"),
    "give up, failure: left": Solve(None, "left"),
    "intervene 9": Intervene(9),
    "intervene with the 9": Intervene(9),
    "decline": Intervene(),
    "pass": Intervene(),
    "solve 9*2-10": Solve("9*2-10"),
    "solve  (7 + 9) / 2": Solve("(7 + 9) / 2"),
    "solve 10:5": Solve("10:5"),
    "solve 9x2=18-10=8": Solve("9x2=18-10=8"),
    "solve 9 times 2 minus 10": Solve("9 * 2 - 10"),
    "solve 9 mal 2 minus 10": Solve("9 * 2 - 10"),
    "solve 9 keer 2 min 10": Solve("9 * 2 - 10"),
    "solve 10 geteilt durch 5 plus 3": Solve("10 / 5 + 3"),
    "solve 10 gedeeld door 5": Solve("10 / 5"),
    "give up": Solve(),
    "swap @2 piece 1": Target(2, 0),
    "swap with @2 1": Target(2, 0),
    "swap c1": Target(2, 0),
    "c1": Target(2, 0),
    "lose 7": Lose(7),
    "lose card 7": Lose(7),
    "place 4": Place(3),
    "place goal 4": Place(3),
    "chip 8": SwapChip(7),
    "keep chip": SwapChip(),
    "keep": SwapChip(),
}


@pytest.mark.parametrize("typed", TYPED)
def test_what_people_type(typed: str) -> None:
    desk = Desk(3).put(0, "S", ("Y1a", "right"), "S").turn(3)
    assert parse(desk.terms, desk.sight(0), typed) == TYPED[typed]
    assert parse(desk.terms, desk.sight(0), text(TYPED[typed])) == TYPED[typed]


ALONE: dict[str, dict[str, Move]] = {
    "intervene": {"9": Intervene(9), "no": Intervene(), "play 9": Intervene(9), "play the 9": Intervene(9)},
    "solve": {"8": Solve("8"), "(7+9)/2": Solve("(7+9)/2"), "none": Solve(), "play 8": Solve("8")},
    "lose": {"7": Lose(7)},
    "place": {"4": Place(3)},
    "swap chip": {"8": SwapChip(7), "swap 8": SwapChip(7), "no": SwapChip()},
    "target": {"@2 piece 1": Target(2, 0), "@2 1": Target(2, 0)},
    "opponent": {"@2": Opponent(2)},
    "try": {"no": Try(False)},
}


@pytest.mark.parametrize("what", ALONE)
def test_a_number_alone_is_what_is_asked_for(what: str) -> None:
    """The piece, the value of a card, the goal: never a place in a list."""
    desk = Desk(3).put(0, "S", ("Y1a", "right")).turn(3)
    desk.step = replace(desk.step, pending=(Ask(0, what),))
    for typed, move in ALONE[what].items():
        assert parse(desk.terms, desk.sight(0), typed) == move


def test_LO_11_a_way_that_is_the_only_one_may_be_typed() -> None:
    desk = Desk(3).put(0, ("G1a", "left"), ("R1a", "right")).turn(3)
    assert parse(desk.terms, desk.sight(0), "piece 1 up") == Go(0)
    with pytest.raises(IllegalMove, match="no choice"):
        rules.check(desk.terms, desk.sight(0), parse(desk.terms, desk.sight(0), "piece 1 left"))
    desk = Desk(3, may_enter=True).put(0, "O1", ("Y1a", "right")).put(1, "O1").turn(6)
    typed = "piece 1, against @1, success: up, failure: up"
    assert parse(desk.terms, desk.sight(0), typed) == Go(0, success="up"), "one opponent, and one way on the left"


def test_LO_11_along_is_the_direction_that_the_decision_gave() -> None:
    desk = Desk(3).put(0, ("R1", "right"))
    desk.public(turn=0, task=Task(0, 5, leaving="right"))
    assert parse(desk.terms, desk.sight(0), "way along") == Turn("right")
    with pytest.raises(IllegalMove, match="'along'"):
        parse(desk.terms, desk.public(task=Task(0, 5, leaving="down")).sight(), "along")


UNCLEAR = {
    "": ("LO-8", "empty: write for example `piece 1`"),
    " , ,": ("LO-8", "empty"),
    "hello": ("LO-8", "'hello'"),
    "peice 2": ("LO-8", "'peice' is unknown, did you mean piece?: write for example `piece 2`"),
    "piece 2 rihgt": ("LO-8", "'rihgt' is unknown, did you mean right?"),
    "intervine 9": ("LO-8", "did you mean intervene?"),
    "piece": ("LO-8", "number of a piece"),
    "piece 0": ("LO-8", "number of a piece"),
    "piece b2": ("LO-8", "number of a piece"),
    "piece 2 down": ("LO-8", "'down'"),
    "piece 2 up left": ("LO-8", "'left'"),
    "piece 2 success": ("LO-8", "a way is missing"),
    "piece 2 success: failure: up": ("LO-8", "a way is missing"),
    "piece 2 failure: along": ("LO-8", "cannot be read at 'along'"),
    "piece 1000": ("LO-8", "number of a piece"),
    "piece \u0662": ("LO-8", "number of a piece"),
    "enter 2": ("LO-8", "'2'"),
    "way": ("LO-8", "'way'"),
    "way down": ("LO-11", "cannot be read at 'down'"),
    "against": ("LO-15", "one player is needed"),
    "against @1 @2": ("LO-15", "'2'"),
    "against @1 up": ("LO-15", "'up'"),
    "against @1, success: up, success: left": ("LO-15", "'left'"),
    "piece 2, against": ("LO-8", "a player is missing"),
    "piece 2, try, leave it": ("LO-8", "'leave'"),
    "try, success:": ("LO-22", "a way is missing"),
    "try, try": ("LO-22", "'try'"),
    "against @7": ("LO-15", "there are @0, @1, @2"),
    "against d": ("LO-15", "cannot be read at 'd'"),
    "against @99999999999": ("LO-15", "cannot be read at '99999999999'"),
    "against 1": ("LO-15", "cannot be read at '1'"),
    "against anna": ("LO-15", "'anna' is unknown"),
    "intervene": ("LO-16", "value of one card"),
    "intervene 9 8": ("LO-16", "value of one card"),
    "intervene -9": ("LO-16", "value of one card"),
    "solve": ("LO-16", "needs an expression"),
    "solve 9*a": ("LO-16", "'a'"),
    "solve 9,2": ("LO-16", "'2'"),
    "solve 9 2": ("LO-16", "'2'"),
    "solve 9, up, success: left": ("LO-16", "two ways"),
    "solve 9, failure: left": ("LO-16", "'left'"),
    f"solve {'1+' * 100}1": ("LO-16", "too long"),
    "swap @1": ("LO-6", "number of a piece"),
    "swap piece 1": ("LO-6", "cannot be read at '1'"),
    "lose": ("LO-6", "value of one card"),
    "place": ("LO-22", "number of a goal"),
    "place 0": ("LO-22", "number of a goal"),
    "chip": ("LO-21", "number of a goal"),
    "keep 3 chips": ("LO-8", "cannot be read at 'keep'"),
}


@pytest.mark.parametrize("typed", UNCLEAR)
def test_what_means_nothing_is_refused_with_clause_and_hint(typed: str) -> None:
    desk = Desk(3).put(0, "S", ("Y1a", "right")).turn(3)
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.sight(0), typed)
    clause, words = UNCLEAR[typed]
    assert caught.value.clause == clause
    assert words in f"{caught.value.why}: {caught.value.next}"


STRANGE = ["\x1b[31mred", "piece \x07", "\u202eup", "a" * 300, "lose " + "a b " * 80, "solve \x1b]0;x", "прочь @1"]


@pytest.mark.parametrize("typed", STRANGE)
def test_errors_never_echo_a_strangers_signs(typed: str) -> None:
    desk = Desk(3).put(0, "S", ("Y1a", "right")).turn(3)
    with pytest.raises(IllegalMove) as caught:
        parse(desk.terms, desk.sight(0), typed)
    told = f"{caught.value.message} {caught.value.next}"
    assert told.isprintable()
    assert "a" * 21 not in told


def lines(desk: Desk) -> dict[str, Choice]:
    return {choice.text: choice for choice in legal(desk.terms, view_of(desk))}


def test_LO_8_pieces_are_listed_with_where_they_lead_and_whom_they_beat() -> None:
    desk = Desk(3).put(0, ("R1c", "right"), ("R5j", "right")).put(1, "R2u", ("R6a", "right")).turn(3)
    listed = lines(desk)
    assert list(listed) == ["piece 1 up", "piece 1 right", "piece 2 up", "piece 2 right"]
    assert listed["piece 1 up"].note == "to R2u, red star; beats @1's piece 1"
    assert listed["piece 1 right"].note == "to R2a, red field"
    assert listed["piece 2 right"].note == 'to R5, red "?"'


def test_LO_11_the_list_says_what_can_be_named_in_advance() -> None:
    desk = Desk(3).put(0, ("R1d", "right"), ("R3", "right")).turn(5)
    note = lines(desk)["piece 2"].note
    assert note == 'to R3, red "?", then 5 more; you may add `success: up | right`; you may add `failure: left | right`'
    desk.do(parse(desk.terms, view_of(desk), "piece 2, success: right, failure: left"), dice=(6, 6))
    assert desk.at(0)[1] == "R4b", "nobody was asked again"


def test_LO_8_a_six_may_bring_in_a_piece() -> None:
    desk = Desk(3, may_enter=True).put(0, ("R1c", "right")).turn(6)
    assert list(lines(desk)) == ["piece 1 up", "piece 1 right", "enter"]
    assert list(lines(Desk(3, may_enter=True).turn(6))) == ["enter", "wait"]
    assert lines(desk)["enter"].note == "set a piece on S and throw again for it"


def test_LO_16_the_list_at_a_head_tells_solutions_only_for_a_hint() -> None:
    desk = Desk(3).put(0, ("R2", "right")).hand(0, 2, 10).hand(1).hand(2)
    desk.public(turn=0, task=Task(0, 3, target=8, table=(Card(1, 9),)))
    desk.step = replace(desk.step, pending=(replace(desk.step.pending[0], seat=0, what="solve"),))
    listed = lines(desk)
    assert [words for words, choice in listed.items() if not choice.minor] == [
        "solve an expression that makes 8",
        "give up",
    ]
    assert {words: choice.note for words, choice in listed.items() if choice.minor} == {
        "solve 2 * 9 - 10": "2 cards of yours"
    }


def test_nobody_else_is_shown_moves() -> None:
    desk = Desk(4).put(0, "S", ("Y1a", "right")).turn(3)
    assert legal(desk.terms, desk.sight(1)) == ()


# --- standing orders -------------------------------------------------------------------------------------------------

EXCEPT = Words(decline=True, colours=("red", "blue"), players=(1, 2), cards=4)
PHRASES: dict[str, Words] = {
    "decline always": Words(decline=True),
    "Never intervene.": Words(decline=True),
    "decline ask": Words(),
    "ask me again": Words(),
    "decline except on blue": Words(decline=True, colours=("blue",)),
    "decline except against @2": Words(decline=True, players=(2,)),
    "decline unless the mover holds at most 1 card": Words(decline=True, cards=1),
    "decline except on blue or red, against @2 or @1, when the mover holds at most 4 cards": EXCEPT,
    "decline except against @1 and @2 on red and blue if the mover has at most 4 cards": EXCEPT,
    "no card always": Words(heads=0),
    "one card always": Words(heads=1),
    "2 cards always": Words(heads=2),
    "cards ask": Words(),
    "try always": Words(attempt=True),
    "leave always": Words(attempt=False),
    "try ask": Words(),
}


@pytest.mark.parametrize("phrase", PHRASES)
def test_LO_25_standing_orders_as_people_type_them(phrase: str) -> None:
    words = PHRASES[phrase]
    assert say(deal(3), Words(), phrase) == words
    assert [say(deal(3), Words(), one) for one in words_standing.text(words)] == [words] * (words != Words())


def test_LO_25_each_phrase_leaves_what_the_others_say() -> None:
    said = Words(decline=True, colours=("red",), heads=2, attempt=True)
    assert words_standing.text(said) == ("decline except on red", "2 cards always", "try always")
    assert say(deal(3), said, "decline ask") == Words(heads=2, attempt=True)
    assert say(deal(3), said, "cards ask") == replace(said, heads=None)
    assert say(deal(3), said, "decline except against @1") == replace(said, colours=(), players=(1,))


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("decline allways", "'allways' is unknown, did you mean always?"),
        ("decline except on bleu", "'bleu' is unknown, did you mean blue?"),
        ("decline except", "these are not standing orders"),
        ("decline except on", "no exception is named"),
        ("decline except against @3", "cannot be read at '3'"),
        ("decline except against @", "cannot be read"),
        ("decline except when the mover holds at most 999 cards", "'999'"),
        ("roll always", "these are not standing orders"),
        ("\x1b[31m", "these are not standing orders"),
        ("", "these are not standing orders"),
    ],
)
def test_LO_25_what_is_not_a_standing_order_is_refused_with_a_hint(phrase: str, words: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        say(deal(3), Words(), phrase)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()
    assert "`decline " in str(caught.value.next)


# --- the document ----------------------------------------------------------------------------------------------------


def test_the_rules_hold_every_clause_once_with_its_mark() -> None:
    found = re.findall(r"^\*\*LO-(\d+)\*\* (\S)", RULES, re.MULTILINE)
    assert [int(number) for number, _ in found] == [*range(1, 10), 28, *range(10, 24), 25, 26, 27, 24]
    assert RULES.count("**LO-") == 28
    assert all(f"| {mark} |" in RULES for mark in "SDAR")
    clauses = re.findall(r"^\*\*LO-\d+\*\* ((?:.+\n)+)", RULES, re.MULTILINE)
    marks = [re.sub(r"[.:] \[(?:[SDA]: [^]]+|R)\](?:\s|$)", "", " ".join(clause.split())) for clause in clauses]
    assert [left for left in marks if re.search(r"\. [A-Z]|[.:]$|\[[SDAR]", left)] == []


def test_LO_5_the_board_of_the_rules_is_that_of_the_edition() -> None:
    rows = re.findall(r"^\| (\w+) \| (\d) \| ([?a-z ]+) \|$", RULES, re.MULTILINE)
    assert [row[0] for row in rows] == list(reversed(LEVELS))
    for level, number, kinds in rows:
        fields = [f for f in OURS.fields if f.level == level and f.kind in ("question", "head")]
        assert len(fields) == int(number)
        assert [{"question": "?", "head": "head"}[f.kind] for f in fields] == kinds.split()
    assert OURS.thresholds == Thresholds(yellow=9, orange=9, green=8, red=7, blue=8)
    assert "9 or more on yellow and orange, 8 on green, 7 on red, 8 on blue" in " ".join(RULES.split())
    stars = sum(field.kind == "star" for field in OURS.fields)
    assert f"{stars} of the {len(OURS.fields)} fields" in " ".join(RULES.split())


def test_LO_6_the_cards_of_the_rules_are_those_of_the_edition() -> None:
    counts = {card.id: card.count for card in OURS.chance}
    assert f"{sum(counts.values())} chance cards" in RULES
    assert f"{sum(card.count for card in OURS.success)} success cards" in RULES
    for way in ("forward", "back"):
        assert (
            f"| {way} 1, 2 or 3 fields | {counts[way + '-1']}, {counts[way + '-2']} and {counts[way + '-3']} |" in RULES
        )
    words = {"again": "throw again", "miss": "miss", "reserve": "this piece", "decision": "on to", "swap": "change"}
    for card, begins in (words | {"lose": "lose", "nothing": "nothing"}).items():
        assert re.search(rf"^\| {begins}[^|]* \| {counts[card]} \|$", RULES, re.MULTILINE)
    again = {card.again: card.count for card in OURS.success}
    assert f"| nothing happens | {again[False]} |" in RULES
    assert re.search(rf"^\| begin again[^|]* \| {again[True]} \|$", RULES, re.MULTILINE)


def test_the_examples_of_the_rules_mean_the_same_in_both_forms() -> None:
    examples = re.findall(r"^\| `([^`]+)` \| `(\{[^`]+\})` \|$", RULES, re.MULTILINE)
    examples = [pair for pair in examples if "kind" in pair[1]]
    assert len(examples) == 25
    terms, kinds = deal(4), set()
    view = Desk(4).sight()
    for typed, json in examples:
        move = msgspec.json.decode(json, type=Move)
        assert parse(terms, view, typed) == move
        assert text(move) == typed
        kinds.add(type(move))
    assert kinds == KINDS


def test_the_standing_orders_of_the_rules_mean_the_same_in_both_forms() -> None:
    rows = [
        (typed, json)
        for typed, json in re.findall(r"^\| `([^`]+)` \| `(\{[^`]+\})` \|$", RULES, re.MULTILINE)
        if "kind" not in json
    ]
    assert len(rows) == 5
    for typed, json in rows:
        words = msgspec.json.decode(json, type=Words)
        assert say(deal(4), Words(), typed) == words
        assert words_standing.text(words) == (typed,)
        assert msgspec.json.encode(words).decode() == json


def test_the_phrases_of_the_first_page_can_be_typed() -> None:
    page = RULES.split("## How long it takes")[0].split("**Standing orders**")[1]
    phrases = re.findall(r"`([^`]+)`", page.split("|---|")[1])
    assert len(phrases) == 13
    assert {words_standing.PLAIN.get(phrase) is not None for phrase in phrases if "except" not in phrase} == {True}
    for phrase in phrases:
        say(deal(4), Words(), without_names(phrase, NAMES))


def test_the_sample_turn_of_the_rules_is_a_real_one() -> None:
    desk = (
        Desk(3, edition=OURS).put(0, ("G1b", "right"), "O3u").put(1, "G2u", ("R6a", "right"), ("R7a", "right")).turn(2)
    )
    for words, choice in lines(desk).items():
        assert f"  {words:<15} {with_names(choice.note, NAMES)}\n" in RULES
    first, sealed, again = re.findall(r'--move "([^"]+)"', RULES)
    desk.do(parse(desk.terms, desk.sight(0), first), dice=(4, 4))
    desk.do(Intervene(), Intervene(9), parse(desk.terms, desk.sight(0), sealed))
    desk.do(parse(desk.terms, desk.sight(0), again))
    assert desk.at(0)[1] == "G3b"
    assert len(desk.me().hand) == 11


def test_an_expression_of_200_signs_is_read() -> None:
    desk, expression = Desk(3).put(0, "S", ("Y1a", "right")).turn(3), "1+" * 99 + "11"
    assert parse(desk.terms, desk.sight(0), f"solve {expression}") == Solve(expression)


@pytest.mark.parametrize(
    ("asked", "move", "verbs"),
    [
        ("intervene", Intervene(), "play intervene"), ("solve", Solve(), "play"), ("try", Try(False), "try"),
        ("swap chip", SwapChip(), "swap"),
    ],
)  # fmt: skip
def test_whoever_may_refuse_can_say_so_with_or_without_a_verb(asked: str, move: Move, verbs: str) -> None:
    desk = Desk(2).put(0, ("R2", "right"))
    view = replace(desk.sight(), pending=(Ask(0, asked),))
    for no in ("no", "none"):
        assert parse(desk.terms, view, no) == move
        for verb in verbs.split():
            assert parse(desk.terms, view, f"{verb} {no}") == move, verb
    assert parse(desk.terms, view, "pass") == move


def test_a_move_is_clicked_on_its_piece_and_on_a_field_that_the_picture_marks() -> None:
    """It marks every field of our board, not only the goals."""
    desk = our_desk(2).put(0, ("R4a", "right"), ("G2", "up"))
    desk.public(turn=0, throw=3)
    view = replace(desk.sight(), pending=(Ask(0, "piece"),))
    clicked = [[mark.split(":")[0] for mark in choice.at] for choice in legal(desk.terms, view)]
    assert clicked == [["piece", "field"]] * 2
    assert {mark for choice in legal(desk.terms, view) for mark in choice.at} >= {"piece:a1", "piece:a2", "field:G2"}
