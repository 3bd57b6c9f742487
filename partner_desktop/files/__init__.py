"""The one door to the file system's events and moves."""
