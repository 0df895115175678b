"""Proofs: files of a game side by side, and what their contradictions show."""
