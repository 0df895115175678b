"""What files are, whether they hold, and what they show together."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, body_of
from referee.engine import records as r
from referee.engine.player import open_view
from referee.engine.promises import Extension
from referee.engine.table import check_join, check_offer
from referee.evidence.case import Trial, try_all
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.files import read_file
from referee.evidence.identify import kind_of
from referee.evidence.pool import Pool, Shown
from referee.evidence.proofs import CONSISTENT, PROVED, UNDECIDED, Verdict
from referee.evidence.replay import open_transcript
from referee.evidence.rulings import read_claim, read_ruling
from referee.game import Result
from referee.io import kinds
from referee.language import NOTHING, Told
from referee.library import t
from referee.library.data import Json
from referee.library.sources import Source, load, path_of, several
from referee.show.findings import report, verified


class Kind(msgspec.Struct, frozen=True):
    """What a file is: a word for programs, words for people, and what to do with it."""

    kind: str
    """`view`, `offer`, `move`, `transcript`, `key`...; empty if it is none of ours."""
    what: Told
    next: Told

    def __str__(self) -> str:
        return str(self.what)


class Checked(msgspec.Struct, frozen=True):
    """A document that holds."""

    kind: str
    what: Told
    """What was checked, as a text."""
    verdict: str = CONSISTENT
    """`consistent`; of a proof `proved`, `altered` or `undecided`; `claim` and `ruling` are their writer's word."""
    code: str = "ok"
    whole: bool = False
    """Whether it proves a whole game: a transcript does, a view cannot."""
    game: str = ""
    round: int = 0
    result: Result | None = None
    facts: Json = None
    """What else was found, as data."""

    def __str__(self) -> str:
        return str(self.what)


class Finding(msgspec.Struct, frozen=True):
    """What some files show."""

    verdict: str
    """`proved`, `altered`, `undecided` or `consistent`."""
    code: str
    message: Told
    next: Told
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
    undecided: tuple[Told, ...]
    """What these files cannot decide."""

    @property
    def proved(self) -> tuple[Finding, ...]:
        """The offences that are proved."""
        return tuple(one for one in self.findings if one.verdict == PROVED)

    @property
    def consistent(self) -> bool:
        """Whether nothing contradicts anything."""
        return bool(self.findings) and all(one.verdict == CONSISTENT for one in self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


def identify(source: Source) -> Kind:
    """What a file is."""
    if isinstance(source, bytes):
        name, data = "-", load(source)
        kind = kind_of(data)
    else:
        name = path_of(source)
        kind, _ = kinds.find(name)
    what = kinds.other(kind, name).message if kind.isdigit() else kinds.NAMES[kind][0]
    return Kind(kind, what, kinds.advice(kind, name))


# --- one document ----------------------------------------------------------------------------------------------------


def verify(source: Source) -> Checked:
    """Check a document by itself."""
    data = load(source, *_CHECKS)
    return _CHECKS[kind_of(data)](data)


def _view(data: bytes) -> Checked:
    found = open_view(data)
    what = t("a view, round {round}: every signature, link, draw and rule that it shows holds", round=found.round)
    result, facts = found.chain.checkpoint.state.result, msgspec.to_builtins(report(found))
    return Checked("view", what, game=found.table.id, round=found.round, result=result, facts=facts)


def _transcript(data: bytes) -> Checked:
    chain = open_transcript(data)
    state, found = chain.checkpoint.state, verified(chain)
    what = t("a whole game of {rounds} rounds: all of it holds", rounds=state.round)
    facts = msgspec.to_builtins(found)
    return Checked("transcript", what, whole=True, game=found.game, round=state.round, result=state.result, facts=facts)


def _loose(data: bytes) -> Checked:
    """A move, a receipt or an extension."""
    kind, file = kind_of(data), read_file(data)
    assert isinstance(file, r.MoveFile | Envelope)
    said = decode(bytes(file.body), _LOOSE[kind], kind)
    what = t("{kind}: well-formed; a view or a transcript of its game shows the rest", kind=kinds.NAMES[kind][0])
    return Checked(
        kind, what, UNDECIDED, "alone", game=said.game, round=said.round, facts=msgspec.json.decode(encode(said))
    )


_LOOSE: Mapping[str, type[r.Move | r.Receipt | Extension]] = {
    "move": r.Move,
    "receipt": r.Receipt,
    "extension": Extension,
}


def _proof(data: bytes) -> Checked:
    found = judge_proof(read_proof(data))
    facts = {"key": found.key}
    return Checked("proof", found.message, found.verdict, found.code, game=found.game, round=found.round, facts=facts)


def _ruling(data: bytes) -> Checked:
    found = read_ruling(data)
    facts = {"key": found.ruling.key, "binding": found.binding, "ranks": list(found.ruling.ranks)}
    facts |= {"verdict": found.ruling.verdict, "evidence": list(found.ruling.evidence)}
    return Checked("ruling", kinds.NAMES["ruling"][0], "ruling", game=found.table.id, facts=facts)


def _claim(data: bytes) -> Checked:
    found = read_claim(data)
    facts = {"seat": found.move.seat, "sent": found.claim.sent, "due": found.due, "late": found.late}
    what = kinds.NAMES["claim"][0]
    return Checked("claim", what, "claim", game=found.table.id, round=found.move.round, facts=facts)


def _offer(data: bytes) -> Checked:
    found, name = check_offer(decode(data, Envelope, "offer"))
    facts = {"game": found.game, "seats": found.seats, "rules": found.rules, "key": found.key, "offer": name}
    facts |= {"deadline": found.deadline, "grace": found.grace, "bank": found.bank}
    facts |= {"options": msgspec.json.decode(found.options)}
    return Checked("offer", kinds.NAMES["offer"][0], facts=facts)


def _join(data: bytes) -> Checked:
    envelope = decode(data, Envelope, "join")
    join = check_join(decode(body_of(envelope, "join"), r.Join, "join").offer, envelope)
    facts = {"offer": join.offer, "name": join.name, "key": join.key, "kept": join.kept}
    return Checked("join", kinds.NAMES["join"][0], facts=facts)


_CHECKS: Mapping[str, Callable[[bytes], Checked]] = {
    "view": _view,
    "transcript": _transcript,
    "move": _loose,
    "receipt": _loose,
    "extension": _loose,
    "proof": _proof,
    "ruling": _ruling,
    "claim": _claim,
    "offer": _offer,
    "join": _join,
}


# --- several documents -----------------------------------------------------------------------------------------------


def judge(sources: Iterable[Source] | Mapping[str, Source]) -> Findings:
    """What files show together."""
    listed = [] if isinstance(sources, Mapping) else several(sources)
    named = sources if isinstance(sources, Mapping) else {_name(n, one): one for n, one in enumerate(listed)}
    pool = Pool()
    for name, source in named.items():
        pool.add(name, load(source))
    trials, others = try_all(pool)
    shown = [one for trial in trials for one in (*trial.shown, *_agreed(trial))]
    notes = dict.fromkeys(note for trial in trials for note in trial.notes)
    return Findings(tuple(map(_finding, (*shown, *others))), tuple(notes))


def _name(number: int, source: Source) -> str:
    return f"{number + 1}" if isinstance(source, bytes) else path_of(source)


def _agreed(trial: Trial) -> list[Shown]:
    """That nothing of a game contradicts anything, if that is so."""
    if not trial.case.told or any(one.verdict.verdict in (PROVED, UNDECIDED) for one in trial.shown):
        return []
    message = t("all that these files say agrees, up to round {round}", round=trial.last)
    return [Shown(Verdict(CONSISTENT, "ok", message, game=trial.table.id, round=trial.last), tuple(trial.case.files))]


def _finding(one: Shown) -> Finding:
    found = one.verdict
    proof = encode(one.proof) if one.proof is not None and found.verdict == PROVED else b""
    place = found.game, found.round, found.key
    return Finding(found.verdict, found.code, found.message, found.next or NOTHING, *place, one.files, proof)
