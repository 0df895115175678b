"""What every text that somebody reads keeps to, whatever it says."""

import re

ID = re.compile(r"(?<![\w+/=-])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{5,}(?![\w+/=])")
"""A word that can be an id or a key: small hexadecimal digits, and not a plain number."""
LENGTHS = frozenset((6, 8, 16, 24, 32, 64, 128))
"""How many digits are shown: of moves, receipts and the keys of arbiters in names of files 6, of games, offers and
rules 8, of keys 16; whole ids and hashes, keys and salts, signatures."""


def check_ids(text: str) -> None:
    """Every id in a text has as many digits as those of its kind: somebody compares it with another one."""
    odd = [word for word in ID.findall(text) if len(word) not in LENGTHS]
    assert not odd, f"ids that are cut in an unusual place: {odd}"
