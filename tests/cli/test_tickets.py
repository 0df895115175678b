"""What a player's tool remembers: it notices a host who tells two stories, and keeps what only the player knows."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.crypto.codec import decode, encode
from referee.engine import host, lobby
from referee.engine import records as r
from referee.engine.dealer import Dealer
from referee.io import keyfile, tickets
from tests.cli.world import Ran, changes, check_refusal, run_here, tree
from tests.support.match import Sitting, chance, cheating


class Desk:
    """A game in memory, and the files of one player of it."""

    def __init__(self, root: Path, sitting: Sitting, seat: int = 0) -> None:
        self.root, self.sitting, self.seat = root, sitting, seat
        self.home = root / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / "key.json").write_bytes(keyfile.dump(sitting.players[seat]))

    def put(self, name: str, data: bytes) -> str:
        (self.root / name).write_bytes(data)
        return name

    def view(self, name: str = "view.json", sitting: Sitting | None = None) -> str:
        return self.put(name, (sitting or self.sitting).view(self.seat))

    def run(self, *args: str) -> Ran:
        return run_here(*args, cwd=self.root, home=self.home)

    @property
    def ticket(self) -> Path:
        (found,) = [path for path in (self.home / "tickets").iterdir() if "evidence" not in path.name]
        return found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, Sitting(seed="tickets"))


def play_on(desk: Desk, *move: str) -> None:
    """The player answers through the command line, the others answer by themselves."""
    ran = desk.run("play", desk.view(), "-o", "move.json", *move)
    assert ran.exit == 0, ran.said
    assert desk.sitting.give((desk.root / "move.json").read_bytes()).error is None
    desk.sitting.others(desk.seat)


@pytest.mark.parametrize("command", [["audit"], ["play", "-o", "move.json"]], ids=["audit", "play"])
def test_a_second_game_from_one_offer_is_noticed(desk: Desk, command: list[str]) -> None:
    """Also where the player was asked to join a second time: the two games have different seats and ids."""
    assert desk.run("audit", desk.view()).exit == 0
    first, offer = desk.sitting, desk.sitting.offer
    joins = tuple(
        lobby.make_join(key, offer, key.name, chance("again", key.name)) for key in (first.players[1], first.players[0])
    )
    joins = (*joins, first.joins[2])
    match = host.new_match(first.host, lobby.make_genesis(first.host, offer, joins))
    assert match.table.id != first.table.id
    desk.put("second.json", host.make_view(match, 1))
    before = tree(desk.root)
    ran = desk.run(command[0], "second.json", *command[1:])
    check_refusal(ran, (6,))
    assert "two games from one offer" in ran.said
    kept = {name: data for name, (_, data) in tree(desk.root).items() if "evidence" in name}
    assert sorted(kept.values()) == sorted(
        [(desk.root / "view.json").read_bytes(), (desk.root / "second.json").read_bytes()]
    )
    assert changes(before, tree(desk.root)) == set(kept), "nothing is signed, and the ticket is as it was"
    names = [str(desk.root / name) for name in kept]
    ran = run_here("verify", *names, "--json", cwd=desk.root, home=desk.root / "elsewhere")
    assert (ran.exit, json.loads(ran.out.splitlines()[-1])["together"][0]["code"]) == (6, "two-geneses"), (
        "it convinces others too"
    )


def test_a_fork_is_noticed_and_the_evidence_kept(desk: Desk) -> None:
    """A host who goes back to an old file and plays on differently."""
    desk.sitting.until(1)
    other = desk.sitting.fork()
    desk.sitting.step()
    other.step(salt="another way")
    assert other.match.checkpoint.head != desk.sitting.match.checkpoint.head
    assert desk.run("audit", desk.view("one.json")).exit == 0
    ran = desk.run("audit", desk.view("two.json", other), "--json")
    check_refusal(ran, (6,))
    assert json.loads(ran.out)["code"] == "two-entries"
    assert "round 2" in ran.said
    kept = sorted(path.read_bytes() for path in (desk.home / "tickets").glob("*.evidence-*.view.json"))
    assert kept == sorted((desk.root / name).read_bytes() for name in ("one.json", "two.json"))
    check_refusal(desk.run("play", "two.json", "-o", "move.json", "--move", "bid 0"), (6,))
    assert not (desk.root / "move.json").exists()


def test_an_older_view_is_looked_at_but_not_answered(desk: Desk) -> None:
    desk.sitting.until(1)
    desk.view("old.json")
    desk.sitting.step()
    assert desk.run("audit", desk.view("new.json")).exit == 0
    before = tree(desk.root)
    ran = desk.run("audit", "old.json", "--json")
    assert (ran.exit, json.loads(ran.out)["age"]) == (0, "old")
    ran = desk.run("play", "old.json", "--move", "bid 0", "-o", "move.json", "--json")
    check_refusal(ran, (5,))
    assert json.loads(ran.out)["code"] == "old-view"
    assert changes(before, tree(desk.root)) == set(), "the newest view stays in memory"


class Thief(Dealer):
    """Gives away another token than the one that was chosen in secret."""

    def _given(self, seat: int, field: str, bag: str, count: int) -> tuple[str, ...]:
        chosen: Sequence[str] = super()._given(seat, field, bag, count)
        others = [slot for slot in self.book.content(bag) if slot not in chosen]
        return tuple(others[:count])


def test_own_sealed_fields_are_kept_and_used(tmp_path: Path) -> None:
    """What a player sealed stays with the ticket: so a host who gives away another card is found out at once."""
    sitting = Sitting(seed="gift")
    desk, seat = Desk(tmp_path, sitting), 0
    play_on(desk)
    all_in = sitting.table.terms.edition.money
    play_on(desk, "--move", f"bid {all_in}")
    kept = decode(desk.ticket.read_bytes(), tickets.Ticket, "ticket")
    assert [(one.round, one.seat, {n: bytes(s.value) for n, s in one.fields.items()}) for one in kept.sealed] == [
        (2, seat, {"amount": b"%d" % all_in})
    ]
    assert sitting.asked == [seat], "nobody bids more"
    raid = json.loads(desk.run("show", "--moves", desk.view(), "--json").out)["choices"][0]["move"]
    with cheating(Thief):
        play_on(desk, "--move-json", json.dumps(raid))
    desk.view("robbed.json")
    ran = desk.run("audit", "robbed.json", "--json")
    check_refusal(ran, (6,))
    assert json.loads(ran.out)["code"] == "false-gift"
    ran = run_here("audit", "robbed.json", cwd=desk.root, home=desk.root / "forgetful")
    assert ran.exit == 0, "without the ticket nobody can tell before the end"
    assert "chose in secret" in ran.out.decode()


def test_own_marks_are_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer costs the whole chain once; later ones start from what the ticket kept, and are the same."""
    play_on(desk)
    made: list[int] = []

    def counted(*how: object) -> list[bytes]:
        made.append(1)
        return lobby.player_marks(*how)  # type: ignore[arg-type]

    monkeypatch.setattr("referee.engine.player.player_marks", counted)
    args = ["play", desk.view(), "--move", "bid 1", "-o"]
    assert desk.run(*args, "one.json").exit == 0
    assert made == []
    kept = decode(desk.ticket.read_bytes(), tickets.Ticket, "ticket")
    desk.ticket.write_bytes(encode(tickets.Ticket(kept.format, kept.view, kept.sealed, ("0" * 64,))))
    assert desk.run(*args, "two.json").exit == 0
    assert made == [1], "marks of another chain are of no use"
    one, two = (decode((desk.root / name).read_bytes(), r.MoveFile, "move") for name in ("one.json", "two.json"))
    assert (one.body, one.sig) == (two.body, two.sig)


def test_a_damaged_ticket(desk: Desk) -> None:
    """Nothing is signed on a guess; the message names the file and says what to do."""
    play_on(desk)
    desk.view()
    good = desk.ticket.read_bytes()
    for data in (b"", b"{}", b"[" * 2_000_000, good[:-9], good.replace(b"ticket", b"wicket")):
        desk.ticket.write_bytes(data)
        before = tree(desk.root)
        for args in (["play", "view.json", "--move", "bid 1", "-o", "two.json"], ["audit", "view.json"]):
            ran = desk.run(*args, "--json")
            check_refusal(ran, (7,))
            assert json.loads(ran.out)["code"] == "bad-ticket", data[:20]
            assert desk.ticket.name in ran.said
            assert "move it away" in ran.said
        assert changes(before, tree(desk.root)) == set()
    desk.ticket.unlink()
    assert desk.run("audit", "view.json").exit == 0


def test_a_ticket_holds_no_more_than_it_must(desk: Desk) -> None:
    """It is for its owner alone, and one file a game however long that lasts."""
    for _ in range(2):
        play_on(desk, *([] if desk.sitting.round == 0 else ["--move", "bid 1"]))
    assert desk.ticket.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (desk.home / "tickets").iterdir()] == [desk.ticket.name]
    assert r.VIEW_FILE.encode() in desk.ticket.read_bytes()
