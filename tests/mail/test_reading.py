"""Characters, headers, lines and blocks of mails: each rule by itself, at its bounds."""

import base64
from email.message import Message

import pytest

from referee.language import Text
from referee.mail import block, headers, message, passes, signed, t
from referee.mail.block import Block, block_lines, find_blocks, write_block
from referee.mail.headers import HEADER_MOST, clean, decoded_header, decoded_text, undone
from referee.mail.lines import DEPTH_MOST, DIVIDER, Line, html_lines, plain_lines, unescaped
from referee.mail.listing import stripped
from referee.mail.message import read_message
from referee.mail.ours import Ours, words_of
from tests.mail.test_bounds import attached, texts

UNREADABLE = "some characters cannot be read: the mail names the wrong character set"
UNKNOWN = "the mail has an unknown character set; it is read as UTF-8"


# --- characters -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "charset", "text", "told"),
    [
        ("Grüße".encode(), "utf-8", "Grüße", []), ("Grüße".encode(), "iso-8859-1", "Grüße", []),
        ("Grüße".encode("latin-1"), "iso-8859-1", "Grüße", []), (b"\x80", "us-ascii", "€", []),
        ("Grüße".encode("cp1250"), "windows-1250", "Grüße", []), (b"\xef\xbb\xbfa", "", "a", []),
        ("Grüße".encode("utf-16-le"), "utf-16le", "Grüße", []), (b"+AOQ-", "utf-7", "ä", []),
        (b"a\xfc", "utf-8", "aü", [UNREADABLE]), (b"a\xff", "shift_jis", "a\ufffd", [UNREADABLE]),
        (b"abc", "utf-16", "扡\ufffd", [UNREADABLE]),
        (b"a", "klingon", "a", [UNKNOWN]), (b"a", "rot13", "a", [UNKNOWN]), (b"a", "x" * 3000, "a", [UNKNOWN]),
        (b"a\xfc", "idna", "aü", [UNKNOWN, UNREADABLE]),
    ],
)  # fmt: skip
def test_text_in_the_characters_that_a_mail_claims(data: bytes, charset: str, text: str, told: list[str]) -> None:
    troubles: list[Text] = []
    assert (decoded_text(data, charset, troubles), [*map(str, troubles)]) == (text, told)


@pytest.mark.parametrize(
    ("data", "encoding", "found", "told"),
    [
        (b"a=3Db=\nc", "Quoted-Printable ", b"a=bc", ""), (b"a=3D", "8BIT", b"a=3D", ""), (b"a=3D", "", b"a=3D", ""),
        (b"a=3D", "x-uue", b"a=3D", "a part has an unknown transfer encoding; it is read unchanged"),
        (b"YWJj\n", " BASE64", b"abc", ""), (b"YWI=", "base64", b"ab", ""), (b"YWI", "base64", b"ab", ""),
        (b"YWJjZ", "base64", b"abc", ""), (b"YW\nJj", "base64", b"abc", ""),
        (b"pass red", "base64", b"pass red", "a part claims to be base64 but is not; it is read unchanged"),
        (b"pass, red", "base64", b"pass, red", "a part claims to be base64 but is not; it is read unchanged"),
        (b"YWJj\n___\n", "base64", b"abc", "there is extra text after a part; it was not read"),
        (b"YWJj____", "base64", b"abc", "there is extra text after a part; it was not read"),
        (b"YWJj_____", "base64", b"YWJj_____", "a part claims to be base64 but is not; it is read unchanged"),
    ],
)  # fmt: skip
def test_parts_are_unpacked_as_they_say_or_read_as_they_are(
    data: bytes, encoding: str, found: bytes, told: str
) -> None:
    troubles: list[Text] = []
    assert (undone(data, encoding, troubles), [*map(str, troubles)]) == (found, [told] if told else [])


def test_a_header_is_one_line_for_people() -> None:
    assert decoded_header("=?utf-8?q?Gr=C3=BC=C3=9Fe?=\n  of =?utf-8?b?w6Q=?=") == "Grüße of ä"
    assert decoded_header("a\x00\u202e\u2066b\x9f\u2028c") == "a b c"
    assert clean("  a\r\nb ") == "a b"
    assert (clean("x" * 301), clean("abc", 2)) == ("x" * 300, "ab")
    assert decoded_header(" " * (HEADER_MOST - 1) + "ab") == "a"


# --- headers ----------------------------------------------------------------------------------------------------------


def envelope(*lines: str) -> headers.Headers:
    return read_message(("\n".join(lines) + "\n\n").encode()).headers


@pytest.mark.parametrize(
    ("header", "auto"),
    [
        ("Auto-Submitted: NO", False), ("Auto-Submitted: no (really)", False), ("Auto-Submitted: none", True),
        ("Auto-Submitted:", False), ("Precedence: list", False), ("Precedence: junk", True),
        ("Precedence: auto_reply", True), ("Precedence: first-class", False), ("List-Id: <a.b>", False),
        ("X-Autorespond: x", True), ("X-Autoresponder: x", True), ("X-Auto-Reply-From: x", True),
        ("X-Mail-Autoreply: x", True), ("X-Failed-Recipients: x", True), ("X-Autoreply: No", False),
        ("X-Autoreply:", False), ("Content-Type: message/delivery-status", True),
        ("Content-Type: message/disposition-notification", True), ("Content-Type: multipart/mixed", False),
        ("Return-Path: <>", True), ("Return-Path: postmaster@x.example", True), ("Return-Path: <no-reply@x>", True),
        ("Return-Path: <bounces+1@x>", True), ("Return-Path: <bouncer@x>", False), ("Return-Path:", False),
        ("From: noreply@x.example", True), ("From: Bert <donotreply@x.example>", True), ("From: norma@x", False),
        ("Subject: Out of office: x", True), ("Subject: Unzustellbar: x", True), ("Subject: Afwezigheid", True),
        ("Subject: Read: your turn", True), ("Subject: Gelesen: AW: dein Zug", True),
        ("Subject: Niet gelezen: x", True),
        ("Subject: Leesbevestiging", True), ("Subject: Automatische reactie: x", True), ("Subject: Readers", False),
        ("Subject: Re: read this", False), ("X-Autogenerated: Reply", True), ("X-Vacation: on", True),
        ("Subject: Undelivered Mail Returned", True), ("Subject: unzustellbares", False),
    ],
)  # fmt: skip
def test_only_mails_of_people_are_answered(header: str, auto: bool) -> None:
    assert bool(envelope(header).auto) is auto


def test_addresses_are_found_wherever_they_stand() -> None:
    found = envelope(
        "From: a@x.example (not b@x.example)", "To: c@x.example", "Cc: d@x.example", "Resent-To: c@x.example"
    )
    assert (found.sender, found.recipients) == ("b@x.example", ("c@x.example", "d@x.example"))
    assert envelope("From: " + "x" * 5000 + " <a@x.example>").sender == "a@x.example"
    assert envelope("From: nobody", "Message-ID: none").sender == envelope("X: y").message_id == ""
    head = Message()
    for number in range(headers.RECIPIENTS_MOST + 5):
        head["To"] = f"p{number}@x.example"
    head["Cc"] = "last@x.example"
    assert headers.read_headers(head).recipients[-1] == f"p{headers.RECIPIENTS_MOST - 1}@x.example"


# --- lines ------------------------------------------------------------------------------------------------------------


def seen(html: str) -> list[tuple[str, int, bool]]:
    return [(line.text, line.depth, line.struck) for line in html_lines(html)]


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("a <b>b</b>\n c<br><br>d", [("a b c", 0, False), ("", 0, False), ("d", 0, False)]),
        ("<p>a</p><p>b</p>", [("a", 0, False), ("", 0, False), ("b", 0, False), ("", 0, False)]),
        ("a<s>b</s>c", [("ac", 0, True)]), ("<del>b</del>", [("", 0, True)]), ("<strike>x</strike>y", [("y", 0, True)]),
        ('a<span style="text-decoration: line-through">b</span>', [("a", 0, True)]),
        ("<s>a<s>b</s>c</s>d", [("d", 0, True)]),
        ("a<div>b<script>c</script></div>", [("a", 0, False), ("b", 0, False)]),
        ("a<script>b", [("a", 0, False)]), ("<!-- a -->b<!-- c", [("b<!-- c", 0, False)]),
        ("<!---->a", [("a", 0, False)]),
        ("a<!-- b --><!-- c -->d", [("ad", 0, False)]), ("a<!--->b-->c", [("ac", 0, False)]),
        ("<blockquote>a</blockquote>b</blockquote>c", [("a", 1, False), ("b", 0, False), ("c", 0, False)]),
        ("<pre>a \n\n  b</pre> c  d", [("a", 0, False), ("", 0, False), ("  b", 0, False), ("c d", 0, False)]),
        ("</pre><pre>a\r\nb</pre>", [("a", 0, False), ("b", 0, False)]),
        ("<tr><td>a</td><th>b</th></tr>c", [("a b", 0, False), ("c", 0, False)]),
        ("x<y & &#65;&#99999999999;z", [("x<y & A;z", 0, False)]), ("<?php a ?>b<!doctype c>", [("b", 0, False)]),
    ],
)  # fmt: skip
def test_lines_of_a_page(html: str, lines: list[tuple[str, int, bool]]) -> None:
    assert seen(html) == lines


@pytest.mark.parametrize(
    ("attributes", "hidden"),
    [
        ("style='display : none'", True), ("style=visibility:hidden", True), ("style='mso-hide:all'", True),
        ("style='font-size:0'", True), ("style='font-size:0px'", True), ("style='opacity:0.00'", True),
        ("style='opacity:0.5'", False), ("style='font-size:0.9em'", False), ("style='max-height:0'", True),
        ("style='max-height:01px'", False), ("hidden", True), ("a hidden=x", True), ("hiddenx", False),
        ("class='x Gone y'", True), ("class=gone", True), ("class='goner'", False), ("class=shown", False),
        ("data-class", False), ("", False),
    ],
)  # fmt: skip
def test_what_nobody_sees_says_nothing(attributes: str, hidden: bool) -> None:
    sheet = "<style>.shown{color:red} p.GONE, .also {display:none}</style><style>.x2{}</style>"
    assert [text for text, *_ in seen(f"{sheet}a<i {attributes}>b</i>c")] == ["ac" if hidden else "abc"]
    second = "<style>.x{}</style><style>.gone{visibility:hidden}</style>"
    assert [text for text, *_ in seen(f"{second}a<i class=gone>b</i>c")] == ["ac"]


def test_boxes_of_quotations_begin_with_a_divider() -> None:
    for box in ('class="gmail_quote"', "id=divRplyFwdMsg", "style='border-left : 1px'"):
        assert seen(f"a<div {box}>b</div>") == [("a", 0, False), (DIVIDER, 0, False), ("b", 0, False)], box
    twice = "a<div id=appendonsend></div><div id=divRplyFwdMsg>b</div>"
    assert [text for text, *_ in seen(twice)] == ["a", DIVIDER, "b"]
    quoted = "<blockquote><div class=gmail_quote>b</div></blockquote>"
    assert seen(quoted) == [("b", 1, False)]
    assert [text for text, *_ in seen("a</div class=gmail_quote>b<p class=gmail_quote>c")] == ["a", "b", "", "c"]
    deep = "<blockquote>" * (DEPTH_MOST + 3) + "a"
    assert seen(deep) == [("a", DEPTH_MOST, False)]


def test_lines_of_plain_text() -> None:
    assert plain_lines("a\r\nb\rc") == [Line("a"), Line("b"), Line("c")]
    assert plain_lines(">" * 60 + " a")[0].depth == DEPTH_MOST
    assert plain_lines("    > a\nABCD> b\nABC> c\n >d") == [
        Line("    > a"),
        Line("ABCD> b"),
        Line("c", 1),
        Line("d", 1),
    ]
    assert plain_lines("> a \n>> b \nc ", flowed=True) == [Line("a ", 1), Line("b ", 2), Line("c ")]
    assert plain_lines("a \n-- \nb", flowed=True) == [Line("a -- "), Line("b")]
    assert plain_lines("a \nb", flowed=True, drop_space=True) == [Line("ab")]
    assert plain_lines("a \nb") == [Line("a "), Line("b")]
    assert plain_lines("a ", flowed=True, drop_space=True) == [Line("a")]
    assert plain_lines(" > a\n>" + ">" * 60 + "b\n| c", flowed=True) == [
        Line("> a"),
        Line("b", DEPTH_MOST),
        Line("c", 1),
    ]
    assert unescaped("&lt;&amp;lt;") == "<&lt;"
    assert unescaped("&#x110000000;a") == ";a"


# --- blocks -----------------------------------------------------------------------------------------------------------


def test_a_block_is_marked_by_a_dash_on_one_side() -> None:
    whole = write_block("move", b"data")
    for spoiled in (
        whole.replace("-----BEGIN", "BEGIN"),
        whole.replace("MOVE-----", "MOVE"),
        whole.replace("-----END", "END"),
    ):
        assert find_blocks(spoiled) == [Block("move", b"data")]
    far = whole.replace("-----BEGIN", "-" + " " * 9 + "BEGIN").replace("MOVE-----", "MOVE")
    assert find_blocks(far) == [Block("move", b"data")]
    assert (
        str(find_blocks(far.replace("-" + " " * 9, "-" + " " * 10))[0].why) == "the beginning of the block is missing"
    )
    behind = whole.replace("-----BEGIN", "BEGIN").replace("MOVE-----\n", "MOVE" + " " * 9 + "-\n", 1)
    assert find_blocks(behind) == [Block("move", b"data")]
    assert (
        str(find_blocks(behind.replace(" " * 9 + "-", " " * 10 + "-", 1))[0].why)
        == "the beginning of the block is missing"
    )
    assert str(find_blocks(whole.replace("BEGIN", "XBEGIN"))[0].why) == "the beginning of the block is missing"


def test_blocks_have_lines_of_a_width_and_a_check() -> None:
    lines = write_block("offer", bytes(100)).split("\n")
    code = base64.b64encode(bytes(100)).decode()
    assert lines[1:4] == [code[:64], code[64:128], code[128:]]
    assert lines[4] == "#cd00e292"
    assert (lines[0], lines[5:]) == ("-----BEGIN PBEM REFEREE OFFER-----", ["-----END PBEM REFEREE OFFER-----", ""])
    assert write_block("move", bytes(48)).count("\n") == 4


def test_a_block_has_a_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block, "LENGTH_MOST", 1000)
    begin, end = write_block("move", b"").split("\n#")
    fits = begin + "\n" * (1000 - len("-----\n#e3b0c442\n-----") + 1) + "#" + end
    assert find_blocks(fits) == [Block("move", b"")]
    assert find_blocks(fits.replace("\n", "\n\n", 1)) == [Block("move", None, t("the block is too long"))]


def test_what_is_not_a_block_is_not_taken_for_its_end() -> None:
    begin, code, check, end = write_block("move", bytes(30)).strip().split("\n")
    assert block_lines([begin, code, "", check, "pass", code]) == [0, 1, 2, 3]
    assert block_lines([begin, "A" * 19, code]) == [0]
    assert block_lines([begin, "A" * 20, "pass"]) == [0, 1]
    assert block_lines([begin, "anything", end, "pass"]) == [0, 1, 2]
    assert block_lines(["pass", end, "x"]) == [1]
    assert block_lines([begin, code, begin, code, check, end, "x"]) == [0, 1, 2, 3, 4, 5]
    assert block_lines([]) == block_lines(["BEGIN PBEM REFEREE MOVE"]) == []


def test_a_file_with_a_block_in_it_is_read_up_to_its_bound() -> None:
    text = write_block("move", b"{}").encode()
    fits = b"x" * (message.BLOCK_FILE_MOST - len(text.strip()) - 1) + b"\n" + text
    assert read_message(attached(fits)).blocks == (Block("move", b"{}"),)
    assert read_message(attached(b"x" + fits)).blocks == ()


# --- what people copy -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("- pass", "pass"), ("*  pass", "pass"), ("-pass", "-pass"), ("pass.", "pass"), ("pass !", "pass"),
        ("pass...", "pass..."), ("pass!!", "pass!!"), ('"pass"', "pass"), ("'pass'", "pass"), ("` pass `", "pass"),
        ('"pass', '"pass'), ("\"pass'", "\"pass'"), ("apassa", "apassa"), ('""', '""'), ('"a"', "a"), ('"', '"'),
        ('- "pass".', "pass"), ("", ""),
    ],
)  # fmt: skip
def test_a_line_without_what_people_put_around_it(line: str, bare: str) -> None:
    assert stripped(line) == bare


def test_words_are_folded_and_found_in_lines_of_ours() -> None:
    assert words_of("Sell\u00a0RED_one <mailto:a@b> [cid:x] #3 ﬁn") == ("sell", "red", "one", "#3", "fin")
    assert words_of("<bert@x.example> a") == ("a",)
    ours = Ours([["It is your turn", "#1 sell red", "", "pass"], ["another text"]])
    assert ours.lines == [("it", "is", "your", "turn"), ("#1", "sell", "red"), ("pass",), ("another", "text")]
    assert ours.ends == [8, 10]
    for words, tail in (
        (("turn",), True),
        (("red",), True),
        (("sell", "red"), False),
        (("pass",), False),
        (("sell",), False),
    ):
        assert ours.has_tail(words) is tail, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("abababab-1-2-" + "a" * 16, True), ("(ABABABAB-1-2-" + "A" * 16 + ")", True),
        ("abababab-999-9999-" + "7" * 16, True), ("abababab-1000-2-" + "a" * 16, False),
        ("abababab-1-10000-" + "a" * 16, False), ("abababab-1-2-" + "a" * 17, False),
        ("abababab-1-2-" + "a" * 15, False),
        ("abababab-1-2-" + "1" * 16, False), ("gbababab-1-2-" + "a" * 16, False), ("cabababab-1-2-" + "a" * 16, False),
        ("abababab\u20131\u20132\u2013" + "a" * 16, True),
    ],
)  # fmt: skip
def test_passes_have_a_form(text: str, found: bool) -> None:
    assert any(passes.passes_in([text])) is found
    assert len(list(passes.passes_in([text, text]))) == found


def test_boundaries_may_have_blanks_after_them_and_parts_may_be_empty() -> None:
    raw = b"Content-Type: multipart/mixed; boundary=x\n\n--x \t\n\none\n--x\n--xy\n\ntwo\n--x--\r\nepilogue\n"
    assert [text for text in texts(read_message(raw)) if text] == ["one", "--xy", "two"]


def test_signed_papers_are_each_taken_once_up_to_a_number() -> None:
    moves = [b'{"body":{"round":%d},"type":"pbem-referee/1/move"}' % number for number in range(signed.PAPERS_MOST + 1)]
    word = b'{"body":{},"type":"pbem-referee/1/word"}'
    view = b'{"format":"pbem-referee/1/view"}'
    found = signed.signed_documents(read_message(attached(view, moves[0], moves[0], word)))
    assert [(paper.kind, paper.data) for paper in found] == [("move", moves[0]), ("word", word)]
    many = "".join(write_block("move", move) for move in moves)
    letter = read_message(b"From: a@x.example\n\n" + many.encode())
    assert [paper.data for paper in signed.signed_documents(letter)] == moves[: signed.PAPERS_MOST]
    assert not signed.block_damage(letter)
    broken = read_message(b"From: a@x.example\n\n" + write_block("move", moves[0]).replace("#", "").encode())
    assert str(signed.block_damage(broken)).startswith("the last line of the block is missing")
    other = read_message(b"From: a@x.example\n\n" + write_block("view", view).replace("#", "").encode())
    assert not signed.block_damage(other)


def test_dashes_and_blanks_of_every_kind_are_plain() -> None:
    dashes = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u2e3a\u2e3b"
    blanks = "\u00a0\u1680\u2000\u2005\u200a\u202f\u205f\u3000"
    nothing = "\u00ad\u061c\u200b\u200c\u200f\u202a\u202e\u2060\u2064\ufeff"
    assert dashes.translate(block.PLAIN) == "-" * len(dashes)
    assert blanks.translate(block.PLAIN) == " " * len(blanks)
    assert nothing.translate(block.PLAIN) == ""
    others = "\u00a1\u00ac\u00ae\u061b\u1681\u1fff\u2016\u2065\u2e3c\u3001a_="
    assert others.translate(block.PLAIN) == others
