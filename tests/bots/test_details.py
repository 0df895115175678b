"""Details of BOTS.md and of reports about bots, one by one, without starting any bot."""

import os
import tempfile
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from referee.games.auction import Bid

import referee
from referee import games
from referee.bots import adapter, cgroup, confine, pipes, process, wire
from referee.bots.causes import cause
from referee.bots.players import (
    KEPT_LINES,
    Fault,
    Hello,
    Limits,
    LocalPlayer,
    Reply,
    Spent,
    _last_lines,
    after_last_fault,
    find,
    refusal,
)
from referee.bots.playing import SeatedPlayer
from referee.bots.visible import Program, command
from referee.errors import Usage
from referee.language import speaking
from tests.support import bots
from tests.support.match import Sitting, chance

pytestmark = pytest.mark.skipif(os.name != "posix", reason="bots in other processes need Linux or macOS")
AUCTION = games.load("auction")


# --- faults of bots in this process -----------------------------------------------------------------------------------


def seat_of(player: Any, faults: int = 3) -> tuple[Sitting, SeatedPlayer]:
    """A table at which this player is asked for a bid at the first seat."""
    sitting = Sitting(seed="details").until("bid")
    (chair,) = bots.seated(sitting, [player], [chance("own")], Limits(faults=faults))
    return sitting, chair


def answers(player: Any, times: int, faults: int = 3) -> list[Fault | None]:
    """What a player at the first seat is at fault for, asked this many times."""
    sitting, chair = seat_of(player, faults)
    found = []
    for _ in range(times):
        before = len(chair.faults)
        assert chair.answer(sitting.state, bots.sight(sitting), ()) is not None, "somebody moves for it"
        found.append(chair.faults[-1][1] if len(chair.faults) > before else None)
    assert {number for number, _ in chair.faults} <= {sitting.round + 1}
    return found


def raises(terms: Any, seen: Any, below: Any) -> Any:
    raise ValueError("not today")


def illegal(terms: Any, seen: Any, below: Any) -> Any:
    return Bid(amount=10_000)


def muttering(terms: Any, seen: Any, below: Any) -> Any:
    return Reply(Bid(amount=0), standing="nothing that this game knows")


def test_a_bot_that_raises_is_gone_at_once() -> None:
    player = LocalPlayer(raises)
    first, second = answers(player, 2)
    assert first is not None
    assert (first.kind, first.why, first.gone) == ("crash", cause("raised", name="ValueError"), True)
    assert first.lines[-1] == "ValueError: not today"
    assert len(first.lines) <= KEPT_LINES
    assert second == after_last_fault(first) == Fault("crash", first.why, first.lines, gone=True, before=True)
    assert str(second.text()) == "crash: it had already ended: it raised ValueError"
    spent = player.close()
    assert (spent.questions, spent.faults, spent.first) == (2, {"crash": 1}, first)


def test_the_last_twelve_lines_of_an_error_are_kept() -> None:
    error: Exception = ValueError("at last\n" + "\n".join(map(str, range(20))))
    assert _last_lines(error) == [str(number) for number in range(8, 20)]
    assert _last_lines(ValueError("short")) == ["ValueError: short"]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_bot_is_not_asked_again_after_its_last_fault(most: int) -> None:
    player = LocalPlayer(illegal)
    found = answers(player, most + 1, most)
    assert [one.gone for one in found if one] == [*[False] * (most - 1), True, True]
    assert [str(one.text()).startswith("illegal: it had already ended: ") for one in found if one] == [
        *[False] * most,
        True,
    ]
    assert player.close().faults == {"illegal": most}
    assert player.close().first == found[0]
    assert found[0] is not None
    assert found[0].lines == (repr(Bid(amount=10_000)),)


def test_standing_orders_of_another_game_are_a_fault() -> None:
    (found,) = answers(LocalPlayer(muttering), 1)
    assert found is not None
    assert (found.kind, str(found.why)) == ("illegal", "these are not standing orders of this game")


def test_faults_are_reported_with_their_kind() -> None:
    for kind in ("illegal", "timeout", "crash", "nonsense"):
        fault = Fault(kind, cause("given", words="so it was"))  # type: ignore[arg-type]
        assert str(fault.text()) == f"{kind}: so it was"
    assert Spent(1, 1.0).notes() == []
    left = "it still had 2 other processes at the end; they were killed"
    spent = Spent(1, 1.0, ending=cause("status", status=3), processes=2)
    assert [*map(str, spent.notes())] == ["it ended with status 3", left]


def test_rules_that_raise_on_a_move_make_it_a_fault() -> None:
    sitting, chair = seat_of(LocalPlayer("random"))
    question = bots.question(sitting, chair, 0)
    assert refusal(chair._hello, question, Bid(amount=1)) is None
    assert str(refusal(chair._hello, question, None)).startswith("the rules cannot judge this move (")


def test_a_bot_that_does_not_exist_is_refused_with_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("NUMBER = 1\n")
    advice = "write it as module:function or file.py:function"
    for bot, why, next_ in (
        ("nobody", f"{AUCTION.title} has no bot 'nobody'", f"choose from {', '.join(AUCTION.bots)}"),
        ("mine.py:NUMBER", "'mine.py:NUMBER' is not a function", advice),
        ("mine.py:other", "there is no bot 'mine.py:other' (AttributeError)", advice),
        ("gone.py:decide", "there is no module 'gone.py' here", "run the command in the folder of the module"),
    ):
        with pytest.raises(Usage) as caught:
            find(bot, AUCTION, confined=False)
        assert (str(caught.value.message), str(caught.value.next), caught.value.code) == (why, next_, "no-bot")
    for words in ([], ["no-such-program"]):
        with pytest.raises(Usage) as caught:
            command(words, [])
        assert str(caught.value.next) == "give a program and its arguments after --"
    monkeypatch.setattr(process, "os", SimpleNamespace(name="nt"))
    with pytest.raises(Usage) as caught:
        find(["bot"], AUCTION)
    assert str(caught.value.next) == "use one of the game's built-in bots"


# --- lines ------------------------------------------------------------------------------------------------------------


def test_a_question_says_what_its_seat_sees() -> None:
    sitting, chair = seat_of(LocalPlayer("random"))
    question = bots.question(sitting, chair, 0, [(1, sitting.match.log)])
    hello: Hello = chair._hello
    line = wire.asked(hello, question, question.news, 1.23456, whole=False)
    assert (line.round, line.asked, line.sealed) == (sitting.round + 1, "bid", question.ask.sealed)
    assert (line.bank, line.hello, line.pending) == (1.235, None, question.seen.pending)
    assert [(one.round, one.what) for one in line.news] == [(1, note.what) for note in sitting.match.log]
    assert wire.asked(hello, question, (), 0, whole=True).hello == wire.greeting(hello)
    assert line.id.startswith(f"{question.number}-")
    other = Hello(hello.game_id, hello.game, hello.terms, 0, hello.names, chance("other"))
    assert wire.name_of(other, question) != line.id == wire.name_of(hello, question)
    greeting = wire.greeting(hello)
    assert (greeting.protocol, greeting.game, greeting.seats, greeting.seat) == (1, "auction", 3, 0)
    assert (greeting.seed, greeting.names) == (chance("own").hex(), sitting.table.names)
    with speaking("de"):
        assert wire.greeting(hello) == greeting, "programs are spoken to in English"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"type":"answer","id":"\xff","move":{}}', "it is not UTF-8"),
        (b'{"type":"answer","id":"1","move":' + b"[" * 100_000, "it is nested too deeply"),
        (b'{"type":"ready","protocol":1}', "Invalid value 'ready'"),
        (b'{"type":"answer","id":"' + b"1" * 41 + b'","move":{}}', "length <= 40"),
    ],
)
def test_why_a_line_cannot_be_read(line: bytes, why: str) -> None:
    with pytest.raises(wire.Unreadable) as caught:
        wire.read(line, wire.AnswerLine)
    told = str(caught.value)
    assert told.startswith("this is not the expected kind of line: ")
    assert why in told
    assert len(told) <= 41 + 160


# --- pipes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (-9, "signal 9"), (137, "signal 9"), (129, "signal 1"), (192, "signal 64"), (1, "status 1"),
        (128, "status 128"), (193, "status 193"), (255, "status 255"),
    ],
)  # fmt: skip
def test_how_a_process_ended(status: int, told: str) -> None:
    assert str(pipes._ended(status)) == f"it ended with {told}"


def test_lines_are_shortened_and_made_printable() -> None:
    one = pipes.Pipes.__new__(pipes.Pipes)
    one._said, one._quiet, one._limits = pipes.deque(maxlen=KEPT_LINES), True, Limits(errors=30)
    one._errors = bytearray(b"first\nsecond\nthird\nfourth \x1b[1m\xff\n")
    for number in range(KEPT_LINES):
        one.note("<", b"%d\n" % number)
    for size in (300, 301, 1200, 1201):
        one.note(">", b"x" * size)
    lines = one.last_lines()
    assert len(lines) == KEPT_LINES + 3
    assert lines[0] == "< 4"
    assert [len(line) for line in lines[8:11]] == [302] * 3
    assert lines[11] == "> " + "x" * 300 + "... (1201 bytes)"
    assert lines[12:] == ["! second", "! third", "! fourth ?[1m\ufffd"]
    one._move_errors()
    assert len(one._errors) == 30, "the end is kept"


def test_a_bot_that_writes_without_end_is_at_fault() -> None:
    for most, fits in ((9, True), (8, False)):
        one = pipes.Pipes(Program(("cat",), confined=False), Limits(output=most))
        one.send(b"12345678\n")
        try:
            if fits:
                assert one.line(inf) == b"12345678"
            else:
                with pytest.raises(pipes.PipeError) as caught:
                    one.line(inf)
                assert (caught.value.kind, str(caught.value.why)) == ("nonsense", "it wrote more than 8 bytes")
        finally:
            one._bot.kill()
            one.end()


def test_a_program_that_cannot_be_started_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left of it, not even its folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    program = Program(("bot",), confined=False)
    with pytest.raises(OSError, match="sh"):
        confine.start(program, Limits())
    assert [*tmp_path.iterdir()] == []
    _, chair = seat_of(process.ProcessPlayer(program))
    ((number, fault),) = chair.faults
    assert (number, fault.kind, fault.gone) == (1, "crash", True)
    assert str(fault.why) == "it cannot be started: no such file or directory"


# --- walls ------------------------------------------------------------------------------------------------------------


def test_the_sandbox_is_what_bots_md_promises() -> None:
    """Own processes, no network, no capabilities, an environment of five; it ends with the referee."""
    words = confine._WALLS
    apart = {f"--unshare-{what}" for what in ("user", "pid", "net", "ipc", "uts", "cgroup-try")}
    assert apart | {"--die-with-parent", "--new-session", "--clearenv"} <= set(words)
    assert words[words.index("--cap-drop") + 1] == "ALL"
    made = confine.environment("/home/bot", "/bin")
    assert made == {
        "PATH": "/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": "/home/bot", "TMPDIR": "/home/bot",
    }  # fmt: skip
    places = confine._places(confine.Program(("bot",), ("/data/own", "/usr/bin/env")), Limits(output=1000))
    for space in ("/home/bot", "/tmp", "/dev/shm"):
        at = places.index(space)
        assert places[at - 3 : at] == ["--size", "1000", "--tmpfs"]
    at = places.index("/data/own")
    assert places[at - 1 : at + 2] == ["--ro-bind", "/data/own", "/data/own"]
    assert "/usr/bin/env" not in places, "it is there with /usr"
    assert places[-6:] == ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/home/bot"]
    assert places[places.index("--proc") :][:4] == ["--proc", "/proc", "--remount-ro", "/proc"]
    assert "--bind" not in places


def test_why_the_sandbox_does_not_work_is_reported_briefly(tmp_path: Path) -> None:
    def failure(script: str) -> str:
        path = tmp_path / "bwrap"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(confine._failure(confine.Sandbox((str(path),), b"", ())))

    assert failure("exit 0") == ""
    assert failure("exit 3") == "bwrap ended with status 3"
    assert failure("echo first >&2; echo last >&2; exit 1") == "last"
    assert failure(f"echo {'x' * 161} >&2; exit 1") == "x" * 160
    assert confine._failure(confine.Sandbox((str(tmp_path / "none"),), b"", ())) == "FileNotFoundError"


@pytest.mark.parametrize(
    ("release", "counts"),
    [("5.14.0", True), ("5.13.9", False), ("6.1-rc2", True), ("4.20.1", False), ("5.14-generic", True), ("odd", False)],
)
def test_which_kernels_count_tasks_by_namespace(monkeypatch: pytest.MonkeyPatch, release: str, counts: bool) -> None:
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(release=release))
    assert confine._counts_tasks() is counts


def test_a_group_ends_all_of_a_bot_and_lends_it_no_swap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "delegated_folder", lambda: str(tmp_path))
    made = Path(cgroup.make(1000, 7))
    limits = {path.name: path.read_text() for path in made.iterdir()}
    assert limits == {"memory.max": "1000", "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "7"}
    assert Path(cgroup.make(1000, 7)) != made
    (made / "memory.events").write_text("oom_kill 0\n")
    (made / "pids.events").write_text("max 2\n")
    assert str(cgroup.over(str(made))) == "it started more processes than allowed"
    assert (cgroup.over(""), cgroup.enforced_by()) == (None, "group")
    monkeypatch.setattr(cgroup, "delegated_folder", lambda: "")
    assert (cgroup.make(1000, 7), cgroup.enforced_by()) == ("", "watch")


def test_a_process_with_any_name_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "42"
    folder.mkdir()
    fields = ["S", "7", "1", "9", *["0"] * 17, "3", "0"]
    (folder / "stat").write_text(f"42 (a ) b) {' '.join(fields)}\n")
    assert confine._process(str(folder)) == confine.Process(42, 7, 9, 3 * os.sysconf("SC_PAGE_SIZE"))
    for state in "ZX":
        (folder / "stat").write_text(f"42 (bot) {' '.join([state, *fields[1:]])}\n")
        assert confine._process(str(folder)) is None
    assert confine._process(str(tmp_path / "43")) is None
    (tmp_path / "self").mkdir()
    assert list(confine._folders(str(tmp_path))) == [str(folder)]


def test_play_yields_the_rounds_and_continues_the_story() -> None:
    sitting = Sitting(seed="rounds")
    chairs = bots.seated(sitting, [LocalPlayer("random") for _ in range(3)], [chance("own", seat) for seat in range(3)])
    assert [*bots.play(sitting, chairs)] == [*range(1, sitting.round + 1)]
    assert sitting.over


def test_a_move_that_is_none_is_quoted_up_to_two_hundred_letters() -> None:
    class Long:
        def __repr__(self) -> str:
            return "x" * 199 + "yz"

    (fault,) = answers(LocalPlayer(lambda terms, seen, below: Reply(Long())), 1)  # type: ignore[arg-type]
    assert fault is not None
    assert (fault.kind, fault.lines) == ("illegal", ("x" * 199 + "y",))


def test_a_function_sees_the_code_of_every_game_and_no_folder_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game is a package, or one module in a file."""
    (tmp_path / "packed").mkdir()
    (tmp_path / "packed" / "__init__.py").touch()
    (tmp_path / "single.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    modules = {"one": "packed.rules", "two": "single", "three": "not_there", "mark": "referee.games.mark"}
    monkeypatch.setattr(games, "game_ids", lambda: [*modules])
    monkeypatch.setattr(games, "module_of", modules.__getitem__)
    adapter._packages.cache_clear()
    try:
        seen = adapter._packages((str(tmp_path), "/usr/lib/site-packages"), ("/games",))
    finally:
        adapter._packages.cache_clear()
    ours = os.path.dirname(os.path.abspath(referee.__file__))
    assert seen[:3] == ("/usr/lib/site-packages", ours, "/games")
    assert sorted(seen[3:]) == [str(tmp_path / "packed"), str(tmp_path / "single.py")]
