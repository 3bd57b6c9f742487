"""Verification: whether what the steps of a plan claim is so, told by files and by read-only abilities."""
