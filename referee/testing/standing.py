"""Checks of standing orders: any of them can be given, taken back and read, and the position has them."""

import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import msgspec
from msgspec import inspect

from referee.crypto.codec import decode, encode
from referee.errors import IllegalMove
from referee.forms import Choice, build, sample
from referee.game import Game, Seen, Standing, Terms
from referee.testing.described import description_is_in_form, plain
from referee.testing.judging import TooLong, bounded, check_refusal
from referee.testing.sandbox import Sandbox
from referee.testing.subject import Snapshot, Subject, before_the_deal
from referee.testing.values import parts, some_value, type_info

MOST_BYTES = 4_000
"""Of one seat's orders: those of sixteen seats and the rest of a position must fit its bounds."""
AFTERWARDS = 3
"""Rounds to play on after orders were given."""


def standing_orders_are_in_form(subject: Subject) -> None:
    """The position has the standing orders of each seat from the answer that gives them; they read back from their
    phrases, and no value of their type stops the rules."""
    standing = subject.game.standing
    if standing is None:
        return
    _type_is_bounded(standing)
    _position_has_them(subject)
    _phrases_read_back(subject, standing)
    _anything_can_be_said(subject, standing)


def _type_is_bounded(standing: Standing) -> None:
    for field in msgspec.structs.fields(standing.words):
        assert not field.required, f"the standing orders have no default for {field.name}"
    nothing = standing.words()
    assert decode(encode(nothing), standing.words, "words") == nothing, "words that say nothing do not read back"
    assert not standing.text(nothing), f"words that say nothing are told as {standing.text(nothing)}"
    words: object = standing.words
    size = _largest(type_info(words))
    assert size <= MOST_BYTES, (
        f"standing orders can have {size} bytes, {MOST_BYTES} are allowed: give texts and lists a max_length"
    )


def _largest(kind: inspect.Type) -> int:
    """The approximate size of the largest value of a type; very large where nothing bounds it."""
    inner = [_largest(one) for one in parts(kind)]
    match kind:
        case inspect.StrType():
            return 2 + 6 * (kind.max_length if kind.max_length is not None else MOST_BYTES)
        case inspect.ListType() | inspect.VarTupleType():
            return 2 + (kind.max_length if kind.max_length is not None else MOST_BYTES) * (1 + inner[0])
        case inspect.DictType():
            most = kind.max_length if kind.max_length is not None else _values(kind.key_type)
            return 2 + most * (2 + sum(inner))
        case inspect.StructType():
            return 2 + sum(len(field.encode_name) + 4 for field in kind.fields) + sum(inner)
        case inspect.LiteralType():
            return max(len(encode(value)) for value in kind.values)
        case inspect.UnionType():
            return max(inner)
        case inspect.TupleType() | inspect.Metadata():
            return 2 + sum(1 + size for size in inner)
    return 20


def _values(kind: inspect.Type) -> int:
    """The number of possible keys of this type."""
    return len(kind.values) if isinstance(kind, inspect.LiteralType) else MOST_BYTES


def _position_has_them(subject: Subject) -> None:
    """There is one value per seat, which only that seat changes."""
    for game in subject.plays:
        for moment in game.moments[:1]:
            _check_standing(moment, game.way.seats)
        for here, after in pairwise(game.moments):
            _check_standing(after, here.way.seats)
            for seat, old in enumerate(here.at.public.standing):
                now = after.at.public.standing[seat]
                words = here.words.get(seat, old)
                assert now == words, f"{here}: seat {seat + 1} said {words}, but the position has {now}"


def _check_standing(moment: Snapshot, seats: int) -> None:
    orders = getattr(moment.at.public, "standing", None)
    assert isinstance(orders, tuple), f"{moment}: the position has no tuple `standing`"
    assert len(orders) == seats, f"{moment}: the position has standing orders of {len(orders)} seats"


# --- phrases ---------------------------------------------------------------------------------------------------------


def _phrases_read_back(subject: Subject, standing: Standing) -> None:
    """Orders that can be given are described, have phrases, and read back from them."""
    rng, described = random.Random(f"phrases {subject.game_id}"), 0
    for moment in subject.moments(30, "phrases", asked=False):
        terms, where = moment.at.terms, f"{moment}: standing orders"
        for said in moment.at.public.standing:
            description_is_in_form(where, standing.legal(terms, said))
        said = standing.words()
        for _ in range(4):
            choices = description_is_in_form(where, standing.legal(terms, said))
            found = [_words_of(where, standing, choice, rng) for choice in choices]
            for choice, words in zip(choices, found, strict=True):
                if not choice.parts:
                    typed = _parsed(standing, terms, said, choice.text)
                    assert typed == words, f"{where}: `{choice.text}` is read as {typed}, not as {words}"
                _check_phrases(where, standing, terms, words)
            described += len(found)
            said = rng.choice(found or [said])
        for text in ("", "\0", "x" * 10_000, "9" * 5000, "\ud800", rng.choice(subject.words)):
            _parsed(standing, terms, said, text)
    assert described, "no standing order can ever be given"


def _check_phrases(where: str, standing: Standing, terms: Terms[object, object], words: object) -> None:
    """Orders read back from their phrases."""
    again = standing.words()
    for phrase in standing.text(words):
        assert phrase.strip(), f"{where}: {words} is told in no words"
        assert phrase.isprintable(), f"{where}: {words} is told as {phrase!r}, which cannot be printed"
        again = _parsed(standing, terms, again, phrase)
        assert again is not None, f"{where}: {words} is told as {phrase!r}, which is refused"
    assert again == words, f"{where}: {words} is told as {list(standing.text(words))}, which is read as {again}"


def _words_of(where: str, standing: Standing, choice: Choice, rng: random.Random) -> object:
    """Random orders of a choice."""
    values = sample(choice, rng.randrange)
    built = plain(choice.move) if values is None else build(choice, values)
    try:
        words = msgspec.convert(built, standing.words)
    except msgspec.ValidationError as error:
        raise AssertionError(f"{where}: `{choice.text}` builds {built}, which is none of the type: {error}") from None
    assert encode(words) == encode(built), f"{where}: `{choice.text}` builds {built}, which is spelled {plain(words)}"
    return words


def _parsed(standing: Standing, terms: Terms[object, object], orders: object, phrase: str) -> object:
    """The orders after a phrase; None if it is refused."""
    try:
        return standing.parse(terms, orders, phrase)
    except IllegalMove as error:
        check_refusal(error, f"the refusal of the phrase {phrase[:40]!a}")
    except Exception as error:
        raise AssertionError(f"`standing.parse` crashes on {phrase[:40]!a}: {type(error).__name__}: {error}") from error
    return None


# --- anything --------------------------------------------------------------------------------------------------------


def _anything_can_be_said(subject: Subject, standing: Standing) -> None:
    """Every value of the type can be shown and played with, at the ack and later, and advice has the right type."""
    rng = random.Random(f"words {subject.game_id}")
    for way in subject.ways[:4]:
        terms = subject.terms(way)
        for _ in range(8):
            words = {seat: _any(subject, standing, rng) for seat in range(way.seats)}
            _check_given_orders(
                subject, f"{way}: `setup`", words, partial(_start_with_orders, subject.game, terms, words)
            )
        _check_advice(subject, terms, before_the_deal(1)[0], f"{way}, at the ack")
    for moment in subject.moments(80, "words"):
        words = {ask.seat: _any(subject, standing, rng) for ask in moment.at.pending if rng.random() < 0.7}
        _check_given_orders(subject, f"{moment}: `apply`", words, partial(_play_on, moment, words))
        ask = rng.choice(moment.asks)
        _check_advice(subject, moment.at.terms, moment.at.seen(ask.seat), str(moment))


def _start_with_orders(game: Game, terms: Terms[object, object], words: dict[int, object]) -> None:
    first = Sandbox(game, terms, words=words).public.standing
    assert first == tuple(words.values()), f"the words of the acks are not in the first position, which has {first}"


def _play_on(moment: Snapshot, words: dict[int, object]) -> None:
    """Play the round of the moment, and a few more in which nobody answers."""
    at = moment.at.fork()
    at.answer(moment.answers, words=words, check=False)
    for _ in range(AFTERWARDS):
        if at.pending:
            at.answer({})


def _any(subject: Subject, standing: Standing, rng: random.Random) -> object:
    words = some_value(standing.words, rng, subject.words) or standing.words()
    for phrase in standing.text(words):
        assert phrase.isprintable(), f"the words {words} are told as {phrase!r}, which cannot be printed"
    return words


def _check_given_orders(subject: Subject, where: str, words: dict[int, object], play: Callable[[], object]) -> None:
    try:
        bounded(subject, play)
    except TooLong:
        raise AssertionError(f"{where} is kept busy by the words {words!r:.200}") from None
    except AssertionError as error:
        raise AssertionError(f"{where}: {error}") from None
    except Exception as error:
        raise AssertionError(f"{where} fails on the words {words!r:.200}: {type(error).__name__}: {error}") from error


def _check_advice(subject: Subject, terms: Terms[object, object], seen: Seen[object], where: str) -> None:
    standing = subject.game.standing
    assert standing is not None
    for bot in subject.game.bots:
        try:
            advice = standing.advise(terms, seen, bot)
        except Exception as error:
            raise AssertionError(f"{where}: `advise` fails: {type(error).__name__}: {error}") from error
        assert advice is None or isinstance(advice, standing.words), f"{where}: `advise` gives {advice!r:.100}"
