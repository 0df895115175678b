"""Nobody honest can be framed: true parts in the wrong places, half-truths, and apparent contradictions."""

import itertools

import msgspec
import pytest
from msgspec.structs import replace
from referee.games.auction import Bid, Raid

from referee.crypto.codec import H, encode
from referee.crypto.envelope import Envelope, ident, sign, signed_bytes
from referee.engine import records as r
from referee.errors import Malformed
from referee.evidence import proofs as p
from referee.evidence.court import judge_proof, read_proof
from tests.campaign.posting import signed_again
from tests.engine.attacks import refusal
from tests.engine.variants import variants
from tests.evidence.honest import judged, refusal_proof, round_proof, rounds_of, transcript_proof
from tests.independent import ed25519
from tests.support.consult import consult
from tests.support.match import Sitting, cheating, decode, lied, other_program

GAMES = ("auction", "mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


def again(key: bytes, kind: str, envelope: Envelope) -> Envelope:
    """The same bytes with another valid signature."""
    message = signed_bytes(kind, bytes(envelope.body))
    scalar, prefix = ed25519._expand(key)
    number = ed25519._hash(prefix, b"once more", message) % ed25519.L
    point = ed25519._encode(ed25519._times(number, ed25519._base()))
    k = ed25519._hash(point, ed25519.public_key(key), message) % ed25519.L
    return replace(envelope, sig=(point + ((number + k * scalar) % ed25519.L).to_bytes(32, "little")).hex())


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    """An honest game with hidden hands, sealed answers and a late player."""
    one = Sitting("auction", 3, "traps").until("play")
    one.step(1)
    one.step()
    return one.until("bid")


@pytest.fixture(scope="module")
def other() -> Sitting:
    """Another game of the same host and the same players."""
    return Sitting("auction", 3, "traps", deadline=60).until("play").until("bid")


@pytest.mark.parametrize("game", GAMES)
def test_every_round_of_an_honest_game_shows_nothing(game):
    one = Sitting(game, 3, "honest").until(8)
    found = [judged(proof) for proof in rounds_of(one)]
    assert len(found) >= 24
    assert {(verdict.verdict, verdict.code, verdict.key) for verdict in found} == {(p.ALTERED, "no-offence", "")}


@pytest.mark.parametrize("name", ["state", "public"])
def test_a_proof_holds_only_values_that_all_readers_agree_on(sitting, name):
    proof = round_proof(sitting.opened(0), 4)
    assert judge_proof(read_proof(encode(proof))).verdict == p.ALTERED
    for value in (b'{"a":1.5}', b'{"a":9007199254740992}', '{"\u00e9":1}'.encode()):
        with pytest.raises(Malformed):
            read_proof(encode(replace(proof, **{name: msgspec.Raw(value)})))


def test_another_signature_over_the_same_bytes_is_not_a_second_statement(sitting):
    view = sitting.opened(0).view
    entry, genesis = view.entries[2], view.genesis
    twin = again(sitting.host.seed, "entry", entry)
    assert twin.sig != entry.sig
    assert judged(p.TwoEntries(p.PROOF_FILE, genesis, (entry, twin))).code == "no-offence"
    twin = again(sitting.host.seed, "genesis", genesis)
    assert judged(p.TwoGeneses(p.PROOF_FILE, genesis, twin)).code == "no-offence"
    proof = round_proof(sitting.opened(0), 3)
    assert judged(replace(proof, before=again(sitting.host.seed, "entry", proof.before))).code == "no-offence"
    move = sitting.signed(0, move=Bid(1))
    fork = sitting.fork()
    receipts = [fork.give(move).receipt, fork.give(signed_again(sitting, 0, move)).receipt]
    twin = again(sitting.host.seed, "receipt", receipts[0])
    for pair in (receipts, (receipts[0], twin)):
        assert judged(p.Receipts(p.PROOF_FILE, genesis, tuple(pair))).verdict == p.ALTERED


def test_parts_of_two_games_do_not_belong_together(sitting, other):
    """Each part of a proof exchanged for the one of another game of the same host and players."""
    tried = 0
    for number in (1, 2, 3, 4):
        mine, theirs = (round_proof(one.opened(0), number) for one in (sitting, other))
        for field in msgspec.structs.fields(mine):
            if getattr(mine, field.name) != getattr(theirs, field.name):
                tried += 1
                mixed = replace(mine, **{field.name: getattr(theirs, field.name)})
                assert judged(mixed).verdict != p.PROVED, (number, field.name)
    assert tried > 10
    one, two = sitting.opened(0).view, other.opened(0).view
    assert judged(p.TwoEntries(p.PROOF_FILE, one.genesis, (one.entries[1], two.entries[1]))).verdict == p.ALTERED
    assert judged(p.TwoGeneses(p.PROOF_FILE, one.genesis, two.genesis)).verdict == p.ALTERED
    receipt = sitting.fork().give(sitting.signed(0)).receipt
    for entry in two.entries:
        assert judged(p.Receipts(p.PROOF_FILE, two.genesis, (receipt,), entry)).verdict == p.ALTERED


def test_rounds_of_one_game_in_false_places(sitting):
    """Entries, states, positions, private parts and tokens of every round put into the proof of every other."""
    opened = sitting.opened(0)
    proofs = [round_proof(opened, number) for number in range(1, opened.round + 1)]
    others = [round_proof(sitting.opened(seat), number) for seat in (1, 2) for number in range(1, opened.round + 1)]
    tried = 0
    for proof in proofs:
        for strange in (*proofs, *others):
            for name in ("before", "state", "public", "tokens", "sealed", "privates", "entry"):
                if getattr(proof, name) != getattr(strange, name):
                    tried += 1
                    mixed = replace(proof, **{name: getattr(strange, name)})
                    assert judged(mixed).verdict != p.PROVED, (tried, name)
    assert tried > 400


def test_halves_of_the_truth_are_undecided(sitting):
    """A chain cut short, or knowledge left out: the verdict says what is missing."""
    proof = round_proof(sitting.opened(0), 4)
    for less in ({"before": None}, {"state": r.NOTHING}, {"public": r.NOTHING}):
        found = judged(replace(proof, **less))
        assert (found.verdict, found.code) == (p.UNDECIDED, "undecided")
        assert "round 3" in str(found.next)
    for at in range(len(proof.tokens)):
        assert judged(replace(proof, tokens=proof.tokens[:at])).code == "no-offence"
    assert judged(replace(proof, privates=(), tokens=(), sealed=())).code == "no-offence"


def test_tokens_and_states_that_nobody_committed_to(sitting):
    proof = round_proof(sitting.opened(0), 3)
    assert proof.tokens
    first = proof.tokens[0]
    face = "14" if first.face == "13" else "13"
    for token in (replace(first, face=face), replace(first, salt="00" * 32), replace(first, slot="pile.0.0", salt="")):
        assert judged(replace(proof, tokens=(token, *proof.tokens[1:]))).code == "mixed-proof"
    assert judged(replace(proof, tokens=(*proof.tokens, first))).code == "mixed-proof"
    state = decode(bytes(proof.state), r.State, "state")
    for change in ({"acc": "00" * 32}, {"pending": ()}, {"missed": (9, 9, 9)}, {"end": "void"}):
        assert judged(replace(proof, state=msgspec.Raw(encode(replace(state, **change))))).code == "mixed-proof"


def test_a_host_of_another_key_is_accused_alone(sitting):
    """Mallory starts a game with the real names and cheats in it: that names Mallory's key, and nobody else's."""
    mallory = Sitting("auction", 3, "mallory").until("play")
    with cheating(lie=lambda table, closed: lied(table, closed, end="void")):
        mallory.step()
    view = decode(mallory.view(0), r.View, "view")
    honest = sitting.opened(0).view
    proof = p.BadRound(p.PROOF_FILE, honest.genesis, entry=view.entries[-1])
    assert judged(proof).verdict == p.ALTERED, "signed by another key than the genesis names"
    forged = replace(honest.genesis, sig=view.genesis.sig)
    assert judged(replace(proof, genesis=forged)).verdict == p.ALTERED


def test_a_true_proof_under_another_name(sitting):
    """What is signed names the players; whoever changes a name has a file that nobody signed."""
    fork = sitting.fork()
    fork.step()
    one, two = sitting.fork(), fork
    one.step(1)
    entries = tuple(decode(each.view(0), r.View, "view").entries[-1] for each in (one, two))
    proof = p.TwoEntries(p.PROOF_FILE, one.table.envelope, entries)
    assert judged(proof).verdict == p.PROVED
    data = encode(proof).replace(b'"Anna"', b'"Olga"')
    assert data != encode(proof)
    assert judge_proof(read_proof(data)).verdict == p.ALTERED


def test_refusals_that_say_nothing_of_the_move(sitting):
    """A second or late answer gets a receipt, which proves nothing; a broken box gets none."""
    one = sitting.fork()
    good, second = one.signed(0, move=Bid(1)), one.signed(0, move=Bid(2))
    stripped = one.give(encode(replace(decode(good, r.MoveFile, "move"), sealed="")))
    assert (stripped.code, stripped.receipt) == ("damaged", None)
    receipts = [one.give(data) for data in (good, second)]
    assert [judged_.code for judged_ in receipts] == ["taken", "answered"]
    opened = one.opened(0)
    for data, found in zip((good, second), receipts, strict=True):
        file = decode(data, r.MoveFile, "move")
        proof = refusal_proof(opened, Envelope(file.body, file.sig, file.type), found.receipt)
        assert judged(proof).verdict != p.PROVED
    one.others(0)
    stale = one.give(second)
    assert stale.code == "stale"
    file = decode(second, r.MoveFile, "move")
    assert (
        judged(refusal_proof(one.opened(0), Envelope(file.body, file.sig, file.type), stale.receipt)).verdict
        != p.PROVED
    )
    entry = decode(one.view(0), r.View, "view").entries[-1]
    for found in (*receipts, stale):
        assert judged(p.Receipts(p.PROOF_FILE, one.table.envelope, (found.receipt,), entry)).verdict == p.ALTERED


def test_a_refusal_needs_all_that_its_player_knew(sitting):
    """A legal move that was refused: with less than the whole hand, or without what was sealed, nothing is decided."""
    one = Sitting("auction", 3, "refusals").until("raid")
    (seat,) = one.asked
    opened = one.opened(seat)
    card = consult(opened, lambda terms, seen: seen.hand("hand")[0])
    data = one.signed(seat, move=Raid((seat + 1) % 3, card))
    file = decode(data, r.MoveFile, "move")
    move = Envelope(file.body, file.sig, file.type)
    proof = refusal_proof(one.opened(seat), move, refusal(one, data, "illegal"))
    assert judged(proof).code == "refused-though-legal"
    assert judged(replace(proof, sealed=())).verdict == p.UNDECIDED
    for at in range(len(proof.tokens)):
        assert judged(replace(proof, tokens=(*proof.tokens[:at], *proof.tokens[at + 1 :]))).verdict == p.UNDECIDED
    for code in ("early", "revealed", "stale", "answered", "taken"):
        assert judged(replace(proof, receipt=refusal(one, data, code))).verdict == p.ALTERED
    misfit = replace(proof, receipt=refusal(one, data, "bad-commitment"))
    assert judged(misfit).code == "refused-though-legal"
    who = f"{one.players[seat].name} (seat {seat + 1})"
    for less, needed in (
        ({"ephemeral": ""}, f"the key with which {who} encrypted this move, as that player's program kept it"),
        ({"ephemeral": "ab" * 32}, f"what {who} really encrypted: this key and these fields give a different"),
        ({"sealed": ()}, f"what {who} sealed in this move, as that player's program kept it"),
    ):
        found = judged(replace(misfit, **less))
        assert (found.verdict, found.code) == (p.UNDECIDED, "undecided")
        assert str(found.next).startswith(f"needed: {needed}")
    stranger = sign(one.players[0], "receipt", decode(bytes(proof.receipt.body), r.Receipt, "receipt"))
    assert judged(replace(proof, receipt=stranger)).verdict == p.ALTERED


def test_by_other_rules_nothing_is_proved_that_needs_rules():
    sitting = Sitting("auction", 3, "code").until("play")
    fork = sitting.fork()
    with cheating(lie=lambda table, closed: lied(table, closed, end="void")):
        sitting.step()
    before = fork.opened(0)
    view = decode(sitting.view(0), r.View, "view")
    where = {
        "before": view.entries[-2],
        "state": msgspec.Raw(encode(before.chain.checkpoint.state)),
        "public": msgspec.Raw(encode(before.chain.checkpoint.public)),
    }
    proof = p.BadRound(p.PROOF_FILE, view.genesis, **where, entry=view.entries[-1])
    fork.step(1)
    two = p.TwoEntries(p.PROOF_FILE, view.genesis, (view.entries[-1], decode(fork.view(0), r.View, "view").entries[-1]))
    assert judged(proof).code == "rule-broken"
    with other_program("auction"):
        found = judged(proof)
        assert (found.verdict, found.code, found.key) == (p.UNDECIDED, "undecided", "")
        assert "rules 1" in str(found.next)
        assert judged(two).verdict == p.PROVED, "that needs no rules"


def test_players_commit_no_offence_by_signing_twice(sitting):
    """Two answers of one player: there is no proof that could hold them, and a dispute shows nothing."""
    one = sitting.fork()
    first, second = one.signed(0, move=Bid(1)), one.signed(0, move=Bid(2))
    one.give(first)
    one.others(0)
    for data in (first, second):
        assert one.give(data).code in ("repeated", "stale")
    moves = tuple(decode(data, r.MoveFile, "move") for data in (first, second))
    envelopes = tuple(Envelope(move.body, move.sig, move.type) for move in moves)
    for proof in (
        p.TwoEntries(p.PROOF_FILE, one.table.envelope, envelopes),
        p.Receipts(p.PROOF_FILE, one.table.envelope, envelopes),
    ):
        assert judged(proof).verdict == p.ALTERED


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_a_transcript_of_an_honest_game_shows_nothing_in_any_part(game):
    whole = transcript_proof(Sitting(game, 3, "whole").to_end().transcript())
    assert judged(whole).code == "no-offence"
    for step in (0, 1, 5, len(whole.entries) - 1):
        sealed = tuple(one for one in whole.sealed if one.round <= step)
        cut = replace(whole, entries=whole.entries[:step], sealed=sealed)
        assert judged(cut).code == "no-offence"
        assert judged(replace(cut, secret="00" * 32)).code == "bad-secret"
        assert judged(replace(cut, entries=whole.entries[1 : step + 1])).verdict == p.ALTERED
        if sealed:
            assert judged(replace(cut, sealed=sealed[1:])).code == "bad-sealed"


@pytest.mark.parametrize("game", GAMES)
def test_states_of_a_hosts_own_making_do_not_stop_the_judge(game):
    """A host and its friends sign over a state that no game leads to, and show it to an arbiter: it gets a verdict."""
    sitting = Sitting(game, 3, "made up").until(6)
    opened = sitting.opened(0)
    honest = round_proof(opened, 6)
    before = decode(bytes(honest.before.body), r.Entry, "entry")
    entry = decode(bytes(honest.entry.body), r.Entry, "entry")
    state = decode(bytes(honest.state), r.State, "state")
    found = []
    for _, other in itertools.islice(variants(state), 0, None, 3):
        data = encode(other)
        one = sign(sitting.host, "entry", replace(before, state=H("state", bytes.fromhex(before.game), data).hex()))
        head = ident("entry", bytes(one.body))
        moves = [r.move_of(entry.game, entry.round, head, answer) for answer in entry.answers]
        sigs = [sign(sitting.players[move.seat], "move", move).sig for move in moves]
        answers = tuple(replace(answer, sig=sig) for answer, sig in zip(entry.answers, sigs, strict=True))
        two = sign(sitting.host, "entry", replace(entry, prev=head, answers=answers))
        made = {"before": one, "entry": two, "state": msgspec.Raw(data), "tokens": (), "privates": ()}
        found.append(judge_proof(replace(honest, **made)))
    assert len(found) > 10
    assert {verdict.verdict for verdict in found} <= {p.PROVED, p.ALTERED, p.UNDECIDED}
    assert all(verdict.key in ("", sitting.host.public.hex()) for verdict in found)
    assert len({verdict.code for verdict in found}) > 1, "not all of them fail at the door"
