"""How the office judges a mail: which words and signatures count, and who gets which answer."""

import re
from pathlib import Path

import pytest

from referee.bots.playing import bot_signs
from referee.engine.player import Place, open_view, sign_word
from referee.engine.rounds import asked
from referee.io.gamefile import open_match
from referee.mail.block import write_block
from referee.mail.passes import kept_key
from tests.cli.world import key
from tests.mail.offices import NOW, PEOPLE, Mail, World, invited, own_move, plain, reply, sign


def answered(world: World) -> list[str]:
    """Who has answered in the open round."""
    match = open_match(world.game(), key("Hanna"))
    return [match.table.names[seat] for seat in sorted(match.waiting)]


def one(mails: list[Mail]) -> Mail:
    (mail,) = mails
    return mail


# --- words -----------------------------------------------------------------------------------------------------------


def test_words_with_the_pass_of_the_turn_count(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "bid 4")))
    assert mail.to == PEOPLE["bert"]
    assert "bid 4" in mail.text
    assert "Your answer has been accepted" in mail.text
    assert answered(world) == ["Bert"]


WRAPPED = ("`bid 4`", '"bid 4"', "“bid 4”", "- bid 4", "* bid 4", "bid 4.", "- `bid 4`.")


@pytest.mark.parametrize("words", WRAPPED)
def test_an_order_may_stand_between_marks(world: World, words: str) -> None:
    mail = one(world.answers(reply(world.turn("bert"), words)))
    assert "bid 4" in mail.text.partition("Next")[0]
    assert answered(world) == ["Bert"]


def test_an_order_that_shows_something_else_is_a_question(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "bid \u202e01\u202c")))
    assert "characters that reverse the direction of writing" in " ".join(mail.text.split())
    assert answered(world) == []


@pytest.mark.parametrize("words", ["bid 4\nbid 4", "Hello Hanna,\n\nbid 4\n\nbest regards\nBert"])
def test_the_same_said_twice_or_with_manners_is_one_answer(world: World, words: str) -> None:
    world.answers(reply(world.turn("bert"), words))
    assert answered(world) == ["Bert"]


def test_two_different_orders_are_refused_with_both(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "bid 4\nbid 3")))
    assert "bid 4" in mail.text
    assert "bid 3" in mail.text
    assert answered(world) == []


def test_an_unreadable_line_is_quoted_with_the_list(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "I offer four")))
    assert "I offer four" in mail.text
    assert "means no move" in mail.text
    assert "#1" in mail.text
    assert mail.subject.endswith(world.turn("bert").subject.split()[-1]), "the answer can be answered"
    assert answered(world) == []
    assert [mail.name[-21:-17] for mail in world.answers(reply(mail, "bid 4"))] == ["swer"]
    assert answered(world) == ["Bert"]


def test_a_good_line_next_to_a_bad_one_is_refused(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "bid 4\nor perhaps not")))
    assert "or perhaps not" in mail.text
    assert answered(world) == []


def test_nothing_written_is_a_question(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "")))
    assert "mail contains nothing that you wrote" in " ".join(mail.text.split())
    assert answered(world) == []


def test_standing_orders_are_said_with_an_answer(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "bid 4; bid 2 always")))
    assert "from now on: bid 2 always" in mail.text
    assert answered(world) == ["Bert"]


@pytest.mark.parametrize("words", ["`ok`", "Ok.", "- yes!", "'I agree'"])
def test_a_confirmation_may_stand_between_marks(tmp_path: Path, words: str) -> None:
    world, mails = invited(tmp_path)
    world.take(*(reply(mail, f"`join as {name.title()}`.") for name, mail in mails.items()))
    world.answers(reply(world.turn("bert"), words))
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Carla"]


def test_the_first_answer_counts(world: World) -> None:
    world.take(reply(world.turn("bert"), "bid 4"))
    before = world.game()
    mail = one(world.answers(reply(world.turn("bert"), "bid 5")))
    assert "the first answer counts" in " ".join(mail.text.split())
    assert world.game() == before
    again = one(world.answers(reply(world.turn("bert"), "bid 4", sender="bert@elsewhere.example")))
    assert "already accepted" in again.text
    assert again.to == PEOPLE["bert"]
    assert world.game() == before


def test_a_round_closes_and_the_pass_of_it_is_over(world: World) -> None:
    old = world.turn("bert")
    world.take(reply(old, "bid 4"), reply(world.turn("carla"), "bid 1"), own_move(world.turn("anna"), "Anna"))
    assert world.status()["round"] == 2
    before = world.game()
    mail = one(world.answers(reply(old, "bid 5")))
    assert "Your mail answers a turn that is over" in mail.text
    assert mail.to == PEOPLE["bert"]
    assert world.game() == before


def test_the_same_mail_twice_is_taken_once(world: World) -> None:
    mail = reply(world.turn("bert"), "bid 4")
    assert len(world.answers(mail)) == 1
    files = world.files()
    assert world.answers(mail) == []
    assert world.files() == files


def test_plus_addresses_carry_the_pass(tmp_path: Path) -> None:
    world, _ = invited(tmp_path)
    world.settings("plus = true")
    world.offer(*PEOPLE.values(), game="auction")
    mail = next(mail for mail in world.new() if mail.to == PEOPLE["bert"])
    address = str(mail.message["Reply-To"])
    assert address.startswith("host+")
    answer = plain("somebody@else.example", "hello", "join as Bert").replace(b"host@games.example", address.encode())
    assert "You have joined as Bert." in one(world.answers(answer)).text


# --- signatures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [True, False])
def test_a_signed_move_counts_as_block_and_as_file(world: World, block: bool) -> None:
    mail = one(world.answers(own_move(world.turn("anna"), "Anna", block=block)))
    assert mail.to == PEOPLE["anna"]
    assert mail.file("receipt.json")
    assert re.search(r"^bid \d+$", mail.text, re.MULTILINE), "what was taken is told in words"
    assert answered(world) == ["Anna"]


def test_words_next_to_a_signed_move_are_not_read(world: World) -> None:
    turn = world.turn("anna")
    move = sign(turn, "Anna")
    mail = one(world.answers(reply(turn, f"bid 9\n\n{write_block('move', move)}")))
    assert "was not read" in " ".join(mail.text.split())
    assert answered(world) == ["Anna"]


def test_an_old_block_below_a_new_one_does_no_harm(world: World) -> None:
    first = sign(world.turn("anna"), "Anna")
    world.take(reply(world.turn("anna"), write_block("move", first)), reply(world.turn("bert"), "bid 9"))
    world.take(reply(world.turn("carla"), "bid 1"))
    world.take(reply(world.turn("bert"), "raid 1 " + hand(world, "bert")[0]))
    turn = world.turn("anna")
    second = sign(turn, "Anna")
    mail = one(world.answers(reply(turn, write_block("move", second) + "\n\n" + write_block("move", first))))
    assert "Your answer has been accepted" in mail.text
    assert answered(world) == ["Anna"]


def hand(world: World, name: str) -> list[str]:
    line = next(line for line in world.turn(name).text.splitlines() if line.startswith("your hand: "))
    return line.removeprefix("your hand: ").split()


def test_an_illegal_signed_move_is_refused_with_its_receipt_in_the_answer(world: World) -> None:
    turn = world.turn("anna")
    move = sign(turn, "Anna")
    broken = move.replace(b'"seat":0', b'"seat":1')
    mails = world.answers(reply(turn, write_block("move", broken), sender="stranger@nowhere.example"))
    assert mails == []
    assert world.kept("quarantine") == 1
    assert answered(world) == []


def test_a_damaged_block_is_reported_to_a_known_sender(world: World) -> None:
    turn = world.turn("anna")
    block = write_block("move", sign(turn, "Anna"))
    lines = block.splitlines()
    mail = one(world.answers(reply(turn, "\n".join(lines[:3] + lines[4:]))))
    assert mail.to == PEOPLE["anna"]
    assert "a part of the block is missing" in " ".join(mail.text.split())


# --- words about the player ------------------------------------------------------------------------------------------


def test_zone_and_address_are_set_by_the_pass(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "zone Europe/Berlin")))
    assert "Europe/Berlin" in mail.text
    mails = world.answers(reply(world.turn("bert"), "address bert@new.example"))
    assert sorted(mail.to for mail in mails) == ["bert@new.example", "bert@y.example"]
    assert all("bert@new.example" in mail.text for mail in mails)
    assert one(world.answers(reply(world.turn("bert"), "bid 4"))).to == "bert@new.example"


ANSWERS = {
    "anna": ("roll", "pass", "bid 0", "name glass", "offer none"),
    "bert": ("würfle", "passe", "biete 0", "nenne Glas", "versteigere keinen"),
    "carla": ("gooi", "pas", "bied 0", "noem glas", "veil geen"),
}


@pytest.mark.thorough
def test_each_player_gets_mails_in_their_own_language(tmp_path: Path) -> None:
    """Everybody reads sentences and moves in their own language, and may write them in any."""
    world, acted = World(tmp_path), set()
    world.offer(*PEOPLE.values(), game="mark")
    mails = {mail.to.partition("@")[0]: mail for mail in world.new()}
    assert "cannot write in this language" in one(world.answers(reply(mails["anna"], "language tlh"))).text
    for name, said, told in (
        ("bert", "SPRACHE deutsch", "lädt dich zu einem Spiel ein"),
        ("carla", "language nl", "nodigt je uit voor een spel"),
    ):
        assert told in one(world.answers(reply(mails[name], said))).text
    world.take(*(reply(mails[name], f"join as {name.title()}") for name in PEOPLE))
    others = ("English", "Deutsch", "Nederlands")
    for name, own in zip(PEOPLE, others, strict=True):
        text = " ".join(world.turn(name).text.split())
        assert [other for other in others if f"`{other}`" in text] == [other for other in others if other != own]
    world.take(*(reply(world.turn(name), "ok") for name in PEOPLE))
    for number in range(10):
        match = open_match(world.game(), key("Hanna"))
        name = match.table.names[min(asked(match.state).keys() - match.waiting.keys())].lower()
        mail = world.turn(name)
        shown = {
            who: [word for word in ANSWERS[who] if re.search(rf"^ *#\d+ +{word}\b", mail.text, re.MULTILINE)]
            for who in ANSWERS
        }
        assert [who for who, found in shown.items() if found] == [name]
        which, writer = ANSWERS[name].index(shown[name][0]), ("carla", "anna", "bert")[number % 3]
        taken = one(world.answers(reply(mail, ANSWERS[writer][which].upper())))
        assert ANSWERS[name][which] in taken.text.split("\n\n")[2]
        acted.add((name, writer))
    assert {name for name, _ in acted} == set(PEOPLE)
    assert len(acted) > 3


def test_a_misspelled_word_is_refused_with_the_nearest(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "zone Europe/Berlim")))
    assert "did you mean europe/berlin?" in " ".join(mail.text.split())


def test_a_signed_word_counts_once_and_in_its_round(world: World) -> None:
    turn = world.turn("anna")
    opened = open_view(turn.file("view.json"))
    word = sign_word(key("Anna"), opened, "away until 2026-11-30")
    assert "You are away until 2026-11-30" in one(world.answers(reply(turn, "", files={"word.json": word}))).text
    back = sign_word(key("Anna"), opened, "back")
    world.answers(reply(turn, "now back", files={"word.json": back}))
    assert [row["away_until"] for row in world.status()["players"]] == ["", "", ""]
    again = one(world.answers(reply(turn, "once more", files={"word.json": word})))
    assert "saying it again changed" in again.text
    assert [row["away_until"] for row in world.status()["players"]] == ["", "", ""]


def test_resign_asks_for_a_confirmation_and_then_leaves(world: World) -> None:
    mail = one(world.answers(reply(world.turn("bert"), "resign")))
    assert "resign for good" in mail.text
    assert answered(world) == []
    mail = one(world.answers(reply(mail, "resign for good")))
    assert "You have left the game for good" in mail.text
    assert answered(world) == ["Bert"]


def test_yes_to_the_question_whether_to_leave_is_not_an_agreement(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(*(reply(mail, f"join as {name.title()}") for name, mail in mails.items()))
    told = one(world.answers(reply(world.turn("bert"), "resign")))
    assert "not accepted" in one(world.answers(reply(told, "yes"))).text
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Bert", "Carla"]
    world.answers(reply(told, "ok"))
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Carla"]


# --- nobody's mail ---------------------------------------------------------------------------------------------------


def test_a_known_sender_is_asked_which_game_twice_a_day(world: World) -> None:
    for number in range(4):
        mails = world.answers(plain(PEOPLE["bert"], "my move", f"bid {number}"))
        assert [mail.to for mail in mails] == [PEOPLE["bert"]] * (number < 2)
    assert len(world.answers(plain(PEOPLE["bert"], "my move", "bid 7"), now="2026-11-21T08:00Z")) == 1
    assert answered(world) == []
    assert world.kept("quarantine") == 0


def test_an_unknown_sender_is_not_answered(world: World) -> None:
    assert world.answers(plain("eve@evil.example", "my move", "bid 4")) == []
    assert world.kept("quarantine") == 1


@pytest.mark.parametrize(
    "headers", [{"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"X_PBEM_Referee": "x"}]
)
def test_what_a_program_sent_is_never_answered(world: World, headers: dict[str, str]) -> None:
    turn = world.turn("bert")
    assert world.answers(plain(PEOPLE["bert"], f"Re: {turn.subject}", "bid 4", **headers)) == []
    assert world.kept("quarantine") == 1
    assert answered(world) == []


def test_answers_are_limited_by_day_but_moves_count(world: World) -> None:
    world.settings("answers_per_day = 4")
    turn = world.turn("bert")
    mails = world.answers(*(reply(turn, f"nonsense {number}") for number in range(5)), reply(turn, "bid 4"))
    assert len(mails) == 4 + 1, "a move that counts is answered in any case"
    assert answered(world) == ["Bert"]
    assert len(world.answers(reply(turn, "nonsense"), now=NOW.replace("-20T", "-21T"))) == 1


@pytest.mark.parametrize("first", [True, False])
def test_a_document_for_a_kept_seat_says_nothing_and_hides_no_other(world: World, first: bool) -> None:
    """Nobody but the office has that key: such a document was copied."""
    turn, match = world.turn("anna"), open_match(world.game(), key("Hanna"))
    seat = match.table.names.index("Bert")
    bert = kept_key(key("Hanna"), match.table.offer_id, seat)
    copied = bot_signs(Place(match.table, match.checkpoint, seat, match.faces), bert, "sensible", bytes(32))
    blocks = [write_block("move", data) for data in (copied, sign(turn, "Anna"))]
    world.answers(reply(turn, "\n\n".join(blocks if first else reversed(blocks))))
    assert answered(world) == ["Anna"]
