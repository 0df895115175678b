"""Scripted play through the same engine that people use."""

from referee.language import Catalogue, Words

t, w = Catalogue("referee.bots"), Words("referee.bots")
