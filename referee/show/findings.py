"""What the checks of a view or a transcript covered, and what cannot be proved yet: for reports."""

from collections.abc import Iterable
from typing import Any

import msgspec

from referee.crypto import slots
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import Opened
from referee.evidence.lateness import Lateness, Signed, lateness
from referee.language import listed, w
from referee.show.text import bank_payments_in_words, clean, declared_at, kept_keys


class Checks(Lateness, frozen=True, kw_only=True):
    """What was checked of a game, in figures."""

    game: str
    offer: str
    rounds: int
    signatures: int
    draws: int
    openings: int
    end: str


class Report(Checks, frozen=True, kw_only=True):
    """What an audit checked, and what cannot be proved yet."""

    name: str
    own_openings: int
    declared: tuple[str, ...]
    unproved: tuple[str, ...]
    banks: tuple[str, ...] = ()


def _figures(chain: Followed, moves: Iterable[Signed] = (), privates: int = 0) -> dict[str, Any]:
    """The fields of `Checks`, but for the end."""
    counted = {
        "game": chain.table.id,
        "offer": chain.table.offer_id,
        "rounds": chain.checkpoint.state.round,
        "signatures": signatures(chain) + privates,
        "draws": sum(one.draws for one in chain.rounds),
        "openings": sum(one.opened for one in chain.rounds),
    }
    return counted | msgspec.structs.asdict(lateness(chain, moves))


def report(opened: Opened, moves: Iterable[Signed] = ()) -> Report:
    """What the checks of a view covered; `moves` were given beside it."""
    return Report(
        **_figures(opened.chain, moves, len(opened.view.privates)),
        name=opened.name,
        own_openings=opened.owner.opened,
        end=opened.chain.checkpoint.state.end,
        declared=declared(opened.chain),
        unproved=_unproved(opened),
        banks=tuple(bank_payments_in_words(opened, range(1, opened.round + 1))),
    )


def late_in_words(found: Lateness) -> tuple[str, ...]:
    """How often each player was late, and who protested; this blames nobody."""
    lines = []
    if found.late_rounds:
        times = listed(f"{clean(one.name)} {len(one.rounds)}" for one in found.late)
        line = w.plural("{n} late round ({times})", "{n} late rounds ({times})", found.late_rounds, times=times)
        lines.append(line)
    for one in found.protests:
        values = {"name": clean(one.name), "round": one.round, "late": one.late}
        if one.shown:
            lines.append(w("protest in round {round}: {name} had signed an answer for round {late} (shown)", **values))
        else:
            lines.append(
                w("protest in round {round}: {name} had signed an answer for round {late} (only stated)", **values)
            )
    return tuple(lines)


def claims_in_words(n: int) -> list[str]:
    """How many claims there are, and that they are not proofs."""
    line = w.plural("{n} claim: the player's word, not a proof", "{n} claims: the players' word, not a proof", n)
    return [line] if n else []


def signatures(chain: Followed) -> int:
    """The number of signatures on genesis, offer, joins, entries, answers, successions and returns."""
    entries = [one.entry for one in chain.rounds]
    signed = sum(1 + len(one.answers) + len(one.successions) + len(one.returns) for one in entries)
    return 2 + chain.table.seats + signed


def declared(chain: Followed) -> tuple[str, ...]:
    """What the host itself declares: common chance; whose keys it keeps, and which draws it could foresee with them."""
    table = chain.table
    if table.offer.chance:
        return tuple(declared_at(table))
    tables = [table.seated(()), *(table.seated(one.checkpoint.state.holders) for one in chain.rounds)]
    kept = list(dict.fromkeys(one.names[seat] for one in tables for seat in one.kept))
    if not kept:
        return ()
    line = kept_keys(kept)
    if all(len(one.kept) == one.seats for one in tables):
        return line, w("draws are not protected")
    foreseen = [
        str(one.entry.round)
        for one, then in zip(chain.rounds, tables, strict=False)
        if one.draws and {answer.seat for answer in one.entry.answers} <= {*then.kept}
    ]
    if not foreseen:
        return line, w("so far the host could not foresee the draws of any round")
    return line, w.plural(
        "the host could foresee the draws of round {rounds}",
        "the host could foresee the draws of rounds {rounds}",
        len(foreseen),
        rounds=listed(foreseen),
    )


def _unproved(opened: Opened) -> tuple[str, ...]:
    """What only the transcript can prove, in words."""
    notes, book = [], opened.chain.checkpoint.state.book
    if opened.table.offer.chance:
        notes.append(w("that the draws are those of common chance"))
    hidden = [
        slot
        for bag in book.bags.values()
        for slot in (*bag.slots, *bag.tail)
        if not slots.is_open(slot) and opened.seat not in book.told.get(slot, ())
    ]
    if hidden:
        notes.append(
            w.plural(
                "what is in {n} slot that is still closed to you",
                "what is in {n} slots that are still closed to you",
                len(hidden),
            )
        )
    kinds = {type(op) for one in opened.chain.rounds for op in one.entry.ops}
    if r.Shuffle in kinds:
        notes.append(w("that resealed containers held the same tokens as before, where chance had put them"))
    if kinds & {r.Give, r.Seek, r.LayOutAll}:
        notes.append(w("that the host carried out what other players chose in secret, and withheld nothing of theirs"))
    if any(r.content(a.answer) and a.commit for one in opened.chain.rounds for a in one.entry.answers) or hidden:
        notes.append(w("that other players' moves were legal where that depends on what they hold or sealed"))
    return tuple(notes)


class Verified(Checks, frozen=True, kw_only=True):
    """What a transcript was found to be."""

    title: str
    names: tuple[str, ...]
    ranks: tuple[int, ...] = ()
    scores: tuple[tuple[int, ...], ...] = ()
    out: tuple[str, ...] = ()
    """Players who were out because of timeouts at the end."""


def verified(chain: Followed) -> Verified:
    """What the replay of a transcript found."""
    table, state = chain.table, chain.checkpoint.state
    result = state.result
    return Verified(
        **_figures(chain),
        title=table.game.title,
        names=table.names,
        end=state.end or ("abandoned" if chain.abandoned else "rests"),
        ranks=result.ranks if result else (),
        # A player who is first because the others left has no score.
        scores=result.scores if result and state.end != "left" else (),
        out=tuple(table.names[seat] for seat in result.out) if result else (),
    )
