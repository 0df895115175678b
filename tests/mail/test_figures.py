"""The numbers that an office works with: times, absences, limits, and every field of `status`, also in words."""

from datetime import UTC, date, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from referee.errors import FileTrouble, WrongTurn
from referee.io import guard
from referee.io.times import LAST, read_time
from referee.language import LANGUAGES, speaking
from referee.mail import commit, status
from referee.mail.body import LINK_MOST, Reader, mailto
from referee.mail.deadlines import Times, away_until, days_away, new_due, plus, times
from referee.mail.message import read_message
from referee.mail.settings import read_settings
from referee.mail.timing import absence_in_words
from referee.mail.trial import trial
from tests.cli.world import check_refusal
from tests.mail.offices import HOST, NOW, PEOPLE, World, invited, plain, reply
from tests.mail.test_fetch import mail

DUE = datetime(2027, 1, 20, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("deadline", "before"),
    [(60, timedelta(minutes=20)), (4317, timedelta(minutes=1439)), (4320, DAY), (4323, DAY), (43200, DAY)],
)
def test_a_reminder_comes_a_third_before_the_end_and_a_day_at_most(deadline: int, before: timedelta) -> None:
    assert times(DUE, deadline, 90, (), "UTC") == Times(DUE - before, DUE, DUE + timedelta(minutes=90))


def test_whoever_is_away_when_it_is_due_has_the_whole_time_again() -> None:
    """Berlin is an hour ahead: there the 22nd begins at 23:00."""
    found = times(DUE, 120, 30, (("2027-01-18", "2027-01-21"),), "Europe/Berlin")
    assert found.due == at("2027-01-22T01:00")
    assert (found.due - found.reminder, found.over - found.due) == (timedelta(minutes=40), timedelta(minutes=30))


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2027-01-17T22:59", None), ("2027-01-17T23:00", "2027-01-21T23:00"), ("2027-01-21T22:59", "2027-01-21T23:00"),
        ("2027-01-21T23:00", None), ("2027-02-01T12:00", "2027-02-01T23:00"),
    ],
)  # fmt: skip
def test_an_absence_begins_and_ends_at_midnight_where_the_player_is(now: str, end: str | None) -> None:
    away = (("2027-01-18", "2027-01-21"), ("2027-02-01", "2027-02-01"))
    assert away_until(away, "Europe/Berlin", at(now)) == (end and at(end))


def test_a_round_waits_for_whoever_is_back_last() -> None:
    away = [((), "UTC"), ((("2027-01-19", "2027-01-22"),), "UTC"), ((("2027-01-20", "2027-01-21"),), "UTC")]
    assert new_due(DUE, 60, away) == "2027-01-23T01:00Z"
    assert new_due(DUE, 60, away[:1]) == new_due(DUE, 60, ()) == "2027-01-20T13:00Z"


def test_days_are_counted_once_and_from_the_first_to_the_last() -> None:
    away = (("2027-01-05", "2027-01-07"), ("2027-01-07", "2027-01-09"), ("2027-01-20", "2027-01-20"))
    for first, last, days in (("01", "31", 6), ("06", "08", 3), ("09", "20", 2), ("10", "19", 0), ("21", "31", 0)):
        assert days_away(away, date(2027, 1, int(first)), date(2027, 1, int(last))) == days


def test_no_time_is_later_than_the_last() -> None:
    assert plus(read_time(LAST), 10**7) == read_time(LAST)
    assert plus(DUE, 61) == DUE + timedelta(minutes=61)


# --- absences that are said ------------------------------------------------------------------------------------------


def test_how_long_somebody_can_be_away_at_once_and_in_a_year(world: World) -> None:
    """120 days: from 2026-11-20 on, 2027-03-19 is the last of them. What was taken back is not counted."""

    def said(words: str, now: str = NOW) -> None:
        world.answers(reply(world.turn("bert"), words), now=now)

    def away(now: str = NOW) -> str:
        return str(world.status(now)["players"][1]["away_until"])

    said("away until 2027-03-20")
    assert away() == ""
    said("away until 2027-03-19")
    assert away() == "2027-03-19"
    said("back", "2026-11-22T08:00Z")
    assert away("2026-11-22T08:00Z") == ""
    assert world.status("2026-11-22T08:00Z")["players"][1]["away_days"] == 2
    said("away until 2027-03-20", "2026-11-22T09:00Z")  # with the two days before it would be 121
    assert away("2026-11-22T09:00Z") == ""
    said("Away until 2027-03-19", "2026-11-22T10:00Z")
    assert away("2026-11-22T10:00Z") == "2027-03-19"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_absence_is_shown_with_its_days_and_its_end(language: str) -> None:
    with speaking(language):
        none, past = absence_in_words("Bert", 0, ""), absence_in_words("Bert", 3, "")
        one, now = absence_in_words("Bert", 1, ""), absence_in_words("Bert", 1, "2027-01-05")
    assert none == ""
    assert len({past, one, now}) == 3
    assert ["3" in past, "1" in one, "2027" in past, "2027" in now] == [True, True, False, True]
    assert all("Bert" in words for words in (past, one, now))


# --- status ----------------------------------------------------------------------------------------------------------


def test_every_field_of_a_table_that_invites(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(reply(mails["bert"], "join as Bertie"), reply(mails["carla"], "no"))
    world.put(plain("x@y.example", "hello", "one"), plain("x@y.example", "hello", "two"))
    world.good("run")
    world.put(plain("x@y.example", "hello", "three"))
    (world.root / "outbox" / "failed").mkdir(exist_ok=True)
    (world.root / "outbox" / "failed" / "lost-mail.eml").write_bytes(b"x")
    found = world.status()
    names = ("office", "address", "in", "quarantine", "failed", "stage", "game", "seats", "round", "since", "due",
             "awaited", "rulings", "claims", "instead_of")  # fmt: skip
    assert [found[name] for name in names] == [
        "Hanna", HOST, 1, 2, ["lost-mail"], "inviting", "auction", 3, 0, NOW, "", [], [], 0, "",
    ]  # fmt: skip
    assert found["outbox"] == world.kept("outbox")
    rows = [("anna", "", "open", ""), ("bert", "Bertie", "joined", "kept"), ("carla", "", "declined", "")]
    assert found["players"] == [
        {"player": player, "name": name, "address": PEOPLE[player], "state": state, "way": way, "away_until": "",
         "away_days": 0}
        for player, name, state, way in rows
    ]  # fmt: skip


def test_every_field_of_a_table_that_plays(world: World) -> None:
    """Bert has answered; Carla's mail is still in the outbox; Anna's deadline is over, but its grace is not."""
    world.answers(reply(world.turn("bert"), "bid 1"))
    newest = max((world.root / "sent").glob("*-carla-turn.eml"), key=lambda path: path.name)
    newest.rename(world.root / "outbox" / newest.name)
    now = "2026-11-23T08:00Z"
    found = world.status(now)
    assert (found["stage"], found["round"], found["due"], found["since"]) == ("playing", 1, "2026-11-23T08:00Z", NOW)
    assert (found["answered"], found["out"], found["outbox"]) == (["Bert"], [], 1)
    anna, carla = found["awaited"]
    assert anna == {
        "name": "Anna", "what": "bid", "due": "2026-11-23T08:00Z", "late": True, "over": "2026-11-23T20:00Z", "bank": 0,
        "refuses": False, "mail": "handed", "handed": NOW, "tries": 0, "again": "", "why": "",
    }  # fmt: skip
    assert (carla["name"], carla["mail"]) == ("Carla", "queued")
    assert not world.status("2026-11-23T07:59Z")["awaited"][0]["late"]
    assert [one["way"] for one in found["players"]] == ["own", "kept", "kept"]


ROW: dict[str, Any] = {
    "table": "TT", "game": "auction", "seats": 2, "stage": "playing", "instead_of": "", "players": [], "round": 4,
    "since": "2027-01-01T10:00Z", "due": "", "awaited": [], "rulings": [], "claims": 0,
}  # fmt: skip
WAITED = {"name": "Bert", "what": "bid", "due": "", "late": False, "over": "", "bank": 0, "refuses": False,
          "mail": "handed", "handed": NOW, "tries": 0, "again": "", "why": ""}  # fmt: skip
MAILS = ("queued", "refused", "handed", "unknown", "bounced")
OFFICE: dict[str, Any] = {"tables": [], "in": 3, "outbox": 5, "quarantine": 7, "failed": [], "needs": []}


def lines(**changes: Any) -> list[str]:
    return status.status_lines({**OFFICE, "tables": [{**ROW, **changes}]}, "ROOT")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_awaited_player_gets_one_line(language: str) -> None:
    """Every combination: different states read differently, and no meaningless time is shown."""
    due, over, told = "2027-01-02T03:04Z", "2027-01-05T06:07Z", dict[str, tuple[Any, ...]]()
    with speaking(language):
        for mail, refuses, has_due, has_over, late in product(MAILS, *[(False, True)] * 4):
            unsent = mail in ("queued", "refused")
            one = {**WAITED, "refuses": refuses, "due": due if has_due else "", "over": over if has_over else "",
                   "mail": mail, "late": late}  # fmt: skip
            (line,) = (line for line in lines(awaited=[one]) if "Bert" in line)
            assert ("03:04" in line, "06:07" in line) == (has_due, has_over and not unsent)
            # Of a mail that is not sent yet nothing else counts.
            meant = (refuses, has_due, mail, *(() if unsent else (has_over, late)))
            assert told.setdefault(line, meant) == meant
    assert len(told) == 4 * (2 + 3 * 4)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_is_described_by_its_stage(language: str) -> None:
    stages = ("inviting", "ready", "acks", "playing", "rests", "over", "dropped", "damaged")
    people = [{"player": "bert", "name": name, "address": "b@x.example", "state": state, "way": way, "away_until": "",
               "away_days": days} for name, state, way, days in
              (("Bert", "joined", "kept", 0), ("Emil", "joined", "own", 2), ("", "open", "", 0),
               ("Dora", "declined", "", 0), ("Fred", "withdrawn", "", 0))]  # fmt: skip
    with speaking(language):
        told = {one: lines(stage=one, players=people, trouble="WHY", answered=["Olga"], out=["Paul"]) for one in stages}
        waiting = lines(awaited=[WAITED], instead_of="OLD")
        needs = status.status_lines({**OFFICE, "needs": ["ONE", "ANOTHER"]}, "ROOT")
    assert len({one[0] for one in told.values()}) == len(stages)
    assert all("TT" in one[0] and "auction" in one[0] for one in told.values())
    assert "WHY" in told["damaged"][0]
    for stage, one in told.items():
        text = "\n".join(one)
        assert ("b@x.example" in text) == (stage in ("inviting", "ready")), stage
        assert ("Olga" in text, "Paul" in text, "Emil" in text) == (stage not in ("over", "dropped"),) * 3, stage
        assert ("ROOT/tables/TT/game.json" in text, "ROOT/host.key" in text) == (stage == "rests",) * 2
        assert all(figure in one[-1] for figure in "357")
    invitations = [line.partition(">: ")[2] for line in told["inviting"] if ">: " in line]
    assert len(set(invitations)) == len(people)
    assert any("bert <b@x.example>" in line for line in told["ready"]), (
        "who has no name yet is called by the player's id"
    )
    assert "5" in waiting[0]
    assert "10:00" in waiting[0]
    assert "OLD" in waiting[0]
    assert needs[-2:] == ["  ONE", "  ANOTHER"]


# --- links, settings, changes ----------------------------------------------------------------------------------------


def test_a_link_has_an_end_and_whatever_it_needs() -> None:
    reader = Reader("Bert", "UTC", "kept", "PASS", "host+a@games.example", False, True)
    short = mailto(reader, "the subject", "w")
    most = LINK_MOST - len(short) + 1
    assert len(mailto(reader, "the subject", "w" * most)) == LINK_MOST
    assert mailto(reader, "the subject", "w" * (most + 1)) == ""
    assert short == "mailto:host%2Ba@games.example?subject=Re%3A%20the%20subject&body=w"
    for needed in ({"pass_": ""}, {"reply_to": ""}):
        changed = Reader(**{**{name: getattr(reader, name) for name in reader.__struct_fields__}, **needed})
        assert mailto(changed, "the subject", "w") == ""
    assert mailto(reader, "the subject", "") == ""


def test_sources_of_files_are_tried_and_left_as_they_are(tmp_path: Path) -> None:
    """Two mails in each: they are counted, and stay new."""
    box, folder, new = tmp_path / "box", tmp_path / "mails", tmp_path / "dir" / "new"
    box.write_bytes(b"".join(b"From a@x.example Sun Jan  3 10:00:00 2027\n" + mail(name) + b"\n" for name in "ab"))
    for one in (folder, new, tmp_path / "dir" / "cur", tmp_path / "dir" / "tmp"):
        one.mkdir(parents=True)
    for name in "ab":
        (folder / f"{name}.eml").write_bytes(mail(name))
        (new / name).write_bytes(mail(name))
    told = {}
    for kind, path in (("mbox", box), ("folder", folder), ("maildir", tmp_path / "dir")):
        settings = tmp_path / f"{kind}.toml"
        settings.write_text(f'name = "H"\naddress = "{HOST}"\n[fetch]\nkind = "{kind}"\npath = "{path}"\n')
        found = trial(read_settings(str(settings)))
        assert [one.good for one in found] == [True] * 3
        told[kind] = str(found[1].what)
        assert str(path) in told[kind]
        assert " has 2 new mails" in told[kind]
    assert len({words.replace(str(tmp_path), "") for words in told.values()}) == 3
    assert sorted(path.name for path in new.iterdir()) == ["a", "b"]


def test_a_change_is_dropped_if_its_game_went_on_and_told_if_its_plan_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_HOME", str(tmp_path / "home"))
    (tmp_path / commit.FOLDER).mkdir()
    name, note = "ab" * 32, tmp_path / "note.json"
    commit.commit(str(tmp_path), {"note.json": b"one"}, signed={name: (b"", b"one")})
    with pytest.raises(WrongTurn) as refused:
        commit.commit(str(tmp_path), {"note.json": b"two"}, signed={name: (b"", b"two")})
    assert (refused.value.code, note.read_bytes(), guard.read(guard.path_of(name))) == ("changed", b"one", b"one")
    commit.commit(str(tmp_path), {"note.json": b"two"}, signed={name: (b"one", b"two")})
    assert note.read_bytes() == guard.read(guard.path_of(name)) == b"two"
    assert list((tmp_path / commit.FOLDER).iterdir()) == []
    (tmp_path / commit.FOLDER / commit.PLAN).write_bytes(b"{")
    with pytest.raises(FileTrouble, match="damaged"):
        commit.finish(str(tmp_path))
    assert (tmp_path / commit.FOLDER / commit.PLAN).exists()


def test_only_somebody_at_a_table_can_be_dropped_from_it(tmp_path: Path) -> None:
    world, _ = invited(tmp_path)
    before = world.files()
    ran = world.run("table", world.table(), "--drop", "emil", "--to", "emil@x.example")
    check_refusal(ran, (2,))
    assert all(name in ran.said for name in PEOPLE)
    assert world.files() == before


def test_recipients_are_looked_for_in_a_limited_part_of_a_header() -> None:
    """20,000 characters: an address that ends there is the last."""
    for blanks, found in ((0, True), (1, False)):
        value = "x" * (20_000 - len(HOST) - 1 + blanks) + " " + HOST
        envelope = read_message(f"From: a@x.example\r\nTo: {value}\r\n\r\nhello\r\n".encode()).headers
        assert (HOST in envelope.recipients) is found
