"""The trace of every turn: written as JSON lines, rotated, capped, read back as a tree."""
