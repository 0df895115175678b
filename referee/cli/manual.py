"""The command that shows the manual."""

import re
from typing import Annotated

import typer

from referee.cli import complete, w
from referee.cli.anyone import for_terminal
from referee.cli.common import out, say
from referee.language import spoken


def manual(
    topic: Annotated[
        str, typer.Argument(metavar="[TOPIC]", help="A page; without it, all topics.", autocompletion=complete.topics)
    ] = "",
) -> None:
    """Read the manual: what its topics are, or one page."""
    from referee.show.manual import page, titles

    if topic:
        out(for_terminal(re.sub(r"^<!-- .* -->\n", "", page(topic, spoken()).rstrip(), flags=re.MULTILINE)))
        return
    for name, title in titles(spoken()).items():
        out(f"{name:12} {title}")
    say(w("Next: read one of them, for example `referee manual playing`."))
