"""What pages are made of: the policy to the word, what stands around the script, and every field of an aid."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.crypto.codec import encode
from referee.engine.host import make_view
from referee.engine.player import open_view
from referee.errors import IllegalMove, RefereeError
from referee.language import speaking, t
from referee.page import aid, assemble, reading
from referee.show import typed
from tests.support.match import Sitting, other_program


@cache
def player_page() -> str:
    return assemble.player_page().decode()


@cache
def reading_page() -> str:
    return assemble.reading_page(b'{"a":1}').decode()


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("made", [player_page, reading_page])
def test_a_page_may_run_its_own_script_and_load_nothing(made: Callable[[], str]) -> None:
    page = made()
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    assert policy.split("; ") == [
        "default-src 'none'", f"script-src {digest(script)}", f"style-src {digest(style)}",
        "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    ]  # fmt: skip
    head = page.partition("</head>")[0]
    assert page.startswith('<!doctype html>\n<html lang="en">\n')
    assert dict(re.findall(r'<meta name="([^"]*)" content="([^"]*)">', head)) == {
        "viewport": "width=device-width, initial-scale=1", "referrer": "no-referrer", "color-scheme": "light dark",
    }  # fmt: skip
    assert '<meta charset="utf-8">' in head
    without = page.partition("<noscript>")[2].partition("</noscript>")[0]
    assert re.findall(r"<p(?: lang=\"(\w\w)\")?>[^<]*JavaScript", without) == ["", "de", "nl"]
    assert page.count("<script") == page.count("</script>") == 2
    assert '<main id="page"></main>' in page


@pytest.mark.parametrize("made", [assemble.player_page, lambda parts: assemble.reading_page(b"{}", parts)])
def test_a_page_with_rules_may_begin_its_own_worker_besides(made: Callable[[dict[str, bytes]], bytes]) -> None:
    """Its blocks are pinned by the script that the policy pins: another block is another script."""
    page = made({"wasm": b"1", "sources": b"2"}).decode()
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r'<script type="module" async>(.*?)</script>', page, re.DOTALL)
    assert policy.split("; ") == [
        "default-src 'none'", f"script-src {digest(script)} 'wasm-unsafe-eval'", f"style-src {digest(style)}",
        "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "worker-src blob:",
        "trusted-types rules",
    ]  # fmt: skip
    assert re.findall(r'id="payload-(\w+)">([^<]*)<', page) == [("wasm", "MQ=="), ("sources", "Mg==")]
    for data in (b"1", b"2"):
        assert hashlib.sha256(data).hexdigest() in script


def test_the_data_of_a_page() -> None:
    data = re.compile(r'<script type="application/json" id="data">(.*?)</script>')
    assert data.findall(player_page()) == ["null"]
    (packed,) = data.findall(reading_page())
    assert gzip.decompress(base64.b64decode(json.loads(packed))) == b'{"a":1}'
    assert assemble.reading_page(b'{"a":1}').decode() == reading_page(), "the same data give the same bytes"


def test_the_hash_of_the_verifier_is_that_of_its_modules() -> None:
    player, verifier = assemble.hashes().items()
    assert player == ("player.html", hashlib.sha256(player_page().encode()).hexdigest())
    names = verifier[0].split()
    assert names[-1] == "verifier.mjs"
    assert len(set(names)) == len(names) > 3
    source = b"".join((files("referee.page") / name).read_bytes() for name in names)
    assert verifier[1] == hashlib.sha256(source).hexdigest()


# --- aids -------------------------------------------------------------------------------------------------------------


def test_an_aid_says_what_its_view_says() -> None:
    sitting = Sitting(seed="aid fields").until("bid")
    opened = sitting.opened(1)
    made = aid.aid_of(opened)
    assert (made.game, made.round, made.seat, made.title) == (opened.table.id, 1, 1, opened.table.game.title)
    assert made.moves == typed.moves(opened)
    assert made.bags == aid.bags_of(opened.table)
    assert made.language == "en"
    assert opened.ask is not None
    assert set(made.sealed) <= set(opened.ask.sealed)
    assert [one.round for one in made.told] == [1]
    assert made.picture == ""
    name = f"{opened.table.id[:8]}-r001-bert.aid.json"
    assert aid.aid_name(opened) == name
    assert aid.aid_for(sitting.match, 1) == encode(aid.aid_of(open_view(make_view(sitting.match, 1))))
    with speaking("de"):
        assert aid.aid_of(opened).language == aid.language_of(opened.table)


def test_an_aid_of_a_game_without_a_picture_has_none() -> None:
    sitting = Sitting("mark", 2, "no picture").until(2)
    assert aid.aid_of(sitting.opened(0)).picture.startswith("<svg ")
    with other_program("mark", same_code=True, picture=None):
        bare = open_view(sitting.view(0))
        assert aid.aid_of(bare).picture == ""
        rounds = reading.reading_of_view(bare).rounds
    assert len(rounds) == 2


def test_standing_orders_combine_if_their_order_does_not_matter() -> None:
    sitting = Sitting("weg-zum-erfolg", 3, "together").until(4)
    opened = sitting.opened(0)
    rule, terms, before = opened.table.game.standing, opened.table.terms, opened.orders(0)
    assert rule is not None
    lines = typed.standing_choices(opened, before)
    now = rule.text(before)

    def said(*order: int) -> object:
        words = before
        for at in order:
            for phrase in [one for one in rule.text(lines[at].move) if one not in now] or [lines[at].text]:
                words = rule.parse(terms, words, phrase)
        return words

    both, clash = set[tuple[int, int]](), set[tuple[int, int]]()
    for pair in combinations(range(len(lines)), 2):
        try:
            (both if said(*pair) == said(*reversed(pair)) else clash).add(pair)
        except RefereeError:
            clash.add(pair)
    assert set(aid.aid_of(opened).together) == both
    assert both
    assert clash
    first = [one for one in rule.text(lines[0].move) if one not in now] or [lines[0].text]

    def parse(terms: Any, words: Any, phrase: str) -> Any:
        if phrase in first and words != before:
            raise IllegalMove("LO-1", t("not after another one"))
        return rule.parse(terms, words, phrase)

    with other_program("weg-zum-erfolg", same_code=True, standing=replace(rule, parse=parse)):
        assert set(aid.aid_of(open_view(sitting.view(0))).together) == {pair for pair in both if 0 not in pair}


def test_a_reading_has_every_round() -> None:
    sitting = Sitting("mark", 2, "rounds").until(3)
    found = reading.reading_of_view(open_view(sitting.view(1)))
    assert (found.title, len(found.rounds)) == (sitting.table.game.title, 3)
    packed = assemble.reading_page(msgspec.json.encode(found))
    assert reading.page_of(found) == packed
    pictures = ["".join(found.pieces[at] for at in one.picture) for one in found.rounds]
    assert all(drawn.startswith("<svg ") for drawn in pictures)


def test_what_only_one_seat_knows_is_told_with_its_player_s_name() -> None:
    sitting = Sitting("schwarzer-freitag", 3, "by name").until(2)
    found = reading.reading_of_view(open_view(sitting.view(1)))
    told = [(seat, line) for one in found.rounds for seat, lines in one.news for line in lines]
    assert any("new in Bert's hand: " in line for _, line in told)
    assert {(seat, "Bert" in line) for seat, line in told} == {(1, True)}
