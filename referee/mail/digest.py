"""What needs the host: players whom no mail reaches, players who are silent, mails that nobody judged although they
have a valid pass. `mail status` tells it, and a mail a day if the host wants one (`digest` in mail.toml)."""

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime, timedelta

from referee.errors import RefereeError
from referee.io import files
from referee.io.times import read_time
from referee.language import Text, Time, run, speaking
from referee.mail import letters, t
from referee.mail.body import Reader
from referee.mail.catchup import undelivered
from referee.mail.compose import Head, compose
from referee.mail.deadlines import awaited_seats, times_of
from referee.mail.delivery import NOTHING, OUT, asking_mail, message_id
from referee.mail.fetch import arrival
from referee.mail.message import read_message
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.passes import found_in, is_true

QUARANTINE = "quarantine"
LATELY = timedelta(days=7)
"""Older mails in quarantine are not told any more; and a player without a deadline is silent after as long."""
LOOKED_AT_MOST = 200
"""The number of mails in quarantine, newest first, that are searched for passes."""


def needed(office: Office, now: datetime) -> list[Text]:
    """What needs the host, each in a sentence; empty if nothing does."""
    found = [t("{problem}; {next}", problem=one.message, next=one.next) for one in undelivered(office, now)]
    failed = len(office.names(OUT[1]))
    if failed:
        again = run("mail", "run", office.root, "--retry")
        found.append(
            t.plural(
                "{n} mail could not be sent: it is in {folder}, and {run} sends it again",
                "{n} mails could not be sent: they are in {folder}, and {run} sends them again",
                failed, folder=files.printable(office.path(OUT[1])), run=again,
            )
        )  # fmt: skip
    for desk in office.desks.values():
        with contextlib.suppress(RefereeError):  # a table that cannot be read is reported elsewhere
            found += _silent(desk, now)
    return [*found, *_with_passes(office, now)]


def _silent(desk: Desk, now: datetime) -> Iterator[Text]:
    """Who has the question, and says nothing although a reminder was due."""
    for seat in awaited_seats(desk) if desk.runs else ():
        handed = desk.office.deliveries.get(asking_mail(desk, seat), NOTHING).handed
        times = times_of(desk, seat, now)
        if handed and now >= (times.reminder if times else read_time(handed) + LATELY):
            yield t("{who} was asked at {time} and has not answered", who=desk.who(seat), time=Time(handed))


def _with_passes(office: Office, now: datetime) -> Iterator[Text]:
    """Mails that were put aside unread, as those of mailing lists are, although somebody's pass is in them."""
    for name in office.names(QUARANTINE)[-LOOKED_AT_MOST:]:
        path = office.path(QUARANTINE, name)
        with contextlib.suppress(RefereeError, OSError):
            if arrival(path) < now - LATELY:
                continue
            for one in found_in(read_message(files.read(path, files.LARGE, "mail"))):
                desk = office.desks.get(one.table)
                if desk and not desk.note.end and is_true(one, office.key, desk.offer_id):
                    where = files.printable(os.path.join(QUARANTINE, name))
                    yield t("{mail} was not judged, but has a valid pass of table {table}", mail=where, table=desk.name)
                    break


def post_digest(office: Office, now: datetime) -> bool:
    """Write the mail of the day to the host, if the host wants one and there is anything to tell."""
    settings, name = office.settings, f"digest-{now:%Y-%m-%d}"
    if not settings.digest or name in office.written or not (lines := needed(office, now)):
        return False
    with speaking(settings.language):
        title = t("What needs you in your office")
        reader = Reader(settings.name, settings.zone, way="kept")
        body = letters.notice(reader, [title, *(f"{line}." for line in map(str, lines))], str(title))
    head = Head(name, message_id(office, name), settings.address, settings.digest, body.subject, now)
    office.add_mail(name, compose(head, body))
    return True
