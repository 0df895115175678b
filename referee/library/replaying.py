"""A game in a file, round by round: its story, pictures of it, a page to step through it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from referee.crypto.codec import decode
from referee.engine.chain import Followed
from referee.engine.player import Opened
from referee.engine.records import Transcript
from referee.errors import Usage
from referee.evidence.identify import document_kind
from referee.evidence.replay import open_transcript
from referee.game import Seen
from referee.io.desk import find_seat
from referee.io.files import file_name
from referee.language import mark, run
from referee.library import t, w
from referee.library.documents import read_document
from referee.library.looking import open_and_remember
from referee.library.values import placeholder
from referee.show import pictures, story, terminal
from referee.svg import WIDTH


class Game(NamedTuple):
    """A game in a file: a view, with its opened form, or a transcript."""

    data: bytes
    chain: Followed
    opened: Opened | None
    old: bool = False
    """Whether a newer view was seen before."""


def open_game(path: str) -> Game:
    """The game in a view, which counts as seen, or in a transcript."""
    data = read_document(path, "view", "transcript")
    if document_kind(data) == "transcript":
        return Game(data, open_transcript(data), None)
    opened, old = open_and_remember(data)
    return Game(data, opened.chain, opened, old)


def rounds_of(text: str, last: int) -> range:
    """The rounds that `4..9` means, as far as there are any."""
    first, dots, end = text.partition("..")
    ends = [first or "1", (end or str(last)) if dots else first]
    if not all(one.isascii() and one.isdigit() and len(one) < 6 for one in ends):
        raise Usage(t("these are not valid rounds"), t("write --round 4..9, 4.., ..9 or 4"))
    found = range(max(int(ends[0]), 1), min(int(ends[1]), last) + 1)
    if last and not found:
        raise Usage(
            t("there are no such rounds in this file"), t("choose --round 1..{last}, or some of these", last=last)
        )
    return found


def story_of(game: Game, rounds: str) -> list[story.Round]:
    """What happened in these rounds, with what only the player of a view knows, or as everybody knew it."""
    wanted = rounds_of(rounds, len(game.chain.rounds))
    if game.opened:
        return story.story_of_view(game.opened, wanted)
    return story.story_of_transcript(game.chain, decode(game.data, Transcript, "transcript").sealed, wanted)


def story_in_words(game: Game, rounds: list[story.Round], file: str, width: int) -> tuple[list[str], list[str]]:
    """What happened, round by round; and how to see more of this file."""
    table, lines = game.chain.table, list[str]()
    for one in rounds:
        happened = story.lines(one, table, () if game.opened else table.names) or [w("nothing to tell")]
        lines += [w("Round {round}", round=one.round), *(terminal.wrapped(line, width, 2) for line in happened)]
    if game.opened:
        return lines, [w("Next: look at the board with {command}.", command=run("show", file))]
    draw = run("show", file, "--svg", placeholder("FILE"), "--round", "N")
    return lines, [w("Next: draw the board after any of these rounds with {command}.", command=draw)]


def seen_in(game: Game, number: int | None, seat: str | None) -> Seen[Any]:
    """The position after a round, as the player of a view sees it; of a transcript, as this player or everybody saw."""
    who = None if seat is None else find_seat(game.chain.table.names, seat)
    if game.opened is None:
        return pictures.seen_in_transcript(game.chain, number, who)
    if who not in (None, game.opened.seat):
        raise Usage(t("a view shows what its own player sees"), t("leave --seat out, or give that player's view"))
    return pictures.seen_in_view(game.opened, number)


class Made(NamedTuple):
    """A file to look at: its bytes, what to do with it, whether it shows a hand, as a view does, and a telling name for
    a page."""

    data: bytes
    next: str
    secret: bool = False
    name: str = ""

    def advice(self, file: str) -> str:
        """What to do with it, under the name that it got."""
        return w(self.next, file=file)


def picture_of(game: Game, after: str | None, seat: str | None, kind: str, width: int | None) -> Made:
    """A picture of the position after a round, `svg` or `png`."""
    if after is not None and not (after.isascii() and after.isdigit() and len(after) < 6):
        raise Usage(t("a picture shows the board after one round"), t("give its number: --round 4"))
    seen = seen_in(game, None if after is None else int(after), seat)
    wide = width or WIDTH
    drawn = pictures.svg(game.chain, seen, pictures.drawn_for(wide))
    data = pictures.png(drawn, wide) if kind == "png" else drawn.encode()
    return Made(data, mark("Next: look at {file}."), seen.seat < game.chain.table.seats)


def page_of(game: Game, payloads: Mapping[str, bytes] = {}) -> Made:
    """The page of a game, to step through it; with rules, if it gets what it needs to run them."""
    from referee.page import reading

    table, opened, next = game.chain.table, game.opened, mark("Next: open {file} in a browser.")
    if opened is None:
        page = reading.page_of(reading.reading_of_transcript(game.data, game.chain), payloads)
        return Made(page, next, name=f"{table.id[:8]}.html")
    if own := opened.view.seat is not None:
        next = mark("Next: open {file} in a browser; it shows a hand, so keep it to yourself.")
    name = file_name(table.id, opened.round, opened.seat, table.names, "view").replace(".view.json", ".html")
    return Made(reading.page_of(reading.reading_of_view(opened), payloads), next, own, name)


def players_page(payloads: Mapping[str, bytes] = {}) -> Made:
    """The page with which players check and answer any game; with rules, if it gets what it needs to run them."""
    from referee.page import assemble

    next = mark("Next: open {file} in a browser; `referee page --hash` says what its SHA-256 must be.")
    if payloads:
        next = mark("Next: open {file} in a browser; `referee page --hash --rules` says what its SHA-256 must be.")
    return Made(assemble.player_page(payloads), next, name=assemble.page_name(payloads))


def payloads_for(games: Sequence[str]) -> dict[str, bytes]:
    """What a page with rules carries, with the rules of these games of other packages beside ours."""
    from referee.page import sources

    try:
        return sources.payloads(games)
    except ModuleNotFoundError:
        why = t("a page with rules needs the package pbem-referee-page, which is not installed")
        advice = t('{run} says how to install it, under "With the rules"', run=run("manual", "browser"))
        raise Usage(why, advice, code="no-extra") from None
