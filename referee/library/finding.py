"""What a command finds by itself in a folder: the view that waits, the game file with its new moves, the offer with its
joins. This depends only on the files and the key; folders below are not searched."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from referee import games
from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope, body_of, ident
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.engine.host import Match, judge_move, read_move
from referee.engine.seats import arrival_fault
from referee.engine.table import check_join, check_offer
from referee.errors import FileTrouble, RefereeError, Usage, WrongTurn
from referee.evidence.identify import peek
from referee.io.gamefile import open_match
from referee.language import Run, Text, listed, run
from referee.library import inbox, t, w
from referee.library.documents import with_key
from referee.library.inbox import Row
from referee.library.values import placeholder
from referee.mail.folder import documents
from referee.show.text import clean

HERE = os.curdir
MOVES = ("move", "succession", "return")
Notes = list[Text]
"""What could not be read, and why."""
WHY: dict[str, Callable[[int], Text]] = {
    "game": lambda n: t.plural("{n} for another game", "{n} for other games", n),
    "before": lambda n: t.plural("{n} for an earlier round", "{n} for earlier rounds", n),
    "later": lambda n: t.plural("{n} for a later round", "{n} for later rounds", n),
    "taken": lambda n: t.plural("{n} accepted before", "{n} accepted before", n),
    "second": lambda n: t.plural("{n} from a player who has answered", "{n} from players who have answered", n),
    "bad": lambda n: t.plural("{n} that cannot be accepted", "{n} that cannot be accepted", n),
}
"""Why a file is skipped."""


class Candidate(NamedTuple):
    """One of several files that a command could mean: its line in the list, and the command that names it."""

    file: str
    line: str
    command: Run
    data: bytes = b""
    """What is in it, where that was read."""


def folder_of(path: str) -> str:
    """The folder of a file."""
    return os.path.dirname(path) or HERE


# --- a player's view -------------------------------------------------------------------------------------------------


def waiting_views(public: str, key: str | None, now: datetime, notes: Notes) -> list[Candidate]:
    """The newest view of each game that waits for the owner of this key, the most urgent one first."""
    rows = [row for row in inbox.rows_of(HERE, {public: key}, now, notes, deep=False) if row.state == "waits"]
    return [Candidate(row.source.path, _waiting(row), row.next) for row in rows if isinstance(row.next, Run)]


def _waiting(row: Row) -> str:
    text = w("{title}, game {game}, round {round}", title=row.title, game=row.game[:8], round=row.round + 1)
    return f"{text}, {row.left}" if row.left else text


def nothing_waits() -> WrongTurn:
    advice = t("see what there is with {run}", run=run("inbox", HERE))
    return WrongTurn(t("no view in this folder waits for you"), advice, code="not-asked")


# --- a host's game file ----------------------------------------------------------------------------------------------


def own_games(key: Key, notes: Notes, again: tuple[str, ...]) -> list[Candidate]:
    """The game files of this host: those of running games, if there are any; of each game the newest. `again`: the
    command, without the file."""
    newest: dict[str, list[tuple[str, Match]]] = {}
    for source, kind, data in documents(HERE, notes, deep=False):
        if kind != "game" or source.number:
            continue
        try:
            match = open_match(data, key)
        except RefereeError as error:
            if error.code != "other-key":
                notes.append(t("skipped {place}: {message}", place=source.place, message=error.message))
            continue
        known = newest.setdefault(match.table.id, [])
        if not known or match.state.round > known[0][1].state.round:
            known[:] = [(source.path, match)]
        elif match.state.round == known[0][1].state.round:
            known.append((source.path, match))
    found = [one for same in newest.values() for one in same]
    going_on = [(path, match) for path, match in found if not (match.state.end or match.revealed)]
    return [Candidate(path, _game_line(match), run(again[0], path, *again[1:])) for path, match in going_on or found]


def _game_line(match: Match) -> str:
    table = match.table
    return w("{title}, game {game}, round {round}", title=table.game.title, game=table.id[:8],
             round=match.state.round + 1)  # fmt: skip


def no_game() -> FileTrouble:
    advice = t("name it: {run}", run=run("apply", placeholder("GAME.json")))
    return FileTrouble(t("no game file in this folder is yours"), advice, code="missing")


class Moves(NamedTuple):
    """What players sent for a game, with the name of each file: what is new, how many are skipped, and why."""

    new: tuple[tuple[str, bytes], ...]
    aside: tuple[Text, ...]


def new_moves(match: Match, folder: str, notes: Notes, game: str) -> Moves:
    """The answers, successions and returns for the open round that have not been accepted. Whatever is older, or
    belongs elsewhere, is skipped: an old file of an honest player does no harm. Of two different answers for one seat
    that could both be accepted, the host must say which one came first."""
    aside = Counter[str]()
    good: dict[tuple[str, int], dict[bytes, str]] = {}
    bad: dict[tuple[str, int], dict[bytes, str]] = {}
    for source, kind, data in documents(folder, notes, deep=False):
        if kind not in MOVES:
            continue
        claim = _claim(data)
        why = _old(match, claim) or _known(match, kind, data)
        if why in WHY:
            aside[why] += 1
            continue
        group = good if why == "good" else bad
        group.setdefault(("move" if kind == "move" else "arrival", claim.seat), {}).setdefault(data, str(source.place))
    for (_, seat), files in good.items():
        if len(files) > 1:
            raise _ambiguous(match, seat, sorted(files.values()), game)
    aside["bad"] += sum(len(files) for whose, files in bad.items() if whose in good)
    kept = [files for group in (good, bad) for whose, files in group.items() if group is good or whose not in good]
    new = sorted((name, data) for files in kept for data, name in files.items())
    return Moves(tuple(new), tuple(WHY[why](n) for why, n in aside.items() if n))


class _Claim(msgspec.Struct, frozen=True):
    """What a file says about itself, unchecked."""

    game: str = ""
    seat: int = -1
    round: int = 0
    """0: it names none."""


class _Body(msgspec.Struct, frozen=True):
    body: msgspec.Raw


def _claim(data: bytes) -> _Claim:
    outer = peek(data, _Body)
    return (peek(outer.body, _Claim) if outer else None) or _Claim()


def _old(match: Match, claim: _Claim) -> str:
    """Why a file does not concern the open round; empty if it does."""
    if claim.game != match.table.id:
        return "game"
    open_round = match.state.round + 1
    return "before" if 0 < claim.round < open_round else "later" if claim.round > open_round else ""


def _known(match: Match, kind: str, data: bytes) -> str:
    """Whether a file could be accepted now (`good`), or why it is skipped; empty: the host must see the refusal."""
    try:
        if kind == "move":
            return "taken" if judge_move(match, *read_move(match, data)) is None else "good"
        envelope = decode(data, Envelope, "succession")
    except RefereeError as error:
        return "second" if error.code == "answered" else ""
    if envelope in match.arrivals.values():
        return "taken"
    if arrival_fault(match.table, match.state, match.checkpoint.head, envelope) is not None:
        return "bad"
    return "good"


def _ambiguous(match: Match, seat: int, names: Sequence[str], game: str) -> Usage:
    who, round = clean(match.table.names[seat]), match.state.round + 1
    why = t("there are {n} different answers for {name}'s seat in round {round}: {files}", n=len(names), name=who,
            round=round, files=listed(names))  # fmt: skip
    advice = t("apply the one that arrived first: {run}", run=run("apply", game, placeholder("MOVE")))
    return Usage(why, advice, code="many-answers")


def moves_in_words(moves: Moves) -> list[str]:
    """What was found for a game."""
    names, n = listed([name for name, _ in moves.new]), len(moves.new)
    lines = [w("There are no new moves.")]
    if n:
        lines = [w.plural("Found {n} new move: {names}.", "Found {n} new moves: {names}.", n, names=names)]
    return [*lines, *[w("Skipped: {what}.", what=listed(moves.aside))] * bool(moves.aside)]


# --- an offer with its joins -----------------------------------------------------------------------------------------


def own_offers(public: str, notes: Notes, key: str | None = None) -> list[Candidate]:
    """The offers that this host signed and that no game file here was started from."""
    found: dict[str, Candidate] = {}
    started = set[str]()
    for source, kind, data in documents(HERE, notes, deep=False):
        try:
            if kind == "game":
                started.add(_started(data))
            elif kind == "offer":
                offer, name = check_offer(decode(data, Envelope, "offer"))
                if offer.key == public:
                    line = w("{title} for {n} players", title=games.load(offer.game).title, n=offer.seats)
                    command = run("start", source.path, *with_key(key))
                    found.setdefault(name, Candidate(source.path, line, command, data))
        except RefereeError as error:
            notes.append(t("skipped {place}: {message}", place=source.place, message=error.message))
    return [one for name, one in found.items() if name not in started]


class _GameFile(msgspec.Struct, frozen=True):
    genesis: Envelope


def _started(data: bytes) -> str:
    """The offer from which a game file was started."""
    file = peek(data, _GameFile)
    genesis = decode(body_of(file.genesis, "genesis"), r.Genesis, "genesis") if file else None
    return ident("offer", body_of(genesis.offer, "offer")) if genesis else ""


class FoundJoin(NamedTuple):
    """A player's join for an offer."""

    file: str
    name: str
    data: bytes


def no_offer() -> FileTrouble:
    advice = t("make one with {run}", run=run("offer", placeholder("GAME"), "--seats", "N"))
    return FileTrouble(t("no offer in this folder is yours and not started"), advice, code="missing")


def joins_of(offer: str, folder: str, notes: Notes) -> tuple[list[FoundJoin], int]:
    """The joins for an offer in the order of their files' names, and how many are skipped: for other offers, or bad."""
    found: dict[bytes, FoundJoin] = {}
    aside = 0
    for source, kind, data in documents(folder, notes, deep=False):
        if kind != "join":
            continue
        try:
            join = check_join(offer, decode(data, Envelope, "join"))
            found.setdefault(data, FoundJoin(str(source.place), clean(join.name), data))
        except RefereeError:
            aside += 1
    return sorted(found.values()), aside


def joins_in_words(found: Sequence[FoundJoin], aside: int) -> list[str]:
    """Who joined, in the order in which they would sit."""
    names = listed(one.name for one in found)
    lines = [w.plural("Found {n} join: {names}.", "Found {n} joins, in seat order: {names}.", len(found), names=names)]
    if not found:
        lines = [w("Found no joins.")]
    more = w.plural("Skipped: {n} join for another offer, or damaged.",
                    "Skipped: {n} joins for other offers, or damaged.", aside)  # fmt: skip
    return [*lines, *[more] * bool(aside)]


def not_all_joins(offer: str, found: int, seats: int, key: str | None) -> Usage:
    """Check that there are as many joins as seats."""
    named = run("start", offer, placeholder("JOIN..."), *with_key(key))
    if found < seats:
        why = t("joins are missing: this offer has {seats} seats", seats=seats)
        return Usage(why, t("wait for them, or name them: {run}", run=named), code="bad-seats")
    why = t("there are more joins than seats: this offer has {seats}", seats=seats)
    return Usage(why, t("name those that you want, in seat order: {run}", run=named), code="bad-seats")
