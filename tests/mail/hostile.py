"""Malicious mails, and a reader that has 2 seconds and 128 MiB for each of them.

A server, so that each costs a fork and not the start of Python: one name per line on standard input, one line with what
a child of its own read of that mail back, empty if it died.
"""

import json
import os
import resource
import sys
from collections.abc import Callable

from referee.mail.compose import sent_texts
from referee.mail.message import read_message
from referee.mail.reply import orders, written
from tests.mail.programs import SENT_MAIL, TEXT, quoted

MIB = 1 << 20
HEAD = b"From: Eve <eve@example.org>\r\n"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
CODE = b"--x\nContent-Type: application/json\nContent-Transfer-Encoding: base64\n\n"


def html(piece: bytes) -> Callable[[], bytes]:
    return lambda: HEAD + b"Content-Type: text/html\r\n\r\n" + piece * (2 * MIB // len(piece))


def text(piece: bytes, size: int = 50 * MIB) -> Callable[[], bytes]:
    return lambda: HEAD + b"\r\n" + piece * (size // len(piece))


def nested() -> bytes:
    levels = (b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(10_000))
    return HEAD + b"".join(levels) + b"\r\npass green"


MAILS: dict[str, Callable[[], bytes]] = {
    "nested": nested,
    "nested-same": lambda: HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" * 10_000,
    "nested-mails": lambda: HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 10_000,
    "many-parts": lambda: MIXED + b"--x\n\npass\n" * 5_000_000,
    "long-from": lambda: b"From: " + b"a" * 80_000 + b" <eve@example.org>\r\n\r\npass green",
    "brackets-from": lambda: b"From: " + b"(" * 80_000 + b"\r\n\r\npass green",
    "words-from": lambda: b"From: " + b"=?utf-8?q?a?= " * 5_700 + b"<eve@example.org>\r\n\r\npass green",
    "parameters": lambda: HEAD + b"Content-Type: text/plain; " + b'a=";' * 20_000 + b"\r\n\r\npass green",
    "many-headers": lambda: b"a:\n" * (50 * MIB // 3),
    "many-recipients": lambda: HEAD + b"To: a@b.example\n" * 6_000 + b"\npass green",
    "references": lambda: HEAD + b"References: " + b"<a@b.example> " * 6_000 + b"\n\npass green",
    "body": text(b"hello world "),
    "lines": text(b"a\n"),
    "marks": text(b">"),
    "nothing": text(b"\0"),
    "our-lines": text("\n".join(quoted(TEXT.split("\n"))).encode() + b"\n"),
    "our-words": text(b"red red green\nprice 40 25\n", 60_000),
    "rules": text(b"__________\n", 44_000),
    "attributions": text(b"On 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 wrote\n", 200_000),
    "headers-in-text": text(b"From: x\n", 39_000),
    "markers": text(b"##-", 900_000),
    "comments": html(b"<!--"), "open-tags": html(b"<a "), "paragraphs": html(b"<p>"), "quotes": html(b"<blockquote>"),
    "sheets": html(b"<style>.a{"), "rules-of-sheets": html(b"<style>.a.b{display:none}</style>"),
    "crossed": html(b"<s>x"),
    "boxes": html(b"<div class=gmail_quote>"), "decorations": html(b'<p style="text-decoration text-decoration'),
    "number": lambda: HEAD + b"Content-Type: text/html\r\n\r\n&#" + b"9" * MIB,
    "blocks": text(b"-----BEGIN PBEM REFEREE MOVE-----\n"),
    "block-of-marks": lambda: HEAD + b"Content-Type: a/b\n\n-BEGIN PBEM REFEREE MOVE-" + b"> A=\n&" * 300_000
    + b"-END PBEM REFEREE MOVE-",
    "large-files": lambda: MIXED + (CODE + b"eyAg" * 2_600_000 + b"\n") * 4,
    "file": lambda: MIXED + CODE + b"eyJh" + b"ICAg" * 2_600_000 + b"fX19\n--x--",
    "zip": lambda: MIXED + b"--x\nContent-Type: application/zip\n\nPK\x03\x04" + b"\0" * MIB + b"\n--x--",
    "path": lambda: MIXED + b'--x\nContent-Type: a/b; name="..\\..\\x"\nContent-Disposition: attachment;'
    b' filename="/etc/../C:\\passwd"\n\n{}\n--x--',
    "charset": lambda: HEAD + b"Content-Type: text/plain; charset=utf-8\n\npass \xff\xfe\xe4 green",
    "charset-punycode": lambda: HEAD + b"Content-Type: text/plain; charset=punycode\n\n" + b"a" * MIB,
    "charset-zip": lambda: HEAD + b"Content-Type: text/plain; charset=zip\n\npass green",
    "charset-utf7": lambda: HEAD + b"Content-Type: text/plain; charset=utf-7\n\n" + b"+" * MIB,
    "injection": lambda: b"From: =?utf-8?q?Eve=0D=0ABcc:_all@example.org?= <eve@example.org>\r\n"
    b"Subject: =?utf-8?q?hi=0D=0ABcc:_all@example.org=1B[2J=E2=80=AE?=\r\nMessage-ID: <a@b>\r\n Bcc: x\r\n"
    b"Date: now\r\n\tX-Evil: 1\r\nContent-Type: text/plain\r\n\r\npass green",
    "soft-breaks": lambda: HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=" * (50 * MIB),
    "boundary": lambda: HEAD + b"Content-Type: multipart/mixed; boundary=" + b"x" * 190 + b"\n\n\n--"
    + b"x" * (50 * MIB),
}  # fmt: skip


def read(name: str) -> None:
    raw = MAILS[name]()
    ours = sent_texts(SENT_MAIL)
    used = int(resource.getrusage(resource.RUSAGE_SELF).ru_utime)
    resource.setrlimit(resource.RLIMIT_CPU, (used + 2, used + 2))
    resource.setrlimit(resource.RLIMIT_AS, (128 * MIB, 128 * MIB))
    letter = read_message(raw)
    found = written(letter, *ours)
    told = {
        "sender": letter.headers.sender, "subject": letter.headers.subject, "id": letter.headers.message_id,
        "recipients": len(letter.headers.recipients),
        "references": len(letter.headers.references), "lines": len(letter.lines), "blocks": len(letter.blocks),
        "files": [file.name for file in letter.attachments], "whole": letter.whole,
        "troubles": [*map(str, letter.troubles)], "sure": found.sure, "orders": orders(found)[:3],
    }  # fmt: skip
    sys.stdout.write(json.dumps(told))
    sys.stdout.flush()


def main() -> None:
    for name in iter(sys.stdin.readline, ""):
        child = os.fork()
        if not child:
            read(name.strip())
            os._exit(0)
        os.waitpid(child, 0)
        sys.stdout.write("\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
