"""Runs inside the Python that is packed: cuts the standard library, compiles it, and compresses everything.

Zips have no times, sorted names and stored members; gzip does the compressing, over the whole.
"""

import gzip
import importlib.util
import io
import json
import marshal
import os
import zipfile

ENCODINGS = {"__init__", "aliases", "ascii", "charmap", "cp1252", "cp437", "idna", "iso8859_1", "iso8859_15", "latin_1",
             "punycode", "raw_unicode_escape", "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_8",
             "utf_8_sig"}  # fmt: skip
"""Of mails, mostly; others are read as if they were Latin-1."""


def is_wanted(name: str, left_out: list[str]) -> bool:
    """Whether a module of the standard library goes into the page."""
    bare = name.removesuffix(".py")
    if name.startswith("encodings/"):
        return bare.removeprefix("encodings/") in ENCODINGS
    return not any(bare == one or (one.endswith("/") and name.startswith(one)) for one in left_out)


def compiled(name: str, source: bytes) -> bytes:
    """A module as Python reads it without looking at its source, and without what only people read."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code)


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name])
    return out.getvalue()


def read(name: str) -> bytes:
    with open(f"/in/{name}", "rb") as file:
        return file.read()


def keep(name: str, data: bytes) -> None:
    os.makedirs("/out", exist_ok=True)
    with open(f"/out/{name}", "wb") as file:
        file.write(data)


def members(name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(read(name))) as archive:
        return {one: archive.read(one) for one in archive.namelist() if not one.endswith("/")}


def packed() -> None:
    lines = read("left-out.txt").decode().splitlines()
    left_out = [name for line in lines if not line.startswith("#") for name in line.split()]
    library = {name: data for name, data in members("python_stdlib.zip").items() if is_wanted(name, left_out)}
    stdlib = {
        f"{name}c" if name.endswith(".py") else name: compiled(name, data) if name.endswith(".py") else data
        for name, data in library.items()
    }
    wheel = members("msgspec.whl")
    site = {name: data for name, data in wheel.items() if not name.endswith((".pyi", "py.typed", "RECORD"))}
    lock = json.loads(read("pyodide-lock.json")) | {"packages": {}}
    for name, data in {
        "pyodide.js": read("pyodide.js"),
        "pyodide.wasm": read("pyodide.asm.wasm"),
        "stdlib.zip": zipped(stdlib),
        "site.zip": zipped(site),
    }.items():
        keep(f"{name}.gz", gzip.compress(data, 9, mtime=0))
    keep("lock.json", json.dumps(lock, sort_keys=True).encode())


packed()
