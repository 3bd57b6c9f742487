"""`partner-desktop chat` on a terminal: editing, live replies, approvals by one key."""
