"""A practice game at a terminal: the dialogue with its player."""

from collections.abc import Sequence

from msgspec.structs import replace

from referee.language import run
from referee.library import rehearsing, t, w
from referee.library.data import Chapter, ReadMove
from referee.show import prompt, prompt_words, rules, story, terminal, typed, wording


class _Undone(Exception):
    """The player takes the last move back."""


class _Talk(prompt.Talk):
    """What is said about one decision in practice."""

    helped = {**prompt_words.HELP, **prompt_words.PRACTICE_HELP, "quit": t("leave; the game is kept for you")}

    def __init__(self, table: "Table", news: Sequence[str]) -> None:
        self.game = table.game
        lines = "".join(f"{terminal.wrapped(line, table.person.width)}\n" for line in news)

        def board() -> str:
            return f"{lines}\n{table.board()}" if lines else table.board()

        super().__init__(table.game.place, table.person, board, table.clause, table.game.words)

    def hint(self) -> None:
        self.person.say(w("The bot would play: {move}", move=self.game.hint()))

    def undo(self) -> None:
        raise _Undone


class Table:
    """A practice game at the terminal."""

    def __init__(self, kept: rehearsing.Kept, person: prompt.Person, paint: terminal.Painter) -> None:
        self.kept, self.game, self.person, self.paint = kept, rehearsing.resume(kept), person, paint
        self.guide = rehearsing.guide_of(kept.game) if kept.guided else None

    def play(self) -> None:
        """Until the game is over, or its player leaves."""
        me, others = self.game.names[self.kept.seat], len(self.game.names) - 1
        self._say(w("You are {name}. Bots: {n}. `?` explains, `hint` shows what a bot would play, `undo` takes a move "
                    "back, `quit` leaves.",
                    name=me, n=others))  # fmt: skip
        news: Sequence[Chapter] = self.game.story()[-1:]
        rehearsing.keep(replace(self.kept, answers=self.game.answers))
        try:
            while self.game.asked:
                news = self._turn(news)
                rehearsing.keep(replace(self.kept, answers=self.game.answers))
        except prompt.Quit:
            self._say(w("Next: {run} continues this game.", run=run("practice", self.kept.game)))
            return
        self._end(news)

    def _turn(self, news: Sequence[Chapter]) -> Sequence[Chapter]:
        """One decision: what happened before it, the board, the moves; returns what happens after it."""
        lines = [line for chapter in news for line in chapter.lines]
        talk = _Talk(self, lines)
        scene = prompt.Scene(news=lines, hand=story.hand_in_words(talk.place))
        talk.begin(lambda: scene, self._explained())
        try:
            move, words = talk.next_move()
        except _Undone:
            self._say(w("Your last move is taken back.") if self.game.undo() else w("There is no move to take back."))
            return ()
        standing = None if words == self.game.words else words
        return self.game.play(ReadMove("", move, standing))

    def _explained(self) -> list[str]:
        """The text of the guided opening for this moment."""
        step = rehearsing.step_of(self.guide, self.game.answers)
        if step is None:
            return []
        place = self.game.place
        move = wording.move_text(place, typed.as_type(step.move, place.game.move))
        return [*rehearsing.explained(step), w("Type this, or any other move: {move}", move=move)]

    def _end(self, news: Sequence[Chapter]) -> None:
        self.person.say("")
        for line in (line for chapter in news for line in chapter.lines):
            self._say(line)
        result = self.game.result
        self.person.say(f"\n{self.board()}\n")
        if result is not None:
            for rank, name in sorted(zip(result.ranks, self.game.names, strict=True)):
                self.person.say(f"{rank:>3}. {name}")
        rehearsing.forget(self.kept.game)
        offer = run("offer", self.kept.game, "--seats", str(len(self.game.names)))
        self._say(w("The game is over. Next: {run} plays another one, {offer} offers one to people.",
                    run=run("practice", self.kept.game), offer=offer))  # fmt: skip

    def _say(self, text: str) -> None:
        self.person.say(terminal.wrapped(text, self.person.width))

    def board(self) -> str:
        return self.game.board(self.person.width, self.paint)

    def clause(self, name: str) -> str:
        return rules.flowed(rules.clause(self.kept.game, name), self.person.width)
