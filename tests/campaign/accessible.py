"""axe in every state of the local app: light and dark, at three widths, in three languages.

    python -m tests.campaign.accessible FOLDER [--pictures]

axe-core is fetched into FOLDER by its name, in the version below, if it is not there; nothing of it is kept here. With
`--pictures` every state is also photographed there. See README.md."""
# ruff: noqa: T201

import argparse
import subprocess
import tarfile
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import tests.conftest
from referee.language import LANGUAGES
from tests.app.states import prepared, states
from tests.page.browser import browsing

AXE = "4.14.0"
WIDTHS = (360, 768, 1280)
RUN = """
return axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
  .then(({ violations, incomplete }) => [violations, incomplete].map((found) => found.map(({ id, nodes }) =>
    [id, nodes.length, nodes[0].html.slice(0, 160), nodes[0].failureSummary])));
"""
assert tests.conftest.TOYS


def axe(folder: Path) -> str:
    """The script, from the registry of whoever runs this."""
    archive = folder / f"axe-core-{AXE}.tgz"
    if not archive.exists():
        subprocess.run(["npm", "pack", f"axe-core@{AXE}"], cwd=folder, check=True, capture_output=True)
    with tarfile.open(archive) as packed:
        file = packed.extractfile("package/axe.min.js")
        assert file is not None
        return file.read().decode()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--language", choices=[*LANGUAGES], action="append")
    asked = parser.parse_args()
    asked.folder.mkdir(exist_ok=True)
    script, figures, seen = axe(asked.folder), Counter[str](), set[tuple[Any, ...]]()
    for language in asked.language or LANGUAGES:
        with browsing() as browser, tempfile.TemporaryDirectory() as name:
            for state, window in states(browser, prepared(Path(name)), Path(name), language):
                for shade in ("light", "dark"):
                    browser.looks(shade)
                    for width in WIDTHS:
                        browser.size(width)
                        window.settle()
                        browser.script(f"if (!globalThis.axe) {{ {script} }}")
                        wrong, unsure = browser.script(RUN)
                        figures["pages"] += 1
                        figures["violations"] += len(wrong)
                        figures["left to people"] += len(unsure)
                        for kind, found in (("VIOLATION", wrong), ("unsure", unsure)):
                            for rule, count, node, why in found:
                                if (kind, rule, state) not in seen:
                                    seen.add((kind, rule, state))
                                    print(kind, rule, f"{state}, {width}, {language}, {shade}, {count}:", node, why)
                        if asked.pictures:
                            browser.picture(asked.folder / f"{state}-{language}-{width}-{shade}.png")
                browser.looks()
                browser.size(1280)
    print(dict(figures))


if __name__ == "__main__":
    main()
