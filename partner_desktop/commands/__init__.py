"""The commands that need no window. Each is one function that returns the exit code."""
