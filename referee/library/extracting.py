"""Single games of a tournament: signed again, as pages, or as proofs to be read beside the ledger."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from referee.crypto.codec import encode
from referee.crypto.keys import Key
from referee.engine.host import reveal
from referee.errors import FileTrouble, RefereeError, Usage, WrongTurn
from referee.io import files
from referee.language import run
from referee.library import t
from referee.library.tournaments import LoadKey, organisers_key
from referee.tournament import results, stage, store
from referee.tournament.ledger import Ledger, Part, organisers_secret
from referee.tournament.playing import expand
from referee.tournament.proofs import make_proof
from referee.tournament.records import GameRecord
from referee.tournament.report import page_name
from referee.tournament.seating import Setting, plan_of, setting_of


class Found(NamedTuple):
    """A game of a tournament, and the setting of its stage."""

    part: Part
    setting: Setting
    record: GameRecord

    @property
    def number(self) -> int:
        return self.record.outcome.number

    def transcript(self) -> bytes:
        """The signed game, to the byte as the full engine plays it."""
        return reveal(expand(self.setting, plan_of(self.setting, self.record.outcome), self.record))


def find_games(folder: str, ledger: Ledger, numbers: Sequence[int], key: str | None, load: LoadKey) -> list[Found]:
    """The games with these numbers, or those that the report lists."""
    wanted, found = set(numbers), list[Found]()
    if not wanted:
        wanted = {one.outcome.number for one in results.listed_games(folder, ledger.ended())}
    for part in ledger.parts:
        setting: Setting | None = None
        for line in store.part_lines(folder, ledger, part) if part.start is not None else ():
            record = store.stored(line)
            if record.outcome.number in wanted:
                setting = setting or _setting(folder, ledger, part, key, load)
                found.append(Found(part, setting, record))
    if len(found) < len(wanted):
        why = t("{wanted} of these games are not in that tournament", wanted=len(wanted) - len(found))
        raise Usage(why, t("the numbers are in the report"), code="no-game")
    return found


def _setting(folder: str, ledger: Ledger, part: Part, key: str | None, load: LoadKey) -> Setting:
    """The setting of a stage, whose secret is published, or follows from the organiser's key."""
    if part.ending is not None:
        secret = bytes.fromhex(part.ending.secret)
    else:
        secret = organisers_secret(part, _organiser(folder, key, load))
    return setting_of(part, part.seed(secret), ledger.names)


def _organiser(folder: str, key: str | None, load: LoadKey) -> Key:
    try:
        return organisers_key(folder, key, load, None)
    except RefereeError as error:
        if error.code != "no-key":
            raise
        why = t("the stage of this game is not over: only its organiser can extract it")
        advice = t("wait for the end, see {run}; or give the organiser's key with --key",
                   run=run("tournament", "check", folder))  # fmt: skip
        raise WrongTurn(why, advice, code="not-over") from None


def write_transcripts(found: Sequence[Found], output: str, dry: bool) -> list[str]:
    """These games as signed games, in files."""
    return _write({path_of(one, output, "transcript"): one.transcript for one in found}, dry)


def write_proofs(folder: str, ledger: Ledger, found: Sequence[Found], output: str, dry: bool) -> list[str]:
    """What shows to others that these games belong to the tournament, in files."""

    def proof(one: Found) -> bytes:
        return encode(make_proof(folder, ledger, one.part, one.setting, one.number))

    return _write({path_of(one, output, "record"): partial(proof, one) for one in found}, dry)


def path_of(one: Found, output: str, kind: str) -> str:
    return os.path.join(output, f"game-{one.number:06}.{kind}.json")


def _write(made: Mapping[str, Callable[[], bytes]], dry: bool) -> list[str]:
    for path in made:
        if os.path.lexists(path):
            why = t("{path} already exists", path=files.printable(path))
            raise FileTrouble(why, t("choose another folder"), code="exists")
    for path, make in made.items():
        data = make()
        if not dry:
            files.make_folder(os.path.dirname(path) or ".")
            files.write({path: data})
    return list(made)


def write_pages(folder: str, found: Sequence[Found], dry: bool, tell: Callable[[int], None]) -> list[str]:
    """Pages of these games, where the report links to them; one after the other: a page is larger than its game."""
    from referee.evidence.replay import open_transcript
    from referee.page.reading import page_of, reading_of_transcript

    paths = [os.path.join(folder, page_name(one.number)) for one in found]
    for place in {os.path.dirname(path) for path in paths}:
        if os.path.islink(place):  # a stranger's folder could lead anywhere
            why = t("{place} is a link", place=files.printable(place))
            raise FileTrouble(why, t("remove it: pages are written below the folder"))
    for done, (path, one) in enumerate(zip(paths, found, strict=True), 1):
        if not dry:
            files.make_folder(os.path.dirname(path))
            data = one.transcript()
            files.write({path: page_of(reading_of_transcript(data, open_transcript(data)))})
        tell(done)
    return paths


def load_ledger(folder: str) -> Ledger:
    """The ledger of a tournament, verified."""
    return stage.load(folder)
