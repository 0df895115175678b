"""Answering words that ask for something: `help`, `rules`, `board`, `moves`, `story`, `status`.

They cost nothing and change nothing, and the answer goes to the player's address, whoever asks. How often is limited
like every other answer.
"""

from collections.abc import Sequence

from referee.engine.rounds import asked as asked_now
from referee.errors import WrongTurn
from referee.language import listed
from referee.mail import letters_asked, t, w, words
from referee.mail.body import Body, Reader
from referee.mail.case import Case, Judgement
from referee.mail.deadlines import awaited_seats, times_of, to_minute
from referee.mail.letters_asked import Standing
from referee.mail.office_tables import Desk
from referee.mail.post import Ground
from referee.mail.reading import Unread, read_lines
from referee.mail.reply import Said, orders, sayings
from referee.mail.timing import moment
from referee.show.text import clean

ASKED_MOST = 6
"""How many words one mail can ask with."""


def only_asked(case: Case, desk: Desk, seat: int, said: Sequence[Said]) -> tuple[words.Asked, ...]:
    """What a mail asks for, if it says nothing else."""
    found = read_lines(said, case.names(desk, seat), _nothing, case.speaks(desk, desk.opened(seat)))
    return () if found.unread else found.asked


def _nothing(line: str) -> words.Statement:
    raise WrongTurn(t("this is no answer"), t("write `help`"))


def answer(
    case: Case, desk: Desk, seat: int, ground: Ground, asked: Sequence[words.Asked], unread: Sequence[Unread] = (),
    *, again: bool = False,
) -> Judgement:  # fmt: skip
    """Answer words; `again` if the same mail gets another answer, too."""
    asked, lines = asked[:ASKED_MOST], [line for line, _ in unread]
    settings = case.office.settings

    def write(reader: Reader) -> Body:
        standings = _standings(case, desk, seat, reader) if any(one.word == "status" for one in asked) else ()
        host = f"{settings.name} <{settings.address}>"
        return letters_asked.answered(desk.opened(seat), reader, asked, standings, host, lines)

    case.answer(desk, seat, ground, write, case.more if again else "")
    what = tuple(" ".join(filter(None, (one.word, one.about))) for one in asked)
    return Judgement(t("{who}: asked for {words}", who=desk.who(seat), words=what))


# --- how the games of a player stand ----------------------------------------------------------------------------------


def _standings(case: Case, desk: Desk, seat: int, reader: Reader) -> list[Standing]:
    """This table, and others of the same player whose mails go to the same address: a pass of one table says nothing
    about the others."""
    player = desk.player_id(seat)
    found = [_standing(case, desk, seat, reader)]
    for other in case.office.desks.values():
        if other is not desk and other.runs:
            for place in range(len(other.joined)):
                if other.player_id(place) == player and other.address(other.joined[place]) == reader.address:
                    found.append(_standing(case, other, place, reader))
    return found


def _standing(case: Case, desk: Desk, seat: int, reader: Reader) -> Standing:
    """Who must answer in a game, until when, as every player may know."""
    title = w("{table}, round {round}", table=f"{desk.opened(seat).table.game.title} {desk.name}",
              round=desk.match.state.round + 1)  # fmt: skip
    if not desk.runs:
        return Standing(title, (w("This game is over."),))
    names = [clean(name) for name in desk.names]
    lines = []
    if seat in awaited_seats(desk):
        lines.append(w("It waits for your answer."))
        found = times_of(desk, seat, case.now)
        if found and desk.terms.deadline:
            lines.append(w("Your answer is due by {when}.", when=moment(to_minute(found.due), reader.zone)))
    # Who of the others has answered already is nobody's business before the round is closed.
    others = [names[one] for one in asked_now(desk.match.state) if one != seat]
    if others:
        lines.append(w("Asked in this round: {names}.", names=listed(others)))
    if seat not in asked_now(desk.match.state):
        lines.append(w("You are not being asked for anything now."))
    if desk.match.state.due:
        lines.append(w("The round is due by {when}.", when=moment(desk.match.state.due, reader.zone)))
    return Standing(title, tuple(lines))


# --- without a pass ---------------------------------------------------------------------------------------------------


def without_pass(case: Case) -> Judgement | None:
    """Answer words of somebody who has no pass, because they sign: to the address in the book that they write from, at
    most a few times a day. None if this is not such a mail."""
    sender = case.letter.headers.sender.casefold()
    seats = [
        (desk, seat)
        for desk in case.office.desks.values()
        if desk.note.game
        for seat, number in enumerate(desk.joined)
        if desk.address(number).casefold() == sender
    ]
    seats = _replied(case, seats) or [one for one in seats if one[0].runs]
    if len(seats) != 1:
        return None
    ((desk, seat),) = seats
    found = case.written_by(desk, desk.joined[seat])
    said = sayings(found) or case.titled()
    if not found.sure or not (orders(found) or said):
        return None
    asks = only_asked(case, desk, seat, said)
    return answer(case, desk, seat, Ground("sender"), asks) if asks else None


def _replied(case: Case, seats: Sequence[tuple[Desk, int]]) -> list[tuple[Desk, int]]:
    """Those of these seats whose mail this one answers."""
    names = case.answers
    found = [(desk, seat) for desk, seat in seats if names and names[0].startswith(desk.name)]
    return found[:1]
