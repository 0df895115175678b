"""What the commands say that start, judge, recover, explain and complete: every line, every field, every next step."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from referee.games.auction import Bid

from referee.crypto.codec import encode
from referee.crypto.keys import Key
from referee.io import keyfile
from tests.cli.test_tickets import Desk
from tests.cli.world import Ran, World, check_refusal, run_here
from tests.engine.attacks import refusal
from tests.support.match import Sitting

TITLE = "Schwarzer Freitag"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "world", rounds=1)


def run(world: World, who: str, *words: str, **how: Any) -> Ran:
    return run_here(*words, cwd=world.root, home=world.root / f"{who}-home", **how)


def said(ran: Ran, status: int = 0) -> list[str]:
    assert ran.exit == status, ran.said
    return ran.said.splitlines()


def data(ran: Ran, status: int = 0) -> Any:
    assert ran.exit == status, ran.said
    return json.loads(ran.out)


# --- before the game --------------------------------------------------------------------------------------------------


def test_a_key_an_offer_a_join_and_the_start(tmp_path: Path) -> None:
    def step(*words: str, **how: Any) -> Ran:
        return run_here(*words, cwd=tmp_path, **how)

    lines = said(step("key", "new", "--name", "Hanna"))
    public = step("key").out.decode().strip()
    assert lines == [
        f"Your key is in {tmp_path}/home/key.json; keep it secret and keep a copy.",
        f"Its public half is {public}.",
        "Next: answer an offer with `referee join OFFER`, or offer a game with `referee offer GAME --seats N`.",
    ]
    named = said(step("key", "new", "--name", "Anna", "-o", "anna.json"))
    assert named[-1] == (
        "Next: answer an offer with `referee join OFFER --key anna.json`, or offer a game with "
        "`referee offer GAME --seats N --key anna.json`."
    )
    assert (tmp_path / "anna.json").stat().st_mode & 0o77 == 0
    nameless = step("key", "new", "-o", "other.json")
    check_refusal(nameless, (2,))
    assert "your key needs a name" in nameless.said
    assert not (tmp_path / "other.json").exists()
    empty = step("key", "new", "--name", "Anna", "-o", "locked.json", "--passphrase", env={"REFEREE_PASSPHRASE": ""})
    check_refusal(empty, (2,))
    assert "an empty passphrase protects nothing" in empty.said
    assert said(step("key", "new", "--name", "Bert", "-o", "bert.json"))
    dry = said(step("offer", "schwarzer-freitag", "--seats", "2", "--dry-run"))
    assert dry[0] == "Everything is in order; nothing was written."
    assert dry[-1] == "Next: run it again without --dry-run."
    terms = ("--deadline", "90m", "--grace", "12h", "--arbiter", public)
    made = said(step("offer", "schwarzer-freitag", "--seats", "2", *terms))
    (offer,) = tmp_path.glob("*.offer.json")
    assert made[-1] == f"Next: send {offer.name} to the players; each answers with `referee join {offer.name}`."
    assert any("90 minutes for each answer, and 12 hours of grace" in line for line in made)
    body = json.loads(offer.read_bytes())["body"]
    assert (body["seats"], body["deadline"], body["grace"], body["arbiter"]) == (2, 90, 720, public)
    printed = step("offer", "schwarzer-freitag", "--seats", "3", "-o", "-")
    assert json.loads(printed.out)["body"]["seats"] == 3
    assert said(printed)[-1] == "Next: send it to the players; each answers with `referee join OFFER`."
    (tmp_path / "anna.json").write_bytes(keyfile.dump(Key(bytes(range(32)))))  # as one of OpenSSH's
    nameless = step("join", offer.name, "--key", "anna.json")
    check_refusal(nameless, (2,))
    assert "say who you are with --name" in nameless.said
    own = step("join", offer.name)
    check_refusal(own, (4,))
    assert "this offer is your own: a host who also plays needs a second key" in own.said
    assert "`referee key new --name Hanna -o player-key.json`" in own.said
    assert f"`referee join {offer.name} --key player-key.json`" in own.said
    joined = said(step("join", offer.name, "--key", "anna.json", "--name", "Anna"))
    (join,) = tmp_path.glob("*.join.json")
    assert joined[-2:] == [
        "You are in, as soon as the host starts the game.",
        f"Next: send {join.name} to the host. Then wait for your first view.",
    ]
    assert said(step("join", offer.name, "--key", "bert.json", "-o", "bert.join.json"))
    start = ("start", offer.name, join.name, "bert.join.json", "--out", "sent", "--aid")
    assert said(step(*start, "--dry-run")) == [
        "Everything is in order; nothing was written.", "Next: run it again without --dry-run.",
    ]  # fmt: skip
    assert not (tmp_path / "game.json").exists()
    lines = said(step(*start))
    game = json.loads(step("show", "game.json", "--json").out)["game"]
    views = {name: f"sent/{game[:8]}-r000-{name.lower()}.view.json" for name in ("Anna", "Bert")}
    assert lines == [
        f"Game {game[:8]} is set up. Keep game.json to yourself: it knows every hidden card.",
        *(f"  to {name}: {view}, {view.replace('.view.', '.aid.')}" for name, view in views.items()),
        "Next: send each player their view; they answer with `referee play`, and you apply that with "
        "`referee apply --out sent`.",
    ]
    assert {str(path.relative_to(tmp_path)) for path in (tmp_path / "sent").iterdir()} == {
        name for view in views.values() for name in (view, view.replace(".view.", ".aid."))
    }


@pytest.mark.parametrize(
    ("words", "why", "advice"),
    [
        (["--option", "special_cards"], "an option is written NAME=VALUE", "there are: special_cards="),
        (
            ["--option", "a=1", "--option", "a=2"],
            "option 'a' is given twice",
            "`referee games schwarzer-freitag` explains",
        ),
        (["--option", "nothing=1"], "this game has no option 'nothing'", "explains them"),
        (["--option", f"{'x' * 41}=1"], f"this game has no option '{'x' * 40}'", "explains them"),
        (["--option", "special_cards=maybe"], "the option 'special_cards' cannot be 'maybe'", "there are: "),
        (["--no-deadline", "--grace", "1h"], "a grace period has no effect without a deadline", "leave --grace or"),
        (["--no-deadline", "--deadline", "1h"], "--deadline and --no-deadline exclude each other", "give one of them"),
        (["--arbiter", "AB" * 32], "an arbiter is named by a public key", "what `referee key` prints"),
        (["--arbiter", "ab" * 31], "an arbiter is named by a public key", "`referee key` prints"),
    ],
)
def test_offers_that_make_no_sense(world: World, words: list[str], why: str, advice: str) -> None:
    ran = run(world, "hanna", "offer", "schwarzer-freitag", "--seats", "2", *words)
    check_refusal(ran, (2,))
    assert why in ran.said
    assert advice in ran.said


# --- words, claims and rulings ----------------------------------------------------------------------------------------


def test_a_word_to_the_host(world: World) -> None:
    words = ("play", "anna.view.json", "--tell", "away until 2026-12-24", "--now", "2026-12-20T08:00Z")
    dry = run(world, "anna", *words, "--json", "--dry-run")
    assert data(dry) == {"round": 2, "text": "away until 2026-12-24", "written": "", "reply": ""}
    assert said(dry) == ["Your words: away until 2026-12-24", "Next: run it again without --dry-run."]
    name = world.view_name("anna", 2).replace(".view.", ".word.")
    found = run(world, "anna", *words, "--json")
    assert data(found) == {"round": 2, "text": "away until 2026-12-24", "written": name, "reply": ""}
    assert said(found)[-1] == f"Next: send {name} to the host."
    assert json.loads((world.root / name).read_bytes())["body"]["text"] == "away until 2026-12-24"
    plain = run(world, "anna", *words, "-o", "plain.json")
    assert (plain.out, said(plain)[-1]) == (b"", "Next: send plain.json to the host.")
    printed = run(world, "anna", *words, "-o", "-", "--json")
    assert json.loads(printed.out)["body"]["text"] == "away until 2026-12-24", "what is printed is the word alone"
    for text, why in (("I am away", "this does not say until when"), ("resign", "leaving a game is a move"),
                      ("hello", "an office does not understand these words")):  # fmt: skip
        ran = run(world, "anna", "play", "anna.view.json", "--tell", text, "-o", "x.json")
        check_refusal(ran, (2,))
        assert why in ran.said or text == "I am away"


def test_a_claim_and_a_ruling(world: World) -> None:
    who = world.names[world.mover].lower()
    (world.root / "own.json").write_bytes(world.answers()[0])
    words = ("dispute", f"{who}.view.json", "own.json", "--sent", "2026-12-24T18:00Z")
    dry = run(world, who, *words, "--dry-run")
    assert said(dry)[-1] == "Next: run it again without --dry-run."
    name = world.view_name(who, 2).replace(".view.", ".claim.")
    assert not (world.root / name).exists()
    made = run(world, who, *words)
    assert said(made)[-1] == f"Next: send {name} to the arbiter; a mail office that hosts the game counts it too."
    assert json.loads((world.root / name).read_bytes())["body"]["sent"] == "2026-12-24T18:00Z"
    check_refusal(run(world, who, *words), (8,))
    check_refusal(run(world, who, *words[:-1], "yesterday", "-o", "x.json"), (2,))
    rule = ("dispute", name, "anna.view.json", "--verdict", "he sent it", "--ranks")
    for ranks in ("1,x", "1,1000", "1,,2"):
        ran = run(world, "hanna", *rule, ranks)
        check_refusal(ran, (2,))
        assert "ranks are numbers" in ran.said
    ruled = run(world, "hanna", *rule, "2, 1")
    (ruling,) = world.root.glob("*.ruling.json")
    public = world.host.public.hex()
    assert ruling.name == f"{world.match.table.id[:8]}-{public[:6]}.ruling.json"
    assert said(ruled)[-1] == f"Next: send {ruling.name} to everybody at that table."
    body = json.loads(ruling.read_bytes())["body"]
    assert (body["verdict"], body["ranks"], body["key"]) == ("he sent it", [2, 1], public)
    verified = run(world, "bert", "verify", ruling.name)
    assert said(verified) == ["Next: nothing; it is only a statement by its author."]
    rows = [json.loads(line) for line in run(world, "bert", "verify", ruling.name, name, "--json").out.splitlines()]
    assert [row.get("verdict") for row in rows] == ["ruling", "claim", None]
    beside = run(world, "bert", "verify", ruling.name, "anna.view.json")
    assert said(beside) == ["Next: ask for the transcript; views cannot prove everything."]
    alone = run(world, "hanna", "dispute", "own.json", "--verdict", "x", "-o", "y.json")
    check_refusal(alone, (7,))
    assert "none of these files has the genesis of its game" in alone.said
    other = Sitting("auction", 3, "another")
    (world.root / "other.view.json").write_bytes(other.view(0))
    mixed = run(world, "hanna", "dispute", "anna.view.json", "other.view.json", "--verdict", "x", "-o", "y.json")
    check_refusal(mixed, (2,))
    assert "other.view.json belongs to a different game than the rest" in mixed.said


# --- verify and dispute -----------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Desk:
    """An auction, with a host who told two stories of a receipt: `two.proof.json` proves it."""
    desk = Desk(tmp_path, Sitting(seed="dispute").until("bid"))
    one = desk.sitting
    for number, move in enumerate((Bid(1), Bid(2))):
        receipt = one.fork().give(one.signed(0, move=move)).receipt
        desk.put(f"{number}.receipt.json", encode(receipt))
    desk.put("anna.view.json", one.view(0))
    return desk


def test_a_dispute_writes_a_proof_and_verify_counts_it(table: Desk) -> None:
    ran = table.run("dispute", ".", "-o", "out")
    (proof,) = (path.name for path in (table.root / "out").iterdir())
    game, public = table.sitting.table.id, table.sitting.host.public.hex()
    assert said(ran, 6) == [f"Next: show out/{proof} to the others; anyone can check it with `referee verify`."]
    lines = ran.out.decode().splitlines()
    assert lines[0] == f"game {game[:8]}, auction, of Anna, Bert and Carla: 3 files"
    assert lines[2] == f"    signed with the key {public}; proof: out/{proof}"
    assert lines[1].startswith("  PROVED")
    assert lines[1].endswith("[two-taken]")
    table.put("out/notes.txt", b"hello")
    table.put("bad.view.json", b"{}")
    found = table.run("verify", "out", "anna.view.json", "bad.view.json", "--json")
    *rows, counts = [json.loads(line) for line in found.out.splitlines()]
    assert found.exit == 6, "what is proved counts more than what cannot be read"
    assert [(row["file"], row["code"], row["exit"]) for row in rows] == [
        (f"out/{proof}", "two-taken", 6), ("anna.view.json", "ok", 0), ("bad.view.json", rows[2]["code"], 7),
    ]  # fmt: skip
    assert (rows[0]["verdict"], rows[0]["key"], rows[0]["game"]) == ("proved", public, game)
    assert counts == {"good": 1, "bad": 1, "proved": 1, "skipped": 1, "claims": 0, "aside": [], "together": []}
    text = table.run("verify", "out", "anna.view.json", "bad.view.json")
    shown = text.out.decode().splitlines()
    assert shown[-1] == "1 good, 1 bad, 1 proved, 1 of other kinds skipped"
    assert shown[0].startswith(f"PROVED out/{proof}: ")
    assert shown[0].endswith(f" [two-taken], signed with the key {public}")
    told = f"Anna's view, round {table.sitting.round}: audited, not everything is provable from a view"
    assert shown[1] == f"ok  anna.view.json: {told}"
    good = table.run("verify", "anna.view.json")
    assert good.out.decode().splitlines()[-1] == "1 good, 0 bad"
    assert said(good) == ["Next: ask for the transcript; views cannot prove everything."]


def test_nothing_to_dispute(table: Desk) -> None:
    for name in ("0.receipt.json", "1.receipt.json"):
        (table.root / name).unlink()
    ran = table.run("dispute", "anna.view.json", "--json")
    (game,) = data(ran)["games"]
    assert [(row["verdict"], row["code"], row["round"]) for row in game["shown"]] == [
        ("consistent", "ok", table.sitting.round)
    ]
    assert (game["title"], game["rounds"], game["files"]) == ("auction", table.sitting.round, ["anna.view.json"])
    assert said(ran) == ["Next: nothing; these files show no offence."]
    (table.root / "key.json").write_bytes(keyfile.dump(table.sitting.host))
    empty = table.run("dispute", "key.json")
    check_refusal(empty, (7,))
    assert "there is nothing here that could be in dispute" in empty.said
    wrong = refusal(table.sitting, table.sitting.signed(2, move=Bid(1)), "illegal")
    table.put("wrong.receipt.json", encode(wrong))
    undecided = table.run("dispute", "anna.view.json", "wrong.receipt.json")
    assert said(undecided, 7) == ["Next: ask for what is needed, and run it again with that."]


def test_many_good_files_are_counted_and_bad_ones_shown(table: Desk) -> None:
    for number in range(20):
        shutil.copy(table.root / "anna.view.json", table.root / f"{number}.view.json")
    whole = table.run("verify", *(f"{number}.view.json" for number in range(20)))
    assert len(whole.out.decode().splitlines()) == 21
    short = table.run("verify", "anna.view.json", *(f"{number}.view.json" for number in range(20)))
    assert short.out.decode().splitlines() == ["21 good, 0 bad"]
    (table.root / "empty").mkdir()
    nothing = table.run("verify", "empty")
    check_refusal(nothing, (2,))
    assert "there is nothing in that folder that can be checked" in nothing.said


# --- recover ----------------------------------------------------------------------------------------------------------


def test_recover_says_what_is_back_and_what_to_do(world: World) -> None:
    before = (world.root / "game.json").read_bytes()
    os.rename(world.root / "game.json", world.root / "was.json")
    shutil.rmtree(world.host_home / "tickets", ignore_errors=True)
    words = ("recover", "anna.view.json", "key.json", "-o", "back.json")
    dry = run(world, "hanna", *words, "--dry-run")
    assert said(dry)[-2:] == ["Everything is in order; nothing was written.", "Next: run it again without --dry-run."]
    assert not (world.root / "back.json").exists()
    lines = said(run(world, "hanna", *words))
    assert lines[0].startswith("skipped: key.json: ")
    assert lines[1:] == [
        f"Game {world.match.table.id[:8]} is back as it was after round 1. Keep back.json to yourself.",
        "If anybody has a newer view, recover from that instead: two signed versions of a round can be proved.",
        "An answer that you took before it was lost still counts: its player has your receipt.",
        "Next: ask for the answers to round 2 again, and take them with `referee apply back.json MOVE...`.",
    ]
    assert (world.root / "back.json").read_bytes() == before
    for chance in ("ab" * 31, "xy", "ab" * 33):
        ran = run(world, "hanna", *words[:-1], "x.json", "--chance", chance)
        check_refusal(ran, (2,))
        assert "the secret of common chance has 64 hexadecimal digits" in ran.said
    none = run(world, "hanna", "recover", "key.json", "-o", "x.json")
    assert none.exit == 7
    assert "none of these files is a valid view" in none.said


def test_recover_asks_for_what_was_sealed(tmp_path: Path) -> None:
    """What waits to be played is needed whatever the host says; what was played long ago can be done without."""
    sitting = Sitting("auction", 3, "lost")
    while sitting.round < 5:
        for seat in sitting.asked:
            assert sitting.give(sitting.signed(seat)).error is None
    (tmp_path / "anna.view.json").write_bytes(sitting.view(0))
    (tmp_path / "key.json").write_bytes(keyfile.dump(sitting.host))
    words = ("recover", "anna.view.json", "--key", "key.json")
    ran = run_here(*words, cwd=tmp_path)
    check_refusal(ran, (7,))
    asked = [line for line in said(ran, 7) if line.endswith("ask for that move again")]
    assert asked
    assert {line.split()[0] for line in asked} <= {"Anna", "Bert", "Carla"}
    assert "give those moves too, or go on without them with --incomplete" in ran.said
    assert run_here(*words, "--incomplete", cwd=tmp_path).exit == 0
    waiting = Sitting("auction", 3, "lost").until("bid")
    for seat in waiting.asked[:-1]:
        assert waiting.give(waiting.signed(seat)).error is None
    waiting.miss(waiting.asked[-1])
    (tmp_path / "waiting.view.json").write_bytes(waiting.view(0))
    held = ("recover", "waiting.view.json", "--key", "key.json", "-o", "held.json")
    for more in ((), ("--incomplete",)):
        ran = run_here(*held, *more, cwd=tmp_path)
        check_refusal(ran, (7,))
        assert [line for line in said(ran, 7) if "sealed something" in line] == [
            f"  {name} sealed something in round {waiting.round}, without which the game cannot go on: ask for that "
            "move again"
            for name in ("Anna", "Bert")
        ]
        assert "give those moves too\n" in ran.said
