"""Markdown and code as plain Python values, free of Qt: what is parsed here can be drawn by anyone."""
