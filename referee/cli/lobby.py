"""Before the game: keys, offers, joins, the start."""

import os
from typing import NamedTuple

import typer

from referee.cli import asking, t, w
from referee.cli import common as c
from referee.cli.player import JoinOptions, enter, new_name
from referee.crypto import codec, envelope, keys
from referee.engine import lobby, names, table
from referee.errors import Usage
from referee.io import files, keyfile
from referee.language import run
from referee.library import completion, documents, finding, joining, tables
from referee.library.values import placeholder
from referee.show import documents as shown


def key_new(
    name: c.NameOption = None,
    output: str | None = c.option("-o", "FILE", "Where to keep the key."),
    lock: bool = c.flag("--passphrase", "Protect the key with a passphrase."),
) -> None:
    """Make a key: your identity in every game.

    Example: referee key new --name Anna
    """
    path = documents.default_key() if output is None else output
    documents.refuse_existing(path)
    key = keys.Key(os.urandom(32), names.choose_name(asking.ask_name() if name is None else name))
    phrase = c.passphrase(confirm=True) if lock else ""
    if lock and not phrase:
        raise Usage(t("an empty passphrase protects nothing"), t("type one, or leave --passphrase out"))
    if output is None:
        files.make_folder(os.path.dirname(path))
    c.write_out(path, keyfile.dump(key, phrase, os.urandom(32)), new=True, secret=True)
    c.say(w("Your key is in {file}; keep it secret and keep a copy.", file=files.printable(path)))
    c.say(w("Its public half is {key}.", key=key.public.hex()))
    join = run("join", placeholder("OFFER"), *documents.with_key(output))
    offer = run("offer", placeholder("GAME"), "--seats", "N", *documents.with_key(output))
    c.say(w("Next: answer an offer with {join}, or offer a game with {offer}.", join=join, offer=offer))


def key(context: typer.Context, key: c.KeyOption = None) -> None:
    """Print the public half of your key."""
    if context.invoked_subcommand is None:
        c.out(c.load_key(key).public.hex())


class TermOptions(NamedTuple):
    """What an offer says of time, and of seats that change hands."""

    deadline: str | None = c.option("--deadline", "SPAN", "Time for each answer: 90m, 12h or 3d. Default: 30d.")
    no_deadline: bool = c.flag("--no-deadline", "No deadlines: then nobody is ever timed out.")
    grace: str | None = c.option("--grace", "SPAN", "Time after a deadline before somebody is timed out.")
    bank: str | None = c.option("--bank", "SPAN", "How late each player may be in the whole game: 2d.")
    takeover: str | None = c.option(
        "--takeover", "SPAN", "How long a seat must be vacant before it can be taken over: 7d."
    )
    takeovers: int | None = c.option("--takeovers", "", "How many seats can be taken over. Default: all of them.")
    arbiter: str | None = c.option(
        "--arbiter", "KEY", "Public key of an arbiter, whose rulings bind everybody who joins."
    )


class MailOptions(NamedTuple):
    """An offer that an office sends."""

    office: str | None = c.option("--office", "DIR", "Host it by mail, from this office (see `referee mail`).")
    to: list[str] | None = c.option("--to", "ADDRESS", "With --office: whom to invite, once each, in seat order.")
    by_hand: bool = c.flag("--by-hand", "With --office: you start it, with `referee mail table --start`.")


def offer(
    game: c.GameName,
    seats: c.SeatsOption,
    option: c.ChoiceOption = None,
    edition: c.EditionOption = None,
    *,
    said: TermOptions,
    mail: MailOptions,
    output: str | None = c.option("-o", "FILE", "The offer; - to print it."),
    now: c.NowOption = None,
    dry: c.DryOption = False,
    json: c.JsonOption = False,
    key: c.KeyOption = None,
) -> None:
    """Offer a game: commit to its terms and to a secret before anybody joins. An office sends the invitations itself.

    Example: referee offer schwarzer-freitag --seats 3 --deadline 3d
    referee offer mark --seats 2 --office DIR --to anna@example.org --to b@x.org
    """
    from referee.cli.mail import OfficeOptions, invite

    c.refuse_without({"--to": mail.to, "--by-hand": mail.by_hand}, "--office", mail.office)
    spans = tables.time_limits(said.deadline, said.grace, said.bank, never=said.no_deadline)
    wanted = tables.terms_of(game, seats, option or [], edition)
    many, vacant = tables.takeovers_of(seats, said.takeover, said.takeovers, never=said.no_deadline)
    named = tables.arbiter_key(said.arbiter)

    def made_by(mine: "keys.Key") -> "envelope.Envelope":
        return lobby.make_offer(mine, *wanted, *spans, arbiter=named, takeovers=many, takeover=vacant)

    if mail.office is not None:
        for name, value in {"--takeovers": many or None, "-o": output, "--key": key}.items():
            c.chosen({"--office": mail.office, name: value})
        return invite(mail.office, made_by, mail.to or [], mail.by_hand, OfficeOptions(now, dry, json))
    made = made_by(c.load_key(key))
    terms, offer_id = table.check_offer(made)
    path = output or files.offer_name(offer_id, game)
    c.write_out(path, codec.encode(made), new=True, dry=dry)
    if json and path != "-":
        c.report({"offer": offer_id, "written": "" if dry else path})
    c.say(shown.terms_in_words(terms))
    return c.next_step(w("Next: send {file} to the players; each answers with {command}.", file=c.sent(path),
                         command=run("join", c.sent(path, "OFFER"))), dry)  # fmt: skip


def join(
    offer: str = c.argument(
        "OFFER|VIEW",
        "The host's offer; or a view of a running game, to take over a seat. Or the saved mail that brought it; - "
        "for standard input.",
        completion.files("offer", "view", mail=True),
    ),
    *,
    how: JoinOptions,
) -> None:
    """Join a game: read the terms of an offer, then sign that you take part; or take over a vacant seat. If you have no
    key yet, one is made.

    Example: referee join 0c9fb6a1-schwarzer-freitag.offer.json
    referee join 0c9fb6a1-schwarzer-freitag.offer.json --name Anna
    referee join be4f2750-r012-public.view.json --seat Bert
    """
    to = joining.read_invitation(offer)
    if to.offer is not None:
        c.refuse_without({"--seat": how.seat}, w("a view"), False)
    mine, new = joining.own_or_new_key(how.key, c.load_key, lambda: new_name(how.name))
    with c.hints(run("show", offer)):
        found = joining.enter(to, mine, how.name, how.seat, how.output)
    c.say(shown.terms_in_words(found.terms))
    if not (how.yes or how.dry):
        c.confirm_or_exit(found.question, w("Nothing was signed."))
    if found.unknown:
        c.say(w("This mail has no pass of an invitation: the host may not know who answers."))
    enter(found, how.dry, new)


def start(
    paths: list[str] | None = c.argument(
        "[OFFER.json] [JOIN...]",
        "Your offer, and the players' joins in seat order. Default: the offer in this folder, and its joins in the "
        "order of their file names.",
        completion.files("offer", "join"),
        default=None,
    ),
    output: c.GameFileOption = "game.json",
    out: c.OutOption = None,
    aid: c.AidOption = False,
    dry: c.DryOption = False,
    key: c.KeyOption = None,
) -> None:
    """Start the game: seat the players in the order of the joins and seal every bag.

    Example: referee start
    referee start *.offer.json anna.join.json bert.join.json
    """
    given = paths or []
    c.refuse_stdin_twice(given)
    mine, (offers, joins) = c.load_key(key), tables.read_start(given)
    offer, opened = offers[0] if offers else _own_offer(mine, key)
    joins = joins or _joins_beside(offer, opened, key)
    match = tables.seat_players(mine, opened, joins)
    folder = out if out is not None else os.path.dirname(output)
    mails = tables.write_first(match, c.game_path(output), folder, c.aid_maker(aid), dry=dry)
    if dry:
        c.report_dry_run()
        return
    more = (*(("--out", out) if out is not None else ()), *documents.with_key(key))
    again = run("apply", *((output,) if output != "game.json" else ()), *more)
    c.print_and_note((), tables.started_in_words(match, c.sent(output), mails, again))


def _own_offer(mine: "keys.Key", key: str | None) -> tuple[str, bytes]:
    """The host's only open offer in this folder, or the one that somebody chooses."""
    one, _ = asking.find(
        lambda notes: finding.own_offers(mine.public.hex(), notes, key),
        finding.no_offer,
        lambda n: t("{n} offers in this folder are yours and not started", n=n),
    )
    return one.file, one.data


def _joins_beside(offer: str, opened: bytes, key: str | None) -> list[bytes]:
    """All joins for an offer that lie beside it; they must be as many as its seats."""
    terms, offer_id = table.check_offer(codec.decode(opened, envelope.Envelope, "offer"))
    notes = finding.Notes()
    found, aside = finding.joins_of(offer_id, finding.folder_of(offer), notes)
    asking.say_notes(notes)
    c.print_and_note((), finding.joins_in_words(found, aside))
    if len(found) != terms.seats:
        raise finding.not_all_joins(offer, len(found), terms.seats, key)
    return [one.data for one in found]
