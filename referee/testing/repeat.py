"""The same game again, in processes with other hash seeds, languages and time zones."""

import hashlib
import json
import os
import subprocess
import sys

import msgspec

from referee import games
from referee.crypto.codec import encode
from referee.testing.subject import NAMES, Subject, play

ROUNDS = 60
PLACES = (("1", "C", "UTC"), ("2", "tr_TR.UTF-8", "Asia/Kathmandu"))
"""Seed of hashes, language, time zone."""
_SCRIPT = """
import json, sys
given = json.loads(sys.argv[1])
sys.path[:] = given["path"]
import referee.games
referee.games.__path__[:] = given["games"]
from referee.testing.repeat import fingerprint
print(*fingerprint(given["id"]))
"""


def fingerprint(game_id: str) -> list[str]:
    """A hash of everything that happens in two games, and of what one seat after the other is shown."""
    subject, found = Subject(game_id), []
    for way in subject.ways[:3:2]:
        digest = hashlib.sha256()
        for number, moment in enumerate(play(subject, way, ROUNDS).moments):
            at, view = moment.at, moment.at.seen(number % way.seats)
            digest.update(encode((at.public, at.pending, at.ops, [(note.what, note.values) for note in at.log[-9:]])))
            digest.update(encode([list(subject.game.legal(at.terms, at.seen(a.seat))) for a in moment.asks]))
            digest.update(
                subject.game.render(at.terms, view, NAMES[: way.seats], lambda text, style: text, 100).encode()
            )
            digest.update(msgspec.json.encode([moment.answers.get(seat) for seat in range(way.seats)]))
        found.append(digest.hexdigest())
    return found


def games_repeat(subject: Subject) -> None:
    """The same draws give the same game, whatever the order of sets, the language and the time zone."""
    given = json.dumps({"id": subject.game_id, "path": sys.path, "games": list(games.__path__)})
    said = [" ".join(fingerprint(subject.game_id))]
    for seed, language, zone in PLACES[: subject.sample(len(PLACES))]:
        env = os.environ | {"PYTHONHASHSEED": seed, "LC_ALL": language, "TZ": zone}
        done = subprocess.run(
            [sys.executable, "-P", "-c", _SCRIPT, given], env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"the game does not run in another process: {done.stderr[-400:]}"
        said.append(done.stdout.strip())
    assert len(set(said)) == 1, "the game runs differently in another process: does it use a set's order, or a clock?"
