"""Games of all kinds, honest and tampered with, through the program and through the second verifier."""

import ast
import copy
import random
import re
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from referee import games
from referee.engine.player import open_view
from referee.engine.seats import rests
from referee.engine.table import code_hash
from referee.evidence.replay import open_transcript
from referee.games import game_ids
from referee.show.findings import report, verified
from tests.support.crowd import Crowd
from tests.support.match import Sitting
from tests.support.often import often

from . import ed25519, judges, verifier, wire
from .vector_tools import ALTERED, Played, at, restated, signed, with_entry
from .wire import Json, canonical

OWN_RULES = {"rule-broken", "bad-ops", "illegal-move", "bad-pick", "bad-shown"}
"""What a verifier without rules may miss: also fewer tokens than are due, and answers shown in another order."""
GAMES = ["auction", *(game for game in game_ids() if game != "auction")]


def played(game_id: str, seed: int, most: int, hands: float = 0.05) -> Sitting:
    """A game with timeouts, late answers, resignations and seats that change hands; it may end, rest or go on."""
    rng = random.Random(f"{game_id} {seed}")
    low, high = games.load(game_id).seats
    sitting = Sitting(game_id, rng.randint(low, min(high, 5)), f"agreement {seed}", takeovers=rng.choice([0, 1, 9]))
    crowd = Crowd(rng)
    late, leave = rng.choice([0, 0.03, 0.25]), rng.choice([0, hands / 5])
    while not sitting.over and sitting.round < most:
        for seat in sitting.asked:
            if sitting.round and rng.random() < leave:
                sitting.give(sitting.signed(seat, resign=True))
                break
        number = sitting.round
        crowd.come(sitting, 8 * hands)
        for seat in [seat for seat in sitting.asked if seat not in sitting.match.waiting]:
            if sitting.round != number:
                break
            if number and rng.random() < late and (sitting.match.waiting or not rests(sitting.state)):
                sitting.miss(seat)
            else:
                words = sitting.some_words(seat, rng)
                answer = sitting.signed(seat) if words is None else sitting.saying(seat, words)
                judged = sitting.give(crowd.handing(sitting, seat, answer) if rng.random() < hands else answer)
                assert judged.error is None, judged.error
        if sitting.round > number:
            crowd.sit_down(sitting)
    return sitting


def bags_of(sitting: Sitting) -> wire.Bags:
    return {name: list(faces) for name, faces in sitting.table.bags.items()}


def agree_on(sitting: Sitting) -> None:
    """Both accept every file of an honest game, and count the same."""
    bags = bags_of(sitting)
    for seat in range(sitting.table.seats):
        data = sitting.view(seat)
        mine, theirs = verifier.check_view(data, bags, judges.library), report(open_view(data))
        assert (mine.rounds, mine.draws, mine.signatures) == (theirs.rounds, theirs.draws, theirs.signatures)
        assert mine.openings == theirs.own_openings
        assert mine.state.end == theirs.end
    if sitting.over or rests(sitting.state):
        data = sitting.transcript()
        whole, told = verifier.check_transcript(data, bags, judges.library), verified(open_transcript(data))
        assert (whole.rounds, whole.draws, whole.signatures) == (told.rounds, told.draws, told.signatures)


@pytest.mark.parametrize("seed", range(4))
def test_games_of_the_toy_agree(seed: int) -> None:
    agree_on(played("auction", seed, 60))


def test_games_in_which_many_seats_change_hands_agree() -> None:
    games_played = [played("auction", seed, 60, hands=0.25) for seed in range(30, 36)]
    for sitting in games_played:
        agree_on(sitting)
    assert sum(len(sitting.state.holders) for sitting in games_played) > 5


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES[1:])
def test_games_agree(game_id: str) -> None:
    agree_on(played(game_id, 11, often(60)))


# --- tampered files --------------------------------------------------------------------------------------------------


def leaves_of(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of all numbers, texts and flags in a document, and of its lists."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves_of(part, (*path, key))
    elif isinstance(value, list):
        yield path
        for index, part in enumerate(value):
            yield from leaves_of(part, (*path, index))
    else:
        yield path


def other(value: Json, rng: random.Random) -> Json:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + rng.choice([-1, 1, 2]))
    if isinstance(value, list):
        return rng.choice([value[:-1], value[::-1], value + value[:1]])
    if value is None:
        return 0
    if len(value) >= 64:
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    return rng.choice([value + "x", value[:-1] or "y", value[::-1]])


def kind(code: str) -> str:
    return "ok" if code == "ok" else "altered" if code in ALTERED else "offence"


def tampered(game: Played, view: Json, rng: random.Random) -> Json:
    """The newest entry with one value changed, signed by the host; `state` fits wherever it can."""
    body = view["entries"][-1]["body"]
    path = rng.choice([path for path in leaves_of(body) if path[0] not in ("prev", "state")])

    def alter(entry: Json) -> None:
        *way, last = path
        place = at(entry, *way)
        place[last] = other(place[last], rng)

    return with_entry(game, view, alter)


def both_say(document: Json, bags: wire.Bags) -> tuple[str, str]:
    data = canonical(document)
    return judges.program_says("view", [data]), judges.second_says("view", [data], bags)


def check_tampered(game_id: str, rounds: tuple[int, ...], times: int) -> int:
    """Change things after each of these rounds and re-sign them, repeatedly; returns how often both noticed."""
    rng, seen = random.Random(f"tampered {game_id}"), 0
    sitting = Sitting(game_id, max(2, games.load(game_id).seats[0]), "tampered")
    for game in (game for number in rounds for game in [Played(sitting.until(number))] * times):
        view = game.view(-1, rng.randrange(len(game.players)))
        document = tampered(game, view, rng)
        if document["entries"][-1]["body"] == view["entries"][-1]["body"]:
            continue
        ours, theirs = both_say(document, game.bags)
        where = document["entries"][-1]["body"]
        if ours == "ok":
            assert theirs == "ok", where
        elif theirs == "ok":
            assert ours in OWN_RULES, where
        elif (ours, theirs) != ("rule-broken", "mixed-view"):
            # Without rules a position that does not fit its hash can be anybody's doing.
            assert kind(ours) == kind(theirs), (ours, theirs, where)
        seen += ours != "ok" and theirs != "ok"
    return seen


def test_the_toy_tampered_with() -> None:
    assert check_tampered("auction", (1, 2, 3, 4, 7, 11), 12) >= 36


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES[1:])
def test_games_tampered_with(game_id: str) -> None:
    """`tests/campaign/differential.py` has tens of thousands of such cases, and more kinds of them."""
    assert check_tampered(game_id, (1, 3, 6, 12), 12) >= 20


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES)
def test_every_changed_digit_is_noticed_by_both(game_id: str) -> None:
    """One digit is changed by somebody who cannot sign, at places spread over the whole file: nobody is blamed."""
    sitting = Sitting(game_id, max(2, games.load(game_id).seats[0]), "digits")
    while sitting.round < 8:
        sitting.step()
    data, bags = sitting.view(0), bags_of(sitting)
    places = [i for i in range(len(data)) if data[i : i + 1].isdigit()]
    for place in places[:: len(places) // 25]:
        changed = data[:place] + (b"1" if data[place : place + 1] != b"1" else b"2") + data[place + 1 :]
        assert judges.kind_of(lambda changed=changed: judges.program("view", [changed])) == "altered", place
        assert kind(judges.second_says("view", [changed], bags)) == "altered", place


@pytest.mark.thorough
def test_transcripts_tampered_with() -> None:
    """A whole game of the toy: the entry of each round changed by a host who signs it, with M revealed."""
    rng = random.Random("transcripts")
    game = Played(Sitting("auction", 3, "transcripts").to_end())
    whole = game.transcript()
    for number in range(1, len(whole["entries"]) + 1):
        cut = copy.deepcopy(whole) | {"entries": whole["entries"][:number]}
        cut["sealed"] = [part for part in whole["sealed"] if part["round"] <= number]
        if not cut["sealed"]:
            del cut["sealed"]
        for _ in range(4):
            document = tampered(game, cut, rng)
            data = canonical(document)
            ours = judges.program_says("transcript", [data])
            theirs = judges.second_says("transcript", [data], game.bags)
            if ours in ("ok", "not-over"):
                assert theirs == ours
            elif theirs in ("ok", "not-over"):
                assert ours in OWN_RULES
            else:
                assert kind(ours) == kind(theirs), (ours, theirs)


# --- odds and ends ---------------------------------------------------------------------------------------------------


def test_a_whole_game_with_signatures_in_plain_python() -> None:
    sitting = Sitting("auction", 2, "plain").to_end()
    assert verifier.check_view(sitting.view(1), bags_of(sitting)).signatures > 30


@pytest.mark.parametrize("game_id", GAMES)
def test_the_code_of_an_offer_is_that_of_section_4(game_id: str) -> None:
    package = resources.files(games.module_of(game_id))
    apart = re.compile(r"(board|bots|story|words)[._][^/]*")
    found = sorted((path, data) for path, data in modules(package) if not apart.fullmatch(path))
    parts = [part for path, data in found for part in (path, data.replace(b"\r\n", b"\n"))]
    assert wire.H("code", *parts).hex() == code_hash(game_id)


def modules(folder: resources.abc.Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for path in folder.iterdir():
        if path.is_dir():
            yield from modules(path, f"{prefix}{path.name}/")
        elif path.name.endswith(".py"):
            yield prefix + path.name, path.read_bytes()


def test_a_state_is_spelled_as_the_program_spells_it() -> None:
    """By way of the hash that an entry names, in the middle of a held round."""
    sitting = Sitting("auction", 3, "state").until(1)
    sitting.step(1)
    view = wire.parse(sitting.view(0))
    assert sitting.state.held
    assert restated(Played(sitting), view) == view["entries"][-1]["body"]["state"]


def test_the_signatures_are_those_of_the_library() -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    for number in range(20):
        seed, message = wire.H("seed", number), bytes(number)
        key = Ed25519PrivateKey.from_private_bytes(seed)
        public, signature = key.public_key().public_bytes_raw(), key.sign(message)
        assert ed25519.public_key(seed) == public
        assert ed25519.sign(seed, message) == signature
        assert ed25519.verify(public, message, signature)
        assert not ed25519.verify(public, message + b"x", signature)
        assert not ed25519.verify(public, message, signature[:32] + bytes([signature[32] ^ 1]) + signature[33:])
        # s + L is the same number to the equation; it is refused all the same.
        bigger = (int.from_bytes(signature[32:], "little") + ed25519.L).to_bytes(32, "little")
        assert not ed25519.verify(public, message, signature[:32] + bigger)


def test_an_envelope_signed_here_is_good_for_the_library() -> None:
    sealed = signed(wire.H("seed", 1), "move", {"text": "Grüße"})
    key = ed25519.public_key(wire.H("seed", 1))
    assert wire.Signatures(judges.library).opened(sealed, "move", key) == {"text": "Grüße"}


def test_the_verifier_is_independent() -> None:
    """It imports the standard library and its own neighbours, nothing of the project."""
    for module in (verifier, wire, ed25519):
        tree = ast.parse(Path(module.__file__).read_text())
        for node in ast.walk(tree):
            imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                imported = [] if node.level else [node.module or ""]
                assert node.level == 0 or {node.module, *(a.name for a in node.names)} & {None, "wire", "ed25519"}
            assert all(name.split(".")[0] in sys.stdlib_module_names for name in imported), imported
