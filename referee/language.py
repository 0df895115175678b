"""Messages as data until somebody reads them, and the reader's language.

    t = Catalogue("referee.mail")
    text = t("{name} has not answered yet", name=name)
    t.plural("{n} card", "{n} cards", n)
    t.sense("a move", "open")

A `Text` keeps its English sentence and the values in it. `str(text)` says it in the current language, which a command,
a mail or a page sets for its reader with `speaking`. `w = Wording("referee.mail")` has the same calls for what is
written at once, such as a board.

A catalogue is the folder `locale` of a package, with a `LANGUAGE.po` for each language and the `.mo` that it is
compiled into (for ours: `python -m tests.locale.make`), which is read when it is first needed. What is not translated
appears in English. Nothing that is signed, hashed or sent between programs contains prose.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import msgspec

if TYPE_CHECKING:
    from datetime import datetime
    from gettext import NullTranslations

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "nl": "Nederlands"}
"""Language -> what its speakers call it."""

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)
_UNFIT = (LookupError, ValueError, AttributeError, TypeError, ArithmeticError)
"""What a bad translation raises, for example one that names values that do not exist."""
_MARKS = str.maketrans(",.", ".,")


def current_language() -> str:
    """The current language."""
    return _language.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language within."""
    before = _language.set(language if language in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _language.reset(before)


def language_of_package(package: str) -> str:
    """The current language if this package has a catalogue for it; otherwise English."""
    return current_language() if _read(package, current_language()).info() else ENGLISH


class Text(msgspec.Struct, frozen=True):
    """A sentence as data: its package, the English text, and the values in it. `str` uses the current language."""

    package: str
    message: str
    values: tuple[tuple[str, "Value"], ...] = ()
    many: str = ""
    """Used instead of `message` if the value `n` is not 1."""
    context: str = ""
    """Which of several meanings `message` has here."""

    def __str__(self) -> str:
        values = {name: value_text(value) for name, value in self.values}
        if _language.get() != ENGLISH:
            with suppress(*_UNFIT):
                found = self._translated(values)
                return found.format(**values) if values else found
        english = self.many if self.many and values["n"] != 1 else self.message
        return english.format(**values) if values else english

    def __bool__(self) -> bool:
        return bool(self.message)

    def _translated(self, values: "dict[str, str | int | float]") -> str:
        """The sentence in the current language, with places for values; English if it loses one of them."""
        catalogue = _read(self.package, _language.get())
        if self.many:
            return catalogue.ngettext(self.message, self.many, cast(int, values["n"]))
        found = catalogue.pgettext(self.context, self.message) if self.context else catalogue.gettext(self.message)
        return found if not values or names_in(found) == names_in(self.message) else self.message


class Figures(msgspec.Struct, frozen=True):
    """A number in figures, `1,234.5%`; shown as the reader writes it."""

    text: str

    def __str__(self) -> str:
        return localised_number(self.text)


class Time(msgspec.Struct, frozen=True):
    """A day, `2027-01-05`, or a time, `2027-01-05T18:00Z`; shown as people write it."""

    text: str

    def __str__(self) -> str:
        try:
            year, month, day = (int(part) for part in self.text[:10].split("-"))
        except ValueError:  # not a time
            return printable(self.text)
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
    has the sentences: `REFUSALS`, reason -> what is wrong and what to do next (empty: see what is legal), and
    `word(name, value)`, what a value is called in them."""

    package: str
    reason: str
    values: tuple[tuple[str, "Value"], ...] = ()
    next: bool = False

    def text(self) -> Text:
        """The sentence."""
        from importlib import import_module

        story = import_module(f"{self.package}.story_refusals")
        if self.reason not in story.REFUSALS:
            return MOVES if self.next else as_text(self.reason)
        sentence: str = story.REFUSALS[self.reason][self.next]
        values = tuple((name, story.word(name, value)) for name, value in self.values)
        return Text(self.package, sentence, values) if sentence else MOVES

    def __str__(self) -> str:
        return str(self.text())


class Named(msgspec.Struct, frozen=True):
    """A text in which `@2` stands for the name of seat 2."""

    text: "Message"
    names: tuple[str, ...]

    def __str__(self) -> str:
        return with_names(str(self.text), self.names)


Message = Text | Reason | Named
Value = int | str | Text | Figures | Time | Run | Reason | Named | tuple["Value", ...]
"""What a text can contain. A `str` is somebody's own: a name, a file, typed text. It is never translated."""


def run(*words: str) -> Run:
    """A command with its arguments."""
    return Run(words)


def runs(message: Message) -> Iterator[Run]:
    """The commands that a text names."""
    if isinstance(message, Named):
        yield from runs(message.text)
        return
    for _, value in as_text(message).values:
        if isinstance(value, Run):
            yield value
        elif isinstance(value, Message):
            yield from runs(value)


def with_files(message: Message, command: Run) -> Message:
    """A text in which a command that names no file is this one: the same words, and the reader's own files."""

    def named(value: Value) -> Value:
        if not isinstance(value, Run):
            return value
        size = len(value.words)
        same = command.words[:size] == value.words and not "".join(command.words[size : size + 1]).startswith("-")
        return command if same else value

    return with_values(message, named)


def with_values(message: Message, change: Callable[[Value], Value]) -> Message:
    """A text with changed values, also in the texts within it."""
    if isinstance(message, Named):
        return Named(with_values(message.text, change), message.names)

    def other(value: Value) -> Value:
        value = change(value)
        return with_values(value, change) if isinstance(value, Message) else value

    text = as_text(message)
    return msgspec.structs.replace(text, values=tuple((name, other(value)) for name, value in text.values))


def as_text(value: Value) -> Text:
    """The sentence of a reason; any other value as a text of its own."""
    if isinstance(value, Reason):
        return value.text()
    return value if isinstance(value, Text) else Text("", "{value}", (("value", value),))


def value_text(value: Value | float) -> str | int | float:
    """A value for a sentence in the current language; a list with commas."""
    if isinstance(value, (str, int, float)):
        return value
    return ", ".join(str(value_text(one)) for one in value) if isinstance(value, tuple) else str(value)


class Catalogue:
    """Makes the texts of one package; values are filled in by their names."""

    def __init__(self, package: str) -> None:
        self._package = package

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
    """The same texts as words at once, for output to a known reader; a value is anything that can be printed."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __call__(self, message: str, /, **values: Any) -> str:
        return str(Text(self._package, message, tuple(values.items())))

    def plural(self, one: str, many: str, n: int, /, **values: Any) -> str:
        return str(Text(self._package, one, (("n", n), *values.items()), many))

    def sense(self, context: str, message: str, /, **values: Any) -> str:
        return str(Text(self._package, message, tuple(values.items()), context=context))


def mark(message: str, context: str = "") -> str:
    """Note a text that is filled in later, by `t(TEXTS[kind], ...)` or `t.sense(context, kind)`."""
    return message


def listed(words: Iterable[Value]) -> Value:
    """`a, b and c`."""
    *most, last = list(words) or [""]
    return t("{most} and {last}", most=tuple(most), last=last) if most else last


def either(words: Iterable[Value]) -> Value:
    """`a, b or c`."""
    *most, last = list(words) or [""]
    return t("{most} or {last}", most=tuple(most), last=last) if most else last


QUOTED = mark("'{quoted}'")


def quoted(word: str) -> Text:
    """What somebody wrote, in quotes and safe to print."""
    return t(QUOTED, quoted=printable(word))


def printable(text: str) -> str:
    """Somebody else's text, safe to print: characters that are not printable are escaped."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def with_names(line: str, names: Sequence[str]) -> str:
    """A sentence, safe to print, with `@2` replaced by the name of seat 2."""
    import re

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return printable(names[seat]) if seat < len(names) else found[0]

    shown = printable(line)
    return re.sub(r"@(\d{1,2})", name, shown) if "@" in shown else shown


def localised_number(number: str) -> str:
    """A number in figures, `1,234.5%`, as the reader writes it."""
    if _language.get() == ENGLISH:
        return number
    turned = number.translate(_MARKS)
    return turned.replace("%", "\N{NO-BREAK SPACE}%") if _language.get() == "de" else turned


def localised_date(time: "datetime") -> str:
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
    except Exception:  # there is none, or another tool wrote something invalid
        return NullTranslations()
    return found


@cache
def names_in(template: str) -> frozenset[str]:
    """The names of the values in a text."""
    from string import Formatter

    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)


t, w = Catalogue("referee"), Wording("referee")
NOTHING = t("")
MOVES = t("see {run} for what is legal", run=run("show", "--moves"))
