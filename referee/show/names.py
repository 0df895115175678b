"""Players in sentences: `@2` stands for the name of a seat, in what is told and in what is typed."""

import re
from collections.abc import Sequence

from referee.show.text import clean


def with_names(line: str, names: Sequence[str]) -> str:
    """A sentence with `@2` replaced by the player's name."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return clean(names[seat]) if seat < len(names) else found[0]

    return re.sub(r"@(\d{1,2})", name, clean(line))


def without_names(text: str, names: Sequence[str]) -> str:
    """What was typed with players' names replaced by `@2`, in one pass; the longest name that fits is meant."""
    seats = {name.casefold(): seat for seat, name in enumerate(names)}
    longest = sorted(names, key=len, reverse=True)
    pattern = "|".join(re.escape(name) for name in longest)
    return re.sub(
        rf"(?<!\w)(?:{pattern})(?!\w)",
        lambda found: f"@{seats[found[0].casefold()]}" if found[0].casefold() in seats else found[0],
        text,
        flags=re.IGNORECASE,
    )
