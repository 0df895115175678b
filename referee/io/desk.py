"""The host's desk: one game file, moves in, views and receipts out. One rename is the commit point."""

import os
from collections.abc import Callable, Iterable, Sequence

import msgspec

from referee.crypto.codec import encode
from referee.crypto.keys import Key
from referee.engine.host import Judged, Match, dump_match, make_view, open_match, take_move, time_out
from referee.engine.host import reveal as make_transcript
from referee.errors import FileTrouble, Malformed, RefereeError, Usage, WrongTurn
from referee.io import files


class Done(msgspec.Struct, frozen=True):
    """What a command at the desk did: the game as it is now, the verdicts, the files written."""

    match: Match
    judged: tuple[Judged, ...]
    written: tuple[str, ...]
    closed: int
    """Rounds that were completed."""


def read_match(path: str, key: Key) -> Match:
    return open_match(files.read(path, files.LARGE, "game file"), key)


def view_files(match: Match, out: str) -> dict[str, bytes]:
    """A view per player, ready to be written."""
    names = match.table.names
    return {
        os.path.join(out, files.slug(seat, names) + ".view.json"): make_view(match, seat) for seat in range(len(names))
    }


def apply_moves(
    path: str, moves: Sequence[bytes | RefereeError], key: Key, out: str, *, due: str = "", dry: bool = False
) -> Done:
    """Judge every move on its own, in the order of their rounds; write the game file, all views, all receipts. What
    could not even be read is refused like any other bad move."""

    def work(match: Match) -> tuple[tuple[Judged, ...], dict[str, bytes]]:
        verdicts: dict[int, Judged] = {}
        for number in sorted(range(len(moves)), key=lambda i: claimed_round(moves[i])):
            data = moves[number]
            verdicts[number] = (
                Judged(data.code, error=data) if isinstance(data, RefereeError) else take_move(match, data)
            )
        judged = tuple(verdicts[number] for number in range(len(moves)))
        return judged, _receipt_files(match, judged, out)

    return _at_desk(path, key, out, work, due=due, dry=dry)


def miss_deadline(
    path: str, seat: int, key: Key, out: str, *, round: int | None = None, due: str = "", dry: bool = False
) -> Done:
    """A seat did not answer in time, in this round if one is named: a round that is closed stays as it is."""

    def work(match: Match) -> tuple[tuple[Judged, ...], dict[str, bytes]]:
        if round is not None and round <= match.state.round:
            return (), view_files(match, out)
        if round is not None and round > match.state.round + 1:
            raise WrongTurn("that round is not open yet", "see `referee status` for the open round", code="not-asked")
        time_out(match, seat)
        return (), {}

    return _at_desk(path, key, out, work, due=due, dry=dry)


def reveal(path: str, key: Key, out: str, *, dry: bool = False) -> bytes:
    """The transcript, written to `out` unless that is standard output. A game that only rests is over with it, and
    the game file says so first."""
    path = files.true_path(path)
    with files.locked(path):
        match = read_match(path, key)
        over, known = match.state.end, match.revealed
        data = make_transcript(match)
        wanted = {} if over or known else {path: dump_match(match)}
        wanted |= {} if out == "-" else {out: data}
        if not dry and wanted:
            files.write(wanted, secret=[path])
        return data


Work = Callable[[Match], tuple[tuple[Judged, ...], dict[str, bytes]]]


def _at_desk(path: str, key: Key, out: str, work: Work, *, due: str, dry: bool) -> Done:
    path = files.true_path(path)
    with files.locked(path):
        before = files.read(path, files.LARGE, "game file")
        match = open_match(before, key)
        match.due = due
        round = match.state.round
        judged, extra = work(match)
        after = dump_match(match)
        taken = after != before or any(verdict.code == "repeated" for verdict in judged)
        wanted = {path: after} if after != before else {}
        others = (view_files(match, out) if taken else {}) | extra
        refuse_same(path, others)
        wanted |= others
        if len(after) > files.LARGE:
            raise Malformed(
                "the game file would be larger than any that can be read", "end this game", code="too-large"
            )
        if not dry and wanted:
            files.write(wanted, secret=[path], make=[out])
        return Done(match, judged, tuple(name for name in wanted if name != path), match.state.round - round)


def refuse_same(path: str, others: Iterable[str]) -> None:
    """Nothing that is sent out may take the place of the game file, whatever that is called."""
    for other in others:
        if os.path.realpath(other) == os.path.realpath(path):
            raise FileTrouble(
                f"{files.printable(other)} would take the place of the game file",
                "give the game file another name, or the views another folder",
                code="exists",
            )


def claimed_round(data: bytes | RefereeError) -> int:
    """The round a move says it is for; what cannot be read comes first and is refused later."""
    if isinstance(data, RefereeError):
        return -1
    try:
        return msgspec.json.decode(msgspec.json.decode(data, type=_Claim).body, type=_Round).round
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return -1


class _Claim(msgspec.Struct):
    body: msgspec.Raw


class _Round(msgspec.Struct):
    round: int


def _receipt_files(match: Match, judged: Sequence[Judged], out: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for verdict in judged:
        if verdict.seat is None or verdict.receipt is None:
            continue
        refused = "" if verdict.error is None else ".refused"
        base = os.path.join(out, files.slug(verdict.seat, match.table.names) + refused + ".receipt")
        number = sum(name.startswith(base) for name in found)
        found[f"{base}-{number + 1}.json" if number else f"{base}.json"] = encode(verdict.receipt)
    return found


def find_seat(match: Match, text: str) -> int:
    """A seat by the player's name, or by its number from 1."""
    names = match.table.names
    fits = [seat for seat, name in enumerate(names) if name.casefold() == text.casefold()]
    if not fits and text in (str(number) for number in range(1, len(names) + 1)):
        fits = [int(text) - 1]
    if not fits:
        raise Usage("nobody of that name plays in this game", "see `referee status` for the names", code="no-such-seat")
    return fits[0]
