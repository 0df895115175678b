"""Several files of one game side by side: do they tell the same story? A contradiction is a proof against the host."""

import contextlib
from collections.abc import Iterable, Mapping

import msgspec

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope, body_of, check, ident
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import Opened
from referee.engine.rounds import first_moment
from referee.errors import CheckFailed, Malformed, RefereeError
from referee.evidence.court import NOT_OF_THE_MOVE, against_each_other, against_entry, moves_of, refused_legal
from referee.evidence.files import Loose
from referee.evidence.witness import Knowledge


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
        rounds.append(Told(one.moment.head, one.entry.timeouts, moves_of(one.entry)))
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
    """Receipts against each other and against the entries: each offence once."""
    found: dict[tuple[str, str], CheckFailed] = {}
    receipts = sorted(receipts, key=lambda one: (one.round, one.seat, one.move, one.code))
    for at, one in enumerate(receipts):
        rivals = (other for other in receipts[at + 1 :] if (other.round, other.seat) == (one.round, one.seat))
        told = (story.rounds[one.round - 1] for story in stories if 1 <= one.round <= len(story.rounds))
        shown = (against_each_other(one, other) for other in rivals)
        for error in (*shown, *(against_entry(one, entry.timeouts, entry.moves) for entry in told)):
            if error is not None:
                found.setdefault((error.code, error.message), error)
    return list(found.values())


def refusals(opened: Opened, files: Iterable[Loose]) -> list[CheckFailed]:
    """Refusals of moves of this view's own seat that were legal for who saw what their player saw."""
    moves: dict[str, r.Move] = {}
    refused: dict[str, r.Receipt] = {}
    stories = {opened.table.id: [story_of(opened)]}
    for file in files:
        with contextlib.suppress(RefereeError):
            if isinstance(file, r.MoveFile):
                moves[ident("move", bytes(file.body))] = read_move(file, stories)
            else:
                receipt = read_receipt(file, stories)
                if receipt.code not in NOT_OF_THE_MOVE:
                    refused[receipt.move] = receipt
    found = []
    for name, receipt in refused.items():
        try:
            if name in moves and moves[name].seat == opened.seat:
                _was_legal(opened, moves[name], receipt)
        except CheckFailed as error:
            found.append(error)
        except RefereeError:  # it was right, or nothing can be said
            pass
    return found


def _was_legal(opened: Opened, move: r.Move, receipt: r.Receipt) -> None:
    moments = (first_moment(opened.table), *(one.moment for one in opened.chain.rounds))
    moment = next((one for one in moments if one.head == move.asked), None)
    if moment is None or (receipt.round, receipt.seat, move.round) != (move.round, move.seat, moment.state.round + 1):
        return
    tokens = {slot: r.Token(slot, face) for slot, face in opened.owner.faces.items()}
    sealed = {(number, opened.seat): fields for number, fields in opened.owner.sealed.items()}
    refused_legal(opened.table, moment, move, receipt, Knowledge(tokens, sealed))
