"""The Memory tab: what is known, what was said by day and topic, what is pinned."""
