"""Actions: from words to an approved, recorded run."""
