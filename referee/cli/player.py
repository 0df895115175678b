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
    report,
    say,
    spelled,
    write_out,
)
from referee.errors import Usage


def play(
    view: ViewArgument,
    output: Annotated[str, typer.Option("-o", metavar="FILE", help="The signed move; - to print it.")] = "move.json",
    move: Annotated[str | None, typer.Option("--move", metavar="TEXT", help="Your move in its short form.")] = None,
    move_json: Annotated[str | None, typer.Option("--move-json", metavar="JSON", help="Your move as JSON.")] = None,
    dry: Annotated[bool, typer.Option("--dry-run", help="Check the move, sign and write nothing.")] = False,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """Answer what your view asks: checks the view first, then signs your move."""
    from referee.engine.audit import audit
    from referee.engine.player import answer, open_view
    from referee.io import files, tickets
    from referee.show.terminal import with_names

    if move is not None and move_json is not None:
        raise Usage("give --move or --move-json, not both", "choose one of the two")
    data = read_document(view, "view", large=True)
    audit(data)
    opened = open_view(data)
    mine = load_key(key)
    tickets.refuse_old(opened, data)
    chosen = _choose(opened, move, move_json)
    signed = answer(mine, opened, chosen)
    text = opened.table.game.text(chosen) if chosen is not None else getattr(opened.private.ask, "what", "")
    if not dry:
        ticket = tickets.ticket_of(opened, data)
        homes = [os.path.dirname(path) for path in ticket]
        files.write(ticket if output == "-" else {**ticket, output: signed}, secret=[*ticket], make=homes)
        if output == "-":
            write_out(output, signed)
    if json and output != "-":
        written = "" if dry else files.show(output)
        report({"round": opened.private.round + 1, "text": text, "move": chosen, "written": written})
    say(f"Your answer: {with_names(text, opened.table.names)}")
    where = "it" if output == "-" else files.show(output)
    say("Next: run it again without --dry-run." if dry else f"Next: send {where} to the host.")


def _choose(opened: Any, text: str | None, text_json: str | None) -> Any:
    """The move from the options or from a person at a terminal; None where there is nothing to choose."""
    import msgspec

    from referee.errors import Malformed, WrongTurn
    from referee.show import terminal

    ask, table = opened.private.ask, opened.table
    if ask is None:
        raise WrongTurn("this view asks you nothing", "wait for the next view", code="not-asked")
    if ask.what in ("ack", "witness"):
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
    from referee.engine.player import open_view
    from referee.show import terminal

    opened = open_view(read_document(view, "view", large=True))
    if json:
        report(terminal.as_data(opened))
        return
    out(terminal.render(opened, terminal.Painter(colour=colour(sys.stdout))))
    if opened.private.ask:
        say("Next: answer with `referee play`; `referee moves` lists what is legal.")
    elif opened.last and opened.last.end:
        say("Next: ask the host for the transcript.")
    else:
        say("Next: wait for the next view.")


def moves(view: ViewArgument, json: JsonOption = False) -> None:
    """Legal moves, numbered, in the short form that `play --move` takes and as JSON."""
    import msgspec

    from referee.engine.player import open_view
    from referee.engine.records import content
    from referee.show import terminal

    opened = open_view(read_document(view, "view", large=True))
    if json:
        report(msgspec.Raw(content(opened.private.legal) or b"[]"))
        return
    listed = terminal.choices(opened)
    if not listed:
        say("You are not asked for a move." if opened.private.ask is None else "You are asked for a bare answer.")
        say("Next: wait for the next view." if opened.private.ask is None else "Next: run `referee play`.")
        return
    for number, choice in enumerate(listed, 1):
        out(f"{number:3}  {terminal.choice_line(opened, choice)}")
        out(f"     {spelled(msgspec.json.encode(choice.move, order='sorted').decode())}")
    say("Next: `referee play VIEW --move TEXT` or `--move-json JSON`.")


def audit(
    view: ViewArgument,
    others: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE...]", help="Older views and receipts to compare with.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check every signature, link, draw and opening so far; say what cannot be proved yet."""
    from referee.engine.audit import audit as check
    from referee.engine.compare import compare
    from referee.engine.player import open_view
    from referee.io import tickets

    data = read_document(view, "view", large=True)
    found = check(data)
    opened = open_view(data)
    age = tickets.compare(opened, data)
    compare([data, *(read_document(path, "view or receipt", large=True) for path in others or [])])
    if age == "new":
        tickets.remember(opened, data)
    if json:
        report({"code": "ok", "age": age, **{name: getattr(found, name) for name in found.__struct_fields__}})
        return
    from referee.show.text import clean

    out(f"{clean(found.name)}'s view of game {found.game[:8]}, round {found.rounds}: all checks passed")
    out(f"  {found.signatures} signatures, {found.links} links in their chains, {found.draws} draws made by the seed")
    out(f"  {found.openings} open tokens and {found.own_openings} of your own hidden tokens are the ones committed to")
    if age == "old":
        out("  this is an older view than one you have seen before")
    for note in found.unproved:
        out(f"  not provable yet: {note}")
    say(
        "Next: "
        + (
            "play on; the rest is proved when the host reveals the transcript."
            if not found.end
            else "ask for the transcript and run `referee verify` on it."
        )
    )
