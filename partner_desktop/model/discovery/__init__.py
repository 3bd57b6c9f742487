"""Models that lie on this machine already, or are served on it: looked at, never touched."""
