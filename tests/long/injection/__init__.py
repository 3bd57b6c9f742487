"""All injection texts in all places, for each mind: the product of what `tests/injection` puts together."""
