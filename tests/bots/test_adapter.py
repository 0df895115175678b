"""Third-party functions run in the sandbox, and play there as they do in this process."""

import sys
from pathlib import Path

import msgspec
import pytest

from referee.bots.players import Limits, LocalPlayer, Spent, find
from referee.bots.trial import trial
from tests.bots.examples import FOLDER, rules_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no bubblewrap elsewhere")
PATIENT = Limits(start=60, answer=60, bank=60)
BOT = """
import sys
from referee.bots.players import Reply
from {game} import GAME
from . import part
asked = 0
def decide(terms, seen, below):
    print("what it prints is not its answer")
    rule = GAME.standing
    words = rule.advise(terms, seen, "sensible") if rule else None
    return Reply(GAME.bots[part.NAME](terms, seen, below), words)
def failing(terms, seen, below):
    global asked
    asked += 1
    if asked == 3:
        raise ValueError("not today")
    return decide(terms, seen, below)
def illegal(terms, seen, below):
    return None if below(2) else decide(terms, seen, below)
"""


def played(game: str, bot: str, *, confined: bool) -> tuple[bytes, Spent]:
    """A whole game of this bot: its transcript, and what the bot used."""
    rules = msgspec.structs.replace(rules_of(game, bot, 3), limits=PATIENT)
    make = find(bot, rules.game, confined=confined)
    done = trial(rules, [make, lambda: LocalPlayer("random"), lambda: LocalPlayer("sensible")])
    return done.transcript(), done.spent[0]


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        ("schwarzmarkt", f"{FOLDER / 'schwarzmarkt.py'}:decide"),
        ("auction", "mine:decide"),
        ("auction", "mine:failing"),
        ("auction", "mine:illegal"),
        pytest.param("mark", "mine:decide", marks=pytest.mark.thorough),
        pytest.param("weg-zum-erfolg", "mine:decide", marks=pytest.mark.thorough),
    ],
)
def test_it_plays_the_same_game(game: str, bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/part.py").write_text("NAME = 'random'\n")
    (tmp_path / "mine/__init__.py").write_text(BOT.format(game=f"referee.games.{game.replace('-', '_')}"))
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    within, walled = played(game, bot, confined=True)
    for name in [name for name in sys.modules if name.partition(".")[0] == "mine"]:
        del sys.modules[name]
    here, free = played(game, bot, confined=False)
    assert within == here
    assert sys.path == path
    assert dict(walled.faults) == dict(free.faults)
    assert bool(free.faults) == bot.endswith(("failing", "illegal"))
    assert walled.questions == free.questions


def test_a_module_sees_only_declared_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module sees itself; files next to it only if they are declared."""
    (tmp_path / "lone.py").write_text(
        "from pathlib import Path\n"
        "def decide(terms, seen, below):\n"
        "    from referee.games.auction import GAME\n"
        "    return GAME.bots[Path(__file__).with_name('which').read_text()](terms, seen, below)\n"
    )
    (tmp_path / "which").write_text("random")
    monkeypatch.chdir(tmp_path)
    rules = msgspec.structs.replace(rules_of("auction", "lone", 2), limits=PATIENT)
    for files, faults in (["which"], {}), ([], {"crash": 1}):
        make = find("lone:decide", rules.game, files)
        assert trial(rules, [make, lambda: LocalPlayer("random")]).spent[0].faults == faults
