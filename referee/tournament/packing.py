"""The games of a stage on their way into packs: stored at once, bound by a line of the ledger when a pack is full."""

from referee.tournament import derivation, store
from referee.tournament.outcome import Outcome
from referee.tournament.playing import expand
from referee.tournament.schedule import Plan
from referee.tournament.seating import Setting, chance_of
from referee.tournament.stage import Desk


class Packing:
    """A pack ends where the next group would not fit any more, so it never has part of a group: records hold what was
    sealed, and would show hands that are still to be played."""

    def __init__(self, desk: Desk, setting: Setting) -> None:
        part = desk.part
        self.desk, self.setting, self.start = desk, setting, part.ids["start"]
        self.spool = store.Spool(desk.folder, store.first_pack(desk.ledger, part) + len(part.packs))
        self._games: list[tuple[Plan, bytes]] = []
        """Plan and leaf of each game of the open pack."""

    def add(self, plan: Plan, line: bytes) -> Outcome:
        """Add the next game. It is stored with the next `save`."""
        last = self._games[-1][0] if self._games else plan
        if plan.group != last.group and len(self._games) + len(plan.seats) > store.PER_PACK:
            self.sign()
        self.spool.add(line)
        leaf = derivation.leaf(self.start, plan.number, chance_of(self.setting, plan), line)
        self._games.append((plan, leaf))
        return store.stored(line).outcome

    def sign(self) -> None:
        """Store the open pack, and add its line to the ledger."""
        if not self._games:
            return
        root = derivation.root([leaf for _, leaf in self._games])
        at = int.from_bytes(root) % len(self._games)
        expand(self.setting, self._games[at][0], store.stored(self.spool.lines[at]))
        size = self.spool.write_pack()
        self.desk.pack(self._games[0][0].number, len(self._games), size, root)
        self.spool.next()
        self._games = []

    def end(self) -> None:
        """The last game was added."""
        self.sign()
        self.spool.remove()
