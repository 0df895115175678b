"""Signed documents in a mail: moves, words, joins, returns and claims. The signature decides, and nothing else."""

from collections.abc import Sequence
from functools import partial

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, body_of, ident
from referee.engine import records as r
from referee.engine.answers import decode_whole, read_words
from referee.engine.host import authenticate, open_sealed, open_word, take_arrival
from referee.engine.player import Draft, Opened
from referee.errors import RefereeError, WrongTurn
from referee.evidence.identify import document_kind
from referee.evidence.rulings import read_claim
from referee.language import NOTHING, Text, Told, speaking
from referee.mail import in_one, letters, sayings, t, words
from referee.mail.allowance import Ground
from referee.mail.case import Case, Judgement, what_next
from referee.mail.deadlines import today
from referee.mail.letters import Problem
from referee.mail.message import Letter
from referee.mail.office_tables import Desk
from referee.mail.play import take
from referee.mail.post import last_asked, problem_of
from referee.mail.reply import orders
from referee.mail.waiting import late_by
from referee.show.typed import in_words

KINDS = ("move", "word", "join", "return", "claim")
PAPERS_MOST = 20
_ELSEWHERE = {
    "move": t("this move is for a game that is not played here"),
    "word": t("this word is for a game that is not played here"),
    "return": t("this return is for a game that is not played here"),
    "claim": t("this claim is about a game that is not played here"),
}
SAID_MOST = 500
"""So many words of a table are remembered; older ones were said in rounds that are over."""


class Paper(msgspec.Struct, frozen=True):
    """A document that claims to be signed."""

    kind: str
    data: bytes


class _Placed(msgspec.Struct):
    body: "_Place"


class _Place(msgspec.Struct):
    game: str = ""
    genesis: Envelope | None = None
    """Of a claim, in place of the game's id."""

    @property
    def id(self) -> str:
        return ident("genesis", bytes(self.genesis.body)) if self.genesis else self.game


class Heard(msgspec.Struct):
    """What one seat said with all its documents in a mail."""

    opened: Opened
    name: str = ""
    """The id of the last that was signed for the open round."""
    taken: list[Told | str] = []
    repeated: list[Told | str] = []
    """What was taken before."""
    told: list[Told | str] = []
    problems: list[Problem] = []
    old: list[Text] = []
    """What counts already, or came too late: everybody can have it from a view, so it is nobody's mail for certain."""
    receipt: bytes = b""


def papers_of(letter: Letter) -> list[Paper]:
    """The documents in a mail that a player may have signed, each once."""
    found = [block.data for block in letter.blocks if block.data] + [one.data for one in letter.attachments]
    papers = (Paper(document_kind(data), data) for data in dict.fromkeys(found))
    return [paper for paper in papers if paper.kind in KINDS][:PAPERS_MOST]


def damage(letter: Letter) -> Text:
    """What is wrong with a block that was meant for us, if one is damaged."""
    broken = [block for block in letter.blocks if block.data is None and block.kind in KINDS]
    return t("{why}; send the file itself as an attachment", why=broken[0].why) if broken else NOTHING


Seats = dict[tuple[str, int], Heard]
"""Table and seat -> what was said."""


def hear(case: Case, papers: Sequence[Paper]) -> tuple[Seats, Told]:
    """Judge each document; returns what the seats said that signed some, and what is wrong with what nobody signed."""
    heard: Seats = {}
    trouble: Told = NOTHING
    for paper in papers:
        try:
            desk = _desk_of(case, paper)
            seat = _signer(desk, paper)
        except RefereeError as error:
            trouble = error.message
            continue
        if desk.kept(seat):
            continue  # no player has this key: it was copied from a view
        one = heard.setdefault((desk.name, seat), Heard(desk.opened(seat)))
        with speaking(desk.language(seat)):
            _HEAR[paper.kind](case, desk, seat, paper.data, one)
    return heard, trouble


def answer(case: Case, heard: Seats) -> Judgement:
    """Each seat that signed something gets one answer."""
    rows = []
    for (name, seat), one in heard.items():
        desk = case.office.desks[name]
        _answer(case, desk, seat, one)
        rows.append(_summary(one, f"{name}: {desk.names[seat]}"))
    return Judgement("archive", in_one(rows))


def _desk_of(case: Case, paper: Paper) -> Desk:
    try:
        game = msgspec.json.decode(paper.data, type=_Placed).body.id
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        game = ""
    for desk in case.office.desks.values():
        if game and desk.note.game == game:
            return desk
    raise WrongTurn(_ELSEWHERE[paper.kind], t("send it to its host"), code="other-game")


def _signer(desk: Desk, paper: Paper) -> int:
    """The seat that signed this."""
    if paper.kind == "word":
        return open_word(desk.match.table, paper.data).seat
    if paper.kind == "return":
        return authenticate(desk.match.table, decode(paper.data, Envelope, "return"), "return", r.Return).seat
    if paper.kind == "claim":
        return read_claim(paper.data).move.seat
    return authenticate(desk.match.table, decode(paper.data, r.MoveFile, "move"), "move", r.Move).seat


def _hear_move(case: Case, desk: Desk, seat: int, data: bytes, heard: Heard) -> None:
    file = decode(data, r.MoveFile, "move")
    move, open_round = msgspec.json.decode(file.body, type=r.Move), desk.match.state.round + 1
    number, judged = move.round, take(desk, data, case.now, late_by(desk, case.now, case.came or case.now))
    if number < open_round:
        # Everybody can copy what is signed in it from a view, though not what was encrypted beside it.
        entry = heard.opened.chain.rounds[number - 1].entry if number else None
        answers = [one for one in entry.answers if one.seat == seat] if entry else []
        if entry and any(r.rebuilt(entry.game, number, entry.prev, one) == move for one in answers):
            heard.old.append(
                t("A signed answer of yours for round {number} came in: it counts already.", number=number)
            )
        elif answers:
            heard.old.append(
                t("A signed answer of yours for round {number} came in: another one counts there.", number=number)
            )
        else:
            heard.old.append(t("A signed answer of yours for round {number} came in: it came too late.", number=number))
        return
    heard.name = ident("move", bytes(file.body))[:16]
    if judged.error is not None:
        heard.problems.append(problem_of(judged.error))
    elif judged.code == "repeated":
        heard.repeated += _in_words(desk, heard.opened, file)
    else:
        heard.taken += _in_words(desk, heard.opened, file)
    if judged.receipt is not None:
        heard.receipt = encode(judged.receipt)


def _in_words(desk: Desk, opened: Opened, file: r.MoveFile) -> Sequence[Told | str]:
    """What a move that was taken says, with what is sealed in it: its player knows that."""
    move, game = msgspec.json.decode(file.body, type=r.Move), opened.table.game
    if move.resign:
        return [t("you leave the game")]
    fields, said = r.content(move.answer), r.content(move.standing)
    answer = decode_whole(game, fields, open_sealed(desk.match, file)) if fields else None
    words = read_words(game, said) if said else None
    return in_words(opened, Draft(answer, words, protest=move.protest, handover=move.handover))


def _hear_word(case: Case, desk: Desk, seat: int, data: bytes, heard: Heard) -> None:
    """A signed word counts once, and only while the seat has no newer mail of ours than the one that it answers."""
    word = open_word(desk.match.table, data)
    name = ident("word", body_of(decode(data, Envelope, "word"), "word"))[:16]
    player = desk.player(seat)
    if name in desk.note.said:
        heard.old.append(t("You said `{text}` before: nothing has changed by saying it again.", text=word.text))
    elif desk.note.end or word.round not in (last_asked(desk, seat), desk.match.state.round + 1):
        heard.old.append(
            t("`{text}` was said in a round that is over: sign it again on my newest mail.", text=word.text)
        )
    else:
        heard.name = name
        try:
            said = words.about_player(word.text, today(case.now, player.zone))
        except RefereeError as error:
            heard.problems.append(problem_of(error, word.text))
            return
        if said is None:
            heard.problems.append(
                Problem(word.text, t("I know no such word about a player"), t("see the end of my mails"))
            )
            return
        heard.told += sayings.obey(case, desk, seat, said)
        desk.change(said=(*desk.note.said, name)[-SAID_MOST:])


def _hear_return(case: Case, desk: Desk, seat: int, data: bytes, heard: Heard) -> None:
    """Who was out by timeouts comes back when the open round is closed."""
    envelope = decode(data, Envelope, "return")
    heard.name = ident("return", bytes(envelope.body))[:16]
    try:
        take_arrival(desk.match, envelope)
    except RefereeError as error:
        heard.problems.append(problem_of(error))
        return
    heard.told.append(sayings.COMES_BACK)


def _hear_claim(case: Case, desk: Desk, seat: int, data: bytes, heard: Heard) -> None:
    """A claim is counted once for each seat and round, also when the game is over. It changes nothing else."""
    number = read_claim(data).move.round
    if (seat, number) in desk.note.claims:
        heard.old.append(
            t("A claim of yours about round {number} came in before: it is counted already.", number=number)
        )
        return
    desk.change(claims=(*desk.note.claims, (seat, number)))
    heard.name = f"claim-{number}"
    heard.told.append(
        t("Your claim about round {number} is counted: my mails tell everybody how many there are.", number=number)
    )


_HEAR = {"move": _hear_move, "word": _hear_word, "return": _hear_return, "claim": _hear_claim}


def _summary(heard: Heard, who: str) -> Text:
    if heard.taken or heard.told:
        return t("{who}: taken", who=who)
    if heard.repeated:
        return t("{who}: taken already", who=who)
    if heard.problems:
        return t("{who}: refused, {message}", who=who, message=heard.problems[0].message)
    return t("{who}: nothing new", who=who)


def _answer(case: Case, desk: Desk, seat: int, heard: Heard) -> None:
    beside, ground = [], Ground("signed", f"{desk.name}-{seat + 1}-{heard.name}")
    if heard.taken or heard.told:
        found = case.written_by(desk, seat)
        if found.sure and orders(found):
            beside = [t("what you wrote beside it was not read: only what is signed counts")]
    if heard.taken:
        told = [*heard.taken, *heard.told, *beside]
        taken = partial(letters.taken, heard.opened, words=told, receipt=heard.receipt)
        case.answer(desk, seat, Ground("taken"), taken)
    elif heard.repeated:
        again = partial(letters.already, heard.opened, words=[*heard.repeated, *heard.told], receipt=heard.receipt)
        case.answer(desk, seat, ground, again)
    elif heard.told:
        case.tell(desk, seat, ground, [*heard.told, *beside], t("about you"))
    elif heard.problems:
        case.refuse(desk, seat, ground, heard.problems)
    else:
        lines = [*heard.old[:3], *filter(None, [what_next(desk, seat)])]
        case.tell(desk, seat, Ground("copy"), lines, t("an old answer"))
