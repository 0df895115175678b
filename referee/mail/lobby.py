"""The lobby by mail: opening tables, answers to invitations, starting games, and dropping players who never come."""

import os
from collections.abc import Sequence
from datetime import date, datetime

import msgspec

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import Envelope, ident
from referee.engine import records as r
from referee.engine.host import new_match
from referee.engine.lobby import make_genesis, make_offer
from referee.engine.names import choose_name, refuse_alike
from referee.engine.table import check_join, make_terms, open_terms
from referee.errors import BadSignature, Malformed, RefereeError, Usage, WrongTurn
from referee.io.files import plain
from referee.language import Message, Text, quoted, run
from referee.mail import Saying, statements, t, words
from referee.mail.case import Case, Judgement
from referee.mail.deadlines import to_minute, today
from referee.mail.frame import is_marker
from referee.mail.letters_asked import rules_lines
from referee.mail.office import Office
from referee.mail.office_tables import TABLES, Contact, Desk, Invitation, Note
from referee.mail.passes import Pass, kept_join, passes_in
from referee.mail.post import Ground
from referee.mail.reading import Order, Reading, read_lines
from referee.mail.reply import Said, sayings
from referee.mail.saved import Document
from referee.mail.settings import ADDRESS
from referee.mail.ways import note_way

HOW = t("Reply to my invitation with `join as NAME` or `no`, or send your signed join in reply to it.")
INVITED_MOST = 50


# --- tables ----------------------------------------------------------------------------------------------------------


def recipient(to: str) -> tuple[str, str, str]:
    """Address, name and language of somebody to invite, as they are typed."""
    before, _, last = to.strip().rpartition(" ")
    language = words.language_of(last) if before else ""
    name, _, rest = (before.strip() if language else to.strip()).rpartition("<")
    address, name = (rest.removesuffix(">").strip(), name.strip(' "')) if rest.endswith(">") else (rest, "")
    if not ADDRESS.fullmatch(address):
        how = t("write --to bert@example.org, or --to 'bert@example.org nl' for mails in Dutch")
        raise Usage(t("{to} is not a valid email address", to=quoted(to[:60])), how)
    return address, name, language


def find_player(office: Office, to: str) -> str:
    """The player with this address (`bert@example.org` or `Bert <bert@example.org>`), added to the address book if new.
    A language after it (`bert@example.org nl`) is the one we write to this player in."""
    address, name, language = recipient(to)
    for known, player in office.players.items():
        if player.address.casefold() == address.casefold():
            if language:
                office.change_player(known, language=language)
            return known
    first = plain(address.partition("@")[0]) or "player"
    taken = (f"{first}-{number}" for number in range(2, 1_000_000))
    new = next(one for one in (first, *taken) if one not in office.players) if first in office.players else first
    player = Contact(address, choose_name(name) if name else "", office.settings.zone, language)
    office.players = {**office.players, new: player}
    return new


def open_table(
    office: Office, offer: Envelope, invited: Sequence[Invitation], start: str, now: datetime, instead_of: str = ""
) -> Desk:
    """Open a table for these players, in the order of the seats."""
    terms = decode(bytes(offer.body), r.Offer, "offer")
    if not terms.seats <= len(invited) <= INVITED_MOST:
        raise Usage(
            t("this game is for {seats} players, but {invited} are invited", seats=terms.seats, invited=len(invited)),
            t("give --to once for each player, at least {seats} times", seats=terms.seats),
            code="bad-seats",
        )
    if len({one.player for one in invited}) != len(invited):
        raise Usage(t("somebody is invited twice"), t("give each address once"))
    name = ident("offer", bytes(offer.body))[:8]
    desk = Desk(office, name, offer, Note("", ()))
    desk.note = Note(to_minute(now), tuple(invited), start, instead_of)  # type: ignore[arg-type]
    office.desks[name] = desk
    office.extra[os.path.join(TABLES, name, "offer.json")] = encode(offer)
    return desk


def start_game(desk: Desk, now: datetime) -> None:
    """Start the game with those who joined, in the order of their invitations."""
    joins = tuple(one.join for one in desk.note.invitations if one.join is not None and one.state == "joined")
    if len(joins) != desk.terms.seats:
        missing = desk.terms.seats - len(joins)
        few = t("{missing} players must join first", missing=missing) if missing != 1 else t("1 player must join first")
        raise WrongTurn(few, t("wait, or {run}", run=run("mail", "table", "--drop")), code="not-full")
    table = make_genesis(desk.office.key, desk.offer, joins)
    desk.sit_down(new_match(desk.office.key, table))
    desk.change(game=table.id, since=to_minute(now))


def drop(office: Office, desk: Desk, number: int, substitute: str, nonce: bytes, now: datetime) -> Desk:
    """Go on without somebody who never joins, or never agrees to the game. Before the start only the invitations
    change; after it a new offer is needed, because the game names its players."""
    if not desk.note.game:
        desk.change_invitation(number, state="withdrawn", join=None)
        if substitute:
            desk.change(invitations=(*desk.note.invitations, Invitation(substitute)))
        left = [one.player for one in desk.note.invitations if one.state in ("open", "joined")]
        if len(left) < desk.terms.seats or len(set(left)) != len(left):
            few = t("too few players would be left")
            raise Usage(few, t("with --to, name somebody who is not invited yet"))
        return desk
    if desk.note.end or desk.match.state.round:
        why = t("everybody has agreed to this game, so nobody can be dropped any more")
        how = t(
            "a player who does not answer is timed out; {run} ends a game, and `mail table --resign` lets a kept "
            "player leave",
            run=run("mail", "table", "--abandon"),
        )
        raise WrongTurn(why, how, code="no-timeout")
    invited = [desk.note.invitations[one - 1] if one != number else Invitation(substitute) for one in desk.joined]
    invited = [Invitation(one.player, address=one.address) for one in invited if one.player]
    game, old = open_terms(desk.terms)
    terms = make_terms(game, len(invited), old.options, old.edition)
    times, arbiter = (desk.terms.deadline, desk.terms.grace, desk.terms.bank), bytes.fromhex(desk.terms.arbiter)
    offer = make_offer(office.key, desk.terms.game, game, terms, nonce, *times, arbiter=arbiter)
    new = open_table(office, offer, invited, desk.note.start, now, desk.name)
    desk.change(end="dropped")
    return new


def find_invited(desk: Desk, text: str) -> int:
    """Find the invitation of somebody at a table by name, id in the address book, address, or number."""
    fits, invited = [], desk.note.invitations
    for number, one in enumerate(invited, 1):
        player = desk.office.players[one.player]
        joined = desk.join(number).name if one.state == "joined" else ""
        known = {one.player, player.address, player.name, joined, str(number)} - {""}
        if one.state != "withdrawn" and text.casefold() in map(str.casefold, known):
            fits.append(number)
    if len(fits) != 1:
        there = t("there are: {there}", there=tuple(one.player for one in invited if one.state != "withdrawn"))
        raise Usage(t("nobody at this table has that name"), there, code="no-such-seat")
    return fits[0]


# --- how invitations are answered ------------------------------------------------------------------------------------


def judge_answer(
    case: Case,
    desk: Desk,
    number: int,
    ground: Ground,
    passes: Sequence[Pass],
    joins: Sequence[Document],
    damage: Message,
) -> Judgement:
    """Judge a mail with the pass of an invitation, before the game has started."""
    invitation = desk.note.invitations[number - 1]
    language = case.office.language(invitation.player)
    lines: Saying
    try:
        if invitation.state == "withdrawn" or desk.note.end:
            lines = [t("This invitation is no longer valid: the host has invited somebody else.")]
        elif joins:
            lines = _join(desk, number, _own_join(desk, joins))
            note_way(desk, number, case.letter)
        elif damage:
            lines = [t("Your answer was not accepted: {damage}.", damage=damage)]
        else:
            lines = _in_words(case, desk, number, passes)
    except RefereeError as error:
        why = t("Your answer was not accepted: {message}.", message=error.message)
        if error.code == "bad-words":
            why = t("Your answer was not accepted: {message}; {next}.", message=error.message, next=error.next)
        lines = [why, HOW]
    again = invitation.state == "open" and case.office.language(invitation.player) != language
    case.answer_invited(desk, number, ground, lines, again=again)
    return Judgement(t("{name}: {player} is told: {lines}", name=desk.name, player=invitation.player, lines=lines[0]))


def read_invited(said: Sequence[Said], names: Sequence[str], day: date | None = None) -> Reading:
    """Read the lines of somebody who was invited; with a day also what they say about themselves."""

    def read(line: str) -> Order:
        order = words.invitation_answer(line) or (words.about_player(line, day) if day else None)
        if order is None:
            raise Usage(t("I do not understand `{strange}`", strange=line[:80]), HOW)
        return order

    return read_lines(said, names, read, lambda text: bool(words.in_english(text)[0]))


def _in_words(case: Case, desk: Desk, number: int, passes: Sequence[Pass]) -> Saying:
    found, player = case.written_by(desk, number, passes), desk.note.invitations[number - 1].player
    known = case.office.players[player]
    said, day = sayings(found) or case.titled(), today(case.now, known.zone)
    joining = [one.name for line in said if isinstance(one := words.invitation_answer(line.text), words.JoinAs)]
    reading = read_invited(said, (known.name, case.letter.headers.sender_name, *joining), day)
    if not found.sure or not (reading.orders or reading.asked or reading.unread):
        why = found.why or t("it contains nothing that you wrote yourself")
        return [t("Your answer was not accepted: {why}.", why=why), HOW]
    if reading.unread:
        raise reading.unread[0][1]
    if len(reading.orders) > 1:
        several = [line for line, _ in reading.orders[:10]]
        return [t("Your answer was not accepted: it says several different things."), *several, HOW]
    told = _carry_out(case, desk, number, reading.orders[0][1]) if reading.orders else []
    return [*told, *(line for one in reading.asked for line in _asked(case, desk, one))]


def _carry_out(case: Case, desk: Desk, number: int, order: Order) -> Saying:
    match order:
        case words.JoinAs(name):
            return _join(desk, number, kept_join(case.office.key, desk.offer, number, choose_name(name)))
        case words.No() if not _signs(desk, number):
            desk.change_invitation(number, state="declined", join=None)
            return [
                t("You are not taking part. If you change your mind, write `join as NAME` while there is a free seat.")
            ]
        case words.Address(new) if not _signs(desk, number):
            return statements.change_address(case, desk, number, new)
        case words.Zone() | words.Language() as reply:
            return statements.change_entry(case, desk.note.invitations[number - 1].player, reply)
    later = t("Your answer was not accepted: you can say that once the game is running, in reply to one of its mails.")
    return [later, HOW]


def _asked(case: Case, desk: Desk, asked: words.Asked) -> Saying:
    """The answer to a word before the game."""
    settings = case.office.settings
    match asked.word:
        case "help":
            host = f"{settings.name} <{settings.address}>"
            return [HOW, t("`rules` brings the rules, `status` who has joined."), t("A person answers here: {host}",
                                                                                    host=host)]  # fmt: skip
        case "rules":
            return rules_lines(desk.terms.game, asked.about)
        case "status":
            left = desk.terms.seats - len(desk.joined)
            return [t("Joined so far: {names}.", names=desk.names or (t("nobody"),)), _waits(desk, left)]
    return [t("The game has not begun.")]


def _signs(desk: Desk, number: int) -> bool:
    """Whether somebody joined with their own key: then the pass of the invitation no longer speaks for anybody."""
    return desk.note.invitations[number - 1].state == "joined" and not desk.join(number).kept


def _own_join(desk: Desk, joins: Sequence[Document]) -> Envelope:
    """The signed join in a mail, which must be the only one."""
    if len(joins) > 1:
        raise Usage(t("there is more than one join in this mail"), t("send one"))
    envelope = decode(joins[0].data, Envelope, "join")
    if check_join(desk.offer_id, envelope).kept:
        why = t("this join says that the host keeps its key, but somebody else signed it")
        raise BadSignature(why, t("sign a new one"))
    return envelope


def joined_already(desk: Desk, number: int, name: str, kept: bool) -> list[Text]:
    """What to tell somebody who joins again."""
    mine = desk.join(number)
    same = mine.name == name and mine.kept == kept
    more = [] if same else [t("Ask the host if you want to play under another name or with another key.")]
    return [t("You have already joined as {name}.", name=mine.name), *more]


def _join(desk: Desk, number: int, envelope: Envelope) -> list[Text]:
    """Accept a join, unless it clashes with another."""
    invitation = desk.note.invitations[number - 1]
    join = msgspec.json.decode(envelope.body, type=r.Join)
    if invitation.state == "joined":
        return joined_already(desk, number, join.name, join.kept)
    others = [desk.join(other) for other in desk.joined]
    if len(others) >= desk.terms.seats:
        return [t("All seats at this table are taken.")]
    if join.key in (desk.terms.key, *(other.key for other in others)):
        raise BadSignature(t("somebody else already uses this key"), t("make a key of your own"), code="same-key")
    choose_name(join.name)
    if any(passes_in([join.name])) or is_marker(join.name):
        why = t("this name looks like a pass, or like a line of my mails")
        raise Malformed(why, t("choose another"), code="bad-name")
    # Also compare with the known names of others who were invited and have not answered yet.
    open_ = [one.player for at, one in enumerate(desk.note.invitations, 1) if at != number and one.state == "open"]
    expected = filter(None, (desk.office.players[player].name for player in open_))
    for name in (*(other.name for other in others), *expected):
        refuse_alike((name, join.name))
    desk.change_invitation(number, state="joined", join=envelope)
    office, player = desk.office, invitation.player
    if not office.players[player].name:
        office.change_player(player, name=join.name)
    waits = _waits(desk, desk.terms.seats - len(desk.joined))
    kept, own = (
        t("I keep your key, so you can answer in plain words."),
        t("You play with your own key and sign your moves."),
    )
    return [t("You have joined as {name}.", name=join.name), kept if join.kept else own, waits]


def _waits(desk: Desk, left: int) -> Text:
    """What the game waits for before it starts."""
    if left == 1:
        return t("The game starts when one more player has joined.")
    if left:
        return t("The game starts when {left} more players have joined.", left=left)
    if desk.note.start == "by-hand":
        return t("Everybody has joined; the host will start the game.")
    return t("Everybody has joined, so the game starts now.")
