"""Tournaments of bots: pairings, games, and statistics that anybody can check.

The numbers are pure functions of `outcome.Outcome`, one per finished game, in the order of the schedule: no files, no
clock, no randomness except from a stated seed.
"""

from referee.language import Catalogue, Wording

t, w = Catalogue("referee.tournament"), Wording("referee.tournament")
