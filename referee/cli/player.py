"""The players' commands."""

import os
import sys
from typing import Annotated, Any

import typer

from referee.cli.common import (
    JsonOption,
    KeyOption,
    ViewArgument,
    ask_person,
    colour,
    load_key,
    out,
    read_document,
    refuse_same,
    report,
    say,
    sent,
    spelled,
    stdin_once,
    write_out,
)
from referee.errors import CheckFailed, Malformed, RefereeError, Usage


def play(
    view: ViewArgument,
    output: Annotated[str, typer.Option("-o", metavar="FILE", help="The signed move; - to print it.")] = "move.json",
    move: Annotated[str | None, typer.Option("--move", metavar="TEXT", help="Your move in its short form.")] = None,
    move_json: Annotated[str | None, typer.Option("--move-json", metavar="JSON", help="Your move as JSON.")] = None,
    resign: Annotated[bool, typer.Option("--resign", help="Leave the game for good.")] = False,
    dry: Annotated[bool, typer.Option("--dry-run", help="Check the move, sign and write nothing.")] = False,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """Answer what your view asks: checks the view first, then signs your move."""
    from referee.engine.player import answer
    from referee.io import files, tickets
    from referee.show.terminal import with_names

    if sum((move is not None, move_json is not None, resign)) > 1:
        raise Usage("give one of --move, --move-json and --resign", "choose one of them")
    refuse_same(output, view, key)
    opened, ticket = _open(view)
    mine = load_key(key)
    tickets.refuse_old(ticket, opened)
    chosen = None if resign else _choose(opened, move, move_json)
    marks = tickets.own_marks(ticket, opened, mine)
    signed = answer(mine, opened, chosen, resign=resign, marks=marks)
    text = "resign" if resign else opened.table.game.text(chosen) if chosen is not None else _bare(opened)
    if not dry:
        kept = tickets.made(ticket, opened.view, signed, marks)
        homes = [os.path.dirname(path) for path in kept]
        files.write(kept if output == "-" else {**kept, output: signed}, secret=[*kept], make=homes)
        if output == "-":
            write_out(output, signed)
    if json and output != "-":
        written = "" if dry else files.printable(output)
        report({"round": opened.round + 1, "text": text, "move": chosen, "written": written})
    say(f"Your answer: {with_names(text, opened.table.names)}")
    say("Next: run it again without --dry-run." if dry else f"Next: send {sent(output)} to the host.")


def _open(path: str) -> tuple[Any, Any]:
    """A view that passed every check, and the ticket for its game."""
    from referee.engine.player import open_view, read_view
    from referee.io import tickets

    view = read_view(read_document(path, "view", large=True))
    ticket = tickets.find(view)
    return open_view(view, ticket.own_fields if ticket else None), ticket


def _bare(opened: Any) -> str:
    return "ack" if opened.round == 0 else "link"


def _choose(opened: Any, text: str | None, text_json: str | None) -> Any:
    """The move from the options or from a person at a terminal; None where there is nothing to choose."""
    import msgspec

    from referee.errors import WrongTurn
    from referee.show import terminal

    table = opened.table
    if opened.ask is None:
        raise WrongTurn("this view asks you nothing", "wait for the next view", code="not-asked")
    if not opened.decides:
        if text is not None or text_json is not None:
            raise Usage("there is nothing to choose here: you are asked for a bare answer", "leave --move out")
        return None
    if text_json is not None:
        try:
            return msgspec.json.decode(text_json.encode(), type=table.game.move)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            raise Malformed("this is no move of this game", "see `referee moves` for the form of a move") from None
    if text is None:
        if not sys.stdin.isatty():
            raise Usage(
                "no move given", "give one with --move, or run on a terminal; see `referee moves`", code="no-move"
            )
        return _ask(opened)
    return terminal.parse(opened, text)


def _ask(opened: Any) -> Any:
    """Show the position and let a person type a move, or the number of a listed one, until it is legal."""
    from referee.engine.player import consult
    from referee.errors import IllegalMove
    from referee.show import terminal

    say(terminal.render(opened, terminal.Painter(colour=colour(sys.stderr))))
    say("")
    say(terminal.render_choices(opened))
    while True:
        try:
            move = terminal.parse(opened, _typed(opened))
            consult(opened, opened.table.game.check, move)
        except IllegalMove as error:
            say(f"{error.message}; {error.next}")
        else:
            return move


def _typed(opened: Any) -> str:
    import msgspec

    from referee.show import terminal

    typed = ask_person("Your move (number or text)").strip()
    listed = terminal.choices(opened)
    if typed not in (str(number) for number in range(1, len(listed) + 1)):
        return typed
    chosen = listed[int(typed) - 1]
    text = str(opened.table.game.text(msgspec.convert(chosen.move, opened.table.game.move)))
    if text == chosen.text:
        return text
    return ask_person("That line stands for several moves; type yours", default=text).strip()


def show(view: ViewArgument, json: JsonOption = False) -> None:
    """The position at a glance, what happened since your last turn, and who must act."""
    from referee.show import terminal

    opened, _ = _open(view)
    if json:
        report(terminal.as_data(opened))
        return
    out(terminal.render(opened, terminal.Painter(colour=colour(sys.stdout))))
    if opened.ask:
        say("Next: answer with `referee play`; `referee moves` lists what is legal.")
    elif opened.chain.moment.state.end:
        say("Next: ask the host for the transcript.")
    else:
        say("Next: wait for the next view.")


def moves(view: ViewArgument, json: JsonOption = False) -> None:
    """Legal moves, numbered, in the short form that `play --move` takes and as JSON."""
    import msgspec

    from referee.show import terminal

    opened, _ = _open(view)
    listed = terminal.choices(opened)
    if json:
        report(listed)
        return
    if not listed:
        say("You are not asked for a move." if opened.ask is None else "You are asked for a bare answer.")
        say("Next: wait for the next view." if opened.ask is None else "Next: run `referee play`.")
        return
    for number, choice in enumerate(listed, 1):
        out(f"{number:3}  {terminal.choice_line(opened, choice)}")
        out(f"     {spelled(msgspec.json.encode(choice.move, order='sorted').decode())}")
    say("Next: `referee play VIEW --move TEXT` or `--move-json JSON`.")


def audit(
    view: ViewArgument,
    others: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE...]", help="Older views, your moves and their receipts, to compare with."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play the whole game again from your view: every signature, link, draw and rule; say what is not provable yet."""
    from referee.engine.compare import compare, refusals
    from referee.io import tickets
    from referee.show.findings import report as summary
    from referee.show.text import clean

    stdin_once([view, *(others or [])])
    opened, ticket = _open(view)
    age = tickets.age(ticket, opened)
    files, troubles = _others(others or [])
    found, ignored = compare([opened, *files])
    found = [*found, *refusals(opened, [file for file in files if hasattr(file, "sig")])]
    for note in ignored:
        say(f"left aside: {note}")
    # What is proved against the host comes first: a bad file beside it must not hide it.
    for error in (*found, *sorted(troubles, key=lambda error: error.exit != CheckFailed.exit)):
        raise error
    if age == "new":
        tickets.remember(ticket, opened.view)
    told = summary(opened)
    if json:
        fields = {name: getattr(told, name) for name in told.__struct_fields__}
        report({"code": "ok", "age": age, "aside": ignored, **fields})
        raise typer.Exit(Malformed.exit if ignored else 0)
    out(f"{clean(told.name)}'s view of game {told.game[:8]}, round {told.rounds}: all checks passed")
    out(f"  {told.signatures} signatures, {told.draws} draws by the seed; every round played again by the rules")
    out(f"  {told.openings} open tokens and {told.own_openings} of your own hidden tokens are the ones committed to")
    if age == "old":
        out("  this is an older view than one you have seen before")
    for note in told.unproved:
        out(f"  not provable yet: {note}")
    if ignored:
        say("Next: give the files that were left aside together with a view of their own game.")
        raise typer.Exit(Malformed.exit)
    over = "ask for the transcript and run `referee verify` on it."
    say("Next: " + (over if told.end else "play on; the rest is proved when the host reveals the transcript."))


def _others(paths: list[str]) -> tuple[list[Any], list[RefereeError]]:
    """The files beside a view: other views, transcripts, moves, receipts; and what is wrong with some of them."""
    from referee.engine.compare import read_file
    from referee.io.files import printable

    found, troubles = [], []
    for path in paths:
        try:
            found.append(read_file(read_document(path, "view, move or receipt", large=True)))
        except RefereeError as error:
            error.message = f"{printable(path)}: {error.message}"
            troubles.append(error)
    return found, troubles
