"""The mind that needs no model: words, rules and the record of what happened."""
