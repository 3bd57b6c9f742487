"""What lies in `mcp/`: configurations, descriptions, and what a server needs before it starts."""
