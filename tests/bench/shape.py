"""How large the program is: lines and `Any` for each package, and its longest functions.

`python -m tests.bench.shape [FOLDER...]` prints it for this tree, or for each folder that has a `referee` package: one
from before a change, one from after it. Lines are counted as they stand; `ruff format` keeps them comparable.
"""

import ast
import re
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
LONGEST = 30


def package_of(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else "core"


def functions(tree: ast.AST) -> list[tuple[int, str]]:
    found = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [((node.end_lineno or node.lineno) - node.lineno + 1, node.name) for node in found]


def measure(root: Path) -> None:
    lines: Counter[str] = Counter()
    untyped: Counter[str] = Counter()
    longest: list[tuple[int, str]] = []
    for path in sorted((root / "referee").rglob("*.py")):
        source, name = path.read_text("utf-8"), path.relative_to(root / "referee")
        lines[package_of(name)] += len(source.splitlines())
        untyped[package_of(name)] += len(re.findall(r"\bAny\b", source))
        longest += [(length, f"{name}: {function}") for length, function in functions(ast.parse(source))]
    print(f"{'':12} {'lines':>7} {'Any':>5}")
    for package, count in lines.most_common():
        print(f"{package:12} {count:>7,} {untyped[package]:>5}")
    print(f"{'in all':12} {lines.total():>7,} {untyped.total():>5}")
    print(f"the {LONGEST} longest of {len(longest):,} functions:")
    for length, function in sorted(longest, reverse=True)[:LONGEST]:
        print(f"{length:>5}  {function}")


if __name__ == "__main__":
    for folder in sys.argv[1:] or [str(HERE)]:
        measure(Path(folder).resolve())
