"""The memory of the player's page: files of one key merged, older files recognised, nothing lost."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from referee.crypto.codec import decode, encode
from referee.io.keyfile import PlayerFile
from tests.cli.world import run_here
from tests.page.node import Ask, asking
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

SCHEMA = Path(__file__).parents[2] / "schemas" / "player-file.schema.json"


def tickets(file: str) -> list[Any]:
    return list(json.loads(file).get("tickets", []))


def numbered(file: str, number: int) -> str:
    return encode(json.loads(file) | {"number": number}).decode()


class Memory:
    """One seat of a game of sealed bids, followed in several files at once."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.sitting = Sitting("auction", 3, "memory").until("bid")
        self.bags = {name: list(faces) for name, faces in self.sitting.table.bags.items()}
        self.fresh = player_file(self.sitting, 0).decode()

    def follow(self, file: str, sitting: Sitting | None = None) -> Any:
        return self.ask("follow", player=file, view=(sitting or self.sitting).view(0).decode(), hint=self.bags)

    def answer(self, file: str, move: Any, *, again: bool = False) -> Any:
        view = self.sitting.view(0).decode()
        how = {"answer": {"move": move, "again": again}, "hint": self.bags}
        return self.ask("answer", player=file, view=view, **how)

    def merge(self, one: str, other: str) -> Any:
        return self.ask("merge", one=one, other=other)


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with asking("player.mjs") as ask:
        yield Memory(ask)


@pytest.fixture(scope="module")
def files(memory: Memory) -> dict[str, str]:
    """Files that one player may have on three machines and in a drawer."""
    seen = memory.follow(memory.fresh)["player"]
    two, three = (memory.answer(seen, {"do": "bid", "amount": price})["player"] for price in (2, 3))
    later, other = memory.sitting.fork(), memory.sitting.fork()
    later.step(salt="one")
    other.step(salt="other")
    assert later.view(0) != other.view(0)
    strange = Sitting("auction", 3, "memory's other game").until(2)
    theirs = {"player": player_file(strange, 0).decode(), "view": strange.view(0).decode(), "hint": memory.bags}
    foreign = tickets(memory.ask("follow", **theirs)["player"])
    whole = json.loads(memory.fresh)
    return {
        "key alone": encode(whole["key"]).decode(),
        "fresh": memory.fresh,
        "seen": numbered(seen, 3),
        "two": numbered(two, 4),
        "three": numbered(three, 4),
        "later": numbered(memory.follow(seen, later)["player"], 5),
        "other story": memory.follow(seen, other)["player"],
        "other game": encode(whole | {"number": 9, "tickets": foreign}).decode(),
        "other name": encode(whole | {"key": whole["key"] | {"name": "Änne"}}).decode(),
        "twin game": encode(whole | {"tickets": [tickets(seen)[0] | {"game": "11" * 32}]}).decode(),
    }


def test_merging_is_the_same_in_any_order_and_loses_nothing(memory: Memory, files: dict[str, str]) -> None:
    parts = ("sealed", "signed", "others")
    for one, other in itertools.combinations_with_replacement(files.values(), 2):
        made = memory.merge(one, other)
        assert made == memory.merge(other, one)
        assert memory.merge(made["player"], one) == memory.merge(made["player"], other) == made
        for file in (one, other):
            for ticket in tickets(file):
                (kept,) = (row for row in tickets(made["player"]) if row["game"] == ticket["game"])
                heads = [{"round": kept["round"], "newest": kept["newest"]}, *kept.get("others", [])]
                assert {"round": ticket["round"], "newest": ticket["newest"]} in heads
                assert kept["round"] == max(head["round"] for head in heads)
                for name in parts:
                    assert [row for row in ticket.get(name, []) if row not in kept.get(name, []) + heads] == []
    for one, other, third in itertools.combinations(list(files.values())[2:7], 3):
        left = memory.merge(memory.merge(one, other)["player"], third)
        assert left == memory.merge(one, memory.merge(other, third)["player"])


def test_contradictions_are_kept_and_reported(memory: Memory, files: dict[str, str]) -> None:
    def found(one: str, other: str) -> list[tuple[str, int]]:
        made = memory.merge(files[one], files[other])
        return [(row["code"], row["round"]) for row in made["contradictions"]]

    last = memory.sitting.round
    assert found("seen", "later") == found("two", "seen") == found("later", "other game") == []
    assert found("later", "other story") == [("two-entries", last + 1)]
    assert found("two", "three") == [("second-answer", last + 1)]
    assert found("seen", "twin game") == [("two-geneses", 0)]
    # Whichever of the two answers the host has taken, its player can read it afterwards.
    both = memory.merge(files["two"], files["three"])["player"]
    assert [part["fields"]["amount"]["value"] for part in tickets(both)[0]["sealed"]] in ([2, 3], [3, 2])
    assert len(tickets(both)[0]["signed"]) == 2


def test_the_newer_file_gives_the_name_and_the_number(memory: Memory, files: dict[str, str]) -> None:
    made = memory.merge(files["two"], files["other name"])
    assert json.loads(made["player"])["key"]["name"] == "Anna"
    assert made["name"] == f"anna-004-r{memory.sitting.round:03}.player.json"
    newer = memory.merge(files["two"], numbered(files["other name"], 1234))
    assert newer["name"] == f"aenne-1234-r{memory.sitting.round:03}.player.json"
    # An older file of the same key adds nothing, whatever its number.
    assert memory.merge(files["two"], files["seen"])["player"] == files["two"]
    assert memory.merge(files["two"], files["key alone"])["player"] == files["two"]


def test_files_of_two_keys_are_never_merged(memory: Memory) -> None:
    other = player_file(memory.sitting, 1).decode()
    assert memory.merge(memory.fresh, other)["code"] == "other-key"


def test_two_stories_that_two_files_have_seen_show_when_a_view_comes(memory: Memory, files: dict[str, str]) -> None:
    """Also if the file whose story it is not has seen less than the other."""
    later = memory.sitting.fork()
    later.step(salt="one")
    later.step(salt="two")
    good = memory.merge(files["seen"], files["later"])["player"]
    assert tickets(good)[0]["others"] == [{key: tickets(files["seen"])[0][key] for key in ("newest", "round")}]
    followed = memory.follow(good, later)
    assert followed["age"] == "new"
    assert "others" not in tickets(followed["player"])[0]
    bad = memory.merge(followed["player"], files["other story"])["player"]
    assert memory.follow(bad, later)["code"] == "two-entries"
    assert memory.follow(memory.merge(good, files["twin game"])["player"], later)["code"] == "two-geneses"


def test_a_file_that_knows_less_than_the_view_is_noticed(memory: Memory, files: dict[str, str]) -> None:
    """A file saved before the answer, one that has never seen the game, and one whose sealed value is another."""
    last = memory.sitting.round
    signed = memory.answer(files["seen"], {"do": "bid", "amount": 2})
    sitting = memory.sitting.fork()
    for seat in sitting.asked:
        assert sitting.give(signed["file"].encode() if seat == 0 else sitting.signed(seat)).error is None
    assert sitting.round > last
    bodies = [entry["body"] for entry in json.loads(sitting.view(0))["entries"][:last]]
    earlier = [body["round"] for body in bodies if any(one["seat"] == 0 for one in body["answers"])]
    assert earlier

    def unknown(file: str) -> list[int]:
        found = memory.follow(file, sitting)
        assert found["mine"], found
        return list(found["unknown"])

    assert unknown(files["two"]) == unknown(signed["player"]) == []
    assert unknown(files["seen"]) == [last + 1]
    assert unknown(files["fresh"]) == [*earlier, last + 1]
    assert unknown(files["three"]) == [last + 1]
    assert unknown(memory.merge(files["three"], files["two"])["player"]) == []


def test_a_receipt_for_an_answer_that_the_file_does_not_know_is_noticed(memory: Memory, files: dict[str, str]) -> None:
    """Signed with another file of the same player; not one for another's answer, or of a round that is long over."""
    judged = memory.sitting.fork().give(memory.answer(files["seen"], {"do": "bid", "amount": 2})["file"].encode())
    body = json.loads(encode(judged.receipt))["body"]
    rows = (
        ("three", {}, True),
        ("two", {}, False),
        ("three", {"seat": 1}, False),
        ("three", {"round": memory.sitting.round}, False),
        ("fresh", {}, False),
    )
    for name, change, unknown in rows:
        assert memory.ask("receipt", player=files[name], body=body | change)["unknown"] is unknown, (name, change)


def test_python_and_the_schema_read_the_same_file(memory: Memory, files: dict[str, str], tmp_path: Path) -> None:
    schema = json.loads(SCHEMA.read_text())
    everything = files["fresh"]
    for file in files.values():
        everything = memory.merge(everything, file)["player"]
    for text in (everything, *(file for name, file in files.items() if name != "key alone")):
        jsonschema.validate(json.loads(text), schema)
        assert encode(decode(text.encode(), PlayerFile, "player's file")).decode() == text
    path = tmp_path / "anna-009-r004.player.json"
    path.write_text(everything)
    shown = run_here("key", "--key", str(path), cwd=tmp_path)
    assert shown.out.decode().strip() == memory.sitting.players[0].public.hex()


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": 0},
        {"number": -1},
        {"number": "7"},
        {"count": 7},
        {"tickets": [{"others": []}]},
        {"tickets": [{"signed": {}}]},
        {"tickets": [{"others": [{"round": 1}]}]},
    ],
)
def test_an_invalid_player_s_file_is_refused_in_both_languages(
    memory: Memory, files: dict[str, str], wrong: dict[str, Any]
) -> None:
    whole = json.loads(files["seen"])
    more = {"tickets": [whole["tickets"][0] | row for row in wrong["tickets"]]} if "tickets" in wrong else wrong
    text = encode(whole | more).decode()
    assert memory.merge(text, text)["code"] == "malformed"
    with pytest.raises(Exception, match="player's file"):
        decode(text.encode(), PlayerFile, "player's file")
