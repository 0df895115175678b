"""Editions changed at random, and with every number at its limits: refused with a message, or a game can be played."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest.mock import patch

import pytest
from msgspec import inspect
from msgspec.structs import replace

from referee.crypto import codec
from referee.errors import Malformed, RefereeError, Usage
from referee.games.weg_zum_erfolg import GAME, arithmetic
from referee.games.weg_zum_erfolg.arithmetic import EFFORT, _Search, solve
from referee.games.weg_zum_erfolg.types import LEVELS, Deal, Edition, Words
from tests.support.plain import PlainDraws

from .build import VARIANTS
from .other import (
    MINE,
    OPPOSITE,
    ROUNDS,
    Data,
    accepted,
    by_random,
    by_sense,
    copy,
    never,
    play,
    random_tower,
    read,
    renamed,
    ring,
    two_rows,
)

KINDS = ("start", "small", "star", "question", "head", "chip", "goal")
EFFECTS = ("forward", "back", "again", "miss", "reserve", "decision", "swap", "lose", "nothing")
WAYS = ("left", "right", "up", "down")
IDS = (
    "a",
    "A" * 12,
    "A" * 13,
    "",
    "reserve",
    "out",
    "@1",
    "S",
    "Z1",
    "愛" * 12,
    "piece 2",
    "e\u0301" * 6,
    " ",
    "'\"\\",
)
TEXTS = ("", "x" * 200, "x" * 201, "@0 and @7", "愛" * 100, "a, b; c: d", "\u202eback", "two\nlines", "100%% {0} {x}")
NUMBERS = (0, 1, 2, 3, 4, 6, 7, 9, 10, 12, 13, 20, 99, 100, 400, 1000, 1001, -1)
Change = Callable[[Data, random.Random], None]


def _field(data: Data, rng: random.Random) -> dict[str, str]:
    found: dict[str, str] = rng.choice(data["fields"])
    return found


def _where(data: Data, rng: random.Random) -> str:
    """A field to lead to: any, or one that needs no way back."""
    special = [field["id"] for field in data["fields"] if field["kind"] in ("start", "goal")]
    return rng.choice([_field(data, rng)["id"], rng.choice(special), "", "nowhere"]) if special else ""


def change_way(data: Data, rng: random.Random) -> None:
    _field(data, rng)[rng.choice(WAYS)] = _where(data, rng)


def change_both_ends(data: Data, rng: random.Random) -> None:
    first, second, way = _field(data, rng), _field(data, rng), rng.choice(WAYS)
    first[way], second[OPPOSITE[way]] = second["id"], first["id"]


def change_kind(data: Data, rng: random.Random) -> None:
    _field(data, rng)["kind"] = rng.choice(KINDS)


def change_kind_a_little(data: Data, rng: random.Random) -> None:
    other = {"small": "star", "star": "small", "question": "head", "head": "question"}
    field = _field(data, rng)
    field["kind"] = other.get(field["kind"], field["kind"])


def change_level(data: Data, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 40))):
        _field(data, rng)["level"] = rng.choice((*LEVELS, "purple" if rng.random() < 0.01 else "blue"))


def rename(data: Data, rng: random.Random) -> None:
    old, new = _field(data, rng)["id"], rng.choice(IDS)
    data["fields"] = [renamed(field, {old: new}) for field in data["fields"]]


def change_id(data: Data, rng: random.Random) -> None:
    _field(data, rng)["id"] = rng.choice(IDS)


def drop(data: Data, rng: random.Random) -> None:
    data["fields"].remove(_field(data, rng))


def cut_out(data: Data, rng: random.Random) -> None:
    """A field between two others goes, and they become neighbours."""
    field, found = _field(data, rng), {field["id"]: field for field in data["fields"]}
    for way in ("right", "up"):
        first, second = found.get(field.get(OPPOSITE[way], "")), found.get(field.get(way, ""))
        if first and second and first.get(way) == field["id"]:
            first[way], second[OPPOSITE[way]] = second["id"], first["id"]
            data["fields"] = [other for other in data["fields"] if other is not field]
            return


def put_between(data: Data, rng: random.Random) -> None:
    """A new field on a way between two others."""
    first, way = _field(data, rng), rng.choice(WAYS)
    second = next((field for field in data["fields"] if field["id"] == first.get(way)), None)
    if second and second.get(OPPOSITE[way]) == first["id"]:
        kind = rng.choice(["small", "small", "star"]) if way in ("up", "down") else "small"
        new = {"id": f"n{rng.randrange(10**6)}", "kind": kind, "level": first["level"]}
        first[way] = second[OPPOSITE[way]] = new["id"]
        data["fields"].append(new | {way: second["id"], OPPOSITE[way]: first["id"]})


def new_connector(data: Data, rng: random.Random) -> None:
    """From any field a way up or down, with a new field on it, to a field that needs no way back."""
    field, way, name = _field(data, rng), rng.choice(("up", "down")), f"n{rng.randrange(10**6)}"
    if field["kind"] not in ("goal", "start"):
        field[way] = name
        new = {"id": name, "kind": rng.choice(["small", "star"]), "level": field["level"]}
        data["fields"].append(new | {way: _where(data, rng), OPPOSITE[way]: field["id"]})


def new_exit(data: Data, rng: random.Random) -> None:
    """The start field gets another way out."""
    start = next((field for field in data["fields"] if field["kind"] == "start"), {})
    to = _field(data, rng)
    start[rng.choice(("left", "right"))], to["down"] = to["id"], start.get("id", "")


def mix_fields(data: Data, rng: random.Random) -> None:
    rng.shuffle(data["fields"])


def exchange(data: Data, rng: random.Random) -> None:
    """Two fields change places."""
    first, second = _field(data, rng)["id"], _field(data, rng)["id"]
    data["fields"] = [renamed(f, {first: second, second: first}) for f in data["fields"]]
    for field in data["fields"]:
        field["kind"] = rng.choice(["star", "small"]) if field["kind"] in ("star", "small") else field["kind"]


def change_pieces(data: Data, rng: random.Random) -> None:
    data[rng.choice(("pieces", "pieces_many"))] = rng.choice((*NUMBERS[:10], 1, 2, 9))


def change_suit(data: Data, rng: random.Random) -> None:
    data["suit"] = sorted(rng.randint(rng.random() > 0.05, 99) for _ in range(rng.choice((0, 1, 4, 8, 21))))


def change_chips(data: Data, rng: random.Random) -> None:
    data["chips"] = [rng.randint(1, 99 if rng.random() < 0.9 else 101) for _ in range(rng.choice((8, 9, 9, 9, 10)))]


def change_thresholds(data: Data, rng: random.Random) -> None:
    data["thresholds"][rng.choice(LEVELS)] = rng.choice(NUMBERS)


def change_chance(data: Data, rng: random.Random) -> None:
    card = rng.choice(data["chance"])
    card |= {"count": rng.choice(NUMBERS), "steps": rng.choice(NUMBERS), "effect": rng.choice(EFFECTS)}


def few_chances(data: Data, rng: random.Random) -> None:
    data["chance"] = [
        {
            "id": f"c{n}",
            "effect": rng.choice(EFFECTS),
            "count": rng.randint(0, 3),
            "steps": rng.choice(NUMBERS),
            "text": "",
        }
        for n in range(rng.randint(1, 3))
    ]


def change_success(data: Data, rng: random.Random) -> None:
    rng.choice(data["success"])["again" if rng.random() < 0.3 else "count"] = rng.choice((0, 1, 5, 100, True, False))


def change_words(data: Data, rng: random.Random) -> None:
    card = rng.choice(data["chance"] + data["success"])
    card[rng.choice(("id", "text"))] = rng.choice((*TEXTS, *IDS))
    data["name"] = rng.choice(TEXTS)


BOARD_CHANGES: tuple[Change, ...] = (
    change_way,
    change_both_ends,
    change_kind,
    change_kind_a_little,
    change_level,
    rename,
    change_id,
    drop,
    cut_out,
    cut_out,
    put_between,
    put_between,
    new_connector,
    new_connector,
    new_exit,
    mix_fields,
    exchange,
)
OTHER_CHANGES: tuple[Change, ...] = (
    change_pieces,
    change_suit,
    change_chips,
    change_thresholds,
    change_chance,
    few_chances,
    change_success,
    change_words,
)


def changed(rng: random.Random, changes: Sequence[Change], tried: int) -> Iterator[Deal | RefereeError]:
    """Editions, each one change away from one that was accepted, and what the program makes of them."""
    bases = [lambda: copy(MINE), two_rows, ring, lambda: random_tower(rng, rng.randint(1, 5))]
    data = copy(MINE)
    for number in range(tried):
        if number % 12 == 0:
            data = rng.choice(bases)()
        new = copy(data)
        rng.choice(changes)(new, rng)
        try:
            terms = accepted(new, rng.randint(2, 8), **VARIANTS[rng.choice(list(VARIANTS))])
        except (Malformed, Usage) as error:
            yield error
        else:
            data = new
            yield terms


@pytest.mark.thorough
@pytest.mark.parametrize(("changes", "tried"), [(BOARD_CHANGES, 64), (OTHER_CHANGES, 40)], ids=["board", "material"])
def test_LO_5_what_is_accepted_can_be_played(changes: Sequence[Change], tried: int) -> None:
    """Whatever is refused is refused with a message and a next step; everything else can be played."""
    rng = random.Random(tried)
    played = refused = 0
    for found in changed(rng, changes, tried):
        if isinstance(found, RefereeError):
            assert str(found.message)
            assert str(found.next)
            refused += 1
        else:
            play(found, rng.choice([by_random, by_random, by_sense, never]), rng, 40, 8)
            played += 1
    assert played > tried // 4
    assert refused > tried // 8


# --- every number at its limits ---------------------------------------------------------------------------------------

Path = tuple[str | int, ...]


def numbers(kind: Any, data: Any, path: Path = ()) -> Iterator[tuple[Path, int, int]]:
    """Every number of an edition: where it is, and the least and the most that its type allows."""
    match kind:
        case inspect.IntType():
            assert kind.ge is not None, path
            assert kind.le is not None, path
            yield path, kind.ge, kind.le
        case inspect.StructType():
            for field in kind.fields:
                yield from numbers(field.type, data.get(field.name, field.default), (*path, field.name))
        case inspect.VarTupleType():
            assert kind.max_length is not None, path
            for at, item in enumerate(data):
                yield from numbers(kind.item_type, item, (*path, at))
        case inspect.StrType():
            assert kind.max_length or kind.pattern, path


BASE = two_rows()
PLACES = [*numbers(inspect.type_info(Edition), BASE)]


def with_numbers(changes: dict[Path, int]) -> Data:
    data = copy(BASE)
    for path, number in changes.items():
        place: Any = data
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = number
    return data


def played(data: Data, rng: random.Random, seats: int = 2) -> bool:
    """A whole game with this edition, or its refusal."""
    try:
        terms = accepted(data, seats)
    except Usage:
        return False
    assert play(terms, by_random, rng, ROUNDS, 100).result is not None
    return True


@pytest.mark.thorough
def test_LO_1_every_number_at_its_limits_is_refused_or_played() -> None:
    rng, done = random.Random(1), 0
    assert {path[0] for path, _, _ in PLACES} == {*BASE} - {"name", "fields"}
    for path, least, most in PLACES:
        for beyond in (least - 1, most + 1, 2**53, -(2**53)):
            with pytest.raises(Malformed, match="Expected `int`"):
                read(with_numbers({path: beyond}))
        # Cards and chips differ in nothing but their place: the first and the last speak for all.
        if path[0] not in ("suit", "chips") or path[1] in (0, 8, 12):
            done += sum(played(with_numbers({path: number}), rng) for number in (least, most))
    assert done > 50


@pytest.mark.thorough
def test_LO_1_many_numbers_at_their_limits_together() -> None:
    rng = random.Random(2)
    cards = {path for path, _, _ in PLACES if path[-1] == "count"}
    least = {path: low for path, low, _ in PLACES}
    most = {path: high for path, _, high in PLACES}
    free = least.keys() - cards
    assert not played(with_numbers(least), rng), "no cards"
    assert not played(with_numbers(most), rng), "too many cards"
    assert played(with_numbers({path: least[path] for path in free}), rng)
    assert played(with_numbers({path: most[path] for path in free}), rng)
    assert played(with_numbers({path: least[path] for path in free}), rng, 8)
    assert not played(copy(MINE) | {"pieces_many": 9}, rng, 8), "72 pieces are too many on the printed board"
    for at, card in enumerate(BASE["chance"]):
        alone = {path: 0 for path in cards if path[0] == "chance"} | {("chance", at, "count"): 400}
        assert played(with_numbers(alone), rng) == (card["effect"] not in ("reserve", "back", "swap"))


def test_LO_1_the_longest_lists_and_texts_make_a_position_of_bounded_size() -> None:
    text, data = "\u611b" * 200, copy(MINE)
    data["chance"] = [{"id": f"{n:040}", "effect": "nothing", "count": 4, "text": text} for n in range(100)]
    data["success"] = [{"id": f"{n:040}", "again": False, "count": 4, "text": text} for n in range(100)]
    data |= {"name": text, "suit": [99] * 20, "pieces_many": 4}
    terms = accepted(data, 8, zufallsziele=True)
    draws = PlainDraws(GAME.bags(terms), random.Random(1), hands=GAME.hands)
    said = Words(True, LEVELS, tuple(range(985, 1001)), 400, 2, True)
    public = GAME.setup(terms, draws, (said,) * 8).public
    piles = {f"{pile}_under": GAME.bags(terms)[pile] for pile in ("chance", "success")}
    assert len(codec.encode(replace(public, **piles))) < 50_000
    for name, longer in (("chance", 101), ("success", 101), ("suit", 21), ("chips", 10), ("fields", 601)):
        with pytest.raises(Malformed, match=name):
            read(data | {name: (data[name] * 601)[:longer]})


@pytest.mark.thorough
@pytest.mark.parametrize("own", [(99,) * 20, tuple(range(61, 100, 2)), (97, 98, 99), tuple(range(1, 21))])
def test_LO_16_no_suit_keeps_the_solver_busy(own: tuple[int, ...]) -> None:
    for table in ((), (97, 89, 83, 79, 73, 71, 67)):
        search = _Search(EFFORT)
        with patch.object(arithmetic, "_Search", lambda effort, search=search: search):
            solve(own, table, 11, 8)
        assert search.left > -200, "no more than the effort, and what three cards can make"
