"""Data only: the files that `referee page --player --rules` puts into a page."""
