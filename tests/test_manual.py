"""Every command that README and manual name exists with its options, and every complete one is run as it stands, on a
desk that has the files it names. The sessions, whose commands build on one another, are run by `test_readme`."""

import fnmatch
import os
import pty
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.core import TyperGroup

from referee.cli.app import COMMANDS, command
from referee.language import LANGUAGES
from tests.cli.desk import ELSE, FIRST, NOW, ROLES, STANDS_FOR, WHERE, Desk
from tests.cli.world import Ran, changes, copied, run_here, tree
from tests.make_examples import SEATS
from tests.support import waiting

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("examples/README*.md")), *sorted(ROOT.glob("referee/manual/*/*.md"))]
NAMES = ("referee page",)
"""Commands without arguments that stand for themselves only, though `click` finds nothing missing."""
EXCUSED = {
    "python3 -m venv .venv": "makes an environment",
    ". .venv/bin/activate": "changes the shell that runs it",
    "pip install .": "needs the network",
    "pip install '.[mail,pictures]'": "needs the network",
    "pip install -e my-game": "needs the network; tests/contract/test_package.py installs games",
    "referee --install-completion": "changes the settings of the user's shell",
    "$EDITOR office/mail.toml": "opens an editor",
    "(umask 077; cat > office/password)": "waits for a password to be pasted",
    "referee demo my-game": "needs the new game: tests/library/test_starting.py runs it",
    "referee games my-game --leaks": "needs the new game: tests/library/test_starting.py runs it",
    "pytest --pyargs referee.testing --game my-game --quick": "takes seconds: tests/library/test_starting.py",
    "pytest --pyargs referee.testing --game my-game": "takes minutes: tests/contract/test_games.py",
    "referee bot schwarzer-freitag --check -- node examples/bots/freitag.js":
        "needs node and the sandbox: tests/bots/test_examples.py",
    "referee bot mark --seats 3 --against sensible -- python3 examples/bots/mark.py":
        "needs the sandbox: tests/bots/test_examples.py",
    "referee bot GAME --check -- COMMAND": "takes seconds: tests/bots/test_check.py",
    **{
        f"referee demo {game} --seats {seats} --seed example": "takes a second: tests/test_examples.py makes the same"
        for game, seats in SEATS.items()
    },
    "referee games GAME --leaks": "takes seconds: tests/contract/test_package.py",
    "referee conform VECTORS -- COMMAND": "needs an implementation: tests/independent/test_conform.py",
    "referee mail table office TABLE --drop NAME": "needs a mail that no server takes: tests/mail/test_delivery.py",
    "referee join as Bert": "not a command: what a player replies to an invitation",
    **{
        f"referee {words}": "serves a window until it is closed: tests/app/test_ends.py"
        for words in ("open", "open ~/mails", "open turn.eml", "open office", "practice mark --browser")
    },
    "referee rules MK-7": "not a command: what is typed in practice: tests/locale/test_typed.py",
}  # fmt: skip
"""What is not run here, and why. A test that is named covers it."""
TRANSLATED = {
    "COMMAND": ("BEFEHL", "OPDRACHT"),
    "FILE": ("DATEI", "BESTAND"),
    "FOLDER": ("ORDNER", "MAP"),
    "GAME": ("SPIEL", "SPEL"),
    "KEY": ("SCHLÜSSEL", "SLEUTEL"),
    "MOVE": ("ZUG", "ZET"),
    "NAME": ("NAAM",),
    "RULING": ("SCHIEDSSPRUCH", "UITSPRAAK"),
    "TABLE": ("TISCH", "TAFEL"),
    "TIME": ("ZEIT", "TIJD"),
    "VIEW": ("ANSICHT", "OVERZICHT"),
}
"""What stands for a value on the German and Dutch pages."""


class Found(NamedTuple):
    """A command as a page has it, with English words for its values."""

    line: str
    block: bool
    """Whether it is a line of a block, and not in running text."""
    language: str

    @property
    def words(self) -> list[str]:
        """What follows `referee`."""
        inner = re.sub(r"^\(cd \w+ +&& (.*)\)$", r"\1", self.line)
        return shlex.split(inner)[1:] if inner.startswith("referee ") else []


def plain(text: str) -> str:
    for english, others in TRANSLATED.items():
        text = re.sub(rf"(?<![\w-])(?:{'|'.join(others)})(?![\w-])", english, text)
    return " ".join(text.split())


def commands_of(page: Path) -> Iterator[Found]:
    language = page.parent.name if page.parent.name in LANGUAGES else (page.stem.partition(".")[2] or "en")
    text = re.sub(r"<!-- [\w-]+ -->\n```\w+\n.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            if bare := re.sub(r"(^|\s+)#.*", "", line).strip():
                yield Found(plain(bare), True, language)
    for span in re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        line = plain(span)
        if line.startswith("referee ") or line.split()[0] in COMMANDS:
            line = f"referee {line.removeprefix('referee ')}"
            short = re.sub(r" \[\w+\]", "", line)
            yield from (Found(one, False, language) for one in dict.fromkeys((short, re.sub(r"[\[\]]", "", line))))


@cache
def top() -> TyperGroup:
    made = command()
    assert isinstance(made, TyperGroup)
    return made


@cache
def every() -> dict[str, Found]:
    """Each command of all pages once, by its words."""
    found: dict[str, Found] = {}
    for page in PAGES:
        for one in commands_of(page):
            if one.line not in found or one.block > found[one.line].block:
                found[one.line] = one
    return found


def leaf(words: list[str]) -> tuple[Any, list[str]]:
    """The command that these words start with, and the words behind its name."""
    if words[:1] == ["--language"]:
        words = words[2:]
    if words[0].startswith("-"):
        return top(), words
    found, rest = top().commands[STANDS_FOR.get(words[0], words[0])], words[1:]
    if isinstance(found, TyperGroup) and rest and not rest[0].startswith("-"):
        return found.commands[rest[0]], rest[1:]
    return found, rest


def options(of: Any) -> set[str]:
    return {name for param in of.params for name in (*param.opts, *param.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_options_in_running_text_exist(page: Path) -> None:
    """Of some command: the text says of which."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    named = {option for span in re.findall(r"`([^`]+)`", text) for option in re.findall(r"(?<!\S)--[a-z-]+", span)}
    inner = [one for each in top().commands.values() for one in (each, *getattr(each, "commands", {}).values())]
    assert named <= set().union(*map(options, (top(), *inner)))


def complete(one: Found) -> bool:
    """Whether nothing is missing that the command needs. Any other fault is an error in the page."""
    found, rest = leaf(filled(one))
    if one.line in NAMES:
        return False
    if isinstance(found, TyperGroup) and not found.invoke_without_command:
        return False
    if "--help" in rest:
        return True
    try:
        found.make_context(found.name, rest)
    except Exception as error:
        fault = type(error).__name__
        if one.block or fault not in ("NoArgsIsHelpError", "MissingParameter", "BadOptionUsage"):
            raise AssertionError(one.line) from error
        return False
    return True


def test_nothing_is_excused_that_is_not_there() -> None:
    assert EXCUSED.keys() <= every().keys()
    for why in EXCUSED.values():
        for path in re.findall(r"tests/\S+\.py", why):
            assert (ROOT / path).is_file()


# --- every complete command, run --------------------------------------------------------------------------------------

WRITES = {
    r"^key new": "homes/nobody/key.json",
    r"^join .*(offer|OFFER)": "*-carla.join.json",
    r"^join VIEW": "*-anna.succession.json",
    r"^join invitation": "*-carla.reply.eml",
    r"^practice": "homes/player/practice/mark.json",
    r"^play (VIEW|be4f)|^play( --resign)?$": "*-r???-*.move.json",
    r"^play turn.eml$": "*-r002-anna.reply.eml",
    r"--tell": "*-anna.word.reply.eml",
    r"--return": "*-bert.return.json",
    r"^offer (?!.*--office)": "*.offer.json",
    r"^offer .*--office": "office/outbox/*-i3-invitation.eml",
    r"^start": "*-r000-bert.view.json",
    r"^start|^recover": "game.json",
    r"^apply .*([.]move|MOVE)|^apply$": "*-bert-*.receipt.json",
    r"^apply .*([.]move|MOVE|timeout)|^apply$": "*-r005-anna.view.json",
    r"^apply .*--extend": "*-bert-*.extension.json",
    r"^reveal": "*transcript.json",
    r"^show .*--svg": "board.svg",
    r"^show .*--png": "board.png",
    r"^show .*--view": "*-bert.view.json",
    r"^show .*--public": "*.public.view.json",
    r"^page --player$": "player.html",
    r"^page FILE|^page examples": "*.html",
    r"^dispute .*--sent": "*-r005-bert.claim.json",
    r"^dispute .*--verdict": "*.ruling.json",
    r"^demo": "referee-demo/transcript.json",
    r"--save-edition": "my-edition.json",
    r"^host office": "office/mail.toml",
    r"^host DIR": "new-office/host.key",
    r"^mail run .*--only in": "office/in/*.eml",
    r"^mail run DIR -": "office/archive/*.eml",
    r"^mail table .*--drop": "office/outbox/*-i3-invitation.eml",
    r"^mail table .*--extend": "office/outbox/*-anna-extension-*.eml",
    r"^mail table .*--resign": "office/outbox/*-bert-leaving.eml",
    r"^mail table .*--abandon": "office/tables/*/transcript.json",
    r"^mail table .*--ruling": "office/outbox/*-carla-ruling-*.eml",
    r"^tournament run": "*cup/report.html",
    r"^tournament enter (?!.*--disclose)": "Bert.entrant.json",
    r"^tournament enter .*--disclose": "carlas.disclosure.json",
    r"^tournament extract .*--pages": "cup/pages/000001.html",
    r"^tournament next": "cup/ledger.jsonl",
    r"^new-game": "my-game/my_game/RULES.md",
}
"""Pattern of a command -> a file that it writes."""
PRINTS = {
    r"--help": "Usage: referee games",
    r"--language de|^games$": "Schwarzer Freitag, 2 (to|bis) 5",
    r"--language nl": "Schwarzer Freitag, 2 tot 5",
    r"^manual$": "deadlines .*\n",
    r"^manual (mail|TOPIC)": "# Playing by mail",
    r"^games GAME$": "special_cards=true",
    r"^games --edition": ".My box.: .* Schwarzmarkt(.|\n)*SM-2: (.|\n)*SM-3: ",
    r"^rules GAME$": r"\*\*SF-1\*\*(.|\n)*\*\*SF-20\*\*",
    r"^rules GAME --sources": r"\*\*SF-1\*\*[^*]* \[S(: [^]]+)?\](.|\n)* \[R\]",
    r"^rules GAME (SF|CLAUSE)": r"^\*\*SF-16\*\*[^*]*$",
    r"^key$": r"^[0-9a-f]{64}\n$",
    r"^show (FILE|VIEW|examples/\S+)$": "(round|Runde|ronde) [0-9]+ (.|\n)*Bert",
    r"^show .*--moves": "#3 ",
    r"^show .*--story": "(Round|Runde|Ronde) 2\n",
    r"^show GAME.json$": "waiting for .*Bert",
    r"^play .*yellow": "sell yellow, drop yellow, mark yellow",
    r"^play .*gelb": "verkaufe gelb, senke gelb, markiere gelb",
    r"^play .*geel": "verkoop geel, verlaag geel, markeer geel",
    r"^play .*roll always": "from now on: roll always",
    r"^play .*würfle immer": "würfle immer",
    r"^play .*gooi altijd": "gooi altijd",
    r"^audit": "Bert.*(all checks passed|bestanden|geslaagd)",
    r"^inbox ~/mails": "Toy Auction(.|\n)*mails/turn.eml",
    r"^inbox (FOLDER|DIR)": "Schwarzer Freitag(.|\n)*views/bert.view.json",
    r"^page --hash$": r"[0-9a-f]{64}  player.html\n",
    r"^page .*--rules": r"pbem-referee-page",  # tests run without it
    r"^verify (host|examples)": "(won by|gewonnen von|gewonnen door) ",
    r"^verify FILE": "1 good, 0 bad",
    r"^verify .*ruling": "Bert was in time",
    r"^verify x.proof": "two-entries",
    r"^dispute .*(mails/|FILE...$)": "schwarzer-freitag(.|\n)*\\[ok\\]",
    r"^host$": "the office of Hanna",
    r"^mail status office --test": "ok: (.|\n)*ok: ",
    r"^mail status (office|DIR)$": "auction(.|\n)*auction",
    r"^mail run (office|DIR)( --retry)?$": "0 in outbox/",
    r"^tournament check": "2 games checked, 2 .*, 0 .*, 0 ",
    r"^tournament next .*--ruling": "binding",
    r"^bot": "over after [0-9]+ rounds",
    r"^conform --schemas": "see schemas for [0-9]+ schemas",
}
"""Pattern of a command -> what it prints."""
TYPED = {
    "key new": "Anna\n",
    "practice mark": "n\nquit\n",
    "practice": "mark\nn\nquit\n",
    "host": "n\nn\n",
    "host office": "\n\n\n\n",
    "host DIR": "\n\n\n\n",
}
"""Command -> what somebody types at its first question."""
ENDS = "\4" * 20
"""The end of what is typed: each one ends a single look at the terminal."""
EXITS = {r"^verify x.proof": 6, r"^page .*--rules": 2}
"""Pattern of a command -> how it ends, if not with 0."""


def matching(table: dict[str, Any], text: str) -> Iterator[Any]:
    return (value for pattern, value in table.items() if re.search(pattern, text))


def filled(one: Found) -> list[str]:
    """The words of a command, with values. What only a desk can say stands in capitals."""
    values = {**STANDS_FOR}
    for more in matching(ELSE, " ".join(one.words)):
        values |= more
    return [values.get(word.removesuffix("...") or word, word) for word in one.words]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("manual") / "desk")


def run(one: Found, desk: Desk, root: Path) -> Ran:
    """Run it there as its reader would; questions are asked at a terminal and answered."""
    line = " ".join(one.words)
    known = {"TABLE": desk.played[:8], "INVITED": desk.invited[:8], "EMIL": desk.emil}
    words = [known.get(word, word) for word in filled(one)]
    folder = root / ("host" if one.line.startswith("(cd host") else next(matching(WHERE, line), "."))
    words = [name for word in words for name in expanded(word, folder, root)]
    if any("--now" in param.opts for param in leaf(words)[0].params):
        words += ["--now", next(matching(NOW, line), "2026-11-20T09:00Z")]
    home = root / "homes" / next(matching(ROLES, line), "player")
    move = "bid 1" if ".eml" in line else "pass red"
    typed = f"{move}\n" if words[0] == "play" and "--move" not in words else TYPED.get(line, "")
    ours, theirs = pty.openpty()
    try:
        os.write(ours, f"{typed}y\ny\n{ENDS}".encode())  # whoever asks more finds the end of what was typed
        with open(theirs, encoding="utf-8", closefd=False) as terminal, waiting.within():
            data = (root / "reply.eml").read_bytes() if "-" in words else terminal
            return run_here(*words, cwd=folder, home=home, stdin=data, env={"REFEREE_LANGUAGE": one.language})
    finally:
        os.close(ours)
        os.close(theirs)


def expanded(word: str, folder: Path, home: Path) -> list[str]:
    """What a shell makes of a word."""
    if word.startswith("~"):
        return [f"{home}{word[1:]}"]
    return sorted(path.name for path in folder.glob(word)) if "*" in word else [word]


@pytest.mark.parametrize("one", [one for one in every().values() if one.words], ids=lambda one: one.line)
def test_a_command_exists_and_does_what_the_page_says(one: Found, desk: Desk, tmp_path: Path) -> None:
    """A command that is only named, without what it needs, is not run."""
    found, rest = leaf(one.words)
    before_bot = rest[: rest.index("--")] if "--" in rest else rest
    assert {word for word in before_bot if re.match(r"--?[a-z]", word)} <= options(found)
    if one.line in EXCUSED or not complete(one):
        return
    line = " ".join(one.words)
    with copied(desk.root, tmp_path / "desk") as root:
        for name in matching(FIRST, line):
            shutil.rmtree(root / name) if (root / name).is_dir() else (root / name).unlink()
        before = tree(root)
        ran = run(one, desk, root)
        assert ran.exit == next(matching(EXITS, line), 0), ran.said
        changed = changes(before, tree(root))
    said = ran.out.decode() + ran.said
    written, printed = list(matching(WRITES, line)), list(matching(PRINTS, line))
    assert [name for name in written if not fnmatch.filter(changed, name)] == [], changed
    assert [words for words in printed if not re.search(words, said)] == [], said
    assert written or printed


@pytest.mark.parametrize("table", [ELSE, ROLES, FIRST, NOW, WRITES, PRINTS, EXITS])
def test_no_row_of_a_table_is_left_over(table: dict[str, Any]) -> None:
    lines = [" ".join(one.words) for one in every().values() if one.words and one.line not in EXCUSED and complete(one)]
    assert [pattern for pattern in table if not any(re.search(pattern, line) for line in lines)] == []


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_verifier_in_javascript_is_run_as_the_page_says(desk: Desk) -> None:
    (line,) = (line for line in every() if line.startswith("node "))
    _, script, *files = line.split()
    ran = subprocess.run(["node", ROOT / script, *files], cwd=desk.root, capture_output=True, text=True, check=True,
                         timeout=waiting.LIMIT)  # fmt: skip
    assert ran.stdout.startswith("ok")


def test_all_else_is_excused() -> None:
    assert {line for line, one in every().items() if not one.words} - EXCUSED.keys() == {
        "node referee/page/verifier.mjs transcript.json"
    }
