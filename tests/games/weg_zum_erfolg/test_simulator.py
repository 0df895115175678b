"""The game against a second implementation of the same clauses: whole random games, every position compared."""

import random
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import msgspec
import pytest

from referee import forms
from referee.errors import IllegalMove
from referee.game import Ask, Step, Terms
from referee.games import edition_bytes, load
from referee.games.weg_zum_erfolg.lookups import own_chip
from tests.support.plain import PlainDraws, bared, seen

from .simulator import (
    COLOURS,
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
    Words,
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
DIRECTIONS = ("left", "right", "up", "down")
WAYS = ("up", "left", "right")
LATE = 0.05
"""The share of deadlines that is missed."""
BASE = {"reserve_leaves": False, "may_enter": False, "hinterlistig": False, "neue_ziele": False, "zufallsziele": False}
VARIANTS: dict[str, dict[str, bool]] = {
    "base": {},
    "reserve": {"reserve_leaves": True},
    "may-enter": {"may_enter": True},
    "hinterlistig": {"hinterlistig": True},
    "neue": {"neue_ziele": True},
    "neue-hinterlistig": {"neue_ziele": True, "hinterlistig": True, "reserve_leaves": True},
    "zufall": {"zufallsziele": True},
    "zufall-hinterlistig": {"zufallsziele": True, "hinterlistig": True},
}
SAYS = 0.08
"""How often an answer comes with standing orders."""
SEALED = {"intervene": ("card",), "solve": ("expression", "way")}
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
    assert len(ids) == len(EDITION.fields) == 195
    for at, name in found.items():
        assert ids[name].kind == kind(at), name
        assert ids[name].level == COLOURS[level(at)], name
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
    """Once the direction is known, everything that led to it is over."""
    dead = ("success", "failure", "opponent", "attempt", "target", "table") if plain and plain["leaving"] else ()
    return plain and {name: value for name, value in plain.items() if name not in dead}


def said(words: Words) -> Plain:
    """As the game writes it: without anything that was not said."""
    nothing = asdict(Words())
    return {name: value for name, value in asdict(words).items() if value != nothing[name]}


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
        "standing": [said(words) for words in game.standing],
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
    """What can be named at a junction, if there is a choice."""
    return [way for way in options if way] if len(options) > 1 else []


def first_ways(game: Simulator, number: int) -> list[str | None]:
    """What can be said about the first junction: nothing, unless there is a choice."""
    piece = game.me.pieces[number]
    options = {} if decision(piece.at) else legs(piece.at, piece.heading, game.throw, game.home >= 4)
    return [*ways(options)] or [None]


def is_ahead(game: Simulator, piece: Piece, steps: int, move: Plain) -> bool:
    """Whether the ways named in advance can be taken."""
    after = game.after(piece, steps) if decision(piece.at) and not game.untested(piece) else {}
    return all(move.get(name) in (None, *ways(after.get(name, {}))) for name in ("success", "failure"))


def is_legal(game: Simulator, seat: int, what: str, move: Plain) -> bool:
    """Whether an answer may be given."""
    tag = move["kind"]
    if tag not in {"piece": ("go", "enter", "wait"), "swap chip": ("swap-chip",)}.get(what, (what,)):
        return False
    hand = game.players[seat].hand
    match tag:
        case "enter":
            fits = move.get("opponent") in (None, *several(game.rivals(START)))
            fits &= move.get("attempt") is None or game.options["neue_ziele"]
            return fits and game.throw == 6 and bool(game.reserve())
        case "wait":
            return game.throw == 6 and bool(game.reserve()) and not game.uses(6)
        case "go":
            return is_legal_go(game, move)
        case "intervene":
            return move.get("card") is None or move["card"] in hand
        case "place":
            return move["goal"] in range(9) and game.chips[move["goal"]] is None
        case "way":
            return move["way"] in game.legs(game.task.leaving)
        case "target":
            return (move["seat"], move["piece"]) in game.targets()
        case "lose":
            return move["card"] in hand
        case "swap-chip":
            return move.get("goal") is None or move["goal"] in {*range(9)} - {game.piece.at[1]}
        case "solve":
            return is_legal_solution(game, move)
        case "opponent" if move["seat"] not in game.rivals(game.piece.at):
            return False
        case "try" if not move["attempt"] and move.get("success"):
            return False
    return is_ahead(game, game.piece, game.task.steps, move)


def several(rivals: list[int]) -> list[int]:
    """With only one, nobody need choose."""
    return rivals if len(rivals) > 1 else []


def is_legal_solution(game: Simulator, move: Plain) -> bool:
    good = move.get("expression") is not None
    named = ways(game.after(game.piece, game.task.steps)["success" if good else "failure"])
    return move.get("way") in (None, *named) and (not good or game.spent(move["expression"]) is not None)


def is_legal_go(game: Simulator, move: Plain) -> bool:
    number = move["piece"]
    if number not in [used for used, _ in game.uses(game.throw)] or move.get("way") not in first_ways(game, number):
        return False
    piece = game.me.pieces[number]
    if piece in game.me.pieces[:number]:
        return False
    decides = coming(game, number, move.get("way"))
    if decides is None or game.untested(decides[0]):
        return not any(move.get(name) is not None for name in ("success", "failure", "opponent", "attempt"))
    rivals = several(game.rivals(decides[0].at)) if kind(decides[0].at) != "head" else []
    asked = move.get("attempt") is None or game.options["neue_ziele"]
    return move.get("opponent") in (None, *rivals) and asked and is_ahead(game, *decides, move)


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
            after = game.after(game.piece, game.task.steps)
            found["way"] = rng.choice([None, *ways(after["failure" if found["expression"] is None else "success"])])
        case "target":
            found["seat"], found["piece"] = rng.choice(game.targets())
        case "lose":
            found["card"] = rng.choice(hand)
        case "swap chip":
            goals = [None, *(i for i in range(9) if i != game.piece.at[1])]
            found = {"kind": "swap-chip", "goal": rng.choice(goals)}
    if what in ("opponent", "try"):
        found |= ahead(game, game.piece, game.task.steps, rng)
    if found.get("attempt") is False:
        found.pop("success", None)
    return found


def go(game: Simulator, rng: random.Random) -> Plain:
    uses: list[Any] = [*game.uses(game.throw)] + [None] * (game.throw == 6 and bool(game.reserve()))
    use = rng.choice(uses)
    if use is None and uses == [None] and rng.random() < 0.5:
        return {"kind": "wait"}
    if use is None:
        extra = {
            "opponent": rng.choice([None, *several(game.rivals(START))]),
            "attempt": rng.choice([None, True, False]),
        }
        return {"kind": "enter", "opponent": extra["opponent"]} | (extra if game.options["neue_ziele"] else {})
    first = game.me.pieces.index(game.me.pieces[use[0]])
    found: Plain = {"kind": "go", "piece": first, "way": rng.choice(first_ways(game, first))}
    if (decides := coming(game, first, found["way"])) and not game.untested(decides[0]):
        found |= ahead(game, *decides, rng)
        rivals = several(game.rivals(decides[0].at))
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
    legal = typed(answer(game, seat, what, rng))
    move: Plain = {"kind": type(legal).__struct_config__.tag, **msgspec.structs.asdict(legal)}
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
        others = [
            {"kind": "enter"},
            {"kind": "wait"},
            {"kind": "way", "way": "up"},
            {"kind": "solve"},
            {"kind": "go", "piece": 0},
        ]
        return rng.choice([*others, {"kind": "intervene"}, {"kind": "lose", "card": 10}, {"kind": "swap-chip"}])
    for name in rng.sample([*values], len(values)):
        if name in move:
            return move | {name: rng.choice(values[name])}
    return move


def bare(game: Simulator, seat: int, what: str) -> list[Plain]:
    """Every answer that says no more than it must: one of several pieces in the same place, and no expression."""
    hand, places, task = sorted({*game.players[seat].hand}), range(9), game.task
    match what:
        case "piece":
            pieces, first = game.me.pieces, {}
            for number, way in game.uses(game.throw):
                first.setdefault((pieces[number].at, pieces[number].heading, way), (number, way))
            enter = [{"kind": "enter"}] if game.throw == 6 and game.reserve() else []
            enter += [{"kind": "wait"}] if enter and not first else []
            return [{"kind": "go", "piece": number, "way": way} for number, way in first.values()] + enter
        case "way":
            return [{"kind": what, "way": way} for way in game.legs(task.leaving)]
        case "opponent":
            return [{"kind": what, "seat": rival} for rival in game.rivals(game.piece.at)]
        case "try":
            return [{"kind": what, "attempt": attempt} for attempt in (True, False)]
        case "intervene":
            return [{"kind": what, "card": card} for card in (None, *hand)]
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
    if not pieces:
        return choices[0]
    return min(pieces, key=lambda c: (order.index(NAMES[game.me.pieces[c["piece"]].at]), WAYS.index(c["way"] or "up")))


def assert_listed(terms: Terms[Any, Any], view: Any, game: Simulator, seat: int, what: str, rng: random.Random) -> None:
    """Every answer that the list can build is legal, and every legal one is in the list."""
    choices = GAME.legal(terms, view)
    for choice in choices:
        values = forms.sample(choice, rng.randrange)
        for move in (choice.move, *([] if values is None else [typed(forms.build(choice, values))])):
            assert is_legal(game, seat, what, msgspec.to_builtins(move)), (view, move)
    for move in bare(game, seat, what) + [answer(game, seat, what, rng) for _ in range(5)]:
        plain = msgspec.to_builtins(typed(move))
        assert any(forms.find(choice, plain) is not None for choice in choices), (view, move)


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
        answers, whole = {}, {}
        for seat, what in game.pending:
            if what != "link":
                view = seen(position, draws, seat)
                assert_judged(terms, view, game, seat, what, rng)
                move = typed(answer(game, seat, what, rng))
                assert accepts(terms, view, move), (position, move)
                whole |= {seat: move} if rng.random() >= LATE else {}
                answers[seat] = msgspec.to_builtins(whole.get(seat, typed(late(game, seat, what))))
            if rng.random() < SAYS:
                game.standing[seat] = words(rng)
        sealed = {(ask.seat, ask.what): ask.sealed for ask in position.pending if ask.sealed}
        together = game.pending[0][1] == "intervene"
        assert sealed == ({key: SEALED[key[1]] for key in game.pending} if together else {})
        shown = expected_to_be_shown(game, answers, whole) if together else []
        draws.shown = []
        draws.next_step(whole)
        given = {ask.seat: bared(GAME, ask, whole.get(ask.seat)) for ask in position.pending}
        public = msgspec.structs.replace(position.public, standing=spoken(game))
        before, position = position, GAME.apply(terms, public, position.pending, given, draws)
        tape = draws.since()
        assert [seat for seat, _ in draws.shown] == shown
        game.answer(answers, tape)
        assert ours(game) == theirs(position, draws), (before, answers, tape)
        steps += 1
    return steps


def spoken(game: Simulator) -> Any:
    return msgspec.convert([said(one) for one in game.standing], tuple[GAME.standing.words, ...])  # type: ignore[union-attr]


def assert_judged(terms: Terms[Any, Any], view: Any, game: Simulator, seat: int, what: str, rng: random.Random) -> None:
    """Both find the same answers legal."""
    if rng.random() < 0.1:
        assert_listed(terms, view, game, seat, what, rng)
    try:
        move = typed(doubtful(game, seat, what, rng))
    except msgspec.ValidationError:
        return
    judged = is_legal(game, seat, what, msgspec.to_builtins(move))
    assert accepts(terms, view, move) == judged, (view, move)


def expected_to_be_shown(game: Simulator, answers: dict[int, Plain], whole: dict[int, Any]) -> list[int]:
    """LO-16: all interventions that came, and what the mover says if none of them is a card."""
    cards = [seat for seat, what in game.pending if what == "intervene" and seat in whole]
    played = any(answers[seat].get("card") for seat, what in game.pending if what == "intervene")
    return cards + [seat for seat, what in game.pending if what == "solve" and seat in whole and not played]


def words(rng: random.Random) -> Words:
    """Any standing orders."""
    return Words(
        decline=rng.random() < 0.6,
        colours=rng.sample(COLOURS, rng.choice([0, 0, 1, 3])),
        players=rng.sample(range(9), rng.choice([0, 0, 1, 5])),
        cards=rng.choice([None, None, 0, 4, 9]),
        heads=rng.choice([None, None, 0, 1, 2]),
        attempt=rng.choice([None, None, True, False]),
    )


def from_the_start(seats: int, variant: str, seed: object) -> int:
    rng = random.Random(f"{seats}/{variant}/{seed}")
    options = BASE | VARIANTS[variant]
    terms = Terms(seats=seats, options=GAME.options(**options), edition=EDITION)
    draws = Recorded(GAME.bags(terms), rng)
    game = Simulator(seats, options)
    game.standing = [words(rng) if rng.random() < SAYS else Words() for _ in range(seats)]
    position = GAME.setup(terms, draws, spoken(game))
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
    """A position in which the player whose turn it is has just drawn the card that costs a card."""
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
    game.standing = [words(rng) if rng.random() < 0.3 else Words() for _ in range(seats)]
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
@pytest.mark.parametrize(("seats", "variant"), [*zip((2, 3, 4, 4, 5, 6, 7, 8), VARIANTS, strict=True)])
def test_both_play_the_same_games(seats: int, variant: str) -> None:
    assert from_the_start(seats, variant, 0) > 20


@pytest.mark.thorough
@pytest.mark.parametrize("variant", VARIANTS)
def test_both_go_on_alike_from_anywhere(variant: str) -> None:
    assert sum(from_the_middle(seats, variant, 0) for seats in range(2, 9, 2)) > 20
