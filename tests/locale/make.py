"""Catalogues of translations: what the sources say is written into each `LANGUAGE.po`, and compiled into its `.mo`.

    python -m tests.locale.make [PACKAGE...]

Existing translations stay; a new text is left empty, and one that is gone is removed. Then translate what is empty in
the `.po` files and run it once more.
"""

import io
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from referee.language import ENGLISH, LANGUAGES

from .texts import ROOT, helped, marked

TARGETS = [language for language in LANGUAGES if language != ENGLISH]
SILENT = ("referee/page",)
"""Folders without a catalogue: the page has a table of its own."""


class Plain(Catalog):
    """A catalogue that names neither the day nor the program: the same texts are always the same bytes."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", self.plural_forms)]


@cache
def packages() -> tuple[Path, ...]:
    """Every folder that has a catalogue of its own."""
    found = {ROOT / "referee"}
    for path in (ROOT / "referee").rglob("*.py"):
        for name in re.findall(
            r'^[tw, ]+ = .*(?:Catalogue|Wording)\("([\w.]+)"\)$', path.read_text("utf-8"), re.MULTILINE
        ):
            found.add(ROOT.joinpath(*name.split(".")))
    return tuple(sorted(found))


def sources(package: Path) -> Iterator[Path]:
    """The modules whose texts are in the catalogue of this folder: all below it that have none of their own."""
    inner = [other for other in packages() if other != package and package in other.parents]
    inner += [ROOT / silent for silent in SILENT]
    for path in sorted(package.rglob("*.py")):
        if not any(other in path.parents for other in inner):
            yield path


@cache
def template(package: Path) -> Catalog:
    """What the sources of a package say."""
    found = Catalog(charset="utf-8")
    for path in sources(package):
        for message, context in marked(path):
            found.add(message, context=context)
    for text in helped() if package.name == "cli" else ():
        found.add(text)
    return found


@cache
def catalogue(package: Path, language: str) -> Catalog:
    """The translations of a package, with everything that its sources say, and nothing else."""
    path, made = package / "locale" / f"{language}.po", Catalog(language, charset="utf-8")
    old = read_po(io.BytesIO(path.read_bytes()), language) if path.exists() else Catalog(language)
    for message in template(package):
        if message.id:
            kept = old.get(message.id[0] if message.pluralizable else message.id, message.context)
            good = kept is not None and kept.pluralizable == message.pluralizable
            made.add(message.id, kept.string if good else "", context=message.context)
    return made


def spelled(made: Catalog) -> tuple[bytes, bytes]:
    """A catalogue as `.po` and as `.mo`."""
    text, compiled = io.BytesIO(), io.BytesIO()
    write_po(text, made, width=120, no_location=True, omit_header=True, sort_output=True)
    plain = Plain(made.locale, charset="utf-8", header_comment="")
    for message in made:
        if message.id and whole(message.string):
            plain.add(message.id, message.string, context=message.context)
    write_mo(compiled, plain)
    return text.getvalue(), compiled.getvalue()


def whole(string: object) -> bool:
    """Whether a text is translated, in all its forms."""
    return all(string) if isinstance(string, (list, tuple)) else bool(string)


def main() -> None:
    for package in packages():
        if sys.argv[1:] and not {package.name, str(package.relative_to(ROOT))} & set(sys.argv[1:]):
            continue
        (package / "locale").mkdir(exist_ok=True)
        for language in TARGETS:
            made = catalogue(package, language)
            text, compiled = spelled(made)
            (package / "locale" / f"{language}.po").write_bytes(text)
            (package / "locale" / f"{language}.mo").write_bytes(compiled)
            empty = sum(not whole(message.string) for message in made if message.id)
            sys.stdout.write(f"{package.relative_to(ROOT)} {language}: {len(made)} texts, {empty} not translated\n")


if __name__ == "__main__":
    main()
