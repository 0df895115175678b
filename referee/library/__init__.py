"""The library: what `import referee` offers to other programs, and what the commands do. `front` has the functions for
other programs; other modules do the work, on bytes or on the files that a command is given.

Whatever a function is given as bytes it only reads; a path is read through `referee.io.files`, with its limits. Results
are data: words are made when somebody asks for them, with `str(...)`, in the current language.
"""

from referee.language import Catalogue, Wording

t, w = Catalogue("referee.library"), Wording("referee.library")
