"""The reader's language: the one asked for, or REFEREE_LANGUAGE, or the locale, or English. In a locale that is not C,
the first of our languages in LANGUAGE counts, as in other programs."""

import os
from itertools import pairwise

from referee.errors import Usage
from referee.language import ENGLISH, LANGUAGES, quoted, t

_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def choose(asked: str | None = None) -> str:
    """One of our languages. A language named for this program must be one of them; any other locale means English."""
    for named in (asked, os.environ.get("REFEREE_LANGUAGE")):
        if named:
            if language := _language_code(named):
                return language
            why = t("the language {text} is not supported", text=quoted(named[:20]))
            raise Usage(why, t("choose one of: {languages}", languages=tuple(LANGUAGES)))
    return _local()


def _local() -> str:
    locale = next((value for name in _LOCALE if (value := os.environ.get(name))), "C")
    plain = locale.partition(".")[0] in ("C", "POSIX")
    wanted = "" if plain else os.environ.get("LANGUAGE", "")
    return next(filter(None, map(_language_code, (wanted or locale).split(":"))), ENGLISH)


def first(words: list[str]) -> str:
    """The language of a command line before it is parsed, so that help and usage errors use it too. JSON for programs
    is in English."""
    asked = [after for before, after in pairwise(words) if before == "--language"]
    asked += [word.partition("=")[2] for word in words if word.startswith("--language=")]
    known = map(_language_code, (*asked[:1], os.environ.get("REFEREE_LANGUAGE", "")))
    return ENGLISH if "--json" in words else next(filter(None, known), "") or _local()


def _language_code(text: str) -> str:
    """The language of `de`, `nl_BE.UTF-8` or `de-AT`; empty if it is not one of ours."""
    language = text.replace("-", "_").replace(".", "_").replace("@", "_").partition("_")[0].lower()
    return language if language in LANGUAGES else ""
