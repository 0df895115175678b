"""Bytes and their proofs: canonical form, keys, envelopes, links, draws, slots. Knows no game and no file."""
