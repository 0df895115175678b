"""Several files of one game side by side: do they tell the same story? A contradiction is a proof against the host."""

import contextlib
from collections.abc import Iterable, Mapping

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, body_of, check, ident
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.judging import check_answer, judge
from referee.engine.player import Opened
from referee.engine.rounds import asked, first_moment
from referee.engine.table import same_code
from referee.errors import CheckFailed, Malformed, RefereeError
from referee.evidence.files import Loose

NO_PROOF = ("bad-commitment", "early", "revealed")
"""Refusals that prove nothing: they rest on what no signature covers, come from a host who went back to an older game
file (and does the same again), or come after the secrets are out."""


class Told(msgspec.Struct, frozen=True):
    """What an entry says about answers: its id, who was late, and the ids of the moves it has."""

    id: str
    timeouts: tuple[int, ...]
    moves: tuple[str, ...]


class Story(msgspec.Struct, frozen=True):
    """What a checked view or transcript tells, in short: enough to compare it with others, small enough to send to
    another process."""

    game: str
    offer: str
    keys: tuple[bytes, ...]
    """The host's key, then the seats'."""
    rounds: tuple[Told, ...]


def story_of(file: Opened | Followed) -> Story:
    """The story of a file that passed its own checks."""
    chain = file.chain if isinstance(file, Opened) else file
    rounds = []
    for one in chain.rounds:
        entry = one.entry
        moves = (ident("move", encode(r.rebuilt(entry.game, entry.round, entry.prev, a))) for a in entry.answers)
        rounds.append(Told(one.moment.head, entry.timeouts, tuple(moves)))
    table = chain.table
    return Story(table.id, table.offer_id, (table.host, *table.keys), tuple(rounds))


def compare(files: Iterable[Opened | Followed | Story | Loose]) -> tuple[list[CheckFailed], list[str]]:
    """Every contradiction among files of any number of games, and why some files say nothing."""
    games: dict[str, list[Story]] = {}
    offers: dict[str, str] = {}
    found: list[CheckFailed] = []
    loose: list[Loose] = []
    for file in files:
        if isinstance(file, r.MoveFile | Envelope):
            loose.append(file)
            continue
        story = file if isinstance(file, Story) else story_of(file)
        if offers.setdefault(story.offer, story.game) != story.game:
            found.append(CheckFailed("two-geneses", "the host started two games from one offer"))
        games.setdefault(story.game, []).append(story)
    receipts: dict[str, list[r.Receipt]] = {}
    ignored = []
    for one in loose:
        try:
            if isinstance(one, Envelope):
                receipt = read_receipt(one, games)
                receipts.setdefault(receipt.game, []).append(receipt)
            else:
                read_move(one, games)
        except RefereeError as error:
            ignored.append(error.message)
    for name, stories in games.items():
        found += [*_entries(stories), *_receipts(stories, receipts.get(name, []))]
    return found, ignored


def read_receipt(envelope: Envelope, games: Mapping[str, list[Story]]) -> r.Receipt:
    """A receipt that the host of one of these games signed."""
    body = body_of(envelope, "receipt")
    receipt = decode(body, r.Receipt, "receipt")
    if receipt.game not in games:
        raise Malformed("a receipt needs a view or a transcript of its game beside it", "", code="alone")
    check(games[receipt.game][0].keys[0], envelope.sig, "receipt", body)
    return receipt


def read_move(file: r.MoveFile, games: Mapping[str, list[Story]]) -> r.Move:
    """A move that a player of one of these games signed."""
    body = body_of(Envelope(file.body, file.sig, file.type), "move")
    move = decode(body, r.Move, "move")
    keys = games[move.game][0].keys if move.game in games else ()
    if move.seat + 1 >= len(keys):
        raise Malformed("a move needs a view or a transcript of its game beside it", "", code="alone")
    check(keys[move.seat + 1], file.sig, "move", body)
    return move


def _entries(stories: list[Story]) -> list[CheckFailed]:
    rounds: dict[int, set[str]] = {}
    for story in stories:
        for number, one in enumerate(story.rounds, 1):
            rounds.setdefault(number, set()).add(one.id)
    number = next((number for number, ids in sorted(rounds.items()) if len(ids) > 1), 0)
    return [CheckFailed("two-entries", "the host signed two different entries for one round", number)] if number else []


def _receipts(stories: list[Story], receipts: list[r.Receipt]) -> list[CheckFailed]:
    """Receipts against each other and against the entries."""
    found = []
    taken = sorted({(one.round, one.seat, one.move) for one in receipts if one.code == "taken"})
    refused = {(one.round, one.seat, one.move, one.code) for one in receipts if one.code not in ("taken", *NO_PROOF)}
    entries = [(number, one) for story in stories for number, one in enumerate(story.rounds, 1)]
    for number, seat, move in taken:
        name = f"seat {seat + 1}"
        if any((number, seat, move) == one[:3] for one in refused):
            found.append(CheckFailed("taken-and-refused", f"the host took a move of {name} and refused it", number))
        if any((number, seat) == other[:2] and move < other[2] for other in taken):
            found.append(CheckFailed("two-taken", f"the host took two different moves of {name}", number))
        told = [one for at, one in entries if at == number]
        if any(seat in one.timeouts for one in told):
            message = f"the host took the answer of {name} and then said it never came"
            found.append(CheckFailed("taken-and-timed-out", message, number))
        elif any(move not in one.moves for one in told):
            message = f"the host took an answer of {name} that the entry does not have"
            found.append(CheckFailed("taken-and-dropped", message, number))
    for number, seat, _, code in sorted(refused):
        if code == "answered" and any(at == number and seat in one.timeouts for at, one in entries):
            message = f"the host told seat {seat + 1} that it had answered already, and then that it never did"
            found.append(CheckFailed("answered-and-timed-out", message, number))
    return found


def refusals(opened: Opened, files: Iterable[Loose]) -> list[CheckFailed]:
    """Refusals of moves of this view's own seat that were legal for who saw what their player saw."""
    moves: dict[str, r.MoveFile] = {}
    refused: dict[str, r.Receipt] = {}
    stories = {opened.table.id: [story_of(opened)]}
    for file in files:
        with contextlib.suppress(RefereeError):
            if isinstance(file, r.MoveFile):
                read_move(file, stories)
                moves[ident("move", bytes(file.body))] = file
            else:
                receipt = read_receipt(file, stories)
                if receipt.code not in ("taken", "stale", "answered", *NO_PROOF):
                    refused[receipt.move] = receipt
    if not same_code(opened.table.offer):
        return []
    return [
        CheckFailed("refused-though-legal", f"the host refused a legal move of yours ({receipt.code})", receipt.round)
        for name, receipt in refused.items()
        if name in moves and _was_legal(opened, moves[name])
    ]


def _was_legal(opened: Opened, file: r.MoveFile) -> bool:
    move = decode(bytes(file.body), r.Move, "move")
    moments = (first_moment(opened.table), *(one.moment for one in opened.chain.rounds))
    moment = next((one for one in moments if one.head == move.asked), None)
    ask = asked(moment.state).get(move.seat) if moment is not None else None
    if moment is None or ask is None or move.seat != opened.seat or move.round != moment.state.round + 1:
        return False
    try:
        check_answer(opened.table, moment, ask, move)
        # What is sealed only the host can open; the player's own tool has kept it.
        sealed = opened.owner.sealed.get(move.round, {}) if move.commit else {}
        judge(opened.table, moment, move, sealed, opened.owner.faces)
    except RefereeError:
        return False
    return True
