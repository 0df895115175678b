"""A game file that was lost, or comes from another machine: the players' views have everything that it needs."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.crypto.keys import Key
from referee.engine.host import Match, promise
from referee.engine.player import Opened, open_view
from referee.engine.promises import read_extension
from referee.engine.records import MoveFile
from referee.errors import Malformed, RefereeError, Usage, WrongTurn
from referee.evidence.compare import compare
from referee.evidence.identify import document_kind
from referee.evidence.recovery import Recovered
from referee.evidence.recovery import recover as rebuild
from referee.io import desk, files, guard
from referee.io.gamefile import dump_match
from referee.language import Run, Text
from referee.library import t, w
from referee.library.documents import read_document, refuse_existing
from referee.show.text import clean


class PlayersFiles(NamedTuple):
    """What players have kept of one game: views that pass every check, moves, extensions."""

    views: list[Opened]
    moves: list[MoveFile]
    extensions: list[Envelope]


def read_kept(paths: Sequence[str], aside: Callable[[str], None]) -> PlayersFiles:
    """What these files contain about one game. A bad file is reported and skipped; a contradiction is an error."""
    kept = PlayersFiles([], [], [])
    for path in paths:
        try:
            data = read_document(path, "view", "move", "extension")
            match document_kind(data):
                case "view":
                    kept.views.append(open_view(data))
                case "extension":
                    kept.extensions.append(decode(data, Envelope, "extension"))
                case _:
                    kept.moves.append(decode(data, MoveFile, "move"))
        except RefereeError as error:
            aside(f"{files.printable(path)}: {error.message}")
    if not kept.views:
        raise Malformed(
            t("none of these files is a valid view"), t("ask the players for their newest views"), code="alone"
        )
    if len({view.table.id for view in kept.views}) > 1:
        raise Usage(t("these views belong to several games"), t("recover one game at a time"))
    for found in compare(kept.views)[0]:
        raise found
    return kept


def read_chance(text: str | None) -> bytes:
    """The secret of common chance, as it is typed; empty if there is none."""
    try:
        secret = bytes.fromhex(text or "")
    except ValueError:
        secret = b"?"
    if len(secret) not in (0, 32):
        raise Usage(t("the secret of common chance has 64 hexadecimal digits"), t("give it as it was kept"))
    return secret


def recover(key: Key, kept: PlayersFiles, chance: bytes) -> Recovered:
    """The game as it was after the newest view."""
    newest = max(kept.views, key=lambda view: view.round)
    return rebuild(key, newest.view.genesis, newest.view.entries, kept.moves, chance)


def missing_in_words(found: Recovered) -> list[str]:
    """Who must send what again."""
    lines = []
    for number, seat in found.missing:
        who = {"name": clean(found.match.table.names[seat]), "round": number}
        if (number, seat) in found.held:
            lines.append(w("  {name} sealed something in round {round}, without which the game cannot go on: ask for "
                           "that move again", **who))  # fmt: skip
        else:
            lines.append(w("  {name} sealed something in round {round}: ask for that move again", **who))
    return lines


def missing(found: Recovered) -> Malformed:
    """Why a game cannot go on yet."""
    advice = t("give those moves too")
    if not found.held:
        advice = t("give those moves too, or go on without them with --incomplete")
    return Malformed(t("sealed answers are missing that only their players have"), advice, code="missing-sealed")


def back_in_words(match: Match, file: str, again: Run) -> list[str]:
    """What was rebuilt, and what to do with it."""
    game, number = match.table.id[:8], match.state.round
    return [
        w("Game {game} is back as it was after round {round}. Keep {file} to yourself.", game=game, round=number,
          file=file),
        w("If anybody has a newer view, recover from that instead: two signed versions of a round can be proved."),
        w("An answer that you took before it was lost still counts: its player has your receipt."),
        w("Next: ask for the answers to round {round} again, and take them with {command}.", round=number + 1,
          command=again),
    ]  # fmt: skip


def write_recovered(match: Match, extensions: Sequence[Envelope], path: str, *, dry: bool) -> None:
    """Write a rebuilt game file; promises that were made in the game are kept."""
    for extension in extensions:
        if read_extension(match.table.host, extension).game == match.table.id:
            promise(match, extension)
    with guard.guarding(match, path, dry=dry, source="views") as guarded:
        refuse_existing(path)
        if not dry:
            wanted = {**guarded(), path: dump_match(match)}
            files.write(wanted, secret=[*wanted])


def adopt(path: str, key: Key, views: Sequence[Opened], *, incomplete: bool, dry: bool) -> Match:
    """Go on with a game file on a machine that has never signed for it, if no view knows more than it does."""
    real = files.resolved_path(path)
    with files.locked(real):
        match = desk.read_match(path, key)
        for view in views:
            _refuse_behind(match, view)
        table, seen = match.table, {view.seat for view in views}
        silent = [clean(name) for seat, name in enumerate(table.names) if seat not in seen and seat not in table.kept]
        if silent and not incomplete:
            raise Usage(
                t("views are missing: {silent}", silent=tuple(silent)),
                t("ask these players for their newest views, or go on without them with --incomplete"),
                code="missing-views",
            )
        with guard.guarding(match, real, dry=dry, source="views") as guarded:
            if not dry:
                files.write({**guarded(), real: dump_match(match)}, secret=[*guarded(), real])
    return match


def adopted_in_words(match: Match, look: Run) -> list[str]:
    """Say that this machine signs from now on, and what to do."""
    game, number = match.table.id[:8], match.state.round + 1
    return [
        w("This machine signs for game {game} from round {round} on.", game=game, round=number),
        w("Use the game on no other machine: two machines that sign for one game will contradict each other."),
        w("Next: {next}", next=look),
    ]


def _refuse_behind(match: Match, view: Opened) -> None:
    """Refuse a game file that is behind what some player has seen, or contradicts it."""
    if view.table.id != match.table.id:
        raise WrongTurn(
            t("these views belong to another game"), t("give views of the game in the game file"), code="other-game"
        )
    name: str | Text = clean(view.name) or t("who made the public view")
    known = len(match.entries)
    if view.round > known:
        raise WrongTurn(
            t("{name} has seen round {round}, and this game file is at round {known}", name=name, round=view.round,
              known=known),
            t("build the newest one with `referee recover VIEW...`"),
            code="older-file",
        )  # fmt: skip
    if list(view.view.entries) != match.entries[: view.round]:
        raise WrongTurn(
            t("this game file contradicts the view of {name}", name=name),
            t("build the one that players know with `referee recover VIEW...`, and keep this one away from them"),
            code="forked-file",
        )
