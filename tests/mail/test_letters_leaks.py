"""The search for leaks compares mails, too: their text, page, picture and size; and what pages in a browser get."""

from typing import Any

import pytest

from referee.engine import host
from referee.testing import worlds
from referee.testing.leaks import search

REAL, PAGES = worlds.mailed, worlds.for_pages


def hidden(match: host.Match, seat: int) -> str:
    """A face that this seat does not know; empty if there is none."""
    slots = worlds.hidden_slots(match, seat)
    return match.faces[min(slots)] if slots else ""


def test_mails_are_compared() -> None:
    found = search("auction", 10)
    assert (found.differed, str(found.leak)) == (10, "")


@pytest.mark.parametrize("name", ["subject", "text", "page", "picture", "files", "size"])
def test_a_mail_that_knows_too_much_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(match: host.Match, seat: int, *more: Any, **how: Any) -> dict[str, Any]:
        told = REAL(match, seat, *more, **how)
        face = hidden(match, seat)
        return told | {name: told[name] + (int(face or 0) if name == "size" else [face] if name == "files" else face)}

    monkeypatch.setattr(worlds, "mailed", leaky)
    found = search("auction", 60)
    assert f"the mail, at `{name}" in str(found.leak)


@pytest.mark.parametrize("path", [("aid", "title"), ("aid", "moves", "asked"), ("aid", "picture"), ("page", "title")])
def test_a_page_that_knows_too_much_is_found(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(match: host.Match, seat: int, *more: Any) -> dict[str, Any]:
        told = PAGES(match, seat, *more)
        inner = told
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = inner.get(path[-1], "") + hidden(match, seat)
        return told

    monkeypatch.setattr(worlds, "for_pages", leaky)
    found = search("auction", 60)
    assert f"what its page gets, at `{'.'.join(path)}`" in str(found.leak)
