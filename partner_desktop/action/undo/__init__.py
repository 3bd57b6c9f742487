"""The undo journal: what runs do to the person's files, and the way back."""
