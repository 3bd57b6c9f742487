"""What is done with whole conversations: search, rename, delete and bring back, export, import."""
