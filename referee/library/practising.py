"""A game in memory against bots: nothing is signed, nothing is written, and every step can be taken back."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from referee import games
from referee.crypto.codec import read
from referee.crypto.stream import Stream
from referee.errors import IllegalMove, RefereeError, RulesFailed, RulesFault, Usage
from referee.forms import Choice
from referee.game import LINK, Game, Paint, Result, Seen, Terms, ask_of
from referee.language import as_text, language_of_package, quoted, speaking, with_names
from referee.library import t
from referee.library.data import Chapter, Json, Line, Move, ReadMove
from referee.show import pictures, typed, wording
from referee.show.text import clean
from referee.show.wording import Table, line_text, move_text
from referee.svg import WIDTH
from referee.testing.sandbox import Sandbox

NAMES = (
    "Anna", "Bert", "Carla", "Dirk", "Elsa", "Franz", "Greta", "Hugo",
    "Ida", "Jan", "Karin", "Ludwig", "Marta", "Nils", "Olga", "Peter",
)  # fmt: skip
MOST_STEPS = 2_048
"""As many rounds as a signed game can have."""
LONGEST = 2_000
"""Most characters of a typed line: no move is longer."""
_NOT_ASKED = t("you are not asked for anything now"), t("the game is over, or you are only watching")
R = TypeVar("R")


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


class Answered(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the player answered once: a move and, if they changed, the standing orders, as data."""

    move: Json
    standing: Json = None


class Practice:
    """A game against bots. It stands where you must decide, or at its end: `play` goes on to the next such place. The
    same seed and the same moves lead to the same game, also after `undo`."""

    def __init__(
        self, game_id: str, game: Game, terms: Terms[Any, Any], seat: int | None, level: str, seed: int | str
    ) -> None:
        self._game_id, self._game, self._terms = game_id, game, terms
        self._seat, self._level, self._seed = seat, level, f"practice {seed}"
        words = self._said_at_first()
        self._path = [_call_rules(lambda: Sandbox(game, terms, self._seed, read=False, words=words))]
        """The game after each round."""
        self._places: list[int] = []
        """Where the player decided: how long the path was."""
        self._answers: list[Answered] = []
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
        """Yours, from 0; None if you only watch."""
        return self._seat

    @property
    def round(self) -> int:
        """The rounds that are over."""
        return self._now.number

    @property
    def asked(self) -> str:
        """What you are asked for, in a word; empty at the end."""
        ask = ask_of(self._now.pending, self._me)
        return ask.what if ask is not None and ask.what != LINK else ""

    @property
    def position(self) -> Json:
        """The position as data: what everybody knows."""
        return msgspec.to_builtins(self._now.public)

    @property
    def hand(self) -> dict[str, tuple[str, ...]]:
        """Container -> the tokens that you know in it."""
        return dict(self._now.seen(self._me).tokens)

    @property
    def answers(self) -> tuple[Answered, ...]:
        """What you answered so far: the same game with the same answers comes to the same position."""
        return tuple(self._answers)

    @property
    def result(self) -> Result | None:
        """Ranks and scores; None as long as the game goes on."""
        return self._now.result

    def board(self, width: int = 100, paint: Paint = lambda text, style: text) -> str:
        """The position as text, no wider than this (60 is always enough)."""
        return self._game.render(self._terms, self._now.seen(self._me), [*map(clean, self.names)], paint, width)

    def picture(self, round: int | None = None, width: int = WIDTH) -> str:
        """The position as an SVG, now or after an earlier round: 600 wide, or 360 for a phone."""
        at = next((one for one in self._path if one.number == round), self._now)
        picture = self._game.picture
        if picture is None:
            why = t("{title} has no picture", title=clean(self._game.title))
            raise Usage(why, t("take the board as text"), code="no-picture")
        with speaking(language_of_package(games.module_of(self._game_id))):
            return picture(self._terms, at.seen(self._me), [*map(clean, self.names)], pictures.drawn_for(width))

    def story(self, since: int = 1) -> tuple[Chapter, ...]:
        """What everybody learned, from this round on."""
        return tuple(self._chapter(one) for one in self._path if one.number >= since)

    def _chapter(self, one: Sandbox) -> Chapter:
        sentences = (with_names(self._game.tell(self._terms, note), self.names) for note in one.log)
        return Chapter(one.number, tuple(sentences), tuple(msgspec.to_builtins(note) for note in one.log))

    # --- moves

    def moves(self) -> tuple[Line, ...]:
        """Every legal move, as lines; none if you are not asked."""
        return lines(self.place, typed.choices(self.place)) if self.asked else ()

    def standing(self) -> tuple[Line, ...]:
        """The standing orders that you can give with your next move, or take back."""
        found = typed.standing_choices(self.place, self.words) if self._seat is not None else ()
        return lines(self.place, found)

    def read(self, move: Move) -> ReadMove:
        """Read a move and ask the rules about it; nothing is played."""
        found, words = self._read(move)
        standing = None if words == self.words else msgspec.to_builtins(words)
        return ReadMove(move_text(self.place, found), msgspec.to_builtins(found), standing)

    def hint(self) -> ReadMove:
        """What the bot `sensible` would answer in your place, or the best bot of a game that has no such bot."""
        if not self.asked:
            raise Usage(*_NOT_ASKED)
        move, _ = self._bot(self._me, "sensible" if "sensible" in self._game.bots else [*self._game.bots][-1])
        return ReadMove(move_text(self.place, move), msgspec.to_builtins(move))

    def play(self, move: Move) -> tuple[Chapter, ...]:
        """Play a move; the bots answer until you are asked again, or the game is over. Returns what happened."""
        found, words = self._read(move)
        before, path, places = self.round, [*self._path], [*self._places]
        changed = None if words == self.words else msgspec.to_builtins(words)
        try:
            self._places.append(len(self._path))
            self._answer({self._me: found}, {self._me: words} if words is not None else {})
            self._run()
        except RefereeError:
            self._path, self._places = path, places
            raise
        self._answers.append(Answered(msgspec.to_builtins(found), changed))
        return self.story(before + 1)

    def undo(self) -> bool:
        """Take your last move back, with all that followed it; False if there is none."""
        if not self._places:
            return False
        del self._path[self._places.pop() :], self._answers[-1]
        return True

    def _read(self, move: Move) -> tuple[Any, Any]:
        if not self.asked:
            raise Usage(*_NOT_ASKED)
        if isinstance(move, str) and len(move) > LONGEST:
            raise Usage(t("this is longer than any move"), t("say it in fewer words"))
        found, words = parse_move(self.place, self.words, move)
        if found is None:
            raise Usage(t("this contains no move"), t("choose a move of the list"), code="no-move")
        self._game.check(self._terms, self._now.seen(self._me), found)
        return found, words

    # --- how it goes on

    @property
    def _now(self) -> Sandbox:
        return self._path[-1]

    @property
    def _me(self) -> int:
        return self._terms.seats if self._seat is None else self._seat

    @property
    def place(self) -> Place:
        """Where you sit, for a prompt that reads answers."""
        return Place(self._game_id, self._game, self._terms, self.names, self._now.seen(self._me))

    @property
    def words(self) -> Any:
        """Your standing orders; None if there are none in this game, or you only watch."""
        if self._game.standing is None or self._seat is None:
            return None
        return self._now.public.standing[self._seat]

    def _said_at_first(self) -> dict[int, Any]:
        """Standing orders of the bots before anything is dealt, because they cost them nothing."""
        rule, bots = self._game.standing, [seat for seat in range(self._terms.seats) if seat != self._seat]
        if rule is None:
            return {}
        advice = {seat: rule.advise(self._terms, Seen(seat, None, (), {}), self._level) for seat in bots}
        return {seat: words for seat, words in advice.items() if words is not None}

    def _run(self) -> None:
        """Let the bots play until you are asked, or the game is over."""
        while self._now.pending and not self.asked:
            if self.round >= MOST_STEPS:
                raise RulesFailed(t("the game had not ended after {rounds} rounds", rounds=MOST_STEPS))
            self._answer({}, {})

    def _answer(self, moves: Mapping[int, Any], words: Mapping[int, Any]) -> None:
        """One round: these answers, and those of the bots."""
        answers, orders = dict(moves), dict(words)
        for ask in self._now.pending:
            if ask.what == LINK or ask.seat in answers:
                continue
            answers[ask.seat], advice = self._bot(ask.seat, self._level)
            if advice is not None:
                orders[ask.seat] = advice
        after = self._now.fork()
        after.log = []
        _call_rules(lambda: after.answer(answers, words=orders, check=False))
        self._path.append(after)

    def _bot(self, seat: int, level: str) -> tuple[Any, Any]:
        """The answer of a bot of this level, and its standing orders from now on, if any."""
        sight, rule = self._now.seen(seat), self._game.standing
        chance = Stream(sha256(f"{self._seed} bot {self.round} {seat}".encode()).digest())
        try:
            move = self._game.bots[level](self._terms, sight, chance.below)
            self._game.check(self._terms, sight, move)
            return move, None if rule is None else rule.advise(self._terms, sight, level)
        except Exception as error:
            why = t("the bot {bot} gives no legal answer ({name})", bot=quoted(level), name=type(error).__name__)
            raise RulesFailed(why) from error


def lines(table: Table, choices: Sequence[Choice]) -> tuple[Line, ...]:
    """These as a list."""
    return tuple(
        Line(number, line_text(table, choice), msgspec.to_builtins(choice.move), choice)
        for number, choice in enumerate(choices, 1)
    )


def parse_move(place: wording.Place, words: Any, move: Move | None) -> tuple[Any, Any]:
    """An answer in the game's own types: the move, if any, and the standing orders after it."""
    game = place.table.game
    if isinstance(move, str):
        found, words = typed.read_clauses(place, words, move)
        typed.check(place, move, found)
        return found, words
    if isinstance(move, Line):
        return typed.move_of(place, move.choice), words
    data, standing = (move.move, move.standing) if isinstance(move, ReadMove) else (move, None)
    try:
        if standing is not None and game.standing is not None:
            words = typed.as_type(standing, game.standing.words)
        return None if data is None else typed.as_type(data, game.move), words
    except (msgspec.ValidationError, TypeError, ValueError, RecursionError, OverflowError):
        raise Usage(t("this is not a valid move of this game"), t("build it from the list of legal moves")) from None


def _call_rules(step: Callable[[], R]) -> R:
    """The result of the rules; whatever they raise is our own error."""
    try:
        return step()
    except IllegalMove:
        raise
    except RulesFault as fault:
        raise RulesFailed(as_text(fault.args[0])) from fault
    except Exception as error:
        why = t("the rules cannot be applied ({name})", name=type(error).__name__)
        raise RulesFailed(why) from error


def start_practice(
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
        raise Usage(why, t("give one from 0 to {last}, or None to watch", last=terms.seats - 1), code="no-such-seat")
    if level not in game.bots:
        why = t("{title} has no bot {bot}", title=clean(game.title), bot=quoted(str(level)[:40]))
        raise Usage(why, t("choose from {bots}", bots=tuple(game.bots)), code="no-bot")
    return Practice(game_id, game, terms, seat, level, seed)


def terms_of(
    game_id: str, game: Game, seats: int | None, options: Mapping[str, Json] | None, edition: bytes | None
) -> Terms[Any, Any]:
    """Terms with which a game can be played."""
    low, high = game.seats
    try:
        chosen = msgspec.convert(dict(options or {}), game.options)
    except (msgspec.ValidationError, TypeError, ValueError):
        there = tuple(field.name for field in msgspec.structs.fields(game.options))
        raise Usage(t("these options cannot be played with"), t("there are: {options}", options=there)) from None
    data = games.edition_bytes(game_id) if edition is None else edition
    terms = Terms(low if seats is None else seats, chosen, read(data, game.edition, "edition"))
    if not low <= terms.seats <= high:
        advice = t("choose from {low} to {high} seats", low=low, high=high)
        why = t("{title} is for {low} to {high} players", title=game.title, low=low, high=high)
        if low == high:
            why, advice = t("{title} is for {n} players", title=game.title, n=low), t("choose {n} seats", n=low)
        raise Usage(why, advice, code="bad-seats")
    game.validate(terms)
    return terms
