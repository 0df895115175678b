"""A host who lost everything but the key loses nothing."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.evidence.recovery import Recovered, recover
from referee.evidence.replay import open_transcript
from referee.io import keyfile
from referee.io.gamefile import dump_match, open_match
from tests.cli.world import check_refusal, run_here
from tests.support.match import Sitting, code_of

GAMES = ("auction", "mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


def played(sitting: Sitting, rounds: int, late: int = 0) -> list[r.MoveFile]:
    """Play this many rounds, in the last of which the last seat may be late; returns all moves."""
    moves = []
    for number in range(rounds):
        seats = sitting.asked
        slow = seats[-1:] if late and number == rounds - 1 else []
        for seat in seats:
            if seat not in slow:
                data = sitting.signed(seat)
                moves.append(decode(data, r.MoveFile, "move"))
                assert sitting.give(data).error is None
        for seat in slow:
            sitting.miss(seat)
    return moves


def again(sitting: Sitting, moves: list[r.MoveFile], seat: int = 1) -> Recovered:
    view = decode(sitting.view(seat), r.View, "view")
    return recover(sitting.host, view.genesis, view.entries, moves, sitting.chance)


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_the_file_comes_back_to_the_byte(game):
    sitting = Sitting(game, 3, "lost")
    moves = []
    for rounds in (0, 1, 2, 3, 8, 20):
        moves += played(sitting, rounds if not sitting.over else 0)
        for seat in range(3):
            found = again(sitting, moves, seat)
            assert found.missing == ()
            assert dump_match(found.match) == sitting.file()
        if sitting.over:
            break


def test_a_game_of_common_chance_needs_its_secret():
    sitting = Sitting("auction", 3, "lost", common="deal")
    moves = played(sitting, 4)
    assert dump_match(again(sitting, moves).match) == sitting.file()
    view = decode(sitting.view(0), r.View, "view")
    assert code_of(lambda: recover(sitting.host, view.genesis, view.entries, moves)) == "bad-chance"


def test_what_only_players_know_is_asked_for_and_checked():
    """Bids that were never shown: without their moves the result names those that are missing; forged and broken boxes
    count as missing; an answer that waits to be played is needed to go on."""
    sitting = Sitting("auction", 3, "lost").until("bid")
    moves = played(sitting, 1, late=1)
    assert sitting.state.holding
    found = again(sitting, moves)
    assert (found.missing, found.held) == ((), ())
    number = sitting.round
    bare = again(sitting, [])
    assert bare.missing == bare.held == tuple((number, seat) for seat in (0, 1))
    broken = [replace(moves[0], sealed=moves[1].sealed), replace(moves[1], sealed="AAAA")]
    assert again(sitting, broken).missing == bare.missing
    assert again(sitting, [broken[1], *moves]).missing == (), "what is behind a broken one counts"
    assert again(sitting, moves[:1]).missing == ((number, 1),)


def test_the_game_goes_on_and_can_be_proved():
    sitting = Sitting("auction", 3, "lost")
    moves = played(sitting, 5)
    sitting.match = open_match(dump_match(again(sitting, moves).match), sitting.host)
    sitting.to_end()
    assert open_transcript(sitting.transcript()).checkpoint.state.end == "result"
    for seat in range(3):
        sitting.opened(seat)


def test_only_the_host_of_the_game_can():
    sitting = Sitting("auction", 3, "lost").until("bid")
    view = decode(sitting.view(0), r.View, "view")
    assert code_of(lambda: recover(sitting.players[0], view.genesis, view.entries, [])) == "other-key"
    spoilt = (replace(view.entries[0], sig="0" * 128), *view.entries[1:])
    assert code_of(lambda: recover(sitting.host, view.genesis, spoilt, [])) == "bad-signature"


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sitting = Sitting("auction", 3, "lost")
    moves = played(sitting, 5)
    for number, move in enumerate(moves):
        (tmp_path / f"{number}.move.json").write_bytes(encode(move))
    for seat in range(3):
        (tmp_path / f"{seat}.view.json").write_bytes(sitting.view(seat))
    (tmp_path / "old.view.json").write_bytes(Sitting("auction", 3, "lost").view(0))
    (tmp_path / "key.json").write_bytes(keyfile.dump(sitting.host))
    (tmp_path / "game.json.was").write_bytes(sitting.file())
    return tmp_path


def test_recover_from_views_and_moves(folder: Path) -> None:
    names = sorted(path.name for path in folder.glob("*.move.json"))
    args = ["recover", "old.view.json", "1.view.json", *names, "--key", "key.json"]
    assert run_here(*args, "--dry-run", cwd=folder).exit == 0
    assert not (folder / "game.json").exists()
    ran = run_here(*args, cwd=folder)
    assert ran.exit == 0, ran.said
    assert (folder / "game.json").read_bytes() == (folder / "game.json.was").read_bytes()
    assert (folder / "game.json").stat().st_mode & 0o77 == 0
    check_refusal(run_here(*args, cwd=folder), (8,))
    assert run_here("show", "game.json", "--key", "key.json", cwd=folder).exit == 0


def test_recover_says_whom_to_ask(folder: Path) -> None:
    ran = run_here("recover", "1.view.json", "--key", "key.json", cwd=folder)
    check_refusal(ran, (7,))
    assert "ask for that move again" in ran.said
    assert not (folder / "game.json").exists()
    ran = run_here("recover", "1.view.json", "--key", "key.json", "--incomplete", cwd=folder)
    assert ran.exit == 0, ran.said
    view = decode((folder / "1.view.json").read_bytes(), r.View, "view")
    forged = replace(view, entries=(*view.entries, Envelope(msgspec.Raw(b"{}"), "0" * 128, view.entries[0].type)))
    (folder / "forged.view.json").write_bytes(encode(forged))
    ran = run_here("recover", "forged.view.json", "--key", "key.json", "-o", "x.json", cwd=folder)
    check_refusal(ran, (7,))
    (folder / "stranger.view.json").write_bytes(Sitting("auction", 3, "stranger").view(0))
    check_refusal(run_here("recover", "1.view.json", "stranger.view.json", "--key", "key.json", cwd=folder), (2,))
