"""Communication: answering the person."""
