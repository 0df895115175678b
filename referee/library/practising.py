"""A game in memory against bots: nothing is signed, nothing is written, and every step can be taken back."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee import games
from referee.errors import IllegalMove, RefereeError, RulesFailed, RulesFault, Usage
from referee.forms import Choice
from referee.game import LINK, Below, Game, Result, Seen, Step, Terms, ask_of
from referee.language import as_text, quoted, speaking, spoken_by
from referee.library import t
from referee.library.data import Chapter, Json, Line, Move, ReadMove
from referee.library.hidden import Hidden, Shelf, first_shelf, without
from referee.show import typed
from referee.show.mentions import with_names
from referee.show.text import clean
from referee.show.wording import Table, line_text, move_text

NAMES = (
    "Anna", "Bert", "Carla", "Dirk", "Elsa", "Franz", "Greta", "Hugo",
    "Ida", "Jan", "Karin", "Ludwig", "Marta", "Nils", "Olga", "Peter",
)  # fmt: skip
MOST_STEPS = 2_048
"""As many rounds as a signed game can have."""


LONGEST = 2_000
"""Characters of what is typed: nobody says a move in more."""


class Place(msgspec.Struct, frozen=True):
    """Somebody at the table, as answers are read in signed games too: see `referee.show.typed`."""

    game_id: str
    game: Game
    terms: Terms[Any, Any]
    names: tuple[str, ...]
    seen: Seen[Any]
    decides: bool = True

    @property
    def table(self) -> "Place":
        return self


class Snapshot(msgspec.Struct, frozen=True):
    """A point of the game."""

    step: Step
    shelf: Shelf
    round: int


class Practice:
    """A game against bots. It stands where you must decide, or at its end: `play` goes on to the next such place. The
    same seed and the same moves lead to the same game, also after `undo`."""

    def __init__(
        self, game_id: str, game: Game, terms: Terms[Any, Any], seat: int | None, level: str, seed: bytes
    ) -> None:
        self._game_id, self._game, self._terms = game_id, game, terms
        self._seat, self._level, self._seed = seat, level, seed
        self._path: list[Snapshot] = []
        self._places: list[int] = []
        words = self._said_at_first()
        self._forward(None, {}, words)
        self._run()

    def __repr__(self) -> str:
        return f"<Practice of {self.game}, round {self.round}, seat {self.seat}>"

    # --- what there is to see

    @property
    def game(self) -> str:
        """The id of the game."""
        return self._game_id

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in seat order."""
        return NAMES[: self._terms.seats]

    @property
    def seat(self) -> int | None:
        """Yours, from 0; None if you only look on."""
        return self._seat

    @property
    def round(self) -> int:
        """The rounds that are over."""
        return self._now.round

    @property
    def asked(self) -> str:
        """What you are asked for, in a word; empty at the end."""
        ask = ask_of(self._now.step.pending, self._me)
        return ask.what if ask is not None and ask.what != LINK else ""

    @property
    def position(self) -> Json:
        """The position as data: what everybody knows."""
        return msgspec.to_builtins(self._now.step.public)

    @property
    def hand(self) -> dict[str, tuple[str, ...]]:
        """Container -> the tokens that you know in it."""
        return dict(self._sees(self._me).tokens)

    @property
    def result(self) -> Result | None:
        """Ranks and scores; None as long as the game goes on."""
        return self._now.step.result

    def board(self, width: int = 100) -> str:
        """The position as text, no wider than this (60 is always enough)."""
        sight = self._sees(self._me)
        return self._game.render(self._terms, sight, [*map(clean, self.names)], lambda text, style: text, width)

    def picture(self) -> str:
        """The position as an SVG."""
        picture = self._game.picture
        if picture is None:
            why = t("{title} has no picture", title=clean(self._game.title))
            raise Usage(why, t("take the board as text"), code="no-picture")
        with speaking(spoken_by(games.module_of(self._game_id))):
            return picture(self._terms, self._sees(self._me), [*map(clean, self.names)])

    def story(self, since: int = 1) -> tuple[Chapter, ...]:
        """What everybody was told, from this round on."""
        return tuple(self._chapter(one) for one in self._path if one.round >= since)

    def _chapter(self, one: Snapshot) -> Chapter:
        told = (with_names(self._game.tell(self._terms, note), self.names) for note in one.step.log)
        return Chapter(one.round, tuple(told), tuple(msgspec.to_builtins(note) for note in one.step.log))

    # --- moves

    def moves(self) -> tuple[Line, ...]:
        """Every legal move, as lines; none if you are not asked."""
        return lines(self._place, typed.choices(self._place)) if self.asked else ()

    def standing(self) -> tuple[Line, ...]:
        """What you can say for good with your next move, or take back."""
        found = typed.standing_choices(self._place, self._words) if self._seat is not None else ()
        return lines(self._place, found)

    def read(self, move: Move) -> ReadMove:
        """Read a move and ask the rules about it; nothing is played."""
        found, words = self._read(move)
        standing = None if words == self._words else msgspec.to_builtins(words)
        return ReadMove(move_text(self._place, found), msgspec.to_builtins(found), standing)

    def play(self, move: Move) -> tuple[Chapter, ...]:
        """Play a move; the bots answer until you are asked again, or the game is over. Returns what happened."""
        found, words = self._read(move)
        before, path, places = self.round, [*self._path], [*self._places]
        try:
            self._places.append(len(self._path))
            self._answer({self._me: found}, {self._me: words} if words is not None else {})
            self._run()
        except RefereeError:
            self._path, self._places = path, places
            raise
        return self.story(before + 1)

    def undo(self) -> bool:
        """Take your last move back, with all that followed it; False if there is none."""
        if not self._places:
            return False
        del self._path[self._places.pop() :]
        return True

    def _read(self, move: Move) -> tuple[Any, Any]:
        if not self.asked:
            raise Usage(t("you are asked nothing now"), t("the game is over, or you only look on"))
        rule, words = self._game.standing, self._words
        found: msgspec.Struct | None
        if isinstance(move, Line):
            found = typed.move_of(self._place, move.choice)
        elif isinstance(move, str):
            if len(move) > LONGEST:
                raise Usage(t("this is longer than any move"), t("say it in fewer words"))
            found, words = typed.read_clauses(self._place, words, move)
        else:
            found = as_type(move.move if isinstance(move, ReadMove) else move, self._game.move)
            if isinstance(move, ReadMove) and move.standing is not None and rule is not None:
                words = as_type(move.standing, rule.words)
        if found is None:
            raise Usage(t("this says no move"), t("choose a move of the list"), code="no-move")
        self._game.check(self._terms, self._sees(self._me), found)
        return found, words

    # --- how it goes on

    @property
    def _now(self) -> Snapshot:
        return self._path[-1]

    @property
    def _me(self) -> int:
        return self._terms.seats if self._seat is None else self._seat

    def _sees(self, seat: int) -> Seen[Any]:
        now = self._now
        tokens = now.shelf.tokens(self._game.hands, seat)
        return Seen(seat, now.step.public, now.step.pending, tokens, now.step.result)

    @property
    def _place(self) -> Place:
        return Place(self._game_id, self._game, self._terms, self.names, self._sees(self._me))

    @property
    def _words(self) -> Any:
        """Your standing orders; None if there are none in this game, or you only look on."""
        if self._game.standing is None or self._seat is None:
            return None
        return self._now.step.public.standing[self._seat]

    def _chance(self, *place: object) -> Below:
        return chance(hashlib.sha256("\0".join((self._seed.hex(), *map(str, place))).encode()).digest())

    def _said_at_first(self) -> tuple[Any, ...]:
        """What bots say for good before anything is dealt, because it costs them nothing."""
        rule = self._game.standing
        if rule is None:
            return ()
        found = []
        for seat in range(self._terms.seats):
            advice = rule.advise(self._terms, Seen(seat, None, (), {}), self._level) if seat != self._seat else None
            found.append(rule.words() if advice is None else advice)
        return tuple(found)

    def _run(self) -> None:
        """Let the bots play until you are asked, or the game is over."""
        while self._now.step.pending and not self.asked:
            if self.round >= MOST_STEPS:
                raise RulesFailed(t("there is no end after {rounds} rounds", rounds=MOST_STEPS))
            self._answer({}, {})

    def _answer(self, moves: Mapping[int, Any], words: Mapping[int, Any]) -> None:
        """One round: these answers, and those of the bots."""
        answers, said = dict(moves), dict(words)
        for ask in self._now.step.pending:
            if ask.what == LINK or ask.seat in answers:
                continue
            answers[ask.seat], advice = self._bot(ask.seat)
            if advice is not None:
                said[ask.seat] = advice
        self._forward(self._now, answers, said)

    def _bot(self, seat: int) -> tuple[Any, Any]:
        """What a bot answers, and what it says for good now, if anything."""
        sight, rule = self._sees(seat), self._game.standing
        try:
            move = self._game.bots[self._level](self._terms, sight, self._chance("bot", self.round, seat))
            self._game.check(self._terms, sight, move)
            return move, None if rule is None else rule.advise(self._terms, sight, self._level)
        except Exception as error:
            why = t("the bot {bot} gives no legal answer ({name})", bot=quoted(self._level), name=type(error).__name__)
            raise RulesFailed(why) from error

    def _forward(
        self, now: Snapshot | None, answers: Mapping[int, Any], words: Mapping[int, Any] | Sequence[Any]
    ) -> None:
        """Run the rules once; where they fail nothing has changed."""
        game, terms, round = self._game, self._terms, now.round + 1 if now else 1
        shelf = now.shelf if now else first_shelf(game.bags(terms))
        sealed = {ask.seat: ask.sealed for ask in now.step.pending} if now else {}
        draws = Hidden(game, terms.seats, shelf, self._chance("draws", round), answers, sealed)
        try:
            if now is None:
                step = game.setup(terms, draws, *([words] if game.standing else []))
            else:
                asks = {ask.seat: without(game, answers.get(ask.seat), ask.sealed) for ask in now.step.pending}
                public = _with_words(now.step.public, words) if isinstance(words, Mapping) else now.step.public
                step = game.apply(terms, public, now.step.pending, asks, draws)
            self._path.append(Snapshot(step, draws.shelf(), round))
        except IllegalMove:
            raise
        except RulesFault as fault:
            raise RulesFailed(as_text(fault.args[0])) from fault
        except Exception as error:
            why = t("the rules cannot be applied ({name})", name=type(error).__name__)
            raise RulesFailed(why) from error


def lines(table: Table, choices: Sequence[Choice]) -> tuple[Line, ...]:
    """These as a list."""
    return tuple(
        Line(number, line_text(table, choice), msgspec.to_builtins(choice.move), choice)
        for number, choice in enumerate(choices, 1)
    )


def as_type(value: Json, form: Any) -> Any:
    """A move or standing orders as data, in the game's own type."""
    try:
        return typed.as_type(value, form)
    except (msgspec.ValidationError, TypeError, ValueError, RecursionError, OverflowError):
        raise Usage(t("that is no move of this game"), t("build it from the list of legal moves")) from None


def _with_words(public: Any, words: Mapping[int, Any]) -> Any:
    """The position with what was said for good now."""
    if not words:
        return public
    return replace(public, standing=tuple(words.get(seat, old) for seat, old in enumerate(public.standing)))


def chance(seed: bytes) -> Below:
    """Numbers from a seed, the same on every machine."""
    count = 0

    def below(n: int) -> int:
        nonlocal count
        while n > 1:
            count += 1
            block = hmac.digest(seed, count.to_bytes(8, "big"), "sha256")
            value = int.from_bytes(block[:16], "big")
            if value < 2**128 - 2**128 % n:
                return value % n
        return 0

    return below


def begin(
    game_id: str,
    seats: int | None,
    seat: int | None,
    level: str,
    seed: int | str,
    options: Mapping[str, Json] | None,
    edition: bytes | None,
) -> Practice:
    """Sit down."""
    game = games.load(game_id)
    terms = terms_of(game_id, game, seats, options, edition)
    if seat is not None and not 0 <= seat < terms.seats:
        why = t("there is no seat {seat}: seats count from 0", seat=seat)
        raise Usage(why, t("give one from 0 to {last}, or None to look on", last=terms.seats - 1), code="no-such-seat")
    if level not in game.bots:
        why = t("{title} has no bot {bot}", title=clean(game.title), bot=quoted(str(level)[:40]))
        raise Usage(why, t("choose from {bots}", bots=tuple(game.bots)), code="no-bot")
    return Practice(game_id, game, terms, seat, level, hashlib.sha256(f"practice {seed}".encode()).digest())


def terms_of(
    game_id: str, game: Game, seats: int | None, options: Mapping[str, Json] | None, edition: bytes | None
) -> Terms[Any, Any]:
    """Terms that a game can be played with."""
    from referee.crypto.codec import read

    low, high = game.seats
    try:
        chosen = msgspec.convert(dict(options or {}), game.options)
    except (msgspec.ValidationError, TypeError, ValueError):
        there = tuple(field.name for field in msgspec.structs.fields(game.options))
        raise Usage(t("these options cannot be played with"), t("there are: {options}", options=there)) from None
    unknown = set(options or ()) - {field.name for field in msgspec.structs.fields(game.options)}
    if unknown:
        raise Usage(t("this game has no option {name}", name=quoted(str(min(unknown))[:40])))
    data = games.edition_bytes(game_id) if edition is None else edition
    terms = Terms(low if seats is None else seats, chosen, read(data, game.edition, "edition"))
    if not low <= terms.seats <= high:
        why = t("{title} is for {low} to {high} players", title=game.title, low=low, high=high)
        raise Usage(why, t("choose from {low} to {high} seats", low=low, high=high), code="bad-seats")
    game.validate(terms)
    return terms
