"""Blocks: what is written comes back whatever a mail program does; damage is reported, and nothing is guessed."""

import base64
import hashlib
from itertools import chain, cycle, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.mail.block import BLOCKS_MOST, Block, block_lines, find_blocks, write_block

DATA = bytes(range(255)) * 2
"""A multiple of three bytes: every bit of its base64 counts."""
BLOCK = write_block("move", DATA)


def test_a_block_is_what_the_docstring_says() -> None:
    first, *code, check, last, end = BLOCK.split("\n")
    assert (first, last, end) == ("-----BEGIN PBEM REFEREE MOVE-----", "-----END PBEM REFEREE MOVE-----", "")
    assert {len(line) for line in code[:-1]} == {64}
    assert base64.b64decode("".join(code)) == DATA
    assert check == "#" + hashlib.sha256(DATA).hexdigest()[:8]


def quoted_with(mark: str):
    return lambda text: "\n".join(mark + line for line in text.split("\n"))


def rewrapped(width: int):
    def mangle(text: str) -> str:
        begin, *code, end, _ = text.split("\n")
        long = " ".join(code)
        return "\n".join((begin, *(long[at : at + width] for at in range(0, len(long), width)), end))

    return mangle


MANGLES = {
    "quoted": quoted_with("> "), "quoted twice": quoted_with("> > "), "bars": quoted_with("| "),
    "initials": quoted_with("AB> "), "indented": quoted_with("    "), "entities": quoted_with("&gt;&nbsp;"),
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "trailing blanks": lambda text: text.replace("\n", "  \t\n"),
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "wrapped at 20": rewrapped(20), "wrapped at 77": rewrapped(77),
    "joined": lambda text: text.replace("\n", " "),
    "joined without blanks": lambda text: text.replace("\n", ""),
    "nbsp": lambda text: text.replace(" ", "\u00a0").replace("\n", "\u00a0\n"),
    "zero width": lambda text: text.replace("\n", "\u200b\n").replace("E", "E\u00ad"),
    "smart dashes": lambda text: text.replace("-----", "\u2014\u2013"),
    "one dash": lambda text: text.replace("-----", "-"),
    "dashes behind gone": lambda text: text.replace("MOVE-----", "MOVE"),
    "markers in small letters": lambda text: text.replace("BEGIN PBEM REFEREE MOVE", "begin pbem referee move"),
    "soft breaks": lambda text: text.replace("\n", "=\n").replace("==\n", "=3D=\n"),
    "marker wrapped": lambda text: text.replace("PBEM REFEREE", "PBEM\n> REFEREE"),
    "escaped by pgp": lambda text: text.replace("-----BEGIN", "- -----BEGIN").replace("-----END", "- -----END"),
}  # fmt: skip


@pytest.mark.parametrize("name", MANGLES)
def test_a_block_survives(name: str) -> None:
    assert find_blocks("here:\n" + MANGLES[name](BLOCK) + "\nbye") == [Block("move", DATA)]


def test_any_document_survives_any_mixture() -> None:
    """What up to three programs do in a row is undone too; if not, that is reported, and never wrong data returned."""
    names = sorted(MANGLES.keys() - {"joined without blanks", "wrapped at 20", "wrapped at 77"})
    documents = cycle(
        [("move", b""), ("join", b"x"), ("offer", DATA[:200]), ("view", DATA[7:]), ("receipt", DATA[::3])]
    )
    whole = 0
    for mixture in chain.from_iterable(product(names, repeat=most) for most in (2, 3)):
        kind, data = next(documents)
        text = write_block(kind, data)
        for name in mixture:
            text = MANGLES[name](text)
        [block] = find_blocks(text)
        assert block.kind == kind, mixture
        assert block.data == data or (block.data is None and block.why), mixture
        whole += block.data == data
    assert whole > 7_000


@given(at=st.integers(min_value=34, max_value=len(BLOCK) - 34), sign=st.sampled_from("Aa0+/?é#"))
@settings(deadline=None, max_examples=60)
def test_one_changed_character_is_damage(at: int, sign: str) -> None:
    changed = BLOCK[:at] + sign + BLOCK[at + 1 :]
    [block] = find_blocks(changed)
    assert block.data in (None, DATA)
    assert (block.data is None) == bool(block.why)
    assert block.data is None or BLOCK[at].lower() in "\n" + sign.lower()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BLOCK[:200], "the end of the block is missing"),
        (BLOCK[200:], "the beginning of the block is missing"),
        (BLOCK.replace("END PBEM REFEREE MOVE", "END PBEM REFEREE JOIN"), "the block begins as move and ends as join"),
        (
            BLOCK.replace("\n#", "\n"),
            "the last line of the block is missing, or the block contains something that does not belong there",
        ),
        (BLOCK.replace("AAEC", ""), "a part of the block is missing or was changed on the way"),
        (BLOCK.replace("AAEC", "AAECA"), "a part of the block is missing or was changed on the way"),
    ],
)
def test_damage_is_reported(text: str, why: str) -> None:
    assert [(block.data, str(block.why)) for block in find_blocks(text)] == [(None, why)]


def test_several_blocks_are_found_in_order() -> None:
    second = write_block("join", b"other")
    assert find_blocks(BLOCK + second) == [Block("move", DATA), Block("join", b"other")]
    cut = find_blocks(BLOCK[:100] + "\n" + second)
    assert [(block.kind, block.data) for block in cut] == [("move", None), ("join", b"other")]


def test_whoever_writes_about_blocks_sends_none() -> None:
    words = "copy all from BEGIN PBEM REFEREE MOVE to END PBEM REFEREE MOVE, please"
    assert find_blocks(words) == []
    assert find_blocks(f"{words}\n{BLOCK}") == [Block("move", DATA)]
    assert find_blocks("") == []


def test_there_is_an_end_to_blocks() -> None:
    assert len(find_blocks("-----BEGIN PBEM REFEREE MOVE-----\n" * 500)) == BLOCKS_MOST


def test_lines_of_blocks_are_known() -> None:
    lines = ["one", *BLOCK.split("\n"), "two"]
    assert [line for at, line in enumerate(lines) if at not in block_lines(lines)] == ["one", "", "two"]
    cut = ["one", *BLOCK.split("\n")[:3], "two"]
    assert [line for at, line in enumerate(cut) if at not in block_lines(cut)] == ["one", "two"]
