"""The host's commands."""

import os
from typing import Annotated, Any

import msgspec
import typer

from referee.cli.common import (
    DryOption,
    DueOption,
    GameArgument,
    JsonOption,
    KeyOption,
    OutOption,
    deadline,
    game_path,
    load_key,
    out,
    read_document,
    refuse_same,
    report,
    say,
    sent,
    stdin_once,
    write_out,
)
from referee.errors import RefereeError

SeatOption = Annotated[str, typer.Option("--seat", metavar="NAME", help="The player, by name or seat number.")]


def apply(
    game: GameArgument,
    moves: Annotated[list[str], typer.Argument(metavar="MOVE...", help="Signed moves; - for standard input.")],
    out: OutOption = None,
    due: DueOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """Validate moves, apply them, sign the game file again, write a view per player and a receipt per move."""
    from referee.io import desk

    mine = load_key(key)
    stdin_once(moves)
    folder = out if out is not None else os.path.dirname(game)
    done = desk.apply_moves(game_path(game), [_read(path) for path in moves], mine, folder, due=deadline(due), dry=dry)
    rows = [_verdict(done.match, path, verdict, dry) for path, verdict in zip(moves, done.judged, strict=True)]
    if json:
        report({"moves": rows, "closed": done.closed, "written": [] if dry else done.written, **_status(done.match)})
    for row in rows:
        say(f"{row['move']}: {row['message']}")
    failed = next((verdict.error for verdict in done.judged if verdict.error), None)
    if failed is not None:
        if done.closed:
            _tell_next(done.match, done.closed, dry, due)
        say(f"{'For what was refused' if done.closed else 'Next'}: {failed.next}")
        raise typer.Exit(failed.exit)
    _tell_next(done.match, done.closed, dry, due)


def _read(path: str) -> bytes | RefereeError:
    """A move, or why it cannot be read: one bad file among many spoils nothing."""
    try:
        return read_document(path, "move")
    except RefereeError as error:
        return error


def _verdict(match: Any, path: str, verdict: Any, dry: bool) -> dict[str, Any]:
    from referee.io import files
    from referee.show.text import clean

    who = clean(match.table.names[verdict.seat]) if verdict.seat is not None else ""
    taken = f"{who}'s move is {'good' if dry else 'taken'}"
    row = {"move": files.printable(path), "code": verdict.code, "seat": who}
    if verdict.error is not None:
        return row | {"message": f"refused: {verdict.error.message}", "next": verdict.error.next}
    return row | {"message": f"{taken} already: nothing to do" if verdict.code == "repeated" else taken, "next": ""}


def _tell_next(match: Any, closed: int, dry: bool, due: str | None = None) -> None:
    status = _status(match)
    if due is not None and not closed:
        say("No round was closed, so no deadline was signed: give --due again with the answer that closes it.")
    if dry:
        say("Next: run it again without --dry-run; nothing was written.")
    elif status["rests"] and status["answered"]:
        say("Next: the game wakes up when you run `referee timeout` for everybody who stays silent.")
    elif status["rests"]:
        say("Next: the game rests: nobody answers. Wait for any player's answer, or end it with `referee reveal`.")
    elif status["end"]:
        say("Next: the game is over; reveal it with `referee reveal` and send everybody the transcript.")
    elif closed:
        say(f"Next: send every player the new view; {_waiting(status)}.")
    else:
        say(f"Next: {_waiting(status)}.")


def _waiting(status: dict[str, Any]) -> str:
    names = [f"{row['name']} ({row['what']})" for row in status["waiting_for"]]
    return f"waiting for {', '.join(names)}"


class _Due(msgspec.Struct):
    due: str = ""


def _status(match: Any) -> dict[str, Any]:
    from referee.engine.rounds import asked, out_seats, rests
    from referee.show.text import clean

    state, names = match.state, [clean(name) for name in match.table.names]
    result = state.result
    return {
        "game": match.table.id,
        "title": match.table.game.title,
        "players": names,
        "round": state.round,
        "open_round": 0 if state.end else state.round + 1,
        "due": msgspec.json.decode(match.entries[-1].body, type=_Due).due if match.entries else "",
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
        "scores": [list(score) for score in result.scores] if result else [],
    }


def status(game: GameArgument, json: JsonOption = False, key: KeyOption = None) -> None:
    """Who must act, and since when."""
    import datetime
    import time

    from referee.io import desk

    match = desk.read_match(game, load_key(key))
    found = _status(match)
    changed = datetime.datetime.fromtimestamp(os.stat(game).st_mtime if game != "-" else time.time()).astimezone()
    if json:
        report({**found, "since": changed.isoformat(timespec="seconds")})
        return
    open_round = f", round {found['open_round']} is open" if found["open_round"] else ""
    played = f"{found['round']} round{'s' * (found['round'] != 1)} played"
    out(f"{found['title']}, game {found['game'][:8]}, {played}{open_round}: {', '.join(found['players'])}")
    if found["due"]:
        out(f"  deadline {found['due'].replace('T', ' ').removesuffix('Z')} UTC")
    for row in found["waiting_for"]:
        late = ", deadline missed" if row["late"] else ""
        out(f"  waiting for {row['name']}: {row['what']}{late}")
    for name in found["answered"]:
        out(f"  {name} has answered")
    for name in found["out"]:
        out(f"  {name} is no longer asked")
    if found["end"]:
        out(f"  over: {found['end']}")
        for rank, name, score in sorted(zip(found["ranks"], found["players"], found["scores"], strict=False)):
            out(f"  {rank}. {name} ({', '.join(map(str, score))})")
    out(f"  file written {changed.isoformat(sep=' ', timespec='minutes')}")
    _tell_next(match, 0, False)


def view(
    game: GameArgument,
    seat: SeatOption,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="Where to write it; - to print.")] = None,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Write one player's view again."""
    from referee.engine.host import make_view
    from referee.io import desk, files

    match = desk.read_match(game, load_key(key))
    number = desk.find_seat(match, seat)
    name = files.slug(number, match.table.names) + ".view.json"
    path = output or os.path.join(os.path.dirname(game), name)
    refuse_same(path, game, key)
    write_out(path, make_view(match, number), dry=dry)
    say("Next: run it again without --dry-run." if dry else f"Next: send {sent(path)} to that player.")


def timeout(
    game: GameArgument,
    seat: SeatOption,
    round: Annotated[int | None, typer.Option("--round", help="Only if this round is open (see `status`).")] = None,
    out: OutOption = None,
    due: DueOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """Note that a player missed the deadline; everybody will see it.

    With --round the command can be run again safely: once that round is closed, it only writes the views again.
    """
    from referee.io import desk

    mine = load_key(key)
    number = desk.find_seat(desk.read_match(game_path(game), mine), seat)
    folder = out if out is not None else os.path.dirname(game)
    done = desk.miss_deadline(game, number, mine, folder, round=round, due=deadline(due), dry=dry)
    if json:
        report({"closed": done.closed, "written": [] if dry else done.written, **_status(done.match)})
    if round is not None and round <= done.match.state.round - done.closed:
        say(f"Round {round} is closed already: nothing to do.")
    elif dry:
        say("The deadline can be noted.")
    else:
        closed = "The round is closed. Nothing is played until everybody has sent a link; the late may still answer."
        say(closed if done.closed else "The missed deadline is noted.")
    _tell_next(done.match, done.closed, dry, due)


def reveal(
    game: GameArgument,
    output: Annotated[str, typer.Option("-o", metavar="FILE", help="The transcript.")] = "transcript.json",
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """After the end: write the transcript with all secrets, for everybody to verify."""
    from referee.io import desk

    refuse_same(output, game, key)
    data = desk.reveal(game_path(game), load_key(key), output, dry=dry)
    if output == "-" or dry:
        write_out(output, data, dry=dry)
    if dry:
        say("Next: run it again without --dry-run.")
        return
    say(f"Next: send {sent(output)} to everybody; `referee verify` checks it.")
