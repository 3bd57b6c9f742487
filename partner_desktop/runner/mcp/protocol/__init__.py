"""What speaks the protocol, over the SDK; loaded by the first connection."""
