"""Play by mail: what comes out of a mail, and what goes into one. Only the commands `referee mail ...` load it."""

from referee.language import Catalogue, Wording

t, w = Catalogue("referee.mail"), Wording("referee.mail")
