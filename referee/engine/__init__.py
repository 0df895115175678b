"""From bytes to bytes: lobby, turn, view, audit, replay. No file, no clock, no randomness of its own."""
