"""What the lines of a mail say: an order, a word that asks for something, or nothing that can be read.

Every line is read. Of those that nobody can read, some say nothing (`beside`) or always stand there (`learning`); the
others make the mail unclear.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache

import msgspec

from referee.engine.player import Draft, Opened
from referee.errors import RefereeError, Usage
from referee.games import lexicon
from referee.grammar import FILLERS, ONE
from referee.mail import beside, listing, t, words
from referee.mail.learning import mark_of
from referee.mail.ours import words_of
from referee.mail.reply import Said
from referee.phrasing import NUMBERS
from referee.show.typed import check, choices, read_answer

LINES_MOST = 40
"""A mail with more different lines is not an answer."""
SAME_MOST = 10
"""An answer is not said in more different ways."""
LINE_MOST = 1_000
LINES_SHOWN = 10
"""How many lines are quoted in the reply."""

Order = words.Statement | words.InvitationReply | Draft
Unread = tuple[str, RefereeError]
"""A line, and why it cannot be read."""

_EVERYWHERE = """
the a an of to for from with at on in up per by as and or then all not no have get any if are was move send only
einem einen einer eines nicht kein keine wenn nur niet geen alleen wel aan door via alle alles links
und oder mit von für an auf im am bei zu zum aus bis je pro als der die das den dem ein eine
en of met van voor op in bij tot per de het een
"""
_SMALL = frozenset(_EVERYWHERE.split())
"""Words of every text, even where a game reads them."""
_CHOOSING = frozenset(("take", "choose", "pick", "move", "number", "option", "nehme", "wähle", "zug", "nummer", "nr",
                       "neem", "kies", "zet", "optie", "you", "dir", "je", "u"))  # fmt: skip


class Reading(msgspec.Struct, frozen=True):
    """What a mail says."""

    orders: tuple[tuple[str, Order], ...] = ()
    """Different orders, each with the first line that says it."""
    asked: tuple[words.Asked, ...] = ()
    both: tuple[tuple[str, Order], ...] = ()
    """Lines that are one of our words, and would be a move, too."""
    unread: tuple[Unread, ...] = ()


def read_lines(
    said: Sequence[Said],
    names: Sequence[str],
    read: Callable[[str], Order],
    speaks: beside.Speaks,
    known: Collection[str] = (),
) -> Reading:
    """Read all lines of a player with these names. `known` has the marks of lines that say nothing."""
    said = _without_name(said, names)
    found: dict[str, Order | words.Asked | RefereeError] = {}
    both: list[tuple[str, Order]] = []
    good = 0
    for one in said:
        if one.text not in found and not beside.is_talk(one.text):
            found[one.text] = _read(one.text, read, len(found) >= LINES_MOST or good >= SAME_MOST)
            good += not isinstance(found[one.text], RefereeError)
            if isinstance(found[one.text], words.Asked):
                both += _also(one.text, read)
    unread = {at for at, one in enumerate(said) if isinstance(found.get(one.text, _NOTHING), RefereeError)}
    idle = beside.idle(said, unread, names, speaks)
    idle |= {at for at in unread if mark_of(said[at].text) in known}
    orders: list[tuple[str, Order]] = []
    for line, order in found.items():
        if not isinstance(order, words.Asked | RefereeError) and all(order != other for _, other in orders):
            orders.append((line, order))
    asked = dict.fromkeys(one for one in found.values() if isinstance(one, words.Asked))
    left = dict.fromkeys(said[at].text for at in sorted(unread - idle))
    return Reading(tuple(orders), tuple(asked), tuple(both), tuple((line, found[line]) for line in left))  # type: ignore[misc]


_NOTHING = Usage(t("this is no answer"))
"""Stands for greetings, which nobody reads."""


def _without_name(said: Sequence[Said], names: Sequence[str]) -> Sequence[Said]:
    """The lines without the writer's name at the end of a mail, unless it is the only line: a name can be a move."""
    ends = {word for name in names for word in (name.casefold(), name.casefold().partition(" ")[0])}
    signed = len(said) > 1 and said[-1].text.strip(" .,!-").casefold() in ends
    return said[:-1] if signed else said


def _read(line: str, read: Callable[[str], Order], too_many: bool) -> Order | words.Asked | RefereeError:
    if (asked := words.asked_for(line)) is not None:
        return asked
    try:
        if too_many:
            raise Usage(t("the mail has too many different lines"), t("write only your answer, above everything else"))
        if beside.is_question(line):
            raise Usage(t("this is a question, so it is not an answer"), t("write your answer without a question mark"))
        return read(_bare(line[:LINE_MOST]))
    except RefereeError as error:
        return error


def _also(line: str, read: Callable[[str], Order]) -> Iterable[tuple[str, Order]]:
    try:
        return [(line, read(line))]
    except RefereeError:
        return []


def _bare(line: str) -> str:
    """A line without the signs for bold and italic letters; and `#3` for `I take #3, please`."""
    for sign in ("**", "*", "__", "_"):
        if len(line) > 2 * len(sign) and line.startswith(sign) and line.endswith(sign):
            line = line[len(sign) : -len(sign)].strip()
    numbers = [word for word in words_of(line) if word[:1] == "#"]
    if len(numbers) == 1 and all(word in numbers or word in FILLERS | _CHOOSING for word in words_of(line)):
        return numbers[0]
    return line


# --- the words of a game ---------------------------------------------------------------------------------------------


def game_words(game: str, opened: Opened | None) -> beside.Speaks:
    """Tells whether a text has words of the game, in any language; with a view, also what is listed there."""

    @cache
    def known() -> frozenset[str]:
        book = lexicon(game)
        alone = [words_of(phrase) for phrase in (*book.words, *book.meanings, *book.verbs)]
        found = {phrase[0] for phrase in alone if len(phrase) == 1}
        for choice in choices(opened) if opened is not None else ():
            found.update(words_of(choice.text))
        plain = {word for word in found if len(word) > 1 and not word.isdigit()}
        return frozenset(plain - FILLERS - _SMALL - ONE - NUMBERS.keys() - book.fillers)

    return lambda text: any(word[:1] == "#" or word in known() for word in words_of(text))


def read_in(opened: Opened, line: str, *, sure: bool = False) -> Draft:
    """Read a line as an answer to what a view asks. With `sure`, a mere `yes` is not enough."""
    rest = words.without_ok(line, sure=sure)
    if rest is not None and not opened.decides:
        return read_answer(opened, rest) if rest else Draft()
    try:
        typed = listing.copied(opened, line)
        answer = read_answer(opened, typed)
        check(opened, typed, answer.move)
        return answer
    except RefereeError:
        if rest == "" and opened.chain.checkpoint.state.holding:  # late players may let the others go on
            return Draft()
        raise
