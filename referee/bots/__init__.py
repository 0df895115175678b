"""Scripted play through the same engine that people use."""

from referee.language import Catalogue, Wording

t, w = Catalogue("referee.bots"), Wording("referee.bots")
