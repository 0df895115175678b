"""How often mails are answered. Anybody can send what we answer, and every answer goes to the player: so what in a mail
speaks for the player decides how many of its kind are answered in a day. Nobody can use up what the pass of the newest
turn is for, unless he has that pass; and a move that is taken is always answered, because each question takes one."""

from datetime import datetime
from typing import Literal

import msgspec

from referee.mail.deadlines import spelled
from referee.mail.office import Office

Kind = Literal["taken", "turn", "signed", "old", "copy", "sender", "moved"]
"""`taken`: a move that counts from now on. `turn`: the pass of the newest turn or of an open invitation. `signed`: what
a player signed for the open round. `old`: any other pass. `copy`: what everybody can copy from a view. `sender`: the
player's address, and nothing else. `moved`: what an address is told from which mails go elsewhere."""
OLD_EACH, OLD_MOST = 3, 12
"""Answers a day to one pass that is old, and to all of a player."""
SIGNED_EACH = 3
"""Answers a day to one signed document, which may come from others from the second time on."""
ANYBODY_MOST = 2
"""Answers a day to what needs no secret at all, of each kind."""
MOVED_MOST = 3
"""So often a day somebody can change the address at a table: each time the old one is told, which may be anybody's."""
TURNS_MOST = 5
"""How many times the answers of one pass all passes of newest turns of a player get together."""


class Ground(msgspec.Struct, frozen=True):
    """What in a mail speaks for a player: its kind, and which pass (without its code) or document it is."""

    kind: Kind
    what: str = ""


def may_answer(office: Office, player: str, ground: Ground, now: datetime) -> bool:
    """Whether one more mail of this player is answered today. It is counted: as answered, or as held back."""
    if ground.kind == "taken":
        return True
    known, day, name = office.players[player], now.strftime("%Y-%m-%d"), f"{ground.kind} {ground.what}"
    answered = known.answered if known.day == day else {}
    usual = office.settings.answers_per_day
    each, most = {
        "turn": (usual, TURNS_MOST * usual),
        "signed": (SIGNED_EACH, usual),
        "old": (OLD_EACH, OLD_MOST),
        "moved": (MOVED_MOST, TURNS_MOST * MOVED_MOST),
    }.get(ground.kind, (ANYBODY_MOST, ANYBODY_MOST))
    together = sum(count for one, count in answered.items() if one.startswith(f"{ground.kind} "))
    if answered.get(name, 0) >= each or together >= most:
        if ground.kind == "moved":  # the mail that asks for it is answered on a ground of its own
            return False
        held = "held_turn" if ground.kind == "turn" else "held_other"
        since = known.held_since or spelled(now)
        office.change_player(player, held_since=since, **{held: getattr(known, held) + 1})
        return False
    office.change_player(player, day=day, answered={**answered, name: answered.get(name, 0) + 1})
    return True
