"""Rarely seen texts, line by line: seats that change hands, any rules, help, guesses."""

import re
from typing import Any

import pytest
from referee.games.auction import Bid, Words

from referee import games
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import Draft, open_view, sign_return
from referee.errors import Usage
from referee.evidence.lateness import Protest
from referee.evidence.replay import open_transcript
from referee.forms import Amounts, Choice, Free, Limit, Number, Option, Pick, Ranking, Term
from referee.language import speaking, with_names
from referee.show import documents, family, findings, mentions, prompt, prompt_words, rules, terminal, text, typed
from referee.show.story import PrivateNews
from tests.show.person import Typist, choose
from tests.support.match import Sitting, resigned

NAMES = ("Anna", "Bert", "Carla")


# --- seats that change hands -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def vacant() -> Sitting:
    """The first seat is out."""
    one = Sitting("auction", 3, "vacant", deadline=60, takeovers=2, takeover=60, bank=30).until(1)
    while not one.state.vacant:
        one.step(0)
    return one


def test_somebody_takes_over_a_seat_or_comes_back(vacant: Sitting) -> None:
    table, game = vacant.table, vacant.table.id[:8]
    new = vacant.succession(0)
    key = vacant.newcomer().public.hex()[:16]
    told = f"Zoe takes over seat 1 of game {game}, signed with the key {key}"
    assert documents.succession_lines(encode(new)) == [told]
    back = sign_return(vacant.players[0], vacant.opened(0))
    assert documents.return_lines(back, lambda _: table) == [f"Anna comes back to game {game}, signed"]
    assert documents.return_lines(back, lambda _: None) == [
        f"seat 1 comes back to game {game}; the signature cannot be checked here"
    ]
    lines = terminal.pending_summary(vacant.opened(1), NAMES)
    assert lines[-2:] == ["No longer asked: Anna.", "Can be taken over: Anna's seat."]
    banks = ", ".join(f"{name} {text.span(left)}" for name, left in zip(NAMES, vacant.state.bank, strict=True))
    assert f"Left in the time banks: {banks}." in lines
    named = vacant.fork()
    other = named.newcomer("Yan").public.hex()
    for seat in named.asked:
        assert named.give(named.signed(seat, handover=other if seat == 1 else "")).error is None
    (_, told) = terminal.pending_summary(named.opened(2), NAMES)[-2:]
    assert told == "Can be taken over: Anna's seat, Bert's seat (by the player whom Bert named)."
    story = findings.verified(named.opened(2).chain)
    assert story.late == tuple(findings.lateness(named.opened(2).chain).late)


def test_a_move_says_what_comes_with_it(vacant: Sitting) -> None:
    key = vacant.newcomer("Yan").public.hex()
    file = decode(vacant.fork().signed(1), r.MoveFile, "move")
    lines = documents.move_lines(resigned(vacant, 1, file, handover=key, protest="ab" * 32), {}.get, lambda move: {})
    assert f"  it lets the key {key[:16]} take over the seat" in lines
    assert "  with a protest: it names an answer (ababab) that was signed before" in lines
    opened = vacant.opened(1)
    own = opened.table.keys[1].hex()
    for handover, told in (
        (own, "nobody whom you named may take over your seat any more"),
        (key, f"the key {key[:16]} may take over your seat"),
    ):  # fmt: skip
        assert typed.in_words(opened, Draft(None, handover=handover))[1:] == [told]
    assert typed.in_words(opened, Draft(None, protest="ab" * 32))[1:] == [
        "you protest: you had signed an answer for the round you were timed out in"
    ]


def test_more_time_is_promised(vacant: Sitting) -> None:
    one = vacant.fork()
    seat = one.asked[-1]
    promise = encode(host.extend(one.match, seat, "2028-01-01T00:00Z"))
    game, number, last = (
        one.table.id[:8],
        one.round + 1,
        "  if the host breaks it, this file and a view of that round prove it",
    )
    told = "the host's promise of more time: {} has until 2028-01-01 00:00 UTC to answer in round {} of {}game {}"
    assert documents.extension_lines(promise, lambda _: one.table) == [
        told.format(NAMES[seat], number, "Toy Auction, ", game), last,
    ]  # fmt: skip
    assert documents.extension_lines(promise, {}.get) == [told.format(f"seat {seat + 1}", number, "", game), last]


def test_standing_orders_are_said_and_taken_back() -> None:
    one = Sitting("auction", 3, "orders").until("bid")
    for seat in one.asked:
        one.give(one.saying(seat, Words(3) if seat else Words(2)))
    opened = one.opened(1)
    assert terminal.standing_lines(opened, NAMES) == [
        "Standing orders (you and Carla): bid 3 always", "Standing orders (Anna): bid 2 always",
    ]  # fmt: skip
    assert typed.in_words(opened, Draft(Bid(1), Words(5))) == [
        "bid 1",
        "from now on: bid 5 always",
        "no longer: bid 3 always",
    ]
    assert typed.in_words(opened, Draft(Bid(1), Words())) == ["bid 1", "no longer: bid 3 always"]
    assert typed.in_words(opened, Draft(Bid(1), Words(3))) == ["bid 1"]
    assert typed.in_words(opened, Draft(resign=True)) == ["you leave the game for good"]


# --- what was found --------------------------------------------------------------------------------------------------


def test_who_was_late_and_who_protests(vacant: Sitting) -> None:
    late = findings.lateness(vacant.opened(1).chain)
    times = [number for number, one in enumerate(vacant.opened(1).chain.rounds, 1) if one.entry.timeouts]
    told = f"{len(times)} late round{'s' * (len(times) > 1)} (Anna {len(times)})"
    assert findings.late_in_words(late) == (told,)
    protests = (Protest(1, "Anna", 4, 2, "", shown=True), Protest(2, "Bert", 5, 3, ""))
    quiet = type(late)(late_rounds=0, late=(), protests=protests)
    assert findings.late_in_words(quiet) == (
        "protest in round 4: Anna had signed an answer for round 2 (shown)",
        "protest in round 5: Bert had signed an answer for round 3 (only stated)",
    )


def test_what_a_view_cannot_prove_is_what_it_does_not_show() -> None:
    one = Sitting("auction", 2, "unproved")
    assert findings.report(one.opened(0)).unproved[1:] == (
        "that other players' moves were legal where that depends on what they hold or sealed",
    )
    one.until("bid")
    book = one.state.book
    hidden = [
        slot for bag in book.bags.values() for slot in (*bag.slots, *bag.tail)
        if slot in book.leaves and 0 not in book.told.get(slot, ())
    ]  # fmt: skip
    said = findings.report(one.opened(0)).unproved
    assert said[0] == f"what is in {len(hidden)} slots that are still closed to you"
    one.until("guess")
    said = findings.report(one.opened(0)).unproved
    assert said[1:] == (
        "that resealed containers held the same tokens as before, where chance had put them",
        "that the host carried out what other players chose in secret, and withheld nothing of theirs",
        "that other players' moves were legal where that depends on what they hold or sealed",
    )


def test_ends_of_games_without_scores() -> None:
    left = Sitting("auction", 2, "left").until(1)
    assert left.give(left.signed(0, resign=True)).error is None
    left.others(0)
    found = findings.verified(open_transcript(left.transcript()))
    assert (found.end, found.ranks, found.scores) == ("left", (2, 1), ())
    given_up = Sitting("auction", 2, "given up").until(1)
    found = findings.verified(open_transcript(host.reveal(given_up.match, abandon=True)))
    assert (found.end, found.ranks, found.scores, found.out) == ("abandoned", (), (), ())


def test_private_news_in_words(vacant: Sitting) -> None:
    table = vacant.table
    all_of_it = PrivateNews(1, "bid 2", ("03", "07"), ("09",))
    assert all_of_it.lines(table) == [
        "you chose in secret: bid 2", "new in your hand: 03, 07", "gone from your hand: 09",
    ]  # fmt: skip
    assert all_of_it.lines(table, "Bert") == [
        "Bert chose in secret: bid 2", "new in Bert's hand: 03, 07", "gone from Bert's hand: 09",
    ]  # fmt: skip
    assert PrivateNews(1, "", (), ("09",)).lines(table) == ["gone from your hand: 09"]


# --- rules of any game -----------------------------------------------------------------------------------------------

RULES = """# Game

A **first** paragraph
over two lines.

## Marks

R is a rule.

## Options

| Option | Value | Meaning |
|---|---|---|
| `luck` | `true` | yes |
| luck | false | `no` |
| rounds | 1 to 9 | as many |

## How long it takes

| players | rounds | answers |
|---|---|---|
| 2 | 10 | 5.6 |
| 3 | many | 4 |

## Play

**AB-1** Take one. [S:
The book] Keep [one]. [R]
End. [D: A; B]

| a |
|---|

**AB-2** Then two. [A: Two] [S] stays. [F]

**AB-3** Last.
"""


@pytest.fixture
def invented(monkeypatch: pytest.MonkeyPatch) -> str:
    """A game with these rules."""
    monkeypatch.setattr(games, "rules_text", lambda game_id, language="": RULES * (language in ("", "en")))
    return "invented"


def test_clauses_without_where_they_come_from(invented: str) -> None:
    assert rules.clause(invented, "1") == "**AB-1** Take one. Keep [one].\nEnd.\n\n| a |\n|---|"
    assert rules.clause(invented, "ab-2") == "**AB-2** Then two. [S] stays."
    assert rules.clause(invented, "AB-3", "nl") == "**AB-3** Last."
    whole = rules.clause(invented, "AB-1", sources=True)
    assert whole.startswith("**AB-1** Take one. [S:\nThe book] Keep [one]. [R]")
    for name in ("AB-4", "4", "x" * 21):
        with pytest.raises(Usage) as caught:
            rules.clause(invented, name)
        assert str(caught.value.message) == f"there is no clause '{name[:20]}'"
        assert str(caught.value.next) == "the clauses of invented are AB-1 to AB-3: `referee rules invented`"
    assert "R is a rule" not in rules.text_for_reader(invented)
    assert rules.text_for_reader(invented, sources=True) == RULES


def test_clauses_are_told_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "rules_text", lambda game_id, language="": "# Empty\n")
    with pytest.raises(Usage) as caught:
        rules.clause("empty", "AB-1")
    assert str(caught.value.next) == "see all: `referee rules empty`"
    assert rules.about("empty", 2) == [""]
    assert rules.section("empty", "Options") == ("", "")


def test_tables_of_the_rules_as_data(invented: str) -> None:
    meanings = {"luck": {"true": "yes", "false": "no"}, "rounds": {"1 to 9": "as many"}}
    assert rules.meanings(invented) == meanings
    assert rules.lengths(invented) == [{"players": 2.0, "rounds": 10.0, "answers": 5.6}]
    assert rules.about(invented, 2) == [
        "A first paragraph over two lines.", "With 2 players it takes about 10 rounds; you answer about 6 times.",
    ]  # fmt: skip
    assert rules.about(invented, 3) == ["A first paragraph over two lines."]
    asked = (("luck", True), ("luck", 3), ("rounds", 7), ("rounds", True), ("none", 1))
    assert [rules.meaning(meanings, *one) for one in asked] == ["yes", "", "as many", "", ""]
    assert (rules.option_value(True), rules.option_value("True"), rules.option_value(3)) == ("true", "True", "3")
    assert rules.section(invented, "Marks") == ("Marks", "R is a rule.")


def test_markdown_for_a_terminal() -> None:
    source = "a b\n c\n\n- one\ntwo\n1. x\n| a | b |\n|---|---|\n| c | d |\n```\ncode  x\n|y\n```\n# H\nend"
    assert rules.flowed(source, 80).split("\n") == [
        "a b c", "", "- one two", "1. x", "a   b", "c   d", "    code  x", "    |y", "# H", "end",
    ]  # fmt: skip


# --- names in texts --------------------------------------------------------------------------------------------------


def test_names_are_found_in_any_spelling_that_is_nobody_elses() -> None:
    names = ("Jörg", "Anna Maria", "Anna", "Joerg")
    asked = ("give JÖRG", "jorg", "anna  maria and anna", "Joerg", "Annas", "an Anna", "Annabel")
    assert [mentions.without_names(one, names) for one in asked] == [
        "give @0", "@0", "@1 and @2", "@3", "@2", "an @2", "Annabel",
    ]  # fmt: skip
    assert with_names("@1 gives @9 @10 \x1b", ("A", "B\n")) == "B\\n gives @9 @10 \\x1b"


def test_each_of_a_few_names_may_be_a_word_instead() -> None:
    found = list(mentions.namings("a b c", ("a", "b")))
    assert found == [["@0 b c", "a @1 c"], ["@0 @1 c"]]
    assert len(list(mentions.namings("a a a a", ("a", "b")))) == 4
    assert list(mentions.namings("a a a a a", ("a", "b"))) == [["@0 @0 @0 @0 @0"]]
    assert list(mentions.namings("x", ("a", "b"))) == []


# --- at a prompt -----------------------------------------------------------------------------------------------------

TYPED = {
    "help": "help Hilfe hulp ? HELP", "list": "list Liste lijst", "more": "more mehr weitere meer",
    "show": "show zeige zeig zeigen Brett toon tonen bord", "say": "say Ansage ansagen sage meld melden",
    "rules": "rules Regel Regeln regel regels", "back": "back zurück terug zurueck",
    "hint": "hint Tipp Hinweis tip", "undo": "undo rückgängig zurücknehmen ongedaan terugnemen",
    "quit": "quit abbrechen Abbruch verlassen stop stoppen afbreken", "": "Bilfe backs x",
}  # fmt: skip


@pytest.mark.parametrize("word", TYPED)
def test_words_of_the_prompt_in_every_language(word: str) -> None:
    for language in ("en", "de", "nl"):
        with speaking(language):
            assert {prompt_words.command_of(f" {typed} ") for typed in TYPED[word].split()} == {word}
    assert prompt_words.command_of("") == ""


def test_help_has_a_line_for_each_word() -> None:
    opened = Sitting("auction", 2, "help").until("bid").opened(0)
    person = Typist("?", "rules", "more please", "back", "quit")
    with pytest.raises(prompt.Quit):
        choose(opened, person)
    assert [line for line in person.text.splitlines() if re.match("  [a-z?]+  +", line)] == [
        "  ?      this explanation", "  list   the list of moves again", "  more   the moves that the list leaves out",
        "  show   the board again", "  say    `say WORDS`: standing orders for your answer; `say`: list them",
        "  rules  `rules CLAUSE`: one clause of the rules",
        "  back   go back one question; at the first one, take back what you said last",
        "  quit   leave; nothing is signed",
    ]  # fmt: skip
    assert "name one clause; `rules CLAUSE`: one clause of the rules" in person.text
    assert "there is nothing to go back to; `quit` leaves without signing" in person.text


def test_lines_of_a_list_stand_below_each_other() -> None:
    table = Sitting("auction", 2, "numbered").table
    plain = Choice("give it to @1", Bid(1), "costs @0 3")
    assert prompt.numbered(3, plain, table, 80) == "   #3  give it to Bert   (costs Anna 3)"
    assert prompt.numbered(123, Choice("x", Bid(1)), table, 80) == " #123  x"
    assert (
        prompt.numbered(12, plain, table, 20) == "  #12  give it to\n         Bert\n         (costs Anna\n         3)"
    )


# --- guesses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "said", "value"),
    [
        (Pick("p", "?", (Option("blue"), Option("red wine"))), "some wine", "red wine"),
        (Pick("p", "?", (Option("blue"), Option("red wine"))), "green", "blue"),
        (Number("p", "?", 2, 9), "take 7", 7), (Number("p", "?", 2, 9), "take 3 or 8", 8),
        (Number("p", "?", 2, 9), "1", 2), (Number("p", "?", 2, 9), "99", 9), (Number("p", "?", 2, 9), "", 2),
        (Number("p", "?", 2, 9), "x", 2),
        (Amounts("p", "?", {"red": 9, "box": 9}), "2 red 1 box", {"red": 2, "box": 1}),
        (Amounts("p", "?", {"reds": 9, "boxes": 9}), "2 red 3 box", {"reds": 2, "boxes": 3}),
        (Amounts("p", "?", {"red": 9, "box": 9}), "red 2 red", {"red": 3, "box": 0}),
        (Amounts("p", "?", {"red": 9, "box": 9}), "1000 red", {"red": 1, "box": 0}),
        (Amounts("p", "?", {"red": 9, "box": 9}), "999 red", {"red": 9, "box": 0}),
        (Ranking("p", "?", ("a", "b"), 1), "b", ["a", "b"]), (Free("p", "?", "how", 9), "x", None),
    ],
)  # fmt: skip
def test_the_move_that_is_nearest_to_what_was_said(part: Any, said: str, value: object) -> None:
    choice = Choice("x", {}, form={"p": {"$": "p"}}, parts=(part,))
    found = family.nearest_values(choice, said.split())
    assert found == (None if value is None else {"p": value})


def test_a_family_that_leaves_no_choice_is_a_move() -> None:
    one = (Pick("p", "?", (Option("a"),)), Number("n", "?", 0, 5))
    limit = (Limit((Term("n"),), low=5),)
    assert family.only_values(Choice("x", {}, form={}, parts=one, limits=limit)) == {"p": "a", "n": 5}
    assert family.only_values(Choice("x", {}, form={}, parts=one)) is None
    assert family.only_values(Choice("x", {}, form={}, parts=(Pick("p", "?", ()),))) is None


def test_files_of_a_seat_are_its_players(vacant: Sitting) -> None:
    """A view of the seat, opened without what its player kept, still belongs to that seat."""
    opened = open_view(vacant.view(1))
    assert (opened.seat, opened.name) == (1, "Bert")
    envelope = decode(encode(vacant.succession(0)), Envelope, "succession")
    assert decode(bytes(envelope.body), r.Succession, "succession").seat == 0
