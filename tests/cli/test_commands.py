"""The commands as a whole: few enough, all on one screen, each explained with an example that works, and completed."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.app import COMMANDS, GROUPS, command
from referee.language import LANGUAGES, speaking
from tests.cli.world import run

MOST = 32
LINES, COLUMNS = 24, 80


def walk(one: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and group, with the words that run it."""
    yield words, one
    for name, other in getattr(one, "commands", {}).items():
        yield from walk(other, (*words, name))


def help_of(one: Any, words: tuple[str, ...]) -> str:
    """What `--help` prints, on a terminal of the usual width."""
    return str(one.get_help(one.context_class(one, info_name=" ".join(("referee", *words)))))


def test_there_are_few_commands() -> None:
    leaves = [words for words, one in walk(command()) if not hasattr(one, "commands")]
    assert len(leaves) <= MOST
    assert {words[0] for words in leaves} == set(COMMANDS)
    assert {words[0] for words in leaves if len(words) > 1} == set(GROUPS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_shows_every_command_on_one_screen(language: str) -> None:
    with speaking(language):
        lines = help_of(command(), ()).splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS
    for name in COMMANDS:
        assert any(re.search(rf"(?:^|  ){name}  +\w", line) for line in lines), name


def test_every_command_has_an_example_that_is_understood(tmp_path: Path) -> None:
    """The library takes every line of it as a command of this name; nothing is run."""
    for words, one in walk(command()):
        if not words:
            continue
        examples = one.epilog.splitlines()
        shown = help_of(one, words)
        assert examples, words
        for line in examples:
            assert f"  {line}" in shown
            assert len(line) <= COLUMNS - 2, line
            program, *typed = shlex.split(line)
            assert program == "referee"
            found, rest = command(), typed
            while hasattr(found, "commands") and rest and rest[0] in found.commands:
                found, rest = found.commands[rest[0]], rest[1:]
            called = tuple(typed[: len(typed) - len(rest)])
            assert called[: len(words)] == words or words == ("mail",), line
            with found.make_context(" ".join(called), [*rest]) as context:
                assert context.params


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("", sorted(COMMANDS)),
        ("mail ", ["run", "status", "table"]),
        ("tournament e", ["enter", "extract"]),
        ("mail run office --only ", ["in", "out"]),
        ("show --st", ["--story"]),
        ("key n", ["new"]),
    ],
)
def test_a_shell_completes_commands_and_options(tmp_path: Path, line: str, offered: list[str]) -> None:
    words = f"referee {line}"
    env = {"_REFEREE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    ran = run(cwd=tmp_path, env=env)
    assert (ran.exit, sorted(ran.out.decode().split())) == (0, offered)
