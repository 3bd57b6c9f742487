"""The tab of actions: what waits, what runs, and what goes on in the background."""
