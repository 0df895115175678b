"""The dialogue with a player at a terminal: shows, explains, guides through a family, asks before signing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from referee.engine.player import Draft, Opened
from referee.errors import IllegalMove, RefereeError, Usage
from referee.forms import Choice, fault
from referee.games import as_typed, lexicon
from referee.language import NOTHING, Message, Named, Text, as_text, current_language, runs, t, w, with_names
from referee.show import family
from referee.show.preview import preview_lines
from referee.show.prompt_words import HELP, PART_HELP, command_of, prompt_words
from referee.show.story import hand_in_words, since_last_turn
from referee.show.terminal import heading, pending_summary, wrapped
from referee.show.text import clean
from referee.show.typed import (
    as_type,
    build_move,
    check,
    choices,
    in_words,
    line_of,
    read_clauses,
    say_phrase,
    standing_choices,
)
from referee.show.wording import Place, Table, line_text, phrases

LEAST = 6
"""The lines that the news and the list of moves keep at least, where not all of them fit."""


class Quit(Exception):
    """The person left: nothing is signed."""


class Person(Protocol):
    """Somebody at a terminal, and how wide it is."""

    width: int

    @property
    def room(self) -> int:
        """The lines that are left for what comes before the next question; 0: unknown, so there is no limit."""

    def ask(self, question: str) -> str: ...

    def say(self, text: str) -> None: ...


Board = Callable[[], str]
"""The position as the terminal shows it."""
Clause = Callable[[str], str]
"""A clause of the rules by its name."""


class Scene(NamedTuple):
    """What somebody sees before a decision where the whole board does not fit. Nothing is wrapped yet."""

    head: Sequence[str] = ()
    news: Sequence[str] = ()
    """What happened: the only part that is cut, from its beginning."""
    hand: str = ""
    asked: Sequence[str] = ()


def scene_of(opened: Opened) -> Scene:
    """What a view shows in few lines."""
    asked = pending_summary(opened, [clean(name) for name in opened.table.names])
    return Scene([heading(opened)], since_last_turn(opened), hand_in_words(opened), asked)


def choose(opened: Opened, person: Person, board: Board, clause: Clause, words: object, *, sure: bool) -> Draft:
    """The answer that a person decides on: a legal move and, after `words`, the standing orders that go with it. Unless
    the person is `sure`, it is said back before it is taken."""
    talk = Talk(opened, person, board, clause, words)
    talk.begin(lambda: scene_of(opened))
    while True:
        move, standing = talk.next_move()
        answer = Draft(move, None if standing == opened.orders(opened.seat) else standing)
        if sure or confirmed(opened, person, answer):
            return answer


def agree(opened: Opened, person: Person, board: Board, clause: Clause, words: object) -> Draft:
    """Whether a person agrees to play, and the standing orders from the beginning: they are listed if they fit."""
    talk = Talk(opened, person, board, clause, words)
    question, shown, said = w("Do you agree to play this game? [Y/n]"), board(), ""
    if opened.table.game.standing is not None:
        said = f"\n{talk.sayings()}"
        question = w("Do you agree to play this game? [Y/n] (or first `say WORDS`)")
    fits = not person.room or len(f"{shown}\n{said}".splitlines()) <= person.room
    person.say(f"{shown}\n{said}" if said and fits else shown)
    while True:
        typed = person.ask(question)
        yes = _yes(typed)
        if yes is False:
            raise Quit
        if yes:
            return Draft(None, None if talk.said[-1] == opened.orders(opened.seat) else talk.said[-1])
        if not talk.command(typed):
            talk.command(f"say {typed}")


def confirmed(opened: Opened, person: Person, answer: Draft) -> bool:
    """Say back what will be signed, and ask once."""
    first, *more = *in_words(opened, answer), *preview_lines(opened, answer)
    person.say("\n".join((w("You will sign: {what}", what=first), *(f"  {line}" for line in more))))
    while (yes := _yes(typed := person.ask(w("Sign this? [Y/n]")))) is None and command_of(typed) != "back":
        person.say(w("Type yes or no."))
    return bool(yes)


def _yes(typed: str) -> bool | None:
    """Yes, also where nothing is typed, or no; None if it is neither."""
    if command_of(typed) == "quit":
        raise Quit
    return family.yes(typed) if typed.strip() else True


class Talk:
    """What was said so far about one decision, in a signed game or in practice, and the words of the prompt."""

    helped: Mapping[str, Text] = HELP

    def __init__(self, place: Place, person: Person, board: Board, clause: Clause, words: object) -> None:
        self.place, self.person, self.board, self.clause = place, person, board, clause
        self.said = [words]
        """The standing orders, after each change."""
        self.listed = 0
        """The number of moves in the list that was shown last."""
        self.commands: dict[str, Callable[..., None]] = {
            "help": self.help, "list": self.list_moves, "more": self.more, "show": self.show, "say": self.say,
            "rules": self.rules, "back": self.back, "hint": self.hint, "undo": self.undo, "quit": self.quit,
        }  # fmt: skip

    def begin(self, few: Callable[[], Scene], advice: Sequence[str] = ()) -> None:
        """Show what the first question is about; `advice` comes last. Where not all of it fits the screen, the board is
        left out, then what happened first, then the end of the list: a word shows each of them."""
        board, room, found = self.board(), self.person.room, choices(self.place)
        moves, last = self._listed(found, 0), self._lines(advice)
        if not room or len([*board.splitlines(), "", *moves, *last]) <= room:
            self._put(board, "", *moves, *last)
            return
        scene = few()
        news, asked = self._lines(scene.news, 2), self._lines([scene.hand, *scene.asked])
        head, note = self._lines(scene.head), self._lines([w("(`show` draws the board)")])
        free = room - len(head) - len(note) - len(asked) - len(last)
        moves = self._listed(found, max(free - min(len(news), LEAST), LEAST))
        if len(news) > free - len(moves):
            cut = len(news) - max(free - len(moves), 0)
            hint = w.plural("(`show` draws the board, and tells {n} line before these)",
                            "(`show` draws the board, and tells {n} lines before these)", cut)  # fmt: skip
            news, note = news[cut:], self._lines([hint])
        self._put(*head, *note, *news, *asked, *moves, *last)

    def _lines(self, texts: Sequence[str], indent: int = 0) -> list[str]:
        return [line for text in texts if text for line in wrapped(text, self.person.width, indent).splitlines()]

    def _put(self, *lines: str) -> None:
        self.person.say("\n".join(lines))

    def next_move(self) -> tuple[Struct, object]:
        """Ask until there is a legal move; returns it with the standing orders from now on."""
        while True:
            typed = self.person.ask(w("Your move (a line such as #1, or words; ? explains):")).strip()
            if self.command(typed):
                continue
            try:
                move = self.take(typed)
                if move is not None:
                    check(self.place, typed, move)
                    return move, self.said[-1]
            except RefereeError as error:
                self.tell(error, prompt_words().nearest(typed, current_language()))

    def take(self, typed: str) -> Struct | None:
        """The move that was typed or picked; None if none was."""
        line = line_of(self.place.table, choices(self.place), typed)
        if line is not None:
            return self.pick(line, self.place.table.game.move, check=True)
        move, words = read_clauses(self.place, self.said[-1], typed)
        if words != self.said[-1]:
            self.add(words)
        return move

    def command(self, typed: str) -> bool:
        """Carry out a word of the prompt; whether it was one."""
        word, _, rest = typed.strip().partition(" ")
        act = self.commands.get(command_of(word))
        if act is None or (rest and act not in (self.say, self.rules)):
            return False
        try:
            act(*filter(None, [rest.strip()]))
        except RefereeError as error:
            is_legal_form = isinstance(error, IllegalMove) and act == self.say
            self.tell(error, next=t("type `say` for what can be said") if is_legal_form else NOTHING)
        return True

    def tell(self, error: RefereeError, near: str = "", next: Message = NOTHING) -> None:
        """What is wrong, and what to do next here: not another command."""
        guessed = isinstance(error, IllegalMove) and bool(error.guess)
        listed = t("type `list` for what is legal") if guessed or any(runs(error.next)) else error.next
        also = (w(", or {found}?", found=near) if guessed else w(", did you mean {found}?", found=near)) if near else ""
        message = f"{error.message}{also}; {next or listed}"
        self.person.say(wrapped(message, self.person.width))

    # --- the words of the prompt

    def help(self) -> None:
        words, language = prompt_words(), current_language()
        called = {words.spoken(word, language): str(meaning) for word, meaning in self.helped.items()}
        longest = max(map(len, called))
        lines = [f"{word:{longest}}  {meaning}" for word, meaning in called.items()]
        self.person.say("\n".join(wrapped(line, self.person.width, 2) for line in lines))

    def list_moves(self) -> None:
        self._put(*self._listed(choices(self.place), self.person.room))

    def more(self) -> None:
        rest = choices(self.place)[self.listed :]
        self.person.say("\n".join(self._numbered(rest, self.listed + 1)) or w("The list has all moves."))

    def _listed(self, found: Sequence[Choice], room: int) -> list[str]:
        """The list of moves in at most this many lines (0: no limit). `more` lists what is left out."""
        self.listed = sum(not choice.minor for choice in found)
        lines = self._listing(found)
        while room and len(lines) > room and self.listed > 1:
            self.listed -= 1
            lines = self._listing(found)
        return lines

    def _listing(self, found: Sequence[Choice]) -> list[str]:
        lines, left = self._numbered(found[: self.listed]), len(found) - self.listed
        more = [w("       and {n} more: `more` lists them", n=left)] if left else []
        return "\n".join((*lines, *more)).splitlines() or [w("There is nothing to choose now.")]

    def _numbered(self, found: Sequence[Choice], first: int = 1) -> list[str]:
        table, width = self.place.table, self.person.width
        return [numbered(number, choice, table, width) for number, choice in enumerate(found, first)]

    def show(self) -> None:
        self.person.say(self.board())

    def say(self, phrase: str = "") -> None:
        found, rule = standing_choices(self.place, self.said[-1]), self.place.table.game.standing
        if rule is None:
            raise Usage(t("this game has no standing orders"), t("answer what is asked"))
        if not phrase:
            self.person.say(self.sayings())
            return
        line = line_of(self.place.table, found, phrase)
        if line is None:
            self.add(say_phrase(self.place, self.said[-1], phrase))
        elif (words := self.pick(line, rule.words)) is not None:
            self.add(words)

    def sayings(self) -> str:
        """The standing orders that can be given."""
        head = w("Standing orders that you can give (`say #1`, or its words):")
        return "\n".join((head, *self._numbered(standing_choices(self.place, self.said[-1]))))

    def add(self, words: object) -> None:
        self.said.append(words)
        said = "; ".join(phrases(self.place.table, words))
        lines = (
            w("Standing orders with your answer: {words}", words=said)
            if said
            else w("Standing orders with your answer: none")
        )
        self.person.say(lines)

    def rules(self, name: str = "") -> None:
        if not name:
            raise Usage(t("name one clause"), HELP["rules"])
        self.person.say(self.clause(name))

    def back(self) -> None:
        if len(self.said) == 1:
            raise Usage(t("there is nothing to go back to"), t("`quit` leaves without signing"))
        self.said.pop()
        said = "; ".join(phrases(self.place.table, self.said[-1]))
        lines = (
            w("Standing orders with your answer: {words}", words=said)
            if said
            else w("Standing orders with your answer: no more")
        )
        self.person.say(lines)

    def hint(self) -> None:
        raise _for_practice()

    def undo(self) -> None:
        raise _for_practice()

    def quit(self) -> None:
        raise Quit

    # --- families

    def pick(self, choice: Choice, form: Any, *, check: bool = False) -> Struct | None:
        """What a line stands for; a family is asked part by part. None if the person went back to the list."""
        if not choice.parts:
            return as_type(choice.move, form)
        given: dict[tuple[str, str], Any] = {}
        asked: list[tuple[str, str]] = []
        text = w("{family} (`back`: go back one question)", family=line_text(self.place.table, choice))
        self.person.say(wrapped(text, self.person.width))
        while True:
            question = family.next_question(choice, given)
            if question is None:
                try:
                    return self._finished(choice, given, form, check)
                except RefereeError as error:
                    self.tell(error, next=t("answer differently, or go `back`"))
            elif question.only is not None:
                given[question.key] = question.only
                continue
            elif question.possible:
                asked.append(question.key)
                value = self._answer(question)
                if value is not None:
                    given[question.key] = value
                    continue
                asked.pop()
            else:
                self.person.say(w("Nothing fits any more; going back one question."))
            if not _undo_last(given, asked):
                return None

    def _finished(self, choice: Choice, given: family.Given, form: Any, check: bool) -> Struct:
        values = family.values_of(choice, given)
        wrong = fault(choice, values)
        if wrong:
            raise Usage(Named(as_text(wrong), self.place.table.names))
        found = build_move(choice, values, form)
        if check:
            self.place.table.game.check(self.place.table.terms, self.place.seen, found)
        return found

    def _answer(self, question: family.Question) -> Any:
        """The answer; None to go back one question."""
        table, width = self.place.table, self.person.width
        lines = family.wording(question, table.names, lambda word: as_typed(table.game_id, word), width).splitlines()
        while True:
            typed = self.person.ask("\n".join(wrapped(line, width) for line in lines)).strip()
            command = command_of(typed)
            if command == "quit":
                raise Quit
            if command == "back":
                return None
            if command == "help":
                self.person.say(wrapped(str(PART_HELP), width, 2))
            if command in ("hint", "undo"):
                self.command(typed)
            if command in ("help", "list", "hint", "undo") or not typed:
                continue
            try:
                return self._read(question, typed)
            except Usage as error:
                self.tell(error)

    def _read(self, question: family.Question, typed: str) -> Any:
        """What was typed, as it was or in another language."""
        table = self.place.table
        for text in dict.fromkeys((typed, lexicon(table.game_id).english(typed))):
            try:
                return family.read(question, text, table.names, lambda word: as_typed(table.game_id, word))
            except Usage as error:
                refused = error
        raise refused


def _for_practice() -> Usage:
    return Usage(t("this is for practice: in a signed game every answer counts"), t("type `list` for what is legal"))


def _undo_last(given: dict[tuple[str, str], Any], asked: list[tuple[str, str]]) -> bool:
    """Forget the last answer, and what followed from it by itself; False if there is none."""
    while given:
        key, _ = given.popitem()
        if asked and key == asked[-1]:
            asked.pop()
            return True
    return False


def numbered(number: int, choice: Choice, table: Table, width: int) -> str:
    """A line of the list: its number can never be a move."""
    note = f"   ({with_names(choice.note, table.names)})" if choice.note else ""
    return f"{f'#{number}':>5}" + wrapped(f"{line_text(table, choice)}{note}", width, 7)[5:]
