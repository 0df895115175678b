"""A player's view, verified and replayed: all that there is to see in it, and what can be answered."""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.crypto.keys import Key
from referee.engine import player
from referee.engine.player import Draft, Opened
from referee.errors import Usage
from referee.game import Result
from referee.library import t
from referee.library.data import Chapter, Json, Line, Move, ReadMove
from referee.library.practising import lines, parse_move
from referee.library.sources import Source, load
from referee.show import pictures, terminal, typed
from referee.show.story import Round, story_of_view
from referee.show.story import lines as told_lines
from referee.show.wording import move_text
from referee.svg import WIDTH


class View:
    """A view that passed every check: signatures, links, draws, and every round by the rules."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def __repr__(self) -> str:
        return f"<View of {self.game} {self.id[:8]}, round {self.round}, seat {self.seat}>"

    @property
    def game(self) -> str:
        """The id of the game, `mark` for example."""
        return self._opened.table.offer.game

    @property
    def id(self) -> str:
        """The id of this game, as all its documents name it."""
        return self._opened.table.id

    @property
    def seat(self) -> int | None:
        """Whose view it is, from 0; None for a public view."""
        return self._opened.view.seat

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in seat order. They chose their names: print them with care."""
        return self._opened.table.names

    @property
    def round(self) -> int:
        """The rounds that are over."""
        return self._opened.round

    @property
    def asked(self) -> str:
        """What this seat is asked for, in a word: `ack` and `link` ask for a confirmation; empty: nothing."""
        return self._opened.ask.what if self._opened.ask is not None else ""

    @property
    def decides(self) -> bool:
        """Whether there is something to choose."""
        return self._opened.decides

    @property
    def due(self) -> str:
        """When the answer is due, `2027-01-05T18:00Z`; empty without a deadline."""
        return self._opened.chain.checkpoint.state.due

    @property
    def position(self) -> Json:
        """The position as data: what everybody knows. None before anything is dealt."""
        return msgspec.to_builtins(self._opened.chain.checkpoint.public)

    @property
    def hand(self) -> dict[str, tuple[str, ...]]:
        """Container -> the tokens that this seat knows in it."""
        return dict(self._opened.seen.tokens) if self.round else {}

    @property
    def end(self) -> str:
        """How it ended: `result`, `left` or `void`; empty as long as it goes on."""
        return self._opened.chain.checkpoint.state.end

    @property
    def result(self) -> Result | None:
        """Ranks and scores; None as long as the game goes on."""
        return self._opened.chain.checkpoint.state.result

    def data(self) -> Json:
        """All of it as data, as `referee show --json` prints it (where seats count from 1)."""
        return msgspec.to_builtins(terminal.as_data(self._opened))

    def board(self, width: int = terminal.WIDE) -> str:
        """The position as text, no wider than this (60 is always enough), with what happened and who must act."""
        return terminal.render(self._opened, terminal.Painter(colour=False), width)

    def picture(self, width: int = WIDTH) -> str:
        """The position as an SVG: 600 wide, or 360 for a phone."""
        return pictures.svg(self._opened.chain, pictures.seen_in_view(self._opened), pictures.drawn_for(width))

    def story(self, since: int = 1) -> tuple[Chapter, ...]:
        """What happened from this round on, with what only this seat knows of it."""
        rounds = range(max(since, 1), self.round + 1)
        return tuple(self._chapter(one) for one in story_of_view(self._opened, rounds))

    def _chapter(self, one: Round) -> Chapter:
        notes: Sequence[Any] = self._opened.chain.rounds[one.round - 1].log
        lines = told_lines(one, self._opened.table)
        return Chapter(one.round, tuple(lines), tuple(msgspec.to_builtins(note) for note in notes))

    # --- moves

    def moves(self) -> tuple[Line, ...]:
        """Every legal move, as lines; none where nothing is to be chosen."""
        return lines(self._opened.table, typed.choices(self._opened))

    def standing(self) -> tuple[Line, ...]:
        """Standing orders that can be given with the next answer, or taken back."""
        player.refuse_public(self._opened)
        words = self._opened.orders(self._opened.seat)
        return lines(self._opened.table, typed.standing_choices(self._opened, words))

    def read(self, move: Move | None = None) -> ReadMove:
        """Read a move and ask the rules about it; nothing is signed. None: a confirmation."""
        draft, table = self._answer_of(move), self._opened.table
        if draft.move is None and self.decides:
            raise Usage(t("this contains no move"), t("choose a move of the list"), code="no-move")
        words = None if draft.standing is None else msgspec.to_builtins(draft.standing)
        if draft.move is None:
            return ReadMove("", None, words)
        table.game.check(table.terms, self._opened.seen, draft.move)
        return ReadMove(move_text(table, draft.move), msgspec.to_builtins(draft.move), words)

    def answer(self, move: Move | None, key: Key) -> bytes:
        """Sign an answer: the bytes of a move file, for the host. The view must be this key's own. None is the
        confirmation that `ack` and `link` ask for.

        Nothing is kept: it is up to you not to sign two different answers for one round, and what a move seals is
        stored nowhere but in these bytes, encrypted to the host.
        """
        return player.answer(key, self._opened, self._answer_of(move))

    def resign(self, key: Key) -> bytes:
        """Sign that you leave the game for good."""
        return player.answer(key, self._opened, Draft(resign=True))

    def _answer_of(self, move: Move | None) -> Draft:
        player.refuse_public(self._opened)
        before = self._opened.orders(self._opened.seat)
        found, words = parse_move(self._opened, before, move)
        return Draft(found, None if words == before else words)


def open_view(source: Source, since: View | None = None) -> View:
    """Check a view."""
    return View(player.open_view(load(source, "view"), since=since._opened if since is not None else None))
