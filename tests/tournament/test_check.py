"""An organiser who changes one game, one seed, one bot, the schedule or the standings after the fact is caught."""

import json
import shutil
from pathlib import Path
from unittest import mock

import msgspec
import pytest

from referee.bots.causes import Cause, cause
from referee.crypto.codec import H, encode
from referee.crypto.envelope import sign
from referee.errors import Altered, Malformed, RefereeError
from referee.tournament import documents as d
from referee.tournament import store
from referee.tournament.check import MOST, OPEN, Check, replay_batch
from referee.tournament.entrants import make_bot
from referee.tournament.ledger import line_of
from referee.tournament.playing import play_game, send_setting
from referee.tournament.records import GameRecord, Lapse
from referee.tournament.results import write_results
from referee.tournament.run import Course
from referee.tournament.schedule import Plan
from referee.tournament.seating import Setting
from referee.tournament.stage import load
from referee.tournament.work import Workers
from tests.cli.world import check_refusal, run_here
from tests.tournament import world
from tests.tournament.world import codes, course_of, games_of, rewrite


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournament") / "honest"
    world.make(folder)
    return folder


@pytest.fixture
def folder(honest: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(honest, tmp_path / "copy"))


@pytest.mark.thorough
def test_an_honest_tournament_passes_and_its_games_can_be_replayed(honest: Path) -> None:
    assert codes(honest, world.line(honest), again=2) == []


def test_an_invalid_commitment_line_is_refused_before_anything_is_read(honest: Path, tmp_path: Path) -> None:
    good = world.line(honest)
    for bad in ("NONSENSE", "", "referee-tournament/1", f"{good}0", f"{good} {good}", f"x{good}", good.upper()):
        ran = run_here("tournament", "check", "nowhere", "--commit", bad, "--json", cwd=tmp_path)
        check_refusal(ran, (2,))
        assert b'"bad-line"' in ran.out
    assert run_here("tournament", "check", str(honest), "--commit", f" {good}\n", cwd=tmp_path).exit == 0


def test_one_game_played_by_another_bot(tmp_path: Path) -> None:
    """The organiser lets another bot play one seat of one game, and signs all that follows from it."""
    world.make(tmp_path, (world.GameLine("mark", 2),), d.Schedule("round-robin"), bots=("sensible", "random"))
    line = world.line(tmp_path)
    assert codes(tmp_path, line, again=2) == []
    course, plans = course_of(tmp_path)
    games = games_of(tmp_path)
    setting = world.with_bots(course.setting, bots_of(course)[:1] * 2)
    other = played(setting, plans[1])
    assert other.answers != games[1].answers
    rewrite(tmp_path, [games[0], other])
    assert codes(tmp_path) == [], "every rule was kept: only who kept the line, or plays it again, can tell"
    assert codes(tmp_path, line) == ["other-tournament"]
    assert codes(tmp_path, again=2) == ["played-otherwise"]


def played(setting: Setting, plan: Plan) -> GameRecord:
    return store.stored(play_game(setting, plan))


def bots_of(course: Course) -> list[d.Bot]:
    return [one.bot for _, one in course.setting.players]


def test_a_worker_with_other_files_replays_nothing(honest: Path) -> None:
    """Files can change after the user agreed, and differ on another machine."""
    course, plans = course_of(honest)
    bots = [msgspec.structs.replace(bot, hash="0" * 64) for bot in bots_of(course)]
    shared = send_setting(world.with_bots(course.setting, bots))
    with pytest.raises(Malformed, match="not those of the bot that"):
        replay_batch(shared, plans[:1])


def test_a_game_in_which_a_bot_failed_only_once_is_not_compared(tmp_path: Path) -> None:
    """It may have lacked time on a busy machine; the games do not show that."""
    world.make(tmp_path, (world.GameLine("auction", 2),), d.Schedule("round-robin"), bots=("sensible", "random"))
    course, plans = course_of(tmp_path)
    games = games_of(tmp_path)
    fails = make_bot(["tests.tournament.bots:wrong"], program=False)
    bots = world.with_bots(course.setting, [bots_of(course)[0], fails])
    setting = msgspec.structs.replace(bots, confined=False)
    games[0] = played(setting, plans[0])
    assert any(games[0].outcome.faults)
    assert games[0].answers != games_of(tmp_path)[0].answers
    rewrite(tmp_path, games)
    one = world.checked(tmp_path, again=2)
    assert one.differs == []
    assert [note for note in one.notes if "game 0 cannot be compared" in str(note)]
    assert one.again == 2


def test_one_seed(folder: Path) -> None:
    course, plans = course_of(folder)
    games = games_of(folder)
    games[5] = played(msgspec.structs.replace(course.setting, seed=bytes(32)), plans[5])
    rewrite(folder, games)
    assert set(codes(folder)) <= {"bad-games", "illegal"}, "what was dealt is not what its players had"
    assert codes(folder)


@pytest.mark.parametrize("what", ["seats", "deal", "order", "left out", "twice the last"])
def test_the_schedule(folder: Path, what: str) -> None:
    course, plans = course_of(folder)
    games, one = games_of(folder), plans[4]
    if what == "seats":
        games[4] = played(course.setting, msgspec.structs.replace(one, seats=(*one.seats[1:], one.seats[0])))
    elif what == "deal":
        games[4] = played(course.setting, msgspec.structs.replace(one, group=one.group + 1))
    elif what == "order":
        swapped = [msgspec.structs.replace(plans[at], number=plans[other].number) for at, other in ((4, 7), (7, 4))]
        games[7], games[4] = (played(course.setting, plan) for plan in swapped)
    elif what == "left out":
        del games[-3:]
    else:
        games.append(played(course.setting, msgspec.structs.replace(plans[-1], number=len(plans))))
    rewrite(folder, games)
    assert codes(folder)[0] == ("bad-schedule" if what in ("left out", "twice the last") else "bad-table")


def test_a_game_outside_the_schedule(folder: Path) -> None:
    """Nobody signed it, and it would count in the standings."""
    course, plans = course_of(folder)
    more = played(course.setting, msgspec.structs.replace(plans[-1], number=len(plans)))
    rewrite(folder, [*games_of(folder), more], sign_again=False)
    assert codes(folder) == ["bad-games"], "the pack is larger than the ledger says"


def test_one_bot(folder: Path) -> None:
    """Another hash under a name: the ledger has to be re-signed from there, and is another one."""
    line, ledger = world.line(folder), load(str(folder))
    one = next(entrant for entrant in ledger.last.entrants.values() if entrant.name == "last")
    key = d.kept_key(world.KEY, ledger.last.id, "last")
    bot = msgspec.structs.replace(one.bot, hash="0" * 64)
    lines = (folder / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    at = next(number for number, text in enumerate(lines) if b'"name":"last"' in text)
    lines[at] = line_of(sign(key, "entrant", msgspec.structs.replace(one, bot=bot)))
    (folder / "ledger.jsonl").write_bytes(b"".join(lines))
    with pytest.raises(Altered, match="does not list the entrants"):
        load(str(folder))
    other = folder.parent / "other"
    desk = world.desk_in(other)
    stage = ledger.last.stage
    desk.commit(stage.name, stage.games, stage.schedule, stage.limits, bytes.fromhex(stage.nonce))
    world.enter(desk, world.BOTS[:3], last=make_bot(["tests.tournament.bots:first"], program=False))
    desk.close()
    desk.start()
    world.finish(desk)
    assert codes(other) == []
    assert codes(other, line) == ["other-tournament"] * 2, "the stage is the same, start and ending are not"


def test_a_bot_that_was_changed_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "mybot.py").write_text("from tests.tournament.bots import first as decide\n")
    desk = world.desk_in(tmp_path / "cup")
    desk.commit(
        "Trial", (world.played(world.GameLine("auction", 2)),), d.Schedule("round-robin"), world.USUAL_LIMITS, bytes(32)
    )
    world.enter(desk, ("sensible",), mine=make_bot(["mybot:decide"], program=False))
    desk.close()
    (tmp_path / "mybot.py").write_text("from tests.tournament.bots import last as decide\n")
    with pytest.raises(Malformed, match="not those of the bot that mine entered"):
        desk.start()


def test_the_standings(folder: Path) -> None:
    results = folder / "results.json"
    results.write_bytes(results.read_bytes().replace(b"first", b"First"))
    assert codes(folder) == ["bad-results"]
    results.unlink()
    assert codes(folder) == ["bad-results"]


def test_a_line_that_does_not_match_its_game(folder: Path) -> None:
    games = games_of(folder)
    told = msgspec.structs.replace(games[2].outcome, ranks=games[2].outcome.ranks[::-1], rounds=1)
    games[2] = msgspec.structs.replace(games[2], outcome=told)
    rewrite(folder, games)
    assert codes(folder)[0] == "bad-games"


def test_invalid_records(folder: Path) -> None:
    """They are named, and nothing is computed from them."""
    games = games_of(folder)
    strange = {"ranks": (7,), "entrants": (-5, 10**9, 3), "scores": ((1,),), "group": 10**12, "rounds": -1}
    games[4] = msgspec.structs.replace(games[4], outcome=msgspec.structs.replace(games[4].outcome, **strange))
    games[5] = msgspec.structs.replace(games[5], answers=games[6].answers)
    before = (folder / "results.json").read_bytes()
    with mock.patch("tests.tournament.world.write_results"):
        rewrite(folder, games)
    assert codes(folder)[0] == "bad-table"
    assert set(codes(folder)[1:]) <= {"bad-games", "illegal"}
    assert len(codes(folder)) == 2
    assert (folder / "results.json").read_bytes() == before


ODD = (
    Cause("never-heard-of"), Cause("bid-too-high", {"lowest": ("<b>", 1)}, "auction", "A-1"),
    Cause("status", {"signal": 9}), Cause("given", {"words": "{x} <script>"}),
)  # fmt: skip


def lapsed(folder: Path, lapse: Lapse) -> None:
    """The organiser writes that a bot did this in the first game, and signs all that follows from it."""
    games = games_of(folder)
    faults = tuple(lapse.kind if seat == lapse.seat else "" for seat in range(len(games[0].outcome.entrants)))
    outcome = msgspec.structs.replace(games[0].outcome, faults=faults)
    rewrite(folder, [msgspec.structs.replace(games[0], outcome=outcome, lapses=(lapse,)), *games[1:]])


def test_any_fault_that_the_organiser_records_is_reported(folder: Path) -> None:
    """No game shows it, so only the organiser attests it; the reason may be unknown."""
    lapsed(folder, Lapse(0, 3, "crash", ODD, 1, ("<i>",)))
    assert codes(folder) == []
    for name, known in (("report", "unknown to"), ("report.de", "nicht kennt"), ("report.nl", "niet kent")):
        text = (folder / f"{name}.html").read_text("utf-8")
        assert (text.count(known), text.count("{x} &lt;script&gt;"), "<script>" in text) == (3, 1, False)


def test_a_recorded_fault_must_fit_its_game(folder: Path) -> None:
    games = games_of(folder)
    nowhere = Lapse(len(games[0].outcome.entrants), 3, "crash", (cause("status", status=1),), 1)
    foreign = Lapse(0, 3, "illegal", (Cause("no-double", {}, "mark", "MK-7"),), 1)
    for lapse in (nowhere, foreign):
        with mock.patch("tests.tournament.world.write_results"):
            lapsed(folder, lapse)
        assert codes(folder) == ["bad-games"]
        with mock.patch("tests.tournament.world.write_results"):
            rewrite(folder, games)


@pytest.mark.parametrize(
    "why",
    [b'"it ended"', b"[]", b'[{"reason":"it ended"}]', b'[{"reason":"x","values":{"x":null}}]', b"[" * 5000,
     b"[" + b",".join([b'{"reason":"x"}'] * 5) + b"]"],
)  # fmt: skip
def test_an_unreadable_lapse_is_named(folder: Path, why: bytes) -> None:
    first = encode(games_of(folder)[0])
    lapse = b'"lapses":[{"count":1,"kind":"crash","round":1,"seat":0,"why":' + why + b'}],"outcome"'
    with pytest.raises(Altered, match=r"a stored game: line cannot be read: "):
        store.stored(first.replace(b'"outcome"', lapse))


def test_a_damaged_pack(folder: Path) -> None:
    path = next(folder.glob("games/*.gz"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    assert codes(folder) == ["bad-games"]
    path.unlink()
    assert codes(folder) == ["bad-games"]


def test_games_after_the_ending_was_signed(folder: Path) -> None:
    """Only the organiser can sign a pack that fits."""
    course, plans = course_of(folder)
    games = games_of(folder)
    games[3] = played(world.with_bots(course.setting, bots_of(course)[::-1]), plans[3])
    rewrite(folder, games, sign_again=False)
    assert codes(folder) == ["bad-games"]


@pytest.mark.parametrize("kind", [kind for kind in d.FORMS if kind not in ("withdrawal", "amendment")])
def test_no_document_can_be_changed_taken_out_or_moved(folder: Path, kind: str) -> None:
    path = folder / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    at = max(number for number, text in enumerate(lines) if f'/{kind}"'.encode() in text[-40:])
    flipped = lines[at].replace(b'"sig":"', b'"sig":"0' if lines[at].count(b'"sig":"0') == 0 else b'"sig":"1')
    moved = lines[:at] + lines[at + 1 :]
    moved.insert(0 if at else 1, lines[at])
    changes = [[*lines[:at], flipped[: flipped.index(b'"sig":"') + 8] + lines[at][lines[at].index(b'"sig":"') + 8 :],
                *lines[at + 1 :]], moved]  # fmt: skip
    if kind != "ending":
        changes.append(lines[:at] + lines[at + 1 :])
    for changed in changes:
        path.write_bytes(b"".join(changed))
        with pytest.raises(Altered):
            load(str(folder))


def test_another_secret_or_nonce_does_not_fit(folder: Path) -> None:
    part = load(str(folder)).last
    assert part.ending is not None
    world.resign(folder, "ending", msgspec.structs.replace(part.ending, secret=H("id", b"other").hex()))
    with pytest.raises(Altered, match="not the one that the organiser committed to"):
        load(str(folder))


def test_nonsense_is_refused_by_name(folder: Path) -> None:
    path = folder / "ledger.jsonl"
    good = path.read_bytes()
    for bad in (b"", b"\n", b"{}\n", b"\xff\xfe\n", good + b"{}\n", good + good, b"[" * 100_000 + b"\n"):
        path.write_bytes(bad)
        with pytest.raises(RefereeError):
            load(str(folder))
    path.write_bytes(good + b'{"half')
    load(str(folder))
    pack, ledger = next(folder.glob("games/*.gz")), load(str(folder))
    told = [encode(one) for one in games_of(folder)]
    for bad in ([b"{}"], [*told, *told], [told[0].replace(b'"number":0,', b'"number":1.5,'), *told[1:]]):
        pack.write_bytes(store.packed(bad))
        with pytest.raises(Altered):
            list(store.games(str(folder), ledger))


def test_what_a_check_says_and_what_comes_next(honest: Path, folder: Path, tmp_path: Path) -> None:
    def check(where: Path, *more: str) -> tuple[int, list[str], str, dict[str, object]]:
        ran, told = (
            run_here("tournament", "check", str(where), *more, *how, cwd=tmp_path) for how in ((), ("--json",))
        )
        assert ran.exit == told.exit
        return ran.exit, ran.out.decode().splitlines(), ran.said, json.loads(told.out)

    counts = "12 games checked, 5 of them with signatures, 0 replayed, {} differences"
    good = {
        "differs": [], "notes": [], "games": 12, "expanded": 5, "again": 0, "unchecked": 0, "later": [], "ended": True,
    }  # fmt: skip
    after = "Next: nothing; this is the tournament that you were promised.\n"
    assert check(honest, "--commit", world.line(honest)) == (0, [counts.format(0)], after, good)
    after = "Next: compare it with the line that you kept: --commit LINE.\n"
    assert check(honest) == (0, [counts.format(0)], after, good)
    (folder / "report.html").write_text("Anna won")
    (folder / "results.csv").unlink()
    (folder / "report.nl.html").unlink()
    why = {"report.html does not match the games", "results.csv is missing"}
    status, out, said, told = check(folder)
    assert status == 6
    assert set(out[:-1]) == {f"BAD {one} [bad-results]" for one in why}
    assert out[-1] == counts.format(2)
    assert said.startswith("Next: keep the folder, and ask the organiser; ")
    assert [(one["code"], one["message"] in why) for one in told["differs"]] == [("bad-results", True)] * 2
    ledger = folder / "ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))
    notes = [str(OPEN), "the standings were not rebuilt"]
    after = "Next: check it again when it is over.\n"
    open_still = {"notes": notes, "ended": False, "games": 0, "expanded": 0, "unchecked": 12}
    waiting = "12 games cannot be checked before their stage is over"
    assert check(folder) == (0, [*(f"note: {note}" for note in notes), waiting], after, {**good, **open_still})
    (folder / "games/000000.jsonl.gz").unlink()
    status, out, _, told = check(folder)
    assert (status, told["unchecked"], len(told["differs"])) == (6, 12, 1)
    assert out[0] == "BAD pack 0 is missing or damaged [bad-games]"


def test_what_changed_after_the_line_that_was_kept_is_named(folder: Path, tmp_path: Path) -> None:
    """Standings change, and only who kept the line can tell."""
    line, desk = world.line(folder), world.desk_in(folder)
    desk.withdraw("last", desk.ledger.played, "")
    write_results(str(folder), desk.ledger)
    ran = run_here("tournament", "check", str(folder), "--commit", line, cwd=tmp_path)
    assert ran.exit == 11
    assert "CHANGED since your line: last was withdrawn: none of its games count" in ran.out.decode()
    assert run_here("tournament", "check", str(folder), cwd=tmp_path).exit == 0
    assert run_here("tournament", "check", str(folder), "--commit", world.line(folder), cwd=tmp_path).exit == 11


def test_a_check_lists_a_limited_number_of_differences(honest: Path) -> None:
    one = Check(str(honest), load(str(honest)), Workers())
    one.promise(str(number) * 64 for number in range(MOST + 5))
    assert [found.code for found in one.found.differs] == ["other-tournament"] * MOST
    first = str(one.found.differs[0].message)
    assert (
        first
        == "this is not the tournament of that commitment line, or it was changed afterwards (00000000 is missing)"
    )
