"""Rolling: keeping the dialog at a length that can be carried."""
