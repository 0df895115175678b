"""The host's commands."""

import os
from typing import Annotated, Any

import typer

from referee.cli import complete, t, w
from referee.cli.common import (
    AidOption,
    DryOption,
    GameArgument,
    JsonOption,
    KeyOption,
    NowOption,
    OutOption,
    aid_maker,
    at_terminal,
    clock,
    game_path,
    go_on,
    hints,
    load_key,
    read_document,
    refuse_same,
    say,
    sent,
    sentence,
    stdin_once,
    tell_files,
    with_key,
    write_out,
)
from referee.cli.reports import report
from referee.cli.status import status_of, tell_next
from referee.cli.values import placeholder
from referee.errors import IllegalMove, RefereeError, Usage, WrongTurn
from referee.language import NOTHING, Time, Told, listed, run, with_files
from referee.show.text import clean

_SEAT = typer.Option(
    "--seat", metavar="NAME", help="The player, by name or seat number.", autocompletion=complete.seats
)
SeatOption = Annotated[str, _SEAT]
OneSeatOption = Annotated[str | None, _SEAT]


def apply(
    game: GameArgument,
    moves: Annotated[
        list[str],
        typer.Argument(
            metavar="MOVE...",
            help="Signed moves, and files of players who take over a seat or come back; - for standard input.",
            autocompletion=complete.files("move", "succession", "return"),
        ),
    ],
    out: OutOption = None,
    aid: AidOption = False,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """Validate moves, apply them, sign the game file again, write a view per player and a receipt per move."""
    from referee.io import desk

    mine = load_key(key)
    stdin_once(moves)
    folder = out if out is not None else os.path.dirname(game)
    taken = [_read(path) for path in moves]
    with hints(run("status", game, *with_key(key))):
        done = desk.apply_moves(game_path(game), taken, mine, folder, clock(now), dry=dry, aid=aid_maker(aid))
    rows = [_verdict(done.match, path, verdict, dry) for path, verdict in zip(moves, done.judged, strict=True)]
    found = status_of(done.match)
    mails = {} if dry else _mails(done, folder)
    if json:
        report({"moves": rows, **_wrote(done, dry, mails), **found})
    for row in rows:
        say(f"{row['move']}: {row['message']}")
    _tell_mails(done.match, mails, game, out)
    failed = next((verdict.error for verdict in done.judged if verdict.error), None)
    if failed is None or done.closed:
        tell_next(done.match, done.closed, dry, run("reveal", game, *with_key(key)))
    if failed is not None:
        told = _for_player(failed)
        say(w("For what was refused: {next}", next=told) if done.closed else w("Next: {next}", next=told))
        raise typer.Exit(failed.exit)


def _wrote(done: Any, dry: bool, mails: "Mails") -> dict[str, Any]:
    """What a command at the desk wrote, for programs."""
    send = [{"seat": seat + 1, "name": name, "files": paths} for (seat, name), paths in sorted(mails.items())]
    return {"closed": done.closed, "written": [] if dry else done.written, "send": send}


Mails = dict[tuple[int, str], list[str]]
"""Seat and name -> the files to send: who has handed a seat over still gets the receipt."""


def _mails(done: Any, folder: str) -> Mails:
    """For each player the view, if there is a new one, and the receipts of the moves."""
    from referee.io import desk

    match, mails = done.match, Mails()
    if done.closed:
        for seat, name in enumerate(match.table.names):
            view = desk.view_path(match, seat, folder)
            mails[seat, clean(name)] = [one for one in (view, desk.aid_path(view)) if one in done.written]
    for verdict in done.judged:
        if verdict.seat is not None:
            mails.setdefault((verdict.seat, _signer(match, verdict)), []).extend(
                desk.receipt_file(match, verdict, folder)
            )
    return {whose: list(dict.fromkeys(paths)) for whose, paths in mails.items() if paths}


def _signer(match: Any, verdict: Any) -> str:
    """Who signed what was judged: whoever held the seat in that round."""
    import msgspec

    from referee.engine.records import Receipt

    table = match.table
    if verdict.receipt is not None:
        table = table.at(msgspec.json.decode(verdict.receipt.body, type=Receipt).round)
    return clean(table.names[verdict.seat]) if verdict.seat is not None else ""


def _tell_mails(match: Any, mails: Mails, game: str, out: str | None) -> None:
    from referee.io import desk, files

    if mails:
        say(w("Send:"))
        tell_files(mails)
    older = desk.other_folder(game, match.table.id) if mails and out is None else ""
    if older:
        say(w("These lie beside the game file, but older views of this game are in {folder}: --out {folder} was left "
              "out.", folder=files.printable(older)))  # fmt: skip


def _read(path: str) -> bytes | RefereeError:
    """A move, or why it cannot be read: one bad file among many spoils nothing."""
    try:
        return read_document(path, "move", "succession", "return")
    except RefereeError as error:
        return error


def _verdict(match: Any, path: str, verdict: Any, dry: bool) -> dict[str, Any]:
    from referee.io import files

    who = _signer(match, verdict)
    row = {"move": files.printable(path), "code": verdict.code, "name": who, "next": NOTHING}
    row |= {"seat": verdict.seat + 1 if verdict.seat is not None else 0}
    if verdict.error is not None:
        told = t("refused: {why}", why=verdict.error.message)
        return row | {"message": told, "next": _for_player(verdict.error)}
    if verdict.code == "arriving":
        from referee.cli.seats import arriving

        return row | {"message": arriving(match, verdict.seat)}
    if verdict.code == "repeated":
        return row | {"message": t("{name}'s move is taken already: nothing to do", name=who)}
    return row | {"message": t("{name}'s move is good", name=who) if dry else t("{name}'s move is taken", name=who)}


def _for_player(error: RefereeError) -> Told:
    """What to do about a refused move: it is its player who has to."""
    told = error.next
    for name in ("moves", "play"):
        told = with_files(told, run(name, placeholder("VIEW")))
    return t("ask the player for another move; {next}", next=told) if error.exit == IllegalMove.exit else told


def view(
    game: GameArgument,
    seat: OneSeatOption = None,
    public: Annotated[
        bool, typer.Option("--public", help="The view for onlookers: only what everybody may know.")
    ] = False,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="Where to write it; - to print.")] = None,
    aid: AidOption = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Write one player's view again, or with --public the view for onlookers."""
    from referee.engine.host import make_view
    from referee.io import desk

    if public == (seat is not None) or (public and aid):
        why = t("only a player's view has an aid") if public and aid else t("it is not clear whose view you want")
        raise Usage(why, t("give --seat NAME for a player's view, or --public alone"))
    match = desk.read_match(game, load_key(key))
    number = match.table.seats  # of who only looks on
    if seat is not None:
        with hints(run("status", game, *with_key(key))):
            number = desk.find_seat(match.table.names, seat)
    path = output or desk.view_path(match, number, os.path.dirname(game))
    refuse_same(path, game, key)
    if aid and path == "-":
        raise Usage(t("two files cannot both be printed"), t("name a file with -o, or leave --aid out"))
    beside = {desk.aid_path(path): aid_maker(aid)(match, number)} if aid else {}
    write_out(path, make_view(match, None if public else number), secret=not public, dry=dry, beside=beside)
    if public:
        send = w("Next: give {file} to anybody who wants to watch; `referee show` and `referee audit` read it.",
                 file=sent(path))  # fmt: skip
    else:
        name, both = clean(match.table.names[number]), listed([*map(sent, (path, *beside))])
        send = w("Next: send {files} to {name}, and to nobody else.", files=both, name=name)
    say(w("Next: run it again without --dry-run.") if dry else send)


def timeout(
    game: GameArgument,
    seat: SeatOption,
    round: Annotated[int | None, typer.Option("--round", help="Only if this round is open (see `status`).")] = None,
    put_out: Annotated[
        bool, typer.Option("--put-out", help="Although it is the second one running: nobody asks this player any more.")
    ] = False,
    out: OutOption = None,
    aid: AidOption = False,
    now: NowOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """Note that a player missed the deadline; everybody will see it.

    With --round the command can be run again safely: once that round is closed, it only writes the views again.
    """
    from referee.io import desk

    mine = load_key(key)
    match = desk.read_match(game_path(game), mine)
    folder = out if out is not None else os.path.dirname(game)
    with hints(run("status", game, *with_key(key))):
        number = desk.find_seat(match.table.names, seat)
        meant = match.state.round + 1 if round is None else round
        if meant == match.state.round + 1:
            _refuse_hasty(match, number, clock(now), put_out or dry)
        made = aid_maker(aid)
        done = desk.miss_deadline(game, number, meant, mine, folder, clock(now), dry=dry, aid=made)
    found, mails = status_of(done.match), {} if dry else _mails(done, folder)
    if json:
        report({**_wrote(done, dry, mails), **found})
    if meant <= done.match.state.round - done.closed:
        say(w("Round {round} is closed already: nothing to do.", round=meant))
    elif dry:
        say(w("The deadline can be noted."))
    elif done.closed:
        say(w("The round is closed. Nothing is played until everybody has answered again; the late may still move."))
    else:
        say(w("The missed deadline is noted."))
    _tell_mails(done.match, mails, game, out)
    tell_next(done.match, done.closed, dry, run("reveal", game, *with_key(key)))


def _refuse_hasty(match: Any, seat: int, now: Any, put_out: bool) -> None:
    """A deadline that was signed holds for the host too; and nobody is put out unawares."""
    from referee.engine.rounds import asked
    from referee.engine.seats import OUT_AFTER
    from referee.io import desk

    if seat not in asked(match.state) or seat in match.waiting:
        return
    over = desk.over_at(match, seat)
    if over and now.isoformat()[:16] + "Z" <= over:
        due = Time(match.state.due)
        told = t("the deadline that you signed, {due}, is not over yet", due=due)
        if desk.due_at(match, seat) != match.state.due or desk.bank_of(match, seat):
            name = clean(match.table.names[seat])
            told = t("the time that {names} has for this answer is not over yet", names=name)
        elif match.table.offer.grace:
            told = t("the deadline that you signed, {due}, is not over yet with its grace", due=due)
        advice = t("wait until {over} is over: everybody could prove that you did not", over=Time(over))
        raise WrongTurn(told, advice, code="not-due")
    if match.state.missed[seat] != OUT_AFTER - 1 or put_out:
        return
    name = clean(match.table.names[seat])
    told = t(
        "this is the second deadline running that {name} misses: nobody asks a player any more after that", name=name
    )
    if not at_terminal():
        raise Usage(told, t("wait for the answer, or add --put-out"), code="puts-out")
    say(sentence(told))
    go_on(w("Put {name} out?", name=name), w("Nothing was changed."), default=False)
