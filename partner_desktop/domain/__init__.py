"""The nouns that everyone shares: frozen types without I/O."""
