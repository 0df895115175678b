"""No unsigned, altered, foreign, stale or replayed move is accepted, and none of them changes the game."""

import json
from collections import Counter

import msgspec
import pytest

from referee.crypto import keys
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import PROJECT, seal, signed_bytes
from referee.engine import lobby
from referee.engine.records import Join, Move, MoveFile, Secret
from referee.engine.turn import commitment
from referee.errors import BadSignature
from tests.support.match import Sitting, chance, resign

replace = msgspec.structs.replace
GOOD = ("taken", "repeated")


def ready(what: str, game: str = "auction", seed: str = "refused") -> Sitting:
    if game == "auction":
        return Sitting(game, seed=seed).play(lambda s: s.what == what)
    return Sitting(game, seed=seed).play(4)


class Guard:
    """Gives moves to a match and insists that nothing about the match changes."""

    def __init__(self, table: Sitting) -> None:
        self.table = table
        self.before = self._now()
        self.file = table.file()
        self.codes: Counter[str] = Counter()

    def _now(self):
        match = self.table.match
        return match.state, dict(match.waiting), set(match.late), len(match.entries), len(match.sealed)

    def give(self, data: bytes) -> str:
        verdict = self.table.give(data)
        self.codes[verdict.code] += 1
        now = self._now()
        assert now[0] is self.before[0], "the state was touched"
        assert now[1:] == self.before[1:], "something else was touched"
        return verdict.code

    def done(self) -> int:
        """How many were refused; the game file is the same to the byte."""
        assert self.table.file() == self.file
        return self.codes.total()


@pytest.mark.parametrize(
    ("game", "what"), [("auction", "bid"), ("auction", "play"), ("auction", "ack"), ("schwarzer-freitag", "turn")]
)
def test_every_flipped_bit(game, what):
    table = ready(what, game)
    seat = table.asked[0]
    data = table.signed(seat)
    guard = Guard(table)
    for index in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[index] ^= 1 << bit
            assert guard.give(bytes(flipped)) not in GOOD, (index, bit)
    assert guard.done() == len(data) * 8 > 3000
    assert table.give(data).code == "taken"


def test_every_byte_left_out_doubled_or_cut():
    table = ready("raid")
    seat = table.asked[0]
    data = table.signed(seat)
    guard = Guard(table)
    for index in range(len(data)):
        assert guard.give(data[:index]) not in GOOD
        assert guard.give(data[:index] + data[index + 1 :]) not in GOOD
        assert guard.give(data[:index] + data[index : index + 1] + data[index:]) not in GOOD
    assert guard.give(data + b"\n") not in GOOD
    assert guard.give(data + data) not in GOOD
    assert guard.done() > 1500
    assert table.give(data).code == "taken"


def spellings(data: bytes) -> list[bytes]:
    """The same values, spelled in other ways."""
    value = json.loads(data)
    text = data.decode()
    return [
        json.dumps(value).encode(),
        json.dumps(value, indent=1).encode(),
        json.dumps(dict(reversed(value.items())), separators=(",", ":")).encode(),
        b"\xef\xbb\xbf" + data,
        b" " + data,
        data + b" ",
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
        text.replace(value["sig"], value["sig"][:-2] + "\\n").encode(),
        text.replace(PROJECT + "move", PROJECT + "join").encode(),
        text.replace(PROJECT, PROJECT.upper()).encode(),
        text.replace('"commit":', '"commit":"","commit":').encode(),
        b"[" * 100_000,
        b'{"body":' * 10_000,
        b"null",
        b"",
        b"\xff\xfe",
    ]


def test_every_other_spelling():
    table = ready("bid")
    data = table.signed(0)
    guard = Guard(table)
    for other in spellings(data):
        if other != data:
            assert guard.give(other) not in GOOD, other[:80]
    assert guard.done() >= 25
    assert table.give(data).code == "taken"


def test_other_spellings_inside_what_is_signed():
    """A player who signs a second spelling of a move is refused too."""
    table = ready("bid")
    file = decode(table.signed(0), MoveFile, "move")
    guard = Guard(table)
    sealed = [b'{"amount": 1}', b'{"amount":1.0}', b'{"amount":1,"amount":1}', b'{"amount":1,"do":"bid"}', b"[]", b"1"]
    for fields in sealed:
        secret = Secret(file.secret.salt, msgspec.Raw(fields))
        commit = commitment(table.match.table.id, table.round + 1, 0, secret)
        assert guard.give(resign(table.players[0], replace(file, secret=secret), commit=commit)) not in GOOD, fields
    for answer in (b'{"do": "bid"}', b'{"do":"bid","amount":1}', b'{"amount":1,"do":"bid"}', b"{}", b'"bid"', b"null"):
        assert guard.give(resign(table.players[0], file, answer=msgspec.Raw(answer))) not in GOOD, answer
    assert guard.done() == 12


def history(seed: str) -> tuple[Sitting, dict[tuple[int, int], bytes]]:
    """A game in its second half, with every move that was made and those that could be made now."""
    table = Sitting(seed=seed)
    moves = {}
    while table.round < 6:
        for seat, data in [(seat, table.signed(seat)) for seat in table.asked]:
            moves[table.round + 1, seat] = data
            assert table.give(data).code == "taken"
    for seat in table.asked:
        moves[table.round + 1, seat] = table.signed(seat)
    return table, moves


def test_a_matrix_of_transplants():
    """Every field of every move of two games, put into every move that is due now; signed by nobody or by another."""
    table, mine = history("one")
    _, foreign = history("two")
    now = table.round + 1
    due = [(number, seat) for number, seat in mine if number == now]
    assert len(due) == 3
    guard = Guard(table)
    sources = [(table, key, data) for key, data in mine.items()] + [(None, key, data) for key, data in foreign.items()]
    for number, seat in due:
        target = decode(mine[number, seat], MoveFile, "move")
        body = decode(bytes(target.body), Move, "move")
        for owner, key, data in sources:
            if data == mine[number, seat]:
                continue
            source = decode(data, MoveFile, "move")
            other = decode(bytes(source.body), Move, "move")
            # the envelope's own fields
            tried = [replace(target, sig=source.sig), replace(target, body=source.body)]
            if owner is None or key[0] == now:
                tried.append(replace(target, body=source.body, secret=source.secret))
            if bool(source.secret) != bool(target.secret) or source.secret != target.secret:
                tried.append(replace(target, secret=source.secret))
            for file in tried:
                if encode(file) in mine.values():
                    continue
                assert guard.give(encode(file)) not in GOOD
            # single fields of the body, left with the old signature, or signed by a player of another seat
            for name in Move.__struct_fields__:
                value = getattr(other, name)
                if value == getattr(body, name):
                    continue
                changed = replace(body, **{name: value})
                raw = msgspec.Raw(encode(changed))
                assert guard.give(encode(replace(target, body=raw))) not in GOOD
                forger = table.players[(changed.seat + 1) % 3]
                envelope = seal(forger, "move", changed)
                forged = MoveFile(envelope.body, envelope.sig, envelope.type, target.secret)
                assert guard.give(encode(forged)) not in GOOD
    assert guard.done() > 500
    assert guard.codes["bad-signature"] > 200


def test_the_owner_cannot_answer_for_another_round_seat_or_game():
    """Signed by the right key, but for something else: the host refuses by the name of what is wrong."""
    table, moves = history("one")
    other, _ = history("two")
    now = table.round + 1
    file = decode(moves[now, 1], MoveFile, "move")
    guard = Guard(table)
    key = table.players[1]
    assert guard.give(resign(key, file, game=other.match.table.id)) == "other-game"
    assert guard.give(resign(key, file, round=now + 1)) == "not-asked"
    assert guard.give(resign(key, file, round=now - 1)) == "stale"
    assert guard.give(resign(key, file, round=0)) == "stale"
    assert guard.give(resign(key, file, asked="00" * 32)) == "not-asked"
    assert guard.give(resign(key, file, seat=0)) == "bad-signature"
    assert guard.give(resign(key, file, seat=3)) == "bad-signature"
    assert guard.give(resign(key, file, link="00" * 32)) == "bad-link"
    assert guard.give(resign(key, file, commit="00" * 32)) in ("bad-commitment", "wrong-answer")
    assert guard.done() == 9
    assert table.give(moves[now, 1]).code == "taken"


def test_replays_change_nothing():
    table, moves = history("one")
    now = table.round + 1
    guard = Guard(table)
    for (number, _), data in moves.items():
        if number < now:
            assert guard.give(data) == "repeated"
    _, foreign = history("two")
    for data in foreign.values():
        assert guard.give(data) == "other-game"
    assert guard.done() == len(moves) + len(foreign) - 3


def test_a_waiting_answer_cannot_be_replaced():
    table = ready("bid")
    data = table.signed(0)
    assert table.give(data).code == "taken"
    guard = Guard(table)
    assert guard.give(data) == "repeated"
    board = table.match.table
    for choice in board.game.legal(board.terms, table.seen(0)):
        other = table.signed(0, move=choice.move)
        if other != data:
            assert guard.give(other) == "answered"
    assert guard.done() == 11


def test_the_sealed_part_beside_a_waiting_answer_counts_for_nothing():
    """Sent again with another secret part, the answer is still the one that was signed and taken first."""
    table = ready("bid")
    data = table.signed(0)
    assert table.give(data).code == "taken"
    file = decode(data, MoveFile, "move")
    guard = Guard(table)
    for secret in (None, Secret("00" * 32, file.secret.fields), Secret(file.secret.salt, msgspec.Raw(b'{"amount":0}'))):
        guard.give(encode(replace(file, secret=secret)))
    assert guard.done() == 3


LOW_ORDER = [
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


def test_a_weak_key_would_vouch_for_anything():
    """The danger is real in this library: one signature fits many messages."""
    public = bytes.fromhex(LOW_ORDER[0])
    signature = public + bytes(32)
    assert all(keys.verify(public, signature, signed_bytes("move", b"%d" % n)) for n in range(5))


@pytest.mark.parametrize("weak", LOW_ORDER)
def test_weak_keys_never_sit_down(weak):
    table = Sitting(seed="weak")
    with pytest.raises(BadSignature) as error:
        keys.refuse_weak(bytes.fromhex(weak))
    assert error.value.code == "weak-key"
    join = decode(bytes(table.joins[1].body), Join, "join")
    body = encode(replace(join, key=weak))
    envelope = replace(table.joins[1], body=msgspec.Raw(body), sig=weak + "00" * 32)
    with pytest.raises(BadSignature) as error:
        lobby.make_genesis(table.host, table.offer, (table.joins[0], envelope, table.joins[2]))
    assert error.value.code == "weak-key"


def test_a_thousand_good_keys_are_not_called_weak():
    for number in range(1000):
        keys.refuse_weak(keys.Key(chance("good", number)).public)


def test_a_signature_with_a_second_spelling():
    """S + L is the same number to a careless verifier."""
    table = ready("play")
    file = decode(table.signed(0), MoveFile, "move")
    order = 2**252 + 27742317777372353535851937790883648493
    number = int.from_bytes(bytes.fromhex(file.sig)[32:], "little") + order
    sig = bytes.fromhex(file.sig)[:32] + number.to_bytes(32, "little")
    guard = Guard(table)
    assert guard.give(encode(replace(file, sig=sig.hex()))) == "bad-signature"
    assert guard.done() == 1
