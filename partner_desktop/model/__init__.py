"""Models: the embedding model and its worker process, and whether the engine that runs them is here."""
