"""What one step of a plan brings to another: which step, what of its result, and who may read it."""
