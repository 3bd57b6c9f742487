"""External MCP servers as abilities. Only what is loaded on first use imports `mcp`; see `port.py`."""
