"""Whatever can be opened in the player's page, one by one: what is said of it, and what of it is remembered."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from referee.crypto.codec import decode, encode
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.host import extend, reveal
from referee.engine.player import sign_return, sign_word
from referee.evidence.rulings import make_claim, make_ruling
from referee.io.desk import due_at
from referee.io.times import later
from referee.page.aid import aid_of
from tests.page.browser import Browser, browsing, needs_browser
from tests.page.desk import Desk
from tests.page.node import PAGE, run_node
from tests.page.test_tampered import player_file
from tests.support.match import Sitting, chance

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as one:
        yield one


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Desk:
    return Desk(browser, tmp_path)


@cache
def texts() -> dict[str, list[str]]:
    """The table of texts, in each language."""
    script = """const { TEXTS } = await import(`file://${process.argv[1]}/translations.mjs`);
      console.log(JSON.stringify(TEXTS));"""
    done = run_node("--input-type=module", "-e", script, "--", PAGE)
    assert done.stderr == ""
    return dict(json.loads(done.stdout))


def said(key: str, **values: object) -> str:
    """A text of the page's table."""
    return texts()[key][0].format(**values)


def shown(desk: Desk) -> tuple[list[str], list[str]]:
    """The texts of the opened documents, one by one, and their verdicts."""
    articles = "return [...document.querySelectorAll('article')].map((one) => one.innerText)"
    codes = "return [...document.querySelectorAll('.verdict')].map((one) => one.dataset.code)"
    return desk.browser.script(articles), desk.browser.script(codes)


def test_every_document_is_shown_with_its_seat_round_and_game(desk: Desk) -> None:
    """Each is opened alone, without a player's file; of none but a view or a transcript is there more to see."""
    sitting = Sitting("auction", 3, "loose", deadline=60, grace=10, takeovers=1).until("play")
    seat = 1
    asked, move = sitting.view(seat), sitting.signed(seat)
    receipt = sitting.fork().give(move).receipt
    assert receipt is not None
    until = later(due_at(sitting.match, seat), 1440)
    gone = sitting.fork()
    while seat in gone.asked:
        gone.step(seat)
    game, number = sitting.table.id[:8], sitting.round + 1
    place = {"seat": seat + 1, "round": number, "game": game}
    view = decode(asked, r.View, "view")
    claim = make_claim(sitting.players[seat], view, decode(move, r.MoveFile, "move"), "2026-12-24T18:00Z")
    ruling = make_ruling(Key(chance("arbiter")), view.genesis, [asked], "Bert was <b>late</b>.")
    day, clock = until[:10], until[11:16]
    cases = [
        (encode(sitting.joins[seat]), said("other join", name="Bert", offer=sitting.table.offer_id[:8])),
        (encode(receipt), said("other receipt", **place, code=json.loads(encode(receipt))["body"]["code"])),
        (encode(extend(sitting.fork().match, seat, until)),
         said("other extension", **place, until=f"{day} {clock} UTC")),
        (sign_word(sitting.players[seat], sitting.opened(seat), "back"), said("other word", **place, text="back")),
        (sign_return(gone.players[seat], gone.opened(seat)), said("other return", seat=seat + 1, game=game)),
        (encode(gone.succession(seat)), said("other succession", name="Zoe", seat=seat + 1, game=game)),
        (claim, said("other claim", **place, sent="2026-12-24 18:00 UTC")),
        (ruling, said("other ruling", text="Bert was <b>late</b>.")),
        (move, said("other move", **place, fields="").rstrip()),
    ]  # fmt: skip
    for data, wanted in cases:
        desk.open(desk.give("one.json", data))
        (text,), (code,) = shown(desk)
        assert (code, wanted in text) == ("ok", True), (wanted, text)
    desk.open(desk.give("aid.json", encode(aid_of(sitting.opened(seat)))))
    assert shown(desk) == ([], [])
    assert said("aid alone", name="aid.json") in desk.browser.text("section[aria-labelledby=shown]")


def test_files_are_compared_as_soon_as_there_are_two_of_one_game(desk: Desk) -> None:
    """One alone has nothing beside it; nor has an offer."""
    sitting = Sitting("schwarzer-freitag", 2, "small").until(2)
    view, other = sitting.view(0), sitting.view(1)
    offer, together = encode(sitting.offer), said("together")
    for files, articles, compared in (((view,), 1, False), ((view, offer), 2, False), ((view, other), 3, True)):
        desk.open(*(desk.give(f"{at}.json", data) for at, data in enumerate(files)))
        told, codes = shown(desk)
        assert (len(told), together in told[-1]) == (articles, compared)
        assert codes == ["ok"] * articles
    desk.open(desk.give("transcript.json", reveal(sitting.fork().match, abandon=True)))
    told, codes = shown(desk)
    assert (len(told), codes) == (1, ["ok"])
    assert said("transcript title", game="Schwarzer Freitag") in told[0]
    assert "referee page transcript.json" in told[0]


def test_an_offer_names_its_options_and_its_edition(desk: Desk) -> None:
    """And nothing that it does not have."""
    for game in ("schwarzer-freitag", "auction"):
        sitting = Sitting(game, 2, "terms", deadline=0)
        desk.open(desk.give("offer.json", encode(sitting.offer)))
        ((told,), _), terms = shown(desk), json.loads(encode(sitting.offer))["body"]
        assert said("offer edition", name=terms["edition"]["name"]) in told
        assert terms["options"]
        lines = [line for line in told.splitlines() if line.startswith("option ")]
        assert [line.split()[1] for line in lines] == list(terms["options"])
        assert said("offer no deadline") in told
        assert said("offer common") not in told


def test_an_offer_is_joined_with_a_key_and_under_any_valid_name(desk: Desk) -> None:
    sitting = Sitting("auction", 2, "joining", deadline=2880, grace=90)
    desk.open(desk.give("offer.json", encode(sitting.offer)))
    told, _ = shown(desk)
    assert said("need player") in told[0]
    assert said("offer deadline", deadline="2 days", grace="90 minutes") in told[0]
    assert said("offer seats", seats=2, rules=sitting.table.offer.rules) in told[0]
    assert said("offer bank", bank="").partition(":")[0] not in told[0]
    assert desk.browser.find("#join") == []
    desk.browser.type(desk.browser.one("#name"), "Emil")
    desk.browser.click(desk.browser.one("#make"))
    desk.browser.wait("return document.getElementById('join')")
    set_name = "document.getElementById('seat-name').value = arguments[0]; document.getElementById('join').click()"
    desk.browser.script(set_name, "   ")
    desk.browser.wait("return document.querySelector('article [role=alert]').textContent")
    assert desk.browser.find("#mail") == []
    desk.browser.script(set_name, " Emil II ")
    desk.browser.wait("return document.activeElement.id === 'mail'")
    name = desk.browser.script("return document.getElementById('file').download")
    assert name.endswith(".join.json")
    assert sitting.table.offer_id[:8] in name
    desk.browser.click(desk.browser.one("#file"))
    made = json.loads(desk.browser.downloaded(".join.json"))["body"]
    assert (made["name"], made["offer"]) == ("Emil II", sitting.table.offer_id)


def test_what_a_file_remembers_is_shown_by_game_and_round(desk: Desk) -> None:
    """And its contradictions: here two answers to one question."""
    sitting = Sitting("schwarzer-freitag", 2, "small").until(lambda one: one.round > 2 and one.asked == [0])
    seat = 0
    desk.open_all({"me.json": player_file(sitting, seat), "view.json": sitting.view(seat)})
    game, number = sitting.table.id[:8], sitting.round + 1
    card = desk.browser.text("section[aria-labelledby=you]")
    assert said("you games", games=said("you game", game=game, round=sitting.round)) in card
    assert sitting.players[seat].public.hex()[:16] in card
    desk.leave()
    desk.open(desk.give("view.json", sitting.view(seat)))
    desk.browser.click(desk.browser.one("#again"))
    desk.browser.wait("return document.getElementById('sign')")
    assert said("own two answers", round=number, game=game) not in desk.browser.text("section[aria-labelledby=you]")
    desk.open_all({"aid.json": encode(aid_of(sitting.opened(seat))), "view.json": sitting.view(seat)})
    desk.browser.click(desk.browser.one("#again"))
    desk.browser.wait("return document.querySelector('#moves .line')")
    choices = aid_of(sitting.opened(seat)).moves.choices
    assert choices is not None
    desk.choose(next(at for at, one in enumerate(choices) if not one.parts), {})
    desk.browser.click(desk.browser.one("#sign"))
    desk.browser.wait("return document.getElementById('mail')")
    assert said("own two answers", round=number, game=game) in desk.browser.text("section[aria-labelledby=you]")
