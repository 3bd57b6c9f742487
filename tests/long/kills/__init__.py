"""The real program, killed again and again: nothing that it acknowledged may be lost or done twice."""
