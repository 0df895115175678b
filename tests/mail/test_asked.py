"""Words that any player can write: `help`, `rules`, `board`, `moves`, `story`, `status`, alone or beside a move."""

import re
from itertools import product
from pathlib import Path

import pytest

from referee import games
from referee.errors import RefereeError
from referee.language import speaking
from referee.lexicon import spellings
from referee.mail import words
from referee.mail.post import ANYBODY_MOST, OLD_EACH
from referee.mail.reading import read_in
from tests.mail.offices import HOST, PEOPLE, Mail, World, invited, own_move, plain, reply
from tests.mail.test_judge import answered, one
from tests.support.match import Sitting


def flat(mail: Mail) -> str:
    return " ".join(mail.text.split())


def ask(world: World, text: str, name: str = "bert") -> str:
    return flat(one(world.answers(reply(world.turn(name), text))))


# --- what each brings ------------------------------------------------------------------------------------------------

SAID = {
    "help": ("What you can write at any time", "`bid 0`", f"A person answers here: Hanna <{HOST}>"),
    "rules": ("Toy Auction",),
    "board": ("Bert",),
    "moves": ("Your moves", "#1 bid 0 to 10"),
    "story": ("What happened", "Round 1"),
    "status": ("It waits for your answer.", "Your answer is due by", "Asked in this round: Anna and Carla"),
}
SPELLINGS = {
    "help": ("help", "Help!", "help?", "HILFE", "Hilfe bitte", "hulp", "please help", "help me", "`help`", "- help"),
    "rules": ("rules", "Regeln", "die Regeln bitte", "spelregels", "show me the rules", "Spielregeln"),
    "board": ("board", "Brett", "zeig mir das Brett", "bord", "Stellung", "position"),
    "moves": ("moves", "Züge", "zuege", "Zuege?", "zetten", "mögliche Züge", "legal moves"),
    "story": ("story", "Geschichte", "Verlauf", "verhaal", "what happened?", "story 1", "Geschichte ab Runde 1"),
    "status": ("status", "Status", "wer ist dran?", "spelstand", "wie is aan de beurt?", "whose turn is it?"),
}


@pytest.mark.parametrize(("word", "text"), [(word, text) for word in SPELLINGS for text in SPELLINGS[word]])
def test_each_word_is_answered_in_any_spelling_and_changes_nothing(world: World, word: str, text: str) -> None:
    before = world.game()
    told = ask(world, text)
    assert f"You asked for: {word}" in told
    for line in SAID[word]:
        assert line in told, line
    assert "not accepted" not in told
    assert world.game() == before


def test_a_word_may_stand_among_manners_and_footers(world: World) -> None:
    told = ask(world, "Hallo Hanna,\n\nhelp\n\nViele Grüße\nBert\n\nVon meinem Galaxy gesendet")
    assert "You asked for: help." in told
    assert "did not understand" not in told


def test_a_word_may_be_the_subject(world: World) -> None:
    turn = world.turn("bert")
    code = turn.subject.split()[-1]
    mail = plain(PEOPLE["bert"], "help", "").replace(b"To: host@", f"To: host+{code}@".encode())
    assert "You asked for: help." in flat(one(world.answers(mail)))


def test_several_words_are_answered_in_one_mail(world: World) -> None:
    told = ask(world, "moves\nstatus\nstatus")
    assert "You asked for: moves and status." in told
    assert "Your moves" in told
    assert "It waits for your answer." in told


def test_help_fits_a_screen(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "help")))
    assert len(mail.text.splitlines()) <= 36
    for word in words.ASKING[1:]:
        assert word in mail.text


def test_help_is_in_the_language_of_its_reader(world: World) -> None:
    world.take(reply(world.turn("bert"), "Deutsch"))
    told = ask(world, "help")
    for word in ("Brett", "Züge", "Geschichte 10", "Regeln", "abwesend bis"):
        assert word in told


@pytest.mark.parametrize("clause", ["rules TA-1", "Regel 1", "regels ta-1"])
def test_a_clause_comes_alone(world: World, clause: str) -> None:
    told = ask(world, clause)
    first = re.findall(r"TA-\d+", told)
    assert set(first) == {"TA-1"}


def test_a_clause_that_does_not_exist(world: World) -> None:
    assert "There is no clause 'ta-99'" in ask(world, "rules TA-99").replace("'TA-99'", "'ta-99'")


def test_the_story_begins_where_it_is_asked_for(world: World) -> None:
    world.take(reply(world.turn("bert"), "bid 9"), reply(world.turn("carla"), "bid 1"))
    world.take(own_move(world.turn("anna"), "Anna"))
    all_, since = ask(world, "story"), ask(world, "story 2")
    assert "Round 2: " in all_
    assert "Round 1: " not in since
    assert "What happened since round 2" in since
    assert "Round 2: " in ask(world, "story 9999"), "the last round, if there is no later one"


# --- beside a move, and at other times -------------------------------------------------------------------------------


def test_beside_a_move_both_are_done(world: World) -> None:
    mails = world.answers(reply(world.turn("bert"), "bid 4\n\nboard\n\nLG Bert"))
    assert answered(world) == ["Bert"]
    told = sorted(flat(mail) for mail in mails)
    assert len(told) == 2
    assert any("accepted bid 4" in one for one in told)
    assert any("You asked for: board." in one for one in told)
    assert {mail.to for mail in mails} == {PEOPLE["bert"]}


def test_beside_what_is_not_understood_the_word_is_answered(world: World) -> None:
    told = ask(world, "I am new here\nhelp")
    assert "You asked for: help." in told
    assert "I did not understand: I am new here" in told


def test_after_the_answer_and_with_an_old_pass_words_are_answered(world: World) -> None:
    old = world.turn("bert")
    world.take(reply(old, "bid 9"))
    assert "You are not being asked for anything now" in ask(world, "help") or answered(world) == ["Bert"]
    world.take(reply(world.turn("carla"), "bid 1"), own_move(world.turn("anna"), "Anna"))
    told = [world.answers(reply(old, word)) for word in ("status", "board", "story", "help", "moves")]
    assert [len(mails) for mails in told] == [1] * OLD_EACH + [0] * (5 - OLD_EACH)
    assert "It waits for your answer." in flat(told[0][0])


def test_a_flood_of_words_is_not_answered(world: World) -> None:
    turn, answers = world.turn("bert"), 0
    for number in range(40):
        answers += len(world.answers(reply(turn, "status", sender=f"b{number}@y.example")))
    assert answers == 20, "answers_per_day"
    assert "accepted" in flat(one(world.answers(reply(turn, "bid 4")))), "a move that counts is always answered"


def test_who_has_no_pass_is_answered_at_the_address_in_the_book(world: World) -> None:
    """Anna signs, so her mails have no pass."""
    mail = one(world.answers(reply(world.turn("anna"), "status")))
    assert mail.to == PEOPLE["anna"]
    assert "It waits for your answer." in flat(mail)
    assert world.answers(reply(world.turn("anna"), "board", sender="eve@evil.example")) == []
    assert len(world.answers(plain(PEOPLE["anna"], "our game", "help"))) == 1
    assert ANYBODY_MOST == 2
    assert world.answers(plain(PEOPLE["anna"], "our game", "rules")) == []


def test_a_stranger_is_not_answered(world: World) -> None:
    assert world.answers(plain("eve@evil.example", "help", "help")) == []


def test_nobody_learns_who_has_answered(world: World) -> None:
    before = ask(world, "status", "carla")
    world.take(reply(world.turn("bert"), "bid 4"))
    assert ask(world, "status ", "carla") == before or "Bert" in ask(world, "wer ist dran?", "carla")
    after = ask(world, "whose turn is it?", "carla")
    assert "Asked in this round: Anna and Bert" in after


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("help", "Reply to my invitation with `join as NAME` or `no`"), ("rules", "Toy Auction"),
        ("status", "Joined so far: nobody."), ("board", "The game has not begun."),
        ("join as Bert\n\nhelp", "You have joined as Bert."), ("join as Bert\n\nhelp", "`rules` brings the rules"),
        ("join as Bert\n\nVon meinem Galaxy gesendet", "You have joined as Bert."),
    ],
)  # fmt: skip
def test_before_the_game(tmp_path: Path, text: str, told: str) -> None:
    world, mails = invited(tmp_path)
    assert told in flat(one(world.answers(reply(mails["bert"], text))))


def test_status_tells_of_other_games_only_at_the_same_address(tmp_path: Path) -> None:
    world, mails = invited(tmp_path, ("--deadline", "3d"))
    world.offer(*PEOPLE.values(), game="auction", more=("--option", "rounds=1"))
    more = {mail.to.partition("@")[0]: mail for mail in world.new()}
    world.take(*(reply(found[name], f"join as {name.title()}") for found in (mails, more) for name in PEOPLE))
    turns = sorted((world.root / "sent").glob("*-r001-bert-turn.eml"))
    assert len(turns) == 2
    here, other = (Mail(path.stem, path.read_bytes()) for path in turns)
    told = flat(one(world.answers(reply(here, "status"))))
    assert here.name[:8] in told
    assert other.name[:8] in told
    world.take(reply(here, "address bert@new.example"))
    told = flat(one(world.answers(reply(here, "status?"))))
    assert other.name[:8] not in told, "whoever has the pass of this table may not be the same person"


# --- no word of a game -----------------------------------------------------------------------------------------------

EVERY = sorted({one for head, english in words._HEADS.items() if english in words.ASKING for one in spellings(head)})


WITHIN_MOVES = {"zetten", "moves", "position"}
"""Games read these within a move, as in `2 rood zetten`; alone none of them is one."""


def test_all_six_have_their_words_in_three_languages() -> None:
    assert set(words.ASKING) == {"help", "rules", "board", "moves", "story", "status"}
    for word, language in product(words.ASKING, ("en", "de", "nl")):
        with speaking(language):
            assert words.asked_for(words.called(word)) == words.Asked(word)


@pytest.mark.parametrize("game", sorted(games.game_ids()))
def test_no_word_of_a_game_is_one_of_ours(game: str) -> None:
    book = games.lexicon(game)
    known = {one.casefold() for one in (*book.words, *book.meanings, *book.verbs, *book.fillers)}
    assert known.intersection(EVERY) <= WITHIN_MOVES


@pytest.mark.parametrize("game", sorted(games.game_ids()))
def test_none_of_ours_can_be_read_as_a_move(game: str) -> None:
    """In games with bots, whenever somebody is asked something that was not asked before."""
    low, high = games.load(game).seats
    sitting, seen = Sitting(game, min(max(3, low), high), "words"), set[str]()
    while not sitting.over and sitting.round < 30:
        if sitting.what not in seen:
            seen.add(sitting.what)
            opened = sitting.opened(sitting.asked[0])
            for word in EVERY:
                with pytest.raises(RefereeError):
                    read_in(opened, word)
        sitting = sitting.until(sitting.round + 1)
    assert len(seen) > 2


@pytest.mark.parametrize(
    "line",
    ["help the others", "board the ship", "rules are rules", "story of my life", "moves like a cat", "status quo?"],
)
def test_a_sentence_that_begins_with_a_word_is_none(line: str) -> None:
    assert words.asked_for(line) is None
