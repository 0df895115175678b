"""Whole games in which one player has nothing but a browser: every answer is made by the player's page, from mails."""

import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.crypto import keys
from referee.engine import records as r
from referee.engine.player import Draft, Opened, answer, open_view
from referee.evidence.replay import open_transcript
from referee.forms import find
from referee.language import speaking, with_names
from referee.mail.block import find_blocks
from referee.page.aid import aid_of
from referee.show import typed
from tests.cli.world import run_here
from tests.locale.left_over import english_in
from tests.mail.offices import Mail, World, own_join, own_move
from tests.mail.test_whole_games import OPTIONS, short_edition
from tests.page.browser import Browser, browsing, needs_browser
from tests.page.desk import Desk
from tests.support.consult import consult

PEOPLE = {"Anna": "anna@x.example", "Bert": "bert@y.example", "Carla": "carla@z.example"}
ROUNDS_MOST = 200
SHORTER = {"schwarzer-freitag": {"silver_track": [20, 60, 100]}}
"""Of a game that asks for the same two things again and again, 20 rounds are enough."""
LANGUAGE = {"mark": "de", "schwarzmarkt": "nl"}
"""Of the office, of Anna's browser and so of all that she reads; English, where nothing is said."""
WORDS = {
    "en": ("Moves", "Sign", "Signed."),
    "de": ("Züge", "Unterschreiben", "Unterschrieben."),
    "nl": ("Zetten", "Ondertekenen", "Ondertekend."),
}


class Anna:
    """Plays as a sensible bot decides, in the browser alone."""

    def __init__(self, browser: Browser, folder: Path, language: str) -> None:
        self.desk, self.chance, self.language = Desk(browser, folder), random.Random("anna"), language
        self.opened: Opened | None = None
        self.answers = 0

    def join(self, mail: Mail) -> bytes:
        self.desk.make_key("Anna")
        self.desk.open(self.desk.give("invitation.eml", mail.raw))
        return self.desk.join()

    def answer(self, mail: Mail) -> bytes:
        """Open the mail, answer it, keep the player's file."""
        desk, path = self.desk, self.desk.give("turn.eml", mail.raw)
        if self.answers % 5 == 0:  # now and then the browser is restarted, and has nothing from before
            desk.open_page()
            desk.open(path, mine=desk.mine)
        else:
            desk.open(path)
        assert desk.browser.verdict() == "ok"
        self.opened = opened = open_view(mail.file("view.json"), since=self.opened)
        move, words = self.decide(opened)
        heading, sign, signed = WORDS[self.language]
        assert desk.browser.text("#moves h2") == heading
        assert desk.browser.text("#sign") == sign
        with speaking(self.language):
            self.fill_in(opened, move, words)
        sent = desk.sign()
        assert desk.browser.text("#bar .good").startswith(signed)
        desk.save()
        self.compare(opened, move, words, sent)
        self.answers += 1
        return sent

    def decide(self, opened: Opened) -> tuple[Any, Any]:
        game, words = opened.table.game, None
        move = consult(opened, game.bots["sensible"], self.chance.randrange) if opened.decides else None
        if game.standing is not None and opened.round:
            words = consult(opened, game.standing.advise, "sensible")
            sayable = [typed.as_type(one.move, game.standing.words) for one in self.said(opened) if not one.parts]
            words = words if words in sayable else None
        return move, words

    def said(self, opened: Opened) -> list[Any]:
        return typed.standing_choices(opened, opened.orders(opened.seat))

    def fill_in(self, opened: Opened, move: Any, words: Any) -> None:
        if move is not None:
            spelled = msgspec.json.decode(msgspec.json.encode(move))
            lines = aid_of(opened).moves.choices
            at, values = next(
                (at, values) for at, one in enumerate(lines) if (values := find(one, spelled)) is not None
            )
            # A person goes through the parts in order.
            ordered = {part.name: values[part.name] for part in lines[at].parts}
            told = self.desk.choose(at, ordered)
            assert with_names(lines[at].text, opened.table.names) in self.desk.called()
            if self.language == "en":
                for name in spelled:
                    assert f"{name}: " in told
            else:
                assert english_in(re.sub("|".join(PEOPLE), " ", told), self.language) == []
        if words is not None:
            form = opened.table.game.standing.words  # type: ignore[union-attr]
            at = [typed.as_type(one.move, form) if not one.parts else None for one in self.said(opened)].index(words)
            self.desk.choose(at, {}, "#orders")

    def compare(self, opened: Opened, move: Any, words: Any, sent: bytes) -> None:
        """What the page signed is byte for byte what the tool would; what is sealed is encrypted afresh each time."""
        key = keys.Key(bytes.fromhex(json.loads(self.desk.mine.read_bytes())["key"]["secret"]))
        (block,) = find_blocks(sent.decode())
        made = msgspec.json.decode(block.data or b"", type=r.MoveFile)
        ours = msgspec.json.decode(answer(key, opened, Draft(move, words)), type=r.MoveFile)
        assert (bytes(made.body), made.sig, made.type) == (bytes(ours.body), ours.sig, ours.type)
        assert bool(made.sealed) == bool(ours.sealed)


def play(folder: Path, game: str, seats: int) -> tuple[bytes, Anna]:
    """A game by mail, to its end."""
    language = LANGUAGE.get(game, "en")
    world = World(folder / "host", settings=f'language = "{language}"')
    names = list(PEOPLE)[:seats]
    edition = ("--edition", str(short_edition(game, folder, SHORTER.get(game, {}))))
    world.offer(*(PEOPLE[name] for name in names), game=game, more=(*edition, *OPTIONS.get(game, [])))
    with browsing(language=language) as browser:
        anna = Anna(browser, folder / "anna", language)
        invited = {mail.to: mail for mail in world.new()}
        joins = [anna.join(invited[PEOPLE["Anna"]])]
        joins += [own_join(invited[PEOPLE[name]], name) for name in names[1:]]
        mails = world.take(*joins)
        for _ in range(ROUNDS_MOST):
            over = [mail for mail in mails if mail.name.endswith("-over")]
            if over:
                assert browser.requests() == []
                assert browser.complaints() == []
                return over[0].file("transcript.json"), anna
            sent = []
            for mail in mails:
                name = next(one for one in names if PEOPLE[one] == mail.to)
                if mail.name.endswith("-turn"):
                    sent.append(anna.answer(mail) if name == "Anna" else own_move(mail, name))
            mails = world.take(*sent)
    raise AssertionError("the game does not end")


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("game", sorted(OPTIONS.keys() | {"mark", "schwarzer-freitag", "schwarzmarkt"}))
def test_a_game_is_played_to_its_end_in_a_browser(tmp_path: Path, game: str) -> None:
    transcript, anna = play(tmp_path, game, 3 if game == "schwarzmarkt" else 2)
    path = tmp_path / "transcript.json"
    path.write_bytes(transcript)
    assert run_here("verify", str(path), cwd=tmp_path).exit == 0
    chain = open_transcript(transcript)
    answered = [one for one in chain.rounds if any(answer.seat == 0 for answer in one.entry.answers)]
    assert len(answered) == anna.answers >= 5
    assert chain.checkpoint.state.end == "result"
