"""Spelling: which words of what is typed no dictionary of this system has."""
