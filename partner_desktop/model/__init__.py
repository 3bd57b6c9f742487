"""Models: so far, whether the engine that runs them (llama.cpp) is here."""
