"""Checks of moves as data: what `legal` describes can be built and is legal, and what is legal is described."""

import random
from collections.abc import Iterator, Sequence

import msgspec

from referee.crypto.codec import encode
from referee.errors import IllegalMove
from referee.forms import Amounts, Choice, Free, Number, Pick, build, fault, find, sample
from referee.testing.playing import check_text
from referee.testing.subject import Question, Subject
from referee.testing.values import any_value, mutated, type_info, with_other_fields

MOST_BYTES = 200_000
"""A description is sent to other programs in one piece."""
SAMPLES = 6
"""Moves to build from one family at one moment."""
TRIES = 4_000
"""Moves to search for, at all moments together."""

Json = object


def plain(value: object) -> Json:
    """A value as its JSON reads back."""
    return msgspec.json.decode(encode(value))


def choices_build_legal_moves(subject: Subject) -> None:
    """Random moves of each family are the canonical JSON of legal moves and read back from their text; each example
    belongs to its family; the description is well-formed and not too long."""
    rng = random.Random(f"families {subject.game_id}")
    for asked in subject.questions(80, "families"):
        choices = description_is_in_form(str(asked), asked.legal())
        for choice in rng.sample(choices, min(12, len(choices))):
            for move in _built(str(asked), choice, rng):
                _check_built(asked, choice, move)


def description_is_in_form(where: str, choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """The description is data of bounded size, and no part refers to something that does not exist. Returns it as
    another program reads it."""
    data = encode(choices)
    assert len(data) <= MOST_BYTES, f"{where}: the description has {len(data)} bytes, {MOST_BYTES} are allowed"
    again: tuple[Choice, ...] = msgspec.json.decode(data, type=tuple[Choice, ...])
    assert encode(again) == data, f"{where}: the description does not read back"
    for choice in again:
        name = f"{where}: `{choice.text}`"
        _parts_are_in_form(name, choice)
        assert find(choice, choice.move) is not None, f"{name}: the example {choice.move} is none of its family"
    return again


def _parts_are_in_form(where: str, choice: Choice) -> None:
    names = [part.name for part in choice.parts]
    assert bool(names) == (choice.form is not None), f"{where}: a family has a form, a single move has none"
    assert len(set(names)) == len(names), f"{where}: two parts have the same name"
    holes = set(_holes(choice.form))
    strange = ", ".join(sorted(holes - set(names)))
    assert not strange, f"{where}: no part fills the hole {strange}"
    idle = ", ".join(part.name for part in choice.parts if part.name not in holes and not isinstance(part, Pick))
    assert not idle, f"{where}: {idle} fills no hole"
    for at, part in enumerate(choice.parts):
        assert part.ask.strip(), f"{where}: the part {part.name} asks nothing"
        assert part.ask.isprintable(), f"{where}: the part {part.name} cannot be printed"
        if isinstance(part, Amounts) and part.listed:
            assert sorted(part.listed) == sorted(part.most), f"{where}: {part.name} lists other names than it counts"
        if isinstance(part, Pick):
            texts = {option.text: option.value for option in part.options}
            same = all(texts[option.text] == option.value for option in part.options)
            assert same, f"{where}: two options of {part.name} have the same text, and not the same value"
            looked = [(when.part, when.name) for option in part.options for when in option.when]
            assert {name for name, _ in looked} <= set(names[:at]), (
                f"{where}: an option of {part.name} looks at a part that comes later"
            )
            _numbers_are_named(where, choice, looked)
    summed = [(term.part, term.name) for limit in choice.limits for term in limit.terms]
    assert {name for name, _ in summed} <= set(names), f"{where}: a limit looks at a part that is not there"
    _numbers_are_named(where, choice, summed)


def _numbers_are_named(where: str, choice: Choice, looked: Sequence[tuple[str, str]]) -> None:
    """A limit on a pick names an option; a limit on a number or a free text names nothing."""
    kinds = {part.name: part for part in choice.parts}
    for name, inner in looked:
        part = kinds[name]
        fits = inner in [one.text for one in part.options] if isinstance(part, Pick) else True
        fits = not inner if isinstance(part, Number | Free) else fits
        assert fits, f"{where}: {inner!r} is nothing that can be counted in {name}"


def _holes(form: Json) -> Iterator[str]:
    if isinstance(form, dict):
        if form.keys() == {"$"}:
            yield form["$"]
        else:
            for inner in form.values():
                yield from _holes(inner)
    elif isinstance(form, list | tuple):
        for inner in form:
            yield from _holes(inner)


def _built(where: str, choice: Choice, rng: random.Random) -> Iterator[Json]:
    """The move of a choice, or random moves of a family without a free part."""
    if not choice.parts:
        yield plain(choice.move)
        return
    if any(isinstance(part, Free) for part in choice.parts):
        return
    for _ in range(SAMPLES):
        values = sample(choice, rng.randrange)
        assert values is not None, f"{where}: no move of `{choice.text}` was found by chance: describe it more closely"
        assert not fault(choice, values), f"{where}: `{choice.text}` refuses its own sample"
        yield build(choice, values)


def _check_built(asked: Question, choice: Choice, built: Json) -> None:
    where = f"{asked}: `{choice.text}` builds {encode(built).decode()[:200]}"
    try:
        move = msgspec.convert(built, asked.game.move)
    except msgspec.ValidationError as error:
        raise AssertionError(f"{where}, which is not a move: {error}") from None
    assert encode(move) == encode(built), f"{where}, which is spelled {encode(move).decode()[:200]}"
    try:
        asked.check(move)
    except IllegalMove as error:
        raise AssertionError(f"{where}, which is illegal: {error.message}") from None
    check_text(asked, move)


# --- the other way round ---------------------------------------------------------------------------------------------


def legal_moves_are_described(subject: Subject) -> None:
    """Whatever a random search finds legal is one of the moves that `legal` describes."""
    rng, found = random.Random(f"described {subject.game_id}"), 0
    tries = subject.sample(TRIES) // (1 + len(list(subject.moments(60, "described"))))
    for asked in subject.questions(60, "described", each=3):
        choices = asked.legal()
        for move in _legal_ones(subject, asked, choices, tries, rng):
            found += 1
            assert any(find(choice, move) is not None for choice in choices), (
                f"{asked}: no choice describes {encode(move).decode()[:300]}, which is legal"
            )
    assert found, "the search found no legal move"


def _legal_ones(
    subject: Subject, asked: Question, choices: list[Choice], tries: int, rng: random.Random
) -> Iterator[Json]:
    """Legal moves, each once: found among the moves of bots, random values, and variations of what was found."""
    game, bots = asked.game, [asked.game.bots[name] for name in ("random", "sensible")]
    pool = [plain(choice.move) for choice in rng.sample(choices, min(20, len(choices)))]
    pool += [build(one, values) for one in choices[:20] if (values := sample(one, rng.randrange)) is not None]
    pool += [plain(bot(asked.moment.at.terms, asked.view, rng.randrange)) for bot in bots]
    pool += [any_value(type_info(game.move), rng, subject.words) for _ in range(10)]
    found: dict[bytes, object] = {}
    for number in range(len(pool) + tries):
        move = pool[number] if number < len(pool) else _another(subject, pool, list(found.values()), rng)
        try:
            decoded = msgspec.convert(move, game.move)
            asked.check(decoded)
        except (msgspec.ValidationError, IllegalMove):
            continue
        spelled = encode(decoded)
        if spelled not in found:
            found[spelled] = decoded
            pool.append(plain(decoded))
            yield pool[-1]


def _another(subject: Subject, pool: Sequence[Json], legal: Sequence[object], rng: random.Random) -> Json:
    """A variation of a known move."""
    if legal and rng.random() < 0.3:
        return with_other_fields(subject.game.move, rng.choice(legal), (), subject.words, rng)
    return mutated(rng.choice(pool), pool, rng)
