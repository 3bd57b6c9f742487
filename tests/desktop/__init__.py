"""The window's tests."""
