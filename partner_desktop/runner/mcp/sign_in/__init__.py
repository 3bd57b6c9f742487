"""Signing in to remote servers (OAuth), as far as it is free of the `mcp` SDK."""
