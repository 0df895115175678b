"""Check many files, each completely, and compare those of one game: what `referee verify` does."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from referee.crypto.codec import encode, read
from referee.crypto.envelope import ident
from referee.engine.chain import Followed
from referee.engine.player import Opened, open_view, read_view
from referee.errors import CheckFailed, Malformed, RefereeError, Usage
from referee.evidence.compare import Story, compare, story_of
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.files import Loose, read_file, seat_of
from referee.evidence.identify import document_kind
from referee.evidence.lateness import LateSeat, Protest, lateness
from referee.evidence.replay import open_transcript
from referee.io import files, kinds
from referee.language import Message, current_language, listed, run, speaking
from referee.library import t, w
from referee.library.documents import read_document
from referee.library.recorded import keys_are_public, record_in_words
from referee.show.documents import claim_lines, ruling_lines
from referee.show.findings import declared, late_in_words, verified
from referee.show.text import clean

CHECKED = ("transcript", "view", "move", "receipt", "extension", "proof", "ruling", "claim", "record")
"""Kinds of files that can be checked."""
LEDGER = ".jsonl"
"""How the name of the ledger of a tournament ends."""
PACK = ".jsonl.gz"
"""How the name of a pack of its games ends."""
SKIPPED = "skipped"
MOST_LISTED = 20
"""Of more files than these, only the bad ones get a line."""
MOST_SEEN = 32
"""Most views that are kept open to continue from."""


class Good(Struct, frozen=True):
    """A file that passed all checks."""

    file: str
    message: str
    game: str = ""
    rounds: int = 0
    whole: bool = False
    """Whether it proves a whole game."""
    late_rounds: int | UnsetType = UNSET
    late: tuple[LateSeat, ...] | UnsetType = UNSET
    protests: tuple[Protest, ...] | UnsetType = UNSET
    abandoned: bool | UnsetType = UNSET
    verdict: str | UnsetType = UNSET
    """`ruling` and `claim` are their writer's word; `record`: a ledger binds this game."""
    public_keys: bool = False
    """Whether its keys are public when its tournament is over: then it proves nothing by itself."""
    code: str = "ok"
    exit: int = 0


class Bad(Struct, frozen=True):
    """A file that failed a check, or a proof against somebody, with its verdict and the key that it is about."""

    file: str
    code: str
    exit: int
    message: Message
    next: Message | None
    step: int | None
    verdict: str | UnsetType = UNSET
    """`skipped`: a file of ours that has nothing to check, such as an offer or the host's game file."""
    key: str | UnsetType = UNSET
    game: str | UnsetType = UNSET


Fact = Story | Loose | None
"""What a file contributes to comparisons with others."""
Verdict = tuple[Good | Bad, Fact]
Seen = dict[tuple[str, int | None], Opened]
"""The last view of each seat."""
Progress = Callable[[int], AbstractContextManager[Callable[[int], object]]]
"""Called with how much there is to do, and then with how much more is done."""


class Checks(Struct, frozen=True):
    """The results of checking some files."""

    rows: list[Good | Bad]
    others: list[Bad]
    """Files that were named but have nothing to check."""
    together: list[CheckFailed]
    """Contradictions among the files."""
    ignored: list[Message]
    """Why some files decide nothing."""
    skipped: int
    """Files of other kinds, named or in folders."""

    @property
    def bad(self) -> list[Bad]:
        """Files that failed, and proofs."""
        return [row for row in self.rows if isinstance(row, Bad)]

    @property
    def proof(self) -> bool:
        """Whether everything is proved: all files are good, and none goes further than a transcript of its game."""
        good = [row for row in self.rows if isinstance(row, Good)]
        whole: dict[str, int] = {}
        for row in good:
            if row.whole:
                whole[row.game] = max(whole.get(row.game, 0), row.rounds)
        return bool(whole) and all(row.rounds <= whole.get(row.game, -1) for row in good if row.game)


def check_files(paths: Sequence[str], jobs: int, dask: str | None, progress: Progress) -> Checks:
    """Check the files that these paths name."""
    ledgers = [path for path in paths if path.endswith(LEDGER)]
    names, skipped = _expand([path for path in paths if path not in ledgers] if len(ledgers) < len(paths) else paths)
    if "-" in names or (dask is None and (jobs == 1 or len(names) == 1)):
        parts: Iterable[list[tuple[int, Verdict]]] = ([(at, one)] for at, one in enumerate(check_batch(names, ledgers)))
    else:
        parts = _side_by_side(names, ledgers, jobs, dask)
    found: dict[int, Verdict] = {}
    with progress(len(names)) as done:
        for part in parts:
            found.update(part)
            done(len(part))
    checked = [found[at] for at in range(len(names))]
    together, ignored = compare(fact for _, fact in checked if fact is not None)
    rows, others = _without_others([row for row, _ in checked])
    return Checks(rows, others, together, ignored, skipped + len(others))


def _without_others(rows: list[Good | Bad]) -> tuple[list[Good | Bad], list[Bad]]:
    """The files that can be checked, and the others; where there are only others, they are errors."""
    others = [row for row in rows if isinstance(row, Bad) and row.verdict == SKIPPED]
    if len(others) == len(rows):
        return [replace(row, verdict=UNSET) for row in others], []
    return [row for row in rows if row.verdict != SKIPPED], [replace(row, exit=0) for row in others]


def rows_of(found: Checks) -> list[object]:
    """The results for programs, one after the other."""
    verdicts = [row.verdict for row in found.rows]
    proved, claims, bad = verdicts.count("proved"), verdicts.count("claim"), len(found.bad)
    counts = {"good": len(verdicts) - bad, "bad": bad - proved, "proved": proved, "skipped": found.skipped}
    together = [{"code": error.code, "message": error.message, "step": error.step} for error in found.together]
    return [*found.rows, *found.others, {**counts, "claims": claims, "aside": found.ignored, "together": together}]


def lines_of(found: Checks) -> list[str]:
    """The results for people: of many files only those that are bad."""
    verdicts = [row.verdict for row in found.rows]
    proved, claims, bad = verdicts.count("proved"), verdicts.count("claim"), len(found.bad)
    lines = [_line(row) for row in (found.rows if len(found.rows) <= MOST_LISTED else found.bad)]
    lines += [w("BAD together: {what} [{code}]", what=error.message, code=error.code) for error in found.together]
    lines += [w("skipped: {what}", what=note) for note in (*found.ignored, *(row.message for row in found.others))]
    counted = [w("{n} good", n=len(verdicts) - bad), w("{n} bad", n=bad - proved)]
    counted += [w("{n} proved", n=proved)] * bool(proved)
    counted += [w.plural("{n} claim", "{n} claims", claims)] * bool(claims)
    counted += [w("{n} of other kinds skipped", n=found.skipped)] * bool(found.skipped)
    return [*lines, ", ".join(counted)]


def _line(row: Good | Bad) -> str:
    if not isinstance(row, Bad):
        return w("ok  {file}: {what}", file=row.file, what=row.message)
    word = {"proved": w("PROVED"), "undecided": w("UNDECIDED")}.get(row.verdict or "", w("BAD"))
    line = f"{word} {row.file}: {row.message} [{row.code}]"
    return w("{told}, signed with the key {key}", told=line, key=row.key) if row.key else line


def conclusion(found: Checks) -> tuple[str, int]:
    """What the verdicts mean for whoever asked, and the exit status."""
    if found.together:
        advice = w("Next: keep the files as evidence against the host; `referee dispute` with them writes a proof.")
        return advice, CheckFailed.exit
    if bad := found.bad:
        worst = next((row for row in bad if row.exit == CheckFailed.exit), bad[0])
        return w("Next: {next}", next=worst.next), worst.exit
    if found.ignored:
        return w("Next: give the view or transcript that the skipped files belong to."), Malformed.exit
    if all(row.verdict == "record" for row in found.rows):
        return w("Next: nothing; the organiser cannot change it any more."), 0
    if any(isinstance(row, Good) and row.public_keys for row in found.rows):
        told = run("tournament", "extract", "DIR", "N", "--proof")
        advice = w("Next: ask for its record ({run}): when a tournament is over, everybody has the keys of its games, "
                   "and only its ledger binds them.", run=told)  # fmt: skip
        return advice, 0
    if all(row.verdict for row in found.rows):
        return w("Next: nothing; it is only a statement by its author."), 0
    if found.proof:
        return w("Next: nothing; this is proof."), 0
    return w("Next: ask for the transcript; views cannot prove everything."), 0


# --- which files -----------------------------------------------------------------------------------------------------


def _expand(paths: Sequence[str]) -> tuple[list[str], int]:
    """A folder stands for everything in it that can be checked; also returns the number of its other files."""
    names: list[str] = []
    skipped = 0
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            if path.endswith((PACK, LEDGER)):
                raise _tournament(os.path.dirname(path) or ".")
            names += [path]
            continue
        inside = [os.path.join(folder, name) for folder, _, found in os.walk(path) for name in found]
        checked = sorted(name for name in inside if os.path.isfile(name) and _can_be_checked(name))
        names += checked
        skipped += len(inside) - len(checked)
        if not checked and any(name.endswith(PACK) for name in inside):
            raise _tournament(path)
    if not names:
        why = t("there is nothing in that folder that can be checked")
        raise Usage(why, t("give {checked} files", checked=files.either(CHECKED)))
    return names, skipped


def _tournament(folder: str) -> Usage:
    why = t("these are the files of a tournament of bots")
    return Usage(why, t("check all of it with {run}", run=run("tournament", "check", folder)))


def _can_be_checked(name: str) -> bool:
    """Whether to check a file: always if its name is that of a kind that can be checked, otherwise if its content
    is."""
    if name.endswith(tuple(f"{kind}.json" for kind in CHECKED)):
        return True
    if not name.endswith(".json"):
        return False
    try:
        return kinds.find(name)[0] in CHECKED
    except RefereeError:
        return False


def _is_ours(name: str) -> bool:
    return name != "-" and kinds.find(name)[0] in kinds.OURS


# --- checking --------------------------------------------------------------------------------------------------------


def check_batch(names: Sequence[str], ledgers: Sequence[str] = ()) -> Iterator[Verdict]:
    """The verdict on each file, and what it contributes to comparisons: both small enough to send to another process.

    A view that continues the last one of its game and seat is checked from there: a folder with every view of a game
    costs little more than the newest one.
    """
    seen: Seen = {}
    for name in names:
        file = files.printable(name)
        try:
            yield _check(name, file, seen, ledgers)
        except RefereeError as error:
            step = getattr(error, "step", None)
            verdict = SKIPPED if error.code == "wrong-kind" and _is_ours(name) else UNSET
            yield Bad(file, error.code, error.exit, error.message, error.next, step, verdict), None
        if len(seen) > MOST_SEEN:
            seen.clear()


def _check(name: str, file: str, seen: Seen, ledgers: Sequence[str]) -> Verdict:
    data = read_document(name, *CHECKED)
    match document_kind(data):
        case "proof":
            return _proof(data, file), None
        case "ruling":
            return Good(file, _joined(ruling_lines(data)), verdict="ruling"), None
        case "claim":
            return Good(file, _joined(claim_lines(data)), verdict="claim"), None
        case "record":
            beside = [os.path.join(os.path.dirname(name), "ledger.jsonl")]
            return Good(file, record_in_words(data, file, ledgers or beside), verdict="record"), None
        case "view":
            return _view(data, file, seen, ledgers)
        case "transcript":
            return _transcript(data, file, ledgers)
    found = read_file(data)
    assert not isinstance(found, Opened | Followed)
    message = w("a move, receipt or extension, to be read beside a view or transcript")
    return Good(file, message), found


def _joined(lines: Iterable[str]) -> str:
    return "; ".join(line.strip() for line in lines)


def _view(data: bytes, file: str, seen: Seen, ledgers: Sequence[str]) -> Verdict:
    view = read_view(data)
    place = ident("genesis", bytes(view.genesis.body)), view.seat
    found = seen[place] = open_view(view, since=seen.get(place))
    if view.seat is None:
        summary = w("a public view, round {round}: audited, not everything is provable from a view", round=found.round)
    else:
        summary = w("{name}'s view, round {round}: audited, not everything is provable from a view",
                 name=clean(found.name), round=found.round)  # fmt: skip
    late = lateness(found.chain)
    counts = late.late_rounds, late.late, late.protests
    summary = _joined((summary, *late_in_words(late)))
    staged = keys_are_public(found.table.offer.key, found.table.offer.stage, ledgers)
    good = Good(file, summary, found.table.id, found.round, False, *counts, public_keys=staged)
    return good, None if staged else story_of(found)


def _transcript(data: bytes, file: str, ledgers: Sequence[str]) -> Verdict:
    chain = open_transcript(data)
    found = verified(chain)
    winners = [clean(n) for n, rank in zip(found.names, found.ranks, strict=False) if rank == 1]
    end = w("won by {names}", names=listed(winners)) if winners else ended(found.end)
    if found.out:
        end = w("{end}, out because they missed deadlines: {names}", end=end, names=listed(map(clean, found.out)))
    if chain.abandoned:
        end = w("abandoned by the host in round {round}, no result", round=found.rounds)
    summary = w("{title}, {rounds} rounds, {signatures} signatures, {draws} draws, {end}", title=found.title,
             rounds=found.rounds, signatures=found.signatures, draws=found.draws, end=end)  # fmt: skip
    summary = _joined((summary, *declared(chain), *late_in_words(found)))
    counts = found.late_rounds, found.late, found.protests
    staged = keys_are_public(chain.table.offer.key, chain.table.offer.stage, ledgers)
    good = Good(file, summary, found.game, found.rounds, not staged, *counts, chain.abandoned, public_keys=staged)
    return good, None if staged else story_of(chain)


def ended(end: str) -> str:
    """A word for how a game ended, or that it rests."""
    words = {
        "result": w.sense("the end of a game", "result"),
        "left": w.sense("the end of a game", "left"),
        "void": w.sense("the end of a game", "void"),
        "rests": w.sense("the end of a game", "rests"),
        "abandoned": w.sense("the end of a game", "abandoned"),
    }
    return words[end]


def _proof(data: bytes, file: str) -> Bad:
    """A proof is judged alone. A valid one shows an offence, so it does not count as a good file."""
    found = judge_proof(read_proof(data))
    status = Malformed.exit if found.verdict == "undecided" else CheckFailed.exit
    finding = found.message, found.next, found.round
    return Bad(file, found.code, status, *finding, found.verdict, found.key, found.game)


# --- many at once ----------------------------------------------------------------------------------------------------


def _side_by_side(
    names: list[str], ledgers: list[str], jobs: int, dask: str | None
) -> Iterator[list[tuple[int, Verdict]]]:
    """The same with several workers. Views of one seat stay together, since each continues the one before; the longest
    tasks come first."""
    from referee.tournament.work import each, make_workers

    groups: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        groups.setdefault(_seat_of(name) or str(at), []).append(at)
    sizes = [os.path.getsize(name) if os.path.isfile(name) else 0 for name in names]
    ordered = sorted(groups.values(), key=lambda group: -max(sizes[at] for at in group))
    workers, waiting = make_workers(min(jobs, len(ordered)), dask), iter(ordered)
    try:
        for found in each(
            workers,
            check_parts,
            encode((current_language(), ledgers)),
            ([names[at] for at in group] for group in ordered),
        ):
            for _, part in found:
                yield list(zip(next(waiting), part, strict=True))
    finally:
        workers.close()


def _seat_of(name: str) -> str:
    """Game and seat of a view, at a glance; empty for all other files."""
    try:
        return seat_of(files.read(name, files.LARGE, "file"))
    except RefereeError:
        return ""


def check_parts(shared: bytes, parts: Sequence[Sequence[str]]) -> list[list[Verdict]]:
    """The work of a worker, in the user's language."""
    language, ledgers = read(shared, tuple[str, list[str]], "line")
    with speaking(language):
        return [list(check_batch(part, ledgers)) for part in parts]
