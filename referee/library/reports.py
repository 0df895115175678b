"""Reports for programs: JSON, in English whatever the reader's language."""

import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from referee.errors import IllegalMove, RefereeError
from referee.language import ENGLISH, NOTHING, Figures, Message, Named, Reason, Run, Time, speaking


def encoded(value: Any) -> str:
    """A report as JSON."""
    return escaped(msgspec.json.encode(english(value), order="sorted").decode())


def english(value: Any) -> Any:
    """A text in English; a report with all its texts in English."""
    if isinstance(value, Message | Figures | Time | Run):
        with speaking(ENGLISH):
            return str(value)
    if isinstance(value, Mapping):
        return {name: english(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        words = [english(one) for one in value]
        return words if any(one is not other for one, other in zip(words, value, strict=True)) else value
    if isinstance(value, msgspec.Struct):
        left_out = NOTHING if value.__struct_config__.omit_defaults else None
        fields = msgspec.structs.asdict(value).items()
        return msgspec.structs.replace(value, **{name: english(one) for name, one in fields if one is not left_out})
    return value


def escaped(json: str) -> str:
    """Equivalent JSON in which nothing can mislead a terminal, and which standard output can encode."""
    narrow = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    return "".join(c if c.isprintable() and (c.isascii() or not narrow) else _escaped(c) for c in json)


def _escaped(character: str) -> str:
    from json import dumps  # seldom needed

    return dumps(character)[1:-1]


def error_data(error: RefereeError) -> dict[str, object]:
    """An error for programs: its code and words, and the values in them; of an illegal move also the clause of the
    rules, and the word for the reason where the rules have one."""
    data: dict[str, object] = {"code": error.code, "message": error.message, "next": error.next}
    message = error.message
    if isinstance(error, IllegalMove):
        message, data["clause"] = error.why, error.clause
    while isinstance(message, Named):
        message = message.text
    if isinstance(message, Reason):
        data["reason"] = message.reason
    return data | {"values": dict(message.values)}
