"""What is offered to programs that are not Partner's, free of the protocol by which they ask."""
