"""What the tool and the page both say is said in the same words: the catalogues' translations go into the page's table.

python -m tests.page.alike
"""

import json
import re
from typing import Any, NamedTuple

from tests.locale.make import TARGETS, catalogue, packages
from tests.page.node import HERE, PAGE, run_node

VALUE = re.compile(r"\{(\w*)[^}]*\}")
OTHER_SENSE = {"rank up", "rank down", "field resign"}
"""Texts of the page that mean something else there."""


class Shared(NamedTuple):
    """A text of the page that stands in a catalogue too: in English, in another language, and there, in both."""

    english: str
    ours: str
    theirs: list[tuple[str, str]]

    @property
    def alike(self) -> bool:
        return bare(self.ours) in {bare(translation) for _, translation in self.theirs}


def bare(text: str) -> str:
    """Without the names of values, and as it is after a colon."""
    return VALUE.sub("{}", text).lower()


def tables() -> Any:
    """The page's tables, as JSON."""
    done = run_node(HERE / "texts.mjs", PAGE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def shared(found: Any) -> list[Shared]:
    """In all languages."""
    said = {row[0]: row[1:] for key, row in found["texts"].items() if key not in OTHER_SENSE} | found["sentences"]
    rows = []
    for at, language in enumerate(TARGETS):
        theirs: dict[str, list[tuple[str, str]]] = {}
        for message in (message for package in packages() for message in catalogue(package, language)):
            if isinstance(message.id, str):
                theirs.setdefault(bare(message.id), []).append((message.id, message.string))
        rows += [Shared(text, row[at], theirs[bare(text)]) for text, row in said.items() if bare(text) in theirs]
    return rows


def main() -> None:
    path = PAGE / "translations.mjs"
    text = path.read_text("utf-8")
    for english, ours, ((their_english, theirs), *_) in (one for one in shared(tables()) if not one.alike):
        names = dict(zip(VALUE.findall(their_english), VALUE.findall(english), strict=True))
        new = VALUE.sub(lambda value, names=names: f"{{{names[value[1]]}}}", theirs)
        new = new[0].upper() + new[1:] if english[0].isupper() else new
        text = text.replace(*(json.dumps(one, ensure_ascii=False) for one in (ours, new)))
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
