"""The talk with a player at a terminal: shows, explains, leads through a family, and asks before anything is signed."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from referee.engine.player import Draft, Opened, consult
from referee.engine.table import Table
from referee.errors import IllegalMove, RefereeError, Usage
from referee.forms import Choice, fault
from referee.language import NOTHING, Named, Told, as_text, runs, spoken, t, w
from referee.show import family
from referee.show.mentions import with_names
from referee.show.preview import foreseen
from referee.show.terminal import wrapped
from referee.show.typed import (
    as_type,
    built,
    check,
    choices,
    in_words,
    line_of,
    phrases,
    read_clauses,
    say_phrase,
    standing_choices,
    words_of,
)
from referee.show.wording import in_english, line_text, localised

if TYPE_CHECKING:
    from referee.lexicon import Lexicon, Words

WORDS: "Words" = {
    "help": {"de": ("Hilfe",), "nl": ("hulp",)},
    "list": {"de": ("Liste",), "nl": ("lijst",)},
    "hint": {"de": ("mehr", "Hinweis"), "nl": ("meer",)},
    "show": {"de": ("zeige", "zeig", "zeigen", "Brett"), "nl": ("toon", "tonen", "bord")},
    "say": {"de": ("Ansage", "ansagen", "sage"), "nl": ("meld", "melden")},
    "rules": {"de": ("Regel", "Regeln"), "nl": ("regel", "regels")},
    "back": {"de": ("zurück",), "nl": ("terug",)},
    "quit": {"de": ("abbrechen", "Abbruch", "verlassen"), "nl": ("stop", "stoppen", "afbreken")},
}
"""The words of the prompt itself, as `words.json` of a game: read in every language at any time. None of them is a word
of a game."""
HELP = {
    "?": t("this explanation"),
    "list": t("the list of moves again"),
    "hint": t("the moves that the list leaves out"),
    "show": t("the board again"),
    "say": t("`say WORDS`: standing orders for your answer; `say`: which there are"),
    "rules": t("`rules CLAUSE`: one clause of the rules"),
    "back": t("one question back; at the first one, take back what you said last"),
    "quit": t("leave; nothing is signed"),
}
"""What each of them does."""

PART_HELP = t(
    "type a number or a word, as the question says; `back`: the question before this one, at the "
    "first one the list; `quit`: leave, nothing is signed"
)
"""What `?` says while a family is asked part by part."""


class Left(Exception):
    """The person went away: nothing is signed."""


class Person(Protocol):
    """Somebody at a terminal, and how wide it is."""

    width: int

    def ask(self, question: str) -> str: ...

    def say(self, text: str) -> None: ...


Board = Callable[[], str]
"""The position as the terminal shows it."""
Clause = Callable[[str], str]
"""A clause of the rules by its name."""


def choose(opened: Opened, person: Person, board: Board, clause: Clause, words: object, *, sure: bool) -> Draft:
    """The answer that a person decides on: a legal move and, after `words`, what else is said for good with it. Unless
    the person is `sure`, it is said back before it is taken."""
    talk = _Talk(opened, person, board, clause, words)
    talk.show()
    person.say("")
    talk.list_moves()
    while True:
        answer = Draft(talk.next_move(), talk.changed)
        if sure or confirmed(opened, person, answer):
            return answer


def agree(opened: Opened, person: Person, board: Board, clause: Clause, words: object) -> Draft:
    """Whether a person agrees to play, and what is said for good from the beginning."""
    talk = _Talk(opened, person, board, clause, words)
    talk.show()
    question = w("Do you agree to play this game? [Y/n]")
    if opened.table.game.standing is not None:
        person.say("")
        talk.say()
        question = w("Do you agree to play this game? [Y/n] (or first `say WORDS`)")
    while True:
        typed = person.ask(question)
        yes = _yes(typed)
        if yes is False:
            raise Left
        if yes:
            return Draft(None, talk.changed)
        if not talk.command(typed):
            talk.command(f"say {typed}")


def confirmed(opened: Opened, person: Person, answer: Draft) -> bool:
    """Say back what will be signed, and ask once."""
    first, *more = *in_words(opened, answer), *foreseen(opened, answer)
    person.say("\n".join((w("You will sign: {what}", what=first), *(f"  {line}" for line in more))))
    while (yes := _yes(typed := person.ask(w("Sign this? [Y/n]")))) is None and _command(typed) != "back":
        person.say(w("Type yes or no."))
    return bool(yes)


def _yes(typed: str) -> bool | None:
    """Yes, also where nothing is typed, or no; None if it is neither."""
    if _command(typed) == "quit":
        raise Left
    return family.yes(typed) if typed.strip() else True


def _command(typed: str) -> str:
    """The word of the prompt that was typed, in English; empty if it is none."""
    from referee.lexicon import composed

    word = composed(typed.strip()).casefold()
    return "help" if word == "?" else _own().meanings.get(word, word if word in WORDS else "")


@cache
def _own() -> "Lexicon":
    """The words of the prompt, to be looked up."""
    from referee.lexicon import Lexicon

    return Lexicon(WORDS)


class _Talk:
    """What was said so far, and the words of the prompt."""

    def __init__(self, opened: Opened, person: Person, board: Board, clause: Clause, words: object) -> None:
        self.opened, self.person, self.board, self.clause = opened, person, board, clause
        self.said = [words]
        self.commands: dict[str, Callable[..., None]] = {
            "help": self.help, "list": self.list_moves, "hint": self.hint, "show": self.show,
            "say": self.say, "rules": self.rules, "back": self.back, "quit": self.quit,
        }  # fmt: skip

    @property
    def changed(self) -> object:
        """The standing orders from now on, if they are others than before."""
        return None if self.said[-1] == words_of(self.opened, self.opened.seat) else self.said[-1]

    def next_move(self) -> Struct:
        """Talk until there is a legal move."""
        while True:
            typed = self.person.ask(w("Your move (a line such as #1, or words; ? explains):")).strip()
            if self.command(typed):
                continue
            try:
                move = self.take(typed)
                if move is not None:
                    check(self.opened, typed, move)
                    return move
            except RefereeError as error:
                self.tell(error, _own().nearest(typed, spoken()))

    def take(self, typed: str) -> Struct | None:
        """The move that was typed or picked; None if none was."""
        line = line_of(self.opened.table, choices(self.opened), typed)
        if line is not None:
            return self.pick(line, self.opened.table.game.move, check=True)
        move, words = read_clauses(self.opened, self.said[-1], typed)
        if words != self.said[-1]:
            self.add(words)
        return move

    def command(self, typed: str) -> bool:
        """Carry out a word of the prompt; whether it was one."""
        word, _, rest = typed.strip().partition(" ")
        act = self.commands.get(_command(word))
        if act is None or (rest and act not in (self.say, self.rules)):
            return False
        try:
            act(*filter(None, [rest.strip()]))
        except RefereeError as error:
            said = isinstance(error, IllegalMove) and act == self.say
            self.tell(error, next=t("type `say` for what can be said") if said else NOTHING)
        return True

    def tell(self, error: RefereeError, near: str = "", next: Told = NOTHING) -> None:
        """What is wrong, and what to do next here: not another command."""
        guessed = isinstance(error, IllegalMove) and bool(error.guess)
        listed = t("type `list` for what is legal") if guessed or any(runs(error.next)) else error.next
        also = (w(", or {found}?", found=near) if guessed else w(", did you mean {found}?", found=near)) if near else ""
        told = f"{error.message}{also}; {next or listed}"
        self.person.say(wrapped(told, self.person.width))

    # --- the words of the prompt

    def help(self) -> None:
        called = {_own().spoken(word, spoken()): str(meaning) for word, meaning in HELP.items()}
        longest = max(map(len, called))
        lines = [f"{word:{longest}}  {meaning}" for word, meaning in called.items()]
        self.person.say("\n".join(wrapped(line, self.person.width, 2) for line in lines))

    def list_moves(self) -> None:
        found = choices(self.opened)
        lines = self._numbered([choice for choice in found if not choice.minor])
        minor = sum(choice.minor for choice in found)
        more = [w("       and {n} more: `hint` lists them", n=minor)] if minor else []
        self.person.say("\n".join((*lines, *more)) or w("There is nothing to choose now."))

    def hint(self) -> None:
        found = choices(self.opened)
        first = sum(not choice.minor for choice in found)
        self.person.say("\n".join(self._numbered(found[first:], first + 1)) or w("The list has all moves."))

    def _numbered(self, found: Sequence[Choice], first: int = 1) -> list[str]:
        table, width = self.opened.table, self.person.width
        return [numbered(number, choice, table, width) for number, choice in enumerate(found, first)]

    def show(self) -> None:
        self.person.say(self.board())

    def say(self, phrase: str = "") -> None:
        opened, found = self.opened, standing_choices(self.opened, self.said[-1])
        rule = opened.table.game.standing
        if rule is None:
            raise Usage(t("this game has no standing orders"), t("answer what is asked"))
        if not phrase:
            head = w("You can say for good (`say #1`, or its words):")
            self.person.say("\n".join((head, *self._numbered(found))))
            return
        line = line_of(opened.table, found, phrase)
        if line is None:
            self.add(say_phrase(opened, self.said[-1], phrase))
        elif (words := self.pick(line, rule.words)) is not None:
            self.add(words)

    def add(self, words: object) -> None:
        self.said.append(words)
        said = "; ".join(phrases(self.opened, words))
        told = (
            w("With your answer you say: {words}", words=said)
            if said
            else w("With your answer you say: nothing for good")
        )
        self.person.say(told)

    def rules(self, name: str = "") -> None:
        if not name:
            raise Usage(t("name one clause"), HELP["rules"])
        self.person.say(self.clause(name))

    def back(self) -> None:
        if len(self.said) == 1:
            raise Usage(t("there is nothing to go back to"), t("`quit` leaves without signing"))
        self.said.pop()
        said = "; ".join(phrases(self.opened, self.said[-1]))
        told = (
            w("With your answer you say: {words}", words=said) if said else w("With your answer you say: nothing more")
        )
        self.person.say(told)

    def quit(self) -> None:
        raise Left

    # --- families

    def pick(self, choice: Choice, form: Any, *, check: bool = False) -> Struct | None:
        """What a line stands for; a family is asked part by part. None if the person went back to the list."""
        if not choice.parts:
            return as_type(choice.move, form)
        given: dict[tuple[str, str], Any] = {}
        asked: list[tuple[str, str]] = []
        text = w("{family} (`back` goes one question back)", family=line_text(self.opened.table, choice))
        self.person.say(wrapped(text, self.person.width))
        while True:
            question = family.next_question(choice, given)
            if question is None:
                try:
                    return self._finished(choice, given, form, check)
                except RefereeError as error:
                    self.tell(error, next=t("answer otherwise, or go `back`"))
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
                self.person.say(w("Nothing fits any more; one question back."))
            if not _one_back(given, asked):
                return None

    def _finished(self, choice: Choice, given: family.Given, form: Any, check: bool) -> Struct:
        values = family.values_of(choice, given)
        wrong = fault(choice, values)
        if wrong:
            raise Usage(Named(as_text(wrong), self.opened.table.names))
        found = built(choice, values, form)
        if check:
            consult(self.opened, self.opened.table.game.check, found)
        return found

    def _answer(self, question: family.Question) -> Any:
        """What is answered; None for one question back."""
        table, width = self.opened.table, self.person.width
        lines = family.wording(question, table.names, lambda word: localised(table, word), width).splitlines()
        while True:
            typed = self.person.ask("\n".join(wrapped(line, width) for line in lines)).strip()
            command = _command(typed)
            if command == "quit":
                raise Left
            if command == "back":
                return None
            if command == "help":
                self.person.say(wrapped(str(PART_HELP), width, 2))
            if command in ("help", "list") or not typed:
                continue
            try:
                return self._read(question, typed)
            except Usage as error:
                self.tell(error)

    def _read(self, question: family.Question, typed: str) -> Any:
        """What was typed, as it is or in another language."""
        table = self.opened.table
        for text in dict.fromkeys((typed, in_english(table, typed))):
            try:
                return family.read(question, text, table.names, lambda word: localised(table, word))
            except Usage as error:
                refused = error
        raise refused


def _one_back(given: dict[tuple[str, str], Any], asked: list[tuple[str, str]]) -> bool:
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
