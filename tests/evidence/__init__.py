"""Disputes: proofs, what files show together, rulings, recovery."""
