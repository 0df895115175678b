"""The status of all tables of an office, for its host."""

from datetime import datetime
from typing import Any

from referee.engine.rounds import ACK, asked
from referee.engine.seats import out_seats, rests
from referee.errors import RefereeError
from referee.io.desk import bank_of
from referee.language import Time, Value
from referee.mail import w
from referee.mail.deadlines import absence, awaited_seats, times_of, to_minute
from referee.mail.delivery import NOTHING, asking_mail, state_of
from referee.mail.digest import needed
from referee.mail.hosting import ruled, ruled_in_words
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.timing import absence_in_words
from referee.show.findings import claims_in_words
from referee.show.text import asked_for, clean

Row = dict[str, Any]
"""A report for programs."""


def status_of(office: Office, now: datetime) -> Row:
    """The whole status, for programs."""
    return {
        "office": office.settings.name,
        "address": office.settings.address,
        "tables": [_readable(desk, now) for desk in office.desks.values()],
        "in": len(office.names("in")),
        "outbox": len(office.names("outbox")),
        "failed": [name.removesuffix(".eml") for name in office.names("outbox/failed")],
        "quarantine": len(office.names("quarantine")),
        "needs": [str(line) for line in needed(office, now)],
    }


def _readable(desk: Desk, now: datetime) -> Row:
    """The status of a table, even if its game cannot be read."""
    note = desk.note
    stage = "ready" if len(desk.joined) == desk.terms.seats else "inviting"
    row: Row = {
        "table": desk.name,
        "game": desk.terms.game,
        "seats": desk.terms.seats,
        "stage": note.end or ("" if note.game else stage),
        "instead_of": note.instead_of,
        "players": [_player(desk, number, now) for number in range(1, len(note.invitations) + 1)],
        "round": 0,
        "since": note.since or note.made,
        "due": "",
        "awaited": [],
        "rulings": [],
        "claims": len(note.claims),
    }
    try:
        return {**row, "rulings": ruled(note), **(_running(desk, now) if desk.runs else {})}
    except RefereeError as error:
        return {**row, "stage": "damaged", "trouble": error.message}


def _player(desk: Desk, number: int, now: datetime) -> Row:
    one = desk.note.invitations[number - 1]
    player = desk.office.players[one.player]
    joined = one.state == "joined"
    days, until = absence(desk, one.player, now)
    return {
        "player": one.player,
        "name": clean(desk.join(number).name if joined else player.name),
        "address": desk.address(number),
        "state": one.state,
        "way": ("kept" if desk.join(number).kept else one.way or "own") if joined else "",
        "away_until": until,
        "away_days": days,
    }


def _running(desk: Desk, now: datetime) -> Row:
    match = desk.match
    state, names = match.state, [clean(name) for name in desk.names]
    rows = []
    for seat in awaited_seats(desk):
        what, found = asked(state)[seat].what, times_of(desk, seat, now)
        known = desk.office.deliveries.get(asking_mail(desk, seat), NOTHING)
        row = {
            "name": names[seat],
            "what": what,
            "due": to_minute(found.due) if found else "",
            "late": bool(found and now >= found.due),
            "over": to_minute(found.over) if found and state.round else "",
            "bank": bank_of(match, seat),
            "refuses": what == ACK and seat in desk.note.wavering,
            "mail": state_of(desk.office, asking_mail(desk, seat)),
            "handed": known.handed,
            "tries": known.tries,
            "again": known.again,
            "why": known.why,
        }
        rows.append(row)
    stage = "over" if state.end else "rests" if rests(state) else "acks" if not state.round else "playing"
    return {
        "stage": stage,
        "round": state.round,
        "due": state.due,
        "awaited": rows,
        "answered": [names[seat] for seat in sorted(match.waiting)],
        "out": [names[seat] for seat in sorted(out_seats(state))],
    }


def _stage(row: Row) -> str:
    """A table and its stage, in one line."""
    values: dict[str, Value] = {"table": row["table"], "game": row["game"]}
    return {
        "inviting": w("{table} {game} is waiting for players to join", **values),
        "ready": w("{table} {game} has all its players", **values),
        "acks": w("{table} {game} is waiting for everybody to agree", **values),
        "playing": w("{table} {game} is being played", **values),
        "rests": w("{table} {game} is at rest: nobody answers any more", **values),
        "over": w("{table} {game} is over", **values),
        "dropped": w("{table} {game} was given up", **values),
        "damaged": w("{table} {game} cannot be read: {why}", why=row.get("trouble", ""), **values),
    }[row["stage"]]


def status_lines(found: Row, root: str) -> list[str]:
    """The same for people: games that are over get one line each."""
    lines = []
    for row in found["tables"]:
        line = _stage(row)
        if row["awaited"]:
            since, number = Time(row["since"]), row["round"] + 1
            line = w("{line}, round {round} open since {since}", line=line, round=number, since=since)
        if row["instead_of"]:
            line = w("{line} (instead of {table})", line=line, table=row["instead_of"])
        lines.append(line)
        if ruling := ruled_in_words(row["rulings"]):
            lines.append(f"  {ruling}")
        lines += [f"  {ruling}" for ruling in claims_in_words(row["claims"])]
        if row["stage"] not in ("over", "dropped"):
            lines += [f"  {line}" for line in _details(row, root)]
    lines.append(
        w.plural(
            "{n} mail to judge, {outbox} in outbox, {quarantine} in quarantine",
            "{n} mails to judge, {outbox} in outbox, {quarantine} in quarantine",
            found["in"], outbox=found["outbox"], quarantine=found["quarantine"],
        )
    )  # fmt: skip
    if found["needs"]:
        lines += [w("What needs you:"), *(f"  {line}" for line in found["needs"])]
    return lines


def _details(row: Row, root: str) -> list[str]:
    lines = []
    for one in row["players"]:
        if row["stage"] in ("inviting", "ready"):
            lines.append(f"{one['name'] or one['player']} <{one['address']}>: {_state(one)}")
        if absence := absence_in_words(one["name"] or one["player"], one["away_days"], one["away_until"]):
            lines.append(absence)
    lines += [_awaited(one, row["game"]) for one in row["awaited"]]
    lines += [w("{name} has answered", name=name) for name in row.get("answered", ())]
    if row["stage"] == "rests":
        game = f"{root}/tables/{row['table']}/game.json"
        end = w("to end it: `referee reveal {game} --key {key}`, then `referee mail run {root}`",
                game=game, key=f"{root}/host.key", root=root)  # fmt: skip
        lines.append(end)
    return [*lines, *(w("{name} is no longer asked", name=name) for name in row.get("out", ()))]


def _state(one: Row) -> str:
    """The state of an invitation."""
    return {
        "joined": {
            "kept": w("joined, key kept here"),
            "program": w("joined, own key, answers with the program"),
            "page": w("joined, own key, answers in the page"),
            "rules": w("joined, own key, answers in the page with the rules"),
        }.get(one["way"], w("joined, own key")),
        "open": w.sense("an invitation", "open"),
        "declined": w.sense("an invitation", "declined"),
        "withdrawn": w.sense("an invitation", "withdrawn"),
    }[one["state"]]


def _awaited(one: Row, game_id: str) -> str:
    """Who the game is waiting for, and for what."""
    values = {"name": one["name"], "what": asked_for(one["what"], game_id)}
    line = w("waiting for {name}: {what}", **values)
    if one["refuses"]:
        line = w("waiting for {name}, who does not want to play: {what}", **values)
    if one["due"]:
        line = w("{line}, due {due}", line=line, due=Time(one["due"]))
    if one["mail"] in ("queued", "refused"):
        return _with_mail(line, one)
    if one["over"] != one["due"] and one["over"]:
        line = w("{line}, timed out after {over}", line=line, over=Time(one["over"]))
    return _with_mail(w("{line}, late", line=line) if one["late"] else line, one)


def _with_mail(line: str, one: Row) -> str:
    """The same, with what became of the mail that asks, unless it simply left."""
    match one["mail"]:
        case "queued" if one["again"]:
            return w.plural(
                "{line}, mail tried {n} time and again after {again}: {why}",
                "{line}, mail tried {n} times and again after {again}: {why}",
                one["tries"], line=line, again=Time(one["again"]), why=one["why"],
            )  # fmt: skip
        case "queued":
            return w("{line}, mail not sent yet", line=line)
        case "unknown":
            return w("{line}, nobody knows whether the mail arrived", line=line)
        case "refused":
            return w("{line}, mail refused: {why}", line=line, why=one["why"])
        case "bounced":
            return w("{line}, mail came back: {why}", line=line, why=one["why"])
    return line
