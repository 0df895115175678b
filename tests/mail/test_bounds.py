"""Limits of what is read from mails, each at its bound; days and words at theirs; and what the host is told about a
table in every state."""

import base64
from datetime import UTC, date, datetime, timedelta

import pytest

from referee.errors import Usage
from referee.mail import deadlines, frame, headers, message, passes, words
from referee.mail.message import Letter, read_message
from referee.mail.passes import kept_key
from referee.mail.reply import written
from referee.mail.timing import moment
from referee.mail.words import read_day
from tests.cli.world import key
from tests.independent.wire import derive

HEAD = b"From: bert@example.org\n"
TODAY = date(2026, 11, 20)


def texts(letter: Letter) -> list[str]:
    return [line.text for line in letter.lines]


def attached(*files: bytes) -> bytes:
    """A mail with these files, each as bytes after a line for the text."""
    parts = [b"Content-Type: text/plain\n\npass\n"]
    head = b"Content-Type: application/json\nContent-Disposition: attachment; filename=a.json\n\n"
    parts += [head + data for data in files]
    kind = b"Content-Type: multipart/mixed; boundary=x\n\n"
    return HEAD + kind + b"".join(b"--x\n" + part + b"\n" for part in parts) + b"--x--\n"


# --- what is read of a mail -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("over", [False, True])
def test_a_text_is_read_up_to_its_bound(over: bool) -> None:
    body = b"x" * 999 + b"\n"
    text = body * (message.TEXT_MOST // 1000) + b"y" * over
    letter = read_message(HEAD + b"\n" + text)
    assert letter.whole is not over
    assert tuple(map(str, letter.troubles)) == ("the text is too long; only its beginning is read",) * over
    assert sum(line == "x" * 999 for line in texts(letter)) == 1000
    assert not any("y" in line for line in texts(letter))


@pytest.mark.parametrize("over", [False, True])
def test_lines_are_read_up_to_their_bound(over: bool) -> None:
    text = b"\n".join(b"%d" % number for number in range(message.LINES_MOST + over))
    letter = read_message(HEAD + b"\n" + text)
    assert len(letter.lines) == message.LINES_MOST
    assert texts(letter)[-1] == str(message.LINES_MOST - 1)
    assert letter.whole is not over
    assert tuple(map(str, letter.troubles)) == ("the text has too many lines; only the first are read",) * over


@pytest.mark.parametrize("over", [False, True])
def test_a_document_is_read_up_to_its_bound(over: bool) -> None:
    data = b"{" + b" " * (message.ATTACHMENT_MOST - 2 + over) + b"}"
    letter = read_message(attached(data))
    assert [one.data for one in letter.attachments] == [data] * (not over)
    assert tuple(map(str, letter.troubles)) == ("an attachment is too large and was not read",) * over
    assert texts(letter)[0] == "pass"
    assert letter.whole, "the text is all there"


def test_documents_together_have_a_bound() -> None:
    """Each is small enough; what comes after too many bytes is not read, what is small still is."""
    large = b"{" + b" " * (message.ATTACHMENT_MOST - 200) + b"}"
    letter = read_message(attached(large, large, large, b"{}"))
    assert [len(one.data) for one in letter.attachments] == [len(large), len(large), 2]
    assert tuple(map(str, letter.troubles)) == ("an attachment is too large and was not read",)


@pytest.mark.parametrize("over", [False, True])
def test_documents_have_a_number(over: bool) -> None:
    files = [b'{"number":%d}' % number for number in range(message.ATTACHMENTS_MOST + over)]
    letter = read_message(attached(*files))
    assert [one.data for one in letter.attachments] == files[: message.ATTACHMENTS_MOST]
    assert tuple(map(str, letter.troubles)) == ("there are too many attachments; only the first are read",) * over


def test_an_archive_and_a_winmail_are_reported() -> None:
    letter = read_message(attached(b"PK\x03\x04rest"))
    assert (tuple(map(str, letter.troubles)), letter.attachments) == (
        ("archives are not read; send the file itself",),
        (),
    )
    letter = read_message(attached(b"nothing").replace(b"a.json", b"WINMAIL.dat"))
    (told,) = letter.troubles
    assert str(told).startswith("Outlook packed a part of the mail into winmail.dat")
    assert letter.sealed == told


@pytest.mark.parametrize("over", [False, True])
def test_headers_without_an_end_hide_the_rest(over: bool) -> None:
    filler = b"X-Long: " + b"a" * (message.HEAD_MOST - len(HEAD) - 8 - 3 + 2 * over)
    letter = read_message(HEAD + filler + b"\n\n" + b"pass\n")
    assert letter.headers.sender == "bert@example.org"
    assert tuple(map(str, letter.troubles)) == ("the headers never end; the rest is not read",) * over
    assert ("pass" in texts(letter)) is not over
    assert letter.whole is not over


def nested(depth: int) -> bytes:
    raw = b"Content-Type: text/plain\n\npass\n"
    for number in range(depth):
        sign = b"--b%d" % number
        kind = b"Content-Type: multipart/mixed; boundary=" + sign[2:] + b"\n\n"
        raw = kind + sign + b"\n" + raw + b"\n" + sign + b"--\n"
    return HEAD + raw


@pytest.mark.parametrize("over", [False, True])
def test_parts_within_parts_are_read_up_to_their_bound(over: bool) -> None:
    letter = read_message(nested(message.DEPTH_MOST - 1 + over))
    assert ("pass" in texts(letter)) is not over
    told = "the mail has too many nested parts; not all of them are read"
    assert tuple(map(str, letter.troubles)) == (told,) * over
    assert letter.whole is not over


def test_too_many_parts_are_not_read() -> None:
    part = b"--x\nContent-Type: text/plain\n\npass\n"
    kind = HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n"
    few = read_message(kind + part * 200 + b"--x--\n")
    assert (sum(line == "pass" for line in texts(few)), few.whole) == (200, True)
    many = read_message(kind + part * 400 + b"--x--\n")
    assert not many.whole
    assert any("too many parts" in str(told) for told in many.troubles)
    assert sum(line == "pass" for line in texts(many)) <= message.PARTS_MOST


def test_a_mail_is_read_up_to_its_bound() -> None:
    """What comes after the bound is not even searched."""
    kind = HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\npass\n--x\n"
    file = b"Content-Type: application/zip\n\n"
    filler = b"a" * (message.MESSAGE_MOST - len(kind) - len(file) - 1) + b"\n"
    tail = b"--x\nContent-Type: text/plain\n\nbuy red\n--x--\n"
    letter = read_message(kind + file + filler + tail)
    assert "the mail is too large; only its beginning is read" in map(str, letter.troubles)
    assert "buy red" not in texts(letter)
    assert texts(letter)[0] == "pass"
    assert not letter.whole
    fits = read_message(kind + file + filler[len(tail) :] + tail)
    assert "buy red" in texts(fits)
    assert fits.whole


def test_the_line_of_a_mailbox_before_the_headers_is_left_out() -> None:
    letter = read_message(b"From bert@example.org Fri Nov 20 08:00:00 2026\n" + HEAD + b"\npass\n")
    assert letter.headers.sender == "bert@example.org"
    assert texts(letter)[0] == "pass"


def test_long_parameters_are_cut_and_the_rest_is_read() -> None:
    kind = b'Content-Type: text/plain; charset="utf-8"; x="' + b"a" * 3000 + b'"; format=flowed\n\n'
    letter = read_message(HEAD + kind + b"pass \ngreen\n")
    assert texts(letter)[:2] == ["pass ", "green"], "what stands behind the cut says nothing"
    short = read_message(HEAD + kind.replace(b"a" * 3000, b"a" * 100) + b"pass \ngreen\n")
    assert texts(short)[0] == "pass green"


def test_recipients_and_references_have_a_number() -> None:
    many = ", ".join(f"p{number}@x.example" for number in range(headers.RECIPIENTS_MOST + 5))
    ids = " ".join(f"<{number}@x>" for number in range(headers.REFERENCES_MOST + 5))
    envelope = read_message(f"To: {many}\nReferences: {ids}\nReply-To: A <b@x.example>\n\n".encode()).headers
    assert envelope.recipients == tuple(f"p{number}@x.example" for number in range(headers.RECIPIENTS_MOST))
    assert envelope.references == tuple(f"<{number}@x>" for number in range(5, headers.REFERENCES_MOST + 5))
    assert envelope.reply_to == "b@x.example"


def test_passes_are_found_up_to_a_number() -> None:
    one = passes.make_pass(key("Hanna"), "ab" * 32, 3, 14)
    secret = derive(key("Hanna").seed, "pass", b"\xab" * 32, 3, 14)
    code = base64.b32encode(secret[:10]).decode().lower()
    assert (one.table, one.seat, one.round, one.code) == ("abababab", 3, 14, code), (
        "mails that are on their way keep theirs"
    )
    assert passes.is_true(one, key("Hanna"), "ab" * 32)
    assert not passes.is_true(one, key("Anna"), "ab" * 32)
    assert not passes.is_true(passes.Pass(one.table, 3, 15, one.code), key("Hanna"), "ab" * 32)
    lines = b"\n".join(b"abababab-1-%d-%s" % (number, b"a" * 16) for number in range(passes.FOUND_MOST + 3))
    found = passes.found_in(read_message(HEAD + b"Subject: " + str(one).encode() + b"\n\n" + lines + b"\n"))
    assert found[0] == one
    assert [each.round for each in found[1:]] == list(range(passes.FOUND_MOST - 1))
    assert any(passes.passes_in([f"see {str(one).upper()}."]))
    assert not any(passes.passes_in([f"x{one}"]))


# --- days and words ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2027-01-05", ["2027-01-05"]), ("2027-1-5", ["2027-01-05"]), ("5.1.2027", ["2027-01-05"]),
        ("5. 1. 27", ["2027-01-05"]), ("5.1.", ["2027-01-05"]), ("20.11.", ["2026-11-20"]), ("19.11.", ["2027-11-19"]),
        ("5-1-2027", ["2027-01-05"]), ("5/1/2027", ["2027-01-05"]), ("5-1/2027", []), ("5/1/27", []),
        ("5. Januar", ["2027-01-05"]), ("5 jan. 2027", ["2027-01-05"]), ("5 jänner 2027", ["2027-01-05"]),
        ("January 5, 2027", ["2027-01-05"]), ("Mrt 5", ["2027-03-05"]), ("24 december", ["2026-12-24"]),
        ("31.2.2027", []), ("0.1.2027", []), ("5 foo 2027", []), ("soon", []), ("2025-01-05", ["2025-01-05"]),
    ],
)  # fmt: skip
def test_days_as_people_type_them(text: str, days: list[str]) -> None:
    assert [day.isoformat() for day in read_day(text, TODAY)] == days


@pytest.mark.parametrize(
    ("text", "days"),
    [("5/1/2027", ["2027-01-05", "2027-05-01"]), ("5/5/2027", ["2027-05-05"]), ("5/13/2027", ["2027-05-13"])],
)
def test_days_after_english_words_can_mean_two(text: str, days: list[str]) -> None:
    assert [day.isoformat() for day in read_day(text, TODAY, either=True)] == days


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("away until 2026-11-20", words.Away(TODAY)),
        (f"away until {TODAY + timedelta(days=120)}", words.Away(TODAY + timedelta(days=120))),
        ("abwesend bis zum 5.1.2027", words.Away(date(2027, 1, 5))),
        ("afwezig t/m 5-1-2027", words.Away(date(2027, 1, 5))),
        ("BACK", words.Back()), ("bin zurück", words.Back()), ("back again", None),
        ("zone: europe/berlin", words.Zone("Europe/Berlin")), ("zone america/new york", words.Zone("America/New_York")),
        ("language German", words.Language("de")), ("taal Hollands", words.Language("nl")),
        ("Sprache: englisch", words.Language("en")), ("auf Deutsch", words.Language("de")), ("de", None),
        ("address new@example.org", words.Address("new@example.org")),
        ("resign", words.Resign()), ("resign for good", words.Resign(True)),
        ("aussteigen endgültig", words.Resign(True)),
        ("resign now", None), ("sell red", None),
    ],
)  # fmt: skip
def test_what_players_say_about_themselves(line: str, said: object) -> None:
    assert words.about_player(line, TODAY) == said


@pytest.mark.parametrize(
    ("line", "why", "advice"),
    [
        ("away until 5/1/2027", "this can mean two different days", "write the month as a word"),
        ("away until 2026-11-19", "this is not a day within the next 120", "away until 2027-01-05"),
        (f"away until {TODAY + timedelta(days=121)}", "this is not a day within the next 120", "write the last day"),
        ("away until easter", "this does not say until when", "write the last day, as `away until 2027-01-05`"),
        ("away", "this does not say until when", "write the last day"),
        ("zone Europe/Berlim", "there is no such time zone", "write for example `zone Europe/Berlin`"),
        ("language French", "I cannot write in this language yet", "write `language English`"),
        ("address bert at example.org", "this is not a valid email address", "write `address new@example.org`"),
    ],
)
def test_words_that_are_spelled_wrongly_are_refused(line: str, why: str, advice: str) -> None:
    with pytest.raises(Usage) as caught:
        words.about_player(line, TODAY)
    assert str(caught.value.message).startswith(why)
    assert advice in str(caught.value.next)
    assert caught.value.code == "bad-words"


def test_answers_to_an_invitation() -> None:
    assert words.invitation_answer('join as "Bert".') == words.JoinAs("Bert")
    assert words.invitation_answer("Ich spiele mit als Ute") == words.JoinAs("Ute")
    assert words.invitation_answer("no, thanks") == words.No()
    assert words.invitation_answer("no way") is None
    assert words.invitation_answer("join as") is None
    longest = "a" * words.NAME_MOST
    assert words.invitation_answer(f"join as {longest}") == words.JoinAs(longest)
    assert words.invitation_answer(f"join as {longest}a") is None


@pytest.mark.parametrize(
    ("line", "left", "sure"),
    [
        ("ok", "", ""), ("yes", "", None), ("Ja", "", None),
        ("agreed; never sell red", "never sell red", "never sell red"),
        ("never sell red", None, None), ("ok; ok", "", ""), ("a; okay; b", "a; b", "a; b"), ("ok then", None, None),
    ],
)  # fmt: skip
def test_confirmations(line: str, left: str | None, sure: str | None) -> None:
    assert words.without_ok(line) == left
    assert words.without_ok(line, sure=True) == sure


# --- deadlines --------------------------------------------------------------------------------------------------------


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_an_absence_lasts_from_midnight_to_midnight_where_the_player_is() -> None:
    away = (("2026-12-24", "2026-12-26"),)
    end = at("2026-12-26T23:00")
    for moment_, found in (
        ("2026-12-23T22:59", None), ("2026-12-23T23:00", end), ("2026-12-26T22:59", end), ("2026-12-26T23:00", None),
    ):  # fmt: skip
        assert deadlines.away_until(away, "Europe/Berlin", at(moment_)) == found
    days = (date(2026, 12, 20), date(2026, 12, 25))
    assert deadlines.days_away(away, *days) == 2
    assert deadlines.days_away((*away, ("2026-12-25", "2026-12-31")), days[0], date(2027, 1, 5)) == 8
    assert deadlines.days_away((), *days) == 0


def test_times_of_a_seat() -> None:
    due = at("2026-12-24T18:00")
    plain_ = deadlines.times(due, 3 * 1440, 720, (), "UTC")
    assert plain_ == deadlines.Times(at("2026-12-23T18:00"), due, at("2026-12-25T06:00"))
    short = deadlines.times(due, 180, 0, (), "UTC")
    assert short == deadlines.Times(at("2026-12-24T17:00"), due, due), "a third of the time, if that is less than a day"
    gone = deadlines.times(due, 1440, 60, (("2026-12-24", "2026-12-24"),), "UTC")
    assert gone == deadlines.Times(at("2026-12-25T16:00"), at("2026-12-26T00:00"), at("2026-12-26T01:00"))
    assert deadlines.new_due(due, 60, [((), "UTC"), ((("2026-12-24", "2026-12-25"),), "UTC")]) == "2026-12-26T01:00Z"
    assert deadlines.new_due(due + timedelta(seconds=1), 60, [((), "UTC")]) == "2026-12-24T19:01Z"


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("UTC", "Mon 23 Nov 2026, 23:30 UTC"), ("nowhere", "Mon 23 Nov 2026, 23:30 UTC"),
        ("Europe/Berlin", "Mon 23 Nov 2026, 23:30 UTC (Tue 00:30 in Berlin)"),
        ("America/New_York", "Mon 23 Nov 2026, 23:30 UTC (18:30 in New York)"),
    ],
)  # fmt: skip
def test_a_time_in_the_zone_of_its_reader(zone: str, told: str) -> None:
    assert moment("2026-11-23T23:30Z", zone) == told


# --- what mail programs write around it -------------------------------------------------------------------------------


def test_headers_of_a_quoted_mail_are_three_labels_within_eight_lines() -> None:
    head = ["From: a@x.example", "Sent: today", "To: b"]
    assert frame.quote_head(head, 0) == 3
    assert frame.quote_head(head[:2], 0) == 0
    assert frame.quote_head(["From: a", "", "", "", "", "", "Sent: x", "To: b"], 0) == 8
    assert frame.quote_head(["From: a", "", "", "", "", "", "", "Sent: x", "To: b"], 0) == 0
    wrapped = [*head, "Subject: a long one", "goes on", "", "text"]
    assert frame.quote_head(wrapped, 0) == 5
    assert frame.quote_head([*head, "more", "and more", "and more", ""], 0) == 3


def test_an_attribution_is_a_paragraph_of_five_lines_at_most() -> None:
    five = ["On Fri, 20 Nov 2026", "Anna", "of Berlin", "in Germany", "wrote:"]
    assert frame.quote_head(five, 0) == 5
    assert frame.quote_head([*five[:4], "and so on", "wrote:"], 0) == 0
    assert frame.quote_head(["On Fri, 20 Nov 2026", "", "wrote:"], 0) == 0
    assert frame.quote_head(["Anna", "wrote on 20 Nov:"], 0) == 0, "an answer may stand right above it"
    long = "On 20 Nov Anna wrote " + "x" * (frame.LONG - 22) + ":"
    assert (len(long), frame.quote_head([long], 0)) == (frame.LONG, 1)
    assert frame.quote_head([long[:-1] + "x:"], 0) == 0


def test_a_footer_of_a_list_stands_under_a_rule() -> None:
    rule = "_" * 10
    for gap, found in ((0, True), (4, True), (5, False)):
        assert frame.list_footer([rule, *[""] * gap, "to unsubscribe, write"], 0) is found
    assert not frame.list_footer(["_" * 9, "to unsubscribe"], 0)
    assert not frame.list_footer([rule, "goodbye"], 0)
    for room, found in ((frame.LONG - 1, True), (frame.LONG, False)):
        assert frame.list_footer([rule, "x" * room + "@"], 0) is found


def test_a_marker_and_a_forward_are_short_lines() -> None:
    marker = "##- please -##"
    for size, found in ((frame.LONG - 1, True), (frame.LONG, False)):
        assert frame.is_marker(marker.ljust(size)) is found
        assert frame.is_forward("forwarded message".ljust(size)) is found
    assert not frame.is_marker("## please ##")
    assert frame.is_signature("--")
    assert frame.is_signature("-- ")
    assert not frame.is_signature("---")
    assert frame.is_footer(" Sent from my phone ")
    assert not frame.is_footer("sent a letter")
    for line in ("Hi Anna,", "thanks a lot!", "Viele Grüße, Bert", "best, Bert", "LG"):
        assert frame.is_courtesy(line), line
    for line in ("best offer 3", "hello world of mine is green", "pass"):
        assert not frame.is_courtesy(line), line


@pytest.mark.parametrize("gap", ["", "\n"])
def test_lines_of_ours_right_above_the_quotation_are_the_players(gap: str) -> None:
    ours = ["It is your turn", "pass green", "pass red", "roll"]
    quoted = "".join(f"> {line}\n" for line in ours)
    found = written(read_message(HEAD + f"\npass green\npass red\n{gap}{quoted}".encode()), ours)
    assert (found.lines, found.sure) == (("pass green", "pass red"), True)


def test_a_kept_key_is_always_the_same() -> None:
    """Nothing else of it is kept: an office that derived another one could no longer answer for anybody."""
    host, offer = key("Hanna"), "cd" * 32
    for number in (1, 2):
        made = kept_key(host, offer, number)
        assert made.seed == derive(host.seed, "kept", b"\xcd" * 32, number)
