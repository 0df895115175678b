"""Goals 4 to 8: what the engine costs beside the signatures it cannot avoid."""

import sys
import time
from typing import Any

import common
import msgspec

from referee import games
from referee.bots.seats import bot_answer
from referee.crypto import keys
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident, signed_bytes
from referee.engine import lobby, replay, table
from referee.engine.records import NOTHING, Entry, Move, MoveFile, View
from referee.engine.rounds import close_round, who_is_asked
from referee.engine.turn import Answer, Match, dump_match, new_match, take_move
from referee.engine.view import make_view, private_part

GAME = "schwarzer-freitag"


def start(seats: int) -> tuple[Match, list[keys.Key]]:
    game = games.load(GAME)
    terms = table.make_terms(game, seats, game.options(), table.read_edition(game, games.edition_bytes(GAME)))
    host = keys.Key(b"h" * 32)
    players = [keys.Key(bytes([65 + seat]) * 32, f"P{seat}") for seat in range(seats)]
    offer = lobby.make_offer(host, GAME, game, terms, b"n" * 32)
    joins = tuple(lobby.make_join(key, offer, key.name, bytes([65 + seat]) * 32) for seat, key in enumerate(players))
    return new_match(host, lobby.make_genesis(host, offer, joins)), players


def play(seats: int) -> tuple[Match, list[keys.Key], list[bytes]]:
    """A whole game, and its moves in order."""
    match, players = start(seats)
    moves = []
    while not match.state.end:
        for seat in list(who_is_asked(match.state)):
            moves.append(bot_answer(make_view(match, seat), players[seat], "random", b"bench"))
            assert take_move(match, moves[-1]).error is None
    return match, players, moves


def one_move(match: Match, moves: list[bytes], rounds: int) -> None:
    """Goals 5 and 6, over all ordinary moves of a game played again from its moves."""
    again, _ = start(match.table.seats)
    seats = match.table.seats
    times: dict[str, list[float]] = {"verify": [], "sign": [], "bare": [], "turn": [], "unsigned": []}
    key = again.key
    for data in moves:
        file = decode(data, MoveFile, "move")
        body = bytes(file.body)
        move = decode(body, Move, "move")
        message, sig = signed_bytes("move", body), bytes.fromhex(file.sig)
        public = again.table.keys[move.seat]
        closing = again.state.round > 0
        start_at = time.perf_counter()
        assert keys.verify(public, sig, message)
        verified = time.perf_counter()
        for _ in range(2 + seats):  # receipt, entry, one private part per seat
            key.sign(message)
        signed = time.perf_counter()
        if closing:
            state = again.state
            answer = Answer(move.seat, move.link, file.sig, move.answer, move.commit)
            link = again.table.host_chain.link(again.marks, state.round + 1).hex()
            begin = time.perf_counter()
            entry, after = close_round(again.table, again.secret, state, [answer], {}, (), link)
            encode(entry)
            public_part = msgspec.Raw(encode(after.position.public))
            for seat in range(seats):
                part = private_part(again.table, after, seat)
                encode(View("", again.table.envelope, (), Envelope(msgspec.Raw(encode(part)), "", ""), public_part))
            times["unsigned"].append(time.perf_counter() - begin)
        begin = time.perf_counter()
        take_move(again, data)
        for seat in range(seats):
            make_view(again, seat)
        if closing:
            times["turn"].append(time.perf_counter() - begin)
            times["verify"].append(verified - start_at)
            times["bare"].append(signed - start_at)
    del times["sign"]
    common.table("5. a move without signatures, views of all players encoded",
                 {"one Ed25519 verification": times["verify"], "rules, draws, entry, views": times["unsigned"]},
                 "one Ed25519 verification", {"rules, draws, entry, views": 0.5})  # fmt: skip
    common.table("6. a signed move through the turn, all views",
                 {f"bare: 1 verify, {2 + seats} sign": times["bare"], "take_move + make_view for all": times["turn"]},
                 f"bare: 1 verify, {2 + seats} sign", {"take_move + make_view for all": 1.3})  # fmt: skip


def verification(match: Match, rounds: int) -> None:
    """Goal 4."""
    data = replay.reveal(match)
    checks: list[tuple[bytes, bytes, bytes]] = []
    prev = match.table.id
    for raw in match.entries:
        envelope = msgspec.json.decode(raw, type=Envelope)
        entry = msgspec.json.decode(envelope.body, type=Entry)
        checks.append((match.table.host, bytes.fromhex(envelope.sig), signed_bytes("entry", bytes(envelope.body))))
        for answer in entry.answers:
            move = Move(
                entry.game, entry.round, prev, answer.seat, answer.link, answer.answer or NOTHING, answer.commit
            )
            checks.append(
                (match.table.keys[answer.seat], bytes.fromhex(answer.sig), signed_bytes("move", encode(move)))
            )
        prev = ident("entry", bytes(envelope.body))
    floor = f"bare Ed25519 verifications ({len(checks)})"
    times = common.interleave(
        {floor: lambda: [keys.verify(*one) for one in checks], "verify (full replay)": lambda: replay.verify(data)},
        rounds,
    )
    common.table("4. verify of a finished game", times, floor, {"verify (full replay)": 1.15})


def growth(match: Match, moves: list[bytes]) -> None:
    """Goal 7: the same moves with a history of 100 and of 10,000 entries in front."""
    found: dict[str, list[float]] = {}
    for length in (100, 10_000):
        again, _ = start(match.table.seats)
        for data in moves[: len(moves) // 2]:
            take_move(again, data)
        filler = again.entries[-1]
        again.entries[:0] = [filler] * (length - len(again.entries))
        real = len(again.entries)
        times = []
        for data in moves[len(moves) // 2 :]:
            begin = time.perf_counter()
            take_move(again, data)
            times.append(time.perf_counter() - begin)
        assert len(again.entries) > real
        found[f"history of {length:,} entries"] = times
    common.table("7. engine cost of a move", found, "history of 100 entries", {"history of 10,000 entries": 1.1})


def sizes(match: Match) -> None:
    """Goal 8: an ordinary entry is one answer and no draw."""
    ordinary = []
    for raw in match.entries:
        entry: Any = msgspec.json.decode(msgspec.json.decode(raw, type=Envelope).body)
        if not entry.get("ops") and len(entry["answers"]) == 1:
            ordinary.append(len(bytes(raw)))
    ordinary.sort()
    middle = ordinary[len(ordinary) // 2]
    print(f"\n8. bytes of an ordinary entry: median {middle}, 90% below {ordinary[len(ordinary) * 9 // 10]}; "
          f"{middle / 261:.2f} times 261 (goal <= 4)")  # fmt: skip
    print(f"   game file {len(dump_match(match)):,} bytes after {match.state.round} rounds")


def main(rounds: int = 15) -> None:
    match, _, moves = play(4)
    print(f"{GAME}, 4 players, {match.state.round} rounds")
    verification(match, rounds)
    one_move(match, moves, rounds)
    growth(match, moves)
    sizes(match)


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:]))
