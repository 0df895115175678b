"""Practice: whole games, taking back, the same game again; and every seat knows what it knows in a signed game."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

import referee
from referee import games
from referee.engine.answers import decode_open
from referee.engine.book import Book
from referee.engine.dealer import Dealer
from referee.engine.draws import Calls
from referee.game import Step
from referee.library.hidden import Hidden, Shelf, Token, without
from referee.library.practising import Practice
from referee.testing.sandbox import Sandbox
from referee.testing.subject import Subject, Way
from tests.library.test_games import GAMES


def play_some(game: Practice, rng: random.Random, most: int = 10_000) -> list[Any]:
    """Answer with moves of the list, picked by chance; returns them as data."""
    played = []
    while game.asked and len(played) < most:
        played.append(rng.choice(game.moves()).move)
        game.play(played[-1])
    return played


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_comes_to_its_end_and_again(game_id: str) -> None:
    game = referee.practice(game_id, seed="end")
    played = play_some(game, random.Random(1))
    assert game.result is not None
    assert len(game.result.ranks) == len(game.names)
    assert [one.round for one in game.story()] == list(range(1, game.round + 1))
    again = referee.practice(game_id, seed="end")
    for move in played:
        again.play(move)
    assert (again.result, again.position) == (game.result, game.position)
    assert referee.practice(game_id, seat=None, seed="other").result != game.result


@pytest.mark.parametrize("game_id", GAMES)
def test_moves_are_taken_back_one_by_one(game_id: str) -> None:
    game = referee.practice(game_id, seed="undo")
    first = game.position, game.hand, game.round
    kept = []
    for _ in range(4):
        kept.append((game.position, game.hand, game.round, game.asked))
        game.play(game.moves()[0].move)
    for position, hand, round, asked in reversed(kept):
        assert game.undo()
        assert (game.position, game.hand, game.round, game.asked) == (position, hand, round, asked)
    assert not game.undo()
    assert (game.position, game.hand, game.round) == first


@pytest.mark.parametrize("game_id", GAMES)
def test_moves_are_typed_in_every_language(game_id: str) -> None:
    game, rng = referee.practice(game_id, seed="typed"), random.Random(2)
    for _ in range(8):
        for language in ("en", "de", "nl"):
            with referee.speaking(language):
                for line in game.moves():
                    said = game.read(line if line.single else line.move)
                    assert game.read(str(said)).move == game.read(said).move == line.move
                    if line.single:
                        assert game.read(f"#{line.number}") == said
                assert max(map(len, game.board(60).splitlines())) <= 60
        play_some(game, rng, 1)
    assert game.picture().startswith("<svg")


def test_standing_words_are_said_with_a_move() -> None:
    game = referee.practice("mark", seed=1)
    line = next(line for line in game.standing() if line.single)
    said = game.read(f"roll; {line}")
    assert said.move == game.read("roll").move
    assert said.standing == line.move
    game.play(said)
    assert game.position["standing"][0] == line.move


def test_a_refused_move_changes_nothing() -> None:
    game = referee.practice("schwarzer-freitag", seed=1)
    before = game.position
    with pytest.raises(referee.RefereeError) as caught:
        game.play("sell 9 red")
    assert caught.value.code == "illegal"
    assert (game.position, game.round) == (before, 1)


def test_what_is_said_in_another_order_than_it_is_done_is_refused() -> None:
    game = referee.practice("schwarzer-freitag", seed=1)
    with referee.speaking("de"), pytest.raises(referee.RefereeError) as caught:
        game.read("verkaufe rot, zuerst 1 Subvention")
    assert str(caught.value.message) == "what comes first must be said first"


def test_a_bot_that_fails_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    game = referee.practice("schwarzer-freitag", seats=3, seat=2)
    before = game.round

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    changed = msgspec.structs.replace(game._game, bots={"sensible": broken})
    monkeypatch.setattr(game, "_game", changed)
    with pytest.raises(referee.RefereeError) as caught:
        play_some(game, random.Random(1))
    assert caught.value.code == "rules-failed"
    assert "ZeroDivisionError" in str(caught.value.message)
    assert game.round >= before
    assert game.asked


# --- knowledge -------------------------------------------------------------------------------------------------------


class Both:
    """Every call of the rules goes to the engine's dealer and to the draws of practice, which pick the same tokens."""

    def __init__(self, dealer: Dealer, hidden: Hidden) -> None:
        self.dealer, self.hidden = dealer, hidden

    def finish(self) -> None:
        self.dealer.finish()

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            bag = str(args[0]) if args else ""
            before = {slot: self._token(slot) for slot in self.dealer.book.content(bag)}
            found = getattr(self.dealer, name)(*args, **more)
            if name == "die":
                self.hidden._below = lambda sides: found - 1
            elif name in ("take", "deal"):
                op: Any = self.dealer.ops[-1]
                slots = [
                    one if isinstance(one, str) else one.slot for one in (op.slots if name == "deal" else op.tokens)
                ]
                self.hidden._below = Script(self.hidden, bag, [before[slot] for slot in slots])
            other = getattr(self.hidden, name)(*args, **more)
            assert other == found, name
            return found

        return call

    def _token(self, slot: str) -> tuple[str, frozenset[int], bool]:
        book = self.dealer.book
        return self.dealer._face(slot), frozenset(book.told.get(slot, ())), slot in book.faces


class Script:
    """Picks tokens like these, in this order."""

    def __init__(self, hidden: Hidden, bag: str, wanted: Sequence[tuple[str, frozenset[int], bool]]) -> None:
        self.hidden, self.bag, self.wanted = hidden, bag, list(wanted)

    def __call__(self, n: int) -> int:
        left = self.hidden._slots[self.bag]
        assert len(left) == n
        wanted = self.wanted.pop(0)
        return next(at for at, one in enumerate(left) if (one.face, one.told, one.open) == wanted)


class Twin(Sandbox):
    """The engine's sandbox, with the shelf of practice beside its book."""

    shelf: Shelf | None = None

    def _run(self, held: Any, draws: Calls) -> Step:
        assert isinstance(draws, Dealer)
        if self.shelf is None:
            book: Book = draws.book
            inside = {name: book.content(name) for name in self.game.bags(self.terms)}
            self.shelf = Shelf({n: tuple(Token(draws._face(s)) for s in found) for n, found in inside.items()})
        sealed = {ask.seat: ask.sealed for ask in self.pending}
        hidden = Hidden(self.game, self.seats, self.shelf, lambda n: 0, self.given, sealed)
        step = super()._run(held, Both(draws, hidden))  # type: ignore[arg-type]
        self.shelf = hidden.shelf()
        return step

    given: dict[int, Any] = {}


@pytest.mark.parametrize("game_id", [*GAMES, "auction"])
def test_seats_know_what_they_know_in_a_signed_game(game_id: str) -> None:
    subject = Subject(game_id)
    terms = subject.terms(Way(subject.game.seats[0]))
    game, rng = games.load(game_id), random.Random(game_id)
    twin = Twin(game, terms, "knowledge", read=False)
    rounds = 0
    while twin.pending:
        for seat in range(terms.seats):
            assert twin.shelf is not None
            assert twin.shelf.tokens(game.hands, seat) == twin.seen(seat).tokens
        asks = [ask for ask in twin.pending if ask.what != "link"]
        twin.given = {ask.seat: game.bots["random"](terms, twin.seen(ask.seat), rng.randrange) for ask in asks}
        twin.answer(twin.given)
        rounds += 1
    assert rounds > 5


@pytest.mark.parametrize("game_id", ["mark", "schwarzmarkt", "auction"])
def test_rules_get_moves_without_what_is_sealed(game_id: str) -> None:
    """As the engine bares them."""
    from referee.engine.answers import split

    subject, bared = Subject(game_id), 0
    for play in subject.plays[:3]:
        for moment in play.moments:
            for ask in moment.asks:
                move = moment.answers[ask.seat]
                if move is not None and ask.sealed:
                    engine = decode_open(subject.game, split(move, ask.sealed)[0], ask.sealed)
                    assert without(subject.game, move, ask.sealed) == engine
                    bared += engine != move
    assert bared
