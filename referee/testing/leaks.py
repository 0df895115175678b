"""The search for leaks: worlds that differ only in what a seat may not know, compared in everything that seat gets."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from referee import games
from referee.engine import records as r
from referee.errors import RefereeError
from referee.testing.signed import Round, Seating, play_signed, questions
from referee.testing.subject import Subject, Way
from referee.testing.worlds import (
    Change,
    Clean,
    Facts,
    Impossible,
    Unreadable,
    World,
    changed,
    hidden_slots,
    other_answer,
    other_faces,
    shown,
)

HORIZON = 3
"""Rounds that a world is played on: what does not show at once can show later."""
PATIENCE = 4
"""Games running in which nothing was found that could differ."""
PER_CHOICE = 3
"""Worlds for each round and watching seat that chance picks."""


class Leak(RefereeError):
    """A seat gets something that depends on what it may not know."""

    exit = 6

    def __init__(self, message: str) -> None:
        super().__init__(
            f"a leak: {message}", "what a player gets must not depend on this: keep no state between calls", code="leak"
        )


class Found(msgspec.Struct):
    """What a search found. `leak` is the first difference in plain words, empty if there is none."""

    game: str
    games: int = 0
    """Games that were played to look into."""
    worlds: int = 0
    """Worlds that were compared."""
    differed: int = 0
    """Of these, those whose secrets really were different while at least one whole round was compared."""
    comparisons: int = 0
    parted: int = 0
    """Worlds that went another way when something that differs was lawfully shown; they were compared up to there."""
    impossible: int = 0
    """Worlds in which somebody could not have answered as in the game: not counted as compared."""
    leak: str = ""


def search(game_id: str, worlds: int = 60, seed: str = "") -> Found:
    """Compare worlds until so many really differed, or there are no more to be found."""
    subject = Subject(game_id)
    clean = Clean(games.module_of(game_id))
    found = Found(game_id)
    low, high = subject.game.seats
    most, fruitless = 3 * worlds + 30, 0
    while found.differed < worlds and found.worlds + found.impossible < most and not found.leak:
        seats = min(high, max(low, 3 + found.games % 2))
        name = f"{seed} leaks {game_id} {found.games}"
        seating = Seating(subject, Way(seats), name)
        odd = bool(found.games % 2)
        rounds, _ = play_signed(seating, name, late=0.05 * odd, words=odd)
        found.games += 1
        before = found.worlds + found.impossible
        for _ in _hunt(subject, seating, rounds, clean, found, random.Random(name)):
            tried = found.worlds + found.impossible - before
            if found.leak or found.differed >= worlds or tried >= max(20, worlds // 3):
                break
        fruitless = fruitless + 1 if found.worlds + found.impossible == before else 0
        if fruitless == PATIENCE:
            break
    clean.restore()
    return found


def _hunt(
    subject: Subject, seating: Seating, rounds: Sequence[Round], clean: Clean, found: Found, rng: random.Random
) -> Iterator[None]:
    """Look into one game: each round once, in random order, watched by a random seat."""
    places = list(range(len(rounds)))
    rng.shuffle(places)
    for at in places:
        watcher, here = rng.randrange(seating.table.seats), rounds[at : at + HORIZON]
        if not _hides(here[0], watcher):
            continue
        seed = f"{at} {watcher}"
        clean.restore()
        control = World(seating, here, watcher, Change(), ())
        try:
            usual = list(control.play(seed, subject.words))
        except Unreadable as error:
            found.leak = f"seat {watcher + 1}, round {control.match.state.round}: {error}"
            yield
            return
        for _ in range(PER_CHOICE):
            change = _change(subject, here[0], control, rng)
            if change is None:
                break
            clean.restore()
            world = World(seating, here, watcher, change, control.entries)
            try:
                _compare(usual, world.play(seed, subject.words), found)
            except Impossible:
                found.impossible += 1
            except Unreadable as error:
                found.leak = f"{len(world.entries)} {error}"
            if found.leak:
                found.leak = f"seat {watcher + 1}, {_place(here[0], found.leak)}"
            yield


def _hides(first: Round, watcher: int) -> bool:
    """Whether there is anything that this seat may not know."""
    sealed = any(ask.sealed for seat, ask in questions(first.before).items() if seat != watcher and seat in first.moves)
    return sealed or bool(hidden_slots(first.before, watcher))


def _place(first: Round, what: str) -> str:
    number, _, words = what.partition(" ")
    return f"round {first.before.state.round + int(number)}: {words}"


def _change(subject: Subject, first: Round, control: World, rng: random.Random) -> Change | None:
    """A world that the watching seat cannot tell from the game; None if there is none."""
    match, watcher = first.before, control.watcher
    opened, fields = shown(control.entries)
    free = [slot for slot in hidden_slots(match, watcher) if slot not in opened | control.told]
    faces = other_faces(match, free, rng)
    asks = questions(match)
    others = [seat for seat, move in first.moves.items() if move is not None and seat != watcher and asks[seat].sealed]
    rng.shuffle(others)
    for seat in others:
        fixed = {name for name in asks[seat].sealed if (seat, name) in fields} | _used(control.entries, seat)
        if set(asks[seat].sealed) <= fixed:
            continue
        move = other_answer(changed(match, faces), asks[seat], first.moves[seat], fixed, subject.words, rng)
        if move is not None:
            return Change(faces, seat, move)
    return Change(faces) if faces else None


def _used(entries: Sequence[r.Entry], seat: int) -> set[str]:
    """Sealed fields of a seat that name tokens: they differ with the tokens."""
    ops = (op for entry in entries for op in entry.ops)
    return {op.field for op in ops if isinstance(op, r.Give | r.Seek) and op.seat == seat}


def _compare(usual: Sequence[Facts], world: Iterator[Facts], found: Found) -> None:
    """Compare round by round, until the world lawfully goes another way."""
    whole = 0
    for number, (expected, got) in enumerate(zip(usual, world, strict=True)):
        if number == 0:
            found.comparisons += len(expected)
            found.leak = _difference(number, expected, got)
        else:
            away, found.leak = _parted(number, expected, got)
            if away:
                found.parted += 1
                break
            if not found.leak:
                whole += 1
                found.comparisons += len(expected)
                found.leak = _difference(number, expected, got)
        if found.leak:
            break
    found.worlds += 1
    found.differed += whole > 0


def _parted(number: int, expected: Facts, got: Facts) -> tuple[bool, str]:
    """Whether the world went another way because something that differs was shown; a difference before that."""
    if "operations" not in expected or "operations" not in got:
        return False, ""
    for mine, theirs in zip(expected["operations"], got["operations"], strict=False):
        if mine == theirs:
            continue
        if _bare(mine) == _bare(theirs):
            return True, ""
        return False, f"{number} {_first(mine, theirs, 'operations')}"
    slots = [[slot for slot, _ in facts["told"]] for facts in (expected, got)]
    return slots[0] == slots[1] and expected["told"] != got["told"], ""


def _bare(op: Facts) -> Facts:
    """An operation as far as it must be the same whatever is hidden: `take` shows the faces of the slots that the seed
    picks, `lay-out` names faces, `give` a number, `seek` and `lay-out-all` what there is, `unseal` fields."""
    made = dict(op)
    if op["op"] == "take":
        made["tokens"] = [token["slot"] for token in op["tokens"]]
    elif op["op"] == "lay-out":
        made["tokens"] = [token["face"] for token in op["tokens"]]
    elif op["op"] == "lay-out-all":
        made["tokens"] = ()
    elif op["op"] == "give":
        made["slots"] = len(op["slots"])
    elif op["op"] == "seek":
        made["slots"] = ()
    elif op["op"] == "unseal":
        made["fields"] = sorted(op["fields"])
    return made


def _difference(number: int, expected: Facts, got: Facts) -> str:
    found = _first(expected, got, "")
    return f"{number} {found}" if found else ""


def _first(mine: Any, theirs: Any, path: str) -> str:
    """The first difference of two plain values, in words; empty if there is none."""
    if mine == theirs:
        return ""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key in [*mine, *theirs]:
            if mine.get(key) != theirs.get(key):
                return _first(mine.get(key), theirs.get(key), f"{path}, {key}" if path else str(key))
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        for at, (one, other) in enumerate(zip(mine, theirs, strict=True), 1):
            if one != other:
                return _first(one, other, f"{path} {at}")
    return f"{path}: {str(mine)[:200]!r} in one world, {str(theirs)[:200]!r} in another"


def nothing_leaks(subject: Subject) -> None:
    """A sample of the search for leaks finds none."""
    found = search(subject.game_id, 40)
    assert not found.leak, f"a leak: {found.leak}"
