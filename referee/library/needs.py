"""What needs a package that may be missing: signatures need `cryptography`, practice needs nothing but msgspec."""

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def signs(function: Callable[P, R]) -> Callable[P, R]:
    """A function that reads or makes signatures: where the package for them is missing, it says so."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            import_module("cryptography")  # modules load it only where they sign or verify something
            return function(*args, **kwargs)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "cryptography":
                raise
            from referee.errors import Usage
            from referee.library import t

            why = t("signatures need the package `cryptography`, which is not installed")
            raise Usage(why, t("run `pip install cryptography`"), code="no-extra") from None

    return call
