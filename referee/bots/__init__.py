"""Scripted play through the same engine that people use."""

from referee.language import Catalogue

t = Catalogue("referee.bots")
