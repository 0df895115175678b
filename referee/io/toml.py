"""TOML that people write by hand: why it cannot be read, and where."""

import re
import tomllib
from ast import literal_eval

from referee.language import Text, mark, printable, quoted, t
from referee.misfits import matched

_SAYS = (
    mark("invalid statement"),
    mark("expected newline or end of document after a statement"),
    mark("found invalid character {char}"),
    mark("cannot declare {key} twice"),
    mark("cannot overwrite a value"),
    mark("cannot mutate immutable namespace {key}"),
    mark("cannot redefine namespace {key}"),
    mark("expected ']' at the end of a table declaration"),
    mark("expected ']]' at the end of an array declaration"),
    mark("expected '=' after a key in a key/value pair"),
    mark("invalid initial character for a key part"),
    mark("unclosed array"),
    mark("duplicate inline table key {key}"),
    mark("unclosed inline table"),
    mark("unescaped '\\' in a string"),
    mark("invalid hex value"),
    mark("escaped character is not a Unicode scalar value"),
    mark("unterminated string"),
    mark("illegal character {char}"),
    mark("invalid date or datetime"),
    mark("invalid value"),
    mark("expected {what}"),
)
"""What the library says, except for a capital letter and for how it spells values: a word, or the parts of a key."""
_MOST = 80


def explain_error(error: tomllib.TOMLDecodeError) -> tuple[Text, Text]:
    """Where a text is not valid TOML, and why."""
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
    if found is None:
        return t("its beginning"), _unknown(str(error))
    what, line, column = found.groups()
    where = t("line {line}, column {column}", line=int(line), column=int(column)) if line else t("end of document")
    return where, _why(what)


def _why(what: str) -> Text:
    return matched(f"{what[:1].lower()}{what[1:]}", _SAYS, r"""['"(].*""", _key_text) or _unknown(what)


def _key_text(value: str) -> Text:
    """A word, or a key `a.b`, of which the library says `('a', 'b')`."""
    read = literal_eval(value)
    return quoted((read if isinstance(read, str) else ".".join(read))[:_MOST])


def _unknown(what: str) -> Text:
    return t("the TOML parser says '{error}'", error=printable(what[:_MOST]))
