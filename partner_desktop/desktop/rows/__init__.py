"""The row kit: one description of a row, one painter and one list for all lists of the window."""
