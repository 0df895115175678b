"""Cheats at the black market, made on purpose with the host's real key: each is caught by its name, at its step.

The host signs all that follows consistently and honest players play on, so that nothing but the named fault is wrong.
What a player's own view can prove is found by `audit` in mid-game; the rest by `verify`, from the transcript.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import pytest

from referee.crypto import slots
from referee.crypto.codec import decode, encode
from referee.crypto.envelope import seal
from referee.engine import dealer, turn
from referee.engine.audit import audit
from referee.engine.compare import compare
from referee.engine.dealer import Dealer
from referee.engine.records import Genesis, MoveFile, Open, Seal, Sealed, Secret, Take
from referee.engine.replay import verify
from referee.engine.rounds import first_state
from referee.games.schwarzmarkt import events
from referee.games.schwarzmarkt.moves import gifts
from referee.games.schwarzmarkt.scratch import Scratch
from referee.games.schwarzmarkt.tables import ONE, add, count, goods_in, sub
from referee.games.schwarzmarkt.types import GOODS, Amounts, Collect, Find, Good, Raid, Spy, Swap, Trade
from tests.support.match import Sitting, change_transcript, fault, with_op

replace = msgspec.structs.replace
FINE = ("", None)
SEATS = range(3)


def sit() -> Sitting:
    return Sitting("schwarzmarkt", 3, "cheats 6")


@lru_cache(maxsize=16)
def _played_to(what: str) -> Sitting:
    return sit().play(1).play(lambda table: table.what == what)


def at(what: str) -> Sitting:
    """One and the same game, about to decide this for the first time."""
    table = _played_to(what).fork()
    assert table.what == what
    return table


def ended(table: Sitting) -> bytes:
    """Honest players play on for some rounds; then the host reveals M, as if the game rested there."""
    return revealed(table.play(table.round + 3))


def revealed(table: Sitting) -> bytes:
    before = table.state
    table.state = replace(before, end="rests")
    data = table.transcript()
    table.state = before
    return data


def caught(table: Sitting, code: str, later: str = "", *, who: Sequence[int] = SEATS) -> None:
    """The newest round is bad: these players see it at once and the others do not; everybody does after the end."""
    step = table.round
    for seat in SEATS:
        assert fault(audit, table.view(seat)) == ((code, step) if seat in who else FINE)
    assert fault(verify, ended(table)) == (later or code, step)
    for seat in who:
        assert fault(audit, table.view(seat))[0] == code


def only_after_the_end(table: Sitting, code: str, step: int) -> None:
    """No view can show it; the transcript does."""
    for seat in SEATS:
        assert fault(audit, table.view(seat)) == FINE
    data = ended(table)
    for seat in SEATS:
        assert fault(audit, table.view(seat)) == FINE
    assert fault(verify, data) == (code, step)


def hands(table: Sitting) -> list[Amounts]:
    return [own.goods for own in table.state.position.own]


def answer(table: Sitting, move: Any) -> int:
    """Whoever is asked gives this answer; returns the seat."""
    (seat,) = table.asked
    assert table.give(table.signed(seat, move=move)).code == "taken"
    return seat


def altered(held: Amounts) -> Amounts:
    """The same number of cards, one of them of another good."""
    gone = goods_in(held)[0]
    return add(sub(held, ONE[gone]), ONE[next(good for good in GOODS if good != gone)])


# --- honest play


def test_an_honest_game_proves_to_everybody_what_they_drew_and_took() -> None:
    table = sit()
    asked: set[str] = set()
    owed = [0, 0, 0]
    while table.round < 40:
        asked.add(table.what)
        table.others()
        for op in table.entry().ops:
            if isinstance(op, Take) and op.to >= 0:
                owed[op.to] += sum(not token.leafless for token in op.tokens)
            if isinstance(op, Seal) and op.owner >= 0:
                owed[op.owner] += len(op.leaves)
        if table.what != "trade":
            reports = [audit(table.view(seat)) for seat in SEATS]
            assert [report.own_openings for report in reports] == owed
            assert len({report.draws for report in reports}) == 1
    assert asked >= {"ack", "play", "trade", "spy", "quick", "swap", "raid", "find", "collect"}


def test_the_whole_honest_game_verifies() -> None:
    table = sit().play()
    assert fault(verify, table.transcript()) == FINE
    assert fault(compare, [*(table.view(seat) for seat in SEATS), table.transcript()]) == FINE


def test_who_takes_a_card_unseen_can_prove_which() -> None:
    table = at("collect")
    before = hands(table)
    me = answer(table, Collect((table.asked[0] + 1) % 3))
    take = next(op for op in table.entry().ops if isinstance(op, Take))
    (token,) = take.tokens
    (told,) = [one for one in table.state.openings[me] if one.slot == token.slot]
    assert (take.to, token.face, token.salt) == (me, "", "")
    assert told.face in GOODS
    assert hands(table)[me] == add(before[me], ONE[told.face])
    assert not [one for one in table.state.openings[(me + 2) % 3] if one.slot == token.slot]


# --- draws and takes: found in mid-game


def test_goods_dealt_that_are_not_those_committed() -> None:
    table = sit()
    pile = table.state.bags["goods"].slots
    faces = [table.state.faces[slot] for slot in pile]
    table.state = replace(table.state, faces=table.state.faces | dict(zip(pile, faces[1:] + faces[:1], strict=True)))
    table.others()
    caught(table, "bad-opening", "rule-broken")


def test_a_card_drawn_that_is_not_the_one_committed() -> None:
    """Only who drew it can see that; the hand is then sealed with the false card."""
    table = at("play")
    (seat,) = table.asked
    pile = table.state.bags["cards"].slots
    faces = [table.state.faces[slot] for slot in pile]
    table.state = replace(table.state, faces=table.state.faces | dict(zip(pile, faces[1:] + faces[:1], strict=True)))
    table.others()
    caught(table, "bad-opening", "bad-ops", who=[seat])


@pytest.mark.parametrize("what", ["collect", "swap"])
def test_a_card_taken_unseen_that_is_not_the_one_in_the_hand(what: str) -> None:
    table = at(what)
    (seat,) = table.asked
    target = (seat + 1) % 3
    held = table.state.bags[f"goods/{target}"].slots
    other = {good: GOODS[(at + 1) % 5] for at, good in enumerate(GOODS)}
    lies = {slot: other[table.state.faces[slot]] for slot in held}
    own = list(table.state.position.own)
    told = Amounts(**{good: list(lies.values()).count(good) for good in GOODS})
    own[target] = replace(own[target], goods=told)
    position = replace(table.state.position, own=tuple(own))
    table.state = replace(table.state, faces=table.state.faces | lies, position=position)
    mine = hands(table)[seat]
    answer(table, Collect(target) if what == "collect" else Swap(target, 1, gifts(mine, 1)[0]))
    step = table.round
    assert fault(audit, table.view(seat)) == ("bad-opening", step)
    assert fault(audit, table.view(3 - seat - target)) == FINE
    assert fault(verify, ended(table)) == ("bad-ops", step)


@pytest.mark.parametrize("what", ["play", "spy", "swap", "collect"])
def test_a_pick_other_than_the_seed_says(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = at(what)
    with monkeypatch.context() as patch:
        patch.setattr(Dealer, "_below", lambda self, n: (self._stream.below(n) + 1) % n)
        table.others()
    assert any(isinstance(op, Take) for op in table.entry().ops)
    caught(table, "bad-pick")


def test_a_deal_other_than_the_seed_says(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit()
    with monkeypatch.context() as patch:
        patch.setattr(Dealer, "_below", lambda self, n: (self._stream.below(n) + 1) % n)
        table.others()
    caught(table, "bad-pick")


def test_a_blind_take_that_is_only_written_wrong() -> None:
    table = at("collect")
    (seat,) = table.asked
    target = (seat + 1) % 3
    held = table.state.bags[f"goods/{target}"].slots
    answer(table, Collect(target))
    taken = next(op for op in table.entry().ops if isinstance(op, Take)).tokens[0].slot
    other = next(slot for slot in held if slot != taken)
    table.rewrite(lambda e: with_op(e, Take, lambda op: replace(op, tokens=(replace(op.tokens[0], slot=other),))))
    caught(table, "bad-pick")


@pytest.mark.parametrize("what", ["spy", "trade", "quick"])
def test_a_card_shown_that_is_not_the_one_in_the_hand(what: str) -> None:
    """The cards of a hand have changed their places in the host's mind."""
    table = at(what)
    (seat,) = table.asked
    target = (seat + 1) % 3 if what == "spy" else seat
    held = sorted(table.state.bags[f"goods/{target}"].slots, key=table.state.faces.__getitem__)
    faces = [table.state.faces[slot] for slot in held]
    most = max(map(faces.count, faces))
    turned = dict(zip(held, faces[most:] + faces[:most], strict=True))
    assert all(turned[slot] != table.state.faces[slot] for slot in held)
    table.state = replace(table.state, faces=table.state.faces | turned)
    if what == "spy":
        answer(table, Spy(target))
    elif what == "trade":
        legal = table.match.table.game.legal(table.match.table.terms, table.seen(seat))
        answer(table, next(c.move for c in legal if isinstance(c.move, Trade) and c.move.goods != Amounts()))
    else:
        table.others()
    assert any(isinstance(op, Open) or (isinstance(op, Take) and op.to == -1) for op in table.entry().ops)
    step = table.round
    for one in SEATS:
        assert fault(audit, table.view(one)) == ("bad-opening", step)
    assert fault(verify, revealed(table)) == ("bad-opening", step)


# --- hands: found in mid-game by their owner


def test_a_wrong_own_hand() -> None:
    table = at("trade")
    for seat in SEATS:
        own = table.state.position.own[seat]
        goods = replace(own, goods=altered(own.goods))
        cards = replace(own, cards=("offer-1", *own.cards[1:]) if own.cards[0] != "offer-1" else own.cards[:2])
        fewer = replace(own, goods=sub(own.goods, ONE[goods_in(own.goods)[0]]))
        for false in (goods, cards, fewer):
            lie = table.false_view(seat, own=msgspec.Raw(encode(false)))
            assert fault(audit, lie) == ("false-own", table.round)
        assert fault(audit, table.view(seat)) == FINE


def test_a_taken_card_that_its_taker_is_not_told_of() -> None:
    table = at("collect")
    me = answer(table, Collect((table.asked[0] + 1) % 3))
    taken = next(op for op in table.entry().ops if isinstance(op, Take)).tokens[0].slot
    told = tuple(token for token in table.state.openings[me] if token.slot != taken)
    assert len(told) == len(table.state.openings[me]) - 1
    assert fault(audit, table.false_view(me, openings=told)) == ("missing-opening", table.round)


@pytest.mark.parametrize(
    ("what", "bag"), [("play", "cards"), ("spy", "goods"), ("swap", "goods"), ("find", "goods"), ("collect", "goods")]
)
def test_a_sealed_hand_whose_leaves_do_not_fit_what_its_owner_is_told(what: str, bag: str) -> None:
    table = at(what)
    table.others()
    sealed = [op for op in table.entry().ops if isinstance(op, Seal) and op.owner >= 0 and op.bag.startswith(bag)]
    false = sealed[0]
    lie = replace(false, leaves=("ab" * 32, *false.leaves[1:]))
    table.rewrite(lambda e: replace(e, ops=tuple(lie if op == false else op for op in e.ops)))
    caught(table, "bad-opening", "bad-ops", who=[false.owner])


@pytest.mark.parametrize("what", ["spy", "swap", "find", "collect"])
def test_a_hand_sealed_with_another_content_than_its_owner_holds(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = at(what)
    honest = Scratch.seal_goods

    def stingy(s: Scratch, seat: int) -> None:
        true = s.goods[seat]
        s.goods[seat] = altered(true)
        honest(s, seat)
        s.goods[seat] = true

    with monkeypatch.context() as patch:
        patch.setattr(Scratch, "seal_goods", stingy)
        table.others()
    owners = [op.owner for op in table.entry().ops if isinstance(op, Seal) and op.owner >= 0]
    step = table.round
    for seat in SEATS:
        assert fault(audit, table.view(seat)) == (("false-own", step) if seat in owners else FINE)
    assert fault(verify, revealed(table)) == ("bad-ops", step)


# --- piles: found after the end


def false_genesis(table: Sitting, bag: str, faces: Sequence[str]) -> None:
    """Begin again with a pile sealed by the host's own arrangement, leaves and openings consistent."""
    secret, board = table.match.secret, table.match.table
    leaves = slots.leaves(secret, board.hash, bag, 0, faces)
    sealed = dict(board.genesis.leaves) | {bag: tuple(leaf.hex() for leaf in leaves)}
    genesis = seal(table.host, "genesis", Genesis(table.offer, table.joins, sealed))
    names = [slots.slot_id(bag, 0, index) for index in range(len(faces))]
    table.begin(genesis, first_state(board, secret).faces | dict(zip(names, faces, strict=True)))


@pytest.mark.parametrize("bag", ["goods", "cards"])
def test_a_stacked_pile(bag: str) -> None:
    table = sit()
    faces = [table.state.faces[slot] for slot in table.state.bags[bag].slots]
    false_genesis(table, bag, sorted(faces))
    table.play(5)
    only_after_the_end(table, "bad-bag", 0)


@pytest.mark.parametrize(
    ("bag", "gone", "instead"),
    [("goods", "sugar", "butter"), ("cards", "razzia", "offer-1"), ("cards", "limit", "joker")],
)
def test_a_pile_with_a_wrong_content(bag: str, gone: str, instead: str) -> None:
    table = sit()
    faces = [table.state.faces[slot] for slot in table.state.bags[bag].slots]
    faces[faces.index(gone)] = instead
    false_genesis(table, bag, faces)
    table.play(2)
    only_after_the_end(table, "bad-bag", 0)


@pytest.mark.parametrize("how", ["order", "content"])
def test_a_pile_shuffled_as_the_host_likes_after_neue_ware(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = at("find")
    order, content = slots.arrange, Dealer.seal

    def sorted_pile(secret: bytes, of: bytes, bag: str, *more: Any) -> list[str]:
        faces = order(secret, of, bag, *more)
        return sorted(faces) if bag == "goods" else faces

    def no_sugar(me: Any, bag: str, faces: Sequence[str], owner: int = -2) -> None:
        content(me, bag, [face.replace("sugar", "flour") for face in faces] if bag == "goods" else faces, owner)

    with monkeypatch.context() as patch:
        if how == "order":
            patch.setattr(dealer.slots, "arrange", sorted_pile)
        else:
            patch.setattr(Dealer, "seal", no_sugar)
        table.others()
    assert any(isinstance(op, Seal) and op.bag == "goods" for op in table.entry().ops)
    only_after_the_end(table, "bad-ops", table.round)


# --- rules that depend on hidden cards: found after the end


@pytest.mark.parametrize("what", ["spy", "swap", "find", "collect"])
def test_a_hand_that_comes_back_with_another_content(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Position, leaves and openings agree on the false hand."""
    table = at(what)
    honest = Scratch.seal_goods

    def exchange(s: Scratch, seat: int) -> None:
        s.goods[seat] = altered(s.goods[seat])
        honest(s, seat)

    with monkeypatch.context() as patch:
        patch.setattr(Scratch, "seal_goods", exchange)
        table.others()
    only_after_the_end(table, "bad-ops", table.round)


def _part_of_the_raid(s: Scratch, move: Raid) -> None:
    found = (move.good,) * (count(s.goods[move.target], move.good) - 1)
    s.lay_out(move.target, found)
    s.goods_under(found)
    s.log.append(f"@{s.seat} raids @{move.target} for {move.good}: {len(found)} found")


def _no_raid(s: Scratch, move: Raid) -> None:
    s.log.append(f"@{s.seat} raids @{move.target} for {move.good}: none found")


@pytest.mark.parametrize("cheat", [_part_of_the_raid, _no_raid])
def test_a_razzia_that_leaves_cards_in_the_hand(
    cheat: Callable[[Scratch, Raid], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = at("raid")
    (seat,) = table.asked
    held = hands(table)
    target, good = next((t, g) for t in SEATS if t != seat for g in GOODS if count(held[t], g) > 1)
    with monkeypatch.context() as patch:
        patch.setattr(events, "_raid", cheat)
        answer(table, Raid(target, good))
    assert count(hands(table)[target], good) > 0
    only_after_the_end(table, "bad-ops", table.round)


def test_a_razzia_that_takes_more_than_the_good_named(monkeypatch: pytest.MonkeyPatch) -> None:
    table = at("raid")
    (seat,) = table.asked
    target = (seat + 1) % 3
    good, other = goods_in(hands(table)[target])[:2]
    honest = events._raid

    def greedy(s: Scratch, move: Raid) -> None:
        honest(s, move)
        s.lay_out(target, (other,))
        s.goods_under((other,))

    with monkeypatch.context() as patch:
        patch.setattr(events, "_raid", greedy)
        answer(table, Raid(target, good))
    only_after_the_end(table, "bad-ops", table.round)


def test_a_sealed_ranking_that_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    table = at("find")
    ranking: tuple[Good, ...] = ("sugar", "butter", "flour", "coffee", "potatoes")
    before = hands(table)
    honest = events._find
    with monkeypatch.context() as patch:
        patch.setattr(events, "_find", lambda s, move: honest(s, Find(move.ranking[::-1])))
        seat = answer(table, Find(ranking))
    assert hands(table)[seat] == add(before[seat], ONE["potatoes"])
    only_after_the_end(table, "bad-ops", table.round)


def test_a_zwangstausch_that_gives_other_cards_than_were_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = at("swap")
    (seat,) = table.asked
    signed, other = gifts(hands(table)[seat], 1)[:2]
    honest = events._swap
    with monkeypatch.context() as patch:
        patch.setattr(events, "_swap", lambda s, move: honest(s, replace(move, give=other)))
        answer(table, Swap((seat + 1) % 3, 1, signed))
    only_after_the_end(table, "bad-ops", table.round)


@pytest.mark.parametrize("what", ["swap", "find"])
def test_a_sealed_answer_replaced_by_the_host(what: str) -> None:
    """The host plays, and later reveals, another sealed part than the player's; then it reveals the true one."""
    table = at(what)
    (seat,) = table.asked
    mine = gifts(hands(table)[seat], 1)
    moves = [Swap((seat + 1) % 3, 1, give) for give in mine] if what == "swap" else [Find(GOODS), Find(GOODS[::-1])]
    fields = {"give": moves[1].give} if isinstance(moves[1], Swap) else {"ranking": moves[1].ranking}
    file = decode(table.signed(seat, move=moves[0]), MoveFile, "move")
    assert file.secret is not None
    false = Secret(file.secret.salt, msgspec.Raw(encode(fields)))
    table.match.waiting[seat] = replace(file, secret=false)
    turn._close_if_complete(table.match)
    step = table.round
    only_after_the_end(table, "bad-sealed", step)
    sealed = [decode(bytes(one), Sealed, "sealed") for one in table.match.sealed]
    honest = [replace(one, secret=file.secret) if one.round == step else one for one in sealed]
    assert honest != sealed
    data = change_transcript(revealed(table), sealed=tuple(msgspec.Raw(encode(one)) for one in honest))
    assert fault(verify, data) == ("bad-ops", step)


def test_luxury_that_was_not_paid() -> None:
    table = at("find")
    seat = answer(table, Find(GOODS))
    public = table.state.position.public
    players = list(public.players)
    players[seat] = replace(players[seat], luxury=players[seat].luxury + 5)
    position = replace(table.state.position, public=replace(public, players=tuple(players)))
    table.rewrite(lambda e: e, position=position)
    only_after_the_end(table, "rule-broken", table.round)


def test_a_marker_moved_further_than_the_die_allows() -> None:
    table = at("trade")
    (seat,) = table.asked
    data = table.forced(seat, Trade(Amounts(), 5))
    assert table.give(data).code == "illegal"
    table.take(data, seat)
    only_after_the_end(table, "illegal-move", table.round)
