"""The tests: a package by name, or one that another library brings along would be taken for it."""
