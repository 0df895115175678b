"""What a player's tool remembers of each game: enough to notice a host who tells two stories."""

import os

from referee.crypto.codec import encode
from referee.crypto.envelope import ident
from referee.engine.compare import compare as contradict
from referee.engine.player import Opened, open_view
from referee.engine.table import Table
from referee.errors import CheckFailed, Malformed, RefereeError, WrongTurn
from referee.io import files


def home() -> str:
    """Where keys and tickets live: REFEREE_HOME, or the platform's place for user data."""
    chosen = os.environ.get("REFEREE_HOME")
    if chosen:
        return chosen
    import platformdirs

    return platformdirs.user_data_dir("pbem-referee", appauthor=False)


def path_of(opened: Opened) -> str:
    """One ticket per join, which serves one game only. It is the newest view itself, so that it proves something."""
    join = ident("join", bytes(opened.table.genesis.joins[opened.seat].body))
    return os.path.join(home(), "tickets", join + ".view.json")


def compare(opened: Opened, data: bytes) -> str:
    """Compare a view with the ticket. Returns `new`, `same` or `old`; contradictions are written down and raised."""
    path = path_of(opened)
    if not files.exists(path):
        return "new"
    ticket = files.read(path, files.LARGE, "ticket")
    try:
        number = open_view(ticket).private.round
    except RefereeError:
        message = f"what you remember of this game is damaged: {files.show(path)}"
        raise Malformed(message, "take that file away, and check your own copies of older views") from None
    try:
        contradict([ticket, data])
    except CheckFailed as error:
        evidence = path.removesuffix(".view.json") + ".evidence"
        files.write({evidence + "-1.view.json": ticket, evidence + "-2.view.json": data})
        error.next = f"both views are kept as {files.show(evidence)}-*.view.json; show them to the other players"
        raise
    newer = opened.private.round - number
    return "old" if newer < 0 else "same" if newer == 0 else "new"


def ticket_of(opened: Opened, data: bytes) -> dict[str, bytes]:
    """The ticket to keep for a view, as a file to write."""
    return {path_of(opened): data}


def remember(opened: Opened, data: bytes) -> None:
    """Keep this view as the newest one seen."""
    path = path_of(opened)
    files.write(ticket_of(opened, data), secret=[path], make=[os.path.dirname(path)])


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


def start_record(table: Table) -> dict[str, bytes]:
    """The note that a game was started from an offer, as a file to write."""
    return {_start_path(table): encode(table.envelope)}
