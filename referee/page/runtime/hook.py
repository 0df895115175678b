"""Builds the files while the wheel is built: none of them is kept in the repository."""

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build = runpy.run_path(str(Path(self.root) / "build.py"))["build"]
        self.made = tempfile.TemporaryDirectory()
        build(Path(self.made.name))
        for file in Path(self.made.name).iterdir():
            build_data["force_include"][str(file)] = f"pbem_referee_page/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.made.cleanup()
