"""Scripted play on top of the same turn that people use."""
