"""Abilities that are born: wished for in words, tried on their card."""
