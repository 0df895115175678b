"""Schwarzer Freitag and Schwarzmarkt in German and Dutch: no English left, nothing cut, and what is printed as typed
can be typed."""

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee import games
from referee.errors import IllegalMove
from referee.forms import Choice, build, find, sample
from referee.games import as_typed, lexicon
from referee.games.schwarzer_freitag import board
from referee.games.schwarzer_freitag.board_compact import NAME, letter
from referee.games.schwarzer_freitag.story import called
from referee.games.schwarzer_freitag.types import COLOURS
from referee.games.schwarzer_freitag.words import NAMES as COLOUR_NAMES
from referee.games.schwarzmarkt.story import named
from referee.games.schwarzmarkt.types import GOODS
from referee.io import keyfile
from referee.language import retold, speaking
from referee.page.aid import aid_of
from referee.picture import fitted, width
from referee.testing.subject import Moment, Subject
from tests.cli.world import run_here
from tests.games.schwarzer_freitag.test_picture import Sheet, assert_form
from tests.games.schwarzmarkt.test_picture import Drawing, assert_well_drawn
from tests.support.match import Sitting

from . import make
from .left_over import english_in

GAMES = ("schwarzer-freitag", "schwarzmarkt")
LANGUAGES = ("de", "nl")
NAMES = ("Anna", "Bert", "Carla", "Dirk", "Elsa")
WORDS = """
yellow blue red green black share shares case cases price prices market bag strip strips silver bar bars stage sale
purchase debt interest subsidy buy sell pass marks card cards goods good potato potatoes coffee flour sugar luxury
marker trade trades half pile piles spy quick swap raid find collect face down hidden known up left right free the of
you for from is
"""
"""Words of these games that neither Germans nor the Dutch have."""
ALSO_OURS = {"de": {"up"}, "nl": {"of", "is", "pass"}}
TYPED = (
    "", "x" * 500, "buy", "buy 2", "buy rde", "buy red, drop red", "buy 9 red", "sell red", "sell purple", "silver",
    "silver 99", "mark red", "hold", "pass red, buy red", "pass green, mark red", "card red, card red", "place red",
    "1 subsidy, card red, 1 subsidy, pass red", "9 subsidies", "card red", "12", "§", "play", "play offer 99",
    "play offer",
    "play razia", "play limit", "play limit, trade sugar", "play 1", "trade", "trade none", "trade all", "trade butter",
    "trade butter, move 1", "trade 9 sugar", "trade xyz", "trade none, move 9", "trade none, move 1, move 1", "sit out",
    "spy", "spy bob", "spy @9", "spy @1", "razzia @1 xyz", "razzia @1", "find sugar", "find sugra", "quick flour sugar",
    "swap @1 xyz", "swap @1 butter butter butter", "collect @9", "move 1, ask you", "a b c",
)  # fmt: skip


@cache
def subject(game_id: str) -> Subject:
    return Subject(game_id, most=3)


def moments(game_id: str) -> Iterator[Moment]:
    """Some of each game, from the first to the last."""
    for play in subject(game_id).plays:
        assert not play.failure
        yield from (*play.moments[::25], play.moments[-1])


def left_in(text: str, language: str) -> list[str]:
    """English words, those of the games among them."""
    text = re.sub(r"\{\".*\}|bei „\w*“|bij ‘\w*’", " ", text)  # moves as JSON, what was typed
    words = re.findall(r"[^\W\d_]+", re.sub(r"`[^`]*`|'[^'\n]*'", " ", text).lower())
    names = {name.lower() for name in NAMES}
    own = [word for word in words if word in {*WORDS.split()} - ALSO_OURS[language] - names]
    return english_in(text, language) + own


def said_of(choice: Choice, game_id: str) -> Iterator[str]:
    """Everything that a list or a form shows of a choice; what can be typed as it is shown."""
    yield from (choice.text if choice.parts else as_typed(game_id, choice.text), choice.note)
    for part in choice.parts:
        yield part.ask
        yield from (as_typed(game_id, one.text) for one in getattr(part, "options", ()))
        yield from (as_typed(game_id, name) for name in (*getattr(part, "most", ()), *getattr(part, "names", ())))
    yield from (limit.why for limit in choice.limits)


def told_at(moment: Moment, game_id: str, seat: int) -> Iterator[str]:
    """What a seat is shown at a moment: boards, the picture and its words, moves, standing words."""
    game, terms, view = moment.at.game, moment.at.terms, moment.at.seen(seat)
    names = NAMES[: moment.way.seats]
    for columns in (60, 80, 100):
        yield game.draw(terms, view, names, lambda text, style: text, columns)
    assert game.picture is not None
    yield "\n".join(ElementTree.fromstring(game.picture(terms, view, names)).itertext())
    choices = list(game.legal(terms, view))
    if game.standing is not None:
        choices += game.standing.legal(terms, moment.at.public.standing[seat])
    for choice in choices:
        yield from said_of(choice, game_id)


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_no_english_is_left_in_whole_games(game_id: str, language: str) -> None:
    found: dict[str, str] = {}
    english = 0
    for moment in moments(game_id):
        for seat in {ask.seat for ask in moment.asks} or {0}:
            with speaking(language):
                found |= {word: text for text in told_at(moment, game_id, seat) for word in left_in(text, language)}
            english += any(left_in(text, language) for text in told_at(moment, game_id, seat))
    for play in subject(game_id).plays:
        last = play.moments[-1].at
        with speaking(language):
            story = [last.game.tell(last.terms, note) for note in last.log]
            news = [
                as_typed(game_id, last.game.called(face, n)) for face in subject(game_id).words[-5:] for n in (1, 2)
            ]
        found |= {word: text for text in (*story, *news) for word in left_in(text, language)}
    assert found == {}
    assert english > 10, "nothing is looked for"


def refusals(game_id: str) -> Iterator[IllegalMove]:
    """What these games refuse of what people type, at any moment."""
    for moment in moments(game_id):
        for ask in moment.asks:
            view, game = moment.at.seen(ask.seat), moment.at.game
            for typed in TYPED:
                try:
                    game.check(moment.at.terms, view, game.parse(moment.at.terms, view, typed))
                except IllegalMove as error:
                    yield error
                if game.standing is not None:
                    try:
                        game.standing.parse(moment.at.terms, game.standing.words(), typed)
                    except IllegalMove as error:
                        yield error


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_refusals_are_told_again(game_id: str, language: str) -> None:
    refused = {(error.message, error.next) for error in refusals(game_id)}
    with speaking(language):
        told = {text: retold(text) for pair in refused for text in pair}
    prose = {text: re.sub(r"[„‘]\w+[“’]", "", again) for text, again in told.items()}  # what was typed is repeated
    assert {text: again for text, again in prose.items() if left_in(again, language) or text == told[text]} == {}
    assert len(told) > 50
    typed = [(text, again) for text, again in told.items() if "`" in text and "`referee" not in text]
    for text, again in typed:
        quoted = [re.findall("`([^`]*)`", one) for one in (text, again)]
        assert [lexicon(game_id).english(phrase) for phrase in quoted[1]] == quoted[0], again
    assert typed


@pytest.mark.parametrize("language", LANGUAGES)
def test_edition_errors_are_told_again(language: str) -> None:
    for package in ("schwarzer_freitag", "schwarzmarkt"):
        folder = make.ROOT / "referee" / "games" / package
        faults = [one for path in make.sources(folder) if path.stem in ("limits", "rules") for one in make.raised(path)]
        with speaking(language):
            games.load(package.replace("_", "-"))
            assert [one for one in faults if english_in(retold(one), language) or retold(one) == one] == []
        assert len(faults) > 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_in_sentences_are_those_that_are_typed(language: str) -> None:
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
@pytest.mark.parametrize("language", LANGUAGES)
def test_boards_and_pictures_have_room_for_their_words(language: str) -> None:
    with speaking(language):
        for moment in moments("schwarzer-freitag"):
            names = [fitted(name, NAME) for name in ("Anna", "Bartholomäus der Erste", *NAMES[2:])][: moment.way.seats]
            for seat in range(moment.way.seats):
                view = moment.at.seen(seat)
                assert_form(Sheet(view, moment.at.terms))
                for columns in (60, 80, 100):
                    for line in board.lines(moment.at.terms, view, names, columns):
                        assert width(line) <= columns or not "".join(words for words, _ in line)[columns:].strip(), line
        for moment in moments("schwarzmarkt"):
            for seat in range(moment.way.seats):
                assert_well_drawn(Drawing(moment.at.terms, moment.at.seen(seat)))


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_an_aid_builds_the_same_moves_from_labels_without_english(game_id: str, language: str) -> None:
    """Options are renamed, and so is every condition and limit on them."""
    rng, built = random.Random(game_id), 0
    for rounds in (3, 9, 14, 20):
        sitting = Sitting(game_id, 3, f"{game_id} aid").until(rounds)
        opened = sitting.opened(sitting.asked[0])
        english = aid_of(opened).moves
        with speaking(language):
            told = aid_of(opened).moves
        pairs = [*zip(english.choices, told.choices, strict=True)]
        pairs += (
            zip(english.standing.choices, told.standing.choices, strict=True)
            if told.standing and english.standing
            else []
        )
        for plain, choice in pairs:
            labels = [choice.text, choice.note, *(limit.why for limit in choice.limits)]
            for part in choice.parts:
                labels += [part.ask, *(one.text for one in getattr(part, "options", ()))]
            assert {label: left for label in labels if (left := left_in(label, language))} == {}
            values = sample(choice, rng.randrange)
            assert values is not None
            assert find(plain, build(choice, values)) is not None, (choice.text, values)
            built += 1
    assert built > 15


def session(sitting: Sitting, folder: Path, language: str) -> Iterator[tuple[str, str]]:
    """What somebody on turn reads who looks around and mistypes: command -> what it printed."""
    (folder / "v.json").write_bytes(sitting.view(sitting.asked[0]))
    (folder / "key.json").write_bytes(keyfile.dump(sitting.players[sitting.asked[0]]))
    mistyped = ("buy 9 red", "play offer 99", "sell xyz", "trade", "#99")
    commands = [["show", "v.json"], ["moves", "v.json"], ["log", "v.json"], ["picture", "v.json", "-o", "v.svg"]]
    commands += [["play", "v.json", "--key", "key.json", "--move", typed] for typed in mistyped]
    for args in commands:
        ran = run_here("--language", language, *args, cwd=folder, env={"COLUMNS": "80"})
        assert (ran.exit == 0) == (args[0] != "play"), ran.said
        yield " ".join(args), (ran.out + ran.err).decode()
    yield "the picture", "\n".join(ElementTree.parse(folder / "v.svg").getroot().itertext())


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_session_on_the_command_line(tmp_path: Path, game_id: str, language: str) -> None:
    sitting = Sitting(game_id, 3, f"{game_id} session").until(12)
    printed = dict(session(sitting, tmp_path, language))
    english = dict(session(sitting, tmp_path, "en"))
    assert {command: left for command, text in printed.items() if (left := left_in(text, language))} == {}
    assert sum(bool(left_in(text, language)) for text in english.values()) > 6, "nothing is looked for"
    assert [line for line in printed["show v.json"].splitlines() if len(line) > 80 and "`referee" not in line] == []
