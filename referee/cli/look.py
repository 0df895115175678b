"""The commands with which people look at a game: any file of it, its moves, story and pictures; pages, the inbox."""

import sys
from typing import TYPE_CHECKING, NamedTuple

import typer

from referee.cli import common as c
from referee.cli import t, w
from referee.errors import Malformed, Usage
from referee.io import desk, kinds, screen
from referee.language import Text, current_language, run, speaking
from referee.library import auditing, completion, describing, documents, looking, replaying, running
from referee.library.values import sentence
from referee.page import assemble
from referee.show import terminal, typed

if TYPE_CHECKING:
    from referee.engine.player import Opened

NARROW, WIDE = 100, 2000


def warn_if_not_current(opened: "Opened", old: bool, key: str | None = None) -> "Opened":
    """Say so if a view is not the newest one, or belongs to somebody else."""
    if old:
        c.say(w("This is an older view than one that you have seen before."))
    if warning := looking.ownership_warning(opened, documents.public_half(key)):
        c.say(sentence(warning))
    return opened


def open_game(path: str) -> "replaying.Game":
    """The game in a view or a transcript, to look at it."""
    game = replaying.open_game(path)
    if game.opened:
        warn_if_not_current(game.opened, game.old)
    return game


class ShowOptions(NamedTuple):
    """What to show of a file, instead of a summary."""

    moves: bool = c.flag(
        "--moves",
        "The legal moves, numbered, in the words that `play --move` takes; with --json, "
        "all that a program needs to build them.",
    )
    all_: bool = c.flag("--all", "With --moves: also those that the short list omits.")
    story: bool = c.flag("--story", "What happened, round by round, as far as you know.")
    svg: str | None = c.option("--svg", "FILE", "Write a picture of the board; - prints it.")
    png: str | None = c.option("--png", "FILE", "The same as a PNG.")
    width: int | None = c.option(
        "--width", "", "Of a picture; below 600 the board is drawn for a phone. Default: 600.", min=NARROW, max=WIDE
    )
    rounds: str | None = c.option(
        "--round", "A..B", "The story of these rounds, 4..9, 4.., ..9 or 4; the board after one."
    )
    seat: str | None = c.option("--seat", "NAME", "The board of a transcript, as this player saw it.", completion.seats)
    view: str | None = c.option("--view", "NAME", "Of a game file: write this player's view again.", completion.seats)
    public: bool = c.flag("--public", "Of a game file: write the public view, which shows what everybody may know.")
    output: str | None = c.option("-o", "FILE", "Where to write the view; - prints it.")
    aid: c.AidOption = False
    dry: c.DryOption = False

    def chosen(self) -> str:
        """The option that says what to show, if any; the others must belong to it."""
        picture = self.svg is not None or self.png is not None
        view = self.view is not None or self.public
        c.refuse_without({"--all": self.all_}, "--moves", self.moves)
        c.refuse_without({"--width": self.width}, "--svg", picture)
        c.refuse_without({"--seat": self.seat}, "--svg", picture)
        c.refuse_without({"--round": self.rounds}, "--story", self.story or picture)
        c.refuse_without({"-o": self.output, "--aid": self.aid}, "--view", view)
        return c.chosen({"--moves": self.moves, "--story": self.story, "--svg": self.svg, "--png": self.png,
                         "--view": self.view, "--public": self.public})  # fmt: skip


def show(
    file: str = c.argument(
        "FILE",
        "Any file of a game, or a saved mail; - for standard input.",
        completion.files(
            "view", "offer", "join", "move", "receipt", "extension", "word", "transcript", "key", "game", mail=True
        ),
    ),
    *,
    what: ShowOptions,
    now: c.ClockOption = None,
    json: c.JsonOption = False,
    key: c.KeyOption = None,
) -> None:
    """Look at any file of a game: what it is, what it says, what to do with it. A view shows the board and what is
    asked; a game file, who must act.

    Example: referee show be4f2750-r012-anna.view.json
    referee show be4f2750-r012-anna.view.json --moves
    referee show transcript.json --svg board.svg --round 9
    """
    match what.chosen():
        case "--moves":
            return _show_moves(file, what.all_, json, key)
        case "--story":
            return _show_story(file, what.rounds, json)
        case "--svg" | "--png":
            return _write_picture(file, what)
        case "--view" | "--public":
            return _write_view(file, what, key)
    kind, data = documents.find_document(file)
    if kind == "view":
        return _show_view(file, data, json, key, now)
    if kind == "game":
        return _show_status(file, data, json, key)
    lines, advice = describing.described(kind, data), kinds.advice(kind, file)
    if not lines:
        raise kinds.other(kind, file)
    if json:
        return c.report({"kind": kind, "lines": lines, "next": advice})
    return c.print_and_note(lines, [w("Next: {next}.", next=advice)])


def _show_view(path: str, data: bytes, json: bool, key: str | None, now: str | None) -> None:
    """A view at a glance: the position, what happened since your last turn, and who must act. It counts as seen."""
    opened = warn_if_not_current(*looking.open_and_remember(data), key)
    early = c.warn_ahead(opened, now)
    if json:
        return c.report({**terminal.as_data(opened), "ahead": early})
    c.out(terminal.render(opened, terminal.Painter(colour=screen.colour(sys.stdout)), screen.width(sys.stdout)))
    return c.say(looking.what_next(opened, path, key))


def _show_moves(view: str, every: bool, json: bool, key: str | None) -> None:
    """Legal moves, numbered, in the words that `play --move` takes; as JSON, all that builds every legal move."""
    from referee.engine.player import refuse_public

    opened = warn_if_not_current(*looking.open_and_remember(documents.read_document(view, "view")), key)
    refuse_public(opened)
    if json:
        return c.report(typed.moves(opened))
    return c.print_and_note(*looking.moves_in_words(opened, view, key, screen.width(sys.stdout), every=every))


def _show_story(file: str, rounds: str | None, json: bool) -> None:
    """The whole story of a game, with what only you know of it; of a transcript, with what everybody knew."""
    game = open_game(file)
    found, table = replaying.story_of(game, ".." if rounds is None else rounds), game.chain.table
    if json:
        return c.report({"game": table.id, "title": table.game.title, "players": table.names, "rounds": found})
    return c.print_and_note(*replaying.story_in_words(game, found, file, screen.width(sys.stdout)))


def _write_picture(file: str, what: ShowOptions) -> None:
    """Draw a position: of a view, what its player may see; of a transcript, also what a player saw."""
    kind = "png" if what.png is not None else "svg"
    made = replaying.picture_of(open_game(file), what.rounds, what.seat, kind, what.width)
    _write(made, what.png or what.svg, file, what.dry)


def _show_status(game: str, data: bytes, json: bool, key: str | None) -> None:
    """Who must act, and since when: for the host alone, whose key opens the game file."""
    match = running.open_own(game, data, lambda: c.load_key(key))
    if json:
        return c.report({"kind": "game", **running.status_of(match), **running.written_at(game)})
    return c.print_and_note(*running.status_in_words(match, game, key))


def _write_view(game: str, what: ShowOptions, key: str | None) -> None:
    """Write one player's view again, or with --public the public view."""
    if what.public and what.aid:
        raise Usage(t("only a player's view has an aid"), t("leave --aid out"))
    match, aid = desk.read_match(game, c.load_key(key)), c.aid_maker(what.aid)
    with c.hints(run("show", game, *documents.with_key(key))):
        made = running.view_again(match, None if what.public else what.view or "", what.output, game, aid)
    c.refuse_same(made.path, game, key)
    if what.aid and made.path == "-":
        raise Usage(t("two files cannot both be printed"), t("name a file with -o, or leave --aid out"))
    c.write_out(made.path, made.data, secret=not what.public, dry=what.dry, beside=made.beside)
    c.next_step(made.next, what.dry)


def audit(
    view: c.ViewArgument,
    others: list[str] | None = c.argument(
        "[FILE...]", "Older views, moves and their receipts, extensions, claims, to compare with.", default=None
    ),
    now: c.ClockOption = None,
    json: c.JsonOption = False,
) -> None:
    """Check the whole game from your view: every signature, link, draw and rule; and your own tickets, moves, receipts.
    Say what cannot be proved yet.

    Example: referee audit be4f2750-r012-anna.view.json *.receipt.json
    """
    from msgspec.structs import asdict

    c.refuse_stdin_twice([view, *(others or [])])
    done = auditing.audit(view, others or [])
    for note in done.ignored:
        c.say(w("skipped: {what}", what=note))
    for error in done.errors:
        raise error
    lines, early = done.concluded(), c.warn_ahead(done.opened, now)
    if json:
        c.report({"code": "ok", "age": done.age, "compared": done.compared, "aside": done.ignored,
                "claims": len(done.claims), "ahead": early, **asdict(lines)})  # fmt: skip
        raise typer.Exit(Malformed.exit if done.ignored else 0)
    c.print_and_note(*auditing.audit_lines(done, lines))
    if done.ignored:
        raise typer.Exit(Malformed.exit)


def page(
    file: str | None = c.argument(
        "[FILE]",
        "Of this game: your view, or a transcript; - for standard input.",
        completion.files("view", "transcript"),
        default=None,
    ),
    player: bool = c.flag("--player", "The page with which players check and answer; the same for everybody."),
    rules: bool = c.flag("--rules", "The larger page, which also knows the rules."),
    games: list[str] | None = c.option(
        "--game", "GAME", "With --rules: a game of another package, besides ours.", completion.games
    ),
    hashes: bool = c.flag("--hash", "Print the SHA-256 of the player's page and of its verifier."),
    output: str | None = c.option("-o", "FILE", "The page; - prints it. Default: named after the game."),
    language: str | None = c.language_option("Of a game's page, instead of your own."),
    dry: c.DryOption = False,
) -> None:
    """Make a page for a browser: of one game, to step through it, or for players, to check and answer any game.

    Example: referee page transcript.json -o game.html
    referee page --player
    referee page --player --rules
    referee page transcript.json --rules
    """
    from referee.io.language import choose

    _refuse_unfit(file, player, hashes, language, rules, games)
    found = None if file is None else open_game(file)
    wanted = [*(games or []), *([found.chain.table.game_id] if found else [])]
    payloads = replaying.payloads_for(wanted) if rules else {}
    if hashes:
        return c.print_and_note((f"{digest}  {name}" for name, digest in assemble.hashes(payloads).items()), ())
    if found is None:
        return _write(replaying.players_page(payloads), output, None, dry)
    with speaking(choose(language) if language else current_language()):
        made = replaying.page_of(found, payloads)
    return _write(made, output, file, dry)


def _refuse_unfit(
    file: str | None, player: bool, hashes: bool, language: str | None, rules: bool, games: list[str] | None
) -> None:
    """Options of `page` that do not go together."""
    if (file is not None) + player + hashes != 1:
        raise Usage(
            t("this needs one of three: a view or transcript, --player, or --hash"), t("give exactly one of them")
        )
    if language is not None and file is None:
        raise Usage(t("the player's page has all languages"), t("leave --language out: the page has a switch"))
    if games and not rules:
        raise Usage(t("only a page with rules carries games of other packages"), t("add --rules"))


def _write(made: "replaying.Made", output: str | None, source: str | None, dry: bool) -> None:
    """Write what shows a game, and say what to do with it."""
    path = output or made.name
    if source is not None:
        c.refuse_same(path, source, None)
    c.write_out(path, made.data, secret=made.secret, dry=dry)
    if path != "-" and not dry:
        c.say(made.advice(c.sent(path)))


def inbox(
    folder: str = c.argument("DIR", "A folder with views, saved mails, a Maildir, an mbox."),
    json: c.JsonOption = False,
    key: c.KeyOption = None,
    now: c.NowOption = None,
) -> None:
    """See which games wait for you, by the views and mails in a folder: what is asked, until when, what to type.

    Example: referee inbox Downloads
    """
    from referee.library import inbox

    notes = list[Text]()
    rows = inbox.rows_of(folder, documents.own_keys(key), c.clock(now), notes)
    if json:
        return c.report(inbox.data_of(rows, notes))
    return c.print_and_note(*inbox.in_words(rows, notes))
