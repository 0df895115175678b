"""Every text has its translations, with the same placeholders; the compiled catalogues are those of the texts."""

import ast
import re
import string

import pytest
from babel.messages.catalog import Message

from referee.language import ENGLISH, Text, speaking

from . import make, texts

SET_BEHIND = ("", "Usage: ", ", did you mean {found}?", ", or {found}?", "decision ")
"""What is put before or after a whole text, by the library that reads options or by rules that know no language."""
CATALOGUES = [
    pytest.param(package, language, id=f"{package.name}-{language}")
    for package in make.packages() for language in make.TARGETS
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
    """Up to date, as `python -m tests.locale.make` writes them."""
    made = make.catalogue(package, language)
    text, compiled = make.spelled(made)
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
    for message in make.template(package):
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


HOSTILE = (
    "this is my move.json",
    "a mail",
    "view",
    "round 7: nobody",
    "move, view or left",
    ", did you mean view?",
    "is a folder",
    "bad (SF-17)",
    "2027-01-05",
    "1,048,576",
    "{0}",
    "{x.__class__} %s %(name)s",
    "<b>&amp;</b>",
    "`referee show`",
    "'\\x41' \"",
    "\x1b[2J\u202e\0\ud800",
    "y" * 300,
)
"""What people call files, folders and themselves, and what else appears in an error: sentences, templates, markup,
escapes, and words of the catalogues."""


@pytest.mark.parametrize(("package", "language"), CATALOGUES)
def test_no_value_is_changed(package: make.Path, language: str) -> None:
    """Every text of the program with hostile values: each appears in the sentence as it is, and nothing else does."""
    name, tried = ".".join(package.relative_to(make.ROOT).parts), 0
    for message in make.catalogue(package, language):
        for source, translation in told(message) if message.id and not message.pluralizable else ():
            names = sorted(fields(source))
            for turn in range(len(HOSTILE)) if names else ():
                values = {one: HOSTILE[(turn + place) % len(HOSTILE)] for place, one in enumerate(names)}
                if any(form for _, _, form, _ in string.Formatter().parse(source)):
                    continue  # figures, `{month:02}`
                for reader, template in ((ENGLISH, source), (language, translation)):
                    with speaking(reader):
                        said = str(Text(name, source, tuple(values.items()), context=message.context or ""))
                    parts = [(fixed, field) for fixed, field, _, _ in string.Formatter().parse(template)]
                    assert said == "".join(fixed + (values[field] if field else "") for fixed, field in parts)
                    tried += 1
    assert tried or package.name == "bots"


@pytest.mark.parametrize("package", make.packages(), ids=lambda package: package.name)
def test_words_of_ours_are_texts_too(package: make.Path) -> None:
    """A value that a source spells out would stay English: `t("{what} is damaged", what="a move")`."""
    for path in make.sources(package):
        for node in ast.walk(texts._tree(path)):
            if isinstance(node, ast.Call) and texts._is_told(node):
                assert not any(isinstance(one, ast.JoinedStr) for one in node.args), ast.unparse(node)
                given = [one.value for one in node.keywords if isinstance(one.value, ast.Constant)]
                words = [one.value for one in given if isinstance(one.value, str) and re.search(r"[a-z]", one.value)]
                assert words == [], f"{path}: {ast.unparse(node)}"
