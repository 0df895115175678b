"""Games of common chance without signatures: the same rules, draws and rounds, at a tenth of the cost."""
