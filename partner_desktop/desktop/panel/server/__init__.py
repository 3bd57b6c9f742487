"""The page of one external MCP server in the panel, and the form that adds one."""
