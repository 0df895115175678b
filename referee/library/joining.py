"""Joining a game from a window: one step signs that somebody takes part, and makes the key if there is none yet."""

import os

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.crypto.keys import Key
from referee.engine.names import choose_name
from referee.engine.table import check_offer
from referee.errors import FileTrouble
from referee.io import files, keyfile
from referee.library import documents, tables, w
from referee.library.sitting import Load, Sent
from referee.show.documents import terms_in_words


def terms_of(path: str) -> tuple[str, tuple[str, ...]]:
    """Which game an offer is for, and what everybody who joins agrees to."""
    terms, _ = check_offer(decode(documents.read_document(path, "offer"), Envelope, "offer"))
    return terms.game, tuple(line.strip() for line in terms_in_words(terms).splitlines())


def own_name(key: str | None, load: Load) -> str:
    """The name of the key; empty if there is no key yet."""
    try:
        return load(key).name
    except FileTrouble as error:
        if error.code != "no-key":
            raise
        return ""


def join_game(path: str, folder: str, key: str | None, load: Load, name: str) -> Sent:
    """Sign a join and write it into this folder, with a reply if a mail is answered."""
    data, mail = documents.read_mailed(path, "offer")
    offer = decode(data, Envelope, "offer")
    _, offer_id = check_offer(offer)
    made: dict[str, bytes] = {}
    if key is None and not os.path.lexists(documents.default_key()):
        mine = Key(os.urandom(32), choose_name(name))
        made[documents.default_key()] = keyfile.dump(mine)
    else:
        mine = load(key)
    wanted = documents.player_name(mine, name or None)
    signed = tables.sign_join(mine, offer, wanted, path)
    place = documents.parcel_for(mail, folder, files.join_name(offer_id, wanted, mine.public.hex()))
    words = f"{w('I take part: my signed answer to the invitation.')}\n{place.pass_for(offer_id)}".strip()
    replies = place.replies("join", signed, words)
    documents.refuse_existing(place.path, *replies)
    files.write({**made, place.path: signed, **replies}, secret=[*made], make=[os.path.dirname(one) for one in made])
    return Sent(place.path, place.reply, w("{next} Then wait for your first view.", next=place.next))
