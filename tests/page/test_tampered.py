"""Files and aids that are not as they should be, opened in a browser: the page names what is wrong, and where."""

import json
from typing import Any

import msgspec
import pytest

from referee.crypto.codec import encode
from referee.engine.player import open_view
from referee.errors import CheckFailed, RefereeError
from referee.evidence.replay import open_transcript
from referee.page.aid import aid_of
from tests.page.browser import Browser, needs_browser
from tests.page.desk import Desk
from tests.page.tampered import all_files, changed
from tests.page.test_agreement import verified
from tests.support.match import Sitting


@pytest.fixture(scope="module")
def desk(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(browser, tmp_path_factory.mktemp("desk"))


def told(browser: Browser) -> tuple[str, str, str]:
    """Code and round of the verdict, and what it says in red."""
    code, where = browser.verdict(), browser.script("return document.querySelector('.verdict').dataset.round")
    return code, str(where), browser.text(".verdict .bad")


def program(kind: str, data: bytes) -> RefereeError:
    with pytest.raises(RefereeError) as found:
        open_view(data) if kind == "view" else open_transcript(data)
    return found.value


@needs_browser
@pytest.mark.thorough
def test_a_bad_file_gets_the_right_code(desk: Desk) -> None:
    """All by the program and by the modules of the page under Node; one for each code on the page itself."""
    files = list(all_files())
    assert len(files) >= 55
    assert len({code for _, _, code, _ in files}) >= 20
    shown = {}
    for (kind, what, code, data), said in zip(
        files, verified([{"files": [f.decode()]} for *_, f in files]), strict=True
    ):
        error = program(kind, data)
        assert error.code == said["code"] == code, (what, said)
        shown.setdefault((kind, code), (what, data, error))
    for (kind, code), (what, data, error) in shown.items():
        desk.open(desk.give("file.json", data))
        found, where, words = told(desk.browser)
        assert found == code, (kind, what, found, words)
        assert f"code {code}" in words, what
        assert desk.browser.text(".verdict .good") == "", what
        if isinstance(error, CheckFailed) and error.step:
            assert where == str(error.step), what
            assert f"Round {where} is the first that is not valid" in words
        # What cannot be answered is not offered to be.
        assert desk.browser.find("#sign") == [], what


# --- aids ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table() -> Sitting:
    return Sitting("schwarzer-freitag", 3, "aids").until(lambda sitting: sitting.round > 3 and sitting.asked == [0])


def player_file(table: Sitting, seat: int) -> bytes:
    key = table.players[seat]
    inner = {"format": "pbem-referee/1/key", "name": key.name, "public": key.public.hex(), "secret": key.seed.hex()}
    return json.dumps({"format": "pbem-referee/1/player", "key": inner}, sort_keys=True, separators=(",", ":")).encode()


def aids(table: Sitting) -> dict[str, tuple[str, bytes]]:
    """How an aid was changed -> what the page must say about it, and the aid."""
    good = encode(aid_of(table.opened(0)))
    other = encode(aid_of(Sitting("schwarzer-freitag", 3, "another game").until(table.round).opened(0)))

    def made(**members: Any) -> bytes:
        return changed(good, lambda aid: aid.update(members))

    moves = json.loads(good)["moves"]
    return {
        "of another game": ("another game", other),
        "of another round": ("another round", made(round=table.round - 1)),
        "of another seat": ("another seat", made(seat=1)),
        "for another question": ("another question", made(moves={**moves, "asked": "auction"})),
        "with another member": ("wrong shape: more", made(more=1)),
        "with moves that are none": ("wrong shape", made(moves={**moves, "choices": [{"text": "win"}]})),
        "with a story that is none": ("wrong shape: told", made(told=[{"round": "<b>1</b>"}])),
        "cut off": ("wrong shape", good[:-5]),
    }


@needs_browser
@pytest.mark.thorough
def test_an_aid_that_does_not_belong_to_its_view_is_ignored(desk: Desk, table: Sitting) -> None:
    view = desk.give("view.json", table.view(0))
    mine = desk.give("anna.json", player_file(table, 0))
    desk.open(view, desk.give("good.json", encode(aid_of(table.opened(0)))), mine=mine)
    assert desk.browser.verdict() == "ok"
    assert len(desk.browser.find("#moves .line")) > 5
    for what, (words, data) in aids(table).items():
        desk.open(view, desk.give("aid.json", data))
        assert desk.browser.verdict() == "ok", what
        if what != "cut off":
            assert words in desk.browser.text(".verdict .bad"), what
        assert desk.browser.find("#moves .line") == [], what
        assert "This view came without an aid" in desk.browser.text("#bar"), what


@needs_browser
def test_a_label_that_says_buy_and_a_move_that_says_sell_are_both_shown(desk: Desk, table: Sitting) -> None:
    """Nothing can keep a host from writing a false label; what is signed stands beside it."""
    aid = json.loads(encode(aid_of(table.opened(0))))
    sell = {"do": "sell", "drop": "red", "mark": "red", "shares": {"red": 1}}
    aid["moves"]["choices"] = [{"text": "buy red", "move": sell}]
    data = json.dumps(aid, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    mine = desk.give("anna.json", player_file(table, 0))
    desk.open(desk.give("view.json", table.view(0)), desk.give("aid.json", data), mine=mine)
    line = desk.browser.text("#moves .line")
    assert "buy red" in line
    assert "You would sign: do: sell" in line
    signing = desk.choose(0, {})
    assert "do: sell" in signing
    assert "buy" not in signing
    assert "“buy red”" in desk.called()
    desk.sign()
    assert msgspec.json.decode(desk.signed())["body"]["answer"] == sell


@needs_browser
def test_two_stories_of_one_host_are_found_side_by_side(desk: Desk) -> None:
    """Each view is good by itself."""
    one = Sitting("mark", 3, "two").until(4)
    other = one.fork()
    one.step(one.asked[0])
    other.step()
    assert one.view(0) != other.view(0)
    files = desk.give("one.json", one.view(0)), desk.give("other.json", other.view(0))
    desk.open(*files)
    codes = desk.browser.script("return [...document.querySelectorAll('.verdict')].map((one) => one.dataset.code)")
    assert codes == ["ok", "ok", "two-entries"]
    # A player who has seen the one is told so when the other comes, days later and alone.
    mine = desk.give("anna.json", player_file(one, 0))
    desk.open_page()
    desk.open(files[0], mine=mine)
    desk.save()
    desk.open_page()
    desk.open(files[1], mine=desk.mine)
    assert desk.browser.verdict() == "two-entries"
    assert "proof against the host" in desk.browser.text(".verdict .bad")
