"""A second verifier, which follows schemas/PROTOCOL.md and shares no code with the program; and the test vectors."""
