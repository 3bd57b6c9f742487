"""The record of one run: what was asked, done and decided, and what came of it."""
