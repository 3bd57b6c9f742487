"""Minds: the port that the runtime asks; one that needs no model, one that asks models, one that switches."""
