"""The search for leaks: compare everything that a seat gets in worlds that differ only in what it may not know."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from referee import games
from referee.engine import records as r
from referee.errors import RefereeError
from referee.language import NOTHING, Message, Text, Value, quoted, t
from referee.testing.signed import Round, Seating, play_signed, questions
from referee.testing.subject import Setup, Subject
from referee.testing.worlds import (
    FACTS,
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
    revealed_by,
)

HORIZON = 3
"""Rounds to play in each world: a leak can show later."""
PATIENCE = 4
"""Consecutive games without anything hidden, after which the search gives up."""
PER_CHOICE = 3
"""Worlds for each random round and watching seat."""


class Leak(RefereeError):
    """A seat gets something that depends on what it may not know."""

    exit = 6

    def __init__(self, message: Message) -> None:
        super().__init__(
            t("a leak: {message}", message=message),
            t("what a player gets must not depend on this: keep no state between calls"),
            code="leak",
        )


class Difference(NamedTuple):
    """What differs between two worlds."""

    after: int
    """Rounds since the worlds differ."""
    what: str
    """What the seat gets: one of `FACTS`."""
    place: str
    """Where in it, if it has parts."""
    mine: object
    theirs: object


class Found(msgspec.Struct):
    """The result of a search. `leak` describes the first difference; it is empty if there is none."""

    game: str
    games: int = 0
    """Games that were played."""
    worlds: int = 0
    """Worlds that were compared."""
    differed: int = 0
    """Of these, those with different secrets for at least one whole round."""
    comparisons: int = 0
    parted: int = 0
    """Worlds that took another course when a difference was lawfully shown; they were compared up to there."""
    impossible: int = 0
    """Worlds in which a seat could not have answered as in the game; not counted as compared."""
    leak: Message = NOTHING

    def lines(self) -> tuple[Text, Text]:
        """What was compared."""
        compared = t("{game}: {differed} worlds that really differed ({worlds} compared, {parted} went another way "
                     "lawfully, {impossible} were impossible)", game=self.game, differed=self.differed,
                     worlds=self.worlds, parted=self.parted, impossible=self.impossible)  # fmt: skip
        return compared, t.plural("{comparisons} comparisons in {n} game", "{comparisons} comparisons in {n} games",
                                  self.games, comparisons=self.comparisons)  # fmt: skip


def search(game_id: str, worlds: int = 60, seed: str = "", patience: int = PATIENCE) -> Found:
    """Compare worlds until this many differed, or no more can be found."""
    subject = Subject(game_id)
    clean = Clean(games.module_of(game_id))
    found = Found(game_id)
    low, high = subject.game.seats
    most, fruitless = 3 * worlds + 30, 0
    while found.differed < worlds and found.worlds + found.impossible < most and not found.leak:
        seats = min(high, max(low, 3 + found.games % 2))
        name = f"{seed} leaks {game_id} {found.games}"
        seating = Seating(subject, Setup(seats), name)
        odd = bool(found.games % 2)
        rounds, _ = play_signed(seating, name, late=0.05 * odd, words=odd)
        found.games += 1
        before = found.worlds + found.impossible
        for _ in _search_game(subject, seating, rounds, clean, found, random.Random(name)):
            tried = found.worlds + found.impossible - before
            if found.leak or found.differed >= worlds or tried >= max(20, worlds // 3):
                break
        fruitless = fruitless + 1 if found.worlds + found.impossible == before else 0
        if fruitless == patience:
            break
    clean.restore()
    return found


def _search_game(
    subject: Subject, seating: Seating, rounds: Sequence[Round], clean: Clean, found: Found, rng: random.Random
) -> Iterator[None]:
    """Search one game: each round once, in random order, watched by a random seat."""
    places = list(range(len(rounds)))
    rng.shuffle(places)
    for at in places:
        watcher, here = rng.randrange(seating.table.seats), rounds[at : at + HORIZON]
        if not _has_secrets(here[0], watcher):
            continue
        seed = f"{at} {watcher}"
        clean.restore()
        control = World(seating, here, watcher, Change(), ())
        try:
            usual = list(control.play(seed, subject.words))
        except Unreadable as error:
            found.leak = _unreadable(watcher, control, error)
            yield
            return
        for _ in range(PER_CHOICE):
            change = _change(subject, here[0], control, rng)
            if change is None:
                break
            clean.restore()
            world = World(seating, here, watcher, change, control.entries)
            try:
                difference = _compare(usual, world.play(seed, subject.words), found)
                found.leak = _describe(watcher, here[0], difference) if difference else NOTHING
            except Impossible:
                found.impossible += 1
            except Unreadable as error:
                found.leak = _unreadable(watcher, world, error)
            yield


def _has_secrets(first: Round, watcher: int) -> bool:
    """Whether anything is hidden from this seat."""
    sealed = any(ask.sealed for seat, ask in questions(first.before).items() if seat != watcher and seat in first.moves)
    return sealed or bool(hidden_slots(first.before, watcher))


def _describe(watcher: int, first: Round, found: Difference) -> Message:
    """A difference in words."""
    details: dict[str, Value] = {
        "seat": watcher + 1,
        "round": first.before.state.round + found.after,
        "what": FACTS[found.what],
        "mine": quoted(str(found.mine)[:200]),
        "theirs": quoted(str(found.theirs)[:200]),
    }
    if found.place:
        details["place"] = found.place
        return t(
            "seat {seat}, round {round}: {what}, at `{place}`: {mine} in one world, {theirs} in another", **details
        )
    return t("seat {seat}, round {round}: {what}: {mine} in one world, {theirs} in another", **details)


def _unreadable(watcher: int, world: World, why: Unreadable) -> Message:
    seat, round = watcher + 1, world.match.state.round
    return t("seat {seat}, round {round}: what it gets does not pass its own checks: {why}",
             seat=seat, round=round, why=why.message)  # fmt: skip


def _change(subject: Subject, first: Round, control: World, rng: random.Random) -> Change | None:
    """A world that the watching seat cannot tell from the game; None if there is none."""
    match, watcher = first.before, control.watcher
    opened, fields = revealed_by(control.entries)
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


def _compare(usual: Sequence[Facts], world: Iterator[Facts], found: Found) -> Difference | None:
    """Compare round by round until the world lawfully takes another course; returns the first difference."""
    whole, difference = 0, None
    for after, (expected, got) in enumerate(zip(usual, world, strict=True)):
        if after:
            away, difference = _diverged(after, expected, got)
            if away:
                found.parted += 1
                break
            whole += not difference
        if not difference:
            found.comparisons += len(expected)
            difference = _first(expected, got, after)
        if difference:
            break
    found.worlds += 1
    found.differed += whole > 0
    return difference


def _diverged(after: int, expected: Facts, got: Facts) -> tuple[bool, Difference | None]:
    """Whether the world took another course because a difference was shown, and any difference before that."""
    if "operations" not in expected or "operations" not in got:
        return False, None
    for mine, theirs in zip(expected["operations"], got["operations"], strict=False):
        if mine == theirs:
            continue
        if _public_part(mine) == _public_part(theirs):
            return True, None
        return False, _first(mine, theirs, after, "operations")
    slots = [[slot for slot, _ in facts["told"]] for facts in (expected, got)]
    return slots[0] == slots[1] and expected["told"] != got["told"], None


def _public_part(op: Facts) -> Facts:
    """The part of an operation that must be the same whatever is hidden: slots of `take`, faces of `lay-out`, the
    number of `give`, the names of fields of `unseal`, nothing of what `seek` and `lay-out-all` find."""
    match op["op"]:
        case "take":
            return op | {"tokens": [token["slot"] for token in op["tokens"]]}
        case "lay-out":
            return op | {"tokens": [token["face"] for token in op["tokens"]]}
        case "lay-out-all":
            return op | {"tokens": ()}
        case "give":
            return op | {"slots": len(op["slots"])}
        case "seek":
            return op | {"slots": ()}
        case "unseal":
            return op | {"fields": sorted(op["fields"])}
    return op


def _first(mine: object, theirs: object, after: int, *path: str) -> Difference | None:
    """The first difference of two plain values."""
    if mine == theirs:
        return None
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key in [*mine, *theirs]:
            if mine.get(key) != theirs.get(key):
                return _first(mine.get(key), theirs.get(key), after, *path, str(key))
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        for at, (one, other) in enumerate(zip(mine, theirs, strict=True), 1):
            if one != other:
                return _first(one, other, after, *path, str(at))
    what, *place = path
    return Difference(after, what, ".".join(place), mine, theirs)


def nothing_leaks(subject: Subject) -> None:
    """A short search for leaks finds none."""
    found = search(subject.game_id, 3 if subject.quick else 40, patience=1 if subject.quick else PATIENCE)
    assert not found.leak, f"a leak: {found.leak}"
