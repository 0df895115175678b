"""Mails in German and Dutch: games, read through for English left over; words that players type in any language."""

import io
import json
import os
import random
import re
from collections.abc import Container
from datetime import date
from pathlib import Path
from unittest import mock

import pytest
from babel.messages.pofile import read_po

from referee import games
from referee.bots.playing import bot_signs
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine.answers import seen
from referee.engine.lobby import make_join
from referee.engine.player import open_view
from referee.errors import Usage
from referee.evidence.rulings import make_ruling
from referee.games import lexicon
from referee.language import LANGUAGES, speaking
from referee.lexicon import spellings
from referee.library.values import placeholder
from referee.mail import words
from referee.mail.block import write_block
from referee.mail.body import WIDTH
from referee.mail.lines import html_lines
from referee.mail.ways import IN_OTHERS
from referee.show.wording import move_text
from tests.cli.world import key, run_here, seed
from tests.mail.offices import HOST, NOW, Mail, World, invited, plain, reply
from tests.mail.test_whole_games import OPTIONS, short_edition
from tests.support.short import SHORT

from .left_over import english_in
from .make import ROOT, TARGETS
from .test_catalogues import told

GOODS = re.compile(
    r"\b(?:blue|red|green|yellow|black|glass|paper|coffee|flour|sugar|potato|silver|bid|sell|buy)s?\b(?!=)"
)
"""Words of games; those that are the same elsewhere, as `orange`, are left out."""
SPOKEN = {"anna": "de", "bert": "nl", "carla": "en", "dirk": "de", "elsa": "nl"}
SIGNS = {"mark": {"anna"}, "schwarzer-freitag": {"bert"}}
"""The player with her own key; the office keeps those of the others."""
NAMES = {
    "anna": "Annemarie Sophie von der Wiesenthal-Bühl", "bert": "Engelbertus Cornelis van den Nieuwenhuijzen",
    "carla": "Carla", "dirk": "Dirk", "elsa": "Elsa",
}  # fmt: skip
"""Two names are as long as any can be."""
JOIN = {"de": "Ich spiele mit als", "nl": "meedoen als", "en": "join as"}
AGREED = {"de": "Einverstanden", "nl": "akkoord", "en": "ok"}
STEPS_MOST = 400
WROTE = {
    "de": f"Am 20.11.26 um 08:00 schrieb {HOST}:",
    "nl": f"Op 20-11-2026 om 08:00 schreef {HOST}:",
    "en": f"On Fri, 20 Nov 2026, {HOST} wrote:",
}


def answered(mail: Mail, said: str) -> bytes:
    """An answer as programs in the reader's language write it."""
    lines = [f"> {line}" for line in mail.text.splitlines()]
    return reply(mail, "\n".join((said, "", WROTE[language_of(mail)], *lines)), quote=False)


def who(mail: Mail) -> str:
    return mail.to.partition("@")[0]


def language_of(mail: Mail) -> str:
    return SPOKEN[who(mail)]


def sentences(mail: Mail) -> list[str]:
    """What a reader sees of a mail: its subject, its text, and its page, in which what is typed is marked."""
    page = mail.message.get_body(("html",))
    assert page is not None
    html = str(page.get_content())
    assert f'<html lang="{language_of(mail)}">' in html
    shown = [line.text for line in html_lines(re.sub("</?b>", "`", html))]
    return [mail.subject, *mail.text.splitlines(), *shown]


def look_through(mails: list[Mail]) -> None:
    """No English is left in them, except for those who read it, and no line is too long."""
    assert mails
    for mail in mails:
        language, text = language_of(mail), "\n".join(sentences(mail))
        assert not [line for line in mail.text.splitlines() if len(line) > WIDTH and " " in line.strip()], mail.text
        if language == "en":
            continue
        for others in IN_OTHERS.values():
            text = text.replace(others, "")
        lines = re.sub("`[^`]*`", "", text).splitlines()
        left = {line: found for line in lines if (found := english_in(line, language) or GOODS.findall(line))}
        assert not left, (mail.name, language, left)


def play(folder: Path, game: str, *, seats: int, own: Container[str], short: bool) -> list[Mail]:
    """A whole game by mail, and every mail of it. All type in the language of somebody else."""
    chance = random.Random(game)
    with mock.patch.object(os, "urandom", random.Random(f"mails of {game}").randbytes):  # it goes the same way again
        world, people = World(folder), list(SPOKEN)[:seats]
        more = ("--deadline", "3d", "--grace", "12h", *OPTIONS.get(game, []))
        more = ("--edition", str(short_edition(game, folder)), *more) if short else more
        world.offer(*(f"{one}@x.example {SPOKEN[one]}" for one in people), game=game, more=more)
        mails = world.new()
        found = [*mails]
        mails = world.take(*(join(mail, own) for mail in mails))
        for _ in range(STEPS_MOST):
            found += mails
            turns = [mail for mail in mails if mail.name.endswith("-turn")]
            if not turns:
                break
            mails = world.take(*(move(mail, chance, own) for mail in turns))
    return found


def join(mail: Mail, own: Container[str]) -> bytes:
    name = NAMES[who(mail)][:40]
    if who(mail) not in own:
        return answered(mail, f"{JOIN[language_of(mail)]} {name}")
    offer = decode(mail.file("offer.json"), Envelope, "offer")
    return reply(mail, "", files={"join.json": encode(make_join(key(who(mail)), offer, name, seed(name)))})


def move(mail: Mail, chance: random.Random, own: Container[str]) -> bytes:
    """What a bot does, signed, or in the words of another language."""
    opened = open_view(mail.file("view.json"))
    if who(mail) in own:
        answer = bot_signs(opened.place, key(who(mail)), "sensible", seed(mail.name))
        return reply(mail, write_block("move", answer)) if chance.random() < 0.5 else sent(mail, answer)
    others = chance.choice([one for one in LANGUAGES if one != language_of(mail)])
    if not opened.decides:
        return answered(mail, AGREED[others])
    table, checkpoint = opened.table, opened.chain.checkpoint
    known = seen(table.game, checkpoint.state, checkpoint.public, opened.seat, opened.owner.faces)
    chosen = table.game.bots["sensible"](table.terms, known, chance.randrange)
    with speaking(others):
        return answered(mail, move_text(table, chosen))


def sent(mail: Mail, answer: bytes) -> bytes:
    return reply(mail, "", files={"move.json": answer})


@pytest.mark.thorough
@pytest.mark.parametrize("game", sorted(SHORT))
def test_no_english_is_left_in_mails_of_a_game(tmp_path: Path, game: str) -> None:
    """From the invitation to the proof, with a German, a Dutch and an English player at one table."""
    mails = play(tmp_path, game, seats=3, own=SIGNS.get(game, ()), short=True)
    look_through(mails)
    last = [mail for mail in mails if mail.name.endswith("-over")]
    assert sorted(map(language_of, last)) == ["de", "en", "nl"]
    (proof,) = {mail.file("transcript.json") for mail in last}
    for language in TARGETS:
        ran = run_here("verify", "-", cwd=tmp_path, stdin=proof, env={"REFEREE_LANGUAGE": language})
        assert ran.exit == 0, ran.said
        assert not english_in(ran.out.decode(), language)


# --- what goes wrong, and what time brings ---------------------------------------------------------------------------


WRONG = {
    "de": (
        "", "Unfug", "verkaufe 9 rot", "#99", "#4\n\n#5", "abwesend", "abwesend bis 31.11.2026", "Sprache Klingonisch",
        "Zeitzone Europe/Berlim", "Adresse hier", "> #4", "nein", "Weg",
    ),
    "nl": (
        "", "onzin", "verkoop 9 rood", "#99", "#4\n\n#5", "afwezig", "afwezig t/m 31-11-2026", "taal Klingon",
        "tijdzone Europe/Amsterdan", "adres hier", "> #4", "nee", "weg",
    ),
}  # fmt: skip
SAID = {
    "de": ("abwesend bis 1.12.", "ZURUECK", "Zeitzone Europe/Vienna", "aussteigen", "Adresse anna@y.example"),
    "nl": ("afwezig t/m 1 dec 2026", "terug", "tijdzone europe/vienna", "uitstappen", "adres bert@y.example"),
}
NO_JOIN = {
    "de": ("", "Unfug", "mitspielen als a@b", "mitspielen als A\n\nnein", "abwesend bis 1.12.", "Sprache x", "nein"),
    "nl": ("", "onzin", "meedoen als a@b", "meedoen als A\n\nnee", "afwezig t/m 1 december", "taal x", "nee bedankt"),
}
DAYS = ("2026-11-22T20:00Z", "2026-11-23T09:00Z", "2026-11-24T09:00Z", "2026-11-29T09:00Z", "2026-12-05T09:00Z")


class Host:
    """A host who works in his own language: looks through what is said to him and what is written to others."""

    def __init__(self, world: World, language: str) -> None:
        self.world, self.language = world, language

    def does(self, *args: str, now: str = NOW) -> list[Mail]:
        command, *rest = args
        env = {"REFEREE_LANGUAGE": self.language}
        ran = run_here("mail", command, "office", *rest, "--now", now, cwd=self.world.folder, env=env)
        assert ran.exit == 0, ran.said
        text = ran.said + ran.out.decode()
        text = re.sub(r"\b(?:archive|quarantine|outbox|sent)\b", "", text)  # folders
        assert not english_in(text, self.language), text
        mails = self.world.new()
        if mails:
            look_through(mails)
        return mails

    def judges(self, *mails: bytes, now: str = NOW) -> list[Mail]:
        self.world.put(*mails)
        return self.does("run", now=now)


@pytest.mark.thorough
@pytest.mark.parametrize("language", TARGETS)
def test_no_english_is_left_in_what_goes_wrong(tmp_path: Path, language: str) -> None:
    """Refusals, words about oneself, reminders, missed deadlines, a ruling: to players, and to the host."""
    world = World(tmp_path, settings="answers_per_day = 900")
    host, arbiter = Host(world, language), key("Ada")
    people = [f"{one}@x.example {SPOKEN[one]}" for one in ("anna", "bert", "dirk")]
    more = ("--deadline", "3d", "--grace", "12h", "--arbiter", arbiter.public.hex())
    world.offer(*people, game="schwarzer-freitag", more=more)
    invited = {who(mail): mail for mail in world.new()}
    wrong = [answered(invited[one], said) for one in ("anna", "bert") for said in NO_JOIN[SPOKEN[one]]]
    assert len(host.judges(*wrong)) == len(wrong)
    host.does("status")
    host.judges(*(join(mail, {"dirk"}) for mail in invited.values()))
    host.judges(*(move(mail, random.Random(1), {"dirk"}) for mail in turns(world)))
    strange = {"Auto-Submitted": "auto-replied", "List-Id": "<a.example>", "Precedence": "bulk"}
    host.judges(*(plain("anna@x.example", "x", "y", **{name: word}) for name, word in strange.items()))
    host.judges(plain("eve@evil.example", "x", "y"), plain("anna@x.example", "x", "y"), answered(invited["anna"], "#4"))
    for one in ("anna", "bert"):
        while who(turns(world)[0]) != one:
            host.judges(move(turns(world)[0], random.Random(1), {"dirk"}))
        lines = (*WRONG[SPOKEN[one]], *SAID[SPOKEN[one]])
        told = host.judges(*(answered(turns(world)[0], said) for said in lines))
        assert len(told) == len(lines) + 1  # both addresses are told
    genesis = decode(encode(json.loads(world.game())["genesis"]), Envelope, "genesis")
    (tmp_path / "ruling.json").write_bytes(make_ruling(arbiter, genesis, [], "3:2", (2, 1, 3)))
    assert len(host.does("table", "--ruling", "ruling.json")) == len(people)
    late = [mail for now in DAYS for mail in host.does("run", now=now)]
    assert {mail.name[-10:] for mail in late if "reminder" in mail.name} == {"reminder-1", "reminder-2"}
    host.does("status", now=DAYS[-1])


def turns(world: World) -> list[Mail]:
    """The mails that ask somebody, of the newest round."""
    found = sorted((world.root / "sent").glob("*-turn.eml"))
    return [Mail(path.stem, path.read_bytes()) for path in found if path.name[9:13] == found[-1].name[9:13]]


# --- words that players type -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TARGETS)
def test_what_a_translation_says_to_type_means_the_same(language: str) -> None:
    """Words between backquotes are read as those of the English sentence are; commands stay as they are."""
    count = 0
    for message in read_po(io.BytesIO((ROOT / "referee/mail/locale" / f"{language}.po").read_bytes())):
        for source, translation in told(message) if message.id else ():
            typed, others = (re.findall(r"`([^`]+)`", text) for text in (source, translation))
            if source.startswith(("write `language", "write `address", "write for example `zone")):
                assert {words.in_english(one)[0] for one in others} == {words.in_english(one)[0] for one in typed}
                continue
            with speaking(language):
                ours = [meant(placeholder(one)) for one in typed]
            assert sorted(ours) == sorted(map(meant, others)), (source, translation)
            count += sum(words.in_english(one)[0] != "" for one in typed)
    assert count > 10


def meant(typed: str) -> tuple[str, str]:
    """A word and what follows it, of which days are read."""
    head, rest = words.in_english(typed)
    return (head, str(words.about_player(typed, date(2026, 11, 20)))) if head == "away until" else (head, rest)


def test_no_word_means_two_things() -> None:
    """Words about a player, in any spelling, are not words with which something can begin in a game."""
    heads = {
        spelling: english
        for english, others in words.WORDS.items()
        for phrase in (english, *(one for forms in others.values() for one in forms))
        for spelling in spellings(phrase)
    }
    read = {head: words.in_english(head) for head in heads}
    assert {head: (english, "") for head, english in heads.items()} == read
    waiting = {"no", "join as"}  # these are read before a game begins, when nothing else can be typed
    alone = set(words.ASKING)  # nothing that a game reads follows these; `test_asked` compares whole lines
    mine = {head for head, english in heads.items() if english not in waiting | alone}
    for game in games.game_ids():
        known = lexicon(game)
        typed = {one for phrase in (*known.words, *known.meanings) for one in spellings(phrase)}
        begun = {(head, one) for one in typed for head in mine if f"{one} ".startswith(f"{head} ")}
        assert not begun, game
        assert not [one for one in typed if words.is_language(one)], game
    for language, called in LANGUAGES.items():
        assert words.language_of(called.upper()) == language


FIFTH = (
    "abwesend bis 5.1.2027", "Abwesend bis zum 05.01.27.", "abwesend bis 5.1.", "bin abwesend bis 5. Januar",
    "abwesend bis einschliesslich 5. Jan. 2027", "afwezig t/m 5-1-2027", "afwezig tot en met 5 januari",
    "AFWEZIG TOT 5/1/2027", "afwezig tot 5 jan", "away until 2027-01-05", "away until 5 January 2027",
    "away until Jan 5, 2027", "away until: 5.1.2027",
)  # fmt: skip
NO_DAY = {
    "away until 05-01-2027": "this can mean two different days",
    "away until 1/12/2026": "this can mean two different days",
    "abwesend bis 31.11.2026": "this is not a day within the next 120",
    "afwezig t/m 5-1-27": "this is not a day within the next 120",
    "afwezig t/m 2026-13-01": "this is not a day within the next 120",
    "abwesend bis 19.11.": "this is not a day within the next 120",
    "abwesend bis 5. Frimaire": "this is not a day within the next 120",
    "away 2026-12-05": "this does not say until when",
    "afwezig tot morgen": "this does not say until when",
}


def test_a_day_is_read_as_each_language_writes_it_and_never_in_two_ways() -> None:
    today = date(2026, 11, 20)
    for typed in FIFTH:
        assert words.about_player(typed, today) == words.Away(date(2027, 1, 5)), typed
    assert words.about_player("away until 20/12/2026", today) == words.Away(date(2026, 12, 20))
    assert words.about_player("abwesend bis 20.11.", today) == words.Away(today)
    assert words.about_player("afwezig t/m 3 mrt", today) == words.Away(date(2027, 3, 3))
    assert words.about_player("abwesend bis 3. Maerz", today) == words.Away(date(2027, 3, 3))
    for typed, why in NO_DAY.items():
        with pytest.raises(Usage, match=why):
            words.about_player(typed, today)


# --- who gets mails in which language ---------------------------------------------------------------------------------


def test_an_office_has_a_language_and_a_host_another(tmp_path: Path) -> None:
    """Unknown players get mails in the office's language; the host reads his own, and programs English."""
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
    assert "Your answer was not accepted: " in next(mail.text for mail in world.new() if mail.to.startswith("carla"))
    status = run_here("mail", "status", str(world.root), "--now", "2026-11-20T08:00Z", cwd=tmp_path, env=env)
    assert "wartet auf Beitritte" in status.out.decode()
    assert not english_in(status.out.decode(), "de")


CALLED = {
    "de": ("Deutsch", "DEUTSCH", "German", "duits", "auf Deutsch", "Sprache Deutsch", "taal DE", "language: German"),
    "nl": ("Nederlands", "niederlaendisch", "Niederländisch", "dutch!", "in het Nederlands", "taal Nederlands"),
    "en": ("English", "ENGELS", "Englisch", "in English", "Sprache en"),
}
ASKED = {"de": ("lädt dich", "Bist du einverstanden?"), "nl": ("nodigt je uit", "Ga je akkoord?"),
         "en": ("invites you", "Do you agree?")}  # fmt: skip


@pytest.mark.thorough
def test_one_word_changes_the_language(tmp_path: Path) -> None:
    """In any language and spelling, in the text or as the subject, before the game and in it: what was asked comes
    again in it, and it stays."""
    world, mails = invited(tmp_path)
    world.settings("answers_per_day = 900")
    for again in range(2):
        for number in range(len(CALLED["de"])):
            for language, called in CALLED.items():
                mail, word = world.turn("bert") if again else mails["bert"], called[number % len(called)]
                (told,) = world.answers(reply(mail, word, sender=f"{number}@x.example"))
                assert ASKED[language][again] in told.text, word
        quoted = reply(world.turn("bert") if again else mails["bert"], "")
        subject = re.sub(rb"Subject: .*\r\n(?: .*\r\n)*", b"Subject: Re: Deutsch\r\n", quoted)
        (told,) = world.answers(subject)
        assert ASKED["de"][again] in told.text
        if not again:
            world.take(*(reply(mails[name], f"join as {name.title()}") for name in mails))
            assert "Bist du einverstanden?" in world.turn("bert").text
    # A word that is left over where lines were wrapped is no wish.
    (told,) = world.answers(reply(world.turn("bert"), "en"))
    assert "Deine Antwort wurde nicht angenommen" in told.text
    (told,) = world.answers(reply(world.turn("bert"), "akkoord"))
    assert "Deine Antwort wurde angenommen" in told.text
