"""Judging one mail: what it changes, and which mails answer it.

Only two things speak for a seat: a signature, or the pass of the turn with words that the player certainly wrote.
The sender of a mail decides nothing.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec import structs

from referee.crypto.codec import decode
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import Draft, Opened, answer
from referee.engine.rounds import asked as asked_now
from referee.errors import RefereeError, WrongTurn
from referee.language import Message, speaking
from referee.mail import asked, beside, combined, learning, letters, lobby, meant, reading, signed, statements, t, words
from referee.mail.body import Problem
from referee.mail.case import (
    Case,
    Judgement,
    SeatResult,
    identity,
    is_awaited,
    next_steps,
    problem_of,
)
from referee.mail.catchup import asking
from referee.mail.deadlines import answer_kept, late_by, today
from referee.mail.delivery import asked_by, came_back, invites, mail_of
from referee.mail.message import Letter
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.passes import INVITATION, Pass, found_in, is_true, passes_in
from referee.mail.post import Ground
from referee.mail.reply import Said, sayings
from referee.mail.saved import Document
from referee.show.typed import in_words

Owners = Mapping[tuple[str, int], Sequence[Pass]]
"""Table and invitation -> the passes of that player."""


def judge(office: Office, letter: Letter, digest: str, now: datetime, came: datetime) -> Judgement:
    """Judge a mail that arrived at `came`; the office is changed in memory."""
    case, papers = Case(office, letter, identity(letter, digest), now, came), signed.signed_documents(letter)
    if case.was_answered:
        return Judgement(t("the same mail came before, and was answered"))
    joins = [paper for paper in papers if paper.kind == "join"]
    heard, trouble = signed.judge_documents(case, [paper for paper in papers if paper.kind != "join"])
    if letter.headers.auto:
        # Mails from programs are never answered, but what a player signed counts, whoever delivers it.
        counted = any(one.taken or one.repeated or one.told for one in heard.values())
        if counted:
            return signed.answer(case, heard)
        return _came_back(case) or Judgement(_with_owner(case, letter.headers.auto), "quarantine")
    trouble = trouble or signed.block_damage(letter)
    verdicts = [signed.answer(case, heard)] if heard else []
    owners = _owners(case)
    if letter.headers.listed and not (owners or heard):
        return Judgement(letter.headers.listed, "quarantine")
    if len(owners) == 1:
        (((table, number), passes),) = owners.items()
        desk = office.desks[table]
        # If a seat signed something, its words are not read.
        if not any((table, seat) in heard for seat, other in enumerate(desk.joined) if other == number):
            verdicts.append(_judge_words(case, desk, number, passes, joins, trouble))
    elif owners and not heard:
        verdicts.append(_several_owners(case, owners))
    elif not heard and (told := asked.without_pass(case)):
        verdicts.append(told)
    elif not heard:
        verdicts.append(case.unknown(t("a join only counts in reply to its invitation") if joins else trouble))
    return Judgement(combined(one.told for one in verdicts), verdicts[0].folder)


def _with_owner(case: Case, why: Message) -> Message:
    """Why a mail is not read, and whose pass is in it: its host may want to look at it."""
    for table, number in _owners(case):
        who = case.office.desks[table].note.invitations[number - 1].player
        return t("{why}, but it has a valid pass of {player} at table {table}", why=why, player=who, table=table)
    return why


def _came_back(case: Case) -> Judgement | None:
    """Note that a mail of ours came back, if this is a report that names it by its Message-ID, which only its recipient
    and mail servers have seen."""
    office, report = case.office, case.letter.returned
    if report is None:
        return None
    for name in filter(None, (mail_of(office, one) for one in report.ids)):
        if asked_by(office, name) or invites(office, name):
            came_back(office, name, report.why, case.now)
        return Judgement(t("{mail} came back: {why}", mail=name, why=report.why))
    return None


# --- passes ----------------------------------------------------------------------------------------------------------


def _owners(case: Case) -> Owners:
    """The owners of the passes in a mail that the office has given out. A pass that occurs in our own mails to the
    owner of another pass got there through somebody's name or words, and says nothing about who wrote this mail."""
    owners: dict[tuple[str, int], list[Pass]] = {}
    for one in found_in(case.letter):
        desk = case.office.desks.get(one.table)
        if desk and _was_issued(desk, one) and is_true(one, case.office.key, desk.offer_id):
            number = one.seat if one.round == INVITATION else desk.joined[one.seat - 1]
            owners.setdefault((one.table, number), []).append(one)
    if len(owners) < 2:
        return owners
    planted: set[Pass] = set()
    for (table, number), own in owners.items():
        texts = case.texts(case.office.desks[table], number, own)
        planted.update(one for one in passes_in(line for text in texts for line in text) if one not in own)
    return {owner: own for owner, own in owners.items() if not planted.issuperset(own)}


def _was_issued(desk: Desk, one: Pass) -> bool:
    """Whether such a pass was given out: to an invitation, or to a kept seat in a round that asked it."""
    if one.round == INVITATION:
        return 1 <= one.seat <= len(desk.note.invitations)
    seat = one.seat - 1
    sits = bool(desk.note.game) and 0 <= seat < len(desk.joined) and desk.kept(seat)
    return sits and one.round <= desk.last_asked(seat)


def _ground(desk: Desk, number: int, passes: Sequence[Pass]) -> Ground:
    """What the newest of a player's passes at a table is good for."""
    newest = max(one.round for one in passes)
    if desk.note.end or (desk.note.game and number not in desk.joined):
        holds = False
    elif not desk.note.game:
        holds = desk.note.invitations[number - 1].state != "withdrawn"
    else:
        seat = desk.joined.index(number)
        holds = desk.kept(seat) and newest >= desk.last_asked(seat)
    return Ground("turn" if holds else "old", f"{desk.name}-{number}-{newest}")


def _several_owners(case: Case, owners: Owners) -> Judgement:
    players: dict[str, tuple[str, Ground]] = {}
    for (table, number), passes in sorted(owners.items()):
        desk = case.office.desks[table]
        player, ground = desk.note.invitations[number - 1].player, _ground(desk, number, passes)
        if player not in players or ground.kind == "turn":
            players[player] = desk.address(number), ground
    first = t("Your mail was not accepted: it contains the passes of more than one turn.")
    more = t("Please reply to one of my mails at a time, and do not quote the others.")
    for player, (to, ground) in sorted(players.items()):
        case.answer_player(player, to, ground, (first, more))
    return Judgement(t("refused: passes of several seats in one mail"))


# --- the words of a kept seat ----------------------------------------------------------------------------------------


def _judge_words(
    case: Case, desk: Desk, number: int, passes: Sequence[Pass], joins: Sequence[Document], trouble: Message
) -> Judgement:
    """Judge words that came with a pass of this player."""
    ground, newest = _ground(desk, number, passes), max(one.round for one in passes)
    if not desk.note.game:
        return lobby.judge_answer(case, desk, number, ground, passes, joins, trouble)
    if number not in desk.joined:
        player = desk.note.invitations[number - 1].player
        full = t("This table is full: the game has begun without you.")
        case.answer_player(player, desk.address(number), ground, (full,))
        return Judgement(t("{name}: too late for this table", name=desk.name))
    seat = desk.joined.index(number)
    name = desk.names[seat]
    if not desk.kept(seat) and not desk.note.end:
        words = t("I cannot accept plain words here, because you play with your own key.")
        first = t("You have already joined as {name}.", name=name) if joins else words
        case.tell(desk, seat, ground, (first, t("Please sign your answer to my latest mail.")), t("your mail"))
        return Judgement(t("{name}: {names} has their own key but wrote plain words", name=desk.name, names=name))
    found = case.written_by(desk, number, passes)
    said = sayings(found) or case.titled()
    with speaking(desk.language(seat)):
        if found.sure and (verdict := _counts_already(case, desk, seat, ground, newest, said)):
            return verdict
        asks = asked.only_asked(case, desk, seat, said) if found.sure else ()
        if asks and (desk.note.end or ground.kind == "old"):
            return asked.answer(case, desk, seat, ground, asks)
        if desk.note.end:
            case.tell(desk, seat, ground, (t("This game is over."),), t("it is over"))
            return Judgement(t("{name}: the game is over", name=desk.name))
        if ground.kind == "old":
            over = t("your mail answers a turn that is over")
            return case.refuse(desk, seat, ground, [Problem("", over, t("reply to my latest mail, or to this one"))])
        if not found.sure or not any(not beside.is_talk(one.text) for one in said):
            if found.sure and said and not trouble:
                return meant.not_understood(case, desk, seat, ground, ())
            why = found.why or trouble or t("your mail contains nothing that you wrote yourself")
            advice = t("write only your answer, above everything else")
            return case.refuse(desk, seat, ground, [Problem("", why, advice)])
        return _judge_lines(case, desk, seat, ground, newest, said)


def _counts_already(
    case: Case, desk: Desk, seat: int, ground: Ground, round: int, said: Sequence[Said]
) -> Judgement | None:
    """Handle an answer that arrives again after its question is over: the invitation, or a round in which it counts."""
    done, names = Judgement(t("{who}: already accepted", who=desk.who(seat))), case.names(desk, seat)
    if round == INVITATION:
        orders = lobby.read_invited(said, names).orders
        if len(orders) != 1 or not isinstance(reply := orders[0][1], words.JoinAs):
            return None
        joined = lobby.joined_already(desk, desk.joined[seat], reply.name, desk.kept(seat))
        case.tell(desk, seat, ground, [*joined, *next_steps(desk, seat)], t("your mail"))
        return done
    if round > desk.match.state.round or not said:
        return None
    then = _opened_then(desk, seat, round)
    kept = learning.known(desk.player(seat).beside, f"{desk.name}-{round}-again")
    found = reading.read_lines(said, names, partial(reading.read_in, then), case.speaks(desk, then), kept)
    (_, draft), *others = found.orders or (("", None),)
    try:
        if found.unread or others or not isinstance(draft, Draft) or not _counts(desk, then, draft):
            return None
    except RefereeError:
        return None
    accepted, next = in_words(then, draft), next_steps(desk, seat)
    case.answer(
        desk, seat, ground, lambda reader: letters.already_accepted(desk.opened(seat), reader, accepted, next=next)
    )
    return done


def _opened_then(desk: Desk, seat: int, round: int) -> Opened:
    """What this seat saw when an earlier round asked it."""
    now = desk.opened(seat)
    then = Followed(now.table)
    for checked in now.chain.rounds[: round - 1]:
        then.rounds.append(checked)
        then.checkpoint = checked.checkpoint
    return structs.replace(now, chain=then)


def _counts(desk: Desk, then: Opened, draft: Draft) -> bool:
    """Whether this is what the player of a kept seat answered in an earlier round."""
    entry = desk.opened(then.seat).chain.rounds[then.round].entry
    file = decode(answer(desk.kept_key(then.seat), then, draft), r.MoveFile, "move")
    move = decode(bytes(file.body), r.Move, "move")
    return any(r.move_of(entry.game, entry.round, entry.prev, one) == move for one in entry.answers)


def _judge_lines(case: Case, desk: Desk, seat: int, ground: Ground, round: int, said: Sequence[Said]) -> Judgement:
    """Judge the lines of a mail: there must be one order, and nothing else that could matter."""
    turn, player = f"{desk.name}-{round}", desk.player_id(seat)
    kept = case.office.players[player].beside
    read = partial(_read_line, case, desk, seat, round)
    speaks = case.speaks(desk, desk.opened(seat))
    # Whoever says yes has seen what was not understood.
    known = frozenset(kept) if meant.is_confirmed(desk, seat, round, said) else learning.known(kept, turn)
    found = reading.read_lines(said, case.names(desk, seat), read, speaks, known)
    drafts = [(line, one) for line, one in found.orders if isinstance(one, Draft)]
    if len(found.orders) > 1:
        why, advice = t("this is one of several different answers"), t("send only one of them")
        problems = [Problem(line, why, advice) for line, _ in found.orders[: reading.LINES_SHOWN]]
        return case.refuse(desk, seat, ground, problems)
    if drafts and found.unread:
        lines = [line for line, _ in found.unread if learning.can_be_learned(line, speaks)]
        case.office.change_player(player, beside=learning.learned(kept, lines, turn))
        verdict = meant.ask(case, desk, seat, ground, round, drafts[0], found.unread)
    elif found.orders and not found.unread:
        verdict = _follow(case, desk, seat, ground, found.orders[0][1])
    elif found.unread and not (found.asked and not found.orders):
        verdict = meant.not_understood(case, desk, seat, ground, found.unread)
    elif found.both:
        verdict = meant.ask(case, desk, seat, ground, round, found.both[0], ())
    else:
        return asked.answer(case, desk, seat, ground, found.asked, found.unread)
    if found.asked:
        asked.answer(case, desk, seat, ground, found.asked, again=True)
    return verdict


def _follow(case: Case, desk: Desk, seat: int, ground: Ground, order: reading.Order) -> Judgement:
    """Do what a mail says."""
    if isinstance(order, Draft):
        return _take_words(case, desk, seat, ground, order)
    if isinstance(order, words.No):
        desk.change(questions=tuple(one for one in desk.note.questions if one.seat != seat))
        case.tell(desk, seat, ground, (t("Nothing was taken."), t("Write your move when you like.")), t("your mail"))
        return Judgement(t("{who}: nothing new", who=desk.who(seat)))
    assert not isinstance(order, words.JoinAs)
    result = statements.carry_out(case, desk, seat, order)
    if isinstance(order, words.Language) and is_awaited(desk, seat):
        case.answer(desk, seat, ground, lambda reader: asking(desk, seat, reader, case.now))
    else:
        case.tell(desk, seat, ground, result, t("about you"))
    return Judgement(t("{name}: {names} is told: {told}", name=desk.name, names=desk.names[seat], told=result[0]))


def _read_line(case: Case, desk: Desk, seat: int, round: int, line: str) -> reading.Order:
    """Read a line as a statement about the player, or as an answer to the open question."""
    statement = words.about_player(line, today(case.now, desk.player(seat).zone))
    if statement is not None:
        return statement
    state = desk.match.state
    if isinstance(words.invitation_answer(line), words.No):
        if not state.round:
            return words.Resign()
        if any((one.seat, one.round) == (seat, round) for one in desk.note.questions):
            return words.No()
    if round != state.round + 1 or seat not in asked_now(state):
        raise WrongTurn(t("you are not being asked for a move now"), t("wait for my next mail"), code="not-asked")
    opened = desk.opened(seat)
    if (question := meant.answered_by(case, desk, seat, round, line)) is not None:
        line = question.line
    return reading.read_in(opened, line, sure=seat in desk.note.wavering)


def _take_words(case: Case, desk: Desk, seat: int, ground: Ground, draft: Draft) -> Judgement:
    opened = desk.opened(seat)
    lines, heard = in_words(opened, draft), SeatResult(opened)
    try:
        judged = answer_kept(desk, opened, draft, case.now, late_by(desk, case.now, case.came))
        if judged.error is not None:
            raise judged.error
    except RefereeError as error:
        return case.refuse(desk, seat, ground, [problem_of(error)])
    if seat in desk.note.wavering:
        desk.change(wavering=tuple(one for one in desk.note.wavering if one != seat))
    meant.settle(case, desk, seat)
    (heard.repeated if judged.code == "repeated" else heard.taken).extend(lines)
    return case.respond(desk, seat, heard, ground)
