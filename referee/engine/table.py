"""The table: everything about a game that its genesis fixes for good."""

from functools import cached_property
from typing import Any

import msgspec

from referee import games
from referee.crypto.codec import H, decode, read
from referee.crypto.envelope import Envelope, check, expect, ident, open_signed
from referee.crypto.keys import refuse_weak
from referee.crypto.links import Chain
from referee.engine.records import Genesis, Join, Offer, State
from referee.errors import BadSignature, Malformed, RefereeError, Usage
from referee.game import Game, Position, Terms


class Table:
    """A decoded genesis. `verified` tells whether its signatures were checked here."""

    def __init__(self, envelope: Envelope, *, verify: bool) -> None:
        body = expect(envelope, "genesis")
        self.envelope = envelope
        self.id = ident("genesis", body)
        self.genesis = decode(body, Genesis, "genesis")
        self.offer = decode(expect(self.genesis.offer, "offer"), Offer, "offer")
        self.offer_id = ident("offer", bytes(self.genesis.offer.body))
        self.joins = tuple(decode(expect(join, "join"), Join, "join") for join in self.genesis.joins)
        self.game, self.terms = open_terms(self.offer)
        self.host = bytes.fromhex(self.offer.key)
        self.keys = tuple(bytes.fromhex(join.key) for join in self.joins)
        self.names = tuple(join.name for join in self.joins)
        self.hash = table_hash(self.offer_id, self.genesis.joins)
        if verify:
            self._verify()

    def _verify(self) -> None:
        check(self.host, self.envelope.sig, "genesis", bytes(self.envelope.body))
        _check_signed(self.offer, self.genesis.offer)
        seat_joins(self.offer, self.offer_id, self.genesis.joins)
        sizes = {bag: len(faces) for bag, faces in self.game.bags(self.terms).items()}
        if {bag: len(leaves) for bag, leaves in self.genesis.leaves.items()} != sizes:
            raise Malformed(
                "the genesis seals other bags than the rules ask for", "ask the host for a new game", code="bad-bags"
            )

    @property
    def seats(self) -> int:
        return len(self.joins)

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        """One chain per seat."""
        return tuple(Chain(bytes.fromhex(join.key), bytes.fromhex(join.nonce)) for join in self.joins)

    @cached_property
    def host_chain(self) -> Chain:
        return Chain(self.host, bytes.fromhex(self.offer.nonce))

    @cached_property
    def position_type(self) -> Any:
        return Position[self.game.public, self.game.own, self.game.hidden]  # type: ignore[name-defined]

    @cached_property
    def state_type(self) -> Any:
        return State[self.position_type]  # type: ignore[name-defined]

    def public_hash(self, round: int, public: bytes) -> str:
        """The hash of a public position that an entry carries."""
        return H("public", bytes.fromhex(self.id), round, public).hex()


def open_terms(offer: Offer) -> tuple[Game, Terms[Any, Any]]:
    """The game an offer names, and its terms; refuses another version of the rules by name."""
    game = games.load(offer.game)
    if offer.rules != game.rules:
        raise Malformed(
            f"this game uses rules {offer.rules[:20]!a} of {offer.game}, this program has {game.rules}",
            "use the version of the program that has those rules",
            code="other-rules",
        )
    edition = bytes(offer.edition)
    if H("edition", edition).hex() != offer.edition_hash:
        raise Malformed(
            "the edition in this offer is not the one it names", "ask the host for a correct offer", code="bad-edition"
        )
    options = decode(bytes(offer.options), game.options, "options")
    return game, make_terms(game, offer.seats, options, decode(edition, game.edition, "edition"))


def make_terms(game: Game, seats: int, options: Any, edition: Any) -> Terms[Any, Any]:
    """Terms that the game can be played with, or `Usage`."""
    low, high = game.seats
    if not low <= seats <= high:
        raise Usage(
            f"{game.title} is for {low} to {high} players", f"choose --seats from {low} to {high}", code="bad-seats"
        )
    terms = Terms(seats, options, edition)
    game.validate(terms)
    return terms


def read_edition(game: Game, data: bytes) -> Any:
    """An edition file, spelled freely; re-encoded canonically it is what gets signed."""
    return read(data, game.edition, "edition")


def read_options(game: Game, pairs: dict[str, str]) -> Any:
    """Options from `K=V` texts."""
    fields = {field.name: field for field in msgspec.structs.fields(game.options)}
    for name in pairs:
        if name not in fields:
            raise Usage("there is no such option", f"options of this game: {', '.join(fields) or 'none'}")
    try:
        return msgspec.convert(pairs, game.options, strict=False)
    except msgspec.ValidationError:
        raise Usage(
            "an option has a value that does not fit", "see `referee games` for what each option takes"
        ) from None


def check_offer(envelope: Envelope) -> tuple[Offer, str]:
    """An offer whose signature holds and whose terms make sense, and its id."""
    body = expect(envelope, "offer")
    offer = decode(body, Offer, "offer")
    _check_signed(offer, envelope)
    open_terms(offer)
    return offer, ident("offer", body)


def _check_signed(offer: Offer, envelope: Envelope) -> None:
    """The host signed this offer, with a key that can vouch for something."""
    key = bytes.fromhex(offer.key)
    refuse_weak(key)
    check(key, envelope.sig, "offer", bytes(envelope.body))


def table_hash(offer_id: str, joins: tuple[Envelope, ...]) -> bytes:
    """What slots are bound to: the offer and the joins in seat order."""
    return H("table", bytes.fromhex(offer_id), *(bytes.fromhex(ident("join", bytes(j.body))) for j in joins))


def fold(name: str) -> str:
    """Two names that fold to the same text would look alike."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


# Characters without a shape of their own: fillers, joiners, variation selectors, the empty Braille cell.
_INVISIBLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0000, 0xE0FFF),
)  # fmt: skip


def _invisible(character: str) -> bool:
    return any(low <= ord(character) <= high for low, high in _INVISIBLE)


def check_name(name: str) -> str:
    """A display name that cannot play tricks on a terminal."""
    import unicodedata

    plain = unicodedata.normalize("NFC", name)
    bad = any(unicodedata.category(c) in ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp") or _invisible(c) for c in plain)
    if bad or plain != name or name != name.strip() or not 1 <= len(name) <= 40 or not fold(name).strip():
        raise Malformed(
            "a name must have 1 to 40 visible characters, without control or direction marks",
            "choose another name with --name",
            code="bad-name",
        )
    return name


def seat_joins(offer: Offer, offer_id: str, envelopes: tuple[Envelope, ...]) -> tuple[Join, ...]:
    """Joins in seat order, each checked on its own and all against each other."""
    joins = []
    for number, envelope in enumerate(envelopes, 1):
        try:
            joins.append(check_join(offer_id, envelope))
        except RefereeError as error:
            error.message = f"join {number}: {error.message}"
            raise
    if len(joins) != offer.seats:
        raise Usage(
            f"this offer has {offer.seats} seats, but there are {len(joins)} joins",
            "give one join per seat, in seat order",
            code="bad-seats",
        )
    keys = {offer.key, *(join.key for join in joins)}
    if len(keys) != offer.seats + 1:
        raise BadSignature(
            "two of the keys in this game are the same", "every player and the host need an own key", code="same-key"
        )
    if len({fold(join.name) for join in joins}) != offer.seats:
        raise Malformed(
            "two players have names that look alike", "ask one of them to join under another name", code="bad-name"
        )
    return tuple(joins)


def check_join(offer_id: str, envelope: Envelope) -> Join:
    """A join that is authentic, strong and for this offer."""
    unverified = decode(expect(envelope, "join"), Join, "join")
    refuse_weak(bytes.fromhex(unverified.key))
    join = open_signed(envelope, "join", bytes.fromhex(unverified.key), Join)
    if join.offer != offer_id:
        raise BadSignature("this join is for another offer", "ask the player to join this offer", code="other-offer")
    check_name(join.name)
    return join
