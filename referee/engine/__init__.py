"""From bytes to bytes: lobby, rounds, host, player, chain, replay. No file, no clock, no randomness of its own."""
