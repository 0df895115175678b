"""The organiser's steps before the first game and after the last: each is a signed document in the ledger."""

import os
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO

from referee.bots.cgroup import enforced_by
from referee.crypto.codec import H, decode
from referee.crypto.envelope import Envelope, sign
from referee.crypto.keys import Key
from referee.errors import BadSignature, FileTrouble, Usage, WrongTurn
from referee.io import files
from referee.language import quoted, run
from referee.tournament import documents as d
from referee.tournament import t
from referee.tournament.entrants import is_ours, refuse_other
from referee.tournament.ledger import Ledger, Part, line_of, read_ledger
from referee.tournament.spec import Spec

LEDGER = "ledger.jsonl"
LARGEST = 64_000_000


def ledger_path(folder: str) -> str:
    return os.path.join(folder, LEDGER)


def load(path: str) -> Ledger:
    """The ledger of a tournament, from its folder or the file itself, verified. An incomplete last line, as after a
    crash, is ignored; the next step cuts it off."""
    file = ledger_path(path) if os.path.isdir(path) else path
    if not os.path.lexists(file):
        why = t("there is no tournament ledger in {path}", path=files.printable(path))
        raise FileTrouble(why, t("give the folder of the tournament"), code="missing")
    # Line by line: a file of many short lines would take several times its size in memory.
    lines = BytesIO(files.read(file, LARGEST, "ledger"))
    return read_ledger(line[:-1] for line in lines if line.endswith(b"\n"))


def key_path(public: str) -> str:
    """Where the organiser's key is stored: by its public key, which the ledger names, so that the folder can be moved.
    Never in the folder itself, which is published."""
    return os.path.join(files.home(), "organiser", f"{public}.key")


def none_here() -> Usage:
    return Usage(t("there is no tournament in that folder"), t("start one with `referee tournament run SPEC.toml`"))


def existing_ledger(folder: str) -> Ledger:
    """The ledger in a folder; empty if it does not have a complete document yet."""
    path = ledger_path(folder)
    if not os.path.lexists(path) or not os.path.getsize(path) or b"\n" not in files.read(path, LARGEST, "ledger"):
        return Ledger()
    return load(folder)


class Desk:
    """The organiser's folder and key, through which documents are added. A dry desk keeps them in memory."""

    def __init__(self, folder: str, key: Key, *, dry: bool = False) -> None:
        self.folder, self.key, self.dry = folder, key, dry
        self.path = ledger_path(folder)
        self.ledger = existing_ledger(folder)
        if self.ledger.parts and self.ledger.last.stage.key != key.public.hex():
            why = t("this tournament was opened with another key")
            raise BadSignature(why, t("give the organiser's key (--key)"), code="other-key")
        if os.path.lexists(self.path) and not dry:  # cut off half a line that a crash left
            with open(self.path, "rb+") as file:
                file.truncate(file.read().rfind(b"\n") + 1)

    def add(self, *envelopes: Envelope) -> None:
        """Verify documents and write them, all or none."""
        for envelope in envelopes:
            self.ledger.add(envelope)
        if self.dry:
            return
        with open(self.path, "ab") as file:
            file.write(b"".join(map(line_of, envelopes)))
            file.flush()
            os.fsync(file.fileno())

    @property
    def part(self) -> Part:
        if not self.ledger.parts:
            raise none_here()
        return self.ledger.last

    # --- the steps ---------------------------------------------------------------------------------------------------

    def commit(
        self,
        name: str,
        games: tuple[d.Played, ...],
        schedule: d.Schedule,
        limits: d.Limits,
        nonce: bytes,
        arbiter: str = "",
    ) -> None:
        """Open a stage: commit to the secret and the spec."""
        if self.ledger.parts and self.part.ending is None:
            advice = t("finish it with {run}", run=run("tournament", "run"))
            raise WrongTurn(t("the previous stage is not over"), advice, code="not-over")
        bound = H("tournament-secret", d.secret_of(self.key, nonce)).hex()
        prev = self.part.ids["ending"] if self.ledger.parts else ""
        stage = d.Stage(name, self.key.public.hex(), nonce.hex(), bound, games, schedule, limits, prev, arbiter)
        self.add(sign(self.key, "stage", stage))

    def enter(self, bots: dict[str, d.Bot]) -> None:
        """Enter bots for the organiser. One that is already there must be the same."""
        there = {one.name: one.bot for one in self.part.entrants.values()}
        for name, bot in bots.items():
            if there.get(name) != bot:
                key = d.kept_key(self.key, self.part.id, name)
                self.add(d.make_entrant(key, self.part.id, name, bot, kept=True))

    def close(self, entrants: Iterable[bytes] = ()) -> None:
        """Add the entrants that others sent, and close entries."""
        for data in entrants:
            self.add(decode(data, Envelope, "entrant"))
        if len(self.part.entrants) < 2:
            raise Usage(t("a tournament needs two bots"), t("enter more bots"), code="too-few")
        self.add(sign(self.key, "closing", d.Closing(self.part.id, tuple(self.part.entrants))))

    def start(self, disclosures: Iterable[bytes] = (), *, unconfined: bool = False) -> None:
        """Add the nonces that others opened, open those of the organiser's own bots, and start."""
        if self.part.closing is None:
            advice = t("close them with {run}", run=run("tournament", "next"))
            raise WrongTurn(t("entries are not closed"), advice, code="not-closed")
        for data in disclosures:
            self.add(decode(data, Envelope, "disclosure"))
        opened = {one.entrant for one in self.part.disclosed.values()}
        for name, entrant in self.part.entrants.items():
            if entrant.kept and name not in opened:
                key = d.kept_key(self.key, self.part.id, entrant.name)
                self.add(d.disclose(key, self.part.id, self.part.ids["closing"], name))
        if len(self.part.players) < 2:
            why = t("fewer than two entrants disclosed their nonces")
            raise Usage(why, t("ask the other entrants for their disclosures"), code="too-few")
        for _, one in self.part.players:
            refuse_other(one.name, one.bot)
        ours = all(is_ours(one.bot) for _, one in self.part.players)
        limits = "" if ours or unconfined else enforced_by()
        named = self.part.ids["closing"], tuple(self.part.disclosed)
        self.add(sign(self.key, "start", d.Start(*named, unconfined, limits)))

    def withdraw(self, name: str, since: int, reason: str) -> None:
        """Withdraw a bot."""
        if self.part.start is None or name not in self.ledger.names:
            advice = t("{run} lists the bots", run=run("tournament", "check"))
            raise Usage(t("no bot {name} plays in this tournament", name=quoted(name[:40])), advice, code="no-bot")
        if name in self.ledger.withdrawn():
            raise WrongTurn(t("{name} is already withdrawn", name=name), t("nothing to do"), code="withdrawn")
        self.add(sign(self.key, "withdrawal", d.Withdrawal(self.part.ids["start"], name, since, reason)))

    def amend(self, number: int, ruling: Envelope) -> None:
        """Add an arbiter's ruling on the game with this number."""
        self.add(sign(self.key, "amendment", d.Amendment(self.part.ids["start"], number, ruling)))

    def pack(self, first: int, count: int, size: int, root: bytes) -> None:
        """Bind games that were played."""
        ids = self.part.ids
        self.add(sign(self.key, "pack", d.Pack(ids["start"], first, count, size, root.hex(), ids.get("pack", ""))))

    def end(self, secret: bytes, games: int, numbers: int, groups: int) -> None:
        """All games are played: publish the secret."""
        ids = self.part.ids
        ending = d.Ending(ids["start"], secret.hex(), games, numbers, groups, ids.get("pack", ""))
        self.add(sign(self.key, "ending", ending))


def own_entrant(part: Part, key: Key) -> tuple[str, d.Entrant]:
    """The entrant of a stage that this key entered."""
    for name, one in part.entrants.items():
        if one.key == key.public.hex():
            return name, one
    raise BadSignature(t("nothing was entered with this key"), t("give the key that entered the bot"), code="other-key")


def follows_spec(part: Part, spec: Spec, games: Sequence[d.Played], bots: Mapping[str, d.Bot]) -> bool:
    """Whether a stage was made from this spec, as far as it has got."""
    stage = part.stage
    mine = {one.name: one.bot for one in part.entrants.values() if one.kept}
    expected = spec.name, tuple(games), spec.schedule, spec.limits, spec.arbiter
    same = expected == (stage.name, stage.games, stage.schedule, stage.limits, stage.arbiter)
    return same and mine.items() <= bots.items() and (part.closing is None or len(mine) == len(bots))
