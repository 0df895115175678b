"""A scripted player: `strong` plays its best ideas out to the end, in worlds that fit what it has seen."""

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from msgspec.structs import astuple

from referee.forms import drawn
from referee.game import Below, Seen, Step, ask_of
from referee.playout import Chance, PlainDraws, add_up, lead

from .bots_sensible import Outlook, ranked_turns, sensible_move, sensible_turn
from .lookups import add, cases_of, colours_in, per_seats, room
from .rules import apply
from .scratch import Scratch
from .types import BLACK, COLOURS, HAND, Action, Deal, More, Move, Place, Sight
from .words_legal import legal

IDEAS = 8
"""The most moves that are compared."""
SAMPLES = 2
"""How many of them chance picks from what is legal."""
HEATS = ((6, 4), (10, 2), (16, 1))
"""Worlds for each move that is left, and how many moves stay after them."""
DOUBT = 1.0
"""How many standard errors an idea must lead by."""
HORIZON = 3
"""How many turns of every player are played; then the outlook counts."""


def strong_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """The idea that does best on average, in the same worlds for all; what `sensible` would do unless one is better."""
    ideas = _ideas(terms, seen, below)
    first, found = ideas[0], {idea: list[float]() for idea in ideas}
    for worlds, stay in HEATS:
        if len(ideas) == 1:
            break
        for _ in range(worlds):
            seed = below(2**32)
            for idea in {first: 0} | dict.fromkeys(ideas):
                found[idea].append(_outcome(terms, seen, idea, seed))
        ideas.sort(key=lambda idea: -lead(found[idea], found[first], DOUBT))
        ideas = ideas[:stay]
    return max((first, ideas[0]), key=lambda idea: lead(found[idea], found[first], DOUBT))


def _ideas(terms: Deal, seen: Sight, below: Below) -> list[Move]:
    """What `sensible` would do, its other plans (first the best of each kind), and some legal moves by chance."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None or ask.what != "turn":
        places = [Place(colour) for colour in colours_in(seen.public.market)] if ask and ask.what == "place" else []
        return list(dict.fromkeys([sensible_move(terms, seen, below), *places]))
    plans = ranked_turns(Scratch(terms, seen.public, cases_of(seen.hand(HAND))))
    kinds: dict[type, Action] = {}
    for plan in plans:
        kinds.setdefault(type(plan), plan)
    ideas = list[Move](dict.fromkeys([*kinds.values(), *plans]))[: IDEAS - SAMPLES]
    lines = [choice for choice in legal(terms, seen) if not choice.minor and not isinstance(choice.move, More)]
    ideas += filter(None, (drawn(lines[below(len(lines))], Move, below) for _ in range(SAMPLES)))
    return list(dict.fromkeys(ideas))


class World(PlainDraws):
    """Draws in which every case in the bag has a place in a queue, so that small differences between two ways to play
    leave the rest of the draws alike. What is put into the bag gets a random place among what is left."""

    def __init__(self, bags: Mapping[str, Sequence[str]], chance: Chance) -> None:
        super().__init__(bags, chance)
        self.keys = {colour: Chance(chance(2**31)) for colour in (*COLOURS, BLACK)}
        self.now = 0.0
        self.queue: list[tuple[float, str]] = []
        self.put("bag", self.bags.pop("bag"))

    def put(self, bag: str, faces: Sequence[str]) -> None:
        for face in faces:
            heappush(self.queue, (self.now + (1 - self.now) * self.keys[face](2**31) / 2**31, face))

    def take(self, bag: str, count: int) -> tuple[str, ...]:
        if bag != "bag":
            return super().take(bag, count)
        drawn = [heappop(self.queue) for _ in range(count)]
        self.now = drawn[-1][0] if drawn else self.now
        return tuple(face for _, face in drawn)


def _outcome(terms: Deal, seen: Sight, move: Move, seed: int) -> float:
    """How far ahead of the best other player this seat will be, in money at the end, if all go on sensibly."""
    chance = Chance(seed)
    draws = World(_world(terms, seen, chance), chance)
    step = apply(terms, seen.public, seen.pending, {seen.seat: move}, draws)
    for _ in range(HORIZON * terms.seats):
        if step.pending:
            step = apply(terms, step.public, step.pending, {step.pending[0].seat: _sensible(terms, step, draws)}, draws)
    worth = _values(terms, step, draws)
    mine = worth.pop(seen.seat)
    return mine - max(worth)


def _values(terms: Deal, step: Step, draws: PlainDraws) -> list[float]:
    """What everybody should have at the end, in money."""
    bar, gold = terms.edition.silver_track[-1], terms.edition.silver_per_gold
    players = step.public.players
    bars = [(player.gold * gold + player.silver) * bar for player in players]
    if step.result is not None:
        return [have + player.money for have, player in zip(bars, players, strict=True)]
    outlook = Outlook(Scratch(terms, step.public, cases_of(draws.bags[f"{HAND}/{step.public.turn}"])))
    found = []
    for seat, player in enumerate(players):
        shares = astuple(add(player.known, cases_of(draws.bags[f"{HAND}/{seat}"])))
        money = player.money - player.debt + room(terms, step.public, seat) * terms.edition.subsidy_pays
        held = add_up(number * end for number, end in zip(shares, outlook.ends, strict=True))
        found.append(bars[seat] + money * outlook.money + held)
    return found


def _sensible(terms: Deal, step: Step, draws: PlainDraws) -> Move:
    """The next move of the player who is asked."""
    (ask,) = step.pending
    hand = f"{HAND}/{ask.seat}"
    if ask.what == "turn":
        return sensible_turn(Scratch(terms, step.public, cases_of(draws.bags[hand])))
    return sensible_move(terms, Seen(ask.seat, step.public, step.pending, {hand: draws.content(hand)}), draws.below)


def _world(terms: Deal, seen: Sight, chance: Chance) -> dict[str, list[str]]:
    """The bag and the hidden hands as they may be: what is seen nowhere, dealt at random."""
    public, e = seen.public, terms.edition
    start = len(public.sale) * e.sale_strip + per_seats(e.market, terms.seats) + e.bag_base + terms.seats
    places = (public.market, public.purchase, public.silver_strip, *public.sale, *(p.known for p in public.players))
    own = seen.hand(HAND)
    left = [
        start - sum(numbers) - own.count(colour)
        for colour, *numbers in zip(COLOURS, *map(astuple, places), strict=True)
    ]
    unseen: list[str] = [colour for colour, number in zip(COLOURS, left, strict=True) for _ in range(number)]
    world = {f"{HAND}/{seen.seat}": list(own)}
    for seat, player in enumerate(public.players):
        if seat != seen.seat:
            world[f"{HAND}/{seat}"] = [unseen.pop(chance(len(unseen))) for _ in range(player.unknown)]
    world["bag"] = unseen + [BLACK] * public.bag_black
    return world
