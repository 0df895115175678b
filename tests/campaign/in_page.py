"""Random games in the rules of a page, under Node, and in the program: what both say must be the same to the byte.

    python -m tests.campaign.in_page [GAME ...] [--games N] [--seed TEXT] [--runtime FOLDER]

Each game is played to its end by bots that choose anything, with missed deadlines. Before some of the rounds one
seat's view is opened in both: verdict, board and story of a round, moves, orders, and random moves, good and bad, as
data and as words, in one language after the other. The transcript is judged, told and drawn by both, and so are
copies with something changed."""
# ruff: noqa: T201

import argparse
import base64
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from referee import games
from referee.evidence.replay import open_transcript
from referee.forms import drawn
from referee.io import keyfile
from referee.language import LANGUAGES, speaking
from referee.page import reading, sources
from tests.campaign.clicked import GAMES
from tests.page.node import Ask
from tests.page.python import built, installed, rules
from tests.page.test_rules import Program, page_verdict, put, verdict
from tests.support.match import Sitting

BARE = (1, 8)
"""Every round whose number this divides is looked at."""


class Both:
    """The page and the program, asked the same."""

    def __init__(self, page: Ask, folder: Path) -> None:
        self.page, self.folder, self.number = page, folder, count(1)
        self.figures: Counter[str] = Counter()

    def game(self, game_id: str, seed: str) -> None:
        """One game to its end."""
        rng = random.Random(seed)
        low, high = games.load(game_id).seats
        sitting = Sitting(game_id, rng.randint(low, high), seed, deadline=60)
        while not sitting.over:
            deciding = [seat for seat in sitting.asked if sitting.opened(seat).decides]
            if sitting.round and deciding and rng.randrange(BARE[1]) < BARE[0]:
                self.seat(sitting, rng.choice(deciding), rng)
            late = sitting.asked[-1:] if rng.random() < 0.1 else ()
            sitting.step(*late, salt=str(rng.random()))
        self.transcript(sitting.transcript(), rng)
        self.figures["games"] += 1

    def seat(self, sitting: Sitting, seat: int, rng: random.Random) -> None:
        """A view, as its player opens it."""
        language = rng.choice([*LANGUAGES])
        name, data, key = f"{next(self.number)}.view.json", sitting.view(seat), keyfile.dump(sitting.players[seat])
        home = self.folder / name
        home.mkdir()
        program = Program(home, key)
        self.page("player", data=base64.b64encode(key).decode())
        with mock.patch.dict(os.environ, {"REFEREE_HOME": str(program.home)}):
            mine = put(self.page, name, data, language)["game"]
            theirs = program.put(name, data)
            assert mine

            def same(call: str, **body: Any) -> Any:
                here = self.page("call", name=call, body={"game": mine, **body}, language=language)
                there = program.call(call, {"game": theirs, **body}, language)
                if call == "open":
                    assert (here["ok"].pop("game"), there["ok"].pop("game")) == (mine, theirs)
                if call == "check" and (whole := here.get("ok", {}).get("move")):
                    for field in whole.keys() - there["ok"]["move"].keys():  # sealed by default: it is signed elsewhere
                        del whole[field]
                assert here == there, (game_place(sitting, seat), call, body)
                self.figures[f"{call}: {'ok' if 'ok' in here else here['error']['code']}"] += 1
                return here

            look = same("open")["ok"]["look"]
            same("look", round=rng.randint(1, look["rounds"]))
            same("moves")
            same("orders")
            opened = sitting.opened(seat)
            choices = opened.table.game.legal(opened.table.terms, opened.seen)
            for _ in range(4):
                move = drawn(rng.choice(choices), opened.table.game.move, rng.randrange)
                same("check", move=msgspec.to_builtins(move))
                same("check", words=str(opened.table.game.text(move)) if move is not None else "")
            spoiled = json.dumps(msgspec.to_builtins(move)).replace("1", "9", 1)
            same("check", move=json.loads(spoiled))
            same("check", words="".join(rng.sample("abc 123;,@#ßé", 8)))
        self.figures["views"] += 1

    def transcript(self, data: bytes, rng: random.Random) -> None:
        """The whole game, and copies with a byte of it changed."""
        found = put(self.page, f"{next(self.number)}.transcript.json", data)
        assert page_verdict(found) == verdict(data)
        for language in LANGUAGES:
            here = self.page("call", name="read", body={"game": found["game"]}, language=language)["ok"]
            with speaking(language):
                there = json.loads(msgspec.json.encode(reading.reading_of_transcript(data, open_transcript(data))))
            assert here == there, language
            self.figures["told and drawn"] += 1
        for _ in range(3):
            at = rng.randrange(len(data))
            copy = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
            found = put(self.page, f"{next(self.number)}.transcript.json", copy)
            if found["error"] is None or found["error"]["next"]:  # the verifier has no next step
                assert page_verdict(found) == verdict(copy)
            assert (found["code"] == "ok") == (verdict(copy)[0] == "ok")
            self.figures[f"changed: {found['code']}"] += 1


def game_place(sitting: Sitting, seat: int) -> str:
    return f"{sitting.game_id} {sitting.seed!r}, round {sitting.round}, seat {seat}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--games", type=int, default=4, dest="number")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--runtime", type=Path, default=Path(".pytest_cache/d/runtime"))
    asked = parser.parse_args()
    asked.runtime.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sys.path.insert(0, str(installed(built(asked.runtime), folder / "installed")))
        payloads: Mapping[str, bytes] = sources.payloads()
        for game in asked.games:
            place = folder / game
            place.mkdir()
            with rules(payloads, place) as page:
                both = Both(page, place)
                for number in range(asked.number):
                    both.game(game, f"{asked.seed} {game} {number}")
                print(game, dict(sorted(both.figures.items())), flush=True)


if __name__ == "__main__":
    main()
