"""The mind that asks a model: short prompts, checked answers, the starter mind behind it."""
