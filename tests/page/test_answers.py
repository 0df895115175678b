"""What the player's page remembers in the player's file, and the answers beside moves."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from referee.crypto.codec import encode
from referee.engine import host
from referee.engine.player import Draft, answer, sign_word
from referee.errors import Usage
from referee.mail.words import AWAY_MOST, about_player
from referee.page.aid import aid_of
from referee.show import typed
from tests.page.browser import Browser, needs_browser
from tests.page.desk import Desk
from tests.page.test_tampered import player_file
from tests.support.match import Sitting


@pytest.fixture(scope="module")
def desk(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(browser, tmp_path_factory.mktemp("desk"))


def opened(desk: Desk, table: Sitting, seat: int, *, fresh: bool = True) -> None:
    """The newest view with its aid, and the player's file."""
    if fresh:
        desk.mine.write_bytes(player_file(table, seat))
    desk.open_page()
    aid = desk.give("aid.json", encode(aid_of(table.opened(seat))))
    desk.open(desk.give("view.json", table.view(seat)), aid, mine=desk.mine)
    assert desk.browser.verdict() == "ok"


@needs_browser
@pytest.mark.thorough
def test_an_older_view_and_a_second_answer_are_noticed_days_later(desk: Desk) -> None:
    table = Sitting("schwarzer-freitag", 2, "memory").until(lambda one: one.round > 2 and one.asked == [0])
    older = table.view(0)
    table = table.until(lambda one: one.round > len(json.loads(older)["entries"]) and one.asked == [0])
    opened(desk, table, 0)
    single = next(at for at, one in enumerate(aid_of(table.opened(0)).moves.choices) if not one.parts)
    desk.choose(single, {})
    desk.sign()
    first = desk.signed()
    desk.save()
    # The same view again: what was signed is there to be sent again, and another answer is a decision of its own.
    opened(desk, table, 0, fresh=False)
    assert "You have already signed an answer to this view" in desk.browser.text("#bar")
    desk.browser.script("document.querySelectorAll('details').forEach((one) => one.open = true)")
    assert desk.signed() == first
    desk.browser.click(desk.browser.one("#again"))
    assert desk.browser.find("#moves .line")
    # An older one is not answered at all.
    desk.open_page()
    desk.open(desk.give("older.json", older), mine=desk.mine)
    assert "You have already seen a newer view of this game" in desk.browser.text("#bar")
    assert desk.browser.script("return document.getElementById('sign')") is None
    assert table.give(first).code == "taken"


@needs_browser
def test_leaving_a_game_needs_two_clicks_and_is_accepted(desk: Desk) -> None:
    table = Sitting("schwarzer-freitag", 2, "leaving").until(lambda one: one.round > 2 and one.asked == [0])
    opened(desk, table, 0)
    assert desk.browser.script("return document.getElementById('sign').disabled")
    desk.browser.click(desk.browser.one("#resign"))
    desk.settle()
    assert "you leave the game" in desk.browser.text(".signing")
    desk.browser.click(desk.browser.one("#leave"))
    desk.reply()
    signed = desk.signed()
    assert json.loads(signed)["body"]["resign"] is True
    assert table.give(signed).code == "taken"
    assert table.state.end == "left"


@needs_browser
def test_a_seat_is_handed_over_with_an_answer_and_its_new_player_plays_on(desk: Desk) -> None:
    table = Sitting("schwarzer-freitag", 3, "handing over", takeovers=1).until(lambda one: one.asked == [0])
    opened(desk, table, 0)
    single = next(at for at, one in enumerate(aid_of(table.opened(0)).moves.choices) if not one.parts)
    desk.choose(single, {})
    desk.hand_over("nobody")
    assert "64 hex digits" in desk.browser.text("#troubles")
    assert "hand over" not in desk.browser.text(".signing")
    key = table.newcomer().public.hex()
    desk.hand_over(key)
    assert key in desk.browser.text(".signing")
    desk.sign()
    signed = desk.signed()
    assert json.loads(signed)["body"]["handover"] == key
    assert table.give(signed).code == "taken"
    host.take_arrival(table.match, table.succession(0))
    table.step()
    table.sit_down(0)
    desk.open_page()
    desk.open(desk.give("view.json", table.view(1)))
    assert "Zoe takes over the seat of Anna" in desk.browser.text("main")
    assert "Zoe, Bert" in desk.browser.text("main")


@needs_browser
def test_several_standing_orders_go_with_an_answer_and_are_signed_as_by_the_tool(desk: Desk) -> None:
    table = Sitting("mark", 3, "phrases").until(lambda one: one.round > 2 and one.opened(one.asked[0]).decides)
    seat = table.asked[0]
    opened(desk, table, seat)
    view = table.opened(seat)
    moves = aid_of(view).moves
    single = next(at for at, one in enumerate(moves.choices) if not one.parts)
    desk.choose(single, {})
    assert moves.standing is not None
    phrases = [one.text for one in moves.standing.choices[:2]]
    for at in (1, 0):
        desk.choose(at, {}, "#orders")
        desk.browser.speak("nl")  # what was chosen before is still known
        desk.browser.speak("en")
    assert all(f"“{phrase}”" in desk.called() for phrase in phrases)
    desk.sign()
    said = typed.read_answer(view, "; ".join((moves.choices[single].text, *phrases)))
    assert said.standing is not None
    assert json.loads(desk.signed())["body"] == signed_body(table, seat, said)


def signed_body(table: Sitting, seat: int, said: Draft) -> object:
    return json.loads(answer(table.players[seat], table.opened(seat), said))["body"]


@needs_browser
def test_statements_are_signed_as_by_the_tool(desk: Desk) -> None:
    """Also by somebody who is not asked for anything; only statements that an office knows. It is the last second of a
    year."""
    now = datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)
    table = Sitting("mark", 3, "words").until(lambda one: one.round > 2 and 0 not in one.asked)
    first, last = now.date().isoformat(), (now.date() + timedelta(AWAY_MOST)).isoformat()
    rest = "const field = document.getElementById('word-rest'); field.value = arguments[0];"
    for kind, given, text in (
        ("away", first, f"away until {first}"),
        ("away", last, f"away until {last}"),
        ("zone", "Europe/Amsterdam", "zone Europe/Amsterdam"),
        ("language", "nl", "language nl"),
        ("address", "new@example.org", "address new@example.org"),
        ("back", "", "back"),
    ):
        with desk.browser.at(now):
            opened(desk, table, 0)
        desk.browser.script("document.querySelectorAll('details').forEach((one) => one.open = true)")
        choose = "const list = document.getElementById('word-kind'); list.value = arguments[0];"
        desk.browser.script(f"{choose} list.dispatchEvent(new Event('change'))", kind)
        if given:
            desk.browser.script(f"{rest} field.dispatchEvent(new Event('input'))", given)
        assert f"You will sign: {text}" in desk.browser.text("#more")
        desk.browser.click(desk.browser.one("#sign-word"))
        desk.browser.wait("return document.getElementById('word-file')")
        desk.browser.click(desk.browser.one("#word-file"))
        signed = desk.browser.downloaded(".word.json")
        assert signed == sign_word(table.players[0], table.opened(0), text)
        assert about_player(text, now.date())
    for ahead in (-1, AWAY_MOST + 1):
        with desk.browser.at(now):
            opened(desk, table, 0)
        wrong = (now.date() + timedelta(ahead)).isoformat()
        desk.browser.script(f"{rest} field.dispatchEvent(new Event('input'))", wrong)
        assert desk.browser.script("return document.getElementById('sign-word').disabled")
        with pytest.raises(Usage):
            about_player(f"away until {wrong}", now.date())


@needs_browser
def test_another_player_s_view_can_be_read_but_not_answered(desk: Desk) -> None:
    table = Sitting("mark", 3, "else").until(3)
    desk.mine.write_bytes(player_file(table, 1))
    desk.open_page()
    desk.open(desk.give("view.json", table.view(0)), mine=desk.mine)
    assert desk.browser.verdict() == "ok"
    assert "This view is for Anna's key" in desk.browser.text("#bar")
    assert desk.browser.script("return document.getElementById('sign')") is None


@needs_browser
def test_a_locked_key_and_other_secrets_are_reported(desk: Desk) -> None:
    table = Sitting("mark", 3, "secrets").until(2)
    desk.open_page()
    for name, data in {"game.json": table.file(), "half.json": player_file(table, 0)[:-9]}.items():
        desk.open(desk.give(name, data))
        assert desk.browser.verdict() in ("wrong-kind", "malformed"), name
        assert "No player's file is open" in desk.browser.text()
    desk.open(desk.give("game.json", table.file()))
    assert "knows every hidden card: do not show it to anyone" in desk.browser.text(".verdict")
