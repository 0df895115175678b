"""Moves from moves as data, in JavaScript: what it builds is what the program builds, and legal in all games."""

import json
import random
from typing import Any

import msgspec
import pytest

from referee.crypto.codec import encode
from referee.forms import Moves
from referee.games import game_ids
from referee.testing.subject import Subject
from tests.independent.test_moves import Maker, any_values, check_legal, described, example, program, read, rows, same

from .node import HERE, run_node


def _built(asked: list[Any]) -> list[Any]:
    done = run_node(HERE / "forms.mjs", given="".join(encode(one).decode() + "\n" for one in asked))
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.strip().split("\n")]
    assert len(answers) == len(asked)
    return answers


def _moves(choice: Any) -> Any:
    return {"asked": "", "choices": [choice], "round": 1, "standing": None}


def test_the_example_in_the_document() -> None:
    cases, moves = rows(), msgspec.to_builtins(example())
    answers = _built([{"moves": moves, "values": values} for values, _ in cases])
    assert [json.loads(one["move"]) if "move" in one else None for one in answers] == [move for _, move in cases]
    assert [one["code"] for one in answers if "move" not in one] == ["no-move"] * 5


@pytest.mark.thorough
def test_families_of_all_kinds_are_built_as_the_program_does() -> None:
    rng, cases = random.Random("families in JavaScript"), []
    for _ in range(1500):
        choice = Maker(rng).family()
        cases += [(choice, any_values(choice, rng)) for _ in range(3)]
    answers = _built([{"moves": _moves(choice), "values": values} for choice, values in cases])
    built = 0
    for (choice, values), answer in zip(cases, answers, strict=True):
        ours = program(read(choice), values)
        assert answer.get("move") == (None if ours is None else encode(ours).decode()), (choice, values, answer)
        built += ours is not None
    assert 500 < built < 4000


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", game_ids())
def test_what_is_built_is_legal_and_spelled_as_the_game_does(game_id: str) -> None:
    subject, asked, places = Subject(game_id, most=4), [], []
    for number, moment in enumerate(subject.moments(40, "javascript")):
        for ask in moment.asks[:2]:
            for choice in described(moment, subject, ask.seat):
                asked += [{"moves": _moves(choice), "guess": number * 10 + again} for again in range(3)]
                places += [(moment, ask.seat)] * 3
    built = 0
    for (moment, seat), answer in zip(places, _built(asked), strict=True):
        if "move" in answer:
            built += 1
            move = json.loads(answer["move"])
            assert encode(move).decode() == answer["move"]
            check_legal(subject, moment, seat, move)
    assert built > 200


def _family(form: Any, *parts: Any, **more: Any) -> Any:
    return _moves({"text": "x", "move": {}, "form": form, "parts": parts, **more})


def _part(kind: str, **more: Any) -> Any:
    return {"type": kind, "name": "a", "ask": "", **more}


NUMBER = _part("number", low=0, high=1)
HOSTILE = [
    {},
    _moves({"text": "x"}),
    _moves({"text": "x", "move": 7}),
    _family({}, _part("spell")),
    _family({"a": {"$": "b"}}, NUMBER),
    _family({"$": "a"}, NUMBER, NUMBER),
    _family({}, NUMBER, limits=[{"terms": [{"part": "toString"}]}]),
    _family({}, _part("pick", options=[{"text": "b", "when": [{"part": "a"}]}])),
    _family([], NUMBER),
    _family({}, _part("amounts", most={"b": -1})),
    _family({}, NUMBER, at="colour:red"),
    _family({}, NUMBER, at=["red"]),
    _family({}, NUMBER, at=["colour:red\n"]),
    _family({}, _part("pick", options=[{"text": "b", "at": "colour:" + "e" * 54}])),
    _family({}, _part("amounts", most={"b": 1}, at={"b": 'colour:"red"'})),
    _family({}, _part("ranking", names=["b"], least=0, at=["colour:red"])),
]


def test_an_invalid_description_is_refused() -> None:
    answers = _built([{"moves": moves, "values": {"a": 0}} for moves in HOSTILE])
    assert [one.get("code") for one in answers] == ["malformed"] * len(HOSTILE)


def test_marks_are_read_and_change_nothing_that_is_built() -> None:
    pick = {"type": "pick", "name": "a", "ask": "", "options": [{"text": "b", "value": 7, "at": "e" * 53 + ":Aa.-_9"}]}
    amounts = {"type": "amounts", "name": "c", "ask": "", "most": {"d": 1}, "at": {"d": "card:d"}}
    ranking = {"type": "ranking", "name": "f", "ask": "", "names": ["g"], "least": 0, "at": {"g": "row:1:2"}}
    holes = {name: {"$": name} for name in "acf"}
    moves = _family(holes, pick, amounts, ranking, at=["field:1", "field:2"])
    assert msgspec.convert(moves, Moves).choices[0].at == ("field:1", "field:2")  # as the program reads it
    (answer,) = _built([{"moves": moves, "values": {"a": "b", "c": {"d": 1}, "f": ["g"]}}])
    assert json.loads(answer["move"]) == {"a": 7, "c": {"d": 1}, "f": ["g"]}


def test_names_that_mean_something_in_javascript_are_names() -> None:
    part = {"type": "amounts", "name": "constructor", "ask": "", "most": {"__proto__": 2, "toString": 1}}
    choice = {"text": "x", "move": {}, "form": {"__proto__": {"$": "constructor"}}, "parts": [part]}
    cases = [{"constructor": {"__proto__": 2}}, {"constructor": {"valueOf": 1}}, {"constructor": {"toString": 2}}, {}]
    answers = _built([{"moves": _moves(choice), "values": values} for values in cases])
    assert [one.get("move") for one in answers] == ['{"__proto__":{"__proto__":2}}', None, None, None]
    assert same(program(read(choice), cases[0]), {"__proto__": {"__proto__": 2}})
