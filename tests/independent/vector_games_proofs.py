"""Vectors of proofs over real games of all four kinds, and of several files of one game. What is right follows from
PROTOCOL.md, sections 8 and 11."""

from . import wire
from .vector_files import _move, _receipt
from .vector_games import DEADLINE, GRACE, Documents, public
from .vector_games_faults import ILLEGAL, NOBODY, OPERATIONS, first_op, later, then, twin
from .vector_proofs import FORMAT, MISSING, MIXED, NOTHING, RULES, scene, tokens_of
from .vector_time import extension
from .vector_tools import own_fields, put, signed, with_entry, with_move, with_op, with_private
from .vector_words import with_position
from .wire import Json, identity

LEGAL = "proved refused-though-legal"


def proofs(kit: Documents) -> None:
    honest(kit)
    rounds(kit)
    if kit.whole["genesis"]["body"].get("hands"):
        told(kit)
    refusals(kit)
    sealed(kit)
    two_words(kit)
    transcripts(kit)


def add(kit: Documents, name: str, expect: str, about: str, proof: Json, **more: Json) -> None:
    blames = "host" if expect.startswith("proved") else "nobody"
    whole = {"format": FORMAT, "genesis": kit.whole["genesis"]} | {k: v for k, v in proof.items() if v != []}
    kit.add("proof", name, 11, [expect], about, whole, **more)
    kit.out.all[kit.name("proof", name)]["blames"] = blames


def ruled(kit: Documents, name: str, expect: str, about: str, proof: Json) -> None:
    """One that only the rules can judge."""
    add(kit, name, expect, about, proof, needs="rules", without=[RULES])


def round_of(kit: Documents, number: int, entry: Json) -> Json:
    """A round with what came before it."""
    return {"shows": "round", "entry": entry} | scene(kit.real.game, number)


# --- rounds ----------------------------------------------------------------------------------------------------------


def honest(kit: Documents) -> None:
    game = kit.real.game
    for what in ("dealt", "protest", "end"):
        number, seat = kit.real.at(what)
        parts = [one for one in game.view(number, seat).get("privates", []) if one["body"]["round"] == number]
        proof = round_of(kit, number, game.view()["entries"][number - 1])
        proof |= {"privates": parts, "tokens": tokens_of(game, number, seat)}
        ruled(kit, f"honest-{what}", NOTHING, "an honest round, with all that a seat knows of it", proof)


def rounds(kit: Documents) -> None:
    real = kit.real

    def of(name: str, what: str, code: str, about: str, document: Json) -> Json:
        proof = round_of(kit, real.rounds[what], document["entries"][-1])
        add(kit, name, f"proved {code}", about, proof)
        return proof

    game, view = then(real, "protest")
    false = with_move(game, view, real.seats["protest"], put("answer", {}), sign=False)
    proof = of("move", "protest", "bad-move", "the host wrote another move", false)
    alone = {"shows": "round", "entry": proof["entry"]}
    add(kit, "move-alone", MISSING, "the same without the state, which says who held the seats", alone)
    older = scene(game, real.rounds["protest"] - 1)["state"]
    add(kit, "move-state", MIXED, "the same with the state of another round", proof | {"state": older})
    game, view = then(real, "timeout")
    due = view["entries"][-1]["body"]["due"]
    early = with_entry(game, view, put("due", later(due, -1)))
    of("due", "timeout", "bad-due", "a minute too early for a timeout", early)
    game, view = then(real, "taken")
    none = with_entry(game, view, put("successions", view["entries"][-1]["body"]["successions"] * 2))
    of("taken", "taken", "bad-succession", "a seat is taken over twice at once", none)
    name, codes, about, alter = next((op, *rest) for op, _, *rest in OPERATIONS if first_op(real, op)[0] > 0)
    number, _ = first_op(real, name)
    draw = with_op(real.game, public(real.game.view(number)), name, alter)
    add(kit, name, f"proved {codes}", about, round_of(kit, number, draw["entries"][-1]))
    game, view = then(real, "protest")
    moved = with_position(game, view, put("players", []))
    proof = round_of(kit, real.rounds["protest"], moved["entries"][-1])
    ruled(kit, "position", "proved rule-broken", "a position without players", proof)


def told(kit: Documents) -> None:
    """False private parts for the owner of a hand."""
    real, game = kit.real, kit.real.game
    view = real.view("dealt")
    for name, code, about, alter in (
        ("face", "bad-opening", "a player was told another face", put("openings", 0, "face", "zeal")),
        ("entry", "false-private", "what was told is for another entry", put("entry", NOBODY)),
    ):
        parts = with_private(game, view, alter)["privates"][:1]
        proof = {"shows": "round", "entry": view["entries"][0], "privates": parts}
        add(kit, f"told-{name}", f"proved {code}", about, proof)


# --- refusals --------------------------------------------------------------------------------------------------------


def refusal(kit: Documents, number: int, move: Json, code: str) -> Json:
    game, seat = kit.real.game, move["body"]["seat"]
    receipt = _receipt(game, number, seat, identity("move", move["body"]).hex(), code)
    proof = {"shows": "refusal", "move": move, "receipt": receipt, "tokens": tokens_of(game, number, seat)}
    return proof | scene(game, number)


def refusals(kit: Documents) -> None:
    real, game = kit.real, kit.real.game
    number, seat = real.at("protest")
    answers = game.view()["entries"][number - 1]["body"]["answers"]
    other = next(one["seat"] for one in answers if one.keys() == {"link", "seat", "sig"})
    link = refusal(kit, number, _move(game, number, other), "illegal")
    add(kit, "refusal-link", LEGAL, "a link that everybody was asked for was refused", link)
    decision = _move(game, number, seat)
    move = refusal(kit, number, decision, "illegal")
    ruled(kit, "refusal", LEGAL, "a legal move was refused", move)
    add(kit, "refusal-state", MISSING, "without the state", {k: v for k, v in move.items() if k != "state"})
    stale = refusal(kit, number, decision, "stale")
    add(kit, "refusal-stale", NOTHING, "it was called stale, which says nothing of the move", stale)
    false = signed(real.keys[number][seat], "move", decision["body"] | {"answer": ILLEGAL[real.kind]})
    ruled(kit, "refusal-illegal", NOTHING, "an illegal move was refused", refusal(kit, number, false, "illegal"))


def sealed(kit: Documents) -> None:
    """The first answer with sealed fields, refused because they do not fit."""
    real, game = kit.real, kit.real.game
    parts = kit.whole.get("sealed", [])
    if not parts:
        return
    number, seat = parts[0]["round"], parts[0]["seat"]
    fields, move = own_fields(game, seat)[number], _move(game, number, seat)
    proof = refusal(kit, number, move, "bad-commitment")
    proof |= {"sealed": [{"round": number, "seat": seat, "fields": fields}]}
    key = wire.own_ephemeral(real.keys[number][seat], move["body"], fields).hex()
    ruled(kit, "refusal-box", LEGAL, "sealed fields that fit were said not to fit", proof | {"ephemeral": key})
    add(kit, "refusal-box-key", MISSING, "without the key with which they were encrypted", proof)
    add(kit, "refusal-box-other", MISSING, "with another key", proof | {"ephemeral": NOBODY})


# --- two words of one host -------------------------------------------------------------------------------------------


def two_words(kit: Documents) -> None:
    """Two entries of one round; a receipt or an extension beside a timeout: as a proof, and as several files."""
    real, game = kit.real, kit.real.game
    table = twin(real)
    table.step(salt="another")
    entry = game.view()["entries"][table.round - 1]
    second = wire.parse(table.view(0))
    pair = {"shows": "entries", "entries": [entry, second["entries"][-1]]}
    add(kit, "entries", "proved two-entries", "two entries of one round", pair)
    several(kit, "two-entries", "two-entries", "two entries of one round", public(real.view("handed")), public(second))
    view = public(real.view("timeout"))
    number, seat = real.at("timeout")
    late = view["entries"][-1]
    taken = _receipt(game, number, seat, NOBODY, "taken")
    proof = {"shows": "receipts", "receipts": [taken], "entry": late}
    about = "an answer was taken, and its seat timed out"
    add(kit, "receipt", "proved taken-and-timed-out", about, proof)
    several(kit, "receipt", "taken-and-timed-out", about, view, taken)
    kept = later(late["body"]["due"], -GRACE - DEADLINE)
    promised = {until: extension(game, until, number, seat) for until in (kept, later(kept, 1))}
    for (name, code, about), given in zip(EXTENSIONS, promised.values(), strict=True):
        proof = {"shows": "extension", "extension": given, "entry": late}
        add(kit, f"extension-{name}", f"proved {code}" if code else NOTHING, about, proof)
        several(kit, f"extension-{name}", code, about, view, given)


EXTENSIONS = (
    ("kept", "", "a timeout exactly when the time that was given is over"),
    ("broken", "extended-and-timed-out", "a timeout a minute before the time that was given is over"),
)


def several(kit: Documents, name: str, code: str, about: str, *files: Json) -> None:
    kit.add("several", name, 8, code, about, files)


def transcripts(kit: Documents) -> None:
    early = {name: part for name, part in kit.early.items() if name not in ("abandoned", "format", "genesis")}
    base = early | {"shows": "transcript"}
    ruled(kit, "transcript", NOTHING, "the first rounds of an honest game, with M", base)
    dealt = {
        "entries": base["entries"][:1],
        "secret": base["secret"],
        "shows": "transcript",
        "genesis": kit.whole["genesis"],
    }
    ops = {op["op"] for op in dealt["entries"][0]["body"]["ops"]}
    name, codes, about, alter = next((op, *rest) for op, _, *rest in OPERATIONS if op in ops)
    false = with_op(kit.real.game, dealt, name, alter)
    add(kit, "transcript-false", f"proved {codes}", about, false)
