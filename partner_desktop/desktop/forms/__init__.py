"""The form on a card: its rows, and a field for every kind of value."""
