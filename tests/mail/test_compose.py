"""Mails as bytes: complete, always the same, and no name or subject can inject headers."""

import re
from datetime import UTC, datetime, timedelta, timezone
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine.player import open_view
from referee.errors import Usage
from referee.mail import letters
from referee.mail.body import Body, picture_id
from referee.mail.compose import Head, compose, sent_texts
from referee.mail.lines import html_lines
from referee.mail.message import read_message
from tests.mail.screens import DUE, reader
from tests.support.match import Sitting

NOW = datetime(2026, 11, 20, 8, 0, 30, tzinfo=UTC)
HEAD = Head(
    "be4f2750-r012-bert-turn", "<be4f2750-r012-bert-turn@games.example>", "host@games.example", "bert@example.org",
    "Schwarzmarkt be4f2750, round 12: your turn", NOW,
    reply_to="host+be4f2750-2-12-k7f3q9abcdefghij@games.example", sender_name="Hanna Müller", to_name="Bert",
    in_reply_to="<r11@games.example>", references=("<r10@games.example>", "<r11@games.example>"),
)  # fmt: skip
SHORT = Body("s", "text\n", "<p>text</p>\n")


@cache
def turn() -> Body:
    table = Sitting("schwarzmarkt", 3, "compose").until(3)
    seat = table.asked[0]
    return letters.turn(table.opened(seat), reader(table, seat), due=DUE)


def parsed(mail: bytes) -> EmailMessage:
    return BytesParser(policy=policy.default).parsebytes(mail)  # type: ignore[return-value]


def shape(part: EmailMessage) -> str:
    inside = ", ".join(shape(one) for one in part.iter_parts()) if part.is_multipart() else ""  # type: ignore[arg-type]
    return part.get_content_type() + (f"{{{inside}}}" if inside else "")


def test_a_mail_has_the_parts_it_should_have() -> None:
    body = turn()
    mail = parsed(compose(HEAD, body))
    assert shape(mail) == (
        "multipart/mixed{multipart/alternative{text/plain, multipart/related{text/html, image/png}}, application/json}"
    )
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text is not None
    assert html is not None
    assert text.get_content().replace("\r\n", "\n") == body.text
    assert html.get_content().replace("\r\n", "\n") == body.html
    (image,) = (part for part in mail.walk() if part.get_content_type() == "image/png")
    assert image["Content-ID"] == f"<{picture_id(body.png)}>"
    assert f'src="cid:{picture_id(body.png)}"' in body.html
    assert image.get_payload(decode=True) == body.png
    (view,) = mail.iter_attachments()
    assert (view.get_filename(), view.get_content()) == body.files[0]
    assert shape(parsed(compose(HEAD, SHORT))) == "multipart/alternative{text/plain, text/html}"


def test_the_head_says_what_it_should() -> None:
    mail = parsed(compose(HEAD, turn()))
    assert {name: str(mail[name]) for name in mail if name != "Content-Type"} == {
        "From": "Hanna Müller <host@games.example>",
        "To": "Bert <bert@example.org>",
        "Reply-To": "host+be4f2750-2-12-k7f3q9abcdefghij@games.example",
        "Subject": "Schwarzmarkt be4f2750, round 12: your turn",
        "Date": "Fri, 20 Nov 2026 08:00:30 +0000",
        "Message-ID": "<be4f2750-r012-bert-turn@games.example>",
        "In-Reply-To": "<r11@games.example>",
        "References": "<r10@games.example> <r11@games.example>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-PBEM-Referee": "be4f2750-r012-bert-turn",
        "MIME-Version": "1.0",
    }


def test_the_same_gives_the_same_bytes() -> None:
    one, other = compose(HEAD, turn()), compose(HEAD, turn())
    assert one == other
    elsewhere = compose(msgspec.structs.replace(HEAD, id="be4f2750-r012-bert-reminder-1"), turn())
    boundaries = [set(re.findall(rb'boundary="([^"]+)"', mail)) for mail in (one, elsewhere)]
    assert len(boundaries[0]) == 3
    assert not boundaries[0] & boundaries[1]
    for boundary in boundaries[0]:
        inside = list(re.finditer(re.escape(boundary), one))
        lines = list(
            re.finditer(rb"(?m)^--" + re.escape(boundary) + rb'(?:--)?\r$|boundary="' + re.escape(boundary), one)
        )
        assert len(inside) == len(lines)


def test_lines_are_short_and_seven_bits_wide() -> None:
    far = [f"<{'x' * 150}-{n}@games.example>" for n in range(20)]
    mail = compose(msgspec.structs.replace(HEAD, references=tuple(far), to_name="Ä" * 40), turn())
    assert mail.isascii()
    assert max(len(line) for line in mail.split(b"\r\n")) < 300
    assert b"\n" not in mail.replace(b"\r\n", b"")
    assert parsed(mail)["References"].split() == far


def test_a_subject_begins_on_its_line() -> None:
    long = "Re: Loriot: Der Weg zum Erfolg be4f2750, round 1234: your turn be4f2750-12-1234-k7f3q9abcdefghij"
    assert f"\r\nSubject: {long}\r\n".encode() in compose(msgspec.structs.replace(HEAD, subject=long), SHORT)


def test_our_own_mail_is_never_answered() -> None:
    assert str(read_message(compose(HEAD, SHORT)).headers.auto) == "it was sent by a referee office"


def test_a_saved_mail_can_be_played() -> None:
    (attached,) = read_message(compose(HEAD, turn())).attachments
    assert (attached.name, attached.data) == turn().files[0]
    assert open_view(attached.data).round == 3


def test_what_was_sent_is_found_again() -> None:
    text, html, pictures = sent_texts(compose(HEAD, turn()))
    assert text == turn().text.splitlines()
    assert html == [line.text for line in html_lines(turn().html)]
    assert html[0] == text[0]
    assert pictures[0].startswith("[image: Schwarzmarkt as ")
    assert pictures[-1].endswith("]")
    assert sent_texts(compose(HEAD, SHORT)) == [["text"], ["text", ""]]


@pytest.mark.thorough
@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_no_text_gets_into_the_head(sender: str, to: str, subject: str) -> None:
    head = msgspec.structs.replace(HEAD, sender_name=sender, to_name=to, subject=subject)
    mail = parsed(compose(head, SHORT))
    plain = parsed(compose(msgspec.structs.replace(HEAD, subject="x"), SHORT))
    assert set(mail.keys()) <= {*plain.keys()} - {"Subject"} | {"Subject"}
    assert len(mail.keys()) == len(set(mail.keys()))
    assert [one.addr_spec for one in mail["To"].addresses] == ["bert@example.org"]
    assert [one.addr_spec for one in mail["From"].addresses] == ["host@games.example"]
    assert mail.get_body(("plain",)).get_content().strip() == "text"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "name", ["x\r\nBcc: eve@evil.example", "x\nTo: eve@evil.example", "<eve@evil.example>,", 'a"b\\c']
)
def test_header_injection_is_impossible(name: str) -> None:
    mail = compose(msgspec.structs.replace(HEAD, sender_name=name, to_name=name, subject=name, id=name), SHORT)
    read = parsed(mail)
    assert read["Bcc"] is None
    assert [one.addr_spec for one in read["To"].addresses] == ["bert@example.org"]
    assert len(read.get_all("To")) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {"to": "bert@example.org, eve@evil.example"},
        {"to": "bert@example.org\r\nBcc: eve@evil.example"},
        {"to": ""},
        {"to": "bert"},
        {"to": "Bert <bert@example.org>"},
        {"to": "bért@example.org"},
        {"to": "a..b@example.org"},
        {"to": "a.@example.org"},
        {"to": "a@example..org"},
        {"sender": "host@games.example\n"},
        {"reply_to": "host@games.example "},
        {"message_id": "r12@games.example"},
        {"message_id": "<a>\r\nBcc: <b>"},
    ],
)
def test_what_is_not_an_address_or_id_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(Usage):
        compose(msgspec.structs.replace(HEAD, **changes), SHORT)


def test_ids_of_others_that_make_no_sense_are_left_out() -> None:
    ids = ("<a@b>", "x", "<ä@b>", "<a b>", "<c@d>\r\nBcc: <e@f>", "<g@h>")
    mail = parsed(compose(msgspec.structs.replace(HEAD, in_reply_to="<a\r\nb>", references=ids), SHORT))
    assert (mail["References"], mail["In-Reply-To"], mail["Bcc"]) == ("<a@b> <g@h>", None, None)


def test_dates_are_written_with_their_zone() -> None:
    far = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert b"Date: Fri, 20 Nov 2026 13:30:30 +0530\r\n" in compose(msgspec.structs.replace(HEAD, date=far), SHORT)


def test_file_names_stay_names() -> None:
    body = msgspec.structs.replace(SHORT, files=(('a"\r\nX: y/ü.json', b"{}"),))
    mail = parsed(compose(HEAD, body))
    assert mail["X"] is None
    assert len(list(mail.iter_attachments())) == 1
