"""Where a game stands, for its host."""

import os
from typing import Any

from referee.cli import t, w
from referee.cli.common import GameArgument, JsonOption, KeyOption, load_key, out, say, with_key
from referee.cli.reports import report
from referee.language import Run, Time, dated, listed, run
from referee.show.text import asked_for, clean, marked, span


def status(game: GameArgument, json: JsonOption = False, key: KeyOption = None) -> None:
    """Who must act, and since when."""
    import datetime
    import time

    from referee.io import desk

    match = desk.read_match(game, load_key(key))
    changed = datetime.datetime.fromtimestamp(os.stat(game).st_mtime if game != "-" else time.time()).astimezone()
    if json:
        report({**status_of(match), "since": changed.isoformat(timespec="seconds")})
        return
    for line in status_lines(match):
        out(line)
    out(w("  file written {time}", time=dated(changed)))
    if not (match.table.offer.deadline or match.state.end or match.revealed):
        out(w("  no deadlines: nobody can be timed out; if it cannot go on, {command} ends it without a result",
              command=run("reveal", game, "--abandon", *with_key(key))))  # fmt: skip
    tell_next(match, 0, False, run("reveal", game, *with_key(key)))


def status_of(match: Any) -> dict[str, Any]:
    """Where a game stands, for programs."""
    from referee.cli.seats import newcomer
    from referee.engine.rounds import asked
    from referee.engine.seats import open_seats, out_seats, rests
    from referee.io import desk

    state, names = match.state, [clean(name) for name in match.table.names]
    # Who is first because the others left has no score.
    result = state.result
    abandoned = match.revealed and not state.end and not rests(state)
    scores = [list(score) for score in result.scores] if result and state.end != "left" else []
    return {
        "game": match.table.id,
        "title": match.table.game.title,
        "players": names,
        "round": state.round,
        "open_round": 0 if state.end or abandoned else state.round + 1,
        "due": state.due,
        "grace": match.table.offer.grace,
        "kept": [names[seat] for seat in match.table.kept],
        "waiting_for": [
            {"name": names[seat], "seat": seat + 1, "what": ask.what, "late": seat in match.late}
            | {"due": desk.due_at(match, seat), "bank": desk.bank_of(match, seat)}
            for seat, ask in asked(state).items()
            if seat not in match.waiting and not abandoned
        ],
        "answered": [names[seat] for seat in sorted(match.waiting)],
        "out": [names[seat] for seat in sorted(out_seats(state))],
        "vacant": [names[one.seat] for one in open_seats(match.table, state)],
        "arriving": [{"seat": seat + 1, "name": newcomer(match, seat)} for seat in sorted(match.arrivals)],
        "end": state.end,
        "rests": rests(state),
        "abandoned": abandoned,
        "ranks": list(result.ranks) if result else [],
        "scores": scores,
        "out_at_the_end": [names[seat] for seat in result.out] if result else [],
    }


_ENDS = {
    "result": t("played to its end"), "left": t("the others have left"), "void": t("it has run out of rounds"),
}  # fmt: skip


def status_lines(match: Any) -> list[str]:
    """Where a game stands, for its host."""
    from referee.cli.seats import arriving

    found, game = status_of(match), match.table.offer.game
    played = w.plural("{n} round played", "{n} rounds played", found["round"])
    if found["open_round"]:
        played = w("{played}, round {round} is open", played=played, round=found["open_round"])
    lines = [w("{title}, game {game}, {played}", title=found["title"], game=found["game"][:8], played=played)]
    lines.append(w("  players in seat order: {names}", names=listed(found["players"])))
    if found["due"]:
        told = w("  deadline {time}", time=Time(found["due"]))
        if found["grace"]:
            told = w("  deadline {time}, and {span} of grace", time=Time(found["due"]), span=span(found["grace"]))
        lines.append(told)
    for row in found["waiting_for"]:
        told = w("  waiting for {name}: {what}", name=row["name"], what=asked_for(row["what"], game))
        if row["due"] != found["due"]:
            told = w("{waiting}, with time until {time}", waiting=told, time=Time(row["due"]))
        if row["bank"]:
            told = w("{waiting}, {span} in the time bank", waiting=told, span=span(row["bank"]))
        lines.append(w("{waiting}, deadline missed", waiting=told) if row["late"] else told)
    lines += [w("  {name} has answered", name=name) for name in found["answered"]]
    lines += [w("  {name} is no longer asked", name=name) for name in found["out"]]
    lines += [w("  {name}'s seat can be taken over", name=name) for name in found["vacant"]]
    lines += [f"  {arriving(match, row['seat'] - 1)}" for row in found["arriving"]]
    lines += [w("  you keep {name}'s key", name=name) for name in found["kept"]]
    if found["abandoned"]:
        lines.append(w("  over: abandoned by the host in round {round}, no result", round=found["round"]))
    if found["end"]:
        lines.append(w("  over: {end}", end=_ENDS[found["end"]]))
        scores = [f" ({', '.join(map(str, score))})" for score in found["scores"]] or [""] * len(found["ranks"])
        result = match.state.result
        ranking = sorted(zip(found["ranks"], marked(result, found["players"]), scores, strict=True)) if result else []
        lines += [f"  {rank}. {name}{score}" for rank, name, score in ranking]
    return lines


def tell_next(match: Any, closed: int, dry: bool, end: Run) -> None:
    """What the host does next; `end` is the command that reveals this game."""
    found, game = status_of(match), match.table.offer.game
    if dry:
        say(w("Next: run it again without --dry-run; nothing was written."))
    elif found["rests"] and found["answered"]:
        say(w("Next: the game wakes up when you run `referee timeout GAME.json --seat NAME` for all who stay silent."))
    elif found["rests"]:
        say(w("Next: the game rests: nobody answers. Wait for any player's answer, or end it with {command}.",
              command=end))  # fmt: skip
    elif found["abandoned"]:
        say(w("Next: you have abandoned this game; run {command} to write its transcript again.", command=end))
    elif found["end"]:
        say(w("Next: the game is over; run {command} and send everybody the transcript.", command=end))
    else:
        names = ", ".join(f"{row['name']} ({asked_for(row['what'], game)})" for row in found["waiting_for"])
        send = w("Next: send these files; waiting for {names}.", names=names)
        say(send if closed else w("Next: waiting for {names}.", names=names))
