"""A small tournament in a folder, made as the commands make it, and the tools of an organiser who cheats afterwards."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee.crypto.codec import H
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.tournament import check, derivation, store
from referee.tournament import documents as d
from referee.tournament.check import ready
from referee.tournament.entrants import make_bot
from referee.tournament.ledger import commitment, line_of, organisers_secret, promised
from referee.tournament.playing import Finished, play_game
from referee.tournament.results import write_results
from referee.tournament.run import Course, play_stage
from referee.tournament.schedule import Plan
from referee.tournament.seating import Setting
from referee.tournament.spec import USUAL, GameLine, played
from referee.tournament.stage import Desk, load
from referee.tournament.work import Workers

KEY = Key(H("tournament-trial", "key", "tests"))
TWELVE = d.Schedule("round-robin", games=12)
USUAL_LIMITS = msgspec.convert(USUAL, d.Limits)
BOTS = ("sensible", "random", "tests.tournament.bots:first", "tests.tournament.bots:last")


def desk_in(folder: Path) -> Desk:
    folder.mkdir(parents=True, exist_ok=True)
    return Desk(str(folder), KEY)


def enter(desk: Desk, bots: tuple[str, ...] = BOTS, **more: Any) -> None:
    named = {bot.rpartition(":")[2]: make_bot([bot], program=False) for bot in bots}
    desk.enter(named | more)


def make(
    folder: Path,
    games: tuple[GameLine, ...] = (GameLine("auction", 3),),
    schedule: d.Schedule = TWELVE,
    limits: d.Limits = USUAL_LIMITS,
    workers: Workers | None = None,
    seed: str = "tests",
    arbiter: str = "",
    bots: tuple[str, ...] = BOTS,
) -> Desk:
    """Commit, enter, close, start and play."""
    desk = desk_in(folder)
    nonce = H("tournament-trial", f"stage {len(desk.ledger.parts)}", seed)
    desk.commit("Trial", tuple(map(played, games)), schedule, limits, nonce, arbiter)
    enter(desk, bots)
    desk.close()
    desk.start(unconfined=True)  # our own functions: in this process, a hundred times as fast
    finish(desk, workers)
    return desk


def finish(desk: Desk, workers: Workers | None = None, *, unconfined: bool = True) -> Course:
    course = play_stage(desk, workers or Workers(), lambda done, tally: None, unconfined=unconfined)
    write_results(desk.folder, desk.ledger)
    return course


def pretend(desk: Desk, bots: tuple[str, ...]) -> None:
    """Play a stage with these bots of the games, whatever the ledger names, and sign the end: rules are kept."""
    course = Course(desk.ledger, desk.part, organisers_secret(desk.part, desk.key))
    course.setting = with_bots(course.setting, [make_bot([bot], program=False) for bot in bots])
    games = store.Store(desk.folder)
    for wave in course.waves():
        for plan in wave:
            (kept,) = games.add([play_game(course.setting, plan)])
            course.add(plan, kept)
    games.close()
    desk.end(course.secret, course.done, course.tally.number, course.tally.group, course.digest)
    write_results(desk.folder, desk.ledger)


def with_bots(setting: Setting, bots: Sequence[d.Bot]) -> Setting:
    """The same setting, in which the players are other bots than the ledger says."""
    players = [
        (name, msgspec.structs.replace(one, bot=bot)) for (name, one), bot in zip(setting.players, bots, strict=True)
    ]
    return msgspec.structs.replace(setting, players=tuple(players))


def setting_for(
    games: Sequence[d.Played], bots: Mapping[str, d.Bot], seed: bytes, *, duplicate: bool = True, arbiter: str = ""
) -> Setting:
    """A stage without a ledger: the ids of its players follow from their places."""
    key = KEY.public.hex()
    schedule = d.Schedule("round-robin", duplicate=duplicate)
    stage = d.Stage("Trial", key, "0" * 64, "0" * 64, tuple(games), schedule, USUAL_LIMITS, arbiter=arbiter)
    players = [
        (f"{at:064}", d.Entrant("0" * 64, name, key, bot, "0" * 64)) for at, (name, bot) in enumerate(bots.items())
    ]
    return Setting(stage, "", seed, tuple(players), tuple(range(len(players))))


def checked(folder: Path, line: str | None = None, again: int = 0) -> check.Checked:
    """What a check says."""
    ledger = load(str(folder))
    one = check.Check(str(folder), ledger, Workers())
    if line is not None:
        one.promise(promised(line))
    if again:
        one.play_again(again, ready(ledger))
    one.stages(lambda done: None)
    one.results()
    return one.found


def codes(folder: Path, line: str | None = None, again: int = 0) -> list[str]:
    """What a check finds."""
    return [found.code for found in checked(folder, line, again).differs]


def line(folder: Path) -> str:
    return commitment(load(str(folder)))


def tree(folder: Path) -> dict[str, bytes]:
    """Everything that is kept; locks do not count."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


# --- cheating ---------------------------------------------------------------------------------------------------------


def course_of(folder: Path) -> tuple[Course, list[Plan]]:
    """The stage as it was, and all its plans."""
    ledger = load(str(folder))
    part = ledger.last
    assert part.ending is not None
    course = Course(ledger, part, bytes.fromhex(part.ending.secret))
    plans = [plan for wave in course.waves() for plan in wave]
    return course, plans


def games_of(folder: Path) -> list[Finished]:
    """All games as they were finished."""
    found = store.lines(str(folder))
    return [Finished(one.outcome, one.hash, store.packed(str(folder), one), one.lapses) for one in found]


def rewrite(folder: Path, games: list[Finished], **ending: Any) -> None:
    """Keep these games instead, and sign an ending that fits them: the organiser has the key."""
    for path in [*folder.glob("games/*"), folder / store.LINES]:
        path.unlink()
    kept = store.Store(str(folder))
    kept.add(games)
    kept.close()
    part = load(str(folder)).last
    assert part.ending is not None
    digest = derivation.digest_start(part.ids["start"])
    for game in games:
        digest = derivation.digest_next(digest, game.outcome.number, bytes.fromhex(game.hash))
    changed = {"games": len(games), "digest": digest.hex(), **ending}
    resign(folder, "ending", msgspec.structs.replace(part.ending, **changed))
    write_results(str(folder), load(str(folder)))


def resign(folder: Path, kind: str, value: d.Document, key: Key = KEY) -> None:
    """Put another last document of a kind into the ledger, signed."""
    path = folder / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    at = max(number for number, one in enumerate(lines) if f'/{kind}"'.encode() in one[-40:])
    lines[at] = line_of(sign(key, kind, value))
    path.write_bytes(b"".join(lines))


def documents(folder: Path) -> list[Envelope]:
    return [msgspec.json.decode(one, type=Envelope) for one in (folder / "ledger.jsonl").read_bytes().splitlines()]
