"""Documents in a mail that no player of a kept key can have signed."""

from types import SimpleNamespace
from typing import Any

import pytest

from referee.errors import WrongTurn
from referee.mail import signed


class Desk(SimpleNamespace):
    """A table at which the office keeps the key of the first seat."""

    name = "table"

    def kept(self, seat: int) -> bool:
        return seat == 0

    def opened(self, seat: int) -> Any:
        return seat

    def language(self, seat: int) -> str:
        return "en"


def test_what_was_copied_from_a_view_hides_no_document_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each paper is called by the seat that signed it; `x` is signed by nobody here."""
    heard: list[tuple[int, bytes]] = []

    def signer(desk: Any, paper: Any) -> int:
        if paper.data == b"x":
            raise WrongTurn("another game", "send it there")
        return int(paper.data)

    monkeypatch.setattr(signed, "_desk_of", lambda case, paper: Desk())
    monkeypatch.setattr(signed, "_signer", signer)
    monkeypatch.setitem(signed._HEAR, "move", lambda case, desk, seat, data, one: heard.append((seat, data)))
    papers: Any = [SimpleNamespace(kind="move", data=data) for data in (b"0", b"1", b"x", b"0", b"2", b"1")]
    found, trouble = signed.judge_documents(SimpleNamespace(), papers)  # type: ignore[arg-type]
    assert heard == [(1, b"1"), (2, b"2"), (1, b"1")]
    assert [*found] == [("table", 1), ("table", 2)]
    assert str(trouble) == "another game"
