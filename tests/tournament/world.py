"""A small tournament in a folder, made as the commands make it, and the tools of an organiser who cheats afterwards."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee.crypto.codec import H, encode
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.library.extracting import find_games
from referee.tournament import check, derivation, store
from referee.tournament import documents as d
from referee.tournament.check import ready
from referee.tournament.entrants import make_bot
from referee.tournament.ledger import commitment, line_of, organisers_secret, promised
from referee.tournament.packing import Packing
from referee.tournament.playing import play_game
from referee.tournament.records import GameRecord
from referee.tournament.results import write_results
from referee.tournament.run import Course, play_stage
from referee.tournament.schedule import Plan
from referee.tournament.seating import Setting, chance_of
from referee.tournament.spec import USUAL, GameLine, played
from referee.tournament.stage import Desk, existing_ledger, load
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
    packing = Packing(desk, course.setting)
    for wave in course.waves():
        for plan in wave:
            course.add(plan, packing.add(plan, play_game(course.setting, plan)))
    packing.end()
    desk.end(course.secret, course.done, course.tally.number, course.tally.group)
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


def no_key(path: str) -> Key:
    raise AssertionError(f"nobody needs the key in {path}")


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


def games_of(folder: Path) -> list[GameRecord]:
    """All games as they were recorded."""
    return list(store.games(str(folder), load(str(folder))))


def games_there(folder: Path) -> int:
    """How many games a run has kept so far."""
    ledger = existing_ledger(str(folder))
    started = (part for part in ledger.parts if part.start)
    return sum(1 for part in started for _ in store.part_lines(str(folder), ledger, part))


def transcript(folder: Path, number: int) -> bytes:
    """A game with all its signatures; its stage is over."""
    (found,) = find_games(str(folder), load(str(folder)), [number], None, no_key)
    return found.transcript()


def rewrite(folder: Path, games: Sequence[GameRecord], *, sign_again: bool = True, **ending: Any) -> None:
    """Keep these games of the last stage instead; `sign_again`: the organiser signs packs and an ending that fit."""
    ledger = load(str(folder))
    part = ledger.last
    assert part.ending is not None
    course, plans = course_of(folder)
    first, setting = store.first_pack(ledger, part), course.setting
    lines = [encode(one) for one in games]
    for old in folder.glob("games/*"):
        if int(old.name[:6]) >= first:
            old.unlink()
    if not sign_again:
        (folder / "games").mkdir(exist_ok=True)
        at = 0
        for index, pack in enumerate(part.packs, first):
            more = lines[at : at + pack.count] if pack is not part.packs[-1] else lines[at:]
            Path(store.pack_path(str(folder), index)).write_bytes(store.packed(more))
            at += pack.count
        return
    signed = documents(folder)
    start = next(at for at, one in reversed([*enumerate(signed)]) if one.type.endswith("/start"))
    (folder / "ledger.jsonl").write_bytes(b"".join(map(line_of, signed[: start + 1])))
    desk = desk_in(folder)
    packing = Packing(desk, setting)
    for at, line in enumerate(lines):
        outcome = store.stored(line).outcome
        packing.spool.add(line)
        plan = plans[at] if at < len(plans) else Plan(outcome.number, outcome.group, 0, ())
        chance = chance_of(setting, plan)
        packing._games.append((plan, derivation.leaf(part.ids["start"], plan.number, chance, line)))
    sign_anything(packing)
    packing.spool.remove()
    numbers = max(part.ending.numbers, desk.ledger.played)
    desk.end(bytes.fromhex(part.ending.secret), len(lines), numbers, part.ending.groups)
    if ending:
        resign(folder, "ending", msgspec.structs.replace(load(str(folder)).last.ending, **ending))
    write_results(str(folder), load(str(folder)))


def sign_anything(packing: Packing) -> None:
    """Sign a pack without playing any of its games again."""
    leaves = [leaf for _, leaf in packing._games]
    size = packing.spool.write_pack()
    packing.desk.pack(packing._games[0][0].number, len(leaves), size, derivation.root(leaves))
    packing.spool.next()


def resign(folder: Path, kind: str, value: d.Document, key: Key = KEY) -> None:
    """Put another last document of a kind into the ledger, signed."""
    path = folder / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    at = max(number for number, one in enumerate(lines) if f'/{kind}"'.encode() in one[-40:])
    lines[at] = line_of(sign(key, kind, value))
    path.write_bytes(b"".join(lines))


def documents(folder: Path) -> list[Envelope]:
    return [msgspec.json.decode(one, type=Envelope) for one in (folder / "ledger.jsonl").read_bytes().splitlines()]
