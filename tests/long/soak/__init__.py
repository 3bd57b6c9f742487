"""Thousands of turns in one process: what grows with them, and what they cost at the end."""
