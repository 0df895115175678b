"""Deadlines: what is due when, who is away, reminders, and a game that goes on without those who never answer."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from referee.io import keyfile
from referee.io.gamefile import open_match
from referee.mail.deadlines import away_until, days_away, new_due, times, today
from tests.cli.world import check_refusal, key, run_here
from tests.mail.offices import PEOPLE, Mail, World, invited, own_join, own_move, playing, reply


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# --- reckoning -------------------------------------------------------------------------------------------------------


def test_a_deadline_is_rounded_up_to_a_minute() -> None:
    assert new_due(at("2026-11-20T08:00:00"), 3 * 1440, ()) == "2026-11-23T08:00Z"
    assert new_due(at("2026-11-20T08:00:01"), 60, ()) == "2026-11-20T09:01Z"


def test_days_are_those_of_the_players_zone() -> None:
    late = at("2026-11-20T23:30:00")
    assert (today(late, "UTC"), today(late, "Europe/Berlin")) == (date(2026, 11, 20), date(2026, 11, 21))
    spans = (("2026-11-20", "2026-11-22"),)
    assert away_until(spans, "UTC", at("2026-11-22T23:59:00")) == at("2026-11-23T00:00:00")
    assert away_until(spans, "Europe/Berlin", at("2026-11-22T22:59:00")) == at("2026-11-22T23:00:00")
    assert away_until(spans, "Europe/Berlin", at("2026-11-22T23:00:00")) is None
    assert away_until(spans, "America/New_York", at("2026-11-23T04:59:00")) == at("2026-11-23T05:00:00")


def test_whoever_is_away_has_the_whole_time_afterwards() -> None:
    away = (("2026-11-20", "2026-11-30"),), "UTC"
    assert new_due(at("2026-11-20T08:00:00"), 1440, [((), "UTC"), away]) == "2026-12-02T00:00Z"
    found = times(at("2026-11-23T08:00:00"), 1440, 720, *away)
    assert (found.due, found.over) == (at("2026-12-02T00:00:00"), at("2026-12-02T12:00:00"))
    assert times(at("2026-12-01T08:00:00"), 1440, 720, *away).due == at("2026-12-01T08:00:00")


def test_days_of_absence_count_once_and_only_at_the_table() -> None:
    spans = (("2026-11-01", "2026-11-10"), ("2026-11-08", "2026-11-12"), ("2026-12-01", "2026-12-31"))
    assert days_away(spans, date(2026, 11, 5), date(2026, 11, 30)) == 8
    assert days_away(spans, date(2026, 11, 5), date(2026, 12, 2)) == 10


# --- reminders -------------------------------------------------------------------------------------------------------


def kinds(world: World, now: str) -> list[str]:
    """What the office writes at this time, without table and round."""
    return sorted(mail.name.split("-", 2)[2] for mail in world.take(now=now))


def test_reminders_before_and_after_then_the_game_goes_on(world: World) -> None:
    world.take(reply(world.turn("carla"), "bid 1"))
    assert kinds(world, "2026-11-22T07:59Z") == []
    assert kinds(world, "2026-11-22T08:00Z") == ["anna-reminder-1", "bert-reminder-1"]
    assert kinds(world, "2026-11-22T12:00Z") == []
    assert kinds(world, "2026-11-23T08:00Z") == ["anna-reminder-2", "bert-reminder-2"]
    assert kinds(world, "2026-11-23T19:59Z") == []
    assert world.status()["round"] == 1
    assert kinds(world, "2026-11-23T20:00Z") == ["anna-turn", "bert-turn", "carla-turn"]
    found = world.status("2026-11-23T20:00Z")
    assert (found["round"], found["due"]) == (2, "2026-11-26T20:00Z")


def test_whoever_was_late_may_still_answer(world: World) -> None:
    world.take(reply(world.turn("carla"), "bid 1"), own_move(world.turn("anna"), "Anna"))
    world.take(now="2026-11-23T20:00Z")
    mails = reply(world.turn("bert"), "bid 7"), reply(world.turn("carla"), "ok"), own_move(world.turn("anna"), "Anna")
    written = world.take(*mails, now="2026-11-24T08:00Z")
    assert [mail.name[-4:] for mail in written if "r004" in mail.name] == ["turn"]
    assert "Bert" in next(mail for mail in written if "r004" in mail.name).text, "with the highest bid, Bert raids"


def test_a_late_reminder_is_not_preceded_by_an_early_one(world: World) -> None:
    assert kinds(world, "2026-11-23T10:00Z") == ["anna-reminder-2", "bert-reminder-2", "carla-reminder-2"]


def test_a_mail_that_was_in_time_counts_before_anybody_is_timed_out(world: World) -> None:
    """The host was on holiday: mails that came in the meantime are judged first, whenever they are fetched."""
    world.take(
        *(reply(world.turn(name), "bid 1") for name in ("bert", "carla")),
        own_move(world.turn("anna"), "Anna"),
        now="2026-12-24T20:00Z",
    )
    found = world.status("2026-12-24T20:00Z")
    assert (found["round"], found["due"], found["out"]) == (2, "2026-12-27T20:00Z", [])


def test_nobody_is_timed_out_while_mails_cannot_be_fetched(world: World) -> None:
    path = world.root / "mail.toml"
    path.write_text(path.read_text().replace('kind = "none"', 'kind = "maildir"\npath = "nowhere"'))
    ran = world.run("run", now="2026-12-24T20:00Z")
    assert ran.exit == 9, ran.said
    assert world.status()["round"] == 1
    path.write_text(path.read_text().replace('kind = "maildir"\npath = "nowhere"', 'kind = "none"'))
    world.good("run", now="2026-12-24T20:00Z")
    assert world.status()["round"] == 2


def test_nobody_is_timed_out_while_the_mailbox_was_not_looked_at(world: World) -> None:
    """A filter brings one mail; Bert's answer is still in the mailbox that a plain `mail run` would fetch."""
    boxes = [world.folder / "Maildir" / name for name in ("new", "cur", "tmp")]
    for box in boxes:
        box.mkdir(parents=True)
    path = world.root / "mail.toml"
    path.write_text(path.read_text().replace('kind = "none"', 'kind = "maildir"\npath = "../Maildir"'))
    (boxes[0] / "1.host").write_bytes(reply(world.turn("bert"), "bid 4"))
    late = "2026-12-24T20:00Z"
    world.good("run", "-", stdin=reply(world.turn("carla"), "bid 1"), now=late)
    assert [row["name"] for row in world.status()["awaited"]] == ["Anna", "Bert"]
    world.good("run", now=late)
    found = world.status()
    assert (found["round"], found["out"]) == (2, []), "only Anna has missed it"


def test_nobody_is_timed_out_whose_mail_was_not_sent(world: World) -> None:
    name = world.turn("bert").name
    (world.root / "sent" / f"{name}.eml").rename(world.root / "outbox" / f"{name}.eml")
    world.good("run", now="2026-12-24T20:00Z")
    assert world.status()["round"] == 1
    assert "waiting for Bert: bid, due 2026-11-23 08:00 UTC, mail not sent yet" in world.run("status").out.decode()
    world.new()
    world.good("run", now="2026-12-24T20:00Z")
    assert world.status()["round"] == 2


def test_a_clock_that_went_back_refuses_no_answer(world: World) -> None:
    world.take(reply(world.turn("bert"), "away until 2026-11-30"), own_move(world.turn("anna"), "Anna"))
    world.take(now="2026-11-24T08:00Z")
    assert open_match(world.game(), key("Hanna")).late == {2}, "Carla is timed out, Bert is waited for"
    world.take(reply(world.turn("bert"), "bid 3"), now="2026-11-21T08:00Z")
    found = world.status("2026-11-21T08:00Z")
    assert (found["round"], found["due"]) == (2, "2026-12-04T00:00Z")
    assert run_here("audit", _saved(world), cwd=world.folder).exit == 0


def words_of(mail: Mail) -> str:
    return " ".join(mail.text.split())


@pytest.mark.thorough
def test_a_dropped_player_is_told_so_and_comes_back(world: World) -> None:
    """Carla alone answers. Anna signs that she comes back, with her own key; Bert, whose key is kept, writes a word."""
    world.take(reply(world.turn("carla"), "bid 1"))
    world.take(now="2026-11-23T20:00Z")
    assert "1 late round (Anna 1 and Bert 1)." in words_of(world.turn("carla"))
    world.take(reply(world.turn("carla"), "ok"), now="2026-11-24T08:00Z")
    assert kinds(world, "2026-11-27T08:00Z") == ["anna-out", "bert-out", "carla-turn"]
    assert kinds(world, "2026-11-27T09:00Z") == [], "once is enough"
    anna, bert = (world.turn(name, "out") for name in ("anna", "bert"))
    for mail, how in ((anna, "save this mail and run `referee play --return` on it"), (bert, "write `back`")):
        assert "You missed two deadlines in a row, so the game goes on without you." in words_of(mail)
        assert how in words_of(mail)
    assert "2 late rounds (Anna 2 and Bert 2)." in words_of(world.turn("carla"))
    (world.folder / "out.eml").write_bytes(anna.raw)
    (world.folder / "anna.json").write_bytes(keyfile.dump(key("Anna")))
    shown = run_here("show", "out.eml", "--key", "anna.json", cwd=world.folder)
    assert "to come back: `referee play --return out.eml --key anna.json`" in shown.said
    ran = run_here("play", "out.eml", "--return", "--key", "anna.json", "-o", "back.eml", cwd=world.folder)
    assert ran.exit == 0, ran.said
    written = world.take((world.folder / "back.eml").read_bytes(), reply(bert, "back"), now="2026-11-27T10:00Z")
    assert [mail.to for mail in written] == [PEOPLE["anna"], PEOPLE["bert"]]
    for mail in written:
        assert "You are back in the game and will be asked again once this round is closed." in words_of(mail)
    world.take(reply(world.turn("carla"), "ok"), now="2026-11-27T11:00Z")
    found = world.status("2026-11-27T11:00Z")
    assert (found["out"], sorted(row["name"] for row in found["awaited"])) == ([], ["Anna", "Bert", "Carla"])


def test_without_deadlines_a_game_that_stops_is_abandoned(tmp_path: Path) -> None:
    """Nobody can be timed out; everybody gets the transcript, and the game does not go on."""
    world = playing(tmp_path, ("--no-deadline",))
    check_refusal(world.run("table", world.table(), "--resign", "Anna"), (5,))
    first, *advice = world.run("table", world.table(), "--resign", "Anna").said.splitlines()
    assert first == "referee: this player has their own key: nobody else can sign for them"
    assert "--abandon" in " ".join(advice)
    world.take(*(reply(world.turn(name), "bid 1") for name in ("bert", "carla")))
    before = world.files()
    world.good("table", world.table(), "--abandon", "--dry-run")
    assert world.files() == before
    world.good("table", world.table(), "--abandon")
    match = open_match(world.game(), key("Hanna"))
    assert (match.revealed, match.state.round) == (True, 1)
    last = words_of(world.turn("anna", "over"))
    assert "The host ended it after round 1, without a result." in last
    assert "To act" not in last
    check_refusal(world.run("table", world.table(), "--abandon"), (5,))


@pytest.mark.thorough
def test_a_game_in_which_one_never_answers_goes_on_to_its_end(world: World) -> None:
    from tests.mail.test_office import first_move

    days = iter(f"2026-{month:02}-{day:02}T09:00Z" for month in (11, 12) for day in range(20 if month == 11 else 1, 31))
    for now in days:
        found = world.status(now)
        if found["stage"] == "over":
            break
        mails = []
        for row in found["awaited"]:
            if row["name"] != "Carla":
                turn = world.turn(row["name"].lower())
                mails.append(own_move(turn, "Anna") if row["name"] == "Anna" else reply(turn, first_move(turn)))
        world.take(*mails, now=now)
    assert found["stage"] == "over", found
    transcript = world.root / "tables" / world.table() / "transcript.json"
    assert run_here("verify", str(transcript), cwd=world.folder).exit == 0
    assert run_here("audit", _saved(world), cwd=world.folder).exit == 0


def _saved(world: World) -> str:
    path = world.folder / "view.json"
    path.write_bytes(world.turn("anna").file("view.json"))
    return str(path)


def test_while_everybody_is_silent_the_game_rests_and_whoever_answers_wakes_it(world: World) -> None:
    for now in ("2026-11-23T20:00Z", "2026-11-27T20:00Z", "2026-12-10T20:00Z"):
        world.take(now=now)
    found = world.status("2026-12-10T20:00Z")
    assert found["stage"] == "rests"
    before = world.files()
    assert kinds(world, "2027-01-10T20:00Z") == []
    assert world.files() == before
    world.take(reply(world.turn("bert"), "bid 3"), now="2027-01-11T08:00Z")
    assert world.status("2027-01-11T08:00Z")["stage"] == "playing"


def test_a_game_that_rests_is_ended_by_its_host(world: World) -> None:
    for now in ("2026-11-23T20:00Z", "2026-11-27T20:00Z"):
        world.take(now=now)
    told = world.run("status", now="2026-12-10T20:00Z").out.decode()
    assert "`referee reveal " in told
    words = told.partition("`referee reveal ")[2].partition("`")[0].split()
    assert run_here("reveal", *words, cwd=world.folder).exit == 0
    assert kinds(world, "2026-12-10T20:00Z") == ["anna-over", "bert-over", "carla-over"]
    assert world.status()["stage"] == "over"


def test_whoever_does_not_agree_is_shown_to_the_host(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    world.take(*(reply(mail, f"join as {name.title()}") for name, mail in mails.items()))
    (mail,) = world.answers(reply(world.turn("bert"), "no"))
    assert "look for somebody else" in " ".join(mail.text.split())
    assert [(row["name"], row["refuses"]) for row in world.status()["awaited"]][1] == ("Bert", True)
    world.good("table", world.table(), "--drop", "Bert", "--to", "dora@x.example")


def test_the_first_round_waits_for_everybody(tmp_path: Path) -> None:
    world, mails = invited(tmp_path)
    assert kinds(world, "2026-11-23T08:00Z") == [f"reminder-{1}"] * 3, "of the invitations"
    world.take(own_join(mails["anna"], "Anna"), *(reply(mails[n], f"join as {n.title()}") for n in ("bert", "carla")))
    world.take(reply(world.turn("bert"), "ok"))
    assert kinds(world, "2026-11-24T08:00Z") == ["anna-reminder-2", "carla-reminder-2"]
    assert kinds(world, "2027-11-24T08:00Z") == []
    assert world.status("2027-11-24T08:00Z")["stage"] == "acks"


def test_without_deadlines_nobody_is_reminded(tmp_path: Path) -> None:
    world = playing(tmp_path, ("--no-deadline",))
    assert kinds(world, "2027-11-24T08:00Z") == []
    found = world.status("2027-11-24T08:00Z")
    assert (found["due"], [row["name"] for row in found["awaited"]]) == ("", ["Anna", "Bert", "Carla"])


# --- away ------------------------------------------------------------------------------------------------------------


def test_whoever_is_away_is_neither_reminded_nor_timed_out(world: World) -> None:
    world.take(reply(world.turn("bert"), "away until 2026-11-30"), reply(world.turn("carla"), "bid 2"))
    world.take(own_move(world.turn("anna"), "Anna"))
    assert kinds(world, "2026-11-25T08:00Z") == []
    found = world.status("2026-11-25T08:00Z")
    assert [(row["name"], row["due"]) for row in found["awaited"]] == [("Bert", "2026-12-04T00:00Z")]
    assert [(row["away_until"], row["away_days"]) for row in found["players"]] == [("", 0), ("2026-11-30", 6), ("", 0)]
    assert kinds(world, "2026-12-03T01:00Z") == ["bert-reminder-1"]
    assert kinds(world, "2026-12-04T12:00Z") == ["anna-turn", "bert-turn", "carla-turn"]


def test_a_new_round_gives_whoever_is_away_the_time_afterwards(world: World) -> None:
    world.take(reply(world.turn("bert"), "away until 2026-11-30"))
    words = reply(world.turn("carla"), "bid 2"), reply(world.turn("bert"), "bid 9")
    world.take(*words, own_move(world.turn("anna"), "Anna"))
    found = world.status()
    assert (found["round"], [row["name"] for row in found["awaited"]]) == (2, ["Bert"])
    assert found["due"] == "2026-12-04T00:00Z"
    told = " ".join(world.turn("bert").text.split())
    assert "Bert was away for 1 day, now until 2026-11-30." in told, "everybody at the table is told"
    assert run_here("audit", _saved(world), cwd=world.folder).exit == 0


def test_back_again(world: World) -> None:
    world.take(reply(world.turn("bert"), "away until 2026-11-30"))
    world.take(reply(world.turn("bert"), "back"), now="2026-11-22T08:00Z")
    row = world.status("2026-11-29T08:00Z")["players"][1]
    assert (row["away_until"], row["away_days"]) == ("", 2)


def test_nobody_is_away_forever(world: World) -> None:
    turn = world.turn("bert")
    assert "You are away until 2027-02-28" in world.answers(reply(turn, "away until 2027-02-28"))[0].text
    (mail,) = world.answers(reply(turn, "away until 2027-05-01"), now="2027-02-27T08:00Z")
    assert "you can be away for at most 120 days" in " ".join(mail.text.split())
    assert world.status("2027-02-27T08:00Z")["players"][1]["away_until"] == "2027-02-28"


@pytest.mark.parametrize("words", ["away", "away until tomorrow", "away until 2026-11-19", "away until 2029-01-01"])
def test_an_absence_that_makes_no_sense_is_refused(world: World, words: str) -> None:
    (mail,) = world.answers(reply(world.turn("bert"), words))
    assert "away until 2027-01-05" in " ".join(mail.text.split())
    assert world.status()["players"][1]["away_until"] == ""
    assert mail.to == PEOPLE["bert"]
