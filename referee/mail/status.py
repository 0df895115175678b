"""Where the tables of an office stand, for its host."""

from datetime import datetime
from typing import Any

from referee.engine.rounds import ACK, asked, out_seats, rests
from referee.errors import RefereeError
from referee.mail.absence import absence, absence_in_words, counted
from referee.mail.catchup import times_of, unsent
from referee.mail.deadlines import spelled
from referee.mail.office import Office
from referee.mail.rulings import ruled, ruled_in_words
from referee.mail.tables import Desk
from referee.show.text import asked_for, clean


def status_of(office: Office, now: datetime) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "office": office.settings.name,
        "address": office.settings.address,
        "tables": [_readable(desk, now) for desk in office.desks.values()],
        "in": len(office.names("in")),
        "outbox": len(office.names("outbox")),
        "failed": [name.removesuffix(".eml") for name in office.names("outbox/failed")],
        "quarantine": len(office.names("quarantine")),
    }


def _readable(desk: Desk, now: datetime) -> dict[str, Any]:
    """A table, even if its game cannot be read."""
    try:
        return {**_table(desk, now), "rulings": ruled(desk.note), **(_running(desk, now) if desk.runs else {})}
    except RefereeError as error:
        return {**_table(desk, now), "stage": "damaged", "trouble": error.message}


def _table(desk: Desk, now: datetime) -> dict[str, Any]:
    note = desk.note
    row: dict[str, Any] = {
        "table": desk.name,
        "game": desk.terms.game,
        "seats": desk.terms.seats,
        "stage": note.end or ("inviting" if not note.game else ""),
        "instead_of": note.instead_of,
        "players": [_player(desk, number, now) for number in range(1, len(note.invitations) + 1)],
        "round": 0,
        "since": note.since or note.made,
        "due": "",
        "awaited": [],
        "rulings": [],
    }
    if not note.game and not note.end and len(desk.joined) == desk.terms.seats:
        row["stage"] = "ready"
    return row


def _player(desk: Desk, number: int, now: datetime) -> dict[str, Any]:
    one = desk.note.invitations[number - 1]
    player = desk.office.players[one.player]
    joined = one.state == "joined"
    days, until = absence(desk, one.player, now)
    return {
        "player": one.player,
        "name": clean(desk.join(number).name if joined else player.name),
        "address": desk.address(number),
        "state": one.state,
        "way": ("kept" if desk.join(number).kept else "own") if joined else "",
        "away_until": until,
        "away_days": days,
    }


def _running(desk: Desk, now: datetime) -> dict[str, Any]:
    match = desk.match
    state, names = match.state, [clean(name) for name in desk.names]
    rows = []
    for seat, ask in asked(state).items():
        if seat in match.waiting:
            continue
        found = times_of(desk, seat)
        due = spelled(found.due) if found else ""
        row = {"name": names[seat], "what": ask.what, "due": due, "late": bool(found and now >= found.due)}
        rows.append(row | {"refuses": ask.what == ACK and seat in desk.note.wavering, "unsent": unsent(desk, seat)})
    stage = "over" if state.end else "rests" if rests(state) else "acks" if not state.round else "playing"
    return {
        "stage": stage,
        "round": state.round,
        "due": state.due,
        "awaited": rows,
        "answered": [names[seat] for seat in sorted(match.waiting)],
        "out": [names[seat] for seat in sorted(out_seats(state))],
    }


_STAGES = {
    "inviting": "waits for players to join", "ready": "everybody has joined", "acks": "waits for everybody to agree",
    "playing": "is played", "rests": "rests: nobody answers any more", "over": "is over", "dropped": "was given up",
    "damaged": "cannot be read",
}  # fmt: skip


def status_lines(found: dict[str, Any], root: str) -> list[str]:
    """The same, for people: what is over comes in one line each."""
    lines = []
    for row in found["tables"]:
        instead = f" (instead of {row['instead_of']})" if row["instead_of"] else ""
        open_round = f", round {row['round'] + 1} open since {row['since']}" if row["awaited"] else ""
        trouble = f": {row['trouble']}" if "trouble" in row else ""
        lines.append(f"{row['table']} {row['game']}{instead} {_STAGES[row['stage']]}{open_round}{trouble}")
        if told := ruled_in_words(row["rulings"]):
            lines.append(f"  {told}")
        if row["stage"] not in ("over", "dropped"):
            lines += [f"  {line}" for line in _details(row, root)]
    waiting = counted(found["in"], "mail")
    lines.append(f"{waiting} to judge, {found['outbox']} in outbox, {found['quarantine']} in quarantine")
    if found["failed"]:
        lines.append(f"{len(found['failed'])} could not be delivered: see {root}/outbox/failed")
    return lines


def _details(row: dict[str, Any], root: str) -> list[str]:
    lines = []
    for one in row["players"]:
        if row["stage"] in ("inviting", "ready"):
            way = {"kept": ", key kept here", "own": ", own key", "": ""}[one["way"]]
            lines.append(f"{one['name'] or one['player']} <{one['address']}>: {one['state']}{way}")
        if told := absence_in_words(one["name"] or one["player"], one["away_days"], one["away_until"]):
            lines.append(told)
    for one in row["awaited"]:
        due = f", due {one['due']}" if one["due"] else ""
        late = ", whose mail is not sent yet" if one["unsent"] else ", late" if one["late"] else ""
        refuses = ", who does not want to play" if one["refuses"] else ""
        lines.append(f"waits for {one['name']}{refuses}: {asked_for(one['what'])}{due}{late}")
    lines += [f"{name} has answered" for name in row.get("answered", ())]
    if row["stage"] == "rests":
        game = f"{root}/tables/{row['table']}/game.json"
        lines.append(f"to end it: `referee reveal {game} --key {root}/host.key`, then `referee mail run {root}`")
    return [*lines, *(f"{name} is no longer asked" for name in row.get("out", ()))]
