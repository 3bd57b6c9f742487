"""At least sixty ways out of the sandbox, tried for real."""
