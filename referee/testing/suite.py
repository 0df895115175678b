"""The contract suite: everything that can be checked of any game."""

from collections.abc import Callable, Iterator

from referee.testing import (
    clauses,
    described,
    judging,
    leaks,
    light,
    pictured,
    playing,
    record,
    repeat,
    signed,
    spoken,
    standing,
)
from referee.testing.subject import Subject

Check = Callable[[Subject], None]

CHECKS: tuple[Check, ...] = (
    record.record_is_complete,
    record.types_are_exact,
    record.options_have_defaults,
    record.edition_is_good,
    record.strange_editions_are_refused,
    record.bags_are_in_form,
    clauses.rules_have_clauses,
    clauses.every_sentence_has_its_mark,
    clauses.translations_agree,
    record.source_is_alone,
    record.extreme_editions_play,
    playing.games_end,
    playing.steps_are_in_form,
    playing.questions_are_in_form,
    playing.sealed_fields_are_used,
    playing.results_are_right,
    playing.legal_moves_are_legal,
    described.choices_build_legal_moves,
    described.legal_moves_are_described,
    playing.moves_read_back,
    spoken.words_mean_one_thing,
    spoken.moves_are_spoken,
    judging.nobody_else_has_moves,
    judging.hostile_answers_are_refused,
    judging.apply_judges_public_facts,
    judging.any_text_is_a_move_or_refused,
    playing.story_is_told,
    playing.boards_fit,
    pictured.marks_are_in_the_picture,
    standing.standing_orders_are_in_form,
    repeat.games_repeat,
    signed.signed_games_verify,
    light.light_games_are_the_same,
    leaks.nothing_leaks,
)
"""Each raises `AssertionError` with a message that names the fault."""


def failures(subject: Subject) -> Iterator[tuple[str, str]]:
    """The checks that fail, and why."""
    for one in CHECKS:
        try:
            one(subject)
        except AssertionError as error:
            yield one.__name__, str(error)
        except Exception as error:
            yield one.__name__, f"the game fails: {type(error).__name__}: {error}"


def check(game_id: str, *, quick: bool = False) -> None:
    """Run all checks on a game; raises `AssertionError` with everything that is wrong."""
    found = [f"{name}: {why}" for name, why in failures(Subject(game_id, quick=quick))]
    assert not found, "\n".join(found)
