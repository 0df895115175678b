"""Our mails come back quoted by mail programs, with an answer above, below or in them: that answer is read, or the
player is asked; another one is never taken."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest

from referee.engine.player import Opened
from referee.errors import RefereeError
from referee.language import ENGLISH, LANGUAGES, speaking
from referee.mail import letters, listing
from referee.mail.body import Reader
from referee.mail.compose import Head, compose, sent_texts
from referee.mail.message import read_message
from referee.mail.reply import orders, written
from referee.show import typed
from tests.mail.programs import PROGRAMS, TONGUES, Sent, mail
from tests.mail.screens import DUE, GAMES, reader
from tests.mail.test_compose import NOW
from tests.support.match import Sitting

PLACES = ("top", "bottom", "inline")


def positions(game: str, count: int, every: int = 1) -> Iterator[tuple[Opened, Reader]]:
    """This many decisions of a game between bots, `every` second or third of them; after its end, those of the next
    game."""
    decided = 0
    for number in range(count):
        sitting = Sitting(game, GAMES[game], f"replies {number}").until(1)
        views: dict[int, Opened] = {}
        while not sitting.over:
            for seat in sitting.asked:
                opened = views[seat] = sitting.opened(seat, views.get(seat))
                if opened.decides:
                    decided += 1
                    if decided % every == 0:
                        yield opened, reader(sitting, seat)
                        count -= 1
                if not count:
                    return
            sitting.step()
    raise AssertionError(f"{game} asks for {count} decisions less than that")


def answers(opened: Opened) -> list[tuple[str, Any]]:
    """What a player can write, and the move that it means: words, number, a copy of the line; examples of families."""
    found: list[tuple[str, Any]] = []
    for row, choice in zip(listing.answers(opened).listed, typed.choices(opened), strict=True):
        move = typed.as_type(choice.move, opened.table.game.move)
        if row.order:
            found.append((row.order, move))
        if not choice.parts:
            note = f"   ({row.note})" if row.note else ""
            found += [(row.mark, move), (f"{row.mark}  {row.words}", move), (f"   {row.mark}  {row.words}{note}", move)]
        elif row.example:
            found.append((row.example, move))
    return found


def sent(opened: Opened, who: Reader) -> tuple[Sent, list[list[str]]]:
    """The mail about a turn, and its lines as the office keeps them."""
    body = letters.turn(opened, msgspec.structs.replace(who, pictures=False), due=DUE)
    raw = compose(Head("x", "<x@games.example>", "host@games.example", "bert@example.org", body.subject, NOW), body)
    return Sent(body.subject, body.text, body.html, letters._question(opened)), sent_texts(raw)


def read(opened: Opened, raw: bytes, ours: list[list[str]]) -> list[Any] | str:
    """The moves that are taken out of a mail, or why the player is asked."""
    found = written(read_message(raw), *ours)
    if not found.sure:
        return "unclear"
    try:
        moves = [typed.read_answer(opened, listing.copied(opened, line)).move for line in orders(found)]
    except RefereeError:
        return "unreadable"
    return moves or "nothing"


def round_trip(game: str, count: int, per_place: int, every: int = 1) -> Counter[tuple[str, str]]:
    """How the answers at each place were read: `taken`, or why not."""
    rng, seen = random.Random(game), Counter[tuple[str, str]]()
    for opened, who in positions(game, count, every):
        known, ours = sent(opened, who)
        meant = answers(opened)
        for place in PLACES:
            for _ in range(per_place):
                name, (words, move) = rng.choice([*PROGRAMS]), rng.choice(meant)
                tongue = rng.choice([*TONGUES.values()])
                got = read(opened, mail(PROGRAMS[name](words, tongue, place, known)), ours)
                if isinstance(got, list):
                    assert got == [move], (name, place, words, got)
                seen[place, "taken" if isinstance(got, list) else got] += 1
        # Somebody who sends our mail back without a word is asked, and nothing of it is taken.
        unwritten = PROGRAMS[rng.choice([*PROGRAMS])]("", rng.choice([*TONGUES.values()]), "top", known)
        assert read(opened, mail(unwritten), ours) in ("nothing", "unclear")
    return seen


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_answers_come_back_as_they_were_meant(game: str, language: str) -> None:
    count = 3 if language == ENGLISH else 1
    with speaking(language):
        seen = round_trip(game, count, 2)
    assert seen["top", "taken"] == count * 2


@pytest.mark.parametrize("game", GAMES)
def test_the_likeliest_move_counts_wherever_it_is_written(game: str) -> None:
    """Within the quotation it stands next to the same line of ours, once more than we wrote it."""
    for opened, who in positions(game, 1):
        known, ours = sent(opened, who)
        words = listing.answers(opened).likely[0].order
        meant = typed.read_answer(opened, words).move
        for place, program, tongue in product(PLACES, PROGRAMS.values(), TONGUES.values()):
            assert read(opened, mail(program(words, tongue, place, known)), ours) == [meant], place


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_hundreds_of_answers_come_back_as_they_were_meant(game: str) -> None:
    seen = round_trip(game, 6, 2, every=8)
    assert seen["top", "taken"] == 6 * 2
    # A whole line of the list, copied into the list itself, cannot be told from a quoted one: the player is asked.
    assert seen["bottom", "taken"] > 6 * 2 * 0.8
    assert seen["inline", "taken"] > 6 * 2 * 0.6


@pytest.mark.parametrize("game", GAMES)
def test_a_copied_line_means_its_number(game: str) -> None:
    for opened, _ in positions(game, 1):
        rows = listing.answers(opened).listed
        assert rows
        for row in rows:
            note = f"   ({row.note})" if row.note else ""
            for line in (f"{row.mark}  {row.words}", f"  {row.mark} {row.words}{note}", f"{row.mark}. {row.words}"):
                assert listing.copied(opened, line) == row.mark
            for line in (row.mark, row.words, f"{row.mark} but better", f"#999 {row.words}", f"{row.words} {row.mark}"):
                assert listing.copied(opened, line) == line


def test_what_people_put_around_an_answer_is_taken_off() -> None:
    for opened, _ in positions("schwarzer-freitag", 1):
        for line in (
            '"pass red"',
            "`pass red`",
            "'pass red'",
            "- pass red",
            "* pass red",
            "pass red.",
            "pass red!",
            '"pass red".',
        ):
            assert listing.copied(opened, line) == "pass red"
        for line in ("pass red...", "pass red!!", "pass red?", "-pass red", '"pass red', '""', "*", "pass; red"):
            assert listing.copied(opened, line) == line


def test_one_line_with_the_number_of_another_is_not_an_answer() -> None:
    """A player who writes `#4 pass blue` where line 4 is `pass yellow` is asked: nothing is guessed."""
    for opened, _ in positions("schwarzer-freitag", 1):
        rows = [row for row in listing.answers(opened).usual if row.order]
        assert len(rows) > 1
        line = f"{rows[0].mark} {rows[1].words}"
        assert listing.copied(opened, line) == line
        with pytest.raises(RefereeError):
            typed.read_answer(opened, line)
