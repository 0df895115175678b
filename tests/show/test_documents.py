"""Every document in words, line by line: known and unknown games, and what nobody may read."""

import json

import pytest
from referee.games.auction import Bid

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.player import sign_word
from referee.evidence import proofs as p
from referee.evidence.rulings import make_claim, make_ruling
from referee.show import documents, terminal
from tests.engine.attacks import refusal
from tests.support.match import Sitting, chance


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    """Everybody is asked for a bid, which is sealed."""
    return Sitting("auction", 3, "documents", deadline=0).until("bid")


def nothing(game: str) -> None:
    return None


def known(sitting: Sitting) -> documents.KnownTable:
    return {sitting.table.id: sitting.table}.get


def hidden(move: r.Move) -> r.Secrets:
    return {}


def test_terms_say_what_everybody_agrees_to(sitting: Sitting) -> None:
    offer = sitting.table.offer
    lines = documents.terms_in_words(offer).splitlines()
    assert lines[0] == f"{sitting.table.game.title} for 3 players, rules {offer.rules}"
    assert lines[-3:] == [
        "  edition: the one that comes with the game",
        "  no deadlines: nobody is ever timed out; a game that stalls can only be abandoned, without a result",
        f"  host's key {offer.key[:16]}",
    ]  # fmt: skip
    one = Sitting("auction", 3, "terms", deadline=4320)
    assert "  deadline: 3 days for each answer; then the game goes on without it" in documents.terms_in_words(
        one.table.offer
    )
    common = Sitting("auction", 3, "terms", common="deal", deadline=0).table.offer
    assert any(str(documents.COMMON_CHANCE) in line for line in documents.terms_in_words(common).splitlines())


def test_an_offer_and_a_join(sitting: Sitting) -> None:
    lines = documents.offer_lines(encode(sitting.offer))
    assert lines[0] == f"an offer ({sitting.table.offer_id[:8]}), signed by its host"
    assert lines[1:] == documents.terms_in_words(sitting.table.offer).splitlines()
    key = sitting.players[0].public.hex()[:16]
    told = f"Anna's join for offer {sitting.table.offer_id[:8]}, signed with the key {key}"
    assert documents.join_lines(encode(sitting.joins[0])) == [told]


def test_a_move_for_its_player_for_the_table_and_for_strangers(sitting: Sitting) -> None:
    data = sitting.signed(1, move=Bid(2))
    file = decode(data, r.MoveFile, "move")
    name, game = ident("move", bytes(file.body))[:6], sitting.table.id[:8]
    at = f"in round {sitting.round + 1} of {sitting.table.game.title}, game {game}"
    lines = documents.move_lines(data, known(sitting), hidden)
    assert lines[0] == f"a signed move ({name}) by Bert {at}"
    fields = ", ".join(sorted(json.loads(bytes(file.body))["commit"]))
    assert lines[-1] == f"  sealed for the host alone: {fields}; nobody else can read them"
    assert lines[1].startswith("  it says: {"), "a stranger sees the open part as it stands"
    strange = documents.move_lines(data, nothing, hidden)
    assert strange[0] == f"a signed move ({name}) by seat 2 in round {sitting.round + 1} of game {game}"
    first = Sitting("auction", 3, "ack", deadline=0)
    assert documents.move_lines(first.signed(0), known(first), hidden)[1] == "  it says: I agree to the game"
    leaving = sitting.signed(0, resign=True)
    assert documents.move_lines(leaving, known(sitting), hidden)[1] == "  it says: I leave the game"


def test_words_to_the_host(sitting: Sitting) -> None:
    opened = sitting.opened(0)
    data = sign_word(sitting.players[0], opened, "back")
    at = f"in round {sitting.round + 1} of {sitting.table.game.title}, game {sitting.table.id[:8]}"
    assert documents.word_lines(data, known(sitting)) == [
        f"a signed statement by Anna to the host {at}", "  it says: back",
    ]  # fmt: skip
    assert documents.word_lines(data, nothing)[0].startswith("a signed statement by seat 1 to the host in round ")


def test_receipts(sitting: Sitting) -> None:
    data = sitting.signed(2, move=Bid(1))
    name = ident("move", bytes(decode(data, r.MoveFile, "move").body))[:6]
    at = f"in round {sitting.round + 1} of {sitting.table.game.title}, game {sitting.table.id[:8]}"
    taken = sitting.fork().give(data).receipt
    assert documents.receipt_lines(encode(taken), known(sitting)) == [
        f"the host's receipt: a move ({name}) by Carla {at} was accepted"
    ]
    refused = refusal(sitting, data, "illegal")
    assert documents.receipt_lines(encode(refused), known(sitting)) == [
        f"the host's receipt: a move ({name}) by Carla {at} was refused (illegal)"
    ]


def test_transcripts() -> None:
    done = Sitting("auction", 3, "documents", deadline=0).to_end()
    result = done.state.result
    assert result is not None
    first = [name for name, rank in zip(done.table.names, result.ranks, strict=True) if rank == 1]
    lines = documents.transcript_lines(done.transcript())
    assert lines[0] == f"the transcript of a game of {done.table.game.title} ({done.table.id[:8]}), {done.round} rounds"
    assert lines[1] == "  players in seat order: Anna, Bert and Carla"
    assert lines[2] == f"  it says that {' and '.join(first)} won; nothing has been checked yet"
    assert len(lines) == 3


def test_keys() -> None:
    assert documents.key_lines("Anna", "ab", locked=False) == [
        "Anna's secret key, for signing: never send it to anyone", "  public key ab",
    ]  # fmt: skip
    assert documents.key_lines("", "ab", locked=True)[0] == (
        "somebody without a name's secret key, locked with a passphrase, for signing: never send it to anyone"
    )
    assert documents.key_lines("A" * 41, "ab", locked=False)[0].startswith("A" * 40 + "'s secret key")


def test_rulings_and_claims(sitting: Sitting) -> None:
    arbiter = Key(chance("arbiter"))
    view = decode(sitting.view(0), r.View, "view")
    files = [sitting.view(0), sitting.view(1)]
    genesis = view.genesis
    lines = documents.ruling_lines(make_ruling(arbiter, genesis, files, "Anna was late", (2, 1, 1)))
    game, public = sitting.table.id[:8], arbiter.public.hex()[:16]
    assert lines[0] == f"a ruling on game {game} by the key {public}, an opinion: no player agreed to it"
    assert lines[1:3] == ["  it says: Anna was late", "  places: Anna 2, Bert 1 and Carla 1"]
    assert lines[3].startswith("  over 2 files: ")
    alone = documents.ruling_lines(make_ruling(arbiter, genesis, files[:1], "so be it", ()))
    assert len(alone) == 3
    assert alone[2].startswith("  over 1 file: ")
    move = decode(sitting.signed(0, move=Bid(1)), r.MoveFile, "move")
    claim = make_claim(sitting.players[0], view, move, "2026-12-24T18:00Z")
    assert documents.claim_lines(claim) == [
        f"Anna's claim, signed: the move for round {sitting.round + 1} was sent at 2026-12-24 18:00 UTC; there was no "
        "deadline",
        f"  game {game}; only Anna says that it was sent then",
    ]


def test_claims_compared_with_a_deadline() -> None:
    one = Sitting("auction", 3, "due", deadline=60).until("bid")
    view, due = decode(one.view(0), r.View, "view"), one.state.due
    assert due
    move = decode(one.signed(0, move=Bid(1)), r.MoveFile, "move")
    for sent, late in ((due, False), ("2999-01-01T00:00Z", True), ("2000-01-01T00:00Z", False)):
        (told, _) = documents.claim_lines(make_claim(one.players[0], view, move, sent))
        assert told.endswith("so by the player's own account it was late, unless the host gave more time") is late
        assert "it was due " in told


def test_a_proof_says_what_it_gives_away(sitting: Sitting) -> None:
    view = decode(sitting.view(0), r.View, "view")
    about = (
        f"a proof about game {sitting.table.id[:8]} of Anna, Bert and Carla, against the key "
        f"{sitting.host.public.hex()[:16]}; not judged yet"
    )
    form = "pbem-referee/1/proof"
    bare = p.TwoEntries(form, view.genesis, (view.entries[0], view.entries[0]))
    assert documents.proof_lines(encode(bare)) == [about, "  it reveals nothing hidden"]
    whole = p.Revealed(form, view.genesis, view.entries, "ab" * 32)
    assert documents.proof_lines(encode(whole)) == [
        about, "  it reveals all secrets of the game: check whose they are before you send it",
    ]  # fmt: skip
    some = p.BadRound(format=form, genesis=view.genesis, entry=view.entries[0], privates=view.privates[:1])
    assert documents.proof_lines(encode(some)) == [
        about, "  it reveals private parts (1): check whose they are before you send it",
    ]  # fmt: skip


def test_a_view_for_programs_counts_seats_from_one(sitting: Sitting) -> None:
    found = terminal.as_data(sitting.opened(1))
    assert (found["game"], found["round"], found["you"]) == (sitting.table.id, sitting.round, 2)
    assert list(found["players"]) == ["Anna", "Bert", "Carla"]
    assert found["ask"].seat == 2
    assert [ask.seat for ask in found["waiting_for"]] == [1, 2, 3]
    assert (found["end"], found["due"], found["kept"], found["result"]) == ("", "", [], None)
    assert found["said"] == [[], [], []]
