"""Why a move, an edition or options are refused, in sentences."""

from referee.language import MOVES, Value, either, mark, quoted

from .story import t

EXAMPLE = mark("write for example `solve 9*2-10`")
NO_WAY = mark("name no way")
REFUSALS: dict[str, tuple[str, str]] = {
    "not-asked": (mark("it is not your turn"), mark("wait until you are asked")),
    "other-answer": (mark("that does not answer the question"), "{asked}"),
    "no-six": (mark("only a 6 brings in a piece from the reserve"), mark("move a piece in play")),
    "no-wait": (mark("the throw has a use"), mark("say which piece uses it")),
    "no-such-piece": (mark("you have no such piece in play"), mark("name one of your pieces in play")),
    "same-piece": (mark("another of your pieces is in the same situation"), mark("name piece {first}")),
    "overshoots": (mark("that piece would overshoot its goal"), mark("use the throw for another piece")),
    "no-choice-of-opponents": (mark("that player is not among your possible opponents"), mark("name no opponent")),
    "no-attempt": (mark("there is no choice whether this piece tries for success"), mark("leave that out")),
    "no-way-after": (mark("after {case}, going {named} is not a choice"), mark("name no way for {case}")),
    "no-choice-of-ways": (mark("that piece has no choice at a junction"), NO_WAY),
    "other-ways": (mark("at the junction that piece can go {found}"), mark("name one of these ways")),
    "no-opponent-there": (mark("that player has no piece on the field"), mark("name a player who has one there")),
    "success-untried": (mark("without an attempt there is no success"), mark("name no way for success")),
    "no-card-to-intervene": (mark("you have no card of value {card}"), mark("name a card you have, or decline")),
    "no-way-then": (mark("going {way} is not a choice then"), NO_WAY),
    "table-unused": (mark("the {value} on the table is not used"), mark("use every card on the table once")),
    "no-own-card": (mark("no card of your own is used"), mark("use at least one, or give up")),
    "too-few-cards": (mark("you have too few cards of value {value}"), mark("use cards you have, or give up")),
    "other-result": (mark("{expression} makes {value}, not {target}"), mark("correct the expression, or give up")),
    "expression-too-long": (mark("an expression has at most {longest} characters"), EXAMPLE),
    "misplaced": (mark("{sign} makes no sense in {expression}"), EXAMPLE),
    "divided-by-zero": (mark("{expression} divides by 0"), EXAMPLE),
    "card-missing": (mark("a card or an opening bracket is missing in {expression}"), EXAMPLE),
    "bracket-missing": (mark("a closing bracket is missing in {expression}"), EXAMPLE),
    "no-swap": (mark("you cannot swap with that piece"), mark("name an opposing piece on a small field")),
    "no-card-to-lose": (mark("you have no card of value {card}"), mark("name a card you have")),
    "chip-field-taken": (mark("that chip field is not free"), mark("name a free chip field")),
    "same-chip": (mark("that is not another chip"), mark("name the goal of another chip, or swap none")),
    "two-kinds-of-goals": (mark("neue_ziele and zufallsziele cannot be combined"), mark("choose one of them")),
    "suit": (mark("the cards of a suit must be in ascending order"), ""),
    "pile": (mark("a pile needs 1 to 400 cards, and every kind its own id"), ""),
    "success-cards": (mark("at least one success card in ten must let a piece stay"), ""),
    "chance-cards": (mark("at least one chance card must let a piece stay or go on"), ""),
    "field-ids": (mark("two fields have the same id, or one is called {reserve} or {out}"), ""),
    "way-to-nowhere": (mark("{id} leads {way} to {to}, which does not exist"), ""),
    "start-field": (mark("there must be one start field"), ""),
    "goals": (mark("there must be {goals} goals, each with one chip field below it"), ""),
    "field-ways": (mark("the field {id} lacks a way out, or has too many"), ""),
    "decision-field-ways": (mark("the decision field {id} lacks a way out, or has too many"), ""),
    "one-way": (mark("the way {way} from {id} to {to} does not lead back, or must not lead there"), ""),
    "no-decision-field": (mark("no decision field lies between the junctions {id} and {to}"), ""),
    "star-field": (mark("the star field {id} must lie below a decision field"), ""),
    "unreachable": (mark("{lost} fields cannot be reached from {start}"), ""),
    "too-many-turns": (
        mark("a game would have too many turns: bring the goals nearer, or take fewer pieces or better cards"),
        "",
    ),
}
"""Reason -> the message, and what to do next; nothing: look at what is legal."""
WANTED = {
    "piece": t("say which piece uses the throw"),
    "way": t("say which way to go at the junction"),
    "opponent": t("name your opponent"),
    "try": t("say whether you try for success"),
    "intervene": t("name a card of yours, or decline"),
    "solve": t("send an expression, or give up"),
    "target": t("name the piece to swap with"),
    "lose": t("name the card you lose"),
    "place": t("name the chip field for your chip"),
    "swap chip": t("name the chip to swap with, or swap none"),
}
"""Decision -> what is asked for."""


def word(name: str, value: Value) -> Value:
    """A value as it stands in a sentence: ways and cases as they are called."""
    if isinstance(value, tuple):
        return either(word(name, one) for one in value)
    if not isinstance(value, str):
        return value
    match name:
        case "way" | "named" | "found" | "case":
            return t(value)
        case "sign" | "expression":
            return quoted(value)
        case "asked":
            return WANTED.get(value, MOVES)
    return value
