"""What several files show together, whatever they are: offences with a proof of each, altered files, and what is left
undecided. `judge` takes documents; `dispute` takes files, folders and mails, and writes the proofs."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident
from referee.crypto.keys import Key
from referee.engine.player import read_view
from referee.engine.records import MoveFile
from referee.errors import CheckFailed, Malformed, RefereeError, Usage
from referee.evidence import rulings
from referee.evidence.case import Trial, try_all
from referee.evidence.files import game_reference
from referee.evidence.pool import DISPUTED, Pool, PoolFinding
from referee.evidence.proofs import CONSISTENT, PROVED, UNDECIDED, Verdict
from referee.io import files, kinds, tickets
from referee.io.times import read_time
from referee.language import NOTHING, Message, Text, listed
from referee.library import t, w
from referee.library.documents import find_document, read_document
from referee.library.sources import Source, load, path_of, several
from referee.show.documents import claim_lines, ruling_lines
from referee.show.findings import claims_in_words, late_in_words
from referee.show.text import clean


class Finding(msgspec.Struct, frozen=True):
    """What some files show."""

    verdict: str
    """`proved`, `altered`, `undecided` or `consistent`."""
    code: str
    message: Message
    next: Message
    game: str
    round: int
    key: str
    """Who is proved to have signed it."""
    files: tuple[str, ...]
    proof: bytes
    """A document that shows it to anybody, alone; empty if there is none."""

    def __str__(self) -> str:
        return str(self.message)


class Findings(msgspec.Struct, frozen=True):
    """What several files show together."""

    findings: tuple[Finding, ...]
    undecided: tuple[Message, ...]
    """What these files cannot decide."""

    @property
    def proved(self) -> tuple[Finding, ...]:
        """The offences that are proved."""
        return tuple(one for one in self.findings if one.verdict == PROVED)

    @property
    def consistent(self) -> bool:
        """Whether there are no contradictions."""
        return bool(self.findings) and all(one.verdict == CONSISTENT for one in self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


def judge(sources: Iterable[Source] | Mapping[str, Source]) -> Findings:
    """What files show together."""
    listed = [] if isinstance(sources, Mapping) else several(sources)
    named = sources if isinstance(sources, Mapping) else {_name(n, one): one for n, one in enumerate(listed)}
    pool = Pool()
    for name, source in named.items():
        pool.add(name, load(source))
    trials, others = try_all(pool)
    shown = [one for trial in trials for one in (*trial.shown, *_consistent(trial, trial.case.files))]
    notes = dict.fromkeys(note for trial in trials for note in trial.notes)
    return Findings(tuple(map(_finding, (*shown, *others))), tuple(notes))


def _name(number: int, source: Source) -> str:
    return f"{number + 1}" if isinstance(source, bytes) else path_of(source)


def _consistent(trial: Trial, names: Iterable[str] = ()) -> list[PoolFinding]:
    """Say that there are no contradictions in a game, if that is so."""
    if not trial.case.told or any(one.verdict.verdict in (PROVED, UNDECIDED) for one in trial.shown):
        return []
    message = t("these files agree with each other, up to round {round}", round=trial.last)
    return [PoolFinding(Verdict(CONSISTENT, "ok", message, game=trial.table.id, round=trial.last), tuple(names))]


def _finding(one: PoolFinding) -> Finding:
    found = one.verdict
    proof = encode(one.proof) if one.proof is not None and found.verdict == PROVED else b""
    place = found.game, found.round, found.key
    return Finding(found.verdict, found.code, found.message, found.next or NOTHING, *place, one.files, proof)


def evidence(named: Mapping[str, bytes]) -> Envelope:
    """The genesis of the one game that all of these documents are about."""
    found = {path: game_reference(data) for path, data in named.items()}
    genesis = next((one for one, _ in found.values() if one is not None), None)
    if genesis is None:
        advice = t("give a view, a transcript, a proof or a claim of it too")
        raise Malformed(t("none of these files has the genesis of its game"), advice, code="alone")
    for path, (_, game) in found.items():
        if game != ident("genesis", bytes(genesis.body)):
            why = t("{path} belongs to a different game than the rest", path=files.printable(path))
            raise Usage(why, t("rule on one game at a time"))
    return genesis


# --- files, and proofs as files --------------------------------------------------------------------------------------


class Tried(msgspec.Struct, frozen=True):
    """The findings about one game, or about files of no game."""

    shown: tuple[tuple[Finding, str], ...]
    """Each with the path of its proof, if there is one."""
    trial: Trial | None = None
    notes: tuple[Text, ...] = ()
    """What these files cannot decide."""


def dispute(paths: Iterable[str], folder: str, *, dry: bool = False) -> tuple[list[Tried], list[Text]]:
    """Judge all files under these paths, with what the player's own program kept of sealed moves, and write the proofs,
    unless `dry`. Also returns what was skipped."""
    pool, aside = Pool(), list[Text]()
    for path in paths:
        for name, data in _documents(path, aside):
            pool.add(name, data)
    for name, case in pool.cases.items():
        for one in tickets.sealed_of(name):
            case.sealed[one.round, one.seat] = one.fields
            case.ephemerals[one.round, one.seat] = one.ephemeral
    trials, others = try_all(pool)
    made: dict[str, bytes] = {}
    found = [Tried(_with_proofs((*one.shown, *_consistent(one)), folder, made), one, _undecided(one)) for one in trials]
    found += [Tried(_with_proofs(others, folder, made))] * bool(others)
    new = {path: data for path, data in made.items() if not os.path.lexists(path)}
    if new and not dry:
        files.write(new, secret=[*new], make=[folder] if folder else [])
    return found, aside


WORDS = {"proved": t("PROVED"), "altered": t("ALTERED"), "undecided": t("UNDECIDED"), "consistent": t("agrees")}
"""In the order in which they are told."""


def data_of(game: Tried) -> dict[str, object]:
    """The outcome of a game, for programs."""
    rows = [
        {"verdict": one.verdict, "code": one.code, "message": one.message, "round": one.round, "key": one.key,
         "next": one.next, "files": [files.printable(name) for name in one.files], "proof": files.printable(path)}
        for one, path in game.shown
    ]  # fmt: skip
    if (trial := game.trial) is None:
        return {"game": "", "title": "", "rounds": 0, "files": [], "notes": [], "shown": rows}
    offer = trial.table.offer
    return {
        "game": trial.table.id, "title": offer.game, "host": offer.key, "names": trial.table.names,
        "rounds": trial.last, "files": [*dict.fromkeys(trial.case.files)], "notes": game.notes, "shown": rows,
        "claims": len(trial.case.claims), **msgspec.to_builtins(trial.lateness),
    }  # fmt: skip


def lines_of(game: Tried) -> Iterator[str]:
    """The outcome of a game, for people."""
    trial = game.trial
    if trial is not None:
        names, named = listed(map(clean, trial.table.names)), dict.fromkeys(trial.case.files)
        yield w("game {game}, {title}, of {names}: {n} files", game=trial.table.id[:8], title=trial.table.offer.game,
                names=names, n=len(named))  # fmt: skip
    for one, path in sorted(game.shown, key=lambda row: list(WORDS).index(row[0].verdict)):
        where = f"{', '.join(map(files.printable, one.files[:3]))}: " if one.files else ""
        yield f"  {WORDS[one.verdict]}  {where}{clean(str(one.message))} [{one.code}]"
        if one.key and path:
            yield w("    signed with the key {key}; proof: {file}", key=one.key, file=files.printable(path))
        elif one.key:
            yield w("    signed with the key {key}", key=one.key)
        elif one.verdict == "altered":
            yield w("    this blames nobody: anyone who passed the file on may have changed it")
        elif one.verdict == "undecided" and one.next:
            yield f"    {clean(str(one.next))}"
    if trial is not None:
        for line in (*late_in_words(trial.lateness), *claims_in_words(len(trial.case.claims))):
            yield f"  {line}"
    for note in game.notes:
        yield w("  not decided here: {what}", what=clean(str(note)))


def conclusion(found: Sequence[Tried]) -> tuple[str, int]:
    """What to do next, and the exit status."""
    shown = [one for game in found for one in game.shown]
    verdicts = {one.verdict for one, _ in shown}
    if "proved" in verdicts:
        some = ", ".join(sorted({path for _, path in shown if path})[:3]) or w("the proof")
        advice = w("Next: show {files} to the others; anyone can check it with `referee verify`.", files=some)
        return advice, CheckFailed.exit
    if "altered" in verdicts:
        return w("Next: ask for the altered files again."), CheckFailed.exit
    if "undecided" in verdicts:
        return w("Next: ask for what is needed, and run it again with that."), Malformed.exit
    if not verdicts:
        why = t("there is nothing here that could be in dispute")
        raise Malformed(why, t("give views, transcripts, moves, receipts"))
    return w("Next: nothing; these files show no offence."), 0


# --- claims and rulings -----------------------------------------------------------------------------------------------


class Statement(NamedTuple):
    """A signed ruling or claim, the name of its file, and what it says."""

    data: bytes
    file: str
    lines: list[str]


def rule(paths: Iterable[str], verdict: str, ranks: str | None, key: Callable[[], Key]) -> Statement:
    """Decide as an arbiter: a signed ruling over the evidence."""
    given = {path: find_document(path)[1] for path in paths}
    genesis = evidence(given)
    made = rulings.make_ruling(key(), genesis, [*given.values()], verdict, parse_ranks(ranks))
    found = rulings.read_ruling(made)
    return Statement(made, f"{found.table.id[:8]}-{found.ruling.key[:6]}.ruling.json", ruling_lines(made))


def parse_ranks(ranks: str | None) -> tuple[int, ...]:
    """`1,2,2` as numbers."""
    parts = ranks.split(",") if ranks is not None else []
    if not all(part.strip().isdecimal() and len(part) < 4 for part in parts):
        raise Usage(t("ranks are numbers"), t("give one for each seat, in seat order: 1,2,2"))
    return tuple(int(part) for part in parts)


def claim(paths: Sequence[str], date: str, key: Callable[[], Key]) -> Statement:
    """State, signed, that you sent a move on that date: something for an arbiter to weigh."""
    if len(paths) != 2:
        raise Usage(t("a claim is about one view and one move"), t("give your view, then the move that you sent"))
    seen = read_view(read_document(paths[0], "view"))
    file = decode(read_document(paths[1], "move"), MoveFile, "move")
    read_time(date)
    made = rulings.make_claim(key(), seen, file, date)
    found = rulings.read_claim(made)
    path = files.file_name(found.table.id, found.move.round, found.move.seat, found.table.names, "claim")
    return Statement(made, path, claim_lines(made))


def _documents(path: str, aside: list[Text]) -> Iterator[tuple[str, bytes]]:
    """Every document under a path, and what to call it. Other files in a folder are skipped."""
    from referee.mail.folder import documents

    found: Iterable[tuple[str, str, bytes]] = (
        [(w("standard input"), *kinds.find(path))]
        if path == "-"
        else ((str(source.place), kind, data) for source, kind, data in documents(path, aside))
    )
    try:
        for place, kind, data in found:
            if kind in DISPUTED:
                yield place, data
            elif not os.path.isdir(path):
                aside.append(t("{place} is {what}: it cannot be compared", place=place, what=kinds.NAMES[kind][0]))
    except RefereeError as error:
        aside.append(t("{path}: {message}", path=files.printable(path), message=error.message))


def _undecided(trial: Trial) -> tuple[Text, ...]:
    notes = [*dict.fromkeys(trial.notes)]
    if not trial.case.transcripts:
        notes.append(t("only the transcript can decide about resealed bags and hidden choices of others"))
    return tuple(notes)


def _with_proofs(shown: Sequence[PoolFinding], folder: str, made: dict[str, bytes]) -> tuple[tuple[Finding, str], ...]:
    """What is shown, with the path of each proof; `made` gets them."""
    found = []
    for one in map(_finding, shown):
        path = _free(folder, f"{one.game[:8]}-r{one.round:03}-{one.code}", one.proof, made) if one.proof else ""
        if path:
            made[path] = one.proof
        found.append((one, path))
    return tuple(found)


def _free(folder: str, stem: str, data: bytes, made: Mapping[str, bytes]) -> str:
    """A name that is not in use; a file that already contains this proof is left alone."""
    for number in range(1, 10_000):
        more = f"-{number}" if number > 1 else ""
        path = os.path.join(folder, f"{stem}{more}.proof.json")
        if made.get(path) == data or (path not in made and not os.path.lexists(path)):
            return path
        if path not in made and os.path.isfile(path) and files.read(path, files.LARGE, "proof") == data:
            return path
    raise Malformed(t("there are too many proofs in that folder"), t("choose another folder with -o"))
