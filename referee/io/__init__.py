"""The edge: files, tickets, schemas. Paths and the clock live here and in the command line only."""
