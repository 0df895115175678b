"""What players sign about a view: an answer, a return, a statement to the host, a takeover of a seat."""

import sys
from collections.abc import Mapping
from typing import NamedTuple, NoReturn

import typer

from referee.cli import asking, t, w
from referee.cli import common as c
from referee.engine import player
from referee.errors import FileTrouble, RefereeError, Usage, WrongTurn
from referee.io import files, screen
from referee.language import Text, run, with_files
from referee.library import answering, documents, finding, joining, looking
from referee.show import documents as shown
from referee.show import preview, prompt, rules, terminal, typed

WARNING = 3
"""Lines of a warning that somebody was timed out too early."""


class AnswerOptions(NamedTuple):
    """What a player answers."""

    move: str | None = c.option("--move", "TEXT", "Your move in words, or as a line of the list: #3.")
    move_json: str | None = c.option("--move-json", "JSON", "Your move as JSON.")
    phrase: list[str] | None = c.option("--say", "WORDS", "Standing orders that go with your answer.")
    phrase_json: str | None = c.option("--say-json", "JSON", "All your standing orders from now on, as JSON.")
    resign: bool = c.flag("--resign", "Leave the game for good.")
    back: bool = c.flag("--return", "Come back after two missed deadlines: from the next round on.")
    tell: str | None = c.option(
        "--tell",
        "WORDS",
        "Tell the host's office about yourself instead: `away until 2027-01-05`, `back`, `zone Europe/Berlin`, "
        "`address A`.",
    )
    protest: bool | None = c.flag(
        "--protest/--no-protest", "State that you had signed an answer for the round you were timed out in.", None
    )
    handover: str | None = c.option(
        "--handover", "KEY", "Public key of the player who may take over your seat; your own key takes that back."
    )

    def check(self) -> None:
        """Refuse what does not go together."""
        c.chosen({"--move": self.move, "--move-json": self.move_json, "--resign": self.resign, "--return": self.back,
                  "--tell": self.tell})  # fmt: skip
        if self.resign or self.back or self.tell is not None:
            c.refuse_without({"--say": self.phrase, "--say-json": self.phrase_json}, "--move", False)


def play(
    view: c.FoundView = None,
    output: c.SignedOption = None,
    *,
    says: AnswerOptions,
    yes: bool = c.flag("--yes", "Sign without asking."),
    again: bool = c.flag("--again", "Sign a second, different answer for a round."),
    dry: bool = c.flag("--dry-run", "Check the move, sign and write nothing."),
    now: c.ClockOption = None,
    json: c.JsonOption = False,
    key: c.KeyOption = None,
) -> None:
    """Answer what your view asks: check the view, choose a move, sign it. A saved mail is answered by a mail.

    Example: referee play
    referee play be4f2750-r012-anna.view.json --move "sell 2 red"
    """
    from msgspec.structs import replace

    says.check()
    view, above = _waiting_view(says, now, key) if view is None else (view, 0)
    if says.back:
        return _come_back(view, output, dry, key)
    if says.tell is not None:
        return _send_statement(view, says.tell, output, dry, json, now, key)
    seated = answering.take_seat(view, output, "move", key, c.load_key)
    opened, place = seated.opened, seated.place
    early = c.warn_ahead(opened, now)
    above += WARNING if early else 0
    try:
        named = "" if says.handover is None else answering.successor(opened, says.handover)
        given = answering.AnswerInput(says.move, says.move_json, says.phrase or [], says.phrase_json)
        draft = _leave(yes) if says.resign else _decide(opened, given, above, sure=yes, dry=dry)
        draft = replace(draft, protest=_protest(seated, says.protest, sure=yes), handover=named)
        signed = answering.sign_answer(seated, draft)
    except RefereeError as error:
        if error.code == "not-asked":
            error.next = looking.not_asked_yet(opened, run("play", "--return", view, *documents.with_key(key)))
        error.next = with_files(error.next, run("show", "--moves", view))
        raise
    if not dry:
        if signed.second and not again:
            _confirm_second_answer(signed.second)
        _write_signed(seated, "move", signed)
    if json and (dry or place.path != "-"):
        c.report(answering.report_of(seated, draft, dry) | {"ahead": early})
    c.say(w("Your answer: {answer}", answer="; ".join(typed.in_words(opened, draft))))
    return c.next_step(place.next, dry)


def _waiting_view(says: AnswerOptions, now: str | None, key: str | None) -> tuple[str, int]:
    """The newest view in this folder that waits for the owner of the key, and how many lines were printed about it."""
    c.refuse_without({"--return": says.back, "--tell": says.tell}, w("a view"), False)
    public, moment = documents.public_half(key) or c.load_key(key).public.hex(), c.clock(now)
    one, above = asking.find(
        lambda notes: finding.waiting_views(public, key, moment, notes),
        finding.nothing_waits,
        lambda n: t("{n} games in this folder wait for you", n=n),
    )
    return one.file, above


def _write_signed(seated: "answering.PlayerSession", kind: str, signed: "answering.Signed") -> None:
    """Write what was signed, or print it."""
    answering.keep(seated, kind, signed)
    if seated.place.path == "-":
        c.write_out("-", signed.data)


def _protest(seated: "answering.PlayerSession", wanted: bool | None, *, sure: bool) -> str:
    """What this player wants to state about the round in which the seat was timed out. It is never added unasked: an
    answer can have come too late."""
    late, signed = answering.protest(seated.opened, seated.ticket, wanted)
    if late and wanted is None:
        c.say(w("You were timed out in round {round}, and had signed an answer for it. A protest states that; it does "
                "not say that the host lied. It reveals nothing that you sealed, but an open answer can be guessed "
                "from it.",
                round=late))  # fmt: skip
        if not c.is_interactive() or sure:
            c.say(w("No protest was added; --protest adds one."))
            return ""
        if not c.confirm(w("Add a protest?"), default=False):
            return ""
    return signed


def _confirm_second_answer(question: Text) -> None:
    """A second, different answer for one round is signed only by somebody who wants just that."""
    if not c.is_interactive():
        raise WrongTurn(question, t("send that one, or sign a second one with --again"), code="second-answer")
    c.say(w("Careful: {warning}. The host accepts the one that arrives first.", warning=question))
    if not c.confirm(w("Sign a second one?"), default=False):
        _quit()


def _leave(sure: bool) -> "player.Draft":
    if not sure and c.is_interactive() and not c.confirm(w("Leave the game for good?"), default=False):
        _quit()
    return player.Draft(resign=True)


def _quit() -> NoReturn:
    c.say(w("Nothing is signed."))
    raise typer.Exit(130) from None


def _decide(
    opened: "player.Opened", given: "answering.AnswerInput", above: int, *, sure: bool, dry: bool
) -> "player.Draft":
    """The answer from the options, or from a person at a terminal, on which `above` lines were printed before."""
    draft, chosen = answering.draft_of(opened, given), given.move is not None or given.move_json is not None
    if opened.decides and not chosen and not c.is_interactive():
        advice = t("give one with --move, or run it in a terminal; see {run}", run=run("show", "--moves"))
        raise Usage(t("no move given"), advice, code="no-move")
    if not chosen and (opened.decides or (opened.round == 0 and c.is_interactive() and not sure)):
        return _converse(opened, draft.standing, above, sure=sure)
    if opened.round == 0:
        c.say(shown.agreed_in_words(opened.table))
    elif chosen and not (sure or dry) and c.is_interactive():
        _confirm(opened, draft)
    else:
        for line in preview.preview_lines(opened, draft):
            c.say(line)
    return draft


def _confirm(opened: "player.Opened", draft: "player.Draft") -> None:
    """Repeat a move that was given on the command line, and ask before it is signed."""
    try:
        if prompt.confirmed(opened, asking.Somebody(), draft):
            return
    except prompt.Quit:
        pass
    _quit()


def _converse(opened: "player.Opened", words: object, above: int, *, sure: bool) -> "player.Draft":
    """Ask the person at the terminal; before the first round, whether the terms are agreed to. `words` are the standing
    orders that the options say, if they do."""
    person = asking.Somebody(above)
    terms = f"\n\n{shown.agreed_in_words(opened.table)}" if opened.round == 0 else ""
    words = opened.orders(opened.seat) if words is None else words

    def board() -> str:
        return terminal.render(opened, terminal.Painter(colour=screen.colour(sys.stderr)), person.width) + terms

    def clause(name: str) -> str:
        return rules.flowed(rules.clause(opened.table.offer.game, name), person.width)

    try:
        if opened.round == 0:
            return prompt.agree(opened, person, board, clause, words)
        return prompt.choose(opened, person, board, clause, words, sure=sure)
    except prompt.Quit:
        _quit()


# --- other words to the host ------------------------------------------------------------------------------------------


def _send_statement(
    view: str, words: str, output: str | None, dry: bool, json: bool, now: str | None, key: str | None
) -> None:
    """Tell the host's office something about yourself, signed: that you are away, where mails should go."""
    seated = answering.take_seat(view, output, "word", key, c.load_key)
    signed = answering.sign_word(seated, words, view, c.clock(now).date())
    if not dry:
        _write_signed(seated, "word", signed)
    if json and seated.place.path != "-":
        c.report({"round": seated.opened.round + 1, "text": words} | answering.written_files(seated.place, dry))
    c.say(w("Your words: {words}", words=files.printable(words)))
    c.next_step(seated.place.next, dry)


class JoinOptions(NamedTuple):
    """How somebody joins a game."""

    seat: str | None = c.option("--seat", "NAME", "Of a view: whose seat, by name or number, if several are vacant.")
    output: c.SignedOption = None
    name: c.NameOption = None
    yes: c.YesOption = False
    dry: c.DryOption = False
    key: c.KeyOption = None


def new_name(given: str | None) -> str:
    """Who a new key is for."""
    if given is None and not c.is_interactive():
        advice = t("say who you are with --name, and one is made; or name one with --key")
        raise FileTrouble(t("you have no key yet"), advice, code="no-key")
    return asking.ask_name() if given is None else given


def _come_back(view: str, output: str | None, dry: bool, key: str | None) -> None:
    with c.hints(run("show", view)):
        found = joining.come_back(view, output, lambda: c.load_key(key))
    return enter(found, dry)


def enter(found: "joining.Entrance", dry: bool, new: Mapping[str, bytes] = {}) -> None:
    """Write what brings somebody into a game, and a new key if there is one."""
    c.write_out(found.place.path, found.data, new=True, dry=dry, beside=found.reply, key=new)
    for path in () if dry else new:
        c.say(w("A key was made for you: {file}. Keep it secret, and keep a copy: without it you cannot play on.",
                file=files.printable(path)))  # fmt: skip
    if dry:
        return c.next_step("", dry=True)
    return c.print_and_note((), found.lines())
