"""Where the tables of an office stand, for its host."""

from datetime import datetime
from typing import Any

from referee.engine.rounds import ACK, asked
from referee.engine.seats import out_seats, rests
from referee.errors import RefereeError
from referee.io.desk import bank_of
from referee.language import Value
from referee.mail import w
from referee.mail.absence import absence, absence_in_words
from referee.mail.deadlines import spelled
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.rulings import ruled, ruled_in_words
from referee.mail.waiting import times_of, unsent
from referee.mail.when import point
from referee.show.findings import claims_in_words
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
        "claims": len(note.claims),
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
        found = times_of(desk, seat, now)
        due, over = (spelled(found.due), spelled(found.over) if state.round else "") if found else ("", "")
        row = {"name": names[seat], "what": ask.what, "due": due, "late": bool(found and now >= found.due)}
        row |= {"over": over, "bank": bank_of(match, seat)}
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


def _stage(row: dict[str, Any]) -> str:
    """A table and where it stands, in one line."""
    values: dict[str, Value] = {"table": row["table"], "game": row["game"]}
    match row["stage"]:
        case "inviting":
            return w("{table} {game} waits for players to join", **values)
        case "ready":
            return w("{table} {game} everybody has joined", **values)
        case "acks":
            return w("{table} {game} waits for everybody to agree", **values)
        case "playing":
            return w("{table} {game} is played", **values)
        case "rests":
            return w("{table} {game} rests: nobody answers any more", **values)
        case "over":
            return w("{table} {game} is over", **values)
        case "dropped":
            return w("{table} {game} was given up", **values)
    return w("{table} {game} cannot be read: {why}", why=row["trouble"], **values)


def status_lines(found: dict[str, Any], root: str) -> list[str]:
    """The same, for people: what is over comes in one line each."""
    lines = []
    for row in found["tables"]:
        line = _stage(row)
        if row["awaited"]:
            since, number = point(row["since"]), row["round"] + 1
            line = w("{line}, round {round} open since {since}", line=line, round=number, since=since)
        if row["instead_of"]:
            line = w("{line} (instead of {table})", line=line, table=row["instead_of"])
        lines.append(line)
        if told := ruled_in_words(row["rulings"]):
            lines.append(f"  {told}")
        lines += [f"  {told}" for told in claims_in_words(row["claims"])]
        if row["stage"] not in ("over", "dropped"):
            lines += [f"  {line}" for line in _details(row, root)]
    lines.append(
        w.plural(
            "{n} mail to judge, {outbox} in outbox, {quarantine} in quarantine",
            "{n} mails to judge, {outbox} in outbox, {quarantine} in quarantine",
            found["in"], outbox=found["outbox"], quarantine=found["quarantine"],
        )
    )  # fmt: skip
    if found["failed"]:
        folder = f"{root}/outbox/failed"
        lines.append(w("{count} could not be delivered: see {folder}", count=len(found["failed"]), folder=folder))
    return lines


def _details(row: dict[str, Any], root: str) -> list[str]:
    lines = []
    for one in row["players"]:
        if row["stage"] in ("inviting", "ready"):
            lines.append(f"{one['name'] or one['player']} <{one['address']}>: {_state(one)}")
        if told := absence_in_words(one["name"] or one["player"], one["away_days"], one["away_until"]):
            lines.append(told)
    lines += [_awaited(one, row["game"]) for one in row["awaited"]]
    lines += [w("{name} has answered", name=name) for name in row.get("answered", ())]
    if row["stage"] == "rests":
        game = f"{root}/tables/{row['table']}/game.json"
        end = w("to end it: `referee reveal {game} --key {key}`, then `referee mail run {root}`",
                game=game, key=f"{root}/host.key", root=root)  # fmt: skip
        lines.append(end)
    return [*lines, *(w("{name} is no longer asked", name=name) for name in row.get("out", ()))]


def _state(one: dict[str, Any]) -> str:
    """What became of an invitation."""
    match one["state"], one["way"]:
        case "joined", "kept":
            return w("joined, key kept here")
        case "joined", _:
            return w("joined, own key")
        case "open", _:
            return w.sense("an invitation", "open")
        case "declined", _:
            return w.sense("an invitation", "declined")
    return w.sense("an invitation", "withdrawn")


def _awaited(one: dict[str, Any], game_id: str) -> str:
    """Whom a game waits for, and for what."""
    values = {"name": one["name"], "what": asked_for(one["what"], game_id)}
    line = w("waits for {name}: {what}", **values)
    if one["refuses"]:
        line = w("waits for {name}, who does not want to play: {what}", **values)
    if one["due"]:
        line = w("{line}, due {due}", line=line, due=point(one["due"]))
    if one["over"] != one["due"] and one["over"] and not one["unsent"]:
        line = w("{line}, timed out after {over}", line=line, over=point(one["over"]))
    if one["unsent"]:
        return w("{line}, whose mail is not sent yet", line=line)
    return w("{line}, late", line=line) if one["late"] else line
