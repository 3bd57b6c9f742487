"""One reply in the chat, as it streams."""
