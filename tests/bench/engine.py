"""Goals 4 to 8, 10 and 13: what the engine costs beside the signatures it cannot avoid, for every game."""

import statistics
import sys
import time
from functools import partial
from typing import Any

import common
import msgspec

from referee import games
from referee.bots.playing import bot_signs
from referee.crypto import keys
from referee.crypto.codec import decode, encode, read
from referee.crypto.envelope import Envelope, signed_bytes
from referee.crypto.stream import Stream
from referee.engine import host, lobby, table
from referee.engine import records as r
from referee.engine.dealer import Dealer
from referee.engine.player import Draft, Place, answer, open_view
from referee.engine.reader import Reader
from referee.engine.rounds import asked, close
from referee.evidence.replay import open_transcript

GAMES = ("schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg")
VERIFY_GOAL = {"weg-zum-erfolg": 2.0}
MOVE_GOAL = {"weg-zum-erfolg": 1.8}
TURN_GOAL = {"weg-zum-erfolg": 2.0}
SIZE_GOAL = {"weg-zum-erfolg": 4.5}
READ_GOAL = {"weg-zum-erfolg": 1.6}


class Played:
    """A whole game, its players' keys and chains, and its moves in order."""

    def __init__(self, game_id: str, seats: int = 4) -> None:
        self.game_id, self.seats = game_id, seats
        self.match, self.players = self.start()
        join = self.match.table.joins
        self.marks = [
            lobby.player_marks(key, self.match.table.offer_id, bytes.fromhex(join[seat].nonce))
            for seat, key in enumerate(self.players)
        ]
        self.moves: list[bytes] = []
        match = self.match
        while not match.state.end:
            for seat in list(asked(match.state)):
                key, marks = self.players[seat], self.marks[seat]
                move = bot_signs(
                    Place(match.table, match.checkpoint, seat, match.faces), key, "sensible", b"bench", marks
                )
                self.moves.append(move)
                assert host.take_move(match, move).error is None

    def start(self) -> tuple[host.Match, list[keys.Key]]:
        """The same game, before its first move."""
        game = games.load(self.game_id)
        edition = read(games.edition_bytes(self.game_id), game.edition, "edition")
        terms = table.make_terms(game, self.seats, game.options(), edition)
        key = keys.Key(b"h" * 32)
        players = [keys.Key(bytes([65 + seat]) * 32, f"P{chr(65 + seat)}") for seat in range(self.seats)]
        offer = lobby.make_offer(key, self.game_id, game, terms, b"n" * 32)
        joins = tuple(lobby.make_join(k, offer, k.name, bytes([65 + seat]) * 32) for seat, k in enumerate(players))
        return host.new_match(key, lobby.make_genesis(key, offer, joins)), players


def ratio(name: str, over: list[float], under: list[float], goal: float) -> None:
    """One line: the median of a quotient's parts."""
    top, base = statistics.median(over), statistics.median(under)
    print(f"  {name:52} {top * 1e6:9.1f} us  / {base * 1e6:9.1f} us = {top / base:5.2f}   (goal <= {goal})")


def one_move(played: Played) -> None:
    """Goals 5, 6 and 13, over all rounds of a game played again from its moves."""
    again, _ = played.start()
    times: dict[str, list[float]] = {name: [] for name in ("verify", "bare", "turn", "unsigned", "read")}
    for data in played.moves:
        file = decode(data, r.MoveFile, "move")
        body = bytes(file.body)
        move = decode(body, r.Move, "move")
        message, sig = signed_bytes("move", body), bytes.fromhex(file.sig)
        last = set(asked(again.state)) == {move.seat, *again.waiting}
        if again.state.round and last and len(again.waiting) == 0:
            _close_alone(again, file, move, times)
            signs = 2  # receipt and entry; private parts as they come
            begin = time.perf_counter()
            assert keys.verify(again.table.keys[move.seat], sig, message)
            times["verify"].append(time.perf_counter() - begin)
            told = sum(len(parts) for parts in again.privates)
            begin = time.perf_counter()
            host.take_move(again, data)
            for seat in range(played.seats):
                host.make_view(again, seat)
            times["turn"].append(time.perf_counter() - begin - times["read"][-1])
            signs += sum(len(parts) for parts in again.privates) - told
            begin = time.perf_counter()
            for _ in range(signs):
                again.key.sign(message)
            times["bare"].append(times["verify"][-1] + time.perf_counter() - begin)
        else:
            host.take_move(again, data)
    game = played.game_id
    ratio("5. a move without signatures, with views", times["unsigned"], times["verify"], MOVE_GOAL.get(game, 1.0))
    ratio("6. a signed move, all views / bare sign and verify", times["turn"], times["bare"], TURN_GOAL.get(game, 1.6))
    ratio("13. reading the entry back before the commit", times["read"], times["verify"], READ_GOAL.get(game, 0.8))


def _close_alone(again: host.Match, file: r.MoveFile, move: r.Move, times: dict[str, list[float]]) -> None:
    """The same round without any signature: rules, draws, entry, views; then read back."""
    found = r.answer_of(move, file.sig)
    sealed = {**again.sealed, (move.round, move.seat): host.open_sealed(again, file)}
    link = again.table.host_chain.link(again.marks, move.round).hex()
    draft = r.Entry(again.table.id, move.round, again.checkpoint.head, (found,), link, public="", state="")
    begin = time.perf_counter()
    draws = partial(Dealer, secret=again.secret, faces=again.faces, secrets=sealed)
    closed = close(again.table, again.checkpoint, draft, draws)
    public = msgspec.Raw(encode(closed.checkpoint.public))
    for seat in range(again.table.seats):
        encode(r.View("", seat, again.table.envelope, (), (), public))
    done = time.perf_counter()
    times["unsigned"].append(done - begin)
    close(again.table, again.checkpoint, closed.entry, partial(Reader, given=closed.entry.ops))
    times["read"].append(time.perf_counter() - done)


def checks_of(match: host.Match) -> list[tuple[bytes, bytes, bytes]]:
    """Every signature in a game's chain, ready to be verified."""
    found: list[tuple[bytes, bytes, bytes]] = []
    for envelope in match.entries:
        body = bytes(envelope.body)
        entry = msgspec.json.decode(body, type=r.Entry)
        found.append((match.table.host, bytes.fromhex(envelope.sig), signed_bytes("entry", body)))
        for one in entry.answers:
            move = encode(r.move_of(entry.game, entry.round, entry.prev, one))
            found.append((match.table.keys[one.seat], bytes.fromhex(one.sig), signed_bytes("move", move)))
    return found


def verification(played: Played, rounds: int) -> None:
    """Goal 4."""
    data, checks = host.reveal(played.match), checks_of(played.match)
    times = common.interleave(
        {"bare": lambda: [keys.verify(*one) for one in checks], "verify": lambda: open_transcript(data)}, rounds
    )
    goal = VERIFY_GOAL.get(played.game_id, 1.6)
    ratio(f"4. verify / its {len(checks)} bare verifications", times["verify"], times["bare"], goal)


def answering(played: Played, rounds: int) -> None:
    """Goal 10: open a view in the middle of the game, check it, sign the answer."""
    again, _ = played.start()
    for data in played.moves[: len(played.moves) // 2]:
        host.take_move(again, data)
    while len(again.waiting) or len(asked(again.state)) != 1 or next(iter(asked(again.state).values())).what == "link":
        host.take_move(again, played.moves[played.moves.index(data) + 1])
        data = played.moves[played.moves.index(data) + 1]
    (seat,) = asked(again.state)
    view, key = host.make_view(again, seat), played.players[seat]
    game, checks = again.table.game, checks_of(again)
    for part in again.privates[seat]:
        checks.append((again.table.host, bytes.fromhex(part.sig), signed_bytes("private", bytes(part.body))))
    opened = open_view(view)
    move = game.bots["sensible"](again.table.terms, opened.seen, Stream(b"x" * 32).below)

    def bare() -> None:
        for one in checks:
            keys.verify(*one)
        key.sign(b"x" * 500)

    def act() -> None:
        answer(key, open_view(view), Draft(move), played.marks[seat])

    times = common.interleave({"bare": bare, "answer": act}, rounds)
    ratio(f"10. answer from a view of {len(again.entries)} rounds", times["answer"], times["bare"], 1.6)


def growth(played: Played) -> None:
    """Goal 7, the engine alone: the same moves with a history of 100 and of 2,000 entries in front."""
    found: dict[int, list[float]] = {}
    half = len(played.moves) // 2
    for length in (100, 2_000):
        again, _ = played.start()
        for data in played.moves[:half]:
            host.take_move(again, data)
        filler: Envelope = again.entries[-1]
        again.entries[:0] = [filler] * (length - len(again.entries))
        found[length] = []
        for data in played.moves[half:]:
            begin = time.perf_counter()
            host.take_move(again, data)
            found[length].append(time.perf_counter() - begin)
    ratio("7. a move after 2,000 entries / after 100", found[2_000], found[100], 1.1)


def sizes(played: Played) -> None:
    """Goal 8."""
    lengths: list[Any] = sorted(len(encode(envelope)) for envelope in played.match.entries)
    middle = lengths[len(lengths) // 2]
    goal = SIZE_GOAL.get(played.game_id, 3.5)
    print(f"  8. bytes of the median entry: {middle}, {middle / 261:.2f} times 261 (goal <= {goal})")


def main(rounds: int = 15, *only: str) -> None:
    for game_id in only or GAMES:
        played = Played(game_id)
        print(f"\n{game_id}, 4 players, {played.match.state.round} rounds")
        verification(played, rounds)
        one_move(played)
        answering(played, rounds)
        growth(played)
        sizes(played)


if __name__ == "__main__":
    main(*(int(text) if text.isdigit() else text for text in sys.argv[1:]))  # type: ignore[arg-type]
