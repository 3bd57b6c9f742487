"""Model files damaged on purpose: refused with a reason, or the worker dies; never more than that."""
