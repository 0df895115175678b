"""The modules of the page at their bounds, and what they make of a page, in a browser."""

from collections.abc import Iterator

import pytest

from referee.page import assemble
from referee.svg import COLOURS, INK, SEATS
from tests.page.browser import Browser, browsing, needs_browser
from tests.page.node import HERE, PAGE, run_node


@pytest.mark.parametrize("script", ["edges.mjs", "rounds.mjs", "papers.mjs", "clicks.mjs"])
def test_every_module_at_its_bounds(script: str) -> None:
    """Each check has a name in its script."""
    done = run_node(HERE / script, PAGE)
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout.splitlines()
    assert [line for line in told if not line.startswith("ok ")] == []
    assert len(told) > 9


PARTS = ("dom", "charts", "verdict", "proof_panel", "draws", "keep", "texts", "board")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with an empty page in which the modules of our pages are at hand, as `$dom`, `$charts`..."""
    order = list(dict.fromkeys(name for part in PARTS for name in assemble._order(part)))
    handed = "".join(f"globalThis.${name} = ${name};" for name in PARTS)
    script = "\n".join([*map(assemble._block, order), handed, "globalThis.ready = true;"])
    path = tmp_path_factory.mktemp("edges") / "edges.html"
    head = f'<!doctype html><meta charset="utf-8"><style>{(PAGE / "page.css").read_text("utf-8")}</style>'
    path.write_text(f'{head}<body><script type="module">{script}</script>', "utf-8")
    with browsing() as browser:
        browser.open(path)
        browser.wait("return globalThis.ready")
        yield browser


@needs_browser
def test_elements_are_made_of_names_values_and_text(page: Browser) -> None:
    assert page.script("""
      let clicks = 0;
      const node = $dom.el("p", { id: "x", hidden: true, title: null, lang: false, size: 0, click: () => clicks++ },
        "a<b>", null, ["b", [undefined, "", 0]], $dom.el("i"));
      node.click();
      const told = [clicks, node.outerHTML];
      $dom.fill(node, "c", null, ["d"]);
      return [...told, node.outerHTML];
    """) == [
        1, '<p id="x" hidden="" size="0">a&lt;b&gt;b0<i></i></p>', '<p id="x" hidden="" size="0">cd</p>',
    ]  # fmt: skip
    assert page.script("""
      const shape = $dom.shape("svg", { viewBox: "0 0 1 1" });
      const link = $dom.download("a.json", new Uint8Array([1]), "save", { id: "d" });
      return [shape.namespaceURI, link.download, link.className, link.textContent, link.id, link.href.slice(0, 5),
              $dom.details("more", "inside").outerHTML, $dom.el("p", {}, $dom.marked("run `x y` now")).innerHTML,
              $dom.listed("none", []), $dom.listed("some", ["a", "b"], { id: "l" }, "de").outerHTML];
    """) == [
        "http://www.w3.org/2000/svg", "a.json", "button", "save", "d", "blob:",
        "<details><summary>more</summary>inside</details>", "run <code>x y</code> now", None,
        '<section id="l"><h3>some</h3><ul lang="de"><li>a</li><li>b</li></ul></section>',
    ]  # fmt: skip


@needs_browser
def test_a_picture_has_its_own_description(page: Browser) -> None:
    assert page.script("""
      const shown = (svg) => { const one = $board.pictureOf($board.drawn(svg), "a board");
        return [one.localName, one.role, one.ariaLabel, one.getAttribute("lang"), one.getAttribute("class")]; };
      const wide = '<svg xmlns="x" lang="de">';
      return [shown(wide + "<desc>rot &amp; &lt;blau&gt; &quot;&#39;</desc></svg>"),
              shown('<svg lang="de" width="360"><g/></svg>')];
    """) == [["svg", "img", "rot & <blau> \"'", "de", "board"], ["svg", "img", "a board", "de", "board narrow"]]


@needs_browser
def test_charts_are_drawn_to_scale_and_marked(page: Browser) -> None:
    told = page.script("""
      const figure = (label) => ({ label, series: [{ name: "Anna", colour: "", values: [0, 5, 10] },
                                                   { name: "red", colour: "red", values: [null, -10, null] }] });
      const [node, mark] = $charts.charts(["a", "b", "c", "d", "e"].map(figure), 3);
      mark(1);
      const one = node.querySelector("figure");
      const line = one.querySelector(".mark"), axis = one.querySelector(".axis");
      const said = () => [...one.querySelectorAll(".legend li")].map((item) => item.textContent);
      const first = said();
      mark(2);
      const drawn = (line) => [line.getAttribute("points"), line.getAttribute("class")];
      return [one.querySelector("figcaption").textContent, one.querySelector("svg").getAttribute("aria-label"),
              [...one.querySelectorAll("polyline")].map(drawn),
              [axis.getAttribute("x1"), axis.getAttribute("x2"), axis.getAttribute("y1"), axis.getAttribute("y2")],
              first, said(), [line.getAttribute("x1"), line.getAttribute("x2")],
              node.querySelectorAll(":scope > .charts > figure").length, node.querySelectorAll("details figure").length,
              node.querySelector("summary").textContent,
              $charts.charts([figure("a")], 3)[0].querySelector("details")];
    """)
    assert told == [
        "a (-10 – 10)", "a over time",
        [["6.0,60.0 160.0,33.0 314.0,6.0", "line line0 "], ["160.0,114.0", "line line1 red"]],
        ["6", "314", "60", "60"], ["Anna 5", "red -10"], ["Anna 10", "red –"], ["314", "314"], 4, 1,
        "More figures", None,
    ]  # fmt: skip


@needs_browser
def test_lines_of_players_have_the_colour_of_their_seat(page: Browser) -> None:
    """Also where a player is called like a colour. They have an edge, because some are light."""
    positions = [{"players": [{"gold": at + seat} for seat in range(8)], "price": {"red": at}} for at in range(2)]
    names = ["red", "Bert", "Carla", "Dirk", "Elsa", "Franz", "Greta", "Hugo"]
    drawn, keys, others = page.script(
        """const style = document.createElement("style");
      style.textContent = arguments[2];
      document.head.append(style);
      const [node, mark] = $charts.charts($charts.figures(arguments[0], arguments[1]), 2);
      mark(0);
      document.body.append(node);
      const [own, other] = node.querySelectorAll("figure");
      const of = (one, what) => getComputedStyle(one)[what];
      const found = [[...own.querySelectorAll("polyline")].map((one) => of(one, "stroke")),
                     [...own.querySelectorAll(".key")].map((one) => of(one, "borderTopColor")),
                     [...other.querySelectorAll("polyline")].map((one) => of(one, "stroke"))];
      node.remove();
      style.remove();
      return found;""",
        positions,
        names,
        assemble.seat_styles(),
    )
    wanted = [rgb(COLOURS[name]) for name in SEATS]
    assert drawn == [colour for one in wanted for colour in (rgb(INK), one)]
    assert keys == wanted
    assert others == [rgb("#c0392b")]


def rgb(colour: str) -> str:
    """As browsers write it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


@needs_browser
def test_a_verdict_says_what_is_checked_and_what_is_not(page: Browser) -> None:
    show = """
      const panel = $verdict.verdictPanel();
      const before = panel.textContent;
      $verdict.showVerdict(panel, arguments[0], "referee verify x", arguments[1]);
      return [before, { ...panel.dataset }, [...panel.children].map((line) => [line.className, line.textContent])];
    """
    use = ["unsure", "Rules: not checked here This page does not know the rules. referee verify x replays every round."]
    bad = {"ok": False, "code": "bad-draw", "round": 3, "words": "a draw is wrong", "blames": "host", "table": {}}
    assert page.script(show, bad, [["bad", "worse"], ["unsure", "and"]]) == [
        "Checking…", {"code": "bad-draw", "round": "3"},
        [["bad", "Round 3 is the first that is not valid: a draw is wrong (code bad-draw) The host signed this: it "
          "is a proof against the host."], use, ["bad", "worse"], ["unsure", "and"]],
    ]  # fmt: skip
    nobody = {**bad, "round": None, "blames": "", "table": None}
    assert page.script(show, nobody, [])[1:] == [
        {"code": "bad-draw", "round": ""},
        [["bad", "Not valid: a draw is wrong (code bad-draw) This blames nobody: whoever passed the file on may "
          "have changed it. Ask for it again."]],
    ]  # fmt: skip
    counts = {"signatures": 7, "draws": 8, "openings": 9}
    good = {"ok": True, "code": "ok", "kind": "view", "steps": [], "counts": counts, "words": "all is well"}
    assert page.script(show, {**good, "table": None}, [])[1:] == [
        {"code": "ok", "round": ""},
        [["good", "all is well"]],
    ]
    table = {"players": [{"kept": False}], "seats": 1}
    for draws, kind, title in (
        ("proved", "good", "Draws, signatures, links, openings: checked"),
        ("as recorded", "unsure", "Signatures, links, openings: checked. Draws: as the host recorded them; the "
                                  "transcript will prove them"),
    ):  # fmt: skip
        lines = page.script(show, {**good, "draws": draws, "table": table}, [])[2]
        told = f"{title} (rounds: 0, signatures: 7, draws: 8, private openings: 9)"
        assert (lines[0], lines[-1]) == ([kind, told], use)


@needs_browser
def test_a_proof_names_a_key_and_never_a_person(page: Browser) -> None:
    show = """
      const panel = $dom.el("section");
      $proof_panel.showProof(panel, arguments[0]);
      return [{ ...panel.dataset }, [...panel.children].map((line) => [line.className, line.textContent])];
    """
    proof = {"verdict": "proved", "code": "two-taken", "round": 4, "words": "two receipts", "key": "ab" * 32,
             "table": {"game": "cd" * 32}}  # fmt: skip
    assert page.script(show, proof) == [
        {"code": "two-taken", "verdict": "proved", "round": "4"},
        [["", "A proof of an offence"], ["bad", "Proved. Round 4: two receipts. (code two-taken)"],
         ["", f"Whoever has the key {'ab' * 32} signed this, as the host of game cdcdcdcd."],
         ["soft", "A proof names a key, never a person: anybody can start a game under any names and cheat in it."]],
    ]  # fmt: skip
    altered = {**proof, "verdict": "altered", "round": None, "table": None}
    assert page.script(show, altered) == [
        {"code": "two-taken", "verdict": "altered", "round": ""},
        [["", "A proof of an offence"], ["unsure", "Nothing is proved. two receipts. (code two-taken)"],
         ["", "This blames nobody: anybody could have made or changed this file."]],
    ]  # fmt: skip
    for code, told in (
        ("needs-rules", "This page does not know the rules, "),
        ("undecided", "This file alone is not enough"),
    ):
        _, lines = page.script(show, {**proof, "verdict": "undecided", "code": code})
        assert lines[2][1].startswith(told)
        assert len(lines) == 3


RED = {"slot": "bag.0.0", "face": "red"}
OPS = [
    ({"op": "die", "sides": 6, "values": [1, 5]}, "A die with 6 sides shows 1 and 5."),
    ({"op": "take", "bag": "bag", "tokens": [RED, RED]}, "Drawn face up from bag: 2 red."),
    ({"op": "take", "bag": "bag", "tokens": []}, "Drawn face up from bag: nothing."),
    ({"op": "lay-out", "bag": "bag", "tokens": [RED]}, "Laid out from bag: red."),
    ({"op": "lay-out-all", "bag": "bag", "tokens": [RED]}, "All laid out from bag: red."),
    ({"op": "lay-out-all", "bag": "bag", "face": "red", "tokens": []}, "All red laid out from bag: nothing."),
    ({"op": "deal", "bag": "bag", "into": "hand/1", "slots": ["bag.0.1"]},
     "Dealt face down from bag to hand of Bert: 1."),
    ({"op": "give", "seat": 1, "bag": "hand/0", "into": "bag", "slots": ["a", "b"]},
     "Bert gives tokens face down from hand of Anna to bag: 2."),
    ({"op": "seek", "seat": 0, "bag": "bag", "into": "hand/0"},
     "Anna searches bag; face down to hand of Anna: 0."),
    ({"op": "put", "bag": "bag", "faces": ["red", "blue"]}, "Put face up into bag: red, blue."),
    ({"op": "put", "bag": "bag", "faces": ["red"], "under": True}, "Put face up under bag: red."),
    ({"op": "shuffle", "bag": "bag", "leaves": ["x", "y"]},
     "bag is resealed (tokens in it: 2): nobody knows which token is where."),
    ({"op": "unseal", "seat": 1, "fields": {"bid": {"value": 3}, "on": {"value": "red"}}},
     "Bert reveals what was sealed: bid 3, on red."),
]  # fmt: skip


@needs_browser
def test_draws_are_explained_in_words_and_numbers(page: Browser) -> None:
    show = """
      const [report, step] = arguments;
      const nodes = $draws.whyDraws(report, step, ["Anna", "Bert"]).flat();
      const said = (one) => one.textContent;
      const line = (item) => [said(item.firstChild), [...item.querySelectorAll("li")].map(said)];
      return [[...nodes[0].children].map(line), nodes.slice(1, -1).map(said),
              [...nodes.at(-1).querySelectorAll("dt, dd")].map(said)];
    """
    report = {"table": {"hands": ["hand"], "seats": 2}}
    step = {
        "round": 9, "ops": [{**op, "draws": []} for op, _ in OPS], "links": [], "timeouts": [], "holding": False,
        "common": False, "keptOnly": False, "hostLink": {"link": "cc", "since": 7},
        "accBefore": "b", "acc": "a", "seed": "s", "id": "e",
    }  # fmt: skip
    lines, told, numbers = page.script(show, report, step)
    assert [words for words, _ in lines] == [words for _, words in OPS]
    assert lines[3][1] == ["slot bag.0.0: red (was put there face up)"]
    assert told == [], "nothing was drawn by chance"
    assert numbers == [
        "link of the host: hashed 2 ×, it gives the link of round 7", "cc", "previous accumulator", "b",
        "accumulator, from the previous one and these links", "a", "seed, from the accumulator", "s",
        "this entry, signed by the host", "e",
    ]  # fmt: skip
    quiet = {**step, "ops": []}
    assert page.script(show, report, quiet)[1] == ["Nothing was drawn in this round."]
    late = {**quiet, "timeouts": [1], "holding": True}
    assert page.script(show, report, late)[1] == [
        "A player missed the deadline, so nothing was played or drawn: all players are asked again."
    ]
    drawn = {
        **step, "links": [{"seat": 1, "link": "dd", "since": 8}],
        "ops": [{"op": "deal", "bag": "bag", "into": "hand/1", "slots": ["bag.0.1", "bag.0.2", "bag+1"],
                 "draws": [{"number": 0, "below": 12, "value": 7}, None]}],
    }  # fmt: skip
    ((_, rows),), told, numbers = page.script(show, report, drawn)
    assert rows == [
        "draw 0 from the seed, below 12: 7; slot bag.0.1: face down",
        "the next token of the tail: no draw; slot bag.0.2: face down", "slot bag+1: face down",
    ]  # fmt: skip
    assert told[0].startswith("By answering, Bert opened the next sealed envelope (a link), and so did the host.")
    assert told[1].startswith("Combined with all links opened before")
    assert len(told) == 2
    assert numbers[:2] == ["link of Bert: hashed 1 ×, it gives the link of round 8", "dd"]
    both = [*drawn["links"], {"seat": 0, "link": "d", "since": 1}]
    foreseen = {**drawn, "common": True, "keptOnly": True, "links": both}
    assert [line.partition(" ")[0] for line in page.script(show, report, foreseen)[1]] == ["Bert", "This", "Only"]
    nobody = page.script(show, report, {**drawn, "links": []})[1]
    assert nobody[0] == "Nobody answered; the host opened the next sealed envelope."


@needs_browser
def test_choices_are_kept_when_the_language_changes(page: Browser) -> None:
    assert page.script("""
      const heard = [];
      const make = () => ["<input value='1'>", "<input type=radio name=r>", "<input type=radio name=r>",
                          "<input type=checkbox checked>", "<select><option>a<option>b</select>",
                          "<textarea></textarea>", "<details></details>"];
      const node = document.createElement("div");
      document.body.append(node);
      const listen = (one) => ["click", "input", "change"].forEach((kind) =>
        one.addEventListener(kind, () => heard.push(`${one.localName} ${kind}`)));
      const fillIn = () => {
        node.innerHTML = make().join("");
        node.querySelectorAll("input, select, textarea").forEach(listen);
      };
      fillIn();
      const parts = () => [...node.children];
      parts()[0].value = "12"; parts()[2].checked = true; parts()[3].checked = false; parts()[4].value = "b";
      parts()[5].value = "text"; parts()[6].open = true;
      $keep.keeping(node, fillIn);
      const now = parts();
      const told = [now[0].value, ...[1, 2, 3].map((at) => now[at].checked), now[4].value, now[5].value, now[6].open];
      node.remove();
      return [told, [...new Set(heard)]];
    """) == [
        ["12", False, True, False, "b", "text", True],
        ["input input", "input click", "input change", "select change", "textarea input"],
    ]  # fmt: skip


STYLED = """
  const node = document.createElement("div");
  node.innerHTML = arguments[0];
  document.body.append(node);
  const found = node.querySelector(".it");
  const told = arguments[1].map((name) => getComputedStyle(found)[name]);
  node.remove();
  return told;
"""


@needs_browser
def test_styles_tell_things_apart(page: Browser) -> None:
    """Colours of verdicts and lines, what is hidden, what scrolls, what wraps."""

    def style(html: str, *names: str) -> tuple[str, ...]:
        return tuple(page.script(STYLED, html, list(names)))

    kinds = [style(f'<p class="it {kind}">', "color", "backgroundColor") for kind in ("good", "bad", "unsure")]
    assert len({colour for colour, _ in kinds}) == len({ground for _, ground in kinds}) == 3
    line = '<svg><polyline class="it line line{}"></svg>'
    lines = [style(line.format(at), "stroke", "strokeDasharray", "fill") for at in range(8)]
    keys = [style(f'<span class="it key key{at}">', "borderTopColor", "borderTopStyle") for at in range(8)]
    assert len({(stroke, dashes) for stroke, dashes, _ in lines}) == len(set(keys)) == 8
    assert [stroke for stroke, _, _ in lines] == [colour for colour, _ in keys]
    assert {fill for _, _, fill in lines} == {"none"}
    assert len({dashes for _, dashes, _ in lines[:4]}) == len({dashes for _, dashes in keys[:4]}) == 4
    assert (
        len({style(line.format(f"0 {name}"), "stroke") for name in ("yellow", "blue", "red", "green", "orange")}) == 5
    )
    for html, name, value in (
        ('<div class="standing"><h3 class="it">', "display", "none"),
        ('<input class="it" type="file">', "opacity", "0"),
        ('<button class="it" disabled>', "opacity", "0.45"),
        ('<div class="alone"><div class="it steps">', "position", "sticky"),
        ('<div class="it frame">', "overflowX", "auto"),
        ('<code class="it">', "overflowWrap", "anywhere"),
        ('<li class="it">', "overflowWrap", "anywhere"),
        ('<pre class="it">', "whiteSpace", "pre-wrap"),
        ('<svg class="it board">', "display", "block"),
        ('<ul class="it legend">', "listStyleType", "none"),
    ):
        assert style(html, name) == (value,), html
    main, plain = (style(f'<button class="it {kind}">', "color", "backgroundColor") for kind in ("main", ""))
    assert main[1] == plain[0], "the one that matters is filled"


# --- boards ----------------------------------------------------------------------------------------------------------

PICTURE = """<svg viewBox="0 0 100 100" width="100"><title>A &lt; B</title><desc>one
two</desc><g data-at="f:1"><rect x="10" y="20" width="30" height="30"/><g data-at="p:1"><circle cx="25" cy="35" r="4"/>
</g></g><g data-at="f:2"><path d="M5 6h4V9H7"/><text x="1" y="2">x</text><text x="1" y="2">y</text></g><g data-at="f:1">
<polygon points="1,2 3,4" onclick="x()" fill="url(#a)" stroke="red"/></g></svg>""".replace("\n", "")


@needs_browser
def test_a_board_is_rebuilt_of_plain_shapes_with_its_marks(page: Browser) -> None:
    told = page.script(f"""
      const {{ node, title, told, marks }} = $board.drawn({PICTURE!r});
      const [polygon] = node.querySelectorAll("polygon");
      return [title, told, [...marks].map(([mark, {{ nodes, look }}]) => [mark, nodes.length, look.x, look.y]),
        [...node.children].map((one) => one.tagName), polygon.getAttributeNames(),
        node.querySelector("[data-at='f:2']").textContent, node.namespaceURI.endsWith("/svg"),
        node.getAttribute("viewBox")];
    """)  # fmt: skip
    marks = [["f:1", 2, 10, 20], ["p:1", 1, 25, 35], ["f:2", 1, 5, 6]]
    assert told == ["A < B", "onetwo", marks, ["g"] * 3, ["points", "stroke"], "x y ", True, "0 0 100 100"]


@needs_browser
def test_a_picture_of_other_shapes_is_no_board(page: Browser) -> None:
    bad = [
        "", "text", "<rect/>", "<svg>", "<svg></g>", "<svg><script></script></svg>", "<svg></svg><g></g>",
        "x<svg></svg>", "<svg><image/></svg>", "<svg><a></a></svg>", "<svg><g></svg></g>",
        "<svg>" + "<g/>" * 20_000 + "</svg>",
    ]  # fmt: skip
    good = ["<svg></svg>", "<svg/>", "<svg><g/></svg>", "<svg>" + "<g/>" * 19_999 + "</svg>"]
    found = page.script(f"return {[*bad, *good]!r}.map((one) => $board.drawn(one) !== null)")
    assert found == [*[False] * len(bad), *[True] * len(good)]


@needs_browser
def test_what_has_changed_on_a_board_and_what_has_moved(page: Browser) -> None:
    """A line more at the top changes nothing; a text, a colour or another thing in a mark does."""
    told = page.script("""
      const rect = (mark, x, y, more = "", text = "") => `<g data-at="${mark}">
        <rect x="${x}" y="${y}" width="5"${more}/><text x="${x + 1}" y="${y}">${text}</text></g>`;
      const board = (...parts) => $board.drawn(`<svg>${parts.join("")}</svg>`);
      const before = board(rect("a:1", 1, 1), rect("b:1", 9, 1, "", "3"), rect("c:1", 20, 30));
      const all = (...parts) => [$board.changed(board(...parts), before), [...$board.moved(board(...parts), before)]];
      return [
        all(rect("a:1", 1, 1), rect("b:1", 9, 1, "", "3"), rect("c:1", 20, 30)),
        all(rect("a:1", 1, 2), rect("b:1", 9, 2, "", "3"), rect("c:1", 20, 31)),
        all(rect("a:1", 4, 2), rect("b:1", 9, 1, "", "4"), rect("c:1", 18, 30)),
        all(rect("a:1", 1, 1, ' fill="red"'), rect("d:1", 9, 1)),
        [$board.changed(before, null), [...$board.moved(before, null)]],
      ];
    """)
    assert told == [
        [[], []],
        [[], []],
        [["b:1"], [["a:1", [3, 1]], ["c:1", [-2, 0]]]],
        [["a:1", "d:1"], []],
        [[], []],
    ]


@needs_browser
def test_a_mark_is_outlined_twice_and_has_room_for_a_finger(page: Browser) -> None:
    told = page.script("""
      const { node, marks } = $board.drawn(`<svg viewBox="0 0 99 99">
        <g data-at="s:1"><rect x="10" y="20" width="5" height="30"/></g>
        <g data-at="l:1"><rect x="40" y="40" width="28" height="28"/></g></svg>`);
      document.body.append(node);
      const told = [];
      for (const mark of ["s:1", "l:1"]) {
        const [group] = marks.get(mark).nodes;
        for (const wanted of [true, true, false]) {
          $board.outline(group, wanted);
          const classes = [...group.children].map((one) => one.getAttribute("class") ?? "");
          const room = group.querySelector(".room");
          told.push([classes, room && ["x", "y", "width", "height"].map((name) => Number(room.getAttribute(name)))]);
        }
      }
      node.remove();
      return told;
    """)
    small = [["room", "", "ring dark", "ring light"], [-1.5, 20, 28, 30]]
    large = [["", "ring dark", "ring light"], None]
    assert told == [small, small, [[""], None], large, large, [[""], None]]
