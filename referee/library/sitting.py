"""A seat at a table, for an interface that people look at: what it shows, which moves it offers, what an answer does.

A signed game and a practice game are the same from here, and all that is returned is data."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple, Protocol

import msgspec

from referee.crypto.keys import Key
from referee.engine.player import Draft, Opened
from referee.engine.rounds import ACK
from referee.errors import Usage, WrongTurn
from referee.forms import Moves, StandingChoices
from referee.game import LINK
from referee.io import tickets, times
from referee.library import answering, besides, documents, rehearsing, t, w
from referee.library.besides import NOTHING_BESIDE, Beside, Besides
from referee.library.data import Json, ReadMove
from referee.library.looking import ahead_in_words, not_asked_yet, open_and_remember, ownership_warning
from referee.library.practising import Practice, parse_move
from referee.library.seating import Answer, Look, Orders, Sent, Verdict
from referee.page import aid
from referee.page.aid import RoundStory
from referee.show import findings, pictures, typed
from referee.show.documents import agreed_in_words
from referee.show.preview import preview_lines
from referee.show.terminal import pending_summary
from referee.show.text import asked_for, clean
from referee.show.wording import Place, in_readers_words, language_of, phrases
from referee.svg import WIDTH

STORY_MOST = 40
"""The number of newest rounds that are told at once."""


class Sitting(Protocol):
    """A seat at a table."""

    @property
    def game_id(self) -> str: ...

    def verdict(self) -> Verdict: ...

    def look(self, round: int = 0, width: int = WIDTH) -> Look: ...

    def moves(self) -> Moves: ...

    def orders(self, standing: Json) -> Orders | None: ...

    def check(self, said: str | ReadMove, standing: Json = None) -> Answer: ...

    def sign(self, said: ReadMove, beside: Beside = NOTHING_BESIDE, *, again: bool = False) -> Sent: ...

    def besides(self, beside: Beside = NOTHING_BESIDE) -> Besides: ...


Load = Callable[[str | None], Key]
"""What gets the key at a path; without one, your own."""


class SignedSeat(NamedTuple):
    """A view that passed every check, and the file that it came from."""

    opened: Opened
    path: str
    key: str | None
    load: Load
    old: bool
    """Whether a newer view of this game was seen before."""
    signs_elsewhere: bool = False
    """Whether somebody else signs, and knows whose key that needs: a page."""

    @property
    def game_id(self) -> str:
        return self.opened.table.offer.game

    def verdict(self) -> Verdict:
        found = findings.report(self.opened)
        checked = w("Checked here: signatures, draws, rules")
        figures = w("{rounds} rounds, {signatures} signatures, {draws} draws, {openings} openings",
                    rounds=found.rounds, signatures=found.signatures, draws=found.draws,
                    openings=found.openings)  # fmt: skip
        more = (figures, *findings.late_in_words(found), *found.declared, *found.unproved)
        return Verdict("ok", checked, more)

    def look(self, round: int = 0, width: int = WIDTH) -> Look:
        opened = self.opened
        table, last = opened.table, opened.round
        shown, foreign = _shown(round, last), self._foreign()
        ask = None if foreign else opened.ask
        return Look(
            title=table.game.title,
            names=tuple(clean(name) for name in table.names),
            seat=opened.seat,
            round=shown,
            rounds=last,
            picture=self._picture(shown, width),
            language=language_of(table),
            told=tuple(aid.stories_of(opened, max(1, shown - STORY_MOST + 1), shown)),
            asked=ask.what if ask and not self.old else "",
            question=_question(ask.what, table.offer.game) if ask else "",
            state=(*foreign, *self._state()),
            terms=() if last else tuple(line.strip() for line in agreed_in_words(table).splitlines()),
        )

    def _state(self) -> tuple[str, ...]:
        if self.old:
            return (w("This is an older view: you have seen a later round of this game. Look for the newest view."),)
        opened = self.opened
        lines = pending_summary(opened, [clean(name) for name in opened.table.names])
        signed = tickets.signed_for(tickets.find(opened.view), opened)
        if signed is not None:
            words = "; ".join(typed.signed_words(opened, signed))
            lines.insert(
                0, w("You have signed an answer for this round: {words}. Send it, if you have not yet.", words=words)
            )
        early = times.ahead(opened.chain, datetime.now(UTC))
        if early is not None:
            lines.insert(0, ahead_in_words(early))
        if opened.ask is None and not opened.chain.checkpoint.state.end:
            lines.append(w("Next: {next}.", next=not_asked_yet(opened, t("send the host a return"))))
        return tuple(lines)

    def _foreign(self) -> tuple[str, ...]:
        """Whose view this is, if another key has to answer it: then no answer is offered."""
        opened = self.opened
        if self.signs_elsewhere or opened.view.seat is None:
            return ()
        if not os.path.exists(documents.default_key() if self.key is None else self.key):
            lead = w("This is {name}'s view, and you have no key here.", name=clean(opened.name))
        elif warning := ownership_warning(opened, documents.public_half(self.key)):
            lead = f"{str(warning)[:1].upper()}{str(warning)[1:]}."
        else:
            return ()
        return (lead, w("Nothing can be signed: that takes the key of this seat."))

    def _picture(self, round: int, width: int) -> str:
        if not round or self.opened.table.game.picture is None:
            return ""
        seen = pictures.seen_in_view(self.opened, round)
        return pictures.svg(self.opened.chain, seen, pictures.drawn_for(width))

    def moves(self) -> Moves:
        return aid.moves_of(self.opened)

    def orders(self, standing: Json) -> Orders | None:
        """The standing orders after these; None in a game without any."""
        return _orders(self.opened, self.opened.orders(self.opened.seat), standing)

    def check(self, said: str | ReadMove, standing: Json = None) -> Answer:
        """What an answer says and does; a typed one comes after these standing orders."""
        draft = self._draft(said, standing)
        words = None if draft.standing is None else msgspec.to_builtins(draft.standing)
        move = None if draft.move is None else msgspec.to_builtins(draft.move)
        lines = tuple(typed.in_words(self.opened, draft))
        return Answer(move, words, lines, tuple(preview_lines(self.opened, draft)))

    def _draft(self, said: str | ReadMove, standing: Json = None) -> Draft:
        opened = self.opened
        if opened.ask is None:
            raise WrongTurn(t("this view does not ask you for anything"), t("wait for the next view"), code="not-asked")
        before = opened.orders(opened.seat)
        move, words = parse_move(opened, _words(opened, before, standing), said)
        if move is None and opened.decides:
            raise Usage(t("this contains no move"), t("choose a move of the list"), code="no-move")
        if move is not None:
            opened.table.game.check(opened.table.terms, opened.seen, move)
        return Draft(move, None if words == before else words)

    def filled(self, move: Json) -> Json:
        """A move as it is signed: with the values of the sealed fields that it leaves out."""
        sealed = self.opened.ask.sealed if self.opened.ask else ()
        whole = typed.as_type(move, self.opened.table.game.move)
        return {**move, **{name: msgspec.to_builtins(getattr(whole, name)) for name in sealed}}

    def sign(self, said: ReadMove, beside: Beside = NOTHING_BESIDE, *, again: bool = False) -> Sent:
        """Sign an answer and write it beside the view."""
        return self._signed(self._seated("move"), self._draft(said), beside, again)

    def resign(self, beside: Beside = NOTHING_BESIDE, *, again: bool = False) -> Sent:
        """Sign that you leave the game for good."""
        return self._signed(self._seated("move"), Draft(resign=True), beside, again)

    def besides(self, beside: Beside = NOTHING_BESIDE) -> Besides:
        """What can be signed besides a move; nothing at a table of which a newer view was seen."""
        return Besides() if self.old else besides.besides(self.opened, documents.public_half(self.key), beside)

    def come_back(self) -> Sent:
        """Sign that you come back after two missed deadlines."""
        seated = self._seated("return")
        return self._written(seated, "return", answering.sign_return(seated))

    def tell(self, words: str) -> Sent:
        """Sign words to the host's office about yourself."""
        seated = self._seated("word")
        return self._written(seated, "word", answering.sign_word(seated, words, self.path, datetime.now(UTC).date()))

    def _seated(self, kind: str) -> answering.PlayerSession:
        seated = answering.take_seat(self.path, os.path.dirname(self.path) or ".", kind, self.key, self.load)
        if seated.opened.view != self.opened.view:
            raise WrongTurn(t("the file has changed since you opened it"), t("open it again"))
        return seated

    def _signed(self, seated: answering.PlayerSession, draft: Draft, beside: Beside, again: bool) -> Sent:
        signed = answering.sign_answer(seated, besides.completed(self.opened, draft, beside))
        if signed.second and not again:
            raise WrongTurn(signed.second, t("send that one, or sign a second one"), code="second-answer")
        return self._written(seated, "move", signed)

    def _written(self, seated: answering.PlayerSession, kind: str, signed: answering.Signed) -> Sent:
        answering.keep(seated, kind, signed)
        place = seated.place
        return Sent(place.path, place.reply, place.next)


class PracticeSeat(NamedTuple):
    """A practice game that is kept on disk."""

    kept: rehearsing.Kept
    game: Practice

    @property
    def game_id(self) -> str:
        return self.kept.game

    def verdict(self) -> Verdict:
        return Verdict("practice", w("Practice against bots: nothing is signed, and nobody waits."))

    def look(self, round: int = 0, width: int = WIDTH) -> Look:
        game, place = self.game, self.game.place
        shown = _shown(round, game.round)
        guide = rehearsing.guide_of(self.kept.game) if self.kept.guided else None
        step = rehearsing.step_of(guide, game.answers)
        story = game.story(shown - STORY_MOST + 1)
        return Look(
            title=place.game.title,
            names=game.names,
            seat=self.kept.seat,
            round=shown,
            rounds=game.round,
            picture=game.picture(shown, width) if place.game.picture is not None else "",
            language=language_of(place),
            told=tuple(RoundStory(one.round, one.lines) for one in story if one.round <= shown),
            asked=game.asked,
            question=_question(game.asked, self.kept.game) if game.asked else "",
            state=self._ranking(),
            advice=() if step is None else tuple(rehearsing.explained(step)),
            proposed=None if step is None else step.move,
            signs=False,
            undo=bool(game.answers),
        )

    def _ranking(self) -> tuple[str, ...]:
        result = self.game.result
        if result is None:
            return ()
        order = sorted(zip(result.ranks, self.game.names, strict=True))
        return (w("The game is over."), *(f"{rank}. {name}" for rank, name in order))

    def moves(self) -> Moves:
        game, place = self.game, self.game.place
        said = None
        if place.game.standing is not None:
            choices = typed.standing_choices(place, game.words)
            said = StandingChoices(
                tuple(phrases(place, game.words)), tuple(in_readers_words(place, one) for one in choices)
            )
        found = typed.choices(place) if game.asked else []
        return Moves(game.round + 1, game.asked, tuple(in_readers_words(place, one) for one in found), said)

    def orders(self, standing: Json) -> Orders | None:
        return _orders(self.game.place, self.game.words, standing)

    def check(self, said: str | ReadMove, standing: Json = None) -> Answer:
        game, place = self.game, self.game.place
        if standing is not None and game.asked:
            move, words = parse_move(place, _words(place, game.words, standing), said)
            said = ReadMove("", msgspec.to_builtins(move), msgspec.to_builtins(words))
        read = game.read(said)
        changes = typed.orders_in_words(place, game.words, _words(place, game.words, read.standing))
        return Answer(read.move, read.standing, (read.text, *changes))

    def besides(self, beside: Beside = NOTHING_BESIDE) -> Besides:
        return Besides()

    def sign(self, said: ReadMove, beside: Beside = NOTHING_BESIDE, *, again: bool = False) -> Sent:
        """Play it: the bots answer at once, and the game is kept."""
        self.game.play(said)
        self._keep()
        return Sent()

    def undo(self) -> bool:
        """Take the last move back."""
        done = self.game.undo()
        self._keep()
        return done

    def hint(self) -> Answer:
        """What a bot would answer here."""
        return self.check(self.game.hint())

    def _keep(self) -> None:
        if self.game.result is None:
            rehearsing.keep(msgspec.structs.replace(self.kept, answers=self.game.answers))
        else:
            rehearsing.forget(self.kept.game)


def _words(place: Place, before: Any, standing: Json) -> Any:
    """The standing orders that were chosen, in the game's own type; those before them if none were."""
    return parse_move(place, before, ReadMove("", None, standing))[1]


def _orders(place: Place, before: Any, standing: Json) -> Orders | None:
    table, words = place.table, _words(place, before, standing)
    if table.game.standing is None:
        return None
    choices = (in_readers_words(table, one) for one in typed.standing_choices(place, words))
    changes = typed.orders_in_words(table, before, words)
    return Orders(tuple(phrases(table, before)), tuple(changes), tuple(choices))


def _shown(round: int, last: int) -> int:
    """The round that is looked at: the last one, if none is named."""
    if not 0 <= round <= last:
        raise Usage(t("there is no such round in this game"), t("choose a round from 1 to {last}", last=last))
    return round or last


def _question(what: str, game_id: str) -> str:
    if what == ACK:
        return w("Do you agree to play this game?")
    if what == LINK:
        return w("You are asked for a confirmation, so that play continues.")
    return w("Your decision: {what}", what=asked_for(what, game_id))


def open_seat(data: bytes, path: str, key: str | None, load: Load, *, signs_elsewhere: bool = False) -> SignedSeat:
    """Sit down at a signed game: the view is checked, and remembered as seen."""
    opened, old = open_and_remember(data)
    return SignedSeat(opened, path, key, load, old, signs_elsewhere)


def practice_seat(kept: rehearsing.Kept) -> PracticeSeat:
    """Sit down at a practice game that was begun or left."""
    game = rehearsing.resume(kept)
    rehearsing.keep(msgspec.structs.replace(kept, answers=game.answers))
    return PracticeSeat(kept, game)
