"""Before the game: keys, offers, joins, the start."""

import os
from typing import Annotated

import typer

from referee.cli import common as c
from referee.cli import t, w
from referee.errors import Usage
from referee.language import run
from referee.library import completion
from referee.library.values import placeholder, with_key


def key_new(
    name: c.NameOption = None,
    output: Annotated[str | None, c.option("-o", "FILE", "Where to keep the key.")] = None,
    lock: Annotated[bool, typer.Option("--passphrase", help="Protect the key with a passphrase.")] = False,
) -> None:
    """Make a key: your identity in every game."""
    from referee.crypto.keys import Key
    from referee.engine.names import choose_name
    from referee.io import files, keyfile
    from referee.library.documents import default_key

    key = Key(os.urandom(32), choose_name(name) if name is not None else "")
    phrase = c.passphrase(confirm=True) if lock else ""
    if lock and not phrase:
        raise Usage(t("an empty passphrase protects nothing"), t("type one, or leave --passphrase out"))
    path = default_key() if output is None else output
    if output is None:
        files.make_folder(os.path.dirname(path))
    c.write_new(path, keyfile.dump(key, phrase, os.urandom(32)), secret=True)
    c.say(w("Your key is in {file}; keep it secret and keep a copy.", file=files.printable(path)))
    c.say(w("Its public half is {key}.", key=key.public.hex()))
    join = run("join", placeholder("OFFER"), *with_key(output))
    offer = run("offer", placeholder("GAME"), "--seats", "N", *with_key(output))
    c.say(w("Next: answer an offer with {join}, or open a game with {offer}.", join=join, offer=offer))


def key_show(key: c.KeyOption = None) -> None:
    """Print the public half of your key."""
    c.out(c.load_key(key).public.hex())


def offer(
    game: c.GameName,
    seats: c.SeatsOption,
    option: c.ChoiceOption = None,
    edition: c.EditionOption = None,
    deadline: c.DeadlineOption = None,
    no_deadline: c.NoDeadlineOption = False,
    grace: c.GraceOption = None,
    bank: c.BankOption = None,
    arbiter: c.ArbiterOption = None,
    takeover: Annotated[
        str | None,
        c.option("--takeover", "SPAN", "How long a seat must be vacant before somebody can take it over: 7d."),
    ] = None,
    takeovers: Annotated[
        int | None, typer.Option("--takeovers", help="How many seats can be taken over. Default: as many as there are.")
    ] = None,
    output: Annotated[str | None, c.option("-o", "FILE", "The offer; - to print it.")] = None,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Open a game: the host commits to the terms and to a secret before anybody joins."""
    from referee.crypto.codec import encode
    from referee.engine.lobby import make_offer
    from referee.engine.table import check_offer
    from referee.io.files import offer_name
    from referee.library import tables
    from referee.show.documents import terms_in_words

    spans = tables.time_limits(deadline, grace, bank, never=no_deadline)
    wanted = tables.terms_of(game, seats, option or [], edition)
    many, vacant = tables.takeovers_of(seats, takeover, takeovers, never=no_deadline)
    mine, named = c.load_key(key), tables.arbiter_key(arbiter)
    made = make_offer(mine, *wanted, *spans, arbiter=named, takeovers=many, takeover=vacant)
    terms, offer_id = check_offer(made)
    path = output or offer_name(offer_id, game)
    c.write_new(path, encode(made), dry=dry)
    c.say(terms_in_words(terms))
    c.next_step(w("Next: send {file} to the players; each answers with {command}.", file=c.sent(path),
                  command=run("join", c.sent(path, "OFFER"))), dry)  # fmt: skip


def join(
    offer: Annotated[
        str,
        c.argument(
            "OFFER",
            "The host's offer, or the saved mail that brought it; - for standard input.",
            completion.files("offer", mail=True),
        ),
    ],
    output: c.SignedOption = None,
    name: c.NameOption = None,
    yes: c.YesOption = False,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Answer an offer: read the terms, then take part under your name and key."""
    from referee.crypto.codec import decode
    from referee.crypto.envelope import Envelope
    from referee.engine.table import check_offer
    from referee.io.files import join_name
    from referee.library import documents, tables
    from referee.show.documents import terms_in_words

    data, mail = documents.read_mailed(offer, "offer")
    opened = decode(data, Envelope, "offer")
    terms, offer_id = check_offer(opened)
    mine = c.load_key(key)
    wanted = documents.player_name(mine, name)
    signed = tables.sign_join(mine, opened, wanted, offer)
    c.say(terms_in_words(terms))
    if not (yes or dry):
        c.go_on(w("Take part in this as {name}?", name=wanted), w("Nothing was signed."))
    place = documents.parcel_for(mail, output, join_name(offer_id, wanted, mine.public.hex()))
    known = place.pass_for(offer_id)
    if place.reply and not known:
        c.say(w("This mail has no pass of an invitation: the host may not know who answers."))
    # The reply keeps the pass of the invitation: by that the host knows who answers.
    words = f"{w('I take part: my signed answer to the invitation.')}\n{known}".strip()
    c.write_new(place.path, signed, dry=dry, beside=place.replies("join", signed, words))
    if not dry:
        c.say(w("You are in, as soon as the host starts the game."))
    c.next_step(w("{next} Then wait for your first view.", next=place.next), dry)


def start(
    offer: Annotated[str, c.argument("OFFER.json", "Your offer.", completion.files("offer"))],
    joins: Annotated[list[str], c.argument("JOIN...", "The players' joins, in seat order.", completion.files("join"))],
    output: c.GameFileOption = "game.json",
    out: c.OutOption = None,
    aid: c.AidOption = False,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Start the game: seat the players in the order of the joins and seal every bag."""
    from referee.library import tables

    mine = c.load_key(key)
    c.stdin_once([offer, *joins])
    opened = c.read_document(offer, "offer")
    match = tables.seat_players(mine, opened, (c.read_document(path, "join") for path in joins))
    folder = out if out is not None else os.path.dirname(output)
    mails = tables.write_first(match, c.game_path(output), folder, c.aid_maker(aid), dry=dry)
    if dry:
        c.tell_dry()
        return
    again = run("apply", output, placeholder("MOVE..."), *(("--out", out) if out is not None else ()), *with_key(key))
    c.tell((), tables.started_in_words(match, c.sent(output), mails, again))
