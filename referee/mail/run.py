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
from referee.mail.delivery import NOTHING, OUT, asked_by, is_due, is_given_up, taken, tried_in_vain
from referee.mail.fetch import arrival, digest_of
from referee.mail.judge import judge
from referee.mail.message import read_message
from referee.mail.office import Office
from referee.mail.send import Sender, SendTrouble

BATCH = 50
"""How many mails are judged before their changes are written."""
IN_A_ROW = 3
"""So many mails in a row that a server does not take, for reasons that may concern all of them, are enough for now."""


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
    """Send the mails in outbox/, those first that were not tried before. A mail that is not taken is set aside for a
    while and the others go on, unless that happens to several in a row; one that no server will take goes to
    outbox/failed/. What becomes of a mail is written at once."""
    result = Sent()
    if office.settings.send.kind == "files":
        return result
    row = 0
    try:
        with Sender(office.settings) as sender:
            for name in _queue(office, clock()):
                failure = _send(office, sender, name, result, tell, clock)
                row = row + 1 if failure in ("account", "dropped", "unknown") else 0
                if row == IN_A_ROW:
                    break
    except MailTrouble as trouble:
        result.trouble = trouble
    return result


def _queue(office: Office, now: datetime) -> list[str]:
    """The mails to try now, in the order in which to try them."""
    known = {name: office.deliveries.get(name.removesuffix(".eml"), NOTHING) for name in office.names("outbox")}
    return sorted((name for name in known if is_due(known[name], now)), key=lambda name: (known[name].tries, name))


def _send(
    office: Office, sender: Sender, file: str, result: Sent, tell: Callable[[Text], None], clock: Callable[[], datetime]
) -> str:
    """Try to send a mail, and write what became of it. Returns why it was not taken."""
    name, mail = file.removesuffix(".eml"), files.read(office.path("outbox", file), files.LARGE, "mail")
    to = next(iter(read_message(mail).headers.recipients), "")
    known, failure, folder = office.deliveries.get(name, NOTHING), "", OUT[2]
    try:
        sender.send(mail, to)
        office.note_delivery(name, taken(known, clock()) if asked_by(office, name) else None)
        result.sent += 1
    except SendTrouble as trouble:
        tell(t("{mail} to {address}: {why}", mail=file, address=files.printable(to), why=trouble.message))
        result.failed.append(file)
        failure, now = trouble.failure, clock()
        known = tried_in_vain(known, trouble.failure, trouble.reply, now)
        office.note_delivery(name, known)
        folder = OUT[1] if is_given_up(known, trouble.failure, now) else ""
        if failure in ("account", "dropped", "unknown"):
            result.trouble = trouble
    if folder:
        office.moves.append((os.path.join("outbox", file), os.path.join(folder, file)))
    office.save_delivery()
    return failure
