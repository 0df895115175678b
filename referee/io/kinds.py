"""The kind of a file, in words that tell a person what to do with it. Commands read all their files through here."""

from collections.abc import Callable

import msgspec

from referee.errors import Malformed
from referee.evidence.identify import VERSION, is_mail, kind_of, looks_like
from referee.io import files
from referee.io.files import either
from referee.language import Run, Text, Value, run, t

LARGE = ("record", "view", "transcript", "game", "ticket", "player", "proof")
"""Kinds that grow with the game."""

MAILED = (
    "view", "offer", "join", "move", "receipt", "extension", "transcript", "word", "proof", "ruling", "claim",
    "succession", "return", "record",
)  # fmt: skip
"""Kinds that people mail to each other: a saved mail stands for the document in it."""

FILE = "{file}"
"""Stands for the name of the file in what to do with it."""
_APPLY = t("it is for the host: `referee apply GAME.json {file}`", file=FILE)
_VERIFY = t("check it with {run}", run=run("verify", FILE))
OURS = {
    "offer": (t("an offer"), t("answer it with {run}", run=run("join", FILE))),
    "join": (t("a player's join"), t("it is for the host: `referee start OFFER JOIN...`")),
    "view": (
        t("a player's view"),
        t("look at it with {run}, answer with {run2}", run=run("show", FILE), run2=run("play", FILE)),
    ),
    "move": (t("a signed move"), _APPLY),
    "receipt": (
        t("the host's receipt for a move"),
        t("keep it; `referee audit VIEW {file}` compares it with your view", file=FILE),
    ),
    "extension": (
        t("the host's promise of more time for one answer"),
        t("keep it; `referee dispute VIEW {file}` shows whether it was kept", file=FILE),
    ),
    "word": (
        t("a player's signed statement to the host"),
        t("it is for the host's office: {run} reads it", run=run("mail", "run", "--only", "in")),
    ),
    "transcript": (t("the transcript of a finished game"), _VERIFY),
    "proof": (t("a proof of an offence"), t("judge it with {run}: it needs nothing else", run=run("verify", FILE))),
    "succession": (t("a player's request to take over a vacant seat"), _APPLY),
    "return": (t("a player's request to come back to the game"), _APPLY),
    "ruling": (t("an arbiter's ruling"), _VERIFY),
    "claim": (
        t("a player's signed claim"),
        t("check it with {run}; it is for the arbiter", run=run("verify", FILE)),
    ),
    "record": (t("a game of a tournament of bots"), t("check it with {run}", run=run("verify", FILE, "ledger.jsonl"))),
    "game": (
        t("a host's game file, which knows every hidden card"),
        t("do not show it to anyone; its host can run {run}", run=run("show", FILE)),
    ),
    "key": (t("a secret key"), t("never send it to anyone; use it with `--key {file}`", file=FILE)),
    "player": (
        t("a player's file: a secret key, and what a page remembers with it"),
        t("never send it to anyone; use it with `--key {file}`", file=FILE),
    ),
    "ticket": (t("what your program remembers of a game"), t("leave it where it is")),
    "guard": (t("what this machine signed last in a game"), t("leave it where it is")),
    "entrant": (
        t("a bot's entry for a tournament"),
        t("it is for the organiser: `referee tournament next DIR {file}`", file=FILE),
    ),
    "disclosure": (
        t("a number opened for a tournament"),
        t("it is for the organiser: `referee tournament next DIR {file}`", file=FILE),
    ),
    "aid": (
        t("what a host's program adds to a view for a page"),
        t("open it together with its view in the player's page"),
    ),
    "edition": (
        t("an edition of a game"),
        t("offer a game with it: `referee offer GAME --seats N --edition {file}`", file=FILE),
    ),
}
_FOREIGN = {
    "ssh": (
        t("an OpenSSH private key"),
        t("never send it to anyone; an Ed25519 key can be used with `--key {file}`", file=FILE),
    ),
    "ssh-public": (
        t("the public half of an OpenSSH key"),
        t("`--key` needs the private half, the file without `.pub`"),
    ),
    "mail": (
        t("a mail"),
        t("its text proves nothing; save a document from it as a separate file to look at that"),
    ),
    "html": (t("a web page"), t("save the attachment itself, not the page that shows it")),
    "zip": (t("an archive"), t("unpack it, and give the file inside")),
    "compressed": (t("a compressed file"), t("unpack it, and give the file inside")),
    "pdf": (t("a PDF"), t("ask for the file that the program wrote")),
    "picture": (t("a picture"), t("ask for the file that the program wrote")),
    "schema": (t("a JSON Schema"), t("it describes files; give one of those")),
    "json": (t("JSON, but not a file of this program"), t("check the name of the file")),
    "": (t("not a file of this program, or a damaged one"), t("ask for it again, as an attachment")),
}
NAMES = {**OURS, **_FOREIGN}
"""Kind -> what it is, and what to do with it."""


def read(path: str, *wanted: str, unpack: Callable[[bytes], bytes] | None = None) -> bytes:
    """Read a file of one of these kinds; for any other, the error says what it is. A final newline, as editors and
    mailers add it, is not part of it. `unpack` takes the document out of a mail, which may be larger."""
    most = files.LARGE if any(kind in LARGE for kind in wanted) else files.SMALL
    raw = files.read(path, files.LARGE if unpack else most, *wanted)
    data = raw.rstrip(b"\r\n")
    if unpack is not None and not data.startswith(b"{") and is_mail(data):
        return unpack(data)
    if len(raw) > most:
        why = t("{path} is larger than any {wanted}", path=_named(path), wanted=either(wanted))
        raise Malformed(why, t("give that file here"), code="too-large")
    if not any(looks_like(data, kind) for kind in wanted):
        refuse_other(data, path, wanted)
    return data


def find(path: str) -> tuple[str, bytes]:
    """Any file, and its kind."""
    data = files.read(path, files.LARGE, "file").rstrip(b"\r\n")
    return "view" if looks_like(data, "view") else kind_of(data), data


def refuse_other(data: bytes, path: str, wanted: tuple[str, ...]) -> None:
    """Refuse a file that is not of one of these kinds."""
    kind = kind_of(data)
    also = {"key": ("key", "ssh"), "edition": ("edition", "json", "schema")}
    if any(kind in also.get(one, (one,)) for one in wanted):
        return
    if not data.strip():
        why = t("{path} is empty", path=_named(path))
        raise Malformed(why, t("ask for the {wanted} again", wanted=either(wanted)), code="empty")
    error = other(kind, path)
    if kind:
        error.next = t("give the {wanted} here. This one: {next}", wanted=either(wanted), next=error.next)
    else:
        error.next = t("give the {wanted} here; if this is it, {next}", wanted=either(wanted), next=error.next)
    raise error


def other(kind: str, path: str) -> Malformed:
    """An error that says what a file is that does not belong here."""
    code = "other-version" if kind.isdigit() else "wrong-kind" if kind else "malformed"
    return Malformed(
        t("{path} is {kind}", path=_named(path), kind=_description(kind)[0]), advice(kind, path), code=code
    )


def _description(kind: str) -> tuple[Text, Text]:
    """What it is, and what to do with it."""
    if not kind.isdigit():
        return NAMES[kind]
    what = t("a file of protocol version {kind}, but this program knows version {ours}", kind=kind, ours=VERSION)
    return what, t("install a pbem-referee that knows protocol version {kind}: its CHANGELOG says so", kind=kind)


def advice(kind: str, path: str) -> Text:
    """What to do with a file of this kind."""
    text = _description(kind)[1]
    return msgspec.structs.replace(text, values=tuple((name, _filled(value, path)) for name, value in text.values))


def _filled(value: Value, path: str) -> Value:
    """A value with the name of the file where it belongs."""
    from shlex import quote

    if isinstance(value, Run):
        return Run(tuple(path if word == FILE else word for word in value.words))
    return quote(files.printable(path)) if value == FILE else value


def _named(path: str) -> Value:
    return t("this") if path == "-" else files.printable(path)
