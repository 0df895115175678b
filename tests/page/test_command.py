"""`node verifier.mjs FILE...` as a person runs it, the player's file as a key, and odds and ends of the modules."""

import json
import sys
import unicodedata
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from referee import games
from referee.crypto.codec import encode, read
from referee.engine.names import fold
from referee.io import keyfile
from tests.cli.world import run_here
from tests.independent import verifier, wire
from tests.support.match import Sitting, change_entry

from .node import PAGE, run_node
from .tampered import changed, flip
from .test_agreement import verified

EXAMPLES = Path(__file__).parents[2] / "examples"
VERIFIER = PAGE / "verifier.mjs"


def _changed(tmp_path: Path, **fields: Any) -> Path:
    """The transcript of an example with some fields replaced."""
    document = json.loads((EXAMPLES / "mark" / "transcript.json").read_text("utf-8"))
    path = tmp_path / "changed.json"
    path.write_bytes(encode(document | fields))
    return path


@pytest.mark.thorough
def test_what_it_prints_and_its_exit_status(tmp_path: Path) -> None:
    transcript, view = EXAMPLES / "mark" / "transcript.json", EXAMPLES / "mark" / "view.json"
    other = EXAMPLES / "schwarzmarkt" / "view.json"
    cut = tmp_path / "cut.json"
    cut.write_bytes(transcript.read_bytes()[:-9])
    rows = [
        ((transcript,), 0, ["ok"]),
        ((transcript, view), 0, ["ok", "ok", "ok"]),
        ((view, other), 0, ["ok", "ok", "ok"]),
        ((_changed(tmp_path, secret="00" * 32),), 6, ["bad-secret"]),
        ((view, tmp_path / "changed.json"), 6, ["ok", "bad-secret", "bad-secret"]),
        ((cut,), 7, ["malformed"]),
        ((EXAMPLES / "README.md",), 7, ["malformed"]),
        ((tmp_path / "none.json",), 8, []),
        ((), 2, []),
        (("--what", view), 2, []),
        (("--help",), 0, []),
    ]
    for given, status, codes in rows:
        done = run_node(VERIFIER, *given)
        assert (done.returncode, done.stdout.split()) == (status, codes), (given, done)
        assert done.stderr
    old = run_node("--no-experimental-global-webcrypto", VERIFIER, transcript)
    assert (old.returncode, old.stdout.split()) == (8, ["no-crypto"])
    done = run_node(VERIFIER, "--json", transcript)
    report = json.loads(done.stdout)
    assert (report["ok"], report["draws"], report["rules"]) == (True, "checked", "not checked")
    assert "rules: not checked here, use `referee verify`" in done.stderr


def test_it_reports_what_is_wrong_where_and_whom_it_blames(tmp_path: Path) -> None:
    sitting = Sitting("mark", 3, "said").until(4)
    view = sitting.view(0)
    (tmp_path / "good.json").write_bytes(view)
    (tmp_path / "offer.json").write_bytes(encode(sitting.offer))
    (tmp_path / "cut.json").write_bytes(view[:-9])
    (tmp_path / "sig.json").write_bytes(changed(view, lambda v: flip(v, "entries", 2, "sig")))
    host = change_entry(sitting.host, view, 3, link="00" * 32)
    (tmp_path / "host.json").write_bytes(host)

    def said(*names: str) -> list[str]:
        return run_node(VERIFIER, *(tmp_path / name for name in names)).stderr.replace(f"{tmp_path}/", "").splitlines()

    right = "are right; rules: not checked here, use `referee verify`"
    good, whole = said("good.json", "offer.json")[0], said("good.json", "offer.json")[-1]
    assert good.startswith("good.json: 4 rounds with ")
    assert good.endswith(right)
    assert whole.startswith("all together: the files agree with each other; rules: not checked here")
    assert said("offer.json") == ["offer.json: this offer is signed by the key that it names"]
    assert said("sig.json") == ["sig.json: round 3: the entry is not signed by its key (this blames nobody)"]
    assert said("host.json") == ["host.json: round 3: the host's link is not in its chain (the host signed this)"]
    (cut,) = said("cut.json")
    assert cut.startswith("cut.json: ")
    assert cut.endswith(" (this blames nobody)")
    assert said("none.json")[0].startswith("cannot read a file: ")
    assert said()[0] == "usage: node verifier.mjs [--json] [--bags FILE] FILE..."


@pytest.mark.thorough
def test_a_game_that_is_not_known_needs_its_bags(tmp_path: Path) -> None:
    sitting = Sitting("auction", 2, "bags").to_end()
    transcript, bags = tmp_path / "transcript.json", tmp_path / "bags.json"
    transcript.write_bytes(sitting.transcript())
    right = {name: list(faces) for name, faces in sitting.table.bags.items()}
    faces = next(iter(right))
    wrong = right | {faces: [*right[faces][1:], "joker"]}
    assert run_node(VERIFIER, transcript).returncode == 7
    for given, status, code in ((right, 0, "ok"), (wrong, 6, "bad-bag"), ({}, 6, "bad-bags")):
        bags.write_bytes(encode(given))
        done = run_node(VERIFIER, "--bags", bags, transcript)
        assert (done.returncode, done.stdout.strip()) == (status, code)
    # From somebody who is not believed they accuse nobody.
    text = sitting.transcript().decode()
    said = verified([{"files": [text], "hint": given} for given in (right, wrong, {})])
    odd = verified([{"files": [text], "hint": given} for given in (None, 7, [], {faces: None}, {faces: 3})])
    assert {one["code"] for one in odd} == {"unknown-game"}
    assert [(one["code"], one["blames"]) for one in said] == [
        ("ok", ""),
        ("undecided", "nobody"),
        ("undecided", "nobody"),
    ]


def _choices(kind: Any) -> set[Any]:
    """Of an option: yes and no, or the words that its type lists."""
    return {False, True} if kind is bool else {*get_args(kind)}


def _ways() -> list[Any]:
    """Each of our games with each other choice of each option, and with the most players."""
    rows = []
    for game_id in ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"):
        game = games.load(game_id)
        usual = game.options()
        rows.append((game_id, game.seats[1], usual))
        for name in usual.__struct_fields__:
            for other in sorted(_choices(get_type_hints(game.options)[name]) - {getattr(usual, name)}):
                turned = msgspec.structs.replace(usual, **{name: other})
                rows.append((game_id, game.seats[0], turned))
    return rows


@pytest.mark.thorough
def test_the_bags_of_our_games_are_known() -> None:
    """With every option, and with a changed edition."""
    sittings = [Sitting(game_id, seats, "known", options) for game_id, seats, options in _ways()]
    game = games.load("schwarzer-freitag")
    edition = read(games.edition_bytes("schwarzer-freitag"), game.edition, "edition")
    sittings.append(Sitting("schwarzer-freitag", 3, "known", edition=msgspec.structs.replace(edition, bag_base=8)))
    for sitting in sittings:
        sitting.step()
    said = verified([{"files": [sitting.view(0).decode()]} for sitting in sittings])
    assert [(one["code"], one["draws"]) for one in said] == [("ok", "checked")] * len(sittings)


@pytest.mark.thorough
def test_each_step_reports_what_happened() -> None:
    """Accumulator, seed, draws, openings and hands, against the second verifier and the host's own book."""
    sitting = Sitting("schwarzmarkt", 3, "steps", deadline=60)
    while sitting.round < 30 and not sitting.over:
        sitting.step(*sitting.asked[-1:] if sitting.round == 4 else ())
    bags = {name: list(faces) for name, faces in sitting.table.bags.items()}
    (said,) = verified([{"files": [sitting.view(1).decode()], "steps": True}])
    assert len(said["steps"]) == sitting.round
    document = json.loads(sitting.view(1))
    table = verifier.read_genesis(document["genesis"], bags, wire.Signatures(lambda *_: True))
    state, drawn = verifier.first_state(table), 0
    for step, envelope in zip(said["steps"], document["entries"], strict=True):
        before = state.acc
        play = verifier.advance(table, state, envelope["body"], verifier.Known())
        assert (step["accBefore"], step["acc"], step["seed"]) == (before.hex(), state.acc.hex(), play.seed.hex())
        assert step["draws"] == play.draws == sum(draw is not None for op in step["ops"] for draw in op["draws"])
        for op in step["ops"]:
            for draw in filter(None, op["draws"]):
                assert draw["value"] == wire.below(play.seed, draw["number"], draw["below"])
                drawn += 1
        assert step["bags"] == {name: len(bag.content()) for name, bag in state.bags.items()}
        assert step["due"] == state.due
        assert {int(seat): ask and ask["what"] for seat, ask in step["asked"].items()} == {
            seat: ask and ask["what"] for seat, ask in verifier.asked(state).items()
        }
    assert drawn > 40
    assert [step["holding"] for step in said["steps"]].count(True) == 1
    told = {slot["slot"]: slot["face"] for step in said["steps"] for slot in step["openings"]}
    assert told
    for name in ("goods/1", "cards/1"):
        lying = state.bags[name].content()
        assert said["steps"][-1]["hands"][name] == [sitting.match.faces[slot] for slot in lying]
        assert all(told[slot] == sitting.match.faces[slot] for slot in lying if slot in told)
    assert set(said["steps"][-1]["hands"]["goods/0"]) <= {None, *bags["goods"]}


def test_a_players_file_is_a_key(tmp_path: Path) -> None:
    key = Sitting("mark", 2, "key").players[0]
    file = json.loads(keyfile.dump(key))
    whole = {"format": "pbem-referee/1/player", "key": file}
    locked = json.loads(keyfile.dump(key, "secret", bytes(32)))
    rows = [
        (whole, 0, key.public.hex()),
        (whole | {"key": locked}, 0, key.public.hex()),
        (whole | {"key": file | {"public": "22" * 32}}, 4, ""),
        (whole | {"tickets": []}, 7, ""),
        (whole | {"tickets": [{"offer": "11" * 32}]}, 7, ""),
        ({"format": "pbem-referee/1/ticket"}, 7, ""),
    ]
    for document, status, public in rows:
        (tmp_path / "player.json").write_bytes(encode(document))
        ran = run_here("key", "--key", "player.json", cwd=tmp_path, env={"REFEREE_PASSPHRASE": "secret"})
        assert (ran.exit, ran.out.decode().strip()) == (status, public), ran.said
    (tmp_path / "player.json").write_bytes(encode(whole))
    shown = run_here("show", "player.json", cwd=tmp_path)
    assert "never send it to anyone" in shown.said + shown.out.decode()


@pytest.mark.thorough
def test_names_are_folded_as_in_python(tmp_path: Path) -> None:
    """Every character that this Python knows: two are one to JavaScript exactly if they are one to Python."""
    known = [
        chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")
    ]
    script = tmp_path / "fold.mjs"
    script.write_text(
        f'import {{ folded }} from "{(PAGE / "wire.mjs").as_uri()}";\n'
        'import { readFileSync } from "node:fs";\n'
        "console.log(JSON.stringify(JSON.parse(readFileSync(0)).map((name) => folded(name + 'x' + name))));\n"
    )
    done = run_node(script, given=json.dumps(known))
    theirs = json.loads(done.stdout)
    pairs = {(fold(name + "x" + name), other) for name, other in zip(known, theirs, strict=True)}
    assert len(pairs) == len({ours for ours, _ in pairs}) == len({other for _, other in pairs}) > 100_000
