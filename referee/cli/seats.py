"""Taking over a seat, and coming back to one."""

import os
from typing import Annotated, Any

import typer

from referee.cli import complete, t, w
from referee.cli.common import (
    DryOption,
    KeyOption,
    SignedOption,
    ViewArgument,
    YesOption,
    go_on,
    hints,
    load_key,
    public_key_of,
    read_mailed,
    say,
    sent,
    write_new,
)
from referee.cli.lobby import NameOption, own_name
from referee.cli.look import open_view
from referee.cli.parcel import parcel_for
from referee.cli.values import placeholder
from referee.errors import Usage, WrongTurn
from referee.language import Text, Time, run
from referee.show.text import clean


def succeed(
    view: Annotated[
        str,
        typer.Argument(
            metavar="VIEW",
            help="The newest view of the game, of anybody, or the saved mail that brought it.",
            autocompletion=complete.files("view", mail=True),
        ),
    ],
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="NAME", help="Whose seat, by name or number; needed if there are several."),
    ] = None,
    output: SignedOption = None,
    name: NameOption = None,
    yes: YesOption = False,
    dry: DryOption = False,
    key: KeyOption = None,
) -> None:
    """Take over a vacant seat: check the game so far, read its terms, then sign that you play on."""
    from referee.engine.names import choose_name, refuse_alike
    from referee.engine.player import succeed as sign_succession
    from referee.show.documents import terms_in_words

    opened, mail = _read(view)
    table, checkpoint, mine = opened.table, opened.chain.checkpoint, load_key(key)
    wanted = choose_name(own_name(mine, name))
    with hints(run("show", view)):
        number = _vacant(opened, seat, mine.public.hex())
        refuse_alike([*table.names, wanted])
        signed = sign_succession(mine, table, checkpoint, number, wanted, os.urandom(32))
    say(terms_in_words(table.offer))
    if not (yes or dry):
        whose = clean(table.names[number])
        go_on(w("Take over {holder}'s seat as {name}?", holder=whose, name=wanted), w("Nothing was signed."))
    words = w("I am taking over a seat: my signed word to the host.")
    _write(opened, mail, output, number, "succession", words, signed, dry)


def come_back(view: ViewArgument, output: SignedOption = None, dry: DryOption = False, key: KeyOption = None) -> None:
    """Come back to a game after two missed deadlines: you are asked again from the next round on."""
    from referee.engine.player import come_back as sign_return

    opened, mail = _read(view)
    with hints(run("show", view)):
        signed = sign_return(load_key(key), opened)
    words = w("I am coming back: my signed word to the host.")
    _write(opened, mail, output, opened.seat, "return", words, signed, dry)


def _read(view: str) -> tuple[Any, Any]:
    """A view of the game, checked, and the mail that brought it, if one did."""
    data, mail = read_mailed(view, "view")
    return open_view(view, data)[0], mail


def _vacant(opened: Any, wanted: str | None, key: str) -> int:
    """Which seat this key takes over: the one that is meant, or the only one that it can have."""
    from referee.engine.seats import open_seats, out_seats
    from referee.io.desk import find_seat

    table, state = opened.table, opened.chain.checkpoint.state
    if not table.offer.takeovers:
        advice = t("a new offer can allow it: {run}", run=run("offer", "--takeovers"))
        raise WrongTurn(t("in this game no seat can be taken over"), advice, code="not-vacant")
    if wanted is not None:
        return find_seat(table.names, wanted)
    vacant = open_seats(table, state)
    named, out = [one.seat for one in vacant if one.key == key], out_seats(state)
    mine = named or [one.seat for one in vacant if one.seat in out]
    if not mine:
        advice = t("{run} tells who plays, and whose seat is vacant", run=run("show"))
        raise WrongTurn(t("you can take over no seat of this game now"), advice, code="not-vacant")
    if len(mine) > 1:
        names = tuple(clean(table.names[one]) for one in mine)
        raise Usage(t("say which seat you take over"), t("name one of these with --seat: {names}", names=names))
    return mine[0]


def _write(
    opened: Any, mail: Any, output: str | None, seat: int, kind: str, words: str, signed: bytes, dry: bool
) -> None:
    from referee.io.files import file_name

    table = opened.table
    place = parcel_for(mail, output, file_name(table.id, opened.round + 1, seat, table.names, kind))
    write_new(place.path, signed, dry=dry, beside=place.files(kind, signed, words))
    if dry:
        say(w("Next: run it again without --dry-run."))
        return
    say(place.next())
    apply = run("apply", placeholder("GAME.json"), sent(place.path, "FILE"))
    say(w("The host takes it with {command}; then wait for your view.", command=apply))


def successor(opened: Any, text: str | None) -> str:
    """The key of the player who may take over a seat. One that never could is refused: nobody must wait in vain."""
    from referee.engine.seats import keys_of

    key = public_key_of(text, t("the player who takes over your seat is named by a public key")).hex()
    table, state = opened.table, opened.chain.checkpoint.state
    if not key:
        return ""
    if key == table.keys[opened.seat].hex():
        if not any(one.seat == opened.seat and one.key for one in state.vacant):
            advice = t("give the key of the player who takes over your seat")
            raise Usage(t("this key is your own, and you named nobody before"), advice)
        return str(key)
    if len(state.holders) >= table.offer.takeovers:
        raise Usage(t("no seat of this game can be taken over any more"), t("leave --handover out"))
    if key in keys_of(table, state):
        advice = t("ask the new player for another one: `referee key new -o FILE`")
        raise Usage(t("this key was used in this game before: a new player needs one of their own"), advice)
    return str(key)


# --- for the host ----------------------------------------------------------------------------------------------------


def newcomer(match: Any, seat: int) -> str:
    """Who waits to have this seat."""
    import msgspec

    from referee.engine.records import Succession
    from referee.engine.seats import arrival

    waiting = match.arrivals[seat]
    own = arrival(waiting)[1]
    return clean(match.table.names[seat] if own else msgspec.json.decode(waiting.body, type=Succession).name)


def arriving(match: Any, seat: int) -> Text:
    """Who takes this seat, or comes back to it, and when."""
    from referee.engine.seats import arrival

    holder = clean(match.table.names[seat])
    if seat not in match.arrivals:
        return t("{name} has the seat now, and answers from the next round on", name=holder)
    name = newcomer(match, seat)
    if arrival(match.arrivals[seat])[1]:
        return t("{name} comes back when this round is closed", name=name)
    time = _not_before(match, seat)
    if time:
        return t("{name} takes over {holder}'s seat with the first round that is closed at {time} or later", name=name,
                 holder=holder, time=Time(time))  # fmt: skip
    return t("{name} takes over {holder}'s seat when this round is closed", name=name, holder=holder)


def _not_before(match: Any, seat: int) -> str:
    """When a round can be closed with the succession that waits for this seat; empty: at any time."""
    import msgspec

    from referee.engine.records import Succession
    from referee.io.times import later

    (vacancy,) = (one for one in match.state.vacant if one.seat == seat)
    named = vacancy.key == msgspec.json.decode(match.arrivals[seat].body, type=Succession).key
    offer = match.table.offer
    return "" if named or not (vacancy.due and offer.takeover) else later(vacancy.due, offer.takeover - offer.deadline)
