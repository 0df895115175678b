"""Proofs, true ones and changed ones, before three judges: the program, the second verifier, the one in JavaScript.

python -m tests.campaign.proofs --mutations 10000 --seed 1
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence

from referee.evidence.court import judge_proof, read_proof
from referee.evidence.proofs import ALTERED, PROVED, UNDECIDED
from tests.campaign.framing import GAMES, changed, cheats, guilty, innocent
from tests.independent import proofs as second
from tests.independent.judges import library, program_says
from tests.page.node import HERE, run_node
from tests.support.match import Sitting

NEEDS_RULES = (UNDECIDED, "needs-rules")


def run(count: int, seed: str, names: Sequence[str] = GAMES[1:]) -> Counter[str]:
    """So many changes, and every file as it is; raises where somebody without rules says more than is true."""
    rng = random.Random(f"judges {seed}")
    cases: list[tuple[str, bytes]] = []
    for game in names:
        honest, bad = innocent(game, seed), guilty(game)
        cases += [(game, data) for data in (*honest[:: len(names)], *bad)]
        for number in range(count // len(names)):
            data, other = rng.choice(honest if number % 2 else bad), rng.choice((*honest, *bad))
            cases.append((game, changed(data, other, rng)))
    bags = {game: {name: list(faces) for name, faces in Sitting(game, 3, "bags").table.bags.items()} for game in names}
    lines = [json.dumps({"file": data.decode(), "bags": bags[game]}) for game, data in cases]
    done = run_node(HERE / "judging.mjs", given="\n".join(lines))
    assert done.returncode == 0, done.stderr
    figures: Counter[str] = Counter()
    for (game, data), line in zip(cases, done.stdout.splitlines(), strict=True):
        figures += _agree(game, data, json.loads(line), second.judge(data, bags[game], library))
    return figures


def _agree(game: str, data: bytes, script: list[str], other: second.Verdict) -> Counter[str]:
    """One file before three judges."""
    ours = tuple(program_says("proof", [data]).split())
    told = (game, ours, script, other, data)
    assert script[0] == other.verdict, told
    if script[0] == PROVED:
        assert ours[0] == PROVED, told
        assert {script[2], other.key} == {judge_proof(read_proof(data)).key} <= cheats(game), told
    elif ours[0] == PROVED or ours == (ALTERED, "no-offence"):
        assert tuple(script[:2]) == (other.verdict, other.code), told
        assert tuple(script[:2]) in (NEEDS_RULES, (ALTERED, "no-offence")), told
        assert ours[0] != PROVED or tuple(script[:2]) == NEEDS_RULES, told
    else:
        assert script[0] in (ours[0], UNDECIDED), told
    return Counter({"files": 1, f"{' '.join(ours[:1])}, without rules {script[0]}": 1})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutations", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    figures: Counter[str] = Counter()
    for part in range(-(-given.mutations // 1000)):
        figures += run(1000, f"{given.seed} {part}")
        sys.stdout.write(", ".join(f"{name}: {count}" for name, count in sorted(figures.items())) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
