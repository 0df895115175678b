"""Mails that come twice, through lists, from programs, or with a text that cannot be read: what the office answers."""

import base64

import pytest

from referee.mail.message import ENCRYPTED, OPAQUE, TNEF, read_message
from tests.mail.offices import HOST, PEOPLE, Mail, World, plain, reply
from tests.mail.test_judge import answered

SEALED = base64.encodebytes(b"\x30\x80\x06\x09*\x86H\x86\xf7\r\x01\x07\x02")


def only(mails: list[Mail]) -> Mail:
    (mail,) = mails
    return mail


def headed(mail: bytes, *lines: str) -> bytes:
    """The same mail as another server or list delivers it."""
    return "".join(f"{line}\r\n" for line in lines).encode() + mail


# --- the same mail twice ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["bid 4", "bid 4\n\nor perhaps not", "back", ""])
def test_a_mail_that_is_delivered_twice_is_answered_once(world: World, words: str) -> None:
    mail = reply(world.turn("bert"), words)
    assert len(world.answers(mail)) == 1
    used, game = world.status()["players"], world.game()
    again = headed(mail, "Received: from relay.example by games.example; Fri, 20 Nov 2026 09:00:00 +0000")
    assert world.answers(again) == []
    assert world.answers(headed(again, "Delivered-To: host@games.example", "X-Spam-Status: No")) == []
    assert (world.status()["players"], world.game()) == (used, game)


def test_both_copies_in_one_run_are_answered_once(world: World) -> None:
    mail = reply(world.turn("bert"), "bid 4")
    assert len(world.answers(mail, headed(mail, "Received: from relay.example"))) == 1
    assert answered(world) == ["Bert"]


def test_another_text_under_the_same_id_is_another_mail(world: World) -> None:
    first, second = (reply(world.turn("bert"), words) for words in ("I offer four", "bid 4"))
    name = read_message(first).headers.message_id.encode()
    second = second.replace(read_message(second).headers.message_id.encode(), name)
    assert len(world.answers(first)) == 1
    assert "accepted" in only(world.answers(second)).text
    assert answered(world) == ["Bert"]


def test_nobody_answers_first_in_the_name_of_a_mail_that_comes_later(world: World) -> None:
    """A stranger who guesses Message-ID and words has no pass, so it is another mail."""
    mail = reply(world.turn("bert"), "bid 4", quote=False)
    name = read_message(mail).headers.message_id
    world.take(plain(PEOPLE["bert"], "your turn", "bid 4", Message_ID=name))
    assert "accepted" in only(world.answers(mail)).text
    assert answered(world) == ["Bert"]


# --- lists -----------------------------------------------------------------------------------------------------------

LISTS = ("List-Id: <players.lists.example>", "Precedence: list", "List-Unsubscribe: <mailto:x@lists.example>")


@pytest.mark.parametrize("line", LISTS)
def test_a_pass_counts_through_a_list_and_the_player_is_answered(world: World, line: str) -> None:
    mail = only(world.answers(headed(reply(world.turn("bert"), "bid 4"), line)))
    assert mail.to == PEOPLE["bert"]
    assert "accepted" in mail.text
    assert answered(world) == ["Bert"]


@pytest.mark.parametrize("line", LISTS)
def test_without_a_pass_a_list_is_not_answered(world: World, line: str) -> None:
    before = world.kept("quarantine")
    assert world.answers(headed(plain(PEOPLE["bert"], "our game", "bid 4"), line)) == []
    assert world.kept("quarantine") == before + 1


def test_our_own_mail_that_a_list_sends_back_is_not_answered(world: World) -> None:
    assert world.answers(headed(world.turn("bert").raw, LISTS[0], "Received: from lists.example")) == []
    assert answered(world) == []


# --- programs --------------------------------------------------------------------------------------------------------


def with_type(mail: Mail, kind: str, body: bytes, *more: str) -> bytes:
    """A reply to this mail of any type."""
    lines = (
        "From: " + mail.to,
        f"To: {HOST}",
        f"Subject: Re: {mail.subject}",
        "Message-ID: <s1@people.example>",
        *more,
    )
    return "".join(f"{line}\r\n" for line in (*lines, f"Content-Type: {kind}")).encode() + b"\r\n" + body


def test_a_receipt_and_an_automatic_reply_are_neither_answered_nor_a_move(world: World) -> None:
    turn = world.turn("bert")
    receipt = (
        b"--r\r\n\r\nbid 4\r\n--r\r\nContent-Type: message/disposition-notification\r\n\r\n"
        b"Disposition: manual-action/MDN-sent-manually; displayed\r\n--r--\r\n"
    )
    mails = [
        with_type(turn, 'multipart/report; report-type=disposition-notification; boundary="r"', receipt),
        with_type(turn, 'multipart/mixed; boundary="r"', receipt),
        headed(reply(turn, "bid 4"), "Auto-Submitted: auto-replied"),
        reply(turn, "bid 4").replace(b"Re:", b"Automatische Antwort:", 1),
        reply(turn, "bid 4").replace(b"Re:", b"Gelesen:", 1),
        reply(turn, "bid 4").replace(b"Re:", b"Niet gelezen:", 1),
    ]
    assert world.answers(*mails) == []
    assert answered(world) == []
    assert world.kept("quarantine") == len(mails)


# --- texts that cannot be read ---------------------------------------------------------------------------------------

UNREADABLE = {
    "enveloped": ('application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"', SEALED, ENCRYPTED),
    "unknown": ('application/x-pkcs7-mime; name="smime.p7m"', SEALED, ENCRYPTED),
    "opaque": ('application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"', SEALED, OPAQUE),
    "pgp": (
        'multipart/encrypted; protocol="application/pgp-encrypted"; boundary="b"',
        b"--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--b\r\n"
        b"Content-Type: application/octet-stream\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n--b--\r\n",
        ENCRYPTED,
    ),
    "pgp-text": (
        "text/plain",
        b"-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA1\r\n=abcd\r\n-----END PGP MESSAGE-----\r\n",
        ENCRYPTED,
    ),
    "tnef": ("application/ms-tnef", b"\x78\x9f\x3e\x22", TNEF),
    "winmail": (
        'multipart/mixed; boundary="b"',
        b"--b\r\nContent-Type: text/plain\r\n\r\n\r\n--b\r\n"
        b"Content-Type: application/octet-stream; name=winmail.dat\r\n\r\n\x78\x9f\x3e\x22\r\n--b--\r\n",
        TNEF,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_text_that_cannot_be_read_gets_its_reason(world: World, name: str) -> None:
    kind, body, why = UNREADABLE[name]
    mail = only(world.answers(with_type(world.turn("bert"), kind, body)))
    assert mail.to == PEOPLE["bert"]
    assert str(why)[1:] in " ".join(mail.text.split())
    assert "send it again" in " ".join(mail.text.split())
    assert answered(world) == []


def test_what_can_be_read_beside_it_counts(world: World) -> None:
    """Outlook sends the words as text, too; and many sign in clear text."""
    body = (
        b"--b\r\nContent-Type: text/plain\r\n\r\nbid 4\r\n--b\r\n"
        b"Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\n\x78\x9f\x3e\x22\r\n--b--\r\n"
    )
    assert "accepted" in only(world.answers(with_type(world.turn("bert"), "multipart/mixed; boundary=b", body))).text
    signed = body.replace(b"application/ms-tnef; name=winmail.dat", b"application/pkcs7-signature; name=smime.p7s")
    mail = with_type(
        world.turn("carla"), 'multipart/signed; protocol="application/pkcs7-signature"; boundary=b', signed
    )
    assert "accepted" in only(world.answers(mail.replace(b"<s1@", b"<s2@"))).text


def test_without_a_pass_the_reason_is_given_too(world: World) -> None:
    kind, body, why = UNREADABLE["enveloped"]
    mail = with_type(world.turn("anna"), kind, body).replace(b"Subject: Re: ", b"Subject: my move, not ")
    assert str(why) in " ".join(only(world.answers(mail)).text.split())
