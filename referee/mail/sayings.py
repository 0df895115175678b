"""What a player says about himself, carried out. Whoever calls has made sure that it was this player."""

from datetime import date, timedelta

from msgspec import structs

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.engine.host import take_arrival
from referee.engine.player import Draft, come_back, may_return
from referee.engine.rounds import ACK
from referee.errors import RefereeError
from referee.language import Text, Time, speaking
from referee.mail import letters, t, w, words
from referee.mail.allowance import Ground, may_answer
from referee.mail.case import Case
from referee.mail.deadlines import days_away, today
from referee.mail.kept import kept_key
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.play import answer_kept
from referee.mail.post import last_asked, plain_reader, post, post_seat, seat_reader

COMES_BACK = t("You come back: you are asked again when this round is closed.")
_FROM_NOW_ON = {
    "en": t("From now on my mails to you are in English."),
    "de": t("From now on my mails to you are in German."),
    "nl": t("From now on my mails to you are in Dutch."),
}


def obey(case: Case, desk: Desk, seat: int, said: words.Statement) -> list[Text]:
    """Do what was said; returns what to tell the player."""
    if isinstance(said, words.Resign):
        return _resign(case, desk, seat, said)
    if isinstance(said, words.Address):
        return move_house(case, desk, desk.joined[seat], said.new)
    if isinstance(said, words.Back) and desk.kept(seat) and may_return(desk.opened(seat)):
        return [*about(case, desk.player_id(seat), said), *_return(desk, seat)]
    return about(case, desk.player_id(seat), said)


def _return(desk: Desk, seat: int) -> list[Text]:
    """The player of a kept seat that missed two deadlines comes back to it."""
    key = kept_key(desk.office.key, desk.offer_id, desk.joined[seat])
    take_arrival(desk.match, decode(come_back(key, desk.opened(seat)), Envelope, "return"))
    return [COMES_BACK]


def about(case: Case, player: str, said: words.Away | words.Back | words.Zone | words.Language) -> list[Text]:
    """A change in the address book."""
    office, known = case.office, case.office.players[player]
    day = today(case.now, known.zone)
    if isinstance(said, words.Away):
        spans = (*_ended(known.away, day.isoformat()), (day.isoformat(), said.until.isoformat()))
        if days_away(spans, day - timedelta(days=365), said.until) > words.AWAY_MOST:
            return [
                t(
                    "That was not taken: nobody is away for more than {away_most} days of a year.",
                    away_most=words.AWAY_MOST,
                )
            ]
        office.change_player(player, away=spans)
        return [
            t("You are away until {until}: no deadline of yours ends before that.", until=Time(said.until.isoformat())),
            t("Everybody at your tables can see how many days you were away. Write `back` when you are back earlier."),
        ]
    if isinstance(said, words.Back):
        office.change_player(player, away=_ended(known.away, day.isoformat()))
        return [t("Welcome back: your deadlines run again.")]
    if isinstance(said, words.Zone):
        office.change_player(player, zone=said.name)
        return [t("From now on you read times of {name}, beside UTC.", name=said.name)]
    office.change_player(player, language=said.name)
    return [_FROM_NOW_ON[said.name]]


def _ended(away: tuple[tuple[str, str], ...], day: str) -> tuple[tuple[str, str], ...]:
    """Absences, none of which goes on beyond this day's beginning; what is all in the future goes."""
    last = (date.fromisoformat(day) - timedelta(days=1)).isoformat()
    return tuple((first, min(end, last)) for first, end in away if first <= last)


def move_house(case: Case, desk: Desk, number: int, new: str) -> list[Text]:
    """Mails of this table go elsewhere; what a pass or a key of one table says holds at no other. Both addresses are
    told, so that it does not happen unnoticed."""
    office, old, player = case.office, desk.address(number), desk.note.invitations[number - 1].player
    if not may_answer(office, player, Ground("moved", f"{desk.name}-{number}"), case.now):
        return [t("That was not taken: your address was changed too often today.")]
    lines = [
        t("From now on my mails of this game go to {new}; of other games only if you say so there.", new=new),
        _not_you(office),
    ]
    # What was held back is told where the player is from now on.
    reader = structs.replace(plain_reader(office, player), held=None)
    with speaking(office.language(player)):
        body = letters.told(reader, lines, w("{table}: your address", table=desk.name))
    post(office, f"{case.what}-{player}-moved", old, reader, body, case.now)
    desk.change_invitation(number, address=new)
    return lines


def _not_you(office: Office) -> Text:
    return t(
        "If that was not you, tell {name} ({address}) at once.",
        name=office.settings.name,
        address=office.settings.address,
    )


def _resign(case: Case, desk: Desk, seat: int, said: words.Resign) -> list[Text]:
    if not desk.kept(seat):
        return [t("To leave the game with a key of your own, run `referee play VIEW --resign` and send me the move.")]
    opened = desk.opened(seat)
    if opened.ask is not None and opened.ask.what == ACK:
        _waver(desk, seat)
        return [
            t("The game has not begun: you need not agree to it, and the host will look for somebody else."),
            t("Should you want to play after all, write `ok`."),
        ]
    if not said.sure:
        _waver(desk, seat)
        return [
            t("You asked to leave the game. That cannot be undone."),
            t("If you are sure, answer `resign for good`."),
        ]
    return leave(case, desk, seat)


def _waver(desk: Desk, seat: int) -> None:
    desk.change(wavering=tuple(sorted({*desk.note.wavering, seat})))


def let_leave(case: Case, desk: Desk, seat: int) -> Text:
    """The host lets a kept seat leave, and its player is told; returns how that went."""
    told = leave(case, desk, seat)
    with speaking(desk.language(seat)):
        heard = t("The host heard that you want to leave the game, and does it for you.")
        lines = (heard, *told, _not_you(case.office))
        body = letters.told(seat_reader(desk, seat), lines, f"{desk.name}: {w('about you')}")
    post_seat(desk, seat, "leaving", body, case.now, round=last_asked(desk, seat))
    return told[0]


def leave(case: Case, desk: Desk, seat: int) -> list[Text]:
    """A kept seat leaves the game: now, or as soon as it is asked."""
    opened = desk.opened(seat)
    if seat in {gone for gone, _ in desk.match.state.left}:
        return [t("You have left the game for good.")]
    if opened.ask is None or seat in desk.match.waiting:
        desk.change(leaving=tuple(sorted({*desk.note.leaving, seat})))
        return [t("You leave the game as soon as it asks you the next time; you need not answer any more.")]
    try:
        judged = answer_kept(desk, opened, Draft(resign=True), case.now, lambda seat: 0)
    except RefereeError as error:
        return [t("You cannot leave now: {message}.", message=error.message)]
    if judged.error:
        return [t("You cannot leave now: {message}.", message=judged.error.message)]
    return [t("You have left the game for good.")]
