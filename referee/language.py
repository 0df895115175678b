"""The reader's language: complete sentences looked up in catalogues. English is the source, and costs nothing.

    t = Catalogue("referee.mail")
    t("{name} has not answered yet", name=name)
    t.plural("{n} card", "{n} cards", n)
    t.sense("a move", "open")

A catalogue is the folder `locale` of a package, with a `LANGUAGE.po` for each language and the `.mo` that it is
compiled into (for ours: `python -m tests.locale.make`), which is read when somebody is first spoken to in that
language. What is not translated is said in English. Nothing that is signed, hashed or sent between programs comes from
here.

Errors are raised in English, by rules and readers that know no language; `retold` says them again to a reader of
another one, by finding the sentence of the catalogue that has the same fixed parts.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any, cast

import msgspec

if TYPE_CHECKING:
    from datetime import datetime
    from gettext import NullTranslations

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "nl": "Nederlands"}
"""Language -> what its speakers call it."""

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)
_packages: dict[str, None] = {"referee": None}
"""Whose errors can be told again, in the order of their import."""
_LONGEST = 2_000
"""Letters of an error that is told again: no text of ours is longer, whatever stands in it."""
_LEAST = 4
"""Letters that prove nothing where a sentence begins with a value: `{file} is {kind}` fits many a text of others. One
more within a sentence: of two ways to read `{told}: did you mean {word}?` it is the whole, not a value."""
_MOST = 60
"""Texts within a text that are told again: whatever stands in it, that takes no longer than a sentence is read."""
_THEIRS = {
    "name", "names", "player", "players", "you", "who", "user", "address", "to", "sender", "new", "server", "program",
    "file", "filename", "path", "folder", "root", "output", "staged", "base", "place", "certificate", "desks", "there",
    "missing", "typed",
}  # fmt: skip
"""Values that people chose, or commands: a file may be called `view`, somebody `left` or like a whole sentence."""
_UNFIT = (LookupError, ValueError, AttributeError, TypeError, ArithmeticError)
"""What comes of a translation by others that asks for values which there are not."""
_MARKS = str.maketrans(",.", ".,")


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


def spoken_by(package: str) -> str:
    """The language in which this package speaks now: English where it has no catalogue."""
    return spoken() if _read(package, spoken()).info() else ENGLISH


class Text(msgspec.Struct, frozen=True):
    """A sentence as data: whose it is, in English, and the values in it. `str` says it in the current language."""

    package: str
    message: str
    values: tuple[tuple[str, "Value"], ...] = ()
    many: str = ""
    """What is said instead of `message` where the value `n` is not one."""
    context: str = ""
    """What `message` means here, where it can mean several things."""

    def __str__(self) -> str:
        values = {name: worded(value) for name, value in self.values}
        if _spoken.get() != ENGLISH:
            with suppress(*_UNFIT):
                found = self._translated(values)
                return found.format(**values) if values else found
        english = self.many if self.many and values["n"] != 1 else self.message
        return english.format(**values) if values else english

    def __bool__(self) -> bool:
        return bool(self.message)

    def _translated(self, values: "dict[str, str | int]") -> str:
        """The sentence in the current language, with places for values; English if it loses one of them."""
        catalogue = _read(self.package, _spoken.get())
        if self.many:
            return catalogue.ngettext(self.message, self.many, cast(int, values["n"]))
        found = catalogue.pgettext(self.context, self.message) if self.context else catalogue.gettext(self.message)
        return found if not values or names_in(found) == names_in(self.message) else self.message


class Figures(msgspec.Struct, frozen=True):
    """A number in figures, `1,234.5%`; it is said as the reader writes it."""

    text: str

    def __str__(self) -> str:
        return written(self.text)


class Time(msgspec.Struct, frozen=True):
    """A day, `2027-01-05`, or a time, `2027-01-05T18:00Z`; it is said as people write it."""

    text: str

    def __str__(self) -> str:
        year, month, day = (int(part) for part in self.text[:10].split("-"))
        values = {"year": year, "month": month, "day": day}
        if len(self.text) == len("2027-01-05"):
            return w("{year}-{month:02}-{day:02}", **values)
        return w("{year}-{month:02}-{day:02} {time} UTC", time=self.text[11:16], **values)


class Run(msgspec.Struct, frozen=True):
    """A command of this program that the reader can run."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        from shlex import quote

        return "`referee " + " ".join(quote(printable(word)) for word in self.words) + "`"


class Reason(msgspec.Struct, frozen=True):
    """A text of a game's rules, which hold no sentences: a word for it, and values. The game's module `story_refusals`
    has the sentence, `refused(reason, values)`, and what to do next."""

    package: str
    reason: str
    values: tuple[tuple[str, "Value"], ...] = ()
    next: bool = False

    def text(self) -> Text:
        """The sentence."""
        from importlib import import_module

        sentences = import_module(f"{self.package}.story_refusals")
        told: tuple[Text, Text] = sentences.refused(self.reason, dict(self.values))
        return told[self.next]

    def __str__(self) -> str:
        return str(self.text())


class Named(msgspec.Struct, frozen=True):
    """A text in which `@2` stands for the name of seat 2."""

    text: "Told"
    names: tuple[str, ...]

    def __str__(self) -> str:
        import re

        def name(found: re.Match[str]) -> str:
            seat = int(found[1])
            return printable(self.names[seat]) if seat < len(self.names) else found[0]

        return re.sub(r"@(\d{1,2})", name, str(self.text))


Told = Text | Reason | Named
Value = int | str | Text | Figures | Time | Run | Reason | Named | tuple["Value", ...]
"""What can stand in a text. A `str` is somebody's: a name, a file, what was typed. It is never translated."""


def run(*words: str) -> Run:
    """A command with its arguments."""
    return Run(words)


def runs(told: Told) -> Iterator[Run]:
    """The commands that a text names."""
    if isinstance(told, Named):
        yield from runs(told.text)
        return
    for _, value in as_text(told).values:
        if isinstance(value, Run):
            yield value
        elif isinstance(value, Told):
            yield from runs(value)


def with_files(told: Told, command: Run) -> Told:
    """A text in which a command of this name is this one: with the reader's own files."""
    return changed(
        told, lambda value: command if isinstance(value, Run) and value.words[0] == command.words[0] else value
    )


def changed(told: Told, change: Callable[[Value], Value]) -> Told:
    """A text with other values, also in the texts within it."""
    if isinstance(told, Named):
        return Named(changed(told.text, change), told.names)

    def other(value: Value) -> Value:
        value = change(value)
        return changed(value, change) if isinstance(value, Told) else value

    text = as_text(told)
    return msgspec.structs.replace(text, values=tuple((name, other(value)) for name, value in text.values))


def as_text(told: Value) -> Text:
    """The sentence of a reason; any other value as a text that says nothing else."""
    if isinstance(told, Reason):
        return told.text()
    return told if isinstance(told, Text) else Text("", "{value}", (("value", told),))


def worded(value: Value) -> str | int:
    """A value as it stands in a sentence in the current language; a list with commas."""
    if isinstance(value, (str, int)):
        return value
    return ", ".join(str(worded(one)) for one in value) if isinstance(value, tuple) else str(value)


class Catalogue:
    """Makes the texts of one package; values are filled in by their names."""

    def __init__(self, package: str) -> None:
        self._package = package
        known(package)

    def __call__(self, message: str, /, **values: Value) -> Text:
        """A text that stands alone."""
        return Text(self._package, message, tuple(values.items()))

    def plural(self, one: str, many: str, n: int, /, **values: Value) -> Text:
        """A text about `n` things; it may name `{n}`."""
        return Text(self._package, one, (("n", n), *values.items()), many)

    def sense(self, context: str, message: str, /, **values: Value) -> Text:
        """A text that means several things: `context` says which."""
        return Text(self._package, message, tuple(values.items()), context=context)


class Wording:
    """The same texts in words at once, for what is written for a reader; a value is anything that can be printed."""

    def __init__(self, package: str) -> None:
        self._text = Catalogue(package)

    def __call__(self, message: str, /, **values: Any) -> str:
        return str(self._text(message, **values))

    def plural(self, one: str, many: str, n: int, /, **values: Any) -> str:
        return str(self._text.plural(one, many, n, **values))

    def sense(self, context: str, message: str, /, **values: Any) -> str:
        return str(self._text.sense(context, message, **values))


def mark(message: str, context: str = "") -> str:
    """Note that this text is translated elsewhere: by `t(TEXTS[kind])`, by `t.sense(context, kind)`, or by `retold`."""
    return message


def known(package: str) -> None:
    """From now on errors of this package are told in the reader's language."""
    _packages[package] = None


def retold(text: str, packages: Iterable[str] = ()) -> str:
    """An error in the reader's language, and what stands in it too; as it is if no catalogue has it. `packages`: whose
    error it can be, where that must not depend on what was imported."""
    language = _spoken.get()
    if language == ENGLISH or len(text) > _LONGEST:
        return text
    return _Retelling(language, tuple(packages or _packages)).told(text)[1]


class _Retelling:
    """One error, told again: every text in it is looked at once, and not more than so many."""

    def __init__(self, language: str, packages: tuple[str, ...]) -> None:
        self.language, self.packages = language, packages
        self.known: dict[tuple[str, str], tuple[int, str]] = {}

    def told(self, text: str, within: str = "") -> tuple[int, str]:
        """How many letters our sentences account for, and the text in this language: of all that fit, the best one.
        `within`: the package of the sentence that this is a value of; it knows best what its words mean."""
        if (text, within) not in self.known:
            few = len(self.known) < _MOST
            self.known[text, within] = 0, text
            if text and few:
                self.known[text, within] = self._best(text, within)
        return self.known[text, within]

    def _best(self, text: str, within: str) -> tuple[int, str]:
        own = _within(within, self.packages)
        if found := self._plain(text, own) or self._list(text, own) or _day(text) or _thousands(text):
            return len(text), found
        if found := _quoted(text):
            return 0, found
        message, _, clause = text.rpartition(" (")
        if message and (_is_clause(clause) or self._plain(message, own)):
            letters, found = self.told(message, within)
            return letters, f"{found} ({clause}"
        best = 0, text
        for package, template, first, last in _templates(self.language, own):
            values = _values(template, text) if text.startswith(first) and text.endswith(last) else None
            if values is not None:
                inner = {name: self._inner(template, name, value, package) for name, value in values.items()}
                fixed = len(text) - sum(map(len, values.values())) - (_LEAST + bool(within)) * template.startswith("{")
                letters = fixed + sum(letters for letters, _ in inner.values())
                if letters > best[0] and (found := self._translated(package, template, inner)):
                    best = letters, found
        return max(best, self._row(text, within), key=lambda one: one[0])

    def _translated(self, package: str, template: str, inner: dict[str, tuple[int, str]]) -> str:
        """A sentence with these values; empty if its translation does not say all of them, or others."""
        translation = _read(package, self.language).gettext(template)
        with suppress(*_UNFIT):
            if set(_parts(translation)[1]) == inner.keys():
                return translation.format(**{name: told for name, (_, told) in inner.items()})
        return ""

    def _inner(self, template: str, name: str, value: str, package: str) -> tuple[int, str]:
        """A value in a sentence of this package; what people chose stays as it is."""
        if name in _THEIRS:
            return 0, (value and _quoted(value)) or value
        return (0, value) if _is_code(template, name) else self.told(value, package)

    def _plain(self, text: str, packages: tuple[str, ...]) -> str:
        """The translation of a text without values; empty if there is none. No text is a catalogue's head."""
        found = (_read(package, self.language).gettext(text) for package in packages if text)
        return next((one for one in found if one != text), "")

    def _list(self, text: str, packages: tuple[str, ...]) -> str:
        """The translation of `a, b or c`, if every word of it has one."""
        for word, joined in ((" or ", either), (" and ", listed)):
            most, _, last = text.rpartition(word)
            words = (*most.split(", "), last) if most else ("",)
            told = list(takewhile(bool, (self._plain(one, packages) for one in words)))
            if len(told) == len(words):
                return str(joined(told))
        return ""

    def _row(self, text: str, within: str) -> tuple[int, str]:
        """`a, b`, each of which is a text of ours."""
        rows = [self.told(one, within) for one in text.split(", ")] if ", " in text else [(0, text)]
        letters = [letters for letters, _ in rows]
        return sum(letters) if all(letters) else 0, ", ".join(found for _, found in rows)


def _is_code(template: str, name: str) -> bool:
    """Whether a value stands there as it is typed, or written in a file."""
    return f"`{{{name}}}`" in template


def _day(text: str) -> str:
    """`2027-01-05` or `2027-01-05T18:00Z` as people write it; empty if it is neither."""
    from datetime import date

    day, time, clock = text.partition("T")
    try:
        read = str(Time(day)) if date.fromisoformat(day) and len(day) == len("2027-01-05") else ""
    except ValueError:
        return ""
    return str(Time(text)) if read and len(clock) == len("18:00Z") and clock.endswith("Z") else "" if time else read


def _thousands(text: str) -> str:
    """`1,048,576` as the reader writes it; empty if it is something else."""
    first, *more = text.split(",")
    fits = first.isdecimal() and len(first) < 4 and more and all(len(one) == 3 and one.isdecimal() for one in more)
    return written(text) if fits else ""


def _quoted(text: str) -> str:
    """`'a', 'b'` as people quote it, with its letters as they were; empty if something else stands in it."""
    if text[0] not in "'\"" or text[-1] != text[0]:
        return ""
    import re
    from ast import literal_eval

    if "\\" in re.sub(r"\\[\\'nrtxuU]", "", text):  # not as Python writes it
        return ""
    try:
        read = literal_eval(f"[{text}]")
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return ""
    if not all(isinstance(word, str) for word in read) or text not in (str(read)[1:-1], ascii(read)[1:-1]):
        return ""
    words = ("".join(c if c.isprintable() else ascii(c)[1:-1] for c in word) for word in read)
    return ", ".join(w("'{quoted}'", quoted=word) for word in words)


def _within(package: str, packages: tuple[str, ...]) -> tuple[str, ...]:
    """Whose texts can stand in a sentence of this package: in one of a game its own, but not those of other games."""
    ours = package.startswith("referee.") and not package.startswith("referee.games.")
    others = packages if ours or package in ("", "referee") else ("referee",)
    return tuple(dict.fromkeys((package, *others) if package else others))


def _is_clause(text: str) -> bool:
    """`SF-17)`: what an illegal move ends with."""
    game, _, number = text.removesuffix(")").partition("-")
    return text.endswith(")") and game.isupper() and number[:1].isdigit() and number.isalnum()


def listed(words: Iterable[Value]) -> Value:
    """`a, b and c`."""
    *most, last = list(words) or [""]
    return t("{most} and {last}", most=tuple(most), last=last) if most else last


def either(words: Iterable[Value]) -> Value:
    """`a, b or c`."""
    *most, last = list(words) or [""]
    return t("{most} or {last}", most=tuple(most), last=last) if most else last


QUOTED = "'{quoted}'"


def quoted(word: str) -> Text:
    """What somebody wrote, in quotes and safe to print."""
    return t(QUOTED, quoted=printable(word))


def printable(text: str) -> str:
    """A text that others chose, safe to print: what is not printable is spelled out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def written(number: str) -> str:
    """A number in figures, `1,234.5%`, as the reader writes it."""
    if _spoken.get() == ENGLISH:
        return number
    turned = number.translate(_MARKS)
    return turned.replace("%", "\N{NO-BREAK SPACE}%") if _spoken.get() == "de" else turned


def dated(time: "datetime") -> str:
    """A day and a time, as people write it."""
    return w("{day} at {hour:02}:{minute:02}", day=Time(f"{time:%Y-%m-%d}"), hour=time.hour, minute=time.minute)


@cache
def _read(package: str, language: str) -> "NullTranslations":
    from gettext import GNUTranslations, NullTranslations
    from importlib.resources import files

    try:
        with files(package).joinpath("locale", f"{language}.mo").open("rb") as file:
            found = GNUTranslations(file)
        found.gettext("?")  # tries its plural forms
    except Exception:  # there is none, or whatever another tool has made of it
        return NullTranslations()
    return found


TEMPLATES = "texts with values that errors are made of"
"""The context under which a compiled catalogue lists them, a line each."""


@cache
def _templates(language: str, packages: tuple[str, ...]) -> list[tuple[str, str, str, str]]:
    """Package, template and how that begins and ends, those with the most fixed letters first: they say most about a
    text."""
    found = []
    for package in packages:
        for text in _with_values(_read(package, language)):
            with suppress(ValueError):
                found.append((package, text, *_parts(text)[0]))
    found.sort(key=lambda one: -sum(map(len, one[2:])))
    return [(package, text, fixed[0], fixed[-1]) for package, text, *fixed in found]


def _with_values(catalogue: "NullTranslations") -> list[str]:
    """The texts with values that errors are made of; of a catalogue that other tools compiled, all that it has."""
    listed = catalogue.pgettext(TEMPLATES, "all")
    texts = getattr(catalogue, "_catalog", ()) if listed == "all" else listed.split("\n")
    return [text for text in texts if isinstance(text, str) and "{" in text and "\x04" not in text]


@cache
def names_in(template: str) -> frozenset[str]:
    """The names of the values in a text."""
    from string import Formatter

    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)


@cache
def _parts(template: str) -> tuple[list[str], list[str]]:
    """The fixed texts around the values, and the values' names. Raises `ValueError` where not any text can be one."""
    from string import Formatter

    fixed, names = [""], []
    for text, name, form, turned in Formatter().parse(template):
        fixed[-1] += text
        if name is not None:
            if form or turned or not name.isidentifier():
                raise ValueError
            names.append(name)
            fixed.append("")
    return fixed, names


def _values(template: str, text: str) -> dict[str, str] | None:
    """What stands where the template has values, if it is that of a text which begins and ends like it."""
    fixed, names = _parts(template)
    at, end, values = len(fixed[0]), len(text) - len(fixed[-1]), []
    if at > end:
        return None
    for part in fixed[1:-1]:  # the first place is the best one: it leaves most for what follows
        found = text.find(part, at, end)
        if found < 0:
            return None
        values.append(text[at:found])
        at = found + len(part)
    values.append(text[at:end])
    named = dict(zip(names, values, strict=True))
    return named if [named[name] for name in names] == values else None  # one name, one value


t, w = Catalogue("referee"), Wording("referee")
NOTHING = t("")
