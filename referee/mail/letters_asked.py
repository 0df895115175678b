"""What our mails say to those who ask: what can be written, the rules, the position, the story, how the games stand;
and what to write where something was not understood."""

import re
from collections.abc import Sequence

import msgspec

from referee.engine.player import Opened
from referee.errors import Usage
from referee.language import listed
from referee.mail import listing, w, words
from referee.mail.body import Body, Lines, Part, Reader, Row, Rows, Top, make_body
from referee.mail.letters import board, subject_of
from referee.show.rules import clause, text_for_reader
from referee.show.story import story_of_view
from referee.show.text import clean

LINE_MOST = 200
STORY_MOST = 150
"""Lines of a story in a mail: the newest."""
_TABLE_RULE = re.compile(r"\|[-| :]+\|?")
_HEADING = re.compile(r"^#+ ", re.MULTILINE)


class Standing(msgspec.Struct, frozen=True):
    """How a game of the reader stands, in words."""

    title: str
    lines: tuple[str, ...]


# --- asking back ------------------------------------------------------------------------------------------------------


def did_you_mean(opened: Opened, reader: Reader, line: str, move: str, number: int, rest: Sequence[str]) -> Body:
    """Ask whether a line was meant as the move; `rest` are the lines that were not understood."""
    yes = words.called("yes") + (f" {number}" if number > 1 else "")
    lines = [w("You wrote: {line}", line=_cut(line))]
    if rest:
        lines.append(w("I do not understand the rest of your mail, so I have not taken it yet. It costs you nothing."))
    else:
        lines.append(w("That is also a word that asks me for something, so I have not taken it as a move."))
    how = w("If you mean it, reply `{yes}`. If not, write your answer alone.", yes=yes)
    row = Row(yes, note=clean(move), order=yes)
    parts = (
        Top(w("Did you mean: {move}?", move=clean(move)), lines),
        Rows(w("Is that your answer?"), [row], [how]),
        Lines(w("Not understood"), [_cut(one) for one in rest]),
    )
    return make_body(subject_of(opened, again=True), parts, reader)


def not_understood(opened: Opened | None, reader: Reader, lines: Sequence[str], near: str) -> Body:
    """Say that there is no answer in a mail, and what to write. `near` is the word of ours that may be meant."""
    told = [w("You wrote: {line}", line=_cut(line)) for line in lines]
    told.append(w("I am a program and understand little. Nothing has changed, and it costs you nothing."))
    if near:
        told.append(w("Did you mean `{word}`?", word=words.called(near)))
    row = [Row(one, order=one) for one in (*([words.called(near)] if near else ()), *likely(opened))]
    found = listing.answers(opened) if opened is not None and opened.ask is not None else listing.Answers()
    parts = (
        Top(w("I found no answer in your mail"), told),
        Rows(w("What you can write"), row, [w("Everything that can be written: `{help}`.", help=words.called("help"))]),
        Rows(w("All answers"), found.listed or found.likely),
    )
    title = subject_of(opened, again=True) if opened is not None else "Re: " + w("your mail")
    return make_body(title, parts, reader)


def likely(opened: Opened | None) -> list[str]:
    """The two things that somebody will most likely want to write."""
    moves = [row.order for row in listing.answers(opened).likely] if opened and opened.ask else []
    return [*filter(None, moves), words.called("status"), words.called("help")][:2]


def _cut(line: str) -> str:
    line = clean(line)
    return f"{line[:LINE_MOST]}{'...' * (len(line) > LINE_MOST)}"


# --- answers to words -------------------------------------------------------------------------------------------------


def answered(
    opened: Opened, reader: Reader, asked: Sequence[words.Asked], standings: Sequence[Standing], host: str,
    unread: Sequence[str] = (),
) -> Body:  # fmt: skip
    """Answer words that ask for something, in one mail."""
    names = [" ".join(filter(None, (words.called(one.word), one.about))) for one in asked]
    told = [w("You asked for: {words}.", words=listed(names))]
    told += [w("I did not understand: {line}", line=_cut(line)) for line in unread[:3]]
    parts: list[Part] = [Top(w("{game}: what you asked for", game=opened.table.game.title), told)]
    for one in asked:
        parts += _told(opened, reader, one, standings, host)
    return make_body(subject_of(opened, again=True), parts, reader)


def _told(opened: Opened, reader: Reader, asked: words.Asked, standings: Sequence[Standing], host: str) -> list[Part]:
    match asked.word:
        case "help":
            return list(help_parts(opened, reader, host))
        case "rules":
            return rules_parts(opened.table.offer.game, asked.about)
        case "board":
            return [*board(opened, reader)] or [Lines(w("The position"), [w("Nothing is dealt yet.")])]
        case "moves":
            found = listing.answers(opened) if opened.ask is not None else listing.Answers()
            if not found.listed and not found.likely:
                return [Lines(w("Your moves"), [w("You are not being asked for anything now.")])]
            return [Rows(w("Your moves"), found.usual or found.likely), Rows(w("Also possible"), found.seldom)]
        case "story":
            return [_story(opened, asked.about)]
        case _:
            return [Lines(one.title, one.lines) for one in standings]


def help_parts(opened: Opened | None, reader: Reader, host: str) -> tuple[Part, ...]:
    """One screen: what can be written now, and how to reach the host."""
    now: list[str] = []
    if opened is not None and opened.ask is not None and reader.way == "kept":
        now.append(w("You are asked now. Write for example `{one}`.", one=likely(opened)[0]))
    elif opened is not None and opened.ask is not None:
        now.append(w("You are asked now. Sign your answer with `referee play` or in the player's page."))
    elif opened is not None:
        now.append(w("You are not being asked for anything now."))
    rows = [
        Row(called, note=note)
        for called, note in (
            (words.called("board"), w("the position, with a picture")),
            (words.called("moves"), w("what you can answer now")),
            (words.called("status"), w("who must answer in your games, until when")),
            (words.called("story") + " 10", w("what happened since round 10; without a number, all of it")),
            (words.called("rules"), w("the rules; with a number behind it, only that clause")),
            (words.called("away until") + " 2027-01-05", w("nobody waits for you until then; `{back}` ends it",
                                                           back=words.called("back"))),
            (words.called("language") + " Deutsch", w("English, Deutsch or Nederlands")),
            (words.called("resign"), w("to leave the game; I ask once more")),
        )
    ]  # fmt: skip
    reach = w("I am a program. A person answers here: {host}", host=clean(host))
    return (
        Lines(w("Now"), now),
        Rows(w("What you can write at any time"), rows, [w("Each on a line of its own, alone or beside a move.")]),
        Lines(w("The host"), [reach]),
    )


def rules_parts(game: str, about: str) -> list[Part]:
    """The rules of a game by their sections, or one clause."""
    if not about:
        title, *sections = _HEADING.split(text_for_reader(game))[1:]
        return [_section(part) for part in (title, *sections)]
    try:
        return [Lines(about, _paragraphs(clause(game, about)))]
    except Usage as error:
        wrong = str(error.message)
        see = w("Write `{rules}` to see all clauses.", rules=words.called("rules"))
        return [Lines(about, [f"{wrong[:1].upper()}{wrong[1:]}.", see])]


def rules_lines(game: str, about: str) -> list[str]:
    """The same as lines."""
    return [
        line for part in rules_parts(game, about) if isinstance(part, Lines) for line in (part.heading, *part.lines)
    ]


def _section(part: str) -> Part:
    heading, _, text = part.partition("\n")
    return Lines(heading.strip(), _paragraphs(text))


def _paragraphs(text: str) -> list[str]:
    """A text in Markdown as paragraphs, items and rows."""
    found: list[str] = [""]
    for line in text.replace("**", "").splitlines():
        line = line.strip()
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found += [] if _TABLE_RULE.fullmatch(line) else [" - ".join(filter(None, cells)), ""]
        elif line.startswith(("- ", "```")) or re.match(r"\d\. ", line) or not line:
            found.append("" if line.startswith("```") else line)
        else:
            found[-1] = f"{found[-1]} {line}".strip()
    return [line for line in found if line]


def _story(opened: Opened, since: str) -> Part:
    last = opened.round
    begin = min(int(since), last) if since else 1
    rounds = story_of_view(opened, range(max(begin, 1), last + 1)) if last else []
    lines = [w("Round {round}: {told}", round=one.round, told=line) for one in rounds for line in one.told]
    cut = len(lines) - STORY_MOST
    if cut > 0:
        more = w("Only the newest {most} lines fit into a mail.", most=STORY_MOST)
        lines = [more, *lines[cut:]]
    heading = w("What happened since round {round}", round=begin) if since else w("What happened")
    return Lines(heading, lines or [w("Nothing has happened yet.")])
