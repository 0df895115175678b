"""What an organiser or an entrant cannot do: every refusal with its status, sentence and next step; and what the steps
say that are taken."""

import json
import sys
from pathlib import Path

import pytest

from referee.errors import RefereeError, Usage
from referee.tournament import check, entrants
from referee.tournament import documents as d
from referee.tournament.entrants import make_bot
from referee.tournament.ledger import promised
from referee.tournament.schedule import MOST_TABLES, Tally, plans, tables
from referee.tournament.stage import load
from tests.cli.world import Ran, check_refusal, run_here

SPEC = """name = "{name}"
[[games]]
game = "auction"
seats = 2
options = {{ rounds = 1 }}
[[bots]]
name = "one"
run = "random"
[[bots]]
name = "two"
run = "sensible"
"""


class Cup:
    """A folder with a spec, and the organiser's home beside it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "cup.toml").write_text(SPEC.format(name="Cup"))
        (root / "more.toml").write_text(SPEC.format(name="More"))

    def run(self, *words: str, home: str = "home") -> Ran:
        return run_here("tournament", *words, cwd=self.root, home=self.root / home)

    def good(self, *words: str, home: str = "home") -> Ran:
        ran = self.run(*words, home=home)
        assert ran.exit == 0, ran.said
        return ran

    def wrong(self, *words: str, home: str = "home") -> tuple[int, str, str]:
        """The status, what is wrong, and what to do next."""
        ran = self.run(*words, home=home)
        check_refusal(ran, (ran.exit,))
        message, advice = ran.said.splitlines()[-2:]
        return ran.exit, message.removeprefix("referee: "), advice.removeprefix("Next: ")

    def key(self, name: str) -> None:
        ran = run_here("key", "new", "--name", name, "-o", f"{name}.key", cwd=self.root, home=self.root / "home")
        assert ran.exit == 0, ran.said


@pytest.fixture
def cup(tmp_path: Path) -> Cup:
    return Cup(tmp_path)


def test_every_step_of_a_tournament_in_the_wrong_order(cup: Cup) -> None:
    none = "start one with `referee tournament run SPEC.toml`"
    for words in (("run",), ("run", "--add", "cup.toml"), ("next", "tournament")):
        status, _, advice = cup.wrong(*words)
        assert (status, advice) == (cup.wrong("run")[0], none), words
    line = cup.good("next", "cup.toml").out.decode().strip()
    again = cup.good("check", "tournament", "--line")
    assert again.out.decode().strip() == line
    assert again.said == "Next: keep this line; --commit LINE compares.\n"
    other = "there is another tournament in that folder"
    advice = "continue without a SPEC, or add a stage with `referee tournament run --add`"
    assert cup.wrong("next", "more.toml") == cup.wrong("run", "more.toml") == (2, other, advice)
    assert cup.wrong("run", "--add", "more.toml") == (2, other, advice), "the first stage is not over"
    assert cup.wrong("run", home="elsewhere") == (
        8, "the organiser's key is not here",
        "name it with --key, or set REFEREE_HOME to where the tournament was begun",
    )  # fmt: skip
    cup.key("eve")
    assert cup.wrong("run", "--key", "eve.key") == (
        4, "this tournament was opened with another key", "give the organiser's key (--key)",
    )  # fmt: skip
    cup.key("anna")
    cup.key("bert")
    for name in ("bert", "anna"):
        cup.good("enter", "tournament", "--name", name, "--key", f"{name}.key", "--", "random")
    disclose = ("enter", "tournament", "--disclose", "--key", "anna.key")
    cup.good("next", "tournament", "bert.entrant.json", "anna.entrant.json")
    assert cup.wrong("enter", "tournament", "--disclose", "--key", "eve.key")[1:] == (
        "nothing was entered with this key", "give the key that entered the bot",
    )  # fmt: skip
    cup.good(*disclose, "--dry-run")
    assert not (cup.root / "anna.disclosure.json").exists()
    assert cup.good(*disclose).said.splitlines()[-1] == "Next: send anna.disclosure.json to the organiser."
    assert cup.wrong("next", "tournament") == (
        2, "disclosures are missing", "give them, or start without those bots with --incomplete",
    )  # fmt: skip
    started = cup.good("next", "tournament", "--incomplete")
    assert started.said.splitlines() == [
        "bert did not disclose its nonce and does not play.",
        "anna did not disclose its nonce and does not play.",
        "Next: `referee tournament run -o tournament`",
    ]
    assert started.out.decode().split()[0] == line.split()[0] == "referee-tournament/1"
    assert cup.wrong(*disclose, "-o", "late.json") == (
        5, "the tournament has started", "wait for the ledger in which they are closed",
    )  # fmt: skip
    assert cup.wrong("next", "tournament", "--withdraw", "carla") == (
        2, "no bot 'carla' plays in this tournament", "`referee tournament check` lists the bots",
    )  # fmt: skip
    assert cup.wrong("run", "--unconfined") == (
        2, "this stage was started with the sandbox, as the ledger records", "leave out --unconfined",
    )  # fmt: skip
    over = cup.good("check", "tournament")
    assert over.said.splitlines()[-1] == "Next: check it again when it is over."
    assert "not over: its secret is not published yet" in over.out.decode()
    report = json.loads(cup.good("run", "--json").out)
    assert (report["games"], sorted(report)) == (2, ["commitment", "games", "standings"])
    assert report["commitment"].startswith(line)
    checked = cup.good("check", "tournament", "--commit", report["commitment"])
    assert checked.out.decode().splitlines() == [
        "2 games checked, 2 of them with signatures, 0 replayed, 0 differences"
    ]
    assert checked.said.splitlines()[-1] == "Next: nothing; this is the tournament that you were promised."
    bare = cup.good("check", "tournament")
    assert bare.said.splitlines()[-1] == "Next: compare it with the line that you kept: --commit LINE."
    more = cup.good("run", "--add", "more.toml", "--dry-run", "--json")
    assert json.loads(more.out) == {"games": 2, "bots": ["one", "two"]}
    assert more.said.startswith("2 games at most, by 2 bots: one, two. ")
    assert len(load(str(cup.root / "tournament")).parts) == 1
    assert cup.good("next", "tournament", "--withdraw", "one").said == (
        "Next: `referee tournament run -o tournament` continues without it.\n"
    )
    assert cup.wrong("next", "tournament", "--withdraw", "one") == (5, "one is already withdrawn", "nothing to do")
    assert load(str(cup.root / "tournament")).withdrawn() == {"one"}


def test_extracting_games_from_a_tournament(cup: Cup) -> None:
    cup.good("run", "cup.toml", "--seed", "extract")
    numbers = "the numbers are in the report"
    assert cup.wrong("extract", "tournament") == (2, "this needs numbers of games, or --pages", numbers)
    assert cup.wrong("extract", "tournament", "0", "7", "8") == (
        2, "2 of these games are not in that tournament", numbers,
    )  # fmt: skip
    status, _, advice = cup.wrong("extract", "tournament", "--pages", "-o", "x")
    assert (status, advice) == (2, "leave out -o")
    dry = cup.good("extract", "tournament", "1", "--dry-run")
    assert dry.out.decode() == "./game-000001.transcript.json\n"
    assert not (cup.root / "game-000001.transcript.json").exists()
    made = cup.good("extract", "tournament", "1", "0")
    paths = [f"./game-00000{number}.transcript.json" for number in (0, 1)]
    assert made.out.decode().split() == paths
    assert made.said == f"Next: `referee verify {paths[0]}`\n"
    assert cup.wrong("extract", "tournament", "1") == (8, f"{paths[1]} already exists", "choose another folder")
    cup.good("extract", "tournament", "1", "-o", "deep/er")
    verified = run_here("verify", "deep/er/game-000001.transcript.json", cwd=cup.root)
    assert verified.exit == 0
    (cup.root / "elsewhere").mkdir()
    (cup.root / "tournament" / "pages").symlink_to(cup.root / "elsewhere")
    assert cup.wrong("extract", "tournament", "--pages") == (
        8, "tournament/pages is a link", "remove it: pages are written below the folder",
    )  # fmt: skip
    assert [*(cup.root / "elsewhere").iterdir()] == []


def test_the_key_is_never_stored_in_the_published_folder(cup: Cup) -> None:
    assert cup.wrong("next", "cup.toml", "-o", "home") == (
        2, "REFEREE_HOME is inside the folder of the tournament, which everybody can see",
        "choose another folder with -o, or name a key elsewhere with --key",
    )  # fmt: skip
    assert not [*cup.root.rglob("*.key")]
    assert cup.run("next", "cup.toml", "-o", "home2").exit == 0


# --- bots and tables --------------------------------------------------------------------------------------------------


def test_the_files_of_a_bot_have_a_bound_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(entrants, "LARGEST", 10)
    for name, size in (("a", 4), ("b", 6), ("c", 1)):
        (tmp_path / name).write_bytes(b"x" * size)
    words = [sys.executable]
    assert make_bot(words, program=True, more=["a", "b"]).files == ("a", "b")
    with pytest.raises(RefereeError) as caught:
        make_bot(words, program=True, more=["a", "b", "c"])
    assert (caught.value.code, str(caught.value.next)) == ("too-large", "leave out files that it does not need")
    for name in ("missing", "."):
        with pytest.raises(RefereeError) as caught:
            make_bot(words, program=True, more=[name])
        assert caught.value.exit == 8
        assert str(caught.value.next) == "run the command in the folder of the bot's files"


def test_a_bot_that_was_changed_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("1\n")
    bot = make_bot([sys.executable, "bot.py"], program=True)
    entrants.refuse_other("mine", bot)
    assert str(check._absent("mine", bot)) == ""
    (tmp_path / "bot.py").write_text("2\n")
    with pytest.raises(RefereeError) as caught:
        entrants.refuse_other("mine", bot)
    assert (caught.value.code, str(caught.value.message), str(caught.value.next)) == (
        "other-bot", "the files here are not those of the bot that mine entered",
        "restore exactly the files that were entered",
    )  # fmt: skip
    assert str(check._absent("mine", bot)) == (
        "the bot of mine here differs from the one that was entered: its games are not replayed"
    )
    (tmp_path / "bot.py").unlink()
    gone = "the bot of mine is not on this machine: its games are not replayed"
    assert str(check._absent("mine", bot)) == gone
    assert str(check._absent("mine", d.Bot(("no-such-program",), "0" * 64, True))) == gone


def test_a_round_robin_has_an_end() -> None:
    assert len(tables(range(200), 2)) == 19_900 <= MOST_TABLES
    with pytest.raises(Usage) as caught:
        tables(range(201), 2)
    assert str(caught.value.message) == "a round robin of 201 bots at 2 seats has more than 20,000 tables"
    assert (str(caught.value.next), caught.value.code) == ("choose kind = 'swiss', or fewer bots", "too-many")
    gauntlet = d.Schedule("gauntlet", champion="nobody")
    with pytest.raises(Usage, match="the champion of the gauntlet is not among the bots"):
        next(plans(gauntlet, [2], ["a", "b"], bytes(32), Tally(2)))


def test_fewer_players_than_seats_share_them_evenly() -> None:
    assert tables([3, 5], 2) == [(3, 5)]
    assert tables([3, 5], 3) == [(3, 3, 5), (3, 5, 5)]
    assert tables([3, 5], 4) == [(3, 3, 5, 5)]
    assert tables([1, 2, 3], 2) == [(1, 2), (1, 3), (2, 3)]


def test_a_commitment_line_must_be_complete() -> None:
    for line in ("", "referee-tournament/1", "referee-tournament/2 " + "0" * 64, "referee-tournament/1 xyz"):
        with pytest.raises(RefereeError) as caught:
            promised(line)
        assert str(caught.value.next).startswith("give the whole line that you kept; it begins with "), line
    assert tuple(promised("referee-tournament/1 " + "0" * 64)) == ("0" * 64,)
