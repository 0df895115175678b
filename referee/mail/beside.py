"""What stands beside an answer and says nothing: small talk, signatures, notices of companies, lines of phones,
gateways and advertisements, in German, Dutch and English. `usual.txt` has the patterns.

Only lines that cannot be read as an answer are compared with them. Where a line hedges (`but wait until tomorrow`) or
speaks of the game, the player is asked.
"""

from collections.abc import Callable, Collection, Sequence

from referee.mail import frame
from referee.mail.reply import Said
from referee.mail.usual import hedges, usual

Speaks = Callable[[str], bool]
"""Whether a text has words of the game."""

SHORT = 160
"""Characters of a line below a goodbye at most; anything longer is ordinary text."""
ADDED_MOST = 300
"""Characters of a line that a phone or program adds at most."""
LINES_MOST = 120
"""Nothing of a longer text is taken for something that was added to it."""
PART_MOST = 2_000
GOODBYE_MOST = 8
"""Words of a goodbye."""
NOTICE_LEAST = 14
"""Words of a notice that may say `but` and `stop` for reasons of its own."""

_RIM = " \t.,!:;()~*_=|/<>[]'\"-–—"


def is_talk(text: str) -> bool:
    """Whether this is a greeting, a goodbye or small talk."""
    if len(text) > ADDED_MOST:
        return False
    return frame.is_courtesy(text) or bool(usual("talk").fullmatch(text.strip(_RIM)))


def _is_goodbye(text: str) -> bool:
    if frame.is_goodbye(text):
        return True
    return bool(usual("goodbyes").fullmatch(text)) and len(text.split()) <= GOODBYE_MOST and not hedges(text)


def _is_signature(text: str) -> bool:
    """Whether a line below a goodbye or a rule is harmless: short, and nobody speaks to somebody."""
    return len(text) <= SHORT and not hedges(text) and not usual("persons").search(text)


def _leads(text: str) -> bool:
    """Whether somebody announces an answer of their own."""
    return bool(usual("leads").fullmatch(text)) and not hedges(text) and not usual("others").search(text)


def is_question(text: str) -> bool:
    """Whether somebody asks something: a question is never an answer."""
    return text.rstrip(" )\"'.!:-").endswith("?")


def idle(said: Sequence[Said], unread: Collection[int], names: Sequence[str], speaks: Speaks) -> set[int]:
    """Which of these unread lines say nothing, by their numbers."""
    found: set[int] = set()
    if len(unread) > LINES_MOST:
        return found
    parts: dict[int, str] = {}
    for at in sorted(unread):  # of a long line, the beginning
        parts[said[at].part] = f"{parts.get(said[at].part, '')} {said[at].text}"[:PART_MOST]
    below = False
    for at, one in enumerate(said):
        text = one.text[:PART_MOST]
        if at not in unread:
            below = False
            continue
        if is_question(text) and not is_talk(text):
            continue
        part, below = parts[one.part].strip(), below or one.ruled
        notice = _is_notice(part) and not _begins_with_game(part, speaks)
        if (
            notice
            or is_talk(text)
            or (_is_goodbye(text) and not speaks(text))
            or (_is_furniture(text, part) and not hedges(text) and not speaks(text))
            or is_name(text, names)
            or (at + 1 < len(said) and at + 1 not in unread and _leads(text) and not speaks(text))
            or (below and _is_signature(text) and not speaks(text))
        ):
            found.add(at)
        below = below or (notice and not usual("banners").search(part)) or _ends(text, names)
    return found


def is_name(text: str, names: Sequence[str]) -> bool:
    """Whether somebody signs: with one of these names, the first part of it, or its first letter."""
    plain = usual("titles").sub("", usual("titles").sub("", text.strip()).strip(_RIM)).strip(_RIM)
    bare = plain.casefold()
    known = {name.casefold() for name in names if name}
    firsts = {name.partition(" ")[0] for name in known}
    if not bare or len(bare) > 60:
        return False
    longer = bare.partition(" ")[0].rstrip(".") in firsts and bool(usual("names").fullmatch(plain))
    return bare in known | firsts | {first[:1] for first in firsts} or longer


def _ends(text: str, names: Sequence[str]) -> bool:
    """Whether a text ends here, so that below it there can be a signature."""
    return _is_goodbye(text) or is_name(text, names)


def _is_furniture(text: str, part: str) -> bool:
    """Whether this is what phones, programs, companies and advertisements write."""
    bare = text.strip()
    if usual("products").search(part) or usual("contacts").search(part):
        return True
    return len(bare) <= ADDED_MOST and bool(
        frame.is_footer(bare)
        or usual("phones").fullmatch(bare)
        or usual("excuses").fullmatch(bare)
        or usual("places").fullmatch(bare)
        or usual("companies").search(bare)
    )


def _is_notice(part: str) -> bool:
    """Whether this is a notice; a short one must say nothing else."""
    rest, count = usual("notices").subn(" ", part)
    return count > 0 and (len(part.split()) > NOTICE_LEAST or not usual("retractions").search(rest))


def _begins_with_game(part: str, speaks: Speaks) -> bool:
    """Whether a text begins like a move: with a word of the game, and soon another. `Pas op` means something else."""
    first, *more = part.split()[:4]
    return speaks(first) and (len(part.split()) < 4 or any(map(speaks, more)))
