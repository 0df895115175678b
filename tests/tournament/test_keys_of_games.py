"""Games of a tournament are signed with keys that follow from the published secret, and never with the organiser's."""

from pathlib import Path

from referee.crypto.codec import PROJECT, decode
from referee.crypto.envelope import Envelope, ident
from referee.evidence.replay import open_transcript
from referee.tournament import derivation
from referee.tournament import documents as d
from referee.tournament.schedule import Plan
from referee.tournament.spec import GameLine
from tests.cli.world import run_here
from tests.tournament import world


def test_every_key_follows_from_the_secret_and_every_offer_names_its_stage(tmp_path: Path) -> None:
    """Two stages: each has keys of its own, and no game is signed by who signed the ledger or entered a bot."""
    cup = tmp_path / "cup"
    for seed in ("one", "two"):
        desk = world.make(cup, (GameLine("auction", 2),), d.Schedule("round-robin", games=2), seed=seed)
    assert run_here("tournament", "extract", "cup", "0", "3", "-o", "out", cwd=tmp_path).exit == 0
    documents = [decode(line, Envelope, "document") for line in (cup / "ledger.jsonl").read_bytes().splitlines()]
    stages = [ident(one.type.removeprefix(PROJECT), bytes(one.body)) for one in documents if one.type.endswith("stage")]
    signers = {world.KEY.public.hex(), *(one.key for part in desk.ledger.parts for one in part.entrants.values())}
    used = []
    for number, part in ((0, desk.ledger.parts[0]), (3, desk.ledger.parts[1])):
        assert part.ending is not None
        seed = part.seed(bytes.fromhex(part.ending.secret))
        data = (tmp_path / f"out/game-{number:06}.transcript.json").read_bytes()
        table = open_transcript(data.rstrip(b"\n")).table
        derived = {derivation.seat_key(seed, name, 0).public for name, _ in part.players}
        assert table.host == derivation.host_key(seed).public
        assert {*table.keys} <= derived
        assert table.offer.stage == part.id
        keys = {table.host.hex(), *(key.hex() for key in table.keys)}
        assert keys & signers == set()
        used.append((keys, table.offer.stage))
    assert used[0][0] & used[1][0] == set()
    assert [stage for _, stage in used] == stages
    assert world.codes(cup) == []


def test_an_offer_that_names_another_stage_is_not_the_table_of_the_ledger(tmp_path: Path) -> None:
    """The ledger binds a game: what an offer says is compared with it, as every other byte."""
    from msgspec.structs import replace

    from referee.tournament.run import Course
    from referee.tournament.seating import same_table, sit_down

    desk = world.make(tmp_path / "cup", (GameLine("auction", 2),), d.Schedule("round-robin", games=2))
    part = desk.ledger.parts[0]
    assert part.ending is not None
    setting = Course(desk.ledger, part, bytes.fromhex(part.ending.secret)).setting
    plan = Plan(0, 0, 0, (0, 1))
    true = sit_down(setting, plan).match.table.envelope
    other = sit_down(replace(setting, id="ab" * 32), plan).match.table.envelope
    assert same_table(setting, plan, true)
    assert not same_table(setting, plan, other)
