"""Pages as files, the command that makes them, and the aids beside views."""

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import jsonschema
import pytest

from referee.crypto.codec import encode
from referee.engine.player import open_view
from referee.io.keyfile import dump
from referee.mail.block import write_block
from referee.page import assemble
from referee.page.aid import aid_of, pieces_of
from tests.app.test_looks import LOOK, WIDTHS
from tests.cli.world import Ran, keep_guard, run_here
from tests.mail.offices import World, own_join, own_move, reply
from tests.page.browser import Browser, browsing, needs_browser
from tests.page.desk import Desk
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
HEX = r"[0-9a-f]{64}"
LATER = "2099-01-01T00:00Z"
"""All deadlines are over."""


def referee(folder: Path, *words: str, exit: int = 0) -> Ran:
    done = run_here(*words, cwd=folder)
    assert done.exit == exit, done.said
    return done


# --- pages -----------------------------------------------------------------------------------------------------------


def test_the_hashes_are_in_the_manual(tmp_path: Path) -> None:
    """After changing a module of the pages, put the new ones there: `referee page --hash` prints them."""
    printed = referee(tmp_path, "page", "--hash").out.decode()
    told = re.search(
        r"<!-- page-hash -->\n```text\n(.*?)```", (ROOT / "referee/manual/en/browser.md").read_text(), re.DOTALL
    )
    assert told is not None
    assert told[1] == printed
    page, verifier = re.findall(HEX, printed)
    assert page == hashlib.sha256(assemble.player_page()).hexdigest()
    modules = re.search(rf"{verifier}  (.*)", printed)
    assert modules is not None
    sources = [(ROOT / "referee/page" / name).read_bytes() for name in modules[1].split()]
    assert verifier == hashlib.sha256(b"".join(sources)).hexdigest()


def test_the_player_s_page_is_one_small_file_and_the_same_for_everybody(tmp_path: Path) -> None:
    done = referee(tmp_path, "page", "--player", "-o", "player.html")
    assert "Next: open player.html in a browser" in done.said
    made = (tmp_path / "player.html").read_bytes()
    assert made == assemble.player_page() == referee(tmp_path, "page", "--player", "-o", "-").out.removesuffix(b"\n")
    assert len(made) < 340_000
    assert b'<script type="application/json" id="data">null</script>' in made
    assert not re.search(rb"(?:src|href)=[\"'](?!data:)", made)


@pytest.mark.parametrize("kind", ["player", "reading"])
def test_the_policy_lets_nothing_in_but_this_script_and_this_style(kind: str) -> None:
    text = (assemble.player_page() if kind == "player" else assemble.reading_page(b"{}")).decode()
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = dict(part.split(" ", 1) for part in found[1].split("; "))
    assert policy.pop("default-src") == policy.pop("base-uri") == policy.pop("form-action") == "'none'"
    assert policy.pop("require-trusted-types-for") == "'script'"
    assert policy.pop("trusted-types") == "'none'"
    for name, tag in (("script", '<script type="module">'), ("style", "<style>")):
        inside = text.partition(tag)[2].partition(f"</{name}>")[0]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert policy.pop(f"{name}-src") == f"'sha256-{digest}'"
    assert policy == {}


def test_pictures_share_their_pieces() -> None:
    pictures = ["<a><b>1</b></a>", "<a><b>2</b></a>", "", "<a><b>1</b></a>"]
    pieces, numbers = pieces_of(pictures)
    assert ["".join(pieces[one] for one in each) for each in numbers] == pictures
    assert len(pieces) == len({*pieces}) < sum(map(len, numbers))


def test_a_page_of_a_game(tmp_path: Path) -> None:
    referee(tmp_path, "page", str(EXAMPLES / "mark/transcript.json"))
    (path,) = tmp_path.glob("*.html")
    assert re.fullmatch(r"[0-9a-f]{8}\.html", path.name)
    done = referee(tmp_path, "page", str(EXAMPLES / "mark/view.json"), "-o", "view.html")
    assert "so keep it to yourself" in done.said
    assert (tmp_path / "view.html").stat().st_mode & 0o777 == 0o600
    view = (EXAMPLES / "mark/view.json").read_bytes()
    assert referee(tmp_path, "page", str(EXAMPLES / "mark/view.json"), "--dry-run", "-o", "other.html")
    assert not (tmp_path / "other.html").exists()
    assert (EXAMPLES / "mark/view.json").read_bytes() == view


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_a_page_of_a_game_starts_in_the_reader_s_language(tmp_path: Path, language: str) -> None:
    transcript = str(EXAMPLES / "mark/transcript.json")
    referee(tmp_path, "page", transcript, "--language", language, "-o", "one.html")
    referee(tmp_path, "--language", language, "page", transcript, "-o", "other.html")
    made = (tmp_path / "one.html").read_bytes()
    assert made == (tmp_path / "other.html").read_bytes()
    data = re.search(rb'id="data">"([^"]*)"', made)
    assert data is not None
    assert json.loads(gzip.decompress(base64.b64decode(data[1])))["language"] == language
    assert "--language" in referee(tmp_path, "page", "--player", "--language", language, exit=2).said


@pytest.mark.parametrize("words", [(), ("--player", "--hash"), ("x.json", "--player")])
def test_exactly_one_of_three_kinds_of_page(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert "one of three" in referee(tmp_path, "page", *words, exit=2).said


def test_no_page_overwrites_its_game(tmp_path: Path) -> None:
    path = tmp_path / "view.json"
    path.write_bytes((EXAMPLES / "mark/view.json").read_bytes())
    assert "overwrite a file" in referee(tmp_path, "page", "view.json", "-o", "view.json", exit=2).said
    path.write_bytes(path.read_bytes()[:-9])
    referee(tmp_path, "page", "view.json", exit=7)
    assert [one.name for one in tmp_path.iterdir() if one.suffix == ".html"] == []


# --- aids ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def host(tmp_path: Path) -> Sitting:
    """A host with a game file and a move that closes a round."""
    sitting = Sitting("schwarzer-freitag", 3, "aid").until(2)
    (tmp_path / "host.json").write_bytes(dump(sitting.host))
    (tmp_path / "game.json").write_bytes(sitting.file())
    keep_guard(sitting.match, tmp_path / "game.json", tmp_path / "home")
    (tmp_path / "move.json").write_bytes(sitting.signed(sitting.asked[0]))
    return sitting


def test_aids_are_written_beside_views_and_fit_them(tmp_path: Path, host: Sitting) -> None:
    done = referee(tmp_path, "apply", "game.json", "move.json", "--key", "host.json", "--out", "out", "--aid")
    aids = sorted((tmp_path / "out").glob("*.aid.json"))
    assert len(aids) == 3
    schema = json.loads((ROOT / "schemas/aid-file.schema.json").read_text())
    for path in aids:
        view = path.with_name(path.name.replace(".aid.", ".view."))
        assert f"{view.parent.name}/{view.name}, {path.parent.name}/{path.name}" in done.said
        assert path.stat().st_mode & 0o777 == 0o600
        aid, opened = json.loads(path.read_bytes()), open_view(view.read_bytes())
        jsonschema.validate(aid, schema)
        assert (aid["game"], aid["round"], aid["seat"]) == (opened.table.id, opened.round, opened.seat)
        assert aid["moves"]["asked"] == (opened.ask.what if opened.ask else "")
        assert bool(aid["moves"]["choices"]) == opened.decides
        assert aid["picture"].startswith("<svg ")
        assert "what a host's program adds" in referee(tmp_path, "show", str(path), exit=7).said
    seat = next(one for one in range(3) if open_view(host.view(one)).decides)
    wanted = ("show", "game.json", "--view", str(seat + 1), "--key", "host.json", "--aid", "-o")
    referee(tmp_path, *wanted, "again.view.json")
    beside = json.loads((tmp_path / "again.aid.json").read_bytes())
    assert beside["seat"] == seat
    assert "leave --aid out" in referee(tmp_path, *wanted, "-", exit=2).said


def test_aids_are_written_beside_the_first_views_and_those_after_a_missed_deadline(tmp_path: Path) -> None:
    for name in ("host", "anna", "bert"):
        referee(tmp_path, "key", "new", "--name", name.title(), "-o", f"{name}.json")
    referee(tmp_path, "offer", "mark", "--seats", "2", "--key", "host.json", "-o", "offer.json")
    for name in ("anna", "bert"):
        referee(tmp_path, "join", "offer.json", "--key", f"{name}.json", "-o", f"{name}.join.json", "--yes")
    joins = ("anna.join.json", "bert.join.json")
    done = referee(tmp_path, "start", "offer.json", *joins, "--key", "host.json", "--out", "first", "--aid")
    (anna, bert) = sorted((tmp_path / "first").glob("*.aid.json"))
    assert f"first/{anna.name}" in done.said
    assert f"first/{bert.name}" in done.said
    assert json.loads(anna.read_bytes())["terms"]
    for name in ("anna", "bert"):
        (view,) = (tmp_path / "first").glob(f"*-{name}.view.json")
        referee(tmp_path, "play", str(view), "--yes", "--key", f"{name}.json", "-o", f"{name}.move.json")
    moves = ("anna.move.json", "bert.move.json")
    referee(tmp_path, "apply", "game.json", *moves, "--key", "host.json", "--out", "second")
    assert list((tmp_path / "second").glob("*.aid.json")) == []
    late = json.loads(referee(tmp_path, "show", "game.json", "--json", "--key", "host.json").out)
    (who,) = (row["name"] for row in late["waiting_for"])
    missed = ("apply", "game.json", "--timeout", who, "--key", "host.json", "--out", "third", "--aid", "--now", LATER)
    done = referee(tmp_path, *missed)
    aids = sorted((tmp_path / "third").glob("*.aid.json"))
    assert [json.loads(path.read_bytes())["round"] for path in aids] == [2, 2]
    assert all(f"third/{path.name}" in done.said for path in aids)


def test_without_the_option_there_is_no_aid(tmp_path: Path, host: Sitting) -> None:
    referee(tmp_path, "apply", "game.json", "move.json", "--key", "host.json", "--out", "out")
    assert list((tmp_path / "out").glob("*.aid.json")) == []


@pytest.mark.parametrize("game", ["auction", "mark", "schwarzmarkt", "weg-zum-erfolg"])
def test_an_aid_says_what_a_sealed_field_is_that_a_move_leaves_out(game: str) -> None:
    """Otherwise a page could not commit to it as the tool does."""
    sitting = Sitting(game, 3, "sealed 0").until(lambda one: any(ask.sealed for ask in one.state.pending))
    (ask, *_) = (ask for ask in sitting.state.pending if ask.sealed)
    aid = json.loads(encode(aid_of(sitting.opened(ask.seat))))
    assert aid["moves"]["choices"]
    for choice in aid["moves"]["choices"]:
        assert {*ask.sealed} <= {*choice["move"], *aid.get("sealed", {})}


def test_an_office_attaches_aids_unless_it_is_told_not_to(tmp_path: Path) -> None:
    for setting, wanted in (("", True), ("aids = false", False)):
        world = World(tmp_path / f"office {wanted}", settings=setting)
        world.offer("anna@x.example", "bert@y.example", "carla@z.example", game="auction")
        mails = {mail.to[:4]: mail for mail in world.new()}
        assert "In a browser: open the player's page" in " ".join(mails["anna"].text.split())
        joins = own_join(mails["anna"], "Anna"), reply(mails["bert"], "join as Bert"), own_join(mails["carl"], "Carla")
        turns = {mail.to[:4]: mail for mail in world.take(*joins) if mail.name.endswith("turn")}
        names = [str(part.get_filename()) for part in turns["anna"].message.iter_attachments()]
        assert any(name.endswith(".aid.json") for name in names) is wanted
        assert "player.html" in turns["anna"].text  # the page with rules needs none
        # Who answers in words has no use for it.
        names = [str(part.get_filename()) for part in turns["bert"].message.iter_attachments()]
        assert not any(name.endswith(".aid.json") for name in names)
        assert own_move(turns["anna"], "Anna")


# --- for everybody ---------------------------------------------------------------------------------------------------

UNNAMED = """
return [...document.querySelectorAll('input, button, select, textarea, a, img')].filter((one) => {
  const label = one.labels?.length ? [...one.labels].map((each) => each.textContent).join('') : '';
  return !(label || one.textContent || one.alt || one.getAttribute('aria-label') || one.title).trim();
}).map((one) => one.outerHTML.slice(0, 200));
"""

WIDE = """
const all = [...document.querySelectorAll('main *:not(#board *)')]
  .filter((one) => one.getBoundingClientRect().right > 361);
return all.map((one) => one.className || one.localName);
"""


def check_access(browser: Browser) -> None:
    """Every control has a name, the verdict is a live region, and only a board, which scrolls, is too wide."""
    assert browser.script(UNNAMED) == []
    assert browser.find(".verdict[role=status][aria-live=polite]")
    for shade in ("light", "dark"):
        browser.looks(shade)
        for width in WIDTHS:
            browser.size(width)
            assert browser.script(LOOK) == [], (shade, width)
    browser.looks("light")
    browser.size(360)
    assert browser.script(WIDE) == []
    browser.size(1200)


@needs_browser
@pytest.mark.thorough
def test_everybody_can_use_it(tmp_path: Path) -> None:
    with browsing() as browser:
        for game in ("schwarzmarkt", "weg-zum-erfolg", "mark", "schwarzer-freitag"):
            referee(tmp_path, "page", str(EXAMPLES / game / "transcript.json"), "-o", "page.html")
            browser.open(tmp_path / "page.html")
            browser.verdict()
            check_access(browser)
            table = Sitting(game, 3, "access").until(lambda one: one.round > 3 and one.opened(one.asked[0]).decides)
            seat = table.asked[0]
            desk = Desk(browser, tmp_path / game)
            aid = encode(aid_of(table.opened(seat)))
            desk.open_all({"me.json": player_file(table, seat), "view.json": table.view(seat), "aid.json": aid})
            assert browser.verdict() == "ok"
            desk.each_line()
            check_access(browser)


@needs_browser
def test_a_pasted_block_is_opened(tmp_path: Path) -> None:
    table = Sitting("mark", 3, "paste").until(3)
    with browsing() as browser:
        Desk(browser, tmp_path)
        browser.script("document.querySelectorAll('details').forEach((one) => one.open = true)")
        block = write_block("view", table.view(0))
        quoted = f"see:\n{block}".replace("\n", "\n> ")
        browser.script("document.getElementById('pasted').value = arguments[0]", quoted)
        browser.click(browser.one("#read"))
        assert browser.verdict() == "ok"
        assert "Players: Anna, Bert and Carla" in browser.text()


@needs_browser
def test_a_dropped_file_is_opened_and_a_page_before_the_first_deal_says_so(tmp_path: Path) -> None:
    table = Sitting("mark", 3, "drop")
    (tmp_path / "view.json").write_bytes(table.view(0))
    referee(tmp_path, "page", "view.json", "-o", "page.html")
    with browsing() as browser:
        Desk(browser, tmp_path)
        browser.script(DROP, table.view(0).decode())
        assert browser.verdict() == "ok"
        assert "To join or answer, first open your player's file" in browser.text("#bar")
        browser.open(tmp_path / "page.html")
        assert browser.verdict() == "ok"
        assert "Nothing has been dealt yet" in browser.text()
        assert browser.complaints() == []


DROP = """
const data = new DataTransfer();
data.items.add(new File([arguments[0]], 'view.json'));
const dropped = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
document.querySelector('#files').closest('.drop').dispatchEvent(dropped);
"""
