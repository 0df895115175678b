"""The patterns of `usual.txt`: what people, programs and companies write into mails beside an answer."""

import os
import re
from functools import cache

from referee.io import files

_MADE = (
    "(?:sent|gesendet|geschickt|verschickt|versendet|verzonden|verstuurd|envoyé|enviado|enviada|inviato|skickat|sendt"
    "|wysłane|lähetetty|odesláno|written|typed|composed|getippt|geschrieben|getypt)"
)
_IN_CAPITALS = ("places", "names")


@cache
def usual(name: str) -> re.Pattern[str]:
    """The patterns of one section, as one."""
    text = files.read(os.path.join(os.path.dirname(__file__), "usual.txt"), 100_000, "file").decode()
    lines = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0].splitlines()
    patterns = "|".join(line for line in lines if line and not line.startswith("# "))
    return re.compile(patterns.replace("MADE", _MADE), re.NOFLAG if name in _IN_CAPITALS else re.IGNORECASE)


def hedges(text: str) -> bool:
    """Whether somebody may be taking back, changing or putting off something."""
    return bool(usual("hedges").search(text))
