"""Every vector in schemas/vectors, by the project and by the independent code."""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from referee.crypto import codec, draws, envelope, keys, links, slots
from referee.engine import compare, lobby, rounds, table, turn
from referee.engine.audit import audit
from referee.engine.records import Secret
from referee.engine.replay import verify
from referee.errors import RefereeError

from . import ed25519, verifier
from .make_vectors import FOLDER, all_vectors, part_value, spelled
from .vector_documents import patched

Json = Any
VECTORS = {path.stem: path for path in sorted(FOLDER.glob("*.json"))}


@cache
def load(name: str) -> Json:
    return json.loads(VECTORS[name].read_text())


def document(given: Json) -> bytes:
    """The bytes of a document that a vector gives, whole or as changes to another."""
    if "text" in given:
        return str(given["text"]).encode()
    if "document" in given:
        return verifier.canonical(given["document"])
    base = load(given["base"].removesuffix(".json"))["given"]["document"]
    return verifier.canonical(patched(base, given["patch"]))


def raw(text: str) -> bytes:
    return bytes.fromhex(text)


# --- the independent code -------------------------------------------------------------------------------------------


class Mine:
    """One function per kind of vector."""

    error = verifier.Bad

    def hash(self, given: Json) -> Json:
        parts = [part_value(part) for part in given["parts"]]
        label = given["label"]
        return {"items": verifier.items(label, *parts).hex(), "hash": verifier.H(label, *parts).hex()}

    def derive(self, given: Json) -> Json:
        parts = [part_value(part) for part in given["parts"]]
        return verifier.derive(raw(given["key"]), given["label"], *parts).hex()

    def canonical(self, given: Json) -> Json:
        return {"value": verifier.parse(raw(given["hex"]))}

    def envelope(self, given: Json) -> Json:
        kind, signed = given["kind"], given["envelope"]
        assert signed["type"] == verifier.PREFIX + kind
        if not verifier.is_signed(kind, signed["body"], signed["sig"], raw(given["key"])):
            raise verifier.Bad("bad-signature", "not signed")
        body = verifier.canonical(signed["body"])
        assert ed25519.sign(raw(given["seed"]), verifier.encoding(kind, body)).hex() == signed["sig"]
        return {
            "signed bytes": verifier.encoding(kind, body).hex(),
            "id": verifier.identity(kind, signed["body"]).hex(),
        }

    def weak_key(self, given: Json) -> Json:
        return all_or_none([verifier.is_weak(raw(key)) for key in given], "weak-key", "strong", verifier.Bad)

    def name(self, given: Json) -> Json:
        return all_or_none([not verifier.is_good_name(name) for name in given], "bad-name", "good", verifier.Bad)

    def names(self, given: Json) -> Json:
        alike = [verifier.name_key(one) == verifier.name_key(two) for one, two in given]
        return all_or_none(alike, "bad-name", "different", verifier.Bad)

    def links(self, given: Json) -> Json:
        key, nonce, index = raw(given["key"]), raw(given["nonce"]), verifier.LINKS
        link = verifier.derive(raw(given["seed"]), "chain", raw(given["offer"]), nonce)
        found = {}
        for to in (8192, 8191, 4096, 3, 2, 1, 0):
            link, index = verifier.link_back(key, nonce, index, to, link), to
            found[str(to)] = link.hex()
        return found

    def link_chain(self, given: Json) -> Json:
        seen = given["seen"]
        chain = verifier.Chain(raw(given["key"]), raw(given["nonce"]), raw(seen["link"]), seen["round"])
        if not chain.accept(given["round"], raw(given["link"])):
            raise verifier.Bad("bad-link", "not in its chain")
        return "good"

    def accumulator(self, given: Json) -> Json:
        game = raw(given["game"])
        acc = start = verifier.acc_start(game)
        out = []
        for number, one in enumerate(given["rounds"], 1):
            acc = verifier.acc_next(game, number, acc, raw(one["host"]), [raw(link) for link in one["links"]])
            out.append({"acc": acc.hex(), "seed": verifier.seed_of(game, number, acc).hex()})
        return {"acc0": start.hex(), "rounds": out}

    def below(self, given: Json) -> Json:
        return [verifier.below(raw(given["seed"]), k, given["n"]) for k in range(40)]

    def shuffle(self, given: Json) -> Json:
        place = raw(given["secret"]), raw(given["table"]), given["bag"], given["generation"]
        return verifier.arrange(*place, given["faces"])

    def slot(self, given: Json) -> Json:
        m, *place = raw(given["secret"]), raw(given["table"]), given["bag"], given["generation"]
        salts = [verifier.salt_of(m, *place, i) for i in range(len(given["order"]))]
        return [
            {"salt": salt.hex(), "leaf": verifier.leaf_of(*place, i, salt, face).hex()}
            for i, (salt, face) in enumerate(zip(salts, given["order"], strict=True))
        ]

    def commitment(self, given: Json) -> Json:
        game, number = raw(given["game"]), given["round"]
        salt = verifier.derive(raw(given["seed"]), "salt", game, number)
        commit = verifier.commitment(game, number, given["seat"], salt, given["fields"])
        return {"salt": salt.hex(), "commit": commit.hex()}

    def position(self, given: Json) -> Json:
        game, number, position = raw(given["game"]), given["round"], given["position"]
        salt = verifier.derive(raw(given["secret"]), "full", game, number)
        return {
            "full": verifier.H("full", game, number, salt, verifier.canonical(position)).hex(),
            "public": verifier.H("public", game, number, verifier.canonical(position["public"])).hex(),
        }

    def view(self, given: Json) -> Json:
        return verifier.check_view(document(given))

    def transcript(self, given: Json) -> Json:
        return verifier.check_transcript(document(given))

    def files(self, given: Json) -> Json:
        verifier.check_files([document(one) for one in given])
        return "one story"


def all_or_none(faults: list[bool], code: str, good: str, error: Callable[..., Exception]) -> str:
    """The vector lists several cases: either all are at fault or none is."""
    assert len(set(faults)) == 1, faults
    if faults[0]:
        raise error(code, "at fault")
    return good


# --- the project ----------------------------------------------------------------------------------------------------


class Theirs:
    """The same functions, by the project."""

    error = RefereeError

    def hash(self, given: Json) -> Json:
        parts = tuple(part_value(part) for part in given["parts"])
        label = given["label"]
        return {"items": codec.items(label, parts).hex(), "hash": codec.H(label, *parts).hex()}

    def derive(self, given: Json) -> Json:
        parts = [part_value(part) for part in given["parts"]]
        return codec.derive(raw(given["key"]), given["label"], *parts).hex()

    def canonical(self, given: Json) -> Json:
        value = codec.decode(raw(given["hex"]), object, "vector")
        codec.check_plain(value, "vector")
        return {"value": value}

    def envelope(self, given: Json) -> Json:
        kind, body = given["kind"], codec.encode(given["envelope"]["body"])
        envelope.check(raw(given["key"]), given["envelope"]["sig"], kind, body)
        return {"signed bytes": envelope.signed_bytes(kind, body).hex(), "id": envelope.ident(kind, body)}

    def weak_key(self, given: Json) -> Json:
        return all_or_none(
            [fails(keys.refuse_weak, raw(key), "weak-key") for key in given], "weak-key", "strong", coded
        )

    def name(self, given: Json) -> Json:
        return all_or_none([fails(table.check_name, name, "bad-name") for name in given], "bad-name", "good", coded)

    def names(self, given: Json) -> Json:
        alike = [table.fold(one) == table.fold(two) for one, two in given]
        return all_or_none(alike, "bad-name", "different", coded)

    def links(self, given: Json) -> Json:
        key, nonce = keys.Key(raw(given["seed"])), raw(given["nonce"])
        marks = lobby.player_marks(key, given["offer"], nonce)
        chain = links.Chain(key.public, nonce)
        return {str(i): chain.link(marks, i).hex() for i in (0, 1, 2, 3, 4096, 8191, 8192)}

    def link_chain(self, given: Json) -> Json:
        seen = given["seen"]
        board = SimpleNamespace(chains=[links.Chain(raw(given["key"]), raw(given["nonce"]))])
        state = SimpleNamespace(links=[(seen["round"], seen["link"])])
        turn.check_link(board, state, SimpleNamespace(seat=0, round=given["round"], link=given["link"]))  # type: ignore[arg-type]
        return "good"

    def accumulator(self, given: Json) -> Json:
        game = given["game"]
        acc = start = codec.H("acc0", raw(game))
        out = []
        for number, one in enumerate(given["rounds"], 1):
            shown = {seat: link for seat, link in enumerate(one["links"]) if link}
            acc = rounds.accumulate(game, number, acc.hex(), one["host"], shown, len(one["links"]))
            out.append({"acc": acc.hex(), "seed": rounds.seed_of(game, number, acc).hex()})
        return {"acc0": start.hex(), "rounds": out}

    def below(self, given: Json) -> Json:
        stream = draws.Stream(raw(given["seed"]))
        return [stream.below(given["n"]) for _ in range(40)]

    def shuffle(self, given: Json) -> Json:
        place = raw(given["secret"]), raw(given["table"]), given["bag"], given["generation"]
        return slots.arrange(*place, given["faces"])

    def slot(self, given: Json) -> Json:
        place = raw(given["secret"]), raw(given["table"]), given["bag"], given["generation"]
        key = slots.salts_key(*place)
        leaves = slots.leaves(*place, given["order"])
        return [{"salt": slots.salt(key, i).hex(), "leaf": leaf.hex()} for i, leaf in enumerate(leaves)]

    def commitment(self, given: Json) -> Json:
        salt = codec.derive(raw(given["seed"]), "salt", raw(given["game"]), given["round"]).hex()
        sealed = Secret(salt, codec.raw(given["fields"]))
        return {"salt": salt, "commit": turn.commitment(given["game"], given["round"], given["seat"], sealed)}

    def position(self, given: Json) -> Json:
        position, number = given["position"], given["round"]
        board = SimpleNamespace(id=given["game"])
        return {
            "full": rounds.full_hash(board, raw(given["secret"]), number, position),  # type: ignore[arg-type]
            "public": table.Table.public_hash(board, number, codec.encode(position["public"])),  # type: ignore[arg-type]
        }

    def view(self, given: Json) -> Json:
        found = audit(document(given))
        return {
            name: getattr(found, name)
            for name in ("rounds", "signatures", "links", "openings", "own_openings", "draws")
        }

    def transcript(self, given: Json) -> Json:
        found = verify(document(given))
        return {name: getattr(found, name) for name in ("rounds", "signatures", "openings")}

    def files(self, given: Json) -> Json:
        compare.compare([document(one) for one in given])
        return "one story"


def coded(code: str, message: str) -> RefereeError:
    return RefereeError(message, code=code)


def fails(check: Callable[[Any], object], value: Any, code: str) -> bool:
    try:
        check(value)
    except RefereeError as error:
        return error.code == code
    return False


# --- tests ----------------------------------------------------------------------------------------------------------


def outcome(judge: Mine | Theirs, vector: Json) -> tuple[str, Json]:
    """The code of the failure (empty if there is none) and the value."""
    try:
        return "", getattr(judge, vector["kind"].replace("-", "_"))(vector["given"])
    except judge.error as error:
        return error.code, None  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", VECTORS)
def test_independent(name: str) -> None:
    vector = load(name)
    code, value = outcome(Mine(), vector)
    if vector.get("needs") == "rules":
        assert code == "", "without the rules nothing is wrong with it"
    elif "error" in vector:
        assert code == vector["error"]
    else:
        assert (code, value) == ("", vector["expect"])


@pytest.mark.parametrize("name", VECTORS)
def test_project(name: str) -> None:
    vector = load(name)
    code, value = outcome(Theirs(), vector)
    if "error" in vector:
        assert code == vector["error"]
    else:
        assert code == ""
        expect = vector["expect"]
        if isinstance(value, dict):
            expect = {key: expect[key] for key in value}
        assert value == expect


def test_the_generator_makes_exactly_these_files() -> None:
    wanted = {name: spelled(vector) for name, vector in all_vectors().items()}
    assert sorted(wanted) == sorted(VECTORS), "run python -m tests.independent.make_vectors"
    for name, text in wanted.items():
        assert VECTORS[name].read_text() == text, f"{name}: run python -m tests.independent.make_vectors"


def test_there_is_a_vector_for_every_code() -> None:
    protocol = (FOLDER.parent / "PROTOCOL.md").read_text()
    section = protocol[protocol.index("## 8.") : protocol.index("## 9.")]
    brackets = " ".join(re.findall(r"\[([^\]]*)\]", section))
    codes = set(re.findall(r"\b[a-z]+(?:-[a-z]+)+\b|\bmalformed\b", brackets))
    tested = {load(name).get("error") for name in VECTORS}
    assert len(codes) > 40
    assert codes <= tested, sorted(codes - tested)


def test_there_are_many_vectors_of_every_kind() -> None:
    assert len(VECTORS) >= 40
    kinds = Counter(load(name)["kind"] for name in VECTORS)
    known = {name.replace("_", "-") for name in vars(Theirs) if not name.startswith("_") and name != "error"}
    assert set(kinds) == known
    for name in VECTORS:
        assert load(name).keys() - {"needs"} in (
            {"about", "kind", "given", "expect"},
            {"about", "kind", "given", "error"},
        )
