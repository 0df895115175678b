"""The likeliest moves as buttons: each is accepted as it stands, and means what it says."""

import random
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from referee.engine.player import Draft, Opened
from referee.forms import Free, any_move
from referee.language import LANGUAGES, speaking
from referee.mail import letters, listing
from referee.mail.message import read_message
from referee.mail.reply import orders, written
from referee.show import preview, typed
from referee.show.likely import MOST, likely_moves
from referee.show.wording import move_text
from tests.mail.programs import TONGUES, Reply, mail
from tests.mail.screens import GAMES
from tests.mail.test_letters_replies import positions, sent
from tests.support.match import Sitting

every = pytest.mark.parametrize("game", GAMES)


def pressed(link: str, phone: str) -> bytes:
    """The mail that a phone sends after somebody tapped a link: nothing but what the link says, and the phone's
    line."""
    fields = parse_qs(urlsplit(unescape(link)).query)
    return mail(Reply(f"{fields['body'][0]}\n\n{phone}\n", subject=fields["subject"][0]))


def press_all(opened: Opened, links: list[str], ours: list[list[str]], phone: str) -> list[object]:
    """What each button is read as; all of it must be legal."""
    found: list[object] = []
    for link in links:
        answer = written(read_message(pressed(link, phone)), *ours)
        assert answer.sure
        (line,) = orders(answer)
        draft = typed.read_answer(opened, listing.copied(opened, line))
        assert draft == Draft(draft.move)
        opened.table.game.check(opened.table.terms, opened.seen, draft.move)
        found.append(draft.move)
    return found


def press(game: str, language: str, count: int, apart: int) -> int:
    """Press every button of some positions; returns how many there were."""
    tapped = 0
    with speaking(language):
        for opened, who in positions(game, count, apart):
            known, ours = sent(opened, who)
            links = re.findall(r'href="(mailto:[^"]*)"', known.html)
            moves = likely_moves(opened)
            said = press_all(opened, links, ours, TONGUES[language].phone)
            assert said[: len(moves)] == moves
            assert [move_text(opened.table, move) for move in moves] == [
                parse_qs(urlsplit(unescape(link)).query)["body"][0] for link in links[: len(moves)]
            ]
            tapped += len(moves)
    return tapped


@pytest.mark.parametrize("language", LANGUAGES)
@every
def test_every_button_is_a_legal_move_that_is_read_as_what_it_says(game: str, language: str) -> None:
    assert press(game, language, 3, 5) > 3


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
@every
def test_the_buttons_of_many_positions(game: str, language: str) -> None:
    assert press(game, language, 25, 3) > 50


def decisions(game: str, rounds: int) -> list[Opened]:
    """Positions of one game in which somebody decides."""
    sitting, found = Sitting(game, GAMES[game], "likely"), []
    while sitting.round < rounds and not sitting.over:
        found += [opened for seat in sitting.asked if (opened := sitting.opened(seat)).decides]
        sitting = sitting.until(sitting.round + 1)
    return found


@every
def test_the_first_is_what_the_bot_would_do(game: str) -> None:
    for opened in decisions(game, 12):
        table, chance = opened.table, random.Random(1)
        moves = likely_moves(opened)
        assert moves[0] == table.game.bots["sensible"](table.terms, opened.seen, chance.randrange)
        assert len(moves) <= MOST
        assert all(move not in moves[:at] for at, move in enumerate(moves))


@every
def test_if_there_are_few_legal_moves_all_of_them_are_shown(game: str) -> None:
    few = 0
    for opened in decisions(game, 60):
        moves, lines = likely_moves(opened), typed.choices(opened)
        free = any(isinstance(part, Free) for line in lines for part in line.parts)
        if len(moves) == MOST or free:
            continue
        few += 1
        chance = random.Random(opened.round)
        for _ in range(100):
            assert any_move(lines, opened.table.game.move, chance.randrange) in moves
    assert few


@every
def test_the_order_is_the_same_for_all_readers(game: str) -> None:
    for opened in decisions(game, 6):
        found = []
        for language in LANGUAGES:
            with speaking(language):
                found.append(likely_moves(opened))
        assert found[0] == found[1] == found[2]


def test_what_a_move_costs_stands_beside_it_in_the_words_of_the_confirmation() -> None:
    costs: set[str] = set()
    for opened in decisions("schwarzer-freitag", 40):
        for row, move in zip(listing.answers(opened).likely, likely_moves(opened), strict=True):
            told = preview.preview_lines(opened, Draft(move))
            assert row.note == "; ".join(told)
            costs.update(told)
    assert any("price change" in cost for cost in costs)
    assert any("your turn stays open" in cost for cost in costs)


def test_a_button_is_read_with_its_cost_too() -> None:
    for opened in decisions("schwarzer-freitag", 40):
        for row in listing.answers(opened).likely:
            if row.note:
                assert listing.copied(opened, f"{row.words} ({row.note})") == row.order
                assert listing.copied(opened, f"{row.words} (something else)") != row.order
                return
    raise AssertionError("no button costs anything")


def test_who_signs_gets_no_buttons() -> None:
    opened, who = next(positions("mark", 1))
    for way in ("own", "program", "page", "rules"):
        body = letters.turn(opened, letters.structs.replace(who, way=way, pass_="", reply_to=""))
        assert "mailto:" not in body.html
        assert "Everything that you can do" not in body.text
