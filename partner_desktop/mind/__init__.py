"""Minds: the port that the runtime asks, and the starter mind that answers without a model."""
