"""The demo is real: what it says was refused was refused, and what it counts happened."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.bots import demo
from referee.evidence.replay import open_transcript
from referee.io import desk


def test_the_demo_counts_match_its_files(tmp_path: Path) -> None:
    said: list[str] = []
    found = demo.run("auction", 3, str(tmp_path / "demo"), "one", said.append)
    opened = open_transcript((tmp_path / "demo/transcript.json").read_bytes())
    state = opened.checkpoint.state
    assert said == [f"{found.title}: players are Anna, Bert, Carla; all files go to {tmp_path / 'demo'}"]
    assert (found.game, found.players) == (opened.table.id, ("Anna", "Bert", "Carla"))
    assert state.result is not None
    assert (found.ranks, found.scores) == (state.result.ranks, state.result.scores)
    kept = [list((tmp_path / f"demo/{name}").glob("*.move.json")) for name in ("anna", "bert", "carla")]
    assert found.moves == sum(map(len, kept)) > 10
    assert found.audits == 3, "a short game is audited at its end"
    assert Path(found.example_view).parent == tmp_path / "demo/anna"
    assert found.forged == "bad-signature"
    head, moves, *_, last = found.lines("auction")
    assert head == f"{found.title}, 3 players, game {found.game[:8]}"
    assert moves == f"  {found.moves} moves applied, one forged move refused (bad-signature)"
    worst = max(found.ranks)
    assert last.startswith(f"  {worst}. ")
    keys = sorted((tmp_path / "demo").glob("*/key.json"))
    assert [path.stat().st_mode & 0o077 for path in keys] == [0, 0, 0, 0], "keys are for their owners alone"


@pytest.mark.parametrize("how", ["accepted", "changed"])
def test_a_forged_move_with_an_effect_fails_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """With a desk that takes a wrong signature, and with one that refuses it and has changed the game file."""
    apply = desk.apply_moves

    def careless(game: str, moves: list[bytes], *more: Any, **named: Any) -> Any:
        done = apply(game, moves, *more, **named)
        if done.judged[0].error is not None:
            if how == "changed":
                Path(game).write_bytes(Path(game).read_bytes() + b" ")
            else:
                return replace(done, judged=[replace(done.judged[0], error=None)])
        return done

    monkeypatch.setattr(desk, "apply_moves", careless)
    with pytest.raises(AssertionError, match="a forged move was accepted"):
        demo.run("auction", 2, str(tmp_path / "demo"), "one", lambda line: None)


def test_the_best_of_the_demo_stand_first_and_equals_by_name() -> None:
    """Whatever their seats are."""
    found = demo.Demo(
        game="0123456789ab", title="Market", players=("Carla", "Anna", "Bert"), moves=7, audits=1, draws=2,
        openings=3, signatures=4, forged="bad-signature", ranks=(1, 3, 1), scores=((5,), (2,), (5,)), transcript="",
        example_view="",
    )  # fmt: skip
    assert found.lines("auction") == [
        "Market, 3 players, game 01234567",
        "  7 moves applied, one forged move refused (bad-signature)",
        "  1 audits of players' views during the game and at the end: all passed",
        "  2 draws audited, 3 openings and 4 signatures verified",
        "  1. Bert (score 5)",
        "  1. Carla (score 5)",
        "  3. Anna (score 2)",
    ]
