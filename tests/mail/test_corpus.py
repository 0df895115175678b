"""Answers as mail programs send them: each is read correctly, or is unclear where it should be."""

import re

import pytest

from referee.mail import letters
from referee.mail.compose import sent_texts
from referee.mail.message import Letter, read_message
from referee.mail.reply import orders, written
from tests.mail.make_corpus import FOLDER, TABLE, corpus
from tests.mail.programs import SENT_MAIL, TEXT
from tests.mail.screens import DUE, reader
from tests.support.match import Sitting

OURS = sent_texts(SENT_MAIL)
ROWS = [re.split(r"\s{2,}", row) for row in TABLE.read_text("utf-8").splitlines()]


def found_in(letter: Letter) -> str:
    """What the table says about a mail."""
    if letter.headers.auto:
        return "never"
    found = written(letter, *OURS)
    if not found.sure:
        return "unclear"
    return "wrote: " + " / ".join(orders(found)) if orders(found) else "nothing"


def documents_in(letter: Letter) -> str:
    blocks = [block.kind + "?" * (block.data is None) for block in letter.blocks]
    return " ".join((*blocks, *(file.name for file in letter.attachments)))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_is_read_as_the_table_says(row: list[str]) -> None:
    name, found, *blocks = row
    letter = read_message((FOLDER / name).read_bytes())
    assert found_in(letter) == found
    assert [documents_in(letter)] == (blocks or [""])


def test_the_corpus_is_what_its_script_writes() -> None:
    mails, table = corpus()
    assert {path.name: path.read_bytes() for path in FOLDER.glob("*.eml")} == mails
    assert TABLE.read_text("utf-8") == table


def test_the_corpus_answers_a_mail_as_we_write_them() -> None:
    """Made again with `python -m tests.mail.make_corpus --sent`. The position in it changes with the rules, so what is
    compared is what every mail about a turn says."""
    sitting = Sitting("schwarzer-freitag", 3, "corpus").until("turn")
    seat = sitting.asked[0]
    text = letters.turn(sitting.opened(seat), reader(sitting, seat), due=DUE, times=(720, 0)).text
    now, then = text.split("\n\n"), TEXT.split("\n\n")
    heads = [[part.partition("\n")[0].partition(" (")[0].partition(": ")[0] for part in parts] for parts in (now, then)]
    assert {one for one in heads[1] if one[0].isascii()} <= {*heads[0]}
    assert now[-3] == then[-3]


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    assert len(ROWS) >= 150
    assert len({row[0] for row in ROWS}) == len(ROWS)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 3_000_000
    assert {row[1].split(":")[0] for row in ROWS} == {"wrote", "nothing", "unclear", "never"}
