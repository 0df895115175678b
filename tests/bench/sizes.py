"""Bytes of a mail about a turn, early and late in a game, and of what makes it large: python -m tests.bench.sizes"""

import sys

from msgspec.structs import replace

from referee.mail.body import Body
from referee.mail.compose import compose
from tests.mail.screens import GAMES, mails
from tests.mail.test_compose import HEAD


def kilobytes(body: Body) -> int:
    return round(len(compose(HEAD, body)) / 1000)


def main() -> None:
    for game in GAMES:
        found = {kind: body for kind, body in mails(game) if kind in ("early", "late")}
        bare = replace(found["late"], png=b"")
        sizes = f"early {kilobytes(found['early'])} kB, late {kilobytes(found['late'])} kB"
        sys.stdout.write(f"{game}: {sizes}, of it the picture {kilobytes(found['late']) - kilobytes(bare)} kB\n")


if __name__ == "__main__":
    main()
