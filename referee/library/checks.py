"""What a file is, and whether it passes all checks."""

from collections.abc import Callable, Mapping

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, body_of
from referee.engine import records as r
from referee.engine.player import Opened, open_view
from referee.engine.promises import Extension
from referee.engine.table import check_join, check_offer
from referee.evidence.court import judge_proof, read_proof
from referee.evidence.files import read_file
from referee.evidence.identify import kind_of
from referee.evidence.proofs import CONSISTENT, UNDECIDED
from referee.evidence.replay import open_transcript
from referee.evidence.rulings import read_claim, read_ruling
from referee.game import Result
from referee.io import kinds
from referee.language import Message
from referee.library import t
from referee.library.data import Json
from referee.library.sources import Source, load, path_of
from referee.show.findings import report, verified


class Kind(msgspec.Struct, frozen=True):
    """What a file is: a word for programs, words for people, and what to do with it."""

    kind: str
    """`view`, `offer`, `move`, `transcript`, `key`...; empty if it is none of ours."""
    what: Message
    next: Message

    def __str__(self) -> str:
        return str(self.what)


class Checked(msgspec.Struct, frozen=True):
    """A document that passed all checks."""

    kind: str
    what: Message
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


def verify(source: Source) -> Checked:
    """Check a document by itself."""
    data = load(source, *_CHECKS)
    return _CHECKS[kind_of(data)](data)


def _view(data: bytes) -> Checked:
    return view_checked(open_view(data))


def view_checked(found: Opened) -> Checked:
    """What is said of a view that passed all checks."""
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
    body = decode(bytes(file.body), _LOOSE[kind], kind)
    what = t("{kind}: well-formed; a view or a transcript of its game shows the rest", kind=kinds.NAMES[kind][0])
    return Checked(
        kind, what, UNDECIDED, "alone", game=body.game, round=body.round, facts=msgspec.json.decode(encode(body))
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
