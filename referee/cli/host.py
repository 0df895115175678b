"""The host's commands."""

import contextlib
import os
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from referee.cli import complete, t
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
    sentence,
    stdin_once,
    tell_files,
    write_out,
)
from referee.cli.values import placeholder
from referee.errors import IllegalMove, RefereeError, Usage, WrongTurn
from referee.language import dated, listed, mark, retold, when
from referee.show.text import asked_for, clean, marked, span

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
            help="Signed moves, and what players sign who take over a seat or come back; - for standard input.",
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
    with hints(game, key):
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
        _tell_next(done.match, done.closed, dry, command("reveal", game, key=key))
    if failed is not None:
        told = _for_player(failed)
        say(t("For what was refused: {next}", next=told) if done.closed else t("Next: {next}", next=told))
        raise typer.Exit(failed.exit)


@contextlib.contextmanager
def hints(game: str, key: str | None) -> Iterator[None]:
    """What an error says to do next can be copied as it stands."""
    try:
        yield
    except RefereeError as error:
        error.next = retold(error.next).replace("`referee status`", command("status", game, key=key))
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
        say(t("Send:"))
        tell_files(mails, match.table.names)
    older = desk.other_folder(game, match.table.id) if mails and out is None else ""
    if older:
        say(t("These lie beside the game file, but older views of this game are in {folder}: --out {folder} was left "
              "out.", folder=files.printable(older)))  # fmt: skip


def _read(path: str) -> bytes | RefereeError:
    """A move, or why it cannot be read: one bad file among many spoils nothing."""
    try:
        return read_document(path, "move", "succession", "return")
    except RefereeError as error:
        return error


def _verdict(match: Any, path: str, verdict: Any, dry: bool) -> dict[str, Any]:
    from referee.io import files

    who = clean(match.table.names[verdict.seat]) if verdict.seat is not None else ""
    row = {"move": files.printable(path), "code": verdict.code, "name": who, "next": ""}
    row |= {"seat": verdict.seat + 1 if verdict.seat is not None else 0}
    if verdict.error is not None:
        told = t("refused: {why}", why=retold(verdict.error.message))
        return row | {"message": told, "next": _for_player(verdict.error)}
    if verdict.code == "arriving":
        from referee.cli.seats import arriving

        return row | {"message": arriving(match, verdict.seat, who)}
    if verdict.code == "repeated":
        return row | {"message": t("{name}'s move is taken already: nothing to do", name=who)}
    return row | {"message": t("{name}'s move is good", name=who) if dry else t("{name}'s move is taken", name=who)}


def _for_player(error: RefereeError) -> str:
    """What to do about a refused move: it is its player who has to."""
    told = retold(error.next)
    for name in ("moves", "play"):
        told = told.replace(f"`referee {name}`", f"`referee {name} {placeholder('VIEW')}`")
    return t("ask the player for another move; {next}", next=told) if error.exit == IllegalMove.exit else told


def _tell_next(match: Any, closed: int, dry: bool, end: str) -> None:
    """What the host does next; `end` is the command that reveals this game."""
    found, game = status_of(match), match.table.offer.game
    if dry:
        say(t("Next: run it again without --dry-run; nothing was written."))
    elif found["rests"] and found["answered"]:
        say(t("Next: the game wakes up when you run `referee timeout GAME.json --seat NAME` for all who stay silent."))
    elif found["rests"]:
        say(t("Next: the game rests: nobody answers. Wait for any player's answer, or end it with {command}.",
              command=end))  # fmt: skip
    elif found["abandoned"]:
        say(t("Next: you have abandoned this game; run {command} to write its transcript again.", command=end))
    elif found["end"]:
        say(t("Next: the game is over; run {command} and send everybody the transcript.", command=end))
    else:
        names = ", ".join(f"{row['name']} ({asked_for(row['what'], game)})" for row in found["waiting_for"])
        send = t("Next: send these files; waiting for {names}.", names=names)
        say(send if closed else t("Next: waiting for {names}.", names=names))


def status_of(match: Any) -> dict[str, Any]:
    """Where a game stands, for programs."""
    from referee.engine.rounds import asked
    from referee.engine.seats import out_seats, rests
    from referee.io import desk

    state, names = match.state, [clean(name) for name in match.table.names]
    # Who is first because the others left has no score.
    result = state.result
    abandoned = match.revealed and not state.end and not rests(state)
    scores = [list(score) for score in result.scores] if result and state.end != "left" else []
    return {
        "game": match.table.id,
        "title": match.table.game.title,
        "players": names,
        "round": state.round,
        "open_round": 0 if state.end or abandoned else state.round + 1,
        "due": state.due,
        "grace": match.table.offer.grace,
        "kept": [names[seat] for seat in match.table.kept],
        "waiting_for": [
            {"name": names[seat], "seat": seat + 1, "what": ask.what, "late": seat in match.late}
            | {"due": desk.due_at(match, seat), "bank": desk.bank_of(match, seat)}
            for seat, ask in asked(state).items()
            if seat not in match.waiting and not abandoned
        ],
        "answered": [names[seat] for seat in sorted(match.waiting)],
        "out": [names[seat] for seat in sorted(out_seats(state))],
        "vacant": [names[one.seat] for one in state.vacant if match.table.offer.takeovers],
        "end": state.end,
        "rests": rests(state),
        "abandoned": abandoned,
        "ranks": list(result.ranks) if result else [],
        "scores": scores,
        "out_at_the_end": [names[seat] for seat in result.out] if result else [],
    }


def status(game: GameArgument, json: JsonOption = False, key: KeyOption = None) -> None:
    """Who must act, and since when."""
    import datetime
    import time

    from referee.io import desk

    match = desk.read_match(game, load_key(key))
    changed = datetime.datetime.fromtimestamp(os.stat(game).st_mtime if game != "-" else time.time()).astimezone()
    if json:
        report({**status_of(match), "since": changed.isoformat(timespec="seconds")})
        return
    for line in status_lines(match):
        out(line)
    out(t("  file written {time}", time=dated(changed)))
    if not (match.table.offer.deadline or match.state.end or match.revealed):
        out(t("  no deadlines: nobody can be timed out; if it cannot go on, {command} ends it without a result",
              command=command("reveal", game, "--abandon", key=key)))  # fmt: skip
    _tell_next(match, 0, False, command("reveal", game, key=key))


_ENDS = {
    "result": mark("played to its end"), "left": mark("the others have left"), "void": mark("it has run out of rounds"),
}  # fmt: skip


def status_lines(match: Any) -> list[str]:
    """Where a game stands, for its host."""
    found, game = status_of(match), match.table.offer.game
    played = t.plural("{n} round played", "{n} rounds played", found["round"])
    if found["open_round"]:
        played = t("{played}, round {round} is open", played=played, round=found["open_round"])
    lines = [t("{title}, game {game}, {played}", title=found["title"], game=found["game"][:8], played=played)]
    lines.append(t("  players in seat order: {names}", names=listed(found["players"])))
    if found["due"]:
        told = t("  deadline {time}", time=when(found["due"]))
        if found["grace"]:
            told = t("  deadline {time}, and {span} of grace", time=when(found["due"]), span=span(found["grace"]))
        lines.append(told)
    for row in found["waiting_for"]:
        told = t("  waiting for {name}: {what}", name=row["name"], what=asked_for(row["what"], game))
        if row["due"] != found["due"]:
            told = t("{waiting}, with time until {time}", waiting=told, time=when(row["due"]))
        if row["bank"]:
            told = t("{waiting}, {span} in the time bank", waiting=told, span=span(row["bank"]))
        lines.append(t("{waiting}, deadline missed", waiting=told) if row["late"] else told)
    lines += [t("  {name} has answered", name=name) for name in found["answered"]]
    lines += [t("  {name} is no longer asked", name=name) for name in found["out"]]
    lines += [t("  {name}'s seat can be taken over", name=name) for name in found["vacant"]]
    lines += [t("  you keep {name}'s key", name=name) for name in found["kept"]]
    if found["abandoned"]:
        lines.append(t("  over: abandoned by the host in round {round}, no result", round=found["round"]))
    if found["end"]:
        lines.append(t("  over: {end}", end=t(_ENDS[found["end"]])))
        scores = [f" ({', '.join(map(str, score))})" for score in found["scores"]] or [""] * len(found["ranks"])
        result = match.state.result
        ranking = sorted(zip(found["ranks"], marked(result, found["players"]), scores, strict=True)) if result else []
        lines += [f"  {rank}. {name}{score}" for rank, name, score in ranking]
    return lines


def view(
    game: GameArgument,
    seat: OneSeatOption = None,
    public: Annotated[
        bool, typer.Option("--public", help="The view that belongs to no seat: all that everybody may know.")
    ] = False,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="Where to write it; - to print.")] = None,
    aid: AidOption = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Write one player's view again, or with --public the view for everybody who looks on."""
    from referee.engine.host import make_view
    from referee.io import desk

    if public == (seat is not None) or (public and aid):
        why = "an aid is for a player" if public and aid else "this needs one of two: --seat or --public"
        raise Usage(why, "give --seat NAME for a player's view, or --public alone")
    match = desk.read_match(game, load_key(key))
    number = match.table.seats  # of who only looks on
    if seat is not None:
        with hints(game, key):
            number = desk.find_seat(match.table.names, seat)
    path = output or desk.view_path(match, number, os.path.dirname(game))
    refuse_same(path, game, key)
    if aid and path == "-":
        raise Usage("two files cannot both be printed", "name a file with -o, or leave --aid out")
    beside = {desk.aid_path(path): aid_maker(aid)(match, number)} if aid else {}
    write_out(path, make_view(match, None if public else number), secret=not public, dry=dry, beside=beside)
    if public:
        send = t("Next: give {file} to anybody who wants to look on; `referee show` and `referee audit` read it.",
                 file=sent(path))  # fmt: skip
    else:
        name, both = clean(match.table.names[number]), listed([*map(sent, (path, *beside))])
        send = t("Next: send {files} to {name}, and to nobody else.", files=both, name=name)
    say(t("Next: run it again without --dry-run.") if dry else send)


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
    with hints(game, key):
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
        say(t("Round {round} is closed already: nothing to do.", round=meant))
    elif dry:
        say(t("The deadline can be noted."))
    elif done.closed:
        say(t("The round is closed. Nothing is played until everybody has answered again; the late may still move."))
    else:
        say(t("The missed deadline is noted."))
    _tell_mails(done.match, mails, game, out)
    _tell_next(done.match, done.closed, dry, command("reveal", game, key=key))


def _refuse_hasty(match: Any, seat: int, now: Any, put_out: bool) -> None:
    """A deadline that was signed holds for the host too; and nobody is put out unawares."""
    from referee.engine.rounds import asked
    from referee.engine.seats import OUT_AFTER
    from referee.io import desk

    if seat not in asked(match.state) or seat in match.waiting:
        return
    over = desk.over_at(match, seat)
    if over and now.isoformat()[:16] + "Z" <= over:
        told = f"the deadline that you signed, {match.state.due}, is not over yet"
        if desk.due_at(match, seat) != match.state.due or desk.bank_of(match, seat):
            told = f"the time that {clean(match.table.names[seat])} has for this answer is not over yet"
        elif match.table.offer.grace:
            told = f"the deadline that you signed, {match.state.due}, is not over yet with its grace"
        raise WrongTurn(told, f"wait until {over} is over: everybody could prove that you did not", code="not-due")
    if match.state.missed[seat] != OUT_AFTER - 1 or put_out:
        return
    name = clean(match.table.names[seat])
    told = f"this is the second deadline running that {name} misses: nobody asks a player any more after that"
    if not at_terminal():
        raise Usage(told, "wait for the answer, or add --put-out", code="puts-out")
    say(sentence(told))
    if not confirm(t("Put {name} out?", name=name), default=False):
        say(t("Nothing was changed."))
        raise typer.Exit(130)
