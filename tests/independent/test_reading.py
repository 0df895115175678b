"""What no vector contains: bytes that are not text, oversized bodies, and tables that tools refuse to join."""

import base64
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident, sign
from referee.crypto.keys import Key
from referee.engine import lobby, player
from referee.engine import records as r
from referee.errors import Malformed
from referee.evidence.compare import refusals
from tests.page.node import Ask, asking_lines
from tests.support.match import Sitting

from . import ed25519, wire
from .judges import Said, program_report, second_report, second_says
from .vector_tools import Played, changed, flipped, put, with_entry, with_genesis, with_join
from .wire import Json, canonical


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with asking_lines("judging.mjs") as asked:
        yield asked


def three_say(ask: Ask, data: bytes, bags: wire.Bags) -> set[tuple[str, str]]:
    """Kind and code of each verifier."""
    said = ask({"files": [base64.b64encode(data).decode()], "bags": bags})
    kinds = {"host": "offence", "nobody": "altered", "": "ok"}
    script = Said(kinds[said["blames"]], said["code"])
    return {one[:2] for one in (program_report("view", [data]), second_report("view", [data], bags), script)}


def with_body(game: Played, view: Json, body: bytes) -> bytes:
    """The newest entry with these bytes as its body, signed by the host."""
    mark = "00" * 64
    sig = ed25519.sign(game.host, wire.encoding("entry", body)).hex()
    whole = canonical(changed(view, "entries", -1, {"body": mark, "sig": sig, "type": wire.PREFIX + "entry"}))
    return whole.replace(f'"{mark}"'.encode(), body)


@pytest.fixture(scope="module")
def game() -> Played:
    return Played(Sitting("auction", 2, "reading")).until(2)


def test_invalid_utf8_blames_nobody_even_if_the_host_signed_it(game: Played, ask: Ask) -> None:
    body = canonical(game.view()["entries"][-1]["body"])
    for odd in (b'"\xff"', b'"\xed\xa0\x80"', b'"\xc0\x80"'):
        data = with_body(game, game.view(), body.replace(b'"round"', b'"odd":%b,"round"' % odd))
        assert three_say(ask, data, game.bags) == {("altered", "malformed")}


def test_an_oversized_body_is_reported_before_any_offence(game: Played, ask: Ask) -> None:
    """The limit is looked at when the file is read, whatever the entries before it show."""
    for size, wanted in ((1_000_000, ("offence", "false-private")), (1_000_001, ("altered", "malformed"))):
        view = game.view()
        view["entries"][0] = with_entry(game, game.view(1), put("link", "00" * 32))["entries"][0]
        data = with_body(game, view, b'"' + b"x" * (size - 2) + b'"')
        assert three_say(ask, data, game.bags) == {wanted}


@pytest.mark.parametrize("hands", [["cards", "goods"], ["goods", "goods", "cards"], ["goods"], []])
def test_hands_are_named_once_and_in_the_order_of_the_rules(hands: list[str], ask: Ask) -> None:
    black = Played(Sitting("schwarzmarkt", 3, "reading"))
    view = with_genesis(black, black.view(0), put("hands", hands))
    if not hands:
        view = with_genesis(black, black.view(0), lambda body: body.pop("hands"))
    assert three_say(ask, canonical(view), black.bags) == {("offence", "bad-bags")}


@pytest.mark.parametrize("name", ["ANNA", "Bert ", "Be\u0301rt", "\u3164"])
def test_tools_refuse_to_join_under_confusable_names(name: str, game: Played, ask: Ask) -> None:
    """To a verifier they are right: whether that is somebody's fault would depend on its version of Unicode."""
    data = canonical(with_join(game, game.view(0), 1, name=name))
    assert three_say(ask, data, game.bags) == {("ok", "ok")}
    opened = player.open_view(data)
    with pytest.raises(Malformed) as refused:
        player.answer(Key(game.players[0], ""), opened)
    assert refused.value.code == "bad-name"
    with pytest.raises(Malformed) as refused:
        lobby.make_genesis(Key(game.host, ""), opened.table.genesis.offer, opened.table.genesis.joins)
    assert refused.value.code == "bad-name"


def test_a_changed_signature_of_an_unreadable_entry_blames_nobody(game: Played, ask: Ask) -> None:
    """The signature is looked at before anything that it covers."""
    data = with_body(game, game.view(), b"[]")
    sig = data[data.rindex(b'"body":[],"sig":"') + 17 :][:128].decode()
    assert three_say(ask, data, game.bags) == {("offence", "bad-entry")}
    data = data.replace(sig.encode(), flipped(sig).encode())
    assert three_say(ask, data, game.bags) == {("altered", "bad-signature")}


def test_a_file_of_many_fields_is_read_in_one_go(ask):
    """Were the whole file looked at again for each of its fields, this would take minutes, and a larger one weeks."""
    fields = b",".join(b'"%06x":0' % number for number in range(40_000))
    data = b'{"format":"pbem-referee/1/view",' + fields + ',"z":"ä"}'.encode()
    assert three_say(ask, data, {}) == {("altered", "malformed")}


def test_no_second_refusal_and_no_forged_copy_hides_that_a_legal_move_was_refused(ask):
    """The host signs another refusal, for a round in which nothing was sent; somebody adds the move with a false
    signature. A bare link needs no rules, so all three see that it was refused."""
    sitting = Sitting("auction", 3, "hidden", takeovers=1).until("bid")
    sitting.step(1)
    file = decode(sitting.signed(0), r.MoveFile, "move")
    move = decode(bytes(file.body), r.Move, "move")
    assert r.content(move.answer) == b""
    refused = r.Receipt(sitting.table.id, move.round, 0, ident("move", bytes(file.body)), "not-asked")
    receipt, astray = (sign(sitting.host, "receipt", replace(refused, round=move.round + n)) for n in (0, 1))
    forged = replace(file, sig="00" * 64)
    bags = {name: [*faces] for name, faces in sitting.table.bags.items()}
    for files, code in (
        ([file, forged, receipt, astray], "refused-though-legal"),
        ([forged, file, astray, receipt], "refused-though-legal"),
        ([file, forged, astray], "ok"),
        ([forged, receipt], "ok"),
    ):
        data = [sitting.view(0), *map(encode, files)]
        said = ask({"files": [base64.b64encode(one).decode() for one in data], "bags": bags})
        assert [error.code for error in refusals(sitting.opened(0), files)] == [code] * (code != "ok")
        assert (second_says("files", data, bags), said["code"]) == (code, code)
