"""What a command finds by itself in a folder: game files with their moves, offers with their joins, views that wait."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from referee.games.auction import Bid

from referee.crypto.codec import encode
from referee.engine import host
from referee.errors import RefereeError
from referee.library import finding
from tests.support.match import Sitting

OTHER = Sitting("auction", 3, "another game")


def auction(seed: str = "found", **how: int) -> Sitting:
    return Sitting("auction", 3, seed, **how).until("play")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(folder: Path, **files: bytes) -> None:
    for name, data in files.items():
        (folder / f"{name}.json").write_bytes(data)


def spoilt(data: bytes) -> bytes:
    """With another signature."""
    at = data.index(b'"sig":"') + 7
    return data[:at] + (b"1" if data[at : at + 1] == b"0" else b"0") + data[at + 1 :]


def words(told: object) -> list[str]:
    return [str(one) for one in told]  # type: ignore[attr-defined]


# --- a host's game files ---------------------------------------------------------------------------------------------


def own_games(sitting: Sitting) -> tuple[list[tuple[str, str, str]], list[str]]:
    """File, line and command of each game that is found, and the notes."""
    notes = finding.Notes()
    found = finding.own_games(sitting.host, notes, ("apply", "--key", "me.json"))
    return sorted((one.file, one.line, str(one.command)) for one in found), words(notes)


def test_of_each_game_the_newest_file_is_found(folder: Path) -> None:
    """A copy is found too: somebody must say which one is the game. Views, games of others and folders are left out."""
    new = auction()
    old = new.file()
    number = new.round
    new.step()
    second = Sitting("auction", 2, "found")
    put(folder, b_old=old, c_new=new.file(), d_copy=new.file(), a_view=new.view(0), e_other=OTHER.file())
    (folder / "below").mkdir()
    put(folder / "below", f_second=second.file())
    line = f"Toy Auction, game {new.table.id[:8]}, round {number + 2}"
    both = [(f"{name}.json", line, f"`referee apply {name}.json --key me.json`") for name in ("c_new", "d_copy")]
    assert own_games(new) == (both, [])
    put(folder, z_second=second.file())
    row = "z_second.json", f"Toy Auction, game {second.table.id[:8]}, round 1"
    assert own_games(new)[0] == [*both, (*row, "`referee apply z_second.json --key me.json`")]


def test_a_game_that_is_over_is_found_if_there_is_no_other(folder: Path) -> None:
    over = auction().to_end()
    put(folder, over=over.file())
    assert [file for file, _, _ in own_games(over)[0]] == ["over.json"]
    left = Sitting("mark", 2, "found")
    host.reveal(left.match, abandon=True)
    assert left.match.revealed
    put(folder, left=left.file())
    assert [file for file, _, _ in own_games(over)[0]] == ["left.json", "over.json"]
    put(folder, begun=Sitting("auction", 2, "found").file())
    assert [file for file, _, _ in own_games(over)[0]] == ["begun.json"]


def test_a_game_file_that_cannot_be_opened_is_noted(folder: Path) -> None:
    sitting = auction()
    put(folder, good=sitting.file(), spoilt=spoilt(sitting.file()))
    found, notes = own_games(sitting)
    assert [file for file, _, _ in found] == ["good.json"]
    assert len(notes) == 1
    assert notes[0].startswith("skipped spoilt.json: ")


# --- new moves -------------------------------------------------------------------------------------------------------


def moves_in(sitting: Sitting) -> tuple[list[str], list[str]]:
    """The files that are new, and how many are skipped for what reason."""
    moves = finding.new_moves(sitting.match, ".", [], "game.json")
    return [name for name, _ in moves.new], words(moves.aside)


def bids(seed: str = "bids") -> Sitting:
    """All three players are asked."""
    sitting = Sitting("auction", 3, seed).until("bid")
    assert sitting.asked == [0, 1, 2]
    return sitting


def test_new_moves_are_those_of_the_open_round(folder: Path) -> None:
    early = bids()
    before = early.fork()
    old = early.signed(0)
    early.step()
    early.until("bid")
    assert early.round > before.round
    now, late = early, early.fork()
    first, second = now.signed(0), now.signed(1)
    late.step()
    later = late.signed(late.asked[0])
    put(folder, b=first, a=second, a_copy=second, old=old, later=later, other=OTHER.signed(0), view=now.view(0))
    aside = ["1 for an earlier round", "1 for a later round", "1 for another game"]
    found, why = moves_in(now)
    assert (found, sorted(why)) == (["a.json", "b.json"], sorted(aside))
    put(folder, old2=before.signed(1), other2=OTHER.signed(1))
    assert sorted(moves_in(now)[1]) == sorted(["2 for earlier rounds", "1 for a later round", "2 for other games"])
    assert now.give(second).error is None
    assert moves_in(now)[0] == ["b.json"]
    assert "2 accepted before" in moves_in(now)[1]


def test_a_second_answer_is_skipped_and_one_of_two_must_be_chosen(folder: Path) -> None:
    sitting = bids()
    one, two = sitting.signed(1, move=Bid(2)), sitting.signed(1, move=Bid(3))
    put(folder, one=one, two=two)
    with pytest.raises(RefereeError) as caught:
        moves_in(sitting)
    assert caught.value.code == "many-answers"
    name = sitting.table.names[1]
    assert str(caught.value.message) == (
        f"there are 2 different answers for {name}'s seat in round {sitting.round + 1}: one.json and two.json"
    )
    assert str(caught.value.next) == "apply the one that arrived first: `referee apply game.json MOVE`"
    assert sitting.give(one).error is None
    assert moves_in(sitting) == ([], ["1 accepted before", "1 from a player who has answered"])


def test_what_is_wrong_is_for_the_host_to_see_unless_there_is_a_good_one(folder: Path) -> None:
    sitting = bids()
    good = sitting.signed(1)
    put(folder, bad=spoilt(sitting.signed(1, move=Bid(3))))
    assert moves_in(sitting) == (["bad.json"], [])
    put(folder, good=good)
    assert moves_in(sitting) == (["good.json"], ["1 that cannot be accepted"])


def test_who_takes_over_a_seat_is_found_once(folder: Path) -> None:
    sitting = Sitting("auction", 3, "arrives", deadline=60, takeovers=2, takeover=60).until(1)
    while not sitting.state.vacant:
        sitting.step(0)
    arrival = sitting.succession(0)
    put(folder, zoe=encode(arrival), bad=spoilt(encode(sitting.succession(0, "Yves"))))
    assert moves_in(sitting) == (["zoe.json"], ["1 that cannot be accepted"])
    host.take_arrival(sitting.match, arrival)
    assert moves_in(sitting) == ([], ["1 that cannot be accepted", "1 accepted before"])


def test_moves_in_words() -> None:
    found = finding.Moves((("a.json", b""), ("b.json", b"")), (finding.WHY["game"](1), finding.WHY["later"](2)))
    assert finding.moves_in_words(found) == [
        "Found 2 new moves: a.json and b.json.",
        "Skipped: 1 for another game and 2 for later rounds.",
    ]
    assert finding.moves_in_words(finding.Moves(found.new[:1], ())) == ["Found 1 new move: a.json."]
    assert finding.moves_in_words(finding.Moves((), ())) == ["There are no new moves."]


# --- an offer and its joins ------------------------------------------------------------------------------------------


def own_offers(sitting: Sitting) -> tuple[list[tuple[str, str]], list[str]]:
    notes = finding.Notes()
    found = finding.own_offers(sitting.host.public.hex(), notes)
    return sorted((one.file, one.line) for one in found), words(notes)


def test_offers_of_this_host_that_are_not_started(folder: Path) -> None:
    sitting, more = auction(), Sitting("mark", 2, "found")
    data = encode(sitting.offer)
    put(folder, own=data, copy=data, more=encode(more.offer), other=encode(OTHER.offer), join=encode(sitting.joins[0]))
    (found, second), notes = own_offers(sitting)
    assert found[0] in ("own.json", "copy.json")
    assert (found[1], second, notes) == ("Toy Auction for 3 players", ("more.json", "M.A.R.K. for 2 players"), [])
    put(folder, game=sitting.file())
    assert own_offers(sitting) == ([("more.json", "M.A.R.K. for 2 players")], [])
    put(folder, more=spoilt(encode(more.offer)))
    found, notes = own_offers(sitting)
    assert found == []
    assert [note.partition(": ")[0] for note in notes] == ["skipped more.json"]


def test_joins_stand_in_the_order_of_their_files(folder: Path) -> None:
    sitting = auction()
    anna, bert, carla = map(encode, sitting.joins)
    put(folder, c=anna, a=bert, b=carla, d=anna, offer=encode(sitting.offer))
    put(folder, other=encode(OTHER.joins[0]), bad=spoilt(anna))
    found, aside = finding.joins_of(sitting.table.offer_id, ".", [])
    assert [(one.name, one.data) for one in found] == [("Bert", bert), ("Carla", carla), ("Anna", anna)]
    assert [one.file for one in found[:2]] == ["a.json", "b.json"]
    assert aside == 2
    assert finding.joins_in_words(found, aside) == [
        "Found 3 joins, in seat order: Bert, Carla and Anna.",
        "Skipped: 2 joins for other offers, or damaged.",
    ]
    assert finding.joins_in_words(found[:1], 1) == [
        "Found 1 join: Bert.",
        "Skipped: 1 join for another offer, or damaged.",
    ]
    assert finding.joins_in_words([], 0) == ["Found no joins."]


@pytest.mark.parametrize(
    ("found", "message", "advice"),
    [
        (2, "joins are missing: this offer has 3 seats", "wait for them, or name them"),
        (4, "there are more joins than seats: this offer has 3", "name those that you want, in seat order"),
    ],
)
def test_as_many_joins_as_seats_are_needed(found: int, message: str, advice: str) -> None:
    error = finding.not_all_joins("offer.json", found, 3, None)
    assert (error.code, str(error.message)) == ("bad-seats", message)
    assert str(error.next) == f"{advice}: `referee start offer.json JOIN...`"
    assert "--key me.json" in str(finding.not_all_joins("offer.json", found, 3, "me.json").next)


# --- a player's views ------------------------------------------------------------------------------------------------


def waiting(sitting: Sitting, seat: int) -> list[tuple[str, str, str]]:
    key = sitting.players[seat].public.hex()
    found = finding.waiting_views(key, "me.json", datetime(2027, 1, 1, tzinfo=UTC), [])
    return [(one.file, one.line, str(one.command)) for one in found]


def test_views_that_wait_for_their_player(folder: Path) -> None:
    sitting = auction().until(lambda one: len(one.asked) == 1)
    (asked,) = sitting.asked
    other = (asked + 1) % 3
    put(folder, mine=sitting.view(asked), theirs=sitting.view(other))
    ((file, line, command),) = waiting(sitting, asked)
    assert file == "mine.json"
    assert line.startswith(f"Toy Auction, game {sitting.table.id[:8]}, round {sitting.round + 1}")
    assert command == "`referee play mine.json --key me.json`"
    assert waiting(sitting, other) == []
    assert finding.nothing_waits().code == "not-asked"


@pytest.mark.parametrize(
    ("error", "message", "advice"),
    [
        (finding.nothing_waits(), "no view in this folder waits for you", "see what there is with `referee inbox .`"),
        (finding.no_game(), "no game file in this folder is yours", "name it: `referee apply GAME.json`"),
        (
            finding.no_offer(),
            "no offer in this folder is yours and not started",
            "make one with `referee offer GAME --seats N`",
        ),
    ],
)
def test_what_is_said_if_nothing_is_found(error: RefereeError, message: str, advice: str) -> None:
    assert (str(error.message), str(error.next)) == (message, advice)
