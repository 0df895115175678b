"""Every text has its translations, with the same placeholders; the compiled catalogues are those of the texts."""

import ast
import re
import string
from collections import Counter
from functools import cache

import pytest
from babel.messages.catalog import Message

from referee.language import _LEAST, _THEIRS, _is_code, known, retold, speaking

from . import make, texts

PLAUSIBLE = {"n": "4", "seat": "2", "round": "12", "number": "7", "path": "a/game.json", "error": "permission denied"}
"""What stands in a sentence, by the name of the value."""
SET_BEHIND = ("", "Usage: ", ", did you mean {found}?", ", or {found}?", "decision ")
"""What is set before or behind a whole text, by the library that reads options or by rules that know no language."""
CATALOGUES = [
    pytest.param(package, language, id=f"{package.name}-{language}")
    for package in make.packages() for language in make.TARGETS
]  # fmt: skip


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def shape(text: str) -> tuple[str, list[str]]:
    """What a text is without its values, and their names in order."""
    parts = list(string.Formatter().parse(text))
    names = [name for _, name, _, _ in parts if name is not None]
    return "".join(fixed + "{}" * (name is not None) for fixed, name, *_ in parts), names


@cache
def alike(language: str) -> dict[str, list[tuple[str, str]]]:
    """Texts of all packages and their translations, those that differ in the names of values only together."""
    found: dict[str, list[tuple[str, str]]] = {}
    for package in make.packages():
        translations = {message.id: message.string for message in make.catalogue(package, language)}
        for text in make.template(package)[1]:
            found.setdefault(shape(text)[0], []).append((text, translations[text]))
    return found


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


@pytest.mark.parametrize("package", make.packages(), ids=lambda package: package.name)
def test_no_text_is_put_together_from_parts(package: make.Path) -> None:
    assert [one for path in make.sources(package) for one in texts.glued(path)] == []
    for message in make.template(package)[0]:
        first = message.id[0] if message.pluralizable else message.id
        if first not in SET_BEHIND:
            assert not re.search(r"\A(?:and|or|of|with|to|in|on|at|by|from|the|an?)\Z|\A[,;]|[, ]\Z", first), first


@pytest.mark.parametrize(("package", "language"), CATALOGUES)
def test_quotes_are_those_of_the_language(package: make.Path, language: str) -> None:
    """Straight ones only where somebody copies them: to a shell, or into a file of settings."""
    foreign = {"de": "‘”«»", "nl": "„“”«»"}[language]
    for message in make.catalogue(package, language):
        for _, text in told(message):
            plain = re.sub(r"`[^`]*`|= \"\{\w+\}\"|^\w+ = .*$", " ", text, flags=re.MULTILINE)
            assert not re.search(r"'[^' ]*\{[^']*'|\"[^\" ]*\{[^\"]*\"", plain), text
            assert not set(foreign) & set(plain), text


@pytest.mark.parametrize(("package", "language"), CATALOGUES)
def test_errors_are_found_again(package: make.Path, language: str) -> None:
    """Among the sentences of all packages a text with values is recognised by its own, or by one that is the same."""
    for one in make.packages():
        known(".".join(one.relative_to(make.ROOT).parts))
    same = alike(language)
    with speaking(language):
        for text in make.template(package)[1]:
            pattern, names = shape(text)
            if text.startswith("{") and len(pattern) - 2 * len(names) <= _LEAST:
                continue  # counts only around words that are known
            values = {name: PLAUSIBLE.get(name, f"<{name}>") for name in names}
            told = [values[name] if _is_code(text, name) else retold(values[name]) for name in names]
            right = [message.format(**dict(zip(shape(one)[1], told, strict=True))) for one, message in same[pattern]]
            assert retold(text.format(**values)) in right, text


CHOSEN = (
    "view",
    "2027-01-05",
    "1,048,576",
    "{0}",
    "{x.__class__} %s",
    "\x1b[2J\u202e\0\ud800",
    "'\\d'",
    "'\\x41'",
    "y" * 300,
)
"""What people call files and themselves."""
SAID = (
    "round 7: nobody",
    "it is {name}'s",
    "move, view or left",
    ", did you mean view?",
    "bad (SF-17)",
    "is a folder",
)
"""What else stands in an error: texts of others, and our own."""


@pytest.mark.parametrize(("package", "language"), CATALOGUES)
def test_errors_keep_what_stands_in_them(package: make.Path, language: str) -> None:
    """Whatever it is: all of it is told, what people chose as they did, and no sign that was not there."""
    for one in make.packages():
        known(".".join(one.relative_to(make.ROOT).parts))
    same = alike(language)
    with speaking(language):
        for number, text in enumerate(make.template(package)[1]):
            pattern, names = shape(text)
            columns = zip(*(shape(one)[1] for one, _ in same[pattern]), strict=True)  # whatever else reads alike
            theirs = {
                n for n, called in zip(names, columns, strict=True) if _THEIRS.issuperset(called) or _is_code(text, n)
            }
            values = {}
            for place, name in enumerate(names):
                some = CHOSEN if name in theirs else (*CHOSEN, *SAID)
                value = some[(number + place) % len(some)]
                values[name] = value if name in theirs else f"Q{place}x{value}Q{place}y"
            said = text.format(**values)
            told = retold(said)
            for sign in (r"Q\d[xy]", r"[\0-\x1f\u202e\ud800]"):
                assert Counter(re.findall(sign, said)) == Counter(re.findall(sign, told)), said
            assert [name for name in theirs if values[name] not in told] == [], said


def test_names_of_files_are_left_as_they_are() -> None:
    """Whatever goes through `printable` is called like something that people chose."""
    found = set()
    for package in make.packages():
        for node in (node for path in make.sources(package) for node in ast.walk(texts._tree(path))):
            if isinstance(node, ast.JoinedStr) and texts.template(node) in make.template(package)[1]:
                values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
                found |= {texts._value(one) for one in values if "printable(" in ast.unparse(one)}
    assert len(found) > 10
    assert found <= _THEIRS
