"""The commands with which players look at a game: the position, the moves, the story, the proof."""

import os
import sys
from collections import Counter
from typing import Annotated, Any, TextIO

import typer

from referee.cli import t, w
from referee.cli.common import (
    ClockOption,
    JsonOption,
    KeyOption,
    ViewArgument,
    clock,
    colour,
    out,
    public_key,
    read_document,
    say,
    sentence,
    stdin_once,
    with_key,
)
from referee.cli.reports import report, spelled
from referee.cli.values import placeholder
from referee.errors import CheckFailed, Malformed, RefereeError, Usage
from referee.language import NOTHING, Run, Text, Time, listed, run


def open_view(path: str, data: bytes | None = None) -> tuple[Any, Any]:
    """A view that passed every check, and the ticket for its game."""
    from referee.engine import player
    from referee.io import tickets

    view = player.read_view(read_document(path, "view") if data is None else data)
    ticket = tickets.find(view)
    return player.open_view(view, ticket.own_fields if ticket else None), ticket


def width(stream: TextIO) -> int:
    """The columns that a picture can use: those of the terminal, unless COLUMNS says otherwise."""
    from referee.show.terminal import WIDE

    chosen = os.environ.get("COLUMNS", "")
    if chosen.isascii() and chosen.isdigit() and int(chosen):
        return int(chosen)
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDE
    except (OSError, ValueError):
        return WIDE


def see(path: str, data: bytes | None = None, key: str | None = None) -> Any:
    """Open a view to look at it, and remember it: what was seen once the host cannot tell otherwise."""
    from referee.io import tickets

    opened, ticket = open_view(path, data)
    age = tickets.age(ticket, opened)
    if age == "new":
        tickets.remember(ticket, opened.view)
    elif age == "old":
        say(w("This is an older view than one that you have seen before."))
    if told := foreign(opened, public_key(key)):
        say(sentence(told))
    return opened


def warn_ahead(opened: Any, now: str | None) -> Any:
    """Say so if somebody was timed out whose time is still to come by the reader's clock; what was found, as data."""
    from referee.io.times import ahead

    found = ahead(opened.chain, clock(now))
    if found:
        say(w("Careful: in round {round} the host timed somebody out as if {time} were over. By your clock it is "
              "still to come: either a clock is wrong, or the host did not wait.",
              round=found.round, time=Time(found.time)))  # fmt: skip
    return found


def foreign(opened: Any, mine: str) -> Text:
    """Whose view this is, said to somebody with another key; empty for its owner, or if there is no key."""
    from referee.show.text import clean

    keys = [key.hex() for key in opened.table.keys]
    if opened.view.seat is None or mine in ("", keys[opened.seat]):
        return NOTHING
    name, key, own = clean(opened.name), keys[opened.seat][:8], mine[:8]
    if mine not in keys:
        return t(
            "this is {name}'s view, for the key {key}; your key {own} is nobody's in this game",
            name=name,
            key=key,
            own=own,
        )
    you = clean(opened.table.names[keys.index(mine)])
    return t(
        "this is {name}'s view, for the key {key}; your key {own} is {you}'s", name=name, key=key, own=own, you=you
    )


def show_view(
    path: str, *, json: bool, key: str | None = None, data: bytes | None = None, now: str | None = None
) -> None:
    """A view at a glance: the position, what happened since your last turn, and who must act. It counts as seen."""
    from referee.engine.seats import open_seats
    from referee.show import terminal

    opened = see(path, data, key)
    early = warn_ahead(opened, now)
    if json:
        report({**terminal.as_data(opened), "ahead": early})
        return
    out(terminal.render(opened, terminal.Painter(colour=colour(sys.stdout)), width(sys.stdout)))
    if opened.ask:
        say(w("Next: answer with {play}; {moves} lists what is legal.", play=run("play", path, *with_key(key)),
              moves=run("moves", path)))  # fmt: skip
    elif opened.chain.checkpoint.state.end:
        say(w("Next: ask the host for the transcript."))
    elif opened.view.seat is None and open_seats(opened.table, opened.chain.checkpoint.state):
        say(w("Next: take over a seat with {command}, or wait for the next view.", command=run("succeed", path)))
    else:
        say(w("Next: {next}.", next=until_asked(opened, run("return", path, *with_key(key)))))


def until_asked(opened: Any, back: Run | Text) -> Text:
    """What somebody does whom the game does not ask now; `back`: how the player comes back."""
    from referee.engine.player import may_return

    if not may_return(opened):
        return t("wait for the next view")
    if opened.seat in opened.table.kept:
        back = t("answer the mail with `back`")
    return t("you missed two deadlines; to come back: {command}", command=back)


def moves(
    view: ViewArgument,
    every: Annotated[bool, typer.Option("--all", help="Also the moves that the short list leaves out.")] = False,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """Legal moves, numbered, in the words that `play --move` takes; as JSON, all that builds every legal move."""
    from referee.engine.player import refuse_public
    from referee.show import prompt, typed

    opened = see(view, key=key)
    refuse_public(opened)
    if json:
        report(typed.moves(opened))
        return
    found = typed.choices(opened)
    if not found and opened.ask is None:
        say(w("You are not asked for a move."))
        say(w("Next: {next}.", next=until_asked(opened, run("return", view, *with_key(key)))))
        return
    if not found:
        say(w("You are asked for a bare answer."))
        say(w("Next: run {command}.", command=run("play", view, *with_key(key))))
        return
    for number, choice in enumerate(found, 1):
        if every or not choice.minor:
            out(prompt.numbered(number, choice, opened.table, width(sys.stdout)))
            out(f"       {_example(opened, choice)}")
    more = sum(choice.minor for choice in found)
    if not every and more:
        say(w("There are {n} more: {command}.", n=more, command=run("moves", view, "--all")))
    say(w("Next: answer with {command}; a line as TEXT: '#1', in quotes.",
          command=run("play", view, "--move", placeholder("TEXT"), *with_key(key))))  # fmt: skip


def _example(opened: Any, choice: Any) -> str:
    """The move of a line as JSON; of a family, one of its moves also in words."""
    import msgspec

    from referee.show import typed
    from referee.show.wording import move_text

    data = spelled(msgspec.json.encode(choice.move, order="sorted").decode())
    if not choice.parts:
        return data
    move = move_text(opened.table, typed.as_type(choice.move, opened.table.game.move))
    return w("for example: {move}   {data}", move=move, data=data)


# --- the story -------------------------------------------------------------------------------------------------------


def log(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Your view, or a transcript; - for standard input.")],
    rounds: Annotated[
        str, typer.Option("--round", metavar="A..B", help="Only these rounds: 4..9, 4.., ..9 or 4.")
    ] = "..",
    json: JsonOption = False,
) -> None:
    """The whole story of a game, with what only you know of it; of a transcript, with what everybody knew."""
    from referee.crypto.codec import decode
    from referee.engine import records as r
    from referee.evidence.identify import document_kind
    from referee.evidence.replay import open_transcript
    from referee.show import story, terminal

    data = read_document(file, "view", "transcript")
    opened = see(file, data) if document_kind(data) == "view" else None
    chain = opened.chain if opened else open_transcript(data)
    wanted, table = _wanted(rounds, len(chain.rounds)), chain.table
    if opened:
        found = story.story_of_view(opened, wanted)
    else:
        found = story.story_of_transcript(chain, decode(data, r.Transcript, "transcript").sealed, wanted)
    if json:
        report({"game": table.id, "title": table.game.title, "players": table.names, "rounds": found})
        return
    for one in found:
        out(w("Round {round}", round=one.round))
        for line in story.lines(one, table, () if opened else table.names) or [w("nothing to tell")]:
            out(terminal.wrapped(line, width(sys.stdout), 2))
    if opened:
        say(w("Next: look at the board with {command}.", command=run("show", file)))
    else:
        say(w("Next: see the board after any of these rounds with {command}.",
              command=run("picture", file, "--round", "N")))  # fmt: skip


def _wanted(text: str, last: int) -> range:
    """The rounds that `4..9` means, as far as there are any."""
    first, dots, end = text.partition("..")
    ends = [first or "1", (end or str(last)) if dots else first]
    if not all(one.isascii() and one.isdigit() and len(one) < 6 for one in ends):
        raise Usage(t("these are no rounds"), t("write --round 4..9, 4.., ..9 or 4"))
    found = range(max(int(ends[0]), 1), min(int(ends[1]), last) + 1)
    if last and not found:
        raise Usage(
            t("there are no such rounds in this file"), t("choose --round 1..{last}, or some of these", last=last)
        )
    return found


# --- the proof -------------------------------------------------------------------------------------------------------


def audit(
    view: ViewArgument,
    others: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE...]", help="Older views, moves and their receipts, extensions, claims, to compare with."
        ),
    ] = None,
    now: ClockOption = None,
    json: JsonOption = False,
) -> None:
    """Play the whole game again from your view: every signature, link, draw and rule; say what is not provable yet."""
    from referee.evidence.compare import compare, refusals
    from referee.io import tickets
    from referee.show.findings import report as summary

    stdin_once([view, *(others or [])])
    opened, ticket = open_view(view)
    age = tickets.age(ticket, opened)
    files, every, troubles, beside = _others(others or [])
    claims = [one for one in every if one.table.id == opened.table.id]
    found, ignored = compare([opened, *files])
    ignored = [*ignored, *[t("a claim of another game")] * (len(every) - len(claims))]
    own = [file for file in files if hasattr(file, "sig")]
    found = [*found, *refusals(opened, own, ticket.ephemerals if ticket else {})]
    for note in ignored:
        say(w("left aside: {what}", what=note))
    # What is proved against the host comes first: a bad file beside it must not hide it.
    for error in (*found, *sorted(troubles, key=lambda error: error.exit != CheckFailed.exit)):
        raise error
    if age == "new":
        tickets.remember(ticket, opened.view)
    moves = [file for file in files if hasattr(file, "sealed")] + [one.claim.move for one in claims]
    told, early = summary(opened, moves), warn_ahead(opened, now)
    if json:
        fields = {name: getattr(told, name) for name in told.__struct_fields__}
        report({"code": "ok", "age": age, "compared": beside, "aside": ignored, "claims": len(claims),
                "ahead": early, **fields})  # fmt: skip
        raise typer.Exit(Malformed.exit if ignored else 0)
    before = [w("what you have seen of this game before")] if ticket else []
    _tell(told, [*before, *(_counted(kind, count) for kind, count in beside.items())], len(claims))
    if age == "old":
        out(w("  this is an older view than one you have seen before"))
    if ignored:
        say(w("Next: give the files that were left aside together with a view of their own game."))
        raise typer.Exit(Malformed.exit)
    if told.end:
        say(w("Next: ask for the transcript and run `referee verify` on it."))
    else:
        say(w("Next: play on; the rest is proved when the host reveals the transcript."))


def _counted(kind: str, n: int) -> str:
    """So many files of a kind."""
    return {
        "view": w.plural("{n} view", "{n} views", n),
        "transcript": w.plural("{n} transcript", "{n} transcripts", n),
        "move": w.plural("{n} move", "{n} moves", n),
        "receipt": w.plural("{n} receipt", "{n} receipts", n),
        "extension": w.plural("{n} extension", "{n} extensions", n),
        "claim": w.plural("{n} claim", "{n} claims", n),
    }[kind]


def _tell(told: Any, compared: list[str], claims: int) -> None:
    """What was checked, what it was compared with, and what is not provable yet."""
    from referee.show.findings import claims_in_words, late_in_words
    from referee.show.text import clean

    if told.name:
        out(w("{name}'s view of game {game}, round {round}: all checks passed", name=clean(told.name),
              game=told.game[:8], round=told.rounds))  # fmt: skip
    else:
        out(w("the public view of game {game}, round {round}: all checks passed", game=told.game[:8],
              round=told.rounds))  # fmt: skip
    out(w("  {signatures} signatures, {draws} draws by the seed; every round played again by the rules",
          signatures=told.signatures, draws=told.draws))  # fmt: skip
    if told.name:
        out(w("  {open} open tokens and {own} of your own hidden tokens are the ones committed to", open=told.openings,
              own=told.own_openings))  # fmt: skip
    else:
        out(w("  {open} open tokens are the ones committed to", open=told.openings))
    if compared:
        out(w("  compared with {what}: no contradiction", what=listed(compared)))
    for note in (*told.banks, *told.declared, *late_in_words(told), *claims_in_words(claims)):
        out(f"  {note}")
    for note in told.unproved:
        out(w("  not provable yet: {what}", what=note))


def _others(paths: list[str]) -> tuple[list[Any], list[Any], list[RefereeError], Counter[str]]:
    """The files beside a view: other views, transcripts, moves, receipts; claims; what is wrong with some; how many of
    each."""
    from referee.evidence.files import read_file
    from referee.evidence.identify import document_kind
    from referee.evidence.rulings import read_claim
    from referee.io.files import printable

    found, claims = list[Any](), dict[bytes, Any]()
    troubles = list[RefereeError]()
    kinds: Counter[str] = Counter()
    for path in paths:
        try:
            data = read_document(path, "view", "transcript", "move", "receipt", "extension", "claim")
            kind = document_kind(data)
            if kind == "claim":
                claims[data] = read_claim(data)  # the same one twice is one claim
            else:
                found.append(read_file(data))
            kinds[kind] += 1
        except RefereeError as error:
            error.message = t("{path}: {message}", path=printable(path), message=error.message)
            troubles.append(error)
    return found, [*claims.values()], troubles, kinds
