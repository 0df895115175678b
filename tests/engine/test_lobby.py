"""Before the first round: offers, joins, geneses, and players who must not be seated together."""

import msgspec
import pytest
from referee.games.auction import Options

from referee import games
from referee.crypto.codec import decode, encode, raw, read
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.engine import lobby, table
from referee.engine.chain import open_table
from referee.engine.player import answer, open_view
from referee.engine.records import Genesis, Join, Offer
from referee.errors import Malformed, RefereeError, Usage
from referee.library.tables import read_options
from tests.support.match import Sitting, chance, other_program

replace = msgspec.structs.replace


def sit(**more) -> Sitting:
    return Sitting("auction", 3, "lobby", **more)


def code_of(action, *args) -> str:
    with pytest.raises(RefereeError) as error:
        action(*args)
    assert error.value.message
    assert error.value.next
    return error.value.code


def start(at: Sitting, *joins: Envelope) -> object:
    return lobby.make_genesis(at.host, at.offer, joins)


def test_a_game_starts_with_the_right_joins():
    at = sit()
    board = open_table(start(at, *at.joins).envelope)
    assert board.names == ("Anna", "Bert", "Carla")
    assert board.seats == 3
    assert {bag: len(leaves) for bag, leaves in board.genesis.leaves.items()}["pile"] == 13


def test_the_same_things_give_the_same_genesis():
    assert encode(sit().match.table.envelope) == encode(sit().match.table.envelope)


def test_seat_order_makes_another_game():
    at = sit()
    one, two = start(at, *at.joins), start(at, *at.joins[::-1])
    assert one.id != two.id
    assert one.seating != two.seating
    assert one.genesis.leaves["pile"] != two.genesis.leaves["pile"]


# --- keys


def test_no_two_keys_are_the_same():
    at = sit()
    twice = lobby.make_join(at.players[0], at.offer, "Another", chance("other nonce"))
    assert code_of(start, at, at.joins[0], twice, at.joins[2]) == "same-key"
    assert code_of(start, at, at.joins[0], at.joins[0], at.joins[2]) == "same-key"


def test_the_host_does_not_sit_with_its_own_key():
    at = sit()
    assert code_of(lobby.make_join, at.host, at.offer, "Host", chance("n")) == "same-key"
    body = replace(decode(bytes(at.joins[0].body), Join, "join"), key=at.host.public.hex())
    assert code_of(start, at, sign(at.host, "join", body), *at.joins[1:]) == "same-key"


def test_a_weak_host_key_is_refused():
    at = sit()
    offer = replace(decode(bytes(at.offer.body), Offer, "offer"), key="01" + "00" * 31)
    envelope = Envelope(msgspec.Raw(encode(offer)), "01" + "00" * 63, at.offer.type)
    assert code_of(table.check_offer, envelope) == "weak-key"
    assert code_of(lobby.make_join, at.players[0], envelope, "Anna", chance("n")) == "weak-key"


def test_only_the_host_starts_the_game():
    at = sit()
    assert code_of(lobby.make_genesis, at.players[0], at.offer, at.joins) == "other-key"


# --- signatures


def test_an_altered_offer_or_join():
    at = sit()
    offer = replace(decode(bytes(at.offer.body), Offer, "offer"), nonce="00" * 32)
    altered = replace(at.offer, body=msgspec.Raw(encode(offer)))
    assert code_of(lobby.make_join, at.players[0], altered, "Anna", chance("n")) == "bad-signature"
    join = replace(decode(bytes(at.joins[1].body), Join, "join"), name="Berta")
    changed = replace(at.joins[1], body=msgspec.Raw(encode(join)))
    assert code_of(start, at, at.joins[0], changed, at.joins[2]) == "bad-signature"


def test_a_join_signed_with_another_key():
    at = sit()
    body = decode(bytes(at.joins[1].body), Join, "join")
    assert code_of(start, at, at.joins[0], sign(at.players[0], "join", body), at.joins[2]) == "bad-signature"


def test_an_offer_is_not_accepted_as_a_join():
    at = sit()
    assert code_of(start, at, at.joins[0], at.offer, at.joins[2]) == "wrong-kind"
    assert code_of(table.check_offer, at.joins[0]) == "wrong-kind"


def test_a_join_for_another_offer():
    at, other = sit(), Sitting("auction", 3, "another lobby")
    assert code_of(start, at, at.joins[0], other.joins[1], at.joins[2]) == "other-offer"


def test_a_genesis_is_checked_when_it_is_read():
    at, other = sit(), Sitting("auction", 3, "another lobby")
    leaves = at.match.table.genesis.leaves
    foreign = sign(at.host, "genesis", Genesis(at.offer, (at.joins[0], other.joins[1], at.joins[2]), leaves, ("hand",)))
    assert code_of(lambda: open_table(foreign)) == "other-offer"
    unsigned = sign(at.players[0], "genesis", Genesis(at.offer, at.joins, leaves, ("hand",)))
    assert code_of(lambda: open_table(unsigned)) == "bad-signature"
    fewer = sign(at.host, "genesis", Genesis(at.offer, at.joins, {"pile": leaves["pile"][:-1]}, ("hand",)))
    assert code_of(lambda: open_table(fewer)) == "bad-bags"
    more = sign(at.host, "genesis", Genesis(at.offer, at.joins, dict(leaves) | {"sleeve": leaves["pile"]}, ("hand",)))
    assert code_of(lambda: open_table(more)) == "bad-bags"


# --- seats and names


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_the_wrong_number_of_joins(number):
    at = sit()
    fourth = lobby.make_join(Key(chance("fourth")), at.offer, "Dirk", chance("n"))
    assert code_of(start, at, *(*at.joins, fourth)[:number]) == "bad-seats"


@pytest.mark.parametrize("seats", [0, 1, 17, 64, -1])
def test_the_wrong_number_of_seats(seats):
    game = games.load("auction")
    edition = read(games.edition_bytes("auction"), game.edition, "edition")
    assert code_of(table.make_terms, game, seats, Options(), edition) == "bad-seats"


@pytest.mark.parametrize(
    "name",
    ["", " ", " Anna", "Anna ", "A" * 41, "An\nna", "An\tna", "An\x1b[31mna", "Anna\u200b", "\u202eanna", "An\u2028na",
     "\ue000", "Ann\u0061\u0301", "\u0301", "Anna\x00", "Anna\x7f", "\u00a0Anna", "\ufeffAnna"],
)  # fmt: skip
def test_names_that_play_tricks(name):
    at = sit()
    assert code_of(lobby.make_join, at.players[0], at.offer, name, chance("n")) == "bad-name"
    if 1 <= len(name) <= 40:
        body = replace(decode(bytes(at.joins[0].body), Join, "join"), name=name)
        assert code_of(start, at, sign(at.players[0], "join", body), *at.joins[1:]) == "bad-name"


@pytest.mark.parametrize("name", ["Zoë", "José-María", "李小龍", "O'Neill", "Анна", "x" * 40, "Player 1", "🎲"])
def test_names_that_people_have(name):
    at = sit()
    join = lobby.make_join(at.players[0], at.offer, name, chance("n"))
    assert start(at, join, *at.joins[1:]).names[0] == name


@pytest.mark.parametrize("alike", ["BERT", "bert", "Ｂｅｒｔ", "Ber\u0335t", "ber\u0336T"])
def test_names_that_look_alike(alike):
    at = sit()
    join = lobby.make_join(at.players[0], at.offer, alike, chance("n"))
    with pytest.raises(Malformed) as error:
        start(at, join, *at.joins[1:])
    assert error.value.code == "bad-name"


# --- rules, editions, options


def changed_offer(at: Sitting, **changes) -> Envelope:
    return sign(at.host, "offer", replace(decode(bytes(at.offer.body), Offer, "offer"), **changes))


def test_an_offer_with_other_rules_is_refused_by_name():
    at = sit()
    with pytest.raises(Malformed) as error:
        table.check_offer(changed_offer(at, rules="2"))
    assert error.value.code == "other-rules"
    assert "'2'" in str(error.value)
    assert "auction" in str(error.value)


def test_a_hostile_rules_version_is_not_printed_raw():
    at = sit()
    with pytest.raises(Malformed) as error:
        table.check_offer(changed_offer(at, rules="\x1b]0;x\x07" + "9" * 1000))
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("name", ["poker", "", "../auction", "..", "auction/../auction", "AUCTION\n", "a.b", "x" * 41])
def test_an_offer_of_an_unknown_game(name):
    at = sit()
    assert code_of(table.check_offer, changed_offer(at, game=name)) == (
        "unknown-game" if name == "poker" else "malformed"
    )


def edition_of(at: Sitting) -> dict:
    return msgspec.json.decode(bytes(decode(bytes(at.offer.body), Offer, "offer").edition))


def test_another_edition_makes_another_game():
    at = sit()
    other = raw(edition_of(at) | {"money": 11})
    offer = changed_offer(at, edition=other)
    body, name = table.check_offer(offer)
    assert table.open_terms(body)[1].edition.money == 11
    assert name != table.check_offer(at.offer)[1]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"money": -1}, "malformed"),
        ({"money": "10"}, "malformed"),
        ({"money": 10.5}, "malformed"),
        ({"money": None}, "malformed"),
        ({"surprise": 1}, "malformed"),
        ({"hand": 4}, "bad-edition"),
        ({"hand": 0}, "malformed"),
    ],
)
def test_an_edition_that_cannot_be_played(changes, code):
    at = sit()
    edition = raw(edition_of(at) | changes)
    offer = changed_offer(at, edition=edition)
    assert code_of(table.check_offer, offer) == code


def test_an_edition_in_another_spelling():
    at = sit()
    spaced = msgspec.Raw(msgspec.json.format(encode(edition_of(at)), indent=1))
    offer = changed_offer(at, edition=spaced)
    assert code_of(table.check_offer, offer) == "malformed"


def test_options():
    game = games.load("auction")
    assert read_options(game.options, {}) == Options(3)
    assert read_options(game.options, {"rounds": "5"}) == Options(5)
    for pairs in ({"rounds": "many"}, {"rounds": "-1"}, {"colour": "red"}, {"rounds": ""}):
        with pytest.raises(Usage):
            read_options(game.options, pairs)
    at = sit()
    assert code_of(table.check_offer, changed_offer(at, options=raw({"rounds": 0}))) == "malformed"
    assert code_of(table.check_offer, changed_offer(at, options=raw({"rounds": -1}))) == "malformed"
    assert code_of(table.check_offer, changed_offer(at, options=raw({"rounds": 3, "x": 1}))) == "malformed"


def test_an_offer_for_another_number_of_seats_than_the_game_has():
    at = sit()
    assert code_of(table.check_offer, changed_offer(at, seats=1)) == "bad-seats"


def test_the_tip_in_the_offer_binds_the_secret():
    at = sit()
    offer = decode(bytes(at.offer.body), Offer, "offer")
    nonce = bytes.fromhex(offer.nonce)
    secret = lobby.host_secret(at.host, nonce)
    assert lobby.host_marks(at.host.public, nonce, secret)[0].hex() == offer.tip
    others = {
        lobby.host_marks(*how)[0].hex()
        for how in (
            (at.host.public, nonce, bytes(32)),
            (at.host.public, bytes(32), secret),
            (at.players[0].public, nonce, secret),
        )
    }
    assert len(others | {offer.tip}) == 4


def test_nobody_joins_a_game_whose_rules_their_program_lacks():
    at = sit()
    with other_program("auction"):
        assert code_of(lobby.make_join, at.players[0], at.offer, "Anna", chance("n")) == "other-rules"
        opened = open_view(at.view(0))
        assert code_of(answer, at.players[0], opened) == "other-rules"
