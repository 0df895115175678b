"""What our mails say. All they know of a game is a redacted view: they cannot reveal what is not in it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import unescape
from itertools import chain

from msgspec import structs

from referee.crypto.codec import encode
from referee.crypto.envelope import Envelope
from referee.engine.player import Opened
from referee.engine.rounds import ACK, asked
from referee.engine.table import check_offer
from referee.errors import Usage
from referee.evidence.rulings import Ruling
from referee.io.files import file_name, offer_name
from referee.language import Text, Value, listed
from referee.mail import Saying, listing, w
from referee.mail.body import WIDTH, Board, Body, Files, Lines, Part, Problem, Reader, Row, Rows, Small, Top, make_body
from referee.mail.timing import deadline_in_words, late_so_far, moment
from referee.mail.ways import in_full, in_other_languages, in_short, waiting, where_is_the_page
from referee.page.aid import aid_name, aid_of
from referee.show.documents import agreed_in_words, terms_in_words
from referee.show.pictures import png, seen_in_view, svg
from referee.show.rules import about
from referee.show.story import story_of_view
from referee.show.terminal import Painter, standing_lines
from referee.show.text import asked_for, clean, kept_keys, marked

NEWS_MOST, NEWS_CUT = 16, 12
"""If there are more lines of news than the first number, only the second number of them come before the question; older
ones follow below the position."""
LINE_MOST = 200
"""Characters of a player's line that are quoted in the reply."""
_TOLD = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)
DRAWN, PIXELS = 360, 480
"""For how wide a screen the board is drawn, and how many pixels its picture has, so that it is sharp on a phone."""
_pixels = lru_cache(16)(png)
"""Reminders show the same picture again, and drawing it takes longer than everything else."""


# --- mails about a turn ----------------------------------------------------------------------------------------------


def turn(
    opened: Opened, reader: Reader, *, due: str = "", times: tuple[int, int] = (0, 0), away: Sequence[str] = ()
) -> Body:
    """Ask a seat for its answer in the open round, or just tell it how the game goes; attaches the view. `times`:
    minutes of grace, and minutes left in the seat's bank. `away`: who is or was away."""
    values: dict[str, Value] = {"game": opened.table.game.title, "name": clean(reader.name)}
    if opened.ask is None:
        title = w("{game}: news for you, {name}", **values)
    elif opened.ask.what == ACK:
        title = w("{game}: the game can begin if you agree, {name}", **values)
    elif opened.decides:
        title = w("{game}: it is your turn, {name}", **values)
    else:
        title = w("{game}: please confirm, {name}", **values)
    deadline = () if opened.ask is None else deadline_in_words(due, reader.zone, *times)
    return _question_letter(opened, reader, Top(title, (*deadline, *in_short(opened, reader))), away=away)


def reminder(opened: Opened, reader: Reader, *, due: str, late: bool, last: str = "") -> Body:
    """Ask again, before or after the deadline; until `last` a late answer still counts."""
    title = w("{game}: the game is waiting for you, {name}", game=opened.table.game.title, name=clean(reader.name))
    when = moment(last or due, reader.zone)
    if last:
        line = w("The deadline has passed. Answer by {when}, or the game goes on without you.", when=when)
    elif late:
        line = w("The deadline was {when}. Please answer: nobody can go on until you do.", when=when)
    else:
        line = w("The deadline is {when}.", when=when)
    return _question_letter(opened, reader, Top(title, (line, *in_short(opened, reader))), again=True)


def accepted(opened: Opened, reader: Reader, words: Saying, receipt: bytes = b"") -> Body:
    """Say that an answer was accepted; attaches the receipt, if there is one."""
    others = [clean(opened.table.names[seat]) for seat in asked(opened.chain.checkpoint.state) if seat != opened.seat]
    # A player does not know which of them have already answered.
    together = [w("Also asked in this round: {names}.", names=listed(others))] if others else []
    files = _receipt(opened, receipt)
    parts = (
        Top(w("Your answer has been accepted"), [clean(str(line)) for line in words]),
        Lines(w.sense("heading", "Next"), (*together, w("You do not need to do anything until the next mail comes."))),
        Small([w("Keep {file}: it is the host's receipt for this answer.", file=name) for name, _ in files]),
    )
    return make_body(subject_of(opened, again=True), parts, reader, files)


def already_accepted(
    opened: Opened, reader: Reader, words: Saying, *, next: Sequence[Text] = (), receipt: bytes = b""
) -> Body:
    """Say that an answer that came again already counts; `next` is what the player should know about the game now.
    Attaches the receipt, if there is one."""
    again = w("It arrived again, and it counts once. All is well; you do not need to send it again.")
    parts = (
        Top(w("Your answer was already accepted"), (*(clean(str(line)) for line in words), again)),
        Lines(
            w.sense("heading", "Next"),
            [str(line) for line in next] or [w("You do not need to do anything until the next mail comes.")],
        ),
    )
    return make_body(subject_of(opened, again=True), parts, reader, _receipt(opened, receipt))


def _receipt(opened: Opened, receipt: bytes) -> Files:
    name = file_name(opened.table.id, opened.round + 1, opened.seat, opened.table.names, "receipt")
    return ((name, receipt),) if receipt else ()


def refused(opened: Opened | None, reader: Reader, problems: Sequence[Problem]) -> Body:
    """Say why an answer does not count, and what would; attaches the view for players who sign."""
    top = Top(w("Your answer was not accepted"), [*chain.from_iterable(map(_problem, problems))])
    if opened is None:
        return make_body("Re: " + w("your answer"), [top], reader)
    if opened.ask is None:
        nothing = w("There is nothing for you to answer now; please wait for the next mail.")
        parts: tuple[Part, ...] = (top, Lines(w.sense("heading", "Next"), (*waiting(opened), nothing)))
        return make_body(subject_of(opened, again=True), parts, reader)
    parts = (top, *_answers(opened, reader, in_short(opened, reader)))
    files = _files(opened, reader) if reader.way != "kept" else ()
    return make_body(subject_of(opened, again=True), parts, reader, files)


def game_over(opened: Opened, reader: Reader, transcript: bytes) -> Body:
    """Tell how the game ended; attaches the transcript. If the rules did not end it, the host did."""
    table = opened.table
    name = f"{table.id[:8]}.transcript.json"
    lines = tuple(_ranking(opened)) or waiting(opened)
    if not opened.chain.checkpoint.state.end:
        lines = (w("The host ended it after round {round}, without a result.", round=opened.round),)
    (news, older), own = _news(opened)
    how = w("Save {file} and run `referee verify {file}`: it replays the whole game, with everything that was hidden.",
            file=name)  # fmt: skip
    parts: tuple[Part, ...] = (
        Top(w("{game}: the game is over", game=table.game.title), (*lines, *late_so_far(opened, reader.claims))),
        Lines(w("What happened at the end"), news),
        Lines(w("Only for you"), own),
        *board(opened, reader),
        Lines(w("Before that"), older),
        Lines(w("The proof"), (how, w("Keep it with your last view and your receipts."))),
    )
    subject, nothing_to_answer = w("{game}: the game is over", game=_table(opened)), structs.replace(reader, pass_="")
    return make_body(subject, parts, nothing_to_answer, ((name, transcript),))


def ruling(opened: Opened, reader: Reader, said: Ruling, data: bytes, *, runs: bool, waits: bool) -> Body:
    """Tell what the arbiter ruled, whom it binds, and what comes next: whether the game `runs`, and `waits` for this
    seat; attaches the ruling."""
    table = opened.table
    name = f"{table.id[:8]}-{said.key[:6]}.ruling.json"
    places = [f"{rank}. {clean(name)}" for rank, name in sorted(zip(said.ranks, table.names, strict=False))]
    decided = (
        w("The places are now: {places}.", places=listed(places)) if places else w("The final places stay as they are.")
    )
    binds = w("The terms of this game name this arbiter (key {key}), so the ruling binds everybody who joined.",
              key=said.key[:16])  # fmt: skip
    if waits:
        more = w("The game goes on, and round {round} is still waiting for your answer.", round=opened.round + 1)
    elif runs:
        more = w("The game goes on; you do not need to do anything until the next mail comes.")
    else:
        more = w("The game is over; you do not need to do anything.")
    keep = w("Keep {file}; `referee verify {file}` shows who signed it.", file=name)
    parts = (
        Top(w("{game}: the arbiter has ruled", game=table.game.title), (clean(said.verdict), decided, binds)),
        Lines(w.sense("heading", "Next"), (more, keep)),
    )
    to = reader if runs else structs.replace(reader, pass_="")
    return make_body(w("{game}: the arbiter has ruled", game=_table(opened)), parts, to, ((name, data),))


def _question_letter(opened: Opened, reader: Reader, top: Top, again: bool = False, away: Sequence[str] = ()) -> Body:
    """The board first, then the likeliest answers, then what the player needs to decide, then what is rarely needed."""
    (news, older), own = _news(opened)
    found = listing.answers(opened)
    files, agreed = _files(opened, reader), agreed_in_words(opened.table).splitlines() if opened.round == 0 else ()
    rows = (*found.likely, *found.usual)
    answer = next((row.order for row in rows if row.order), w.sense("an answer", "MOVE"))
    standing = w("Add a standing order to your answer after a `;`: `{answer}; WORDS`. It holds until you take it "
                 "back.", answer=answer)  # fmt: skip
    orders = listing.standing(opened)
    parts: tuple[Part, ...] = (
        top,
        *board(opened, reader),
        *_answers(opened, reader, (), (Lines(w("Since your last turn"), news), Lines(w("Only for you"), own))),
        Lines(w("What you agree to"), [line.strip() for line in agreed]),
        Lines(w("Before that"), older),
        Rows(w("Standing orders that you can add"), orders, [standing] if orders else ()),
        Lines(w("How to answer"), list(in_full(opened, reader, files[0][0]))),
        _around(opened, reader, away),
    )
    return make_body(subject_of(opened, again), parts, reader, files)


# --- other mails -----------------------------------------------------------------------------------------------------


def invitation(offer: Envelope, reader: Reader, invited: Sequence[str], host: str) -> Body:
    """Ask somebody to join a game; attaches the offer."""
    body, ident = check_offer(offer)
    name = offer_name(ident, body.game)
    title, *terms = (line.strip() for line in terms_in_words(body).splitlines())
    own, guests = clean(reader.name) or w.sense("a name to write", "NAME"), [clean(one) for one in invited]
    join, no = w("join as {name}", name=own), w.sense("an answer", "no")
    rows = (
        Row(join, note=w("the easy way: the host keeps a key for you, and you just write words"), order=join),
        Row(no, note=w("you do not want to play"), order=no),
    )
    parts = (
        Top(w("{name}, {host} invites you to a game", name=own, host=clean(host)),
            (title, w("Invited: {names}.", names=listed(guests)))),
        Lines(w("About the game"), about(body.game, body.seats)),
        Rows(w("Do you want to play?"), rows,
             (w("Reply with one of these lines. You can choose another name if you like."), *in_other_languages())),
        Lines(w("With your own key"), (
            w("Then nobody can answer in your name, not even the host. In a browser: open the player's page "
              "(player.html of pbem-referee), make a key, open this mail (saved as a file), join, and send the "
              "reply that the page makes."),
            where_is_the_page(reader, host),
            w("Or install pbem-referee, make a key with `referee key new`, save this mail (or the attached {file}), "
              "run `referee join` on it, and send the reply that it writes.", file=name),
        )),
        Lines(w("The difference"), (
            w("Whoever keeps your key can play for you, and can foresee what is drawn in rounds that ask only "
              "such seats. All players can see which seats these are. This does not change until the end of the "
              "game."),
        )),
        Lines(w("The terms"), terms),
    )  # fmt: skip
    return make_body(w("{game}: an invitation", game=title), parts, reader, ((name, encode(offer)),))


def notice(reader: Reader, lines: Saying, subject: str, files: Files = ()) -> Body:
    """A short mail: the first line says what it is about."""
    title, *more = (clean(str(line)) for line in lines)
    return make_body(subject, [Top(title, more)], reader, files)


# --- what they are made of -------------------------------------------------------------------------------------------


def board(opened: Opened, reader: Reader) -> list[Board]:
    """The board as this player may see it; empty before the first deal. Without the packages for pictures, or if the
    game has none, it is text only."""
    if opened.chain.last is None:
        return []
    table, seen = opened.table, seen_in_view(opened)
    drawn = table.game.render(table.terms, seen, [clean(name) for name in table.names], Painter(colour=False), WIDTH)
    try:
        picture = svg(opened.chain, seen, DRAWN) if reader.pictures else ""
        pixels = _pixels(picture, PIXELS) if picture else b""
    except Usage:
        return [Board(drawn)]
    match = _TOLD.search(picture)
    return [Board(drawn, pixels, unescape(match[1]) if match else "")]


def _answers(opened: Opened, reader: Reader, how: Sequence[str] = (), between: Sequence[Part] = ()) -> tuple[Part, ...]:
    """What this seat can answer, and how. Who writes words gets the likeliest moves as buttons, then the list with
    numbers, and what else there is to know `between` them; a line of the list that is a button above is none again."""
    found = listing.answers(opened)
    buttons = found.likely if reader.way == "kept" or not opened.decides else ()
    if not buttons:
        return (*between, Rows(_question(opened), found.usual, how), Rows(_seldom(), found.seldom))
    orders = {row.order for row in buttons}
    usual, seldom = (
        [structs.replace(row, order="") if row.order in orders else row for row in rows]
        for rows in (found.usual, found.seldom)
    )
    return (
        Rows(_question(opened), buttons, how),
        *between,
        Rows(w("Everything that you can do"), usual),
        Rows(_seldom(), seldom),
    )


def _seldom() -> str:
    """Above the lines that few people need."""
    return w("Also possible, but rarely useful")


def _files(opened: Opened, reader: Reader) -> Files:
    """The view, and the file that a page without the rules needs, unless this player is known to use something else."""
    table = opened.table
    view = file_name(table.id, opened.round, opened.seat, table.names, "view"), encode(opened.view)
    aid = reader.aids and reader.way in ("own", "page") and opened.ask is not None
    return (view, (aid_name(opened), encode(aid_of(opened)))) if aid else (view,)


def _table(opened: Opened) -> str:
    return f"{opened.table.game.title} {opened.table.offer_id[:8]}"


def subject_of(opened: Opened, again: bool = False) -> str:
    """The same subject for all mails about a turn, so that mail programs group them."""
    values: dict[str, Value] = {"game": _table(opened), "round": opened.round + 1}
    turn, news = w("{game}, round {round}: your turn", **values), w("{game}, round {round}: news", **values)
    return f"{'Re: ' * again}{news if opened.ask is None else turn}"


def _question(opened: Opened) -> str:
    if opened.ask is None or not opened.decides:
        return w("Do you agree?") if opened.round == 0 else w("Your answer")
    return w("What do you do? ({asked})", asked=asked_for(opened.ask.what, opened.table.offer.game))


def _around(opened: Opened, reader: Reader, away: Sequence[str]) -> Lines:
    """Who plays, who is asked, standing orders, whose keys the host keeps, who is away."""
    table = opened.table
    names = [clean(name) for name in table.names]
    kept = kept_keys([table.names[seat] for seat in table.kept])
    you = w("You are {name}; the players in seat order are {names}.", name=names[opened.seat], names=listed(names))
    lines = [you, *waiting(opened)]
    lines += standing_lines(opened, names) if opened.round else []
    lines += [f"{_capital(kept)}."] if kept else []
    lines += [*map(clean, away), *late_so_far(opened, reader.claims)]
    heading = w("At this table ({table}, round {round})", table=table.offer_id[:8], round=opened.round + 1)
    return Lines(heading, lines)


def _news(opened: Opened) -> tuple[tuple[list[str], list[str]], list[str]]:
    """What happened since this player's last answer (the newest lines and the older ones), and what only this player
    learned."""
    rounds = opened.chain.rounds
    mine = (one.entry.round for one in reversed(rounds) if any(a.seat == opened.seat for a in one.entry.answers))
    found = story_of_view(opened, range(next(mine, 1), len(rounds) + 1))
    lines = [line for one in found for line in one.told]
    cut = len(lines) - NEWS_CUT if len(lines) > NEWS_MOST else 0
    private = [line for one in found for news in one.news for line in news.lines(opened.table)]
    return (lines[cut:], lines[:cut]), private


def _problem(problem: Problem) -> Iterator[str]:
    if problem.line:
        line = clean(problem.line)
        yield w("You wrote: {line}", line=f"{line[:LINE_MOST]}{'...' * (len(line) > LINE_MOST)}")
    wrong, more = (clean(str(text)) for text in (problem.message, problem.next))
    sentence = f"{wrong} {_capital(more)}".strip() if wrong.endswith("?") else "; ".join(filter(None, (wrong, more)))
    yield _capital(sentence) + "." * (not sentence.endswith("?"))


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _ranking(opened: Opened) -> Iterator[str]:
    """Who won, and the order of all."""
    state, names = opened.chain.checkpoint.state, [clean(name) for name in opened.table.names]
    if state.result is None:
        return
    ranks = state.result.ranks
    winners = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    yield w.plural("{names} has won.", "{names} have won.", len(winners), names=listed(winners))
    yield from (f"{rank}. {name}" for rank, name in sorted(zip(ranks, marked(state.result, names), strict=True)))
