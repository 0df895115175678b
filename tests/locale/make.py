"""Catalogues of translations: what the sources say is noted in each `LANGUAGE.po`, and compiled into its `.mo`.

    python -m tests.locale.make

Translations that are there stay; a text that is new is left empty, and one that is gone goes. Then translate what is
empty in the `.po` files and run it once more.
"""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from referee.language import ENGLISH, LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
KEYWORDS = {"t": None, "mark": None, "plural": (1, 2), "sense": ((1, "c"), 2)}
"""Functions of `referee.language`, and which of their arguments are texts."""
TARGETS = [language for language in LANGUAGES if language != ENGLISH]


def packages() -> Iterator[Path]:
    """Every folder that has a catalogue of its own."""
    for path in sorted((ROOT / "referee").rglob("*.py")):
        if re.search(r"^\w+ = Catalogue\(", path.read_text("utf-8"), re.MULTILINE):
            yield path.parent


def sources(package: Path) -> Iterator[Path]:
    """The modules whose texts stand in the catalogue of this folder: all below it that have none of their own."""
    inner = [other for other in packages() if other != package and package in other.parents]
    for path in sorted(package.rglob("*.py")):
        if not any(other in path.parents for other in inner):
            yield path


def more(package: Path) -> Iterator[str]:
    """Texts that no call marks: what `--help` says of commands and options."""
    if package.name != "cli":
        return
    import typer

    from referee.cli.app import build

    waiting = [typer.main.get_command(build())]
    while waiting:
        command = waiting.pop()
        waiting += getattr(command, "commands", {}).values()
        texts = [command.help, *(getattr(one, "help", None) for one in command.params)]
        yield from (text for text in texts if text)


def template(package: Path) -> Catalog:
    """What the sources of a package say."""
    found = Catalog(charset="utf-8")
    for path in sources(package):
        for _, message, _, context in extract("python", io.BytesIO(path.read_bytes()), KEYWORDS):
            found.add(message, context=context)
    for text in more(package):
        found.add(text)
    return found


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
    plain = Catalog(made.locale, charset="utf-8", header_comment="")
    for message in made:
        if message.id and message.string:
            plain.add(message.id, message.string, context=message.context)
    plain.mime_headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Plural-Forms", made.plural_forms),
    ]
    write_mo(compiled, plain)
    return text.getvalue(), compiled.getvalue()


def main() -> None:
    for package in packages():
        (package / "locale").mkdir(exist_ok=True)
        for language in TARGETS:
            made = catalogue(package, language)
            text, compiled = spelled(made)
            (package / "locale" / f"{language}.po").write_bytes(text)
            (package / "locale" / f"{language}.mo").write_bytes(compiled)
            empty = sum(not _whole(message.string) for message in made if message.id)
            sys.stdout.write(f"{package.relative_to(ROOT)} {language}: {len(made)} texts, {empty} not translated\n")


def _whole(string: object) -> bool:
    return all(string) if isinstance(string, (list, tuple)) else bool(string)


if __name__ == "__main__":
    main()
