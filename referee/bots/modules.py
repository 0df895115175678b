"""Modules of bots: located without importing anything, and loaded from exactly the files that were located.

No folder is added to `sys.path` for them: a bot of several modules must be a package."""

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import NamedTuple

from referee.bots import t
from referee.errors import Usage
from referee.language import quoted


class Located(NamedTuple):
    """Where a module is: the folder that its name is relative to, and its files below that, with `/`, sorted."""

    root: str
    files: tuple[str, ...]
    """The module, or all `.py` files of its package; and the `__init__.py` of every enclosing package."""


def locate(module: str) -> Located:
    """Find a module, or a file if the name ends with `.py`: in the working directory, then on Python's path."""
    if module.endswith(".py"):
        path = os.path.abspath(module)
        if os.path.isfile(path):
            return Located(os.path.dirname(path), (os.path.basename(path),))
    elif all(part.isidentifier() for part in module.split(".")):
        for root in _roots():
            if files := _below(root, module.split(".")):
                return Located(root, tuple(sorted(files)))
    why = t("there is no module {module} here", module=quoted(module[:80]))
    raise Usage(why, t("run the command in the folder of the module"), code="no-bot")


def _roots() -> list[str]:
    here = os.getcwd()
    others = (os.path.abspath(entry) for entry in sys.path if entry)
    return [here, *(entry for entry in others if entry != here)]


def _below(root: str, names: list[str]) -> list[str]:
    """The files of a module below a folder; empty if it is not there."""
    *around, last = names
    found: list[str] = []
    for depth in range(1, len(names)):
        if not os.path.isdir(os.path.join(root, *around[:depth])):
            return []
        path = "/".join((*around[:depth], "__init__.py"))
        found += [path] if os.path.isfile(os.path.join(root, path)) else []
    if os.path.isfile(os.path.join(root, *names, "__init__.py")):
        return [*found, *_python_files(root, "/".join(names))]
    path = "/".join((*around, f"{last}.py"))
    return [*found, path] if os.path.isfile(os.path.join(root, path)) else []


def _python_files(root: str, package: str) -> list[str]:
    found = []
    for folder, _, names in os.walk(os.path.join(root, package)):
        at = os.path.relpath(folder, root).replace(os.sep, "/")
        found += [f"{at}/{name}" for name in names if name.endswith(".py")]
    return found


def load(module: str, root: str = "") -> ModuleType:
    """Import a module below this folder, or from where `locate` finds it. This runs it: only for code that the user
    trusts, or in the sandbox."""
    root = root or locate(module).root
    if module.endswith(".py"):
        spec = spec_from_file_location("bot", os.path.join(root, os.path.basename(module)))
        assert spec is not None
        assert spec.loader is not None
        made = module_from_spec(spec)
        spec.loader.exec_module(made)
        return made
    path, parts = [root], module.split(".")
    for depth in range(1, len(parts) + 1):
        made = _imported(".".join(parts[:depth]), path)
        path = list(getattr(made, "__path__", ()))
    return made


def _imported(name: str, path: list[str]) -> ModuleType:
    """Import one module of a dotted name, as if its folder were on `sys.path`."""
    spec = PathFinder.find_spec(name, path)
    if spec is None:
        raise ModuleNotFoundError(name)
    if (there := sys.modules.get(name)) is not None:
        same = (
            getattr(there, "__file__", None) == spec.origin if spec.origin else list(there.__path__) == _folders(spec)
        )
        if not same:
            why = t("another module is called {name}", name=quoted(name[:80]))
            raise Usage(why, t("give the bot's module another name"), code="no-bot")
        return there
    made = sys.modules[name] = module_from_spec(spec)
    if spec.loader is None:  # a folder without `__init__.py`: its own path would follow `sys.path`
        made.__path__ = _folders(spec)
    else:
        try:
            spec.loader.exec_module(made)
        except BaseException:
            del sys.modules[name]
            raise
    above, _, last = name.rpartition(".")
    if above:
        setattr(sys.modules[above], last, made)
    return made


def _folders(spec: ModuleSpec) -> list[str]:
    return list(spec.submodule_search_locations or ())
