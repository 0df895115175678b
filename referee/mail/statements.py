"""Carrying out what players say about themselves. The caller has made sure that it was this player."""

from datetime import date, datetime, timedelta

from msgspec import structs

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.engine.host import take_arrival
from referee.engine.player import Draft, may_return, sign_return
from referee.engine.rounds import ACK
from referee.errors import RefereeError
from referee.language import Text, Time
from referee.mail import t, words
from referee.mail.case import Case
from referee.mail.deadlines import Spans, answer_kept, days_away, today
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.post import Ground, may_answer, plain_reader, post, post_seat, short

COMES_BACK = t("You are back in the game and will be asked again once this round is closed.")
_GONE = t("You have left the game for good.")
_FROM_NOW_ON = {
    "en": t("From now on I will write to you in English."),
    "de": t("From now on I will write to you in German."),
    "nl": t("From now on I will write to you in Dutch."),
}


def carry_out(case: Case, desk: Desk, seat: int, statement: words.Statement) -> list[Text]:
    """Carry out a statement; returns what to tell the player."""
    match statement:
        case words.Resign(sure):
            return _resign(desk, seat, sure, case.now)
        case words.Address(new):
            return change_address(case, desk, desk.joined[seat], new)
    result = change_entry(case, desk.player_id(seat), statement)
    if isinstance(statement, words.Back) and desk.kept(seat) and may_return(desk.opened(seat)):
        # Its player missed two deadlines.
        take_arrival(desk.match, decode(sign_return(desk.kept_key(seat), desk.opened(seat)), Envelope, "return"))
        return [*result, COMES_BACK]
    return result


def change_entry(
    case: Case, player: str, statement: words.Away | words.Back | words.Zone | words.Language
) -> list[Text]:
    """Change an entry in the address book."""
    office, known = case.office, case.office.players[player]
    day = today(case.now, known.zone)
    match statement:
        case words.Away(until):
            spans = (*_ended(known.away, day), (day.isoformat(), until.isoformat()))
            if days_away(spans, day - timedelta(days=365), until) > words.AWAY_MOST:
                most = words.AWAY_MOST
                return [
                    t("That was not accepted: you can be away for at most {away_most} days a year.", away_most=most)
                ]
            office.change_player(player, away=spans)
            seen = t(
                "Everybody at your tables can see how many days you have been away. Write `back` if you return earlier."
            )
            shown = Time(until.isoformat())
            return [t("You are away until {until}; none of your deadlines ends before then.", until=shown), seen]
        case words.Back():
            office.change_player(player, away=_ended(known.away, day))
            return [t("Welcome back! Your deadlines are running again.")]
        case words.Zone(name):
            office.change_player(player, zone=name)
            return [t("From now on I will also give you times in the zone {name}, next to UTC.", name=name)]
        case words.Language(name):
            office.change_player(player, language=name)
            return [_FROM_NOW_ON[name]]


def _ended(away: Spans, day: date) -> Spans:
    """The absences up to this day: the current one ends now, and future ones are removed."""
    last = (day - timedelta(days=1)).isoformat()
    return tuple((first, min(end, last)) for first, end in away if first <= last)


def change_address(case: Case, desk: Desk, number: int, new: str) -> list[Text]:
    """Change the address for mails of this table only: a pass or key of one table says nothing about others. Both
    addresses get a mail, so that it does not go unnoticed."""
    office, player = case.office, desk.note.invitations[number - 1].player
    if not may_answer(office, player, Ground("moved", f"{desk.name}-{number}"), case.now):
        return [t("That was not accepted: your address has been changed too often today.")]
    lines = [
        t(
            "From now on I send the mails of this game to {new}. For another game, tell me in reply to one of its "
            "mails.",
            new=new,
        ),
        _not_you(office),
    ]
    # Mails that were held back are reported to the new address.
    old = structs.replace(plain_reader(office, player), address=desk.address(number), held=None)
    post(office, f"{case.what}-{player}-moved", old, short(desk.name, t("your address"), lines), case.now)
    desk.change_invitation(number, address=new)
    return lines


def _not_you(office: Office) -> Text:
    host = office.settings
    return t("If that was not you, tell {name} ({address}) at once.", name=host.name, address=host.address)


def _resign(desk: Desk, seat: int, sure: bool, now: datetime) -> list[Text]:
    if not desk.kept(seat):
        return [t("To leave the game with a key of your own, run `referee play VIEW --resign` and send me the move.")]
    opened = desk.opened(seat)
    begins = opened.ask is not None and opened.ask.what == ACK
    if sure and not begins:
        return leave(desk, seat, now)
    desk.change(wavering=tuple(sorted({*desk.note.wavering, seat})))
    if begins:
        return [
            t("The game has not begun. You do not have to agree to it; the host will look for somebody else."),
            t("If you want to play after all, write `ok`."),
        ]
    return [t("You asked to leave the game. This cannot be undone."), t("If you are sure, reply `resign for good`.")]


def resign_for(desk: Desk, seat: int, now: datetime) -> Text:
    """Let a kept seat leave at the host's request, and tell its player; returns the result."""
    result = leave(desk, seat, now)
    heard = t("The host knows that you want to leave the game, and will resign for you.")
    write = short(desk.name, t("about you"), (heard, *result, _not_you(desk.office)))
    post_seat(desk, seat, "leaving", write, now, round=desk.last_asked(seat))
    return result[0]


def leave(desk: Desk, seat: int, now: datetime) -> list[Text]:
    """Make a kept seat leave the game, now or as soon as it is asked."""
    opened = desk.opened(seat)
    if seat in {gone for gone, _ in desk.match.state.left}:
        return [_GONE]
    if opened.ask is None or seat in desk.match.waiting:
        desk.change(leaving=tuple(sorted({*desk.note.leaving, seat})))
        return [t("You will leave the game the next time it asks you; you do not need to answer any more.")]
    try:
        error = answer_kept(desk, opened, Draft(resign=True), now, lambda seat: 0).error
    except RefereeError as refused:
        error = refused
    return [t("You cannot leave now: {message}.", message=error.message) if error else _GONE]
