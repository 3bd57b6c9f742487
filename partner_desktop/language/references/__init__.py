"""What a few words point at: a card, a step of a chain, an ability on offer."""
