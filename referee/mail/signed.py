"""Signed documents in a mail: moves, words, joins, returns and claims. Only the signature decides."""

from collections.abc import Sequence

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, body_of, ident
from referee.engine import records as r
from referee.engine.answers import decode_whole, read_words
from referee.engine.host import authenticate, open_sealed, open_word, take_arrival
from referee.engine.player import Draft, Opened
from referee.errors import RefereeError, WrongTurn
from referee.evidence.rulings import read_claim
from referee.language import NOTHING, Message, Text, speaking
from referee.mail import Saying, combined, statements, t, words
from referee.mail.body import Problem
from referee.mail.case import Case, Judgement, SeatResult, problem_of
from referee.mail.deadlines import accept_move, late_by, today
from referee.mail.message import Letter
from referee.mail.office_tables import Desk
from referee.mail.post import Ground
from referee.mail.reply import orders
from referee.mail.saved import Document, documents
from referee.mail.ways import note_way
from referee.show.typed import in_words

KINDS = ("move", "word", "join", "return", "claim")
PAPERS_MOST = 20
_ELSEWHERE = {
    "move": t("this move is for a game that is not played here"),
    "word": t("this statement is for a game that is not played here"),
    "return": t("this return is for a game that is not played here"),
    "claim": t("this claim is about a game that is not played here"),
}
SAID_MOST = 500
"""How many signed words of a table are remembered; older ones belong to rounds that are over."""


class _Placed(msgspec.Struct, frozen=True):
    body: "_Place"


class _Place(msgspec.Struct, frozen=True):
    game: str = ""
    genesis: Envelope | None = None
    """A claim has this instead of the game's id."""


def signed_documents(letter: Letter) -> list[Document]:
    """The documents in a mail that a player may have signed, each once."""
    return [one for one in documents(letter) if one.kind in KINDS][:PAPERS_MOST]


def block_damage(letter: Letter) -> Text:
    """What is wrong with a damaged block that was meant for us, or why a part cannot be read, if there is one."""
    broken = [block for block in letter.blocks if block.data is None and block.kind in KINDS]
    return t("{why}; send the file itself as an attachment", why=broken[0].why) if broken else letter.sealed


Seats = dict[tuple[str, int], SeatResult]
"""Table and seat -> what was said."""


def judge_documents(case: Case, papers: Sequence[Document]) -> tuple[Seats, Message]:
    """Judge each document. Returns what each signing seat said, and what is wrong with a document that nobody here
    signed."""
    heard: Seats = {}
    trouble: Message = NOTHING
    for paper in papers:
        try:
            desk = _desk_of(case, paper)
            seat = _signer(desk, paper)
        except RefereeError as error:
            trouble = error.message
            continue
        if desk.kept(seat):
            continue  # no player has this key: the document was copied from a view
        one = heard.setdefault((desk.name, seat), SeatResult(desk.opened(seat)))
        with speaking(desk.language(seat)):
            _HEAR[paper.kind](case, desk, seat, paper.data, one)
    return heard, trouble


def answer(case: Case, heard: Seats) -> Judgement:
    """Send one answer to each seat that signed something."""
    rows = []
    for (name, seat), one in heard.items():
        desk = case.office.desks[name]
        if one.taken:
            note_way(desk, desk.joined[seat], case.letter)
        if one.taken or (one.told and not one.repeated):
            found = case.written_by(desk, desk.joined[seat])
            if found.sure and orders(found):
                one.told.append(t("what you wrote next to it was not read; only what is signed counts"))
        rows.append(case.respond(desk, seat, one, Ground("signed", f"{name}-{seat + 1}-{one.name}")).told)
    return Judgement(combined(rows))


def _desk_of(case: Case, paper: Document) -> Desk:
    try:
        place = msgspec.json.decode(paper.data, type=_Placed).body
        game = ident("genesis", bytes(place.genesis.body)) if place.genesis else place.game
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        game = ""
    for desk in case.office.desks.values():
        if game and desk.note.game == game:
            return desk
    raise WrongTurn(_ELSEWHERE[paper.kind], t("send it to its host"), code="other-game")


def _signer(desk: Desk, paper: Document) -> int:
    """The seat that signed this."""
    if paper.kind == "word":
        return open_word(desk.match.table, paper.data).seat
    if paper.kind == "return":
        return authenticate(desk.match.table, decode(paper.data, Envelope, "return"), "return", r.Return).seat
    if paper.kind == "claim":
        return read_claim(paper.data).move.seat
    return authenticate(desk.match.table, decode(paper.data, r.MoveFile, "move"), "move", r.Move).seat


def _judge_move(case: Case, desk: Desk, seat: int, data: bytes, heard: SeatResult) -> None:
    file = decode(data, r.MoveFile, "move")
    move, open_round = msgspec.json.decode(file.body, type=r.Move), desk.match.state.round + 1
    number, judged = move.round, accept_move(desk, data, case.now, late_by(desk, case.now, case.came))
    if number < open_round:
        # Anybody can copy the signed part from a view, but not what was encrypted with it.
        entry = heard.opened.chain.rounds[number - 1].entry if number else None
        answers = [one for one in entry.answers if one.seat == seat] if entry else []
        if entry and any(r.move_of(entry.game, number, entry.prev, one) == move for one in answers):
            why = t("I received a signed answer of yours for round {number}; it already counts.", number=number)
        elif answers:
            why = t(
                "I received a signed answer of yours for round {number}, but another one counts in that round.",
                number=number,
            )
        else:
            why = t("I received a signed answer of yours for round {number}, but it came too late.", number=number)
        heard.old.append(why)
        return
    heard.name = ident("move", bytes(file.body))[:16]
    if judged.error is not None:
        heard.problems.append(problem_of(judged.error))
    else:
        words = heard.repeated if judged.code == "repeated" else heard.taken
        words += _in_words(desk, heard.opened, file)
    if judged.receipt is not None:
        heard.receipt = encode(judged.receipt)


def _in_words(desk: Desk, opened: Opened, file: r.MoveFile) -> Saying:
    """What an accepted move says, including its sealed part, which its player knows."""
    move, game = msgspec.json.decode(file.body, type=r.Move), opened.table.game
    if move.resign:
        return [t("you leave the game")]
    fields, orders = r.content(move.answer), r.content(move.standing)
    answer = decode_whole(game, fields, open_sealed(desk.match, file)) if fields else None
    words = read_words(game, orders) if orders else None
    return in_words(opened, Draft(answer, words, protest=move.protest, handover=move.handover))


def _judge_statement(case: Case, desk: Desk, seat: int, data: bytes, heard: SeatResult) -> None:
    """Carry out a signed word. It counts once, and only as long as the seat has no newer mail from us."""
    word = open_word(desk.match.table, data)
    name, text = ident("word", body_of(decode(data, Envelope, "word"), "word"))[:16], word.text
    if name in desk.note.said:
        heard.old.append(t("You have already said `{text}`; saying it again changed nothing.", text=text))
        return
    if desk.note.end or word.round not in (desk.last_asked(seat), desk.match.state.round + 1):
        heard.old.append(
            t("`{text}` belongs to a round that is over: sign it again in reply to my latest mail.", text=text)
        )
        return
    heard.name = name
    try:
        statement = words.about_player(text, today(case.now, desk.player(seat).zone))
    except RefereeError as error:
        heard.problems.append(problem_of(error, text))
        return
    if statement is None:
        heard.problems.append(Problem(text, t("I do not understand this"), t("see the end of my mails")))
        return
    heard.told += statements.carry_out(case, desk, seat, statement)
    desk.change(said=(*desk.note.said, name)[-SAID_MOST:])


def _judge_return(case: Case, desk: Desk, seat: int, data: bytes, heard: SeatResult) -> None:
    """Let a player who was dropped come back when the open round is closed."""
    envelope = decode(data, Envelope, "return")
    heard.name = ident("return", bytes(envelope.body))[:16]
    try:
        take_arrival(desk.match, envelope)
        heard.told.append(statements.COMES_BACK)
    except RefereeError as error:
        heard.problems.append(problem_of(error))


def _judge_claim(case: Case, desk: Desk, seat: int, data: bytes, heard: SeatResult) -> None:
    """Count a claim, once for each seat and round, also when the game is over. It changes nothing else."""
    number = read_claim(data).move.round
    if (seat, number) in desk.note.claims:
        again = t("Your claim about round {number} has already been counted.", number=number)
        heard.old.append(again)
        return
    desk.change(claims=(*desk.note.claims, (seat, number)))
    heard.name = f"claim-{number}"
    problem = t(
        "Your claim about round {number} has been counted; my mails tell everybody how many claims there are.",
        number=number,
    )
    heard.told.append(problem)


_HEAR = {"move": _judge_move, "word": _judge_statement, "return": _judge_return, "claim": _judge_claim}
