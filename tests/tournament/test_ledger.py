"""Each rule of the ledger: what comes out of turn, twice, or for something else is refused with its own sentence."""

from collections.abc import Callable

import msgspec
import pytest

from referee.crypto.codec import H
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.errors import Altered, BadSignature, Malformed, Usage
from referee.tournament import documents as d
from referee.tournament.entrants import make_bot
from referee.tournament.ledger import Ledger, commitment, line_of, organisers_secret, promised, read_ledger
from referee.tournament.spec import GameLine, played
from tests.tournament.world import KEY, TWELVE, USUAL_LIMITS

OTHER = Key(H("tournament-trial", "key", "another"))
NONCE = H("tournament-trial", "nonce")
GAMES = (played(GameLine("auction", 3)),)
BOT = make_bot(["random"], program=False)


def stage(prev: str = "", key: Key = KEY, nonce: bytes = NONCE, games: tuple[d.Played, ...] = GAMES) -> Envelope:
    bound = H("tournament-secret", d.secret_of(key, nonce)).hex()
    return sign(key, "stage", d.Stage("Cup", key.public.hex(), nonce.hex(), bound, games, TWELVE, USUAL_LIMITS, prev))


def entrant(ledger: Ledger, name: str, bot: d.Bot = BOT, key: Key | None = None) -> Envelope:
    return d.make_entrant(key or d.kept_key(KEY, ledger.last.id, name), ledger.last.id, name, bot, kept=True)


def until(step: str, ledger: Ledger | None = None, bots: tuple[str, ...] = ("one", "two")) -> Ledger:
    """A ledger up to this step."""
    steps = ("stage", "entrant", "closing", "disclosure", "start", "ending")
    ledger = ledger or Ledger()
    if not ledger.parts:
        ledger.add(stage())
    wanted = steps[: steps.index(step) + 1]
    if "entrant" in wanted:
        for name in bots:
            ledger.add(entrant(ledger, name))
    part = ledger.last
    if "closing" in wanted:
        ledger.add(sign(KEY, "closing", d.Closing(part.id, tuple(part.entrants))))
    if "disclosure" in wanted:
        for name, one in part.entrants.items():
            ledger.add(d.disclose(d.kept_key(KEY, part.id, one.name), part.id, part.ids["closing"], name))
    if "start" in wanted:
        ledger.add(sign(KEY, "start", d.Start(part.ids["closing"], tuple(part.disclosed))))
    if "ending" in wanted:
        ledger.add(ending(ledger))
    return ledger


def ending(ledger: Ledger, **changes: object) -> Envelope:
    secret = d.secret_of(KEY, bytes.fromhex(ledger.last.stage.nonce)).hex()
    made = d.Ending(ledger.last.ids.get("start", "0" * 64), secret, 0, 3, 1)
    return sign(KEY, "ending", msgspec.structs.replace(made, **changes))


def packed(ledger: Ledger, **changes: object) -> Envelope:
    made = d.Pack(ledger.last.ids.get("start", "0" * 64), 3, 1, 9, "0" * 64, ledger.last.ids.get("pack", ""))
    return sign(KEY, "pack", msgspec.structs.replace(made, **changes))


def test_packs_follow_each_other() -> None:
    ledger = until("start")
    ledger.add(packed(ledger))
    assert (ledger.played, len(ledger.last.packs)) == (4, 1)
    with pytest.raises(Malformed, match="the games of a pack are not those that follow"):
        ledger.add(packed(ledger, first=3))
    with pytest.raises(Malformed, match="games that were already played"):
        ledger.add(withdrawn(ledger, since=3))
    ledger.add(packed(ledger, first=7))
    last = ledger.last.ids["pack"]
    for wrong in ({"games": 1, "pack": last}, {"games": 2}, {"games": 2, "pack": last, "numbers": 7}):
        with pytest.raises(Malformed, match="the ending does not name the last pack"):
            ledger.add(ending(ledger, **{"numbers": 8, **wrong}))
    ledger.add(ending(ledger, games=2, numbers=8, pack=last))
    assert ledger.last.ending is not None


def first(ledger: Ledger) -> tuple[str, d.Entrant]:
    return next(iter(ledger.last.entrants.items()))


def opened(ledger: Ledger, nonce: str = "") -> Envelope:
    name, one = first(ledger)
    key = d.kept_key(KEY, ledger.last.id, one.name)
    made = d.Disclosure(ledger.last.ids.get("closing", "0" * 64), name, nonce or d.nonce_of(key, ledger.last.id).hex())
    return sign(key, "disclosure", made)


def withdrawn(ledger: Ledger, name: str = "one", since: int = 5, start: str = "") -> Envelope:
    return sign(KEY, "withdrawal", d.Withdrawal(start or ledger.last.ids["start"], name, since))


Case = Callable[[Ledger], Envelope]
CASES: list[tuple[str, Case, str]] = [
    ("stage", lambda one: stage(), "a stage does not follow the ending of the previous one"),
    ("ending", lambda one: stage("ab" * 32), "a stage does not follow the ending of the previous one"),
    ("ending", lambda one: stage(one.last.ids["ending"], OTHER), "a stage has another organiser"),
    ("entrant", lambda one: entrant(one, "ONE"), "two entrants have the same name, or the same key"),
    ("entrant", lambda one: entrant(one, "three", key=d.kept_key(KEY, one.last.id, "one")),
     "two entrants have the same name, or the same key"),
    ("closing", lambda one: entrant(one, "late"), "an entrant is for another stage, or too late"),
    ("entrant", lambda one: d.make_entrant(OTHER, "ab" * 32, "three", BOT), "an entrant is for another stage"),
    ("closing", lambda one: sign(KEY, "closing", d.Closing(one.last.id, tuple(one.last.entrants))),
     "entries are closed twice"),
    ("entrant", lambda one: sign(KEY, "closing", d.Closing("ab" * 32, tuple(one.last.entrants))),
     "entries are closed twice"),
    ("entrant", lambda one: sign(KEY, "closing", d.Closing(one.last.id, (first(one)[0], "ab" * 32))),
     "the closing does not list the entrants"),
    ("entrant", opened, "a disclosure does not follow the closing"),
    ("closing", lambda one: opened(one, "ab" * 32), "a disclosed nonce does not match the entrant's commitment"),
    ("disclosure", opened, "a nonce is disclosed twice"),
    ("start", opened, "a disclosure does not follow the closing"),
    ("closing", lambda one: sign(KEY, "disclosure", d.Disclosure(one.last.ids["closing"], "ab" * 32, "ab" * 32)),
     "a disclosure names no entrant of this stage"),
    ("disclosure", lambda one: sign(KEY, "start", d.Start("ab" * 32, tuple(one.last.disclosed))),
     "the start follows another closing"),
    ("disclosure", lambda one: sign(KEY, "start", d.Start(one.last.ids["closing"], ("ab" * 32, "cd" * 32))),
     "the start does not list the disclosures"),
    ("start", lambda one: sign(KEY, "start", d.Start(one.last.ids["closing"], tuple(one.last.disclosed))),
     "the start follows another closing"),
    ("start", lambda one: withdrawn(one, "nobody"), "a withdrawal names a bot that does not play"),
    ("start", lambda one: withdrawn(one, start="ab" * 32), "a withdrawal is for another stage"),
    ("ending", lambda one: withdrawn(one, since=2), "a withdrawal would affect games that were already played"),
    ("start", lambda one: ending(one, start="ab" * 32), "the ending is for another stage"),
    ("start", lambda one: ending(one, secret="ab" * 32), "the secret is not the one that the organiser committed to"),
    ("ending", ending, "a stage ends twice"),
    ("start", lambda one: ending(one, games=1), "the ending does not name the last pack"),
    ("start", lambda one: ending(one, pack="ab" * 32), "the ending does not name the last pack"),
    ("start", lambda one: packed(one, prev="ab" * 32), "a pack does not follow the one before"),
    ("start", lambda one: packed(one, start="ab" * 32), "a pack is for another stage"),
    ("ending", packed, "a pack is for another stage"),
    ("disclosure", ending, "the ending is for another stage"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "make", "why"), CASES, ids=[f"{step}: {why}" for step, _, why in CASES])
def test_a_document_out_of_place_is_refused(step: str, make: Case, why: str) -> None:
    ledger = until(step)
    before = commitment(ledger)
    with pytest.raises(Malformed) as caught:
        ledger.add(make(ledger))
    assert str(caught.value.message).startswith(why)
    assert str(caught.value.next) == "use the ledger and the documents as they were sent, unchanged"
    assert commitment(ledger) == before


def test_the_first_document_is_a_stage_that_follows_nothing() -> None:
    with pytest.raises(Malformed, match="the first stage follows another one"):
        Ledger().add(stage("ab" * 32))
    with pytest.raises(Malformed, match="this is not a tournament document, or it is out of place"):
        Ledger().add(sign(KEY, "closing", d.Closing("ab" * 32, ("ab" * 32, "cd" * 32))))
    with pytest.raises(Malformed, match="two games of a stage have the same name"):
        Ledger().add(stage(games=GAMES * 2))
    with pytest.raises(Altered, match="the ledger is empty"):
        read_ledger([])


def test_a_second_stage_knows_the_first() -> None:
    """The same bots under the same names; withdrawn bots do not return; the organiser signs."""
    ledger = until("ending")
    ledger.add(withdrawn(ledger, "two"))
    assert (ledger.names, ledger.withdrawn()) == (["one", "two"], {"two"})
    with pytest.raises(Malformed, match="a withdrawal names a bot that does not play"):
        ledger.add(withdrawn(ledger, "two"))
    ledger.add(stage(ledger.last.ids["ending"], nonce=H("tournament-trial", "second")))
    with pytest.raises(Malformed, match="two was withdrawn"):
        ledger.add(entrant(ledger, "two"))
    other = make_bot(["sensible"], program=False)
    with pytest.raises(Malformed, match="one is not the same bot as before under that name"):
        ledger.add(entrant(ledger, "one", other))
    until("start", ledger, ("one", "three"))
    assert ledger.names == ["one", "two", "three"]
    assert len(ledger.ids()) == 5, "stage, start and ending of the first, stage and start of the second"
    assert commitment(ledger).split() == ["referee-tournament/1", *ledger.ids()]
    with pytest.raises(BadSignature):
        ledger.add(sign(OTHER, "ending", d.Ending(ledger.last.ids["start"], "ab" * 32, 0, 1, 1)))
    assert organisers_secret(ledger.last, KEY) == d.secret_of(KEY, bytes.fromhex(ledger.last.stage.nonce))
    with pytest.raises(BadSignature, match="this is not the organiser's key"):
        organisers_secret(ledger.last, OTHER)


def test_a_bad_line_is_named_by_its_number() -> None:
    one = stage()
    bad = line_of(one).rstrip(b"\n").replace(one.sig.encode(), b"0" * 128)
    assert read_ledger([line_of(one).rstrip(b"\n")]).last.stage.name == "Cup"
    with pytest.raises(Altered, match="line 2 of the ledger: ") as caught:
        read_ledger([line_of(one).rstrip(b"\n"), bad])
    assert caught.value.code == "bad-ledger"


@pytest.mark.parametrize(
    "line",
    ["", "referee-tournament/1", "referee-tournament/2 " + "a" * 64, "referee-tournament/1 " + "a" * 63, "NONSENSE"],
)
def test_invalid_commitment_lines(line: str) -> None:
    with pytest.raises(Usage) as caught:
        promised(line)
    assert caught.value.code == "bad-line"
    assert list(promised(f"  referee-tournament/1  {'a' * 64} {'b' * 64}\n")) == ["a" * 64, "b" * 64]
