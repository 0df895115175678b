"""A turn at a terminal, in every game: what is listed, what a number means, families, typos, second answers, foreign
views, standing orders. The tests know no game: they read `moves --json` and the screen."""

import json
import os
import random
import re
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import games
from referee.crypto.codec import decode
from referee.engine import host
from referee.engine import records as r
from referee.engine.player import Opened, open_view
from referee.errors import IllegalMove
from referee.language import with_names
from referee.show import prompt_words, typed, wording
from tests.cli.terminal import Desk, Terminal, questions
from tests.cli.world import changes, check_refusal, raw_controls, run_here, tree
from tests.show.person import Guest
from tests.support.consult import consult
from tests.support.match import Sitting

pytestmark = pytest.mark.thorough
GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


@pytest.fixture(scope="module", params=GAMES)
def asked(request: pytest.FixtureRequest) -> dict[str, Sitting]:
    """The kinds of decisions of a game."""
    return questions(request.param)


def desks(asked: dict[str, Sitting], root: Path) -> Iterator[tuple[Desk, int]]:
    """A desk for each kind of decision, and the seat that is asked for it."""
    for what, sitting in asked.items():
        desk = Desk(root / what.replace(" ", "-"), sitting.fork())
        seat = next(seat for seat in sitting.asked if (ask := desk.opened(seat).ask) and ask.what == what)
        yield desk, seat


def listed(desk: Desk, seat: int) -> list[dict[str, Any]]:
    """The choices as a program gets them."""
    name = desk.sitting.players[seat].name
    ran = run_here("show", "--moves", "--json", desk.view(seat), cwd=desk.root, home=desk.home(name))
    assert ran.exit == 0, ran.said
    data = json.loads(ran.out)
    assert data.keys() == {"round", "asked", "choices", "standing"}
    return data["choices"]  # type: ignore[no-any-return]


def led(terminal: Terminal, guest: Guest, first: str) -> str:
    """Answer until what will be signed is said back; returns that."""
    screen = terminal.says(first)
    while not screen.endswith("Sign this? [Y/n] "):
        guest.say(screen)
        screen = terminal.says(guest.answer(screen))
    found = re.findall(r"^You will sign: (.*)$", screen, re.MULTILINE)
    return str(found[-1])


def signed(path: Path) -> tuple[r.MoveFile, r.Move]:
    file = decode(path.read_bytes(), r.MoveFile, "move")
    return file, decode(bytes(file.body), r.Move, "move")


# --- one turn ---------------------------------------------------------------------------------------------------------


def test_a_session_with_every_trap(asked: dict[str, Sitting], tmp_path: Path) -> None:
    """For each kind of decision: the list, numbers, the words of the prompt, typos, families, second thoughts; then a
    line is picked, led through and signed. The host takes it, and it is what was said back."""
    chance = random.Random(7)
    for desk, seat in desks(asked, tmp_path):
        choices, before = listed(desk, seat), tree(desk.root)
        terminal = desk.play(seat)
        screen = terminal.question()
        all_are_listed(screen, choices, desk.sitting.table.names)
        plain_numbers_are_moves(terminal, desk.opened(seat))
        words_of_the_prompt_work(terminal, choices, screen)
        guest = Guest(chance.randrange)
        guest.say(screen)
        led(terminal, guest, f"#{1 + chance.randrange(len(choices))}")
        terminal.says("n")
        assert changes(before, tree(desk.root)) == set()
        said = led(terminal, guest, f"#{1 + chance.randrange(len(choices))}")
        terminal.answer("y")
        status, screen = terminal.end()
        assert status == 0, screen
        assert f"Your answer: {said}" in screen
        assert f"Next: send {desk.move(seat).name} to the host." in screen
        assert signed_text(desk, seat) == said
        assert stat.S_IMODE(os.stat(desk.move(seat)).st_mode) == 0o600
        assert desk.sitting.give(desk.move(seat).read_bytes()).error is None


def all_are_listed(screen: str, choices: list[dict[str, Any]], names: tuple[str, ...]) -> None:
    """Every line with its number; the minor ones are left out."""
    plain = " ".join(screen.split())
    for number, choice in enumerate(choices, 1):
        shown = f"#{number} {' '.join(with_names(choice['text'], names).split())}"
        assert (shown in plain) != choice.get("minor", False), shown


def plain_numbers_are_moves(terminal: Terminal, opened: Opened) -> None:
    """`1`, `2` and `8` mean what they mean by the rules, and never a line of the list."""
    for number in ("1", "2", "8"):
        meaning = own_meaning(opened, number)
        screen = terminal.says(number)
        assert (f"You will sign: {meaning}\n" in screen) == bool(meaning)
        assert screen.endswith("[Y/n] ") == bool(meaning)
        if meaning:
            terminal.says("n")


def own_meaning(opened: Opened, text: str) -> str:
    """What a text means by the rules alone; empty if it is not a legal move."""
    try:
        move = consult(opened, opened.table.game.parse, text)
        consult(opened, opened.table.game.check, move)
    except IllegalMove:
        return ""
    return with_names(opened.table.game.text(move), opened.table.names)


def words_of_the_prompt_work(terminal: Terminal, choices: list[dict[str, Any]], first: str) -> None:
    """Everything that explains, shows and leads back; a typo gets the nearest word."""
    screen = terminal.says("?")
    assert all(str(meaning) in " ".join(screen.split()) for meaning in prompt_words.HELP.values())
    last_line = next(line for line in reversed(first.splitlines()) if re.match(r" *#\d+  ", line))
    assert last_line in terminal.says("list")
    assert first.splitlines()[0] in terminal.says("show")
    assert re.search(r"(did you mean|or) quit\?", terminal.says("quti"))
    minor = [n for n, choice in enumerate(choices, 1) if choice.get("minor")]
    assert [int(n) for n in re.findall(r"^ *#(\d+)  ", terminal.says("more"), re.MULTILINE)] == minor
    for number in [n for n, choice in enumerate(choices, 1) if "parts" in choice][:1]:
        assert not terminal.says(f"#{number}").endswith("explains): ")
        assert " ".join(str(prompt_words.PART_HELP).split()) in " ".join(terminal.says("?").split())
        assert terminal.says("back").endswith("explains): ")
    misspelt = typo(choices)
    if misspelt:
        assert "did you mean" in terminal.says(misspelt)


def typo(choices: list[dict[str, Any]]) -> str:
    """A listed move with its longest word misspelt (at its second letter: `composiet` is Dutch); empty if none has a
    long word. `piece` may be left out: it has no nearest word."""
    single = [choice["text"].replace(" piece ", " ") for choice in choices if "parts" not in choice]
    words = [(len(word), word, text) for text in single for word in re.findall(r"(?<!@)\b[a-z]{5,}\b", text)]
    if not words:
        return ""
    _, word, text = max(words)
    return str(text.replace(word, word[0] + "x" + word[2:], 1))


def signed_text(desk: Desk, seat: int) -> str:
    """What the signed move says, in the game's words; the host opens what is sealed in it."""
    file, move = signed(desk.move(seat))
    own = {move.round: host.open_sealed(desk.sitting.match, file)}
    return typed.signed_words(open_view((desk.root / desk.view(seat)).read_bytes(), own), file)[0]


def test_the_same_lines_on_the_command_line(asked: dict[str, Sitting], tmp_path: Path) -> None:
    """`moves` prints the numbers that `--move` takes; a family is not signed unseen."""
    tried = Counter[str]()
    for desk, seat in desks(asked, tmp_path):
        opened, choices = desk.opened(seat), listed(desk, seat)
        home = desk.home(opened.name)
        ran = run_here("show", "--moves", "--all", desk.view(seat), cwd=desk.root, home=home)
        numbers = [int(n) for n in re.findall(r"^ *#(\d+)  ", ran.out.decode(), re.MULTILINE)]
        assert numbers == [*range(1, len(choices) + 1)]
        short = run_here("show", "--moves", desk.view(seat), cwd=desk.root, home=home).out.decode()
        plain = [n for n, choice in enumerate(choices, 1) if not choice.get("minor")]
        assert [int(n) for n in re.findall(r"^ *#(\d+)  ", short, re.MULTILINE)] == plain
        families = [n for n, choice in enumerate(choices, 1) if "parts" in choice]
        for number in families[:1]:
            ran = run_here("play", desk.view(seat), "--move", f"#{number}", cwd=desk.root, home=home)
            check_refusal(ran, (2,))
            assert "covers many moves" in ran.said
            tried["family"] += 1
        for number in [n for n in numbers if n not in families][:1]:
            ran = run_here("play", desk.view(seat), "--move", f"#{number}", cwd=desk.root, home=home)
            assert ran.exit == 0, ran.said
            text = with_names(choices[number - 1]["text"], opened.table.names)
            assert signed_text(desk, seat) == text
            tried["move"] += 1
        check_refusal(
            run_here("play", desk.view(seat), "--move", f"#{len(choices) + 1}", cwd=desk.root, home=home), (2,)
        )
    assert min(tried["family"], tried["move"]) > 0


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("columns", [60, 80])
def test_the_screen_keeps_to_the_width_of_the_terminal(game_id: str, columns: int, tmp_path: Path) -> None:
    """The board, the news and the list; nothing wraps."""
    desk = Desk(tmp_path / "desk", Sitting(game_id, seed="wide", seats=4).until(lambda one: one.round > 6))
    seat = next(seat for seat in desk.sitting.asked)
    terminal = desk.play(seat, columns=columns, env={"NO_COLOR": "1"})
    screen = terminal.question() if desk.opened(seat).decides else terminal.end()[1]
    assert [line for line in screen.splitlines()[:-1] if len(line) > columns] == []
    if desk.opened(seat).decides:
        terminal.answer("quit")
        assert terminal.end()[0] == 130
    name = desk.sitting.players[seat].name
    ran = run_here("show", desk.view(seat), cwd=desk.root, home=desk.home(name), env={"COLUMNS": str(columns)})
    assert ran.exit == 0
    assert [line for line in ran.out.decode().splitlines() if len(line) > columns] == []


@pytest.mark.parametrize("game_id", GAMES)
def test_a_terminal_that_knows_ascii_only(game_id: str, tmp_path: Path) -> None:
    """Boards have other characters; what cannot be shown is replaced, and play goes on."""
    desk = Desk(tmp_path / "desk", Sitting(game_id, seed="ascii").until(1))
    seat = desk.sitting.asked[0]
    terminal = desk.play(seat, env={"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"})
    terminal.question()
    led(terminal, guest := Guest(random.Random(1).randrange), "#1")
    assert guest.most > 0
    terminal.answer("")
    status, screen = terminal.end()
    assert status == 0, screen
    assert "internal error" not in screen
    assert desk.move(seat).exists()


# --- the first turn ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_the_first_turn_shows_the_terms_and_takes_standing_orders(game_id: str, tmp_path: Path) -> None:
    """No agreement, no ack. Standing orders go with it, hold in the position, are shown and can be taken back."""
    sitting = Sitting(game_id, seed="terms")
    desk, guest = Desk(tmp_path / "desk", sitting), Guest(random.Random(game_id).randrange)
    terminal = desk.play(0)
    screen = terminal.question()
    assert sitting.table.game.title in screen
    assert sitting.table.offer.key[:8] in screen
    terminal.answer("n")
    status, screen = terminal.end()
    assert (status, desk.move(0).exists()) == (130, False)
    assert "Nothing is signed." in screen
    terminal = desk.play(0)
    terminal.question()
    if sitting.table.game.standing is not None:
        screen = terminal.says("say #1")
        while not screen.split("\n")[-1].startswith("Do you agree"):
            screen = terminal.says(guest.answer(screen))
        assert "Standing orders with your answer: " in screen
    terminal.answer("y")
    status, screen = terminal.end()
    assert status == 0, screen
    assert "Your answer: you agree to play this game" in screen
    assert sitting.give(desk.move(0).read_bytes()).error is None
    sitting.others(0)
    desk.views()
    words = wording.phrases(desk.opened(1).table, desk.opened(1).orders(0))
    assert bool(words) == (sitting.table.game.standing is not None)
    assert not words or f"from now on: {'; '.join(words)}\n" in screen
    for seat, who in ((0, "you"), (1, sitting.players[0].name)):
        ran = run_here("show", desk.view(seat), cwd=desk.root, home=desk.home(sitting.players[seat].name))
        shown = " ".join(ran.out.decode().split())
        found = re.search(rf"Standing orders \([^)]*\b{who}\b[^)]*\): {re.escape('; '.join(words))}", shown)
        assert (found is not None) == bool(words)


@pytest.mark.parametrize("game_id", GAMES)
def test_standing_orders_on_the_command_line(game_id: str, tmp_path: Path) -> None:
    """`--say`, and clauses after a `;`: both sign the same. Whoever gives none signs nothing more."""
    sitting = Sitting(game_id, seed="said")
    desk = Desk(tmp_path / "desk", sitting)
    opened, home = desk.opened(0), desk.home(sitting.players[0].name)
    if sitting.table.game.standing is None:
        for args in (["--say", "roll always"], ["--say-json", "{}"]):
            check_refusal(run_here("play", desk.view(0), *args, cwd=desk.root, home=home), (2,))
        return
    example = typed.as_type(typed.standing_choices(opened, opened.orders(0))[0].move, sitting.table.game.standing.words)
    phrase = "; ".join(wording.phrases(opened.table, example))
    data = msgspec.json.encode(example).decode()
    for args in (
        ["--say-json", data],
        ["--say", phrase],
        ["--move", phrase],
        ["--move", f" {phrase.replace(' ', '  ')} ;"],
    ):
        ran = run_here("play", desk.view(0), *args, "-o", "move.json", "--again", cwd=desk.root, home=home)
        assert ran.exit == 0, ran.said
        _, body = signed(desk.root / "move.json")
        assert typed.as_type(json.loads(r.content(body.standing)), sitting.table.game.standing.words) == example
    ran = run_here("play", desk.view(0), "-o", "move.json", "--again", cwd=desk.root, home=home)
    assert r.content(signed(desk.root / "move.json")[1].standing) == b""
    check_refusal(run_here("play", desk.view(0), "--say", "no such words", cwd=desk.root, home=home), (3,))
    for bad in ("", "[]", '{"no":1}', "1", "{" * 999):
        check_refusal(run_here("play", desk.view(0), "--say-json", bad, cwd=desk.root, home=home), (7,))


@pytest.mark.parametrize("game_id", [name for name in GAMES if games.load(name).standing is not None])
def test_standing_orders_go_with_any_move(game_id: str, tmp_path: Path) -> None:
    """`MOVE; WORDS`, and `say` at the prompt: both are signed beside the move, and the host takes them."""
    sitting = Sitting(game_id, seed="later").until(lambda one: any(one.opened(seat).decides for seat in one.asked))
    seat = next(seat for seat in sitting.asked if sitting.opened(seat).decides)
    desk = Desk(tmp_path / "desk", sitting)
    opened, game = desk.opened(seat), sitting.table.game
    before = opened.orders(seat)
    words = next(choice.move for choice in typed.standing_choices(opened, before) if choice.move != before)
    phrases = wording.phrases(opened.table, words) or [
        choice.text for choice in typed.standing_choices(opened, before) if choice.move == words
    ]
    move = with_names(game.text(typed.choices(opened)[0].move), opened.table.names)
    terminal = desk.play(seat)
    terminal.question()
    for phrase in phrases:
        assert "Standing orders with your answer: " in terminal.says(f"say {phrase}")
    assert f"You will sign: {move}\n" in terminal.says(move)
    terminal.answer("y")
    assert terminal.end()[0] == 0
    first = desk.move(seat).read_bytes()
    home = desk.home(opened.name)
    ran = run_here("play", desk.view(seat), "--move", "; ".join([move, *phrases]), cwd=desk.root, home=home)
    assert ran.exit == 0, ran.said
    assert desk.move(seat).read_bytes() == first, "the same answer"
    assert typed.as_type(json.loads(r.content(signed(desk.move(seat))[1].standing)), type(before)) == words
    assert sitting.give(first).error is None


# --- second answers, other people's views -----------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "desk", Sitting("schwarzer-freitag", seed="second").until(1))


def two_moves(desk: Desk) -> tuple[int, str, str]:
    """The seat that is asked, and two single moves of it as lines."""
    seat = desk.sitting.asked[0]
    one, other, *_ = [f"#{n}" for n, choice in enumerate(listed(desk, seat), 1) if "parts" not in choice]
    return seat, one, other


def test_a_second_different_answer_is_asked_for(desk: Desk) -> None:
    """On a terminal it is asked, elsewhere refused; the same answer again is not a second one."""
    seat, one, other = two_moves(desk)
    home = desk.home(desk.sitting.players[seat].name)
    play = ["play", desk.view(seat), "--move"]
    assert run_here(*play, one, cwd=desk.root, home=home).exit == 0
    first = desk.move(seat).read_bytes()
    said = signed_text(desk, seat)
    before = tree(desk.root)
    ran = run_here(*play, other, "--json", cwd=desk.root, home=home)
    check_refusal(ran, (5,))
    assert json.loads(ran.out)["code"] == "second-answer"
    assert f"another answer for round {desk.sitting.round + 1}: {said}" in ran.said
    for typed_, status in (("", 130), ("n", 130)):
        terminal = Terminal([*play, other, "--yes"], desk.root, home)
        assert said in terminal.question()
        terminal.answer(typed_)
        assert terminal.end()[0] == status
    assert run_here(*play, one, cwd=desk.root, home=home).exit == 0
    assert run_here(*play, other, "--dry-run", cwd=desk.root, home=home).exit == 0
    assert changes(before, tree(desk.root)) == set()
    terminal = Terminal([*play, other, "--yes"], desk.root, home)
    terminal.question()
    terminal.answer("y")
    assert terminal.end()[0] == 0
    assert desk.move(seat).read_bytes() != first
    assert run_here(*play, one, "--again", cwd=desk.root, home=home).exit == 0
    assert desk.move(seat).read_bytes() == first


def test_an_answer_in_the_next_round_is_not_a_second_one(desk: Desk) -> None:
    seat, one, _ = two_moves(desk)
    home = desk.home(desk.sitting.players[seat].name)
    assert run_here("play", desk.view(seat), "--move", one, cwd=desk.root, home=home).exit == 0
    assert desk.sitting.give(desk.move(seat).read_bytes()).error is None
    desk.sitting.until(lambda one: seat in one.asked)
    desk.views()
    assert desk.opened(seat).decides
    example = desk.sitting.table.game.text(typed.choices(desk.opened(seat))[0].move)
    assert run_here("play", desk.view(seat), "--move", example, cwd=desk.root, home=home).exit == 0


def test_a_view_of_somebody_else(desk: Desk) -> None:
    """Whoever opens it reads whose it is; nothing is signed."""
    seat = desk.sitting.asked[0]
    other = (seat + 1) % 3
    mine, theirs = desk.sitting.players[other], desk.sitting.players[seat]
    before = tree(desk.root)
    ran = run_here("play", desk.view(seat), "--move", "#1", cwd=desk.root, home=desk.home(mine.name))
    check_refusal(ran, (4,))
    for told in (f"{theirs.name}'s view", theirs.public.hex()[:8], mine.public.hex()[:8], f"{mine.name}'s"):
        assert told in ran.said
    assert changes(before, tree(desk.root)) == set()
    for command in (["show"], ["show", "--moves"], ["show", "--story"]):
        ran = run_here(*command, desk.view(seat), cwd=desk.root, home=desk.home(mine.name))
        assert f"This is {theirs.name}'s view, for the key {theirs.public.hex()[:8]}; your key" in ran.said
        assert "This is" not in run_here(*command, desk.view(seat), cwd=desk.root, home=desk.home(theirs.name)).said


def test_a_view_that_was_shown_counts_as_seen(desk: Desk) -> None:
    """After that, an older one is called older, and cannot be answered."""
    seat, one, _ = two_moves(desk)
    home, old = desk.home(desk.sitting.players[seat].name), (desk.root / desk.view(seat)).read_bytes()
    desk.sitting.step()
    desk.views()
    assert run_here("show", desk.view(seat), cwd=desk.root, home=home).exit == 0
    (desk.root / "old.json").write_bytes(old)
    ran = run_here("show", "old.json", cwd=desk.root, home=home)
    assert ran.exit == 0
    assert "older view" in ran.said
    ran = run_here("play", "old.json", "--move", one, cwd=desk.root, home=home)
    check_refusal(ran, (5,))


def test_hints_work_when_they_are_copied(desk: Desk) -> None:
    """They name the file, and the key where one was given."""
    seat, one, _ = two_moves(desk)
    home = desk.home(desk.sitting.players[seat].name)
    key = str((home / "key.json").relative_to(desk.root))
    empty = desk.root / "nobody"
    ran = run_here("show", desk.view(seat), cwd=desk.root, home=home)
    hints = re.findall(r"`referee ([^`]*)`", ran.said)
    assert {hint.split()[0] for hint in hints} == {"play", "show"}
    assert (
        run_here(*next(hint for hint in hints if hint.startswith("show")).split(), cwd=desk.root, home=home).exit == 0
    )
    ran = run_here("show", "--moves", desk.view(seat), "--key", key, cwd=desk.root, home=empty)
    (hint,) = [hint for hint in re.findall(r"`referee ([^`]*)`", ran.said) if hint.startswith("play")]
    words = [one if word == "TEXT" else word for word in hint.split()]
    ran = run_here(*words, cwd=desk.root, home=empty)
    assert ran.exit == 0, ran.said
    ran = run_here("play", desk.view(seat), cwd=desk.root, home=home)
    check_refusal(ran, (2,))
    assert f"`referee show --moves {desk.view(seat)}`" in ran.said


def test_whoever_is_sure_is_not_asked(desk: Desk) -> None:
    """`--yes` at the prompt: the move that is typed is signed."""
    seat, one, _ = two_moves(desk)
    terminal = desk.play(seat, "--yes", "-o", "sure.json")
    terminal.question()
    terminal.answer(one)
    status, screen = terminal.end()
    assert status == 0, screen
    assert "Sign this?" not in screen
    assert (desk.root / "sure.json").exists()


def test_leaving_for_good_is_asked_for(desk: Desk) -> None:
    seat = desk.sitting.asked[0]
    terminal = desk.play(seat, "--resign")
    terminal.question()
    terminal.answer("")
    assert (terminal.end()[0], desk.move(seat).exists()) == (130, False)
    terminal = desk.play(seat, "--resign", "--yes")
    status, screen = terminal.end()
    assert (status, signed(desk.move(seat))[1].resign) == (0, True), screen


def test_what_is_piped_on_stays_clean(desk: Desk) -> None:
    """`play -o - > FILE` at a terminal: questions go to the screen, the move alone into the file."""
    seat, one, _ = two_moves(desk)
    terminal = desk.play(seat, "-o", "-", into=desk.root / "piped.json")
    terminal.question()
    terminal.says(one)
    terminal.answer("y")
    assert terminal.end()[0] == 0
    assert desk.sitting.give((desk.root / "piped.json").read_bytes().rstrip()).error is None


def test_whatever_is_typed_does_no_harm(desk: Desk) -> None:
    """Nothing but what a terminal may be sent, and never an internal error."""
    seat = desk.sitting.asked[0]
    terminal = desk.play(seat, env={"NO_COLOR": "1"})
    terminal.question()
    for typed_ in ("\u202eabc", "é; ;", "#" * 200, "say \u200b", "rules ../../etc/passwd", ";;;", "#1; #1"):
        terminal.says(typed_)
    os.write(terminal.handle, b"\xff\xfe\x80")
    terminal.says("")
    terminal.answer("quit")
    status, screen = terminal.end()
    assert status == 130, screen
    echoed = screen.replace("\u202e", "").replace("\u200b", "")
    assert raw_controls(echoed.encode()) == []
    assert "Traceback" not in screen
