"""Vectors of seats that change hands: vacancies, successions, hand-overs, returns, what is inherited; and every way in
which a host can get one of them wrong."""

import copy
from typing import Any

from referee.games.auction import Words

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.engine import host as hosting
from referee.engine import records as r
from referee.engine.player import sign_return
from referee.engine.seats import out_seats
from tests.support.match import Sitting, resigned

from . import ed25519, verifier
from .vector_tools import (
    Alter,
    Played,
    Vectors,
    drop,
    flipped,
    put,
    secret,
    signed,
    small_r,
    with_entry,
    with_move,
    with_offer,
    with_private,
)
from .vector_words import with_position
from .wire import PREFIX, H, Json, canonical, derive, encoding, identity, link_back

HOUR = 60


def seats_change_hands(out: Vectors) -> None:
    offers(out)
    game = taken_over(out)
    successions(out, game)
    afterwards(out, game)
    handed_over(out)
    inherited(out)
    returned(out)
    two_at_once(out)
    taken_twice(out)
    at_rest(out)


# --- how it is played ------------------------------------------------------------------------------------------------


def table(seed: str, seats: int = 3, takeovers: int = 2, takeover: int = 2 * HOUR) -> Played:
    return Played(
        Sitting("auction", seats, f"vectors seats {seed}", deadline=HOUR, takeovers=takeovers, takeover=takeover)
    )


def vacated(seed: str, seat: int = 2, **how: int) -> Played:
    """This seat missed two deadlines."""
    return go_out(table(seed, **how).step(), seat)


def go_out(game: Played, *seats: int) -> Played:
    """These seats miss deadlines until they are out."""
    while not set(seats) <= out_seats(game.sitting.state):
        game.step(*seats)
    return game


def arrive(game: Played, *envelopes: Envelope) -> None:
    for one in envelopes:
        hosting.take_arrival(game.sitting.match, one)


def sit_down(game: Played, seat: int, name: str = "Zoe") -> None:
    game.sitting.sit_down(seat, name)
    game.players[seat] = game.sitting.newcomer(name).seed


def take_over(game: Played, seat: int, name: str = "Zoe", *late: int) -> Played:
    """Somebody takes over a seat in the next round, after long enough a time."""
    game.sitting.wait(3 * HOUR)
    arrive(game, game.sitting.succession(seat, name))
    game.step(*late)
    sit_down(game, seat, name)
    return game


def naming(game: Played, seat: int, key: str, **how: Any) -> None:
    """A round in which this seat names a key; the others answer."""
    sitting = game.sitting
    file = decode(sitting.signed(seat, **how), r.MoveFile, "move")
    judged = sitting.give(resigned(sitting, seat, file, handover=key))
    assert judged.error is None, judged.error
    sitting.others(seat)
    game._note()


def first_holder(game: Played, seat: int = 2) -> bytes:
    """The key of the player who joined for a seat."""
    return Sitting("auction", len(game.players), game.sitting.seed).players[seat].seed


def body_of(view: Json) -> Json:
    return view["entries"][-1]["body"]


def succession_of(
    game: Played, view: Json, seat: int, name: str = "Xara", /, seed: bytes = b"", **changes: Json
) -> Json:
    """A succession for the newest entry of a view, signed whatever it says."""
    seed = seed or secret(f"seats {name}")
    vacancy = next((one for one in game.moments[-2]["state"].get("vacant", []) if one["seat"] == seat), {})
    key, nonce, game_id = ed25519.public_key(seed), secret("a nonce"), body_of(view)["game"]
    tip = link_back(key, nonce, 2048, 0, derive(seed, "succession-chain", bytes.fromhex(game_id), nonce)).hex()
    body = {"game": game_id, "seat": seat, "vacancy": vacancy.get("entry") or body_of(view)["prev"], "name": name}
    body |= {"key": key.hex(), "nonce": nonce.hex(), "tip": tip}
    return signed(seed, "succession", body | changes)


def return_of(view: Json, seat: int, seed: bytes, vacancy: str = "") -> Json:
    entry = body_of(view)
    said = {"game": entry["game"], "seat": seat, "vacancy": vacancy or entry["prev"]}
    return {"seat": seat, "sig": ed25519.sign(seed, encoding("return", canonical(said))).hex()}


# --- offers ----------------------------------------------------------------------------------------------------------


def offers(out: Vectors) -> None:
    start = out.game("view-start")
    for name, codes, about, changes in (
        ("alone", "bad-succession", "a time to wait where no seat can be taken over", {"takeover": 5}),
        ("many", "malformed", "more than 100 takeovers", {"takeovers": 101}),
        ("zero", "malformed", "`takeovers` of 0, spelt out", {"takeovers": 0}),
        ("zero-time", "malformed", "`takeover` of 0, spelt out", {"takeovers": 1, "takeover": 0}),
        ("long", "malformed", "a time to wait of more than 365 days", {"takeovers": 1, "takeover": 525_601}),
    ):
        view = with_offer(start, start.view(0), **changes)
        out.bad(f"view-seats-offer-{name}", 4, codes, about, "view-start", view)
    good = with_offer(start, start.view(0), takeovers=100, takeover=525_600)
    out.good("view-seats-offer", 4, "as many takeovers, and as long a time, as can be", "view-start", good)


# --- a seat that is out is taken over --------------------------------------------------------------------------------


def taken_over(out: Vectors) -> Played:
    game = vacated("taken")
    out.base("view-seats-vacant", 6, "a seat missed two deadlines and is vacant", game, game.view())
    take_over(game, 2)
    entry = body_of(game.view())
    assert entry["successions"], "the seat was taken over"
    out.base("view-seats-taken", 6, "the seat is taken over; the view of another", game, game.view())
    out.base("view-seats-newcomer", 6, "the same for who took it over", game, game.view(seat=2))
    assert set(verifier.asked(verifier.read_state(game.moments[-1]["state"], ""))) == {0, 1, 2}
    return game


def successions(out: Vectors, game: Played) -> None:
    """Each condition of a succession, one at a time."""
    view = game.view()
    zoe, first = game.players[2], body_of(view)["successions"][0]
    moment = game.moments[-2]["state"]["vacant"][0]

    def bad(name: str, about: str, *successions: Json, codes: str = "bad-succession", **more: Json) -> None:
        changed = with_entry(game, view, put("successions", list(successions)))
        out.bad(f"view-seats-{name}", 6, codes, about, "view-seats-taken", changed, **more)

    def other(*how: Any, seed: bytes = b"", **changes: Json) -> Json:
        return succession_of(game, view, *(how or (2,)), seed=seed, **changes)

    good = with_entry(game, view, put("successions", [other()]))
    out.good("view-seats-other", 6, "somebody else takes it over", "view-seats-taken", good)
    good = with_entry(game, view, put("successions", [other(kept=True)]))
    out.good("view-seats-kept", 6, "the host keeps the key of who takes it over", "view-seats-taken", good)
    bad("type", "a join in place of a succession", first | {"type": PREFIX + "join"})
    bad("signature", "not signed by its key", first | {"sig": flipped(first["sig"])})
    bad("small-r", "a signature with the neutral point as R", small_r(zoe, "succession", first["body"]))
    bad("weak", "a weak key", first | {"body": first["body"] | {"key": "01" + "00" * 31}})
    deep: Json = {}
    for _ in range(64):
        deep = {"deep": deep}
    bad("body-list", "a body that is not an object", first | {"body": []}, codes="bad-entry")
    bad("body-deep", "a body that is nested too deep", first | {"body": deep}, codes="bad-entry")
    bad("body-shallow", "a body of 64 objects in each other", first | {"body": deep["deep"]})
    bad("unknown", "a field that it does not have", other(zeal=1))
    bad("no-tip", "no tip", signed(zoe, "succession", {k: v for k, v in first["body"].items() if k != "tip"}))
    bad("kept-false", "`kept` spelt out as false", other(kept=False))
    bad("game", "for another game", other(game="00" * 32))
    bad("seat", "for a seat that is not vacant", other(0))
    bad("no-seat", "for a seat that does not exist", other(9))
    bad("vacancy", "for another vacancy", other(vacancy="00" * 32))
    bad("vacancy-late", "for the entry before this one", other(vacancy=body_of(game.view(-2))["prev"]))
    bad("name-long", "a name of 41 characters", other(2, "x" * 41))
    bad("name-bad", "a name with a control character", other(2, "A\x1bB"))
    for number, name in enumerate(("Xara ", "ANNA")):
        good = with_entry(game, view, put("successions", [other(2, name)]))
        about = f"a name that tools refuse and no verifier: {name!a}"
        out.good(f"view-seats-odd-name-{number}", 6, about, "view-seats-taken", good)
    bad("name-taken", "the name of another player", other(2, "Anna"))
    bad("name-old", "the name of who held the seat", other(2, "Carla"))
    bad("key-host", "the host's key", other(seed=game.host))
    bad("key-player", "the key of another player", other(seed=game.players[0]))
    bad("key-old", "the key of who held the seat", other(seed=first_holder(game)))
    bad("twice", "two take one seat", first, other())
    bad("same", "the same succession twice", first, first)
    bad("struck", "a succession left out", codes="bad-entry")
    out.bad(
        "view-seats-gone",
        6,
        "rule-broken",
        "no succession, but a state with a new holder",
        "view-seats-taken",
        with_entry(game, view, drop("successions"), mend=False),
    )
    early = _minutes_later(moment["due"], 2 * HOUR - 1)
    out.bad(
        "view-seats-early",
        6,
        "bad-succession",
        "a minute too early",
        "view-seats-taken",
        with_entry(game, view, put("due", early)),
    )
    right = with_entry(game, view, put("due", _minutes_later(moment["due"], 2 * HOUR)))
    out.good("view-seats-just", 6, "as soon as it can be", "view-seats-taken", right)
    first_round = with_entry(game, game.view(1), put("successions", [other()]))
    about = "a succession in the first round"
    out.bad("view-seats-first-round", 6, "bad-succession", about, "view-seats-vacant", first_round)
    with_return = with_entry(game, view, put("returns", [return_of(view, 2, first_holder(game))]))
    about = "the seat is taken over, and its player comes back"
    out.bad("view-seats-both", 6, "bad-succession", about, "view-seats-taken", with_return)


def _minutes_later(due: str, minutes: int) -> str:
    """Within one day."""
    day, clock = due[:11], int(due[11:13]) * 60 + int(due[14:16]) + minutes
    assert clock < 24 * HOUR
    return f"{day}{clock // 60:02}:{clock % 60:02}Z"


# --- what follows from it --------------------------------------------------------------------------------------------


def afterwards(out: Vectors, game: Played) -> None:
    view, state = game.view(), game.moments[-1]["state"]

    def false_state(name: str, about: str, alter: Alter) -> None:
        other = copy.deepcopy(state)
        alter(other)
        made = H("state", bytes.fromhex(body_of(view)["game"]), canonical(other)).hex()
        document = with_entry(game, view, put("state", made), mend=False)
        out.bad(f"view-seats-state-{name}", 6, "rule-broken", about, "view-seats-taken", document)

    false_state("linking", "a state that asks for no link of everybody", drop("linking"))
    false_state("holder", "a state with nobody new", drop("holders"))
    false_state("since", "a holder since another round", put("holders", 0, "since", 3))
    false_state("missed", "a state with a new holder who is out", put("missed", 2, 2))
    false_state("links", "a state with another tip", put("links", 2, [0, "00" * 32]))
    still = game.moments[-2]["state"]["vacant"][0] | {"entry": body_of(view)["prev"]}
    false_state("vacant", "a state in which the seat is still vacant", put("vacant", [still]))
    vacant, before = game.view(-2), game.moments[-2]["state"]
    other = copy.deepcopy(before)
    other["vacant"][0]["entry"] = body_of(vacant)["prev"]
    made = H("state", bytes.fromhex(body_of(view)["game"]), canonical(other)).hex()
    document = with_entry(game, vacant, put("state", made), mend=False)
    about = "a vacancy that names an entry which nobody can know yet"
    out.bad("view-seats-state-entry", 6, "rule-broken", about, "view-seats-vacant", document)

    game.step()
    linked = game.view()
    out.base("view-seats-linked", 6, "the round after: a link of everybody", game, linked)
    answer = next(one for one in body_of(linked)["answers"] if one["seat"] == 2)
    move = encoding("move", canonical(verifier.rebuilt_move(body_of(linked), answer)))
    old = ed25519.sign(first_holder(game), move).hex()

    def bad(name: str, codes: str, about: str, document: Json, **more: Json) -> None:
        out.bad(f"view-seats-{name}", 6, codes, about, "view-seats-linked", document, **more)

    bad(
        "old-key",
        "bad-move",
        "an answer signed by who held the seat",
        with_move(game, linked, 2, put("sig", old), sign=False),
    )
    bad("old-link", "bad-link", "a link of another chain", with_move(game, linked, 2, put("link", "00" * 32)))
    bad("unlinked", "bad-round", "no link of who has nothing to decide", with_entry(game, linked, _without_links))
    old = with_entry(game, linked, put("successions", body_of(view)["successions"]))
    bad("replayed", "bad-succession", "the same succession again", old)
    game.to_end()
    whole = game.transcript()
    out.base("transcript-seats", 8, "a finished game in which a seat was taken over", game, whole)
    about = "a succession in the last entry"
    new = with_entry(game, game.view(), put("successions", [succession_of(game, game.view(), 2)]))
    out.base("view-seats-end", 6, "the end of that game", game, game.view())
    out.bad("view-seats-end-succession", 6, "bad-succession", about, "view-seats-end", new)


def _without_links(entry: Json) -> None:
    """Only the answers of players who decide something."""
    deciding = [one for one in entry["answers"] if "answer" in one]
    assert 0 < len(deciding) < len(entry["answers"])
    entry["answers"] = deciding


# --- whom the holder names -------------------------------------------------------------------------------------------


def handed_over(out: Vectors) -> None:
    game = table("named").step()
    named = game.sitting.newcomer()
    key = named.public.hex()
    naming(game, 0, key)
    out.base("view-seats-named", 6, "a player names who may take over the seat", game, game.view())
    view = game.view()
    stays = with_move(game, view, 0, put("handover", ed25519.public_key(game.players[0]).hex()))
    out.good("view-seats-own", 6, "a player names their own key, that is nobody", "view-seats-named", stays)
    for name, codes, about, document in (
        ("struck", "bad-move", "the name struck out", with_move(game, view, 0, drop("handover"), sign=False)),
        ("changed", "bad-move", "another key named", with_move(game, view, 0, put("handover", "55" * 32), sign=False)),
        ("added", "bad-move", "a key that nobody named", with_move(game, view, 1, put("handover", key), sign=False)),
        ("empty", "bad-entry bad-move", "an empty key, spelt out", with_move(game, view, 0, put("handover", ""))),
        ("first", "bad-round", "with an ack", with_move(game, game.view(1), 0, put("handover", key))),
    ):
        out.bad(f"view-seats-handover-{name}", 6, codes, about, "view-seats-named", document)
    never = out.game("view-bids")
    about = "where no seat can be taken over"
    document = with_move(never, never.view(2), 0, put("handover", key))
    out.bad("view-seats-handover-never", 6, "bad-round", about, "view-bids", document)
    arrive(game, game.sitting.succession(0))
    game.step()
    view = game.view()
    late = with_move(game, view, 0, put("handover", ed25519.public_key(game.players[0]).hex()))
    sit_down(game, 0)
    out.base("view-seats-handed", 6, "who was named takes the seat over at once", game, view)
    about = "a player who named somebody names their own key in the round in which that one comes"
    out.good("view-seats-regret", 6, about, "view-seats-handed", late)
    stranger = with_entry(game, view, put("successions", [succession_of(game, view, 0)]))
    about = "somebody who was not named takes a seat that is not out"
    out.bad("view-seats-stranger", 6, "bad-succession", about, "view-seats-handed", stranger)
    _resigned(out)
    _words(out)


def _resigned(out: Vectors) -> None:
    """A player who resigns names somebody; one who resigns and names their own key leaves the seat to anybody."""
    game = table("resigned").step()
    naming(game, 1, game.sitting.newcomer().public.hex(), resign=True)
    left = game.view()
    out.base("view-seats-left", 6, "a player resigns and names somebody", game, left)
    own = with_move(game, left, 1, put("handover", ed25519.public_key(game.players[1]).hex()))
    out.good("view-seats-left-own", 6, "a player resigns and names nobody any more", "view-seats-left", own)
    arrive(game, game.sitting.succession(1))
    game.step()
    view = game.view()
    assert game.moments[-1]["state"].get("left", []) == []
    out.base("view-seats-back", 6, "who was named plays on for who resigned", game, view)
    about = "who resigned comes back"
    back = with_entry(
        game,
        view,
        lambda entry: (entry.pop("successions"), put("returns", [return_of(view, 1, game.players[1])])(entry)),
    )
    out.bad("view-seats-return-left", 6, "bad-succession", about, "view-seats-back", back)


def _words(out: Vectors) -> None:
    """Standing orders end when their player leaves the seat."""
    game = go_out(table("words").step(words={2: Words(4)}), 2)
    take_over(game, 2)
    view = game.view()
    assert view["public"]["standing"][2] == {}
    out.base("view-seats-words", 9, "the words of who held the seat are gone", game, view)
    kept = with_position(game, view, put("standing", 2, {"bid": 4}))
    about = "the words of who held the seat are kept"
    out.bad("view-seats-words-kept", 9, "rule-broken", about, "view-seats-words", kept, needs="rules")


# --- what is inherited -----------------------------------------------------------------------------------------------


def inherited_game() -> tuple[Played, Json]:
    """A game in which a seat is taken over whose sealed answer is held, and the view before that."""
    game = table("held", takeover=0).until("bid")
    sitting = game.sitting
    assert sitting.asked == [0, 1, 2]
    move = decode(sitting.signed(0), r.MoveFile, "move")
    assert sitting.give(resigned(sitting, 0, move, handover=sitting.newcomer().public.hex())).error is None
    assert sitting.give(sitting.signed(2)).error is None
    sitting.pass_over([1])
    game._note()
    before = game.view()
    arrive(game, sitting.succession(0))
    game.step(1)
    sit_down(game, 0)
    return game, before


def inherited(out: Vectors) -> None:
    """A seat decides in secret and names somebody in the same answer; another seat is late, so it is held."""
    game, before = inherited_game()
    view = game.view()
    part = view["privates"][-1]["body"]
    assert part["openings"] == []
    assert part["sealed"][0]["seat"] == 0
    out.base("view-seats-held", 6, "who takes over a seat is told what is sealed in its held answer", game, view)
    name = next(iter(part["sealed"][0]["fields"]))

    def bad(what: str, codes: str, about: str, document: Json) -> None:
        out.bad(f"view-seats-held-{what}", 6, codes, about, "view-seats-held", document)

    bad("gone", "missing-private", "the private part is missing", view | {"privates": view["privates"][:-1]})
    bad("empty", "bad-private", "a private part that is empty", with_private(game, view, drop("sealed")))
    bad(
        "salt",
        "bad-opening",
        "another salt",
        with_private(game, view, put("sealed", 0, "fields", name, "salt", "00" * 32)),
    )
    bad(
        "value", "bad-opening", "another value", with_private(game, view, put("sealed", 0, "fields", name, "value", 99))
    )
    bad("fields", "bad-opening", "no field", with_private(game, view, put("sealed", 0, "fields", {})))
    bad("round", "missing-opening", "of another round", with_private(game, view, put("sealed", 0, "round", 1)))
    bad("seat", "missing-opening", "of another seat", with_private(game, view, put("sealed", 0, "seat", 1)))
    twice = with_private(game, view, lambda body: body["sealed"].append(body["sealed"][0]))
    bad("twice", "missing-opening", "the same twice", twice)
    owed = copy.deepcopy(before)
    more = {
        "game": part["game"],
        "round": body_of(before)["round"],
        "seat": 0,
        "openings": [],
        "sealed": part["sealed"],
    }
    more["entry"] = identity("entry", body_of(before)).hex()
    owed["privates"].append(signed(game.host, "private", more))
    bad("early", "missing-opening", "told to who has not been taken over yet", owed)
    game.to_end()
    out.base("transcript-seats-held", 8, "the whole game", game, game.transcript())


# --- who comes back --------------------------------------------------------------------------------------------------


def returned(out: Vectors) -> None:
    game = vacated("back", takeovers=0, takeover=0)
    out.base("view-seats-out", 6, "a seat is out in a game without takeovers", game, game.view())
    sitting = game.sitting
    arrive(game, decode(sign_return(sitting.players[2], sitting.opened(2)), Envelope, "return"))
    game.step()
    view = game.view()
    assert body_of(view)["returns"][0]["seat"] == 2
    out.base("view-seats-returned", 6, "who was out comes back", game, view)

    def bad(name: str, about: str, *returns: Json, codes: str = "bad-succession") -> None:
        document = with_entry(game, view, put("returns", list(returns)))
        out.bad(f"view-seats-return-{name}", 6, codes, about, "view-seats-returned", document)

    mine = body_of(view)["returns"][0]
    bad("other", "signed by another player", return_of(view, 2, game.players[0]))
    bad("host", "signed by the host", return_of(view, 2, game.host))
    bad("signature", "another signature", mine | {"sig": flipped(mine["sig"])})
    bad("vacancy", "for another vacancy", return_of(view, 2, game.players[2], "00" * 32))
    bad("seat", "of a seat that is not out", return_of(view, 0, game.players[0]))
    bad("no-seat", "of a seat that does not exist", mine | {"seat": 9})
    bad("twice", "twice", mine, mine)
    bad("unknown", "with a field that it does not have", mine | {"zeal": 1}, codes="bad-entry")
    bad("empty", "an empty list, spelt out", codes="bad-entry")
    document = with_entry(game, view, put("successions", [succession_of(game, view, 2)]))
    document = with_entry(game, document, drop("returns"))
    about = "a seat is taken over where the offer allows none"
    out.bad("view-seats-never", 6, "bad-succession", about, "view-seats-returned", document)
    late = with_entry(game, game.view(-2), put("returns", [return_of(game.view(-2), 2, game.players[2])]))
    about = "a seat comes back in the entry in which it goes out"
    out.bad("view-seats-return-now", 6, "bad-succession", about, "view-seats-out", late)
    game.step()
    again = with_entry(game, game.view(), put("returns", [mine]))
    out.base("view-seats-again", 6, "the round after the return", game, game.view())
    out.bad("view-seats-return-again", 6, "bad-succession", "the same return again", "view-seats-again", again)
    game.to_end()
    out.base("transcript-seats-returned", 8, "the whole game", game, game.transcript())


# --- several of them -------------------------------------------------------------------------------------------------


def two_at_once(out: Vectors) -> None:
    """Two of four seats are taken over in one entry, and in another game one returns beside it."""
    game = go_out(table("two", seats=4).step(), 2, 3)
    game.sitting.wait(3 * HOUR)
    arrive(game, game.sitting.succession(2), game.sitting.succession(3, "Yves"))
    game.step()
    view = game.view()
    first, second = body_of(view)["successions"]
    out.base("view-seats-two", 6, "two seats are taken over in one entry", game, view)

    def bad(name: str, about: str, *successions: Json) -> None:
        document = with_entry(game, view, put("successions", list(successions)))
        out.bad(f"view-seats-two-{name}", 6, "bad-succession", about, "view-seats-two", document)

    zoe, yves = (game.sitting.newcomer(name).seed for name in ("Zoe", "Yves"))
    bad("order", "not in the order of seats", second, first)
    bad("key", "both with one key", first, signed(zoe, "succession", second["body"] | {"key": first["body"]["key"]}))
    bad("name", "both with one name", first, signed(yves, "succession", second["body"] | {"name": "Zoe"}))
    swapped = with_entry(game, view, put("returns", [return_of(view, 3, game.players[3])]))
    swapped = with_entry(game, swapped, put("successions", [first]))
    out.good("view-seats-two-ways", 6, "one seat is taken over, another comes back", "view-seats-two", swapped)
    both = [return_of(view, seat, game.players[seat]) for seat in (3, 2)]
    unordered = with_entry(game, with_entry(game, view, put("returns", both)), drop("successions"))
    about = "returns that are not in the order of seats"
    out.bad("view-seats-two-returns", 6, "bad-succession", about, "view-seats-two", unordered)


def taken_twice(out: Vectors) -> None:
    """One seat is taken over a second time: keys and names of all who ever held one count, and the offer's limit."""
    game = go_out(take_over(vacated("twice", takeovers=2), 2), 2)
    take_over(game, 2, "Yves")
    view = game.view()
    out.base("view-seats-third", 6, "a seat is taken over for the second time", game, view)
    zoe = game.sitting.newcomer("Zoe").seed
    for name, about, other in (
        ("key", "the key of a holder before", succession_of(game, view, 2, seed=zoe)),
        ("name", "the name of a holder before", succession_of(game, view, 2, "Zoe", seed=secret("seats another"))),
        ("join", "the name of the first holder", succession_of(game, view, 2, "Carla")),
    ):
        document = with_entry(game, view, put("successions", [other]))
        out.bad(f"view-seats-third-{name}", 6, "bad-succession", about, "view-seats-third", document)
    go_out(game, 2).step()
    full = game.view()
    out.base("view-seats-full", 6, "the seat is vacant again, and the offer allows no third takeover", game, full)
    due = put("due", "2027-02-01T00:00Z")
    more = with_entry(game, full, lambda entry: (due(entry), put("successions", [succession_of(game, full, 2)])(entry)))
    about = "a third takeover where the offer allows two"
    out.bad("view-seats-full-more", 6, "bad-succession", about, "view-seats-full", more)
    for name, about, seed, codes in (
        ("old", "the last holder but one comes back", zoe, "bad-succession"),
        ("host", "the host comes back for somebody", game.host, "bad-succession"),
    ):
        vacancy = game.moments[-2]["state"]["vacant"][0].get("entry") or body_of(full)["prev"]
        back = with_entry(game, full, put("returns", [return_of(full, 2, seed, vacancy)]))
        out.bad(f"view-seats-full-{name}", 6, codes, about, "view-seats-full", back)
    vacancy = game.moments[-2]["state"]["vacant"][0].get("entry") or body_of(full)["prev"]
    back = with_entry(game, full, put("returns", [return_of(full, 2, game.players[2], vacancy)]))
    out.good("view-seats-full-back", 6, "who took it over comes back", "view-seats-full", back)


def at_rest(out: Vectors) -> None:
    game = go_out(table("rest", takeover=0).step(), 0, 1, 2).step(1, 2)
    view = game.view()
    out.base("view-seats-rest", 6, "a game that rested goes on with one answer", game, view)
    document = with_entry(game, view, put("successions", [succession_of(game, view, 1)]))
    about = "a seat is taken over while the game rests"
    out.bad("view-seats-rest-taken", 6, "bad-succession", about, "view-seats-rest", document)
    document = with_entry(game, view, put("returns", [return_of(view, 1, game.players[1])]))
    about = "a player comes back while the game rests"
    out.bad("view-seats-rest-back", 6, "bad-succession", about, "view-seats-rest", document)
