"""Every vector in schemas/vectors, by the program and by the second verifier."""

import base64
import json
import re
from collections import Counter
from functools import cache, partial
from typing import Any

import pytest
from msgspec.structs import replace

from referee.crypto import box, codec, envelope, keys, links, slots, stream
from referee.engine import names, rounds, table
from referee.engine import records as r
from referee.engine.draws import commitment
from referee.engine.sealing import ephemeral_key, read_sealed, refuse_damaged

from . import ed25519, hpke, judges, verifier, wire
from .make_vectors import FOLDER, PRIMITIVES, all_vectors, part_value, spelled
from .vector_tools import patched
from .wire import Json, canonical

DOCUMENTS = ("view", "transcript", "round", "several", "proof", "claim", "ruling")
JUDGED = ("proof", "claim", "ruling")
VECTORS = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
SMALL = [name for name, vector in VECTORS.items() if vector["kind"] not in DOCUMENTS]
LARGE = [name for name, vector in VECTORS.items() if vector["kind"] in DOCUMENTS]
SIGNATURES = [name for name in LARGE if VECTORS[name]["section"] == 3]


@pytest.fixture(autouse=True)
def _same_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's rules count as those that the vectors were made with: other wording changes nothing they test."""
    monkeypatch.setattr(table, "code_hash", lambda game: codes().get(game, ""))


@cache
def codes() -> dict[str, str]:
    offers = [_document(name)["genesis"]["body"]["offer"]["body"] for name in _whole()]
    return {offer["game"]: offer["code"] for offer in offers if offer["code"] != "ab" * 32}


def _whole() -> list[str]:
    """Documents of games without errors."""
    return [name for name in LARGE if _is_base(name) and VECTORS[name]["kind"] not in JUDGED]


def _is_base(name: str) -> bool:
    file = VECTORS[name]["file"]
    return isinstance(file, dict) and "document" in file


@cache
def _document(name: str) -> Json:
    file = VECTORS[name]["file"]
    return file["document"] if "document" in file else _changed(file)


def _changed(file: Json) -> Json:
    return patched(_document(file["base"].removesuffix(".json")), file["patch"])


def _data(file: Json) -> bytes:
    """The bytes of a document of a vector."""
    if "text" in file:
        return str(file["text"]).encode()
    return canonical(file["document"] if "document" in file else _changed(file))


def files_of(vector: Json) -> list[bytes]:
    return [_data(file) for file in (vector["file"] if vector["kind"] == "several" else [vector["file"]])]


# --- documents -------------------------------------------------------------------------------------------------------


def _judge(name: str, verify: wire.VerifySignature = judges.library) -> None:
    vector = VECTORS[name]
    files, own = files_of(vector), vector.get("own")
    allowed = ["ok"] if vector["expect"] == "ok" else vector["expect"]
    if vector["kind"] == "proof":
        assert judges.program_says("proof", files) in allowed
    else:
        code, kind = judges.code_and_kind(lambda: judges.program(vector["kind"], files, own))
        assert code in allowed
        assert "blames" not in vector or kind == {"nobody": "altered", "host": "offence"}[vector["blames"]]
    usual = [] if vector["kind"] == "proof" else ["ok"]
    without = [*usual, *vector.get("without", [])] if vector.get("needs") == "rules" else []
    assert judges.second_says(vector["kind"], files, vector["bags"], own, verify) in [*allowed, *without]


@pytest.mark.parametrize("name", LARGE[::6])
def test_some_documents(name: str) -> None:
    _judge(name)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for place, name in enumerate(LARGE) if place % 6])
def test_all_documents(name: str) -> None:
    _judge(name)


@pytest.mark.thorough
@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_in_plain_python(name: str) -> None:
    _judge(name, ed25519.verify)


# --- primitives ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_primitives(name: str) -> None:
    vector = VECTORS[name]
    allowed = ["ok"] if vector["expect"] == "ok" else vector["expect"]
    for judge in ("ours", "second"):
        found: list[Json] = []
        made = partial(single, judge, vector["kind"], vector["given"])
        assert judges.code_of(lambda made=made, found=found: found.append(made())) in allowed
        assert found == ([vector["value"]] if vector["expect"] == "ok" else [])


def single(judge: str, kind: str, given: Json) -> Json:
    """The result of a single step, by the program (`ours`) or the second verifier."""
    whose = {"ours": "ours", "second": "theirs"}[judge]
    return globals()[f"_{whose}_{kind.replace('-', '_')}"](given)


def _parts(given: Json) -> list[Any]:
    return [part_value(part) for part in given["parts"]]


def _ours_hash(given: Json) -> Json:
    parts = tuple(_parts(given))
    return {"items": codec.items(given["label"], parts).hex(), "hash": codec.H(given["label"], *parts).hex()}


def _theirs_hash(given: Json) -> Json:
    parts = _parts(given)
    return {"items": wire.items(given["label"], *parts).hex(), "hash": wire.H(given["label"], *parts).hex()}


def _ours_derive(given: Json) -> Json:
    return codec.derive(bytes.fromhex(given["key"]), given["label"], *_parts(given)).hex()


def _theirs_derive(given: Json) -> Json:
    return wire.derive(bytes.fromhex(given["key"]), given["label"], *_parts(given)).hex()


def _ours_canonical(given: Json) -> Json:
    return codec.check_plain(bytes.fromhex(given["hex"]), "value")


def _theirs_canonical(given: Json) -> Json:
    value = wire.parse(bytes.fromhex(given["hex"]))
    wire.need(wire.embedded(value), "malformed", "nested too deeply")
    return value


def _ours_envelope(given: Json) -> Json:
    signed, key = judges._envelope(given["envelope"]), bytes.fromhex(given["key"])
    body = envelope.body_of(signed, given["kind"])
    envelope.check(key, signed.sig, given["kind"], body)
    return {
        "signed bytes": envelope.signed_bytes(given["kind"], body).hex(),
        "id": envelope.ident(given["kind"], body),
    }


def _theirs_envelope(given: Json) -> Json:
    signed, kind = given["envelope"], given["kind"]
    body = wire.Signatures().opened(signed, kind, bytes.fromhex(given["key"]))
    if "seed" in given:
        assert ed25519.public_key(bytes.fromhex(given["seed"])).hex() == given["key"]
        message = wire.encoding(kind, canonical(body))
        assert ed25519.sign(bytes.fromhex(given["seed"]), message).hex() == signed["sig"]
    return {"signed bytes": wire.encoding(kind, canonical(body)).hex(), "id": wire.identity(kind, body).hex()}


def _ours_weak_key(given: Json) -> Json:
    keys.refuse_weak(bytes.fromhex(given))
    return "strong"


def _theirs_weak_key(given: Json) -> Json:
    wire.need(not wire.is_weak(bytes.fromhex(given)), "weak-key", "it vouches for anything")
    return "strong"


def _ours_weak_box(given: Json) -> Json:
    box.refuse_weak_box(bytes.fromhex(given))
    return "strong"


def _theirs_weak_box(given: Json) -> Json:
    wire.need(not wire.is_weak_box(bytes.fromhex(given)), "weak-box", "anybody can open what is sealed for it")
    return "strong"


def _ours_name(given: Json) -> Json:
    wire.need(names.is_name(given), "bad-name", "not allowed")
    return "good"


def _theirs_name(given: Json) -> Json:
    wire.need(wire.is_name(given), "bad-name", "not allowed")
    return "good"


def _ours_tool_name(given: Json) -> Json:
    names.check_name(given)
    return "good"


def _theirs_tool_name(given: Json) -> Json:
    wire.need(wire.is_good_name(given), "bad-name", "not allowed")
    return "good"


def _ours_tool_names(given: Json) -> Json:
    wire.need(names.fold(given[0]) != names.fold(given[1]), "bad-name", "alike")
    return "different"


def _theirs_tool_names(given: Json) -> Json:
    wire.need(wire.folded(given[0]) != wire.folded(given[1]), "bad-name", "alike")
    return "different"


def _salted(given: Json) -> Json:
    seed, game = bytes.fromhex(given["seed"]), bytes.fromhex(given["game"])
    value = codec.encode(given["value"])
    return codec.derive(seed, "salt", game, given["round"], given["field"], value).hex()


def _ours_commitment(given: Json) -> Json:
    secret = r.Secret(_salted(given), codec.raw(given["value"]))
    commit = commitment(given["game"], given["round"], given["seat"], given["field"], secret)
    return {"salt": secret.salt, "commit": commit}


def _theirs_commitment(given: Json) -> Json:
    game, seed = bytes.fromhex(given["game"]), bytes.fromhex(given["seed"])
    salt = wire.derive(seed, "salt", game, given["round"], given["field"], wire.canonical(given["value"])).hex()
    secret = {"salt": salt, "value": given["value"]}
    return {"salt": salt, "commit": wire.commitment(game, given["round"], given["seat"], given["field"], secret)}


def _ours_box(given: Json) -> Json:
    move = codec.decode(canonical(given["move"]), r.Move, "move")
    refuse_damaged(move, given["sealed"])
    fields = read_sealed(bytes.fromhex(given["private"]), move, given["sealed"])
    if "seed" in given:
        key = ephemeral_key(bytes.fromhex(given["seed"]), move.game, move.round, move.seat, fields)
        again = box.seal(key, bytes.fromhex(given["public"]), codec.encode(replace(move, box="")), codec.encode(fields))
        assert (key.hex(), box.to_text(again)) == (given["ephemeral"], given["sealed"])
    return wire.parse(codec.encode(fields))


def _theirs_box(given: Json) -> Json:
    fields = wire.unboxed(bytes.fromhex(given["private"]), given["move"], given["sealed"])
    if "seed" in given:
        assert given["public"] == hpke.public_key(bytes.fromhex(given["private"])).hex()
        assert given["info"] == wire.box_info(given["move"]).hex()
        key = wire.own_ephemeral(bytes.fromhex(given["seed"]), given["move"], fields)
        again = wire.boxed(key, bytes.fromhex(given["public"]), given["move"], fields)
        assert (key.hex(), base64.b64encode(again).decode()) == (given["ephemeral"], given["sealed"])
    return fields


def _ours_links(given: Json) -> Json:
    key, nonce = bytes.fromhex(given["key"]), bytes.fromhex(given["nonce"])
    last = codec.derive(bytes.fromhex(given["seed"]), "chain", bytes.fromhex(given["offer"]), nonce)
    chain = links.Chain(key, nonce)
    return {str(i): chain.back(links.LENGTH, last, i).hex() for i in (0, 1, 2, 3, 1024, 2047, 2048)}


def _theirs_links(given: Json) -> Json:
    key, nonce = bytes.fromhex(given["key"]), bytes.fromhex(given["nonce"])
    last = wire.derive(bytes.fromhex(given["seed"]), "chain", bytes.fromhex(given["offer"]), nonce)
    return {str(i): wire.link_back(key, nonce, wire.LINKS, i, last).hex() for i in (0, 1, 2, 3, 1024, 2047, 2048)}


def _ours_link(given: Json) -> Json:
    chain = links.Chain(bytes.fromhex(given["key"]), bytes.fromhex(given["nonce"]))
    (since, last), link = given["seen"], bytes.fromhex(given["link"])
    wire.need(chain.back(given["round"], link, since).hex() == last, "bad-link", "not in its chain")
    return "good"


def _theirs_link(given: Json) -> Json:
    owner = verifier.Owner(bytes.fromhex(given["key"]), bytes.fromhex(given["nonce"]), "")
    wire.need(owner.reveals(given["seen"], given["round"], given["link"]), "bad-link", "not in its chain")
    return "good"


def _accumulator(given: Json, h: Any) -> Json:
    """The formula of section 6 on the hash of either side."""
    game = bytes.fromhex(given["game"])
    acc = h("acc0", game)
    value = {"acc0": acc.hex(), "rounds": []}
    for number, one in enumerate(given["rounds"], 1):
        acc = h("acc", game, number, acc, bytes.fromhex(one["host"]), *map(bytes.fromhex, one["links"]))
        value["rounds"].append({"acc": acc.hex(), "seed": h("seed", game, number, acc).hex()})
    return value


def _ours_accumulator(given: Json) -> Json:
    return _accumulator(given, codec.H)


def _theirs_accumulator(given: Json) -> Json:
    return _accumulator(given, wire.H)


def _ours_asked(given: Json) -> Json:
    state = codec.decode(canonical(given), r.State, "state")
    return {str(s): "link" if a.what in ("ack", "link") else a.what for s, a in rounds.asked(state).items()}


def _theirs_asked(given: Json) -> Json:
    found = verifier.asked(verifier.read_state(given, ""))
    return {str(seat): question["what"] if question else "link" for seat, question in found.items()}


def _ours_below(given: Json) -> Json:
    draws = stream.Stream(bytes.fromhex(given["seed"]))
    return [draws.below(given["n"]) for _ in range(40)]


def _theirs_below(given: Json) -> Json:
    return [wire.below(bytes.fromhex(given["seed"]), k, given["n"]) for k in range(40)]


def _place(given: Json) -> tuple[bytes, bytes, str, int]:
    return bytes.fromhex(given["secret"]), bytes.fromhex(given["seating"]), given["bag"], given["generation"]


def _ours_shuffle(given: Json) -> Json:
    return list(slots.arrange(*_place(given), given["faces"]))


def _theirs_shuffle(given: Json) -> Json:
    return wire.arrange(*_place(given), given["faces"])


def _ours_slot(given: Json) -> Json:
    place, order = _place(given), given["order"]
    leaves = slots.leaves(*place, order)
    salts, orders = (codec.derive(place[0], label, *place[1:]) for label in ("salts", "order"))
    return [
        {"salt": slots.salt(salts, i).hex(), "leaf": leaf.hex(), "order": slots.salt(orders, i).hex()}
        for i, leaf in enumerate(leaves)
    ]


def _theirs_slot(given: Json) -> Json:
    place = _place(given)
    return [
        {
            "salt": wire.salt_of(*place, i).hex(),
            "leaf": wire.leaf_of(*place[1:], i, wire.salt_of(*place, i), face).hex(),
            "order": wire.order_of(*place, i).hex(),
        }
        for i, face in enumerate(given["order"])
    ]


# --- the whole folder -------------------------------------------------------------------------------------------------


def _codes_of_section_8() -> set[str]:
    """All codes in brackets there."""
    text = (FOLDER.parent / "PROTOCOL.md").read_text()
    section = text[text.index("## 8.") : text.index("## 9.")]
    brackets = " ".join(re.findall(r"\[[^\]]*\]", section))
    return {*re.findall(r"[a-z]+(?:-[a-z]+)+|malformed|withheld|minted", brackets), "undecided"}


def test_there_is_a_fault_for_every_code() -> None:
    """On its own, not only as one of several acceptable codes."""
    alone = {vector["expect"][0] for vector in VECTORS.values() if len(vector["expect"]) == 1}
    codes = _codes_of_section_8()
    assert len(codes) > 45
    assert codes - alone == set()


def test_there_are_enough_vectors_of_both_kinds() -> None:
    faults = Counter(vector["expect"] != "ok" for vector in VECTORS.values())
    assert sum(faults.values()) >= 200
    assert faults[True] >= 2 * faults[False]
    assert sum(path.stat().st_size for path in FOLDER.glob("*.json")) < 6_500_000


def test_every_operation_is_in_a_good_vector_and_in_a_fault() -> None:
    faults = " ".join(name for name, vector in VECTORS.items() if vector["expect"] != "ok")
    shown = {op["op"] for name in _whole() for op in _operations(_document(name))}
    assert shown == set(wire.OPS)
    words = [op.replace("lay-out-all", "lay-out-face") for op in wire.OPS]
    assert not [word for word in words if f"-{word}-" not in faults]


def _operations(document: Json) -> list[Json]:
    entries = document["entries"] if "entries" in document else [document["entry"]]
    return [op for entry in entries for op in entry["body"].get("ops", [])]


def test_primitives_are_made_again() -> None:
    for make in PRIMITIVES:
        for vector in make():
            assert VECTORS[vector["name"]] == json.loads(spelled(vector))


@pytest.mark.thorough
def test_all_are_made_again_to_the_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    if any(table.code_hash(game) != code for game, code in codes().items()):
        pytest.skip("the rules are worded differently since then: other games would come out")
    made = {name: spelled(vector) for name, vector in all_vectors().items()}
    assert made == {path.stem: path.read_text() for path in FOLDER.glob("*.json")}
