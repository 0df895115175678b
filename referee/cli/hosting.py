"""An office for games by mail, from nothing to the first invitation."""

import os
from collections.abc import Callable

from referee.cli import common as c
from referee.cli import w
from referee.crypto import keys
from referee.io import files
from referee.language import run
from referee.library import completion, dialogue, offices
from referee.library.values import placeholder
from referee.mail import office


def host(
    root: str = c.argument("[DIR]", "The office's folder.", default="office"),
    name: str = c.option("--name", "", "Your name as players read it.", default=""),
    address: str = c.option("--address", "", "The email address of the office.", default=""),
    key: str | None = c.option("--key", "FILE", "Your own key. Default: a new one.", completion.files("key", "player")),
    bare: bool = c.flag("--bare", "Only make the office, and ask nothing, as without a terminal."),
    now: c.NowOption = None,
    dry: c.DryOption = False,
) -> None:
    """Host games by mail: asks what is needed for an office, its mail account and the first invitations, tests it, and
    lets this machine run it. Run it again to go on, or to change something.

    Example: referee host office
    referee host office --bare --name Hanna --address games@example.org
    """
    if bare or dry or not c.is_interactive():
        return _make(root, name, address, key, dry=dry)
    new = not os.path.lexists(os.path.join(root, office.SETTINGS))
    asked = dialogue.Dialogue(c, root)
    if new:
        asked.begin(name, _key(key)())
    with c.so_far(w("What you answered before is kept. Go on with {run}.", run=run("host", root))):
        return asked.go_on(address, lambda: c.clock(now), new=new)


def _make(root: str, name: str, address: str, key: str | None, *, dry: bool) -> None:
    offices.make_office(root, name, address, _key(key), dry=dry)
    if dry:
        return c.next_step("", dry=True)
    c.say(w("The office is in {folder}. Keep a copy of host.key: no game can continue without it.",
            folder=files.printable(root)))  # fmt: skip
    to = ("--seats", "N", "--office", root, "--to", placeholder("ADDRESS"))
    invite = run("offer", placeholder("GAME"), *to)
    toml = files.printable(os.path.join(root, office.SETTINGS))
    return c.say(w("Next: look through {file}, then {test}; invite with {offer}.", file=toml, offer=invite,
            test=run("mail", "status", root, "--test")))  # fmt: skip


def _key(path: str | None) -> "Callable[[], keys.Key | None]":
    return lambda: c.load_key(path) if path is not None else None
