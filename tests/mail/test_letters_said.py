"""Which sentences are in which mail: for players who sign and for kept seats, before, during and after the game."""

from functools import cache

import pytest
from msgspec.structs import replace

from referee.crypto.codec import encode
from referee.crypto.keys import Key
from referee.engine.player import Opened
from referee.evidence.rulings import make_ruling, read_ruling
from referee.language import as_text, speaking
from referee.mail import letters
from referee.mail.body import Body, HeldMails, Problem, Reader
from tests.mail.screens import reader
from tests.support.match import Sitting, chance

DUE = "2026-11-23T23:30Z"
WHEN, LAST = "Mon 23 Nov 2026, 23:30 UTC", "Tue 24 Nov 2026, 11:30 UTC"
SIGN = "To answer, save this mail and run `referee play` on it; then send the reply that it writes."
AWAY = (
    "Going away? Write `away until 2027-01-05`, and `back` when you return. To leave the game for good, write `resign`."
)
UNCLEAR = "If something is unclear I will ask; I never guess."


@cache
def table() -> Sitting:
    return Sitting(seed="said", kept=(1,)).until("bid")


@cache
def begun() -> Sitting:
    return Sitting(seed="said", kept=(1,))


@cache
def ended() -> Sitting:
    return Sitting(seed="said", kept=(1,)).to_end()


def somebody(sitting: Sitting, seat: int, way: str) -> tuple[Opened, Reader]:
    name = sitting.table.names[seat]
    return sitting.opened(seat), replace(reader(sitting, seat, way), name=name, pictures=False, zone="UTC")


def flat(body: Body) -> str:
    return " ".join(body.text.split())


def has(body: Body, *sentences: str, no: tuple[str, ...] = ()) -> None:
    text = flat(body)
    assert [one for one in sentences if one not in text] == []
    assert [one for one in no if one in text] == []


# --- turns ------------------------------------------------------------------------------------------------------------


def test_a_turn_of_a_seat_whose_key_is_kept() -> None:
    opened, who = somebody(table(), 1, "kept")
    body = letters.turn(opened, who, due=DUE, times=(90, 0))
    title = opened.table.game.title
    has(
        body,
        f"{title}: it is your turn, Bert",
        f"Please answer by {WHEN}, with 90 minutes of grace.",
        "Since your last turn: ",
        "What do you do? (bid)",
        "How to answer: ",
        "Write one answer, above the line at the top or anywhere else. You can quote as much of this mail as you like.",
        "If a line covers many moves, write the move in words: copy its example and change it.",
        UNCLEAR,
        AWAY,
        f"At this table ({opened.table.offer_id[:8]}, round 2) You are Bert; the players in seat order are Anna, Bert "
        "and Carla.",
        f"This is your pass; keep it secret: {who.pass_}",
        no=(SIGN, "`referee play` takes this mail", "Moves may be in English", "What you agree to"),
    )
    assert body.subject == f"{title} {opened.table.offer_id[:8]}, round 2: your turn {who.pass_}"
    assert [name for name, _ in body.files] == [f"{opened.table.id[:8]}-r001-bert.view.json"]
    plain = letters.turn(opened, who, due=DUE)
    has(plain, f"Please answer by {WHEN}.", no=("of grace",))
    has(letters.turn(opened, who), no=("Please answer by",))
    has(letters.turn(opened, who, away=["Carla was away for 3 days."]), "Carla was away for 3 days.")


def test_a_turn_of_a_seat_that_signs() -> None:
    opened, who = somebody(table(), 0, "own")
    body = letters.turn(opened, who, due=DUE)
    view = f"{opened.table.id[:8]}-r001-anna.view.json"
    page = "In a browser: open player.html, and in it your player's file and this mail (saved as a file)."
    ways = (
        f"`referee play` reads this mail (saved as a file) or the attached {view}.",
        "It shows the board and the moves, asks before it signs, and writes a reply for you to send to the host.",
        "`referee play --tell` signs what is not a move, such as `away until 2027-01-05`.",
    )
    more = "Choose, check what you sign, and send the reply that the page makes."
    both = "To answer, save this mail, open it in the player's page or run `referee play` on it, and send the reply"
    has(body, both, page, more, *ways, no=(UNCLEAR, AWAY, "This is your pass"))
    assert [name for name, _ in body.files] == [view, view.replace(".view.", ".aid.")]
    bare = letters.turn(opened, replace(who, aids=False))
    assert [name for name, _ in bare.files] == [view]


def test_everybody_is_told_of_the_way_that_they_use() -> None:
    opened, who = somebody(table(), 0, "own")
    program = "`referee play` reads this mail"
    page = "In a browser: open player.html"
    has(letters.turn(opened, replace(who, way="program")), SIGN, program, no=(page, "player.html"))
    for way in ("page", "rules"):
        body = letters.turn(opened, replace(who, way=way))
        has(body, "open it in the player's page; then send the reply that the page makes", page, no=(program, SIGN))
    asked, known = "ask your host for it", replace(who, way="page", page="https://games.example/player.html")
    has(letters.turn(opened, replace(who, way="page")), asked)
    has(letters.turn(opened, known), "You find player.html here: https://games.example/player.html", no=(asked,))
    guest = replace(who, way="kept", page=known.page)
    has(letters.invitation(table().offer, guest, ["Bert"], "Hanna"), "here: https://games.example/player.html")
    has(letters.invitation(table().offer, replace(guest, page=""), ["Bert"], "Hanna"), "ask Hanna for it")


def test_only_a_page_without_the_rules_gets_an_aid() -> None:
    opened, who = somebody(table(), 0, "own")
    with_aid = {
        way: any(".aid." in name for name, _ in letters.turn(opened, replace(who, way=way)).files)
        for way in ("kept", "own", "program", "page", "rules")
    }
    assert with_aid == {"kept": False, "own": True, "program": False, "page": True, "rules": False}


def test_before_the_game_the_terms_are_agreed_to() -> None:
    opened, who = somebody(begun(), 1, "kept")
    body = letters.turn(opened, who)
    has(
        body,
        f"{opened.table.game.title}: the game can begin if you agree, Bert",
        "To answer, reply to this mail and write `ok`.",
        "What you agree to: ",
        UNCLEAR,
        "You can write moves in English, German or Dutch, whatever language I write in.",
        "Auf Deutsch: antworte `Deutsch`. In het Nederlands: antwoord `Nederlands`.",
        AWAY,
        no=("In English: reply", "Write one answer", "What do you do?"),
    )
    with speaking("de"):
        has(letters.turn(opened, who), "In English: reply `English`.", "In het Nederlands", no=("Auf Deutsch",))


def test_news_for_somebody_who_is_not_asked() -> None:
    one = Sitting("schwarzer-freitag", 2, "bare").until(lambda now: len(now.asked) == 1)
    seat = 1 - one.asked[0]
    opened, who = somebody(one, seat, "own")
    body = letters.turn(opened, who, due=DUE)
    has(
        body, f"{opened.table.game.title}: news for you, {who.name}", "To act: ",
        no=("Please answer", SIGN, "How to answer"),
    )  # fmt: skip
    assert body.subject.endswith(f"round {one.round + 1}: news")


@pytest.mark.parametrize(
    ("late", "last", "line"),
    [
        (False, "", f"The deadline is {WHEN}."),
        (True, "", f"The deadline was {WHEN}. Please answer: nobody can go on until you do."),
        (True, "2026-11-24T11:30Z", f"The deadline has passed. Answer by {LAST}, or the game goes on without you."),
    ],
)
def test_reminders(late: bool, last: str, line: str) -> None:
    opened, who = somebody(table(), 1, "kept")
    body = letters.reminder(opened, who, due=DUE, late=late, last=last)
    has(body, f"{opened.table.game.title}: the game is waiting for you, Bert", line)
    assert flat(body).count("deadline ") == 1
    assert body.subject.startswith("Re: ")


# --- answers ----------------------------------------------------------------------------------------------------------


def test_what_was_taken_and_what_was_not() -> None:
    opened, who = somebody(table(), 1, "kept")
    wait = "You do not need to do anything until the next mail comes."
    receipt = f"{opened.table.id[:8]}-r002-bert.receipt.json"
    good = letters.accepted(opened, who, ["bid 4"], b"{}")
    has(
        good, "Your answer has been accepted bid 4", f"Next: Also asked in this round: Anna and Carla. {wait}",
        f"Keep {receipt}: it is the host's receipt for this answer.",
    )  # fmt: skip
    assert good.files == ((receipt, b"{}"),)
    has(letters.accepted(opened, who, ["bid 4"]), wait, no=("Keep ",))
    again = letters.already_accepted(opened, who, ["bid 4"], receipt=b"{}")
    once = "It arrived again, and it counts once. All is well; you do not need to send it again."
    has(again, f"Your answer was already accepted bid 4 {once}", f"Next: {wait}")
    assert again.files == ((receipt, b"{}"),)
    has(
        letters.already_accepted(opened, who, ["bid 4"], next=[as_text("This game is over.")]),
        "Next: This game is over.",
        no=(wait,),
    )
    bad = letters.refused(opened, who, [Problem("bid x", as_text("this is wrong"), as_text("send another"))])
    has(
        bad, "Your answer was not accepted You wrote: bid x This is wrong; send another.", "What do you do? (bid)",
        no=("You are not asked for anything now",),
    )  # fmt: skip
    assert bad.files == ()
    long = letters.refused(None, who, [Problem("y" * 201, as_text("is it this?"), as_text("say so"))])
    assert f"Youwrote:{'y' * 200}...Isitthis?Sayso." in "".join(long.text.split())
    assert long.subject == f"Re: your answer {who.pass_}"
    signer, own = somebody(table(), 0, "own")
    assert len(letters.refused(signer, own, [Problem("", as_text("no"))]).files) == 2
    exact = letters.refused(None, who, [Problem("y" * 200, as_text("no"))])
    assert f"Youwrote:{'y' * 200}No." in "".join(exact.text.split())


def test_mails_that_were_not_answered_are_mentioned() -> None:
    opened, who = somebody(table(), 1, "kept")
    quiet = letters.turn(opened, who)
    told = letters.turn(opened, replace(who, held=HeldMails(2, 3, "2026-11-20T08:00Z", "Hanna")))
    assert "Hanna" not in flat(quiet)
    assert "Hanna" in flat(told)


# --- the invitation and the end ---------------------------------------------------------------------------------------


def test_an_invitation_says_both_ways() -> None:
    sitting = begun()
    _, who = somebody(sitting, 1, "kept")
    body = letters.invitation(sitting.offer, who, ["Anna", "Bert"], "Hanna")
    (name, data), *_ = body.files
    assert data == encode(sitting.offer)
    has(
        body,
        "Bert, Hanna invites you to a game",
        "Invited: Anna and Bert.",
        "About the game: ",
        "Do you want to play? join as Bert (the easy way: the host keeps a key for you, and you just write words) "
        "no (you do not want to play)",
        "Reply with one of these lines. You can choose another name if you like. Auf Deutsch: antworte `Deutsch`.",
        "With your own key: Then nobody can answer in your name, not even the host.",
        f"save this mail (or the attached {name}), run `referee join` on it, and send the reply that it writes.",
        "The difference: Whoever keeps your key can play for you, and can foresee what is drawn in rounds that "
        "ask only such seats. All players can see which seats these are. "
        "This does not change until the end of the game.",
        "The terms: ",
    )
    assert ": an invitation " in body.subject
    has(letters.invitation(sitting.offer, replace(who, name=""), [], "Hanna"), "join as NAME")


def test_the_last_mail_tells_who_has_won() -> None:
    sitting = ended()
    opened, who = somebody(sitting, 1, "kept")
    result = sitting.state.result
    assert result is not None
    names = sitting.table.names
    winners = [name for name, rank in zip(names, result.ranks, strict=True) if rank == 1]
    body = letters.game_over(opened, who, b"[]")
    order = sorted(zip(result.ranks, names, strict=True))
    file = f"{sitting.table.id[:8]}.transcript.json"
    has(
        body,
        f"{opened.table.game.title}: the game is over",
        " and ".join(winners) + (" has won. " if len(winners) == 1 else " have won. ")
        + " ".join(f"{rank}. {name}" for rank, name in order),
        "What happened at the end: ",
        f"The proof: Save {file} and run `referee verify {file}`: it replays the whole game, with everything that "
        "was hidden. Keep it with your last view and your receipts.",
        no=("This is your pass",),
    )  # fmt: skip
    assert body.files == ((file, b"[]"),)
    assert who.pass_ not in body.subject


@pytest.mark.parametrize(
    ("runs", "waits", "more"),
    [
        (True, True, "The game goes on, and round 2 is still waiting for your answer."),
        (True, False, "The game goes on; you do not need to do anything until the next mail comes."),
        (False, False, "The game is over; you do not need to do anything."),
    ],
)
def test_a_ruling_is_sent_with_what_it_changes(runs: bool, waits: bool, more: str) -> None:
    arbiter = Key(chance("arbiter"), "Doris")
    sitting = Sitting(seed="ruled", arbiter=arbiter.public).until("bid")
    opened, who = somebody(sitting, 1, "kept")
    places = "The places are now: 1. Bert, 2. Anna and 3. Carla."
    for ranks, decided in (((2, 1, 3), places), ((), "The final places stay as they are.")):
        data = make_ruling(arbiter, sitting.table.envelope, [sitting.view(0)], "so it is", ranks)
        said = read_ruling(data).ruling
        body = letters.ruling(opened, who, said, data, runs=runs, waits=waits)
        file = f"{sitting.table.id[:8]}-{said.key[:6]}.ruling.json"
        has(
            body,
            f"the arbiter has ruled so it is {decided} The terms of this game name this arbiter (key "
            f"{said.key[:16]}), so the ruling binds everybody who joined.",
            f"Next: {more} Keep {file}; `referee verify {file}` shows who signed it.",
        )
        assert body.files == ((file, data),)
        assert (who.pass_ in body.subject) is runs
