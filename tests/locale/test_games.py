"""What people read about our games in German and Dutch: whole games, in which no English is left and nothing is cut,
and what is printed as something to type can be typed."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from referee import games
from referee.columns import columns
from referee.engine.player import Opened
from referee.errors import IllegalMove, RefereeError, Usage
from referee.forms import Free, build, find, sample
from referee.game import Game
from referee.games import as_typed, lexicon
from referee.games.schwarzer_freitag.board import letter
from referee.games.schwarzer_freitag.story import called
from referee.games.schwarzer_freitag.types import COLOURS
from referee.games.schwarzer_freitag.words import NAMES as COLOUR_NAMES
from referee.games.schwarzmarkt.story import named
from referee.games.schwarzmarkt.types import GOODS
from referee.games.weg_zum_erfolg import story as weg
from referee.games.weg_zum_erfolg.types import Edition, Options
from referee.io import keyfile
from referee.language import ENGLISH, Message, speaking
from referee.page.aid import Aid, aid_of
from referee.show import family, pictures, prompt, story, typed
from referee.show.terminal import Painter, render
from referee.testing.playing import boards_fit
from referee.testing.subject import Snapshot, Subject
from tests.cli.world import run_here
from tests.games.mark import test_picture as mark_picture
from tests.games.schwarzer_freitag import test_picture as freitag_picture
from tests.games.schwarzmarkt import test_picture as markt_picture
from tests.games.weg_zum_erfolg import test_picture as weg_picture
from tests.support.match import NAMES, Sitting

from .left_over import game_english_in, texts_of
from .make import TARGETS

PICTURES = {
    "mark": lambda terms, view: mark_picture.assert_form(mark_picture.Sheet(terms, view)),
    "schwarzer-freitag": lambda terms, view: freitag_picture.assert_form(freitag_picture.Sheet(view, terms)),
    "schwarzmarkt": lambda terms, view: markt_picture.assert_well_drawn(markt_picture.Drawing(terms, view)),
    "weg-zum-erfolg": lambda terms, view: weg_picture.assert_sheet(weg_picture.picture(terms, view)),
}
"""Our games, and what must hold of their pictures."""
WIDTHS = (60, 80, 100)
TYPED = (
    "", "x" * 500, "x " * 300, "§", "12", "a b c", "pass", "hold", "name", "against", "against Bertt",
    "buy", "buy 2", "buy rde", "buy red, drop red", "buy 9 red", "sell red", "sell purple", "silver", "silver 99",
    "mark red", "pass red, buy red", "pass green, mark red", "card red, card red", "place red", "9 subsidies",
    "1 subsidy, card red, 1 subsidy, pass red", "card red",
    "play", "play offer 99", "play offer", "play razia", "play limit", "play limit, trade sugar", "play 1", "trade",
    "trade none", "trade all", "trade butter", "trade butter, move 1", "trade 9 sugar", "trade xyz",
    "trade none, move 9", "trade none, move 1, move 1", "sit out", "spy", "spy bob", "spy @9", "spy @1",
    "razzia @1 xyz", "razzia @1", "find sugar", "find sugra", "quick flour sugar", "swap @1 xyz",
    "swap @1 butter butter butter", "collect @9", "move 1, ask you",
    "gloss", "sell", "sell p9 row 99", "buy glass d1 d2", "take pepper", "bid 3", "bid nothing", "offer nothing",
    "process p1", "move", "move d1 p4", "roll then pass", "bid 1000000 d1",
    "piece", "piece 9", "piece 1 uup", "try, success", "intervene", "intervene 99", "solve", "solve 1+", "solve (2",
    "solve 2/0", "swap", "lose 99", "place 12", "chip 99", "way down", "enter, try, try", "decline except",
    "decline except on pink",
)  # fmt: skip
"""What means nothing in most games, or nothing here."""
OPTIONS = {"weg-zum-erfolg": Options(neue_ziele=True)}
"""Those with which a game says most."""
EVERY = [(game_id, language) for game_id in PICTURES for language in TARGETS]
each = pytest.mark.parametrize(("game_id", "language"), EVERY)


@cache
def subject(game_id: str) -> Subject:
    return Subject(game_id, most=7)


@cache
def moments(game_id: str) -> list[Snapshot]:
    """Some of each game, from the first to the last."""
    plays = subject(game_id).plays
    assert not any(play.failure for play in plays)
    return [moment for play in plays for moment in (*play.moments[::80], play.moments[-1])]


@cache
def session(game_id: str) -> list[Opened]:
    """Views of players who are asked, some of every question of a game, and one of its end."""
    sitting, asked, found = Sitting(game_id, 3, f"{game_id} session", OPTIONS.get(game_id)), Counter[str](), []
    while not sitting.over:
        if asked[sitting.what] < 3 and sitting.round % 3 == 1:
            asked[sitting.what] += 1
            found.append(sitting.opened(sitting.asked[0]))
        sitting.step()
    return [*found, sitting.opened(0)]


def told_at(game: Game, moment: Snapshot, seat: int) -> Iterator[str]:
    """What the game itself shows a seat: boards, the picture and its words."""
    terms, view = moment.at.terms, moment.at.seen(seat)
    names = NAMES[: moment.way.seats]
    for width in WIDTHS:
        yield game.render(terms, view, names, lambda text, style: text, width)
    assert game.picture is not None
    yield "\n".join(ElementTree.fromstring(game.picture(terms, view, names, 600)).itertext())


def told_to(opened: Opened) -> Iterator[str]:
    """What a player reads of a view: the board with the news, the story, the picture, lists, questions, the aid."""
    table = opened.table
    for width in WIDTHS:
        yield render(opened, Painter(colour=False), width)
    since = 1 if opened.chain.checkpoint.state.end else max(1, opened.round - 9)  # the last view tells the whole story
    for one in story.story_of_view(opened, range(since, opened.round + 1)):
        yield from story.lines(one, table)
    yield "\n".join(ElementTree.fromstring(pictures.svg(opened.chain, pictures.seen_in_view(opened))).itertext())
    for number, choice in enumerate((*typed.choices(opened), *said(opened)), 1):
        yield prompt.numbered(number, choice, table, 80)
        question = family.next_question(choice, {}) if choice.parts else None
        if question is not None:
            yield family.wording(question, table.names, lambda word: as_typed(table.game_id, word), 80)
    yield from labels(aid_of(opened))


def said(opened: Opened) -> list[Any]:
    return typed.standing_choices(opened, opened.orders(opened.seat))


def labels(aid: Aid) -> Iterator[str]:
    """Everything that a form shows."""
    yield from aid.terms
    for told in aid.told:
        yield from (*told.lines, *told.own)
    for choice in (*aid.moves.choices, *(aid.moves.standing.choices if aid.moves.standing else ())):
        yield from (choice.text, choice.note, *(limit.why for limit in choice.limits))
        for part in choice.parts:
            yield from (part.ask, *(one.text for one in getattr(part, "options", ())))


@cache
def hands(game_id: str) -> set[str]:
    """Everything that somebody held."""
    views = (moment.at.seen(seat) for moment in moments(game_id) for seat in range(moment.way.seats))
    own = {f"{hand}/{seat}" for hand in subject(game_id).game.hands for seat in range(8)}
    return {face for view in views for bag, faces in view.tokens.items() if bag in own for face in faces}


def everything(game_id: str) -> Iterator[str]:
    game = subject(game_id).game
    for moment in moments(game_id):
        for seat in {ask.seat for ask in moment.asks[:1]} or {0}:
            yield from told_at(game, moment, seat)
    for play in subject(game_id).plays:
        last = play.moments[-1].at
        yield from (game.tell(last.terms, note) for note in last.log)
    for face in hands(game_id):
        yield from (as_typed(game_id, game.called(face, n)) for n in (1, 2))
    for opened in session(game_id):
        yield from told_to(opened)


@cache
def in_english(game_id: str) -> set[str]:
    """Some of what a reader of English gets."""
    return {text for opened in session(game_id)[::-4] for text in told_to(opened)}


@pytest.mark.thorough
@each
def test_no_english_is_left_in_whole_games(game_id: str, language: str) -> None:
    with speaking(language):
        ours = set(everything(game_id))
    found = {word: text for text in ours for word in game_english_in(unnamed(text), game_id, language)}
    assert found == {}
    assert len(ours) > 500
    english = [text for text in in_english(game_id) if game_english_in(unnamed(text), game_id, language)]
    assert len(english) > 100, "nothing is looked for"


def unnamed(text: str) -> str:
    """Without names of players, moves as JSON, and the letters of pieces and colours that lie on one field."""
    codes = (r'\{".*\}', "(?<= )(?=[a-h]{2})a?b?c?d?e?f?g?h?(?= )", r"\b[A-Z]{2}\b", "TEXT")
    return re.sub("|".join((*NAMES, *codes)), " ", text)


def english_of(told: Message) -> str:
    with speaking(ENGLISH):
        return str(told)


def refusals(game_id: str) -> Iterator[RefereeError]:
    """What is refused of what people type: by a game at any moment, and by what reads for it."""
    game = subject(game_id).game
    for moment in moments(game_id):
        terms = moment.at.terms
        for view in (moment.at.seen(ask.seat) for ask in moment.asks[:2]):
            for line in TYPED:
                try:
                    game.check(terms, view, game.parse(terms, view, line))
                except IllegalMove as error:
                    yield error
    for line, opened in zip(TYPED, cycle(session(game_id)[:-1]), strict=False):
        try:
            typed.read_answer(opened, line)
        except (IllegalMove, Usage) as error:
            yield error


@pytest.mark.thorough
@each
def test_refusals_are_translated(game_id: str, language: str) -> None:
    with speaking(language):
        said = [one for error in refusals(game_id) for one in (error.message, error.next)]
        told = dict(zip(map(english_of, said), map(str, said), strict=True))
    assert {text for text, again in told.items() if game_english_in(unnamed(again), game_id, language)} == set()
    assert {text for text, again in told.items() if text == again} == set()
    assert len(told) > 80
    examples = {text: again for text, again in told.items() if "`" in text and "`referee" not in text}
    for text, again in examples.items():
        english, ours = (re.findall("`([^`]*)`", one) for one in (text, again))
        read = lexicon(game_id).english
        assert [*map(read, ours)] == [*map(read, english)], again
    assert len(examples) > 4


@each
def test_no_translation_has_english_in_it(game_id: str, language: str) -> None:
    """Also of texts that no session comes to: what is wrong with an edition or the options."""
    told = dict(texts_of(game_id, language))
    assert {one for one, again in told.items() if game_english_in(again, game_id, language)} == set()
    assert len(told) > 100


@each
def test_words_are_called_as_they_are_typed(game_id: str, language: str) -> None:
    """A word or phrase of the game in a sentence is the one that a move is printed with, or another that is read so."""
    words, apart = lexicon(game_id), {"cases", "subsidies", "nothing"}  # two heads of columns; a move may be `none`
    found = {text: ours for text, ours in texts_of(game_id, language) if text in words.words.keys() - apart}
    printed = {text: words.english(words.spoken(text, language)) for text in found}
    assert {text: words.english(ours) for text, ours in found.items()} == printed
    other = {text: ours for text, ours in found.items() if not words.spoken(text, language).startswith(ours)}
    assert other.keys() <= {"none"}
    assert len(found) > 10


@pytest.mark.parametrize("language", TARGETS)
def test_examples_in_sentences_can_be_typed(language: str) -> None:
    """What a translation shows between backquotes means the same as what the English text shows there."""
    found = 0
    for game_id in PICTURES:
        for text, translation in texts_of(game_id, language):
            shown, ours = (re.findall("`([^`{]*)`", one) for one in (text, translation))
            if shown:
                assert [lexicon(game_id).english(one) for one in ours] == shown, text
                found += len(shown)
    assert found >= 4


@pytest.mark.parametrize("language", TARGETS)
def test_colours_and_goods_are_called_as_they_are_typed(language: str) -> None:
    with speaking(language):
        colours = {colour: called(colour) for colour in COLOURS}
        letters = {colour: letter(colour) for colour in COLOURS}
        goods = {good: (named(good, 1), named(good, 2)) for good in GOODS}
        assert colours == {colour: as_typed("schwarzer-freitag", colour) for colour in COLOURS}
    assert len(set(letters.values())) == len(COLOURS)
    english = lexicon("schwarzer-freitag").english
    assert [COLOUR_NAMES[english(letters[colour].lower())] for colour in COLOURS] == list(COLOURS)
    for good, (one, two) in goods.items():
        assert lexicon("schwarzmarkt").english(two) == f"2 {good}"
        assert lexicon("schwarzmarkt").english(one) in (f"1 {good}", f"1 {good.removesuffix('es')}")


@pytest.mark.thorough
@each
def test_boards_and_pictures_have_room_for_their_words(game_id: str, language: str) -> None:
    with speaking(language):
        boards_fit(subject(game_id))
        for moment in moments(game_id):
            if moment.way.seats <= 5:
                PICTURES[game_id](moment.at.terms, moment.at.seen(0))
        for opened in session(game_id):
            for width in WIDTHS:
                assert max(map(columns, render(opened, Painter(colour=False), width).splitlines())) <= width


@pytest.mark.thorough
@each
def test_an_aid_builds_the_same_moves(game_id: str, language: str) -> None:
    """Options are renamed, and so is every condition and limit on them."""
    rng, built = random.Random(game_id), 0
    for opened in session(game_id):
        english = aid_of(opened).moves
        with speaking(language):
            told = aid_of(opened).moves
        pairs = [*zip(english.choices, told.choices, strict=True)]
        if told.standing and english.standing:
            pairs += zip(english.standing.choices, told.standing.choices, strict=True)
        for plain, choice in pairs:
            free = any(isinstance(part, Free) for part in choice.parts)
            for _ in range(0 if free else 12 if choice.parts else 1):
                values = sample(choice, rng.randrange)
                assert values is not None
                assert find(plain, build(choice, values)) is not None, (choice.text, values)
                built += 1
    assert built > 150


def commands(sitting: Sitting, folder: Path, language: str) -> Iterator[tuple[str, str]]:
    """What somebody on turn reads who looks around and mistypes: command -> what it printed."""
    (folder / "v.json").write_bytes(sitting.view(sitting.asked[0]))
    (folder / "key.json").write_bytes(keyfile.dump(sitting.players[sitting.asked[0]]))
    mistyped = ("buy 9 red", "play offer 99", "sell xyz", "trade", "#99")
    lines = [
        ["show", "v.json"],
        ["show", "--moves", "v.json"],
        ["show", "--story", "v.json"],
        ["show", "v.json", "--svg", "v.svg"],
    ]
    lines += [["play", "v.json", "--key", "key.json", "--move", line] for line in mistyped]
    for args in lines:
        ran = run_here("--language", language, *args, cwd=folder, env={"COLUMNS": "80"})
        assert (ran.exit == 0) == (args[0] != "play"), ran.said
        yield " ".join(args), (ran.out + ran.err).decode()
    yield "the picture", "\n".join(ElementTree.parse(folder / "v.svg").getroot().itertext())


@pytest.mark.thorough
@each
def test_a_session_on_the_command_line(tmp_path: Path, game_id: str, language: str) -> None:
    sitting = Sitting(game_id, 3, f"{game_id} session").until(
        lambda one: one.round > 11 and one.opened(one.asked[0]).decides
    )
    printed, english = (dict(commands(sitting, tmp_path, one)) for one in (language, "en"))
    left = {command: game_english_in(unnamed(text), game_id, language) for command, text in printed.items()}
    assert {command: words for command, words in left.items() if words} == {}
    assert sum(bool(game_english_in(text, game_id, language)) for text in english.values()) > 6, "nothing is looked for"
    assert [line for line in printed["show v.json"].splitlines() if len(line) > 80 and "`referee" not in line] == []


# --- texts that stand in lists ---------------------------------------------------------------------------------------


def test_all_our_cards_are_translated() -> None:
    cards = msgspec.json.decode(games.edition_bytes("weg-zum-erfolg"), type=Edition)
    assert sorted(weg.CARDS) == sorted(card.text for card in (*cards.chance, *cards.success))
