"""A second, independent implementation of Der Weg zum Erfolg, written from the clauses alone: an oracle for the first.

Plain and slow on purpose. It shares nothing with the game: fields are coordinates, answers are plain dicts, and all
chance comes from a tape of what was really drawn, which must fit exactly.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any

Field = tuple[Any, ...]
"""("S",), ("way", i, k), ("lane", row, x), ("stair", row, i), ("chip", i) or ("goal", i)."""
START, RESERVE, OUT = ("S",), ("reserve",), ("out",)
NEEDED = (9, 9, 8, 7, 8)
COLOURS = ("yellow", "orange", "green", "red", "blue")
SUIT = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11)
Tape = Sequence[tuple[str, str, str]]
"""("die", "", number), ("take", container, face) and ("under", pile, face)."""


# --- the board (LO-5): in a row, decision field i is at x = 4i+2 and junction i at x = 4i -----------------------------


def step(at: Field, to: str) -> Field | None:
    """The next field in a direction, if there is a way."""
    match at, to:
        case ("S",), "left" | "right":
            return ("way", 1 if to == "left" else 2, 1)
        case ("way", i, k), "up":
            return ("way", i, k + 1) if k < 4 else ("lane", 0, 4 * i + 2)
        case ("way", i, k), "down":
            return ("way", i, k - 1) if k > 1 else START
        case ("lane", row, x), "left" if x > 0:
            return ("lane", row, x - 1)
        case ("lane", row, x), "right" if x < 4 * (row + 4):
            return ("lane", row, x + 1)
        case ("lane", row, x), "up" if x % 4 == 0:
            return ("stair", row, x // 4)
        case ("lane", row, x), "down" if x % 4 == 2:
            return ("stair", row - 1, x // 4) if row else ("way", x // 4, 4)
        case ("stair", row, i), "up":
            return ("lane", row + 1, 4 * i + 2) if row < 4 else ("chip", i)
        case ("stair", row, i), "down":
            return ("lane", row, 4 * i)
        case ("chip", i), "up":
            return ("goal", i)
        case ("chip", i), "down":
            return ("stair", 4, i)
    return None


def junction(at: Field) -> bool:
    return at[0] == "lane" and at[2] % 4 == 0


def decision(at: Field) -> bool:
    return at == START or (at[0] == "lane" and at[2] % 4 == 2)


def level(at: Field) -> int:
    """From 0, the lowest, to 4."""
    if at[0] == "stair":
        return min(int(at[1]) + 1, 4)
    return int(at[1]) if at[0] == "lane" else 0 if at[0] in ("S", "way") else 4


def kind(at: Field) -> str:
    """As the edition calls it."""
    if decision(at) and at != START:
        return "question" if at[1] == 1 or (at[1] and (at[1] + 3 - at[2] // 4) % 2 == 0) else "head"
    star = (at[0] == "stair" and at[1] < 4) or (at[0] == "way" and at[1] in (1, 2) and at[2] in (1, 3))
    return "star" if star else {"S": "start", "chip": "chip", "goal": "goal"}.get(at[0], "small")


def fields() -> set[Field]:
    """Every field of the board."""
    found: set[Field] = {START} | {("way", i, k) for i in range(4) for k in range(1, 5)}
    found |= {("lane", row, x) for row in range(5) for x in range(4 * (row + 4) + 1)}
    found |= {("stair", row, i) for row in range(5) for i in range(row + 5)}
    return found | {(what, i) for what in ("chip", "goal") for i in range(9)}


@dataclass(frozen=True)
class Leg:
    """Where a part of a move ends: on a decision field perhaps with steps left."""

    at: Field
    heading: str
    rest: int
    side: str
    """The heading before the junction."""


def legs(at: Field, to: str, steps: int, steep: bool, side: str = "up") -> dict[str | None, Leg]:
    """Every way to go `steps` or up to the next decision field, by what is chosen at the junction (LO-11, LO-17)."""
    while steps:
        if junction(at):
            turns = ("left", "right") if to == "down" else ("up",) if to == "up" or steep else ("up", to)
            beyond = {turn: step(at, turn) for turn in turns}
            parts = {turn: legs(there, turn, steps - 1, steep, to) for turn, there in beyond.items() if there}
            return {turn: part[None] for turn, part in parts.items() if part}
        there = step(at, to)
        if there is None:
            return {}
        to = "up" if at == START else to
        at, steps = there, steps - 1
        if decision(at):
            break
    return {None: Leg(at, "up" if to == "down" else to, steps, side)}


# --- arithmetic (LO-16) -----------------------------------------------------------------------------------------------


class Wrong(Exception):
    """Not an expression, or one without a value."""


def combine(a: Fraction, sign: str, b: Fraction) -> Fraction:
    if sign == "/" and not b:
        raise Wrong("division by 0")
    return a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b


def evaluate(text: str) -> tuple[Fraction, list[int]]:
    """Value and numbers of an expression."""
    rest, numbers = text.replace("x", "*").strip(), []

    def eat(count: int) -> str:
        nonlocal rest
        eaten, rest = rest[:count], rest[count:].lstrip(" ")
        return eaten

    def atom() -> Fraction:
        if rest.startswith("("):
            eat(1)
            value = chain("+-")
            if eat(1) != ")":
                raise Wrong("bracket")
            return value
        digits = len(rest) - len(rest.lstrip("0123456789"))
        if not digits:
            raise Wrong(rest)
        numbers.append(int(eat(digits)))
        return Fraction(numbers[-1])

    def chain(signs: str) -> Fraction:
        part = atom if signs == "*/" else lambda: chain("*/")
        value = part()
        while rest and rest[0] in signs:
            value = combine(value, eat(1), part())
        return value

    value = chain("+-")
    if rest:
        raise Wrong(rest)
    return value, numbers


def search(parts: Sequence[tuple[Fraction, str]], target: int) -> str | None:
    """An expression over all these parts, each a value and how it is written, for the target."""
    if len(parts) == 1:
        return parts[0][1] if parts[0][0] == target else None
    for (i, (a, left)), (j, (b, right)) in permutations(enumerate(parts), 2):
        rest = [part for k, part in enumerate(parts) if k not in (i, j)]
        for sign in "+-*/":
            if (i < j or sign in "-/") and (b or sign != "/"):
                found = search([*rest, (combine(a, sign, b), f"({left}{sign}{right})")], target)
                if found:
                    return found
    return None


@lru_cache(maxsize=100_000)
def make(cards: tuple[int, ...], target: int) -> str | None:
    """An expression over exactly these cards for the target."""
    return search([(Fraction(card), str(card)) for card in cards], target)


def solution(hand: Sequence[int], table: Sequence[int], target: int) -> str | None:
    """An expression over one or more of the hand and all of the table; of five cards at most."""
    sizes = range(1, min(len(hand), 5 - len(table)) + 1)
    sets = {tuple(sorted([*own, *table])) for size in sizes for own in combinations(hand, size)}
    return next((text for cards in sorted(sets, key=len) if (text := make(cards, target))), None)


def reachable(hand: Sequence[int], table: Sequence[int], target: int) -> bool:
    """Whether it can be done at all; six cards of the printed suit can make everything from 2 to 12."""
    return len(hand) + len(table) > 5 or solution(hand, table, target) is not None


# --- the game ---------------------------------------------------------------------------------------------------------


@dataclass
class Piece:
    at: Field = RESERVE
    heading: str = "up"


@dataclass
class Player:
    pieces: list[Piece]
    hand: list[int] = field(default_factory=lambda: list(SUIT))
    points: int = 0
    misses: int = 0


@dataclass
class Words:
    """A player's standing orders (LO-25, LO-26)."""

    decline: bool = False
    colours: list[str] = field(default_factory=list)
    players: list[int] = field(default_factory=list)
    cards: int | None = None
    heads: int | None = None
    attempt: bool | None = None

    def asks(self, colour: str, mover: int, held: int) -> bool:
        """Whether to ask this player for a card against a mover."""
        conditions = []
        if self.colours:
            conditions.append(colour in self.colours)
        if self.players:
            conditions.append(mover in self.players)
        if self.cards is not None:
            conditions.append(held <= self.cards)
        return not self.decline or (bool(conditions) and all(conditions))


@dataclass
class Chip:
    value: int
    slot: int
    by: int | None = None
    open: bool = False


@dataclass
class Task:
    """The move that is being made."""

    piece: int
    steps: int
    success: str | None = None
    failure: str | None = None
    opponent: int | None = None
    attempt: bool | None = None
    leaving: str | None = None
    target: int = 0
    table: list[tuple[int, int]] = field(default_factory=list)


class Simulator:
    """One game. `answer` takes the answers to everything in `pending` and the tape of what was drawn then.

    Whatever happens in a turn either asks somebody or just returns: then the turn is over.
    """

    task: Any = None
    """A `Task`, or None between moves."""

    def __init__(self, seats: int, options: Mapping[str, bool]) -> None:
        self.options = options
        self.players = [Player([Piece() for _ in range(4 if seats < 5 else 3)]) for _ in range(seats)]
        self.standing = [Words() for _ in range(seats)]
        self.start = self.turn = self.turns = self.home = self.throw = self.quiet = 0
        self.chips: list[Chip | None] = [None] * 9
        self.dealt: list[int | None] = [None] * seats
        self.unseen = {"chance": 43, "success": 12}
        self.under: dict[str, list[str]] = {"chance": [], "success": []}
        self.pending: list[tuple[int, str]] = []
        self.ranks: list[int] | None = None

    def read(self, how: str, what: str) -> str:
        """The next entry of the tape, which must be this."""
        assert [drawn[:2] for drawn in self.tape[:1]] == [(how, what)], f"{what} is needed; drawn was {self.tape[:1]}"
        return self.tape.pop(0)[2]

    def die(self) -> int:
        return int(self.read("die", ""))

    def both(self) -> int:
        return self.die() + self.die()

    def ask(self, what: str) -> None:
        self.pending = [(self.turn, what)]

    @property
    def me(self) -> Player:
        return self.players[self.turn]

    @property
    def piece(self) -> Piece:
        """The one that moves."""
        return self.me.pieces[self.task.piece]

    def setup(self, tape: Tape) -> None:
        """LO-3, LO-4, LO-22, LO-23."""
        self.tape, tied = list(tape), list(range(len(self.players)))
        while len(tied) > 1:
            sums = {seat: self.both() for seat in tied}
            tied = [seat for seat in tied if sums[seat] == max(sums.values())]
        self.start = self.turn = tied[0]
        if self.options["neue_ziele"]:
            self.dealt = [int(self.read("take", "chips")) for _ in self.players]
            self.ask("place")
        elif self.options["zufallsziele"]:
            self.chips[0], self.chips[8] = Chip(1, 0, open=True), Chip(9, 8, open=True)
            self.lay_rest()
        else:
            self.chips = [Chip(i + 1, i, open=True) for i in range(9)]
        self.turn -= 1 if not self.pending else 0
        self.play()

    def lay_rest(self) -> None:
        for i in range(9):
            self.chips[i] = self.chips[i] or Chip(int(self.read("take", "chips")), i)

    def answer(self, answers: Mapping[int, Mapping[str, Any]], tape: Tape) -> None:
        """Play on until somebody must decide again."""
        self.tape, self.quiet = list(tape), 0
        asked, self.pending = self.pending, []
        if asked[0][1] == "link":
            self.begin()
        elif asked[0][1] == "intervene":
            self.intervened({seat: answers[seat].get("card") for seat, what in asked if what == "intervene"}, answers)
        else:
            self.answered(asked[0][1], answers[self.turn])
        self.play()

    def answered(self, what: str, answer: Mapping[str, Any]) -> None:
        named = {name: answer[name] for name in ("success", "failure") if answer.get(name)}
        for name, way in named.items() if self.task else ():
            setattr(self.task, name, way)
        match what:
            case "piece":
                throw, self.throw = self.throw, 0
                extra = {"opponent": answer.get("opponent"), "attempt": answer.get("attempt")}
                if answer["kind"] == "enter":
                    self.enter(**extra)
                elif answer["kind"] == "go":
                    self.set_out(Task(answer["piece"], throw, **named, **extra), answer.get("way"))
            case "place":
                assert self.dealt[self.turn] == int(self.read("take", f"chip/{self.turn}"))
                self.chips[answer["goal"]] = Chip(self.dealt[self.turn] or 0, answer["goal"], by=self.turn)
            case "way":
                self.arrive(self.legs(self.task.leaving)[answer["way"]])
            case "opponent":
                self.task.opponent = answer["seat"]
                self.decide()
            case "try":
                self.task.attempt = answer["attempt"]
                self.decide()
            case "solve":
                self.solved(answer)
            case "target":
                self.swap(answer["seat"], answer["piece"])
            case "lose":
                self.me.hand.remove(answer["card"])
            case "swap chip" if "goal" in answer:
                mine, other = self.piece.at[1], answer["goal"]
                self.chips[mine], self.chips[other] = self.chips[other], self.chips[mine]

    def solved(self, answer: Mapping[str, Any]) -> None:
        good = "expression" in answer
        if answer.get("way"):
            setattr(self.task, "success" if good else "failure", answer["way"])
        for card in self.spent(answer["expression"]) or [] if good else []:
            self.me.hand.remove(card)
        self.found(good)

    # --- turns ---

    def play(self) -> None:
        """Turn after turn (LO-20), while nobody is asked."""
        while not self.pending:
            self.task = None
            if not any(self.active(player) for player in self.players):
                points = [player.points for player in self.players]
                self.ranks = [1 + sum(other > own for other in points) for own in points]
                break
            self.turn = (self.turn + 1) % len(self.players)
            if None in self.chips:
                if self.turn != self.start:
                    self.ask("place")
                    break
                self.lay_rest()
            if not self.active(self.me):
                continue
            if self.me.misses:
                self.me.misses -= 1
                continue
            if self.quiet == 12:  # LO-27
                self.ask("link")
            else:
                self.begin()
        assert not self.tape, f"drawn, but not needed: {self.tape}"

    def begin(self) -> None:
        """LO-7, LO-8."""
        self.turns += 1
        self.quiet += 1
        if self.in_play():
            self.throw_black()
        elif any(self.die() == 6 for _ in range(3)):
            if self.options["may_enter"]:
                self.throw = 6
                self.ask("piece")
            else:
                self.enter()

    def active(self, player: Player) -> bool:
        return any(piece.at != OUT and piece.at[0] != "goal" for piece in player.pieces)

    def in_play(self) -> list[int]:
        return [i for i, piece in enumerate(self.me.pieces) if piece.at[0] not in ("reserve", "out", "goal")]

    def reserve(self) -> list[int]:
        return [i for i, piece in enumerate(self.me.pieces) if piece.at == RESERVE]

    def uses(self, throw: int) -> list[tuple[int, str | None]]:
        """Which piece can use a throw, and with which way if there is a choice at the first junction (LO-8, LO-17)."""
        found: list[tuple[int, str | None]] = []
        for number in self.in_play():
            piece = self.me.pieces[number]
            if decision(piece.at):
                found += [(number, None)] if any(self.after(piece, throw).values()) else []
            else:
                ways = list(legs(piece.at, piece.heading, throw, self.home >= 4))
                found += [(number, way if len(ways) > 1 else None) for way in ways]
        return found

    def throw_black(self) -> None:
        """LO-8. Pieces on the same field with the same heading are not a choice."""
        throw, pieces = self.die(), self.me.pieces
        uses, enters = self.uses(throw), throw == 6 and bool(self.reserve())
        if enters and not self.options["may_enter"]:
            self.enter()
        elif enters or len({(pieces[number].at, pieces[number].heading, way) for number, way in uses}) > 1:
            self.throw = throw
            self.ask("piece")
        elif uses:
            self.set_out(Task(uses[0][0], throw), None)

    def enter(self, **extra: Any) -> None:
        number = self.reserve()[0]
        self.me.pieces[number] = Piece(START)
        self.set_out(Task(number, self.die(), **extra), None)

    # --- moving ---

    def legs(self, to: str) -> dict[str | None, Leg]:
        return legs(self.piece.at, to, self.task.steps, self.home >= 4)

    def leave(self, piece: Piece, good: bool) -> str:
        """The direction after success or failure (LO-10), or back to where it came from (LO-19)."""
        if piece.at == START or piece.heading == "up":
            return "right" if good else "left"
        if self.untested(piece):
            return "left" if piece.heading == "right" else "right"
        return piece.heading if good else "down"

    def untested(self, piece: Piece) -> bool:
        return self.home >= 4 and piece.at != START and piece.heading != "up"

    def after(self, piece: Piece, steps: int) -> dict[str, dict[str | None, Leg]]:
        """How a piece on a decision field can go on."""
        results = {"success": True, "failure": False}
        return {x: legs(piece.at, self.leave(piece, good), steps, self.home >= 4) for x, good in results.items()}

    def set_out(self, task: Task, way: str | None) -> None:
        self.task = task
        if decision(self.piece.at):
            self.decide()
        else:
            options = self.legs(self.piece.heading)
            self.arrive(options[way] if len(options) > 1 else next(iter(options.values())))

    def arrive(self, leg: Leg) -> None:
        self.put(leg.at, leg.heading)
        self.task = Task(self.task.piece, leg.rest) if self.task.leaving else self.task
        self.task.steps = leg.rest
        if decision(leg.at) and leg.rest:
            self.decide()
        elif kind(leg.at) == "star":
            self.obey(self.draw("chance"), leg.side)
        elif kind(leg.at) == "goal":
            self.score()

    def put(self, at: Field, heading: str) -> None:
        """LO-12, LO-13."""
        if not decision(at) and at[0] != "goal":
            for player in self.players:
                player.pieces = [Piece() if other.at == at else other for other in player.pieces]
        self.piece.at, self.piece.heading = at, heading

    # --- decisions ---

    def rivals(self, at: Field) -> list[int]:
        """Other colours on a field."""
        seats = [seat for seat in range(len(self.players)) if seat != self.turn]
        return [seat for seat in seats if any(piece.at == at for piece in self.players[seat].pieces)]

    def decide(self) -> None:
        """LO-14, LO-15, LO-16, LO-22."""
        at, rivals = self.piece.at, self.rivals(self.piece.at)
        words = self.standing[self.turn]
        attempt = words.attempt if self.task.attempt is None else self.task.attempt
        if self.untested(self.piece) or (kind(at) == "head" and not self.me.hand):
            self.found(False)
        elif self.options["neue_ziele"] and attempt is None:
            self.ask("try")
        elif self.options["neue_ziele"] and not attempt:
            self.found(False)
        elif kind(at) == "head":
            self.head(words)
        elif not rivals:
            self.found(self.both() >= NEEDED[level(at)])
        elif len(rivals) > 1 and self.task.opponent is None:
            self.ask("opponent")
        else:
            own = other = 0
            while own == other:
                own, other = self.die(), self.die()
            self.found(own > other)

    def head(self, words: Words) -> None:
        """LO-16, LO-25, LO-26."""
        if words.heads == 0:
            self.found(False)
            return
        self.task.target = self.both()
        colour = COLOURS[level(self.piece.at)]
        for seat, player in enumerate(self.players):
            if seat != self.turn and player.hand and self.standing[seat].asks(colour, self.turn, len(self.me.hand)):
                self.pending.append((seat, "intervene"))
        if not self.pending:
            self.intervened({}, {})
        elif not self.by_words() and reachable(self.me.hand, [], self.task.target):
            self.pending.append((self.turn, "solve"))

    def by_words(self) -> tuple[int, ...]:
        """The cards that are played without a question: as few as possible, then the lowest."""
        most = self.standing[self.turn].heads or 0
        sets = [own for size in range(1, most + 1) for own in combinations(sorted(self.me.hand), size)]
        return next((own for own in sets if make(own, self.task.target)), ())

    def intervened(self, cards: Mapping[int, int | None], answers: Mapping[int, Mapping[str, Any]]) -> None:
        for seat, card in cards.items():
            if card is not None:
                self.players[seat].hand.remove(card)
                self.task.table.append((seat, card))
        table = [card for _, card in self.task.table]
        if not table and self.turn in answers:
            self.solved(answers[self.turn])
        elif not table and self.by_words():
            for card in self.by_words():
                self.me.hand.remove(card)
            self.found(True)
        elif reachable(self.me.hand, table, self.task.target):
            self.ask("solve")
        else:
            self.found(False)

    def spent(self, expression: str) -> list[int] | None:
        """The player's own cards in an expression, or None if it is not a solution."""
        try:
            value, numbers = evaluate(expression)
        except Wrong:
            return None
        table, used = Counter(card for _, card in self.task.table), Counter(numbers)
        own = used - table
        fits = value == self.task.target and table <= used and own and own <= Counter(self.me.hand)
        return list(own.elements()) if fits else None

    def found(self, good: bool) -> None:
        """The direction is known (LO-10); the way at the junction may have been named (LO-11)."""
        self.task.leaving = self.leave(self.piece, good)
        named = self.task.success if good else self.task.failure
        options = self.legs(self.task.leaving)
        if len(options) > 1 and not named:
            self.ask("way")
        elif options:
            self.arrive(options[named] if len(options) > 1 else next(iter(options.values())))

    # --- cards and goals ---

    def draw(self, pile: str) -> str:
        """LO-4."""
        face = self.read("take", pile)
        if self.unseen[pile]:
            self.unseen[pile] -= 1
        else:
            assert face == self.under[pile].pop(0)
        self.under[pile].append(self.read("under", pile))
        assert face == self.under[pile][-1]
        return face

    def obey(self, card: str, side: str) -> None:
        """LO-6, on a star field, reached by a junction or from above."""
        targets = self.targets()
        match card.split("-"):
            case ["forward", steps]:
                self.card_move(["up"] * int(steps))
            case ["decision"]:
                self.card_move(["up"] * 9)
            case ["back", steps] if self.piece.at[0] == "way":
                self.card_move(["down"] * int(steps))
            case ["back", steps]:
                along = {"left": ["right"] * 2, "right": ["left"] * 2}.get(side, [])
                back = ["down", *along][: int(steps)]
                self.card_move(back, side if along and len(back) < 3 else "up")
            case ["again"]:
                self.task = None
                self.throw_black()
            case ["miss"]:
                self.me.misses += 1
            case ["reserve"]:
                self.put(RESERVE, "up")
            case ["swap"] if len(targets) > 1:
                self.ask("target")
            case ["swap"] if targets:
                self.swap(*targets[0])
            case ["lose"] if len(set(self.me.hand)) > 1:
                self.ask("lose")
            case ["lose"]:
                self.me.hand = self.me.hand[1:]
            case _:
                assert card in ("nothing", "swap")

    def card_move(self, steps: list[str], heading: str = "up") -> None:
        """Up to the next decision field at most."""
        at = self.piece.at
        for to in steps:
            at = step(at, to) or at
            if decision(at):
                break
        self.put(at, heading)

    def targets(self) -> list[tuple[int, int]]:
        """Opposing pieces on small fields other than chip fields."""
        pieces = [(seat, n, piece) for seat, player in enumerate(self.players) for n, piece in enumerate(player.pieces)]
        small = [(seat, n) for seat, n, piece in pieces if kind(piece.at) in ("small", "star") and len(piece.at) > 1]
        return [(seat, n) for seat, n in small if seat != self.turn]

    def swap(self, seat: int, number: int) -> None:
        own, other = self.piece, self.players[seat].pieces[number]
        own.at, own.heading, other.at, other.heading = other.at, other.heading, own.at, own.heading

    def score(self) -> None:
        """LO-17, LO-18, LO-21."""
        if self.draw("success") == "begin-again":
            self.put(RESERVE, "up")
            return
        chip: Any = self.chips[self.piece.at[1]]
        assert chip.open or chip.value == int(self.read("take", f"goal/{chip.slot}"))
        chip.open = True
        self.me.points += chip.value
        self.home += 1
        for piece in [piece for player in self.players for piece in player.pieces] if self.home <= 4 else []:
            low = len(piece.at) > 2 or piece.at == START
            if (low and level(piece.at) < self.home) or (piece.at == RESERVE and self.options["reserve_leaves"]):
                piece.at, piece.heading = OUT, "up"
        if self.options["hinterlistig"] and any(self.active(player) for player in self.players):
            self.ask("swap chip")
