"""The derivation of TOURNAMENT.md, calculated again with functions that share no code."""

from pathlib import Path

import pytest

from referee.crypto.keys import Key
from referee.tournament import derivation
from referee.tournament import documents as d
from referee.tournament.entrants import make_bot
from tests.independent.wire import H, below, derive

SEED = bytes(range(32))
IDS = [bytes([number]) * 32 for number in range(4)]
KEY = Key(bytes(range(1, 33)), "organiser")


def test_seeds_keys_and_nonces() -> None:
    """Section 3, line by line."""
    secret, start, *nonces = IDS
    told = derivation.seed_of(secret, start.hex(), [one.hex() for one in nonces])
    assert told == H("tournament-seed", secret, start, *nonces)
    assert derivation.host_key(SEED).seed == derive(SEED, "tournament-host")
    for copy in (0, 1):
        assert derivation.seat_key(SEED, start.hex(), copy).seed == derive(SEED, "tournament-seat", start, copy)
    for number in (0, 7, 1000):
        assert derivation.offer_nonce(SEED, number) == derive(SEED, "tournament-offer", number)
        assert derivation.deal(SEED, number) == derive(SEED, "tournament-deal", number)
        for seat in (0, 3):
            assert derivation.join_nonce(SEED, number, seat) == derive(SEED, "tournament-join", number, seat)
            assert derivation.bot_chance(SEED, number, seat) == derive(SEED, "tournament-bot", number, seat)


@pytest.mark.parametrize("many", [0, 1, 2, 5, 300])
def test_an_order_is_a_shuffle_from_the_last_down(many: int) -> None:
    stream, order = derive(SEED, "tournament-order", "seats", 4), list(range(many))
    for draw, at in enumerate(range(many - 1, 0, -1)):
        other = below(stream, draw, at + 1)
        order[at], order[other] = order[other], order[at]
    assert derivation.mixed(SEED, "seats", 4, range(many)) == order


def test_the_hash_that_stands_for_a_game() -> None:
    """Section 4."""
    told = H("tournament-record", IDS[0], 12, H("chance", IDS[1]), b"{}")
    assert derivation.leaf(IDS[0].hex(), 12, IDS[1], b"{}") == told


def test_secrets_come_from_keys() -> None:
    """Section 2: the organiser's secret is fixed there; the others keep nothing but their keys."""
    assert d.secret_of(KEY, IDS[0]) == derive(KEY.seed, "tournament-secret", IDS[0])
    stage = IDS[1].hex()
    assert d.nonce_of(KEY, stage) == derive(KEY.seed, "tournament-nonce", IDS[1])
    assert d.kept_key(KEY, stage, "one").seed == derive(KEY.seed, "tournament-entrant", IDS[1], "one")
    assert d.kept_key(KEY, stage, "one").seed != d.kept_key(KEY, stage, "two").seed


def test_the_hash_of_a_program_is_that_of_its_words_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Section 2. An interpreter is the system's; files that a word names, or that are listed, are the bot's."""
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_bytes(b"print(1)\r\n")
    Path("data.txt").write_bytes(b"data")
    words = ["/usr/bin/python3", "bot.py", "--fast"]
    bot = make_bot(words, program=True, more=["data.txt", "bot.py"], deterministic=False)
    assert (bot.files, bot.program, bot.deterministic) == (("bot.py", "data.txt"), True, False)
    content = ["bot.py", b"print(1)\r\n", "data.txt", b"data"]
    assert bot.hash == H("tournament-program", 3, *words, *content).hex()
    Path("data.txt").write_bytes(b"other")
    assert make_bot(words, program=True, more=["data.txt"]).hash != bot.hash
