"""Rules that do anything the contract allows, in any order: no honest host may be accused, whatever the game is.

python -m tests.campaign.chaos --games 1000 --seed 1
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from typing import Any

import msgspec
from referee.games.auction import GAME, Bid, Guess, Move, Play, Raid, Words

from referee.errors import IllegalMove, RulesFault
from referee.game import LINK, Ask, Draws, Seen, Step, Terms, ask_of, ranked
from referee.language import t
from tests.campaign.honest import STORM, Habits, play
from tests.support.match import other_program

ROUNDS = 14
CONTAINERS = ("pile", "box", "swap")
QUESTIONS = {"bid": ("amount",), "play": (), "raid": ("card",), "guess": ("odd",), LINK: ()}


class Public(msgspec.Struct, frozen=True):
    """What was said, how far the game is, what makes these rules these rules, and tokens that are open on the table."""

    standing: tuple[Words, ...]
    round: int
    world: int
    table: tuple[str, ...] = ()


def bags(terms: Terms[Any, Any]) -> dict[str, list[str]]:
    return {"pile": [f"{n % 9:02}" for n in range(12 * terms.seats)], "box": []}


def setup(terms: Terms[Any, Any], draws: Draws, words: tuple[Words, ...]) -> Step:
    return go_on(terms, Public(words, 1, draws.die(1_000_000)), draws)


def apply(terms: Terms[Any, Any], public: Public, pending: Any, moves: Mapping[int, Any], draws: Draws) -> Step:
    rng = random.Random(f"answers {public.world} {public.round}")
    table = list(public.table)
    for ask in pending:
        move, hand = moves[ask.seat], f"hand/{ask.seat}"
        if move is not None and not fits(ask, move):
            raise IllegalMove("CH-1", t("that is not what is asked now"))
        if isinstance(move, Play):
            draws.lay_out(hand, (move.card,))
            table.append(move.card)
        elif isinstance(move, Raid) and rng.random() < 0.7:
            with suppress(RulesFault):
                draws.give(ask.seat, "card", 1, hand, rng.choice(places(terms)))
        elif isinstance(move, Raid):
            with suppress(RulesFault):
                draws.seek(ask.seat, "card", *rng.sample(places(terms), 2), ())
        elif isinstance(move, Bid) and rng.random() < 0.7:
            table += ["00"] * (draws.unseal(ask.seat, "amount").amount > 9)
        elif isinstance(move, Guess) and rng.random() < 0.5:
            draws.unseal(ask.seat, "odd")
    return go_on(terms, msgspec.structs.replace(public, round=public.round + 1, table=tuple(table[-20:])), draws)


def fits(ask: Ask, move: Move) -> bool:
    return {Bid: "bid", Play: "play", Raid: "raid", Guess: "guess"}[type(move)] == ask.what


def places(terms: Terms[Any, Any]) -> list[str]:
    return [*CONTAINERS, *(f"hand/{seat}" for seat in range(terms.seats))]


def go_on(terms: Terms[Any, Any], public: Public, draws: Draws) -> Step:
    """Some calls, then some questions. What the contract forbids is left out."""
    rng = random.Random(f"calls {public.world} {public.round}")
    table = list(public.table)
    for _ in range(rng.randrange(7)):
        with suppress(RulesFault):
            rng.choice(CALLS)(rng, places(terms), table, draws)
    public = msgspec.structs.replace(public, table=tuple(table[-20:]))
    if public.round >= ROUNDS:
        return Step(public, (), (), ranked([(seat,) for seat in range(terms.seats)]))
    return Step(public, questions(terms, public, rng, draws))


def questions(terms: Terms[Any, Any], public: Public, rng: random.Random, draws: Draws) -> tuple[Ask, ...]:
    """Whoever said something is asked less often."""
    asks = []
    seats = [seat for seat, words in enumerate(public.standing) if words.bid is None or rng.random() < 0.5]
    for seat in rng.sample(seats, rng.randint(1, len(seats))) if seats else [rng.randrange(terms.seats)]:
        what = rng.choice(list(QUESTIONS))
        if what in ("play", "raid") and not draws.count(f"hand/{seat}"):
            what = LINK
        asks.append(Ask(seat, what, QUESTIONS[what]))
    return tuple(sorted(asks, key=lambda ask: ask.seat))


def _die(rng: random.Random, bags: list[str], table: list[str], draws: Draws) -> None:
    table.append(f"{draws.die(rng.choice([1, 2, 6, 6, 100])):02}"[:2])


def _take(rng: random.Random, bags: list[str], table: list[str], draws: Draws) -> None:
    table += draws.take(rng.choice(bags), rng.randrange(4))


def _deal(rng: random.Random, bags: list[str], table: list[str], draws: Draws) -> None:
    one, other = rng.sample(bags, 2)
    draws.deal(one, rng.choice([0, 1, 1, 2, 3, draws.count(one)]), other)


def _all(rng: random.Random, bags: list[str], table: list[str], draws: Draws) -> None:
    table += draws.lay_out_all(rng.choice(bags), rng.choice([None, "01", "02", "03", "04", "99"]))


def _put(rng: random.Random, bags: list[str], table: list[str], draws: Draws) -> None:
    number = rng.randrange(len(table) + 1)
    faces = [table.pop() for _ in range(number)]
    rng.choice([draws.put, draws.under])(rng.choice(bags), faces)


def _shuffle(rng: random.Random, bags: list[str], table: list[str], draws: Draws) -> None:
    draws.shuffle(rng.choice(bags))


def _seek(rng: random.Random, bags: list[str], table: list[str], draws: Draws) -> None:
    one, other = rng.sample(bags, 2)
    # Nobody sits there, so that the fixed ranking is what counts.
    draws.seek(15, "card", one, other, rng.sample(["00", "01", "02", "03", "99"], rng.randrange(4)))


CALLS: tuple[Callable[..., None], ...] = (_die, _take, _deal, _deal, _deal, _all, _put, _put, _shuffle, _seek)


def check(terms: Terms[Any, Any], seen: Seen[Public], move: Move) -> None:
    ask = ask_of(seen.pending, seen.seat)
    if ask is None or not fits(ask, move):
        raise IllegalMove("CH-1", t("that is not what is asked now"))
    if isinstance(move, Play | Raid) and move.card not in seen.hand("hand"):
        raise IllegalMove("CH-2", t("that card is not in the hand"))


def choose(terms: Terms[Any, Any], seen: Seen[Public], below: Callable[[int], int]) -> Move:
    ask, hand = ask_of(seen.pending, seen.seat), seen.hand("hand")
    assert ask is not None
    card = hand[below(len(hand))] if hand else ""
    moves: dict[str, Callable[[], Move]] = {
        "bid": lambda: Bid(below(20)),
        "play": lambda: Play(card),
        "raid": lambda: Raid(0, card),
        "guess": lambda: Guess(below(2) == 1),
    }
    return moves[ask.what]()


def chaos() -> AbstractContextManager[None]:
    """A program whose toy game has these rules."""
    return other_program(
        "auction",
        same_code=True,
        public=Public,
        bags=bags,
        setup=setup,
        apply=apply,
        check=check,
        legal=lambda terms, seen: [],
        standing=msgspec.structs.replace(GAME.standing, advise=lambda terms, seen, bot: None),
        tell=lambda terms, note: "",
        bots={"random": choose, "sensible": choose},
    )


def run(seed: str, habits: Habits | None = None) -> Counter[str]:
    """One game of such rules, with everything that the post can do to it."""
    with chaos():
        return play("auction", f"chaos {seed}", habits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args()
    figures: Counter[str] = Counter()
    for number in range(chosen.games):
        try:
            figures.update(run(f"{chosen.seed} {number}", STORM if number % 3 == 0 else None))
        except BaseException:
            sys.stdout.write(f'failed: run("{chosen.seed} {number}")\n')
            raise
    for name, value in sorted(figures.items()):
        sys.stdout.write(f"{name:24}{value:10,}\n")
    sys.stdout.write("no file accuses its host\n")


if __name__ == "__main__":
    main()
