"""English that is left over in what a reader of another language gets."""

import re
from collections.abc import Iterator
from functools import cache

import msgspec
from babel.messages.pofile import read_po

from referee import games
from referee.games import lexicon

from .texts import ROOT

_ENGLISH = """
about again also and answer any anybody are asked be because been before by can cannot check choose does each
every everybody everything file files from game games give had has have here host how if its it just keep key keys
legal like look made make many more most move moves must name near next nobody none not nothing one only open
or other others own player players read round rounds run same see send sends sent shows signed since some somebody such
take than that the their them then there these they this those to too turn until use view views wait waiting what when
where which while who whom whose why with without word words would write written wrong yet you your
"""
_ALSO_OURS = {
    "de": "hammer liquidation start host an also mail name open die man in hand war gut see",
    "nl": "start host subs open are mail made game round of is was word had met we",
}
_WORDS = frozenset(word for word in _ENGLISH.split() if word.isalpha())
_TYPED = re.compile(
    r"`[^`]*`"  # what is typed
    r"|'[^'\n]*'|\"[^\"\n]*\"|„[^“\n]*“|‘[^’\n]*’"  # what was typed
    r"|\[[a-z-]+\]"  # codes
    r"|\S*[\d/\\_=@.:|<>{}#-]+[^\s\d/\\_=@.:|<>{}#-]\S*"  # files, options, addresses, ids
)


def english_in(text: str, language: str) -> list[str]:
    """English words in prose that are not words of this language; what is typed or names a file is left out."""
    ours = set(_ALSO_OURS[language].split())
    words = re.findall(r"[^\W\d_]+", _TYPED.sub(" ", text).lower())
    return [word for word in words if word in _WORDS and word not in ours]


# --- of a game -------------------------------------------------------------------------------------------------------

_QUOTED = re.compile(r"`[^`]*`|'[^'\n]*'|„[^“\n]*“|‘[^’\n]*’|\{\w*\}")
"""What is typed, what was typed, and what stands for a value."""


def texts_of(game_id: str, language: str, *, alone: bool = True) -> Iterator[tuple[str, str]]:
    """The texts of a game that mean one thing (`alone=False`: the others too), and their translations."""
    path = ROOT.joinpath("referee", "games", game_id.replace("-", "_"), "locale", f"{language}.po")
    with path.open("rb") as file:
        for message in read_po(file, language):
            if message.pluralizable:
                yield from zip(message.id, message.string, strict=True)
            elif message.id and not (alone and message.context):
                yield message.id, message.string


@cache
def foreign(game_id: str, language: str) -> frozenset[str]:
    """Words of the English texts of a game that are not words of this language."""
    words, texts = lexicon(game_id).words, [*texts_of(game_id, language, alone=False)]
    english = {word for text in (*words, *(text for text, _ in texts)) for word in _words(text, game_id)}
    ours = {word for text, own in texts if own.lower() != text.lower() for word in _words(own, game_id)}
    ours |= {word for others in words.values() for text in others.get(language, ()) for word in _words(text, game_id)}
    return frozenset(english - ours - set(_ALSO_OURS[language].split()))


def game_english_in(text: str, game_id: str, language: str) -> list[str]:
    """The same as `english_in`, and every word that only the English texts of the game have."""
    return english_in(text, language) + [word for word in _words(text, game_id) if word in foreign(game_id, language)]


def _words(text: str, game_id: str) -> list[str]:
    """Words of two letters or more, except what a file calls something, and what is quoted."""
    return [one.lower() for one in re.findall(r"[^\W\d]{2,}", _QUOTED.sub(" ", text)) if one not in _fields(game_id)]


@cache
def _fields(game_id: str) -> frozenset[str]:
    """What the file of an edition calls its parts."""
    return frozenset(field.name for field in msgspec.structs.fields(games.load(game_id).edition))
