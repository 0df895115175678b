"""The suite can fail: each fault planted here is found by the check that is meant for it, in words that name it."""

import json
from pathlib import Path

import pytest

from referee.testing import clauses, described, judging, playing, record, repeat, signed, spoken, standing
from referee.testing.subject import Setup, Subject, play
from referee.testing.suite import Check

from .planted import TOY, Plant, planted

EDITION = json.loads((TOY / "edition.json").read_text("utf-8"))


def edition(**changes: object) -> Plant:
    return Plant(edition__json=json.dumps(EDITION | changes))


def line(old: str, new: str) -> Plant:
    return Plant((old, new))


def before(old: str, more: str) -> Plant:
    return Plant((old, more + old))


PUBLIC_MONEY = "    money: tuple[Count, ...]\n"
BIDDING = 'together(terms, "bid", "amount")'
CHECKS_OPEN = "    check_open(terms, seen.public, ask_of"
RAIDS = "    if isinstance(move, Raid) and (move.target >= terms.seats or "
HAND = "def hand(seat: int) -> str:\n"
PARSES = "return msgspec.convert(read(line), Move)"
RENDERS = 'return "\\n".join((*rows,'
RESULT = "ranked(tuple(zip(points, money, strict=True)))"
CHOOSES = "found = [choice for choice in legal(terms, seen) if not choice.minor]"
BY_EXAMPLE = (CHOOSES, "found = [Choice('', choice.move) for choice in legal(terms, seen)]")
"""Bots that play examples only: what is wrong with a family does not show in their games."""

QUICK: dict[str, tuple[Check, Plant, str]] = {
    "a sealed field that is read and never opened": (
        playing.sealed_fields_are_used,
        line('draws.unseal(seat, "odd").odd if moves[seat]', "moves[seat].odd if moves[seat]"),
        "`odd` is sealed in `guess`, but never unsealed",
    ),
    # the record
    "seventeen seats": (record.record_is_complete, line("seats=(2, 16)", "seats=(2, 17)"), "1 to 16"),
    "a hand in capitals": (record.record_is_complete, line('hands=("hand",)', 'hands=("Hand",)'), "hand name 'Hand'"),
    "a hand twice": (record.record_is_complete, line('hands=("hand",)', 'hands=("hand", "hand")'), "is named twice"),
    "no sensible bot": (record.record_is_complete, line(', "sensible": any_move', ""), "bots are missing: sensible"),
    "a board that cannot be imported": (
        record.record_is_complete,
        Plant(
            ("    render=render,\n", '    render=later(__name__, "board.renders"),\n'),
            ("    Paint,\n", "    Paint,\n    later,\n"),
            board__py='"""Boards."""\n',
        ),
        "`render` cannot be imported from board.renders",
    ),
    "a version in words": (record.record_is_complete, line('rules="1"', 'rules="the first"'), "not a version of rules"),
    "a float in the position": (record.types_are_exact, line("    lot: Count", "    lot: float"), "FloatType"),
    "a number without bounds": (
        record.types_are_exact,
        line("    lot: Count", "    lot: int"),
        "public has a number without a lower bound",
    ),
    "moves with unknown fields": (
        record.types_are_exact,
        line('tag="play", tag_field="do", forbid_unknown_fields=True', 'tag="play", tag_field="do"'),
        "move: Play does not forbid unknown fields",
    ),
    "a position that is not frozen": (
        record.types_are_exact,
        line("Public(msgspec.Struct, frozen=True)", "Public(msgspec.Struct)"),
        "not frozen",
    ),
    "an option without a default": (
        record.options_have_defaults,
        line("    rounds: Few = 3", "    rounds: Few"),
        "option rounds has no default",
    ),
    "an edition with a text for a number": (record.edition_is_good, edition(hand="three"), "edition.json: edition"),
    "an edition that is refused": (record.edition_is_good, edition(hand=4), "is refused for 2 seats"),
    "a crash on a strange edition": (
        record.strange_editions_are_refused,
        before("    if terms.edition.hand >=", "    100 // terms.edition.money\n"),
        "fails on an edition with money=",
    ),
    "a hand that is filled": (
        record.bags_are_in_form,
        line('return {"pile"', 'return {"hand/0": ["99"], "pile"'),
        "hand/0 is filled before",
    ),
    "a container in capitals": (record.bags_are_in_form, line('{"pile": [', '{"Pile": ['), "container name 'Pile'"),
    "a face without a sign": (record.bags_are_in_form, line('[f"{n:02}"', '["" and f"{n:02}"'), "the face ''"),
    "too many tokens": (record.bags_are_in_form, line("+ 2)]}", "+ 1200)]}"), "more than 1000 tokens"),
    "words that are not JSON": (spoken.words_mean_one_thing, Plant(words__json="[]"), "words.json cannot be read"),
    "a word that means two things in two languages": (
        spoken.words_mean_one_thing,
        Plant(words__json='{"words": {"play": {"de": ["spiele"]}, "raid": {"nl": ["raub", "SPIELE"]}}}'),
        "'spiele' means 'play' and 'raid'",
    ),
    "a word that is another one in English, without its umlaut": (
        spoken.words_mean_one_thing,
        Plant(words__json='{"words": {"lose": {"nl": ["verlies"]}, "solve": {"de": ["löse"]}}}'),
        "'lose' means 'lose' and 'solve'",
    ),
    "a hole that is lost": (
        spoken.words_mean_one_thing,
        Plant(words__json='{"words": {"play {}": {"de": ["spiele"]}}}'),
        "'spiele' has other holes than 'play {}'",
    ),
    "a language that nobody speaks": (
        spoken.words_mean_one_thing,
        Plant(words__json='{"words": {"play": {"tlh": ["Quj"]}}}'),
        "'tlh' is none of en, de, nl",
    ),
    "a word that is read as another": (
        spoken.moves_are_spoken,
        Plant(words__json='{"words": {"bid 0": {"de": ["kein Gebot"]}, "kein": {"de": ["bid"]}}}'),
        "is read as",
    ),
    "rules without clauses": (clauses.rules_have_clauses, Plant(RULES__md="# Nothing\n"), "has no clause"),
    "a clause twice": (
        clauses.rules_have_clauses,
        Plant(RULES__md="**TA-1** One.\n\n**TA-1** Two.\n"),
        "two clauses TA-1",
    ),
    "a clause that was not translated": (
        clauses.translations_agree,
        Plant(RULES__md="**TA-1** One. [R]\n\n**TA-2** Two. [R]\n", RULES__de__md="**TA-1** Eins. [R]\n"),
        r"RULES\.de\.md has other clauses",
    ),
    "a mark that was not copied": (
        clauses.translations_agree,
        Plant(RULES__md="**TA-1** One. [R]\n", RULES__nl__md="**TA-1** Een. [F]\n"),
        r"RULES\.nl\.md has other marks in TA-1",
    ),
    "another place in the rulebook": (
        clauses.translations_agree,
        Plant(RULES__md="**TA-1** One. [S: Ende]\n", RULES__de__md="**TA-1** Eins. [S: Anfang]\n"),
        r"RULES\.de\.md has other marks in TA-1",
    ),
    "a clause without a mark among others": (
        clauses.every_sentence_has_its_mark,
        Plant(RULES__md="**TA-1** One. [R]\n\n**TA-2** Two.\n"),
        "TA-2 has no mark behind 'Two.'",
    ),
    "a last sentence without its mark": (
        clauses.every_sentence_has_its_mark,
        Plant(RULES__md="**TA-1** One. [R] Two\nand three.\n"),
        "TA-1 has no mark behind 'Two and three.'",
    ),
    "a mark that claims a source without saying where": (
        clauses.every_sentence_has_its_mark,
        Plant(RULES__md="**TA-1** One. [R] Two. [S]\n"),
        r"TA-1 has no mark behind 'Two. \[S\]'",
    ),
    "one mark for two sentences": (
        clauses.every_sentence_has_its_mark,
        Plant(RULES__md="**TA-1** One, e.g. A. Two: [D: Ende]\n\n| a |\n|---|\n| b. C |\n"),
        "TA-1 has one mark for two sentences: 'One, e.g. A. Two:'",
    ),
    "two marks behind one sentence": (
        clauses.every_sentence_has_its_mark,
        Plant(RULES__md="**TA-1** One. [R] [A: Ende]\n"),
        "TA-1 has two marks behind one sentence",
    ),
    "a figure that was not copied": (
        clauses.translations_agree,
        Plant(RULES__md="**TA-1** 12 of 13. [R]\n", RULES__de__md="**TA-1** Von 13 sind es 21. [R]\n"),
        r"RULES\.de\.md has other figures in TA-1",
    ),
    "chance from outside": (
        record.source_is_alone,
        line("import msgspec\n", "import random\n\nimport msgspec\n"),
        "imports random",
    ),
    "a file is opened": (record.source_is_alone, line(HAND, HAND + '    open("x", "a")\n'), r"calls open\(\)"),
    "rules import pictures": (
        record.source_is_alone,
        Plant(("import msgspec\n", "import msgspec\n\nfrom . import board\n"), board__py='"""Pictures."""\n'),
        "a module that decides imports `board`",
    ),
    "another module imports words": (
        record.source_is_alone,
        Plant(inner__py='"""Rules."""\nfrom .words_more import tell\n', words_more__py='"""Words."""\ntell = None\n'),
        r"inner.py:2: a module that decides imports `words_more`",
    ),
    "a global is changed": (
        record.source_is_alone,
        line(HAND, f"LAST = 0\n\n\n{HAND}    global LAST\n"),
        "changes a global",
    ),
    # at play
    "no answer to a missed deadline": (
        playing.games_end,
        line("cards += [move.card] if move else draws.take(hand(seat), 1)", "cards += [move.card]"),
        "the answer None of a missed deadline, failed: AttributeError",
    ),
    "another step each time": (
        playing.games_end,
        Plant(
            ('note("best", seat=best)', 'note("best", seat=best, times=TIMES.append(1) or len(TIMES))'),
            ("GAME = Game(", "TIMES: list[int] = []\nGAME = Game("),
        ),
        "another step when it was read back",
    ),
    "a look into the dealer": (
        playing.games_end,
        line("best = cards.index(max(cards))", 'best = len(getattr(draws, "faces", ())) % 2'),
        "another step when it was read back",
    ),
    "a deal after a shuffle": (
        playing.games_end,
        line("        return Step(public, together(terms, LINK), log)\n", ""),
        "pile was sealed in this entry",
    ),
    "a hidden deal among open tokens": (
        playing.games_end,
        line('draws.under("pile", cards[::-1])', 'draws.put("pile", cards[::-1])'),
        "a token in pile could be recognised",
    ),
    "what a hidden deal returns": (
        playing.games_end,
        line('draws.deal("pile", edition.hand, hand(seat))', 'min(draws.deal("pile", edition.hand, hand(seat)))'),
        "'NoneType' object is not iterable",
    ),
    "answers are used up": (
        playing.games_end,
        before("    steps: dict[", "    moves.clear()\n"),
        "`apply` changed what it was given",
    ),
    "a bot that bids too much": (
        playing.games_end,
        line(
            CHOOSES,
            CHOOSES + '\n    if seen.pending[0].what == "bid":\n        return Bid(999)',
        ),
        "bot `random` makes an illegal move",
    ),
    "a question after the end": (
        playing.steps_are_in_form,
        line("return Step(public, (), tuple(log)", "return Step(public, (Ask(0, 'bid'),), tuple(log)"),
        "asked exactly when there is no result",
    ),
    "a number where a text is due": (
        playing.steps_are_in_form,
        line("prize=prize, trophies", "prize=int(prize), trophies"),
        "the position cannot be read",
    ),
    "a position that grows": (
        playing.steps_are_in_form,
        line("prize=prize, trophies", 'prize="x" * 200_000, trophies'),
        "200000 are allowed",
    ),
    "the engine's own word": (
        playing.questions_are_in_form,
        line(BIDDING, BIDDING.replace('"bid"', '"ack"')),
        "`ack` is the engine's own",
    ),
    "a question in capitals": (
        playing.questions_are_in_form,
        line(BIDDING, BIDDING.replace('"bid"', '"Bid"')),
        "question 'Bid'",
    ),
    "a sealed field without a default": (
        playing.questions_are_in_form,
        line("    amount: Count = 0", "    amount: Count"),
        "'amount' has no default",
    ),
    "a sealed field that is not there": (
        playing.questions_are_in_form,
        line(BIDDING, BIDDING.replace('"amount"', '"sum"')),
        "sealed field 'sum'",
    ),
    "somebody who does not sit there": (
        playing.questions_are_in_form,
        line('(Ask(winner, "raid", ("card",)),)', '(Ask(77, "raid", ("card",)),)'),
        "a seat is asked that does not exist",
    ),
    "everybody is first": (
        playing.results_are_right,
        Plant((RESULT, f"Result((1,) * terms.seats, {RESULT}.scores)"), ("    Paint,\n", "    Paint,\n    Result,\n")),
        "are not those of the scores",
    ),
    "a score is missing": (
        playing.results_are_right,
        line("tuple(log), result)", "tuple(log), ranked(result.scores[1:]))"),
        "one score for each seat",
    ),
    "an illegal move is listed": (
        playing.legal_moves_are_legal,
        Plant(BY_EXAMPLE, ('Choice(f"bid 0 to {most}", Bid(0)', 'Choice(f"bid 0 to {most}", Bid(most + 1)')),
        "which is illegal",
    ),
    "no move is listed": (
        playing.legal_moves_are_legal,
        Plant(
            ("return [Choice(text(Play(card)), Play(card)) for", "return [] and [Play(card) for"),
            (CHOOSES, CHOOSES + '\n    if seen.pending[0].what == "play":\n        return Play(seen.hand("hand")[0])'),
        ),
        "no legal move is listed",
    ),
    "one text for two choices": (
        playing.legal_moves_are_legal,
        line("[Choice(text(Play(card)), Play", "[Choice(text(Play(card))[:3], Play"),
        "the same text",
    ),
    "a legal move that does not apply": (
        playing.legal_moves_are_legal,
        line("    winner = bids.index(max(bids))", "    winner = bids.index(max(bids)) // (max(bids) < 5)"),
        "does not apply: ZeroDivisionError",
    ),
    "a text that means another move": (
        playing.moves_read_back,
        line(PARSES, PARSES.replace("read(line)", "read(line) | ({'amount': 0} if line[0] == 'b' else {})")),
        "`parse` reads 'bid",
    ),
    "a text that means nothing": (
        playing.moves_read_back,
        line(PARSES, PARSES.replace("read(line)", "read(line + '!')")),
        "`parse` refuses '",
    ),
    "moves for who is not asked": (
        judging.nobody_else_has_moves,
        line("if ask and ask.what in found else []", 'if ask and ask.what in found else [Choice("x", Guess())]'),
        "is not asked, but has moves",
    ),
    "answers from who is not asked": (
        judging.nobody_else_has_moves,
        before(CHECKS_OPEN, "    if ask_of(seen.pending, seen.seat) is None:\n        return\n"),
        "which is not asked",
    ),
    # moves as data
    "a member that should be left out": (
        described.choices_build_legal_moves,
        line('Option("loudly", True)', 'Option("loudly", False)'),
        "which is spelled",
    ),
    "a choice that is no move": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('Option("loudly", True)', 'Option("loudly", "yes")')),
        "which is not a move",
    ),
    "an example from another family": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('Choice("guess", Guess()', 'Choice("guess", spoken')),
        "is none of its family",
    ),
    "two parts of one name": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('Pick("voice", ', 'Pick("card", ')),
        "two parts have the same name",
    ),
    "a hole that nothing fills": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('Pick("voice", ', 'Pick("tone", ')),
        "no part fills the hole voice",
    ),
    "a part that fills nothing": (
        described.choices_build_legal_moves,
        Plant(
            BY_EXAMPLE,
            (
                'form = {"do": "guess", **{part.name: {"$": part.name} for part in parts}}',
                'form = {"do": "guess", **{part.name: {"$": part.name} for part in parts[:3]}, "want": []}',
            ),
        ),
        "want fills no hole",
    ),
    "a limit on half a pick": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('(When("stake", chip),)', '(When("odd"),)')),
        "'' is nothing that can be counted in odd",
    ),
    "two options of one text": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('Option("odd", True)', 'Option("even", True)')),
        "two options of odd have the same text",
    ),
    "an option that looks ahead": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('Option("odd", True)', 'Option("odd", True, (When("want", "cup"),))')),
        "looks at a part that comes later",
    ),
    "a limit on nothing": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('Term("stake", chip', 'Term("steak", chip')),
        "a limit looks at a part that is not there",
    ),
    "a description without end": (
        described.choices_build_legal_moves,
        line('Choice("guess", Guess()', 'Choice("guess", Guess(), note="x" * 200_000'),
        "200000 are allowed",
    ),
    "a crash on nonsense": (
        judging.hostile_answers_are_refused,
        line(RAIDS, "    if isinstance(move, Raid) and ("),
        "`apply` crashes on Raid",
    ),
    "a crash in check": (
        judging.hostile_answers_are_refused,
        before(CHECKS_OPEN, "    seen.public.money[getattr(move, 'target', 0)]\n"),
        "`check` crashes on Raid",
    ),
    "nonsense that keeps busy": (
        judging.hostile_answers_are_refused,
        before(RAIDS, "    while isinstance(move, Raid) and move.target == 1000:\n        pass\n"),
        "kept busy by Raid",
    ),
    "check takes what apply refuses": (
        judging.hostile_answers_are_refused,
        line("move.amount > seen.public.money[seen.seat]", "move.amount > 1000"),
        "`check` takes Bid",
    ),
    "a clause that is not there": (
        judging.hostile_answers_are_refused,
        line('IllegalMove("TA-3", t("that is not', 'IllegalMove("TA-99", t("that is not'),
        "TA-99, which RULES.md does not have",
    ),
    "a crash on a strange text": (
        judging.any_text_is_a_move_or_refused,
        before("    try:\n        " + PARSES, "    line.encode()\n"),
        "`parse` crashes on",
    ),
    "a refusal as long as the text": (
        judging.any_text_is_a_move_or_refused,
        line('"that means no move that is legal now"', 'f"{line} means no move"'),
        "too long or cannot be printed",
    ),
    "a note without a sentence": (
        playing.story_is_told,
        line('    "best": "@{seat} played the highest card",\n', ""),
        "`tell` has no sentence",
    ),
    "a note with half a point": (
        playing.story_is_told,
        line('(note("best", seat=best),)', '(note("best", seat=best, points=0.5),)'),
        "not plain data",
    ),
    "a bell in the story": (
        playing.story_is_told,
        line('"the prize is {card}"', '"the prize is {card}\\a"'),
        "cannot be printed",
    ),
    "a seat that nobody has": (
        playing.story_is_told,
        line('"the prize is {card}"', '"@77 gets {card}"'),
        "a seat that does not exist",
    ),
    "a wide board": (
        playing.boards_fit,
        line(RENDERS, 'return "\\n".join(("漢" * 51, *rows,'),
        "102 columns",
    ),
    "a board for wide screens only": (
        playing.boards_fit,
        line(RENDERS, 'return "\\n".join(("." * 61, *rows,'),
        "61 columns",
    ),
    "an escape in a board": (
        playing.boards_fit,
        line(RENDERS, 'return "\\n".join(("\\x1b[2J", *rows,'),
        "cannot be printed",
    ),
    "no board at the end": (
        playing.boards_fit,
        line("    public = seen.public\n    rows", "    public = seen.public\n    seen.pending[0]\n    rows"),
        "`render` fails for seat",
    ),
    "another board in colour": (
        playing.boards_fit,
        line('paint(row, "bold") if', 'paint(row + "*", "bold")[:40] if'),
        "differs in colour",
    ),
}

# Each of these is found by the check that is there for it, and by nothing else.
PLAY: dict[str, tuple[Check, Plant, str]] = {
    # moves as data
    "a family of bids that nobody can pay": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('Number("amount", "how much?", 0, most)', 'Number("amount", "how much?", 0, most + 1)')),
        "which is illegal: nobody can bid more",
    ),
    "a text that leaves something out": (
        described.choices_build_legal_moves,
        Plant(BY_EXAMPLE, ('    said += ["want " + " ".join(move.want)] if move.want else []\n', "")),
        "`parse` reads",
    ),
    "the highest bid is not described": (
        described.legal_moves_are_described,
        line('Number("amount", "how much?", 0, most)', 'Number("amount", "how much?", 0, max(most - 1, 0))'),
        "no choice describes",
    ),
    "a voice that is not described": (
        described.legal_moves_are_described,
        line('(Option("quietly"), Option("loudly", True))', '(Option("quietly"),)'),
        "no choice describes .*loud",
    ),
    "a limit that is too narrow": (
        described.legal_moves_are_described,
        line("prices(terms).items()), 0, money, f", "prices(terms).items()), 0, min(money, 3), f"),
        "no choice describes .*stake",
    ),
    "a trophy that is not described": (
        described.legal_moves_are_described,
        line('best first?", TROPHIES, 0)', 'best first?", TROPHIES[:2], 0)'),
        "no choice describes .*ribbon",
    ),
    "mottos that are not described": (
        described.legal_moves_are_described,
        Plant(('(TA-12)", 20)', '(TA-12)", 3)'), ('motto="may it rain"', 'motto="may"')),
        "no choice describes .*motto",
    ),
    # standing orders
    "words without bounds": (
        standing.standing_orders_are_in_form,
        line("    bid: Count | None = None", '    why: str = ""\n    bid: Count | None = None'),
        "standing orders can have",
    ),
    "words of the ack that are lost": (
        standing.standing_orders_are_in_form,
        line("Public(words, 1, lot", "Public((Words(),) * terms.seats, 1, lot"),
        "the words of the acks are not in the first position",
    ),
    "words that the rules forget": (
        standing.standing_orders_are_in_form,
        line("bids=bids)", "bids=bids, standing=(Words(),) * terms.seats)"),
        "but the position has Words|the words of the acks are not in the first position",
    ),
    "a phrase that cannot be typed": (
        standing.standing_orders_are_in_form,
        line('[f"bid {words.bid} always"]', '[f"bid {words.bid} forever"]'),
        "forever', which is refused",
    ),
    "a phrase for nothing": (
        standing.standing_orders_are_in_form,
        line("return [] if words.bid is None", 'return ["bid ask"] if words.bid is None'),
        "words that say nothing are told as",
    ),
    "a phrase that takes back the wrong thing": (
        standing.standing_orders_are_in_form,
        line(
            '        case ["bid", "ask"]:\n            return Words()',
            '        case ["bid", "ask"]:\n            return Words(0)',
        ),
        "`bid ask` is read as",
    ),
    "a crash on a strange phrase": (
        standing.standing_orders_are_in_form,
        line("match phrase.split():", "match phrase.encode().decode().split():"),
        "`standing.parse` crashes on",
    ),
    "orders that their type does not hold": (
        standing.standing_orders_are_in_form,
        line(
            'most = Number("amount", "how much?", 0, terms.edition.money)',
            'most = Number("amount", "how much?", 0, 10**9)',
        ),
        "which is none of the type",
    ),
    # judging
    "stakes that only the player's own tool judges": (
        judging.apply_judges_public_facts,
        line(
            "        if moves[ask.seat] is not None:\n",
            '        if moves[ask.seat] is not None and ask.what != "guess":\n',
        ),
        "by public facts",
    ),
    # editions
    "a die that cannot have thirty sides": (
        record.extreme_editions_play,
        line("    lot = draws.die(edition.sides)", "    lot = draws.die(edition.sides) + 0 // (30 - edition.sides)"),
        "an edition with .*sides=30",
    ),
    "cards of three digits": (
        record.extreme_editions_play,
        line("* terms.seats + 1 > 99", "* terms.seats + 1 > 9999"),
        "an edition with .*cards_each=20",
    ),
}

# These are so wrong that whole games show it as well.
WORDS: dict[str, tuple[Check, Plant, str]] = {
    "words that cannot be kept": (
        standing.standing_orders_are_in_form,
        line("min(public.standing[seat].bid or 0, have)", "(public.standing[seat].bid or 0)"),
        "fails on the words",
    ),
    "advice in another form": (
        standing.standing_orders_are_in_form,
        line("        return None\n    return Words(0)", "        return 0\n    return Words(0)"),
        "`advise` gives 0",
    ),
    "words with any number": (
        record.types_are_exact,
        line("    bid: Count | None = None", "    bid: int | None = None"),
        "standing orders has a number without a lower bound",
    ),
}

THOROUGH: dict[str, tuple[Check, Plant, str]] = {
    "the order of a set": (
        repeat.games_repeat,
        line('(note("best", seat=best),)', '(note("best", seat=best, order=list({"red", "green", "blue", "black"})),)'),
        "runs differently in another process",
    ),
    "a token that cannot be written down": (
        signed.signed_games_verify,
        before('    draws.deal("pile", 1, "prize")', '    draws.put("junk", ["y" * 41])\n'),
        "the signed game stops: round 1: the rules of this game failed: they produce something out of bounds",
    ),
    "a container that cannot be written down": (
        signed.signed_games_verify,
        line('"swap"', '"Swap"'),
        "the signed game stops",
    ),
}


def found(folder: Path, check: Check, plant: Plant, words: str) -> None:
    """A few games show most faults; more games show those that these do not reach."""
    with planted(folder, plant) as game_id, pytest.raises(AssertionError, match=words):
        _checked(check, game_id)


def _checked(check: Check, game_id: str) -> None:
    for most in (4, 12) if check is playing.games_end else (1, 4, 12):
        check(Subject(game_id, most=most))


@pytest.mark.parametrize("name", QUICK | WORDS | PLAY)
def test_a_planted_fault_is_found(name: str, tmp_path: Path) -> None:
    found(tmp_path, *(QUICK | WORDS | PLAY)[name])


def test_a_game_without_an_end_is_found(tmp_path: Path) -> None:
    endless = line("public.round < terms.options.rounds", "public.round < 1000")
    with planted(tmp_path, endless) as game_id:
        assert play(Subject(game_id), Setup(2), 100).failure.endswith("no end after 100 rounds")
    assert play(Subject("auction"), Setup(2), 100).failure == ""


@pytest.mark.thorough
@pytest.mark.parametrize("name", THOROUGH)
def test_a_planted_fault_is_found_in_whole_games(name: str, tmp_path: Path) -> None:
    found(tmp_path, *THOROUGH[name])
