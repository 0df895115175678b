"""The commands for a host who lost a file: recover, guard adopt."""

from typing import Annotated, Any

import typer

from referee.cli import complete, t, w
from referee.cli.common import (
    DryOption,
    GameArgument,
    KeyOption,
    game_path,
    load_key,
    read_document,
    say,
    stdin_once,
    tell_dry,
    with_key,
)
from referee.cli.values import placeholder
from referee.errors import FileTrouble, Malformed, RefereeError, Usage, WrongTurn
from referee.language import Run, run


def recover(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="VIEW|MOVE...",
            help="The newest views that players have, the moves in which they sealed something, extensions.",
            autocompletion=complete.files("view", "move", "extension", mail=True),
        ),
    ],
    output: Annotated[
        str, typer.Option("-o", metavar="FILE", help="The game file. It is for you alone.")
    ] = "game.json",
    chance: Annotated[
        str | None, typer.Option("--chance", metavar="HEX", help="The secret, if the game has common chance.")
    ] = None,
    incomplete: Annotated[
        bool,
        typer.Option("--incomplete", help="Go on without sealed answers that are lost; the transcript lacks them too."),
    ] = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Build a lost game file again from your key and the newest view that any player has."""
    from referee.evidence.recovery import recover as rebuild
    from referee.io import files, guard
    from referee.io.gamefile import dump_match

    stdin_once(paths)
    mine = load_key(key)
    views, moves, extensions = _read(paths)
    newest = max(views, key=lambda view: view.round)
    found = rebuild(mine, newest.view.genesis, newest.view.entries, moves, _secret(chance))
    table = found.match.table
    if found.missing and (found.held or not incomplete):
        _ask_for(found, table)
    _promise(found.match, extensions)
    with guard.guarding(found.match, output, dry=dry, source="views") as guarded:
        if files.exists(output):
            why = t("{output} exists already", output=files.printable(output))
            raise FileTrouble(why, t("choose another name with -o"), code="exists")
        if dry:
            tell_dry()
            return
        wanted = {**guarded(), output: dump_match(found.match)}
        files.write(wanted, secret=[*wanted])
    again = run("apply", output, placeholder("MOVE..."), *with_key(key))
    _tell(table.id[:8], found.match.state.round, files.printable(output), again)


def guard_adopt(
    game: GameArgument,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="VIEW...",
            help="The newest view of every player.",
            autocompletion=complete.files("view", mail=True),
        ),
    ],
    incomplete: Annotated[
        bool, typer.Option("--incomplete", help="Go on without the views of players who cannot be reached.")
    ] = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Go on with a game file on a machine that has never signed for it: nobody may have seen more than it knows."""
    from referee.io import desk, files, guard
    from referee.io.gamefile import dump_match
    from referee.show.text import clean

    stdin_once(paths)
    mine = load_key(key)
    views, _, _ = _read(paths)
    real = files.true_path(game_path(game))
    with files.locked(real):
        match = desk.read_match(game, mine)
        _refuse_behind(match, views)
        table, seen = match.table, {view.seat for view in views}
        silent = [clean(name) for seat, name in enumerate(table.names) if seat not in seen and seat not in table.kept]
        if silent and not incomplete:
            raise Usage(
                t("views are missing: {silent}", silent=tuple(silent)),
                t("ask these players for their newest views, or go on without them with --incomplete"),
                code="missing-views",
            )
        with guard.guarding(match, real, dry=dry, source="views") as guarded:
            if dry:
                tell_dry()
                return
            files.write({**guarded(), real: dump_match(match)}, secret=[*guarded(), real])
    say(w("This machine signs for game {game} from round {round} on.", game=table.id[:8], round=match.state.round + 1))
    say(w("Use the game on no other machine: two that sign for one game accuse each other."))
    say(w("Next: {next}", next=run("status", game, *with_key(key))))


def _refuse_behind(match: Any, views: list[Any]) -> None:
    """A game file that some player has seen more of, or something else, must not be played on."""
    from referee.show.text import clean

    for view in views:
        if view.table.id != match.table.id:
            raise WrongTurn(
                t("these views are of another game"), t("give views of the game in the game file"), code="other-game"
            )
        name, known = clean(view.name) or t("who made the public view"), len(match.entries)
        if view.round > known:
            raise WrongTurn(
                t(
                    "{name} has seen round {round}, and this game file is at round {known}",
                    name=name,
                    round=view.round,
                    known=known,
                ),
                t("build the newest one with `referee recover VIEW...`"),
                code="older-file",
            )
        if list(view.view.entries) != match.entries[: view.round]:
            raise WrongTurn(
                t("this game file tells another story than the view of {name}", name=name),
                t("build the one that players know with `referee recover VIEW...`, and keep this one away from them"),
                code="forked-file",
            )


def _tell(game: str, number: int, file: str, again: Run) -> None:
    """What was built, and what to do with it."""
    say(w("Game {game} is back as it was after round {round}. Keep {file} to yourself.", game=game, round=number,
          file=file))  # fmt: skip
    say(w("If anybody has a newer view than that, recover from it instead: two stories of one round can be proved."))
    say(w("An answer that you took before it was lost still counts: its player has your receipt."))
    say(w("Next: ask for the answers to round {round} again, and take them with {command}.", round=number + 1,
          command=again))  # fmt: skip


def _secret(text: str | None) -> bytes:
    try:
        secret = bytes.fromhex(text or "")
    except ValueError:
        secret = b"?"
    if len(secret) not in (0, 32):
        raise Usage(t("the secret of common chance has 64 hexadecimal digits"), t("give it as it was kept"))
    return secret


def _read(paths: list[str]) -> tuple[list[Any], list[Any], list[Any]]:
    """The views that pass every check, the moves, and extensions. What is bad is told and left aside; what contradicts
    stops."""
    from referee.crypto.codec import decode
    from referee.crypto.envelope import Envelope
    from referee.engine import records as r
    from referee.engine.player import open_view
    from referee.evidence.compare import compare
    from referee.evidence.identify import document_kind
    from referee.io.files import printable

    views, moves, extensions = [], [], []
    for path in paths:
        try:
            data = read_document(path, "view", "move", "extension")
            if document_kind(data) == "view":
                views.append(open_view(data))
            elif document_kind(data) == "extension":
                extensions.append(decode(data, Envelope, "extension"))
            else:
                moves.append(decode(data, r.MoveFile, "move"))
        except RefereeError as error:
            say(w("left aside: {what}", what=f"{printable(path)}: {error.message}"))
    if not views:
        raise Malformed(t("there is no good view here"), t("ask the players for their newest views"), code="alone")
    if len({view.table.id for view in views}) > 1:
        raise Usage(t("these views are of several games"), t("recover one game at a time"))
    for found in compare(views)[0]:
        raise found
    return views, moves, extensions


def _promise(match: Any, extensions: list[Any]) -> None:
    """Keep to what was promised in this game."""
    from referee.engine.host import promise
    from referee.engine.promises import read_extension

    for extension in extensions:
        if read_extension(match.table.host, extension).game == match.table.id:
            promise(match, extension)


def _ask_for(found: Any, table: Any) -> None:
    """Who must send what again."""
    from referee.show.text import clean

    for number, seat in found.missing:
        name = clean(table.names[seat])
        if (number, seat) in found.held:
            say(w("  {name} sealed something in round {round}, without which the game cannot go on: ask for that move "
                  "again", name=name, round=number))  # fmt: skip
        else:
            say(w("  {name} sealed something in round {round}: ask for that move again", name=name, round=number))
    advice = t("give those moves, too")
    if not found.held:
        advice = t("give those moves, too, or go on without them with --incomplete")
    raise Malformed(t("sealed answers are missing that only their players have"), advice, code="missing-sealed")
