"""The local app: a table in the browser, served on this machine to one window by the program that has the key."""

from referee.language import Catalogue, Wording

t, w = Catalogue("referee.app"), Wording("referee.app")
