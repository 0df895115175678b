"""A mail that is being judged, and the ways to answer it: always to the address in the book, never to the sender."""

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime

import msgspec

from referee.engine.player import Opened
from referee.errors import RefereeError
from referee.language import Message, Text, as_text, runs
from referee.mail import Saying, letters, t, words
from referee.mail.beside import Speaks
from referee.mail.body import Problem
from referee.mail.compose import sent_texts
from referee.mail.deadlines import awaited_seats
from referee.mail.delivery import mail_of
from referee.mail.message import Letter
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.passes import INVITATION, Pass, found_in
from referee.mail.post import Ground, Writing, inviting, may_answer, plain_reader, post, post_invited, post_seat, short
from referee.mail.reading import game_words
from referee.mail.reply import Said, Written, written

_REPLY = re.compile(r"^\s*(?:(?:re|aw|antw|antwort|antwoord)\s?:\s*){0,9}", re.IGNORECASE)
TEXTS_MOST = 12
"""How many answers of ours per turn a mail is compared with: nobody quotes more."""
TURNS_MOST = 6


class Judgement(msgspec.Struct, frozen=True):
    """What the host is told about a mail, and the folder it goes to."""

    told: Message
    folder: str = "archive"


class SeatResult(msgspec.Struct):
    """What became of everything that one seat said in a mail."""

    opened: Opened
    name: str = ""
    """The id of the last document signed for the open round."""
    taken: list[Message | str] = []
    repeated: list[Message | str] = []
    """What was accepted before."""
    told: list[Message | str] = []
    problems: list[Problem] = []
    old: list[Text] = []
    """What already counts, or came too late: anybody can copy it from a view, so it does not prove who wrote."""
    receipt: bytes = b""


class Case(msgspec.Struct, frozen=True):
    """A mail that is being judged."""

    office: Office
    letter: Letter
    digest: str
    """See `identity`."""
    now: datetime
    came: datetime
    """When it arrived."""

    @property
    def was_answered(self) -> bool:
        """Whether the same mail came before, with other headers on its way, and was answered."""
        return self.digest[:16] in self.office.answered

    @property
    def what(self) -> str:
        """The end of the id of an answer."""
        return f"answer-{self.digest[:16]}"

    @property
    def more(self) -> str:
        """The end of the id of a second answer to the same mail."""
        return f"answer-{hashlib.sha256(self.digest.encode()).hexdigest()[:16]}"

    def answer(self, desk: Desk, seat: int, ground: Ground, write: Writing, what: str = "") -> bool:
        """Answer the player of a seat, unless today's limit for this ground is reached. Mails sent by programs are
        never answered."""
        headers = self.letter.headers
        if headers.auto or not may_answer(self.office, desk.player_id(seat), ground, self.now):
            return False
        return post_seat(desk, seat, what or self.what, write, self.now, round=desk.last_asked(seat), answers=headers)

    def tell(self, desk: Desk, seat: int, ground: Ground, lines: Saying, what: Text) -> None:
        """Send the player of a seat a short answer; `what` says what it is about."""
        self.answer(desk, seat, ground, short(desk.name, what, lines))

    def answer_invited(self, desk: Desk, number: int, ground: Ground, lines: Saying, *, again: bool) -> None:
        """Answer somebody who was invited; `again` with the invitation itself, in the language they now want."""
        if may_answer(self.office, desk.note.invitations[number - 1].player, ground, self.now):
            write = inviting(desk) if again else short(desk.name, t("your invitation"), lines)
            post_invited(desk, number, self.what, write, self.now, answers=self.letter.headers)

    def answer_player(self, player: str, address: str, ground: Ground, lines: Saying) -> bool:
        """Answer somebody whose seat is not certain: the answer contains nothing of a game."""
        if not may_answer(self.office, player, ground, self.now):
            return False
        reader = msgspec.structs.replace(plain_reader(self.office, player), address=address)
        write = short(self.office.settings.name, t("your mail"), lines)
        return post(self.office, f"{self.what}-{player}", reader, write, self.now, answers=self.letter.headers)

    def refuse(self, desk: Desk, seat: int, ground: Ground, problems: Sequence[Problem]) -> Judgement:
        """Say what is wrong, and what the seat can answer if it is asked now."""
        opened = desk.opened(seat) if is_awaited(desk, seat) else None
        self.answer(desk, seat, ground, lambda reader: letters.refused(opened, reader, problems))
        return Judgement(t("{who}: refused, {message}", who=desk.who(seat), message=problems[0].message))

    def respond(self, desk: Desk, seat: int, heard: SeatResult, ground: Ground) -> Judgement:
        """Send one answer to everything that a seat said."""
        opened, receipt, who = heard.opened, heard.receipt, desk.who(seat)
        if heard.taken:
            lines = [*heard.taken, *heard.told]
            self.answer(desk, seat, Ground("taken"), lambda reader: letters.accepted(opened, reader, lines, receipt))
        elif heard.repeated:
            lines = [*heard.repeated, *heard.told]
            self.answer(
                desk, seat, ground, lambda reader: letters.already_accepted(opened, reader, lines, receipt=receipt)
            )
        elif heard.told:
            self.tell(desk, seat, ground, heard.told, t("about you"))
        elif heard.problems:
            return self.refuse(desk, seat, ground, heard.problems)
        else:
            self.tell(desk, seat, Ground("copy"), [*heard.old[:3], *next_steps(desk, seat)], t("an old answer"))
            return Judgement(t("{who}: nothing new", who=who))
        return Judgement(
            t("{who}: accepted", who=who) if heard.taken or heard.told else t("{who}: already accepted", who=who)
        )

    def unknown(self, trouble: Message) -> Judgement:
        """There is neither a signature nor a valid pass: ask the apparent sender which game is meant, at most a few
        times a day; if nobody here has that address, do nothing."""
        sender = self.letter.headers.sender.casefold()
        known = ((address, player) for player, address in self.office.addresses() if address.casefold() == sender)
        to, player = next(known, ("", ""))
        if not player:
            why = t("the sender is not in the address book, and there is no pass")
            return Judgement(why, "quarantine")
        first = t("Your mail was not accepted: {why}.", why=trouble or t("I cannot tell which game you mean"))
        more = t(
            "Please reply to my latest mail about that game without changing its subject, or send the "
            "signed file itself."
        )
        asked_back = self.answer_player(player, to, Ground("sender"), (first, more))
        return Judgement(t("asked which game is meant") if asked_back else t("not answered: today's limit is reached"))

    def names(self, desk: Desk, seat: int) -> tuple[str, ...]:
        """How the player of a seat may sign."""
        return desk.names[seat], desk.player(seat).name, self.letter.headers.sender_name

    def speaks(self, desk: Desk, opened: Opened) -> Speaks:
        """Tells whether a text has words of the game."""
        return game_words(desk.terms.game, opened)

    @property
    def answers(self) -> list[str]:
        """The ids of our mails that this one answers, as its headers say: the nearest first."""
        headers = self.letter.headers
        ids = dict.fromkeys((headers.in_reply_to, *reversed(headers.references)))
        return [name for one in ids if (name := mail_of(self.office, one.strip("<>").partition("@")[0]))]

    def titled(self) -> list[Said]:
        """The subject, if it is the name of a language or one of our words: some people write nothing else."""
        subject = _REPLY.sub("", self.letter.headers.subject).strip()
        return [Said(subject, 0)] if words.is_language(subject) or words.asked_for(subject) else []

    def written_by(self, desk: Desk, number: int, passes: Sequence[Pass] = ()) -> Written:
        """What a player wrote, without anything that we sent."""
        return written(self.letter, *self.texts(desk, number, passes))

    def texts(self, desk: Desk, number: int, passes: Sequence[Pass]) -> list[list[str]]:
        """The texts of our mails to a player, plain and HTML: about the turns of these passes, and since the seat was
        last asked. Mails that ask come first: there can be many answers, because others can cause them."""
        office, rounds = self.office, {one.round for one in passes}
        ids = [desk.invitation_id(number)] if INVITATION in rounds else []
        if desk.note.game and number in desk.joined:
            seat = desk.joined.index(number)
            rounds |= {*range(desk.last_asked(seat), desk.match.state.round + 2)}
            ids = [*(desk.round_id(seat, one) for one in sorted(rounds, reverse=True) if one), *ids]
        names: list[str] = []
        for turn in [office.turns[one] for one in ids if one in office.turns][:TURNS_MOST]:
            names += [name for name in turn if "-answer-" not in name]
            names += [name for name in turn if "-answer-" in name][-TEXTS_MOST:]
        for name in names:
            if name not in office.texts:
                office.texts[name] = [text for text in sent_texts(office.find_mail(name)) if text]
        return [text for name in names for text in office.texts[name]]


def identity(letter: Letter, digest: str) -> str:
    """What is the same for all copies of a mail, whatever happened to its headers: its Message-ID, passes and content.
    Without a Message-ID it is the digest of all of it. Nobody can answer first in the name of a mail that they do not
    have."""
    if not letter.headers.message_id:
        return digest
    files = [one.data for one in letter.attachments] + [block.data or b"" for block in letter.blocks]
    texts = [line.text for line in letter.lines] + [as_text(letter.sealed).message]
    told = (letter.headers.message_id, sorted(map(str, found_in(letter))), texts, files)
    return hashlib.sha256(msgspec.msgpack.encode(told)).hexdigest()[:32]


def is_awaited(desk: Desk, seat: int) -> bool:
    """Whether the game is waiting for an answer from this seat."""
    return desk.runs and seat in awaited_seats(desk)


def next_steps(desk: Desk, seat: int) -> list[Text]:
    """What to tell somebody who sent an old answer; empty if there is nothing to do."""
    if desk.note.end:
        return [t("This game is over.")]
    waiting = t("Round {round} is still waiting for your answer.", round=desk.match.state.round + 1)
    return [waiting] if is_awaited(desk, seat) else []


def problem_of(error: RefereeError, line: str = "") -> Problem:
    """What is wrong, for somebody who writes mails and has no command line."""
    next = error.next
    if not next or any(runs(next)) or "--" in as_text(next).message:
        next = t("choose one of the listed answers")
    return Problem(line, error.message, next)
