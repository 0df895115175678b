"""A player in JavaScript, beside the same player in Python: what they sign is the same to the byte."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import msgspec
import pytest

from referee.crypto.codec import decode, encode
from referee.crypto.keys import Key
from referee.engine.host import make_view
from referee.engine.names import choose_name
from referee.engine.player import Draft, Opened, answer, sign_word
from referee.games import game_ids, load
from referee.io import files, keyfile
from referee.io.keyfile import PlayerFile
from referee.mail.block import find_blocks, write_block
from referee.page.aid import aid_of
from referee.show import typed
from tests.engine.seat_attacks import SEAT, taken
from tests.independent import wire
from tests.independent.vector_tools import Played, with_join
from tests.support.match import NAMES, Sitting, chance, code_of

from .node import Ask, asking


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """A process that plays."""
    with asking("player.mjs") as one:
        yield one


def _text(data: bytes) -> str:
    return data.decode()


def _player(ask: Ask, sitting: Sitting, seat: int = 0) -> str:
    return str(ask("key", seed=sitting.players[seat].seed.hex(), name=NAMES[seat])["player"])


def _tools(sitting: Sitting, opened: Opened, chosen: Any) -> bytes:
    """What the tool signs for this answer."""
    key, game = sitting.players[opened.seat], opened.table.game
    move = msgspec.convert(chosen["move"], game.move) if chosen.get("move") is not None else None
    words = None
    if chosen.get("standing") is not None:
        words = msgspec.convert(chosen["standing"], game.standing.words)
    how = {"resign": chosen.get("resign", False), "handover": chosen.get("handover", "")}
    return answer(key, opened, Draft(move, words, **how))


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", game_ids())
def test_every_answer_is_what_the_tool_signs(game_id: str, ask: Ask) -> None:
    """One seat is played in JavaScript from views and moves as data; the host takes all that it signs. Games follow
    each other until something was sealed."""
    kinds: set[str] = set()
    for number in count():
        kinds |= _played_elsewhere(Sitting(game_id, 3, f"javascript {game_id} {number}"), ask)
        if "commit" in kinds or game_id == "schwarzer-freitag":
            break
    assert {"answer", "ack"} <= kinds
    assert ("standing" in kinds) == (load(game_id).standing is not None)


def _played_elsewhere(sitting: Sitting, ask: Ask) -> set[str]:
    """What the first seat signed."""
    bags = {name: list(faces) for name, faces in sitting.table.bags.items()}
    player, kinds, number = _player(ask, sitting), set(), 0
    while not sitting.over and number < 25:
        for seat in sitting.asked:
            if seat:
                assert sitting.give(sitting.signed(seat)).error is None
                continue
            number += 1
            opened, view = sitting.opened(0), _text(sitting.view(0))
            moves = json.loads(encode(typed.moves(opened))) if opened.round else None
            how = {"hint": bags} | ({"moves": moves, "guess": number} if moves else {})
            done = ask("answer", player=player, view=view, answer={}, **how)
            assert "file" in done, done
            assert done["file"] == _text(_tools(sitting, opened, done["answer"]))
            table = sitting.table
            assert done["name"] == files.file_name(table.id, opened.round + 1, 0, table.names, "move")
            player = done["player"]
            data = done["file"].encode()
            sitting.kept(0, data)
            judged = sitting.give(data)
            assert judged.error is None, judged.error
            body = json.loads(data)["body"]
            kinds |= {name for name in ("answer", "commit", "standing") if name in body} | {opened.ask.what[:4]}
    file = decode(player.encode(), PlayerFile, "player's file")
    assert file.tickets[0].game == sitting.table.id
    kept = {one.round: json.loads(encode(one.fields)) for one in file.tickets[0].sealed}
    assert kept == {number: json.loads(encode(fields)) for number, fields in sitting.own.get(0, {}).items()}
    return kinds


def test_a_player_who_took_over_a_seat_plays_on(ask: Ask) -> None:
    """It answers with its own key and chain, hands the seat on, and knows nothing of what the old player signed."""
    sitting, seat = taken("javascript seats"), SEAT
    old = ask("key", seed=first_key(sitting, seat).seed.hex(), name=NAMES[seat])["player"]
    player = ask("key", seed=sitting.players[seat].seed.hex(), name="Zoe")["player"]
    bags, since = {name: list(faces) for name, faces in sitting.table.bags.items()}, sitting.round
    seen = {"view": _text(sitting.view(seat)), "hint": bags}
    assert (ask("follow", player=old, **seen)["mine"], ask("follow", player=player, **seen)["mine"]) == (False, True)
    assert ask("answer", player=old, answer={}, **seen)["code"] == "other-key"
    named, number = Sitting("auction", 3, "somebody").players[0].public.hex(), 0
    while not sitting.over and number < 6:
        for one in sitting.asked:
            if one != seat:
                assert sitting.give(sitting.signed(one)).error is None
                continue
            number += 1
            opened, view = sitting.opened(seat), _text(sitting.view(seat))
            how = {"moves": json.loads(encode(typed.moves(opened))), "guess": number, "hint": bags}
            given = {"handover": named} if number == 2 else {}
            followed = ask("follow", player=player, view=view, hint=bags)
            assert followed["unknown"] == []
            done = ask("answer", player=player, view=view, answer=given, **how)
            assert done["file"] == _text(_tools(sitting, opened, done["answer"]))
            assert done["name"] == files.file_name(
                sitting.table.id, opened.round + 1, seat, sitting.table.names, "move"
            )
            player = done["player"]
            sitting.kept(seat, done["file"].encode())
            assert sitting.give(done["file"].encode()).error is None
    assert number > 2
    shown = ask("follow", player=player, view=_text(sitting.view(seat)), hint=bags)
    assert [names[seat] for names in shown["names"]] == [NAMES[seat]] * since + ["Zoe"] * (sitting.round - since)
    assert shown["now"] == list(sitting.table.names)


def first_key(sitting: Sitting, seat: int) -> Key:
    """The key that joined for a seat."""
    return Sitting("auction", 3, sitting.seed).players[seat]


@pytest.mark.parametrize(("game_id", "least"), [("mark", 12), ("schwarzmarkt", 0), ("weg-zum-erfolg", 100)])
def test_combined_standing_orders_equal_those_the_tool_gives_one_after_the_other(
    game_id: str, least: int, ask: Ask
) -> None:
    """After any words: two lines of the list, which the aid says go together, in either order."""
    sitting = Sitting(game_id, 3, f"phrases {game_id}").until(1)
    rule = sitting.table.game.standing
    assert rule is not None
    terms, first = sitting.opened(0).table.terms, rule.words()
    compared = 0
    for before in (first, *(one.move for one in rule.legal(terms, first))):
        opened = saying(sitting.opened(0), before)
        listed, now = rule.legal(terms, before), rule.text(before)
        for pair in aid_of(opened).together:
            lines = [listed[at] for at in pair]
            words = [json.loads(encode(line.move)) for line in lines]
            said = ask("words", before=json.loads(encode(before)), phrases=words)["words"]
            typed_words = [[one for one in rule.text(line.move) if one not in now] or [line.text] for line in lines]
            for order in (typed_words, reversed(typed_words)):
                text = "; ".join(phrase for phrases in order for phrase in phrases)
                assert typed.read_clauses(opened, before, text) == (None, msgspec.convert(said, rule.words))
            assert encode(msgspec.convert(said, rule.words)) == encode(said)
            compared += 1
    assert compared >= least


def saying(opened: Opened, words: Any) -> Opened:
    """The same view, in whose position the owner has said this."""
    chain, seat = opened.chain, opened.seat
    public = chain.checkpoint.public
    standing = (*public.standing[:seat], words, *public.standing[seat + 1 :])
    position = msgspec.structs.replace(public, standing=standing)
    chain.checkpoint = msgspec.structs.replace(chain.checkpoint, public=position)
    return opened


def test_a_later_standing_order_leaves_alone_what_it_does_not_change(ask: Ask) -> None:
    """Which of them go together the host's program says: see `together`."""
    before = {"roll": "always"}
    for phrases, wanted in (
        ([{}, {"roll": "always", "bid": "nothing"}], {"bid": "nothing"}),
        ([{"roll": "always", "bid": "nothing"}, {}], {"bid": "nothing"}),
        ([{}, {"roll": "ask"}], {"roll": "ask"}),
        ([], before),
    ):
        assert ask("words", before=before, phrases=phrases)["words"] == wanted


def test_joins_keys_and_statements_are_what_the_tool_makes(ask: Ask) -> None:
    sitting = Sitting("schwarzer-freitag", 3, "joins in JavaScript")
    for seat, key in enumerate(sitting.players):
        made = ask("key", seed=key.seed.hex(), name=NAMES[seat])
        assert made["key"] == _text(keyfile.dump(key))
        nonce = chance(sitting.seed, "join", seat).hex()
        asked = {"offer": _text(encode(sitting.offer)), "name": NAMES[seat], "nonce": nonce}
        for file in (made["key"], made["player"]):
            joined = ask("join", player=file, **asked)
            assert joined["file"] == _text(encode(sitting.make_join(seat)))
            assert joined["name"] == files.join_name(sitting.table.offer_id, NAMES[seat], key.public.hex())
    sitting.step()
    said = ask("word", player=_player(ask, sitting), view=_text(sitting.view(0)), text="away until 2027-01-05")
    assert said["file"] == _text(sign_word(sitting.players[0], sitting.opened(0), "away until 2027-01-05"))
    for text, code in (("", "bad-words"), ("\U0001f0a1" * 200, "ok"), ("x" * 201, "bad-words")):
        answer = ask("word", player=_player(ask, sitting), view=_text(sitting.view(0)), text=text)
        assert answer.get("code", "ok") == code, len(text)


def test_confirmations_and_resignations_are_what_the_tool_signs(ask: Ask) -> None:
    """Also after a missed deadline, when a decision is held and everybody is asked for a link."""
    sitting = Sitting("mark", 3, "links in JavaScript", deadline=60)
    sitting.step()
    late = sitting.asked[-1]
    sitting.step(late)
    seats = [seat for seat in sitting.asked if seat != late]
    assert seats
    for seat in seats:
        player, opened = _player(ask, sitting, seat), sitting.opened(seat)
        for chosen in ({}, {"resign": True}):
            asked = {"player": player, "view": _text(sitting.view(seat))}
            done = ask("answer", answer=chosen, **asked)
            assert done["file"] == _text(_tools(sitting, opened, chosen))


def test_what_must_not_be_signed(ask: Ask) -> None:
    sitting = Sitting("schwarzer-freitag", 3, "refused in JavaScript")
    player, first = _player(ask, sitting), _text(sitting.view(0))

    def code(**given: Any) -> str:
        return str(ask("answer", **{"player": player, "view": first, "answer": {}, **given}).get("code", "ok"))

    assert code(answer={"resign": True}) == "usage"
    assert code(answer={"move": {"do": "pass"}}) == "usage"
    assert code(player=_player(ask, sitting, 1)) == "other-key"
    assert code() == "ok"
    signed = ask("answer", player=player, view=first, answer={})["player"]
    assert code(player=signed) == "ok"
    sitting.step()
    turn = sitting.asked[0]
    other = next(seat for seat in range(3) if seat != turn)
    assert code(player=_player(ask, sitting, other), view=_text(sitting.view(other))) == "not-asked"
    mine = {"player": _player(ask, sitting, turn), "view": _text(sitting.view(turn))}
    assert code(**mine) == "no-move"
    moves = json.loads(encode(typed.moves(sitting.opened(turn))))
    done = [ask("answer", **mine, answer={}, moves=moves, guess=guess) for guess in range(6)]
    bodies = {one["file"] for one in done}
    assert len(bodies) > 1
    again = next(one for one in done if one["file"] != done[0]["file"])["answer"]
    mine["player"] = done[0]["player"]
    assert code(**mine, answer=again) == "second-answer"
    assert code(**mine, answer={**again, "again": True}) == "ok"
    assert code(**mine, answer=done[0]["answer"]) == "ok"


@pytest.mark.parametrize("name", ["ANNA", "Bert ", "Be\u0301rt", "\u3164"])
def test_tables_with_names_that_can_be_confused_are_refused(name: str, ask: Ask) -> None:
    """A verifier lets them pass: see `tests/independent/test_reading.py`, which has the same names before the tool."""
    sitting = Sitting("mark", 2, "names in JavaScript")
    game = Played(sitting)
    given = {"player": _player(ask, sitting), "answer": {}, "ephemeral": "00" * 32}
    codes = []
    for view in (game.view(0), with_join(game, game.view(0), 1, name=name)):
        codes.append(ask("answer", view=_text(wire.canonical(view)), **given).get("code", "ok"))
    assert codes == ["ok", "bad-name"]


def test_an_older_or_another_story_is_noticed(ask: Ask) -> None:
    sitting = Sitting("schwarzer-freitag", 3, "stories in JavaScript")
    sitting.step()
    twin = sitting.fork()
    player, older = _player(ask, sitting), _text(sitting.view(0))
    seen = ask("follow", player=player, view=older)
    assert (seen["age"], seen["mine"]) == ("new", True)
    assert ask("follow", player=seen["player"], view=older)["age"] == "same"
    sitting.step()
    newer = ask("follow", player=seen["player"], view=_text(sitting.view(0)))
    assert newer["age"] == "new"
    assert ask("follow", player=newer["player"], view=older)["age"] == "old"
    assert ask("answer", player=newer["player"], view=older, answer={})["code"] == "old-view"
    for salt in range(20):
        fork = twin.fork()
        fork.step(salt=str(salt))
        if fork.view(0) != sitting.view(0):
            break
    twin_view = _text(fork.view(0))
    assert ask("follow", player=newer["player"], view=twin_view)["code"] == "two-entries"
    everybodys = _text(make_view(sitting.match, None))
    assert ask("answer", player=newer["player"], view=everybodys, answer={})["code"] == "public-view"
    # A file of the player that was opened meanwhile, in another window.
    signing = {"player": player, "view": twin_view, "text": "hello"}
    assert ask("word", **signing, signer=newer["player"])["code"] == "two-entries"
    assert ask("word", **signing, signer=player)["code"] == "usage"
    assert "file" in ask("word", **signing)
    foreign = ask("follow", player=player, view=_text(sitting.view(1)))
    assert (foreign["mine"], foreign["player"]) == (False, player)


def test_a_damaged_file_is_refused(ask: Ask) -> None:
    sitting = Sitting("mark", 2, "files in JavaScript")
    offer, player = _text(encode(sitting.offer)), _player(ask, sitting)
    nonce, data = "11" * 32, json.loads(player)

    def code(file: str, **given: Any) -> str:
        asked = {"player": file, "offer": offer, "name": "Anna", "nonce": nonce, **given}
        return str(ask("join", **asked).get("code", "ok"))

    assert code(player) == "ok"
    assert code(player[:-1]) == "malformed"
    assert code(encode({**data, "extra": 1}).decode()) == "malformed"
    assert code(encode({**data, "key": {**data["key"], "public": "22" * 32}}).decode()) == "bad-key"
    assert code(_text(keyfile.dump(sitting.players[0], "secret", bytes(32)))) == "locked-key"
    assert code(_text(encode(sitting.offer))) == "malformed"
    assert code(player, offer=offer.replace('"seats":2', '"seats":3')) == "bad-signature"
    host = ask("key", seed=sitting.host.seed.hex(), name="Host")["player"]
    assert code(host) == "same-key"
    assert code(player, name=" Anna") == "bad-name"


GOOD_NAMES = ("Anna", "Zoë", "é ß", "漢字", "Anna 2", "O'Neill", "Иван", "Ωmega"[1:])
BAD_NAMES = ("", " Anna", "Anna@home", "a;b", "12 3", "Aнна", "Ann\u0430", "a\u200bb", "x" * 41, "\u0301", "Zoe\u0308")


@pytest.mark.parametrize("name", GOOD_NAMES + BAD_NAMES)
def test_names_as_the_tool_judges_them(name: str, ask: Ask) -> None:
    good = code_of(lambda: choose_name(name)) == "ok"
    assert good == (name in GOOD_NAMES)
    assert (ask("name", name=name)["why"] == "") == good


def test_blocks(ask: Ask) -> None:
    """Written as ours are, and found again as ours are, also after what mail programs do to them."""
    document = '{"a":"' + "héllo 漢 " * 40 + '"}'
    block = write_block("move", document.encode())
    assert ask("block", kind="move", text=document)["block"] == block
    lines = block.splitlines()
    spoiled = [
        block,
        "Hello\n\n" + block + "\nBye",
        "\n".join("> " + line for line in lines),
        block.replace("\n", "\r\n").replace("-----", "\u2014\u2014"),
        "\n".join(f"&gt; {line}&nbsp;" for line in lines).replace("+", "&#43;"),
        block.replace("\n", "=\n"),
        " ".join(lines),
        block.replace(lines[2], ""),
        block.replace("#", ""),
        block[:200],
        block[60:],
        block.replace("END PBEM REFEREE MOVE", "END PBEM REFEREE JOIN"),
        "they wrote BEGIN PBEM REFEREE MOVE to me",
        block + block,
    ]
    for text in spoiled:
        ours = [(one.kind, one.data and one.data.decode()) for one in find_blocks(text)]
        theirs = [(one["kind"], one["text"]) for one in ask("blocks", text=text)["blocks"]]
        assert theirs == ours, text
    assert [one[1] for one in ours] == [document, document]
