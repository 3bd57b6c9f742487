"""The page of permissions: how much runs by itself, what was granted, and the rules of the file."""
