"""A new game: a package with a small playable game in it, for its author to change."""

import os
import re
from importlib.resources import files as resources
from importlib.util import find_spec
from keyword import iskeyword

from referee import games
from referee.errors import Usage
from referee.io import files
from referee.language import quoted
from referee.library import t

FILES = {
    "pyproject.toml": "pyproject.toml",
    "game.py.txt": "MODULE/__init__.py",
    "edition.json": "MODULE/edition.json",
    "RULES.md": "MODULE/RULES.md",
    "test_game.py.txt": "tests/test_MODULE.py",
}
"""Template -> its path in the new package."""


def new_game(name: str, folder: str) -> list[str]:
    """Write a new game called `name` into a folder that does not exist yet; returns the paths of its files."""
    module = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 40:
        why = t("{name} is not a valid name of a game", name=quoted(name[:40]))
        raise Usage(why, t("use small letters and digits, with single hyphens between words: my-game"))
    if name in games.game_ids() or iskeyword(module) or find_spec(module) is not None:
        why = t("{name} is already the name of a game or of a Python module", name=name)
        raise Usage(why, t("choose another name"))
    if os.path.lexists(folder):
        raise Usage(t("{path} already exists", path=files.printable(folder)), t("give a new folder with -o"))
    values = {"MODULE": module, "NAME": name, "TITLE": name.replace("-", " ").title(), "CLAUSE": _clause(name)}
    made = {
        os.path.join(folder, *_filled(path, values).split("/")): _template(one, values) for one, path in FILES.items()
    }
    files.write(made, make=[*map(os.path.dirname, made)])
    return list(made)


def _clause(name: str) -> str:
    """The letters with which its clauses begin."""
    letters = re.sub("[^a-z]", "", "".join(word[0] for word in name.split("-")))
    return (letters if len(letters) > 1 else re.sub("[^a-z]", "", name) + "x")[:2].upper()


def _template(name: str, values: dict[str, str]) -> bytes:
    return _filled(resources("referee.library").joinpath("template", name).read_text("utf-8"), values).encode()


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub("|".join(values), lambda found: values[found[0]], text)
