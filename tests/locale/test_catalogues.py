"""Every text has its translations, with the same placeholders; the compiled catalogues are those of the texts."""

import re
import string

import pytest
from babel.messages.catalog import Message

from referee.language import _values

from . import make

UNFINISHED = ("referee",)
CATALOGUES = [
    pytest.param(package, language, id=f"{package.name}-{language}")
    for package in make.packages() for language in make.TARGETS if package.name not in UNFINISHED
]  # fmt: skip


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def told(message: Message) -> list[tuple[str, str]]:
    """Pairs of a source text and a translation of it."""
    if not message.pluralizable:
        return [(message.id, message.string)]
    one, many = message.id
    return [(one if place == 0 else many, text) for place, text in enumerate(message.string)]


@pytest.mark.parametrize(("package", "language"), CATALOGUES)
def test_a_catalogue_is_complete(package: make.Path, language: str) -> None:
    """Made anew with `python -m tests.locale.make`."""
    made = make.catalogue(package, language)
    text, compiled = make.spelled(made, make.template(package)[1])
    folder = package / "locale"
    assert (folder / f"{language}.po").read_bytes() == text
    assert (folder / f"{language}.mo").read_bytes() == compiled
    for message in made:
        if not message.id:
            continue
        assert make.whole(message.string), f"not translated: {message.id!r}"
        for source, translation in told(message):
            dropped = {"n"} if message.pluralizable else set()
            assert fields(source) - dropped == fields(translation) - dropped, (source, translation)
            for edge in (r"\A\s*", r"\s*\Z"):
                assert re.search(edge, source)[0] == re.search(edge, translation)[0], (source, translation)


@pytest.mark.parametrize(("package", "language"), CATALOGUES)
def test_errors_are_found_again(package: make.Path, language: str) -> None:
    """A text with values is recognised by its own sentence, and not by one that says less."""
    for text in make.template(package)[1]:
        values = {name: f"<{name}>" for name in fields(text)}
        assert _values(text, text.format(**values)) == values, text
