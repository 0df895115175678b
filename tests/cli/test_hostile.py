"""Bad input to every command: a documented exit status, one message with a next step, nothing written, no traceback."""

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from referee.crypto import keys
from referee.crypto.codec import encode
from referee.crypto.envelope import PROJECT, Envelope
from referee.engine.records import Join
from tests.cli.world import (
    GAME,
    Ran,
    World,
    changes,
    check_refusal,
    copied,
    envelope,
    finish,
    key,
    raw_controls,
    run,
    run_here,
    seed,
    tree,
)

PATIENCE = 10
"""Most seconds for one refusal, on a busy machine."""

READERS: dict[str, tuple[str, list[str]]] = {
    # what takes the file: (who runs it, arguments; FILE is the bad one)
    "join": ("anna", ["join", "FILE", "-o", "out.json"]),
    "start-offer": ("hanna", ["start", "FILE", "anna.join.json", "bert.join.json", "-o", "out.json"]),
    "start-join": ("hanna", ["start", "offer.json", "anna.join.json", "FILE", "-o", "out.json"]),
    "play": ("anna", ["play", "FILE", "-o", "out.json", "--move", "pass red"]),
    "apply-game": ("hanna", ["apply", "FILE", "move.json", "--out", "out"]),
    "apply-move": ("hanna", ["apply", "game.json", "FILE", "--out", "out"]),
    "status": ("hanna", ["status", "FILE"]),
    "view": ("hanna", ["view", "FILE", "--seat", "Anna", "-o", "out.json"]),
    "timeout": ("hanna", ["timeout", "FILE", "--seat", "Anna", "--out", "out"]),
    "show": ("anna", ["show", "FILE"]),
    "moves": ("anna", ["moves", "FILE"]),
    "audit": ("anna", ["audit", "FILE"]),
    "audit-other": ("anna", ["audit", "anna.view.json", "FILE"]),
    "reveal": ("hanna", ["reveal", "FILE", "-o", "out.json"]),
    "verify": ("anna", ["verify", "FILE"]),
    "offer-edition": ("hanna", ["offer", GAME, "--seats", "2", "--edition", "FILE", "-o", "out.json"]),
    "key-show": ("anna", ["key", "show", "--key", "FILE"]),
    "play-key": ("anna", ["play", "anna.view.json", "-o", "out.json", "--move", "pass red", "--key", "FILE"]),
}
GOOD_KIND = {
    "join": "offer", "start-offer": "offer", "start-join": "join", "play": "view", "apply-game": "game",
    "apply-move": "move", "status": "game", "view": "game", "timeout": "game", "show": "view", "moves": "view",
    "audit": "view", "audit-other": "view receipt", "reveal": "over", "verify": "view receipt transcript",
    "offer-edition": "edition", "key-show": "key", "play-key": "key",
}  # fmt: skip
KINDS = {
    "offer": "offer.json", "join": "bert.join.json", "game": "game.json", "view": "anna.view.json",
    "move": "move.json", "receipt": "receipt.json", "key": "key.json", "edition": "edition.json",
    "transcript": "transcript.json", "over": "over.json", "head": "head.json", "schema": "schema.json",
}  # fmt: skip


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A folder with one file of every kind, and nothing in it changes."""
    world = World(tmp_path_factory.mktemp("world") / "desk", rounds=4)
    assert world.mover == 1
    (world.root / "anna.view.json").write_bytes(world.answers() and (world.root / "bert.view.json").read_bytes())
    shutil.rmtree(world.root / "anna-home")
    shutil.copytree(world.root / "bert-home", world.root / "anna-home")
    (world.root / "head.json").write_bytes(bytes(json_part(world.root / "game.json", "head")))
    (world.root / "schema.json").write_bytes(b'{"$schema":"https://json-schema.org/draft/2020-12/schema"}')
    transcript = finish(world)
    from referee.engine.turn import dump_match

    (world.root / "transcript.json").write_bytes(transcript)
    (world.root / "over.json").write_bytes(dump_match(world.match))
    return world
