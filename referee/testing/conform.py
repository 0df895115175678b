"""Any implementation of the protocol against the test vectors, over a command line. See `schemas/vectors/README.md`.

IMPLEMENTATION verify FILE...   one case: prints `ok` or a code (for a proof its verdict and a code), and exits with 0
                                exactly if it is `ok`
IMPLEMENTATION step FILE        a single step, or a round by itself: prints `ok` and the value that comes out, or a code
IMPLEMENTATION verify|step -    many: a line in has the paths of a case, separated by tabs; a line out what is printed
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
from referee.language import NOTHING, Text, Value, either, quoted, t

FILES = ("view", "transcript", "several", "proof", "claim", "ruling")
"""Cases that are files which people have; the others are single steps, and rounds by themselves."""
SECONDS = 60
"""For one case, or for one of many."""
LONGEST, MOST = 100_000, 80
"""Bytes of an answer that are looked at, and letters of a code that are shown."""


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
    """Codes that are also right for an implementation that does not know the rules."""
    words: int = 1
    """How many words the answer has: a code, or for a proof a verdict and a code."""
    verb: str = "verify"
    value: Any = None
    """The expected value of a single step."""


class CaseResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of an implementation to a case."""

    case: str
    said: str
    right: bool
    allowed: tuple[str, ...]
    about: str
    trouble: Text = NOTHING

    def wrong(self) -> Text:
        """What it should have said."""
        values: dict[str, Value] = {"case": self.case, "codes": either(self.allowed), "about": self.about}
        if self.trouble:
            return t("WRONG {case}: {trouble}; expected {codes} ({about})", trouble=self.trouble, **values)
        if self.said:
            return t("WRONG {case}: it says {code}; expected {codes} ({about})", code=self.said, **values)
        return t("WRONG {case}: it says nothing; expected {codes} ({about})", **values)


def read_cases(folder: str, wanted: str = "", *, steps: bool = True) -> list[Case]:
    """The cases of a folder of vectors whose names have this in them; with single steps, or files alone."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError as error:
        why = t("{folder} cannot be read: {error}", folder=files.printable(folder), error=files.reason(error))
        raise FileTrouble(why, t("give the folder schemas/vectors"), code="folder") from None
    try:
        vectors = _vectors(folder, names)
        found = [one for one in vectors.values() if wanted in one["name"] and (steps or one["kind"] in FILES)]
        chosen = [_case(vector, vectors) for vector in found]
    except (ValueError, KeyError, TypeError, IndexError):
        raise Malformed(t("a file here is not a test vector"), t("give the folder schemas/vectors")) from None
    if not chosen:
        raise Usage(t("there is no such case in this folder"), t("give the folder schemas/vectors"), code="no-case")
    return chosen


def _vectors(folder: str, names: Sequence[str]) -> dict[str, Any]:
    return {name: json.loads(files.read(os.path.join(folder, name), files.LARGE, "vector")) for name in names}


def _case(vector: Any, vectors: Any) -> Case:
    kind, proof = vector["kind"], vector["kind"] == "proof"
    without = (*(() if proof else ("ok",)), *vector.get("without", ())) if vector.get("needs") == "rules" else ()
    if kind in FILES:
        given = vector["file"] if kind == "several" else [vector["file"]]
        files_ = tuple(_bytes(file, vectors) for file in given)
    else:
        step = vector["given"] if "given" in vector else _document(vector["file"], vectors)
        files_ = (encode({"given": step, "kind": kind}),)
    return Case(
        name=vector["name"],
        about=vector["about"],
        files=files_,
        bags=vector.get("bags"),
        own=vector.get("own"),
        allowed=("ok",) if vector["expect"] == "ok" else tuple(vector["expect"]),
        without=without,
        words=2 if proof else 1,
        verb="verify" if kind in FILES else "step",
        value=vector.get("value"),
    )


def _bytes(file: Any, vectors: Any) -> bytes:
    """A document of a vector: as text, whole, or as changes to that of another."""
    return str(file["text"]).encode() if "text" in file else encode(_document(file, vectors))


def _document(file: Any, vectors: Any) -> Any:
    if "document" in file:
        return file["document"]
    document = _document(vectors[file["base"]]["file"], vectors)
    for change in file["patch"]:
        document = _changed(document, change["at"], change)
    return document


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
    """Write the files of a case into a folder of its own; what else it needs is next to them."""
    os.makedirs(folder)
    beside = {"bags.json": case.bags, "own.json": case.own or None}
    also = {name: encode(value) for name, value in beside.items() if value is not None}
    named = {f"{number}.json": data for number, data in enumerate(case.files, 1)}
    for name, data in (named | also).items():
        with open(os.path.join(folder, name), "xb") as file:
            file.write(data)
    return [os.path.join(folder, name) for name in named]


def conform(cases: Sequence[Case], command: Sequence[str], *, rules: bool, many: bool) -> Iterator[CaseResult]:
    """The answer of an implementation to each case."""
    with tempfile.TemporaryDirectory() as root:
        paths = {case.name: lay_out(case, os.path.join(root, case.name)) for case in cases}
        said: dict[str, tuple[str, Text]] = {}
        for verb in ("verify", "step") if many else ():
            names = [case.name for case in cases if case.verb == verb]
            answers = _at_once((*command, verb), [paths[name] for name in names]) if names else []
            said |= dict(zip(names, answers, strict=True))
        for case in cases:
            answer, trouble = said[case.name] if many else _alone((*command, case.verb), paths[case.name])
            yield _judged(case, answer, trouble, rules=rules)


def _judged(case: Case, answer: str, trouble: Text, *, rules: bool) -> CaseResult:
    code = " ".join(answer.split()[: case.words])
    allowed = case.allowed if rules else (*case.allowed, *case.without)
    if not trouble and code == "ok" and case.value is not None and not _same(case.value, answer):
        trouble = t("this step gives a different result")
    return CaseResult(case.name, code[:MOST], not trouble and code in allowed, allowed, case.about, trouble)


def _same(value: Any, answer: str) -> bool:
    """Whether the value after `ok` is this one."""
    try:
        found = json.loads(answer.partition(" ")[2])
    except (ValueError, RecursionError):
        return False
    return json.dumps(found, sort_keys=True) == json.dumps(value, sort_keys=True)


def _alone(command: Sequence[str], names: Sequence[str]) -> tuple[str, Text]:
    """What it prints for one case, and what is wrong with how it does that."""
    try:
        words = [*command, *names]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "", t("it took longer than {seconds} seconds", seconds=SECONDS)
    except OSError as error:
        raise _not_started(error) from None
    answer = _text(done.stdout)
    code = (answer.split() or [""])[0][:MOST]
    if (done.returncode == 0) == (code == "ok"):
        return answer, NOTHING
    if not code:
        return answer, t("it printed nothing and exited with {returncode}", returncode=done.returncode)
    return answer, t("it printed {code} and exited with {returncode}", code=quoted(code), returncode=done.returncode)


def _at_once(command: Sequence[str], paths: Sequence[Sequence[str]]) -> list[tuple[str, Text]]:
    """The same for all cases, in one process."""
    asked = "".join("\t".join(names) + "\n" for names in paths).encode()
    try:
        most = SECONDS * len(paths)
        done = subprocess.run([*command, "-"], input=asked, capture_output=True, timeout=most, check=False)
    except subprocess.TimeoutExpired:
        return [("", t("it did not come to an end"))] * len(paths)
    except OSError as error:
        raise _not_started(error) from None
    lines = [_text(line) for line in done.stdout.splitlines()]
    if len(lines) > len(paths):
        return [("", t("it printed {lines} lines for {paths} cases", lines=len(lines), paths=len(paths)))] * len(paths)
    return [(code, NOTHING) for code in lines] + [("", t("it printed no line for this case"))] * (
        len(paths) - len(lines)
    )


def _text(data: bytes) -> str:
    """Its answer, in one line. (A value may hold any character but line breaks, so nothing in it is touched.)"""
    return data[:LONGEST].lstrip().partition(b"\n")[0].rstrip().decode("utf-8", "replace")


def _not_started(error: OSError) -> FileTrouble:
    why = t("the implementation cannot be started: {error}", error=files.reason(error))
    return FileTrouble(why, t("name a command after --"), code="no-command")
