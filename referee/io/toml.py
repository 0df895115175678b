"""TOML that people write by hand: why it cannot be read, and where, in words that catalogues know."""

import re
import tomllib

from referee.language import t


def misread(error: tomllib.TOMLDecodeError) -> tuple[str, str]:
    """Where a text is no TOML, and why."""
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
    if found is None:
        return t("its beginning"), t("the reader of TOML says '{error}'", error=str(error)[:80])
    what, line, column = found.groups()
    where = t("line {line}, column {column}", line=line, column=column) if line else t("end of document")
    return where, f"{what[:1].lower()}{what[1:80]}"
