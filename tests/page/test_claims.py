"""Claims are documents of their own: a page counts those that are opened beside a game's file."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.evidence.rulings import Claim, make_claim, make_ruling, read_claim
from tests.page.browser import browsing, needs_browser
from tests.page.desk import Desk
from tests.page.node import PAGE, run_node
from tests.support.match import Sitting, chance, code_of

SENT = "2026-12-24T18:00Z"


def claimed(name: str = "claimed") -> tuple[Sitting, list[bytes]]:
    """Bert is timed out, though he had signed an answer. Two of his claims differ only in the time."""
    sitting = Sitting("mark", 3, name, deadline=60, grace=10).until(2)
    seat = sitting.asked[0]
    asked, move = sitting.view(seat), decode(sitting.signed(seat), r.MoveFile, "move")
    sitting.step(seat)
    view = decode(asked, r.View, "view")
    return sitting, [make_claim(sitting.players[seat], view, move, sent) for sent in (SENT, "2026-12-24T19:00Z")]


def rows(folder: Path, *files: bytes) -> list[Any]:
    paths = []
    for number, data in enumerate(files):
        paths.append(folder / f"{number}.json")
        paths[-1].write_bytes(data)
    done = run_node(PAGE / "verifier.mjs", "--json", *paths)
    assert done.returncode in (0, 6), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_claims_beside_a_file_are_counted_once_and_for_their_own_game(tmp_path: Path) -> None:
    sitting, (first, second) = claimed()
    other = claimed("elsewhere")[1][0]
    view = sitting.view(0)
    forged = first.replace(SENT.encode(), b"2026-12-24T17:00Z")
    for files, count in (
        ((view,), 0),
        ((view, first), 1),
        ((first, view, first), 1),
        ((view, first, second), 2),
        ((view, other), 0),
        ((view, forged), 0),
    ):
        found = [row for row in rows(tmp_path, *files) if row["kind"] == "view"]
        assert [row["late"]["claims"] for row in found] == [count], files
        assert (f"{count} claims: the players' word, not a proof" in found[0]["words"]) == bool(count)
        assert [(row["code"], row["late"]["rounds"]) for row in found] == [("ok", 1)], "it judges nothing"


SAID = {
    "en": ("Claims about this game: 2. A claim is a player's word, not a proof.", "was sent on 2026-12-24 18:00 UTC"),
    "de": ("Erklärungen dazu: 2. Sie sind das Wort der Spieler, kein Beweis.", "am 24.12.2026 um 18:00 UTC"),
    "nl": ("Verklaringen erbij: 2. Ze zijn het woord van de spelers, geen", "verstuurd op 24-12-2026 om 18:00 UTC"),
}


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("language", SAID)
def test_the_players_page_counts_the_claims_that_are_opened_with_a_game(language: str, tmp_path: Path) -> None:
    sitting, (first, second) = claimed()
    ruling = make_ruling(Key(chance("arbiter"), "Ada"), sitting.table.envelope, [], "Zoe says\u202eno.")
    with browsing(language=f"{language},en") as browser:
        desk = Desk(browser, tmp_path)
        desk.open_all({"view.json": sitting.view(0), "claim.json": first, "again.json": second, "ruling.json": ruling})
        told = browser.script("return [...document.querySelectorAll('article .verdict')].map((one) => one.innerText)")
        assert [SAID[language][0] in one for one in told[:4]] == [True, False, False, False], told
        shown = browser.script("return document.querySelector('main').innerText")
        assert SAID[language][1] in shown
        assert "Zoe says⟨202E⟩no." in shown
        assert browser.complaints() == []


def test_claims_that_do_not_hold_together_have_the_same_codes(tmp_path: Path) -> None:
    """Everything that a claim names, replaced and signed again by its player: the program reads it too."""
    sitting, (made, _) = claimed("apart")
    envelope = decode(made, Envelope, "claim")
    claim = decode(bytes(envelope.body), Claim, "claim")
    move = decode(bytes(claim.move.body), r.Move, "move")
    key = next(one for one in sitting.players if one.public == sitting.table.keys[move.seat])
    other, first = claimed("other")[0], sitting.match.entries[0]
    assert claim.entry is not None

    def again(move: r.Move, **changes: Any) -> bytes:
        return encode(sign(key, "claim", replace(claim, move=sign(key, "move", move), **changes)))

    tried = {
        "as it was": again(move),
        "a seat that is not there": again(replace(move, seat=3)),
        "the last seat": again(replace(move, seat=2)),
        "another game": again(replace(move, game=other.table.id)),
        "another round": again(replace(move, round=move.round + 1)),
        "no entry": again(move, entry=None),
        "an earlier entry": again(move, entry=first),
        "an entry of another game": again(move, entry=other.match.entries[0]),
        "a state where no seat changes hands": again(move, state=msgspec.Raw(b"{}")),
        "no such time": again(move, sent="2026-02-30T00:00Z"),
        "no such time of day": again(move, sent="2026-02-20T24:00Z"),
        "the first round": again(replace(move, round=1, asked=sitting.table.id), entry=None),
        "the first round after another game": again(replace(move, round=1, asked=other.table.id), entry=None),
    }
    told = {name: row["code"] for name, row in zip(tried, rows(tmp_path, *tried.values()), strict=False)}
    assert told == {name: code_of(lambda data=data: read_claim(data)) for name, data in tried.items()}
    assert {*told.values()} == {"ok", "mixed-claim", "bad-signature", "malformed"}


def test_the_bags_are_one_file_and_all_others_are_judged(tmp_path: Path) -> None:
    sitting = claimed()[0]
    (tmp_path / "bags.json").write_text("{}")
    for seat in range(3):
        (tmp_path / f"{seat}.json").write_bytes(sitting.view(seat))
    views = [tmp_path / f"{seat}.json" for seat in range(3)]
    for line in (["--bags", tmp_path / "bags.json", *views], [*views, "--bags", tmp_path / "bags.json"]):
        done = run_node(PAGE / "verifier.mjs", *line)
        assert (done.returncode, done.stdout.split()) == (0, ["ok"] * 4)
    assert run_node(PAGE / "verifier.mjs", *views, "--bags").returncode == 2
