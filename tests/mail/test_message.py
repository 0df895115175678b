"""Reading mails: parts, characters, headers, files; and that nothing ever raises."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.mail.headers import OWN_HEADER
from referee.mail.lines import Line, html_lines, plain_lines
from referee.mail.message import ATTACHMENTS_MOST, LINES_MOST, Letter, read_message
from referee.mail.reply import orders, written
from tests.mail.make_corpus import FOLDER
from tests.mail.programs import multipart

CORPUS = sorted(FOLDER.glob("*.eml"))


def texts(letter: Letter) -> list[str]:
    return [line.text for line in letter.lines if line.text.strip()]


@given(st.binary(max_size=2000))
@settings(deadline=None, max_examples=60)
def test_any_bytes_are_read(raw: bytes) -> None:
    letter = read_message(raw)
    assert len(letter.lines) <= LINES_MOST
    assert letter.headers.subject.isprintable()


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A mail of the corpus with pieces lost, doubled and replaced."""
    raw = draw(st.sampled_from(CORPUS)).read_bytes()[:20_000]
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(raw)))
        size = draw(st.integers(0, 60))
        new = draw(
            st.binary(max_size=8) | st.sampled_from([raw[at : at + 200], b"\n\n", b"--=_alt_7d3\n", b"=\n", b"<", b'"'])
        )
        raw = raw[:at] + new + raw[at + size :]
    return raw


@given(mutated())
@settings(max_examples=200, deadline=None)
def test_mutated_mails_are_read(raw: bytes) -> None:
    letter = read_message(raw)
    found = written(letter, ["pass green"])
    assert found.sure != bool(found.why)
    assert all(line == line.strip() for line in orders(found))


@pytest.mark.parametrize("path", CORPUS[::7], ids=lambda path: path.name)
def test_mails_cut_anywhere_are_read(path) -> None:
    raw = path.read_bytes()
    for end in range(len(path.name), len(raw), 397):
        letter = read_message(raw[:end])
        assert sum(len(line.text) for line in letter.lines) <= 2 * end + 2


# --- headers ----------------------------------------------------------------------------------------------------------


def test_headers_are_read() -> None:
    envelope = read_message(
        b"From: =?utf-8?b?QsOkcnQ=?= <bert@example.org>\nTo: Anna <host+abc@x.example>, c@x.example\n"
        b"Delivered-To: host+abc@x.example\nX-Original-To: other@x.example\n"
        b"Subject: =?iso-8859-1?q?Gr=FC=DFe?=\n to you\n"
        b"Message-ID: <1@x>\nIn-Reply-To: <0@x> (of Sunday)\nReferences: <a@x>\n <b@x>\n"
        b"Date: Sun, 3 Jan 2027 10:00 +0100\n\n"
    ).headers
    assert envelope.sender == "bert@example.org"
    assert envelope.subject == "Grüße to you"
    assert (envelope.message_id, envelope.references) == ("<1@x>", ("<a@x>", "<b@x>"))
    assert envelope.recipients == ("host+abc@x.example", "c@x.example", "other@x.example")
    assert str(envelope.auto) == ""


@pytest.mark.parametrize(
    ("header", "why"),
    [
        (f"{OWN_HEADER}: 1", "it was sent by a referee office"),
        ("Auto-Submitted: auto-notified", "a program sent it (Auto-Submitted)"),
        ("PRECEDENCE: Bulk", "it is bulk mail (Precedence)"),
        ("List-Unsubscribe: <mailto:x@y>", ""),
        ("Precedence: bulk\nList-Id: <a.example>", ""),
        ("X-Autoreply: yes", "a program answered (X-Autoreply)"),
        ("Content-Type: multipart/report; report-type=delivery-status", "it is a delivery report"),
        ("Return-Path: <MAILER-DAEMON@x.example>", "nobody reads replies to its sender"),
        ("Subject: Automatische Antwort: your turn", "its subject looks like an automatic reply"),
        ("Auto-Submitted: no", ""),
        ("X-Autoreply: no", ""),
        ("Return-Path: <bert@example.org>", ""),
        ("Subject: Re: automatic reply to everything", ""),
    ],
)
def test_what_is_never_answered(header: str, why: str) -> None:
    assert str(read_message(f"From: bert@example.org\n{header}\n\npass".encode()).headers.auto) == why


@pytest.mark.parametrize("name", ["List-Id", "List-Unsubscribe", "List-Post", "Precedence"])
def test_what_comes_through_a_list(name: str) -> None:
    letter = read_message(f"From: bert@example.org\n{name}: list\n\npass".encode())
    assert str(letter.headers.listed) == f"it came through a mailing list ({name})"
    assert not read_message(b"From: bert@example.org\n\npass").headers.listed


# --- text -------------------------------------------------------------------------------------------------------------


def test_flowed_text_is_joined_by_depth() -> None:
    """The examples of RFC 3676: quoting, stuffing, signatures."""
    text = "> one \n> two\n>> deeper \nback \nhome\n  stuffed\n-- \nsigned"
    assert plain_lines(text, flowed=True) == [
        Line("one two", 1), Line("deeper ", 2), Line("back home"), Line(" stuffed"), Line("-- "), Line("signed"),
    ]  # fmt: skip
    assert plain_lines("one \ntwo \n", flowed=True, drop_space=True)[0] == Line("onetwo")


def test_quoting_marks_count() -> None:
    text = "a\n> b\n>> c\n> > c\n| d\nAH> e\n>f\n|g\n"
    assert [(line.text, line.depth) for line in plain_lines(text)] == [
        ("a", 0), ("b", 1), ("c", 2), ("c", 2), ("d", 1), ("e", 1), ("f", 1), ("|g", 0), ("", 0),
    ]  # fmt: skip


def test_html_is_seen_as_a_person_sees_it() -> None:
    page = (
        "<html><head><title>no</title><style>no</style></head><body><!-- no --><div>one&nbsp;two<br>three</div>"
        "<p style='display:none'>no</p><script>no()</script><ul><li>four</li><li>fi<b>ve</b></li></ul>"
        "<table><tr><td>a</td><td>b</td></tr></table><blockquote>q<blockquote>qq</blockquote>q</blockquote>"
        "<pre>x  y\n z</pre>1 &lt; 2 &amp;amp; <![CDATA[</body>"
    )
    seen = [(line.text.replace("\u00a0", " "), line.depth) for line in html_lines(page) if line.text]
    assert seen == [
        ("one two", 0), ("three", 0), ("four", 0), ("five", 0), ("a b", 0), ("q", 1), ("qq", 2), ("q", 1), ("x  y", 0),
        (" z", 0), ("1 < 2 &amp; <![CDATA[", 0),
    ]  # fmt: skip


@given(st.text(alphabet="<>/!-bpdiv ='\"&;#x1a", max_size=300))
@settings(deadline=None, max_examples=60)
def test_any_html_is_seen(page: str) -> None:
    assert sum(len(line.text) for line in html_lines(page)) <= len(page)


def test_of_several_ways_the_plain_one_is_read() -> None:
    plain, page = b"Content-Type: text/plain\n\nplain\n", b"Content-Type: text/html\n\n<p>page</p>\n"
    assert texts(read_message(multipart("alternative", (plain, page), "b"))) == ["plain"]
    empty = b"Content-Type: text/plain\n\n\n"
    assert texts(read_message(multipart("alternative", (empty, page), "b"))) == ["page"]
    assert texts(read_message(multipart("mixed", (plain, page, plain), "b"))) == ["plain", "page", "plain"]


def test_a_boundary_that_begins_like_another_is_another() -> None:
    inner = multipart("mixed", (b"\none\n", b"\ntwo\n"), "bb")
    assert texts(read_message(multipart("mixed", (inner, b"\nthree\n"), "b"))) == ["one", "two", "three"]


def test_parts_without_a_boundary_are_one_text() -> None:
    letter = read_message(b"Content-Type: multipart/mixed\n\npass green")
    assert texts(letter) == ["pass green"]
    assert tuple(map(str, letter.troubles)) == ("the parts of the mail cannot be told apart; it is read as one text",)


# --- files ------------------------------------------------------------------------------------------------------------


def test_documents_are_kept_and_other_files_are_not() -> None:
    files = (
        b'Content-Type: application/json; name="move.json"\n\n\xef\xbb\xbf{"a":1}\r\n',
        b"Content-Type: image/png; name=x.png\n\n\x89PNG",
        b"Content-Disposition: attachment; filename*=utf-8''%C3%BC.txt\n\n{}",
        b"Content-Type: application/ms-tnef; name=winmail.dat\n\n\x78\x9f",
    )
    letter = read_message(multipart("mixed", files, "b"))
    assert [(file.name, file.data) for file in letter.attachments] == [("move.json", b'{"a":1}'), ("ü.txt", b"{}")]
    assert tuple(map(str, letter.troubles)) == (
        "Outlook packed a part of the mail into winmail.dat, which I cannot read; send it again as plain text or HTML, "
        "and files as ordinary attachments",
    )


def test_there_is_an_end_to_files() -> None:
    letter = read_message(multipart("mixed", (b"Content-Type: a/b\n\n{}",) * 30, "b"))
    assert len(letter.attachments) == ATTACHMENTS_MOST
    assert tuple(map(str, letter.troubles)) == ("there are too many attachments; only the first are read",)
