"""Memory: what was said before."""
