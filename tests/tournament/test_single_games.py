"""Single games of a tournament: signed again to the byte, shown to strangers, and proving nothing by themselves."""

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from referee.crypto.codec import encode
from referee.engine.host import reveal
from referee.io import keyfile
from referee.tournament import derivation, seating, store
from referee.tournament import documents as d
from referee.tournament.playing import play_game, signed_game
from referee.tournament.proofs import GameProof, check_proof, read_proof
from referee.tournament.seating import Setting
from referee.tournament.stage import load
from tests.cli.world import Ran, check_refusal, run_here
from tests.tournament import world

SMALL = (world.GameLine("auction", 2),)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that is over, and the same without its ending."""
    root = tmp_path_factory.mktemp("single")
    world.make(root / "cup", SMALL, d.Schedule("round-robin", games=12))
    shutil.copytree(root / "cup", root / "open")
    ledger = root / "open/ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))
    (root / "home/organiser").mkdir(parents=True)
    (root / f"home/organiser/{world.KEY.public.hex()}.key").write_bytes(keyfile.dump(world.KEY))
    return root


def extract(made: Path, into: Path, *words: str, home: str = "home", cup: str = "cup") -> Ran:
    return run_here("tournament", "extract", cup, *words, "-o", str(into), cwd=made, home=made / home)


def forged(cup: Path, number: int, setting: Setting | None = None) -> bytes:
    """Another game at the same table, signed with the keys that the ending made public."""
    course, plans = world.course_of(cup)
    other = world.with_bots(course.setting, [one.bot for _, one in course.setting.players][::-1])
    record = store.stored(play_game(other, plans[number]))
    assert record.answers != world.games_of(cup)[number].answers
    return reveal(signed_game(setting or course.setting, plans[number], record))


def test_before_the_ending_only_the_organiser_can_extract_a_game(made: Path, tmp_path: Path) -> None:
    refused = extract(made, tmp_path / "none", "3", home="elsewhere", cup="open")
    check_refusal(refused, (5,))
    assert "only its organiser can extract it" in refused.said
    assert extract(made, tmp_path / "own", "3", cup="open").exit == 0
    assert extract(made, tmp_path / "after", "3", home="elsewhere").exit == 0
    name = "game-000003.transcript.json"
    assert (tmp_path / "own" / name).read_bytes() == (tmp_path / "after" / name).read_bytes()


def test_a_stranger_checks_a_game_with_the_ledger_alone(made: Path, tmp_path: Path) -> None:
    """While the stage goes on, and after it: the file is the same."""
    assert extract(made, tmp_path, "7", "--proof", cup="open").exit == 0
    path = tmp_path / "game-000007.record.json"
    assert path.stat().st_size < 3_000
    for cup in ("open", "cup"):
        shutil.copy(made / cup / "ledger.jsonl", tmp_path / f"{cup}.jsonl")
        ran = run_here("verify", path.name, f"{cup}.jsonl", cwd=tmp_path)
        assert ran.exit == 0, ran.said
        assert "game 7 of Trial" in ran.out.decode()
        assert "the organiser cannot change it any more" in ran.said
    check_refusal(run_here("verify", path.name, cwd=tmp_path), (2,))
    shutil.copy(made / "cup/ledger.jsonl", tmp_path / "ledger.jsonl")
    assert run_here("verify", path.name, "--json", cwd=tmp_path).exit == 0, "the ledger beside it is found"
    world.make(tmp_path / "other", SMALL, seed="other")
    ran = run_here("verify", path.name, "other/ledger.jsonl", "--json", cwd=tmp_path)
    assert (ran.exit, b'"other-tournament"' in ran.out) == (6, True)


def tampered(proof: GameProof) -> dict[str, GameProof]:
    """One thing changed in each."""
    replace, record = msgspec.structs.replace, proof.record
    answers = record.answers
    turned = record.outcome.ranks[::-1]
    assert turned != record.outcome.ranks
    changes = {
        "number": replace(record, outcome=replace(record.outcome, number=record.outcome.number + 1)),
        "ranks": replace(record, outcome=replace(record.outcome, ranks=turned)),
        "who": replace(record, outcome=replace(record.outcome, entrants=record.outcome.entrants[::-1])),
        "group": replace(record, outcome=replace(record.outcome, group=record.outcome.group + 1)),
        "rounds": replace(record, outcome=replace(record.outcome, rounds=record.outcome.rounds - 1)),
        "fewer answers": replace(record, answers=answers[:-1]),
        "more answers": replace(record, answers=(*answers, answers[-1])),
        "other answer": replace(record, answers=(msgspec.Raw(b"0"), *answers[1:])),
        "left": replace(record, answers=(msgspec.Raw(b"1"), *answers[1:])),
    }
    found = {name: replace(proof, record=changed) for name, changed in changes.items()}
    found["chance"] = replace(proof, chance="ab" * 32)
    found["place"] = replace(proof, place=proof.place ^ 1)
    found["place outside"] = replace(proof, place=900)
    found["shorter path"] = replace(proof, path=proof.path[1:])
    found["longer path"] = replace(proof, path=(*proof.path, proof.path[0]))
    found["other path"] = replace(proof, path=("ab" * 32, *proof.path[1:]))
    found["no path"] = replace(proof, path=())
    found["other pack"] = replace(proof, pack="ab" * 32)
    return found


def test_nothing_in_a_proof_can_be_changed(made: Path, tmp_path: Path) -> None:
    number = next(one.outcome.number for one in world.games_of(made / "cup") if one.outcome.ranks != (1, 1))
    assert extract(made, tmp_path, str(number), "--proof").exit == 0
    proof = read_proof((tmp_path / f"game-{number:06}.record.json").read_bytes())
    shutil.copy(made / "cup/ledger.jsonl", tmp_path / "ledger.jsonl")
    assert check_proof(proof, load(str(tmp_path))).outcome.number == number
    for name, changed in tampered(proof).items():
        (tmp_path / "bad.record.json").write_bytes(encode(changed))
        ran = run_here("verify", "bad.record.json", "ledger.jsonl", "--json", cwd=tmp_path)
        assert (name, ran.exit) == (name, 6)


def test_a_game_that_was_forged_after_the_ending_blames_nobody(made: Path, tmp_path: Path) -> None:
    """Everybody has the keys then. The true game and the forged one begin with the same genesis."""
    assert extract(made, tmp_path, "5").exit == 0
    true = "game-000005.transcript.json"
    (tmp_path / "forged.transcript.json").write_bytes(forged(made / "cup", 5))
    for names in ([true], ["forged.transcript.json"], [true, "forged.transcript.json"]):
        ran = run_here("verify", *names, cwd=tmp_path)
        assert ran.exit == 0
        assert "this is proof" not in ran.said
        assert "its keys are public when that is over, and only its ledger binds it" in ran.out.decode()
        assert "only its ledger binds them" in ran.said
    ran = run_here("dispute", true, "forged.transcript.json", "--json", cwd=tmp_path)
    assert b'"proved"' not in ran.out
    assert b'"public-keys"' in ran.out
    assert list(tmp_path.glob("*.proof.json")) == []


def test_a_forger_who_leaves_out_the_stage_is_seen_beside_the_ledger(made: Path, tmp_path: Path) -> None:
    course, _ = world.course_of(made / "cup")
    (tmp_path / "forged.transcript.json").write_bytes(
        forged(made / "cup", 5, msgspec.structs.replace(course.setting, id=""))
    )
    shutil.copy(made / "cup/ledger.jsonl", tmp_path / "ledger.jsonl")
    told = json.loads(
        run_here("verify", "forged.transcript.json", "ledger.jsonl", "--json", cwd=tmp_path).out.splitlines()[0]
    )
    assert (told["whole"], told["public_keys"]) == (False, True)
    ran = run_here("verify", "forged.transcript.json", "ledger.jsonl", cwd=tmp_path)
    assert "only its ledger binds them" in ran.said


def test_a_tree_is_split_as_in_rfc_6962() -> None:
    """Of five leaves, four are on the left; no leaf is doubled."""
    one, two, three, four, five = leaves = [bytes([number]) * 32 for number in range(5)]

    def node(left: bytes, right: bytes) -> bytes:
        return derivation.H("tournament-node", left, right)

    assert derivation.root(leaves) == node(node(node(one, two), node(three, four)), five)
    assert derivation.root(leaves[:3]) == node(node(one, two), three)
    assert derivation.path(leaves, 2) == [four, node(one, two), five]
    for count in range(1, 20):
        some = [bytes([number]) * 32 for number in range(count)]
        for at, leaf in enumerate(some):
            assert derivation.climb(leaf, at, count, derivation.path(some, at)) == derivation.root(some)
            with pytest.raises(ValueError, match="zip"):
                derivation.climb(leaf, at, count, [*derivation.path(some, at), leaf])


def test_games_of_their_own_chance_are_those_of_the_full_engine(tmp_path: Path) -> None:
    """Without duplicate groups each game has its own deal, and is still the same both ways."""
    world.make(tmp_path, SMALL, d.Schedule("round-robin", games=6, duplicate=False), bots=("sensible", "random"))
    assert world.codes(tmp_path, world.line(tmp_path)) == []
    course, plans = world.course_of(tmp_path)
    chances = {seating.chance_of(course.setting, plan) for plan in plans}
    assert len(chances) == len(plans) > 2
