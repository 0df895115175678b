"""One front end, several engines: what the page without rules answers is what the program answers to the same calls, as
far as it offers them."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.app.calls import CALLS
from referee.crypto.codec import encode
from referee.engine.player import open_view
from referee.io import keyfile
from referee.page import assemble
from referee.page.aid import aid_of
from tests.app.window import window
from tests.page.browser import Browser, browsing, needs_browser
from tests.page.test_reading import GAMES
from tests.support.match import Sitting

PARTS = ("desk", "own", "player", "forms")
SIT_DOWN = """
const [me, view, aid] = arguments;
globalThis.sat ??= (async () => {
  const card = document.body.appendChild(document.createElement("div"));
  const opened = new Promise((done) => card.append($own.ownCard(async () => done())));
  $own.showOwn();
  const files = new DataTransfer();
  files.items.add(new File([me], "me.json"));
  document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: files }));
  await opened;
  const bytes = new TextEncoder().encode(view);
  const followed = await $player.followView($own.current(), bytes, {});
  $own.remember($own.current(), followed.player);
  const [rules, more] = await beside(bytes, followed.report, aid);
  const seat = { ...$desk.seatAt({ ...followed, unknown: [] }, more.aid, { to: "", subject: "" }), ...more };
  globalThis.engine = $desk.deskOf(rules, new Map([["x", seat]]));
  return [...engine.offers];
})();
return sat;
"""
AIDED = """
const bytesOf = (text) => new TextEncoder().encode(text);
globalThis.beside = async (view, report, aid) => [$light.light, $aid.readAid({ bytes: bytesOf(aid) })];
"""
RULED = """
globalThis.beside = async (bytes, report) => {
  const rules = $rules.makeRules($python.begin);
  const one = { name: "turn.json", bytes, report, player: $own.current() };
  return [$ruled.asking(rules), { aid: null, handle: await $judging.judgeByRules(rules, one) }];
};
"""
CALL = """
const [name, asked] = arguments;
return (async () => {
  const answer = await engine.call(name, { game: "x", ...asked });
  return [JSON.stringify(answer, (_, one) => (one instanceof Uint8Array ? new TextDecoder().decode(one) : one))];
})();
"""


class Desk:
    """The engine of the player's page, with a view: without rules and with its aid, or with rules and without one."""

    def __init__(
        self, browser: Browser, folder: Path, sitting: Sitting, seat: int, payloads: Mapping[str, bytes] = {}
    ) -> None:
        self.browser = browser
        path = folder / "engine.html"
        path.write_text(_page(payloads), "utf-8")
        browser.open(path)
        browser.wait("return globalThis.ready")
        me, aid = keyfile.dump(sitting.players[seat]).decode(), encode(aid_of(open_view(sitting.view(seat)))).decode()
        self.offers = set(browser.wait(SIT_DOWN, me, sitting.view(seat).decode(), "" if payloads else aid))

    def call(self, name: str, **asked: Any) -> Any:
        (text,) = self.browser.wait(CALL, name, asked)
        return json.loads(text)


def _page(payloads: Mapping[str, bytes]) -> str:
    """The modules of the engine, handed to tests, and what they need for rules."""
    parts = (*PARTS, *(("ruled", "rules", "python") if payloads else ("aid", "light")))
    order = dict.fromkeys(name for part in parts for name in assemble._order(part))
    digests = json.dumps({name: hashlib.sha256(part).hexdigest() for name, part in payloads.items()})
    blocks = [assemble._block(one, f"export const PAYLOADS = {digests};" * (one == "payloads")) for one in order]
    handed = "".join(f"globalThis.${name} = ${name};" for name in parts)
    script = "\n".join([*blocks, handed, RULED if payloads else AIDED, "globalThis.ready = true;"])
    carried = "".join(
        f'<script type="text/plain" id="payload-{name}">{base64.b64encode(part).decode()}</script>'
        for name, part in payloads.items()
    )
    return f'<!doctype html><meta charset="utf-8"><body>{carried}<script type="module">{script}</script>'


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as one:
        yield one


SAME_LOOK = ("title", "names", "seat", "round", "rounds", "picture", "language", "asked", "terms", "signs")
SAME_BESIDES = ("late", "hands_over", "returns", "tells", "vacant")


def story(opened: Any) -> list[tuple[Any, ...]]:
    return [(one["round"], one.get("lines", []), one.get("own", [])) for one in opened["look"]["told"]]


def deciding(game: str, *, sealed: bool) -> tuple[Sitting, int]:
    """A game at a point where somebody decides, something sealed or something open."""
    sitting = Sitting(game, 3, "engines").until(
        lambda one: one.round > 3 and one.opened(one.asked[0]).decides
        and bool(one.opened(one.asked[0]).ask.sealed) == sealed
    )  # fmt: skip
    return sitting, sitting.asked[0]


@needs_browser
@pytest.mark.parametrize(
    ("game", "sealed"), [*((game, False) for game in GAMES), ("mark", True), ("weg-zum-erfolg", True)]
)
def test_the_page_without_rules_answers_as_the_program(
    browser: Browser, tmp_path: Path, game: str, sealed: bool
) -> None:
    sitting, seat = deciding(game, sealed=sealed)
    home = tmp_path / "home"
    home.mkdir()
    (home / "key.json").write_bytes(keyfile.dump(sitting.players[seat]))
    (tmp_path / "turn.view.json").write_bytes(sitting.view(seat))
    light = Desk(browser, tmp_path, sitting, seat)
    assert light.offers < {*CALLS}
    assert {*CALLS} - light.offers == {
        "come_back", "hint", "invited", "office", "practice", "rules", "run", "send", "undo",
    }  # fmt: skip
    with window("turn.view.json", cwd=tmp_path, home=home) as program:
        handle = program.start["with"]["game"]

        def both(name: str, **asked: Any) -> tuple[Any, Any]:
            return program.call(name, handle, **asked), light.call(name, **asked)

        ours, theirs = both("open")
        assert ours["verdict"]["code"] == theirs["verdict"]["code"] == "ok"
        assert {name: ours["look"][name] for name in SAME_LOOK} == {name: theirs["look"][name] for name in SAME_LOOK}
        assert story(ours) == story(theirs)
        moves, listed = both("moves")
        assert moves == listed
        assert len(moves["choices"]) > 0
        ours, theirs = both("besides")
        assert {name: ours[name] for name in SAME_BESIDES} == {name: theirs[name] for name in SAME_BESIDES}
        standing = None
        if moves["standing"]:
            standing = next(one["move"] for one in moves["standing"]["choices"] if "parts" not in one)
            for given in (None, standing):
                ours, theirs = both("orders", standing=given)
                assert ours["now"] == theirs["now"]
                words = {one["text"]: one.get("form", one["move"]) for one in ours["choices"]}
                said = {one["text"]: one.get("form", one["move"]) for one in theirs["choices"]}
                assert said.items() <= words.items(), "what goes together, by what the host's program says of it"
                assert given is not None or said == words
        plain = [one["move"] for one in moves["choices"] if "parts" not in one] or [moves["choices"][0]["move"]]
        for move in plain[:2]:
            for orders in {str(one): one for one in (None, standing)}.values():
                ours, theirs = both("check", move=move, standing=orders)
                done, made = both("sign", move=theirs["move"], standing=orders, again=True)
                body = json.loads(made["bytes"])["body"]
                assert json.loads((tmp_path / done["file"]).read_bytes())["body"] == body
                assert theirs["move"].items() <= ours["move"].items() or ours["move"].items() <= theirs["move"].items()
        done, made = both("resign", again=True)
        assert json.loads((tmp_path / done["file"]).read_bytes())["body"] == json.loads(made["bytes"])["body"]
        done, made = both("tell", words="back")
        assert json.loads((tmp_path / done["file"]).read_bytes()) == json.loads(made["bytes"])


@needs_browser
def test_what_fits_no_line_of_the_list_is_refused(browser: Browser, tmp_path: Path) -> None:
    sitting, seat = deciding("schwarzer-freitag", sealed=False)
    light = Desk(browser, tmp_path, sitting, seat)
    ask = "return engine.call('check', { game: 'x', move: arguments[0] }).then(() => ['taken'], (one) => [one.code])"
    good = next(one.move for one in aid_of(sitting.opened(seat)).moves.choices if not one.parts)
    assert browser.wait(ask, json.loads(encode(good))) == ["taken"]
    for wrong in ({"do": "win"}, {}, {**json.loads(encode(good)), "more": 1}):
        assert browser.wait(ask, wrong) == ["no-move"]
    gone = "return engine.call('look', { game: 'y' }).then(() => ['shown'], (one) => [one.code])"
    assert browser.wait(gone) == ["no-game"]
    assert light.offers


# --- with rules ------------------------------------------------------------------------------------------------------

TRIED = """
const [name, asked] = arguments;
return engine.call(name, { game: "x", ...asked }).then(() => ["taken"], (one) => [one.code]);
"""


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_the_page_with_rules_answers_as_the_program(
    browser: Browser, tmp_path: Path, game: str, payloads: Mapping[str, bytes]
) -> None:
    """All that it shows and offers, without an aid; what is signed besides is the page's own."""
    sitting, seat = deciding(game, sealed=False)
    home = tmp_path / "home"
    home.mkdir()
    (home / "key.json").write_bytes(keyfile.dump(sitting.players[seat]))
    (tmp_path / "turn.view.json").write_bytes(sitting.view(seat))
    ruled = Desk(browser, tmp_path, sitting, seat, payloads)
    assert {"words", "rounds", "moves", "check", "orders"} <= ruled.offers
    with window("turn.view.json", cwd=tmp_path, home=home) as program:
        handle = program.start["with"]["game"]

        def same(name: str, **asked: Any) -> Any:
            ours, theirs = program.call(name, handle, **asked), ruled.call(name, **asked)
            if name == "check":  # the page signs elsewhere, so that its move is whole
                assert ours.pop("move").items() <= theirs["move"].items()
            assert {one: theirs[one] for one in ours} == ours
            return ours

        program.call("open", handle)
        last = same("look")["round"]
        assert same("look", round=1)["round"] == 1 < last
        moves = same("moves")
        orders = same("orders") if moves["standing"] else None
        standing = orders and next((one["move"] for one in orders["choices"] if "parts" not in one), None)
        if standing:
            assert same("orders", standing=standing)["changes"]
        for choice in moves["choices"][:3]:
            for given in {str(one): one for one in (None, standing)}.values():
                words, *_ = same("check", move=choice["move"], standing=given)["words"]
                assert same("check", words=words, standing=given)["words"][0] == words
        for wrong in ({"words": "win the game"}, {"words": "#999"}, {"move": {"no": "move"}}):
            code = program.refused("check", handle, **wrong)["code"]
            assert browser.wait(TRIED, "check", wrong) == [code]
        assert browser.wait(TRIED, "sign", {"move": {"no": "move"}}) == [code]
