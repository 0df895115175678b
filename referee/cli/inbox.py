"""The command that shows which games wait for you: inbox."""

import os
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import typer

from referee.cli import t, w
from referee.cli.common import JsonOption, KeyOption, NowOption, clock, default_key, out, public_key, say, with_key
from referee.cli.reports import report
from referee.errors import CheckFailed, RefereeError
from referee.language import NOTHING, Run, Text, Time, Told, run

KEYS_MOST = 200
NOTES_MOST = 20
TRIES_MOST = 20
"""So many views of a game may fail the checks, each of which takes as long as a good one."""
STATES = ("bad", "waits", "invited", "answered", "joined", "elsewhere", "others", "over", "foreign")
"""In the order in which they are shown: what wants something of you comes first."""
_WORDS = {
    "bad": t("something is wrong"), "waits": t("waits for you"), "invited": t("invites you"),
    "answered": t("you have answered"), "joined": t("you have joined"),
    "elsewhere": t("this is an older view"), "others": t("does not wait for you"),
    "over": t("is over"), "foreign": t("is for a key that you do not have here"),
}  # fmt: skip
Keys = dict[str, str | None]
"""Public half -> the file of a key of yours, as far as it must be named."""


class Row(NamedTuple):
    """A game or an invitation, as it is told."""

    source: Any
    file: str
    table: str
    game: str = ""
    title: str = ""
    you: str = ""
    round: int = 0
    state: str = ""
    asked: str = ""
    due: str = ""
    bank: int = 0
    left: str = ""
    said: Told | str = ""
    next: Told | Run = NOTHING


def inbox(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder with views, saved mails, a Maildir, an mbox.")],
    json: JsonOption = False,
    key: KeyOption = None,
    now: NowOption = None,
) -> None:
    """Which games wait for you, by the views and mails in a folder: what is asked, until when, and what to type."""
    from referee.show.text import clean

    time, notes = clock(now), list[Text]()
    rows = [row._replace(left=_left(row, time)) for row in _rows(folder, _own_keys(key), notes)]
    rows.sort(key=lambda row: (STATES.index(row.state), row.due or "9", -row.source.changed, row.file))
    if json:
        told = [{name: value for name, value in row._asdict().items() if name != "source"} for row in rows]
        report({"games": told, "notes": notes})
        return
    for row in rows:
        for line in _lines(row):
            out(line)
    for note in notes[:NOTES_MOST]:
        say(clean(str(note)))
    if len(notes) > NOTES_MOST:
        say(w("... and {n} more notes; --json has them all.", n=len(notes) - NOTES_MOST))
    wanted = [row.next for row in rows if row.state in STATES[:3]]
    say(w("Next: {next}", next=clean(str(wanted[0]))) if wanted else w("Next: nothing here waits for you."))


def _own_keys(path: str | None) -> Keys:
    """All keys in the folder of your key, and the one that was named."""
    home = os.path.dirname(default_key())
    names = sorted(os.listdir(home))[:KEYS_MOST] if os.path.isdir(home) else []
    beside = [one for one in (os.path.join(home, name) for name in names) if os.path.isfile(one)]
    keys: Keys = {public_key(one): one for one in beside}
    keys[public_key()] = None
    if path is not None:
        keys[public_key(path)] = path
    keys.pop("", None)
    return keys


def _rows(folder: str, keys: Keys, notes: list[Text]) -> list[Row]:
    """A row for each game and player, and for each invitation to a game of which no view is there."""
    from referee.mail.folder import look_through

    found = look_through(folder, notes)
    games: dict[tuple[str, str], list[Any]] = {}
    for one in sorted(found, key=lambda one: -one.rounds):
        if one.kind == "view":
            games.setdefault((one.game, one.key), []).append(one)
    ends = [one for one in found if one.kind == "transcript"]
    told = (
        _game_row(views, [one for one in ends if one.game == game], keys, notes) for (game, _), views in games.items()
    )
    known = {one.offer for one in found if one.kind in ("view", "transcript")}
    joined = {one.offer for one in found if one.kind == "join" and one.key in keys}
    offers = {one.offer: one for one in found if one.kind == "offer" and one.offer not in known and one.key not in keys}
    invited = (_offer_row(one, one.offer in joined, notes) for one in offers.values())
    return [row for row in (*told, *invited) if row is not None]


# --- what it means ---------------------------------------------------------------------------------------------------


def _row(one: Any) -> Row:
    from referee.io.files import printable

    return Row(one.source, printable(one.source.path), one.offer[:8], one.game, round=one.rounds)


def _checked(found: Sequence[Any], check: Any, notes: list[Text]) -> tuple[Any, Any]:
    """The first document that passes all checks, opened: a forged newer one hides no true one."""
    from referee.mail.folder import read_again

    trouble: RefereeError | None = None
    for one in found[:TRIES_MOST]:
        try:
            return one, check(read_again(one))
        except RefereeError as error:
            trouble = trouble or error
            notes.append(t("{place} is left aside: {why}", place=one.source.place, why=error.message))
    if len(found) > TRIES_MOST:
        notes.append(t("table {table}: {n} documents fail the checks; move them away, then look again",
                       table=found[0].offer[:8], n=TRIES_MOST))  # fmt: skip
    if trouble is not None:
        raise trouble
    return None, None


def _game_row(views: Sequence[Any], ends: Sequence[Any], keys: Keys, notes: list[Text]) -> Row | None:
    """A game, by the newest good view of it. Of bad ones alone, only what proves something against a host counts."""
    from referee.cli.look import open_view
    from referee.io import tickets

    try:
        one, (opened, ticket) = _checked(views, lambda data: open_view("", data), notes)
        age = tickets.age(ticket, opened)
    except CheckFailed as error:
        return _row(views[0])._replace(state="bad", said=error.message, next=error.next)
    except RefereeError:
        return None
    table, last = opened.table, opened.chain.last
    row = _row(one)._replace(
        title=table.game.title,
        you=opened.name,
        asked=opened.ask.what if opened.ask else "",
        due=last.due if last else "",
        bank=(*opened.chain.checkpoint.state.bank, *[0] * table.seats)[opened.seat],
    )
    # Who has a key here plays with that one, and answers for no kept seat.
    if one.key not in keys and (opened.seat not in table.kept or any(key.hex() in keys for key in table.keys)):
        return row._replace(state="foreign", next=t("look with {command}", command=run("show", one.source.path)))
    if over := _over_row(row, ends, notes):
        return over
    if age == "old":
        before = t("you have seen round {round} already", round=len(ticket.view.entries))
        return row._replace(state="elsewhere", said=before, next=t("look for the newest view"))
    return _open_row(row, opened, ticket, keys.get(one.key))


def _over_row(row: Row, ends: Sequence[Any], notes: list[Text]) -> Row | None:
    """A game of which a transcript is there that passes all checks."""
    from referee.evidence.replay import open_transcript

    try:
        one, _ = _checked(ends, open_transcript, notes)
    except RefereeError:
        return None
    if one is None:
        return None
    return _row(one)._replace(title=row.title, you=row.you, state="over", next=_type(one.source, "verify"))


def _open_row(row: Row, opened: Any, ticket: Any, key: str | None) -> Row:
    """What an own view wants of its player."""
    from referee.cli.look import until_asked
    from referee.engine.rounds import ACK
    from referee.game import LINK
    from referee.io import tickets
    from referee.show.terminal import pending_summary
    from referee.show.text import asked_for, clean
    from referee.show.typed import signed_words

    said = pending_summary(opened, [clean(name) for name in opened.table.names])[0].removesuffix(".")
    if opened.chain.checkpoint.state.end:
        return row._replace(state="over", said=said, next=t("ask the host for the transcript"))
    if opened.ask is None:
        return row._replace(state="others", said=said, next=until_asked(opened, _type(row.source, "return", key)))
    bare = {ACK: t("agree to the game"), LINK: t("a bare answer, with nothing to choose")}
    row = row._replace(state="waits", said=bare.get(row.asked) or asked_for(row.asked, opened.table.offer.game))
    if opened.seat in opened.table.kept:
        told = t("answer the mail in words, if you have not yet: {subject}", subject=row.source.subject)
        return row._replace(next=told)
    signed = tickets.signed_for(ticket, opened)
    if signed is None:
        return row._replace(next=_type(row.source, "play", key))
    words = "; ".join(signed_words(opened, signed))
    return row._replace(state="answered", said=words, next=t("send that answer, if you have not yet"))


def _offer_row(one: Any, joined: bool, notes: list[Text]) -> Row | None:
    """An invitation, if its host has signed it."""
    from referee import games
    from referee.crypto.codec import decode
    from referee.crypto.envelope import Envelope
    from referee.engine.table import check_offer

    try:
        _, (offer, _) = _checked([one], lambda data: check_offer(decode(data, Envelope, "offer")), notes)
    except RefereeError:
        return None
    row = _row(one)._replace(title=games.load(offer.game).title, said=t("for {n} players", n=offer.seats))
    if joined:
        return row._replace(state="joined", next=t("wait until the host starts the game"))
    return row._replace(state="invited", next=_type(one.source, "join"))


# --- in words --------------------------------------------------------------------------------------------------------


def _type(source: Any, word: str, key: str | None = None) -> Text | Run:
    """The command to type. A mail among others in a mailbox has to be saved first."""
    if source.is_alone():
        return run(word, source.path, *with_key(key))
    return t("save the mail “{subject}” as a file, then {command}", subject=source.subject,
             command=run(word, "FILE.eml", *with_key(key)))  # fmt: skip


def _lines(row: Row) -> list[str]:
    """A game in three lines: which, how it stands, what to do."""
    from referee.show.text import clean, span

    title, game = row.title or w("A game"), row.game[:8]
    if game:
        which = w("{title}, game {game}, after round {round}, table {table}", title=title, game=game, round=row.round,
                  table=row.table)  # fmt: skip
    else:
        which = w("{title}, table {table}", title=title, table=row.table)
    due = f", {row.left} ({Time(row.due)})" if row.left else ""
    due = w("{left}, {span} in the time bank", left=due, span=span(row.bank)) if due and row.bank else due
    said = f": {clean(str(row.said))}" if row.said else ""
    do = str(row.next)
    do = do if row.file in do else f"{row.file}: {do}"
    return [
        w("{game}: you are {name}", game=which, name=clean(row.you)) if row.you else which,
        f"  {_WORDS[row.state]}{said}{due}",
        f"  {clean(do)}",
    ]


def _left(row: Row, now: datetime) -> str:
    """How long a deadline is away, as people say it."""
    if not row.due or row.state not in ("waits", "answered", "others"):
        return ""
    minutes = int((datetime.fromisoformat(row.due) - now).total_seconds() // 60)
    days, hours = divmod(abs(minutes) // 60, 24)
    parts = [w.plural("{n} day", "{n} days", days)] * bool(days)
    parts += [w.plural("{n} hour", "{n} hours", hours)] * bool(hours)
    span = " ".join(parts) or w("{n} minutes", n=abs(minutes))
    return w("{span} left", span=span) if minutes >= 0 else w("late by {span}", span=span)
