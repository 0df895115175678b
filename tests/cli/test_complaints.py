"""What the command line library complains about, as texts of ours with its values."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import typer

from referee.language import speaking
from referee.library.complaints import complaint
from tests.cli.world import check_refusal, run_here


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ofer"], "No such command 'ofer'. Did you mean 'offer'?"),
        (["x'. Did you mean 'y'?"], "No such command 'x'. Did you mean 'y'?'."),
        (["two\nlines"], "No such command 'two\\nlines'."),
        (["demo", "--set", "3"], "No such option: --set (Possible options: --seats, --seed)"),
        (["demo", "--seeds", "3"], "No such option: --seeds (Possible options: --seats, --seed)"),
        (["demo", "--\x1b[2J"], "No such option: --\\x1b[2J"),
        (["demo", "--seats", "'a' is not one of b."],
         "Invalid value for '--seats': ''a' is not one of b.' is not a valid int."),
        (["show", "x", "--width", "3"], "Invalid value for '--width': 3 is not in the range 100<=x<=2000."),
        (["host", "a", "b) (c", "d"], "Got unexpected extra argument(s) (b) (c d)"),
        (["demo", "--json=3"], "Option '--json' does not take a value."),
    ],
)  # fmt: skip
def test_they_are_read_with_their_values(tmp_path: Path, words: list[str], said: str) -> None:
    ran = run_here(*words, cwd=tmp_path)
    check_refusal(ran, (2,))
    assert ran.said.splitlines()[0] == f"referee: {said}"
    for language in ("de", "nl"):
        told = run_here(*words, cwd=tmp_path, env={"REFEREE_LANGUAGE": language}).said
        assert not {"No", "such", "Invalid", "value", "Got"} & set(told.splitlines()[0].split())


def test_what_is_not_known_is_quoted() -> None:
    option = SimpleNamespace(param_type_name="option", opts=["--x"], get_error_hint=lambda _: "'--x'")
    with speaking("de"):
        assert str(complaint(typer.BadParameter("Odd."))).endswith(": „Invalid value: Odd.“")
        told = str(complaint(typer.BadParameter("Odd.", param=option)))  # type: ignore[arg-type]
        assert told == "Ungültiger Wert für „--x“: „Odd.“"
