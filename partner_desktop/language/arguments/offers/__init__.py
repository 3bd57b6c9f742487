"""Offers: for one parameter, the parts of a message that may be its value, and what speaks for each."""
