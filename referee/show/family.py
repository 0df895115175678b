"""A family of moves, asked part by part: what is asked next, what is still possible, what was typed."""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import msgspec

from referee.errors import Usage
from referee.forms import (
    MANY,
    Amounts,
    Choice,
    Free,
    Number,
    Part,
    Pick,
    Ranking,
    Term,
    fault,
    number,
    open_options,
)
from referee.grammar import likeness
from referee.language import t, w, with_names
from referee.show.text import clean

Reply = int | str | list[str]
"""A number, a word or text, or names."""
Given = Mapping[tuple[str, str], Reply]
"""What was answered so far, in the order of asking: (part, name) -> a count; (part, "") -> the whole part."""
YES = ("y", "yes", "j", "ja")
NO = ("n", "no", "nein", "nee")
NONE = ("none", "keine", "keinen", "keins", "geen")
"""What people type, in any of the languages."""
FEW = 2000
"""Up to this many numbers are tried one by one against the limits."""


class Question(msgspec.Struct, frozen=True):
    """What is asked next: a part, or how many of one name; and what can be answered."""

    part: Part
    name: str = ""
    numbers: range = range(0)
    words: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        return self.part.name, self.name

    @property
    def possible(self) -> bool:
        """Whether anything can be answered."""
        return bool(self.words or self.numbers) or isinstance(self.part, Free)

    @property
    def only(self) -> Reply | None:
        """The answer, where there is only one."""
        if isinstance(self.part, Pick) and len(self.words) == 1:
            return self.words[0]
        return self.numbers[0] if len(self.numbers) == 1 else None


def next_question(choice: Choice, given: Given) -> Question | None:
    """The first question that is not answered yet; None if there is none."""
    for part in choice.parts:
        for name in _names(part):
            if (part.name, name) not in given:
                return _question(choice, given, part, name)
    return None


def values_of(choice: Choice, given: Given) -> dict[str, Any]:
    """The answers so far, as the values of a family."""
    values: dict[str, Any] = {}
    for part in choice.parts:
        found = {name: given[part.name, name] for name in _names(part) if (part.name, name) in given}
        if found or isinstance(part, Amounts):
            values[part.name] = found.get("", found)
    return values


def only_values(choice: Choice) -> dict[str, Any] | None:
    """The values of a line that is one move, also where it has parts that leave no choice; None if it is many."""
    return _answer_all(choice, lambda question: question.only) if choice.parts else {}


def nearest_values(choice: Choice, words: Sequence[str]) -> dict[str, Any] | None:
    """The values of a legal move of a family, with what was said wherever that is possible; None if none is found."""
    return _answer_all(choice, lambda question: _closest_reply(question, words))


def _answer_all(choice: Choice, answer: "Callable[[Question], Reply | None]") -> dict[str, Any] | None:
    """All questions of a family answered; None if one is not, or the answers do not fit together."""
    given: dict[tuple[str, str], Reply] = {}
    while (question := next_question(choice, given)) is not None:
        reply = answer(question) if question.possible else None
        if reply is None:
            return None
        given[question.key] = reply
    values = values_of(choice, given)
    return None if fault(choice, values) else values


def _closest_reply(question: Question, words: Sequence[str]) -> Reply | None:
    """What was said, as far as it answers a question; otherwise the first answer."""
    if isinstance(question.part, Free):
        return None
    if isinstance(question.part, Ranking):
        return list(question.words)
    if question.words:
        return max(question.words, key=lambda word: likeness(words, word) if {*word.split()} & {*words} else 0)
    wanted = 0 if question.name else question.numbers[0]
    for before, word in zip(("", *words), words, strict=False):
        if question.name in (word, f"{word}s", f"{word}es") or (not question.name and _is_number(word)):
            number = before if question.name else word
            wanted += int(number) if question.name and _is_number(number) and len(number) < 4 else bool(question.name)
            wanted = wanted if question.name else int(word[:9])
    return min(max(wanted, question.numbers[0]), question.numbers[-1])


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _names(part: Part) -> Sequence[str]:
    """The names whose amounts are asked for one by one."""
    return [name for name, most in part.most.items() if most] if isinstance(part, Amounts) else ("",)


def _question(choice: Choice, given: Given, part: Part, name: str) -> Question:
    key = part.name, name
    match part:
        case Pick():
            found = (one.text for one in open_options(part, values_of(choice, given)))
            return Question(part, words=tuple(text for text in found if _can_hold(choice, {**given, key: text})))
        case Number(low=low, high=high):
            return Question(part, numbers=_range(choice, given, key, low, high))
        case Amounts(most=most):
            return Question(part, name, numbers=_range(choice, given, key, 0, most[name]))
        case Ranking(names=names):
            return Question(part, words=names)
        case Free():
            return Question(part)


def _range(choice: Choice, given: Given, key: tuple[str, str], low: int, high: int) -> range:
    """The numbers that the limits leave, whatever is answered later."""
    if high - low > FEW:
        return range(low, high + 1)
    found = [n for n in range(low, high + 1) if _can_hold(choice, {**given, key: n})]
    return range(found[0], found[-1] + 1) if found else range(0)


def _can_hold(choice: Choice, given: Given) -> bool:
    """Whether every limit can still hold."""
    for limit in choice.limits:
        spans = [(term.times, _span(choice, given, term)) for term in limit.terms]
        least = sum(min(times * low, times * high) for times, (low, high) in spans)
        most = sum(max(times * low, times * high) for times, (low, high) in spans)
        if least > limit.high or most < limit.low:
            return False
    return True


def _span(choice: Choice, given: Given, term: Term) -> tuple[int, int]:
    """The smallest and the largest value that a part's number can still have."""
    part = next((one for one in choice.parts if one.name == term.part), None)
    if part is None or (part.name, "") in given:
        n = number(values_of(choice, given), term.part, term.name)
        return n, n
    match part:
        case Number(low=low, high=high):
            return low, high
        case Amounts(most=most):
            names = [term.name] if term.name else list(most)
            counts = {name: n for (of, name), n in given.items() if of == part.name and isinstance(n, int)}
            known = [counts.get(name) for name in names]
            ends = zip(names, known, strict=True)
            return sum(n or 0 for n in known), sum(most.get(name, 0) if n is None else n for name, n in ends)
        case Ranking(names=listed, least=least) if not term.name:
            return least, len(listed)
    return 0, 1 if term.name else MANY


# --- words -----------------------------------------------------------------------------------------------------------


def wording(question: Question, names: Sequence[str], typed: Callable[[str], str], width: int) -> str:
    """A question with its range, as a person reads it; options that do not fit into a line get one each. `typed`: how
    the reader types the game's words."""
    part, numbers = question.part, question.numbers
    ask = with_names(part.ask, names)
    words = [with_names(typed(word), names) for word in question.words]
    match part:
        case Pick():
            options = [f"#{n} {word}" for n, word in enumerate(words, 1)]
            short = f"{ask} {'  '.join(options)}:"
            return short if len(short) < width else "\n".join((ask, *(f"  {one}" for one in options), w("which one?")))
        case Number():
            return w("{ask} {low} to {high}:", ask=ask, low=numbers[0], high=numbers[-1])
        case Amounts(listed=listed) if listed and numbers[-1] == 1:
            return w("{ask} {name}, yes or no:", ask=ask, name=with_names(typed(question.name), names))
        case Amounts():
            name = with_names(typed(question.name), names)
            return w("how many {name}? {low} to {high}:", name=name, low=numbers[0], high=numbers[-1])
        case Ranking(least=least):
            return _ranking(ask, least, len(words), ", ".join(words))
        case Free(how=how):
            return f"{ask} ({with_names(how, names)}):"


def _ranking(ask: str, least: int, most: int, words: str) -> str:
    if not least:
        return w("{ask} none, or any of {words}:", ask=ask, words=words)
    if least == most:
        return w("{ask} all of {words}:", ask=ask, words=words)
    return w("{ask} at least {least} of {words}:", ask=ask, least=least, words=words)


def read(question: Question, typed: str, names: Sequence[str], called: Callable[[str], str] = str) -> Reply:
    """The value that was typed for a question. `called`: how the reader types the game's words."""
    part, text = question.part, " ".join(typed.split())
    match part:
        case Pick():
            return _word(question, text, names, called)
        case Number() | Amounts():
            sure = yes(text)
            text = text if sure is None else str(int(sure))
            if not re.fullmatch(r"-?[0-9]{1,16}", text) or int(text) not in question.numbers:
                low, high, wrong = question.numbers[0], question.numbers[-1], clean(called(text[:40]))
                why = t("`{wrong}` is not possible here", wrong=wrong)
                raise Usage(why, t("type a number, {low} to {high}", low=low, high=high))
            return int(text)
        case Ranking(least=least):
            found = _several(question, text, names, called)
            if len(found) < least:
                why = t("that is {found} of them", found=len(found))
                raise Usage(why, t("name at least {least}, best first", least=least))
            return found
        case Free(longest=longest):
            if not 0 < len(text) <= longest:
                raise Usage(t("that is too long"), t("type at most {longest} characters", longest=longest))
            return text


def yes(typed: str) -> bool | None:
    """Yes or no, in any language; None if it is neither."""
    word = typed.strip().casefold()
    return word in YES if word in (*YES, *NO) else None


def _several(question: Question, text: str, names: Sequence[str], called: Callable[[str], str]) -> list[str]:
    """Different names, with commas between them, or spaces where no name has one."""
    if text.casefold() in NONE:
        return []
    loose = not any(" " in with_names(word, names) for word in question.words)
    items = [item for item in re.split(r"[,\s]+" if loose else r"\s*,\s*", text) if item]
    found = [_word(question, item, names, called) for item in items]
    if len(set(found)) != len(found):
        raise Usage(t("that names one of them twice"), t("name each once"))
    return found


def _word(question: Question, text: str, names: Sequence[str], called: Callable[[str], str]) -> str:
    """One of the words, as it is written or by its number."""
    words = {with_names(word, names).casefold(): word for word in question.words}
    if text.casefold() in words:
        return words[text.casefold()]
    place = re.fullmatch(r"#\s*([0-9]{1,6})", text)
    if place and 1 <= int(place[1]) <= len(question.words):
        return question.words[int(place[1]) - 1]
    wrong, next = clean(called(text[:40])), t("type a word from the list, or its `#` number")
    shown = {word.casefold(): word for word in (with_names(called(one), names) for one in question.words)}
    for near in get_close_matches(text.casefold(), shown, 1):
        raise Usage(t("`{wrong}` is not possible here, did you mean {shown}?", wrong=wrong, shown=shown[near]), next)
    raise Usage(t("`{wrong}` is not possible here", wrong=wrong), next)
