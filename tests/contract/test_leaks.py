"""The search for leaks finds what is planted, and shows what cannot even be written."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee import games
from referee.engine import dealer, host
from referee.errors import RefereeError
from referee.game import LINK, Ask
from referee.language import speaking
from referee.testing.leaks import Found, search
from referee.testing.sandbox import Sandbox
from referee.testing.subject import Setup, Subject
from referee.testing.worlds import hidden_slots, other_faces
from tests.support.match import Sitting

from .planted import Plant, planted

WORLDS = 120

# The one way in which rules can come to know a hand: `check`, which is given it, leaves a note for `apply`.
FED = (
    ("GAME = Game(", "SEEN: dict[int, tuple[str, ...]] = {}\nGAME = Game("),
    (
        "def check(terms: Deal, seen: Sight, move: Move) -> None:\n",
        "def check(terms: Deal, seen: Sight, move: Move) -> None:\n    SEEN[seen.seat] = seen.hand('hand')\n",
    ),
)
GIVEN = (
    ("GAME = Game(", "GIVEN: list[str] = ['']\nGAME = Game("),
    (
        "def check(terms: Deal, seen: Sight, move: Move) -> None:\n",
        "def check(terms: Deal, seen: Sight, move: Move) -> None:\n    GIVEN[0] = getattr(move, 'card', '')\n",
    ),
)
ODD = 'int(min(SEEN.get(0, "0"))) % 2'
WON = '(note("wins", seat=winner, bid=bids[winner]),)'
TOLD = '    "best": "@{seat} played the highest card",\n'
LOW = '    "low": "somebody holds {card}",\n'

LEAKS: dict[str, tuple[Plant, str]] = {
    "the lowest card of all in the log": (
        Plant(
            *FED,
            (WON, '(note("low", card=min((c for cards in SEEN.values() for c in cards), default="")),)'),
            (TOLD, TOLD + LOW),
        ),
        "story",
    ),
    "a seat's lowest card in the log": (
        Plant(*FED, (WON, '(note("low", card=min(SEEN.get(winner, ()), default="")),)'), (TOLD, TOLD + LOW)),
        "story",
    ),
    "who is asked depends on a hand": (
        Plant(*FED, ('(Ask(winner, "raid", ("card",)),)', f'(Ask({ODD}, "raid", ("card",)),)')),
        "the entry, at `ask",
    ),
    "what is asked depends on a hand": (
        Plant(
            *FED,
            (
                'return Step(public, together(terms, "play"), ',
                f'return Step(public, together(terms, "play" + " now" * ({ODD})), ',
            ),
            ('raid, "play": play,', 'raid, "play": play, "play now": play,'),
            ("VERBS[type(move)] != ask.what", "VERBS[type(move)] != ask.what.split()[0]"),
            (
                "return found[ask.what](terms, seen) if ask and ask.what in found else []",
                "return found[ask.what.split()[0]](terms, seen) if ask and ask.what.split()[0] in found else []",
            ),
        ),
        "the entry, at `ask",
    ),
    "the order of questions depends on a hand": (
        Plant(
            *FED,
            (
                'return Step(public, together(terms, "play"), ',
                "asks = tuple(sorted(together(terms, 'play'), key=lambda ask: SEEN.get(ask.seat, ())))\n"
                "    return Step(public, asks, ",
            ),
        ),
        "the entry, at `ask",
    ),
    "a number in the position depends on a hand": (
        Plant(*FED, ("points=points, bids=bids)", "points=points, bids=bids, pile=len(str(SEEN)) + int(SEEN[0][0]))")),
        "the entry, at `public",
    ),
    "a die depends on a hand": (
        Plant(
            *FED,
            ("    winner = bids.index", "    draws.die(6 + int(SEEN.get(0, '0')[0]) % 3)\n    winner = bids.index"),
        ),
        "the operations, at `sides",
    ),
    "a card given in secret in the log": (
        Plant(*GIVEN, ("(note(told, seat=seat, target=target),)", '(note("low", card=GIVEN[0]),)'), (TOLD, TOLD + LOW)),
        "story",
    ),
    "a refusal names a hand": (
        Plant(*FED, ('"that card is not in the hand"', 'f"that card is not in the hand, unlike {SEEN}"')),
        "refusals",
    ),
    "a picture shows a hand": (
        Plant(*FED, ('"your hand: " + ', '"others: " + str(SEEN)[:60] + "your hand: " + ')),
        "board",
    ),
    "a list of moves shows a hand": (
        Plant(*FED, ("[Choice(text(Play(card)), Play(card))", "[Choice(text(Play(card)), Play(card), str(SEEN))")),
        "moves",
    ),
    "a family shows a hand": (
        Plant(*FED, ('tuple(Option(f"@{seat}", seat)', 'tuple(Option(f"@{seat} {SEEN.get(seat)}", seat)')),
        "moves",
    ),
    "advice shows a hand": (
        Plant(
            *FED,
            ("    return Words(0)\n", "    return Words(int(SEEN.get(0, '0')[0]))\n"),
            ("if seen.public is None or seen.public.money[seen.seat] or", "if seen.public is None or"),
        ),
        "standing orders",
    ),
    "fewer moves with the wrong neighbour": (
        Plant(
            *FED,
            (
                'return [Choice(text(Play(card)), Play(card)) for card in dict.fromkeys(seen.hand("hand"))]',
                "found = [Choice(text(Play(card)), Play(card)) for card in seen.hand('hand')]\n"
                "    return found[int(SEEN.get((seen.seat + 1) % terms.seats, '0')[0]) % 2 :] or found",
            ),
        ),
        "moves",
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_found(name: str, tmp_path: Path) -> None:
    plant, where = LEAKS[name]
    with planted(tmp_path, plant) as game_id:
        found = search(game_id, WORLDS)
    assert found.leak, f"{found.worlds} worlds compared, none leaked"
    assert where in str(found.leak)
    assert "in one world" in str(found.leak)
    with speaking("de"):
        assert "in der einen Welt" in str(found.leak)


# --- leaks of the engine ---------------------------------------------------------------------------------------------


def view_with_blanks(make: Callable[..., bytes]) -> Callable[..., bytes]:
    """As many blanks as somebody's first token says."""

    def leaky(match: host.Match, seat: int) -> bytes:
        others = [slot for slot, seats in match.state.book.told.items() if seat not in seats]
        return make(match, seat) + b" " * (int(match.faces[min(others)]) if others else 0)

    return leaky


def receipt_with_a_face(judge: Callable[..., host.Judged]) -> Callable[..., host.Judged]:
    """Another code for the same nonsense, if somebody holds an odd card."""

    def leaky(match: host.Match, data: bytes) -> host.Judged:
        found = judge(match, data)
        odd = sum(int(face) for slot, face in match.faces.items() if slot in match.state.book.told) % 2
        return host.Judged("stale", found.seat, found.receipt, found.error) if found.error and odd else found

    return leaky


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "leaky", "where"),
    [("make_view", view_with_blanks, "size of the view"), ("take_move", receipt_with_a_face, "code")],
)
def test_a_leak_of_the_host_is_found(name: str, leaky: Any, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, name, leaky(getattr(host, name)))
    found = search("auction", WORLDS)
    assert where in str(found.leak)


def test_a_token_shown_to_the_wrong_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = dealer.Dealer._tell

    def tell(me: dealer.Dealer, seat: int, news: Any) -> None:
        real(me, seat, news)
        if seat != 0:
            real(me, 0, news)

    monkeypatch.setattr(dealer.Dealer, "_tell", tell)
    found = search("auction", WORLDS)
    assert "does not pass its own checks" in str(found.leak)
    with speaking("de"):
        told = r"Platz 1, Runde \d+: was er bekommt, besteht seine eigenen Prüfungen nicht: .*"
        assert re.fullmatch(told, str(found.leak))


def test_hidden_tokens_in_the_order_of_their_faces_stop_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's own tool reads an entry back before it is committed."""
    real = dealer.Dealer._record

    def record(me: dealer.Dealer, op: Any) -> None:
        if hasattr(op, "slots") and hasattr(op, "into"):
            op = replace(op, slots=tuple(sorted(op.slots, key=lambda slot: me.faces[slot])))
        real(me, op)

    monkeypatch.setattr(dealer.Dealer, "_record", record)
    with pytest.raises(RefereeError, match="the rules of this game failed"):
        search("auction", 5)


# --- what cannot be written ------------------------------------------------------------------------------------------


def sandboxed(apply: Callable[..., Any]) -> Sandbox:
    """The toy game, with this in place of `apply`, as far as the first question."""
    subject = Subject("auction")
    return Sandbox(replace(subject.game, apply=apply), subject.terms(Setup(2)), "impossible")


def test_rules_get_no_sealed_field() -> None:
    """Neither on the host's side nor on anybody else's: a bid is 0, a card is the default, until it is shown."""
    got: list[Any] = []
    game = games.load("auction")

    def apply(terms: Any, public: Any, pending: Any, moves: Any, draws: Any) -> Any:
        got.extend((ask, moves[ask.seat]) for ask in pending if ask.sealed)
        return game.apply(terms, public, pending, moves, draws)

    at = sandboxed(apply)
    sent = []
    while at.result is None:
        moves = {ask.seat: game.legal(at.terms, at.seen(ask.seat))[-1].move for ask in at.pending if ask.what != LINK}
        sent += [(ask, moves[ask.seat]) for ask in at.pending if ask.sealed]
        at.answer(moves)
    assert {name for ask, _ in got for name in ask.sealed} == {"amount", "card", "odd"}
    defaults = {"amount": 0, "card": "00", "odd": False}
    assert all(getattr(move, name) == defaults[name] for ask, move in got for name in ask.sealed)
    assert any(getattr(move, name) != defaults[name] for ask, move in sent for name in ask.sealed)


def test_no_call_that_hides_something_returns_anything() -> None:
    """`deal`, `give` and `seek` return nothing, for the host as for everybody else."""
    got = []
    game = games.load("auction")

    def apply(terms: Any, public: Any, pending: Any, moves: Any, draws: Any) -> Any:
        if pending[0].what == "raid":
            ((seat, _),) = moves.items()
            got.append(draws.give(seat, "card", 1, f"hand/{seat}", "swap"))
            got.append(draws.deal("swap", 1, f"hand/{1 - seat}"))
            got.append(draws.seek(seat, "card", "pile", f"hand/{seat}", ()))
            return game.apply(terms, public, (Ask(0, LINK),), {0: None}, draws)
        return game.apply(terms, public, pending, moves, draws)

    at = sandboxed(apply)
    for _ in range(2):
        at.answer({ask.seat: game.legal(at.terms, at.seen(ask.seat))[-1].move for ask in at.pending})
    assert got == [None] * 3 * 3


def test_a_search_says_what_it_did() -> None:
    found = search("auction", 10)
    assert isinstance(found, Found)
    assert (found.differed, str(found.leak)) == (10, "")
    assert found.worlds >= 10
    assert found.comparisons > 100
    assert found.games >= 1


def test_tokens_change_places_only_with_tokens_of_their_bags() -> None:
    match = Sitting("schwarzmarkt", 3, "bags").until(4).match
    hidden, bags = hidden_slots(match, 0), match.table.bags
    assert len({bag for slot in hidden for bag, faces in bags.items() if match.faces[slot] in faces}) > 1
    for seed in range(4):
        found = other_faces(match, hidden, random.Random(seed))
        assert found
        for slot, face in found.items():
            assert any(match.faces[slot] in faces and face in faces for faces in bags.values())
