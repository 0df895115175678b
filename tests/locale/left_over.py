"""English that is left over in what a reader of another language gets."""

import re

_ENGLISH = """
about again also and answer any anybody are asked be because been before by can cannot check choose does each
every everybody everything file files from game games give had has have here host how if its it just keep key keys
legal like look made make many more most move moves must name near next nobody none not nothing one only open
or other others own player players read round rounds run same see send sends sent shows signed since some somebody such
take than that the their them then there these they this those to too turn until use view views wait waiting what when
where which while who whom whose why with without word words would write written wrong yet you your
"""
_ALSO_OURS = {
    "de": "an also mail name open die man in hand war gut see",
    "nl": "open are mail made game round of is was word had met we",
}
_WORDS = frozenset(word for word in _ENGLISH.split() if word.isalpha())
_TYPED = re.compile(
    r"`[^`]*`"  # what is typed
    r"|'[^'\n]*'|\"[^\"\n]*\"|„[^“\n]*“|‘[^’\n]*’"  # what was typed
    r"|\[[a-z-]+\]"  # codes
    r"|\S*[\d/\\_=@.:|<>{}#-]+[^\s\d/\\_=@.:|<>{}#-]\S*"  # files, options, addresses, ids
)


def english_in(text: str, language: str) -> list[str]:
    """English words in prose that are no words of this language; what is typed or names a file is left out."""
    ours = set(_ALSO_OURS[language].split())
    words = re.findall(r"[^\W\d_]+", _TYPED.sub(" ", text).lower())
    return [word for word in words if word in _WORDS and word not in ours]
