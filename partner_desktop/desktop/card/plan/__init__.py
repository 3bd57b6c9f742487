"""The card of an action in several steps: its rows, its changes and its editor."""
