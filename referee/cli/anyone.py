"""Commands for anyone: demo, manual, games, rules, show."""

import sys
from typing import Annotated

import typer

from referee.cli import common as c
from referee.cli import w
from referee.cli.look import show_view
from referee.errors import Usage
from referee.language import run, spoken
from referee.library import completion


def demo(
    game: Annotated[str, c.argument("[GAME]", "Which game.", completion.games)] = "schwarzer-freitag",
    seats: c.SeatsOption = 3,
    output: Annotated[str, c.option("-o", "DIR", "A new folder for all files.")] = "referee-demo",
    seed: Annotated[str | None, typer.Option("--seed", help="Any text: the same text gives the same game.")] = None,
    json: c.JsonOption = False,
) -> None:
    """Bots play a whole game over files; a forged move is refused; everything is audited and verified."""
    from referee.bots.demo import run as play

    found = play(game, seats, output, seed, c.say)
    if json:
        c.report(found)
        return
    show, verify = run("show", found.example_view), run("verify", found.transcript)
    advice = w("Next: look at a position with {show}, check the game with {verify}.", show=show, verify=verify)
    c.tell(found.lines(), [advice])


def manual(topic: Annotated[str, c.argument("[TOPIC]", "One page of it.", completion.topics)] = "") -> None:
    """Read the manual: which pages it has, or one of them."""
    from referee.library.manual import page, titles
    from referee.library.rulebook import fitted

    if topic:
        return c.out(fitted(page(topic, spoken()).rstrip(), c.width(sys.stdout), flow=sys.stdout.isatty()))
    advice = w("Next: {next} shows a page.", next=run("manual", "playing"))
    return c.tell([f"{name:12} {title}" for name, title in titles(spoken()).items()], [advice])


def games(
    game: Annotated[str, c.argument("[GAME]", "One of them, explained.", completion.games)] = "",
    json: c.JsonOption = False,
) -> None:
    """The games this referee knows; of one of them, what its options mean and how long it takes."""
    from referee.games import game_ids
    from referee.library import rulebook
    from referee.show.rules import facts

    if game:
        found = facts(game)
        advice = w("Next: {offer} opens a game, {rules} prints the rules.",
                   offer=run("offer", game, "--seats", "N"), rules=run("rules", game))  # fmt: skip
        if json:
            return c.report(found)
        return c.tell(rulebook.explained(found, c.width(sys.stdout), flow=sys.stdout.isatty()), [advice])
    rows = []
    for game_id in game_ids():
        try:
            rows.append(facts(game_id))
        except Usage as error:
            c.say(f"referee: {error.message}")
    advice = w("Next: `referee games GAME` explains the options, `referee rules GAME` prints the rules.")
    return c.report(rows) if json else c.tell(rulebook.listed(rows), [advice])


def rules(
    game: c.GameName,
    clause: Annotated[str, c.argument("[CLAUSE]", "One clause, for example SF-16.")] = "",
    language: Annotated[str | None, c.language_option("Instead of your own language.")] = None,
    sources: Annotated[bool, typer.Option("--sources", help="Say where each clause comes from.")] = False,
) -> None:
    """The rules that the referee enforces, or one clause of them."""
    from referee import games
    from referee.io.language import choose
    from referee.library import rulebook

    games.load(game)
    wanted = choose(language) if language else spoken()
    if not games.rules_text(game, wanted):
        c.say(w("The rules of {game} have no translation ({language}); here they are in English.",
                game=game, language=wanted))  # fmt: skip
    width, flow = c.width(sys.stdout), sys.stdout.isatty()
    c.out(rulebook.rules(game, clause, wanted, width, sources=sources, flow=flow))


def show(
    file: Annotated[
        str,
        c.argument(
            "FILE",
            "Any file of a game, or a saved mail; - for standard input.",
            completion.files(
                "view", "offer", "join", "move", "receipt", "extension", "word", "transcript", "key", "game", mail=True
            ),
        ),
    ],
    now: c.ClockOption = None,
    json: c.JsonOption = False,
    key: c.KeyOption = None,
) -> None:
    """What a file is, what it says and what to do with it: a view, an offer, a join, a move, a receipt, a key..."""
    kind, data = c.find_document(file)
    if kind == "view":
        show_view(file, data, json, key, now)
        return
    from referee.io import kinds
    from referee.library.describing import described, described_game

    lines = described_game(file, data, lambda: c.load_key(key)) if kind == "game" else described(kind, data)
    if not lines:
        raise kinds.other(kind, file)
    if json:
        c.report({"kind": kind, "lines": lines, "next": kinds.advice(kind, file)})
        return
    c.tell(lines, [w("Next: {next}.", next=kinds.advice(kind, file))])
