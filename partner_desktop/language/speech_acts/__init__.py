"""What a message does: it asks for something, stops, repeats, amends, wonders, or is small talk."""
