"""The rules in a page: the same answers as the program's, to the byte, for good files and bad ones."""

import base64
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee import games
from referee.app import calls, judged
from referee.app.calls import Calls
from referee.crypto.codec import encode
from referee.engine.rounds import asked
from referee.errors import RefereeError
from referee.io import keyfile
from referee.language import LANGUAGES
from referee.library import checks
from tests.page.node import Ask
from tests.page.python import rules
from tests.page.tampered import against_the_rules, all_files
from tests.support.match import Sitting

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/*.json"))
GAMES = [one for one in games.game_ids() if (ROOT / "referee" / "games" / one.replace("-", "_")).is_dir()]
TYPED = ("", "#2", "#999", "roll the nothing", "; ;")


@pytest.fixture(scope="module")
def page(payloads: Mapping[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    with rules(payloads, tmp_path_factory.mktemp("rules")) as ask:
        yield ask


class Program:
    """The same calls to the program itself, in a folder of its own."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self.folder, self.home = folder / "desk", folder / "home"
        self.folder.mkdir()
        self.home.mkdir()
        (self.home / "key.json").write_bytes(key)
        self.calls = Calls(str(self.folder), None, lambda path: keyfile.load(key))

    def put(self, name: str, data: bytes) -> str:
        (self.folder / name).write_bytes(data)
        return self.calls.handle_of(str(self.folder / name))

    def call(self, name: str, body: Any, language: str = "en") -> Any:
        good, data = calls.answer(self.calls, name, encode({**body, "language": language}))
        return {"ok" if good else "error": json.loads(data)}


def put(page: Ask, name: str, data: bytes, language: str = "en") -> Any:
    return page("put", name=name, data=base64.b64encode(data).decode(), language=language)["ok"]


def verdict(data: bytes) -> tuple[str, str, Any]:
    """What the program says of a document: its code, what was checked or is wrong, and what was found out."""
    try:
        found = checks.verify(data)
    except RefereeError as error:
        return error.code, str(error.message), None
    return "ok", str(found.what), json.loads(encode([found.verdict, found.game, found.round, found.facts]))


def page_verdict(found: Any) -> tuple[str, str, Any]:
    """The same of what the page says."""
    if found["error"]:
        return found["code"], found["error"]["message"], None
    one = found["checked"]
    return found["code"], one["what"], [one["verdict"], one["game"], one["round"], one["facts"]]


# --- documents -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_example_gets_the_same_verdict(page: Ask, path: Path) -> None:
    data = path.read_bytes()
    assert page_verdict(put(page, path.name, data)) == verdict(data)
    assert verdict(data)[0] == "ok"


def test_files_that_were_changed_or_signed_wrongly_get_the_same_verdict(page: Ask) -> None:
    files = list(all_files())
    found = [put(page, f"{number}.{kind}.json", data) for number, (kind, _, _, data) in enumerate(files)]
    said = [(what, one["code"]) for (_, what, _, _), one in zip(files, found, strict=True)]
    assert said == [(what, code) for _, what, code, _ in files]
    assert [one["game"] for one in found if one["checked"]] == []
    # What the rules themselves say (the verifier has no next step) is what the program says, in the same words.
    told = [(one, data) for (_, _, _, data), one in zip(files, found, strict=True) if one["error"]["next"]]
    assert [page_verdict(one) for one, _ in told] == [verdict(data) for _, data in told]
    assert 2 * len(told) > len(files)


def test_a_host_who_breaks_a_rule_is_caught_by_the_rules_alone(page: Ask) -> None:
    """The verifier, which has no rules, finds such a view good."""
    data = against_the_rules(Sitting("schwarzer-freitag", 3, "rules in a page").until(3))
    found = put(page, "cheated.view.json", data)
    assert (found["verifier"], found["code"], found["round"], found["blames"]) == ("ok", "rule-broken", 4, "host")
    assert page_verdict(found) == verdict(data)
    assert page("call", name="open", body={"game": found["game"]})["error"]["code"] == "rule-broken"


# --- a seat ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_shows_offers_and_judges_the_same(
    page: Ask, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Board and story of every round, moves, what is typed, and orders, in each language; also the answers that are
    signed, and the views that follow them."""
    sitting = Sitting(game, 3, "rules in a page").until(lambda one: one.round > 5 and one.what not in ("link", "ack"))
    seat = sitting.asked[0]
    key = keyfile.dump(sitting.players[seat])
    program = Program(tmp_path, key)
    monkeypatch.setenv("REFEREE_HOME", str(program.home))
    page("player", data=base64.b64encode(key).decode())
    for language in LANGUAGES:
        name, data = f"{game}-{sitting.round}.view.json", sitting.view(seat)
        sealed = {*asked(sitting.state)[seat].sealed}
        mine, theirs = put(page, name, data, language)["game"], program.put(name, data)

        def same(call: str, **body: Any) -> Any:
            """What both answer."""
            here = page("call", name=call, body={"game": mine, **body}, language=language)  # noqa: B023
            there = program.call(call, {"game": theirs, **body}, language)  # noqa: B023
            if call == "open":
                assert (here["ok"].pop("game"), there["ok"].pop("game")) == (mine, theirs)  # noqa: B023
            if call == "check" and (whole := here.get("ok", {}).get("move")):
                # The page's has what is sealed by default, too, because it is signed elsewhere.
                assert {*whole} >= {*sealed}  # noqa: B023
                for field in sealed - there["ok"]["move"].keys():  # noqa: B023
                    del whole[field]
            assert here == there
            return here

        look = same("open")["ok"]["look"]
        assert [same("look", round=one)["ok"]["round"] for one in range(1, look["rounds"] + 1)][-1] == sitting.round
        assert same("look", round=999)["error"]["code"] == "usage"
        found = same("moves")["ok"]
        same("orders")
        assert found["choices"]
        for choice in found["choices"][:3]:
            same("check", words=choice["text"])
        for text in TYPED:
            same("check", words=text)
        same("check", move={"no": "move"})
        move = _answer(sitting, seat)
        checked = page("call", name="check", body={"game": mine, "move": move}, language=language)["ok"]
        signed = page("sign", data=base64.b64encode(data).decode(), move=checked["move"], standing=None)["ok"]
        ours = program.call("sign", {"game": theirs, "move": move}, language)["ok"]["file"]
        assert base64.b64decode(signed) == Path(ours).read_bytes()
        before = sitting.round
        assert sitting.give(base64.b64decode(signed)).error is None
        if sitting.round == before:
            sitting.others(seat)
        assert sitting.round == before + 1
        while seat not in sitting.asked or sitting.what == "link":
            sitting.step()


def _answer(sitting: Sitting, seat: int) -> Any:
    """What a bot would play."""
    opened = sitting.opened(seat)
    bot = opened.table.game.bots["sensible"]
    return json.loads(encode(bot(opened.table.terms, opened.seen, lambda most: 0)))


# --- practice --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_practice_game_is_the_same(page: Ask, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guided opening, which is always dealt alike: played by hints, and taken back."""
    program = Program(tmp_path, keyfile.dump(Sitting(game, 3).host))
    monkeypatch.setenv("REFEREE_HOME", str(program.home))

    def same(call: str, **body: Any) -> Any:
        here = page("call", name=call, body={"game": game, **body})
        assert here == program.call(call, {"game": game, **body})
        return here["ok"]

    same("practice", new=True, guide=True)
    for _ in range(6):
        same("moves")
        same("sign", move=same("hint")["move"])
        same("look")
    same("undo")
    assert same("practice")["look"]["advice"] is not None


# --- the worker ------------------------------------------------------------------------------------------------------


def test_after_a_failure_that_is_not_pythons_the_rules_begin_again(page: Ask) -> None:
    data = (ROOT / "examples" / "mark" / "view.json").read_bytes()
    game = put(page, "kept.view.json", data)["game"]
    before, number = page("call", name="open", body={"game": game}), page("begun")["ok"]
    page("break")
    assert page("call", name="open", body={"game": game}) == before
    assert page("begun")["ok"] == number + 1


def test_what_is_shown_again_is_not_judged_again(page: Ask) -> None:
    """In the same language, and as long as its owner knows no more."""
    data = (ROOT / "examples" / "mark" / "view.json").read_bytes()
    first, puts = put(page, "again.view.json", data), page("puts")["ok"]
    assert put(page, "again.view.json", data) == first
    assert page("puts")["ok"] == puts
    put(page, "again.view.json", data, "de")
    assert page("puts")["ok"] == puts + 1
    page("break")
    assert put(page, "again.view.json", data)["game"] == first["game"]
    assert page("puts")["ok"] > puts + 1


def test_signatures_are_judged_by_the_package_where_there_is_one() -> None:
    """Tests of all modules load the program inside a page too: that must not change how anything is verified."""
    with pytest.raises(AssertionError, match="judged here"):
        judged.stand_in()
    assert Ed25519PublicKey is not judged.Ed25519PublicKey
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(bytes(32)).verify(bytes(64), b"")
