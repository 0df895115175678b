"""The reader's language. English is the source, and costs nothing; nothing that is signed, hashed or sent between
programs knows a language."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

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
