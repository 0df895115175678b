"""How mail programs write an answer: quoting, attribution, HTML, signatures, character sets, transfer encodings."""

import base64
import quopri
import re
from collections.abc import Callable, Sequence
from email import policy
from email.parser import BytesParser
from html import escape
from pathlib import Path
from textwrap import wrap

import msgspec

from referee.mail.lines import html_lines

HOST = "Anna Host"
ADDRESS = "host+28a75c12-2-61-k7f3q9abcdefghij@games.example"

_ANCHOR = re.compile(r'<a href="mailto:([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
_IMAGE = re.compile(r'<img [^>]*alt="([^"]*)">', re.DOTALL)
_ROW = re.compile(r'(?<=\n)(?=<tr><td style="padding)')


class Sent(msgspec.Struct, frozen=True):
    """A mail of ours that is answered, and the line below which people write."""

    subject: str
    text: str
    html: str
    question: str

    @property
    def lines(self) -> list[str]:
        return self.text.rstrip("\n").split("\n")

    @property
    def pages(self) -> tuple[str, str]:
        """The HTML in two: a program that lets somebody write in the middle closes all tables and opens them again."""
        body = self.html.partition("<body")[2].partition(">")[2].rpartition("</body>")[0]
        begin, *rows = _ROW.split(body)
        last = rows.pop().partition("</table>\n</td></tr></table>")
        rows, end = [*rows, last[0]], last[1]
        at = next(at for at, row in enumerate(rows) if escape(self.question) in row) + 1
        return begin + "".join(rows[:at]) + end, begin + "".join(rows[at:]) + end

    @property
    def gmail(self) -> list[str]:
        """The HTML as the text that Gmail makes of it."""
        html = _ANCHOR.sub(lambda found: f"{found[2]} &lt;{found[1]}&gt;", self.html)
        html = _IMAGE.sub(lambda found: f"<p>[image: {found[1]}]</p>", html)
        return [part for line in html_lines(html) for part in wrap(line.text, 76, break_long_words=False) or [""]]


def sent_by(mail: bytes, question: str) -> Sent:
    """What a mail of ours says."""
    read = BytesParser(policy=policy.default).parsebytes(mail)
    text, html = (read.get_body((kind,)).get_content() for kind in ("plain", "html"))  # type: ignore[union-attr]
    return Sent(str(read["Subject"]), text.replace("\r\n", "\n"), html.replace("\r\n", "\n"), question)


SENT_MAIL = Path(__file__).with_name("sent.eml").read_bytes()
SENT = sent_by(SENT_MAIL, "What do you do? (turn)")
"""A turn of Schwarzer Freitag, written by `make_corpus.py`."""
TEXT, HTML, SUBJECT, QUESTION = SENT.text.rstrip("\n"), SENT.html, SENT.subject, SENT.question
MOVES = tuple(" ".join(line.split()) for line in SENT.lines if re.match(r" +#\d+  pass ", line))
"""The lines of the list that are single moves."""


class Reply(msgspec.Struct, frozen=True):
    """An answer on its way to becoming a mail."""

    text: str | None = None
    html: str | None = None
    charset: str = "utf-8"
    encoding: str = "quoted-printable"
    params: str = ""
    headers: tuple[str, ...] = ()
    files: tuple[tuple[str, str, bytes], ...] = ()
    """Name, type and content of attachments."""
    subject: str = f"Re: {SUBJECT}"


class Tongue(msgspec.Struct, frozen=True):
    """What programs say in one language."""

    labels: tuple[str, str, str, str]
    date: str
    gmail: str
    apple: str
    thunderbird: str
    divider: str
    phone: str
    hello: str
    bye: str


TONGUES = {
    "en": Tongue(
        ("From", "Sent", "To", "Subject"),
        "Sunday, January 3, 2027 10:00 AM",
        f"On Sun, Jan 3, 2027 at 10:00\u202fAM {HOST} <{ADDRESS}> wrote:",
        f"On 3 Jan 2027, at 10:00, {HOST} <{ADDRESS}> wrote:",
        f"On 03/01/2027 10:00, {HOST} wrote:",
        "-----Original Message-----",
        "Sent from my iPhone",
        "Hi Anna,",
        "Thanks!",
    ),
    "de": Tongue(
        ("Von", "Gesendet", "An", "Betreff"),
        "Sonntag, 3. Januar 2027 10:00",
        f"Am So., 3. Jan. 2027 um 10:00 Uhr schrieb {HOST} <{ADDRESS}>:",
        f"Am 03.01.2027 um 10:00 schrieb {HOST} <{ADDRESS}>:",
        f"Am 03.01.27 um 10:00 schrieb {HOST}:",
        "-----Ursprüngliche Nachricht-----",
        "Von meinem iPhone gesendet",
        "Hallo Anna,",
        "Viele Grüße, Bert",
    ),
    "nl": Tongue(
        ("Van", "Verzonden", "Aan", "Onderwerp"),
        "zondag 3 januari 2027 10:00",
        f"Op zo 3 jan 2027 om 10:00 schreef {HOST} <{ADDRESS}>:",
        f"Op 3 jan. 2027, om 10:00 heeft {HOST} <{ADDRESS}> het volgende geschreven:",
        f"Op 03-01-2027 om 10:00 schreef {HOST}:",
        "-----Oorspronkelijk bericht-----",
        "Verstuurd vanaf mijn iPhone",
        "Hoi Anna,",
        "Groetjes, Bert",
    ),
}


def quoted(lines: Sequence[str], mark: str = "> ") -> list[str]:
    """Lines with a mark before each."""
    return [(mark + line).rstrip() if line else mark.rstrip() for line in lines]


def placed(answer: str, head: Sequence[str], quote: Sequence[str], where: str, question: str = QUESTION) -> str:
    """The answer above the quotation, below it, or under the question in it."""
    lines = answer.split("\n")
    if where == "top":
        return "\n".join((*lines, "", *head, *quote, ""))
    if where == "bottom":
        return "\n".join((*head, *quote, "", *lines, ""))
    cut = next(at for at, line in enumerate(quote) if question in line) + 1
    return "\n".join((*head, *quote[:cut], "", *lines, "", *quote[cut:], ""))


def paragraphs(answer: str, tag: str = "div", attributes: str = "") -> str:
    return "".join(f"<{tag}{attributes}>{escape(line) or '<br>'}</{tag}>" for line in answer.split("\n"))


def placed_html(answer: str, head: str, where: str, begin: str, end: str, sent: Sent) -> str:
    """The same in HTML; an answer in the middle ends the quotation and starts a new one."""
    first, rest = sent.pages
    if where == "top":
        return answer + head + begin + sent.html + end
    if where == "bottom":
        return head + begin + sent.html + end + answer
    return head + begin + first + end + answer + begin + rest + end


# --- the programs -----------------------------------------------------------------------------------------------------


def gmail(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    head = tongue.gmail
    cut = head.rfind(" ", 0, 70)
    html = placed_html(
        f'<div dir="ltr">{paragraphs(answer)}</div>',
        '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f"{escape(head)}<br></div></div>",
        where,
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204)">',
        "</blockquote>",
        sent,
    )
    text = placed(answer, (head[:cut], head[cut + 1 :], ""), quoted(sent.gmail), where, sent.question)
    return Reply(text, html)


def outlook(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    """On the desktop: HTML of Word, nothing is marked."""
    sender, when, to, subject = tongue.labels
    head = (
        "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>"
        f"<b>{sender}:</b> {HOST} &lt;{ADDRESS}&gt; <br><b>{when}:</b> {tongue.date}<br>"
        f"<b>{to}:</b> Bert &lt;bert@example.org&gt;<br><b>{subject}:</b> {escape(sent.subject)}<o:p></o:p></p></div>"
    )
    own = paragraphs(answer, "p", " class=MsoNormal").replace("</p>", "<o:p></o:p></p>")
    body = placed_html(own, head, where, "<div>", "</div>", sent)
    html = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>'
        '<meta name=Generator content="Microsoft Word 15">'
        "<style><!-- p.MsoNormal {margin:0cm} --></style><!--[if gte mso 9]><xml>x</xml><![endif]--></head>"
        f'<body lang=DE link="#0563C1"><div class=WordSection1>{body}</div></body></html>'
    )
    return Reply(None, html, "Windows-1252")


def outlook_plain(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    sender, when, to, subject = tongue.labels
    head = (
        tongue.divider, f"{sender}: {HOST} <{ADDRESS}> ", f"{when}: {tongue.date}", f"{to}: Bert <bert@example.org>",
        f"{subject}: {sent.subject}", "",
    )  # fmt: skip
    return Reply(placed(answer, head, sent.lines, where, sent.question), None, "iso-8859-1")


def outlook_web(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    sender, when, to, subject = tongue.labels
    head = (
        "________________________________", f"{sender}: {HOST} <{ADDRESS}>", f"{when}: {tongue.date}",
        f"{to}: Bert <bert@example.org>", f"{subject}: {sent.subject}", "",
    )  # fmt: skip
    lines = "<br>".join(escape(line) for line in head[1:5])
    html = placed_html(
        paragraphs(answer, attributes=' class="elementToProof"'),
        f'<hr tabindex="-1" style="display:inline-block; width:98%"><div id="divRplyFwdMsg"><font>{lines}</font></div>',
        where,
        "<div>",
        "</div>",
        sent,
    )
    return Reply(placed(answer, head, sent.lines, where, sent.question), html, encoding="base64")


def apple(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    return Reply(placed(answer, (tongue.apple, ""), quoted(sent.lines), where, sent.question), None)


def iphone(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    """The attribution is in its own quotation."""
    head = f'<div dir="ltr"><br><blockquote type="cite">{escape(tongue.apple)}<br><br></blockquote></div>'
    own = paragraphs(answer) + f'<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{tongue.phone}</div>'
    begin = '<blockquote type="cite"><div dir="ltr">'
    return Reply(None, placed_html(own, head, where, begin, "</div></blockquote>", sent))


def thunderbird(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    text = placed(answer, (tongue.thunderbird,), quoted(sent.lines, ">"), where, sent.question)
    text = text.replace("\n>  ", "\n>   ")
    return Reply(text, None, encoding="8bit", params="; format=flowed")


def thunderbird_html(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    head = f'<div class="moz-cite-prefix">{escape(tongue.thunderbird)}<br></div>'
    begin = '<blockquote type="cite" cite="mid:r12@games.example">'
    html = placed_html(
        f"<p>{'<br>'.join(escape(answer).split(chr(10)))}</p>", head, where, begin, "</blockquote>", sent
    )
    return Reply(None, f"<!DOCTYPE html><html><head><meta http-equiv='Content-Type'></head><body>{html}</body></html>")


def k9(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    text = placed(answer, (tongue.gmail,), quoted(sent.lines, ">"), where, sent.question)
    return Reply(text, None, encoding="8bit")


def gmx(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    """The labels are inside the quotation, which is a plain `div`."""
    sender, when, to, subject = tongue.labels
    head = (
        f"<div><b>{when}:</b>&nbsp;{tongue.date} Uhr<br/>"
        f"<b>{sender}:</b>&nbsp;&quot;{HOST}&quot; &lt;{ADDRESS}&gt;<br/>"
        f"<b>{to}:</b>&nbsp;bert@gmx.example<br/><b>{subject}:</b>&nbsp;{escape(sent.subject)}</div>"
    )
    begin = (
        '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">'
    )
    body = placed_html(
        paragraphs(answer) + "<div>&nbsp;</div>", begin + head, where, "<div name='quoted-content'>", "</div>", sent
    )
    return Reply(
        None,
        f"<html><head></head><body><div style='font-family: Verdana;font-size: 12.0px;'>{body}</div></body></html>",
    )


def yahoo(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    """The text quotes without marks."""
    lines = [f" {line}" for line in sent.lines]
    text = placed(answer, (f"    {tongue.gmail}  ", " "), lines, where, sent.question)
    head = f'<div class="yahoo_quoted"><div>{escape(tongue.gmail)}</div><div><br></div></div>'
    return Reply(text, placed_html(paragraphs(answer), head, where, "<div>", "</div>", sent))


def mutt(answer: str, tongue: Tongue, where: str, sent: Sent = SENT) -> Reply:
    head = (
        f"On Sun, Jan 03, 2027 at 10:00:00AM +0000, {HOST} wrote:" if tongue.hello == "Hi Anna," else tongue.thunderbird
    )
    text = placed(answer, (head,), quoted(sent.lines), where, sent.question)
    return Reply(text + "\n-- \nBert   (fingerprint 1234 ABCD)\nbuy cheap\n", None, encoding="8bit")


PROGRAMS: dict[str, Callable[..., Reply]] = {
    "gmail": gmail, "outlook": outlook, "outlook-plain": outlook_plain, "outlook-web": outlook_web, "apple": apple,
    "iphone": iphone, "thunderbird": thunderbird, "thunderbird-html": thunderbird_html, "k9": k9, "gmx": gmx,
    "yahoo": yahoo, "mutt": mutt,
}  # fmt: skip


# --- the mail ---------------------------------------------------------------------------------------------------------


def packed(data: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        return base64.encodebytes(data)
    return quopri.encodestring(data) if encoding == "quoted-printable" else data


def part(kind: str, reply: Reply, text: str) -> bytes:
    head = (
        f"Content-Type: {kind}; charset={reply.charset}{reply.params if kind == 'text/plain' else ''}\n"
        f"Content-Transfer-Encoding: {reply.encoding}\n\n"
    )
    return head.encode() + packed(text.encode(reply.charset, "replace"), reply.encoding)


def multipart(kind: str, parts: Sequence[bytes], boundary: str) -> bytes:
    sign = f"--{boundary}\n".encode()
    body = b"".join(sign + one + b"\n" for one in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n'.encode() + body + f"--{boundary}--\n".encode()


def mail(reply: Reply) -> bytes:
    """The whole mail as bytes."""
    texts = [part("text/plain", reply, reply.text)] if reply.text is not None else []
    texts += [part("text/html", reply, reply.html)] if reply.html is not None else []
    body = texts[0] if len(texts) == 1 else multipart("alternative", texts, "=_alt_7d3")
    if reply.files:
        files = [
            f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"\n'
            f"Content-Transfer-Encoding: base64\n\n".encode()
            + base64.encodebytes(data)
            for name, kind, data in reply.files
        ]
        body = multipart("mixed", (body, *files), "=_mix_4c1")
    own = {header.split(":")[0] for header in reply.headers}
    usual = (
        "From: Bert <bert@example.org>", f"To: {HOST} <{ADDRESS}>", f"Subject: {reply.subject}",
        "Date: Sun, 3 Jan 2027 11:00:00 +0100", "Message-ID: <a1@example.org>", "In-Reply-To: <r12@games.example>",
        "References: <r11@games.example> <r12@games.example>", "MIME-Version: 1.0",
    )  # fmt: skip
    headers = (*reply.headers, *(one for one in usual if one.split(":")[0] not in own))
    return "\n".join(headers).encode() + b"\n" + body
