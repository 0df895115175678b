"""Which language a person reads: what was asked for, else REFEREE_LANGUAGE, else the locale, else English. In a locale
that is not C, the first of our languages in LANGUAGE is meant, as by other programs."""

import os
from itertools import pairwise

from referee.errors import Usage
from referee.language import ENGLISH, LANGUAGES, quoted, t

_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def choose(asked: str | None = None) -> str:
    """One of our languages. What is named for this program must be one of them; any other locale is English."""
    for named in (asked, os.environ.get("REFEREE_LANGUAGE")):
        if named:
            return _known(named)
    return _local()


def _local() -> str:
    locale = next((value for name in _LOCALE if (value := os.environ.get(name))), "C")
    plain = locale.partition(".")[0] in ("C", "POSIX")
    wanted = "" if plain else os.environ.get("LANGUAGE", "")
    return next(filter(None, map(_spoken, (wanted or locale).split(":"))), ENGLISH)


def first(words: list[str]) -> str:
    """The language of a command line, before anybody looks closer at it: so help and complaints are spoken in it too.
    Programs are spoken to in English."""
    asked = [after for before, after in pairwise(words) if before == "--language"]
    asked += [word.partition("=")[2] for word in words if word.startswith("--language=")]
    known = map(_spoken, (*asked[:1], os.environ.get("REFEREE_LANGUAGE", "")))
    return ENGLISH if "--json" in words else next(filter(None, known), "") or _local()


def _spoken(text: str) -> str:
    """The language of `de`, `nl_BE.UTF-8` or `de-AT`; empty if it is none of ours."""
    language = text.replace("-", "_").replace(".", "_").replace("@", "_").partition("_")[0].lower()
    return language if language in LANGUAGES else ""


def _known(text: str) -> str:
    language = _spoken(text)
    if not language:
        why = t("the language {text} is not supported", text=quoted(text[:20]))
        raise Usage(why, t("choose one of: {languages}", languages=tuple(LANGUAGES)))
    return language
