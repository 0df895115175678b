"""What the command line says by itself is German for Germans and Dutch for the Dutch: help, complaints, next steps."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.app import ROLES, command
from referee.cli.help import OPTIONS
from referee.io import keyfile
from referee.language import speaking
from referee.library import values
from tests.cli.terminal import Terminal
from tests.cli.world import run_here
from tests.support.match import Sitting

from . import make
from .left_over import english_in

LANGUAGES = ("de", "nl")


def helps(one: Any, name: str = "referee", parent: Any = None) -> Iterator[tuple[str, str]]:
    """What `--help` of every command prints, without the names of further commands."""
    context = one.context_class(one, info_name=name, parent=parent, **one.context_settings)
    text = one.get_help(context).replace(context.command_path, "referee")
    text = re.sub(r"^  referee .*\n?", "", text, flags=re.MULTILINE)  # examples
    yield context.command_path, re.sub(r"^  [a-z]+  +", "", text, flags=re.MULTILINE)
    for inner, other in getattr(one, "commands", {}).items():
        yield from helps(other, inner, context)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_has_no_english_in_it(language: str) -> None:
    english = dict(helps(command()))
    with speaking(language):
        spoken = dict(helps(command()))
    assert spoken.keys() == english.keys()
    assert len(spoken) > 30
    assert {path: left for path, text in spoken.items() if (left := english_in(text, language))} == {}
    for path, text in spoken.items():
        assert max(map(len, text.splitlines())) <= 80, path
        groups = any(other.startswith(f"{path} ") for other in spoken)
        assert not groups or "..." not in text.split("\n\n")[-1], f"{path}: a line of its commands is cut"
        same = set(map(str.strip, text.splitlines())) & set(map(str.strip, english[path].splitlines()))
        assert not {line for line in same if ("  " in line or line.endswith(":")) and "`" not in line}, path
    assert sum(bool(english_in(text, language)) for text in english.values()) == len(english), "nothing is looked for"


def bare(text: str) -> str:
    """Wrapped or not, it is the same."""
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_says_all_that_is_translated_for_it(language: str, tmp_path: Path) -> None:
    """Of every command, argument and option: the catalogue has words for it, and they are shown."""
    (own,) = (package for package in make.packages() if package.name == "cli")
    words = {message.id: str(message.string) for message in make.catalogue(own, language) if not message.context}
    said: dict[str, list[str]] = {}

    def note(one: Any, path: str) -> None:
        helps = (getattr(param, "help", None) for param in one.params if not getattr(param, "hidden", False))
        said[path] = [one.help, *(text for text in helps if text), "Show this message and exit."]
        if not path.count(" "):  # its own list of options
            said[path] = [one.help, *OPTIONS.values(), *ROLES]
            said[path] += [text for commands in ROLES.values() for _, text in commands.values()]
        for name, other in getattr(one, "commands", {}).items():
            note(other, f"{path} {name}")

    note(command(), "referee")
    with speaking(language):
        shown = {path: bare(text) for path, text in helps(command())}
    assert shown.keys() == said.keys()
    assert {text for texts in said.values() for text in texts if not words[text]} == set()
    assert [(path, text) for path in said for text in said[path] if bare(words[text]) not in shown[path]] == []
    assert sum(map(len, said.values())) > 200
    for one in ("apply", "mail run"):
        ran = run_here(*one.split(), "--help", cwd=tmp_path, env={"REFEREE_LANGUAGE": language})
        assert all(bare(words[text]) in bare(ran.out.decode()) for text in said[f"referee {one}"])


ALIKE = {"BOT", "BOTS", "HEX", "IMAP", "JSON", "UTF", "SVG", "PNG", "REFEREE_HOME", "REFEREE_LANGUAGE"}
"""Written in capitals in help, and the same in every language."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_for_a_value_is_a_word_of_the_readers_language(language: str) -> None:
    """In help, and in whatever sentence shows a command."""
    forms = re.compile(rf"(?<![\w-])(?:{'|'.join(values.WORDS)})(?![\w-])")
    plain = "\n".join(text for _, text in helps(command()))
    assert set(re.findall(r"(?<![\w-])[A-Z_]{3,}(?![\w-])", plain)) - ALIKE <= {*values.WORDS, "OPTIONS", "ARGS"}
    with speaking(language):
        ours = {values.placeholder(word) for word in values.WORDS}
        shown = [text for _, text in helps(command())]
    for package in make.packages():
        texts = (message for message in make.catalogue(package, language) if isinstance(message.id, str))
        shown += [message.string for message in texts if forms.search(message.id) and "GAME is no" not in message.id]
    assert len(shown) > 100
    assert {word for text in shown for word in forms.findall(text)} <= ours


COMPLAINTS = [
    ["nothing"], ["ofer"], ["apply"], ["demo", "--seats", "x"], ["demo", "--set", "3"], ["demo", "--xyz"],
    ["host", "a", "b"], ["offer", "mark", "--seats"], ["offer", "mark"], ["--version=3"],
    ["bot", "--check", "--memory", "3", "mark", "--", "x"], ["bot", "--check", "--time", "x", "mark", "--", "x"],
    ["bot", "--on-fault", "z", "mark", "--", "x"], ["show", "x", "--width", "200"], ["page"],
    ["offer", "mark", "--seats", "3", "--option", "a=b"], ["offer", "mark", "--seats", "3", "--option", "a"],
    ["tournament", "extract", "here"], ["key"], ["verify", "-", "-"],
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", COMPLAINTS, ids=" ".join)
def test_complaints_are_made_in_the_readers_language(tmp_path: Path, words: list[str], language: str) -> None:
    """The same status as in English, and not one English word, be it ours or the library's."""
    plain = run_here(*words, cwd=tmp_path)
    told = run_here(*words, cwd=tmp_path, env={"REFEREE_LANGUAGE": language})
    assert told.exit == plain.exit > 0
    assert english_in(plain.said, language)
    assert english_in(told.said, language) == [], told.said


BROKEN = {
    "cut.json": b"{",
    "empty.json": b"",
    "other.json": b"{}",
    "list.json": b"[]",
    "x.toml": b"games = [",
    "y.toml": b"game = 3\n",
}
READERS = [
    ["show"], ["show", "--key", "cut.json"], ["verify"], ["audit"], ["show", "--story"],
    ["show", "--svg", "x.svg"], ["key", "--key"],
    ["join", "--yes"], ["offer", "mark", "--seats", "2", "--edition"], ["recover"], ["tournament", "run"],
    ["dispute"], ["tournament", "check"], ["mail", "run"], ["conform", "-o", "x"],
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_broken_files(tmp_path: Path, language: str) -> None:
    """Whichever command reads them, or finds none: a message and a next step without one English word."""
    for name, data in BROKEN.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder").mkdir()
    told = 0
    for words in READERS:
        for name in (*BROKEN, "folder", "none.json"):
            ran = run_here(*words, name, cwd=tmp_path, env={"REFEREE_LANGUAGE": language})
            said = ran.said + ran.out.decode()
            assert english_in(said, language) == [], (words, name, said)
            told += ran.exit > 0
    assert told > 100


SESSION = [
    ["key", "new", "--name", "Xaver", "-o", "new.json"], ["key", "new", "--name", "Xaver", "-o", "new.json"], ["games"],
    ["play", "view.json", "--key", "new.json", "--move", "pass yellow"],
    ["show", "--moves", "view.json", "--key", "new.json"],
    ["play", "view.json", "--key", "mine.json", "--move", "pass yellow", "--dry-run"],
    ["play", "view.json", "--key", "mine.json", "--move", "pass yellow", "-o", "a.move.json"],
    ["play", "view.json", "--key", "mine.json", "--move", "pass blue", "-o", "b.move.json"],
    ["verify", "view.json", "a.move.json"], ["dispute", "view.json", "a.move.json"],
    ["page", "view.json", "-o", "x.html"],
    ["host", "office"], ["mail", "run", "office"], ["host", "office"], ["inbox", "office"],
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_commands_say_around_a_game(tmp_path: Path, language: str) -> None:
    """The same statuses as in English. The words of the game and of its board are tested elsewhere."""
    sitting = Sitting("schwarzer-freitag", 3, "language").until(1)
    seat = sitting.asked[0]
    for reader in ("en", language):
        (tmp_path / reader).mkdir()
        (tmp_path / reader / "view.json").write_bytes(sitting.view(seat))
        (tmp_path / reader / "mine.json").write_bytes(keyfile.dump(sitting.players[seat]))
    for words in SESSION:
        plain = run_here(*words, cwd=tmp_path / "en")
        told = run_here(*words, cwd=tmp_path / language, env={"REFEREE_LANGUAGE": language})
        assert told.exit == plain.exit, (words, told.said)
        assert told.said != plain.said
        assert english_in(told.said, language) == [], (words, told.said)


@pytest.mark.parametrize("game_id", ["mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"])
def test_a_game_is_explained_in_the_readers_language(tmp_path: Path, game_id: str) -> None:
    """As many options, values and lines as in English, none of them in English."""
    plain = run_here("games", game_id, cwd=tmp_path).out.decode()
    assert plain.count("(default)") > 0
    for language in LANGUAGES:
        told = run_here("games", game_id, cwd=tmp_path, env={"REFEREE_LANGUAGE": language}).out.decode()
        assert told.count("--option") == plain.count("--option")
        meant = [len(re.findall(r"\n {6}\S", text)) for text in (plain, told)]
        assert meant[0] == meant[1] > 0, "what a value means"
        assert told.count("|---") == plain.count("|---") > 0, "how long it takes"
        assert english_in(told, language) == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("language", "typed", "status"), [("de", "ja", 0), ("nl", "J", 0), ("de", "y", 0), ("nl", "nee", 130)]
)
def test_yes_and_no_in_any_language(tmp_path: Path, language: str, typed: str, status: int) -> None:
    run_here("key", "new", "--name", "Host", "-o", "host.json", cwd=tmp_path)
    run_here("key", "new", "--name", "Zoe", "-o", "zoe.json", cwd=tmp_path)
    run_here("offer", "mark", "--seats", "2", "--key", "host.json", "-o", "an.offer.json", cwd=tmp_path)
    words = ["--language", language, "join", "an.offer.json", "--key", "zoe.json", "-o", "zoe.join.json"]
    person = Terminal(words, tmp_path, tmp_path / "home")
    assert person.question().endswith("[J/n] ")
    person.answer("perhaps")
    assert {"de": "Tippe ja oder nein.", "nl": "Typ ja of nee."}[language] in person.question()
    person.answer(typed)
    assert person.end()[0] == status
    assert (tmp_path / "zoe.join.json").exists() is (status == 0)


@pytest.mark.thorough
def test_workers_speak_the_language_of_whoever_asked(tmp_path: Path) -> None:
    sitting = Sitting("schwarzer-freitag", 3, "language").until(1)
    for seat in range(3):
        (tmp_path / f"{seat}.view.json").write_bytes(sitting.view(seat))
    alone, many = (
        run_here("verify", ".", "--jobs", jobs, cwd=tmp_path, env={"REFEREE_LANGUAGE": "nl"}) for jobs in "13"
    )
    assert alone == many
    assert alone.out.decode().count("gecontroleerd") == 3


@pytest.mark.parametrize(
    ("language", "words", "wanted"),
    [
        ("en", ("key", "new", "-o", "k"), set()),
        ("en", ("key", "--help"), set()),
        ("de", ("key", "new", "-o", "k"), {"importlib.resources"}),
        ("de", ("key", "--help"), {"importlib.resources", "referee.cli.library"}),
    ],
)
def test_nothing_is_loaded_for_other_languages_unless_it_is_needed(
    tmp_path: Path, language: str, words: tuple[str, ...], wanted: set[str]
) -> None:
    """Neither catalogues, nor what speaks for the library where nobody asks for help."""
    code = f"import sys; sys.argv = ['referee', *{words}]\ntry: __import__('referee.cli').cli.main()\n"
    code += "except SystemExit: print(*sys.modules)"
    env = {"REFEREE_LANGUAGE": language, "REFEREE_HOME": str(tmp_path), "PATH": ""}
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "referee.cli.lobby" in loaded
    assert {"referee.cli.library", "importlib.resources"} & loaded == wanted
