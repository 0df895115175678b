"""A running game, for its host: its state, what became of moves, who is late, who takes over a seat."""

import os
import time
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

import msgspec

from referee.crypto.keys import Key
from referee.engine.host import Judged, Match, make_view
from referee.engine.records import Receipt, Succession
from referee.engine.rounds import asked
from referee.engine.seats import OUT_AFTER, arrival, open_seats, out_seats, rests
from referee.errors import BadSignature, FileTrouble, IllegalMove, RefereeError, Usage, WrongTurn
from referee.io import desk, files, kinds
from referee.io.gamefile import open_match
from referee.io.times import after, later, read_span, read_time
from referee.language import NOTHING, Message, Run, Text, Time, listed, localised_date, run, with_files
from referee.library import t, w
from referee.library.documents import read_mailed, with_key
from referee.library.values import placeholder
from referee.show.text import asked_for, clean, marked, scored, span

ENDS = {
    "result": t("played to its end"), "left": t("the others have left"), "void": t("it has run out of rounds"),
}  # fmt: skip


def open_own(path: str, data: bytes, load: Callable[[], Key]) -> Match:
    """The host's file, for the host alone."""
    try:
        return open_match(data, load())
    except (BadSignature, FileTrouble) as error:
        if error.code in ("other-key", "no-key"):
            instead = kinds.other("game", path)
            error.message, error.next = instead.message, instead.next
        raise


def is_abandoned(match: Match) -> bool:
    """Whether the host has ended a game that could not go on."""
    return match.revealed and not match.state.end and not rests(match.state)


def pending_seats(match: Match) -> dict[int, str]:
    """Seat -> what it is asked for, of those who have not answered yet."""
    if is_abandoned(match):
        return {}
    return {seat: ask.what for seat, ask in asked(match.state).items() if seat not in match.waiting}


def status_of(match: Match) -> dict[str, object]:
    """The state of a game, for programs. Seats count from 1."""
    table, state, names = match.table, match.state, [clean(name) for name in match.table.names]
    result, abandoned = state.result, is_abandoned(match)
    return {
        "game": table.id,
        "title": table.game.title,
        "players": names,
        "round": state.round,
        "open_round": 0 if state.end or abandoned else state.round + 1,
        "due": state.due,
        "grace": table.offer.grace,
        "kept": [names[seat] for seat in table.kept],
        "waiting_for": [
            {"name": names[seat], "seat": seat + 1, "what": what, "late": seat in match.late}
            | {"due": desk.due_at(match, seat), "bank": desk.bank_of(match, seat)}
            for seat, what in pending_seats(match).items()
        ],
        "answered": [names[seat] for seat in sorted(match.waiting)],
        "out": [names[seat] for seat in sorted(out_seats(state))],
        "vacant": [names[one.seat] for one in open_seats(table, state)],
        "arriving": [{"seat": seat + 1, "name": waiting_successor(match, seat)} for seat in sorted(match.arrivals)],
        "end": state.end,
        "rests": rests(state),
        "abandoned": abandoned,
        "ranks": list(result.ranks) if result else [],
        # Who is first because the others left has no score.
        "scores": [list(score) for score in result.scores] if result and state.end != "left" else [],
        "out_at_the_end": [names[seat] for seat in result.out] if result else [],
    }


def status_lines(match: Match) -> list[str]:
    """The state of a game, for people."""
    table, state, names = match.table, match.state, [clean(name) for name in match.table.names]
    played = w.plural("{n} round played", "{n} rounds played", state.round)
    if not (state.end or is_abandoned(match)):
        played = w("{played}, round {round} is open", played=played, round=state.round + 1)
    lines = [w("{title}, game {game}, {played}", title=table.game.title, game=table.id[:8], played=played)]
    lines.append(w("  players in seat order: {names}", names=listed(names)))
    if state.due and table.offer.grace:
        grace = span(table.offer.grace)
        lines.append(w("  deadline {time}, and {span} of grace", time=Time(state.due), span=grace))
    elif state.due:
        lines.append(w("  deadline {time}", time=Time(state.due)))
    lines += [_waiting_line(match, seat, what) for seat, what in pending_seats(match).items()]
    lines += [w("  {name} has answered", name=names[seat]) for seat in sorted(match.waiting)]
    lines += [w("  {name} is no longer asked", name=names[seat]) for seat in sorted(out_seats(state))]
    lines += [w("  {name}'s seat can be taken over", name=names[one.seat]) for one in open_seats(table, state)]
    lines += [f"  {arrival_text(match, seat)}" for seat in sorted(match.arrivals)]
    lines += [w("  you keep {name}'s key", name=names[seat]) for seat in table.kept]
    if is_abandoned(match):
        lines.append(w("  over: abandoned by the host in round {round}, no result", round=state.round))
    if state.end:
        lines.append(w("  over: {end}", end=ENDS[state.end]))
    if state.end and state.result:
        known = () if state.end == "left" else state.result.scores
        scores = [f" ({scored(table.offer.game, score)})" for score in known] or [""] * len(names)
        ranking = sorted(zip(state.result.ranks, marked(state.result, names), scores, strict=True))
        lines += [f"  {rank}. {name}{score}" for rank, name, score in ranking]
    return lines


def _waiting_line(match: Match, seat: int, what: str) -> str:
    due, bank, name = desk.due_at(match, seat), desk.bank_of(match, seat), clean(match.table.names[seat])
    line = w("  waiting for {name}: {what}", name=name, what=asked_for(what, match.table.offer.game))
    if due != match.state.due:
        line = w("{waiting}, with time until {time}", waiting=line, time=Time(due))
    if bank:
        line = w("{waiting}, {span} in the time bank", waiting=line, span=span(bank))
    return w("{waiting}, deadline missed", waiting=line) if seat in match.late else line


def written_at(path: str) -> dict[str, str]:
    """When a game file was last written, for programs; of one on standard input nobody knows more than that it is
    here."""
    return {"since": _written(path).isoformat(timespec="seconds")}


def _written(path: str) -> datetime:
    return datetime.fromtimestamp(time.time() if path == "-" else os.stat(path).st_mtime).astimezone()


def status_in_words(match: Match, game: str, key: str | None) -> tuple[list[str], list[str]]:
    """The state of the game in this file, and what its host does next."""
    lines = [*status_lines(match), w("  file written {time}", time=localised_date(_written(game)))]
    if not (match.table.offer.deadline or match.state.end or match.revealed):
        lines.append(w("  no deadlines: nobody can be timed out; if it cannot go on, {command} ends it without a "
                       "result", command=run("reveal", game, "--abandon", *with_key(key))))  # fmt: skip
    secret = w("This is your game file: it knows every hidden card, and must not be shown to anybody.")
    return lines, [secret, next_step(match, 0, False, run("reveal", game, *with_key(key)))]


class Again(NamedTuple):
    """A view to write once more, with what goes beside it, and what to do with it."""

    path: str
    data: bytes
    beside: dict[str, bytes]
    next: str


def view_again(match: Match, seat: str | None, output: str | None, game: str, aid: desk.Aid | None) -> Again:
    """The view of this player; without one the public view."""
    table = match.table
    number = table.seats if seat is None else desk.find_seat(table.names, seat)
    path = output or desk.view_path(match, number, os.path.dirname(game))
    beside = {desk.aid_path(path): aid(match, number)} if aid else {}
    sent = listed([w("it") if one == "-" else files.printable(one) for one in (path, *beside)])
    if seat is None:
        next = w("Next: give {file} to anybody who wants to watch; `referee show` and `referee audit` read it.",
                 file=sent)  # fmt: skip
        return Again(path, make_view(match, None), beside, next)
    next = w("Next: send {files} to {name} only.", files=sent, name=clean(table.names[number]))
    return Again(path, make_view(match, number), beside, next)


def next_step(match: Match, closed: int, dry: bool, end: Run) -> str:
    """What the host does next; `end` is the command that reveals this game."""
    if dry:
        return w("Next: run it again without --dry-run; nothing was written.")
    if rests(match.state) and match.waiting:
        return w(
            "Next: the game resumes when you run `referee apply GAME.json --timeout NAME` for all who do not answer."
        )
    if rests(match.state):
        return w("Next: the game rests: nobody answers. Wait for any player's answer, or end it with {command}.",
                 command=end)  # fmt: skip
    if match.revealed and not match.state.end:
        return w("Next: you have abandoned this game; run {command} to write its transcript again.", command=end)
    if match.state.end:
        return w("Next: the game is over; run {command} and send everybody the transcript.", command=end)
    table = match.table
    waits = pending_seats(match).items()
    names = ", ".join(f"{clean(table.names[seat])} ({asked_for(what, table.offer.game)})" for seat, what in waits)
    if closed:
        return w("Next: send these files; waiting for {names}.", names=names)
    return w("Next: waiting for {names}.", names=names)


# --- moves ------------------------------------------------------------------------------------------------------------


class MoveRow(msgspec.Struct, frozen=True):
    """What became of a file that a player sent."""

    move: str
    code: str
    name: str
    seat: int
    message: Message
    next: Message = NOTHING


def read_move(path: str) -> bytes | RefereeError:
    """A move, or why it cannot be read: one bad file must not stop the others."""
    try:
        return read_mailed(path, "move", "succession", "return")[0]
    except RefereeError as error:
        return error


def move_row(match: Match, path: str, verdict: Judged, dry: bool) -> MoveRow:
    """What became of a file, in words."""
    who, advice = _signer(match, verdict), for_player(verdict.error) if verdict.error else NOTHING
    if verdict.error is not None:
        message = t("refused: {why}", why=verdict.error.message)
    elif verdict.code == "arriving" and verdict.seat is not None:
        message = arrival_text(match, verdict.seat)
    elif verdict.code == "repeated":
        message = t("{name}'s move was accepted before: nothing to do", name=who)
    else:
        message = t("{name}'s move is good", name=who) if dry else t("{name}'s move is accepted", name=who)
    seat = 0 if verdict.seat is None else verdict.seat + 1
    return MoveRow(files.printable(path), verdict.code, who, seat, message, advice)


def _signer(match: Match, verdict: Judged) -> str:
    """Who signed the judged file: the holder of the seat in that round."""
    table = match.table
    if verdict.receipt is not None:
        table = table.at(msgspec.json.decode(verdict.receipt.body, type=Receipt).round)
    return clean(table.names[verdict.seat]) if verdict.seat is not None else ""


def for_player(error: RefereeError) -> Message:
    """What to do about a refused move: its player has to act."""
    advice = error.next
    for words in (("show", "--moves"), ("play",)):
        advice = with_files(advice, run(*words, placeholder("VIEW")))
    return t("ask the player for another move; {next}", next=advice) if error.exit == IllegalMove.exit else advice


Mails = dict[tuple[int, str], list[str]]
"""Seat and name -> the files to send: a player who has handed over a seat still gets the receipt."""


def mails_of(done: desk.Done, folder: str) -> Mails:
    """For each player the view, if there is a new one, and the receipts of the moves."""
    match, mails = done.match, Mails()
    if done.closed:
        for seat, name in enumerate(match.table.names):
            view = desk.view_path(match, seat, folder)
            mails[seat, clean(name)] = [one for one in (view, desk.aid_path(view)) if one in done.written]
    for verdict in done.judged:
        if verdict.seat is not None:
            to = mails.setdefault((verdict.seat, _signer(match, verdict)), [])
            to += desk.receipt_file(match, verdict, folder)
    return {whose: list(dict.fromkeys(paths)) for whose, paths in mails.items() if paths}


def report_of(done: desk.Done, mails: Mails, dry: bool) -> dict[str, object]:
    """What a command at the desk did, for programs."""
    send = [{"seat": seat + 1, "name": name, "files": paths} for (seat, name), paths in sorted(mails.items())]
    wrote = {"closed": done.closed, "written": [] if dry else done.written, "send": send}
    return wrote | status_of(done.match)


def done_in_words(lines: list[str], mails: Mails, game: str, match: Match, *, beside: bool) -> list[str]:
    """What a command at the desk did, and what to send; `beside` the game file lies what it wrote."""
    older = desk.other_folder(game, match.table.id) if mails and beside else ""
    words = w("These are beside the game file, but older views of this game are in {folder}: --out {folder} was left "
              "out.", folder=files.printable(older))  # fmt: skip
    return [*lines, *[w("Send:")] * bool(mails), *files_in_words(mails), *[words] * bool(older)]


def files_in_words(mails: Mails) -> list[str]:
    """Which files go to whom: a line for each player who gets some. A receipt is the player's, and the proof of it."""
    lines = []
    for (_, who), paths in sorted(mails.items()):
        names = [files.printable(path) for path in paths]
        named = [w("receipt {file}", file=name) if name.endswith(".receipt.json") else name for name in names]
        lines.append(w("  to {name}: {files}", name=who, files=", ".join(named)))
    return lines


# --- deadlines --------------------------------------------------------------------------------------------------------


def refuse_hasty(match: Match, seat: int, now: datetime) -> Text:
    """Check that the signed deadline is over. If the timeout would drop the player, returns a warning that says so."""
    if seat not in asked(match.state) or seat in match.waiting:
        return NOTHING
    over, name = desk.protected_until(match, seat), clean(match.table.names[seat])
    if over and now.isoformat()[:16] + "Z" <= over:
        due = Time(match.state.due)
        problem = t("the deadline that you signed, {due}, is not over yet", due=due)
        if desk.due_at(match, seat) != match.state.due or desk.bank_of(match, seat):
            problem = t("the time that {names} has for this answer is not over yet", names=name)
        elif match.table.offer.grace:
            problem = t("the deadline that you signed, {due}, and its grace period are not over yet", due=due)
        advice = t("wait until {over} has passed: otherwise everybody can prove that you did not", over=Time(over))
        raise WrongTurn(problem, advice, code="not-due")
    if match.state.missed[seat] != OUT_AFTER - 1:
        return NOTHING
    return t("this is the second deadline in a row that {name} misses: the player will be dropped",
             name=name)  # fmt: skip


def timeout_in_words(done: desk.Done, round: int, dry: bool) -> str:
    """The result of a missed deadline in this round."""
    if round <= done.match.state.round - done.closed:
        return w("Round {round} is already closed: nothing to do.", round=round)
    if dry:
        return w("The missed deadline can be recorded.")
    if done.closed:
        return w("The round is closed. Nothing is played until everybody answers again; late players may still move.")
    return w("The missed deadline is recorded.")


def new_due(match: Match, seat: int, until: str | None, by: str | None, now: datetime) -> str:
    """The time that these options name: later than what was agreed so far, and than now."""
    if (until is None) == (by is None):
        raise Usage(t("the new deadline is not clear"), t("give either --until or --by"))
    known = desk.due_at(match, seat)
    if until is not None:
        new = after(read_time(until), 0)
    else:
        new = after(read_time(known), read_span(by or "")) if known else known
    if known and new <= max(known, after(now, 0, up=False)):
        raise Usage(
            t("the time must be later than now and than {known}", known=Time(known)),
            t("give a later one: nobody gets less time"),
        )
    return new


class Extended(msgspec.Struct, frozen=True):
    """More time for a player."""

    name: str
    seat: int
    round: int
    until: str
    written: tuple[str, ...]

    def line(self) -> str:
        """The same for people."""
        return w("{name} has time until {time} for round {round}.", name=self.name, time=Time(self.until),
                 round=self.round)  # fmt: skip


def extended(done: desk.Done, seat: int, *, dry: bool) -> Extended:
    """What became of an extension for the open round."""
    match = done.match
    name, until = clean(match.table.names[seat]), desk.due_at(match, seat)
    return Extended(name, seat + 1, match.state.round + 1, until, () if dry else tuple(done.written))


# --- seats that change hands ------------------------------------------------------------------------------------------


def waiting_successor(match: Match, seat: int) -> str:
    """Who waits to take over this seat."""
    waiting = match.arrivals[seat]
    own = arrival(waiting)[1]
    return clean(match.table.names[seat] if own else msgspec.json.decode(waiting.body, type=Succession).name)


def arrival_text(match: Match, seat: int) -> Text:
    """Who takes over this seat, or comes back to it, and when."""
    holder = clean(match.table.names[seat])
    if seat not in match.arrivals:
        return t("{name} has the seat now, and answers from the next round on", name=holder)
    name = waiting_successor(match, seat)
    if arrival(match.arrivals[seat])[1]:
        return t("{name} comes back when this round is closed", name=name)
    time = _earliest_close(match, seat)
    if time:
        return t("{name} takes over {holder}'s seat with the first round that is closed at {time} or later", name=name,
                 holder=holder, time=Time(time))  # fmt: skip
    return t("{name} takes over {holder}'s seat when this round is closed", name=name, holder=holder)


def _earliest_close(match: Match, seat: int) -> str:
    """When a round can be closed with the succession that waits for this seat; empty: at any time."""
    (vacancy,) = (one for one in match.state.vacant if one.seat == seat)
    named = vacancy.key == msgspec.json.decode(match.arrivals[seat].body, type=Succession).key
    offer = match.table.offer
    return "" if named or not (vacancy.due and offer.takeover) else later(vacancy.due, offer.takeover - offer.deadline)
