"""What only a person's hands reach: files that are dropped, buttons, boxes, keys; and every line that a round shows."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from referee.page import assemble
from tests.page.browser import Browser, browsing, needs_browser

pytestmark = needs_browser

PARTS = ("dom", "sending", "parts", "game", "charts", "switch", "texts", "blocks", "own")
TOLD = "const said = (one) => one.textContent; const all = (node, what) => [...node.querySelectorAll(what)].map(said);"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with an empty page in which the modules of our pages are at hand, as `$dom`, `$charts`..."""
    order = list(dict.fromkeys(name for part in PARTS for name in assemble._order(part)))
    handed = "".join(f"globalThis.${name} = ${name};" for name in PARTS)
    script = "\n".join([*map(assemble._block, order), handed, "globalThis.ready = true;"])
    path = tmp_path_factory.mktemp("hands") / "hands.html"
    path.write_text(f'<!doctype html><meta charset="utf-8"><body><script type="module">{script}</script>', "utf-8")
    with browsing() as browser:
        browser.open(path)
        browser.wait("return globalThis.ready")
        yield browser


def test_files_are_dropped_or_picked_and_a_place_shows_where(page: Browser) -> None:
    page.script("""
      globalThis.taken = [];
      globalThis.picked = [];
      const take = async (files) => { taken.push(files.map((one) => one.name)); };
      const zone = $dom.dropZone("here", take, "pick", "or drop");
      document.body.append(zone);
      const files = new DataTransfer();
      for (const name of ["b.json", "a.json"]) files.items.add(new File(["x"], name));
      globalThis.send = (kind) => {
        const event = new DragEvent(kind, { cancelable: true, dataTransfer: files });
        zone.dispatchEvent(event);
        picked.push([kind, event.defaultPrevented, zone.classList.contains("over")]);
      };
      for (const kind of ["dragover", "dragleave", "dragover", "drop"]) send(kind);
      const input = zone.querySelector("input");
      input.files = files.files;
      input.dispatchEvent(new Event("change"));
    """)
    page.wait("return document.getElementById('here').value === ''")
    assert page.script("return [taken, picked]") == [
        [["b.json", "a.json"]] * 2,
        [["dragover", True, True], ["dragleave", False, False], ["dragover", True, True], ["drop", True, False]],
    ]
    look = "const input = document.getElementById('here'); return [input.type, input.multiple]"
    assert page.script(look) == ["file", True]


@pytest.mark.parametrize("works", [True, False])
def test_a_signed_document_is_copied_saved_or_mailed(page: Browser, works: bool) -> None:
    """With a clipboard and without; a statement beside a move has separate ids."""
    page.script(
        """
      globalThis.copied = [];
      const writeText = async (text) => { if (!arguments[0]) throw new Error("no"); copied.push(text); };
      Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
      document.execCommand = (what) => copied.push(`${what} ${getSelection()}`.trim());
      document.body.replaceChildren(...["move", "word"].map((kind) => $sending.sending({ kind, name: `${kind}.json`,
        bytes: new Uint8Array(100).fill(7), reply: { to: kind === "move" ? "h@x.example" : "", subject: "" },
        subject: "mine", title: kind === "move" ? "signed" : "" })));
      document.getElementById("copy").click();
    """,
        works,
    )
    told = page.wait("return document.querySelector('.row [role=status]').textContent")
    block = page.script("return $blocks.writeBlock('move', new Uint8Array(100).fill(7))")
    (copied,) = page.script("return copied")
    assert copied.startswith(block.strip() if works else "copy")
    assert told == page.script("return $texts.t('copied')")
    for kind, before in (("move", ""), ("word", "word-")):
        link, file, name, text, only = page.script(
            """
          const [at] = arguments, find = (id) => document.getElementById(at + id);
          return [find("mail").href, find("file").download, find("mail").textContent, find("block").value,
                  find("block").readOnly];
        """,
            before,
        )
        parts = urlsplit(link)
        assert parts.path == ("h@x.example" if kind == "move" else "")
        said = parse_qs(parts.query)
        assert said["subject"] == ["Re: mine"]
        assert said["body"][0].replace("\r\n", "\n") == text
        assert "\r\n" in said["body"][0]
        assert f"BEGIN PBEM REFEREE {kind.upper()}-" in text
        assert text.endswith("-----\n\n-- \npbem-referee/program\n")
        assert (file, only) == (f"{kind}.json", True)
        assert name == page.script(f"return $texts.t('send mail{'' if kind == 'move' else ' no address'}')")
    made = page.script("""
      $sending.madeBy(() => "page+rules");
      const made = $sending.sending({ kind: "word", name: "", bytes: new Uint8Array(9), reply: {} });
      $sending.madeBy(() => "program");
      return made.querySelector("textarea").value;""")
    assert made.endswith("\n-- \npbem-referee/page+rules\n")
    titles = page.script("return [...document.querySelectorAll('p.good, p.soft')].map((one) => one.textContent)")
    assert titles == page.script("return [$texts.t('signed'), $texts.t('send mail to', { to: 'h@x.example' })]")


def control(page: Browser, part: dict[str, Any], values: dict[str, Any], act: str) -> Any:
    """What a control of a part gives after an action; with each value it is made again, as on a table."""
    return page.script(
        """
      const [part, values] = arguments, told = [], look = { names: ["Anna", "Bert"], language: "en" };
      const show = () => {
        const candidate = { choice: { text: "", parts: [part] }, values };
        document.body.replaceChildren($parts.control(candidate, part, look, set));
      };
      const set = (value) => { told.push(value); values[part.name] = value; show(); };
      const all = (what) => [...document.querySelectorAll(what)];
      const type = (text) => { all("input")[0].value = text; all("form")[0].requestSubmit(); };
      show();
      """
        + act,
        {"name": "p", "ask": "Which?", **part},
        values,
    )


def test_an_option_is_pressed_and_shows_it(page: Browser) -> None:
    options = [{"text": f"o{number}", "value": number} for number in range(3)]
    act = """const pressed = () => all("button").map((one) => one.ariaPressed);
      const seen = [pressed()];
      for (const at of [2, 0]) { all("button")[at].click(); seen.push(pressed()); }
      return [told, seen];"""
    told, seen = control(page, {"type": "pick", "options": options}, {}, act)
    assert told == ["o2", "o0"]
    assert seen == [["false"] * 3, ["false", "false", "true"], ["true", "false", "false"]]


def test_numbers_are_taken_when_they_are_whole(page: Browser) -> None:
    """Those out of range are not sent off at all: the browser says so."""
    act = """for (const text of ["2", "5", "1", "6", "", "3", "x"]) type(text);
      return [told, all("input")[0].min, all("input")[0].max];"""
    assert control(page, {"type": "number", "low": 2, "high": 5}, {}, act) == [[2, 5, 2, 3, 2], "2", "5"]


def test_amounts_are_counted_up_and_down_within_their_ends(page: Browser) -> None:
    act = """const press = (at) => all("button")[at].click();
      const ends = () => all("button").map((one) => one.disabled);
      const seen = [ends()];
      for (const at of [3, 3, 1, 2]) { press(at); seen.push(ends()); }
      return [told, seen, document.body.textContent];"""
    told, seen, words = control(page, {"type": "amounts", "most": {"@1": 1, "red": 2}}, {}, act)
    assert told == [{"red": 1}, {"red": 2}, {"red": 2, "@1": 1}, {"red": 1, "@1": 1}]
    assert seen[0] == [True, False, True, False], "nothing to take away"
    assert seen[2] == [True, False, False, True], "no more of the second"
    assert seen[4] == [False, True, False, False]
    assert "Bert" in words


def test_a_free_text_is_taken_if_all_of_it_can_be_seen(page: Browser) -> None:
    act = """const seen = [];
      for (const text of [" e\\u0301 ", "a\\u202eb", "", "ok"]) {
        type(text); seen.push([told.at(-1) ?? null, all(".bad")[0].hidden]);
      }
      return [seen, all("input")[0].maxLength, document.body.textContent.includes("HOW")];"""
    seen, longest, how = control(page, {"type": "free", "longest": 6, "how": "HOW"}, {}, act)
    assert seen == [["\u00e9", True], ["\u00e9", False], ["\u00e9", True], ["ok", True]]
    assert (longest, how) == (6, True)


STEP: dict[str, Any] = {
    "round": 1, "ops": [], "links": [], "timeouts": [], "holding": False, "common": False, "keptOnly": False,
    "hostLink": {"link": "cc", "since": 1}, "accBefore": "b", "acc": "a", "seed": "s", "id": "e", "hands": {},
    "asked": {}, "due": "", "bank": [], "used": [], "out": [], "end": "", "result": None, "entry": {"answers": []},
    "players": [{"name": "Anna"}, {"name": "Bert"}, {"name": "Carla"}],
    "next": [{"name": "Anna"}, {"name": "Berta"}, {"name": "Carla"}],
}  # fmt: skip


def game(page: Browser, steps: list[dict[str, Any]], rounds: list[Any], what: str, **more: Any) -> Any:
    """Something of a game that is shown: `what` is evaluated in the page."""
    table = {"game": "ab" * 32, "terms": {"game": "x", "edition": {}}, "seats": 3, "hands": ["hand"]}
    report = {"steps": [{**STEP, "round": at, **step} for at, step in enumerate(steps, 1)], "table": table,
              "seat": more.pop("seat", None), "state": {"players": STEP["next"]}, "players": STEP["next"]}  # fmt: skip
    return page.script(
        f"""{TOLD}
      history.replaceState(null, "", arguments[3] ?? "#");
      const [report, rounds, options] = arguments, t = $texts.t;
      Object.assign(report.table, {{ players: report.players }});
      for (const round of rounds) if (round.drawn) round.picture = () => round.drawn;
      const node = $game.gameView(report, rounds, options);
      document.body.replaceChildren(node);
      {what}
    """,
        report,
        rounds,
        {"folded": more.pop("folded", False)},
        more.pop("hash", "#"),
    )


def test_a_game_is_stepped_through_with_keys_that_fields_do_not_need(page: Browser) -> None:
    assert game(
        page,
        [{}] * 5,
        [],
        """
      const place = () => Number(node.querySelector("input[type=range]").value), seen = [place(), location.hash];
      const field = $dom.el("input", {}), list = $dom.el("select", {}), area = $dom.el("textarea", {});
      document.body.append(field, list, area);
      const press = (key, where = document.body) => {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        where.dispatchEvent(event);
        seen.push([key, place(), event.defaultPrevented]);
      };
      press("ArrowLeft"); press("Home"); press("Home"); press("ArrowRight"); press("End"); press("Enter");
      for (const one of [field, list, area]) press("Home", one);
      seen.push(location.hash, node.querySelector("input[type=range]").max);
      node.remove();
      press("Home");
      return seen;
    """,
        hash="#round-4",
    ) == [
        4, "#round-4", ["ArrowLeft", 3, True], ["Home", 1, True], ["Home", 1, True], ["ArrowRight", 2, True],
        ["End", 5, True], ["Enter", 5, False], *[["Home", 5, False]] * 3, "#round-5", "5", ["Home", 5, False],
    ]  # fmt: skip
    # Where there is more than the game on a page, its address stays.
    what = "return [node.querySelector('input[type=range]').value, location.hash]"
    assert game(page, [{}] * 3, [], what, folded=True, hash="#round-2") == ["3", "#round-2"]


def test_a_board_stays_as_large_as_it_was_made(page: Browser) -> None:
    drawn = [{"drawn": f'<svg lang="en"><desc>board {number}</desc></svg>'} for number in (1, 2)]
    seen = game(
        page,
        [{}] * 2,
        drawn,
        """
      const find = (what) => node.querySelector(what);
      const look = () => [find(".frame").classList.contains("large"), find("svg").ariaLabel];
      const seen = [look()];
      node.querySelector(".zoom button").click();
      seen.push(look());
      node.querySelector(".steps button").click();
      seen.push(look());
      node.querySelector(".zoom button").click();
      return [...seen, look()];
    """,
    )
    assert seen == [[False, "board 2"], [True, "board 2"], [True, "board 1"], [False, "board 1"]]


def test_hands_are_shown_in_the_order_of_the_seats_as_far_as_they_are_known(page: Browser) -> None:
    hands = {"hand/2": ["red"], "hand/0": [], "hand/1": ["card-10", None, "card-9", "card-9", None]}
    what = """return [said(node.querySelector(".hands h3")), all(node, ".hands li"),
      [t("hands"), t("own hand")], [t("hand of", { name: "Anna", hand: "hand", faces: t("empty") }),
       t("hand of", { name: "Bert", hand: "hand", faces: `2 card-9, card-10, ${t("hidden", { count: 2 })}` }),
       t("hand of", { name: "Carla", hand: "hand", faces: "red" })]];"""
    heading, lines, (every, own), wanted = game(page, [{"hands": hands}], [], what)
    assert (heading, lines) == (every, wanted)
    heading, lines, _, _ = game(page, [{"hands": {**hands, "hand/2": [None]}}], [], what, seat=0)
    assert (heading, lines) == (own, wanted[:2]), "of others only what is known for certain"


def test_the_status_of_a_game_is_shown_line_by_line(page: Browser) -> None:
    lines = "return all(node, '.standing li')"
    step = {
        "asked": {"0": {"what": "bid"}, "1": None, "2": {"what": "buy"}}, "due": "2027-01-05T18:07Z",
        "bank": [60, 120, 180], "used": [[2, 1440]], "out": [1], "timeouts": [1],
        "entry": {"answers": [], "successions": [{"body": {"name": "Berta", "seat": 1}}], "returns": [{"seat": 1}]},
    }  # fmt: skip
    wanted = page.script("""const t = $texts.t, { moment, duration, joinedWords } = $texts; return [
      t("missed", { name: "Bert" }), t("takes over", { name: "Berta", last: "Bert" }),
      t("comes back", { name: "Berta" }), t("to act", { who: joinedWords([t("acts", { name: "Anna", what: "bid" }),
      t("acts", { name: "Carla", what: "buy" })]) }),
      t("to confirm", { who: "Berta" }), t("deadline", { due: moment("2027-01-05T18:07Z") }),
      t("banks", { who: joinedWords(["Anna 1 hour", "Berta 2 hours", "Carla 3 hours"]) }),
      t("bank used", { name: "Carla", round: 1, spent: "1 day", left: "3 hours" }), t("out", { who: "Berta" })]""")
    assert game(page, [step], [], lines) == wanted
    without = game(page, [{**step, "due": ""}], [], lines)
    assert without == [line for at, line in enumerate(wanted) if at not in (5, 6)]
    result = {"ranks": [3, 1, 2], "scores": [[1], [9, 2], [4]], "out": [2]}
    over = page.script("""const t = $texts.t; return Object.fromEntries([["", "over"], ["left", "over left"],
      ["void", "over void"]].map(([end, key]) => [end, [t(key), ...[["Berta", "9, 2"],
      [t("marked out", { name: "Carla" }), "4"], ["Anna", "1"]].map(([name, score], at) =>
      t(end === "left" ? "rank" : "score", { rank: at + 1, name, score }))]]))""")
    for end, key in (("played", ""), ("left", "left"), ("void", "void")):
        assert game(page, [{"end": end, "result": result}], [], lines) == over[key]
    assert game(page, [{"end": "void"}], [], lines) == over["void"][:1]


def test_a_story_is_shown_to_its_reader_and_answers_expand(page: Browser) -> None:
    answers = [
        {"seat": 0, "answer": {"bid": 3}, "commit": {"on": "x"}, "standing": {"pass": True}, "protest": "p"},
        {"seat": 1, "resign": True, "answer": {"bid": 1}}, {"seat": 2},
    ]  # fmt: skip
    said = [{"told": ["it rains"], "own": ["I see"], "news": [[0, ["to Anna"]], [1, ["to Bert"]]]}]
    what = """const heads = all(node, ".beside h3");
      return [all(node, ".story li"), heads, all(node, ".beside section li"), all(node, ".beside details ul li")];"""
    story, heads, every, told = game(page, [{"entry": {"answers": answers}}], said, what, seat=1)
    mine, theirs, head, wanted, silent = page.script("""const t = $texts.t, { spoken } = $texts;
      const answered = (name, ...fields) => t("answered", { name, fields: fields.join("; ") });
      return [t("only you"), t("only they", { name: "Anna" }), t("story"),
        [answered("Anna", spoken({ bid: 3 }), t("sealed", { fields: "on" }),
         t("says", { words: spoken({ pass: true }) }), t("protests")), answered("Bert", t("resigns")),
         answered("Carla", t("bare"))], t("story silent")]""")
    assert (story, told) == (["it rains"], wanted)
    assert heads == [head, mine, theirs, mine]
    assert every == ["it rains", "I see", "to Anna", "to Bert"]
    assert game(page, [{}], [{"told": []}], what)[0] == [silent]
    assert game(page, [{}], [{}], what)[0] == []


@pytest.mark.parametrize("known", [(), (1,), (0, 2), (0, 1, 2)])
def test_figures_are_shown_if_any_position_is_known(page: Browser, known: tuple[int, ...]) -> None:
    """A line needs two positions; a round without one has no figures."""
    rounds = [{"public": {"week": at + 5, "dull": 1}} if at in known else {} for at in range(3)]
    what = """const seen = [];
      for (const at of [0, 1, 2]) {
        node.querySelectorAll(".steps button")[0].click();
        for (let on = 0; on < at; on++) node.querySelectorAll(".steps button")[2].click();
        seen.push([...node.querySelectorAll(".figures pre")].map((one) => one.textContent.includes(at + 5)));
      }
      return [node.querySelectorAll("section.figures").length, node.querySelectorAll("figure").length, seen];"""
    parts, charts, seen = game(page, [{}] * 3, rounds, what)
    assert (parts, charts) == (bool(known), len(known) > 1)
    assert seen == [[True] if at in known else [] for at in range(3)]


def test_figures_of_players_come_first_and_then_those_that_change_most(page: Browser) -> None:
    """What never changes, or has too many lines, is not shown."""
    positions = [
        {"dull": 1, "week": at, "price": [at % 2, 5], "players": [{"gold": at, "debt": at % 2}, {"gold": 7}],
         "crowd": [at] * 9, "eight": [at] * 8, "goods": [{"name": "tea", "left": at}], "place": [[0, at]],
         "table": {"red": at}, "gone": None if at else 3}
        for at in range(3)
    ]  # fmt: skip
    found = page.script(
        """const found = $charts.figures(arguments[0], ["Anna"], { place: [[4, 5, 6]] }, { price: ["Bank", "Mint"] });
           const line = (one) => [one.name, one.colour, one.values];
           return found.map(({ label, own, series }) => [label, own, series.map(line)]);""",
        positions,
    )
    labels = [label for label, *_ in found]
    assert labels[:3] == ["gold", "price", "debt"] or labels[:3] == ["gold", "debt", "price"]
    assert [own for _, own, _ in found] == [True] * 3 + [False] * (len(found) - 3)
    assert labels[3] == "eight", "sixteen changes"
    assert sorted(labels[4:]) == ["goods, left", "place", "table", "week"]
    figures = {label: series for label, _, series in found}
    assert figures["gold"] == [["Anna", "seat seat0", [0, 1, 2]], ["2", "seat seat1", [7, 7, 7]]]
    assert figures["price"] == [["Bank", "", [0, 1, 0]], ["Mint", "", [5, 5, 5]]]
    assert figures["place"] == [["1", "", [4, 5, 6]]]
    assert figures["goods, left"] == [["tea", "", [0, 1, 2]]]
    assert figures["table"] == [["red", "red", [0, 1, 2]]]


@pytest.mark.parametrize("count", [4, 5])
def test_the_first_charts_are_open_and_others_expand(page: Browser, count: int) -> None:
    opened, folded = page.script(
        """const one = (at) => ({ label: `f${at}`, series: [{ name: "x", colour: "", values: [at, null] }] });
      const [node, mark] = $charts.charts(Array.from({ length: arguments[0] }, (_, at) => one(at)), 2);
      const inside = (what) => node.querySelectorAll(what).length;
      mark(1);
      const none = node.querySelector(".legend").textContent;
      mark(0);
      if (none !== "x –" || node.querySelector(".legend").textContent !== "x 0") throw new Error(none);
      return [inside(":scope > .charts > figure"), inside("details figure")];""",
        count,
    )
    assert (opened, folded) == (4, count - 4)


def test_a_language_is_chosen_by_a_click_and_kept(page: Browser) -> None:
    page.script("""
      localStorage.clear();
      globalThis.times = 0;
      const show = () => document.body.replaceChildren($switch.languageSwitch(async () => { times++; show(); }));
      show();
      document.querySelector("#language [lang=nl]").click();
    """)
    page.wait("return document.activeElement.lang === 'nl'")
    seen = page.script("""
      const pressed = [...document.querySelectorAll("#language button")].map((one) => [one.lang, one.ariaPressed]);
      return [times, $texts.currentLanguage(), document.documentElement.lang, Object.values(localStorage), pressed];
    """)
    assert seen == [1, "nl", "nl", ["nl"], [["en", "false"], ["de", "false"], ["nl", "true"]]]
    order = """const [kept, usual] = arguments; localStorage.clear(); $texts.setLanguage("en");
      if (kept) localStorage.setItem("pbem-referee language", kept);
      $switch.speakToReader(usual);
      return [$texts.currentLanguage(), document.documentElement.lang];"""
    cases = {("de", "nl"): "de", ("", "nl"): "nl", ("xx", "de"): "de", ("", "xx"): "en", ("", ""): "en"}
    for (kept, usual), wanted in cases.items():
        assert page.script(order, kept, usual) == [wanted] * 2
    page.script("localStorage.clear(); $texts.setLanguage('en')")


def test_a_key_is_made_only_for_a_readable_name(page: Browser) -> None:
    page.script("document.body.replaceChildren($own.ownCard(async () => $own.showOwn())); $own.showOwn();")
    make = """document.getElementById("name").value = arguments[0]; document.getElementById("make").click();"""
    for wrong in ("", "   ", "a\u202eb"):
        page.script(make, wrong)
        page.wait("return document.querySelector('[role=alert]').textContent")
        assert page.script("return $own.current()") is None
    page.script(make, "  Anna  ")
    page.wait("return $own.current()")
    found = json.loads(page.script("return JSON.stringify($own.current())"))
    assert (found["name"], found["tickets"]) == ("Anna", [])
    assert page.script("""
      const event = new Event("beforeunload", { cancelable: true });
      dispatchEvent(event);
      return event.defaultPrevented;
    """), "it is in no file yet"
