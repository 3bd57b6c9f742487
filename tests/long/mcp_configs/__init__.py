"""A great many damaged configurations of servers."""
