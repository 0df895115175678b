"""The table of guarantees in PROTOCOL.md: each row is held up by tests of this folder that exist."""

import ast
from pathlib import Path

HERE = Path(__file__).parent
PROTOCOL = HERE.parents[1] / "schemas" / "PROTOCOL.md"

PROOF = {
    "a player chooses or foresees": ["test_coalitions.test_without_a_timeout_there_is_one_seed_only"],
    "the host chooses or foresees": [
        "test_cheats.test_a_changed_pick",
        "test_coalitions.test_without_a_timeout_there_is_one_seed_only",
    ],
    "grinding": ["test_core.test_neither_labels_nor_moves_change_a_draw"],
    "dropping answers until": [
        "test_cheats.test_a_draw_in_a_round_with_a_timeout",
        "test_delivery.test_one_more_seed_costs_one_visible_timeout",
    ],
    "forging, altering, replaying": [
        "test_moves_refused.test_every_flipped_bit",
        "test_moves_refused.test_a_matrix_of_transplants",
        "test_moves_refused.test_replays_change_nothing",
    ],
    "a weak key": ["test_moves_refused.test_weak_keys_never_sit_down"],
    "a changed die": [
        "test_cheats.test_a_changed_die_or_open_draw",
        "test_cheats.test_an_open_face_swapped_in_its_slot",
        "test_cheats.test_a_players_link_out_of_chain",
        "test_cheats.test_a_hosts_link_out_of_chain",
        "test_cheats.test_a_draw_out_of_thin_air",
    ],
    "a hidden token": ["test_cheats.test_a_hidden_face_swapped_in_its_slot", "test_cheats.test_false_openings"],
    "a false position, question": [
        "test_cheats.test_a_false_public_position",
        "test_cheats.test_a_false_question",
        "test_cheats.test_a_false_list_of_moves",
    ],
    "a false own position": ["test_cheats.test_a_false_own_position"],
    "two stories": [
        "test_cheats.test_two_entries_for_one_round",
        "test_cheats.test_two_private_parts_for_one_round",
        "test_cheats.test_two_geneses_of_one_offer",
        "test_delivery.test_a_ticket_notices_a_fork",
    ],
    "an older game file": [
        "test_cheats.test_an_older_game_file_played_on",
        "test_delivery.test_a_ticket_notices_a_rollback_as_soon_as_it_tells_another_story",
    ],
    "an answer taken and then": [
        "test_cheats.test_an_answer_dropped_by_a_false_timeout",
        "test_cheats.test_an_answer_taken_and_replaced_by_another",
    ],
    "an illegal move accepted": ["test_cheats.test_an_illegal_move_accepted", "test_cheats.test_money_off_by_one"],
    "wrong content of a bag": [
        "test_cheats.test_one_red_more_one_blue_less",
        "test_cheats.test_genesis_leaves_that_do_not_match_m",
        "test_cheats.test_a_secret_that_does_not_fit",
    ],
    "content of a hand or pile": [
        "test_cheats.test_a_pile_reshuffled_with_other_cards",
        "test_cheats.test_a_pile_reshuffled_as_the_host_likes",
    ],
    "a mover and the host in league": [
        "test_coalitions.test_the_mover_and_the_host_foresee_a_round_of_one",
        "test_coalitions.test_a_mover_who_sends_the_same_turn_in_parts_gets_other_seeds",
    ],
    "all but the honest seats": ["test_coalitions.test_each_friend_of_the_host_is_worth_one_more_seed"],
}


def rows() -> list[str]:
    text = PROTOCOL.read_text(encoding="utf-8").split("## 10.")[1]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [line.split("|")[1].strip() for line in lines]


def written() -> set[str]:
    return {
        f"{path.stem}.{node.name}"
        for path in HERE.glob("test_*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_guarantee_has_a_proof():
    found = rows()
    assert len(found) >= 15
    for row in found:
        assert [start for start in PROOF if row.startswith(start)], f"no test is named for: {row}"


def test_every_proof_belongs_to_a_guarantee_and_exists():
    known = written()
    for start, names in PROOF.items():
        assert any(row.startswith(start) for row in rows()), f"no row begins with: {start}"
        assert names
        for name in names:
            assert name in known, name
