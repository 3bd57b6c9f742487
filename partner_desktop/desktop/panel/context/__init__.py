"""The Context tab: what went into the prompt of a turn, and why."""
