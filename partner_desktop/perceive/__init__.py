"""Perception: what is going on around the conversation."""
