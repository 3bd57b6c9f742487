"""The card of one action: what it would do, what it did, and the person's decision."""
