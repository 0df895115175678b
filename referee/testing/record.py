"""Checks of a game's files, record and types; and of editions with other numbers, which `validate` refuses unless they
can be played to the end."""

import ast
import random
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import inspect

from referee import games
from referee.crypto.codec import decode, encode
from referee.defaults import kinds
from referee.engine.book import MOST_TOKENS
from referee.engine.records import MOST_SEATS, BagName, HandName
from referee.engine.table import make_terms
from referee.errors import Malformed, Usage
from referee.game import Game, Later, Terms
from referee.testing.playing import games_end, steps_are_in_form
from referee.testing.subject import Setup, Subject, play
from referee.testing.values import BIGGEST, at_a_bound, everything

ALLOWED = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "difflib", "enum", "fractions", "functools", "heapq",
    "itertools", "math", "msgspec", "operator", "re", "string", "textwrap", "types", "typing", "unicodedata",
}  # fmt: skip
"""What a game may import besides `OURS` and its own modules."""
OURS = (
    "referee.game",
    "referee.forms",
    "referee.errors",
    "referee.games",
    "referee.language",
    "referee.grammar",
    "referee.columns",
    "referee.playout",
    "referee.svg",
)
OUTSIDE = {"open", "eval", "exec", "__import__", "input", "print", "globals", "id", "hash", "compile", "breakpoint"}
"""Built-in functions with side effects, or with results that differ between runs."""
EDITIONS = 10
"""Editions to play."""
TRIES = 300
"""Attempts to find them."""
_INEXACT = (
    inspect.FloatType, inspect.AnyType, inspect.DecimalType, inspect.RawType, inspect.SetType, inspect.FrozenSetType,
    inspect.BytesType, inspect.ByteArrayType, inspect.DateTimeType, inspect.CustomType,
)  # fmt: skip


def record_is_complete(subject: Subject) -> None:
    """Id, title, version, seats, hands, functions and bots are present and well-formed."""
    game = subject.game
    assert isinstance(game, Game), "GAME is not a `referee.game.Game`"
    assert re.fullmatch(r"[a-z0-9-]{1,40}", subject.game_id), (
        f"the id {subject.game_id!r} has characters other than a-z 0-9 -"
    )
    assert game.title.strip(), "the title is empty"
    assert game.title.isprintable(), "the title cannot be printed"
    assert re.fullmatch(r"[0-9A-Za-z.]{1,40}", game.rules), f"{game.rules!r} is not a version of rules"
    low, high = game.seats
    assert 1 <= low <= high <= MOST_SEATS, f"seats {low} to {high}: a table has 1 to {MOST_SEATS}"
    for hand in game.hands:
        assert _is_a(hand, HandName), f"the hand name {hand!r} does not fit [a-z]{{1,20}}"
    assert len(set(game.hands)) == len(game.hands), "a hand is named twice"
    for name in ("validate", "bags", "setup", "apply", "check", "legal", "parse", "text", "tell", "render"):
        function = getattr(game, name)
        assert callable(function), f"`{name}` is not a function"
        if isinstance(function, Later):
            try:
                function.find()
            except (ImportError, AttributeError) as error:
                raise AssertionError(f"`{name}` cannot be imported from {function.path}: {error}") from None
    missing = {"random", "sensible"} - set(game.bots)
    assert not missing, f"bots are missing: {', '.join(sorted(missing))}"


def _is_a(value: object, kind: object) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def types_are_exact(subject: Subject) -> None:
    """Every number has bounds, everything is typed and ordered, and a value has one spelling."""
    # Standing orders come first: the position contains them.
    typed = {} if subject.game.standing is None else {"standing orders": subject.game.standing.words}
    typed |= {part: getattr(subject.game, part) for part in ("options", "edition", "public", "move")}
    for part, whole in typed.items():
        for kind in everything(whole):
            assert not isinstance(kind, _INEXACT), f"{part} has the inexact type {type(kind).__name__}"
            if isinstance(kind, inspect.IntType):
                low, high = (kind.ge, kind.gt), (kind.le, kind.lt)
                assert low != (None, None), f"{part} has a number without a lower bound"
                assert high != (None, None), f"{part} has a number without an upper bound"
                ends = [abs(end) for end in (*low, *high) if end is not None]
                assert max(ends) <= BIGGEST, f"{part} has a number beyond 2^53-1"
            if isinstance(kind, inspect.StructType):
                _struct_is_exact(part, kind)
    members = inspect.type_info(subject.game.move)
    structs = kinds(subject.game.move)
    assert structs, "a move is a struct or a union of structs"
    if isinstance(members, inspect.UnionType):
        assert len(structs) == len(members.types), "a move is a struct or a union of structs"
        assert len({one.tag_field for one in structs}) == 1, "moves are told apart by one tag field"


def _struct_is_exact(part: str, kind: inspect.StructType) -> None:
    name = f"{part}: {kind.cls.__name__}"
    assert kind.cls.__struct_config__.frozen, f"{name} is not frozen"
    if part != "public":
        assert kind.forbid_unknown_fields, f"{name} does not forbid unknown fields"
    for field in msgspec.structs.fields(kind.cls):
        assert field.name == field.encode_name, f"{name}.{field.name} is renamed when it is written"
        if kind.cls.__struct_config__.omit_defaults:
            # Defaults that are structs are compared by identity: equal values would be spelled differently.
            plain = field.default_factory in (msgspec.NODEFAULT, list, dict, tuple)
            twice = not plain or isinstance(field.default, msgspec.Struct)
            assert not twice, f"{name}.{field.name} has two spellings: a struct as its default, with omit_defaults"


def options_have_defaults(subject: Subject) -> None:
    """A game can be offered without naming an option."""
    options = subject.game.options
    for field in msgspec.structs.fields(options):
        assert not field.required, f"the option {field.name} has no default"
    assert decode(encode(options()), options, "options") == options(), "the default options do not read back"


def edition_is_good(subject: Subject) -> None:
    """The default edition reads back and is accepted for every number of seats."""
    game = subject.game
    try:
        edition = subject.edition
    except Malformed as error:
        raise AssertionError(f"edition.json: {error.message}") from None
    assert decode(encode(edition), game.edition, "edition") == edition, "edition.json does not read back"
    low, high = game.seats
    for seats in range(low, high + 1):
        try:
            make_terms(game, seats, game.options(), edition)
        except Usage as error:
            raise AssertionError(f"the default edition is refused for {seats} seats: {error.message}") from None


def strange_editions_are_refused(subject: Subject) -> None:
    """An edition with other values is refused as `Usage`, or its bags can be filled."""
    game, base = subject.game, msgspec.to_builtins(subject.edition)
    for name, value in base.items():
        for strange in _strange(value):
            where = f"an edition with {name}={str(strange)[:40]}"
            edition = _accepted(game, base | {name: strange}, game.seats[:1], where)
            if edition is not None:
                _check_bags(game, game.bags(Terms(game.seats[0], game.options(), edition)), where)


def _strange(value: object) -> list[object]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [0, 1, 1000, BIGGEST]
    if isinstance(value, list):
        return [[], value[:1], value[::-1], [*value, *value]]
    return ["", "x", "x" * 10_000]


def _accepted(game: Game, plain: object, seats: Sequence[int], where: str) -> object:
    """The edition that this JSON is, if the game accepts it for these numbers of seats; else None."""
    try:
        edition = msgspec.convert(plain, game.edition)
        for number in seats:
            make_terms(game, number, game.options(), edition)
    except (msgspec.ValidationError, Usage):
        return None
    except Exception as error:
        raise AssertionError(f"`validate` fails on {where}: {error!r}") from error
    return edition


def extreme_editions_play(subject: Subject) -> None:
    """Editions with numbers at their bounds are refused as `Usage`, or a random game reaches its end."""
    low, high = subject.game.seats
    for number, edition in enumerate(accepted(subject)):
        twin = Subject(subject.game_id, quick=subject.quick)
        twin.edition = edition
        twin.plays = [play(twin, Setup((low, high)[number % 2], late=0.05))]
        changes = ", ".join(_changes(msgspec.to_builtins(subject.edition), msgspec.to_builtins(edition)))
        try:
            games_end(twin)
            steps_are_in_form(twin)
        except AssertionError as error:
            raise AssertionError(f"an edition with {changes[:300]}: {error}") from None


def accepted(subject: Subject) -> list[object]:
    """Some editions that the game accepts for every number of seats, with a few numbers at their bounds."""
    game, rng, found = subject.game, random.Random(f"editions {subject.game_id}"), [subject.edition]
    base, form = msgspec.to_builtins(subject.edition), inspect.type_info(game.edition)
    for number in range(TRIES):
        share = (0.004, 0.01, 0.02, 0.1, 0.4, 1.0)[number % 6]
        plain = at_a_bound(form, base, share, rng)
        edition = _accepted(game, plain, game.seats, "an edition with numbers at their bounds")
        if edition is not None and edition not in found:
            found.append(edition)
    return rng.sample(found[1:], min(subject.sample(EDITIONS), len(found) - 1))


def _changes(old: object, new: object, path: str = "") -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in new:
            yield from _changes(old.get(name), new[name], f"{path}.{name}" if path else name)
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _changes(one, other, f"{path}[{at}]")
    elif old != new:
        yield f"{path}={new}"


def bags_are_in_form(subject: Subject) -> None:
    """The containers that are sealed before the first draw have valid names, faces and sizes; hands are empty."""
    game = subject.game
    for way in subject.ways:
        terms = subject.terms(way)
        found = game.bags(terms)
        _check_bags(game, found, str(way))
        again = game.bags(terms)
        assert {bag: sorted(faces) for bag, faces in found.items()} == {
            bag: sorted(faces) for bag, faces in again.items()
        }, "`bags` returns something else when it is called again"


def _check_bags(game: Game, bags: Mapping[str, Sequence[str]], where: str) -> None:
    for bag, faces in bags.items():
        assert _is_a(bag, BagName), f"{where}: the container name {bag!r} does not fit [a-z]{{1,20}}(/[0-9]{{1,2}})?"
        stem, slash, _ = bag.partition("/")
        assert not (slash and stem in game.hands and faces), (
            f"{where}: the hand {bag} is filled before anything is dealt"
        )
        assert len(faces) <= MOST_TOKENS, f"{where}: {bag} holds more than {MOST_TOKENS} tokens"
        for face in faces:
            fits = isinstance(face, str) and 1 <= len(face) <= 40 and face.isprintable()
            assert fits, f"{where}: the face {face!r} is not a text of 1 to 40 printable characters"


def source_is_alone(subject: Subject) -> None:
    """No module uses time, files or randomness; modules that decide import none that do not."""
    package = games.module_of(subject.game_id)
    for name, data in games.modules(subject.game_id):
        for node in ast.walk(ast.parse(data)):
            where = f"{name}:{getattr(node, 'lineno', 0)}"
            for module in _imported(node, package, name):
                own = module == package or module.startswith(package + ".")
                assert own or module in OURS or module.split(".")[0] in ALLOWED, f"{where}: imports {module}"
                first = module.removeprefix(package).removeprefix(".").split(".")[0]
                idle = games.decides(name) and own and not games.decides(first)
                assert not idle, f"{where}: a module that decides imports `{first}`"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in OUTSIDE, f"{where}: calls {node.func.id}()"
            assert not isinstance(node, ast.Global), f"{where}: a function changes a global of its module"


def _imported(node: ast.AST, package: str, name: str) -> list[str]:
    """The full names of the modules that a statement imports; `from x import a` may import x.a."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    module = node.module or ""
    if node.level:
        inner = [*package.split("."), *name.split("/")[:-1]]
        base = inner[: len(inner) - node.level + 1]
        module = ".".join([*base, module] if module else base)
    if module == package or module.startswith(package + "."):
        return [f"{module}.{alias.name}" for alias in node.names]
    return [module]
