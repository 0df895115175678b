"""The game against a second implementation of the same clauses: whole random games, every position compared."""

import random
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import msgspec
import pytest

from referee.errors import IllegalMove
from referee.game import Ask, Step, Terms
from referee.games import edition_bytes, load
from referee.games.weg_zum_erfolg.tables import own_chip
from tests.support.plain import PlainDraws, bared, seen

from .simulator import (
    OUT,
    RESERVE,
    START,
    SUIT,
    Chip,
    Field,
    Leg,
    Piece,
    Simulator,
    Task,
    Wrong,
    decision,
    evaluate,
    fields,
    junction,
    kind,
    legs,
    level,
    search,
    solution,
    step,
)

GAME = load("weg-zum-erfolg")
EDITION = msgspec.json.decode(edition_bytes("weg-zum-erfolg"), type=GAME.edition)
LEVELS = ("yellow", "orange", "green", "red", "blue")
DIRECTIONS = ("left", "right", "up", "down")
WAYS = ("up", "left", "right")
LATE = 0.05
"""Of the deadlines are missed."""
BASE = {"reserve_leaves": False, "hinterlistig": False, "neue_ziele": False, "zufallsziele": False}
VARIANTS: dict[str, dict[str, bool]] = {
    "base": {},
    "reserve": {"reserve_leaves": True},
    "hinterlistig": {"hinterlistig": True},
    "neue": {"neue_ziele": True},
    "neue-hinterlistig": {"neue_ziele": True, "hinterlistig": True, "reserve_leaves": True},
    "zufall": {"zufallsziele": True},
    "zufall-hinterlistig": {"zufallsziele": True, "hinterlistig": True},
}
Plain = dict[str, Any]


# --- the board --------------------------------------------------------------------------------------------------------


def names() -> dict[Field, str]:
    """What the edition calls the fields, found by walking from the start field along every way."""
    ids = {item.id: item for item in EDITION.fields}
    found: dict[Field, str] = {START: "S"}
    todo: list[Field] = [START]
    while todo:
        at = todo.pop()
        for to in DIRECTIONS:
            beyond, name = step(at, to), getattr(ids[found[at]], to)
            assert (beyond is None) == (name == ""), (at, to)
            if beyond is not None and beyond not in found:
                found[beyond] = name
                todo.append(beyond)
            assert beyond is None or found[beyond] == name, (at, to)
    return found


def test_LO_5_the_board_is_the_same() -> None:
    ids = {item.id: item for item in EDITION.fields}
    found = names()
    assert set(found) == fields()
    assert sorted(found.values()) == sorted(ids)
    assert len(ids) == len(EDITION.fields) == 269
    for at, name in found.items():
        assert ids[name].kind == kind(at), name
        assert ids[name].level == LEVELS[level(at)], name
    goals = [item.id for item in EDITION.fields if item.kind == "goal"]
    assert goals == [found["goal", i] for i in range(9)]


NAMES = names() | {RESERVE: "reserve", OUT: "out"}


# --- comparing --------------------------------------------------------------------------------------------------------


class Recorded(PlainDraws):
    """Keeps what was drawn."""

    def __init__(self, bags: Any, rng: random.Random) -> None:
        super().__init__(bags, rng, hands=GAME.hands)
        self.tape: list[tuple[str, str, str]] = []

    def die(self, sides: int) -> int:
        assert sides == 6
        number = super().die(sides)
        self.tape.append(("die", "", str(number)))
        return number

    def _next(self, bag: str) -> str:
        face = super()._next(bag)
        self.tape.append(("take", bag, face))
        return face

    def _remove(self, bag: str, face: str) -> None:
        super()._remove(bag, face)
        self.tape.append(("take", bag, face))

    def under(self, bag: str, faces: Sequence[str]) -> None:
        super().under(bag, faces)
        self.tape += [("under", bag, face) for face in faces]

    def since(self) -> list[tuple[str, str, str]]:
        """What was drawn since the last time."""
        tape, self.tape = self.tape, []
        return tape


def theirs(position: Step, draws: Recorded) -> Plain:
    """The game's position, as plain data."""
    plain: Plain = msgspec.json.decode(msgspec.json.encode(position.public))
    plain["task"] = task(plain["task"])
    plain["dealt"] = [own_chip(seen(position, draws, seat)) for seat in range(len(plain["players"]))]
    plain["pending"] = [(ask.seat, ask.what) for ask in position.pending]
    plain["result"] = position.result and list(position.result.ranks)
    plain["scores"] = position.result and [list(score) for score in position.result.scores]
    return plain


def task(plain: Plain | None) -> Plain | None:
    """Once the direction is found, all that led to it is over."""
    dead = ("success", "failure", "opponent", "attempt", "target", "table") if plain and plain["leaving"] else ()
    return plain and {name: value for name, value in plain.items() if name not in dead}


def ours(game: Simulator) -> Plain:
    """The simulator's position in the same form."""
    players = [asdict(player) for player in game.players]
    for player in players:
        player["pieces"] = [piece | {"at": NAMES[piece["at"]]} for piece in player["pieces"]]
    table = [{"seat": seat, "value": value} for seat, value in game.task.table] if game.task else []
    chips = [
        chip and {"value": chip.value if chip.open else None, "slot": chip.slot, "by": chip.by} for chip in game.chips
    ]
    return {
        "players": players,
        "start": game.start,
        "turn": game.turn,
        "turns": game.turns,
        "home": game.home,
        "throw": game.throw,
        "task": task(game.task and asdict(game.task) | {"table": table}),
        "chips": chips,
        "chance_pile": game.unseen["chance"],
        "chance_under": game.under["chance"],
        "success_pile": game.unseen["success"],
        "success_under": game.under["success"],
        "dealt": game.dealt,
        "pending": game.pending,
        "result": game.ranks,
        "scores": game.ranks and [[player.points] for player in game.players],
    }


# --- answers, legal and not, by the simulator's idea of the rules -----------------------------------------------------


def coming(game: Simulator, number: int, way: str | None) -> tuple[Piece, int] | None:
    """The decision field that a move comes to first: the piece as it stands there, and the steps left then."""
    piece = game.me.pieces[number]
    if decision(piece.at):
        return piece, game.throw
    options = legs(piece.at, piece.heading, game.throw, game.home >= 4)
    leg = options[way] if way in options else next(iter(options.values()))
    return (Piece(leg.at, leg.heading), leg.rest) if decision(leg.at) and leg.rest else None


def ways(options: dict[str | None, Leg]) -> list[str]:
    """What can be named at a junction."""
    return [way for way in options if way]


def first_ways(game: Simulator, number: int) -> list[str | None]:
    """What can be said about the first junction: nothing, unless there is a choice."""
    piece = game.me.pieces[number]
    options = {} if decision(piece.at) else legs(piece.at, piece.heading, game.throw, game.home >= 4)
    return [*ways(options)] if len(options) > 1 else [None, *ways(options)]


def is_ahead(game: Simulator, piece: Piece, steps: int, move: Plain) -> bool:
    """Whether the ways named in advance can be taken."""
    after = game.after(piece, steps) if decision(piece.at) else {}
    return all(move.get(name) in (None, *ways(after.get(name, {}))) for name in ("success", "failure"))


def is_legal(game: Simulator, seat: int, what: str, move: Plain) -> bool:
    """Whether an answer may be given."""
    tag = move["kind"]
    if tag not in {"piece": ("go", "enter"), "swap chip": ("swap-chip",)}.get(what, (what,)):
        return False
    hand = game.players[seat].hand
    match tag:
        case "enter":
            said = move["opponent"] in (None, *game.rivals(START))
            said &= move["attempt"] is None or game.options["neue_ziele"]
            return said and game.throw == 6 and bool(game.reserve())
        case "go":
            return is_legal_go(game, move)
        case "intervene":
            return move["card"] is None or move["card"] in hand
        case "place":
            return move["goal"] in range(9) and game.chips[move["goal"]] is None
        case "way":
            return move["way"] in game.legs(game.task.leaving)
        case "target":
            return (move["seat"], move["piece"]) in game.targets()
        case "lose":
            return move["card"] in hand
        case "swap-chip":
            return move["goal"] is None or move["goal"] in {*range(9)} - {game.piece.at[1]}
        case "opponent" if move["seat"] not in game.rivals(game.piece.at):
            return False
        case "solve" if move["expression"] is not None and game.spent(move["expression"]) is None:
            return False
    return is_ahead(game, game.piece, game.task.steps, move)


def is_legal_go(game: Simulator, move: Plain) -> bool:
    number = move["piece"]
    if number not in [used for used, _ in game.uses(game.throw)] or move["way"] not in first_ways(game, number):
        return False
    if (decides := coming(game, number, move["way"])) is None:
        return not any(move[name] is not None for name in ("success", "failure", "opponent", "attempt"))
    rivals = game.rivals(decides[0].at) if kind(decides[0].at) != "head" else []
    asked = move["attempt"] is None or game.options["neue_ziele"]
    return move["opponent"] in (None, *rivals) and asked and is_ahead(game, *decides, move)


def answer(game: Simulator, seat: int, what: str, rng: random.Random) -> Plain:
    """A random legal answer."""
    hand = game.players[seat].hand
    found: Plain = {"kind": what}
    match what:
        case "piece":
            found = go(game, rng)
        case "intervene":
            cards = [game.task.target] if game.task.target in hand and rng.random() < 0.3 else hand
            found["card"] = rng.choice(cards) if rng.random() < 0.25 else None
        case "place":
            found["goal"] = rng.choice([i for i in range(9) if game.chips[i] is None])
        case "way":
            found["way"] = rng.choice([*game.legs(game.task.leaving)])
        case "opponent":
            found["seat"] = rng.choice(game.rivals(game.piece.at))
        case "try":
            found["attempt"] = rng.random() < 0.7
        case "solve":
            found["expression"] = expression(game, rng) if rng.random() < 0.8 else None
        case "target":
            found["seat"], found["piece"] = rng.choice(game.targets())
        case "lose":
            found["card"] = rng.choice(hand)
        case "swap chip":
            goals = [None, *(i for i in range(9) if i != game.piece.at[1])]
            found = {"kind": "swap-chip", "goal": rng.choice(goals)}
    if what in ("opponent", "try", "solve"):
        found |= ahead(game, game.piece, game.task.steps, rng)
    return found | ({"standing": rng.choice([True, False])} if rng.random() < 0.1 else {})


def go(game: Simulator, rng: random.Random) -> Plain:
    uses: list[Any] = [*game.uses(game.throw)] + [None] * (game.throw == 6 and bool(game.reserve()))
    use = rng.choice(uses)
    if use is None:
        said = {"opponent": rng.choice([None, *game.rivals(START)]), "attempt": rng.choice([None, True, False])}
        return {"kind": "enter", "opponent": said["opponent"]} | (said if game.options["neue_ziele"] else {})
    found: Plain = {"kind": "go", "piece": use[0], "way": rng.choice(first_ways(game, use[0]))}
    if decides := coming(game, use[0], found["way"]):
        found |= ahead(game, *decides, rng)
        rivals = game.rivals(decides[0].at)
        if kind(decides[0].at) != "head" and rivals and rng.random() < 0.4:
            found["opponent"] = rng.choice(rivals)
        if game.options["neue_ziele"] and rng.random() < 0.4:
            found["attempt"] = rng.random() < 0.7
    return found


def ahead(game: Simulator, piece: Piece, steps: int, rng: random.Random) -> Plain:
    """Perhaps a way for success, perhaps one for failure."""
    after = {name: ways(options) for name, options in game.after(piece, steps).items()}
    return {name: rng.choice(named) for name, named in after.items() if named and rng.random() < 0.4}


def expression(game: Simulator, rng: random.Random) -> str | None:
    """A random solution, if one is found soon."""
    hand, table, target = game.me.hand, [card for _, card in game.task.table], game.task.target
    for _ in range(10):
        cards = [*map(str, rng.sample(hand, rng.randint(1, min(len(hand), max(1, 4 - len(table))))) + table)]
        rng.shuffle(cards)
        while len(cards) > 3:
            cards.insert(rng.randrange(len(cards) - 1), f"({cards.pop()}{rng.choice('+-*/')}{cards.pop()})")
        try:
            text = search([(evaluate(part)[0], part) for part in cards], target)
        except Wrong:
            continue
        if text:
            text = text.replace("*", rng.choice("*x"))
            return text.replace("+", " + ").replace("-", " -") if rng.random() < 0.3 else text
    return solution(hand, table, target)


def mistaken(game: Simulator, rng: random.Random) -> str:
    """Most likely no solution."""
    cards = [card for _, card in game.task.table] + rng.sample(game.me.hand, 1)
    one, other, total = cards[0], rng.randint(1, 13), "+".join(map(str, cards))
    good = expression(game, rng) or total
    texts = [
        str(game.task.target),
        str(other),
        total,
        "*".join(map(str, cards)),
        f"{other}+{good}",
        f"{good}+{one}-{one}",
    ]
    texts += [
        "",
        " ",
        "()",
        "a",
        "+",
        f"{good})",
        f"({good}",
        f"{good}+",
        f"-{good}",
        f"+{good}",
        f"0+{good}",
        f"1{good}",
    ]
    texts += [good.replace("+", ""), good.replace("(", "", 1), good.replace("*", ""), good.replace("-", "+")]
    texts += [f"{good}/({one}-{one})", f"{good}**1", f"{good}.0", f"{good};1", f"{good}//1", f"({good})({one})"]
    return rng.choice(texts)


def doubtful(game: Simulator, seat: int, what: str, rng: random.Random) -> Plain:
    """An answer with something changed: often illegal."""
    move: Plain = msgspec.to_builtins(typed(answer(game, seat, what, rng)))
    values: dict[str, list[Any]] = {
        **{name: [None, *WAYS] for name in ("way", "success", "failure")},
        **{name: [*range(9), None] for name in ("opponent", "seat")},
        "piece": [*range(5)],
        "attempt": [None, True, False],
        "card": [None, *range(1, 13)],
        "goal": [None, *range(10)],
        "expression": [None] if what != "solve" else [mistaken(game, rng)],
    }
    if rng.random() < 0.1:
        others = [{"kind": "enter"}, {"kind": "way", "way": "up"}, {"kind": "solve"}, {"kind": "go", "piece": 0}]
        return rng.choice([*others, {"kind": "intervene"}, {"kind": "lose", "card": 10}, {"kind": "swap-chip"}])
    for name in rng.sample([*values], len(values)):
        if name in move:
            return move | {name: rng.choice(values[name])}
    return move


def bare(game: Simulator, seat: int, what: str) -> list[Plain]:
    """Every answer that says no more than it must: one of pieces that stand alike, and no expression."""
    hand, places, task = sorted({*game.players[seat].hand}), range(9), game.task
    match what:
        case "piece":
            pieces, first = game.me.pieces, {}
            for number, way in game.uses(game.throw):
                first.setdefault((pieces[number].at, pieces[number].heading, way), (number, way))
            enter = [{"kind": "enter"}] if game.throw == 6 and game.reserve() else []
            return [{"kind": "go", "piece": number, "way": way} for number, way in first.values()] + enter
        case "way":
            return [{"kind": what, "way": way} for way in game.legs(task.leaving)]
        case "opponent":
            return [{"kind": what, "seat": rival} for rival in game.rivals(game.piece.at)]
        case "try":
            return [{"kind": what, "attempt": attempt} for attempt in (True, False)]
        case "intervene":
            cards = [{"kind": what, "card": card} for card in (None, *hand)]
            return [*cards, {"kind": what, "standing": True}]
        case "target":
            return [{"kind": what, "seat": rival, "piece": number} for rival, number in game.targets()]
        case "lose":
            return [{"kind": what, "card": card} for card in hand]
        case "place":
            return [{"kind": what, "goal": goal} for goal in places if game.chips[goal] is None]
        case "swap chip":
            goals = [None, *(goal for goal in places if goal != game.piece.at[1])]
            return [{"kind": "swap-chip", "goal": goal} for goal in goals]
    return [{"kind": what}]


def late(game: Simulator, seat: int, what: str) -> Plain:
    """What a missed deadline does (LO-24)."""
    choices = bare(game, seat, what)
    if what != "piece":
        return choices[0]
    order = [item.id for item in EDITION.fields]
    pieces = [choice for choice in choices if choice["kind"] == "go"]
    return min(pieces, key=lambda c: (order.index(NAMES[game.me.pieces[c["piece"]].at]), WAYS.index(c["way"] or "up")))


def assert_listed(terms: Terms[Any, Any], view: Any, game: Simulator, seat: int, what: str) -> None:
    """The list of legal moves is complete, and all in it is legal."""
    listed = [choice.move for choice in GAME.legal(terms, view)]
    for move in listed:
        assert is_legal(game, seat, what, msgspec.to_builtins(move)), (view, move)
    if what == "solve":
        listed = [move for move in listed if move.expression is None]
    found = [typed(move) for move in bare(game, seat, what)]
    assert sorted(map(repr, listed)) == sorted(map(repr, found)), view


def typed(move: Plain) -> Any:
    return msgspec.convert(move, GAME.move)


def accepts(terms: Terms[Any, Any], view: Any, move: Any) -> bool:
    try:
        GAME.check(terms, view, move)
    except IllegalMove:
        return False
    return True


# --- whole games ------------------------------------------------------------------------------------------------------


def play(terms: Terms[Any, Any], position: Step, game: Simulator, draws: Recorded, rng: random.Random) -> int:
    """To the end, in both; the number of steps."""
    steps = 0
    assert ours(game) == theirs(position, draws)
    while position.pending:
        answers, given, whole = {}, {}, {}
        for seat, what in game.pending:
            view = seen(position, draws, seat)
            if rng.random() < 0.1:
                assert_listed(terms, view, game, seat, what)
            try:
                move = typed(doubtful(game, seat, what, rng))
            except msgspec.ValidationError:
                move = None
            if move is not None:
                judged = is_legal(game, seat, what, msgspec.to_builtins(move))
                assert accepts(terms, view, move) == judged, (position, move)
            if rng.random() < LATE:
                answers[seat], given[seat] = typed(late(game, seat, what)), None
            else:
                answers[seat] = given[seat] = whole[seat] = typed(answer(game, seat, what, rng))
                assert accepts(terms, view, answers[seat]), (position, answers[seat])
        hidden = [ask.seat for ask in position.pending if "card" in ask.sealed]
        assert hidden == [seat for seat, what in game.pending if what == "intervene"]
        draws.shown = []
        draws.next_step(whole)
        given = {ask.seat: bared(GAME, ask, given[ask.seat]) for ask in position.pending}
        before, position = position, GAME.apply(terms, position.public, position.pending, given, draws)
        tape = draws.since()
        assert [seat for seat, _ in draws.shown] == [seat for seat in hidden if seat in whole]
        game.answer(msgspec.to_builtins(answers), tape)
        assert ours(game) == theirs(position, draws), (before, answers, tape)
        steps += 1
    return steps


def from_the_start(seats: int, variant: str, seed: object) -> int:
    rng = random.Random(f"{seats}/{variant}/{seed}")
    options = BASE | VARIANTS[variant]
    terms = Terms(seats=seats, options=GAME.options(**options), edition=EDITION)
    draws = Recorded(GAME.bags(terms), rng)
    position = GAME.setup(terms, draws)
    game = Simulator(seats, options)
    game.setup(draws.since())
    return play(terms, position, game, draws, rng)


def from_the_middle(seats: int, variant: str, seed: object) -> int:
    """Pieces are thrown on the board, some of them together: what is rare in games is common here."""
    rng = random.Random(f"middle/{seats}/{variant}/{seed}")
    options = BASE | VARIANTS[variant]
    terms = Terms(seats=seats, options=GAME.options(**options), edition=EDITION)
    game = scattered(seats, options, rng)
    bags = {f"goal/{chip.slot}": [str(chip.value)] for chip in game.chips if chip and not chip.open}
    for pile, kinds in (("chance", EDITION.chance), ("success", EDITION.success)):
        faces = [item.id for item in kinds for _ in range(item.count)]
        rng.shuffle(faces)
        game.unseen[pile] = rng.randint(0, len(faces))
        bags[pile], game.under[pile] = faces[: game.unseen[pile]], faces[game.unseen[pile] :]
    draws = Recorded(bags, rng)
    draws.tails = {pile: list(faces) for pile, faces in game.under.items()}
    public = {name: part for name, part in ours(game).items() if name not in ("dealt", "pending", "result", "scores")}
    pending = tuple(Ask(seat, what) for seat, what in game.pending)
    laid = [chip for chip in game.chips if chip and chip.by is not None and not chip.open]
    draws.placed = [(chip.by or 0, f"goal/{chip.slot}", str(chip.value)) for chip in laid]
    return play(terms, Step(msgspec.convert(public, GAME.public), pending), game, draws, rng)


def scattered(seats: int, options: dict[str, bool], rng: random.Random) -> Simulator:
    """A position in which the player on turn has just drawn the card that costs a card."""
    game = Simulator(seats, options)
    game.start, game.turn, game.turns = rng.randrange(seats), rng.randrange(seats), rng.randint(1, 300)
    low = rng.randrange(5)
    free = [at for at in sorted(fields(), key=str) if kind(at) != "goal" and level(at) >= low]
    crowded = rng.sample([at for at in free if decision(at)], 3)
    stars = [at for at in fields() if kind(at) == "star"]
    taken: set[Field] = set()
    for seat, player in enumerate(game.players):
        for piece in player.pieces:
            piece.at = rng.choice([rng.choice(free), rng.choice(crowded), RESERVE, OUT, ("goal", rng.randrange(9))])
            if seat == game.turn and piece is player.pieces[0]:
                piece.at = rng.choice(sorted(set(stars) - taken))
            elif piece.at in taken:
                piece.at = RESERVE
            taken |= {piece.at} if kind(piece.at) in ("small", "star", "chip") and len(piece.at) > 1 else set()
            piece.heading = rng.choice(headings(piece.at))
            game.home += piece.at[0] == "goal"
        player.hand = sorted(rng.sample(SUIT, rng.choice([0, 1, 2, 3, 4, 6, 13])))
        player.points, player.misses = rng.randrange(30), rng.choice([0, 0, 0, 1, 2])
        player.standing = rng.random() < 0.3
    game.me.hand = sorted({*game.me.hand, *rng.sample(range(2, 12), 2)})
    lay(game, rng)
    game.task = Task(0, 0)
    game.ask("lose")
    return game


def headings(at: Field) -> list[str]:
    """How a piece can stand on a field."""
    if at[0] != "lane":
        return ["up"]
    sides = [side for side, back in (("left", "right"), ("right", "left")) if step(at, back)]
    return sides if not junction(at) and not decision(at) else ["up", *sides]


def lay(game: Simulator, rng: random.Random) -> None:
    """Chips as they may lie later in a game."""
    slots = rng.sample(range(9), 9) if game.options["hinterlistig"] else list(range(9))
    values = rng.sample(range(1, 10), 9)
    seats = rng.sample([*range(len(game.players)), *[None] * (9 - len(game.players))], 9)
    hidden = game.options["neue_ziele"] or game.options["zufallsziele"]
    for i, slot in enumerate(slots):
        value, by = values[slot] if hidden else slot + 1, seats[slot] if game.options["neue_ziele"] else None
        game.chips[i] = Chip(value, slot, by, open=not hidden or rng.random() < 0.3)
        if by is not None:
            game.dealt[by] = value


@pytest.mark.thorough
@pytest.mark.parametrize(("seats", "variant"), [*zip(range(2, 9), VARIANTS, strict=True)])
def test_both_play_the_same_games(seats: int, variant: str) -> None:
    assert from_the_start(seats, variant, 0) > 20


@pytest.mark.thorough
@pytest.mark.parametrize("variant", VARIANTS)
def test_both_go_on_alike_from_anywhere(variant: str) -> None:
    assert sum(from_the_middle(seats, variant, 0) for seats in range(2, 9)) > 20
