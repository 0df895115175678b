"""Modules of bots are found without running them, and loaded from what was found."""

import sys
from pathlib import Path

import pytest

from referee.bots.modules import load, locate
from referee.errors import Usage

TRAP = "raise SystemExit('this ran')\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with modules, all of which end the process that imports them."""
    for path in ("nice/__init__.py", "nice/bot.py", "nice/deep/__init__.py", "nice/deep/more.py", "plain.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(TRAP)
    (tmp_path / "nice/data.json").write_text("{}")
    (tmp_path / "bare/inner").mkdir(parents=True)
    (tmp_path / "bare/inner/one.py").write_text(TRAP)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("plain", ("plain.py",)),
        ("nice.bot", ("nice/__init__.py", "nice/bot.py")),
        ("nice", ("nice/__init__.py", "nice/bot.py", "nice/deep/__init__.py", "nice/deep/more.py")),
        ("nice.deep", ("nice/__init__.py", "nice/deep/__init__.py", "nice/deep/more.py")),
        ("bare.inner.one", ("bare/inner/one.py",)),
        ("nice/bot.py", ("bot.py",)),
    ],
)
def test_nothing_runs_while_a_module_is_located(here: Path, name: str, files: tuple[str, ...]) -> None:
    root, found = locate(name)
    assert found == files
    assert root == str(here / "nice" if "/" in name else here)
    with pytest.raises(SystemExit):  # the presence: it would have run
        load(name)


@pytest.mark.parametrize("name", ["", ".", "nice.", "nobody", "nice.nobody", "bare", "nice/bot", "../plain", "no.py"])
def test_a_missing_module_is_refused(here: Path, name: str) -> None:
    with pytest.raises(Usage) as error:
        locate(name)
    assert error.value.code == "no-bot"


def test_a_module_on_pythons_path_is_found_after_local_ones(here: Path) -> None:
    found = locate("wave")
    assert not found.root.startswith(str(here))
    (here / "wave.py").write_text(TRAP)
    assert locate("wave") == (str(here), ("wave.py",))


@pytest.mark.parametrize("name", ["several", "loose"])
def test_a_package_is_loaded_without_any_folder_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / name).mkdir()
    if name == "several":  # the other is a folder without it
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / name / "part.py").write_text("ONE = 1\n")
    (tmp_path / name / "bot.py").write_text(
        f"import {name}.part\nfrom . import part\nTWO = part.ONE + {name}.part.ONE\n"
    )
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert load(f"{name}.bot").TWO == 2
    assert load(f"{name}.bot") is sys.modules[f"{name}.bot"]
    assert sys.path == before


def test_a_loaded_module_of_the_same_name_is_not_used_for_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("MINE = True\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Usage, match="another module is called 'json'"):
        load("json")
    assert not hasattr(sys.modules["json"], "MINE")
