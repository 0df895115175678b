"""README and manual are true: their sessions run as they stand, and the games they start can be played on, ended and
verified; their links lead somewhere."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from referee.cli.app import build
from referee.games import lexicon
from referee.library.manual import TOPICS
from referee.mail.words import JoinAs, Zone, about_player, invitation_answer, without_ok
from tests.cli.terminal import Terminal
from tests.cli.world import World
from tests.support import waiting

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
MANUAL = ROOT / "referee" / "manual"


def manual(topic: str, language: str = "en") -> str:
    return (MANUAL / language / f"{topic}.md").read_text("utf-8")


def block(mark: str, text: str) -> str:
    found = re.search(rf"<!-- {mark} -->\n```sh\n(.*?)```", text, re.DOTALL)
    assert found, mark
    return found[1]


class Shell:
    """Runs `referee` commands as a user would, in one folder, with the tickets kept there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.env = dict(os.environ, PATH=path, REFEREE_HOME=str(folder / "home"))

    def run(self, *command: str, cwd: str = ".", check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder / cwd,
            env=self.env,
            check=check,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )


def paste(shell: Shell, lines: str) -> None:
    """Run these lines at a terminal at which nobody answers: a question would wait forever, or eat the next line."""
    ours, theirs = pty.openpty()
    try:
        subprocess.run(["bash", "-euo", "pipefail", "-c", lines], cwd=shell.folder, env=shell.env, check=True,
                       capture_output=True, stdin=theirs, timeout=waiting.LIMIT)  # fmt: skip
    finally:
        os.close(ours)
        os.close(theirs)


def begin_with_anna(tmp_path: Path, session: str, starts: Callable[[Shell], bool]) -> Shell:
    """The part of a session before Anna's first turn, again and again in fresh folders until the seed lets her start;
    then the rest of it."""
    head, mark, rest = session.partition("# Anna's ")
    reply = head[head.index("reply() {") : head.index("# the host opens")] if "reply() {" in head else ""
    for number in range(200):
        (folder := tmp_path / str(number)).mkdir()
        paste(shell := Shell(folder), head)
        if starts(shell):
            paste(shell, f"{reply}{mark}{rest}")
            return shell
    raise AssertionError("Anna never starts")


@pytest.mark.thorough
def test_the_session_of_the_manual_leads_to_a_whole_verified_game(tmp_path: Path) -> None:
    def starts(shell: Shell) -> bool:
        told = shell.run("referee", "show", "game.json", "--key", "key.json", "--json", cwd="host").stdout
        return [row["name"] for row in json.loads(told)["waiting_for"]] == ["Anna"]

    shell = begin_with_anna(tmp_path, block("session", manual("hosting")), starts)
    outbox = shell.folder / "host/outbox"

    status = json.loads(shell.run("referee", "show", "game.json", "--key", "key.json", "--json", cwd="host").stdout)
    assert [row["name"] for row in status["waiting_for"]] == ["Bert"]
    rounds = status["round"]
    while not status["end"]:
        name = status["waiting_for"][0]["name"].lower()
        view = f"../host/outbox/{max(outbox.glob(f'*-{name}.view.json')).name}"
        listed = json.loads(shell.run("referee", "show", "--moves", view, "--json", cwd=name).stdout)["choices"]
        chosen = ("--resign",) if rounds > 5 else ("--move-json", json.dumps(listed[rounds % len(listed)]["move"]))
        shell.run("referee", "play", view, "--key", "key.json", *chosen, cwd=name)
        move = f"../{name}/{max((shell.folder / name).glob('*.move.json')).name}"
        host = ("apply", "game.json", move, "--key", "key.json", "--out", "outbox", "--json")
        status = json.loads(shell.run("referee", *host, cwd="host").stdout)
        assert status["round"] == rounds + 1
        rounds += 1
    assert status["end"] == "left"
    shell.run("referee", "reveal", "game.json", "--key", "key.json", "-o", "transcript.json", cwd="host")
    found = shell.run("referee", "verify", "host/transcript.json", "host/outbox")
    assert f"{rounds} rounds" in shell.run("referee", "verify", "host/transcript.json").stdout
    moves = 3 + rounds - 1  # three acks, then one answer a round
    assert f"{1 + 3 * (rounds + 1) + moves} good, 0 bad" in found.stdout, "every view, and a receipt for every move"


@pytest.mark.thorough
def test_the_mail_session_of_the_manual_leads_to_a_whole_verified_game(tmp_path: Path) -> None:
    """As it stands, over files; then Anna, with her key, plays on, and Bert, in words, leaves."""
    session = block("mail-session", manual("mail"))
    shell = begin_with_anna(
        tmp_path, session, lambda one: any((one.folder / "host/office/outbox").glob("*-r002-anna-turn.eml"))
    )
    outbox = shell.folder / "host/office/outbox"
    found = json.loads(shell.run("referee", "inbox", str(outbox), "--key", "key.json", "--json", cwd="anna").stdout)
    assert [(row["you"], row["round"], row["state"]) for row in found["games"]][:1] == [("Anna", 3, "waits")]
    turn = str(next(outbox.glob("*-r004-anna-turn.eml")))
    shell.run("referee", "play", turn, "--key", "key.json", "--move", "pass red", "-o", "next.eml", cwd="anna")
    shell.run("referee", "mail", "run", "office", "../anna/next.eml", cwd="host")
    reply = session[session.index("reply() {") : session.index("# the host opens")]
    for words in ("resign", "resign for good"):
        paste(shell, f'{reply}\nreply {outbox}/*-r005-bert-turn.eml "{words}" > bert/leave.eml')
        shell.run("referee", "mail", "run", "office", "../bert/leave.eml", cwd="host")
    (over,) = outbox.glob("*-anna-over.eml")
    (transcript,) = (shell.folder / "host/office/tables").glob("*/transcript.json")
    checked = shell.run("referee", "verify", str(over), str(transcript)).stdout
    assert checked.count("5 rounds") == 2
    assert checked.count("won by Anna") == 2
    assert "2 good, 0 bad" in checked


@pytest.mark.thorough
def test_the_tournament_session_of_the_manual_is_checked_and_proved(tmp_path: Path) -> None:
    """As it stands; then somebody changes the standings."""
    shell = Shell(tmp_path)
    paste(shell, block("tournament-session", manual("tournaments")))
    line = (tmp_path / "anna/promise").read_text()
    check = ("referee", "tournament", "check", "org/cup", "--again", "1", "--commit")
    assert "6 games checked, 5 of them with signatures, 1 replayed, 0 differences" in shell.run(*check, line).stdout
    results = tmp_path / "org/cup/results.json"
    results.write_text(results.read_text().replace("annas", "hanna"))
    found = shell.run(*check, line, check=False)
    assert (found.returncode, "[bad-results]" in found.stdout) == (6, True)
    (outside,) = re.findall(r"```toml\n(name = .*?)```", manual("tournaments"), re.DOTALL)
    (tmp_path / "cup.toml").write_text(outside)
    (tmp_path / "mybot.py").write_text("def decide(terms, seen, below): ...")
    (tmp_path / "theirs.js").write_text("")
    (tmp_path / "weights.json").write_text("{}")
    shell.run("referee", "tournament", "next", "cup.toml", "-o", "cup")
    entered = [json.loads(line)["body"] for line in (tmp_path / "cup/ledger.jsonl").read_text().splitlines()]
    assert [one["name"] for one in entered] == ["Spring cup", "sensible", "mine", "theirs"]
    assert entered[3]["bot"]["files"] == ["theirs.js", "weights.json"]


@pytest.mark.thorough
def test_a_turn_looks_as_the_manual_shows_it(tmp_path: Path) -> None:
    """Questions, the echo of what will be signed and the hint are those of a real turn; what is dealt differs."""
    shown = re.search(r"<!-- turn -->\n```text\n(.*?)```", manual("playing"), re.DOTALL)
    assert shown
    world = World(tmp_path / "desk", rounds=3)
    person = Terminal(["play", world.mover_view], world.root, world.mover_home, columns=80)
    for typed in ("by red", "pass red", ""):
        person.question()
        person.type(f"{typed}\n")
    status, screen = person.end()
    assert status == 0, screen
    real = screen.replace(world.match.table.id[:8], "be4f2750").replace("pass red", "MOVE")
    told = shown[1].replace("sell yellow, drop yellow, mark yellow", "MOVE")
    talk = told[told.index("Your move (") :].splitlines()
    dealt = ("sell up to", "  colour;", "how many", talk[2])  # what depends on the deal, and the line that was chosen
    kept = [line for line in talk if not line.startswith(dealt)]
    at = 0
    for line in kept:
        assert line.rstrip() in real[at:], f"{line}\n\n{real}"
        at = real.index(line.rstrip(), at)
    assert len(kept) == 6


def commands(text: str) -> list[str]:
    """The lines of a session without comments and without what is typed in words."""
    lines = (re.sub(r'"[^"$]*"', '""', line) for line in text.splitlines() if not line.startswith("#"))
    return [re.sub(r" *#.*", "", line) for line in lines]


@pytest.mark.parametrize("language", ["de", "nl"])
def test_pages_in_other_languages_say_the_same(language: str) -> None:
    """The same commands, with the move in words of that language; words to the office that it reads; the same games."""
    session = block("session", manual("hosting", language))
    assert commands(session) == commands(block("session", manual("hosting")))
    (move,) = re.findall(r'--move "(.*)"', session)
    assert lexicon("schwarzer-freitag").english(move) == "subsidy 1, silver 1, mark red"
    by_mail = block("mail-session", manual("mail", language))
    assert commands(by_mail) == commands(block("mail-session", manual("mail")))
    join, agreed, first, zone = re.findall(r'(?:reply \S+|--tell) "(.*?)"', by_mail)
    assert (invitation_answer(join), without_ok(agreed), first) == (JoinAs("Bert"), "", "#1")
    assert isinstance(about_player(zone, date(2026, 12, 24)), Zone)
    page = manual("deadlines", language)
    said = [about_player(words, date(2026, 12, 24)) for words in re.findall(r"^\| `(.+?)` \|", page, re.MULTILINE)]
    assert [type(one).__name__ for one in said] == ["Away", "Back", "Zone", "Language", "Address", "Resign"]
    first = (ROOT / "examples" / f"README.{language}.md").read_text("utf-8")
    rows = [re.findall(r"^\| (.+ \(.+\)) \| (\d) \w+ (\d) \|", text, re.MULTILINE) for text in (first, README)]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 4


@pytest.mark.parametrize(
    "page", sorted(MANUAL.glob("[dn][el]/*.md")), ids=lambda page: f"{page.parent.name}/{page.stem}"
)
def test_translated_pages_have_the_parts_of_the_english_one(page: Path) -> None:
    own, english = (
        re.sub(r"```.*?```", "", text, flags=re.DOTALL) for text in (page.read_text("utf-8"), manual(page.stem))
    )
    heads = [re.findall(r"^#+ ", text, re.MULTILINE) for text in (own, english)]
    assert heads[0] == heads[1]
    used = [set(re.findall(r"--[a-z][a-z-]+|referee [a-z]+", text)) for text in (own, english)]
    assert used[0] <= used[1]


PAGES = [ROOT / "README.md", *ROOT.glob("examples/README*.md"), *MANUAL.glob("*/*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / target).exists(), target
    heads = {
        re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.*)", text, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= heads


def test_every_topic_has_a_page_and_every_page_is_a_topic() -> None:
    assert {page.stem for page in MANUAL.glob("en/*.md")} == set(TOPICS)
    assert {page.stem for page in MANUAL.glob("*/*.md")} == set(TOPICS)


def test_the_program_in_the_manual_is_the_example() -> None:
    shown = re.search(r"<!-- program -->\n```python\n(.*?)```", manual("library"), re.DOTALL)
    assert shown
    assert shown[1] == (ROOT / "examples" / "library" / "play.py").read_text()
    assert len(shown[1].splitlines()) <= 30


def test_every_command_is_in_the_manual() -> None:
    listed = manual("reference").partition("## Exit codes")[0]
    names = [command.name or command.callback.__name__ for command in build().registered_commands if command.callback]
    groups = [group for group in build().registered_groups if group.typer_instance]
    inner = [(group.name, command) for group in groups for command in group.typer_instance.registered_commands]
    names += [f"{group} {command.name or command.callback.__name__}" for group, command in inner]
    assert len(names) > 30
    for name in names:
        assert f"`{name}" in listed, name


def test_the_readme_is_short() -> None:
    assert len(README.split()) <= 900


def test_the_two_promised_commands_are_there() -> None:
    assert "pip install -q ." in block("demo-command", README)
    assert "referee demo" in block("demo-command", README)
    assert "pytest" in block("test-command", README)
