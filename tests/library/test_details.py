"""What the library says and returns, value by value: reports, facts of documents, refusals with their advice."""

import io
import sys
from collections import Counter
from datetime import datetime
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import referee
from referee import games
from referee.bots.causes import cause
from referee.bots.players import Fault, Spent
from referee.crypto.codec import encode
from referee.errors import IllegalMove, Malformed, RefereeError, Usage
from referee.evidence.proofs import CONSISTENT
from referee.game import Reason
from referee.io import files
from referee.language import NOTHING, Figures, Named, Run, Text, Time, speaking
from referee.library import auditing, editions, hosting, rulebook, running, starting, trying
from referee.library import t as tell
from referee.library.auditing import Audit
from referee.library.disputes import Finding, Findings
from referee.library.documents import player_name, read_public
from referee.library.practising import LONGEST
from referee.library.reports import encoded, english, error_data, escaped
from referee.library.sources import load, path_of, several
from referee.library.tables import pairs, read_options, time_limits
from referee.light.game import LightGame
from tests.support.match import Sitting
from tests.toys.auction import Options


def refused(call: Any, *args: Any, **more: Any) -> tuple[str, str, str]:
    """Code, message and advice of the error that a call raises."""
    with pytest.raises(RefereeError) as caught:
        call(*args, **more)
    return caught.value.code, str(caught.value.message), str(caught.value.next)


# --- reports ---------------------------------------------------------------------------------------------------------


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    why: Text = NOTHING
    all: tuple[Text, ...] = ()


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_reports_are_in_english_whatever_their_reader_speaks(language: str) -> None:
    key, none = tell("your key has no name"), tell("give a name")
    with speaking(language):
        assert (str(key) == "your key has no name") is (language == "en")
        assert english(key) == "your key has no name"
        assert english({"b": [1, none, "x"], "a": (key,)}) == {
            "b": [1, "give a name", "x"],
            "a": ["your key has no name"],
        }
        assert english([[1], [key]]) == [[1], ["your key has no name"]]
        assert english(Figures("1,234.5%")) == "1,234.5%"
        assert english(Time("2027-01-05T18:00Z")) == "2027-01-05 18:00 UTC"
        assert english(Run(("play", "a b"))) == "`referee play 'a b'`"
        assert english(Named(key, ("Anna",))) == "your key has no name"
        assert encoded(Report("x")) == '{"name":"x"}'
        told = encoded({"z": 1, "r": Report("x", none, (key, none))})
        assert told == '{"r":{"all":["your key has no name","give a name"],"name":"x","why":"give a name"},"z":1}'


def test_what_is_not_text_stays_exactly_the_same() -> None:
    for plain in ((1, "a"), [1, ["a"]], (), "a", None):
        assert english(plain) is plain


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("utf-8", "é 漢 \\u202e \\u001b"), ("UTF8", "é 漢 \\u202e \\u001b"), ("ascii", "\\u00e9 \\u6f22 \\u202e \\u001b")],
)
def test_letters_that_an_output_cannot_take_are_spelled_out(
    encoding: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert escaped("é 漢 \u202e \x1b") == expected


def test_an_error_for_programs_has_its_words_and_the_values_in_them() -> None:
    plain = Usage(tell("there is no seat {seat} at this table", seat=3), tell("give a name"), code="no-seat")
    told = {"code": "no-seat", "message": plain.message, "next": plain.next, "values": {"seat": 3}}
    assert error_data(plain) == told
    named = Usage(Named(Named(plain.message, ("A",)), ("B",)))
    assert error_data(named)["values"] == {"seat": 3}
    why = Reason("referee.games.mark", "not-asked", (("n", 2),))
    rule = IllegalMove("MK-4", Named(why, ("A",)))
    told = {"code": "illegal", "message": rule.message, "next": rule.next}
    assert error_data(rule) == told | {"clause": "MK-4", "reason": "not-asked", "values": {"n": 2}}


# --- documents -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    options = Options(rounds=2)
    return Sitting("auction", 3, "facts", options, deadline=1440, grace=30, bank=45, kept=[2])


def test_every_fact_of_an_offer_and_of_joins(sitting: Sitting) -> None:
    offer = referee.verify(encode(sitting.offer))
    assert offer.facts == {
        "game": "auction", "seats": 3, "rules": games.load("auction").rules, "key": sitting.host.public.hex(),
        "offer": sitting.table.offer_id, "deadline": 1440, "grace": 30, "bank": 45, "options": {"rounds": 2},
    }  # fmt: skip
    assert (offer.verdict, offer.code, offer.whole, offer.game, offer.round, offer.result) == (
        CONSISTENT, "ok", False, "", 0, None,
    )  # fmt: skip
    assert str(offer) == "an offer"
    for seat, name in enumerate(("Anna", "Bert", "Carla")):
        join = referee.verify(encode(sitting.joins[seat]))
        key = sitting.players[seat].public.hex()
        assert join.facts == {"offer": sitting.table.offer_id, "name": name, "key": key, "kept": seat == 2}


def test_every_fact_of_moves_and_receipts(sitting: Sitting) -> None:
    one = sitting.fork().until(1)
    seat = one.asked[0]
    move = one.signed(seat)
    receipt = one.give(move).receipt
    assert receipt is not None
    for kind, data in (("move", move), ("receipt", encode(receipt))):
        found = referee.verify(data)
        body = msgspec.json.decode(data)["body"]
        assert (found.kind, found.verdict, found.code, found.game, found.round) == (
            kind, "undecided", "alone", one.table.id, 2,
        )  # fmt: skip
        assert found.facts == body
        assert str(found).endswith(": well-formed; a view or a transcript of its game shows the rest")


def test_findings_in_words_and_together() -> None:
    def finding(verdict: str, words: str) -> Finding:
        return Finding(verdict, "code", tell(words), NOTHING, "game", 1, "", (), b"")

    good, bad = finding("consistent", "give a name"), finding("proved", "your key has no name")
    altered = finding("altered", "give a name")
    assert str(good) == "give a name"
    assert str(Findings((good, bad), ())) == "give a name\nyour key has no name"
    assert [Findings(found, ()).consistent for found in ((), (good,), (good, good), (good, altered), (bad,))] == [
        False, True, True, False, False,
    ]  # fmt: skip
    assert Findings((good, bad, altered, bad), ()).proved == (bad, bad)


def test_files_are_called_by_their_names_paths_or_numbers(sitting: Sitting, tmp_path: Any) -> None:
    one = sitting.fork().until(1)
    view, other = one.view(0), Sitting("auction", 2, "another").view(0)
    path = tmp_path / "a.json"
    path.write_bytes(other)

    def names(sources: Any) -> set[tuple[str, ...]]:
        return {finding.files for finding in referee.judge(sources).findings}

    assert names([view, other]) == {("1",), ("2",)}
    assert names([view, path]) == {("1",), (str(path),)}
    assert names({"x": view, "y": path}) == {("x",), ("y",)}
    assert names(path) == {(str(path),)}


# --- sources ---------------------------------------------------------------------------------------------------------


def test_bytes_are_as_long_as_files_may_be() -> None:
    assert (files.SMALL, files.LARGE) == (1_000_000, 64_000_000)
    for wanted, most in ((("move",), 1_000_000), (("move", "view"), 64_000_000), ((), 64_000_000)):
        with pytest.raises(RefereeError) as caught:
            load(b"x" * (most + 1), *wanted)
        assert caught.value.code == "too-large", wanted
    for wanted, most in ((("move",), 1_000_000), (("move", "view"), 1_000_001)):
        with pytest.raises(RefereeError) as caught:
            load(b"x" * most, *wanted)
        assert caught.value.code != "too-large"
    assert load(b"{}\r\n\n") == b"{}"


def test_one_source_or_several() -> None:
    assert several(b"x") == [b"x"]
    assert several("x") == ["x"]
    assert several(["x", b"y"]) == ["x", b"y"]
    assert (path_of("-"), path_of("a/-"), path_of("a")) == ("./-", "a/-", "a")
    wrong = "usage", "this is neither bytes nor a path", "give the bytes of a document, or the path of its file"
    assert refused(several, 3) == refused(path_of, 3) == wrong


# --- practice --------------------------------------------------------------------------------------------------------


LAST = "give one from 0 to {}, or None to watch"


@pytest.mark.parametrize(
    ("how", "code", "message", "advice"),
    [
        ({"seat": 2}, "no-such-seat", "there is no seat 2: seats count from 0", LAST.format(1)),
        ({"seat": 4, "seats": 4}, "no-such-seat", "there is no seat 4: seats count from 0", LAST.format(3)),
        ({"seat": -1}, "no-such-seat", "there is no seat -1: seats count from 0", LAST.format(1)),
        ({"level": "g" * 41}, "no-bot", f"M.A.R.K. has no bot '{'g' * 40}'", "choose from random, sensible, strong"),
        ({"level": 7}, "no-bot", "M.A.R.K. has no bot '7'", "choose from random, sensible, strong"),
        ({"seats": 1}, "bad-seats", "M.A.R.K. is for 2 to 4 players", "choose from 2 to 4 seats"),
        ({"seats": 5}, "bad-seats", "M.A.R.K. is for 2 to 4 players", "choose from 2 to 4 seats"),
    ],
)  # fmt: skip
def test_a_practice_that_cannot_be(how: Any, code: str, message: str, advice: str) -> None:
    assert refused(referee.practice, "mark", **how) == (code, message, advice)


def test_options_of_a_practice() -> None:
    wrong = refused(referee.practice, "auction", options={"rounds": "many"})
    assert wrong == ("usage", "these options cannot be played with", "there are: rounds")
    assert refused(referee.practice, "auction", options=3)[1] == "these options cannot be played with"
    assert refused(referee.practice, "auction", options={"rounds": 2, "luck": 1}) == wrong
    for rounds in (1, 3):
        played = referee.practice("auction", seat=None, level="random", options={"rounds": rounds})
        assert len([note for one in played.story() for note in one.notes if note["what"] == "wins"]) == rounds


def test_a_practice_and_who_sits_there() -> None:
    game = referee.practice("auction", seats=16, seat=1)
    assert game.names == (
        "Anna", "Bert", "Carla", "Dirk", "Elsa", "Franz", "Greta", "Hugo",
        "Ida", "Jan", "Karin", "Ludwig", "Marta", "Nils", "Olga", "Peter",
    )  # fmt: skip
    assert (game.game, game.seat, game.round, game.asked) == ("auction", 1, 1, "bid")
    assert repr(game) == "<Practice of auction, round 1, seat 1>"
    assert {name: len(cards) for name, cards in game.hand.items()} == {"hand/1": 3}
    assert game.board() == game.board(100)
    assert refused(game.picture) == ("no-picture", "Toy Auction has no picture", "take the board as text")
    assert referee.practice("mark", seats=3).names == ("Anna", "Bert", "Carla")
    assert referee.practice("mark").names == ("Anna", "Bert")


def test_whoever_watches_is_not_asked_anything() -> None:
    game = referee.practice("auction", seat=None)
    assert (game.seat, game.asked, game.moves(), game.standing()) == (None, "", (), ())
    assert game.result is not None
    assert {name for name in game.hand if name.startswith("hand")} <= {"hand/2"}, "the seat behind the last one"
    told = "usage", "you are not asked for anything now", "the game is over, or you are only watching"
    assert refused(game.play, "bid 1") == refused(game.read, "bid 1") == told
    assert not game.undo()
    rounds = [one.round for one in game.story()]
    assert rounds == list(range(1, game.round + 1))
    assert [one.round for one in game.story(3)] == rounds[2:]
    assert str(game.story()[0]) == "\n".join(game.story()[0].lines)


def test_moves_are_not_longer_than_anybody_would_type() -> None:
    game = referee.practice("auction")
    assert refused(game.read, " " * 1_996 + "bid 1") == (
        "usage",
        "this is longer than any move",
        "say it in fewer words",
    )
    assert game.read(" " * 1_995 + "bid 1").text == "bid 1"
    assert LONGEST == 2_000
    assert refused(game.read, "bid 3 always") == ("no-move", "this contains no move", "choose a move of the list")
    assert refused(game.read, {"do": "bid", "amount": 11})[:2] == (
        "illegal", "nobody can bid more money than they have (TA-4)",
    )  # fmt: skip
    wrong = "usage", "this is not a valid move of this game", "build it from the list of legal moves"
    assert refused(game.read, {"do": "bid", "amount": "x"}) == refused(game.read, 3) == wrong


def test_standing_orders_stay_as_they_are_unless_others_are_given() -> None:
    game = referee.practice("auction", seats=2)
    first = game.read("bid 1; bid 2 always")
    assert (first.text, first.move, first.standing) == ("bid 1", {"do": "bid", "amount": 1}, {"bid": 2})
    assert game.read("bid 1").standing is None
    (order,) = game.standing()
    assert (order.number, order.label, order.move, order.single) == (1, "bid the same always", {"bid": 0}, False)
    news = game.play(first)
    assert [one.round for one in news] == list(range(2, game.round + 1))
    assert game.position["standing"][0] == {"bid": 2}
    assert [line.label for line in game.standing()] == ["bid the same always", "bid ask"]
    assert str(game.moves()[0]) == game.moves()[0].label


def test_a_game_that_cannot_be_loaded_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    every, load = [game.id for game in referee.list_games()], games.load

    def broken(game_id: str) -> Any:
        if game_id == every[1]:
            raise Usage(tell("give a name"))
        return load(game_id)

    monkeypatch.setattr(games, "load", broken)
    assert len(every) >= 5
    assert [game.id for game in referee.list_games()] == [every[0], *every[2:]]


# --- hosting ---------------------------------------------------------------------------------------------------------


def test_what_a_host_is_refused() -> None:
    host, anna = referee.new_key("Host"), referee.new_key()
    offer = referee.make_offer("auction", host)
    nonce = "usage", "a nonce is 32 bytes", "leave it out: then it is drawn at random"
    for wrong in (b"x" * 31, b"x" * 33, "x" * 32):
        assert refused(referee.make_offer, "auction", host, nonce=wrong) == nonce
        assert refused(referee.join, offer, anna, "Anna", nonce=wrong) == nonce
    assert refused(referee.join, offer, anna) == ("no-name", "your key has no name", "give a name")
    assert referee.verify(referee.join(offer, referee.new_key("Bert"), "Anna")).facts["name"] == "Anna"
    minutes = refused(referee.make_offer, "auction", host, deadline=-1)
    assert minutes[1:] == ("deadline, grace and bank are minutes, at most 365 days", "give numbers from 0 on")
    assert refused(referee.start, referee.join(offer, anna, "Anna"), [], host)[0] == "wrong-kind"
    bytes_only = refused(referee.reveal, "game.json", host)
    assert bytes_only[1] == "a host's game is given as bytes here"


def test_a_game_with_deadlines_needs_a_time_with_its_zone(sitting: Sitting) -> None:
    one = sitting.fork()
    wrong = "usage", "this game has deadlines: they count from the time of the host's clock"
    for now in (None, datetime(2027, 1, 1)):
        told = refused(referee.apply, one.file(), [], one.host, now=now)
        assert told == (*wrong, "give `now`, a datetime with its time zone")
    assert referee.apply(one.file(), [], one.host, now=one.now).closed == 0


def test_a_game_that_no_file_could_hold_is_not_returned(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    one = sitting.fork()
    size = len(one.file())
    monkeypatch.setattr(files, "LARGE", size)
    assert referee.apply(one.file(), [], one.host, now=one.now).game == one.file()
    monkeypatch.setattr(files, "LARGE", size - 1)
    told = refused(hosting._hosted, one.match)
    assert told == ("too-large", "the game would be larger than any that can be read", "end this game")


def test_moves_are_judged_in_the_order_of_their_rounds() -> None:
    """Whatever order they come in; what became of them is reported in the order in which they came."""
    one = Sitting("mark", 2, "order", deadline=0)
    start, acks = one.file(), [one.signed(0), one.signed(1)]
    for ack in acks:
        one.give(ack)
    seat = one.asked[0]
    move = one.signed(seat)
    table = referee.apply(start, [move, b"{}", acks[1], acks[0]], one.host)
    assert [(one.code, one.seat, one.ok) for one in table.judged] == [
        ("taken", seat, True), ("wrong-kind", None, False), ("taken", 1, True), ("taken", 0, True),
    ]  # fmt: skip
    assert (table.round, table.closed) == (2, 2)
    assert table.judged[1].receipt == b""


def test_whoever_takes_over_a_seat_arrives() -> None:
    one = Sitting("auction", 3, "arrives", deadline=60, takeovers=2, takeover=60).until(1)
    while not one.state.vacant:
        one.step(0)
    new = one.succession(0)
    table = referee.apply(one.file(), [encode(new), encode(new)[:-3]], one.host, now=one.now)
    assert [(one.code, one.seat, one.receipt, one.ok) for one in table.judged] == [
        ("arriving", 0, b"", True), ("malformed", None, b"", False),
    ]  # fmt: skip
    fresh = Sitting("auction", 3, "other")
    (judged,) = referee.apply(fresh.file(), encode(new), fresh.host, now=fresh.now).judged
    assert (judged.code, judged.seat, judged.receipt, judged.ok) == ("bad-succession", None, b"", False)


# --- the command line's tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((None, None, None, False), (2880, 0, 0)), (("1d", "1h", "2h", False), (1440, 60, 120)),
        ((None, None, None, True), (0, 0, 0)),
        (("1d", None, None, True), "--deadline and --no-deadline exclude each other"),
        ((None, "1h", None, True), "a grace period has no effect without a deadline"),
        ((None, None, "1h", True), "a time bank has no effect without a deadline"),
    ],
)  # fmt: skip
def test_times_and_no_times(given: tuple[Any, Any, Any, bool], expected: object) -> None:
    *spans, never = given
    if isinstance(expected, str):
        assert refused(time_limits, *spans, never=never)[1] == expected
    else:
        assert time_limits(*spans, never=never)[1:] == expected[1:]  # type: ignore[index]
        assert time_limits(*spans, never=never)[0] == expected[0] or spans == [None] * 3  # type: ignore[index]


def test_options_are_names_and_values() -> None:
    assert pairs(["a=1", "b=x=y", "c="]) == {"a": "1", "b": "x=y", "c": ""}
    assert refused(pairs, ["a"])[1] == "an option is written NAME=VALUE"
    assert refused(pairs, ["b=1", "c" * 41 + "=1", "c" * 41 + "=2"])[1:] == (
        f"option '{'c' * 40}' is given twice", "give each option once",
    )  # fmt: skip
    assert read_options(Options, {"rounds": "2"}) == Options(2)
    assert read_options(Options, {}) == Options(3)
    assert refused(read_options, Options, {"x" * 41: "1"})[1] == f"this game has no option '{'x' * 40}'"
    assert refused(read_options, Options, {"rounds": "9" * 41})[1] == f"the option 'rounds' cannot be '{'9' * 40}'"


def test_public_keys_and_names() -> None:
    key = "0123456789abcdef" * 4
    assert read_public(key, NOTHING) == bytes.fromhex(key)
    assert read_public(None, NOTHING) == b""
    for wrong in (key[1:], key + "0", key.upper(), "", "g" * 64):
        assert refused(read_public, wrong, tell("give a name")) == (
            "usage",
            "give a name",
            "give what `referee key` prints",
        )
    named, nameless = referee.new_key("Anna"), referee.new_key()
    assert (player_name(named, None), player_name(named, "Bert"), player_name(nameless, "B")) == ("Anna", "Bert", "B")
    for one, given in ((nameless, None), (named, "")):
        assert refused(player_name, one, given) == ("no-name", "your key has no name", "say who you are with --name")


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("my-game", "MG"),
        ("chess", "CH"),
        ("x", "XX"),
        ("a1-b2-c3", "AB"),
        ("x2", "XX"),
        ("a-1", "AX"),
        ("one-2-tree", "OT"),
    ],
)
def test_clauses_of_a_new_game_begin_with_two_letters(name: str, letters: str) -> None:
    assert starting._clause(name) == letters


def test_a_new_game_has_a_name_of_forty_letters_at_most(tmp_path: Any) -> None:
    made = starting.new_game("x" * 40, str(tmp_path / "new"))
    assert len(made) == 5
    assert (
        refused(starting.new_game, "y" * 41, str(tmp_path / "other"))[1]
        == f"'{'y' * 40}' is not a valid name of a game"
    )
    title = (tmp_path / "new" / ("x" * 40) / "__init__.py").read_text()
    assert f'title="{"X" + "x" * 39}"' in title


# --- in words --------------------------------------------------------------------------------------------------------


def test_a_game_explained_line_by_line() -> None:
    facts = {
        "id": "auction", "title": "Toy", "rules": "1", "seats": (2, 16), "measured": {"wins": [], "options": []},
        "options": [
            {"name": "luck", "default": True, "values": {"true": "one two three four", "false": ""}},
            {"name": "rounds", "default": 3, "values": {"3": "as many"}},
        ],
    }  # fmt: skip
    assert rulebook.explained(facts, 20, flow=True) == [
        "Toy, 2 to 16 players, rules 1",
        "", "  --option luck=true  (default)", "      one two three\n        four", "  --option luck=false",
        "", "  --option rounds=3  (default)", "      as many",
    ]  # fmt: skip
    assert rulebook.listed([facts]) == [
        "auction              Toy, 2 to 16 players, rules 1",
        "                       --option luck=true  (default)",
        "                       --option rounds=3  (default)",
    ]
    share = {"share": 0.625, "low": 0.41, "high": 0.8}
    won = {"players": 2, "bot": "sensible", "games": 8, "places": [share, share | {"share": 0.375}]}
    options = [
        {
            "option": name,
            "games": 8,
            "players": 3,
            "bot": "strong",
            "rounds": (10.4, 0.6),
            "points": (7, 2),
            "start": share,
        }
        for name in ("", "luck=false")
    ]
    *_, blank, heading, space, table, _, other, _, changes = rulebook.explained(
        facts | {"options": [], "measured": {"wins": [won], "options": options}}, 80, flow=False
    )
    assert (blank, heading, space, other) == ("", "Who wins", "", "What options change")
    assert table.splitlines()[1:] == [
        "", "| players | bot | games | start player to last |", "|---|---|---|---|",
        "| 2 | sensible | 8 | 62% (41-80) 38% (41-80) |",
    ]  # fmt: skip
    assert changes.splitlines()[1:] == [
        "", "| option | games | rounds | points | start player wins |", "|---|---|---|---|---|",
        "| (default) | 8 | 10 ± 1 | 7 ± 2 | 62% (41-80) |", "| luck=false | 8 | 10 ± 1 | 7 ± 2 | 62% (41-80) |",
    ]  # fmt: skip
    alone = rulebook.explained(
        facts | {"options": [], "measured": {"wins": [], "options": options[:1]}}, 80, flow=False
    )
    assert alone == ["Toy, 2 to 16 players, rules 1"]


def test_what_a_bot_used_in_words() -> None:
    bare = Spent(3, 1.234, 0.0126)
    assert trying._used(bare) == "3 questions, 1.23 s, the slowest 13 ms"
    full = Spent(3, 1.236, 0.0124, start=0.5, memory=5 * 2**20 + 7)
    assert trying._used(full) == "ready after 0.50 s, 3 questions, 1.24 s, the slowest 12 ms, 5 MiB"
    with speaking("de"):
        assert "1,24" in trying._used(full)
        assert "0,50" in trying._used(full)


def test_a_trial_is_reported_seat_by_seat() -> None:
    """The bot at the second of three seats, first by its score; then its faults, the first of them with its lines."""
    over = Sitting("auction", 3, "tried").to_end()
    result = over.state.result
    assert result is not None
    fault = Fault("timeout", cause("no-answer"), ("< ask", "> x"))
    spent = Spent(2, 0.1, 0.05, faults={"crash": 1, "timeout": 2}, first=fault, processes=2)
    nobody = Spent(0, 0)
    chairs = [type("Chair", (), {"faults": faults})() for faults in ([], [(4, fault)], [])]
    game = LightGame(over.table.game, over.table.terms, bytes(32))
    game.state = over.state
    trial: Any = type(
        "Trial",
        (),
        {
            "game": game, "names": over.table.names, "result": result, "spent": [nobody, spent, nobody],
            "chairs": chairs,
        },
    )  # fmt: skip
    tried = trying.Tried("auction", trial, 1, "sensible")
    lines = tried.lines()
    assert lines[0] == (f"Toy Auction, 3 players: over after {over.round} rounds (result)")
    order = sorted(range(3), key=lambda seat: (result.ranks[seat], seat))
    who = ["sensible", "the bot", "sensible"]
    for line, seat in zip(lines[1:4], order, strict=True):
        points, money = result.scores[seat]
        assert line == f"  {result.ranks[seat]}. {over.table.names[seat]}, {who[seat]} (score {points}, {money})"
    assert lines[4:] == [
        "The bot at seat 2: 2 questions, 0.10 s, the slowest 50 ms",
        f"  {spent.notes()[0]}",
        "  faults: 1 crash, 2 timeout; the first:",
        f"  {fault.text()}", "    < ask", "    > x",
    ]  # fmt: skip
    data = tried.data()
    assert data == {
        "game": "auction", "seat": 2, "against": "sensible", "rounds": over.round,
        "end": "result", "ranks": result.ranks, "scores": result.scores, "spent": spent,
        "faults": [{"round": 4, "fault": fault}], "notes": [note.text() for note in spent.notes()],
    }  # fmt: skip


def test_an_audit_counts_what_it_compared(sitting: Sitting) -> None:
    one = sitting.fork().until(2)
    kinds = ("view", "transcript", "move", "receipt", "extension", "claim")
    assert [auditing._counted(kind, 1) for kind in kinds] == [f"1 {kind}" for kind in kinds]
    assert [auditing._counted(kind, 2) for kind in kinds] == [f"2 {kind}s" for kind in kinds]
    done = Audit(one.opened(0), None, "old", (), (), Counter({"view": 1, "move": 2}), (), ())
    lines, after = auditing.audit_lines(done, done.concluded())
    assert lines[0] == f"Anna's view of game {one.table.id[:8]}, round 2: all checks passed"
    assert "  compared with 1 view and 2 moves: no contradiction" in lines
    assert lines[-1] == "  this is an older view than one you have seen before"
    assert after == ["Next: play on; the rest is proved when the host reveals the transcript."]
    skipped = msgspec.structs.replace(
        done, ignored=(tell("a claim about another game"),), age="same", compared=Counter()
    )
    lines, after = auditing.audit_lines(skipped, skipped.concluded())
    assert not [line for line in lines if "compared" in line or "older" in line]
    assert after == ["Next: give the skipped files together with a view of their own game."]


def test_every_file_of_another_kind_is_called_what_it_is() -> None:
    told = {data: str(referee.identify(data)) for data in (b"{}", b"%PDF-1.7", b"")}
    assert len(set(told.values())) == 3
    with pytest.raises(Malformed):
        referee.verify(b"%PDF-1.7")


# --- editions --------------------------------------------------------------------------------------------------------


def test_files_to_send_stand_in_the_order_of_the_seats() -> None:
    mails = {(1, "Bert"): ["b.view.json"], (0, "Carla"): ["c.view.json", "c.receipt.json"], (0, "Anna"): ["a.json"]}
    assert running.files_in_words(mails) == [
        "  to Anna: a.json",
        "  to Carla: c.view.json, receipt c.receipt.json",
        "  to Bert: b.view.json",
    ]


def test_every_kind_of_change_of_an_edition_in_words() -> None:
    changes = [editions.Change("a", 1, None), editions.Change("b", None, 2), editions.Change("c", "x" * 58, "y" * 59)]
    many = [editions.Change(f"d[{at}]", at, at + 1) for at in range(6)]
    found = editions.Checked(
        "mark", "M.A.R.K.", "Ours", [2, 3], {4: "too few cards"}, {"a": changes, "d": many},
        [editions.Replaced("MA-1", ["One.", "Two."]), editions.Replaced("MA-2", [])], ["x", "y"],
    )  # fmt: skip
    assert list(editions.lines_of(found)) == [
        "'Ours': an edition of M.A.R.K.",
        "It can be played with: 2, 3 players.",
        "It cannot be played with 4 players: too few cards.",
        "It differs from the program's own edition:",
        "  a: 1, added",
        "  b: 2 is left out",
        f'  c: "{"x" * 58}" instead of "{"y" * 58}…',
        *(f"  d[{at}]: {at} instead of {at + 1}" for at in range(4)),
        "  and at 2 more places of this list",
        "We had rebuilt these values; yours replace them:",
        "  MA-1: One. Two.",
        "  MA-2",
        "These are not rebuilt but come from a source; please check them again: x, y.",
    ]
    same = replace(found, refused={}, changes={}, replaced=[], stated=[])
    assert list(editions.lines_of(same))[2:] == ["All its values are those of the program's own edition."]
    one_list = replace(found, changes={"d": many[:5]}, replaced=[], stated=[])
    assert list(editions.lines_of(one_list))[-1] == "  and at 1 more place of this list"
