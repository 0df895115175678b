"""Commands for learning: demo, manual, games, rules."""

import sys

import typer

from referee.cli import common as c
from referee.cli import t, w
from referee.errors import FileTrouble, Usage
from referee.io import screen
from referee.language import Run, current_language, run, with_values
from referee.library import completion, rulebook, values


def demo(
    game: str = c.argument("[GAME]", "Which game.", completion.games, default="schwarzer-freitag"),
    seats: c.SeatsOption = 3,
    output: str = c.option("-o", "DIR", "A new folder for all files.", default="referee-demo"),
    seed: str | None = c.option("--seed", "", "Any text: the same text gives the same game."),
    json: c.JsonOption = False,
) -> None:
    """Watch bots play a whole game over files; a forged move is refused; everything is audited and verified.

    Example: referee demo mark -o my-demo
    """
    from referee.bots.demo import run as play

    try:
        found = play(game, seats, output, seed, c.say)
    except FileTrouble as error:
        error.next = with_values(
            error.next, lambda value: values.as_started(*value.words) if isinstance(value, Run) else value
        )
        raise
    if json:
        c.report(found)
        return
    show, verify = values.as_started("show", found.example_view), values.as_started("verify", found.transcript)
    advice = w("Next: look at a position with {show}, check the game with {verify}.", show=show, verify=verify)
    c.print_and_note(found.lines(game), [advice])


def manual(topic: str = c.argument("[TOPIC]", "One page of it.", completion.topics, default="")) -> None:
    """Read the manual: list its pages, or read one.

    Example: referee manual hosting
    """
    from referee.library.manual import page, titles

    if topic:
        text = page(topic, current_language()).rstrip()
        return c.out(rulebook.fitted(text, screen.width(sys.stdout), flow=sys.stdout.isatty()))
    advice = w("Next: {next} shows a page.", next=run("manual", "playing"))
    return c.print_and_note([f"{name:12} {title}" for name, title in titles(current_language()).items()], [advice])


def games(
    game: str = c.argument("[GAME]", "One of them, explained.", completion.games, default=""),
    save: str | None = c.option("--save-edition", "FILE", "Write its edition to a file, to change it."),
    edition: str | None = c.option(
        "--edition",
        "FILE",
        "Check an edition of your own: whether a game with it can be played, and what it changes.",
        completion.files("edition"),
    ),
    leaks: bool = c.flag(
        "--leaks", "Search it for leaks: does anything that a player gets depend on what that player may not know?"
    ),
    worlds: int | None = c.option(
        "--worlds", "", "How many worlds --leaks compares. Default: 200.", min=1, max=100_000
    ),
    seed: str | None = c.option("--seed", "", "Any text: the same text gives the same search for leaks."),
    json: c.JsonOption = False,
) -> None:
    """List the games; or explain one: its options, how long it takes. Or check an edition of your own, or a game of
    your own for leaks.

    Example: referee games schwarzer-freitag
    referee games --edition my-edition.json
    referee games my-game --leaks
    """
    c.chosen({"--save-edition": save, "--edition": edition, "--leaks": leaks})
    c.refuse_without({"--worlds": worlds, "--seed": seed}, "--leaks", leaks)
    if leaks:
        return _search_for_leaks(game, worlds or 200, seed or "", json=json)
    if save is not None:
        return _save_edition(game, save)
    if edition is not None:
        return _check_edition(game, edition, json=json)
    return _explain(game, json=json) if game else _list(json=json)


def _explain(game: str, *, json: bool) -> None:
    from referee.show.rules import facts

    found = facts(game)
    advice = w("Next: {offer} offers a game, {rules} prints the rules.",
               offer=run("offer", game, "--seats", "N"), rules=run("rules", game))  # fmt: skip
    if json:
        return c.report(found)
    return c.print_and_note(rulebook.explained(found, screen.width(sys.stdout), flow=sys.stdout.isatty()), [advice])


def _list(*, json: bool) -> None:
    from referee.games import game_ids
    from referee.show.rules import facts, outline

    rows = []
    for game_id in game_ids():
        try:
            rows.append(facts(game_id) if json else outline(game_id))
        except Usage as error:
            c.say(f"referee: {error.message}")
    advice = w("Next: `referee games GAME` explains the options, `referee rules GAME` prints the rules.")
    return c.report(rows) if json else c.print_and_note(rulebook.listed(rows), [advice])


def _needs_a_game(option: str, game: str) -> None:
    if not game:
        raise Usage(t("{option} needs a game", option=option), t("name one: {run} lists them", run=run("games")))


def _search_for_leaks(game: str, worlds: int, seed: str, *, json: bool) -> None:
    from referee.testing.leaks import Leak, search

    _needs_a_game("--leaks", game)
    found = search(game, worlds, seed)
    if json:
        c.report(found)
        raise typer.Exit(Leak.exit if found.leak else 0)
    c.print_and_note(found.lines(), ())
    if found.leak:
        raise Leak(found.leak)
    if not found.differed:
        c.say(w("Next: nothing; no hidden token and no sealed field of this game was found that could differ."))
        return
    c.say(w("Next: nothing; no leak was found. More worlds find more: --worlds N."))


def _save_edition(game: str, path: str) -> None:
    from referee.library import editions

    _needs_a_game("--save-edition", game)
    try:
        c.write_out(path, editions.copy(game), new=True)
    except FileTrouble as error:
        error.next = t("give --save-edition another name")
        raise
    c.say(w("Next: change {file}, then check it with {check}.", file=path, check=run("games", "--edition", path)))


def _check_edition(game: str, path: str, *, json: bool) -> None:
    from referee.library import editions

    found = editions.check(path, game)
    if json:
        return c.report(found)
    advice = run("offer", found.game, "--seats", "N", "--edition", path)
    return c.print_and_note(editions.lines_of(found), [w("Next: {offer} offers a game with it.", offer=advice)])


def rules(
    game: c.GameName,
    clause: str = c.argument("[CLAUSE]", "One clause, for example SF-16.", default=""),
    language: str | None = c.language_option("Instead of your own language."),
    sources: bool = c.flag("--sources", "Say where each clause comes from."),
) -> None:
    """Read the rules of a game, as numbered clauses that the referee enforces; or one clause.

    Example: referee rules schwarzer-freitag SF-16
    """
    from referee import games
    from referee.io.language import choose

    games.load(game)
    wanted = choose(language) if language else current_language()
    if not games.rules_text(game, wanted):
        c.say(w("The rules of {game} have no translation ({language}); here they are in English.",
                game=game, language=wanted))  # fmt: skip
    width, flow = screen.width(sys.stdout), sys.stdout.isatty()
    c.out(rulebook.rules(game, clause, wanted, width, sources=sources, flow=flow))
