"""Games of all kinds, honest and tampered with, through the JavaScript verifier and through the second one."""

import copy
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import games
from referee.crypto.codec import encode
from referee.crypto.envelope import signed_bytes
from referee.engine.player import open_view
from referee.engine.seats import rests
from referee.show.findings import report
from referee.tournament.documents import Schedule
from tests.engine.attacks import refusal
from tests.independent import judges, verifier, wire
from tests.independent.test_agreement import GAMES, bags_of, kind, played, tampered
from tests.independent.vector_tools import Played
from tests.independent.wire import canonical
from tests.support.match import Sitting, code_of
from tests.support.often import often
from tests.tournament import world

from .node import HERE, run_node
from .tampered import not_on_top, short_pile


def verified(asked: list[Any]) -> list[Any]:
    """The report for each, in order: `files`, and the other options of `verify`."""
    done = run_node(HERE / "verify.mjs", given="".join(canonical(one).decode() + "\n" for one in asked))
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.strip().split("\n")]
    assert len(answers) == len(asked)
    return answers


def honest(game_id: str, seed: int, most: int, hands: float = 0.05) -> int:
    """A game with all its troubles: every view, and the transcript, is right, and the same is counted. JavaScript knows
    the bags of our games. Returns how many files these were."""
    sitting = played(game_id, seed, most, hands)
    bags = bags_of(sitting)
    files = [(sitting.view(seat), verifier.check_view) for seat in range(sitting.table.seats)]
    if sitting.over or rests(sitting.state):
        files.append((sitting.transcript(), verifier.check_transcript))
    given = {"bags": bags} if game_id == "auction" else {}
    for (data, check), said in zip(files, verified([{"files": [f.decode()], **given} for f, _ in files]), strict=True):
        other = check(data, bags, judges.library)
        assert (said["code"], said["draws"], said["rules"]) == ("ok", "checked", "not checked"), (game_id, seed, said)
        counts = said["counts"]
        assert (counts["draws"], counts["signatures"]) == (other.draws, other.signatures)
        assert counts["openings"] == other.openings
    return len(files)


def test_a_game_of_two_is_over_when_one_of_them_leaves() -> None:
    sitting = Sitting("mark", 2, "one leaves").until(2)
    seat = sitting.asked[0]
    assert sitting.give(sitting.signed(seat, resign=True)).error is None
    assert sitting.state.end == "left"
    assert [said["code"] for said in verified([{"files": [sitting.view(seat).decode()]}])] == ["ok"]


def test_a_resignation_that_was_refused_is_seen_in_the_view_of_who_signed_it() -> None:
    """To leave is always legal, so nobody needs the rules for that; a view of another seat does not show it."""
    sitting = Sitting("mark", 2, "refused").until(3)
    seat = sitting.asked[0]
    leaving = sitting.signed(seat, resign=True)
    refused = encode(refusal(sitting, leaving, "illegal"))
    shown = [[view.decode(), refused.decode(), leaving.decode()] for view in map(sitting.view, (seat, 1 - seat))]
    assert [said["code"] for said in verified([{"files": files} for files in shown])] == ["refused-though-legal", "ok"]


def test_games_in_which_many_seats_change_hands_agree() -> None:
    assert sum(honest("auction", seed, 60, hands=0.25) for seed in range(30, 33)) > 6


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES)
def test_honest_games_agree(game_id: str) -> None:
    assert honest(game_id, 21, often(60)) > 1


@pytest.mark.thorough
def test_common_chance_and_kept_keys() -> None:
    """Views of common chance prove no draw, and say so; they also say what a host who keeps keys can foresee."""
    rows = [({"common": "c"}, "as recorded"), ({"kept": (0, 2), "deadline": 60}, "checked")]
    for how, draws in rows:
        sitting = Sitting("auction", 3, f"honest {draws}", **how)
        while not sitting.over:
            sitting.step(*sitting.asked[-1:] if sitting.round % 9 == 5 and "kept" in how else ())
        view, transcript = sitting.view(1), sitting.transcript()
        mine, whole = verified(
            [{"files": [data.decode()], "bags": bags_of(sitting), "steps": True} for data in (view, transcript)]
        )
        assert (mine["code"], mine["draws"], whole["code"], whole["draws"]) == ("ok", draws, "ok", "checked")
        notes = " ".join(report(open_view(view)).declared)
        foreseen = [str(step["round"]) for step in mine["steps"] if step["keptOnly"] and step["draws"]]
        assert bool(foreseen) == ("kept" in how)
        assert ", ".join(foreseen[:-1]) in notes
        assert ("common chance" in mine["words"]) == ("common" in how)
    assert f"foresee the draws of {len(foreseen)} rounds" in mine["words"]


def secret_changed(data: bytes) -> bytes:
    """The same transcript with another secret of its common chance."""
    found = json.loads(data)
    found["chance"] = "0" * 64
    return canonical(found)


def test_a_game_of_a_tournament_proves_nothing_by_itself(tmp_path: Path) -> None:
    """Everybody has its keys when the tournament is over: what contradicts it blames nobody."""
    world.make(tmp_path, (world.GameLine("mark", 2),), Schedule("round-robin"), bots=("sensible", "random"))
    data = world.transcript(tmp_path, 0)
    whole, bad = verified([{"files": [data.decode()]}, {"files": [secret_changed(data).decode()]}])
    assert whole["code"] == "ok"
    assert "only the ledger binds it" in whole["words"]
    assert (bad["code"] != "ok", bad["blames"]) == (True, "nobody")


Case = tuple[str, Any, wire.Bags]
"""Kind, document and bags: each document has one value changed and re-signed by the host."""


def views(game_id: str, seed: int = 0, times: int = 6) -> list[Case]:
    rng, cases = random.Random(f"tampered in JavaScript {game_id} {seed}"), []
    sitting = Sitting(game_id, max(2, games.load(game_id).seats[0]), f"tampered in JavaScript {seed}")
    for rounds in (1, 3, 6, 12):
        while sitting.round < rounds:
            sitting.step()
        game = Played(sitting)
        for _ in range(times):
            view = game.view(-1, rng.randrange(len(game.players)))
            cases.append(("view", tampered(game, view, rng), game.bags))
    return cases


def transcripts(seed: int = 0, times: int = 2) -> list[Case]:
    rng, cases = random.Random(f"transcripts in JavaScript {seed}"), []
    game = Played(Sitting("auction", 3, f"transcripts in JavaScript {seed}").to_end())
    whole = game.transcript()
    for number in range(1, len(whole["entries"]) + 1):
        cut = copy.deepcopy(whole) | {"entries": whole["entries"][:number]}
        cut["sealed"] = [part for part in whole["sealed"] if part["round"] <= number]
        if not cut["sealed"]:
            del cut["sealed"]
        cases += [("transcript", tampered(game, cut, rng), game.bags) for _ in range(times)]
    return cases


def same_codes(cases: list[Case]) -> Counter[str]:
    """Both name the same code for each; returns how often which."""
    said = verified([{"files": [canonical(document).decode()], "bags": bags} for _, document, bags in cases])
    seen: Counter[str] = Counter()
    for (what, document, bags), mine in zip(cases, said, strict=True):
        theirs = judges.second_says(what, [canonical(document)], bags)
        assert mine["code"] == theirs, (mine, document["entries"][-1]["body"])
        seen[theirs] += 1
    return seen


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", [*GAMES, "transcripts"])
def test_tampered_files_get_the_same_code(game_id: str) -> None:
    assert len(same_codes(transcripts() if game_id == "transcripts" else views(game_id))) > 5


def test_a_token_without_a_draw_is_the_one_on_top() -> None:
    """Chance has no say in it: even so, another token of the same pile is found out."""
    pile = short_pile()
    ((_, code, data),) = not_on_top(pile)
    false, honest = verified([{"files": [one.decode()]} for one in (data, pile.view(0))])
    assert (false["code"], false["blames"], honest["code"]) == (code, "host", "ok")
    assert code_of(lambda: open_view(data)) == code


@pytest.mark.thorough
def test_no_bytes_crash_it() -> None:
    """Bytes changed, left out, doubled by somebody who cannot sign, in every part of a view, or a part left out: always
    a code that blames nobody, never a crash."""
    rng, asked = random.Random("bytes"), []
    for game_id in GAMES:
        sitting = Sitting(game_id, max(2, games.load(game_id).seats[0]), "bytes")
        sitting.until(4)
        data, bags = sitting.view(0).decode(), bags_of(sitting)
        parts = json.loads(data)
        # Without private parts nothing in a view shows whose it is.
        names = [name for name in parts if name != "seat" or "privates" in parts]
        cases = [canonical({name: part for name, part in parts.items() if name != gone}).decode() for gone in names]
        for name in names:
            start = data.index(f'"{name}":')
            size = len(canonical({name: parts[name]})) - 2
            cases += [_bytes_changed(data, start + rng.randrange(size), rng) for _ in range(12)]
        asked += [{"files": [changed], "bags": bags} for changed in cases if changed != data]
    said = verified(asked)
    assert [one for one in said if one["blames"] != "nobody"] == []
    assert {kind(one["code"]) for one in said} == {"altered"}
    assert {"malformed", "bad-signature", "wrong-kind", "mixed-view", "missing-private"} <= {
        one["code"] for one in said
    }


def _bytes_changed(data: str, at: int, rng: random.Random) -> str:
    """Other text in one place; half of it another digit or letter, so that it is JSON as before."""
    if rng.random() < 0.5:
        return data[:at] + (rng.choice("0123456789abcdef") if data[at].isalnum() else data[at]) + data[at + 1 :]
    put = rng.choice(["", '"', "{", "}", "[", "]", ",", "0", "-", "\\", "\u0000", "\u2028", "é", data[at : at + 9]])
    return data[:at] + put + data[at + rng.choice([0, 1, 1, 1, 2, 50]) :]


# --- bytes that the host signed and nobody should be able to read -----------------------------------------------------

DEEP = b"[" * 70 + b"]" * 70
ODD = {
    "a space": (b'":', b'": '),
    "a field twice": (b'"round":', b'"round":3,"round":'),
    "a field that nobody knows": (b'"round":', b'"rounded":3,"round":'),
    "a fraction": (b'"round":3', b'"round":3.0'),
    "an exponent": (b'"round":3', b'"round":3e0'),
    "a number too large": (b'"round":3', b'"round":99999999999999999999'),
    "a text for a number": (b'"round":3', b'"round":"3"'),
    "an escape too many": (b'"game"', b'"g\\u0061me"'),
    "a field missing": (b'"seat":', b'"seats":'),
    "a deep answer": (b'"answer":{', b'"answer":{"a":%b,' % DEEP),
    "a fraction in an answer": (b'"answer":{', b'"answer":{"a":1.5,'),
    "a name that is not ASCII": (b'"answer":{', '"answer":{"\u00e9":1,'.encode()),
}


def _parts(data: bytes, name: str) -> list[bytes]:
    fields = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    return [bytes(part) for part in msgspec.json.decode(fields[name], type=list[msgspec.Raw])]


def _signed(sitting: Sitting, kind: str, body: bytes) -> bytes:
    sig = sitting.host.sign(signed_bytes(kind, body)).hex().encode()
    return b'{"body":%b,"sig":"%b","type":"pbem-referee/1/%b"}' % (body, sig, kind.encode())


def test_unreadable_bodies_that_the_host_signed() -> None:
    """The newest entry, or private part, in an invalid spelling: both say that it is the host's fault, and so does the
    program."""
    sitting = Sitting("auction", 3, "odd").until(3)
    data, bags, cases = sitting.view(0), bags_of(sitting), {}
    for what, field in (("entry", "entries"), ("private", "privates")):
        last = _parts(data, field)[-1]
        body = bytes(msgspec.json.decode(last, type=dict[str, msgspec.Raw])["body"])
        bodies = {name: body.replace(*change, 1) for name, change in ODD.items()}
        bodies |= {"a list": b"[]", "null": b"null", "a text": b'"}"', "a number": b"7", "nothing": b"{}"}
        for name, other in bodies.items():
            if other != body:
                cases[what, name] = data.replace(last, _signed(sitting, what, other))
    said = dict(zip(cases, verified([{"files": [one.decode()], "bags": bags} for one in cases.values()]), strict=True))
    assert len(said) > 25
    for place, mine in said.items():
        program = judges.kind_of(lambda place=place: judges.program("view", [cases[place]]))
        assert (program, mine["blames"], mine["code"]) == ("offence", "host", f"bad-{place[0]}"), (place, mine)
