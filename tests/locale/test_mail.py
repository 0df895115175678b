"""Mails in German and Dutch: games, read through for English left over; words that players type in any language."""

import io
import json
import os
import random
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from referee import games
from referee.engine.answers import seen
from referee.engine.player import open_view
from referee.language import LANGUAGES, speaking
from referee.lexicon import spellings
from referee.mail import words
from referee.mail.letters import _IN_OTHERS
from referee.mail.lines import html_lines
from referee.mail.plain import WIDTH
from referee.show.wording import lexicon, move_text
from tests.cli.world import run_here
from tests.mail.offices import HOST, Mail, World, invited, reply
from tests.mail.test_whole_games import OPTIONS, SHORT, short_edition

from .left_over import english_in
from .make import ROOT, TARGETS
from .test_catalogues import told

GOODS = re.compile(
    r"\b(?:blue|red|green|yellow|black|glass|paper|coffee|flour|sugar|potato|silver|bid|sell|buy)s?\b(?!=)"
)
"""Words of games; those that are the same elsewhere, as `orange`, are left out."""
TO_THE_END = 60
SPOKEN = {"anna": "de", "bert": "nl", "carla": "de"}
JOIN = {"de": "Ich spiele mit als", "nl": "meedoen als"}
SAID = {
    "de": ("abwesend bis 2026-12-01", "ZURUECK", "Zeitzone Europe/Berlin", "Sprache Klingonisch", "Unfug", "abwesend"),
    "nl": ("afwezig t/m 2026-12-01", "terug", "tijdzone Europe/Amsterdam", "taal Klingon", "onzin", "afwezig"),
}


def answered(mail: Mail, language: str, said: str) -> bytes:
    """An answer as programs in this language write it."""
    lines = [f"> {line}" for line in mail.text.splitlines()]
    head = {"de": f"Am 20.11.26 um 08:00 schrieb {HOST}:", "nl": f"Op 20-11-2026 om 08:00 schreef {HOST}:"}[language]
    return reply(mail, "\n".join((said, "", head, *lines)), quote=False)


def look_through(mails: list[Mail]) -> None:
    """No English is left in them, and no line is too long."""
    assert mails
    for mail in mails:
        language = SPOKEN[mail.to.partition("@")[0]]
        page = mail.message.get_body(("html",))
        assert page is not None
        html = str(page.get_content())
        assert f'<html lang="{language}">' in html
        shown = "\n".join(line.text for line in html_lines(re.sub("</?b>", "`", html)))
        text = "\n".join((mail.text, shown, mail.subject))
        for others in _IN_OTHERS.values():
            text = text.replace(others, "")
        lines = re.sub("`[^`]*`", "", text).splitlines()
        left = {line: found for line in lines if (found := english_in(line, language) or GOODS.findall(line))}
        assert not left, (mail.name, language, left)
        assert not [line for line in mail.text.splitlines() if len(line) > WIDTH and " " in line.strip()], mail.text


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "steps"), [(game, TO_THE_END if game == "schwarzmarkt" else 6) for game in sorted(SHORT)]
)
def test_no_english_is_left_in_mails_of_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, steps: int
) -> None:
    """Germans and Dutch at one table, who type in the language of the others; one game goes on to its end."""
    monkeypatch.setattr(os, "urandom", random.Random(f"mails of {game}").randbytes)  # it goes the same way again
    world, chance = World(tmp_path), random.Random(game)
    seats = list(SPOKEN)
    edition = short_edition(game, tmp_path)
    if steps == TO_THE_END:
        edition.write_text(json.dumps(json.loads(edition.read_text()) | {"half_cards": 2, "idle_cards": 1}))
    more = ("--edition", str(edition), "--deadline", "3d", "--grace", "12h")
    world.offer(*(f"{one}@x.example {SPOKEN[one]}" for one in seats), game=game, more=(*more, *OPTIONS.get(game, [])))
    mails = world.new()
    look_through(mails)
    named = zip(seats, mails, strict=True)
    mails = world.take(*(answered(mail, SPOKEN[one], f"{JOIN[SPOKEN[one]]} {one.title()}") for one, mail in named))
    look_through(mails)
    for one in seats[:2]:
        look_through(world.answers(*(answered(world.turn(one), SPOKEN[one], said) for said in SAID[SPOKEN[one]])))
    look_through([mail for mail in world.take(now="2026-11-22T20:00Z") if "reminder" in mail.name])
    for _ in range(steps):
        turns = [mail for mail in mails if mail.name.endswith("-turn")]
        if not turns:
            break
        mails = world.take(*(move(mail, chance) for mail in turns))
        look_through(mails)
    ended = [mail.name.endswith("-over") for mail in mails]
    assert any(ended) == (steps == TO_THE_END)


def move(mail: Mail, chance: random.Random) -> bytes:
    """What a bot does, in the words of the other language."""
    language, opened = SPOKEN[mail.to.partition("@")[0]], open_view(mail.file("view.json"))
    if not opened.decides:
        return answered(mail, language, "Einverstanden" if language == "nl" else "akkoord")
    table, moment = opened.table, opened.chain.moment
    known = seen(table.game, moment.state, moment.public, opened.seat, opened.owner.faces)
    chosen = table.game.bots["sensible"](table.terms, known, chance.randrange)
    with speaking("nl" if language == "de" else "de"):
        return answered(mail, language, move_text(table, chosen))


# --- words that players type -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TARGETS)
def test_what_a_translation_says_to_type_means_the_same(language: str) -> None:
    """Words between backquotes are read as those of the English sentence are; commands stay as they are."""
    count = 0
    for message in read_po(io.BytesIO((ROOT / "referee/mail/locale" / f"{language}.po").read_bytes())):
        for source, translation in told(message) if message.id else ():
            typed, others = (re.findall(r"`([^`]+)`", text) for text in (source, translation))
            if source.startswith(("write `language", "write for example `zone")):  # the order, and the city, are others
                assert {words.in_english(one)[0] for one in others} == {words.in_english(one)[0] for one in typed}
                continue
            assert sorted(map(words.in_english, typed)) == sorted(map(words.in_english, others)) or all(
                one == two or "WOR" in two or "WOOR" in two for one, two in zip(typed, others, strict=True)
            ), (source, translation)
            count += sum(words.in_english(one)[0] != "" for one in typed)
    assert count > 10


def test_no_word_means_two_things() -> None:
    """Words about a player, in any spelling, are none of the words with which something can begin in a game."""
    heads = {
        spelling: english
        for english, others in words.WORDS.items()
        for phrase in (english, *(one for forms in others.values() for one in forms))
        for spelling in spellings(phrase)
    }
    read = {head: words.in_english(head) for head in heads}
    assert {head: (english, "") for head, english in heads.items()} == read
    waiting = {"no", "join as"}  # these are read before a game begins, when nothing else can be typed
    mine = {head for head, english in heads.items() if english not in waiting}
    for game in games.game_ids():
        known = lexicon(game)
        typed = {one for phrase in (*known.words, *known.meanings) for one in spellings(phrase)}
        begun = {(head, one) for one in typed for head in mine if f"{one} ".startswith(f"{head} ")}
        assert not begun, game
    for language, called in LANGUAGES.items():
        assert words.language_of(called.upper()) == language


# --- who is written to in which language -----------------------------------------------------------------------------


def test_an_office_has_a_language_and_a_host_another(tmp_path: Path) -> None:
    """Who is not known is written to in the office's language; the host reads the own one, and programs English."""
    world = World(tmp_path, settings='language = "nl"')
    world.offer("Anna <anna@x.example> de", "bert@x.example", "carla@x.example English", game="mark")
    mails = {mail.to.partition("@")[0]: mail for mail in world.new()}
    said = {name: mail.text.split("\n\n")[1] for name, mail in mails.items()}
    assert said == {
        "anna": "Anna, Hanna lädt dich zu einem Spiel ein",
        "bert": "bert, Hanna nodigt je uit voor een spel",
        "carla": "carla, Hanna invites you to a game",
    }
    # The invitation comes again in the language that was asked for.
    (again,) = world.answers(reply(mails["bert"], "language de"))
    assert "lädt dich zu einem Spiel ein" in again.text
    assert json.loads((world.root / "players.json").read_bytes())["bert"]["language"] == "de"
    world.put(reply(again, "mitspielen als Bert"), reply(mails["carla"], "join as Bert"))
    env = {"REFEREE_LANGUAGE": "de"}
    ran = run_here("mail", "run", str(world.root), "--now", "2026-11-20T08:00Z", cwd=tmp_path, env=env)
    assert "an carla: Deine Antwort wurde nicht angenommen" in ran.said
    assert "Your answer was not taken: " in next(mail.text for mail in world.new() if mail.to.startswith("carla"))
    status = run_here("mail", "status", str(world.root), "--now", "2026-11-20T08:00Z", cwd=tmp_path, env=env)
    assert "wartet auf Beitritte" in status.out.decode()
    assert not english_in(status.out.decode(), "de")


def test_who_changes_the_language_is_asked_again_in_it(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(*(reply(mails[name], f"join as {name.title()}") for name in mails))
    (mail,) = world.answers(reply(world.turn("bert"), "taal Nederlands"))
    assert "Ga je akkoord?" in mail.text
    (taken,) = world.answers(reply(mail, "Einverstanden"))
    assert "Je antwoord telt" in taken.text
