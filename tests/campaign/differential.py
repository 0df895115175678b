"""One reading of the same bytes: changed files of all kinds and games before the program, the second verifier and the
one in JavaScript, which must agree.

    python -m tests.campaign.differential --cases 10000 --seed 1

A case is a real file (view, transcript, proof, claim, ruling, a document alone, or a view with moves, receipts and
extensions beside it) as it is, or with one thing changed or two: a bit, a value, a spelling, a nesting, a field too
many, a part of another file, of this game or of another. Then nobody signs it again, or the host, or the host and all
players; with the right `state`, or the old one. The two without rules must say the same. The program must say the
same, or name what only the rules can tell, in this round or before it. The files come from `real.py`, the changes from
`spelling.py`; the judges are in `tests/independent/judges.py` and `tests/page/judging.mjs`.
"""

import argparse
import base64
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from referee.crypto.envelope import Envelope
from referee.engine.table import Table
from tests.campaign.real import GAMES, PROVED, Base, bases
from tests.campaign.sane import sane_change
from tests.campaign.spelling import Json, Path, at, change, follow, written
from tests.independent import judges, wire
from tests.independent.judges import Said
from tests.independent.verifier import SIDE_BY_SIDE
from tests.page.node import asking_lines

# --- cases -----------------------------------------------------------------------------------------------------------


WEIGHTS = {"view": 4, "transcript": 4, "proof": 5, "several": 4, "claim": 3, "ruling": 1, "alone": 3}
"""How often a case is of which kind of files."""


class Case(NamedTuple):
    """Files before the judges, and how they came about."""

    kind: str
    files: tuple[bytes, ...]
    bags: wire.Bags
    about: str


def case_of(number: int, seed: str, names: Sequence[str] = GAMES, proved: tuple[str, ...] = PROVED) -> Case:
    """Case `number` of a campaign."""
    rng = random.Random(f"case {seed} {number}")
    own = bases(names[number % len(names)], seed, proved)
    kinds = sorted({base.kind for base in own})
    (kind,) = rng.choices(kinds, [WEIGHTS[one] for one in kinds])
    base = rng.choice([one for one in own if one.kind == kind])
    old = base.files[base.which]
    if rng.random() < 0.03:
        return _case(base, written(old), old, f"{number}: as it is")
    if rng.random() < 0.1:
        data = bytearray(written(old))
        place = rng.randrange(len(data))
        data[place] ^= 1 << rng.randrange(8)
        return _case(base, bytes(data), old, f"{number}: bit {place}")
    stranger = rng.choice(bases(rng.choice(names), seed, proved) if rng.random() < 0.5 else own)
    new, about, sane = old, [], rng.random() < 0.6
    for _ in range(rng.choice((1, 1, 1, 2))):
        how = sane_change if sane and isinstance(new, dict) else change
        new, path, way = how(new, rng.choice(stranger.files), rng, _within(new, rng))
        about.append(f"{way} {'/'.join(map(str, path))}")
    who = rng.choice(("nobody", "host", *["all"] * (6 if sane else 2)))
    state, parts = rng.random() < 0.7, rng.random() < 0.9
    if who != "nobody" and isinstance(new, dict):
        follow(old, new, base.keys, players=who == "all", state=state, parts=parts)
    return _case(base, written(new), new, f"{number}: {' and '.join(about)}, signed by {who}, {state=}, {parts=}")


def _within(document: Json, rng: random.Random) -> Path:
    """Most changes are made in the newest entry, where an older one would hide all that follows, or in another part
    than the genesis, which is the largest."""
    inner: Path = () if not isinstance(document, dict) or "genesis" in document else ("body",)
    try:
        parts = document[inner[0]] if inner else document
        names = [name for name, part in parts.items() if name != "genesis" and isinstance(part, dict | list) and part]
        name = rng.choice(names)
        newest: Path = (len(parts[name]) - 1, "body") if name == "entries" else ()
        chosen = (*inner, name, *newest)
        inside = at(document, chosen)
        return chosen if rng.random() < 0.6 and isinstance(inside, dict | list) and inside else ()
    except (LookupError, TypeError, AttributeError):
        return ()


def _case(base: Base, data: bytes, document: Json, about: str) -> Case:
    files = list(base.data)
    files[base.which] = data
    return Case(base.kind, tuple(files), _bags(document, base.keys.bags), f"case {about}")


def _bags(document: Json, usual: wire.Bags) -> wire.Bags:
    """What the rules put into the containers of the game that a document is of."""
    try:
        table = Table(msgspec.json.decode(written(document.get("genesis", document)), type=Envelope))
        return {name: list(faces) for name, faces in table.bags.items()}
    except Exception:
        return usual


# --- judging ---------------------------------------------------------------------------------------------------------


RULES = {"rule-broken", "bad-ops", "illegal-move", "bad-pick", "bad-shown", "bad-die", "bad-opening", "bad-shuffle"}
RULES |= {"withheld", "minted", "bad-bags", "bad-seats", "bad-edition", "bad-bag", "refused-though-legal"}
RULES |= {"undecided", "unknown-game", "other-rules"}
"""What the rules tell, alone or before anything else does."""


def difference(ours: Said, second: Said, script: Said) -> str:
    """Where three judges differ more than the text lets them; empty if they do not."""
    if second[:2] != script[:2] or second.key != script.key:
        return "without rules"
    if ours[:2] == second[:2]:
        return "" if ours.key == second.key else "another key"
    earlier = second.kind == "ok" or second.code in SIDE_BY_SIDE or ours.round <= second.round
    if ours.code in RULES and ours.kind in ("offence", "undecided") and earlier:
        return ""
    if second.code == "needs-rules" and (ours.code in RULES or ours[:2] == ("altered", "no-offence")):
        return ""
    return "with rules"


Script = Any


@contextmanager
def script_judge() -> Iterator[Script]:
    """The JavaScript verifier, in one process for all cases."""
    with asking_lines("judging.mjs") as ask:

        def judge(case: Case) -> Said:
            given = {"files": [base64.b64encode(data).decode() for data in case.files], "bags": case.bags}
            said = ask(given)
            kinds = {"host": "offence", "nobody": "altered", "": "ok"}
            kind = {"proved": "offence"}.get(said["verdict"], said["verdict"]) or kinds[said["blames"]]
            if said["code"] in judges.UNDECIDED:
                kind = "undecided"
            binds = {True: "binding", False: "opinion"}.get(said.get("binding"), "")
            return Said(kind, said["code"], said["round"] or 0, said["key"] or binds)

        yield judge


def run(count: int, seed: str, start: int = 0, proved: tuple[str, ...] = PROVED) -> Iterator[tuple[str, str]]:
    """Of each case, what files it has and what the program calls them; and how the judges differ, if they do."""
    with script_judge() as script:
        for number in range(start, start + count):
            case = case_of(number, seed, proved=proved)
            ours = judges.program_report(case.kind, case.files)
            said = ours, judges.second_report(case.kind, case.files, case.bags), script(case)
            why = difference(*said)
            told = " | ".join(f"{one.kind} {one.code} {one.round}" for one in said)
            yield f"{case.kind} {ours.kind}", f"{case.kind} {case.about}: {why}: {told}" if why else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--start", type=int, default=0, help="The number of the first case.")
    given = parser.parse_args()
    figures: Counter[str] = Counter()
    wrong = 0
    for said, differ in run(given.cases, given.seed, start=given.start):
        figures[said] += 1
        wrong += bool(differ)
        if differ:
            sys.stdout.write(f"{differ}\n")
        if figures.total() % 100 == 0:
            sys.stdout.write(f"{figures.total()} cases, {wrong} differences\n")
        sys.stdout.flush()
    sys.stdout.write(", ".join(f"{name} {count}" for name, count in sorted(figures.items())) + "\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
