"""Whole games by mail with the editions of the boxes, at tables where everybody reads another language.

    python -m tests.campaign.mails FOLDER [GAME...]

Every mail is looked through for English left over and for lines that are too long; every distinct sentence, without its
numbers and names, is written to FOLDER/GAME.LANGUAGE.txt, for somebody to read.
"""

import re
import sys
import time
from pathlib import Path

from referee import games
from referee.language import LANGUAGES
from tests.locale.test_mail import NAMES, language_of, look_through, play, sentences
from tests.mail.offices import Mail
from tests.support.short import SHORT

SEATS = 5
SIGN = {"dirk", "elsa"}
_BLANKED = re.compile(r"[0-9a-f]{8}-\d+-\d+-[a-z2-7]{16}|\b[0-9a-f]{8}\b|\d+")
_NAMED = re.compile("|".join(re.escape(name[:40]) for name in NAMES.values()))


def distinct(mails: list[Mail], language: str) -> list[str]:
    """The sentences of mails in this language, each once, with the first values that they had."""
    found: dict[str, str] = {}
    for mail in mails:
        if language_of(mail) == language:
            for line in sentences(mail):
                found.setdefault(_BLANKED.sub("#", _NAMED.sub("@", line)).strip(), line)
    return list(found.values())


def main(folder: str, *only: str) -> None:
    for game in only or sorted(SHORT):
        start, place = time.process_time(), Path(folder, game)
        place.mkdir(parents=True)
        seats = min(SEATS, games.load(game).seats[1])
        mails = play(place, game, seats=seats, own=SIGN, short=False)
        look_through(mails)
        over = sum(mail.name.endswith("-over") for mail in mails)
        counts = []
        for language in LANGUAGES:
            lines = distinct(mails, language)
            Path(folder, f"{game}.{language}.txt").write_text("\n".join(lines) + "\n", "utf-8")
            counts.append(f"{len(lines)} {language}")
        seconds = time.process_time() - start
        sys.stdout.write(
            f"{game:20} {seats} seats, {len(mails):4} mails, {over} told of the end, lines to read: "
            f"{', '.join(counts)}; {seconds:.0f} s of work\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
