"""Why JSON or TOML is not what was expected: the messages of the parsing library as texts that can be translated."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache

import msgspec

from referee.language import Text, Value, mark, quoted, t

_MOST = 160
"""Most characters kept of a message."""
_SAID = (
    mark("Expected `{wanted}`, got `{given}`"),
    mark("Expected `{wanted}`"),
    mark("Expected `{wanted}` that's a multiple of {bound}"),
    mark("Expected `{wanted}` matching regex {pattern}"),
    mark("Expected `{wanted}` of length {least} to {most}, got {given}"),
    mark("Expected `{wanted}` of length {least} to {most}"),
    mark("Expected `{wanted}` of length {bound}, got {given}"),
    mark("Expected `{wanted}` of length {bound}"),
    mark("Expected `{wanted}` of at least length {bound}, got {given}"),
    mark("Expected `{wanted}` of at most length {bound}, got {given}"),
    mark("Expected `{wanted}` of at most length {bound}"),
    mark("Expected `{wanted}` {bound}"),
    mark("Object missing required field `{field}`"),
    mark("Object contains unknown field `{field}`"),
    mark("Invalid enum value {value}"),
    mark("Invalid value {value}"),
    mark("Integer value out of range"),
    mark("Number out of range"),
    mark("Input data was truncated"),
)
"""The first one that matches counts."""
_MALFORMED = (
    mark("expected ',' or {sign}"),
    mark("expected ':'"),
    mark("expected '\"'"),
    mark("invalid character"),
    mark("invalid character in unicode escape"),
    mark("invalid escape character in string"),
    mark("invalid escaped character"),
    mark("invalid number"),
    mark("invalid utf-16 surrogate pair"),
    mark("object keys must be strings"),
    mark("trailing characters"),
    mark("trailing comma in array"),
    mark("trailing comma in object"),
    mark("unexpected end of escaped utf-16 surrogate pair"),
    mark("unexpected end of hex escape"),
)
_PLACE = r"(.*) - at `((?:\w+` in `)*\$[^`]*)`"
_BYTE = r"JSON is malformed: (.*) \(byte (\d+)\)"


def why(error: msgspec.MsgspecError) -> Text:
    """What is wrong, and where."""
    what, place = misfit(error)
    return t("{why} - at `{place}`", why=what, place=place) if place else what


def misfit(error: msgspec.MsgspecError) -> tuple[Text, str]:
    """What is wrong; and where, `$.x`, if it is not the whole. A message can quote the input, so only printable ASCII
    is kept, and little of it."""
    message = "".join(c for c in str(error) if " " <= c <= "~")[:_MOST]
    if found := re.fullmatch(_BYTE, message):
        return t("JSON is malformed: {why} (byte {place})", why=_text(found[1], _MALFORMED), place=found[2]), ""
    found = re.fullmatch(_PLACE, message)
    return (_text(found[1], _SAID), found[2]) if found else (_text(message, _SAID), "")


def _text(message: str, templates: tuple[str, ...]) -> Text:
    return matched(message, templates, "[^`]+", _value) or t("the library msgspec says {said}", said=quoted(message))


def matched(message: str, templates: tuple[str, ...], value: str, spelled: Callable[[str], Value]) -> Text | None:
    """The first template that matches a library's message; values match the pattern `value`, and `spelled` converts
    them."""
    for template in templates:
        if found := _pattern(template, value).fullmatch(message):
            with suppress(ValueError, SyntaxError, TypeError):  # another message with the same beginning
                return t(template, **{name: spelled(text) for name, text in found.groupdict().items()})
    return None


@cache
def _pattern(template: str, value: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", rf"(?P<\1>{value})", re.escape(template)), re.DOTALL)


def _value(value: str) -> Value:
    return quoted(value[1:-1]) if re.fullmatch("'.*'", value) else value
