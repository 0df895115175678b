"""A mail that is judged, and the ways to answer it: to the address book's address, never to the sender's."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from referee.engine.rounds import asked
from referee.language import NOTHING, Text, Told, speaking
from referee.mail import letters, t, w, words
from referee.mail.allowance import Ground, may_answer
from referee.mail.compose import sent_texts
from referee.mail.headers import Envelope
from referee.mail.letters import Body, Problem, Reader
from referee.mail.message import Letter
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.passes import INVITATION, Pass
from referee.mail.post import (
    invitation_id,
    invited_names,
    invited_reader,
    last_asked,
    plain_reader,
    post,
    post_seat,
    round_id,
    seat_reader,
)
from referee.mail.reply import Written, written

_REPLY = re.compile(r"^\s*(?:(?:re|aw|antw|antwort|antwoord)\s?:\s*){0,9}", re.IGNORECASE)
TEXTS_MOST = 12
"""So many answers of ours are compared with what came, per turn: nobody quotes more."""
TURNS_MOST = 6


class Judgement(msgspec.Struct, frozen=True):
    """Where a mail goes, and what the host is told of it."""

    folder: str
    told: Told


class Case(msgspec.Struct, frozen=True):
    """A mail that is judged."""

    office: Office
    letter: Letter
    digest: str
    now: datetime
    silent: bool = False
    """Nothing of it is answered."""
    came: datetime | None = None
    """When it arrived, if it is a mail."""

    @property
    def what(self) -> str:
        """How the id of an answer ends."""
        return f"answer-{self.digest[:16]}"

    def answer(self, desk: Desk, seat: int, ground: Ground, body: Callable[[Reader], Body]) -> None:
        """Answer the player of a seat, if that was not done too often today on this ground."""
        if not self.silent and may_answer(self.office, desk.player_id(seat), ground, self.now):
            with speaking(desk.language(seat)):
                made, round = body(seat_reader(desk, seat)), last_asked(desk, seat)
            post_seat(desk, seat, self.what, made, self.now, round=round, answers=self.letter.envelope)

    def tell(self, desk: Desk, seat: int, ground: Ground, lines: Sequence[Told | str], what: Text) -> None:
        """A short answer to the player of a seat, and `what` it is about."""

        def body(reader: Reader) -> Body:
            return letters.told(reader, lines, f"{desk.name}: {what}")

        self.answer(desk, seat, ground, body)

    def answer_invited(
        self, desk: Desk, number: int, ground: Ground, lines: Sequence[Told | str], *, again: bool = False
    ) -> None:
        """Answer somebody who was invited; `again` with the invitation itself, for who wants it in another language."""
        player = desk.note.invitations[number - 1].player
        if may_answer(self.office, player, ground, self.now):
            name, thread = (f"{invitation_id(desk, number)}-{what}" for what in (self.what, "invitation"))
            reader, to = invited_reader(desk, number), desk.address(number)
            with speaking(self.office.language(player)):
                if again:
                    body = letters.invitation(desk.offer, reader, invited_names(desk), self.office.settings.name)
                else:
                    body = letters.told(reader, lines, w("{table}: your invitation", table=desk.name))
            post(self.office, name, to, reader, body, self.now, thread=thread, answers=self.letter.envelope)

    def answer_player(self, player: str, to: str, ground: Ground, lines: Sequence[Text]) -> bool:
        """Answer somebody of whom no seat is known for certain: nothing in it comes from a game."""
        if not may_answer(self.office, player, ground, self.now):
            return False
        reader = plain_reader(self.office, player)
        with speaking(self.office.language(player)):
            body = letters.told(reader, lines, w("{office}: your mail", office=self.office.settings.name))
        return post(self.office, f"{self.what}-{player}", to, reader, body, self.now, answers=self.letter.envelope)

    def refuse(self, desk: Desk, seat: int, ground: Ground, problems: Sequence[Problem]) -> Judgement:
        """Say what is wrong, with what the seat can answer now if it is asked."""
        opened = desk.opened(seat) if waits(desk, seat) else None
        self.answer(desk, seat, ground, lambda reader: letters.refused(opened, reader, problems))
        return Judgement(
            "archive",
            t(
                "{name}: {names}: refused, {message}",
                name=desk.name,
                names=desk.names[seat],
                message=problems[0].message,
            ),
        )

    def titled(self) -> list[str]:
        """The subject, where somebody put the name of a language in its place and wrote nothing else."""
        subject = _REPLY.sub("", self.letter.envelope.subject).strip()
        return [subject] if words.is_language(subject) else []

    def written_by(self, desk: Desk, seat: int, passes: Sequence[Pass] = ()) -> Written:
        """What the player wrote, with all struck out that we sent: about the turns whose passes are in the mail, and
        since the seat was asked."""
        return written(self.letter, *self.texts(desk, desk.joined[seat], passes))

    def texts(self, desk: Desk, number: int, passes: Sequence[Pass]) -> list[list[str]]:
        """The texts of our mails to a player: about the turns of these passes, and since the seat was asked."""
        rounds = {one.round for one in passes}
        ids = [invitation_id(desk, number)] if INVITATION in rounds else []
        if desk.note.game and number in desk.joined:
            seat = desk.joined.index(number)
            rounds |= {*range(last_asked(desk, seat), desk.match.state.round + 2)}
            ids = [*(round_id(desk, seat, one) for one in sorted(rounds, reverse=True) if one), *ids]
        return texts_of(self.office, [one for one in ids if one in self.office.turns][:TURNS_MOST])

    def unknown(self, trouble: Told = NOTHING) -> Judgement:
        """Neither a signature nor a pass that counts: a friendly question to who seems to have sent it, seldom; if
        nobody here has that address, nothing."""
        sender = self.letter.envelope.sender.casefold()
        known = ((address, player) for player, address in self.office.addresses() if address.casefold() == sender)
        to, player = next(known, ("", ""))
        if not player:
            return Judgement(
                "quarantine", t("nobody in the address book has this sender's address, and there is no pass")
            )
        why = trouble or t("I cannot tell which game you mean")
        first = t("Your mail was not taken: {why}.", why=why)
        more = t("Answer my newest mail of that game, and leave its subject as it is; or send the signed file itself.")
        asked_back = self.answer_player(player, to, Ground("sender"), (first, more))
        return Judgement(
            "archive", t("asked which game is meant") if asked_back else t("not answered: asked enough today")
        )


def waits(desk: Desk, seat: int) -> bool:
    """Whether the game waits for an answer of this seat."""
    return desk.runs and seat in asked(desk.match.state) and seat not in desk.match.waiting


def what_next(desk: Desk, seat: int) -> Text:
    """What somebody should know whose answer is an old one; empty if there is nothing to do."""
    if desk.note.end:
        return t("This game is over.")
    waiting = t("Round {round} still waits for your answer.", round=desk.match.state.round + 1)
    return waiting if waits(desk, seat) else NOTHING


def nobody(office: Office, now: datetime) -> Case:
    """For what is done without a mail."""
    return Case(office, Letter(Envelope()), "", now)


def unsigned(lines: Sequence[str], names: Sequence[str]) -> list[str]:
    """Lines without the writer's own name, under a mail: it stands last, and something else before it."""
    ends = {word for name in names for word in (name.casefold(), name.casefold().partition(" ")[0])}
    signed = len(lines) > 1 and lines[-1].strip(" .,!-").casefold() in ends
    return list(lines[:-1] if signed else lines)


def texts_of(office: Office, abouts: Sequence[str]) -> list[list[str]]:
    """The texts of our mails about these turns, plain and HTML. Those that ask come first: answers can be many, because
    others can have caused them."""
    names = [name for about in abouts for name in _newest(office.turns.get(about, []))]
    for name in names:
        if name not in office.texts:
            office.texts[name] = [text for text in sent_texts(office.find_mail(name)) if text]
    return [text for name in names for text in office.texts[name]]


def _newest(names: Sequence[str]) -> list[str]:
    answers = [name for name in names if "-answer-" in name]
    return [*(name for name in names if name not in answers), *answers[-TEXTS_MOST:]]
