"""The words of the prompt, in every language, and what each of them does."""

from functools import cache
from typing import TYPE_CHECKING

from referee.language import t

if TYPE_CHECKING:
    from referee.lexicon import Lexicon, Words

WORDS: "Words" = {
    "help": {"de": ("Hilfe",), "nl": ("hulp",)},
    "list": {"de": ("Liste",), "nl": ("lijst",)},
    "more": {"de": ("mehr", "weitere"), "nl": ("meer",)},
    "show": {"de": ("zeige", "zeig", "zeigen", "Brett"), "nl": ("toon", "tonen", "bord")},
    "say": {"de": ("Ansage", "ansagen", "sage"), "nl": ("meld", "melden")},
    "rules": {"de": ("Regel", "Regeln"), "nl": ("regel", "regels")},
    "back": {"de": ("zurück",), "nl": ("terug",)},
    "hint": {"de": ("Tipp", "Hinweis"), "nl": ("tip",)},
    "undo": {"de": ("rückgängig", "zurücknehmen"), "nl": ("ongedaan", "terugnemen")},
    "quit": {"de": ("abbrechen", "Abbruch", "verlassen"), "nl": ("stop", "stoppen", "afbreken")},
}
"""The words of the prompt itself, as `words.json` of a game: read in every language at any time. None of them is a word
of a game."""
HELP = {
    "?": t("this explanation"),
    "list": t("the list of moves again"),
    "more": t("the moves that the list leaves out"),
    "show": t("the board again"),
    "say": t("`say WORDS`: standing orders for your answer; `say`: list them"),
    "rules": t("`rules CLAUSE`: one clause of the rules"),
    "back": t("go back one question; at the first one, take back what you said last"),
    "quit": t("leave; nothing is signed"),
}
"""What each of them does in every game."""
PRACTICE_HELP = {
    "hint": t("what the bot `sensible` would do in your place"),
    "undo": t("take back your last move, and all that followed"),
}
"""What those do that are for practice only."""

PART_HELP = t(
    "type a number or a word, as the question says; `back`: the previous question, or the list; `quit`: leave, "
    "nothing is signed"
)
"""What `?` says while a family is asked part by part."""


def command_of(typed: str) -> str:
    """The word of the prompt that was typed, in English; empty if it is none."""
    from referee.lexicon import with_composed_umlauts

    word = with_composed_umlauts(typed.strip()).casefold()
    return "help" if word == "?" else prompt_words().meanings.get(word, word if word in WORDS else "")


@cache
def prompt_words() -> "Lexicon":
    """The words of the prompt, to be looked up."""
    from referee.lexicon import Lexicon

    return Lexicon(WORDS)
