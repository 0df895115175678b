"""What a player's tool remembers of each game: enough to notice a host who tells two stories."""

import os

from referee.crypto.codec import Hex32, decode, encode
from referee.crypto.envelope import Envelope, ident
from referee.engine.player import Opened
from referee.engine.records import Record
from referee.engine.table import Table
from referee.errors import CheckFailed, WrongTurn
from referee.io import files


class Ticket(Record, frozen=True):
    """The newest view seen of a game: its round, its entry, the bytes of its private part."""

    game: Hex32
    join: Hex32
    round: int
    entry: Hex32
    private: Envelope


def home() -> str:
    """Where keys and tickets live: REFEREE_HOME, or the platform's place for user data."""
    chosen = os.environ.get("REFEREE_HOME")
    if chosen:
        return chosen
    import platformdirs

    return platformdirs.user_data_dir("pbem-referee", appauthor=False)


def path_of(opened: Opened) -> str:
    """One ticket per join: a join serves one game only."""
    return os.path.join(home(), "tickets", join_id(opened) + ".json")


def join_id(opened: Opened) -> str:
    return ident("join", bytes(opened.table.genesis.joins[opened.seat].body))


def compare(opened: Opened, data: bytes) -> str:
    """Compare a view with the ticket. Returns `new`, `same` or `old`; contradictions are written down and raised."""
    path = path_of(opened)
    if not files.exists(path):
        return "new"
    ticket = decode(files.read(path, files.SMALL, "ticket"), Ticket, "ticket")
    number = opened.private.round
    entries = [ident("entry", bytes(decode(bytes(e), Envelope, "entry").body)) for e in opened.view.entries]
    problem: tuple[str, int, str] | None = None
    if ticket.game != opened.table.id:
        problem = "two-geneses", 0, "the host started another game with the same join"
    elif number >= ticket.round > 0 and entries[ticket.round - 1] != ticket.entry:
        problem = "two-entries", ticket.round, "the host signed two different entries for one round"
    elif number == ticket.round and bytes(opened.view.private.body) != bytes(ticket.private.body):
        problem = "two-privates", number, "the host told you two different things in one round"
    if problem:
        code, step, message = problem
        evidence = f"{path[:-5]}.evidence"
        files.write({evidence + ".view.json": data, evidence + ".ticket.json": encode(ticket)})
        raise CheckFailed(
            code,
            f"round {step}: {message}",
            step=step,
            next=f"both are kept in {files.show(evidence)}.*; show them to the other players",
        )
    return "old" if number < ticket.round else "same" if number == ticket.round else "new"


def remember(opened: Opened) -> None:
    """Keep the newest view's ticket."""
    folder = os.path.join(home(), "tickets")
    files.make_folder(folder)
    ticket = Ticket(opened.table.id, join_id(opened), opened.private.round, opened.private.entry, opened.view.private)
    files.write({path_of(opened): encode(ticket)})


def refuse_old(opened: Opened, data: bytes) -> None:
    """Before signing: the view must be the newest one seen."""
    if compare(opened, data) == "old":
        raise WrongTurn("you have already seen a newer view of this game", "use the newest view", code="old-view")


def _start_path(table: Table) -> str:
    return os.path.join(home(), "started", table.offer_id + ".json")


def start_once(table: Table) -> None:
    """A host must not start two games from one offer, not even by mistake: the players could prove it."""
    path = _start_path(table)
    if files.exists(path) and files.read(path, files.SMALL, "genesis") != encode(table.envelope):
        raise WrongTurn(
            "you have already started another game from this offer", "make a new offer", code="already-started"
        )


def started(table: Table) -> None:
    """Remember the game that was started from an offer."""
    files.make_folder(os.path.join(home(), "started"))
    files.write({_start_path(table): encode(table.envelope)})
