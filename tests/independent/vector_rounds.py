"""Vectors of rounds: the chain, private parts, answers, deadlines, leaving, rests, the last round."""

import copy
from typing import Any

import msgspec

from referee.engine.rounds import Checkpoint
from referee.engine.seats import rests
from referee.io.times import DAY
from tests.support.match import Sitting

from . import verifier
from .vector_tools import (
    Played,
    Vectors,
    altered_round,
    changed,
    drop,
    flipped,
    one_round,
    ops,
    put,
    ranked,
    signed,
    small_r,
    with_entry,
    with_move,
    with_op,
    with_private,
)
from .wire import Json, identity


def chain(out: Vectors, game: Played) -> None:
    view = game.view(5)
    out.base("view-five", 8, "five rounds", game, view)

    def bad(name: str, codes: str, about: str, document: Json, **more: Json) -> None:
        out.bad(f"view-chain-{name}", 8, codes, about, "view-five", document, **more)

    bad(
        "signature",
        "bad-signature",
        "an entry has another signature",
        changed(view, "entries", 3, "sig", flipped(view["entries"][3]["sig"])),
    )
    bad(
        "other-signer",
        "bad-signature",
        "a player signed the entry",
        changed(view, "entries", 4, signed(game.players[0], "entry", view["entries"][4]["body"])),
    )
    bad(
        "small-r",
        "bad-signature",
        "R of an entry is the neutral point",
        changed(view, "entries", 4, small_r(game.host, "entry", view["entries"][4]["body"])),
    )
    bad(
        "type",
        "wrong-kind malformed",
        "an entry signed as a private part",
        changed(view, "entries", 4, signed(game.host, "private", view["entries"][4]["body"])),
    )
    bad(
        "missing",
        "altered-chain mixed-view",
        "an entry is missing",
        view | {"entries": view["entries"][:2] + view["entries"][3:]},
    )
    bad(
        "swapped",
        "altered-chain mixed-view",
        "two entries changed places",
        view | {"entries": [view["entries"][i] for i in (0, 2, 1, 3, 4)]},
    )
    bad("again", "altered-chain", "the last entry twice", view | {"entries": view["entries"] + view["entries"][-1:]})
    bad("round", "altered-chain mixed-view", "an entry of another round", with_entry(game, view, put("round", 6)))
    bad("game", "altered-chain", "an entry of another game", with_entry(game, view, put("game", "00" * 32)))
    bad("prev", "broken-chain", "an entry that follows another one", with_entry(game, view, put("prev", "00" * 32)))
    ended = game.view()
    out.base("view-end", 8, "a finished game", game, ended)
    body = copy.deepcopy(ended["entries"][-1]["body"])
    body |= {"round": body["round"] + 1, "prev": identity("entry", body).hex(), "answers": []}
    for name in ("ops", "result", "end"):
        body.pop(name, None)
    link = game.sitting.table.host_chain.link(game.sitting.match.marks, body["round"]).hex()
    more = ended | {"entries": [*ended["entries"], signed(game.host, "entry", body | {"link": link})]}
    out.bad("view-after-end", 8, "after-end", "an entry follows the end", "view-end", more)
    for number in (1, 3, 4, 7, 10):
        out.good(f"view-round-{number:02}", 8, f"the same game after round {number}", "view-end", game.view(number))
        out.good(f"view-round-{number:02}-other", 8, "the other seat's view of it", "view-end", game.view(number, 1))
    other = changed(view, "public", "lot", view["public"]["lot"] + 1)
    bad("position", "mixed-view", "another position", other)
    bad("no-position", "mixed-view", "no position", {k: v for k, v in view.items() if k != "public"})
    out.bad(
        "view-start-position",
        8,
        "mixed-view",
        "a position before the first entry",
        "view-start",
        game.view(0) | {"public": view["public"]},
    )
    bad("seat", "mixed-view", "a seat that this table does not have", view | {"seat": 7})
    bad("neighbour", "mixed-view", "another seat is named", view | {"seat": 1})


def privates(out: Vectors, game: Played) -> None:
    view = game.view(5)

    def bad(name: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"view-private-{name}", 8, codes, about, "view-five", document)

    parts = view["privates"]
    bad("gone", "missing-private", "a private part is missing", view | {"privates": parts[1:]})
    bad(
        "all-gone",
        "missing-private",
        "all private parts are missing",
        {k: v for k, v in view.items() if k != "privates"},
    )
    bad("twice", "mixed-view", "a private part twice", view | {"privates": [*parts, parts[-1]]})
    bad("order", "mixed-view", "private parts in another order", view | {"privates": parts[::-1]})
    bad(
        "other-seat",
        "mixed-view",
        "the private part of another seat",
        changed(view, "privates", 0, game.view(5, 1)["privates"][0]),
    )
    bad("future", "mixed-view", "a private part of a round to come", with_private(game, view, put("round", 6)))
    bad("round-0", "mixed-view", "a private part of round 0", with_private(game, view, put("round", 0), 0))
    bad("game", "mixed-view", "a private part of another game", with_private(game, view, put("game", "00" * 32)))
    bad(
        "signature",
        "bad-signature",
        "a private part has another signature",
        changed(view, "privates", 0, "sig", flipped(parts[0]["sig"])),
    )
    bad(
        "other-signer",
        "bad-signature",
        "a player signed the private part",
        changed(view, "privates", 0, signed(game.players[0], "private", parts[0]["body"])),
    )
    bad(
        "type",
        "wrong-kind malformed",
        "signed as an entry",
        changed(view, "privates", 0, signed(game.host, "entry", parts[0]["body"])),
    )
    bad("shape", "bad-private", "an unknown field", with_private(game, view, put("zeal", 1)))
    bad("no-openings", "bad-private", "no openings at all", with_private(game, view, drop("openings")))
    bad("entry", "false-private", "it names another entry", with_private(game, view, put("entry", "00" * 32)))
    bad(
        "shorter",
        "missing-opening",
        "one opening is missing",
        with_private(game, view, lambda body: body["openings"].pop()),
    )
    bad("empty", "bad-private", "no opening in it", with_private(game, view, put("openings", [])))
    bad(
        "swapped",
        "missing-opening",
        "two openings changed places",
        with_private(game, view, lambda body: body["openings"].reverse(), 0),
    )
    bad(
        "longer",
        "missing-opening",
        "an opening too many",
        with_private(game, view, lambda body: body["openings"].append(body["openings"][0])),
    )
    bad(
        "face",
        "bad-opening",
        "an opening with another face",
        with_private(game, view, put("openings", 0, "face", "77"), 0),
    )
    bad(
        "salt",
        "bad-opening",
        "an opening with another salt",
        with_private(game, view, put("openings", 0, "salt", "00" * 32), 0),
    )
    bad(
        "no-salt",
        "bad-opening bad-private",
        "an opening without its salt",
        with_private(game, view, lambda body: body["openings"][0].pop("salt"), 0),
    )
    idle = parts[0]["body"] | {"round": 2, "entry": identity("entry", view["entries"][1]["body"]).hex()}
    extra = signed(game.host, "private", idle)
    bad(
        "surplus",
        "missing-opening",
        "openings in a round that told nothing",
        view | {"privates": [parts[0], extra, *parts[1:]]},
    )


def answers(out: Vectors, game: Played) -> None:
    deal, bids, raid, link_round = game.view(1), game.view(2), game.view(3), game.view(8)
    assert all("answer" not in answer for answer in link_round["entries"][-1]["body"]["answers"])
    out.base("view-dealt", 6, "the acks and the deal", game, deal)
    out.base("view-links", 6, "a round of bare links after a shuffle", game, link_round)

    def bad(name: str, codes: str, about: str, document: Json, base: str = "view-bids", **more: Json) -> None:
        out.bad(f"view-round-{name}", 6, codes, about, base, document, **more)

    answers = bids["entries"][-1]["body"]["answers"]
    bad(
        "move-signature",
        "bad-move",
        "a move has another signature",
        with_move(game, bids, 1, put("sig", flipped(answers[1]["sig"])), sign=False),
    )
    bad(
        "move-altered",
        "bad-move",
        "a move was altered",
        with_move(game, bids, 1, put("answer", {"do": "play"}), sign=False),
    )
    bad(
        "move-commit",
        "bad-move",
        "a commitment was altered",
        with_move(game, bids, 1, put("commit", "amount", "00" * 32), sign=False),
    )
    bad(
        "move-seat",
        "bad-move",
        "a seat that this table does not have",
        with_move(game, bids, 1, put("seat", 5), sign=False),
    )
    small = small_r(game.players[1], "move", verifier.rebuilt_move(bids["entries"][-1]["body"], answers[1]))["sig"]
    bad(
        "move-small-r",
        "bad-move",
        "R of a move is the neutral point",
        with_move(game, bids, 1, put("sig", small), sign=False),
    )
    bad("dropped", "bad-round", "an answer is missing", with_entry(game, bids, put("answers", answers[:1])))
    bad("swapped", "bad-round", "answers in another order", with_entry(game, bids, put("answers", answers[::-1])))
    bad("twice", "bad-round", "an answer twice", with_entry(game, bids, put("answers", [answers[0], *answers])))
    bad("both", "bad-round", "a seat answered and timed out", with_entry(game, bids, put("timeouts", [1])))
    bad("stranger", "bad-round", "a timeout of a seat that is not there", with_entry(game, bids, put("timeouts", [5])))
    bad(
        "bare",
        "bad-round",
        "a bare link where a decision is due",
        with_move(game, bids, 1, lambda a: (a.pop("answer"), a.pop("commit"), a.pop("box"))),
    )
    bad(
        "no-commit",
        "bad-round",
        "nothing is sealed where a field is to be",
        with_move(game, bids, 1, lambda a: (a.pop("commit"), a.pop("box"))),
    )
    bad(
        "no-box",
        "bad-round",
        "a field is sealed, and no encrypted part is named",
        with_move(game, bids, 1, drop("box")),
    )
    bad("box-alone", "bad-round", "an encrypted part without sealed fields", with_move(game, bids, 1, drop("commit")))
    bad(
        "move-box",
        "bad-move",
        "the hash of an encrypted part was altered",
        with_move(game, bids, 1, put("box", "00" * 32), sign=False),
    )
    bad("short-box", "bad-entry", "a hash that is too short", with_move(game, bids, 1, put("box", "ab")))
    bad(
        "resign-box",
        "bad-round",
        "an encrypted part beside a resignation",
        with_move(game, bids, 1, lambda a: (a.pop("answer"), a.pop("commit"), a.update(resign=True))),
    )
    bad(
        "other-field",
        "bad-round",
        "another field is sealed",
        with_move(game, bids, 1, put("commit", {"card": "00" * 32})),
    )
    bad(
        "both-ways",
        "bad-round rule-broken",
        "a sealed field is open too",
        with_move(game, bids, 1, put("answer", "amount", 3)),
    )
    bad("resign-and-move", "bad-round", "a decision and a resignation", with_move(game, bids, 1, put("resign", True)))
    bad(
        "link-answer",
        "bad-round",
        "a decision where a bare link is due",
        with_move(game, link_round, 1, put("answer", {"card": "01", "do": "play"})),
        "view-links",
    )
    bad(
        "link-commit",
        "bad-round",
        "a commitment beside a bare link",
        with_move(game, link_round, 1, lambda a: a.update(commit={"card": "00" * 32}, box="00" * 32)),
        "view-links",
    )
    bad(
        "link-empty-box",
        "bad-entry",
        "an empty hash is spelt out",
        with_move(game, link_round, 1, put("box", ""), sign=False),
        "view-links",
    )
    bad(
        "link-box",
        "bad-round",
        "an encrypted part beside a bare link",
        with_move(game, link_round, 1, put("box", "00" * 32)),
        "view-links",
    )
    bad(
        "ack-late",
        "bad-round",
        "a timeout in round 1",
        with_entry(game, deal, lambda e: (e["answers"].pop(), e.update(timeouts=[1]))),
        "view-dealt",
    )
    bad(
        "ack-resign",
        "bad-round",
        "a resignation in round 1",
        with_move(game, deal, 1, put("resign", True)),
        "view-dealt",
    )
    bad(
        "not-asked",
        "bad-round",
        "a seat that was not asked is late",
        with_entry(
            game, raid, put("timeouts", [s for s in (0, 1) if s != raid["entries"][-1]["body"]["answers"][0]["seat"]])
        ),
        "view-end",
    )
    bad("link", "bad-link", "a link that is not in its chain", with_move(game, bids, 1, put("link", "00" * 32)))
    old = deal["entries"][0]["body"]
    bad(
        "old-link",
        "bad-link",
        "the link of the round before",
        with_move(game, bids, 1, put("link", old["answers"][1]["link"])),
    )
    bad(
        "host-link",
        "bad-host-link",
        "the host's link is not in its chain",
        with_entry(game, bids, put("link", "00" * 32)),
    )
    bad(
        "old-host-link",
        "bad-host-link",
        "the host's link of the round before",
        with_entry(game, bids, put("link", old["link"])),
    )
    out.bad(
        "view-answer-illegal",
        9,
        "rule-broken bad-ops",
        "an answer that the rules forbid",
        "view-end",
        with_move(game, game.view(4), 0, put("answer", {"card": "99", "do": "play"})),
        needs="rules",
    )
    out.bad(
        "view-answer-nonsense",
        9,
        "rule-broken",
        "an answer that is not a move",
        "view-end",
        with_move(game, game.view(4), 0, put("answer", {"do": "dance"})),
        needs="rules",
    )


def play_late(game: Played) -> None:
    """Three players; the second misses deadlines until it is out, the game ends without it."""
    game.step().step(1).step().step().step()  # round 2 is held; round 3 has the late answer
    game.step(1).step(1)  # rounds 6 and 7: it is out
    game.to_end(1)


def deadlines(out: Vectors, game: Played) -> None:
    out.base("view-late", 6, "a late answer, a seat that goes out, a game that ends without it", game, game.view())
    for number, about in (
        (2, "a timeout: nothing is played"),
        (3, "the late answer comes, what was held is played"),
        (6, "another timeout"),
        (7, "the second one running: the seat is out"),
        (8, "bare links of the others: what was held is played"),
        (10, "a card of the seat that is out is picked by the seed"),
    ):
        out.good(f"view-late-{number:02}", 6, about, "view-late", game.view(number, 1))
    held, again, second, played = game.view(2), game.view(3), game.view(7), game.view(8)

    def bad(name: str, codes: str, about: str, document: Json, **more: Json) -> None:
        out.bad(f"view-late-{name}", 6, codes, about, "view-late", document, **more)

    ask = held["entries"][-1]["body"]["ask"]
    bad(
        "plays",
        "bad-ops",
        "a round with a timeout throws a die",
        with_entry(game, held, put("ops", [{"op": "die", "sides": 6, "values": [3]}])),
    )
    bad(
        "other-ask",
        "rule-broken",
        "a round with a timeout asks something else",
        with_entry(game, held, put("ask", ask[:1])),
    )
    bad(
        "result",
        "rule-broken",
        "a round with a timeout has a result",
        with_entry(
            game,
            held,
            lambda e: (e.pop("ask"), e.pop("due"), e.update(end="result", result=ranked([[1], [2], [3]]))),
        ),
    )
    bad(
        "public",
        "rule-broken",
        "a round with a timeout changes the position",
        with_entry(game, held, put("public", "00" * 32)),
        needs="rules",
        without=["mixed-view"],
    )
    bad(
        "skips",
        "bad-round",
        "only the late seat is in the next round",
        with_entry(game, again, lambda e: e.update(answers=e["answers"][1:2])),
    )
    bad(
        "decides-again",
        "bad-round",
        "a held seat decides once more",
        with_move(
            game,
            again,
            0,
            lambda a: a.update(
                copy.deepcopy(
                    {
                        k: v
                        for k, v in held["entries"][-1]["body"]["answers"][0].items()
                        if k in ("answer", "box", "commit")
                    }
                )
            ),
        ),
    )
    bare = with_move(game, again, 1, lambda a: (a.pop("answer"), a.pop("commit"), a.pop("box")))
    bad("bare", "bad-ops bad-shown", "the late seat sends a bare link, and yet its bid is shown", bare)
    bad("out-asked", "bad-round", "a seat that is out is timed out", with_entry(game, played, put("timeouts", [1])))
    bad(
        "out-skipped",
        "bad-round",
        "a seat that is not out is left out",
        with_entry(game, second, drop("timeouts")),
    )
    first = game.view(10)
    take = ops(first, "take")[0]["tokens"][0]
    bad(
        "take-slot",
        "bad-pick",
        "another card is taken",
        with_op(game, first, "take", put("tokens", 0, "slot", "pile.0.99")),
    )
    bad("take-face", "bad-opening", "another face", with_op(game, first, "take", put("tokens", 0, "face", "77")))
    bad(
        "take-salt",
        "bad-opening",
        "another salt",
        with_op(game, first, "take", put("tokens", 0, "salt", flipped(take["salt"]))),
    )
    bad("take-no-salt", "bad-opening", "no salt", with_op(game, first, "take", lambda op: op["tokens"][0].pop("salt")))
    bad(
        "take-none",
        "bad-ops bad-pick",
        "no card is taken",
        with_op(game, first, "take", put("tokens", [])),
        needs="rules",
    )
    part = game.view(1)["privates"][0]["body"] | {
        "round": 2,
        "entry": identity("entry", held["entries"][-1]["body"]).hex(),
    }
    bad(
        "told",
        "missing-opening",
        "openings in a round that plays nothing",
        held | {"privates": [*held["privates"], signed(game.host, "private", part)]},
    )
    timed = copy.deepcopy(game.view(5)["entries"][-1]["body"]["answers"])
    bad(
        "false-timeout",
        "bad-ops",
        "a round that was complete is called late and yet played",
        with_entry(
            game,
            game.view(5),
            lambda e: e.update(answers=[a for a in timed if a["seat"] != 1], timeouts=[1], due="2030-01-01T00:00Z"),
        ),
    )


def leaving(out: Vectors) -> None:
    game = Played(Sitting("auction", 3, "vectors leave", deadline=0))
    game.until(2).step(1)  # a round is held
    resigned = 2 if 2 in game.sitting.asked else game.sitting.asked[0]
    game.step(leave=(resigned,))
    while len(game.sitting.asked) < 2:
        game.step()
    after = game.sitting.round
    last = next(seat for seat in game.sitting.asked if seat != resigned)
    game.step(leave=(last,))
    assert game.sitting.state.end == "left"
    view = game.view()
    out.base("view-left", 6, "one seat resigns, then another: one is left", game, view)
    out.good("view-left-one", 6, "one seat has resigned, the game goes on", "view-left", game.view(after))
    body = view["entries"][-1]["body"]

    def bad(name: str, codes: str, about: str, document: Json, **more: Json) -> None:
        out.bad(f"view-left-{name}", 6, codes, about, "view-left", document, **more)

    bad(
        "scores",
        "rule-broken",
        "other scores than the rounds of leaving",
        with_entry(game, view, put("result", ranked([[5], [6], [7]]))),
    )
    bad("ranks", "rule-broken", "other ranks", with_entry(game, view, put("result", "ranks", [1, 1, 1])))
    bad(
        "goes-on",
        "rule-broken",
        "one is left and the game goes on",
        with_entry(game, view, lambda e: (e.pop("end"), e.pop("result"), e.update(ask=[{"seat": 0, "what": "play"}]))),
    )
    bad(
        "asks",
        "rule-broken",
        "somebody is asked after all left",
        with_entry(game, view, put("ask", [{"seat": 0, "what": "play"}])),
    )
    bad(
        "plays",
        "bad-ops",
        "a die is thrown after all left",
        with_entry(game, view, put("ops", [{"op": "die", "sides": 6, "values": [3]}])),
    )
    bad("result", "rule-broken", "`result` in place of `left`", with_entry(game, view, put("end", "result")))
    bad(
        "forged",
        "bad-move",
        "nobody signed the resignation",
        with_move(
            game,
            game.view(after),
            game.view(after)["entries"][-1]["body"]["answers"][0]["seat"],
            put("resign", True),
            sign=False,
        ),
    )
    assert body["result"]["scores"][last] == [body["round"]]


def resting(out: Vectors) -> None:
    game = Played(Sitting("auction", 2, "vectors rest")).until(2)
    while not rests(game.sitting.state):
        game.step(0, 1)
    asleep = game.sitting.round
    game.step(1)
    game.step()
    view = game.view()
    out.base("view-rests", 6, "both seats are out, the game rests; one wakes it up and plays on alone", game, view)
    out.good("view-rests-asleep", 6, "the game rests", "view-rests", game.view(asleep))
    out.good("view-rests-awake", 6, "one seat answered", "view-rests", game.view(asleep + 1))

    def bad(name: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"view-rests-{name}", 6, codes, about, "view-rests", document)

    awake = game.view(asleep + 1)
    bad(
        "silent",
        "bad-round",
        "a round of a game that rests without an answer",
        with_entry(game, awake, lambda e: e.update(answers=[], timeouts=[0, 1])),
    )
    bad("alone", "bad-round", "the seat that sleeps on is not in the round", with_entry(game, awake, drop("timeouts")))
    bad("asked", "bad-round", "the seat that is out is in the round", with_entry(game, view, put("timeouts", [1])))
    bad(
        "plays",
        "bad-ops",
        "the round that woke the game up plays",
        with_entry(game, awake, put("ops", view["entries"][-1]["body"]["ops"])),
    )


def _at_round(game: Played, number: int) -> Played:
    """The same game as if so many rounds had passed: all links are later ones of the same chains."""
    sitting = game.sitting
    match, seats = sitting.match, sitting.table
    links = tuple(
        (number, chain.link(marks, number).hex()) for chain, marks in zip(seats.chains, sitting.marks, strict=True)
    )
    link = number, seats.host_chain.link(match.marks, number).hex()
    state = msgspec.structs.replace(match.state, round=number, links=links, host_link=link)
    match.checkpoint = Checkpoint(state, match.checkpoint.public, match.checkpoint.head)
    return game


def last_round(out: Vectors) -> None:
    def played(number: int, *late: int, until: str = "bid", leave: tuple[int, ...] = ()) -> tuple[Played, Json]:
        deadline = DAY if late else 0
        game = _at_round(Played(Sitting("auction", 2, "vectors last", deadline=deadline)).until(until), number)
        game.moments[-1:] = []
        game.views[-1:] = []
        game._note()
        game.step(*late, leave=leave)
        return game, one_round(game, 0)

    cases = {
        "void": ("the links run out: the game is void", played(2047)),
        "void-late": ("the last round has a timeout: void too, nothing is held any more", played(2047, 1)),
        "result": ("a result in the last round is a result", played(2047, until="guess")),
        "left": ("all but one left in the last round", played(2047, leave=(1,))),
        "before-last": ("round 2,047 goes on", played(2046)),
    }
    for name, (about, (game, document)) in cases.items():
        out.base(f"round-{name}", 6, about, game, document, "round")
    wanted = {"void": "void", "void-late": "void", "result": "result", "left": "left", "before-last": None}
    assert {name: case[1][1]["entry"]["body"].get("end") for name, case in cases.items()} == wanted

    def bad(name: str, codes: str, about: str, base: str, alter: Any) -> None:
        game, document = out.bases["round-" + base]
        out.bad("round-" + name, 6, codes, about, "round-" + base, altered_round(game, document, alter))

    bad("not-void", "rule-broken", "round 2,048 and the game goes on", "void", drop("end"))
    bad("void-early", "rule-broken", "void in round 2,047", "before-last", put("end", "void"))
    going_on = lambda e: (e.pop("end"), e.update(due="2030-01-01T00:00Z"))  # noqa: E731
    bad("void-holds", "rule-broken", "round 2,048 has a timeout and holds on", "void-late", going_on)
    bad("void-result", "rule-broken", "a result is called void", "result", put("end", "void"))
    bad("last-link", "bad-host-link", "not the last link of the host", "void", put("link", "00" * 32))
    bad("beyond", "bad-entry altered-chain", "round 2,049", "void", put("round", 2049))
