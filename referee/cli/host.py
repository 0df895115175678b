"""The host's commands."""

import contextlib
import os
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from referee.cli import complete
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
    command,
    confirm,
    game_path,
    load_key,
    out,
    read_document,
    refuse_same,
    report,
    say,
    sent,
    stdin_once,
    tell_files,
    write_out,
)
from referee.errors import IllegalMove, RefereeError, Usage, WrongTurn
from referee.show.text import asked_for, clean, joined, span

SeatOption = Annotated[
    str,
    typer.Option("--seat", metavar="NAME", help="The player, by name or seat number.", autocompletion=complete.seats),
]


def apply(
    game: GameArgument,
    moves: Annotated[
        list[str],
        typer.Argument(
            metavar="MOVE...", help="Signed moves; - for standard input.", autocompletion=complete.files("move")
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
    with _hints(game, key):
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
        _tell_next(found, done.closed, dry, command("reveal", game, key=key))
    if failed is not None:
        say(f"{'For what was refused' if done.closed else 'Next'}: {_for_player(failed)}")
        raise typer.Exit(failed.exit)


@contextlib.contextmanager
def _hints(game: str, key: str | None) -> Iterator[None]:
    """What an error says to do next can be copied as it stands."""
    try:
        yield
    except RefereeError as error:
        error.next = error.next.replace("`referee status`", command("status", game, key=key))
        raise


def _wrote(done: Any, dry: bool, mails: dict[int, list[str]]) -> dict[str, Any]:
    """What a command at the desk wrote, for programs."""
    names = done.match.table.names
    send = [{"seat": seat + 1, "name": clean(names[seat]), "files": paths} for seat, paths in sorted(mails.items())]
    return {"closed": done.closed, "written": [] if dry else done.written, "send": send}


def _mails(done: Any, folder: str) -> dict[int, list[str]]:
    """Seat -> the files to send: the view, if there is a new one, and the receipts of this seat's moves."""
    from referee.io import desk

    match = done.match
    mails: dict[int, list[str]] = {}
    if done.closed:
        views = [desk.view_path(match, seat, folder) for seat in range(match.table.seats)]
        mails = {
            seat: [one for one in (view, desk.aid_path(view)) if one in done.written] for seat, view in enumerate(views)
        }
    for verdict in done.judged:
        if verdict.seat is not None:
            mails.setdefault(verdict.seat, []).extend(desk.receipt_file(match, verdict, folder))
    return {seat: list(dict.fromkeys(paths)) for seat, paths in mails.items() if paths}


def _tell_mails(match: Any, mails: dict[int, list[str]], game: str, out: str | None) -> None:
    from referee.io import desk, files

    if mails:
        say("Send:")
        tell_files(mails, match.table.names)
    older = desk.other_folder(game, match.table.id) if mails and out is None else ""
    if older:
        shown = files.printable(older)
        say(f"These lie beside the game file, but older views of this game are in {shown}: --out {shown} was left out.")


def _read(path: str) -> bytes | RefereeError:
    """A move, or why it cannot be read: one bad file among many spoils nothing."""
    try:
        return read_document(path, "move")
    except RefereeError as error:
        return error


def _verdict(match: Any, path: str, verdict: Any, dry: bool) -> dict[str, Any]:
    from referee.io import files

    who = clean(match.table.names[verdict.seat]) if verdict.seat is not None else ""
    taken = f"{who}'s move is {'good' if dry else 'taken'}"
    row = {"move": files.printable(path), "code": verdict.code, "name": who, "next": ""}
    row |= {"seat": verdict.seat + 1 if verdict.seat is not None else 0}
    if verdict.error is not None:
        return row | {"message": f"refused: {verdict.error.message}", "next": _for_player(verdict.error)}
    return row | {"message": f"{taken} already: nothing to do" if verdict.code == "repeated" else taken}


def _for_player(error: RefereeError) -> str:
    """What to do about a refused move: it is its player who has to."""
    told = error.next
    for name in ("moves", "play"):
        told = told.replace(f"`referee {name}`", f"`referee {name} VIEW`")
    return f"ask the player for another move; {told}" if error.exit == IllegalMove.exit else told


def _tell_next(found: dict[str, Any], closed: int, dry: bool, end: str) -> None:
    """What the host does next; `end` is the command that reveals this game."""
    if dry:
        say("Next: run it again without --dry-run; nothing was written.")
    elif found["rests"] and found["answered"]:
        say("Next: the game wakes up when you run `referee timeout GAME.json --seat NAME` for all who stay silent.")
    elif found["rests"]:
        say(f"Next: the game rests: nobody answers. Wait for any player's answer, or end it with {end}.")
    elif found["end"]:
        say(f"Next: the game is over; run {end} and send everybody the transcript.")
    else:
        waiting = [f"{row['name']} ({asked_for(row['what'])})" for row in found["waiting_for"]]
        say(f"Next: {'send these files; ' * bool(closed)}waiting for {', '.join(waiting)}.")


def status_of(match: Any) -> dict[str, Any]:
    """Where a game stands, for programs."""
    from referee.engine.rounds import asked, out_seats, rests

    state, names = match.state, [clean(name) for name in match.table.names]
    # Who is first because the others left has no score.
    result = state.result
    scores = [list(score) for score in result.scores] if result and state.end != "left" else []
    return {
        "game": match.table.id,
        "title": match.table.game.title,
        "players": names,
        "round": state.round,
        "open_round": 0 if state.end else state.round + 1,
        "due": state.due,
        "grace": match.table.offer.grace,
        "kept": [names[seat] for seat in match.table.kept],
        "waiting_for": [
            {"name": names[seat], "seat": seat + 1, "what": ask.what, "late": seat in match.late}
            for seat, ask in asked(state).items()
            if seat not in match.waiting
        ],
        "answered": [names[seat] for seat in sorted(match.waiting)],
        "out": [names[seat] for seat in sorted(out_seats(state))],
        "end": state.end,
        "rests": rests(state),
        "ranks": list(result.ranks) if result else [],
        "scores": scores,
    }


def status(game: GameArgument, json: JsonOption = False, key: KeyOption = None) -> None:
    """Who must act, and since when."""
    import datetime
    import time

    from referee.io import desk

    found = status_of(desk.read_match(game, load_key(key)))
    changed = datetime.datetime.fromtimestamp(os.stat(game).st_mtime if game != "-" else time.time()).astimezone()
    if json:
        report({**found, "since": changed.isoformat(timespec="seconds")})
        return
    for line in status_lines(found):
        out(line)
    out(f"  file written {changed.isoformat(sep=' ', timespec='minutes')}")
    _tell_next(found, 0, False, command("reveal", game, key=key))


_ENDS = {"result": "played to its end", "left": "the others have left", "void": "it has run out of rounds"}


def status_lines(found: dict[str, Any]) -> list[str]:
    """Where a game stands, for its host."""
    open_round = f", round {found['open_round']} is open" if found["open_round"] else ""
    played = f"{found['round']} round{'s' * (found['round'] != 1)} played"
    lines = [f"{found['title']}, game {found['game'][:8]}, {played}{open_round}"]
    lines.append(f"  players in seat order: {joined(found['players'])}")
    if found["due"]:
        grace = f", and {span(found['grace'])} of grace" if found["grace"] else ""
        lines.append(f"  deadline {found['due'].replace('T', ' ').removesuffix('Z')} UTC{grace}")
    for row in found["waiting_for"]:
        late = ", deadline missed" if row["late"] else ""
        lines.append(f"  waiting for {row['name']}: {asked_for(row['what'])}{late}")
    lines += [f"  {name} has answered" for name in found["answered"]]
    lines += [f"  {name} is no longer asked" for name in found["out"]]
    lines += [f"  you keep {name}'s key" for name in found["kept"]]
    if found["end"]:
        lines.append(f"  over: {_ENDS[found['end']]}")
        scores = [f" ({', '.join(map(str, score))})" for score in found["scores"]] or [""] * len(found["ranks"])
        ranking = sorted(zip(found["ranks"], found["players"], scores, strict=True))
        lines += [f"  {rank}. {name}{score}" for rank, name, score in ranking]
    return lines


def view(
    game: GameArgument,
    seat: SeatOption,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="Where to write it; - to print.")] = None,
    aid: AidOption = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Write one player's view again."""
    from referee.engine.host import make_view
    from referee.io import desk

    match = desk.read_match(game, load_key(key))
    with _hints(game, key):
        number = desk.find_seat(match.table.names, seat)
    path = output or desk.view_path(match, number, os.path.dirname(game))
    refuse_same(path, game, key)
    if aid and path == "-":
        raise Usage("two files cannot both be printed", "name a file with -o, or leave --aid out")
    beside = {desk.aid_path(path): aid_maker(aid)(match, number)} if aid else {}
    write_out(path, make_view(match, number), secret=True, dry=dry, beside=beside)
    name = clean(match.table.names[number])
    both = " and ".join(map(sent, (path, *beside)))
    say("Next: run it again without --dry-run." if dry else f"Next: send {both} to {name}, and to nobody else.")


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
    with _hints(game, key):
        number = desk.find_seat(match.table.names, seat)
        if round in (None, match.state.round + 1):
            _refuse_hasty(match, number, clock(now), put_out or dry)
        made = aid_maker(aid)
        done = desk.miss_deadline(game, number, mine, folder, clock(now), round=round, dry=dry, aid=made)
    found, mails = status_of(done.match), {} if dry else _mails(done, folder)
    if json:
        report({**_wrote(done, dry, mails), **found})
    if round is not None and round <= done.match.state.round - done.closed:
        say(f"Round {round} is closed already: nothing to do.")
    elif dry:
        say("The deadline can be noted.")
    else:
        closed = "The round is closed. Nothing is played until everybody has answered again; the late may still move."
        say(closed if done.closed else "The missed deadline is noted.")
    _tell_mails(done.match, mails, game, out)
    _tell_next(found, done.closed, dry, command("reveal", game, key=key))


def _refuse_hasty(match: Any, seat: int, now: Any, put_out: bool) -> None:
    """A deadline that was signed holds for the host too; and nobody is put out unawares."""
    from referee.engine.rounds import OUT_AFTER, asked
    from referee.io import desk

    if seat not in asked(match.state) or seat in match.waiting:
        return
    over = desk.over_at(match)
    if over and now.isoformat()[:16] + "Z" <= over:
        grace = " with its grace" if match.table.offer.grace else ""
        raise WrongTurn(
            f"the deadline that you signed, {match.state.due}, is not over yet{grace}",
            f"wait until {over} is over: everybody could prove that you did not",
            code="not-due",
        )
    if match.state.missed[seat] != OUT_AFTER - 1 or put_out:
        return
    name = clean(match.table.names[seat])
    told = f"this is the second deadline running that {name} misses: nobody asks a player any more after that"
    if not at_terminal():
        raise Usage(told, "wait for the answer, or add --put-out", code="puts-out")
    say(told.capitalize() + ".")
    if not confirm(f"Put {name} out?", default=False):
        say("Nothing was changed.")
        raise typer.Exit(130)


def reveal(
    game: GameArgument,
    output: Annotated[
        str | None, typer.Option("-o", metavar="FILE", help="The transcript. Default: beside the game file.")
    ] = None,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """After the end: write the transcript with all secrets, for everybody to verify."""
    from referee.io import desk

    if output is not None:
        refuse_same(output, game, key)
    with _hints(game, key):
        path, data = desk.reveal(game_path(game), load_key(key), output, dry=dry)
    if path == "-" or dry:
        write_out(path, data, dry=dry)
    if dry:
        say("Next: run it again without --dry-run.")
        return
    say(f"Next: send {sent(path)} to everybody; {command('verify', sent(path, 'FILE'))} checks it.")
