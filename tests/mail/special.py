"""Unusual answers: mangled, encoded, forwarded, automatic, unclear, with blocks and files."""

import base64
import quopri

from referee.mail.block import write_block
from tests.mail.programs import (
    ADDRESS,
    HOST,
    HTML,
    MOVES,
    QUESTION,
    SUBJECT,
    TEXT,
    TONGUES,
    Reply,
    apple,
    gmail,
    gmx,
    k9,
    mail,
    multipart,
    mutt,
    outlook,
    outlook_plain,
    outlook_web,
    placed,
    quoted,
    thunderbird,
    yahoo,
)

Row = tuple[str, bytes, str, str]
"""Name, mail, what must be found, blocks and files."""

EN, DE, NL = TONGUES["en"], TONGUES["de"], TONGUES["nl"]
LINES = TEXT.split("\n")
MOVE = b'{"body":{"move":{"do":"pass","mark":"green"},"round":12,"seat":1},"type":"pbem-referee/1/move"}'
OLD = b'{"body":{"move":{"do":"pass","mark":"red"},"round":11,"seat":1},"type":"pbem-referee/1/move"}'
JOIN = b'{"body":{"name":"Bert"},"type":"pbem-referee/1/join"}'
BLOCK = write_block("move", MOVE)


def specials() -> list[Row]:
    return [*spellings(), *quotations(), *footers(), *blocks(), *unclear(), *pages(), *automatic()]


def plain(text: str, charset: str = "utf-8", encoding: str = "8bit", params: str = "") -> bytes:
    return mail(Reply(text, None, charset, encoding, params))


def below(answer: str) -> str:
    """The answer above a marked quotation."""
    return placed(answer, (EN.apple, ""), quoted(LINES), "top")


def raw(head: str, body: bytes) -> bytes:
    """A mail whose body does not match its headers."""
    return mail(Reply("")).split(b"Content-Type")[0] + head.encode() + b"\n\n" + body


def spellings() -> list[Row]:
    """Characters, character sets, encodings, ends of lines."""
    flowed = f"sell green, mark \nblue\n\n{EN.apple}\n" + "\n".join(quoted(LINES))
    umlaut = below("buy red, mark red\n\nGrüße, Bert")
    cases = {
        "nbsp": (plain(below("buy\u00a0red red,\u00a0mark\u2009red")), "buy red red, mark red"),
        "zero-width": (plain(below("\ufeffpass\u200b green")), "pass green"),
        "smart-dash": (plain(below("move 2\u20133, piece \u2014 up")), "move 2-3, piece - up"),
        "smart-quotes": (plain(below("say \u201chello\u201d to Carla\u2019s bid")), "say \"hello\" to Carla's bid"),
        "crlf": (plain(below("pass green")).replace(b"\n", b"\r\n"), "pass green"),
        "base64-crlf": (plain(below("pass red"), encoding="base64").replace(b"\n", b"\r\n"), "pass red"),
        "utf16": (plain(below("pass green"), "utf-16", "base64"), "pass green"),
        "cp1252": (plain(umlaut, "windows-1252", "quoted-printable"), "buy red, mark red"),
        "latin1-8bit": (plain(umlaut, "iso-8859-1"), "buy red, mark red"),
        "utf8-called-latin1": (
            raw("Content-Type: text/plain; charset=iso-8859-1", umlaut.encode()),
            "buy red, mark red",
        ),
        "latin1-called-utf8": (
            raw("Content-Type: text/plain; charset=utf-8", umlaut.encode("latin-1", "replace")),
            "buy red, mark red",
        ),
        "unknown-charset": (
            raw("Content-Type: text/plain; charset=x-gibt-es-nicht", umlaut.encode()),
            "buy red, mark red",
        ),
        "no-mime-headers": (raw("X-Mailer: telnet", umlaut.encode()), "buy red, mark red"),
        "unknown-encoding": (raw("Content-Transfer-Encoding: x-own", below("#3").encode()), "#3"),
        "called-base64": (raw("Content-Transfer-Encoding: base64", below("pass, green!").encode()), "pass, green!"),
        "called-base64-words": (raw("Content-Transfer-Encoding: base64", b"pass green\n"), "pass green"),
        "mbox-line": (b"From bert@example.org Sun Jan  3 10:00:00 2027\n" + plain(below("#4")), "#4"),
        "flowed": (plain(flowed, params="; format=flowed"), "sell green, mark blue"),
        "flowed-delsp": (
            plain(flowed.replace("mark \nblue", "ma \nrk blue"), params="; format=flowed; delsp=yes"),
            "sell green, mark blue",
        ),
        "capital-letters": (plain(below("PASS Green")), "PASS Green"),
        "two-orders": (plain(below("#1\n\n#3")), "#1 / #3"),
        "same-order-twice": (plain(below("#1\n\nplease!\n#1")), "#1 / please!"),
        "html-in-one-line": (
            mail(Reply(None, f"<div>pass&nbsp;green</div><blockquote>{HTML}</blockquote>")),
            "pass green",
        ),
        "html-hidden-text": (
            mail(Reply(None, "<div style='display:none'>pass red</div><script>pass</script><p>pass green</p>")),
            "pass green",
        ),
        "split-by-attachment": (
            raw('Content-Type: multipart/mixed; boundary="x"', b"--x\n\npass green\n--x\nContent-Type: image/png\n"
                b"\n\x89PNG\n--x\nContent-Type: text/plain\n\nthat is all\n--x--\n"),
            "pass green / that is all",
        ),
    }  # fmt: skip
    return [(f"spelling-{name}", data, f"wrote: {found}", "") for name, (data, found) in cases.items()]


def wrapped(lines: list[str], width: int) -> list[str]:
    """Lines cut at a width, the rest of each on a line of its own."""
    out: list[str] = []
    for line in lines:
        while len(line) > width and (cut := line.rfind(" ", 3, width)) > 0:
            out.append(line[:cut])
            line = line[cut + 1 :]
        out.append(line)
    return out


def quotations() -> list[Row]:
    """Quoting that was mangled or cut, copied lines, forwarded and foreign text."""
    hand = "> Carla wrote:\n> pass red, they said\n\n#3\n\n"
    older = "\n".join((*LINES, "", "Von: Bert <bert@example.org>", "Gesendet: Samstag, 2. Januar 2027 09:00",
                       f"An: {HOST}", f"Betreff: {SUBJECT}", "", "buy blue, mark blue", "#2", "thanks"))  # fmt: skip
    forwarded = ("---------- Forwarded message ---------", "From: Carla <carla@example.org>",
                 "Date: Sun, 3 Jan 2027", "Subject: my move", "To: Bert <bert@example.org>", "",
                 "pass red")  # fmt: skip
    top_heads = (DE.divider, "Von: x", "Gesendet: y", "An: z", "")
    outlook_head = [f"Von: {HOST} <{ADDRESS}>", f"Gesendet: {DE.date}", "An: Bert", f"Betreff: {SUBJECT}", ""]
    part = "buy orange, mark orange"
    marked_30 = wrapped(quoted(LINES), 30)
    cases = {
        "wrapped-50": (plain(placed("#3", (EN.apple, ""), wrapped(quoted(LINES), 50), "top")), "#3"),
        "wrapped-30-bottom": (plain(placed("pass red", (EN.apple, ""), marked_30, "bottom")), "pass red"),
        "wrapped-unmarked": (plain(placed("#3", (DE.divider,), wrapped(LINES, 36), "bottom")), "#3"),
        "joined": (plain(placed("#3", (DE.divider,), [" ".join(LINES)], "top")), "#3"),
        "joined-bottom": (plain(placed("#3", (DE.divider,), [" ".join(LINES)], "bottom")), "#3"),
        "bars": (plain(placed("#4", (EN.apple,), quoted(LINES, "| "), "bottom")), "#4"),
        "initials": (plain(placed("#4", (EN.apple,), quoted(LINES, "AH> "), "bottom")), "#4"),
        "deep": (plain(placed("#4", (EN.apple,), quoted(LINES, "> > > "), "inline")), "#4"),
        "no-quote": (plain("pass green\n"), "pass green"),
        "no-quote-manners": (plain("Hi Anna,\n\npass green\n\ncheers, Bert\n"), "pass green"),
        "copy-only": (plain("   #6  pass red   (red rises)\n"), MOVES[2]),
        "copy-above-marked": (gmail(MOVES[1], EN, "top"), MOVES[1]),
        "copy-below-marked": (apple("   #5  pass blue", NL, "bottom"), MOVES[1]),
        "copy-above-unmarked": (outlook_plain(MOVES[3], DE, "top"), MOVES[3]),
        "part-of-ours-above": (outlook(part, DE, "top"), part),
        "part-of-ours-below": (outlook_plain("pass red", EN, "bottom"), "pass red"),
        "only-question-left": (plain(f"{EN.apple}\n> {QUESTION}\npass red\n"), "pass red"),
        "right-above-attribution": (plain("\n".join(("pass green", EN.apple, *quoted(LINES)))), "pass green"),
        "no-attribution": (plain(placed("pass green", (), quoted(LINES), "inline")), "pass green"),
        "marker-and-rest": (plain(placed("pass green", (), LINES, "top")), "pass green"),
        "quoted-by-hand": (plain(hand + "\n".join((EN.apple, *quoted(LINES)))), "#3"),
        "older-mail-below": (plain(placed("#1", top_heads, [older], "top")), "#1"),
        "older-mail-quoted": (
            plain(placed("#1", (EN.apple, ""), quoted([*LINES, *quoted(["pass red", "#2"])]), "top")),
            "#1",
        ),
        "forward-with-words": (plain("\n".join(("pass green", "", *forwarded))), "pass green"),
        "gmx-alternative": (mail(Reply(apple("#3", DE, "top").text, gmx("#3", DE, "top").html)), "#3"),
        "copy-below-unmarked": (outlook_plain(MOVES[1], NL, "bottom"), MOVES[1]),
        "headers-wrapped": (plain(placed("#3", wrapped(outlook_head, 36), wrapped(LINES, 36), "inline")), "#3"),
        "attribution-wrapped": (plain(placed("#3", wrapped([EN.gmail], 26), quoted(LINES), "bottom")), "#3"),
        "several-top-lines": (yahoo("I think so.\npass green", EN, "top"), "I think so. / pass green"),
    }  # fmt: skip
    rows = [
        (f"quote-{name}", mail(data) if isinstance(data, Reply) else data, f"wrote: {found}", "")
        for name, (data, found) in cases.items()
    ]
    return [
        *rows,
        ("quote-forward-alone", plain("\n".join(forwarded)), "nothing", ""),
        ("quote-nothing-written", mail(apple("", EN, "top")), "nothing", ""),
        ("quote-nothing-written-unmarked", mail(outlook_web("", EN, "top")), "nothing", ""),
        ("quote-empty-mail", plain(""), "nothing", ""),
        ("quote-thanks-only", mail(k9("Danke!\n\nLG Bert", DE, "top")), "nothing", ""),
    ]


def footers() -> list[Row]:
    """What follows an answer and is not part of it."""
    rule = "_" * 47
    feet = {
        "signature": "-- \nBert\npass red",
        "signature-without-blank": "--\nBert Example\n#2",
        "iphone-nl": "Verstuurd vanaf mijn iPad",
        "samsung": "Gesendet von meinem Samsung Galaxy Smartphone.",
        "k9": "-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "outlook-ios": "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "outlook-de": "Outlook für Android beziehen",
        "yahoo-phone": "Sent from Yahoo Mail on Android",
        "windows-mail": "Verzonden vanuit Mail voor Windows",
        "gmx-app": "Diese Nachricht wurde mit der GMX Mail App gesendet",
        "mailman": f"{rule}\nplayers mailing list\nplayers@lists.example\nhttps://lists.example/players",
        "google-groups": "-- \nYou received this message because you are subscribed to the group.\npass red",
    }
    rows = [
        (f"footer-{name}", plain(placed(f"#3\n\n{foot}", (EN.apple, ""), quoted(LINES), "top")), "wrote: #3", "")
        for name, foot in feet.items() if name != "mailman"
    ]  # fmt: skip
    rows.append(("footer-mailman", plain(below("#3") + "\n" + feet["mailman"]), "wrote: #3", ""))
    rows.append(("footer-mutt-twice", mail(mutt("#3\n-- \nBert\n#2", EN, "bottom")), "wrote: #3", ""))
    code = raw(
        "Content-Transfer-Encoding: base64",
        base64.b64encode(b"pass green\n" + b"\n" * 99) + b"\n" + rule.encode() + b"\nlist\n",
    )
    return [*rows, ("footer-behind-base64", code, "wrote: pass green", "")]


def blocks() -> list[Row]:
    """Blocks and files, as they arrive."""
    lines = BLOCK.split("\n")
    old, join = write_block("move", OLD), write_block("join", JOIN)
    html = "<div>" + "<br>".join(lines) + "</div>"
    paragraphs = "".join(f"<p>{line}&nbsp;</p>" for line in lines)
    enclosed = b"Content-Type: message/rfc822\n\n" + plain("my move\n\n" + BLOCK)
    forward = mail(Reply("")).split(b"Content-Type")[0] + multipart("mixed", (b"\nhere it is\n", enclosed), "=_f")
    file = (("move.json", "application/json", MOVE),)
    said = "wrote: here it is"
    cases = {
        "plain": (plain(below("here it is\n" + BLOCK)), "move"),
        "quoted": (plain("here it is\n\n" + "\n".join(quoted(lines, "> > "))), "move"),
        "wrapped": (plain("here it is\n\n" + BLOCK.replace("\n", " ").replace("eyJ", "eyJ\n")), "move"),
        "html": (mail(Reply(None, "<div>here it is</div>" + html)), "move"),
        "html-paragraphs": (mail(Reply(None, "<p>here it is</p>" + paragraphs)), "move"),
        "smart-dashes": (plain("here it is\n\n" + BLOCK.replace("-----", "\u2014\u2013")), "move"),
        "short-dashes": (plain("here it is\n\n" + BLOCK.replace("-----", "-")), "move"),
        "nbsp": (plain("here it is\n\n" + BLOCK.replace(" ", "\u00a0").replace("\n", "\u00a0\n\n")), "move"),
        "soft-breaks-shown": (plain("here it is\n\n" + quopri.encodestring(BLOCK.encode()).decode()), "move"),
        "entities-shown": (plain("here it is\n\n" + "\n".join(f"&gt; {line}&nbsp;" for line in lines)), "move"),
        "base64": (plain("here it is\n\n" + BLOCK, encoding="base64"), "move"),
        "crlf": (plain("here it is\n\n" + BLOCK).replace(b"\n", b"\r\n"), "move"),
        "twice": (plain("here it is\n\n" + BLOCK + "\n" + BLOCK), "move"),
        "old-one-below": (plain("here it is\n\n" + BLOCK + "\n" + "\n".join(quoted(old.split("\n")))), "move move"),
        "move-and-join": (plain("here it is\n\n" + join + "\n\n" + BLOCK), "join move"),
        "damaged": (plain("here it is\n\n" + BLOCK.replace("eyJ", "eyI")), "move?"),
        "cut-off": (plain("here it is\n\n" + "\n".join(lines[:2])), "move?"),
        "only-in-html": (mail(Reply("here it is", html)), "move"),
        "text-file": (mail(Reply("here it is", files=(("move.txt", "text/plain", BLOCK.encode()),))), "move"),
        "json-file": (mail(Reply("here it is", files=file)), "move.json"),
        "json-path": (mail(Reply("here it is", files=(("../../etc/move.json", *file[0][1:]),))), "move.json"),
        "json-octets": (mail(Reply("here it is", files=(("x", "application/octet-stream", MOVE + b"\r\n"),))), "x"),
        "zip": (mail(Reply("here it is", files=(("move.zip", "application/zip", b"PK\x03\x04" + b"\0" * 40),))), ""),
        "forwarded-as-file": (forward, "move"),
    }  # fmt: skip
    return [(f"block-{name}", data, said, found) for name, (data, found) in cases.items()]


def unclear() -> list[Row]:
    """Mails that make the office ask the player."""
    middle = LINES[LINES.index(QUESTION) - 4 :]
    changed = [line.replace("#", "No. ").replace("(", "[") for line in middle]
    typed = [line.replace(QUESTION, f"{QUESTION} pass red") for line in LINES]
    inserted = [*LINES[:14], "pass blue, please", *LINES[14:]]
    example = next(at for at, line in enumerate(LINES) if line.endswith("for example: buy orange, mark orange"))
    cases = {
        "typed-into-quoted-line": plain("\n".join((EN.apple, *quoted(typed)))),
        "typed-between-marked-lines": plain("\n".join((EN.apple, *quoted(inserted)))),
        "attribution-left": plain(f"{EN.apple}\n\npass green\n"),
        "mangled-unmarked": plain("\n".join((DE.divider, *changed))),
        "mangled-and-answer-below": plain("\n".join((DE.divider, *changed, "", "pass red"))),
        "other-mail-unmarked": plain("\n".join((DE.divider, "The game is over.", "pass red", "See you"))),
        "only-question-left-unmarked": plain(f"{QUESTION}\n\nbid 7 for the harbour\n"),
        "end-of-wrapped-line": plain("\n".join((EN.apple, *quoted(LINES[:example]), "buy orange, mark orange"))),
        "copy-and-words": plain(f"{MOVES[1]}\n\nno, I would rather bid 7!\n"),
        "two-copies": plain(f"{MOVES[1]}\n\n{MOVES[3]}\n"),
        "too-many-lines": plain("pass\n" * 6000),
    }
    return [(f"unclear-{name}", data, "unclear", "") for name, data in cases.items()]


def pages() -> list[Row]:
    """HTML with words that are invisible, crossed out, or quoted in boxes without a mark."""
    unseen = {
        "size": '<p style="font-size:0px">#4</p>', "visibility": '<p style="visibility: hidden">#4</p>',
        "opacity": "<p style='opacity:0.0'>#4</p>", "attribute": "<p hidden>#4</p>",
        "mso": '<p style="mso-hide:all">#4</p>', "height": '<div style="max-height:0;overflow:hidden">#4</div>',
        "sheet": "<style><!-- p.a, .x {display:none} --></style><p class='b x'>#4</p>",
        "option": "<select><option>#4</option></select>", "textarea": "<textarea>#4</textarea>",
        "svg": "<svg><text>#4</text></svg>",
        "white": '<p style="color:#ffffff">#4</p>', "nearly-white": '<p style="color:rgb(250, 250, 248)">#4</p>',
        "font-white": '<font color="white">#4</font>', "clear": '<p style="color: rgba(0,0,0,0)">#4</p>',
        "dark-on-dark": '<table bgcolor="#101010"><tr><td style="color:black">#4</td></tr></table>',
        "white-class": "<style>.w { color: white }</style><p class=w>#4</p>",
        "white-within": '<div style="color:white"><div><b>#4</b></div></div>',
        "tiny": '<p style="font-size:1px">#4</p>',
        "away": '<p style="position:absolute;left:-9999px">#4</p>', "comment": "<p><!-- #4 --></p>",
        "flat": '<div style="height:0;overflow:hidden">#4</div>', "escaped": '<p style="displ\\61y:no/**/ne">#4</p>',
        "entity": '<p style="display&#58;none">#4</p>', "id": "<style>#x{display:none}</style><p id=x>#4</p>",
        "element": "<style>em{visibility:hidden}</style><em>#4</em>", "details": "<details>#4</details>",
        "iframe": "<iframe>#4</iframe>", "scaled": '<p style="transform:scale(0)">#4</p>',
    }  # fmt: skip
    unclear = {
        "crossed-out": "<p><s>#4</s></p>", "deleted": "<p>#5</p><p><del>#4</del></p>", "strike": "<strike>#4</strike>",
        "line-through": '<p style="text-decoration: line-through">#4</p>', "half": "<p>bid <s>3</s>4</p>",
        "gmail": '<div class="gmail_quote"><div>#4</div></div>', "yahoo": '<div class="yahoo_quoted">#4</div>',
        "proton": '<div class="protonmail_quote">#4</div>',
        "moz-forward": '<div class="moz-forward-container">#4</div>',
        "border": '<div style="border:none;border-left:solid blue 1.5pt"><p>#4</p></div>',
        "outlook": '<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"></div><div>#4</div>',
        "direction": "<p>bid \u202e01\u202c</p>",
    }  # fmt: skip
    wrote = {
        "white-on-dark": '<div style="background:#222"><p style="color:#fff">#4</p></div>',
        "white-ends": '<div style="color:white"><div>#5</div></div><p>#4</p>',
        "dark-mode": "<style>@media (prefers-color-scheme: dark) {.a{color:#fff}}</style><p class=a>#4</p>",
        "open-details": "<details open>#4</details>",
        "clear-behind": '<p style="background:transparent">#4</p>',
        "grey": '<p style="color:#999999;font:400 13px/1.5 Arial;text-indent:-18.0pt">#4</p>',
        "big-and-seen": '<p style="font-size:0.9em;opacity:0.5;max-height:10px">#4</p>',
        "crossed-out-below": f"<p>#4</p><blockquote><s>#5</s>{HTML}</blockquote>",
        "gmail-box": f'<div>#4</div><div class="gmail_quote">{EN.gmail}<br>{HTML}</div>',
        "border-box-bottom": f'<div style="border-left:solid blue">{EN.gmail}<br>{HTML}</div><p>#4</p>',
    }
    found = {
        **dict.fromkeys(unseen, "nothing"),
        **dict.fromkeys(unclear, "unclear"),
        **dict.fromkeys(wrote, "wrote: #4"),
    }
    return [
        (f"page-{name}", mail(Reply(None, html)), found[name], "") for name, html in (unseen | unclear | wrote).items()
    ]


def automatic() -> list[Row]:
    """Mails of programs, which are never answered, and of lists."""
    said = thunderbird("pass green", DE, "top")
    headers = {
        "auto-replied": "Auto-Submitted: auto-replied", "auto-generated": "Auto-Submitted: Auto-Generated; owner=x",
        "bulk": "Precedence: bulk", "junk": "Precedence: junk", "autoreply": "X-Autoreply: yes",
        "autorespond": "X-Autorespond: 1",
        "no-return-path": "Return-Path: <>", "daemon": "From: Mail System <MAILER-DAEMON@example.org>",
        "own-mail": "X-PBEM-Referee: 1", "noreply": "From: <no-reply@shop.example>",
        "out-of-office": "Subject: Out of Office: your turn", "abwesend": "Subject: Abwesenheitsnotiz: your turn",
        "automatisch": "Subject: =?utf-8?q?Automatisch_antwoord:_r12?=",
    }  # fmt: skip
    rows = [
        (f"never-{name}", mail(Reply(said.text, None, headers=(header,))), "never", "")
        for name, header in headers.items()
    ]
    lists = {
        "precedence": ("Precedence: list",), "id": ("List-Id: <players.lists.example>",),
        "bulk": ("Precedence: bulk", "List-Id: <players.lists.example>"),
    }  # fmt: skip
    rows += [
        (f"list-{name}", mail(Reply(said.text, None, headers=more)), "wrote: pass green", "")
        for name, more in lists.items()
    ]
    read = b"From: Bert <bert@example.org>\n" + multipart("mixed", (
        b"\npass green\n", b"Content-Type: message/disposition-notification\n\nDisposition: manual-action; displayed\n",
    ), "=_d")  # fmt: skip
    rows.append(("never-read-receipt", read, "never", ""))
    report = multipart("report; report-type=delivery-status", (
        b"\nYour mail could not be delivered\n",
        b"Content-Type: message/delivery-status\n\nAction: failed\n",
        b"Content-Type: message/rfc822\n\n" + f"To: bert@example.org\nFrom: {ADDRESS}\n\n{TEXT}\n".encode(),
    ), "=_r")  # fmt: skip
    bounce = b"From: Postbox <box@example.org>\n" + report
    return [*rows, ("never-bounce", bounce, "never", "")]
