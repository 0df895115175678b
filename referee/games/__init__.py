"""Finds games: the packages in this folder, and the entry points `pbem_referee.games` of installed packages. There is
no list to edit. An installed game cannot replace a built-in one."""

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from referee.errors import Usage
from referee.game import Game
from referee.language import ENGLISH, Text, current_language, quoted, t

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

    from referee.lexicon import Lexicon

GROUP = "pbem_referee.games"
NOT_RULES = ("board", "bots", "story", "words")
"""Modules of a game that decide nothing (also `words_list` and so on): boards, bots, sentences, typed moves."""


def _is_id(text: str) -> bool:
    return 0 < len(text) <= 40 and text.isascii() and text.replace("-", "").isalnum() and text == text.lower()


def _built_in(game_id: str) -> str:
    """The module of a built-in game; empty if there is none of that name."""
    name = game_id.replace("-", "_")
    if _is_id(game_id) and any(os.path.isfile(os.path.join(path, name, "__init__.py")) for path in __path__):
        return f"{__name__}.{name}"
    return ""


def _installed() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP) if _is_id(point.name)}


def module_of(game_id: str) -> str:
    """The module that has the game with this id."""
    module = _built_in(game_id)
    if not module and _is_id(game_id):
        point = _installed().get(game_id)
        module = point.module if point else ""
    if not module:
        raise Usage(
            t("there is no game of that name"),
            t("choose one of: {game_ids}", game_ids=", ".join(game_ids())),
            code="unknown-game",
        )
    return module


@cache
def has_module(name: str) -> bool:
    """Whether a game has this module, which it does not need: `PACKAGE.bots_likely`, `PACKAGE.story_ahead`."""
    from importlib.util import find_spec

    return find_spec(name) is not None


def game_ids() -> list[str]:
    """The ids of all games found, sorted."""
    names = {name.replace("_", "-") for path in __path__ for name in os.listdir(path)}
    return sorted({name for name in names if _built_in(name)} | set(_installed()))


def load(game_id: str) -> Game:
    """The game with this id; imports that game only."""
    module = module_of(game_id)
    try:
        game = import_module(module).GAME
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise _broken(game_id, module, t("Python says {said}", said=quoted(said[:200]))) from error
    if not isinstance(game, Game):
        raise _broken(game_id, module, t("GAME is not a `referee.game.Game`"))
    return game


def _broken(game_id: str, module: str, why: Text) -> Usage:
    return Usage(
        t("the game {game_id} cannot be loaded from {module}: {why}", game_id=game_id, module=module, why=why),
        t("fix or remove that package; the other games work"),
        code="broken-game",
    )


def _folder(game_id: str) -> "Traversable":
    from importlib.resources import files

    return files(module_of(game_id))


def edition_bytes(game_id: str) -> bytes:
    """The default edition, as JSON; empty for a game that has none."""
    return _optional(game_id, "edition.json") or b"{}"


def rules_text(game_id: str, language: str = ENGLISH) -> str:
    """The clauses, as Markdown; empty if the game does not have them in that language. All games have English ones."""
    name = "RULES.md" if language == ENGLISH else f"RULES.{language}.md"
    found = _optional(game_id, name)
    if not found and language == ENGLISH:
        raise _broken(game_id, module_of(game_id), t("it has no {name}", name=name))
    return found.decode()


def words_bytes(game_id: str) -> bytes:
    """The words that people type in other languages, as JSON; empty for a game that has none."""
    return _optional(game_id, "words.json") or b"{}"


def rebuilt_bytes(game_id: str) -> bytes:
    """The game's `rebuilt.json`: the fields of its edition that no source states, each with the clause that says its
    value; empty if it has none."""
    return _optional(game_id, "rebuilt.json") or b"{}"


def measured_bytes(game_id: str) -> bytes:
    """What was measured in games among bots, as JSON; empty for a game that does not say."""
    return _optional(game_id, "measured.json") or b"{}"


def guide_bytes(game_id: str) -> bytes:
    """The guided opening of a game, as JSON; empty for a game that has none."""
    return _optional(game_id, "guide.json")


@cache
def lexicon(game_id: str) -> "Lexicon":
    """The words of a game in other languages."""
    from referee.lexicon import read_words

    try:
        return read_words(words_bytes(game_id))
    except ValueError as error:
        raise _broken(
            game_id, module_of(game_id), t("words.json cannot be used: {error}", error=quoted(str(error)[:200]))
        ) from None


def as_typed(game_id: str, text: str) -> str:
    """A text that the game writes or reads, in the reader's language."""
    return text if current_language() == ENGLISH else lexicon(game_id).spoken(text, current_language())


def _optional(game_id: str, name: str) -> bytes:
    """A file of a game; empty if it is not there. Its own loader reads it: `importlib.resources` takes longer to load
    than most games."""
    spec = import_module(module_of(game_id)).__spec__
    try:
        data: bytes = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), name))  # type: ignore[union-attr, arg-type]
        return data
    except OSError:
        return b""


def rule_modules(game_id: str) -> list[tuple[str, bytes]]:
    """The modules of a game that decide, sorted: path within its package, and bytes."""
    return [(path, data) for path, data in modules(game_id) if decides(path)]


def decides(path: str) -> bool:
    """Whether a module of a game decides anything, by its path within the package."""
    return "/" in path or path.removesuffix(".py").partition("_")[0] not in NOT_RULES


def modules(game_id: str) -> list[tuple[str, bytes]]:
    """All modules of a game, sorted: path within its package, and bytes."""
    return sorted(_modules(_folder(game_id), ""))


def _modules(folder: "Traversable", path: str) -> list[tuple[str, bytes]]:
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _modules(item, f"{path}{item.name}/")
        elif item.name.endswith(".py"):
            found.append((path + item.name, item.read_bytes().replace(b"\r\n", b"\n")))
    return found
