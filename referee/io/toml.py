"""TOML that people write by hand: why it cannot be read, and where, in words that catalogues know."""

import re
import tomllib

from referee.language import mark


def misread(error: tomllib.TOMLDecodeError) -> tuple[str, str]:
    """Where a text is no TOML, and why."""
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
    if found is None:
        return mark("its beginning"), mark(f"the reader of TOML says '{str(error)[:80]}'")
    what, line, column = found.groups()
    where = mark(f"line {line}, column {column}") if line else mark("end of document")
    return where, f"{what[:1].lower()}{what[1:80]}"
