"""The host's commands, from the first move to the transcript, and for a game file that was lost."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import common as c
from referee.cli import t, w
from referee.errors import Usage
from referee.language import Time, dated, listed, run
from referee.library import completion
from referee.library.values import placeholder, with_key

if TYPE_CHECKING:
    from datetime import datetime

    from referee.engine.host import Match
    from referee.io.desk import Done

_SEAT = c.option("--seat", "NAME", "The player, by name or seat number.", completion.seats)


def apply(
    game: c.GameArgument,
    moves: Annotated[
        list[str],
        c.argument(
            "MOVE...",
            "Signed moves, and files of players who take over a seat or come back; - for standard input.",
            completion.files("move", "succession", "return"),
        ),
    ],
    out: c.OutOption = None,
    aid: c.AidOption = False,
    now: c.NowOption = None,
    dry: c.DryOption = False,
    json: c.JsonOption = False,
    key: c.KeyOption = None,
) -> None:
    """Validate moves, apply them, sign the game file again, write a view per player and a receipt per move."""
    from referee.io import desk
    from referee.library import running

    mine = c.load_key(key)
    c.stdin_once(moves)
    folder = out if out is not None else os.path.dirname(game)
    taken = [running.read_move(path) for path in moves]
    with c.hints(run("status", game, *with_key(key))):
        done = desk.apply_moves(c.game_path(game), taken, mine, folder, c.clock(now), dry=dry, aid=c.aid_maker(aid))
    judged = zip(moves, done.judged, strict=True)
    rows = [running.move_row(done.match, path, verdict, dry) for path, verdict in judged]
    _tell_done(done, game, out, dry, {"moves": rows} if json else None, [f"{row.move}: {row.message}" for row in rows])
    failed = next((verdict.error for verdict in done.judged if verdict.error), None)
    if failed is None or done.closed:
        c.say(running.next_step(done.match, done.closed, dry, run("reveal", game, *with_key(key))))
    if failed is not None:
        told = running.for_player(failed)
        c.say(w("For what was refused: {next}", next=told) if done.closed else w("Next: {next}", next=told))
        raise typer.Exit(failed.exit)


def _tell_done(
    done: "Done", game: str, out: str | None, dry: bool, more: dict[str, object] | None, lines: list[str]
) -> None:
    """What a command at the desk did, and what to send; for programs, unless `more` is None, with that."""
    from referee.io import desk
    from referee.library import running

    mails = {} if dry else running.mails_of(done, os.path.dirname(game) if out is None else out)
    if more is not None:
        c.report(more | running.report_of(done, mails, dry))
    for line in (*lines, *[w("Send:")] * bool(mails), *running.files_in_words(mails)):
        c.say(line)
    older = desk.other_folder(game, done.match.table.id) if mails and out is None else ""
    if older:
        c.say(w("These lie beside the game file, but older views of this game are in {folder}: --out {folder} was left "
                "out.", folder=c.sent(older)))  # fmt: skip


def status(game: c.GameArgument, json: c.JsonOption = False, key: c.KeyOption = None) -> None:
    """Who must act, and since when."""
    import datetime
    import time

    from referee.io import desk
    from referee.library import running

    match = desk.read_match(game, c.load_key(key))
    changed = datetime.datetime.fromtimestamp(os.stat(game).st_mtime if game != "-" else time.time()).astimezone()
    if json:
        c.report({**running.status_of(match), "since": changed.isoformat(timespec="seconds")})
        return
    lines = [*running.status_lines(match), w("  file written {time}", time=dated(changed))]
    if not (match.table.offer.deadline or match.state.end or match.revealed):
        lines.append(w("  no deadlines: nobody can be timed out; if it cannot go on, {command} ends it without a "
                       "result", command=run("reveal", game, "--abandon", *with_key(key))))  # fmt: skip
    c.tell(lines, [running.next_step(match, 0, False, run("reveal", game, *with_key(key)))])


def view(
    game: c.GameArgument,
    seat: Annotated[str | None, _SEAT] = None,
    public: Annotated[
        bool, typer.Option("--public", help="The view for onlookers: only what everybody may know.")
    ] = False,
    output: Annotated[str | None, c.option("-o", "FILE", "Where to write it; - to print.")] = None,
    aid: c.AidOption = False,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Write one player's view again, or with --public the view for onlookers."""
    from referee.engine.host import make_view
    from referee.io import desk
    from referee.show.text import clean

    if public == (seat is not None) or (public and aid):
        why = t("only a player's view has an aid") if public and aid else t("it is not clear whose view you want")
        raise Usage(why, t("give --seat NAME for a player's view, or --public alone"))
    match = desk.read_match(game, c.load_key(key))
    number = match.table.seats  # of who only looks on
    if seat is not None:
        with c.hints(run("status", game, *with_key(key))):
            number = desk.find_seat(match.table.names, seat)
    path, made = output or desk.view_path(match, number, os.path.dirname(game)), c.aid_maker(aid)
    c.refuse_same(path, game, key)
    if aid and path == "-":
        raise Usage(t("two files cannot both be printed"), t("name a file with -o, or leave --aid out"))
    beside = {desk.aid_path(path): made(match, number)} if made else {}
    c.write_out(path, make_view(match, None if public else number), secret=not public, dry=dry, beside=beside)
    if public:
        send = w("Next: give {file} to anybody who wants to watch; `referee show` and `referee audit` read it.",
                 file=c.sent(path))  # fmt: skip
    else:
        name, both = clean(match.table.names[number]), listed([*map(c.sent, (path, *beside))])
        send = w("Next: send {files} to {name}, and to nobody else.", files=both, name=name)
    c.next_step(send, dry)


# --- deadlines and the end --------------------------------------------------------------------------------------------


def timeout(
    game: c.GameArgument,
    seat: Annotated[str, _SEAT],
    round: Annotated[int | None, typer.Option("--round", help="Only if this round is open (see `status`).")] = None,
    put_out: Annotated[
        bool, typer.Option("--put-out", help="Although it is the second one running: nobody asks this player any more.")
    ] = False,
    out: c.OutOption = None,
    aid: c.AidOption = False,
    now: c.NowOption = None,
    dry: c.DryOption = False,
    json: c.JsonOption = False,
    key: c.KeyOption = None,
) -> None:
    """Note that a player missed the deadline; everybody will see it.

    With --round the command can be run again safely: once that round is closed, it only writes the views again.
    """
    from referee.io import desk
    from referee.library import running

    mine = c.load_key(key)
    match = desk.read_match(c.game_path(game), mine)
    folder = out if out is not None else os.path.dirname(game)
    with c.hints(run("status", game, *with_key(key))):
        number = desk.find_seat(match.table.names, seat)
        meant = match.state.round + 1 if round is None else round
        if meant == match.state.round + 1:
            _refuse_hasty(match, number, c.clock(now), put_out or dry)
        done = desk.miss_deadline(game, number, meant, mine, folder, c.clock(now), dry=dry, aid=c.aid_maker(aid))
    told = running.timeout_in_words(done, meant, dry)
    _tell_done(done, game, out, dry, {} if json else None, [told])
    c.say(running.next_step(done.match, done.closed, dry, run("reveal", game, *with_key(key))))


def _refuse_hasty(match: "Match", seat: int, now: "datetime", sure: bool) -> None:
    """A deadline that was signed holds for the host too; and nobody is put out unawares."""
    from referee.library.running import refuse_hasty
    from referee.show.text import clean

    told = refuse_hasty(match, seat, now)
    if not told or sure:
        return
    if not c.at_terminal():
        raise Usage(told, t("wait for the answer, or add --put-out"), code="puts-out")
    c.say(c.sentence(told))
    c.go_on(w("Put {name} out?", name=clean(match.table.names[seat])), w("Nothing was changed."), default=False)


def extend(
    game: c.GameArgument,
    seat: Annotated[str, c.argument("NAME", "The player, by name or seat number.", completion.seats)],
    until: c.UntilOption = None,
    by: c.ByOption = None,
    out: Annotated[
        str | None, c.option("--out", "DIR", "Folder for the extension. Default: beside the game file.")
    ] = None,
    now: c.NowOption = None,
    dry: c.DryOption = False,
    json: c.JsonOption = False,
    key: c.KeyOption = None,
) -> None:
    """Give a player more time in the open round, in writing: if you do not wait, the player can prove it.

    Of several extensions the latest counts; none can be taken back.
    """
    from referee.io import desk
    from referee.library.running import new_due
    from referee.show.text import clean

    mine, moment = c.load_key(key), c.clock(now)
    match = desk.read_match(c.game_path(game), mine)
    number = desk.find_seat(match.table.names, seat)
    folder = out if out is not None else os.path.dirname(game)
    with c.hints(run("status", game, *with_key(key))):
        done = desk.extend_time(
            game, number, lambda match: new_due(match, number, until, by, moment), mine, folder, dry=dry
        )
    name, given, open_round = (
        clean(match.table.names[number]),
        desk.due_at(done.match, number),
        done.match.state.round + 1,
    )
    if json:
        row = {"name": name, "seat": number + 1, "round": open_round, "until": given}
        c.report(row | {"written": [] if dry else done.written})
    if not dry:
        c.say(w("{name} has time until {time} for round {round}.", name=name, time=Time(given), round=open_round))
    c.next_step(w("Next: send {file} to {name}, who keeps it.", file=c.sent(done.written[0]), name=name), dry)


def reveal(
    game: c.GameArgument,
    output: Annotated[str | None, c.option("-o", "FILE", "The transcript. Default: beside the game file.")] = None,
    abandon: Annotated[
        bool, typer.Option("--abandon", help="End a game that cannot go on: without a result, and for good.")
    ] = False,
    yes: c.YesOption = False,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Write the transcript after the end: all secrets, for everybody to verify.

    --abandon ends a game that cannot go on. The transcript says so, signed, and blames nobody.
    """
    from referee.io import desk

    if output is not None:
        c.refuse_same(output, game, key)
    mine = c.load_key(key)
    with c.hints(run("status", game, *with_key(key))):
        if abandon and not (yes or dry):
            desk.reveal(c.game_path(game), mine, output, abandon=True, dry=True)
            sure_to_abandon()
        path, data = desk.reveal(c.game_path(game), mine, output, abandon=abandon, dry=dry)
    if path == "-" or dry:
        c.write_out(path, data, dry=dry)
    c.next_step(w("Next: send {file} to everybody; {command} checks it.", file=c.sent(path),
                  command=run("verify", c.sent(path, placeholder("FILE")))), dry)  # fmt: skip


def sure_to_abandon() -> None:
    """Ask whoever sits at a terminal: nothing brings an abandoned game back."""
    c.say(w("All secrets of the game come out, and nobody can play on: this cannot be undone."))
    c.go_on(w("Abandon the game, without a result?"), w("Nothing was changed."), default=False)


# --- a game file that was lost ----------------------------------------------------------------------------------------


def recover(
    paths: Annotated[
        list[str],
        c.argument(
            "VIEW|MOVE...",
            "The newest views that players have, the moves in which they sealed something, extensions.",
            completion.files("view", "move", "extension", mail=True),
        ),
    ],
    output: c.GameFileOption = "game.json",
    chance: Annotated[str | None, c.option("--chance", "HEX", "The secret, if the game has common chance.")] = None,
    incomplete: Annotated[
        bool,
        typer.Option("--incomplete", help="Go on without sealed answers that are lost; the transcript lacks them too."),
    ] = False,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Build a lost game file again from your key and the newest view that any player has."""
    from referee.library import recovering

    c.stdin_once(paths)
    mine = c.load_key(key)
    kept = recovering.read_kept(paths, _left_aside)
    found = recovering.recover(mine, kept, recovering.read_chance(chance))
    if found.missing and (found.held or not incomplete):
        c.tell((), recovering.missing_in_words(found))
        raise recovering.missing(found)
    recovering.write_recovered(found.match, kept.extensions, output, dry=dry)
    if dry:
        c.tell_dry()
        return
    again = run("apply", output, placeholder("MOVE..."), *with_key(key))
    c.tell((), recovering.back_in_words(found.match, c.sent(output), again))


def _left_aside(what: str) -> None:
    c.say(w("left aside: {what}", what=what))


def guard_adopt(
    game: c.GameArgument,
    paths: Annotated[
        list[str], c.argument("VIEW...", "The newest view of every player.", completion.files("view", mail=True))
    ],
    incomplete: Annotated[
        bool, typer.Option("--incomplete", help="Go on without the views of players who cannot be reached.")
    ] = False,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Go on with a game file on a machine that has never signed for it: nobody may have seen more than it knows."""
    from referee.library import recovering

    c.stdin_once(paths)
    mine = c.load_key(key)
    kept = recovering.read_kept(paths, _left_aside)
    match = recovering.adopt(c.game_path(game), mine, kept.views, incomplete=incomplete, dry=dry)
    if dry:
        c.tell_dry()
        return
    c.say(w("This machine signs for game {game} from round {round} on.", game=match.table.id[:8],
            round=match.state.round + 1))  # fmt: skip
    c.say(w("Use the game on no other machine: two that sign for one game accuse each other."))
    c.say(w("Next: {next}", next=run("status", game, *with_key(key))))
