"""The one permission engine: requests, grants, decisions, audit."""
