"""Commands at their edges: what cannot be given together, what nobody is asked, ends of games, verdicts of many."""

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
import typer
from referee.games.auction import Bid

from referee.cli import _command
from referee.cli.app import command as whole_program
from referee.cli.common import ask_line, passphrase
from referee.crypto.codec import encode
from referee.crypto.keys import Key
from referee.engine.host import reveal
from referee.errors import Usage
from referee.io import keyfile, kinds
from referee.language import run, speaking, t
from referee.library import checking, completion, documents, inbox
from referee.library import values as placeholders
from referee.library.recovering import read_chance
from referee.library.replaying import rounds_of
from referee.library.reports import escaped
from referee.library.running import status_lines
from tests.cli.test_tickets import Desk
from tests.cli.world import check_refusal, run_here
from tests.support.match import Sitting, chance, change_entry, code_of


@pytest.fixture
def auction(tmp_path: Path) -> Desk:
    """Anna is asked for a bid."""
    return Desk(tmp_path, Sitting(seed="edges").until("bid"))


def refused(desk: Desk, *words: str, status: int = 2) -> tuple[str, str]:
    """What is wrong, and what to do next."""
    ran = desk.run(*words)
    check_refusal(ran, (status,))
    wrong, advice = ran.said.splitlines()[-2:]
    return wrong.removeprefix("referee: "), advice.removeprefix("Next: ")


# --- play -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["--move", "bid 1", "--move-json", "{}"], ["--move", "bid 1", "--resign"], ["--move-json", "{}", "--resign"],
        ["--resign", "--say", "bid 2 always"], ["--resign", "--say-json", "{}"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_answers_that_exclude_each_other(auction: Desk, words: list[str]) -> None:
    wrong, _ = refused(auction, "play", auction.view(), *words, "-o", "m.json")
    other = "exclude each other" if words[-2].startswith("--move") or words[-1] == "--resign" else "has no effect"
    assert other in wrong
    assert not (auction.root / "m.json").exists()


def test_a_script_must_say_its_move(auction: Desk) -> None:
    advice = "give one with --move, or run it in a terminal; see `referee show --moves view.json`"
    assert refused(auction, "play", auction.view(), "-o", "m.json") == ("no move given", advice)
    assert refused(auction, "play", "view.json", "--say", "bid 1 always", "-o", "m.json") == ("no move given", advice)
    wrong, advice = refused(auction, "play", "view.json", "--move", "bid 1 always", "-o", "m.json")
    assert (wrong, advice) == ("this contains no move", "write `MOVE; WORDS`; see `referee show --moves view.json`")
    for option, wrong in (
        ("--move-json", "this is not a valid move of this game"),
        ("--say-json", "these are not standing orders"),
    ):
        for text in ("{", '{"do":"sing"}', "[" * 5000):
            assert refused(auction, "play", "view.json", option, text, "-o", "m.json", status=7)[0].startswith(wrong)
    assert not (auction.root / "m.json").exists()


def test_a_confirmation_takes_no_move_and_whoever_is_not_asked_gives_none(tmp_path: Path) -> None:
    one = Sitting("schwarzer-freitag", 2, "bare")
    desk = Desk(tmp_path, one)
    wrong = "there is nothing to choose here: you are asked for a confirmation", "leave the move out"
    assert refused(desk, "play", desk.view(), "--move-json", "{}", "-o", "m.json") == wrong
    assert refused(desk, "play", "view.json", "--move", "draw", "-o", "m.json")[1] == wrong[1]
    assert refused(desk, "play", "view.json", "--say-json", "{}", "-o", "m.json") == (
        "this game has no standing orders", "leave --say-json out",
    )  # fmt: skip
    ran = desk.run("show", "--moves", "view.json")
    assert (ran.exit, ran.out, ran.said.splitlines()) == (
        0, b"", ["You are asked for a confirmation.", "Next: run `referee play view.json`."],
    )  # fmt: skip
    one.until(lambda now: now.asked == [1])
    assert refused(desk, "play", desk.view("later.json"), "-o", "m.json", status=5) == (
        "this view does not ask you for anything", "wait for the next view",
    )  # fmt: skip


def test_an_interrupt_at_a_question_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> bytes:
        raise KeyboardInterrupt

    for readline in (interrupted, bytes):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(readline=readline), encoding="utf-8"))
        with pytest.raises(typer.Exit) as gone:
            ask_line("Sure?")
        assert gone.value.exit_code == 130
        assert capsys.readouterr().err == "Sure? \nNothing was changed.\n"


def test_a_new_passphrase_is_typed_twice(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is typed is shown to nobody; whoever goes away changes nothing."""
    asked, typed = list[str](), iter(("one", "two", "three", "three", "once"))

    def prompt(text: str, **how: bool) -> str:
        assert how == {"err": True, "hide_input": True}
        asked.append(text)
        try:
            return next(typed)
        except StopIteration:
            raise typer.Abort from None

    monkeypatch.delenv("REFEREE_PASSPHRASE", raising=False)
    monkeypatch.setattr(typer, "prompt", prompt)
    assert code_of(passphrase) == "no-passphrase"
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    assert passphrase(confirm=True) == "three"
    assert asked == ["Passphrase", "Repeat for confirmation"] * 2
    assert capsys.readouterr().err == "Error: The two entered values do not match.\n"
    assert passphrase() == "once"
    with pytest.raises(typer.Exit) as gone:
        passphrase()
    assert gone.value.exit_code == 130
    monkeypatch.setenv("REFEREE_PASSPHRASE", "")
    assert passphrase(confirm=True) == ""


@pytest.mark.parametrize(("encoding", "letter"), [("utf-8", "é"), ("ascii", "\\u00e9")])
def test_reports_never_mislead_on_a_terminal(encoding: str, letter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be printed is spelled out, and so is what the terminal has no letter for; the JSON stays the same."""
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(encoding=encoding))
    text = '{"a":"x\u202e\x7fé"}'
    assert escaped(text) == '{"a":"x\\u202e\\u007f' + letter + '"}'
    assert json.loads(escaped(text)) == json.loads(text)


def test_where_a_signed_answer_goes() -> None:
    mail = object()
    assert documents.parcel_for(None, None, "a.move.json") == documents.Parcel("a.move.json")
    assert documents.parcel_for(None, "x.json", "a.move.json") == documents.Parcel("x.json")
    assert documents.parcel_for(mail, "-", "a.move.json") == documents.Parcel("-")
    assert documents.parcel_for(mail, None, "a.move.json") == documents.Parcel("a.move.json", "a.reply.eml", mail)
    assert documents.parcel_for(mail, "d/x.json", "a.join.json") == documents.Parcel("d/x.json", "d/x.reply.eml", mail)
    assert documents.parcel_for(mail, "d/R.EML", "a.join.json") == documents.Parcel("d/a.join.json", "d/R.EML", mail)
    with pytest.raises(Usage, match="there is nothing to reply to"):
        documents.parcel_for(None, "r.eml", "a.join.json")


def test_the_command_that_is_wanted_is_found_at_a_glance() -> None:
    for words, wanted in (
        ([], ""), (["games"], "games"), (["--version"], "--version"), (["--language", "de", "show"], "show"),
        (["--language=de", "show"], "show"), (["--language=de"], ""), (["--language", "de", "--version"], "--version"),
        (["--", "language=de", "show"], "--"), (["--help", "show"], "--help"), (["show", "--language=de"], "show"),
    ):  # fmt: skip
        assert _command(words) == wanted


# --- rounds, placeholders, secrets, completion ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("4..9", [4, 5]), ("4..", [4, 5]), ("..2", [1, 2]), ("3", [3]), ("..", [1, 2, 3, 4, 5]), ("0..1", [1]),
        ("5", [5]), ("5..99999", [5]), ("..0", None), ("6", None), ("0", None), ("3..2", None),
    ],
)  # fmt: skip
def test_only_existing_rounds_are_accepted(text: str, rounds: list[int] | None) -> None:
    if rounds is not None:
        assert [*rounds_of(text, 5)] == rounds
        return
    with pytest.raises(Usage) as caught:
        rounds_of(text, 5)
    assert str(caught.value.next) == "choose --round 1..5, or some of these"
    assert [*rounds_of(text, 0)] == []


@pytest.mark.parametrize("text", ["x", "", "-1", "1...2", "1..x", "123456", "1.", "٣"])
def test_what_is_not_a_round(text: str) -> None:
    with pytest.raises(Usage, match="these are not valid rounds"):
        rounds_of(text, 5)


def test_words_that_stand_for_others_are_those_of_the_reader() -> None:
    assert placeholders.placeholder("FILE...") == "FILE..."
    with speaking("de"):
        assert placeholders.placeholder("FILE...") == "DATEI..."
        assert placeholders.placeholder("-o A file") == "-o A file"


def test_the_secret_of_common_chance() -> None:
    assert read_chance(None) == read_chance("") == b""
    assert read_chance("ab" * 32) == b"\xab" * 32
    for text in ("ab" * 31, "ab" * 33, "a", "xy" * 32):
        with pytest.raises(Usage, match="64 hexadecimal digits"):
            read_chance(text)


def test_completion_by_kind_and_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.view.json", "b.view.json", "a.move.json", "a.eml", "a.txt"):
        (tmp_path / name).touch()
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "c.view.json").touch()
    monkeypatch.chdir(tmp_path)
    assert completion.files("view")("") == ["a.view.json", "b.view.json"]
    assert completion.files("view", mail=True)("a") == ["a.eml", "a.view.json"]
    assert completion.files("move", "view")("a.") == ["a.move.json", "a.view.json"]
    assert completion.files("view")("d/") == ["d/c.view.json"]
    assert completion.files("view")("nowhere/") == []
    assert completion.languages("d") == ["de"]
    monkeypatch.setenv("COMP_WORDS", "referee offer schwarzmarkt --option x")
    assert completion._first_argument() == "schwarzmarkt"
    monkeypatch.delenv("COMP_WORDS")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "referee show game.json --view")
    assert completion._first_argument() == "game.json"
    monkeypatch.delenv("_TYPER_COMPLETE_ARGS")
    assert completion._first_argument() == ""
    assert completion.seats("") == completion.options("") == []


OFFERED = {
    "--key": "key player", "--edition": "edition",
    "GAME.json": "game", "audit VIEW": "view mail",
    "play [VIEW]": "view mail", "open [FILE|DIR]": "view mail", "join OFFER|VIEW": "offer view mail",
    "start [OFFER.json] [JOIN...]": "offer join", "apply [GAME.json]": "game",
    "apply [MOVE...]": "move succession return", "recover VIEW|MOVE...": "view move extension mail",
    "recover --adopt": "game", "--ruling": "ruling mail",
    "show FILE": "view offer join move receipt extension word transcript key game mail",
    "page [FILE]": "view transcript",
    "verify FILE...": "view transcript move receipt extension proof ruling claim",
    "dispute FILE|DIR...": "view transcript move receipt extension proof claim mail",
}  # fmt: skip
"""Kinds of files that a shell offers in each place: those that the command there reads."""


def arguments(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every option and argument of every command, as its help calls it."""
    for one in command.params:
        yield f"{path} {one.opts[0] if one.opts[0].startswith('-') else one.metavar or one.name}", one
    for name, other in getattr(command, "commands", {}).items():
        yield from arguments(other, f"{path} {name}".strip())


def test_shells_offer_what_each_command_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in kinds.NAMES:
        (tmp_path / f"{kind}.json").touch()
    (tmp_path / "mail.eml").touch()
    monkeypatch.chdir(tmp_path)
    used = set()
    for place, one in arguments(whole_program()):
        found = {item.value for item in one.shell_complete(typer.Context(click.Command("x")), "")}
        if not any(name.endswith((".json", ".eml")) for name in found):
            continue
        (known,) = [name for name in OFFERED if place.endswith(name)]
        assert {name.partition(".")[0] for name in found} == set(OFFERED[known].split()), place
        used.add(known)
    assert used == set(OFFERED)


# --- the host ---------------------------------------------------------------------------------------------------------


def test_where_a_game_stands_with_deadlines_and_missed_ones() -> None:
    one = Sitting("auction", 3, "stands", deadline=60, kept=(2,)).until("bid")
    match = one.match
    head = f"{one.table.game.title}, game {one.table.id[:8]}, 1 round played, round 2 is open"
    due = "2027-01-01 01:00 UTC"
    assert status_lines(match) == [
        head, "  players in seat order: Anna, Bert and Carla", f"  deadline {due}",
        *(f"  waiting for {name}: bid" for name in ("Anna", "Bert", "Carla")), "  you keep Carla's key",
    ]  # fmt: skip
    one.give(one.signed(0, move=Bid(1)))
    one.pass_over([1])
    assert status_lines(match)[3:] == [
        "  waiting for Bert: bid, deadline missed", "  waiting for Carla: bid", "  Anna has answered",
        "  you keep Carla's key",
    ]  # fmt: skip
    graced = Sitting("auction", 3, "stands", deadline=60, grace=120).until("bid")
    assert status_lines(graced.match)[2] == f"  deadline {due}, and 2 hours of grace"


def test_a_game_that_rests_or_was_left() -> None:
    rests = Sitting("auction", 3, "rests").until(1)
    while rests.match.state.missed[0] != 2:
        rests.step(*rests.asked)
    assert "  Anna is no longer asked" in status_lines(rests.match)
    left = Sitting("auction", 3, "left").until(1)
    for seat in (0, 2):
        left.give(left.signed(seat, resign=True))
    left.others(0, 2)
    lines = status_lines(left.match)
    assert lines[0].endswith(" rounds played")
    assert lines[2:4] == ["  Anna is no longer asked", "  Carla is no longer asked"]
    assert lines[4] == "  over: the others have left"
    assert lines[5].startswith("  1. Bert")
    assert len(lines) == 8
    many = Sitting("auction", 10, "left").until(1)
    for seat in (8, 1):
        many.give(many.signed(seat, resign=True))
    many.others(8, 1)
    assert [line for line in status_lines(many.match) if line.endswith(" is no longer asked")] == [
        "  Bert is no longer asked", "  Inge is no longer asked",
    ]  # fmt: skip


# --- the inbox --------------------------------------------------------------------------------------------------------


def test_how_long_a_deadline_is_away() -> None:
    now = datetime(2027, 1, 10, 12, 0, tzinfo=UTC)

    def left(due: str, state: str = "waits") -> str:
        return inbox._time_left(inbox.Row(None, "f", "t", due=due, state=state), now)

    assert left("2027-01-10T12:59Z") == "59 minutes left"
    assert left("2027-01-10T12:00Z") == "0 minutes left"
    assert left("2027-01-10T13:00Z") == "1 hour left"
    assert left("2027-01-11T12:00Z") == "1 day left"
    assert left("2027-01-12T17:30Z") == "2 days 5 hours left"
    assert left("2027-01-10T11:30Z") == "late by 30 minutes"
    assert left("2027-01-09T10:00Z") == "late by 1 day 2 hours"
    assert [bool(left("2027-01-11T12:00Z", state)) for state in inbox.STATES] == [
        state in ("waits", "answered", "others") for state in inbox.STATES
    ]
    assert left("") == ""


def test_a_row_in_words() -> None:
    row = inbox.Row(None, "a.json", "0123", "ab" * 32, "Auction", "Anna\x1b", 3, "waits", due="2027-01-11T12:00Z",
                    left="1 day left", said="bid", next=run("play", "a.json"))  # fmt: skip
    assert inbox.lines(row) == [
        "Auction, game abababab, after round 3, table 0123: you are Anna\\x1b",
        "  waits for you: bid, 1 day left (2027-01-11 12:00 UTC)",
        "  `referee play a.json`",
    ]
    bare = row._replace(game="", title="", you="", left="", said="", state="over", next=t("wait"))
    assert inbox.lines(bare) == ["A game, table 0123", "  is over", "  a.json: wait"]
    alone = SimpleNamespace(is_alone=lambda: True, path="x.eml", subject="Hello")
    heap = SimpleNamespace(is_alone=lambda: False, path="mbox", subject="Hello")
    assert str(inbox._type(alone, "play", "k.json")) == "`referee play x.eml --key k.json`"
    assert (
        str(inbox._type(heap, "play", "k.json"))
        == "save the mail “Hello” as a file, then `referee play FILE.eml --key k.json`"
    )


def test_own_keys_are_all_those_beside_the_players_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("REFEREE_HOME", str(home))
    assert documents.own_keys(None) == {}
    (home / "folder.json").mkdir(parents=True)
    (home / "notes.txt").write_text("no key")
    mine, second, named = (Key(chance("key", name), name) for name in ("mine", "second", "named"))
    for path, key in ((home / "key.json", mine), (home / "second.json", second), (tmp_path / "named.json", named)):
        path.write_bytes(keyfile.dump(key))
    found = {mine.public.hex(): None, second.public.hex(): str(home / "second.json")}
    assert documents.own_keys(None) == found
    path = str(tmp_path / "named.json")
    assert documents.own_keys(path) == {**found, named.public.hex(): path}
    assert documents.own_keys(str(home / "notes.txt")) == found


# --- verdicts ---------------------------------------------------------------------------------------------------------


def test_what_only_many_files_show(tmp_path: Path) -> None:
    """Two stories of one round: each view is good, together they are bad, and the last words say what to do."""
    one = Sitting(seed="together").until("bid")
    other = one.fork()
    one.step()
    other.step(0)
    desk = Desk(tmp_path, one)
    names = [desk.put("one.view.json", one.view(1)), desk.put("other.view.json", other.view(2))]
    ran = desk.run("verify", *names)
    assert ran.exit == 6
    *rows, together, counts = ran.out.decode().splitlines()
    assert [row.partition(":")[0] for row in rows] == ["ok  one.view.json", "ok  other.view.json"]
    assert together.startswith("BAD together: ")
    assert together.endswith("]")
    assert counts == "2 good, 0 bad"
    assert ran.said == (
        "Next: keep the files as evidence against the host; `referee dispute` with them writes a proof.\n"
    )
    found = json.loads(desk.run("verify", *names, "--json").out.splitlines()[-1])
    assert [error["code"] for error in found["together"]] == [together.rpartition("[")[2][:-1]]


def test_folders_are_looked_through_for_what_can_be_checked(tmp_path: Path) -> None:
    one = Sitting(seed="folders").until(2)
    desk = Desk(tmp_path, one)
    (tmp_path / "d" / "e").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    desk.put("d/plain.json", one.view(0))
    desk.put("d/e/bert.view.json", one.view(1))
    desk.put("d/e/notes.txt", b"hello")
    desk.put("d/e/other.json", b"{}")
    desk.put("d/broken.view.json", b"{}")
    (tmp_path / "d" / "gone.view.json").symlink_to("nowhere")
    names, passed = checking._expand([str(tmp_path / "d")])
    assert [Path(name).name for name in names] == ["broken.view.json", "bert.view.json", "plain.json"]
    assert passed == 3
    assert checking._expand(["-", "x"]) == (["-", "x"], 0)
    ran = desk.run("verify", "empty")
    check_refusal(ran, (2,))
    assert "there is nothing in that folder that can be checked" in ran.said


def test_many_workers_find_what_one_finds(tmp_path: Path) -> None:
    one = Sitting(seed="workers")
    desk, names = Desk(tmp_path, one), []
    for number in range(3):
        names += [desk.put(f"{number}-{seat}.view.json", one.view(seat)) for seat in range(2)]
        one.step()
    names.append(desk.put("bad.view.json", change_entry(one.host, one.view(0), 2, state="00" * 32)))
    alone, many = (desk.run("verify", *names, "--json", "--jobs", jobs) for jobs in ("1", "2"))
    assert many.exit == alone.exit == 6
    assert many.out == alone.out
    assert len(alone.out.splitlines()) == len(names) + 1
    given = run_here("verify", "-", names[0], "--jobs", "2", cwd=tmp_path, stdin=one.view(1))
    assert given.out.decode().splitlines()[-1] == "2 good, 0 bad", "standard input is no worker's to read"


def test_a_whole_game_is_proof_and_more_than_that_is_not(tmp_path: Path) -> None:
    one = Sitting(seed="whole").to_end()
    desk = Desk(tmp_path, one)
    desk.put("a.transcript.json", reveal(one.match))
    desk.view("a.view.json")
    for names, next in (
        (["a.transcript.json"], "nothing; this is proof."),
        (["a.transcript.json", "a.view.json"], "nothing; this is proof."),
        (["a.view.json"], "ask for the transcript; views cannot prove everything."),
    ):
        ran = desk.run("verify", *names)
        assert (ran.exit, ran.said) == (0, f"Next: {next}\n")
    other = Sitting(seed="another").until(1)
    desk.put("b.view.json", other.view(0))
    assert "ask for the transcript" in desk.run("verify", "a.transcript.json", "b.view.json").said


def test_disputes_from_standard_input_and_about_nothing(auction: Desk) -> None:
    def disputed(data: bytes, *words: str) -> Any:
        return run_here("dispute", "-", *words, cwd=auction.root, home=auction.home, stdin=data)

    ran = disputed(auction.sitting.view(0))
    assert ran.exit == 0, ran.said
    assert ran.said == "Next: nothing; these files show no offence.\n"
    key = disputed(keyfile.dump(Key(chance("somebody"))), "--json")
    assert key.exit == 7
    assert json.loads(key.out.splitlines()[0])["aside"] == ["standard input is a secret key: it cannot be compared"]


def test_the_same_proof_is_written_once_and_another_beside_it(auction: Desk) -> None:
    one = auction.sitting
    for number, amount in enumerate((1, 2)):
        auction.put(f"{number}.receipt.json", encode(one.fork().give(one.signed(0, move=Bid(amount))).receipt))
    auction.view("a.view.json")
    first = json.loads(auction.run("dispute", ".", "-o", "out", "--json").out.splitlines()[0])["proofs"]
    (name,) = first
    path = auction.root / name
    kept = path.read_bytes()
    assert path.stat().st_mode & 0o77 == 0
    again = json.loads(auction.run("dispute", ".", "-o", "out", "--json").out.splitlines()[0])["proofs"]
    assert again == first
    path.write_bytes(b"something else")
    (second,) = json.loads(auction.run("dispute", "0.receipt.json", "1.receipt.json", "a.view.json", "-o", "out",
                                       "--json").out.splitlines()[0])["proofs"]  # fmt: skip
    assert second == name.replace(".proof.json", "-2.proof.json")
    assert (auction.root / second).read_bytes() == kept
    assert path.read_bytes() == b"something else"
