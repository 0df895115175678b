"""Asking back: `did you mean ...?` where one line of a mail is a move and the rest is unclear, and what else to write
where nothing was understood.

A question belongs to a seat, a round and one line. It gives the player one word to say yes; until then nothing counts.
"""

from collections.abc import Sequence

from referee.engine.player import Draft, Opened
from referee.errors import RefereeError, Usage
from referee.mail import beside, learning, letters_asked, t, words
from referee.mail.body import Problem
from referee.mail.case import Case, Judgement, is_awaited, problem_of
from referee.mail.office_tables import Desk, Question
from referee.mail.post import Ground
from referee.mail.reading import LINES_SHOWN, Order, Unread, read_in
from referee.mail.reply import Said
from referee.show.typed import in_words

QUESTIONS_MOST = 5
"""How many questions a seat gets in a round; `yes 2` answers the second."""


def ask(
    case: Case, desk: Desk, seat: int, ground: Ground, round: int, read: tuple[str, Order], unread: Sequence[Unread]
) -> Judgement:
    """Ask whether a line was meant as the move."""
    line, draft = read
    if (question := answered_by(case, desk, seat, round, line)) is not None:
        line = question.line
    problems = [problem_of(error, rest) for rest, error in unread[:LINES_SHOWN]]
    mine = _questions(desk, seat, round)
    same = next((at for at, one in enumerate(mine) if one.line == line), len(mine))
    if not isinstance(draft, Draft) or same == QUESTIONS_MOST or not _is_free(desk, seat):
        return case.refuse(desk, seat, ground, problems)
    opened, move = desk.opened(seat), "; ".join(in_words(desk.opened(seat), draft))
    name = f"{desk.round_id(seat, desk.last_asked(seat))}-{case.what}"
    if same == len(mine):
        others = tuple(one for one in desk.note.questions if one.round == desk.match.state.round + 1)
        desk.change(questions=(*others, Question(seat, round, line, name)))
    rest = [problem.line for problem in problems]
    case.answer(
        desk, seat, ground, lambda reader: letters_asked.did_you_mean(opened, reader, line, move, same + 1, rest)
    )
    return Judgement(t("{who}: was asked whether this is meant: {move}", who=desk.who(seat), move=move))


def answered_by(case: Case, desk: Desk, seat: int, round: int, line: str) -> Question | None:
    """The question that a line says yes to; None if it says nothing of the kind."""
    mine, number = _questions(desk, seat, round), words.yes_number(line)
    if not mine or number is None:
        return None
    if number:
        if number > len(mine):
            raise Usage(t("I did not ask that often"), t("write your move itself"))
        return mine[number - 1]
    if len(mine) == 1:
        return mine[0]
    # A mere `yes` to one of several questions: the mail says which of ours it answers.
    replied = [one for one in mine if one.mail in case.answers[:1]]
    if not replied:
        raise Usage(t("I asked about more than one move"), t("write the move itself"))
    return replied[0]


def is_confirmed(desk: Desk, seat: int, round: int, said: Sequence[Said]) -> bool:
    """Whether somebody says yes to a question."""
    return bool(_questions(desk, seat, round)) and any(words.yes_number(one.text) is not None for one in said)


def settle(case: Case, desk: Desk, seat: int) -> None:
    """A seat has answered: its questions are over. What stood beside the move that it confirmed means nothing."""
    mine = _questions(desk, seat, desk.match.state.round + 1)
    if not mine:
        return
    player = desk.player_id(seat)
    turn = f"{desk.name}-{mine[0].round}"
    kept = learning.confirmed(case.office.players[player].beside, turn)
    case.office.change_player(player, beside=kept)
    desk.change(questions=tuple(one for one in desk.note.questions if one.seat != seat))


def not_understood(case: Case, desk: Desk, seat: int, ground: Ground, unread: Sequence[Unread]) -> Judgement:
    """Say what was not understood, with the nearest word of ours, and the two things that are most likely written
    instead. Questions and greetings are no refused answers."""
    opened = desk.opened(seat) if is_awaited(desk, seat) else None
    problems = [problem_of(error, line) for line, error in unread[:LINES_SHOWN]]
    near = next(filter(None, (words.nearest_word(line) for line, _ in unread)), "")
    if not all(beside.is_question(line) for line, _ in unread):
        return case.refuse(desk, seat, ground, [*problems, *_hints(opened, near)])
    lines = [problem.line for problem in problems]
    case.answer(desk, seat, ground, lambda reader: letters_asked.not_understood(opened, reader, lines, near))
    return Judgement(t("{who}: asked or greeted, and answered nothing", who=desk.who(seat)))


def _hints(opened: Opened | None, near: str) -> list[Problem]:
    """What somebody can write instead."""
    first, second = letters_asked.likely(opened)
    hints = [Problem("", t("you can write `{first}` or `{second}`", first=first, second=second))]
    return [Problem("", t("did you mean `{word}`?", word=words.called(near))), *hints] if near else hints


def _questions(desk: Desk, seat: int, round: int) -> list[Question]:
    """The open questions to a seat, in the order of their numbers."""
    return [one for one in desk.note.questions if (one.seat, one.round) == (seat, round)]


def _is_free(desk: Desk, seat: int) -> bool:
    """Whether `yes` can only mean our question here: it says nothing else, and nobody asked something else."""
    if seat in desk.note.wavering or not is_awaited(desk, seat):
        return False
    opened = desk.opened(seat)
    try:
        read_in(opened, "yes")
    except RefereeError:
        return True
    return not opened.decides
