"""Wire format and signatures know no language: the same game, with every seat in a language of its own and in English,
is the same bytes. And no English is left in anything that its host and players read, from the offer to the proof."""

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee import games
from referee.crypto.codec import decode, encode
from referee.engine.player import Opened, open_view
from referee.engine.records import MoveFile
from referee.io import keyfile
from referee.language import speaking
from referee.show.typed import as_type, choices, standing_choices
from referee.show.wording import move_text, phrases
from tests.cli.world import run_here, tree
from tests.support.match import NAMES, Sitting

from .left_over import english_in

SEATS, ROUNDS = 3, 8
HOST, PLAYERS = "nl", ("de", "nl", "en")
"""Who reads what."""
NAME = re.compile("|".join((*NAMES, "Host")))


class Game:
    """A game played with the commands: by these languages, what is typed included."""

    def __init__(self, folder: Path, game_id: str, host: str, players: tuple[str, ...]) -> None:
        self.folder, self.sitting, self.host, self.players = folder, Sitting(game_id, SEATS, "seats"), host, players
        for key in (self.sitting.host, *self.sitting.players):
            (folder / f"{key.name}-home").mkdir(parents=True)
            (folder / f"{key.name}-home" / "key.json").write_bytes(keyfile.dump(key))
        (folder / "offer.json").write_bytes(encode(self.sitting.offer))
        for seat, join in enumerate(self.sitting.joins):
            (folder / f"{seat}.join.json").write_bytes(encode(join))
        self.told: dict[str, str] = {}
        """Language and command -> what was read."""

    def referee(self, name: str, language: str, *words: str) -> None:
        """Somebody types a command."""
        ran = run_here(*words, cwd=self.folder, home=self.folder / f"{name}-home", env={"REFEREE_LANGUAGE": language})
        assert ran.exit == 0, ran.said
        self.told[f"{language} {len(self.told)} {' '.join(words)}"] = ran.out.decode() + ran.said

    def play(self) -> None:
        """Some rounds; then all but one leave as soon as they are asked, and the host tells the secrets."""
        self.referee("Host", self.host, "start", "offer.json", *(f"{seat}.join.json" for seat in range(SEATS)))
        number = 1
        while self.answers(number):
            number += 1
        self.referee("Host", self.host, "show", "game.json")
        self.referee("Host", self.host, "reveal", "game.json", "-o", "transcript.json")
        for seat in range(SEATS):
            view = self.view(seat)
            for words in (["show", "--story", view], ["audit", view], ["show", "transcript.json"],
                          ["verify", "transcript.json"],
                          ["dispute", view, "transcript.json"], ["show", "offer.json"]):  # fmt: skip
                self.referee(NAMES[seat], self.players[seat], *words)

    def view(self, seat: int) -> str:
        return max(self.folder.glob(f"*-{NAMES[seat].lower()}.view.json")).name

    def answers(self, number: int) -> bool:
        """Everybody who is asked answers in their own words; returns whether anybody was asked."""
        moves = []
        for seat in range(SEATS):
            view = self.view(seat)
            opened = open_view((self.folder / view).read_bytes())
            if opened.ask is not None:
                for command in (["show"], ["show", "--moves"]) if opened.round and number <= ROUNDS else ():
                    self.referee(NAMES[seat], self.players[seat], *command, view)
                words = ["--resign"] if number > ROUNDS and seat else self.typed(opened, number)
                move = f"{number}-{seat}.move.json"
                self.referee(NAMES[seat], self.players[seat], "play", view, "-o", move, "--yes", *words)
                moves.append(move)
        if moves:
            self.referee("Host", self.host, "apply", "game.json", *moves, "--now", "2027-01-01T00:00Z")
        return bool(moves)

    def typed(self, opened: Opened, number: int) -> list[str]:
        """What a player types: another line of the list each time, and a standing order with the ack."""
        table, found = opened.table, choices(opened)
        with speaking(self.players[opened.seat]):
            if found:
                return ["--move", move_text(table, _of(found, number, table.game.move))]
            rule = table.game.standing
            if opened.round or rule is None:
                return []
            said = _of(standing_choices(opened, rule.words()), opened.seat, rule.words)
            return [word for phrase in phrases(table, said) for word in ("--say", phrase)]


def _of(found: list[Any], number: int, form: Any) -> Any:
    return as_type(found[number % len(found)].move, form)


def kept(folder: Path) -> dict[str, Any]:
    """Every file that is sent or signed; of a move not the box, which is locked with new chance each time, for the
    host: what is in it stands in the game file, and the commitment to it in the move."""
    found = {name: file for name, file in tree(folder).items() if "-home" not in name}
    for name in found:
        if name.endswith(".move.json"):
            found[name] = "move", encode(replace(decode(found[name][1], MoveFile, "move"), sealed=""))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", games.game_ids())
def test_every_seat_in_a_language_of_its_own(game_id: str, tmp_path: Path) -> None:
    """All that is signed or sent is the same; what people read is not."""
    english = Game(tmp_path / "english", game_id, "en", ("en",) * SEATS)
    mixed = Game(tmp_path / "mixed", game_id, HOST, PLAYERS)
    for game in (english, mixed):
        game.play()
    files = kept(english.folder)
    assert files == kept(mixed.folder)
    assert sum(name.endswith((".view.json", ".move.json", ".receipt.json")) for name in files) > 5 * ROUNDS
    assert "transcript.json" in files
    read = [(key[:2], key, NAME.sub(" ", text)) for key, text in mixed.told.items() if key[:2] != "en"]
    if games.lexicon(game_id).words:  # the toy speaks English
        assert {key: left for language, key, text in read if (left := english_in(text, language))} == {}
    assert {language for language, _, _ in read} == {*PLAYERS} - {"en"}
    assert sum(bool(english_in(text, "de")) for text in english.told.values()) > len(english.told) / 2
