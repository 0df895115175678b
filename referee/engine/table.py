"""The table: everything about a game that its genesis fixes for good."""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache, cached_property, lru_cache, partial

from referee import games
from referee.crypto.box import refuse_weak_box
from referee.crypto.codec import H, check_plain, decode
from referee.crypto.document import check_body
from referee.crypto.envelope import Envelope, body_of, check, ident
from referee.crypto.keys import refuse_weak
from referee.crypto.links import Chain
from referee.engine.names import is_name, refused, same_name
from referee.engine.records import Genesis, Holder, Join, Offer
from referee.errors import BadSignature, Malformed, RefereeError, Usage
from referee.game import AnyTerms, Game, Terms
from referee.language import quoted, run, t

ANOTHER = t("ask the host for another offer")

_plain = lru_cache(maxsize=16)(partial(check_plain, what="offer"))
"""Files of one game hold the same edition, and it takes as long to look through as all the rest."""


class Table:
    """A decoded genesis. Nothing is checked until `check_lobby` and `check_rules`; rules are loaded when needed."""

    def __init__(self, envelope: Envelope) -> None:
        body = bytes(envelope.body)
        try:
            self.genesis = decode(body_of(envelope, "genesis"), Genesis, "genesis")
            self.offer = decode(body_of(self.genesis.offer, "offer"), Offer, "offer")
            self.joins = tuple(decode(body_of(join, "join"), Join, "join") for join in self.genesis.joins)
        except Malformed:
            check_body(envelope, "genesis")  # report what is not canonical before what is of another kind
            raise
        self.envelope, self.seats = envelope, len(self.joins)
        self.id = ident("genesis", body)
        self.game_id = self.offer.game
        for value in (self.offer.options, self.offer.edition):
            _plain(bytes(value))
        self.offer_id = ident("offer", bytes(self.genesis.offer.body))
        self.host = bytes.fromhex(self.offer.key)
        self.seating = seating(self.offer_id, self.genesis.joins)
        self.holders: tuple[Holder, ...] = ()
        self._seat(self.joins)

    def _seat(self, present: Sequence[Join | Holder]) -> None:
        self.present = tuple(present)
        """Per seat: the join of its holder, or what it was taken over with."""
        self.keys = tuple(bytes.fromhex(one.key) for one in present)
        self.names = tuple(one.name for one in present)
        self.kept = tuple(seat for seat, one in enumerate(present) if one.kept)

    def seated(self, holders: tuple[Holder, ...]) -> "Table":
        """This table with the holders of a state in their seats; the same object if nobody has changed."""
        if holders == self.holders:
            return self
        now = copy(self)
        now.holders = holders
        vars(now).pop("chains", None)
        newest = {one.seat: one for one in holders}
        now._seat([newest.get(seat, join) for seat, join in enumerate(self.joins)])
        return now

    def at(self, round: int) -> "Table":
        """This table with the holders of a round in their seats."""
        return self.seated(tuple(one for one in self.holders if one.since < round))

    def check_lobby(self) -> None:
        """Check what needs no rules: offer and joins."""
        check_signed_offer(self.offer, self.genesis.offer)
        seat_joins(self.offer, self.offer_id, self.genesis.joins)
        if len(set(self.genesis.hands)) != len(self.genesis.hands):
            raise Malformed(t("the genesis names a hand twice"), t("ask the host for a new game"), code="bad-bags")

    def check_rules(self) -> None:
        """Check what needs the rules: terms and bags."""
        open_terms(self.offer, checked=True)
        sizes = {bag: len(faces) for bag, faces in self.bags.items()}
        leaves = {bag: len(leaves) for bag, leaves in self.genesis.leaves.items()}
        if leaves != sizes or self.genesis.hands != self.game.hands:
            why = t("the bags that the genesis seals are not those that the rules ask for")
            raise Malformed(why, t("ask the host for a new game"), code="bad-bags")

    @cached_property
    def game(self) -> Game:
        return open_terms(self.offer)[0]

    @cached_property
    def terms(self) -> AnyTerms:
        return open_terms(self.offer)[1]

    @cached_property
    def bags(self) -> Mapping[str, Sequence[str]]:
        """What lies in each bag before the first draw."""
        return self.game.bags(self.terms)

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        """One chain per seat."""
        return tuple(Chain(bytes.fromhex(one.key), bytes.fromhex(one.nonce)) for one in self.present)

    @cached_property
    def host_chain(self) -> Chain:
        return Chain(self.host, bytes.fromhex(self.offer.nonce))

    def public_hash(self, round: int, public: bytes) -> str:
        """The hash of a position that an entry carries."""
        return H("public", bytes.fromhex(self.id), round, public).hex()


# --- terms -----------------------------------------------------------------------------------------------------------


def open_terms(offer: Offer, *, checked: bool = False) -> tuple[Game, AnyTerms]:
    """The game an offer names, and its terms, read only or `checked`; refuses another version of the rules by name."""
    game = games.load(offer.game)
    if offer.rules != game.rules:
        rules = quoted(offer.rules[:20])
        why = t("this game uses rules {rules} of {game}, this program has {rules2}",
                rules=rules, game=offer.game, rules2=game.rules)  # fmt: skip
        advice = t("install the version of pbem-referee that has rules {rules}: its CHANGELOG lists them", rules=rules)
        raise Malformed(why, advice, code="other-rules")
    return game, _terms(game, offer.seats, bytes(offer.options), bytes(offer.edition), checked)


@lru_cache(maxsize=32)
def _terms(game: Game, seats: int, options: bytes, edition: bytes, checked: bool) -> AnyTerms:
    """Many offers have the same terms: every join of a table, every game of a tournament."""
    terms = Terms(seats, decode(options, game.options, "options"), decode(edition, game.edition, "edition"))
    if checked:
        check_terms(game, terms)
    return terms


@cache
def code_hash(game_id: str) -> str:
    """The hash of the modules that decide (PROTOCOL.md, section 4): with the same hash, two programs have the same
    rules."""
    return H("code", *(part for module in games.rule_modules(game_id) for part in module)).hex()


def same_code(offer: Offer) -> bool:
    """Whether this program has exactly the rules that the offer names."""
    return code_hash(offer.game) == offer.code


def refuse_other_code(offer: Offer) -> None:
    """Refuse rules that this program does not have."""
    if not same_code(offer):
        why = t("this game uses different rules of {game} from those of this program, under the same version",
                game=offer.game)  # fmt: skip
        raise Malformed(why, t("use exactly the version of the program that the host uses"), code="other-rules")


def make_terms(game: Game, seats: int, options: object, edition: object) -> AnyTerms:
    """Terms that the game can be played with, or `Usage`."""
    terms = Terms(seats, options, edition)
    check_terms(game, terms)
    return terms


def check_terms(game: Game, terms: AnyTerms) -> None:
    """Refuse terms that cannot be played."""
    low, high = game.seats
    if not low <= terms.seats <= high:
        advice = t("choose --seats from {low} to {high}", low=low, high=high)
        why = t("{title} is for {low} to {high} players", title=game.title, low=low, high=high)
        if low == high:
            why, advice = t("{title} is for {n} players", title=game.title, n=low), t("give --seats {n}", n=low)
        raise Usage(why, advice, code="bad-seats")
    game.validate(terms)


# --- offers and joins ------------------------------------------------------------------------------------------------


def check_offer(envelope: Envelope) -> tuple[Offer, str]:
    """An offer whose signature holds and whose terms make sense, and its id."""
    body = body_of(envelope, "offer")
    offer = decode(body, Offer, "offer")
    check_signed_offer(offer, envelope)
    open_terms(offer, checked=True)
    return offer, ident("offer", body)


def check_signed_offer(offer: Offer, envelope: Envelope) -> None:
    """Check that the host signed this offer with a strong key."""
    key = bytes.fromhex(offer.key)
    refuse_weak(key)
    check(key, envelope.sig, "offer", bytes(envelope.body))
    refuse_weak_box(bytes.fromhex(offer.box))
    if offer.grace and not offer.deadline:
        raise Malformed(t("a grace period has no effect without a deadline"), ANOTHER, code="bad-due")
    if offer.bank and not offer.deadline:
        raise Malformed(t("a time bank has no effect without a deadline"), ANOTHER, code="bad-due")
    if offer.takeover and not offer.takeovers:
        why = t("a time until seats can be taken over has no effect if they cannot be taken over")
        raise Malformed(why, ANOTHER, code="bad-succession")


def seating(offer_id: str, joins: tuple[Envelope, ...]) -> bytes:
    """What slots are bound to: the offer and the joins in seat order."""
    return H("seating", bytes.fromhex(offer_id), *(bytes.fromhex(ident("join", bytes(j.body))) for j in joins))


def seat_joins(offer: Offer, offer_id: str, envelopes: tuple[Envelope, ...]) -> tuple[Join, ...]:
    """Joins in seat order, each checked on its own and all against each other."""
    joins = []
    for number, envelope in enumerate(envelopes, 1):
        try:
            joins.append(check_join(offer_id, envelope))
        except RefereeError as error:
            error.message = t("join {number}: {message}", number=number, message=error.message)
            raise
    if len(envelopes) != offer.seats:
        why = t("this offer has {seats} seats, but there are {envelopes} joins",
                seats=offer.seats, envelopes=len(envelopes))  # fmt: skip
        raise Usage(why, t("give one join per seat, in seat order"), code="bad-seats")
    keys = [offer.key, *(join.key for join in joins)]
    for seat, key in enumerate(keys):
        if (first := keys.index(key)) < seat:
            whose = t("as join {first}", first=first) if first else t("as the offer: the host's own")
            advice = t("every player and the host need their own key, made with {run}", run=run("key", "new"))
            why = t("join {seat} was made with the same key {whose}", seat=seat, whose=whose)
            raise BadSignature(why, advice, code="same-key")
    if len({join.name for join in joins}) != offer.seats:
        raise same_name()
    return tuple(joins)


def check_join(offer_id: str, envelope: Envelope) -> Join:
    """A join that is authentic, strong and for this offer."""
    body = body_of(envelope, "join")
    join = decode(body, Join, "join")
    refuse_weak(bytes.fromhex(join.key))
    check(bytes.fromhex(join.key), envelope.sig, "join", body)
    if join.offer != offer_id:
        advice = t("ask the player to join this offer")
        raise BadSignature(t("this join is for another offer"), advice, code="other-offer")
    if not is_name(join.name):
        raise refused(t("a player has a name that is not allowed"))
    return join
