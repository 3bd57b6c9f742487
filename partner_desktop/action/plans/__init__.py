"""Plans before they run: drafts of steps, and steps with the facts that a card shows."""
