"""Scripted play through the same engine that people use."""
