"""Bots, which play through the same engine as people."""

from referee.language import Catalogue, Wording

t, w = Catalogue("referee.bots"), Wording("referee.bots")
