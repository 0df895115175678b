"""The suite fails no honest game, and what a game leaves out has defaults."""

import random
from pathlib import Path

import msgspec
import pytest

from referee import games
from referee.errors import IllegalMove
from referee.testing.sandbox import Sandbox
from referee.testing.subject import Setup, Subject
from referee.testing.suite import failures
from referee.testing.values import any_value, type_info

from .planted import added

HEAD = '''"""A small honest game."""
from typing import Annotated, Any, Literal

import msgspec
from referee.forms import Amounts, Choice, Limit, Number, Ranking, Term, family, one_of
from referee.game import LINK, Ask, Game, Step, not_legal, note, ranked


'''

LADDER = """
class Climb(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="climb", tag_field="do"):
    rung: Annotated[str, msgspec.Meta(pattern=r"\\\\A[a-s][0-9]{1,2}\\\\Z")]
    pay: Annotated[int, msgspec.Meta(ge=0, le=100, multiple_of=5)]


class Rest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="rest", tag_field="do"):
    pass


class Public(msgspec.Struct, frozen=True):
    rungs: tuple[str, ...]
    turn: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0


def setup(terms, draws):
    return Step(Public(("a1",) * terms.seats), (Ask(0, "climb"),), (note("starts"),))


def apply(terms, public, pending, answers, draws):
    (ask,) = pending[:1]
    if ask.what == LINK:
        (card,) = draws.take("pile", 1)
        draws.put("pile", [card])
        draws.shuffle("pile")
        seat = public.turn % terms.seats
        return Step(public, (Ask(seat, "climb"),), (note("card", card=card),))
    move, rungs = answers[ask.seat], list(public.rungs)
    if isinstance(move, Climb):
        if move.rung not in above(public, ask.seat) or move.pay not in (5, 10):
            raise not_legal("LA-1")
        rungs[ask.seat] = move.rung
    public = Public(tuple(rungs), public.turn + 1)
    if public.turn == 6 * terms.seats:
        return Step(public, (), (), ranked([(int(rung[1:]),) for rung in rungs]))
    return Step(public, tuple(Ask(seat, LINK) for seat in range(terms.seats)))


def above(public, seat):
    return [f"b{int(public.rungs[seat][1:]) + more}" for more in (1, 2)]


def legal(terms, seen):
    if not seen.ask:
        return []
    what = {"climb": above(seen.public, seen.seat)}[seen.ask.what]  # a confirmation would fail here
    pays = (5, 10)
    return [Choice("have a rest", Rest()), *(Choice(f"{r} for {p}", Climb(r, p)) for r in what for p in pays)]


GAME = Game(
    title="Ladder",
    seats=(2, 3),
    public=Public,
    move=Climb | Rest,
    bags=lambda terms: {"pile": ["red", "green", "blue"]},
    setup=setup,
    apply=apply,
    legal=legal,
    render=lambda terms, seen, names, paint, width: " ".join(seen.public.rungs),
    bots={"sensible": lambda terms, seen, below: legal(terms, seen)[-1].move},
)
"""

FISTS = """
class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    shows: Literal["paper", "rock", "scissors"] = "rock"


class Public(msgspec.Struct, frozen=True):
    shown: tuple[str, ...] = ()


def apply(terms, public, pending, answers, draws):
    shown = tuple(draws.unseal(seat, "shows").shows if move else "" for seat, move in answers.items())
    beats = {("paper", "rock"), ("rock", "scissors"), ("scissors", "paper")}
    scores = [((mine, other) in beats or not other) - (not mine) for mine, other in (shown, shown[::-1])]
    return Step(Public(shown), (), (), ranked([(score,) for score in scores]))


def legal(terms, seen):
    hands = ("paper", "rock", "scissors") if seen.ask else ()
    return [Choice(f"shows {hand}", Move(hand)) for hand in hands]


GAME = Game(
    title="Fists",
    seats=(2, 2),
    public=Public,
    move=Move,
    setup=lambda terms, draws: Step(Public(), tuple(Ask(seat, "fist", ("shows",)) for seat in (0, 1))),
    apply=apply,
    legal=legal,
    render=lambda terms, seen, names, paint, width: " ".join(seen.public.shown),
    bots={"sensible": lambda terms, seen, below: Move("paper")},
)
"""

ALONE = """
Few = Annotated[int, msgspec.Meta(ge=0, le=9)]
GOODS = ("salt", "silk", "wine")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Annotated[int, msgspec.Meta(ge=1, le=5)] = 3


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    price: Few
    load: dict[Literal["salt", "silk", "wine"], Few] = {}
    order: Annotated[tuple[Literal["salt", "silk", "wine"], ...], msgspec.Meta(max_length=3)] = ()
    loud: bool = False
    guest: Literal["Ann", "Bob"] | None = None


class Public(msgspec.Struct, frozen=True):
    round: Few = 1
    sold: dict[str, Annotated[int, msgspec.Meta(ge=0, le=99)]] = {}


def apply(terms, public, pending, answers, draws):
    move = answers[0]
    if move is not None and (sum(move.load.values()) > 3 or not all(move.load.values()) or wrong(move.order)):
        raise not_legal()
    sold = dict(public.sold)
    for goods, number in move.load.items() if move else ():
        sold[goods] = sold.get(goods, 0) + number
    public, more = Public(public.round + 1, sold), public.round < terms.options.rounds
    if more:
        return Step(public, (Ask(0, "load"),))
    return Step(public, (), (), ranked([(sum(sold.values()),)]))


def wrong(order):
    return len(set(order)) < len(order)


def legal(terms, seen):
    load = Amounts("load", "how much?", dict.fromkeys(GOODS, 3))
    parts = [
        Number("price", "which price?", 0, 9),
        load,
        Ranking("order", "in which order?", GOODS, 0),
        msgspec.structs.replace(one_of("guest", "who comes?", ("Ann", "Bob")), name="guest"),
    ]
    full = (Limit(tuple(Term("load", goods) for goods in GOODS), 0, 3),)
    found = []
    for loud in (False, True):
        text = "load, loudly" if loud else "load"
        found.append(family(f"{text}, with a guest", Move(0, loud=loud, guest="Ann"), parts, limits=full))
        found.append(family(text, Move(0, loud=loud), parts[:3], limits=full))
    return found if seen.ask else []


GAME = Game(
    title="Alone",
    seats=(1, 1),
    options=Options,
    public=Public,
    move=Move,
    setup=lambda terms, draws: Step(Public(), (Ask(0, "load"),)),
    apply=apply,
    legal=legal,
    render=lambda terms, seen, names, paint, width: str(seen.public.round),
    bots={"sensible": lambda terms, seen, below: Move(9, {"silk": 3}, ("silk",))},
)
"""
GAMES = {"ladder": LADDER, "fists": FISTS, "alone": ALONE}


def files(name: str) -> dict[str, str]:
    return {"__init__.py": HEAD + GAMES[name].replace("\\\\", "\\"), "RULES.md": "**LA-1** Climb.\n"}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.thorough
def test_an_honest_game_passes(name: str, tmp_path: Path) -> None:
    with added(tmp_path, f"honest_{name}", files(name)) as game_id:
        assert list(failures(Subject(game_id, quick=True))) == []


def test_the_defaults(tmp_path: Path) -> None:
    """What a game leaves out follows from its legal moves."""
    with added(tmp_path, "honest_alone", files("alone")) as game_id:
        game, subject = games.load(game_id), Subject(game_id)
        at = Sandbox(game, subject.terms(Setup(1)))
        seen, alone = at.seen(0), game.move
        texts = {
            "3": alone(3),
            "3, load 2 silk 1 wine, order wine salt": alone(3, {"silk": 2, "wine": 1}, ("wine", "salt")),
            "0, loud yes, guest Bob": alone(0, loud=True, guest="Bob"),
        }
        for text, move in texts.items():
            assert game.text(move) == text
            assert game.parse(at.terms, seen, text) == move
            game.check(at.terms, seen, move)
        assert game.parse(at.terms, seen, "price 3") == alone(3)
        assert game.parse(at.terms, seen, " 3  LOAD 1 silk loud no ") == alone(3, {"silk": 1})
        for wrong in (
            "",
            "three",
            "3 4 5 x",
            "load 1 silk",
            "3, load silk",
            "3, load 1 silk 2 silk",
            "3, loud yes, loud no",
            "3, guest Eve",
            "10",
        ):
            with pytest.raises(IllegalMove, match="not a move"):
                game.parse(at.terms, seen, wrong)
        with pytest.raises(IllegalMove, match="not legal now"):
            game.check(at.terms, seen, alone(3, {"silk": 4}))
        assert games.edition_bytes(game_id) == b"{}"
        assert set(game.bots) == {"random", "sensible"}


def test_default_sentences(tmp_path: Path) -> None:
    with added(tmp_path, "honest_ladder", files("ladder")) as game_id:
        game = games.load(game_id)
        log = Sandbox(game, Subject(game_id).terms(Setup(2))).log
        assert [game.tell(None, note) for note in log] == ["starts"]
        module = games.import_module(games.module_of(game_id))
        assert game.tell(None, module.note("card", seat=1, card="red")) == "card: @1, card red"
        assert game.text(module.Rest()) == "rest"
        assert game.text(module.Climb("b2", 5)) == "climb b2 5"


def test_random_lists_have_no_items_or_one_or_many() -> None:
    rng, kind = random.Random(1), type_info(tuple[bool, ...])
    sizes = {len(msgspec.convert(any_value(kind, rng, ()), list[bool])) for _ in range(50)}
    assert {0, 1} < sizes
    assert max(sizes) > 20
