"""What is configured in `mcp/`: its files, read and checked, and a server resolved to be started."""
