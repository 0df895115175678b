"""The program ends with its window, or when it is interrupted, and leaves nothing behind; what is under way is finished
before."""

import json
import os
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.window import App, Window, running, window
from tests.cli.world import World, tree
from tests.page.browser import CHROMIUM, FLAGS, Browser, browsing, needs_browser
from tests.support import waiting

LAST = "The window is closed; nothing runs any more.\n"
REAL = {"GONE": 10.0, "PATIENCE": 30.0}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("ends") / "world", rounds=4)


@pytest.fixture
def seat(world: World, tmp_path: Path) -> Path:
    """The folder of somebody whose turn it is; the home beside it."""
    for name in ("views", "home", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "home" / "key.json").write_bytes((world.mover_home / "key.json").read_bytes())
    (tmp_path / "views" / "turn.view.json").write_bytes((world.root / world.mover_view).read_bytes())
    return tmp_path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as one:
        yield one


def browser_here(folder: Path, script: str) -> dict[str, str]:
    """A program that is started as the browser."""
    path = folder / "bin" / "chromium"
    path.write_text(f"#!{sys.executable} -P\nimport os, sys\n{script}")
    path.chmod(0o755)
    return {"BROWSER": str(path)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_when_it_is_interrupted_and_says_so(seat: Path, number: signal.Signals) -> None:
    with running("--no-browser", "views", cwd=seat, home=seat / "home") as app:
        app.process.send_signal(number)
        status, said = app.end()
        assert (status, said.endswith(LAST)) == (0, True)
        assert tree(seat / "home").keys() == {"key.json"}


def test_it_outlives_its_terminal_if_it_was_started_so(seat: Path) -> None:
    with window("views", cwd=seat, home=seat / "home", before=["nohup"]) as one:
        one.app.process.send_signal(signal.SIGHUP)
        assert one.call("games")["games"]
        assert one.app.interrupted()[0] == 0


def test_a_hangup_that_is_ignored_stays_ignored(seat: Path) -> None:
    with running("--no-browser", cwd=seat, home=seat / "home", before=["nohup"]) as app:
        app.process.send_signal(signal.SIGHUP)
        one = Window(app)
        assert one.call("games")["games"]
        one.close()


def test_it_ends_some_time_after_the_last_call_of_its_window(seat: Path) -> None:
    with window("views", cwd=seat, home=seat / "home", settings={"GONE": 0.2}) as one:
        assert one.app.end() == (0, f"The program ends when you close the window, or with Ctrl-C.\n{LAST}")


def test_a_window_that_waits_is_there_and_gets_signs_of_life(seat: Path) -> None:
    """Longer than it could be gone."""
    settings = {"GONE": 5, "BREATH": 6, "GLANCE": 0.1}
    with window("views", cwd=seat, home=seat / "home", settings=settings) as one:
        found = one.wait()
        assert found.read(1) == b" "
        assert one.app.process.poll() is None
        assert one.call("games")["games"]
        (seat / "views" / "more").touch()
        assert found.read().strip() == b"{}"


@pytest.mark.parametrize("how", ["folder", "file", "listed"])
def test_a_folder_that_goes_or_cannot_be_read_ends_no_wait(seat: Path, how: str) -> None:
    with window("views", cwd=seat, home=seat / "home", settings={"GLANCE": 0.05}) as one:
        news = one.wait()
        if how == "folder":
            (seat / "views").rename(seat / "away")
        elif how == "file":
            (seat / "views" / "turn.view.json").unlink()
        else:
            (seat / "views" / "turn.view.json").rename(seat / "views" / os.fsdecode(b"\xff\xfe.json"))
        assert json.loads(news.read()) == {}
        news = one.wait()
        if how == "folder":
            assert one.refused("games")["code"] == "missing"
        else:
            assert len(one.call("games")["games"]) == (how == "listed")
        assert one.app.interrupted()[0] == 0
        assert json.loads(news.read()) == {"over": True}


def test_what_is_being_signed_when_it_is_interrupted_is_signed(seat: Path) -> None:
    """The view is a pipe now that nobody has written to: signing waits for it."""
    path = seat / "views" / "turn.view.json"
    data = path.read_bytes()
    with window("views", cwd=seat, home=seat / "home") as one:
        game = one.call("games")["games"][0]["game"]
        one.call("open", game)
        move = one.call("moves", game)["choices"][0]["move"]
        path.unlink()
        os.mkfifo(path)
        handle = os.open(path, os.O_RDWR)
        news = one.wait()
        one.ask("/call/sign", {"game": game, "move": move})
        waiting.opened(one.app.process, path)
        one.app.process.send_signal(signal.SIGINT)
        assert json.loads(news.read()) == {"over": True}
        assert one.app.process.poll() is None
        fill(handle, path, data)
        signed = one.hear()
        assert signed.status == 200
        assert (seat / signed.said["file"]).read_bytes().startswith(b"{")
        assert one.app.end()[0] == 0


def fill(handle: int, path: Path, data: bytes) -> None:
    """Write all of this into a pipe that we hold open at both ends, then let it end."""
    writer = os.open(path, os.O_WRONLY)
    os.close(handle)
    with open(writer, "wb") as file:
        file.write(data)


# --- with a browser --------------------------------------------------------------------------------------------------


def test_the_file_with_the_link_is_its_owner_s_and_goes_with_the_program(seat: Path) -> None:
    told = seat / "told"
    env = browser_here(seat, f"open({str(told)!r}, 'x').write(sys.argv[-1])")
    with running("views", cwd=seat, home=seat / "home", env=env) as app:
        waiting.until(lambda: told.exists() and told.read_text())
        leap = seat / "home" / "open" / f"{app.port}.html"
        assert told.read_text() == leap.as_uri()
        assert stat.S_IMODE(leap.stat().st_mode) == 0o600
        assert f'url={app.link}"' in leap.read_text()
        assert app.interrupted()[0] == 0
        assert [*leap.parent.iterdir()] == []


def test_practice_in_a_window_begins_at_its_table_and_needs_no_key(seat: Path) -> None:
    (seat / "home" / "key.json").unlink()
    env = browser_here(seat, "")
    with running("auction", "--browser", verb="practice", cwd=seat, home=seat / "home", env=env) as app:
        one = Window(app)
        opened = one.call(one.start["call"], **one.start["with"])
        assert (opened["verdict"]["code"], opened["look"]["asked"]) == ("practice", "bid")
        one.close()


@needs_browser
@pytest.mark.thorough
def test_the_real_browser_opens_the_game_and_when_it_is_closed_the_program_ends(seat: Path) -> None:
    flags = [*FLAGS, "--remote-debugging-port=0", f"--user-data-dir={seat / 'profile'}"]
    pid, words = seat / "pid", [CHROMIUM, *flags]
    note = f"open({str(pid)!r}, 'w').write(str(os.getpid()))"
    env = browser_here(seat, f"{note}\nos.execv({CHROMIUM!r}, [*{words!r}, sys.argv[-1]])")
    with running("views/turn.view.json", cwd=seat, home=seat / "home", env=env, settings=REAL) as app:
        waiting.until(lambda: [*(seat / "home").glob("*/*.json")], lambda: tree(seat / "home").keys())
        os.kill(int(pid.read_text()), signal.SIGTERM)
        status, said = app.end()
        assert (status, said.endswith(LAST)) == (0, True)
        assert [*(seat / "home" / "open").iterdir()] == []


@needs_browser
@pytest.mark.thorough
def test_a_page_that_is_loaded_again_goes_on_a_used_link_does_not_and_the_end_is_told(
    browser: Browser, seat: Path
) -> None:
    with running("--no-browser", "views", cwd=seat, home=seat / "home") as app:
        first = browser.tab(app.link)
        lobby(browser, app)
        for _ in range(3):
            browser.call("POST", "/refresh", {})
            lobby(browser, app)
        mine = browser.tab(app.link)
        browser.wait("return document.body.innerText.includes('This window has no access')")
        browser.call("DELETE", "/window")
        browser.front(mine)
        assert app.interrupted()[0] == 0
        browser.wait("return document.getElementById('gone')")
        assert "The program has ended. Nothing is lost" in browser.text()
        browser.call("DELETE", "/window")
        browser.front(first)


@needs_browser
@pytest.mark.thorough
def test_the_program_ends_when_its_tab_is_closed(browser: Browser, seat: Path) -> None:
    with running("--no-browser", "views", cwd=seat, home=seat / "home", settings=REAL) as app:
        first = browser.tab(app.link)
        lobby(browser, app)
        browser.call("DELETE", "/window")
        browser.front(first)
        assert app.end()[0] == 0


def lobby(browser: Browser, app: App) -> None:
    browser.wait("return document.querySelector('.games .row button')")
    assert browser.script("return location.href") == f"http://{app.host}/"
