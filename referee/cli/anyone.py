"""Commands for anyone: demo, games, rules, show."""

import sys
from typing import Annotated, Any

import typer

from referee.cli import complete, w
from referee.cli.common import ClockOption, GameName, JsonOption, KeyOption, find_document, load_key, out, say
from referee.cli.reports import report
from referee.errors import BadSignature, FileTrouble, Usage
from referee.language import run

READABLE = 100
"""Columns beyond which lines of text are hard to read."""


def demo(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="Which game.", autocompletion=complete.games)
    ] = "schwarzer-freitag",
    seats: Annotated[int, typer.Option("--seats", help="Number of players.")] = 3,
    output: Annotated[str, typer.Option("-o", metavar="DIR", help="A new folder for all files.")] = "referee-demo",
    seed: Annotated[str | None, typer.Option("--seed", help="Any text: the same text gives the same game.")] = None,
    json: JsonOption = False,
) -> None:
    """Bots play a whole game over files; a forged move is refused; everything is audited and verified."""
    from referee.bots.demo import run as play

    found = play(game, seats, output, seed, say)
    if json:
        report(found)
        return
    for line in found.lines():
        out(line)
    say(w("Next: look at a position with {show}, check the game with {verify}.",
          show=run("show", found.example_view), verify=run("verify", found.transcript)))  # fmt: skip


def games(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="One of them, explained.", autocompletion=complete.games)
    ] = "",
    json: JsonOption = False,
) -> None:
    """The games this referee knows; of one of them, what its options mean and how long it takes."""
    if game:
        _explain(game, json)
        return
    from referee import games as found
    from referee.show.rules import facts, spelled

    rows: list[dict[str, Any]] = []
    for game_id in found.game_ids():
        try:
            rows.append(facts(game_id))
        except Usage as error:
            say(f"referee: {error.message}")
    if json:
        report(rows)
        return
    usual = w("(default)")
    for row in rows:
        out(f"{row['id']:20} {_headline(row)}")
        for option in row["options"]:
            out(f"{'':20}   --option {option['name']}={spelled(option['default'])}  {usual}")
    say(w("Next: `referee games GAME` explains the options, `referee rules GAME` prints the rules."))


def _headline(row: dict[str, Any]) -> str:
    low, high = row["seats"]
    return w("{title}, {low} to {high} players, rules {rules}",
             title=row["title"], low=low, high=high, rules=row["rules"])  # fmt: skip


def _explain(game: str, json: bool) -> None:
    """One game: its options and their values in words, and how long it takes."""
    from referee.cli.look import width
    from referee.show.rules import facts, section, spelled
    from referee.show.terminal import wrapped

    found = facts(game)
    if json:
        report(found)
        return
    out(_headline(found))
    usual = w("(default)")
    for option in found["options"]:
        out("")
        for value, meaning in option["values"].items():
            noted = f"  {usual}" if value == spelled(option["default"]) else ""
            out(f"  --option {option['name']}={value}{noted}")
            if meaning:
                out(wrapped(meaning, min(width(sys.stdout), READABLE), 6))
    heading, length = section(game, "How long it takes")
    if length:
        out(f"\n{heading}\n\n{_for_terminal(length)}")
    say(w("Next: {offer} opens a game, {rules} prints the rules.",
          offer=run("offer", game, "--seats", "N"), rules=run("rules", game)))  # fmt: skip


def rules(
    game: GameName,
    clause: Annotated[str, typer.Argument(metavar="[CLAUSE]", help="One clause, for example SF-16.")] = "",
    language: Annotated[
        str | None,
        typer.Option(
            "--language", metavar="en|de|nl", help="Instead of your own language.", autocompletion=complete.languages
        ),
    ] = None,
) -> None:
    """The clauses the referee enforces, each marked with where it comes from; or one of them."""
    from referee import games as found
    from referee.io.language import choose
    from referee.language import ENGLISH
    from referee.language import spoken as now
    from referee.show.rules import clause as one

    found.load(game)
    spoken = choose(language) if language else now()
    if not found.rules_text(game, spoken):
        say(w("The rules of {game} have no translation ({language}); here they are in English.",
              game=game, language=spoken))  # fmt: skip
        spoken = ENGLISH
    out(_for_terminal(one(game, clause, spoken) if clause else found.rules_text(game, spoken).rstrip()))


def _for_terminal(text: str) -> str:
    """Markdown as it is, but on a terminal set to its width."""
    from referee.cli.look import width
    from referee.show.rules import flowed

    return flowed(text, min(width(sys.stdout), READABLE)) if sys.stdout.isatty() else text


def show(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Any file of a game, or a saved mail; - for standard input.",
            autocompletion=complete.files(
                "view", "offer", "join", "move", "receipt", "extension", "word", "transcript", "key", "game", mail=True
            ),
        ),
    ],
    now: ClockOption = None,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """What a file is, what it says and what to do with it: a view, an offer, a join, a move, a receipt, a key..."""
    from referee.io import kinds

    kind, data = find_document(file)
    if kind == "view":
        from referee.cli.look import show_view

        show_view(file, json=json, key=key, data=data, now=now)
        return
    lines = _game_file(file, data, key) if kind == "game" else _lines(kind, data)
    if not lines:
        raise kinds.other(kind, file)
    if json:
        report({"kind": kind, "lines": lines, "next": kinds.advice(kind, file)})
        return
    for line in lines:
        out(line)
    say(w("Next: {next}.", next=kinds.advice(kind, file)))


def _key_lines(data: bytes) -> list[str]:
    from referee.crypto.codec import decode
    from referee.io.keyfile import KeyFile
    from referee.show.documents import key_lines

    if data.startswith(b"-----BEGIN"):
        return [w("an OpenSSH private key: send it to nobody")]
    file = decode(data, KeyFile, "key file")
    return key_lines(file.name, file.public, locked=file.box is not None)


def _lines(kind: str, data: bytes) -> list[str]:
    """What a document says; nothing for what is none of ours."""
    from referee.evidence.identify import edition_of
    from referee.io import tickets
    from referee.show import documents

    match kind:
        case "offer":
            return documents.offer_lines(data)
        case "join":
            return documents.join_lines(data)
        case "move":
            return documents.move_lines(data, tickets.table_of, tickets.own_fields)
        case "receipt":
            return documents.receipt_lines(data, tickets.table_of)
        case "extension":
            return documents.extension_lines(data, tickets.table_of)
        case "word":
            return documents.word_lines(data, tickets.table_of)
        case "succession":
            return documents.succession_lines(data)
        case "return":
            return documents.return_lines(data, tickets.table_of)
        case "transcript":
            return documents.transcript_lines(data)
        case "proof":
            return documents.proof_lines(data)
        case "ruling":
            return documents.ruling_lines(data)
        case "claim":
            return documents.claim_lines(data)
        case "key" | "ssh":
            return _key_lines(data)
        case "mail":
            from referee.mail import saved

            return saved.lines(saved.read_mail(data))
        case "edition":
            return [w("an edition of {game}", game=edition_of(data))]
    return []


def _game_file(path: str, data: bytes, key: str | None) -> list[str]:
    """The host's file, for the host alone."""
    from referee.cli.status import status_lines
    from referee.io.gamefile import open_match
    from referee.io.kinds import other

    try:
        match = open_match(data, load_key(key))
    except (BadSignature, FileTrouble) as error:
        if error.code in ("other-key", "no-key"):
            instead = other("game", path)
            error.message, error.next = instead.message, instead.next
        raise
    secret = w("your game file: it knows every hidden card and must not be shown to anybody")
    return [secret, *status_lines(match)]
