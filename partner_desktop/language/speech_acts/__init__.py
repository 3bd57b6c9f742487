"""What a message does: it asks for something, settles or amends a card, stops, repeats, wonders, or talks."""
