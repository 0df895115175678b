"""Games of the real engine under the verifier that was written from PROTOCOL.md alone: both must say the same."""

import ast
import sys
from pathlib import Path

import pytest

from referee.bots import demo
from referee.engine.audit import audit
from referee.engine.replay import verify
from referee.errors import RefereeError

from . import ed25519, verifier

GAMES = [("schwarzer-freitag", 2, "vectors"), ("schwarzer-freitag", 4, "abc"), ("auction", 3, "toys")]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SAME = ("rounds", "signatures", "links", "draws", "openings", "own_openings")


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    game, seats, seed = request.param
    folder = tmp_path_factory.mktemp("demo") / "game"
    demo.run(game, seats, str(folder), seed, lambda line: None)
    return folder


def views(folder: Path) -> list[Path]:
    """The final view of everybody, and about a dozen of those that were answered."""
    answered = sorted(folder.glob("*/round-*.view.json"))
    return sorted(folder.glob("*/final.view.json")) + answered[:: len(answered) // 12]


def both(data: bytes, mine: object, theirs: object) -> tuple[str, str]:
    """The codes of the independent verifier and of the project."""
    codes = []
    for check in (mine, theirs):
        try:
            check(data)  # type: ignore[operator]
            codes.append("ok")
        except (verifier.Bad, RefereeError) as error:
            codes.append(error.code)
    return codes[0], codes[1]


def test_transcripts_agree(played: Path) -> None:
    data = (played / "transcript.json").read_bytes()
    mine, theirs = verifier.check_transcript(data), verify(data)
    for name in ("rounds", "signatures", "openings"):
        assert mine[name] == getattr(theirs, name), name
    document = verifier.parse(data)
    leaves = list(document["genesis"]["body"]["leaves"].values())
    ops = [op for entry in document["entries"] for op in entry["body"].get("ops", [])]
    leaves += [op["leaves"] for op in ops if op["op"] == "seal"]
    assert mine["slots"] == sum(map(len, leaves)), "every sealed slot was found again from M"
    assert mine["sealed"] == len(document.get("sealed", []))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/*.json")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_examples_agree(path: Path) -> None:
    """One finished game of every kind, with piles, hands that are sealed anew and sealed answers."""
    data = path.read_bytes()
    if path.stem == "transcript":
        mine, theirs, names = (
            verifier.check_transcript(data),
            verify(data),
            ("rounds", "signatures", "openings", "draws"),
        )
    else:
        mine, theirs, names = verifier.check_view(data), audit(data), SAME
    assert {name: mine[name] for name in names} == {name: getattr(theirs, name) for name in names}


def test_transcripts_agree_on_draws(played: Path, request: pytest.FixtureRequest) -> None:
    data = (played / "transcript.json").read_bytes()
    assert verifier.check_transcript(data)["draws"] == verify(data).draws


def test_views_agree(played: Path) -> None:
    rounds = set()
    for path in views(played):
        data = path.read_bytes()
        mine, theirs = verifier.check_view(data), audit(data)
        assert {name: mine[name] for name in SAME} == {name: getattr(theirs, name) for name in SAME}, path
        rounds.add(mine["rounds"])
    assert 0 in rounds
    assert len(rounds) > 5


def test_line_breaks_at_the_end_of_a_file_are_allowed(played: Path) -> None:
    data = (played / "transcript.json").read_bytes()
    assert verifier.check_transcript(data + b"\r\n\n") == verifier.check_transcript(data)


def test_every_changed_digit_is_noticed_by_both(played: Path) -> None:
    """One hex digit or number is changed, at places spread over the whole file."""
    path = views(played)[0]
    data = path.read_bytes()
    places = [i for i in range(len(data)) if data[i : i + 1].isdigit()]
    for place in places[:: len(places) // 8]:
        other = b"1" if data[place : place + 1] != b"1" else b"2"
        mine, theirs = both(data[:place] + other + data[place + 1 :], verifier.check_view, audit)
        assert mine != "ok", place
        assert theirs != "ok", place


def test_a_cut_transcript_is_not_over(played: Path) -> None:
    document = verifier.parse((played / "transcript.json").read_bytes())
    document["entries"] = document["entries"][:5]
    if "sealed" in document:
        document["sealed"] = [part for part in document["sealed"] if part["round"] <= 5]
    data = verifier.canonical(document)
    assert both(data, verifier.check_transcript, verify) == ("not-over", "not-over")


def test_the_signatures_are_those_of_the_library() -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    for number in range(20):
        seed, message = verifier.H("seed", number), bytes(number)
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


def test_the_verifier_is_independent() -> None:
    for module in (verifier, ed25519):
        tree = ast.parse(Path(module.__file__).read_text())
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [] if node.level else [node.module or ""]
            assert all(name.split(".")[0] in sys.stdlib_module_names for name in names), names
