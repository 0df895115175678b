"""The reader's language: complete sentences looked up in catalogues. English is the source, and costs nothing.

    t = Catalogue("referee.mail")
    t("{name} has not answered yet", name=name)
    t.plural("{n} card", "{n} cards", n)
    t.sense("a move", "open")

A catalogue is a folder `locale` of a package with a `LANGUAGE.po` for each language, and the `.mo` that it is compiled
into (for ours: `python -m tests.locale.make`), which is read when somebody is first spoken to in that language. What is
not translated is said in English. Nothing that is signed, hashed or sent between programs comes from here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gettext import NullTranslations

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "nl": "Nederlands"}
"""Language -> what its speakers call it."""

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


def spoken() -> str:
    """The language in which is spoken now."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language within."""
    before = _spoken.set(language if language in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _spoken.reset(before)


def mark(message: str) -> str:
    """Note that this text is translated where it is used: `t(TEXTS[kind])`."""
    return message


class Catalogue:
    """The translations of one package; values are filled in by their names."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._found: dict[str, NullTranslations] = {}

    def __call__(self, message: str, /, **values: Any) -> str:
        """A text that stands alone."""
        if _spoken.get() != ENGLISH:
            message = self._catalogue().gettext(message)
        return message.format(**values) if values else message

    def plural(self, one: str, many: str, n: int, /, **values: Any) -> str:
        """A text about `n` things; it may name `{n}`."""
        if _spoken.get() == ENGLISH:
            message = one if n == 1 else many
        else:
            message = self._catalogue().ngettext(one, many, n)
        return message.format(n=n, **values)

    def sense(self, context: str, message: str, /, **values: Any) -> str:
        """A text that means several things: `context` says which."""
        if _spoken.get() != ENGLISH:
            message = self._catalogue().pgettext(context, message)
        return message.format(**values) if values else message

    def _catalogue(self) -> "NullTranslations":
        language = _spoken.get()
        if language not in self._found:
            self._found[language] = _load(self._package, language)
        return self._found[language]


def _load(package: str, language: str) -> "NullTranslations":
    from gettext import GNUTranslations, NullTranslations
    from importlib.resources import files

    try:
        with files(package).joinpath("locale", f"{language}.mo").open("rb") as file:
            return GNUTranslations(file)
    except OSError:
        return NullTranslations()
