"""A run of an office: judging and sending mails. Every step can be repeated at any time."""

import os
from collections.abc import Callable
from datetime import datetime

import msgspec

from referee.errors import MailTrouble, RefereeError
from referee.io import files
from referee.language import Text
from referee.mail import t
from referee.mail.case import Judgement
from referee.mail.deadlines import awaited_seats, to_minute
from referee.mail.fetch import arrival, digest_of
from referee.mail.judge import judge
from referee.mail.message import read_message
from referee.mail.office import OUT, Office
from referee.mail.send import Sender, SendTrouble

BATCH = 50
"""How many mails are judged before their changes are written."""


class Sent(msgspec.Struct):
    """What became of the outbox."""

    sent: int = 0
    failed: list[str] = []
    trouble: RefereeError | None = None


def judge_all(office: Office, now: datetime, *, dry: bool = False) -> list[tuple[str, Judgement]]:
    """Judge the mails in in/, in the order in which they came."""
    names = office.names("in")
    verdicts = []
    for at in range(0, len(names), BATCH):
        verdicts += _judge(office, names[at : at + BATCH], now, dry)
    return verdicts


def _judge(office: Office, names: list[str], now: datetime, dry: bool) -> list[tuple[str, Judgement]]:
    verdicts = []
    try:
        for name in names:
            verdicts.append((name, _judge_one(office, name, now)))
        if not dry:
            office.save()
        return verdicts
    except RefereeError:
        raise
    except Exception as error:
        if os.environ.get("REFEREE_DEBUG") or dry:
            raise
        office.reload()
        if len(names) > 1:
            # A bug that one mail triggers must not stop the others: judge them one by one.
            return [verdict for name in names for verdict in _judge(office, [name], now, dry)]
        office.moves.append((os.path.join("in", names[0]), os.path.join("quarantine", names[0])))
        office.save()
        why = t("it could not be judged: internal error {name}", name=type(error).__name__)
        return [(names[0], Judgement(why, "quarantine"))]


def _judge_one(office: Office, name: str, now: datetime) -> Judgement:
    path = office.path("in", name)
    try:
        letter = read_message(files.read(path, files.LARGE, "mail"))
        verdict = judge(office, letter, digest_of(name), now, min(now, arrival(path)))
    except RefereeError as error:
        # It is not a file, or its table is damaged or played by other rules: it waits until that is fixed.
        return Judgement(t("it cannot be judged yet: {message}", message=error.message), "in")
    office.moves.append((os.path.join("in", name), os.path.join(verdict.folder, name)))
    return verdict


def send_all(office: Office, tell: Callable[[Text], None], clock: Callable[[], datetime]) -> Sent:
    """Send the mails in outbox/. What a server refuses for good goes to outbox/failed/; the rest is tried again. The
    time (by `clock`) at which a mail that asks a seat was handed over is noted: that seat's time counts from then."""
    result = Sent()
    if office.settings.send.kind == "files":
        return result
    try:
        with Sender(office.settings) as sender:
            for name in office.names("outbox"):
                if _send(office, sender, name, result, tell):
                    _note(office, name.removesuffix(".eml"), clock())
    except MailTrouble as trouble:
        result.trouble = trouble
    return result


def _note(office: Office, name: str, now: datetime) -> None:
    """Note when a mail was handed over, if it asks for an answer that is still awaited. If a run is killed before this,
    the next one finds the mail in sent/ and counts from then."""
    for desk in office.desks.values():
        for seat in awaited_seats(desk) if name.startswith(desk.name) and desk.runs else ():
            if name == f"{desk.round_id(seat, desk.match.state.round + 1)}-turn":
                others = ((other, time) for other, time in desk.note.handed if other != seat)
                desk.change(handed=(*others, (seat, to_minute(now))))
                office.save()


def _send(office: Office, sender: Sender, name: str, result: Sent, tell: Callable[[Text], None]) -> bool:
    mail = files.read(office.path("outbox", name), files.LARGE, "mail")
    to = next(iter(read_message(mail).headers.recipients), "")
    try:
        sender.send(mail, to)
    except SendTrouble as trouble:
        tell(t("{mail} to {address}: {why}", mail=name, address=files.printable(to), why=trouble.message))
        result.failed.append(name)
        if trouble.permanent:
            office.move("outbox", OUT[1], name)
        return False
    office.move("outbox", "sent", name)
    result.sent += 1
    return True
