"""The host's commands, from the first move to the transcript, and for a game file that was lost."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import typer

from referee.cli import asking, t, w
from referee.cli import common as c
from referee.crypto import keys
from referee.engine import host
from referee.errors import RefereeError, Usage
from referee.io import desk
from referee.language import Run, run
from referee.library import completion, documents, finding, recovering, running
from referee.library.values import placeholder, sentence
from referee.show import text

if TYPE_CHECKING:
    from datetime import datetime


class Deadlines(NamedTuple):
    """What a host records about deadlines."""

    late: str | None = c.option(
        "--timeout",
        "NAME",
        "Record that this player, by name or seat number, missed the deadline: everybody will see it.",
        completion.seats,
    )
    round: int | None = c.option(
        "--round", "", "With --timeout: only in this round, so that it is safe to run it again."
    )
    drop: bool = c.flag("--drop", "With --timeout: even if it is the second in a row and drops the player.")
    extend: str | None = c.option(
        "--extend",
        "NAME",
        "Give this player more time in the open round. It is signed, and cannot be taken back.",
        completion.seats,
    )
    until: c.UntilOption = None
    by: c.ByOption = None


class ApplyOptions(NamedTuple):
    """How a command changes a game."""

    out: c.OutOption = None
    aid: c.AidOption = False
    now: c.NowOption = None
    dry: c.DryOption = False
    json: c.JsonOption = False
    key: c.KeyOption = None

    def folder(self, game: str) -> str:
        """Where its results go."""
        return self.out if self.out is not None else os.path.dirname(game)

    def again(self, command: str, game: str) -> Run:
        """A command about this game, with the same key."""
        return run(command, game, *documents.with_key(self.key))


def apply(
    game: str | None = c.argument(
        "[GAME.json]", "Your game file. Default: the one in this folder.", completion.files("game"), default=None
    ),
    moves: list[str] | None = c.argument(
        "[MOVE...]",
        "Signed moves, and files of players who take over a seat or come back; - for standard input. Default: all new "
        "ones beside the game file.",
        completion.files("move", "succession", "return"),
        default=None,
    ),
    *,
    time: Deadlines,
    how: ApplyOptions,
) -> None:
    """Apply moves to a game: validate them, sign the game file again, write a view per player and a receipt per move.
    Or record a missed deadline, or give more time.

    Example: referee apply
    referee apply game.json *.move.json
    referee apply game.json --timeout Anna
    referee apply game.json --extend Anna --by 3d
    """
    c.chosen({"MOVE": moves, "--timeout": time.late, "--extend": time.extend})
    c.refuse_without({"--round": time.round, "--drop": time.drop}, "--timeout", time.late)
    c.refuse_without({"--until": time.until, "--by": time.by}, "--extend", time.extend)
    mine = c.load_key(how.key)
    game = _own_game(mine, how) if game is None else game
    if time.late is not None:
        return _time_out(game, mine, time.late, time.round, time.drop, how)
    if time.extend is not None:
        return _extend(game, mine, time.extend, time.until, time.by, how)
    if not moves:
        return _apply_new(game, mine, how)
    c.refuse_stdin_twice(moves)
    return _apply(game, mine, [(path, running.read_move(path)) for path in moves], how)


def _own_game(mine: "keys.Key", how: ApplyOptions) -> str:
    """The host's only game file in this folder, or the one that somebody chooses."""
    one, _ = asking.find(
        lambda notes: finding.own_games(mine, notes, ("apply", *documents.with_key(how.key))),
        finding.no_game,
        lambda n: t("{n} game files in this folder are yours", n=n),
    )
    return one.file


def _apply_new(game: str, mine: "keys.Key", how: ApplyOptions) -> None:
    """Apply all new moves beside the game file; that there are none is no error."""
    notes, match = finding.Notes(), desk.read_match(c.game_path(game), mine)
    moves = finding.new_moves(match, finding.folder_of(game), notes, game)
    asking.say_notes(notes)
    c.print_and_note((), finding.moves_in_words(moves))
    if moves.new:
        return _apply(game, mine, list(moves.new), how)
    if how.json:
        nothing = desk.Done(match, (), (), 0)
        c.report({"moves": []} | running.report_of(nothing, {}, how.dry))
    return c.say(running.next_step(match, 0, False, how.again("reveal", game)))


def _apply(game: str, mine: "keys.Key", moves: "Sequence[tuple[str, bytes | RefereeError]]", how: ApplyOptions) -> None:
    """Apply moves, each with the name that its file has."""
    folder, moment, taken = how.folder(game), c.clock(how.now), [data for _, data in moves]
    with c.hints(how.again("show", game)):
        done = desk.apply_moves(c.game_path(game), taken, mine, folder, moment, dry=how.dry, aid=c.aid_maker(how.aid))
    judged = zip(moves, done.judged, strict=True)
    rows = [running.move_row(done.match, path, verdict, how.dry) for (path, _), verdict in judged]
    _report_done(done, game, how, {"moves": rows}, [f"{row.move}: {row.message}" for row in rows])
    failed = next((verdict.error for verdict in done.judged if verdict.error), None)
    if failed is None or done.closed:
        c.say(running.next_step(done.match, done.closed, how.dry, how.again("reveal", game)))
    if failed is not None:
        message = running.for_player(failed)
        c.say(w("For what was refused: {next}", next=message) if done.closed else w("Next: {next}", next=message))
        raise typer.Exit(failed.exit)


def _report_done(done: "desk.Done", game: str, how: ApplyOptions, more: dict[str, object], lines: list[str]) -> None:
    """Print what a command at the desk did, and what to send; for programs also with `more`."""
    mails = {} if how.dry else running.mails_of(done, how.folder(game))
    if how.json:
        c.report(more | running.report_of(done, mails, how.dry))
    for line in running.done_in_words(lines, mails, game, done.match, beside=how.out is None):
        c.say(line)


# --- deadlines and the end --------------------------------------------------------------------------------------------


def _time_out(game: str, mine: "keys.Key", seat: str, round: int | None, drop: bool, how: ApplyOptions) -> None:
    """Record that a player missed the deadline; once the round is closed, only the views are written again."""
    moment = c.clock(how.now)
    match = desk.read_match(c.game_path(game), mine)
    with c.hints(how.again("show", game)):
        number = desk.find_seat(match.table.names, seat)
        meant = match.state.round + 1 if round is None else round
        if meant == match.state.round + 1:
            _refuse_hasty(match, number, moment, drop or how.dry)
        done = desk.miss_deadline(
            game, number, meant, mine, how.folder(game), moment, dry=how.dry, aid=c.aid_maker(how.aid)
        )
    _report_done(done, game, how, {}, [running.timeout_in_words(done, meant, how.dry)])
    c.say(running.next_step(done.match, done.closed, how.dry, how.again("reveal", game)))


def _refuse_hasty(match: "host.Match", seat: int, now: "datetime", sure: bool) -> None:
    """Check that the signed deadline is over, and that nobody is dropped by accident."""
    warning = running.refuse_hasty(match, seat, now)
    if not warning or sure:
        return
    if not c.is_interactive():
        raise Usage(warning, t("wait for the answer, or add --drop"), code="puts-out")
    c.say(sentence(warning))
    c.confirm_or_exit(
        w("Drop {name}?", name=text.clean(match.table.names[seat])), w("Nothing was changed."), default=False
    )


def _extend(game: str, mine: "keys.Key", seat: str, until: str | None, by: str | None, how: ApplyOptions) -> None:
    """Give a player more time: if the host does not wait, the player can prove it. The latest extension counts."""
    moment = c.clock(how.now)
    match = desk.read_match(c.game_path(game), mine)
    number = desk.find_seat(match.table.names, seat)

    def due(match: "host.Match") -> str:
        return running.new_due(match, number, until, by, moment)

    with c.hints(how.again("show", game)):
        done = desk.extend_time(game, number, due, mine, how.folder(game), dry=how.dry)
    given = running.extended(done, number, dry=how.dry)
    if how.json:
        c.report(given)
    if not how.dry:
        c.say(given.line())
    c.next_step(w("Next: send {file} to {name}, who keeps it.", file=c.sent(done.written[0]), name=given.name), how.dry)


def reveal(
    game: c.GameArgument,
    output: str | None = c.option("-o", "FILE", "The transcript. Default: beside the game file."),
    abandon: bool = c.flag("--abandon", "End a game that cannot go on: without a result, and for good."),
    yes: c.YesOption = False,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Write the transcript after the end: all secrets, for everybody to verify.

    --abandon ends a game that cannot go on. The transcript says so, signed, and blames nobody.

    Example: referee reveal game.json
    """
    if output is not None:
        c.refuse_same(output, game, key)
    mine = c.load_key(key)
    with c.hints(run("show", game, *documents.with_key(key))):
        if abandon and not (yes or dry):
            desk.reveal(c.game_path(game), mine, output, abandon=True, dry=True)
            c.confirm_abandon()
        path, data = desk.reveal(c.game_path(game), mine, output, abandon=abandon, dry=dry)
    if path == "-" or dry:
        c.write_out(path, data, dry=dry)
    c.next_step(w("Next: send {file} to everybody; {command} checks it.", file=c.sent(path),
                  command=run("verify", c.sent(path, placeholder("FILE")))), dry)  # fmt: skip


# --- a game file that was lost ----------------------------------------------------------------------------------------


class RecoverOptions(NamedTuple):
    """What to rebuild, and where."""

    adopt: str | None = c.option(
        "--adopt",
        "GAME.json",
        "Continue with this game file, whose last round another machine signed.",
        completion.files("game"),
    )
    output: c.GameFileOption = "game.json"
    chance: str | None = c.option("--chance", "HEX", "The secret, if the game has common chance.")
    incomplete: bool = c.flag(
        "--incomplete",
        "Go on without sealed answers that are lost, which the transcript lacks too; with --adopt, without "
        "the views of players who cannot be reached.",
    )


def recover(
    paths: list[str] = c.argument(
        "VIEW|MOVE...",
        "The newest views that players have, the moves in which they sealed something, extensions.",
        completion.files("view", "move", "extension", mail=True),
    ),
    *,
    how: RecoverOptions,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Rebuild a lost game file from your key and the newest view that any player has.

    --adopt takes a copy of the game file to a machine that has never signed for it, if no view knows more than it does.

    Example: referee recover *.view.json -o game.json
    referee recover *.view.json --adopt game.json
    """
    c.refuse_stdin_twice(paths)
    c.chosen({"--adopt": how.adopt, "--chance": how.chance})
    mine = c.load_key(key)
    kept = recovering.read_kept(paths, lambda what: c.say(w("skipped: {what}", what=what)))
    if how.adopt is not None:
        match = recovering.adopt(c.game_path(how.adopt), mine, kept.views, incomplete=how.incomplete, dry=dry)
        advice = run("show", how.adopt, *documents.with_key(key))
        return c.report_dry_run() if dry else c.print_and_note((), recovering.adopted_in_words(match, advice))
    found = recovering.recover(mine, kept, recovering.read_chance(how.chance))
    if found.missing and (found.held or not how.incomplete):
        c.print_and_note((), recovering.missing_in_words(found))
        raise recovering.missing(found)
    recovering.write_recovered(found.match, kept.extensions, how.output, dry=dry)
    if dry:
        return c.report_dry_run()
    again = run("apply", how.output, placeholder("MOVE..."), *documents.with_key(key))
    return c.print_and_note((), recovering.back_in_words(found.match, c.sent(how.output), again))
