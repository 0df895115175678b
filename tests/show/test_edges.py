"""What is rarely shown: other rules, kept keys, ends without a winner, ranges at their bounds, lost answers."""

import re
from typing import Any

import msgspec
import pytest
from referee.games.auction import Bid, Words

from referee import games
from referee.crypto.codec import decode, encode, raw, read
from referee.crypto.envelope import ident
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.player import Draft, open_view
from referee.errors import IllegalMove, RefereeError, Usage
from referee.evidence import proofs as p
from referee.evidence.rulings import make_ruling
from referee.forms import Amounts, Choice, Free, Limit, Number, Option, Part, Pick, Ranking, Term
from referee.grammar import agreed
from referee.language import quoted, speaking, t
from referee.show import documents, family, findings, pictures, prompt, prompt_words, rules, terminal, text, typed
from tests.show.person import PLAIN, Typist, agree, choose
from tests.support.match import Sitting, chance, code_of, other_program, resigned


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    """Everybody is asked for a bid, which is sealed."""
    return Sitting("auction", 3, "edges").until("bid")


def known(sitting: Sitting) -> documents.KnownTable:
    return {sitting.table.id: sitting.table}.get


def hidden(move: r.Move) -> r.Secrets:
    return {}


def file_of(data: bytes) -> r.MoveFile:
    return decode(data, r.MoveFile, "move")


# --- documents --------------------------------------------------------------------------------------------------------


def test_an_offer_of_a_program_with_other_rules_says_so(sitting: Sitting) -> None:
    plain = documents.offer_lines(encode(sitting.offer))
    with other_program("auction"):
        assert documents.offer_lines(encode(sitting.offer)) == [
            *plain, "  but this program has different rules under the same version: you cannot join with it",
        ]  # fmt: skip


def test_terms_name_options_the_edition_and_the_arbiter() -> None:
    usual = read(games.edition_bytes("auction"), games.load("auction").edition, "edition")
    other = msgspec.structs.replace(usual, money=usual.money + 1, name="x" * 40)
    arbiter = Key(chance("arbiter"))
    offer = Sitting("auction", 3, "terms", edition=other, arbiter=arbiter.public, deadline=90, grace=60).table.offer
    assert documents.terms_in_words(offer).splitlines()[1:] == [
        "  rounds=3",
        f"  the host's own edition, which differs from the standard one in: name {usual.name} -> {'x' * 40}; "
        f"money {usual.money} -> {usual.money + 1}",
        "  deadline: 90 minutes for each answer, and 1 hour of grace; then the game goes on without it",
        f"  arbiter's key {arbiter.public.hex()[:16]}: its rulings bind everybody who joins",
        f"  host's key {offer.key[:16]}",
    ]
    assert documents._short("x" * 60) == "x" * 60
    assert documents._short("x" * 61) == "x" * 57 + "..."
    assert documents._short([1, 2]) == "[1,2]"


def test_options_say_what_they_mean() -> None:
    """The meaning of a value comes from the rules of the game."""
    for game_id in games.game_ids():
        one, words = Sitting(game_id, seed="options"), rules.meanings(game_id)
        told = documents.terms_in_words(one.table.offer).splitlines()
        for name, values in words.items():
            value = rules.option_value(getattr(one.table.terms.options, name))
            meaning = values.get(value) or (next(iter(values.values())) if len(values) == 1 else "")
            assert f"  {name}={value}" + (f": {meaning}" if meaning else "") in told


def test_kept_keys_are_declared_wherever_terms_are_agreed() -> None:
    one = Sitting("auction", 3, "kept", kept=(1,))
    key = one.players[1].public.hex()[:16]
    assert documents.join_lines(encode(one.joins[1])) == [
        f"Bert's join for offer {one.table.offer_id[:8]}, signed with the key {key}, which the host says it keeps"
    ]
    terms = documents.terms_in_words(one.table.offer)
    assert documents.agreed_in_words(one.table) == f"{terms}\n  the host declares that it keeps Bert's key"
    bare = Sitting("auction", 3, "kept")
    assert documents.agreed_in_words(bare.table) == documents.terms_in_words(bare.table.offer)
    assert terminal.as_data(one.opened(0))["kept"] == [2]
    two = Sitting("auction", 3, "kept", kept=(0, 2))
    assert "The host declares that it keeps the keys of Anna and Carla." in terminal.render(two.opened(1), PLAIN)


def test_moves_in_the_words_of_their_players(sitting: Sitting) -> None:
    one = sitting.fork()
    data = one.signed(1, move=Bid(2), standing=Words(3))
    lines = documents.move_lines(data, known(one), lambda move: one.own[1][move.round])
    assert lines[1:] == [
        "  it says: bid 2", "  with standing orders: bid 3 always",
        "  sealed for the host alone: amount; nobody else can read them",
    ]  # fmt: skip
    assert documents.move_lines(data, {}.get, hidden)[2] == '  with standing orders: {"bid":3}'
    said = ((Words(), "none any more"), ({"bid": "x"}, "orders that this game does not have"))
    for words, told in said:
        strange = resigned(one, 1, file_of(data), standing=raw(words))
        assert documents.move_lines(strange, known(one), hidden)[2] == f"  with standing orders: {told}"
    rubbish = resigned(one, 1, file_of(data), {}, answer=raw({"do": "sing"}), commit={}, standing=r.NOTHING)
    assert documents.move_lines(rubbish, known(one), hidden)[1:] == [
        "  it says: something that is not a move of this game"
    ]
    long = resigned(one, 1, file_of(data), {}, answer=raw({"do": "x" * 400}), commit={}, standing=r.NOTHING)
    assert documents.move_lines(long, {}.get, hidden)[1] == "  it says: " + ('{"do":"' + "x" * 400)[:300]
    bare = sitting.fork()
    bare.until(lambda now: now.what == "link")
    assert documents.move_lines(bare.signed(0), known(bare), hidden)[1] == (
        "  it says: a confirmation, with nothing to choose"
    )
    with pytest.raises(RefereeError):
        documents.move_lines(encode(msgspec.structs.replace(file_of(data), sig="00" * 64)), known(one), hidden)


def test_receipts_of_games_that_nobody_knows(sitting: Sitting) -> None:
    receipt = sitting.fork().give(sitting.signed(2, move=Bid(1))).receipt
    assert receipt is not None
    (told,) = documents.receipt_lines(encode(receipt), {}.get)
    assert f"by seat 3 in round {sitting.round + 1} of game {sitting.table.id[:8]} was accepted" in told
    forged = encode(msgspec.structs.replace(receipt, sig="00" * 64))
    assert code_of(lambda: documents.receipt_lines(forged, known(sitting))) == "bad-signature"


def test_transcripts_of_games_without_a_last_round() -> None:
    """Won because the others left; ended without a winner."""
    left = Sitting("auction", 3, "left").until(1)
    for seat in (0, 2):
        assert left.give(left.signed(seat, resign=True)).error is None
    left.others(0, 2)
    assert left.state.end == "left"
    lines = documents.transcript_lines(left.transcript())
    assert lines[0].endswith(f", {left.round} rounds")
    assert lines[2:] == ["  it says that Bert won: the others left; nothing has been checked yet"]
    rests = Sitting("auction", 3, "rests").until(1)
    while not terminal.as_data(rests.opened(0))["end"]:
        rests.step(*rests.asked)
    assert terminal.as_data(rests.opened(0))["end"] == "rests"
    lines = documents.transcript_lines(rests.transcript())
    number = rests.round
    assert lines[0].endswith(f", {number} round" + "s" * (number != 1))
    assert lines[2:] == ["  it says that the game ended without a winner; nothing has been checked yet"]


def test_rulings_bind_players_who_agreed_to_the_arbiter() -> None:
    arbiter = Key(chance("arbiter"))
    one = Sitting("auction", 3, "bound", arbiter=arbiter.public).until(1)
    genesis = one.table.envelope
    lines = documents.ruling_lines(make_ruling(arbiter, genesis, [], "so be it", ()))
    assert lines == [
        f"a ruling on game {one.table.id[:8]} by the key {arbiter.public.hex()[:16]}, binding: the offer that all "
        "players joined names this key",
        "  it says: so be it",
        "  over 0 files: none",
    ]
    many = documents.ruling_lines(
        make_ruling(arbiter, genesis, [f"file {n}".encode() for n in range(21)], "so be it", ())
    )
    assert many[2].startswith("  over 21 files: ")
    assert many[2].count(", ") == 19
    assert {len(name) for name in many[2].partition(": ")[2].split(", ")} == {8}


def test_a_proof_counts_what_it_shows(sitting: Sitting) -> None:
    view = decode(Sitting("auction", 3, "proof").until("raid").view(0), r.View, "view")
    some = p.BadRound(
        format="pbem-referee/1/proof", genesis=view.genesis, entry=view.entries[0], privates=view.privates,
        tokens=tuple(token for one in view.privates for token in decode(bytes(one.body), r.Private, "part").openings),
    )  # fmt: skip
    (_, told) = documents.proof_lines(encode(some))
    assert told == (
        f"  it reveals hidden tokens ({len(some.tokens)}) and private parts ({len(view.privates)}): check whose they "
        "are before you send it"
    )


# --- a family at its bounds -------------------------------------------------------------------------------------------


def made(*parts: Part, limits: tuple[Limit, ...] = ()) -> Choice:
    return Choice("made for the test", None, form={}, parts=parts, limits=limits)


def asked(choice: Choice, given: dict[tuple[str, str], Any] | None = None) -> family.Question:
    question = family.next_question(choice, given or {})
    assert question is not None
    return question


def test_many_numbers_are_not_tried_one_by_one() -> None:
    limit = (Limit((Term("n"),), 1, 5),)
    assert asked(made(Number("n", "?", 0, 2000), limits=limit)).numbers == range(1, 6)
    assert asked(made(Number("n", "?", 0, 2001), limits=limit)).numbers == range(2002)
    assert not asked(made(Number("n", "?", 7, 9), limits=limit)).possible


def test_parts_answered_later_may_still_take_any_possible_value() -> None:
    def numbers(other: Part, term: Term, low: int, high: int) -> list[int]:
        """The numbers that leave room for the other part between these limits."""
        return [*asked(made(Number("n", "?", 0, 9), other, limits=(Limit((Term("n"), term), low, high),))).numbers]

    ranking = Ranking("r", "?", ("a", "b", "c"), 2)
    assert numbers(ranking, Term("r"), 6, 8) == [3, 4, 5, 6]
    pick = Pick("p", "?", (Option("a"), Option("b")))
    assert numbers(pick, Term("p", "a"), 3, 3) == [2, 3]
    assert numbers(pick, Term("p"), 3, 3) == [0, 1, 2, 3]
    amounts = Amounts("m", "?", {"red": 2, "blue": 1})
    assert numbers(amounts, Term("m"), 5, 5) == [2, 3, 4, 5]
    assert numbers(amounts, Term("m", "red"), 5, 5) == [3, 4, 5]
    assert numbers(amounts, Term("m", "green"), 5, 5) == [5]
    assert numbers(Number("k", "?", 1, 3), Term("k", "", -1), 0, 0) == [1, 2, 3]
    assert numbers(Number("k", "?", 1, 3), Term("k", "", -2), 0, 0) == [2, 3, 4, 5, 6]
    assert numbers(Free("f", "?", "how", 5), Term("n", "", 2), 3, 9) == [1, 2, 3]


def test_questions_in_words() -> None:
    def told(part: Part, width: int = 80) -> str:
        return family.wording(asked(made(part)), ("Anna", "Bert"), str.upper, width)

    assert told(Amounts("a", "which, @1?", {"red": 1}, ("red",))) == "which, Bert? RED, yes or no:"
    assert told(Amounts("a", "which?", {"red": 2}, ("red",))) == "how many RED? 0 to 2:"
    assert told(Number("n", "how many for @0?", 2, 5)) == "how many for Anna? 2 to 5:"
    assert told(Ranking("r", "which?", ("cup", "@1"), 0)) == "which? none, or any of CUP, Bert:"
    assert told(Ranking("r", "which?", ("cup", "@1"), 2)) == "which? all of CUP, Bert:"
    assert told(Ranking("r", "which?", ("cup", "@1"), 1)) == "which? at least 1 of CUP, Bert:"
    assert told(Free("f", "what?", "no more than @0", 5)) == "what? (no more than Anna):"
    pick = Pick("p", "whom?", (Option("@0"), Option("@1")))
    short = "whom? #1 Anna  #2 Bert:"
    assert told(pick, len(short) + 1) == short
    assert told(pick, len(short)) == "whom?\n  #1 Anna\n  #2 Bert\nwhich one?"


def test_an_impossible_answer_is_refused_with_the_possible_ones() -> None:
    def refused(part: Part, typed: str) -> tuple[str, str]:
        with pytest.raises(Usage) as caught:
            family.read(asked(made(part)), typed, ("Anna", "Bert"))
        return str(caught.value.message), str(caught.value.next)

    assert refused(Number("n", "?", 2, 5), "1") == ("`1` is not possible here", "type a number, 2 to 5")
    assert refused(Number("n", "?", 2, 5), "x" * 50)[0] == f"`{'x' * 40}` is not possible here"
    assert refused(Ranking("r", "?", ("cup", "tea"), 2), "tea") == ("that is 1 of them", "name at least 2, best first")
    assert refused(Ranking("r", "?", ("cup", "tea"), 0), "tea tea") == (
        "that names one of them twice",
        "name each once",
    )
    assert refused(Free("f", "?", "how", 5), "x" * 6) == ("that is too long", "type at most 5 characters")
    words = ("type a word from the list, or its `#` number",)
    assert refused(Pick("p", "?", (Option("sugar"),)), "suger")[1:] == words
    assert refused(Pick("p", "?", (Option("sugar"),)), "#2") == ("`#2` is not possible here", *words)
    assert [family.yes(word) for word in ("Y", "yes", "j", "JA", "n", "no", "nein", "nee", "maybe", "")] == [
        True, True, True, True, False, False, False, False, None, None,
    ]  # fmt: skip
    for none in ("none", "keine", "Keinen", "keins", "geen"):
        assert family.read(asked(made(Ranking("r", "?", ("cup",), 0))), none, ()) == []


# --- a prompt ---------------------------------------------------------------------------------------------------------


def test_a_prompt_in_a_game_without_standing_orders() -> None:
    one = Sitting("schwarzer-freitag", 2, "edges")
    person = Typist("say something", "maybe", "y")
    assert agree(one.opened(0), person).standing is None
    assert "or first `say WORDS`" not in person.text
    assert person.text.count("this game has no standing orders; answer what is asked") == 2
    opened = one.until(1).opened(one.asked[0])
    with pytest.raises(Usage, match="no standing orders"):
        typed.say_phrase(opened, None, "anything")


def test_a_talk_begins_with_the_board_and_the_list() -> None:
    sitting = Sitting(seed="words").until("play")
    opened = sitting.opened(sitting.asked[0])
    person = Typist("#1", "y")
    choose(opened, person)
    board = terminal.render(opened, PLAIN)
    assert person.screen[0].startswith(f"{board}\n\n")
    listed = person.screen[0].removeprefix(f"{board}\n\n")
    assert [line.split("  ")[-1] for line in listed.splitlines()] == [choice.text for choice in typed.choices(opened)]
    first = Sitting(seed="words").opened(0)
    person = Typist("y")
    agree(first, person)
    orders = "Standing orders that you can give (`say #1`, or its words):\n   #1  bid the same always"
    assert person.screen == [
        f"{terminal.render(first, PLAIN)}\n\n{orders}",
        "Do you agree to play this game? [Y/n] (or first `say WORDS`) y",
    ]  # fmt: skip


def test_help_and_quit_within_a_family() -> None:
    sitting = Sitting(seed="words").until("raid")
    opened = sitting.opened(sitting.asked[0])
    person = Typist("#1", "?", "", "list", "help", "quit")
    with pytest.raises(prompt.Quit):
        choose(opened, person)
    assert person.text.count(str(prompt_words.PART_HELP)[:20]) == 2
    assert person.text.count("whom? #1") == 5
    assert "is not possible here" not in person.text


def test_an_answer_that_leaves_no_options_goes_one_question_back(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(seed="words").until("bid")
    opened = sitting.opened(sitting.asked[0])
    dead = Choice(
        "a dead end", Bid(0), form={"do": "bid", "amount": {"$": "n"}},
        parts=(Pick("how", "how?", (Option("a"), Option("b"))), Number("n", "n?", 1, 3)),
        limits=(Limit((Term("how", "a", 5), Term("n")), high=3, why="too much"),),
    )  # fmt: skip
    monkeypatch.setattr(family, "_can_hold", lambda choice, given: ("n", "") not in given or given["how", ""] == "b")
    monkeypatch.setattr(prompt, "choices", lambda opened: [dead])
    person = Typist("#1", "a", "b", "2", "y")
    assert choose(opened, person).move == Bid(2)
    assert "Nothing fits any more; going back one question." in person.text


def test_an_empty_list_and_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(seed="words").until("bid")
    opened = sitting.opened(sitting.asked[0])
    person = Typist("more", "bid 1; bid 2 always", "back", "bid 1", "y")
    answer = choose(opened, person)
    assert (answer.move, answer.standing) == (Bid(1), Words(2)), "the words stay said after the move was refused"
    assert "The list has all moves." in person.text
    monkeypatch.setattr(prompt, "choices", lambda opened: [])
    person = Typist("quit")
    with pytest.raises(prompt.Quit):
        choose(opened, person)
    assert "There is nothing to choose now." in person.text


# --- typed answers ----------------------------------------------------------------------------------------------------


def test_a_bare_answer_has_no_move() -> None:
    bare = Sitting("schwarzer-freitag", 2, "edges")
    with pytest.raises(Usage) as caught:
        typed.read_answer(bare.opened(0), "draw")
    assert str(caught.value.message) == "there is nothing to choose here: you are asked for a confirmation"
    assert str(caught.value.next) == "leave the move out"
    assert typed.in_words(bare.opened(0), Draft()) == ["you agree to play this game"]
    later = Sitting(seed="words").until("bid").opened(0)
    assert typed.in_words(later, Draft()) == ["a confirmation, so that play continues"]


def test_a_signed_move_is_described_to_its_player() -> None:
    one = Sitting(seed="words").until("bid")
    data = one.signed(0, move=Bid(2), standing=Words(3))
    opened = open_view(one.view(0), one.own[0])
    assert typed.signed_words(opened, file_of(data)) == ["bid 2", "from now on: bid 3 always"]
    assert typed.signed_words(open_view(one.view(0)), file_of(data)) == [
        "an answer with a sealed part that was not kept here"
    ]
    assert typed.signed_words(opened, file_of(one.signed(0, resign=True))) == ["you leave the game for good"]
    first = Sitting(seed="words")
    assert typed.signed_words(first.opened(0), file_of(first.signed(0))) == ["you agree to play this game"]


def test_a_line_of_the_list_is_its_number() -> None:
    table, listed = Sitting(seed="words").table, [made(), made(), made()]
    for text_, number in (("#1", 0), (" # 3 ", 2)):
        assert typed.line_of(table, listed, text_) is listed[number]
    for text_ in ("1", "#", "#x", "##1", "#1234567"):
        assert typed.line_of(table, listed, text_) is None
    for text_ in ("#0", "#4", "#123456"):
        with pytest.raises(Usage) as caught:
            typed.line_of(table, listed, text_)
        assert (caught.value.code, str(caught.value.next)) == ("no-line", "the lines go from #1 to #3")


def test_ambiguous_and_out_of_order_words_are_refused() -> None:
    table = Sitting(seed="words").table
    with pytest.raises(Usage, match="what comes first must be said first"):
        typed._resolve_names(table, lambda text_: text_, "play 3, first bid 2")
    with pytest.raises(Usage, match="this can be read in two ways"):
        agreed([1, 1, 2])
    assert agreed([1, 1]) == 1

    def rule(text_: str) -> list[str]:
        if "@" not in text_:
            raise IllegalMove("X-1", t("no"))
        return re.findall(r"@\d", text_)

    with pytest.raises(Usage, match="a player's name is also a word of the game"):
        typed._resolve_names(table, rule, f"{table.names[0]} takes {table.names[1]}")
    assert typed._resolve_names(table, rule, f"take {table.names[1]}") == ["@1"]


@pytest.mark.parametrize(
    ("language", "line", "word", "told", "guess"),
    [
        ("en", "trade suger", "suger", "'suger' is unknown, did you mean sugar?", "sugar"),
        ("de", "tausche zuker", "zuker", "'zuker' is unknown, did you mean Zucker?", "Zucker"),
        ("nl", "trade suger", "suger", "'suger' is unknown, did you mean suiker?", "suiker"),
        ("de", "xqzvw", "xqzvw", "'xqzvw' is unknown", ""),
        ("de", "y" * 50, "y" * 20, f"'{'y' * 20}' is unknown", ""),
        ("de", "tausche Zucker Zucker", "sugar", "'Zucker' is not here", ""),
    ],
)
def test_a_refusal_names_words_as_they_were_typed(language: str, line: str, word: str, told: str, guess: str) -> None:
    """Even words that the game knows but does not expect there."""
    table = Sitting("schwarzmarkt", 3, "corrected").table
    with speaking(language):
        found = typed.corrected(table, line, IllegalMove("SM-6", t("{word} is not here", word=quoted(word)), word=word))
    assert (str(found.why), found.guess) == (told, guess)


# --- positions and findings -------------------------------------------------------------------------------------------


def test_everybody_whom_a_game_waits_for_is_named() -> None:
    one = Sitting(seed="waits", deadline=60)
    names = one.table.names
    assert terminal.pending_summary(one.opened(0), names) == ["Everybody is asked to agree to the game."]
    one.until("bid")
    due = "Deadline: 2027-01-01 01:00 UTC."
    assert terminal.pending_summary(one.opened(0), names) == ["To act: Anna (bid), Bert (bid), Carla (bid)", due]
    assert terminal.pending_summary(one.opened(0), names, due=False) == ["To act: Anna (bid), Bert (bid), Carla (bid)"]
    for late, bare in (((0, 2), "Bert"), ((1,), "Anna, Carla")):
        two = one.fork()
        two.step(*late)
        missed = [names[seat] for seat in late]
        assert terminal.pending_summary(two.opened(0), names, due=False) == [
            f"To act: {', '.join(f'{name} (bid)' for name in missed)}",
            f"Missed the deadline: {', '.join(missed)}. Late players may still answer.",
            f"Waiting for a confirmation, with nothing to choose, before play goes on: {bare}.",
        ]


def test_text_of_others_is_escaped() -> None:
    assert text.clean("a\x1b[1m\n\u202e€") == "a\\x1b[1m\\n\\u202e€"
    assert [text.span(minutes) for minutes in (1440, 2880, 60, 720, 1, 90, 1500)] == [
        "1 day", "2 days", "1 hour", "12 hours", "1 minute", "90 minutes", "25 hours",
    ]  # fmt: skip


def test_rounds_that_a_file_does_not_have() -> None:
    one = Sitting(seed="rounds")
    assert code_of(lambda: pictures.seen_in_view(one.opened(0))) == "not-dealt"
    opened = one.until(3).opened(0)
    for number in (0, 4, -1):
        with pytest.raises(Usage) as caught:
            pictures.seen_in_view(opened, number)
        assert (str(caught.value.message), str(caught.value.next)) == (
            "there is no such round in this file", "choose --round 1 to 3",
        )  # fmt: skip
    assert pictures.seen_in_view(opened, 3) == pictures.seen_in_view(opened)
    assert pictures.seen_in_view(opened, 1) != pictures.seen_in_view(opened)


def test_a_host_declares_what_it_could_foresee() -> None:
    """All keys kept: nothing is protected. Some: the rounds that only kept seats answered. Common chance: that."""
    one = Sitting(seed="declared", kept=(0, 1, 2)).until(1)
    assert findings.declared(one.opened(0).chain) == (
        "the host declares that it keeps the keys of Anna, Bert and Carla", "draws are not protected",
    )  # fmt: skip
    some = Sitting(seed="declared", kept=(0,)).until(1)
    told = "the host declares that it keeps Anna's key"
    assert findings.declared(some.opened(0).chain) == (told, "so far the host could not foresee the draws of any round")
    foreseen = [
        one.entry.round
        for one in some.until(lambda now: now.over).opened(0).chain.rounds
        if one.draws and {answer.seat for answer in one.entry.answers} == {0}
    ]
    (_, last) = findings.declared(some.opened(0).chain)
    assert [int(number) for number in re.findall(r"\d+", last)] == foreseen
    common = Sitting(seed="declared", common="deal", kept=(1,)).until(1)
    assert findings.declared(common.opened(0).chain) == (
        str(text.COMMON_CHANCE), "the host declares that it keeps Bert's key",
    )  # fmt: skip
    assert "that the draws are those of common chance" in findings.report(common.opened(0)).unproved
    assert findings.declared(Sitting(seed="declared").until(1).opened(0).chain) == ()


def test_signatures_are_counted(sitting: Sitting) -> None:
    chain = sitting.opened(0).chain
    assert findings.signatures(chain) == 2 + 3 + sum(1 + len(one.entry.answers) for one in chain.rounds)
    assert ident("genesis", bytes(sitting.table.envelope.body)) == sitting.table.id
