"""Quick ask: a small window for one question, from anywhere."""
