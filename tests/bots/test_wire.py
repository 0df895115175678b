"""The lines of the protocol: their schemas, the example of BOTS.md, and what a stateless bot is told."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from referee.bots import wire
from referee.bots.players import Hello, Limits, LocalPlayer
from referee.bots.playing import close
from referee.bots.process import ProcessPlayer, program_for
from referee.crypto.codec import encode
from tests.support import bots
from tests.support.match import Sitting, chance

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg")


def schema(name: str) -> Any:
    return json.loads((ROOT / f"schemas/bot.{name}.schema.json").read_text("utf-8"))


def fits(line: Any) -> None:
    jsonschema.validate(line, schema(line["type"]))


def test_the_example_fits_the_schemas() -> None:
    text = (ROOT / "schemas/BOTS.md").read_text("utf-8")
    found = re.search(r"<!-- example.*?-->\n```\n(.*?)```", text, re.DOTALL)
    assert found is not None
    lines = [json.loads(line[2:]) for line in found[1].splitlines()]
    assert [line["type"] for line in lines] == ["hello", "ready", "question", "answer", "over"]
    for line in lines:
        fits(line)


def test_the_text_names_every_member_and_no_other() -> None:
    text = (ROOT / "schemas/BOTS.md").read_text("utf-8")
    for name, kind in wire.LINES.items():
        part = text.partition(f"\n## `{name}`\n")[2].partition("\n## ")[0]
        assert part, name
        rows = re.findall(r"^\| (`.*?) \|", part, re.MULTILINE)
        named = set(re.findall(r"`([a-z]+)`", " ".join(rows) if rows else part))
        assert named == set(kind.__struct_fields__), name
    limits = text.partition("\n## Limits\n")[2].partition("\n## ")[0]
    rows = set(re.findall(r"^\| `([a-z]+)` \|", limits, re.MULTILINE)) - {"limits"}
    assert rows == set(wire.Allowed.__struct_fields__) <= set(Limits.__struct_fields__)


class Lines(LocalPlayer):
    """Plays as `random`; every line that a bot would get or say in its place is checked against its schema."""

    def __init__(self) -> None:
        super().__init__("random")
        self.seen: list[str] = []

    def begin(self, hello: Hello) -> Any:
        self.hello = hello
        fits(json.loads(wire.line_of(wire.greeting(hello))))
        return super().begin(hello)

    def answer(self, question: Any) -> Any:
        asked = wire.asked(self.hello, question, question.news, 1.0, whole=False)
        line, reply = wire.line_of(asked), super().answer(question)
        if question.number % 10 == 1:
            fits(json.loads(line))
        assert line.count(b"\n") == 1
        said = {"type": "answer", "id": asked.id, "move": json.loads(encode(reply.move))}
        read = wire.read(json.dumps(said, ensure_ascii=False).encode(), wire.AnswerLine)
        assert wire.reply(self.hello, question, read)[0].move == reply.move
        assert wire.reply(self.hello, question, read)[1] is None
        self.seen.append(asked.id)
        return reply


@pytest.mark.parametrize("game", GAMES)
def test_lines_fit_their_schemas_and_moves_survive_the_round_trip(game: str) -> None:
    sitting = Sitting(game, 3, "wire")
    player = Lines()
    chairs = bots.seated(sitting, [player, *others(2)], [chance("wire", seat) for seat in range(3)])
    assert sum(1 for _ in bots.play(sitting, chairs)) == sitting.round
    assert len(set(player.seen)) == len(player.seen) > 3


def others(count: int) -> list[LocalPlayer]:
    return [LocalPlayer("random") for _ in range(count)]


STATELESS = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print('{"type":"ready","protocol":1,"stateless":true}', flush=True)
    if said["type"] == "question":
        print(len(said["news"]), said["hello"]["seat"], said["hello"]["type"], file=sys.stderr)
        print(json.dumps({"type": "answer", "id": said["id"], "move": said["moves"]["choices"][0]["move"]}), flush=True)
"""


def test_a_stateless_bot_is_told_everything_every_time(tmp_path: Path) -> None:
    bot = tmp_path / "stateless.py"
    bot.write_text(STATELESS)
    sitting = Sitting("mark", 2, "stateless")
    players = [LocalPlayer("random"), ProcessPlayer(program_for([sys.executable, str(bot)], [str(bot)]))]
    seeds = [chance("wire", seat) for seat in range(2)]
    chairs = bots.seated(sitting, players, seeds, Limits(errors=2**20))
    notes = []
    for _ in bots.play(sitting, chairs):
        notes.append(len(sitting.match.log))
    spent = close(sitting.state.result, chairs)[1]
    told = [line.split() for line in spent.errors.splitlines()]
    assert spent.faults == {}
    assert {tuple(line[1:]) for line in told} == {("1", "hello")}
    counts = [int(line[0]) for line in told]
    assert counts == sorted(counts)
    totals = {sum(notes[:number]) for number in range(len(notes) + 1)}
    assert set(counts) <= totals
    assert max(counts) > 20


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"type":"answer"}',
        b'{"type":"answer","id":1,"move":{}}',
        b'{"type":"answer","id":"1","move":{},"more":1}',
        b'{"type":"ready","protocol":1}',
        b'{"type":"answer","id":"' + b"x" * 50 + b'","move":{}}',
        b'{"type":"answer","id":"1","move":{}} {}',
        b'{"type":"answer","id":"1","move":' + b"[" * 10_000 + b"]" * 10_000 + b"}",
    ],
)
def test_nonsense_is_refused_with_a_short_reason(line: bytes) -> None:
    with pytest.raises(wire.Unreadable) as error:
        wire.read(line, wire.AnswerLine)
    assert str(error.value).isascii()
    assert len(str(error.value)) < 250
