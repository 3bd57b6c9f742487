"""The official conformance suite for MCP clients, with a whole Partner as the client."""
