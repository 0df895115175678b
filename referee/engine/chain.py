"""The public chain: every entry's signatures, its place, and its round replayed. A file is followed once, here."""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from referee.crypto.codec import BIGGEST, T, check_plain, encode, read
from referee.crypto.envelope import Envelope, body_of, check, ident
from referee.crypto.keys import refuse_weak
from referee.engine import records as r
from referee.engine.book import Fault
from referee.engine.draws import MakeDraws, commitments
from referee.engine.reader import Owner, Reader
from referee.engine.rounds import Checkpoint, Closed, check_round, close, first_checkpoint
from referee.engine.seats import inherited_answers
from referee.engine.table import Table, same_code
from referee.errors import Altered, BadSignature, CheckFailed, Malformed, RefereeError, RulesFault, Usage
from referee.game import Note
from referee.language import Message, t


class Checked(msgspec.Struct, frozen=True, gc=False):
    """One entry of a chain, checked: the checkpoint after it, its story, who was told what."""

    entry: r.Entry
    checkpoint: Checkpoint
    log: tuple[Note, ...]
    openings: Mapping[int, Sequence[r.Token]] = {}
    draws: int = 0
    opened: int = 0


_WITHOUT_RULES = ("after-end", "bad-round", "bad-link", "bad-host-link", "bad-due", "bad-succession")
"""Faults that show without the rules."""


def signed_body(key: bytes, envelope: Envelope, kind: str, step: int = 0, *, new: bool = False) -> bytes:
    """The bytes that this key signed; a `new` key is also checked for weakness. A bad signature blames nobody: anybody
    can have changed the file."""
    body = body_of(envelope, kind)
    try:
        if new:
            refuse_weak(key)
        check(key, envelope.sig, kind, body)
    except BadSignature as error:
        raise Altered(error.code, error.message, step) from None
    return body


def signed_table(envelope: Envelope) -> Table:
    """The table of a genesis that its host signed. Its content is not checked, and no rules are needed."""
    table = Table(envelope)
    signed_body(table.host, envelope, "genesis", new=True)
    return table


def open_table(envelope: Envelope) -> Table:
    """The table of a file that is to be checked. Whatever is wrong inside a genesis that the host signed is the
    host's offence; anything else can be a third party's."""
    table = signed_table(envelope)
    try:
        table.check_lobby()
    except (Malformed, BadSignature, Usage) as error:
        raise CheckFailed(error.code, t("the genesis is not valid: {message}", message=error.message)) from None
    try:
        table.check_rules()
    except (Malformed, Usage) as error:
        if error.code in ("unknown-game", "other-rules"):
            raise
        if not same_code(table.offer):
            raise undecided(table.offer, error.message, 0) from None
        code = error.code if error.code in ("bad-bags", "bad-seats") else "bad-edition"
        raise CheckFailed(code, t("the genesis is not valid: {message}", message=error.message)) from None
    return table


def read_part(envelope: Envelope, kind: str, table: Table, form: type[T], step: int) -> tuple[T, str]:
    """A part that the host must have signed, and its id. What is not the host's blames nobody; what the host signed
    and cannot be read is the host's offence."""
    body = signed_body(table.host, envelope, kind, step)
    try:
        # Whether it is canonical shows when it is played: otherwise the id differs from what the rules give.
        return read(body, form, kind), ident(kind, body)
    except Malformed as error:
        code = "bad-entry" if kind == "entry" else "bad-private"
        raise CheckFailed(code, error.message, step) from None


def is_canonical(entry: r.Entry, name: str) -> bool:
    """Whether an entry is in canonical form, including the values of the game in it."""
    come = [bytes(one.body) for one in entry.successions]
    shown = [secret.value for op in entry.ops if isinstance(op, r.Unseal) for secret in op.fields.values()]
    decided = [data for answer in entry.answers if (data := r.content(answer.answer))]
    orders = [data for answer in entry.answers if (data := r.content(answer.standing))]
    scores = [value for score in (entry.result.scores if entry.result else ()) for value in score]
    try:
        for value in (*decided, *orders, *map(bytes, shown), *come):
            check_plain(value, "a value")
    except Malformed:
        return False
    objects = all(data.startswith(b"{") for data in (*decided, *come))
    ends = entry.end in ("", "result", "left", "void")
    bounded = all(abs(one) <= BIGGEST for one in (*scores, *(entry.result.ranks if entry.result else ())))
    return objects and ends and bounded and ident("entry", encode(entry)) == name


def read_private(envelope: Envelope, table: Table, step: int) -> r.Private:
    """What the host told a seat, in canonical form."""
    part = read_part(envelope, "private", table, r.Private, step)[0]
    try:
        check_sealed(part.sealed)
    except Malformed as error:
        raise CheckFailed("bad-private", error.message, step) from None
    if encode(part) != bytes(envelope.body) or not all(token.salt for token in part.openings):
        raise CheckFailed("bad-private", t("a private part is not in canonical form"), step)
    if not part.openings and not part.sealed:
        raise CheckFailed("bad-private", t("a private part is empty"), step)
    return part


def check_sealed(parts: Sequence[r.SealedAnswer]) -> None:
    """Sealed values are in canonical form."""
    for secret in (secret for part in parts for secret in part.fields.values()):
        check_plain(bytes(secret.value), "a sealed value")


def check_moves(table: Table, entry: r.Entry) -> None:
    """Every answer of an entry is what its seat signed."""
    for answer in entry.answers:
        move = r.move_of(table.id, entry.round, entry.prev, answer)
        try:
            if answer.seat >= table.seats:
                raise BadSignature(t("there is no such seat"))
            check(table.keys[answer.seat], answer.sig, "move", encode(move))
        except BadSignature:
            message = t("the move of seat {seat} is not what that player signed for this round", seat=answer.seat + 1)
            raise CheckFailed("bad-move", message, entry.round) from None


def two_geneses() -> CheckFailed:
    """Two different histories from the beginning."""
    return CheckFailed("two-geneses", t("the host started two games from one offer"))


def two_entries(number: int) -> CheckFailed:
    """Two different histories from a round on."""
    return CheckFailed("two-entries", t("the host signed two different entries for one round"), number)


def undecided(offer: r.Offer, message: Message, number: int) -> Malformed:
    """A result under rules with another code hash proves nothing."""
    why = t("round {number}: undecided: by the rules of this program {message}, but the game has other rules code",
            number=number, message=message)  # fmt: skip
    advice = t("use the program that has rules {rules} with code {code}", rules=offer.rules, code=offer.code[:8])
    return Malformed(why, advice, code="undecided")


class Followed:
    """A chain that is followed entry by entry: the checkpoint it has come to, and every round so far."""

    def __init__(self, table: Table, before: "Followed | None" = None) -> None:
        self.checkpoint: Checkpoint = before.checkpoint if before else first_checkpoint(table)
        self.table = table.seated(self.checkpoint.state.holders)
        """With the players who answer next in their seats."""
        self.rounds: list[Checked] = list(before.rounds) if before else []
        self.abandoned = False
        """The host gave this game up here, before its end."""

    def go_to(self, checkpoint: Checkpoint) -> None:
        """Go on from this checkpoint."""
        self.checkpoint, self.table = checkpoint, self.table.seated(checkpoint.state.holders)

    @property
    def last(self) -> r.Entry | None:
        return self.rounds[-1].entry if self.rounds else None

    def place(self, envelope: Envelope) -> tuple[r.Entry, str]:
        """Read the next entry: signed by the host, next in the chain, with answers signed by their seats."""
        table, checkpoint, number = self.table, self.checkpoint, self.checkpoint.state.round + 1
        entry, name = read_part(envelope, "entry", table, r.Entry, number)
        try:
            if (entry.game, entry.round) != (table.id, number):
                raise Altered("altered-chain", t("an entry is missing, or belongs to another game"), number)
            if entry.prev != checkpoint.head:
                message = t("the host signed an entry that follows a different one")
                raise CheckFailed("broken-chain", message, number)
            check_moves(table, entry)
        except (Altered, CheckFailed):
            self._check_canonical(entry, name)
            raise
        return entry, name

    def _check_canonical(self, entry: r.Entry, name: str) -> None:
        """Checked only where something else is wrong, or was not decoded while playing: that is cheaper."""
        if not is_canonical(entry, name):
            raise CheckFailed("bad-entry", t("the entry is not in canonical form"), self.checkpoint.state.round + 1)

    def check(self, entry: r.Entry, name: str) -> None:
        """The first part of step 3: what can be checked before the round is played."""
        try:
            check_round(self.table, self.checkpoint, entry)
        except Fault as fault:
            self._check_canonical(entry, name)
            raise CheckFailed(fault.code, fault.message, entry.round) from None

    def play(self, entry: r.Entry, name: str, draws: MakeDraws) -> Closed:
        """Replay the round; it must give exactly this entry."""
        number = entry.round
        try:
            again = close(self.table, self.checkpoint, entry, draws)
            if again.checkpoint.head != name:
                _compare(entry, again.entry)
        except (Fault, RulesFault) as fault:
            self._check_canonical(entry, name)
            raise self.offence(getattr(fault, "code", "rule-broken"), fault.args[0], number) from None
        if again.checkpoint.head != name or again.calls is None or any(isinstance(op, r.Unseal) for op in entry.ops):
            self._check_canonical(entry, name)
        return again

    def offence(self, code: str, message: Message, number: int) -> RefereeError:
        """The host's offence, unless it shows by rules that are not this program's."""
        if code not in _WITHOUT_RULES and not same_code(self.table.offer):
            return undecided(self.table.offer, message, number)
        return CheckFailed(code, message, number)

    def accept(self, closed: Closed, openings: Mapping[int, Sequence[r.Token]] = {}) -> None:
        """Go on to the next round."""
        self.go_to(closed.checkpoint)
        drawn = (closed.calls.draws, closed.calls.opened) if closed.calls is not None else ()
        self.rounds.append(Checked(closed.entry, closed.checkpoint, closed.log, openings, *drawn))


def _compare(entry: r.Entry, made: r.Entry) -> None:
    """Name the first field in which an entry differs from what the rules give."""
    if entry == made:
        return
    names = ("ops", "ask", "result", "end", "public", "state")
    wrong = next((name for name in names if getattr(entry, name) != getattr(made, name)), "form")
    code = "bad-ops" if wrong == "ops" else "rule-broken"
    raise Fault(code, t("the rules lead to something else (`{wrong}` differs)", wrong=wrong))


def inherited_secrets(closed: Closed, seat: int, private: r.Private | None) -> dict[int, r.Secrets]:
    """What a private part says of sealed answers, round -> fields: exactly what its seat is to be told."""
    number, due = closed.entry.round, inherited_answers(closed.checkpoint.state, seat)
    given = private.sealed if private is not None else ()
    if [(one.round, one.seat) for one in given] != [(held.round, seat) for held in due]:
        if private is None:
            message = t("what you were told in this round is not in the view")
            raise Altered("missing-private", message, number)
        raise CheckFailed("missing-opening", t("a seat was told too little or too much of what it has sealed"), number)
    for one, held in zip(given, due, strict=True):
        if commitments(closed.entry.game, held.round, seat, one.fields) != held.commit:
            raise CheckFailed("bad-opening", t("what a seat was told of sealed answers is not what was signed"), number)
    return {one.round: one.fields for one in given}


def follow(
    table: Table,
    entries: Sequence[Envelope],
    owner: Owner | None = None,
    privates: Mapping[int, r.Private] = {},
    before: Followed | None = None,
) -> Followed:
    """Follow a chain with what is public, and with what `owner` was told (`privates`: round -> private part). What was
    followed `before` is its beginning and is not checked again."""
    chain = Followed(table, before)
    for envelope in entries[len(chain.rounds) :]:
        entry, name = chain.place(envelope)
        private = privates.get(entry.round)
        if owner is not None:
            owner.openings = list(private.openings) if private is not None else []
        if private is not None and private.entry != name:
            chain._check_canonical(entry, name)
            raise CheckFailed("false-private", t("the host told you something about a different entry"), entry.round)
        try:
            closed = chain.play(entry, name, partial(Reader, given=entry.ops, owner=owner))
        except CheckFailed as error:
            if error.code == "missing-opening" and private is None:
                # Whoever passed the file on can have taken it out: what everybody can see comes first.
                chain.play(entry, name, partial(Reader, given=entry.ops))
                message = t("what you were told in this round is not in the view")
                raise Altered("missing-private", message, entry.round) from None
            raise
        if owner is not None and owner.openings:
            raise CheckFailed("missing-opening", t("you were told about tokens that you did not get"), entry.round)
        if owner is not None:
            owner.opened += len(private.openings) if private is not None else 0
            owner.sealed = {**owner.sealed, **inherited_secrets(closed, owner.seat, private)}
        chain.accept(closed)
    return chain
