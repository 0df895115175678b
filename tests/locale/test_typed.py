"""What is typed at a prompt in German or Dutch, and what is said to somebody who mistypes it."""

import random
import re
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from referee import games
from referee.engine import rounds
from referee.engine.player import Draft, Opened
from referee.errors import IllegalMove, Usage
from referee.forms import Choice, Option, Pick
from referee.games.mark import board as mark
from referee.games.schwarzer_freitag import board as schwarzer_freitag
from referee.games.schwarzmarkt import board as schwarzmarkt
from referee.games.weg_zum_erfolg import board as weg
from referee.grammar import readings, strange
from referee.io import keyfile
from referee.language import speaking
from referee.show import family, prompt, prompt_words, typed
from referee.show.text import asked_for
from referee.show.wording import move_text
from referee.testing.spoken import moves_of
from tests.cli.world import run_here
from tests.contract.planted import Plant, planted
from tests.show.person import Typist, choose
from tests.support.match import Sitting

from .make import ROOT, TARGETS

ASKED = {
    "mark": mark.ASKED, "schwarzer-freitag": schwarzer_freitag._ASKED, "schwarzmarkt": schwarzmarkt.ASKED,
    "weg-zum-erfolg": weg.ASKED,
}  # fmt: skip
"""What each game asks for."""


def deciding(game_id: str) -> Opened:
    sitting = Sitting(game_id, 3, "typed")
    for number in range(1, 40):
        sitting.until(number)
        if found := [view for view in map(sitting.opened, sitting.asked) if view.decides]:
            return found[0]
    raise AssertionError(game_id)


# --- mistyped --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TARGETS)
@pytest.mark.parametrize("game_id", ASKED)
def test_whoever_drops_a_letter_is_offered_the_word(game_id: str, language: str) -> None:
    """Of the reader's language, and typeable; hardly ever another one."""
    lexicon, right, other = games.lexicon(game_id), 0, 0
    own = {word for called in lexicon.words.values() for text in called.get(language, ()) for word in text.split()}
    for word in sorted(own):
        mistyped = word[:2] + word[3:]
        if len(word) < 5 or not strange(lexicon, mistyped):
            continue
        near = lexicon.nearest(mistyped, language)
        assert near in own
        assert strange(lexicon, near) == []
        right, other = right + (near == word), other + (near != word)
    assert right > 30
    assert right > 7 * other


@pytest.mark.parametrize(
    ("game_id", "language", "line", "told"),
    [
        ("schwarzer-freitag", "de", "verkafe 2 rot", "„verkafe“ kennt das Spiel nicht, meintest du „verkaufe“?"),
        ("schwarzer-freitag", "de", "verkaufe 2 grühn", "„grühn“ kennt das Spiel nicht, meintest du „grün“?"),
        ("schwarzer-freitag", "de", "sel 2 red", "„sel“ kennt das Spiel nicht, meintest du „verkaufe“?"),
        ("schwarzer-freitag", "nl", "verkop 2 rood", "‘verkop’ kent het spel niet, bedoelde je ‘verkoop’?"),
        ("schwarzer-freitag", "nl", "verkafe 2 rot", "‘verkafe’ kent het spel niet, bedoelde je ‘verkoop’?"),
        ("schwarzer-freitag", "en", "verkafe 2 rot", "'verkafe' is unknown, did you mean sell?"),
        ("mark", "de", "würfle immmer", "„immmer“ kennt das Spiel nicht, meintest du „immer“?"),
        ("mark", "nl", "neem glaas", "‘glaas’ kent het spel niet, bedoelde je ‘glas’?"),
        ("schwarzmarkt", "de", "tausche 2 zuker", "„zuker“ kennt das Spiel nicht, meintest du „Zucker“?"),
        ("schwarzmarkt", "nl", "ruil 2 suikr", "‘suikr’ kent het spel niet, bedoelde je ‘suiker’?"),
        ("schwarzmarkt", "de", "spioniere bei Bertt", "„Bertt“ kennt das Spiel nicht, meintest du „Bert“?"),
        ("weg-zum-erfolg", "de", "lehne imer ab", "„imer“ kennt das Spiel nicht, meintest du „immer“?"),
        ("weg-zum-erfolg", "nl", "omhog", "‘omhog’ kent het spel niet, bedoelde je ‘omhoog’?"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_readers_own(game_id: str, language: str, line: str, told: str) -> None:
    with speaking(language), pytest.raises(IllegalMove) as refused:
        typed.read_answer(deciding(game_id), line)
    with speaking(language):
        assert str(refused.value.message).startswith(told)


@pytest.mark.parametrize(
    ("game_id", "line", "read"),
    [
        ("schwarzer-freitag", "koop 2 rood of 1 blauw, markeer rood", ""),
        ("schwarzer-freitag", "koop 2 rood, of 1 blauw, markeer rood", ""),
        ("schwarzer-freitag", "koop 2 rood, of blauw, markeer rood", ""),
        ("schwarzer-freitag", "koop 1 rood aandeel of blauw aandeel, markeer rood", ""),
        ("schwarzer-freitag", "zal ik rood kopen, rood markeren", ""),
        ("schwarzer-freitag", "1 subsidie of koop rood, markeer rood", ""),
        ("schwarzer-freitag", "buy 2 of the reds, mark red", "buy 2 red, mark red"),
        ("schwarzer-freitag", "kaufe 2 von den roten, markiere rot", "buy 2 red, mark red"),
        ("schwarzmarkt", "ruil 1 suiker of 2 boter", ""),
        ("schwarzmarkt", "ruil suiker, of boter", ""),
        ("schwarzmarkt", "trade 2 of the sugar", "trade 2 sugar"),
        ("schwarzmarkt", "ruil 2 van de suiker", "trade 2 sugar"),
        ("mark", "neem glas of d1", ""),
        ("weg-zum-erfolg", "pion 1, succes: geen omhoog", ""),
        ("schwarzer-freitag", "verkoop rood, eerst 1 subsidie", ""),
        ("schwarzer-freitag", "verkaufe rot, zuerst 1 Subvention", ""),
        ("schwarzer-freitag", "am Ende 1 Subvention, verkaufe rot", ""),
        ("schwarzer-freitag", "zuerst 1 Subvention, dann kaufe rot, markiere rot", "1 subsidy, buy red, mark red"),
        ("schwarzer-freitag", "verkoop kaart rood", ""),
        ("schwarzmarkt", "houd 2 suiker", ""),
        ("schwarzmarkt", "behalte 2 Zucker", ""),
        ("mark", "take a piece of glass d1", "take glass d1"),
        ("schwarzer-freitag", "sell both reds, drop red, mark red", "sell 2 red, drop red, mark red"),
        ("schwarzer-freitag", "sell both reds and mark red and drop red", "sell 2 red, drop red, mark red"),
        ("schwarzer-freitag", "sell both red and blue, drop red, mark red", ""),
        ("schwarzer-freitag", "buy 2 each of red and blue, mark red", ""),
        ("schwarzer-freitag", "buy some red, mark red", ""),
        ("schwarzer-freitag", "buy red; mark red", "buy red, mark red"),
        ("schwarzer-freitag", "buy red; buy blue", ""),
        ("schwarzer-freitag", "1 of subsidy", ""),
        ("schwarzmarkt", "trade both potatoes", "trade 2 potatoes"),
        ("mark", "pass both", ""),
        ("mark", "from now on roll", ""),
        ("weg-zum-erfolg", "my third piece", "piece 3"),
    ],
)
def test_no_move_is_read_that_the_words_do_not_say(game_id: str, line: str, read: str) -> None:
    """A Dutch `or` is no English `of`, what is kept is not traded, and what comes first does not come last."""
    opened = deciding(game_id)
    if read:
        assert opened.table.game.text(typed.read_answer(opened, line).move) == read
    else:
        with pytest.raises((IllegalMove, Usage)):
            typed.read_answer(opened, line)


def test_what_says_two_things_is_not_read(tmp_path: Path) -> None:
    """Somebody else's game: a word of its words is another move in English, which no file can tell."""
    with planted(tmp_path, Plant(words__json='{"words": {"play 01": {"de": ["play 02", "spiele 1"]}}}')) as game_id:
        opened = deciding(game_id)
        for line in ("play 01", "spiele 1"):
            assert opened.table.game.text(typed.parse(opened, line)) == "play 01"
        with pytest.raises(Usage, match="two ways"):
            typed.parse(opened, "play 02")


@pytest.mark.parametrize(
    "words",
    [
        "[",
        "[]",
        '{"words": {"play": {"de": []}}}',
        '{"words": {"play": {"de": ["bid"]}, "bid": {}}}',
        '{"words": {"play": {"en": ["put"]}}, "fillers": {"nl": ["put"]}}',
        '{"words": {"play {}": {"de": ["{x} {}"]}}}',
    ],
)
@pytest.mark.parametrize("language", ["en", *TARGETS])
def test_words_that_cannot_be_used(words: str, language: str, tmp_path: Path) -> None:
    """Whoever types or reads moves is told whose fault it is."""
    with planted(tmp_path, Plant(words__json=words)) as game_id, speaking(language):
        opened = deciding(game_id)
        if words.endswith('"{x} {}"]}}}'):
            assert typed.parse(opened, "play 01")
            assert games.lexicon(game_id).spoken("play 01", "de") == "{x} 01"
            return
        with pytest.raises(Usage) as refused:
            typed.parse(opened, "play 01")
        assert refused.value.code == "broken-game"
        assert "words.json" in str(refused.value.message)


@pytest.mark.parametrize(("language", "wrong", "right"), [("de", "Zuker", "„Zucker“"), ("nl", "suikr", "‘suiker’")])
def test_a_mistyped_answer_to_a_question_too(language: str, wrong: str, right: str) -> None:
    goods = Pick("good", "which good?", (Option("sugar"), Option("butter"), Option("@1")))
    question = family.next_question(Choice("quick", {}, parts=(goods,), form={}), {})
    assert question is not None
    with speaking(language):
        with pytest.raises(Usage) as refused:
            family.read(question, wrong, ("Anna", "Bert"), partial(games.as_typed, "schwarzmarkt"))
        assert right in str(refused.value.message)


# --- the words of the prompt -----------------------------------------------------------------------------------------

TALKS = {
    "en": ("help", "list", "more", "say", "rules MK-5", "back", "back", "back", "show", "quit"),
    "de": ("Hilfe", "LISTE", "mehr", "Ansage", "Regel MK-5", "zuruck", "zurueck", "zuru\u0308ck", "zeig", "abbrechen"),
    "nl": ("hulp", "Lijst", "meer", "MELD", "regel MK-5", "terug", "Terug", "terug", "toon", "stop"),
}


@pytest.mark.parametrize("reader", ["en", *TARGETS])
@pytest.mark.parametrize("writer", TARGETS)
def test_the_prompt_is_answered_in_any_language(reader: str, writer: str) -> None:
    """The same screens as for the English words, whoever reads them; what is explained is called as it is typed."""
    opened = deciding("mark")
    screens = []
    for lines in (TALKS[writer], TALKS["en"]):
        person = Typist(*lines)
        with speaking(reader), pytest.raises(prompt.Quit):
            choose(opened, person)
        assert person.left == []
        screens.append([one for one in person.screen if not one.endswith(lines)])
    assert screens[0] == screens[1]
    explained = re.findall(r"^  (\S+)  +\S", screens[0][1], re.MULTILINE)
    with speaking(reader):
        assert [prompt_words.command_of(word) for word in explained[1:]] == [*prompt_words.HELP][1:]
    assert reader == "en" or not set(explained[1:]) & set(prompt_words.WORDS)


@pytest.mark.parametrize("language", TARGETS)
def test_sentences_name_the_words_of_the_prompt_as_they_are_typed(language: str) -> None:
    found = 0
    texts = BytesIO((ROOT / "referee" / "locale" / f"{language}.po").read_bytes())
    for message in read_po(texts, language):
        if message.id and not message.pluralizable:
            shown, ours = (re.findall(r"`(\w+)[^`]*`", text) for text in (message.id, message.string))
            if set(shown) & set(prompt_words.WORDS):
                assert [prompt_words.command_of(word) for word in ours] == shown, message.id
                assert not set(ours) & set(prompt_words.WORDS)
                found += len(shown)
    assert found > 12


def test_a_mistyped_word_of_the_prompt() -> None:
    opened = deciding("mark")
    for language, near in (("de", "„Liste“"), ("nl", "‘lijst’")):
        person = Typist("lijste" if language == "nl" else "lite", "quit")
        with speaking(language), pytest.raises(prompt.Quit):
            choose(opened, person)
        assert near in person.text


# --- what is asked for -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TARGETS)
def test_what_is_asked_for_is_not_a_command(language: str) -> None:
    """`(bieten)`, not `(biete)`; and each game has its own words for it."""
    for game_id, asked in ASKED.items():
        words = games.lexicon(game_id)
        with speaking(language):
            for what in asked:
                told = asked_for(what, game_id)
                assert told not in (what, words.spoken(what, language))
    with speaking(language):
        assert asked_for("place", "schwarzer-freitag") != asked_for("place", "weg-zum-erfolg")


@pytest.mark.parametrize("language", TARGETS)
def test_the_host_is_told_in_the_words_of_the_game(tmp_path: Path, language: str) -> None:
    sitting = Sitting("mark", 3, "typed").until("act")
    (tmp_path / "game.json").write_bytes(sitting.file())
    (tmp_path / "host.json").write_bytes(keyfile.dump(sitting.host))
    ran = run_here("show", "game.json", "--key", "host.json", cwd=tmp_path, env={"REFEREE_LANGUAGE": language})
    with speaking(language):
        told = asked_for("act", "mark")
    assert f"({told})" in ran.said
    assert f": {told}\n" in ran.out.decode()


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("ik wil graag 2 rood kopen, rood markeren", "koop 2 rood, markeer rood"),
        ("2 rood kopen en rood markeren", "koop 2 rood en markeer rood"),
        ("Ich möchte jetzt 2 Rot kaufen, Rot markieren", "kaufe 2 Rot, markiere Rot"),
    ],
)
def test_people_may_say_more_than_a_game_reads_and_say_last_what_is_done(line: str, meant: str) -> None:
    lexicon = games.lexicon("schwarzer-freitag")
    assert [*readings(lexicon, line)][-1] == [*readings(lexicon, meant)][-1]


# --- as people say it ------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", ASKED)
def test_what_people_say_means_what_the_english_words_mean(game_id: str) -> None:
    """`said.LANGUAGE.txt`: what is asked, how somebody who knows the printed game answers, and the same in English."""
    views: dict[str, list[Opened]] = {}
    sitting = Sitting(game_id, 4, "k")
    while sitting.round < 60:
        sitting.until(sitting.round + 1)
        for seat, ask in rounds.asked(sitting.state).items():
            if sitting.round % 3 == 0 and len(views.setdefault(ask.what, [])) < 2:
                views[ask.what].append(sitting.opened(seat))
    for language in ("en", *TARGETS):
        said, tried = said_in(language, game_id), 0
        assert len(said) > 70
        for what, line, english in said:
            read = [(_read(view, line), _read(view, english)) for view in views.get(what, ())]
            assert all(ours == theirs for ours, theirs in read if theirs is not None), line
            tried += any(theirs is not None for _, theirs in read)
        assert tried > 60


def test_english_is_said_in_at_least_300_ways() -> None:
    """All of them are read, as in German and Dutch: see above."""
    said = [one for game_id in ASKED for one in said_in("en", game_id)]
    assert len({line for _, line, _ in said}) >= 300
    assert len({what for what, _, _ in said}) > 20
    assert sum(line.casefold() != english for _, line, english in said) > 280


def said_in(language: str, game_id: str) -> list[tuple[str, str, str]]:
    _, _, lines = (ROOT / "tests" / "locale" / f"said.{language}.txt").read_text("utf-8").partition(f"# {game_id}\n")
    return re.findall(r"^(.+?): (.+) = (.+)$", lines.partition("\n# ")[0], re.MULTILINE)


def _read(view: Opened, line: str) -> Draft | None:
    try:
        return typed.read_answer(view, line)
    except (IllegalMove, Usage):
        return None


DOUBTS = {
    "de": ("nicht", "keine", "nie", "weder", "noch", "ohne", "statt", "falls", "vielleicht", "oder"),
    "nl": ("niet", "geen", "nooit", "noch", "zonder", "behalve", "als", "misschien", "of", "tenzij"),
    "en": ("not", "never", "neither", "nor", "without", "except", "if", "maybe", "or", "unless"),
}
"""Words after which a move is not meant, or not only that one."""


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", ASKED)
def test_a_move_with_a_doubt_in_it_is_never_taken_as_that_move(game_id: str) -> None:
    """Whatever language the doubt is of: Dutch `of` is `or`."""
    rng, opened = random.Random(game_id), deciding(game_id)
    for move in list(moves_of(typed.choices(opened), opened.table.game.move, rng))[:1]:
        for language in DOUBTS:
            with speaking(language):
                words = move_text(opened.table, move).split()
            for doubt in chain.from_iterable(DOUBTS.values()):
                at = rng.randrange(len(words) + 1)
                line = " ".join((*words[:at], doubt, *words[at:]))
                assert _read(opened, line) != Draft(move, None), line
