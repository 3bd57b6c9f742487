"""Builtin actions: what Partner itself can do."""
