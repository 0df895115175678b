"""Another board in place of the printed one (LO-5): what `validate` accepts can be played to the end.

Boards of other shapes are made by code and played through. Then editions are changed at random: each one is either
refused with a message and a next step, or games on it raise nothing, never run on without an end inside one round, and
every position in them can be drawn, stored and answered.
"""

import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from referee.crypto import codec
from referee.errors import Malformed, RefereeError, Usage
from referee.game import Position, seen
from referee.games.weg_zum_erfolg import GAME
from referee.games.weg_zum_erfolg.board import layout
from referee.games.weg_zum_erfolg.graph import Board
from referee.games.weg_zum_erfolg.types import LEVELS, Deal, Edition, Options, Pos, View
from tests.support.plain import Choose, PlainDraws

from .build import EDITION
from .test_random import VARIANTS

Data = dict[str, Any]
"""An edition as a host may have written it: nothing is checked yet."""
POSITION: Any = Position[GAME.public, GAME.own, GAME.hidden]  # type: ignore[name-defined]
NAMES = ["Anna", "Benedikt der Lange", "株式会社大黒天一二三", "Dörte", "E", "Franz", "Greta", "Hugo"]
ROUNDS = 8192
"""So many rounds a game can have at most: the length of a player's chain of links."""
DRAWS = 5_000
"""So many throws and cards in one round are no accident."""
OPPOSITE = {"left": "right", "right": "left", "up": "down", "down": "up"}
MINE: Data = msgspec.to_builtins(EDITION)


def read(data: Data) -> Edition:
    """What the program makes of an edition file."""
    return codec.read(msgspec.json.encode(data), Edition, "edition")


def accepted(data: Data, seats: int = 2, **options: bool) -> Deal:
    terms = Deal(seats, Options(**options), read(data))
    GAME.validate(terms)
    return terms


def copy(data: Data) -> Data:
    """A deep copy."""
    found: Data = msgspec.json.decode(msgspec.json.encode(data))
    return found


# --- boards made by code ----------------------------------------------------------------------------------------------


class Maker:
    """Fields, and both ends of the ways between them."""

    def __init__(self, start: str = "S") -> None:
        self.start = start
        self.fields: dict[str, dict[str, str]] = {}
        self.add(start, "start", "yellow")

    def add(self, name: str, kind: str, level: str) -> str:
        assert name not in self.fields
        self.fields[name] = {"id": name, "kind": kind, "level": level}
        return name

    def join(self, way: str, *names: str) -> None:
        """From each field a way to the next, and back."""
        for first, second in pairwise(names):
            self.fields[first][way] = second
            self.fields[second][OPPOSITE[way]] = first

    def row(self, name: str, kinds: str, gaps: Sequence[int], level: str) -> list[str]:
        """A lane; `j` is a junction, `h` a head, `q` a "?", and between them lie so many small fields, in turn."""
        letters = {"j": "small", "h": "head", "q": "question"}
        marks = [self.add(f"{name}{at}{kind}", letters[kind], level) for at, kind in enumerate(kinds)]
        lane = marks[:1]
        for at, mark in enumerate(marks[1:]):
            lane += [self.add(f"{name}{at}x{n}", "small", level) for n in range(gaps[at % len(gaps)])]
            lane.append(mark)
        self.join("right", *lane)
        return marks

    def connector(self, low: str, high: str, number: int, stars: Sequence[int] = (0,)) -> None:
        """From a junction up to a decision field, with so many small fields; some are stars."""
        level = self.fields[low]["level"]
        kinds = ["star" if n in stars else "small" for n in range(number)]
        self.join("up", low, *(self.add(f"{low}u{n}", kind, level) for n, kind in enumerate(kinds)), high)

    def way_down(self, high: str, number: int, exit_: str = "") -> None:
        """From a decision field down to the start field; `exit_` is left or right if it can be climbed."""
        names = [self.add(f"{high}d{n}", "star" if n == 1 else "small", "yellow") for n in range(number)]
        self.join("down", high, *names)
        self.fields[[high, *names][-1]]["down"] = self.start
        if exit_:
            self.fields[self.start][exit_] = [high, *names][-1]

    def goals(self, junctions: Sequence[str]) -> None:
        for n, junction in enumerate(junctions):
            self.join("up", junction, self.add(f"chip{n}", "chip", "blue"))
            self.fields[f"chip{n}"]["up"] = self.add(f"goal{n}", "goal", "blue")

    def edition(self, name: str, **more: Any) -> Data:
        return copy(MINE) | {"name": name, "fields": list(self.fields.values())} | more


def two_rows() -> Data:
    """Two rows; junctions beside decision fields, no small fields on some connectors, several stars on others."""
    maker = Maker("Anfang")
    low = maker.row("l", "jhjqjhjqjhjqjqj", (0, 1, 2), "green")
    high = maker.row("u", "jqjhjhjqjqjhjqjqj", (1, 0, 4, 0), "blue")
    for at, (junction, above) in enumerate(zip(low[::2], high[1::2], strict=True)):
        maker.connector(junction, above, at % 4, stars=(0, 2))
    for at, decision in enumerate(low[1::2]):
        maker.way_down(decision, 1 + at % 4, {0: "left", 6: "right"}.get(at, ""))
    maker.goals(high[::2])
    return maker.edition("two rows", pieces=2, pieces_many=1)


def ring() -> Data:
    """One row closed to a ring without ends; decision fields are neighbours; the way to S is long."""
    maker = Maker("O")
    marks = maker.row("r", "jqhjqhjhjqjqqjhjhjqhjq", (0, 0, 1), "orange")
    maker.join("right", marks[-1], maker.add("last", "small", "red"), marks[0])
    decisions = [mark for mark in marks if mark[-1] != "j"]
    for at, decision in enumerate(decisions):
        maker.way_down(decision, 7 if at in (0, 8) else 2, {0: "right", 8: "left"}.get(at, ""))
    maker.goals([mark for mark in marks if mark[-1] == "j"])
    return maker.edition("ring", pieces=3, pieces_many=2, suit=[1, 7, 13, 99], chips=[9, 9, 12, 1, 1, 2, 10, 7, 8])


def strange_names() -> Data:
    """The printed board with the longest ids, words of the game and names of pieces as ids, and few cards."""
    data = copy(MINE)
    odd = ["piece", "2", "up", "Up", "b2", "B2", "try", "0", "00", "x", "success", "Z9"]
    ids = [field["id"] for field in data["fields"]]
    names = {name: f"{at:012}" for at, name in enumerate(ids)} | dict(zip(ids[::7], odd, strict=False))
    data["fields"] = [_renamed(field, names) for field in reversed(data["fields"])]
    for card in data["chance"]:
        card["count"] = 1
    return data | {"name": "strange names", "pieces": 2, "pieces_many": 1}


def _renamed(field: dict[str, str], names: dict[str, str]) -> dict[str, str]:
    return {key: value if key in ("kind", "level") else names.get(value, value) for key, value in field.items()}


def random_tower(rng: random.Random, number: int) -> Data:
    """So many rows, each with one decision field more than the row below; all lengths at random."""
    maker = Maker(rng.choice(["S", "start", "Y1", "Z"]))
    below: list[str] = []
    for row in range(number):
        middle = "".join(rng.choice(["h", "q", "h", "q", "hq", "qq"]) + "j" for _ in range(9 - number + row))
        level = LEVELS[rng.randint(0, 4)]
        marks = maker.row(f"t{row}", "j" + middle, [rng.randint(0, 3) for _ in range(7)], level)
        decisions = [mark for mark in marks if mark[-1] != "j"]
        firsts = [mark for mark, before in zip(marks[1:], marks, strict=False) if before[-1] == "j"]
        for junction, above in zip(below, firsts, strict=False):
            maker.connector(junction, above, rng.randint(0, 3), rng.choice([(), (0,), (1,), (0, 1, 2)]))
        exits = {decisions[0]: "left", decisions[-1]: "right"} if not row else {}
        for decision in decisions:
            if not below or decision not in firsts:
                maker.way_down(decision, rng.randint(1, 6), exits.get(decision, ""))
        below = [mark for mark in marks if mark[-1] == "j"]
    maker.goals(below)
    return maker.edition("tower", pieces=rng.randint(1, 4), pieces_many=rng.randint(1, 3))


BOARDS: dict[str, Callable[[], Data]] = {"two rows": two_rows, "ring": ring, "strange names": strange_names}


# --- playing ----------------------------------------------------------------------------------------------------------


class Impatient(PlainDraws):
    """Refuses to go on if one round has no end."""

    def __init__(self, terms: Deal, rng: random.Random) -> None:
        super().__init__(GAME.bags(terms), rng)

    def next_round(self) -> None:
        self.calls.clear()

    def die(self, sides: int, label: str) -> int:
        assert len(self.calls) < DRAWS, "one round has no end"
        return super().die(sides, label)


def by_random(terms: Deal, view: View, rng: random.Random) -> Any:
    return GAME.bots["random"](terms, view, rng.randrange)


def by_sense(terms: Deal, view: View, rng: random.Random) -> Any:
    return GAME.bots["sensible"](terms, view, rng.randrange)


def by_fallback(terms: Deal, view: View, _: random.Random) -> Any:
    return GAME.fallback(terms, view)


PLAYERS: dict[str, Choose] = {"random": by_random, "sensible": by_sense, "fallback": by_fallback}


def play(terms: Deal, choose: Choose, rng: random.Random, most: int, every: int = 1) -> Pos:
    """Play at most so many rounds, and look closely at every so-manyth position; returns the last position."""
    draws = Impatient(terms, rng)
    position: Pos = GAME.setup(terms, draws).position
    for number in range(most):
        assert_sound(terms, position)
        if number % every == 0:
            assert_answerable(terms, position)
        if not position.pending:
            break
        answers = {}
        for ask in position.pending:
            view = seen(position, ask.seat)
            answers[ask.seat] = choose(terms, view, rng)
            GAME.check(terms, view, answers[ask.seat])
        draws.next_round()
        position = GAME.apply(terms, position, answers, draws).position
    return position


def assert_sound(terms: Deal, position: Pos) -> None:
    """Every piece stands somewhere from where it can go on, alone on a small field; who is in a goal is home."""
    board, public = Board(terms.edition), position.public
    places = [piece for player in public.players for piece in player.pieces if piece.at in board.fields]
    small = [p.at for p in places if not board.is_decision(p.at) and p.at not in board.goals]
    assert len(small) == len(set(small)), "two pieces on a small field"
    assert public.home == sum(piece.at in board.goals for piece in places), "in a goal, but not home"
    for piece in places:
        if not board.is_decision(piece.at) and not board.is_junction(piece.at) and piece.at not in board.goals:
            assert getattr(board.fields[piece.at], piece.heading), f"no way {piece.heading} from {piece.at}"
    assert (position.result is None) == bool(position.pending)


def assert_answerable(terms: Deal, position: Pos) -> None:
    """The position can be stored and drawn; every choice and the fallback are legal, and can be typed."""
    assert codec.decode(codec.encode(position), POSITION, "position") == position
    for ask in position.pending[:2]:
        view = seen(position, ask.seat)
        moves = [choice.move for choice in GAME.legal(terms, view)]
        assert moves
        for move in (*moves, GAME.fallback(terms, view)):
            GAME.check(terms, view, move)
            assert GAME.parse(terms, view, GAME.text(move)) == move
    assert_drawn(terms, position, position.public.turn)


def assert_drawn(terms: Deal, position: Pos, seat: int) -> None:
    shown = GAME.draw(terms, seen(position, seat), NAMES[: terms.seats], lambda text, style: text)
    for line in shown.split("\n"):
        assert line.isprintable(), f"not fit for a terminal: {line!r}"
        assert sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in line) <= 100


@pytest.mark.parametrize("board", BOARDS)
def test_LO_5_another_board_is_drawn_as_a_list(board: str) -> None:
    terms = accepted(BOARDS[board](), 3)
    assert not layout(terms.edition.fields)
    position = play(terms, by_random, random.Random(board), 40)
    shown = GAME.draw(terms, seen(position, 0), NAMES[:3], lambda text, style: text)
    found = [piece for player in position.public.players for piece in player.pieces if piece.at in terms.edition.by_id]
    assert found
    for piece in found:
        assert any(line.startswith(f"{piece.at:<12} ") for line in shown.split("\n"))


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("board", BOARDS)
def test_LO_5_whole_games_on_another_board_end(board: str, player: str, seats: int) -> None:
    for variant, options in VARIANTS.items():
        terms = accepted(BOARDS[board](), seats, **options)
        rng = random.Random(f"{board}/{player}/{seats}/{variant}")
        assert play(terms, PLAYERS[player], rng, ROUNDS, 25).result is not None


@pytest.mark.parametrize("rows", range(1, 6))
def test_LO_5_whole_games_on_towers_of_any_size_end(rows: int) -> None:
    rng = random.Random(rows)
    for seats in range(2, 9):
        data = random_tower(rng, rows)
        terms = accepted(data, seats, **VARIANTS[rng.choice(list(VARIANTS))])
        for choose in PLAYERS.values():
            assert play(terms, choose, rng, ROUNDS, 40).result is not None


# --- editions changed at random ---------------------------------------------------------------------------------------

KINDS = ("start", "small", "star", "question", "head", "chip", "goal")
EFFECTS = ("forward", "back", "again", "miss", "reserve", "decision", "swap", "lose", "nothing")
WAYS = ("left", "right", "up", "down")
IDS = (
    "a",
    "A" * 12,
    "A" * 13,
    "",
    "reserve",
    "out",
    "@1",
    "S",
    "Z1",
    "愛" * 12,
    "piece 2",
    "e\u0301" * 6,
    " ",
    "'\"\\",
)
TEXTS = ("", "x" * 200, "x" * 201, "@0 and @7", "愛" * 100, "a, b; c: d", "\u202eback", "two\nlines", "100%% {0} {x}")
NUMBERS = (0, 1, 2, 3, 4, 6, 7, 9, 10, 12, 13, 20, 99, 100, 400, 1000, 1001, -1)
Change = Callable[[Data, random.Random], None]


def _field(data: Data, rng: random.Random) -> dict[str, str]:
    found: dict[str, str] = rng.choice(data["fields"])
    return found


def _where(data: Data, rng: random.Random) -> str:
    """A field to lead to: any, or one where no way back is asked for."""
    special = [field["id"] for field in data["fields"] if field["kind"] in ("start", "goal")]
    return rng.choice([_field(data, rng)["id"], rng.choice(special), "", "nowhere"]) if special else ""


def change_way(data: Data, rng: random.Random) -> None:
    _field(data, rng)[rng.choice(WAYS)] = _where(data, rng)


def change_both_ends(data: Data, rng: random.Random) -> None:
    first, second, way = _field(data, rng), _field(data, rng), rng.choice(WAYS)
    first[way], second[OPPOSITE[way]] = second["id"], first["id"]


def change_kind(data: Data, rng: random.Random) -> None:
    _field(data, rng)["kind"] = rng.choice(KINDS)


def change_kind_a_little(data: Data, rng: random.Random) -> None:
    other = {"small": "star", "star": "small", "question": "head", "head": "question"}
    field = _field(data, rng)
    field["kind"] = other.get(field["kind"], field["kind"])


def change_level(data: Data, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 40))):
        _field(data, rng)["level"] = rng.choice((*LEVELS, "purple" if rng.random() < 0.01 else "blue"))


def rename(data: Data, rng: random.Random) -> None:
    old, new = _field(data, rng)["id"], rng.choice(IDS)
    data["fields"] = [_renamed(field, {old: new}) for field in data["fields"]]


def change_id(data: Data, rng: random.Random) -> None:
    _field(data, rng)["id"] = rng.choice(IDS)


def drop(data: Data, rng: random.Random) -> None:
    data["fields"].remove(_field(data, rng))


def cut_out(data: Data, rng: random.Random) -> None:
    """A field between two others goes, and they become neighbours."""
    field, found = _field(data, rng), {field["id"]: field for field in data["fields"]}
    for way in ("right", "up"):
        first, second = found.get(field.get(OPPOSITE[way], "")), found.get(field.get(way, ""))
        if first and second and first.get(way) == field["id"]:
            first[way], second[OPPOSITE[way]] = second["id"], first["id"]
            data["fields"] = [other for other in data["fields"] if other is not field]
            return


def put_between(data: Data, rng: random.Random) -> None:
    """A new field on a way between two others."""
    first, way = _field(data, rng), rng.choice(WAYS)
    second = next((field for field in data["fields"] if field["id"] == first.get(way)), None)
    if second and second.get(OPPOSITE[way]) == first["id"]:
        kind = rng.choice(["small", "small", "star"]) if way in ("up", "down") else "small"
        new = {"id": f"n{rng.randrange(10**6)}", "kind": kind, "level": first["level"]}
        first[way] = second[OPPOSITE[way]] = new["id"]
        data["fields"].append(new | {way: second["id"], OPPOSITE[way]: first["id"]})


def new_connector(data: Data, rng: random.Random) -> None:
    """From any field a way up or down, with a new field on it, to where no way back is asked for."""
    field, way, name = _field(data, rng), rng.choice(("up", "down")), f"n{rng.randrange(10**6)}"
    if field["kind"] not in ("goal", "start"):
        field[way] = name
        new = {"id": name, "kind": rng.choice(["small", "star"]), "level": field["level"]}
        data["fields"].append(new | {way: _where(data, rng), OPPOSITE[way]: field["id"]})


def new_exit(data: Data, rng: random.Random) -> None:
    """The start field gets another way out."""
    start = next((field for field in data["fields"] if field["kind"] == "start"), {})
    to = _field(data, rng)
    start[rng.choice(("left", "right"))], to["down"] = to["id"], start.get("id", "")


def mix_fields(data: Data, rng: random.Random) -> None:
    rng.shuffle(data["fields"])


def exchange(data: Data, rng: random.Random) -> None:
    """Two fields change places."""
    first, second = _field(data, rng)["id"], _field(data, rng)["id"]
    data["fields"] = [_renamed(f, {first: second, second: first}) for f in data["fields"]]
    for field in data["fields"]:
        field["kind"] = rng.choice(["star", "small"]) if field["kind"] in ("star", "small") else field["kind"]


def change_pieces(data: Data, rng: random.Random) -> None:
    data[rng.choice(("pieces", "pieces_many"))] = rng.choice((*NUMBERS[:10], 1, 2, 9))


def change_suit(data: Data, rng: random.Random) -> None:
    data["suit"] = sorted(rng.randint(rng.random() > 0.05, 99) for _ in range(rng.choice((0, 1, 4, 8, 21))))


def change_chips(data: Data, rng: random.Random) -> None:
    data["chips"] = [rng.randint(1, 99 if rng.random() < 0.9 else 101) for _ in range(rng.choice((8, 9, 9, 9, 10)))]


def change_thresholds(data: Data, rng: random.Random) -> None:
    data["thresholds"][rng.choice(LEVELS)] = rng.choice(NUMBERS)


def change_chance(data: Data, rng: random.Random) -> None:
    card = rng.choice(data["chance"])
    card |= {"count": rng.choice(NUMBERS), "steps": rng.choice(NUMBERS), "effect": rng.choice(EFFECTS)}


def few_chances(data: Data, rng: random.Random) -> None:
    data["chance"] = [
        {
            "id": f"c{n}",
            "effect": rng.choice(EFFECTS),
            "count": rng.randint(0, 3),
            "steps": rng.choice(NUMBERS),
            "text": "",
        }
        for n in range(rng.randint(1, 3))
    ]


def change_success(data: Data, rng: random.Random) -> None:
    rng.choice(data["success"])["again" if rng.random() < 0.3 else "count"] = rng.choice((0, 1, 5, 100, True, False))


def change_words(data: Data, rng: random.Random) -> None:
    card = rng.choice(data["chance"] + data["success"])
    card[rng.choice(("id", "text"))] = rng.choice((*TEXTS, *IDS))
    data["name"] = rng.choice(TEXTS)


BOARD_CHANGES: tuple[Change, ...] = (
    change_way,
    change_both_ends,
    change_kind,
    change_kind_a_little,
    change_level,
    rename,
    change_id,
    drop,
    cut_out,
    cut_out,
    put_between,
    put_between,
    new_connector,
    new_connector,
    new_exit,
    mix_fields,
    exchange,
)
OTHER_CHANGES: tuple[Change, ...] = (
    change_pieces,
    change_suit,
    change_chips,
    change_thresholds,
    change_chance,
    few_chances,
    change_success,
    change_words,
)


def changed(rng: random.Random, changes: Sequence[Change], tried: int) -> Iterator[Deal | RefereeError]:
    """Editions, each one change away from one that was accepted, and what the program makes of them."""
    bases = [lambda: copy(MINE), two_rows, ring, lambda: random_tower(rng, rng.randint(1, 5))]
    data = copy(MINE)
    for number in range(tried):
        if number % 12 == 0:
            data = rng.choice(bases)()
        new = copy(data)
        rng.choice(changes)(new, rng)
        try:
            terms = accepted(new, rng.randint(2, 8), **VARIANTS[rng.choice(list(VARIANTS))])
        except (Malformed, Usage) as error:
            yield error
        else:
            data = new
            yield terms


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("changes", "tried"), [(BOARD_CHANGES, 160), (OTHER_CHANGES, 32)], ids=["board", "material"])
def test_LO_5_what_is_accepted_can_be_played(changes: Sequence[Change], tried: int, seed: int) -> None:
    """Whatever is refused is refused with a message and a next step; all else can be played."""
    rng = random.Random(seed)
    played = refused = 0
    for found in changed(rng, changes, tried):
        if isinstance(found, RefereeError):
            assert found.message
            assert found.next
            refused += 1
        else:
            play(found, rng.choice([by_random, by_random, by_sense, by_fallback]), rng, 60, 6)
            played += 1
    assert played > tried // 4
    assert refused > tried // 8


# --- what must be refused, or work -----------------------------------------------------------------------------------


def with_fields(changes: dict[str, dict[str, str]], drop: str = "", **more: Any) -> Data:
    """The printed edition with some fields changed, some dropped, and other material."""
    data = copy(MINE) | more
    data["fields"] = [
        field | changes.get(field["id"], {}) for field in data["fields"] if field["id"] not in drop.split()
    ]
    return data


def cards(effect: str, steps: int = 0) -> list[Data]:
    return [{"id": effect, "effect": effect, "count": 9, "text": effect, "steps": steps}]


def needed(**levels: int) -> dict[str, int]:
    return copy(MINE)["thresholds"] | levels


def refused(data: Data) -> bool:
    try:
        accepted(data)
    except (Malformed, Usage):
        return True
    return False


def start_leads_to_itself() -> Data:
    return with_fields({"S": {"left": "S"}}, thresholds=needed(yellow=13))


def heads_lead_back_to_the_start() -> Data:
    """Who has no cards left fails on both heads that S leads to, and is on S again."""
    both = {"Y1": {"left": "S"}, "Y1b": {"right": "S"}, "Y4": {"left": "S"}, "Y4b": {"right": "S"}}
    return with_fields(both)


def up_leads_back_to_the_start() -> Data:
    """Whoever must go up at every junction (LO-19) comes back to S from the three on the left."""
    maker = Maker()
    marks = maker.row("r", "jqjqj" + "qj" * 9, (1,), "green")
    for at, decision in enumerate(marks[1::2]):
        maker.way_down(decision, 2, {0: "left", 1: "right"}.get(at, ""))
    for junction in marks[:6:2]:
        maker.fields[junction]["up"] = "S"
    maker.goals(marks[6::2])
    return maker.edition("traps")


def a_question_that_never_fails_left_of_a_head() -> Data:
    """Once four are home, who has no cards is sent to and fro between the two for ever."""
    return ring() | {"thresholds": needed(orange=2)}


def nothing_but_stars_and_bad_cards() -> Data:
    """On every way up are seven stars, and every card leads to the reserve."""
    maker = Maker()
    low, high = maker.row("l", "j" + "qj" * 7, (1,), "green"), maker.row("u", "j" + "qj" * 8, (1,), "blue")
    for junction, above in zip(low[::2], high[1::2], strict=True):
        maker.connector(junction, above, 7, range(7))
    for at, decision in enumerate(low[1::2]):
        maker.way_down(decision, 3, {0: "left", 6: "right"}.get(at, ""))
    maker.goals(high[::2])
    return maker.edition("stars", pieces=1, chance=cards("reserve"))


def hardly_anybody_may_stay() -> Data:
    success = [{"id": "go", "again": True, "count": 399}, {"id": "stay", "again": False, "count": 1}]
    return with_fields({}, success=[card | {"text": ""} for card in success])


def up_leads_round_in_circles() -> Data:
    """Two rows lead up to each other, and only who fails comes down to the goals; once four are home, nobody does."""
    maker = Maker()
    one, two = maker.row("a", "jqqqqqj", (1,), "green"), maker.row("b", "jqqj", (1,), "red")
    last = maker.row("c", "j" + "qj" * 9, (1,), "blue")
    maker.way_down(one[1], 2, "left")
    maker.way_down(one[5], 2, "right")
    ends = (one[0], one[-1], two[0], two[-1], last[0])
    for junction, above in zip(ends, (two[1], two[2], one[2], one[4], one[3]), strict=True):
        maker.connector(junction, above, 1, ())
    for decision in last[1::2]:
        maker.way_down(decision, 1)
    maker.goals(last[2::2])
    return maker.edition("circles")


ENDLESS: tuple[Any, ...] = (
    (start_leads_to_itself, 3),
    (heads_lead_back_to_the_start, 2),
    (up_leads_back_to_the_start, 2),
    (a_question_that_never_fails_left_of_a_head, 3),
    (nothing_but_stars_and_bad_cards, 2),
    (hardly_anybody_may_stay, 2),
    (up_leads_round_in_circles, 3),
)


@pytest.mark.parametrize(("make", "seats"), ENDLESS, ids=lambda value: getattr(value, "__name__", ""))
def test_LO_5_a_board_on_which_a_game_has_no_end_is_refused(make: Callable[[], Data], seats: int) -> None:
    if refused(data := make()):
        return
    terms = accepted(data, seats)
    for seed in range(8):
        for choose in (by_sense, by_random):
            assert play(terms, choose, random.Random(seed), ROUNDS, ROUNDS).result is not None


def test_LO_6_a_piece_on_a_star_at_the_end_of_a_lane_can_go_forward() -> None:
    data = with_fields({"Y1j": {"kind": "star", "down": "S"}}, chance=cards("forward", 1))
    if refused(data):
        return
    for seed in range(8):
        play(accepted(data), by_fallback, random.Random(seed), 400, 400)


def test_LO_17_nobody_comes_to_a_goal_without_a_success_card() -> None:
    """Back from a star whose way down is a goal: the piece is in the goal, but neither home nor in play."""
    data = with_fields({"SB5": {"kind": "star", "down": "Z5"}}, "SB1 SB2 SB3 SB4", chance=cards("back", 1))
    if refused(data):
        return
    for seed in range(8):
        play(accepted(data, 3), by_random, random.Random(seed), 400, 400)


def test_LO_6_back_from_a_connector_leads_to_a_field() -> None:
    data = with_fields({"Y2j": {"down": "Z1"}})
    assert refused(data) or Board(read(data)).back("Y2u", "right", 3).at == "Y1c"


def test_LO_6_back_from_a_connector_leads_along_the_side_the_piece_came_from() -> None:
    data = with_fields({"Y2j": {"down": "S"}})
    assert refused(data) or Board(read(data)).back("Y2u", "right", 2).at == "Y1d"


def test_LO_10_who_comes_from_the_start_field_comes_from_below() -> None:
    data = with_fields({"S": {"left": "Y1"}, "Y1": {"down": "S"}}, "SA1 SA2 SA3 SA4 SA5")
    if refused(data):
        return
    board = Board(read(data))
    leg = board.run("S", "left", 3)
    assert (leg.at, leg.left) == ("Y1", 2)
    assert board.directions(leg.at, leg.heading, False) == ("right", "left")


@pytest.mark.parametrize(("way", "name"), [("\x1b[31mred", "x"), ("x" * 10_000, "x"), ("x", "x" * 10_000)])
def test_LO_5_a_refusal_is_short_and_fit_for_a_terminal(way: str, name: str) -> None:
    with pytest.raises((Malformed, Usage)) as caught:
        accepted(with_fields({"S": {"left": way}}, name=name))
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 400


def test_sensible_players_come_home_whatever_a_chip_is_worth() -> None:
    for seed in range(6):
        terms = accepted(ring() | {"chips": [9, 9, 99, 1, 1, 2, 50, 7, 8]}, 2, neue_ziele=True, hinterlistig=True)
        assert play(terms, by_sense, random.Random(seed), ROUNDS, ROUNDS).result is not None


def test_LO_2_the_picture_shows_all_cards_in_hand() -> None:
    data = with_fields({}, suit=list(range(80, 100)), pieces=9)
    if refused(data):
        return
    terms = accepted(data)
    position = GAME.setup(terms, Impatient(terms, random.Random(1))).position
    shown = GAME.draw(terms, seen(position, 0), NAMES[:2], lambda text, style: text)
    assert all(str(card) in shown.split("── Players")[1] for card in terms.edition.suit)
