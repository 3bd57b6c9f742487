"""The creation of abilities: wished for in words, tried on their card."""
