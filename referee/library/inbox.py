"""A folder of views and mails: which games wait for their player, and what to do."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from referee import games
from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.engine.player import Opened
from referee.engine.rounds import ACK
from referee.engine.table import check_offer
from referee.errors import CheckFailed, RefereeError
from referee.evidence.replay import open_transcript
from referee.game import LINK
from referee.io import tickets
from referee.io.files import printable
from referee.io.tickets import Ticket
from referee.language import NOTHING, Message, Run, Text, Time, run
from referee.library import t, w
from referee.library.documents import OwnKeys, with_key
from referee.library.looking import not_asked_yet, open_view
from referee.mail.folder import Found, Source, look_through, read_again
from referee.show.terminal import pending_summary
from referee.show.text import asked_for, clean, span
from referee.show.typed import signed_words

T = TypeVar("T")
TRIES_MOST = 20
"""Most views of a game that may fail the checks, each of which takes as long as a good one."""
NOTES_MOST = 20
"""Notes that are printed."""
STATES = ("bad", "waits", "invited", "answered", "joined", "elsewhere", "others", "over", "foreign")
"""In the order in which they are shown: what wants something of you comes first."""
WORDS = {
    "bad": t("something is wrong"), "waits": t("waits for you"), "invited": t("invites you"),
    "answered": t("you have answered"), "joined": t("you have joined"),
    "elsewhere": t("this is an older view"), "others": t("does not wait for you"),
    "over": t("is over"), "foreign": t("is for a key that you do not have here"),
}  # fmt: skip


class Row(NamedTuple):
    """A game or an invitation in the list."""

    source: Source
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
    said: Message | str = ""
    next: Message | Run = NOTHING

    @property
    def wanted(self) -> bool:
        """Whether its player has to do something."""
        return self.state in STATES[:3]


def rows_of(folder: str, keys: OwnKeys, now: datetime, notes: list[Text], *, deep: bool = True) -> list[Row]:
    """A row for each game and player, and for each invitation to a game of which no view is there; what is most urgent
    comes first. Files that cannot be used are noted. Unless `deep`, folders below are not searched."""
    found = look_through(folder, notes, deep=deep)
    played: dict[tuple[str, str], list[Found]] = {}
    for one in sorted(found, key=lambda one: -one.rounds):
        if one.kind == "view":
            played.setdefault((one.game, one.key), []).append(one)
    ends = [one for one in found if one.kind == "transcript"]
    problem = (
        _game_row(views, [one for one in ends if one.game == game], keys, notes) for (game, _), views in played.items()
    )
    known = {one.offer for one in found if one.kind in ("view", "transcript")}
    joined = {one.offer for one in found if one.kind == "join" and one.key in keys}
    offers = {one.offer: one for one in found if one.kind == "offer" and one.offer not in known and one.key not in keys}
    invited = (_offer_row(one, one.offer in joined, notes) for one in offers.values())
    rows = [row._replace(left=_time_left(row, now)) for row in (*problem, *invited) if row is not None]
    return sorted(rows, key=lambda row: (STATES.index(row.state), row.due or "9", -row.source.changed, row.file))


# --- what it means ---------------------------------------------------------------------------------------------------


def _row(one: Found) -> Row:
    return Row(one.source, printable(one.source.path), one.offer[:8], one.game, round=one.rounds)


def _checked(found: Sequence[Found], check: Callable[[bytes], T], notes: list[Text]) -> tuple[Found, T]:
    """The first document that passes all checks, opened: a forged newer one cannot hide a genuine one."""
    troubles = []
    for one in found[:TRIES_MOST]:
        try:
            return one, check(read_again(one))
        except RefereeError as error:
            troubles.append(error)
            notes.append(t("{place} is skipped: {why}", place=one.source.place, why=error.message))
    if len(found) > TRIES_MOST:
        notes.append(t("table {table}: {n} documents fail the checks; move them away, then look again",
                       table=found[0].offer[:8], n=TRIES_MOST))  # fmt: skip
    raise troubles[0]


def _game_row(views: Sequence[Found], ends: Sequence[Found], keys: OwnKeys, notes: list[Text]) -> Row | None:
    """A game, by its newest good view. If all views are bad, only a proof against the host is reported."""
    try:
        one, (opened, ticket) = _checked(views, open_view, notes)
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
    if ends and (over := _over_row(row, ends, notes)):
        return over
    if ticket is not None and age == "old":
        before = t("you have seen round {round} already", round=len(ticket.view.entries))
        return row._replace(state="elsewhere", said=before, next=t("look for the newest view"))
    return _open_row(row, opened, ticket, keys.get(one.key))


def _over_row(row: Row, ends: Sequence[Found], notes: list[Text]) -> Row | None:
    """A game with a transcript that passes all checks."""
    try:
        one, _ = _checked(ends, open_transcript, notes)
    except RefereeError:
        return None
    return _row(one)._replace(title=row.title, you=row.you, state="over", next=_type(one.source, "verify"))


def _open_row(row: Row, opened: Opened, ticket: Ticket | None, key: str | None) -> Row:
    """What a view of your own asks of you."""
    summary = pending_summary(opened, [clean(name) for name in opened.table.names])[0].removesuffix(".")
    if opened.chain.checkpoint.state.end:
        return row._replace(state="over", said=summary, next=t("ask the host for the transcript"))
    if opened.ask is None:
        return row._replace(state="others", said=summary, next=not_asked_yet(opened, _type(row.source, "return", key)))
    bare = {ACK: t("agree to the game"), LINK: t("a confirmation, with nothing to choose")}
    row = row._replace(state="waits", said=bare.get(row.asked) or asked_for(row.asked, opened.table.offer.game))
    if opened.seat in opened.table.kept:
        advice = t("answer the mail in words, if you have not yet: {subject}", subject=row.source.subject)
        return row._replace(next=advice)
    signed = tickets.signed_for(ticket, opened)
    if signed is None:
        return row._replace(next=_type(row.source, "play", key))
    words = "; ".join(signed_words(opened, signed))
    return row._replace(state="answered", said=words, next=t("send that answer, if you have not yet"))


def _offer_row(one: Found, joined: bool, notes: list[Text]) -> Row | None:
    """An invitation, if its host has signed it."""
    try:
        _, (offer, _) = _checked([one], lambda data: check_offer(decode(data, Envelope, "offer")), notes)
    except RefereeError:
        return None
    row = _row(one)._replace(title=games.load(offer.game).title, said=t("for {n} players", n=offer.seats))
    if joined:
        return row._replace(state="joined", next=t("wait until the host starts the game"))
    return row._replace(state="invited", next=_type(one.source, "join"))


# --- in words --------------------------------------------------------------------------------------------------------


def _type(source: Source, word: str, key: str | None = None) -> Text | Run:
    """The command to type. A mail among others in a mailbox has to be saved first."""
    if source.is_alone():
        return run(word, source.path, *with_key(key))
    return t("save the mail “{subject}” as a file, then {command}", subject=source.subject,
             command=run(word, "FILE.eml", *with_key(key)))  # fmt: skip


def data_of(rows: Sequence[Row], notes: Sequence[Text]) -> dict[str, object]:
    """The list for programs."""
    data = [{name: value for name, value in row._asdict().items() if name != "source"} for row in rows]
    return {"games": data, "notes": notes}


def in_words(rows: Sequence[Row], notes: Sequence[Text]) -> tuple[list[str], list[str]]:
    """The list for people, and notes about it."""
    texts = [clean(str(note)) for note in notes[:NOTES_MOST]]
    if more := len(notes[NOTES_MOST:]):
        texts.append(w.plural("... and {n} more note; --json has them all.",
                              "... and {n} more notes; --json has them all.", more))  # fmt: skip
    next = "".join([clean(str(row.next)) for row in rows if row.wanted][:1])
    texts.append(w("Next: {next}", next=next) if next else w("Next: nothing here waits for you."))
    return [line for row in rows for line in lines(row)], texts


def lines(row: Row) -> list[str]:
    """A game in three lines: which, how it stands, what to do."""
    title, game = row.title or w("A game"), row.game[:8]
    if game:
        which = w("{title}, game {game}, after round {round}, table {table}", title=title, game=game, round=row.round,
                  table=row.table)  # fmt: skip
    else:
        which = w("{title}, table {table}", title=title, table=row.table)
    due = f", {row.left} ({Time(row.due)})" if row.left else ""
    due = w("{left}, {span} in the time bank", left=due, span=span(row.bank)) if due and row.bank else due
    note = f": {clean(str(row.said))}" if row.said else ""
    do = str(row.next)
    do = do if row.file in do else f"{row.file}: {do}"
    return [
        w("{game}: you are {name}", game=which, name=clean(row.you)) if row.you else which,
        f"  {WORDS[row.state]}{note}{due}",
        f"  {clean(do)}",
    ]


def _time_left(row: Row, now: datetime) -> str:
    """How long a deadline is away, as people say it."""
    if not row.due or row.state not in ("waits", "answered", "others"):
        return ""
    minutes = int((datetime.fromisoformat(row.due) - now).total_seconds() // 60)
    days, hours = divmod(abs(minutes) // 60, 24)
    parts = [w.plural("{n} day", "{n} days", days)] * bool(days)
    parts += [w.plural("{n} hour", "{n} hours", hours)] * bool(hours)
    span = " ".join(parts) or w("{n} minutes", n=abs(minutes))
    return w("{span} left", span=span) if minutes >= 0 else w("late by {span}", span=span)
