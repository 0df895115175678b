"""A second verifier, written from schemas/PROTOCOL.md alone, and the test vectors."""
