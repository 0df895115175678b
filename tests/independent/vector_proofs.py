"""Vectors of proofs: each offence that a view, a transcript or a few receipts show, as a proof; and files that prove
nothing: a part taken away, a part of another game or round, another signature, an honest game dressed up.

What is right follows from PROTOCOL.md, section 11: a verdict and a code, or several where any may be named.
"""

from typing import Any

from tests.support.match import Sitting

from . import ed25519, hpke, proofs, verifier, wire
from .judges import library
from .vector_files import _move, _receipt, _with_sealed
from .vector_time import BROKEN, KEPT, LAST, extension
from .vector_tools import Played, Vector, Vectors, changed, copied, difference, flipped, own_fields, patched, signed
from .wire import Json, canonical, identity

FORMAT = wire.PREFIX + "proof"
RULES = "undecided needs-rules"
NOTHING, MIXED, MALFORMED, UNSIGNED, MISSING = (
    *("altered no-offence", "altered mixed-proof", "altered malformed", "altered bad-signature"),
    "undecided undecided",
)
OPTIONAL = ("privates", "tokens", "sealed", "state", "public", "before")


def make_proofs(out: Vectors, game: Played, late: Played) -> "Kit":
    kit = Kit(out)
    for vector in list(out.all.values()):
        kit.from_view(vector)
    twin = Played(Sitting("auction", 2, "vectors", deadline=60)).to_end()
    two_stories(kit, game, twin)
    receipts(kit, game, late, twin)
    extensions(kit, out.bases["view-due"][0], twin)
    refusals(kit, game, twin)
    transcripts(kit, game, twin)
    dressed(kit, game, late)
    strange_rounds(kit, game, twin)
    spelling(kit, game)
    return kit


class Kit:
    """Proofs, stored whole or as changes to one that is stored whole."""

    def __init__(self, out: Vectors) -> None:
        self.out = out
        self.whole: dict[str, Json] = {}
        self.seen: set[tuple[str, ...]] = set()

    def add(self, name: str, expect: str | list[str], about: str, game: Played, proof: Json, **more: Json) -> None:
        name, wanted = f"proof-{name}", [expect] if isinstance(expect, str) else expect
        blames = {one.split()[0] == "proved" for one in wanted}
        more = ({"blames": "host" if True in blames else "nobody"} if len(blames) == 1 else {}) | more
        file = {"text": proof} if isinstance(proof, str) else self._file(name, proof)
        self.out.add(name, 11, about, "proof", file, wanted, game)
        self.out.all[name] = {k: v for k, v in self.out.all[name].items() if k != "blames"} | more

    def ruled(self, name: str, expect: str, about: str, game: Played, proof: Json, *without: str) -> None:
        """One that only the rules can judge."""
        self.add(name, expect, about, game, proof, needs="rules", without=[RULES, *without])

    def _file(self, name: str, proof: Json) -> Json:
        spelled = len(canonical(proof))
        for base, document in self.whole.items():
            patch = difference(document, proof)
            if 3 * len(canonical(patch)) < spelled:
                return {"base": base + ".json", "patch": patch}
        self.whole[name] = copied(proof)
        return {"document": proof}

    # -- what views show ---------------------------------------------------------------------------------------------

    def from_view(self, vector: Vector) -> None:
        """The offence of a view, the first of its code, as a proof; with what it is without each of its parts."""
        if vector["kind"] != "view" or vector["expect"] == "ok" or "base" not in vector["file"]:
            return
        base, needs = vector["file"]["base"].removesuffix(".json"), vector.get("needs", "")
        codes = vector["expect"]
        ruled = codes in (["other-rules"], ["unknown-game"], ["undecided"])
        if len(codes) > 1 or not (vector.get("blames") == "host" or ruled):
            return
        game, document = self.out.bases[base][0], patched(self.out.bases[base][1], vector["file"]["patch"])
        if "seat" not in document:
            return  # the views of seats show the same offences
        proof = round_proof(game, document, vector.get("own", {})) if document["entries"] else genesis_proof(document)
        if proof is None or (codes[0], needs, proof["shows"]) in self.seen:
            return
        self.seen.add((codes[0], needs, proof["shows"]))
        name, about = vector["name"].removeprefix("view-"), vector["about"]
        if needs:
            others = [f"proved {code}" for code in vector.get("without", []) if code != "mixed-view"]
            word = "undecided" if ruled else "proved"
            self.ruled(f"{proof['shows']}-{name}", f"{word} {codes[0]}", about, game, proof, *others)
            return
        proof = smallest(proof, game.bags)
        self.add(f"{proof['shows']}-{name}", f"proved {codes[0]}", about, game, proof)
        self._less(name, game, proof)

    def _less(self, name: str, game: Played, proof: Json) -> None:
        shows = proof["shows"]
        for part in [part for part in OPTIONAL if part in proof]:
            less = {k: v for k, v in proof.items() if k != part}
            bare = "state" not in proof and proof["entry"]["body"]["round"] > 1
            if ("before" not in proof and bare) or (part in ("before", "state", "public") and not bare):
                self.add(f"{shows}-{name}-no-{part}", MISSING, f"`{part}` is missing", game, less)
            elif part == "before":
                # The moves in it name the true one.
                self.add(f"{shows}-{name}-no-before", "proved bad-move", "the entry before is missing", game, less)
            else:
                self.ruled(f"{shows}-{name}-no-{part}", NOTHING, f"`{part}` is missing: nothing shows", game, less)
        part = "entry" if shows == "round" else "genesis"
        forged = changed(proof, part, "sig", flipped(proof[part]["sig"]))
        self.add(f"{shows}-{name}-forged", UNSIGNED, f"the {part} is not signed by the host", game, forged)


def genesis_proof(view: Json) -> Json:
    return {"format": FORMAT, "genesis": view["genesis"], "shows": "genesis"}


def round_proof(game: Played, view: Json, own: Json) -> Json:
    """The newest round of a view, or the one with a false private part, with all that its player knows; None if the
    rounds before are not those of the game."""
    number, seat = len(view["entries"]), view["seat"]
    true = game.view(min(number, len(game.views) - 1), seat)
    if view["entries"] == true["entries"]:
        both = zip(true.get("privates", []), view.get("privates", []), strict=False)
        number = next((one["body"]["round"] for one, other in both if one != other), number)
    *before, entry = view["entries"][:number]
    head = identity("entry", before[-1]["body"]) if before else identity("genesis", view["genesis"]["body"])
    moment = next((one for one in game.moments if one["prev"] == head.hex()), None)
    if moment is None or moment["state"]["round"] != number - 1:
        return None
    parts = view.get("privates", [])
    older = [part["body"] for part in game.view(number - 1, seat).get("privates", [])]
    told = [token for part in older for token in part["openings"]]
    leaves = moment["state"]["book"].get("leaves", {})
    optional = {
        "privates": parts[len(older) :][:1],
        "tokens": sorted((token for token in told if token["slot"] in leaves), key=lambda token: str(token["slot"])),
        "sealed": [{"round": int(n), "seat": seat, "fields": fields} for n, fields in own.items()],
    }
    proof = {"entry": entry, "format": FORMAT, "genesis": view["genesis"], "shows": "round"}
    scene = {"before": before[-1], "state": moment["state"], "public": moment["public"]} if before else {}
    return copied(proof | scene | {name: part for name, part in optional.items() if part})


def smallest(proof: Json, bags: wire.Bags) -> Json:
    """Without the parts that are not needed."""
    wanted = proofs.judge(canonical(proof), bags, library)
    for part in [("state", "public", "before"), ("state", "public"), *((name,) for name in OPTIONAL)]:
        less = {name: value for name, value in proof.items() if name not in part}
        if proofs.judge(canonical(less), bags, library) == wanted:
            proof = less
    return proof


# --- two stories -----------------------------------------------------------------------------------------------------


def signed_again(seed: bytes, kind: str, envelope: Json) -> Json:
    """The same bytes with another good signature."""
    message = wire.encoding(kind, canonical(envelope["body"]))
    scalar, prefix = ed25519._expand(seed)
    number = ed25519._hash(prefix, b"once more", message) % ed25519.L
    point = ed25519._encode(ed25519._times(number, ed25519._base()))
    k = ed25519._hash(point, ed25519.public_key(seed), message) % ed25519.L
    return envelope | {"sig": (point + ((number + k * scalar) % ed25519.L).to_bytes(32, "little")).hex()}


def two_stories(kit: Kit, game: Played, twin: Played) -> None:
    view, genesis = game.view(), game.view(0)["genesis"]
    body = copied(genesis["body"])
    body["joins"].reverse()
    swapped, foreign = signed(game.host, "genesis", body), twin.view(0)["genesis"]
    both = {"format": FORMAT, "genesis": genesis, "other": swapped, "shows": "geneses"}

    def of_two(name: str, expect: str | list[str], about: str, **parts: Json) -> None:
        kit.add(f"geneses{name}", expect, about, game, both | parts)

    of_two("", "proved two-geneses", "one offer, two games: the seats changed places")
    of_two("-same", NOTHING, "the same genesis twice", other=genesis)
    of_two(
        "-again", NOTHING, "another signature over the same genesis", other=signed_again(game.host, "genesis", genesis)
    )
    of_two("-offers", MIXED, "two geneses of two offers of one host", other=foreign)
    of_two("-forged", UNSIGNED, "one of them is not signed", other=changed(swapped, "sig", flipped(swapped["sig"])))
    of_two("-player", UNSIGNED, "one of them is signed by a player", other=signed(game.players[0], "genesis", body))
    of_two("-kind", ["altered wrong-kind", MALFORMED], "an offer in place of a genesis", other=genesis["body"]["offer"])
    of_two("-more", MALFORMED, "a part too many", entries=view["entries"][:2])
    kit.add("geneses-less", MALFORMED, "one genesis", game, {k: v for k, v in both.items() if k != "other"})

    twice = Played(Sitting("auction", 2, "vectors", deadline=0)).until(2)
    twice.sitting.step(salt="another")
    twice._note()
    entry, other = view["entries"][2], twice.view()["entries"][2]
    pair = {"entries": [entry, other], "format": FORMAT, "genesis": genesis, "shows": "entries"}

    def of(name: str, expect: str | list[str], about: str, *entries: Json) -> None:
        kit.add(f"entries{name}", expect, about, game, pair | {"entries": list(entries)})

    of("", "proved two-entries", "two entries of round 3", entry, other)
    of("-same", NOTHING, "the same entry twice", entry, entry)
    of("-again", NOTHING, "another signature over the same entry", entry, signed_again(game.host, "entry", entry))
    of("-rounds", MIXED, "entries of two rounds", entry, view["entries"][3])
    of("-games", MIXED, "entries of two games of one host", entry, twin.view()["entries"][2])
    of("-forged", UNSIGNED, "one of them is not signed", entry, changed(other, "sig", flipped(other["sig"])))
    of("-player", UNSIGNED, "one of them is signed by a player", entry, signed(game.players[1], "entry", other["body"]))
    of("-kind", "altered wrong-kind", "a genesis in place of an entry", entry, genesis)
    of("-one", MALFORMED, "one entry", entry)
    of("-three", MALFORMED, "three entries", entry, other, other)
    spelt = signed(game.host, "entry", entry["body"] | {"end": ""})
    of("-spelt", "proved bad-entry", "an entry with a default spelt out, twice", spelt, spelt)
    round_0 = signed(game.host, "entry", entry["body"] | {"round": 0})
    of("-zero", MIXED, "entries of a round 0", round_0, signed(game.host, "entry", other["body"] | {"round": 0}))
    kit.add("entries-genesis", MIXED, "with the genesis of another game of the host", game, pair | {"genesis": foreign})


# --- receipts --------------------------------------------------------------------------------------------------------


def receipts(kit: Kit, game: Played, late: Played, twin: Played) -> None:
    genesis, entry = game.view(0)["genesis"], game.view()["entries"][1]
    move = identity("move", _move(game, 2, 1)["body"]).hex()
    other = "ab" * 32
    taken = _receipt(game, 2, 1, move, "taken")
    base = {"format": FORMAT, "genesis": genesis, "shows": "receipts"}

    def of(name: str, expect: str | list[str], about: str, *given: Json, **parts: Json) -> None:
        kit.add(f"receipts-{name}", expect, about, game, base | {"receipts": list(given)} | parts)

    def made(code: str, round_: int = 2, seat: int = 1, what: str = move, seed: bytes = b"") -> Json:
        return _receipt(game, round_, seat, what, code, seed)

    of("two-taken", "proved two-taken", "two moves of one seat and round were taken", taken, made("taken", what=other))
    of("refused", "proved taken-and-refused", "one move was taken and refused", taken, made("illegal"))
    of(
        "dropped",
        "proved taken-and-dropped",
        "a move was taken that the entry does not have",
        made("taken", what=other),
        entry=entry,
    )
    of(
        "both-dropped",
        "proved taken-and-dropped",
        "of two receipts one shows it beside the entry",
        made("stale"),
        made("taken", what=other),
        entry=entry,
    )
    of("good", NOTHING, "a move was taken, and is in the entry", taken, entry=entry)
    of("alone", NOTHING, "a receipt alone", taken)
    of("twice", NOTHING, "the same receipt twice", taken, taken)
    of("again", NOTHING, "another signature over the same receipt", taken, signed_again(game.host, "receipt", taken))
    of("two-refused", NOTHING, "one move was refused twice", made("illegal"), made("stale"))
    for code in ("early", "revealed"):
        of(code, NOTHING, f"`{code}` says nothing of a move, and then it was taken", taken, made(code))
    misfit = made("bad-commitment")
    of("misfit", "proved taken-and-refused", "a sealed part was said not to fit, and the move taken", taken, misfit)
    of("other-answered", NOTHING, "a second answer was refused", taken, made("answered", what=other), entry=entry)
    of("seats", MIXED, "receipts of two seats", taken, made("taken", seat=0, what=other))
    of("rounds", MIXED, "receipts of two rounds", taken, made("taken", round_=3, what=other))
    of("games", MIXED, "receipts of two games of one host", taken, _receipt(twin, 2, 1, other, "taken"))
    of("game", MIXED, "a receipt of another game of the host", _receipt(twin, 2, 1, other, "taken"), entry=entry)
    of(
        "entry-game",
        MIXED,
        "the entry of another game of the host",
        made("taken", what=other),
        entry=twin.view()["entries"][1],
    )
    of("entry-round", MIXED, "the entry of another round", made("taken", what=other), entry=game.view()["entries"][2])
    of(
        "player",
        UNSIGNED,
        "a receipt that a player signed",
        made("taken", what=other, seed=game.players[0]),
        entry=entry,
    )
    of("forged", UNSIGNED, "a receipt that nobody signed", changed(taken, "body", "move", other), entry=entry)
    of(
        "entry-forged",
        UNSIGNED,
        "an entry that the host did not sign",
        made("taken", what=other),
        entry=changed(entry, "sig", flipped(entry["sig"])),
    )
    of(
        "odd",
        MALFORMED,
        "a receipt with a field that there is not",
        signed(game.host, "receipt", taken["body"] | {"zeal": 1}),
        entry=entry,
    )
    of("kind", "altered wrong-kind", "an entry in place of a receipt", entry, entry=entry)
    of("none", MALFORMED, "no receipt", entry=entry)
    of("three", MALFORMED, "three receipts", taken, taken, made("illegal"))
    name = identity("move", _move(late, 3, 1)["body"]).hex()
    late_base = base | {"genesis": late.view(0)["genesis"], "entry": late.view()["entries"][1]}
    for code, offence in (("taken", "taken-and-timed-out"), ("answered", "answered-and-timed-out")):
        given = [_receipt(late, 2, 1, name, code)]
        kit.add(
            f"receipts-late-{code}",
            f"proved {offence}",
            f"`{code}`, and timed out",
            late,
            late_base | {"receipts": given},
        )
    for code in ("illegal", "stale"):
        given = [_receipt(late, 2, 1, name, code)]
        kit.add(
            f"receipts-late-{code}", NOTHING, "a refused answer, and timed out", late, late_base | {"receipts": given}
        )
    given = [_receipt(late, 2, 0, identity("move", _move(late, 2, 0)["body"]).hex(), "taken")]
    kit.add("receipts-late-other", NOTHING, "somebody else was timed out", late, late_base | {"receipts": given})


# --- extensions ------------------------------------------------------------------------------------------------------


def extensions(kit: Kit, game: Played, twin: Played) -> None:
    late = game.view(2)
    base = {"format": FORMAT, "genesis": late["genesis"], "shows": "extension", "entry": late["entries"][1]}
    broken, proved = extension(game, BROKEN), "proved extended-and-timed-out"

    def of(name: str, expect: str | list[str], about: str, given: Json = broken, **parts: Json) -> None:
        kit.add(f"extension-{name}", expect, about, game, base | {"extension": given} | parts)

    of("broken", proved, "a timeout a minute before the time that was given is over")
    of("kept", NOTHING, "a timeout exactly when it is over", extension(game, KEPT))
    of("never", proved, "time was given up to the last of all times", extension(game, LAST))
    of("answered", NOTHING, "the seat answered", extension(game, LAST, seat=1))
    of("open", MIXED, "for another round", extension(game, LAST, round_=3))
    of("first", NOTHING, "in the first round nobody is timed out", extension(game, LAST, round_=1),
       entry=late["entries"][0])  # fmt: skip
    of("seat", MIXED, "for a seat that there is not", extension(game, LAST, seat=3))
    of(
        "game",
        MIXED,
        "for another game of the host",
        signed(game.host, "extension", broken["body"] | {"game": "ab" * 32}),
    )
    of("genesis", [UNSIGNED, MIXED], "the genesis of another game", genesis=twin.view(0)["genesis"])
    of("player", UNSIGNED, "signed by the player", extension(game, LAST, seed=game.players[2]))
    of("forged", UNSIGNED, "another time than the host signed", changed(broken, "body", "until", LAST))
    of("again", proved, "another signature over the same extension", signed_again(game.host, "extension", broken))
    of("february", MALFORMED, "until a day that does not exist", extension(game, "2030-02-30T00:00Z"))
    of("year", MALFORMED, "until the year 0", extension(game, "0000-01-01T00:00Z"))
    of("empty", MALFORMED, "until no time", extension(game, ""))
    of("odd", MALFORMED, "with a field that there is not", signed(game.host, "extension", broken["body"] | {"zeal": 1}))
    of("kind", "altered wrong-kind", "a receipt in its place", _receipt(game, 2, 2, "ab" * 32, "taken"))
    entry = late["entries"][1]
    of(
        "entry-forged",
        UNSIGNED,
        "an entry that the host did not sign",
        entry=changed(entry, "sig", flipped(entry["sig"])),
    )
    stated = signed(game.host, "entry", entry["body"] | {"due": "2027-02-29T00:00Z"})
    of("due", NOTHING, "an entry whose `due` is not a time: that shows elsewhere", entry=stated)
    without = {name: part for name, part in base.items() if name != "entry"} | {"extension": broken}
    kit.add("extension-alone", MALFORMED, "without an entry", game, without)
    ended = Played(Sitting("auction", 2, "vectors bank end", deadline=60)).step().step(1, leave=(0,))
    last = ended.view()["entries"][-1]
    assert (last["body"]["end"], last["body"]["timeouts"]) == ("left", [1])
    over = {"format": FORMAT, "genesis": ended.view(0)["genesis"], "shows": "extension", "entry": last}
    given = {"extension": extension(ended, LAST, seat=1)}
    kit.add(
        "extension-end", NOTHING, "a round that ends the game states no time: it cannot be judged", ended, over | given
    )


# --- refusals --------------------------------------------------------------------------------------------------------


def scene(game: Played, round_: int) -> Json:
    """What comes before a round."""
    moment = game.moments[round_ - 1]
    assert moment["state"]["round"] == round_ - 1
    parts = {"before": game.view()["entries"][round_ - 2], "state": moment["state"], "public": moment["public"]}
    return copied(parts) if round_ > 1 else {}


def tokens_of(game: Played, round_: int, seat: int) -> list[Json]:
    """All that a seat was told before a round and that lies in a container then."""
    leaves = game.moments[round_ - 1]["state"]["book"].get("leaves", {})
    parts = [part["body"] for part in game.view(-1, seat).get("privates", [])]
    told = [token for part in parts if part["round"] < round_ for token in part["openings"]]
    return sorted((token for token in told if token["slot"] in leaves), key=lambda token: str(token["slot"]))


def refusals(kit: Kit, game: Played, twin: Played) -> None:
    genesis = game.view(0)["genesis"]
    ack = _move(game, 1, 1)
    name = identity("move", ack["body"]).hex()
    base = {"format": FORMAT, "genesis": genesis, "shows": "refusal", "move": ack}

    def of(what: str, expect: str, about: str, receipt: Json, **parts: Json) -> None:
        kit.add(f"refusal-{what}", expect, about, game, base | {"receipt": receipt} | parts)

    of("ack", "proved refused-though-legal", "a good ack was refused", _receipt(game, 1, 1, name, "illegal"))
    for code in ("taken", "stale", "answered", "early", "revealed"):
        of(f"ack-{code}", NOTHING, "this says nothing of the move", _receipt(game, 1, 1, name, code))
    misfit = _receipt(game, 1, 1, name, "bad-commitment")
    of("ack-misfit", "proved refused-though-legal", "nothing is sealed in an ack that could not fit", misfit)
    of("ack-player", UNSIGNED, "the receipt is a player's", _receipt(game, 1, 1, name, "illegal", game.players[0]))
    of("ack-seat", MIXED, "the receipt names another seat", _receipt(game, 1, 0, name, "illegal"))
    of("ack-move", MIXED, "the receipt is for another move", _receipt(game, 1, 1, "ab" * 32, "illegal"))
    of("ack-game", MIXED, "the receipt is of another game", _receipt(twin, 1, 1, name, "illegal"))
    forged = changed(ack, "sig", flipped(ack["sig"]))
    of("ack-forged", UNSIGNED, "the move is not its player's", _receipt(game, 1, 1, name, "illegal"), move=forged)
    of("ack-scene", MIXED, "something before the first round", _receipt(game, 1, 1, name, "illegal"), public={})

    def signed_move(**changes: Json) -> tuple[Json, Json]:
        move = signed(game.players[1], "move", ack["body"] | changes)
        return move, _receipt(game, 1, 1, identity("move", move["body"]).hex(), "illegal")

    for what, changes in (("link", {"link": "00" * 32}), ("resign", {"resign": True}), ("answer", {"answer": {}})):
        move, receipt = signed_move(**changes)
        of(f"ack-{what}", NOTHING, f"an ack that is rightly refused: `{what}`", receipt, move=move)
    move, receipt = signed_move(asked="00" * 32)
    of("ack-asked", MIXED, "an answer to another question", receipt, move=move)

    bid = _move(game, 2, 1)
    name = identity("move", bid["body"]).hex()
    fields = [{"round": 2, "seat": 1, "fields": own_fields(game, 1)[2]}]
    no, told = _receipt(game, 2, 1, name, "illegal"), tokens_of(game, 2, 1)
    full = base | {"move": bid, "receipt": no, "sealed": fields, "tokens": told} | scene(game, 2)
    kit.ruled("refusal-bid", "proved refused-though-legal", "a legal bid was refused", game, full)

    def less(what: str, expect: str, about: str, **parts: Json) -> None:
        proof = {k: v for k, v in (full | parts).items() if v is not None}
        kit.add(f"refusal-bid-{what}", expect, about, game, proof)

    less("sealed", MISSING, "what was sealed is missing", sealed=None)
    less(
        "salt",
        MISSING,
        "what was sealed is something else",
        sealed=changed(fields, 0, "fields", next(iter(fields[0]["fields"])), "salt", "00" * 32),
    )
    less("tokens", MISSING, "what the player knew is missing", tokens=None)
    less("token", MISSING, "part of what the player knew is missing", tokens=told[1:])
    less("false-token", MIXED, "a token that does not fit", tokens=changed(told, 0, "face", "99"))
    for part in ("before", "state", "public"):
        less(part, MISSING, f"`{part}` is missing", **{part: None})
    less("other-state", MIXED, "the state of another round", state=game.moments[2]["state"])
    less("other-before", MIXED, "the entry of another round", before=game.view()["entries"][1])
    less("other-game", MIXED, "the genesis of another game", genesis=twin.view(0)["genesis"])
    boxed = _with_sealed(game, bid, 2, 1)
    less("boxed", MALFORMED, "a move with what is encrypted to the host", move=boxed)
    encrypted(kit, game, full)
    plain = {k: v for k, v in bid["body"].items() if k not in ("answer", "box", "commit")}
    leave = signed(game.players[1], "move", plain | {"resign": True})
    gone = _receipt(game, 2, 1, identity("move", leave["body"]).hex(), "wrong-answer")
    less("resign", "proved refused-though-legal", "somebody was not let go", move=leave, receipt=gone, sealed=None)
    bare = signed(game.players[1], "move", plain)
    no_link = _receipt(game, 2, 1, identity("move", bare["body"]).hex(), "wrong-answer")
    less("bare", NOTHING, "a bare link where a decision was asked for", move=bare, receipt=no_link, sealed=None)


def encrypted(kit: Kit, game: Played, illegal: Json) -> None:
    """A bid that is refused because what is sealed in it does not fit: it is encrypted again and compared."""
    bid, fields, player = illegal["move"]["body"], illegal["sealed"][0]["fields"], game.players[1]
    key = wire.own_ephemeral(player, bid, fields)

    def of(what: str, expect: str, about: str, code: str = "bad-commitment", **parts: Json) -> None:
        move = parts.get("move", illegal["move"])
        no = _receipt(game, 2, 1, identity("move", move["body"]).hex(), code)
        proof = illegal | {"receipt": no, "ephemeral": key.hex()} | parts
        add = kit.ruled if expect.startswith("proved") else kit.add
        add(f"refusal-box-{what}", expect, about, game, {k: v for k, v in proof.items() if v is not None})

    def other(body: Json, data: bytes | None) -> Json:
        plain = {name: part for name, part in body.items() if name != "box"}
        return signed(player, "move", plain | ({"box": wire.box_hash(data)} if data is not None else {}))

    good = "proved refused-though-legal"
    of("good", good, "what was encrypted is what is legal, and the host said that it does not fit")
    of("no-key", MISSING, "the key with which it was encrypted is missing", ephemeral=None)
    of("other-key", MISSING, "another key", ephemeral="ab" * 32)
    of("no-fields", MISSING, "the key without what was encrypted", sealed=None)
    of("empty-key", MALFORMED, "the key is left empty", ephemeral="")
    of("illegal", good, "with another code the key counts for nothing", "illegal", ephemeral="ab" * 32)
    of("damaged", good, "a receipt that calls the move damaged", "damaged", ephemeral=None)
    public = bytes.fromhex(illegal["genesis"]["body"]["offer"]["body"]["box"])
    lie = {name: one | {"salt": "00" * 32} for name, one in fields.items()}
    of("lie", MISSING, "something else was encrypted", move=other(bid, wire.boxed(key, public, bid, lie)))
    strange = wire.boxed(key, hpke.public_key(wire.H("id", "another host")), bid, fields)
    of("strange", MISSING, "it was encrypted for somebody else", move=other(bid, strange))
    moved = wire.boxed(key, public, bid | {"round": 3}, fields)
    of("moved", MISSING, "it was encrypted beside another move", move=other(bid, moved))
    of("no-hash", MISSING, "a move that names no encrypted part", move=other(bid, None))


# --- transcripts -----------------------------------------------------------------------------------------------------


def transcripts(kit: Kit, game: Played, twin: Played) -> None:
    whole = game.transcript()
    base = whole | {"format": FORMAT, "shows": "transcript"}
    vectors = [one for one in kit.out.all.values() if one["kind"] == "transcript" and "base" in one["file"]]
    seen = set()
    for vector in vectors:
        based = vector["file"]["base"].removesuffix(".json")
        played, document = kit.out.bases[based][0], patched(kit.out.bases[based][1], vector["file"]["patch"])
        codes, needs = vector["expect"], vector.get("needs", "")
        if codes == ["not-over"] or vector["expect"] == "ok" or document["format"] != wire.PREFIX + "transcript":
            continue
        if "abandoned" in document:  # which is no part of a proof
            continue
        words = [f"{'altered' if _blames_nobody(code) else 'proved'} {code}" for code in codes]
        if (tuple(codes), needs) in seen:
            continue
        seen.add((tuple(codes), needs))
        proof = document | {"format": FORMAT, "shows": "transcript"}
        name, about = f"transcript-{vector['name'].removeprefix('transcript-')}", vector["about"]
        if needs:
            others = [f"{'altered' if _blames_nobody(code) else 'proved'} {code}" for code in vector.get("without", [])]
            kit.add(name, words, about, played, proof, needs="rules", without=[RULES, *others])
        else:
            kit.add(name, words, about, played, proof)
    kit.ruled("transcript-whole", NOTHING, "a whole game in which nothing is wrong", game, base)
    part = base | {"entries": base["entries"][:3], "sealed": [one for one in base["sealed"] if one["round"] <= 3]}
    kit.ruled("transcript-part", NOTHING, "the first rounds of it", game, part)
    kit.add(
        "transcript-more",
        "altered bad-sealed",
        "sealed parts of rounds that are not there",
        game,
        base | {"entries": base["entries"][:3]},
    )
    kit.add(
        "transcript-gap", "altered altered-chain", "a round is left out", game, base | {"entries": base["entries"][1:]}
    )
    kit.add(
        "transcript-game",
        "altered altered-chain",
        "entries of another game of the host",
        game,
        base | {"entries": twin.transcript()["entries"]},
    )
    kit.add(
        "transcript-genesis",
        ["altered bad-secret", "altered altered-chain"],
        "the genesis of another game of the host",
        game,
        base | {"genesis": twin.view(0)["genesis"]},
    )


def _blames_nobody(code: str) -> bool:
    return code in ("malformed", "wrong-kind", "bad-signature", "bad-secret", "bad-sealed", "altered-chain")


# --- honest games dressed up, and parts in false places ---------------------------------------------------------------


def whole_round(game: Played, round_: int, seat: int) -> Json:
    """An honest round with all that a seat knows."""
    view = game.view(round_, seat)
    own = {str(n): fields for n, fields in own_fields(game, seat).items() if n == round_}
    return round_proof(game, view, own)


def dressed(kit: Kit, game: Played, late: Played) -> None:
    kit.ruled("honest-genesis", NOTHING, "a good genesis", game, genesis_proof(game.view(0)))
    for label, played, rounds in (("duel", game, (1, 2, 3, 4, 5)), ("late", late, (1, 2, 3, 5))):
        for round_ in rounds:
            proof = whole_round(played, round_, round_ % 2)
            kit.ruled(f"honest-{label}-{round_}", NOTHING, f"round {round_} of an honest game", played, proof)
    proof = whole_round(game, 3, 0)
    again = {name: signed_again(game.host, "entry", proof[name]) for name in ("entry", "before")}
    kit.ruled("honest-again", NOTHING, "an honest round under other signatures", game, proof | again)
    bare = {k: v for k, v in proof.items() if k not in ("privates", "tokens", "sealed")}
    kit.ruled("honest-bare", NOTHING, "an honest round by what is public", game, bare)


def strange_rounds(kit: Kit, game: Played, twin: Played) -> None:
    """Each part of an honest round exchanged for one of another round, game or seat."""
    proof, third, theirs = whole_round(game, 3, 0), whole_round(game, 4, 0), whole_round(twin, 3, 0)
    for part in ("before", "state", "public", "entry", "genesis", "tokens", "privates"):
        for label, other in (("round", third), ("game", theirs)):
            if part in other and other[part] != proof.get(part):
                about = f"`{part}` of another {label}"
                kit.add(f"mixed-{part}-{label}", MIXED, about, game, proof | {part: other[part]})
    first = whole_round(game, 1, 0)
    kit.add("mixed-first", MIXED, "a state before the first round", game, first | {"state": proof["state"]})
    kit.add("mixed-before-first", MIXED, "an entry before the first one", game, first | {"before": proof["before"]})
    token = proof["tokens"][0]
    for label, tokens in (
        ("face", [token | {"face": "99"}]), ("salt", [token | {"salt": "00" * 32}]), ("twice", [token, token]),
        ("slot", [token | {"slot": "pile.0.99"}]), ("open", [{"slot": "pile+0", "face": "01"}]),
    ):  # fmt: skip
        kit.add(f"mixed-token-{label}", MIXED, f"a token that is not so: {label}", game, proof | {"tokens": tokens})
    for part in ("before", "entry"):
        forged = changed(proof, part, "sig", flipped(proof[part]["sig"]))
        kit.add(f"mixed-{part}-forged", UNSIGNED, f"`{part}` is not signed by the host", game, forged)
        player = signed(game.players[0], "entry", proof[part]["body"])
        kit.add(f"mixed-{part}-player", UNSIGNED, f"`{part}` is signed by a player", game, proof | {part: player})
    dealt = whole_round(game, 1, 0)
    part = dealt["privates"][0]
    forged = [changed(part, "sig", flipped(part["sig"]))]
    kit.add("mixed-private-forged", UNSIGNED, "a private part that is not signed", game, dealt | {"privates": forged})
    ninth = [signed(game.host, "private", part["body"] | {"seat": 9})]
    kit.add(
        "mixed-private-seat", MIXED, "a private part of a seat that there is not", game, dealt | {"privates": ninth}
    )
    for label, changes in STATES:
        hosted = lying(game, proof, changes)
        kit.add(f"state-{label[0]}", label[1], label[2], game, hosted)


STATES: tuple[Any, ...] = (
    (("shape", MISSING, "a host signed a state that nobody can read: the round before shows it"), {"links": "none"}),
    (("rows", MIXED, "a host signed a state with a seat less"), {"missed": [0]}),
    (("round", MIXED, "a host signed a state of another round"), {"round": 9}),
    (("bank", MIXED, "a host signed a state with banks that the offer does not have"), {"bank": [5, 5]}),
    (("due", MIXED, "a host signed a state that is due on a day that does not exist"), {"due": "2027-02-30T00:00Z"}),
    (
        ("seats", MIXED, "a host signed a state that asks a seat that there is not"),
        {"pending": [{"seat": 9, "what": "x"}]},
    ),
)


def lying(game: Played, proof: Json, changes: Json) -> Json:
    """A round after a state of the host's own making."""
    state = proof["state"] | changes
    table = identity("genesis", proof["genesis"]["body"])
    before = signed(
        game.host, "entry", proof["before"]["body"] | {"state": wire.H("state", table, canonical(state)).hex()}
    )
    body = proof["entry"]["body"] | {"prev": identity("entry", before["body"]).hex()}
    answers = []
    for answer in body["answers"]:
        move = wire.encoding("move", canonical(verifier.rebuilt_move(body, answer)))
        answers.append(answer | {"sig": ed25519.sign(game.players[answer["seat"]], move).hex()})
    entry = signed(game.host, "entry", body | {"answers": answers})
    bare = {k: v for k, v in proof.items() if k not in ("privates", "tokens", "sealed")}
    return bare | {"before": before, "state": state, "entry": entry}


# --- spelling --------------------------------------------------------------------------------------------------------


def spelling(kit: Kit, game: Played) -> None:
    proof = whole_round(game, 3, 0)
    text = canonical(proof).decode()

    def of(name: str, about: str, document: Json, expect: str | list[str] = MALFORMED) -> None:
        kit.add(f"spelling-{name}", expect, about, game, document)

    of("space", "a blank", text.replace('"format":', '"format": '))
    of("unknown", "a field that there is not", proof | {"zeal": 1})
    of("default", "an empty list spelt out", {k: v for k, v in proof.items() if k != "sealed"} | {"sealed": []})
    of("shows", "it shows something that there is not", proof | {"shows": "nothing"})
    of("no-shows", "it does not say what it shows", {k: v for k, v in proof.items() if k != "shows"})
    of("no-entry", "no entry", {k: v for k, v in proof.items() if k != "entry"})
    of("no-genesis", "no genesis", {k: v for k, v in proof.items() if k != "genesis"})
    of("other", "the parts of one kind under the name of another", proof | {"shows": "entries"})
    of("offer", "the offer cannot be read", changed(proof, "genesis", "body", "offer", "body", "seats", 0))
    weak = copied(proof)
    weak["genesis"]["body"]["offer"]["body"]["key"] = "01" + "00" * 31
    of("weak", "a key for which anybody can sign", weak, "altered weak-key")
    body = canonical(proof["entry"]["body"]).decode()
    spaced = body.replace('"game":', '"game": ', 1)
    sig = ed25519.sign(game.host, wire.encoding("entry", spaced.encode())).hex()
    forged = text.replace(body, spaced, 1)
    of("entry-forged", "the entry in another spelling, under its old signature", forged, UNSIGNED)
    of(
        "entry",
        "the host signed an entry in another spelling",
        forged.replace(proof["entry"]["sig"], sig),
        "proved bad-entry",
    )
