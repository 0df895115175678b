"""What attacks on the protocol found: an honest host that could be framed, and offences that could hide."""

import msgspec
import pytest
from msgspec.structs import replace
from referee.games.auction import Bid, Play, Raid

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import LONGEST
from referee.engine import records as r
from referee.engine.answers import decode_whole, seen
from referee.engine.book import Book, Fault
from referee.engine.dealer import Dealer
from referee.engine.draws import Source
from referee.engine.player import open_view
from referee.engine.reader import Owner, Reader
from referee.engine.seats import rests
from referee.errors import CheckFailed, IllegalMove, Malformed, RefereeError, RulesFault
from referee.evidence.compare import compare, refusals
from referee.evidence.replay import open_transcript
from referee.io.gamefile import open_match
from referee.language import t
from tests.campaign.posting import signed_again
from tests.engine.attacks import refusal
from tests.support.match import Sitting, code_of, other_program


def at(what: str, seed: str = "found") -> Sitting:
    return Sitting("auction", 3, seed).until(what)


def codes(found: list[CheckFailed]) -> list[str]:
    return [error.code for error in found]


def test_two_signatures_under_one_move_are_one_move():
    """A player signs the same bytes twice: both copies are the accepted answer, also after the round."""
    sitting = at("bid")
    data = sitting.signed(0)
    first = sitting.give(data)
    twice = signed_again(sitting, 0, data)
    assert twice != data
    receipts = [first.receipt, sitting.give(twice).receipt]
    sitting.others(0)
    receipts.append(sitting.give(twice).receipt)
    assert compare([sitting.opened(0), *receipts]) == ([], [])


def asleep() -> Sitting:
    sitting = at("bid")
    while not rests(sitting.state):
        sitting.step(*sitting.asked)
    return sitting


def test_a_transcript_of_a_game_that_rested_says_nothing_about_later_rounds():
    sitting = asleep()
    early = open_transcript(sitting.fork().transcript())
    sitting.step(1, 2)
    sitting.to_end()
    assert codes(compare([early, sitting.opened(0), sitting.opened(1)])[0]) == []


def test_a_revealed_game_accepts_no_more_moves():
    """The refusal accuses nobody, neither for a move that was accepted before nor for one that would be legal."""
    sitting = at("bid")
    data = sitting.signed(0)
    receipts = [sitting.give(data).receipt]
    sitting.others(0)
    while not rests(sitting.state):
        sitting.step(*sitting.asked)
    waiting = sitting.signed(sitting.asked[0])
    sitting.transcript()
    judged = [sitting.give(data), sitting.give(waiting)]
    assert judged[1].code == "revealed"
    receipts += [one.receipt for one in judged if one.receipt]
    files = [*receipts, decode(data, r.MoveFile, "move"), decode(waiting, r.MoveFile, "move")]
    for seat in range(3):
        assert codes(compare([sitting.opened(seat), *files])[0]) == []
        assert codes(refusals(sitting.opened(seat), files)) == []


def test_a_kept_choice_that_was_not_the_one_sent():
    """A player signs two choices; the program keeps the second, and the first reaches the host."""
    sitting = at("raid")
    (seat,) = sitting.asked
    known = seen(sitting.table.game, sitting.state, sitting.match.checkpoint.public, seat, sitting.match.faces)
    one, other = (Raid((seat + 1) % 3, card) for card in known.hand("hand")[:2])
    assert one.card != other.card
    first = sitting.signed(seat, move=one)
    sitting.signed(seat, move=other)
    sitting.give(first)
    assert code_of(lambda: sitting.opened(seat)) == "ok"


@pytest.mark.parametrize(
    "changes",
    [
        {"bags": lambda terms: {"pile": ["99"] * 14}},
        {"bags": lambda terms: {"pile": ["99"] * 13}},
        {"seats": (4, 5)},
        {"hands": ("hand", "other")},
        {"apply": lambda *how: None},
        {"setup": lambda *how: None},
    ],
)
def test_rules_that_differ_under_one_version_decide_nothing(changes):
    sitting = at("guess").to_end()
    with other_program("auction", **changes):
        assert code_of(lambda: open_view(sitting.view(0))) == "undecided"
        assert code_of(lambda: open_transcript(sitting.transcript())) == "undecided"
    assert code_of(lambda: open_transcript(sitting.transcript())) == "ok"


def test_a_host_with_other_rules_closes_no_round():
    """Its rules could lead somewhere other than the agreed ones, and the host would be blamed."""
    sitting = at("play")
    sitting.others(0)
    data, number = sitting.signed(0), sitting.round
    with other_program("auction"):
        judged = sitting.give(data)
    assert (judged.code, judged.receipt, sitting.round) == ("other-rules", None, number)
    assert sitting.give(data).code == "taken"
    assert sitting.round == number + 1


def test_contradicting_refusals_hide_nothing():
    """A player gets a receipt for an answer, and later a refusal because it is late; the entry says that none came."""
    sitting = at("play")
    data = sitting.signed(1)
    receipts = [refusal(sitting, data, code) for code in ("answered", "stale", "illegal")]
    sitting.step(1)
    for order in (receipts, receipts[::-1]):
        assert "answered-and-timed-out" in codes(compare([sitting.opened(0), *order])[0])


def test_a_seat_that_learns_nothing_gets_no_private_part():
    """Nothing is dealt, and a search finds nothing: everybody can read that."""
    game = Sitting("auction", 3, "none").table.game

    def setup(terms, draws, words):
        step = game.setup(terms, draws, words)
        draws.deal("pile", 0, "hand/0")
        draws.seek(1, "card", "pile", "hand/1", ["99"])
        return step

    def apply(terms, public, pending, moves, draws):
        draws.deal("pile", 0, "hand/0")
        return game.apply(terms, public, pending, moves, draws)

    with other_program("auction", same_code=True, setup=setup, apply=apply):
        sitting = Sitting("auction", 3, "none").to_end()
        assert [code_of(lambda seat=seat: sitting.opened(seat)) for seat in range(3)] == ["ok"] * 3
        transcript = open_transcript(sitting.transcript())
        assert compare([transcript, *(sitting.opened(seat) for seat in range(3))]) == ([], [])


def sought(sitting: Sitting, kind: type[Dealer], ranking: list[str]) -> str:
    """Seat 1 searches the pile; what it finds when it reads that back."""
    table, state = sitting.table, sitting.state
    book, mirror = (Book(state.book, table.genesis.hands, 3) for _ in range(2))
    source = Source(table.game, table.id, table.seating, book, bytes(32), {})
    dealer = kind(source, sitting.match.secret, sitting.match.faces, {})
    owner = Owner(0, {})
    dealer.seek(0, "card", "pile", "hand/0", ranking)
    dealer.finish()
    owner.faces, owner.openings = dict(sitting.opened(0).owner.faces), list(dealer.openings[0])
    reader = Reader(source._replace(book=mirror), tuple(dealer.ops), owner)
    try:
        reader.seek(0, "card", "pile", "hand/0", ranking)
        reader.finish()
    except Fault as fault:
        return fault.code
    return "ok" if mirror.record() == book.record() else "another book"


def test_an_unrequested_token_is_noticed_by_its_recipient():
    class Cheat(Dealer):
        def _sought(self, seat, field, bag, fixed):
            return tuple(slot for slot in self.book.content(bag) if self._face(slot) not in fixed)[:1]

    sitting = at("bid")
    lowest = min(sitting.match.faces[slot] for slot in sitting.state.book.bags["pile"].slots)
    assert sought(sitting, Dealer, [lowest]) == "ok"
    assert sought(sitting, Cheat, [lowest]) == "false-gift"


class Memo(msgspec.Struct, frozen=True, tag="bid", tag_field="do"):
    """A bid with a text of any length."""

    amount: int = 0
    text: str = ""


def test_an_entry_that_nobody_could_read_is_not_committed():
    sitting = at("bid")
    game = sitting.table.game
    changes = {
        "move": Memo,
        "check": lambda *_: None,
        "apply": lambda terms, public, pending, moves, draws: game.setup(terms, draws),
    }
    sitting.match.table.game = replace(game, **changes)
    entries = len(sitting.match.entries)
    judged = [sitting.give(sitting.signed(seat, move=Memo(1, "x" * (LONGEST * 2 // 5)))) for seat in range(3)]
    assert [one.code for one in judged] == ["taken", "taken", "rules-failed"]
    assert len(sitting.match.entries) == entries


def test_an_auditor_without_memory_accuses_nobody():
    sitting = at("play")
    view = sitting.view(0)

    def full(*how):
        raise MemoryError

    with other_program("auction", same_code=True, setup=full), pytest.raises(MemoryError):
        open_view(view)


def test_a_move_that_the_rules_cannot_judge_is_refused_by_both_sides():
    """The host refuses it, and the player cannot show that it was legal."""
    sitting = at("bid")

    def check(terms, known, move):
        raise KeyError("anything")

    data = sitting.signed(0, move=Bid(1))
    with other_program("auction", same_code=True, check=check):
        sitting.match = open_match(sitting.file(), sitting.host)
        judged = sitting.give(data)
        assert isinstance(judged.error, RefereeError)
        files = [decode(data, r.MoveFile, "move"), *([judged.receipt] if judged.receipt else [])]
        assert codes(refusals(sitting.opened(0), files)) == []


def test_losing_a_sealed_part_in_transit_does_not_count_as_a_refusal():
    sitting = at("bid")
    data = sitting.signed(0)
    file = decode(data, r.MoveFile, "move")
    refused = sitting.give(encode(replace(file, sealed="")))
    taken = sitting.give(data)
    assert (refused.code, refused.receipt, taken.code) == ("damaged", None, "taken")
    files = [taken.receipt, file]
    sitting.others(0)
    assert compare([sitting.opened(0), files[0]]) == ([], [])
    assert codes(refusals(sitting.opened(0), files)) == []


def test_a_card_that_is_not_held_cannot_be_laid_out():
    """The dealer finds nothing to open, so such an entry is never made."""
    sitting = at("play")
    hand = {*sitting.opened(0).owner.faces.values()}
    face = next(face for face in sorted(sitting.state.book.inside) if face not in hand)
    sitting.match.table.game = replace(sitting.table.game, check=lambda *_: None)
    sitting.others(0)
    judged = sitting.give(sitting.forced(0, Play(face)))
    assert judged.code == "rules-failed"


def test_a_host_with_other_rules_judges_nothing():
    """After an upgrade in the middle of a game nothing is refused or accepted by rules that are not the game's."""
    sitting = at("bid")
    data = sitting.signed(0, move=Bid(3))

    def harder(terms, seen, move):
        raise IllegalMove("TA-4", t("a new house rule"))

    for other in (harder, lambda *_: None):
        with other_program("auction", check=other):
            verdict = sitting.fork().give(data)
        assert (verdict.code, verdict.receipt) == ("other-rules", None)
    assert sitting.give(data).code == "taken"


def test_a_host_who_went_back_to_a_backup_and_does_the_same_again_is_honest():
    sitting = at("bid")
    backup = sitting.file()
    moves = [sitting.signed(seat) for seat in sitting.asked]
    for move in moves:
        sitting.give(move)
    seat = sitting.asked[0]
    newest = sitting.signed(seat)
    sitting.match = open_match(backup, sitting.host)
    first = sitting.give(newest)
    assert first.code == "early"
    for move in moves:
        sitting.give(move)
    second = sitting.give(newest)
    assert second.code == "taken"
    opened = sitting.opened(seat)
    assert compare([opened, first.receipt, second.receipt]) == ([], [])
    assert refusals(opened, [decode(newest, r.MoveFile, "move"), first.receipt]) == []


def test_fields_that_play_does_not_decode_are_still_checked():
    """In a round that ends by leaving, nothing is played: an answer that is not our JSON is noticed all the same."""
    sitting = at("bid")
    spelt = msgspec.Raw(b'{ "do" : "bid" }')
    commit = decode(bytes(decode(sitting.signed(0), r.MoveFile, "move").body), r.Move, "move").commit
    odd = decode(sitting.forced(0, Bid(1), answer=spelt, commit=commit), r.MoveFile, "move")
    sitting.match.waiting[0] = odd
    for seat in (1, 2):
        sitting.give(sitting.signed(seat, resign=True))
    assert sitting.state.end == "left"
    assert [code_of(lambda seat=seat: sitting.opened(seat)) for seat in range(3)] == ["bad-entry"] * 3


class Loose(msgspec.Struct, tag="loose", tag_field="do"):
    """A move whose types have no bounds, as a third-party game may have."""

    number: int | float = 0
    more: dict[str, int] = {}


@pytest.mark.parametrize("value", [b'"number":0.5', b'"number":%d' % 2**60, '"more":{"ä":1}'.encode()])
def test_the_host_refuses_what_no_reader_accepts(value):
    """... although the game's own types would: otherwise one well-formed move would frame the host."""
    game = replace(at("bid").table.game, move=Loose)
    field, _, rest = value.partition(b":")
    other = b'"number":0' if field == b'"more"' else b'"more":{}'
    parts = sorted((value, other))
    open_fields = b'{"do":"loose",' + b",".join(parts) + b"}"
    with pytest.raises(Malformed):
        decode_whole(game, open_fields, {})
    secret = r.Secret("00" * 32, msgspec.Raw(rest))
    with pytest.raises(Malformed):
        decode_whole(game, b'{"do":"loose",' + other + b"}", {field.strip(b'"').decode(): secret})
    plain = b'{"do":"loose","more":{},"number":7}'
    assert decode_whole(game, plain, {}) == Loose(7)


def test_a_token_that_others_could_recognise_does_not_leave_unseen():
    """In "everybody passes a card to the left" a card that just came must not go on: its giver would see it go."""
    sitting = at("raid")
    state, match = sitting.state, sitting.match
    book = Book(state.book, ("hand",), 3)
    seats = {seat: r.Held(seat, 9, msgspec.Raw(b"{}"), {"card": "00" * 32}) for seat in range(3)}
    faces = {seat: seen(match.table.game, state, None, seat, match.faces).hand("hand") for seat in range(3)}
    sealed = {(9, seat): {"card": r.Secret("00" * 32, msgspec.Raw(encode(faces[seat][0])))} for seat in range(3)}
    source = Source(match.table.game, match.table.id, match.table.seating, book, bytes(32), seats)
    dealer = Dealer(source, match.secret, match.faces, sealed)
    dealer.give(0, "card", 1, "hand/0", "hand/1")
    with pytest.raises(RulesFault, match="recognised"):
        dealer.give(1, "card", 1, "hand/1", "hand/2")
    dealer.give(2, "card", 1, "hand/2", "pile")
    with pytest.raises(RulesFault, match="recognised"):
        dealer.seek(0, "card", "pile", "hand/0", ())
