"""One game of a tournament: played without signatures, played again from its record, and expanded to a signed game."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from referee.bots.players import Spent
from referee.bots.playing import SeatedPlayer, play_out, sign_round
from referee.engine.book import Fault
from referee.engine.host import Match
from referee.engine.parts import State
from referee.errors import Altered, RefereeError, RulesFault
from referee.light.game import LightGame
from referee.tournament import derivation, t
from referee.tournament.documents import Limits
from referee.tournament.entrants import limits_of, player_factory
from referee.tournament.outcome import Outcome
from referee.tournament.records import GameRecord, Lapse, Script, altered, record_of
from referee.tournament.schedule import Plan
from referee.tournament.seating import Setting, light_game, seat_names, sit_down


def play_game(setting: Setting, plan: Plan) -> bytes:
    """Play a game to its end: its record. If all its bots are deterministic, it is always the same."""
    stage = setting.stage
    played = stage.games[plan.game]
    game, chairs = light_game(setting, plan), []
    for player in plan.seats:
        bot = setting.players[player][1].bot
        make = player_factory(bot, game.game, confined=setting.confined, hidden=setting.hidden)
        chairs.append(SeatedPlayer(make(), stage.limits.fallback))
    seeds = [derivation.bot_chance(setting.seed, plan.number, seat) for seat in range(len(chairs))]
    names, limits = seat_names(setting, plan), limits_of(stage.limits)
    rounds, spent = play_out(played.game, game, names, chairs, seeds, limits)
    found = (_lapse(seat, chair, spent[seat], game.state.round) for seat, chair in enumerate(chairs))
    lapses = tuple(lapse for lapse in found if lapse is not None)
    return record_of(outcome(setting, plan, game.state, lapses), rounds, lapses)


def play_again(setting: Setting, plan: Plan, record: GameRecord) -> Outcome:
    """Play a game with the answers of its record: each must be what its seat could answer with what it knew."""
    return outcome(setting, plan, play_on(light_game(setting, plan), setting.stage.limits, record), record.lapses)


def play_on(game: LightGame, limits: Limits, record: GameRecord) -> State:
    """The same from a game before its first round; only how it ended is returned."""
    script, at_fault = Script(game.game, record), {lapse.seat for lapse in record.lapses}
    while not game.state.end:
        given = script.answers(game.state)
        for seat, answer in given.items():
            if answer is not None and answer.move is not None:
                _check_move(game, seat, answer.move)
            elif answer is None or answer.resign:
                said = "miss" if answer is None else "resign"
                if limits.fallback != said or seat not in at_fault or game.state.round == 0:
                    raise altered()
        try:
            game.close(given)
        except Fault as error:
            raise Altered("bad-games", error.message) from None
        except (RulesFault, RecursionError) as error:
            why = t("the rules cannot judge it ({name})", name=type(error).__name__)
            raise Altered("bad-games", why) from None
    script.end()
    return game.state


def _check_move(game: LightGame, seat: int, move: object) -> None:
    try:
        game.game.check(game.terms, game.seen(seat), move)
    except (RefereeError, MemoryError):
        raise
    except Exception as error:
        why = t("the rules cannot judge this move ({name})", name=type(error).__name__)
        raise Altered("bad-games", why) from error


def signed_game(setting: Setting, plan: Plan, record: GameRecord) -> Match:
    """The full engine plays a game with the answers of its record, every one signed, accepted and judged."""
    sat = sit_down(setting, plan)
    script = Script(sat.match.table.game, record)
    while not sat.match.state.end:
        sign_round(sat.match, sat.keys, sat.marks, script.answers(sat.match.state))
    script.end()
    return sat.match


def expand(setting: Setting, plan: Plan, record: GameRecord) -> Match:
    """The signed game of a record, which must end as the record says."""
    match = signed_game(setting, plan, record)
    if outcome(setting, plan, match.state, record.lapses) != record.outcome:
        raise Altered("bad-games", t("game {number} ends differently with signatures", number=plan.number))
    return match


def _lapse(seat: int, chair: SeatedPlayer, spent: Spent, rounds: int) -> Lapse | None:
    """A bot's first fault, and what it left behind."""
    notes = spent.notes()
    if not chair.faults:
        return Lapse(seat, rounds, "untidy", tuple(notes), 1) if notes else None
    number, fault = chair.faults[0]
    lines = tuple(line[:200] for line in fault.lines[-12:])
    return Lapse(seat, number, fault.kind, (fault.why, *notes), len(chair.faults), lines)


def outcome(setting: Setting, plan: Plan, state: State, lapses: Sequence[Lapse]) -> Outcome:
    """How a game ended; no times in it."""
    kinds, result = {lapse.seat: lapse.kind for lapse in lapses}, state.result
    return Outcome(
        number=plan.number,
        group=plan.group,
        game=setting.stage.games[plan.game].name,
        entrants=tuple(setting.numbers[player] for player in plan.seats),
        ranks=result.ranks if result else (),
        scores=result.scores if result else (),
        rounds=state.round,
        end=state.end,
        out=result.out if result else (),
        faults=tuple(kinds.get(seat, "") for seat in range(len(plan.seats))) if kinds else (),
    )


@lru_cache(maxsize=8)
def read_setting(data: bytes) -> Setting:
    """A setting that was sent to this process."""
    return msgspec.json.decode(data, type=Setting)


def send_setting(setting: Setting) -> bytes:
    return msgspec.json.encode(setting)
