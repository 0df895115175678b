"""An arbiter's ruling on a game of a tournament: taken into the standings exactly where the spec names the arbiter."""

import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine.records import Transcript
from referee.errors import RefereeError, WrongTurn
from referee.evidence.rulings import Ruling, make_ruling
from referee.io import keyfile
from referee.tournament import documents as d
from referee.tournament.ledger import line_of
from referee.tournament.results import write_results
from referee.tournament.run import amend as take
from referee.tournament.spec import GameLine
from referee.tournament.stage import Desk, load
from tests.cli.world import Ran, run_here, seed
from tests.tournament import world

ARBITER, STRANGER = Key(seed("arbiter"), "Ada"), Key(seed("stranger"), "Sam")
SMALL = (GameLine("auction", 2),)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tournaments: with the arbiter, another one with the same, and one without any."""
    root = tmp_path_factory.mktemp("cups")
    schedule = d.Schedule("round-robin", games=6)
    world.make(root / "cup", SMALL, schedule, arbiter=ARBITER.public.hex())
    world.make(root / "other", SMALL, schedule, seed="other", arbiter=ARBITER.public.hex())
    world.make(root / "none", SMALL, schedule)
    (root / "home/organiser").mkdir(parents=True)
    (root / f"home/organiser/{world.KEY.public.hex()}.key").write_bytes(keyfile.dump(world.KEY))
    return root


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "home"))


def game(cup: Path, number: int) -> Transcript:
    return decode(world.transcript(cup, number), Transcript, "transcript")


def ruling(cup: Path, number: int, ranks: tuple[int, ...], key: Key = ARBITER, text: str = "So be it <b>.") -> bytes:
    return make_ruling(key, game(cup, number).genesis, [], text, ranks)


def amend(home: Path, data: bytes, *more: str, cup: str = "cup") -> Ran:
    (home / "ruling.json").write_bytes(data)
    return run_here("tournament", "next", cup, "--ruling", "ruling.json", *more, cwd=home)


def decided(cup: Path) -> int:
    """A game that somebody won: which one depends on the hash of the bots, and so on every change of them."""
    return next(one.outcome.number for one in world.games_of(cup) if one.outcome.ranks in ((1, 2), (2, 1)))


def turned(cup: Path, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The places of a game, and the same the other way round."""
    kept = next(one for one in world.games_of(cup) if one.outcome.number == number)
    return kept.outcome.ranks, tuple(3 - rank for rank in kept.outcome.ranks)


def points(cup: Path, changed: dict[int, tuple[int, ...]]) -> dict[str, float]:
    """Counted by hand: one for everybody who did worse, a half for a tie."""
    names = load(str(cup)).names
    found = dict.fromkeys(names, 0.0)
    for one in world.games_of(cup):
        ranks, who = changed.get(one.outcome.number, one.outcome.ranks), one.outcome.entrants
        for seat, mine in enumerate(ranks):
            won = sum(1.0 if mine < theirs else 0.5 for at, theirs in enumerate(ranks) if at != seat and mine <= theirs)
            found[names[who[seat]]] = found.get(names[who[seat]], 0.0) + won
    return found


def counted(cup: Path) -> dict[str, float]:
    """The same, as the results have it."""
    results = json.loads((cup / "results.json").read_text())
    found = dict.fromkeys(results["entrants"], 0.0)
    for met in results["total"]["meetings"]:
        found[results["entrants"][met["first"]]] += met["points"]
        found[results["entrants"][met["second"]]] += met["of"] - met["points"]
    return found


@pytest.mark.thorough
def test_a_binding_ruling_counts_and_everything_says_so(home: Path) -> None:
    cup, line = home / "cup", world.line(home / "cup")
    number = decided(cup)
    before, (was, other) = world.tree(cup), turned(cup, number)
    assert counted(cup) == points(cup, {})
    dry = amend(home, ruling(cup, number, other), "--dry-run")
    assert (dry.exit, world.tree(cup)) == (0, before)
    assert f"game {number}" in dry.said
    ran = amend(home, ruling(cup, number, other))
    assert ran.exit == 0, ran.said
    assert counted(cup) == points(cup, {number: other}) != points(cup, {number: was})
    after = world.tree(cup)
    assert after["ledger.jsonl"].startswith(before["ledger.jsonl"])
    changed = {"ledger.jsonl", "results.json", "results.csv", "report.html", "report.de.html", "report.nl.html"}
    assert {name for name in after if after[name] != before[name]} == changed
    results = json.loads(after["results.json"])
    assert results["rulings"] == [{"number": number, "ranks": list(other), "verdict": "So be it <b>."}]
    assert results["total"]["ends"]["ruling"] == 1
    report = after["report.html"].decode()
    assert "the places of 1 game are the arbiter" in report
    assert "So be it &lt;b&gt;." in report
    assert world.codes(cup, line) == []
    # Whoever leaves it out again is caught by the results that there were; whoever rewrites those shows that
    # nobody ruled.
    (cup / "ledger.jsonl").write_bytes(before["ledger.jsonl"])
    assert world.codes(cup) == ["bad-results"] * 5


def test_a_ruling_without_ranks_is_recorded_and_changes_none(home: Path) -> None:
    cup = home / "cup"
    assert amend(home, ruling(cup, 2, (), text="It stays.")).exit == 0
    assert counted(cup) == points(cup, {})
    assert "It stays." in (cup / "report.html").read_text()
    assert world.codes(cup) == []


@pytest.mark.thorough
def test_a_ruling_is_recorded_once_and_the_last_of_two_counts(home: Path) -> None:
    cup, number = home / "cup", decided(home / "cup")
    was, other = turned(cup, number)
    first = ruling(cup, number, other)
    assert amend(home, first).exit == 0
    before = world.tree(cup)
    again = amend(home, first)
    assert (again.exit, world.tree(cup)) == (5, before)
    assert "already recorded" in again.said
    assert amend(home, ruling(cup, number, was, text="I was wrong.")).exit == 0
    assert counted(cup) == points(cup, {})
    assert amend(home, first).exit == 5
    assert world.codes(cup) == []


def refused(home: Path, data: bytes, cup: str, exit: int) -> str:
    before = world.tree(home / cup)
    ran = amend(home, data, cup=cup)
    assert (ran.exit, world.tree(home / cup)) == (exit, before), ran.said
    return ran.said


def test_rulings_that_do_not_bind_are_forged_or_about_another_game_change_nothing(home: Path) -> None:
    cup = home / "cup"
    _, other = turned(cup, 4)
    assert "binds nobody" in refused(home, ruling(cup, 4, other, STRANGER), "cup", 4)
    assert "binds nobody" in refused(home, ruling(cup, 4, other, world.KEY), "cup", 4)
    assert "binds nobody" in refused(home, ruling(home / "none", 4, other), "none", 4)
    true = decode(ruling(cup, 4, other), Envelope, "ruling")
    body = decode(bytes(true.body), Ruling, "ruling")
    refused(home, encode(sign(STRANGER, "ruling", body)), "cup", 6)
    altered = encode(true).replace(b"So be it", b"So be if")
    assert altered != encode(true)
    refused(home, altered, "cup", 6)
    assert "does not belong to this tournament" in refused(home, ruling(home / "other", 4, other), "cup", 5)
    refused(home, b"{}", "cup", 7)


def test_a_refused_ruling_has_a_code_and_a_next_step(home: Path) -> None:
    cup = home / "cup"
    desk, early = Desk(str(cup), world.KEY), world.desk_in(home / "early")
    stage = desk.part.stage
    early.commit(stage.name, stage.games, stage.schedule, stage.limits, bytes(32), stage.arbiter)
    one = ruling(cup, 3, ())
    assert take(desk, one) == 3
    for where, data, code, advice in (
        (desk, one, "ruled", "nothing to do: the standings already include it"),
        (desk, ruling(home / "other", 3, ()), "other-game", "give a ruling on one of its games"),
        (early, one, "not-started", "start it with `referee tournament next`"),
    ):
        with pytest.raises(WrongTurn) as caught:
            take(where, data)
        assert (caught.value.code, str(caught.value.next).startswith(advice)) == (code, True)


@pytest.mark.thorough
def test_an_organiser_who_records_a_ruling_for_another_game_is_caught(home: Path) -> None:
    """All of it signed, in its place: only the games can tell."""
    cup, start = home / "cup", load(str(home / "cup")).last.ids["start"]
    true = decode(ruling(cup, 4, turned(cup, 4)[1]), Envelope, "ruling")
    whole = (cup / "ledger.jsonl").read_bytes()

    def taken(number: int, envelope: Envelope, key: Key = world.KEY) -> list[str]:
        document = sign(key, "amendment", d.Amendment(start, number, envelope))
        (cup / "ledger.jsonl").write_bytes(whole + line_of(document))
        write_results(str(cup), load(str(cup)))
        return world.codes(cup)

    assert taken(4, true) == []
    assert taken(5, true) == ["bad-ruling"]
    assert taken(99, true) == ["bad-ruling"]
    foreign = decode(ruling(home / "other", 4, (1, 2)), Envelope, "ruling")
    assert taken(4, foreign) == ["bad-ruling"]
    forged = sign(STRANGER, "ruling", decode(bytes(true.body), Ruling, "ruling"))
    for bad in (forged, decode(ruling(cup, 4, (2, 1), STRANGER), Envelope, "ruling")):
        with pytest.raises(Exception, match="line"):
            taken(4, bad)
    with pytest.raises(Exception, match="line"):
        taken(4, true, STRANGER)


def test_an_amendment_belongs_to_one_stage(home: Path) -> None:
    cup = home / "cup"
    assert amend(home, ruling(cup, 2, (), text="It stays.")).exit == 0
    made = world.documents(cup)[-1]
    value = decode(bytes(made.body), d.Amendment, "amendment")
    world.resign(cup, "amendment", replace(value, start="0" * 64))
    with pytest.raises(RefereeError) as caught:
        load(str(cup))
    assert "an amendment is for another stage" in str(caught.value.message)
    world.resign(cup, "amendment", value)
    assert load(str(cup))
