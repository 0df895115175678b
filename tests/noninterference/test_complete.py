"""The other half of privacy: a player does get everything that player may know. And the comparison is not blind."""

import pytest

from referee import games
from referee.crypto import slots
from referee.crypto.codec import encode
from referee.engine.player import open_view, seen_in
from referee.engine.records import Seal, Take
from referee.engine.rounds import who_is_asked
from referee.engine.view import make_view
from referee.game import seen
from referee.show.terminal import choices

from .worlds import Record, World, compare, facts, ideal, sit_down, snapshot, unknown_slots

GAMES = [(game_id, seats) for game_id in games.game_ids() for seats in sorted({*games.load(game_id).seats, 3})]


@pytest.fixture(params=GAMES, ids=str)
def record(request: pytest.FixtureRequest) -> Record:
    """A real game, with real commitments."""
    game_id, seats = request.param
    return Record(sit_down(game_id, seats, "complete"), "complete", late=0.05)


def test_every_view_holds_all_that_its_player_may_know(record: Record) -> None:
    face = record.world.faces()
    told: list[list[tuple[str, str]]] = [[] for _ in record.seated.keys]
    for number, state in enumerate(record.states):
        if number:
            for slot, seats in told_in(record, number):
                told[seats].append((slot, face[slot]))
        for seat in range(len(record.seated.keys)):
            opened = open_view(make_view(record.at(number), seat))
            assert [(token.slot, token.face) for token in opened.private.openings] == told[seat]
            assert opened.private.ask == who_is_asked(state).get(seat)
            assert len(opened.view.entries) == number
            if number == 0:
                continue
            assert seen_in(opened) == seen(state.position, seat)
            asked = opened.private.ask is not None and not state.witness
            terms = record.world.match.table.terms
            legal = record.world.match.table.game.legal(terms, seen(state.position, seat)) if asked else ()
            assert [encode(choice) for choice in choices(opened)] == [encode(choice) for choice in legal]
            assert bool(legal) == asked


def told_in(record: Record, number: int) -> list[tuple[str, int]]:
    """Slots, and whom they were shown, by the public record of a round."""
    found = []
    for op in record.entry(number).ops:
        if isinstance(op, Take) and op.to >= 0:
            found += [(token.slot, op.to) for token in op.tokens if not token.leafless]
        if isinstance(op, Seal) and op.owner >= 0:
            found += [(slots.slot_id(op.bag, op.generation, i), op.owner) for i in range(len(op.leaves))]
    return found


def test_everybody_gets_the_same_entries(record: Record) -> None:
    for number in range(1, len(record.states), 7):
        views = [open_view(make_view(record.at(number), seat)) for seat in range(len(record.seated.keys))]
        assert len({encode(opened.view.entries) for opened in views}) == 1
        assert len({bytes(opened.view.public) for opened in views}) == 1


def test_an_answer_that_waits_changes_nobodys_view(record: Record) -> None:
    """What the others sent in the open round shows in no view, not even that it came."""
    again = World(record.seated)
    seats = range(len(record.seated.keys))
    waited = 0
    for number, played in enumerate(record.rounds, 1):
        before = [make_view(again.match, seat) for seat in seats]
        for who, _, data in played.answers:
            if again.match.state.round == number - 1:
                assert [make_view(again.match, seat) for seat in seats] == before
            if data:
                again.take(data)
                waited += 1
            else:
                again.miss(who)
    assert again.match.entries == record.world.match.entries
    assert waited


@pytest.mark.parametrize("game_id", ["auction", "schwarzer-freitag"])
def test_what_the_player_does_know_makes_a_difference(game_id: str) -> None:
    """The same comparison, with a slot that was shown to the player: it must not pass as equal."""
    seated = sit_down(game_id, 3, "own")
    with ideal(seated):
        record = Record(seated, "own", most=1)
        face, unknown = record.world.faces(), unknown_slots(record, 0, 1)
        mine = [t.slot for op in record.entry(1).ops if isinstance(op, Take) and op.to == 0 for t in op.tokens]
        for slot in mine:
            other = next(name for name in unknown if face[name] != face[slot])
            assert compare(record, 0, [(slot, other)]).stopped == "a slot that differs was drawn"
            world = World(seated, [(slot, other)], twin=record.world)
            for _, _, data in record.rounds[0].answers:
                world.take(data)
            got = facts(seated, snapshot(world.match, world.match.state, 1), 0, record.pool, deep=True)
            expected = record.facts(1, 0, deep=True)
            assert {name for name in got if got[name] != expected[name]} >= {"view", "private", "known", "show"}


def test_ideal_commitments_change_nothing_but_the_commitments() -> None:
    """With real commitments the same pair differs in every view: so it is them that `ideal` takes out of the way."""
    seated = sit_down("schwarzer-freitag", 3, "real")
    record = Record(seated, "real", most=1)
    face, unknown = record.world.faces(), unknown_slots(record, 0, 1)
    pair = [(unknown[0], next(slot for slot in unknown if face[slot] != face[unknown[0]]))]
    (wrong,) = {one.split(" at ")[0] for one in compare(record, 0, pair).differences if "view" in one}
    assert wrong == "round 1: view"
    with ideal(seated):
        record = Record(seated, "real", most=1)
        assert compare(record, 0, pair) == (1, (), "the end")
