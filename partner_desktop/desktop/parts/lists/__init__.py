"""Lists of very many rows."""
