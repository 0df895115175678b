"""Several files of one game side by side: do they agree? A contradiction is a proof against the host."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope, body_of, check, ident
from referee.engine import records as r
from referee.engine.chain import Followed, two_entries, two_geneses
from referee.engine.player import Opened
from referee.engine.promises import Extension, extension_violation, read_extension
from referee.engine.rounds import first_checkpoint
from referee.errors import BadSignature, CheckFailed, Malformed, RefereeError
from referee.evidence.court import (
    NOT_OF_THE_MOVE,
    against_each_other,
    against_entry,
    decode_move,
    moves_of,
    refused_legal,
)
from referee.evidence.files import Loose
from referee.evidence.witness import Knowledge
from referee.language import NOTHING, Message, t

T = TypeVar("T")


class AnsweredRound(msgspec.Struct, frozen=True):
    """What an entry says about answers: its id, who was late, and the ids of its moves."""

    id: str
    timeouts: tuple[int, ...]
    moves: tuple[str, ...]
    due: str = ""


class Story(msgspec.Struct, frozen=True):
    """A summary of a checked view or transcript: enough to compare it with others, small enough to send to another
    process."""

    game: str
    offer: str
    keys: tuple[bytes, ...]
    """The host's key, then those of the seats at the start."""
    terms: r.Offer
    holders: tuple[r.Holder, ...]
    rounds: tuple[AnsweredRound, ...]


def story_of(file: Opened | Followed) -> Story:
    """The story of a file that passed its own checks."""
    chain = file.chain if isinstance(file, Opened) else file
    rounds = []
    for one in chain.rounds:
        rounds.append(AnsweredRound(one.checkpoint.head, one.entry.timeouts, moves_of(one.entry), one.entry.due))
    table = chain.table
    keys = (table.host, *(bytes.fromhex(join.key) for join in table.joins))
    return Story(table.id, table.offer_id, keys, table.offer, chain.checkpoint.state.holders, tuple(rounds))


def compare(files: Iterable[Opened | Followed | Story | Loose]) -> tuple[list[CheckFailed], list[Message]]:
    """Every contradiction among files of any number of games, and why some files are ignored."""
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
            found.append(two_geneses())
        games.setdefault(story.game, []).append(story)
    receipts: dict[str, list[r.Receipt]] = {}
    extensions: dict[str, list[Extension]] = {}
    ignored = []
    for one in loose:
        try:
            if isinstance(one, Envelope) and one.type.endswith("/extension"):
                extension = read_promise(one, games)
                extensions.setdefault(extension.game, []).append(extension)
            elif isinstance(one, Envelope):
                receipt = read_receipt(one, games)
                receipts.setdefault(receipt.game, []).append(receipt)
            else:
                read_move(one, games)
        except RefereeError as error:
            ignored.append(error.message)
    for name, stories in games.items():
        found += [*_entries(stories), *_receipts(stories, receipts.get(name, []))]
        found += _promises(stories, extensions.get(name, []))
    return found, ignored


def read_receipt(envelope: Envelope, games: Mapping[str, list[Story]]) -> r.Receipt:
    """A receipt that the host of one of these games signed."""
    body = body_of(envelope, "receipt")
    receipt = decode(body, r.Receipt, "receipt")
    if receipt.game not in games:
        raise Malformed(t("a receipt needs a view or a transcript of its game beside it"), NOTHING, code="alone")
    check(games[receipt.game][0].keys[0], envelope.sig, "receipt", body)
    return receipt


def read_promise(envelope: Envelope, games: Mapping[str, list[Story]]) -> Extension:
    """An extension that the host of one of these games signed."""
    game = decode(body_of(envelope, "extension"), Extension, "extension").game
    if game not in games:
        raise Malformed(t("an extension needs a view or a transcript of its game beside it"), NOTHING, code="alone")
    return read_extension(games[game][0].keys[0], envelope)


def read_move(file: r.MoveFile, games: Mapping[str, list[Story]]) -> r.Move:
    """A move that a player of one of these games signed."""
    body = body_of(Envelope(file.body, file.sig, file.type), "move")
    move = decode_move(body)
    longest = max(games.get(move.game, ()), key=lambda story: len(story.rounds), default=None)
    if longest is None or move.seat + 1 >= len(longest.keys):
        raise Malformed(t("a move needs a view or a transcript of its game beside it"), NOTHING, code="alone")
    later = [bytes.fromhex(one.key) for one in longest.holders if one.seat == move.seat and one.since < move.round]
    try:
        check([longest.keys[move.seat + 1], *later][-1], file.sig, "move", body)
    except BadSignature:
        if longest.terms.takeovers and move.round > len(longest.rounds) + 1:
            why = t("a move needs a view beside it that shows who held its seat then")
            raise Malformed(why, NOTHING, code="alone") from None
        raise
    return move


def _entries(stories: list[Story]) -> list[CheckFailed]:
    rounds: dict[int, set[str]] = {}
    for story in stories:
        for number, one in enumerate(story.rounds, 1):
            rounds.setdefault(number, set()).add(one.id)
    number = next((number for number, ids in sorted(rounds.items()) if len(ids) > 1), 0)
    return [two_entries(number)] if number else []


def _receipts(stories: list[Story], receipts: list[r.Receipt]) -> list[CheckFailed]:
    """Receipts against each other and against the entries: each offence once."""
    found: dict[tuple[str, Message], CheckFailed] = {}
    receipts = sorted(set(receipts), key=lambda one: (one.round, one.seat, one.move, one.code))
    shown = [against_each_other(one, other) for one, other in rivals(receipts, lambda one: one)]
    for one in receipts:
        rounds = (story.rounds[one.round - 1] for story in stories if 1 <= one.round <= len(story.rounds))
        shown += [against_entry(one, entry.timeouts, entry.moves) for entry in rounds]
    for error in filter(None, shown):
        found.setdefault((error.code, error.message), error)
    return list(found.values())


def rivals(items: Iterable[T], receipt_of: Callable[[T], r.Receipt]) -> Iterator[tuple[T, T]]:
    """Pairs of receipts for one round and seat, the first of which accepts a move: no others contradict each other, and
    a host may refuse any number of moves."""
    places: dict[tuple[int, int], list[T]] = {}
    for item in items:
        places.setdefault((receipt_of(item).round, receipt_of(item).seat), []).append(item)
    for some in places.values():
        taken = [at for at, item in enumerate(some) if receipt_of(item).code == "taken"]
        for at in taken:
            yield from (
                (some[at], other) for to, other in enumerate(some) if to > at or receipt_of(other).code != "taken"
            )


def _promises(stories: list[Story], extensions: list[Extension]) -> list[CheckFailed]:
    """Extensions against the entries: each round and seat once, by the latest."""
    found: dict[tuple[int, int], CheckFailed] = {}
    for one in sorted(extensions, key=lambda one: one.until, reverse=True):
        rounds = (story.rounds[one.round - 1] for story in stories if 1 <= one.round <= len(story.rounds))
        shown = (extension_violation(stories[0].terms, one, entry.due, entry.timeouts) for entry in rounds)
        for error in filter(None, shown):
            found.setdefault((one.round, one.seat), error)
    return list(found.values())


def refusals(opened: Opened, files: Iterable[Loose], ephemerals: Mapping[int, str] = {}) -> list[CheckFailed]:
    """Refusals of moves of this view's own seat that were legal by what their player saw. `ephemerals` has the key with
    which the answer of a round was encrypted, as the player's program kept it."""
    moves: dict[str, r.Move] = {}
    refused: set[r.Receipt] = set()
    stories = {opened.table.id: [story_of(opened)]}
    for file in files:
        with contextlib.suppress(RefereeError):
            if isinstance(file, r.MoveFile):
                moves[ident("move", bytes(file.body))] = read_move(file, stories)
            else:
                receipt = read_receipt(file, stories)
                if receipt.code not in NOT_OF_THE_MOVE:
                    refused.add(receipt)  # one that says less hides no other
    found = []
    for receipt in sorted(refused, key=lambda one: (one.round, one.move, one.code)):
        move = moves.get(receipt.move)
        try:
            if move is not None and move.seat == opened.seat:
                _was_legal(opened, move, receipt, ephemerals)
        except CheckFailed as error:
            found.append(error)
        except RefereeError:  # the refusal was right, or nothing can be said
            pass
    return found


def _was_legal(opened: Opened, move: r.Move, receipt: r.Receipt, ephemerals: Mapping[int, str]) -> None:
    checkpoints = (first_checkpoint(opened.table), *(one.checkpoint for one in opened.chain.rounds))
    checkpoint = next((one for one in checkpoints if one.head == move.asked), None)
    if checkpoint is None or (receipt.round, receipt.seat, move.round) != (
        move.round,
        move.seat,
        checkpoint.state.round + 1,
    ):
        return
    tokens = {slot: r.Token(slot, face) for slot, face in opened.owner.faces.items()}
    sealed = {(number, opened.seat): fields for number, fields in opened.owner.sealed.items()}
    keys = {(number, opened.seat): key for number, key in ephemerals.items()}
    table = opened.table.seated(checkpoint.state.holders)
    refused_legal(table, checkpoint, move, receipt, Knowledge(tokens, sealed, keys))
