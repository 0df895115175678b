"""What our mails say. Of the game they get nothing but a redacted view, opened: what is not in it cannot be told."""

from collections.abc import Iterator, Sequence

from msgspec import structs

from referee.crypto.codec import encode
from referee.crypto.envelope import Envelope
from referee.engine.player import Opened
from referee.engine.rounds import ACK, asked
from referee.engine.table import check_offer
from referee.io.files import file_name, offer_name
from referee.language import ENGLISH
from referee.mail import listing
from referee.mail.board import board
from referee.mail.html import html_text
from referee.mail.listing import BARE, copied
from referee.mail.parts import Board, Body, Lines, Part, Problem, Reader, Row, Rows, Small, Top
from referee.mail.plain import plain_text
from referee.mail.when import moment
from referee.page.aid import aid_name, aid_of
from referee.show.documents import agreed_in_words, terms_in_words
from referee.show.rules import about
from referee.show.story import story_of_view
from referee.show.terminal import said, who_acts
from referee.show.text import asked_for, clean, joined, kept_keys, span
from referee.show.wording import has_words

__all__ = [
    "BARE", "LANGUAGES", "Body", "Problem", "Reader", "copied", "invitation", "over", "refused", "reminder", "taken",
    "told", "turn",
]  # fmt: skip

LANGUAGES = {ENGLISH: "", "de": "German", "nl": "Dutch"}
"""Languages that a player can choose -> what the moves in our mails are then in: all sentences are English."""
NEWS_MOST, NEWS_CUT = 16, 12
"""More lines of news than that are cut to so many before the question; the older ones stand below the position."""
LINE_MOST = 200
"""Characters of a player's line that are said back."""

Files = tuple[tuple[str, bytes], ...]


# --- mails about a turn ----------------------------------------------------------------------------------------------


def turn(opened: Opened, reader: Reader, *, due: str = "", grace: int = 0, away: Sequence[str] = ()) -> Body:
    """Asks a seat what the open round asks it, or only tells how the game goes; attaches the view. `away` tells who is
    or was away."""
    title = f"{opened.table.game.title}: {_calling(opened)}, {clean(reader.name)}"
    top = Top(title, (*_deadline(opened, reader, due, grace), *_shortly(opened, reader)))
    return _asking(opened, reader, top, away=away)


def reminder(opened: Opened, reader: Reader, *, due: str, late: bool) -> Body:
    """Asks once more, before the deadline or after it."""
    title = f"{opened.table.game.title}: the game waits for you, {clean(reader.name)}"
    when = moment(due, reader.zone)
    line = (
        f"The deadline was {when}. Answer soon, or the game goes on without you."
        if late
        else f"The deadline is {when}."
    )
    return _asking(opened, reader, Top(title, (line, *_shortly(opened, reader))), again=True)


def taken(opened: Opened, reader: Reader, words: Sequence[str], receipt: bytes = b"") -> Body:
    """Says that an answer to what this view asks counts; attaches the receipt, if there is one."""
    table = opened.table
    name = file_name(table.id, opened.round + 1, opened.seat, table.names, "receipt")
    others = [clean(table.names[seat]) for seat in asked(opened.chain.moment.state) if seat != opened.seat]
    # Who of them has answered already, a player does not know.
    together = [f"Asked together with you: {joined(others)}."] if others else []
    parts: list[Part] = [Top("Your answer is taken", tuple(clean(line) for line in words))]
    parts.append(Lines("Next", (*together, "You need not do anything until the next mail comes.")))
    if receipt:
        parts.append(Small((f"Keep {name}: it is the host's word that this answer came.",)))
    return _body(_subject(opened, again=True), parts, reader, files=((name, receipt),) if receipt else ())


def refused(opened: Opened | None, reader: Reader, problems: Sequence[Problem]) -> Body:
    """Says why an answer does not count, and what would; attaches the view for whoever signs."""
    found = tuple(line for problem in problems for line in _problem(problem))
    parts: list[Part] = [Top("Your answer was not taken", found)]
    if opened is None:
        return _body("Re: your answer", parts, reader)
    if opened.ask is not None:
        first, seldom = listing.moves(opened)
        parts += [Rows(_question(opened), tuple(first), _shortly(opened, reader))]
        parts += [Rows("Also possible", tuple(seldom))] if seldom else []
    else:
        parts.append(Lines("Next", (*_waiting(opened), "You are asked nothing now: wait for the next mail.")))
    signs = opened.ask is not None and reader.way != "kept"
    return _body(_subject(opened, again=True), parts, reader, files=_files(opened, reader) if signs else ())


def over(opened: Opened, reader: Reader, transcript: bytes) -> Body:
    """Tells how the game ended; attaches the transcript."""
    table = opened.table
    name = f"{table.id[:8]}.transcript.json"
    lines = tuple(_ranking(opened)) or _waiting(opened)
    (news, older), own = _news(opened)
    parts: list[Part] = [Top(f"{table.game.title}: the game is over", lines), *_lines("What happened at the end", news)]
    parts += [*_lines("Only for you", own), *board(opened, reader), *_lines("Before that", older)]
    how = f"Save {name} and run `referee verify {name}`: it plays the whole game again, with all that was hidden."
    parts.append(Lines("The proof", (how, "Keep it together with your last view and your receipts.")))
    nothing_to_answer = structs.replace(reader, pass_="")
    return _body(f"{_table(opened)}: the game is over", parts, nothing_to_answer, files=((name, transcript),))


def _asking(opened: Opened, reader: Reader, top: Top, again: bool = False, away: Sequence[str] = ()) -> Body:
    """The question first, then what it takes to decide, then what is seldom needed."""
    table = opened.table
    (news, older), own = _news(opened)
    first, seldom = listing.moves(opened)
    parts: list[Part] = [top, *_lines("Since your last turn", news), *_lines("Only for you", own)]
    parts += [Rows(_question(opened), tuple(first))] if first else []
    parts += board(opened, reader)
    if opened.round == 0:
        parts += _lines("What you agree to", [line.strip() for line in agreed_in_words(table).splitlines()])
    parts += _lines("Before that", older)
    parts += [Rows("Also possible, but seldom wanted", tuple(seldom))] if seldom else []
    sayings = listing.sayings(opened)
    parts += [Rows("You can also say, for good", tuple(sayings), (_saying(first),))] if sayings else []
    files = _files(opened, reader)
    parts += [*_lines("How to answer", list(_how(opened, reader, files))), _around(opened, away)]
    return _body(_subject(opened, again), parts, reader, files=files)


# --- other mails -----------------------------------------------------------------------------------------------------


def invitation(offer: Envelope, reader: Reader, invited: Sequence[str], host: str) -> Body:
    """Asks somebody to join a game; attaches the offer."""
    body, ident = check_offer(offer)
    name = offer_name(ident, body.game)
    title, *terms = (line.strip() for line in terms_in_words(body).splitlines())
    own, guests = clean(reader.name) or "NAME", [clean(one) for one in invited]
    rows = (
        Row(f"join as {own}", note="the easy way: the host keeps a key for you, you only write words",
            order=f"join as {own}"),
        Row("no", note="you do not play", order="no"),
    )  # fmt: skip
    parts: list[Part] = [
        Top(f"{own}, {clean(host)} invites you to a game", (title, f"Invited: {joined(guests)}.")),
        *_lines("What it is", about(body.game, body.seats)),
        Rows("Do you play?", rows, ("Reply with one of these lines. Another name is fine: write the one you like.",)),
        Lines("With a key of your own", (
            "Then nobody can answer in your name, not even the host. In a browser: open the player's page (player.html "
            "of pbem-referee), make a key, open this mail, saved as a file, join, and send the reply that it makes.",
            f"Or install pbem-referee, make a key with `referee key new`, save this mail (or the attached {name}), run "
            "`referee join` on it, and send the reply that it writes.",
        )),
        Lines("What the difference is", (
            "Whoever keeps your key can play for you, and can foresee what is drawn in rounds in which only such seats "
            "are asked. All players see which seats that are. It stays so until the end of the game.",
        )),
        *_lines("The terms", terms),
    ]  # fmt: skip
    return _body(f"{title}: an invitation", parts, reader, files=((name, encode(offer)),))


def told(reader: Reader, lines: Sequence[str], subject: str) -> Body:
    """Anything short: the first line is what it is about."""
    title, *more = map(clean, lines)
    return _body(subject, [Top(title, tuple(more))], reader)


# --- what they are made of -------------------------------------------------------------------------------------------


def _body(subject: str, parts: Sequence[Part], reader: Reader, files: Files = ()) -> Body:
    subject = " ".join(filter(None, (clean(subject), reader.pass_)))
    every = [*parts]
    if reader.pass_:
        every.append(Small((f"This is your pass; show it to nobody: {reader.pass_}",)))
    picture = next((part.png for part in parts if isinstance(part, Board)), b"")
    return Body(subject, plain_text(every), html_text(every, reader, subject), picture, files)


def _files(opened: Opened, reader: Reader) -> Files:
    """The view, and for somebody who signs what a page needs to answer it."""
    table = opened.table
    view = file_name(table.id, opened.round, opened.seat, table.names, "view"), encode(opened.view)
    aid = reader.aids and reader.way != "kept" and opened.ask is not None
    return (view, (aid_name(opened), encode(aid_of(opened)))) if aid else (view,)


def _table(opened: Opened) -> str:
    return f"{opened.table.game.title} {opened.table.offer_id[:8]}"


def _subject(opened: Opened, again: bool = False) -> str:
    """One for all mails about a turn, so that mail programs keep them together."""
    what = "your turn" if opened.ask is not None else "news"
    return f"{'Re: ' * again}{_table(opened)}, round {opened.round + 1}: {what}"


def _lines(heading: str, lines: Sequence[str]) -> list[Part]:
    return [Lines(heading, tuple(lines))] if lines else []


def _calling(opened: Opened) -> str:
    if opened.ask is None:
        return "news for you"
    if opened.ask.what == ACK:
        return "the game can begin if you agree"
    return "it is your turn" if opened.decides else "a short answer is needed"


def _deadline(opened: Opened, reader: Reader, due: str, grace: int) -> Iterator[str]:
    if due and opened.ask is not None:
        more = f", with {span(grace)} of grace" if grace else ""
        yield f"Please answer by {moment(due, reader.zone)}{more}."


def _question(opened: Opened) -> str:
    if opened.ask is None or not opened.decides:
        return "Do you agree?" if opened.round == 0 else "Your answer"
    return f"What do you do? ({asked_for(opened.ask.what)})"


def _shortly(opened: Opened, reader: Reader) -> tuple[str, ...]:
    """How to answer, in one line."""
    if opened.ask is None:
        return _waiting(opened)
    if reader.way != "kept":
        return ("To answer, save this mail and run `referee play` on it; then send the reply that it writes.",)
    first, _ = listing.moves(opened)
    if not opened.decides:
        return (f"To answer, reply to this mail and write `{BARE}`.",)
    single = next((row.mark for row in first if row.order), "")
    example = next((row.example for row in first if row.example), "")
    number, words = f"a number such as `{single}`, or " if single else "", f", such as `{example}`" if example else ""
    said = f"{number}a move in words{words * (not single)}"
    return (f"To answer, reply to this mail and write {said}.",)


def _saying(rows: Sequence[Row]) -> str:
    """How standing words are said."""
    answer = next((row.mark or row.order for row in rows if row.order), "MOVE")
    how = f"Write such words behind your answer, with a `;` between: `{answer}; WORDS`."
    return f"{how} They hold until you take them back."


def _how(opened: Opened, reader: Reader, files: Files) -> Iterator[str]:
    if opened.ask is None:
        return
    if reader.way != "kept":
        if len(files) > 1:
            yield "In a browser: open player.html, and there your player's file and this mail, saved as a file."
            yield "Choose, look at what you sign, and send the reply that it makes. Or with the program:"
        yield f"`referee play` takes this mail, saved as a file, or the attached {files[0][0]}."
        yield "It shows the board and the moves, asks before it signs, and writes a reply: send that to the host."
        yield "`referee word` signs what is no move, such as `away until 2027-01-05`."
        return
    if opened.decides:
        yield "Write one answer, above the line at the top or anywhere. What you quote of this mail does not matter."
        yield "A line that stands for many moves needs words: take its example and change it."
    yield "If something is not clear you are asked; nothing is guessed."
    if opened.round == 0 and has_words(opened.table):
        yield "Moves may be in German or Dutch; `language de` or `language nl` shows them so. Sentences are English."
    yield "Away for a while? Write `away until 2027-01-05`, later `back`. To leave the game for good: `resign`."


def _around(opened: Opened, away: Sequence[str]) -> Lines:
    """Who else plays, who is asked, who has said what, whose keys the host keeps, who is away."""
    table = opened.table
    names = [clean(name) for name in table.names]
    kept = kept_keys([table.names[seat] for seat in table.kept])
    lines = [f"You are {names[opened.seat]}; the players in seat order are {joined(names)}.", *_waiting(opened)]
    lines += said(opened, names) if opened.round else []
    lines += [f"{kept[0].upper()}{kept[1:]}."] if kept else []
    lines += map(clean, away)
    return Lines(f"At this table ({table.offer_id[:8]}, round {opened.round + 1})", tuple(lines))


def _waiting(opened: Opened) -> tuple[str, ...]:
    """Whose answer the game waits for; the deadline is told elsewhere, in the reader's zone."""
    names = [clean(name) for name in opened.table.names]
    return tuple(line.strip() for line in who_acts(opened, names, due=False))


def _news(opened: Opened) -> tuple[tuple[list[str], list[str]], list[str]]:
    """What happened from this player's last answer on, the newest and what was before; and what only this player got
    to know of it."""
    rounds = opened.chain.rounds
    mine = (one.entry.round for one in reversed(rounds) if any(a.seat == opened.seat for a in one.entry.answers))
    found = story_of_view(opened, range(next(mine, 1), len(rounds) + 1))
    told = [line for one in found for line in one.told]
    cut = len(told) - NEWS_CUT if len(told) > NEWS_MOST else 0
    called = opened.table.game.called
    return (told[cut:], told[:cut]), [line for one in found for news in one.news for line in news.lines(called)]


def _problem(problem: Problem) -> Iterator[str]:
    if problem.line:
        line = clean(problem.line)
        yield f"You wrote: {line[:LINE_MOST]}{'...' * (len(line) > LINE_MOST)}"
    told = f"{clean(problem.message)}{f'; {clean(problem.next)}' if problem.next else ''}"
    yield f"{told[:1].upper()}{told[1:]}."


def _ranking(opened: Opened) -> Iterator[str]:
    """Who won, and the order of all."""
    state, names = opened.chain.moment.state, [clean(name) for name in opened.table.names]
    if state.result is None:
        return
    ranks = state.result.ranks
    winners = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    yield f"{joined(winners)} {'have' if len(winners) > 1 else 'has'} won."
    yield from (f"{rank}. {name}" for rank, name in sorted(zip(ranks, names, strict=True)))
