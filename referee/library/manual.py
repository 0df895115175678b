"""The manual, which is part of the program: one page per topic, as Markdown, in `referee/manual/LANGUAGE/TOPIC.md`."""

import re
from importlib.resources import files

from referee.errors import Usage
from referee.language import ENGLISH, quoted, run
from referee.library import t

TOPICS = (
    "playing", "hosting", "mail", "browser", "box", "deadlines", "disputes", "guarantees", "tournaments", "bots",
    "library", "authors", "reference",
)  # fmt: skip
"""In the order of the list: players first, then hosts, then programmers."""


def page(topic: str, language: str = ENGLISH) -> str:
    """A page in that language, or in English if it is not translated."""
    if topic not in TOPICS:
        why = t("the manual has no page {topic}", topic=quoted(topic[:40]))
        raise Usage(why, t("{run} lists its pages", run=run("manual")), code="no-topic")
    folder = files("referee").joinpath("manual")
    translated = folder.joinpath(language, f"{topic}.md")
    found = translated if translated.is_file() else folder.joinpath(ENGLISH, f"{topic}.md")
    return re.sub(r"^<!-- .* -->\n", "", found.read_text("utf-8"), flags=re.MULTILINE)


def titles(language: str = ENGLISH) -> dict[str, str]:
    """Topic -> the title of its page."""
    return {topic: page(topic, language).partition("\n")[0].removeprefix("# ") for topic in TOPICS}
