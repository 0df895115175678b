"""Coming into a game: by an offer, by taking over a vacant seat, or back after two missed deadlines. What is signed is
returned, and written by whoever asked for it; a first key is made on the way."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.crypto.keys import Key
from referee.engine import player
from referee.engine.names import choose_name
from referee.engine.player import Opened
from referee.engine.records import Offer
from referee.engine.table import check_offer
from referee.errors import FileTrouble
from referee.evidence.identify import document_kind
from referee.io import files, keyfile
from referee.language import run
from referee.library import answering, documents, tables, w
from referee.library.looking import open_view
from referee.library.seating import Sent
from referee.library.sitting import Load
from referee.library.values import placeholder
from referee.show.documents import terms_in_words
from referee.show.text import clean

if TYPE_CHECKING:
    from referee.mail.message import Letter

Files = dict[str, bytes]


class Invitation(NamedTuple):
    """An offer, or else a view of a game with a vacant seat; and the mail that brought it, if one did."""

    path: str
    mail: "Letter | None"
    offer: Envelope | None
    opened: Opened | None

    @property
    def terms(self) -> Offer:
        """What everybody who joins agrees to."""
        if self.offer is not None:
            return check_offer(self.offer)[0]
        assert self.opened is not None
        return self.opened.table.offer


class Entrance(NamedTuple):
    """What brings somebody into a game: signed, but not written yet."""

    data: bytes
    place: documents.Parcel
    reply: Files
    """The mail that brings it to the host, if a mail is answered."""
    terms: Offer
    question: str = ""
    """Whether its player wants that."""
    unknown: bool = False
    """Whether the host cannot know who answers."""
    joined: bool = False
    """Whether the game has yet to start."""

    def lines(self) -> list[str]:
        """What comes next."""
        if self.joined:
            return [w("You are in, as soon as the host starts the game."), self.next]
        sent = "FILE" if self.place.path == "-" else files.printable(self.place.path)
        apply = run("apply", placeholder("GAME.json"), sent)
        return [self.next, w("The host applies it with {command}; then wait for your view.", command=apply)]

    @property
    def next(self) -> str:
        """How it gets to the host."""
        return w("{next} Then wait for your first view.", next=self.place.next) if self.joined else self.place.next


def read_invitation(path: str) -> Invitation:
    """The offer or the view in this file."""
    data, mail = documents.read_mailed(path, "offer", "view")
    if document_kind(data) == "view":
        return Invitation(path, mail, None, open_view(data)[0])
    offer = decode(data, Envelope, "offer")
    check_offer(offer)
    return Invitation(path, mail, offer, None)


def own_or_new_key(path: str | None, load: Load, name: Callable[[], str]) -> tuple[Key, Files]:
    """The key of whoever joins; if there is none, a new one for this name, with the file to write it to."""
    usual = documents.default_key()
    if path is not None or os.path.lexists(usual):
        return load(path), {}
    new = Key(os.urandom(32), choose_name(name()))
    return new, {usual: keyfile.dump(new)}


def enter(to: Invitation, key: Key, name: str | None, seat: str | None, output: str | None) -> Entrance:
    """Sign that you take part, under this name or the key's; `seat` is the one to take over, if several are vacant."""
    wanted = documents.player_name(key, name)
    if to.offer is None:
        assert to.opened is not None
        return _take_over(to.opened, to.mail, key, choose_name(wanted), seat, output)
    terms, offer_id = check_offer(to.offer)
    signed = tables.sign_join(key, to.offer, wanted, to.path)
    place = documents.parcel_for(to.mail, output, files.join_name(offer_id, wanted, key.public.hex()))
    known = place.pass_for(offer_id)
    # The reply keeps the pass of the invitation: by that the host knows who answers.
    words = f"{w('I take part: my signed answer to the invitation.')}\n{known}".strip()
    question, unknown = w("Join this game as {name}?", name=wanted), bool(place.reply) and not known
    return Entrance(signed, place, place.replies("join", signed, words), terms, question, unknown, joined=True)


def _take_over(
    opened: Opened, mail: "Letter | None", key: Key, name: str, seat: str | None, output: str | None
) -> Entrance:
    """Take over a vacant seat of a game that was checked so far."""
    number, signed = answering.succeed(opened, key, seat, name)
    question = w("Take over {holder}'s seat as {name}?", holder=clean(opened.table.names[number]), name=name)
    return _entrance(opened, mail, output, number, "succession", signed, question)


def come_back(view: str, output: str | None, load: Callable[[], Key]) -> Entrance:
    """Come back to a game after two missed deadlines: you are asked again from the next round on."""
    data, mail = documents.read_mailed(view, "view")
    opened, _ = open_view(data)
    return _entrance(opened, mail, output, opened.seat, "return", player.sign_return(load(), opened))


def _entrance(
    opened: Opened, mail: "Letter | None", output: str | None, seat: int, kind: str, signed: bytes, question: str = ""
) -> Entrance:
    place = answering.place_for(opened, mail, output, seat, kind)
    reply = place.replies(kind, signed, answering.reply_words(opened, kind))
    return Entrance(signed, place, reply, opened.table.offer, question)


# --- in a window -----------------------------------------------------------------------------------------------------


def terms_of(path: str) -> tuple[str, tuple[str, ...]]:
    """Which game an offer or a view is for, and what everybody who joins agrees to."""
    terms = read_invitation(path).terms
    return terms.game, tuple(line.strip() for line in terms_in_words(terms).splitlines())


def known_key(key: str | None, load: Load) -> Key | None:
    """Your key; None if you have none yet."""
    try:
        return load(key)
    except FileTrouble as error:
        if error.code != "no-key":
            raise
        return None


def own_name(key: str | None, load: Load) -> str:
    """The name of the key; empty if there is no key yet."""
    mine = known_key(key, load)
    return mine.name if mine else ""


def join_game(path: str, folder: str, key: str | None, load: Load, name: str, seat: str = "") -> Sent:
    """Sign a join, or that you take over this seat, and write it into this folder, with a reply if a mail is
    answered."""
    to = read_invitation(path)
    mine, made = own_or_new_key(key, load, lambda: name)
    found = enter(to, mine, name or None, seat or None, folder)
    documents.write_new({found.place.path: found.data, **found.reply}, made)
    return Sent(found.place.path, found.place.reply, found.next)
