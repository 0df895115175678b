"""What the player's page takes from files, mails and texts, and what it refuses: keys, sizes, numbers, hidden signs."""

import random
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any

import pytest

from referee.crypto.codec import encode
from referee.errors import IllegalMove
from referee.games import game_ids
from referee.games.weg_zum_erfolg import arithmetic, contests
from referee.io import files, keyfile
from referee.mail.block import write_block
from referee.page.aid import aid_of
from tests.page.node import Ask, asking
from tests.page.tampered import changed
from tests.page.test_tampered import player_file
from tests.support.match import Sitting

HOST = "host@a.example"
MEGA = 1_000_000


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with asking("intake.mjs") as one:
        yield one


@pytest.fixture(scope="module")
def table() -> Sitting:
    return Sitting("mark", 3, "intake").until(3)


def mail(*attached: tuple[str, bytes], text: str = "Hello\n", sender: str = HOST) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, "anna@x.example", f"your turn, says {sender}"
    made.set_content(text)
    for name, data in attached:
        made.add_attachment(data, "application", "json", filename=name)
    return made


def taken(ask: Ask, *given: tuple[str, bytes]) -> tuple[list[Any], dict[str, list[str]]]:
    """The documents, and error -> the names of the files that it is about."""
    found = ask("take", files=[{"name": name, "hex": data.hex()} for name, data in given])
    said = {row["key"]: row["names"] for row in found["wrong"]}
    assert len(said) == len(found["wrong"])
    return found["documents"], said


# --- keys ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def secrets(table: Sitting) -> dict[str, bytes]:
    key = table.players[1]
    return {
        "key": keyfile.dump(key),
        "locked key": keyfile.dump(key, "a passphrase", bytes(32)),
        "player": player_file(table, 1),
        "key spelled in another way": b' {"name": "x",\n "format": "pbem-referee/1/key"}',
    }


def carriers(data: bytes) -> dict[str, bytes]:
    """Everything but a file that is picked as a key, with a key in it."""
    inner = mail(("k.json", data))
    outer = mail()
    outer.add_attachment(inner)
    named = EmailMessage()
    named["From"] = HOST
    named.set_content(data.decode())
    plain = b"From: a@b.example\nContent-Type: text/plain\n\nyour key:\n\n" + data + b"\n\nsee you"
    return {
        "attached": bytes(inner),
        "attached as text": plain,
        "in a mail within a mail": bytes(outer),
        "as its whole text": bytes(named),
        "in a mailbox": b"From a@b.example Thu Jan  1 00:00:00 2027\n" + bytes(inner),
        "in a mailbox, as text": b"From x Thu Jan  1 00:00:00 2027\n" + plain,
        "with a view as its name": bytes(mail(("be4f2750-r003-anna.view.json", data))),
    }


@pytest.mark.parametrize("what", ["key", "locked key", "player", "key spelled in another way"])
def test_a_key_in_a_mail_is_refused_and_reported(ask: Ask, secrets: dict[str, bytes], what: str) -> None:
    data = secrets[what]
    wanted = "player in mail" if what == "player" else "key in mail"
    for how, raw in carriers(data).items():
        documents, said = taken(ask, ("m.eml", raw))
        assert documents == [], how
        assert [*said] == [wanted], how
        assert said[wanted][0].startswith("m.eml"), how


def test_a_key_elsewhere_is_refused_and_the_files_beside_it_are_opened(
    ask: Ask, table: Sitting, secrets: dict[str, bytes]
) -> None:
    view = table.view(0)
    for what, data in secrets.items():
        wanted = "player elsewhere" if what == "player" else "key elsewhere"
        for text in (data, b"here is it: " + data + b" bye", b"\n" + data):
            documents, said = taken(ask, ("k", text))
            assert documents == []
            assert said == {wanted: ["k"]}, (what, text)
    documents, said = taken(ask, ("m.eml", bytes(mail(("v.json", view), ("k.json", secrets["key"])))))
    assert [one["kind"] for one in documents] == ["view"]
    assert said == {"key in mail": ["m.eml / k.json"]}
    # A mail about keys has none in it.
    assert taken(ask, ("m.eml", bytes(mail(text="keep your key file secret\n"))))[1] == {"mail nothing": ["m.eml"]}


# --- whom to answer --------------------------------------------------------------------------------------------------


def test_each_document_keeps_the_sender_of_its_own_mail(ask: Ask, table: Sitting) -> None:
    one, other = mail(("v.json", table.view(0))), mail(("w.json", table.view(1)), sender="b@other.example")
    block = mail(text=write_block("offer", encode(table.offer)), sender="c@third.example")
    loose = ("v.json", table.view(2))
    found, said = taken(ask, ("1.eml", bytes(one)), ("2.eml", bytes(other)), ("3.eml", bytes(block)), loose)
    assert said == {}
    assert [row["reply"]["to"] for row in found] == [HOST, "b@other.example", "c@third.example", ""]
    assert [row["reply"]["subject"] for row in found][1] == "your turn, says b@other.example"


# --- sizes and numbers -----------------------------------------------------------------------------------------------


def test_the_size_of_a_file_is_checked_before_it_is_read(ask: Ask, table: Sitting) -> None:
    view = {"name": "v.json", "hex": table.view(0).hex()}
    found = ask("take", files=[{"name": "huge.eml", "size": files.LARGE + 1}, view])
    assert found["read"] == ["v.json"]
    assert [(row["key"], row["names"]) for row in found["wrong"]] == [("file large", ["huge.eml"])]
    assert [one["kind"] for one in found["documents"]] == ["view"]
    # Together they must not be larger either.
    some = [{"name": f"{at}", "size": files.LARGE - 10} for at in range(3)]
    found = ask("take", files=[view, *some])
    assert found["read"] == ["v.json"]
    assert [(row["key"], row["names"]) for row in found["wrong"]] == [("files large", ["0", "1", "2"])]


def test_a_dropped_folder_is_reported(ask: Ask) -> None:
    found = ask("take", files=[{"name": "mails", "size": 4096}])
    assert found["read"] == ["mails"]
    assert [(row["key"], row["names"]) for row in found["wrong"]] == [("file unread", ["mails"])]


def test_the_number_of_files_and_of_documents_is_bounded(ask: Ask, table: Sitting) -> None:
    given = [(f"{at}.json", encode(table.offer)) for at in range(45)]
    documents, said = taken(ask, *given)
    assert len(documents) == 40
    assert said == {"files many": [f"{at}.json" for at in range(40, 45)]}
    documents, said = taken(ask, ("m.eml", bytes(mail(*given))))
    assert len(documents) == 40
    assert len(said["files many"]) == 5
    # Long texts are no mails; what is JSON may be as long as any view.
    found = ask(
        "take", files=[{"name": name, "start": start, "size": 17 * MEGA} for name, start in (("t", "x"), ("j", "{"))]
    )
    assert [(row["key"], row["names"]) for row in found["wrong"]] == [("file large", ["t"])]
    assert [(one["name"], one["size"]) for one in found["documents"]] == [("j", 17 * MEGA)]


def test_each_error_is_reported_once(ask: Ask, table: Sitting) -> None:
    """The same damaged block in both texts of a mail, and the same fault in many mails."""
    block = write_block("view", table.view(0))[:-90]
    both = mail(text=block)
    both.add_alternative(f"<pre>{block}</pre>", subtype="html")
    assert taken(ask, ("m.eml", bytes(both)))[1] == {"block damaged": ["m.eml"]}
    empty = [(f"{at}.eml", bytes(mail())) for at in range(12)]
    assert taken(ask, *empty)[1] == {"mail nothing": [name for name, _ in empty]}


# --- words of the host -----------------------------------------------------------------------------------------------

ZALGO = "s" + "\u0301\u0316\u0489" * 60 + "ell"
WORDS = {
    "sell red": "sell red",
    "a\u202eb": "a⟨202E⟩b",
    "a\u200bb\ufeff": "a⟨200B⟩b⟨FEFF⟩",
    "a\x07b\x1b[2J": "a⟨0007⟩b⟨001B⟩[2J",
    "one\n\n\ttwo\u2028three\u00a0\u3000four": "one two three four",
    "\u3164\u2800": "⟨3164⟩⟨2800⟩",
    "नमस्ते किताब": "नमस्ते किताब",
    "👩\u200d🌾 e\u0301": "👩\u200d🌾 e\u0301",
    ZALGO: "s\u0301\u0316\u0489ell",
}


def test_nothing_in_words_of_others_is_hidden_or_stacked(ask: Ask) -> None:
    for (_, seen, _), wanted in zip(ask("words", texts=[*WORDS], longest=99)["words"], WORDS.values(), strict=True):
        assert seen == wanted
    long, short = ask("words", texts=["ä" * 10_000, "ä" * 99], longest=99)["words"]
    assert (long[0], short[0]) == ("ä" * 99 + "…", "ä" * 99)
    assert ask("ranges", numbers=[1, 2, 3, 5, 8, 9])["text"] == "1–3, 5, 8–9"


def test_a_value_cannot_look_like_more_fields_than_it_is(ask: Ask) -> None:
    """What is signed is shown field by field; a text of more than a word is quoted."""
    plain = {"do": "sell", "expression": "(7+9)/2 - 3", "way": "R1c", "goods": ["red", "blue"]}
    assert ask("fields", move=plain)["fields"] == [
        ["do", "sell", False],
        ["expression", "(7+9)/2 - 3", False],
        ["goods", "red, blue", False],
        ["way", "R1c", False],
    ]
    told = ask("fields", move={"do": "buy, drop: nothing", "note": "a\u202eb", "x; y": 'say "no"'})["fields"]
    assert [row[:2] for row in told] == [
        ["do", "“buy, drop: nothing”"],
        ["note", "“a⟨202E⟩b”"],
        ["“x; y”", '“say "no"”'],
    ]


# --- aids ------------------------------------------------------------------------------------------------------------

HOSTILE_PICTURES = {
    "uses": "<g><use href='#a'/></g>",
    "entities": "<text>&a;</text>",
    "scripts": "<script>1</script>",
    "styles": "<rect style='filter:blur(9px)'/>",
    "animation": "<animate attributeName='x'/>",
    "patterns": "<pattern></pattern>",
    "filters": "<rect filter='url(#f)'/>",
    "foreign": "<foreignObject></foreignObject>",
    "dashes": "<line stroke-dasharray='0.0001'/>",
    "handlers": "<rect\nonload='x()'/>",
    "comments": "<!-- -->",
    "no end": "<rect",
}


def test_a_picture_has_plain_shapes_only_and_is_bounded(ask: Ask, table: Sitting) -> None:
    good = encode(aid_of(table.opened(0)))

    def shown(inside: str, start: str = "<svg xmlns='http://www.w3.org/2000/svg'>") -> str | None:
        found = ask("aid", text=changed(good, lambda aid: aid.update(picture=start + inside + "</svg>")).decode())
        assert found["why"] == ""
        assert bool(found["unfit"]) == (found["picture"] == "")
        return str(found["picture"])

    assert shown("<rect width='3'/><g><text>a &lt; b, on x=1</text></g>")
    for what, inside in HOSTILE_PICTURES.items():
        assert shown(inside) == "", what
    assert shown("", "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg >") == ""
    assert shown("<desc>" + "x" * 400_000 + "</desc>") == ""
    assert shown("<g/>" * 10_001) == ""
    assert shown("", "javascript:alert(1)") == ""


@pytest.mark.parametrize("game_id", game_ids())
def test_the_aids_of_our_games_are_within_all_bounds(ask: Ask, game_id: str) -> None:
    sitting = Sitting(game_id, 3, "bounds").until(lambda one: one.round > 5 and one.opened(one.asked[0]).decides)
    aid = aid_of(sitting.opened(sitting.asked[0]))
    found = ask("aid", text=encode(aid).decode())
    assert (found["why"], found["unfit"], found["picture"]) == ("", "", aid.picture)


def test_the_number_of_choices_is_bounded(ask: Ask, table: Sitting) -> None:
    good = encode(aid_of(table.opened(0)))
    line = {"text": "pass", "move": {"do": "pass"}}

    def why(**members: Any) -> str:
        def spoil(aid: Any) -> None:
            aid["moves"]["choices"] = [line]
            for name, value in members.items():
                (aid["moves"] if name in ("choices", "standing") else aid)[name] = value

        return str(ask("aid", text=changed(good, spoil).decode())["why"])

    def family(part: Any) -> list[Any]:
        return [{**line, "form": {"a": {"$": "a"}}, "parts": [{"name": "a", "ask": "?", **part}]}]

    options = [{"text": str(at)} for at in range(5001)]
    for what, members in {
        "choices": {"choices": [line] * 501},
        "standing": {"standing": {"now": [], "choices": [line] * 501}},
        "options": {"choices": family({"type": "pick", "options": options})},
        "names": {"choices": family({"type": "ranking", "names": [str(at) for at in range(5001)], "least": 0})},
        "an endless list": {"choices": family({"type": "amounts", "most": {"x": 2**53 - 1}, "listed": ["x"]})},
        "a label": {"choices": [{**line, "text": "x" * 2001}]},
        "a field": {"choices": [{**line, "move": {"do": "x" * 4001}}]},
        "a free text": {"choices": family({"type": "free", "how": "", "longest": 10**9})},
        "lines": {"told": [{"round": 1, "lines": ["x"] * 2001}]},
    }.items():
        assert why(**members) == "it is too large for a page to show", what
    assert why() == why(choices=family({"type": "pick", "options": options[:500]})) == ""
    # Larger than any small file: not even looked at.
    assert "too large for its kind" in why(title="x" * MEGA)
    found = ask("aid", text=changed(good, lambda aid: aid.update(title="a\u202e" * 99, told=[])).decode())
    assert found["title"].startswith("a⟨202E⟩a")


# --- free texts ------------------------------------------------------------------------------------------------------


def refusal(work: Callable[[], object]) -> str:
    try:
        work()
    except IllegalMove as error:
        return str(error.message).removesuffix(" (LO-16)")
    return ""


def test_expressions_are_judged_as_the_rules_judge_them(ask: Ask) -> None:
    """Texts by chance, of which many are nearly right: value, cards, and what is wrong, word for word."""
    chance = random.Random("expressions")
    hand, table = (2, 3, 9, 9), (7,)
    signs = [
        "+",
        "-",
        "*",
        "/",
        "(",
        ")",
        "x",
        ":",
        "−",
        "÷",
        "[",
        "]",
        " ",
        "0",
        "12",
        "123",
        "y",
        ".",
        "=",
        "=7",
        "times",
        "durch",
    ]
    texts = ["", "9", "7*2-3-9+", "(7-3)*2", "7+9-2*(3", "((9-7)*3+2", "3/(7-7)", "(" * 21 + "7" + ")" * 21, "9" * 201]
    texts += ["7-2+3", "9*9/9+2-3", "7+9/3-2", "(9-3)/2*7"]
    texts += [
        "9*9=81/9=9+2=11-3=8-7+7",
        "7+9=16/2",
        "7*3=21-9=12-2",
        "9/2=4.5*2-3+2=8-7",
        "9/2=9/2*2-3+2-7",
        "2-9=-7+9+7-2=7",
    ]
    texts += ["7 mal 3 minus 9 minus 2", "7+9=15-3=12", "7=", "=7", "9 gedeeld door 2", "7+3 over 3 over 9=1/3"]
    texts += [
        "".join(chance.choice([*map(str, hand), "7", *signs]) for _ in range(chance.randrange(1, 9)))
        for _ in range(600)
    ]
    public = SimpleNamespace(task=SimpleNamespace(table=[SimpleNamespace(value=one) for one in table], target=8))
    found = ask("expressions", texts=texts, task={"table": [{"value": one} for one in table], "target": 8}, hand=hand)
    right = 0
    for text, theirs in zip(texts, found["found"], strict=True):
        try:
            worth = arithmetic.evaluate(text)
        except IllegalMove:
            assert "value" not in theirs, text
        else:
            assert theirs["value"] == f"{worth.value.numerator}/{worth.value.denominator}", text
            assert theirs["cards"] == [*worth.cards], text
        why = refusal(lambda text=text: contests._check_expression(public, SimpleNamespace(hand=hand), text))
        assert theirs["why"].replace("'", "") == why.replace("'", ""), text
        right += not why
    assert right >= 2


def test_a_document_both_attached_and_in_the_text_is_opened_once(ask: Ask, table: Sitting) -> None:
    """A move beside a view is another document; a view beside itself is none."""
    view, move = table.view(0), table.signed(table.asked[0])
    text = write_block("view", view) + "\n" + write_block("move", move)
    documents, said = taken(ask, ("turn.eml", bytes(mail(("v.json", view), text=text))))
    assert (sorted(one["kind"] for one in documents), said) == (["move", "view"], {})
