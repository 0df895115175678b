"""A game's folder and record: complete, well-typed, alone."""

import ast
import re
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec import inspect

from referee import games
from referee.crypto.codec import decode, encode
from referee.engine.table import make_terms, read_edition
from referee.errors import Usage
from referee.game import Game, Terms

from .cases import CASES, IDS, Case, everything

PARTS = ("options", "edition", "public", "own", "hidden", "move")
FUNCTIONS = (
    "validate", "bags", "setup", "check", "apply", "legal", "fallback", "parse", "text", "draw", "holds",
)  # fmt: skip
CLAUSE = re.compile(r"^\*\*([A-Z]{2,4}-\d+)\*\* \(([A-Z](?:, [A-Z])*)\) \S", re.MULTILINE)
MARKS = {"S", "D", "F", "R", "T"}
"""Stated, derived, reported, reconstructed; T for a game that is its own source."""
ALLOWED = {
    "msgspec",
    "typing",
    "collections",
    "functools",
    "itertools",
    "fractions",
    "math",
    "re",
    "unicodedata",
    "__future__",
}
"""What a game may import beside `referee.game`, `referee.errors`, `referee.picture` and its own folder."""
BUILT_IN = {"open", "eval", "exec", "__import__", "input", "print", "globals", "id", "hash", "compile"}
"""What would reach outside, or give another value tomorrow."""


def folder(game_id: str) -> Path:
    found = [Path(path) / game_id.replace("-", "_") for path in games.__path__]
    return next(path for path in found if path.is_dir())


@pytest.fixture(params=IDS)
def game_id(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_games_are_found() -> None:
    assert {"schwarzer-freitag", "auction"} <= set(IDS)
    assert len(CASES) >= 11


def test_the_record_is_complete(game_id: str) -> None:
    game = games.load(game_id)
    assert isinstance(game, Game)
    assert game.title.strip()
    assert game.title.isprintable()
    assert re.fullmatch(r"[0-9A-Za-z.]+", game.rules)
    low, high = game.seats
    assert 1 <= low <= high <= 63
    assert all(callable(getattr(game, name)) for name in FUNCTIONS)
    assert {"random", "sensible"} <= set(game.bots)
    assert all(callable(bot) for bot in game.bots.values())


def test_id_and_folder_agree(game_id: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", game_id)
    names = {path.name for path in folder(game_id).iterdir()}
    assert {"__init__.py", "edition.json", "RULES.md"} <= names
    assert sys.modules[type_module(games.load(game_id))].__name__.startswith(
        f"referee.games.{game_id.replace('-', '_')}"
    )


def type_module(game: Game) -> str:
    return game.public.__module__


def test_an_unknown_game_is_refused() -> None:
    for name in ("no-such-game", "..", "", "a/b", "schwarzer_freitag/", "\0"):
        with pytest.raises(Usage):
            games.load(name)


def test_clauses_have_marks_and_ids_of_their_own(game_id: str) -> None:
    text = games.rules_text(game_id)
    found = CLAUSE.findall(text)
    names = [name for name, _ in found]
    assert len(names) >= 3
    assert len(set(names)) == len(names)
    assert len({name.split("-")[0] for name in names}) == 1
    assert [int(name.split("-")[1]) for name in names] == list(range(1, len(names) + 1))
    assert all(set(marks.split(", ")) <= MARKS for _, marks in found)
    assert len(names) == len(re.findall(r"^\*\*[A-Z]+-\d+\*\*", text, re.MULTILINE)), "a clause without a mark"


def test_clauses_named_in_the_code_exist(game_id: str) -> None:
    known = {name for name, _ in CLAUSE.findall(games.rules_text(game_id))}
    prefix = next(iter(known)).split("-")[0]
    used: set[str] = set()
    for path in folder(game_id).glob("*.py"):
        used |= set(re.findall(rf"\b{prefix}-\d+\b", path.read_text("utf-8")))
    assert used
    assert used <= known


def test_the_edition_survives_a_canonical_round_trip(game_id: str) -> None:
    game = games.load(game_id)
    edition = read_edition(game, games.edition_bytes(game_id))
    data = encode(edition)
    again = decode(data, game.edition, "edition")
    assert again == edition
    assert encode(again) == data
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data[:-1] + b',"zz":1}', type=game.edition)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_edition_is_valid_for_all_terms(case: Case) -> None:
    terms = case.terms
    assert case.game.validate(terms) is None
    options = encode(terms.options)
    assert decode(options, case.game.options, "options") == terms.options


def test_seats_outside_the_range_are_refused(game_id: str) -> None:
    game = games.load(game_id)
    edition = read_edition(game, games.edition_bytes(game_id))
    for seats in (game.seats[0] - 1, game.seats[1] + 1, 0, -1, 64):
        with pytest.raises(Usage):
            make_terms(game, seats, game.options(), edition)


def test_validate_says_no_with_usage_only(game_id: str) -> None:
    """Editions with numbers taken away or blown up are refused as `Usage`, or can be dealt with."""
    game = games.load(game_id)
    base = msgspec.to_builtins(read_edition(game, games.edition_bytes(game_id)))
    refused = []
    for name, value in base.items():
        for strange in _strange(value):
            try:
                edition = msgspec.convert(base | {name: strange}, game.edition)
            except msgspec.ValidationError:
                continue
            try:
                game.validate(Terms(game.seats[0], game.options(), edition))
            except Usage as error:
                refused.append(error)
    assert refused
    assert all(error.message and error.next for error in refused)


def _strange(value: object) -> list[object]:
    if isinstance(value, int):
        return [0, 1, 1000]
    if isinstance(value, list):
        return [[], value[:1], value[::-1], [*value, *value]]
    return ["", "x"]


def test_options_have_defaults(game_id: str) -> None:
    options = games.load(game_id).options
    assert all(not field.required for field in msgspec.structs.fields(options))
    assert decode(encode(options()), options, "options") == options()


@pytest.mark.parametrize("part", PARTS)
def test_no_value_has_two_spellings(game_id: str, part: str) -> None:
    """With `omit_defaults` msgspec compares a default struct by identity: equal values would be spelled differently."""
    for kind in everything(getattr(games.load(game_id), part)):
        if not isinstance(kind, inspect.StructType) or not kind.cls.__struct_config__.omit_defaults:
            continue
        for field in msgspec.structs.fields(kind.cls):
            assert not isinstance(field.default, msgspec.Struct), f"{kind.cls.__name__}.{field.name}"
            if field.default_factory is not msgspec.NODEFAULT:
                assert field.default_factory in (list, dict, set, tuple), f"{kind.cls.__name__}.{field.name}"


@pytest.mark.parametrize("part", PARTS)
def test_types_are_exact(game_id: str, part: str) -> None:
    """No floats, nothing untyped, no sets (they have no order); every integer has bounds that JSON readers share."""
    for kind in everything(getattr(games.load(game_id), part)):
        assert not isinstance(
            kind,
            inspect.FloatType | inspect.AnyType | inspect.DecimalType | inspect.RawType | inspect.SetType
            | inspect.FrozenSetType | inspect.BytesType | inspect.DateTimeType | inspect.CustomType,
        ), kind  # fmt: skip
        if isinstance(kind, inspect.IntType):
            assert kind.ge is not None, "an integer without a lower bound"
            assert kind.le is not None, "an integer without an upper bound"
            assert kind.le <= 2**53 - 1
        if isinstance(kind, inspect.StructType):
            assert kind.cls.__struct_config__.frozen, kind.cls.__name__


@pytest.mark.parametrize("part", ["options", "edition", "move"])
def test_what_comes_from_outside_forbids_unknown_fields(game_id: str, part: str) -> None:
    for kind in everything(getattr(games.load(game_id), part)):
        if isinstance(kind, inspect.StructType):
            assert kind.forbid_unknown_fields, kind.cls.__name__


def test_a_union_of_moves_is_told_apart_by_tags(game_id: str) -> None:
    kind = inspect.type_info(games.load(game_id).move)
    if isinstance(kind, inspect.UnionType):
        structs = [one for one in kind.types if isinstance(one, inspect.StructType)]
        assert len(structs) == len(kind.types)
        assert len({(one.tag_field, one.tag) for one in structs}) == len(structs)
        assert len({one.tag_field for one in structs}) == 1


def test_a_game_imports_nothing_from_outside(game_id: str) -> None:
    paths = sorted(folder(game_id).rglob("*.py"))
    assert paths
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= ALLOWED, f"{path.name}:{node.lineno}"
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                module = node.module or ""
                own = f"referee.games.{game_id.replace('-', '_')}"
                fine = (
                    module in ("referee.game", "referee.errors", "referee.picture") or module.split(".")[0] in ALLOWED
                )
                assert fine or module == own or module.startswith(own + "."), f"{path.name}:{node.lineno}: {module}"
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 1, f"{path.name}:{node.lineno}: out of the folder"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in BUILT_IN, f"{path.name}:{node.lineno}: {node.func.id}()"
            elif isinstance(node, ast.Constant):
                assert not isinstance(node.value, complex)
