"""The command with which players answer."""

import os
import sys
from typing import Annotated, Any, NamedTuple, NoReturn

import typer

from referee.cli import t, w
from referee.cli.common import (
    ClockOption,
    DryOption,
    JsonOption,
    KeyOption,
    NowOption,
    SignedOption,
    ViewArgument,
    ask_person,
    at_terminal,
    clock,
    colour,
    confirm,
    load_key,
    read_mailed,
    refuse_same,
    say,
    with_key,
    write_out,
)
from referee.cli.look import foreign, open_view, until_asked, warn_ahead, width
from referee.cli.parcel import Parcel, parcel_for
from referee.cli.reports import report
from referee.errors import BadSignature, Malformed, RefereeError, Usage, WrongTurn
from referee.language import Text, mark, run, with_files

ProtestOption = Annotated[
    bool | None,
    typer.Option(
        "--protest/--no-protest", help="State that you had signed an answer for the round you were timed out in."
    ),
]
HandoverOption = Annotated[
    str | None,
    typer.Option(
        "--handover",
        metavar="KEY",
        help="Public key of the player who may take over your seat; your own key takes that back.",
    ),
]


def play(
    view: ViewArgument,
    output: SignedOption = None,
    move: Annotated[
        str | None, typer.Option("--move", metavar="TEXT", help="Your move in words, or as a line of the list: #3.")
    ] = None,
    move_json: Annotated[str | None, typer.Option("--move-json", metavar="JSON", help="Your move as JSON.")] = None,
    phrase: Annotated[
        list[str] | None, typer.Option("--say", metavar="WORDS", help="Standing orders that go with your answer.")
    ] = None,
    phrase_json: Annotated[
        str | None, typer.Option("--say-json", metavar="JSON", help="All your standing orders from now on, as JSON.")
    ] = None,
    resign: Annotated[bool, typer.Option("--resign", help="Leave the game for good.")] = False,
    protest: ProtestOption = None,
    handover: HandoverOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Sign without being asked once more.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Sign a second, different answer for a round.")] = False,
    dry: Annotated[bool, typer.Option("--dry-run", help="Check the move, sign and write nothing.")] = False,
    now: ClockOption = None,
    json: JsonOption = False,
    key: KeyOption = None,
) -> None:
    """Answer what your view asks: checks the view first, then signs your move. A saved mail is answered by a mail."""
    from msgspec.structs import replace

    from referee.cli.seats import successor
    from referee.engine.player import answer
    from referee.io import tickets

    if sum((move is not None, move_json is not None, resign)) > 1 or (resign and (phrase or phrase_json)):
        raise Usage(t("give one of --move, --move-json and --resign"), t("choose one of them"))
    opened, ticket, mine, place = _seated(view, output, key, "move")
    given, early = _Given(move, move_json, phrase or [], phrase_json), warn_ahead(opened, now)
    try:
        named = successor(opened, handover)
        chosen = _leave(yes) if resign else _decide(opened, given, sure=yes)
        said = replace(chosen, protest=_protest(opened, ticket, protest, sure=yes), handover=named)
        marks = tickets.own_marks(ticket, opened, mine)
        signed = answer(mine, opened, said, marks)
    except RefereeError as error:
        if error.code == "not-asked":
            error.next = until_asked(opened, run("return", view, *with_key(key)))
        error.next = with_files(error.next, run("moves", view))
        raise
    if not dry:
        _refuse_second(opened, tickets.signed_for(ticket, opened), signed, again)
        own = tickets.own_answer(mine, opened, said.move)
        _write(place, opened, "move", signed, tickets.made(ticket, opened.view, signed, marks, own))
    _conclude(opened, said, None if dry else place, json, early)


def _protest(opened: Any, ticket: Any, wanted: bool | None, *, sure: bool) -> str:
    """The id of the answer that was signed for the round in which this seat was timed out, if its player wants to state
    that. It is never added unasked: an answer can have come too late."""
    from referee.crypto.envelope import ident
    from referee.engine.player import timed_out
    from referee.io import tickets

    late = timed_out(opened)
    if wanted and not late:
        why = t("you were not timed out since your last answer: there is nothing to protest against")
        raise Usage(why, t("leave --protest out"), code="no-protest")
    before = tickets.signed_for(ticket, opened, late) if late else None
    if wanted and before is None:
        why = t("there is no answer here that you signed for round {late}", late=late)
        raise Usage(why, t("leave --protest out"), code="no-protest")
    if before is None or wanted is False:
        return ""
    if wanted is None:
        say(w("You were timed out in round {round}, and had signed an answer for it. A protest states that; it does "
              "not say that the host lied. It reveals nothing that you sealed, but an open answer can be guessed from "
              "it.",
              round=late))  # fmt: skip
        if not at_terminal() or sure:
            say(w("No protest was added; --protest adds one."))
            return ""
        if not confirm(w("Add a protest?"), default=False):
            return ""
    return ident("move", bytes(before.body))


def word(
    view: ViewArgument,
    text: Annotated[
        str, typer.Argument(metavar="WORDS", help="`away until 2027-01-05`, `back`, `zone Europe/Berlin`, `address A`.")
    ],
    output: SignedOption = None,
    dry: DryOption = False,
    json: JsonOption = False,
    now: NowOption = None,
    key: KeyOption = None,
) -> None:
    """Tell the host's office something about yourself, signed: that you are away, where mails should go."""
    from referee.engine.player import sign_word
    from referee.io import files, tickets

    opened, ticket, mine, place = _seated(view, output, key, "word")
    _refuse_unknown(text, view, clock(now).date())
    signed = sign_word(mine, opened, text)
    if not dry:
        _write(place, opened, "word", signed, tickets.made(ticket, opened.view))
    if json and place.path != "-":
        written, reply = ("", "") if dry else map(files.printable, (place.path, place.reply))
        report({"round": opened.round + 1, "text": text, "written": written, "reply": reply})
    say(w("Your words: {words}", words=files.printable(text)))
    say(w("Next: run it again without --dry-run.") if dry else place.next())


def _refuse_unknown(text: str, view: str, today: Any) -> None:
    """Only words that an office knows are signed."""
    from referee.mail.words import Resign, about_player

    said = about_player(text, today)
    if said is None:
        known = t("`away until 2027-01-05`, `back`, `zone Europe/Berlin`, `language en`, `address new@example.org`")
        raise Usage(t("an office does not know these words"), t("there are: {known}", known=known), code="bad-words")
    if isinstance(said, Resign):
        raise Usage(
            t("to leave a game is a move"), t("run {value} when you are asked", value=run("play", view, "--resign"))
        )


def _seated(view: str, output: str | None, key: str | None, kind: str) -> tuple[Any, Any, Any, Parcel]:
    """The newest view to answer, its ticket, the key that it is for, and where to put what is signed."""
    from referee.io import tickets

    opened, ticket, mail = _own_view(view)
    mine = _own_key(opened, key)
    tickets.refuse_old(ticket, opened)
    place = _place(opened, mail, output, kind)
    for path in filter(None, (place.path, place.reply)):
        refuse_same(path, view, key)
    return opened, ticket, mine, place


def _own_view(path: str) -> tuple[Any, Any, Any]:
    """A view to answer, its ticket, and the mail that brought it, if one did."""
    from referee.engine.player import refuse_public

    data, mail = read_mailed(path, "view")
    opened, ticket = open_view(path, data)
    refuse_public(opened)
    return opened, ticket, mail


def _own_key(opened: Any, path: str | None) -> Any:
    """The key that a view is for."""
    mine = load_key(path)
    if told := foreign(opened, mine.public.hex()):
        advice = t("open your own view, or name its key with --key")
        if opened.seat in opened.table.kept:
            advice = t("the host keeps the key of this seat: answer the mail in words")
        raise BadSignature(told, advice, code="other-key")
    return mine


def _place(opened: Any, mail: Any, output: str | None, kind: str) -> Parcel:
    from referee.io.files import file_name

    table = opened.table
    return parcel_for(mail, output, file_name(table.id, opened.round + 1, opened.seat, table.names, kind))


_REPLIES = {
    "move": mark("My signed answer for round {round} of {title}, game {game}."),
    "word": mark("My signed word to the host for round {round} of {title}, game {game}."),
}


def _write(place: Parcel, opened: Any, kind: str, signed: bytes, kept: dict[str, bytes]) -> None:
    """The ticket first, then what was signed; all are for their owner's eyes. A reply tells no move in words."""
    from referee.io import files

    table = opened.table
    words = w(_REPLIES[kind], round=opened.round + 1, title=table.game.title, game=table.id[:8])
    written = {**kept, place.path: signed, **place.files(kind, signed, words)}
    written.pop("-", None)
    files.write(written, secret=[*written], make=[os.path.dirname(name) for name in kept])
    if place.path == "-":
        write_out("-", signed)


def _conclude(opened: Any, said: Any, place: Parcel | None, json: bool, early: Any) -> None:
    """Say what was signed, and what to do with it."""
    from referee.io import files
    from referee.show import typed

    path = place.path if place else ""
    if json and path != "-":
        text = "resign" if said.resign else opened.ask.what
        if said.move is not None:
            text = opened.table.game.text(said.move)
        told = {"round": opened.round + 1, "text": text, "move": said.move, "standing": said.standing}
        told |= {"protest": said.protest, "handover": said.handover, "ahead": early}
        reply = files.printable(place.reply) if place else ""
        report({**told, "written": files.printable(path), "reply": reply})
    say(w("Your answer: {answer}", answer="; ".join(typed.in_words(opened, said))))
    say(place.next() if place else w("Next: run it again without --dry-run."))


def _refuse_second(opened: Any, before: Any, signed: bytes, again: bool) -> None:
    """A second, different answer for one round is signed only by somebody who wants just that."""
    import msgspec

    from referee.engine.records import MoveFile
    from referee.show.typed import signed_words

    if again or before is None or bytes(before.body) == bytes(msgspec.json.decode(signed, type=MoveFile).body):
        return
    words = "; ".join(signed_words(opened, before))
    told = t("you have already signed another answer for round {round}: {words}", round=opened.round + 1, words=words)
    if not at_terminal():
        raise WrongTurn(told, t("send that one, or sign a second one with --again"), code="second-answer")
    say(w("Careful: {told}. The host takes the one that comes first.", told=told))
    if not confirm(w("Sign a second one?"), default=False):
        _quit()


# --- choosing --------------------------------------------------------------------------------------------------------


class _Terminal:
    """The person at the terminal."""

    def __init__(self) -> None:
        self.width = width(sys.stderr)

    def ask(self, question: str) -> str:
        return ask_person(question)

    def say(self, text: str) -> None:
        say(text)


def _leave(sure: bool) -> Any:
    from referee.engine.player import Draft

    if not sure and at_terminal() and not confirm(w("Leave the game for good?"), default=False):
        _quit()
    return Draft(resign=True)


def _quit() -> NoReturn:
    say(w("Nothing is signed."))
    raise typer.Exit(130) from None


class _Given(NamedTuple):
    """What the command line says of an answer."""

    move: str | None
    move_json: str | None
    say: list[str]
    say_json: str | None


def _decide(opened: Any, given: _Given, *, sure: bool) -> Any:
    """The answer from the options, or from a person at a terminal. Nobody agrees to a game without its terms."""
    from referee.engine.player import Draft
    from referee.engine.table import refuse_other_code
    from referee.show import typed
    from referee.show.documents import agreed_in_words

    if opened.ask is None:
        raise WrongTurn(t("this view asks you nothing"), t("wait for the next view"), code="not-asked")
    if opened.round == 0:
        refuse_other_code(opened.table.offer)
    before, words, move = typed.words_of(opened, opened.seat), _words(opened, given), None
    if given.move_json is not None:
        if not opened.decides:
            raise Usage(t("there is nothing to choose here: you are asked for a bare answer"), t("leave the move out"))
        move = _from_json(given.move_json, opened.table.game.move, t("this is no move of this game"))
    elif given.move is not None:
        move, words = typed.read_clauses(opened, words, given.move)
        if move is None and opened.decides:
            raise Usage(t("this says no move"), t("write `MOVE; WORDS`; see {run}", run=run("moves")), code="no-move")
    elif opened.decides and not at_terminal():
        raise Usage(
            t("no move given"),
            t("give one with --move, or run on a terminal; see {run}", run=run("moves")),
            code="no-move",
        )
    elif opened.decides or (opened.round == 0 and at_terminal() and not sure):
        return _talk(opened, words, sure=sure)
    if opened.round == 0:
        say(agreed_in_words(opened.table))
    return Draft(move, None if words == before else words)


def _words(opened: Any, given: _Given) -> Any:
    """The standing orders after what the options say."""
    from referee.show import typed

    words, rule = typed.words_of(opened, opened.seat), opened.table.game.standing
    if given.say_json is not None:
        if rule is None:
            raise Usage(t("this game has no standing orders"), t("leave --say-json out"))
        words = _from_json(given.say_json, rule.words, t("these are no standing orders of this game"))
    for phrase in given.say:
        words = typed.say_phrase(opened, words, phrase)
    return words


def _from_json(text: str, form: Any, wrong: Text) -> Any:
    import msgspec

    try:
        return msgspec.json.decode(text.encode(), type=form)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise Malformed(wrong, t("see {run} for the form", run=run("moves"))) from None


def _talk(opened: Any, words: Any, *, sure: bool) -> Any:
    """Ask the person at the terminal; before the first round, whether the terms are agreed to."""
    from referee.show import documents, prompt, rules, terminal

    person = _Terminal()
    terms = f"\n\n{documents.agreed_in_words(opened.table)}" if opened.round == 0 else ""

    def board() -> str:
        return terminal.render(opened, terminal.Painter(colour=colour(sys.stderr)), person.width) + terms

    def clause(name: str) -> str:
        return rules.flowed(rules.clause(opened.table.offer.game, name), person.width)

    try:
        if opened.round == 0:
            return prompt.agree(opened, person, board, clause, words)
        return prompt.choose(opened, person, board, clause, words, sure=sure)
    except prompt.Left:
        _quit()
