"""The campaign's own machinery: which faults it plants, and that it tells noticed from survived."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.campaign import mutants
from tests.campaign.mutants import (
    EQUIVALENT,
    ROOT,
    Scratch,
    equivalent,
    likely_tests,
    line_of,
    package_of,
    sampled,
    sources,
)
from tests.campaign.mutations import Mutant, mutants_of
from tests.page.node import need_node, run_node

PYTHON = b'''"""A docstring is no text of the program."""

def first(values, most=2):
    """The first values that are not negative, at most this many; none is an error."""
    found = []
    for value in values:
        if value < 0:
            continue
        if len(found) == most:
            break
        found.append(value)
    if not found or found == [9]:
        raise ValueError("none")
    return sorted(found)[: len(found)]
'''


def holds(first: Callable[..., list[int]]) -> bool:
    for none in ([-1], [9]):
        with pytest.raises(ValueError, match="none"):
            first(none)
    return first([5, -3, 0, 7]) == [0, 5] and first([3], most=1) == [3] and first([4, 2, 1], most=3) == [1, 2, 4]


def notices(source: bytes) -> bool:
    world: dict[str, Any] = {}
    exec(compile(source, "planted", "exec"), world)
    try:
        return not holds(world["first"])
    except (Exception, pytest.fail.Exception):
        return True


def test_every_kind_of_fault_is_planted_in_python_and_a_good_test_notices_each() -> None:
    assert not notices(PYTHON)
    found = mutants_of("planted.py", PYTHON)
    assert {one.kind for one in found} == {
        "comparison", "condition", "constant", "statement", "loop", "and, or", "raise", "return", "call", "slice",
        "text",
    }  # fmt: skip
    assert [line(one, PYTHON) for one in found if not notices(one.applied(PYTHON))] == [
        # It makes no difference for the values that are left, and a slice takes no more than there is.
        "continue",
        "return sorted(found)[: (len(found)) + 1]",
    ]


def line(mutant: Mutant, source: bytes) -> str:
    return mutant.applied(source).splitlines()[mutant.line - 1].decode().strip()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = a - b", ["x = a + b"]),
        ("f(a, b)", ["f(b, a)", "pass"]),
        ("min(a, b)", ["max(a, b)", "pass"]),
        ("x = f(a, key=b, other=c)", ["x = f(a,  other=c)"]),
        ("x = a[1:n]", ["x = a[(1) + 1:n]", "x = a[0:n]", "x = a[1:(n) + 1]", "x = a[2:n]"]),
        ("x = not a", ["x = bool(a)"]),
        ("x = a is not b", ["x = a is b"]),
        ("x = b'' or 'word'", ["x = b'' and 'word'", "x = b'' or ''", "x = b'x' or 'word'"]),
        ("x: Annotated[int, Meta(ge=5)] = 1", [
            "x: Annotated[int, Meta(ge=4)] = 1", "x: Annotated[int, Meta(ge=6)] = 1",
            "x: Annotated[int, Meta(ge=5)] = 0", "x: Annotated[int, Meta(ge=5)] = 2",
        ]),
        ("x: Literal['a', 'b'] = None", []),
        ("def f() -> bool: return a", ["def f() -> bool: return not (a)"]),
        ("def f() -> int: return a", ["def f() -> int: return (a) + 1"]),
        ("def f(a=True): return a", ["def f(a=False): return a", "def f(a=True): return None"]),
    ],
)  # fmt: skip
def test_faults_in_python(before: str, after: list[str]) -> None:
    source = before.encode()
    assert sorted(line(one, source) for one in mutants_of("x.py", source)) == sorted(after)


JAVASCRIPT = b"""import { nothing } from "./nothing.mjs";
// A comment: a < b.
export function first(values, most = 2) {
  const found = [];
  for (const value of values) {
    if (/^[-/"]/.test(value) && value !== "-0") continue;
    if (found.length >= most) break;
    found.push(value);
  }
  if (!found.length) throw new Error("none");
  return found.every((one) => one + 1 > 0) ? `${found.length} kept` : null;
}
"""


def test_faults_in_javascript_can_be_parsed_and_patterns_and_comments_are_left_alone() -> None:
    found = mutants_of("planted.mjs", JAVASCRIPT)
    assert {line(one, JAVASCRIPT) for one in found if one.line == 6} == {
        'if (!(/^[-/"]/.test(value) && value !== "-0")) continue;',
        'if (/^[-/"]/.test(value) || value !== "-0") continue;',
        'if (/^[-/"]/.test(value) && value === "-0") continue;',
        'if (/^[-/"]/.test(value) && value !== "") continue;',
        'if (/^[-/"]/.test(value) && value !== "-0") break;',
    }
    assert {one.line for one in found} == {3, 6, 7, 8, 10, 11}
    assert "return undefined;" in {line(one, JAVASCRIPT) for one in found}
    script = """
      import { SourceTextModule } from "node:vm";
      let text = ""; for await (const part of process.stdin) text += part;
      for (const source of JSON.parse(text)) new SourceTextModule(source);
      console.log("parsed");
    """
    told = run_node(
        "--no-warnings", "--experimental-vm-modules", "--input-type=module", "-e", script,
        given=json.dumps([one.applied(JAVASCRIPT).decode() for one in found]),
    )  # fmt: skip
    assert (told.stdout, told.stderr) == ("parsed\n", "")


def test_every_source_belongs_to_a_package_with_tests() -> None:
    paths = sources()
    assert len(paths) > 300
    for path in paths:
        assert likely_tests(path), path
    assert {package_of(path) for path in paths} == set(mutants.TESTS)
    named = [name for names in mutants.TESTS.values() for name in names.split()]
    assert [name for name in named if not (ROOT / "tests" / name).exists()] == []


def test_a_sample_is_the_same_for_the_same_seed_and_knows_no_equivalent_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = sampled("1", 6, "crypto")
    assert sampled("1", 6, "crypto") == chosen != sampled("2", 6, "crypto")
    known = chosen[2]
    monkeypatch.setattr(mutants, "equivalent", lambda: {(known.path, line_of(known))})
    again = sampled("1", 6, "crypto")
    assert known not in again
    assert again[:2] == chosen[:2]


def test_equivalent_faults_are_still_faults_that_can_be_planted() -> None:
    """What was listed for a line that has changed is of no use to anybody."""
    for path, text in sorted(equivalent()):
        lines = {line_of(one) for one in mutants_of(path, (ROOT / path).read_bytes())}
        assert text in lines, f"{EQUIVALENT.name}: {path}: {text}"


@pytest.mark.thorough
def test_noticed_survived_and_endless(tmp_path: Path) -> None:
    """In a project of one module and one test, which looks at less than there is."""
    project = tmp_path / "small"
    (project / "tests").mkdir(parents=True)
    source = "def down(n):\n    while n > 0:\n        n -= 1\n    return n\n\n\ndef unseen():\n    return 1\n"
    (project / "small.py").write_text(source)
    # The one is not in this copy, and the other is not needed and slow to load.
    (project / "pytest.ini").write_text("[pytest]\naddopts = -p no:pbem_referee -p no:hypothesispytest\n")
    test = "from small import down\n\n\ndef test_down():\n    assert down(2) == 0\n"
    (project / "tests" / "test_small.py").write_text(test)
    scratch = Scratch(tmp_path / "scratch", project, cpu=3)
    faults = {line(one, source.encode()): one for one in mutants_of("small.py", source.encode())}
    assert not scratch.noticed(None, ["tests"])
    assert not scratch.noticed(faults["return None"], ["tests"]), "the last one: nothing looks at it"
    assert scratch.noticed(faults["while n >= 0:"], ["tests"])
    assert scratch.noticed(faults["pass"], ["tests"]), "it never ends"
    with pytest.raises(ValueError, match="no test has run"):
        scratch.noticed(faults["while n >= 0:"], ["tests/test_other.py"])
    with pytest.raises(ValueError, match="no test has run"):
        scratch.noticed(faults["while n >= 0:"], ["tests", "--deselect", "tests/test_small.py"])
    (scratch.root / "tests" / "conftest.py").write_text("import small\n\nassert small.unseen() == 1\n")
    assert scratch.noticed(faults["return None"], ["tests"]), "a conftest that does not load is noticed"
    assert (scratch.root / "small.py").read_text() == source
    assert (project / "small.py").read_text() == source


FIXED = [
    ("referee/mail/words.py", "AWAY_MOST = 121",
     "tests/mail/test_bounds.py::test_words_that_are_spelled_wrongly_are_refused"),
    ("referee/tournament/pieces.py", "while (high - low) / step >= 5:",
     "tests/tournament/test_numbers.py::test_a_scale_has_round_marks_and_ends"),
    ("referee/io/progress.py", 'line = "; ".join(part for part in parts if part)[: get_terminal_size().columns + 1]',
     "tests/cli/test_asked.py::test_a_bar_shows_games_and_standings_and_is_gone_afterwards"),
    ("referee/page/forms.mjs", "const MOST_PARTS = 101;", "tests/page/test_edges.py::test_every_module_at_its_bounds"),
]  # fmt: skip


@pytest.mark.thorough
def test_faults_that_once_went_unnoticed(tmp_path: Path) -> None:
    need_node()
    scratch = Scratch(tmp_path)
    assert not scratch.noticed(None, [test for _, _, test in FIXED])
    for path, text, test in FIXED:
        (fault,) = (one for one in mutants_of(path, (ROOT / path).read_bytes()) if line_of(one) == text)
        assert scratch.noticed(fault, [test]), text
