"""The library: what `import referee` offers to other programs. `front` has its functions; other modules do the work.

Whatever a function is given as bytes it only reads; a path is read through `referee.io.files`, with its limits. Results
are data: words are made when somebody asks for them, with `str(...)`, in the current language.
"""

from referee.language import Catalogue

t = Catalogue("referee.library")
