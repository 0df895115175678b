"""Writes `corpus/`: answers as mail programs send them, and `corpus/TABLE.txt`: what each of them says.

    python -m tests.mail.make_corpus           # from sent.eml, a mail of ours
    python -m tests.mail.make_corpus --sent    # sent.eml itself, when our mails have changed

The table is made from what was put into each mail, never from what was read out of it. A row has the name of the mail,
what must be found, and the blocks (`?` for a damaged one) and files in it. What must be found is one of `wrote: LINE /
LINE` (the lines that can be an order), `nothing`, `unclear` (the player must be asked), `never` (must not be answered).
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from tests.mail.programs import ADDRESS, HOST, PROGRAMS, TONGUES, Reply, mail
from tests.mail.special import specials

FOLDER = Path(__file__).with_name("corpus")
TABLE = FOLDER / "TABLE.txt"
ANSWERS = (
    "buy red red, mark red", "#3", "pass green", "sell green, mark blue", "#1", "buy blue, mark blue", "pass red",
)  # fmt: skip


def usual() -> list[tuple[str, Reply, str]]:
    """Every program in every language, with the answer above, below and between."""
    cases = []
    for name, program in PROGRAMS.items():
        for language, tongue in TONGUES.items():
            for where in ("top", "bottom", "inline"):
                answer = ANSWERS[len(cases) % len(ANSWERS)]
                words = (answer, f"{tongue.hello}\n\n{answer}", f"{tongue.hello}\n\n{answer}\n\n{tongue.bye}")
                said = words[len(cases) % len(words)]
                cases.append((f"{name}-{language}-{where}", program(said, tongue, where), f"wrote: {answer}"))
    return cases


def corpus() -> tuple[dict[str, bytes], str]:
    """Name -> mail, and the table."""
    rows = [(name, mail(reply), found, "") for name, reply, found in usual()] + specials()
    mails = {f"{name}.eml": raw for name, raw, _, _ in rows}
    wide = max(map(len, mails)) + 2
    table = [f"{name + '.eml':{wide}}{found:45} {blocks}".rstrip() for name, _, found, blocks in rows]
    return mails, "\n".join(table) + "\n"


def sent() -> bytes:
    """The mail that all of these answer, without picture and view: replies do not bring them back."""
    from referee.mail import letters
    from referee.mail.body import Reader
    from referee.mail.compose import Head, compose
    from tests.mail.screens import DUE
    from tests.support.match import Sitting

    sitting = Sitting("schwarzer-freitag", 3, "corpus").until(60)
    while sitting.asked != [1] or sitting.what != "turn":
        sitting = sitting.until(sitting.round + 1)
    code = ADDRESS.partition("+")[2].partition("@")[0]
    bert = Reader("Bert", "Europe/Berlin", way="kept", pass_=code, reply_to=ADDRESS)
    body = letters.turn(sitting.opened(1), bert, due=DUE, times=(720, 0))
    names = {"sender_name": HOST, "to_name": "Bert", "reply_to": ADDRESS}
    date = datetime(2026, 11, 20, 8, tzinfo=UTC)
    head = Head("sent", "<r61@games.example>", "host@games.example", "bert@example.org", body.subject, date, **names)
    return compose(head, msgspec.structs.replace(body, png=b"", files=()))


def main(*words: str) -> None:
    if words == ("--sent",):
        FOLDER.with_name("sent.eml").write_bytes(sent())
        return
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    mails, table = corpus()
    for name, raw in mails.items():
        (FOLDER / name).write_bytes(raw)
    TABLE.write_text(table, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
