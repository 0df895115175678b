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

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import date, datetime
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
_THEIRS = {"name", "player", "you", "who", "user", "address", "file", "filename", "path"}
"""Values that people chose, or commands: somebody may be called `left`, or like a whole sentence of ours."""
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


class Catalogue:
    """The translations of one package; values are filled in by their names."""

    def __init__(self, package: str) -> None:
        self._package = package
        known(package)

    def __call__(self, message: str, /, **values: Any) -> str:
        """A text that stands alone."""
        if _spoken.get() != ENGLISH:
            message = _read(self._package, _spoken.get()).gettext(message)
        return message.format(**values) if values else message

    def plural(self, one: str, many: str, n: int, /, **values: Any) -> str:
        """A text about `n` things; it may name `{n}`."""
        if _spoken.get() == ENGLISH:
            message = one if n == 1 else many
        else:
            message = _read(self._package, _spoken.get()).ngettext(one, many, n)
        return message.format(**{"n": n, **values})

    def sense(self, context: str, message: str, /, **values: Any) -> str:
        """A text that means several things: `context` says which."""
        if _spoken.get() != ENGLISH:
            message = _read(self._package, _spoken.get()).pgettext(context, message)
        return message.format(**values) if values else message


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
                if letters > best[0]:
                    translation = _read(package, self.language).gettext(template)
                    best = letters, translation.format(**{name: found for name, (_, found) in inner.items()})
        return max(best, self._row(text, within), key=lambda one: one[0])

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
                return joined(told)
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
        read = as_day(date.fromisoformat(day)) if len(day) == len("2027-01-05") else ""
    except ValueError:
        return ""
    return when(text) if read and len(clock) == len("18:00Z") and clock.endswith("Z") else "" if time else read


def _thousands(text: str) -> str:
    """`1,048,576` as the reader writes it; empty if it is something else."""
    first, *more = text.split(",")
    fits = first.isdecimal() and len(first) < 4 and more and all(len(one) == 3 and one.isdecimal() for one in more)
    return written(text) if fits else ""


def _quoted(text: str) -> str:
    """`'a', 'b'` as people quote it, with its letters as they were; empty if something else stands in it."""
    if text[0] not in "'\"" or text[-1] != text[0]:
        return ""
    from ast import literal_eval

    try:
        read = literal_eval(f"[{text}]")
    except (ValueError, SyntaxError):
        return ""
    words = ["".join(c if c.isprintable() else ascii(c)[1:-1] for c in word) for word in read if isinstance(word, str)]
    return ", ".join(t("'{quoted}'", quoted=word) for word in words) if len(words) == len(read) else ""


def _within(package: str, packages: tuple[str, ...]) -> tuple[str, ...]:
    """Whose texts can stand in a sentence of this package: in one of a game its own, but not those of other games."""
    ours = package.startswith("referee.") and not package.startswith("referee.games.")
    others = packages if ours or package in ("", "referee") else ("referee",)
    return tuple(dict.fromkeys((package, *others) if package else others))


def _is_clause(text: str) -> bool:
    """`SF-17)`: what an illegal move ends with."""
    game, _, number = text.removesuffix(")").partition("-")
    return text.endswith(")") and game.isupper() and number[:1].isdigit() and number.isalnum()


def listed(words: Iterable[str]) -> str:
    """`a, b and c`."""
    *most, last = list(words) or [""]
    return t("{most} and {last}", most=", ".join(most), last=last) if most else last


def either(words: Iterable[str]) -> str:
    """`a, b or c`."""
    *most, last = list(words) or [""]
    return t("{most} or {last}", most=", ".join(most), last=last) if most else last


def written(number: str) -> str:
    """A number in figures, `1,234.5%`, as the reader writes it."""
    if _spoken.get() == ENGLISH:
        return number
    turned = number.translate(_MARKS)
    return turned.replace("%", "\N{NO-BREAK SPACE}%") if _spoken.get() == "de" else turned


def dated(time: "datetime") -> str:
    """A day and a time, as people write it."""
    return t("{day} at {hour:02}:{minute:02}", day=as_day(time), hour=time.hour, minute=time.minute)


def as_day(day: "date") -> str:
    """A day, as people write it."""
    return t("{year}-{month:02}-{day:02}", year=day.year, month=day.month, day=day.day)


def when(due: str) -> str:
    """A time as an entry states it, as people write it."""
    year, month, day = (int(part) for part in due[:10].split("-"))
    return t("{year}-{month:02}-{day:02} {time} UTC", year=year, month=month, day=day, time=due[11:16])


@cache
def _read(package: str, language: str) -> "NullTranslations":
    from gettext import GNUTranslations, NullTranslations
    from importlib.resources import files

    try:
        with files(package).joinpath("locale", f"{language}.mo").open("rb") as file:
            return GNUTranslations(file)
    except OSError:
        return NullTranslations()


TEMPLATES = "texts with values that errors are made of"
"""The context under which a compiled catalogue lists them, a line each."""


@cache
def _templates(language: str, packages: tuple[str, ...]) -> list[tuple[str, str, str, str]]:
    """Package, template and how that begins and ends, those with the most fixed letters first: they say most about a
    text."""
    found = []
    for package in packages:
        found += [(package, text, *_parts(text)[0]) for text in _with_values(_read(package, language))]
    found.sort(key=lambda one: -sum(map(len, one[2:])))
    return [(package, text, fixed[0], fixed[-1]) for package, text, *fixed in found]


def _with_values(catalogue: "NullTranslations") -> list[str]:
    """The texts with values that errors are made of; of a catalogue that other tools compiled, all that can be."""
    listed = catalogue.pgettext(TEMPLATES, "all")
    if listed != "all":
        return [text for text in listed.split("\n") if "{" in text]
    texts = [text for text in getattr(catalogue, "_catalog", ()) if isinstance(text, str) and "\x04" not in text]
    return [text for text in texts if "{" in text and _is_plain(text)]


def _is_plain(template: str) -> bool:
    """Whether any texts can be its values."""
    from string import Formatter

    try:
        return not any(form or turned for _, _, form, turned in Formatter().parse(template))
    except ValueError:
        return False


@cache
def _parts(template: str) -> tuple[list[str], list[str]]:
    """The fixed texts around the values, and the values' names."""
    from string import Formatter

    fixed, names = [""], []
    for text, name, _, _ in Formatter().parse(template):
        fixed[-1] += text
        if name is not None:
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
    return dict(zip(names, (*values, text[at:end]), strict=True))


t = Catalogue("referee")
