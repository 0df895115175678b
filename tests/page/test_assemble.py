"""How modules become one script, and what an aid tells: each rule by itself."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.crypto.codec import encode
from referee.page import aid, assemble
from tests.page import alike
from tests.page.node import run_node
from tests.support.match import Sitting


@pytest.mark.parametrize(
    ("source", "lean"),
    [
        ("a  +  b", "\na + b"), ("a = b", "\na=b"), ("return  x", "\nreturn x"), ("a /* x */ b", "\na b"),
        ("x = a / b", "\nx=a / b"), ("a - -b", "\na - -b"), ("$a in _b", "\n$a in _b"), ("a // x\nb", "\na\nb"),
        ("if (a)  {\n  b;\n}\n", "\nif(a){b;}"), ("f(\n  a,\n  b,\n)", "\nf(a,b,)"), ("[\n1\n]", "\n[1]"),
        ("a\n  .b()", "\na.b()"), ("a;\n\n\nb", "\na;b"), ("a\n// x\n\nb", "\na\nb"), ("}\nb", "\n}\nb"),
        ("a\n};", "\na};"), ("a\n);b", "\na);b"),
        ("'a  //b'  +  \"c  d\"", "\n'a  //b' + \"c  d\""), ("`a\n  b` ", "\n`a\n  b`"), ('"\\"  "', '\n"\\"  "'),
        ("x = /a  [/ ]/g  ;", "\nx= /a  [/ ]/g;"), ("f(/  /)", "\nf(/  /)"), ("return /  /.x", "\nreturn /  /.x"),
    ],
)  # fmt: skip
def test_only_comments_and_indents_are_left_out(source: str, lean: str) -> None:
    assert assemble._stripped(source) == lean


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Replaces the modules of the pages by these."""
    made: dict[str, str] = {}
    monkeypatch.setattr(assemble, "_source", made.__getitem__)
    assemble._script.cache_clear()
    yield made
    assemble._script.cache_clear()


def test_modules_come_after_what_they_import(sources: dict[str, str]) -> None:
    sources |= {
        "a.mjs": 'import { b, c as d } from "./b.mjs";\nimport {\n  e,\n} from "./c.mjs";\nb(d, e);\n',
        "b.mjs": 'import { e } from "./c.mjs";\nexport const b = 1;\nexport function c() {}\nconst hidden = 2;\n',
        "c.mjs": "export class e {}\nexport async function f() {}\nexport function* g() {}\n",
    }
    assert assemble._order("a") == ["c", "b", "a"]
    blocks = assemble._script("a").split("\nconst $")
    assert [block.removeprefix("const $").split(" ")[0] for block in blocks] == ["c", "b", "a"]
    assert blocks[0] == (
        "const $c = await (async () => {\nclass e{}\nasync function f(){}\nfunction*g(){}\nreturn {e, f, g};\n})();"
    )
    assert "\nreturn {b, c};\n" in blocks[1]
    assert "const{b,c:d}=$b;const{e}=$c;b(d,e);" in blocks[2]
    assert blocks[2].endswith("\nreturn {};\n})();")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ('import { b } from "./a.mjs";\n', "modules import each other: a > a"),
        ('import { b } from "./b.mjs";\n', "modules import each other: a > b > a"),
        ('import * as b from "./c.mjs";\n', r"a.mjs: an import or export that cannot be inlined: 'import \* as b"),
        ("export default 1;\n", "a.mjs: an import or export that cannot be inlined: 'export default"),
        ('const a = "</SCRIPT>";\n', "a script must not end its own element"),
        ('const a = "<!--";\n', "a script must not end its own element"),
    ],
)
def test_modules_that_cannot_be_assembled_are_refused(sources: dict[str, str], source: str, why: str) -> None:
    sources |= {"a.mjs": source, "b.mjs": 'import { a } from "./a.mjs";\n', "c.mjs": ""}
    with pytest.raises(AssertionError, match=why):
        assemble._script("a")


# --- aids -------------------------------------------------------------------------------------------------------------


def told(sitting: Sitting, seat: int = 0) -> dict[str, object]:
    return dict(json.loads(encode(aid.aid_of(sitting.opened(seat)))))


def test_an_aid_has_the_terms_before_the_game_and_the_board_and_last_rounds_in_it() -> None:
    sitting = Sitting("mark", 3, "aids")
    before = told(sitting)
    assert before["terms"]
    assert [before.get(name) for name in ("told", "picture")] == [None, None]
    sitting.until(aid.ROUNDS_MOST + 2)
    after = told(sitting)
    assert after.get("terms") is None
    assert str(after["picture"]).startswith("<svg ")
    rounds = [one["round"] for one in after["told"]]  # type: ignore[attr-defined]
    assert rounds == list(range(3, aid.ROUNDS_MOST + 3))


def test_bags_are_sorted_so_that_their_order_reveals_nothing() -> None:
    table = Sitting("schwarzmarkt", 3, "aids").table
    assert {name: list(faces) for name, faces in aid.bags_of(table).items()} == {
        name: sorted(faces) for name, faces in table.bags.items()
    }
    assert any(list(faces) != sorted(faces) for faces in table.bags.values())


def test_pictures_share_their_pieces() -> None:
    drawn = ["<svg><g/><a/></svg>", "<svg><g/><b/></svg>", ""]
    pieces, numbers = aid.pieces_of(drawn)
    assert ["".join(pieces[one] for one in row) for row in numbers] == drawn
    assert len(pieces) == len(set(pieces)) < sum(map(len, numbers))


def test_a_page_has_all_texts_that_its_modules_show_and_says_them_as_they_are_written(tmp_path: Path) -> None:
    """Words that come often stand in a page once; what is read there is what the table says."""
    for main in ("player_page", "table_page", "reading_page", "rules_page", "replay_page"):
        blocks = {name: assemble._block(name) for name in assemble._order(main)}
        code = "".join(code for name, code in blocks.items() if name != "translations")
        script = tmp_path / f"{main}.mjs"
        script.write_text(f"{assemble._texts(code)}\nconsole.log(JSON.stringify($translations));", "utf-8")
        done = run_node(script)
        assert done.stderr == ""
        packed, whole = json.loads(done.stdout), alike.tables()
        assert packed["SENTENCES"] == whole["sentences"]
        assert packed["WORDS"] == whole["words"]
        shown = packed["TEXTS"]
        assert shown.items() <= whole["texts"].items()
        assert {*re.findall(r'\bt\("([^"]+)"', code)} <= {*shown}
        assert len(assemble._texts(code).encode()) < 0.75 * len(blocks["translations"].encode())
