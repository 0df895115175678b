"""Rules that break the contract stop the host with words for their author, and commit nothing. What they may just do
is done."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from referee.games.auction import Play

from referee.crypto.codec import BIGGEST
from referee.engine.book import MOST_TOKENS, Book, Fault
from referee.engine.draws import listed
from referee.engine.host import Judged
from referee.engine.rounds import out_seats
from referee.errors import RulesFault
from referee.game import Ask, Result, ranked
from tests.support.match import Sitting, other_program

THREE = (Ask(0, "play"), Ask(1, "play"), Ask(2, "play"))
Change = Callable[[Any, Any], Any]
"""What somebody's rules make of a step and the draws."""


@pytest.fixture(scope="module")
def playing() -> Sitting:
    """All but one have answered."""
    sitting = Sitting("auction", 3, "contract").until("play")
    sitting.others(0)
    return sitting


def judged(playing: Sitting, change: Change) -> tuple[Sitting, Judged]:
    """The last answer of a round under rules that are changed."""
    sitting = playing.fork()
    game = sitting.table.game

    def apply(terms: Any, public: Any, pending: Any, moves: Any, draws: Any) -> Any:
        return change(game.apply(terms, public, pending, moves, draws), draws)

    sitting.match.table.game = replace(game, apply=apply)
    data, before = sitting.signed(0), sitting.file()
    found = sitting.give(data)
    if found.error is not None:
        assert sitting.file() == before
    return sitting, found


def with_result(*scores: tuple[int, ...]) -> Change:
    return lambda step, draws: replace(step, pending=(), result=ranked(scores))


def draw(what: Callable[[Any], object]) -> Change:
    def change(step: Any, draws: Any) -> Any:
        what(draws)
        return step

    return change


def several(*calls: tuple[Any, ...]) -> Change:
    """These draws, one after the other: the name of each, and what it is given."""
    return draw(lambda draws: [getattr(draws, name)(*given) for name, *given in calls])


NO_RESULT = "somebody must be asked if, and only if, there is no result"
NO_SEAT = "a seat is asked twice, or does not exist at this table"
NO_SCORES = "a result must have one score per seat, and the ranks that follow from the scores"
RECOGNISED = "a token in box could be recognised: shuffle before anything leaves it face down"
BROKEN: dict[str, tuple[Change, str]] = {
    "nobody is asked": (lambda step, draws: replace(step, pending=()), NO_RESULT),
    "asked after the end": (lambda step, draws: replace(step, pending=THREE, result=ranked([(1,)] * 3)), NO_RESULT),
    "twice": (lambda step, draws: replace(step, pending=(THREE[0], THREE[0])), NO_SEAT),
    "a fourth seat": (lambda step, draws: replace(step, pending=(Ask(3, "play"),)), NO_SEAT),
    "a seat before the first": (lambda step, draws: replace(step, pending=(Ask(-1, "play"),)), NO_SEAT),
    "ack": (
        lambda step, draws: replace(step, pending=(Ask(0, "ack"),)),
        "`ack` and `resign` are the engine's own words",
    ),
    "resign": (
        lambda step, draws: replace(step, pending=(*THREE[:2], Ask(2, "resign"))),
        "`ack` and `resign` are the engine's own words",
    ),
    "two scores": (with_result((1,), (2,)), NO_SCORES),
    "four scores": (with_result((1,), (2,), (3,), (4,)), NO_SCORES),
    "uneven scores": (with_result((1,), (2, 0), (3,)), NO_SCORES),
    "other ranks": (
        lambda step, draws: replace(step, pending=(), result=Result((1, 2, 3), ((1,), (2,), (3,)), ())),
        NO_SCORES,
    ),
    "a high score": (with_result((1,), (2,), (BIGGEST + 1,)), "a score is out of bounds"),
    "a low score": (with_result((1, 0), (2, -BIGGEST - 1), (3, 0)), "a score is out of bounds"),
    "no sides": (several(("die", 0)), "there is no die with 0 sides"),
    "many sides": (several(("die", 1_000_001)), "there is no die with 1000001 sides"),
    "too many tokens": (
        several(("put", "box", ["x"] * (MOST_TOKENS + 1))),
        f"box holds more than {MOST_TOKENS} tokens",
    ),
    "one token too many": (
        several(("put", "box", ["x"] * MOST_TOKENS), ("under", "box", ["x"])),
        f"box holds more than {MOST_TOKENS} tokens",
    ),
    "nothing there": (several(("put", "box", ["x"]), ("take", "box", 2)), "2 tokens are drawn from box, which holds 1"),
    "fewer than none": (
        several(("put", "box", ["x"]), ("take", "box", -1)),
        "-1 tokens are drawn from box, which holds 1",
    ),
    "not there": (
        several(("put", "box", ["x"]), ("lay_out", "box", ["y"])),
        "box does not hold what is taken out of it",
    ),
    "no sealed field": (several(("unseal", 0, "card")), "seat 1 has no such sealed field"),
    "no field": (several(("unseal", 1)), "seat 2 has no such sealed field"),
    "dealt open tokens": (several(("put", "box", ["x", "y"]), ("deal", "box", 1, "hand/0")), RECOGNISED),
    "sought among open tokens": (
        several(("put", "box", ["x", "y"]), ("seek", 0, "card", "box", "hand/0", ("x",))),
        RECOGNISED,
    ),
    "sought above open tokens": (
        several(("under", "box", ["x"]), ("seek", 0, "card", "box", "hand/0", ("x",))),
        "a token in box is known to everybody: shuffle before searching",
    ),
    "drawn after a shuffle": (
        several(("put", "box", ["x"]), ("shuffle", "box"), ("take", "box", 1)),
        "box was sealed in this entry: ask for a link before it is drawn from",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_rules_must_not_do(playing: Sitting, name: str) -> None:
    change, words = BROKEN[name]
    sitting, found = judged(playing, change)
    assert found.code == "rules-failed"
    assert found.error is not None
    number = sitting.round + 1
    assert str(found.error.message) == f"round {number}: the rules of this game failed: {words}"
    assert str(found.error.next) == "nothing was changed; report it to whoever wrote the game"


FINE: dict[str, Change] = {
    "dice": several(("die", 1), ("die", 1_000_000)),
    "as many tokens as a container holds": several(("put", "box", ["x"] * (MOST_TOKENS - 1)), ("under", "box", ["y"])),
    "all there is": several(("put", "box", ["x", "y"]), ("deal", "box", 2, "other"), ("take", "other", 2)),
    "nothing": several(("put", "box", ["x"]), ("take", "box", 0), ("take", "empty", 0)),
    "out of the tail": several(("under", "box", ["x", "y"]), ("lay_out", "box", ["y"]), ("take", "box", 1)),
    "the highest and the lowest score": with_result((BIGGEST, -BIGGEST), (0, 0), (-BIGGEST, BIGGEST)),
}


@pytest.mark.parametrize("name", FINE)
def test_what_rules_may_do(playing: Sitting, name: str) -> None:
    game = playing.table.game

    def apply(terms: Any, public: Any, pending: Any, moves: Any, draws: Any) -> Any:
        step = game.apply(terms, public, pending, moves, draws)
        return FINE[name](step, draws) if pending[0].what == "play" else step

    with other_program("auction", same_code=True, apply=apply):
        sitting = playing.fork()
        assert sitting.give(sitting.signed(0)).error is None
        assert sitting.round == playing.round + 1
        for seat in range(3):
            assert sitting.opened(seat).round == sitting.round


def test_seats_that_are_out_do_not_keep_rules_busy_for_ever() -> None:
    """The last of the seats that are asked is out: the rules go on without it, and ask it again and again."""
    sitting = Sitting("auction", 3, "contract", deadline=60)
    sitting.step()
    while 0 not in out_seats(sitting.state):
        sitting.step(0)
    game, steps, asked = sitting.table.game, list[Any](), 0

    def stuck(terms: Any, public: Any, pending: Any, moves: Any, draws: Any) -> Any:
        nonlocal asked
        asked += 1
        if not steps:
            steps.append(replace(game.apply(terms, public, pending, moves, draws), pending=(THREE[0],), log=()))
        return steps[0]

    sitting.match.table.game = replace(game, apply=stuck)
    found = None
    for seat in sitting.asked:
        found = sitting.give(sitting.signed(seat))
    assert found is not None
    assert found.error is not None
    assert str(found.error.message).endswith("the rules go on forever without a player")
    assert asked == 10_001


def test_the_faces_that_a_sealed_field_names() -> None:
    assert listed(b'"07"') == ("07",)
    assert listed(b'["07","08"]') == ("07", "08")
    assert (listed(b"[]"), listed(b"7"), listed(b"null"), listed(b'{"a":"b"}')) == ((), (), (), ())
    with pytest.raises(Fault, match="a sealed field does not name tokens") as caught:
        listed(b'["07",8]')
    assert caught.value.code == "rule-broken"


def test_a_slot_leaves_a_container_once_wherever_it_lies() -> None:
    book = Book(Sitting("auction", 3, "contract").state.book, ("hand",), 3)
    book.fill("box", ["a", "b"], under=False)
    book.fill("box", ["c"], under=True)
    assert book.content("box") == ["box+0", "box+1", "box+2"]
    book.drop("box", ["box+2", "box+0"], "bad-opening")
    assert (book.content("box"), book.count("box")) == (["box+1"], 1)
    with pytest.raises(Fault, match="slot box\\+2 is not in box") as caught:
        book.drop("box", ["box+2"], "bad-opening")
    assert caught.value.code == "bad-opening"


@pytest.mark.parametrize(
    ("name", "seat"),
    [("hand/0", 0), ("hand/2", 2), ("hand/3", None), ("hand/02", None), ("hand/-1", None), ("hand", None),
     ("hand/", None), ("pile/0", None), ("hand/0/0", None), ("hand/²", None), ("hand/٠", None)],
)  # fmt: skip
def test_whose_hand_a_container_is(name: str, seat: int | None) -> None:
    assert Book(Sitting("auction", 3, "contract").state.book, ("hand",), 3).owner(name) == seat


def test_a_token_that_was_never_put_in_cannot_come_out() -> None:
    book = Book(Sitting("auction", 3, "contract").state.book, ("hand",), 3)
    book.fill("box", ["a", "a"], under=False)
    assert book.inside["a"] == 2
    book.gone("box+0", "a")
    assert book.inside["a"] == 1
    assert book.faces == {"box+1": "a"}
    book.gone("box+1", "a")
    assert "a" not in book.inside
    with pytest.raises(Fault, match="more tokens 'a' came out than were put in") as caught:
        book.gone("box+1", "a")
    assert caught.value.code == "minted"


def test_a_hand_that_is_filled_before_anything_is_dealt() -> None:
    """The bags of a game hold no hands: what lies in a hand, its owner was told."""
    from referee.engine import lobby

    sitting = Sitting("auction", 3, "contract")
    for bags, good in (({"hand/0": ["01"]}, False), ({"hand/0": []}, True), ({"hand": ["01"]}, True)):
        with pytest.MonkeyPatch.context() as patch:
            terms_of = lobby.open_terms
            patch.setattr(
                lobby,
                "open_terms",
                lambda body, bags=bags, terms_of=terms_of: (
                    replace(terms_of(body)[0], bags=lambda terms, bags=bags: bags),
                    terms_of(body)[1],
                ),
            )
            if good:
                assert lobby.make_genesis(sitting.host, sitting.offer, sitting.joins).id
            else:
                with pytest.raises(RulesFault, match="a hand is filled before anything is dealt"):
                    lobby.make_genesis(sitting.host, sitting.offer, sitting.joins)


def test_a_card_that_is_not_in_the_hand_is_refused_before_the_rules_run(playing: Sitting) -> None:
    sitting = playing.fork()
    assert sitting.give(sitting.forced(0, Play("00"))).code == "illegal"
