"""The program as a page carries it: its modules as sources, because the rules' `code` is a hash of them, and what they
read. The same sources give the same bytes: bzip2 has compressed in one way for decades, unlike gzip."""

import bz2
import io
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable

from referee import games

LEFT_OUT = (
    "bots", "cli", "manual", "tournament", "page/sources.py", "page/assemble.py", "library/template",
    "testing/", "mail/run.py", "mail/fetch.py", "mail/send.py", "mail/servers.py",
)  # fmt: skip
"""What no call of a page needs."""
PACKAGE = "pbem_referee_page"
"""Has the files of Python for pages, and nothing else."""
RUNTIME = {
    "pyodide": "pyodide.js.gz", "wasm": "pyodide.wasm.gz", "stdlib": "stdlib.zip.gz", "site": "site.zip.gz",
    "lock": "lock.json", "licences": "licences.txt",
}  # fmt: skip
"""Payload of a page -> the file in that package."""
KEPT = ("testing/__init__.py", "testing/sandbox.py")
ENDINGS = (".py", ".mo", ".json", ".md")


def payloads(others: Iterable[str] = ()) -> dict[str, bytes]:
    """All that a page with rules carries, with these games of other packages beside our own; `ModuleNotFoundError` if
    there is no Python for pages."""
    runtime = files(PACKAGE)
    worker = (files("referee.page") / "worker.js").read_text("utf-8").replace("\r\n", "\n")
    parts = {name: runtime.joinpath(file).read_bytes() for name, file in RUNTIME.items()}
    return {"worker": worker.encode(), **parts, "sources": packed(others)}


def packed(others: Iterable[str] = ()) -> bytes:
    """All of it, with these games of other packages beside our own."""
    members = {f"referee/{path}": data for path, data in _under(files("referee"), "") if _is_wanted(path)}
    for game_id in others:
        if not games.module_of(game_id).startswith(f"{games.__name__}."):
            members |= _game(game_id)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            about = zipfile.ZipInfo(name)
            about.create_system = 3  # the same on every system
            archive.writestr(about, members[name])
    return bz2.compress(out.getvalue(), 9)


def _is_wanted(path: str) -> bool:
    return path in KEPT or not path.startswith(LEFT_OUT)


def _under(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    """The files below a folder that a page can need, each with its path."""
    for item in folder.iterdir():
        if item.is_dir():
            if item.name != "__pycache__":
                yield from _under(item, f"{path}{item.name}/")
        elif item.name.endswith(ENDINGS):
            data = item.read_bytes()
            yield path + item.name, data if item.name.endswith(".mo") else data.replace(b"\r\n", b"\n")


def _game(game_id: str) -> dict[str, bytes]:
    """A game of another package, as Python finds it there."""
    module = games.module_of(game_id)
    point = next(one for one in entry_points(group=games.GROUP) if one.name == game_id)
    package = module.replace(".", "/")
    found = {f"{package}/{path}": data for path, data in _under(files(module), "")}
    about = f"{game_id.replace('-', '_')}-0.dist-info"
    found[f"{about}/METADATA"] = f"Metadata-Version: 2.1\nName: {game_id}\nVersion: 0\n".encode()
    found[f"{about}/entry_points.txt"] = f"[{games.GROUP}]\n{game_id} = {point.value}\n".encode()
    return found
