"""Moves as data: the program's builder and a second one, written from schemas/MOVES.md, give the same moves."""

import ast
import json
import random
import re
import string
import sys
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from referee import forms
from referee.crypto.codec import encode
from referee.errors import IllegalMove
from referee.games import game_ids
from referee.testing.subject import Snapshot, Subject

from . import moves
from .moves import Json

TEXT = (Path(__file__).parents[2] / "schemas" / "MOVES.md").read_text("utf-8")
EXAMPLE = re.search(r"<!-- example -->(.*)<!-- /example -->", TEXT, re.DOTALL)


def second(choice: Json, values: dict[str, Json]) -> Json:
    """What the second builder makes; None if these values are none of the family's."""
    try:
        return moves.build(choice, values)
    except moves.NoMove:
        return None


def program(choice: forms.Choice, values: dict[str, Json]) -> Json:
    return None if forms.fault(choice, values) else forms.build(choice, values)


def read(choice: Json) -> forms.Choice:
    return msgspec.convert(choice, forms.Choice)


def same(one: Json, other: Json) -> bool:
    """Whether two values are spelled alike: in Python, True is 1."""
    return encode(one) == encode(other)


# --- the example -----------------------------------------------------------------------------------------------------


def rows() -> list[tuple[dict[str, Json], Json]]:
    """Values, and the move that the document says they give (None: no move)."""
    assert EXAMPLE is not None
    found = re.findall(r"^\| `(\{.*\})` \| (?:`(\{.*\})`|no: .+) \|$", EXAMPLE[1], re.MULTILINE)
    return [(json.loads(values), json.loads(move) if move else None) for values, move in found]


def example() -> forms.Moves:
    assert EXAMPLE is not None
    (block,) = re.findall(r"```json\n(.*?)```", EXAMPLE[1], re.DOTALL)
    return msgspec.json.decode(block, type=forms.Moves)


@pytest.mark.parametrize(("values", "move"), rows())
def test_the_example_in_the_document(values: dict[str, Json], move: Json) -> None:
    (choice,) = example().choices
    assert program(choice, values) == move
    assert second(msgspec.to_builtins(choice), values) == move


def test_the_example_is_a_whole_description() -> None:
    assert len(rows()) == 8
    assert sum(move is not None for _, move in rows()) == 3
    (choice,) = example().choices
    assert forms.find(choice, choice.move) is not None


def test_every_member_is_explained() -> None:
    """Every member of a description is in the document, by name."""
    kinds = (
        forms.Moves,
        forms.StandingChoices,
        forms.Choice,
        forms.Option,
        forms.When,
        forms.Term,
        forms.Limit,
        *forms.Part.__args__,
    )
    names = {field.name for kind in kinds for field in msgspec.structs.fields(kind)}
    assert [name for name in sorted(names) if f"`{name}`" not in TEXT] == []
    tags = {kind.__struct_config__.tag for kind in forms.Part.__args__}
    assert [tag for tag in sorted(tags) if f"| `{tag}` |" not in TEXT] == []


# --- families of all kinds -------------------------------------------------------------------------------------------

NAMES = ("ash", "birch", "cedar", "beech")


class Maker:
    """Random families, with everything that a description can have."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.parts: list[Json] = []

    def family(self) -> Json:
        for name in string.ascii_lowercase[: self.rng.randint(1, 4)]:
            kind = self.rng.choice(["pick", "pick", "number", "amounts", "ranking", "free"])
            self.parts.append({"type": kind, "name": name, "ask": f"{name}?", **getattr(self, kind)()})
        limits = [self.limit() for _ in range(self.rng.randrange(3))]
        holes = {part["name"]: {"$": part["name"]} for part in self.parts}
        form = {"do": [*holes.values(), self.form(2)]} if self.rng.random() < 0.2 else holes | {"do": self.form(2)}
        choice = {"text": "x", "move": {}, "form": form, "parts": self.parts}
        return choice | ({"limits": limits} if limits else {})

    def pick(self) -> Json:
        texts = self.rng.sample(NAMES, self.rng.randint(1, 4))
        return {"options": [self.option(text) for text in texts]}

    def option(self, text: str) -> Json:
        rng = self.rng
        option: Json = {"text": text}
        if rng.random() < 0.7:
            option["value"] = rng.choice([None, False, True, 7, "x", [], {"a": 5}])
        if self.parts and rng.random() < 0.5:
            option["when"] = [self.bounds(self.reference(), 1) for _ in range(rng.randint(1, 2))]
        return option | ({"otherwise": True} if rng.random() < 0.3 else {})

    def number(self) -> Json:
        low = self.rng.randint(-2, 2)
        return {"low": low, "high": low + self.rng.randint(-1, 4)}

    def amounts(self) -> Json:
        most = {name: self.rng.randrange(4) for name in self.rng.sample(NAMES, self.rng.randint(1, 4))}
        return {"most": most} | ({"listed": self.rng.sample([*most], len(most))} if self.rng.random() < 0.5 else {})

    def ranking(self) -> Json:
        names = self.rng.sample(NAMES, self.rng.randint(1, 4))
        return {"names": names, "least": self.rng.randint(0, len(names))}

    def free(self) -> Json:
        return {"how": "any", "longest": self.rng.randint(1, 3)}

    def reference(self) -> Json:
        """A part that is there, with a name where that means something."""
        part = self.rng.choice(self.parts)
        names = {
            "pick": [option["text"] for option in part.get("options", ())],
            "amounts": [*NAMES, ""],
            "ranking": [*NAMES, ""],
        }.get(part["type"], [""])
        name = self.rng.choice(names)
        return {"part": part["name"]} | ({"name": name} if name else {})

    def bounds(self, made: Json, low: int) -> Json:
        rng = self.rng
        made |= {"low": rng.randint(low - 2, low + 2)} if rng.random() < 0.5 else {}
        return made | ({"high": rng.randint(low, low + 4)} if rng.random() < 0.5 else {})

    def limit(self) -> Json:
        terms = [
            self.reference() | ({"times": self.rng.choice([-1, 2, 3])} if self.rng.random() < 0.5 else {})
            for _ in range(self.rng.randint(1, 3))
        ]
        return self.bounds({"terms": terms}, self.rng.randint(-2, 3))

    def form(self, depth: int) -> Json:
        rng = self.rng
        match rng.randrange(5) if depth else 4:
            case 0 | 1:
                return {name: self.form(depth - 1) for name in rng.sample(NAMES, rng.randint(1, 3))}
            case 2:
                return [self.form(depth - 1) for _ in range(rng.randrange(4))]
            case 3:
                return rng.choice([None, True, 3, "text", {}, [], {"$": 1, "a": 2}])
        return {"$": rng.choice(self.parts)["name"]}


def any_values(choice: Json, rng: random.Random) -> dict[str, Json]:
    """Values close to what fits, and some that do not fit."""
    made: dict[str, Json] = {}
    for part in choice["parts"]:
        match part["type"]:
            case "pick":
                value: Json = rng.choice([*(option["text"] for option in part["options"]), "oak"])
            case "number":
                value = rng.randint(part["low"] - 1, part["high"] + 1)
            case "amounts":
                value = {
                    name: rng.randint(-1 if rng.random() < 0.1 else 0, 3) for name in part["most"] if rng.random() < 0.7
                }
                value |= {"oak": rng.randrange(2)} if rng.random() < 0.1 else {}
            case "ranking":
                value = rng.choices(part["names"], k=rng.randint(0, 4)) if rng.random() < 0.3 else []
                value = value or rng.sample(part["names"], rng.randint(0, len(part["names"])))
            case "free":
                value = "x" * rng.randrange(5)
        if rng.random() < 0.98:
            made[part["name"]] = value
    return made


def test_families_of_all_kinds_are_built_identically() -> None:
    rng, built, refused, kinds = random.Random("families"), 0, 0, set()
    for _ in range(3000):
        choice = Maker(rng).family()
        ours = read(choice)
        kinds |= {part["type"] for part in choice["parts"]}
        for _ in range(4):
            values = any_values(choice, rng)
            mine, theirs = program(ours, values), second(choice, values)
            assert same(mine, theirs), (choice, values, mine, theirs)
            built += mine is not None
            refused += mine is None
    assert built > 1500
    assert refused > 1500
    assert len(kinds) == 5


def test_what_one_finds_by_chance_the_other_takes() -> None:
    """And `find` gives values that build the same move again."""
    rng, found = random.Random("samples"), 0
    for _ in range(1500):
        choice = Maker(rng).family()
        ours = read(choice)
        values = forms.sample(ours, rng.randrange, 20)
        if values is not None:
            found += 1
            move = forms.build(ours, values)
            assert same(second(choice, dict(values)), move), choice
            again = forms.find(ours, json.loads(encode(move)))
            assert again is not None, (choice, move)
            assert same(forms.build(ours, again), move)
        try:
            values = moves.guessed(choice, rng.randrange)
        except moves.NoMove:
            continue
        assert same(program(ours, values), second(choice, values)), (choice, values)
    assert found > 400


# --- the games -------------------------------------------------------------------------------------------------------


def described(moment: Snapshot, subject: Subject, seat: int) -> Json:
    """The description as another program gets it."""
    return json.loads(encode(list(subject.game.legal(moment.at.terms, moment.at.seen(seat)))))


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", game_ids())
def test_the_second_builder_plays_legal_moves(game_id: str) -> None:
    """It has neither the rules nor our code, yet everything it builds is legal."""
    subject, rng, built = Subject(game_id, most=4), random.Random(game_id), 0
    for moment in subject.moments(60, "second"):
        for ask in moment.asks[:2]:
            for choice in described(moment, subject, ask.seat):
                for _ in range(4):
                    try:
                        move = moves.build(choice, moves.guessed(choice, rng.randrange))
                    except moves.NoMove:
                        continue
                    built += 1
                    check_legal(subject, moment, ask.seat, move)
    assert built > 300


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", game_ids())
def test_a_description_fits_its_schema(game_id: str) -> None:
    schema = msgspec.json.schema(forms.Moves)
    subject, seen = Subject(game_id, most=1), 0
    for moment in subject.moments(6, "schema"):
        ask, standing = moment.asks[0], subject.game.standing
        choices = tuple(subject.game.legal(moment.at.terms, moment.at.seen(ask.seat)))
        words = standing.legal(moment.at.terms, standing.words()) if standing else ()
        said = forms.StandingChoices((), tuple(words)) if standing else None
        jsonschema.validate(json.loads(encode(forms.Moves(moment.at.number, ask.what, choices, said))), schema)
        seen += len(choices)
    assert seen
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"round": 1, "asked": "", "choices": [{"text": "x"}], "standing": None}, schema)


def check_legal(subject: Subject, moment: Snapshot, seat: int, move: Json) -> None:
    decoded: Any = msgspec.convert(move, subject.game.move)
    assert same(decoded, move), f"{moment}: {move} is spelled otherwise"
    try:
        subject.game.check(moment.at.terms, moment.at.seen(seat), decoded)
    except IllegalMove as error:
        raise AssertionError(f"{moment}: {move}: {error.message}") from None


def test_the_second_builder_is_independent() -> None:
    for node in ast.walk(ast.parse(Path(moves.__file__).read_text("utf-8"))):
        imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported = [node.module or ""]
        assert all(name.split(".")[0] in sys.stdlib_module_names for name in imported), imported
