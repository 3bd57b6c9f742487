"""What the mind gets to see: ContextBlock and ContextWorkspace."""
