"""Tournaments of scripted players: who meets whom, every game played and kept, and numbers that hold.

The numbers are pure functions of `outcome.Outcome`, one per finished game, in the order of the schedule: no file, no
clock, no chance but what a stated seed gives.
"""

from referee.language import Catalogue, Wording

t, w = Catalogue("referee.tournament"), Wording("referee.tournament")
