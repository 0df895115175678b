"""Any implementation of the protocol against the test vectors, over a command line. See `schemas/vectors/README.md`.

IMPLEMENTATION verify FILE...   one case: prints `ok` or a code (for a proof its verdict and a code), and exits with 0
                                exactly if it is `ok`
IMPLEMENTATION verify -         many: a line in has the paths of a case, separated by tabs; a line out what is printed
"""

import copy
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from referee.crypto.codec import encode
from referee.errors import FileTrouble, Malformed, Usage
from referee.io import files
from referee.language import mark

KINDS = ("view", "transcript", "several", "proof", "claim", "ruling")
"""Cases that are files which people have; the others are single steps, for tests of one's own."""
SECONDS = 60
"""For one case, or for one of many."""


class Case(msgspec.Struct, frozen=True):
    """One case, laid out as files."""

    name: str
    about: str
    files: tuple[bytes, ...]
    bags: Any
    own: Any
    allowed: tuple[str, ...]
    """Codes of which any is right."""
    without: tuple[str, ...]
    """Codes that are right as well for who does not know the rules."""
    words: int
    """How many words the answer has: a code, or for a proof a verdict and a code."""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an implementation said to a case."""

    case: str
    said: str
    right: bool
    allowed: tuple[str, ...]
    about: str
    trouble: str = ""


def read_cases(folder: str, wanted: str = "") -> list[Case]:
    """The cases of a folder of vectors whose names have this in them."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError as error:
        why = f"{files.printable(folder)} cannot be read: {files.reason(error)}"
        raise FileTrouble(why, "give the folder schemas/vectors", code="folder") from None
    try:
        vectors = {name: json.loads(files.read(os.path.join(folder, name), files.LARGE, "vector")) for name in names}
        found = [_case(vector, vectors) for vector in vectors.values() if vector["kind"] in KINDS]
    except (ValueError, KeyError, TypeError, IndexError):
        raise Malformed("there is a file here that is no test vector", "give the folder schemas/vectors") from None
    chosen = [case for case in found if wanted in case.name]
    if not chosen:
        raise Usage("there is no such case in this folder", "give the folder schemas/vectors", code="no-case")
    return chosen


def _case(vector: Any, vectors: Any) -> Case:
    given = vector["file"] if vector["kind"] == "several" else [vector["file"]]
    proof = vector["kind"] == "proof"
    without = (*(() if proof else ("ok",)), *vector.get("without", ())) if vector.get("needs") == "rules" else ()
    return Case(
        name=vector["name"],
        about=vector["about"],
        files=tuple(_bytes(file, vectors) for file in given),
        bags=vector["bags"],
        own=vector.get("own"),
        allowed=("ok",) if vector["expect"] == "ok" else tuple(vector["expect"]),
        without=without,
        words=2 if proof else 1,
    )


def _bytes(file: Any, vectors: Any) -> bytes:
    """A document of a vector: as text, whole, or as changes to that of another."""
    if "text" in file:
        return str(file["text"]).encode()
    if "document" in file:
        return encode(file["document"])
    document = vectors[file["base"]]["file"]["document"]
    for change in file["patch"]:
        document = _changed(document, change["at"], change)
    return encode(document)


def _changed(value: Any, way: Sequence[Any], change: Any) -> Any:
    """A copy with one change; what the change does not touch is shared with the other."""
    made, (step, *rest) = copy.copy(value), way
    if rest:
        made[step] = _changed(made[step], rest, change)
    elif change.get("remove"):
        del made[step]
    elif isinstance(made, list) and step == len(made):
        made.append(change["value"])
    else:
        made[step] = change["value"]
    return made


def lay_out(case: Case, folder: str) -> list[str]:
    """Write the files of a case into a folder of its own; what else it needs stands beside them."""
    os.makedirs(folder)
    also = {"bags.json": encode(case.bags)} | ({"own.json": encode(case.own)} if case.own else {})
    named = {f"{number}.json": data for number, data in enumerate(case.files, 1)}
    for name, data in (named | also).items():
        with open(os.path.join(folder, name), "xb") as file:
            file.write(data)
    return [os.path.join(folder, name) for name in named]


def conform(cases: Sequence[Case], command: Sequence[str], *, rules: bool, many: bool) -> Iterator[Verdict]:
    """What an implementation says to each case."""
    with tempfile.TemporaryDirectory() as root:
        paths = [lay_out(case, os.path.join(root, case.name)) for case in cases]
        said = _at_once(command, paths) if many else (_alone(command, names) for names in paths)
        for case, (answer, trouble) in zip(cases, said, strict=True):
            code = " ".join(answer.split()[: case.words])
            allowed = case.allowed if rules else (*case.allowed, *case.without)
            right = not trouble and code in allowed
            yield Verdict(case.name, code, right, allowed, case.about, trouble)


def _alone(command: Sequence[str], names: Sequence[str]) -> tuple[str, str]:
    """What it prints for one case, and what is wrong with how it does that."""
    try:
        words = [*command, "verify", *names]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "", mark(f"it took longer than {SECONDS} seconds")
    except OSError as error:
        raise _not_started(error) from None
    answer = _words(done.stdout)
    code = answer.split(" ")[0]
    if (done.returncode == 0) == (code == "ok"):
        return answer, ""
    if not code:
        return answer, mark(f"it printed nothing and exited with {done.returncode}")
    return answer, mark(f"it printed {code!r} and exited with {done.returncode}")


def _at_once(command: Sequence[str], paths: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """The same for all cases, in one process."""
    asked = "".join("\t".join(names) + "\n" for names in paths).encode()
    try:
        most = SECONDS * len(paths)
        done = subprocess.run([*command, "verify", "-"], input=asked, capture_output=True, timeout=most, check=False)
    except subprocess.TimeoutExpired:
        return [("", mark("it did not come to an end"))] * len(paths)
    except OSError as error:
        raise _not_started(error) from None
    lines = [_words(line) for line in done.stdout.splitlines()]
    if len(lines) > len(paths):
        return [("", mark(f"it printed {len(lines)} lines for {len(paths)} cases"))] * len(paths)
    return [(code, "") for code in lines] + [("", mark("it printed no line for this case"))] * (len(paths) - len(lines))


def _words(data: bytes) -> str:
    """What it said, in its first words."""
    return " ".join(word[:80] for word in data[:1000].decode("utf-8", "replace").split()[:2])


def _not_started(error: OSError) -> FileTrouble:
    why = f"the implementation cannot be started: {files.reason(error)}"
    return FileTrouble(why, "name a command after --", code="no-command")
