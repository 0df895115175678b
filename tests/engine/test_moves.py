"""Players who cheat: no unsigned, altered, foreign, stale, replayed or illegal move is accepted, and none of them
changes anything."""

import json
from collections import Counter

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace
from referee.games.auction import Bid, Guess, Play, Raid

from referee.crypto import keys
from referee.crypto.codec import DEEPEST, PROJECT, check_plain, decode, encode
from referee.crypto.envelope import sign, signed_bytes
from referee.engine import host, lobby
from referee.engine import records as r
from referee.engine.draws import commitment
from referee.errors import BadSignature, IllegalMove, Malformed
from referee.io.gamefile import GameFile, open_match
from tests.engine.plots import blame
from tests.support.match import Sitting, boxed, chance, code_of, other_program, resigned, signed_beside, with_secrets

GOOD = ("taken", "repeated")


class Guard:
    """Hands moves to a match and checks that nothing about it changes."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.before, self.file = self._now(), sitting.file()
        self.codes: Counter[str] = Counter()

    def _now(self):
        match = self.sitting.match
        return match.checkpoint, dict(match.waiting), set(match.late), len(match.entries), len(match.sealed)

    def give(self, data: bytes) -> str:
        judged = self.sitting.give(data)
        self.codes[judged.code] += 1
        assert self._now() == self.before
        if judged.receipt is not None:
            receipt = decode(bytes(judged.receipt.body), r.Receipt, "receipt")
            assert receipt.code == ("taken" if judged.code == "repeated" else judged.code)
        return judged.code

    def done(self) -> int:
        """Returns how many were judged; the game file is unchanged, byte for byte."""
        assert self.sitting.file() == self.file
        return self.codes.total()


def at(what: str, seed: str = "moves", game: str = "auction") -> Sitting:
    return Sitting(game, 3, seed).until(what)


# --- P5: mutations ---------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("what", ["bid", "raid", "play", "ack"])
def test_every_flipped_bit(what):
    sitting = at(what)
    data = sitting.signed(sitting.asked[0])
    guard = Guard(sitting)
    for index in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[index] ^= 1 << bit
            assert guard.give(bytes(flipped)) not in GOOD, (index, bit)
    assert guard.done() == len(data) * 8 > 3000
    assert sitting.give(data).code == "taken"


def test_every_byte_left_out_doubled_or_cut():
    sitting = at("raid")
    data = sitting.signed(sitting.asked[0])
    guard = Guard(sitting)
    for index in range(len(data)):
        assert guard.give(data[:index]) not in GOOD
        assert guard.give(data[:index] + data[index + 1 :]) not in GOOD
        assert guard.give(data[:index] + data[index : index + 1] + data[index:]) not in GOOD
    assert guard.give(data + b"\n") not in GOOD
    assert guard.give(data + data) not in GOOD
    guard.done()
    assert sitting.give(data).code == "taken"


def spellings(data: bytes) -> list[bytes]:
    """The same values, spelled differently; and hostile JSON."""
    value = json.loads(data)
    text = data.decode()
    return [
        json.dumps(value).encode(),
        json.dumps(value, indent=1).encode(),
        json.dumps(dict(reversed(value.items())), separators=(",", ":")).encode(),
        b"\xef\xbb\xbf" + data,
        b" " + data,
        data.decode().encode("utf-16"),
        text.replace('"seat":0', '"seat":-0').encode(),
        text.replace('"seat":0', '"seat":0.0').encode(),
        text.replace('"seat":0', '"seat":0e0').encode(),
        text.replace('"seat":0', '"seat":false').encode(),
        text.replace('"seat":0', '"seat":"0"').encode(),
        text.replace('"seat":0', '"seat":1,"seat":0').encode(),
        text.replace('"type":', '"type":"x","type":').encode(),
        text.replace('"type":', '"extra":0,"type":').encode(),
        text.replace('"type"', '"t\\u0079pe"').encode(),
        text.replace(value["sig"], value["sig"].upper()).encode(),
        text.replace(value["sig"], value["sig"] + "00").encode(),
        text.replace(PROJECT + "move", PROJECT + "join").encode(),
        text.replace(PROJECT, PROJECT.upper()).encode(),
        text.replace('"commit":', '"commit":{},"commit":').encode(),
        b"[" * 100_000,
        b'{"body":' * 10_000,
        b"null",
        b"",
        b"\xff\xfe",
    ]


def test_every_other_spelling():
    sitting = at("bid")
    data = sitting.signed(0)
    guard = Guard(sitting)
    for other in spellings(data):
        assert other != data
        assert guard.give(other) not in GOOD, other[:80]
    guard.done()
    assert sitting.give(data).code == "taken"


def answered(sitting: Sitting, seat: int, answer: bytes, **sealed: bytes) -> bytes:
    """An answer of a seat with exactly these bytes, properly signed and committed to."""
    file = decode(sitting.signed(seat), r.MoveFile, "move")
    salt = "11" * 32
    secrets = {name: r.Secret(salt, msgspec.Raw(value)) for name, value in sealed.items()}
    commit = {name: commitment(sitting.table.id, sitting.round + 1, seat, name, one) for name, one in secrets.items()}
    return resigned(sitting, seat, file, secrets, answer=msgspec.Raw(answer), commit=commit)


def test_the_helper_that_signs_any_answer_signs_valid_ones():
    sitting = at("bid")
    assert sitting.give(answered(sitting, 0, b'{"do":"bid"}', amount=b"1")).code == "taken"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (b'{"do":"bid"}', value)
        for value in (
            b" 1",
            b"1.0",
            b"1e0",
            b'"1"',
            b"null",
            b"[1]",
            b"true",
            b"-1",
            b"1001",
            b"11",
            b"9" * 400,
            b"[[1]]",
        )
    ]
    + [
        (answer, b"1")
        for answer in (
            b'{"do": "bid"}',
            b'{"amount":1,"do":"bid"}',
            b'{"do":"bid","do":"bid"}',
            b"{}",
            b'"bid"',
            b"null",
            b"[]",
            b"0",
            b'{"do":"play"}',
            b'{"do":"guess"}',
            b'{"card":"01","do":"play"}',
            b'{"do":"bid","more":1}',
            b"[" * 3000 + b"]" * 3000,
        )
    ],
)
def test_answers_that_are_not_moves(answer, value):
    """Signed by the player and committed to, but still refused."""
    sitting = at("bid")
    guard = Guard(sitting)
    assert guard.give(answered(sitting, 0, answer, amount=value)) in ("malformed", "illegal", "bad-commitment")
    guard.done()


@pytest.mark.parametrize("names", [(), ("odd",), ("amount", "odd"), ("card",)])
def test_other_fields_sealed_than_the_question_says(names):
    sitting = at("bid")
    guard = Guard(sitting)
    sealed = dict.fromkeys(names, b"1")
    assert guard.give(answered(sitting, 0, b'{"amount":1,"do":"bid"}', **sealed)) == "wrong-answer"
    guard.done()


def test_each_field_has_a_commitment_of_its_own():
    """The commitment to one field says nothing about another: both are bound to their names and to one salt."""
    secret = r.Secret("22" * 32, msgspec.Raw(b"1"))
    made = {
        commitment(game, number, seat, name, one)
        for game in ("00" * 32, "11" * 32)
        for number in (1, 2)
        for seat in (0, 1)
        for name in ("amount", "odd")
        for one in (secret, replace(secret, salt="33" * 32), replace(secret, value=msgspec.Raw(b"2")))
    }
    assert len(made) == 48


# --- transplants -----------------------------------------------------------------------------------------------------


def history(seed: str) -> tuple[Sitting, dict[tuple[int, int], bytes]]:
    """A game in its second half, with every move that was made and those that could be made now."""
    sitting, moves = Sitting("auction", 3, seed), {}
    while sitting.round < 6 or len(sitting.asked) < 3:
        for seat, data in [(seat, sitting.signed(seat)) for seat in sitting.asked]:
            moves[sitting.round + 1, seat] = data
            assert sitting.give(data).code == "taken"
    moves |= {(sitting.round + 1, seat): sitting.signed(seat) for seat in sitting.asked}
    return sitting, moves


@pytest.mark.thorough
def test_a_matrix_of_transplants():
    """Every field of every move of two games, put into every move that is due now; signed by nobody or by another."""
    sitting, mine = history("one")
    _, foreign = history("two")
    now = sitting.round + 1
    guard = Guard(sitting)
    for target_key in [key for key in mine if key[0] == now]:
        target = decode(mine[target_key], r.MoveFile, "move")
        body = decode(bytes(target.body), r.Move, "move")
        for data in (*mine.values(), *foreign.values()):
            source = decode(data, r.MoveFile, "move")
            other = decode(bytes(source.body), r.Move, "move")
            tried = [replace(target, sig=source.sig), replace(target, body=source.body)]
            for name in r.Move.__struct_fields__:
                changed = replace(body, **{name: getattr(other, name)})
                if changed != body:
                    tried.append(replace(target, body=msgspec.Raw(encode(changed))))
                    forged = sign(sitting.players[(changed.seat + 1) % 3], "move", changed)
                    tried.append(r.MoveFile(forged.body, forged.sig, forged.type, target.sealed))
            for file in tried:
                if encode(file) not in mine.values():
                    assert guard.give(encode(file)) not in GOOD
    assert guard.done() > 500
    assert guard.codes["bad-signature"] > 200


def test_the_owner_cannot_answer_for_another_round_seat_or_game():
    """Signed by the right key, but for something else: the host's refusal names what is wrong."""
    sitting, moves = history("one")
    now = sitting.round + 1
    file = decode(moves[now, 1], r.MoveFile, "move")
    guard = Guard(sitting)
    for changes, code in (
        ({"game": "00" * 32}, "other-game"),
        ({"round": now + 1}, "early"),
        ({"round": now - 1}, "stale"),
        ({"round": 0}, "stale"),
        ({"asked": "00" * 32}, "not-asked"),
        ({"seat": 0}, "bad-signature"),
        ({"seat": 3}, "bad-signature"),
        ({"link": "00" * 32}, "bad-link"),
        ({"link": Sitting("auction", 3, "one").table.joins[1].tip}, "bad-link"),
    ):
        assert guard.give(resigned(sitting, 1, file, **changes)) == code, changes
    guard.done()
    assert sitting.give(moves[now, 1]).code == "taken"


def test_replays_change_nothing():
    sitting, moves = history("one")
    guard = Guard(sitting)
    for (number, _), data in moves.items():
        if number <= sitting.round:
            assert guard.give(data) == "repeated"
    for data in history("two")[1].values():
        assert guard.give(data) == "other-game"
    assert guard.done() > 20


def test_two_different_answers_and_the_first_counts():
    sitting = at("bid")
    assert sitting.give(sitting.signed(0, move=Bid(1))).code == "taken"
    guard = Guard(sitting)
    assert [guard.give(sitting.signed(0, move=Bid(amount))) for amount in range(4)] == [
        "answered", "repeated", "answered", "answered",
    ]  # fmt: skip
    guard.done()


def test_a_refused_answer_does_not_use_the_turn_up():
    sitting = at("play")
    assert sitting.give(sitting.forced(0, Guess(True))).code == "illegal"
    assert sitting.give(sitting.signed(0)).code == "taken"


def test_a_sealed_part_that_does_not_fit():
    sitting = at("bid")
    data = sitting.signed(0, move=Bid(2))
    file = decode(data, r.MoveFile, "move")
    secret = host.open_sealed(sitting.match, file)["amount"]
    others = [
        {},
        {"amount": replace(secret, salt="00" * 32)},
        {"amount": replace(secret, value=msgspec.Raw(b"3"))},
        {"amount": secret, "odd": secret},
        {"odd": secret},
    ]
    guard = Guard(sitting)
    move = decode(bytes(file.body), r.Move, "move")
    signed = [signed_beside(sitting, 0, move, boxed(sitting, 0, move, sealed)) for sealed in others]
    assert {guard.give(one) for one in signed} == {"bad-commitment"}
    beside = [with_secrets(sitting, file, sealed) for sealed in others]
    assert {guard.give(one) for one in beside} == {"damaged"}
    guard.done()
    assert sitting.give(data).code == "taken"
    guard = Guard(sitting)
    assert {guard.give(one) for one in signed} == {"answered"}
    assert {guard.give(one) for one in beside} == {"damaged"}
    guard.done()


# --- legality --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "move"),
    [
        ("bid", Bid(11)),
        ("bid", Play("01")),
        ("bid", Guess(True)),
        ("play", Bid(1)),
        ("play", Play("99")),
        ("raid", Raid(7, "01")),
        ("raid", Raid(1, "99")),
        ("guess", Play("01")),
    ],
)
def test_an_illegal_move(what, move):
    sitting = at(what)
    seat = sitting.asked[0]
    with pytest.raises(IllegalMove):
        sitting.signed(seat, move=move)
    try:
        data = sitting.forced(seat, move)
    except IllegalMove:
        return
    guard = Guard(sitting)
    assert guard.give(data) == "illegal"
    guard.done()


def test_a_card_in_another_players_hand():
    sitting = at("play")
    mine = sitting.opened(0)
    hand = mine.owner.faces.values()
    for face in sorted(sitting.state.book.inside):
        if face not in hand:
            assert sitting.give(sitting.forced(0, Play(face))).code == "illegal"


def test_an_answer_from_a_seat_that_is_not_asked():
    sitting = at("raid")
    (seat,) = sitting.asked
    other = (seat + 1) % 3
    assert code_of(lambda: sitting.signed(other)) == "not-asked"
    file = decode(sitting.signed(seat), r.MoveFile, "move")
    link = sitting.table.chains[other].link(sitting.marks[other], sitting.round + 1).hex()
    guard = Guard(sitting)
    assert guard.give(resigned(sitting, other, file, seat=other, link=link)) == "not-asked"
    guard.done()


def _crash_on(card: str, real):
    def rule(terms, *args):
        moves = args[2].values() if len(args) == 4 else [args[1]]
        if any(getattr(move, "card", "") == card for move in moves):
            raise ZeroDivisionError
        return real(terms, *args)

    return rule


def test_a_move_on_which_the_rules_crash():
    """Whoever sends it, the host refuses it and nothing changes; another move of that seat is still accepted."""
    sitting = at("play")
    hand = sorted({*sitting.opened(0).owner.faces.values()} & {*sitting.state.book.inside})
    mine = [face for face in hand if code_of(lambda face=face: sitting.signed(0, move=Play(face))) == "ok"]
    game = sitting.table.game
    with other_program("auction", same_code=True, check=_crash_on(mine[0], game.check)):
        sitting.match = open_match(sitting.file(), sitting.host)
        guard = Guard(sitting)
        assert guard.give(sitting.forced(0, Play(mine[0]))) == "illegal"
        guard.done()
    with other_program("auction", same_code=True, apply=_crash_on(mine[0], game.apply)):
        sitting.match = open_match(sitting.file(), sitting.host)
        sitting.others(0)
        guard = Guard(sitting)
        data = sitting.signed(0, move=Play(mine[0]))
        assert guard.give(data) == "rules-failed"
        assert sitting.give(data).receipt is None
        guard.done()
        assert sitting.give(sitting.signed(0, move=Play(mine[1]))).code == "taken"


def test_rules_that_are_not_deterministic_commit_nothing():
    sitting = at("play")
    number, game = iter(range(100)), sitting.table.game

    def apply(terms, public, pending, moves, draws):
        step = game.apply(terms, public, pending, moves, draws)
        return replace(step, public=replace(step.public, lot=next(number)))

    sitting.match.table.game = replace(game, apply=apply)
    sitting.others(0)
    guard = Guard(sitting)
    assert guard.give(sitting.signed(0)) == "rules-failed"
    guard.done()


@pytest.mark.parametrize(
    "change",
    [
        {"lot": 1001},
        {"prize": "x" * 200_001},
        {"points": (2**53,) * 3},
    ],
)
def test_rules_that_lead_out_of_bounds_commit_nothing(change):
    sitting = at("play")
    game = sitting.table.game

    def apply(*how):
        step = game.apply(*how)
        return replace(step, public=replace(step.public, **change))

    sitting.match.table.game = replace(game, apply=apply)
    sitting.others(0)
    guard = Guard(sitting)
    assert guard.give(sitting.signed(0)) == "rules-failed"
    guard.done()


# --- limits ----------------------------------------------------------------------------------------------------------


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def test_embedded_values_have_a_depth():
    assert DEEPEST == 64
    assert check_plain(nested(64), "value") is not None
    assert check_plain(b'{"a":' * 64 + b"1" + b"}" * 64, "value") is not None
    for deep in (nested(65), b'{"a":' * 65 + b"1" + b"}" * 65, b'[{"a":' * 33 + b"1" + b"}]" * 33):
        with pytest.raises(Malformed):
            check_plain(deep, "value")


@pytest.mark.parametrize(("text", "good"), [(2**53 - 1, True), (2**53, False), (1 - 2**53, True), (-(2**53), False)])
def test_embedded_numbers_have_a_bound(text, good):
    assert (code_of(lambda: check_plain(b"[%d]" % text, "value")) == "ok") is good


# --- keys and signatures ---------------------------------------------------------------------------------------------

SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]


@pytest.mark.parametrize("weak", SMALL_ORDER)
def test_weak_keys_never_sit_down(weak):
    sitting = Sitting("auction", 3, "weak")
    with pytest.raises(BadSignature) as error:
        keys.refuse_weak(bytes.fromhex(weak))
    assert error.value.code == "weak-key"
    join = decode(bytes(sitting.joins[1].body), r.Join, "join")
    body = encode(replace(join, key=weak))
    envelope = replace(sitting.joins[1], body=msgspec.Raw(body), sig=weak + "00" * 32)
    with pytest.raises(BadSignature) as error:
        lobby.make_genesis(sitting.host, sitting.offer, (sitting.joins[0], envelope, sitting.joins[2]))
    assert error.value.code == "weak-key"


@pytest.mark.parametrize("point", SMALL_ORDER)
def test_a_signature_with_a_point_of_small_order_is_invalid(point):
    """With R of order 1, S = k * a is a valid signature to OpenSSL (it raises nothing), but not to others."""
    from tests.independent import ed25519

    key = keys.Key(chance("signer"))
    scalar, _ = ed25519._expand(key.seed)
    message = signed_bytes("move", b"{}")
    made = bytes.fromhex(point)
    k = ed25519._hash(made, key.public, message) % ed25519.L
    signature = made + (k * scalar % ed25519.L).to_bytes(32, "little")
    if point == SMALL_ORDER[0]:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, message)
    assert not keys.verify(key.public, signature, message)


def test_a_thousand_good_keys_are_not_called_weak():
    for number in range(1000):
        key = keys.Key(chance("good", number))
        keys.refuse_weak(key.public)
    assert keys.verify(key.public, key.sign(b"hello"), b"hello")


def test_a_signature_with_a_second_spelling():
    """S + L is the same number to a careless verifier."""
    sitting = at("play")
    file = decode(sitting.signed(0), r.MoveFile, "move")
    order = 2**252 + 27742317777372353535851937790883648493
    number = int.from_bytes(bytes.fromhex(file.sig)[32:], "little") + order
    sig = bytes.fromhex(file.sig)[:32] + number.to_bytes(32, "little")
    guard = Guard(sitting)
    assert guard.give(encode(replace(file, sig=sig.hex()))) == "bad-signature"
    guard.done()


# --- the host's game file --------------------------------------------------------------------------------------------


def test_nothing_in_the_game_file_changes_unnoticed():
    """Every part of the file, changed by somebody without the host's key."""
    sitting = at("play")
    sitting.give(sitting.signed(0))
    file = decode(sitting.file(), GameFile, "game file")
    other = decode(Sitting("auction", 3, "moves").until("guess").file(), GameFile, "game file")
    for name in GameFile.__struct_fields__:
        if getattr(file, name) != getattr(other, name):
            changed = replace(file, **{name: getattr(other, name)})
            assert code_of(lambda changed=changed: open_match(encode(changed), sitting.host)) != "ok", name
    found = blame(lambda: open_match(sitting.file(), sitting.players[0]))
    assert found.code == "other-key"
