"""The middle column: what was said, the cards, and the composer."""
