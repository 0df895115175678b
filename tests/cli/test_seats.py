"""Taking over a seat, handing it over and coming back on the command line; and what hostile or clumsy people try."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.world import Ran, changes, check_refusal, run_here, tree


class People:
    """Folders of people who run commands."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, who: str, *words: str, exit: int = 0) -> Ran:
        """A command in somebody's folder. One that is refused leaves every file as it was, except for receipts."""
        folder = self.root / who
        folder.mkdir(parents=True, exist_ok=True)
        before = tree(self.root)
        ran = run_here(*words, cwd=folder)
        assert ran.exit == exit, ran.said
        if exit:
            check_refusal(ran, (exit,))
            assert {name for name in changes(before, tree(self.root)) if "receipt" not in name} == set()
        return ran

    def newest(self, who: str, pattern: str) -> str:
        return str(max((self.root / who).glob(pattern)))

    def view(self, who: str) -> str:
        return self.newest("hanna", f"*-{who}.view.json")

    def key(self, who: str) -> str:
        return self.run(who, "key").out.decode().strip()

    def choices(self, who: str) -> list[dict[str, object]]:
        """What somebody can do now."""
        return list(json.loads(self.run(who, "show", "--moves", self.view(who), "--json").out)["choices"])

    def first_move(self, who: str, *more: str) -> str:
        found = self.choices(who)
        chosen = ("--move-json", json.dumps(found[0]["move"])) if found else ()
        self.run(who, "play", self.view(who), *chosen, "--yes", *more)
        return self.newest(who, "*.move.json")

    def turn(self, who: str, *more: str, now: str = "2026-12-02T12:00Z") -> Ran:
        """Somebody answers with the first move that is listed, and the host takes it."""
        return self.run("hanna", "apply", "game.json", self.first_move(who, *more), "--now", now)

    def status(self) -> dict[str, object]:
        return dict(json.loads(self.run("hanna", "show", "game.json", "--json").out))


def seated(root: Path, *terms: str) -> People:
    """Anna and Bert have agreed to a game with these terms; it is Anna's turn."""
    made = People(root)
    for name in ("Hanna", "Anna", "Bert", "Emil"):
        made.run(name.lower(), "key", "new", "--name", name)
    made.run("hanna", "offer", "schwarzer-freitag", "--seats", "2", *terms)
    offer = made.newest("hanna", "*.offer.json")
    for name in ("anna", "bert"):
        made.run(name, "join", offer)
    made.run("hanna", "start", offer, *(made.newest(name, "*.join.json") for name in ("anna", "bert")))
    for name in ("anna", "bert"):
        made.run(name, "play", made.view(name))
    moves = [made.newest(name, "*.move.json") for name in ("anna", "bert")]
    made.run("hanna", "apply", "game.json", *moves, "--now", "2026-12-01T12:00Z")
    if made.choices("bert"):  # the seed has made Bert the start player
        made.turn("bert", now="2026-12-01T12:00Z")
    return made


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> People:
    return seated(tmp_path_factory.mktemp("seats") / "people", "--takeovers", "1", "--deadline", "3d")


@pytest.fixture
def people(begun: People, tmp_path: Path) -> People:
    return moved(begun, tmp_path / "people")


@pytest.fixture(scope="module")
def handed(begun: People, tmp_path_factory: pytest.TempPathFactory) -> People:
    """Anna has named Emil's key; it is Bert's turn."""
    made = moved(begun, tmp_path_factory.mktemp("handed") / "people")
    made.turn("anna", "--handover", made.key("emil"))
    return made


def moved(made: People, root: Path) -> People:
    shutil.copytree(made.root, root)
    return People(root)


# --- handing over -----------------------------------------------------------------------------------------------------


def test_a_player_hands_its_seat_to_somebody(handed: People, tmp_path: Path) -> None:
    people = moved(handed, tmp_path / "people")
    told = people.status()
    assert (told["vacant"], told["out"], told["arriving"]) == (["Anna"], [], [])
    assert "Anna's seat (by the player whom Anna named)" in people.run("bert", "show", people.view("bert")).out.decode()
    people.run("emil", "join", people.view("bert"))
    took = people.run("hanna", "apply", "game.json", people.newest("emil", "*.succession.json"))
    assert "Emil takes over Anna's seat when this round is closed" in took.said
    assert people.status()["arriving"] == [{"seat": 1, "name": "Emil"}]
    assert "  Emil takes over Anna's seat" in people.run("hanna", "show", "game.json").out.decode()
    people.turn("bert")
    told = people.status()
    assert (told["players"], told["vacant"], told["arriving"]) == (["Emil", "Bert"], [], [])
    people.run("emil", "audit", people.view("emil"))
    move = people.first_move("emil")
    assert "Emil's move is accepted" in people.run("hanna", "apply", "game.json", move).said
    assert "Emil" in people.run("emil", "show", move).out.decode()


def test_what_is_signed_names_the_key(people: People) -> None:
    emil = people.key("emil")
    move = people.first_move("anna", "--handover", emil)
    assert json.loads(Path(move).read_bytes())["body"]["handover"] == emil
    assert f"it lets the key {emil[:16]} take over the seat" in people.run("anna", "show", move).out.decode()
    words = ("play", people.view("anna"), "--move", "place red", "--handover", emil, "--json")
    ran = people.run("anna", *words, "--again", "--dry-run")
    assert json.loads(ran.out)["handover"] == emil
    assert f"the key {emil[:16]} may take over your seat" in ran.said


def test_whoever_names_somebody_can_take_it_back(handed: People, tmp_path: Path) -> None:
    people = moved(handed, tmp_path / "people")
    people.turn("bert")
    move = people.first_move("anna", "--handover", people.key("anna"))
    people.run("hanna", "apply", "game.json", move)
    assert people.status()["vacant"] == []
    assert "Anna keeps the seat after all" in people.run("bert", "show", "--story", people.view("bert")).out.decode()
    people.run("emil", "join", people.view("bert"), exit=5)


def test_the_last_answer_of_the_old_player_and_its_receipt_stay_hers(people: People) -> None:
    """Anna's answer closes the round in which Emil takes over: it is not Emil's."""
    people.turn("anna", "--handover", people.key("emil"))
    people.turn("bert")
    people.run("emil", "join", people.view("bert"))
    people.run("hanna", "apply", "game.json", people.newest("emil", "*.succession.json"))
    ran = people.turn("anna")
    assert people.status()["players"] == ["Emil", "Bert"]
    assert "Anna's move is accepted" in ran.said
    (receipt,) = (line for line in ran.said.splitlines() if "receipt" in line)
    assert receipt.startswith("  to Anna: receipt ")
    assert "-anna-" in receipt


@pytest.mark.parametrize("whose", ["nonsense", "Bert", "0" * 63, "anna", "bert", "hanna"])
def test_a_key_that_can_never_take_the_seat_is_refused(people: People, whose: str) -> None:
    """No key at all; the player's own, though nobody was named; one that plays already; the host's."""
    named = people.key(whose) if whose in ("anna", "bert", "hanna") else whose
    people.run("anna", "play", people.view("anna"), "--move", "place red", "--handover", named, exit=2)


def test_where_no_seat_can_be_taken_over(tmp_path: Path) -> None:
    people = seated(tmp_path / "people", "--no-deadline")
    emil = people.key("emil")
    people.run("anna", "play", people.view("anna"), "--move", "place red", "--handover", emil, exit=2)
    ran = people.run("emil", "join", people.view("bert"), exit=5)
    assert "in this game no seat can be taken over" in ran.said
    more = people.run("hanna", "apply", "game.json", "--extend", "Anna", "--by", "1d", exit=5)
    assert "there is no deadline to extend" in more.said


# --- taking over ------------------------------------------------------------------------------------------------------


def test_who_can_take_over_and_who_cannot(handed: People, tmp_path: Path) -> None:
    people = moved(handed, tmp_path / "people")
    view = people.view("bert")
    ran = people.run("zoe", "key", "new", "--name", "Zoe")
    ran = people.run("zoe", "join", view, exit=5)
    assert "you cannot take over a seat of this game now" in ran.said
    assert f"`referee show {view}`" in ran.said
    ran = people.run("zoe", "join", view, "--seat", "Anna", exit=5)
    assert "its holder named somebody else" in ran.said
    for who in ("anna", "bert", "hanna"):
        ran = people.run(who, "join", view, "--seat", "Anna", "--name", "Zoe", exit=4)
        assert "this key was used in this game before" in ran.said
    people.run("emil", "join", view, "--seat", "Bert", exit=5)
    people.run("emil", "join", view, "--seat", "Zoe", exit=2)
    people.run("emil", "join", view, "--name", "Anna", exit=7)
    people.run("emil", "join", view, "--name", "", exit=2)
    people.run("emil", "join", people.newest("hanna", "*.offer.json"), "--seat", "Anna", exit=2)
    people.run("emil", "join", "nothing.json", exit=8)
    people.run("emil", "join", "-", exit=7)
    people.run("emil", "join", view)
    people.run("emil", "join", view, exit=8)
    people.run("emil", "join", view, "-o", "second.json")
    people.run("hanna", "apply", "game.json", people.newest("emil", "*.succession.json"))
    ran = people.run("hanna", "apply", "game.json", "../emil/second.json", exit=5)
    assert "another file for this seat arrived first" in ran.said


def test_a_stranger_waits_until_the_seat_was_vacant_for_long_enough(tmp_path: Path) -> None:
    """Anna goes out at 12:02 on 7 December, so a round that is closed seven days later is the first."""
    people = seated(tmp_path / "people", "--takeover", "7d", "--deadline", "3d")
    people.run("hanna", "apply", "game.json", "--timeout", "Anna", "--now", "2026-12-04T12:01Z")
    bert = people.run("bert", "play", people.view("bert"))
    assert bert.exit == 0
    answer = people.newest("bert", "*.move.json")
    people.run("hanna", "apply", "game.json", answer, "--now", "2026-12-04T13:00Z")
    people.run("hanna", "apply", "game.json", "--timeout", "Anna", "--drop", "--now", "2026-12-07T12:02Z")
    out = people.run("anna", "show", people.view("anna"))
    assert f"to come back: `referee play --return {people.view('anna')}`" in out.said
    assert "Who was late may still answer" not in out.out.decode()
    people.run("anna", "play", people.view("anna"), exit=5)
    assert "referee play --return" in people.run("anna", "show", "--moves", people.view("anna")).said
    people.run("hanna", "apply", "game.json", "--extend", "Anna", "--by", "1d", "--now", "2026-12-07T13:00Z", exit=5)
    people.run("emil", "join", people.view("bert"))
    told = people.run("hanna", "apply", "game.json", people.newest("emil", "*.succession.json"))
    assert "with the first round that is closed at 2026-12-14 12:02 UTC or later" in told.said
    for now, first in (("2026-12-14T12:01Z", "Anna"), ("2026-12-14T12:02Z", "Emil")):
        people.turn("bert", now=now)
        assert people.status()["players"] == [first, "Bert"]


@pytest.mark.parametrize(
    "terms",
    [
        ("--no-deadline", "--takeover", "7d"), ("--takeover", "soon"), ("--takeovers", "-1"), ("--takeovers", "101"),
        ("--no-deadline", "--bank", "2d"), ("--bank", "0d"), ("--bank", "-1d"), ("--deadline", "3d", "--no-deadline"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_terms_that_make_no_sense(people: People, terms: tuple[str, ...]) -> None:
    people.run("hanna", "offer", "schwarzer-freitag", "--seats", "2", *terms, exit=2)


# --- coming back ------------------------------------------------------------------------------------------------------


def test_who_cannot_come_back(people: People) -> None:
    ran = people.run("anna", "play", "--return", people.view("anna"), exit=5)
    assert "you are still in the game" in ran.said
    assert f"`referee show {people.view('anna')}`" in ran.said
    people.run("bert", "play", "--return", people.view("anna"), exit=4)
    people.run("hanna", "show", "game.json", "--public", "-o", "public.json")
    people.run("anna", "play", "--return", "../hanna/public.json", exit=2)
    people.run("anna", "play", "--return", people.newest("hanna", "*.offer.json"), exit=7)


# --- more time, and the end -------------------------------------------------------------------------------------------


def test_more_time_for_somebody_who_needs_none(people: People) -> None:
    ran = people.run(
        "hanna", "apply", "game.json", "--extend", "Bert", "--by", "1d", "--now", "2026-12-01T13:00Z", exit=5
    )
    assert "this seat is not asked for an answer" in ran.said
    assert "`referee show game.json`" in ran.said
    people.run("hanna", "apply", "game.json", "--extend", "Zoe", "--by", "1d", exit=2)
    people.run("hanna", "apply", "game.json", "--extend", "3", "--by", "1d", exit=2)
    people.run("anna", "apply", "../hanna/game.json", "--extend", "Anna", "--by", "1d", exit=4)


def test_nothing_is_done_to_a_game_that_was_abandoned(handed: People, tmp_path: Path) -> None:
    people = moved(handed, tmp_path / "people")
    people.run("emil", "join", people.view("bert"))
    ran = people.run("hanna", "reveal", "game.json", "--abandon")
    assert "ends it for good; it cannot be undone" in ran.said
    transcript = people.newest("hanna", "*.transcript.json")
    told = people.run("bert", "verify", transcript).out.decode()
    assert "abandoned by the host in round " in told
    for words in (
        ("apply", "game.json", people.newest("emil", "*.succession.json")),
        ("apply", "game.json", people.first_move("bert")),
        ("apply", "game.json", "--extend", "Bert", "--until", "2099-01-01T00:00Z"),
        ("apply", "game.json", "--timeout", "Bert", "--now", "2099-01-01T00:00Z"),
    ):
        assert "the secrets of this game are out" in people.run("hanna", *words, exit=5).said
    before = Path(transcript).read_bytes()
    people.run("hanna", "reveal", "game.json", "--abandon")
    people.run("hanna", "reveal", "game.json")
    assert Path(transcript).read_bytes() == before


def test_taking_over_and_coming_back_can_be_tried(handed: People, tmp_path: Path) -> None:
    """It says what would come next, and there is no file; then there is one, and it says whom to send it to."""
    people = moved(handed, tmp_path / "people")
    words = ("join", people.view("bert"))
    before = tree(people.root)
    assert people.run("emil", *words, "--dry-run").said.splitlines()[-1].endswith("--dry-run.")
    assert tree(people.root) == before
    said = people.run("emil", *words).said
    assert "--dry-run" not in said
    assert "`referee apply GAME.json " in said
    assert len(tree(people.root)) > len(before)
