"""Play by mail: what comes out of a mail, and what goes into one. Only the commands `referee mail ...` load it."""

from referee.language import Catalogue

t = Catalogue("referee.mail")
