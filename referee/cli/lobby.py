"""Before the game: keys, offers, joins, the start."""

import os
from typing import Annotated, Any

import typer

from referee.cli import complete, t, w
from referee.cli.common import (
    AidOption,
    ArbiterOption,
    DryOption,
    GameName,
    KeyOption,
    OutOption,
    SignedOption,
    YesOption,
    aid_maker,
    default_key,
    game_path,
    go_on,
    load_key,
    passphrase,
    public_key_of,
    read_document,
    read_mailed,
    say,
    sent,
    stdin_once,
    tell_dry,
    tell_files,
    with_key,
    write_new,
)
from referee.cli.parcel import parcel_for
from referee.cli.values import placeholder
from referee.errors import BadSignature, FileTrouble, Usage
from referee.language import quoted, run
from referee.show.text import clean

SeatsOption = Annotated[int, typer.Option("--seats", help="Number of players.")]
ChoiceOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="K=V", help="An option of the game.", autocompletion=complete.options),
]
EditionOption = Annotated[
    str | None,
    typer.Option("--edition", metavar="FILE", help="Your own edition data.", autocompletion=complete.files("edition")),
]
DeadlineOption = Annotated[
    str | None, typer.Option("--deadline", metavar="SPAN", help="Time for each answer: 90m, 12h or 3d. Default: 30d.")
]
GraceOption = Annotated[
    str | None,
    typer.Option("--grace", metavar="SPAN", help="How much later somebody is timed out; needs a deadline."),
]
NoDeadlineOption = Annotated[bool, typer.Option("--no-deadline", help="No deadlines: then nobody is ever timed out.")]
BankOption = Annotated[
    str | None, typer.Option("--bank", metavar="SPAN", help="How late each player may be in the whole game: 2d.")
]
TakeoverOption = Annotated[
    str | None,
    typer.Option(
        "--takeover", metavar="SPAN", help="How long a seat must be vacant before somebody can take it over: 7d."
    ),
]
TakeoversOption = Annotated[
    int | None, typer.Option("--takeovers", help="How many seats can be taken over. Default: as many as there are.")
]
NameOption = Annotated[str | None, typer.Option("--name", help="Your name as the others will see it.")]


def key_new(
    name: NameOption = None,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="Where to keep the key.")] = None,
    lock: Annotated[bool, typer.Option("--passphrase", help="Protect the key with a passphrase.")] = False,
) -> None:
    """Make a key: your identity in every game."""
    from referee.crypto import keys
    from referee.engine.names import choose_name
    from referee.io import files, keyfile

    key = keys.Key(os.urandom(32), choose_name(name) if name is not None else "")
    phrase = passphrase(confirm=True) if lock else ""
    if lock and not phrase:
        raise Usage(t("an empty passphrase protects nothing"), t("type one, or leave --passphrase out"))
    path = default_key() if output is None else output
    if output is None:
        files.make_folder(os.path.dirname(path))
    write_new(path, keyfile.dump(key, phrase, os.urandom(32)), secret=True)
    say(w("Your key is in {file}; keep it secret and keep a copy.", file=files.printable(path)))
    say(w("Its public half is {key}.", key=key.public.hex()))
    join, offer = (
        run("join", placeholder("OFFER"), *with_key(output)),
        run("offer", placeholder("GAME"), "--seats", "N", *with_key(output)),
    )
    say(w("Next: answer an offer with {join}, or open a game with {offer}.", join=join, offer=offer))


def key_show(key: KeyOption = None) -> None:
    """Print the public half of your key."""
    from referee.cli.common import out

    out(load_key(key).public.hex())


def offer(
    game: GameName,
    seats: SeatsOption,
    option: ChoiceOption = None,
    edition: EditionOption = None,
    deadline: DeadlineOption = None,
    no_deadline: NoDeadlineOption = False,
    grace: GraceOption = None,
    bank: BankOption = None,
    arbiter: ArbiterOption = None,
    takeover: TakeoverOption = None,
    takeovers: TakeoversOption = None,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="The offer; - to print it.")] = None,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Open a game: the host commits to the terms and to a secret before anybody joins."""
    from referee.crypto.codec import encode
    from referee.crypto.envelope import ident
    from referee.engine import lobby, table
    from referee.io import files
    from referee.show.documents import terms_in_words

    spans = time_limits(deadline, grace, bank, never=no_deadline)
    wanted = offered(game, seats, option or [], edition, spans)
    given = takeovers_of(seats, takeover, takeovers, never=no_deadline)
    made = lobby.make_offer(load_key(key), *wanted, arbiter=arbiter_key(arbiter), **given)
    path = output or files.offer_name(ident("offer", bytes(made.body)), game)
    write_new(path, encode(made), dry=dry)
    say(terms_in_words(table.check_offer(made)[0]))
    if dry:
        say(w("Next: run it again without --dry-run."))
        return
    say(w("Next: send {file} to the players; each answers with {command}.", file=sent(path),
          command=run("join", sent(path, "OFFER"))))  # fmt: skip


def arbiter_key(text: str | None) -> bytes:
    """The public key of an arbiter; empty: there is none."""
    return public_key_of(text, t("an arbiter is named by a public key"))


def takeovers_of(seats: int, takeover: str | None, takeovers: int | None, *, never: bool) -> dict[str, Any]:
    """How seats can be taken over, as `engine.lobby.make_offer` takes it: as often as there are seats unless told."""
    from referee.engine.parts import MOST_TAKEOVERS
    from referee.io.times import read_span

    if takeover is None and takeovers is None:
        return {}
    if takeover is not None and never:
        why = t("without a deadline nobody is out: seats are handed over, or left, and then free at once")
        raise Usage(why, t("leave --takeover or --no-deadline out; --takeovers N goes with both"))
    most = seats if takeovers is None else takeovers
    if not 0 < most <= MOST_TAKEOVERS:
        raise Usage(
            t("that number of takeovers is not possible"),
            t("give a number from 1 to {most_takeovers}", most_takeovers=MOST_TAKEOVERS),
        )
    return {"takeovers": most, "takeover": 0 if takeover is None else read_span(takeover)}


def time_limits(deadline: str | None, grace: str | None, bank: str | None, *, never: bool) -> tuple[int, int, int]:
    """Minutes of deadline, grace and bank. A game has a deadline unless its host says otherwise: without one it can
    only be abandoned when somebody stops answering."""
    from referee.io.times import USUAL, read_span

    if never and deadline is not None:
        raise Usage(t("--deadline and --no-deadline exclude each other"), t("give one of them"))
    if never and grace is not None:
        raise Usage(t("grace without a deadline means nothing"), t("leave --grace or --no-deadline out"))
    if never and bank is not None:
        raise Usage(t("a time bank without a deadline means nothing"), t("leave --bank or --no-deadline out"))
    usual = 0 if never else USUAL
    given, later, more = (read_span(text) if text is not None else 0 for text in (deadline, grace, bank))
    return usual if deadline is None else given, later, more


def offered(
    game: str, seats: int, option: list[str], edition: str | None, spans: tuple[int, ...] = ()
) -> tuple[Any, ...]:
    """What these options describe, as `engine.lobby.make_offer` takes it behind the key."""
    from referee import games
    from referee.crypto.codec import read
    from referee.engine import table

    found = games.load(game)
    data = read_document(edition, "edition") if edition is not None else games.edition_bytes(game)
    terms = table.make_terms(found, seats, _chosen(game, option), read(data, found.edition, "edition"))
    return game, found, terms, os.urandom(32), *spans


def _chosen(game: str, texts: list[str]) -> Any:
    """The options of a game from the command line; who errs is told what there is."""
    from referee import games
    from referee.show.rules import choices

    try:
        return read_options(games.load(game).options, pairs(texts))
    except Usage as error:
        listed, explained = tuple(choices(game)), run("games", game)
        error.next = (
            t("there are: {listed}; {explained} explains them", listed=listed, explained=explained)
            if listed
            else t("leave --option out: there is none")
        )
        raise


def pairs(texts: list[str]) -> dict[str, str]:
    """`K=V` texts as a dict."""
    split = [text.partition("=") for text in texts]
    for name, sign, _ in split:
        if not sign:
            raise Usage(
                t("an option is written NAME=VALUE"), t("see `referee games GAME` for the options and their values")
            )
        if [other for other, _, _ in split].count(name) > 1:
            raise Usage(t("option {name} is given twice", name=quoted(name[:40])), t("give each option once"))
    return {name: value for name, _, value in split}


def read_options(form: Any, pairs: dict[str, str]) -> Any:
    """Options of a game from `K=V` texts."""
    import msgspec

    names = [field.name for field in msgspec.structs.fields(form)]
    for name, value in pairs.items():
        if name not in names:
            raise Usage(t("this game has no option {name}", name=quoted(name[:40])))
        try:
            msgspec.convert({name: value}, form, strict=False)
        except msgspec.ValidationError:
            raise Usage(t("the option {name} cannot be {value}", name=quoted(name), value=quoted(value[:40]))) from None
    return msgspec.convert(pairs, form, strict=False)


def join(
    offer: Annotated[
        str,
        typer.Argument(
            metavar="OFFER",
            help="The host's offer, or the saved mail that brought it; - for standard input.",
            autocompletion=complete.files("offer", mail=True),
        ),
    ],
    output: SignedOption = None,
    name: NameOption = None,
    yes: YesOption = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Answer an offer: read the terms, then take part under your name and key."""
    from referee.crypto.codec import decode, encode
    from referee.crypto.envelope import Envelope
    from referee.engine.table import check_offer
    from referee.io import files
    from referee.show.documents import terms_in_words

    data, mail = read_mailed(offer, "offer")
    opened = decode(data, Envelope, "offer")
    terms, offer_id = check_offer(opened)
    mine = load_key(key)
    wanted = own_name(mine, name)
    made = _make_join(mine, opened, wanted, offer)
    say(terms_in_words(terms))
    if not (yes or dry):
        go_on(w("Take part in this as {name}?", name=wanted), w("Nothing was signed."))
    place = parcel_for(mail, output, files.join_name(offer_id, wanted, mine.public.hex()))
    signed = encode(made)
    write_new(place.path, signed, dry=dry, beside=place.joining(offer_id, signed))
    if dry:
        say(w("Next: run it again without --dry-run."))
        return
    say(w("You are in, as soon as the host starts the game."))
    say(w("{next} Then wait for your first view.", next=place.next()))


def own_name(mine: Any, given: str | None) -> str:
    """The name under which somebody plays: the one that was given, or the key's."""
    wanted = given if given is not None else mine.name
    if not wanted:
        raise Usage(t("your key has no name"), t("say who you are with --name"), code="no-name")
    return str(wanted)


def _make_join(mine: Any, offer: Any, name: str, path: str) -> Any:
    """The signed join; a host who also plays is led to a second key."""
    from referee.engine import lobby
    from referee.engine.names import choose_name

    try:
        return lobby.make_join(mine, offer, choose_name(name), os.urandom(32))
    except BadSignature as error:
        if error.code == "same-key":
            advice = t(
                "make one with {second}, then run {value}",
                second=run("key", "new", "--name", name, "-o", "player-key.json"),
                value=run("join", path, "--key", "player-key.json"),
            )
            why = t("this offer is your own: a host who also plays needs a second key")
            raise BadSignature(why, advice, code=error.code) from None
        raise


def start(
    offer: Annotated[
        str, typer.Argument(metavar="OFFER.json", help="Your offer.", autocompletion=complete.files("offer"))
    ],
    joins: Annotated[
        list[str],
        typer.Argument(
            metavar="JOIN...", help="The players' joins, in seat order.", autocompletion=complete.files("join")
        ),
    ],
    output: Annotated[
        str, typer.Option("-o", metavar="FILE", help="The game file. It is for you alone.")
    ] = "game.json",
    out: OutOption = None,
    aid: AidOption = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Start the game: seat the players in the order of the joins and seal every bag."""
    from referee.crypto.codec import decode
    from referee.crypto.envelope import Envelope
    from referee.engine import lobby, names
    from referee.engine.host import new_match
    from referee.io import desk, files, guard
    from referee.io.gamefile import dump_match

    mine = load_key(key)
    stdin_once([offer, *joins])
    opened = decode(read_document(offer, "offer"), Envelope, "offer")
    answers = tuple(decode(read_document(path, "join"), Envelope, "join") for path in joins)
    table = lobby.make_genesis(mine, opened, answers)
    names.refuse_alike([names.choose_name(name) for name in table.names])
    match = new_match(mine, table)
    with guard.guarding(match, game_path(output), source="start", dry=dry) as guarded:
        _refuse_existing(output)
        if dry:
            tell_dry()
            return
        folder = out if out is not None else os.path.dirname(output)
        views = desk.view_files(match, folder, aid_maker(aid))
        desk.refuse_same(output, views)
        wanted = {**guarded(), output: dump_match(match), **views}
        files.write(wanted, secret=[*wanted], make=[folder])
    say(w("Game {game} is set up. Keep {file} to yourself: it knows every hidden card.", game=table.id[:8],
          file=files.printable(output)))  # fmt: skip
    paths = {(seat, clean(name)): desk.view_path(match, seat, folder) for seat, name in enumerate(table.names)}
    tell_files({whose: [path, *[desk.aid_path(path)] * aid] for whose, path in paths.items()})
    again = run("apply", output, placeholder("MOVE..."), *(("--out", out) if out is not None else ()), *with_key(key))
    say(w("Next: send everybody the own view; each answers with `referee play VIEW`, and you take that with {command}.",
          command=again))  # fmt: skip


def _refuse_existing(path: str) -> None:
    from referee.io import files

    if files.exists(path):
        raise FileTrouble(
            t("{path} exists already", path=files.printable(path)), t("choose another name with -o"), code="exists"
        )
